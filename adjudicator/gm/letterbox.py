"""Letters as the gamesmaster reads them: without anything by which somebody could speak for a seat."""

import re

from adjudicator.gm.paper import clean
from orders.commands import COMMANDS, compiled
from orders.letter import Letter
from orders.page import rows_of

HIDDEN = "…"
"""Stands for what is hidden."""

_SIGNON = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+[ \t]+)\S[^\r\n]*")
_ADDRESS = re.compile(r"(?i)(\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=@)")
_TAG = re.compile(r"(?i)(\[[^\[\]#\n]*#)[a-z2-7]{13}(?=\])")
_OUR_ID = re.compile(r"(?i)(<[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=\.[0-9a-f]{16}@)")
_QUOTED = re.compile(r"[>|\s]*")


def veiled(text: str) -> str:
    """Text without reply tokens and without the passwords of SIGNON, even where that is misspelt."""
    for secret in (_SIGNON, _ADDRESS, _TAG, _OUR_ID):
        text = secret.sub(rf"\g<1>{HIDDEN}", text)
    return "\n".join(_masked(line) for line in text.split("\n"))


def text_of(letter: Letter) -> str:
    """What a letter says: its plain text, or that of its HTML where it has none. Veiled."""
    texts = [part.text for part in letter.parts if part.kind == "plain"]
    if not any(text.strip() for text in texts):
        pages = [part.text for part in letter.parts if part.kind == "html"]
        texts = ["\n".join("> " * row.depth + row.text for row in rows_of(page)) for page in pages]
    return veiled(clean("\n".join(texts))).strip("\n")


def attachments_of(letter: Letter) -> tuple[str, ...]:
    """The names of what is attached."""
    return tuple(part.name for part in letter.parts if part.kind == "attachment")


def _masked(line: str) -> str:
    start = _QUOTED.match(line)
    assert start is not None, "an empty match is one"
    return line[: start.end()] + compiled(COMMANDS).masked(line[start.end() :])
