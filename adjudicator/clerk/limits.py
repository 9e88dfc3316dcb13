"""The scales: what a letter weighs in its bytes, before anything takes it apart.

Mail programs write nothing of the kind; whoever does wants to keep us busy.
"""

import re

from orders.letters.headers import BLOCK_BYTES, HEADER_BYTES, MOST_HEADERS
from orders.letters.mime import DEEPEST, MOST_PARTS

_GAP = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_FIELD = re.compile(rb"(?:^|[\r\n])[!-9;-~]{1,80}[ \t]*:")
_READ = re.compile(
    rb"(?:^|[\r\n])(?:from|to|cc|subject|date|message-id|in-reply-to|content-[a-z-]{1,30})[ \t]*:"
    rb"[^\r\n]*+(?:(?:\r\n|[\r\n])[ \t][^\r\n]*+)*+",
    re.IGNORECASE,
)
"""A header that is read, with its folded lines. Those that servers add may be longer."""

_NESTED = re.compile(
    rb"content-type[ \t]*:[ \t]*(?:\r?\n[ \t]+)?(?:multipart/|message/rfc822)", re.IGNORECASE
)
_BOUNDARY = re.compile(rb"boundary[ \t]*=[ \t]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE)


def head_of(raw: bytes) -> bytes:
    """The letter's head, as far as it is ever read."""
    gap = _GAP.search(raw, 0, BLOCK_BYTES + 4)
    return raw[: gap.end()] if gap else raw[:BLOCK_BYTES]


def weigh_head(raw: bytes) -> str | None:
    """What is wrong with the measures of a letter's head, in words; None if it can be read."""
    head = head_of(raw)
    if len(head) >= BLOCK_BYTES:
        return f"its head is longer than {BLOCK_BYTES:,} bytes"
    if sum(1 for _ in _FIELD.finditer(head)) > MOST_HEADERS:
        return f"its head has more than {MOST_HEADERS} lines"
    if any(len(found[0]) > HEADER_BYTES for found in _READ.finditer(head)):
        return f"a line of its head is longer than {HEADER_BYTES:,} bytes"
    return None


def weigh_body(raw: bytes, largest: int) -> str | None:
    """What is wrong with the measures of the rest, in words; None if it can be read. largest: in bytes."""
    if len(raw) > largest:
        return f"it has more than {largest:,} bytes"
    if sum(1 for _ in _NESTED.finditer(raw)) > DEEPEST:
        return f"its parts are nested deeper than {DEEPEST}, or as if they were"
    boundaries = {found[1] or found[2] for found in _BOUNDARY.finditer(raw)}
    if len(boundaries) > DEEPEST or sum(raw.count(b"\n--" + one) for one in boundaries) > MOST_PARTS:
        return f"it has more than {MOST_PARTS} parts"
    return None
