"""Signatures read in an email: what each covers, and when one could be good for two emails."""

import re

import pytest

from adjudicator.mail.dkim import signed_by
from orders.mail.dkim_signatures import (
    content_hash,
    covers_message,
    covers_recipients,
    is_unambiguous,
    read_signatures,
)
from orders.mail.headers import read_headers, split_message
from tests.kit.mail import letter
from tests.kit.signing import Signer

NET = Signer("example.net")
ALL = (b"from", b"to", b"cc", b"subject", b"date", b"message-id")
LETTER = letter("Mohawk - Delaware\nOneida H", headers={"Cc": "elm@example.org"})


def of(raw):
    """The headers of an email, and its first signature."""
    headers = read_headers(split_message(raw)[0])
    return read_signatures(headers)[0], headers


def test_a_signature_is_read_as_a_signer_writes_it():
    signature, _ = of(NET.signed(LETTER, ALL))
    assert (signature.domain, signature.selector, signature.is_partial) == ("example.net", "post", False)
    assert set(signature.headers) >= {"from", "to", "cc", "subject", "date", "message-id"}
    assert " " not in signature.value
    assert of(NET.signed(LETTER, ALL, length=True))[0].is_partial


@pytest.mark.parametrize(
    "value",
    [
        "",
        "v=1; d=example.net; s=post; h=from",
        "v=1; d=example.net; d=example.org; s=post; h=from; b=AAAA",
        "v=1; d=example.net; s=post; h=from:to; h=from; b=AAAA",
        "v=1; d=example.net; s=post; ; h=from; b=AAAA",
        "v=1; d=example.net; s=post; h; b=AAAA",
        "v=1; d=; s=post; h=from; b=AAAA",
    ],
)
def test_a_signature_that_can_be_read_in_two_ways_is_none(value):
    assert of(f"DKIM-Signature: {value}\r\n\r\n".encode())[0] is None


def test_what_has_to_be_signed():
    assert covers_recipients(*of(NET.signed(LETTER, ALL)))
    for name in ALL[1:]:
        raw = NET.signed(LETTER, tuple(one for one in ALL if one != name))
        assert not covers_recipients(*of(raw)), name
        assert covers_message(*of(raw)) == (name in (b"to", b"cc")), name
    assert not covers_recipients(*of(NET.signed(LETTER, ALL, length=True)))


@pytest.mark.parametrize("name", ["From", "To", "Cc", "Subject", "Date", "Message-ID", "References"])
def test_a_header_that_somebody_adds_is_not_signed(name):
    raw = NET.signed(letter("Mohawk - Delaware", headers={"References": "<a@example.net>"}), ALL)
    added = f"{name}: gm@example.org\r\n".encode() + raw
    signature, headers = of(added)
    assert not covers_recipients(signature, headers)
    assert is_unambiguous(headers) == (name == "Cc"), "there was no Cc before"


@pytest.mark.parametrize("name", ["Date", "Message-ID"])
def test_an_email_without_its_date_or_its_name_proves_too_little(name):
    raw = LETTER.replace(f"\r\n{name}:".encode(), f"\r\nX-{name}:".encode())
    signed = NET.signed(raw, ALL)
    assert not covers_recipients(*of(signed))


def test_an_email_without_a_subject_says_nothing_in_it():
    raw = LETTER.replace(b"\r\nSubject: orders", b"")
    assert covers_recipients(*of(NET.signed(raw, ALL)))
    assert not covers_recipients(*of(b"Subject: READY\r\n" + NET.signed(raw, ALL)))


def reordered(raw):
    head, _, body = raw.partition(b"\r\n\r\n")
    return b"\r\n".join(reversed(re.split(rb"\r\n(?! )", head))) + b"\r\n\r\n" + body


CHANGES = {
    "a blank at the end of a line": lambda raw: raw.replace(b"Delaware\r\n", b"Delaware \t\r\n"),
    "several blanks for one": lambda raw: raw.replace(b"Mohawk - ", b"Mohawk   -\t"),
    "empty lines below": lambda raw: raw + b"\r\n \r\n\r\n",
    "other line ends": lambda raw: raw.replace(b"\r\n", b"\n"),
    "a folded header": lambda raw: raw.replace(b"Subject: orders", b"SUBJECT:\r\n   orders "),
    "a further header": lambda raw: b"X-Added: by whoever passed it on\r\n" + raw,
    "headers in another order": reordered,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_no_signature_sees_makes_no_other_content(change):
    """Each of these is another email by its fingerprint or its bytes, and the signature stays good."""
    assert change(LETTER) != LETTER
    assert content_hash(change(LETTER)) == content_hash(LETTER)
    assert signed_by(change(NET.signed(LETTER, ALL)), "example.net", NET.texts)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Delaware", b"Pequot"),
        (b"Subject: orders", b"Subject: order"),
        (b"To: gm", b"To: gm2"),
        (b"Cc: elm", b"Cc: oak"),
        (b"Message-ID: <1.", b"Message-ID: <2."),
        (b"12:00:00", b"12:00:01"),
        (b"Delaware\r\nOneida", b"Delaware\r\n\r\nOneida"),
    ],
)
def test_what_is_signed_makes_other_content(old, new):
    assert old in LETTER
    assert content_hash(LETTER.replace(old, new)) != content_hash(LETTER)
