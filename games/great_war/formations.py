"""Where cards lie on the picture: each formation a stack under its base card, the hand in columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.great_war.components import Book, CardId
from games.great_war.model import Laid

LEFT, RIGHT = 30, 1170
COLUMNS = 4
WIDE, GAP = 270, 20
"""Of a column, and of the room between two."""

HEAD, LINE, PAD, INDENT = 32, 22, 8, 22
"""Height of a card's head and of a line below it; room round lines; how far added cards stand in."""

_DEEPEST = 2
"""So many times a card stands further in; a link of a link of a link stands below it."""

_LETTERS = 21
"""So many letters, 18 high and narrow, go into a line of the narrowest card."""


@dataclass(frozen=True)
class Place:
    """Where a card lies: its upper left corner, its size, its name in lines, the card that it hangs on."""

    card: CardId
    x: int
    y: int
    wide: int
    high: int
    name: tuple[str, ...]
    told: tuple[str, ...] = ()
    on: CardId | None = None


def formations(row: Sequence[Laid], book: Book, top: int) -> list[Place]:
    """A side's row: bases beside each other, four to a line, below each what was added to it or led by it."""
    here = {laid.card for laid in row}
    below: dict[CardId | None, list[Laid]] = {}
    for laid in row:
        below.setdefault(laid.link if laid.link in here else None, []).append(laid)
    stacks = [[*_stack(laid, None, below, 0)] for laid in below.get(None, ())]
    return [*_columns([[_placed(card, on, deep, book) for card, on, deep in one] for one in stacks], top)]


def _stack(
    laid: Laid, on: CardId | None, below: Mapping[CardId | None, Sequence[Laid]], deep: int
) -> Iterator[tuple[CardId, CardId | None, int]]:
    yield laid.card, on, deep
    for one in below.get(laid.card, ()):
        yield from _stack(one, laid.card, below, min(deep + 1, _DEEPEST))


def _placed(card: CardId, on: CardId | None, deep: int, book: Book) -> Place:
    name = wrapped(book[card].name)
    return Place(card, deep * INDENT, 0, WIDE - deep * INDENT, _high(len(name)), name, on=on)


def hand(cards: Mapping[CardId, Sequence[str]], book: Book, top: int) -> list[Place]:
    """The cards of a hand, four to a line, with what is told of each below its name."""
    stacks = []
    for card, told in cards.items():
        name = wrapped(book[card].name)
        lines = tuple(line for one in told for line in wrapped(one, lines=9))
        stacks.append([Place(card, 0, 0, WIDE, _high(len(name) + len(lines)), name, lines)])
    return [*_columns(stacks, top)]


def low(places: Sequence[Place], top: int) -> int:
    """Where the lowest of some cards ends; `top` if there are none."""
    return max((place.y + place.high for place in places), default=top)


def _high(lines: int) -> int:
    return HEAD + LINE * lines + PAD


def _columns(stacks: Sequence[Sequence[Place]], top: int) -> Iterator[Place]:
    for first in range(0, len(stacks), COLUMNS):
        lowest = top
        for column, stack in enumerate(stacks[first : first + COLUMNS]):
            y = top
            for one in stack:
                x = LEFT + column * (WIDE + GAP) + one.x
                yield Place(one.card, x, y, one.wide, one.high, one.name, one.told, one.on)
                y += one.high + 6
            lowest = max(lowest, y)
        top = lowest + 12


def wrapped(text: str, width: int = _LETTERS, lines: int = 3) -> tuple[str, ...]:
    """A text in lines that fit on the narrowest card."""
    found = [""]
    for word in text.split():
        # A long word is parted at its hyphen.
        head, hyphen, tail = word.partition("-") if len(word) > width else (word, "", "")
        for part in filter(None, (head + hyphen, tail)):
            if found[-1] and len(found[-1]) + 1 + len(part) > width:
                found.append("")
            found[-1] = f"{found[-1]} {part}".strip()
    return tuple(found[:lines])
