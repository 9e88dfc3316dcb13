"""Logins without the limit of an account: for tests that look through a real mailbox many times a minute."""

import pytest

from adjudicator.mail import connection_limit


@pytest.fixture
def many_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many connections at once as a test wants."""
    monkeypatch.setattr(connection_limit, "BURST", 1_000_000)
