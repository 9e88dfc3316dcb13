"""Plates: the maps of single turns, taken apart into what lies side by side in them. None is drawn twice.

A plate is known by all that it was drawn from, which is what everybody may know.
"""

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from adjudicator.reports.picture import svg
from adjudicator.site.exhibits import Leaf
from adjudicator.site.galleys import Galley
from games.protocol import Game, View
from games.record import Malformed, Record, canonical, load

_MARK = re.compile(r"<!--(?:sheet (\w+)(?: \d+)?|pieces|end)-->\n?")
_ELEMENT = re.compile(r"<(?:\w[^<>]*/>|(\w+)[^<>]*>[^<]*+(?:<(?!/?\1\b)[^<]*+)*+</\1>)")
"""An element that holds none of its own name."""
_TAG = re.compile(r"<(/?)([a-zA-Z]+)((?:\s[^<>]*?)?)(/?)>")
_HEAD = re.compile(r"<svg\b([^>]*)>")
_VIEW = re.compile(r'viewBox="([-\d. ]+)"')
_SHEET = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_TITLE = re.compile(r"<title>(.*?)</title>\n?", re.DOTALL)
_BOX = re.compile(r' data-box="[-\d. ]*"')
_NAMES = re.compile(r'(?<= )(id="|href="#)|(url\(#)')
_CLASS = re.compile(r' class="([^"]*)"')
_DOT_OR_WORD = re.compile(r"(?<![\w-])(?=[a-z])")
_SPACE = re.compile(r">\n+\s*<")
_QUICK = 1
"""Of zlib: what is kept for a while is to be kept soon."""

PREFIX = "b-"
"""Before the names that a drawing gives its shapes, so that they are no names of the page's own."""


class Plate(Record, frozen=True, kw_only=True):
    """A map. view: its window; sheet: its styles, as its template has them; elements: side by side in it."""

    view: str
    sheet: str
    elements: tuple[str, ...]


class Kept(Record, frozen=True, kw_only=True):
    """What is kept of a game. texts: each once; plates: by key the numbers of window, sheet, elements;
    galley: what else is known of its turns."""

    texts: tuple[str, ...] = ()
    plates: dict[str, tuple[int, ...]] = {}
    galley: Galley = Galley()


class Plates:
    """The plates of a game: those that were kept, and those that are made when they are asked for.

    galley: what was kept beside them.
    """

    def __init__(self, made_by: str, kept: bytes = b"") -> None:
        self._made_by = made_by
        self._known: Mapping[str, Plate]
        self._known, self.galley = _unpacked(kept)
        self._used: dict[str, Plate] = {}

    def of(self, game: Game, leaf: Leaf) -> Plate | None:
        """The map of a turn; None for a game that has no picture."""
        # What happened need not be asked for where the map is there.
        told = (self._made_by, game.about.kind, leaf.turn.name, leaf.sign)
        return self._plate(told, lambda: svg(game, leaf.view, leaf.open_events, leaf.turn.name))

    def opening(self, game: Game, view: View) -> Plate | None:
        """The map of the position before the first turn; None for a game that has no picture."""
        caption = game.rules.turn(view).name
        told = (self._made_by, game.about.kind, caption, view)
        return self._plate(told, lambda: svg(game, view, (), caption))

    def _plate(self, told: tuple[object, ...], drawn: Callable[[], str | None]) -> Plate | None:
        key = hashlib.sha256(b"\0".join(map(canonical, told))).hexdigest()[:32]
        plate = self._used.get(key) or self._known.get(key)
        if plate is None:
            text = drawn()
            if text is None:
                return None
            plate = plate_of(text)
        self._used[key] = plate
        return plate

    def kept(self, galley: Galley) -> bytes:
        """What is to be kept of them: those that were asked for. galley: what else is kept of the game."""
        numbers: dict[str, int] = {}
        plates = {
            key: tuple(
                numbers.setdefault(text, len(numbers)) for text in (one.view, one.sheet, *one.elements)
            )
            for key, one in self._used.items()
        }
        return zlib.compress(canonical(Kept(texts=tuple(numbers), plates=plates, galley=galley)), _QUICK)


def plate_of(svg: str) -> Plate:
    """A drawing taken apart: a sheet is one element, groups and shapes are as they lie side by side."""
    head, window, sheet = _HEAD.search(svg), _VIEW.search(svg), _SHEET.search(svg)
    assert head, "it is a drawing"
    assert window, "every drawing says what it shows"
    body = svg[head.end() : svg.rindex("</svg>")]
    if body.lstrip().startswith("<title>"):
        body = _TITLE.sub("", _SHEET.sub("", body, count=1), count=1)
    elements = tuple(map(_cleaned, _apart(body)))
    return Plate(view=window[1], sheet=sheet[1] if sheet else "", elements=elements)


def _unpacked(kept: bytes) -> tuple[Mapping[str, Plate], Galley]:
    """What was kept, if it can be read; else it is made anew."""
    try:
        told: Kept = load(Kept, zlib.decompress(kept)) if kept else Kept()
        return {key: _plate(told.texts, numbers) for key, numbers in told.plates.items()}, told.galley
    except (zlib.error, Malformed, IndexError):
        return {}, Galley()


def _plate(texts: Sequence[str], numbers: Sequence[int]) -> Plate:
    view, sheet, *elements = (texts[number] for number in numbers)
    return Plate(view=view, sheet=sheet, elements=tuple(elements))


def _apart(body: str) -> Iterator[str]:
    at, is_sheet = 0, False
    for mark in _MARK.finditer(body):
        part = body[at : mark.start()]
        if part.strip():
            yield from [part] if is_sheet else _side_by_side(part)
        at, is_sheet = mark.end(), mark[1] is not None
    yield from _side_by_side(body[at:])


def _side_by_side(text: str) -> Iterator[str]:
    """The elements of some markup that lie in no other."""
    at = text.find("<")
    while at >= 0:
        simple = _ELEMENT.match(text, at)
        end = simple.end() if simple else _end(text, at)
        yield text[at:end]
        at = text.find("<", end)


def _end(text: str, at: int) -> int:
    """Where the element ends that begins there."""
    depth = 0
    for tag in _TAG.finditer(text, at):
        depth += -1 if tag[1] else not tag[4]
        if depth == 0:
            return tag.end()
    raise ValueError(f"an element is not closed: {text[at : at + 60]}")


@lru_cache(maxsize=4096)
def _cleaned(element: str) -> str:
    """An element with names of its own, and without what only the mail's picture needs."""
    bare = _SPACE.sub("><", _BOX.sub("", element).strip())
    bare = _CLASS.sub(lambda found: f' class="{_DOT_OR_WORD.sub(PREFIX, found[1])}"', bare)
    return _NAMES.sub(lambda found: f"{found[0]}{PREFIX}", bare)
