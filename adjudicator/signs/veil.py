"""Text without anything by which somebody could speak for a seat: for logs, and for the gamesmaster.

Here by the looks of it; `clerk.keys` knows the tokens of a game, and finds these, however they are spelt.
"""

import re

from orders.commands import COMMANDS, compiled

HIDDEN = "…"
"""Stands for what is hidden."""

_SIGNON = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+[ \t]+)\S[^\r\n]*")
_ADDRESS = re.compile(r"(?i)(\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=@)")
_PERSON = re.compile(r"(?i)(\+you\.)[a-z2-7]{13}(?=@)")
_TAG = re.compile(r"(?i)(\[[^\[\]#\n]*#)[a-z2-7]{13}(?=\])")
_OUR_ID = re.compile(r"(?i)(<?\b[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=\.[0-9a-f]{16}@)")
_QUOTED = re.compile(r"[>|\s]*")


def redacted(text: str) -> str:
    """Text without reply tokens and without the passwords of SIGNON, even where that is misspelt."""
    return untokened(passwordless(text))


def passwordless(text: str) -> str:
    """Text without the passwords of SIGNON and PASSWORD, even where those are misspelt."""
    return "\n".join(_masked(line) for line in _SIGNON.sub(rf"\g<1>{HIDDEN}", text).split("\n"))


def untokened(text: str) -> str:
    """Text without reply tokens."""
    for secret in (_ADDRESS, _PERSON, _TAG, _OUR_ID):
        text = secret.sub(rf"\g<1>{HIDDEN}", text)
    return text


def _masked(line: str) -> str:
    start = _QUOTED.match(line)
    assert start is not None, "an empty match is one"
    return line[: start.end()] + compiled(COMMANDS).masked(line[start.end() :])
