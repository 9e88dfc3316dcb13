"""Filing orders: which rows of an email are new, legal and in time, and what is saved for the seat."""

# Rule 1: a line that is unchanged from an order sheet that we sent isn't an order, in a reply to any email.
# Rule 2: we ask about a line that equals one of an older sheet: it may be left over, or meant.
# Rule 3: we ask once about an older sheet that comes back with nothing typed.

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.messages import as_sentence, sentence
from adjudicator.model.games import GamePosition, is_counted
from adjudicator.model.orders_on_file import (
    Filing,
    Item,
    Untaken,
    bring_items_to_present,
    is_flag,
    is_gap,
    is_same,
    key_of,
    make_item,
    merge,
    orders_if_legal,
    reject_line,
    slot_of,
    turn_of,
    when_of,
)
from adjudicator.model.repository import Repository
from adjudicator.reports.order_sheet import SeatView, is_acceptable, is_already_given, nearest_order
from adjudicator.reports.order_sheet import sheet as sheet_in_force
from adjudicator.reports.verdict import BAD, cut, fate, mark_of
from adjudicator.turns.deadlines import is_in_grace, is_late
from games.language import format_number, join_list
from games.protocol import Advice, Concern, Due, Game, Objection, Order, State
from games.record import Value, replace_fields
from orders.commands import Command
from orders.conditions import NOW
from orders.mail.body import Body, FreshLine
from orders.mail.letter import Letter
from orders.reading.budget import MAX_COMMANDS_PER_LETTER, MAX_LINES_PER_LETTER
from orders.reading.letter_reader import LetterReading
from orders.reading.replacements import Key, ReplacedOrders, earlier_first
from orders.verdict import LineVerdict
from orders.words import keys

# The error flag: rejected lines of an email, and their effect on the saved orders.


MAX_FLAGGED_LINES = 5
"""Of so many lines the words are kept, beside those that keep a place in a queue."""


class LetterRemarks(Value, frozen=True):
    """The content of an email other than its orders.

    ready: whether the seat sends READY. hurried: whether it sends NOWAIT, so that orders sent ahead no longer
    wait for the player to check them. beyond: the lines that were not read. afresh: whether the GM saves the
    orders, so that we don't wait for a better line.
    """

    ready: bool = False
    hurried: bool = False
    beyond: tuple[str, ...] = ()
    afresh: bool = False


NO_REMARKS = LetterRemarks()
"""Orders alone."""


QueueRepair = tuple[tuple[Order, ...], ...]
"""The places in a saved queue that the lines of an email take, as many as were rejected before.

For each place, the orders between it and the place before it. Empty if nothing is repaired.
"""


def is_rejected_line(row: LineVerdict) -> bool:
    """Return whether a line was rejected, so that its writer has to look at it again."""
    return mark_of(row) == BAD and not row.in_force and not row.quiet


def find_queue_repair(
    here: Sequence[Item], rows: Sequence[LineVerdict], queues: Callable[[LineVerdict], bool]
) -> QueueRepair:
    """Return the places of rejected lines, if the email has as many lines for the queue.

    An email that repeats the rest of the queue replaces the whole queue instead. queues: whether a line is
    an order for the queue.
    """
    wanted = [row for row in rows if has_queue_place(row, queues)]
    gaps = sum(map(is_gap, here))
    if len(wanted) != gaps or any(row.order in here for row in wanted):
        return ()
    ahead: list[list[Order]] = [[]]
    for item in here:
        if is_gap(item):
            ahead.append([])
        elif isinstance(item, Order) and slot_of(item) is None:
            ahead[-1].append(item)
    return tuple(map(tuple, ahead[:gaps]))


