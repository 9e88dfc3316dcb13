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

from adjudicator.errors import Refusal
from adjudicator.ledger.letters import Receipt
from adjudicator.ledger.posts import Post
from adjudicator.settings.channel import Channel

LIBRARY = "apprise"
INSTALL = "pip install turnpost[apprise]"

_ERROR = re.compile(r"error[=: ]+(\d{3})\b")
_NOT_REACHED = re.compile(r"NewConnectionError|NameResolutionError|ConnectTimeout|Connection refused")
_BROKEN = re.compile(r"Connection error|Socket Exception", re.IGNORECASE)
_LOADING = threading.Lock()


def is_there() -> bool:
    """Whether the library is installed."""
    return find_spec(LIBRARY) is not None


@dataclass(frozen=True)
class Service:
    """One service by its address in apprise's own form."""

    channel: Channel

    def deliver(self, key: str, told: Post, picture: bytes | None) -> Receipt:
        """Hand a post over; what became of it: "sent", "later", "refused", or "unsure".

        Unsure is what broke off after it had begun: most services have no way to know a post again, so it
        must not be sent a second time.
        """
        try:
            plugin = self._plugin()
        except Refusal as fault:
            return Receipt(key=key, outcome="later", why=f"{fault.what}: {fault.why}")
        with _EAR.listening() as said, _file(told, picture) as path:
            title, body = posted(told, int(getattr(plugin, "body_maxlen", 0)))
            try:
                taken = plugin.notify(title=title, body=body, body_format="markdown", attach=path)
            except Exception as fault:  # whatever a service's code raises concerns this post alone
                return Receipt(key=key, outcome="unsure", why=f"apprise broke off ({type(fault).__name__})")
        if taken:
            return Receipt(key=key, outcome="sent")
        outcome, why = verdict_of(said)
        return Receipt(key=key, outcome=outcome, why=why)

    def _plugin(self) -> Any:
        """What speaks to the service. Raises Refusal where apprise is not there, or knows no such address."""
        assert self.channel.url is not None, "it has an address"
        named = f"gm.toml: {self.channel.url.named}"
        if not is_there():
            raise Refusal(named, "apprise is not installed", INSTALL)
        with _LOADING, _EAR.listening(), warnings.catch_warnings():
            # What it imports may be on its way out of Python, which is no business of ours.
            warnings.simplefilter("ignore", DeprecationWarning)
            library = import_module(LIBRARY)
            asset = library.AppriseAsset(app_id="Turnpost", storage_mode="memory")
            plugin = library.Apprise.instantiate(self.channel.url.reveal(), asset=asset)
        if plugin is None:
            raise Refusal(named, "apprise knows no service of such an address")
        plugin.redirects = False
        return plugin


def verdict_of(said: list[str]) -> tuple[Literal["later", "refused", "unsure"], str]:
    """What became of a post that was not taken, by what the library logged."""
    text = "\n".join(said)
    found = _ERROR.search(text)
    if found is not None:
        status = int(found[1])
        if status >= 500 or status in (408, 409, 425, 429):
            return "later", f"the service answers {status}"
        return "refused", f"the service refuses it ({status})"
    if _BROKEN.search(text) and not _NOT_REACHED.search(text):
        return "unsure", "the connection to the service broke"
    return "later", "the service cannot be reached"


def posted(told: Post, most: int) -> tuple[str, str]:
    """The title and the body of a post, in Markdown: all of it where a service takes so many signs in one.

    Else what matters. Of a turn that was played the title is its name: what happened in it is what the body
    begins with.
    """
    title = f"{told.game}: {told.turn.name}" if told.chapters and told.turn else told.heading
    if len(told.markdown) > most - len(title) - 100:
        return title, told.summary
    return title, told.markdown.removeprefix(f"# {title}\n").lstrip("\n")


class _Ear(logging.Handler):
    """Keeps what the library logs apart by the thread in which it does."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._here = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, where somebody listens."""
        said = getattr(self._here, "said", None)
        if said is not None:
            said.append(record.getMessage())

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """All that is logged meanwhile in this thread, and nowhere else."""
        log = logging.getLogger(LIBRARY)
        log.addHandler(self)
        log.setLevel(logging.DEBUG)
        # It names addresses, and some of those are passwords.
        log.propagate = False
        said: list[str] = []
        self._here.said = said
        try:
            yield said
        finally:
            self._here.said = None


_EAR = _Ear()


@contextmanager
def _file(told: Post, picture: bytes | None) -> Iterator[str | None]:
    """The map as a file, which is how the library takes it."""
    if picture is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="turnpost-") as folder:
        words = (told.game, told.turn and told.turn.short)
        path = Path(folder) / ("-".join(word for word in words if word) + ".png")
        path.write_bytes(picture)
        yield str(path)
