"""Posts to webhooks: one document over HTTPS, signed, to a server of the world and no other.

The headers are those of the Standard Webhooks specification, so that libraries for many languages check them:
``webhook-id`` is the same however often a post is sent, ``webhook-signature`` is ``v1,`` and the base64 of
HMAC-SHA256 over ``id.timestamp.body``.
"""

# Rule 1: nothing of the address but its host, and nothing that the server says, stands in what is told of it.
# Rule 2: one deadline holds for all of an attempt, or a server that drips its answer would hold us for hours.

import base64
import binascii
import hmac
import http.client
import socket
import ssl
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, urljoin, urlsplit

from adjudicator import __version__
from adjudicator.clock import HOUR, Millis, instant
from adjudicator.errors import PostFault, Refusal
from adjudicator.ledger.letters import Receipt
from adjudicator.post.public_address import LookUp, NotPublic, addresses_of, reachable
from adjudicator.settings.channel import Channel, unfit

SECONDS = 20.0
"""So long a server may take for one post, all in all."""

REDIRECTS = 3
LONGEST: Millis = 24 * HOUR
"""A server that asks us to wait longer is asked again after that."""

_PREFIX = "whsec_"
_PORTS = {"https": 443, "http": 80}
_AGAIN = (301, 302, 307, 308)
_LATER = (408, 409, 425, 429)


@dataclass(frozen=True)
class Answer:
    """What a server said. retry_after, location: its headers."""

    status: int
    retry_after: str | None = None
    location: str | None = None


@dataclass(frozen=True)
class Webhook:
    """One webhook. look_up: by which its server's name is; seconds: for an attempt."""

    channel: Channel
    look_up: LookUp = addresses_of
    seconds: float = SECONDS

    def deliver(self, key: str, mark: str, body: bytes, now: Millis) -> Receipt:
        """Hand a document over. mark: its id. Returns what became of it: "sent", "later" or "refused".

        It is never "unsure": who takes it knows by its id that he has it already.
        """
        try:
            url = self._url()
            return self._receipt(key, self._posted(url, mark, body, now), now)
        except Refusal as fault:
            return Receipt(key=key, outcome="later", why=f"{fault.what}: {fault.why}")
        except NotPublic:
            why = "its address leads to this machine or into its own network, and  local = true  is not said"
            return Receipt(key=key, outcome="refused", why=why)
        except PostFault as fault:
            return Receipt(key=key, outcome="later", why=fault.why)

    def _url(self) -> str:
        assert self.channel.url is not None, "a webhook has an address"
        url = self.channel.url.reveal()
        if (why := unfit(url, local=self.channel.local)) is not None:
            raise Refusal(f"gm.toml: {self.channel.url.named}", why)
        return url

    def _receipt(self, key: str, answer: Answer, now: Millis) -> Receipt:
        status = answer.status
        if 200 <= status < 300:
            return Receipt(key=key, outcome="sent")
        if status >= 500 or status in _LATER:
            why = f"its server answers {status}"
            return Receipt(key=key, outcome="later", why=why, retry_at=pause(answer.retry_after, now))
        if 300 <= status < 400:
            return Receipt(key=key, outcome="refused", why=f"its server sends us elsewhere ({status})")
        return Receipt(key=key, outcome="refused", why=f"its server refuses it ({status})")

    def _posted(self, url: str, mark: str, body: bytes, now: Millis) -> Answer:
        headers = self._headers(mark, body, now)
        ends = time.monotonic() + self.seconds
        first = urlsplit(url)
        for _ in range(REDIRECTS + 1):
            parts = urlsplit(url)
            answer = self._ask(parts, body, headers, ends)
            if answer.status not in _AGAIN or answer.location is None:
                return answer
            url = urljoin(url, answer.location)
            if _server(urlsplit(url)) != _server(first):
                return Answer(answer.status)
        return Answer(answer.status)

    def _headers(self, mark: str, body: bytes, now: Millis) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Turnpost/{__version__}",
            "webhook-id": mark,
            "webhook-timestamp": str(now // 1000),
        }
        if self.channel.secret is not None:
            key = key_of(self.channel.secret.reveal())
            headers["webhook-signature"] = signature(key, mark, now // 1000, body)
        return headers

    def _ask(self, parts: SplitResult, body: bytes, headers: dict[str, str], ends: float) -> Answer:
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        addresses = reachable(host, port, local=self.channel.local, look_up=self.look_up)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection = _Connection(host, port, addresses, parts.scheme == "https", ends)
            with closing(connection):
                connection.request("POST", path, body, headers)
                said = connection.getresponse()
                return Answer(said.status, said.getheader("Retry-After"), said.getheader("Location"))
        except ssl.SSLCertVerificationError as fault:
            raise PostFault("channel", "its server's certificate cannot be trusted") from fault
        except TimeoutError as fault:
            raise PostFault("channel", "its server does not answer in time") from fault
        except (OSError, http.client.HTTPException, ValueError) as fault:
            late = time.monotonic() >= ends
            why = "its server does not answer in time" if late else _broken(fault)
            raise PostFault("channel", why) from fault


def key_of(secret: str) -> bytes:
    """The key that a secret means: what stands after ``whsec_`` in base64, or its own bytes."""
    if secret.startswith(_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode()


def signature(key: bytes, mark: str, seconds: int, body: bytes) -> str:
    """How a document is signed: ``v1,`` and the base64 of HMAC-SHA256 over ``id.timestamp.body``."""
    digest = hmac.digest(key, f"{mark}.{seconds}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def pause(retry_after: str | None, now: Millis) -> Millis | None:
    """Until when a server wants to be left alone, by its Retry-After; None where it does not say."""
    said = (retry_after or "").strip()
    if said.isascii() and said.isdigit():
        until = now + min(int(said[:9]) * 1000, LONGEST)
    else:
        try:
            until = instant(parsedate_to_datetime(said))
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(until, now + 1000), now + LONGEST)


def _server(parts: SplitResult) -> tuple[str, str | None, int | None]:
    try:
        return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return "", None, None


def _broken(fault: Exception) -> str:
    if isinstance(fault, ConnectionRefusedError):
        return "nobody answers at its server"
    if isinstance(fault, ssl.SSLError):
        return "its server does not speak TLS as it should"
    return f"the connection to its server broke ({type(fault).__name__})"


class _Connection(http.client.HTTPConnection):
    """One connection to addresses that were looked at, cut when the time for all of it is over."""

    def __init__(self, host: str, port: int, addresses: list[str], safe: bool, ends: float) -> None:
        super().__init__(host, port)
        self._addresses, self._safe, self._ends = addresses, safe, ends
        self._cut: threading.Timer | None = None

    def connect(self) -> None:
        """Dial the first address that answers."""
        plain = self._dialled()
        if self._safe:
            try:
                plain = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            except BaseException:
                plain.close()
                raise
        self.sock = plain
        # The socket's own timeout is for each read; a server may send a byte now and then for ever.
        self._cut = threading.Timer(self._left(), _hang_up, [plain])
        self._cut.daemon = True
        self._cut.start()

    def close(self) -> None:
        """Close it; nothing is left to cut."""
        if self._cut is not None:
            self._cut.cancel()
        super().close()

    def _dialled(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return socket.create_connection((address, self.port), timeout=self._left())
        return socket.create_connection((self._addresses[-1], self.port), timeout=self._left())

    def _left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _hang_up(plain: socket.socket) -> None:
    with suppress(OSError):
        # An SSL socket's own method would take away what the reading thread uses.
        socket.socket.shutdown(plain, socket.SHUT_RDWR)
