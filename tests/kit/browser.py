"""A headless Chromium for tests of what people see: on a phone and at a desk, by day and by night."""

import shutil
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.kit.servers import Absent

PHONE, DESK = 360, 1100
"""Widths of a window, in CSS pixels."""

_FONTS = Path("adjudicator/reports/fonts")

# What is asked of a page. Grounds are looked for from an element outwards; a picture has none of its own.
_SURVEY = """() => {
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const shares = [0.2126, 0.7152, 0.0722];
  const bright = colour => shares.reduce((sum, share, at) => sum + share * linear(colour[at] / 255), 0);
  const ground = element => {
    for (let one = element; one; one = one.parentElement) {
      const colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.textContent.trim()) continue;
    const style = getComputedStyle(node.parentElement);
    const pair = [bright(numbers(style.color)), bright(ground(node.parentElement))].sort((a, b) => b - a);
    texts.push({text: node.textContent.trim().slice(0, 60), size: parseFloat(style.fontSize),
                contrast: (pair[0] + 0.05) / (pair[1] + 0.05)});
  }
  const root = document.documentElement;
  return {scroll: root.scrollWidth, client: root.clientWidth, texts,
          unnamed: [...document.images].filter(image => !image.alt).length,
          ground: bright(ground(document.body))};
}"""

_LABELS = """() => [...document.querySelectorAll('svg text')].map(element => {
  const box = element.getBoundingClientRect();
  return {text: element.textContent.trim(), kind: element.getAttribute('class') || '',
          left: box.left, top: box.top, right: box.right, bottom: box.bottom,
          size: parseFloat(getComputedStyle(element).fontSize) * box.height / element.getBBox().height};
})"""


@dataclass(frozen=True)
class Sight:
    """A page as it is seen.

    scroll, client: how wide it is, and how wide its window; texts: of each piece of text its beginning, its
    size in pixels and its contrast; unnamed: pictures without words; ground: how bright the page is, 0 to 1;
    asked: addresses that it wanted from elsewhere.
    """

    scroll: int
    client: int
    texts: tuple[dict[str, Any], ...]
    unnamed: int
    ground: float
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Chromium:
    """A browser that is running; nothing that it shows is loaded from anywhere.

    hands: the one thread that may touch it. Its library keeps an event loop running there, in which the tests
    of others could start none.
    """

    browser: Browser
    hands: Executor

    def look(self, html: str, width: int, dark: bool, picture: Path | None = None) -> Sight:
        """Open a page in a window of that width. picture: a screenshot of all of it is left there."""
        return self.hands.submit(self._look, html, width, dark, picture).result()

    def labels(self, svg: str, width: int) -> tuple[dict[str, Any], ...]:
        """Of each text of a drawing that is so wide: what it says, its class, its box and size in pixels."""
        return self.hands.submit(self._labels, svg, width).result()

    def _look(self, html: str, width: int, dark: bool, picture: Path | None) -> Sight:
        asked: list[str] = []
        with self._page(width, "dark" if dark else "light", phone=width <= PHONE) as page:
            page.on("request", lambda request: asked.append(request.url))
            page.set_content(html)
            found = page.evaluate(_SURVEY)
            if picture is not None:
                page.screenshot(path=str(picture), full_page=True)
        far = tuple(url for url in asked if not url.startswith(("data:", "about:")))
        return Sight(
            found["scroll"],
            found["client"],
            tuple(found["texts"]),
            found["unnamed"],
            found["ground"],
            far,
        )

    def _labels(self, svg: str, width: int) -> tuple[dict[str, Any], ...]:
        faces = "".join(_face(file) for file in sorted(_FONTS.glob("*.ttf")))
        sheet = f"<style>{faces} body {{ margin: 0 }} svg {{ width: {width}px; height: auto }}</style>"
        with self._page(width, "light", phone=False) as page:
            # Fonts may be read from files by a page that is one itself.
            page.goto(Path("LICENSE").resolve().as_uri())
            page.set_content(sheet + svg)
            page.evaluate("() => document.fonts.ready.then(() => 1)")
            return tuple(page.evaluate(_LABELS))

    @contextmanager
    def _page(self, width: int, scheme: Any, *, phone: bool) -> Iterator[Page]:
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, is_mobile=phone
        )
        try:
            yield context.new_page()
        finally:
            context.close()


@contextmanager
def chromium() -> Iterator[Chromium]:
    """Run a headless Chromium. Raises Absent where none is installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise Absent("no Chromium is here: apt-get install chromium")
    with ThreadPoolExecutor(1) as hands:
        play = hands.submit(lambda: sync_playwright().start()).result()
        try:
            browser = hands.submit(_launch, play, program).result()
            yield Chromium(browser, hands)
            hands.submit(browser.close).result()
        finally:
            hands.submit(play.stop).result()


def _launch(play: Playwright, program: str) -> Browser:
    return play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])


def _face(file: Path) -> str:
    """A font of our maps, as a drawing names it."""
    parts = file.stem.removeprefix("DejaVu").replace("-", "")
    family = "DejaVu " + ("Serif" if parts.startswith("Serif") else "Sans")
    family += " Condensed" if "Condensed" in parts else ""
    weight = "700" if "Bold" in parts else "400"
    slant = "italic" if "Italic" in parts or "Oblique" in parts else "normal"
    source = f"url({file.resolve().as_uri()})"
    face = f"font-family: '{family}'; font-weight: {weight}; font-style: {slant}; src: {source};"
    return f"@font-face {{ {face} }}"
