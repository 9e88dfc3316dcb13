"""What a seat still has to say, and what it has said: the order sheet and the lists beside it."""

from collections.abc import Collection, Sequence
from typing import Any

from adjudicator.ledger import Position
from adjudicator.tally import holding_up, usable
from games.protocol import Due, Game, Order, Seat
from games.record import Record


class HeldUp(Record, frozen=True, kw_only=True):
    """An order on file that has become impossible, so that those queued after it wait: its text, and why."""

    order: str
    problem: str
    instead: str | None = None


class OnFile(Record, frozen=True, kw_only=True):
    """An order on file: what it is for, in words ("" for orders in a queue), and its canonical text.

    kept: it was on file before the letter that is being answered.
    """

    name: str
    order: str
    kept: bool = False


def sheet(game: Game, position: Position, seat: Seat) -> tuple[str, ...]:
    """The lines of a seat's order sheet for the present turn; empty when nothing is due from it."""
    dues = game.rules.due(position.state)
    return sheet_lines(game, position.state, dues, position.filed.get(seat, ()), seat)


def sheet_lines(
    game: Game, state: Any, dues: Sequence[Due], filed: Sequence[Order], seat: Seat
) -> tuple[str, ...]:
    """The canonical orders to print for a seat: those on file, and the defaults where it has given none.

    An order for a slot replaces the default of that slot; where a number of orders is wanted, defaults fill
    up what is left of it; orders in a queue come last.
    """
    orders = [order for due in dues if due.seat == seat for order in _filled(game, state, due, filed)]
    return tuple(game.notation.write(order) for order in orders)


def on_file(
    game: Game, state: Any, filed: Sequence[Order], seat: Seat, before: Collection[Order] = ()
) -> tuple[OnFile, ...]:
    """The orders that a seat has on file for what is due now; `before`: those it had already."""
    found = []
    for due in _own(game, state, seat):
        names = {owed.slot: owed.name for owed in due.owes}
        for order in _in_print_order(due, filed):
            name = names.get(order.slot, "") if order.slot else ""
            found.append(OnFile(name=name, order=game.notation.write(order), kept=order in before))
    return tuple(found)


def missing(game: Game, state: Any, filed: Sequence[Order], seat: Seat) -> tuple[str, ...]:
    """What a seat still owes, in a person's words: names of things, or how many orders of which kind."""
    found: list[str] = []
    for due in _own(game, state, seat):
        given = usable(game, state, due, filed)
        if due.takes is None:
            slots = {order.slot for order in given}
            found += [owed.name for owed in due.owes if owed.slot not in slots]
        elif len(given) < due.takes:
            left = due.takes - len(given)
            found.append(f"{left} {'order' if left == 1 else 'orders'} for {due.kind}")
    return tuple(found)


def held_up(game: Game, state: Any, filed: Sequence[Order], seat: Seat) -> tuple[HeldUp, ...]:
    """The queued orders of a seat that keep those behind them from being played."""
    view = game.rules.view(state, seat)
    found = []
    for due in _own(game, state, seat):
        held = holding_up(game, state, due, filed)
        if held is not None:
            advice = game.telling.advise(view, held[1])
            text = game.notation.write(held[0])
            found.append(HeldUp(order=text, problem=advice.problem, instead=advice.instead))
    return tuple(found)


def _own(game: Game, state: Any, seat: Seat) -> list[Due]:
    return [due for due in game.rules.due(state) if due.seat == seat]


def _filled(game: Game, state: Any, due: Due, filed: Sequence[Order]) -> list[Order]:
    given = _in_print_order(due, filed)
    defaults = list(game.rules.default(state, due))
    slots = {order.slot for order in given if order.slot is not None}
    spare = [order for order in defaults if order.slot not in slots]
    if due.takes is not None:
        return given + spare[: max(0, due.takes - len(given))]
    if any(order.slot is None for order in given):
        spare = [order for order in spare if order.slot is not None]
    return _sorted(due, given + spare)


def _in_print_order(due: Due, filed: Sequence[Order]) -> list[Order]:
    return _sorted(due, [order for order in filed if type(order).__name__ in due.accepts])


def _sorted(due: Due, orders: list[Order]) -> list[Order]:
    """In the order of what is owed; then other slots and queues as they were given."""
    rank = {owed.slot: place for place, owed in enumerate(due.owes)}
    return sorted(orders, key=lambda order: rank.get(order.slot or "", len(rank)))
