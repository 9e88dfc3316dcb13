"""Addresses, and the tokens that prove the sender of an email.

A reply token occurs in three places: the reply address, the tag in the subject, and our Message-IDs. Seats
have their short form in all of them.
"""

import base64
import hmac
import ipaddress
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from games.protocol import Seat
from games.record import Record

_NOT_GAMES = frozenset({"b", "sent"})
"""Names before the first dot of our addresses that are no game's: of bounces and self-copies."""

RESERVED_NAMES = _NOT_GAMES | {"gm"}
"""Names that no new game can have. Games called gm may exist from before it was reserved."""

_GAME, _SEAT, _TOKEN = "[a-z0-9-]{1,20}", "[a-z0-9-]{1,40}", "[a-z2-7]{13}"
_SEAT_PLUS_RE = re.compile(rf"\+({_GAME})\.({_SEAT})\.({_TOKEN})@")
_BOUNCE = re.compile(rf"\+b\.([0-9a-f]{{16}})\.({_TOKEN})@")
_SEAT_MESSAGE_ID_RE = re.compile(rf"<?({_GAME})\.({_SEAT})\.({_TOKEN})\.[0-9a-f]{{16}}@")
_SUBJECT_TAG_RE = re.compile(
    rf"\[({_GAME})[ \t]+([^\s\[\]#]{{1,20}})[ \t]+([^\[\]#]{{1,60}}?)[ \t]*(?:#({_TOKEN}))?\]"
)
_TAG_AS_WRITTEN = re.compile(_SUBJECT_TAG_RE.pattern, re.IGNORECASE)
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
_MAX_TAGGED_SUBJECT_CHARS = 1000


class SenderClaim(Record, frozen=True, kw_only=True):
    """An email's claim about its sender. seat: in its short form. token None: a claim without proof."""

    game: str
    seat: str
    token: str | None = None


def is_game_name(text: str, *, imported: bool = False) -> bool:
    """Return whether a text can be the name of a game: 1 to 20 of ``a-z0-9-``, and not reserved.

    imported: whether the game may have begun before all of these names were reserved.
    """
    return re.fullmatch(_GAME, text) is not None and text not in (_NOT_GAMES if imported else RESERVED_NAMES)


@lru_cache(maxsize=1024)
def short_seat_name(seat: str) -> str:
    """Return a seat as addresses have it: lower case, no accents, hyphens in place of other characters."""
    bare = unicodedata.normalize("NFKD", seat.casefold()).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", bare).strip("-")


@lru_cache(maxsize=4096)
def reply_token(key: bytes, game: str, seat: Seat, generation: int, turn: str) -> str:
    """Return the token that proves knowledge of an email to a seat: 13 characters, valid for one turn's
    orders.

    HMAC-SHA256 over ``game|seat|generation|turn``, 64 bits of it in base32, lower case. turn: the short name.
    """
    text = f"{game}|{short_seat_name(seat)}|{generation}|{turn}".encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")[:8]).decode().rstrip("=").lower()


def is_same_token(token: str, other: str) -> bool:
    """Return whether two tokens are equal, in constant time."""
    return hmac.compare_digest(token.encode(), other.encode())


def reply_address(service_address: str, game: str, seat: Seat, token: str) -> str:
    """Return the reply address of a seat: ``gm+demo.iroquois.<token>@example.org``.

    If the part before @ would be longer than 64 octets, it is the bare service address. The token is then
    only in the subject and the Message-ID.
    """
    local, _, domain = service_address.rpartition("@")
    full = f"{local}+{game}.{short_seat_name(seat)}.{token}"
    return f"{full}@{domain}" if len(full) <= 64 else service_address


def sent_address(service_address: str) -> str:
    """Return the address for copies of our emails, which prove that they were accepted:
    ``gm+sent@example.org``."""
    local, _, domain = service_address.rpartition("@")
    return f"{local}+sent@{domain}"


def bounce_address(service_address: str, key: bytes, message_id: str) -> str:
    """Return the envelope sender for bounces of an email: ``gm+b.HASH.<proof>@example.org``.

    HASH: of its Message-ID. proof: prevents forged bounces. If the part before @ would be longer than 64
    octets, it is the bare service address.
    """
    local, _, domain = service_address.rpartition("@")
    mark = message_id.partition("@")[0][-16:]
    full = f"{local}+b.{mark}.{_bounce_proof(key, mark)}"
    return f"{full}@{domain}" if len(full) <= 64 else service_address


