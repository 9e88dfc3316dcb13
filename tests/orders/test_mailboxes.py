"""From headers with exactly one mailbox, and headers that only seem to have one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.mail.headers import MAX_FROM_HEADER_CHARS, agreed_addresses, sole_mailbox

ELM = "elm@example.org"


@pytest.mark.parametrize(
    "value",
    [
        ELM,
        f"  <{ELM}>  ",
        f"Elm <{ELM}>",
        f"Elm Elmsson< {ELM} >",
        f'"Elm, of (the) <woods@example.org>" <{ELM}>',
        f'"Elm \\" and \\\\ sons" <{ELM}>',
        f'"" <{ELM}>',
        f"E. L. M. <{ELM}>",
        f"=?utf-8?q?=22=C3=84lm=22_=3Cx=40y=3E?= <{ELM}>",
        f"\u00c4lm <{ELM}>",
        f"\u200bElm\u2060 <{ELM}>",
        f"{ELM} (Elm)",
        f"(Elm) <{ELM}>",
        f"Elm (of \\( the woods) <{ELM}>",
        f"Elm\t<{ELM}>",
        "ELM@Example.ORG",
    ],
)
def test_one_mailbox(value):
    assert sole_mailbox(value.encode()) == ELM


def test_a_mailbox_in_letters_of_its_own_script():
    assert sole_mailbox("\u00e4lm@example.org".encode()) == "\u00e4lm@example.org"
    assert sole_mailbox(f"\u00c4lm <{ELM}>".encode("latin-1")) == ELM


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Elm",
        "Elm <>",
        f"{ELM}, oak@example.org",
        f"{ELM},",
        f"Elm, Oak <{ELM}>",
        f"{ELM} <oak@example.org>",
        f"oak@example.org <{ELM}>",
        f"<{ELM}> <oak@example.org>",
        f"Trees: {ELM};",
        f"Trees: {ELM}, oak@example.org;",
        f'"oak@example.org" <{ELM}>, "x"',
        f'"oak"@example.org <{ELM}>',
        '"elm"@example.org',
        f"(Elm) (Oak) <{ELM}>",
        f"(Elm (Oak)) <{ELM}>",
        f"((Elm) {ELM} x) <oak@example.org>",
        "elm(x)@example.org",
        "elm @example.org",
        f"<@example.com:{ELM}>",
        f"Elm <{ELM}",
        f"Elm {ELM}>",
        f'Elm "<{ELM}>',
        f"[Elm] <{ELM}>",
        "elm@[192.0.2.1]",
        "elm..oak@example.org",
        ".elm@example.org",
        "elm@example.org.",
        "e\u200blm@example.org",
        "elm\u00ad@example.org",
        "elm\u2060@example.org",
        "elm\ufe0f@example.org",
        "elm\u3164@example.org",
        "elm\u115f@example.org",
        "elm\u034f@example.org",
        "elm\u00a0@example.org",
        "elm\U000e0061@example.org",
        "elm@example\u200d.org",
        "a\u0308lm@example.org",
        "el\u212a@example.org",
        f"Elm\x00 <{ELM}>",
        f"Elm\x0b <{ELM}>",
        f"{'x' * MAX_FROM_HEADER_CHARS} <{ELM}>",
    ],
)
def test_what_is_not_one_mailbox(value):
    assert sole_mailbox(value.encode()) is None


@given(st.text(alphabet='<>()"\\,:;@. ab\u200b\r\n', max_size=60))
def test_no_header_breaks_the_reader(text):
    found = sole_mailbox(text.encode())
    assert found is None or found in text.lower()
    agreed_addresses(text.encode())


def test_an_address_counts_where_the_standard_library_finds_it_too():
    us = "gm@example.org"
    for value in (us, f"GM <{us}>, elm@example.org", f"Elm <elm@example.org>, {us.upper()}", f"x:{us};"):
        assert us in agreed_addresses(value.encode()), value
    for value in (
        f'"{us}" <elm@example.org>',
        f"({us}) elm@example.org",
        f"((a) {us} b) elm@example.org",
        f'"a" {us}" <elm@example.org>',
        "gm\u200b@example.org",
        "(" * 5_000,
    ):
        assert us not in agreed_addresses(value.encode()), value
