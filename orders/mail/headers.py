"""An email's header block as plain values that are safe to print. Nothing here raises.

A line ends at CRLF or at LF. A CR without LF is a space, as it is for mail servers. Otherwise a sender could
write a header that only we see.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.utils import getaddresses, parsedate_tz
from functools import lru_cache, partial
from inspect import signature
from typing import NamedTuple

from orders.mail.charset import decode, decode_word

MAX_HEADER_BLOCK_BYTES, MAX_HEADER_BYTES, MAX_HEADERS = 65_536, 8_192, 500
"""The limits: bytes of a header block and of one header, and the number of headers."""

_MAX_ENCODED_WORDS = 200
_HEADER_FIELD_PATTERN = re.compile(rb"[!-9;-~]{1,80}[ \t]*:")
_PLAIN_FIELD = re.compile(rb"[!-9;-~]{1,80}:")
_BLANK_LINE_PATTERN = re.compile(rb"\n\r?\n")
_LONE_CR = re.compile(rb"\r(?!\n)")
_ENCODED_WORD_PATTERN = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?\s]{0,400})\?=", re.IGNORECASE)
_ENCODED_WORD_GAP_PATTERN = re.compile(r"(\?=)\s+(?==\?[^?\s]{1,40}\?[bqBQ]\?)")
_HEADER_ID_PATTERN = re.compile(r"<[^<>\s]{1,250}>")
_QUOTED_STRING_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*+"')
_HEADER_COMMENT_PATTERN = re.compile(r"\([^()]*+\)")
_ANGLE = re.compile(r"<\s*([^<>\s@,;\"]{1,120}@[^<>\s@,;\"]{1,253})\s*>")
_BARE_ADDRESS_PATTERN = re.compile(
    r"(?<![^\s,;:<])([^<>\s@,;:\"()]{1,120}@[^<>\s@,;:\"()]{1,253})(?![^\s,;>])"
)
_MIME_PARAMETER_PATTERN = re.compile(r';\s*([\w*-]{1,40})\s*=\s*("(?:[^"\\]|\\.)*+"|[^;\s"]*+)')


class Header(NamedTuple):
    """One header: its name in lower case and its unfolded value in bytes."""

    name: str
    value: bytes


def split_message(raw: bytes) -> tuple[bytes, bytes]:
    """Return the header block and the body, without the empty line between them."""
    head = raw[: MAX_HEADER_BLOCK_BYTES + 4]
    if head[:1] == b"\n" or head[:2] == b"\r\n":
        return b"", raw[1 if head[:1] == b"\n" else 2 :]
    gap = _BLANK_LINE_PATTERN.search(head)
    if gap is None:
        return raw[:MAX_HEADER_BLOCK_BYTES], raw[MAX_HEADER_BLOCK_BYTES:]
    return raw[: gap.start()].removesuffix(b"\r"), raw[gap.end() :]


def block_of(raw: bytes) -> bytes:
    """Return the header block with the empty line below it, as far as it is ever read."""
    gap = _BLANK_LINE_PATTERN.search(raw, 0, MAX_HEADER_BLOCK_BYTES + 4)
    return raw[: gap.end()] if gap else raw[:MAX_HEADER_BLOCK_BYTES]


def has_plain_line_ends(raw: bytes) -> bool:
    """Return whether all lines of the header block end in the same way, without stray CRs.

    Two programs then read the same headers. Files and Maildirs have LF throughout.
    """
    block = block_of(raw)
    return b"\r" not in block or block.count(b"\r") == block.count(b"\r\n") == block.count(b"\n")


def has_plain_headers(raw: bytes) -> bool:
    """Return whether every program reads the same headers in a header block.

    Its lines end alike, and each is a header or goes on with one. A line that is neither ends the block for
    some programs, and a blank before the colon makes another name of a header for some.
    """
    block = block_of(raw)
    lines = block.split(b"\n")
    rows = (line for line in lines[1:] if line not in (b"", b"\r") and line[:1] not in (b" ", b"\t"))
    is_plain = b"\0" not in block and all(map(_PLAIN_FIELD.match, (lines[0], *rows)))
    return is_plain and has_plain_line_ends(raw)


def line_end_of(raw: bytes) -> bytes:
    """Return the line end of the header block: LF if it contains no CRLF, otherwise CRLF."""
    block = block_of(raw)
    return b"\n" if b"\n" in block and b"\r\n" not in block else b"\r\n"


def blank_lone_crs(block: bytes) -> bytes:
    """Return a header block with a blank for each CR that no LF follows."""
    return _LONE_CR.sub(b" ", block) if b"\r" in block else block


# The headers of an email are read when it is stored and again when it is processed, after the other emails of
# its batch.
@lru_cache(maxsize=128)
def read_headers(block: bytes) -> tuple[Header, ...]:
    """Return the headers of a block in order, with folded lines joined. Other lines are ignored."""
    fields: list[list[bytes]] = []
    for line in block[:MAX_HEADER_BLOCK_BYTES].replace(b"\r\n", b"\n").replace(b"\r", b" ").split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if fields:
                fields[-1].append(line)
            continue
        if len(fields) >= MAX_HEADERS:
            break
        if _HEADER_FIELD_PATTERN.match(line[:200]):
            fields.append([line])
    headers = []
    for lines in fields:
        name, _, value = b"".join(lines)[:MAX_HEADER_BYTES].partition(b":")
        headers.append(Header(name.strip().decode("ascii", "replace").lower(), value.strip()))
    return tuple(headers)


def first(headers: Iterable[Header], name: str) -> bytes | None:
    """Return the value of the first header of a name."""
    for header in headers:
        if header.name == name:
            return header.value
    return None


def safe(text: str) -> str:
    """Return the text on one line, without control, direction and invisible characters."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _replacement_for_unprintable(char) for char in text)
    return " ".join(text.split())