def items_to_file(
    here: Sequence[Item],
    rows: Sequence[LineVerdict],
    present: str,
    queues: Callable[[LineVerdict], bool],
    mended: QueueRepair,
) -> list[Item]:
    """Return what an email saves: its accepted orders, and in a queue also its rejected lines.

    rows: after they were judged. mended: the places of the lines in a saved queue. The whole queue is saved
    again.
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
    """Return the rejected lines of an email, except those that keep a place in a queue.

    new: what the email saves. left_out: saved orders that cannot be carried out together with the others.
    """
    if remarks.afresh:
        return ()
    gaps = {item.line for item in new if isinstance(item, Untaken)}
    lines = dict.fromkeys(_flag_of(row) for row in rows if is_rejected_line(row))
    own_flags = [flag for flag in lines if flag.line not in gaps]
    others = dict.fromkeys(reject_line(line) for line in remarks.beyond)
    return (*own_flags, *left_out, *others)[:MAX_FLAGGED_LINES]


def _flag_of(row: LineVerdict, *, queued: bool = False) -> Untaken:
    """Return a rejected line with the problem and the suggestion."""
    again = fate(row)
    return reject_line(
        row.line,
        queued=queued,
        why=" ".join((*again.details,) or (again.outcome,)),
        instead=next(iter(again.instead), ""),
    )


def lines_told(rows: Sequence[LineVerdict]) -> frozenset[str]:
    """Return the saved lines and orders whose problems the email's own rows already describe."""
    orders = (row.said for row in rows if row.left_out and row.said is not None)
    return frozenset((*orders, *(reject_line(row.line).line for row in rows if is_rejected_line(row))))


def without_flags(
    items: Sequence[Item], rows: Sequence[LineVerdict], remarks: LetterRemarks
) -> tuple[Item, ...]:
    """Return the saved items without the rejected lines of earlier emails, which a new email replaces.

    An email without orders keeps them. After READY in an email without rejected lines, everything else
    counts. A place in a queue is kept until the queue is replaced.
    """
    if remarks.ready and not remarks.beyond and not any(map(is_rejected_line, rows)):
        return tuple(item for item in items if not isinstance(item, Untaken))
    if not (rows or remarks.beyond):
        return tuple(items)
    return tuple(item for item in items if not isinstance(item, Untaken) or item.queued)


def has_queue_place(row: LineVerdict, queues: Callable[[LineVerdict], bool]) -> bool:
    """Return whether a line belongs to a queue: as an order for it, or as an unread line that may be one."""
    if row.when is not None and row.when.turn is not None:
        return False
    return (row.in_force and queues(row)) or (is_rejected_line(row) and (row.order is None or queues(row)))


def _in_queue(item: Item) -> bool:
    if isinstance(item, Untaken):
        return item.queued
    return slot_of(item) is None and turn_of(item) is None


MAX_ORDERS_ON_FILE = 1_000
"""So many orders of a seat are kept, those for later turns and those on conditions among them."""


