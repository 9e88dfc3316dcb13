"""The words of War Chest: why the automaton chose, why an order may not be given, what may."""

from collections.abc import Callable, Mapping, Sequence

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
from games.war_chest.components import UNIT_NAMES, Card, Coin, name
from games.war_chest.model import AUTOMATON, PLAYER, AnyOrder, Bolster, ListDecision, Pass

_ONLY_CHOICE_REASONS: Mapping[str, str] = {
    DEPLOY_CLAUSE: "the only hex open to it",
    ATTACK_CLAUSE: "the only enemy in reach",
    TARGET_CLAUSE: "the only location in reach",
    STEP_CLAUSE: "the only step closer",
    RECRUIT_CLAUSE: "the only coins left in the supply",
    WINNING_CLAUSE: "it wins by control",
    CONTROL_CLAUSE: "no enemy in reach, and it stands on a location that is not its own",
}

# What is wrong, and what to write instead ("" for nothing). Names in braces are those of the detail; {card},
# {other} and {coin} are told as names, {near}, {have} as lists.
_ADVICE: Mapping[str, tuple[str, str]] = {
    "not-offered": ("{card} is not on offer; there are {near}", "pick {first}"),
    "not-asked": ("nobody asks what the Royal Guard loses now", ""),
    "draft-first": ("the draft comes first", ""),
    "no-coin": ("you have no {coin} coin to play; you have {have}", ""),
    "hand-empty": ("no coin is left in your hand; which come next nobody knows", ""),
    "which-coin": ("you have several coins, {have}: say which you pay with", "pass with {first}"),
    "on-board-already": ("your {card} stands on {at} already", "bolster {card}"),
    "hex-occupied": ("{at} is occupied", "deploy {card} {first}"),
    "not-yours-to-deploy": ("{card} cannot be deployed on {at}", "deploy {card} {first}"),
    "no-initiative": ("there is no initiative in this game", ""),
    "claimed-already": ("the initiative was claimed in this round already", ""),
    "initiative-yours": ("you have the initiative", ""),
    "supply-empty": ("your supply has no {card} coin", "recruit {first}"),
    "no-follow-up": ("only a Mercenary that was recruited makes a maneuver, and only one", "recruit {card}"),
    "not-on-board": ("you have no {card} on the board", ""),
    "royal-coin": ("the Royal Coin moves no unit but the Royal Guard, to a location of yours", ""),
    "leads-nobody": ("{card} gives no orders to others", ""),
    "not-what-it-grants": ("that is not what the {card} lets the {other} do", ""),
    "out-of-earshot": ("the {other} must be, and stay, within two hexes of the {card} on {at}", ""),
    "only-a-move": ("after its attack the {card} may only move", ""),
    "last-coin": ("the {card} cannot pay with its last coin", ""),
    "no-straight-line": ("{at} is not in a straight line from the {card}", ""),
    "line-blocked": ("{by} between the {card} and {at} is occupied", ""),
    "not-straight-ahead": ("the {card} attacks straight ahead only, and {at} is not", ""),
    "not-your-location": ("the {card} marches only to an empty location of yours, which {at} is not", ""),
    "where-to": ("the {card} needs a hex to move to", ""),
    "no-target": ("no enemy stands there for the {card} to attack", ""),
    "which-one": ("there are two of them, on {near}: say which hex", ""),
    "no-normal-attack": ("the {card} attacks by its tactic only", ""),
    "too-far": ("{to} is too far for the {card} on {at}", "{card} - {first}"),
    "no-way": ("there is no free way for the {card} to {at}", ""),
    "stands-elsewhere": ("the {card} stands on {at}, not there", ""),
    "no-location": ("{at}, where the {card} stands, is no location", ""),
    "yours-already": ("{at} is yours already", ""),
    "knight": ("only a bolstered unit may attack the Knight", "bolster {card}"),
    "will-be-lost": ("the {card} will not be there any more to do that", ""),
    "too-much": ("the {card} cannot do all that with one coin", ""),
    "not-there": ("your {card} does not stand on {at}", ""),
    "not-on-the-list": ("its decision list does not allow that", ""),
    "picked-twice": ("{card} stands there twice; you will be asked for another card.", ""),
}
_COIN_DETAILS = ("card", "other", "coin")
_LIST_DETAILS = ("near", "have")


