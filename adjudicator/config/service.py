"""gm.toml and the environment, read once into frozen settings. Each error names its key.

The file is the first of: the one named by --config, the one named by GM_CONFIG, ./gm.toml.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.config.channels import CHANNEL_KEYS as CHANNEL_KEYS
from adjudicator.config.channels import Channel, read_channels
from adjudicator.config.secrets import Grant, Login, Secret, Token
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
from adjudicator.config.terms import DEADLINE_SETTINGS, read_deadlines, zone_called
from adjudicator.config.toml_reader import ConfigPage
from adjudicator.errors import Refusal
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.people import DEFAULT_STYLE, Detail, Every, Maps, Reasons, Sheets, Style
from games.record import Value, replace_fields

# The GM's own bots: programs that gm.toml names, and the operator's agreement to start them. A gm.toml that
# came with another person's backup could name any command. So a command is started only after the operator
# of this machine has agreed to it. The agreements are in a file beside gm.toml, which no backup holds. They
# count only for this machine, user and folder, and for the command as it was.


BOT_KEYS = frozenset({"name", "command", "seconds", "memory"})
"""The keys of a [[bot]]."""

AGREED_FILE = ".agreed-bots"
_MACHINE_ID_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")
_BOT_TABLE = "bot"
_BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
_DEFAULT_SECONDS, _MAX_SECONDS = 10, 60
_DEFAULT_MEMORY_MB, _MIN_MEMORY_MB, _MAX_MEMORY_MB = 512, 16, 16_384


class OwnBot(Value, frozen=True):
    """A program that can play a seat. folder: where it is started, the folder of gm.toml.

    seconds: how long it may take for one answer. memory_mb: how much memory it may use.
    """

    name: str
    command: str
    folder: Path
    seconds: int = _DEFAULT_SECONDS
    memory_mb: int = _DEFAULT_MEMORY_MB

    @property
    def is_agreed(self) -> bool:
        """Return whether the operator has agreed to start this command here."""
        return _seal(self) in _read_seals(self.folder)


def read_own_bots(page: ConfigPage, folder: Path) -> tuple[OwnBot, ...]:
    """Return the bots of a gm.toml in that folder. Raises Refusal naming the key."""
    tables = page.raw.get(_BOT_TABLE, [])
    if not isinstance(tables, list):
        raise Refusal(
            "gm.toml: [bot]", "each bot has its own table", "Write [[bot]] above its name and command"
        )
    bots: list[OwnBot] = []
    for number, table in enumerate(tables, 1):
        bot = _read_bot(page, table, number, folder)
        if any(other.name == bot.name for other in bots):
            raise Refusal(f"gm.toml: [[bot]] {number}: name", f"two bots are called {bot.name}", "Rename one")
        bots.append(bot)
    return tuple(bots)


def _read_bot(page: ConfigPage, table: dict[str, Any], number: int, folder: Path) -> OwnBot:
    own_page = replace_fields(page, raw={**page.raw, _BOT_TABLE: table})
    try:
        name = own_page.text(_BOT_TABLE, "name")
        if not _BOT_NAME.fullmatch(name):
            raise own_page.fault(
                _BOT_TABLE,
                "name",
                f'"{name}" isn\'t a name for a bot',
                'Write name = "mine", of a-z, 0-9 and -',
            )
        command = own_page.text(_BOT_TABLE, "command")
        seconds = own_page.number(_BOT_TABLE, "seconds", _DEFAULT_SECONDS, 1, _MAX_SECONDS)
        memory = own_page.number(_BOT_TABLE, "memory", _DEFAULT_MEMORY_MB, _MIN_MEMORY_MB, _MAX_MEMORY_MB)
    except Refusal as fault:
        raise Refusal(fault.what.replace("[bot]", f"[[bot]] {number}:"), fault.why, fault.instead) from fault
    return OwnBot(name, command, folder, seconds, memory)


def agree(bot: OwnBot) -> None:
    """Record that the operator agrees to start a bot's command on this machine."""
    file = bot.folder / AGREED_FILE
    seals = [*_read_seals(bot.folder), _seal(bot)]
    file.touch(mode=0o600)
    file.write_text("".join(f"{seal}\n" for seal in dict.fromkeys(seals)), encoding="ascii")


