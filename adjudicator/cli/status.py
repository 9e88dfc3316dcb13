"""``gm doctor``: the service looked over, and what to do about each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import clean, document, pluralise, say
from adjudicator.daemon import doctor as examining
from adjudicator.mail import dns

if TYPE_CHECKING:
    from adjudicator.daemon.findings import Finding

GRADE_SIGNS = {"good": "ok ", "odd": "?  ", "bad": "BAD"}
app = alone()


@app.command(
    epilog=example(
        "gm doctor",
        "gm doctor --wait 300",
        then="The exit code is 1 if something is bad. gm status  tells how the games and the letters fare.",
    )
)
def doctor(
    ctx: typer.Context,
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="For letters to oneself; 0 sends none.")
    ] = 60.0,
    as_json: Json = False,
) -> None:
    """Look the service over, from its files to its mail, and say what to mend.

    Files and who can read them, units of systemd, disk, clocks, a mail server's pipe, database, templates,
    logins, folders, letters to oneself and back, and what name servers say of your domain (SPF, DKIM, DMARC):
    each finding says what to do. Two letters go to the service's own address, to be found in its mailbox
    again. Players and games are left alone. It may be run while the service runs.
    """
    findings = []
    with house_of(ctx) as house:
        for finding in examining.examine(house, wait, dns.txt_records if dns.has_resolver() else None):
            findings.append(finding)
            if not as_json:
                _print(finding)
    bad = sum(finding.grade == "bad" for finding in findings)
    if as_json:
        document([_plain(finding) for finding in findings])
    else:
        odd = sum(finding.grade == "odd" for finding in findings)
        say("", _summary(bad, odd))
    if bad:
        raise typer.Exit(1)


def _summary(bad: int, odd: int) -> str:
    """Return the last line: how much there is to fix, and how much to look at."""
    to_look_at = f"{pluralise(odd, 'thing')} to look at" if odd else ""
    if bad:
        return f"{pluralise(bad, 'thing')} to mend{f', and {to_look_at}' if odd else ''}."
    return f"It works, with {to_look_at}: the lines with a question mark." if odd else "All is well."


def _print(finding: Finding) -> None:
    say(f"{GRADE_SIGNS[finding.grade]}  {finding.about}: {' '.join(clean(finding.said).split())}")
    if finding.instead:
        say(f"       {finding.instead}")


def _plain(finding: Finding) -> dict[str, str | None]:
    return {
        "about": finding.about,
        "grade": finding.grade,
        "said": finding.said,
        "instead": finding.instead,
    }
