"""Passwords of seats, stored only as scrypt hashes."""

import base64
import hashlib
import hmac
import secrets
import unicodedata

_COST, _BLOCK, _LANES = 1 << 14, 8, 1
_DEAREST = (_COST, _BLOCK, _LANES)
_MEMORY_BYTES = 64 * 1024 * 1024

MAX_PASSWORD_CHARS = 1000
"""The maximum number of characters of a password."""

NOBODYS = f"scrypt${_COST}${_BLOCK}${_LANES}${'A' * 22}==${'A' * 43}="
"""The hash for a seat without a password. No password matches it, and checking takes the same time."""


def seal(password: str) -> str:
    """Return the text to store for a password: ``scrypt$cost$block$lanes$salt$hash``, different each time."""
    salt = secrets.token_bytes(16)
    return "$".join(
        [
            "scrypt",
            str(_COST),
            str(_BLOCK),
            str(_LANES),
            _text(salt),
            _text(_hash(password, salt, _COST, _BLOCK, _LANES)),
        ]
    )


def is_correct(password: str, sealed: str) -> bool:
    """Return whether a password matches the stored text.

    Raises ValueError if `seal` didn't write this text.
    """
    name, cost, block, lanes, salt, digest = sealed.split("$")
    if name != "scrypt":
        raise ValueError(f"passwords are stored with scrypt, not with {name}")
    computed = _hash(password[:MAX_PASSWORD_CHARS], base64.b64decode(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(computed, base64.b64decode(digest)) and len(password) <= MAX_PASSWORD_CHARS


def is_sealed(text: str) -> bool:
    """Return whether `seal` can have written a text and checking a password against it is cheap enough."""
    name, *parts = text.split("$")
    if name != "scrypt" or len(parts) != 5:
        return False
    try:
        cost, block, lanes = (int(part) for part in parts[:3])
        salt, digest = (base64.b64decode(part, validate=True) for part in parts[3:])
    except ValueError:
        return False
    dear = any(asked > most for asked, most in zip((cost, block, lanes), _DEAREST, strict=True))
    return not dear and cost > 1 and cost & (cost - 1) == 0 and len(salt) == 16 and len(digest) == 32


def _hash(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    # Mail programs differ in how they compose accents and whether they keep trailing spaces.
    text = unicodedata.normalize("NFKC", password.strip()).encode()
    return hashlib.scrypt(text, salt=salt, n=cost, r=block, p=lanes, maxmem=_MEMORY_BYTES, dklen=32)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
