"""Opening letters: headers as plain values, parts as text, and nothing that a hostile letter could break."""

import base64
import time
from itertools import permutations

import pytest

from orders.mail.body import fresh_lines
from orders.mail.headers import (
    addresses,
    has_plain_headers,
    has_plain_line_ends,
    ids_of,
    line_end_of,
    read_headers,
    split_message,
)
from orders.mail.letter import MAX_LETTER_BYTES, fingerprint, names_of, open_letter
from orders.mail.mime import SOFT_BREAK, unflow
from orders.reading.letter_reader import read_lines
from tests.orders.plain import BOOK

LETTER = b"""Delivered-To: gm@example.org
From: "Iroquois, of the League" <Iroquois@Example.org>
To: Turnpost <gm+beaver.iroquois.auvrqepc7hle6@example.org>, gm@example.org
Cc: dakota@example.org
Subject: =?utf-8?q?Re=3A_sch=C3=B6n?= =?utf-8?q?e_Gr=C3=BC=C3=9Fe?=
Date: Tue, 17 Nov 2026 09:14:00 +0100
Message-ID:
 <1@mail.example.org>
In-Reply-To: <b@example.org>
References: <a@example.org>
 <b@example.org>
Auto-Submitted: no
Content-Type: text/plain; charset=utf-8

W Mohawk \xe2\x80\x93 Delaware
"""


def test_a_letter_s_headers():
    letter = open_letter(LETTER)
    assert letter.sender == "iroquois@example.org"
    assert letter.sender_name == "Iroquois, of the League"
    assert letter.recipients == (
        "gm@example.org",
        "gm+beaver.iroquois.auvrqepc7hle6@example.org",
        "dakota@example.org",
    )
    assert letter.subject == "Re: schöne Grüße"
    assert letter.date == 1_794_903_240_000
    assert letter.message_id == "<1@mail.example.org>"
    assert letter.thread == ("<a@example.org>", "<b@example.org>")
    assert letter.answers == "<b@example.org>"
    assert letter.marks == {"auto-submitted": "no", "content-type": "text/plain; charset=utf-8"}
    assert letter.defects == ()
    assert letter.size_bytes == len(LETTER)
    assert [part.text for part in letter.parts] == ["W Mohawk – Delaware\n"]


@pytest.mark.parametrize(
    ("header", "sender"),
    [
        (b"From: a@b.example", "a@b.example"),
        (b"From: <a@b.example>", "a@b.example"),
        (b'From: "victim@example.org" <real@b.example>', "real@b.example"),
        (b"From: victim@example.org (x) <real@b.example>", "real@b.example"),
        (b"From: nobody", ""),
        (b"From: <>", ""),
        (b"From: a@[1.2", "a@[1.2"),
        (b"X: y", ""),
    ],
)
def test_the_sender_is_the_address_that_answers_go_to(header, sender):
    assert open_letter(header + b"\n\nhi\n").sender == sender


def test_doubtful_headers_are_named():
    assert "several from" in open_letter(b"From: a@b.c\nFrom: d@e.f\n\n").defects
    assert "from names several addresses" in open_letter(b"From: a@b.c, d@e.f\n\n").defects
    assert "no message-id" in open_letter(b"From: a@b.c\n\n").defects


def test_a_subject_cannot_smuggle_a_header():
    letter = open_letter(b"Subject: =?utf-8?q?hi=0D=0ABcc:_evil?=\nMessage-ID: <>\n\n")
    assert letter.subject == "hi Bcc: evil"
    assert letter.message_id == ""


@pytest.mark.parametrize(
    ("charset", "body", "text"),
    [
        (b"us-ascii", "A – B".encode("cp1252"), "A – B"),
        (b"iso-8859-1", "A – B".encode("cp1252"), "A – B"),
        (b"iso-8859-1", "Grüße".encode(), "Grüße"),
        (b"utf-8", "Grüße".encode("latin-1"), "Grüße"),
        (b"x-foo", "Grüße".encode(), "Grüße"),
        (b"koi8-r", "Привет".encode("koi8-r"), "Привет"),
        (b"utf-16", "hold".encode("utf-16"), "hold"),
        (b"unicode_escape", rb"\x41 PAR", r"\x41 PAR"),
        (b"utf-7", b"+AEE- PAR", "+AEE- PAR"),
        (b"rot13", b"hold", "hold"),
        (b"idna", b"hold", "hold"),
        (b"undefined", b"hold", "hold"),
        (b"\0", b"hold", "hold"),
    ],
)
def test_charsets_are_a_white_list(charset, body, text):
    raw = b"Content-Type: text/plain; charset=" + charset + b"\n\n" + body
    assert open_letter(raw).parts[0].text == text


