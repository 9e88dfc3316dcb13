"""Templates into text, HTML and SVG: a game's own before the service's, and nothing undefined."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from textwrap import wrap as _wrap
from typing import Any, NamedTuple

import css_inline
import jinja2
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FunctionLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    select_autoescape,
)
from markupsafe import Markup, escape

from adjudicator import compile_cache
from adjudicator.clock import format_instant
from adjudicator.messages import LANGUAGE_FILTERS, sentence
from adjudicator.model.games import DiceRoll
from adjudicator.reports.results import result_text
from adjudicator.reports.times import both, overdue_line
from adjudicator.template_cache import CompiledTemplates, template_dependencies
from games.options import describe_option, starting_text
from games.protocol import Game, HandbookSection, Options, ReportLine, ReportTable, Seat, SeatColours, View
from games.record import replace_fields

# Columns of changes: each column of numbers gets one that shows the change.


CHANGE_COLUMN_TITLE = "+/-"
"""The title of a column of changes."""


class _TableColumn(NamedTuple):
    title: str
    cells: tuple[str, ...]


def with_changes(before: Sequence[ReportTable], after: Sequence[ReportTable]) -> tuple[ReportTable, ...]:
    """Return the tables of a position, each column of numbers followed by its change since another
    position.

    A column has none if nothing changed, if its table is new, or if two rows of the table begin alike. Only
    digits are numbers.
    """
    known = {(table.title, table.columns): table.rows for table in before}
    return tuple(_compare_tables(known.get((table.title, table.columns), ()), table) for table in after)


def _compare_tables(before: Sequence[tuple[str, ...]], after: ReportTable) -> ReportTable:
    """Return a table with columns of changes. before: its earlier rows."""
    heads = [row[0] for row in after.rows]
    if not before or not heads or len(set(heads)) < len(heads):
        return after
    earlier = {row[0]: row for row in before}
    columns: list[_TableColumn] = []
    for place, title in enumerate(after.columns):
        cells = tuple(row[place] for row in after.rows)
        columns.append(_TableColumn(title, cells))
        if place == 0 or not all(cell.isdecimal() for cell in cells):
            continue
        gains = []
        for row in after.rows:
            was = earlier.get(row[0], row)[place]
            gained = int(row[place]) - int(was) if was.isdecimal() else 0
            gains.append(f"{gained:+d}" if gained else "")
        if any(gains):
            columns.append(_TableColumn(CHANGE_COLUMN_TITLE, tuple(gains)))
    return replace_fields(
        after,
        columns=tuple(column.title for column in columns),
        rows=tuple(zip(*(column.cells for column in columns), strict=True)),
    )


# Plain text in at most 72 columns: paragraphs, marked lines, tables.


TEXT_COLUMNS = 72
ROW_BAR = "| "
"""The mark before every row that quotes an order. Lines that begin with it are never read as orders."""
BULLET = "- "
FAILED_MARK = "x "
"""The mark after the bar before an order that failed."""

_SIMPLE = re.compile(r"\S+( \S+)*")
"""A text that stays as it is where it has room."""
_COLUMN_GAP = 2
_WIDEST_HEAD = 24
"""The first column of rows behind bars is no wider."""
_NARROWEST = 6
_SHORT_NAME = 12
_NUMBER_CELL = re.compile(r"[+\-−–±]?\d*([.,]\d+)?%?")
_ORDER_ENDS = re.compile(r"[:;,.(]( |$)|\(| – | — ")


@lru_cache(maxsize=512)
def paragraph(text: str, first: str = "", rest: str | None = None, width: int = TEXT_COLUMNS) -> str:
    """Return the text in rows of at most `width` columns. The first row begins with `first`, others with
    `rest`.

    If rest is None, other rows are indented by the length of `first`. Words longer than a row are cut. A
    no-break space keeps two words in one row, and becomes a plain space.
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
    """Return a text in its paragraphs, which empty lines part. One with a row that begins with a space or a
    bar, and a list of bullets, are kept row by row.
    """
    parts = [part for part in re.split(r"\n{2,}", text.strip("\n")) if part.strip()]
    return tuple(
        Block("", tuple(part.split("\n")))
        if re.search(r"(?m)^[ |]", part) or all(row.startswith(BULLET) for row in part.split("\n"))
        else Block(" ".join(part.split()))
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
    column = _COLUMN.search(row)
    if indent.startswith("|") and column is not None and column.end() <= _WIDEST_HEAD:
        return paragraph(
            row[column.end() :], row[: column.end()], indent + " " * (column.end() - len(indent))
        )
    return paragraph(row[len(indent) :], indent, indent + "  ")


def listed_rows(rows: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return rows behind bars as pairs of their first and second column, without the bars.

    The result is empty if a row has no bar. Continued rows are joined.
    """
    listed: list[tuple[str, str]] = []
    for row in rows:
        if not row.startswith(ROW_BAR.rstrip()):
            return ()
        text = row.removeprefix(ROW_BAR.rstrip()).removeprefix(" ").rstrip()
        column = _COLUMN.search(text)
        if text.startswith("  ") and listed and listed[-1][1]:
            head, said = listed[-1]
            listed[-1] = (head, f"{said} {text.strip()}")
        elif column is not None and column.end() <= _WIDEST_HEAD:
            listed.append((text[: column.start()], text[column.end() :]))
        else:
            listed.append((text, ""))
    return tuple(listed)


def quote_rows(text: str) -> str:
    """Return a player's text with a bar before each row. Long rows are broken, and empty ones stay."""
    rows = [paragraph(row, ROW_BAR, ROW_BAR) for row in text.strip().splitlines()]
    return "\n".join(rows)


def bbcode(text: str) -> str:
    """Return text without BBCode for any forum: a space of no width follows each bracket that opens a tag."""
    return re.sub(r"\[(?=[/*a-zA-Z])", "[\N{ZERO WIDTH SPACE}", text)


def markdown(text: str) -> str:
    """Return text in one row that no forum reads as Markdown or HTML."""
    row = re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split())).replace("&", "&amp;")
    row = re.sub(r"^([-+=])(?=[\s=-]|$)", r"\\\1", row)
    return re.sub(r"^(\d+)(?=[.)](\s|$))", r"\1\\", row)


