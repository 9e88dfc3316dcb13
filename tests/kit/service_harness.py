"""A local service: its folder, the built-in mail server, and players with mailboxes."""

import atexit
import os
import shutil
import smtplib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.mail.local_server import LocalServer
from adjudicator.service import Service, open_service
from adjudicator.storage.database import open_database
from tests.kit.cached_services import PLACE
from tests.kit.ports import free_ports

START = 1_767_636_000_000
"""Monday 5 January 2026, 18:00 UTC."""
HOUR = 3_600_000
_DATABASE = "turnpost.db"

CONFIG = """\
[service]
address = "gm@example.org"
timezone = "Europe/Amsterdam"
[inbox]
url = "maildir:./mail/in"
[outbox]
url = "smtp://127.0.0.1:{port}"
[local]
listen = "127.0.0.1:{port}"
folder = "mail"
"""


@dataclass
class LocalService:
    """A service, its clock and its mail server."""

    folder: Path
    clock: ManualClock
    service: Service
    port: int
    _read: dict[Path, EmailMessage] = field(default_factory=dict)
    _held: ExitStack = field(default_factory=ExitStack)

    def hold(self) -> None:
        """Keep the database open: an email opens it three dozen times, and closing it last starts a
        cleanup.
        """
        self._held.enter_context(self.service.database.session())

    def let_go(self) -> None:
        """Close the database, so that it is in one file."""
        self._held.close()

    def work(self) -> None:
        """Poll, process and send, once each."""
        self.service.poll()
        self.service.process()
        self.service.send()

    def write(self, sender: str, to: str, text: str, subject: str = "orders", **headers: str) -> None:
        """Send a plain email by SMTP."""
        letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
        letter["From"], letter["To"], letter["Subject"] = sender, to, subject
        letter["Message-ID"] = f"<{self.clock.now()}.{abs(hash((sender, text)))}@example.org>"
        for name, value in headers.items():
            letter[name.replace("_", "-")] = value
        letter.set_content(text)
        self.post(sender, to, letter.as_bytes())

    def answer(self, sender: str, to: EmailMessage, text: str) -> None:
        """Reply to one of our emails with a few new lines above the quoted email."""
        quoted = "".join(f"> {line}\n" for line in text_of(to).splitlines())
        self.write(
            sender,
            str(to["Reply-To"]),
            f"{text}\n\nOn {to['Date']}, {to['From']} wrote:\n{quoted}",
            f"Re: {to['Subject']}",
            In_Reply_To=str(to["Message-ID"]),
            References=str(to["Message-ID"]),
        )

    def post(self, sender: str, to: str, raw: bytes) -> None:
        """Send bytes to the mail server."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=300, local_hostname="localhost") as server:
            server.sendmail(sender, [to], raw)

    def mail(self, address: str) -> list[EmailMessage]:
        """Return the emails in a player's mailbox, oldest first."""
        return [self.opened(file) for file in _files_of(self.folder / "mail" / address)]

    def opened(self, file: Path) -> EmailMessage:
        """Return a parsed email of a mailbox. Each is parsed once, because files don't change."""
        if file not in self._read:
            self._read[file] = _read_message(file)
        return self._read[file]


@contextmanager
def local_service(
    folder: Path, reached: Callable[[str], None] = lambda _step: None, at: int = START
) -> Iterator[LocalService]:
    """Open a service in a folder, which may already contain one."""
    folder.mkdir(parents=True, exist_ok=True)
    (port,) = free_ports(1)
    (folder / "gm.toml").write_text(CONFIG.format(port=port))
    create_database(folder)
    settings = load_settings(folder / "gm.toml")
    clock = ManualClock(at)
    service = open_service(settings, clock, reached)
    server = LocalServer("127.0.0.1", port, settings.address, settings.inbox.path, folder / "mail", clock)
    server.start()
    place = LocalService(folder, clock, service, port)
    place.hold()
    try:
        yield place
    finally:
        place.let_go()
        server.stop()
        service.database.close()


def letters_in(maildir: Path) -> list[EmailMessage]:
    """Return every email of a Maildir, oldest first."""
    return [_read_message(file) for file in _files_of(maildir)]


def _files_of(maildir: Path) -> list[Path]:
    return sorted(maildir.glob("new/*"), key=lambda file: file.name)


def _read_message(file: Path) -> EmailMessage:
    return message_from_bytes(file.read_bytes(), policy=policy.default)


def create_database(folder: Path) -> None:
    """Create an empty database for a service by copying one, because creating one takes longer."""
    if not (folder / _DATABASE).exists():
        shutil.copy(_empty_database(), folder / _DATABASE)


@cache
def _empty_database() -> Path:
    # A fork that ends at once deletes nothing, but the run's own folder is deleted with the run.
    folder = tempfile.mkdtemp(prefix="books-", dir=os.environ.get(PLACE))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / _DATABASE
    open_database(str(file)).close()
    return file


def text_of(letter: EmailMessage) -> str:
    """Return the plain text of an email."""
    body = letter.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body else ""
