"""The marks of restored games and their data, on either kind of database."""

from dataclasses import replace

import pytest

from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import EndGame, SeatAssignment
from adjudicator.model.mail import GenerationWindow, LetterOutcome, RestoreMark
from adjudicator.storage import inbox, people, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import SideEffects
from games.protocol import GameResult
from games.record import replace_fields
from tests.kit.database_values import BLUE, NOW, RED, keep, letter, new_game

HOUR = 3_600_000


@pytest.fixture
def repository(database):
    """Two games: in each Red is a person's, and Blue a bot's."""
    for name in ("demo", "other"):
        stored_games.create(database, new_game(name), [], NOW)
    return DatabaseRepository(database)


def test_each_seat_of_a_person_gets_tokens_that_nobody_was_sent(database, repository):
    """A seat that only bots have held keeps its own, by which it is known as such."""
    assert repository.restore_mark("demo") is None
    raised = people.mark_all(database, NOW, NOW + 9)
    assert [(game, after.seat, before.generation, after.generation) for game, before, after in raised] == [
        ("demo", RED, 1, 7),
        ("other", RED, 1, 7),
    ]
    assignments = repository.position("demo").assignments
    assert (assignments[RED].generation, assignments[BLUE].generation) == (7, 1)
    assert repository.restore_mark("demo") == RestoreMark(
        made=NOW, restored=NOW + 9, seats={RED: GenerationWindow(low=1, high=6, current=7)}
    )
    assert list(repository.restore_mark("demo").generations(assignments[RED])) == [1, 2, 3, 4, 5, 6]


def test_what_was_shown_narrows_the_window_and_new_keys_close_it(database, repository):
    people.mark_all(database, NOW, NOW + 9)
    people.narrow_window(database, "demo", RED, 2, 8)
    mark = repository.restore_mark("demo")
    assert mark.seats == {RED: GenerationWindow(low=3, high=6, current=8)}
    assert list(mark.generations(SeatAssignment(seat=RED, address="a@example.org", generation=8))) == [
        3,
        4,
        5,
        6,
    ]
    assert list(mark.generations(SeatAssignment(seat=RED, address="a@example.org", generation=9))) == []
    for game, seat, generation in (("demo", RED, 12), ("demo", BLUE, 2), ("none", RED, 2)):
        people.narrow_window(database, game, seat, 1, generation)
    assert repository.restore_mark("demo") == mark


def test_every_clock_that_runs_is_stopped(database, repository):
    """With the time that was left at the backup; a clock that a GM has stopped stays stopped."""
    position = repository.position("other")
    stop = Stop(kind="hold", since=NOW, left=5, by="gm", why="a map is wrong")
    held = replace(position, deadline=None, timing=Timing(stop=stop))
    stored_games.change(database, position, held, None, SideEffects(NOW))
    deadline = repository.position("demo").deadline
    assert stored_games.pause_all(database, deadline - HOUR // 2, NOW + 9 * HOUR, "gm", "restored") == [
        "demo"
    ]
    after = repository.position("demo")
    assert (after.deadline, after.timing.first) == (None, deadline)
    assert after.timing.stop == Stop(
        kind="pause", since=NOW + 9 * HOUR, left=HOUR // 2, by="gm", why="restored"
    )
    assert [one.what for one in stored_games.minutes(database, "demo")] == [stored_games.PAUSED_BY_RESTORE]
    assert repository.position("other").timing.stop == stop


def test_an_email_waits_for_a_turn_and_is_read_again(database, repository):
    kept = keep(database, letter())
    waits = {"demo": "T3", "other": "T9"}
    handled = LetterOutcome("postponed", "waits", "red@example.org", game="demo", waits=waits)
    inbox.settle(database, kept, handled, inbox.LetterEffects(), NOW)
    assert inbox.waiting_letters(database) == ()
    assert inbox.list_waiting(database, "demo") == {kept.number: "T3"}
    assert inbox.list_waiting(database, "other") == {}
    assert inbox.find_of_ended_games(database) == ()

    inbox.reopen_postponed(database, [kept.number])
    (again,) = inbox.waiting_letters(database)
    assert (again.game, again.seat, again.tries) == ("demo", None, 0)
    again = inbox.add_turns(database, again)
    assert again.waited == waits
    inbox.settle(database, again, LetterOutcome("read", None, "red@example.org"), inbox.LetterEffects(), NOW)
    assert inbox.add_turns(database, replace_fields(kept, game="demo")).waited == {}


def test_an_email_that_waits_for_a_game_that_is_over_is_found(database, repository):
    kept = keep(database, letter())
    handled = LetterOutcome("postponed", "waits", None, game="demo", waits={"demo": "T3"})
    inbox.settle(database, kept, handled, inbox.LetterEffects(), NOW)
    end = EndGame(game="demo", by="gm", why="given up", result=GameResult(winners=(), reason="given up"))
    with database.writing():
        stored_games.end(database, end, NOW)
    assert inbox.find_of_ended_games(database) == (kept.number,)
    inbox.reopen_postponed(database, [kept.number])
    assert inbox.find_of_ended_games(database) == ()


def test_what_was_read_later_for_a_seat_is_known(database, repository):
    kept = keep(database, letter(received=NOW + 5))
    inbox.settle(
        database,
        kept,
        LetterOutcome("read", None, "red@example.org", game="demo", seat=RED),
        inbox.LetterEffects(),
        NOW,
    )
    assert repository.has_read_later("demo", RED, NOW)
    assert not repository.has_read_later("demo", RED, NOW + 5)
    assert not repository.has_read_later("demo", BLUE, NOW)
