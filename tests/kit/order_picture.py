"""The picture of an order sheet under a finger, for the README: `python -m tests.kit.order_picture`."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page

import games
from adjudicator.order_page.choices import Asked
from adjudicator.order_page.page import Envelope, order_page
from games.diplomacy.model import State
from games.protocol import Seat
from tests.kit.browser import chromium
from tests.kit.rounds import rounds

PICTURE = Path("docs/gallery/orders-by-touch.png")
KIND, SEAT, LAST_YEAR, SEED = "standard", Seat("Austria"), 1902, b"touch"
WIDTH, HEIGHT = 375, 812
PAPER, GAP = "#efe9dd", 16


def asked() -> Asked:
    """A seat in the second spring of a game of bots."""
    game = games.kinds()[KIND]
    before: State = next(
        one.before for one in rounds(game, SEED, LAST_YEAR) if one.before.phase.short == "S1902M"
    )
    due = next(due for due in game.rules.due(before) if due.seat == SEAT)
    rest = tuple(map(game.notation.write, game.rules.default(before, due)))
    return Asked(game, before, SEAT, (due,), (), rest)


def steps(page: Page) -> list[bytes]:
    """A unit touched, what it can do; all ordered, and the letter."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.locator(".thing").nth(1).tap()
    first = page.screenshot()
    page.locator(".choices button").nth(2).tap()
    page.locator("#fill").tap()
    page.evaluate("window.scrollBy(0, document.getElementById('h-letter').getBoundingClientRect().top - 400)")
    page.wait_for_timeout(600)
    return [first, page.screenshot()]


def drawn() -> bytes:
    """The picture, as PNG."""
    question = asked()
    page = order_page(question, "vienna", Envelope("gm@example.org", "Orders"), question.rest)
    assert page is not None
    with TemporaryDirectory() as folder, chromium() as browser:
        (place := Path(folder) / "orders.html").write_bytes(page)
        shots = browser.visit(place, steps, width=WIDTH).found
    pictures = [Image.open(BytesIO(shot)).convert("RGB") for shot in shots]
    both = Image.new("RGB", (WIDTH * 2 + GAP, HEIGHT), PAPER)
    for number, one in enumerate(pictures):
        both.paste(one, (number * (WIDTH + GAP), 0))
    out = BytesIO()
    both.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(drawn())
