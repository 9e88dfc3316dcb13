"""The built-in SMTP server: any mail program on this machine can write to the GM.

Emails to the GM's address go into the Maildir that the service reads, all others into one Maildir per
address. So on loopback the service can write to players without mailboxes.
"""

import errno
import hashlib
import re
import socket
from collections.abc import Callable, Iterable
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from adjudicator.clock import Clock, datetime_of
from adjudicator.errors import PostFault, Refusal
from adjudicator.mail.envelope import add_missing_headers
from adjudicator.mail.maildir import KEPT_FOLDER, SIZE_LIMIT_BYTES, make_maildir, write_letter
from adjudicator.model.addresses import is_loopback, valid_address
from orders.mail.headers import line_end_of

_UNSAFE_ADDRESS_CHARS = re.compile(r"[^\x21-\x3b\x3d\x3f-\x7e]")
_MAILDIR_FILE_RE = re.compile(r"\d{13}\.\d{6}\.([0-9a-f]{32})\.turnpost")

_TAKEN = (
    "another program listens there, perhaps another  gm serve: stop it, or write another port "
    "in [local] listen of gm.toml, and in [outbox] url if that is the same"
)


class LocalServer:
    """An SMTP server on loopback, in its own thread. It replies 250 when the email is on disk.

    gm_address: emails to it, with or without a +suffix, go to `inbox`, those to others to
    ``folder/<address>``. A file is named by the time and a hash of email and recipient, so the same bytes
    delivered again give one file. Raises Refusal for a host other than this machine.
    """

    def __init__(
        self, host: str, port: int, gm_address: str, inbox: Path, folder: Path, clock: Clock
    ) -> None:
        if not is_loopback(host):
            raise Refusal(
                f"[local] listen = {host}:{port}",
                "the built-in mail server asks for no password, so it must stay on this machine",
                "Write 127.0.0.1",
            )
        self._host, self._port = host, port
        self._office = _LocalDelivery(gm_address.lower(), inbox, folder, clock)
        self._controller: Controller | None = None

    def on_arrival(self, call: Callable[[], None]) -> None:
        """Register a function to call whenever an email for the GM is on disk."""
        self._office.on_arrival = call

    @property
    def port(self) -> int:
        """Return the port. For port 0, the one that the system chose at the start."""
        return self._port

    def start(self) -> None:
        """Listen. Raises PostFault if another program uses the port."""
        try:
            listening = socket.create_server((self._host, self._port))
        except OSError as fault:
            why = _TAKEN if fault.errno == errno.EADDRINUSE else str(fault)
            raise PostFault(f"built-in mail server on {self._host}:{self._port}", why) from fault
        # Otherwise the second line of a reply waits for 40 ms: asyncio only fixes this in its own sockets.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = listening.getsockname()[1]
        self._controller = _Controller(
            self._office,
            listening,
            hostname=self._host,
            port=self._port,
            server_hostname="localhost",
            data_size_limit=SIZE_LIMIT_BYTES,
            enable_SMTPUTF8=True,
        )
        self._controller.start()

    def stop(self) -> None:
        """Stop listening. Emails in transit get no reply."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None


class _SmtpHandler(SMTP):
    # The standard allows lines of 1,000. Emails of programs that ignore the limit are accepted too.
    line_length_limit = 65536


class _Controller(Controller):
    # The library would bind the port in its thread, and wait five seconds if another program uses it.
    def __init__(self, service_context: "_LocalDelivery", listening: socket.socket, **options: Any) -> None:
        super().__init__(service_context, **options)
        self._listening = listening

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._listening)

    def factory(self) -> SMTP:
        return _SmtpHandler(self.handler, **self.SMTP_kwargs)


class _LocalDelivery:
    def __init__(self, gm_address: str, inbox: Path, folder: Path, clock: Clock) -> None:
        self._local, _, self._domain = gm_address.rpartition("@")
        self._inbox = inbox
        self._folder = folder
        self._clock = clock
        self._known: dict[Path, set[str]] = {}
        self.on_arrival: Callable[[], None] = lambda: None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if valid_address(address) is None or "/" in address:
            return "553 5.1.3 this is not an address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        try:
            for address in envelope.rcpt_tos:
                self._deliver(
                    _UNSAFE_ADDRESS_CHARS.sub("", envelope.mail_from or ""), address, envelope.content
                )
        except OSError as fault:
            return f"451 4.3.0 the email could not be written: {fault.strerror}"
        return "250 2.0.0 the email is on disk"

    def _deliver(self, sender: str, address: str, content: bytes) -> None:
        maildir = self._maildir_of(address.lower())
        known = self._marks(maildir)
        now = self._clock.now()
        content = add_missing_headers(content, now, f"{address} {len(known)}")
        mark = hashlib.sha256(f"{sender}\0{address}\0".encode() + content).hexdigest()[:32]
        if mark in known:
            return
        head = (
            f"Return-Path: <{sender}>",
            f"Delivered-To: {address}",
            f"Received: by localhost (Turnpost) with ESMTP; {format_datetime(datetime_of(now))}",
        )
        end = line_end_of(content)
        trace = b"".join(line.encode("ascii", "replace") + end for line in head)
        # The count keeps emails of the same instant in their order.
        name = f"{now:013d}.{len(known):06d}.{mark}.turnpost"
        write_letter(maildir, name, trace + content)
        known.add(mark)
        if maildir == self._inbox:
            self.on_arrival()

    def _maildir_of(self, address: str) -> Path:
        local, _, domain = address.rpartition("@")
        ours = domain == self._domain and (local == self._local or local.startswith(self._local + "+"))
        return self._inbox if ours else self._folder / address

    def _marks(self, maildir: Path) -> set[str]:
        # The GM may have deleted it while the server was running, to start again.
        if maildir not in self._known or not (maildir / "new").is_dir():
            make_maildir(maildir)
            folders = (maildir / "new", maildir / "cur", maildir / KEPT_FOLDER / "cur")
            self._known[maildir] = set(_marks_in(folders))
        return self._known[maildir]


def _marks_in(folders: Iterable[Path]) -> Iterable[str]:
    for folder in folders:
        for file in folder.glob("*.turnpost*"):
            if match := _MAILDIR_FILE_RE.match(file.name):
                yield match.group(1)
