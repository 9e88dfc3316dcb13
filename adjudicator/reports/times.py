"""Notices about changed deadlines, in the reader's time zone; deadlines as calendar files."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, tzinfo
from urllib.parse import quote

from adjudicator.clock import (
    DAY,
    EASTERNMOST_ZONE,
    HOUR,
    MINUTE,
    WESTERNMOST_ZONE,
    Millis,
    datetime_of,
    format_day,
    format_instant,
)
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import Overdue
from adjudicator.model.deadlines import Stop, TableMotion
from games.language import format_length, format_moment, join_list
from games.protocol import Seat, Turn
from games.record import Value

Words = Callable[[Seat | None, tzinfo], tuple[str, ...]]
"""The paragraphs for one reader, by seat and time zone."""


def both(at: Millis, zone: tzinfo) -> str:
    """Return an instant in the reader's time zone, and also in UTC if that is another time."""
    here, there = datetime_of(at, zone), datetime_of(at, UTC)
    if here.utcoffset() == there.utcoffset():
        return format_instant(at, zone)
    pattern = "HH:mm" if here.date() == there.date() else "EEEE HH:mm"
    return f"{format_instant(at, zone)} ({format_moment(there, pattern)} UTC)"


def overdue_line(over: Overdue, zone: tzinfo) -> str:
    """Return the sentences about a deadline that has passed: until when orders count, and what happens
    then.
    """
    deadline, until = both(over.deadline, zone), both(over.until, zone)
    return sentence("reports.times.overdue", deadline=deadline, until=until, closed=over.closed)


def span(first: Millis, last: Millis, zone: tzinfo, *, anywhere: bool) -> tuple[str, str]:
    """Return the days of two instants in the reader's time zone.

    anywhere: as the first of them begins and the last ends anywhere on Earth. Without a zone, the days
    don't reveal where a player lives.
    """
    begins, ends = (EASTERNMOST_ZONE, WESTERNMOST_ZONE) if anywhere else (zone, zone)
    return format_day(first, begins), format_day(last, ends)


