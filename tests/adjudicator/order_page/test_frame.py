"""The frame of the map begins with the own front; two fingers and two taps enlarge it, one moves it."""

from pathlib import Path

import pytest

import games
from adjudicator.order_page import OrderPageInput, render_order_page
from games.diplomacy.adjudication.convoy_routes import at_sea, shortest
from games.diplomacy.model import Convoy, Move, SupportMove
from games.protocol import Seat
from tests.adjudicator.order_page.hands import head_of
from tests.adjudicator.order_page.test_map import EMAIL, page_of
from tests.adjudicator.order_page.test_touch import WHERE, letter
from tests.kit import axe
from tests.kit.bot_games import rounds

PHONE = 375
SCREEN = {"width": PHONE, "height": 812}
FRAME = """() => {
  const frame = document.querySelector('.chart .map'), board = frame.querySelector('.board');
  const {left, top, right, bottom} = frame.getBoundingClientRect();
  const seen = [...document.querySelectorAll('.spot.mine')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
  });
  return {zoom: board.clientWidth / frame.clientWidth, scroll: [frame.scrollLeft, frame.scrollTop],
          height: bottom - top, seen: seen.length, mine: document.querySelectorAll('.spot.mine').length};
}"""
AWAIT_SCROLL = "one => { window.ended = new Promise(done => one.addEventListener('scrollend', done)); }"
TOP = "document.querySelector('.chart').getBoundingClientRect().top"
BUTTONS = "() => [...document.querySelectorAll('.choices button')].map(one => one.firstChild.textContent)"


def board_page(folder: Path, **units: list[str]) -> tuple[Path, OrderPageInput]:
    """The page of the first named power in spring 1901, with these units on the board."""
    game = games.kinds()["standard"]
    state = game.whatif.position({"phase": "S1901M", "units": units})
    seat = Seat(next(iter(units)))
    due = next(due for due in game.rules.due(state) if due.seat == seat)
    rest = tuple(map(game.notation.write, game.rules.default(state, due)))
    asked = OrderPageInput(game, state, seat, (due,), (), rest)
    page = render_order_page(asked, "kit", EMAIL, rest)
    assert page is not None
    (place := folder / "orders.html").write_bytes(page)
    return place, asked


CHANNEL = {"England": ["A LON", "F ENG", "F NTH", "A WAL"], "France": ["A BRE", "F MAO", "A PIC"]}


@pytest.mark.parametrize(
    ("name", "kind"), [("standard", ("moves", "Move")), ("indianomacy", ("moves", "Move"))]
)
def test_the_map_begins_with_the_own_front(chromium, tmp_path, name, kind):
    """All own units are in the frame, larger than on the whole map; a button shows the whole map and back."""

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.reload()
        front = page.evaluate(FRAME)
        assert front["zoom"] > 1.3
        page.locator("#whole").tap()
        whole = page.evaluate(FRAME)
        page.locator("#whole").tap()
        return front, whole, page.evaluate(FRAME), axe.findings(page, (axe.CONTRAST,))

    front, whole, again, faults = chromium.visit(page_of(tmp_path, name, kind), steps, width=PHONE).found
    assert front["seen"] == front["mine"] > 0
    assert whole["zoom"] <= 1.01
    assert whole["height"] == pytest.approx(front["height"], abs=0.5), "what is below stays where it is"
    assert again == front
    assert faults == ()


SCATTERED = {"Russia": ["F NWY", "A SWE", "A STP", "A BER", "A SEV", "A RUM", "A ARM", "A SYR"]}


@pytest.mark.parametrize(("width", "is_close"), [(PHONE, True), (1280, False)])
def test_a_front_across_the_board_begins_where_most_units_are(chromium, tmp_path, width, is_close):
    """On a phone, large enough to tap. A wide screen has room for all of it."""
    place, _ = board_page(tmp_path, **SCATTERED)

    def steps(page):
        page.wait_for_timeout(100)
        return page.evaluate(FRAME)

    front = chromium.visit(place, steps, width=width).found
    assert front["mine"] == 8
    if is_close:
        assert front["zoom"] > 1.5
        assert 3 <= front["seen"] < 8
    else:
        assert front["zoom"] < 1.5
        assert front["seen"] >= 6


def test_all_own_units_begin_in_the_frame_if_they_can(chromium, tmp_path):
    """Russia from Norway to Sevastopol: its provinces are too wide for the frame, its units aren't."""
    place, _ = board_page(tmp_path, Russia=["A NWY", "A SWE", "F BAL", "A BER", "A WAR", "A SEV", "A MOS"])
    inside = """() => {
      const {left, top, right, bottom} = document.querySelector('.chart .map').getBoundingClientRect();
      return places => places.every(([x, y]) => x > left && x < right && y > top && y < bottom);
    }"""

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.reload()
        page.wait_for_timeout(100)
        points = [page.evaluate(WHERE, at) for at in ("NWY", "SWE", "BAL", "BER", "WAR", "SEV", "MOS")]
        return page.evaluate(f"points => ({inside})()(points)", points), page.evaluate(FRAME)["zoom"]

    is_whole, zoom = chromium.visit(place, steps, width=PHONE).found
    assert is_whole
    assert zoom > 1.5


