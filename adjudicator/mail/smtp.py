"""Letters out by SMTP: a few connections for many letters, the sealed bytes as they are.

With every letter a copy can go to ourselves, as a second recipient of the same transaction: a server takes
both or none, so the copy in our mailbox proves that it took the letter.
"""

# Rule 1: what concerns one letter is in its receipt; what concerns the server is not held against a letter.
# Rule 2: `begin` is asked after the last reply that can still refuse, before the first byte of the letter.

import asyncio
import logging
import ssl
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import aiosmtplib
from aiosmtplib import SMTP

from adjudicator.clock import Clock, WallClock
from adjudicator.config.secrets import Token
from adjudicator.config.servers import Rate
from adjudicator.errors import Fault, LoginFault, PostFault, Refusal
from adjudicator.mail.oauth import access_token, forget_token
from adjudicator.mail.rate_limit import Admit, RateLimiter
from adjudicator.mail.transport import Begin, DoubtPolicy
from adjudicator.model.addresses import is_loopback
from adjudicator.model.mail import OutgoingMessage, Receipt

BATCH_SECONDS = 300.0
"""After that long no further letter of a batch is begun, so that the lease of the outbox holds."""

LOGIN_PAUSE_SECONDS = 900.0
"""How long a server is left alone that refuses our login: asking more often gets accounts locked."""

