"""Posts to webhooks: one signed document over HTTPS, only to public servers.

The headers follow the Standard Webhooks specification, so that libraries in many languages can check them:
``webhook-id`` is the same for every attempt, ``webhook-signature`` is ``v1,`` and the base64 of HMAC-SHA256
over ``id.timestamp.body``.
"""

import base64
import binascii
import hmac
import ipaddress
import logging
import re
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import SplitResult, urljoin, urlsplit

from adjudicator import __version__
from adjudicator.clock import HOUR, Millis, instant_of
from adjudicator.config.channels import Channel, unfit
from adjudicator.errors import PostFault, Refusal
from adjudicator.mail.smtp import TimedConnection, told_apart
from adjudicator.model.channel_posts import ChannelPost
from adjudicator.model.mail import Receipt

# The address behind a name: resolved before we connect, and rejected if it is this machine.
#
# The name may come from another person. A post must not reach services that only this machine can reach: its
# own, its network's, a cloud provider's key service. We connect to exactly the checked address, so that a
# second DNS reply can't change it.


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_CARRIER_NETWORKS = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"))
"""IPv6 addresses that carry an IPv4 address: through a translator, and 6to4."""


class NameLookup(Protocol):
    """Looks up a name's addresses. Raises OSError if there are none."""

    def __call__(self, host: str, port: int) -> list[str]: ...


class NotPublic(Exception):
    """Raised when a name leads to this machine or a private network."""


def addresses_of(host: str, port: int) -> list[str]:
    """Return all addresses of a name, as this machine looks them up."""
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in results))


def reachable_addresses(
    host: str, port: int, *, local: bool, look_up: NameLookup = addresses_of
) -> list[str]:
    """Return the addresses of a server. local: this machine and its network are allowed.

    Raises NotPublic if one of them isn't public, PostFault if there is none.
    """
    try:
        addresses = look_up(host, port)
    except (OSError, UnicodeError) as fault:
        raise PostFault("channel", "its server's name can't be looked up") from fault
    if not addresses:
        raise PostFault("channel", "its server has no address")
    if not local and not all(is_public(address) for address in addresses):
        raise NotPublic
    return addresses


def is_public(text: str) -> bool:
    """Return whether an address is public, not of this machine or of a private network."""
    address = _unwrap_address(ipaddress.ip_address(text.partition("%")[0]))
    return address.is_global and not address.is_multicast and not _is_ours(address)


