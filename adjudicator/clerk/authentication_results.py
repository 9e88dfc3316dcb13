"""What the receiving server says of a sender: Authentication-Results (RFC 8601), judged.

Anybody can write such a header. Only the topmost that bears the configured name is believed, since a server
puts its own above all that it was handed, and takes away what pretends to be its own.

A server repeats in it what a sender chose: an address, the name of a signature, in comments the name by which
another server greeted it (HELO). So a header that can be read in two ways, or that says two things of one
matter, says nothing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.signs.addresses import covers
from orders.letters.dkim_signatures import Signature
from orders.letters.headers import divide, read_headers

_NAMED = re.compile(r"\s*([^\s;=]+)(?:\s+[\d.]+)?\s*\Z")
_RESULT = re.compile(r"\s*([a-z][a-z0-9-]*)(?:\s*/\s*\d+)?\s*=\s*([a-z][^\s\"\\=]*)(?=\s|\Z)", re.IGNORECASE)
_VALUE = r"(?:[^\s\"\\]|\"(?:[^\"\\]|\\.)*+\")++"
_PROPERTY = re.compile(
    rf"\s*+(?:([a-z]+)\s*+\.\s*+([a-z0-9_-]+)\s*+=\s*+({_VALUE})|{_VALUE})(?=\s|\Z)", re.IGNORECASE
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_COMMENT = re.compile(r"\([^()]*+\)")


class Result(NamedTuple):
    """One result: the method ("dmarc", "dkim"), its result, and what it is about, as {"header.d": ...}."""

    method: str
    result: str
    about: Mapping[str, str]


def results_of(raw: bytes, authserv_id: str) -> tuple[Result, ...]:
    """The results that the server of that name wrote into a letter; none where it wrote none."""
    for header in read_headers(divide(raw)[0]):
        if header.name == "authentication-results":
            text = header.value.decode("utf-8", "replace")
            named = _NAMED.match(_COMMENT.sub(" ", text.partition(";")[0]))
            if named and named[1].lower() == authserv_id.lower():
                return _results(text)
    return ()


def vouches(results: Sequence[Result], domain: str) -> bool:
    """Whether results show that a letter is from somebody of a domain, by DMARC or by a signature of it.

    It need not have been written to us.
    """
    policies = _policies(results)
    if policies:
        return _has_one_pass(policies, domain)
    return any(one.method == "dkim" and one.result == "pass" and _is_of(one, domain) for one in results)


def sent_by(results: Sequence[Result], address: str) -> bool:
    """Return whether the server of an address handed a letter over in its name, to us.

    DMARC passes, and so does SPF, for that very address as the sender of the envelope: whoever passes a
    letter on has an envelope of their own.
    """
    policies, checks = _policies(results), [one for one in results if one.method == "spf"]
    senders = [one.about["smtp.mailfrom"].lower() for one in results if "smtp.mailfrom" in one.about]
    handed_over = [one.result for one in checks] == ["pass"] and "smtp.mailfrom" in checks[0].about
    is_theirs = handed_over and set(senders) == {address}
    return is_theirs and bool(policies) and _has_one_pass(policies, address.rpartition("@")[2])


def passed_signatures(
    results: Sequence[Result], signatures: Sequence[Signature | None], domain: str
) -> tuple[tuple[Signature, ...], ...]:
    """Return for each signature of a domain that passed those of a letter that the result may mean.

    A result that names no more than the domain may mean several: each of them has to cover what is to be
    proved, since anybody can add one that only looks like it. Results of which there are more than
    signatures, or that contradict each other, mean none.
    """
    checks = [one for one in results if one.method == "dkim" and one.result != "none"]
    policies = _policies(results)
    if len(checks) > len(signatures) or (policies and not _has_one_pass(policies, domain)):
        return ()
    known = [one for one in signatures if one is not None]
    meant = [(check.result, tuple(one for one in known if _means(check, one))) for check in checks]
    denied = {group for result, group in meant if result != "pass" and len(group) == 1}
    return tuple(
        group
        for result, group in meant
        if result == "pass"
        and group
        and group not in denied
        and all(covers(one.domain, domain) for one in group)
    )


def _means(check: Result, signature: Signature) -> bool:
    """Return whether a result may be that of a signature, by all the properties that name it."""
    about = check.about
    signer = about.get("header.d") or about.get("header.i", "").rpartition("@")[2]
    named = signature.domain == signer.lower()
    if "header.d" not in about and signer:
        named = covers(signature.domain, signer.lower())
    return (
        named
        and about.get("header.s", signature.selector).lower() == signature.selector
        and signature.value.startswith(about.get("header.b", ""))
    )


def _policies(results: Sequence[Result]) -> list[Result]:
    return [one for one in results if one.method == "dmarc" and one.result != "none"]


def _has_one_pass(policies: Sequence[Result], domain: str) -> bool:
    return len(policies) == 1 and _passed(policies[0], "header.from", domain)


def _is_of(one: Result, domain: str) -> bool:
    return covers(one.about.get("header.d") or one.about.get("header.i", ""), domain)


def _passed(one: Result, about: str, domain: str) -> bool:
    return one.result == "pass" and one.about.get(about, "").rpartition("@")[2].lower() == domain


def _results(text: str) -> tuple[Result, ...]:
    """Return all results of a header; none if it can be read in two ways."""
    pieces = _pieces(text, quotes_in_comments=True)
    if pieces is None or pieces != _pieces(text, quotes_in_comments=False):
        return ()
    results = [_result(piece) for piece in pieces[1:] if piece.strip()]
    known = [one for one in results if one is not None]
    # "none" by itself is no result, and says that there are no others (RFC 8601 §2.2).
    return tuple(known) if len(known) == len(results) else ()


def _pieces(text: str, *, quotes_in_comments: bool) -> list[str] | None:
    """Return the text without its comments, parted at the semicolons that stand in no quotation.

    quotes_in_comments: whether a quotation in a comment may hold a bracket. By the standard it may not, and a
    server may repeat an address there that has one. None for brackets and quotations that do not match.
    """
    pieces, depth, quoted, at = [""], 0, False, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            if not (quoted or depth):
                return None
            pieces[-1] += text[at : at + 2] if not depth else ""
            at += 2
            continue
        if char == '"' and (quotes_in_comments or not depth):
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                return None
            char = " "
        if depth == 0 and char == ";" and not quoted:
            pieces.append("")
        elif depth == 0:
            pieces[-1] += char
        at += 1
    return pieces if not quoted and not depth else None


def _result(piece: str) -> Result | None:
    """Return a result; None for text that is none, or that names a property twice."""
    found = _RESULT.match(piece)
    if found is None:
        return None
    about: dict[str, str] = {}
    at = found.end()
    while piece[at:].strip():
        word = _PROPERTY.match(piece, at)
        if word is None:
            return None
        if word[1]:
            name, value = f"{word[1]}.{word[2]}".lower(), _unquoted(word[3])
            if about.setdefault(name, value) != value:
                return None
        at = word.end()
    return Result(found[1].lower(), found[2].lower(), about)


def _unquoted(value: str) -> str:
    whole = _QUOTED.fullmatch(value)
    return re.sub(r"\\(.)", r"\1", whole[1]) if whole else value
