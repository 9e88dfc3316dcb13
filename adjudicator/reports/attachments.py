"""The files that go with a report: the map to print or to zoom into, the deadline for a calendar."""

from collections.abc import Sequence

import games
from adjudicator.clock import Millis
from adjudicator.model.games import GamePosition
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment
from adjudicator.model.solo_games import is_solo
from adjudicator.reports.calendar import CalendarEntry, Organizer, method_of, render_calendar
from adjudicator.reports.report import Report
from games.protocol import Seat
from games.record import replace_fields

SVG = HeaderText("image/svg+xml")


def calendar_entry(position: GamePosition, seat: Seat | None) -> CalendarEntry:
    """The deadline of a game, for a seat's calendar; where none runs, the entry is taken away.

    position: as it will stand.
    """
    game = games.kinds()[position.kind]
    gone = CalendarEntry(position.name, game.about.title, seat)
    if not position.is_running or position.deadline is None or is_solo(position):
        return gone
    turn = game.rules.turn(position.state)
    length = position.deadlines.length(turn.kind)
    return replace_fields(gone, turn=turn, deadline=position.deadline, length=length)


def deadline_file(
    position: GamePosition, seat: Seat | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """That entry as a file, which takes the place of an earlier one, or takes it away."""
    return (_one(calendar_entry(position, seat), now, organizer),)


def deadlines_file(
    entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """Return all deadlines of a player's games as one calendar file; no file if there are none."""
    stand = [entry for entry in entries if entry.has_deadline]
    return (_calendar_file("deadlines", stand, now, organizer),) if stand else ()


def attachments(
    report: Report, position: GamePosition, svg: str | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """Return the files for one reader.

    position: the game as it stands after the turns that the report tells of; svg: the map, as the reader
    may see it; organizer: the service. A game that is over takes its deadline out of the
    reader's calendar, if it had any.
    """
    due = f"{report.game}-{report.turn.short if report.turn else 'end'}"
    name = f"{report.game}-{report.first_turn.short}" if report.first_turn else due
    files: list[Attachment] = []
    if (report.turn and report.deadline) or (report.result and not is_solo(position)):
        entry = CalendarEntry(report.game, report.title, report.viewer)
        if report.turn and report.deadline:
            length = position.deadlines.length(report.turn.kind)
            entry = replace_fields(entry, turn=report.turn, deadline=report.deadline, length=length)
        files.append(_one(entry, now, organizer))
    if svg is not None:
        files.append(Attachment(name=HeaderText(f"{name}.svg"), media=SVG, content=svg.encode()))
    return tuple(files)


def _one(entry: CalendarEntry, now: Millis, organizer: Organizer) -> Attachment:
    short = entry.turn.short if entry.turn else "no-deadline"
    return _calendar_file(f"{entry.game}-{short}", [entry], now, organizer)


def _calendar_file(
    name: str, entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer
) -> Attachment:
    # The part says what is done by it, as the file does (RFC 6047, section 2.4).
    media = HeaderText(f'text/calendar; method={method_of(entries)}; charset="utf-8"')
    return Attachment(
        name=HeaderText(f"{name}.ics"), media=media, content=render_calendar(entries, now, organizer)
    )
