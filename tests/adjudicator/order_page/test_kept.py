"""The page keeps the chosen orders on the device, and works where nothing can be kept."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adjudicator.order_page import OrderEmail
from tests.adjudicator.order_page.hands import head_of
from tests.adjudicator.order_page.seated import Seat
from tests.adjudicator.order_page.test_touch import PHONE, TO, letter, write_page

STORED = "() => Object.entries(localStorage)"
NO_STORAGE = """Object.defineProperty(window, 'localStorage',
  {get() { throw new DOMException('The operation is insecure.', 'SecurityError'); }});"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
LISTEN = "window.heard = new Promise(done => addEventListener('storage', () => setTimeout(done))); 0"
"""Then `heard` is there when another tab has kept something, and the page has heard of it."""
NOT_KEPT = "This browser can't keep your choices here. Send them before you close this page."
MOVE = ("Army Vienna", "Galicia")


def choose(page, unit: str, goal: str) -> None:
    head_of(page, unit).tap()
    page.locator(".choices button").filter(has_text=re.compile(rf"^{goal}\s*move$")).tap()


def page_of(folder: Path, name: str = "orders", filed: tuple[str, ...] = (), **email) -> Path:
    given = OrderEmail(TO, "Orders [kit #1]", service="gm@example.org", entries=3, made=10)
    return write_page(folder / f"{name}.html", TO, filed, OrderEmail(**{**vars(given), **email}))


def test_a_reload_in_the_middle_of_choosing_loses_nothing(chromium, tmp_path):
    """One order is chosen and a second unit is open; after the reload the first order is still chosen."""

    def steps(page):
        choose(page, *MOVE)
        head_of(page, "Army Budapest").tap()
        page.reload()
        return letter(page), page.locator("#say").inner_text(), page.locator("#count").inner_text()

    chosen, said, count = chromium.visit(page_of(tmp_path), steps, width=PHONE).found
    assert chosen == ["A VIE - GAL"]
    assert said == "These are the orders that you chose here before. You can change them."
    assert count == "1 of 3 orders"


NO_STORAGE_IN_FIREFOX = {
    "off": {"dom__storage__enabled": False},
    "no cookies": {"network__cookie__cookieBehavior": 2},
}


def choose_in_firefox(firefox, unit: int, goal: str) -> None:
    firefox.tap(f'[data-thing="{unit}"]')
    firefox.tap(f'.choices [data-step^="{goal}"]')


def test_in_firefox_a_reload_in_the_middle_of_choosing_loses_nothing(firefox, tmp_path):
    """By touch at a phone's width, as in the other browser, and without errors in scripts."""
    firefox.open(page_of(tmp_path))
    choose_in_firefox(firefox, 2, "Galicia")
    assert firefox.text("#say") == "A VIE - GAL. Next: Army Budapest."
    assert firefox.text("#letter") == "A VIE - GAL"
    firefox.reload()
    assert firefox.text("#letter") == "A VIE - GAL"
    assert firefox.text("#count") == "1 of 3 orders"
    assert firefox.run("() => [innerWidth, matchMedia('(pointer: coarse)').matches]") == [PHONE, True]
    firefox.tap("#forget")
    firefox.reload()
    assert firefox.text("#letter") == "No orders chosen yet."
    assert firefox.errors() == []


@pytest.mark.parametrize("way", NO_STORAGE_IN_FIREFOX)
def test_in_firefox_without_storage_the_page_says_so_and_works(firefox, tmp_path, way):
    """Its user has turned storage off, or refuses all cookies, so that asking for storage fails."""
    with firefox.preferences(**NO_STORAGE_IN_FIREFOX[way]):
        firefox.open(page_of(tmp_path))
        assert firefox.text("#kept") == NOT_KEPT
        choose_in_firefox(firefox, 2, "Galicia")
        assert firefox.text("#letter") == "A VIE - GAL"
        firefox.reload()
        assert firefox.text("#letter") == "No orders chosen yet."
        assert firefox.errors() == []


def test_only_order_texts_are_kept_and_never_the_address(chromium, tmp_path):
    def steps(page):
        choose(page, *MOVE)
        page.locator("#more").fill("PRESS TO Italy: not a word")
        page.reload()
        return page.evaluate(STORED)

    ((key, value),) = chromium.visit(page_of(tmp_path), steps, width=PHONE).found
    assert key == 'turnpost-orders:["gm@example.org","kit","Austria"]:S1901M'
    assert json.loads(value) == {"number": 3, "made": 10, "filed": [], "orders": ["A VIE - GAL"]}
    assert "token" not in key + value


@contextmanager
def runs_first(page, script: str) -> Iterator[None]:
    """Run a script before those of each page, and no longer than this visit."""
    asking = page.context.new_cdp_session(page)
    asking.send("Page.enable")
    name = asking.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]
    yield
    asking.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": name})
    asking.detach()


@pytest.mark.parametrize("script", [NO_STORAGE, FULL], ids=["none", "full"])
def test_without_storage_the_page_says_so_and_works(chromium, tmp_path, script):
    def steps(page):
        with runs_first(page, script):
            return use(page)

    def use(page):
        page.reload()
        kept, hidden = page.locator("#kept").inner_text(), page.locator("#forget").is_hidden()
        assert kept == NOT_KEPT
        choose(page, *MOVE)
        before = letter(page)
        page.reload()
        return kept, hidden, before, letter(page)

    visit = chromium.visit(page_of(tmp_path), steps, width=PHONE)
    assert visit.found == (NOT_KEPT, True, ["A VIE - GAL"], ["No orders chosen yet."])
    assert visit.said == (), "and no script fails"


