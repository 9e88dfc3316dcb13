"""Emails damaged at random: with parts cut, doubled or swapped, and with unusual text inserted."""

from collections.abc import Callable, Sequence
from random import Random

POISON: tuple[bytes, ...] = (
    *(b"\x00", b"\r", b"\n", b"\r\n\r\n", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xae", b"="),
    *(b"=?utf-8?q?=0D=0A?=", b"=?utf-7?b?AAAA?=", b"=?x?q?" + b"=00" * 50 + b"?=", b"=?utf-8?b?" * 300),
    *(b"Message-ID: <>\r\n", b"Message-ID: <a@[>\r\n", b"From: a@[1.2\r\n", b"From: <>\r\n"),
    *(b'From: "' * 200, b"References: " + b"<a@b>" * 999, b"\r\n --b\r\n", b"\r\n--b\r\n", b"\r\n--b--\r\n"),
    *(b"Content-Type: multipart/mixed; boundary=\r\n", b"Content-Type: multipart/mixed; boundary=b\r\n"),
    *(b"Content-Type: text/plain; charset=unicode_escape\r\n", b"Content-Type: text/html; charset=idna\r\n"),
    *(b"Content-Type: text/plain; charset=\x00\r\n", b"Content-Type: message/rfc822\r\n\r\n"),
    *(b"Content-Transfer-Encoding: base64\r\n", b"Content-Transfer-Encoding: quoted-printable\r\n"),
    *(b"Content-Type: text/plain; format=flowed; delsp=yes\r\n", b"Date: Thu, 99 Foo 99999 99:99 +9999\r\n"),
    *(b"<a " * 3_000, b"<![", b"<div>" * 3_000, b"&#x" + b"9" * 500, b"<blockquote" * 500, b"<!--" * 500),
    *(b">" * 3_000, b"> " * 1_000, b" " * 5_000, b"(" * 3_000, b"[demo S1M Iroquois #" * 100),
    *(b"\t\r\n " * 500, b"IF " * 500, b"PHASE " * 300, b"A-B-C-" * 500, b"Mohawk S " * 300, b"NEW \xf0\x9f"),
    *(b"SIGNON demo Iroquois " * 50, b"Authentication-Results: mx.example.org; dmarc=pass " + b"(" * 500),
    b"DKIM-Signature: v=1; d=example.net; h=from:subject:date:message-id; b=\r\n",
    *(
        b"PRESS TO ALL\r\n",
        b"ENDPRESS\r\n",
        b"\r\nOn Monday, you wrote:\r\n",
        b"\r\n-- \r\n",
        b"BROADCAST\r\n",
    ),
)


def mutate(letters: Sequence[bytes], lot: Random) -> bytes:
    """Return one of the emails, damaged in one to eight ways."""
    raw = lot.choice(letters)
    for _ in range(lot.randint(1, 8)):
        raw = lot.choice(_WAYS)(raw, lot, letters)
    return raw


def _span(raw: bytes, lot: Random, most: int = 400) -> tuple[int, int]:
    # Headers are short compared to bodies, and damage to them breaks more.
    reach = min(len(raw), 1_500) if lot.random() < 0.6 else len(raw)
    start = lot.randint(0, reach)
    return start, min(start + lot.randint(0, most), len(raw))


def _cut(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    start, end = _span(raw, lot)
    return raw[:start] + raw[end:]


def _end(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    return raw[: _span(raw, lot)[0]]


def _double(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    start, end = _span(raw, lot)
    return raw[:start] + raw[start:end] * lot.choice((2, 3, 40)) + raw[end:]


def _flip(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    spoilt = bytearray(raw)
    for _ in range(lot.randint(1, 30) if raw else 0):
        spoilt[_span(raw, lot)[0] % len(raw)] = lot.randrange(256)
    return bytes(spoilt)


def _poison(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    start, end = _span(raw, lot, 20)
    return raw[:start] + lot.choice(POISON) + raw[end:]


def _line(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    """Insert unusual text at the beginning of a line."""
    start = raw.find(b"\n", _span(raw, lot)[0]) + 1
    return raw[:start] + lot.choice(POISON) + raw[start:]


def _splice(raw: bytes, lot: Random, letters: Sequence[bytes]) -> bytes:
    other = lot.choice(letters)
    return raw[: _span(raw, lot)[0]] + other[_span(other, lot)[0] :]


def _swap(raw: bytes, lot: Random, _letters: Sequence[bytes]) -> bytes:
    lines = raw.split(b"\n")
    one, other = lot.randrange(len(lines)), lot.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


_WAYS: tuple[Callable[[bytes, Random, Sequence[bytes]], bytes], ...] = (
    *(_cut, _end, _double, _flip, _poison, _poison, _line, _line, _splice, _swap),
)
