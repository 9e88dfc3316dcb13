"""What the page says: its first hint, its buttons and its bar; and what it draws for a chosen order."""

import re
from pathlib import Path

import pytest

from adjudicator.order_page import OrderEmail, list_choices, render_order_page
from tests.adjudicator.order_page.decisions import SETTINGS, Prepared, prepared
from tests.adjudicator.order_page.hands import by_touch, put_together

PHONE, DESK = 375, 1280
SCREEN = {"width": DESK, "height": 800}
EMAIL = OrderEmail(to="gm+kit.token@example.org", subject="Orders [kit #1]", service="gm@example.org")
DRAWN = """[...document.querySelectorAll('.drawn > g')].map(one => {
  const {width, height} = one.getBoundingClientRect();
  return one.checkVisibility() && Math.max(width, height);
})"""
"""The size on the screen of the drawing of each chosen order, false if it is hidden."""
BOTTOMS = """['.chart .map', '.under', '.reach'].map(name => {
  const box = document.querySelector(name).getBoundingClientRect();
  return name === '.reach' ? box.top : box.bottom;
})"""
UNCOVERED = """() => {
  const box = document.querySelector('.chart .map').getBoundingClientRect();
  const corners = [[4, 4], [box.width - 4, 4], [4, box.height - 4], [box.width - 4, box.height - 4]];
  return corners.every(([x, y]) => document.elementFromPoint(box.left + x, box.top + y).closest('.map'));
}"""


def page_for(folder: Path, name: str, phase: str, sort: str) -> tuple[Prepared, Path]:
    """Return the first position of a kind of decision, and its page."""
    one = next(one for one in prepared(name, SETTINGS[name].kinds) if (phase, sort) in one.chosen)
    page = render_order_page(one.asked, "kit", EMAIL, one.asked.rest)
    assert page is not None
    (place := folder / "orders.html").write_bytes(page)
    return one, place


@pytest.mark.parametrize(
    ("name", "phase", "sort", "hint"),
    [
        ("standard", "moves", "Move", "Tap a unit with a red edge, then a ringed place, or use the list."),
        ("standard", "retreats", "Move", "Tap a unit with a red edge, then a ringed place, or use the list."),
        ("standard", "removals", "Disband", "Tap each unit that you want to disband, or use the list."),
        (
            "standard",
            "builds",
            "Build",
            "Tap a place with a red edge and choose what to build there, or use the list.",
        ),
        ("great war", "round 1", "Lay: base", "Tap a red edge, then choose an order, or use the list."),
        (
            "war chest",
            "player your turn",
            "Deploy",
            "Choose from the list, or tap a place to see what you can do there.",
        ),
        ("war chest", "player the draft", "Pick", "Choose from the list."),
    ],
)
def test_the_first_hint_fits_what_is_due(chromium, tmp_path, name, phase, sort, hint):
    _, place = page_for(tmp_path, name, phase, sort)
    assert chromium.visit(place, lambda page: page.inner_text("#say"), width=PHONE).found == hint


@pytest.mark.parametrize(
    ("name", "phase", "sort"),
    [
        ("standard", "removals", "Disband"),
        ("standard", "moves", "Hold"),
        ("great war", "round 1", "Lay: base"),
        ("boer war", "Boers regular boers", "Entrench"),
        ("war chest", "player your turn", "Deploy"),
    ],
)
def test_a_chosen_order_has_a_mark_on_the_map(chromium, tmp_path, name, phase, sort):
    """A unit to disband is crossed out; a card, a point or a hex gets an edge and a tick."""
    one, place = page_for(tmp_path, name, phase, sort)

    def steps(page):
        put_together(page, by_touch, one.chosen[(phase, sort)].touches)
        return page.evaluate(DRAWN), page.locator(".thing .text").count()

    (size, *more), rows = chromium.visit(place, steps, width=PHONE).found
    assert size > 12
    assert more == []
    assert rows == 1


def test_the_bar_is_one_statement(chromium, tmp_path):
    """What is still due and what is left: not "1 of 1" beside "3 of 3"."""
    one, place = page_for(tmp_path, "plains 1", "US Brown", "Place")
    play = next(choice for choice in list_choices(one.asked) if type(choice.order).__name__ == "PlayAction")

    def steps(page):
        before = page.inner_text("#count")
        put_together(page, by_touch, play.touches)
        return before, page.inner_text("#count"), page.inner_text("#wanted")

    before, after, wanted = chromium.visit(place, steps, width=PHONE).found
    assert wanted == "Nothing more is due."
    assert before.startswith("Still due: the Migration card. Left: groups ")
    assert after.startswith("1 order. Left: groups ")


def test_a_button_says_each_thing_once(chromium, tmp_path):
    """A move is not "Galicia: it goes to Galicia", and a support says how many choices follow."""
    _, place = page_for(tmp_path, "standard", "moves", "Move")
    notes = "[...document.querySelectorAll('.choices button')].map(one => one.innerText.split('\\n'))"

    def steps(page):
        page.locator(".thing", has_text="support").first.tap()
        return page.evaluate(notes)

    found = [note for note in chromium.visit(place, steps, width=PHONE).found if len(note) > 1]
    assert ["move"] in [note[1:] for note in found]
    assert [note for note in found if note[1] == "…" or note[1].endswith(f"to {note[0]}")] == []
    assert any(re.fullmatch("[0-9]+ options", note[1]) for note in found)


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_send_is_dim_until_an_order_is_chosen(chromium, tmp_path, width):
    """And on a wide screen there is one such button."""
    _, place = page_for(tmp_path, "standard", "moves", "Move")
    look = "one => getComputedStyle(one).backgroundColor"

    def steps(page):
        before = page.locator("#go").evaluate(look)
        page.locator("#fill").click()
        return before, page.locator("#go").evaluate(look), page.locator("#send").is_visible()

    before, after, is_twice = chromium.visit(place, steps, width=width).found
    assert (before, after) == ("rgb(255, 253, 248)", "rgb(140, 58, 31)")
    assert is_twice == (width == PHONE)


@pytest.mark.parametrize("name", ["great war", "boer war", "boer war, both sides"])
def test_no_button_is_an_order_in_capitals(name):
    """Orders of these games are codes, so that buttons say in plain words what they do."""
    for one in prepared(name, SETTINGS[name].kinds):
        steps = [step.said for choice in list_choices(one.asked) for step in choice.touches.steps]
        assert [said for said in steps if said.isupper()] == []


@pytest.mark.parametrize("name", ["standard", "plains 1", "great war", "boer war"])
def test_nothing_lies_over_the_map_on_a_desk(chromium, tmp_path, name):
    """At 1,280 x 800 the map and its hint end above the bar, and no button covers a corner."""
    phase, sort = next(iter(prepared(name, SETTINGS[name].kinds)[0].chosen))
    _, place = page_for(tmp_path, name, phase, sort)

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.wait_for_timeout(100)
        return page.evaluate(BOTTOMS), page.evaluate(UNCOVERED)

    (chart, under, bar), uncovered = chromium.visit(place, steps, width=DESK).found
    assert 400 < chart < under <= bar
    assert uncovered
