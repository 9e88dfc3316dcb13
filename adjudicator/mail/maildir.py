"""Maildirs: one to read letters from, one to send them to, and how a file gets into one."""

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

# The interface of carriers, which send letters: what every way to send them has in common.


Begin = Callable[[OutgoingMessage], bool]
"""Asked before the bytes of a letter go on the wire; False: it is not to be sent. May raise a Fault."""


@dataclass(frozen=True)
class DoubtPolicy:
    """The policy for a letter of which nobody knows whether it was accepted.

    how: "again" (send it again, a repetition does no harm), "probe" (look in our mailbox for the copy that
    was sent with it), "marked" (send it once more, and say in it that it may be a repetition); wait: how
    long it may take until what was taken shows.
    """

    how: Literal["again", "probe", "marked"]
    wait: Millis = 0


class Carrier(Protocol):
    """A way to send letters."""

    @property
    def doubt(self) -> DoubtPolicy:
        """Return the policy for letters whose receipt is "unsure", or never came."""

    def try_out(self) -> tuple[str, ...]:
        """Connect, log in and send nothing. Returns what works, in words. Raises LoginFault, PostFault."""

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """Return the receipt of each letter, in order. Faults of the world are in the receipts."""


# The interface of mailboxes, where letters come in.


Known = Callable[[Sequence[str]], Collection[str]]
"""Asked for some places of a mailbox, the ones whose letters are in the database already."""


class Mailbox(Protocol):
    """Where letters come in. Every method raises PostFault when the world does not do its part.

    Polls and look-ups come from different threads, perhaps at the same time.
    """

    @property
    def name(self) -> str:
        """Return the name that tells this mailbox from others, the same after each restart."""

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """The letters that are not marked as kept, in the order in which the server took them.

        Those that arrived before the service was set up are left alone, where that is known.

        Where a place is never given to another letter, those whose place is known are tidied away unread.
        """

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """Return the next number in each folder, for the `ServiceStart` of a service set up now."""

    def count_left(self) -> int:
        """Return how many emails arrived before the service was set up, and stay where they are."""

    def mark_kept(self, places: Sequence[str]) -> None:
        """Tidy letters away, once they are in the database. Nothing is deleted. May be repeated."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """When the server took each letter of those Message-IDs that lies here, kept or not."""

    def try_out(self) -> tuple[str, ...]:
        """Do all that a poll does but to read letters. Returns what was found to work, in words."""

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """Call `ring` whenever there may be new letters, until `stop`, in a thread of its own.

        Returns at once where this mailbox cannot tell; then it has to be looked into now and then.
        """

    def close(self) -> None:
        """Let go of the mailbox: whoever waits for its server waits no longer."""


KEPT_FOLDER = ".Kept"
"""The folder beside ``new`` and ``cur`` (Maildir++) to which kept letters go."""

SIZE_LIMIT_BYTES = 10 * 1024 * 1024
_MAILDIR_FOLDERS = ("new", "cur", f"{KEPT_FOLDER}/cur")
_HEAD_BYTES = 64 * 1024
_OWN_FILE_RE = re.compile(r"(\d{13})\.")


class MaildirMailbox:
    """A mailbox in a Maildir: what lies in ``new`` or ``cur`` is new, what is kept moves to ``.Kept``.

    A letter was received at the time in its file's name (13 digits of milliseconds and a dot, as the embedded
    server writes it), otherwise when the file was last changed.
    """

    def __init__(self, path: Path, start: ServiceStart | None = None) -> None:
        """Make the folders where they are missing. Raises PostFault. start: of the service, if known."""
        self._start = start
        self.name = f"maildir:{path}"
        self._path = path
        with _fault_boundary(path):
            make_maildir(path)
            make_maildir(path / KEPT_FOLDER)

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`; a place is the file's path inside the Maildir, and may come back.

        Of a letter no more than 10 MB are read.
        """
        for received, place in self._waiting():
            if not self._is_new(received):
                continue
            with _fault_boundary(self._path):
                try:
                    with (self._path / place).open("rb") as file:
                        raw = file.read(SIZE_LIMIT_BYTES)
                except FileNotFoundError:
                    continue  # A mail program moved it, or it was taken away: the next poll will see.
            # When a mail program has looked at it, a file keeps its name up to the colon.
            raw = add_missing_headers(raw, received, Path(place).name.partition(":")[0])
            yield IncomingLetter(mailbox=self.name, place=place, received=received, raw=raw)

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `mailbox.Mailbox`: files have none."""
        return {}

    def count_left(self) -> int:
        """As in `mailbox.Mailbox`."""
        return sum(not self._is_new(received) for received, _ in self._waiting())

    def _is_new(self, received: Millis) -> bool:
        return self._start is None or self._start.is_after(received)

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`."""
        for place in places:
            source = self._path / place
            with _fault_boundary(self._path), suppress(FileNotFoundError):
                os.rename(source, _free(self._path / KEPT_FOLDER / "cur", source.name.partition(":")[0]))

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `mailbox.Mailbox`."""
        wanted, times = set(message_ids), dict[str, Millis]()
        with _fault_boundary(self._path), suppress(FileNotFoundError):
            files = (file for folder in _MAILDIR_FOLDERS for file in (self._path / folder).iterdir())
            for file in files if wanted else ():
                if (message_id := _message_id(file)) in wanted:
                    times.setdefault(message_id, _received_at(file))
        return times

    def try_out(self) -> tuple[str, ...]:
        """As in `mailbox.Mailbox`."""
        with _fault_boundary(self._path), tempfile.NamedTemporaryFile(dir=self._path / "tmp"):
            return (f"letters in, the Maildir {self._path}",)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: a folder does not tell."""

    def close(self) -> None:
        """As in `mailbox.Mailbox`: nothing is held open."""

    def _waiting(self) -> list[tuple[Millis, str]]:
        files_by_time: list[tuple[Millis, str]] = []
        with _fault_boundary(self._path):
            for folder in ("new", "cur"):
                for file in (self._path / folder).iterdir():
                    # A mail program may move it away between the two.
                    with suppress(FileNotFoundError):
                        if not file.name.startswith(".") and file.is_file():
                            files_by_time.append((_received_at(file), f"{folder}/{file.name}"))
        return sorted(files_by_time)


