"""TRY: the results that some orders would have, from what their writer may know. Nothing is filed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.commands.context import CommandContext, CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.filing import explain_over_allowance, file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo, overdue
from adjudicator.model.games import GamePosition, SetReady, SetWait
from adjudicator.model.orders_on_file import Item, accepted_items, order_of, slot_of, weigh
from adjudicator.order_page import attach_order_page
from adjudicator.reports.maps import map_picture, svg
from adjudicator.reports.messages import reader_of
from adjudicator.reports.verdict import CommandAnswer, Fate, fate
from games.protocol import DryRun, Due, Event, Game, Order, Seat, View
from games.record import replace_fields
from orders.commands import Command
from orders.mail.body import FreshLine
from orders.reading.letter_reader import LetterReading, read_lines
from orders.verdict import LineVerdict

Given = Mapping[Seat, Sequence[Order]]


def try_orders(case: SeatCommandContext, command: Command) -> CommandResult:
    """Try the orders on this line and below it as if nobody else moved. TRY ALL also tries those for
    others.

    Without orders in the email, the saved ones are tried.
    """
    rules, position = case.game.rules, case.seated.position
    if not position.is_running:
        return reply_with(sentence("inbound.ordering.game_over"))
    view = rules.view(position.state, case.seat)
    if rules.dry_run(view, {}) is None:
        return reply_with(sentence("inbound.dry_runs.cannot", title=case.game.about.title))
    everybody = not command.args and "all" in command.line.lower().split()
    reading = _read_orders(case, "\n".join((*command.args, command.text)), everybody)
    rows, given = _judge_orders(case, reading, everybody)
    if not reading.orders:
        given = {case.seat: orders_due_now(case, position.filed.get(case.seat, ()))}
    if not any(given.values()):
        return _reply(
            [*_describe_rows(rows), sentence("inbound.dry_runs.nothing"), *explain_over_allowance(reading)]
        )
    trial = rules.dry_run(view, given)
    assert trial is not None, "orders of this game can be tried"
    on_file = not reading.orders
    parts = [
        *_describe_rows(rows),
        *explain_over_allowance(reading),
        *_describe_trial(case, trial, on_file, everybody),
    ]
    if case.mapped is not None:
        return _reply([*parts, sentence("inbound.dry_runs.one_map")])
    picture = render_trial_map(case, trial.after, trial.events, sentence("inbound.dry_runs.caption"))
    return replace_fields(_reply(parts), picture=picture, mapped=position.name if picture else None)


def orders_due_now(case: SeatCommandContext, filed: Sequence[Item]) -> tuple[Order, ...]:
    """Return those saved orders that would be played now; of a queue all that it holds."""
    return tuple(
        order for due in _dues_of_seat(case, case.seat) for order in _orders_for_due(case, due, filed)
    )


def render_trial_map(
    case: SeatCommandContext, after: View, events: Sequence[Event], caption: str
) -> bytes | None:
    """Return the map of a position that was tried, as a PNG; None for a game that has no picture."""
    seen = [event for event in events if event.seen_by is None or case.seat in event.seen_by]
    scene = svg(case.game, case.game.rules.view(after, case.seat), seen, caption)
    return None if scene is None else map_picture(scene)


def describe_events(game: Game, events: Sequence[Event], viewer: Seat | None) -> Iterator[str]:
    """Yield what happened as a viewer may know it, a passage for each heading."""
    lines: dict[str, list[str]] = {}
    for event in events:
        line = game.telling.tell(event, viewer) if event.seen_by is None or viewer in event.seen_by else None
        if line is not None:
            lines.setdefault(line.heading, []).append(f"  {line.text}")
    for heading, under in lines.items():
        yield "\n".join([f"  {heading}", *(f"  {row}" for row in under)])


def _dues_of_seat(case: SeatCommandContext, seat: Seat) -> list[Due]:
    return [due for due in case.game.rules.due(case.seated.position.state) if due.seat == seat]


def _orders_for_due(case: SeatCommandContext, due: Due, filed: Sequence[Item]) -> tuple[Order, ...]:
    state = case.seated.position.state
    if due.takes is None:
        return weigh(case.game, state, due, filed).orders
    queue_orders = [
        order_of(item) for item in accepted_items(case.game, state, due, filed) if slot_of(item) is None
    ]
    slot_orders = [order_of(item) for item in accepted_items(case.game, state, due, filed) if slot_of(item)]
    return tuple(order for order in (*slot_orders, *queue_orders) if order is not None)


def _read_orders(case: SeatCommandContext, text: str, everybody: bool) -> LetterReading:
    """Return the orders on the lines below TRY, which count toward the email's allowance."""
    lines, gap = [], False
    for row in text.split("\n"):
        if row.strip():
            lines.append(FreshLine(text=row, after_gap=gap))
        gap = not row.strip()
    context = parse_context(case.game, _without_orders(case, case.seat), case.repository)
    if everybody:
        context = replace_fields(context, titles=tuple(case.seated.position.assignments))
    return read_lines(tuple(lines), context, case.allowance)


