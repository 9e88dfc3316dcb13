"""Claims of replies about deadlines, waiting turns and paused games, and their conditions."""

from collections.abc import Iterator

from adjudicator.clock import Millis, format_instant
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import IDLE_NOTICES_MS, is_in_play
from adjudicator.model.games import GamePosition
from adjudicator.reports import times
from adjudicator.turns.deadlines import people_due
from tests.kit.claims import Claims, Sentences
from tests.kit.letter_states import ZONE, Letter

CLAIMS = Claims()
claim, claims = CLAIMS.add, CLAIMS.add_made


# Deadlines.


def deadline_said(letter: Letter) -> Iterator[str]:
    for at in deadlines_of(letter.position):
        yield f"Deadline: {format_instant(at, ZONE)} {format_instant(at)}"
        yield f"Deadline: {times.both(at, ZONE)}"
        yield f"Deadline: {format_instant(at, ZONE)}."
        yield f"Deadline {format_instant(at, ZONE)} {format_instant(at)}"


def deadlines_of(position: GamePosition) -> Iterator[Millis]:
    if position.deadline is not None:
        yield position.deadline
    elif position.timing.rest is not None and not is_in_play(
        position.game, position.state, position.assignments
    ):
        kind = position.game.rules.turn(position.state).kind
        yield position.timing.rest.since + position.deadlines.length(kind)


claims(deadline_said, lambda letter: letter.runs or (letter.alone and not letter.in_play))
claims(
    lambda letter: iter((times.overdue_line(letter.over, ZONE),) if letter.over else ()),
    lambda letter: (
        letter.over.closed
        or not letter.waited_for
        or (letter.plays(letter.with_all_in()) and letter.next(at=letter.over.until + 1) is not None)
    ),
)


# The reasons for which a turn waits, in replies.


def outlook(slug: str, **values: object) -> Sentences:
    return lambda _letter: iter([sentence(f"reports.transcript.{slug}", **values)])


def may_run_early(letter: Letter) -> bool:
    """Return whether there is a deadline, and the turn may run before it."""
    return letter.runs and letter.position.early


def goes_when_all_are_in(letter: Letter) -> bool:
    """Return whether the turn runs if all orders are in, but doesn't if a player says WAIT."""
    others = [due.seat for due in people_due(letter.game, letter.position)]
    return letter.plays(letter.with_all_in()) and all(
        not letter.plays(letter.with_all_in(wait=seat)) for seat in others
    )


claims(
    outlook("earlier"),
    lambda letter: may_run_early(letter) and goes_when_all_are_in(letter) and bool(letter.lacks),
)
claims(
    outlook("all_in"),
    lambda letter: (
        bool(letter.dues)
        and may_run_early(letter)
        and goes_when_all_are_in(letter)
        and not letter.lacks
        and letter.plays(letter.with_all_in(but=letter.seat))
    ),
)
claims(
    outlook("said_ready"),
    lambda letter: (
        may_run_early(letter)
        and letter.assignment.ready
        and bool(letter.lacks)
        and letter.plays(letter.with_all_in(but=letter.seat))
    ),
)
claims(
    outlook("at_deadline"),
    lambda letter: letter.runs and not letter.position.early and not letter.plays(letter.with_all_in()),
)
claims(
    outlook("wait", alone=False),
    lambda letter: (
        letter.runs
        and letter.assignment.wait
        and not letter.plays(letter.with_all_in(but=letter.seat))
        and (
            bool(letter.lacks)
            or letter.flagged
            or letter.plays(letter.with_all_in(but=letter.seat), letter.position.deadline + 1)
        )
    ),
)
claims(
    outlook("wait", alone=True),
    lambda letter: letter.alone and letter.assignment.wait and letter.next() is None,
)
claims(
    outlook("wait_stopped", alone=False),
    lambda letter: bool(letter.position.timing.stop) and letter.assignment.wait and not letter.alone,
)
claims(
    outlook("wait_stopped", alone=True),
    lambda letter: bool(letter.position.timing.stop) and letter.assignment.wait and letter.alone,
)
claims(outlook("wait_over"), lambda letter: letter.over is not None and letter.assignment.wait)
claims(outlook("alone_in"), lambda letter: letter.alone and letter.plays(letter.position))
claims(
    outlook("alone"),
    lambda letter: (
        letter.alone
        and not letter.plays(letter.position)
        and letter.plays(letter.with_all_in())
        and letter.position.deadline is None
    ),
)
claim(
    f"Deadline: {sentence('reports.transcript.no_deadline')}",
    when=lambda letter: letter.alone and letter.position.deadline is None,
)
claim(f"Deadline: {sentence('reports.transcript.no_deadline_now')}", when=lambda letter: not letter.runs)
claims(outlook("yours_missing"), lambda letter: letter.over is not None and bool(letter.lacks))


def rests(until: str) -> Sentences:
    return lambda _letter: iter(
        sentence("reports.transcript.rests", until=until, in_queue=in_queue, queues=queues)
        for in_queue in (True, False)
        for queues in (True, False)
    )


def held_by_mistake(letter: Letter) -> bool:
    """Return whether only this seat's mistake keeps the turn from running: READY would run it otherwise."""
    mended = letter.with_all_in()
    return letter.flagged and not letter.plays(letter.with_all_in(but=letter.seat)) and letter.plays(mended)


claims(
    rests("deadline"),
    lambda letter: letter.runs and letter.flagged and not letter.plays(letter.with_all_in(but=letter.seat)),
)
claims(
    rests("alone"),
    lambda letter: letter.alone and held_by_mistake(letter) and not letter.position.timing.stop,
)
claims(rests("stopped"), lambda letter: bool(letter.position.timing.stop) and letter.flagged)
claims(
    rests("grace"),
    lambda letter: (
        letter.over is not None
        and held_by_mistake(letter)
        and letter.next(at=letter.over.until + 1) is not None
    ),
)


# Paused and suspended games, and games without a deadline.

claims(
    lambda letter: iter(
        [times.why_no_deadline(letter.position.timing.stop)] if letter.position.timing.stop else []
    ),
    lambda letter: bool(letter.position.timing.stop) and letter.next(at=letter.now + 10**12) is None,
)
claim(
    sentence("reports.times.no_deadline_now"),
    sentence("inbound.queries.no_deadline"),
    when=lambda letter: bool(letter.position.timing.stop),
)
claim(
    sentence("reports.transcript.alone"),
    when=lambda letter: (
        letter.alone and letter.position.deadline is None and letter.plays(letter.with_all_in())
    ),
)
claim(
    f"Deadline: {sentence('reports.report.no_deadline', seat=None)}",
    sentence("inbound.queries.no_clock"),
    when=lambda letter: letter.alone and letter.position.deadline is None,
)
claims(
    lambda letter: iter([sentence("reports.messages.waits_words", game=letter.position.name)]),
    lambda letter: letter.alone and letter.position.deadline is None and bool(letter.dues),
)
claims(
    lambda letter: iter([sentence("reports.messages.asleep_words", game=letter.position.name)]),
    lambda letter: (
        letter.position.timing.rest is not None and letter.position.timing.rest.told >= len(IDLE_NOTICES_MS)
    ),
)
