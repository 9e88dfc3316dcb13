"""Delayed press, and warnings about copies, in the database. On both databases."""

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.model.people import HoldPress, NoteCopyWarning, Press, ReleasePress, SendPress
from adjudicator.storage import archive, people, stored_games
from adjudicator.storage.database import open_database
from adjudicator.storage.queries import DatabaseRepository
from tests.kit.database_values import BLUE, NOW, RED, new_game


def wrote(database, key, text="hello", game="demo"):
    """Red writes to Blue."""
    press = Press(turn="T0", seat=RED, kind="white", to=(BLUE,), text=text, at=NOW)
    people.apply_action(database, SendPress(by=RED, game=game, press=press, key=key))


def hold(key, reader="Blue", game="demo", at=NOW):
    return HoldPress(by=RED, game=game, key=key, reader=reader, at=at)


def release(*keys, reader="Blue"):
    return ReleasePress(by="clock", game="demo", keys=keys, reader=reader)


@pytest.fixture
def people_repository(database):
    stored_games.create(database, new_game(), (), NOW)
    stored_games.create(database, new_game("elk"), (), NOW)
    return DatabaseRepository(database).people


def test_press_waits_in_the_order_in_which_it_was_written(database, people_repository):
    for key, text in (("z", "first"), ("a", "second")):
        wrote(database, key, text)
    for key in ("a", "z", "a"):
        people.apply_action(database, hold(key))
    people.apply_action(database, hold("z", "watcher@example.com", at=NOW + 1))
    held = people_repository.held_press("demo")
    assert [(one.press.text, one.reader, one.since) for one in held] == [
        ("first", "Blue", NOW),
        ("first", "watcher@example.com", NOW + 1),
        ("second", "Blue", NOW),
    ]
    assert people_repository.held_press() == held
    assert people_repository.held_press("elk") == ()


def test_what_went_out_waits_no_longer(database, people_repository):
    for key in ("a", "b"):
        wrote(database, key)
        people.apply_action(database, hold(key))
        people.apply_action(database, hold(key, "watcher@example.com"))
    people.apply_action(database, release("a"))
    assert [(one.key, one.reader) for one in people_repository.held_press()] == [
        ("a", "watcher@example.com"),
        ("b", "Blue"),
        ("b", "watcher@example.com"),
    ]


def test_nobody_sends_it_twice(database, people_repository):
    """If two try at once, one does nothing."""
    for key in ("a", "b"):
        wrote(database, key)
        people.apply_action(database, hold(key))
    people.apply_action(database, release("a"))
    with pytest.raises(WriteConflict), database.writing():
        people.apply_action(database, release("a", "b"))
    assert [one.key for one in people_repository.held_press()] == ["b"]


def test_with_its_game_it_is_gone(database, people_repository):
    wrote(database, "a")
    people.apply_action(database, hold("a"))
    people.apply_action(database, NoteCopyWarning(by="x", game="demo", seat=RED, address="red@example.org"))
    stored_games.delete(database, "demo", "gm", "a test", NOW)
    assert people_repository.held_press() == ()
    assert not people_repository.is_warned_of_copies("demo", RED, "red@example.org")


def test_a_warning_is_for_one_player_of_one_seat(database, people_repository):
    people.apply_action(database, NoteCopyWarning(by="x", game="demo", seat=RED, address="red@example.org"))
    people.apply_action(database, NoteCopyWarning(by="x", game="demo", seat=RED, address="red@example.org"))
    assert people_repository.is_warned_of_copies("demo", RED, "red@example.org")
    assert not people_repository.is_warned_of_copies("demo", RED, "new@example.org")
    assert not people_repository.is_warned_of_copies("demo", BLUE, "red@example.org")
    assert not people_repository.is_warned_of_copies("elk", RED, "red@example.org")


def test_a_backup_holds_both(database, people_repository, another, tmp_path):
    wrote(database, "a")
    people.apply_action(database, hold("a"))
    people.apply_action(database, NoteCopyWarning(by="x", game="demo", seat=RED, address="red@example.org"))
    archive.save(database, tmp_path / "copy.db", {})
    restored = open_database(another)
    archive.restore(restored, tmp_path / "copy.db", NOW)
    there = DatabaseRepository(restored).people
    assert there.held_press() == people_repository.held_press()
    assert there.is_warned_of_copies("demo", RED, "red@example.org")
    restored.close()
