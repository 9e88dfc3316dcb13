"""Emails claimed by a worker: each sender's in order, and no sender before all others."""

import threading
from contextlib import suppress

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.model.mail import LetterOutcome
from adjudicator.storage import inbox
from adjudicator.storage.database import open_database
from adjudicator.storage.inbox import LetterEffects
from tests.kit.database_values import NOW, letter


def arrive(database, *senders):
    """Letters of these senders, in order, a second apart."""
    arrived = []
    for number, sender in enumerate(senders):
        one = letter(message_id=f"<{number}@x>", received=NOW + number * 1000, place=f"new/{number}")
        raw = one.raw.replace(b"red@example.org", f"{sender}@example.org".encode())
        arrived.append(type(one)(mailbox=one.mailbox, place=one.place, received=one.received, raw=raw))
    inbox.store_letters(database, arrived, NOW)


def claim(database, worker="one", now=NOW, limit=20):
    return [kept.number for kept in inbox.claim(database, now, worker, limit)]


def read(database, *numbers):
    for number in numbers:
        kept = next(one for one in inbox.waiting_letters(database, 9999) if one.number == number)
        inbox.settle(database, kept, LetterOutcome(disposition="read"), LetterEffects(), NOW)


def test_a_letter_is_in_one_workers_hands(database):
    arrive(database, "red", "blue", "green")
    assert claim(database, "one", limit=2) == [1, 2]
    assert claim(database, "two") == [3]
    assert claim(database, "two", now=NOW + 1) == [3], "what one has left lying one takes up again"


def test_nobody_takes_a_letter_while_an_earlier_one_of_its_sender_is_read(database):
    arrive(database, "red", "red", "blue")
    assert claim(database, "one", limit=1) == [1]
    assert claim(database, "two") == [3]
    read(database, 1)
    assert claim(database, "two") == [2, 3]


def test_a_lease_that_has_run_out_is_no_more(database):
    arrive(database, "red", "red")
    claim(database, "one")
    assert claim(database, "two", now=NOW + inbox.LETTER_LEASE_MS - 1) == []
    assert claim(database, "two", now=NOW + inbox.LETTER_LEASE_MS) == [1, 2]


def test_two_thousand_letters_of_one_sender_hold_up_nobody_elses(database):
    arrive(database, *["red"] * 2000, "blue", "green", *["blue"] * 3)
    claimed = claim(database)
    assert claimed == [*range(1, 11), 2001, 2002, 2003, 2004, 2005, *range(11, 16)]


def test_few_letters_are_read_as_they_came(database):
    arrive(database, "red", "blue", "red", "blue", "red")
    assert claim(database) == [1, 2, 3, 4, 5]


def test_what_is_forgiven_is_free(database):
    arrive(database, "red")
    claim(database)
    inbox.strike(database, [1])
    inbox.forgive(database, [1])
    assert claim(database, "two") == [1]


def test_whoever_was_stopped_for_longer_than_his_lease_settles_nothing(database):
    """Another reads the letters in order; the sleeper would settle the second before the first."""
    arrive(database, "red", "red")
    _, second = inbox.claim(database, NOW, "sleeper")
    assert claim(database, "other", now=NOW + inbox.LETTER_LEASE_MS) == [1, 2]
    with suppress(WriteConflict):
        inbox.settle(
            database, second, LetterOutcome(disposition="read"), LetterEffects(), NOW + inbox.LETTER_LEASE_MS
        )
    assert [kept.number for kept in inbox.waiting_letters(database)] == [1, 2]
    inbox.forgive(database, [1, 2], "sleeper")
    assert claim(database, "third", now=NOW + inbox.LETTER_LEASE_MS) == [], "they stay in the other's hands"


def test_one_letter_is_claimed_by_its_number(database):
    arrive(database, "red", "blue")
    assert inbox.claim_one(database, 2, NOW, "one").number == 2
    assert inbox.claim_one(database, 2, NOW, "two") is None
    assert claim(database, "two") == [1]


def test_what_the_dead_had_in_hand_is_free(database):
    arrive(database, "red", "blue")
    claim(database, "one", limit=1)
    claim(database, "two")
    assert inbox.give_back(database, ["one"]) == 1
    assert claim(database, "three") == [1]
    assert inbox.give_back(database) == 2


@pytest.mark.parametrize("count", [4])
def test_of_many_who_claim_at_once_none_gets_what_another_has(url, database, count):
    """A worker's emails from a sender are the first of those that are left."""
    arrive(database, *[f"s{number % 7}" for number in range(140)])
    claimed: dict[int, list[int]] = {one: [] for one in range(count)}
    begin = threading.Barrier(count)

    def work(one: int) -> None:
        own = open_database(url)
        begin.wait()
        while found := claim(own, str(one), limit=3):
            claimed[one] += found
            read(own, *found)
        own.close()

    threads = [threading.Thread(target=work, args=(one,)) for one in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for mine in claimed.values() for number in mine) == list(range(1, 141))