def test_the_plains_begin_with_the_region_of_most_orders(chromium, tmp_path):
    place = page_of(tmp_path, "plains 1", ("US Brown", "PlayAction"))
    seen = """() => {
      const {left, right} = document.querySelector('.chart .map').getBoundingClientRect();
      const box = document.querySelector('[data-spot=N5]').getBoundingClientRect();
      return box.left >= left && box.right <= right;
    }"""

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.reload()
        page.wait_for_timeout(100)
        return page.evaluate(seen)

    assert chromium.visit(place, steps, width=PHONE).found


def test_a_board_of_few_places_fills_the_frame(chromium, tmp_path):
    """The hexes of War Chest are in the whole width, without the list of units below them."""
    hexes = """() => {
      const boxes = [...document.querySelectorAll('.spot')].map(one => one.getBoundingClientRect());
      const wide = Math.max(...boxes.map(box => box.right)) - Math.min(...boxes.map(box => box.left));
      return wide / document.querySelector('.chart .map').clientWidth;
    }"""

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.reload()
        return page.evaluate(hexes)

    place = page_of(tmp_path, "war chest", ("player your turn", "Deploy"))
    assert chromium.visit(place, steps, width=PHONE).found > 0.85


def slide(page, *stages: tuple[tuple[float, float], ...]) -> None:
    """Let fingers touch the screen, move from stage to stage, and leave it."""
    asking = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * (len(stages) - 1), "touchEnd"]
    for kind, stage in zip(kinds, (*stages, ()), strict=True):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(stage)]
        asking.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    asking.detach()


def test_two_fingers_enlarge_and_move_the_map(chromium, tmp_path):
    """The place between the fingers stays between them, and nothing is ordered."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        page.set_viewport_size(SCREEN)
        page.locator("#whole").tap()
        x, y = page.evaluate(WHERE, "LON")
        slide(page, *[((x - far, y), (x + far, y)) for far in (20, 30, 45, 60)])
        larger, at = page.evaluate(FRAME), page.evaluate(WHERE, "LON")
        slide(page, ((x - 20, y), (x + 20, y)), ((x + 20, y + 25), (x + 60, y + 25)))
        return (x, y), larger, at, page.evaluate(WHERE, "LON"), letter(page), page.locator(".choices").count()

    start, larger, at, moved, said, opened = chromium.visit(place, steps, width=PHONE).found
    assert larger["zoom"] == pytest.approx(3, abs=0.05)
    assert at == pytest.approx(start, abs=4)
    assert moved == pytest.approx((start[0] + 40, start[1] + 25), abs=4)
    assert (said, opened) == (["No orders chosen yet."], 0)


def test_in_firefox_two_fingers_enlarge_the_map_where_they_are(firefox, tmp_path):
    """A tap on a unit and a tap on its destination make its order there too."""
    place, _ = board_page(tmp_path, **CHANNEL)
    firefox.open(place)
    firefox.tap("#whole")
    x, y = map(round, firefox.run(WHERE, "LON"))
    firefox.slide([(x - 20, y), (x - 40, y), (x - 60, y)], [(x + 20, y), (x + 40, y), (x + 60, y)])
    assert firefox.run(FRAME)["zoom"] == pytest.approx(3, abs=0.1)
    assert firefox.run(WHERE, "LON") == pytest.approx((x, y), abs=5)
    assert firefox.text("#letter") == "No orders chosen yet."
    for at in ("LON", "YOR"):
        firefox.slide([tuple(map(round, firefox.run(WHERE, at)))])
    assert firefox.text("#letter") == "A LON - YOR"
    assert firefox.errors() == []


def test_two_taps_enlarge_the_map_and_order_nothing(chromium, tmp_path):
    """The choice of the first tap is withdrawn."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        before = page.evaluate(FRAME)["zoom"]
        head_of(page, "Army London").tap()
        at, top = page.evaluate(WHERE, "YOR"), page.evaluate(TOP)
        page.mouse.dblclick(*at)
        after, said = page.evaluate(FRAME)["zoom"], letter(page)
        opened = page.locator(".thing[aria-expanded=true]").inner_text()
        moved = [0, page.evaluate(TOP) - top]
        then = [one - by for one, by in zip(page.evaluate(WHERE, "YOR"), moved, strict=True)]
        return before, after, said, opened, at, then

    before, after, said, opened, at, then = chromium.visit(place, steps, width=PHONE).found
    assert after == pytest.approx(2 * before, abs=0.05)
    assert said == ["No orders chosen yet."]
    assert opened.startswith("Army London")
    assert then == pytest.approx(at, abs=4)


