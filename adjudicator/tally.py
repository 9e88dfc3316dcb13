"""Which of the orders on file count for what is due, and which one holds the others up."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.protocol import Due, Game, Objection, Order


def usable(game: Game, state: Any, due: Due, filed: Sequence[Order]) -> tuple[Order, ...]:
    """The orders on file that serve this due now: accepted, lawful, no more queued than wanted.

    Orders with a slot all count; of those that queue, the first `takes`, up to the first unlawful one.
    """
    return tuple(order for order, objection in _judged(game, state, due, filed) if objection is None)


def holding_up(game: Game, state: Any, due: Due, filed: Sequence[Order]) -> tuple[Order, Objection] | None:
    """The queued order that is unlawful now, so that it and what comes after it wait, and why; or None."""
    for order, objection in _judged(game, state, due, filed):
        if order.slot is None and objection is not None:
            return order, objection
    return None


def accepted(due: Due, filed: Sequence[Order]) -> tuple[Order, ...]:
    """The orders on file of the kinds that this due wants, lawful or not."""
    return tuple(order for order in filed if type(order).__name__ in due.accepts)


def _judged(
    game: Game, state: Any, due: Due, filed: Sequence[Order]
) -> Iterator[tuple[Order, Objection | None]]:
    """The orders whose turn it is, with what is against them; no queued one after an unlawful one."""
    view = game.rules.view(state, due.seat)
    queued, blocked = 0, False
    for order in accepted(due, filed):
        if order.slot is None and (blocked or (due.takes is not None and queued >= due.takes)):
            continue
        objection = game.rules.check(view, due.seat, order)
        yield order, objection
        if order.slot is None:
            queued, blocked = queued + 1, objection is not None
