"""Common parts of all tests of the whole service."""

from collections.abc import Iterator

import pytest

from adjudicator.outbound import composer
from tests.kit import fixed_dice, logins, pictures, sockets
from tests.kit.crashing_service import ServiceForker

no_socket_stays = sockets.no_socket_stays
skip_drawing = pictures.skip_drawing
many_logins = logins.many_logins
count_secrets, restart_counting = fixed_dice.count_secrets, fixed_dice.restart_counting


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters without maps, for tests that look at none: not even drawings are made."""
    monkeypatch.setattr(composer, "draw_map", lambda *position, **turn: None)


@pytest.fixture(scope="session")
def forker() -> Iterator[ServiceForker]:
    """Where services are born that die: those of test_kill and of all campaigns."""
    with ServiceForker("tests.system.killed_service") as born:
        yield born
