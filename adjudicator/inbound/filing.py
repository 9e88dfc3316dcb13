"""Filing orders: which rows of a letter are legal and in time, and what is saved for the seat."""

from collections.abc import Mapping, Sequence
from functools import partial

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.inbound.assessment import OrderAssessor, is_queued_order
from adjudicator.inbound.error_flag import (
    NO_REMARKS,
    LetterRemarks,
    QueueRepair,
    find_queue_repair,
    has_queue_place,
    items_to_file,
    rejected_line_flags,
    without_flags,
)
from adjudicator.messages import as_sentence, sentence
from adjudicator.model.filed_orders import (
    Filing,
    Item,
    Untaken,
    is_flag,
    is_flagged,
    is_same,
    key_of,
    make_item,
    merge,
    reject_line,
    slot_of,
    turn_of,
    when_of,
)
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import bring_items_to_present, orders_if_legal
from adjudicator.turns.deadlines import is_in_grace, is_late
from games.protocol import Advice, Concern, Due, Game, Order, State
from games.record import Value, replace_fields
from orders.conditions import NOW
from orders.reading.replacements import Key, ReplacedOrders, earlier_first
from orders.verdict import LineVerdict

MAX_ORDERS_ON_FILE = 1_000
"""So many orders of a seat are kept, those for later turns and those on conditions among them."""


class FilingResult(Value, frozen=True):
    """The result of filing a letter's orders: a row for each, all that is on file from now on, and remarks.

    flags: what of the newest letter was rejected, on file beside the orders, but for what stands among
    them; left_out: how many parts of its orders would be left out.
    """

    rows: tuple[LineVerdict, ...]
    orders: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    flags: tuple[Item, ...] = ()
    left_out: int = 0

    @property
    def everything(self) -> tuple[Item, ...]:
        """Return all that is on file from now on."""
        return (*self.orders, *self.flags)

    @property
    def is_flagged(self) -> bool:
        """Return whether a line of the newest letter was rejected."""
        return is_flagged(self.everything)


def file_orders(
    game: Game,
    seated: AuthenticatedSeat,
    rows: Sequence[LineVerdict],
    before: tuple[Item, ...],
    received: Millis,
    *,
    hurried: bool = False,
    remarks: LetterRemarks = NO_REMARKS,
) -> FilingResult:
    """Judge each order that was understood, and save those in force beside those of earlier letters.

    before: what the seat had on file; received: when the server took the letter. A row in force is
    replaced by a later one of the same slot that is in force too: the last legal order for a unit counts.
    An order for a turn to come is accepted as it is; whether it is legal shows when that turn is due.
    hurried: NOWAIT was said, so that what was sent ahead is kept for nobody's look. remarks: what else
    the letter says, by which rejected lines of it, or of an earlier one, keep the turn from being
    processed early.
    """
    position = seated.position
    here = bring_items_to_present(game, position.state, before)
    queues = partial(is_queued_order, _dues(game, seated))
    mended = find_queue_repair(here, rows, queues)
    present = game.rules.turn(position.state).short
    judged = _supersede(_judge_rows(game, seated, here, rows, received, mended), present)
    kept = without_flags(here, judged, remarks)
    new = items_to_file(here, judged, present, queues, mended)
    after = merge(kept, new) if new or hurried else without_flags(before, judged, remarks)
    if len(after) > max(MAX_ORDERS_ON_FILE, len(here)):
        judged, new, after = [_reject_as_too_many(row) if row.in_force else row for row in judged], [], before
    if hurried:
        after = tuple(replace_fields(item, armed=True) if _is_ahead(item) else item for item in after)
    lying: dict[Key, list[Item]] = {}
    for item in here:
        lying.setdefault(key_of(item), []).append(item)
    judged = [_mark_repetition(row, lying, present) for row in judged] if lying else judged
    judged = [_name_replaced_order(game, row, here) for row in judged]
    concerns = _find_concerns(game, seated, after) if new else ()
    left_out = _left_out(game, concerns) if concerns else []
    rows = [_marked(row, left_out) for row in judged] if left_out else judged
    # Nobody mends what came too late for this turn: it is played now.
    fresh = () if is_late(position, received) else rejected_line_flags(judged, after, remarks, left_out)
    shown = [row.said for row in rows if row.left_out]
    return FilingResult(
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
    position: GamePosition, received: Millis, judged: Sequence[LineVerdict], *, counts: bool
) -> tuple[str, ...]:
    """Return what is said of a letter that came after the deadline. counts: whether an order in it does."""
    wrong = any(not row.in_force and row.grade not in ("idle", "late") for row in judged)
    if is_in_grace(position, received) and (counts or wrong):
        return (sentence("clerk.filing.counted_late") if counts else sentence("clerk.filing.late_so_far"),)
    if is_late(position, received) and wrong:
        return (sentence("clerk.filing.too_late"),)
    return ()


def _dues(game: Game, seated: AuthenticatedSeat) -> tuple[Due, ...]:
    """Return what is due from the seat."""
    return tuple(due for due in game.rules.due(seated.position.state) if due.seat == seated.seat)


