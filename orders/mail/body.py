"""The new text of an email: the lines of its sender, and the edited lines of an order sheet."""

import re
from functools import lru_cache
from itertools import groupby, islice
from typing import Literal

from games.record import Record, replace_fields
from orders.mail.html_rows import rows_of as rows_of_page
from orders.mail.letter import Letter
from orders.mail.mime import SOFT_BREAK
from orders.mail.quoting import MarkedRows, Role, is_stub, mark, rows_of_text
from orders.mail.service_text import (
    MIN_QUOTED_RUN,
    TABLE_BAR,
    begins_as_title,
    goes_on,
    is_sheet_title,
    is_table_row,
    past_bar,
    region_of,
    sheet_titles,
)
from orders.mail.service_text import SHEET_TITLE as SHEET_TITLE
from orders.verdict import Source
from orders.words import keys, tidy

_REPLY_PREFIX_PATTERN = re.compile(
    r"^\s*(re|aw|wg|fw|fwd|tr|rv|res|sv|vs|antw|odp|ynt)\s*(\[\d+\])?\s*:", re.IGNORECASE
)
_SUBJECT_TAG_PATTERN = re.compile(r"\[[^\]]*\]")


Below = Literal["", "dashes", "signature", "ours", "attribution"]
_PLACE_BY_ROLE: dict[str, Below] = {
    "fresh": "",
    "dashes": "dashes",
    "signature": "signature",
    "among": "ours",
    "attribution": "attribution",
}
"""The value of `FreshLine.below` for each role of a row."""


class FreshLine(Record, frozen=True, kw_only=True):
    """A new line of this email, and its context.

    after_gap: an empty or quoted line is above. unsure: readers may not see it. older: it is on an order
    sheet older than the sheet that it changes. below: it is below two hyphens, below a signature mark, or
    among unmarked quoted lines of our emails, and only whole orders are accepted there; or it is an
    attribution with an order before it. pieces: the lines that it was joined from (format=flowed), which the
    player may have ended one by one. under: the line of a quoted order sheet above it.
    """

    text: str
    source: Source = "body"
    after_gap: bool = False
    unsure: bool = False
    older: bool = False
    below: Below = ""
    pieces: tuple[str, ...] = ()
    under: str = ""


class Body:
    """The rows of an email with their roles. It can be compared with several order sheets."""

    def __init__(self, letter: Letter) -> None:
        self._letter = letter
        plain = [part.text for part in letter.parts if part.kind == "plain" and part.text.strip()]
        pages = [part.text for part in letter.parts if part.kind == "html"]
        if plain and not (pages and all(map(is_stub, plain))):
            rows = rows_of_text("\n\n".join(plain))
        else:
            rows = tuple(row for page in pages for row in rows_of_page(page))
        self._marked = _without_ours(mark(rows))

    def fresh_lines(self, sheet: tuple[str, ...] | None = None) -> tuple[FreshLine, ...]:
        """Return the new text of an email, line by line: first the subject, then the text, then attachments.

        sheet: the lines of the order sheet in the email that this one replies to. A quoted line of the sheet
        that differs from all of them is returned as ``sheet``. Without it quotations are never read.
        """
        lines: list[FreshLine] = []
        subject = self._letter.subject
        is_reply = self._letter.answers or _REPLY_PREFIX_PATTERN.match(subject)
        if subject.strip() and not is_reply and not _SUBJECT_TAG_PATTERN.search(subject):
            # The subject of a reply is ours.
            lines.append(FreshLine(text=subject, source="subject", after_gap=True))
        lines += _read(self._marked, sheet, "body")
        for part in self._letter.parts:
            is_text_file = part.kind == "attachment" and part.name.lower().endswith(".txt")
            # Our own sheet, saved as a file and attached, isn't their orders.
            if is_text_file and not any(map(is_sheet_title, part.text.splitlines())):
                lines += _read(mark(rows_of_text(part.text)), None, "attachment")
        return tuple(lines)

    def quotes_sheet(self) -> bool:
        """Return whether an order sheet is quoted."""
        return _title_row(self._marked) is not None


def fresh_lines(letter: Letter, sheet: tuple[str, ...] | None = None) -> tuple[FreshLine, ...]:
    """Return the new text of an email: see `Body.fresh_lines`."""
    return Body(letter).fresh_lines(sheet)


def _without_ours(marked: MarkedRows) -> MarkedRows:
    """Return the rows, with lines of our own emails as a quotation if enough follow each other unmarked."""
    rows, roles = _with_table_rows(marked)
    new_roles: list[Role] = list(roles)
    for index in range(1, len(new_roles)):
        below = new_roles[index] == "fresh" and new_roles[index - 1] == "quoted"
        if below and goes_on(marked.text(index - 1), marked.text(index)):
            new_roles[index] = "quoted"
    fresh = [(index, rows[index].text) for index, role in enumerate(new_roles) if role == "fresh"]
    region = region_of(fresh)
    for index in region.ours:
        new_roles[index] = "quoted"
    for index in region.among:
        new_roles[index] = "among"
    return MarkedRows(rows, new_roles)


def _with_table_rows(marked: MarkedRows) -> MarkedRows:
    """Return the rows, with rows of our tables as new ones if they are few and not in a quotation.

    Their bar looks like a quote mark, but the player has copied them.
    """
    rows, roles = list(marked.rows), list(marked.roles)
    barred = (index for index, row in enumerate(rows) if row.text.lstrip()[:1] == TABLE_BAR)
    table = {index for index in barred if is_table_row(tidy(rows[index].text[:2_000]))}
    if not table:
        return marked
    copied = [index for index in table if roles[index] == "fresh"]
    for is_quotation, run in groupby(range(len(rows)), lambda at: roles[at] in ("quoted", "empty")):
        quoted = [at for at in run if roles[at] == "quoted"] if is_quotation else []
        if len(quoted) < MIN_QUOTED_RUN and table.issuperset(quoted):
            copied += quoted
    for index in copied:
        roles[index] = "fresh"
        rows[index] = rows[index]._replace(depth=0, text=past_bar(tidy(rows[index].text)))
    return MarkedRows(rows, roles)


