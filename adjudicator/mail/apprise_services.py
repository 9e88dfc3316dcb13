"""Posts by apprise, to any service that it speaks: Discord, Matrix, Slack, Telegram and more.

The library is optional (``turnpost[apprise]``) and loaded when a post goes out, not before. What it says may
hold addresses that are secret, so of all its words only the number of an error is passed on.
"""

import logging
import re
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from adjudicator.config.channels import Channel
from adjudicator.errors import Refusal
from adjudicator.model.channel_posts import ChannelPost
from adjudicator.model.mail import Receipt

APPRISE_LIBRARY = "apprise"
INSTALL_APPRISE = "pip install turnpost[apprise]"

_ERROR = re.compile(r"error[=: ]+(\d{3})\b")
_NOT_REACHED = re.compile(r"NewConnectionError|NameResolutionError|ConnectTimeout|Connection refused")
_CONNECTION_ERROR_RE = re.compile(r"Connection error|Socket Exception", re.IGNORECASE)
_LOADING = threading.Lock()


def is_apprise_installed() -> bool:
    """Return whether the library is installed."""
    return find_spec(APPRISE_LIBRARY) is not None


@dataclass(frozen=True)
class AppriseService:
    """One service by its address in apprise's own form."""

    channel: Channel

    def deliver(self, key: str, post: ChannelPost, picture: bytes | None) -> Receipt:
        """Hand a post over; what became of it: "sent", "later", "refused", or "unsure".

        Unsure is what broke off after it had begun: most services have no way to know a post again, so it
        must not be sent a second time.
        """
        try:
            plugin = self._plugin()
        except Refusal as fault:
            return Receipt(key=key, outcome="later", why=f"{fault.what}: {fault.why}")
        with _EAR.capture() as log_lines, _picture_file(post, picture) as path:
            title, body = render_post(post, int(getattr(plugin, "body_maxlen", 0)))
            try:
                taken = plugin.notify(title=title, body=body, body_format="markdown", attach=path)
            except Exception as fault:  # whatever a service's code raises concerns this post alone
                return Receipt(key=key, outcome="unsure", why=f"apprise broke off ({type(fault).__name__})")
        if taken:
            return Receipt(key=key, outcome="sent")
        outcome, why = read_verdict(log_lines)
        return Receipt(key=key, outcome=outcome, why=why)

    def _plugin(self) -> Any:
        """Return the plugin that speaks to the service.

        Raises Refusal where apprise is not installed, or knows no such address.
        """
        assert self.channel.url is not None, "it has an address"
        named = f"gm.toml: {self.channel.url.named}"
        if not is_apprise_installed():
            raise Refusal(named, "apprise is not installed", INSTALL_APPRISE)
        with _LOADING, _EAR.capture(), warnings.catch_warnings():
            # What it imports may be on its way out of Python, which is no business of ours.
            warnings.simplefilter("ignore", DeprecationWarning)
            library = import_module(APPRISE_LIBRARY)
            asset = library.AppriseAsset(app_id="Turnpost", storage_mode="memory")
            plugin = library.Apprise.instantiate(self.channel.url.reveal(), asset=asset)
        if plugin is None:
            raise Refusal(named, "apprise knows no service of such an address")
        plugin.redirects = False
        return plugin


def read_verdict(log_lines: list[str]) -> tuple[Literal["later", "refused", "unsure"], str]:
    """Return the outcome of a post that was not accepted, and why, by what the library logged."""
    text = "\n".join(log_lines)
    match = _ERROR.search(text)
    if match is not None:
        status = int(match[1])
        if status >= 500 or status in (408, 409, 425, 429):
            return "later", f"the service answers {status}"
        return "refused", f"the service refuses it ({status})"
    if _CONNECTION_ERROR_RE.search(text) and not _NOT_REACHED.search(text):
        return "unsure", "the connection to the service broke"
    return "later", "the service cannot be reached"


def render_post(post: ChannelPost, most: int) -> tuple[str, str]:
    """Return the title and the body of a post, in Markdown: all of it if the service takes that much.

    Else what matters. Of a turn that was played the title is its name: what happened in it is what the
    body begins with.
    """
    title = f"{post.game}: {post.turn.name}" if post.chapters and post.turn else post.heading
    if len(post.markdown) > most - len(title) - 100:
        return title, post.summary
    return title, post.markdown.removeprefix(f"# {title}\n").lstrip("\n")


class _LogCapture(logging.Handler):
    """Keeps what the library logs apart by the thread in which it does."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._here = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, where somebody listens."""
        log_lines = getattr(self._here, "said", None)
        if log_lines is not None:
            log_lines.append(record.getMessage())

    @contextmanager
    def capture(self) -> Iterator[list[str]]:
        """All that is logged meanwhile in this thread, and nowhere else."""
        log = logging.getLogger(APPRISE_LIBRARY)
        log.addHandler(self)
        log.setLevel(logging.DEBUG)
        # It names addresses, and some of those are passwords.
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
    """The map as a file, which is how the library takes it."""
    if picture is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="turnpost-") as folder:
        words = (post.game, post.turn and post.turn.short)
        path = Path(folder) / ("-".join(word for word in words if word) + ".png")
        path.write_bytes(picture)
        yield str(path)
