"""Which of the orders on file count for what is due, what they leave, what holds others up."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from adjudicator.model.filed_orders import (
    Filing,
    Item,
    Untaken,
    has_conditional_items,
    is_gap,
    order_of,
    slot_of,
    turn_of,
    when_of,
)
from games.protocol import Condition, Due, Game, Objection, Order, Seat, State, View
from games.record import Value, canonical, replace_fields
from orders.conditions import NOW, When
from orders.reading import forms, lexicon


class BlockedOrder(Value, frozen=True):
    """An order on file that cannot be played now. objection: what is against it; stop: the STOP that holds.

    queued: it stands at the head of a queue, so that all behind it waits too. order None: that is the line
    `untaken`, which was not taken.
    """

    order: Order | None
    objection: Objection | None = None
    stop: Filing | None = None
    queued: bool = True
    untaken: Untaken | None = None


class OrdersInForce(Value, frozen=True):
    """The items on file as they count for one due.

    orders: those that count now; rest: what lies on file when they are played, for the same turn and later
    ones; held: those that should count and cannot; passed: those of a queue whose condition does not hold,
    so that they are left out for good.
    """

    orders: tuple[Order, ...]
    rest: tuple[Item, ...]
    held: tuple[BlockedOrder, ...] = ()
    passed: tuple[Filing, ...] = ()


def usable_orders(game: Game, state: State, due: Due, filed: Sequence[Item]) -> tuple[Order, ...]:
    """The orders on file that serve this due now: as `weigh` has them."""
    return weigh(game, state, due, filed).orders


def accepted_items(game: Game, state: State, due: Due, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items on file for this turn, of the kinds that this due accepts, legal or not."""
    return tuple(
        item
        for item in present_items(game, state, filed)
        if _is_accepted(due, item) and not isinstance(item, Untaken)
    )


