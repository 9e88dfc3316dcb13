"""The sign by which somebody who holds no seat is known again: that he got a letter of ours.

It stands in the address that our letter asks to be answered at, and is good for the month and the next. Where
the letter asks whether something is really wanted, the address names that, too: the yes to one thing is no
yes to another.
"""

import base64
import hmac
import re
from collections.abc import Iterable

from adjudicator.clock import Millis

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
    return f"{local}+you.{named}{_token(key, address, now // MONTH)}@{domain}"


def request_mark(key: bytes, address: str, lines: Iterable[str]) -> str:
    """The name of what somebody asks for: of these lines, from that address, and of nothing else."""
    text = "\n".join((f"?{address.lower()}", *lines)).encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")).decode()[:10].lower()


def writer_mark(key: bytes, game: str, text: Iterable[str]) -> str:
    """By what a reply names the writer of press who did not sign it: eight signs that say nothing of him."""
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
    return tuple(_token(key, address, now // MONTH - back) for back in (0, 1))


def is_authenticated(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> bool:
    """Return whether a letter went to the address that we told its sender alone, this month or the last."""
    tokens = [token for recipient in recipients for _, token in _PERSON_PLUS_RE.findall(recipient.lower())]
    good = person_tokens(key, address, now)
    return any(hmac.compare_digest(token, candidate) for token in tokens for candidate in good)


def _token(key: bytes, address: str, month: int) -> str:
    # The bar in front keeps it apart from the token of any seat.
    text = f"|{address.lower()}|{month}".encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")[:8]).decode().rstrip("=").lower()
