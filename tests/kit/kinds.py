"""Kinds of games that are added for a while: variants in packages of their own."""

import itertools
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import games

KINDS = frozenset(games.kinds())
"""What is there anyway."""

_numbers = itertools.count()

_CODE = """\
from pathlib import Path
from games.diplomacy import game, survey
files = {file.name: file.read_text() for file in Path(__file__).parent.iterdir() if file.suffix != ".py"}
GAMES = (game(survey.read({name: text for name, text in files.items() if "." in name})),)
"""


@contextmanager
def added(folder: Path) -> Iterator[Path]:
    """While it lasts, what is put into a folder below this one is found among the kinds of games."""
    here = folder / f"kinds{next(_numbers)}"
    here.mkdir(parents=True)
    before, known = list(games.__path__), set(sys.modules)
    games.__path__.append(str(here))
    try:
        yield here
    finally:
        games.__path__[:] = before
        for name in set(sys.modules) - known:
            if name.startswith("games.") and str(here) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
                delattr(games, name.removeprefix("games."))


@contextmanager
def variant(folder: Path, name: str, files: Mapping[str, str]) -> Iterator[None]:
    """While it lasts, a variant of the Diplomacy family is there, of these files."""
    with added(folder) as here:
        package = here / name
        package.mkdir()
        (package / "__init__.py").write_text(_CODE)
        for file, text in files.items():
            (package / file).write_text(text)
        yield
