"""An email's valid DKIM signatures of its sender's domain. The library for it is optional.

Stricter than the standard, which lets a forwarder add to an email: the signature must cover the whole body
and the headers that we read, and none of these may occur twice.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from logging import CRITICAL, getLogger
from typing import Any

from adjudicator.errors import PostFault
from adjudicator.model.addresses import is_signer_for_domain
from orders.mail.dkim_signatures import Signature, covers_message, is_unambiguous, read_signatures
from orders.mail.headers import blank_lone_crs, block_of, read_headers, split_message
from orders.mail.letter import envelope_of

# Lookups of TXT records in DNS. The library for it is optional.


Texts = Callable[[str], tuple[str, ...] | None]
"""Returns the TXT records of a name, or None if the name doesn't exist. May raise PostFault."""

LOOKUP_SECONDS = 5.0
EXTRA = "pip install turnpost[dkim]"
"""The command that installs the library."""


def has_resolver() -> bool:
    """Return whether names can be looked up: the library is installed."""
    return find_spec("dns") is not None


def txt_records(name: str) -> tuple[str, ...] | None:
    """Return the TXT records of a name from this machine's resolver, or None if the name doesn't exist.

    Raises PostFault if a reply doesn't come in time.
    """
    records = _resource_records(name, "TXT")
    if records is None:
        return None
    return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in records)


def server_records(name: str, kind: str) -> tuple[Any, ...] | None:
    """Return the SRV or MX records of a name, as `discovery.Lookup` says. Raises PostFault."""
    records = _resource_records(name, kind)
    if records is None:
        return None
    if kind == "MX":
        return tuple((record.preference, _host_text(record.exchange)) for record in records)
    return tuple(
        (record.priority, record.weight, record.port, _host_text(record.target)) for record in records
    )


def _host_text(name: Any) -> str:
    return str(name.to_text(omit_final_dot=True)).removesuffix(".")


def _resource_records(name: str, kind: str) -> tuple[Any, ...] | None:
    dns = _dns_library()
    try:
        answer = _resolver().resolve(name, kind, lifetime=LOOKUP_SECONDS, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return None
    except (dns.exception.DNSException, OSError, ValueError) as fault:
        raise PostFault(f"name {name}", f"can't be looked up ({type(fault).__name__})", 60.0) from fault
    return tuple(answer.rrset or ())


@cache
def _dns_library() -> Any:
    import_module("dns.resolver")
    return import_module("dns")


@cache
def _resolver() -> Any:
    return _dns_library().resolver.Resolver()


MOST_SIGNATURES, SMALLEST_KEY, LONGEST_KEY = 5, 1024, 2_000
"""The limits: signatures checked, bits of an RSA key at least, characters of a key's record."""

# Rejects input that would make the library's regular expressions slow. No mail program writes it.
_SLOW_HEAD, _SLOW_BODY = re.compile(rb"\s{40}"), re.compile(rb"[ \t]{100}")


def can_check() -> bool:
    """Return whether signatures can be checked: the libraries are installed."""
    return find_spec("dkim") is not None and has_resolver()


def signed_by(raw: bytes, domain: str, texts: Texts) -> tuple[Signature, ...]:
    """Return the valid signatures of a domain, or of one above it, that cover a whole email. Never raises.

    They cover its body, From, Date, Subject and Message-ID; other recipients may be unsigned. texts: looks up
    the keys. If this fails, the email counts as unsigned.
    """
    raw = raw.removeprefix(envelope_of(raw))
    block, body = split_message(raw)
    headers = read_headers(block)
    if not is_unambiguous(headers) or _SLOW_HEAD.search(block) or _SLOW_BODY.search(body):
        return ()
    # The signature must be valid for the form of the email that we read.
    head = block_of(raw)
    raw = blank_lone_crs(head) + raw[len(head) :]
    signatures = read_signatures(headers)[:MOST_SIGNATURES]
    return tuple(
        signature
        for place, signature in enumerate(signatures)
        if signature is not None
        and is_signer_for_domain(signature.domain, domain)
        and covers_message(signature, headers)
        and _is_good(raw, place, texts)
    )


class KeyRecords:
    """The keys of signatures, looked up before emails are processed. Then processing needs no server.

    texts: looks up TXT records.
    """

    def __init__(self, texts: Texts = txt_records) -> None:
        self._texts = texts
        self._known: dict[str, tuple[str, ...] | None] = {}

    def look_up(self, letters: Iterable[bytes]) -> None:
        """Look up the keys of the signatures of emails, and forget earlier ones.

        If a lookup fails, the key is missing while these emails are processed.
        """
        names = {name for raw in letters for name in _key_names(raw)}
        self._known = {name: self._find(name) for name in names}

    def _find(self, name: str) -> tuple[str, ...] | None:
        with suppress(PostFault):
            return self._texts(name)
        return None

    def _records(self, name: str) -> tuple[str, ...] | None:
        name = name.lower()
        return self._known[name] if name in self._known else self._texts(name)

    def signed_by(self, raw: bytes, domain: str) -> tuple[Signature, ...]:
        """Return the valid signatures of a domain, as the function `signed_by` does."""
        return signed_by(raw, domain, self._records)


_ADDRESS_DOMAIN = re.compile(rb"@([\w.-]+)")


def _key_names(raw: bytes) -> Iterator[str]:
    """Yield the names of the keys that `signed_by` may ask for: of its sender's domain, or of its list's.

    Keys of other domains prove nothing, so a stranger can't make us ask for them.
    """
    headers = read_headers(split_message(raw.removeprefix(envelope_of(raw)))[0])
    senders = [header.value for header in headers if header.name in ("from", "list-post")]
    domains = {
        found.decode("ascii", "replace").lower().strip(".")
        for value in senders
        for found in _ADDRESS_DOMAIN.findall(value)
    }
    for signature in read_signatures(headers)[:MOST_SIGNATURES]:
        if (
            signature is not None
            and covers_message(signature, headers)
            and any(is_signer_for_domain(signature.domain, domain) for domain in domains)
        ):
            yield f"{signature.selector}._domainkey.{signature.domain}"


def _is_good(raw: bytes, place: int, texts: Texts) -> bool:
    dkim = _dkim_library()
    refused = (
        *(dkim.DKIMException, dkim.UnparsableKeyError, dkim.DigestTooLargeError, dkim.InvalidTagValueList),
        *(import_module("dkim.asn1").ASN1FormatError, dkim.InvalidCanonicalizationPolicyError),
        *(PostFault, ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    )

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        records = texts(name.decode("ascii").rstrip(".")) or ()
        return next((text.encode() for text in records if "p=" in text and len(text) <= LONGEST_KEY), None)

    try:
        checked = dkim.DKIM(raw, logger=_quiet(), minkey=SMALLEST_KEY)
        return bool(checked.verify(idx=place, dnsfunc=key))
    except refused:  # an invalid signature counts as none
        return False


@cache
def _dkim_library() -> Any:
    return import_module("dkim")


@cache
def _quiet() -> Any:
    quiet = getLogger("dkimpy")
    quiet.setLevel(CRITICAL)
    return quiet