_CRITERIA_IN_REASON = re.compile(r" \([^()]{40,}\)$")
"""The criteria by which a bot chose an order, at the end of its reason."""


def reasons(orders: Iterable[tuple[str, str]]) -> tuple[ReportLine, ...]:
    """Return the orders of a bot and their reasons, as lines to be listed."""
    return tuple(ReportLine(heading="", text=f"{order}: {why}") for order, why in orders)


def tell_criteria_once(orders: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the orders of a bot with their reasons. Long criteria are written out once."""
    written: set[str] = set()
    again = sentence("reports.report.likewise")
    shown = []
    for order, why in orders:
        criteria = _CRITERIA_IN_REASON.search(why)
        if criteria and criteria[0] in written:
            why = f"{why[: criteria.start()]} ({again})"
        elif criteria:
            written.add(criteria[0])
        shown.append((order, why))
    return tuple(shown)


def throws(several: Iterable[DiceRoll]) -> tuple[ReportLine, ...]:
    """Return dice rolls as lines to be listed."""
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


def routine_together(lines: Iterable[ReportLine], own: bool = False) -> tuple[ReportLine, ...]:
    """Return lines with orders of one outcome in one of them, in the place of the first.

    These are the orders that were carried out: "Held: F RUM, A WAR." own: of the reader's own orders only
    those that held, so that the others keep their words.
    """
    lines = tuple(lines)
    shared: dict[str, list[str]] = {}
    for line in lines:
        if line.done and (line.held or not own):
            shared.setdefault(line.outcome, []).append(line.done)
    rows: dict[str, ReportLine] = {}
    for place, line in enumerate(lines):
        orders = shared.get(line.outcome, ()) if line.done and (line.held or not own) else ()
        if len(orders) < 2:
            rows[str(place)] = line
        elif line.outcome not in rows:
            text = sentence("reports.report.together", outcome=capitalised(line.outcome), orders=orders)
            rows[line.outcome] = ReportLine(heading=line.heading, text=text, routine=True)
    return tuple(rows.values())


def held_units(lines: Iterable[ReportLine]) -> tuple[str, ...]:
    """Return the units of lines that all tell of units that held; () if one tells anything else."""
    lines = tuple(lines)
    return tuple(line.done for line in lines) if all(line.held for line in lines) else ()


_SOLO_SIDES = ("player", "ai")
"""The seats of a solo game, whose names readers never see."""


def name_sides(tables: Iterable[ReportTable], viewer: Seat | None) -> tuple[ReportTable, ...]:
    """Return tables whose rows of a solo game's sides begin with "You" or "The AI", as headings do."""
    return tuple(
        replace_fields(
            table, rows=tuple((name_side(row[0], viewer), *row[1:]) if row else row for row in table.rows)
        )
        for table in tables
    )


def name_side(seat: str, viewer: Seat | None) -> str:
    """Return the name of a side of a solo game for a reader, and any other text as it is."""
    return sentence("reports.report.passage", heading=seat, seat=viewer) if seat in _SOLO_SIDES else seat


def text_badges(game: Game, view: View) -> dict[str, SeatColours]:
    """Return the colours to mark the names of sides with in a text.

    The sides of a solo game have none: "player" and "ai" are words that a text uses in other ways.
    """
    badges = game.telling.badges(view)
    return {side: badge for side, badge in badges.items() if side not in _SOLO_SIDES}


def lists_beside_counts(tables: Sequence[ReportTable], brief: bool = False) -> tuple[ReportTable, ...]:
    """Return tables with those that only list what another one counts put into that one.

    "England 7" in one table, and "England BEL, BRE" under the same column title in another, become "England
    7: BEL, BRE". brief: the tables show only some rows, and stay as they are.
    """
    merged: list[ReportTable] = []
    for table in tables:
        counting = None if brief else next((one for one in merged if counts_what_lists(one, table)), None)
        if counting is None:
            merged.append(table)
        else:
            merged[merged.index(counting)] = _put_list_beside_count(counting, table)
    return tuple(merged)


def counts_what_lists(counting: ReportTable, listing: ReportTable) -> bool:
    """Return whether a table counts, by the same rows, what another lists."""
    if len(listing.columns) != 2 or counting.columns[0] != listing.columns[0]:
        return False
    if listing.columns[1] not in counting.columns[1:] or listing.columns[1].isdecimal():
        return False
    place = counting.columns.index(listing.columns[1])
    heads = {row[0] for row in counting.rows}
    return all(row[place].isdecimal() for row in counting.rows) and all(
        row[0] in heads for row in listing.rows
    )


def _put_list_beside_count(counting: ReportTable, listing: ReportTable) -> ReportTable:
    place = counting.columns.index(listing.columns[1])
    changes = counting.columns[place + 1 : place + 2] == (CHANGE_COLUMN_TITLE,)
    after = place + 1 + changes
    lists = {row[0]: row[1] for row in listing.rows}
    rows = []
    for row in counting.rows:
        count = f"{row[place]} ({row[place + 1]})" if changes and row[place + 1] else row[place]
        cell = f"{count}: {lists[row[0]]}" if lists.get(row[0]) else count
        rows.append((*row[:place], cell, *row[after:]))
    return ReportTable(
        title=counting.title,
        columns=(*counting.columns[: place + 1], *counting.columns[after:]),
        rows=tuple(rows),
        about=counting.about,
        later=counting.later and listing.later,
    )


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def order_length(text: str) -> int:
    """Return the number of characters that are the order in a sentence: up to its first stop."""
    stop = _ORDER_ENDS.search(text)
    return len(text[: stop.start()].rstrip()) if stop else len(text)


def numeric_columns(content: ReportTable) -> tuple[bool, ...]:
    """For each column of a table, whether it holds nothing but numbers, and is set to the right."""
    columns = zip(*content.rows, strict=True) if content.rows else ((title,) for title in content.columns)
    return tuple(all(_NUMBER_CELL.fullmatch(cell.strip()) for cell in column) for column in columns)


def table(content: ReportTable, indent: str = "  ", width: int = TEXT_COLUMNS) -> str:
    """Return the rows of a table under its column titles. Numbers are aligned right, and long cells use
    several rows.

    Nothing is above the rows of a table whose columns have no titles, or whose two columns show what is due.
    """
    headed = any(content.columns) and not (content.about == "due" and len(content.columns) == 2)
    grid = [content.columns, *content.rows] if headed else list(content.rows)
    widths = [max(1, *(len(cell) for cell in column)) for column in zip(*grid, strict=True)]
    room = width - len(indent) - _COLUMN_GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    right = numeric_columns(content)
    rule = (" " * _COLUMN_GAP).join("-" * column for column in widths)
    rows = [_row(cells, widths, right) for cells in grid]
    lines = [line for row in rows for line in row]
    if headed:
        lines.insert(len(rows[0]), rule)
    return "\n".join((indent + line).rstrip() for line in lines)


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
    """Return a cell in rows of a width. A list of short names is broken between names."""
    names = cell.split(", ")
    if len(names) > 1 and max(map(len, names)) <= min(room - 1, _SHORT_NAME):
        cell = ", ".join(name.replace(" ", "\N{NO-BREAK SPACE}") for name in names)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in _wrap(cell, room)] or [""]


