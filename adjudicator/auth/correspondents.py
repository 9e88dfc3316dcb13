"""A game's forum: evidence that a post came from it and who wrote the post.

The forum sends us emails at an address that only it knows, so nobody else can imitate it. A player gets a
word and posts it once, which identifies their account.
"""

import base64
import hmac
import re
from collections.abc import Callable, Iterable

from adjudicator.clock import Millis
from adjudicator.model.addresses import message_id
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GameGm, GameGms
from games.protocol import Seat

_FORUM_PLUS_RE = re.compile(r"\+forum\.([a-z2-7]{13})@")
_POSTER_WORD_RE = re.compile(r"^\W*WORD\W{1,4}([a-z2-7]{5})[-\s]?([a-z2-7]{5})\W*$", re.IGNORECASE)
_MAX_WORD_LINE_CHARS = 60


def forum_address(key: bytes, service_address: str, place: str) -> str:
    """Return a forum's own address at our service: ``gm+forum.<token>@example.org``.

    place: as games name it.
    """
    local, _, domain = service_address.rpartition("@")
    return f"{local}+forum.{_post_token(key, f'|forum|{place}')[:13]}@{domain}"


def was_sent_by(key: bytes, service_address: str, place: str, recipients: Iterable[str]) -> bool:
    """Return whether an email went to the address that only this forum knows."""
    own_tokens = _FORUM_PLUS_RE.findall(forum_address(key, service_address, place))
    tokens = (token for recipient in recipients for token in _FORUM_PLUS_RE.findall(recipient.lower()))
    return any(hmac.compare_digest(token, own_tokens[0]) for token in tokens)


def poster_word(key: bytes, game: str, seat: Seat, address: str, used: int) -> str:
    """Return the one-time word that identifies the account of a seat's player: ``hm4rz-q2kwd``.

    address: the player's. used: the number of such words that the seat has used.
    """
    text = _post_token(key, f"|poster|{game}|{seat}|{address.lower()}|{used}")
    return f"{text[:5]}-{text[5:10]}"


def words_in(lines: Iterable[str]) -> tuple[str, ...]:
    """Yield the words in a post: each on its own line, ``WORD hm4rz-q2kwd``."""
    matches = (_POSTER_WORD_RE.match(line) for line in lines if len(line) <= _MAX_WORD_LINE_CHARS)
    return tuple(f"{match[1]}-{match[2]}".lower() for match in matches if match)


def is_word_line(line: str) -> bool:
    """Return whether a line of a post contains only such a word."""
    return bool(words_in([line]))


def thread_key(game: str, place: str) -> str:
    """Return the key of the outgoing post that starts a game's thread."""
    return f"{game}/thread/{place}"


def thread_id(key: bytes, game: str, place: str, domain: str) -> str:
    """Return the Message-ID of the post that starts a game's thread. All later posts refer to it."""
    return message_id(key, thread_key(game, place), domain)


def _post_token(key: bytes, text: str) -> str:
    # The bar in the text keeps it apart from the tokens of seats.
    return base64.b32encode(hmac.digest(key, text.encode(), "sha256")).decode().rstrip("=").lower()


# Marks that identify a correspondent without a seat: they received an email from us.
#
# The mark is in our reply address, and is valid for this month and the next. If the email asks for a
# confirmation, the address also names the request, so a yes to one request can't confirm another.


MONTH: Millis = 30 * 24 * 3_600_000
_PERSON_PLUS_RE = re.compile(r"\+you\.(?:([a-z2-7]{10})\.)?([a-z2-7]{13})@")


def person_address(
    key: bytes, service_address: str, address: str, now: Millis, mark: str | None = None
) -> str:
    """Return a correspondent's reply address: ``gm+you.<token>@example.org``.

    mark: of the request that a reply confirms: ``gm+you.<mark>.<token>@example.org``.
    """
    local, _, domain = service_address.rpartition("@")
    named = f"{mark}." if mark else ""
    return f"{local}+you.{named}{_person_token(key, address, now // MONTH)}@{domain}"


def request_mark(key: bytes, address: str, lines: Iterable[str]) -> str:
    """Return the mark of a request: of exactly these lines, from this address."""
    text = "\n".join((f"?{address.lower()}", *lines)).encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")).decode()[:10].lower()


