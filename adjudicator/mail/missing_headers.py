"""Letters without a Message-ID or a Date: what is missing is added (RFC 6409 §8).

Scripts and pipes send such letters, and may say the same twice with something else in between. So the name
that one gets here tells when and where it arrived; the same arrival, looked at again, gets the same name.
"""

import hashlib
import re
from email.utils import format_datetime

from adjudicator.clock import Millis, datetime_of
from orders.mail.headers import first, line_end_of, read_headers, split_message
from orders.mail.letter import GENERATED_ID_DOMAIN, envelope_of, message_id_of

_TRACE = re.compile(rb"^received[ \t]*:", re.IGNORECASE | re.MULTILINE)


def add_missing_headers(raw: bytes, received: Millis | None, place: str) -> bytes:
    """A letter with the Message-ID and the Date that it lacks; the same bytes where it lacks no Message-ID.

    received: when it arrived, None where looking again would tell another time (then no Date is added);
    place: what tells it from another arrival of that instant with the same bytes.
    """
    if message_id_of(raw):
        return raw
    mark = hashlib.sha256(f"{received}\0{place}\0".encode() + raw).hexdigest()[:32]
    envelope = envelope_of(raw)
    rest = raw[len(envelope) :]
    # A header block whose lines end in two ways would authenticate nobody.
    end = line_end_of(rest)
    added = f"Message-ID: <{mark}@{GENERATED_ID_DOMAIN}>".encode() + end
    if received is not None and first(read_headers(split_message(rest)[0]), "date") is None:
        added += f"Date: {format_datetime(datetime_of(received))}".encode() + end
    return envelope + added + rest


def is_traced(raw: bytes) -> bool:
    """Return whether a mail server has noted in a letter when it came: then no two arrivals are alike."""
    return _TRACE.search(split_message(raw)[0]) is not None