_NO_ENTRY = frozenset({530, 534, 535, 538})
"""Replies that concern the login, whatever command they answer."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Server:
    """An SMTP server. tls: "starttls" and "tls" demand it with a valid certificate; "none": loopback only.

    password: itself, or what is asked for it when it is needed, which may raise Refusal; token: where it is,
    the login is by XOAUTH2, and there is no password.
    timeout_s: for each reply; data_s: for the reply to a whole letter, where the standard allows ten minutes.
    ca_file: PEM file of the authorities to trust in place of the system's. Raises Refusal for "none" towards
    any other host.
    """

    host: str
    port: int
    tls: Literal["starttls", "tls", "none"] = "starttls"
    username: str | None = None
    password: str | Callable[[], str] | None = field(default=None, repr=False)
    timeout_s: float = 60.0
    data_s: float = 300.0
    ca_file: str | None = None
    token: Token | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.tls == "none" and not is_loopback(self.host):
            raise Refusal(
                f"smtp server {self.host}",
                "letters and passwords go there only under TLS",
                "use smtp:// with STARTTLS, or smtps://",
            )


class SmtpCarrier:
    """A carrier over one SMTP server. copy_to: where the copies go by which a doubt is settled, if any.

    pace: how many letters may go to which domain; what is too many is held until its time. admit: who counts
    what is gone, for all who send.
    """

    def __init__(
        self,
        server: Server,
        doubt: DoubtPolicy,
        copy_to: str | None = None,
        connections: int = 1,
        pace: Mapping[str, Rate] | None = None,
        clock: Clock | None = None,
        admit: Admit | None = None,
    ) -> None:
        self.doubt = doubt
        self._server, self._copy_to, self._connections = server, copy_to, connections
        self._closed_until, self._closed_why = 0.0, ""
        self._pacing, self._clock = RateLimiter(pace or {}, admit), clock or WallClock()

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """As in `carrier.Carrier`. A server that refuses our login is left alone for a while."""
        if time.monotonic() < self._closed_until:
            return tuple(_held_receipt(letter, self._closed_why) for letter in letters)
        waiting = {letter.key: receipt for letter in letters if (receipt := self._rate_limit_receipt(letter))}
        round_ = _DeliveryRound(self._server, begin, self._copy_to)
        going = [letter for letter in letters if letter.key not in waiting]
        gone = {outcome.key: outcome for outcome in round_.deliver(going, self._connections)}
        receipts = tuple(waiting.get(letter.key) or gone[letter.key] for letter in letters)
        if round_.login_refused:
            self._closed_until, self._closed_why = time.monotonic() + LOGIN_PAUSE_SECONDS, round_.why
            log.error("no letter goes out: %s does not let us in: %s", self._server.host, round_.why)
        return receipts

    def _rate_limit_receipt(self, letter: OutgoingMessage) -> Receipt | None:
        """The receipt of a letter that has to wait for others to its domain; None: it may go."""
        now = self._clock.now()
        try:
            wait = self._pacing.wait(letter.to, now)
        except Fault as fault:  # who counts cannot be asked: then nobody knows that it may go
            return _held_receipt(letter, str(fault))
        why = f"enough letters go to {letter.to.rpartition('@')[2]} for now"
        return Receipt(key=letter.key, outcome="held", why=why, retry_at=now + wait) if wait else None

    def try_out(self) -> tuple[str, ...]:
        """As in `carrier.Carrier`."""
        asyncio.run(_greet(self._server))
        login = f"login of {self._server.username}" if self._server.username else "no login"
        secured = {"tls": "in TLS", "starttls": "under STARTTLS", "none": "without TLS, on this machine"}
        return (
            f"letters out, {self._server.host}:{self._server.port}, {secured[self._server.tls]}, {login}",
        )


def deliver(letters: Sequence[OutgoingMessage], server: Server) -> tuple[Receipt, ...]:
    """Send letters over one connection, without copies, and say what became of each, in order."""
    return _DeliveryRound(server, lambda letter: True, None).deliver(letters, 1)


class _DeliveryRound:
    """One delivery: letters that wait, the receipts of the others, and why nobody talks to us, if so."""

    def __init__(self, server: Server, begin: Begin, copy_to: str | None) -> None:
        self._server, self._begin, self._copy_to = server, begin, copy_to
        self._waiting: deque[list[OutgoingMessage]] = deque()
        self._receipts: dict[str, Receipt] = {}
        self._end = time.monotonic() + BATCH_SECONDS
        self.why, self.login_refused = "", False

    def deliver(self, letters: Sequence[OutgoingMessage], connections: int) -> tuple[Receipt, ...]:
        self._waiting.extend(_by_reader(letters))
        try:
            if letters:
                asyncio.run(self._carry_all(min(connections, len(self._waiting))))
        except Refusal as fault:  # the password cannot be had
            self.login_refused, self.why = True, str(fault)
        except PostFault as fault:  # nor the token, for the moment
            self.why = str(fault)
        return tuple(self._receipts.get(letter.key) or _held_receipt(letter, self.why) for letter in letters)

    async def _carry_all(self, connections: int) -> None:
        await asyncio.gather(*(self._carry() for _ in range(connections)))

    async def _carry(self) -> None:
        """One connection's work: readers one after the other, until none waits or nothing works."""
        client = _client(self._server)
        try:
            while self._waiting and await self._is_connected(client):
                # Looked at again, since meanwhile another connection may have taken the last.
                group = self._waiting.popleft() if self._waiting else []
                while group and await self._is_connected(client):
                    letter = group.pop(0)
                    self._receipts[letter.key] = await self._send(client, letter)
                if group:
                    self._waiting.appendleft(group)
        finally:
            await _leave(client)

    async def _is_connected(self, client: SMTP) -> bool:
        if self.login_refused:
            return False
        if time.monotonic() > self._end:
            self.why = "the server was too slow for the rest of the batch"
            return False
        try:
            if not client.is_connected:
                await _connect(client, self._server.token)
        except aiosmtplib.SMTPResponseException as fault:
            self._note_login(fault)
            self.why = _words(fault)
        except (aiosmtplib.SMTPException, OSError) as fault:
            self.why = _words(fault)
        return client.is_connected

    async def _send(self, client: SMTP, letter: OutgoingMessage) -> Receipt:
        begun = False
        try:
            if (refusal := await self._address(client, letter)) is not None:
                return Receipt(key=letter.key, outcome="refused", why=refusal)
            if (refusal := await self._add_copy(client, letter)) is not None:
                await _reset(client)
                return _held_receipt(letter, refusal)
            if (refusal := self._note_begun(letter)) is not None:
                await _reset(client)
                return _held_receipt(letter, refusal)
            begun = True
            await client.data(letter.raw, timeout=self._server.data_s)
        except aiosmtplib.SMTPResponseException as fault:
            self._note_login(fault)
            await _reset(client)
            return Receipt(key=letter.key, outcome=_outcome(fault.code), why=_words(fault))
        except (aiosmtplib.SMTPException, OSError) as fault:
            client.close()
            why = _words(fault) + (" (it may have been taken)" if begun else " (before it was handed over)")
            return Receipt(key=letter.key, outcome="unsure" if begun else "later", why=why)
        return Receipt(key=letter.key, outcome="sent")

    async def _address(self, client: SMTP, letter: OutgoingMessage) -> str | None:
        """Say from whom a letter is and to whom. Why the server cannot write to such an address, if so."""
        if letter.to.isascii():
            await client.mail(letter.sender)
            await client.rcpt(letter.to)
            return None
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        if not client.supports_extension("smtputf8"):
            return "the server writes only to addresses in English letters (it has no SMTPUTF8)"
        await client.mail(letter.sender, options=["SMTPUTF8", "BODY=8BITMIME"], encoding="utf-8")
        await client.rcpt(letter.to, encoding="utf-8")
        return None

    async def _add_copy(self, client: SMTP, letter: OutgoingMessage) -> str | None:
        """Why the server does not take the copy too; None if it does. Without it the probe would lie."""
        if self._copy_to is None or letter.to == letter.sender:
            return None  # a letter to ourselves is its own copy
        try:
            await client.rcpt(self._copy_to)
        except aiosmtplib.SMTPResponseException as fault:
            return f"{self._copy_to}: {_words(fault)}; without such copies, set [outbox] probe = false"
        return None

    def _note_begun(self, letter: OutgoingMessage) -> str | None:
        try:
            return None if self._begin(letter) else "it is in other hands"
        except Fault as fault:
            return str(fault)

    def _note_login(self, fault: aiosmtplib.SMTPResponseException) -> None:
        if fault.code in _NO_ENTRY:
            self.login_refused, self.why = True, _words(fault)


