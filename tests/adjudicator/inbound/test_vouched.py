"""Emails that only their From address authenticates: their effect, and the notice to the real owner."""

from dataclasses import replace

import pytest

from adjudicator.messages import sentence
from adjudicator.model.games import Suspension
from games.protocol import Seat
from tests.adjudicator.inbound.conftest import IROQUOIS, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import OFFICE

AGREED = {
    "Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net; "
    f"spf=pass smtp.mailfrom={IROQUOIS}"
}
EVERY = frozenset({"token", "password", "verified-from"})


@pytest.fixture
def trusting(context: MemoryPipeline) -> MemoryPipeline:
    """The desk of a service that believes its mail server."""
    context.service_context = replace(OFFICE, accept=EVERY, authserv_id="mx.example.org")
    return context


def test_a_vouched_letter_is_read_and_answered(trusting: MemoryPipeline) -> None:
    handled = trusting.takes(letter("Mohawk - Delaware", headers=AGREED))
    assert (handled.disposition, handled.seat) == ("read", "Iroquois")
    assert [answer.to for answer in handled.answers] == [IROQUOIS]
    assert "W MHK - DEL" in trusting.filed()


def test_signon_without_a_password_says_for_which_seat(trusting: MemoryPipeline) -> None:
    trusting.takes(letter("SIGNON demo Iroquois\nMohawk - Delaware", headers=AGREED))
    assert "W MHK - DEL" in trusting.filed()
    handled = trusting.takes(letter("SIGNON demo Muskhogean\nCherokee H", headers=AGREED, number=2))
    assert handled.acts == (), "it is another's"


def test_a_forged_letter_is_told_to_whom_it_names_once_a_day(trusting: MemoryPipeline) -> None:
    """The requests aren't carried out, and the notice says nothing that a forger could use."""
    first = trusting.takes(letter("Mohawk - Delaware"))
    assert (first.disposition, first.why) == (
        "quarantined",
        sentence("inbound.unknown_senders.nothing_vouches"),
    )
    (notice,) = first.answers
    assert notice.to == IROQUOIS
    assert "in your name" in notice.text
    for word in ("demo", "token", "password from"):
        assert word not in notice.text
    assert trusting.filed() == []
    again = trusting.takes(letter("Seneca H", number=2))
    assert again.answers[0].key == notice.key, "so that it is sent once"
    trusting.now += 24 * 3_600_000
    assert trusting.takes(letter("Seneca H", number=3)).answers[0].key != notice.key


def test_who_holds_two_seats_is_asked_which(trusting: MemoryPipeline) -> None:
    demo = trusting.repository.positions["demo"]
    trusting.repository.positions["beaver"] = replace(demo, name="beaver")
    handled = trusting.takes(letter("Mohawk - Delaware", headers=AGREED))
    assert handled.disposition == "quarantined"
    (asked,) = handled.answers
    assert "SIGNON beaver Iroquois\n" in asked.text
    assert "SIGNON demo Iroquois\n" in asked.text


def test_who_holds_a_seat_in_a_game_that_is_held_too_is_asked_which(
    trusting: MemoryPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An email that names no game may be for that one.

    A person with a seat only there has the email kept and is told so.
    """
    stuck = Suspension(
        game="beaver", kind="gone", sort="unreadable", why="it is gone", instead="bring it back"
    )
    trusting.repository.halted["beaver"] = stuck
    seats = [("beaver", Seat("Iroquois")), ("demo", Seat("Iroquois"))]
    monkeypatch.setattr(trusting.repository, "seats_of", lambda address: tuple(seats))
    assert trusting.takes(letter("Mohawk - Delaware", headers=AGREED)).disposition == "quarantined"
    assert trusting.filed() == []
    del seats[1]
    handled = trusting.takes(letter("Mohawk - Delaware", headers=AGREED, number=2))
    assert (handled.disposition, handled.game, handled.acts) == ("held", "beaver", ())
    assert sentence("inbound.quarantined.is_kept", game="beaver") in " ".join(handled.answers[0].text.split())


def test_a_strangers_orders_are_set_aside(trusting: MemoryPipeline) -> None:
    handled = trusting.takes(letter("Mohawk - Delaware", sender="nobody@example.com"))
    assert (handled.disposition, handled.acts) == ("quarantined", ())
    assert "MHK" not in handled.answers[0].text
