"""The maps of single turns, split into their top-level elements. A map is drawn only once.

It is stored under a hash of its inputs, and these are all public.
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

from adjudicator.messages import sentence
from adjudicator.reports.maps import svg
from adjudicator.reports.results import in_third_person
from adjudicator.website.pages import StoredPieces
from adjudicator.website.public_game import PublicTurn
from games.protocol import Game, View
from games.record import Malformed, Record, canonical, load

_SECTION_MARK = re.compile(r"<!--(?:sheet (\w+)(?: \d+)?|pieces|end)-->\n?")
_SVG_ELEMENT = re.compile(r"<(?:\w[^<>]*/>|(\w+)[^<>]*>[^<]*+(?:<(?!/?\1\b)[^<]*+)*+</\1>)")
"""Matches an element that contains no element of the same name."""
_SVG_TAG = re.compile(r"<(/?)([a-zA-Z]+)((?:\s[^<>]*?)?)(/?)>")
_SVG_HEAD = re.compile(r"<svg\b([^>]*)>")
_SVG_VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')
_SVG_BARE_BOX = re.compile(r'data-bare="([-\d. ]+)"')
_SVG_STYLE_SHEET = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_SVG_TITLE = re.compile(r"<title>(.*?)</title>\n?", re.DOTALL)
_DATA_BOX_ATTRIBUTE = re.compile(r' data-box="[-\d. ]*"')
_ID_REFERENCE = re.compile(r'(?<= )(id="|href="#)|(url\(#)')
_SVG_CLASS = re.compile(r' class="([^"]*)"')
_DOT_OR_WORD = re.compile(r"(?<![\w-])(?=[a-z])")
_SPACE_BETWEEN_TAGS = re.compile(r">\n+\s*<")
_QUICK = 1
"""The zlib level: fast, because the result is stored for a short time only."""

SHAPE_NAME_PREFIX = "b-"
"""The prefix for names inside a drawing, so that they don't clash with names in the page."""


class MapLayers(Record, frozen=True, kw_only=True):
    """A map. view: its view box. sheet: its style sheet. bare: the view box of the board without the key
    below it, "" if there is no key below it. elements: its top-level elements."""

    view: str
    sheet: str
    bare: str = ""
    elements: tuple[str, ...]


class StoredMaps(Record, frozen=True, kw_only=True):
    """The stored maps of a game.

    texts: each distinct text once. plates: by key, the indexes of view box, style sheet, bare view box and
    elements. galley: the stored pieces of the game's pages.
    """

    texts: tuple[str, ...] = ()
    plates: dict[str, tuple[int, ...]] = {}
    galley: StoredPieces = StoredPieces()


_DRAWN_TEXT = re.compile(r">[^<>]*\b[Yy]ou(?:rs?)?\b[^<>]*<")


def _name_player(drawn: re.Match[str]) -> str:
    """Return a text of a drawing for everybody. A name in a table is short, since it has little room."""
    return f">{sentence('reports.public.label')}<" if drawn[0] == ">You<" else in_third_person(drawn[0])


def shown_view(game: Game, leaf: PublicTurn) -> View:
    """Return the position that the map of a turn shows."""
    return game.telling.shown_view(leaf.past)


