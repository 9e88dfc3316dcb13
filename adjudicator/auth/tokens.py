"""Finds tokens in a text in any spelling: in capitals, broken, spaced, quoted, encoded.

Case and anything between the characters of a token are ignored. A text is searched as it is, with encoded
parts decoded, and without HTML tags. A person who wants to hide a token from us can do so; a person who
forwards one by accident can't.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from html import unescape
from itertools import pairwise
from struct import Struct
from typing import TYPE_CHECKING

from adjudicator.model.addresses import short_seat_name
from games.record import Value
from orders import commands
from orders.mail import headers, html_rows
from orders.mail import letter as letters

if TYPE_CHECKING:
    from orders.mail.letter import Letter


TOKEN_LENGTH = 13
"""The number of base32 characters of a token."""

_BLOCK = 7
"""If a text is cut into blocks of 7, any 13 characters contain a whole block."""
_cut = Struct(f"{_BLOCK}s").iter_unpack
_FEW_TOKENS = 50
"""Fewer tokens than this are searched for one by one, more of them by the blocks of a text."""

_ASCII = bytes(range(128))
_NON_ASCII_RE = re.compile(r"[^\x00-\x7f]")
_LOWER = bytes(range(256)).lower()
_ENCODINGS = (
    r"&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[a-zA-Z]{2,8};)",
    r"=[0-9a-fA-F]{2}",
    r"%[0-9a-fA-F]{2}",
)
"""The encoded forms of one character. Each begins with a different character and contains no other form."""
_EACH_ENCODED = tuple(map(re.compile, _ENCODINGS))
_ENCODED = re.compile("|".join(_ENCODINGS))
_LONGEST_TAG = 2000
_TAG_OR_ENCODED = re.compile(rf"<[^<>]{{0,{_LONGEST_TAG}}}>|{_ENCODED.pattern}")
# In the address of a seat, and in a Message-ID to it. A mask can replace the token.
_NAMES_SEAT = re.compile(
    r"\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.(?:[a-z2-7]{13})?\.{0,3}@"
    r"|[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.(?:[a-z2-7]{13}|\.{0,3})\.[0-9a-f]{16}@"
)
# In the address of a seat, of a person without one, of a bounce.
_TOKEN_ADDRESS_RE = re.compile(r"\+(?:you|[a-z0-9-]{1,20}\.[a-z0-9-]{1,40})\.([a-z2-7]{13})@")


class TokenSpan(Value, frozen=True):
    """The place of a token in a text: its first character, and the end after its last."""

    start: int
    end: int
    token: str


class _PlacedText(Value, frozen=True):
    """Some characters of a text, each with its start and end there."""

    text: str
    places: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> TokenSpan:
        return TokenSpan(self.places[start][0], self.places[end - 1][1], self.text[start:end])


class _Alphabet(Value, frozen=True, dict=True):
    """The characters that count, in lower case. All others are ignored."""

    signs: str

    @cached_property
    def _ignored_bytes(self) -> bytes:
        return bytes(set(range(256)) - set((self.signs + self.signs.upper()).encode()))

    def bare(self, text: str) -> str:
        """Return a text reduced to these characters."""
        if not _is_plain(text):
            # Normalising all of a long text takes ten times as long as normalising the few characters that
            # need it.
            text = _NON_ASCII_RE.sub(_plain, text)
        # The bytes of non-ASCII characters are all among those that are ignored.
        return text.encode("utf-8", "ignore").translate(_LOWER, self._ignored_bytes).decode()

    def readings(self, text: str) -> Iterator[str]:
        """Return the reduced text in each reading."""
        return map(self.bare, _decodings(text))

    def placed_readings(self, text: str) -> Iterator[_PlacedText]:
        """Return the same readings with the place of each character."""
        for special in (None, *_specials(text)):
            signs = list(self._placed_signs(text, special))
            yield _PlacedText("".join(sign for sign, _ in signs), tuple(place for _, place in signs))

    def _placed_signs(
        self, text: str, special: re.Pattern[str] | None
    ) -> Iterator[tuple[str, tuple[int, int]]]:
        start = 0
        for match in special.finditer(text) if special is not None else ():
            yield from self._each(text, start, match.start())
            for sign in self.bare(_decode_match(match)):
                yield sign, match.span()
            start = match.end()
        yield from self._each(text, start, len(text))

    def _each(self, text: str, start: int, end: int) -> Iterator[tuple[str, tuple[int, int]]]:
        for at in range(start, end):
            sign = text[at].lower()
            if sign in self.signs:
                yield sign, (at, at + 1)
            elif not sign.isascii():
                for plain in self.bare(sign):
                    yield plain, (at, at + 1)


_OF_TOKENS = _Alphabet("abcdefghijklmnopqrstuvwxyz234567")
_OF_ADDRESSES = _Alphabet("abcdefghijklmnopqrstuvwxyz0123456789+.@-")


class Tokens(Value, frozen=True, dict=True):
    """Tokens to search for, in lower case."""

    known: frozenset[str]

    @cached_property
    def _blocks(self) -> frozenset[tuple[bytes]]:
        starts = range(TOKEN_LENGTH - _BLOCK + 1)
        known = [token.encode() for token in self.known]
        return frozenset((token[start : start + _BLOCK],) for token in known for start in starts)

    def may_occur_in(self, text: str) -> bool:
        """Return whether one of them may be in a text. False is certain."""
        return bool(self.known) and any(map(self._may_hold, _OF_TOKENS.readings(text)))

    def _may_hold(self, signs: str) -> bool:
        if len(self.known) <= _FEW_TOKENS:
            return any(token in signs for token in self.known)
        cut = signs.encode()[: len(signs) // _BLOCK * _BLOCK]
        return not self._blocks.isdisjoint(_cut(cut))

    def spans(self, text: str) -> tuple[TokenSpan, ...]:
        """Return their places in a text, in any spelling."""
        if not self.may_occur_in(text):
            return ()
        return tuple(
            read.span(at, at + TOKEN_LENGTH)
            for read in _OF_TOKENS.placed_readings(text)
            for at in range(len(read.text) - TOKEN_LENGTH + 1)
            if read.text[at : at + TOKEN_LENGTH] in self.known
        )


def tokens_in_addresses(text: str, but: Collection[str] = ()) -> tuple[TokenSpan, ...]:
    """Return the places of tokens in our addresses in a text. but: tokens that are allowed."""
    readings = (reading for reading in _decodings(text) if "+" in reading or not _is_plain(reading))
    # Placing each character takes many times as long as seeing that there is nothing to place.
    if all(
        match[1] in but
        for reading in readings
        for match in _TOKEN_ADDRESS_RE.finditer(_OF_ADDRESSES.bare(reading))
    ):
        return ()
    placed = _OF_ADDRESSES.placed_readings(text)
    spans = (read.span(*match.span(1)) for read in placed for match in _TOKEN_ADDRESS_RE.finditer(read.text))
    return tuple(span for span in spans if span.token not in but)


def seat_mark_spans(text: str) -> tuple[TokenSpan, ...]:
    """Return the places of addresses of seats and Message-IDs to them in a text, in any spelling.

    Masked tokens count too. Each span ends after the @.
    """
    if not any(_NAMES_SEAT.search(_OF_ADDRESSES.bare(reading)) for reading in _decodings(text)):
        return ()
    placed = _OF_ADDRESSES.placed_readings(text)
    return tuple(read.span(*match.span()) for read in placed for match in _NAMES_SEAT.finditer(read.text))


def without(text: str, spans: Iterable[TokenSpan], instead: str) -> str:
    """Return a text with replacements in place of tokens."""
    merged: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], span.end))
        else:
            merged.append((span.start, span.end))
    edges = [(0, 0), *merged, (len(text), len(text))]
    return instead.join(text[before[1] : after[0]] for before, after in pairwise(edges))


# The same text is searched for tokens, and for addresses right after that.
@lru_cache(maxsize=1)
def _decodings(text: str) -> tuple[str, ...]:
    """Return a text with encoded parts decoded, and without tags, if it has any.

    Characters without an ASCII equivalent become question marks. Searching pages for tags and encoded
    characters one by one, as `_specials` does, takes many times as long.
    """
    if not text.isascii() and _is_plain(text):
        text = text.encode("ascii", "replace").decode()
    readings = [text]
    if _is_encoded(text):
        readings.append(_decode(text))
    if "<" in text:
        readings.append(_without_tags(text))
    return tuple(readings)


def _is_encoded(text: str) -> bool:
    """Return whether a text contains an encoded character."""
    return any(pattern.search(text) for pattern in _EACH_ENCODED)


def _decode(text: str) -> str:
    """Return a text with encoded parts decoded."""
    matches = sorted(
        (match for pattern in _EACH_ENCODED for match in pattern.finditer(text)), key=re.Match.start
    )
    pieces, at = list[str](), 0
    for match in matches:
        pieces += text[at : match.start()], _decode_match(match)
        at = match.end()
    return "".join((*pieces, text[at:]))


def _without_tags(text: str) -> str:
    """Return a text without its tags, with encoded parts decoded between tags, but not across them."""
    first, *rest = text.split("<")
    between = [first]
    for piece in rest:
        end = piece.find(">")
        between.append(piece[end + 1 :] if 0 <= end <= _LONGEST_TAG else f"<{piece}")
    plain_text = "".join(between)
    return "".join(map(_decode, between)) if _is_encoded(plain_text) else plain_text


def _specials(text: str) -> Iterator[re.Pattern[str]]:
    """Yield the patterns that are decoded or dropped in the further readings of a text."""
    if _is_encoded(text):
        yield _ENCODED
    if "<" in text:
        yield _TAG_OR_ENCODED


def _is_plain(text: str) -> bool:
    """Return whether no character of a text has an ASCII equivalent."""
    if text.isascii():
        return True
    # Character by character, and of a long text with typographic quotes and dashes only those.
    foreign = text.encode("utf-8", "ignore").translate(None, _ASCII).decode()
    return all(map(_stands_for_itself, set(foreign)))


@lru_cache(maxsize=4096)
def _stands_for_itself(sign: str) -> bool:
    # Encoded parts can contain digits of other scripts.
    return unicodedata.is_normalized("NFKC", sign) and not sign.isdecimal()


def _plain(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match[0])


def _decode_match(match: re.Match[str]) -> str:
    """Return the character of an encoded part, or "" for a tag."""
    source = match[0]
    if source.startswith("<"):
        return ""
    if source.startswith("&"):
        character = unescape(source if source.endswith(";") else f"{source};")
        return character if len(character) == 1 else ""
    return chr(int(source[1:], 16))


# Removal of all secrets that let someone act for a seat, from texts and emails.
#
# This module recognises them by their form. `reply_tokens` knows the tokens of a game and finds them in any
# spelling. Once emails are read or sent, nobody needs the passwords in them, and logs never need any secret.


HIDDEN_MARK = "…"
"""The replacement for hidden text."""

_SIGNON = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+[ \t]+)\S[^\r\n]*")
_SEAT_ADDRESS_SECRET_RE = re.compile(r"(?i)(\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=@)")
_PERSON_ADDRESS_SECRET_RE = re.compile(r"(?i)(\+you\.)[a-z2-7]{13}(?=@)")
_TAG_SECRET_RE = re.compile(r"(?i)(\[[^\[\]#\n]*#)[a-z2-7]{13}(?=\])")
_MESSAGE_ID_SECRET_RE = re.compile(
    r"(?i)(<?\b[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.)[a-z2-7]{13}(?=\.[0-9a-f]{16}@)"
)
_QUOTE_MARKS_RE = re.compile(r"[>|\s]*")


def redact_text(text: str) -> str:
    """Return a text without reply tokens and without the passwords after SIGNON, even if it is misspelt."""
    return remove_tokens(remove_passwords(text))


def remove_passwords(text: str) -> str:
    """Return a text without the passwords after SIGNON and PASSWORD, even if these words are misspelt."""
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
"""Every email with a password contains one of these, even if the word before it is misspelt."""

_SOFT_LINE_BREAK = rb"(?:=\r?\n)?"
"""A soft line break of quoted-printable, which can be inside a word."""

_INSIDE = re.compile(r"(?i)\b(sign[- ]?on[ \t]+\S+[ \t]+\S+)[ \t]+\S[^\r\n]*")
"""The form of a password within a line of our own emails."""

_QUOTE_CHARS = "> |\t"


def redact_letter(raw: bytes) -> bytes:
    """Return an email without the passwords after SIGNON and PASSWORD, or the same bytes if there are none.

    If a password is encoded otherwise than as plain text, only the text of the body is left.
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
    """Yield the words before each password, and the password with the rest of its line."""
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
    """Return an email with only its header, without the subject, and its text."""
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


