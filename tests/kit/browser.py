"""A headless Chromium for tests of pages: on phones and desktops, light and dark, with various fonts.

One window of each kind is opened and then resized, because opening one takes as long as a visit.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.kit import axe
from tests.kit.servers import ServerMissingError

PHONE, DESK = 360, 1280
WIDTHS = (320, 375, 600, DESK)
"""The widths of a window, in CSS pixels."""

_TABLET = 600
"""The maximum width of a window that counts as a phone."""

T = TypeVar("T")

Fonts = tuple[str, str, str]
"""The fonts of a family: sans serif, serif and monospace."""

FAMILIES: dict[str, Fonts] = {
    "DejaVu": ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"),
    "Liberation": ("Liberation Sans", "Liberation Serif", "Liberation Mono"),
    "Noto": ("Noto Sans", "Noto Serif", "Noto Sans Mono"),
}
"""The fonts with which a page must fit: wide ones, those like Arial and Times, and those of many phones."""
_PACKAGES = "fonts-dejavu-core fonts-liberation fonts-noto-core fonts-noto-mono"

Look = tuple[int, bool, str]
"""A way to view a page: the width, whether it is dark, and the font family."""

_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The full browser creates a window with all its decorations for each page: five times the shell's work."""

_FONTS = Path("adjudicator/reports/fonts")

# The scripts that inspect a page. An element's background is searched for from the element outwards. A
# picture has none.
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
    if (!node.textContent.trim() || node.parentElement.closest('svg, script, style')) continue;
    if (!node.parentElement.getClientRects().length) continue;
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

# Every element records its generic font once. Our style sheet then names the actual font.
_FACES = """families => {
  const root = document.documentElement;
  let sheet = document.getElementById('faces');
  if (!sheet) {
    for (const one of document.querySelectorAll('*')) {
      const generic = getComputedStyle(one).fontFamily.split(',').pop().trim();
      one.dataset.face = {serif: 1, monospace: 2}[generic] || 0;
    }
    sheet = document.head.appendChild(document.createElement('style'));
    sheet.id = 'faces';
  }
  const rule = (name, at) => `[data-face="${at}"] { font-family: "${name}" !important }`;
  const dress = names => { sheet.textContent = names.map(rule).join(' '); };
"""

# Overflowing parts. Spaces at the end of a line overflow invisibly, so this looks at the words.
_FIT = (
    _FACES
    + r"""
  const range = document.createRange();
  const edges = (node, start, end) => {
    range.setStart(node, start);
    range.setEnd(node, end);
    const rows = [...range.getClientRects()].filter(row => row.width > 0);
    return {rows: new Set(rows.map(row => Math.round(row.top))).size,
            left: Math.min(...rows.map(row => row.left)), right: Math.max(...rows.map(row => row.right))};
  };
  const words = node => [...node.textContent.matchAll(/[^ \n\u00a0]+/g)];
  const over = (node, left, right) => {
    const all = edges(node, 0, node.textContent.length);
    if (!all.rows || (all.left >= left - 0.5 && all.right <= right + 0.5)) return false;
    return words(node).some(word => {
      const one = edges(node, word.index, word.index + word[0].length);
      return one.rows && (one.left < left - 0.5 || one.right > right + 0.5);
    });
  };
  const misfits = names => {
    const found = [];
    const tell = (what, text) => found.push(`${what}: ${text.trim().slice(0, 50)}`);
    if (root.scrollWidth > root.clientWidth) tell('scrolls', `the page, ${root.scrollWidth} px`);
    for (const one of document.querySelectorAll('body, body *')) {
      if (one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible')
        tell('cut or scrolls', one.textContent);
    }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (!node.textContent.trim()) continue;
      const face = getComputedStyle(node.parentElement).fontFamily.replaceAll('"', '');
      if (!names.includes(face)) tell(`is set in ${face}`, node.textContent);
      let block = node.parentElement;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement;
      const box = block.getBoundingClientRect(), shape = getComputedStyle(block);
      // A first row that hangs out stands in the margin, if that is wide enough for it.
      const hangs = Math.max(0, -(parseFloat(shape.textIndent) || 0));
      const left = box.left - (hangs <= parseFloat(shape.marginLeft) ? hangs : 0);
      if (over(node, Math.max(left, 0), Math.min(box.right, root.clientWidth)))
        tell('is over its edge', node.textContent);
      if (!block.closest('.grid th, .grid td, h1, h2, h3')) continue;
      for (const word of words(node)) {
        const from = word.index;
        const torn = part => edges(node, from + part.index, from + part.index + part[0].length).rows > 1;
        if (word[0].length > 14 || !torn({0: word[0], index: 0})) continue;
        const alone = block.textContent.trim() === word[0];
        if (alone || [...word[0].matchAll(/[^-]+-*/g)].some(torn)) tell('is torn', word[0]);
      }
    }
    return found;
  };
  return families.map(names => { dress(names); return misfits(names); });
}"""
)

