"""Letters that are kept, without the passwords in them: once they are read, or sent, nobody needs those."""

import re
from collections.abc import Iterator

from adjudicator.signs.veil import HIDDEN, passwordless
from orders.commands import COMMANDS, MASK, compiled
from orders.letters.headers import divide
from orders.letters.html_rows import rows_of
from orders.letters.letter import Letter, open_letter

_SIGNS = (b"sig", b"sin", b"sog", b"pas", b"psa", b"apss", b"base64", b"=?")
"""One of these stands in each letter that holds a password, however misspelt the word before it is."""

_BROKEN = rb"(?:=\r?\n)?"
"""Where a line is broken in quoted-printable, within a word too."""

_INSIDE = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+)[ \t]+\S[^\r\n]*")
"""Within a line, as our own letters tell a password."""

_QUOTED = "> |\t"


def redacted_letter(raw: bytes) -> bytes:
    """A letter without the passwords of SIGNON and PASSWORD; the same bytes where there is none.

    Where a password is encoded otherwise than as plain text, all that is left of the body is its text.
    """
    low = raw.lower()
    if not any(sign in low for sign in _SIGNS):
        return raw
    letter = open_letter(raw)
    found = list(_secrets(letter))
    if not found:
        return raw
    for head, secret in found:
        words = [*head, *secret]
        pattern = (rb"[ \t]+" + _BROKEN).join(_spread(word) for word in words)
        kept = " ".join([*head, MASK]).encode().replace(b"\\", rb"\\")
        raw = re.sub(pattern, kept, raw, flags=re.IGNORECASE)
    return _as_text(raw) if any(True for _ in _secrets(open_letter(raw))) else raw


def _secrets(letter: Letter) -> Iterator[tuple[list[str], list[str]]]:
    """The words before each password, and the password with what follows it on its line."""
    known = compiled(COMMANDS)
    for line in _lines(letter):
        bare = line.lstrip(_QUOTED)
        words, masked = bare.split(), known.masked(bare).split()
        size = len(masked) - 1
        if (inside := _INSIDE.search(line)) is not None:
            words, size = inside[0].split(), len(inside[1].split())
        elif not masked or masked[-1] != MASK:
            continue
        if words[size:] not in ([MASK], [HIDDEN]):
            yield words[:size], words[size:]


def _lines(letter: Letter) -> Iterator[str]:
    yield letter.subject
    for part in letter.parts:
        if part.kind == "html":
            yield from (row.text for row in rows_of(part.text))
        else:
            yield from part.text.splitlines()


def _spread(word: str) -> bytes:
    return _BROKEN.join(re.escape(char.encode()) for char in word)


def _as_text(raw: bytes) -> bytes:
    """The letter with its head, but for the subject, and with its text alone."""
    letter = open_letter(raw)
    lines = divide(raw)[0].splitlines()
    kept: list[bytes] = []
    dropped = False
    for line in lines:
        if line[:1] not in (b" ", b"\t"):
            dropped = line.lower().startswith((b"content-", b"mime-version", b"subject:"))
        if not dropped:
            kept.append(line)
    text = "\n".join(passwordless(line) for line in _lines(letter)).encode()
    head = [*kept, b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=utf-8", b""]
    return b"\r\n".join([*head, text]) + b"\r\n"