def join_words(items: Sequence[str], joint: str = "and") -> str:
    """Return several things in words: "a, b and c"."""
    return f"{', '.join(items[:-1])} {joint} {items[-1]}" if len(items) > 1 else "".join(items)


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def side_name(seat: Seat) -> str:
    """Return a side as it is named in a sentence."""
    return {AUTOMATON: "the AI", PLAYER: "the player"}.get(seat, seat.capitalize())


def unit_of(seat: Seat, card: Card) -> str:
    """A unit with its owner: "the AI's Archer"."""
    return f"{side_name(seat)}'s {name(card)}"


def advice(remark: Objection | Concern) -> Advice:
    """An objection or a concern in words. Raises KeyError for a code that is not ours."""
    problem, instead = _ADVICE[remark.code]
    details = _format_details(remark.detail)
    first = details.get("first")
    wanted = instead and ("{first}" not in instead or first)
    return Advice(problem=problem.format(**details), instead=instead.format(**details) if wanted else None)


def reproach(code: str, detail: Mapping[str, str]) -> str:
    """Return why an order failed, as the end of a sentence."""
    return _ADVICE[code][0].format(**_format_details(detail))


def _format_details(detail: Mapping[str, str]) -> dict[str, str]:
    details = {key: _display_name(value) if key in _COIN_DETAILS else value for key, value in detail.items()}
    for key in _LIST_DETAILS:
        items = [_display_name(item) for item in detail.get(key, "").split()]
        details[key] = join_words(list(dict.fromkeys(items))) or "none"
        if items:
            details["first"] = items[0]
    return details


def _display_name(word: str) -> str:
    return name(Coin(word)) if word in UNIT_NAMES or word in ("royal", "?") else word


class ChoiceWording(Value, frozen=True):
    """The way to tell a choice. place: how a hex is written; drawn: at random on a tie, else the first."""

    place: Callable[[str], str] = str
    drawn: bool = True


IN_GAME_WORDING = ChoiceWording()


def reason(order: AnyOrder, why: Sequence[ListDecision], speech: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return why the automaton gave an order: the criterion that decided each of its lists."""
    if not why:
        return "nothing is left to recruit" if isinstance(order, Pass) else "nothing else is possible"
    text = because(why, speech)
    return f"{text}; its single coin may not attack a Knight" if isinstance(order, Bolster) else text


def because(why: Sequence[ListDecision], speech: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return the lists that were worked through, each by what decided it; a move tells its target first."""
    phrases = []
    for number, weighed in enumerate(why):
        decided = _decision_text(weighed, speech)
        if weighed.clause == TARGET_CLAUSE:
            phrases.append(f"towards {speech.place(weighed.taken)}, {decided}")
        elif weighed.clause == STEP_CLAUSE:
            phrases.append(f"{'its second step' if number > 1 else 'its step'}: {decided}")
        else:
            phrases.append(decided)
    return "; ".join(phrases)


def _decision_text(weighed: ListDecision, speech: ChoiceWording) -> str:
    """Return what decided one list: the first criterion that narrowed it, then those that broke the tie."""
    if not weighed.decided:
        return _ONLY_CHOICE_REASONS[weighed.clause]
    words = [CRITERIA[weighed.clause][number - 1] for number in weighed.narrowed]
    parts = words[:1]
    if words[1:]:
        parts.append(
            f"tie broken by {join_words([_as_breaker(criterion) for criterion in words[1:]], 'then')}"
        )
    if len(weighed.left) > 1:
        parts.append(f"{'by lot among' if speech.drawn else 'the first of'} {len(weighed.left)}")
    return ", ".join(parts)


def _as_breaker(words: str) -> str:
    """A criterion as that by which a tie was broken."""
    if words.startswith("closest to"):
        return words.replace("closest", "closeness", 1)
    if words.startswith("most"):
        return f"the {words}"
    if words.startswith("on "):
        return f"standing {words}"
    return f"being {'an ' if words.startswith('enemy') else ''}{words}"
