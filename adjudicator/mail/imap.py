"""A mailbox on an IMAP server.

A letter is known by folder, UIDVALIDITY and UID. When a server numbers a folder afresh everything in it is
fetched again, and the books find that they have it. What is kept moves to a folder of its own; nothing is
deleted, and no letter is marked as seen.
"""

import logging
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby

from adjudicator.clock import DAY, Millis, datetime_of
from adjudicator.config.servers import Imap
from adjudicator.errors import LoginFault, PostFault
from adjudicator.mail.connection_limit import ConnectionLimit, MachineTimer, Timer
from adjudicator.mail.imap_connection import CONNECT_SECONDS, READ_SECONDS, ImapConnection
from adjudicator.mail.mailbox import Known
from adjudicator.mail.missing_headers import add_missing_headers, is_traced
from adjudicator.model.mail import IncomingLetter
from adjudicator.model.service_start import SKEW, ServiceStart

BATCH = 25
MAX_FETCHED_LETTER_BYTES = 1_000_000
"""A larger letter is not read by anybody; of it one byte more than that is fetched, so that this shows."""

IMAP_IDLE_SECONDS = 540.0
"""After that long an IDLE is renewed: routers forget silent connections after ten minutes."""

LISTEN_SECONDS = 1.0
"""So soon it is noticed that nobody listens any more."""

PROVEN_SECONDS = 60.0
"""An IDLE that the server has kept up for so long works; one that it ended before has failed."""

FIRST_SECONDS, LONGEST_SECONDS = 2.0, 300.0
"""So long a server that failed is left alone at first, and at most."""

log = logging.getLogger(__name__)


@dataclass
class Backoff:
    """Counts failures in a row. lot: draws the jitter, so that many services do not come back together."""

    lot: random.Random = field(default_factory=random.Random)
    failures: int = 0

    def note_failure(self, at_least: float = 0.0) -> float:
        """One more failure. Returns the seconds to wait: twice as many each time, up to five minutes.

        at_least: what the failure itself asks for; a refused login asks for a quarter of an hour.
        """
        self.failures += 1
        usual = min(FIRST_SECONDS * 2 ** min(self.failures - 1, 20), LONGEST_SECONDS)
        return float(max(usual, at_least) * self.lot.uniform(0.75, 1.25))

    def reset(self) -> None:
        """Begin anew."""
        self.failures = 0