# Characters in each generic font of a family, to ask which font was used for them.
_PROBE = "<!DOCTYPE html><body>" + "".join(
    f"<p style='font-family: {kind}'>Handgloves 0123</p>" for kind in ("sans-serif", "serif", "monospace")
)

_LABELS = """() => [...document.querySelectorAll('svg text')].map(element => {
  const box = element.getBoundingClientRect();
  return {text: element.textContent.trim(), kind: element.getAttribute('class') || '',
          left: box.left, top: box.top, right: box.right, bottom: box.bottom,
          size: parseFloat(getComputedStyle(element).fontSize) * box.height / element.getBBox().height};
})"""


@dataclass(frozen=True)
class Window:
    """The appearance of a page.

    scroll, client: the width of the page and of its window. texts: the beginning, the size in pixels and the
    contrast of each text. unnamed: pictures without a description. ground: the brightness of the page, 0 to
    1. asked: the external addresses that it requested.
    """

    scroll: int
    client: int
    texts: tuple[dict[str, Any], ...]
    unnamed: int
    ground: float
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Visit(Generic[T]):
    """The outcome of a visit to a page. asked: its external requests. said: the browser's messages."""

    found: T
    asked: tuple[str, ...]
    said: tuple[str, ...]


def _erase_storage(page: Page) -> None:
    """Erase what pages from files have kept."""
    asking = page.context.new_cdp_session(page)
    asking.send("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "local_storage"})
    asking.detach()


@dataclass(frozen=True)
class Kind:
    """The settings of a window, in the browser library's terms."""

    is_mobile: bool
    has_touch: bool = False
    java_script_enabled: bool = True


@dataclass(frozen=True)
class Chromium:
    """A running browser that loads nothing from the network.

    hands: the only thread that may use it. The library keeps an event loop running there, which would block
    the event loops of other tests.
    """

    browser: Browser
    hands: Executor
    windows: dict[Kind, Page] = field(default_factory=dict)

    def look(self, html: str, width: int, dark: bool, picture: Path | None = None) -> Window:
        """Open a page in a window of that width. picture: where to save a screenshot of all of it."""
        return self.hands.submit(self._look, html, width, dark, picture).result()

    def misfits(self, html: str, widths: Sequence[int] = WIDTHS) -> dict[tuple[int, str], list[str]]:
        """Return the parts of a page that don't fit, by width of the window and font family.

        A part doesn't fit if it scrolls sideways, is cut off, has words beyond the edge of their box, or
        breaks a word of a cell or a heading. Call `use_fonts` first to check that the families are installed.
        """
        return self.hands.submit(self._misfits, html, widths).result()

    def looked_over(self, html: str, looks: Iterable[Look]) -> dict[Look, tuple[str, ...]]:
        """Return axe's findings on a page, by look. Needs `use_fonts` as `misfits` does.

        Contrast, its slowest rule, is checked only once in light and once in dark.
        """
        return self.hands.submit(self._looked_over, html, looks).result()

    def set_in(self, family: Fonts) -> tuple[str, ...]:
        """Return the fonts that are actually used for a family."""
        return self.hands.submit(self._set_in, family).result()

    def labels(self, svg: str, width: int) -> tuple[dict[str, Any], ...]:
        """Return each text of a drawing of that width, with its class, its box and its size in pixels."""
        return self.hands.submit(self._labels, svg, width).result()

    def visit(
        self,
        place: Path,
        steps: Callable[[Page], T],
        *,
        width: int = DESK,
        dark: bool = False,
        scripted: bool = True,
        anchor: str = "",
        touch: bool = False,
    ) -> "Visit[T]":
        """Open a page from its folder, like a user who has unpacked it, and run an action there.

        A narrow window belongs to a phone with a touch screen. touch: also for a wide one. scripted: whether
        scripts run.
        """
        return self.hands.submit(self._visit, place, steps, width, dark, scripted, anchor, touch).result()

    def _visit(
        self,
        place: Path,
        steps: Callable[[Page], T],
        width: int,
        dark: bool,
        scripted: bool,
        anchor: str,
        touch: bool,
    ) -> "Visit[T]":
        phone = width <= _TABLET
        page = self._window(width, dark, Kind(phone, phone or touch, scripted))
        asked: list[str] = []
        said: list[str] = []
        try:
            with _overheard(page, asked, said):
                page.goto(place.resolve().as_uri() + anchor)
                found = steps(page)
        finally:
            # Leave the page, and what it kept, so that it can't affect the next visit.
            page.goto("about:blank")
            _erase_storage(page)
        return Visit(found, tuple(asked[1:]), tuple(said))

    def survey(self, place: Path, width: int, dark: bool, scripted: bool = True) -> Window:
        """Return what a page looks like when it is opened from its folder."""
        seen = self.visit(
            place, lambda page: page.evaluate(_SURVEY), width=width, dark=dark, scripted=scripted
        )
        found = seen.found
        texts = tuple(found["texts"])
        return Window(found["scroll"], found["client"], texts, found["unnamed"], found["ground"], seen.asked)

    def _look(self, html: str, width: int, dark: bool, picture: Path | None) -> Window:
        asked: list[str] = []
        page = self._window(width, dark)
        with _overheard(page, asked, []):
            page.set_content(html)
            found = page.evaluate(_SURVEY)
            if picture is not None:
                page.screenshot(path=str(picture), full_page=True)
        far = tuple(url for url in asked if not url.startswith(("data:", "about:")))
        return Window(
            found["scroll"],
            found["client"],
            tuple(found["texts"]),
            found["unnamed"],
            found["ground"],
            far,
        )

    def _misfits(self, html: str, widths: Sequence[int]) -> dict[tuple[int, str], list[str]]:
        found = {}
        page = None
        for width in widths:
            if page is not (page := self._window(width, dark=False)):
                page.set_content(html)
            each = page.evaluate(_FIT, list(FAMILIES.values()))
            found |= {(width, name): faults for name, faults in zip(FAMILIES, each, strict=True)}
        return {where: faults for where, faults in found.items() if faults}

    def _looked_over(self, html: str, looks: Iterable[Look]) -> dict[Look, tuple[str, ...]]:
        found = {}
        page = None
        lit: set[bool] = set()
        for look in looks:
            width, dark, name = look
            if page is not (page := self._window(width, dark)):
                page.set_content(html)
            page.evaluate(_FACES + "dress(families); }", list(FAMILIES[name]))
            found[look] = axe.findings(page, (axe.CONTRAST,) if dark in lit else ())
            lit.add(dark)
        return {look: faults for look, faults in found.items() if faults}

    def _set_in(self, family: Fonts) -> tuple[str, ...]:
        page = self._window(DESK, dark=False)
        page.set_content(_PROBE)
        # The page is laid out before the question, because newer browsers report the fonts of the last
        # drawing.
        page.evaluate(_FACES + "dress(families); return root.offsetHeight; }", list(family))
        asking = page.context.new_cdp_session(page)
        try:
            asking.send("DOM.enable")
            asking.send("CSS.enable")
            root = asking.send("DOM.getDocument")["root"]["nodeId"]
            found = asking.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"})["nodeIds"]
            used = [asking.send("CSS.getPlatformFontsForNode", {"nodeId": one})["fonts"] for one in found]
        finally:
            asking.detach()
        return tuple("+".join(font["familyName"] for font in fonts) for fonts in used)

    def _labels(self, svg: str, width: int) -> tuple[dict[str, Any], ...]:
        faces = "".join(_face(file) for file in sorted(_FONTS.glob("*.ttf")))
        sheet = f"<style>{faces} body {{ margin: 0 }} svg {{ width: {width}px; height: auto }}</style>"
        page = self._window(width, dark=False)
        # Only a page from a file can load fonts from files.
        page.goto(Path("LICENSE").resolve().as_uri())
        page.set_content(sheet + svg)
        page.evaluate("() => document.fonts.ready.then(() => 1)")
        return tuple(page.evaluate(_LABELS))

    def _window(self, width: int, dark: bool, kind: Kind | None = None) -> Page:
        """Return the window of that kind (default: for a phone or a desktop), resized to that width."""
        kind = kind or Kind(is_mobile=width <= _TABLET)
        if kind not in self.windows:
            self.windows[kind] = self.browser.new_context(**asdict(kind)).new_page()
        page = self.windows[kind]
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if dark else "light")
        return page


