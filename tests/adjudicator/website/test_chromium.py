"""The archive in a browser: by keyboard and by touch, light and dark, without scripts."""

import re
from html import unescape

import pytest

from adjudicator.model.people import NotePerson, Person
from adjudicator.storage import people
from adjudicator.website.game_page import person_page
from tests.kit import axe

DESK, PHONE = 1280, 375
PHONE_BY_DAY_DESK_BY_NIGHT = [
    pytest.param(PHONE, False, id="375-day"),
    pytest.param(DESK, True, id="1280-night"),
    # Whether letters can be read is no matter of the width, and what fits is none of the hour.
    pytest.param(PHONE, True, id="375-night", marks=pytest.mark.soak),
    pytest.param(DESK, False, id="1280-day", marks=pytest.mark.soak),
]
SHOWN = "[...document.querySelectorAll('.leaf')].filter(one => !one.hidden).map(one => one.id)"
POINTED = "document.getElementById('pointed').textContent"
UNNAMED = """() => [...document.querySelectorAll('button, input, select, a[href], [tabindex="0"]')]
  .filter(one => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden')
  .filter(one => !(one.textContent.trim() || one.getAttribute('aria-label') || one.closest('label')))
  .map(one => one.outerHTML.slice(0, 120))"""
SMALL = """() => [...document.querySelectorAll('button')].map(one => one.getBoundingClientRect())
  .filter(one => one.width && (one.height < 40 || one.width < 32)).length"""
TWICE = """() => { const seen = new Set();
  return [...document.querySelectorAll('[id]')].map(one => one.id)
    .filter(id => seen.has(id) || !seen.add(id)); }"""


@pytest.fixture(scope="module")
def place(vienna):
    """The address of the game's page."""
    return vienna.site / "games" / "vienna" / "index.html"


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """The archive of a short finished game with storm rolls."""
    from adjudicator.admin import game_admin
    from tests.adjudicator.website.conftest import room_in

    for room in room_in(tmp_path_factory.mktemp("ended")):
        room.begin("plains-indian-wars", "plains", 3, us="anna@example.net")
        anna = Person(address="anna@example.net", name="Anna", public=True)
        with room.service.database.writing():
            people.apply_action(room.service.database, NotePerson(by="gm", person=anna))
        game_admin.end(room.service, "plains", [], "enough")
        room.build()
        yield room.site / "games" / "plains"


@pytest.fixture(scope="module")
def pages(vienna, ended):
    """A page of every kind: of no game, of games that run and that are over."""
    whole, games = ended.parents[1], vienna.site / "games" / "vienna"
    return [
        vienna.site / "index.html",
        *(games / name for name in ("index.html", "proof.html")),
        *(ended / name for name in ("index.html", "proof.html", "story.html")),
        whole / "records" / "plains-indian-wars.html",
        whole / person_page("Anna"),
    ]


def well(visit):
    """Return the findings of a visit without errors or requests of the browser."""
    assert visit.asked == ()
    assert visit.said == ()
    return visit.found


@pytest.mark.parametrize(("width", "dark"), [(PHONE, True), (DESK, False)], ids=["phone", "desk"])
def test_by_keyboard_alone(chromium, place, width, dark):
    """From the top of the page to the slider, to another turn, onto the map, to an order, and back."""

    def steps(page):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        for _ in range(4):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "slider":
                break
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        turned = page.evaluate(SHOWN), page.evaluate("location.hash")
        while page.evaluate("document.activeElement.getAttribute('class')") != "hit":
            page.keyboard.press("Tab")
        first = page.evaluate("document.activeElement.dataset.spot"), page.evaluate(POINTED)
        page.keyboard.press("ArrowRight")
        beside = page.evaluate("document.activeElement.dataset.spot")
        page.evaluate("document.querySelector('[data-spot=PAR]').focus()")
        page.keyboard.press("Enter")
        order = page.evaluate("document.activeElement.textContent"), page.evaluate(POINTED)
        page.keyboard.press("Enter")
        back = page.evaluate("document.activeElement.dataset.spot")
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Home")
        return turned, first, beside, order, back, page.evaluate(SHOWN)

    turned, first, beside, order, back, home = well(chromium.visit(place, steps, width=width, dark=dark))
    assert turned == (["S1901M"], "#S1901M")
    assert first[0] != beside
    assert first[1]
    assert order[0].startswith("A PAR")
    assert order[1].startswith("Paris")
    assert back == "PAR"
    assert home == ["opening"]


