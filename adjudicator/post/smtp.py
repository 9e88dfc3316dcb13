"""Letters out by SMTP: one connection for many, one recipient each, the sealed bytes as they are."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import aiosmtplib
from aiosmtplib import SMTP

from adjudicator.addresses import is_loopback
from adjudicator.errors import Refusal
from adjudicator.ledger import Receipt, Sealed

DATA_SECONDS = 300.0
"""What a server may take to answer the end of a letter; the standard allows ten minutes."""

BATCH_SECONDS = 300.0
"""After that long no further letter of a batch is begun, so that the lease of the outbox holds."""

_NO_ENTRY = frozenset({530, 534, 535, 538})
"""Replies that concern the login, whatever command they answer."""


@dataclass(frozen=True)
class Server:
    """An SMTP server. tls: "starttls" and "tls" demand it with a valid certificate; "none": loopback only.

    ca_file: PEM file of the authorities to trust in place of the system's. Raises Refusal for "none"
    towards any other host.
    """

    host: str
    port: int
    tls: Literal["starttls", "tls", "none"] = "starttls"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    timeout_s: float = 60.0
    ca_file: str | None = None

    def __post_init__(self) -> None:
        if self.tls == "none" and not is_loopback(self.host):
            raise Refusal(
                f"smtp server {self.host}",
                "letters and passwords go there only under TLS",
                "use smtp:// with STARTTLS, or smtps://",
            )


class SmtpCarrier:
    """A carrier over one SMTP server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def deliver(self, letters: Sequence[Sealed]) -> tuple[Receipt, ...]:
        """As in `carrier.Carrier`."""
        return deliver(letters, self._server)


def deliver(letters: Sequence[Sealed], server: Server) -> tuple[Receipt, ...]:
    """Send letters one after the other, and say what became of each, in order. Raises nothing of the world's.

    A connection that breaks after the end of a letter leaves open whether it was taken: it is put off, to be
    sent again as the same bytes with the same Message-ID.
    """
    return asyncio.run(_deliver(letters, server)) if letters else ()


async def _deliver(letters: Sequence[Sealed], server: Server) -> tuple[Receipt, ...]:
    receipts: list[Receipt] = []
    end = asyncio.get_running_loop().time() + BATCH_SECONDS
    client = _client(server)
    try:
        for letter in letters:
            if asyncio.get_running_loop().time() > end:
                return _hold(letters, receipts, "the server was too slow for the rest of the batch")
            try:
                await _connect(client)
            except (aiosmtplib.SMTPException, OSError) as fault:
                return _hold(letters, receipts, _words(fault))
            receipts.append(await _send(client, letter))
    finally:
        await _leave(client)
    return tuple(receipts)


def _client(server: Server) -> SMTP:
    return SMTP(
        hostname=server.host,
        port=server.port,
        username=server.username,
        password=server.password,
        local_hostname="localhost" if is_loopback(server.host) else None,
        timeout=server.timeout_s,
        use_tls=server.tls == "tls",
        start_tls=server.tls == "starttls",
        cert_bundle=server.ca_file,
    )


async def _connect(client: SMTP) -> None:
    if not client.is_connected:
        await client.connect()


async def _send(client: SMTP, letter: Sealed) -> Receipt:
    stage = "before the letter was handed over"
    try:
        await client.mail(letter.sender)
        await client.rcpt(letter.to)
        stage = "while the letter was handed over: it may have been taken"
        await client.data(letter.raw, timeout=DATA_SECONDS)
    except aiosmtplib.SMTPResponseException as fault:
        await _reset(client)
        return Receipt(key=letter.key, outcome=_outcome(fault.code), why=_words(fault))
    except (aiosmtplib.SMTPException, OSError) as fault:
        client.close()
        return Receipt(key=letter.key, outcome="later", why=f"{_words(fault)} ({stage})")
    return Receipt(key=letter.key, outcome="sent")


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
        client.close()


def _hold(letters: Sequence[Sealed], receipts: list[Receipt], why: str) -> tuple[Receipt, ...]:
    rest = (Receipt(key=letter.key, outcome="held", why=why) for letter in letters[len(receipts) :])
    return (*receipts, *rest)


def _words(fault: Exception) -> str:
    if isinstance(fault, aiosmtplib.SMTPResponseException):
        return f"{fault.code} {' '.join(fault.message.split())}"
    return f"{type(fault).__name__}: {fault}"