def test_one_finger_moves_an_enlarged_map_and_keys_do(chromium, tmp_path):
    """The frame scrolls as any other box does, so the browser's own ways work, and it is in reach of Tab."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        before = page.evaluate(FRAME)["scroll"]
        frame = page.locator(".chart .map")
        ways = frame.evaluate("one => [getComputedStyle(one).touchAction, getComputedStyle(one).overflowX]")
        frame.evaluate(AWAIT_SCROLL)
        frame.focus()
        page.keyboard.press("ArrowRight")
        page.evaluate("window.ended.then(() => 1)")
        assert page.evaluate(FRAME)["scroll"][0] > before[0] + 10
        return ways, frame.get_attribute("tabindex"), frame.get_attribute("aria-label")

    assert chromium.visit(place, steps, width=PHONE).found == (["pan-x pan-y", "auto"], "0", "Map")


def test_convoys_and_help_for_others_fold(chromium, tmp_path):
    """One button each with the number of choices; on the map their places can be tapped all the same."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        head_of(page, "Army London").tap()
        buttons = page.evaluate(BUTTONS)
        rare = page.evaluate("[...document.querySelectorAll('.spot.rare')].map(one => one.dataset.spot)")
        page.locator(".choices button", has_text="By convoy").tap()
        inside = page.evaluate(BUTTONS)
        page.locator(".choices button", has_text="Norway").tap()
        return buttons, rare, inside, letter(page)

    buttons, rare, inside, said = chromium.visit(place, steps, width=PHONE).found
    folded = [one for one in buttons if ":" in one]
    assert folded == [f"By convoy: {len(inside) - 1}", "Support others: 2"]
    assert buttons.index(folded[0]) > buttons.index("Yorkshire")
    assert {"NWY", "BEL", "BRE"} <= set(rare)
    assert not {"YOR", "WAL"} & set(rare)
    assert "Norway" in inside
    assert said == ["A LON - NWY"]


@pytest.mark.parametrize(("seed", "last"), [(b"touch", 1903)])
def test_no_convoy_is_offered_for_which_no_fleet_is_there(seed, last):
    """No convoyed move, convoy or support needs a chain of fleets with a gap."""
    rules, looked = games.kinds()["standard"].rules, 0
    board = rules.board
    for one in rounds(games.kinds()["standard"], seed, last):
        if one.before.phase.kind != "M":
            continue
        fleets = at_sea(board, one.before.units)
        for due in rules.due(one.before):
            for order in (possible.order for possible in rules.legal_orders(one.before, due.seat)):
                other = getattr(order, "other", order.unit)
                if not isinstance(order, Convoy | Move | SupportMove) or other.kind != "A":
                    continue
                if isinstance(order, Convoy) or order.to not in board.army[other.at]:
                    assert shortest(board, board.index[other.at], board.index[order.to], fleets), order
                    looked += 1
    assert looked > 50


def test_a_support_of_a_chosen_move_is_one_tap(chromium, tmp_path):
    """It stands first; and once it is chosen it isn't offered again."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        head_of(page, "Army London").tap()
        page.locator(".choices button", has_text="Yorkshire").first.tap()
        opened = page.locator(".thing[aria-expanded=true]").inner_text()
        head_of(page, "Army Wales").tap()
        page.locator(".choices button").first.tap()
        return opened, letter(page), page.locator("#say").inner_text()

    opened, said, told = chromium.visit(place, steps, width=PHONE).found
    assert opened.startswith("Fleet")
    assert said == ["A LON - YOR", "A WAL S A LON - YOR"]
    assert told.startswith("A WAL S A LON - YOR. Next: Fleet")


def test_a_tap_on_another_own_unit_asks_what_is_meant(chromium, tmp_path):
    """Help for it, or its own order: the page opened this unit by itself."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        head_of(page, "Army London").tap()
        page.mouse.click(*page.evaluate(WHERE, "NTH"))
        buttons = page.evaluate(BUTTONS)
        assert "Order Fleet North Sea instead" in buttons
        page.locator(".choices button", has_text="instead").tap()
        return letter(page), page.locator(".thing[aria-expanded=true]").inner_text()

    said, opened = chromium.visit(place, steps, width=PHONE).found
    assert said == ["No orders chosen yet."]
    assert opened.startswith("Fleet North Sea")


def test_undo_opens_the_unit_again(chromium, tmp_path):
    """In reach at the foot, where the next unit is open already."""
    place, _ = board_page(tmp_path, **CHANNEL)

    def steps(page):
        head_of(page, "Army London").tap()
        page.locator(".choices button", has_text="Yorkshire").first.tap()
        page.locator(".choices button", has_text="Undo").tap()
        return letter(page), page.locator(".thing[aria-expanded=true]").inner_text()

    said, opened = chromium.visit(place, steps, width=PHONE).found
    assert said == ["No orders chosen yet."]
    assert opened.startswith("Army London")
