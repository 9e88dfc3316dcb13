"""The new text of an email: the lines of its sender, and the edited lines of an order sheet.

The rows that the sender wrote are separated from quoted, signed and added ones.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice, takewhile
from typing import Any, Literal, NamedTuple

from games.data import read_toml
from games.record import Record, replace_fields
from orders.mail.html_rows import TextRow
from orders.mail.html_rows import rows_of as rows_of_page
from orders.mail.letter import Letter
from orders.mail.mime import SOFT_BREAK
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

Role = Literal["fresh", "quoted", "empty", "left out", "dashes", "signature", "among", "attribution"]
"""dashes, signature: below a line of two hyphens, and below one with a space after them (RFC 3676, 4.3).

among: among unmarked quoted lines of our emails. attribution: the line that names the quoted writer, perhaps
after other text.
"""


class MarkedRows(NamedTuple):
    """The rows of an email as they are to be read, and the role of each."""

    rows: Sequence[TextRow]
    roles: Sequence[Role]

    def text(self, index: int) -> str:
        """Return a row's text without the space around it, and without quote marks if it is quoted."""
        return self.rows[index].text.strip()


# The role of each row: written by the sender, quoted, a signature or an addition.


class _QuotingRules(NamedTuple):
    verb: re.Pattern[str]
    opener: re.Pattern[str]
    inner: re.Pattern[str]
    bare: re.Pattern[str]
    separator: re.Pattern[str]
    sender: re.Pattern[str]
    other: re.Pattern[str]
    footer: re.Pattern[str]
    notice: re.Pattern[str]
    stub: re.Pattern[str]


_QUOTE_SIGNS = frozenset(">|")
_QUOTE_PREFIX_PATTERN = re.compile(r"(?:[>|]\s?)+")
_DATED = re.compile(r"\d|@")
_TIMED = re.compile(r"\d[:.]\d\d|\d{4}")
_BRACKETED_LINK_PATTERN = re.compile(r"[<(]https?://[^\s<>()]*[>)]")
_MAX_ATTRIBUTION_ROWS = 3
_COLONS = frozenset(":：﹕︰∶")
_NEW_TUPLE = tuple.__new__
"""Makes a row of its values in a third of the time. An email has hundreds, nearly all of them quoted."""
_MAX_HEADER_BLOCK_ROWS = 7


@lru_cache(maxsize=1)
def _rules() -> _QuotingRules:
    table: dict[str, Any] = read_toml("orders", "quoting.toml")
    heads = "|".join(map(re.escape, table["block"]["sender"]))
    others = "|".join(map(re.escape, table["block"]["others"]))
    return _QuotingRules(
        # Where no word begins, no alternative is tried.
        verb=_either(table["attribution"]["verbs"], r"(?<!\w)", r"(?!\w)"),
        opener=_either(table["attribution"]["openers"], r"^[\W_]*", r"(?!\w)"),
        inner=re.compile(
            rf"(?<=\S)\s+(?=(?:{'|'.join(table['attribution']['openers'])})(?!\w))", re.IGNORECASE
        ),
        bare=_at_start(table["attribution"]["bare"]),
        separator=_at_start(table["separator"]["patterns"]),
        sender=re.compile(rf"^\*?(?:{heads}) ?:\*? ?\S", re.IGNORECASE),
        other=re.compile(rf"^\*?(?:{others}) ?:\*?(?: |$)", re.IGNORECASE),
        footer=_at_start(table["footer"]["patterns"]),
        notice=_at_start(table["notice"]["patterns"]),
        stub=_either(table["stub"]["patterns"]),
    )


def _either(patterns: Iterable[str], before: str = "", behind: str = "") -> re.Pattern[str]:
    """Return a pattern for one of them. before, behind: the patterns around each alternative."""
    alternatives = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(f"{before}(?:{alternatives}){behind}", re.IGNORECASE)


