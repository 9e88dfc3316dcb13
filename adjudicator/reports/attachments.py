"""The files that go with a report: the map to print or to zoom into, the deadline for a calendar."""

import games
from adjudicator.clock import Millis
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Attachment
from adjudicator.ledger.positions import Position
from adjudicator.ledger.solitude import is_solo
from adjudicator.reports import calendar
from adjudicator.reports.report import Report
from games.protocol import Seat


def deadline_file(position: Position, seat: Seat, now: Millis, domain: str) -> tuple[Attachment, ...]:
    """The present deadline of a game for a seat's calendar, where it takes the place of an earlier one.

    Nothing where no deadline runs.
    """
    if not position.running or position.deadline is None or is_solo(position):
        return ()
    game = games.kinds()[position.kind]
    turn = game.rules.turn(position.state)
    note = calendar.entry(position.name, game.about.title, turn, position.deadline, now, domain, seat)
    return (_calendar_file(f"{position.name}-{turn.short}", note),)


SVG, CALENDAR = HeaderText("image/svg+xml"), HeaderText('text/calendar; charset="utf-8"')


def attachments(report: Report, svg: str | None, now: Millis, domain: str) -> tuple[Attachment, ...]:
    """The files for one reader. svg: the map, as he may see it; domain: of the service's address."""
    due = f"{report.game}-{report.turn.short if report.turn else 'end'}"
    name = f"{report.game}-{report.told.short}" if report.told else due
    found = []
    if report.turn and report.deadline:
        note = calendar.entry(
            report.game, report.title, report.turn, report.deadline, now, domain, report.viewer
        )
        found.append(_calendar_file(due, note))
    if svg is not None:
        found.append(Attachment(name=HeaderText(f"{name}.svg"), media=SVG, content=svg.encode()))
    return tuple(found)


def _calendar_file(name: str, note: bytes) -> Attachment:
    return Attachment(name=HeaderText(f"{name}.ics"), media=CALENDAR, content=note)
