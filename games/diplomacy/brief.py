"""What may be said in fewer words in some positions, and what in others contradicts the position."""

from collections.abc import Mapping

from games.diplomacy.board import Board
from games.diplomacy.model import Hold, Province, State, parted
from games.protocol import Seat

_BUILDS: tuple[tuple[str, str, str], ...] = (
    ("waive", "w", "WAIVE"),
    ("build", "(w|wp|war party|a|army) {unit:province}", "W {a} B"),
)
_BUILDS_AT_SEA: tuple[tuple[str, str, str], ...] = (
    ("waive", "w", "WAIVE"),
    ("build-army", "(a|army) {unit:province}", "A {a} B"),
    ("build-fleet", "(f|fleet|flt) {unit:province}", "F {k} B"),
)
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


def due(view: State, seat: Seat) -> str:
    """What a seat may still have to adjust: ``builds``, ``removals`` or "" for nothing."""
    if view.phase.kind != "A":
        return ""
    units = sum(unit.power == seat for unit in view.units)
    centres = sum(owner == seat for owner in view.centres.values())
    return "builds" if centres > units else "removals" if units > centres else ""


def resting(view: State, seat: Seat) -> tuple[Hold, ...]:
    """A hold for each unit of a seat's, in the order in which they stand; none but when units move."""
    if view.phase.kind != "M":
        return ()
    return tuple(Hold(unit=unit.piece) for unit in view.units if unit.power == seat)


def misnamed(view: State, slots: Mapping[str, str], names: Mapping[Province, str]) -> str | None:
    """What is wrong with the nation that an order gives to the unit it helps, or None.

    Source: DATC 4.C.6: whether a wrong nationality spoils an order is left open; we ask back.
    """
    said, (there, _) = slots.get("nation"), parted(Province(slots.get("other", "")))
    stands = next((unit for unit in view.units if unit.at == there), None)
    if said is None or stands is None or stands.power == said:
        return None
    return f"the unit in {names[there]} is not of {said} but of {stands.power}"
