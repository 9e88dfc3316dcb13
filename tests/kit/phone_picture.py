"""Draws the picture of a report on a phone in the README: `python -m tests.kit.phone_picture`."""

from base64 import b64encode
from io import BytesIO
from itertools import dropwhile
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.kit.browser import PHONE, Chromium, chromium
from tests.kit.game_emails import letters_of_turns

PICTURE = Path("docs/gallery/report-on-a-phone.png")
KIND, TURN = "indianomacy", "F5M"
HEIGHT, MARGIN, GROUND = 800, 20, (207, 197, 181)
PICTURES, LATER = 985, 1745
"""The vertical positions of the second view of the page, at its pictures, and of the third, at the orders."""


def views(browser: Chromium, html: str) -> tuple[Image.Image, ...]:
    """Return the top of a page in light mode, and two parts further down in dark mode."""
    with TemporaryDirectory() as folder:
        whole = []
        for dark in (False, True):
            file = Path(folder, f"{dark}.png")
            browser.look(html, PHONE, dark, file)
            with Image.open(file) as seen:
                whole.append(seen.convert("RGB"))
    day, night = whole
    return tuple(
        page.crop((0, top, PHONE, top + HEIGHT))
        for page, top in ((day, 0), (night, PICTURES), (night, LATER))
    )


def draw_picture() -> bytes:
    """Return the picture as PNG."""
    one = next(dropwhile(lambda one: one.played.steps[-1].turn.short != TURN, letters_of_turns(KIND)))
    letter = one.report()
    assert letter.html is not None
    page = letter.html
    for name, picture in (("front", letter.front), ("map", letter.picture)):
        page = page.replace(f"cid:{name}", f"data:image/png;base64,{b64encode(picture or b'').decode()}")
    with chromium() as browser:
        shown = views(browser, page)
    picture = Image.new("RGB", (len(shown) * (PHONE + MARGIN) + MARGIN, HEIGHT + 2 * MARGIN), GROUND)
    for number, view in enumerate(shown):
        picture.paste(view, (MARGIN + number * (PHONE + MARGIN), MARGIN))
    out = BytesIO()
    picture.quantize(192).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(draw_picture())
