"""What all tests of the house share."""

from collections.abc import Iterator

import pytest

from adjudicator.outbound import composer
from tests.kit import logins, pictures, same_dice, sockets
from tests.kit.crashing_service import Nursery

no_socket_stays = sockets.no_socket_stays
unseen = pictures.unseen
many_logins = logins.many_logins
no_secret_is_drawn, counted_anew = same_dice.no_secret_is_drawn, same_dice.counted_anew


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters without maps, for tests that look at none: not even drawings are made."""
    monkeypatch.setattr(composer, "draw_map", lambda *position, **turn: None)


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where services are born that die: those of test_kill and of all campaigns."""
    with Nursery("tests.house.victim") as born:
        yield born
