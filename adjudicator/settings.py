"""gm.toml and the environment, read once into frozen settings. Every fault is named with its key.

Looked for in this order: the file named by --config, the one named by GM_CONFIG, ./gm.toml.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from adjudicator.addresses import is_loopback, valid_address
from adjudicator.clock import Millis
from adjudicator.errors import Refusal
from adjudicator.ledger import Deadlines

HOUR: Millis = 3_600_000
UNITS = {"s": 1000, "m": 60_000, "h": HOUR, "d": 24 * HOUR}
TABLES: dict[str, frozenset[str]] = {
    "service": frozenset({"address", "name", "database", "timezone"}),
    "inbox": frozenset({"url", "password"}),
    "outbox": frozenset({"url", "password", "probe", "probe_wait", "connections", "timeout"}),
    "local": frozenset({"listen", "folder"}),
    "deadlines": frozenset({"moves", "retreats", "builds", "grace"}),
    "trust": frozenset({"accept", "authserv_id"}),
}
DEADLINES = {"moves": "72h", "retreats": "24h", "builds": "24h", "grace": "12h"}


@dataclass(frozen=True)
class MaildirAt:
    """A Maildir as mailbox or as the end of all outgoing mail."""

    path: Path


@dataclass(frozen=True)
class Smtp:
    """A server that takes our letters. tls: "tls", "starttls", or "none" (loopback only).

    probe: a copy of each letter goes to ourselves; it shows whether a letter was taken when the server did
    not say; probe_wait: how long such a copy may be on its way; connections: no more of them at once;
    timeout: what the server may take to answer a whole letter.
    """

    host: str
    port: int
    tls: Literal["tls", "starttls", "none"]
    username: str | None = None
    password: str | None = None
    probe: bool = True
    probe_wait: Millis = 2 * UNITS["m"]
    connections: int = 2
    timeout: Millis = 5 * UNITS["m"]


@dataclass(frozen=True)
class Local:
    """The embedded SMTP server: where it listens, and the folder with one Maildir for each other address."""

    host: str
    port: int
    folder: Path


@dataclass(frozen=True)
class Settings:
    """All that gm.toml says. zone: for deadlines, beside UTC; accept: what vouches for a sender."""

    file: Path
    address: str
    name: str
    database: str
    zone: ZoneInfo
    inbox: MaildirAt
    outbox: MaildirAt | Smtp
    local: Local | None
    deadlines: Deadlines
    accept: frozenset[str]


def find_config(named: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Which gm.toml is meant. Raises Refusal when it is not there."""
    path = Path(named or environ.get("GM_CONFIG") or "gm.toml")
    if not path.is_file():
        raise Refusal(
            str(path), "there is no such file", "run  gm init  to write one, or name it with --config"
        )
    return path.resolve()


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of one gm.toml. Paths in it are relative to its folder. Raises Refusal naming the key."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise Refusal(path.name, f"is no TOML: {fault}") from fault
    except OSError as fault:
        raise Refusal(str(path), f"cannot be read: {fault.strerror}") from fault
    return read_settings(raw, path, environ)


def read_settings(raw: dict[str, Any], path: Path, environ: Mapping[str, str]) -> Settings:
    """The settings of what a gm.toml at that path holds. Raises Refusal naming the key."""
    _check_keys(raw)
    page = _Page(raw, path.parent, environ)
    address = valid_address(page.text("service", "address"))
    if address is None or "+" in address:
        raise page.fault(
            "service", "address", "is no plain mail address", 'write  address = "gm@example.org"'
        )
    return Settings(
        file=path,
        address=address,
        name=page.text("service", "name", "Turnpost"),
        database=_database(page),
        zone=_zone(page),
        inbox=_inbox(page),
        outbox=_outbox(page),
        local=_local(page),
        deadlines=_deadlines(page),
        accept=_accept(page),
    )


def duration(text: str) -> Millis | None:
    """A length of time such as "72h", "3d" or "1d12h" in milliseconds; None if it is none."""
    compact = text.replace(" ", "").lower()
    if not re.fullmatch(r"(\d+[smhd])+", compact):
        return None
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", compact))


@dataclass(frozen=True)
class _Page:
    """The raw tables, and how to complain about them."""

    raw: dict[str, Any]
    folder: Path
    environ: Mapping[str, str]

    def text(self, table: str, key: str, default: str | None = None) -> str:
        value = self.raw.get(table, {}).get(key, default)
        if value is None:
            raise self.fault(table, key, "is missing")
        if not isinstance(value, str) or not value.strip():
            raise self.fault(table, key, f"is {value!r}, and should be text in quotes")
        return value.strip()

    def fault(self, table: str, key: str, why: str, instead: str | None = None) -> Refusal:
        return Refusal(f"gm.toml: [{table}] {key}", why, instead)

    def path(self, text: str) -> Path:
        return (self.folder / text).resolve()


def _check_keys(raw: dict[str, Any]) -> None:
    for table, keys in raw.items():
        if table not in TABLES:
            raise Refusal(f"gm.toml: [{table}]", "there is no such table", "it has: " + ", ".join(TABLES))
        if not isinstance(keys, dict):
            raise Refusal(f"gm.toml: {table}", "stands outside a table", "put it below [service]")
        for key in keys:
            if key not in TABLES[table]:
                known = ", ".join(sorted(TABLES[table]))
                raise Refusal(f"gm.toml: [{table}] {key}", "there is no such key", f"it has: {known}")


def _database(page: _Page) -> str:
    text = page.text("service", "database", "turnpost.db")
    if text.startswith("postgresql://"):
        return text
    if "://" in text:
        raise page.fault(
            "service",
            "database",
            f"{text.partition('://')[0]}:// is no database that is served",
            'write  database = "turnpost.db"  for a file beside gm.toml, or  "postgresql://user@host/name"',
        )
    return str(page.path(text))


