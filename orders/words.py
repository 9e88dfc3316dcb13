"""Text as players type it, made plain: normalised characters, and words with their places."""

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from games.data import read_toml

DASH, ARROW = "-", "->"

_DASH_CHARACTERS = (
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u02d7\ufe58\ufe63\uff0d\u2500\u2501\u30fc"
)
_ARROWS = "→⇒⟶⟹➔➙➛➜➝➞➟➡➤➥➨➩➭➮➯➱➲➾⇨⇾↦↠⭢⮕⇢↣⤏⤳»›"
_QUOTE_REPLACEMENTS = {
    **dict.fromkeys("‘’‚‛`´ʹʼʻˈ′", "'"),
    **dict.fromkeys("“”„‟″«", '"'),
}
_SIGN_TRANSLATION = str.maketrans(
    {
        **dict.fromkeys(_DASH_CHARACTERS, DASH),
        **dict.fromkeys(_ARROWS, ARROW),
        **_QUOTE_REPLACEMENTS,
        "＞": ">",
        "∙": "•",
    }
)
_FOLDING_TRANSLATION = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_VARIATION = re.compile("[\ufe00-\ufe0f]")
_UNPRINTABLE_CATEGORIES = {"Cf", "Cc", "Cs", "Co", "Cn"}

_WORD_TOKEN_PATTERN = re.compile(
    r"(?P<word>[^\W_]+(?:'[^\W_]+)*)"
    r"|(?P<unequal><>)"
    r"|(?P<arrow>[-=~]*[-=~]>+|>+|[-~]+)"
    r"|(?P<mark>[^\s\w.!*'\"])"
)
_ELIDED = re.compile(r"(l|d|all|dell|dall|nell|sull|un)'(?=[^\W\d_]{3})", re.IGNORECASE)
"""Syllables that French and Italian join to the next word: "l'armée" is two words."""
_ZEROS = re.compile(r"(?![sfuw]0+[mra]?$|.{4,}0$)(?=\D*0)(?:[^\W\d_]|0){2,}(?<!^[^\W\d_]0)")
"""Words with a zero for the letter o. A turn has a real zero, and a number may follow a longer word."""
_UMLAUT_TRANSLATION = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ø": "oe",
        "Ø": "Oe",
        "å": "aa",
        "Å": "Aa",
    }
)
_COMMA = re.compile(r"[,;，；、]")


class Word(NamedTuple):
    """A word or sign. key: for comparisons; start, end: its place in the tidy text (end excluded)."""

    key: str
    start: int
    end: int


def tidy(text: str) -> str:
    """Return the text with ``-`` for dashes, ``->`` for arrows, straight quotes and plain spaces.

    Invisible characters are removed, and a keyboard's or a mail program's changes to letters are undone.
    """
    if text.isascii() and text.isprintable():
        return text.strip() if "=" not in text and "&" not in text else _plain(undo_encodings(text))
    return _plain(undo_encodings(text))


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text.strip()
    plain = unicodedata.normalize("NFKC", text.translate(_SIGN_TRANSLATION)).translate(_SIGN_TRANSLATION)
    plain = in_latin(plain)
    if plain.isprintable() and _VARIATION.search(plain) is None:
        return plain.strip()
    return "".join(_printable_char(char) for char in plain).strip()


def _printable_char(char: str) -> str:
    if char.isprintable() and not "\ufe00" <= char <= "\ufe0f":
        return char
    if char.isspace():
        return " "
    return (
        "" if unicodedata.category(char) in _UNPRINTABLE_CATEGORIES or "\ufe00" <= char <= "\ufe0f" else " "
    )


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return a word without case, accents and apostrophes: the key for comparing names."""
    if text.isascii():
        return text.lower().replace("'", "")
    bare = unicodedata.normalize("NFKD", text.casefold().translate(_FOLDING_TRANSLATION))
    return "".join(char for char in bare if not unicodedata.combining(char)).replace("'", "")


@lru_cache(maxsize=4096)
def _key(word: str) -> str:
    """Return the key of a word, with the letter o for a zero among letters."""
    key = fold(word)
    return key.replace("0", "o") if "0" in key and _ZEROS.fullmatch(key) else key


def spell_umlauts(text: str) -> str:
    """Return a text with ae, oe and ue for umlauts, as players without these keys write."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_UMLAUT_TRANSLATION)


