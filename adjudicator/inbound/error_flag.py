"""The error flag: lines of a letter that were rejected, and their effect on the saved orders."""

from collections.abc import Callable, Sequence

from adjudicator.model.filed_orders import Item, Untaken, is_gap, make_item, reject_line, slot_of, turn_of
from adjudicator.reports.verdict import BAD, fate, mark_of
from games.protocol import Order
from games.record import Value
from orders.verdict import LineVerdict

MAX_FLAGGED_LINES = 5
"""Of so many lines the words are kept, beside those that keep a place in a queue."""


class LetterRemarks(Value, frozen=True):
    """The content of a letter beside its orders. ready: that all is said;

    beyond: the lines that were not read.

    afresh: it is the gamesmaster's word and nobody's letter, so that no line of it is waited for.
    """

    ready: bool = False
    beyond: tuple[str, ...] = ()
    afresh: bool = False


NO_REMARKS = LetterRemarks()
"""Orders alone."""


class QueueRepair(Value, frozen=True):
    """The places in a queue on file that the lines of a letter take: as many as were rejected before.

    before: the orders that stand ahead of each of these places, back to the one before it.
    """

    before: tuple[tuple[Order, ...], ...] = ()

    def __bool__(self) -> bool:
        """Return whether it repairs anything."""
        return bool(self.before)


def is_rejected_line(row: LineVerdict) -> bool:
    """Return whether a line was rejected, so that its writer has to look at it again."""
    return mark_of(row) == BAD and not row.in_force and not row.quiet


def find_queue_repair(
    here: Sequence[Item], rows: Sequence[LineVerdict], queues: Callable[[LineVerdict], bool]
) -> QueueRepair:
    """Return the queue places that a letter repairs: those rejected, if it has as many lines for the queue.

    A letter that repeats what waits in the queue says what is to be played instead of all that. queues:
    whether a line is an order for the queue.
    """
    wanted = [row for row in rows if has_queue_place(row, queues)]
    gaps = sum(map(is_gap, here))
    if not gaps or len(wanted) != gaps or any(row.order in here for row in wanted):
        return QueueRepair()
    ahead: list[list[Order]] = [[]]
    for item in here:
        if is_gap(item):
            ahead.append([])
        elif isinstance(item, Order) and slot_of(item) is None:
            ahead[-1].append(item)
    return QueueRepair(tuple(map(tuple, ahead[:gaps])))


def items_to_file(
    here: Sequence[Item],
    rows: Sequence[LineVerdict],
    present: str,
    queues: Callable[[LineVerdict], bool],
    mended: QueueRepair,
) -> list[Item]:
    """Return what a letter puts on file: its orders in force, and in a queue its rejected lines.

    rows: as they were judged; mended: its lines stand in a queue on file, all of which is filed again.
    """
    queue = [row for row in rows if has_queue_place(row, queues)]
    with_gaps = any(row.in_force for row in queue)
    items: list[Item] = []
    places: list[Item] = []
    for row in rows:
        gap = with_gaps and is_rejected_line(row) and any(row is queued_row for queued_row in queue)
        item: Item | None = _flag_of(row, queued=True) if gap else None
        if item is None and row.in_force:
            item = make_item(row.order, row.when, present)
        if item is None:
            continue
        (places if mended and any(row is queued_row for queued_row in queue) else items).append(item)
    if not (mended and places):
        return items
    lines = iter(places)
    return [*items, *(next(lines, item) if is_gap(item) else item for item in here if _in_queue(item))]


def rejected_line_flags(
    rows: Sequence[LineVerdict], new: Sequence[Item], remarks: LetterRemarks, left_out: Sequence[Untaken]
) -> tuple[Item, ...]:
    """Return the rejected lines of a letter, but for those that keep a place in a queue.

    new: what it puts on file; left_out: orders on file that cannot be carried out beside the others.
    """
    if remarks.afresh:
        return ()
    gaps = {item.line for item in new if isinstance(item, Untaken)}
    lines = dict.fromkeys(_flag_of(row) for row in rows if is_rejected_line(row))
    own_flags = [flag for flag in lines if flag.line not in gaps]
    others = dict.fromkeys(reject_line(line) for line in remarks.beyond)
    return (*own_flags, *left_out, *others)[:MAX_FLAGGED_LINES]


def _flag_of(row: LineVerdict, *, queued: bool = False) -> Untaken:
    """A line that was not taken, with what is wrong with it and what to write."""
    again = fate(row)
    return reject_line(
        row.line,
        queued=queued,
        why=" ".join((*again.details,) or (again.outcome,)),
        instead=next(iter(again.instead), ""),
    )


def lines_told(rows: Sequence[LineVerdict]) -> frozenset[str]:
    """The lines and orders of which a letter's own rows say what is wrong, as they lie on file."""
    orders = (row.said for row in rows if row.left_out and row.said is not None)
    return frozenset((*orders, *(reject_line(row.line).line for row in rows if is_rejected_line(row))))


def without_flags(
    items: Sequence[Item], rows: Sequence[LineVerdict], remarks: LetterRemarks
) -> tuple[Item, ...]:
    """Return the items on file without the rejected lines of earlier letters: a new letter says them again.

    A letter without orders changes nothing of it. By READY, in a letter without rejected lines, all else
    counts. A place in a queue is kept until its queue is replaced.
    """
    if remarks.ready and not remarks.beyond and not any(map(is_rejected_line, rows)):
        return tuple(item for item in items if not isinstance(item, Untaken))
    if not (rows or remarks.beyond):
        return tuple(items)
    return tuple(item for item in items if not isinstance(item, Untaken) or item.queued)


def has_queue_place(row: LineVerdict, queues: Callable[[LineVerdict], bool]) -> bool:
    """Return whether a line stands in a queue: an order for it, or what was not read and may be one."""
    if row.when is not None and row.when.turn is not None:
        return False
    return (row.in_force and queues(row)) or (is_rejected_line(row) and (row.order is None or queues(row)))


def _in_queue(item: Item) -> bool:
    if isinstance(item, Untaken):
        return item.queued
    return slot_of(item) is None and turn_of(item) is None
