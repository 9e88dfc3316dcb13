"""Draws the archive's picture in the README: `python -m tests.kit.archive_picture`."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page

from adjudicator.admin import game_admin, website
from adjudicator.clock import DAY, ManualClock
from adjudicator.config.service import load_settings
from adjudicator.service import open_service
from tests.kit.browser import chromium

PICTURE = Path("docs/gallery/archive.png")
KIND, LEVEL, TURNS, TURN = "standard", "intermediate", 24, "F1904M"
WIDTH, HEIGHT = 1280, 1010
CONFIG = """\
[service]
address = "gm@example.org"
name = "The archive"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def picture_with_pointer(page: Page) -> bytes:
    """Return a screenshot of the page with the pointer at an order."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.wait_for_timeout(300)
    page.locator(".leaf:not([hidden]) li.failed").nth(1).focus()
    page.evaluate("window.scrollTo(0, 0)")
    return page.screenshot()


def draw_picture() -> bytes:
    """Return the picture as PNG."""
    with TemporaryDirectory() as folder, chromium() as browser:
        there = Path(folder)
        (there / "gm.toml").write_text(CONFIG)
        clock = ManualClock(1_767_636_000_000)
        service = open_service(load_settings(there / "gm.toml"), clock)
        asked = game_admin.GameRequest(KIND, "vienna", level=LEVEL)
        game_admin.new_game(service, asked, secret=b"the picture of the archive".ljust(32))
        for _ in range(TURNS):
            clock.advance(DAY)
            game_admin.play_now(service, "vienna")
        website.build(service, there / "site")
        service.database.close()
        place = there / "site" / "games" / "vienna" / "index.html"
        seen = browser.visit(place, picture_with_pointer, width=WIDTH, anchor=f"#{TURN}").found
    out = BytesIO()
    with Image.open(BytesIO(seen)) as picture:
        picture.convert("RGB").quantize(160).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(draw_picture())
