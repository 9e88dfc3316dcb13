"""Plates: the maps of single turns, taken apart into what lies side by side in them. None is drawn twice.

A plate is known by all that it was drawn from, which is what everybody may know.
"""

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import chain, pairwise

from adjudicator.reports.maps import svg
from adjudicator.website.pages import StoredPieces
from adjudicator.website.public_game import PublicTurn
from games.protocol import Game, View
from games.record import Malformed, Record, canonical, load

_SECTION_MARK = re.compile(r"<!--(?:sheet (\w+)(?: \d+)?|pieces|end)-->\n?")
_SVG_ELEMENT = re.compile(r"<(?:\w[^<>]*/>|(\w+)[^<>]*>[^<]*+(?:<(?!/?\1\b)[^<]*+)*+</\1>)")
"""An element that holds none of its own name."""
_SVG_TAG = re.compile(r"<(/?)([a-zA-Z]+)((?:\s[^<>]*?)?)(/?)>")
_SVG_HEAD = re.compile(r"<svg\b([^>]*)>")
_SVG_VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')
_SVG_STYLE_SHEET = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_SVG_TITLE = re.compile(r"<title>(.*?)</title>\n?", re.DOTALL)
_DATA_BOX_ATTRIBUTE = re.compile(r' data-box="[-\d. ]*"')
_ID_REFERENCE = re.compile(r'(?<= )(id="|href="#)|(url\(#)')
_SVG_CLASS = re.compile(r' class="([^"]*)"')
_DOT_OR_WORD = re.compile(r"(?<![\w-])(?=[a-z])")
_SPACE_BETWEEN_TAGS = re.compile(r">\n+\s*<")
_QUICK = 1
"""Of zlib: what is kept for a while is to be kept soon."""

SHAPE_NAME_PREFIX = "b-"
"""Before the names that a drawing gives its shapes, so that they are no names of the page's own."""


class MapLayers(Record, frozen=True, kw_only=True):
    """A map. view: its window; sheet: its styles, as its template has them; elements: side by side in it."""

    view: str
    sheet: str
    elements: tuple[str, ...]


class StoredMaps(Record, frozen=True, kw_only=True):
    """The stored maps of a game. texts: each once; plates: by key the numbers of window, sheet, elements;
    galley: what else is known of its turns.
    """

    texts: tuple[str, ...] = ()
    plates: dict[str, tuple[int, ...]] = {}
    galley: StoredPieces = StoredPieces()


class MapLayerCache:
    """The plates of a game: those that were kept, and those that are made when they are asked for.

    galley: what was kept beside them.
    """

    def __init__(self, made_by: str, kept: bytes = b"") -> None:
        self._made_by = made_by
        self._known: Mapping[str, MapLayers]
        self._known, self.galley = _unpack(kept)
        self._used: dict[str, MapLayers] = {}

    def of(self, game: Game, leaf: PublicTurn) -> MapLayers | None:
        """The map of a turn; None for a game that has no picture."""
        # What happened need not be asked for where the map is there.
        inputs = (self._made_by, game.about.kind, leaf.turn.name, leaf.sign)
        return self._plate(inputs, lambda: svg(game, leaf.view, leaf.open_events, leaf.turn.name))

    def opening(self, game: Game, view: View) -> MapLayers | None:
        """The map of the position before the first turn; None for a game that has no picture."""
        caption = game.rules.turn(view).name
        inputs = (self._made_by, game.about.kind, caption, view)
        return self._plate(inputs, lambda: svg(game, view, (), caption))

    def _plate(self, inputs: tuple[object, ...], drawn: Callable[[], str | None]) -> MapLayers | None:
        key = hashlib.sha256(b"\0".join(map(canonical, inputs))).hexdigest()[:32]
        plate = self._used.get(key) or self._known.get(key)
        if plate is None:
            text = drawn()
            if text is None:
                return None
            plate = plate_of(text)
        self._used[key] = plate
        return plate

    def to_store(self, galley: StoredPieces) -> bytes:
        """Return the maps to store: those that were asked for. galley: what else is stored of the game."""
        numbers: dict[str, int] = {}
        plates = {
            key: tuple(
                numbers.setdefault(text, len(numbers)) for text in (plate.view, plate.sheet, *plate.elements)
            )
            for key, plate in self._used.items()
        }
        return zlib.compress(
            canonical(StoredMaps(texts=tuple(numbers), plates=plates, galley=galley)), _QUICK
        )


