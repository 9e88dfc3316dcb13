"""The archive of whole games of every kind in a browser, at full size and on any screen."""

from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from tests.adjudicator.website.conftest import room_in
from tests.kit import axe

KINDS = {
    "standard": {},
    "indianomacy": {},
    "chaos": {},
    "plains-indian-wars": {},
    "black-hills": {"scenario": "2.5"},
    "war-chest": {},
    "great-war": {},
    "boer-war": {},
}
"""By name the options of a game; that is its kind too but for a scenario."""

YEARS, SEASONS = 20, 100
"""So many years at most, and so many turns; most games of the wars end before."""

LONG = 60
"""The page of a game of so many turns stays below 2 MB."""

soaked = pytest.mark.soak
SCREENS = [
    pytest.param(width, dark, id=f"{width}-{'night' if dark else 'day'}")
    for width in (375, 1280)
    for dark in (False, True)
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Every kind of page there is, of games played by bots until they are over."""
    for room in room_in(tmp_path_factory.mktemp("whole")):
        for name, options in KINDS.items():
            room.begin("plains-indian-wars" if options else name, name, options=options)
            while game_admin.position_of(room.service, name).is_running:
                if game_admin.position_of(room.service, name).played == SEASONS:
                    game_admin.end(room.service, name, [], f"{YEARS} years")
                else:
                    room.play(name)
        room.build()
        yield room.site


def pages(archive: Path) -> list[Path]:
    found = sorted(archive.rglob("*.html"))
    kinds = {page.name if page.parent.parent.name == "games" else page.parent.name for page in found}
    assert kinds == {"index.html", "proof.html", "story.html", "records", "site"}
    assert len(found) == 3 * len(KINDS) + len(KINDS)  # records of seven kinds, and the first page
    return found


@soaked
@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_axe_finds_nothing_on_any_page_of_any_kind(chromium, archive, width, dark):
    """All unfolded; the browser says nothing and asks for nothing; nothing hangs over the side."""

    def steps(page):
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.evaluate("document.querySelector('.leaf:not([hidden]) li[data-at]')?.focus()")
        return axe.findings(page), page.evaluate("document.documentElement.scrollWidth")

    for place in pages(archive):
        visit = chromium.visit(place, steps, width=width, dark=dark)
        assert (visit.found, visit.asked, visit.said) == (((), width), (), ()), place


@soaked
def test_the_story_of_any_game_is_printed_on_a_sheet(chromium, archive):
    """A4 and Letter, a page each."""

    def steps(page):
        return [
            page.pdf(format=size, print_background=True).count(b"/Type /Page\n") for size in ("A4", "Letter")
        ]

    for name in KINDS:
        assert chromium.visit(archive / "games" / name / "story.html", steps).found == [1, 1], name


@soaked
def test_a_page_of_sixty_turns_is_below_two_megabytes(archive):
    """In proportion, where a game has more."""
    for name in KINDS:
        game = archive / "games" / name
        turns = game.joinpath("game.json").read_bytes().count(b'\n{"turn"')
        assert game.joinpath("index.html").stat().st_size < 2_000_000 * max(turns / LONG, 1), name
