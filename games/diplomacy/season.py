"""What was ordered for a movement season, prepared for the resolver's questions."""

# Provinces are small integers in here and in whatever asks here: their place in board order.

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.model import AnyOrder, BuildCanoe, Move, Piece, Province, SupportHold, SupportMove, Unit
from games.diplomacy.rulebook import Rulebook

NOWHERE = -1

Ask = Callable[[int], bool | None]
"""Whether the order of the unit in a province succeeds; None: not known yet."""


@dataclass(frozen=True, slots=True)
class Season:
    """The orders of one season. Lists are indexed by province.

    places: the provinces with units, in board order; nation: whose unit stands there; goal: where it moves;
    into: the province that its support is given into, if it met the order really given;
    aimed: who walks into a province; landing: who goes into it in a canoe-fleet; afoot: False where the unit
    goes in one; builders: who builds one; helpers: who supports the unit in a province in what it does;
    rulebook: the rulings.
    """

    places: tuple[int, ...]
    nation: list[str | None]
    goal: list[int]
    into: list[int]
    aimed: dict[int, list[int]]
    landing: dict[int, list[int]]
    afoot: list[bool]
    builders: tuple[int, ...]
    helpers: dict[int, list[int]]
    rulebook: Rulebook


def prepare(
    board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Mapping[Province, AnyOrder]
) -> Season:
    """The season of lawful orders, one at most for each unit; units without one hold.

    Supports are matched with the orders that were really given: a support to move counts for that move on
    foot only (Indianomacy, ruling C12), a support to hold for a unit that does not try to move (C13).
    """
    index = board.index
    size = len(index)
    nation: list[str | None] = [None] * size
    goal, into = [NOWHERE] * size, [NOWHERE] * size
    afoot = [True] * size
    aimed: dict[int, list[int]] = {}
    landing: dict[int, list[int]] = {}
    helpers: dict[int, list[int]] = {}
    builders: list[int] = []
    for unit in units:
        nation[index[unit.at]] = unit.power
    supports: list[tuple[int, int, int]] = []
    for at, order in orders.items():
        place = index[at]
        if isinstance(order, Move):
            to = goal[place] = index[order.to]
            if is_by_canoe(board, order):
                afoot[place] = False
                landing.setdefault(to, []).append(place)
            else:
                aimed.setdefault(to, []).append(place)
        elif isinstance(order, SupportMove):
            supports.append((place, index[order.other.at], index[order.to]))
        elif isinstance(order, SupportHold):
            supports.append((place, index[order.other.at], NOWHERE))
        elif isinstance(order, BuildCanoe):
            builders.append(place)
    for place, other, target in supports:
        if goal[other] == target and afoot[other]:
            into[place] = other if target == NOWHERE else target
            helpers.setdefault(other, []).append(place)
    places = tuple(sorted([index[unit.at] for unit in units]))
    return Season(places, nation, goal, into, aimed, landing, afoot, tuple(builders), helpers, rulebook)


def is_by_canoe(board: Board, move: Move) -> bool:
    """Whether a move is made in a canoe-fleet: by its word, or because the War Party is afloat.

    Source: Indianomacy §6, ruling C5.
    """
    return move.canoe or is_afloat(board, move.unit)


def is_afloat(board: Board, piece: Piece) -> bool:
    """Whether a War Party is on the water; it sits in a canoe-fleet then."""
    return piece.kind == "W" and not board.is_land(piece.at)
