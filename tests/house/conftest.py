"""What all tests of the house share."""

import pytest

from adjudicator.secretary import writing
from tests.kit import pictures, sockets

no_socket_stays = sockets.no_socket_stays
unseen = pictures.unseen


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters without maps, for tests that look at none: not even drawings are made."""
    monkeypatch.setattr(writing, "map_for", lambda *position, **turn: None)
