"""Pointing at the boards of solo games: places and sentences highlight each other."""

import pytest

from tests.adjudicator.website.conftest import room_in
from tests.kit import axe

GAMES = {
    "plains": ("plains-indian-wars", 8),
    "hills": ("plains-indian-wars --option scenario=2.5", 3),
    "chest": ("war-chest", 8),
    "front": ("great-war", 8),
    "veld": ("boer-war", 8),
}
"""By name what kind of game it is, and how many turns of it are played."""

POINTED = "document.getElementById('pointed').textContent"
ON = "document.activeElement"
LIT = "[...document.querySelectorAll('.hit.lit')].map(one => one.dataset.spot)"
REACHED = """hit => {
  const box = hit.getBoundingClientRect();
  for (let down = 1; down < 12; down++) for (let on = 1; on < 12; on++) {
    const at = [box.left + box.width * on / 12, box.top + box.height * down / 12];
    if (document.elementFromPoint(...at) === hit) return at;
  }
}"""
"""Where a finger meets a place that something else may lie over in part."""
LINE = ".leaf:not([hidden]) li[data-at]"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """An archive with a game of each kind."""
    for room in room_in(tmp_path_factory.mktemp("solos")):
        for name, (kind, turns) in GAMES.items():
            room.begin(kind.split()[0], name, turns, options=dict(one.split("=") for one in kind.split()[2:]))
        room.build()
        yield room.site / "games"


def well(visit):
    """Return the findings of a visit without errors or requests of the browser."""
    assert visit.asked == ()
    assert visit.said == ()
    return visit.found


@pytest.mark.parametrize("name", GAMES)
def test_by_keyboard_a_sentence_leads_to_its_place_and_back(chromium, site, name):
    """In focus each tells of the other; what is lit is what it is about."""

    def steps(page):
        line = page.locator(LINE).first
        places = line.get_attribute("data-at").split("|")
        line.focus()
        told = page.evaluate(POINTED), page.evaluate(LIT)
        page.keyboard.press("Enter")
        place = page.evaluate(f"{ON}.dataset.spot")
        lit = page.locator("li.lit").all_inner_texts()
        words = page.evaluate(POINTED), page.evaluate(f"{ON}.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        back = page.evaluate(f"{ON}.dataset.at").split("|")
        return line.inner_text(), places, told, place, lit, words, back

    text, places, told, place, lit, words, back = well(chromium.visit(site / name / "index.html", steps))
    assert place in places
    assert told[0].endswith(text)
    assert set(told[1]) <= set(places)
    assert place in told[1]
    assert text in lit
    assert text in words[0] == words[1]
    assert place in back


@pytest.mark.parametrize("name", GAMES)
def test_by_a_finger_a_place_tells_what_stands_there_and_what_happened(chromium, site, name):
    """On a telephone: the map made larger until the place is large enough to be touched, then touched."""

    def steps(page):
        at = page.locator(LINE).last.get_attribute("data-at").split("|")[-1]
        hit = page.locator(f'.hit[data-spot="{at}"]')
        for _ in range(4):
            page.locator("#larger").tap()
        hit.evaluate("hit => hit.scrollIntoView({block: 'center', inline: 'center'})")
        box = hit.bounding_box()
        page.touchscreen.tap(*hit.evaluate(REACHED))
        root = "document.documentElement"
        wide = page.evaluate(f"{root}.scrollWidth")
        return page.evaluate(POINTED), hit.get_attribute("aria-label"), min(box["width"], box["height"]), wide

    words, label, least, wide = well(chromium.visit(site / name / "index.html", steps, width=375))
    assert " · " in words
    assert words == label
    assert least >= 24
    assert wide == 375


def test_cards_are_pointed_at_where_they_lie_in_each_turn(chromium, site):
    """Others lay there a turn before, and at the start."""
    spots = "[...document.querySelectorAll('.hit')].map(one => [one.dataset.spot, one.getAttribute('d')])"

    def steps(page):
        now = page.evaluate(spots)
        page.locator("#back").click()
        before = page.evaluate(spots)
        page.locator("#first").click()
        return now, before, page.evaluate(spots)

    now, before, first = well(chromium.visit(site / "front" / "index.html", steps))
    assert all(outline.startswith("M") for _, outline in (*now, *before, *first))
    assert now != before != first != now
    assert now


def test_the_arrows_of_a_side_can_be_left_out(chromium, site):
    """The moves of the tribes or of the U.S.; the sentences stay."""
    off = ".leaf:not([hidden]) .board .off"

    def steps(page):
        arrows = page.locator(f"{LINE}[data-title]").count()
        page.locator(f"{LINE}:not([data-title])").first.focus()
        assert page.locator(".dim").count() == 0, "a sentence without an arrow leaves the map as it is"
        page.locator("[data-power='U.S.']").uncheck()
        without = page.locator(off).count(), page.locator(f"{LINE}[data-title]").count()
        page.locator("[data-power='U.S.']").check()
        return arrows, without, page.locator(off).count()

    arrows, without, again = well(chromium.visit(site / "plains" / "index.html", steps))
    assert arrows >= 1
    assert without[0] >= 1
    assert without[1] == arrows
    assert again == 0


@pytest.mark.parametrize("width", [375, 1280])
def test_the_map_stays_where_it_is_whatever_is_told(chromium, site, width):
    """However long that is: else another place would lie under the finger, and be told of instead."""
    top = "document.querySelector('.leaf:not([hidden]) .map').getBoundingClientRect().top + scrollY"
    longest = (
        "[...document.querySelectorAll('.hit')].sort((a, b) => b.ariaLabel.length - a.ariaLabel.length)[0]"
    )

    def steps(page):
        before = page.evaluate(top)
        page.evaluate(f"{longest}.focus({{preventScroll: true}})")
        pointed = page.locator("#pointed")
        cut = pointed.evaluate("one => one.scrollHeight > one.clientHeight + 1")
        return before, page.evaluate(top), len(page.evaluate(POINTED)), cut

    before, after, letters, cut = well(chromium.visit(site / "veld" / "index.html", steps, width=width))
    assert letters > 200
    assert before == after
    assert not cut


@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing_on_the_boards_with_all_their_places(chromium, site, name):
    """On a telephone, a sentence in focus. Contrast, night and desks: whole games are soaked."""

    def steps(page):
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.locator(LINE).first.focus()
        return axe.findings(page, (axe.CONTRAST,))

    assert well(chromium.visit(site / name / "index.html", steps, width=375)) == ()