def test_parts_are_found_in_any_nest():
    raw = b"""Content-Type: multipart/mixed; boundary="o"

preamble
--o
Content-Type: multipart/alternative; boundary=i

--i
Content-Type: text/plain

MHK H
--i
Content-Type: text/html

<p>MHK H</p>
--i--
--o
Content-Type: image/png; name="=?utf-8?q?m=C3=A4p.png?="
Content-Transfer-Encoding: base64

AAAA
--o
Content-Disposition: attachment; filename="../../orders.txt"

ONE H
--o--
epilogue
"""
    parts = [(part.kind, part.text.strip(), part.name) for part in open_letter(raw).parts]
    assert parts == [
        ("plain", "MHK H", ""),
        ("html", "<p>MHK H</p>", ""),
        ("attachment", "", "mäp.png"),
        ("attachment", "ONE H", "orders.txt"),
    ]


def test_broken_multiparts_are_read_as_far_as_they_go():
    assert open_letter(b"Content-Type: multipart/mixed\n\nMHK H\n").parts[0].text == "MHK H\n"
    raw = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nMHK H"
    assert open_letter(raw).parts[0].text == "MHK H"


def test_base64_is_read_with_rubbish_in_it_and_without_its_end():
    code = base64.encodebytes("MHK – DEL".encode()).replace(b"\n", b"!\n").rstrip(b"=!\n")[:-1]
    raw = b"Content-Transfer-Encoding: base64\n\n" + code
    assert open_letter(raw).parts[0].text.startswith("MHK – D")


def test_flowed_text_is_unfolded():
    assert unflow("W Oneida S \nW Mohawk\n>> a \n>> b\n>c\n-- \nme") == (
        f"W Oneida S {SOFT_BREAK}W Mohawk\n>> a b\n> c\n-- \nme"
    )
    assert unflow(" >not quoted") == ">not quoted"
    assert unflow("Dela \nware", delete_space=True) == "Delaware"


@pytest.mark.parametrize("gaps", list(permutations([b"\r\n\r\n", b"\n\n", b"\r\n\n", b"\n\r\n"], 3)))
def test_a_head_ends_at_its_first_gap_whatever_gaps_the_body_has(gaps):
    body = b"two" + gaps[1] + b"three" + gaps[2] + b"four"
    assert split_message(b"Subject: one" + gaps[0] + body) == (b"Subject: one", body)


def test_a_cr_that_no_lf_follows_is_a_blank_in_a_head():
    """It ends neither a header nor the head: to no other program it does."""
    block, body = split_message(
        b"Subject: one\r\rX: two\rFrom: a@b.example\r\n\rTo: c@d.example\r\n\r\nthree\rfour"
    )
    assert (body, [header.name for header in read_headers(block)]) == (b"three\rfour", ["subject"])
    assert open_letter(block).subject == "one X: two From: a@b.example To: c@d.example"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_head_with_one_sort_of_line_end_is_plain(end):
    raw = end.join([b"Subject: one", b" folded", b"From: a@b.example", b"", b"two\r", b"three\nfour\r\n"])
    assert has_plain_line_ends(raw)
    assert has_plain_line_ends(raw.partition(end + end)[0])
    assert line_end_of(raw) == end


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: one\rX: y\r\n\r\nbody",
        b"Subject: one\rX: y\n\nbody",
        b"Subject: one\r\r\n\r\nbody",
        b"Subject: one\nX: y\r\n\r\nbody",
        b"Subject: one\r\nX: y\n\nbody",
        b"Subject: one\r\n\nbody",
        b"Subject: one\n\r\nbody",
    ],
)
def test_a_head_with_two_sorts_of_line_ends_is_not_plain(raw):
    assert not has_plain_line_ends(raw)


def test_headers_are_plain_where_every_program_reads_the_same_ones():
    for raw in (LETTER, LETTER.replace(b"\n", b"\r\n"), b"Subject:one\n\n\x00body: \rx", b"Subject:\n one"):
        assert has_plain_headers(raw)
    for line in (
        b"garbage\n",
        b"To : elm@example.org\n",
        b"X: \x00\n",
        b"X: a\rb\n",
        b"X: a\r\n",
        b">From x\n",
    ):
        assert not has_plain_headers(LETTER.replace(b"Subject:", line + b"Subject:")), line
        assert not has_plain_headers(line + LETTER), line
    assert not has_plain_headers(b" folded: on nothing\n" + LETTER)


