"""The error flag: lines of a letter that were not taken, and what that does to what is on file."""

from collections.abc import Callable, Sequence

from adjudicator.ledger.filed_orders import (
    Item,
    Untaken,
    filed,
    is_gap,
    slot_of,
    turn_of,
    untaken,
)
from adjudicator.reports.transcript import BAD, fate, mark_of
from games.protocol import Order
from games.record import Value
from orders.verdict import Verdict

MOST_NAMED = 5
"""Of so many lines the words are kept, beside those that keep a place in a queue."""


class Said(Value, frozen=True):
    """What a letter says beside its orders. ready: that all is said; beyond: the lines that were not read.

    afresh: it is the gamesmaster's word and nobody's letter, so that no line of it is waited for.
    """

    ready: bool = False
    beyond: tuple[str, ...] = ()
    afresh: bool = False


NOTHING_ELSE = Said()
"""Orders alone."""


class Mending(Value, frozen=True):
    """The places in a queue on file that the lines of a letter take: as many as were not taken before.

    before: the orders that stand ahead of each of these places, back to the one before it.
    """

    before: tuple[tuple[Order, ...], ...] = ()

    def __bool__(self) -> bool:
        """Whether it mends anything."""
        return bool(self.before)


def is_bad(row: Verdict) -> bool:
    """Whether a line was not taken, so that its writer has to look at it again."""
    return mark_of(row) == BAD and not row.in_force and not row.quiet


def mending(here: Sequence[Item], rows: Sequence[Verdict], queues: Callable[[Verdict], bool]) -> Mending:
    """What a letter mends: with as many lines for the queue as lines of it were not taken, just those.

    Who says again what waits in it already says what is to be played instead of all that. queues: whether a
    line is an order for the queue.
    """
    wanted = [row for row in rows if has_place(row, queues)]
    gaps = sum(map(is_gap, here))
    if not gaps or len(wanted) != gaps or any(row.order in here for row in wanted):
        return Mending()
    ahead: list[list[Order]] = [[]]
    for item in here:
        if is_gap(item):
            ahead.append([])
        elif isinstance(item, Order) and slot_of(item) is None:
            ahead[-1].append(item)
    return Mending(tuple(map(tuple, ahead[:gaps])))


def newly_filed(
    here: Sequence[Item],
    rows: Sequence[Verdict],
    present: str,
    queues: Callable[[Verdict], bool],
    mended: Mending,
) -> list[Item]:
    """What a letter puts on file: its orders in force, and in a queue the lines that were not taken.

    rows: as they were judged; mended: its lines stand in a queue on file, all of which is filed again.
    """
    queue = [row for row in rows if has_place(row, queues)]
    with_gaps = any(row.in_force for row in queue)
    found: list[Item] = []
    places: list[Item] = []
    for row in rows:
        gap = with_gaps and is_bad(row) and any(row is one for one in queue)
        item: Item | None = _flag_of(row, queued=True) if gap else None
        if item is None and row.in_force:
            item = filed(row.order, row.when, present)
        if item is None:
            continue
        (places if mended and any(row is one for one in queue) else found).append(item)
    if not (mended and places):
        return found
    lines = iter(places)
    return [*found, *(next(lines, item) if is_gap(item) else item for item in here if _in_queue(item))]


def flags(
    rows: Sequence[Verdict], new: Sequence[Item], said: Said, left_out: Sequence[Untaken]
) -> tuple[Item, ...]:
    """The lines of a letter that were not taken, but for those that keep a place in a queue.

    new: what it puts on file; left_out: orders on file that cannot be carried out beside the others.
    """
    if said.afresh:
        return ()
    gaps = {item.line for item in new if isinstance(item, Untaken)}
    lines = dict.fromkeys(_flag_of(row) for row in rows if is_bad(row))
    found = [one for one in lines if one.line not in gaps]
    others = dict.fromkeys(untaken(line) for line in said.beyond)
    return (*found, *left_out, *others)[:MOST_NAMED]


def _flag_of(row: Verdict, *, queued: bool = False) -> Untaken:
    """A line that was not taken, with what is wrong with it and what to write."""
    again = fate(row)
    return untaken(
        row.line,
        queued=queued,
        why=" ".join((*again.details,) or (again.outcome,)),
        instead=next(iter(again.instead), ""),
    )


def lines_told(rows: Sequence[Verdict]) -> frozenset[str]:
    """The lines and orders of which a letter's own rows say what is wrong, as they lie on file."""
    orders = (row.said for row in rows if row.left_out and row.said is not None)
    return frozenset((*orders, *(untaken(row.line).line for row in rows if is_bad(row))))


def without_flags(items: Sequence[Item], rows: Sequence[Verdict], said: Said) -> tuple[Item, ...]:
    """What was on file, without what earlier letters had that was not taken: a new one says it anew.

    A letter that orders nothing changes nothing of it. By READY, in one where all is taken, all else counts.
    A place in a queue is kept until its queue is replaced.
    """
    if said.ready and not said.beyond and not any(map(is_bad, rows)):
        return tuple(item for item in items if not isinstance(item, Untaken))
    if not (rows or said.beyond):
        return tuple(items)
    return tuple(item for item in items if not isinstance(item, Untaken) or item.queued)


def has_place(row: Verdict, queues: Callable[[Verdict], bool]) -> bool:
    """Whether a line stands in a queue: an order for it, or what was not read and may be one."""
    if row.when is not None and row.when.turn is not None:
        return False
    return (row.in_force and queues(row)) or (is_bad(row) and (row.order is None or queues(row)))


def _in_queue(item: Item) -> bool:
    if isinstance(item, Untaken):
        return item.queued
    return slot_of(item) is None and turn_of(item) is None
