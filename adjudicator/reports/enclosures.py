"""The files that go with a report: the map to print or to zoom into, the deadline for a calendar."""

from adjudicator.clock import Millis
from adjudicator.ledger import Attachment
from adjudicator.reports import calendar
from adjudicator.reports.report import Report


def enclosures(report: Report, svg: str | None, now: Millis, domain: str) -> tuple[Attachment, ...]:
    """The files for one reader. svg: the map, as he may see it; domain: of the service's address."""
    name = f"{report.game}-{report.turn.short if report.turn else 'end'}"
    found = []
    if report.turn and report.deadline:
        note = calendar.entry(
            report.game, report.title, report.turn, report.deadline, now, domain, report.viewer
        )
        found.append(Attachment(name=f"{name}.ics", media='text/calendar; charset="utf-8"', content=note))
    if svg is not None:
        found.append(Attachment(name=f"{name}.svg", media="image/svg+xml", content=svg.encode()))
    return tuple(found)
