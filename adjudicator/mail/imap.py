"""A mailbox on an IMAP server.

An email is identified by folder, UIDVALIDITY and UID. If a server renumbers a folder, everything in it is
fetched again, and the database recognises it. Stored emails move to a separate folder. Nothing is deleted,
and no email is marked as seen.
"""

import imaplib
import logging
import random
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from itertools import groupby
from time import monotonic
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import CapabilityError, LoginError

from adjudicator.clock import DAY, Millis, datetime_of, instant_of
from adjudicator.config.secrets import Token
from adjudicator.config.servers import Imap
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.mail.envelope import add_missing_headers, is_traced
from adjudicator.mail.maildir import Known
from adjudicator.mail.oauth import access_token, forget_token, login_version
from adjudicator.model.mail import SKEW, IncomingLetter, ServiceStart

# One IMAP connection: connecting, TLS, login, commands. All errors become PostFault.
#
# A connection belongs to one thread. After any error it is closed: connect again.


CONNECT_SECONDS, READ_SECONDS = 15.0, 60.0
MINUTE, QUARTER = 60.0, 900.0

_TEMPORARY_LOGIN_CODES = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
"""The response codes for a login that is rejected only for now (RFC 5530)."""

# The library's exceptions, the fault for each, and when to retry. The first match counts.
_IMAP_FAULTS: tuple[tuple[type[Exception], type[PostFault], str, float], ...] = (
    (LoginError, LoginFault, "the login was rejected", QUARTER),
    (CapabilityError, LoginFault, "it lacks a capability that we need", QUARTER),
    (ssl.SSLCertVerificationError, LoginFault, "its certificate can't be trusted", QUARTER),
    (ssl.SSLError, PostFault, "TLS failed", MINUTE),
    (TimeoutError, PostFault, "it didn't reply in time", MINUTE),
    (socket.gaierror, PostFault, "its name can't be looked up", MINUTE),
    (imaplib.IMAP4.abort, PostFault, "the connection broke", 10.0),
    (imaplib.IMAP4.error, PostFault, "it rejected a command", MINUTE),
    (OSError, PostFault, "it can't be reached", MINUTE),
    # The library's parser fails on an invalid response.
    (ValueError, PostFault, "its reply isn't valid", MINUTE),
)
_CAUGHT = tuple(kind for kind, *_ in _IMAP_FAULTS)

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
Method = Callable[Concatenate["ImapConnection", Asked], Answer]


def _translate_faults(method: Method[Asked, Answer]) -> Method[Asked, Answer]:
    """Return a method that raises exceptions of the library as PostFault and then closes the connection."""

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
    """Return the fault for an exception of the library or the network.

    Exceptions not in the table are our bugs.
    """
    what, words = f"imap server {at.host}:{at.port}", " ".join(str(fault).split())
    broke = isinstance(fault, LoginError) and isinstance(fault.__context__, imaplib.IMAP4.abort)
    if broke or (isinstance(fault, LoginError) and any(sign in words for sign in _TEMPORARY_LOGIN_CODES)):
        return PostFault(what, f"the login failed ({words})", MINUTE)
    ours, meaning, retry_after = next(row[1:] for row in _IMAP_FAULTS if isinstance(fault, row[0]))
    return ours(what, f"{meaning} ({words})" if words else meaning, retry_after)