class FilingResult(Value, frozen=True):
    """The result of filing an email's orders: a row for each, all saved items, and remarks.

    flags: the rejected lines of the newest email, saved beside the orders, except those among them.
    left_out: how many parts of its orders would be left out.
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


def file_orders(
    game: Game,
    seated: AuthenticatedSeat,
    rows: Sequence[LineVerdict],
    before: tuple[Item, ...],
    received: Millis,
    *,
    remarks: LetterRemarks = NO_REMARKS,
) -> FilingResult:
    """Judge each order, and save the accepted ones beside those of earlier emails.

    before: the saved items of the seat. received: when the server accepted the email. Of accepted rows for
    the same slot, the last one counts. An order for a later turn is accepted unchecked, and judged when
    that turn is due. remarks: the rest of the email, which decides which rejected lines keep the turn from
    running early.
    """
    position = seated.position
    here = bring_items_to_present(game, position.state, before)
    dues = tuple(due for due in game.rules.due(position.state) if due.seat == seated.seat)
    queues = partial(is_queued_order, dues)
    mended = find_queue_repair(here, rows, queues) if any(map(is_gap, here)) else ()
    present = game.rules.turn(position.state).short
    judged = _supersede(_judge_rows(game, seated, here, rows, received, mended), present)
    kept = without_flags(here, judged, remarks)
    new = items_to_file(here, judged, present, queues, mended)
    after = merge(kept, new) if new or remarks.hurried else without_flags(before, judged, remarks)
    if len(after) > max(MAX_ORDERS_ON_FILE, len(here)):
        why, new, after = sentence("inbound.filing.too_many", most=MAX_ORDERS_ON_FILE), [], before
        judged = [
            replace_fields(row, grade="unlawful", problem=why) if row.in_force else row for row in judged
        ]
    if remarks.hurried:
        after = tuple(replace_fields(item, armed=True) if _is_ahead(item) else item for item in after)
    lying: dict[Key, list[Item]] = {}
    for item in here:
        lying.setdefault(key_of(item), []).append(item)
    judged = [_mark_repetition(row, lying, present) for row in judged] if lying else judged
    judged = [_name_replaced_order(game, row, here) if row.rest else row for row in judged]
    concerns = _find_concerns(game, seated, after) if new else ()
    left_out = _left_out(game, concerns) if concerns else []
    rows = [_mark_left_out(row, left_out) for row in judged] if left_out else judged
    # A late email can't be corrected any more, because the turn runs now.
    fresh = () if is_late(position, received) else rejected_line_flags(judged, after, remarks, left_out)
    shown = [row.said for row in rows if row.left_out]
    return FilingResult(
        rows=tuple(rows),
        orders=tuple(item for item in after if not is_flag(item)),
        notes=(
            *_late_notes(position, received, judged, counts=bool(new)),
            *(odd.advice.problem for odd in concerns if not odd.concern.drops),
        ),
        flags=(*(item for item in after if is_flag(item)), *fresh),
        left_out=sum(item.line not in shown for item in left_out),
    )


def _late_notes(
    position: GamePosition, received: Millis, judged: Sequence[LineVerdict], *, counts: bool
) -> tuple[str, ...]:
    """Return the notes on an email that arrived after the deadline. counts: whether an order in it counts."""
    wrong = any(not row.in_force and row.grade not in ("idle", "late") for row in judged)
    if is_in_grace(position, received) and (counts or wrong):
        return (
            sentence("inbound.filing.counted_late") if counts else sentence("inbound.filing.late_so_far"),
        )
    if is_late(position, received) and wrong:
        return (sentence("inbound.filing.too_late"),)
    return ()


def _judge_rows(
    game: Game,
    seated: AuthenticatedSeat,
    here: Sequence[Item],
    rows: Sequence[LineVerdict],
    received: Millis,
    mended: QueueRepair,
) -> list[LineVerdict]:
    """Return the rows, each judged together with those before it.

    mended: their places in the queue.
    """
    asked = SeatView.of(game, seated.position.state, seated.seat)
    assessor = OrderAssessor(seated, asked, received)
    judged, queues = list[LineVerdict](), list[tuple[Order, ...]]()
    queue = list[Order](mended[0] if mended else ())
    sooner = [item for item in here if isinstance(item, Order)]
    taken = 0
    for row in rows:
        fresh = replace_fields(row, superseded=False)
        if row.order is not None and row.order.part is not None:
            fresh = _place_under_named_turn(game, seated.position.state, fresh, row.order.part)
        judged.append(assessor.assess(fresh, queue, sooner))
        queues.append(tuple(queue))
        # Of those that hang on an IF nobody knows which will be played.
        if judged[-1].in_force and judged[-1].when is None and judged[-1].order is not None:
            queue += [judged[-1].order] if is_queued_order(asked.dues, judged[-1]) else []
            sooner.append(judged[-1].order)
        if mended and has_queue_place(row, partial(is_queued_order, asked.dues)):
            taken += 1
            queue += mended[taken] if taken < len(mended) else ()
    present_orders = [
        row.order for row in judged if row.in_force and row.when is None and row.order is not None
    ]
    return [
        assessor.add_suggestions(row, queue, present_orders)
        for row, queue in zip(judged, queues, strict=True)
    ]


class _Odd(Value, frozen=True):
    """A concern about a seat's saved orders: its description, and the orders that it is about."""

    concern: Concern
    advice: Advice
    orders: tuple[Order, ...]


def _find_concerns(game: Game, seated: AuthenticatedSeat, after: Sequence[Item]) -> tuple[_Odd, ...]:
    """Return what is odd about all that a seat has on file now, each with its text."""
    state, seat = seated.position.state, seated.seat
    view = game.rules.view(state, seat)
    together = orders_if_legal(game, state, seat, after)
    return tuple(
        _Odd(concern, game.telling.advise(view, concern), tuple(together[place] for place in concern.about))
        for concern in game.rules.concerns(view, seat, together)
    )


def _left_out(game: Game, concerns: Sequence[_Odd]) -> list[Untaken]:
    """Return the orders that cannot be carried out fully together with the others, with all reasons."""
    advices_by_order: dict[str, list[Advice]] = {}
    for odd in concerns:
        for order in odd.orders if odd.concern.drops else ():
            advices_by_order.setdefault(game.notation.write(order), []).append(odd.advice)
    return [
        reject_line(
            text,
            left_out=True,
            why=" ".join(dict.fromkeys(as_sentence(odd.problem) for odd in advices)),
            instead=next((odd.instead for odd in advices if odd.instead), ""),
        )
        for text, advices in advices_by_order.items()
    ]


