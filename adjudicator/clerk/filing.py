"""From what a seat wrote to what it has on file: lawful or not, late or not, new or a repetition."""

from collections.abc import Mapping, Sequence
from functools import partial

from adjudicator.catalogue import as_sentence, sentence
from adjudicator.clerk.assessment import Assessor, queues_up
from adjudicator.clerk.error_flag import (
    NOTHING_ELSE,
    Mending,
    Said,
    flags,
    has_place,
    mending,
    newly_filed,
    without_flags,
)
from adjudicator.clerk.identity import Seated
from adjudicator.clock import Millis
from adjudicator.ledger.filed_orders import (
    Filing,
    Item,
    Untaken,
    filed,
    is_flag,
    is_flagged,
    is_same,
    key_of,
    merge,
    slot_of,
    turn_of,
    untaken,
    when_of,
)
from adjudicator.ledger.orders_in_force import arrived, would_count
from adjudicator.ledger.positions import Position
from adjudicator.referee.deadlines import is_in_grace, is_late
from games.protocol import Advice, Concern, Due, Game, Order, State
from games.record import Value, changed
from orders.conditions import NOW
from orders.parsing.replacing import Key, Replaced, earlier_first
from orders.verdict import Verdict

MOST_ON_FILE = 1_000
"""So many orders of a seat are kept, those for later turns and those on conditions among them."""


class Filed(Value, frozen=True):
    """What becomes of a letter's orders: a row for each, all that is on file from now on, and remarks.

    flags: what of the newest letter was not taken, on file beside the orders, but for what stands among them;
    left_out: how many orders of earlier letters cannot be carried out beside its own.
    """

    rows: tuple[Verdict, ...]
    orders: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    flags: tuple[Item, ...] = ()
    left_out: int = 0

    @property
    def everything(self) -> tuple[Item, ...]:
        """All that is on file from now on."""
        return (*self.orders, *self.flags)

    @property
    def is_flagged(self) -> bool:
        """Whether a line of the newest letter was not taken."""
        return is_flagged(self.everything)


def file_orders(
    game: Game,
    seated: Seated,
    rows: Sequence[Verdict],
    before: tuple[Item, ...],
    received: Millis,
    *,
    hurried: bool = False,
    said: Said = NOTHING_ELSE,
) -> Filed:
    """Judge each order that was understood, and put those in force on file beside those of earlier letters.

    before: what the seat had on file; received: when the server took the letter. A row in force is replaced
    by a later one of the same slot that is in force too: the last lawful order for a unit counts. An order
    for a turn to come is taken as it is; whether it is lawful shows when that turn is due. hurried: NOWAIT
    was said, so that what was sent ahead is kept for nobody's look. said: what else the letter says, by which
    lines of it, or of an earlier one, that were not taken keep the turn from being played early.
    """
    position = seated.position
    here = arrived(game, position.state, before)
    queues = partial(queues_up, _dues(game, seated))
    mended = mending(here, rows, queues)
    present = game.rules.turn(position.state).short
    judged = _supersede(_judged(game, seated, here, rows, received, mended), present)
    kept = without_flags(here, judged, said)
    new = newly_filed(here, judged, present, queues, mended)
    after = merge(kept, new) if new or hurried else without_flags(before, judged, said)
    if len(after) > max(MOST_ON_FILE, len(here)):
        judged, new, after = [_too_many(row) if row.in_force else row for row in judged], [], before
    if hurried:
        after = tuple(changed(item, armed=True) if _is_ahead(item) else item for item in after)
    lying: dict[Key, list[Item]] = {}
    for item in here:
        lying.setdefault(key_of(item), []).append(item)
    judged = [_repeats(row, lying, present) for row in judged] if lying else judged
    judged = [_in_place(game, row, here) for row in judged]
    concerns = _concerns(game, seated, after) if new else ()
    left_out = _left_out(game, concerns) if concerns else []
    rows = [_marked(row, left_out) for row in judged] if left_out else judged
    # Nobody mends what came too late for this turn: it is played now.
    fresh = () if is_late(position, received) else flags(judged, after, said, left_out)
    shown = [row.said for row in rows if row.left_out]
    return Filed(
        rows=tuple(rows),
        orders=tuple(item for item in after if not is_flag(item)),
        notes=(
            *_late(position, received, judged, counts=bool(new)),
            *(one.advice.problem for one in concerns if not one.concern.drops),
        ),
        flags=(*(item for item in after if is_flag(item)), *fresh),
        left_out=sum(one.line not in shown for one in left_out),
    )


def _late(
    position: Position, received: Millis, judged: Sequence[Verdict], *, counts: bool
) -> tuple[str, ...]:
    """Return what is said of a letter that came after the deadline. counts: whether an order in it does."""
    wrong = any(not row.in_force and row.grade not in ("idle", "late") for row in judged)
    if is_in_grace(position, received) and (counts or wrong):
        return (sentence("clerk.filing.counted_late") if counts else sentence("clerk.filing.late_so_far"),)
    if is_late(position, received) and wrong:
        return (sentence("clerk.filing.too_late"),)
    return ()


def _dues(game: Game, seated: Seated) -> tuple[Due, ...]:
    """What is due from the seat."""
    return tuple(due for due in game.rules.due(seated.position.state) if due.seat == seated.seat)