def _by_reader(letters: Iterable[OutgoingMessage]) -> Iterable[list[OutgoingMessage]]:
    """Letters to one reader go over one connection, in order."""
    groups: dict[str, list[OutgoingMessage]] = {}
    for letter in letters:
        groups.setdefault(letter.to, []).append(letter)
    return groups.values()


async def _greet(server: Server) -> None:
    """Connect and log in, and nothing else. Raises LoginFault, PostFault."""
    what = f"smtp server {server.host}:{server.port}"
    client = None
    try:
        client = _client(server)
        await _connect(client, server.token)
        await client.noop()
    except Refusal as fault:
        raise LoginFault(fault.what, fault.why, LOGIN_PAUSE_SECONDS) from fault
    except (aiosmtplib.SMTPException, OSError) as fault:
        code = getattr(fault, "code", None)
        refused = isinstance(fault, aiosmtplib.SMTPAuthenticationError) or code in _NO_ENTRY
        refused |= isinstance(fault, ssl.SSLCertVerificationError)
        raise (LoginFault if refused else PostFault)(what, _words(fault), 60.0) from fault
    finally:
        if client is not None:
            await _leave(client)


async def _connect(client: SMTP, token: Token | None) -> None:
    """Connect and log in. A token that is refused may have been taken back: another one is tried, once."""
    try:
        await client.connect()
    except aiosmtplib.SMTPAuthenticationError:
        if token is None:
            raise
        client.close()
        forget_token(token)
        await client.connect()


def _generator(token: Token | None) -> Callable[[], Awaitable[str]] | None:
    if token is None:
        return None
    return partial(asyncio.to_thread, access_token, token)


class _Client(SMTP):
    # A server that answers QUIT, or nothing any more, is not waited for: that TLS takes its leave of it would
    # outlast the loop, and leave a socket.
    def close(self) -> None:
        transport: Any = self.transport
        if transport is not None:
            transport.abort()
        super().close()


def _client(server: Server) -> SMTP:
    return _Client(
        hostname=server.host,
        port=server.port,
        username=server.username,
        password=server.password() if callable(server.password) else server.password,
        local_hostname="localhost" if is_loopback(server.host) else None,
        timeout=server.timeout_s,
        use_tls=server.tls == "tls",
        start_tls=server.tls == "starttls",
        cert_bundle=server.ca_file,
        oauth_token_generator=_generator(server.token),
    )


def _outcome(code: int) -> Literal["later", "refused", "held"]:
    if code in _NO_ENTRY:
        return "held"
    return "refused" if 500 <= code < 600 else "later"


async def _reset(client: SMTP) -> None:
    try:
        await client.rset()
    except (aiosmtplib.SMTPException, OSError):
        client.close()


async def _leave(client: SMTP) -> None:
    try:
        if client.is_connected:
            await client.quit()
    except (aiosmtplib.SMTPException, OSError):
        pass
    client.close()
    await asyncio.sleep(0)  # the loop closes the socket in its next turn


def _held_receipt(letter: OutgoingMessage, why: str) -> Receipt:
    return Receipt(key=letter.key, outcome="held", why=why)


def _words(fault: Exception) -> str:
    if isinstance(fault, aiosmtplib.SMTPResponseException):
        return f"{fault.code} {' '.join(fault.message.split())}"
    return f"{type(fault).__name__}: {fault}"
