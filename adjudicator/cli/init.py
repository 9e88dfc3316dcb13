"""``gm init``: find the mail servers of an address, try everything, and set up a service in a folder."""

from __future__ import annotations

import os
import shlex
import socket
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import jinja2
import typer

from adjudicator import service as service_module
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.output import document, say, say_finding_line
from adjudicator.clock import WallClock
from adjudicator.config import servers
from adjudicator.config import service as service_config
from adjudicator.config.secrets import Login
from adjudicator.config.terms import zone_called
from adjudicator.daemon import doctor
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail import discovery, dkim, imap, oauth, smtp
from adjudicator.messages import sentence
from adjudicator.storage import database

if TYPE_CHECKING:
    from adjudicator.config.service import Settings
    from adjudicator.daemon.environment import Finding
    from adjudicator.mail.discovery import FoundServers, Provider

INBOX = "maildir:./mail/in"
LISTEN, FOLDER = "127.0.0.1:2525", "maildir:./mail/out"
PASSWORD_FILE, LOGIN_FILE = "mail-password", "mail-login"
"""The files beside gm.toml for a typed password, and for what `gm login` fetches."""

PASSWORD_TRIES = 3
COPIES_PER_EMAIL, LIMIT_SHARE = 2, 0.95
"""An email counts twice, because of its copy, and we stay a little below a provider's limit."""

INSTALL_DNS = 'to look up the mail servers of any domain, type: pip install "turnpost[dns]"'


@dataclass(frozen=True)
class NewService:
    """A new service. tried: the steps that work. listen: the built-in server's port, or None.

    maildir: the folder for incoming emails, or None for a mailbox on a server. old_emails: the number of
    emails from before. remarks: sentences about these, if any. findings: of emails to itself, if it sent any.
    needs_login: whether `gm login` has to come next.
    """

    config: Path
    tried: tuple[str, ...]
    listen: str | None
    maildir: Path | None
    old_emails: int = 0
    remarks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    needs_login: bool = False


@dataclass(frozen=True)
class ServiceWishes:
    """The settings wanted for a new service. inbox, outbox: URLs. listen: HOST:PORT of its mail server.

    outbox: None to send through that server. ca_file: the authorities to trust, if not the system's.
    password: the file with the password of both servers, None to take it from the environment. provider: of
    the mailbox, if it is in the table. junk: the folder for spam, to be read too. again: the command line
    without --listen, for messages.
    """

    address: str
    timezone: str
    listen: str | None = None
    inbox: str = INBOX
    outbox: str | None = None
    ca_file: str | None = None
    password: str | None = None
    provider: Provider | None = None
    junk: str | None = None
    again: str = "gm init"


# What is found: the servers.


def _look_up_servers(address: str, ca_file: str | None, user: str | None) -> FoundServers | None:
    """Return the mail servers of an address, or None if nothing names them. Raises Refusal if it has none."""
    lookup = dkim.server_records if dkim.has_resolver() else None
    reader = discovery.document_reader(Path(ca_file).expanduser() if ca_file else None)
    try:
        return discovery.find_servers(address, lookup, reader, user)
    except PostFault as fault:
        say(f"{fault}.")
        return None


def _show_servers(found: FoundServers) -> None:
    source = f"Mail servers, from {found.source}:"
    say(source, f"  incoming  {found.inbox}", f"  outgoing  {found.outbox}")
    provider = found.provider
    if provider is not None:
        say(provider.wants)
    say("Use a mailbox that is only for the games: we read every email that arrives in it, and answer most.")
    if provider is not None and provider.limit:
        say(f"{provider.limit} ({provider.source}, {provider.date}). gm.toml keeps to that.")
    if provider is not None and provider.plus == "no":
        say(f"We think that {provider.name} doesn't deliver addresses with a +, which players reply to.")


