"""Orders encoded as numbers, for the resolver and for callers that try many orders."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from games.diplomacy.adjudication import convoy_routes
from games.diplomacy.adjudication.convoy_routes import is_by_canoe
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.model import (
    Build,
    BuildCanoe,
    Convoy,
    Disband,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
)
from games.record import Value

# Provinces are small integers in this module: their place in board order.

EncodedOrder = tuple[int, int, int, int, str]
"""Whose it is, what it is, whom it helps, to where, to which coast: place, what, other, to, coast.

place: the province of the unit; what: one of the numbers below; other: the province of the unit that it
supports or convoys, NOWHERE for none; to: where that one is to go, or the unit itself, NOWHERE for who stays;
coast: of `to`, "" for any.
"""

WALKS, SAILS, PADDLES, SUPPORTS, CONVOYS, BUILDS, STAYS = range(7)
"""It goes on foot or as a fleet, by convoy if one carries it, in a canoe-fleet; it helps, builds a
canoe-fleet, or does nothing of all this. What goes but does not paddle is no more than SAILS."""

NOWHERE = -1


def encode_orders(board: Board, orders: Mapping[Province, UnitOrder]) -> list[EncodedOrder]:
    """Return lawful orders in numbers, by the provinces of their units; in board order."""
    return sorted([encode_order(board, order) for order in orders.values()])


def merge_orders(orders: Iterable[EncodedOrder], changes: Iterable[EncodedOrder]) -> list[EncodedOrder]:
    """Return orders with others for some units, which had one or had none, in board order."""
    by_place = {order[0]: order for order in (*orders, *changes)}
    return [by_place[place] for place in sorted(by_place)]


def encode_order(board: Board, order: UnitOrder) -> EncodedOrder:
    """Return a lawful order in numbers."""
    index = board.index
    place = index[order.unit.at]
    # What an order is, its type says: `isinstance` takes four times as long to say no.
    if type(order) is Move:
        to = index[order.to]
        if board.walker == "W" and is_by_canoe(board, order):
            return place, PADDLES, NOWHERE, to, ""
        if order.unit.kind == "A" and (order.via or not board.walks[place] >> to & 1):
            return place, SAILS, NOWHERE, to, ""
        return place, WALKS, NOWHERE, to, order.coast
    if type(order) is SupportMove:
        return place, SUPPORTS, index[order.other.at], index[order.to], order.coast
    if type(order) is SupportHold:
        return place, SUPPORTS, index[order.other.at], NOWHERE, ""
    if type(order) is Convoy:
        return place, CONVOYS, index[order.other.at], index[order.to], ""
    if type(order) is BuildCanoe:
        return place, BUILDS, NOWHERE, NOWHERE, ""
    if isinstance(order, Hold | Disband | Build):
        return place, STAYS, NOWHERE, NOWHERE, ""
    assert_never(order)


class IndexedPosition(Value, frozen=True, dict=True):
    """A position, prepared for the resolver.

    places: the provinces with units, in board order; nation: by province, whose unit stands there.
    """

    board: Board
    rulebook: Rulebook
    places: tuple[int, ...]
    nation: Sequence[str | None]

    def is_open(self, start: int, goal: int, fleets: int) -> bool:
        """Return whether the fleets, a set of bits, make a chain from one shore to another."""
        way = start, goal, fleets
        answer = self._chain_cache.get(way)
        if answer is None:
            answer = self._chain_cache[way] = convoy_routes.is_chain_open(
                self.board.waters, start, goal, fleets
            )
        return answer

    @cached_property
    def _chain_cache(self) -> dict[tuple[int, int, int], bool]:
        # Order sets of one position differ little, so that few chains are asked for, each many times.
        return {}


def index_position(board: Board, rulebook: Rulebook, units: Iterable[Unit]) -> IndexedPosition:
    """Return a position with all units on the board, given in any order."""
    index = board.index
    nation: list[str | None] = [None] * len(index)
    places = []
    for unit in units:
        place = index[unit.at]
        nation[place] = unit.power
        places.append(place)
    return IndexedPosition(board, rulebook, tuple(sorted(places)), nation)
