"""The deadlines of stored games: with each position, changed all at once, on both databases."""

from contextlib import suppress
from dataclasses import replace

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.model.people import OfferSeat
from adjudicator.storage import metadata, outbox, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import Minute, SideEffects
from adjudicator.storage.tables import ClockRow
from games.record import replace_fields
from tests.kit.database_values import BLUE, NOW, RED, new_game, outgoing_letter, played_turns

HOUR = 3_600_000
MINUTE = Minute(game="demo", at=NOW, by="gm", what="T0: held", why="a map is wrong")
STOP = Stop(kind="hold", since=NOW, left=HOUR, by="gm", why="a map is wrong")


def position(database) -> GamePosition:
    """Return the stored game."""
    found = DatabaseRepository(database).position("demo")
    assert found is not None
    return found


@pytest.fixture
def demo(database) -> GamePosition:
    stored_games.create(database, new_game(), (), NOW)
    return position(database)


def stop_clock_of(before: GamePosition) -> GamePosition:
    """The game with its clock stopped, other terms, and another in a chair."""
    assignment = before.assignments[RED].with_player("else@example.org")
    return replace(
        before,
        deadline=None,
        early=False,
        deadlines=replace_fields(before.deadlines, days_off=("sat",), nmr="extend", reminder=HOUR),
        timing=Timing(first=before.deadline, stop=STOP, lapses={"Red/1": 2}),
        assignments={**before.assignments, RED: assignment},
    )


def test_a_game_has_a_clock_like_any_other_until_something_is_written(demo):
    assert demo.timing == Timing()
    assert demo.absences == ()


def test_what_is_changed_is_read_back(database, demo):
    after = stop_clock_of(demo)
    stored_games.change(database, demo, after, MINUTE, SideEffects(NOW, [outgoing_letter()]))
    found = position(database)
    assert replace(found, rev=demo.rev) == after
    assert found.rev == demo.rev + 1
    assert stored_games.minutes(database, "demo") == (MINUTE,)
    assert outbox.counts(database)["ready"] == 1


def test_what_was_overtaken_leaves_nothing_behind(database, demo):
    stored_games.change(database, demo, replace(demo, early=False), None, SideEffects(NOW))
    free = OfferSeat(by="gm", game="demo", seat=BLUE, at=NOW)
    with suppress(WriteConflict):
        stored_games.change(
            database, demo, stop_clock_of(demo), MINUTE, SideEffects(NOW, [outgoing_letter()], [free])
        )
    assert position(database).timing == Timing()
    assert position(database).assignments == demo.assignments
    assert stored_games.minutes(database, "demo") == ()
    assert outbox.counts(database)["ready"] == 0
    assert DatabaseRepository(database).people.vacancies("demo") == ()


def test_who_was_overtaken_is_told(database, demo):
    stored_games.change(database, demo, replace(demo, early=False), None, SideEffects(NOW))
    with pytest.raises(WriteConflict):
        stored_games.change(database, demo, stop_clock_of(demo), MINUTE, SideEffects(NOW))


def test_a_change_and_what_people_do_with_it_go_together(database, demo):
    free = OfferSeat(by="gm", game="demo", seat=RED, at=NOW)
    after = replace(demo, assignments={**demo.assignments, RED: demo.assignments[RED].with_player(None)})
    stored_games.change(database, demo, after, MINUTE, SideEffects(NOW, (), [free]))
    assert DatabaseRepository(database).people.vacancies("demo") == (RED,)
    assert position(database).assignments[RED].address is None


def test_a_turn_that_is_played_sets_the_clock_anew(database, demo):
    stored_games.change(database, demo, stop_clock_of(demo), MINUTE, SideEffects(NOW))
    before = position(database)
    done = replace_fields(played_turns(before), timing=Timing(first=NOW, lapses={"Red/2": 1}))
    stored_games.commit(database, before, done, SideEffects(NOW))
    assert position(database).timing == Timing(first=NOW, lapses={"Red/2": 1})


def test_a_game_is_struck_from_the_books_with_its_letters_and_its_minutes_stay(database, demo):
    stored_games.create(database, new_game("other"), (), NOW)
    stored_games.change(database, demo, stop_clock_of(demo), MINUTE, SideEffects(NOW, [outgoing_letter()]))
    stored_games.delete(database, "demo", "gm", "a trial", NOW)
    assert DatabaseRepository(database).position("demo") is None
    assert DatabaseRepository(database).games() == ("other",)
    assert stored_games.log(database, "demo") == ()
    assert list(database.run(ClockRow.select().where(ClockRow.game == "demo"))) == []
    gone = replace_fields(MINUTE, what=stored_games.DELETED, why="a trial")
    assert stored_games.minutes(database, "demo") == (MINUTE, gone)
    assert DatabaseRepository(database).names() == {"demo", "other"}
    assert outbox.counts(database)["ready"] == 0


def test_minutes_are_of_one_game(database, demo):
    stored_games.note(database, replace_fields(MINUTE, game="other"))
    stored_games.note(database, MINUTE)
    assert stored_games.minutes(database, "demo") == (MINUTE,)


def test_when_the_service_was_alive(database):
    assert metadata.last_alive(database) is None
    metadata.note_alive(database, NOW)
    metadata.note_alive(database, NOW + 1)
    assert metadata.last_alive(database) == NOW + 1
    assert metadata.last_poll(database) is None
