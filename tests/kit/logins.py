"""Logins without the limit of an account: for tests that look through a real mailbox many times a minute."""

import pytest

from adjudicator.mail import imap


@pytest.fixture
def many_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many connections at once as a test wants."""
    monkeypatch.setattr(imap, "BURST", 1_000_000)