class ImapConnection:
    """A connection to a mailbox, logged in. Every method raises PostFault, the login LoginFault."""

    def __init__(
        self, at: Imap, connect_seconds: float = CONNECT_SECONDS, read_seconds: float = READ_SECONDS
    ) -> None:
        """Connect, use TLS as `at.tls` demands, and log in."""
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
        # The library would drop the time zone.
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
            # The older command only accepts ASCII.
            if client.has_capability("AUTH=PLAIN"):
                client.plain_login(self.at.username, password)
            else:
                client.login(self.at.username, password)
        except LoginError:
            self.at.password.forget()
            raise

    def _log_in_by_token(self, client: IMAPClient, token: Token) -> None:
        """Log in with a token. A rejected token may have been revoked, so another one is tried once."""
        if client.has_capability("AUTH=XOAUTH2"):
            log_in = client.oauth2_login
        elif client.has_capability("AUTH=OAUTHBEARER"):
            log_in = client.oauthbearer_login
        else:
            raise CapabilityError("XOAUTH2 or OAUTHBEARER")
        try:
            log_in(self.at.username, access_token(token))
        except LoginError as fault:
            if isinstance(fault.__context__, imaplib.IMAP4.abort):
                raise
            forget_token(token)
            log_in(self.at.username, access_token(token))

    @property
    def _imap(self) -> IMAPClient:
        if self._client is None:
            raise PostFault(f"imap server {self.at.host}:{self.at.port}", "the connection was lost", 10.0)
        return self._client

    @_translate_faults
    def has_capability(self, capability: str) -> bool:
        """Return whether the server has a capability, such as "MOVE"."""
        return bool(self._imap.has_capability(capability))

    @_translate_faults
    def open(self, folder: str, *, to_read: bool = False) -> int:
        """Open a folder for the following commands. Return its UIDVALIDITY. to_read: read-only."""
        return int(self._imap.select_folder(folder, readonly=to_read)[b"UIDVALIDITY"])

    @_translate_faults
    def next_number(self, folder: str) -> tuple[int, int]:
        """Return the UIDVALIDITY of a folder, and the UID that the next email in it will get."""
        status = self._imap.folder_status(folder, ["UIDVALIDITY", "UIDNEXT"])
        return int(status[b"UIDVALIDITY"]), int(status[b"UIDNEXT"])

    @_translate_faults
    def numbers(self, *criteria: str | date) -> list[int]:
        """Return the UIDs of the matching emails, in order."""
        return sorted(self._imap.search(list(criteria or ("ALL",))))

    @_translate_faults
    def facts(self, numbers: Sequence[int]) -> dict[int, tuple[int, Millis]]:
        """Return the size in bytes and the time of arrival of each email that still exists."""
        responses = self._imap.fetch(list(numbers), ["RFC822.SIZE", "INTERNALDATE"])
        return {
            number: (int(response[b"RFC822.SIZE"]), instant_of(response[b"INTERNALDATE"]))
            for number, response in responses.items()
            if b"RFC822.SIZE" in response and b"INTERNALDATE" in response
        }

    @_translate_faults
    def read(self, numbers: Iterable[int], most_bytes: int | None = None) -> dict[int, bytes]:
        """Return the bytes of each email that still exists, without marking it as seen.

        most_bytes: only the first bytes of each.
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
        """Move emails to another folder. If the server can't move, copy and delete them.

        If the server could only delete everything marked as deleted, the emails stay marked: the GM may
        have marked others.
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
        """Return a folder's name as this server wants it.

        Some servers use a prefix, or dots as separators.
        """
        if folder.upper() == "INBOX" or not self._imap.has_capability("NAMESPACE"):
            return folder
        personal = self._imap.namespace().personal
        prefix, sign = personal[0] if personal else ("", "/")
        name = folder.replace("/", sign or "/")
        return name if name.startswith(prefix) else prefix + name

    @_translate_faults
    def make(self, folder: str) -> None:
        """Create a folder unless it exists."""
        if not self._imap.folder_exists(folder):
            self._imap.create_folder(folder)

    @_translate_faults
    def has_folder(self, folder: str) -> bool:
        """Return whether a folder exists."""
        return bool(self._imap.folder_exists(folder))

    @_translate_faults
    def junk_folder(self) -> str | None:
        """Return the folder that the server marks as that for spam, or None."""
        if not self._imap.has_capability("SPECIAL-USE"):
            return None
        folders = self._imap.list_folders()
        return next((str(name) for flags, _, name in folders if rb"\Junk" in flags), None)

    @_translate_faults
    def listen(self) -> None:
        """Start IDLE, so that the server reports every change."""
        self._imap.idle()

    @_translate_faults
    def read_notifications(self, seconds: float) -> list[Any]:
        """Return the server's notifications as soon as there are any, or none at the end of the time."""
        return list(self._imap.idle_check(timeout=seconds))

    @_translate_faults
    def end_listening(self) -> list[Any]:
        """Leave IDLE. Return the last notifications. A lost connection is noticed here."""
        _, last = self._imap.idle_done()
        return list(last)

    def hang_up(self) -> None:
        """Close the connection, with a logout if possible. Raises nothing. May be called again."""
        client, self._client = self._client, None
        if client is None:
            return
        # Don't wait for a server that is gone.
        with suppress(Exception):
            client.socket().settimeout(2)
            client.logout()
            return
        with suppress(Exception):
            client.shutdown()


