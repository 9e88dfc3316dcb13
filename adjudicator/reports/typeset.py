"""Plain text in at most 72 columns: paragraphs, marked lines, tables."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from textwrap import wrap as _wrap
from typing import NamedTuple

from adjudicator.messages import sentence
from adjudicator.model.games import DiceRoll
from games.protocol import ReportLine, ReportTable

TEXT_COLUMNS = 72
ROW_BAR = "| "
"""Stands before every row that quotes an order: no reader takes a line that begins so for a new order."""
FAILED_MARK = "x "
"""Stands behind the bar before an order that failed."""

_SIMPLE = re.compile(r"\S+( \S+)*")
"""A text that stays as it is where it has room."""
_COLUMN_GAP = 2
_NARROWEST = 6
_SHORT_NAME = 12
_NUMBER_CELL = re.compile(r"[+\-−–±]?\d*([.,]\d+)?%?")
_ORDER_ENDS = re.compile(r"[:;,.(]( |$)|\(| – | — ")


@lru_cache(maxsize=512)
def paragraph(text: str, first: str = "", rest: str | None = None, width: int = TEXT_COLUMNS) -> str:
    """The text in rows of at most `width` columns, the first row beginning with `first`, others with `rest`.

    rest None: as many spaces as `first` is long. Words longer than a row are cut; a no-break space keeps two
    words in one row, and is a plain space then.
    """
    if len(first) + len(text) <= width and _SIMPLE.fullmatch(text):
        return first + text
    indent = " " * len(first) if rest is None else rest
    rows = _wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False, tabsize=1
    )
    return "\n".join(row.replace("\N{NO-BREAK SPACE}", " ").rstrip() for row in rows) or first.rstrip()


class Block(NamedTuple):
    """A stretch of a text: prose (rows None), or rows that are to stay as they are."""

    prose: str
    rows: tuple[str, ...] | None = None


def blocks(text: str) -> tuple[Block, ...]:
    """A text in its paragraphs, which empty lines part; one with a row that begins with a space or a bar is
    kept row by row.
    """
    parts = [part for part in re.split(r"\n{2,}", text.strip("\n")) if part.strip()]
    return tuple(
        Block("", tuple(part.split("\n"))) if re.search(r"(?m)^[ |]", part) else Block(" ".join(part.split()))
        for part in parts
    )


def letter_text(text: str) -> str:
    """Several paragraphs, each set on its own, with empty lines between; kept rows too long are broken."""
    return "\n\n".join(
        paragraph(block.prose) if block.rows is None else "\n".join(_wrap_row(row) for row in block.rows)
        for block in blocks(text)
    )


def _wrap_row(row: str) -> str:
    if len(row) <= TEXT_COLUMNS:
        return row.rstrip()
    start = re.match(r"[ |]*", row)
    indent = start.group() if start else ""
    return paragraph(row[len(indent) :], indent, indent + "  ")


def quote_rows(text: str) -> str:
    """Return somebody's text, each row behind a bar; rows too long are broken, empty ones stay."""
    rows = [paragraph(row, ROW_BAR, ROW_BAR) for row in text.strip().splitlines()]
    return "\n".join(rows)


def bbcode(text: str) -> str:
    """Text that no forum takes for BBCode: a space of no width goes after each bracket that opens a tag."""
    return re.sub(r"\[(?=[/*a-zA-Z])", "[\N{ZERO WIDTH SPACE}", text)


def markdown(text: str) -> str:
    """Text in one row that no forum takes for Markdown or HTML."""
    row = re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split())).replace("&", "&amp;")
    row = re.sub(r"^([-+=])(?=[\s=-]|$)", r"\\\1", row)
    return re.sub(r"^(\d+)(?=[.)](\s|$))", r"\1\\", row)


def reasons(orders: Iterable[tuple[str, str]]) -> tuple[ReportLine, ...]:
    """Return the orders of a bot and their reasons, as lines to be listed."""
    return tuple(ReportLine(heading="", text=f"{order}: {why}") for order, why in orders)


def throws(several: Iterable[DiceRoll]) -> tuple[ReportLine, ...]:
    """Throws of dice as lines to be listed."""
    return tuple(
        ReportLine(
            heading="",
            text=sentence(
                "reports.typeset.throw",
                label=throw.label,
                sides=throw.sides,
                numbers=throw.numbers,
                forced=throw.forced,
            ),
        )
        for throw in several
    )


def report_sentence(line: ReportLine) -> str:
    """Return a sentence of a report behind its bar; a cross before it says that its order failed."""
    text = " ".join(line.text.split())
    return paragraph(text, f"{ROW_BAR}{FAILED_MARK}" if line.failed else ROW_BAR, f"{ROW_BAR}  ")


def order_length(text: str) -> int:
    """Return the number of characters that are the order in a sentence: up to its first stop."""
    stop = _ORDER_ENDS.search(text)
    return len(text[: stop.start()].rstrip()) if stop else len(text)


def numeric_columns(content: ReportTable) -> tuple[bool, ...]:
    """For each column of a table, whether it holds nothing but numbers, and is set to the right."""
    columns = zip(*content.rows, strict=True) if content.rows else ((title,) for title in content.columns)
    return tuple(all(_NUMBER_CELL.fullmatch(cell.strip()) for cell in column) for column in columns)


def table(content: ReportTable, indent: str = "  ", width: int = TEXT_COLUMNS) -> str:
    """The rows of a table under its column titles, numbers to the right; long cells go on in further rows."""
    grid = [content.columns, *content.rows]
    widths = _widths(grid, width - len(indent))
    right = numeric_columns(content)
    rule = (" " * _COLUMN_GAP).join("-" * room for room in widths)
    rows = [_row(cells, widths, right) for cells in grid]
    lines = [*rows[0], rule, *(line for row in rows[1:] for line in row)]
    return "\n".join((indent + line).rstrip() for line in lines)


def _widths(grid: Sequence[Sequence[str]], room: int) -> list[int]:
    widths = [max(1, *(len(cell) for cell in column)) for column in zip(*grid, strict=True)]
    while sum(widths) + _COLUMN_GAP * (len(widths) - 1) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    parts = [
        [cell] if len(cell) <= room and _SIMPLE.fullmatch(cell) else _rows_of(cell, room)
        for cell, room in zip(cells, widths, strict=True)
    ]
    lines = []
    for depth in range(max(len(part) for part in parts)):
        line = [part[depth] if depth < len(part) else "" for part in parts]
        lines.append(
            (" " * _COLUMN_GAP).join(
                text.rjust(room) if flush else text.ljust(room)
                for text, room, flush in zip(line, widths, right, strict=True)
            )
        )
    return lines


def _rows_of(cell: str, room: int) -> list[str]:
    """A cell in rows of some room; a list of short names is broken between them, never within one."""
    names = cell.split(", ")
    if len(names) > 1 and max(map(len, names)) <= min(room - 1, _SHORT_NAME):
        cell = ", ".join(name.replace(" ", "\N{NO-BREAK SPACE}") for name in names)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in _wrap(cell, room)] or [""]