def plate_of(svg: str) -> MapLayers:
    """A drawing taken apart: a sheet is one element, groups and shapes are as they lie side by side."""
    head, window, sheet = _SVG_HEAD.search(svg), _SVG_VIEW_BOX.search(svg), _SVG_STYLE_SHEET.search(svg)
    assert head, "it is a drawing"
    assert window, "every drawing says what it shows"
    body = svg[head.end() : svg.rindex("</svg>")]
    if body.lstrip().startswith("<title>"):
        body = _SVG_TITLE.sub("", _SVG_STYLE_SHEET.sub("", body, count=1), count=1)
    elements = tuple(map(_clean_element, _apart(body)))
    return MapLayers(view=window[1], sheet=sheet[1] if sheet else "", elements=elements)


def _unpack(kept: bytes) -> tuple[Mapping[str, MapLayers], StoredPieces]:
    """Return what was stored, if it can be read; otherwise nothing, so that it is made again."""
    try:
        stored_maps: StoredMaps = load(StoredMaps, zlib.decompress(kept)) if kept else StoredMaps()
        return {
            key: _plate(stored_maps.texts, numbers) for key, numbers in stored_maps.plates.items()
        }, stored_maps.galley
    except (zlib.error, Malformed, IndexError):
        return {}, StoredPieces()


def _plate(texts: Sequence[str], numbers: Sequence[int]) -> MapLayers:
    view, sheet, *elements = (texts[number] for number in numbers)
    return MapLayers(view=view, sheet=sheet, elements=tuple(elements))


def _apart(body: str) -> Iterator[str]:
    at, is_sheet = 0, False
    for mark in _SECTION_MARK.finditer(body):
        part = body[at : mark.start()]
        if part.strip():
            yield from [part] if is_sheet else _side_by_side(part)
        at, is_sheet = mark.end(), mark[1] is not None
    yield from _side_by_side(body[at:])


def _side_by_side(text: str) -> Iterator[str]:
    """The elements of some markup that lie in no other."""
    at = text.find("<")
    while at >= 0:
        simple = _SVG_ELEMENT.match(text, at)
        end = simple.end() if simple else _end(text, at)
        yield text[at:end]
        at = text.find("<", end)


def _end(text: str, at: int) -> int:
    """Where the element ends that begins there."""
    depth = 0
    for tag in _SVG_TAG.finditer(text, at):
        depth += -1 if tag[1] else not tag[4]
        if depth == 0:
            return tag.end()
    raise ValueError(f"an element is not closed: {text[at : at + 60]}")


@lru_cache(maxsize=4096)
def _clean_element(element: str) -> str:
    """Return an element with names of its own, and without what only the email's picture needs."""
    bare = _SPACE_BETWEEN_TAGS.sub("><", _DATA_BOX_ATTRIBUTE.sub("", element).strip())
    bare = _SVG_CLASS.sub(lambda match: f' class="{_DOT_OR_WORD.sub(SHAPE_NAME_PREFIX, match[1])}"', bare)
    return _ID_REFERENCE.sub(lambda match: f"{match[0]}{SHAPE_NAME_PREFIX}", bare)


# The maps of all turns of a game in one page: parts that several maps share are written once.
#
# A map is taken apart into the elements that lie side by side in it. One that comes back in another turn goes
# to the page's common stock, and each map only names it.


