"""What the receiving server says of a sender: Authentication-Results (RFC 8601), judged.

Anybody can write such a header. Only the topmost that bears the configured name is believed, since a server
puts its own above all that it was handed, and takes away what pretends to be its own.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.signs.addresses import covers
from orders.letters.headers import divide, read_headers

_NAMED = re.compile(r"\s*([^\s;=]+)(?:\s+[\d.]+)?\s*\Z")
_RESULT = re.compile(r"\s*([a-z][a-z0-9-]*)(?:\s*/\s*\d+)?\s*=\s*([a-z]+)(?=\s|\Z)", re.IGNORECASE)
_PROPERTY = re.compile(
    r"(?<!\S)([a-z]+)\s*\.\s*([a-z0-9-]+)\s*=\s*(\"[^\"]*\"|[^\s;\"]+)(?=\s|\Z)", re.IGNORECASE
)


class Result(NamedTuple):
    """One result: the method ("dmarc", "dkim"), its result, and what it is about, as {"header.d": ...}."""

    method: str
    result: str
    about: Mapping[str, str]


def results_of(raw: bytes, authserv_id: str) -> tuple[Result, ...]:
    """The results that the server of that name wrote into a letter; none where it wrote none."""
    for header in read_headers(divide(raw)[0]):
        if header.name == "authentication-results":
            name, *results = _pieces(header.value.decode("utf-8", "replace"))
            named = _NAMED.match(name)
            if named and named[1].lower() == authserv_id.lower():
                return tuple(filter(None, map(_result, results)))
    return ()


def vouches(results: Sequence[Result], domain: str) -> bool:
    """Whether results show that a letter is from somebody of a domain, by DMARC or by a signature of it."""
    policies = [one for one in results if one.method == "dmarc" and one.result != "none"]
    if policies:
        return len(policies) == 1 and _passed(policies[0], "header.from", domain)
    return any(
        one.method == "dkim"
        and one.result == "pass"
        and covers(one.about.get("header.d") or one.about.get("header.i", ""), domain)
        for one in results
    )


def _passed(one: Result, about: str, domain: str) -> bool:
    return one.result == "pass" and one.about.get(about, "").rpartition("@")[2].lower() == domain


def _pieces(text: str) -> list[str]:
    """The text without its comments, parted at the semicolons that stand in no quotation.

    Quotation marks count in comments too: a server may repeat there what a sender chose. What is not closed
    leaves nothing after it.
    """
    pieces, depth, quoted, at = [""], 0, False, 0
    while at < len(text):
        char = text[at]
        if char == "\\" and (quoted or depth):
            at += 1
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "()":
            depth = depth + 1 if char == "(" else max(depth - 1, 0)
            char = " "
        if depth == 0 and char == ";" and not quoted:
            pieces.append("")
        elif depth == 0 and char != "\\":
            pieces[-1] += char
        at += 1
    return pieces if not quoted and not depth else pieces[:1]


def _result(piece: str) -> Result | None:
    found = _RESULT.match(piece)
    if found is None:
        return None
    about = {
        f"{kind.lower()}.{name.lower()}": value.strip('"')
        for kind, name, value in _PROPERTY.findall(piece[found.end() :])
    }
    return Result(found[1].lower(), found[2].lower(), about)
