"""``gm init``, ``run``, ``serve`` and ``demo``: set up a service and run it."""

from __future__ import annotations

import logging
import os
import shlex
import socket
import sys
import threading
import tomllib
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import jinja2
import typer

from adjudicator import logs
from adjudicator.admin import website
from adjudicator.cli import lazy_import
from adjudicator.cli.arguments import Json, alone, example, noun
from adjudicator.cli.connect import open_service
from adjudicator.cli.output import console, document, pluralise, say
from adjudicator.clock import WallClock
from adjudicator.config import servers
from adjudicator.config import service as service_config
from adjudicator.config.terms import zone_called
from adjudicator.daemon import daemon, doctor
from adjudicator.errors import Fault, Refusal
from adjudicator.mail import smtp
from adjudicator.messages import sentence
from adjudicator.storage import database, inbox, outbox, stored_games

if TYPE_CHECKING:
    from adjudicator.config.service import Settings
    from adjudicator.service import Service


INBOX = "maildir:./mail/in"


@dataclass(frozen=True)
class NewService:
    """A new service. tried: the steps that work. listen: the built-in server's port, or None.

    maildir: the folder for incoming emails, or None for a mailbox on a server. old_emails: the number of
    emails from before. remarks: sentences about these, if any.
    """

    config: Path
    tried: tuple[str, ...]
    listen: str | None
    maildir: Path | None
    old_emails: int = 0
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ServiceWishes:
    """The settings wanted for a new service. inbox, outbox: URLs. listen: HOST:PORT of its mail server.

    outbox: None to send through that server. ca_file: the authorities to trust, if not the system's. again:
    the command line without --listen, for messages.
    """

    address: str
    timezone: str
    listen: str | None = None
    inbox: str = INBOX
    outbox: str | None = None
    ca_file: str | None = None
    again: str = "gm init"


def set_up_service(place: Path, wishes: ServiceWishes) -> NewService:
    """Set up a service with gm.toml at that place, and replace what is there.

    Raises Refusal or Fault if a step fails. Then no gm.toml is written.
    """
    text = settings_text(wishes)
    settings = service_config.read_settings(tomllib.loads(text), place, os.environ)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        tried = (*_try_post(settings), *_try_port(settings, wishes.again), _try_database(settings))
        old_emails, remarks = _begin(settings)
        _write(place, text)
    except OSError as fault:
        raise Refusal(f"Can't write {fault.filename or place}", f"{fault.strerror}") from fault
    maildir = settings.inbox.path if isinstance(settings.inbox, servers.MaildirAt) else None
    return NewService(place, tried, wishes.listen, maildir, old_emails, remarks)


def settings_text(wishes: ServiceWishes) -> str:
    """Return a gm.toml with its comments. Raises Refusal for a value that can't be quoted."""
    values = asdict(replace(wishes, outbox=wishes.outbox or f"smtp://{wishes.listen}"))
    del values["again"]
    for name, value in values.items():
        if value is not None and (not value.isprintable() or '"' in value or "\\" in value):
            raise Refusal(
                f"{name} {value!r}", "it contains a quotation mark, a backslash or a control character"
            )
    template = resources.files("templates").joinpath("gm.toml").read_text(encoding="utf-8")
    page = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    out = urlsplit(values["outbox"])
    return page.from_string(template).render(
        values,
        imap=wishes.inbox.startswith("imap"),
        smtp=out.scheme.startswith("smtp"),
        login="@" in out.netloc,
    )


def local_zone() -> str:
    """Return this machine's time zone by its name in the zone database, or UTC if it is unknown."""
    named = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime")
    name = named.rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name).key.removeprefix("Etc/")
    except (KeyError, ValueError, OSError):
        return "UTC"


def _try_post(settings: Settings) -> tuple[str, ...]:
    """Log in to the servers for incoming and outgoing mail. The built-in server doesn't run yet."""
    tried = smtp.create_mailbox(settings).try_out()
    if settings.local is None or isinstance(settings.outbox, servers.MaildirAt):
        tried += smtp.create_carrier(settings).try_out()
    for at in (settings.inbox, settings.outbox):
        if isinstance(at, servers.MaildirAt):
            # The folder contains emails with reply tokens.
            os.chmod(at.path, 0o700)
    return tried


def _try_port(settings: Settings, again: str) -> list[str]:
    local = settings.local
    if local is None:
        return []
    family = socket.AF_INET6 if ":" in local.host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((local.host, local.port))
        except OSError as fault:
            raise Refusal(
                f"Can't listen on port {local.port} of {local.host}",
                f"{fault.strerror}",
                f'Choose another port: "{again} --listen {_host_and_port(local.host, local.port + 1)}"',
            ) from fault
    return [f"mail server for this machine, on {local.host}:{local.port}"]


def _host_and_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _try_database(settings: Settings) -> str:
    database.open_database(settings.database, may_be_empty=True).close()
    # The folder contains the service's key and the dice of every game.
    os.chmod(settings.database, 0o600)
    return f"database {settings.database}"


def _begin(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Record the service's start for its mailbox. Returns the values of `NewService` about old emails."""
    opened = database.open_database(settings.database)
    try:
        old_emails, remark = doctor.begin_service(settings, opened, WallClock())
    finally:
        opened.close()
    return old_emails, (remark, f"  {sentence('house.first_start.hand_over')}") if old_emails else ()


def _write(place: Path, text: str) -> None:
    draft = place.with_name(place.name + ".new")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)  # it will contain passwords, or commands that fetch them
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, place)


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


# ``gm init``: set up a service in a folder.


LISTEN, FOLDER = "127.0.0.1:2525", "maildir:./mail/out"
init_app = alone()


