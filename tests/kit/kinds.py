"""Adds kinds of games temporarily: variants in separate packages."""

import itertools
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import games
from adjudicator.variants import use_variants

KINDS = frozenset(games.kinds())
"""The installed kinds."""

FEWER_POWERS: Mapping[str, str] = {
    "england-turkey": "two of the seven powers, fleets of England at sea",
    "france-austria": "two of the seven powers",
    "france-germany-austria": "three of the seven powers",
    "germany-italy": "two of the seven powers",
}
"""The kinds that have the map, the rules and the words of the standard board, and how they differ from it.

Tests of every kind run on them in the soak. In the suite they share the standard board's run, apart from
`tests.conftest.EACH_KIND`.
"""

OWN_BOARDS: Mapping[str, str] = {"gulf": "four powers round a gulf"}
"""The kinds with armies and fleets on a board that we drew. Tests of every kind run on them as above."""

PAGE = Path(__file__).parents[2] / "docs" / "variants.md"
_numbers = itertools.count()


@contextmanager
def add_kinds_folder(folder: Path) -> Iterator[Path]:
    """Find kinds of games in a folder below this one too, inside the context."""
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


def put_variant(folder: Path, name: str, files: Mapping[str, str] | None = None) -> Path:
    """Write a variant into a folder of variants, in place of an earlier one. By default it is the strait."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for file, text in (files or strait(name)).items():
        (place / file).write_text(text)
    return place


@contextmanager
def variant(folder: Path, name: str, files: Mapping[str, str]) -> Iterator[None]:
    """Add a variant of the Diplomacy family made of these files, inside the context."""
    put_variant(folder, name, files)
    before = games.variants_in_use()
    games.use_variants({**before, name: files})
    try:
        yield
    finally:
        games.use_variants(before)


@contextmanager
def own_variants(folder: Path) -> Iterator[Path]:
    """Play the variants in a folder too, inside the context."""
    before = games.variants_in_use()
    use_variants(folder)
    try:
        yield folder
    finally:
        games.use_variants(before)


def strait(name: str = "strait") -> dict[str, str]:
    """Return the files of the small variant in docs/variants.md, under its own name."""
    files = re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return {file: text.replace('"name": "strait"', f'"name": "{name}"') for file, text in files}
