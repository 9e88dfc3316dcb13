"""Mail servers are found in the table, by DNS and in autoconfig documents; forged answers aren't trusted."""

import http.server
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adjudicator.config.servers import Imap
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail import discovery, dkim
from adjudicator.mail.discovery import FoundServers, check_port, find_servers, mail_advice, plus_advice
from tests.kit.certificates import issue
from tests.kit.name_server import answer_from_zone, hosts_are_here

SRV = """
_imaps._tcp.{0}. IN SRV 0 1 993 {1}.
_submissions._tcp.{0}. IN SRV 0 1 465 {1}.
"""
DOCUMENT = """<?xml version="1.0"?>
<clientConfig version="1.1"><!-- as providers write it -->
  <emailProvider id="{0}">
    <incomingServer type="pop3"><hostname>pop.{0}</hostname><port>995</port><socketType>SSL</socketType>
      <username>%EMAILADDRESS%</username></incomingServer>
    <incomingServer type="imap"><hostname>plain.{0}</hostname><port>143</port><socketType>plain</socketType>
      <username>%EMAILADDRESS%</username></incomingServer>
    <incomingServer type="imap"><hostname>imap.host.example</hostname><port>993</port>
      <socketType>SSL</socketType><username>%EMAILLOCALPART%</username></incomingServer>
    <outgoingServer type="smtp"><hostname>smtp.host.example</hostname><port>2587</port>
      <socketType>STARTTLS</socketType><username>%EMAILADDRESS%</username></outgoingServer>
  </emailProvider>
</clientConfig>"""


def no_document(url: str) -> None:
    """Offer nothing."""


def found(
    address: str, document: str | None = None, user: str | None = None, dns: bool = True
) -> FoundServers | None:
    """Return the servers found for an address. document: at its domain."""
    lookup = dkim.server_records if dns else None
    return find_servers(address, lookup, lambda _url: document.encode() if document else None, user)


# The table.


@pytest.mark.parametrize("provider", discovery.providers(), ids=lambda one: one.name)
def test_each_provider_says_what_it_wants(provider: discovery.Provider) -> None:
    assert provider.wants
    assert provider.login in ("app-password", "password", "token", "none")
    assert bool(provider.limit) == bool(provider.source) == bool(provider.date)
    assert bool(provider.limit) == bool(provider.per_day or provider.per_minute)
    for url in filter(None, (provider.inbox, provider.outbox)):
        check_port(url)


def test_a_large_provider_needs_no_dns() -> None:
    it = found("gm@gmail.com", dns=False)
    assert it is not None
    assert (it.inbox, it.outbox) == (
        "imaps://gm%40gmail.com@imap.gmail.com",
        "smtps://gm%40gmail.com@smtp.gmail.com",
    )
    assert it.is_trusted
    assert it.provider is not None
    assert "apppasswords" in it.provider.wants


@pytest.mark.parametrize("address", ["gm@proton.me", "gm@tuta.com"])
def test_a_mailbox_that_no_program_can_read_is_refused(address: str) -> None:
    with pytest.raises(Refusal, match="Can't use a mailbox at") as fault:
        found(address, dns=False)
    assert fault.value.instead


def test_without_dns_other_domains_are_asked_for() -> None:
    assert found("gm@pbem.test", DOCUMENT.format("pbem.test"), dns=False) is None


# DNS.


def test_servers_inside_the_domain_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_from_zone(monkeypatch, SRV.format("pbem.test", "mail.pbem.test"))
    it = found("gm@pbem.test")
    assert it is not None
    assert (it.inbox, it.outbox) == (
        "imaps://gm%40pbem.test@mail.pbem.test",
        "smtps://gm%40pbem.test@mail.pbem.test",
    )
    assert it.is_trusted
    assert found("gm@pbem.test", user="gm").inbox == "imaps://gm@mail.pbem.test"


