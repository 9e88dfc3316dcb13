"""What ``gm init`` does: settings written from the template, and each of them tried out first."""

import os
import socket
import tempfile
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from jinja2 import Environment, StrictUndefined

from adjudicator.errors import PostFault, Refusal
from adjudicator.post.maildir import MaildirBox, MaildirSink
from adjudicator.settings import MaildirAt, Settings, read_settings
from adjudicator.store.database import open_database

INBOX = "maildir:./mail/in"


@dataclass(frozen=True)
class Found:
    """A service that was set up. tried: what was found to work; listen: of the embedded server, or None."""

    config: Path
    tried: tuple[str, ...]
    listen: str | None


def found(place: Path, *, address: str, listen: str | None, outbox: str | None, timezone: str) -> Found:
    """Set up a service whose gm.toml is to be at that place; what is there is replaced.

    listen: HOST:PORT of the embedded server, or None; outbox: a URL, or None for that server.
    Raises Refusal or Fault for what does not work; no gm.toml is written then.
    """
    text = settings_text(address=address, listen=listen, outbox=outbox, timezone=timezone)
    settings = read_settings(tomllib.loads(text), place, os.environ)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        tried = (*_try_folders(settings), *_try_port(settings), _try_database(settings))
        _write(place, text)
    except OSError as fault:
        raise Refusal(str(fault.filename or place), f"cannot be written: {fault.strerror}") from fault
    return Found(place, tried, listen)


def settings_text(*, address: str, listen: str | None, outbox: str | None, timezone: str) -> str:
    """A gm.toml with its comments; the arguments are those of `found`.

    Raises Refusal for what would not stand between quotation marks.
    """
    out = outbox or f"smtp://{listen}"
    values = {"address": address, "listen": listen, "outbox": out, "timezone": timezone, "inbox": INBOX}
    for name, value in values.items():
        if value is not None and (not value.isprintable() or '"' in value or "\\" in value):
            raise Refusal(f"{name} {value!r}", "holds a quotation mark, a backslash or worse")
    template = resources.files("templates").joinpath("gm.toml").read_text(encoding="utf-8")
    page = Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
    )
    return page.from_string(template).render(values, password="@" in urlsplit(out).netloc)


def local_zone() -> str:
    """This machine's time zone by its name in the zone database; UTC where that cannot be told."""
    named = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime")
    name = named.rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name).key.removeprefix("Etc/")
    except (KeyError, ValueError, OSError):
        return "UTC"


def _try_folders(settings: Settings) -> list[str]:
    tried = []
    MaildirBox(settings.inbox.path)
    places = [("letters in", settings.inbox.path)]
    if isinstance(settings.outbox, MaildirAt):
        MaildirSink(settings.outbox.path)
        places.append(("letters out", settings.outbox.path))
    for what, path in places:
        try:
            with tempfile.NamedTemporaryFile(dir=path / "tmp"):
                tried.append(f"{what}, the Maildir {path}")
        except OSError as fault:
            raise PostFault(f"maildir {path}", f"cannot be written to: {fault.strerror}") from fault
    return tried


def _try_port(settings: Settings) -> list[str]:
    local = settings.local
    if local is None:
        return []
    family = socket.AF_INET6 if ":" in local.host else socket.AF_INET
    with socket.socket(family) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((local.host, local.port))
        except OSError as fault:
            raise Refusal(
                f"port {local.port} of {local.host}",
                f"cannot be listened on: {fault.strerror}",
                f"choose another one:  gm init --listen {local.host}:{local.port + 1}",
            ) from fault
    return [f"mail server for this machine, on {local.host}:{local.port}"]


def _try_database(settings: Settings) -> str:
    open_database(settings.database).close()
    # The service's key and the dice of every game are in it.
    os.chmod(settings.database, 0o600)
    return f"database {settings.database}"


def _write(place: Path, text: str) -> None:
    draft = place.with_name(place.name + ".new")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, place)
