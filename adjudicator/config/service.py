"""gm.toml and the environment, read once into frozen settings. Every fault is named with its key.

Looked for in this order: the file named by --config, the one named by GM_CONFIG, ./gm.toml.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.clock import HOUR, Millis
from adjudicator.config.channels import CHANNEL_KEYS as CHANNEL_KEYS
from adjudicator.config.channels import Channel, read_channels
from adjudicator.config.keep import DEFAULT_KEEP, Keep, read_keep
from adjudicator.config.keep import KEEP_KEYS as KEEP_KEYS
from adjudicator.config.letters import DIGEST_AT, digest_at, read_letter_style
from adjudicator.config.letters import LETTERS_KEYS as LETTERS_KEYS
from adjudicator.config.servers import (
    MAILBOX_KEYS,
    Imap,
    Listen,
    Local,
    MaildirAt,
    Smtp,
    read_inbox,
    read_local_server,
    read_metrics,
    read_other_inboxes,
    read_outbox,
    read_poll_interval,
)
from adjudicator.config.site import SITE_KEYS as SITE_KEYS
from adjudicator.config.site import Site, read_site
from adjudicator.config.terms import DEADLINE_SETTINGS, read_deadlines
from adjudicator.config.toml_reader import ConfigPage
from adjudicator.config.zones import zone_called
from adjudicator.errors import Refusal
from adjudicator.model.addresses import valid_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.letter_choice import DEFAULT_STYLE, Style
from games.record import replace_fields

CONFIG_TABLES: dict[str, frozenset[str]] = {
    "service": frozenset({"address", "name", "database", "timezone", "rounds", "effort"}),
    "inbox": MAILBOX_KEYS | {"poll", "also"},
    "outbox": frozenset(
        {
            *("url", "password", "token", "ca_file", "probe", "probe_wait", "connections", "timeout"),
            "pace",
        }
    ),
    "local": frozenset({"listen", "folder"}),
    "deadlines": frozenset({*DEADLINE_SETTINGS, "downtime"}),
    "letters": LETTERS_KEYS,
    "keep": KEEP_KEYS,
    "site": SITE_KEYS,
    "metrics": frozenset({"listen"}),
    "channel": frozenset({"address", "as", "games"}),
    "trust": frozenset({"accept", "authserv_id", "strict", "addresses"}),
}
SEVERAL: dict[str, frozenset[str]] = {"channel": CHANNEL_KEYS}
"""The keys of tables that may stand several times, as [[channel]]."""

EFFORT, MOST_EFFORT = 30_000, 1_000_000_000
"""What the bots of one player's games may cost, by default and at the most: adjudications a turn."""

TRUSTED = ("token", "password", "verified-from")
"""What may vouch for a sender; by default any of them does."""


@dataclass(frozen=True)
class Settings:
    """All that gm.toml says. zone: for deadlines, beside UTC; accept: what vouches for a sender.

    strict: two of them have to agree; authserv_id: by what name the server that takes our letters says so;
    addresses: of which letters come to us besides, in lower case.
    poll: how often the mailbox is looked into, at the least; deadlines: the terms of a new game; downtime:
    after how long a failure of the service it makes up for it, 0: never; rounds: how often cron, not the
    service, begins a round of `gm run`, 0: it does not; metrics: where Prometheus may ask; also: mailboxes in
    which letters arrive besides; channels: where is told what anybody may know. effort: how many
    adjudications a turn the bots may cost of all games that one player has begun. letters: how reports are
    written where their reader has not chosen; digest_at: at which minute of the day digests are; keep: how
    long the bytes of letters are kept; site: where the archive is, if there is one.
    """

    file: Path
    address: str
    name: str
    database: str
    zone: ZoneInfo
    inbox: MaildirAt | Imap
    outbox: MaildirAt | Smtp
    local: Local | None
    poll: Millis
    deadlines: Deadlines
    accept: frozenset[str]
    strict: bool = False
    authserv_id: str | None = None
    addresses: frozenset[str] = frozenset()
    downtime: Millis = HOUR
    rounds: Millis = 0
    metrics: Listen | None = None
    also: tuple[MaildirAt | Imap, ...] = ()
    channels: tuple[Channel, ...] = ()
    effort: int = EFFORT
    letters: Style = DEFAULT_STYLE
    digest_at: int = DIGEST_AT
    keep: Keep = DEFAULT_KEEP
    site: Site | None = None


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
    return read_settings(raw_settings(text_of(path), path), path, environ)


def text_of(path: Path) -> str:
    """The text of a gm.toml. Raises Refusal."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise Refusal(path.name, f"is no TOML: {fault}") from fault
    except OSError as fault:
        raise Refusal(str(path), f"cannot be read: {fault.strerror}") from fault


def raw_settings(text: str, path: Path) -> dict[str, Any]:
    """The tables of the text of a gm.toml at that path. Raises Refusal."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise Refusal(path.name, f"is no TOML: {fault}") from fault


