"""Short forms for some positions, and texts that contradict the position."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from games.diplomacy.adjudication.sea_law import complete_coast
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.languages import BoardLanguages
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
    split_spot,
)
from games.protocol import Seat
from games.record import replace_fields

_KIND_WORDS: Mapping[str, Kind] = {"army": "A", "a": "A", "fleet": "F", "flt": "F", "f": "F"}
_KIND_PHRASES = {"A": "an army", "F": "a fleet"}

_WAIVE = ("waive", "(w|pass|no builds)", "WAIVE")
_SHORT_BUILD_FORMS: tuple[tuple[str, str, str], ...] = (
    _WAIVE,
    ("build", "(w|wp|war party|a|army) {unit:province}", "W {a} B"),
)
_SHORT_BUILD_FORMS_AT_SEA: tuple[tuple[str, str, str], ...] = (
    _WAIVE,
    ("build-army", "(a|army) {unit:province}", "A {a} B"),
    ("build-fleet", "(f|fleet|flt) {unit:province}", "F {k} B"),
    ("build-army", "(b|build|builds|raise) (in|at|) {unit:province} (a|army|an army)", "build {A} army"),
    ("build-fleet", "(b|build|builds|raise) (in|at|) {unit:province} (f|fleet|a fleet)", "build {K} fleet"),
    ("build-some", "(b|build|builds|raise) (in|at|) {unit:province}", "build {A}"),
    ("build-some", "{unit:province} (b|build|builds)", "{A} builds"),
)
REMOVAL_MINUS = re.compile(r"-(?=(?:a|f|w|army|fleet|wp)\b)", re.IGNORECASE)
"""What removes the unit behind it: where builds are due it may be the mark of a list, or not."""

_SHORT_REMOVAL_FORMS: tuple[tuple[str, str, str], ...] = (
    ("disband", "(r|-|) (w|wp|war party|a|army|f|fleet|) {unit:province}", "{w} {a} D"),
)


def forms_by_due(board: Board) -> Mapping[str, tuple[tuple[str, str, str], ...]]:
    """Return by what is due the forms that hold then, with pattern and example: the Judge's short ones."""
    letter = board.walker
    removals = tuple(
        (name, pattern, example.replace("{w}", letter)) for name, pattern, example in _SHORT_REMOVAL_FORMS
    )
    return {
        "": (),
        "builds": _SHORT_BUILD_FORMS_AT_SEA if "F" in board.kinds else _SHORT_BUILD_FORMS,
        "removals": removals,
    }


def kind_due(view: View, seat: Seat) -> str:
    """Return what a seat may have to do now: ``moves``, ``retreats``, ``builds``, ``removals``, or ""."""
    if view.phase.kind != "A":
        return "moves" if view.phase.kind == "M" else "retreats"
    units = sum(unit.power == seat for unit in view.units)
    centres = sum(owner == seat for owner in view.centres.values())
    return "builds" if centres > units else "removals" if units > centres else ""


def missing_kind(board: Board, there: Province) -> str | None:
    """Return what a build of no kind leaves open: where a fleet could be built too, it has to be said.

    Source: DATC 4.C.3.
    """
    at, coast = split_spot(there)
    return "say whether it is an army or a fleet" if board.spots[at] and not coast else None


def fit_kinds(
    board: Board,
    view: View,
    order: AnyOrder,
    called: tuple[Kind | None, ...],
    names: Mapping[Province, str],
) -> tuple[AnyOrder, str | None]:
    """Return the order with the kinds that its text gives to units to come, and a wrong kind, or None.

    called: the kinds that the text names: of its unit, and of the one that it helps. Of a unit that stands
    there the place tells who is meant. Source: DATC 4.C.2.
    """
    if not isinstance(order, UnitOrder) or isinstance(order, Build):
        return order, None
    standing = {unit.at for unit in view.units} | {beaten_unit.unit.at for beaten_unit in view.beaten}
    slip = None
    for place, kind in zip(("unit", "other"), called, strict=True):
        piece: Piece | None = getattr(order, place, None)
        if piece is None or not kind or kind == piece.kind or piece.kind not in _KIND_PHRASES:
            continue
        if piece.at in standing:
            slip = slip or f"the unit in {names[piece.at]} is {_KIND_PHRASES[piece.kind]}"
        else:
            order = _recast(board, replace_fields(order, **{place: replace_fields(piece, kind=kind)}))
    return order, slip


def _recast(board: Board, order: AnyOrder) -> AnyOrder:
    """An order for a unit of another kind: a fleet's goal has a coast."""
    if not isinstance(order, Move):
        return order
    return replace_fields(order, coast=complete_coast(board, order.unit, order.to, order.coast), via=False)


@dataclass(frozen=True)
class KindReader:
    """Reads the kinds of units that a text names, by the words for them in English and other languages."""

    kinds: Mapping[str, Kind]
    unit: re.Pattern[str]
    helped: re.Pattern[str]

    @classmethod
    def of(cls, tongues: BoardLanguages) -> "KindReader":
        """Return a reader that knows the words of these languages too."""
        kinds = {**tongues.kinds(), **_KIND_WORDS}
        words = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True))
        articles = "|".join(map(re.escape, ("the", *tongues.words("the"))))
        helps = (*tongues.words("supports"), *tongues.words("convoys"))
        helping = "|".join(("s|sup|supports?|supporting|c|con|convoys?", *map(re.escape, helps)))
        return cls(
            kinds,
            re.compile(rf"^\W*(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
            re.compile(rf"\b(?:{helping})\s+(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
        )

    def kinds_named(self, text: str, *, helps: bool) -> tuple[Kind | None, ...]:
        """Return the kinds that a text names: of the unit that it is for, and of the one that it helps."""
        matches = (self.unit.search(text), self.helped.search(text) if helps else None)
        return tuple(self.kinds.get(match[1].lower()) if match else None for match in matches)


def resting(view: View, seat: Seat) -> tuple[Hold, ...]:
    """A hold for each unit of a seat's, in the order in which they stand; none but when units move."""
    if view.phase.kind != "M":
        return ()
    return tuple(Hold(unit=unit.piece) for unit in view.units if unit.power == seat)


def wrong_nation(view: View, slots: Mapping[str, str], names: Mapping[Province, str]) -> str | None:
    """Return what is wrong with the nation that an order gives to the unit it helps, or None.

    Source: DATC 4.C.6: whether a wrong nationality spoils an order is left open; we ask back.
    """
    nation_named, (there, _) = slots.get("nation"), split_spot(Province(slots.get("other", "")))
    stands = next((unit for unit in view.units if unit.at == there), None)
    if nation_named is None or stands is None or stands.power == nation_named:
        return None
    return f"the unit in {names[there]} is not of {nation_named} but of {stands.power}"
