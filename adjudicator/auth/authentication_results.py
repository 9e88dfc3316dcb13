"""The receiving server's verdict on a sender: Authentication-Results (RFC 8601).

Anybody can write such a header. Only the topmost that bears the configured name is believed, since a
server puts its own above all that it was handed, and takes away what pretends to be its own.

A server repeats in it what a sender chose: an address, the name of a signature, in comments the name by
which another server greeted it (HELO). So a header that can be read in two ways, or that says two things
of one matter, says nothing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.model.addresses import is_signer_for_domain
from orders.mail.dkim_signatures import Signature
from orders.mail.headers import read_headers, split_message

_AUTHSERV_ID = re.compile(r"\s*([^\s;=]+)(?:\s+[\d.]+)?\s*\Z")
_METHOD_RESULT = re.compile(
    r"\s*([a-z][a-z0-9-]*)(?:\s*/\s*\d+)?\s*=\s*([a-z][^\s\"\\=]*)(?=\s|\Z)", re.IGNORECASE
)
_PROPERTY_VALUE = r"(?:[^\s\"\\]|\"(?:[^\"\\]|\\.)*+\")++"
_PROPERTY = re.compile(
    rf"\s*+(?:([a-z]+)\s*+\.\s*+([a-z0-9_-]+)\s*+=\s*+({_PROPERTY_VALUE})|{_PROPERTY_VALUE})(?=\s|\Z)",
    re.IGNORECASE,
)
_QUOTED_VALUE = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_RESULTS_COMMENT = re.compile(r"\([^()]*+\)")


class MethodResult(NamedTuple):
    """One result: the method ("dmarc", "dkim"), its result, and what it is about, as {"header.d": ...}."""

    method: str
    result: str
    about: Mapping[str, str]


def results_of(raw: bytes, authserv_id: str) -> tuple[MethodResult, ...]:
    """Return the results that the server of that name wrote into a letter; none where it wrote none."""
    for header in read_headers(split_message(raw)[0]):
        if header.name == "authentication-results":
            text = header.value.decode("utf-8", "replace")
            named = _AUTHSERV_ID.match(_RESULTS_COMMENT.sub(" ", text.partition(";")[0]))
            if named and named[1].lower() == authserv_id.lower():
                return _parse_results(text)
    return ()


def authenticates_domain(results: Sequence[MethodResult], domain: str) -> bool:
    """Return whether results show that a letter is from a domain, by DMARC or by its signature.

    It need not have been written to us.
    """
    policies = _dmarc_results(results)
    if policies:
        return _has_one_pass(policies, domain)
    return any(
        result.method == "dkim" and result.result == "pass" and _is_of(result, domain) for result in results
    )


def is_sent_by(results: Sequence[MethodResult], address: str) -> bool:
    """Return whether the server of an address handed a letter over in its name, to us.

    DMARC passes, and so does SPF, for that very address as the sender of the envelope: a person who
    passes a letter on has an envelope of their own.
    """
    policies, checks = _dmarc_results(results), [result for result in results if result.method == "spf"]
    senders = [result.about["smtp.mailfrom"].lower() for result in results if "smtp.mailfrom" in result.about]
    handed_over = [result.result for result in checks] == ["pass"] and "smtp.mailfrom" in checks[0].about
    is_theirs = handed_over and set(senders) == {address}
    return is_theirs and bool(policies) and _has_one_pass(policies, address.rpartition("@")[2])


def passed_signatures(
    results: Sequence[MethodResult], signatures: Sequence[Signature | None], domain: str
) -> tuple[tuple[Signature, ...], ...]:
    """Return for each signature of a domain that passed those of a letter that the result may mean.

    A result that names no more than the domain may mean several: each of them has to cover what is to be
    proved, since anybody can add one that only looks like it. Results of which there are more than
    signatures, or that contradict each other, mean none.
    """
    checks = [check for check in results if check.method == "dkim" and check.result != "none"]
    policies = _dmarc_results(results)
    if len(checks) > len(signatures) or (policies and not _has_one_pass(policies, domain)):
        return ()
    known = [signature for signature in signatures if signature is not None]
    meant = [
        (check.result, tuple(signature for signature in known if _is_result_of(check, signature)))
        for check in checks
    ]
    denied = {group for result, group in meant if result != "pass" and len(group) == 1}
    return tuple(
        group
        for result, group in meant
        if result == "pass"
        and group
        and group not in denied
        and all(is_signer_for_domain(signature.domain, domain) for signature in group)
    )


def _is_result_of(check: MethodResult, signature: Signature) -> bool:
    """Return whether a result may be that of a signature, by all the properties that name it."""
    about = check.about
    signer = about.get("header.d") or about.get("header.i", "").rpartition("@")[2]
    named = signature.domain == signer.lower()
    if "header.d" not in about and signer:
        named = is_signer_for_domain(signature.domain, signer.lower())
    return (
        named
        and about.get("header.s", signature.selector).lower() == signature.selector
        and signature.value.startswith(about.get("header.b", ""))
    )


def _dmarc_results(results: Sequence[MethodResult]) -> list[MethodResult]:
    return [result for result in results if result.method == "dmarc" and result.result != "none"]


def _has_one_pass(policies: Sequence[MethodResult], domain: str) -> bool:
    return len(policies) == 1 and _has_passed(policies[0], "header.from", domain)


def _is_of(result: MethodResult, domain: str) -> bool:
    return is_signer_for_domain(result.about.get("header.d") or result.about.get("header.i", ""), domain)


def _has_passed(result: MethodResult, about: str, domain: str) -> bool:
    return result.result == "pass" and result.about.get(about, "").rpartition("@")[2].lower() == domain


def _parse_results(text: str) -> tuple[MethodResult, ...]:
    """Return all results of a header; none if it can be read in two ways."""
    pieces = _split_pieces(text, quotes_in_comments=True)
    if pieces is None or pieces != _split_pieces(text, quotes_in_comments=False):
        return ()
    results = [_parse_result(piece) for piece in pieces[1:] if piece.strip()]
    known = [result for result in results if result is not None]
    # "none" by itself is no result, and says that there are no others (RFC 8601 §2.2).
    return tuple(known) if len(known) == len(results) else ()


def _split_pieces(text: str, *, quotes_in_comments: bool) -> list[str] | None:
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


def _parse_result(piece: str) -> MethodResult | None:
    """Return a result; None for text that is none, or that names a property twice."""
    match = _METHOD_RESULT.match(piece)
    if match is None:
        return None
    about: dict[str, str] = {}
    at = match.end()
    while piece[at:].strip():
        word = _PROPERTY.match(piece, at)
        if word is None:
            return None
        if word[1]:
            name, value = f"{word[1]}.{word[2]}".lower(), _unquote(word[3])
            if about.setdefault(name, value) != value:
                return None
        at = word.end()
    return MethodResult(match[1].lower(), match[2].lower(), about)


def _unquote(value: str) -> str:
    whole = _QUOTED_VALUE.fullmatch(value)
    return re.sub(r"\\(.)", r"\1", whole[1]) if whole else value
