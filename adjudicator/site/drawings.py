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

from adjudicator.site.plates import PREFIX, Plate

_DOT = re.compile(r"\.(?=[a-z])")
_STYLED = re.compile(r' style="([^"]*)"')
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SYMBOL = re.compile(r'(<g transform="[^"]*">(?:<title>[^<]*</title>)?)(<g [^>]*>.*</g>)</g>', re.DOTALL)
_WORTH = 34
"""Naming an element of the stock takes so many letters: what is shorter is written again."""


@dataclass(frozen=True)
class Drawn:
    """The maps of a game. stock: what several of them show; maps: one after the other; style: of all of them.

    views: the window of each map.
    """

    views: tuple[str, ...]
    style: str
    stock: str
    maps: tuple[str, ...]


@dataclass
class _Stock:
    """Elements that come back, numbered as they are met."""

    numbers: dict[str, int] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def named(self, element: str) -> str:
        """What stands for an element in a map."""
        if element not in self.numbers:
            thin = self.thin(element)
            self.numbers[element] = len(self.numbers)
            self.written.append(f'<g id="e{self.numbers[element]}">{thin}</g>')
        return f'<use href="#e{self.numbers[element]}"/>'

    def thin(self, element: str) -> str:
        """An element in which its symbol is named: the same ones stand all over the board."""
        found = _SYMBOL.fullmatch(element)
        if found is None or len(found[2]) < _WORTH or found[2].startswith("<use "):
            return element
        return f"{found[1]}{self.named(found[2])}</g>"


def together(plates: Sequence[Plate]) -> Drawn:
    """The maps of a game, of the same board and drawn by the same template."""
    styles: dict[str, str] = {}
    told = [_styled(one.elements, styles) for one in plates]
    counts = Counter(chain.from_iterable(map(set, told)))
    stock = _Stock()
    joined = _joined(told)
    laid = tuple("".join(_laid(elements, counts, joined, stock)) for elements in told)
    views = tuple(one.view for one in plates)
    return Drawn(views, _scoped(plates[0].sheet, styles), "".join(stock.written), laid)


def _joined(told: Sequence[Sequence[str]]) -> dict[str, str]:
    """What follows an element of every map in every map: the two of them are one thing."""
    always = set.intersection(*map(set, told)) if len(told) > 1 else set()
    once = always.difference(
        *([one for one, many in Counter(elements).items() if many > 1] for elements in told)
    )
    after = [dict(pairwise(elements)) for elements in told]
    return {
        one: follower
        for one in once
        if (follower := after[0].get(one)) in once and all(one_map.get(one) == follower for one_map in after)
    }


def _laid(
    elements: Sequence[str], counts: Counter[str], joined: Mapping[str, str], stock: _Stock
) -> Iterator[str]:
    """A map, in which what comes back is named."""
    run: list[str] = []
    for element in elements:
        run.append(element)
        if element in joined:
            continue
        whole = "".join(run)
        comes_back = counts[element] > 1 and len(whole) > _WORTH
        yield stock.named(whole) if comes_back else stock.thin(whole)
        run = []


def _styled(elements: Sequence[str], styles: dict[str, str]) -> list[str]:
    """Elements as a page may hold them, whose policy lets none bring styles of its own."""
    return [
        _STYLED.sub(lambda found: _classed(found[1], styles), one) if " style=" in one else one
        for one in elements
    ]


def _classed(style: str, styles: dict[str, str]) -> str:
    return f' data-y="{styles.setdefault(unescape(style), str(len(styles)))}"'


def _scoped(sheet: str, styles: dict[str, str]) -> str:
    """The styles of a drawing. No rule sees what stands round a thing that is used: so names are its own."""
    rules = [
        f"{_DOT.sub(f'.{PREFIX}', names.strip())}{{{' '.join(body.split())}}}"
        for names, body in _RULE.findall(sheet)
    ]
    rules += [f'[data-y="{name}"][data-y]{{{style}}}' for style, name in styles.items()]
    return "\n".join(rules)