def _replacement_for_unprintable(char: str) -> str:
    return "" if unicodedata.category(char) == "Cf" else " "


def text_of(value: bytes | None) -> str:
    """Return a header's text with its encoded words decoded."""
    if not value:
        return ""
    plain = (
        _ENCODED_WORD_GAP_PATTERN.sub(r"\1", decode(value, None)) if b"=?" in value else decode(value, None)
    )
    pieces, at, last = [], 0, None
    for number, match in enumerate(_ENCODED_WORD_PATTERN.finditer(plain)):
        if number >= _MAX_ENCODED_WORDS:
            break
        charset, coding, content = match[1].partition("*")[0].lower(), match[2].lower(), match[3]
        between = plain[at : match.start()]
        data = decode_word(coding, content)
        if last is not None and not between and last[0] == charset:
            data = last[1] + data
            pieces.pop()
        else:
            pieces.append(between)
        pieces.append(decode(data, charset))
        last, at = (charset, data), match.end()
    return safe("".join(pieces) + plain[at:])


# The ids of an email are read when it is stored, and again when it is processed.
@lru_cache(maxsize=256)
def ids_of(value: bytes | None) -> tuple[str, ...]:
    """Return the message ids of a header, in order, with their angle brackets."""
    return tuple(dict.fromkeys(_HEADER_ID_PATTERN.findall(safe(decode(value, None))))) if value else ()


@lru_cache(maxsize=256)
def addresses(value: bytes | None) -> tuple[str, ...]:
    """Return the addresses of a header in lower case, in order, without names, comments and groups."""
    if not value:
        return ()
    plain = safe(decode(value, None))
    plain = _HEADER_COMMENT_PATTERN.sub(" ", _QUOTED_STRING_PATTERN.sub(" ", plain))
    angled = _ANGLE.findall(plain)
    bare = _BARE_ADDRESS_PATTERN.findall(_ANGLE.sub(" ", plain))
    return tuple(dict.fromkeys(address.lower() for address in (*angled, *bare)))


def without_comments(value: str) -> str:
    """Return a structured field without its comments, which can be nested (RFC 5322, 3.2.2).

    An unclosed bracket is kept, since it isn't a comment.
    """
    if "(" not in value:
        return value.strip()
    kept, opened, at = [""], [0], 0
    quoted = False
    while at < len(value):
        sign = value[at]
        size = 2 if sign == "\\" else 1
        if sign == '"' and len(kept) == 1:
            quoted = not quoted
        if sign == "(" and not quoted:
            kept.append("")
            opened.append(at)
        elif sign == ")" and len(kept) > 1:
            kept.pop()
            opened.pop()
            kept[-1] += " " if len(kept) == 1 else ""
        else:
            kept[-1] += value[at : at + size]
        at += size
    if len(kept) > 1:
        return kept[0].strip() + value[opened[1] :]
    return kept[0].strip()


def name_of(value: bytes | None) -> str:
    """Return the name before the address of a From header, "" if there is none."""
    if not value or b"<" not in value:
        return ""
    before = value.partition(b"<")[0].strip()
    if before[:1] == b'"':
        before = before.strip(b'"').replace(b"\\", b"")
    return text_of(before)[:200]