@pytest.mark.parametrize(("width", "dark"), [(PHONE, False), (DESK, True)], ids=["phone", "desk"])
def test_by_touch(chromium, place, width, dark):
    """Buttons, the slider and the map answer to a finger, and nothing has to be scrolled to the side."""

    def steps(page):
        began = page.evaluate(SHOWN)
        page.locator("#back").tap()
        after = page.evaluate(SHOWN)
        box = page.locator("#slider").bounding_box()
        page.touchscreen.tap(box["x"] + 0.02 * box["width"], box["y"] + box["height"] / 2)
        slid = page.evaluate(SHOWN)
        page.locator("[data-spot=PAR]").tap()
        small = page.evaluate(SMALL)
        root = "document.documentElement"
        return began, after, slid, page.evaluate(POINTED), small, page.evaluate(f"{root}.scrollWidth")

    began, after, slid, pointed, small, wide = well(
        chromium.visit(place, steps, width=width, dark=dark, touch=True)
    )
    assert began == ["S1902M"]
    assert after == ["W1901A"]
    assert slid == ["opening"]
    assert pointed.startswith("Paris, France’s · army of France, Paris")
    assert small == 0
    assert wide == width


@pytest.mark.parametrize(("width", "dark"), PHONE_BY_DAY_DESK_BY_NIGHT)
def test_every_page_fits_and_can_be_read(chromium, pages, width, dark):
    """Contrast of 4.5 at least, letters of 11 pixels at least, no scrolling to the side, nothing fetched."""
    for page in pages:
        seen = chromium.survey(page, width, dark)
        faint = [one for one in seen.texts if one["contrast"] < 4.5 or one["size"] < 11]
        assert faint == [], page.name
        assert seen.scroll == seen.client == width
        assert seen.asked == ()
        assert (seen.ground < 0.1) == dark


@pytest.mark.parametrize(("width", "dark"), PHONE_BY_DAY_DESK_BY_NIGHT)
def test_axe_finds_nothing_on_any_page(chromium, pages, width, dark):
    """Every rule of axe-core, with all that can be unfolded unfolded, and an order pointed at."""

    def steps(page):
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.evaluate("document.querySelector('.leaf:not([hidden]) li.failed')?.focus()")
        # Contrast is asked once by day and once by night: the test above measures it, and it takes longest.
        return axe.findings(page, () if dark == (width == PHONE) else (axe.CONTRAST,))

    for place in pages:
        assert well(chromium.visit(place, steps, width=width, dark=dark)) == (), place


def test_axe_finds_what_is_wrong_with_a_page_of_the_archive(chromium, place, tmp_path):
    """A map without words, a button without a name, a slider without one."""
    page = place.read_text()
    for words in (
        ' aria-label="Map after Spring 1902, moves"',
        ' aria-label="Zoom out"',
        ' aria-label="Turn, with',
    ):
        assert words in page
        page = page.replace(words, words.replace("aria-label", "data-label"))
    (tmp_path / "index.html").write_text(page.replace(">−</button>", "></button>"))
    found = {one.split(":")[0] for one in chromium.visit(tmp_path / "index.html", axe.findings).found}
    assert found == {"button-name", "label"}


def test_what_can_be_used_has_a_name_and_no_name_comes_twice(chromium, vienna, ended):
    """For readers who don't see it."""
    for page in (vienna.site / "index.html", vienna.site / "games/vienna/index.html", ended / "index.html"):
        found = well(chromium.visit(page, lambda page: (page.evaluate(UNNAMED), page.evaluate(TWICE))))
        assert found == ([], [])


def test_with_scripts_off_all_is_there(chromium, place):
    """Every turn, its map drawn; the bar that could do nothing is not."""

    def steps(page):
        return page.evaluate(
            """() => [[...document.querySelectorAll('.leaf')].map(leaf => {
              leaf.scrollIntoView();
              const board = leaf.querySelector('.board').getBoundingClientRect();
              return [leaf.id, board.width > 500 && board.height > 400,
                      leaf.querySelectorAll('.board use').length > 20];
            }), document.getElementById('bar').getClientRects().length]"""
        )

    leaves, bar = well(chromium.visit(place, steps, scripted=False))
    assert [one[0] for one in leaves] == ["opening", "S1901M", "F1901M", "W1901A", "S1902M"]
    assert all(big and drawn for _, big, drawn in leaves)
    assert bar == 0


def test_every_kind_of_page_says_what_it_has_to_say_without_scripts(chromium, pages):
    """From a folder, under a policy that allows nothing; the browser reports no errors."""
    for page in pages:
        said = well(chromium.visit(page, lambda page: page.inner_text("main"), scripted=False))
        assert len(said.split()) > 10, page
        assert unescape(page.read_text()).count("default-src 'none'; script-src ") == 1, page


