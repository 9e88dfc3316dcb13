"""The layout of letters on a phone's screen: tables too wide for it, and text that is never broken."""

import re
from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from games.protocol import ReportTable

_SCREEN_LETTERS = 36
"""So many bold letters stand beside each other in the narrowest window, 320 pixels, in a wide font."""
_EASY = 10
"""A cell of several words is read with ease where so many letters have room in a row."""
_COLUMN_GAP_LETTERS = 0.75
_CAPITAL, _SIGN = 1.1, 0.8
"""How wide the letters and the signs of a column's title are, set in capitals; letters of cells count 1."""

_IN_A_ROW = 34
"""So many letters of one width stand in a row there."""

_HYPHENATED_CODE = re.compile(r"(?<![\w-])[A-Z0-9]{1,4}(?:-[A-Za-z0-9]{1,4}){1,3}(?![\w-])")
"""A name of the players' that a browser would part at its hyphen: R-JK2, KIM-VRY, C-in-C."""

_COLUMN = re.compile(r"(?<=[^\s|]) {2,}(?=\S)")
"""The blanks between two columns of a row."""


def folds(content: ReportTable, among: Sequence[ReportTable] = ()) -> bool:
    """Return whether a phone shows each row of a table as its own paragraph, since its columns are too many
    or too wide to stand beside each other.

    among: the tables of the same letter; those with the same columns are all folded, or none.
    """
    return any(_is_wide(table) for table in (content, *among) if table.columns == content.columns)


def _is_wide(content: ReportTable) -> bool:
    rooms = [max(map(_of_title, title.split()), default=0.0) for title in content.columns]
    for row in content.rows:
        rooms = [max(room, _of_cell(cell)) for room, cell in zip(rooms, row, strict=True)]
    return sum(rooms) + _COLUMN_GAP_LETTERS * len(rooms) > _SCREEN_LETTERS


def _of_title(word: str) -> float:
    return sum(_CAPITAL if letter.isalnum() else _SIGN for letter in word)


def _of_cell(cell: str) -> int:
    longest = max(map(len, cell.split()), default=0)
    return max(longest, min(len(cell), _EASY))


def is_short(cell: str) -> bool:
    """Return whether the cell of a table stays in one row, though it could be broken."""
    return len(cell) <= _EASY and re.search(r"[ -]", cell) is not None


# The same orders stand in most of a round's letters. Text that is HTML already is equal to text that is not.
@lru_cache(maxsize=512, typed=True)
def whole(text: str) -> Markup:
    """A text as HTML, in which no code is parted where a row ends."""
    return Markup(_HYPHENATED_CODE.sub(r'<span style="white-space: nowrap">\g<0></span>', str(escape(text))))


def rows_whole(rows: Sequence[str]) -> tuple[Markup, ...]:
    """Rows that are kept as they are, as HTML. Where one with columns is too long for a phone, the columns
    of all of them close up there, instead of standing apart over two rows each.
    """
    lines = tuple(whole(row) for row in rows)
    if max((len(row) for row in rows if _COLUMN.search(row)), default=0) <= _IN_A_ROW:
        return lines
    return tuple(Markup(_COLUMN.sub(r'<span class="gap">\g<0></span>', str(row))) for row in lines)
