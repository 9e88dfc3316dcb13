"""Sends emails by SMTP: a few connections for many emails, the sealed bytes unchanged.

A copy can go to ourselves with every email, as a second recipient in the same transaction. A server accepts
both or none, so a copy in our mailbox proves that the server accepted the email.
"""

import asyncio
import base64
import http.client
import logging
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import aiosmtplib
from aiosmtplib import SMTP

from adjudicator.clock import Clock, Millis, WallClock
from adjudicator.config.secrets import Token
from adjudicator.config.servers import EVERYBODY, TOTAL, Imap, MaildirAt, Rate
from adjudicator.config.service import Settings
from adjudicator.errors import Fault, LoginFault, PostFault, Refusal
from adjudicator.mail import imap
from adjudicator.mail.maildir import (
    Begin,
    Carrier,
    DoubtPolicy,
    Mailbox,
    Mailboxes,
    MaildirCarrier,
    MaildirMailbox,
)
from adjudicator.mail.oauth import access_token, forget_token, login_version
from adjudicator.model.addresses import is_loopback, sent_address
from adjudicator.model.mail import OutgoingMessage, Receipt, ServiceStart

# Rate limits for emails to one provider: large providers delay faster senders.


Admit = Callable[[str, Rate, Millis], Millis]
"""Returns the delay before one more email to a domain; 0: it may go now, and is counted as sent."""


class RateLimiter:
    """Limits the rate of emails per domain. rates: as in `Smtp.pace`.

    admit: counts the sent emails. None: this object counts only its own.
    """

    def __init__(self, rates: Mapping[str, Rate], admit: Admit | None = None) -> None:
        self._rates = rates
        self._admit = admit or RateMemory().admit
        self._behind: dict[str, tuple[Millis, int]] = {}

    def wait(self, address: str, now: Millis) -> Millis:
        """Return the delay for an email to an address; 0: it may go now, and is counted as sent.

        Each of many waiting emails gets its own time. Otherwise all of them would be checked again each time,
        for the few that can go.
        """
        domain = address.rpartition("@")[2]
        # The rate of all emails comes last: what it admits counts for a day.
        rates = (
            (domain, self._rates.get(domain) or self._rates.get(EVERYBODY)),
            (TOTAL, self._rates.get(TOTAL)),
        )
        for key, rate in rates:
            if rate is not None and (wait := self._wait_in(key, rate, now)):
                return wait
        return 0

    def _wait_in(self, domain: str, rate: Rate, now: Millis) -> Millis:
        wait = self._admit(domain, rate, now)
        if not wait:
            return 0
        until, before = self._behind.get(domain, (0, 0))
        if until <= now:
            until, before = now + wait, 0
        self._behind[domain] = until, before + 1
        return wait + before // rate.count * rate.within


class RateMemory:
    """The recent emails to each domain, as far back as its rate needs."""

    def __init__(self) -> None:
        self._gone: dict[str, deque[Millis]] = {}

    def admit(self, domain: str, rate: Rate, now: Millis) -> Millis:
        """Return the delay before one more email to a domain, as `Admit` says."""
        gone = self._gone.setdefault(domain, deque())
        while gone and gone[0] <= now - rate.within:
            gone.popleft()
        if len(gone) >= rate.count:
            return gone[0] + rate.within - now
        gone.append(now)
        return 0


# Rule 1: an error of one email is in its receipt; an error of the server isn't blamed on an email. Rule 2:
# `begin` is called after the last reply that can reject the email, and before its first byte.


BATCH_SECONDS = 300.0
"""No further email of a batch is begun after this time, so that the outbox lease is long enough."""

LOGIN_PAUSE_SECONDS = 900.0
"""The pause after a server rejects our login. Asking more often gets accounts locked."""

