"""What a letter says that is new: lines of its sender, and the edited lines of an order sheet."""

import re
from collections.abc import Collection, Iterator, Sequence

from games.record import Record
from orders.letters.html_rows import Row
from orders.letters.html_rows import rows_of as rows_of_page
from orders.letters.letter import Letter
from orders.letters.mime import Part
from orders.letters.quoting import Marked, is_stub, mark, rows_of_text
from orders.letters.sheet_title import SHEET_TITLE as SHEET_TITLE
from orders.verdict import Source
from orders.words import keys, tidy

_TITLE = keys(SHEET_TITLE)
_REPLY = re.compile(r"^\s*(re|aw|wg|fw|fwd|tr|rv|res|sv|vs|antw|odp|ynt)\s*(\[\d+\])?\s*:", re.IGNORECASE)
_TAG = re.compile(r"\[[^\]]*\]")


class FreshLine(Record, frozen=True, kw_only=True):
    """A line that is new in this letter, and where it stood.

    after_gap: an empty or quoted line is above; unsure: it may be invisible to whoever reads the letter.
    """

    text: str
    source: Source = "body"
    after_gap: bool = False
    unsure: bool = False


def fresh_lines(letter: Letter, sheet: tuple[str, ...] | None = None) -> tuple[FreshLine, ...]:
    """The new text of a letter, line by line, in the order of its sources: subject, text, attachments.

    sheet: the lines of the order sheet in our letter that this one answers; a quoted line of the sheet that
    differs from all of them is returned as ``sheet``. Without it quotations are never read.
    """
    lines = [*_subject(letter), *_read(mark(_rows(letter)), sheet, "body")]
    for part in letter.parts:
        if _is_order_file(part):
            lines += _read(mark(rows_of_text(part.text)), None, "attachment")
    return tuple(lines)


def quotes_sheet(letter: Letter) -> bool:
    """Whether a letter quotes an order sheet."""
    return next(_titles(mark(_rows(letter))), None) is not None


def sheet_of(text: str) -> tuple[str, ...]:
    """The lines of the order sheet in the plain text of one of our own letters."""
    found: list[str] = []
    lines = iter(text.splitlines())
    if not any(line.strip() == SHEET_TITLE for line in lines):
        return ()
    for line in lines:
        if line.strip():
            found.append(line.strip())
        elif found:
            break
    return tuple(found)


def _rows(letter: Letter) -> tuple[Row, ...]:
    """The rows of the text: plain parts where one says something, else the HTML ones."""
    plain = [part.text for part in letter.parts if part.kind == "plain" and part.text.strip()]
    pages = [part.text for part in letter.parts if part.kind == "html"]
    if plain and not (pages and all(is_stub(text) for text in plain)):
        return rows_of_text("\n\n".join(plain))
    return tuple(row for page in pages for row in rows_of_page(page))


def _subject(letter: Letter) -> list[FreshLine]:
    """The subject of a letter that begins a thread; that of an answer is ours."""
    if letter.answers or _REPLY.match(letter.subject) or _TAG.search(letter.subject):
        return []
    return (
        [FreshLine(text=letter.subject, source="subject", after_gap=True)] if letter.subject.strip() else []
    )


def _is_order_file(part: Part) -> bool:
    named = part.kind == "attachment" and part.name.lower().endswith(".txt")
    return named and not any(keys(line) == _TITLE for line in part.text.splitlines())


def _read(marked: Sequence[Marked], sheet: tuple[str, ...] | None, source: Source) -> list[FreshLine]:
    printed = {keys(line) for line in sheet or ()}
    inside = set(_sheet_rows(marked, sheet, printed)) if sheet else set()
    found: list[FreshLine] = []
    gap, skip = True, -1
    for index, row in enumerate(marked):
        if row.role == "quoted" and index not in inside:
            gap = True
            continue
        if row.role == "fresh" and index > skip:
            found.append(FreshLine(text=_shown(row.text), source=source, after_gap=gap, unsure=row.unsure))
        elif index in inside and index > skip and row.text and keys(row.text) not in printed:
            skip = _wrapped(marked, index, printed)
            if skip < 0:
                found.append(
                    FreshLine(text=_shown(row.text), source="sheet", after_gap=True, unsure=row.unsure)
                )
        gap = row.role != "fresh"
    return found


def _shown(text: str) -> str:
    """The text as it may be echoed: single spaces, nothing unprintable."""
    if text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(char if char.isprintable() or char.isspace() else "" for char in text).split())


def _wrapped(marked: Sequence[Marked], index: int, printed: set[tuple[str, ...]]) -> int:
    """The last row of a printed sheet line that a mail program broke in two or three; -1 if it is none."""
    text = marked[index].text
    for after in range(index + 1, min(index + 3, len(marked))):
        text = f"{text} {marked[after].text}"
        if keys(text) in printed:
            return after
    return -1


def _sheet_rows(
    marked: Sequence[Marked], sheet: tuple[str, ...], printed: Collection[tuple[str, ...]]
) -> list[int]:
    """The indices of the quoted rows that are the order sheet: from its title to the next empty quoted row.

    A program may put empty rows between all lines, so the block goes on to the last of the following rows
    that is one of its lines. printed: these, as keys.
    """
    title = next(_titles(marked), None)
    if title is None:
        return []
    after = [i for i in range(title + 1, len(marked)) if marked[i].role == "quoted"]
    if after and keys(marked[title].text) != _TITLE:
        after = after[1:]
    while after and not tidy(marked[after[0]].text):
        after = after[1:]
    size = next((n for n, i in enumerate(after) if not tidy(marked[i].text)), len(after))
    filled = [n for n, i in enumerate(after) if tidy(marked[i].text)][: len(sheet)]
    size = max([size, *(n + 1 for n in filled if keys(marked[after[n]].text) in printed)])
    return after[:size]


def _titles(marked: Sequence[Marked]) -> Iterator[int]:
    """Where in what is quoted the title stands."""
    for index, (role, text, _) in enumerate(marked):
        # Of hundreds of rows: what can be had for nothing is asked first.
        may_be = role == "quoted" and ("order" in text.lower() or not text.isascii())
        if may_be and _is_title(marked, index):
            yield index


def _is_title(marked: Sequence[Marked], index: int) -> bool:
    """Whether the title stands there, in one row or broken over two."""
    here = keys(marked[index].text)
    if here == _TITLE:
        return True
    following = marked[index + 1].text if index + 1 < len(marked) else ""
    return bool(here) and here == _TITLE[: len(here)] and here + keys(following) == _TITLE
