"""The maps of all turns of a game in one page: what is drawn in several of them is written once.

A map is taken apart into the elements that lie side by side in it. One that comes back in another turn goes
to the page's common stock, and each map only names it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, pairwise

from adjudicator.website.maps import SHAPE_NAME_PREFIX, MapLayers

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
