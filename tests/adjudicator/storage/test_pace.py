"""Common rate limits for all senders: the database counts the emails to a domain."""

import threading

from adjudicator.clock import DAY
from adjudicator.config.servers import Rate
from adjudicator.storage import outbox
from adjudicator.storage.database import open_database
from adjudicator.storage.tables import GoneRow
from tests.kit.database_values import NOW

RATE = Rate(2, 60_000)


def admit(database, at, domain="gmail.com"):
    return outbox.admit(database, domain, RATE, NOW + at)


def test_two_senders_keep_one_pace(database, url):
    other = open_database(url)
    assert [admit(database, 0), admit(other, 10), admit(database, 20), admit(other, 20)] == [
        0,
        0,
        59_980,
        59_980,
    ]
    assert admit(other, 59_999) == 1
    assert [admit(database, 60_000), admit(other, 60_001)] == [0, 9]
    assert admit(other, 20, "example.net") == 0, "each domain has a pace of its own"
    other.close()


def test_of_many_at_once_no_more_go_than_may(database, url):
    waits = []

    def send():
        mine = open_database(url)
        waits.append(admit(mine, 0))
        mine.close()

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [0, 0, *[RATE.within] * 6]


def test_what_is_long_gone_is_forgotten(database):
    admit(database, 0)
    admit(database, 0, "example.net")
    admit(database, RATE.within)
    assert database.count(GoneRow.select()) == 2
    admit(database, DAY + RATE.within)
    assert database.count(GoneRow.select()) == 1
