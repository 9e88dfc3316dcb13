"""Maildirs: one to read emails from, one to send them to, and safe delivery of a file into one."""

import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from adjudicator.clock import Millis
from adjudicator.errors import PostFault
from adjudicator.mail.envelope import add_missing_headers
from adjudicator.model.mail import IncomingLetter, OutgoingMessage, Receipt, ServiceStart
from games.record import replace_fields
from orders.mail.letter import message_id_of

# The interface of carriers, which send emails.


Begin = Callable[[OutgoingMessage], bool]
"""Called before the bytes of an email are sent. False: don't send it. May raise a Fault."""


@dataclass(frozen=True)
class DoubtPolicy:
    """The policy for an email that may or may not have been accepted.

    how: "again" (send it again, since a repetition does no harm), "probe" (look in our mailbox for the copy
    that was sent with it), "marked" (send it once more, with a note that it may be a repetition). wait: how
    long it may take until an accepted email shows.
    """

    how: Literal["again", "probe", "marked"]
    wait: Millis = 0


class Carrier(Protocol):
    """A way to send emails."""

    @property
    def doubt(self) -> DoubtPolicy:
        """Return the policy for emails with an "unsure" or lost receipt."""

    def try_out(self) -> tuple[str, ...]:
        """Connect and log in without sending.

        Return a description of the connection. Raises LoginFault, PostFault.
        """

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """Return the receipt of each email, in order. External errors are in the receipts."""


# The interface of mailboxes for incoming emails.


Known = Callable[[Sequence[str]], Collection[str]]
"""Returns those of some mailbox places that already have their email in the database."""


class Mailbox(Protocol):
    """A mailbox for incoming emails. Every method raises PostFault for external errors.

    Polls and lookups come from different threads, perhaps at the same time.
    """

    @property
    def name(self) -> str:
        """Return the mailbox's unique name, the same after each restart."""

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """Yield the emails that aren't marked as stored, in the order of arrival.

        Emails from before the service's start are skipped, if it is known.

        If places are never reused, emails with known places are tidied away unread.
        """

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """Return the next number in each folder, for the `ServiceStart` of a service set up now."""

    def count_left(self) -> int:
        """Return the number of emails from before the service's start, which stay in place."""

    def mark_kept(self, places: Sequence[str]) -> None:
        """Tidy emails away that are in the database. Nothing is deleted. May be repeated."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """Return the time of arrival of each email here with one of these Message-IDs, stored or not."""

    def try_out(self) -> tuple[str, ...]:
        """Do everything that a poll does except reading emails. Return a description of the result."""

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """Call `ring` whenever there may be new emails, until `stop`, in a separate thread.

        Returns at once if this mailbox can't announce emails. Then it must be polled.
        """

    def close(self) -> None:
        """Close the mailbox: threads that wait for its server stop waiting."""


KEPT_FOLDER = ".Kept"
"""The folder beside ``new`` and ``cur`` (Maildir++) for stored emails."""

SIZE_LIMIT_BYTES = 10 * 1024 * 1024
_MAILDIR_FOLDERS = ("new", "cur", f"{KEPT_FOLDER}/cur")
_HEAD_BYTES = 64 * 1024
_OWN_FILE_RE = re.compile(r"(\d{13})\.")


class MaildirMailbox:
    """A mailbox in a Maildir: emails in ``new`` or ``cur`` are new, stored ones move to ``.Kept``.

    The time of arrival is in the file's name (13 digits of milliseconds and a dot, as the built-in server
    writes it), otherwise it is the file's modification time.
    """

    def __init__(self, path: Path, start: ServiceStart | None = None) -> None:
        """Create the missing folders. Raises PostFault. start: of the service, if known."""
        self._start = start
        self.name = f"maildir:{path}"
        self._path = path
        with _fault_boundary(path):
            make_maildir(path)
            make_maildir(path / KEPT_FOLDER)

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `Mailbox`. A place is the file's path inside the Maildir, and can be reused.

        At most 10 MB of an email are read.
        """
        for received, place in self._waiting():
            if not self._is_new(received):
                continue
            with _fault_boundary(self._path):
                try:
                    with (self._path / place).open("rb") as file:
                        raw = file.read(SIZE_LIMIT_BYTES)
                except FileNotFoundError:
                    continue  # A mail program has moved or deleted it. The next poll will see its new place.
            # A mail program that opens an email only changes its file's name after the colon.
            raw = add_missing_headers(raw, received, Path(place).name.partition(":")[0])
            yield IncomingLetter(mailbox=self.name, place=place, received=received, raw=raw)

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `Mailbox`: files have none."""
        return {}

    def count_left(self) -> int:
        """As in `Mailbox`."""
        return sum(not self._is_new(received) for received, _ in self._waiting())

    def _is_new(self, received: Millis) -> bool:
        return self._start is None or self._start.is_after(received)

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `Mailbox`."""
        for place in places:
            source = self._path / place
            with _fault_boundary(self._path), suppress(FileNotFoundError):
                os.rename(source, _free(self._path / KEPT_FOLDER / "cur", source.name.partition(":")[0]))

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `Mailbox`."""
        wanted, times = set(message_ids), dict[str, Millis]()
        with _fault_boundary(self._path), suppress(FileNotFoundError):
            files = (file for folder in _MAILDIR_FOLDERS for file in (self._path / folder).iterdir())
            for file in files if wanted else ():
                if (message_id := _message_id(file)) in wanted:
                    times.setdefault(message_id, _received_at(file))
        return times

    def try_out(self) -> tuple[str, ...]:
        """As in `Mailbox`."""
        with _fault_boundary(self._path), tempfile.NamedTemporaryFile(dir=self._path / "tmp"):
            return (f"incoming mail: the Maildir {self._path}",)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `Mailbox`: a folder doesn't announce emails."""

    def close(self) -> None:
        """As in `Mailbox`: nothing stays open."""

    def _waiting(self) -> list[tuple[Millis, str]]:
        files_by_time: list[tuple[Millis, str]] = []
        with _fault_boundary(self._path):
            for folder in ("new", "cur"):
                for file in (self._path / folder).iterdir():
                    # A mail program can move it away between the two calls.
                    with suppress(FileNotFoundError):
                        if not file.name.startswith(".") and file.is_file():
                            files_by_time.append((_received_at(file), f"{folder}/{file.name}"))
        return sorted(files_by_time)


