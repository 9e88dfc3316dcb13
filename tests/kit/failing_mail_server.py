"""An SMTP server with planned failures, in front of Dovecot: it rejects, delays, hangs and hangs up.

It accepts an email for all its recipients or for none, as the protocol demands.
"""

import asyncio
import smtplib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Self

from aiosmtpd.smtp import SMTP

from tests.kit.ports import free_ports
from tests.kit.servers import HANGING_SECONDS
from tests.kit.smtpd import Controller

SILENCE_SECONDS = 3600.0
"""This is longer than any sender of the tests waits."""

READER_FAILURES = ("421 to the reader", "451 to the reader")
LETTER_FAILURES = (
    "451 after the letter",
    "421 after the letter",
    "silent, letter taken",
    "silent, letter lost",
    "hangs up, letter taken",
    "hangs up, letter lost",
)


@dataclass
class Failures:
    """The planned failures.

    every: one of this many emails fails (0: none), and one of three times as many recipients. The failures
    alternate in a random order. gone: an unknown recipient (550). counts: how often each failure occurred.
    """

    lot: Random
    every: int = 3
    gone: str = "nobody@example.test"
    counts: Counter[str] = field(default_factory=Counter)
    _asked: Counter[str] = field(default_factory=Counter)
    _left: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def for_letter(self) -> str | None:
        """Return the failure for the next email, if any."""
        return self._next(LETTER_FAILURES, self.every)

    def for_reader(self, address: str) -> str | None:
        """Return the failure for a recipient now, if any."""
        if address == self.gone:
            self.counts["550 to the reader"] += 1
            return "550 no such user"
        return self._next(READER_FAILURES, 3 * self.every)

    def _next(self, moods: tuple[str, ...], every: int) -> str | None:
        self._asked[moods[0]] += 1
        if not every or self._asked[moods[0]] % every:
            return None
        left = self._left.get(moods) or self.lot.sample(moods, len(moods))
        *self._left[moods], mood = left
        self.counts[mood] += 1
        return mood


class LettersInHand:
    """The emails that the relay is processing: files in a folder, so that other processes see them.

    An email is there from the MAIL command until it is in Dovecot or has failed, even if its sender is dead
    or has timed out.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()

    def take(self, session: object) -> None:
        """Begin an email."""
        (self._folder / str(id(session))).touch()

    def lay_down(self, session: object) -> None:
        """End an email."""
        (self._folder / str(id(session))).unlink(missing_ok=True)


class Relay:
    """The server; use it as a context.

    lmtp: Dovecot's port for accepted emails. hands: a folder to create, for the emails in progress.
    """

    def __init__(self, lmtp: int, moods: Failures, hands: Path) -> None:
        self.moods, self._lmtp = moods, lmtp
        (self.port,) = free_ports(1)
        self._controller = _Controller(
            _Handler(moods, LettersInHand(hands), self._hand_on),
            hostname="127.0.0.1",
            port=self.port,
            server_hostname="localhost",
        )

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._controller.stop()

    def _hand_on(self, sender: str, readers: list[str], content: bytes) -> None:
        # One recipient per session: the library reads a single reply after an email, but LMTP gives one for
        # each.
        for reader in readers:
            with smtplib.LMTP(
                "127.0.0.1", self._lmtp, timeout=HANGING_SECONDS, local_hostname="localhost"
            ) as dovecot:
                dovecot.sendmail(sender, [reader], content)


class _Handler:
    def __init__(
        self, moods: Failures, hands: LettersInHand, hand_on: Callable[[str, list[str], bytes], None]
    ) -> None:
        self.hands = hands
        self.handing_on = set[int]()
        self._moods, self._hand_on = moods, hand_on

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        self.hands.take(session)
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
        mood = self._moods.for_letter()
        if mood is None or mood.endswith("taken"):
            self.handing_on.add(id(session))
            await asyncio.to_thread(self._take, session, envelope)
        self.hands.lay_down(session)
        if mood is not None and mood.startswith("4"):
            return f"{mood[:3]} not now"
        if mood is not None and mood.startswith("silent"):
            await asyncio.sleep(SILENCE_SECONDS)
        if mood is not None:
            server.transport.abort()
        return "250 OK"

    def _take(self, session: Any, envelope: Any) -> None:
        """Process an email in a thread, which continues if the connection breaks."""
        try:
            self._hand_on(envelope.mail_from, list(envelope.rcpt_tos), envelope.content)
        finally:
            self.handing_on.discard(id(session))
            self.hands.lay_down(session)


class _Server(SMTP):
    def connection_lost(self, error: Exception | None) -> None:
        if id(self.session) not in self.event_handler.handing_on:
            self.event_handler.hands.lay_down(self.session)
        super().connection_lost(error)


class _Controller(Controller):
    def door(self) -> SMTP:
        return _Server(self.handler, **self.SMTP_kwargs)
