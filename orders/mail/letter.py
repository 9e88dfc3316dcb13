"""An opened email: its headers as plain values, its parts as text, and its unread parts."""

import hashlib

from games.record import Record
from orders.mail.headers import (
    Header,
    addresses,
    date_of,
    first,
    ids_of,
    name_of,
    read_headers,
    split_message,
    text_of,
    without_comments,
)
from orders.mail.mime import Part, read_parts
from orders.messages import sentence

MAX_LETTER_BYTES = 1_000_000
"""The most bytes of an email that are read."""

GENERATED_ID_DOMAIN = "unnamed.invalid"
"""The domain of a Message-ID that the receiving server gave to an email without one."""

RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
AUTOMATIC_MAIL_HEADERS = (
    "auto-submitted",
    "precedence",
    "list-id",
    "list-post",
    "return-path",
    "x-loop",
    "x-auto-response-suppress",
    "x-autoreply",
    "x-autorespond",
    "content-type",
    "x-turnpost",
)
_MAX_RECIPIENTS, _MAX_THREAD_IDS = 100, 50


class Letter(Record, frozen=True, kw_only=True):
    """An email. Every field is safe to print.

    message_id: with angle brackets, "" if missing; sender: address in lower case, "" if missing; date:
    milliseconds UTC by its Date header; thread: the message ids before it in its thread, the oldest first;
    answers: the message id that it replies to; marks: the headers that identify automatic and list messages,
    by lower-case name, without comments; defects: the parts that were broken, cut or missing.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    date: int | None = None
    thread: tuple[str, ...] = ()
    answers: str | None = None
    marks: dict[str, str] = {}
    parts: tuple[Part, ...] = ()
    defects: tuple[str, ...] = ()
    size_bytes: int = 0


def open_letter(raw: bytes) -> Letter:
    """Return the email in these bytes. It never raises: `defects` has the defects, and the rest is read."""
    try:
        return _parse_letter(raw)
    except Exception as fault:  # The input is hostile. An error may cost this email, but never the service.
        return Letter(defects=(f"unreadable: {type(fault).__name__}",), size_bytes=len(raw))


def _parse_letter(raw: bytes) -> Letter:
    start = len(envelope_of(raw))
    block, body = split_message(raw[start:MAX_LETTER_BYTES])
    headers = read_headers(block)
    header_values = dict(reversed(headers))  # the first one if a name repeats
    parts, broken = read_parts(headers, body)
    senders = addresses(header_values.get("from"))
    recipients = (
        address
        for name in RECIPIENTS
        for header in headers
        if header.name == name
        for address in addresses(header.value)
    )
    answers = ids_of(header_values.get("in-reply-to"))
    return Letter(
        message_id=next(iter(ids_of(header_values.get("message-id"))), ""),
        sender=senders[0] if senders else "",
        sender_name=name_of(header_values.get("from")),
        recipients=tuple(dict.fromkeys(recipients))[:_MAX_RECIPIENTS],
        subject=text_of(header_values.get("subject"))[:1_000],
        date=date_of(header_values.get("date")),
        thread=tuple(dict.fromkeys((*ids_of(header_values.get("references")), *answers)))[-_MAX_THREAD_IDS:],
        answers=answers[0] if answers else None,
        marks={
            name: without_comments(text_of(header_values[name])[:1_000])
            for name in AUTOMATIC_MAIL_HEADERS
            if name in header_values
        },
        parts=parts,
        defects=(*_defects(raw, headers, senders), *broken),
        size_bytes=len(raw),
    )


def message_id_of(raw: bytes) -> str:
    """Return the Message-ID of an email with angle brackets, from its header block alone; "" if missing."""
    return next(iter(ids_of(first(_head(raw), "message-id"))), "")


def names_of(raw: bytes) -> tuple[str, str]:
    """Return the Message-ID and the sender of an email, as `Letter` has them, from its header block alone."""
    headers = _head(raw)
    ids, senders = ids_of(first(headers, "message-id")), addresses(first(headers, "from"))
    return ids[0] if ids else "", senders[0] if senders else ""


def date_sent(raw: bytes) -> int | None:
    """Return the date of an email, as `Letter.date` has it, from its header block alone."""
    return date_of(first(_head(raw), "date"))


def _head(raw: bytes) -> tuple[Header, ...]:
    return read_headers(split_message(raw[len(envelope_of(raw)) :])[0])


def envelope_of(raw: bytes) -> bytes:
    """Return the bytes before an email's own headers: a byte order mark, a mailbox's ``From `` line."""
    mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
    line, end, _ = raw[len(mark) :].partition(b"\n")
    return mark + line + end if line.startswith((b"From ", b">From ")) else mark


def _defects(raw: bytes, headers: tuple[Header, ...], senders: tuple[str, ...]) -> tuple[str, ...]:
    names = [header.name for header in headers]
    defects = [f"no {name}" for name in ("from", "message-id", "date") if name not in names]
    if (first(headers, "message-id") or b"").endswith(f"@{GENERATED_ID_DOMAIN}>".encode()):
        defects.append(sentence("letter.no_message_id"))
    defects += [f"several {name}" for name in ("from", "message-id", "subject") if names.count(name) > 1]
    if "from" in names and len(senders) != 1:
        defects.append(sentence("letter.several_senders" if senders else "letter.no_sender"))
    if len(raw) > MAX_LETTER_BYTES:
        defects.append(sentence("letter.too_large", bytes=MAX_LETTER_BYTES))
    return tuple(defects)


def fingerprint(raw: bytes) -> str:
    """Return the SHA-256 over Message-ID, Date, From and body. It identifies an email on any route.

    Line endings, folding and headers added on the way don't count.
    """
    block, body = split_message(raw[len(envelope_of(raw)) :])
    headers = read_headers(block)
    digest = hashlib.sha256()
    for name in ("message-id", "date", "from"):
        digest.update(b" ".join((first(headers, name) or b"").split()) + b"\0")
    digest.update(body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n"))
    return digest.hexdigest()


# Sentences for the sender about attachments that were not opened.


_OUTLOOKS = ("winmail.dat", "win.dat", "ms-tnef", "vnd.ms-tnef")
_ENCRYPTED = ("encrypted.asc", "pgp-encrypted", "smime.p7m", "pkcs7-mime", "x-pkcs7-mime")
_DOCUMENTS = (
    ".doc",
    ".docx",
    ".odt",
    ".rtf",
    ".pdf",
    ".htm",
    ".html",
    ".xls",
    ".xlsx",
    ".ods",
    ".eml",
    ".msg",
)


def describe_unopened(letter: Letter) -> tuple[str, ...]:
    """Return sentences on unread parts that may hold orders, and how to send them; none for pictures."""
    attached = [part for part in letter.parts if part.kind == "attachment" and not part.text]
    has_text = any(part.text.strip() for part in letter.parts)
    sentences = []
    if any(part.name.lower() in _OUTLOOKS for part in attached):
        sentences.append(_outlooks(has_text))
    if any(part.name.lower() in _ENCRYPTED for part in attached):
        sentences.append(
            "Your email is encrypted, and we can't open it. Please send it again without encryption. "
            "You may sign it."
        )
    documents = [part for part in attached if part.name.lower().endswith(_DOCUMENTS)]
    if documents:
        names = ", ".join(part.name for part in documents)
        sentences.append(
            f"We didn't open: {names}. Please write your orders in the email itself, or attach them as a "
            "plain text file whose name ends in .txt."
        )
    return tuple(sentences)


def _outlooks(has_text: bool) -> str:
    how = "In Outlook, choose Format Text, Plain Text."
    if has_text:
        return f"We didn't open the attached winmail.dat. Only the text of your email counts. {how}"
    return (
        "Your mail program packed your whole email into winmail.dat, which we can't open. Please "
        f"send it again as plain text. {how}"
    )