# The parts of our emails that name a seat, and a text with these parts masked.
#
# Tokens are masked in everything that people write to each other. For grey press this isn't enough: the rest
# of an address names a seat, and so the player who quotes it.


_ADDRESS_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._%+=-")
"""The parts of an address before and after the name of the seat."""

_MOST_BEFORE, _MOST_BEHIND = 64, 255
"""The longest part of an address before the @, and the longest domain."""

_TAG_GAP = r"[\s>|]{1,12}"
"""The spaces within a tag, and the quote marks where it is broken over lines."""

_MASKABLE_TAG_RE = re.compile(
    rf"\[\s{{0,4}}[a-z0-9-]{{1,20}}{_TAG_GAP}[^\s\[\]#]{{1,20}}{_TAG_GAP}[^\[\]#]{{1,80}}#[^\[\]]{{0,40}}\]",
    re.IGNORECASE,
)
_BARE_TAG = re.compile(
    rf"\[\s{{0,4}}(?P<game>[a-z0-9-]{{1,20}}){_TAG_GAP}[^\s\[\]#]{{1,20}}{_TAG_GAP}(?P<seat>[^\[\]#]{{1,60}})\]",
    re.IGNORECASE,
)
_HEADER = re.compile(r"(?P<name>\bx-turnpost[ \t]{0,4}:)[^\r\n]*", re.IGNORECASE)
# The rest of an address that was cut off, or whose token was masked by hand.
_BEGUN = re.compile(r"\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.(?:[a-z2-7]{3,13}\b|…|\.\.)", re.IGNORECASE)