def _zone(page: _Page) -> ZoneInfo:
    name = page.text("service", "timezone", "UTC")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as fault:
        raise page.fault(
            "service", "timezone", f"{name} is no time zone", 'write  timezone = "Europe/Amsterdam"'
        ) from fault


def _inbox(page: _Page) -> MaildirAt:
    url = page.text("inbox", "url")
    if url.startswith(("imap://", "imaps://")):
        raise page.fault("inbox", "url", "IMAP is not supported yet", 'write  url = "maildir:./mail/in"')
    return _maildir(page, "inbox", url, 'write  url = "maildir:./mail/in"')


def _outbox(page: _Page) -> MaildirAt | Smtp:
    url = page.text("outbox", "url")
    if not url.startswith(("smtp://", "smtps://")):
        instead = 'write  url = "smtp://gm@smtp.example.org:587"  or  url = "maildir:./mail/out"'
        return _maildir(page, "outbox", url, instead)
    parts = urlsplit(url)
    try:
        port = parts.port or (465 if parts.scheme == "smtps" else 587)
    except ValueError as fault:
        raise page.fault("outbox", "url", f"the port in {url} is no port") from fault
    if not parts.hostname:
        raise page.fault("outbox", "url", "names no server", 'write  url = "smtp://gm@smtp.example.org:587"')
    username = unquote(parts.username) if parts.username else None
    return Smtp(
        host=parts.hostname,
        port=port,
        tls=_tls(parts.scheme, parts.hostname, username),
        username=username,
        password=_password(page, "outbox") if username else None,
        probe=_probe(page),
        probe_wait=_length(page, "outbox", "probe_wait", "2m", zero=True),
        connections=_connections(page),
        timeout=_length(page, "outbox", "timeout", "5m"),
    )


def _probe(page: _Page) -> bool:
    probe = page.raw["outbox"].get("probe", True)
    if not isinstance(probe, bool):
        raise page.fault(
            "outbox", "probe", f"is {probe!r}, and should be true or false", "write  probe = true"
        )
    return probe


def _connections(page: _Page) -> int:
    count = page.raw["outbox"].get("connections", 2)
    if type(count) is not int or not 1 <= count <= 10:
        raise page.fault(
            "outbox", "connections", f"is {count!r}, and should be 1 to 10", "write  connections = 2"
        )
    return count


def _length(page: _Page, table: str, key: str, default: str, zero: bool = False) -> Millis:
    text = page.text(table, key, default)
    length = duration(text)
    if length is None or (length == 0 and not zero):
        raise page.fault(table, key, f"{text} is no length of time", f'write  {key} = "{default}"')
    return length


def _tls(scheme: str, host: str, username: str | None) -> Literal["tls", "starttls", "none"]:
    if scheme == "smtps":
        return "tls"
    return "none" if is_loopback(host) and not username else "starttls"


def _maildir(page: _Page, table: str, url: str, instead: str) -> MaildirAt:
    scheme, _, where = url.partition(":")
    if scheme != "maildir" or not where:
        raise page.fault(table, "url", f"{url} is no address of a mailbox", instead)
    return MaildirAt(page.path(where))


def _password(page: _Page, table: str) -> str:
    form = page.raw.get(table, {}).get("password")
    if isinstance(form, str):
        return form
    if isinstance(form, dict) and set(form) == {"env"}:
        value = page.environ.get(str(form["env"]))
        if not value:
            raise page.fault(
                table, "password", f"the environment has no {form['env']}", f"export {form['env']}=…"
            )
        return value
    if isinstance(form, dict) and set(form) & {"command", "file"}:
        raise page.fault(
            table,
            "password",
            f"{next(iter(form))} = … is not supported yet",
            'write  password = { env = "GM_SMTP_PASSWORD" }',
        )
    raise page.fault(table, "password", "is missing", 'write  password = { env = "GM_SMTP_PASSWORD" }')


def _local(page: _Page) -> Local | None:
    if "local" not in page.raw:
        return None
    listen = page.text("local", "listen", "127.0.0.1:2525")
    host, _, port = listen.rpartition(":")
    if not host or not port.isdigit() or not 0 <= int(port) < 65536:
        raise page.fault("local", "listen", f"{listen} is no host:port", 'write  listen = "127.0.0.1:2525"')
    if not is_loopback(host):
        raise page.fault("local", "listen", f"{host} is not loopback", 'write  listen = "127.0.0.1:2525"')
    return Local(host.strip("[]"), int(port), page.path(page.text("local", "folder", "mail")))


def _deadlines(page: _Page) -> Deadlines:
    lengths: dict[str, Millis] = {}
    for key, default in DEADLINES.items():
        lengths[key] = _length(page, "deadlines", key, default, zero=key == "grace")
    grace = lengths.pop("grace")
    return Deadlines(lengths=lengths, grace=grace)


def _accept(page: _Page) -> frozenset[str]:
    table = page.raw.get("trust", {})
    accept = table.get("accept", ["token", "password"])
    known = {"token", "password"}
    if "authserv_id" in table or (isinstance(accept, list) and "verified-from" in accept):
        raise page.fault(
            "trust",
            "accept",
            "verified-from (and authserv_id) is not supported yet",
            'write  accept = ["token", "password"]',
        )
    if not isinstance(accept, list) or not accept or not set(accept) <= known:
        raise page.fault(
            "trust", "accept", f"{accept!r} is not understood", 'write  accept = ["token", "password"]'
        )
    return frozenset(accept)
