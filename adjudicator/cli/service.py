"""``gm run``, ``serve`` and ``demo``: run a service."""

from __future__ import annotations

import logging
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import logs
from adjudicator.admin import website
from adjudicator.cli import lazy_import, live
from adjudicator.cli.arguments import Json, alone, example, noun
from adjudicator.cli.connect import open_service
from adjudicator.cli.output import console, document, pluralise, say
from adjudicator.daemon import daemon
from adjudicator.errors import Fault
from adjudicator.storage import inbox, outbox, stored_games

if TYPE_CHECKING:
    from adjudicator.service import Service


# ``gm run``: do one of the service's jobs once, for cron or to see its effect.


run_app = noun(
    "Do one job of the service once: poll, process or send.",
    "gm run poll",
    "gm run process",
    "gm run send",
)

MOST_LETTERS = 10_000
"""The maximum number of emails that are listed after one run."""


class Alarms(logging.Handler):
    """Counts logged errors about emails or games."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count an error."""
        self.count += 1


@run_app.command(epilog=example("gm run poll", then='Then "gm run process" reads the emails.'))
def poll(ctx: typer.Context, as_json: Json = False) -> None:
    """Fetch and store every email that has arrived in the mailbox."""
    with open_service(ctx) as service:
        _wake(service)
        count = service.poll()
        waiting = len(inbox.waiting_letters(service.database, MOST_LETTERS))
    if as_json:
        document({"kept": count, "waiting": waiting})
        return
    say(f"{pluralise(count, 'new email')} stored, {waiting} to be read.")


@run_app.command(epilog=example("gm run process", then='Then "gm run send" sends the replies and reports.'))
def process(ctx: typer.Context, as_json: Json = False) -> None:
    """Read the stored emails, and process the turns that are due.

    A turn is due when all its orders are in, or when its deadline and grace period have passed and the
    mailbox has been polled since.
    """
    alarms = Alarms()
    logging.getLogger("adjudicator").addHandler(alarms)
    try:
        with open_service(ctx) as service:
            _wake(service)
            now = service.clock.now()
            before = _entries(service)
            service.process(now)
            daemon.tidy(service)
            letters = [
                letter
                for letter in inbox.list_letters(service.database, MOST_LETTERS)
                if letter.handled == now
            ]
            turns = {name: count - before.get(name, 1) for name, count in _entries(service).items()}
    finally:
        logging.getLogger("adjudicator").removeHandler(alarms)
    played = {name: count for name, count in turns.items() if count}
    if as_json:
        done = [
            {"letter": letter.number, "disposition": letter.disposition, "why": letter.why}
            for letter in letters
        ]
        document({"letters": done, "turns": played, "alarms": alarms.count})
    else:
        say(f"{pluralise(len(letters), 'email')} read, {pluralise(sum(played.values()), 'turn')} processed.")
        say(
            *(
                f"  email {letter.number}: {letter.disposition}{_add_reason(letter.why)}"
                for letter in reversed(letters)
            )
        )
        say(*(f"  game {name}: {pluralise(count, 'turn')}" for name, count in played.items()))
    if alarms.count:
        raise typer.Exit(1)


@run_app.command(epilog=example("gm run send", then='"gm mail list --out" shows the state of each email.'))
def send(ctx: typer.Context, as_json: Json = False) -> None:
    """Send the emails that are ready, then the posts to channels."""
    with open_service(ctx) as service:
        sent = service.send()
        posted = service.post_to_channels()
        counts = outbox.counts(service.database)
        stuck = outbox.put_off(service.database, ("ready",))
    if as_json:
        document({"sent": sent, "posted": posted, "outbox": counts, "stuck": stuck.why if stuck else None})
    else:
        say(f"{pluralise(sent, 'email')} sent, {counts['ready']} ready, {counts['failed']} failed.")
        if posted:
            say(f"{pluralise(posted, 'post')} posted to channels.")
    if stuck and not sent:
        if as_json:
            raise typer.Exit(1)
        raise Fault(f"Can't send {pluralise(stuck.count, 'email')}", stuck.why)


