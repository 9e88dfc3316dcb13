"""The page of a game on a phone: the map first, nothing over it, few elements, and nothing that jumps."""

import io
import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from adjudicator.website import timeline

DESK, PHONE = 1280, 375
SCREEN = {"width": PHONE, "height": 667}
COVERED = """() => {
  const map = document.querySelector('.leaf:not([hidden]) .map'), box = map.getBoundingClientRect();
  let covered = 0;
  for (let across = 0.5; across < 20; across++) for (let down = 0.5; down < 20; down++) {
    const at = [box.left + box.width * across / 20, box.top + box.height * down / 20];
    covered += !map.contains(document.elementFromPoint(...at));
  }
  return covered / 400;
}"""
"""The share of the map's frame that something covers, or that is below the window."""
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const shift of list.getEntries()) sum += shift.value; })
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 200);
})"""
"""The layout shift since the page was opened, as browsers measure it."""
MIDDLE = """spot => {
  const box = document.querySelector(`[data-spot=${spot}]`).getBoundingClientRect();
  const frame = document.querySelector('.leaf:not([hidden]) .map').getBoundingClientRect();
  return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
}"""
"""Where a place is in the frame of the map."""
TOP = "document.querySelector('.buttons').getBoundingClientRect().top + window.scrollY"
MAP = "document.querySelector('.leaf:not([hidden]) .map')"


@pytest.fixture(scope="module")
def place(vienna):
    """The address of the game's page."""
    return vienna.site / "games" / "vienna" / "index.html"


