"""Which of the orders on file count for what is due, what they leave, what holds others up."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from adjudicator.model.people import Line
from games.protocol import Condition, Due, Game, Objection, Order, Seat, State, View
from games.record import Record, Value, canonical, load, plain, replace_fields
from orders.conditions import NOW, When
from orders.reading import forms, lexicon
from orders.reading.replacements import Key, ReplacedOrders
from orders.reading.replacements import scope_key as key_of_scope

# The orders on file at a seat: for now, with a condition or for a later turn, and rejected lines.


# Rule 1: an order without a condition or a turn is stored as itself; only others are put into a Filing.
# Rule 2: nothing here asks whether anything holds or is lawful; that is `orders_in_force`.


_MAX_REJECTED_LINE_CHARS = 200
"""So many signs of a line that was not taken are kept."""


class Filing(Record, frozen=True, kw_only=True, tag=True):
    """An order on file with the turn and the conditions that it depends on.

    order None: a STOP, at which the queue that it stands in is played no further while `when` holds. armed:
    of a STOP, that an order of that queue has been played since; before that it stops nothing, for its writer
    saw the position. Of an order sent ahead, that NOWAIT was said with it: it waits for nobody's look.
    """

    order: Any = None
    when: When
    armed: bool = False

    @property
    def is_stop(self) -> bool:
        """Return whether it is a STOP."""
        return self.order is None


class Untaken(Record, frozen=True, kw_only=True, tag=True):
    """A line of a seat's newest letter that was not taken: while it lies here, no turn is played early.

    line: as its writer wrote it. queued: it stood among orders of a queue, which keeps its place and is
    played no further than to it. left_out: it is an order on file, as it is written, which cannot be carried
    out beside the others, or not wholly. why: what is wrong with it; instead: what to write.
    """

    line: Line
    queued: bool = False
    left_out: bool = False
    why: Line = ""
    instead: Line = ""


Item = Order | Filing | Untaken
"""One thing on file."""


def make_item(order: Order | None, when: When | None, present: str) -> Item:
    """Return the item to put on file for an order (None: a STOP). present: the short name of the turn due."""
    when = when or NOW
    if when.turn == present:
        when = When(path=when.path)
    return order if order is not None and when == NOW else Filing(order=order, when=when)


def order_of(item: Item) -> Any:
    """The order of an item, None for a STOP and for a line that was not taken."""
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
    """Return whether a line of the newest letter was rejected: the error flag."""
    return any(isinstance(item, Untaken) for item in items)


def reject_line(
    line: str, *, queued: bool = False, left_out: bool = False, why: str = "", instead: str = ""
) -> Untaken:
    """Return a rejected line as an item on file. A long line is cut."""
    suggestion = instead if len(instead) <= _MAX_REJECTED_LINE_CHARS else ""
    return Untaken(line=_cut(line), queued=queued, left_out=left_out, why=_cut(why), instead=suggestion)


def _cut(text: str) -> str:
    """A text on one line that is not too long, without what is not to be seen."""
    plain = " ".join(text.split())
    if not plain.isprintable():
        plain = "".join(char for char in plain if char.isprintable())
    return plain if len(plain) <= _MAX_REJECTED_LINE_CHARS else f"{plain[: _MAX_REJECTED_LINE_CHARS - 1]}…"


def items_after_turn(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items that stay on file after their turn: rejected lines stay as long as an order."""
    return tuple(items) if any(order_of(item) is not None for item in items) else ()


def when_of(item: Item) -> When:
    """Return the turn and the conditions that an item depends on."""
    return item.when if type(item) is Filing else NOW


def has_conditional_items(items: Sequence[Item]) -> bool:
    """Return whether an item depends on a condition or a turn to come: mostly none does."""
    return Filing in set(map(type, items))


def turn_of(item: Item) -> str | None:
    """The turn to come that an item is for; None: the present one."""
    return when_of(item).turn


def slot_of(item: Item) -> str | None:
    """Return the slot that an item is for; None if it stands in a queue."""
    order = order_of(item)
    return None if order is None else order.slot