def _unwrap_address(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 address that carries one, otherwise the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if any(address in carrier for carrier in _CARRIER_NETWORKS):
        inside = address.sixtofour or ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        return inside
    return address


def _is_ours(address: Address) -> bool:
    """Return whether an interface of this machine has the address. No other address can be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((str(address), 0))
    except OSError:
        return False
    return True


# Rule 1: no message contains more of the address than its host, or any text of the server. Rule 2: one
# deadline covers a whole attempt, otherwise a slow server could block us for hours.


WEBHOOK_TIMEOUT_SECONDS = 20.0
"""The total time for one post."""

REDIRECTS = 3
MAX_RETRY_AFTER_MS: Millis = 24 * HOUR
"""A server that asks us to wait longer is tried again after this time."""

_WEBHOOK_SECRET_PREFIX = "whsec_"
PORTS = {"https": 443, "http": 80}
_REDIRECT_STATUSES = (301, 302, 307, 308)
_WEBHOOK_RETRY_STATUSES = (408, 409, 425, 429)


@dataclass(frozen=True)
class WebhookAnswer:
    """A server's reply. retry_after, location: its headers."""

    status: int
    retry_after: str | None = None
    location: str | None = None


@dataclass(frozen=True)
class Webhook:
    """One webhook. look_up: resolves its server's name. seconds: for an attempt."""

    channel: Channel
    look_up: NameLookup = addresses_of
    seconds: float = WEBHOOK_TIMEOUT_SECONDS

    def deliver(self, key: str, mark: str, body: bytes, now: Millis) -> Receipt:
        """Send a document. mark: its id. Return the result: "sent", "later" or "refused".

        It is never "unsure": the receiver recognises a repetition by its id.
        """
        try:
            url = self._url()
            return self._receipt(key, self._post(url, mark, body, now), now)
        except Refusal as fault:
            return Receipt(key=key, outcome="later", why=f"{fault.what}: {fault.why}")
        except NotPublic:
            why = "its address leads to this machine or into a private network, which needs  local = true"
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
            why = f"its server replied with status {status}"
            return Receipt(key=key, outcome="later", why=why, retry_at=retry_at(answer.retry_after, now))
        if 300 <= status < 400:
            return Receipt(key=key, outcome="refused", why=f"its server redirects us ({status})")
        return Receipt(key=key, outcome="refused", why=f"its server rejects it ({status})")

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
    """Return the key of a secret: the base64 after ``whsec_``, or its own bytes."""
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
    """Return until when a server wants to be left alone, from its Retry-After, or None."""
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
    """Return the identity of an address's server: scheme, host, port."""
    try:
        return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return "", None, None


# Posts by apprise, to any service that it supports: Discord, Matrix, Slack, Telegram and more.
#
# The library is optional (``turnpost[apprise]``) and loaded only when a post is sent. Its messages may
# contain secret addresses, so only the number of an error is passed on.


APPRISE_LIBRARY = "apprise"
INSTALL_APPRISE = 'Type "pip install turnpost[apprise]"'

_ERROR = re.compile(r"error[=: ]+(\d{3})\b")
_NOT_REACHED = re.compile(r"NewConnectionError|NameResolutionError|ConnectTimeout|Connection refused")
_CONNECTION_ERROR_RE = re.compile(r"Connection error|Socket Exception", re.IGNORECASE)
_LOADING = threading.Lock()


def is_apprise_installed() -> bool:
    """Return whether the library is installed."""
    return find_spec(APPRISE_LIBRARY) is not None


@dataclass(frozen=True)
class AppriseService:
    """One service, with an address in apprise's form."""

    channel: Channel

    def deliver(self, key: str, post: ChannelPost, picture: bytes | None) -> Receipt:
        """Send a post. Return the result: "sent", "later", "refused", or "unsure".

        An attempt that broke off is unsure: most services can't recognise a repetition, so it must not be
        sent again.
        """
        try:
            plugin = self._plugin()
        except Refusal as fault:
            return Receipt(key=key, outcome="later", why=f"{fault.what}: {fault.why}")
        with _EAR.capture() as log_lines, _picture_file(post, picture) as path:
            title, body = render_post(post, int(getattr(plugin, "body_maxlen", 0)))
            try:
                taken = plugin.notify(title=title, body=body, body_format="markdown", attach=path)
            except Exception as fault:  # any error in a service's code affects this post only
                return Receipt(key=key, outcome="unsure", why=f"apprise failed ({type(fault).__name__})")
        if taken:
            return Receipt(key=key, outcome="sent")
        outcome, why = read_verdict(log_lines)
        return Receipt(key=key, outcome=outcome, why=why)

    def _plugin(self) -> Any:
        """Return the plugin for the service.

        Raises Refusal if apprise isn't installed or doesn't know the address.
        """
        assert self.channel.url is not None, "it has an address"
        named = f"gm.toml: {self.channel.url.named}"
        if not is_apprise_installed():
            raise Refusal(named, "apprise isn't installed", INSTALL_APPRISE)
        with _LOADING, _EAR.capture(), warnings.catch_warnings():
            # It may import deprecated modules, which isn't our concern.
            warnings.simplefilter("ignore", DeprecationWarning)
            library = import_module(APPRISE_LIBRARY)
            asset = library.AppriseAsset(app_id="Turnpost", storage_mode="memory")
            plugin = library.Apprise.instantiate(self.channel.url.reveal(), asset=asset)
        if plugin is None:
            raise Refusal(named, "apprise doesn't know a service with this address")
        plugin.redirects = False
        return plugin


def read_verdict(log_lines: list[str]) -> tuple[Literal["later", "refused", "unsure"], str]:
    """Return the result for a rejected post, and the reason, from the library's log."""
    text = "\n".join(log_lines)
    match = _ERROR.search(text)
    if match is not None:
        status = int(match[1])
        if status >= 500 or status in (408, 409, 425, 429):
            return "later", f"the service replied with status {status}"
        return "refused", f"the service rejects it ({status})"
    if _CONNECTION_ERROR_RE.search(text) and not _NOT_REACHED.search(text):
        return "unsure", "the connection to the service broke"
    return "later", "the service can't be reached"


def render_post(post: ChannelPost, most: int) -> tuple[str, str]:
    """Return the title and the body of a post in Markdown: everything, if the service accepts that much.

    Otherwise the important part. For a turn that was processed, the title is the turn's name and the body
    begins with its story.
    """
    title = f"{post.game}: {post.turn.name}" if post.chapters and post.turn else post.heading
    if len(post.markdown) > most - len(title) - 100:
        return title, post.summary
    return title, post.markdown.removeprefix(f"# {title}\n").lstrip("\n")


class _LogCapture(logging.Handler):
    """Collects the library's log messages by thread."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._here = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message if its thread collects them."""
        log_lines = getattr(self._here, "said", None)
        if log_lines is not None:
            log_lines.append(record.getMessage())

    @contextmanager
    def capture(self) -> Iterator[list[str]]:
        """Yield everything that is logged meanwhile in this thread, and keep it out of other logs."""
        log = logging.getLogger(APPRISE_LIBRARY)
        log.addHandler(self)
        log.setLevel(logging.DEBUG)
        # The library's log contains addresses, and some of them contain passwords.
        log.propagate = False
        log_lines: list[str] = []
        self._here.said = log_lines
        try:
            yield log_lines
        finally:
            self._here.said = None


_EAR = _LogCapture()


@contextmanager
def _picture_file(post: ChannelPost, picture: bytes | None) -> Iterator[str | None]:
    """Yield the map as a file in the library's form, or None if the post has no map."""
    if picture is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="turnpost-") as folder:
        words = (post.game, post.turn and post.turn.short)
        path = Path(folder) / ("-".join(word for word in words if word) + ".png")
        path.write_bytes(picture)
        yield str(path)
