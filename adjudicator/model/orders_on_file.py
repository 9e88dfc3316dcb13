"""Saved orders: those that count for a due, those that stay saved, and those that are blocked."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from adjudicator.model.people import Line
from games.protocol import Condition, Due, Game, Objection, Order, Seat, State, View
from games.record import Record, Value, canonical, load, plain, replace_fields
from orders.conditions import NOW, When
from orders.reading import forms, lexicon
from orders.reading.replacements import Key, ReplacedOrders
from orders.reading.replacements import scope_key as key_of_scope

# A seat's saved orders: for now, with a condition or for a later turn, and rejected lines.


# Rule 1: an order without a condition or a turn is stored as itself; only others are put into a Filing. Rule
# 2: only `weigh` checks whether a condition is true or an order is legal.


_MAX_REJECTED_LINE_CHARS = 200
"""The maximum number of characters of a rejected line that are stored."""


class Filing(Record, frozen=True, kw_only=True, tag=True):
    """A saved order with the turn and the conditions that it depends on.

    order None: a STOP, which ends its queue while `when` is true. armed: for a STOP, that an order of its
    queue has run since. Before that it stops nothing, because its writer knew the position. For an order sent
    ahead, that NOWAIT was sent with it: it doesn't wait for a confirmation.
    """

    order: Any = None
    when: When
    armed: bool = False

    @property
    def is_stop(self) -> bool:
        """Return whether it is a STOP."""
        return self.order is None


class Untaken(Record, frozen=True, kw_only=True, tag=True):
    """A rejected line of a seat's latest email. While it is saved, no turn runs early.

    line: as the player wrote it. queued: it was among queued orders; it keeps its place, and the queue runs
    only up to it. left_out: it is a saved order, in written form, that can't run (or not completely) together
    with the others. why: the problem. instead: what to write.
    """

    line: Line
    queued: bool = False
    left_out: bool = False
    why: Line = ""
    instead: Line = ""


Item = Order | Filing | Untaken
"""One saved item."""


def make_item(order: Order | None, when: When | None, present: str) -> Item:
    """Return the item to save for an order (None: a STOP). present: the short name of the current turn."""
    when = when or NOW
    if when.turn == present:
        when = When(path=when.path)
    return order if order is not None and when == NOW else Filing(order=order, when=when)


def order_of(item: Item) -> Any:
    """Return the order of an item, or None for a STOP and a rejected line."""
    kind = type(item)
    if kind is Filing:
        return item.order  # type: ignore[union-attr]  # of that kind
    return None if kind is Untaken else item


def is_gap(item: Item) -> bool:
    """Return whether an item is a rejected line that keeps its place in a queue."""
    return isinstance(item, Untaken) and item.queued


def is_flag(item: Item) -> bool:
    """Return whether an item is a rejected line without a place in a queue."""
    return isinstance(item, Untaken) and not item.queued


def is_flagged(items: Sequence[Item]) -> bool:
    """Return whether a line of the newest email was rejected: the error flag."""
    return any(isinstance(item, Untaken) for item in items)


def reject_line(
    line: str, *, queued: bool = False, left_out: bool = False, why: str = "", instead: str = ""
) -> Untaken:
    """Return a rejected line as a saved item. A long line is cut."""
    suggestion = instead if len(instead) <= _MAX_REJECTED_LINE_CHARS else ""
    return Untaken(line=_cut(line), queued=queued, left_out=left_out, why=_cut(why), instead=suggestion)


def _cut(text: str) -> str:
    """Return a text on one line, shortened and without invisible characters."""
    plain = " ".join(text.split())
    if not plain.isprintable():
        plain = "".join(char for char in plain if char.isprintable())
    return plain if len(plain) <= _MAX_REJECTED_LINE_CHARS else f"{plain[: _MAX_REJECTED_LINE_CHARS - 1]}…"


def items_after_turn(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items that stay saved after their turn: rejected lines stay as long as an order."""
    return tuple(items) if any(order_of(item) is not None for item in items) else ()


def when_of(item: Item) -> When:
    """Return the turn and the conditions that an item depends on."""
    return item.when if type(item) is Filing else NOW


def turn_of(item: Item) -> str | None:
    """Return the coming turn that an item is for, or None for the current one."""
    return when_of(item).turn


def slot_of(item: Item) -> str | None:
    """Return the slot that an item is for, or None if it is queued."""
    order = order_of(item)
    return None if order is None else order.slot


def is_same(item: Item, other: Item) -> bool:
    """Return whether two items mean the same, wherever they were in their emails."""
    return order_of(item) == order_of(other) and when_of(item).scope == when_of(other).scope


def key_of(item: Item) -> Key:
    """Return a key: items for different slots, or with different turns or conditions, have different keys."""
    return key_of_scope(slot_of(item) or "", when_of(item))


