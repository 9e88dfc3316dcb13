"""Claims of reports, welcomes, STATUS and notices about time, and their conditions."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import Untaken
from adjudicator.reports import messages, times
from adjudicator.reports.report import OrdersWanted
from adjudicator.turns.deadlines import missing_orders, without_waits
from adjudicator.turns.due_actions import AskGamesmaster, DueAction, ExtendForSilence
from adjudicator.turns.gather import has_all_orders
from adjudicator.turns.runner import play_turns
from games.language import join_list
from games.record import replace_fields
from tests.kit.claims import Claims, Condition, Sentences
from tests.kit.claims_of_replies import goes_when_all_are_in, may_run_early
from tests.kit.letter_states import ZONE, Letter

CLAIMS = Claims()
claim, claims = CLAIMS.add, CLAIMS.add_made


# Reports and welcomes.

claim(
    sentence("reports.report.early"),
    when=lambda letter: may_run_early(letter) and (not letter.waited_for or goes_when_all_are_in(letter)),
)


def due_now(letter: Letter) -> Iterator[str]:
    if letter.dues:
        wanted = [
            OrdersWanted(due.kind, due.takes, tuple(owed.name for owed in due.owes)) for due in letter.dues
        ]
        orders = "; ".join(filter(None, (one.text for one in wanted)))
        yield f"Due now: {sentence('reports.report.due_now', turn=letter.turn, orders=orders)}"


claims(due_now, lambda letter: letter.position.is_running)
claim(
    f"Due now: {sentence('reports.report.nothing_due')}",
    when=lambda letter: letter.position.is_running and not letter.dues,
)
claim(
    sentence("outbound.welcome.change", deadline=True, overdue=False),
    sentence("outbound.welcome.correct", deadline=True, overdue=False, stopped=""),
    sentence("outbound.welcome.wait", deadline=True),
    when=lambda letter: letter.runs,
)
claim(
    sentence("outbound.welcome.change", deadline=True, overdue=True),
    when=lambda letter: letter.over is not None and not letter.over.closed,
)
claim(
    sentence("outbound.welcome.correct", deadline=True, overdue=True, stopped=""),
    when=lambda letter: letter.over is not None,
)
claim(
    sentence("outbound.welcome.change", deadline=False, overdue=False),
    sentence("outbound.welcome.wait", deadline=False),
    when=lambda letter: letter.alone or letter.position.deadline is None,
)
claim(
    sentence("outbound.welcome.correct", deadline=False, overdue=False, stopped=""),
    when=lambda letter: (
        letter.alone or (letter.position.deadline is None and not letter.position.timing.stop)
    ),
)
claim(
    sentence("outbound.welcome.correct", deadline=False, overdue=False, stopped="it is paused"),
    when=lambda letter: bool(letter.position.timing.stop) or letter.position.deadline is None,
)
claim(
    sentence("reports.times.about_to_run"),
    when=lambda letter: isinstance(letter.next(), DueAction) and not letter.alone,
)


# A seat's orders, and the result of missing ones.


def gaps(then: str) -> Sentences:
    return lambda letter: (
        f"{sentence('reports.labels.missing')} "
        + sentence("reports.transcript.missing", missing=letter.lacks, then=then)
        for _ in range(bool(letter.lacks))
    )


claims(gaps(""), lambda letter: letter.flagged or (letter.alone and letter.position.deadline is None))


def clock_action(letter: Letter) -> str:
    """Return what the deadline does to this seat if nothing more arrives from it.

    The bots of the other seats change nothing in that, so the quickest ones play.
    """
    position, seat = letter.position, letter.seat
    if letter.alone and position.deadline is None:
        return ""
    if position.deadline is None:
        return "sheet"
    others = letter.with_all_in(but=seat)
    weakest = {
        name: assignment if assignment.is_person else replace_fields(assignment, bot=None)
        for name, assignment in others.assignments.items()
    }
    others = replace(others, absences=position.absences, assignments=weakest)
    found = letter.next(others, position.deadline + position.deadlines.grace + 1)
    if isinstance(found, ExtendForSilence):
        return "extension" if seat in found.silent else "sheet"
    if isinstance(found, AskGamesmaster):
        return "gm" if seat in found.silent else "sheet"
    played = play_turns(letter.game, others, position.deadline + position.deadlines.grace + 1, ripe=True)
    assert played is not None
    entry = played.steps[0].entry
    return "bot" if seat in entry.reasons else "sheet"


for then in ("sheet", "bot", "extension", "gm"):
    claims(gaps(then), lambda letter, then=then: clock_action(letter) == then)
    claim(
        sentence("reports.messages.otherwise", then=then),
        when=lambda letter, then=then: clock_action(letter) == then,
    )

claim(
    sentence("inbound.ordering.ready", waits=False),
    when=lambda letter: (
        letter.assignment.ready
        and not letter.assignment.wait
        and (
            letter.flagged
            or letter.plays(letter.with_all_in(but=letter.seat))
            or not letter.position.early
            or bool(letter.position.timing.stop)
        )
    ),
)
claim(
    sentence("inbound.ordering.ready", waits=True),
    when=lambda letter: letter.assignment.ready and letter.assignment.wait,
)
claim(
    sentence("inbound.ordering.ready_no_longer"),
    when=lambda letter: not letter.assignment.ready and bool(letter.dues),
)
claim(sentence("inbound.ordering.ready_for_nothing"), when=lambda letter: not letter.dues)
claim(
    sentence("inbound.ordering.waits_alone"),
    when=lambda letter: letter.alone and letter.assignment.wait and letter.next() is None,
)
claim(
    sentence("inbound.ordering.waits"),
    when=lambda letter: (
        letter.runs and letter.assignment.wait and not letter.plays(letter.with_all_in(but=letter.seat))
    ),
)
claim(sentence("inbound.ordering.waits_too_late"), when=lambda letter: letter.over is not None)
claim(
    sentence("inbound.ordering.waits_when_it_goes_on"),
    when=lambda letter: bool(letter.position.timing.stop) and not letter.alone,
)
claim(
    sentence("inbound.ordering.waits_no_longer", alone=True),
    when=lambda letter: letter.alone and not letter.assignment.wait,
)
claim(
    sentence("inbound.ordering.waits_no_longer", alone=False),
    when=lambda letter: not letter.alone and not letter.assignment.wait,
)


def bot_lines(letter: Letter) -> Iterator[str]:
    vacant = ", ".join(
        seat for seat, assignment in letter.position.assignments.items() if not assignment.is_person
    )
    yield sentence("reports.report.bots_play", seats=vacant.split(", "), over=False)


claims(bot_lines, lambda _letter: True)
claims(
    lambda letter: iter(
        [f"Missing: {', '.join(lacking)}"]
        if (lacking := missing_orders(letter.game, letter.position).get(letter.seat))
        else []
    ),
    lambda _letter: True,
)


def reminder_lines(letter: Letter) -> Iterator[str]:
    turn, deadline = letter.game.rules.turn(letter.position.state).name, letter.position.deadline
    if letter.over:
        yield sentence("reports.messages.overdue", turn=turn)
        yield sentence("reports.messages.overdue_words", turn=turn)
    elif deadline is not None:
        time = messages.time_left(deadline, letter.now)
        yield sentence("reports.messages.orders_due", turn=turn, time=time)
        yield sentence("reports.messages.orders_due_words", turn=turn, time=time)


claims(reminder_lines, lambda letter: letter.runs or letter.over is not None)


# STATUS.


def order_status_lines(letter: Letter) -> Iterator[str]:
    position = without_waits(letter.position, letter.now)
    dues = letter.game.rules.due(position.state) if position.is_running else ()
    for seat, assignment in position.assignments.items():
        name = sentence("reports.report.reader_mark", seat=seat)
        if assignment.is_person and any(due.seat == seat for due in dues):
            done = all(
                has_all_orders(letter.game, position.state, due, assignment, position.filed.get(seat, ()))
                for due in dues
                if due.seat == seat
            )
            said = (
                sentence("inbound.queries.orders_in") if done else sentence("inbound.queries.orders_awaited")
            )
            yield f"{name} {said}"
        elif assignment.is_person:
            yield f"{name} {sentence('inbound.queries.nothing_due')}"
        else:
            yield f"{name} {sentence('inbound.queries.by_a_bot')}"


claims(order_status_lines, lambda _letter: True)
claims(
    lambda letter: iter(
        [
            sentence(
                "inbound.queries.untaken",
                lines=[
                    item.line
                    for item in letter.position.filed.get(letter.seat, ())
                    if isinstance(item, Untaken)
                ],
            )
        ]
    ),
    lambda letter: letter.flagged,
)


# Late emails.

claim(
    sentence("inbound.filing.counted_late"),
    sentence("inbound.filing.late_so_far"),
    when=lambda letter: letter.over is not None,
)
claim(sentence("inbound.filing.too_late"), when=lambda letter: letter.over is not None and letter.over.closed)


# Notices of time.


def notice(slug: str, values: Callable[[Letter], dict[str, object] | None]) -> Sentences:
    """Return a sentence of the catalogue with the values for an email, or nothing for None."""

    def said(letter: Letter) -> Iterator[str]:
        found = values(letter)
        if found is not None:
            yield sentence(f"reports.times.{slug}", **found)

    return said


def turn_of(letter: Letter) -> dict[str, object]:
    return {"turn": letter.turn}


def turn_and_deadline(letter: Letter) -> dict[str, object] | None:
    at = letter.position.deadline
    return None if at is None else {"turn": letter.turn, "deadline": times.both(at, ZONE)}


def is_stopped(kind: str) -> Condition:
    return lambda letter: letter.position.timing.stop is not None and letter.position.timing.stop.kind == kind


for paused, kind in ((True, "pause"), (False, "hold")):
    for slug in ("stopped", "stopped_subject"):
        claims(
            notice(slug, lambda letter, paused=paused: {"paused": paused, **turn_of(letter)}),
            is_stopped(kind),
        )
claim(sentence("reports.times.stopped_meanwhile"), when=lambda letter: bool(letter.position.timing.stop))
claims(notice("resumed_subject", turn_of), lambda letter: not letter.position.timing.stop)
claims(
    notice("waits_for_you", turn_of),
    lambda letter: letter.alone and letter.position.deadline is None and bool(letter.dues),
)
claims(notice("resumed", turn_and_deadline), lambda letter: letter.runs)
claims(notice("moved", turn_and_deadline), lambda letter: letter.runs)
claims(notice("nothing_due", turn_of), lambda letter: not letter.dues)
claims(notice("wound_up", turn_and_deadline), lambda letter: letter.runs)
claims(notice("moved_subject", turn_of), lambda letter: letter.runs)
claim(
    sentence("reports.times.unwound_subject"),
    when=lambda letter: letter.alone and letter.position.deadline is None,
)
claim(
    sentence("reports.times.unwound", owes=False),
    when=lambda letter: letter.alone and letter.position.deadline is None,
)
claim(
    sentence("reports.times.unwound", owes=True),
    when=lambda letter: (
        letter.alone and letter.position.deadline is None and (letter.next() is None or bool(letter.dues))
    ),
)


def put_off(slug: str, name: str) -> Sentences:
    def said(letter: Letter) -> Iterator[str]:
        found = turn_and_deadline(letter)
        people = [seat for seat, assignment in letter.position.assignments.items() if assignment.is_person]
        for seats in ([seat] for seat in people) if found else ():
            yield sentence(f"reports.times.{slug}", **{name: join_list(seats)}, **found)
        if found:
            yield sentence(f"reports.times.{slug}", **{name: join_list(people)}, **found)

    return said


claims(put_off("put_off", "silent"), lambda letter: letter.runs and letter.position.timing.extended)
claims(put_off("heeded", "gone"), lambda letter: letter.runs and bool(letter.position.absences))
claims(notice("put_off_subject", turn_of), lambda letter: letter.runs)
claim(sentence("reports.times.yours_missing"), when=lambda letter: letter.runs and bool(letter.lacks))
claim(sentence("reports.times.yours_on_file"), when=lambda letter: letter.runs)
claim(
    sentence("reports.times.new_terms_subject"),
    sentence("reports.times.new_terms"),
    when=lambda _letter: True,
)
claim(
    sentence("reports.times.new_terms_later"),
    when=lambda letter: letter.runs and letter.alone == (letter.position.timing.rest is not None),
)
claims(notice("waiting_subject", turn_of), is_stopped("nmr"))
claims(
    lambda letter: iter(
        sentence("reports.times.waiting", silent=join_list(seats), turn=letter.turn)
        for seats in [[seat] for seat in letter.position.assignments]
        + [[seat for seat, assignment in letter.position.assignments.items() if assignment.is_person]]
    ),
    is_stopped("nmr"),
)
claim(
    sentence("reports.times.waiting_for_yours"),
    sentence("reports.times.waiting_with_yours"),
    when=is_stopped("nmr"),
)


# The orders that are due.

claim(
    f"Deadline: {sentence('reports.report.no_deadline', seat='me')}",
    when=lambda letter: (
        letter.alone and letter.position.deadline is None and letter.plays(letter.with_all_in())
    ),
)
claim(
    sentence("reports.transcript.nothing_due", waits=True),
    when=lambda letter: not letter.dues and letter.assignment.wait,
)
claim(sentence("reports.transcript.nothing_due", waits=False), when=lambda letter: not letter.dues)
claim(sentence("inbound.ordering.waits_for_nothing"), when=lambda letter: not letter.dues)


# Outages, and changes of players.


def outage_lines(letter: Letter) -> Iterator[str]:
    values = turn_and_deadline(letter)
    if values is not None:
        said = sentence("reports.times.out_of_order", since="|", until="|", of_game=False, **values)
        yield said.rpartition("|. ")[2]


claims(outage_lines, lambda letter: letter.runs)
claims(
    lambda letter: (
        said
        for seat in letter.position.assignments
        for said in (
            sentence("reports.seats.changed_hands_subject", seat=seat, by_bot=True),
            sentence("reports.seats.changed_hands", seat=seat, by_bot=True).partition(". ")[0] + ".",
        )
        if not letter.position.assignments[seat].is_person
    ),
    lambda _letter: True,
)
claims(
    lambda letter: (
        said
        for seat in letter.position.assignments
        for said in (
            sentence("reports.seats.no_longer_subject", seat=seat, game=letter.position.name),
            sentence("reports.seats.no_longer", seat=seat, game=letter.position.name),
        )
        if letter.position.assignments[seat].address != letter.to
    ),
    lambda _letter: True,
)