def _mark_left_out(row: LineVerdict, left_out: Sequence[Untaken]) -> LineVerdict:
    """Return a row with an order that can't be carried out together with the others, with the reason."""
    flag = next((item for item in left_out if item.line == row.said), None)
    if flag is None or not row.in_force or row.stop:
        return row
    problem = flag.why if row.problem is None else f"{as_sentence(row.problem)} {flag.why}"
    return replace_fields(row, left_out=True, problem=problem, instead=flag.instead or None)


def _name_replaced_order(game: Game, row: LineVerdict, here: Sequence[Item]) -> LineVerdict:
    """Add the replaced order to a row that lets all other units hold."""
    if not row.in_force or row.when is not None:
        return row
    before = [item for item in here if isinstance(item, Order) and slot_of(item) == row.order.slot]
    if not before or before[-1] == row.order:
        return row
    note = sentence("inbound.filing.in_place_of", order=game.notation.write(before[-1]))
    return replace_fields(row, problem=note if row.problem is None else f"{row.problem}; {note}")


def _place_under_named_turn(game: Game, state: State, row: LineVerdict, part: str) -> LineVerdict:
    """Place a row under the later turn that the order itself names, if the email names no other.

    part: the end of the turn's name, in the order.
    """
    when = row.when or NOW
    if when.turn is not None:
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
    """Mark an accepted order that was saved before as idle. Orders for a queue are always new."""
    if row.in_force and row.grade == "taken":
        item = make_item(row.order, row.when, present)
        if slot_of(item) is not None and any(
            is_same(item, earlier) for earlier in before.get(key_of(item), ())
        ):
            return replace_fields(row, grade="idle", problem=sentence("inbound.filing.on_file_already"))
    return row


# Judging the rows of an email: whether each order is legal, and what to suggest instead.


class OrderAssessor(Value, frozen=True):
    """The context for judging the rows of an email: its seat, what is due, and when it arrived.

    received: when the server accepted the email.
    """

    seated: AuthenticatedSeat
    asked: SeatView
    received: Millis

    def assess(self, row: LineVerdict, queue: Sequence[Order], sooner: Sequence[Order]) -> LineVerdict:
        """Return a row with the objection against it, if there is one.

        queue: the orders of the email that run before this one, if it queues. sooner: all orders for the
        current turn.
        """
        if not row.in_force or (row.order is None and not row.stop):
            return row
        position, asked = self.seated.position, self.asked
        if not position.is_running:
            return replace_fields(row, grade="idle", problem=sentence("inbound.filing.game_over"))
        if self.seated.stale is not None:
            why = sentence("inbound.filing.stale", turn=self.seated.stale)
            return replace_fields(row, grade="late", problem=why)
        rules = asked.game.rules
        turn = turn_of(make_item(row.order, row.when, rules.turn(position.state).short))
        if turn is not None:
            return self._assess_ahead(row, turn, sooner)
        if is_late(position, self.received):
            return replace_fields(row, grade="late", problem=sentence("inbound.filing.deadline_over"))
        if row.stop:
            queues = any(due.takes is not None for due in asked.dues)
            why = sentence("inbound.filing.nothing_to_stop")
            return row if queues else replace_fields(row, grade="idle", problem=why)
        due = asked.due_for(row.order)
        if due is None:
            return self._reject_other_phase(row)
        waits = due.takes is not None and (len(queue) >= due.takes or row.when is not None)
        if waits and rules.orders_depend and is_queued_order(asked.dues, row):
            # It waits for others, or for an IF. Only what is already certain counts against it.
            objection = rules.foresee(asked.view, asked.seat, row.order, queue)
        else:
            objection = rules.check(asked.view, asked.seat, row.order)
        return row if objection is None else self._reject(row, objection)

    def add_suggestions(
        self, row: LineVerdict, queue: Sequence[Order], other_orders: Sequence[Order] = ()
    ) -> LineVerdict:
        """Return the row with suggestions that would be accepted when sent back.

        other_orders: the rest of the email's orders. A suggestion that only shows a form is shown without
        them.
        """
        ahead = row.when is not None and row.when.turn is not None
        if row.in_force or row.grade in ("idle", "late") or ahead:
            return row
        candidates = [order for order in row.candidates if is_acceptable(self.asked, order, queue)]
        instead = row.instead
        if (
            instead is not None
            and row.grade == "unread"
            and is_already_given(self.asked, instead, other_orders)
        ):
            instead = nearest_order(self.asked, instead, queue, other_orders) or instead
        if instead is not None and not is_acceptable(self.asked, instead, queue):
            instead = (
                nearest_order(self.asked, instead, queue, other_orders) if row.grade == "unread" else None
            )
        return replace_fields(row, candidates=tuple(candidates), instead=instead)

    def _assess_ahead(self, row: LineVerdict, turn: str, sooner: Sequence[Order]) -> LineVerdict:
        """Accept an order for a turn to come as it is, unless it can never be legal then."""
        asked, rules = self.asked, self.asked.game.rules
        if turn not in {coming.short for coming in rules.ahead(self.seated.position.state)}:
            return replace_fields(row, grade="late", problem=sentence("inbound.filing.turn_over", turn=turn))
        if row.order is None or row.order.part is None or not rules.orders_depend:
            return row
        objection = rules.foresee(asked.view, asked.seat, row.order, sooner)
        return row if objection is None else self._reject(row, objection)

    def _reject_other_phase(self, row: LineVerdict) -> LineVerdict:
        """Reject an order for another phase. In a queue it takes another order's place, so it must be
        fixed.
        """
        if not self.asked.dues:
            return replace_fields(row, grade="idle", problem=sentence("inbound.filing.nothing_due"))
        why = sentence("inbound.filing.only_due", kind=self.asked.dues[0].kind)
        queued = is_queued_order(self.asked.dues, row)
        return replace_fields(row, grade="unlawful" if queued else "idle", problem=why)

    def _reject(self, row: LineVerdict, objection: Objection) -> LineVerdict:
        """Return the row, rejected with the text of the objection."""
        advice = self.asked.game.telling.advise(self.asked.view, objection)
        return replace_fields(row, grade="unlawful", problem=advice.problem, instead=advice.instead)


