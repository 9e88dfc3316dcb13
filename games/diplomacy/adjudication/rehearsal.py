"""A movement season tried in variations: decided alone, and with another order for a unit."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from games.diplomacy.adjudication.encoded_orders import EncodedOrder, encode_order, encode_orders
from games.diplomacy.adjudication.muster import index_position
from games.diplomacy.adjudication.resolver import DecidedSeason, decide_encoded
from games.diplomacy.adjudication.variations import BaseSeason
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import State, UnitOrder


class WhatIfSeason:
    """Legal orders for the units of a position: implements `protocol.optional.BenchmarkPhase`."""

    def __init__(self, variant: Variant, state: State, orders: Iterable[UnitOrder]) -> None:
        self._board = variant.board
        self._muster = index_position(variant.board, variant.rulebook, state.units)
        self._orders = encode_orders(variant.board, {order.unit.at: order for order in orders})

    def decide(self) -> DecidedSeason:
        """Decide the season from the encoded orders."""
        return decide_encoded(self._muster, self._orders)

    def prepare(self, order: UnitOrder) -> Sequence[EncodedOrder]:
        """Return the order in numbers."""
        return [encode_order(self._board, order)]

    def vary(self, ready: Sequence[EncodedOrder]) -> DecidedSeason:
        """Decide the season with another order for one unit, as a variation of it."""
        return self._base.decide_variation(ready)

    @cached_property
    def _base(self) -> BaseSeason:
        return BaseSeason(self._muster, self._orders)
