"""The one mailbox that a From header names, if it is exactly one by RFC 5322.

`headers.addresses` finds addresses in whatever somebody wrote. Here a header counts only if every program
finds the same address in it: what one program takes for a name and another for an address names nobody.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from email.utils import getaddresses
from functools import partial
from inspect import signature

from orders.mail.headers import addresses

MAX_FROM_HEADER_CHARS = 1_000
"""Characters of a From header at most. Names are shorter, and the standard library is slow on long ones."""

_SPECIAL = r"\x00-\x20\x7f()<>@,;:\\\"\[\]"
_ATOM = rf"[^{_SPECIAL}.]++"
_ADDRESS_REGEX = rf"{_ATOM}(?:\.{_ATOM})*+@{_ATOM}(?:\.{_ATOM})*+"
# Words of a name may hold dots (J. R. Doe), which the standard calls obsolete and everybody writes.
_DISPLAY_NAME_REGEX = rf'(?:[ ]++|[^{_SPECIAL}]++|"(?:[^"\\]|\\.)*+")*+'
_MAILBOX = re.compile(rf"{_DISPLAY_NAME_REGEX}<[ ]*({_ADDRESS_REGEX})[ ]*>[ ]*|[ ]*({_ADDRESS_REGEX})[ ]*")
_QUOTED_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"|\((?:[^()\\]|\\.)*+\)')

_INVISIBLE_CHARACTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Letters and marks that show nothing, beside the characters whose category says so."""


_Reader = Callable[[Sequence[str]], list[tuple[str, str]]]
_lenient: _Reader = (
    partial(getaddresses, strict=False) if "strict" in signature(getaddresses).parameters else getaddresses
)
"""How a header is read that may hold something odd beside an address; later Pythons would give it up."""


def sole_mailbox(value: bytes) -> str | None:
    """Return the address of a From header in lower case; None if the header is not exactly one mailbox.

    Any name may stand before the address, and one comment that holds no other. The address has no quotation,
    no comment within it and no character that cannot be seen.
    """
    text = _decode_header(value)
    if len(text) > MAX_FROM_HEADER_CHARS or any(unicodedata.category(char) == "Cc" for char in text):
        return None
    comments = 0

    def blanked(match: re.Match[str]) -> str:
        nonlocal comments
        comments += match[0][0] == "("
        return " " if match[0][0] == "(" else match[0]

    # A comment that holds another leaves a bracket, and an address has none.
    plain = _QUOTED_OR_COMMENT.sub(blanked, text)
    mailbox = _MAILBOX.fullmatch(plain)
    if mailbox is None or comments > 1:
        return None
    address = mailbox[1] or mailbox[2]
    by_library = _by_library(text, getaddresses)
    return address.lower() if by_library == [address] and _is_plain(address) else None


def agreed_addresses(value: bytes) -> tuple[str, ...]:
    """Return the addresses of a To or Cc header that the standard library finds in it too, in lower case."""
    standard = {address.lower() for address in _by_library(_decode_header(value), _lenient)}
    return tuple(address for address in addresses(value) if address in standard)


def _by_library(text: str, reader: _Reader) -> list[str]:
    try:
        return [address for _, address in reader([text])]
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return []  # thousands of brackets, for one


def _decode_header(value: bytes) -> str:
    text = value.replace(b"\t", b" ")
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _is_plain(address: str) -> bool:
    """Return whether each character of an address can be seen and is still the same one in lower case."""
    if address.isascii():
        return True
    return unicodedata.is_normalized("NFC", address) and all(map(_is_plain_character, address))


def _is_plain_character(char: str) -> bool:
    if char.isascii():
        return True
    # The sign for kelvin would become a k, and so another mailbox.
    letter = unicodedata.category(char)[0] in "LMN" and char not in _INVISIBLE_CHARACTERS
    return letter and not any(plain.isascii() for plain in char.lower())
