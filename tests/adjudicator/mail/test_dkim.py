"""DKIM: signatures that authenticate an email, and valid ones that don't."""

import dkim
import pytest

from adjudicator.errors import PostFault
from adjudicator.mail import dkim as dkim_module
from adjudicator.mail.dkim import KeyRecords, signed_by
from tests.kit.mail import letter
from tests.kit.signing import Signer

NET = Signer("example.net")
LETTER = letter("Mohawk - Delaware")


def test_a_letter_signed_by_its_domain():
    assert signed_by(NET.signed(LETTER), "example.net", NET.texts)
    assert signed_by(NET.signed(LETTER), "mail.example.net", NET.texts), "what is above may speak for it"


@pytest.mark.parametrize("domain", ["example.org", "ample.net", "badexample.net", "net"])
def test_the_signature_of_another_domain(domain):
    assert not signed_by(NET.signed(LETTER), domain, NET.texts)


def test_no_signature_and_no_name_server():
    assert not signed_by(LETTER, "example.net", NET.texts)
    assert not signed_by(NET.signed(LETTER), "example.net", lambda name: None)
    assert not signed_by(NET.signed(LETTER), "example.net", Signer("example.net", "other").texts)


@pytest.mark.parametrize("place", [b"Delaware", b"Subject: orders", b"From: iroquois@example.net"])
def test_a_letter_that_was_changed(place):
    raw = NET.signed(LETTER)
    assert place in raw
    assert not signed_by(raw.replace(place, place + b" Seneca"), "example.net", NET.texts)


def test_a_part_of_the_body_is_no_letter():
    """With l= anybody may add text below; the library accepts that, we don't."""
    raw = NET.signed(LETTER, length=True)
    longer = raw + b"Seneca - Mohawk\r\n"
    assert dkim.verify(longer, dnsfunc=lambda name, timeout=0: NET.texts(name.decode()[:-1])[0].encode())
    assert not signed_by(raw, "example.net", NET.texts)
    assert not signed_by(longer, "example.net", NET.texts)


@pytest.mark.parametrize("name", ["Subject", "To", "Message-ID", "Date", "References"])
def test_a_second_header_of_a_kind_that_is_read(name):
    """The library checks the lower one, readers read the upper one."""
    raw = NET.signed(letter("Mohawk - Delaware", headers={"References": "<a@example.net>"}))
    assert signed_by(raw, "example.net", NET.texts)
    assert not signed_by(f"{name}: other\r\n".encode() + raw, "example.net", NET.texts)


@pytest.mark.parametrize("name", [b"subject", b"date", b"message-id"])
def test_a_header_that_is_read_and_not_signed(name):
    others = tuple(one for one in (b"from", b"subject", b"date", b"message-id") if one != name)
    assert not signed_by(NET.signed(LETTER, headers=others), "example.net", NET.texts)


def test_a_good_signature_below_bad_ones():
    raw = b"DKIM-Signature: v=1; d=example.net\r\n" + NET.signed(LETTER)
    assert signed_by(raw, "example.net", NET.texts)
    many = b"DKIM-Signature: v=1; d=example.net\r\n" * dkim_module.MOST_SIGNATURES + NET.signed(LETTER)
    assert not signed_by(many, "example.net", NET.texts)


def test_a_key_that_is_too_short(monkeypatch):
    monkeypatch.setattr(dkim_module, "SMALLEST_KEY", 2048)
    assert not signed_by(NET.signed(LETTER), "example.net", NET.texts)


@pytest.mark.parametrize(
    "record",
    ["", "p=", "p=!!!!", "p=AAAA", "k=ed25519; p=AAAA", "v=DKIM9; p=AAAA", "p=" + "A" * 100_000, "nothing"],
)
def test_keys_that_are_none(record):
    assert not signed_by(NET.signed(LETTER), "example.net", lambda name: (record,))


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        b"\xff\xfe",
        b"v=1; a=rsa-sha256; d=example.net; s=post; h=from:subject:date:message-id; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.net; s=\xff; h=from:subject:date:message-id; bh=AAAA; b=AAAA",
        b"v=1; a=md5; d=example.net; s=post; h=from:subject:date:message-id; bh=A; b=A",
        b"v=1; a=rsa-sha256; c=odd; d=example.net; s=post; h=from:subject:date:message-id; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.net; s=post; h=from:subject:date:message-id; t=9e9; bh=AAAA; b=AAAA",
    ],
)
def test_signatures_that_are_none(signature):
    assert not signed_by(b"DKIM-Signature: " + signature + b"\r\n" + LETTER, "example.net", NET.texts)


def test_what_would_keep_the_library_busy_for_minutes():
    """Blanks at the end of a line that does not end: its expression takes the square of their number."""
    slow = NET.signed(letter("Mohawk - Delaware")).replace(b"Delaware", b" " * 500_000 + b"x")
    assert not signed_by(slow, "example.net", NET.texts)
    folded = b"DKIM-Signature: v=1; d=example.net;" + b"\r\n " * 2_000 + b"b=\r\n" + LETTER
    assert not signed_by(folded, "example.net", NET.texts)


def test_keys_are_looked_up_before_emails_are_processed():
    """Once for each key, however many emails it signed; later emails get fresh records."""
    signed, names = NET.signed(LETTER), []

    def texts(name):
        names.append(name)
        return NET.texts(name)

    keys = KeyRecords(texts)
    keys.look_up([signed, signed, LETTER])
    assert names == [f"{NET.selector}._domainkey.example.net"]
    assert keys.signed_by(signed, "example.net")
    assert keys.signed_by(signed, "example.net")
    assert len(names) == 1
    keys.look_up([signed])
    assert len(names) == 2


def test_a_key_that_could_not_be_looked_up_is_not_looked_up_while_emails_are_processed():
    """The email counts as unsigned: a server that doesn't reply must not hold up a transaction."""
    signed, names = NET.signed(LETTER), []

    def silent(name):
        names.append(name)
        raise PostFault(f"name {name}", "could not be looked up", 60.0)

    keys = KeyRecords(silent)
    keys.look_up([signed])
    assert not keys.signed_by(signed, "example.net")
    assert len(names) == 1


def test_a_key_that_nobody_looked_up_before_is_looked_up_when_it_is_needed():
    """So `gm mail read` can check a signature too."""
    assert KeyRecords(NET.texts).signed_by(NET.signed(LETTER), "example.net")


def test_keys_of_other_domains_are_not_looked_up():
    """They would prove nothing, and a stranger could have us ask any name server, five times an email."""
    names = []
    keys = KeyRecords(lambda name: names.append(name))
    keys.look_up([Signer("elsewhere.org").signed(LETTER)])
    assert names == []
