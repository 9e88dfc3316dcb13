"""The toy of these tests, put where kinds of games are looked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import games

FOLDER = Path(__file__).parents[1] / "toy"


@contextmanager
def toy_found() -> Iterator[None]:
    """While it lasts, the folder of toys is one of those in which kinds are found."""
    before = list(games.__path__)
    games.__path__.append(str(FOLDER))
    try:
        yield
    finally:
        games.__path__[:] = before
