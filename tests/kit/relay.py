"""An SMTP server with moods, in front of Dovecot: it refuses, puts off, falls silent and hangs up.

Whatever it does to a letter, it takes it for all its readers or for none, as the protocol wants.
"""

import asyncio
import smtplib
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from random import Random
from typing import Any

from aiosmtpd.controller import Controller

SILENCE_SECONDS = 30.0
"""Longer than any sender of the tests waits."""

READER_MOODS = ("421 to the reader", "451 to the reader")
LETTER_MOODS = (
    "451 after the letter",
    "421 after the letter",
    "silent, letter taken",
    "silent, letter lost",
    "hangs up, letter taken",
    "hangs up, letter lost",
)


@dataclass
class Moods:
    """What happens to which letter. share: of the letters, how many meet a mood; each meets two at the most.

    Readers meet one a third as often. gone: a reader whom nobody knows (550); counts: how often each came.
    """

    lot: Random
    share: float = 0.3
    gone: str = "nobody@example.test"
    counts: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)

    def for_letter(self, message_id: str) -> str | None:
        """The mood that a letter meets now, if any."""
        if self.met[message_id] >= 2 or self.lot.random() >= self.share:
            return None
        self.met[message_id] += 1
        return self._one_of(LETTER_MOODS)

    def for_reader(self, address: str) -> str | None:
        """The mood that a reader's name meets now, if any."""
        if address == self.gone:
            self.counts["550 to the reader"] += 1
            return "550 no such user"
        return self._one_of(READER_MOODS) if self.lot.random() < self.share / 3 else None

    def _one_of(self, moods: tuple[str, ...]) -> str:
        mood = self.lot.choice(moods)
        self.counts[mood] += 1
        return mood


class Relay:
    """The server. lmtp: the port of Dovecot to which letters go that are taken."""

    def __init__(self, lmtp: int, moods: Moods) -> None:
        self.moods, self._lmtp = moods, lmtp
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._controller = Controller(
            _Desk(moods, self._hand_on), hostname="127.0.0.1", port=self.port, server_hostname="localhost"
        )

    def start(self) -> None:
        """Listen."""
        self._controller.start()

    def stop(self) -> None:
        """Listen no more."""
        self._controller.stop()

    def _hand_on(self, sender: str, readers: list[str], content: bytes) -> None:
        # One reader a session: the library reads a single answer after a letter, and LMTP gives one for each.
        for reader in readers:
            with smtplib.LMTP("127.0.0.1", self._lmtp, timeout=20) as dovecot:
                dovecot.sendmail(sender, [reader], content)


class _Desk:
    def __init__(self, moods: Moods, hand_on: Callable[[str, list[str], bytes], None]) -> None:
        self._moods, self._hand_on = moods, hand_on

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if (mood := self._moods.for_reader(address)) is not None:
            return f"{mood[:3]} {mood[4:]}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        letter = str(message_from_bytes(envelope.content)["Message-ID"])
        mood = self._moods.for_letter(letter)
        if mood is not None and mood.startswith("4"):
            return f"{mood[:3]} not now"
        if mood is None or mood.endswith("taken"):
            await asyncio.to_thread(
                self._hand_on, envelope.mail_from, list(envelope.rcpt_tos), envelope.content
            )
        if mood is not None and mood.startswith("silent"):
            await asyncio.sleep(SILENCE_SECONDS)
        if mood is not None:
            server.transport.abort()
        return "250 OK"