def slowed_down(place: Path, folder: Path) -> Path:
    """Write the page so that its script runs late, when the browser has painted what comes before."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", place.read_text())
    before, mark, script = text.rpartition("<script>")
    script, end, after = script.partition("</script>")
    copy = folder / "index.html"
    copy.write_text(f"{before}{mark}setTimeout(() => {{{script}}}, 400);{end}{after}")
    return copy


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("anchor", ["", "#S1901M"])
def test_nothing_jumps_when_the_script_runs(chromium, place, tmp_path, width, anchor):
    """A layout shift of 0.02 at most, on arrival at the last turn or at another one."""

    def steps(page):
        page.wait_for_selector(".leaf:not([hidden]) .board")
        return page.evaluate(SHIFTS)

    page = slowed_down(place, tmp_path)
    assert chromium.visit(page, steps, width=width, anchor=anchor).found <= 0.02


def test_the_map_comes_first_and_nothing_covers_it(chromium, place):
    """At 375 x 667 px its frame is in the window, and the buttons and the hint are below it."""

    def steps(page):
        page.set_viewport_size(SCREEN)
        tops = """['.map', '.buttons', '.pointed', '.course', '.tale'].map(name =>
          document.querySelector(name).getBoundingClientRect().top)"""
        return page.evaluate(COVERED), page.evaluate(tops)

    covered, tops = chromium.visit(place, steps, width=PHONE).found
    assert covered == 0
    assert tops == sorted(tops)
    assert tops[0] < 120
    assert tops[1] < SCREEN["height"] - 100


def test_the_map_comes_first_on_a_desk_too(chromium, place):
    """At 1,280 x 800 all of it is in the window, with the buttons and the text beside it."""

    def steps(page):
        page.set_viewport_size({"width": DESK, "height": 800})
        boxes = """['.leaf:not([hidden]) .board', '.buttons', '.tale'].map(name => {
          const box = document.querySelector(name).getBoundingClientRect();
          return [box.left, box.top, box.right, box.bottom];
        })"""
        page.wait_for_timeout(100)
        return page.evaluate(COVERED), page.evaluate(boxes)

    covered, (board, buttons, tale) = chromium.visit(place, steps, width=DESK).found
    assert covered == 0
    assert board[1] < 110
    assert board[3] <= 800
    assert board[3] - board[1] > 600
    for beside in (buttons, tale):
        assert beside[0] > board[2]
        assert beside[1] < 600


@pytest.mark.parametrize(("width", "hint"), [(PHONE, "Tap the map"), (DESK, "Point at the map")])
def test_the_hint_speaks_of_what_the_reader_has(chromium, place, width, hint):
    """A finger, or a mouse and arrow keys."""
    said = chromium.visit(place, lambda page: page.inner_text("#pointed"), width=width).found
    assert said.startswith(hint)
    assert ("Arrow keys" in said) == (width == DESK)


def test_turns_are_no_elements_until_they_are_shown(chromium, place):
    """Nor are shapes that no shown turn needs, or the table of counts."""

    def steps(page):
        hidden = "document.querySelectorAll('.leaf[hidden] *').length"
        shapes, table = (
            "document.querySelectorAll('.stock defs > *').length",
            "document.querySelector('#counts table')",
        )
        before = page.evaluate(hidden), page.evaluate(shapes), page.evaluate(f"!!{table}")
        whole = page.evaluate("document.querySelectorAll('*').length")
        page.locator("#first").click()
        page.locator("#counts summary").click()
        page.wait_for_selector("#counts table")
        return before, whole, page.evaluate(hidden), page.evaluate(shapes)

    (hidden, shapes, table), whole, hidden_then, shapes_then = chromium.visit(place, steps).found
    assert hidden == 4  # the text of each turn
    assert not table
    assert whole < 2000
    assert hidden_then > 100  # the last turn, which was shown
    assert shapes_then > shapes


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_map_is_enlarged_where_it_was_pointed_at(chromium, place, width):
    """Ankara stays under the finger, the buttons stay where they are, and so does the map in another turn."""

    def steps(page):
        if width == DESK:
            # A board that is narrower than its frame can only stand in its middle.
            page.locator("#whole").click()
        page.locator("[data-spot=ANK]").click()
        at, top = page.evaluate(MIDDLE, "ANK"), page.evaluate(TOP)
        for _ in range(2):
            page.locator("#larger").click()
        then, top_then = page.evaluate(MIDDLE, "ANK"), page.evaluate(TOP)
        scrolled = page.evaluate(f"[{MAP}.scrollLeft, {MAP}.scrollTop]")
        page.locator("#back").click()
        return at, then, top, top_then, scrolled, page.evaluate(f"[{MAP}.scrollLeft, {MAP}.scrollTop]")

    at, then, top, top_then, scrolled, later = chromium.visit(place, steps, width=width).found
    assert then == pytest.approx(at, abs=4)
    assert top_then == top
    assert scrolled == later
    assert min(scrolled) > 20


def test_the_map_is_enlarged_in_the_middle_if_nothing_was_pointed_at(chromium, place):
    """Not in the top left corner. The buttons stay where they are."""

    def steps(page):
        page.locator("#whole").click()
        top = page.evaluate(TOP)
        page.locator("#larger").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        share = page.evaluate(f"{MAP}.scrollLeft / ({MAP}.scrollWidth - {MAP}.clientWidth)")
        return share, page.evaluate(TOP) - top

    assert chromium.visit(place, steps, width=PHONE).found == pytest.approx([0.5, 0], abs=0.02)


def test_two_taps_enlarge_the_map(chromium, place):
    """At the place that was tapped."""

    def steps(page):
        at = page.evaluate(MIDDLE, "ANK")
        page.locator("[data-spot=ANK]").dblclick()
        return at, page.evaluate(MIDDLE, "ANK"), page.evaluate(f"{MAP}.scrollWidth > {MAP}.clientWidth")

    at, then, larger = chromium.visit(place, steps, width=PHONE).found
    assert larger
    assert then == pytest.approx(at, abs=4)


def test_a_phone_begins_with_the_part_where_most_happened(chromium, place):
    """The frame is much smaller than the map and holds most of what failed; the button shows all of it."""
    seen = """() => {
      const frame = document.querySelector('.leaf:not([hidden]) .map'), box = frame.getBoundingClientRect();
      const inside = one => one.left > box.left && one.right < box.right &&
        one.top > box.top && one.bottom < box.bottom;
      const crosses = [...document.querySelectorAll('.leaf:not([hidden]) .tale li.failed')].map(line =>
        document.querySelector(`[data-spot=${line.dataset.at}]`).getBoundingClientRect());
      return [frame.scrollWidth / frame.clientWidth, crosses.filter(inside).length, crosses.length,
              document.getElementById('whole').textContent];
    }"""

    def steps(page):
        first = page.evaluate(seen)
        page.locator("#whole").click()
        whole = page.evaluate(seen)
        page.locator("#whole").click()
        return first, whole, page.evaluate(seen)

    first, whole, again = chromium.visit(place, steps, width=PHONE, anchor="#S1902M").found
    assert first[0] > 1.5
    assert first[2] > 0
    assert first[1] >= first[2] / 2
    assert first[3] == "Whole map"
    assert whole[0] == 1
    assert whole[3] == "Close-up"
    assert again == first


def test_the_map_that_a_reader_moved_stays_there_in_the_next_turn(chromium, place):
    """Only a map that nobody has moved goes to where the next turn's news are."""

    def steps(page):
        page.locator("#whole").click()
        page.locator("#back").click()
        return page.evaluate(f"{MAP}.scrollWidth / {MAP}.clientWidth")

    assert chromium.visit(place, steps, width=PHONE).found == 1


