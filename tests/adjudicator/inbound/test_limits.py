"""Size limits: emails of mail programs pass, and emails that would keep us busy aren't parsed."""

from pathlib import Path

import pytest

from adjudicator.inbound.filters import check_body_size, check_header_size
from adjudicator.messages import sentence
from orders.mail.headers import block_of
from tests.kit.mail import letter

LARGEST = 1_000_000
LETTERS = sorted((Path(__file__).parents[2] / "letters").glob("*.eml"))


def weighed(raw: bytes) -> str | None:
    return check_header_size(raw) or check_body_size(raw, LARGEST)


def parts(count: int, boundary: str = "b", declared: str = 'boundary="b"') -> bytes:
    one = f"\r\n--{boundary}\r\n\r\nx".encode()
    return (
        b"From: a@example.net\r\nContent-Type: multipart/mixed; " + declared.encode() + b"\r\n" + one * count
    )


def nested(count: int) -> bytes:
    """Multiparts in each other, no two under one boundary."""
    return b"From: a@example.net\r\n" + b"".join(
        f"Content-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n".encode()
        for number in range(count)
    )


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_letters_of_mail_programs_pass(path: Path) -> None:
    assert weighed(path.read_bytes()) is None


@pytest.mark.parametrize(
    "raw",
    [
        letter("Mohawk - Delaware"),
        letter("x", headers={"X-Servers-Own": "y" * 20_000}),
        parts(99),
        nested(20),
        letter("--b\n" * 5_000),
        b"",
        b"no letter at all",
        b"\r\n\r\nno head",
    ],
)
def test_what_is_odd_and_harmless_passes(raw: bytes) -> None:
    assert weighed(raw) is None


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (letter("x") + b"x\r\n" * 400_000, sentence("inbound.limits.many_bytes", most=1000000)),
        (b"X-A: y\r\n" * 10_000, sentence("inbound.limits.long_head", most=65536)),
        (b"X: y\r\n" * 501 + b"\r\norders", sentence("inbound.limits.many_headers", most="500")),
        (b"X: y\n" * 501 + b"\norders", sentence("inbound.limits.many_headers", most="500")),
        (b"From: " + b"a" * 9_000 + b"\r\n\r\n", sentence("inbound.limits.long_header", most=8192)),
        (
            b"X: y\r\nSubject:" + b"\r\n =?utf-8?q?a?=" * 1_000 + b"\r\n\r\n",
            sentence("inbound.limits.long_header", most=8192),
        ),
        (
            b"Content-Type: text/plain" + b"; a=b" * 5_000 + b"\r\n\r\n",
            sentence("inbound.limits.long_header", most=8192),
        ),
        (parts(101), "it has more than 100 parts"),
        (parts(10_000), "it has more than 100 parts"),
        (parts(10_000, declared="BOUNDARY = b"), "it has more than 100 parts"),
        (nested(21), sentence("inbound.limits.nested", most=20)),
        (nested(1_000), sentence("inbound.limits.nested", most=20)),
        (
            b"From: a@b\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * 30,
            sentence("inbound.limits.nested", most=20),
        ),
        (b"a: b\r\n\r\n" + b"".join(b"boundary=%d " % n for n in range(30)), "it has more than 100 parts"),
    ],
)
def test_what_no_mail_program_writes(raw: bytes, why: str) -> None:
    found = weighed(raw)
    assert found is not None
    assert found.startswith(why)


def test_the_head_ends_where_it_ends() -> None:
    assert block_of(b"a: b\r\n\r\nc: d\r\n\r\n") == b"a: b\r\n\r\n"
    assert block_of(b"a: b\n\nc") == b"a: b\n\n"
    assert len(block_of(b"a" * 100_000)) == 65_536
