"""The maps of all turns of a game in one page: what is drawn in several of them is written once.

A map is taken apart into the elements that lie side by side in it. One that comes back in another turn goes
to the page's common stock, and each map only names it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import pairwise

_MARK = re.compile(r"<!--(?:sheet (\w+)|pieces|end)-->\n?")
_TAG = re.compile(r"<(/?)([a-zA-Z]+)((?:\s[^<>]*?)?)(/?)>")
_HEAD = re.compile(r"<svg\b([^>]*)>")
_VIEW = re.compile(r'viewBox="([-\d. ]+)"')
_SHEET = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_TITLE = re.compile(r"<title>(.*?)</title>\n?", re.DOTALL)
_BOX = re.compile(r' data-box="[-\d. ]*"')
_NAMES = re.compile(r'(?<= )(id="|href="#)|(url\(#)')
_CLASS = re.compile(r' class="([^"]*)"')
_DOT, _DOT_OR_WORD = re.compile(r"\.(?=[a-z])"), re.compile(r"(?<![\w-])(?=[a-z])")
_STYLED = re.compile(r' style="([^"]*)"')
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SPACE = re.compile(r">\n+\s*<")
_SYMBOL = re.compile(r'(<g transform="[^"]*">(?:<title>[^<]*</title>)?)(<g [^>]*>.*</g>)</g>', re.DOTALL)
_WORTH = 34
"""Naming an element of the stock takes so many letters: what is shorter is written again."""

PREFIX = "b-"
"""Before the names that a drawing gives its shapes, so that they are no names of the page's own."""


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


def together(maps: Sequence[str]) -> Drawn:
    """The maps of a game, of the same board and drawn by the same template."""
    styles: dict[str, str] = {}
    told = [_taken_apart(one, styles) for one in maps]
    counts = Counter(element for elements in told for element in set(elements))
    stock = _Stock()
    joined = _joined(told)
    laid = tuple("".join(_laid(elements, counts, joined, stock)) for elements in told)
    views = tuple(_view(one) for one in maps)
    sheet = _SHEET.search(maps[0])
    return Drawn(views, _scoped(sheet[1] if sheet else "", styles), "".join(stock.written), laid)


def _view(svg: str) -> str:
    found = _VIEW.search(svg)
    assert found, "every drawing says what it shows"
    return found[1]


def _joined(told: Sequence[Sequence[str]]) -> dict[str, str]:
    """What follows an element of every map in every map: the two of them are one thing."""
    always = set.intersection(*map(set, told)) if len(told) > 1 else set()
    once = {one for one in always if all(elements.count(one) == 1 for elements in told)}
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


def _taken_apart(svg: str, styles: dict[str, str]) -> list[str]:
    """The elements of a drawing, in order: a sheet as one, groups and shapes as they lie side by side."""
    body = svg[_HEAD.search(svg).end() : svg.rindex("</svg>")]  # type: ignore[union-attr]
    body = (
        _TITLE.sub("", _SHEET.sub("", body, count=1), count=1)
        if body.lstrip().startswith("<title>")
        else body
    )
    found: list[str] = []
    at, is_sheet = 0, False
    for mark in _MARK.finditer(body):
        part = body[at : mark.start()]
        if part.strip():
            found += (
                [_clean(part, styles)] if is_sheet else [_clean(one, styles) for one in _side_by_side(part)]
            )
        at, is_sheet = mark.end(), mark[1] is not None
    return [*found, *(_clean(one, styles) for one in _side_by_side(body[at:]))]


def _side_by_side(text: str) -> Iterator[str]:
    """The elements of some markup that lie in no other."""
    depth, began = 0, 0
    for tag in _TAG.finditer(text):
        if depth == 0:
            began = tag.start()
        if tag[1]:
            depth -= 1
        elif not tag[4]:
            depth += 1
        if depth == 0:
            yield text[began : tag.end()]


def _clean(element: str, styles: dict[str, str]) -> str:
    """An element as a page may hold it, whose policy lets no element bring styles of its own."""
    bare = _cleaned(element)
    return _STYLED.sub(lambda found: _classed(found[1], styles), bare) if " style=" in bare else bare


@lru_cache(maxsize=4096)
def _cleaned(element: str) -> str:
    bare = _SPACE.sub("><", _BOX.sub("", element).strip())
    bare = _CLASS.sub(lambda found: f' class="{_DOT_OR_WORD.sub(PREFIX, found[1])}"', bare)
    return _NAMES.sub(lambda found: f"{found[0]}{PREFIX}", bare)


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
