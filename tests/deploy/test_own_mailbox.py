"""The profile "mail" of compose.yaml: its settings, started by its own `start`, as real servers."""

import os
import re
import shutil
import smtplib
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.config.service import load_settings
from adjudicator.daemon.doctor import examine
from adjudicator.service import Service, open_service
from tests.deploy.conftest import ROOT
from tests.kit import servers
from tests.kit.ports import free_ports
from tests.kit.servers import DOMAIN, PASSWORD, ServerMissingError, running

MAIL = ROOT / "deploy" / "mail"
SAMPLE = ROOT / "deploy" / "samples" / "compose.toml"
UNSHARED = """
base_dir = {folder}/base
state_dir = {folder}/state
first_valid_uid = 1
first_valid_gid = 1
"""
"""What keeps a Dovecot apart from that of the machine; in a container there is no other.

The user nobody has whatever number the system gave it.
"""

QUEUES = """
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = /dev/stdout, {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_dns_support_level = disabled
"""


@dataclass(frozen=True)
class OwnMailbox:
    """The servers, by their ports. folder: of all their files; authority: whom to trust."""

    folder: Path
    smtp: int
    submission: int
    imaps: int

    @property
    def authority(self) -> Path:
        return self.folder / "tls" / "authority.pem"

    def log(self) -> str:
        return "".join(file.read_text(errors="replace")[-3000:] for file in self.folder.glob("*.log"))


def replaced(text: str, **places: str) -> str:
    """Return a file's text with other places in it, each of which must be there. Keys: the text at `old`."""
    for old in places:
        assert old in text, old
    # All at once: what stands at one place may look like another, as port 24771 does like port 24.
    return re.sub("|".join(map(re.escape, places)), lambda found: places[found[0]], text)


def unowned(file: Path) -> str:
    """A file's text, in which the letters are nobody's."""
    groups, owners = r"(gid ?= ?)letters", r"(uid ?= ?)letters"
    text = re.sub(owners, r"\1nobody", re.sub(groups, r"\1nogroup", file.read_text()))
    assert "nobody" in text
    assert "letters" not in re.sub(r"#.*", "", text)
    return text


