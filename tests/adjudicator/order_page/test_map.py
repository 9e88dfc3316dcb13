"""The map is the way in: places open what is there, and choose where it goes. The rest is dimmed."""

import re
from pathlib import Path

import pytest

import games
from adjudicator.order_page import OrderEmail, OrderPageInput, render_order_page
from tests.adjudicator.order_page.decisions import Kind, prepared
from tests.kit import axe

PHONE = 375
EMAIL = OrderEmail(to="gm+kit.token@example.org", subject="Orders [kit #1]", service="gm@example.org")
ABOVE = """at => {
  const board = document.querySelector('.chart .board'), kids = [...board.children];
  const spots = kids.findIndex(one => one.querySelector('.spot'));
  const text = kids.findIndex(one => one.tagName === 'text' || one.querySelector('text'));
  return text > spots;
}"""
LIT = "way => [...document.querySelectorAll('.spot.' + way)].map(one => one.dataset.spot)"
TAP = """at => {
  const box = document.querySelector(`[data-spot="${at}"]`).getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def page_of(folder: Path, name: str, kind: Kind) -> Path:
    """The page of the first position of a game in which such a decision is due."""
    (one,) = prepared(name, frozenset({kind}))
    page = render_order_page(one.asked, "kit", EMAIL, one.asked.rest)
    assert page is not None
    (place := folder / "orders.html").write_bytes(page)
    return place


def tap(page, at: str) -> None:
    """Tap a place; and once more if the map came closer first."""
    page.touchscreen.tap(*page.evaluate(TAP, at))
    if page.locator("#say").inner_text() == "Zoomed in. Tap again.":
        page.touchscreen.tap(*page.evaluate(TAP, at))


def test_cubes_of_the_plains_move_by_two_taps(chromium, tmp_path):
    """A region with cubes, a region beside it, then how many: the last in the sheet at the foot."""
    place = page_of(tmp_path, "plains 1", ("US Brown", "Move"))

    def steps(page):
        mine = page.evaluate(LIT, "mine")
        page.locator("#whole").tap()
        tap(page, "N5")
        opened = page.locator(".thing[aria-expanded=true]").inner_text()
        can = page.evaluate(LIT, "can")
        tap(page, "N4")
        while page.locator(".choices").count():
            page.locator(".choices button:not(.aside):not([aria-disabled])").first.tap()
        return mine, opened, can, page.locator("#letter").inner_text()

    mine, opened, can, letter = chromium.visit(place, steps, width=PHONE).found
    assert {"N5", "SAC", "STL"} <= set(mine)
    assert opened.startswith("Omaha (N5)")
    assert {"N4", "S5"} <= set(can)
    assert letter.startswith("move")
    assert letter.endswith("N5 - N4")


def test_a_hex_of_war_chest_is_tapped_for_the_coin(chromium, tmp_path):
    """A unit's hex opens its coin; an empty hex opens the coin that deploys there."""
    place = page_of(tmp_path, "war chest", ("player your turn", "Deploy"))
    (one,) = prepared("war chest", frozenset({("player your turn", "Deploy")}))
    order = one.chosen["player your turn", "Deploy"].order

    def steps(page):
        assert order.at in page.evaluate("Object.keys(JSON.parse(choices.textContent).places)")
        tap(page, order.at)
        if page.locator("#letter").inner_text() == "No orders chosen yet.":
            buttons = page.locator("#say button, .choices button:not([aria-disabled])")
            assert buttons.count(), "the hex leads to its coin"
            buttons.first.tap()
        return page.locator("#letter").inner_text()

    assert order.at in chromium.visit(place, steps, width=PHONE).found


