"""Texts that several modules share: the names of sides, the automaton's reasons, advice on orders."""

from collections.abc import Callable, Mapping, Sequence

from games.language import join_list
from games.messages import has_sentence, sentence
from games.protocol import Advice, Concern, Objection, Seat
from games.record import Value
from games.war_chest.automaton import (
    ATTACK_CLAUSE,
    CONTROL_CLAUSE,
    CRITERIA,
    DEPLOY_CLAUSE,
    RECRUIT_CLAUSE,
    STEP_CLAUSE,
    TARGET_CLAUSE,
    WINNING_CLAUSE,
)
from games.war_chest.components import HIDDEN_COIN, UNIT_NAMES, Card, Coin, name
from games.war_chest.model import AnyOrder, Bolster, ListDecision, Pass

_ONLY_CHOICE_SLUGS: Mapping[str, str] = {
    DEPLOY_CLAUSE: "war_chest.reasons.only_hex",
    ATTACK_CLAUSE: "war_chest.reasons.only_enemy",
    TARGET_CLAUSE: "war_chest.reasons.only_location",
    STEP_CLAUSE: "war_chest.reasons.only_step",
    RECRUIT_CLAUSE: "war_chest.reasons.only_coins",
    WINNING_CLAUSE: "war_chest.reasons.wins",
    CONTROL_CLAUSE: "war_chest.reasons.takes",
}

_COIN_DETAILS = ("card", "other", "coin")
_LIST_DETAILS = ("near", "have")


def capital(text: str) -> str:
    """Return the text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def side_name(seat: Seat) -> str:
    """Return the name of a side in a sentence. The player of a solo game is "you"."""
    return sentence(f"war_chest.sides.{seat}")


def unit_of(seat: Seat, card: Card) -> str:
    """Return a unit with its owner: "the AI's Archer", "your Archer"."""
    return sentence(f"war_chest.owned_units.{seat}", unit=name(card))


def describe_coins(coins: Sequence[Coin]) -> str:
    """Return coins with their numbers. Hidden coins are only counted."""
    if coins and all(coin == HIDDEN_COIN for coin in coins):
        return sentence("war_chest.tables.hidden", count=len(coins))
    return describe_counts({coin: coins.count(coin) for coin in dict.fromkeys(coins)})


def describe_counts(counts: Mapping[Coin, int]) -> str:
    """Return the coins of which there are any, with their numbers."""
    return ", ".join(
        sentence("war_chest.tables.several", count=count, coin=name(coin)) if count > 1 else name(coin)
        for coin, count in counts.items()
        if count
    )


def advice(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
    details = _format_details(remark.detail)
    table = "possible" if "first" in details else "instead"
    slug = f"war_chest.{table}.{remark.code}"
    return Advice(
        problem=sentence(f"war_chest.advice.{remark.code}", **details),
        instead=sentence(slug, **details) if has_sentence(slug) else None,
    )


def reproach(code: str, detail: Mapping[str, str]) -> str:
    """Return why an order failed, as the end of a sentence."""
    return sentence(f"war_chest.advice.{code}", **_format_details(detail))


def _format_details(detail: Mapping[str, str]) -> dict[str, str]:
    details = {key: _display_name(value) if key in _COIN_DETAILS else value for key, value in detail.items()}
    for key in _LIST_DETAILS:
        items = [_display_name(item) for item in detail.get(key, "").split()]
        details[key] = join_list(dict.fromkeys(items)) or sentence("war_chest.tables.none")
        if items:
            details["first"] = items[0]
    return details


def _display_name(word: str) -> str:
    return name(Coin(word)) if word in UNIT_NAMES or word in ("royal", "?") else word


class ChoiceWording(Value, frozen=True):
    """Options for the text of a choice. place: writes a hex. drawn: whether ties are broken at random."""

    place: Callable[[str], str] = str
    drawn: bool = True


IN_GAME_WORDING = ChoiceWording()


def reason(order: AnyOrder, why: Sequence[ListDecision], wording: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return why the automaton chose an order: the deciding criterion of each of its lists."""
    if not why:
        return sentence(
            "war_chest.reasons.nothing_left" if isinstance(order, Pass) else "war_chest.reasons.only_action"
        )
    text = because(why, wording)
    return sentence("war_chest.reasons.bolster", reason=text) if isinstance(order, Bolster) else text


def because(why: Sequence[ListDecision], wording: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return the deciding criterion of each list; for a move, the target first."""
    phrases = []
    for number, weighed in enumerate(why):
        text = _decision_text(weighed, wording)
        if weighed.clause == TARGET_CLAUSE:
            text = sentence("war_chest.reasons.target", hex=wording.place(weighed.taken), criterion=text)
        elif weighed.clause == STEP_CLAUSE:
            slug = "war_chest.reasons.second_step" if number > 1 else "war_chest.reasons.step"
            text = sentence(slug, criterion=text)
        phrases.append(text)
    return "; ".join(phrases)


def _decision_text(weighed: ListDecision, wording: ChoiceWording) -> str:
    """Return what decided one list: the first criterion that narrowed it, then the tie-breakers."""
    if not weighed.decided:
        return sentence(_ONLY_CHOICE_SLUGS[weighed.clause])
    criteria = [CRITERIA[weighed.clause][number - 1] for number in weighed.narrowed]
    text = sentence(f"war_chest.criteria.{criteria[0]}") if criteria else ""
    if criteria[1:]:
        breakers = [sentence(f"war_chest.tie_breakers.{criterion}") for criterion in criteria[1:]]
        text = sentence("war_chest.reasons.tie_broken", criterion=text, breakers=_order_breakers(breakers))
    count = len(weighed.left)
    if count == 1:
        return text
    if not text:
        slug = "war_chest.reasons.random_only" if wording.drawn else "war_chest.reasons.first_only"
        return sentence(slug, count=count)
    slug = "war_chest.reasons.random" if wording.drawn else "war_chest.reasons.first"
    return sentence(slug, criterion=text, count=count)


def _order_breakers(breakers: Sequence[str]) -> str:
    """Return tie-breakers in their order: "a, b then c"."""
    *earlier, last = breakers
    if not earlier:
        return last
    return sentence("war_chest.reasons.in_turn", breakers=", ".join(earlier), last=last)
