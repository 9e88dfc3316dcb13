"""The orders on file at a seat: for now, with a condition or for a later turn, and rejected lines."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from adjudicator.model.bounds import Line
from games.protocol import Game, Order
from games.record import Record, canonical, load, plain
from orders.conditions import NOW, When
from orders.reading.replacements import Key, ReplacedOrders
from orders.reading.replacements import scope_key as key_of_scope

# Rule 1: an order that hangs on nothing lies here as itself; only others are put into a Filing.
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
    said = instead if len(instead) <= _MAX_REJECTED_LINE_CHARS else ""
    return Untaken(line=_cut(line), queued=queued, left_out=left_out, why=_cut(why), instead=said)


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