def _judge_rows(
    game: Game,
    seated: AuthenticatedSeat,
    here: Sequence[Item],
    rows: Sequence[LineVerdict],
    received: Millis,
    mended: QueueRepair,
) -> list[LineVerdict]:
    """Return the rows, each judged by what is said before it.

    mended: the places in the queue that they take.
    """
    assessor = OrderAssessor.of(game, seated, received)
    judged, queues = list[LineVerdict](), list[tuple[Order, ...]]()
    queue = list[Order](mended.before[0] if mended else ())
    sooner = [item for item in here if isinstance(item, Order)]
    taken = 0
    for row in rows:
        fresh = _place_under_named_turn(game, seated.position.state, replace_fields(row, superseded=False))
        judged.append(assessor.assess(fresh, queue, sooner))
        queues.append(tuple(queue))
        # Of those that hang on an IF nobody knows which will be played.
        if judged[-1].in_force and judged[-1].when is None and judged[-1].order is not None:
            queue += [judged[-1].order] if is_queued_order(assessor.asked.dues, judged[-1]) else []
            sooner.append(judged[-1].order)
        if mended and has_queue_place(row, partial(is_queued_order, assessor.asked.dues)):
            taken += 1
            queue += mended.before[taken] if taken < len(mended.before) else ()
    present_orders = [
        row.order for row in judged if row.in_force and row.when is None and row.order is not None
    ]
    return [
        assessor.add_suggestions(row, queue, present_orders)
        for row, queue in zip(judged, queues, strict=True)
    ]


class _Odd(Value, frozen=True):
    """A concern about what a seat has on file, how it is told, and the orders that it is about."""

    concern: Concern
    advice: Advice
    orders: tuple[Order, ...]


def _find_concerns(game: Game, seated: AuthenticatedSeat, after: Sequence[Item]) -> tuple[_Odd, ...]:
    """Return what is odd about all that a seat has on file now, each with its text."""
    state, seat = seated.position.state, seated.seat
    view = game.rules.view(state, seat)
    together = orders_if_legal(game, state, seat, after)
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
        reject_line(
            text,
            left_out=True,
            why=" ".join(dict.fromkeys(as_sentence(one.problem) for one in advices)),
            instead=next((one.instead for one in advices if one.instead), ""),
        )
        for text, advices in found.items()
    ]


def _marked(row: LineVerdict, left_out: Sequence[Untaken]) -> LineVerdict:
    """A row of which the order cannot be carried out beside the others, with the reason."""
    flag = next((one for one in left_out if one.line == row.said), None)
    if flag is None or not row.in_force or row.stop:
        return row
    problem = flag.why if row.problem is None else f"{as_sentence(row.problem)} {flag.why}"
    return replace_fields(row, left_out=True, problem=problem, instead=flag.instead or None)


def _name_replaced_order(game: Game, row: LineVerdict, here: Sequence[Item]) -> LineVerdict:
    """Add to a row by which all the rest holds the order on file that it replaces."""
    if not (row.rest and row.in_force and row.when is None):
        return row
    before = [item for item in here if isinstance(item, Order) and slot_of(item) == row.order.slot]
    if not before or before[-1] == row.order:
        return row
    note = sentence("clerk.filing.in_place_of", order=game.notation.write(before[-1]))
    return replace_fields(row, problem=note if row.problem is None else f"{row.problem}; {note}")


def _reject_as_too_many(row: LineVerdict) -> LineVerdict:
    why = sentence("clerk.filing.too_many", most=MAX_ORDERS_ON_FILE)
    return replace_fields(row, grade="unlawful", problem=why)


def _place_under_named_turn(game: Game, state: State, row: LineVerdict) -> LineVerdict:
    """Place a row under the turn to come that its order's own words name, if the letter names no other."""
    part = row.order.part if row.order is not None else None
    when = row.when or NOW
    if part is None or when.turn is not None:
        return row
    turns = [turn.short for turn in game.rules.ahead(state)]
    turn = next((turn for turn in turns if turn.endswith(part)), turns[0])
    return row if turn == turns[0] else replace_fields(row, when=replace_fields(when, turn=turn))


def _is_ahead(item: Item) -> bool:
    """Return whether it is an order for a turn to come."""
    return isinstance(item, Filing) and not item.is_stop and turn_of(item) is not None


def _supersede(rows: Sequence[LineVerdict], present: str) -> list[LineVerdict]:
    later, updated_rows = ReplacedOrders(), list(rows)
    for place in reversed(earlier_first(rows)):
        row = rows[place]
        item = make_item(row.order, row.when, present) if row.in_force else None
        if item is not None and later.covers(slot_of(item), when_of(item)):
            updated_rows[place] = replace_fields(row, superseded=True)
        elif item is not None:
            later.add(slot_of(item), when_of(item))
    return updated_rows


def _mark_repetition(row: LineVerdict, before: Mapping[Key, Sequence[Item]], present: str) -> LineVerdict:
    """Mark an accepted order that was on file already as idle. Orders that queue are always said anew."""
    if row.in_force and row.grade == "taken":
        item = make_item(row.order, row.when, present)
        if slot_of(item) is not None and any(
            is_same(item, earlier) for earlier in before.get(key_of(item), ())
        ):
            return replace_fields(row, grade="idle", problem=sentence("clerk.filing.on_file_already"))
    return row