def test_a_leader_of_the_boer_war_moves_on_the_map(chromium, tmp_path):
    place = page_of(tmp_path, "boer war", ("Boers regular boers", "Move"))

    def steps(page):
        mine = page.evaluate(LIT, "mine")
        page.locator(".thing").first.tap()
        can = page.evaluate(LIT, "can")
        assert len(can) >= 3
        tap(page, can[0])
        letter = page.locator("#letter").inner_text()
        narrowed = page.evaluate(
            "[...document.querySelectorAll('.choices button')].map(one => one.textContent)"
        )
        return mine, can, letter, narrowed

    mine, can, letter, narrowed = chromium.visit(place, steps, width=PHONE).found
    assert len(mine) >= 3
    assert can[0] in letter or any(can[0] in one for one in narrowed)


def test_a_card_of_the_hand_is_tapped_and_the_card_that_it_takes(chromium, tmp_path):
    place = page_of(tmp_path, "great war", ("bonus", "BonusPlay"))

    def steps(page):
        mine = page.evaluate(LIT, "mine")
        for at in mine:
            tap(page, at)
            if page.locator(".choices").count() and (can := page.evaluate(LIT, "can")):
                tap(page, can[0])
                return mine, at, can[0], page.locator("#letter").inner_text()
            page.locator("#clear").click()
        return mine, "", "", ""

    mine, card, goal, letter = chromium.visit(place, steps, width=PHONE).found
    assert {at.split("/")[0] for at in mine} == {"hand"}
    assert letter == f"BONUS: {card.removeprefix('hand/')} > {goal.removeprefix('ai/')}"


RINGS = "way => [...document.querySelectorAll('.aims .' + way)].map(one => one.dataset.aim).sort()"
DARK = """() => [...document.querySelectorAll('mask path, mask polygon')]
  .map((one, at) => one.getAttribute('fill') === '#000' && document.querySelectorAll('.spot')[at])
  .filter(Boolean).map(one => one.dataset.spot).sort()"""
AIMS = """way => {
  const style = getComputedStyle(document.querySelector(`.aims .${way} .ink`));
  return [style.stroke, style.strokeWidth, style.strokeDasharray];
}"""


def test_full_rings_are_moves_and_dashed_rings_are_supports(chromium, tmp_path):
    """Rings mark the next places on land of any colour; only these and the touched unit are bright."""
    game = games.kinds()["standard"]
    state = game.whatif.position(
        {"phase": "S1902M", "units": {"Austria": ["F GRE", "A TRI", "A BUD"], "Turkey": ["F RUM", "F SMY"]}}
    )
    due = next(due for due in game.rules.due(state) if due.seat == "Austria")
    rest = tuple(map(game.notation.write, game.rules.default(state, due)))
    page = render_order_page(OrderPageInput(game, state, due.seat, (due,), (), rest), "kit", EMAIL, rest)
    assert page is not None
    (place := tmp_path / "orders.html").write_bytes(page)

    def steps(page):
        before = page.locator(".aims > g").count(), page.evaluate(DARK)
        page.locator(".thing", has_text="Greece").tap()
        rings = {way: page.evaluate(RINGS, way) for way in ("go", "aid", "from")}
        looks = {way: page.evaluate(AIMS, way) for way, places in rings.items() if places}
        return before, rings, page.evaluate(DARK), page.inner_text("#say"), looks

    before, rings, bright, said, looks = chromium.visit(place, steps, width=PHONE).found
    assert before == (0, ["BUD", "GRE", "TRI"])
    assert rings == {"go": ["AEG", "ALB", "BUL", "ION"], "aid": ["TRI"], "from": ["GRE"]}
    assert bright == ["AEG", "ALB", "BUL", "GRE", "ION", "TRI"], "Rumania and Smyrna are dim"
    assert said == "Fleet Greece: full ring = move, dashed ring = support."
    assert looks["go"] == ["rgb(11, 61, 255)", "2.5px", "none"]
    assert looks["aid"] == ["rgb(11, 61, 255)", "2.5px", "5px, 4px"]
    assert looks["from"] == ["rgb(179, 38, 30)", "4.5px", "none"]


