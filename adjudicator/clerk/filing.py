"""From what a seat wrote to what it has on file: lawful or not, late or not, new or a repetition."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.clerk.identity import Seated
from adjudicator.clock import Millis
from adjudicator.referee.deadlines import is_in_grace, is_late
from games.protocol import Due, Game, Order
from games.record import changed
from orders.verdict import Verdict

COUNTED_LATE = "Your letter came after the deadline, but before the end of the grace: it counts."


@dataclass(frozen=True)
class Filed:
    """What becomes of a letter's orders: a row for each, all orders on file from now on, and remarks."""

    rows: tuple[Verdict, ...]
    orders: tuple[Order, ...]
    notes: tuple[str, ...] = ()


def file_orders(
    game: Game, seated: Seated, rows: Sequence[Verdict], before: tuple[Order, ...], received: Millis
) -> Filed:
    """Judge each order that was understood, and put those in force on file beside those of earlier letters.

    before: what the seat had on file; received: when the server took the letter. A row in force is replaced
    by a later one of the same slot that is in force too: the last lawful order for a unit counts.
    """
    position, seat = seated.position, seated.seat
    view = game.rules.view(position.state, seat)
    dues = tuple(due for due in game.rules.due(position.state) if due.seat == seat)
    judged = [_judge(game, seated, view, dues, changed(row, superseded=False), received) for row in rows]
    judged = _supersede(judged)
    new = [row.order for row in judged if row.in_force]
    after = merge(before, new)
    judged = [_repeats(row, before) for row in judged]
    notes = [COUNTED_LATE] if new and is_in_grace(position, received) else []
    if new:
        notes += [game.telling.advise(view, c).problem for c in game.rules.concerns(view, seat, after)]
    return Filed(rows=tuple(judged), orders=after, notes=tuple(notes))


def merge(before: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
    """What is on file after a letter: per slot the last order; the queue of the newest letter that has one.

    Slots first, then the queue, so that an order for a certain thing goes before "one more of the kind".
    """
    replaced = {order.slot for order in new}
    everything = [*(order for order in before if order.slot not in replaced), *new]
    return (
        *(order for order in everything if order.slot is not None),
        *(order for order in everything if order.slot is None),
    )


def _judge(
    game: Game, seated: Seated, view: object, dues: Sequence[Due], row: Verdict, received: Millis
) -> Verdict:
    if not row.in_force or row.order is None:
        return row
    position = seated.position
    if not position.running:
        return changed(row, grade="idle", problem="the game is over")
    if seated.stale is not None:
        why = f"it answers a letter of {seated.stale}, which is over; answer this letter to send it again"
        return changed(row, grade="late", problem=why)
    if is_late(position, received):
        return changed(row, grade="late", problem="the deadline and its grace are over")
    if not any(type(row.order).__name__ in due.accepts for due in dues):
        why = "no orders are due from you now" if not dues else f"only orders for {dues[0].kind} are due now"
        return changed(row, grade="idle", problem=why)
    objection = game.rules.check(view, seated.seat, row.order)
    if objection is None:
        return row
    advice = game.telling.advise(view, objection)
    return changed(row, grade="unlawful", problem=advice.problem, instead=advice.instead)


def _supersede(rows: Sequence[Verdict]) -> list[Verdict]:
    last = {row.order.slot: place for place, row in enumerate(rows) if row.in_force}
    return [
        changed(row, superseded=True)
        if row.in_force and row.order.slot is not None and last[row.order.slot] != place
        else row
        for place, row in enumerate(rows)
    ]


def _repeats(row: Verdict, before: Sequence[Order]) -> Verdict:
    """A taken order that was on file already changes nothing. Orders that queue are always said anew."""
    if row.in_force and row.grade == "taken" and row.order.slot is not None and row.order in before:
        return changed(row, grade="idle", problem="it is on file already")
    return row