def is_queued_order(dues: Sequence[Due], row: LineVerdict) -> bool:
    """Return whether an order waits behind others of its email, as an order of another phase does too."""
    wanted = [due for due in dues if type(row.order).__name__ in due.accepts] or dues
    return row.order is not None and row.order.slot is None and any(due.takes is not None for due in wanted)


# The notes on lines and commands beyond the allowance of an email.


_CUT_OFF_DEFECT = "more than"
"""How the defects of a letter begin that come of its length."""

_MAX_UNREAD_LINES_NAMED, _MAX_UNREAD_LINE_CHARS = 5, 60
"""So many lines are named by their words, and by so many signs of these."""


def explain_over_allowance(reading: LetterReading, letter: Letter | None = None) -> tuple[str, ...]:
    """Return sentences on the lines that we did not read and the commands that we ignored, if any.

    letter: the email, which may be longer than the part that we read.
    """
    cut_off = [defect for defect in letter.defects if defect.startswith(_CUT_OFF_DEFECT)] if letter else []
    ends = (sentence("inbound.too_long.cut_off", defects=join_list(cut_off)),) if cut_off else ()
    if not (reading.beyond or reading.unheard):
        return ends
    rest = [*_name_lines(reading.beyond), *_name_commands(reading.unheard)]
    return (
        *ends,
        sentence(
            "inbound.too_long.left_out",
            lines=MAX_LINES_PER_LETTER,
            commands=MAX_COMMANDS_PER_LETTER,
            left=join_list(rest),
        ),
    )


