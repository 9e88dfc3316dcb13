"""Finds the mail servers of an address: in a table of large providers, by DNS, in autoconfig documents.

DNS answers can be forged, so a server that only they name counts as trusted only inside the domain of the
address (RFC 6186 §6). An autoconfig document comes over HTTPS with a checked certificate, so the domain's
owner has written it.
"""

# Rule: no password is sent here, and nothing but the address goes to the domain's own web server.

import re
import ssl
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener
from xml.etree import ElementTree

from adjudicator.config.servers import Imap, MaildirAt, Smtp
from adjudicator.errors import LoginFault, PostFault, Refusal
from games.record import Value, revive

# The table of providers.


class Provider(Value, frozen=True):
    """A provider of mailboxes, as providers.toml describes it."""

    name: str
    login: str
    wants: str
    domains: tuple[str, ...] = ()
    mx: tuple[str, ...] = ()
    inbox: str = ""
    outbox: str = ""
    authserv_id: str = ""
    flow: str = ""
    tenant: str = ""
    instead: str = ""
    plus: str = ""
    per_day: int = 0
    per_minute: int = 0
    limit: str = ""
    source: str = ""
    date: str = ""
    spf: str = ""


@cache
def providers() -> tuple[Provider, ...]:
    """Return the table of large providers."""
    text = resources.files("adjudicator.mail").joinpath("providers.toml").read_text(encoding="utf-8")
    return tuple(revive(Provider, table) for table in tomllib.loads(text)["provider"])


def provider_of_host(host: str) -> Provider | None:
    """Return the provider whose mail server that is, or None if it isn't in the table."""
    named = [
        provider
        for provider in providers()
        if host and host in (urlsplit(provider.inbox).hostname, urlsplit(provider.outbox).hostname)
    ]
    # Of two products with one server, the one for any domain: it promises less about the address.
    return named[-1] if named else None


# Discovery.


ServiceRecord = tuple[int, int, int, str]
"""An SRV record: priority, weight, port, and target without the final dot."""

Lookup = Callable[[str, str], tuple[Any, ...] | None]
"""Returns the SRV or MX records of a name ("SRV" gives `ServiceRecord`, "MX" gives preference and host), or
None if the name doesn't exist. May raise PostFault."""

DocumentReader = Callable[[str], bytes | None]
"""Returns the document at an https:// address, or None if there is none."""

AUTOCONFIG_URLS = (
    "https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={address}",
    "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
)
DOCUMENT_SECONDS, MAX_DOCUMENT_BYTES = 10.0, 100_000
UNUSED_DOMAINS = ("example.org", "example.com", "example.net")

# The standard says which comes first: TLS from the start before STARTTLS (RFC 8314 §3).
_SRV_IN = (("_imaps._tcp", "imaps", 993), ("_imap._tcp", "imap", 143))
_SRV_OUT = (("_submissions._tcp", "smtps", 465), ("_submission._tcp", "smtp", 587))
_DEFAULT_PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}
_SAFE_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*"
)


class FoundServers(Value, frozen=True):
    """The mail servers of an address. inbox, outbox: URLs with the login name. source: who named them.

    is_trusted: whether nobody on the way could have put another server in their place. provider: the row of
    the table, if they are in it.
    """

    inbox: str
    outbox: str
    source: str
    is_trusted: bool
    provider: Provider | None = None


def is_example(domain: str) -> bool:
    """Return whether a domain is reserved for examples, so that nobody has a mailbox there."""
    return domain in UNUSED_DOMAINS or domain.endswith((".example", ".invalid", "localhost"))


def find_servers(
    address: str, lookup: Lookup | None, read_document: DocumentReader, user: str | None = None
) -> FoundServers | None:
    """Return the mail servers of an address, or None if nothing names them.

    lookup: of DNS records, or None to use the table only. user: the login name, if it isn't the address.
    Raises Refusal if a mailbox there can't be read by programs, PostFault if DNS doesn't reply.
    """
    domain = address.rpartition("@")[2]
    for provider in providers():
        if domain in provider.domains:
            return _servers_of_provider(
                provider, user or address, f"the table of providers ({provider.name})"
            )
    if lookup is None:
        return None
    named = _by_service_records(domain, lookup, user or address)
    if named is not None and named.is_trusted:
        return named
    documented = _find_by_autoconfig(address, read_document, user)
    if documented is not None:
        return documented
    return named or _find_by_exchangers(domain, lookup, user or address)


