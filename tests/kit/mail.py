"""Emails as mail programs send them, and as the database stores them."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime

from adjudicator.clock import Millis, datetime_of
from adjudicator.model.mail import StoredLetter
from orders.mail.letter import fingerprint

NOON: Millis = 1_784_894_400_000


def letter(
    text: str,
    sender: str = "iroquois@example.net",
    to: str = "gm@example.org",
    subject: str = "orders",
    date: Millis = NOON,
    headers: dict[str, str] | None = None,
    number: int = 1,
) -> bytes:
    """Return the bytes of a plain email. headers: more ones, or other values. number: makes it unique."""
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = sender
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime_of(date))
    message["Message-ID"] = f"<{number}.{date}@{sender.rpartition('@')[2]}>"
    for name, value in (headers or {}).items():
        del message[name]
        message[name] = value
    message.set_content(text)
    return message.as_bytes()


def stored_letter(raw: bytes, received: Millis = NOON, number: int = 1) -> StoredLetter:
    """Return an email as the database stores it."""
    return StoredLetter(number=number, received=received, raw=raw, fingerprint=fingerprint(raw))


def plain_text(raw: bytes) -> str:
    """Return the plain text of our email."""
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert part is not None, "each letter of ours can be read as plain text"
    return str(part.get_content())


def header(raw: bytes, name: str) -> str:
    """Return a header of our email."""
    return str(head_of(raw)[name])


def head_of(raw: bytes) -> EmailMessage:
    """Return only the headers of an email, because parsing its pictures takes many times as long."""
    return message_from_bytes(re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0], policy=policy.default)
