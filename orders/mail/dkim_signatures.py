"""DKIM signatures (RFC 6376) of an email: the domain that signed and the headers it covers.

Other code checks whether a signature is good. This module reads what a good one would prove: the standard
lets any relay add headers to an email, so only signed headers are the author's.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from games.record import Record
from orders.mail.headers import Header, read_headers, split_message

SIGNED_ONCE = ("from", "date", "subject", "message-id")
"""Headers that an author writes once."""

READ_HEADERS = (*SIGNED_ONCE, "to", "cc", "in-reply-to", "references")
"""The headers that we read.

An email may contain each only once, because programs differ in which one they show.
"""

_REQUIRED_SIGNED_HEADERS = frozenset({"from", "date", "message-id"})
"""Headers without which a signature proves too little. An email without a Subject says nothing in it."""

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BLANKS = re.compile(rb"[ \t]+")


class Signature(Record, frozen=True, kw_only=True):
    """A signature.

    domain, selector: its owner, in lower case; value: its base64 text without blanks; headers: the names of
    the headers that it covers, in lower case, as often as it names them; is_partial: it covers a part of the
    body (l=).
    """

    domain: str
    selector: str
    value: str
    headers: tuple[str, ...]
    is_partial: bool = False


def read_signatures(headers: Sequence[Header]) -> tuple[Signature | None, ...]:
    """Return the signatures of an email from the top; None for one that can't be read."""
    return tuple(_read(header.value) for header in headers if header.name == "dkim-signature")


def _read(value: bytes) -> Signature | None:
    tags: dict[str, str] = {}
    pieces = value.decode("latin-1").split(";")
    if not pieces[-1].strip():
        pieces.pop()
    for piece in pieces:
        name, sign, content = piece.partition("=")
        name = name.strip()
        # If a tag occurs twice, programs may read the first or the last.
        if not sign or not _TAG_NAME.fullmatch(name) or name in tags:
            return None
        tags[name] = "".join(content.split())
    if any(not tags.get(name) for name in ("d", "s", "h", "b")):
        return None
    return Signature(
        domain=tags["d"].lower(),
        selector=tags["s"].lower(),
        value=tags["b"],
        headers=tuple(tags["h"].lower().split(":")),
        is_partial="l" in tags,
    )


def is_unambiguous(headers: Sequence[Header]) -> bool:
    """Return whether each header that we read occurs at most once in an email."""
    count = Counter(header.name for header in headers)
    return all(count[name] <= 1 for name in READ_HEADERS)


def covers_message(signature: Signature, headers: Sequence[Header]) -> bool:
    """Return whether a signature covers all of the body, and From, Date, Subject and Message-ID."""
    count, signed = Counter(header.name for header in headers), set(signature.headers)
    missing = [name for name in SIGNED_ONCE if count[name] and name not in signed]
    return not signature.is_partial and not missing and signed >= {"from"}


def covers_recipients(signature: Signature, headers: Sequence[Header]) -> bool:
    """Return whether a signature covers the whole message and its recipients.

    It must cover From, Date, Subject, Message-ID, and each To and Cc; none of them may occur twice.
    """
    count, signed = Counter(header.name for header in headers), Counter(signature.headers)
    recipients = all(signed[name] >= count[name] for name in ("to", "cc"))
    return (
        recipients
        and all(count[name] for name in _REQUIRED_SIGNED_HEADERS)
        and is_unambiguous(headers)
        and covers_message(signature, headers)
    )


# The hash is computed when an email is authenticated, and again when it has been accepted.
@lru_cache(maxsize=8)
def content_hash(raw: bytes) -> str:
    """Return a SHA-256 that two emails share if one signature could be good for both.

    A signature overlooks blanks and folded lines (RFC 6376 §3.4), and its own text can be written in several
    ways. So this is the hash of what every signature that we accept covers, with blanks made alike.
    """
    block, body = split_message(raw)
    headers = read_headers(block)
    digest = hashlib.sha256()
    # The order is fixed, because only their names are signed.
    for name in (*SIGNED_ONCE, "to", "cc"):
        values = (b" ".join(header.value.split()) for header in headers if header.name == name)
        digest.update(name.encode() + b":" + b"\0".join(values) + b"\n")
    lines = (_BLANKS.sub(b" ", line).rstrip(b" \r") for line in body.split(b"\n"))
    digest.update(b"\n".join(lines).rstrip(b"\n"))
    return digest.hexdigest()
