"""Whether a letter bears a good DKIM signature of its sender's domain. The library for it is optional.

It is stricter than the standard, which lets whoever passes a letter on add to it: all of the body has to be
signed, and every header that we read, none of which may stand there twice.
"""

import re
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from logging import CRITICAL, getLogger
from typing import Any

from adjudicator.errors import PostFault
from adjudicator.post.dns import Texts, has_resolver
from adjudicator.signs.addresses import covers
from orders.letters.headers import Header, divide, read_headers

READ_HEADERS = ("from", "to", "subject", "date", "message-id", "in-reply-to", "references")
"""What we read of a letter's head: nothing of it twice, and signed."""

MOST_SIGNATURES, SMALLEST_KEY, LONGEST_KEY = 5, 1024, 2_000
"""Signatures looked at; the bits of an RSA key at least; characters of a key's record at most."""

# What would make the library's regular expressions slow is in no letter of a mail program.
_SLOW_HEAD, _SLOW_BODY = re.compile(rb"\s{40}"), re.compile(rb"[ \t]{100}")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)")
_OPTIONAL = frozenset({"to", "in-reply-to", "references"})
"""Left unsigned by some; who adds one of these gets no further than with a letter of his own."""


def can_check() -> bool:
    """Whether signatures can be checked: the libraries are installed."""
    return find_spec("dkim") is not None and has_resolver()


def signed_by(raw: bytes, domain: str, texts: Texts) -> bool:
    """Whether a domain, or one above it, has signed all that we read of a letter. Never raises.

    texts: by which the keys are found; where it fails the letter counts as unsigned.
    """
    block, body = divide(raw)
    headers = read_headers(block)
    names = Counter(header.name for header in headers)
    if any(names[name] > 1 for name in READ_HEADERS) or _SLOW_HEAD.search(block) or _SLOW_BODY.search(body):
        return False
    signatures = [header for header in headers if header.name == "dkim-signature"]
    return any(
        _speaks_for(signature, domain, names) and _is_good(raw, place, texts)
        for place, signature in enumerate(signatures[:MOST_SIGNATURES])
    )


def _speaks_for(signature: Header, domain: str, names: Counter[str]) -> bool:
    """Whether a signature is of that domain, and about all that has to be signed."""
    tags = {name: "".join(value.split()) for name, value in _TAG.findall(signature.value.decode("latin-1"))}
    signer, signed = tags.get("d", "").lower(), tags.get("h", "").lower().split(":")
    missing = [name for name in READ_HEADERS if names[name] and name not in signed and name not in _OPTIONAL]
    return covers(signer, domain) and "l" not in tags and not missing


def _is_good(raw: bytes, place: int, texts: Texts) -> bool:
    dkim = _library()
    refused = (
        *(dkim.DKIMException, dkim.UnparsableKeyError, dkim.DigestTooLargeError, dkim.InvalidTagValueList),
        *(import_module("dkim.asn1").ASN1FormatError, dkim.InvalidCanonicalizationPolicyError),
        *(PostFault, ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    )

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        found = texts(name.decode("ascii").rstrip(".")) or ()
        return next((text.encode() for text in found if "p=" in text and len(text) <= LONGEST_KEY), None)

    try:
        checked = dkim.DKIM(raw, logger=_quiet(), minkey=SMALLEST_KEY)
        return bool(checked.verify(idx=place, dnsfunc=key))
    except refused:  # whoever signs badly has not signed
        return False


@cache
def _library() -> Any:
    return import_module("dkim")


@cache
def _quiet() -> Any:
    quiet = getLogger("dkimpy")
    quiet.setLevel(CRITICAL)
    return quiet