def writer_mark(key: bytes, game: str, text: Iterable[str]) -> str:
    """Return eight characters that identify the writer of unsigned press in a reply, without revealing
    them."""
    named = "\n".join((f"?WRITER {game}", *text)).encode()
    return base64.b32encode(hmac.digest(key, named, "sha256")).decode()[:8].lower()


def invitation_mark(key: bytes, address: str, game: str) -> str:
    """Return the mark of an invitation of an address to a game, for the reply address."""
    return request_mark(key, address, ("?INVITED", game))


def confirmed_marks(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> tuple[str, ...]:
    """Return the marks of the requests that an email confirms, from the addresses that it went to."""
    pairs = [
        pair for recipient in recipients for pair in _PERSON_PLUS_RE.findall(recipient.lower()) if pair[0]
    ]
    good = person_tokens(key, address, now) if pairs else ()
    return tuple(
        mark for mark, token in pairs if any(hmac.compare_digest(token, candidate) for candidate in good)
    )


def named_marks(recipients: Iterable[str]) -> tuple[str, ...]:
    """Return the marks in the addresses of an email, even if their tokens are invalid."""
    pairs = (pair for recipient in recipients for pair in _PERSON_PLUS_RE.findall(recipient.lower()))
    return tuple(dict.fromkeys(mark for mark, _ in pairs if mark))


def person_tokens(key: bytes, address: str, now: Millis) -> tuple[str, ...]:
    """Return the valid tokens of an address: of this month and of the last."""
    return tuple(_person_token(key, address, now // MONTH - back) for back in (0, 1))


def is_authenticated(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> bool:
    """Return whether an email went to the address that we gave only its sender, this month or last."""
    tokens = [token for recipient in recipients for _, token in _PERSON_PLUS_RE.findall(recipient.lower())]
    good = person_tokens(key, address, now)
    return any(hmac.compare_digest(token, candidate) for token in tokens for candidate in good)


# The reply address of a GM of one game: ``gm+beaver.gm.<token>@example.org``. It counts only in emails that
# name the GM's own address in From, and every command that changes something is asked back there.


GM_SEAT = "gm"
"""The name in place of a seat's in the reply address of a GM."""

_GM_PLUS_RE = re.compile(rf"\+([a-z0-9-]{{1,20}})\.{GM_SEAT}\.([a-z2-7]{{13}})@")


def gm_address(key: bytes, service_address: str, game: str, gm: GameGm) -> str:
    """Return the reply address of a GM of a game."""
    local, _, domain = service_address.rpartition("@")
    return f"{local}+{game}.{GM_SEAT}.{gm_token(key, game, gm)}@{domain}"


def gm_token(key: bytes, game: str, gm: GameGm) -> str:
    """Return the token of a GM, valid until they get a new one or lose the right."""
    return _post_token(key, f"|gm|{game}|{gm.address.lower()}|{gm.mark}")[:13]


def find_gm(
    key: bytes, sender: str, recipients: Iterable[str], gms_of: Callable[[str], GameGms]
) -> tuple[str, GameGm] | None:
    """Return the game and the GM that an email is from, by its sender and the address that it went to.

    gms_of: the GMs of a game. An address of another GM, or an earlier one, proves nothing.
    """
    for game, token in (pair for to in recipients for pair in _GM_PLUS_RE.findall(to.lower())):
        gm = gms_of(game).find(sender)
        if gm is not None and hmac.compare_digest(token, gm_token(key, game, gm)):
            return game, gm
    return None


def _person_token(key: bytes, address: str, month: int) -> str:
    # The bar in the text keeps it apart from the tokens of seats.
    text = f"|{address.lower()}|{month}".encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")[:8]).decode().rstrip("=").lower()


def is_playing(gm: GameGm, position: GamePosition) -> bool:
    """Return whether a GM plays in the game, or has lent their seat to a substitute."""
    holders = [assignment.address for assignment in position.assignments.values()]
    return gm.address in (*holders, *(loan.owner for loan in position.timing.loans.values()))


def find_gm_readers(gms: GameGms, position: GamePosition) -> tuple[GameGm, ...]:
    """Return the GMs of a game whom PRESS TO GM reaches: those who don't play in it, and no assistants.

    If there are none, it reaches the GM of the service.
    """
    return tuple(gm for gm in gms.members if gm.role == "gm" and not is_playing(gm, position))
