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
import time
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, urljoin, urlsplit

from adjudicator import __version__
from adjudicator.clock import HOUR, Millis, instant_of
from adjudicator.config.channels import Channel, unfit
from adjudicator.errors import PostFault, Refusal
from adjudicator.mail.public_address import NameLookup, NotPublic, addresses_of, reachable_addresses
from adjudicator.mail.timed_connection import TimedConnection, told_apart
from adjudicator.model.mail import Receipt

WEBHOOK_TIMEOUT_SECONDS = 20.0
"""So long a server may take for one post, all in all."""

REDIRECTS = 3
MAX_RETRY_AFTER_MS: Millis = 24 * HOUR
"""A server that asks us to wait longer is asked again after that."""

_WEBHOOK_SECRET_PREFIX = "whsec_"
PORTS = {"https": 443, "http": 80}
_REDIRECT_STATUSES = (301, 302, 307, 308)
_WEBHOOK_RETRY_STATUSES = (408, 409, 425, 429)


@dataclass(frozen=True)
class WebhookAnswer:
    """An answer of a server. retry_after, location: its headers."""

    status: int
    retry_after: str | None = None
    location: str | None = None


@dataclass(frozen=True)
class Webhook:
    """One webhook. look_up: by which its server's name is; seconds: for an attempt."""

    channel: Channel
    look_up: NameLookup = addresses_of
    seconds: float = WEBHOOK_TIMEOUT_SECONDS

    def deliver(self, key: str, mark: str, body: bytes, now: Millis) -> Receipt:
        """Hand a document over. mark: its id. Returns what became of it: "sent", "later" or "refused".

        It is never "unsure": who takes it knows by its id that he has it already.
        """
        try:
            url = self._url()
            return self._receipt(key, self._post(url, mark, body, now), now)
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

    def _receipt(self, key: str, answer: WebhookAnswer, now: Millis) -> Receipt:
        status = answer.status
        if 200 <= status < 300:
            return Receipt(key=key, outcome="sent")
        if status >= 500 or status in _WEBHOOK_RETRY_STATUSES:
            why = f"its server answers {status}"
            return Receipt(key=key, outcome="later", why=why, retry_at=retry_at(answer.retry_after, now))
        if 300 <= status < 400:
            return Receipt(key=key, outcome="refused", why=f"its server sends us elsewhere ({status})")
        return Receipt(key=key, outcome="refused", why=f"its server refuses it ({status})")

    def _post(self, url: str, mark: str, body: bytes, now: Millis) -> WebhookAnswer:
        headers = self._headers(mark, body, now)
        ends = time.monotonic() + self.seconds
        first = urlsplit(url)
        for _ in range(REDIRECTS + 1):
            parts = urlsplit(url)
            answer = self._ask(parts, body, headers, ends)
            if answer.status not in _REDIRECT_STATUSES or answer.location is None:
                return answer
            url = urljoin(url, answer.location)
            if server_key(urlsplit(url)) != server_key(first):
                return WebhookAnswer(answer.status)
        return WebhookAnswer(answer.status)

    def _headers(self, mark: str, body: bytes, now: Millis) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Turnpost/{__version__}",
            "webhook-id": mark,
            "webhook-timestamp": str(now // 1000),
        }
        if self.channel.secret is not None:
            key = key_of(self.channel.secret.reveal())
            headers["webhook-signature"] = sign_document(key, mark, now // 1000, body)
        return headers

    def _ask(self, parts: SplitResult, body: bytes, headers: dict[str, str], ends: float) -> WebhookAnswer:
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        addresses = reachable_addresses(host, port, local=self.channel.local, look_up=self.look_up)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = TimedConnection(host, port, addresses, parts.scheme == "https", ends)
        with told_apart(ends), closing(connection):
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return WebhookAnswer(
                response.status, response.getheader("Retry-After"), response.getheader("Location")
            )


def key_of(secret: str) -> bytes:
    """The key that a secret means: what stands after ``whsec_`` in base64, or its own bytes."""
    if secret.startswith(_WEBHOOK_SECRET_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(_WEBHOOK_SECRET_PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode()


def sign_document(key: bytes, mark: str, seconds: int, body: bytes) -> str:
    """Return a document's signature: ``v1,`` and the base64 of HMAC-SHA256 over ``id.timestamp.body``."""
    digest = hmac.digest(key, f"{mark}.{seconds}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def retry_at(retry_after: str | None, now: Millis) -> Millis | None:
    """Return until when a server wants to be left alone, by its Retry-After; None if it does not say."""
    words = (retry_after or "").strip()
    if words.isascii() and words.isdigit():
        until = now + min(int(words[:9]) * 1000, MAX_RETRY_AFTER_MS)
    else:
        try:
            until = instant_of(parsedate_to_datetime(words))
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(until, now + 1000), now + MAX_RETRY_AFTER_MS)


def server_key(parts: SplitResult) -> tuple[str, str | None, int | None]:
    """Return what tells the server of an address from others: scheme, host, port."""
    try:
        return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return "", None, None