# A limit on logins to one account: providers lock accounts that log in too often.


BURST, EVERY_SECONDS = 4, 7.5
"""The number of connections allowed at once, and the time after which one more is allowed: 12 in any
minute."""


class Timer(Protocol):
    """Measures time and waits. Tests use one that doesn't wait."""

    def now(self) -> float:
        """Return the seconds since a fixed moment in the past."""

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        """Wait this long, or until `stop` is set. Return whether it is set."""


class MachineTimer:
    """The machine's own timer."""

    def now(self) -> float:
        return monotonic()

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        return stop.wait(seconds)


class ConnectionLimit:
    """The connections to one account, for any number of threads. They wait in order."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._lock = threading.Lock()
        self._next_turn = float("-inf")

    def wait_for_turn(self, stop: threading.Event) -> bool:
        """Wait until one more connection is allowed. Return False if `stop` was set before."""
        with self._lock:
            now = self._timer.now()
            # As if each connection used EVERY_SECONDS of the account, and BURST of them were free.
            turn = max(self._next_turn, now - (BURST - 1) * EVERY_SECONDS)
            self._next_turn = turn + EVERY_SECONDS
        return turn <= now or not self._timer.wait(stop, turn - now)


BATCH = 25
MAX_FETCHED_LETTER_BYTES = 1_000_000
"""A larger email isn't read. One byte more than this is fetched, so that its size shows."""

IMAP_IDLE_SECONDS = 540.0
"""IDLE is renewed after this time, because routers forget silent connections after ten minutes."""

LISTEN_SECONDS = 1.0
"""The longest wait for notifications, so that the end of the service is noticed."""

PROVEN_SECONDS = 60.0
"""An IDLE that lasted this long works. If the server ended it earlier, it has failed."""

FIRST_SECONDS, LONGEST_SECONDS = 2.0, 300.0
"""The shortest and the longest pause after a server error."""

log = logging.getLogger(__name__)


@dataclass
class Backoff:
    """Counts failures in a row.

    lot: the random source for the jitter, so that services don't retry together.
    """

    lot: random.Random = field(default_factory=random.Random)
    failures: int = 0

    def note_failure(self, at_least: float = 0.0) -> float:
        """Count a failure. Return the seconds to wait: twice as many each time, up to five minutes.

        at_least: the minimum for this failure. A rejected login asks for a quarter of an hour.
        """
        self.failures += 1
        usual = min(FIRST_SECONDS * 2 ** min(self.failures - 1, 20), LONGEST_SECONDS)
        return float(max(usual, at_least) * self.lot.uniform(0.75, 1.25))

    def reset(self) -> None:
        """Start again at zero."""
        self.failures = 0


