"""The website of the docs: built strictly, complete, with working links, and without external content."""

import ast
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import games.protocol
from tests.kit.handbook import DOCS

ROOT = Path(__file__).parents[2]
ELSEWHERE = re.compile(r"(https?:)?//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the website, built by the command in the guide."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    done = subprocess.run(
        [*command, "-d", str(folder / "trees"), str(DOCS), str(folder / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


class Reader(HTMLParser):
    """The links of a page, what it loads, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.places |= {has[name] for name in ("id", "name") if name in has}
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        if tag in ("script", "img", "iframe", "source") and "src" in has:
            self.loads.append(has["src"])
        if tag == "link" and has.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(has["href"])


@cache
def read(page: Path) -> Reader:
    """A page, read once."""
    reader = Reader()
    reader.feed(page.read_text())
    return reader


def test_every_page_of_the_folder_is_in_it(site: Path) -> None:
    pages = [page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")]
    assert len(pages) > 12
    assert [page for page in pages if not (site / page).exists()] == []


def test_every_link_within_leads_to_a_page_and_a_place_there(site: Path) -> None:
    links = 0
    for page in site.rglob("*.html"):
        for link in read(page).links:
            path, place = urldefrag(link)
            if ELSEWHERE.match(link) or link.startswith("mailto:"):
                continue
            goal = (page.parent / unquote(path)).resolve() if path else page
            assert goal.exists(), f"{page.name}: {link}"
            if place and goal.suffix == ".html":
                assert unquote(place) in read(goal).places, f"{page.name}: {link}"
            links += 1
    assert links > 300


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert [load for load in read(page).loads if ELSEWHERE.match(load)] == [], page
    for sheet in site.rglob("*.css"):
        asked = re.findall(r"(?:@import\s+|url\()\s*['\"]?([^'\")]+)", sheet.read_text())
        assert [one for one in asked if ELSEWHERE.match(one)] == [], sheet


def test_the_protocol_is_told_whole(site: Path) -> None:
    """Every public name of the module, every question of its classes, each with what it answers."""
    told = read(site / "protocol.html").places
    module = ast.parse(Path(games.protocol.__file__).read_text())
    for one in module.body:
        if isinstance(one, ast.ClassDef):
            questions = [part for part in one.body if isinstance(part, ast.FunctionDef)]
            names = [part.name for part in questions if not part.name.startswith("_")]
            assert ast.get_docstring(one), one.name
            assert all(ast.get_docstring(part) for part in questions if part.name in names), one.name
            assert {f"games.protocol.{one.name}"} | {f"games.protocol.{one.name}.{n}" for n in names} <= told


def test_links_out_of_the_folder_lead_to_files() -> None:
    """Pages are read in the repository as well, where links are relative to each page."""
    for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)\)", page.read_text()):
            if not ELSEWHERE.match(link):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
