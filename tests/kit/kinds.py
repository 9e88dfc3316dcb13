"""Adds kinds of games temporarily: variants in separate packages."""

import itertools
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import games

KINDS = frozenset(games.kinds())
"""The installed kinds."""

PAGE = Path(__file__).parents[2] / "docs" / "variants.md"
_numbers = itertools.count()

_CODE = """\
from dataclasses import replace
from pathlib import Path
from games.diplomacy import game, variant_check
(folder,) = Path(__file__).parent.glob("data*")
read = game(variant_check.read_variant({file.name: file.read_text() for file in folder.iterdir()}))
GAMES = (replace(read, package=__name__, folders=(folder.name,)),)
"""


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


@contextmanager
def variant(folder: Path, name: str, files: Mapping[str, str]) -> Iterator[None]:
    """Add a variant of the Diplomacy family made of these files, inside the context."""
    with add_kinds_folder(folder) as here:
        package = here / name
        data = package / f"data{next(_numbers)}"
        data.mkdir(parents=True)
        (package / "__init__.py").write_text(_CODE)
        # The maps are drawn with the family's templates.
        shutil.copytree(Path(games.__path__[0]) / "diplomacy" / "templates", package / "templates")
        for file, text in files.items():
            (data / file).write_text(text)
        yield


def strait(name: str = "strait") -> dict[str, str]:
    """Return the files of the small variant in docs/variants.md, under its own name."""
    files = re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return {file: text.replace('"name": "strait"', f'"name": "{name}"') for file, text in files}