@pytest.mark.parametrize("host", ["mail.evil.test", "pbem.test.evil.test", "notpbem.test"])
def test_servers_elsewhere_are_not(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    answer_from_zone(monkeypatch, SRV.format("pbem.test", host))
    it = found("gm@pbem.test")
    assert it is not None
    assert host in it.inbox
    assert not it.is_trusted


def test_one_server_elsewhere_spoils_both(monkeypatch: pytest.MonkeyPatch) -> None:
    zone = SRV.format("pbem.test", "mail.pbem.test").replace("465 mail.pbem.test", "465 out.evil.test")
    answer_from_zone(monkeypatch, zone)
    assert not found("gm@pbem.test").is_trusted


def test_the_preferred_server_counts_and_starttls_where_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer_from_zone(
        monkeypatch,
        "_imaps._tcp.pbem.test. IN SRV 20 9 993 second.pbem.test.\n"
        "_imaps._tcp.pbem.test. IN SRV 10 1 9993 light.pbem.test.\n"
        "_imaps._tcp.pbem.test. IN SRV 10 5 9993 first.pbem.test.\n"
        "_submissions._tcp.pbem.test. IN SRV 0 0 0 .\n"
        "_submission._tcp.pbem.test. IN SRV 0 0 587 out.pbem.test.\n",
    )
    it = found("gm@pbem.test")
    assert it.inbox == "imaps://gm%40pbem.test@first.pbem.test:9993"
    assert it.outbox == "smtp://gm%40pbem.test@out.pbem.test"


def test_a_domain_that_has_no_imap_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    zone = "_imaps._tcp.pbem.test. IN SRV 0 0 0 .\n_imap._tcp.pbem.test. IN SRV 0 0 0 .\n"
    answer_from_zone(monkeypatch, zone)
    with pytest.raises(Refusal, match="has no IMAP"):
        found("gm@pbem.test")


def test_a_domain_whose_mail_goes_to_a_large_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only DNS says so, and the password would go to whom it names."""
    answer_from_zone(monkeypatch, "pbem.test. IN MX 10 pbem-test.mail.protection.outlook.com.\n")
    it = found("gm@pbem.test")
    assert it.provider.name == "Microsoft 365"
    assert not it.is_trusted
    answer_from_zone(monkeypatch, "pbem.test. IN MX 10 mx.notgoogle.com.\n")
    assert found("gm@pbem.test") is None


def test_dns_that_is_silent_is_a_fault() -> None:
    def silent(name: str, kind: str) -> None:
        raise PostFault(f"name {name}", "can't be looked up")

    with pytest.raises(PostFault):
        find_servers("gm@pbem.test", silent, no_document)


# Autoconfig documents.


def test_a_document_of_the_domain_is_trusted_also_for_servers_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer_from_zone(monkeypatch, SRV.format("pbem.test", "mail.evil.test"))
    it = found("gm@pbem.test", DOCUMENT.format("pbem.test"))
    assert it.inbox == "imaps://gm@imap.host.example"
    assert it.outbox == "smtp://gm%40pbem.test@smtp.host.example:2587"
    assert it.is_trusted


@pytest.mark.parametrize(
    "document",
    [
        "no xml",
        "<clientConfig/>",
        DOCUMENT.format("pbem.test").replace("<client", '<!DOCTYPE x [<!ENTITY a "b">]><client', 1),
        DOCUMENT.format("pbem.test").replace("imap.host.example", "imap host"),
        DOCUMENT.format("pbem.test").replace("imap.host.example", "a@b.example/x"),
        DOCUMENT.format("pbem.test").replace("993", "99999"),
        DOCUMENT.format("pbem.test").replace("STARTTLS", "plain"),
    ],
    ids=["no-xml", "nothing", "document-type", "no-host", "no-name", "no-port", "without-tls"],
)
def test_a_document_that_is_no_use_is_no_document(monkeypatch: pytest.MonkeyPatch, document: str) -> None:
    answer_from_zone(monkeypatch, "")
    assert found("gm@pbem.test", document) is None


@dataclass
class AutoconfigServer:
    """A web server for example.test with TLS. pages: by path. asked: what was asked for."""

    port: int
    authority: Path
    pages: dict[str, tuple[int, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def autoconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AutoconfigServer]:
    """A web server whose certificate comes from the tests' authority."""
    papers = issue(tmp_path / "tls")
    it = AutoconfigServer(0, papers.authority)

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            it.asked.append(self.path)
            status, text = it.pages.get(self.path.partition("?")[0], (404, ""))
            self.send_response(status)
            if status in (301, 302):
                self.send_header("Location", text)
                text = ""
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.certificate, papers.key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    it.port = server.server_port
    hosts_are_here(monkeypatch)
    monkeypatch.setattr(
        discovery,
        "AUTOCONFIG_URLS",
        (f"https://autoconfig.{{domain}}:{it.port}/mail/config-v1.1.xml?emailaddress={{address}}",),
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield it
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_document_is_read_over_https(autoconfig: AutoconfigServer, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_from_zone(monkeypatch, "")
    autoconfig.pages["/mail/config-v1.1.xml"] = (200, DOCUMENT.format("example.test"))
    read = discovery.document_reader(autoconfig.authority)
    it = find_servers("gm@example.test", dkim.server_records, read)
    assert it is not None
    assert it.inbox == "imaps://gm@imap.host.example"
    assert it.source == "the document at https://autoconfig.example.test"
    assert autoconfig.asked == ["/mail/config-v1.1.xml?emailaddress=gm%40example.test"]


def test_a_web_server_that_cannot_be_trusted_offers_no_document(autoconfig: AutoconfigServer) -> None:
    autoconfig.pages["/page"] = (200, DOCUMENT.format("example.test"))
    url = f"https://autoconfig.example.test:{autoconfig.port}/page"
    assert discovery.document_reader()(url) is None
    assert autoconfig.asked == []
    assert discovery.document_reader(autoconfig.authority)(url) is not None


def test_a_document_that_is_elsewhere_without_tls_or_too_long_is_none(autoconfig: AutoconfigServer) -> None:
    read = discovery.document_reader(autoconfig.authority)
    base = f"https://autoconfig.example.test:{autoconfig.port}"
    autoconfig.pages |= {
        "/away": (302, "http://autoconfig.example.test/page"),
        "/long": (200, "x" * (discovery.MAX_DOCUMENT_BYTES + 1)),
        "/moved": (302, f"{base}/page"),
        "/page": (200, "text"),
    }
    assert read(f"{base}/away") is None
    assert read(f"{base}/long") is None
    assert read(f"{base}/moved") == b"text"
    assert read("https://nowhere.invalid/x") is None


# What to do about a fault.


@pytest.mark.parametrize(
    ("url", "instead"),
    [
        ("imap://gm@mail.pbem.test:993", "imaps://gm@mail.pbem.test:993"),
        ("imaps://gm@mail.pbem.test:143", "imap://gm@mail.pbem.test:143"),
        ("smtp://gm@mail.pbem.test:465", "smtps://gm@mail.pbem.test:465"),
        ("smtps://gm@mail.pbem.test:587", "smtp://gm@mail.pbem.test:587"),
    ],
)
def test_a_port_that_speaks_otherwise_is_refused(url: str, instead: str) -> None:
    with pytest.raises(Refusal) as fault:
        check_port(url)
    assert fault.value.instead == f"Write {instead}"


@pytest.mark.parametrize("url", ["imaps://gm@mail.pbem.test:9993", "smtp://mail.pbem.test", "maildir:./in"])
def test_other_ports_may_speak_as_they_like(url: str) -> None:
    check_port(url)


@pytest.mark.parametrize(
    ("fault", "host", "word"),
    [
        (LoginFault("x", "the login was rejected"), "mail.pbem.test", "before the @"),
        (LoginFault("x", "the login was rejected"), "imap.gmail.com", "apppasswords"),
        (PostFault("x", "TLS failed ([SSL: WRONG_VERSION_NUMBER])"), "mail.pbem.test", "STARTTLS (143"),
        (PostFault("x", "its name can't be looked up"), "mail.pbem.test", "name of the server"),
        (LoginFault("x", "its certificate can't be trusted"), "mail.pbem.test", "ca_file"),
        (PostFault("x", "it can't be reached"), "mail.pbem.test", "IMAP is turned on"),
    ],
)
def test_a_fault_comes_with_what_to_do(fault: PostFault, host: str, word: str) -> None:
    assert word in mail_advice(fault, "inbox", Imap(host, 993, "tls", "gm", None))


def test_a_mailbox_without_plus_addressing_is_told_what_to_turn_on() -> None:
    assert "recipient_delimiter = +" in plus_advice("gm@pbem.test", "mail.pbem.test")
    assert "use another mailbox" in plus_advice("gm@gmx.de", "imap.gmx.net")