def _choose_servers(wishes: ServiceWishes, ask: Asker, user: str | None) -> ServiceWishes | None:
    """Return the wishes with the servers found and confirmed, or None if there are none to confirm."""
    domain = wishes.address.rpartition("@")[2]
    found = _look_up_servers(wishes.address, wishes.ca_file, user)
    if found is None:
        instead = f"Name them: gm init --address {wishes.address} --inbox imaps://… --outbox smtps://…"
        if not ask.there:
            hint = "" if dkim.has_resolver() else f", or {INSTALL_DNS}"
            raise Refusal(
                f"Can't find the mail servers of {domain}",
                "neither our table nor the domain names them",
                f"{instead}{hint}. With --local you need no mailbox",
            )
        say(f"We can't find the mail servers of {domain}.")
        if not dkim.has_resolver():
            say(f"{INSTALL_DNS[0].upper()}{INSTALL_DNS[1:]}")
        return None
    if not ask.as_json:
        _show_servers(found)
    if not found.is_trusted and not ask.there:
        raise Refusal(
            f"Can't use {urlsplit(found.inbox).hostname} and {urlsplit(found.outbox).hostname} unasked",
            f"only DNS names them for {domain}, which anyone on the way can forge, and the password would go "
            "there",
            "If they are right, name them: "
            f"gm init --address {wishes.address} --inbox {found.inbox} --outbox {found.outbox}",
        )
    question = "Use these servers"
    if not found.is_trusted:
        say(f"They aren't part of {domain}, and DNS can be forged. Your password will go there.")
        question = "Is that your provider"
    if not ask.confirm(question, found.is_trusted):
        return None
    return replace(wishes, inbox=found.inbox, outbox=found.outbox, provider=found.provider)


# What is tried: the logins, the port, the database.


def set_up_service(place: Path, wishes: ServiceWishes) -> NewService:
    """Set up a service with gm.toml at that place, and replace what is there.

    Raises Refusal or Fault if a step fails. Then no gm.toml is written.
    """
    settings = _settings(place, wishes)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        later = _needs_login(settings)
        mail = ("the mail servers, once you have logged in",) if later else _try_post(settings)
        tried = (*mail, *_try_port(settings, wishes.again), _try_database(settings))
        if not later and wishes.password is not None and isinstance(settings.inbox, servers.Imap):
            wishes = replace(wishes, junk=imap.find_junk_folder(settings.inbox))
        old_emails, remarks = (0, ()) if later else record_start(settings)
        _write(place, settings_text(wishes))
    except OSError as fault:
        raise Refusal(f"Can't write {fault.filename or place}", f"{fault.strerror}") from fault
    maildir = settings.inbox.path if isinstance(settings.inbox, servers.MaildirAt) else None
    return NewService(place, tried, wishes.listen, maildir, old_emails, remarks, needs_login=later)


def _settings(place: Path, wishes: ServiceWishes) -> Settings:
    return service_config.read_settings(tomllib.loads(settings_text(wishes)), place, os.environ)


def _needs_login(settings: Settings) -> bool:
    token = settings.inbox.token if isinstance(settings.inbox, servers.Imap) else None
    return isinstance(token, Login) and not oauth.is_signed_in(token)


def settings_text(wishes: ServiceWishes) -> str:
    """Return a gm.toml with its comments. Raises Refusal for a value that can't be quoted."""
    outbox = wishes.outbox or f"smtp://{wishes.listen}"
    values = {
        "address": wishes.address, "timezone": wishes.timezone, "listen": wishes.listen,
        "inbox": wishes.inbox, "outbox": outbox, "ca_file": wishes.ca_file,
        "password": wishes.password, "junk": wishes.junk,
    }  # fmt: skip
    for name, value in values.items():
        if value is not None and (not value.isprintable() or '"' in value or "\\" in value):
            raise Refusal(
                f"{name} {value!r}", "it contains a quotation mark, a backslash or a control character"
            )
    template = resources.files("templates").joinpath("gm.toml").read_text(encoding="utf-8")
    page = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    out, provider = urlsplit(outbox), wishes.provider
    return page.from_string(template).render(
        values,
        imap=wishes.inbox.startswith("imap"),
        smtp=out.scheme.startswith("smtp"),
        login="@" in out.netloc,
        token=LOGIN_FILE if provider and provider.login == "token" else None,
        provider=provider,
        most=_most_emails(provider),
    )


