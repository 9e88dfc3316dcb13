"""Copying between the kinds of databases: complete, in batches, and resumable."""

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.storage import archive, inbox, metadata, stored_games
from adjudicator.storage.database import open_database
from adjudicator.storage.queries import DatabaseRepository
from tests.kit.database_values import NOW, letter, new_game, outgoing_letter

GAMES, LETTERS = 3, 120


@pytest.fixture
def full(database):
    """Books with some games, and more letters than one batch holds."""
    metadata.service_key(database)
    for number in range(GAMES):
        stored_games.create(database, new_game(f"game{number}"), [outgoing_letter(key=f"k{number}")], NOW)
    letters = [
        letter(message_id=f"<{n}@example.org>", place=f"new/{n}", body=f"Take {n}") for n in range(LETTERS)
    ]
    inbox.store_letters(database, letters, NOW)
    return database


@pytest.fixture
def target(request, url, tmp_path):
    """An empty database of the other kind."""
    away = request.getfixturevalue("postgresql").fresh() if "://" not in url else str(tmp_path / "target.db")
    opened = open_database(away)
    yield opened
    opened.close()


def carried(source, target):
    """All steps of carrying over, the last one first."""
    return list(archive.carry(source, target, archive.begin(target, archive.origin_of(source))))[::-1]


def test_every_table_comes_over_into_the_other_kind_of_database(full, target):
    last, *_ = steps = carried(full, target)
    assert len(steps) > len(archive.ALL_TABLES)
    assert archive.sums(target) == archive.sums(full)
    assert last.rows == archive.rows(full) == sum(one.rows for one in archive.sums(target).values())
    archive.finish(target)
    assert metadata.progress(target) is None
    assert metadata.service_key(target) == metadata.service_key(full)
    for name in DatabaseRepository(full).games():
        assert DatabaseRepository(target).position(name) == DatabaseRepository(full).position(name)
    new = letter(message_id="<new@example.org>", place="new/new")
    inbox.store_letters(target, [new], NOW)
    assert max(one.number for one in inbox.list_letters(target, 999)) == LETTERS + 1


@pytest.mark.parametrize("steps", [1, 5, 20, 24])
def test_what_is_broken_off_goes_on_where_it_was(full, target, steps):
    """Committed work isn't repeated, and nothing is missing."""
    going = archive.carry(full, target, archive.begin(target, archive.origin_of(full)))
    for _ in range(steps):
        so_far = next(going)
    going.close()
    assert metadata.progress(target) == so_far
    *_, last = archive.carry(full, target, metadata.progress(target))
    assert last.rows == archive.rows(full)
    assert archive.sums(target) == archive.sums(full)


def test_two_who_carry_over_the_same_do_not_do_it_twice(full, target):
    start = archive.begin(target, archive.origin_of(full))
    one, other = archive.carry(full, target, start), archive.carry(full, target, start)
    next(one)
    with pytest.raises(WriteConflict):
        next(other)
    for _ in one:
        pass
    assert archive.sums(target) == archive.sums(full)


def test_a_row_that_is_changed_shows_in_the_sum_of_its_table_and_no_other(full, target):
    carried(full, target)
    inbox.strike(target, [7])
    before, after = archive.sums(full), archive.sums(target)
    assert [table for table in before if before[table] != after[table]] == ["letter"]
    assert before["letter"].rows == after["letter"].rows


def test_where_books_were_moved_to_is_noted_and_can_be_taken_back(full):
    before = archive.sums(full)
    metadata.note_moved(full, "elsewhere")
    assert metadata.moved_to(full) == "elsewhere"
    assert archive.sums(full) == before
    metadata.note_moved(full, None)
    assert metadata.moved_to(full) is None