def _read_seals(folder: Path) -> tuple[str, ...]:
    try:
        return tuple((folder / AGREED_FILE).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return ()


def _seal(bot: OwnBot) -> str:
    """Return the line for an agreement. It fits no other machine, user, folder, name or command."""
    machine = ""
    for file in _MACHINE_ID_FILES:
        with suppress(OSError):
            machine = machine or Path(file).read_text(encoding="ascii").strip()
    parts = (machine, str(os.getuid()), str(bot.folder.resolve()), bot.name, bot.command)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# The style of emails for readers who haven't chosen one: the table [letters] of gm.toml.


LETTERS_KEYS = frozenset({"detail", "reasons", "every", "maps", "sheets", "digest"})
DIGEST_AT = 7 * 60
"""The default minute of the day for digests."""

_LETTERS_TABLE = "letters"
_DIGEST_TIME_RE = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def read_letter_style(page: ConfigPage) -> Style:
    """Return the style of reports. Raises Refusal naming the key."""
    return Style(
        detail=_one_of(page, "detail", Detail, DEFAULT_STYLE.detail),
        reasons=_one_of(page, "reasons", Reasons, None),
        every=_one_of(page, "every", Every, "turn"),
        maps=_one_of(page, "maps", Maps, "png"),
        sheets=_one_of(page, "sheets", Sheets, "text"),
    )


def digest_at(page: ConfigPage) -> int:
    """Return the minute of the day for digests. Raises Refusal naming the key."""
    if not page.has(_LETTERS_TABLE, "digest"):
        return DIGEST_AT
    clock = _DIGEST_TIME_RE.fullmatch(page.text(_LETTERS_TABLE, "digest").strip())
    if clock is None:
        raise page.fault(_LETTERS_TABLE, "digest", "this isn't a time of day", 'Write digest = "07:00"')
    return int(clock[1]) * 60 + int(clock[2])


def _one_of(page: ConfigPage, key: str, words: Any, default: Any) -> Any:
    if not page.has(_LETTERS_TABLE, key):
        return default
    text = page.text(_LETTERS_TABLE, key)
    if text not in get_args(words):
        choice = " or ".join(f'{key} = "{word}"' for word in get_args(words))
        raise page.fault(_LETTERS_TABLE, key, f'"{text}" isn\'t possible here', f"Write {choice}")
    return text


# The archive's place: the table [site] of gm.toml.


SITE_KEYS = frozenset({"dir", "url", "build"})
_SITE_TABLE = "site"


class Site(Value, frozen=True):
    """The archive. folder: its folder. url: its public address without a final slash, or "".

    by_turns: whether it is built after each turn, instead of by `gm site build` only.
    """

    folder: Path
    url: str = ""
    by_turns: bool = False


def read_site(page: ConfigPage) -> Site | None:
    """Return the table [site] of a gm.toml, or None if it is missing. Raises Refusal naming the key."""
    if _SITE_TABLE not in page.raw:
        return None
    url = page.text(_SITE_TABLE, "url").strip().rstrip("/") if page.has(_SITE_TABLE, "url") else ""
    if url and not url.startswith(("https://", "http://")):
        raise page.fault(
            _SITE_TABLE, "url", "this isn't a web address", 'Write url = "https://games.example.org"'
        )
    build = page.text(_SITE_TABLE, "build", "turn").strip()
    if build not in ("turn", "command"):
        choice = 'Write build = "turn", or build = "command" to build only with gm site build'
        raise page.fault(_SITE_TABLE, "build", f'"{build}" isn\'t possible here', choice)
    return Site(Path(page.path(page.text(_SITE_TABLE, "dir", "site"))), url, build == "turn")


# How long the bytes of emails are stored: the table [keep] of gm.toml.


KEEP_KEYS = frozenset({"letters", "pictures", "people"})
_TABLE, _EVER, _GAME = "keep", "ever", "game"


MIN_KEEP_PEOPLE_MS: Millis = 30 * DAY


class Keep(Value, frozen=True):
    """letters: how long to store the bytes of processed emails, or None for ever.

    pictures: whether pictures of a running game are stored longer than its emails. people: how long to keep
    the address of a person after their last game and email, or None for ever. The log is stored for ever.
    """

    letters: Millis | None = 90 * DAY
    pictures: bool = True
    people: Millis | None = None


DEFAULT_KEEP = Keep()


def read_keep(page: ConfigPage) -> Keep:
    """Return the table [keep] of a gm.toml. Raises Refusal naming the key."""
    ever = page.text(_TABLE, "letters", "90d").strip() == _EVER
    letters = None if ever else page.length(_TABLE, "letters", "90d")
    if letters is not None and letters < DAY:
        raise page.fault(
            _TABLE, "letters", "it is less than a day", 'Write letters = "90d" or letters = "ever"'
        )
    pictures = page.text(_TABLE, "pictures", _GAME).strip()
    if pictures not in (_GAME, "letters"):
        choice = 'Write pictures = "game", or pictures = "letters" to keep them as long as emails'
        raise page.fault(_TABLE, "pictures", f'"{pictures}" isn\'t possible here', choice)
    always = page.text(_TABLE, "people", _EVER).strip() == _EVER
    people = None if always else page.length(_TABLE, "people", _EVER)
    if people is not None and people < MIN_KEEP_PEOPLE_MS:
        raise page.fault(
            _TABLE, "people", "it is less than 30 days", 'Write people = "730d" or people = "ever"'
        )
    return Keep(letters, pictures == _GAME, people)


# The place of the GM's own variants: the table [variants] of gm.toml.


VARIANTS_FOLDER = "variants"
"""The folder of variants beside gm.toml, unless gm.toml names another."""


def read_variants_folder(raw: Mapping[str, Any], path: Path) -> Path:
    """Return the folder of the GM's own variants. raw: the tables of the gm.toml at that path.

    Raises Refusal naming the key.
    """
    table = raw.get("variants", {})
    named = table.get("folder", VARIANTS_FOLDER) if isinstance(table, dict) else None
    if not isinstance(named, str) or not named.strip():
        raise Refusal("gm.toml: [variants] folder", "this isn't a folder", 'Write folder = "variants"')
    return path.parent / named


CONFIG_TABLES: dict[str, frozenset[str]] = {
    "service": frozenset({"address", "name", "database", "timezone", "rounds", "effort", "alert"}),
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
    "variants": frozenset({"folder"}),
    "metrics": frozenset({"listen"}),
    "bot": BOT_KEYS,
    "channel": frozenset({"address", "as", "games"}),
    "trust": frozenset({"accept", "authserv_id", "strict", "addresses"}),
}
SEVERAL: dict[str, frozenset[str]] = {"channel": CHANNEL_KEYS, "bot": BOT_KEYS}
"""The keys of tables that can occur several times, such as [[channel]]."""

EFFORT, MOST_EFFORT = 30_000, 1_000_000_000
"""The default and maximum cost of the bots in one player's games: adjudications per turn."""

TRUSTED = ("token", "password", "verified-from")
"""The things that can authenticate a sender. By default any of them is enough."""


@dataclass(frozen=True)
class Settings:
    """All settings in gm.toml. zone: for deadlines, next to UTC. accept: what authenticates a sender.

    strict: whether two of them have to agree. authserv_id: the name under which the receiving server reports
    on authentication. addresses: our further addresses, in lower case. poll: the maximum interval between
    looks into the mailbox. deadlines: the settings of a new game. downtime: the length from which a failure
    of the service extends deadlines, 0 for never. rounds: the interval at which cron runs `gm run`, 0 if the
    service runs by itself. metrics: the port for Prometheus. also: further mailboxes for incoming mail.
    channels: the places for public news. effort: the maximum adjudications per turn for the bots of all games
    that one player has started. letters: the style of reports for readers who haven't chosen one. digest_at:
    the minute of the day for digests. keep: how long the bytes of emails are stored. site: the archive, if
    there is one. alert: the address that learns of outages, if it isn't our own. variants: the folder of the
    GM's own variants, which may be missing. own_bots: the GM's own bots.
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
    alert: str | None = None
    variants: Path = Path(VARIANTS_FOLDER)
    own_bots: tuple[OwnBot, ...] = ()


def find_config(named: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of gm.toml. Raises Refusal if it doesn't exist."""
    path = Path(named or environ.get("GM_CONFIG") or "gm.toml")
    if not path.is_file():
        raise Refusal(f"No file {path}", "", 'Use "gm init" to create it, or name another file with --config')
    return path.resolve()


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in a gm.toml. Relative paths start at its folder. Raises Refusal naming the key."""
    return read_settings(raw_settings(text_of(path), path), path, environ)


def text_of(path: Path) -> str:
    """Return the text of a gm.toml. Raises Refusal."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise Refusal(path.name, f"it isn't TOML: {fault}") from fault
    except OSError as fault:
        raise Refusal(f"Can't read {path}", f"{fault.strerror}") from fault


def raw_settings(text: str, path: Path) -> dict[str, Any]:
    """Return the tables in the text of a gm.toml at that path. Raises Refusal."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise Refusal(path.name, f"it isn't TOML: {fault}") from fault


def read_settings(
    raw: dict[str, Any], path: Path, environ: Mapping[str, str], *, without_files: bool = False
) -> Settings:
    """Return the settings in the tables of a gm.toml at that path. Raises Refusal naming the key.

    environ: the environment with passwords. without_files: whether the files that it names may be missing.
    """
    _check_keys(raw)
    page = ConfigPage(raw, path.parent, environ, without_files)
    address = valid_address(page.text("service", "address"))
    if address is None or "+" in address or not address.isascii():
        raise page.fault(
            "service", "address", "this isn't a plain email address", 'Write address = "gm@example.org"'
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
        variants=read_variants_folder(raw, path),
        own_bots=read_own_bots(page, path.parent),
        effort=page.number("service", "effort", EFFORT, 1, MOST_EFFORT),
        strict=_strict(page),
        authserv_id=page.text("trust", "authserv_id") if page.has("trust", "authserv_id") else None,
        addresses=_addresses(page),
        alert=_alert(page, address),
    )


def _check_keys(raw: dict[str, Any]) -> None:
    for table, keys in raw.items():
        if table not in CONFIG_TABLES:
            raise Refusal(
                f"gm.toml: [{table}]", "there is no such table", "Tables: " + ", ".join(CONFIG_TABLES)
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
            raise Refusal(f"gm.toml: {table}", "it isn't in a table", "Move it below [service]")
        _check_table(f"[{table}]", keys, CONFIG_TABLES[table])


def _check_table(named: str, keys: Iterable[str], known: frozenset[str]) -> None:
    for key in keys:
        if key not in known:
            listed = ", ".join(sorted(known))
            raise Refusal(f"gm.toml: {named} {key}", "there is no such key", f"Keys: {listed}")


def _database(page: ConfigPage) -> str:
    # The URL of a server may contain a password.
    hidden = isinstance(page.value("service", "database"), dict)
    text = page.reveal_secret("service", "database", "GM_DATABASE") if hidden else ""
    text = text or page.text("service", "database", "turnpost.db")
    if text.startswith("postgresql://"):
        return text
    if "://" in text:
        raise page.fault(
            "service",
            "database",
            f"databases of {text.partition('://')[0]}:// aren't supported",
            'Write database = "turnpost.db" for a file beside gm.toml, or "postgresql://user@host/name"',
        )
    return str(page.path(text))


def _zone(page: ConfigPage) -> ZoneInfo:
    name = page.text("service", "timezone", "UTC")
    try:
        return _find_zone(name) or ZoneInfo(zone_called("timezone", name, 'timezone = "{zone}"'))
    except Refusal as fault:
        raise page.fault("service", "timezone", fault.why, fault.instead) from fault


def _find_zone(text: str) -> ZoneInfo | None:
    """Return the zone with exactly that name, as files have always named it, or None."""
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        return None


def _deadlines(page: ConfigPage) -> Deadlines:
    """Return the settings of a new game. Raises Refusal in the words of gm.toml."""
    given = {"zone": _zone(page).key}
    for key, value in page.raw.get("deadlines", {}).items():
        if key != "downtime":
            given[key] = _term(page, key, value)
    exact = _find_zone(given["zone"])
    try:
        terms = read_deadlines(given if exact is None else {**given, "zone": "UTC"})
        return terms if exact is None else replace_fields(terms, zone=exact.key)
    except Refusal as fault:
        key = fault.what.removeprefix("setting ")
        instead = re.sub(rf"\b{key}=([^\s,]+)", rf'{key} = "\1"', fault.instead or "")
        raise page.fault("deadlines", key, fault.why, instead) from fault


def _term(page: ConfigPage, key: str, value: Any) -> str:
    """Return a setting as text from any TOML value."""
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
        raise page.fault(
            "trust", "accept", f'"{wrong}" doesn\'t authenticate anyone', f"Write accept = [{words}]"
        )
    return frozenset(accept)


def _addresses(page: ConfigPage) -> frozenset[str]:
    """Return the further addresses of the service. Raises Refusal for an invalid address."""
    if page.value("trust", "addresses", []) == []:
        return frozenset()
    addresses = {text: valid_address(text) for text in page.texts("trust", "addresses", ())}
    for text, address in addresses.items():
        if address is None:
            instead = 'Write addresses = ["games@example.org"], with every address of this service'
            raise page.fault("trust", "addresses", f'"{text}" isn\'t an email address', instead)
    return frozenset(address for address in addresses.values() if address)


def _alert(page: ConfigPage, address: str) -> str | None:
    """Return the address for alerts, if there is one. Raises Refusal for our own: it would tell nobody."""
    if not page.has("service", "alert"):
        return None
    text = page.text("service", "alert")
    alert = valid_address(text)
    if alert is None or is_own(alert, address):
        why = f'"{text}" is the service\'s own address' if alert else f'"{text}" isn\'t an email address'
        raise page.fault("service", "alert", why, 'Write alert = "you@example.net", an address elsewhere')
    return alert


def _strict(page: ConfigPage) -> bool:
    strict = page.switch("trust", "strict", False)
    if strict and len(_accept(page)) < 2:
        raise page.fault(
            "trust", "strict", "it needs two ways of authentication that agree", "Name another one in accept"
        )
    return strict


# The files of certificates and the sources of secrets that gm.toml names.


CA_FILE_KEY = "ca_file"
"""The key for a file. Other keys name folders, or sources of secrets."""

MAX_FILE_BYTES = 1_000_000
_CERTIFICATE = re.compile(
    rb"-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----\s[A-Za-z0-9+/=\s]+-----END \1-----"
)
_BEGIN = re.compile(rb"-----BEGIN ")


class NamedFile(Value, frozen=True):
    """A file of certificates. key: its key in gm.toml, "[inbox] ca_file". text: its name there."""

    key: str
    text: str
    path: Path


def certificate_files(raw: Mapping[str, Any], folder: Path) -> tuple[NamedFile, ...]:
    """Return the files of certificates in the tables of a gm.toml. folder: the folder of gm.toml."""
    files = []
    for heading, table in _tables(raw):
        text = table.get(CA_FILE_KEY)
        if isinstance(text, str) and text.strip():
            text = text.strip()
            path = (folder / Path(text).expanduser()).resolve()
            files.append(NamedFile(f"{heading} {CA_FILE_KEY}", text, path))
    return tuple(files)


def _tables(raw: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, table in raw.items():
        if isinstance(table, dict):
            yield f"[{name}]", table
            for key, several in table.items():
                if isinstance(several, list):
                    named = (subtable for subtable in several if isinstance(subtable, dict))
                    yield from ((f"[[{name}.{key}]]", subtable) for subtable in named)


def is_certificates(content: bytes) -> bool:
    """Return whether a file holds certificates and no secret: every PEM block in it is a certificate."""
    certificates = _CERTIFICATE.findall(content)
    return (
        bool(certificates)
        and len(content) <= MAX_FILE_BYTES
        and len(_BEGIN.findall(content)) == len(certificates)
    )


_TOKEN_FILES = {"refresh_token": "refresh-token", "client_secret": "client-secret"}
"""The files that stand in a backup for secrets that a token has in the text of gm.toml."""


def without_tokens(text: str, raw: Mapping[str, Any]) -> str:
    """Return the text of a gm.toml in which tokens are replaced by names of files. raw: its tables."""
    mailboxes = raw.get("inbox", {}).get("also", [])
    for table in (raw.get("inbox", {}), raw.get("outbox", {}), *mailboxes):
        token = table.get("token")
        if isinstance(token, str):
            text = _file_in_place_of(text, token, "mail-token")
        for key, file in _TOKEN_FILES.items() if isinstance(token, dict) else ():
            if isinstance(value := token.get(key), str):
                text = _file_in_place_of(text, value, file)
    return text


def _file_in_place_of(text: str, secret: str, file: str) -> str:
    for quoted in (f'"{secret}"', f"'{secret}'"):
        text = text.replace(quoted, f'{{ file = "{file}" }}')
    return text


def missing_secrets(settings: "Settings") -> tuple[Secret, ...]:
    """Return the secrets whose file or variable is missing. Doesn't run commands."""
    return tuple(secret for secret in _secrets(settings) if _is_missing(secret))


def _is_missing(secret: Secret) -> bool:
    if secret.kind == "file":
        return not Path(secret.value).is_file()
    return secret.kind == "env" and not secret.environ.get(secret.value)


def _secrets(settings: "Settings") -> Iterator[Secret]:
    for place in (settings.inbox, *settings.also, settings.outbox):
        yield from _secrets_of_place(place)
    for channel in settings.channels:
        yield from channel.secrets


def _secrets_of_place(place: MaildirAt | Imap | Smtp) -> Iterator[Secret]:
    if isinstance(place, MaildirAt):
        return
    if place.password is not None:
        yield place.password
    yield from _secrets_of_token(place.token)


def _secrets_of_token(token: Token | None) -> Iterator[Secret]:
    if isinstance(token, Grant):
        yield token.refresh_token
        if token.client_secret is not None:
            yield token.client_secret
    elif isinstance(token, Login):
        yield token.document
    elif token is not None:
        yield token
