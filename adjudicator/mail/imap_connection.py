"""One IMAP connection: dialled, secured, logged in, and asked; what goes wrong leaves as PostFault.

A line belongs to one thread. When anything went wrong on it, it is hung up: dial again.
"""

import imaplib
import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import CapabilityError, LoginError

from adjudicator.clock import Millis, instant_of
from adjudicator.config.secrets import Token
from adjudicator.config.servers import Imap
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail.oauth import access_token, forget_token

CONNECT_SECONDS, READ_SECONDS = 15.0, 60.0
MINUTE, QUARTER = 60.0, 900.0

_TEMPORARY_LOGIN_CODES = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
"""What a server says of a login that it refuses for the moment only (RFC 5530)."""

# The edge: what the library raises, as what it leaves, what it means, when to try again; the first that fits.
_IMAP_FAULTS: tuple[tuple[type[Exception], type[PostFault], str, float], ...] = (
    (LoginError, LoginFault, "the login was refused", QUARTER),
    (CapabilityError, LoginFault, "it cannot do what is needed", QUARTER),
    (ssl.SSLCertVerificationError, LoginFault, "its certificate is not to be trusted", QUARTER),
    (ssl.SSLError, PostFault, "TLS did not come about", MINUTE),
    (TimeoutError, PostFault, "it does not answer in time", MINUTE),
    (socket.gaierror, PostFault, "its name cannot be looked up", MINUTE),
    (imaplib.IMAP4.abort, PostFault, "the connection broke", 10.0),
    (imaplib.IMAP4.error, PostFault, "it refused a command", MINUTE),
    (OSError, PostFault, "it cannot be reached", MINUTE),
    # The parser of the library meets an answer that is none.
    (ValueError, PostFault, "it gave an answer that makes no sense", MINUTE),
)
_CAUGHT = tuple(kind for kind, *_ in _IMAP_FAULTS)

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
Method = Callable[Concatenate["ImapConnection", Asked], Answer]