def extension_notice(turn: Turn, deadline: Millis, silent: Sequence[Seat]) -> tuple[str, Words]:
    """Return the notice that the deadline is extended, since orders are missing."""

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        at = both(deadline, zone)
        notice = sentence("reports.times.put_off", silent=join_list(silent), turn=turn.name, deadline=at)
        if seat in silent:
            return notice, sentence("reports.times.yours_missing")
        return notice, sentence("reports.times.yours_on_file")

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def absence_notice(turn: Turn, deadline: Millis, gone: Sequence[Seat]) -> tuple[str, Words]:
    """Return the notice that the deadline is extended because of an absence."""

    def words(_seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        at = both(deadline, zone)
        return (sentence("reports.times.heeded", gone=join_list(gone), turn=turn.name, deadline=at),)

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def new_deadline_notice(turn: Turn, deadline: Millis, why: str) -> tuple[str, Words]:
    """Return the notice that the GM has set the deadline."""

    def words(_seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        notice = sentence("reports.times.moved", turn=turn.name, deadline=both(deadline, zone))
        return (notice, *by_gamesmaster(why))

    return sentence("reports.times.moved_subject", turn=turn.name), words


def outage_notice(
    turn: Turn, deadline: Millis, since: Millis, until: Millis, *, of_game: bool = False
) -> tuple[str, Words]:
    """Return the notice that the service was down, or the game suspended, and all players get that
    time back.
    """

    def words(_seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        notice = sentence(
            "reports.times.out_of_order",
            since=both(since, zone),
            until=both(until, zone),
            turn=turn.name,
            deadline=both(deadline, zone),
            of_game=of_game,
        )
        return notice, sentence("reports.times.came_meanwhile")

    return sentence("reports.times.put_off_subject", turn=turn.name), words


def new_settings_notice(changed: Mapping[str, str], why: str) -> tuple[str, Words]:
    """Return the notice that the game's settings have changed. changed: the text of each, by its meaning."""

    def words(_seat: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        rows = "\n".join(f"  {text}: {meaning}" for meaning, text in changed.items())
        return (
            sentence("reports.times.new_terms"),
            rows,
            *by_gamesmaster(why),
            sentence("reports.times.new_terms_later"),
        )

    return sentence("reports.times.new_terms_subject"), words


def missing_orders_notice(turn: Turn, silent: Sequence[Seat]) -> tuple[str, Words]:
    """Return the notice that orders are missing, and the GM is asked."""

    def words(seat: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        notice = sentence("reports.times.waiting", silent=join_list(silent), turn=turn.name)
        if seat in silent:
            return notice, sentence("reports.times.waiting_for_yours")
        return notice, sentence("reports.times.waiting_with_yours")

    return sentence("reports.times.waiting_subject", turn=turn.name), words


def stop_notice(turn: Turn, stop: Stop) -> tuple[str, Words]:
    """Return the notice that the game is paused, or its turn is held."""
    paused = stop.kind == "pause"

    def words(_seat: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        return (
            sentence("reports.times.stopped", paused=paused, turn=turn.name),
            *by_gamesmaster(stop.why),
            sentence("reports.times.stopped_meanwhile"),
        )

    return sentence("reports.times.stopped_subject", paused=paused, turn=turn.name), words


def carried_notice(turn: Turn, motion: TableMotion, deadline: Millis | None) -> tuple[str, Words]:
    """Return the notice that the players' votes have paused or resumed the game, or given more time."""

    def words(_seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        due = None if deadline is None else both(deadline, zone)
        voted = sentence("reports.times.voted", motion=motion, turn=turn.name, deadline=due)
        return (voted, sentence("reports.times.stopped_meanwhile")) if motion == "pause" else (voted,)

    return sentence("reports.times.voted_subject", motion=motion, turn=turn.name), words


def why_no_deadline(stop: Stop) -> str:
    """Return a sentence that says why no deadline runs."""
    if stop.kind == "nmr":
        return sentence("reports.times.standing_nmr", why=stop.why)
    return sentence("reports.times.standing", paused=stop.kind == "pause", why=stop.why)


def why_restored(made: Millis) -> str:
    """Return why a restore has stopped a game. made: when the backup was made."""
    return sentence("reports.times.why_restored", made=format_instant(made))


def restore_notice(turn: Turn, why: str) -> tuple[str, Words]:
    """Return the notice that the game was restored from a backup, and is paused. why: from `why_restored`."""

    def words(_seat: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        return (
            sentence("reports.times.restored", why=why, turn=turn.name),
            sentence("reports.times.restored_emails"),
        )

    return sentence("reports.times.restored_subject"), words


def resume_notice(
    turn: Turn, deadline: Millis | None, why: str, owing: Collection[Seat]
) -> tuple[str, Words]:
    """Return the notice that the game goes on. deadline None: it has none. owing: the seats whose orders are
    due now.
    """

    def words(seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        if deadline is None:
            notice = (
                sentence("reports.times.waits_for_you", turn=turn.name)
                if seat in owing
                else sentence("reports.times.nothing_due", turn=turn.name)
            )
        else:
            notice = sentence("reports.times.resumed", turn=turn.name, deadline=both(deadline, zone))
        return (notice, *by_gamesmaster(why))

    return sentence("reports.times.resumed_subject", turn=turn.name), words


def no_clock_notice(turn: Turn, owing: Collection[Seat]) -> tuple[str, Words]:
    """Return the notice that one player plays alone from now on, without deadlines.

    owing: the seats whose orders are due now.
    """

    def words(seat: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        owes = seat in owing
        waits = (sentence("reports.times.waits_for_you", turn=turn.name),) if owes else ()
        return sentence("reports.times.unwound", owes=owes), *waits

    return sentence("reports.times.unwound_subject"), words


def new_clock_notice(turn: Turn, deadline: Millis) -> tuple[str, Words]:
    """Return the notice that there are deadlines again."""

    def words(_seat: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        at = both(deadline, zone)
        return (sentence("reports.times.wound_up", turn=turn.name, deadline=at),)

    return sentence("reports.times.moved_subject", turn=turn.name), words


def corrected_deadline_notice(
    turn: Turn, deadline: Millis | None, announced: Millis | None, owing: Collection[Seat]
) -> tuple[str, Words]:
    """Return the notice that a new player was given another deadline. deadline: None for no deadline."""
    if deadline is None:
        return no_clock_notice(turn, owing)
    return new_clock_notice(turn, deadline) if announced is None else new_deadline_notice(turn, deadline, "")


def abandoned_seat_notice(seat: Seat, turns: int) -> tuple[str, Words]:
    """Return the notice that a seat goes to its bot, since it sent no orders too often."""

    def words(reader: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (sentence("reports.times.left_you", count=turns),)
        return (sentence("reports.times.left", seat=seat, count=turns),)

    return sentence("reports.times.left_subject", seat=seat), words


def substitute_notice(seat: Seat, until: Millis, *, anywhere: bool) -> tuple[str, Words]:
    """Return the notice that a substitute plays a seat. anywhere: until its day is over everywhere."""

    def words(_reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        _, last = span(until, until, zone, anywhere=anywhere)
        return (sentence("reports.times.lent", seat=seat, last=last),)

    return sentence("reports.times.lent_subject", seat=seat), words


def player_back_notice(seat: Seat) -> tuple[str, Words]:
    """Return the notice that the player of a seat is back."""

    def words(reader: Seat | None, _zone: tzinfo) -> tuple[str, ...]:
        if reader == seat:
            return (sentence("reports.times.given_back_you", seat=seat),)
        return (sentence("reports.times.given_back", seat=seat),)

    return sentence("reports.times.given_back_subject", seat=seat), words


def by_gamesmaster(why: str) -> tuple[str, ...]:
    """Return the GM's reason as a paragraph, if there is one."""
    return (sentence("reports.times.gamesmaster_says", why=why),) if why else ()


# Deadlines as calendar entries that mail programs offer to note down (RFC 5545, RFC 5546, RFC 6047).
#
# A seat of a game has one entry for as long as the game goes: each later one takes its place, by the same UID
# and a higher SEQUENCE, and one that is cancelled takes it away.


_OCTETS = 75
"""No line of a calendar is longer (RFC 5545, section 3.1)."""

ALARM_SHARE = 3
"""The alarm goes off when so many-th part of a turn's time is left, but no more than a day before its end."""

LEAST_ALARM: Millis = 5 * MINUTE


class CalendarEntry(Value, frozen=True):
    """An entry of a calendar. turn, deadline: None to remove the entry. length: the usual time of such a
    turn.

    seat: None for observers.
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
    """The publisher of calendar entries: the service, by its name and address."""

    name: str
    address: str

    @property
    def property_line(self) -> str:
        """Return the ORGANIZER of an event. Published entries must have one (RFC 5546, section 3.2.1)."""
        name = (self.name.strip() or self.address).replace("^", "^^").replace('"', "^'")
        return f'ORGANIZER;CN="{name}":mailto:{quote(self.address, safe="@+")}'

    @property
    def domain(self) -> str:
        """Return the part of the address after the @."""
        return self.address.rpartition("@")[2]


def method_of(entries: Sequence[CalendarEntry]) -> str:
    """Return the method of a file of entries, which all note deadlines or all remove them."""
    return "PUBLISH" if all(entry.has_deadline for entry in entries) else "CANCEL"


def render_calendar(entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer) -> bytes:
    """Return an ``.ics`` file of entries, which all note a deadline or all remove one."""
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
        "reports.calendar.orders_for_title", game=entry.game, turn=entry.turn.name, seat=entry.seat
    )
    are_due = sentence("reports.calendar.are_due", title=entry.title, game=entry.game, turn=entry.turn.name)
    early = alarm_before(entry.length)
    time = format_length(hours=early // HOUR, minutes=early % HOUR // MINUTE)
    soon = sentence("reports.calendar.due_soon_title", game=entry.game, time=time)
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
    """Return a value with its special characters escaped (RFC 5545, section 3.3.11)."""
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
