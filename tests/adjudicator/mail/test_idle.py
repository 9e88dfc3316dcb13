"""A server that rejects IDLE is retried ever less often, and logins stay below the limit."""

import random
import threading
from collections.abc import Iterator

import pytest

from adjudicator.config.secrets import Secret
from adjudicator.config.servers import Imap
from adjudicator.errors import PostFault
from adjudicator.mail.imap import Backoff, ConnectionLimit, ImapMailbox
from tests.kit import imap_server as servers
from tests.kit.imap_server import ImapServer, Manner, imap_server
from tests.kit.manual_timer import ManualTimer

MINUTE, HOUR = 60.0, 3600.0
MOST_A_MINUTE = 12
DOUBLED = [2, 4, 8, 16, 32, 64, 128, 256, 300]


class Even(random.Random):
    """Draws no jitter."""

    def uniform(self, low: float, high: float) -> float:
        return 1.0


@pytest.fixture
def timer() -> ManualTimer:
    """An hour that takes no time."""
    return ManualTimer(until=HOUR)


@pytest.fixture
def server(timer: ManualTimer) -> Iterator[ImapServer]:
    """A server that refuses IDLE."""
    with imap_server(timer.now, timer.forward) as running:
        yield running


@pytest.fixture
def box(server: ImapServer, timer: ManualTimer) -> ImapMailbox:
    """A mailbox on it."""
    at = Imap("127.0.0.1", server.port, "none", "gm", Secret("text", "secret"))
    return ImapMailbox(at, patience=Backoff(Even()), timer=timer)


def poll(box: ImapMailbox) -> None:
    """Look through the mailbox, which is empty."""
    assert list(box.new_letters(lambda places: ())) == []


def most_in_a_minute(times: list[float]) -> int:
    """Return the largest number of these moments within one minute."""
    return max(sum(at <= one <= at + MINUTE for one in times) for at in times)


def serve(box: ImapMailbox, server: ImapServer, timer: ManualTimer) -> list[float]:
    """Watch for an hour, and poll each minute and whenever the bell rings. Returns when it rang."""
    rings: list[float] = []

    def ring() -> None:
        rings.append(timer.now())
        poll(box)
        assert server.idling is not None
        server.idling.is_heard.set()

    timer.every(MINUTE, lambda: poll(box))
    box.watch(ring, threading.Event())
    return rings


@pytest.mark.parametrize("manner", [servers.refuse, servers.misunderstand, servers.hang_up])
def test_the_pause_doubles_up_to_five_minutes_and_polls_go_on(
    box: ImapMailbox, server: ImapServer, timer: ManualTimer, manner: Manner
) -> None:
    server.manner = manner
    rings = serve(box, server, timer)
    paused = [one for one in timer.pauses if one in DOUBLED]  # the rest are waits for a turn to dial
    assert paused[: len(DOUBLED)] == DOUBLED
    assert set(paused[len(DOUBLED) :]) == {300}
    polls = int(timer.now() / MINUTE)
    assert len(server.dialled_at) == len(paused) + polls + len(rings)
    assert most_in_a_minute(server.dialled_at) <= MOST_A_MINUTE


def test_a_refusal_rings_for_nobody(box: ImapMailbox, server: ImapServer, timer: ManualTimer) -> None:
    assert serve(box, server, timer) == []


def test_an_idle_that_the_server_ends_within_a_minute_has_failed(
    box: ImapMailbox, server: ImapServer, timer: ManualTimer
) -> None:
    server.manner = servers.idle_for(59)
    serve(box, server, timer)
    assert timer.pauses[:4] == [2, 4, 8, 16]


def test_an_idle_that_lasts_a_minute_works(box: ImapMailbox, server: ImapServer, timer: ManualTimer) -> None:
    server.manner = servers.idle_for(61)
    serve(box, server, timer)
    assert set(timer.pauses) == {2}
    assert most_in_a_minute(server.dialled_at) <= MOST_A_MINUTE


def test_after_an_idle_that_worked_the_pause_is_short_again(
    box: ImapMailbox, server: ImapServer, timer: ManualTimer
) -> None:
    manners = iter([servers.refuse, servers.refuse, servers.refuse, servers.idle_for(61)])
    server.manner = lambda connection: next(manners, servers.refuse)(connection)
    serve(box, server, timer)
    assert timer.pauses[:6] == [2, 4, 8, 2, 4, 8]


def test_a_flood_of_news_logs_in_no_more_than_a_dozen_times_a_minute(
    box: ImapMailbox, server: ImapServer, timer: ManualTimer
) -> None:
    """Each new email wakes the client, and each wake-up is a poll."""
    server.manner, stop = servers.accept, threading.Event()

    def ring() -> None:
        poll(box)
        assert server.idling is not None
        server.idling.say("* 1 EXISTS")
        if len(server.dialled_at) > 100:
            stop.set()

    box.watch(ring, stop)
    assert most_in_a_minute(server.dialled_at) <= MOST_A_MINUTE


def test_the_copies_of_many_emails_are_looked_up_over_one_connection(
    box: ImapMailbox, server: ImapServer
) -> None:
    assert box.arrival_times([f"<{number}@example.org>" for number in range(50)]) == {}
    assert len(server.dialled_at) == 1
    assert box.arrival_times([]) == {}
    assert len(server.dialled_at) == 1


def test_a_server_that_failed_is_not_asked_for_copies_either(box: ImapMailbox, server: ImapServer) -> None:
    """Otherwise a login that is refused would be tried again every few seconds."""
    server.login = "NO [AUTHENTICATIONFAILED] wrong password"
    for _ in range(20):
        with pytest.raises(PostFault):
            box.arrival_times(["<1@example.org>"])
    assert len(server.dialled_at) == 1


def test_idle_is_tried_out(box: ImapMailbox, server: ImapServer) -> None:
    (refusal,) = (found for found in box.try_out() if "IDLE" in found)
    assert "IDLE is not for you" in refusal
    server.manner = servers.accept
    assert not [found for found in box.try_out() if "IDLE" in found]


# The limit by itself.


def dialled(limit: ConnectionLimit, timer: ManualTimer, count: int) -> list[float]:
    """When so many connections are dialled, as fast as the limit lets them."""
    times = []
    for _ in range(count):
        assert limit.wait_for_turn(threading.Event())
        times.append(timer.now())
    return times


def test_four_at_once_and_then_eight_a_minute() -> None:
    timer = ManualTimer(until=HOUR)
    times = dialled(ConnectionLimit(timer), timer, 40)
    assert times[:6] == [0, 0, 0, 0, 7.5, 15]
    assert most_in_a_minute(times) == MOST_A_MINUTE


def test_after_a_rest_four_may_go_at_once_again() -> None:
    timer = ManualTimer(until=HOUR)
    limit = ConnectionLimit(timer)
    dialled(limit, timer, 20)
    timer.forward(HOUR / 2)
    now = timer.now()
    assert dialled(limit, timer, 5) == [now, now, now, now, now + 7.5]


def test_nobody_waits_for_a_turn_when_the_service_stops(box: ImapMailbox, timer: ManualTimer) -> None:
    stop = threading.Event()
    limit = ConnectionLimit(timer)
    dialled(limit, timer, 4)
    stop.set()
    assert not limit.wait_for_turn(stop)
    for _ in range(4):
        poll(box)
    box.close()
    with pytest.raises(PostFault):
        poll(box)