# The styles of HTML emails, written into the elements of a template when it is loaded.
#
# Many mail programs ignore style sheets, so each element has its style. This is done once per template, not
# per email: rules of the service's style sheet name an element or one class, and never its surroundings.
# Emails contain only those rules of the sheet that depend on the screen.


STYLE_PAGE = "page.html"
_LIGHT_STYLE_SHEET = re.compile(r"<style>(.*?)(?:@media.*?)?</style>", re.DOTALL)
_BY_DAY = re.compile(r"<style>.*?(?=@media|</style>)", re.DOTALL)
_OPEN_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>")
_CLASS_ATTRIBUTE = re.compile(r'\bclass="([^"{]*)"')
_STYLE_ATTRIBUTE = re.compile(r'\s*\bstyle="([^"{]*)"')
_STYLED_TAGS = frozenset({"body", "h1", "h2", "h3", "p"})
"""The elements that the style sheet names as such."""


def inline_styles(source: str) -> str:
    """Return the source of a template with the styles of its elements, as far as it names their classes."""
    return _OPEN_TAG.sub(_add_style, _BY_DAY.sub("<style>\n", source))


def class_attributes(classes: str) -> Markup:
    """Return the attributes of an element whose classes are known only when an email is written."""
    style = style_of("div", classes)
    return Markup(f'class="{classes}" style="{style}"' if style else f'class="{classes}"')