class ImapMailbox:
    """Implements `Mailbox` for a server. Each poll and each lookup has its own connection.

    After an error the server is left alone for a while, longer each time. Until then every poll and lookup
    fails with the same error. A rejected login isn't tried again for a quarter of an hour, so that the
    account isn't locked. All connections count against `connections`, the limit of the account.
    """

    def __init__(
        self,
        at: Imap,
        *,
        connect_seconds: float = CONNECT_SECONDS,
        read_seconds: float = READ_SECONDS,
        idle_seconds: float = IMAP_IDLE_SECONDS,
        patience: Backoff | None = None,
        start: ServiceStart | None = None,
        timer: Timer | None = None,
        connections: ConnectionLimit | None = None,
    ) -> None:
        self.name = f"imap:{at.username}@{at.host}"
        self._at = at
        self._seconds = connect_seconds, read_seconds
        self._idle_seconds = idle_seconds
        self._patience = patience or Backoff()
        self._start = start
        self._timer = timer or MachineTimer()
        self._connections = connections or ConnectionLimit(self._timer)
        self._closed = threading.Event()
        self._rest: tuple[float, PostFault, object] | None = None
        self._polling: ImapConnection | None = None
        self._strikes: Counter[str] = Counter()

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `Mailbox`. A place is ``folder/uidvalidity/uid`` and is never reused.

        Of an email larger than 1 MB, only the beginning is fetched. Emails that made a poll fail come last
        in the next one, one by one, ordered by the number of failures. So an email that the server can't
        deliver doesn't block the others.
        """
        with self._rest_after_faults(), self._line() as line:
            self._polling = line
            try:
                line.make(line.full_name(self._at.kept))
                suspects: list[str] = []
                for folder in self._at.folders:
                    yield from self._new_in(line, folder, known, suspects)
                for place in sorted(suspects, key=self._strikes.__getitem__):
                    yield from self._fetch_suspect(line, place)
            finally:
                self._polling = None

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `Mailbox`."""
        if self._polling is not None:
            _tidy(self._polling, self._at, places)
            return
        with self._line() as line:
            _tidy(line, self._at, places)

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `Mailbox`: all of them over one connection."""
        times: dict[str, Millis] = {}
        if not message_ids:
            return times
        with self._rest_after_faults(), self._line() as line:
            for folder in (*self._at.folders, self._at.kept):
                name = line.full_name(folder)
                if line.has_folder(name):
                    line.open(name, to_read=True)
                    for message_id in message_ids:
                        numbers = line.numbers("HEADER", "Message-ID", message_id)
                        for _, taken in line.facts(numbers).values() if numbers else ():
                            times.setdefault(message_id, taken)
        return times

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `Mailbox`."""
        with self._line() as line:
            folders = self._at.folders
            return {self._folder_name(folder): line.next_number(line.full_name(folder)) for folder in folders}

    def count_left(self) -> int:
        """As in `Mailbox`."""
        if self._start is None:
            return 0
        count = 0
        with self._line() as line:
            for folder in self._at.folders:
                validity = line.open(line.full_name(folder), to_read=True)
                later = self._numbers_since_start(line, folder, validity)
                facts = line.facts(later) if later else {}
                new = [n for n, (_, at) in facts.items() if self._is_new(f"{folder}/{validity}/{n}", at)]
                count += len(line.numbers()) - len(new)
        return count

    def try_out(self) -> tuple[str, ...]:
        """As in `Mailbox`."""
        with self._line() as line:
            security = {"tls": "in TLS", "starttls": "under STARTTLS", "none": "without TLS, on this machine"}
            place = f"{self._at.host}:{self._at.port}"
            results = [f"login of {self._at.username} at {place}, {security[self._at.tls]}"]
            for folder in self._at.folders:
                name = line.full_name(folder)
                line.open(name, to_read=True)
                results.append(f"folder {name}, with {len(line.numbers())} emails")
            kept = line.full_name(self._at.kept)
            line.make(kept)
            results.append(f"folder {kept}, for emails that we have stored")
            if not line.has_capability("IDLE"):
                results.append("new emails are found by polling: the server has no IDLE")
            elif (why := _refusal_of_idle(line)) is not None:
                results.append(f"new emails are found by polling: the server rejects IDLE ({why})")
            return tuple(results)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `Mailbox`: by IDLE in the first folder. Returns if the server has no IDLE.

        If the server rejects IDLE, or ends it within a minute, it is tried again after 2 seconds, then after
        4, up to 5 minutes. Polls go on meanwhile.
        """
        patience = Backoff(self._patience.lot)
        while not stop.is_set():
            try:
                with self._line(stop) as line:
                    if not line.has_capability("IDLE"):
                        return
                    line.open(line.full_name(self._at.folders[0]), to_read=True)
                    self._listen(line, ring, stop, patience)
            except PostFault as fault:
                if stop.is_set():
                    return
                wait = patience.note_failure(_at_least(fault))
                log.info("waiting %.0f s before the next IDLE: %s", wait, fault)
                self._timer.wait(stop, wait)

    def close(self) -> None:
        """As in `Mailbox`: nothing is open between polls, and all waiting threads stop."""
        self._closed.set()

    def _new_in(
        self, line: ImapConnection, folder: str, known: Known, suspects: list[str]
    ) -> Iterator[IncomingLetter]:
        name = line.full_name(folder)
        validity = line.open(name)
        numbers = self._numbers_since_start(line, folder, validity)
        for batch in (numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)):
            places = {f"{folder}/{validity}/{number}": number for number in batch}
            old = set(known(list(places)))
            line.open(name)
            # They were stored, but the service died before they were moved.
            if kept_numbers := {number for place, number in places.items() if place in old}:
                self._move_on(line, kept_numbers)
            new = {number: place for place, number in places.items() if place not in old}
            suspects += (place for place in new.values() if place in self._strikes)
            new = {number: place for number, place in new.items() if place not in self._strikes}
            try:
                arrived = self._fetch(line, new)
            except PostFault:
                self._strikes.update(new.values())
                raise
            yield from arrived

    def _numbers_since_start(self, line: ImapConnection, folder: str, validity: int) -> list[int]:
        """Return the numbers of the emails in the open folder that may have arrived since the start."""
        if self._start is None:
            return line.numbers()
        # A server compares days, each in its own time zone.
        day = datetime_of(self._start.at - DAY - SKEW).date()
        first = self._start.first_number(self._folder_name(folder), validity) or 1
        return [number for number in line.numbers("SINCE", day) if number >= first]

    def _is_new(self, place: str, received: Millis) -> bool:
        if self._start is None:
            return True
        folder, validity, number = place.rsplit("/", 2)
        first = self._start.first_number(self._folder_name(folder), int(validity))
        return self._start.is_after(received, int(number), first)

    def _folder_name(self, folder: str) -> str:
        return f"{self.name}/{folder}"

    def _fetch_suspect(self, line: ImapConnection, place: str) -> Iterator[IncomingLetter]:
        """Return an email that made a poll fail. Raises a PostFault that names it if it fails again."""
        folder, validity, number = place.rsplit("/", 2)
        name = line.full_name(folder)
        if line.open(name) != int(validity):
            return
        try:
            arrived = self._fetch(line, {int(number): place})
        except PostFault as fault:
            self._strikes[place] += 1
            why = f"email {number} in the folder {name} can't be fetched ({fault.why})"
            what_to_do = (
                "the others were fetched; check this one with a mail program, and move it out of the folder"
            )
            raise PostFault(fault.what, f"{why}; {what_to_do}", fault.retry_after) from fault
        del self._strikes[place]
        yield from arrived

    def _move_on(self, line: ImapConnection, kept_numbers: set[int]) -> None:
        # Some servers leave moved emails in place, marked as deleted.
        if still := sorted(kept_numbers & set(line.numbers("UNDELETED"))):
            line.move(still, line.full_name(self._at.kept))

    def _fetch(self, line: ImapConnection, new: dict[int, str]) -> list[IncomingLetter]:
        facts = {
            number: fact
            for number, fact in (line.facts(list(new)) if new else {}).items()
            if self._is_new(new[number], fact[1])
        }
        large = [number for number, (size, _) in facts.items() if size > MAX_FETCHED_LETTER_BYTES]
        raw = line.read(number for number in facts if number not in large)
        raw |= line.read(large, MAX_FETCHED_LETTER_BYTES + 1)
        return [self._incoming_letter(new[number], facts[number][1], raw[number]) for number in sorted(raw)]

    def _incoming_letter(self, place: str, received: Millis, raw: bytes) -> IncomingLetter:
        # Numbers can be reused, trace headers can't. Without either, equal bytes may be a second email.
        named = add_missing_headers(raw, received, "" if is_traced(raw) else place)
        return IncomingLetter(mailbox=self.name, place=place, received=received, raw=named)

    def _listen(
        self, line: ImapConnection, ring: Callable[[], None], stop: threading.Event, patience: Backoff
    ) -> None:
        # The server accepts IDLE, or this raises.
        line.listen()
        began = self._timer.now()
        # Emails may have arrived before the IDLE.
        ring()
        while not stop.is_set():
            end = self._timer.now() + self._idle_seconds
            while not stop.is_set() and (remaining_s := end - self._timer.now()) > 0:
                asked, responses = (
                    self._timer.now(),
                    line.read_notifications(min(LISTEN_SECONDS, remaining_s)),
                )
                if self._timer.now() - began >= PROVEN_SECONDS:
                    patience.reset()
                if _tells_of_letters(responses):
                    ring()
                # A lost connection returns nothing at once; leaving IDLE shows the error.
                if not responses and self._timer.now() - asked < min(LISTEN_SECONDS, remaining_s) / 2:
                    break
            if _tells_of_letters(line.end_listening()):
                ring()
            if not stop.is_set():
                line.listen()

    @contextmanager
    def _line(self, stop: threading.Event | None = None) -> Iterator[ImapConnection]:
        """Connect when it is this connection's turn. stop: end the wait when it is set."""
        if not self._connections.wait_for_turn(stop or self._closed):
            raise PostFault(
                f"imap server {self._at.host}:{self._at.port}", "the service is stopping", FIRST_SECONDS
            )
        line = ImapConnection(self._at, *self._seconds)
        try:
            yield line
        finally:
            line.hang_up()

    @contextmanager
    def _rest_after_faults(self) -> Iterator[None]:
        """Raise the last error if the server is still to be left alone.

        A new password or token in its file ends the rest.
        """
        if self._rest is not None and self._timer.now() < self._rest[0]:
            if self._rest[2] == login_version(self._at):
                raise self._rest[1]
            self._patience.reset()
        try:
            yield
        except PostFault as fault:
            until = self._timer.now() + self._patience.note_failure(_at_least(fault))
            self._rest = until, fault, login_version(self._at)
            raise
        self._rest = None
        self._patience.reset()


