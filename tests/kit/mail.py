"""Letters as mail programs send them, and letters as they were received."""

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
    """A plain letter in its bytes. headers: further ones, or other values; number: tells it from others."""
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
    """A letter as the inbox keeps it."""
    return StoredLetter(number=number, received=received, raw=raw, fingerprint=fingerprint(raw))


def plain_text(raw: bytes) -> str:
    """The plain text of a letter of ours."""
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert part is not None, "each letter of ours can be read as plain text"
    return str(part.get_content())


def header(raw: bytes, name: str) -> str:
    """A header of a letter of ours."""
    return str(head_of(raw)[name])


def head_of(raw: bytes) -> EmailMessage:
    """A letter's headers alone: to take its pictures apart as well costs many times as much."""
    return message_from_bytes(re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0], policy=policy.default)