@cache
def style_of(tag: str, classes: str, own: str = "") -> str:
    """Return what the service's style sheet says of an element. own: its own style, which goes before.

    It is kept for the commands to come: the library takes longer to load than all else does here.
    """
    asked = "\0".join([style_key(), tag, classes, own])
    name = f"style-{hashlib.sha256(asked.encode()).hexdigest()}"
    cached_style = compile_cache.load(name)
    if cached_style is not None:
        return cached_style.decode()
    style = _compute_style(tag, classes, own)
    compile_cache.save(name, style.encode())
    return style


def _compute_style(tag: str, classes: str, own: str) -> str:
    # Cells are dropped outside a table, and no rule names an element but those of _STYLED.
    name = tag if tag in _STYLED_TAGS - {"body"} else "div"
    sheet = sheet_by_day()
    if tag == "body":
        sheet = re.sub(r"\bbody\b", "div", sheet)
    piece = _inliner().inline_fragment(f'<{name} class="{classes}" style="{own}"></{name}>', sheet)
    match = re.search(r' style="([^"]*)"', piece)
    return match.group(1).strip() if match else ""


@cache
def style_key() -> str:
    """Return the key of what styles depend on: the page with the style sheet, and the library as it is on
    disk.
    """
    page = files("templates").joinpath(STYLE_PAGE).read_text(encoding="utf-8")
    # Asked for its place alone, a module that waits is not loaded.
    library = Path(css_inline.__spec__.origin or "")
    file_stat = library.stat()
    return f"{page}\0{library} {file_stat.st_mtime_ns} {file_stat.st_size}"


@cache
def sheet_by_day() -> str:
    """Return the rules of the service's style sheet that apply on every screen."""
    page = files("templates").joinpath(STYLE_PAGE).read_text(encoding="utf-8")
    match = _LIGHT_STYLE_SHEET.search(page)
    assert match is not None, f"{STYLE_PAGE} has a style sheet"
    return match.group(1)


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(load_remote_stylesheets=False)