@init_app.command(
    epilog=example(
        "gm init",
        "gm init --folder ~/games --address gm@example.org --yes",
        "gm init --address gm@example.org --inbox imaps://gm@imap.example.org --outbox smtps://gm@smtp.example.org",
        then="Then start a game: gm game new indianomacy beaver",
    )
)
def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the service.")] = Path("."),
    address: Annotated[
        str | None, typer.Option(help="The gamesmaster's email address; gm@example.org works on one machine.")
    ] = None,
    local: Annotated[
        bool | None,
        typer.Option("--local/--no-local", help="Run a mail server for mail programs on this machine."),
    ] = None,
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="The address and port of that server.")
    ] = LISTEN,
    inbox: Annotated[
        str | None, typer.Option(metavar="URL", help="Where to fetch email (default: a folder here).")
    ] = None,
    outbox: Annotated[
        str | None, typer.Option(metavar="URL", help="Where to send email (default: through that server).")
    ] = None,
    ca_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file of certificate authorities to trust.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="Time zone for printed deadlines (default: this machine's).")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing and use the defaults.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing gm.toml.")] = False,
    as_json: Json = False,
) -> None:
    """Set up a service: gm.toml, mail folders and database.

    Both logins, the folders, the database and the port are tried before gm.toml is written. On a terminal you
    are asked for the address and the mail servers, unless you give them as options. Passwords come from the
    environment variables GM_IMAP_PASSWORD and GM_SMTP_PASSWORD.
    """
    named = ctx.find_root().params.get("config")
    place = Path(named).expanduser().resolve() if named else folder.expanduser().resolve() / "gm.toml"
    if place.exists() and not force:
        raise Refusal(f"Can't write {place}", "it already exists", 'Use "gm init --force" to overwrite it')
    ask = _Asker(not yes and not as_json and sys.stdin.isatty())
    address = address or ask.text("The gamesmaster's address", "gm@example.org")
    if local is None:
        on_servers = (inbox or "").startswith("imap") and listen == LISTEN
        local = not on_servers and ask.confirm("Serve mail programs on this machine", True)
    if not local:
        inbox = inbox or ask.text("Where to fetch email", INBOX)
        outbox = outbox or ask.text("Where to send email", FOLDER)
    wishes = ServiceWishes(
        address=address,
        timezone=zone_called("timezone", timezone, "--timezone {zone}") if timezone else local_zone(),
        listen=listen if local else None,
        inbox=inbox or INBOX,
        outbox=outbox,
        ca_file=ca_file,
        again=_again(ctx, named),
    )
    _print_new_service(set_up_service(place, wishes), as_json)


def _print_new_service(done: NewService, as_json: bool) -> None:
    if as_json:
        tried, after = list(done.tried), list(_next_steps(done))
        document({"config": str(done.config), "tried": tried, "left": done.old_emails, "next": after})
    else:
        say(*(f"  works: {what}" for what in done.tried), f"Written: {done.config}", *done.remarks, "")
        say("Next:", *_next_steps(done))


def _again(ctx: typer.Context, config: str | None) -> str:
    """Return the typed command without --listen, for a message about a port in use."""
    words = ["gm", *(["--config", str(config)] if config else []), "init"]
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        source = ctx.get_parameter_source(param.name or "")
        if param.name == "listen" or source is None or source.name != "COMMANDLINE":
            continue
        if isinstance(value, bool):
            words.append((param.opts if value or not param.secondary_opts else param.secondary_opts)[0])
        else:
            words += [param.opts[0], str(value)]
    return shlex.join(words)


@dataclass(frozen=True)
class _Asker:
    """Asks questions on a terminal. Elsewhere it returns the defaults."""

    there: bool

    def text(self, question: str, usual: str) -> str:
        return str(typer.prompt(question, usual)) if self.there else usual

    def confirm(self, question: str, usual: bool) -> bool:
        return typer.confirm(question, usual) if self.there else usual


def _next_steps(done: NewService) -> tuple[str, ...]:
    usual = Path(os.environ.get("GM_CONFIG") or "gm.toml").resolve()
    where = "" if done.config == usual else f" --config {done.config}"
    steps = [
        f"  gm{where} game new indianomacy beaver",
        f"  gm{where} seat assign beaver iroquois you@example.org",
        f"  gm{where} serve",
    ]
    if done.listen:
        return (
            *steps,
            f"Then give a mail program on this machine the SMTP server {done.listen} (no TLS, no password).",
            f"Your emails arrive in the Maildir {done.config.parent / 'mail'}/you@example.org.",
        )
    if done.maildir is None:
        return (f"  gm{where} doctor", *steps)
    return (*steps, f"Have emails to the address delivered to the Maildir {done.maildir}.")


# ``gm serve``: run the service until it gets a signal to stop.


serve_app = alone()


@serve_app.command(
    epilog=example(
        "gm serve",
        "gm --config /etc/turnpost/gm.toml serve",
        "gm serve --log-format json",
        "gm serve --jobs process,send",
        then=(
            "It logs to standard error and stops cleanly on Ctrl-C or SIGTERM. To start it "
            "with the machine, see deploy/turnpost.service."
        ),
    )
)
def serve(
    ctx: typer.Context,
    log_format: Annotated[
        str, typer.Option(metavar="text|json", help="The form of log entries: text lines or JSON objects.")
    ] = "text",
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
    if log_format not in ("text", "json"):
        raise typer.BadParameter("use text or json", param_hint="--log-format")
    logs.configure_logging("json" if log_format == "json" else "text")

    def run(stop: threading.Event) -> None:
        with open_service(ctx) as service:
            daemon.settle_down(service.repository.kinds())
            archive = website.archive_task(service) if "process" in wanted else None
            daemon.serve(
                service, stop, ready=lambda: _announce(service, as_json), jobs=wanted, archive=archive
            )

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