@contextmanager
def own_mailbox() -> Iterator[OwnMailbox]:
    """Run what the two containers run. Raises Absent."""
    for program, package in (("dovecot", "dovecot-imapd dovecot-lmtpd"), ("postfix", "postfix")):
        if shutil.which(program, path=servers.PATH) is None:
            raise ServerMissingError(f"{program} is not installed: apt-get install {package}")
    if os.geteuid() != 0:
        raise ServerMissingError("the servers of an own mailbox begin as root")
    folder = Path(tempfile.mkdtemp(prefix="mailbox-"))
    folder.chmod(0o755)
    lmtp, login, imap, imaps, smtp, submission = free_ports(6)
    for name in ("lib", "etc", "queue", "data", "mail", "tls", "run"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    lib = folder / "lib"
    for file in MAIL.glob("dovecot-2.*.conf"):
        (lib / file.name).write_text(
            replaced(
                unowned(file),
                **{
                    "/tls/": f"{folder}/tls/",
                    "/run/turnpost/users": f"{folder}/run/users",
                    "/var/mail": f"{folder}/mail",
                },
            )
        )
    conf = replaced(
        unowned(MAIL / "dovecot.conf"),
        **{
            "= *": "= 127.0.0.1",
            "/dev/stderr": f"{folder}/dovecot.log",
            "port = 143": f"port = {imap}",
            "port = 993": f"port = {imaps}",
            "port = 24": f"port = {lmtp}",
            "port = 12345": f"port = {login}",
        },
    )
    (lib / "dovecot.conf").write_text(conf + UNSHARED.format(folder=folder))
    main = replaced(
        (MAIL / "main.cf").read_text(),
        **{
            "/tls/": f"{folder}/tls/",
            "inet:dovecot:24": f"inet:[127.0.0.1]:{lmtp}",
            "inet:dovecot:12345": f"inet:[127.0.0.1]:{login}",
            "inet_interfaces = all\n": "",
        },
    )
    (folder / "etc" / "main.cf").write_text(main + QUEUES.format(folder=folder))
    ports = {"\nsubmission inet": f"\n{submission} inet", "smtp inet": f"{smtp} inet"}
    (folder / "etc" / "master.cf").write_text(replaced((MAIL / "master.cf").read_text(), **ports))
    around = {
        "PATH": servers.PATH,
        "MAIL_CONFIG": str(folder / "etc"),
        "MAIL_HOST": "localhost",
        "MAIL_ADDRESS": f"gm@{DOMAIN}",
        "MAIL_PASSWORD": PASSWORD,
        "LIB": str(folder / "lib"),
        "TLS": str(folder / "tls"),
        "RUN": str(folder / "run"),
        "LETTERS": str(folder / "mail"),
        "OWNER": "nobody",
    }
    subprocess.run([MAIL / "start", "certificates"], env=around, check=True, timeout=300)
    begun: list[subprocess.Popen[bytes]] = []
    try:
        for name, port in (("dovecot", imaps), ("postfix", submission)):
            with (folder / f"{name}-start.log").open("wb") as log:
                one = subprocess.Popen([MAIL / "start", name], env=around, stdout=log, stderr=log)
            begun.append(one)
            servers.wait_for(port, one, *folder.glob("*.log"))
        yield OwnMailbox(folder, smtp, submission, imaps)
    finally:
        for one in begun:
            servers.end(one)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def mailbox() -> Iterator[OwnMailbox]:
    yield from running(own_mailbox)


@pytest.fixture
def service(mailbox: OwnMailbox, tmp_path: Path) -> Iterator[Service]:
    """A service with the settings of the sample for compose, and its own database."""
    text = replaced(
        SAMPLE.read_text(),
        **{
            "gm@example.org": f"gm@{DOMAIN}",
            '{ env = "GM_DATABASE" }': '"turnpost.db"',
            "gm@dovecot": f"gm@localhost:{mailbox.imaps}",
            "gm@postfix:587": f"gm@localhost:{mailbox.submission}",
            "/tls/authority.pem": str(mailbox.authority),
        },
    )
    (tmp_path / "gm.toml").write_text(text)
    passwords = {"GM_IMAP_PASSWORD": PASSWORD, "GM_SMTP_PASSWORD": PASSWORD}
    service = open_service(load_settings(tmp_path / "gm.toml", passwords))
    yield service
    service.database.close()


def test_what_was_put_in_one_place_is_not_looked_for_another() -> None:
    """A port that is chosen may begin like one that is still to be changed."""
    places = {"port = 993": "port = 24771", "port = 24": "port = 9001"}
    assert replaced("port = 993, port = 24", **places) == "port = 24771, port = 9001"
    with pytest.raises(AssertionError, match="port = 24"):
        replaced("port = 993", **places)


def test_the_doctor_finds_it_well(service: Service, mailbox: OwnMailbox) -> None:
    """Logins at both servers, and letters to oneself and to a + address that come back."""
    found = list(examine(service, wait_seconds=300))
    said = [one.said for one in found if one.about == "to oneself"]
    assert [one for one in found if one.grade == "bad"] == [], mailbox.log()
    assert said == [
        f"an email to gm@{DOMAIN} came back",
        f"an email to gm+doctor@{DOMAIN} came back",
    ]


@pytest.mark.parametrize(
    ("port", "to", "code"),
    [("smtp", "somebody@example.com", 554), ("smtp", f"stranger@{DOMAIN}", 550), ("submission", "gm", 530)],
)
def test_it_carries_nothing_for_strangers(mailbox: OwnMailbox, port: str, to: str, code: int) -> None:
    """No letters to the world, none to whom it does not know, and at 587 nothing without a login."""
    context = ssl.create_default_context(cafile=str(mailbox.authority))
    with smtplib.SMTP("localhost", getattr(mailbox, port), timeout=300, local_hostname="localhost") as server:
        if port == "submission":
            server.ehlo()
            assert server.mail("a@example.net")[0] == code
            server.starttls(context=context)
            code = 554
        server.ehlo()
        server.mail("a@example.net")
        assert server.rcpt(to)[0] == code


def test_certificates_are_made_once(mailbox: OwnMailbox) -> None:
    before = mailbox.authority.read_bytes()
    around = {"PATH": servers.PATH, "TLS": str(mailbox.folder / "tls"), "MAIL_HOST": "other"}
    subprocess.run([MAIL / "start", "certificates"], env=around, check=True, timeout=300)
    assert mailbox.authority.read_bytes() == before
    assert (mailbox.folder / "tls" / "authority.key").stat().st_mode & 0o077 == 0


def test_what_it_does_not_know_it_refuses() -> None:
    done = subprocess.run([MAIL / "start", "sendmail"], capture_output=True, text=True, check=False)
    assert done.returncode == 64
    assert "certificates, dovecot or postfix" in done.stderr