def _add_style(tag_match: re.Match[str]) -> str:
    tag, rest = tag_match.group(1), tag_match.group(2)
    named = _CLASS_ATTRIBUTE.search(rest)
    if named is None and (tag not in _STYLED_TAGS or 'class="' in rest):
        return tag_match.group()
    own = _STYLE_ATTRIBUTE.search(rest)
    style = style_of(tag, named.group(1) if named else "", own.group(1) if own else "")
    return f'<{tag}{_STYLE_ATTRIBUTE.sub("", rest)} style="{style}">' if style else tag_match.group()


# The layout of emails on a phone: tables that are too wide, and text that is never broken.


_SCREEN_LETTERS = 36
"""The bold letters in a row of the narrowest window (320 pixels) in a wide font."""
_EASY = 10
"""The letters in a row that make a cell of several words easy to read."""
_COLUMN_GAP_LETTERS = 0.75
_CAPITAL, _SIGN = 1.1, 0.8
"""The width of letters and signs in a column's title, which is in capitals. Letters of cells count 1."""

_IN_A_ROW = 34
"""The letters of equal width in a row there."""

_HYPHENATED_CODE = re.compile(r"(?<![\w-])[A-Z0-9]{1,4}(?:-[A-Za-z0-9]{1,4}){1,3}(?![\w-])")
"""A name of the players' that a browser would part at its hyphen: R-JK2, KIM-VRY, C-in-C."""

_COLUMN = re.compile(r"(?<=[^\s|]) {2,}(?=\S)")
"""The blanks between two columns of a row."""


def folds(content: ReportTable, among: Sequence[ReportTable] = ()) -> bool:
    """Return whether a phone shows each row of a table as a paragraph, because the table is too wide.

    among: the tables of the same email. Those with the same columns are all folded, or none of them.
    """
    titles = []
    for title in content.columns:
        words = [sum(_CAPITAL if letter.isalnum() else _SIGN for letter in word) for word in title.split()]
        titles.append(max(words, default=0.0))
    for alike in (content, *among):
        if alike.columns != content.columns:
            continue
        rooms = titles
        for row in alike.rows:
            # A cell needs room for its longest word, and a short one for all of it.
            needed = [max(*map(len, cell.split()), min(len(cell), _EASY), 0) for cell in row]
            rooms = [max(pair) for pair in zip(rooms, needed, strict=True)]
        if sum(rooms) + _COLUMN_GAP_LETTERS * len(rooms) > _SCREEN_LETTERS:
            return True
    return False


def is_short(cell: str) -> bool:
    """Return whether the cell of a table stays in one row, though it could be broken."""
    return len(cell) <= _EASY and re.search(r"[ -]", cell) is not None


# Most emails of a round have the same orders. Text that is already HTML equals other text, so types count.
@lru_cache(maxsize=512, typed=True)
def whole(text: str) -> Markup:
    """Return a text as HTML. Its codes are never broken at the end of a row."""
    return Markup(_HYPHENATED_CODE.sub(r'<span style="white-space: nowrap">\g<0></span>', str(escape(text))))


def rows_whole(rows: Sequence[str]) -> tuple[Markup, ...]:
    """Return rows as HTML that keeps them as they are.

    If a row with columns is too long for a phone, the columns of all rows close up there, so that no row
    takes two.
    """
    lines = tuple(whole(row) for row in rows)
    if max((len(row) for row in rows if _COLUMN.search(row)), default=0) <= _IN_A_ROW:
        return lines
    return tuple(Markup(_COLUMN.sub(r'<span class="gap">\g<0></span>', str(row))) for row in lines)


# Compiled templates of emails, and the key of everything that their code depends on.


_HTML = ".html"


class Environment(jinja2.Environment):
    """Writes styles into the elements of HTML templates before it compiles them."""

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """The source of a template as it is compiled."""
        source = super().preprocess(source, name, filename)
        return inline_styles(source) if name and name.endswith(_HTML) else source


def compilation_key(functions: Iterable[Callable[..., Any]], marked_up: bool) -> bytes | None:
    """Return the key of everything except its text that a template's code depends on, or None if unknown.

    functions: the functions that templates call. Their results for constants are compiled in, so the key
    contains the state of their files, the library, Python, the style sheet, and the code that applies it.
    """
    names = {function.__module__ for function in functions} - {any.__module__}
    called = [Path(sys.modules[name].__file__ or "") for name in sorted(names)]
    try:
        parts = [str(marked_up), *template_dependencies(called)]
    except OSError:  # they lie in an archive
        return None
    if marked_up:
        parts.append(style_key())
    return "\0".join(parts).encode()