def _without_orders(case: SeatCommandContext, seat: Seat) -> AuthenticatedSeat:
    """Return a seat without saved orders, whose email is in time."""
    position: GamePosition = replace(case.seated.position, filed={}, deadline=None)
    return AuthenticatedSeat(position, seat, case.seated.how)


def _judge_orders(
    case: SeatCommandContext, reading: LetterReading, everybody: bool
) -> tuple[list[LineVerdict], Given]:
    """Return each order with its assessment, and by seat those that are tried."""
    own = _without_orders(case, case.seat)
    filed = file_orders(case.game, own, reading.orders, (), case.received)
    given = {case.seat: orders_due_now(case, filed.orders)}
    rows = list(filed.rows)
    for index, row in enumerate(rows if everybody else ()):
        seat = _find_other_seat(case, row)
        if seat is not None and row.order is not None:
            rows[index] = replace_fields(row, grade="taken", problem=None, instead=None)
            others = [
                order for order in given.get(seat, ()) if order.slot is None or order.slot != row.order.slot
            ]
            given[seat] = (*others, row.order)
    return rows, given


def _find_other_seat(case: SeatCommandContext, row: LineVerdict) -> Seat | None:
    """Return the other seat that an order would be legal for, if it is none of the writer's."""
    if row.order is None or row.grade not in ("unlawful", "idle") or row.when is not None:
        return None
    rules, view = case.game.rules, case.game.rules.view(case.seated.position.state, case.seat)
    for due in rules.due(case.seated.position.state):
        wanted = due.seat != case.seat and type(row.order).__name__ in due.accepts
        if wanted and rules.check(view, due.seat, row.order) is None:
            return due.seat
    return None


def _describe_rows(rows: Sequence[LineVerdict]) -> Iterator[str]:
    for row in (verdict for verdict in rows if not verdict.superseded):
        yield _describe_row(fate(row))


def _describe_row(outcome: Fate) -> str:
    instead = [f"    {sentence('inbound.dry_runs.write', text=text)}" for text in outcome.instead]
    return "\n".join(
        [
            f"  > {outcome.line}",
            f"  {outcome.mark} {outcome.outcome}",
            *(f"    {detail}" for detail in outcome.details),
            *instead,
        ]
    )


def _describe_trial(case: SeatCommandContext, trial: DryRun, on_file: bool, everybody: bool) -> list[str]:
    passages = [*describe_events(case.game, trial.events, case.seat)]
    alone = sentence("inbound.dry_runs.alone", on_file=on_file, everybody=everybody, any=bool(passages))
    return [
        alone,
        *passages,
        *([trial.open] if trial.open else []),
        sentence("inbound.dry_runs.nothing_filed"),
    ]


def _reply(parts: Sequence[str]) -> CommandResult:
    return CommandResult(
        answered=(CommandAnswer(title=sentence("inbound.dry_runs.title"), text="\n\n".join(parts)),)
    )


# CLEAR, WAIT and NOWAIT, READY and NOREADY: a seat's commands on its orders as a whole.