def _translate_faults(method: Method[Asked, Answer]) -> Method[Asked, Answer]:
    """A method that speaks to the server."""

    @wraps(method)
    def ask(line: "ImapConnection", /, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        try:
            return method(line, *args, **kwargs)
        except PostFault:
            line.hang_up()
            raise
        except _CAUGHT as fault:
            line.hang_up()
            raise translate_fault(line.at, fault) from fault

    return ask


def translate_fault(at: Imap, fault: Exception) -> PostFault:
    """Return the fault that an exception of the library, or of the network, means.

    Those not in the table are our bugs.
    """
    what, words = f"imap server {at.host}:{at.port}", " ".join(str(fault).split())
    broke = isinstance(fault, LoginError) and isinstance(fault.__context__, imaplib.IMAP4.abort)
    if broke or (isinstance(fault, LoginError) and any(sign in words for sign in _TEMPORARY_LOGIN_CODES)):
        return PostFault(what, f"the login did not come about ({words})", MINUTE)
    ours, meaning, retry_after = next(row[1:] for row in _IMAP_FAULTS if isinstance(fault, row[0]))
    return ours(what, f"{meaning} ({words})" if words else meaning, retry_after)


class ImapConnection:
    """A connection to a mailbox, logged in. Raises PostFault from every method, LoginFault from the first."""

    def __init__(
        self, at: Imap, connect_seconds: float = CONNECT_SECONDS, read_seconds: float = READ_SECONDS
    ) -> None:
        """Dial, secure the line as `at.tls` demands, and log in."""
        self.at = at
        self._client: IMAPClient | None = None
        self._open: tuple[str, bool] | None = None
        self._dial(SocketTimeout(connect_seconds, read_seconds))

    @_translate_faults
    def _dial(self, timeout: SocketTimeout) -> None:
        at = self.at
        context = None if at.tls == "none" else ssl.create_default_context(cafile=at.ca_file)
        self._client = client = IMAPClient(
            at.host, at.port, ssl=at.tls == "tls", ssl_context=context, timeout=timeout
        )
        # The library's own way is to drop the time zone.
        client.normalise_times = False
        if at.tls == "starttls":
            client.starttls(context)
        self._log_in(client)

    def _log_in(self, client: IMAPClient) -> None:
        try:
            if self.at.token is not None:
                self._log_in_by_token(client, self.at.token)
                return
            assert self.at.password is not None, "one of the two is there"
            password = self.at.password.reveal()
        except Refusal as fault:
            raise LoginFault(fault.what, fault.why, QUARTER) from fault
        try:
            # The older command knows no letters but English ones.
            if client.has_capability("AUTH=PLAIN"):
                client.plain_login(self.at.username, password)
            else:
                client.login(self.at.username, password)
        except LoginError:
            self.at.password.forget()
            raise

    def _log_in_by_token(self, client: IMAPClient, token: Token) -> None:
        """Log in by XOAUTH2. A token that is refused may have been revoked: another one is tried, once."""
        if not client.has_capability("AUTH=XOAUTH2"):
            raise CapabilityError("XOAUTH2")
        try:
            client.oauth2_login(self.at.username, access_token(token))
        except LoginError as fault:
            if isinstance(fault.__context__, imaplib.IMAP4.abort):
                raise
            forget_token(token)
            client.oauth2_login(self.at.username, access_token(token))

    @property
    def _imap(self) -> IMAPClient:
        if self._client is None:
            raise PostFault(f"imap server {self.at.host}:{self.at.port}", "the connection is gone", 10.0)
        return self._client

    @_translate_faults
    def has_capability(self, capability: str) -> bool:
        """Return whether the server has a capability, such as "MOVE"."""
        return bool(self._imap.has_capability(capability))

    @_translate_faults
    def open(self, folder: str, *, to_read: bool = False) -> int:
        """Open a folder; what follows is about it. Returns its UIDVALIDITY. to_read: change nothing there."""
        return int(self._imap.select_folder(folder, readonly=to_read)[b"UIDVALIDITY"])

    @_translate_faults
    def next_number(self, folder: str) -> tuple[int, int]:
        """Return the UIDVALIDITY of a folder, and the UID that the next email in it will get."""
        status = self._imap.folder_status(folder, ["UIDVALIDITY", "UIDNEXT"])
        return int(status[b"UIDVALIDITY"]), int(status[b"UIDNEXT"])

    @_translate_faults
    def numbers(self, *criteria: str | date) -> list[int]:
        """The UIDs of the letters that match, in their order."""
        return sorted(self._imap.search(list(criteria or ("ALL",))))

    @_translate_faults
    def facts(self, numbers: Sequence[int]) -> dict[int, tuple[int, Millis]]:
        """Return the size in bytes of each letter that is still there, and when the server took it."""
        responses = self._imap.fetch(list(numbers), ["RFC822.SIZE", "INTERNALDATE"])
        return {
            number: (int(response[b"RFC822.SIZE"]), instant_of(response[b"INTERNALDATE"]))
            for number, response in responses.items()
            if b"RFC822.SIZE" in response and b"INTERNALDATE" in response
        }

    @_translate_faults
    def read(self, numbers: Iterable[int], most_bytes: int | None = None) -> dict[int, bytes]:
        """The bytes of each letter that is still there, which does not become "seen" by it.

        most_bytes: no more of each than its first so many.
        """
        part = "" if most_bytes is None else f"<0.{most_bytes}>"
        wanted = list(numbers)
        responses = self._imap.fetch(wanted, [f"BODY.PEEK[]{part}"]) if wanted else {}
        key = b"BODY[]" if most_bytes is None else b"BODY[]<0>"
        return {
            number: bytes(response[key])
            for number, response in responses.items()
            if response.get(key) is not None
        }

    @_translate_faults
    def move(self, numbers: Sequence[int], folder: str) -> None:
        """Move letters to another folder. A server that cannot has them copied, and then taken away here.

        Where only all that is marked as deleted could be taken away, they stay, marked: a person may have
        marked others.
        """
        wanted = list(numbers)
        if self._imap.has_capability("MOVE"):
            self._imap.move(wanted, folder)
            return
        self._imap.copy(wanted, folder)
        self._imap.delete_messages(wanted, silent=True)
        if self._imap.has_capability("UIDPLUS"):
            self._imap.uid_expunge(wanted)

    @_translate_faults
    def full_name(self, folder: str) -> str:
        """A folder's name as this server wants it: on some, all lie below a prefix, or are parted by dots."""
        if folder.upper() == "INBOX" or not self._imap.has_capability("NAMESPACE"):
            return folder
        personal = self._imap.namespace().personal
        prefix, sign = personal[0] if personal else ("", "/")
        name = folder.replace("/", sign or "/")
        return name if name.startswith(prefix) else prefix + name

    @_translate_faults
    def make(self, folder: str) -> None:
        """Make a folder, unless it is there."""
        if not self._imap.folder_exists(folder):
            self._imap.create_folder(folder)

    @_translate_faults
    def has_folder(self, folder: str) -> bool:
        """Return whether there is such a folder."""
        return bool(self._imap.folder_exists(folder))

    @_translate_faults
    def listen(self) -> None:
        """Have the server tell of every change from now on (IDLE)."""
        self._imap.idle()

    @_translate_faults
    def read_notifications(self, seconds: float) -> list[Any]:
        """Return the server's notifications as soon as there are any; none when the time is over."""
        return list(self._imap.idle_check(timeout=seconds))

    @_translate_faults
    def end_listening(self) -> list[Any]:
        """Leave IDLE. What the server still told. A server that has gone is noticed here."""
        _, last = self._imap.idle_done()
        return list(last)

    def hang_up(self) -> None:
        """End the connection, orderly if it can be. Raises nothing; may be repeated."""
        client, self._client = self._client, None
        if client is None:
            return
        # Whoever is gone is not waited for.
        with suppress(Exception):
            client.socket().settimeout(2)
            client.logout()
            return
        with suppress(Exception):
            client.shutdown()
