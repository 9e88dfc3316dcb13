"""When a game is checked next: never after something is due, and an idle game not before."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.clock import DAY, HOUR
from adjudicator.model.deadlines import Correction, Loan, Rest, Stop, Timing
from adjudicator.model.games import CHECK_AFTER_POLL, GamePosition
from adjudicator.model.people import Absence
from adjudicator.turns.due_actions import EndSubstitute, PlayTurn, find_due_action, next_check
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.memory_repository import DEADLINES, NOON, game_of, new_position

IROQUOIS, DAKOTA = Seat("Iroquois"), Seat("Dakota")
PEOPLE = {IROQUOIS: "iroquois@example.net", DAKOTA: "dakota@example.net"}
SUBSTITUTE = "elm@example.net"
OPENING = new_position("indianomacy", people=PEOPLE)
DEADLINE = NOON + 72 * HOUR
END = DEADLINE + DEADLINES.grace

instants = st.one_of(
    st.integers(NOON - 2 * DAY, NOON + 8 * DAY),
    st.sampled_from([DEADLINE, END, DEADLINE - 24 * HOUR, NOON, NOON + DAY]).flatmap(
        lambda at: st.integers(at - 2, at + 2)
    ),
)


@st.composite
def absences(draw: st.DrawFn) -> Absence:
    first = draw(instants)
    seat = draw(st.sampled_from([IROQUOIS, DAKOTA]))
    return Absence(seat=seat, first=first, last=first + draw(st.integers(1, 4 * DAY)))


@st.composite
def positions(draw: st.DrawFn) -> GamePosition:
    """A game in its first turn, in any of the ways in which time can bear on it."""
    game = game_of(OPENING)
    ordered = draw(st.sets(st.sampled_from([IROQUOIS, DAKOTA])))
    filed = {
        due.seat: tuple(game.rules.default(OPENING.state, due))
        for due in game.rules.due(OPENING.state)
        if due.seat in ordered
    }
    terms = replace_fields(
        DEADLINES,
        reminder=draw(st.sampled_from([0, 24 * HOUR, 100 * HOUR])),
        away=draw(st.sampled_from(["ignore", "deadline", "bot", "substitute"])),
        nmr=draw(st.sampled_from(["hold", "extend", "gm"])),
        protect=draw(st.booleans()),
        solo=draw(st.sampled_from(["clock", "waits"])),
        days_off=draw(st.sampled_from([(), ("sat", "sun")])),
    )
    assignments = dict(OPENING.assignments)
    for seat in (IROQUOIS, DAKOTA):
        assignments[seat] = replace_fields(assignments[seat], wait=draw(st.booleans()))
    if alone := draw(st.booleans()):
        assignments[DAKOTA] = assignments[DAKOTA].with_player(None)
    rests = alone and terms.solo == "waits"
    loans = {IROQUOIS: Loan(owner="ash@example.net", password=None, substitute="x", until=draw(instants))}
    timing = Timing(
        reminded=draw(st.booleans()),
        extended=draw(st.booleans()),
        by_hand=draw(st.booleans()),
        loans=draw(st.sampled_from([{}, loans])),
        rest=Rest(since=draw(st.integers(NOON - 100 * DAY, NOON)), told=draw(st.integers(0, 4)))
        if rests
        else None,
        correction=draw(st.none() | instants.map(lambda at: Correction(at=at, told={IROQUOIS: None}))),
        stop=draw(st.sampled_from([None, None, Stop(kind="pause", since=NOON, left=0, by="gm")])),
    )
    return replace(
        OPENING,
        filed=filed,
        assignments=assignments,
        deadlines=terms,
        deadline=None if rests else DEADLINE,
        early=draw(st.booleans()),
        timing=timing,
        absences=tuple(draw(st.lists(absences(), max_size=3))),
    )


@given(positions(), instants, st.lists(instants, min_size=8, max_size=8), st.booleans(), st.booleans())
def test_nothing_is_due_before_the_next_look(
    position: GamePosition, now: int, later: list[int], drained: bool, waits: bool
) -> None:
    game, substitutes = game_of(position), [SUBSTITUTE] * waits
    polled = now if drained else NOON - DAY
    if find_due_action(game, position, now, polled, substitutes) is not None:
        return
    again = next_check(game, position, now)
    assert again is None or again > now
    before = [at for at in later if at > now and (again is None or at < again)]
    # One that waits for the mailbox is looked at when that was looked through, whatever the time is.
    since = polled if again == CHECK_AFTER_POLL else None
    for at in before:
        assert find_due_action(game, position, at, since or at, substitutes) is None


def test_an_idle_game_is_looked_at_when_its_turn_is_over() -> None:
    assert next_check(game_of(OPENING), OPENING, NOON) == END + 1


def test_a_turn_that_waits_for_its_deadline_is_looked_at_then() -> None:
    waits = replace_fields(OPENING.assignments[DAKOTA], wait=True)
    position = replace(OPENING, assignments={**OPENING.assignments, DAKOTA: waits})
    assert next_check(game_of(position), position, NOON) == DEADLINE + 1
    assert next_check(game_of(position), position, DEADLINE + 1) == END + 1
    late = replace(OPENING, early=False)
    assert next_check(game_of(late), late, NOON) == DEADLINE + 1


def test_a_turn_that_waits_for_the_mailbox_is_looked_at_after_it() -> None:
    assert next_check(game_of(OPENING), OPENING, END + 1) == CHECK_AFTER_POLL
    assert find_due_action(game_of(OPENING), OPENING, END + 1, END + 1) == PlayTurn(ripe=True)


def test_a_seat_comes_back_once_the_mailbox_was_read_that_its_turn_waits_for() -> None:
    """Emails from before the deadline count first, for the seats as they were then."""
    loan = Loan(owner="ash@example.net", password=None, substitute="x", until=END + HOUR)
    position = replace(OPENING, timing=Timing(loans={IROQUOIS: loan}))
    game, now = game_of(position), END + 2 * HOUR
    assert next_check(game, position, END + 1) == CHECK_AFTER_POLL
    assert find_due_action(game, position, now, NOON) is None
    assert find_due_action(game, position, now, now) == EndSubstitute(IROQUOIS, loan)


@pytest.mark.parametrize(("reminder", "hours"), [(24, 48), (100, 36)])
def test_a_reminder_is_an_instant_to_look(reminder: int, hours: int) -> None:
    position = replace(OPENING, deadlines=replace_fields(DEADLINES, reminder=reminder * HOUR))
    assert next_check(game_of(position), position, NOON) == NOON + hours * HOUR


def test_an_absence_is_looked_at_when_it_begins_and_when_it_ends() -> None:
    absence = Absence(seat=IROQUOIS, first=NOON + HOUR, last=NOON + 2 * HOUR)
    away = replace(OPENING, absences=(absence,))
    game = game_of(OPENING)
    assert next_check(game, away, NOON) == absence.first
    assert next_check(game, away, absence.first) == absence.last


def test_a_game_that_stands_still_waits_for_no_instant() -> None:
    stopped = replace(OPENING, timing=Timing(stop=Stop(kind="pause", since=NOON, left=0, by="gm")))
    assert next_check(game_of(stopped), stopped, END + 1) is None


def test_a_game_whose_only_person_is_out_is_looked_at_when_its_bots_play_on() -> None:
    """A turn a deadline: 72 hours after the last one, and neither before nor at the daily look."""
    game = game_of(OPENING)
    state = OPENING.state
    out = replace_fields(
        state,
        units=tuple(unit for unit in state.units if unit.power != IROQUOIS),
        centres={at: power for at, power in state.centres.items() if power != IROQUOIS},
    )
    alone = {**OPENING.assignments, DAKOTA: OPENING.assignments[DAKOTA].with_player(None)}
    position = replace(
        OPENING,
        state=out,
        assignments=alone,
        deadlines=replace_fields(DEADLINES, solo="waits"),
        deadline=None,
        timing=Timing(rest=Rest(since=NOON)),
        played=1,
    )
    again = NOON + 72 * HOUR + 1
    assert next_check(game, position, NOON) == again
    assert find_due_action(game, position, again - 1, NOON) is None
    assert find_due_action(game, position, again, NOON) == PlayTurn(ripe=False)