def read_settings(
    raw: dict[str, Any], path: Path, environ: Mapping[str, str], *, without_files: bool = False
) -> Settings:
    """The settings of what a gm.toml at that path holds. Raises Refusal naming the key.

    environ: where passwords may stand; without_files: whether the files that it names may be missing.
    """
    _check_keys(raw)
    page = ConfigPage(raw, path.parent, environ, without_files)
    address = valid_address(page.text("service", "address"))
    if address is None or "+" in address or not address.isascii():
        raise page.fault(
            "service", "address", "is no plain mail address", 'write  address = "gm@example.org"'
        )
    inbox = read_inbox(page)
    return Settings(
        file=path,
        address=address,
        name=page.text("service", "name", "Turnpost"),
        database=_database(page),
        zone=_zone(page),
        inbox=inbox,
        outbox=read_outbox(page),
        local=read_local_server(page, inbox),
        poll=read_poll_interval(page, inbox),
        deadlines=_deadlines(page),
        downtime=page.length("deadlines", "downtime", "1h", zero=True),
        rounds=page.length("service", "rounds", "0h", zero=True),
        accept=_accept(page),
        metrics=read_metrics(page),
        also=read_other_inboxes(page),
        channels=read_channels(page),
        letters=read_letter_style(page),
        digest_at=digest_at(page),
        keep=read_keep(page),
        site=read_site(page),
        effort=page.number("service", "effort", EFFORT, 1, MOST_EFFORT),
        strict=_strict(page),
        authserv_id=page.text("trust", "authserv_id") if page.has("trust", "authserv_id") else None,
        addresses=_addresses(page),
    )


def _check_keys(raw: dict[str, Any]) -> None:
    for table, keys in raw.items():
        if table not in CONFIG_TABLES:
            raise Refusal(
                f"gm.toml: [{table}]", "there is no such table", "it has: " + ", ".join(CONFIG_TABLES)
            )
        if (
            table in SEVERAL
            and isinstance(keys, list)
            and all(isinstance(table_keys, dict) for table_keys in keys)
        ):
            for table_keys in keys:
                _check_table(f"[[{table}]]", table_keys, SEVERAL[table])
            continue
        if not isinstance(keys, dict):
            raise Refusal(f"gm.toml: {table}", "stands outside a table", "put it below [service]")
        _check_table(f"[{table}]", keys, CONFIG_TABLES[table])


def _check_table(named: str, keys: Iterable[str], known: frozenset[str]) -> None:
    for key in keys:
        if key not in known:
            listed = ", ".join(sorted(known))
            raise Refusal(f"gm.toml: {named} {key}", "there is no such key", f"it has: {listed}")


def _database(page: ConfigPage) -> str:
    # The URL of a server may hold a password.
    hidden = isinstance(page.value("service", "database"), dict)
    text = page.reveal_secret("service", "database", "GM_DATABASE") if hidden else ""
    text = text or page.text("service", "database", "turnpost.db")
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


def _zone(page: ConfigPage) -> ZoneInfo:
    name = page.text("service", "timezone", "UTC")
    try:
        return _named(name) or ZoneInfo(zone_called("timezone", name, 'timezone = "{zone}"'))
    except Refusal as fault:
        raise page.fault("service", "timezone", fault.why, fault.instead) from fault


def _named(text: str) -> ZoneInfo | None:
    """Return the zone of just that name, as files have always meant it; None where there is none."""
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        return None


def _deadlines(page: ConfigPage) -> Deadlines:
    """The terms of a new game. Raises Refusal in the words of gm.toml."""
    given = {"zone": _zone(page).key}
    for key, value in page.raw.get("deadlines", {}).items():
        if key != "downtime":
            given[key] = _term(page, key, value)
    exact = _named(given["zone"])
    try:
        terms = read_deadlines(given if exact is None else {**given, "zone": "UTC"})
        return terms if exact is None else replace_fields(terms, zone=exact.key)
    except Refusal as fault:
        key = fault.what.removeprefix("term ")
        instead = re.sub(rf"\b{key}=([^\s,]+)", rf'{key} = "\1"', fault.instead or "")
        raise page.fault("deadlines", key, fault.why, instead) from fault


def _term(page: ConfigPage, key: str, value: Any) -> str:
    """A term as text, however TOML may hold it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ",".join(value) or "none"
    return str(value) if type(value) is int else page.text("deadlines", key)


def _accept(page: ConfigPage) -> frozenset[str]:
    accept = page.texts("trust", "accept", TRUSTED)
    if not set(accept) <= set(TRUSTED):
        wrong = ", ".join(sorted(set(accept) - set(TRUSTED)))
        words = ", ".join(f'"{word}"' for word in TRUSTED)
        raise page.fault("trust", "accept", f"{wrong} vouches for nobody", f"write  accept = [{words}]")
    return frozenset(accept)


def _addresses(page: ConfigPage) -> frozenset[str]:
    """Return the further addresses of the service. Raises Refusal for one that is none."""
    if page.value("trust", "addresses", []) == []:
        return frozenset()
    addresses = {text: valid_address(text) for text in page.texts("trust", "addresses", ())}
    for text, address in addresses.items():
        if address is None:
            instead = 'write  addresses = ["games@example.org"]  with each address by which emails come here'
            raise page.fault("trust", "addresses", f"{text} is no mail address", instead)
    return frozenset(address for address in addresses.values() if address)


def _strict(page: ConfigPage) -> bool:
    strict = page.switch("trust", "strict", False)
    if strict and len(_accept(page)) < 2:
        raise page.fault("trust", "strict", "wants two ways that agree", "name another one in  accept")
    return strict