class ImapMailbox:
    """`mailbox.Mailbox` on a server. Each poll and each look-up has a connection of its own.

    A server that failed is left alone for a while, longer each time; until then every poll and look-up fails
    with what it failed with. A refused login is not tried again for a quarter of an hour, lest the account be
    locked. All connections wait for their turn by `connections`, the limit of the account.
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
        self._rest: tuple[float, PostFault] | None = None
        self._polling: ImapConnection | None = None
        self._strikes: Counter[str] = Counter()

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`; a place is ``folder/uidvalidity/uid``, and never given twice.

        Of a letter larger than 1 MB only the beginning is fetched. Letters over which a poll failed come last
        in the next one, each by itself, and what failed most often after all others: so a letter that the
        server cannot give keeps no other from coming.
        """
        with self._rest_after_faults(), self._line() as line:
            self._polling = line
            try:
                line.make(line.full_name(self._at.kept))
                suspects: list[str] = []
                for folder in self._at.folders:
                    yield from self._new_in(line, folder, known, suspects)
                for place in sorted(suspects, key=self._strikes.__getitem__):
                    yield from self._by_itself(line, place)
            finally:
                self._polling = None

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`."""
        if self._polling is not None:
            _tidy(self._polling, self._at, places)
            return
        with self._line() as line:
            _tidy(line, self._at, places)

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `mailbox.Mailbox`: all of them over one connection."""
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
        """As in `mailbox.Mailbox`."""
        with self._line() as line:
            folders = self._at.folders
            return {self._folder_name(folder): line.next_number(line.full_name(folder)) for folder in folders}

    def count_left(self) -> int:
        """As in `mailbox.Mailbox`."""
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
        """As in `mailbox.Mailbox`."""
        with self._line() as line:
            results = [
                f"login of {self._at.username} at {self._at.host}:{self._at.port}, "
                f"{_security_words(self._at)}"
            ]
            for folder in self._at.folders:
                name = line.full_name(folder)
                line.open(name, to_read=True)
                results.append(f"folder {name}, with {len(line.numbers())} letters")
            kept = line.full_name(self._at.kept)
            line.make(kept)
            results.append(f"folder {kept}, to which letters move when they are kept")
            if not line.has_capability("IDLE"):
                results.append("letters are found by looking now and then: the server has no IDLE")
            elif (why := _refusal_of_idle(line)) is not None:
                results.append(f"emails are found by looking now and then: the server refuses IDLE ({why})")
            return tuple(results)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: by IDLE in the first of the folders; returns where the server has none.

        Where the server refuses IDLE, or ends it within a minute, it is tried again after 2 seconds, then
        after 4, up to 5 minutes. Polls go on meanwhile.
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
                log.info("IDLE pauses for %.0f s: %s", wait, fault)
                self._timer.wait(stop, wait)

    def close(self) -> None:
        """As in `mailbox.Mailbox`: nothing is open between polls, and nothing waits for its turn any more."""
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
            # They were kept, but the service died before they were moved.
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
        """The numbers of those emails in the folder that is open that may have come since the start."""
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

    def _by_itself(self, line: ImapConnection, place: str) -> Iterator[IncomingLetter]:
        """A letter over which a poll failed. Raises PostFault that names it when it fails again."""
        folder, validity, number = place.rsplit("/", 2)
        name = line.full_name(folder)
        if line.open(name) != int(validity):
            return
        try:
            arrived = self._fetch(line, {int(number): place})
        except PostFault as fault:
            self._strikes[place] += 1
            why = f"letter {number} of the folder {name} cannot be fetched ({fault.why})"
            what_to_do = "the others were; look at it with a mail program, and move it out of the folder"
            raise PostFault(fault.what, f"{why}; {what_to_do}", fault.retry_after) from fault
        del self._strikes[place]
        yield from arrived

    def _move_on(self, line: ImapConnection, kept_numbers: set[int]) -> None:
        # Some servers leave what was moved where it was, marked as deleted.
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
        # Numbers are given afresh, traces are not: without either, what says the same may be a second letter.
        named = add_missing_headers(raw, received, "" if is_traced(raw) else place)
        return IncomingLetter(mailbox=self.name, place=place, received=received, raw=named)

    def _listen(
        self, line: ImapConnection, ring: Callable[[], None], stop: threading.Event, patience: Backoff
    ) -> None:
        # The server accepts IDLE, or this raises.
        line.listen()
        began = self._timer.now()
        # Something may have come while nobody listened.
        ring()
        while not stop.is_set():
            end = self._timer.now() + self._idle_seconds
            while not stop.is_set() and (remaining_s := end - self._timer.now()) > 0:
                asked, heard = self._timer.now(), line.read_notifications(min(LISTEN_SECONDS, remaining_s))
                if self._timer.now() - began >= PROVEN_SECONDS:
                    patience.reset()
                if _tells_of_letters(heard):
                    ring()
                # A connection that is gone hears nothing, and at once; leaving IDLE tells what it is.
                if not heard and self._timer.now() - asked < min(LISTEN_SECONDS, remaining_s) / 2:
                    break
            if _tells_of_letters(line.end_listening()):
                ring()
            if not stop.is_set():
                line.listen()

    @contextmanager
    def _line(self, stop: threading.Event | None = None) -> Iterator[ImapConnection]:
        """Dial when it is this connection's turn. stop: whoever waits for that gives up when it is set."""
        if not self._connections.wait_for_turn(stop or self._closed):
            raise PostFault(
                f"imap server {self._at.host}:{self._at.port}", "the service stops", FIRST_SECONDS
            )
        line = ImapConnection(self._at, *self._seconds)
        try:
            yield line
        finally:
            line.hang_up()

    @contextmanager
    def _rest_after_faults(self) -> Iterator[None]:
        """Leave a server that failed alone, until its time has come."""
        if self._rest is not None and self._timer.now() < self._rest[0]:
            raise self._rest[1]
        try:
            yield
        except PostFault as fault:
            self._rest = self._timer.now() + self._patience.note_failure(_at_least(fault)), fault
            raise
        self._rest = None
        self._patience.reset()


def _tidy(line: ImapConnection, at: Imap, places: Sequence[str]) -> None:
    kept = line.full_name(at.kept)
    parted = sorted(place.rsplit("/", 2) for place in places)
    for (folder, validity), group in groupby(parted, key=lambda parts: (parts[0], parts[1])):
        # Numbered afresh meanwhile: those numbers may be other letters' now.
        if line.open(line.full_name(folder)) == int(validity):
            line.move(sorted(int(number) for _, _, number in group), kept)


def _refusal_of_idle(line: ImapConnection) -> str | None:
    """Say why the server does not accept IDLE, in which case the line is hung up; None where it does."""
    try:
        line.listen()
        line.end_listening()
    except PostFault as fault:
        return fault.why
    return None


def _tells_of_letters(heard: Sequence[object]) -> bool:
    return any(
        isinstance(response, tuple) and len(response) > 1 and response[1] == b"EXISTS" for response in heard
    )


def _at_least(fault: PostFault) -> float:
    return (fault.retry_after or 0.0) if isinstance(fault, LoginFault) else 0.0


def _security_words(at: Imap) -> str:
    return {"tls": "in TLS", "starttls": "under STARTTLS", "none": "without TLS, on this machine"}[at.tls]