def _most_emails(provider: Provider | None) -> str | None:
    """Return the rate limit for a provider's published limit, or None if it has none."""
    if provider is None or not provider.per_day + provider.per_minute:
        return None
    count, unit = (provider.per_day, "d") if provider.per_day else (provider.per_minute, "m")
    # A limit on emails doesn't count the copies. One on recipients does.
    emails = count / COPIES_PER_EMAIL if provider.per_day else count
    return f"{int(emails * LIMIT_SHARE)}/{unit}"


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
    tried = try_server("inbox", settings.inbox, lambda: smtp.create_mailbox(settings).try_out())
    if settings.local is None or isinstance(settings.outbox, servers.MaildirAt):
        tried += try_server("outbox", settings.outbox, lambda: smtp.create_carrier(settings).try_out())
    for at in (settings.inbox, settings.outbox):
        if isinstance(at, servers.MaildirAt):
            # The folder contains emails with reply tokens.
            os.chmod(at.path, 0o700)
    return tried


class WrongLogin(Refusal):
    """The password was rejected, so another one may help."""


def try_server(
    table: str, at: servers.MaildirAt | servers.Imap | servers.Smtp, try_out: Callable[[], tuple[str, ...]]
) -> tuple[str, ...]:
    """Return what works at a server. Raises Refusal with what to do, WrongLogin if the password is wrong."""
    try:
        return try_out()
    except PostFault as fault:
        password = None if isinstance(at, servers.MaildirAt) else at.password
        wrong = isinstance(fault, LoginFault) and "certificate" not in str(fault).lower()
        if wrong and password is not None and password.kind == "env" and fault.what.startswith("gm.toml"):
            raise Refusal(fault.what, fault.why, f"Type export {password.value}=…") from fault
        kind = WrongLogin if wrong else Refusal
        raise kind(fault.what, fault.why, discovery.mail_advice(fault, table, at)) from fault


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


def record_start(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Record the service's start for its mailbox. Returns the values of `NewService` about old emails."""
    opened = database.open_database(settings.database)
    try:
        old_emails, remark = doctor.begin_service(settings, opened, WallClock())
    finally:
        opened.close()
    return old_emails, (remark, f"  {sentence('service.first_start.hand_over')}") if old_emails else ()


def check_own_mail(settings: Settings, wait_seconds: float, as_json: bool) -> tuple[Finding, ...]:
    """Send two emails to the service itself, and return whether they came back. Prints each finding."""
    if not wait_seconds:
        return ()
    if not as_json:
        say(f"Two emails go to the service itself, to see whether they arrive (up to {wait_seconds:g} s).")
    service, findings = service_module.open_service(settings), []
    try:
        for finding in doctor.check_mail_to_itself(service, wait_seconds):
            findings.append(finding)
            if not as_json:
                say_finding_line(finding)
    finally:
        service.database.close()
    return tuple(findings)


def _write(place: Path, text: str) -> None:
    draft = place.with_name(place.name + ".new")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)  # it will contain passwords, or commands that fetch them
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, place)


# ``gm init`` itself.

