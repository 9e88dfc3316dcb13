"""Marks of our emails that name a seat, and a text in which they are masked.

A token is masked wherever people write to each other. In grey press that is too little: the rest of an
address still names its seat, and with it the player who quotes it.
"""

import re
from collections.abc import Iterable

from adjudicator.auth.redaction import HIDDEN_MARK
from adjudicator.auth.tokens import TokenSpan, seat_mark_spans, without
from adjudicator.model.addresses import short_seat_name

_ADDRESS_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._%+=-")
"""What belongs to an address on either side of the part that names the seat."""

_MOST_BEFORE, _MOST_BEHIND = 64, 255
"""No part of an address before the @ is longer, and no domain."""

_TAG_GAP = r"[\s>|]{1,12}"
"""Blanks within a tag, and the marks of quoted rows where it is broken."""

_MASKABLE_TAG_RE = re.compile(
    rf"\[\s{{0,4}}[a-z0-9-]{{1,20}}{_TAG_GAP}[^\s\[\]#]{{1,20}}{_TAG_GAP}[^\[\]#]{{1,80}}#[^\[\]]{{0,40}}\]",
    re.IGNORECASE,
)
_BARE_TAG = re.compile(
    rf"\[\s{{0,4}}(?P<game>[a-z0-9-]{{1,20}}){_TAG_GAP}[^\s\[\]#]{{1,20}}{_TAG_GAP}(?P<seat>[^\[\]#]{{1,60}})\]",
    re.IGNORECASE,
)
_HEADER = re.compile(r"(?P<name>\bx-turnpost[ \t]{0,4}:)[^\r\n]*", re.IGNORECASE)
# Of an address that was cut off, or whose token somebody has masked by hand.
_BEGUN = re.compile(r"\+[a-z0-9-]{1,20}\.[a-z0-9-]{1,40}\.(?:[a-z2-7]{3,13}\b|…|\.\.)", re.IGNORECASE)


# In the source of an email: nobody can read it, and a tag may stand in it.
_ENCODED_WORD = re.compile(r"=\?[a-z0-9*_-]{1,40}\?[bq]\?[^?\s]{0,200}\?=", re.IGNORECASE)


def mask_seats(text: str, game: str = "", seats: Iterable[str] = (), own: Iterable[str] = ()) -> str:
    """Return a text without the addresses, tags and Message-IDs of seats, also where a token is masked.

    game, seats: the game in which the text is written and the seats in it. A tag of this game without a
    token is masked too. own: further addresses that are masked, those of its writer.
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
    """Return a span that covers the whole address: also what stands before the plus, and the domain."""
    start, end = span.start, span.end
    while start > max(0, span.start - _MOST_BEFORE) and text[start - 1].lower() in _ADDRESS_CHARS:
        start -= 1
    while end < min(len(text), span.end + _MOST_BEHIND) and (
        text[end].lower() in _ADDRESS_CHARS or text[end] == "@"
    ):
        end += 1
    # The full stop of a sentence belongs to no address.
    while end > span.end and text[end - 1] == ".":
        end -= 1
    return TokenSpan(start, end, span.token)


def _is_tag_of(tag: re.Match[str], game: str, seats: Iterable[str]) -> bool:
    return tag["game"].lower() == game and short_seat_name(tag["seat"]) in seats