def find_bounce_address(service_address: str, key: bytes, addresses: Iterable[str]) -> str | None:
    """Return the bounce address among an email's recipient addresses, or None if there is none."""
    for address in addresses:
        match = _BOUNCE.search(address.lower())
        if match and is_same_token(match[2], _bounce_proof(key, match[1])):
            return bounce_address(service_address, key, f"<{match[1]}@")
    return None


def _bounce_proof(key: bytes, mark: str) -> str:
    return base64.b32encode(hmac.digest(key, f"bounce|{mark}".encode(), "sha256")[:8]).decode()[:13].lower()


def subject_tag(
    game: str, turn: str | None = None, seat: Seat | None = None, token: str | None = None
) -> str:
    """Return the tag at the end of our subjects: ``[demo S1M Iroquois #token]``, or parts of it."""
    words = [game, turn, seat, f"#{token}" if token else None]
    return "[" + " ".join(word for word in words if word) + "]"


def message_id(key: bytes, outbox_key: str, domain: str, claim: SenderClaim | None = None) -> str:
    """Return the Message-ID of an email, always the same for the same email.

    claim: the claim of replies to it.

    ``<game.seat.token.HASH@domain>``, or ``<HASH@domain>`` without a claim with a token. HASH: 16 hexadecimal
    digits of HMAC-SHA256 over the outbox key.
    """
    digest = hmac.digest(key, outbox_key.encode(), "sha256").hex()[:16]
    if claim is None or claim.token is None:
        return f"<{digest}@{domain}>"
    return f"<{claim.game}.{claim.seat}.{claim.token}.{digest}@{domain}>"


def claims(addresses: Iterable[str], subject: str, message_ids: Iterable[str]) -> tuple[SenderClaim, ...]:
    """Return all claims of an email about its sender, without duplicates: from addresses, subject and thread.

    addresses: of its recipients, bare or in header form. message_ids: from In-Reply-To and References.
    """
    matches = [match for address in addresses for match in _SEAT_PLUS_RE.findall(address.lower())]
    tags = _SUBJECT_TAG_RE.findall(" ".join(subject[:_MAX_TAGGED_SUBJECT_CHARS].split()).lower())
    matches += [(game, seat, token) for game, _turn, seat, token in tags]
    matches += [
        match for message_id in message_ids for match in _SEAT_MESSAGE_ID_RE.findall(message_id.lower())
    ]
    made = (
        SenderClaim(game=game, seat=short_seat_name(seat), token=token or None)
        for game, seat, token in matches
    )
    return tuple(dict.fromkeys(claim for claim in made if claim.game not in _NOT_GAMES and claim.seat))


def tagged_turns(subject: str) -> tuple[tuple[str, str], ...]:
    """Return the turns in a subject's tags, each after its game, in their original spelling."""
    tags = _TAG_AS_WRITTEN.findall(" ".join(subject[:_MAX_TAGGED_SUBJECT_CHARS].split()))
    return tuple(dict.fromkeys((game.lower(), turn) for game, turn, _seat, _token in tags))


def valid_address(text: str) -> str | None:
    """Return the address in lower case if it is safe to write to, otherwise None.

    A bare ``local@domain``. An international domain is converted to ASCII. The part before the @ can have
    letters of any script (SMTPUTF8). Characters that could smuggle in an SMTP command are rejected: blanks,
    control characters, angle brackets, quotes.
    """
    local, at, domain = unicodedata.normalize("NFC", text).strip(" \t").lower().rpartition("@")
    try:
        domain = domain if domain.isascii() else domain.encode("idna").decode()
    except UnicodeError:
        return None
    # Letters and digits of any script are accepted wherever ASCII ones are.
    masked = "".join(
        "x" if not char.isascii() and unicodedata.category(char)[0] in "LMN" else char for char in local
    )
    if not at or not _LOCAL.fullmatch(masked) or not _DOMAIN.fullmatch(domain):
        return None
    return f"{local}@{domain}" if len(local.encode()) <= 64 and len(domain) <= 253 else None


def is_own(address: str, service_address: str) -> bool:
    """Return whether emails to an address come to us: it is the service's, with or without a ``+suffix``."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == service_address.lower()


def is_signer_for_domain(signer: str, domain: str) -> bool:
    """Return whether a signer of one domain can sign for another: the same domain, or one above it."""
    above = signer.rpartition("@")[2].strip(".").lower()
    return "." in above and (domain == above or domain.endswith("." + above))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself, by its address or the name localhost."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