class MapLayerCache:
    """The maps of a game, both stored maps and maps drawn on demand.

    galley: the stored pieces of the game's pages.
    """

    def __init__(self, made_by: str, kept: bytes = b"") -> None:
        self._made_by = made_by
        self._known: Mapping[str, MapLayers]
        self._known, self.galley = _unpack(kept)
        self._used: dict[str, MapLayers] = {}

    def of(self, game: Game, leaf: PublicTurn) -> MapLayers | None:
        """Return the map of a turn, or None if the game has no maps."""
        # If the map is stored, the events of the turn needn't be computed.
        inputs = (self._made_by, game.about.kind, leaf.turn.name, leaf.sign)
        return self._plate(
            inputs, lambda: svg(game, shown_view(game, leaf), leaf.open_events, leaf.turn.name)
        )

    def opening(self, game: Game, view: View) -> MapLayers | None:
        """Return the map of the opening position, or None if the game has no maps."""
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
            plate = plate_of(_DRAWN_TEXT.sub(_name_player, text))
        self._used[key] = plate
        return plate

    def to_store(self, galley: StoredPieces) -> bytes:
        """Return the maps to store, which are the maps used since this cache was created.

        galley: stored with them.
        """
        numbers: dict[str, int] = {}
        plates = {
            key: tuple(
                numbers.setdefault(text, len(numbers))
                for text in (plate.view, plate.sheet, plate.bare, *plate.elements)
            )
            for key, plate in self._used.items()
        }
        return zlib.compress(
            canonical(StoredMaps(texts=tuple(numbers), plates=plates, galley=galley)), _QUICK
        )


def plate_of(svg: str) -> MapLayers:
    """Return a drawing in its parts: view box, style sheet and top-level elements."""
    head, window, sheet = _SVG_HEAD.search(svg), _SVG_VIEW_BOX.search(svg), _SVG_STYLE_SHEET.search(svg)
    assert head, "it is a drawing"
    assert window, "every drawing says what it shows"
    body = svg[head.end() : svg.rindex("</svg>")]
    if body.lstrip().startswith("<title>"):
        body = _SVG_TITLE.sub("", _SVG_STYLE_SHEET.sub("", body, count=1), count=1)
    elements = tuple(map(_clean_element, _apart(body)))
    bare = _SVG_BARE_BOX.search(head[1])
    return MapLayers(
        view=window[1], sheet=sheet[1] if sheet else "", bare=bare[1] if bare else "", elements=elements
    )


def _unpack(kept: bytes) -> tuple[Mapping[str, MapLayers], StoredPieces]:
    """Return the stored maps and pieces, or nothing if they can't be read, so that they are built again."""
    try:
        stored_maps: StoredMaps = load(StoredMaps, zlib.decompress(kept)) if kept else StoredMaps()
        return {
            key: _plate(stored_maps.texts, numbers) for key, numbers in stored_maps.plates.items()
        }, stored_maps.galley
    except (zlib.error, Malformed, IndexError):
        return {}, StoredPieces()


def _plate(texts: Sequence[str], numbers: Sequence[int]) -> MapLayers:
    view, sheet, bare, *elements = (texts[number] for number in numbers)
    return MapLayers(view=view, sheet=sheet, bare=bare, elements=tuple(elements))


def _apart(body: str) -> Iterator[str]:
    at, is_sheet = 0, False
    for mark in _SECTION_MARK.finditer(body):
        part = body[at : mark.start()]
        if part.strip():
            yield from [part] if is_sheet else _side_by_side(part)
        at, is_sheet = mark.end(), mark[1] is not None
    yield from _side_by_side(body[at:])


def _side_by_side(text: str) -> Iterator[str]:
    """Yield the top-level elements of some markup."""
    at = text.find("<")
    while at >= 0:
        simple = _SVG_ELEMENT.match(text, at)
        end = simple.end() if simple else _end(text, at)
        yield text[at:end]
        at = text.find("<", end)


def _end(text: str, at: int) -> int:
    """Return the end of the element that begins at a position."""
    depth = 0
    for tag in _SVG_TAG.finditer(text, at):
        depth += -1 if tag[1] else not tag[4]
        if depth == 0:
            return tag.end()
    raise ValueError(f"an element is not closed: {text[at : at + 60]}")


@lru_cache(maxsize=4096)
def _clean_element(element: str) -> str:
    """Return an element with prefixed names and without attributes that only the email's picture needs."""
    bare = _SPACE_BETWEEN_TAGS.sub("><", _DATA_BOX_ATTRIBUTE.sub("", element).strip())
    bare = _SVG_CLASS.sub(lambda match: f' class="{_DOT_OR_WORD.sub(SHAPE_NAME_PREFIX, match[1])}"', bare)
    return _ID_REFERENCE.sub(lambda match: f"{match[0]}{SHAPE_NAME_PREFIX}", bare)