def date_of(value: bytes | None) -> int | None:
    """Return the instant of a Date header in milliseconds UTC, None if it can't be read."""
    if not value:
        return None
    try:
        parts = parsedate_tz(value[:100].decode("ascii", "replace"))
        return None if parts is None else _millis(parts)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _millis(parts: tuple[int | None, ...]) -> int | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in parts[:6])
    if not (1970 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31 and 0 <= hour < 24):
        return None
    if not (0 <= minute < 60 and 0 <= second < 62):
        return None
    shifted, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = (
        365 * shifted
        + shifted // 4
        - shifted // 100
        + shifted // 400
        + (153 * month + 2) // 5
        + day
        - 719_469
    )
    return (((days * 24 + hour) * 60 + minute) * 60 + second - int(parts[9] or 0)) * 1000


@lru_cache(maxsize=256)
def kind_of(value: bytes | None) -> tuple[str, Mapping[str, str]]:
    """Return the kind of a Content-Type or Content-Disposition in lower case, and its parameters."""
    text = without_comments(decode(value[:2_000], None)) if value else ""
    kind = text.partition(";")[0].strip().lower()
    parameters: dict[str, str] = {}
    for number, match in enumerate(_MIME_PARAMETER_PATTERN.finditer(text)):
        if number >= 50:
            break
        content = match[2][1:-1].replace("\\", "") if match[2][:1] == '"' else match[2]
        parameters.setdefault(match[1].lower(), content)
    return kind, parameters


# The one mailbox that a From header names, if it is exactly one by RFC 5322. `headers.addresses` finds
# addresses in any text. Here a header counts only if every program finds the same address in it. If one
# program reads a name and another an address, the sender is unknown.


MAX_FROM_HEADER_CHARS = 1_000
"""The most characters of a From header. Names are shorter, and the standard library is slow on long ones."""

_SPECIAL = r"\x00-\x20\x7f()<>@,;:\\\"\[\]"
_ATOM = rf"[^{_SPECIAL}.]++"
_ADDRESS_REGEX = rf"{_ATOM}(?:\.{_ATOM})*+@{_ATOM}(?:\.{_ATOM})*+"
# Words of a name may contain dots (J. R. Doe), which the standard calls obsolete but everyone writes.
_DISPLAY_NAME_REGEX = rf'(?:[ ]++|[^{_SPECIAL}]++|"(?:[^"\\]|\\.)*+")*+'
_MAILBOX = re.compile(rf"{_DISPLAY_NAME_REGEX}<[ ]*({_ADDRESS_REGEX})[ ]*>[ ]*|[ ]*({_ADDRESS_REGEX})[ ]*")
_QUOTED_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"|\((?:[^()\\]|\\.)*+\)')

_INVISIBLE_CHARACTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Letters and marks that show nothing, in addition to characters of the invisible categories."""


_Reader = Callable[[Sequence[str]], list[tuple[str, str]]]
_lenient: _Reader = (
    partial(getaddresses, strict=False) if "strict" in signature(getaddresses).parameters else getaddresses
)
"""Lenient parsing for headers with something odd next to an address. Later Pythons would reject them."""


def sole_mailbox(value: bytes) -> str | None:
    """Return the address of a From header in lower case; None if the header isn't exactly one mailbox.

    There may be any name before the address, and one comment without others inside. The address has no
    quotation, no comment within it and no invisible character.
    """
    text = _decode_header(value)
    if len(text) > MAX_FROM_HEADER_CHARS or any(unicodedata.category(char) == "Cc" for char in text):
        return None
    comments = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal comments
        comments += match[0][0] == "("
        return " " if match[0][0] == "(" else match[0]

    # A nested comment leaves a bracket, and an address has none.
    plain = _QUOTED_OR_COMMENT.sub(blank, text)
    mailbox = _MAILBOX.fullmatch(plain)
    if mailbox is None or comments > 1:
        return None
    address = mailbox[1] or mailbox[2]
    by_library = _by_library(text, getaddresses)
    return address.lower() if by_library == [address] and _is_plain(address) else None


def agreed_addresses(value: bytes) -> tuple[str, ...]:
    """Return the addresses of a To or Cc header that the standard library finds too, in lower case."""
    standard = {address.lower() for address in _by_library(_decode_header(value), _lenient)}
    return tuple(address for address in addresses(value) if address in standard)


def _by_library(text: str, reader: _Reader) -> list[str]:
    try:
        return [address for _, address in reader([text])]
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return []  # for example, for thousands of brackets


def _decode_header(value: bytes) -> str:
    text = value.replace(b"\t", b" ")
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _is_plain(address: str) -> bool:
    """Return whether each character of an address is visible and has one lower-case form."""
    if address.isascii():
        return True
    return unicodedata.is_normalized("NFC", address) and all(map(_is_plain_character, address))


def _is_plain_character(char: str) -> bool:
    if char.isascii():
        return True
    # The sign for kelvin would become a k, which is another mailbox.
    letter = unicodedata.category(char)[0] in "LMN" and char not in _INVISIBLE_CHARACTERS
    return letter and not any(plain.isascii() for plain in char.lower())
