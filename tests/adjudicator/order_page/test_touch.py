"""The page by touch and mouse: the map, the lens and the email, without scripts and with open orders."""

from pathlib import Path

import pytest

import games
from adjudicator.order_page import OrderEmail, OrderPageInput, render_order_page
from games.dice import SealedDice
from tests.adjudicator.order_page.parties import settled
from tests.kit import axe

PHONE, DESK = 375, 1280
UNITS = ("Army Budapest", "Fleet Trieste", "Army Vienna")
TO = "gm+kit.token@example.org"
WHERE = """at => {
  const board = document.querySelector('.chart .board'), box = board.getBoundingClientRect();
  const [left, top, wide, high] = board.getAttribute('viewBox').split(' ').map(Number);
  const [x, y] = JSON.parse(document.getElementById('choices').textContent).places[at].slice(2);
  const scale = Math.min(box.width / wide, box.height / high);
  return [box.left + (box.width - wide * scale) / 2 + (x - left) * scale,
          box.top + (box.height - high * scale) / 2 + (y - top) * scale];
}"""
ZOOM = """() => Math.round(10 * document.querySelector('.chart .board').clientWidth
  / document.querySelector('.chart .map').clientWidth) / 10"""
SMALL = """() => [...document.querySelectorAll('button, .button, textarea, input')]
  .filter(one => one.getClientRects().length)
  .filter(one => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
  .map(one => one.textContent || one.id)"""


@pytest.fixture(scope="module")
def austria(tmp_path_factory) -> Path:
    """Austria's page at the opening: its three units stand side by side."""
    return write_page(tmp_path_factory.mktemp("austria") / "orders.html", TO)


def write_page(file: Path, to: str, filed: tuple[str, ...] = (), email: OrderEmail | None = None) -> Path:
    game = games.kinds()["standard"]
    state = game.rules.setup(settled(game), SealedDice(b"page", "page", 0)).state
    due = next(due for due in game.rules.due(state) if due.seat == "Austria")
    rest = tuple(map(game.notation.write, game.rules.default(state, due)))
    page = render_order_page(
        OrderPageInput(game, state, due.seat, (due,), filed, rest),
        "kit",
        email or OrderEmail(to, "Orders [kit #1]"),
        rest,
    )
    assert page is not None
    file.write_bytes(page)
    return file


def tap(page, at: str) -> None:
    page.touchscreen.tap(*page.evaluate(WHERE, at))


def click_slowly(page, at: str) -> None:
    """Click a place when the click before is so long ago that the two aren't one double click."""
    page.wait_for_timeout(350)
    page.mouse.click(*page.evaluate(WHERE, at))


def letter(page) -> list[str]:
    return page.locator("#letter").inner_text().split("\n")


def test_by_touch_on_a_telephone(chromium, austria):
    """The map begins with the own front; a unit, then its goal, and the next unit is open.

    On the whole map a finger covers several units, so that it comes closer first.
    """

    def steps(page):
        whole = page.locator("#whole")
        front = whole.inner_text(), page.evaluate(ZOOM)
        whole.tap()
        lens = [whole.inner_text(), page.evaluate(ZOOM)]
        tap(page, "VIE")
        lens += [page.locator("#say").inner_text(), page.locator(".choices").count(), page.evaluate(ZOOM)]
        tap(page, "VIE")
        opened = page.locator(".thing[aria-expanded=true]").inner_text()
        lit = page.evaluate("[...document.querySelectorAll('.spot.can')].map(one => one.dataset.spot)")
        tap(page, "GAL")
        following = page.locator(".thing[aria-expanded=true]").all_inner_texts()
        return front, lens, opened, lit, letter(page), following, page.evaluate(SMALL)

    visit = chromium.visit(austria, steps, width=PHONE)
    front, lens, opened, lit, said, following, small = visit.found
    assert front == ("Whole map", pytest.approx(3, abs=0.2))
    assert lens == ["Your front", 1, "Zoomed in. Tap again.", 0, 3]
    assert opened.startswith("Army Vienna")
    assert set(lit) >= {"GAL", "BOH", "TYR", "BUD", "TRI"}
    assert said == ["A VIE - GAL"]
    assert [one.split("\n")[0] for one in following] == ["Army Budapest"]
    assert small == []
    assert (visit.asked, visit.said) == ((), ())


def test_a_support_is_a_unit_and_its_goal(chromium, austria):
    """If one may go to a unit's place or support it, the page asks which."""

    def steps(page):
        click = lambda at: page.mouse.click(*page.evaluate(WHERE, at))  # noqa: E731
        click("VIE")
        click("BUD")
        page.get_by_role("button", name="Support Army Budapest").first.click()
        for at in ("GAL", "GAL"):
            click_slowly(page, at)
        found = letter(page), page.locator("#marks").inner_text()
        page.locator("#undo").click()
        page.locator("#fill").click()
        return (*found, letter(page), page.evaluate("document.querySelectorAll('.drawn > g').length"))

    said, marks, filled, drawn = chromium.visit(austria, steps, width=DESK).found
    assert said == ["A BUD - GAL", "A VIE S A BUD - GAL"]
    assert marks == ""
    assert filled == ["A BUD H", "F TRI H", "A VIE S A BUD - GAL"]
    assert drawn == 3