def _at_start(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return patterns for `match`. A search for a pattern with ^ would try it at each character."""
    assert all(pattern.startswith("^") for pattern in patterns), patterns
    return _either(pattern[1:] for pattern in patterns)


def rows_of_text(text: str) -> tuple[TextRow, ...]:
    """Return the rows of plain text. ``>`` and ``|`` at the start of a line are quote marks.

    A row of our own table keeps its bar, which may not be a mark: see `body`.
    """
    rows: list[TextRow] = []
    for line in text.split("\n"):
        # Nearly all quotations are quoted once.
        if line[:2] == "> " and line[2:3] not in ">|":
            rows.append(_NEW_TUPLE(TextRow, (1, line[2:], False)))
        elif line[:1] not in _QUOTE_SIGNS:
            rows.append(_NEW_TUPLE(TextRow, (0, line, False)))
        elif line[0] == "|" and is_table_row(tidy(line[:2_000])):
            rows.append(TextRow(1, line))
        else:
            marks = _QUOTE_PREFIX_PATTERN.match(line)
            assert marks is not None, "it begins with one"
            rows.append(TextRow(marks[0].count(">") + marks[0].count("|"), line[marks.end() :]))
    return tuple(rows)


def is_stub(text: str) -> bool:
    """Return whether plain text only says that the email should be read as HTML."""
    return len(text) < 400 and bool(_rules().stub.search(tidy(" ".join(text.split()))))


def mark(rows: Sequence[TextRow]) -> MarkedRows:
    """Return the rows of an email with the role of each."""
    state = _Marking(list(rows))
    while state.at < len(state.rows) and not state.rest_quoted:
        if state.rows[state.at].depth:
            # A quotation ends a signature.
            state.signed, state.noticed = "", False
            state.roles.append("quoted")
            state.at += 1
            continue
        state.line = state.plain(state.at)
        for step in _MARKING_STEPS:
            if roles := step(state):
                break
        else:
            roles = ["fresh" if state.line.strip("_-=* ") else "empty"]
        state.roles += roles
        state.at += len(roles)
    rest: list[Role] = ["quoted"] * (len(state.rows) - state.at)
    return MarkedRows(state.rows, [*state.roles, *rest])


@dataclass
class _Marking:
    """The state while the rows of an email are marked.

    line: the tidy text of the current row. rest_quoted: everything below is quotation.
    """

    rows: list[TextRow]
    at: int = 0
    line: str = ""
    roles: list[Role] = field(default_factory=list)
    rest_quoted: bool = False
    signed: Literal["", "dashes", "signature"] = ""
    noticed: bool = False
    unescaped: bool = False
    _tidied: dict[int, str] = field(default_factory=dict)

    def plain(self, index: int) -> str:
        """Return the tidy text of a row, computed once. Quoted rows are hardly ever needed."""
        text = self._tidied.get(index)
        if text is None:
            text = self._tidied[index] = tidy(self.rows[index].text[:2_000])
        return text

    def unescape(self, start: int) -> None:
        """Remove the dash that a signing program put before lines that begin with one (RFC 4880, 7.1).

        It is removed once for all rows below, however many such headers there are.
        """
        if self.unescaped:
            return
        self.unescaped = True
        for index in range(start, len(self.rows)):
            row = self.rows[index]
            if row.depth == 0 and row.text.startswith("- "):
                self.rows[index] = TextRow(0, row.text[2:], row.unsure)
                self._tidied.pop(index, None)

    def split(self, head: str, tail: str) -> None:
        """Split the current row in two."""
        row = self.rows[self.at]
        self.rows[self.at : self.at + 1] = [
            TextRow(row.depth, head, row.unsure),
            TextRow(row.depth, tail, row.unsure),
        ]
        for index in [index for index in self._tidied if index >= self.at]:
            del self._tidied[index]

    def lines(self, start: int, end: int) -> list[str]:
        """Return the tidy text of up to this many rows."""
        return [self.plain(index) for index in range(start, min(end, len(self.rows)))]


# Each step returns the roles of the current row and perhaps of some below it, or none for other rows.


def _mark_separator(state: _Marking) -> list[Role]:
    rules = _rules()
    if not (rules.separator.match(state.line) or is_sheet_title(state.line) or _is_block(state)):
        return []
    state.rest_quoted = True
    return ["quoted"]


def _is_block(state: _Marking) -> bool:
    """Return whether a block of headers begins: a sender's line near other headers, or one of the others.

    Some programs leave the sender out. Then there must be an address and a date.
    """
    if ":" not in state.line:
        return False
    rules = _rules()
    leads = bool(rules.sender.match(state.line))
    if not (leads or rules.other.match(state.line)):
        return False
    near = [line for line in state.lines(state.at + 1, state.at + _MAX_HEADER_BLOCK_ROWS) if line]
    others = sum(bool(rules.other.match(line)) for line in near)
    if leads:
        return others >= 2 or (others == 1 and "@" in state.line)
    if others >= 1 and any(rules.sender.match(line) and "@" in line for line in near):
        return True
    block = [state.line, *takewhile(rules.other.match, near)]
    return len(block) > 1 and any("@" in line for line in block) and any(map(_TIMED.search, block))


def _mark_attribution(state: _Marking) -> list[Role]:
    """Mark an attribution of up to three rows. Without a marked quotation, all below it is quotation."""
    # The cheap check comes first: an attribution ends in a colon.
    near = state.rows[state.at : state.at + _MAX_ATTRIBUTION_ROWS]
    if not any(not row.depth and row.text.rstrip()[-1:] in _COLONS for row in near):
        return []
    size = _attribution_size(state)
    if _splits(state):
        return ["fresh"]
    if not size:
        return []
    following = next((i for i in range(state.at + size, len(state.rows)) if state.plain(i)), None)
    text = " ".join(state.lines(state.at, state.at + size))
    announced = "@" in text or bool(_rules().opener.match(text) and _TIMED.search(text))
    if following is None or state.rows[following].depth:
        state.signed, state.noticed = "", False
    elif announced:
        state.rest_quoted = True
    else:
        return []
    roles: list[Role] = ["quoted"] * size
    if not _rules().opener.match(state.line):
        # It names the writer, or an order is before that: "A PAR H Turnpost <gm@example.org> wrote:".
        roles[0] = "attribution"
    return roles


def _splits(state: _Marking) -> bool:
    """Move an attribution that begins within the line to its own row. Return whether there was one.

    It begins with a capital letter, as its own sentence. A player's sentence would continue in lower case.
    """
    if not _DATED.search(state.line) or _rules().opener.match(state.line):
        return False
    rows = state.lines(state.at, state.at + _MAX_ATTRIBUTION_ROWS)
    if not any(row.endswith(":") for row in rows) or state.rows[state.at].depth:
        return False
    rules = _rules()
    for begins in rules.inner.finditer(state.line):
        head, tail = state.line[: begins.start()], state.line[begins.end() :]
        if not tail[:1].isupper() or "@" in head or rules.verb.search(head) or not _DATED.search(tail):
            continue
        text = ""
        for row in (tail, *rows[1:]):
            text = f"{text} {row}".strip()
            if row.endswith(":") and rules.verb.search(text) and ("@" in text or _TIMED.search(text)):
                state.split(head, tail)
                return True
    return False


def _attribution_size(state: _Marking) -> int:
    """Return the number of rows of the attribution that begins here, as few as possible; 0 for none."""
    rules, lines = _rules(), list[str]()
    end = min(state.at + _MAX_ATTRIBUTION_ROWS, len(state.rows))
    for index in range(state.at, end):
        if not state.plain(index) or state.rows[index].depth:
            return 0
        lines.append(state.plain(index))
        if not lines[-1].endswith(":"):
            continue
        text = " ".join(lines)
        if rules.bare.match(text):
            return len(lines)
        if len(text) > 400:
            continue
        if not (_DATED.search(text) and rules.verb.search(text)):
            continue
        if len(lines) == 1 or (rules.opener.match(text) and _DATED.search(lines[0])):
            return len(lines)
    return 0


def _mark_armour(state: _Marking) -> list[Role]:
    """Mark the frame of a signed email: its header and its signature are left out, its body is read."""
    if state.line != "-----BEGIN PGP SIGNED MESSAGE-----":
        return []
    head = next((i for i in range(state.at, len(state.rows)) if not state.plain(i)), state.at)
    state.unescape(head)
    return ["left out"] * (head - state.at + 1)


def _mark_signature(state: _Marking) -> list[Role]:
    text = state.rows[state.at].text.rstrip("\r\n")
    if text not in ("-- ", "--", "--\xa0"):
        return [state.signed if state.line else "empty"] if state.signed else []
    # A player can draw a line of two hyphens and continue below it.
    state.signed = "dashes" if text == "--" and state.signed != "signature" else "signature"
    return ["left out"]


def _mark_added_text(state: _Marking) -> list[Role]:
    rules = _rules()
    if state.noticed or rules.notice.match(state.line):
        state.noticed = True
        return ["left out"]
    line = _BRACKETED_LINK_PATTERN.sub("", state.line).strip() if "://" in state.line else state.line
    return ["left out"] if rules.footer.match(line) else []


_MARKING_STEPS: tuple[Callable[[_Marking], list[Role]], ...] = (
    _mark_attribution,
    _mark_separator,
    _mark_armour,
    _mark_signature,
    _mark_added_text,
)


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


# The lines that count.


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