class MaildirCarrier:
    """A carrier that puts every email into one Maildir.

    The file's name is the email's key, so an email delivered twice exists once.
    """

    doubt = DoubtPolicy("again")

    def __init__(self, path: Path) -> None:
        """Create the missing folders. Raises PostFault."""
        self._path = path
        with _fault_boundary(path):
            make_maildir(path)

    def try_out(self) -> tuple[str, ...]:
        """As in `Carrier`."""
        with _fault_boundary(self._path), tempfile.NamedTemporaryFile(dir=self._path / "tmp"):
            return (f"outgoing mail: the Maildir {self._path}",)

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """As in `Carrier`."""
        return tuple(self._put(letter, begin) for letter in letters)

    def _put(self, letter: OutgoingMessage, begin: Begin) -> Receipt:
        if not begin(letter):
            return Receipt(key=letter.key, outcome="held", why="another worker has it")
        name = hashlib.sha256(letter.key.encode()).hexdigest()[:32] + ".turnpost"
        try:
            if not any((self._path / "cur").glob(name + "*")):
                write_letter(self._path, name, letter.raw)
        except OSError as fault:
            return Receipt(key=letter.key, outcome="held", why=str(fault))
        return Receipt(key=letter.key, outcome="sent")


def delete_kept(path: Path, is_wanted: Callable[[bytes], bool]) -> int:
    """Delete the emails of a mailbox that were read and meet a condition. Return their number."""
    files = [file for file in path.glob(f"{KEPT_FOLDER}/*/*") if is_wanted(file.read_bytes())]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def make_maildir(path: Path) -> None:
    """Create a Maildir's three folders, private because emails contain tokens. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    for folder in ("tmp", "new", "cur"):
        (path / folder).mkdir(exist_ok=True)


def write_letter(path: Path, name: str, raw: bytes) -> None:
    """Put an email into ``new`` atomically, on disk when this returns. Raises OSError.

    An existing email with the same name is replaced.
    """
    draft = path / "tmp" / f"{name}.{os.getpid()}"
    with draft.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, path / "new" / name)
    folder = os.open(path / "new", os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _received_at(file: Path) -> Millis:
    ours = _OWN_FILE_RE.match(file.name)
    return int(ours.group(1)) if ours else file.stat().st_mtime_ns // 1_000_000


def _message_id(file: Path) -> str:
    # A mail program can move it away meanwhile.
    with suppress(FileNotFoundError), file.open("rb") as opened:
        return message_id_of(opened.read(_HEAD_BYTES))
    return ""


def _free(folder: Path, name: str) -> Path:
    target, number = folder / f"{name}:2,S", 1
    while target.exists():
        target, number = folder / f"{name}-{number}:2,S", number + 1
    return target


@contextmanager
def _fault_boundary(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise PostFault(f"maildir {path}", str(fault), retry_after=60.0) from fault


# Several mailboxes as one: each of them is either polled or has failed.


_MAILBOX_SEPARATOR = "|"


class Mailboxes:
    """Several mailboxes as one. It has the name and the places of the first.

    A place in another one begins with that mailbox's name.
    """

    def __init__(self, boxes: Sequence[Mailbox]) -> None:
        self._boxes = {("" if place == 0 else box.name): box for place, box in enumerate(boxes)}

    @property
    def name(self) -> str:
        return self._boxes[""].name

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """Yield the new emails of all mailboxes. One mailbox's error is raised at the end."""
        faults: list[PostFault] = []
        for own, box in self._boxes.items():
            try:
                for arrived in box.new_letters(_known_in(own, known)):
                    yield replace_fields(arrived, mailbox=self.name, place=_place(own, arrived.place))
            except PostFault as fault:
                faults.append(_name_mailbox(fault, own))
        if faults:
            raise faults[0]

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """Return the numbers of all mailboxes. The folders' names contain the names of their mailboxes."""
        return {
            folder: number for box in self._boxes.values() for folder, number in box.first_numbers().items()
        }

    def count_left(self) -> int:
        return sum(box.count_left() for box in self._boxes.values())

    def mark_kept(self, places: Sequence[str]) -> None:
        for own, box in self._boxes.items():
            if mine := [bare for bare in (_bare(own, place, self._boxes) for place in places) if bare]:
                box.mark_kept(mine)

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """Ask the mailboxes until all emails are found. Raises PostFault only if an email is missing."""
        fault: PostFault | None = None
        times: dict[str, Millis] = {}
        for box in self._boxes.values():
            missing = [message_id for message_id in message_ids if message_id not in times]
            try:
                times |= box.arrival_times(missing) if missing else {}
            except PostFault as failed:
                fault = fault or failed
        if fault is not None and any(message_id not in times for message_id in message_ids):
            raise fault
        return times

    def try_out(self) -> tuple[str, ...]:
        results: list[str] = []
        for own, box in self._boxes.items():
            try:
                results += box.try_out()
            except PostFault as fault:
                raise _name_mailbox(fault, own) from fault
        return tuple(results)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """Listen to each mailbox in its own thread."""
        threads = [
            threading.Thread(target=box.watch, args=(ring, stop), name=f"watch {box.name}", daemon=True)
            for box in self._boxes.values()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def close(self) -> None:
        for box in self._boxes.values():
            box.close()


def _place(own: str, place: str) -> str:
    return f"{own}{_MAILBOX_SEPARATOR}{place}" if own else place


def _bare(own: str, place: str, boxes: Collection[str]) -> str | None:
    """Return a place under its name in one mailbox, or None if it is in another mailbox."""
    named, mark, bare = place.partition(_MAILBOX_SEPARATOR)
    if mark and named in boxes:
        return bare if named == own else None
    return None if own else place


def _known_in(own: str, known: Known) -> Known:
    def ask(places: Sequence[str]) -> Collection[str]:
        known_places = set(known([_place(own, place) for place in places]))
        return [place for place in places if _place(own, place) in known_places]

    return ask


def _name_mailbox(fault: PostFault, own: str) -> PostFault:
    """Return a fault that names the mailbox. own: its name, "" for the first."""
    return type(fault)(own, fault.why, fault.retry_after) if own else fault
