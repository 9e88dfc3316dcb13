"""A newcomer sets up a service on each kind of mailbox, up to the first reply, and makes mistakes.

The servers are real: Dovecot, and a Postfix that wants a login. DNS and the providers are those of the tests.
"""

import shlex
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.config.secrets import Secret
from adjudicator.config.servers import Imap, Smtp
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import serve
from adjudicator.mail import discovery
from adjudicator.mail.discovery import Provider
from adjudicator.service import open_service
from tests.adjudicator.cli.typing_hand import typed_at_terminal
from tests.kit import server_settings, servers
from tests.kit.name_server import answer_from_zone, hosts_are_here
from tests.kit.oauth_server import CLIENT_ID, TENANT
from tests.kit.ports import free_ports
from tests.kit.servers import DOMAIN, PASSWORD, Dovecot, Postfix, running
from tests.kit.token_mail import TokenMail, settings_file, token_mail_servers, without_tokens_yet

pytestmark = pytest.mark.usefixtures("many_logins", "undrawn")

MOST_COMMANDS, MOST_SECONDS = 4, 300
PLAYER = f"player@{DOMAIN}"


@dataclass
class Newcomer:
    """A person at a terminal. commands: what they have typed so far. began: when they began."""

    folder: Path
    commands: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def gm(self, line: str) -> Result:
        """Type a command, and return what it printed."""
        self.commands.append(line)
        words = ["--config", str(self.folder / "gm.toml"), *shlex.split(line)]
        return CliRunner().invoke(app, words, prog_name="gm")

    def works(self, line: str) -> str:
        """Type a command that succeeds."""
        result = self.gm(line)
        assert result.exit_code == 0, result.output
        return result.stdout

    def fails(self, line: str) -> str:
        """Type a command that fails, and return its error on one line."""
        result = self.gm(line)
        assert result.exit_code == 1, result.output
        assert "Traceback" not in result.output
        return " ".join(result.stderr.split())

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Type `gm serve`, and leave it running."""
        self.commands.append("serve")
        stop, is_ready = threading.Event(), threading.Event()
        service = open_service(load_settings(self.folder / "gm.toml"))
        thread = threading.Thread(target=serve, args=(service, stop, is_ready.set), daemon=True)
        thread.start()
        try:
            assert is_ready.wait(120)
            yield
        finally:
            stop.set()
            thread.join(120)
            service.database.close()

    def took_little(self) -> bool:
        """Return whether it took few commands and minutes."""
        return len(self.commands) <= MOST_COMMANDS and time.monotonic() - self.began < MOST_SECONDS


@pytest.fixture(scope="module")
def mail_server(dovecot: Dovecot) -> Iterator[Postfix]:
    """A Postfix that accepts emails after a login."""
    lines = server_settings.LOGIN_NEEDED.format(folder=dovecot.folder)
    yield from running(lambda: servers.postfix(dovecot, (lines, "")))


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Newcomer:
    """A person without passwords in the environment, on a machine without a network."""
    hosts_are_here(monkeypatch)
    monkeypatch.setattr(discovery, "AUTOCONFIG_URLS", ())
    for name in ("GM_IMAP_PASSWORD", "GM_SMTP_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    return Newcomer(tmp_path / "games")


@pytest.fixture
def passwords(newcomer: Newcomer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The right passwords in the environment."""
    for name in ("GM_IMAP_PASSWORD", "GM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, PASSWORD)


def zone(inbox: tuple[str, int], outbox: tuple[str, int]) -> str:
    """Records that name a host and port for IMAP with TLS, and for SMTP with STARTTLS."""
    return (
        f"_imaps._tcp.{DOMAIN}. IN SRV 0 1 {inbox[1]} {inbox[0]}.\n"
        f"_submission._tcp.{DOMAIN}. IN SRV 0 1 {outbox[1]} {outbox[0]}.\n"
    )


def provider(dovecot: Dovecot, mail_server: Postfix) -> Provider:
    """A provider like Gmail, with the tests' servers."""
    gmail = discovery.providers()[0]
    return Provider(
        name="Testmail",
        domains=(DOMAIN,),
        inbox=f"imaps://mail.{DOMAIN}:{dovecot.imaps}",
        outbox=f"smtp://mail.{DOMAIN}:{mail_server.port}",
        login="app-password",
        wants="Testmail wants an app password: make one at https://testmail.example.",
        per_day=gmail.per_day,
        limit="Testmail allows 500 recipients a day",
        source="https://testmail.example/limits",
        date="November 2026",
    )


def wait_for_mail(dovecot: Dovecot, user: str, count: int) -> list[EmailMessage]:
    """Return a person's emails, as soon as there are so many."""
    end = time.monotonic() + MOST_SECONDS
    while len(letters := dovecot.letters(user)) < count:
        assert time.monotonic() < end, f"only {len(letters)} emails"
        time.sleep(0.1)
    return [message_from_bytes(raw, policy=policy.default) for raw in letters]


def play_until_first_reply(newcomer: Newcomer, dovecot: Dovecot, gm: str) -> EmailMessage:
    """Start a game for a player, run the service, and let the player answer the welcome."""
    player = dovecot.somebody("player")
    newcomer.works(f"game new indianomacy beaver --seat iroquois={player}@{DOMAIN}")
    with newcomer.serving():
        (welcome,) = wait_for_mail(dovecot, player, 1)
        answer = EmailMessage()
        answer["From"], answer["To"], answer["Subject"] = f"{player}@{DOMAIN}", welcome["Reply-To"], "orders"
        answer["Message-ID"] = f"<orders.{player}@{DOMAIN}>"
        answer.set_content("Mohawk H\nOneida H\n")
        assert "+" in str(welcome["Reply-To"])
        dovecot.deliver(gm, answer.as_bytes(), to=str(welcome["Reply-To"]))
        return wait_for_mail(dovecot, player, 2)[1]


def init_words(gm: str, dovecot: Dovecot) -> str:
    """The command for a service with this mailbox."""
    return f"init --address {gm}@{DOMAIN} --ca-file {dovecot.papers.authority} --yes"


# From `gm init` to the first reply.


@pytest.mark.usefixtures("passwords")
def test_a_mailbox_like_gmail(
    newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (provider(dovecot, mail_server),)
    monkeypatch.setattr(discovery, "providers", lambda: table)
    gm = dovecot.somebody()
    said = newcomer.works(init_words(gm, dovecot))
    assert "Testmail wants an app password" in said
    assert f"an email to {gm}+doctor@{DOMAIN} came back" in said
    settings = load_settings(newcomer.folder / "gm.toml")
    assert isinstance(settings.outbox, Smtp)
    assert settings.outbox.pace["total"].count == 237
    reply = play_until_first_reply(newcomer, dovecot, gm)
    assert "Re: " in str(reply["Subject"])
    assert newcomer.took_little(), newcomer.commands


@pytest.mark.usefixtures("passwords")
def test_a_server_of_ones_own_with_srv_records(
    newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = f"mail.{DOMAIN}"
    answer_from_zone(monkeypatch, zone((host, dovecot.imaps), (host, mail_server.port)))
    gm = dovecot.somebody()
    said = newcomer.works(init_words(gm, dovecot))
    assert f"imaps://{gm}%40{DOMAIN}@{host}:{dovecot.imaps}" in said
    assert "only for the games" in said
    reply = play_until_first_reply(newcomer, dovecot, gm)
    assert "Re: " in str(reply["Subject"])
    assert newcomer.took_little(), newcomer.commands


@pytest.fixture(scope="module")
def token_mail(dovecot: Dovecot) -> Iterator[TokenMail]:
    """Servers that take tokens instead of passwords."""
    yield from token_mail_servers(dovecot)


def test_a_mailbox_like_microsofts(
    newcomer: Newcomer, token_mail: TokenMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client is registered, and the person enters the code at once."""
    mail = without_tokens_yet(token_mail, monkeypatch)
    gm, ports = mail.giver.user, (mail.dovecot.imaps, mail.postfix.port)
    mail.giver.user = f"{gm}@{DOMAIN}"
    like_microsoft = Provider(
        name="Testsoft",
        domains=(DOMAIN,),
        inbox=f"imaps://mail.{DOMAIN}:{ports[0]}",
        outbox=f"smtp://mail.{DOMAIN}:{ports[1]}",
        login="token",
        flow="microsoft",
        tenant=TENANT,
        wants="Testsoft takes no passwords. After this, run gm login, which gets a token.",
    )
    monkeypatch.setattr(discovery, "providers", lambda: (like_microsoft,))
    said = newcomer.works(init_words(gm, mail.dovecot))
    assert "run gm login, which gets a token" in said
    assert "login --client-id ID" in said
    said = newcomer.works(f"login --client-id {CLIENT_ID}")
    assert "enter the code" in said
    assert f"Logged in as {gm}@{DOMAIN}" in said
    reply = play_until_first_reply(newcomer, mail.dovecot, gm)
    assert "Re: " in str(reply["Subject"])
    assert newcomer.took_little(), newcomer.commands


def test_an_expired_token(newcomer: Newcomer, token_mail: TokenMail, monkeypatch: pytest.MonkeyPatch) -> None:
    """The status, the doctor and every command that needs the mailbox say so."""
    mail = without_tokens_yet(token_mail, monkeypatch)
    newcomer.folder.mkdir()
    settings_file(newcomer.folder, mail)
    newcomer.works(f"login --client-id {CLIENT_ID} --tenant {TENANT} --flow microsoft")
    mail.giver.revoke_all()
    said = " ".join(newcomer.gm("run poll").stderr.split())
    assert "rejected it: 400 invalid_grant" in said
    doctor = " ".join(newcomer.gm("doctor --wait 0").stdout.split())
    assert 'Use "gm login" to log in again' in doctor
    status = newcomer.gm("status --check")
    assert status.exit_code == 4
    assert "invalid_grant" in status.stdout
    newcomer.works("login")
    newcomer.works("run poll")


def test_this_machine_only(newcomer: Newcomer) -> None:
    (port,) = free_ports(1)
    newcomer.works(f"init --address gm@example.org --local --listen 127.0.0.1:{port} --yes")
    newcomer.works("game new indianomacy beaver --seat iroquois=iroquois@example.org")
    box = newcomer.folder / "mail" / "iroquois@example.org" / "new"
    with newcomer.serving():
        end = time.monotonic() + MOST_SECONDS
        while not (box.is_dir() and list(box.iterdir())):
            assert time.monotonic() < end
            time.sleep(0.1)
    assert newcomer.took_little(), newcomer.commands


# Every mistake is answered with what to do.


def refuses(newcomer: Newcomer, line: str, *words: str) -> str:
    """Type a command that is refused with these words, and leaves no gm.toml."""
    said = newcomer.fails(line)
    for word in words:
        assert word in said, said
    assert not (newcomer.folder / "gm.toml").exists()
    return said


def test_a_wrong_password(
    newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (provider(dovecot, mail_server),)
    monkeypatch.setattr(discovery, "providers", lambda: table)
    monkeypatch.setenv("GM_IMAP_PASSWORD", "wrong")
    monkeypatch.setenv("GM_SMTP_PASSWORD", PASSWORD)
    line = init_words(dovecot.somebody(), dovecot)
    refuses(newcomer, line, "the login was rejected", "make one at https://testmail.example")
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setenv("GM_SMTP_PASSWORD", "wrong")
    refuses(newcomer, line, "server mail", "535", "make one at https://testmail.example")


def test_no_password(newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch) -> None:
    host = f"mail.{DOMAIN}"
    answer_from_zone(monkeypatch, zone((host, dovecot.imaps), (host, mail_server.port)))
    refuses(newcomer, init_words(dovecot.somebody(), dovecot), "Type export GM_IMAP_PASSWORD=")


@pytest.mark.usefixtures("passwords")
def test_no_imap(newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch) -> None:
    host, (closed,) = f"mail.{DOMAIN}", free_ports(1)
    line = init_words(dovecot.somebody(), dovecot)
    answer_from_zone(monkeypatch, zone((host, closed), (host, mail_server.port)))
    refuses(newcomer, line, "can't be reached", "Check that IMAP is turned on for this mailbox")
    none = f"_imaps._tcp.{DOMAIN}. IN SRV 0 0 0 .\n_imap._tcp.{DOMAIN}. IN SRV 0 0 0 .\n"
    answer_from_zone(monkeypatch, none)
    refuses(newcomer, line, "it has no IMAP", "Use another mailbox")
    answer_from_zone(monkeypatch, "")
    refuses(newcomer, line, f"Can't find the mail servers of {DOMAIN}", "--inbox imaps://")


@pytest.mark.usefixtures("passwords")
def test_a_wrong_port(newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix) -> None:
    gm, ca = dovecot.somebody(), dovecot.papers.authority
    line = (
        f"init --address {gm}@{DOMAIN} --ca-file {ca} --yes "
        f"--inbox imaps://{gm}@mail.{DOMAIN}:{dovecot.imap} "
        f"--outbox smtp://{gm}@mail.{DOMAIN}:{mail_server.port}"
    )
    refuses(newcomer, line, "TLS failed", "turn to it by STARTTLS (143 and 587)")
    refuses(newcomer, line.replace(str(dovecot.imap), "143"), "imap://", "begins without TLS")


@pytest.mark.usefixtures("passwords")
def test_a_dns_answer_that_points_elsewhere(
    newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No connection is made: neither the password nor the address goes there."""
    answer_from_zone(monkeypatch, zone(("localhost", dovecot.imaps), (f"mail.{DOMAIN}", mail_server.port)))
    gm = dovecot.somebody()
    tried: list[object] = []
    monkeypatch.setattr("adjudicator.cli.init.set_up_service", lambda *words: tried.append(words))
    said = " ".join(newcomer.gm(init_words(gm, dovecot)).stderr.split())
    assert tried == [], "the password would have gone there"
    assert "only DNS names them" in said
    assert "If they are right, name them" in said
    assert f"--inbox imaps://{gm}%40{DOMAIN}@localhost:{dovecot.imaps}" in said


@pytest.mark.usefixtures("passwords")
def test_plus_addressing_that_is_off(newcomer: Newcomer, dovecot: Dovecot, monkeypatch) -> None:
    gm, host = dovecot.somebody(), f"mail.{DOMAIN}"
    lines = server_settings.LOGIN_NEEDED.format(folder=dovecot.folder)
    without_plus = server_settings.WITHOUT_PLUS.format(user=gm)
    for postfix in running(lambda: servers.postfix(dovecot, (lines + without_plus, ""))):
        answer_from_zone(monkeypatch, zone((host, dovecot.imaps), (host, postfix.port)))
        said = newcomer.works(init_words(gm, dovecot))
    assert f"an email to {gm}@{DOMAIN} came back" in said
    assert f"the server rejected an email to {gm}+doctor@{DOMAIN}" in said
    assert "Turn on plus addressing (Postfix: recipient_delimiter = +)" in said


# At a terminal.


def test_a_typed_password_is_kept_where_only_its_owner_reads_it(
    newcomer: Newcomer, dovecot: Dovecot, mail_server: Postfix
) -> None:
    """A wrong one is asked for again, and no word of either is shown."""
    gm, folder = dovecot.somebody(), newcomer.folder
    words = [
        *("init", "--folder", str(folder), "--address", f"{gm}@{DOMAIN}"),
        *("--inbox", f"imap://{gm}@localhost:{dovecot.imap}"),
        *("--outbox", f"smtp://{gm}@localhost:{mail_server.port}"),
        *("--ca-file", str(dovecot.papers.authority), "--no-local"),
    ]
    question = f"Password of {gm}"
    code, shown = typed_at_terminal(words, "", [(question, "a wrong one\n"), (question, f"{PASSWORD}\n")])
    assert code == 0, shown
    assert "the login was rejected" in shown
    assert PASSWORD not in shown
    assert "a wrong one" not in shown
    kept = folder / "mail-password"
    assert kept.read_text() == f"{PASSWORD}\n"
    assert kept.stat().st_mode & 0o777 == 0o600
    settings = load_settings(folder / "gm.toml")
    assert isinstance(settings.inbox, Imap)
    assert settings.inbox.password == Secret("file", str(kept), "[inbox] password")
    assert isinstance(settings.outbox, Smtp)
    assert settings.outbox.password == Secret("file", str(kept), "[outbox] password")
