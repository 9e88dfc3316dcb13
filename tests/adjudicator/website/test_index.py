"""The cards of the index page: a small map, the leaders as a bar, the days since the last turn."""

import re

import pytest

from adjudicator.clock import DAY, HOUR, WallClock
from adjudicator.website.game_page import PageFrame
from adjudicator.website.index_pages import GameCard, LeaderCount, index, row_of
from adjudicator.website.maps import MapLayers
from adjudicator.website.pages import iso
from adjudicator.website.small_maps import small_map
from games.protocol import MapRegion, SeatColours
from tests.adjudicator.website.conftest import START

SEA = '<rect width="1200" height="600" fill="#d5e1e3"/>'
WEST = '<path id="b-pA" d="M100 100l200 0 0 4 0 196-200 0z"/>'
EAST = '<polygon id="b-pB" points="600,100 800,100 800,300 600,300" fill="#bdd3a6"/>'


def drawing(*elements: str) -> MapLayers:
    """Return a map of 1200 x 600 with these elements."""
    return MapLayers(view="0 0 1200 600", sheet="", elements=(SEA, WEST, EAST, *elements))


def region(at: str, owner: str | None = None, path: str = "") -> MapRegion:
    """Return a region with the shape of its letter, or with an outline of its own."""
    return MapRegion(at=at, shape="" if path else f"p{at}", path=path, name=at, owner=owner)


def fills(picture: str) -> dict[str, str]:
    """Return the outlines of a small map by their colour."""
    return {colour: outline for colour, outline in re.findall(r'<path fill="([^"]+)" d="([^"]+)"/>', picture)}


def test_regions_have_the_colours_of_the_drawing_and_coarse_outlines() -> None:
    """A tenth of the size. The coloured copy counts, then the region's own colour; water stays water."""
    picture = small_map(drawing('<use href="#b-pA" fill="#85a7f1"/>'), [region("A"), region("B")], {})
    assert fills(picture) == {
        "#d5e1e3": "M0 0h999v999H0z",
        "#85a7f1": "M10 10l20 0 0 20-20 0z",
        "#bdd3a6": "M60 10l20 0 0 20-20 0z",
    }
    assert 'viewBox="0 0 120 60"' in picture
    assert set(fills(small_map(drawing(), [region("A")], {}))) == {"#d5e1e3"}


def test_regions_have_the_colour_of_their_owner_where_the_drawing_gives_none() -> None:
    """The badge of a seat, or else a colour that tells the sides apart. A region may have its own outline."""
    badges = {"France": SeatColours(ink="#111111", land="#56a1d0")}
    town = region("C", "the Boers", "M0 0H300V300H0Z")
    picture = small_map(drawing(), [region("A", "France"), region("B"), town], badges)
    assert fills(picture).get("#56a1d0") == "M10 10l20 0 0 20-20 0z"
    assert "M0 0l30 0 0 30-30 0z" in fills(picture).values()
    assert small_map(drawing(), [], badges) == ""


def card(**changes: object) -> GameCard:
    """Return the card of a running game with counts of 6, 3 and 1."""
    counts = (("Russia", 6, "#aa0000"), ("Italy", 3, "#00aa00"), ("Turkey", 1, "#0000aa"))
    leaders = tuple(LeaderCount(name=name, count=count, colour=colour) for name, count, colour in counts)
    given = {"leaders": leaders, "counts": "supply centres", **changes}
    return GameCard(
        **{"name": "elk", "kind": "standard", "title": "Diplomacy", "over": False, "turns": 3},
        **{"began": START, "changed": START, "standing": "Due: Spring 1903, moves."},
        **given,  # type: ignore[arg-type]
    )


def test_the_bar_has_a_part_for_each_side_in_proportion() -> None:
    row = row_of(card(), "")
    assert re.findall(r'<rect x="([^"]+)" width="([^"]+)" height="6" fill="([^"]+)"', row) == [
        ("0", "60", "#aa0000"),
        ("60", "30", "#00aa00"),
        ("90", "10", "#0000aa"),
    ]
    assert "Russia 6, Italy 3, Turkey 1 (supply centres)" in row
    assert "leaders" not in row_of(card(leaders=()), "")


def test_more_sides_than_three_are_left_to_the_bar() -> None:
    leaders = tuple(LeaderCount(name=f"side {n}", count=9 - n, colour="#000000") for n in range(5))
    row = row_of(card(leaders=leaders), "")
    assert "side 0 9, side 1 8, side 2 7, … (supply centres)" in row
    assert row.count("<rect") == 5


