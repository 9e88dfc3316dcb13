"""The page of licences names every game, and every package that an installation brings, with its licence."""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import games
from tests.kit.handbook import DOCS

ROOT = Path(__file__).parents[2]
FAMILIES = ("MIT", "BSD", "Apache", "LGPL", "ISC", "MPL", "GPL")
PAGE = (DOCS / "licences.md").read_text()
ROWS = {cells[0]: cells[1] for cells in re.findall(r"^\| ([\w. -]+) \| ([^|]+) \|", PAGE, re.MULTILINE)}


def test_every_game_has_its_row_and_its_source() -> None:
    named = {ROOT / path for path in re.findall(r"`(games/[^`]+provenance\.md)`", PAGE)}
    assert named == set((ROOT / "games").rglob("provenance.md"))
    assert [game.about.title for game in games.kinds().values() if game.about.title not in ROWS] == []


def test_every_package_has_its_row_and_its_licence() -> None:
    """As the package itself says it, where it does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dkim"]]
    names = [re.split(r"[^\w.-]", one)[0] for one in wanted]
    assert set(names) <= set(ROWS)
    for name in names:
        said = f"{metadata(name)['License-Expression'] or metadata(name)['License'] or ''}"[:40]
        families = [family for family in FAMILIES if re.search(rf"\b{family}\b", said)]
        assert all(family in ROWS[name] for family in families), (name, said, ROWS[name])
