"""The private parts of a log, and how to leave them out without a gap in the verification.

The hash of an entry covers, in the place of each private part, the digest of a salt and that part. Whoever
has the salt can check the part; whoever has the digest alone learns nothing, and can check the chain.
"""

import hashlib
import hmac
from typing import Any

from games.record import canonical

ALWAYS_PRIVATE = ("by", "why")
"""Private of every entry: who it was, and what he said."""

BOTS_PART = "bots"
"""Private of a turn while its game goes on: what the bots said of their orders, and their throws."""

PRIVATE_BY_KIND = {
    "turn": (BOTS_PART,),
    "orders": ("before", "orders", "texts"),
    "rollback": ("before",),
    "die": ("label", "numbers"),
}
"""What else is private, by the kind of entry: what lies on file, or is yet to fall."""

_SALT_BYTES = 16


def private_parts(kind: str) -> tuple[str, ...]:
    """The names of the private parts of an entry of a kind."""
    return (*ALWAYS_PRIVATE, *PRIVATE_BY_KIND.get(kind, ()))


def derive_salt(pepper: bytes, number: int, part: str) -> str:
    """The salt of one part of one entry. pepper: a secret of the game's, which is never told."""
    return hmac.digest(pepper, f"{number}|{part}".encode(), "sha256")[:_SALT_BYTES].hex()


def digest_part(part: str, salt: str, value: Any) -> str:
    """Return the digest that stands for a part. value: plain."""
    return hashlib.sha256(digest_input(part, salt, value)).hexdigest()


def digest_input(part: str, salt: str, value: Any) -> bytes:
    """Return the bytes whose SHA-256 is the digest of a part."""
    return canonical([part, salt, value])


def blank_value(value: Any) -> Any:
    """Return the value that stands where something is left out: nothing, of the same type."""
    return type(value)()