@pytest.mark.parametrize("some", [slice(1, 2), pytest.param(slice(None), marks=pytest.mark.soak)])
def test_a_browser_that_a_policy_keeps_from_something_is_heard(chromium, pages, tmp_path, some):
    """A picture from elsewhere, a style, a script: each is refused on every kind of page."""
    far = '<img src="https://example.org/x.png" alt="">'
    smuggled = f'{far}<p style="color: red">.</p><script>fetch("/")</script>'
    for number, page in enumerate(pages[some]):
        place = tmp_path / f"{number}.html"
        place.write_text(page.read_text().replace("</main>", f"{smuggled}</main>"))
        visit = chromium.visit(place, lambda page: page.inner_text("main"))
        assert len(visit.said) >= 3, page
        assert all("Content Security Policy" in one for one in visit.said), page


def test_the_orders_of_a_power_can_be_left_out(chromium, place):
    """Off: its lines are gone from every turn; on: they are back."""
    count = """() => [...document.querySelectorAll('.leaf:not([hidden]) .board .off')].length"""

    def steps(page):
        page.locator("[data-power=France]").uncheck()
        off = page.evaluate(count)
        page.locator("#on").click()
        further = page.evaluate(count)
        page.locator("[data-power=France]").check()
        return off, further, page.evaluate(count)

    off, further, on = well(chromium.visit(place, steps, anchor="#S1901M"))
    assert off >= 2
    assert further >= 1
    assert on == 0


def test_play_turns_the_leaves_one_after_the_other(chromium, place):
    """It stops at the last turn."""

    def steps(page):
        page.clock.install()
        page.reload()
        page.locator("#play").click()
        seen = [page.evaluate(SHOWN)[0]]
        for _ in range(3):
            page.clock.run_for(1400)
            seen.append(page.evaluate(SHOWN)[0])
        return seen, page.locator("#play").get_attribute("aria-pressed")

    seen, pressed = chromium.visit(place, steps, anchor="#opening").found
    assert seen == ["opening", "S1901M", "F1901M", "W1901A"]
    assert pressed == "true"


def test_dice_and_log_are_proved_in_the_browser(chromium, ended):
    """Each hash and each roll is computed again, and the page says so."""
    said = well(chromium.visit(ended / "proof.html", read_proof))
    assert said[0] == "right"
    assert "Entries hashed again: 5 of 5." in said[1]
    assert re.search(r"Rolls computed again from the secret: [1-9]", said[1])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (r"\"numbers\":[3]", r"\"numbers\":[4]", "doesn't match its hash"),
        (r"\"turn\":\"", r"\"turn\":\"X", "doesn't match its hash"),
        ('"commitment":"', '"commitment":"00', "doesn't match the published SHA-256"),
    ],
)
def test_what_was_changed_shows(chromium, ended, tmp_path, old, new, fault):
    """A roll, an entry, the seal."""
    page = (ended / "proof.html").read_text()
    assert old in page
    (tmp_path / "proof.html").write_text(page.replace(old, new, 1))
    state, said = chromium.visit(tmp_path / "proof.html", read_proof).found
    assert state == "wrong"
    assert fault in said


def read_proof(page):
    """Return the result on the page of the proof."""
    done = page.wait_for_selector("#proof[data-done]")
    return done.get_attribute("data-done"), done.inner_text()


def test_a_story_is_printed_on_a_sheet(chromium, tmp_path, ended):
    """A4 and Letter."""
    pages = {}

    def steps(page):
        for size in ("A4", "Letter"):
            pages[size] = page.pdf(format=size, print_background=True).count(b"/Type /Page\n")
        return pages

    assert chromium.visit(ended / "story.html", steps).found == {"A4": 1, "Letter": 1}


def test_games_are_sifted(chromium, vienna):
    """By kind and by result."""

    def steps(page):
        page.select_option("[data-by=result]", "won")
        none = page.inner_text("#count")
        page.select_option("[data-by=result]", "running")
        return none, page.inner_text("#count")

    found = well(chromium.visit(vienna.site / "index.html", steps))
    assert found == ("0 of 1 game", "1 game")


def test_games_are_sifted_by_who_played_in_them(chromium, ended):
    """Somebody who agreed to be named; her games, and no others."""

    def steps(page):
        shown = page.locator("main .cards li:visible")
        page.select_option("[data-by=who]", "Anna")
        hers = shown.count()
        page.evaluate("document.querySelector('[data-who=Anna]').dataset.who = 'Annabel|Joanna'")
        page.evaluate("document.getElementById('filters').dispatchEvent(new Event('change'))")
        return hers, shown.count()

    assert well(chromium.visit(ended.parents[1] / "index.html", steps)) == (1, 0)
