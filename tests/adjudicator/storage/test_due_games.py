"""Games to process: claimed by one worker, released, and processed at once after an event."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import psycopg
import pytest
from psycopg.errors import LockNotAvailable

from adjudicator.clock import DAY
from adjudicator.model.games import (
    CHECK_AFTER_POLL,
    CHECK_AT_ONCE,
    CHECK_SPREAD_MS,
    MAX_CHECK_INTERVAL_MS,
    DueCheck,
    SetReady,
)
from adjudicator.model.people import (
    Absence,
    GameOffer,
    GamePolicy,
    MakeOffer,
    NoteAbsence,
    NotePerson,
    Person,
    SignUp,
    Signup,
)
from adjudicator.storage import due_games, inbox, metadata, people, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import SideEffects
from adjudicator.storage.tables import DigestRow
from tests.kit.database_values import NOW, RED, new_game, played_turns

LATER = NOW + 5 * DAY


@pytest.fixture
def started_database(database):
    for name in ("ash", "elm", "oak"):
        stored_games.create(database, new_game(name), (), NOW)
    return database


def claim(database, worker="one", now=NOW, limit=9):
    return due_games.claim(database, now, worker, now + due_games.GAME_LEASE_MS, limit)


def rev(database, name):
    return DatabaseRepository(database).position(name).rev


def happens(database, what):
    """Something happens to a game: by an act, which raises its revision, or beside it."""
    if what == "act":
        ready = SetReady(game="ash", seat=RED, by=RED, turn="T0", ready=True)
        stored_games.perform(database, [ready], (), NOW)
    elif what == "turn":
        position = DatabaseRepository(database).position("ash")
        stored_games.commit(database, position, played_turns(position), SideEffects(NOW))
    elif what == "clock":
        position = DatabaseRepository(database).position("ash")
        stored_games.change(database, position, replace(position, early=False), None, SideEffects(NOW))
    elif what == "absence":
        absence = Absence(seat=RED, first=NOW, last=LATER)
        people.apply_action(database, NoteAbsence(by=RED, game="ash", seat=RED, absence=absence))
    elif what == "sign-up":
        people.apply_action(
            database, SignUp(by="x", signup=Signup(game="ash", address="x@example.org", since=NOW))
        )


def test_a_game_is_in_one_workers_hands(started_database):
    first = claim(started_database, "one", limit=2)
    assert len(first) == 2
    # Which of games that are due alike comes first is the database's own affair.
    assert claim(started_database, "two") == tuple(
        name for name in ("ash", "elm", "oak") if name not in first
    )
    assert claim(started_database, "one") == ()


def test_a_poll_that_ends_while_a_game_is_looked_at_is_waited_for_no_longer(started_database):
    """Otherwise the game would wait for the next poll: this one found nothing for it."""
    until = partial(inbox.read_until, started_database)
    metadata.note_poll(started_database, NOW - 1)
    (seen,) = {until()}
    claim(started_database)
    metadata.note_poll(started_database, NOW)
    due_games.after_poll(started_database)
    waits = [
        DueCheck(name, rev(started_database, name), CHECK_AFTER_POLL, at)
        for name, at in (("ash", seen), ("elm", until()))
    ]
    due_games.settle(started_database, "one", waits, until)
    assert due_games.due(started_database, NOW) == ("ash",)
    due_games.after_poll(started_database)
    assert due_games.due(started_database, NOW) == ("ash", "elm")


def test_who_gives_games_back_holds_none_while_he_waits_for_another(started_database, url):
    """Otherwise two workers could wait for each other."""
    claim(started_database)
    if not started_database.is_shared:
        # One writes at a time there: nobody can wait for him.
        due_games.settle(
            started_database,
            "one",
            [DueCheck(name, rev(started_database, name), LATER) for name in ("ash", "elm")],
        )
        assert due_games.due(started_database, LATER - 1) == ("oak",)
        return
    with psycopg.connect(url) as other, psycopg.connect(url, autocommit=True) as watch:
        other.execute("UPDATE game SET look_at = look_at WHERE name = 'elm'")
        back = [DueCheck(name, rev(started_database, name), LATER) for name in ("ash", "elm")]
        with ThreadPoolExecutor(1) as threads:
            settled = threads.submit(due_games.settle, started_database, "one", back)
            while not watch.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
                assert not settled.done()
            other.execute("SET lock_timeout = 100")
            waits_for = None
            try:
                other.execute("UPDATE game SET look_at = look_at WHERE name = 'ash'")
            except LockNotAvailable:
                waits_for = "ash"
            other.rollback()
            settled.result(60)
    assert waits_for is None
    assert due_games.due(started_database, LATER - 1) == ("oak",)


def test_what_happens_to_a_game_in_hand_puts_it_into_no_other_hands(started_database):
    claim(started_database, "one")
    happens(started_database, "act")
    assert due_games.due(started_database, NOW) == ("ash",)
    assert claim(started_database, "two") == ()


def test_a_lease_that_has_run_out_is_no_more(started_database):
    claim(started_database, "one")
    assert claim(started_database, "two", now=NOW + due_games.GAME_LEASE_MS - 1) == ()
    assert claim(started_database, "two", now=NOW + due_games.GAME_LEASE_MS) == ("ash", "elm", "oak")


def test_what_was_taken_over_is_not_given_back(started_database):
    claim(started_database, "one")
    claim(started_database, "two", now=NOW + due_games.GAME_LEASE_MS)
    due_games.settle(started_database, "one", [DueCheck("ash", 0, LATER)])
    assert claim(started_database, "three", now=NOW + due_games.GAME_LEASE_MS) == ()


def test_a_game_is_found_when_it_is_to_be_looked_at_again(started_database):
    claimed = claim(started_database)
    due_games.settle(
        started_database, "one", [DueCheck(name, rev(started_database, name), LATER) for name in claimed]
    )
    assert due_games.due(started_database, LATER - 1) == ()
    assert claim(started_database, now=LATER) == ("ash", "elm", "oak")


@pytest.mark.parametrize("what", ["act", "absence", "sign-up"])
def test_what_happens_meanwhile_is_not_overwritten(started_database, what):
    claim(started_database)
    seen = rev(started_database, "ash")
    happens(started_database, what)
    due_games.settle(started_database, "one", [DueCheck("ash", seen, LATER)])
    assert claim(started_database, "two") == ("ash",)


@pytest.mark.parametrize("what", ["act", "turn", "clock", "absence", "sign-up"])
def test_what_happens_afterwards_has_it_looked_at(started_database, what):
    claim(started_database)
    due_games.settle(started_database, "one", [DueCheck("ash", 0, LATER)])
    happens(started_database, what)
    assert due_games.due(started_database, NOW) == ("ash",)


def test_what_one_did_himself_is_no_reason_to_look_again(started_database):
    claim(started_database)
    happens(started_database, "act")
    due_games.settle(started_database, "one", [DueCheck("ash", rev(started_database, "ash"), LATER)])
    assert due_games.due(started_database, NOW) == ()


def test_games_are_given_back_by_all_who_died(started_database):
    claim(started_database, "one", limit=1)
    claim(started_database, "two", limit=1)
    assert due_games.give_back(started_database) == 2
    assert set(claim(started_database, "three")) == {"ash", "elm", "oak"}


def test_a_sign_up_has_a_game_looked_at_that_waits_for_people(database):
    offer = GameOffer(name="elk", kind="pebbles", options={}, needed=2, customs=GamePolicy())
    people.apply_action(database, MakeOffer(by="gm", offer=offer, at=NOW))
    (seen,) = due_games.offers_due(database, NOW).values()
    for address in ("x@example.org", "y@example.org"):
        people.apply_action(database, SignUp(by="x", signup=Signup(game="elk", address=address, since=NOW)))
        due_games.put_off_offer(database, "elk", seen, LATER)
        assert list(due_games.offers_due(database, NOW)) == ["elk"]
    (seen,) = due_games.offers_due(database, NOW).values()
    due_games.put_off_offer(database, "elk", seen, LATER)
    assert due_games.offers_due(database, LATER - 1) == {}
    assert list(due_games.offers_due(database, LATER)) == ["elk"]


def test_who_moves_to_another_zone_has_his_digest_looked_at(database):
    with database.writing():
        row = {"address": "x@example.org", "digest": "daily", "seen": NOW, "look_at": LATER}
        database.run(DigestRow.insert(**row).as_rowcount())
    assert due_games.digests_due(database, NOW) == {}
    people.apply_action(
        database, NotePerson(by="x", person=Person(address="x@example.org", zone="Asia/Tokyo"))
    )
    assert list(due_games.digests_due(database, NOW)) == ["x@example.org"]


def test_everything_is_looked_at_once_a_day():
    assert due_games.within_a_day("ash", NOW + 1, NOW) == NOW + 1
    for reckoned in (None, NOW + 9 * DAY):
        assert (
            NOW + MAX_CHECK_INTERVAL_MS
            <= due_games.within_a_day("ash", reckoned, NOW)
            < NOW + MAX_CHECK_INTERVAL_MS + CHECK_SPREAD_MS
        )
    assert due_games.within_a_day("ash", CHECK_AT_ONCE, NOW) == CHECK_AT_ONCE