# Names of powers inside a text, found so that a page can set their colours before them.


def split_at_names(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Return a text in pieces, each name in its own piece: "Won by Italy." as "Won by ", "Italy" and "."."""
    if not names:
        return (text,)
    return tuple(piece for piece in _pattern(tuple(names)).split(text) if piece)


def leading_names(rows: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Return for each row the name at its start, after any indentation, or ""."""
    if not names:
        return ("",) * len(rows)
    matches = (_pattern(tuple(names)).match(row.lstrip()) for row in rows)
    return tuple(match[0] if match else "" for match in matches)


@lru_cache(maxsize=32)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as a word; of two that begin alike the longer one."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)({words})(?!\w)")


_SERVICE_TEMPLATES = "templates"
_FILTERS: Mapping[str, Callable[..., Any]] = {
    "paragraph": paragraph,
    "letter_text": letter_text,
    "blocks": blocks,
    "told": report_sentence,
    "quoted": quote_rows,
    "bbcode": bbcode,
    "markdown": markdown,
    "reasons": reasons,
    "throws": throws,
    "text_table": table,
    "routine_together": routine_together,
    "lists_beside_counts": lists_beside_counts,
    "name_sides": name_sides,
    "name_side": name_side,
    "capitalised": capitalised,
    "order_length": order_length,
    "spoken": format_instant,
    "both": both,
    "overdue": overdue_line,
    "whole": whole,
    "rows_whole": rows_whole,
    "listed": listed_rows,
    "parted": split_at_names,
    "leading": leading_names,
    "any": any,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "numeric_columns": numeric_columns,
    "folds": folds,
    "is_short": is_short,
    "inlined": class_attributes,
    "sentence": sentence,
    "describe_option": describe_option,
    "starting_text": starting_text,
    "result_text": result_text,
}
_GLOBALS: Mapping[str, object] = {
    **_FUNCTIONS,
    "BAR": ROW_BAR,
    "WIDTH": TEXT_COLUMNS,
    "SIGN": CHANGE_COLUMN_TITLE,
}


def render(game: Game | None, name: str, context: Mapping[str, Any]) -> str:
    """Return a template filled in, by its name: "report.txt", "letters/verdict.html".

    A game's own template replaces the service's one of the same name, and can include it by "service/" and
    that name. Styles are written into the elements of HTML, for mail programs that ignore style sheets.
    Raises jinja2.TemplateError if the template does not exist, is broken, or needs a value that the context
    doesn't have.
    """
    text = _environment(game.package if game else None, name.endswith((".html", ".svg"))).get_template(name)
    return text.render(context)


def check(game: Game | None) -> tuple[str, ...]:
    """Read every template of a game (None: of the service). Returns what is wrong with each broken one."""
    package, inside = (game.package, "templates") if game else (_SERVICE_TEMPLATES, "")
    broken = []
    for name in _names(files(package).joinpath(inside)):
        if name.endswith((".txt", ".html", ".svg")):
            environment = _environment(game.package if game else None, not name.endswith(".txt"))
            try:
                environment.get_template(name)
            except (TemplateError, OSError) as fault:
                broken.append(f"{name}: {fault}")
    return tuple(broken)


def _names(folder: Traversable, above: str = "") -> Iterator[str]:
    for file in folder.iterdir() if folder.is_dir() else ():
        yield from _names(file, f"{above}{file.name}/") if file.is_dir() else (above + file.name,)


class _Templates(Environment):
    """An environment that looks up its shared values in one place instead of two for each email."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the values that all templates share with their own context. They never change."""
        return {**self.globals, **(d or {})}


@cache
def _environment(package: str | None, marked_up: bool) -> _Templates:
    service = _folder(_SERVICE_TEMPLATES, "")
    # Templates of games made for version 1.0 say "house/".
    by_prefix = PrefixLoader({"service": service, "house": service})
    own = [_folder(package, "templates/")] if package else []
    environment = _Templates(
        loader=ChoiceLoader([*own, service, by_prefix]),
        autoescape=select_autoescape(enabled_extensions=("html", "svg"), default=False)
        if marked_up
        else False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Templates are part of the installation, so they are not checked on disk for every email.
        auto_reload=False,
    )
    environment.filters.update({**LANGUAGE_FILTERS, **_FILTERS})
    environment.globals.update(_GLOBALS)
    environment.bytecode_cache = _bytecode_cache(marked_up)
    return environment


