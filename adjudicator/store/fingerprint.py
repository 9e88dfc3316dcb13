"""The fingerprint of a letter: what makes it the same letter, wherever and however often it is found."""

import hashlib
import re

_HEAD_LIMIT_BYTES = 65536
_HEADER = rb"^%s[ \t]*:((?:[^\n]*)(?:\n[ \t][^\n]*)*)"
_PATTERNS = tuple(
    re.compile(_HEADER % name, re.IGNORECASE | re.MULTILINE) for name in (b"message-id", b"date", b"from")
)


def fingerprint(raw: bytes) -> str:
    """SHA-256 of Message-ID, Date, From and body, in hexadecimal.

    Not the Message-ID alone, since mail programs repeat it; not the whole, since each way that a letter
    takes adds its own headers. Line ends do not count, nor how the headers are folded. Raises nothing.
    """
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    digest = hashlib.sha256()
    for pattern in _PATTERNS:
        found = pattern.search(head[:_HEAD_LIMIT_BYTES])
        digest.update(b" ".join(found.group(1).split()) if found else b"")
        digest.update(b"\0")
    digest.update(body.rstrip())
    return digest.hexdigest()