def _judged(
    game: Game,
    seated: Seated,
    here: Sequence[Item],
    rows: Sequence[Verdict],
    received: Millis,
    mended: Mending,
) -> list[Verdict]:
    """The rows, each judged by what is said before it. mended: the places in the queue that they take."""
    assessor = Assessor.of(game, seated, received)
    judged, queues = list[Verdict](), list[tuple[Order, ...]]()
    queue = list[Order](mended.before[0] if mended else ())
    sooner = [item for item in here if isinstance(item, Order)]
    taken = 0
    for row in rows:
        fresh = _placed(game, seated.position.state, changed(row, superseded=False))
        judged.append(assessor.assessed(fresh, queue, sooner))
        queues.append(tuple(queue))
        # Of those that hang on an IF nobody knows which will be played.
        if judged[-1].in_force and judged[-1].when is None and judged[-1].order is not None:
            queue += [judged[-1].order] if queues_up(assessor.asked.dues, judged[-1]) else []
            sooner.append(judged[-1].order)
        if mended and has_place(row, partial(queues_up, assessor.asked.dues)):
            taken += 1
            queue += mended.before[taken] if taken < len(mended.before) else ()
    said = [row.order for row in judged if row.in_force and row.when is None and row.order is not None]
    return [assessor.suggesting(row, queue, said) for row, queue in zip(judged, queues, strict=True)]


class _Odd(Value, frozen=True):
    """A concern about what a seat has on file, how it is told, and the orders that it is about."""

    concern: Concern
    advice: Advice
    orders: tuple[Order, ...]


def _concerns(game: Game, seated: Seated, after: Sequence[Item]) -> tuple[_Odd, ...]:
    """What is odd about all that a seat has on file now."""
    state, seat = seated.position.state, seated.seat
    view = game.rules.view(state, seat)
    together = would_count(game, state, seat, after)
    return tuple(
        _Odd(one, game.telling.advise(view, one), tuple(together[place] for place in one.about))
        for one in game.rules.concerns(view, seat, together)
    )


def _left_out(game: Game, concerns: Sequence[_Odd]) -> list[Untaken]:
    """The orders that cannot be carried out beside the others, or not wholly: each once, with all reasons."""
    found: dict[str, list[Advice]] = {}
    for one in concerns:
        for order in one.orders if one.concern.drops else ():
            found.setdefault(game.notation.write(order), []).append(one.advice)
    return [
        untaken(
            text,
            left_out=True,
            why=" ".join(dict.fromkeys(as_sentence(one.problem) for one in advices)),
            instead=next((one.instead for one in advices if one.instead), ""),
        )
        for text, advices in found.items()
    ]


def _marked(row: Verdict, left_out: Sequence[Untaken]) -> Verdict:
    """A row of which the order cannot be carried out beside the others, with the reason."""
    flag = next((one for one in left_out if one.line == row.said), None)
    if flag is None or not row.in_force or row.stop:
        return row
    problem = flag.why if row.problem is None else f"{as_sentence(row.problem)} {flag.why}"
    return changed(row, left_out=True, problem=problem, instead=flag.instead or None)


def _in_place(game: Game, row: Verdict, here: Sequence[Item]) -> Verdict:
    """A row by which all the rest holds, with the order on file that it replaces."""
    if not (row.rest and row.in_force and row.when is None):
        return row
    before = [item for item in here if isinstance(item, Order) and slot_of(item) == row.order.slot]
    if not before or before[-1] == row.order:
        return row
    told = sentence("clerk.filing.in_place_of", order=game.notation.write(before[-1]))
    return changed(row, problem=told if row.problem is None else f"{row.problem}; {told}")


def _too_many(row: Verdict) -> Verdict:
    why = sentence("clerk.filing.too_many", most=MOST_ON_FILE)
    return changed(row, grade="unlawful", problem=why)


def _placed(game: Game, state: State, row: Verdict) -> Verdict:
    """The row under the turn to come that its order names by its own words, if a letter names no other."""
    part = row.order.part if row.order is not None else None
    when = row.when or NOW
    if part is None or when.turn is not None:
        return row
    turns = [turn.short for turn in game.rules.ahead(state)]
    turn = next((turn for turn in turns if turn.endswith(part)), turns[0])
    return row if turn == turns[0] else changed(row, when=changed(when, turn=turn))


def _is_ahead(item: Item) -> bool:
    """Whether it is an order for a turn to come."""
    return isinstance(item, Filing) and not item.is_stop and turn_of(item) is not None


def _supersede(rows: Sequence[Verdict], present: str) -> list[Verdict]:
    later, found = Replaced(), list(rows)
    for place in reversed(earlier_first(rows)):
        row = rows[place]
        item = filed(row.order, row.when, present) if row.in_force else None
        if item is not None and later.covers(slot_of(item), when_of(item)):
            found[place] = changed(row, superseded=True)
        elif item is not None:
            later.add(slot_of(item), when_of(item))
    return found


def _repeats(row: Verdict, before: Mapping[Key, Sequence[Item]], present: str) -> Verdict:
    """A taken order that was on file already changes nothing. Orders that queue are always said anew."""
    if row.in_force and row.grade == "taken":
        item = filed(row.order, row.when, present)
        if slot_of(item) is not None and any(is_same(item, one) for one in before.get(key_of(item), ())):
            return changed(row, grade="idle", problem=sentence("clerk.filing.on_file_already"))
    return row