def test_sides_with_the_same_count_are_all_named_or_counted() -> None:
    """A name among 32 that have as much would look like a rank."""
    for counts, words in (
        ((2, *(1,) * 32), "side 0 2, 32 others 1 each (supply centres)"),
        ((3,) * 4 + (1,), "4 sides 3 each, side 4 1 (supply centres)"),
        ((3,) * 4 + (1,) * 5 + (0,), "4 sides 3 each, 5 others 1 each, side 9 0 (supply centres)"),
    ):
        leaders = tuple(
            LeaderCount(name=f"side {n}", count=count, colour="#000000") for n, count in enumerate(counts)
        )
        assert words in row_of(card(leaders=leaders), "")


def test_land_that_nobody_owns_is_on_the_small_map() -> None:
    """In the colour of its group, and water isn't."""
    water = '<g fill="#b4d0dc"><path id="b-pC" d="M0 0l90 0 0 90z"/></g>'
    land = '<g fill="#f6efdf"><path id="b-pD" d="M300 0l200 0 0 200-200 0z"><title>D</title></path></g>'
    picture = small_map(drawing(water, land), [region("C"), region("D")], {})
    assert fills(picture) == {"#d5e1e3": "M0 0h999v999H0z", "#f6efdf": "M30 0l20 0 0 20-20 0z"}


def test_each_card_of_the_archive_has_its_map_and_its_bar(vienna) -> None:
    """All seven powers have centres, and the map shows their lands."""
    page = (vienna.site / "index.html").read_text(encoding="utf-8")
    bar = re.findall(r'<rect x="[^"]+" width="[^"]+" height="6" fill="([^"]+)"', page)
    assert len(bar) == len(set(bar)) == 7
    (picture,) = re.findall(r'<svg class="small".*?</svg>', page)
    assert set(bar) <= set(fills(picture))
    assert len(picture) < 6000


@pytest.mark.parametrize(
    ("hours", "words"), [(1, "today"), (25, "1 day ago"), (23 * 24 + 1, "23 days ago"), (-25, "today")]
)
def test_a_running_game_tells_the_days_since_its_last_turn(chromium, vienna, tmp_path, hours, words) -> None:
    """Counted in the browser, so that the page stays true without a new build. The date is in the title."""
    text = (vienna.site / "index.html").read_text(encoding="utf-8")
    at = iso(WallClock().now() - hours * HOUR)
    page = tmp_path / "index.html"
    page.write_text(re.sub(r'(?<=<time datetime=")[^"]+', at, text), encoding="utf-8")
    found = chromium.visit(page, lambda page: (page.inner_text("time"), page.get_attribute("time", "title")))
    assert found.found == (words, "9 January 2026")


def test_without_scripts_a_card_has_the_date(chromium, vienna) -> None:
    found = chromium.visit(vienna.site / "index.html", lambda page: page.inner_text("time"), scripted=False)
    assert found.found == "9 January 2026"


def test_a_card_says_when_its_turn_is_due(chromium, tmp_path) -> None:
    """A game whose deadline has passed says so."""
    soon = card(deadline=START + 10 * DAY)
    frame = PageFrame("Games")
    (place := tmp_path / "index.html").write_bytes(index([soon], {"elk": row_of(soon, "")}, (), frame))
    words = "Due: Spring 1903, moves. Deadline: "
    assert words in re.sub("<[^>]*>", "", row_of(soon, ""))
    assert "eadline" not in row_of(card(), "")
    said = chromium.visit(place, lambda page: page.inner_text("[data-deadline]")).found
    past = card(deadline=DAY)
    place.write_bytes(index([past], {"elk": row_of(past, "")}, (), frame))
    late = chromium.visit(place, lambda page: page.inner_text("[data-deadline]")).found
    assert late.startswith("Overdue: the deadline was ")
    assert said.startswith(("Deadline: ", "Overdue: "))


def test_the_filters_of_a_phone_are_in_one_row(chromium, tmp_path) -> None:
    one = card()
    (place := tmp_path / "index.html").write_bytes(
        index([one], {"elk": row_of(one, "")}, (), PageFrame("Games"))
    )
    tops = "[...document.querySelectorAll('.filters select')].map(one => one.getBoundingClientRect().top)"
    scroll = "document.documentElement.scrollWidth"
    (first, *more), wide = chromium.visit(
        place, lambda page: (page.evaluate(tops), page.evaluate(scroll)), width=375
    ).found
    assert more == [first]
    assert wide <= 375
