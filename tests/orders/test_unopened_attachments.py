"""Attachments of an email that weren't opened."""

from pathlib import Path

import pytest

from orders.mail.letter import describe_unopened, open_letter

LETTERS = Path(__file__).parent.parent / "letters" / "standard"


def notes(name: str) -> tuple[str, ...]:
    return describe_unopened(open_letter((LETTERS / f"{name}.eml").read_bytes()))


def attached(name: str, kind: str = "application/octet-stream", text: str = "A Par - Bur") -> tuple[str, ...]:
    raw = (
        'From: a@b.c\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\n'
        f'{text}\n--x\nContent-Type: {kind}; name="{name}"\n'
        "Content-Transfer-Encoding: base64\n\nAAAA\n--x--\n"
    )
    return describe_unopened(open_letter(raw.encode()))


def test_text_in_winmail_alone_is_asked_for_again() -> None:
    (note,) = notes("winmail_alone")
    assert "we can't open" in note
    assert "plain text" in note


def test_winmail_beside_the_text_is_told_and_the_text_counts() -> None:
    (note,) = notes("winmail_beside")
    assert "Only the text of your email counts" in note


def test_an_encrypted_letter_is_asked_for_unencrypted() -> None:
    (note,) = notes("encrypted_pgp")
    assert "encrypted" in note
    assert "encrypted" in attached("smime.p7m", "application/pkcs7-mime", "")[0]


@pytest.mark.parametrize("name", ["orders.docx", "Spring.PDF", "moves.rtf"])
def test_a_document_is_named_and_how_to_send_it(name: str) -> None:
    (note,) = attached(name)
    assert name in note
    assert ".txt" in note


@pytest.mark.parametrize("name", ["pgp_mime_signed", "smime_signed", "calendar_beside", "picture_and_text"])
def test_of_signatures_pictures_and_invitations_nothing_is_said(name: str) -> None:
    assert notes(name) == ()


def test_a_text_file_was_opened() -> None:
    assert notes("orders_attached_txt") == ()
