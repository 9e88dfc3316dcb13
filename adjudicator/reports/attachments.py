"""The files that go with a report: the map to print or to zoom into, the deadline for a calendar."""

from collections.abc import Sequence

import games
from adjudicator.clock import Millis
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment
from adjudicator.ledger.positions import Position
from adjudicator.ledger.solitude import is_solo
from adjudicator.reports.calendar import Entry, Organizer, method_of, written
from adjudicator.reports.report import Report
from games.protocol import Seat
from games.record import changed

SVG = HeaderText("image/svg+xml")


def calendar_entry(position: Position, seat: Seat | None) -> Entry:
    """The deadline of a game, for a seat's calendar; where none runs, the entry is taken away.

    position: as it will stand.
    """
    game = games.kinds()[position.kind]
    gone = Entry(position.name, game.about.title, seat)
    if not position.running or position.deadline is None or is_solo(position):
        return gone
    turn = game.rules.turn(position.state)
    length = position.deadlines.length(turn.kind)
    return changed(gone, turn=turn, deadline=position.deadline, length=length)


def deadline_file(
    position: Position, seat: Seat | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """That entry as a file, which takes the place of an earlier one, or takes it away."""
    return (_one(calendar_entry(position, seat), now, organizer),)


def deadlines_file(entries: Sequence[Entry], now: Millis, organizer: Organizer) -> tuple[Attachment, ...]:
    """Somebody's deadlines in all his games, in one file."""
    stand = [one for one in entries if one.stands]
    return (_calendar_file("deadlines", stand, now, organizer),) if stand else ()


def attachments(
    report: Report, position: Position, svg: str | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """The files for one reader. position: the game as it stands after what is told.

    svg: the map, as he may see it; organizer: the service. A game that is over takes its deadline
    out of his calendar, if it had any.
    """
    due = f"{report.game}-{report.turn.short if report.turn else 'end'}"
    name = f"{report.game}-{report.told.short}" if report.told else due
    found: list[Attachment] = []
    if (report.turn and report.deadline) or (report.result and not is_solo(position)):
        entry = Entry(report.game, report.title, report.viewer)
        if report.turn and report.deadline:
            length = position.deadlines.length(report.turn.kind)
            entry = changed(entry, turn=report.turn, deadline=report.deadline, length=length)
        found.append(_one(entry, now, organizer))
    if svg is not None:
        found.append(Attachment(name=HeaderText(f"{name}.svg"), media=SVG, content=svg.encode()))
    return tuple(found)


def _one(entry: Entry, now: Millis, organizer: Organizer) -> Attachment:
    short = entry.turn.short if entry.turn else "no-deadline"
    return _calendar_file(f"{entry.game}-{short}", [entry], now, organizer)


def _calendar_file(name: str, entries: Sequence[Entry], now: Millis, organizer: Organizer) -> Attachment:
    # The part says what is done by it, as the file does (RFC 6047, section 2.4).
    media = HeaderText(f'text/calendar; method={method_of(entries)}; charset="utf-8"')
    return Attachment(name=HeaderText(f"{name}.ics"), media=media, content=written(entries, now, organizer))
