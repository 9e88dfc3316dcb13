"""Seals passwords cheaply: every game in the tests has some, and each takes as long as a turn.

Tests of the cost of a trial use `restore_full_cost`.
"""

import pytest

from adjudicator.auth import passwords

_FULL, _CHEAP = passwords._COST, 1 << 4


def begin() -> None:
    """Seal cheaply from now on."""
    passwords._COST = _CHEAP


def restore_full_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal as the service does, until the test ends."""
    monkeypatch.setattr(passwords, "_COST", _FULL)
