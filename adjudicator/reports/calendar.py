"""A deadline as a calendar entry that mail programs offer to note down (RFC 5545)."""

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis, moment
from games.protocol import Turn

_OCTETS = 75
"""No line of a calendar is longer (RFC 5545, section 3.1)."""


def entry(
    game: str, title: str, turn: Turn, deadline: Millis, told: Millis, domain: str, seat: str | None
) -> bytes:
    """The deadline of a turn as an ``.ics`` file, with an alarm a day before.

    told: when the deadline was fixed. A later entry for the same turn and seat replaces the earlier one.
    """
    uid = ".".join(part.lower().replace(" ", "-") for part in (game, turn.short, seat) if part)
    orders_for = sentence("reports.calendar.orders_for", game=game, turn=turn.name, seat=seat)
    are_due = sentence("reports.calendar.are_due", title=title, game=game, turn=turn.name)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Turnpost//deadlines//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{uid}@{domain}",
        f"SEQUENCE:{told // 60_000 % 2**31}",
        f"DTSTAMP:{_utc(told)}",
        f"DTSTART:{_utc(deadline)}",
        f"SUMMARY:{_text(orders_for)}",
        f"DESCRIPTION:{_text(are_due)}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-PT24H",
        f"DESCRIPTION:{_text(sentence('reports.calendar.due_tomorrow', game=game))}",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _utc(at: Millis) -> str:
    return f"{moment(at):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """A value with its special characters escaped (RFC 5545, section 3.3.11)."""
    for mark in ("\\", ";", ","):
        value = value.replace(mark, f"\\{mark}")
    return " ".join(value.split())


def _folded(line: str) -> str:
    """A line in pieces of 75 octets at most, each but the first after a space; no character is cut."""
    pieces, piece, room = [], "", _OCTETS
    for letter in line:
        if len((piece + letter).encode()) > room:
            pieces.append(piece)
            piece, room = "", _OCTETS - 1
        piece += letter
    return "\r\n ".join([*pieces, piece])
