"""A game as one JSON document: its content, how it is written, how a file is read.

docs/export.schema.json is the schema of `GameExport`, by `EXPORT_SCHEMA_NAMES`; nothing that does not fit it
is looked at any further.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from adjudicator.errors import Refusal
from adjudicator.model import seals
from adjudicator.model.bounds import Address, GameName, Instant, Line, SeatName, Secret, Sha
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.model.games import DiceRoll, LogEntry, SeatAssignment
from adjudicator.model.letter_choice import LetterChoice
from adjudicator.model.people import Absence, GamePolicy, Press, Vote
from adjudicator.storage.clocks import Minute
from games.record import Bounds, Malformed, Record, format_indented, load, replace_fields

EXPORT_VERSION = 2
READABLE_VERSIONS = (1, 2)
"""The versions that are read. In the first no entry of a log has salts."""

GIVE_AN_EXPORT = "give what  gm game export  wrote"
_NO_LOG = b'\n "log": []'
"""No text has a line's end in it, so that this stands in a document but once."""

SOMEBODY, GAMESMASTER = "player", "gm"
"""Who it was, where the log's own word for it is left out."""


class LoggedEntry(Record, frozen=True, kw_only=True):
    """An entry of the log, and the state after it."""

    entry: LogEntry
    state: Any


class GameExport(Record, frozen=True, kw_only=True):
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
    seats: Annotated[tuple[SeatAssignment, ...], Bounds(min_length=1, max_length=100)]
    filed: dict[SeatName, tuple[Any, ...]]
    log: Annotated[tuple[LoggedEntry, ...], Bounds(min_length=1)]
    head: Sha
    customs: GamePolicy
    press: tuple[Press, ...]
    absences: tuple[Absence, ...] = ()
    votes: tuple[Vote, ...] = ()
    vacancies: tuple[SeatName, ...] = ()
    observers: tuple[Address, ...] = ()
    minutes: tuple[Minute, ...] = ()
    letters: tuple[LetterChoice, ...] = ()

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The log without its states."""
        return tuple(logged_entry.entry for logged_entry in self.log)


EXPORT_SCHEMA_NAMES: dict[type, str] = {
    GameExport: "Export",
    LoggedEntry: "Logged",
    LogEntry: "Entry",
    DiceRoll: "Throw",
    SeatAssignment: "Chair",
    GamePolicy: "Customs",
}
"""What the published schema calls these records: its names stay, whatever the classes are called."""


def encode_export(document: GameExport) -> bytes:
    """Return a document as it is saved: UTF-8 JSON, an entry a line or more."""
    return b"".join(export_pieces(document, document.log))


def export_pieces(document: GameExport, log: Iterable[LoggedEntry]) -> Iterator[bytes]:
    """Yield the same bytes bit by bit, holding one entry at a time. log: the log to write."""
    before, _, after = format_indented(replace_fields(document, log=())).partition(_NO_LOG)
    yield before + _NO_LOG.removesuffix(b"]")
    between = b"\n  "
    for logged_entry in log:
        yield between + format_indented(logged_entry).replace(b"\n", b"\n  ")
        between = b",\n  "
    yield b"\n ]" + after + b"\n"


def is_export(raw: bytes) -> bool:
    """Return whether a file is meant to be such a document, and not another program's."""
    return raw.lstrip().startswith(b"{") and b'"turnpost"' in raw


def read(raw: bytes, place: str) -> GameExport:
    """The document that a file holds. place: the file's name. Raises Refusal for anything else."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise Refusal(place, f"is no JSON: {fault}", GIVE_AN_EXPORT) from fault
    if not isinstance(value, dict) or "turnpost" not in value:
        raise Refusal(place, "is no export of a game", GIVE_AN_EXPORT)
    if value["turnpost"] not in READABLE_VERSIONS:
        known = " and ".join(map(str, READABLE_VERSIONS))
        raise Refusal(place, f"is of version {_excerpt(value['turnpost'])}", f"this program reads {known}")
    try:
        document: GameExport = load(GameExport, json.dumps(value).encode())
    except Malformed as fault:
        raise Refusal(place, f"is damaged: {_plain_fault(str(fault))}", GIVE_AN_EXPORT) from fault
    for number, entry in enumerate(document.entries):
        why = _sealing_fault(entry, document.public)
        if why is not None:
            raise Refusal(place, f"is damaged: {why} - at `$.log[{number}].entry`", GIVE_AN_EXPORT)
    return document


def _excerpt(value: object) -> str:
    return json.dumps(value)[:40]


def _plain_fault(fault: str) -> str:
    """Return a fault as the library words it, without the pattern that a text had to match."""
    return re.sub(
        r"Expected `(\w+)` matching regex .*(?= - at `[^`]*`$)",
        r"it is no \1 of the form that the schema asks for",
        fault,
    )


def _sealing_fault(entry: LogEntry, public: bool) -> str | None:
    """Return what is wrong with the salts and digests of an entry, or None."""
    salts = entry.salts if isinstance(entry.salts, dict) else {}
    withheld = entry.withheld if isinstance(entry.withheld, dict) else {}
    recorded = isinstance(entry.recorded, str)
    if (recorded or withheld) and not public:
        return "something is left out, and it is no public export"
    if entry.is_sealed and sorted([*salts, *withheld]) != sorted(seals.private_parts(entry.kind)):
        return "its salts and digests are not those of its private parts"
    if entry.is_sealed and recorded:
        return "its hash is told, though it can be computed"
    if entry.by not in (SOMEBODY, GAMESMASTER) and "by" in withheld:
        return "it says who it was, and leaves it out"
    return None
