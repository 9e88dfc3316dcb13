"""The servers of incoming and outgoing email, as gm.toml names them.

Connections to other machines always use TLS and check the certificate. Connections to this machine are
unencrypted, unless a `ca_file` names the authorities to trust.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from adjudicator.clock import Millis
from adjudicator.config.secrets import Secret, Token
from adjudicator.config.toml_reader import TIME_UNITS_MS, ConfigPage
from adjudicator.errors import Refusal
from adjudicator.model.addresses import is_loopback
from games.record import Value, replace_fields

MAILBOX_KEYS = frozenset({"url", "password", "token", "ca_file", "folder", "kept"})
"""The keys of every kind of mailbox."""

Tls = Literal["tls", "starttls", "none"]
INBOX, KEPT = "INBOX", "Turnpost"


EVERYBODY, TOTAL = "*", "total"
"""The keys of the rate for domains without their own, and of the rate for all domains together."""

_RATE = re.compile(r"(\d{1,6})\s*/\s*([smhd])")


class Rate(Value, frozen=True):
    """A maximum number of emails to a domain within a period."""

    count: int
    within: Millis


class MaildirAt(Value, frozen=True):
    """A Maildir as the mailbox, or as the destination of all outgoing mail."""

    path: Path


class Imap(Value, frozen=True):
    """A mailbox on a server. folders: the folders for new emails. kept: the folder for stored emails.

    tls: "tls", "starttls", or "none" (loopback only). ca_file: PEM file of the authorities to trust in place
    of the system's. token: the token source for a login by XOAUTH2, which needs no password.
    """

    host: str
    port: int
    tls: Tls
    username: str
    password: Secret | None
    folders: tuple[str, ...] = (INBOX,)
    kept: str = KEPT
    ca_file: Path | None = None
    token: Token | None = None


class Smtp(Value, frozen=True):
    """A server for our outgoing mail. tls, ca_file, token: as in `Imap`.

    probe: whether a copy of each email goes to ourselves, to show that the server has accepted an email when
    the connection broke. probe_wait: how long such a copy may take. connections: the maximum at once.
    timeout: how long the server may take for one email. pace: rate limits by domain, EVERYBODY or TOTAL.
    """

    host: str
    port: int
    tls: Tls
    username: str | None = None
    password: Secret | None = None
    ca_file: Path | None = None
    probe: bool = True
    probe_wait: Millis = 2 * TIME_UNITS_MS["m"]
    connections: int = 2
    timeout: Millis = 5 * TIME_UNITS_MS["m"]
    token: Token | None = None
    pace: Mapping[str, Rate] = {}


class Listen(Value, frozen=True):
    """A port of this machine, for this machine."""

    host: str
    port: int


class Local(Value, frozen=True):
    """The built-in SMTP server: its port, and where it stores emails.

    inbox: the Maildir for the GM's emails. folder: the folder with a Maildir for each other address.
    """

    host: str
    port: int
    inbox: Path
    folder: Path


def read_inbox(page: ConfigPage) -> MaildirAt | Imap:
    """Return the source of incoming mail. Raises Refusal."""
    url = page.text("inbox", "url")
    instead = 'Write url = "imaps://gm@imap.example.org" or url = "maildir:./mail/in"'
    if not url.startswith(("imap://", "imaps://")):
        _not_with(page, "inbox", "a Maildir", "password", "token", "folder", "kept", "ca_file")
        return _maildir(page, "inbox", url, instead)
    server = _server(page, "inbox", url, ports={"imap": 143, "imaps": 993}, instead=instead)
    if server.username is None:
        raise page.fault("inbox", "url", f"{url} doesn't say who logs in", instead)
    folders = page.texts("inbox", "folder", [INBOX])
    kept = page.text("inbox", "kept", KEPT)
    if kept in folders:
        why = f"new emails arrive in the folder {kept}"
        raise page.fault("inbox", "kept", why, f'Write kept = "{KEPT}"')
    token = page.token("inbox", "GM_IMAP_TOKEN")
    return Imap(
        host=server.host,
        port=server.port,
        tls=server.tls,
        username=server.username,
        password=None if token else page.secret("inbox", "GM_IMAP_PASSWORD"),
        token=token,
        folders=folders,
        kept=kept,
        ca_file=server.ca_file,
    )


def read_other_inboxes(page: ConfigPage) -> tuple[MaildirAt | Imap, ...]:
    """Return the further mailboxes for incoming mail. Raises Refusal."""
    tables = page.value("inbox", "also", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise page.fault(
            "inbox", "also", "this isn't a list of mailboxes", "Write [[inbox.also]] above each mailbox"
        )
    mailboxes = []
    for number, table in enumerate(tables, 1):
        if unknown := sorted(set(table) - MAILBOX_KEYS):
            raise page.fault("inbox", "also", f"{unknown[0]} has no meaning in mailbox {number}")
        try:
            mailboxes.append(read_inbox(replace_fields(page, raw={"inbox": table})))
        except Refusal as fault:
            what = fault.what.replace("[inbox]", f"[[inbox.also]] {number}:")
            raise Refusal(what, fault.why, fault.instead) from fault
    return tuple(mailboxes)


def read_outbox(page: ConfigPage) -> MaildirAt | Smtp:
    """Return the destination of outgoing mail. Raises Refusal."""
    url = page.text("outbox", "url")
    instead = 'Write url = "smtp://gm@smtp.example.org:587" or url = "maildir:./mail/out"'
    if not url.startswith(("smtp://", "smtps://")):
        _not_with(page, "outbox", "a Maildir", "password", "token", "ca_file")
        return _maildir(page, "outbox", url, instead)
    server = _server(page, "outbox", url, ports={"smtp": 587, "smtps": 465}, instead=instead)
    token = page.token("outbox", "GM_SMTP_TOKEN") if server.username else None
    return Smtp(
        host=server.host,
        port=server.port,
        tls=server.tls,
        username=server.username,
        password=page.secret("outbox", "GM_SMTP_PASSWORD") if server.username and not token else None,
        token=token,
        ca_file=server.ca_file,
        probe=page.switch("outbox", "probe", True),
        probe_wait=page.length("outbox", "probe_wait", "2m", zero=True),
        connections=page.number("outbox", "connections", 2, 1, 10),
        timeout=page.length("outbox", "timeout", "5m"),
        pace=_read_rates(page),
    )


def _read_rates(page: ConfigPage) -> dict[str, Rate]:
    texts = page.value("outbox", "pace", {})
    instead = 'Write pace = { "gmail.com" = "20/m", "*" = "200/h", total = "500/d" }'
    if not isinstance(texts, dict):
        raise page.fault("outbox", "pace", f"it can't be {texts!r}", instead)
    rates = {}
    for domain, rate in texts.items():
        match = _RATE.fullmatch(rate.strip()) if isinstance(rate, str) else None
        if match is None or not int(match[1]):
            raise page.fault("outbox", "pace", f"{rate!r} isn't a number of emails per time", instead)
        rates[domain.lower()] = Rate(int(match[1]), TIME_UNITS_MS[match[2]])
    return rates


def read_local_server(page: ConfigPage, inbox: MaildirAt | Imap) -> Local | None:
    """Return the built-in server, if there is one. Raises Refusal."""
    if not page.has("local"):
        return None
    if not isinstance(inbox, MaildirAt):
        raise page.fault(
            "local", "listen", "the built-in mail server delivers to a Maildir only", "Leave out [local]"
        )
    at = _listen(page, "local", "127.0.0.1:2525")
    folder = page.path(page.text("local", "folder", "mail"))
    return Local(at.host, at.port, inbox.path, folder)


def read_metrics(page: ConfigPage) -> Listen | None:
    """Return the port of the metrics for Prometheus, if there is one. Raises Refusal."""
    return _listen(page, "metrics", "127.0.0.1:9464") if page.has("metrics") else None


def _listen(page: ConfigPage, table: str, default: str) -> Listen:
    listen = page.text(table, "listen", default)
    host, _, port = listen.rpartition(":")
    if not host or not port.isdigit() or not 0 <= int(port) < 65536:
        raise page.fault(table, "listen", f'"{listen}" isn\'t host:port', f'Write listen = "{default}"')
    if not is_loopback(host):
        raise page.fault(
            table,
            "listen",
            f"{host} is not loopback, so others could reach it",
            f'Write listen = "{default}"',
        )
    return Listen(host.strip("[]"), int(port))


class _Server(Value, frozen=True):
    host: str
    port: int
    tls: Tls
    username: str | None
    ca_file: Path | None


def _server(page: ConfigPage, table: str, url: str, *, ports: dict[str, int], instead: str) -> _Server:
    parts = urlsplit(url)
    if parts.password is not None:
        raise page.fault(
            table, "url", "it contains a password, which others can read there", "Move it to password"
        )
    try:
        port = parts.port or ports[parts.scheme]
    except ValueError as fault:
        raise page.fault(table, "url", f"the port in {url} isn't possible") from fault
    if not parts.hostname:
        raise page.fault(table, "url", "it doesn't name a server", instead)
    if parts.path.strip("/"):
        raise page.fault(table, "url", f"it can't contain {parts.path}", instead)
    ca_file = page.file(table, "ca_file")
    return _Server(
        host=parts.hostname,
        port=port,
        tls=_tls(parts.scheme, parts.hostname, ca_file),
        username=unquote(parts.username) if parts.username else None,
        ca_file=ca_file,
    )


def _tls(scheme: str, host: str, ca_file: Path | None) -> Tls:
    if scheme in ("imaps", "smtps"):
        return "tls"
    return "none" if is_loopback(host) and ca_file is None else "starttls"


def _maildir(page: ConfigPage, table: str, url: str, instead: str) -> MaildirAt:
    scheme, _, where = url.partition(":")
    if scheme != "maildir" or not where:
        raise page.fault(table, "url", f"{url} isn't the address of a mailbox", instead)
    return MaildirAt(page.path(where))


def _not_with(page: ConfigPage, table: str, what: str, *keys: str) -> None:
    for key in keys:
        if page.has(table, key):
            raise page.fault(table, key, f"it has no meaning with {what}", "Leave it out")


def read_poll_interval(page: ConfigPage, inbox: MaildirAt | Imap) -> Millis:
    """Return the polling interval of the mailbox, apart from its server's notices. Raises Refusal."""
    return page.length("inbox", "poll", "5s" if isinstance(inbox, MaildirAt) else "1m")
