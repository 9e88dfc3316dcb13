"""Games whose secret nobody names have the same dice in each run: what a test sees is no matter of chance."""

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
def no_secret_is_drawn() -> Iterator[None]:
    """What is drawn by chance for a new game is counted instead."""
    with pytest.MonkeyPatch.context() as patch:
        counted = SimpleNamespace(token_bytes=_bytes, token_urlsafe=secrets.token_urlsafe)
        patch.setattr(signups, "secrets", counted)
        yield


@pytest.fixture(autouse=True)
def counted_anew() -> None:
    """So that a test alone sees what it sees among others."""
    _drawn[0] = itertools.count()
