"""A game as one JSON document: what stands in it, how it is written, how a file is read.

docs/export.schema.json is the schema of `Export`; nothing that does not fit it is looked at any further.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from adjudicator.errors import Refusal
from adjudicator.ledger import seals
from adjudicator.ledger.bounds import Address, GameName, Instant, Line, SeatName, Secret, Sha
from adjudicator.ledger.hours import Deadlines, Timing
from adjudicator.ledger.letter_choice import LetterChoice
from adjudicator.ledger.positions import Chair, Entry
from adjudicator.ledger.society import Absence, Customs, Press, Vote
from adjudicator.store.clocks import Minute
from games.record import Bounds, Malformed, Record, changed, indented, load

VERSION = 2
READ = (1, 2)
"""The versions that are read. In the first no entry of a log has salts."""

GIVE = "give what  gm game export  wrote"
_NO_LOG = b'\n "log": []'
"""No text has a line's end in it, so that this stands in a document but once."""

SOMEBODY, GAMESMASTER = "player", "gm"
"""Who it was, where the log's own word for it is left out."""


class Logged(Record, frozen=True, kw_only=True):
    """An entry of the log, and the state after it."""

    entry: Entry
    state: Any


class Export(Record, frozen=True, kw_only=True):
    """A whole game. Instants are milliseconds UTC.

    turnpost: the version of this format; written: when, in ISO 8601; head: the SHA-256 of the last entry;
    commitment: the SHA-256 of the secret of the dice, which is in hexadecimal, and null in a public export
    of a game that is not over; public: whether what concerns people alone was left out (addresses, passwords,
    orders on file, the clock, press that is not for all, who wrote grey press), and of the log what is
    private, and all that came after the last turn that was played: such a document proves a game, and cannot
    be imported.
    """

    turnpost: Literal[1, 2] = 2
    game: GameName
    kind: Line
    written: Line
    public: bool = False
    status: Annotated[str, Bounds(pattern=r"^(?:running|finished)$(?!\n)")]
    deadline: Instant | None
    early: bool
    deadlines: Deadlines
    timing: Timing
    commitment: Sha
    secret: Secret | None
    seats: Annotated[tuple[Chair, ...], Bounds(min_length=1, max_length=100)]
    filed: dict[SeatName, tuple[Any, ...]]
    log: Annotated[tuple[Logged, ...], Bounds(min_length=1)]
    head: Sha
    customs: Customs
    press: tuple[Press, ...]
    absences: tuple[Absence, ...] = ()
    votes: tuple[Vote, ...] = ()
    vacancies: tuple[SeatName, ...] = ()
    observers: tuple[Address, ...] = ()
    minutes: tuple[Minute, ...] = ()
    letters: tuple[LetterChoice, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log without its states."""
        return tuple(one.entry for one in self.log)


def written(document: Export) -> bytes:
    """A document as it is saved: UTF-8 JSON, an entry a line or more."""
    return b"".join(pieces(document, document.log))


def pieces(document: Export, log: Iterable[Logged]) -> Iterator[bytes]:
    """The same bit by bit: of the log no more is held than an entry. log: what stands there as such."""
    before, _, after = indented(changed(document, log=())).partition(_NO_LOG)
    yield before + _NO_LOG.removesuffix(b"]")
    between = b"\n  "
    for one in log:
        yield between + indented(one).replace(b"\n", b"\n  ")
        between = b",\n  "
    yield b"\n ]" + after + b"\n"


def is_ours(raw: bytes) -> bool:
    """Whether a file is meant to be such a document, and not another program's."""
    return raw.lstrip().startswith(b"{") and b'"turnpost"' in raw


def read(raw: bytes, place: str) -> Export:
    """The document that a file holds. place: the file's name. Raises Refusal for anything else."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise Refusal(place, f"is no JSON: {fault}", GIVE) from fault
    if not isinstance(value, dict) or "turnpost" not in value:
        raise Refusal(place, "is no export of a game", GIVE)
    if value["turnpost"] not in READ:
        known = " and ".join(map(str, READ))
        raise Refusal(place, f"is of version {_shown(value['turnpost'])}", f"this program reads {known}")
    try:
        found: Export = load(Export, json.dumps(value).encode())
    except Malformed as fault:
        raise Refusal(place, f"is damaged: {_worded(str(fault))}", GIVE) from fault
    for number, entry in enumerate(found.entries):
        why = _misfit(entry, found.public)
        if why is not None:
            raise Refusal(place, f"is damaged: {why} - at `$.log[{number}].entry`", GIVE)
    return found


def _shown(value: object) -> str:
    return json.dumps(value)[:40]


def _worded(fault: str) -> str:
    """A fault as the library tells it, without the pattern that a text had to match."""
    return re.sub(
        r"Expected `(\w+)` matching regex .*(?= - at `[^`]*`$)",
        r"it is no \1 of the form that the schema asks for",
        fault,
    )


def _misfit(entry: Entry, public: bool) -> str | None:
    """What is wrong with the salts and digests of an entry, if anything."""
    salts = entry.salts if isinstance(entry.salts, dict) else {}
    withheld = entry.withheld if isinstance(entry.withheld, dict) else {}
    recorded = isinstance(entry.recorded, str)
    if (recorded or withheld) and not public:
        return "something is left out, and it is no public export"
    if entry.is_sealed and sorted([*salts, *withheld]) != sorted(seals.private(entry.kind)):
        return "its salts and digests are not those of its private parts"
    if entry.is_sealed and recorded:
        return "its hash is told, though it can be computed"
    if entry.by not in (SOMEBODY, GAMESMASTER) and "by" in withheld:
        return "it says who it was, and leaves it out"
    return None
