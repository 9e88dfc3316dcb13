"""Lookups of DNS names: the TXT records of a name. The library for it is optional."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from adjudicator.errors import PostFault

Texts = Callable[[str], tuple[str, ...] | None]
"""Asked for the TXT records of a name; None where there is no such name. May raise PostFault."""

LOOKUP_SECONDS = 5.0
EXTRA = "pip install turnpost[dkim]"
"""What has to be done where the library is missing."""


def has_resolver() -> bool:
    """Return whether names can be looked up: the library is installed."""
    return find_spec("dns") is not None


def txt_records(name: str) -> tuple[str, ...] | None:
    """The TXT records of a name, by this machine's resolver; None where there is no such name.

    Raises PostFault where nobody answers in time.
    """
    dns = _library()
    try:
        answer = _resolver().resolve(name, "TXT", lifetime=LOOKUP_SECONDS, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return None
    except (dns.exception.DNSException, OSError, ValueError) as fault:
        raise PostFault(f"name {name}", f"could not be looked up ({type(fault).__name__})", 60.0) from fault
    return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer.rrset or ())


@cache
def _library() -> Any:
    import_module("dns.resolver")
    return import_module("dns")


@cache
def _resolver() -> Any:
    return _library().resolver.Resolver()
