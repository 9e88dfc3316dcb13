"""The steps of ``gm init``: settings written from the template, and each of them tried first."""

from __future__ import annotations

import os
import socket
import tomllib
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import jinja2

from adjudicator.clock import WallClock
from adjudicator.config import servers, service
from adjudicator.daemon import first_start
from adjudicator.errors import Refusal
from adjudicator.mail import configured
from adjudicator.messages import sentence
from adjudicator.storage import database

if TYPE_CHECKING:
    from adjudicator.config.service import Settings

INBOX = "maildir:./mail/in"


@dataclass(frozen=True)
class NewService:
    """A service that was set up. tried: what was found to work; listen: of the embedded server, or None.

    maildir: in which letters arrive, None where that is a mailbox on a server; left: how many emails lie
    there that came before, told: what is to be said about these, if there are any.
    """

    config: Path
    tried: tuple[str, ...]
    listen: str | None
    maildir: Path | None
    left: int = 0
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class ServiceWishes:
    """The settings wanted for a new service. inbox, outbox: URLs; listen: HOST:PORT of its mail server.

    outbox None: through that server; ca_file: of the authorities to trust, where that is not the whole
    world; again: the command by which it is asked for, without --listen.
    """

    address: str
    timezone: str
    listen: str | None = None
    inbox: str = INBOX
    outbox: str | None = None
    ca_file: str | None = None
    again: str = "gm init"


def set_up_service(place: Path, wishes: ServiceWishes) -> NewService:
    """Set up a service whose gm.toml is to be at that place; what is there is replaced.

    Raises Refusal or Fault for what does not work; no gm.toml is written then.
    """
    text = settings_text(wishes)
    settings = service.read_settings(tomllib.loads(text), place, os.environ)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        tried = (*_try_post(settings), *_try_port(settings, wishes.again), _try_database(settings))
        old_emails, remarks = _begin(settings)
        _write(place, text)
    except OSError as fault:
        raise Refusal(str(fault.filename or place), f"cannot be written: {fault.strerror}") from fault
    maildir = settings.inbox.path if isinstance(settings.inbox, servers.MaildirAt) else None
    return NewService(place, tried, wishes.listen, maildir, old_emails, remarks)


def settings_text(wishes: ServiceWishes) -> str:
    """A gm.toml with its comments. Raises Refusal for what would not stand between quotation marks."""
    values = asdict(replace(wishes, outbox=wishes.outbox or f"smtp://{wishes.listen}"))
    del values["again"]
    for name, value in values.items():
        if value is not None and (not value.isprintable() or '"' in value or "\\" in value):
            raise Refusal(f"{name} {value!r}", "holds a quotation mark, a backslash or worse")
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
    """This machine's time zone by its name in the zone database; UTC where that cannot be told."""
    named = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime")
    name = named.rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name).key.removeprefix("Etc/")
    except (KeyError, ValueError, OSError):
        return "UTC"


def _try_post(settings: Settings) -> tuple[str, ...]:
    """Log in where letters come from and where they go; but the embedded server does not run yet."""
    tried = configured.create_mailbox(settings).try_out()
    if settings.local is None or isinstance(settings.outbox, servers.MaildirAt):
        tried += configured.create_carrier(settings).try_out()
    for at in (settings.inbox, settings.outbox):
        if isinstance(at, servers.MaildirAt):
            # Letters with reply tokens lie in it.
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
                f"port {local.port} of {local.host}",
                f"cannot be listened on: {fault.strerror}",
                f"choose another one:  {again} --listen {_at(local.host, local.port + 1)}",
            ) from fault
    return [f"mail server for this machine, on {local.host}:{local.port}"]


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _try_database(settings: Settings) -> str:
    database.open_database(settings.database, may_be_empty=True).close()
    # The service's key and the dice of every game are in it.
    os.chmod(settings.database, 0o600)
    return f"database {settings.database}"


def _begin(settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Begin the service now, as far as its mailbox is concerned. Returns what `NewService` says of old
    emails.
    """
    opened = database.open_database(settings.database)
    try:
        old_emails, remark = first_start.begin_service(settings, opened, WallClock())
    finally:
        opened.close()
    return old_emails, (remark, f"  {sentence('house.first_start.hand_over')}") if old_emails else ()


def _write(place: Path, text: str) -> None:
    draft = place.with_name(place.name + ".new")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)  # passwords are written into it sooner or later, and commands that fetch them
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, place)