def find_junk_folder(at: Imap) -> str | None:
    """Return the folder for spam, as the server marks it (RFC 6154), or None. Raises PostFault."""
    line = ImapConnection(at)
    try:
        return line.junk_folder()
    finally:
        line.hang_up()


def _tidy(line: ImapConnection, at: Imap, places: Sequence[str]) -> None:
    kept = line.full_name(at.kept)
    parted = sorted(place.rsplit("/", 2) for place in places)
    for (folder, validity), group in groupby(parted, key=lambda parts: (parts[0], parts[1])):
        # The folder was renumbered: these numbers may now be other emails'.
        if line.open(line.full_name(folder)) == int(validity):
            line.move(sorted(int(number) for _, _, number in group), kept)


def _refusal_of_idle(line: ImapConnection) -> str | None:
    """Return why the server doesn't accept IDLE, after closing the connection, or None if it does."""
    try:
        line.listen()
        line.end_listening()
    except PostFault as fault:
        return fault.why
    return None


def _tells_of_letters(responses: Sequence[object]) -> bool:
    return any(
        isinstance(response, tuple) and len(response) > 1 and response[1] == b"EXISTS"
        for response in responses
    )


def _at_least(fault: PostFault) -> float:
    return (fault.retry_after or 0.0) if isinstance(fault, LoginFault) else 0.0
