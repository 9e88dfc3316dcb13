"""The toys of these tests, put where kinds of games are looked for: Cairn, and the game of the tutorial."""

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
    """While it lasts, the folders of toys are among those in which kinds are found."""
    before = list(games.__path__)
    games.__path__.extend((str(FOLDER), _tutorials()))
    try:
        yield
    finally:
        games.__path__[:] = before


@cache
def _tutorials() -> str:
    """A folder with the game of the tutorial, for as long as this process runs."""
    folder = TemporaryDirectory(prefix="turnpost-tutorial-")
    atexit.register(folder.cleanup)
    tutorial.write(Path(folder.name))
    return folder.name
