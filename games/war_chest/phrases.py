"""The texts of War Chest: why the automaton chose an order, and why an order is illegal."""

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
    DEPLOY_CLAUSE: "the only free hex",
    ATTACK_CLAUSE: "the only enemy in reach",
    TARGET_CLAUSE: "the only location in reach",
    STEP_CLAUSE: "the only step closer",
    RECRUIT_CLAUSE: "the only coins left in the supply",
    WINNING_CLAUSE: "taking control wins the game",
    CONTROL_CLAUSE: "no enemy in reach, and it is on a location that the AI doesn't control",
}

# The problem, and what to write instead ("" for nothing). The names in braces are keys of the detail: {card},
# {other} and {coin} become names; {near} and {have} become lists.
_ADVICE: Mapping[str, tuple[str, str]] = {
    "not-offered": ("{card} isn't on offer. You can pick {near}", "pick {first}"),
    "not-asked": ("there's no loss to choose for the Royal Guard now", ""),
    "draft-first": ("the draft comes first", ""),
    "no-coin": ("you have no {coin} coin to play. You have: {have}", ""),
    "hand-empty": ("your hand is empty. You will draw your next coins at random", ""),
    "which-coin": ("say which coin you use. You have: {have}", "pass with {first}"),
    "on-board-already": ("your {card} is already on {at}", "bolster {card}"),
    "hex-occupied": ("{at} is occupied", "deploy {card} {first}"),
    "not-yours-to-deploy": ("you can't deploy the {card} on {at}", "deploy {card} {first}"),
    "no-initiative": ("this game has no initiative", ""),
    "claimed-already": ("the initiative has already been claimed this round", ""),
    "initiative-yours": ("you already have the initiative", ""),
    "supply-empty": ("your supply has no {card} coin", "recruit {first}"),
    "no-follow-up": ("only a recruited Mercenary can maneuver, and only once", "recruit {card}"),
    "not-on-board": ("you have no {card} on the board", ""),
    "royal-coin": ("the Royal Coin can only move the Royal Guard, to a location that you control", ""),
    "leads-nobody": ("{card} can't give orders to other units", ""),
    "not-what-it-grants": ("the {card} doesn't let the {other} do that", ""),
    "out-of-earshot": ("the {other} must start and end within two hexes of the {card} on {at}", ""),
    "only-a-move": ("after its attack the {card} can only move", ""),
    "last-coin": ("the {card} can't pay with its last coin", ""),
    "no-straight-line": ("{at} isn't in a straight line from the {card}", ""),
    "line-blocked": ("{by}, between the {card} and {at}, is occupied", ""),
    "not-straight-ahead": ("the {card} can only attack straight ahead, and {at} isn't", ""),
    "not-your-location": (
        "the {card} can only march to an empty location of yours, unlike {at}",
        "",
    ),
    "where-to": ("the {card} needs a hex to move to", ""),
    "no-target": ("there's no enemy unit there for the {card} to attack", ""),
    "which-one": ("you have two of them, on {near}. Say which hex", ""),
    "no-normal-attack": ("the {card} can only attack with its tactic", ""),
    "too-far": ("{to} is too far for the {card} on {at}", "{card} - {first}"),
    "no-way": ("the {card} has no free path to {at}", ""),
    "stands-elsewhere": ("the {card} is on {at}, not there", ""),
    "no-location": ("the {card} is on {at}, which isn't a location", ""),
    "yours-already": ("you already control {at}", ""),
    "knight": ("only a bolstered unit can attack the Knight", "bolster {card}"),
    "will-be-lost": ("the {card} will no longer be there to do that", ""),
    "too-much": ("the {card} can't do all that with one coin", ""),
    "not-there": ("your {card} isn't on {at}", ""),
    "not-on-the-list": ("its decision list doesn't allow that", ""),
    "picked-twice": ("you picked {card} twice. We will ask you for another card", ""),
}
_COIN_DETAILS = ("card", "other", "coin")
_LIST_DETAILS = ("near", "have")


def join_words(items: Sequence[str], joint: str = "and") -> str:
    """Return a list in words: "a, b and c"."""
    return f"{', '.join(items[:-1])} {joint} {items[-1]}" if len(items) > 1 else "".join(items)


def capital(text: str) -> str:
    """Return the text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def side_name(seat: Seat) -> str:
    """Return the name of a side in a sentence. The player of a solo game is "you"."""
    return {AUTOMATON: "the AI", PLAYER: "you"}.get(seat, seat.capitalize())


def unit_of(seat: Seat, card: Card) -> str:
    """Return a unit with its owner: "the AI's Archer", "your Archer"."""
    if seat == PLAYER:
        return f"your {name(card)}"
    return f"{side_name(seat)}'s {name(card)}"


def advice(remark: Objection | Concern) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
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
    """How to describe a choice. place: how to write a hex; drawn: whether ties are broken at random."""

    place: Callable[[str], str] = str
    drawn: bool = True


IN_GAME_WORDING = ChoiceWording()


def reason(order: AnyOrder, why: Sequence[ListDecision], speech: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return why the automaton chose an order: the deciding criterion of each of its lists."""
    if not why:
        return "there is nothing left to recruit" if isinstance(order, Pass) else "the only legal action"
    text = because(why, speech)
    return f"{text}; a single coin can't attack a Knight" if isinstance(order, Bolster) else text


def because(why: Sequence[ListDecision], speech: ChoiceWording = IN_GAME_WORDING) -> str:
    """Return the deciding criterion of each list; for a move, the target first."""
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
    """Return what decided one list: the first criterion that narrowed it, then the tie-breakers."""
    if not weighed.decided:
        return _ONLY_CHOICE_REASONS[weighed.clause]
    words = [CRITERIA[weighed.clause][number - 1] for number in weighed.narrowed]
    parts = words[:1]
    if words[1:]:
        parts.append(
            f"tie broken by {join_words([_as_breaker(criterion) for criterion in words[1:]], 'then')}"
        )
    if len(weighed.left) > 1:
        parts.append(f"{'at random from' if speech.drawn else 'the first of'} {len(weighed.left)}")
    return ", ".join(parts)


def _as_breaker(words: str) -> str:
    """Return a criterion in words for a tie-breaker."""
    if words.startswith("closest to"):
        return words.replace("closest", "closeness", 1)
    if words.startswith("most"):
        return f"the {words}"
    if words.startswith("on "):
        return f"being {words}"
    return f"being {'an ' if words.startswith('enemy') else ''}{words}"