def queued_items(game: Game, state: State, due: Due, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items that queue up on file for this due, and the rejected lines that keep a place there."""
    return tuple(_queue(due, present_items(game, state, filed)))


def present_items(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items on file for the present turn, whether they name it or not."""
    if not has_conditional_items(filed):
        return tuple(filed)
    turn = game.rules.turn(state).short
    return tuple(_drop_present_turn(item) for item in filed if turn_of(item) in (None, turn))


def bring_items_to_present(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items on file; those sent ahead for the present turn are as if they had been written now."""
    if not has_conditional_items(filed):
        return tuple(filed)
    turn = game.rules.turn(state).short
    return tuple(_drop_present_turn(item) if turn_of(item) == turn else item for item in filed)


def is_sent_ahead(game: Game, state: State, due: Due, filed: Sequence[Item]) -> bool:
    """Return whether items for a due that waits were sent ahead: their writer may want to look first."""
    turn = game.rules.turn(state).short
    ahead = [item for item in filed if turn_of(item) == turn and _is_accepted(due, item)]
    return due.waits and any(isinstance(item, Filing) and not item.armed for item in ahead)


def later_items(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items on file for turns to come."""
    if not has_conditional_items(filed):
        return ()
    turn = game.rules.turn(state).short
    return tuple(item for item in filed if turn_of(item) not in (None, turn))


def orders_if_legal(game: Game, state: State, seat: Seat, filed: Sequence[Item]) -> tuple[Order, ...]:
    """Return the orders for this turn that would count if they were legal: all but those whose IF fails."""
    desk = _SeatOrders(game, game.rules.view(state, seat), seat)
    now = [item for item in present_items(game, state, filed) if order_of(item) is not None]
    return tuple(order_of(item) for item in now if slot_of(item) is None or when_of(item).holds(desk.holds))


def weigh(game: Game, state: State, due: Due, filed: Sequence[Item]) -> OrdersInForce:
    """Weigh what a seat has on file against what is due from it.

    Of orders for a thing the last one counts that is lawful and whose conditions hold. Of those that queue,
    the first `takes` count, up to the first unlawful one; an IF is decided when its first order's turn comes.
    """
    if not isinstance(filed, tuple):
        return _weigh(game, state, due, filed)
    # For the answer to a letter it is asked three times of the same values, which never change.
    return _weigh_cached(*map(_ByIdentity, (game, state, due, filed)))


class _ByIdentity:
    """A value compared by identity, not by content: a state takes long to compare."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=8)
def _weigh_cached(
    game: _ByIdentity, state: _ByIdentity, due: _ByIdentity, filed: _ByIdentity
) -> OrdersInForce:
    return _weigh(game.value, state.value, due.value, filed.value)


def _weigh(game: Game, state: State, due: Due, filed: Sequence[Item]) -> OrdersInForce:
    now = present_items(game, state, filed)
    desk = _SeatOrders(game, game.rules.view(state, due.seat), due.seat)
    chosen, unlawful = desk.slots([item for item in now if slot_of(item) and _is_accepted(due, item)])
    queue = _queue(due, now)
    taken, remaining, held, passed = desk.queue(queue, due.takes)
    rest = [item for item in now if not any(item is in_queue for in_queue in queue)]
    return OrdersInForce(
        orders=(*chosen, *taken),
        rest=(*rest, *remaining, *later_items(game, state, filed)),
        held=(*([held] if held else []), *unlawful, *desk.misplaced_orders(state, due, filed)),
        passed=tuple(passed),
    )


def _drop_present_turn(item: Item) -> Item:
    """Return an item that names the present turn without that name."""
    if not isinstance(item, Filing) or item.when.turn is None:
        return item
    return _with_shorter_when(item, When(path=item.when.path))


def _with_shorter_when(item: Filing, when: When) -> Item:
    """Return an item that depends on less."""
    return item.order if when == NOW and not item.is_stop else replace_fields(item, when=when)


def _queue(due: Due, now: Sequence[Item]) -> list[Item]:
    return [
        item
        for item in now
        if slot_of(item) is None
        and (is_gap(item) or (_is_accepted(due, item) and not isinstance(item, Untaken)))
    ]


def _is_accepted(due: Due, item: Item) -> bool:
    order = order_of(item)
    return order is None or type(order).__name__ in due.accepts


def _head(queue: Sequence[Item]) -> Item | None:
    """Return the next item in a queue, STOP aside: an order, or a line that was rejected."""
    return next((item for item in queue if order_of(item) is not None or is_gap(item)), None)


class _SeatOrders(Value, frozen=True):
    """The orders of one seat, weighed in one view of the game."""

    game: Game
    view: View
    seat: Seat

    def holds(self, condition: Condition) -> bool:
        return self.game.rules.holds(self.view, self.seat, condition)

    def slots(self, items: Sequence[Item]) -> tuple[list[Order], list[BlockedOrder]]:
        """The orders for certain things: those that count, and those said ahead that are unlawful by now."""
        chosen: dict[str, Order] = {}
        unlawful = []
        for item in items:
            slot = slot_of(item)
            if slot is None or not when_of(item).holds(self.holds):
                continue
            order, objection = self._check_order(order_of(item))
            if objection is None:
                chosen.pop(slot, None)
                chosen[slot] = order
            else:
                unlawful.append(BlockedOrder(order, objection, queued=False))
        return list(chosen.values()), unlawful

    def queue(
        self, items: Sequence[Item], takes: int | None
    ) -> tuple[list[Order], list[Item], BlockedOrder | None, list[Filing]]:
        """Orders from the head of a queue, what stays in it, what holds it up, and what was passed over."""
        queue, passed = list(items), list[Filing]()
        taken: list[Order] = []
        held: BlockedOrder | None = None
        while takes is None or len(taken) < takes:
            queue, over = self._decide_head(queue)
            passed += over
            head = _head(queue)
            if head is None:
                break
            if isinstance(head, Untaken):
                held = BlockedOrder(None, untaken=head)
                break
            order, objection = self._check_order(order_of(head))
            stop = self._stop(queue)
            if stop or objection:
                held = BlockedOrder(order, objection, stop)
                break
            taken.append(order)
            queue = [item for item in queue if item is not head]
        if not any(order_of(item) is not None for item in queue):
            queue = []
        if taken:
            queue = [
                replace_fields(item, armed=True) if isinstance(item, Filing) and item.is_stop else item
                for item in queue
            ]
        return taken, queue, held, passed

    def misplaced_orders(self, state: State, due: Due, items: Sequence[Item]) -> list[BlockedOrder]:
        """Return the orders sent ahead for this turn of a kind that it does not accept."""
        if not has_conditional_items(items):
            return []
        dues = [seat_due for seat_due in self.game.rules.due(state) if seat_due.seat == self.seat]
        turn = self.game.rules.turn(state).short
        if due != dues[0]:
            return []
        objection = Objection(code=NOT_DUE, detail={"kind": due.kind})
        return [
            BlockedOrder(order_of(item), objection, queued=False)
            for item in items
            if turn_of(item) == turn and not any(_is_accepted(seat_due, item) for seat_due in dues)
        ]

    def _stop(self, queue: Sequence[Item]) -> Filing | None:
        return next(
            (
                item
                for item in queue
                if isinstance(item, Filing) and item.is_stop and item.armed and item.when.holds(self.holds)
            ),
            None,
        )

    def _decide_head(self, queue: list[Item]) -> tuple[list[Item], list[Filing]]:
        """Decide the IF at the head of the queue: one branch of it stays, the others are passed over."""
        passed: list[Filing] = []
        while True:
            head = _head(queue)
            if not isinstance(head, Filing):
                return queue, passed
            block, decided = head.when.path[0].block, list[Item]()
            for item in queue:
                if not isinstance(item, Filing) or item.is_stop or item.when.path[0].block != block:
                    decided.append(item)
                elif item.when.path[0].holds(self.holds):
                    decided.append(_with_shorter_when(item, When(path=item.when.path[1:])))
                else:
                    passed.append(item)
            queue = decided

    def _check_order(self, order: Order) -> tuple[Order, Objection | None]:
        """Check an order and return it with the objection. One sent ahead is read again if it fails."""
        objection = self.game.rules.check(self.view, self.seat, order)
        if objection is None:
            return order, None
        again = self._read_again(order)
        if again is None or self.game.rules.check(self.view, self.seat, again) is not None:
            return order, objection
        return again, None

    def _read_again(self, order: Order) -> Order | None:
        notation = self.game.notation
        names = lexicon.index_lexicon(notation.lexicon(self.view))
        matches = forms.match_text(notation.write(order), forms.compile_forms(tuple(notation.forms)), names)
        read = {
            canonical(reading): reading
            for reading in (notation.build(self.view, m.form.name, m.slots) for m in matches)
        }
        return next(iter(read.values())) if len(read) == 1 else None


NOT_DUE = "not-due"
"""The code of an objection that is the house's and no game's: orders of another kind are due."""