ServiceFolder = Annotated[Path, typer.Option("--folder", metavar="DIR", help="The folder of the service.")]
ServiceAddress = Annotated[
    str | None,
    typer.Option("--address", help="The gamesmaster's email address; gm@example.org works on one machine."),
]
RunsLocalServer = Annotated[
    bool | None,
    typer.Option("--local/--no-local", help="Run a mail server for mail programs on this machine."),
]
ListenAt = Annotated[
    str, typer.Option("--listen", metavar="HOST:PORT", help="The address and port of that server.")
]
InboxUrl = Annotated[
    str | None,
    typer.Option("--inbox", metavar="URL", help="Where to fetch email (default: a folder here)."),
]
OutboxUrl = Annotated[
    str | None,
    typer.Option("--outbox", metavar="URL", help="Where to send email (default: through that server)."),
]
LoginName = Annotated[
    str | None,
    typer.Option("--user", metavar="NAME", help="The login name (default: as the provider wants it)."),
]
AuthorityFile = Annotated[
    str | None, typer.Option("--ca-file", metavar="FILE", help="A file of certificate authorities to trust.")
]
PrintedZone = Annotated[
    str | None,
    typer.Option("--timezone", help="Time zone for printed deadlines (default: this machine's)."),
]
WaitForOwnMail = Annotated[
    float,
    typer.Option(
        "--wait",
        metavar="SECONDS",
        min=0,
        help="How long to wait for emails to itself, on servers it found; 0: none.",
    ),
]
AsksNothing = Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing and use the defaults.")]
Overwrites = Annotated[bool, typer.Option("--force", help="Overwrite an existing gm.toml.")]

init_app = alone()


@init_app.command(
    epilog=example(
        "gm init",
        "gm init --address gm@club.example",
        "gm init --folder ~/games --local --yes",
        "gm init --address gm@example.org --inbox imaps://gm@imap.example.org --outbox smtps://gm@smtp.example.org",
        then="Then start a game: gm game new indianomacy beaver --seat iroquois=you@example.org",
    )
)
def init(
    ctx: typer.Context,
    folder: ServiceFolder = Path("."),
    address: ServiceAddress = None,
    local: RunsLocalServer = None,
    listen: ListenAt = LISTEN,
    inbox: InboxUrl = None,
    outbox: OutboxUrl = None,
    user: LoginName = None,
    ca_file: AuthorityFile = None,
    timezone: PrintedZone = None,
    wait: WaitForOwnMail = 60.0,
    yes: AsksNothing = False,
    force: Overwrites = False,
    as_json: Json = False,
) -> None:
    """Set up a service: gm.toml, mail folders and database.

    The mail servers of your address are found in a table of large providers, by DNS or in your provider's
    autoconfig document, and shown to you before any password goes there. Both logins, the folders, the
    database and the port are tried before gm.toml is written. On a terminal you are asked for what is
    missing; a typed password goes into a file that only you can read. Otherwise passwords come from the
    environment variables GM_IMAP_PASSWORD and GM_SMTP_PASSWORD.
    """
    named = ctx.find_root().params.get("config")
    place = Path(named).expanduser().resolve() if named else folder.expanduser().resolve() / "gm.toml"
    if place.exists() and not force:
        raise Refusal(f"Can't write {place}", "it already exists", 'Use "gm init --force" to overwrite it')
    ask = Asker(not yes and not as_json and sys.stdin.isatty(), as_json)
    address = address or ask.text("The gamesmaster's address", "gm@example.org")
    wishes = ServiceWishes(
        address=address,
        timezone=zone_called("timezone", timezone, "--timezone {zone}") if timezone else local_zone(),
        listen=listen,
        ca_file=ca_file,
        again=_again(ctx, named),
    )
    found = None
    domain = address.rpartition("@")[2].lower()
    if "@" in address and not (local or inbox or outbox or listen != LISTEN or discovery.is_example(domain)):
        found = _choose_servers(wishes, ask, user) if local is None else None
    wishes = replace(found, listen=None) if found else _asked_servers(wishes, ask, local, inbox, outbox)
    _print_new_service(_set_up_with_password(place, wishes, ask, wait if found else 0.0), as_json)


def _asked_servers(
    wishes: ServiceWishes, ask: Asker, local: bool | None, inbox: str | None, outbox: str | None
) -> ServiceWishes:
    """Return the wishes with the places that the options name, or that are asked for."""
    if local is None:
        on_servers = (inbox or "").startswith("imap") and wishes.listen == LISTEN
        local = not on_servers and ask.confirm("Serve mail programs on this machine", True)
    if not local:
        inbox = inbox or ask.text("Where to fetch email", INBOX)
        outbox = outbox or ask.text("Where to send email", FOLDER)
    for url in (inbox, outbox):
        discovery.check_port(url or "")
    host = urlsplit(inbox or "").hostname
    return replace(
        wishes,
        listen=wishes.listen if local else None,
        inbox=inbox or INBOX,
        outbox=outbox,
        provider=discovery.provider_of_host(host or ""),
    )