@pytest.mark.parametrize(("width", "folded"), [(PHONE, True), (DESK, False)])
def test_the_key_of_a_map_is_folded_on_a_phone(chromium, place, width, folded):
    """There the drawing is the board alone, and a button shows the key, large enough to read."""

    def steps(page):
        box = "document.querySelector('.leaf:not([hidden]) .board').viewBox.baseVal.height"
        high, shown = page.evaluate(box), page.locator("#key").is_visible()
        if not shown:
            return high, shown, 0, 0
        page.locator("#key").click()
        page.locator("#back").click()
        scale = """(() => { const key = document.querySelector('#legend svg');
          const {y, width} = key.viewBox.baseVal;
          return [y, key.getBoundingClientRect().width / width]; })()"""
        return high, shown, *page.evaluate(scale)

    high, shown, begins, scale = chromium.visit(place, steps, width=width).found
    assert shown == folded
    assert high == 1440 if folded else high > 1600
    if folded:
        assert begins == high
        assert scale * 18.5 > 11


def test_play_and_next_look_different(chromium, place):
    """Play has its word on a phone too."""

    def steps(page):
        return page.inner_text("#play"), page.inner_text("#on"), page.inner_text("#back")

    play, following, back = chromium.visit(place, steps, width=PHONE).found
    assert "Play" in play
    assert (following, back) == ("›", "‹")


@pytest.mark.parametrize("width", [320, 360, PHONE])
def test_the_buttons_fit_on_narrow_phones(chromium, place, width):
    """Every button shows its whole word, nothing scrolls sideways, and from 360 px on there is one row."""

    def steps(page):
        page.locator("#first").click()
        page.locator("#play").click()
        cut = page.evaluate("""[...document.querySelectorAll('.buttons button')]
          .filter(one => one.scrollWidth > one.clientWidth).map(one => one.id)""")
        scroll = page.evaluate("document.documentElement.scrollWidth")
        return (
            page.inner_text("#play .word"),
            cut,
            scroll,
            page.evaluate("""new Set([
          ...document.querySelectorAll('.buttons button')].map(one => one.offsetTop)).size"""),
        )

    word, cut, scroll, rows = chromium.visit(place, steps, width=width).found
    assert word == "Pause"
    assert cut == []
    assert scroll == width
    assert rows == 1 or width == 320


def test_lines_of_equal_counts_lie_side_by_side():
    """Seven powers with the same count, or with counts that would come to lie on each other."""
    for heights in ([100.0] * 7, [100.0, 100.0, 100.0, 97.0, 103.0, 90.0, 110.0], [199.0] * 12, [22.0] * 3):
        moved = timeline._move_apart(heights)
        rows = sorted(moved)
        assert all(low - high >= timeline.LINE_SPACING - 0.11 for high, low in pairwise(rows))
        assert rows[0] > 0
        assert rows[-1] < timeline.HEIGHT
    assert timeline._move_apart([50.0, 10.0, 30.0]) == [50.0, 10.0, 30.0]


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_chart_shows_seven_powers_as_seven_lines(chromium, place, width):
    """At the opening six of them have three centres: every colour is in the picture, from top to bottom."""

    def steps(page):
        strokes = """[...document.querySelectorAll('.course polyline[stroke]')]
          .map(one => one.getAttribute('stroke'))"""
        page.locator("#slider").evaluate("slider => slider.parentElement.scrollIntoView({block: 'center'})")
        page.locator("#last").focus()
        return page.evaluate(strokes), page.locator(".course").screenshot()

    strokes, shot = chromium.visit(place, steps, width=width).found
    assert len(strokes) == len(set(strokes)) == 7
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    column = [picture.getpixel((18, y)) for y in range(picture.height)]
    for stroke in strokes:
        wanted = [int(stroke[at : at + 2], 16) for at in (1, 3, 5)]
        nearest = min(max(abs(a - b) for a, b in zip(pixel, wanted, strict=True)) for pixel in column)
        assert nearest < 48, stroke
