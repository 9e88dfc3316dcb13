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

# Provinces are small integers in this module: their index in board order.

EncodedOrder = tuple[int, int, int, int, str]
"""An order as (place, what, other, to, coast).

place: the province of the unit; what: one of the numbers below; other: the province of the supported or
convoyed unit, or NOWHERE; to: the goal of that unit, or of the unit itself, NOWHERE if it stays; coast: the
coast of `to`, "" for any.
"""

WALKS, SAILS, PADDLES, SUPPORTS, CONVOYS, BUILDS, STAYS = range(7)
"""The kinds of an encoded order. Moves on foot or by fleet are at most SAILS.

WALKS: a move on foot or by fleet; SAILS: a move by convoy, if a fleet convoys it; PADDLES: a move by
canoe-fleet; BUILDS: the building of a canoe-fleet; STAYS: all other orders.
"""

NOWHERE = -1


def encode_orders(board: Board, orders: Mapping[Province, UnitOrder]) -> list[EncodedOrder]:
    """Return legal orders in numbers, in board order. orders: by the province of the unit."""
    return sorted([encode_order(board, order) for order in orders.values()])


def merge_orders(orders: Iterable[EncodedOrder], changes: Iterable[EncodedOrder]) -> list[EncodedOrder]:
    """Return orders with changes for some units, in board order. A changed unit may have had no order."""
    by_place = {order[0]: order for order in (*orders, *changes)}
    return [by_place[place] for place in sorted(by_place)]


def encode_order(board: Board, order: UnitOrder) -> EncodedOrder:
    """Return a legal order in numbers."""
    index = board.index
    place = index[order.unit.at]
    # A comparison of types is four times as fast as `isinstance` if they differ.
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

    places: the provinces with units, in board order; nation: the owner of the unit in each province, by
    index.
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
            answer = self._chain_cache[way] = convoy_routes.is_chain_open(self.board, start, goal, fleets)
        return answer

    @cached_property
    def _chain_cache(self) -> dict[tuple[int, int, int], bool]:
        # Callers try similar orders for one position, so the same few chains are needed many times.
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