# The maps of all turns of a game in one page, with shared parts written once.
#
# A map is a sequence of top-level elements. An element that occurs on several maps goes into the page's
# shared shapes, and each map refers to it.


_DOT = re.compile(r"\.(?=[a-z])")
_INLINE_STYLE = re.compile(r' style="([^"]*)"')
_CSS_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SYMBOL = re.compile(r'(<g transform="[^"]*">(?:<title>[^<]*</title>)?)(<g [^>]*>.*</g>)</g>', re.DOTALL)
_MIN_SHARED_LENGTH = 34
"""A reference takes about this many characters, so shorter elements are repeated instead."""


@dataclass(frozen=True)
class GameMaps:
    """The maps of a game. stock: the shared shapes. maps: the SVG content of each. style: for all maps.

    views, bares: the view box of each map, and that of its board alone or "".
    """

    views: tuple[str, ...]
    bares: tuple[str, ...]
    style: str
    stock: str
    maps: tuple[str, ...]


@dataclass
class _SharedElements:
    """Shared elements, numbered in the order of first use."""

    numbers: dict[str, int] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def reference(self, element: str) -> str:
        """Return the reference that replaces an element in a map."""
        if element not in self.numbers:
            thin = self.thin(element)
            self.numbers[element] = len(self.numbers)
            self.written.append(f'<g id="e{self.numbers[element]}">{thin}</g>')
        return f'<use href="#e{self.numbers[element]}"/>'

    def thin(self, element: str) -> str:
        """Return an element with a reference in place of its symbol, because the same symbols occur all over
        the board."""
        match = _SYMBOL.fullmatch(element)
        if match is None or len(match[2]) < _MIN_SHARED_LENGTH or match[2].startswith("<use "):
            return element
        return f"{match[1]}{self.reference(match[2])}</g>"


def combine_maps(plates: Sequence[MapLayers]) -> GameMaps:
    """Combine the maps of a game. All must show the same board and come from the same template."""
    styles: dict[str, str] = {}
    maps = [_without_inline_styles(plate.elements, styles) for plate in plates]
    counts = Counter(chain.from_iterable(map(set, maps)))
    stock = _SharedElements()
    joined = _constant_pairs(maps)
    shared_maps = tuple("".join(_shared_pieces(elements, counts, joined, stock)) for elements in maps)
    views = tuple(plate.view for plate in plates)
    bares = tuple(plate.bare for plate in plates)
    return GameMaps(views, bares, _scope_styles(plates[0].sheet, styles), "".join(stock.written), shared_maps)


def _constant_pairs(maps: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return for each element the element that follows it on every map.

    Such a pair is treated as one element.
    """
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
    """Yield the content of a map, with references in place of repeated elements."""
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
    """Return elements without inline styles, which the page's policy forbids."""
    return [
        _INLINE_STYLE.sub(lambda match: _style_attribute(match[1], styles), element)
        if " style=" in element
        else element
        for element in elements
    ]


def _style_attribute(style: str, styles: dict[str, str]) -> str:
    return f' data-y="{styles.setdefault(unescape(style), str(len(styles)))}"'


def _scope_styles(sheet: str, styles: dict[str, str]) -> str:
    """Return the style sheet of a drawing. Rules can't depend on the surroundings of a reused element."""
    rules = [
        f"{_DOT.sub(f'.{SHAPE_NAME_PREFIX}', names.strip())}{{{' '.join(body.split())}}}"
        for names, body in _CSS_RULE.findall(sheet)
    ]
    rules += [f'[data-y="{name}"][data-y]{{{style}}}' for style, name in styles.items()]
    return "\n".join(rules)
