"""Draws pictures of order pages for README and docs: `python -m tests.kit.order_picture`."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page

import games
from adjudicator.order_page import OrderEmail, OrderPageInput, render_order_page
from games.diplomacy.model import State
from games.protocol import Seat
from tests.adjudicator.order_page.decisions import SETTINGS, prepared
from tests.kit.bot_games import rounds
from tests.kit.browser import chromium

GALLERY = Path("docs/gallery")
KIND, SEAT, LAST_YEAR, SEED = "standard", Seat("Austria"), 1902, b"touch"
WIDTH, HEIGHT = 375, 812
PAPER, GAP = "#efe9dd", 16


def order_page() -> OrderPageInput:
    """Return a seat's order page in the second spring of a bots' game."""
    return page_when(SEAT, LAST_YEAR, lambda before: before.phase.short == "S1902M")


def page_when(seat: Seat, last_year: int, is_wanted: Callable[[State], bool]) -> OrderPageInput:
    """Return a seat's order page for the first moves in a bots' game that are wanted."""
    game = games.kinds()[KIND]
    before: State = next(
        one.before
        for one in rounds(game, SEED, last_year)
        if one.before.phase.kind == "M" and is_wanted(one.before)
    )
    due = next(due for due in game.rules.due(before) if due.seat == seat)
    rest = tuple(map(game.notation.write, game.rules.default(before, due)))
    return OrderPageInput(game, before, seat, (due,), (), rest)


def steps(page: Page) -> list[bytes]:
    """Return screenshots: a selected unit with its orders, then all orders and the email."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.locator(".thing").nth(1).tap()
    first = page.screenshot()
    page.locator(".choices button").nth(2).tap()
    page.locator(".choices button", has_text="for the rest").tap()
    page.evaluate("window.scrollBy(0, document.getElementById('h-letter').getBoundingClientRect().top - 388)")
    page.wait_for_timeout(600)
    return [first, page.screenshot()]


def coins(page: Page) -> list[bytes]:
    """Return a screenshot of a selected coin of War Chest with its actions."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.locator(".thing").first.tap()
    page.evaluate("window.scrollTo(0, 0)")
    return [page.screenshot()]


def plan(page: Page) -> list[bytes]:
    """Return a screenshot of cards and cubes of a plan of the Plains, with three selected."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for number in (0, 1, 4):
        head = page.locator(".thing").nth(number)
        head.tap()
        while head.get_attribute("aria-expanded") == "true":
            page.locator(".choices button").first.tap()
    page.locator(".thing").nth(3).tap()
    page.evaluate("window.scrollBy(0, document.getElementById('h-things').getBoundingClientRect().top - 8)")
    page.wait_for_timeout(300)
    return [page.screenshot()]


def decision_page(name: str, phase: str, sort: str) -> OrderPageInput:
    """Return the order page for a position in the table of decisions."""
    found = prepared(name, SETTINGS[name].kinds)
    return next(one.asked for one in found if (phase, sort) in one.chosen)


def draw_pictures(*visits: tuple[OrderPageInput, Callable[[Page], list[bytes]]]) -> bytes:
    """Return the screenshots of some pages, side by side, as PNG."""
    shots: list[bytes] = []
    with TemporaryDirectory() as folder, chromium() as browser:
        for question, touches in visits:
            page = render_order_page(
                question, "vienna", OrderEmail("gm@example.org", "Orders"), question.rest
            )
            assert page is not None
            (place := Path(folder) / "orders.html").write_bytes(page)
            shots += browser.visit(place, touches, width=WIDTH).found
    pictures = [Image.open(BytesIO(shot)).convert("RGB") for shot in shots]
    both = Image.new("RGB", (WIDTH * 2 + GAP, HEIGHT), PAPER)
    for number, one in enumerate(pictures):
        both.paste(one, (number * (WIDTH + GAP), 0))
    out = BytesIO()
    both.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    (GALLERY / "orders-by-touch.png").write_bytes(draw_pictures((order_page(), steps)))
    coin = decision_page("war chest", "player your turn", "Deploy")
    cards = decision_page("plains 1", "US Brown", "PlayAction")
    (GALLERY / "orders-alone.png").write_bytes(draw_pictures((coin, coins), (cards, plan)))
