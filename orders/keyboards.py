"""Undo what keyboards and mail programs do to letters, once for all readers.

Look-alikes of other scripts (UTS 39), entities of HTML and quoted-printable in plain text, and UTF-8 that
was read for Latin-1. Prose in another script stays as it is.
"""

import html
import re
from functools import lru_cache

from games.data import read_toml

_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#[xX][0-9a-fA-F]{2,5});")
_QUOTED_PRINTABLE_PATTERN = re.compile(
    r"(?:=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F])(?:=[89AB][0-9A-F]){1,2})+"
    r"|(?<=[^\W\d_])=(?:DF|E[0-9A-F]|F[0-9A-F])|(?<!\w)=(?:C4|C9|D6|DC)"
)
_TRAILING = re.compile(r"(?:=20)+$")
_MISREAD = re.compile(r"[\u00c2-\u00c5\u00e2][^\x00-\x7f]+")
_LETTER_RUN_PATTERN = re.compile(r"[^\W\d_]+")
_FOREIGN_SCRIPT_PATTERN = re.compile(
    r"[\u0370-\u058f\u13a0-\u13ff\u2c80-\u2cff\ua640-\ua69f\ua720-\ua7ff\uab30-\uabbf]"
)


@lru_cache(maxsize=1)
def _alike() -> dict[int, str]:
    table: dict[str, str] = read_toml("orders", "confusables.toml")["look_like"]
    return {ord(other): latin for latin, others in table.items() for other in others}


def undo_encodings(text: str) -> str:
    """Return the text without leftovers of an encoding that a program should have decoded."""
    if "&" in text and ";" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if "=" in text:
        text = _QUOTED_PRINTABLE_PATTERN.sub(_decode_quoted, _TRAILING.sub("", text))
    return text if text.isascii() else _MISREAD.sub(_read_again, text)


def _decode_quoted(match: re.Match[str]) -> str:
    data = bytes.fromhex(match[0].replace("=", ""))
    for codec in ("utf-8", "cp1252"):
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return match[0]


def _read_again(match: re.Match[str]) -> str:
    """Return UTF-8 text that was read as Latin-1 as it was written, if that is what it is."""
    for codec in ("cp1252", "latin-1"):
        try:
            return match[0].encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return match[0]


def in_latin(text: str) -> str:
    """The text with Latin letters for those of other scripts that look the same.

    A word of both scripts is Latin; one of another script alone only where the line has no word of that
    script which could not be Latin, for then somebody writes in it.
    """
    if _FOREIGN_SCRIPT_PATTERN.search(text) is None:
        return text
    alike = _alike()
    spans = [
        match for match in _LETTER_RUN_PATTERN.finditer(text) if _FOREIGN_SCRIPT_PATTERN.search(match[0])
    ]
    mixed = {match for match in spans if not all(map(_FOREIGN_SCRIPT_PATTERN.match, match[0]))}
    could = {
        match
        for match in spans
        if all(ord(char) in alike for char in _FOREIGN_SCRIPT_PATTERN.findall(match[0]))
    }
    meant = could if len(could) == len(spans) else could & mixed
    pieces, at = [], 0
    for match in spans:
        if match in meant:
            pieces += [text[at : match.start()], match[0].translate(alike)]
            at = match.end()
    return "".join((*pieces, text[at:]))