def clear_orders(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Withdraw all orders on file."""
    idle = explain_too_late(case)
    return idle or CommandResult(notes=(sentence("inbound.ordering.cleared"),), clears=True)


def set_wait(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Ask to wait for the deadline."""
    position = case.seated.position
    if not _is_due(case):
        return _set_wait_flag(case, True, sentence("inbound.ordering.waits_for_nothing"))
    if is_solo(position):
        return _set_wait_flag(case, True, sentence("inbound.ordering.waits_alone"))
    if overdue(position, case.now) is not None:
        return _set_wait_flag(case, True, sentence("inbound.ordering.waits_too_late"))
    if position.timing.stop is not None:
        return _set_wait_flag(case, True, sentence("inbound.ordering.waits_when_it_goes_on"))
    return _set_wait_flag(case, True, sentence("inbound.ordering.waits"))


def withdraw_wait(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Stop waiting for the deadline."""
    return _set_wait_flag(
        case, False, sentence("inbound.ordering.waits_no_longer", alone=is_solo(case.seated.position))
    )


def set_ready(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Say that nothing more will come this turn, even if orders are missing."""
    if not _is_due(case):
        return _set_ready_flag(case, True, sentence("inbound.ordering.ready_for_nothing"))
    return _set_ready_flag(case, True, sentence("inbound.ordering.ready", waits=case.seated.assignment.wait))


def withdraw_ready(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Withdraw READY."""
    if not _is_due(case):
        return _set_ready_flag(case, False, sentence("inbound.ordering.ready_for_nothing"))
    return _set_ready_flag(case, False, sentence("inbound.ordering.ready_no_longer"))


def undo_action(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Undo the last action if possible. It is the first command of an email to be carried out."""
    if case.undo is None or isinstance(case.undo, str):
        return reply_with(case.undo or sentence("inbound.undo.nothing_played"))
    name = case.game.rules.turn(case.seated.position.state).name
    return CommandResult(acts=(case.undo,), notes=(sentence("inbound.undo.taken_back", turn=name),))


def _set_wait_flag(case: SeatCommandContext, flag: bool, note: str) -> CommandResult:
    seated, idle = case.seated, explain_too_late(case)
    if idle:
        return idle
    act = SetWait(game=seated.position.name, by=seated.seat, seat=seated.seat, wait=flag, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,), wait=flag)


def _set_ready_flag(case: SeatCommandContext, flag: bool, note: str) -> CommandResult:
    seated, idle = case.seated, explain_too_late(case)
    if idle:
        return idle
    act = SetReady(game=seated.position.name, by=seated.seat, seat=seated.seat, ready=flag, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,), ready=flag)


def _is_due(case: SeatCommandContext) -> bool:
    """Return whether any order is due from the seat now."""
    return any(due.seat == case.seat for due in case.game.rules.due(case.seated.position.state))


def explain_too_late(case: SeatCommandContext) -> CommandResult | None:
    """Return why nothing can be said of this turn any more, or None."""
    if not case.seated.position.is_running:
        return reply_with(sentence("inbound.ordering.game_over"))
    return reply_with(sentence("inbound.ordering.turn_over")) if case.seated.stale else None


# SHEET: the order sheet as a page that writes the email.


def ask_sheet(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Enclose the page for what is due from the seat now, with its saved orders."""
    position = case.seated.position
    if not position.is_running:
        return reply_with(sentence("inbound.ordering.game_over"))
    reader = reader_of(position, case.seated.assignment, case.address, case.repository, case.service_context)
    page = attach_order_page(position, reader, case.now)
    if page is None:
        return reply_with(sentence("inbound.sheets.nothing_due", seat=case.seat))
    return CommandResult(notes=(sentence("inbound.sheets.enclosed", file=page.name),), attached=(page,))


# SIGNON, SIGNOFF: the seat that the rest of an email speaks for, and the end of that part.
#
# The pipeline has acted on them already.


def acknowledge_signon(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Return the note about which seat the lines after a SIGNON were read for."""
    return reply_with(sentence("inbound.seats.speaks_for", seat=case.seat, game=case.name))


def acknowledge_signoff(_caller: CommandContext, _command: Command) -> CommandResult:
    """Do nothing: the lines after it were not read."""
    return CommandResult()
