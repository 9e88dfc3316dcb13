"""The words of the Diplomacy family: why an order failed or may not be given, and what to write instead.

The codes are those of reasons.py, lawful.py, concerns.py and of retreats and adjustments.
"""

from collections.abc import Mapping, Sequence

from games.diplomacy.board import Board
from games.diplomacy.model import NEUTRAL, Kind, Province, Reason, Unit
from games.protocol import Advice, Concern, Objection

KINDS: Mapping[Kind, str] = {"W": "War Party", "A": "army", "F": "fleet"}

WHY: Mapping[str, str] = {
    "dislodged": "dislodged by {by}",
    "cut": "attacked by {by}",
    "no-such-move": "{first} was not ordered to move there",
    "tries-to-move": "{first} was ordered to move and could not be supported where it stood",
    "own-unit": "{first} stayed there, and nobody dislodges his own",
    "own-support": "{first} would have fallen only with support of its own nation",
    "swap": "it met {first} coming the other way, equally strong",
    "beaten": "{first} came the other way and was stronger",
    "held-off": "held off by {by}",
    "kept-out": "kept out by the stronger {first}",
    "stood-off": "stood off with {by}",
    "replaced": "a later order for the same unit stands",
    "collided": "{by} retreated there too",
    "no-order": "no order came",
    "more-than-due": "more orders than were due",
    "not-due": "such an order was not wanted",
    "no-place": "the board has no such province",
    "no-unit": "nobody stood there",
    "not-yours": "the unit is another nation's",
    "wrong-kind": "a unit of another kind",
    "stays-put": "it stands there already",
    "needs-canoe": "water cannot be entered on foot",
    "not-adjacent": "the two do not border on each other",
    "supports-itself": "no unit supports itself",
    "no-unit-there": "there was nobody to support",
    "neutral-stays": "a neutral War Party never moves",
    "support-too-far": "a unit supports only where it could go itself",
    "other-not-adjacent": "the supported unit cannot go there",
    "not-beaten": "it was not dislodged",
    "no-retreat": "no retreat is open there",
    "no-builds": "no builds were due",
    "no-removals": "no removals were due",
    "not-home": "no starting centre of its nation",
    "home-lost": "the starting centre is not its nation's any more",
    "home-occupied": "the starting centre was not empty",
}
"""Each reason as the end of a sentence about an order."""

# What is wrong, and what to write instead ("" for nothing); {near} is the nearest legal province.
ADVICE: Mapping[str, tuple[str, str]] = {
    "not-due": ("this is no time for such an order", ""),
    "no-place": ("the board has no province {to}", ""),
    "no-unit": ("nobody stands in {unit}", ""),
    "not-yours": ("the unit in {unit} belongs to {power}", ""),
    "wrong-kind": ("the unit in {unit} is another kind of unit: {kind}", ""),
    "stays-put": ("{unit} is where it stands already", "{W} H"),
    "needs-canoe": ("{to} is water, and nobody walks on it{choice}", "{W} - {near}"),
    "not-adjacent": ("{unit} does not border {to}{choice}", "{W} - {near}"),
    "supports-itself": ("{unit} cannot support itself", "{W} H"),
    "no-unit-there": ("there is no such unit in {other} to support", ""),
    "neutral-stays": ("the neutral War Party in {other} never moves", "{W} S {O}"),
    "support-too-far": ("{unit} does not border {to}{choice}", "{W} S {O} - {near}"),
    "other-not-adjacent": ("{other} cannot go to {to}: they are no neighbours{choice}", "{W} S {O} - {near}"),
    "not-beaten": ("the unit in {unit} was not dislodged and stays where it is", ""),
    "no-retreat": ("{unit} may not retreat to {to}{choice}", "{W} - {near}"),
    "no-builds": ("you have nothing to build", ""),
    "no-removals": ("you have nothing to remove", ""),
    "not-home": ("{unit} is none of your starting centres{choice}", "{near_unit} B"),
    "home-lost": ("you do not own {unit} any more{choice}", "{near_unit} B"),
    "home-occupied": ("a unit stands in {unit}{choice}", "{near_unit} B"),
    "unmatched-support": ("{other} is not ordered to {to}, so that the support is for nothing", "{O} - {T}"),
    "supports-a-mover": ("{other} is ordered to move, so that the support is for nothing", "{O} H"),
    "two-to-one": ("{unit} and {other} both go to {to} and keep each other out", "{W} S {O} - {T}"),
    "attacks-own": ("your own unit in {to} stays there, and {unit} will not get in", "{W} S {T_unit}"),
    "helps-against-own": ("it helps an attack on your own unit in {to}", ""),
    "swaps": ("{unit} and {other} cannot change places", ""),
}
"""Each objection and concern: what is wrong, and a written order that would do instead."""


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: "Huron, Erie and Oneida"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def nation(power: str) -> str:
    """A nation as a report names it; those in civil disorder are neutral."""
    return "neutral" if power == NEUTRAL else power


def whose(board: Board, unit: Unit) -> str:
    """A unit by its place and nation: "Huron (Dakota)"."""
    return f"{board.name(unit.at)} ({nation(unit.power)})"


def why(board: Board, reason: Reason) -> str:
    """A reason as the end of a sentence: "stood off with Huron (Dakota)"."""
    by = [whose(board, unit) for unit in reason.by]
    return WHY[reason.code].format(by=listed(by), first=by[0] if by else "")


def advice(
    board: Board, remark: Objection | Concern, kinds: Mapping[Province, Kind], default: Kind
) -> Advice:
    """An objection or a concern in words.

    kinds: what sort of unit stands where; default: the sort that stands nowhere yet. Raises KeyError for a
    code that has no words.
    """
    problem, instead = ADVICE[remark.code]
    near = [Province(one) for one in remark.detail.get("near", "").split()]
    words = _words(board, remark.detail, kinds, default)
    words["choice"] = f"; possible: {listed([board.name(one) for one in near[:4]], 'or')}" if near else ""
    if near:
        words["near"] = board.abbr(near[0])
        words["near_unit"] = f"{kinds.get(near[0], default)} {board.abbr(near[0])}"
    lacking = "{near" in instead and not near
    return Advice(
        problem=problem.format(**words), instead=instead.format(**words) if instead and not lacking else None
    )


def _words(
    board: Board, detail: Mapping[str, str], kinds: Mapping[Province, Kind], default: Kind
) -> dict[str, str]:
    words = dict(detail)
    for key, short in (("unit", "W"), ("other", "O"), ("to", "T")):
        place = Province(detail.get(key, ""))
        if place in board.places:
            piece = f"{kinds.get(place, default)} {board.abbr(place)}"
            words |= {key: board.name(place), short: piece, f"{short}_unit": piece}
    if detail.get("to") in board.places:
        words["T"] = board.abbr(Province(detail["to"]))
    if "kind" in detail:
        words["kind"] = KINDS.get(detail["kind"], detail["kind"])  # type: ignore[call-overload]
    return words
