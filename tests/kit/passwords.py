"""Seals passwords cheaply: every game in the suite has some, and each takes as long as a turn.

What it costs to try one is proved where a test asks for it, by `restore_full_cost`.
"""

import pytest

from adjudicator.auth import passwords

_FULL, _CHEAP = passwords._COST, 1 << 4


def begin() -> None:
    """From now on seal cheaply."""
    passwords._COST = _CHEAP


def restore_full_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal as the service does, until the test ends."""
    monkeypatch.setattr(passwords, "_COST", _FULL)