class MaildirCarrier:
    """A carrier that puts every letter into one Maildir. The file is named by the letter's key, so that a
    letter that is delivered again is still there once."""

    doubt = DoubtPolicy("again")

    def __init__(self, path: Path) -> None:
        """Make the folders where they are missing. Raises PostFault."""
        self._path = path
        with _fault_boundary(path):
            make_maildir(path)

    def try_out(self) -> tuple[str, ...]:
        """As in `carrier.Carrier`."""
        with _fault_boundary(self._path), tempfile.NamedTemporaryFile(dir=self._path / "tmp"):
            return (f"letters out, the Maildir {self._path}",)

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """As in `carrier.Carrier`."""
        return tuple(self._put(letter, begin) for letter in letters)

    def _put(self, letter: OutgoingMessage, begin: Begin) -> Receipt:
        if not begin(letter):
            return Receipt(key=letter.key, outcome="held", why="it is in other hands")
        name = hashlib.sha256(letter.key.encode()).hexdigest()[:32] + ".turnpost"
        try:
            if not any((self._path / "cur").glob(name + "*")):
                write_letter(self._path, name, letter.raw)
        except OSError as fault:
            return Receipt(key=letter.key, outcome="held", why=str(fault))
        return Receipt(key=letter.key, outcome="sent")


def make_maildir(path: Path) -> None:
    """Make a Maildir's three folders, for nobody else: letters with tokens will be in it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    for folder in ("tmp", "new", "cur"):
        (path / folder).mkdir(exist_ok=True)


def write_letter(path: Path, name: str, raw: bytes) -> None:
    """Put a letter into ``new``: all of it or nothing, and on the disk when this returns. Raises OSError.

    A letter of the same name that is there already is replaced.
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
    # A mail program may move it away meanwhile.
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


# Several mailboxes as one: a poll has looked through each of them, or failed.


_MAILBOX_SEPARATOR = "|"


class Mailboxes:
    """Several mailboxes as one. Its name is that of the first, whose places are its own.

    A place in one of the others begins with that one's name.
    """

    def __init__(self, boxes: Sequence[Mailbox]) -> None:
        self._boxes = {("" if place == 0 else box.name): box for place, box in enumerate(boxes)}

    @property
    def name(self) -> str:
        return self._boxes[""].name

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """A mailbox that fails does not keep the letters of the others back; it is told in the end."""
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
        """Of all of them, since each names its folders by its own name."""
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
        """By the first of them that has it. One that fails is told only if any is missing."""
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
        """Each of them in a thread of its own."""
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
    """The place as that mailbox calls it; None if it is in another."""
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
    """A fault that says in which of the others it is. own: what that one is called, "" for the first."""
    return type(fault)(own, fault.why, fault.retry_after) if own else fault