_DOT = re.compile(r"\.(?=[a-z])")
_INLINE_STYLE = re.compile(r' style="([^"]*)"')
_CSS_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SYMBOL = re.compile(r'(<g transform="[^"]*">(?:<title>[^<]*</title>)?)(<g [^>]*>.*</g>)</g>', re.DOTALL)
_MIN_SHARED_LENGTH = 34
"""Naming an element of the stock takes so many letters: what is shorter is written again."""


@dataclass(frozen=True)
class GameMaps:
    """The maps of a game. stock: what several of them show; maps: one after the other; style: of all of them.

    views: the window of each map.
    """

    views: tuple[str, ...]
    style: str
    stock: str
    maps: tuple[str, ...]


@dataclass
class _SharedElements:
    """Elements that come back, numbered as they are met."""

    numbers: dict[str, int] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def reference(self, element: str) -> str:
        """Return what stands for an element in a map."""
        if element not in self.numbers:
            thin = self.thin(element)
            self.numbers[element] = len(self.numbers)
            self.written.append(f'<g id="e{self.numbers[element]}">{thin}</g>')
        return f'<use href="#e{self.numbers[element]}"/>'

    def thin(self, element: str) -> str:
        """An element in which its symbol is named: the same ones stand all over the board."""
        match = _SYMBOL.fullmatch(element)
        if match is None or len(match[2]) < _MIN_SHARED_LENGTH or match[2].startswith("<use "):
            return element
        return f"{match[1]}{self.reference(match[2])}</g>"


def combine_maps(plates: Sequence[MapLayers]) -> GameMaps:
    """The maps of a game, of the same board and drawn by the same template."""
    styles: dict[str, str] = {}
    maps = [_without_inline_styles(plate.elements, styles) for plate in plates]
    counts = Counter(chain.from_iterable(map(set, maps)))
    stock = _SharedElements()
    joined = _constant_pairs(maps)
    shared_maps = tuple("".join(_shared_pieces(elements, counts, joined, stock)) for elements in maps)
    views = tuple(plate.view for plate in plates)
    return GameMaps(views, _scope_styles(plates[0].sheet, styles), "".join(stock.written), shared_maps)


def _constant_pairs(maps: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return for each element the one that follows it in every map: the two of them are one thing."""
    always = set.intersection(*map(set, maps)) if len(maps) > 1 else set()
    once = always.difference(
        *([element for element, many in Counter(elements).items() if many > 1] for elements in maps)
    )
    after = [dict(pairwise(elements)) for elements in maps]
    return {
        element: follower
        for element in once
        if (follower := after[0].get(element)) in once
        and all(one_map.get(element) == follower for one_map in after)
    }


def _shared_pieces(
    elements: Sequence[str], counts: Counter[str], joined: Mapping[str, str], stock: _SharedElements
) -> Iterator[str]:
    """A map, in which what comes back is named."""
    run: list[str] = []
    for element in elements:
        run.append(element)
        if element in joined:
            continue
        whole = "".join(run)
        comes_back = counts[element] > 1 and len(whole) > _MIN_SHARED_LENGTH
        yield stock.reference(whole) if comes_back else stock.thin(whole)
        run = []


def _without_inline_styles(elements: Sequence[str], styles: dict[str, str]) -> list[str]:
    """Elements as a page may hold them, whose policy lets none bring styles of its own."""
    return [
        _INLINE_STYLE.sub(lambda match: _style_attribute(match[1], styles), element)
        if " style=" in element
        else element
        for element in elements
    ]


def _style_attribute(style: str, styles: dict[str, str]) -> str:
    return f' data-y="{styles.setdefault(unescape(style), str(len(styles)))}"'


def _scope_styles(sheet: str, styles: dict[str, str]) -> str:
    """The styles of a drawing. No rule sees what stands round a thing that is used: so names are its own."""
    rules = [
        f"{_DOT.sub(f'.{SHAPE_NAME_PREFIX}', names.strip())}{{{' '.join(body.split())}}}"
        for names, body in _CSS_RULE.findall(sheet)
    ]
    rules += [f'[data-y="{name}"][data-y]{{{style}}}' for style, name in styles.items()]
    return "\n".join(rules)
