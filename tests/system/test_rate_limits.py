"""Two senders on the same database share the rate limits, and a slow domain delays no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.clock import MINUTE, ManualClock
from adjudicator.config.service import load_settings
from adjudicator.model.mail import OutgoingMessage
from adjudicator.service import Service, open_service
from adjudicator.storage import outbox
from adjudicator.storage.tables import OutRow
from tests.kit.counting_mail_server import CountingMailServer
from tests.kit.service_harness import START

CONFIG = """\
[service]
address = "gm@example.org"
database = "turnpost.db"
[inbox]
url = "maildir:./in"
[outbox]
url = "smtp://127.0.0.1:{smtp}"
probe = false
pace = {{ "gmail.com" = "5/m" }}
"""


@pytest.fixture
def window(tmp_path: Path) -> Iterator[CountingMailServer]:
    """The mail server that receives the emails."""
    with CountingMailServer("gm@example.org", tmp_path / "in", 60) as opened:
        yield opened


def put_emails(service: Service, to: list[str]) -> None:
    """Letters to addresses."""
    letters = [
        OutgoingMessage(
            key=one,
            message_id=f"<{one}>",
            sender="gm@example.org",
            to=one,
            raw=b"Message-ID: <m>\r\n\r\nx\r\n",
        )
        for one in to
    ]
    outbox.put(service.database, letters, START)


@pytest.fixture
def senders(tmp_path: Path, window: CountingMailServer) -> Iterator[tuple[Service, Service]]:
    """Two services on the same books, before sixty letters to a slow domain and one to another."""
    (tmp_path / "gm.toml").write_text(CONFIG.format(smtp=window.port))
    settings, clock = load_settings(tmp_path / "gm.toml"), ManualClock(START)
    houses = open_service(settings, clock), open_service(settings, clock)
    put_emails(houses[0], [*(f"a{number}@gmail.com" for number in range(60)), "b@example.net"])
    yield houses
    for service in houses:
        service.database.close()


def slow(window: CountingMailServer) -> int:
    """Return how many emails the slow domain has accepted."""
    return sum(address.endswith("gmail.com") for address, _ in window.got)


def test_all_who_send_keep_one_pace(senders: tuple[Service, Service], window: CountingMailServer) -> None:
    one, other = senders
    assert one.send() == 6
    put_emails(one, ["new@gmail.com"])
    assert other.send() == 0
    assert slow(window) == 5
    one.clock.advance(MINUTE)
    assert other.send() + one.send() == 5
    assert slow(window) == 10


def test_nobody_waits_behind_what_goes_slowly(
    senders: tuple[Service, Service], window: CountingMailServer
) -> None:
    """With more of them than are claimed at once."""
    senders[0].send(limit=10)
    assert ("b@example.net", "<m>") in window.got


def test_what_waits_is_looked_at_when_it_may_go_and_not_all_for_a_few(
    senders: tuple[Service, Service],
) -> None:
    one, _ = senders
    one.send()
    for passed in range(1, 4):
        one.clock.advance(MINUTE)
        due = OutRow.select().where((OutRow.state == "ready") & (OutRow.not_before <= one.clock.now()))
        with one.database.reading():
            assert one.database.count(due) == 5, passed
        one.send()
