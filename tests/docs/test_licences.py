"""The page of licences names every game and every package of an installation, with its licence."""

import re
import struct
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
    """As the package itself states it, where it does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dkim"]]
    names = [re.split(r"[^\w.-]", one)[0] for one in wanted]
    assert {*names, "apprise", "holidays"} <= set(ROWS)
    for name in names:
        told = metadata(name)
        said = (told.get("License-Expression") or told.get("License") or "")[:40]
        families = [family for family in FAMILIES if re.search(rf"\b{family}\b", said)]
        assert all(family in ROWS[name] for family in families), (name, said, ROWS[name])


def test_the_licence_of_the_fonts_is_in_their_own_words() -> None:
    """Each carries it in its table of names; after the first paragraph some say less, with an "or or"."""
    folder = ROOT / "adjudicator" / "reports" / "fonts"
    told = _paragraphs((folder / "LICENSE.txt").read_text())
    carried = {font.name: _paragraphs(_licence(font.read_bytes())) for font in folder.glob("*.ttf")}
    assert told in carried.values()
    assert [name for name, words in carried.items() if not set(words[1:]) <= set(told)] == []


def _paragraphs(text: str) -> list[str]:
    parts = re.split(r"\n\s*\n", text.strip().replace("\r", ""))
    return [" ".join(part.split()).replace("or or", "or") for part in parts]


def _licence(font: bytes) -> str:
    """Return entry 13 of the table of names, in the form for Windows."""
    (tables,) = struct.unpack_from(">H", font, 4)
    heads = [struct.unpack_from(">4sIII", font, 12 + 16 * n) for n in range(tables)]
    (start,) = [at for tag, _, at, _ in heads if tag == b"name"]
    _, count, texts = struct.unpack_from(">HHH", font, start)
    for n in range(count):
        platform, _, _, entry, size, at = struct.unpack_from(">6H", font, start + 6 + 12 * n)
        if (platform, entry) == (3, 13):
            first = start + texts + at
            return font[first : first + size].decode("utf-16-be")
    raise AssertionError("it says nothing of a licence")