def _wake(service: Service) -> None:
    """If a timetable starts the rounds, an overdue round shows that the machine was down."""
    if service.settings.rounds:
        service.resume_after_downtime()


def _entries(service: Service) -> dict[str, int]:
    return stored_games.entries(service.database)


def _add_reason(why: str | None) -> str:
    return f" ({why.splitlines()[0]})" if why else ""


# ``gm serve``: run the service until it gets a signal to stop.


serve_app = alone()


@serve_app.command(
    epilog=example(
        "gm serve",
        "gm --config /etc/turnpost/gm.toml serve",
        "gm serve --log-format json",
        "gm serve --jobs process,send",
        then=(
            "It logs to standard error and stops cleanly on Ctrl-C or SIGTERM. On a terminal it shows a line "
            "per event, and the state of the service at the bottom. To start it with the machine, see "
            "deploy/turnpost.service."
        ),
    )
)
def serve(
    ctx: typer.Context,
    log_format: Annotated[
        str | None,
        typer.Option(
            metavar="text|json",
            help="The form of log entries: text lines or JSON objects (default: text; short on a terminal).",
        ),
    ] = None,
    jobs: Annotated[
        str, typer.Option(metavar="JOBS", help="The jobs of this worker: one or more of poll, process, send.")
    ] = "poll,process,send",
    as_json: Json = False,
) -> None:
    """Run the service: fetch mail, process turns, send mail.

    It checks for email every few seconds, processes each turn that is due, and sends what is ready. You can
    stop it at any moment: nothing is lost and nothing is done twice. With PostgreSQL several workers can run
    on one or more machines; --jobs chooses the jobs of each.
    """
    wanted = {job.strip() for job in jobs.split(",")}
    if not wanted or wanted - {"poll", "process", "send"}:
        raise typer.BadParameter("use one or more of poll,process,send", param_hint="--jobs")
    if log_format not in (None, "text", "json"):
        raise typer.BadParameter("use text or json", param_hint="--log-format")
    line = live.log_on_terminal() if log_format is None else None
    if line is None:
        logs.configure_logging("json" if log_format == "json" else "text")

    def run(stop: threading.Event) -> None:
        with open_service(ctx) as service, ExitStack() as shown:
            daemon.settle_down(service.repository.kinds())
            archive = website.archive_task(service) if "process" in wanted else None

            def ready() -> None:
                _announce(service, as_json)
                if line is not None:
                    shown.enter_context(live.status_line(service, line))

            daemon.serve(service, stop, ready=ready, jobs=wanted, archive=archive)

    daemon.patiently(run)
    if not as_json:
        say("Stopped.")


def _announce(service: Service, as_json: bool) -> None:
    local = service.settings.local
    listen = f"{local.host}:{local.port}" if local else None
    if as_json:
        document(
            {
                "serving": service.service_context.address,
                "listen": listen,
                "config": str(service.settings.file),
            }
        )
        return
    say(f"Serving {service.service_context.address}.")
    if listen:
        say(f"Mail programs on this machine can send email through SMTP at {listen}.")
    say("Press Ctrl-C to stop.")


# ``gm demo``: play the demonstration, or check one.


demo_app = alone()


@demo_app.command(
    epilog=example(
        "gm demo",
        "gm demo --check",
        then="Then open the file that it names first, and browse the folder.",
    )
)
def demo(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")] = Path("demo"),
    check: Annotated[bool, typer.Option("--check", help="Verify what an earlier demo wrote there.")] = False,
    as_json: Json = False,
) -> None:
    """Watch two game-years being played by email on this machine.

    It starts a service on loopback; three scripted players write to it, and bots play the other nations. The
    folder then has all emails, the last report and the maps. --check replays the game from its log and
    verifies that each email there is one that was sent.
    """
    lazy_import.all_loaded()
    from adjudicator.demo import play  # A service needs none of its imports.

    run = play.check_demo if check else play.play_demo
    code = run(folder, console(stderr=as_json))
    if as_json:
        document({"folder": str(folder.resolve()), "checked": check, "done": code == 0})
    raise typer.Exit(code)
