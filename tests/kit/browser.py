"""A headless Chromium for tests of what people see: on phones and at desks, by day and by night, in any font.

A window of each kind is opened once, and takes every size from there: to open one takes as long as a visit.
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
"""Widths of a window, in CSS pixels."""

_TABLET = 600
"""The widest window of which a page is told that it is a phone's."""

T = TypeVar("T")

Fonts = tuple[str, str, str]
"""The fonts of one family: without serifs, with them, of one width."""

FAMILIES: dict[str, Fonts] = {
    "DejaVu": ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"),
    "Liberation": ("Liberation Sans", "Liberation Serif", "Liberation Mono"),
    "Noto": ("Noto Sans", "Noto Serif", "Noto Sans Mono"),
}
"""The fonts in which a page must fit: wide ones, those as wide as Arial and Times, those of many phones."""
_PACKAGES = "fonts-dejavu-core fonts-liberation fonts-noto-core fonts-noto-mono"

Look = tuple[int, bool, str]
"""How a page is looked at: how wide, whether by night, in which of the families."""

_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The whole browser makes a window with all its trimmings for each page: five times the work of the shell."""

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

# Every element learns once which kind of font it asks for; a sheet of ours then names the font.
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

# What does not fit. Blanks at the end of a row hang over its edge, unseen: so words are looked at then.
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

# Letters of each kind of font that a family names, to be asked in which font they were set.
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
class Visit(Generic[T]):
    """The outcome of a visit to a page. asked: what it wanted from elsewhere; said: what the browser did."""

    found: T
    asked: tuple[str, ...]
    said: tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """The settings of a window, as the browser's library calls them."""

    is_mobile: bool
    has_touch: bool = False
    java_script_enabled: bool = True


@dataclass(frozen=True)
class Chromium:
    """A browser that is running; nothing that it shows is loaded from anywhere.

    hands: the one thread that may touch it. Its library keeps an event loop running there, in which the tests
    of others could start none.
    """

    browser: Browser
    hands: Executor
    windows: dict[Kind, Page] = field(default_factory=dict)

    def look(self, html: str, width: int, dark: bool, picture: Path | None = None) -> Window:
        """Open a page in a window of that width. picture: a screenshot of all of it is left there."""
        return self.hands.submit(self._look, html, width, dark, picture).result()

    def misfits(self, html: str, widths: Sequence[int] = WIDTHS) -> dict[tuple[int, str], list[str]]:
        """Return the parts of a page that do not fit, by width of the window and family of fonts.

        That is: the page or a part of it scrolls to the side, something is cut off, words stand beyond the
        edge of their box, or a word of a cell or a heading is torn in two. `use_fonts` has to be asked
        before whether the families are there.
        """
        return self.hands.submit(self._misfits, html, widths).result()

    def looked_over(self, html: str, looks: Iterable[Look]) -> dict[Look, tuple[str, ...]]:
        """Return what axe finds wrong with a page, by look. `use_fonts` as for `misfits`.

        Contrast, which costs it more than all else, it looks at once by day and once by night.
        """
        return self.hands.submit(self._looked_over, html, looks).result()

    def set_in(self, family: Fonts) -> tuple[str, ...]:
        """The fonts that really come where those of a family are asked for."""
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
        """Open a page from its folder, as somebody does who has unpacked it, and do something there.

        A narrow window is a phone's, with fingers; touch: a wide one has fingers too. scripted: whether
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
            page.goto("about:blank")  # what the page still does is nothing to whoever visits next
        return Visit(found, tuple(asked[1:]), tuple(said))

    def survey(self, place: Path, width: int, dark: bool, scripted: bool = True) -> Window:
        """A page as it is seen that is opened from its folder."""
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
        # Laid out before it is asked: newer browsers tell the fonts of what was drawn last.
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
        # Fonts may be read from files by a page that is one itself.
        page.goto(Path("LICENSE").resolve().as_uri())
        page.set_content(sheet + svg)
        page.evaluate("() => document.fonts.ready.then(() => 1)")
        return tuple(page.evaluate(_LABELS))

    def _window(self, width: int, dark: bool, kind: Kind | None = None) -> Page:
        """The window of that kind, or for reading on a phone or at a desk, made as wide as that."""
        kind = kind or Kind(is_mobile=width <= _TABLET)
        if kind not in self.windows:
            self.windows[kind] = self.browser.new_context(**asdict(kind)).new_page()
        page = self.windows[kind]
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if dark else "light")
        return page


@contextmanager
def _overheard(page: Page, asked: list[str], said: list[str]) -> Iterator[None]:
    """Note which addresses a page asks for meanwhile, and what the browser says of it."""
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
    """Run a headless Chromium. Raises Absent where none is installed."""
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
    """The browser, with all those fonts at hand. Raises Absent where another comes in place of one."""
    for wanted in families.values():
        if (used := chromium.set_in(wanted)) != wanted:
            raise ServerMissingError(
                f"{', '.join(wanted)} come out as {', '.join(used)}: apt-get install {_PACKAGES}"
            )
    yield chromium


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