_CHALLENGE, _LOGGED_IN = 334, 235
_NO_ENTRY = frozenset({530, 534, 535, 538})
"""Replies about the login, to any command."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Server:
    """An SMTP server. tls: "starttls" and "tls" require a valid certificate; "none": loopback only.

    password: the password, or a function that returns it and may raise Refusal. token: if given, the login
    uses it without a password. version: changes when the file with the password or token does. timeout_s:
    for each reply. data_s: for the reply to a whole email, for which the standard allows ten minutes.
    ca_file: a PEM file of authorities to trust instead of the system's. Raises Refusal for "none" with any
    other host.
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
    version: Callable[[], object] = field(default=lambda: None, repr=False)

    def __post_init__(self) -> None:
        if self.tls == "none" and not is_loopback(self.host):
            raise Refusal(
                f"Can't send through {self.host}",
                "emails and passwords go there only over TLS",
                "Use smtp:// with STARTTLS, or smtps://",
            )


class SmtpCarrier:
    """A carrier over one SMTP server. copy_to: the address for copies that resolve doubts, if any.

    pace: the rate limit per domain; further emails wait. admit: counts the emails of all senders.
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
        self._closed_until, self._closed_why, self._closed_version = 0.0, "", server.version()
        self._pacing, self._clock = RateLimiter(pace or {}, admit), clock or WallClock()

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """As in `Carrier`. After a rejected login the server is left alone for a while.

        A new password or token in its file ends that.
        """
        if time.monotonic() < self._closed_until and self._closed_version == self._server.version():
            return tuple(_held_receipt(letter, self._closed_why) for letter in letters)
        waiting = {letter.key: receipt for letter in letters if (receipt := self._rate_limit_receipt(letter))}
        round_ = _DeliveryRound(self._server, begin, self._copy_to)
        going = [letter for letter in letters if letter.key not in waiting]
        gone = {outcome.key: outcome for outcome in round_.deliver(going, self._connections)}
        receipts = tuple(waiting.get(letter.key) or gone[letter.key] for letter in letters)
        if round_.login_refused:
            self._closed_until, self._closed_why = time.monotonic() + LOGIN_PAUSE_SECONDS, round_.why
            self._closed_version = self._server.version()
            log.error("can't send email: %s rejects our login: %s", self._server.host, round_.why)
        return receipts

    def _rate_limit_receipt(self, letter: OutgoingMessage) -> Receipt | None:
        """Return the receipt of an email that must wait because of the rate limit, or None if it may go."""
        now = self._clock.now()
        try:
            wait = self._pacing.wait(letter.to, now)
        except Fault as fault:  # the counter failed: don't send without it
            return _held_receipt(letter, str(fault))
        why = f"the rate limit of {letter.to.rpartition('@')[2]} is reached for now"
        return Receipt(key=letter.key, outcome="held", why=why, retry_at=now + wait) if wait else None

    def try_out(self) -> tuple[str, ...]:
        """As in `Carrier`."""
        asyncio.run(_greet(self._server))
        login = f"login of {self._server.username}" if self._server.username else "no login"
        secured = {"tls": "in TLS", "starttls": "under STARTTLS", "none": "without TLS, on this machine"}
        return (
            f"outgoing mail: {self._server.host}:{self._server.port}, {secured[self._server.tls]}, {login}",
        )


def deliver(letters: Sequence[OutgoingMessage], server: Server) -> tuple[Receipt, ...]:
    """Send emails over one connection, without copies, and return their receipts in order."""
    return _DeliveryRound(server, lambda _letter: True, None).deliver(letters, 1)


class _DeliveryRound:
    """One delivery: waiting emails, the receipts of the others, and the connection error, if any."""

    def __init__(self, server: Server, begin: Begin, copy_to: str | None) -> None:
        self._server, self._begin, self._copy_to = server, begin, copy_to
        self._waiting: deque[list[OutgoingMessage]] = deque()
        self._receipts: dict[str, Receipt] = {}
        self._end = time.monotonic() + BATCH_SECONDS
        self.why, self.login_refused, self._has_token_expired = "", False, False

    def deliver(self, letters: Sequence[OutgoingMessage], connections: int) -> tuple[Receipt, ...]:
        self._waiting.extend(_group_by_reader(letters))
        try:
            if letters:
                asyncio.run(self._carry_all(min(connections, len(self._waiting))))
        except Refusal as fault:  # the password isn't available
            self.login_refused, self.why = True, str(fault)
        except PostFault as fault:  # the token isn't available at the moment
            self.why = str(fault)
        return tuple(self._receipts.get(letter.key) or _held_receipt(letter, self.why) for letter in letters)

    async def _carry_all(self, connections: int) -> None:
        await asyncio.gather(*(self._carry() for _ in range(connections)))

    async def _carry(self) -> None:
        """Send emails over one connection, reader by reader, until none is waiting or nothing works."""
        client = _client(self._server)
        try:
            while self._waiting and await self._is_connected(client):
                # Checked again, since another connection may be sending the last one.
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
                await _connect(client, self._server)
        except aiosmtplib.SMTPResponseException as fault:
            self._note_login(fault)
            self.why = _reply_text(fault)
        except (aiosmtplib.SMTPException, OSError) as fault:
            self.why = _reply_text(fault)
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
            if self._is_token_expired(fault):
                client.close()
                return _held_receipt(letter, _reply_text(fault))
            self._note_login(fault)
            await _reset(client)
            return Receipt(key=letter.key, outcome=_outcome(fault.code), why=_reply_text(fault))
        except (aiosmtplib.SMTPException, OSError) as fault:
            client.close()
            why = _reply_text(fault) + (" (it may have been accepted)" if begun else " (before it was sent)")
            return Receipt(key=letter.key, outcome="unsure" if begun else "later", why=why)
        return Receipt(key=letter.key, outcome="sent")

    async def _address(self, client: SMTP, letter: OutgoingMessage) -> str | None:
        """Send sender and recipients. Return why the server rejects one of these addresses, or None."""
        if letter.to.isascii():
            await client.mail(letter.sender)
            await client.rcpt(letter.to)
            return None
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        if not client.supports_extension("smtputf8"):
            return "the server only accepts addresses in ASCII (it has no SMTPUTF8)"
        await client.mail(letter.sender, options=["SMTPUTF8", "BODY=8BITMIME"], encoding="utf-8")
        await client.rcpt(letter.to, encoding="utf-8")
        return None

    async def _add_copy(self, client: SMTP, letter: OutgoingMessage) -> str | None:
        """Return why the server rejects the copy, or None. Without a copy, the probe would be wrong."""
        if self._copy_to is None or letter.to == letter.sender:
            return None  # an email to ourselves is its own copy
        try:
            await client.rcpt(self._copy_to)
        except aiosmtplib.SMTPResponseException as fault:
            return f"{self._copy_to}: {_reply_text(fault)}; without such copies, set [outbox] probe = false"
        return None

    def _note_begun(self, letter: OutgoingMessage) -> str | None:
        try:
            return None if self._begin(letter) else "another worker has it"
        except Fault as fault:
            return str(fault)

    def _is_token_expired(self, fault: aiosmtplib.SMTPResponseException) -> bool:
        """Return whether a token may have ended in the middle. The next connection uses a new one, once."""
        token = self._server.token
        if token is None or fault.code not in _NO_ENTRY or self._has_token_expired:
            return False
        self._has_token_expired = True
        forget_token(token)
        return True

    def _note_login(self, fault: aiosmtplib.SMTPResponseException) -> None:
        if fault.code in _NO_ENTRY:
            self.login_refused, self.why = True, _reply_text(fault)


def _group_by_reader(letters: Iterable[OutgoingMessage]) -> Iterable[list[OutgoingMessage]]:
    """Return the emails grouped by recipient, each group in order. A group is sent over one connection."""
    groups: dict[str, list[OutgoingMessage]] = {}
    for letter in letters:
        groups.setdefault(letter.to, []).append(letter)
    return groups.values()


async def _greet(server: Server) -> None:
    """Connect and log in without sending. Raises LoginFault, PostFault."""
    what = f"smtp server {server.host}:{server.port}"
    client = None
    try:
        client = _client(server)
        await _connect(client, server)
        await client.noop()
    except Refusal as fault:
        raise LoginFault(fault.what, fault.why, LOGIN_PAUSE_SECONDS) from fault
    except (aiosmtplib.SMTPException, OSError) as fault:
        code = getattr(fault, "code", None)
        refused = isinstance(fault, aiosmtplib.SMTPAuthenticationError) or code in _NO_ENTRY
        refused |= isinstance(fault, ssl.SSLCertVerificationError)
        raise (LoginFault if refused else PostFault)(what, _reply_text(fault), 60.0) from fault
    finally:
        if client is not None:
            await _leave(client)


async def _connect(client: SMTP, server: Server) -> None:
    """Connect and log in. A rejected token may have been revoked, so another one is tried once."""
    await client.connect()
    token = server.token
    if token is None:
        return  # the library has logged in, if there is a password
    try:
        await _log_in_by_token(client, server, token)
    except aiosmtplib.SMTPAuthenticationError:
        client.close()
        forget_token(token)
        await client.connect()
        await _log_in_by_token(client, server, token)


async def _log_in_by_token(client: SMTP, server: Server, token: Token) -> None:
    """Log in by XOAUTH2, or by OAUTHBEARER (RFC 7628), which the library doesn't know."""
    try:
        text, user = await asyncio.to_thread(access_token, token), server.username or ""
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        if "xoauth2" in client.server_auth_methods or "oauthbearer" not in client.server_auth_methods:
            await client.auth_xoauth2(user, text)
            return
        account = user.replace("=", "=3D").replace(",", "=2C")
        words = base64.b64encode(f"n,a={account},\1auth=Bearer {text}\1\1".encode())
        reply = await client.execute_command(b"AUTH", b"OAUTHBEARER", words)
        if reply.code == _CHALLENGE:  # it says why; an empty message gets the final reply
            reply = await client.execute_command(base64.b64encode(b"\1"))
        if reply.code != _LOGGED_IN:
            raise aiosmtplib.SMTPAuthenticationError(reply.code, reply.message)
    except BaseException:
        client.close()
        raise