def test_the_fingerprint_is_of_the_letter_and_not_of_its_way():
    crlf = LETTER.replace(b"\n", b"\r\n")
    relayed = b"Return-Path: <a@b.c>\nReceived: by x\n" + LETTER
    assert fingerprint(LETTER) == fingerprint(crlf) == fingerprint(relayed) == fingerprint(LETTER + b"\n")
    assert fingerprint(LETTER) != fingerprint(LETTER.replace(b"Mohawk", b"Oneida"))
    assert fingerprint(LETTER) != fingerprint(LETTER.replace(b"<1@mail", b"<2@mail"))
    assert fingerprint(LETTER) != fingerprint(LETTER.replace(b"09:14", b"09:15"))
    assert len(fingerprint(b"")) == 64


def test_names_and_fingerprint_are_the_same_whatever_ends_the_lines():
    """Also where ends are mixed: each counts once."""
    assert names_of(LETTER.replace(b"\n", b"\r\n")) == names_of(LETTER)
    twice = LETTER.replace(b"Delaware\n", b"Delaware\n\n")
    assert fingerprint(LETTER + b"x") == fingerprint(LETTER + b"x\r")
    assert (
        fingerprint(twice + b"x")
        == fingerprint(LETTER.removesuffix(b"\n") + b"\r\r\nx")
        != fingerprint(LETTER + b"x")
    )


def test_a_letter_kept_and_then_read_is_asked_for_its_names_once():
    for asked in (addresses, ids_of):
        asked.cache_clear()
    names_of(LETTER)
    before = addresses.cache_info().misses, ids_of.cache_info().misses
    letter = open_letter(LETTER)
    assert names_of(LETTER) == (letter.message_id, letter.sender)
    # Whoever it goes to, and what it answers, was not asked for by its names.
    assert addresses.cache_info().misses - before[0] == 3
    assert ids_of.cache_info().misses - before[1] == 2


def _nested(depth: int) -> bytes:
    body = b"MHK H"
    for number in range(depth):
        mark = b"b%d" % number
        body = (
            b"Content-Type: multipart/mixed; boundary="
            + mark
            + b"\n\n--"
            + mark
            + b"\n"
            + body
            + b"\n--"
            + mark
        )
    return body


BOMBS = {
    "encoded words": b"Subject: " + b" ".join([b"=?utf-8?q?hi?="] * 20_000) + b"\n\nhi",
    "long subject": b"Subject: " + b"a" * 1_000_000 + b"\n\nhi",
    "parameters": b"Content-Type: text/plain" + b"".join(b"; a%d=b" % n for n in range(10_000)) + b"\n\nhi",
    "open quote": b'From: "' + b"a\\" * 50_000 + b"\n\nhi",
    "open comments": b"From: " + b"(" * 50_000 + b"\n\nhi",
    "addresses": b"From: " + b"<a@b" * 20_000 + b"\n\nhi",
    "headers": b"X: y\n" * 100_000 + b"\nhi",
    "folds": b"Subject: a\n" + b" b\n" * 30_000 + b"\nhi",
    "nest": _nested(1_000),
    "siblings": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 20_000,
    "attachment": b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nMHK H\n--b\nContent-Type: image/png\n"
    b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(b"x" * 6_000_000),
    "tags": b"Content-Type: text/html\n\n" + b"<a " * 50_000,
    "attributes": b"Content-Type: text/html\n\n" + b'<a x="' * 25_000,
    "declarations": b"Content-Type: text/html\n\n" + b"<![" * 60_000,
    "divs": b"Content-Type: text/html\n\n" + b"<div>" * 40_000,
    "bold": b"Content-Type: text/html\n\n" + b"<b><p>" * 30_000,
    "blockquotes": b"Content-Type: text/html\n\n" + b"<blockquote>a" * 15_000,
    "quotes": b"\n" + b">" * 100_000 + b"\n" + b"> a\n" * 50_000,
    "colons": b"\n" + b"On 1 wrote:\n" * 20_000,
    "commas": b"\n" + b"a," * 100_000,
    "spaces": b"\n" + b" " * 200_000 + b"x",
    "senders": b"\n" + b"From: a@b\n" * 20_000,
    "supports": b"\n" + b"W MHK S " * 25_000,
}


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_no_letter_takes_long(name):
    """Small letters that cost other readers seconds and gigabytes."""
    from_here = time.process_time()
    letter = open_letter(BOMBS[name])
    fingerprint(BOMBS[name])
    read_lines(fresh_lines(letter, ("MHK H",)), BOOK)
    assert time.process_time() - from_here < 2.0
    assert not any(defect.startswith("unreadable") for defect in letter.defects)


def test_a_large_letter_is_read_at_its_beginning():
    letter = open_letter(BOMBS["attachment"])
    assert letter.parts[0].text == "MHK H"
    assert letter.size_bytes > MAX_LETTER_BYTES
    assert any(defect.startswith("larger than") for defect in letter.defects)
