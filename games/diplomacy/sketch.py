"""Orders drawn before they are carried out: each as if it came about."""

from collections.abc import Iterator, Sequence

from games.diplomacy.events import Resolved, Result
from games.diplomacy.model import AnyOrder, Convoy, Move, SupportHold, SupportMove, View
from games.protocol import Seat


def sketch(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Resolved, ...]:
    """The moves, supports and convoys among some orders, as events by which lines are drawn."""
    return tuple(_resolved(view, seat, orders))


def _resolved(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> Iterator[Resolved]:
    went: Result = "retreated" if view.phase.kind == "R" else "moved"
    for order in orders:
        if isinstance(order, Move):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome=went)
        elif isinstance(order, SupportHold | SupportMove):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="supported")
        elif isinstance(order, Convoy):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="convoyed")
