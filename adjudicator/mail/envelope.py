"""Encodes an email as bytes. The same email always gives the same bytes.

Headers and parts are written here, not by the standard library, which encodes every long Message-ID and so
breaks threads, decodes encoded-looking text of players, and takes several times as long.
"""

import hashlib
import re
from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from email import header as encoded_header
from email.utils import format_datetime
from functools import cache, lru_cache
from urllib.parse import quote

from adjudicator.clock import Millis, datetime_of
from adjudicator.model.addresses import (
    SenderClaim,
    bounce_address,
    message_id,
    reply_address,
    short_seat_name,
    valid_address,
)
from adjudicator.model.channel_posts import channel_named
from adjudicator.model.mail import HeaderText, LetterDraft, OutgoingMessage, check, encode_base64
from orders.mail.headers import first, line_end_of, read_headers, split_message
from orders.mail.letter import GENERATED_ID_DOMAIN, envelope_of, message_id_of

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DATE_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""The month and day names in a Date, independent of the locale."""
MAX_SUBJECT_CHARS = 200
MAX_REFERENCES = 8
"""The number of last Message-IDs of a thread that are listed, in addition to its first."""

_MAX_MEMOISED_ROW_CHARS = 500
"""The longest line, in characters, that is cached in its encoded form."""

_CONTROL_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_MESSAGE_ID_RE = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>")


def encode_letter(
    outgoing: LetterDraft, *, key: bytes, service_address: str, service_name: str, now: Millis
) -> OutgoingMessage:
    """Return the email in its final bytes: 7-bit, text and HTML, the picture inside the HTML, files last.

    key: the service's, for the Message-ID. service_name: shown as the sender, with the game's name. now: for
    the Date. Raises ValueError for an address that isn't safe for emails. A post to a channel is
    stored like an email until it is sent.
    """
    to = valid_address(outgoing.to) or (outgoing.to if channel_named(outgoing.to) else None)
    if to is None:
        raise ValueError(f"can't address an email to {outgoing.to!r}")
    domain = service_address.rpartition("@")[2]
    claim = None
    if outgoing.game is not None and outgoing.seat is not None:
        claim = SenderClaim(game=outgoing.game, seat=short_seat_name(outgoing.seat), token=outgoing.token)
    own_id = message_id(key, outgoing.key, domain, claim)
    mark = own_id.partition("@")[0][-16:]
    name = f"{service_name} {outgoing.game}" if outgoing.game else service_name
    *rows, last = _words(name, "From")
    if not last.startswith("=?"):
        last = '"' + re.sub(r'(["\\])', r"\\\1", last) + '"'
    reply_to: str | None = outgoing.reply_to
    if not reply_to and outgoing.game and outgoing.seat and outgoing.token:
        reply_to = reply_address(service_address, outgoing.game, outgoing.seat, outgoing.token)
    lines = [
        _row("Date", _date(now)),
        _row("From", *rows, f"{last} <{service_address}>"),
        _row("To", to),
        *([_row("Reply-To", reply_to)] if reply_to else []),
        _row("Subject", *_words(outgoing.subject, "Subject")),
        _row("Message-ID", own_id),
        *_threading(outgoing),
        *_marks(outgoing, service_address, domain),
    ]
    # Everything is ASCII except a reader's address in their own emails (RFC 6532).
    head = "".join(lines).encode()
    return OutgoingMessage(
        key=outgoing.key,
        message_id=own_id,
        # A bounce of a notice to ourselves would only come back to us again.
        sender=service_address if to == service_address else bounce_address(service_address, key, own_id),
        to=to,
        raw=head + _body(outgoing, mark, domain),
        game=outgoing.game,
        seat=outgoing.seat,
    )


@lru_cache(maxsize=4)
def _date(now: Millis) -> str:
    """Return an instant as the text of a Date header. It is cached for the emails of a round."""
    when = datetime_of(now)
    day, month = _DAYS[when.weekday()], _DATE_MONTHS[when.month - 1]
    return f"{day}, {when.day:02} {month} {when.year:04} {when:%H:%M:%S} +0000"


def _row(name: str, *parts: str) -> str:
    """Return one header, folded between its parts. Raises ValueError if it contains a line end."""
    check(parts)
    return f"{name}: " + "\r\n ".join(parts) + "\r\n"


def _words(text: str, header: str) -> tuple[str, ...]:
    """Return text as one part, or split into the lines of its encoded form."""
    clean = HeaderText.clean(text)[:MAX_SUBJECT_CHARS]
    if clean.isascii() and "=?" not in clean:
        return (clean,)
    row = encoded_header.Header(clean, "utf-8", maxlinelen=76, header_name=header)
    encoded = row.encode(linesep="\r\n")
    return tuple(encoded.split("\r\n "))


def _threading(outgoing: LetterDraft) -> Iterator[str]:
    before = [
        message_id
        for message_id in (*outgoing.thread, outgoing.answer_to or "")
        if _MESSAGE_ID_RE.fullmatch(message_id)
    ]
    thread = list(dict.fromkeys(before))
    if len(thread) > MAX_REFERENCES + 1:
        thread = [thread[0], *thread[-MAX_REFERENCES:]]
    if before:
        yield _row("In-Reply-To", before[-1])
        yield _row("References", *thread)


def _marks(outgoing: LetterDraft, service_address: str, domain: str) -> Iterator[str]:
    yield _row("Auto-Submitted", outgoing.automatic)
    yield _row("X-Loop", service_address)
    if outgoing.automatic != "no":
        # Lists and forums reject emails with these headers, so a post to one has none.
        yield _row("X-Auto-Response-Suppress", "OOF, AutoReply")
        # A player's emails are for this player only, expect a reply, and belong to no list. With a bulk
        # header, some mailboxes file them with the advertisements. The headers above suffice for automatic
        # responders.
        if not outgoing.seat:
            yield _row("Precedence", "bulk")
        if outgoing.game and not outgoing.seat:
            yield _row("List-Id", f"<{outgoing.game}.{domain}>")
    if outgoing.leave:
        # Only by email: the one-click form (RFC 8058) needs a web server.
        to = f"{outgoing.reply_to or service_address}?subject={quote(outgoing.leave)}"
        yield _row("List-Unsubscribe", f"<mailto:{to}>")
    about = (outgoing.game, outgoing.turn, outgoing.seat and short_seat_name(outgoing.seat))
    yield _row("X-Turnpost", " ".join(word for word in about if word) or "service")


def _body(outgoing: LetterDraft, mark: str, domain: str) -> bytes:
    """Return everything after the other headers.

    No line of any email can begin with a boundary: quoted-printable and base64 encode ``=``.
    """
    letter = _leaf("plain", outgoing.text)
    if outgoing.html is not None:
        page, pictures = outgoing.html, []
        for kind, png, file_name in (
            ("front", outgoing.front, outgoing.front_name),
            ("map", outgoing.picture, outgoing.picture_name),
            ("chart", outgoing.chart, outgoing.chart_name),
        ):
            content_id = f"{kind}.{mark}@{domain}"
            page = page.replace(f"cid:{kind}", f"cid:{content_id}")
            if png is not None:
                identified = (f"Content-ID: <{content_id}>",)
                pictures.append(_file_part("image/png", "inline", file_name, png, identified))
        shown = _leaf("html", page)
        if pictures:
            shown = _bundle('related; type="text/html"', f"=_{mark}_1", (shown, *pictures))
        letter = _bundle("alternative", f"=_{mark}_0", (letter, shown))
    if outgoing.attached:
        files = (_file_part(each.media, "attachment", each.name, each.content) for each in outgoing.attached)
        letter = _bundle("mixed", f"=_{mark}_2", (letter, *files))
    return b"MIME-Version: 1.0\r\n" + letter


def _leaf(subtype: str, text: str) -> bytes:
    """Return a part with text in quoted-printable UTF-8, without invisible characters."""
    rows = text.removesuffix("\n").split("\n")
    encoded_rows = [_quoted(row) if len(row) <= _MAX_MEMOISED_ROW_CHARS else _quote_row(row) for row in rows]
    return _leaf_head(subtype) + b"".join(encoded_rows)


def _quote_row(row: str) -> bytes:
    """Return a line in quoted-printable, with its end. Each line is encoded independently."""
    seen = row if row.isprintable() else _CONTROL_IN_TEXT.sub("", row)
    return b2a_qp(seen.encode() + b"\r\n", istext=True)


# Nine lines in ten were in earlier emails: text of templates, and the orders of a round.
_quoted = lru_cache(maxsize=2048)(_quote_row)


@cache
def _leaf_head(subtype: str) -> bytes:
    encoding = "Content-Transfer-Encoding: quoted-printable"
    return _part((f'Content-Type: text/{subtype}; charset="utf-8"', encoding), b"")


def _file_part(media: str, shown: str, name: str, content: bytes, more: Sequence[str] = ()) -> bytes:
    """Return a part with a file in base64. shown: "inline" or "attachment". more: further headers."""
    safe_name = re.sub("[^A-Za-z0-9._-]", "-", name)
    head = (
        f"Content-Type: {media}",
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: {shown}; filename="{safe_name}"',
    )
    return _part((*head, *more), encode_base64(content))


def _bundle(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    line = f"\r\n--{boundary}".encode()
    content = b"".join(line + b"\r\n" + part for part in parts) + line + b"--\r\n"
    return _part((f"Content-Type: multipart/{kind};", f' boundary="{boundary}"'), content)


def _part(head: Sequence[str], content: bytes) -> bytes:
    return "".join(HeaderText(line) + "\r\n" for line in head).encode() + b"\r\n" + content


# Emails without a Message-ID or a Date: the missing header is added (RFC 6409 §8).
#
# Scripts and pipes send emails without these headers, and can send the same text twice. So the Message-ID
# given here depends on time and place of arrival. The same arrival always gets the same one.


_TRACE = re.compile(rb"^received[ \t]*:", re.IGNORECASE | re.MULTILINE)


def add_missing_headers(raw: bytes, received: Millis | None, place: str) -> bytes:
    """Return an email with its missing Message-ID and Date, or the same bytes if it has a Message-ID.

    received: the time of arrival, None if it would differ next time (then no Date is added). place:
    distinguishes two arrivals of the same bytes at that instant.
    """
    if message_id_of(raw):
        return raw
    mark = hashlib.sha256(f"{received}\0{place}\0".encode() + raw).hexdigest()[:32]
    envelope = envelope_of(raw)
    rest = raw[len(envelope) :]
    # An email with two kinds of line ends in its header never counts as authenticated.
    end = line_end_of(rest)
    added = f"Message-ID: <{mark}@{GENERATED_ID_DOMAIN}>".encode() + end
    if received is not None and first(read_headers(split_message(rest)[0]), "date") is None:
        added += f"Date: {format_datetime(datetime_of(received))}".encode() + end
    return envelope + added + rest


def is_traced(raw: bytes) -> bool:
    """Return whether a mail server has recorded the arrival in the email. Then no two arrivals are equal."""
    return _TRACE.search(split_message(raw)[0]) is not None
