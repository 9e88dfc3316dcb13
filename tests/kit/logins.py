"""Logins without the rate limit: for tests that read a real mailbox many times a minute."""

import pytest

from adjudicator.mail import imap


@pytest.fixture
def many_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow any number of connections at once."""
    monkeypatch.setattr(imap, "BURST", 1_000_000)
