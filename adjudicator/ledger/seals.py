"""What of a log is private, and how it is left out without a gap in the proof.

The hash of an entry covers, in the place of each private part, the digest of a salt and that part. Whoever
has the salt can check the part; whoever has the digest alone learns nothing, and can check the chain.
"""

import hashlib
import hmac
from typing import Any

from games.record import canonical

ALWAYS = ("by", "why")
"""Private of every entry: who it was, and what he said."""

BOTS = "bots"
"""Private of a turn while its game goes on: what the bots said of their orders, and their throws."""

BY_KIND = {
    "turn": (BOTS,),
    "orders": ("before", "orders", "texts"),
    "rollback": ("before",),
    "die": ("label", "numbers"),
}
"""What else is private, by the kind of entry: what lies on file, or is yet to fall."""

_SALT_BYTES = 16


def private(kind: str) -> tuple[str, ...]:
    """The names of the private parts of an entry of a kind."""
    return (*ALWAYS, *BY_KIND.get(kind, ()))


def salt(pepper: bytes, number: int, part: str) -> str:
    """The salt of one part of one entry. pepper: a secret of the game's, which is never told."""
    return hmac.digest(pepper, f"{number}|{part}".encode(), "sha256")[:_SALT_BYTES].hex()


def digest(part: str, salt: str, value: Any) -> str:
    """What stands for a part. value: plain."""
    return hashlib.sha256(covered(part, salt, value)).hexdigest()


def covered(part: str, salt: str, value: Any) -> bytes:
    """What that is the SHA-256 of."""
    return canonical([part, salt, value])


def blank(value: Any) -> Any:
    """What stands where something is left out: nothing, of the same type."""
    return type(value)()
