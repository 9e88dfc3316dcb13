"""Text and letters without anything by which somebody could speak for a seat.

Here by the looks of it; `clerk.keys` knows the tokens of a game, and finds these, however they are spelt.
Once letters are read, or sent, nobody needs the passwords in them; logs never need any of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from orders import commands
from orders.mail import headers, html_rows
from orders.mail import letter as letters

if TYPE_CHECKING:
    from orders.mail.letter import Letter

HIDDEN_MARK = "…"
"""Stands for what is hidden."""

_SIGNON = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+[ \t]+)\S[^\r\n]*")
_SEAT_ADDRESS_SECRET_RE = re.compile(r"(?i)(\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=@)")
_PERSON_ADDRESS_SECRET_RE = re.compile(r"(?i)(\+you\.)[a-z2-7]{13}(?=@)")
_TAG_SECRET_RE = re.compile(r"(?i)(\[[^\[\]#\n]*#)[a-z2-7]{13}(?=\])")
_MESSAGE_ID_SECRET_RE = re.compile(
    r"(?i)(<?\b[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=\.[0-9a-f]{16}@)"
)
_QUOTE_MARKS_RE = re.compile(r"[>|\s]*")


def redact_text(text: str) -> str:
    """Return a text without reply tokens and without the passwords of SIGNON, even if it is misspelt."""
    return remove_tokens(remove_passwords(text))


def remove_passwords(text: str) -> str:
    """Text without the passwords of SIGNON and PASSWORD, even where those are misspelt."""
    return "\n".join(_mask_line(line) for line in _SIGNON.sub(rf"\g<1>{HIDDEN_MARK}", text).split("\n"))


def remove_tokens(text: str) -> str:
    """Return a text without reply tokens."""
    for secret in (_SEAT_ADDRESS_SECRET_RE, _PERSON_ADDRESS_SECRET_RE, _TAG_SECRET_RE, _MESSAGE_ID_SECRET_RE):
        text = secret.sub(rf"\g<1>{HIDDEN_MARK}", text)
    return text


def _mask_line(line: str) -> str:
    start = _QUOTE_MARKS_RE.match(line)
    assert start is not None, "an empty match is one"
    return line[: start.end()] + commands.compile_verbs(commands.PLAYER_COMMANDS).mask_secret(
        line[start.end() :]
    )


_PASSWORD_HINTS = (b"sig", b"sin", b"sog", b"pas", b"psa", b"apss", b"base64", b"=?")
"""One of these stands in each letter that holds a password, however misspelt the word before it is."""

_SOFT_LINE_BREAK = rb"(?:=\r?\n)?"
"""Where a line is broken in quoted-printable, within a word too."""

_INSIDE = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+)[ \t]+\S[^\r\n]*")
"""Within a line, as our own letters tell a password."""

_QUOTE_CHARS = "> |\t"


def redact_letter(raw: bytes) -> bytes:
    """Return a letter without the passwords of SIGNON and PASSWORD; the same bytes if there is none.

    Where a password is encoded otherwise than as plain text, all that is left of the body is its text.
    """
    low = raw.lower()
    if not any(sign in low for sign in _PASSWORD_HINTS):
        return raw
    letter = letters.open_letter(raw)
    secrets = list(_secrets(letter))
    if not secrets:
        return raw
    for head, secret in secrets:
        words = [*head, *secret]
        pattern = (rb"[ \t]+" + _SOFT_LINE_BREAK).join(_spread(word) for word in words)
        kept = " ".join([*head, commands.MASK]).encode().replace(b"\\", rb"\\")
        raw = re.sub(pattern, kept, raw, flags=re.IGNORECASE)
    return _as_text(raw) if any(True for _ in _secrets(letters.open_letter(raw))) else raw


def _secrets(letter: Letter) -> Iterator[tuple[list[str], list[str]]]:
    """The words before each password, and the password with what follows it on its line."""
    known = commands.compile_verbs(commands.PLAYER_COMMANDS)
    for line in _lines(letter):
        bare = line.lstrip(_QUOTE_CHARS)
        words, masked = bare.split(), known.mask_secret(bare).split()
        size = len(masked) - 1
        if (inside := _INSIDE.search(line)) is not None:
            words, size = inside[0].split(), len(inside[1].split())
        elif not masked or masked[-1] != commands.MASK:
            continue
        if words[size:] not in ([commands.MASK], [HIDDEN_MARK]):
            yield words[:size], words[size:]


def _lines(letter: Letter) -> Iterator[str]:
    yield letter.subject
    for part in letter.parts:
        if part.kind == "html":
            yield from (row.text for row in html_rows.rows_of(part.text))
        else:
            yield from part.text.splitlines()


def _spread(word: str) -> bytes:
    return _SOFT_LINE_BREAK.join(re.escape(char.encode()) for char in word)


def _as_text(raw: bytes) -> bytes:
    """The letter with its head, but for the subject, and with its text alone."""
    letter = letters.open_letter(raw)
    lines = headers.split_message(raw)[0].splitlines()
    kept: list[bytes] = []
    dropped = False
    for line in lines:
        if line[:1] not in (b" ", b"\t"):
            dropped = line.lower().startswith((b"content-", b"mime-version", b"subject:"))
        if not dropped:
            kept.append(line)
    text = "\n".join(remove_passwords(line) for line in _lines(letter)).encode()
    head = [*kept, b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=utf-8", b""]
    return b"\r\n".join([*head, text]) + b"\r\n"