def sheet_of(text: str) -> tuple[str, ...]:
    """Return the lines of the order sheet in the plain text of one of our own emails."""
    sheet_lines: list[str] = []
    lines = iter(text.splitlines())
    if not any(is_sheet_title(line) for line in lines):
        return ()
    for line in lines:
        if line.strip():
            sheet_lines.append(line.strip())
        elif sheet_lines:
            break
    return tuple(sheet_lines)


def _is_printed(sheet: tuple[str, ...], text: str) -> bool:
    """Return whether a line is on the order sheet that we sent, however a mail program may have spaced it."""
    # Nearly all lines come back unchanged.
    return text in sheet or keys(text) in _keys_of(sheet)


@lru_cache(maxsize=64)
def _keys_of(sheet: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(map(keys, sheet))


def _read(marked: MarkedRows, sheet: tuple[str, ...] | None, source: Source) -> list[FreshLine]:
    sheet = sheet or ()
    inside = _sheet_rows(marked, sheet) if sheet else []
    sheet_rows = frozenset(inside)
    rows, roles = marked
    fresh = [index for index, role in enumerate(roles) if role in _PLACE_BY_ROLE]
    new_lines: list[FreshLine] = []
    skip = -1
    for index in sorted((*fresh, *inside)):
        row = rows[index]
        if index <= skip:
            continue
        if (below := _PLACE_BY_ROLE.get(roles[index])) is not None:
            gap = index == 0 or roles[index - 1] != roles[index]
            line = FreshLine(text=_printable_text(row.text), source=source, after_gap=gap, unsure=row.unsure)
            if SOFT_BREAK in row.text:
                line = replace_fields(
                    line, pieces=tuple(_printable_text(piece) for piece in row.text.split(SOFT_BREAK))
                )
            if sheet_rows and (above := _above(marked, index)) in sheet_rows:
                line = replace_fields(line, under=_printable_text(marked.text(above)))
            new_lines.append(replace_fields(line, below=below) if below else line)
        elif (text := marked.text(index)) and not _is_printed(sheet, text):
            skip = _end_of_wrapped_line(marked, index, sheet)
            if skip < 0:
                new_lines.append(
                    FreshLine(text=_printable_text(text), source="sheet", after_gap=True, unsure=row.unsure)
                )
    return new_lines


def _above(marked: MarkedRows, index: int) -> int:
    """Return the last row above that isn't empty."""
    above = index - 1
    while above >= 0 and marked.roles[above] == "empty":
        above -= 1
    return above


def _printable_text(text: str) -> str:
    """Return the text as it may be echoed: single spaces, nothing unprintable."""
    if text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(char if char.isprintable() or char.isspace() else "" for char in text).split())


def _end_of_wrapped_line(marked: MarkedRows, index: int, sheet: tuple[str, ...]) -> int:
    """Return the last row of a printed sheet line that a mail program wrapped in two or three, or -1."""
    text = marked.text(index)
    for after in range(index + 1, min(index + 3, len(marked.rows))):
        text = f"{text} {marked.text(after)}"
        if _is_printed(sheet, text):
            return after
    return -1


def _sheet_rows(marked: MarkedRows, sheet: tuple[str, ...]) -> list[int]:
    """Return the indices of the quoted rows of the order sheet: from its title to the next empty quoted row.

    A program may put empty rows between all lines, so the block goes on to the last of the following rows
    that is one of its lines.
    """
    title = _title_row(marked)
    if title is None:
        return []
    after = [i for i in range(title + 1, len(marked.rows)) if marked.roles[i] == "quoted"]
    ends = marked.text(title).endswith((":", ")", "."))
    if after and not ends and after[0] == title + 1 and tidy(marked.text(after[0])):
        after = after[1:]
    while after and not tidy(marked.text(after[0])):
        after = after[1:]
    size = next((n for n, i in enumerate(after) if not tidy(marked.text(i))), len(after))
    filled = islice((n for n, i in enumerate(after) if tidy(marked.text(i))), len(sheet))
    size = max([size, *(n + 1 for n in filled if _is_printed(sheet, marked.text(after[n])))])
    return after[:size]


@lru_cache(maxsize=1)
def _title_start() -> re.Pattern[str]:
    """Return a pattern for the first word of the title after a NUL, which stands before each row."""
    first_words = {re.escape(begin[0]) for begin in sheet_titles()[0]}
    return re.compile(rf"\0\s*(?:{'|'.join(sorted(first_words))})", re.IGNORECASE)


def _title_row(marked: MarkedRows) -> int | None:
    """Return the index of the first quoted row with the title."""
    # One search over hundreds of rows is faster. No text contains a NUL.
    text = "\0" + "\0".join([row.text for row in marked.rows])
    index, counted = -1, 0
    for match in _title_start().finditer(text):
        index += text.count("\0", counted, match.start() + 1)
        counted = match.start() + 1
        if marked.roles[index] == "quoted" and _is_title(marked, index):
            return index
    return None


def _is_title(marked: MarkedRows, index: int) -> bool:
    """Return whether the title is there, on one row or broken over two."""
    here = marked.text(index)
    if is_sheet_title(here):
        return True
    following = marked.text(index + 1) if index + 1 < len(marked.rows) else ""
    return begins_as_title(here) and is_sheet_title(f"{here} {following}")