def _servers_of_provider(provider: Provider, login: str, source: str, trusted: bool = True) -> FoundServers:
    if provider.login == "none":
        raise Refusal(f"Can't use a mailbox at {provider.name}", provider.wants, provider.instead)
    inbox, outbox = (_with_login(url, login) for url in (provider.inbox, provider.outbox))
    return FoundServers(inbox, outbox, source, trusted, provider)


def _with_login(url: str, login: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{quote(login, safe='')}@{rest}"


def _url(scheme: str, login: str, host: str, port: int) -> str:
    return _with_login(f"{scheme}://{host}" + (f":{port}" if port != _DEFAULT_PORTS[scheme] else ""), login)


# SRV records (RFC 6186, RFC 8314).


def _by_service_records(domain: str, lookup: Lookup, login: str) -> FoundServers | None:
    inbox, outbox = (_best_service(domain, lookup, services) for services in (_SRV_IN, _SRV_OUT))
    if inbox is None or outbox is None:
        return None
    hosts = [inbox[1], outbox[1]]
    trusted = all(host == domain or host.endswith(f".{domain}") for host in hosts)
    urls = [_url(scheme, login, host, port) for scheme, host, port in (inbox, outbox)]
    source = f"the DNS records of {domain}"
    return FoundServers(urls[0], urls[1], source, trusted, provider_of_host(hosts[0]))


def _best_service(
    domain: str, lookup: Lookup, services: tuple[tuple[str, str, int], ...]
) -> tuple[str, str, int] | None:
    """Return scheme, host and port of the preferred server. Raises Refusal if the domain says it has none."""
    absent = []
    for name, scheme, _port in services:
        records = lookup(f"{name}.{domain}", "SRV") or ()
        usable = [record for record in records if _SAFE_HOST.fullmatch(record[3].lower())]
        if usable:
            _, _, port, host = min(usable, key=lambda record: (record[0], -record[1], record[3]))
            return scheme, host.lower(), port
        if any(not record[3] for record in records):
            absent.append(name)
    if len(absent) == len(services):
        what = "IMAP" if services is _SRV_IN else "a server for outgoing mail"
        raise Refusal(
            f"Can't find the mail servers of {domain}",
            f"its DNS records say that it has no {what}",
            "Use another mailbox, or name the servers: gm init --inbox imaps://… --outbox smtps://…",
        )
    return None


def _find_by_exchangers(domain: str, lookup: Lookup, login: str) -> FoundServers | None:
    """Return the servers of the provider that takes in the domain's mail, if it is in the table."""
    hosts = sorted(lookup(domain, "MX") or ())
    for _, host in hosts:
        for provider in providers():
            if any(host.lower() == end or host.lower().endswith(f".{end}") for end in provider.mx):
                source = f"the DNS records of {domain}, whose mail goes to {provider.name}"
                return _servers_of_provider(provider, login, source, trusted=False)
    return None


# Autoconfig documents, as Thunderbird reads them.


def _find_by_autoconfig(address: str, read_document: DocumentReader, user: str | None) -> FoundServers | None:
    domain = address.rpartition("@")[2]
    for form in AUTOCONFIG_URLS:
        url = form.format(domain=domain, address=quote(address))
        text = read_document(url)
        found = None if text is None else _servers_in_document(text, address, user)
        if found is not None:
            host = urlsplit(found[0]).hostname or ""
            source = f"the document at https://{urlsplit(url).hostname}"
            return FoundServers(*found, source, True, provider_of_host(host))
    return None


def _servers_in_document(text: bytes, address: str, user: str | None) -> tuple[str, str] | None:
    """Return the URLs of the first servers with TLS, or None if the document doesn't name both."""
    if b"<!" in text.replace(b"<!--", b""):
        return None  # a document type could make the parser work for ever
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    inbox = next(_urls_in(root, "incomingServer", "imap", address, user), None)
    outbox = next(_urls_in(root, "outgoingServer", "smtp", address, user), None)
    return None if inbox is None or outbox is None else (inbox, outbox)


def _urls_in(root: ElementTree.Element, tag: str, kind: str, address: str, user: str | None) -> Iterator[str]:
    local, _, domain = address.rpartition("@")
    for server in root.iter(tag):
        fields = {part: (server.findtext(part) or "").strip() for part in ("hostname", "port", "username")}
        ends = {"SSL": f"{kind}s", "STARTTLS": kind}
        scheme = ends.get((server.findtext("socketType") or "").strip().upper())
        host, port = fields["hostname"].lower(), fields["port"]
        if server.get("type") != kind or scheme is None or not _SAFE_HOST.fullmatch(host):
            continue
        if not port.isdecimal() or not 0 < int(port) < 65536:
            continue
        login = fields["username"] or "%EMAILADDRESS%"
        for mark, value in (("ADDRESS", address), ("LOCALPART", local), ("DOMAIN", domain)):
            login = login.replace(f"%EMAIL{mark}%", value)
        yield _url(scheme, user or login, host, int(port))


class _OnlySafeRedirects(HTTPRedirectHandler):
    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if not newurl.startswith("https://"):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def document_reader(ca_file: Path | None = None) -> DocumentReader:
    """Return a reader of documents over HTTPS that checks certificates. ca_file: as in `Imap`.

    After any failure the domain counts as one without a document.
    """
    context = ssl.create_default_context(cafile=ca_file)
    opener = build_opener(HTTPSHandler(context=context), _OnlySafeRedirects())

    def read(url: str) -> bytes | None:
        try:
            with opener.open(Request(url), timeout=DOCUMENT_SECONDS) as reply:
                text: bytes = reply.read(MAX_DOCUMENT_BYTES + 1)
                return text if len(text) <= MAX_DOCUMENT_BYTES else None
        except HTTPError as fault:
            fault.close()
            return None
        except (OSError, ValueError):
            return None

    return read


# What to do about a fault of a mail server.


_PORT_SCHEMES = {993: "imaps", 143: "imap", 465: "smtps", 587: "smtp", 25: "smtp"}


def check_port(url: str) -> None:
    """Raise Refusal if a URL asks for TLS on a port that begins without it, or the other way round."""
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS:
        return
    try:
        wanted = _PORT_SCHEMES.get(parts.port or 0, parts.scheme)
    except ValueError:
        return  # reported with the settings
    if wanted[:4] == parts.scheme[:4] and wanted != parts.scheme:
        how = "begins with TLS" if wanted.endswith("s") else "begins without TLS and turns to it by STARTTLS"
        fixed = f"{wanted}://{url.partition('://')[2]}"
        raise Refusal(f"Can't use {url}", f"port {parts.port} {how}", f"Write {fixed}")


def mail_advice(fault: PostFault, table: str, at: MaildirAt | Imap | Smtp) -> str:
    """Return what to do about a fault of the server in a table of gm.toml, "inbox" or "outbox"."""
    host = "" if isinstance(at, MaildirAt) else at.host
    text, option, provider = str(fault).lower(), f"[{table}] url", provider_of_host(host)
    if "certificate" in text:
        return f"Write the server's full name in {option}; if the authority is your own, name it in ca_file"
    if isinstance(fault, LoginFault) and not isinstance(at, MaildirAt) and at.token is not None:
        return 'Use "gm login" to log in again; the service goes on by itself'
    if isinstance(fault, LoginFault) and provider is not None:
        return provider.wants
    if isinstance(fault, LoginFault):
        return (
            f"Check the password, and the login name in {option}: it can be the whole address or the part "
            "before the @. Many providers want an app password, and IMAP turned on in their settings"
        )
    if "wrong version number" in text.replace("_", " ") or "record layer" in text:
        return (
            f"This port begins without TLS. Check the port in {option}: imaps:// and smtps:// begin with TLS "
            "(993 and 465), imap:// and smtp:// turn to it by STARTTLS (143 and 587)"
        )
    if "looked up" in text or "name or service" in text or "gaierror" in text:
        return f"Check the name of the server in {option}, and the network of this machine"
    kind, ports = ("IMAP", "993 or 143") if table == "inbox" else ("SMTP", "465 or 587")
    offers = f"{provider.wants} " if provider else f"Check that {kind} is turned on for this mailbox. "
    return f"{offers}Check the server and its port in {option}: {kind} uses {ports}"


def plus_advice(address: str, host: str) -> str:
    """Return what to do if emails to the address with a +suffix don't arrive. host: of its mailbox."""
    provider = provider_of_host(host)
    if provider is not None and provider.plus == "no":
        return f"{provider.name} doesn't deliver such emails, and players reply to them: use another mailbox"
    if provider is not None:
        return (
            f"Wait a minute and run gm doctor. {provider.name} usually delivers them: look into its spam too"
        )
    local, _, domain = address.partition("@")
    return (
        f"Turn on plus addressing (Postfix: recipient_delimiter = +), or have emails to {local}+…@{domain} "
        "delivered to this mailbox: players reply to such addresses"
    )
