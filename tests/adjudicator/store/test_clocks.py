"""The clocks of games on the books: with each position, changed all at once, on both engines."""

from contextlib import suppress
from dataclasses import replace

import pytest

from adjudicator.errors import Overtaken
from adjudicator.ledger.hours import Stop, Timing
from adjudicator.ledger.people_acts import OfferSeat
from adjudicator.ledger.positions import Position
from adjudicator.store import clocks, games, meta, outbox
from adjudicator.store.acts import Entailed
from adjudicator.store.books import StoredBooks
from adjudicator.store.clocks import Minute
from adjudicator.store.tables import ClockRow
from games.record import changed
from tests.kit.books import BLUE, NOW, RED, new_game, played, sealed

HOUR = 3_600_000
MINUTE = Minute(game="demo", at=NOW, by="gm", what="T0: held", why="a map is wrong")
STOP = Stop(kind="hold", since=NOW, left=HOUR, by="gm", why="a map is wrong")


def position(database) -> Position:
    """The game as it stands on the books."""
    found = StoredBooks(database).position("demo")
    assert found is not None
    return found


@pytest.fixture
def demo(database) -> Position:
    games.create(database, new_game(), (), NOW)
    return position(database)


def held(before: Position) -> Position:
    """The game with its clock stopped, other terms, and another in a chair."""
    chair = before.chairs[RED].taken_by("else@example.org")
    return replace(
        before,
        deadline=None,
        early=False,
        deadlines=changed(before.deadlines, days_off=("sat",), nmr="extend", reminder=HOUR),
        timing=Timing(first=before.deadline, stop=STOP, lapses={"Red/1": 2}),
        chairs={**before.chairs, RED: chair},
    )


def test_a_game_has_a_clock_like_any_other_until_something_is_written(demo):
    assert demo.timing == Timing()
    assert demo.absences == ()


def test_what_is_changed_is_read_back(database, demo):
    after = held(demo)
    clocks.change(database, demo, after, MINUTE, Entailed(NOW, [sealed()]))
    found = position(database)
    assert replace(found, rev=demo.rev) == after
    assert found.rev == demo.rev + 1
    assert clocks.minutes(database, "demo") == (MINUTE,)
    assert outbox.counts(database)["ready"] == 1


def test_what_was_overtaken_leaves_nothing_behind(database, demo):
    clocks.change(database, demo, replace(demo, early=False), None, Entailed(NOW))
    free = OfferSeat(by="gm", game="demo", seat=BLUE, at=NOW)
    with suppress(Overtaken):
        clocks.change(database, demo, held(demo), MINUTE, Entailed(NOW, [sealed()], [free]))
    assert position(database).timing == Timing()
    assert position(database).chairs == demo.chairs
    assert clocks.minutes(database, "demo") == ()
    assert outbox.counts(database)["ready"] == 0
    assert StoredBooks(database).society.vacancies("demo") == ()


def test_who_was_overtaken_is_told(database, demo):
    clocks.change(database, demo, replace(demo, early=False), None, Entailed(NOW))
    with pytest.raises(Overtaken):
        clocks.change(database, demo, held(demo), MINUTE, Entailed(NOW))


def test_a_change_and_what_people_do_with_it_go_together(database, demo):
    free = OfferSeat(by="gm", game="demo", seat=RED, at=NOW)
    after = replace(demo, chairs={**demo.chairs, RED: demo.chairs[RED].taken_by(None)})
    clocks.change(database, demo, after, MINUTE, Entailed(NOW, (), [free]))
    assert StoredBooks(database).society.vacancies("demo") == (RED,)
    assert position(database).chairs[RED].address is None


def test_a_turn_that_is_played_sets_the_clock_anew(database, demo):
    clocks.change(database, demo, held(demo), MINUTE, Entailed(NOW))
    before = position(database)
    done = changed(played(before), timing=Timing(first=NOW, lapses={"Red/2": 1}))
    games.commit(database, "demo", done, before.rev, Entailed(NOW))
    assert position(database).timing == Timing(first=NOW, lapses={"Red/2": 1})


def test_a_game_is_struck_from_the_books_with_its_letters_and_its_minutes_stay(database, demo):
    games.create(database, new_game("other"), (), NOW)
    clocks.change(database, demo, held(demo), MINUTE, Entailed(NOW, [sealed()]))
    clocks.delete(database, "demo", "gm", "a trial", NOW)
    assert StoredBooks(database).position("demo") is None
    assert StoredBooks(database).games() == ("other",)
    assert games.log(database, "demo") == ()
    assert list(database.run(ClockRow.select().where(ClockRow.game == "demo"))) == []
    gone = changed(MINUTE, what=clocks.DELETED, why="a trial")
    assert clocks.minutes(database, "demo") == (MINUTE, gone)
    assert StoredBooks(database).names() == {"demo", "other"}
    assert outbox.counts(database)["ready"] == 0


def test_minutes_are_of_one_game(database, demo):
    clocks.note(database, changed(MINUTE, game="other"))
    clocks.note(database, MINUTE)
    assert clocks.minutes(database, "demo") == (MINUTE,)


def test_when_the_service_was_alive(database):
    assert meta.last_alive(database) is None
    meta.note_alive(database, NOW)
    meta.note_alive(database, NOW + 1)
    assert meta.last_alive(database) == NOW + 1
    assert meta.last_poll(database) is None