def _set_up_with_password(place: Path, wishes: ServiceWishes, ask: Asker, wait_seconds: float) -> NewService:
    """Set up the service, asking for a password if one is needed and none is in the environment."""
    takes_token = wishes.provider is not None and wishes.provider.login == "token"
    known = os.environ.get("GM_IMAP_PASSWORD") or os.environ.get("GM_SMTP_PASSWORD")
    if not ask.there or not wishes.inbox.startswith("imap") or takes_token or known:
        done = set_up_service(place, wishes)
    else:
        done = _set_up_asking(place, wishes, ask)
    if done.needs_login or not wait_seconds:
        return done
    settings = service_config.load_settings(place)
    return replace(done, findings=check_own_mail(settings, wait_seconds, ask.as_json))


def _set_up_asking(place: Path, wishes: ServiceWishes, ask: Asker) -> NewService:
    wishes = replace(wishes, password=PASSWORD_FILE)
    kept = place.parent / PASSWORD_FILE
    for tries in range(1, PASSWORD_TRIES + 1):
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(kept, ask.password(f"Password of {wishes.address} (an app password, if it has those)") + "\n")
        try:
            return set_up_service(place, wishes)
        except WrongLogin as fault:
            kept.unlink(missing_ok=True)
            if tries == PASSWORD_TRIES:
                raise
            say(str(fault))
        except BaseException:
            kept.unlink(missing_ok=True)
            raise
    raise AssertionError("the last try returns or raises")


def _print_new_service(done: NewService, as_json: bool) -> None:
    if as_json:
        tried, after = list(done.tried), list(_next_steps(done))
        printed = {"config": str(done.config), "tried": tried, "left": done.old_emails, "next": after}
        checks = [{"said": one.said, "grade": one.grade, "instead": one.instead} for one in done.findings]
        document({**printed, "checks": checks} if checks else printed)
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
class Asker:
    """Asks questions on a terminal. Elsewhere it returns the defaults. as_json: whether to show JSON only."""

    there: bool
    as_json: bool = False

    def text(self, question: str, usual: str) -> str:
        """Return the answer to a question, or the usual one."""
        return str(typer.prompt(question, usual)) if self.there else usual

    def confirm(self, question: str, usual: bool) -> bool:
        """Return whether the answer is yes."""
        return typer.confirm(question, usual) if self.there else usual

    def password(self, question: str) -> str:
        """Return a password, which isn't shown while it is typed. Only on a terminal."""
        # Providers show app passwords in groups; the spaces aren't part of them.
        typed = str(typer.prompt(question, hide_input=True)).strip()
        return typed.replace(" ", "") if len(typed.split()) == 4 and len(typed) == 19 else typed


def _next_steps(done: NewService) -> tuple[str, ...]:
    usual = Path(os.environ.get("GM_CONFIG") or "gm.toml").resolve()
    where = "" if done.config == usual else f" --config {done.config}"
    steps = [
        f"  gm{where} game new indianomacy beaver --seat iroquois=you@example.org",
        f"  gm{where} serve",
    ]
    if done.listen:
        return (
            *steps,
            f"Then give a mail program on this machine the SMTP server {done.listen} (no TLS, no password).",
            f"Your emails arrive in the Maildir {done.config.parent / 'mail'}/you@example.org.",
        )
    if done.needs_login:
        return (f"  gm{where} login --client-id ID  (gm{where} login tells you how to get an ID)", *steps)
    if done.maildir is None:
        return tuple(steps) if done.findings else (f"  gm{where} doctor", *steps)
    return (*steps, f"Have emails to the address delivered to the Maildir {done.maildir}.")
