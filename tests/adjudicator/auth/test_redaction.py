"""Stored emails lose their passwords in every encoding."""

import base64
from pathlib import Path

import pytest

from adjudicator.auth.tokens import redact_letter
from orders.mail.letter import open_letter

LETTERS = sorted((Path(__file__).parents[2] / "letters").glob("*.eml"))
HEAD = b"From: iroquois@example.net\r\nMessage-ID: <1@example.net>\r\nSubject: orders\r\n"
TEXT = "SIGNON demo Iroquois three-canoes\nMohawk - Delaware\n"


def encoded(text: str, how: str) -> bytes:
    head = HEAD + b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
    if how == "base64":
        return head + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(text.encode())
    if how == "broken":
        broken = text.replace("three-", "thr=\r\nee-").replace("SIGNON", "SIG=\r\nNON")
        return head + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + broken.encode()
    if how == "html":
        page = "<p>" + text.strip().replace("\n", "</p><p>") + "</p>"
        return head.replace(b"plain", b"html") + b"\r\n" + page.encode()
    return head + b"\r\n" + text.encode()


@pytest.mark.parametrize("how", ["plain", "base64", "broken", "html"])
@pytest.mark.parametrize(
    "line",
    [
        "SIGNON demo Iroquois three-canoes",
        "sign-on  demo Iroquois   three-canoes",
        "singon demo Iroquois three-canoes",
        "> SIGNON demo Iroquois three-canoes",
        "PASSWORD three-canoes",
        "set password three-canoes",
        "first line:  SIGNON demo Iroquois three-canoes",
        "SIGNON demo United States three-canoes",
    ],
)
def test_no_password_is_kept(line: str, how: str) -> None:
    raw = encoded(f"{line}\nMohawk - Delaware\n", how)
    kept = redact_letter(raw)
    assert b"three-" not in kept
    letter = open_letter(kept)
    assert "three" not in str(letter)
    assert "Mohawk - Delaware" in str(letter), "the rest is"
    assert (letter.sender, letter.message_id) == ("iroquois@example.net", "<1@example.net>")
    assert redact_letter(kept) == kept


def test_a_password_in_the_subject() -> None:
    for subject in (b"SIGNON demo Iroquois three-canoes", b"=?utf-8?q?PASSWORD_three-canoes?="):
        kept = redact_letter(HEAD.replace(b"orders", subject) + b"\r\nMohawk H\r\n")
        assert b"three-canoes" not in kept
        assert b"Mohawk H" in kept


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_letters_without_one_stay_as_they_are(path: Path) -> None:
    raw = path.read_bytes()
    assert (redact_letter(raw) == raw) == (b"signon" not in raw.lower())
