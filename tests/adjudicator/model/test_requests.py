"""Pending requests and the emails that ask for confirmation, as they are stored."""

import pytest

from adjudicator.model.people import EmailInDoubt, Request
from games.protocol import Seat


@pytest.mark.parametrize("stale", ["", "S1M"])
def test_an_email_that_its_writer_is_asked_about_is_kept_whole(stale: str) -> None:
    email = EmailInDoubt(letter="f00d", game="demo", seat=Seat("Iroquois"), turn="F1M", stale=stale)
    assert Request(address="a@example.org", lines=email.lines, at=1).email == email


def test_requests_of_before_name_no_turn_of_a_reply_address() -> None:
    lines = ("?EMAIL", "f00d", "demo", "Iroquois", "F1M")
    email = Request(address="a@example.org", lines=lines, at=1).email
    assert email == EmailInDoubt(letter="f00d", game="demo", seat=Seat("Iroquois"), turn="F1M")


@pytest.mark.parametrize("lines", [("JOIN demo",), ("?EMAIL", "f00d"), ()])
def test_other_requests_ask_about_no_email(lines: tuple[str, ...]) -> None:
    assert Request(address="a@example.org", lines=lines, at=1).email is None