def test_two_to_one_place_and_an_idle_support_are_marked(chromium, austria):
    def steps(page):
        click = lambda at: page.mouse.click(*page.evaluate(WHERE, at))  # noqa: E731
        for at in ("VIE", "GAL", "GAL"):
            click_slowly(page, at)
        both = page.locator("#marks").inner_text()
        page.locator("#clear").click()
        click("VIE")
        click("BUD")
        page.get_by_role("button", name="Support Army Budapest").first.click()
        for at in ("GAL", "RUM"):
            click(at)
        return both, page.locator("#marks").inner_text(), letter(page)

    both, idle, said = chromium.visit(austria, steps, width=DESK).found
    assert both == "Army Vienna and Army Budapest both go to Galicia."
    assert said == ["A BUD - RUM", "A VIE S A BUD - GAL"]
    assert idle == "Army Vienna supports Army Budapest to Galicia, but Army Budapest doesn't go there."


def test_names_of_buttons_are_read_in_order(chromium, austria):
    """In a screen reader's order: the decisions, the email, how it is sent; then the bar."""

    def steps(page):
        return page.evaluate(
            "[...document.querySelectorAll('button, a[href], textarea')]"
            ".filter(one => one.getClientRects().length)"
            ".map(one => one.getAttribute('aria-label') || one.textContent)"
        )

    found = [one for one in chromium.visit(austria, steps, width=PHONE).found if one]
    assert found[:4] == ["Whole map", *(f"{unit}: hold, move, support" for unit in UNITS)]
    assert found[4:] == [
        "Undo",
        "Hold for the rest",
        "Clear all",
        "Forget my choices",
        "Send email",
        "Copy",
        "Send",
    ]


@pytest.mark.parametrize(("width", "dark"), [(PHONE, True), (DESK, False)])
def test_axe_finds_nothing(chromium, austria, width, dark):
    def steps(page):
        page.locator(".thing").first.click()
        return axe.findings(page)

    assert chromium.visit(austria, steps, width=width, dark=dark).found == ()


def test_without_scripts_the_sheet_is_there(chromium, austria):
    def steps(page):
        return page.locator(".plain").inner_text(), page.locator(".board").is_visible()

    (text, board) = chromium.visit(austria, steps, width=PHONE, scripted=False).found
    assert "A BUD H\nF TRI H\nA VIE H" in text
    assert board


def test_the_open_page_takes_the_address_from_its_fragment(chromium, tmp_path):
    """Which no server is sent; without one the page asks for it, and keeps it."""
    place = write_page(tmp_path / "orders-austria.html", "")

    def steps(page):
        page.locator("#fill").click()
        before = page.locator("#send").get_attribute("href"), page.locator("#addressed").is_visible()
        if before[1]:
            page.locator("#to").fill(TO)
        return *before, page.locator("#send").get_attribute("href")

    _, asks, after = chromium.visit(place, steps).found
    assert asks
    assert after.startswith(f"mailto:{TO}?subject=Orders")
    before, asks, _ = chromium.visit(place, steps, anchor="#to=gm%2Bkit.token%40example.org").found
    assert not asks
    assert before.startswith(f"mailto:{TO}?subject=Orders")


def test_what_is_on_file_is_chosen_already(chromium, tmp_path):
    place = write_page(tmp_path / "orders.html", TO, ("A VIE - GAL", "F TRI - ALB"))
    assert chromium.visit(place, letter).found == ["F TRI - ALB", "A VIE - GAL"]


GIVEN_AWAY = """
  Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => {
    if (window.refused) return Promise.reject(new Error('no'));
    window.copied = text;
    return Promise.resolve();
  }}});
  navigator.share = given => { window.shared = given; return Promise.resolve(); };
  document.execCommand = what => {
    window.pasted = [what, document.activeElement.value];
  };
"""


def test_the_letter_is_copied_and_shared(chromium, austria):
    """By the clipboard, or by hand where a browser forbids that; Share where a phone has it."""

    def give(page) -> dict[str, object]:
        hidden = page.locator("#share").is_hidden()
        page.add_init_script(GIVEN_AWAY)
        page.reload()
        page.locator("#fill").tap()
        said = letter(page)
        page.locator("#copy").tap()
        told = page.locator("#after").inner_text()
        page.locator("#share").tap()
        page.evaluate("window.refused = true")
        page.locator("#copy").tap()
        page.wait_for_function("window.pasted")
        found = page.evaluate("({copied, shared, pasted})")
        return {**found, "said": said, "told": told, "hidden": hidden}

    visit = chromium.visit(austria, give, width=PHONE)
    found = visit.found
    assert found["hidden"], "where nothing can be shared there is no button for it"
    assert found["copied"].split("\n") == found["said"]
    assert len(found["said"]) == len(UNITS)
    assert found["shared"] == {"title": "Orders [kit #1]", "text": found["copied"]}
    assert found["pasted"] == ["copy", found["copied"]]
    assert found["told"].startswith("Copied")
    assert (set(visit.asked), visit.said) == ({austria.resolve().as_uri()}, ()), "itself, opened again"
