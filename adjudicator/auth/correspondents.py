"""A game's forum: signs that a post came from there, and by which its poster is known again.

What a forum sends us goes to an address that it alone is told: so nobody else can pretend to be it. Whoever
plays is told a word, and posts it once: so it is known which poster he is.
"""

import base64
import hmac
import re
from collections.abc import Iterable

from adjudicator.clock import Millis
from adjudicator.model.addresses import message_id
from games.protocol import Seat

_FORUM_PLUS_RE = re.compile(r"\+forum\.([a-z2-7]{13})@")
_POSTER_WORD_RE = re.compile(r"^\W*WORD\W{1,4}([a-z2-7]{5})[-\s]?([a-z2-7]{5})\W*$", re.IGNORECASE)
_MAX_WORD_LINE_CHARS = 60


def forum_address(key: bytes, service_address: str, place: str) -> str:
    """Where a forum sends what is posted there: ``gm+forum.<token>@example.org``. place: as games name it."""
    local, _, domain = service_address.rpartition("@")
    return f"{local}+forum.{_post_token(key, f'|forum|{place}')[:13]}@{domain}"


def was_sent_by(key: bytes, service_address: str, place: str, recipients: Iterable[str]) -> bool:
    """Return whether a letter went to the address that only that forum was told."""
    own_tokens = _FORUM_PLUS_RE.findall(forum_address(key, service_address, place))
    tokens = (token for recipient in recipients for token in _FORUM_PLUS_RE.findall(recipient.lower()))
    return any(hmac.compare_digest(token, own_tokens[0]) for token in tokens)


def poster_word(key: bytes, game: str, seat: Seat, address: str, used: int) -> str:
    """The word by which a seat's player shows which poster he is: ``hm4rz-q2kwd``, good for once.

    address: his; used: how many such words of the seat have been used up.
    """
    text = _post_token(key, f"|poster|{game}|{seat}|{address.lower()}|{used}")
    return f"{text[:5]}-{text[5:10]}"


def words_in(lines: Iterable[str]) -> tuple[str, ...]:
    """The words that are posted: each on a line of its own, ``WORD hm4rz-q2kwd``."""
    matches = (_POSTER_WORD_RE.match(line) for line in lines if len(line) <= _MAX_WORD_LINE_CHARS)
    return tuple(f"{match[1]}-{match[2]}".lower() for match in matches if match)


def is_word_line(line: str) -> bool:
    """Return whether a line of a post holds such a word, and nothing else."""
    return bool(words_in([line]))


def thread_key(game: str, place: str) -> str:
    """Return the key, among our letters, of the post that begins the thread of a game."""
    return f"{game}/thread/{place}"


def thread_id(key: bytes, game: str, place: str, domain: str) -> str:
    """The Message-ID of the post that begins the thread of a game: all others there go back to it."""
    return message_id(key, thread_key(game, place), domain)


def _post_token(key: bytes, text: str) -> str:
    # The bar in front keeps it apart from the token of any seat.
    return base64.b32encode(hmac.digest(key, text.encode(), "sha256")).decode().rstrip("=").lower()


# Marks by which we recognise somebody without a seat: they got an email from us.
#
# It stands in the address that our letter asks to be answered at, and is good for the month and the next.
# Where the letter asks whether something is really wanted, the address names that, too: the yes to one thing
# is no yes to another.


MONTH: Millis = 30 * 24 * 3_600_000
_PERSON_PLUS_RE = re.compile(r"\+you\.(?:([a-z2-7]{10})\.)?([a-z2-7]{13})@")


def person_address(
    key: bytes, service_address: str, address: str, now: Millis, mark: str | None = None
) -> str:
    """Where somebody answers to: ``gm+you.<token>@example.org``.

    mark: of what his answer confirms: ``gm+you.<mark>.<token>@example.org``.
    """
    local, _, domain = service_address.rpartition("@")
    named = f"{mark}." if mark else ""
    return f"{local}+you.{named}{_person_token(key, address, now // MONTH)}@{domain}"


def request_mark(key: bytes, address: str, lines: Iterable[str]) -> str:
    """The name of what somebody asks for: of these lines, from that address, and of nothing else."""
    text = "\n".join((f"?{address.lower()}", *lines)).encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")).decode()[:10].lower()


def writer_mark(key: bytes, game: str, text: Iterable[str]) -> str:
    """Return the eight signs that name the writer of unsigned press in a reply, and say nothing of them."""
    named = "\n".join((f"?WRITER {game}", *text)).encode()
    return base64.b32encode(hmac.digest(key, named, "sha256")).decode()[:8].lower()


def invitation_mark(key: bytes, address: str, game: str) -> str:
    """The name of an invitation of an address to a game, which stands in the address to answer it at."""
    return request_mark(key, address, ("?INVITED", game))


def confirmed_marks(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> tuple[str, ...]:
    """The marks of what a letter from an address says yes to, by where it went."""
    pairs = [
        pair for recipient in recipients for pair in _PERSON_PLUS_RE.findall(recipient.lower()) if pair[0]
    ]
    good = person_tokens(key, address, now) if pairs else ()
    return tuple(
        mark for mark, token in pairs if any(hmac.compare_digest(token, candidate) for candidate in good)
    )


def named_marks(recipients: Iterable[str]) -> tuple[str, ...]:
    """Return the marks in the addresses of an email, whether or not their tokens are good."""
    pairs = (pair for recipient in recipients for pair in _PERSON_PLUS_RE.findall(recipient.lower()))
    return tuple(dict.fromkeys(mark for mark, _ in pairs if mark))


def person_tokens(key: bytes, address: str, now: Millis) -> tuple[str, ...]:
    """The tokens that are good for an address now: of this month and of the one before."""
    return tuple(_person_token(key, address, now // MONTH - back) for back in (0, 1))


def is_authenticated(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> bool:
    """Return whether a letter went to the address that we told its sender alone, this month or the last."""
    tokens = [token for recipient in recipients for _, token in _PERSON_PLUS_RE.findall(recipient.lower())]
    good = person_tokens(key, address, now)
    return any(hmac.compare_digest(token, candidate) for token in tokens for candidate in good)


def _person_token(key: bytes, address: str, month: int) -> str:
    # The bar in front keeps it apart from the token of any seat.
    text = f"|{address.lower()}|{month}".encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")[:8]).decode().rstrip("=").lower()