def test_undo_and_clear_are_kept_too(chromium, tmp_path):
    def steps(page):
        choose(page, *MOVE)
        page.locator("#fill").tap()
        page.locator("#undo").tap()
        page.reload()
        undone = letter(page)
        page.locator("#clear").tap()
        page.reload()
        return undone, letter(page)

    place = page_of(tmp_path, filed=("F TRI - ALB",))
    assert chromium.visit(place, steps, width=PHONE).found == (
        ["F TRI - ALB", "A VIE - GAL"],
        ["No orders chosen yet."],
    )


def test_two_tabs_show_the_same_orders(chromium, tmp_path):
    """So that the second tab doesn't overwrite the orders of the first one."""
    place = page_of(tmp_path)

    def steps(page):
        other = page.context.new_page()
        other.goto(place.as_uri())
        for tab in (page, other):
            tab.evaluate(LISTEN)
        choose(page, *MOVE)
        other.evaluate("window.heard")
        in_other = letter(other)
        other.locator("#fill").tap()
        page.evaluate("window.heard")
        other.close()
        return in_other, letter(page)

    found = chromium.visit(place, steps, width=PHONE).found
    assert found == (["A VIE - GAL"], ["A BUD H", "F TRI H", "A VIE - GAL"])


def test_forget_erases_what_the_device_keeps(chromium, tmp_path):
    """The page shows the saved orders of its email again."""

    def steps(page):
        choose(page, *MOVE)
        page.locator("#forget").tap()
        found = page.evaluate(STORED), letter(page)
        page.reload()
        return *found, letter(page)

    place = page_of(tmp_path, filed=("F TRI - ALB",))
    assert chromium.visit(place, steps, width=PHONE).found == ([], ["F TRI - ALB"], ["F TRI - ALB"])


def pages_in_turn(page, *places: Path) -> list[list[str]]:
    """Choose an order on the first page; then open the pages one after another. Returns their letters."""
    choose(page, *MOVE)
    found = []
    for place in places:
        page.goto(place.as_uri())
        found.append(letter(page))
    return found


def test_a_newer_turn_erases_older_ones_and_an_older_page_erases_nothing(chromium, tmp_path):
    """The page of another game, another seat's and another service's are left alone."""
    first, newer = page_of(tmp_path), page_of(tmp_path, "newer", entries=4)
    other = page_of(tmp_path, "other", service="gm@example.net", entries=9)

    def steps(page):
        empty = [["No orders chosen yet."]]
        assert pages_in_turn(page, other) == empty
        page.goto(newer.as_uri())
        assert letter(page) == empty[0]
        assert page.evaluate(STORED) == [], "the newer turn erased the older"
        choose(page, *MOVE)
        page.goto(first.as_uri())
        assert letter(page) == empty[0]
        page.goto(newer.as_uri())
        return letter(page)

    assert chromium.visit(first, steps, width=PHONE).found == ["A VIE - GAL"]


def test_newer_saved_orders_count_before_what_was_chosen(chromium, tmp_path):
    """A page that SHEET brings after an email shows its orders; a reminder's page keeps the choice."""
    first = page_of(tmp_path)
    reminder = page_of(tmp_path, "reminder", made=20)
    later = page_of(tmp_path, "later", ("A VIE - TYR",), made=30)

    def steps(page):
        return pages_in_turn(page, reminder, later, first)

    found = chromium.visit(first, steps, width=PHONE).found
    assert found == [["A VIE - GAL"], ["A VIE - TYR"], ["A VIE - GAL"]]


def test_the_bar_is_always_in_reach_and_sends(chromium, tmp_path):
    """At the foot of the window, at the top of the page and at its end; it writes the same email."""
    box = "() => { const one = document.getElementById('go').getBoundingClientRect();"
    box += " return one.bottom <= innerHeight && one.height >= 44; }"

    def steps(page):
        empty = page.locator("#go").get_attribute("href")
        choose(page, *MOVE)
        found = [page.evaluate(box)]
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        found.append(page.evaluate(box))
        links = {page.locator(one).get_attribute("href") for one in ("#go", "#send")}
        return empty, found, links, page.locator("#count").inner_text()

    empty, in_reach, links, count = chromium.visit(page_of(tmp_path), steps, width=PHONE).found
    assert empty == "#h-things"
    assert in_reach == [True, True]
    (link,) = links
    assert link.startswith(f"mailto:{TO}?subject=Orders")
    assert count == "1 of 3 orders"


def test_an_attached_page_names_its_service_without_the_token(place, tmp_path):
    """Two games of one service share no key, and the key doesn't contain the reply address."""
    text = Seat(place, "war-chest", tmp_path).page().read_text()
    data = json.loads(text.split('id="choices">', 1)[1].split("</script>", 1)[0])
    assert data["keep"]["scope"] == [str(place.service.service_context.address), "alone", "player"]
    assert data["keep"]["number"] >= 1
    assert data["to"] not in json.dumps(data["keep"])