# In the source of an email, which readers don't see, and which can contain a tag.
_ENCODED_WORD = re.compile(r"=\?[a-z0-9*_-]{1,40}\?[bq]\?[^?\s]{0,200}\?=", re.IGNORECASE)


def mask_seats(text: str, game: str = "", seats: Iterable[str] = (), own: Iterable[str] = ()) -> str:
    """Return a text without the addresses, tags and Message-IDs of seats, even with masked tokens.

    game, seats: of the text. A tag of this game without a token is masked too. own: further addresses to
    mask, the writer's.
    """
    for address in filter(None, own):
        text = re.sub(rf"(?<![\w.+-]){re.escape(address)}(?![\w-])", HIDDEN_MARK, text, flags=re.IGNORECASE)
    begun = (TokenSpan(*match.span(), "") for match in _BEGUN.finditer(text))
    text = without(
        text, (_widen_to_address(text, span) for span in (*seat_mark_spans(text), *begun)), HIDDEN_MARK
    )
    text = _MASKABLE_TAG_RE.sub(HIDDEN_MARK, _ENCODED_WORD.sub(HIDDEN_MARK, text))
    known = {short_seat_name(seat) for seat in seats}
    text = _BARE_TAG.sub(lambda tag: HIDDEN_MARK if _is_tag_of(tag, game, known) else tag[0], text)
    return _HEADER.sub(rf"\g<name> {HIDDEN_MARK}", text)


def _widen_to_address(text: str, span: TokenSpan) -> TokenSpan:
    """Return a span that covers the whole address, with the part before the plus and the domain."""
    start, end = span.start, span.end
    while start > max(0, span.start - _MOST_BEFORE) and text[start - 1].lower() in _ADDRESS_CHARS:
        start -= 1
    while end < min(len(text), span.end + _MOST_BEHIND) and (
        text[end].lower() in _ADDRESS_CHARS or text[end] == "@"
    ):
        end += 1
    # The full stop of a sentence isn't part of an address.
    while end > span.end and text[end - 1] == ".":
        end -= 1
    return TokenSpan(start, end, span.token)


def _is_tag_of(tag: re.Match[str], game: str, seats: Iterable[str]) -> bool:
    return tag["game"].lower() == game and short_seat_name(tag["seat"]) in seats