@pytest.mark.parametrize(
    ("name", "kind", "called"),
    [
        ("standard", ("moves", "Move"), "Whole map"),
        ("great war", ("round 1", "Lay: base"), "Whole board"),
    ],
)
def test_a_button_shows_the_whole_of_a_map_or_a_board(chromium, tmp_path, name, kind, called):
    place = page_of(tmp_path, name, kind)
    assert chromium.visit(place, lambda page: page.inner_text("#whole"), width=PHONE).found == called


PLACES = [
    ("standard", ("moves", "Move"), True),
    ("indianomacy", ("moves", "Move"), True),
    ("plains 1", ("US Brown", "Move"), True),
    ("war chest", ("player your turn", "Deploy"), True),
    ("boer war", ("Boers regular boers", "Move"), False),
    ("great war", ("round 1", "Lay: base"), False),
]


@pytest.mark.parametrize(("name", "kind", "below"), PLACES)
def test_places_are_touched_below_units_and_names(chromium, tmp_path, name, kind, below):
    """Only places without a shape on the map have their edges above it: tokens and cards."""

    def steps(page):
        page.locator(".thing").first.tap()
        shown = page.locator(".veil").evaluate("one => getComputedStyle(one).display !== 'none'")
        touchable = page.evaluate("document.querySelectorAll('.spot.mine, .spot.can').length")
        assert page.locator(".spot").first.get_attribute("fill") is None, "its colour comes from the style"
        page.evaluate("document.querySelectorAll('.spot').forEach(one => one.classList.add('can'))")
        looks = "[...document.querySelectorAll('.spot:not(.open, .rare)')].map(one => getComputedStyle(one))"
        edges = page.evaluate(f"{looks}.map(look => [look.fillOpacity, look.stroke])")
        assert set(map(tuple, edges)) == {("0", "rgb(11, 61, 255)")}, "its land keeps its colour"
        assert page.locator("use.spot").count() == 0, "a use would show the colour of what it repeats"
        return touchable, shown, page.evaluate(ABOVE), axe.findings(page, (axe.CONTRAST,))

    visit = chromium.visit(page_of(tmp_path, name, kind), steps, width=PHONE, dark=True)
    touchable, shown, is_below, faults = visit.found
    assert touchable > 0
    assert shown == (name != "boer war"), "a veil would dim the leaders, which stand beside the points"
    assert is_below == below
    assert faults == ()
    assert visit.said == ()


def test_choices_are_a_sheet_between_map_and_bar(chromium, tmp_path):
    """Buttons of 48 pixels on a phone; the map and its hint stay visible above them."""
    boxes = """() => ['#chart', '.choices', '.reach']
      .map(one => document.querySelector(one).getBoundingClientRect()).map(box => [box.top, box.bottom])"""
    low = "Math.min(...[...document.querySelectorAll('.choices button')].map(one => one.offsetHeight))"

    def steps(page):
        page.set_viewport_size({"width": PHONE, "height": 812})
        page.locator(".thing").nth(2).tap()
        page.wait_for_timeout(100)
        return page.evaluate(boxes), page.evaluate(low), page.evaluate("innerHeight")

    (chart, sheet, bar), low, height = chromium.visit(
        page_of(tmp_path, "standard", ("moves", "Move")), steps, width=PHONE
    ).found
    assert low >= 48
    assert chart[0] >= 0
    assert chart[1] <= sheet[0] + 1
    assert sheet[1] <= bar[0] + 1
    assert bar[1] <= height


def test_the_sheet_is_above_a_bar_of_many_lines(chromium, tmp_path):
    """Two tribes have their own cards, so that the bar of the nations has the most to say."""
    boxes = "one => document.querySelector(one).getBoundingClientRect()"

    def steps(page):
        page.locator(".thing", has_text=re.compile("[0-9]+ options")).first.tap()
        sheet, bar = (page.evaluate(boxes, one) for one in (".choices", ".reach"))
        return sheet["bottom"], bar["top"], bar["height"]

    place = page_of(tmp_path, "plains 2.3", ("Nations None", "Move"))
    bottom, top, height = chromium.visit(place, steps, width=PHONE).found
    assert height > 60
    assert bottom <= top + 1
