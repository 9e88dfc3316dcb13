"""Deadlines as calendar entries that mail programs offer to note down (RFC 5545, RFC 5546, RFC 6047).

A seat of a game has one entry for as long as the game goes: each later one takes its place, by the same UID
and a higher SEQUENCE, and one that is cancelled takes it away.
"""

from collections.abc import Sequence
from urllib.parse import quote

from adjudicator.clock import DAY, HOUR, MINUTE, Millis, datetime_of
from adjudicator.messages import sentence
from games.protocol import Turn
from games.record import Value

_OCTETS = 75
"""No line of a calendar is longer (RFC 5545, section 3.1)."""

ALARM_SHARE = 3
"""The alarm goes off when so many-th part of a turn's time is left, but no more than a day before its end."""

LEAST_ALARM: Millis = 5 * MINUTE


class CalendarEntry(Value, frozen=True):
    """One entry. turn, deadline: None where it is taken away; length: how long such a turn waits.

    seat: whose; None: of whoever watches.
    """

    game: str
    title: str
    seat: str | None
    turn: Turn | None = None
    deadline: Millis | None = None
    length: Millis = DAY

    @property
    def has_deadline(self) -> bool:
        """Return whether the entry notes a deadline; otherwise it takes one away."""
        return self.turn is not None and self.deadline is not None


class Organizer(Value, frozen=True):
    """Who publishes entries: the service, by its name and address."""

    name: str
    address: str

    @property
    def property_line(self) -> str:
        """The ORGANIZER of an event: without one nothing may be published (RFC 5546, section 3.2.1)."""
        name = (self.name.strip() or self.address).replace("^", "^^").replace('"', "^'")
        return f'ORGANIZER;CN="{name}":mailto:{quote(self.address, safe="@+")}'

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]


def method_of(entries: Sequence[CalendarEntry]) -> str:
    """Return what is done by a file of entries, all of which stand or all of which are taken away."""
    return "PUBLISH" if all(one.has_deadline for one in entries) else "CANCEL"


def render_calendar(entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer) -> bytes:
    """Return an ``.ics`` file of entries, all of which note a deadline or all of which take one away."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Turnpost//deadlines//EN",
        f"METHOD:{method_of(entries)}",
    ]
    for entry in entries:
        lines += _event(entry, now, organizer)
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold_line(line)}\r\n" for line in lines).encode()


def alarm_before(length: Millis) -> Millis:
    """Return how long before the deadline of a turn of that length an alarm goes off."""
    return max(min(length // ALARM_SHARE, DAY), LEAST_ALARM)


def _event(entry: CalendarEntry, now: Millis, organizer: Organizer) -> list[str]:
    uid = ".".join(part.lower().replace(" ", "-") for part in (entry.game, entry.seat, "deadline") if part)
    head = [
        "BEGIN:VEVENT",
        f"UID:{uid}@{organizer.domain}",
        organizer.property_line,
        # By the clock: a count of what happens in the game would tell when others have ordered.
        f"SEQUENCE:{now // 1000 + (not entry.has_deadline)}",
        f"DTSTAMP:{_utc(now)}",
    ]
    if entry.turn is None or entry.deadline is None:
        over = sentence("reports.calendar.no_deadline", game=entry.game, seat=entry.seat)
        return [*head, f"DTSTART:{_utc(now)}", f"SUMMARY:{_text(over)}", "STATUS:CANCELLED", "END:VEVENT"]
    orders_for = sentence(
        "reports.calendar.orders_for", game=entry.game, turn=entry.turn.name, seat=entry.seat
    )
    are_due = sentence("reports.calendar.are_due", title=entry.title, game=entry.game, turn=entry.turn.name)
    early = alarm_before(entry.length)
    soon = sentence(
        "reports.calendar.due_soon", game=entry.game, hours=early // HOUR, minutes=early % HOUR // MINUTE
    )
    return [
        *head,
        f"DTSTART:{_utc(entry.deadline)}",
        f"SUMMARY:{_text(orders_for)}",
        f"DESCRIPTION:{_text(are_due)}",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"TRIGGER:-PT{early // MINUTE}M",
        f"DESCRIPTION:{_text(soon)}",
        "END:VALARM",
        "END:VEVENT",
    ]


def _utc(at: Millis) -> str:
    return f"{datetime_of(at):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """A value with its special characters escaped (RFC 5545, section 3.3.11)."""
    for mark in ("\\", ";", ","):
        value = value.replace(mark, f"\\{mark}")
    return " ".join(value.split())


def _fold_line(line: str) -> str:
    """Return a line in pieces of 75 octets at most, each but the first after a space; no character is cut."""
    pieces, piece, room = [], "", _OCTETS
    for letter in line:
        if len((piece + letter).encode()) > room:
            pieces.append(piece)
            piece, room = "", _OCTETS - 1
        piece += letter
    return "\r\n ".join([*pieces, piece])
