"""Gives games without a chosen secret the same dice in each run, so that tests don't depend on chance."""

import hashlib
import itertools
import secrets
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from adjudicator.outbound import signups

_drawn = [itertools.count()]


def _bytes(size: int) -> bytes:
    return hashlib.shake_256(b"%d" % next(_drawn[0])).digest(size)


@pytest.fixture(scope="session", autouse=True)
def count_secrets() -> Iterator[None]:
    """Count the secrets of new games instead of drawing them."""
    with pytest.MonkeyPatch.context() as patch:
        counted = SimpleNamespace(token_bytes=_bytes, token_urlsafe=secrets.token_urlsafe)
        patch.setattr(signups, "secrets", counted)
        yield


@pytest.fixture(autouse=True)
def restart_counting() -> None:
    """Restart the count, so that a single test gets the same dice as in a whole run."""
    _drawn[0] = itertools.count()