@contextmanager
def _overheard(page: Page, asked: list[str], said: list[str]) -> Iterator[None]:
    """Record the addresses that a page requests inside the context, and the browser's messages."""
    notes: dict[Any, Callable[[Any], None]] = {
        "request": lambda request: asked.append(request.url),
        "console": lambda message: said.append(message.text),
        "pageerror": lambda error: said.append(str(error)),
    }
    for event, note in notes.items():
        page.on(event, note)
    try:
        yield
    finally:
        for event, note in notes.items():
            page.remove_listener(event, note)


@contextmanager
def chromium() -> Iterator[Chromium]:
    """Run a headless Chromium. Raises ServerMissingError if it isn't installed."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise ServerMissingError(f"no Chromium is here: apt-get install {_PROGRAMS[0]}")
    with ThreadPoolExecutor(1) as hands:
        play = hands.submit(lambda: sync_playwright().start()).result()
        try:
            browser = hands.submit(_launch, play, program).result()
            yield Chromium(browser, hands)
            hands.submit(browser.close).result()
        finally:
            hands.submit(play.stop).result()


@contextmanager
def use_fonts(chromium: Chromium, families: Mapping[str, Fonts] = FAMILIES) -> Iterator[Chromium]:
    """Check that all fonts of these families are installed. Raises ServerMissingError if one is replaced."""
    for wanted in families.values():
        if (used := chromium.set_in(wanted)) != wanted:
            raise ServerMissingError(
                f"{', '.join(wanted)} come out as {', '.join(used)}: apt-get install {_PACKAGES}"
            )
    yield chromium


def _launch(play: Playwright, program: str) -> Browser:
    return play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])


def _face(file: Path) -> str:
    """Return the font face for one of our maps' fonts, as a drawing names it."""
    parts = file.stem.removeprefix("DejaVu").replace("-", "")
    family = "DejaVu " + ("Serif" if parts.startswith("Serif") else "Sans")
    family += " Condensed" if "Condensed" in parts else ""
    weight = "700" if "Bold" in parts else "400"
    slant = "italic" if "Italic" in parts or "Oblique" in parts else "normal"
    source = f"url({file.resolve().as_uri()})"
    face = f"font-family: '{family}'; font-weight: {weight}; font-style: {slant}; src: {source};"
    return f"@font-face {{ {face} }}"
