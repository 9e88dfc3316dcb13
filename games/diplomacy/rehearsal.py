"""A movement season rehearsed: decided alone, and with another order for a unit."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from games.diplomacy.boards import Variant
from games.diplomacy.errands import Errand, errand, errands
from games.diplomacy.model import State, UnitOrder
from games.diplomacy.muster import muster
from games.diplomacy.resolver import Settled, decided
from games.diplomacy.variation import Theme


class Rehearsal:
    """Lawful orders for the units of a position: implements `protocol.optional.Rehearsal`."""

    def __init__(self, variant: Variant, state: State, orders: Iterable[UnitOrder]) -> None:
        self._board = variant.board
        self._muster = muster(variant.board, variant.rulebook, state.units)
        self._orders = errands(variant.board, {order.unit.at: order for order in orders})

    def decide(self) -> Settled:
        """The season decided, from the orders in numbers."""
        return decided(self._muster, self._orders)

    def ready(self, order: UnitOrder) -> Sequence[Errand]:
        """The order in numbers."""
        return [errand(self._board, order)]

    def vary(self, ready: Sequence[Errand]) -> Settled:
        """The season with another order for one unit, as a variation of it."""
        return self._theme.varied(ready)

    @cached_property
    def _theme(self) -> Theme:
        return Theme(self._muster, self._orders)
