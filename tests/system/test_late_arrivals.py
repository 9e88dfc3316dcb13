"""An email that was sent earlier and arrives later counts, and its reply says what it replaced."""

from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from adjudicator.messages import sentence
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.system.test_quoted_sheets import on_file
from tests.system.test_replies import FRANCE, begin, newest

MINUTE = 60_000


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    with local_service(tmp_path) as found:
        begin(found)
        found.clock.advance(60 * MINUTE)
        yield found


def say(place: LocalService, text: str, minutes_ago: float) -> str:
    """The reply to an email that was on its way for so long."""
    sent = formatdate((place.clock.now() - minutes_ago * MINUTE) / 1000)
    place.write(FRANCE, str(newest(place)["Reply-To"]), text, "hello", Date=sent)
    place.work()
    return " ".join(text_of(newest(place)).split())


def is_told(reply: str) -> bool:
    """Return whether the reply says that an earlier email replaced a later one."""
    told = sentence("inbound.late_arrivals.replaced", earlier="EARLIER", later="LATER")
    return all(part.strip() in reply for part in told.replace("LATER", "EARLIER").split("EARLIER"))


def test_an_email_sent_earlier_counts_and_says_what_it_replaced(place: LocalService) -> None:
    assert not is_told(say(place, "A Par - Bur", 0))
    place.clock.advance(MINUTE)
    reply = say(place, "A Par - Pic", 35)
    assert on_file(place) == ["A PAR - PIC"]
    assert is_told(reply)


def test_nothing_is_said_where_nothing_was_replaced(place: LocalService) -> None:
    say(place, "A Par - Bur", 0)
    place.clock.advance(MINUTE)
    assert not is_told(say(place, "A Mar - Spa", 35))
    place.clock.advance(MINUTE)
    assert not is_told(say(place, "A Par - Bur", 35)), "it says the same"


def test_nothing_is_said_of_emails_in_their_order(place: LocalService) -> None:
    for minutes, order in ((50, "A Par - Bur"), (40, "A Par - Pic"), (0, "A Par - Gas")):
        assert not is_told(say(place, order, minutes))
        place.clock.advance(MINUTE)


def test_a_clock_that_is_seconds_wrong_says_nothing(place: LocalService) -> None:
    say(place, "A Par - Bur", 0)
    assert not is_told(say(place, "A Par - Pic", 0.5))


def test_an_email_without_a_date_says_nothing(place: LocalService) -> None:
    say(place, "A Par - Bur", 0)
    place.write(FRANCE, str(newest(place)["Reply-To"]), "A Par - Pic", "hello")
    place.work()
    assert not is_told(" ".join(text_of(newest(place)).split()))
    assert on_file(place) == ["A PAR - PIC"]


def test_emails_to_another_game_do_not_count(place: LocalService) -> None:
    say(place, "PRESS TO GERMANY\nhello\nENDPRESS", 0)
    place.clock.advance(MINUTE)
    assert not is_told(say(place, "A Par - Pic", 35))
    assert on_file(place) == ["A PAR - PIC"]
