"""``gm status``: how the games and the letters fare, on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import views
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import config_of, house_of
from adjudicator.cli.output import document, say
from adjudicator.daemon import health

if TYPE_CHECKING:
    from adjudicator.daemon.findings import Finding, Grade

EXIT_CODE_OF_GRADE: Mapping[Grade, int] = {"good": 0, "odd": 3, "bad": 4}
"""Beside 1, where nothing can be told, and 2 for wrong usage."""

app = alone()


@app.command(
    epilog=example(
        "gm status",
        "gm status --check",
        then="gm game show NAME  tells more of a game, gm mail list  of letters, gm doctor  what to mend.",
    )
)
def status(
    ctx: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Say only what is wrong: exit code 0 nothing, 3 odd, 4 bad.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how the games and the letters fare, and what is in the way.

    Of very many games those are listed that are in trouble and whose deadlines are next; with --json, all.

    With --check, for monitoring: a line for each thing that is wrong. The exit code is 0 where all is well, 3
    where something is to be seen to, 4 where the service does not do its work, 1 where that cannot be told.
    """
    if check:
        with house_of(ctx) as house:
            _check(health.problems(house, house.clock.now()), as_json)
        return
    views.show(config_of(ctx), as_json=as_json)


def _check(findings: Sequence[Finding], as_json: bool) -> None:
    worst = findings[0].grade if findings else "good"
    if as_json:
        document({"grade": worst, "findings": [asdict(finding) for finding in findings]})
    else:
        say(
            *(
                f"{finding.grade.upper()} {finding.about}: {finding.said} ({finding.instead})"
                for finding in findings
            )
        )
        if not findings:
            say("All is well.")
    raise typer.Exit(EXIT_CODE_OF_GRADE[worst])
