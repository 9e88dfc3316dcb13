"""TRY: what some orders would bring, from what their writer may know. Nothing is filed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.clerk.filing import file_orders
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.over_allowance import told_over_allowance
from adjudicator.clerk.parse_contexts import parse_context
from adjudicator.ledger.filed_orders import Item, order_of, slot_of
from adjudicator.ledger.orders_in_force import accepted, usable
from adjudicator.ledger.positions import Position
from adjudicator.reports.picture import drawn, svg
from adjudicator.reports.transcript import Answer, Fate, fate
from games.protocol import Due, Event, Game, Order, Seat, View
from games.protocol.optional import Trial, Trying
from games.record import changed
from orders.commands import Command
from orders.letters.body import FreshLine
from orders.parsing.reading import Reading, read
from orders.verdict import Verdict

Given = Mapping[Seat, Sequence[Order]]


def try_orders(case: Case, command: Command) -> Done:
    """What the orders behind and below it would bring if nobody else moved; of TRY ALL those for others, too.

    Where none stand there, those on file are tried.
    """
    rules, position = case.game.rules, case.seated.position
    if not position.running:
        return told(sentence("clerk.ordering.game_over"))
    if not isinstance(rules, Trying):
        return told(sentence("clerk.trying.cannot", title=case.game.about.title))
    everybody = not command.args and "all" in command.line.lower().split()
    reading = _read(case, "\n".join((*command.args, command.text)), everybody)
    rows, given = _judged(case, reading, everybody)
    if not reading.orders:
        given = {case.seat: ordered(case, position.filed.get(case.seat, ()))}
    if not any(given.values()):
        return _answered([*_rows(rows), sentence("clerk.trying.nothing"), *told_over_allowance(reading)])
    trial = rules.attempt(rules.view(position.state, case.seat), given)
    on_file = not reading.orders
    parts = [*_rows(rows), *told_over_allowance(reading), *_outcome(case, trial, on_file, everybody)]
    if case.mapped is not None:
        return _answered([*parts, sentence("clerk.trying.one_map")])
    picture = pictured(case, trial.after, trial.events, sentence("clerk.trying.caption"))
    return changed(_answered(parts), picture=picture, mapped=position.name if picture else None)


def ordered(case: Case, filed: Sequence[Item]) -> tuple[Order, ...]:
    """Of what is on file the orders that would be played now; of a queue all that it holds."""
    return tuple(order for due in _dues(case, case.seat) for order in _of_due(case, due, filed))


def pictured(case: Case, after: View, events: Sequence[Event], caption: str) -> bytes | None:
    """The map of a position that was tried, as a PNG; None for a game that has no picture."""
    seen = [event for event in events if event.seen_by is None or case.seat in event.seen_by]
    scene = svg(case.game, case.game.rules.view(after, case.seat), seen, caption)
    return None if scene is None else drawn(scene)


def telling_of(game: Game, events: Sequence[Event], viewer: Seat | None) -> Iterator[str]:
    """What happened as a viewer may know it, a passage for each heading."""
    lines: dict[str, list[str]] = {}
    for event in events:
        line = game.telling.tell(event, viewer) if event.seen_by is None or viewer in event.seen_by else None
        if line is not None:
            lines.setdefault(line.heading, []).append(f"  {line.text}")
    for heading, under in lines.items():
        yield "\n".join([f"  {heading}", *(f"  {row}" for row in under)])


def _dues(case: Case, seat: Seat) -> list[Due]:
    return [due for due in case.game.rules.due(case.seated.position.state) if due.seat == seat]


def _of_due(case: Case, due: Due, filed: Sequence[Item]) -> tuple[Order, ...]:
    state = case.seated.position.state
    if due.takes is None:
        return usable(case.game, state, due, filed)
    found = [order_of(item) for item in accepted(case.game, state, due, filed) if slot_of(item) is None]
    given = [order_of(item) for item in accepted(case.game, state, due, filed) if slot_of(item)]
    return tuple(order for order in (*given, *found) if order is not None)


def _read(case: Case, text: str, everybody: bool) -> Reading:
    """The lines below TRY, as part of the letter's allowance."""
    lines, gap = [], False
    for row in text.split("\n"):
        if row.strip():
            lines.append(FreshLine(text=row, after_gap=gap))
        gap = not row.strip()
    context = parse_context(case.game, _alone(case, case.seat), case.books)
    if everybody:
        context = changed(context, titles=tuple(case.seated.position.chairs))
    return read(tuple(lines), context, case.allowance)


def _alone(case: Case, seat: Seat) -> Seated:
    """A seat with nothing on file, whose letter is in time."""
    position: Position = replace(case.seated.position, filed={}, deadline=None)
    return Seated(position, seat, case.seated.how)


def _judged(case: Case, reading: Reading, everybody: bool) -> tuple[list[Verdict], Given]:
    """Each order with what became of it, and by seat those that are tried."""
    own = _alone(case, case.seat)
    filed = file_orders(case.game, own, reading.orders, (), case.received)
    given = {case.seat: ordered(case, filed.orders)}
    rows = list(filed.rows)
    for place, row in enumerate(rows if everybody else ()):
        seat = _whose(case, row)
        if seat is not None and row.order is not None:
            rows[place] = changed(row, grade="taken", problem=None, instead=None)
            others = [one for one in given.get(seat, ()) if one.slot is None or one.slot != row.order.slot]
            given[seat] = (*others, row.order)
    return rows, given


def _whose(case: Case, row: Verdict) -> Seat | None:
    """The other seat that an order would be lawful for, if it is none of the writer's."""
    if row.order is None or row.grade not in ("unlawful", "idle") or row.when is not None:
        return None
    rules, view = case.game.rules, case.game.rules.view(case.seated.position.state, case.seat)
    for due in rules.due(case.seated.position.state):
        wanted = due.seat != case.seat and type(row.order).__name__ in due.accepts
        if wanted and rules.check(view, due.seat, row.order) is None:
            return due.seat
    return None


def _rows(rows: Sequence[Verdict]) -> Iterator[str]:
    for row in (one for one in rows if not one.superseded):
        yield _row(fate(row))


def _row(one: Fate) -> str:
    instead = [f"    {sentence('clerk.trying.write', text=text)}" for text in one.instead]
    return "\n".join(
        [f"  > {one.line}", f"  {one.mark} {one.outcome}", *(f"    {said}" for said in one.details), *instead]
    )


def _outcome(case: Case, trial: Trial, on_file: bool, everybody: bool) -> list[str]:
    told_of = [*telling_of(case.game, trial.events, case.seat)]
    alone = sentence("clerk.trying.alone", on_file=on_file, everybody=everybody, any=bool(told_of))
    return [alone, *told_of, *([trial.open] if trial.open else []), sentence("clerk.trying.nothing_filed")]


def _answered(parts: Sequence[str]) -> Done:
    return Done(answered=(Answer(title=sentence("clerk.trying.title"), text="\n\n".join(parts)),))
