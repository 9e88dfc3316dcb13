"""A mail server that counts deliveries: who got which email, how often. Copies go to a Maildir."""

from collections import Counter
from email import message_from_bytes
from pathlib import Path
from typing import Any, Self

from aiosmtpd.smtp import SMTP

from adjudicator.mail.maildir import write_letter
from tests.kit.ports import free_ports
from tests.kit.smtpd import Controller


class CountingMailServer:
    """The server; use it as a context.

    port: its port. own: the address whose emails and copies go to the Maildir. got: how often each other
    recipient got each Message-ID. patience: seconds of silence after which it hangs up, as servers do.
    """

    def __init__(self, own: str, maildir: Path, patience: float) -> None:
        self.got: Counter[tuple[str, str]] = Counter()
        self._stem, _, self._domain = own.partition("@")
        self._maildir = maildir
        self._copies = 0
        (self.port,) = free_ports(1)
        self._controller = _Controller(
            self, hostname="127.0.0.1", port=self.port, server_hostname="localhost", timeout=patience
        )

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._controller.stop()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """As the library requires. An email is accepted for all its recipients."""
        letter = message_from_bytes(envelope.content)
        for receiver in envelope.rcpt_tos:
            name, _, domain = receiver.partition("@")
            if domain == self._domain and name.partition("+")[0] == self._stem:
                self._copies += 1
                write_letter(self._maildir, f"copy{self._copies}", envelope.content)
            else:
                self.got[receiver, str(letter["Message-ID"])] += 1
        return "250 OK"


class _Controller(Controller):
    def door(self) -> SMTP:
        return SMTP(self.handler, **self.SMTP_kwargs)
