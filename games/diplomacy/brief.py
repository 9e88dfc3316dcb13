"""What may be said in fewer words in some positions, and what in others contradicts the position."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.languages import Tongues
from games.diplomacy.model import (
    AnyOrder,
    Build,
    Hold,
    Kind,
    Move,
    Piece,
    Province,
    UnitOrder,
    View,
    parted,
)
from games.diplomacy.sea_law import completed
from games.protocol import Seat
from games.record import changed

_KINDS: Mapping[str, Kind] = {"army": "A", "a": "A", "fleet": "F", "flt": "F", "f": "F"}
_SORTS = {"A": "an army", "F": "a fleet"}

_WAIVE = ("waive", "(w|pass|no builds)", "WAIVE")
_BUILDS: tuple[tuple[str, str, str], ...] = (
    _WAIVE,
    ("build", "(w|wp|war party|a|army) {unit:province}", "W {a} B"),
)
_BUILDS_AT_SEA: tuple[tuple[str, str, str], ...] = (
    _WAIVE,
    ("build-army", "(a|army) {unit:province}", "A {a} B"),
    ("build-fleet", "(f|fleet|flt) {unit:province}", "F {k} B"),
    ("build-army", "(b|build|builds|raise) (in|at|) {unit:province} (a|army|an army)", "build {A} army"),
    ("build-fleet", "(b|build|builds|raise) (in|at|) {unit:province} (f|fleet|a fleet)", "build {K} fleet"),
    ("build-some", "(b|build|builds|raise) (in|at|) {unit:province}", "build {A}"),
    ("build-some", "{unit:province} (b|build|builds)", "{A} builds"),
)
MINUS = re.compile(r"-(?=(?:a|f|w|army|fleet|wp)\b)", re.IGNORECASE)
"""What removes the unit behind it: where builds are due it may be the mark of a list, or not."""

_REMOVALS: tuple[tuple[str, str, str], ...] = (
    ("disband", "(r|-|) (w|wp|war party|a|army|f|fleet|) {unit:province}", "{w} {a} D"),
)


def rows(board: Board) -> Mapping[str, tuple[tuple[str, str, str], ...]]:
    """By what is due, name, pattern and example of the forms that hold then: the Judge's short ones."""
    letter = board.walker
    removals = tuple((name, said, example.replace("{w}", letter)) for name, said, example in _REMOVALS)
    return {
        "": (),
        "builds": _BUILDS_AT_SEA if "F" in board.kinds else _BUILDS,
        "removals": removals,
    }


def due(view: View, seat: Seat) -> str:
    """What a seat may have to do now: ``moves``, ``retreats``, ``builds``, ``removals`` or "" for nothing."""
    if view.phase.kind != "A":
        return "moves" if view.phase.kind == "M" else "retreats"
    units = sum(unit.power == seat for unit in view.units)
    centres = sum(owner == seat for owner in view.centres.values())
    return "builds" if centres > units else "removals" if units > centres else ""


def unspecified(board: Board, there: Province) -> str | None:
    """What is open about a build of no kind: where a fleet could be built too, it has to be said.

    Source: DATC 4.C.3.
    """
    at, coast = parted(there)
    return "say whether it is an army or a fleet" if board.spots[at] and not coast else None


def fitted(
    board: Board,
    view: View,
    order: AnyOrder,
    called: tuple[Kind | None, ...],
    names: Mapping[Province, str],
) -> tuple[AnyOrder, str | None]:
    """The order with the kinds that its text gives to units to come, and what kind it gets wrong, or None.

    called: the kinds that the text names: of its unit, and of the one that it helps. Of a unit that stands
    there the place tells who is meant. Source: DATC 4.C.2.
    """
    if not isinstance(order, UnitOrder) or isinstance(order, Build):
        return order, None
    standing = {unit.at for unit in view.units} | {one.unit.at for one in view.beaten}
    slip = None
    for place, kind in zip(("unit", "other"), called, strict=True):
        piece: Piece | None = getattr(order, place, None)
        if piece is None or not kind or kind == piece.kind or piece.kind not in _SORTS:
            continue
        if piece.at in standing:
            slip = slip or f"the unit in {names[piece.at]} is {_SORTS[piece.kind]}"
        else:
            order = _recast(board, changed(order, **{place: changed(piece, kind=kind)}))
    return order, slip


def _recast(board: Board, order: AnyOrder) -> AnyOrder:
    """An order for a unit of another kind: a fleet's goal has a coast."""
    if not isinstance(order, Move):
        return order
    return changed(order, coast=completed(board, order.unit, order.to, order.coast), via=False)


@dataclass(frozen=True)
class Called:
    """What kinds of units a text names, by the words for them in English and in the languages of a board."""

    kinds: Mapping[str, Kind]
    unit: re.Pattern[str]
    helped: re.Pattern[str]

    @classmethod
    def of(cls, tongues: Tongues) -> "Called":
        """By the words of these languages too."""
        kinds = {**tongues.kinds(), **_KINDS}
        words = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True))
        articles = "|".join(map(re.escape, ("the", *tongues.words("the"))))
        helps = (*tongues.words("supports"), *tongues.words("convoys"))
        helping = "|".join(("s|sup|supports?|supporting|c|con|convoys?", *map(re.escape, helps)))
        return cls(
            kinds,
            re.compile(rf"^\W*(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
            re.compile(rf"\b(?:{helping})\s+(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
        )

    def of_text(self, text: str, *, helps: bool) -> tuple[Kind | None, ...]:
        """The kinds that a text names: of the unit that it is for, and of the one that it helps."""
        found = (self.unit.search(text), self.helped.search(text) if helps else None)
        return tuple(self.kinds.get(one[1].lower()) if one else None for one in found)


def resting(view: View, seat: Seat) -> tuple[Hold, ...]:
    """A hold for each unit of a seat's, in the order in which they stand; none but when units move."""
    if view.phase.kind != "M":
        return ()
    return tuple(Hold(unit=unit.piece) for unit in view.units if unit.power == seat)


def misnamed(view: View, slots: Mapping[str, str], names: Mapping[Province, str]) -> str | None:
    """What is wrong with the nation that an order gives to the unit it helps, or None.

    Source: DATC 4.C.6: whether a wrong nationality spoils an order is left open; we ask back.
    """
    said, (there, _) = slots.get("nation"), parted(Province(slots.get("other", "")))
    stands = next((unit for unit in view.units if unit.at == there), None)
    if said is None or stands is None or stands.power == said:
        return None
    return f"the unit in {names[there]} is not of {said} but of {stands.power}"
