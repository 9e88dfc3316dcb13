"""The sign by which somebody who holds no seat is known again: that he got a letter of ours.

It stands in the address that our letter asks to be answered at, and is good for the month and the next.
"""

import base64
import hmac
import re
from collections.abc import Iterable

from adjudicator.clock import Millis

MONTH: Millis = 30 * 24 * 3_600_000
_PLUS = re.compile(r"\+you\.([a-z2-7]{13})@")


def person_address(key: bytes, service_address: str, address: str, now: Millis) -> str:
    """Where somebody answers to: ``gm+you.<token>@example.org``."""
    local, _, domain = service_address.rpartition("@")
    return f"{local}+you.{_token(key, address, now // MONTH)}@{domain}"


def proves(key: bytes, address: str, recipients: Iterable[str], now: Millis) -> bool:
    """Whether a letter went to what we told that address alone, this month or in the one before."""
    tokens = [token for one in recipients for token in _PLUS.findall(one.lower())]
    good = [_token(key, address, now // MONTH - back) for back in (0, 1)]
    return any(hmac.compare_digest(token, one) for token in tokens for one in good)


def _token(key: bytes, address: str, month: int) -> str:
    # The bar in front keeps it apart from the token of any seat.
    text = f"|{address.lower()}|{month}".encode()
    return base64.b32encode(hmac.digest(key, text, "sha256")[:8]).decode().rstrip("=").lower()
