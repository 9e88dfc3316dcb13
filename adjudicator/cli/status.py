"""``gm doctor`` and ``gm status``: checks of the service, with advice about each finding."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import views
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import config_of, open_service
from adjudicator.cli.output import (
    GRADE_WORDS,
    document,
    pluralise,
    say,
    say_finding_line,
    say_problem,
    uses_terminal,
)
from adjudicator.config import servers
from adjudicator.daemon import delivery, environment, metrics
from adjudicator.daemon import doctor as examining
from adjudicator.errors import Refusal
from adjudicator.mail import dkim
from adjudicator.model import addresses

if TYPE_CHECKING:
    from adjudicator.daemon.environment import Finding, Grade
    from adjudicator.service import Service


doctor_app = alone()


@doctor_app.command(
    epilog=example(
        "gm doctor",
        "gm doctor --wait 300",
        "gm doctor --to you@elsewhere.example",
        "gm doctor --headers saved.eml",
        then=('The exit code is 1 if there is an error. "gm status" shows the state of games and mail.'),
    )
)
def doctor(
    ctx: typer.Context,
    wait: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0, help="How long to wait for the test emails; 0 sends none."),
    ] = 60.0,
    to: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Only send a test email to a mailbox at another provider."),
    ] = None,
    headers: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Only read that email as it arrived there; - is standard input."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the installation and say how to fix problems.

    It checks files and their permissions, systemd units, disk, clocks, the mail server's pipe, the database,
    templates, logins, folders, sending and receiving, and the DNS entries of your domain (SPF, DKIM, DMARC).
    Each finding says what to do. Two test emails go to the service's own address and must arrive in its
    mailbox. Players and games aren't touched. You can run it while the service runs.

    To see how your email arrives elsewhere, send one with --to, save it there with its headers, and read it
    with --headers: SPF, DKIM and DMARC as that provider saw them, spam marks, delay, and + addresses.
    """
    findings = []
    with open_service(ctx) as service:
        for finding in _findings(service, wait, to, headers):
            findings.append(finding)
            if not as_json:
                say_finding_line(finding)
    bad = sum(finding.grade == "bad" for finding in findings)
    if as_json:
        document([_plain(finding) for finding in findings])
    else:
        odd = sum(finding.grade == "odd" for finding in findings)
        say("")
        say_problem(_summary(bad, odd), "bad" if bad else "odd" if odd else "good")
    if bad:
        raise typer.Exit(1)


def _findings(service: Service, wait: float, to: str | None, headers: str | None) -> Iterator[Finding]:
    """Yield what was asked for: an email sent elsewhere, one read from there, or everything."""
    if to is not None:
        address = addresses.valid_address(to)
        if address is None:
            raise typer.BadParameter(f'"{to}" isn\'t an email address', param_hint="--to")
        refusal = examining.send_elsewhere(service, address)
        if refusal is None:
            what = f"a test email went to {address}"
            yield environment.Finding(
                "test email", "good", what, "Save it there with its headers: gm doctor --headers FILE"
            )
        else:
            instead = "Check the address. gm doctor  checks sending as a whole"
            yield environment.Finding(
                "test email", "bad", f"the server rejected an email to {address}: {refusal}", instead
            )
    elif headers is not None:
        raw = _read_saved_email(headers)
        outbox = service.settings.outbox
        host = outbox.host if isinstance(outbox, servers.Smtp) else ""
        answered = examining.has_answer_to(service, delivery.message_id_of(raw))
        sent = delivery.SentTest(service.service_context.address, host, answered)
        yield from delivery.arrival_findings(raw, sent)
    else:
        yield from examining.examine(service, wait, dkim.txt_records if dkim.has_resolver() else None)


def _read_saved_email(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).expanduser().read_bytes()
    except OSError as fault:
        raise Refusal(
            f"Can't read {name}", f"{fault.strerror}", "Name the file with the saved email"
        ) from fault


def _summary(bad: int, odd: int) -> str:
    """Return the last line: the number of errors and warnings."""
    errors = pluralise(bad, "error") if bad else None
    warnings = pluralise(odd, "warning") if odd else None
    return f"{', '.join(filter(None, (errors, warnings))) or 'No problems found'}."


def _plain(finding: Finding) -> dict[str, str | None]:
    return {
        "about": finding.about,
        "grade": finding.grade,
        "said": finding.said,
        "instead": finding.instead,
    }


# ``gm status``: show games, mail, channels and workers on one page.


EXIT_CODE_OF_GRADE: Mapping[Grade, int] = {"good": 0, "odd": 3, "bad": 4}
"""Exit codes by grade. 1 means that the state can't be read, 2 is wrong usage."""

status_app = alone()


@status_app.command(
    epilog=example(
        "gm status",
        "gm status --check",
        then='See also "gm game show NAME", "gm mail list" and "gm doctor".',
    )
)
def status(
    ctx: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Print problems only. Exit code: 0 none, 3 warnings, 4 errors.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the state of games and mail, and any problems.

    With very many games it lists those with problems and those with the next deadlines; --json lists all.

    For monitoring, --check prints one line per problem. The exit code is 0 for no problems, 3 for warnings, 4
    for errors that stop the service from working, and 1 if the state can't be read.
    """
    if check:
        with open_service(ctx) as service:
            _check(metrics.problems(service, service.clock.now()), as_json)
        return
    views.show_status(config_of(ctx), as_json=as_json)


def _check(findings: Sequence[Finding], as_json: bool) -> None:
    worst = findings[0].grade if findings else "good"
    if as_json:
        document({"grade": worst, "findings": [asdict(finding) for finding in findings]})
    elif uses_terminal():
        for finding in findings:
            say_finding_line(finding)
    else:
        say(
            *(
                f"{GRADE_WORDS[finding.grade]} {finding.about}: {finding.said} ({finding.instead})"
                for finding in findings
            )
        )
    if not findings and not as_json:
        say_problem("OK: no problems found.", "good")
    raise typer.Exit(EXIT_CODE_OF_GRADE[worst])