def is_same(item: Item, other: Item) -> bool:
    """Return whether two items say the same, wherever in their letters they stood."""
    return order_of(item) == order_of(other) and when_of(item).scope == when_of(other).scope


def key_of(item: Item) -> Key:
    """Return a key: items for different slots, or with different turns or conditions, have different keys."""
    return key_of_scope(slot_of(item) or "", when_of(item))


def merge(before: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
    """Merge two letters: per slot the last order; the queue of the newest letter that has one.

    Slots first, then the queue, so that an order for a certain thing goes before "one more of the kind". A
    letter that only says STOP adds that to the queue on file.
    """
    kept = _earlier_items_to_keep(before, new) if before else []
    everything = (*kept, *new)
    return (
        *(item for item in everything if slot_of(item) is not None),
        *(item for item in everything if slot_of(item) is None),
    )


def _earlier_items_to_keep(before: Sequence[Item], new: Sequence[Item]) -> list[Item]:
    """Return the items of earlier letters that stay on file."""
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
    """Return an item on one line, as it can be sent again: ``IF NOT W DEL THEN W MHK - DEL ENDIF``.

    A line that was not taken stands there as a remark.
    """
    if isinstance(item, Untaken):
        return f"# {'left out as it stands' if item.left_out else 'not taken'}: {item.line}"
    order, when = order_of(item), when_of(item)
    if order is not None:
        return when_to_write(order, when).around(game.notation.write(order))
    stop = When(path=when.path[-1:]).text
    return When(turn=when.turn, path=when.path[:-1]).around(f"STOP {stop}")


def when_to_write(order: Order, when: When) -> When:
    """Return the turn and the conditions of an order, without the turn that its own words say."""
    names_turn = order.part is not None and (when.turn or "").endswith(order.part)
    return When(path=when.path) if names_turn else when


def pack_items(items: Sequence[Item]) -> tuple[Any, ...]:
    """Return the items as plain values; `unpack_items` reverses it."""
    return tuple(plain(item) for item in items)


def unpack_items(order_type: Any, values: Sequence[Any]) -> tuple[Item, ...]:
    """Return the items of plain values. order_type: the type of the game's orders. Raises Malformed."""
    # By way of their bytes: types are prepared once for those, for plain values each time anew.
    return read_items(order_type, canonical(values))


def read_items(order_type: Any, data: bytes) -> tuple[Item, ...]:
    """Return the items of the canonical bytes of those values."""
    items: tuple[Item, ...] = load(_items_type(order_type), data)
    return tuple([_with_typed_order(order_type, item) if type(item) is Filing else item for item in items])


@cache
def _items_type(order_type: Any) -> Any:
    return tuple[order_type | Filing | Untaken, ...]


def _with_typed_order(order_type: Any, filing: Filing) -> Filing:
    """Return a filing with its order as that type: once read, the order is a plain value."""
    order = None if filing.order is None else load(order_type, canonical(filing.order))
    return Filing(order=order, when=filing.when, armed=filing.armed)


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
    context = _SeatOrders(game, game.rules.view(state, seat), seat)
    now = [item for item in present_items(game, state, filed) if order_of(item) is not None]
    return tuple(
        order_of(item) for item in now if slot_of(item) is None or when_of(item).holds(context.holds)
    )


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
    context = _SeatOrders(game, game.rules.view(state, due.seat), due.seat)
    chosen, unlawful = context.slots([item for item in now if slot_of(item) and _is_accepted(due, item)])
    queue = _queue(due, now)
    taken, remaining, held, passed = context.queue(queue, due.takes)
    rest = [item for item in now if not any(item is in_queue for in_queue in queue)]
    return OrdersInForce(
        orders=(*chosen, *taken),
        rest=(*rest, *remaining, *later_items(game, state, filed)),
        held=(*([held] if held else []), *unlawful, *context.misplaced_orders(state, due, filed)),
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
"""The code of an objection that is the service's and no game's: orders of another kind are due."""
