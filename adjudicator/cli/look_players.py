"""``gm player list`` and ``show`` as they look: who plays, waits and watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.admin import acquaintances
from adjudicator.cli.connect import shelf_at
from adjudicator.cli.output import document, say, table
from adjudicator.reports import charts

if TYPE_CHECKING:
    from adjudicator.admin.acquaintances import PersonReport
    from adjudicator.reports.charts import CaseRecord


def show_all(config: str | None, *, as_json: bool) -> None:
    """Print everybody on the books."""
    with shelf_at(config) as shelf:
        people = acquaintances.everybody(shelf)
    if as_json:
        document([sight_of(person_report) for person_report in people])
    elif not people:
        say("Nobody is on the books yet. Give somebody a seat:  gm seat assign GAME SEAT ADDRESS")
    else:
        table(
            ("address", "name", "zone", "plays", "waits for", "watches"),
            [
                (
                    person_report.person.address,
                    person_report.person.name,
                    person_report.person.zone,
                    ", ".join(f"{seat} ({game})" for game, seat in person_report.plays),
                    ", ".join(person_report.waits_for),
                    ", ".join(person_report.watches),
                )
                for person_report in people
            ],
        )


def show(config: str | None, address: str, *, as_json: bool) -> None:
    """Print what is known of somebody, and his record in games played alone."""
    with shelf_at(config) as shelf:
        person_report = acquaintances.of(shelf, address)
        record = acquaintances.solo_record(shelf, person_report.person.address)
    if as_json:
        document({**sight_of(person_report), "record": [_chapter(chapter) for chapter in record]})
        return
    say_person(person_report)
    if record:
        say("", charts.record_text(record))


def say_person(report: PersonReport) -> None:
    """Print what is known of somebody, for people."""
    table(
        ("player", report.person.address),
        [
            ("name", report.person.name),
            ("zone", report.person.zone),
            ("plays", ", ".join(f"{seat} in {game}" for game, seat in report.plays)),
            ("waits for", ", ".join(report.waits_for)),
            ("watches", ", ".join(report.watches)),
        ],
    )


def sight_of(report: PersonReport) -> dict[str, Any]:
    """Return what is known of a person, as plain values."""
    return {
        "address": report.person.address,
        "name": report.person.name,
        "zone": report.person.zone,
        "plays": [{"game": game, "seat": seat} for game, seat in report.plays],
        "waits_for": list(report.waits_for),
        "watches": list(report.watches),
    }


def _chapter(case_record: CaseRecord) -> dict[str, Any]:
    """The games of a case: their ends, the best, and what bots got; counts as they are kept."""
    game, got = case_record.best
    bots = case_record.bots and {
        "bot": case_record.bots.bot,
        "games": case_record.bots.games,
        "won": round(case_record.bots.share("won"), 4),
        "beaten": round(case_record.bots.share_beaten_by(case_record.case, got), 4),
    }
    return {
        "kind": case_record.kind,
        "case": case_record.case.name,
        "apart": list(case_record.apart),
        "won": case_record.count_ended("won"),
        "drawn": case_record.count_ended("drawn"),
        "lost": case_record.count_ended("lost"),
        "counted": case_record.case.thing,
        "parts": case_record.case.parts,
        "best": {"game": game, "end": got.end, "count": got.count},
        "games": [{"game": name, "end": each.end, "count": each.count} for name, each in case_record.played],
        "bots": bots,
    }
