"""The toy games of the tests, found among the kinds of games: Cairn, and the game of the tutorial."""

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import games
from tests.kit import tutorial

FOLDER = Path(__file__).parents[1] / "toy"


@contextmanager
def toy_found() -> Iterator[None]:
    """Add the folders of toys to those in which kinds are found, inside the context."""
    before = list(games.__path__)
    games.__path__.extend((str(FOLDER), _tutorials()))
    try:
        yield
    finally:
        games.__path__[:] = before


@cache
def _tutorials() -> str:
    """Return a folder with the game of the tutorial, for the life of this process."""
    folder = TemporaryDirectory(prefix="turnpost-tutorial-")
    atexit.register(folder.cleanup)
    tutorial.write(Path(folder.name))
    return folder.name