class _Client(SMTP):
    # Don't wait for a server after QUIT: a TLS shutdown would outlast the loop and leave a socket.
    def close(self) -> None:
        transport: Any = self.transport
        if transport is not None:
            transport.abort()
        super().close()


def _client(server: Server) -> SMTP:
    return _Client(
        hostname=server.host,
        port=server.port,
        username=None if server.token else server.username,
        password=server.password() if callable(server.password) else server.password,
        local_hostname="localhost" if is_loopback(server.host) else None,
        timeout=server.timeout_s,
        use_tls=server.tls == "tls",
        start_tls=server.tls == "starttls",
        cert_bundle=server.ca_file,
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
    await asyncio.sleep(0)  # the loop closes the socket in its next iteration


def _held_receipt(letter: OutgoingMessage, why: str) -> Receipt:
    return Receipt(key=letter.key, outcome="held", why=why)


def _reply_text(fault: Exception) -> str:
    if isinstance(fault, aiosmtplib.SMTPResponseException):
        return f"{fault.code} {' '.join(fault.message.split())}"
    return f"{type(fault).__name__}: {fault}"


# One connection to a server, with one deadline for everything, and its errors.


@contextmanager
def told_apart(ends: float) -> Iterator[None]:
    """Raise any connection error as a PostFault without the address or the server's text.

    ends: the deadline, by the monotonic clock.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as fault:
        raise PostFault("channel", "its server's certificate can't be trusted") from fault
    except TimeoutError as fault:
        raise PostFault("channel", "its server didn't reply in time") from fault
    except (OSError, http.client.HTTPException, ValueError) as fault:
        late = time.monotonic() >= ends
        why = "its server didn't reply in time" if late else _describe_break(fault)
        raise PostFault("channel", why) from fault


class TimedConnection(http.client.HTTPConnection):
    """One connection to checked addresses, cut off when its total time is over."""

    def __init__(self, host: str, port: int, addresses: list[str], safe: bool, ends: float) -> None:
        super().__init__(host, port)
        self._addresses, self._safe, self._ends = addresses, safe, ends
        self._cut: threading.Timer | None = None

    def connect(self) -> None:
        """Connect to the first address that responds."""
        plain = self._dial()
        if self._safe:
            try:
                plain = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            except BaseException:
                plain.close()
                raise
        self.sock = plain
        # The socket's own timeout is per read, and a server could send a byte now and then forever.
        self._cut = threading.Timer(self._remaining_seconds(), _hang_up, [plain])
        self._cut.daemon = True
        self._cut.start()

    def close(self) -> None:
        """Close the connection and its timer."""
        if self._cut is not None:
            self._cut.cancel()
        super().close()

    def _dial(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return socket.create_connection((address, self.port), timeout=self._remaining_seconds())
        return socket.create_connection((self._addresses[-1], self.port), timeout=self._remaining_seconds())

    def _remaining_seconds(self) -> float:
        remaining = self._ends - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining


def _hang_up(plain: socket.socket) -> None:
    with suppress(OSError):
        # An SSL socket's own method would break the thread that is reading.
        socket.socket.shutdown(plain, socket.SHUT_RDWR)


def _describe_break(fault: Exception) -> str:
    if isinstance(fault, ConnectionRefusedError):
        return "its server doesn't respond"
    if isinstance(fault, ssl.SSLError):
        return "its server doesn't use TLS correctly"
    return f"the connection to its server broke ({type(fault).__name__})"


# The mailbox and the carrier of the settings.


def create_mailbox(
    settings: Settings, beside: Sequence[Mailbox] = (), start: ServiceStart | None = None
) -> Mailbox:
    """Return the mailbox of the settings. Raises PostFault if a Maildir can't be created.

    beside: the mailboxes of forums. start: of the service, if known.
    """
    places = (settings.inbox, *settings.also)
    # Several folders can belong to one account.
    limits = {
        _account(at): imap.ConnectionLimit(imap.MachineTimer()) for at in places if isinstance(at, Imap)
    }
    boxes = [
        imap.ImapMailbox(at, start=start, connections=limits[_account(at)])
        if isinstance(at, Imap)
        else MaildirMailbox(at.path, start)
        for at in places
    ]
    return Mailboxes([*boxes, *beside]) if settings.also or beside else boxes[0]


def _account(at: Imap) -> tuple[str, int, str]:
    return at.host, at.port, at.username


def create_carrier(settings: Settings, clock: Clock | None = None, admit: Admit | None = None) -> Carrier:
    """Return the carrier of the settings. Raises PostFault if a Maildir can't be created.

    admit: counts the emails to each domain.
    """
    at = settings.outbox
    if isinstance(at, MaildirAt):
        return MaildirCarrier(at.path)
    server = Server(
        host=at.host,
        port=at.port,
        tls=at.tls,
        username=at.username,
        password=at.password.reveal if at.password else None,
        data_s=at.timeout / 1000,
        timeout_s=min(60.0, at.timeout / 1000),
        ca_file=str(at.ca_file) if at.ca_file else None,
        token=at.token,
        version=partial(login_version, at),
    )
    if settings.local is not None and (at.host, at.port) == (settings.local.host, settings.local.port):
        # Our own server recognises repeated emails.
        return SmtpCarrier(server, DoubtPolicy("again"))
    copy_to = sent_address(settings.address) if at.probe else None
    doubt = DoubtPolicy("probe" if at.probe else "marked", at.probe_wait if at.probe else 0)
    return SmtpCarrier(server, doubt, copy_to, at.connections, at.pace, clock or WallClock(), admit)