def _name_lines(texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    named = [_quote_line(cut(text, _MAX_UNREAD_LINE_CHARS), 1) for text in texts[:_MAX_UNREAD_LINES_NAMED]]
    count, number = len(texts), format_number(len(texts))
    if count > _MAX_UNREAD_LINES_NAMED:
        last = cut(texts[-1], _MAX_UNREAD_LINE_CHARS)
        return [sentence("inbound.too_long.many_lines", number=number, named=", ".join(named), last=last)]
    return [sentence("inbound.too_long.lines", count=count, number=number, named=join_list(named))]


def _name_commands(commands: Sequence[Command]) -> list[str]:
    if not commands:
        return []
    counted = Counter(cut(command.line, _MAX_UNREAD_LINE_CHARS) for command in commands)
    named = [_quote_line(line, count) for line, count in islice(counted.items(), _MAX_UNREAD_LINES_NAMED)]
    if len(counted) > _MAX_UNREAD_LINES_NAMED:
        named.append(sentence("inbound.too_long.more", number=len(counted) - _MAX_UNREAD_LINES_NAMED))
    count, number = len(commands), format_number(len(commands))
    return [sentence("inbound.too_long.commands", count=count, number=number, named=join_list(named))]


def _quote_line(line: str, times: int) -> str:
    if times == 1:
        return sentence("inbound.too_long.quoted", line=line)
    return sentence("inbound.too_long.quoted_often", line=line, times=times)


# Rule 1: a line that is unchanged from any of them isn't an order, in a reply to any email.
# Rule 2: we ask about a line that equals one of an older sheet: it may be left over, or meant.
# Rule 3: we ask once about an older sheet that comes back with nothing typed.


# The order sheets that an email quotes, compared with those that we sent its seat this turn.


Sheet = tuple[str, ...]

_MAX_ENTRIES_SEARCHED = 8
"""So many entries of a log are looked through for the one that began the turn."""


class SheetComparison(Value, frozen=True):
    """The new lines of an email, and the order sheet that its quotation was compared with, if any.

    going_back: the orders of an older sheet that came back with nothing typed. quotes_unknown: whether no
    sheet that we sent could be compared with the quoted one.
    """

    lines: tuple[FreshLine, ...]
    sheet: Sheet | None = None
    going_back: Sheet = ()
    quotes_unknown: bool = False


def compare_with_sheets(
    letter: Letter, speaker: AuthenticatedSeat | None, repository: Repository
) -> SheetComparison:
    """Return the new lines of an email, compared with the sheets that we sent to its writer."""
    body = Body(letter)
    earlier = filter(None, (letter.answers, *reversed(letter.thread)))
    sheets = (repository.sheet(message_id) for message_id in earlier)
    answered = next((sheet for sheet in sheets if sheet is not None), None)
    lines = body.fresh_lines(answered)
    is_changed = any(line.source == "sheet" for line in lines)
    if answered and not is_changed and any(map(_is_typed, lines)):
        return SheetComparison(lines, answered)
    if not body.quotes_sheet():
        return SheetComparison(lines, answered)
    if speaker is not None and speaker.later is not None:
        # It is read when its turn is due, and compared then.
        return SheetComparison(lines, answered)
    if speaker is None:
        return SheetComparison(lines, answered, quotes_unknown=not answered)
    return _compare_with_sent(body, speaker, repository, answered)


def _compare_with_sent(
    body: Body, speaker: AuthenticatedSeat, repository: Repository, answered: Sheet | None
) -> SheetComparison:
    """Return the lines, compared with the sheet that gives the fewest changed lines."""
    position = speaker.position
    in_force = sheet_in_force(position.game, position, speaker.seat) if position.is_running else ()
    sent = repository.sheets_sent(position.name, speaker.seat, _turn_start(speaker, repository))
    known = [candidate for candidate in dict.fromkeys((answered, in_force, *reversed(sent))) if candidate]
    if not known:
        return SheetComparison(body.fresh_lines(answered), answered, quotes_unknown=not answered)
    comparisons = [(body.fresh_lines(sheet), sheet) for sheet in known]
    lines, sheet = min(
        comparisons, key=lambda comparison: sum(line.source == "sheet" for line in comparison[0])
    )
    others = frozenset(keys(line) for other in known if other != sheet for line in other)
    lines = tuple(
        replace_fields(line, older=True) if line.source == "sheet" and keys(line.text) in others else line
        for line in lines
    )
    alone = not any(map(_is_typed, lines)) and not any(line.source == "sheet" for line in lines)
    still_valid = set(in_force)
    back = tuple(line for line in sheet if line not in still_valid)
    is_older = alone and position.is_running and speaker.stale is None and bool(in_force)
    return SheetComparison(lines, sheet, back if is_older else ())


def _is_typed(line: FreshLine) -> bool:
    """Return whether a line was typed by the email's writer. A subject alone says nothing of its orders."""
    return bool(line.text.strip()) and line.source not in ("sheet", "subject")


def _turn_start(speaker: AuthenticatedSeat, repository: Repository) -> int:
    """Return when the present turn of the speaker's game began."""
    log = repository.latest(speaker.position.name, _MAX_ENTRIES_SEARCHED)
    return next((entry.at for entry, _ in reversed(log) if is_counted(entry.kind)), 0)


def ask_about_older_sheet() -> LineVerdict:
    """Return the question about the orders of an older sheet that came back alone."""
    return LineVerdict(
        line=sentence("inbound.quoted_sheets.older_sheet"),
        source="sheet",
        grade="unread",
        problem=sentence("inbound.quoted_sheets.go_back"),
    )