@lru_cache(maxsize=2048)
def words(text: str) -> tuple[Word, ...]:
    """Return the words and signs of a tidy text.

    Every dash and arrow has the key ``-``. Full stops, exclamation marks, asterisks, quotes and pictures are
    skipped.
    """
    tokens = []
    for match in _WORD_TOKEN_PATTERN.finditer(text):
        kind, token = match.lastgroup, match[0]
        start, end = match.span()
        if kind == "word":
            elided = _ELIDED.match(token) if "'" in token else None
            if elided is not None:
                middle = start + elided.end()
                tokens.append(Word("de" if elided[1] in "dD" else fold(elided[1]), start, middle))
                token, start = token[elided.end() :], middle
            tokens.append(Word(_key(token) if elided is None else fold(token), start, end))
        elif kind == "arrow":
            tokens.append(Word(DASH, start, end))
        elif token.isascii() or unicodedata.category(token) != "So":
            tokens.append(Word(token, start, end))
    return tuple(tokens)


def keys(text: str) -> tuple[str, ...]:
    """Return the keys of a text's words: two texts with the same keys mean the same."""
    return tuple(word.key for word in words(tidy(text)))


_MAX_BULLETS = 3
"""The most list marks before a line: ``- [x] 1. A PAR H``."""


_NUMBERING_PREFIXES = frozenset(("or", "no", "nr", "ii", "iv", "vi", "ix"))
"""The beginnings of words that may number an order."""


@lru_cache(maxsize=1)
def _bullets() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns for list marks without numbers and letters, and for all of them."""
    table = read_toml("orders", "marks.toml")["bullets"]
    signs = rf"[{re.escape(table['signs'])}]+\s*"
    plain, numbered = (signs, *table["plain"]), table["numbered"]
    return (
        re.compile("|".join(plain), re.IGNORECASE),
        re.compile("|".join((*plain, *numbered)), re.IGNORECASE),
    )


def strip_bullets(text: str) -> str:
    """Return the tidy text without the list marks before it. A bare number is a province."""
    # Nearly all lines begin with a word, and none of these marks is a word except numbers with a sign after
    # them.
    if text[:2].isalpha() and text[:2].lower() not in _NUMBERING_PREFIXES:
        return text
    plain, every = _bullets()
    marks = every
    for _ in range(_MAX_BULLETS):
        match = marks.match(text)
        if match is None or match.end() == len(text):
            break
        # Only one number is a list mark: "1. 10. Mohawk" would be two.
        marks = every if marks is every and plain.match(text) else plain
        text = text[match.end() :]
    return text


@lru_cache(maxsize=1)
def _crosses() -> re.Pattern[str]:
    signs = re.escape(read_toml("orders", "marks.toml")["crosses"]["signs"])
    return re.compile(rf"([{signs}])[{signs}\s]*(?=\S)|~~(?=\S.*~~$)")


def past_cross(text: str) -> tuple[str, str]:
    """Return the mark that crosses out the text, "" for none, and the text without it."""
    match = _crosses().match(text)
    if match is None:
        return "", text
    return match[1] or "~~", text[match.end() :].removesuffix("~~")


def split(line: str) -> tuple[str, ...]:
    """Return the spans of a line between commas and semicolons. The reader decides which are orders."""
    return tuple(piece for piece in (part.strip() for part in _COMMA.split(line)) if piece)


# Undo the changes of keyboards and mail programs to letters, for all readers: look-alikes of other scripts
# (UTS 39), entities of HTML and quoted-printable in plain text, and UTF-8 that was read as Latin-1. Prose in
# another script stays as it is.


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
    """Return the original of UTF-8 text that was read as Latin-1, or the text itself."""
    for codec in ("cp1252", "latin-1"):
        try:
            return match[0].encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return match[0]


def in_latin(text: str) -> str:
    """Return the text with Latin letters for those of other scripts that look the same.

    A word with letters of both scripts is Latin. A word of the other script alone is Latin only if the line
    has no word of that script with other letters, because then the line is written in it.
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
