"""Overrides stored in one transaction, and imported games."""

from dataclasses import replace

import pytest

from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import DiceRoll, DieForced, FileOrders, content
from adjudicator.storage import outbox, stored_games
from adjudicator.storage.database import open_database
from adjudicator.storage.queries import LOG_BATCH_ENTRIES, DatabaseRepository
from adjudicator.storage.stored_games import SideEffects
from games.record import canonical, plain, replace_fields
from tests.kit.database_values import NOW, RED, entry, heap, new_game, outgoing_letter, played_turns, take


@pytest.fixture
def new_position_in_database(database):
    """A game that has just begun, as it stands."""
    stored_games.create(database, new_game(), [], NOW)
    return DatabaseRepository(database).position("demo")


def make_override_entry(position, state, number=None):
    """An entry for something done by hand."""
    number = position.entries if number is None else number
    force = DieForced(label="dig", numbers=(2,))
    made = entry(number, state, position.head_sha, options=content(force), by="gm", why="a test")
    return replace_fields(made, kind="die")


def amended(position, state, **fields):
    """The game after it, and its entry."""
    made = make_override_entry(position, state)
    after = replace(
        position, state=state, entries=made.number + 1, rev=position.rev + 1, head_sha=made.sha, **fields
    )
    return after, made


def test_all_that_is_changed_by_hand_is_on_the_books(database, new_position_in_database):
    stop = Timing(first=NOW + 9, stop=Stop(kind="hold", since=NOW, left=9, by="gm"))
    after, made = amended(
        new_position_in_database,
        heap(7),
        filed={RED: (take(3),)},
        assignments={
            seat: replace_fields(assignment, wait=True)
            for seat, assignment in new_position_in_database.assignments.items()
        },
        deadline=NOW + 5,
        played=0,
        by_hand=1,
        forced={"dig": (2,)},
        timing=stop,
    )
    stored_games.amend(database, new_position_in_database, after, made, SideEffects(NOW, [outgoing_letter()]))
    assert DatabaseRepository(database).position("demo") == after
    logged, state = stored_games.log(database, "demo")[-1]
    assert (logged.sha, state) == (made.sha, canonical(heap(7)))
    assert DatabaseRepository(database).overrides("demo") == (logged,)
    assert [one.sealed.key for one in outbox.list_posted(database, 9)] == [outgoing_letter().key]


def test_all_that_was_done_by_hand_since_the_last_turn_is_found_however_much_it_is(
    database, new_position_in_database
):
    made = []
    for _ in range(LOG_BATCH_ENTRIES + 1):
        now = DatabaseRepository(database).position("demo")
        after, entry_made = amended(now, now.state, by_hand=now.by_hand + 1)
        stored_games.amend(database, now, after, entry_made, SideEffects(NOW))
        made.append(entry_made)
    found = DatabaseRepository(database).overrides("demo")
    assert [one.number for one in found] == [one.number for one in made]


def test_the_end_of_a_log_is_told_as_the_whole_of_it(database, new_position_in_database):
    for number in range(3):
        now = DatabaseRepository(database).position("demo")
        after, made = amended(now, heap(9 - number), by_hand=now.by_hand + 1)
        stored_games.amend(database, now, after, made, SideEffects(NOW))
    repository = DatabaseRepository(database)
    whole = repository.log("demo")
    assert [repository.latest("demo", count) for count in (1, 2, 99)] == [whole[-1:], whole[-2:], whole]
    assert repository.latest("none", 2) == ()


def test_nothing_is_written_where_the_books_have_changed(database, new_position_in_database):
    after, made = amended(new_position_in_database, heap(7))
    act = FileOrders(game="demo", by="red", seat=RED, turn="T0", orders=(plain(take(1)),))
    turn = DatabaseRepository(database).turns("demo")[-1]
    stored_games.perform(database, [replace_fields(act, turn=turn)], [], NOW)
    now = DatabaseRepository(database).position("demo")
    with pytest.raises(WriteConflict):
        stored_games.amend(
            database, new_position_in_database, after, made, SideEffects(NOW, [outgoing_letter()])
        )
    assert DatabaseRepository(database).position("demo") == now
    assert outbox.list_posted(database, 9) == ()


def test_a_die_that_was_thrown_waits_no_longer_and_what_was_done_is_told_once(
    database, new_position_in_database
):
    after, made = amended(
        new_position_in_database,
        new_position_in_database.state,
        forced={"dig": (2,), "other": (1,)},
        by_hand=1,
    )
    stored_games.amend(database, new_position_in_database, after, made, SideEffects(NOW))
    before = DatabaseRepository(database).position("demo")
    done = played_turns(before)
    throw = DiceRoll(label="dig", sides=6, numbers=(2,), forced=True)
    first = replace_fields(done.steps[0].entry, throws=(throw,))
    done = replace_fields(done, steps=(replace_fields(done.steps[0], entry=first), *done.steps[1:]))
    stored_games.commit(database, before, done, SideEffects(NOW))
    position = DatabaseRepository(database).position("demo")
    assert position.forced == {"other": (1,)}
    assert (position.played, position.by_hand, position.dice_number) == (
        len(done.steps),
        1,
        len(done.steps) + 1,
    )
    assert DatabaseRepository(database).overrides("demo") == ()


def test_a_game_from_elsewhere_is_as_it_was_there(database, new_position_in_database, another):
    after, made = amended(
        new_position_in_database, heap(7), filed={RED: (take(3),)}, by_hand=1, forced={"dig": (2,)}
    )
    stored_games.amend(database, new_position_in_database, after, made, SideEffects(NOW))
    position, log = DatabaseRepository(database).position("demo"), stored_games.log(database, "demo")
    there = open_database(another)
    try:
        stored_games.bring_in(there, position, log, [], SideEffects(NOW, [outgoing_letter()]))
        assert DatabaseRepository(there).position("demo") == replace(position, rev=0)
        assert stored_games.log(there, "demo") == log
        assert len(outbox.list_posted(there, 9)) == 1
        with pytest.raises(Refusal, match="another game has that name"):
            stored_games.bring_in(there, position, log, [], SideEffects(NOW))
    finally:
        there.close()