@cache
def _bytecode_cache(marked_up: bool) -> CompiledTemplates:
    functions = (*_FILTERS.values(), *_FUNCTIONS.values())
    return CompiledTemplates(compilation_key(functions, marked_up))


def _folder(package: str, inside: str) -> BaseLoader:
    return FunctionLoader(_finder(package, inside))


def _finder(package: str, inside: str) -> Callable[[str], str | None]:
    def find(name: str) -> str | None:
        """Return the source of a template in the package, or None if it doesn't exist."""
        file = files(package).joinpath(inside + name)
        if not file.is_file():
            return None
        return file.read_text(encoding="utf-8")

    return find


# The players' pages of the handbook, as HELP emails them: a section for each topic.


_PLAYERS_FOLDER = files("templates").joinpath("players")
_HELP_COMMENT = re.compile(r"<!-- help: (.*) -->")
_MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FENCE = "```"
_ITEM = "- "


def page(game: Game, options: Options | None = None) -> tuple[HandbookSection, ...]:
    """Return the sections of the help on a game, in order: what it writes for its options, or its page.

    options: of a running game; None for those of a new one.
    """
    return game.telling.handbook(options) or _read(game.about.page or game.about.kind)


def help_topics(game: Game) -> tuple[str, ...]:
    """Return the topics of a game that HELP has a text for, one word each."""
    return tuple(section.topics[0] for section in page(game))


def section_for(game: Game, topic: str, options: Options | None = None) -> HandbookSection | None:
    """Return the section that a word asks for, or the beginning of one of its words."""
    query, sections = topic.strip(" .").lower(), page(game, options)
    exact = [candidate for candidate in sections if query in candidate.topics]
    near = [
        candidate
        for candidate in sections
        if any(word.startswith(query) for word in candidate.topics) and len(query) > 3
    ]
    return next(iter((*exact, *near)), None)


@cache
def _read(name: str) -> tuple[HandbookSection, ...]:
    file = _PLAYERS_FOLDER.joinpath(f"{name}.md")
    if not file.is_file():
        return ()
    _, *parts = re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = []
    for part in parts:
        title, _, body = part.partition("\n")
        asked = _HELP_COMMENT.search(body)
        if asked:
            words = tuple(asked[1].split())
            sections.append(
                HandbookSection(topics=words, title=title, text="\n\n".join(_mailed_blocks(body)))
            )
    return tuple(sections)


def _mailed_blocks(body: str) -> Iterator[str]:
    """Yield the blocks of a section: paragraphs, items of lists, and orders and tables behind bars."""
    fence: list[str] | None = None
    kept, shown = list[str](), True
    for row in [*re.sub(r"<!--.*?-->\n?", "", body).split("\n"), ""]:
        if row.startswith(_FENCE) and fence is None:
            # Leave out the handbook's sample reports: players get reports of their own.
            fence, shown = [], not row.startswith(f"{_FENCE}text")
        elif row.startswith(_FENCE) and fence is not None:
            yield from ["\n".join(fence)] * shown
            fence = None
        elif fence is not None:
            fence.append(f"{ROW_BAR}{row}")
        elif row.startswith("|"):
            kept += _cells(row)
        elif row.startswith(_ITEM):
            yield from [" ".join(kept)] if kept else []
            kept = [_plain(row)]
        elif row.strip():
            kept.append(_plain(row.strip()))
        elif kept:
            is_table = kept[0].startswith(ROW_BAR)
            yield ("\n" if is_table else " ").join(kept)
            kept = []


def _cells(row: str) -> list[str]:
    """Return the row of a table behind a bar: the form and its examples. Empty if it isn't a row."""
    what, *others = (_plain(cell.strip()) for cell in row.strip().strip("|").split("|"))
    if not what or set(what) <= set("- ") or what == "what":
        return []
    return [f"{ROW_BAR}{what}: {'; '.join(others)}"]


def _plain(text: str) -> str:
    """Without the marks of the page."""
    return _MARKDOWN_LINK.sub(r"\1", text).replace("<br>", "  or  ").replace("`", "").replace("**", "")