def merge(before: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
    """Merge two emails: the last order per slot, and the queue of the later email that has one.

    Slots come first, then the queue, so that an order for a certain thing precedes "one more of this kind".
    An email with only STOP adds it to the saved queue.
    """
    kept = _earlier_items_to_keep(before, new) if before else []
    everything = (*kept, *new)
    return (
        *(item for item in everything if slot_of(item) is not None),
        *(item for item in everything if slot_of(item) is None),
    )


def _earlier_items_to_keep(before: Sequence[Item], new: Sequence[Item]) -> list[Item]:
    """Return the items of earlier emails that stay saved."""
    queues = {turn_of(item) for item in new if slot_of(item) is None and order_of(item) is not None}
    stops = {key_of(item) for item in new if isinstance(item, Filing) and item.is_stop}
    later = ReplacedOrders()
    for item in new:
        later.add(slot_of(item), when_of(item))
    return [
        item
        for item in before
        if not later.covers(slot_of(item), when_of(item))
        and not (slot_of(item) is None and turn_of(item) in queues)
        and not (isinstance(item, Filing) and item.is_stop and key_of(item) in stops)
    ]


def write_item(game: Game, item: Item) -> str:
    """Return an item on one line, ready to be sent again: ``IF NOT W DEL THEN W MHK - DEL ENDIF``.

    A rejected line becomes a remark.
    """
    if isinstance(item, Untaken):
        return f"# {'left out as it stands' if item.left_out else 'not taken'}: {item.line}"
    order, when = order_of(item), when_of(item)
    if order is not None:
        return when_to_write(order, when).around(game.notation.write(order))
    stop = When(path=when.path[-1:]).text
    return When(turn=when.turn, path=when.path[:-1]).around(f"STOP {stop}")


def when_to_write(order: Order, when: When) -> When:
    """Return an order's turn and conditions, without the turn in the order's own words."""
    names_turn = order.part is not None and (when.turn or "").endswith(order.part)
    return When(path=when.path) if names_turn else when


def pack_items(items: Sequence[Item]) -> tuple[Any, ...]:
    """Return the items as plain values; `unpack_items` reverses it."""
    return tuple(plain(item) for item in items)


def unpack_items(order_type: Any, values: Sequence[Any]) -> tuple[Item, ...]:
    """Return the items of plain values. order_type: the type of the game's orders. Raises Malformed."""
    # Through their bytes: the decoder's types are prepared once for bytes, but every time for plain values.
    return read_items(order_type, canonical(values))


def read_items(order_type: Any, data: bytes) -> tuple[Item, ...]:
    """Return the items from the canonical bytes of those values."""
    items: tuple[Item, ...] = load(_items_type(order_type), data)
    return tuple([_with_typed_order(order_type, item) if type(item) is Filing else item for item in items])


@cache
def _items_type(order_type: Any) -> Any:
    return tuple[order_type | Filing | Untaken, ...]


def _with_typed_order(order_type: Any, filing: Filing) -> Filing:
    """Return a filing with its order as this type: after loading, the order is a plain value."""
    order = None if filing.order is None else load(order_type, canonical(filing.order))
    return Filing(order=order, when=filing.when, armed=filing.armed)


class BlockedOrder(Value, frozen=True):
    """A saved order that can't run now. objection: the reason. stop: the STOP that blocks it.

    queued: it is the first of a queue and blocks the rest. order None: the rejected line `untaken`.
    """

    order: Order | None
    objection: Objection | None = None
    stop: Filing | None = None
    queued: bool = True
    untaken: Untaken | None = None


class OrdersInForce(Value, frozen=True):
    """A seat's saved items for one due.

    orders: those that count now. rest: what stays saved after they have run, for this and later turns. held:
    those that should count but can't. passed: queued orders that are dropped because their condition is
    false.
    """

    orders: tuple[Order, ...]
    rest: tuple[Item, ...]
    held: tuple[BlockedOrder, ...] = ()
    passed: tuple[Filing, ...] = ()


def accepted_items(game: Game, state: State, due: Due, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the saved items for this turn of the kinds that this due accepts, legal or not."""
    return tuple(
        item
        for item in present_items(game, state, filed)
        if _is_accepted(due, item) and not isinstance(item, Untaken)
    )


def queued_items(due: Due, now: Sequence[Item]) -> list[Item]:
    """Return the queued items for this due, and the rejected lines that keep a place among them.

    now: the items for the current turn, from `present_items`.
    """
    return [
        item
        for item in now
        if slot_of(item) is None
        and (is_gap(item) or (_is_accepted(due, item) and not isinstance(item, Untaken)))
    ]


def present_items(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the saved items for the current turn, whether they name it or not."""
    if Filing not in map(type, filed):  # as in most emails: no order has a condition or a coming turn
        return tuple(filed)
    turn = game.rules.turn(state).short
    return tuple(_drop_present_turn(item) for item in filed if turn_of(item) in (None, turn))


def bring_items_to_present(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the saved items. Those sent ahead for the current turn count as if they had been sent now."""
    if Filing not in map(type, filed):
        return tuple(filed)
    turn = game.rules.turn(state).short
    return tuple(_drop_present_turn(item) if turn_of(item) == turn else item for item in filed)


def is_sent_ahead(game: Game, state: State, due: Due, filed: Sequence[Item]) -> bool:
    """Return whether items for a waiting due were sent ahead: their player may want to look first."""
    turn = game.rules.turn(state).short
    ahead = [item for item in filed if turn_of(item) == turn and _is_accepted(due, item)]
    return due.waits and any(isinstance(item, Filing) and not item.armed for item in ahead)


def later_items(game: Game, state: State, filed: Sequence[Item]) -> tuple[Item, ...]:
    """Return the saved items for coming turns."""
    if Filing not in map(type, filed):
        return ()
    turn = game.rules.turn(state).short
    return tuple(item for item in filed if turn_of(item) not in (None, turn))


def orders_if_legal(game: Game, state: State, seat: Seat, filed: Sequence[Item]) -> tuple[Order, ...]:
    """Return the orders for this turn that would count if they were legal: all except those with a false
    IF."""
    context = _SeatOrders(game, game.rules.view(state, seat), seat)
    now = [item for item in present_items(game, state, filed) if order_of(item) is not None]
    return tuple(
        order_of(item) for item in now if slot_of(item) is None or when_of(item).holds(context.holds)
    )


def weigh(game: Game, state: State, due: Due, filed: Sequence[Item]) -> OrdersInForce:
    """Sort a seat's saved items by their effect on what it has due: orders, rest, blocked, dropped.

    For a unit, the last legal order with true conditions counts. The first `takes` queued orders count, up to
    the first illegal one. An IF is decided when its first order is next.
    """
    # A reply asks for this three times with the same values, so it is cached, by the identity of the values:
    # comparing states takes long.
    asked = game, state, due, filed
    key = tuple(map(id, asked))
    if (weighed := _weighed.get(key)) is not None:
        return weighed[1]
    now = present_items(game, state, filed)
    context = _SeatOrders(game, game.rules.view(state, due.seat), due.seat)
    chosen, unlawful = context.slots([item for item in now if slot_of(item) and _is_accepted(due, item)])
    queue = queued_items(due, now)
    taken, remaining, held, passed = context.queue(queue, due.takes)
    rest = [item for item in now if not any(item is in_queue for in_queue in queue)]
    in_force = OrdersInForce(
        orders=(*chosen, *taken),
        rest=(*rest, *remaining, *later_items(game, state, filed)),
        held=(*([held] if held else []), *unlawful, *context.misplaced_orders(state, due, filed)),
        passed=tuple(passed),
    )
    if isinstance(filed, tuple):  # a list could change
        if len(_weighed) >= _MAX_WEIGHED:
            _weighed.clear()
        _weighed[key] = asked, in_force
    return in_force


_MAX_WEIGHED = 8
_weighed: dict[tuple[int, ...], tuple[tuple[Any, ...], OrdersInForce]] = {}
"""Results of `weigh` by the ids of its arguments, which are kept beside them, so that no id is used again."""


def _drop_present_turn(item: Item) -> Item:
    """Return an item for the current turn without the turn's name."""
    if not isinstance(item, Filing) or item.when.turn is None:
        return item
    return _with_shorter_when(item, When(path=item.when.path))


def _with_shorter_when(item: Filing, when: When) -> Item:
    """Return an item with fewer conditions."""
    return item.order if when == NOW and not item.is_stop else replace_fields(item, when=when)


def _is_accepted(due: Due, item: Item) -> bool:
    order = order_of(item)
    return order is None or type(order).__name__ in due.accepts


class _SeatOrders(Value, frozen=True):
    """The orders of one seat, checked in one view of the game."""

    game: Game
    view: View
    seat: Seat

    def holds(self, condition: Condition) -> bool:
        return self.game.rules.holds(self.view, self.seat, condition)

    def slots(self, items: Sequence[Item]) -> tuple[list[Order], list[BlockedOrder]]:
        """Return the orders for certain units that count, and those sent ahead that are illegal by now."""
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
        """Return the orders from the front of a queue, its rest, its blocked order, and dropped orders."""
        queue, passed = list(items), list[Filing]()
        taken: list[Order] = []
        held: BlockedOrder | None = None
        while takes is None or len(taken) < takes:
            head, queue, over = self._decide_head(queue)
            passed += over
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
        """Return the orders sent ahead for this turn that are of a kind it doesn't accept."""
        if Filing not in map(type, items):
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

    def _decide_head(self, queue: list[Item]) -> tuple[Item | None, list[Item], list[Filing]]:
        """Decide the IF at the front of the queue: one branch stays, the others are dropped.

        Returns: the next item except STOP (an order or a rejected line), the queue, the dropped orders.
        """
        passed: list[Filing] = []
        while True:
            head = next((item for item in queue if order_of(item) is not None or is_gap(item)), None)
            if not isinstance(head, Filing):
                return head, queue, passed
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
"""The code of an objection by the service, not by a game: orders of another kind are due."""
