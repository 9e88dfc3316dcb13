"""Where tokens stand in a text, in whatever spelling: in capitals, broken, spaced, quoted, encoded.

What is between the characters of a token does not count, nor do capitals; a text is read as it stands, with
what is encoded decoded, and without the tags of HTML. Whoever wants to hide a token from us can; who hands
one on without thinking cannot.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from html import unescape
from itertools import pairwise
from struct import Struct

from games.record import Value

LENGTH = 13
"""So many characters of base32 a token has."""

_BLOCK = 7
"""Whatever is 13 characters long holds one of the blocks of 7 into which a text is cut."""
_cut = Struct(f"{_BLOCK}s").iter_unpack

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_LOWER = bytes(range(256)).lower()
# Each way begins with one sign: a text is gone through at once for these.
_ENCODED = re.compile(r"&#\d{1,7};?|&#[xX][0-9a-fA-F]{1,6};?|&[a-zA-Z]{2,8};|=[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}")
_TAG_OR_ENCODED = re.compile(rf"<[^<>]{{0,2000}}>|{_ENCODED.pattern}")
# In the address of a seat, of somebody without one, of a letter that comes back.
_ADDRESS = re.compile(r"\+(?:you|[a-z0-9-]{1,20}\.[a-z0-9-]{1,40})\.([a-z2-7]{13})@")


class Span(Value, frozen=True):
    """Where a token stands in a text: from its first character until behind its last."""

    start: int
    end: int
    token: str


class _Placed(Value, frozen=True):
    """Some characters of a text, and for each from where to where it stands there."""

    text: str
    places: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> Span:
        return Span(self.places[start][0], self.places[end - 1][1], self.text[start:end])


class _Alphabet(Value, frozen=True, dict=True):
    """The characters at which is looked, in lower case; all others are passed over."""

    signs: str

    @cached_property
    def _dropped(self) -> bytes:
        return bytes(set(range(256)) - set((self.signs + self.signs.upper()).encode()))

    def bare(self, text: str) -> str:
        """A text in these characters alone."""
        if not _is_plain(text):
            # To normalise all of a long text takes ten times as long as the few characters that need it.
            text = _FOREIGN.sub(_plain, text)
        # Of what is not ASCII every byte is among those that are dropped.
        return text.encode("utf-8", "ignore").translate(_LOWER, self._dropped).decode()

    def readings(self, text: str) -> Iterator[str]:
        """The same in each way in which it may be read."""
        return map(self.bare, _decodings(text))

    def placed(self, text: str) -> Iterator[_Placed]:
        """The same readings with the place of each character."""
        for special in (None, *_specials(text)):
            found = list(self._placed(text, special))
            yield _Placed("".join(sign for sign, _ in found), tuple(place for _, place in found))

    def _placed(self, text: str, special: re.Pattern[str] | None) -> Iterator[tuple[str, tuple[int, int]]]:
        start = 0
        for match in special.finditer(text) if special is not None else ():
            yield from self._each(text, start, match.start())
            for sign in self.bare(_decoded(match)):
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
    """Tokens to be looked for, in lower case."""

    known: frozenset[str]

    @cached_property
    def _blocks(self) -> frozenset[tuple[bytes]]:
        starts = range(LENGTH - _BLOCK + 1)
        known = [token.encode() for token in self.known]
        return frozenset((token[start : start + _BLOCK],) for token in known for start in starts)

    def stand_in(self, text: str) -> bool:
        """Whether one of them may stand in a text; False is certain."""
        return bool(self.known) and any(map(self._may_hold, _OF_TOKENS.readings(text)))

    def _may_hold(self, signs: str) -> bool:
        cut = signs.encode()[: len(signs) // _BLOCK * _BLOCK]
        return not self._blocks.isdisjoint(_cut(cut))

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where they stand in a text, in whatever spelling."""
        if not self.stand_in(text):
            return ()
        return tuple(span for read in _OF_TOKENS.placed(text) for span in self._found(read))

    def _found(self, read: _Placed) -> Iterator[Span]:
        for at in range(len(read.text) - LENGTH + 1):
            if read.text[at : at + LENGTH] in self.known:
                yield read.span(at, at + LENGTH)


def in_addresses(text: str, but: Collection[str] = ()) -> tuple[Span, ...]:
    """Whatever stands in a text where an address of ours has its token. but: tokens that may stand there."""
    if "+" not in text and _is_plain(text) and not _is_encoded(text):
        return ()
    # To place each character takes many times as long as to see that there is nothing to be placed.
    if all(found[1] in but for read in _OF_ADDRESSES.readings(text) for found in _ADDRESS.finditer(read)):
        return ()
    readings = _OF_ADDRESSES.placed(text)
    spans = (read.span(*found.span(1)) for read in readings for found in _ADDRESS.finditer(read.text))
    return tuple(span for span in spans if span.token not in but)


def without(text: str, spans: Iterable[Span], instead: str) -> str:
    """A text in which something else stands where tokens stood."""
    merged: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], span.end))
        else:
            merged.append((span.start, span.end))
    edges = [(0, 0), *merged, (len(text), len(text))]
    return instead.join(text[before[1] : after[0]] for before, after in pairwise(edges))


# The same text is asked for tokens, and for addresses right behind that.
@lru_cache(maxsize=1)
def _decodings(text: str) -> tuple[str, ...]:
    """A text as it stands, with what is encoded decoded, and without its tags, as far as it has any."""
    return (text, *(special.sub(_decoded, text) for special in _specials(text)))


def _is_encoded(text: str) -> bool:
    """Whether something in a text stands for one sign."""
    # A sign that begins none of it is found in a tenth of the time.
    begins = "&" in text or "=" in text or "%" in text
    return begins and _ENCODED.search(text) is not None


def _specials(text: str) -> Iterator[re.Pattern[str]]:
    """What is decoded or dropped in the further ways to read a text."""
    if _is_encoded(text):
        yield _ENCODED
    if "<" in text:
        yield _TAG_OR_ENCODED


def _is_plain(text: str) -> bool:
    """Whether no character of a text stands for others, that are ASCII perhaps."""
    return text.isascii() or unicodedata.is_normalized("NFKC", text)


def _plain(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match[0])


def _decoded(match: re.Match[str]) -> str:
    """What something encoded stands for; nothing for a tag."""
    found = match[0]
    if found.startswith("<"):
        return ""
    if found.startswith("&"):
        said = unescape(found if found.endswith(";") else f"{found};")
        return said if len(said) == 1 else ""
    return chr(int(found[1:], 16))
