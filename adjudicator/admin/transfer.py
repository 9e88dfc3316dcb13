"""A game as one JSON document, for archiving, verification, or moving to another installation.

The document holds everything that the database knows of the game: its log with orders, dice, overrides and
states, its saved orders, its seats, deadline and press. An import is checked (`scrutiny`) and replayed.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Any, Literal

import games
from adjudicator.admin.game_admin import check_unused, player_address, position_of
from adjudicator.auth.passwords import is_sealed
from adjudicator.auth.tokens import redact_text
from adjudicator.clock import DAY, datetime_of
from adjudicator.config.terms import LENGTH_KEYS, MAX_SETTING_LENGTH_MS, read_deadlines, write_deadlines
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.model.games import (
    ALWAYS_PRIVATE,
    BOTS_PART,
    GAMESMASTER,
    OVERRIDE_KINDS,
    PLAYED_KINDS,
    SOMEBODY,
    BoundEdition,
    DiceRoll,
    GamePosition,
    LogEntry,
    SeatAssignment,
    VariantUpdated,
    private_parts,
)
from adjudicator.model.orders_on_file import unpack_items
from adjudicator.model.orders_on_file import write_item as written_item
from adjudicator.model.people import (
    GAMESMASTER_SEAT,
    Absence,
    Address,
    AnyPersonAction,
    CastVote,
    Count,
    GameName,
    GamePolicy,
    Instant,
    KeepChoice,
    LetterChoice,
    Line,
    NoteAbsence,
    OfferSeat,
    Press,
    SeatName,
    Secret,
    SendPress,
    SetCustoms,
    Sha,
    Vote,
    Watch,
)
from adjudicator.service import Service
from adjudicator.storage import archive as rows_of
from adjudicator.storage import stored_games
from adjudicator.storage.personal_data import PEPPER_BYTES
from adjudicator.storage.stored_games import END_ENTRY_KIND as AGREED
from adjudicator.storage.stored_games import Minute, SideEffects
from adjudicator.turns.bots import RANDOM_TEMPER, GameBots, own_bot_name, parse_bot_choice
from adjudicator.turns.deadlines import next_deadline
from adjudicator.turns.log import (
    DiceVerification,
    counting_entries,
    dice_number_after,
    orders_of,
    override_of,
    pending_dice,
    replay,
    verify_dice,
)
from adjudicator.turns.runner import rules_version
from games.dice import commitment
from games.options import settle
from games.protocol import Edition, Game, GameResult, Invalid, Seat
from games.record import Bounds, Malformed, Record, canonical, format_indented, load, replace_fields, revive

# docs/export.schema.json is the schema of `GameExport`, by `EXPORT_SCHEMA_NAMES`. An import rejects a
# document that doesn't fit it.


EXPORT_VERSION = 2
READABLE_VERSIONS = (1, 2)
"""The versions that can be read. Version 1 has no salts in its log entries."""

GIVE_AN_EXPORT = 'Give a file that "gm game export" wrote'
_NO_LOG = b'\n "log": []'
"""The empty log. Encoded texts contain no line breaks, so this occurs only once in a document."""


class LoggedEntry(Record, frozen=True, kw_only=True):
    """An entry of the log, and the state after it."""

    entry: LogEntry
    state: Any


class ExportedEdition(Record, frozen=True, kw_only=True):
    """An edition of its variant that a game was or is played by.

    since: the number of the first entry by it. sha: the digest of what decides in its files. files: their
    texts by path, such as ``strait/map.json``.
    """

    since: Count
    sha: Sha
    files: dict[Annotated[str, Bounds(max_length=100)], Annotated[str, Bounds(max_length=5_000_000)]]


class GameExport(Record, frozen=True, kw_only=True):
    """A whole game. Instants are milliseconds UTC.

    turnpost: the version of this format. written: when, in ISO 8601. head: the SHA-256 of the last entry.
    commitment: the SHA-256 of the dice secret, in hexadecimal. secret: the dice secret in hexadecimal, null
    in the public export of a running game. public: whether the document leaves out what concerns only some
    players (addresses, passwords, saved orders, the deadline, private press, authors of grey press), the
    private parts of the log, and everything after the last turn. Such a document proves a game, but can't be
    imported.
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
    variants: Annotated[tuple[ExportedEdition, ...], Bounds(max_length=100)] = ()

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
    ExportedEdition: "Variant",
}
"""The names of these records in the published schema. They stay when the classes are renamed."""


def encode_export(document: GameExport) -> bytes:
    """Return a document as it is saved: UTF-8 JSON, with one or more lines per entry."""
    return b"".join(export_pieces(document, document.log))


def export_pieces(document: GameExport, log: Iterable[LoggedEntry]) -> Iterator[bytes]:
    """Yield the same bytes piece by piece, with one entry in memory at a time. log: the log to write."""
    before, _, after = format_indented(replace_fields(document, log=())).partition(_NO_LOG)
    yield before + _NO_LOG.removesuffix(b"]")
    between = b"\n  "
    for logged_entry in log:
        yield between + format_indented(logged_entry).replace(b"\n", b"\n  ")
        between = b",\n  "
    yield b"\n ]" + after + b"\n"


def is_export(raw: bytes) -> bool:
    """Return whether a file looks like one of our exports, and not another program's."""
    return raw.lstrip().startswith(b"{") and b'"turnpost"' in raw


def read(raw: bytes, place: str) -> GameExport:
    """Return the document in a file. place: the file's name. Raises Refusal for anything else."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise Refusal(f"Can't import {place}", f"it isn't JSON: {fault}", GIVE_AN_EXPORT) from fault
    if not isinstance(value, dict) or "turnpost" not in value:
        raise Refusal(f"Can't import {place}", "it isn't an exported game", GIVE_AN_EXPORT)
    if value["turnpost"] not in READABLE_VERSIONS:
        known = " and ".join(map(str, READABLE_VERSIONS))
        raise Refusal(
            f"Can't import {place}",
            f"it has version {json.dumps(value['turnpost'])[:40]}",
            f"This program reads versions {known}",
        )
    try:
        document: GameExport = load(GameExport, json.dumps(value).encode())
    except Malformed as fault:
        raise Refusal(
            f"Can't import {place}", f"it is damaged: {_plain_fault(str(fault))}", GIVE_AN_EXPORT
        ) from fault
    for number, entry in enumerate(document.entries):
        why = _sealing_fault(entry, document.public)
        if why is not None:
            raise Refusal(
                f"Can't import {place}", f"it is damaged: {why} - at `$.log[{number}].entry`", GIVE_AN_EXPORT
            )
    return document


def _plain_fault(fault: str) -> str:
    """Return a schema error in the library's words, without the regular expression."""
    return re.sub(
        r"Expected `(\w+)` matching regex .*(?= - at `[^`]*`$)",
        r"it isn't a \1 in the form of the schema",
        fault,
    )


def _sealing_fault(entry: LogEntry, public: bool) -> str | None:
    """Return the error in the salts and digests of an entry, or None."""
    salts = entry.salts if isinstance(entry.salts, dict) else {}
    withheld = entry.withheld if isinstance(entry.withheld, dict) else {}
    recorded = isinstance(entry.recorded, str)
    # A forgotten person is left out of other exports too.
    if (recorded or set(withheld) - set(ALWAYS_PRIVATE)) and not public:
        return "parts are missing, but it isn't a public export"
    if entry.is_sealed and sorted([*salts, *withheld]) != sorted(private_parts(entry.kind)):
        return "its salts and digests don't belong to its private parts"
    if entry.is_sealed and recorded:
        return "it contains its hash, though the hash can be computed"
    if entry.by not in (SOMEBODY, GAMESMASTER) and "by" in withheld:
        return "it names its author and leaves the author out"
    return None


GAME_IMPORTER = "import"


def export(service: Service, name: str, *, public: bool = False) -> GameExport:
    """Return the export of a game. public: leave out what only some players may know."""
    with service.database.reading():
        frame = _frame(service, name)
        whole = replace_fields(frame, log=tuple(_logged_entries(service, name)))
    return public_export(whole) if public else whole


def write(service: Service, name: str, to: Callable[[bytes], object], *, public: bool = False) -> int:
    """Write the document of a game piece by piece, so that a long log needs little memory.

    to: called with each piece. public: as for `export`. Returns the number of entries.
    """
    with service.database.reading():
        frame, count = _frame(service, name), 0
        log = _logged_entries(service, name)
        if public:
            extent = public_extent(logged_entry.entry for logged_entry in _logged_entries(service, name))
            frame = public_frame(frame, extent)
            log = public_log(log, extent, frame.status == "finished")

        def count_entries() -> Iterator[LoggedEntry]:
            nonlocal count
            for count, logged_entry in enumerate(log, 1):  # noqa: B007  # it is returned
                yield logged_entry

        for piece in export_pieces(frame, count_entries()):
            to(piece)
    return count


def _logged_entries(service: Service, name: str) -> Iterator[LoggedEntry]:
    for entry, state in stored_games.walk(service.database, name):
        try:
            yield LoggedEntry(entry=entry, state=json.loads(state))
        except ValueError as fault:
            raise Refusal(
                f"Can't read game {name}",
                f"its position after entry {entry.number} of the log is damaged ({fault})",
                'Use "gm restore FILE" with an earlier backup',
            ) from fault


def _frame(service: Service, name: str) -> GameExport:
    """Return a game's document without its log."""
    position = _plain(service, name)
    people_repository = service.repository.people
    return GameExport(
        game=name,
        kind=position.kind,
        written=datetime_of(service.clock.now()).isoformat(timespec="seconds"),
        status=position.status,
        deadline=position.deadline,
        early=position.early,
        deadlines=position.deadlines,
        timing=position.timing,
        commitment=commitment(position.secret),
        secret=position.secret.hex(),
        seats=tuple(position.assignments.values()),
        filed={seat: tuple(items) for seat, items in position.filed.items()},
        log=(),
        head=position.head_sha,
        customs=people_repository.policy(name),
        press=people_repository.press(name),
        absences=people_repository.absences(name),
        votes=tuple(people_repository.votes(name).values()),
        vacancies=people_repository.vacancies(name),
        observers=people_repository.observers(name),
        minutes=stored_games.minutes(service.database, name),
        letters=people_repository.choices(name),
        variants=tuple(
            ExportedEdition(since=bound.since, sha=bound.sha, files=dict(files))
            for bound, files in stored_games.kept_editions(service.database, name)
        ),
    )


def _plain(service: Service, name: str) -> GamePosition:
    """Return a game with its orders as plain values, so that its kind needn't be installed."""
    try:
        position = service.repository.plain(name)
    except (Malformed, ValueError) as fault:
        instead = f'Use "gm game export {name} --rows" to write its rows as they are'
        raise Refusal(f"Can't read game {name}", str(fault), instead) from fault
    return position_of(service, name) if position is None else position


def write_rows(service: Service, name: str, to: Callable[[bytes], object]) -> None:
    """Write everything that the database holds of a game, row by row. Such a file can't be imported."""
    with service.database.reading():
        if not stored_games.is_taken(service.database, name):
            position_of(service, name)
        to(b'{\n "game": ' + _format_json(name, 0) + b',\n "rows": {')
        between = b"\n"
        for table, rows in rows_of.rows_of_game(service.database, name):
            to(between + b"  " + _format_json(table, 0) + b": [")
            inside = b"\n   "
            for row in rows:
                to(inside + _format_json(row, 3))
                inside = b",\n   "
            to(b"]" if inside == b"\n   " else b"\n  ]")
            between = b",\n"
        to(b"\n }\n}\n")


def _format_json(value: object, depth: int) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, default=str)
    return text.replace("\n", "\n" + " " * depth).encode()


def proof_of(document: GameExport, published: str | None = None) -> DiceVerification:
    """Return the dice verification of an export. published: the commitment from the welcome, if known."""
    secret = bytes.fromhex(document.secret) if document.secret else None
    sealed_by = published or document.commitment
    return verify_dice(document.game, sealed_by.strip().lower(), secret, document.entries, document.head)


def tempers_of(document: GameExport) -> dict[Seat, str]:
    """Return the bots' personalities from the dice of an export. Empty while the secret isn't public.

    Raises Refusal for an unknown game.
    """
    drawn = [assignment for assignment in document.seats if assignment.temper == RANDOM_TEMPER]
    if document.secret is None or not drawn:
        return {}
    bots = GameBots(_Editions.of(document).game, document.game, bytes.fromhex(document.secret))
    tempers = {assignment.seat: bots.temper_of(assignment) for assignment in drawn}
    return {seat: temper for seat, temper in tempers.items() if temper is not None}


def bring_in(service: Service, document: GameExport, *, tell: bool = False) -> GamePosition:
    """Import a game: replay its log, compare every state, then store it.

    tell: whether its players get an email, since they have to reply to another address now. A deadline in the
    past is replaced.
    """
    if document.public or document.secret is None:
        raise Refusal(
            f"Can't import game {document.game}",
            "this is a public export, which leaves out everything secret",
            "Export it without --public",
        )
    now = service.clock.now()
    editions = _Editions.of(document)
    game = editions.game
    scrutinise(service, game, document)
    position, log = _position(game, document)
    position = replace(position, editions=editions.bound, copies=editions.copies)
    _check_by_replay(game, position, log)
    _check_press_turns(game, position, document)
    if position.is_running and position.deadline is not None and position.deadline <= now:
        kind = game.rules.turn(position.state).kind
        position = replace(position, deadline=next_deadline(position, kind, now))
    minute = Minute(
        game=document.game, at=now, by=GAME_IMPORTER, what=f"imported, as exported at {document.written}"
    )
    letters = [
        service.composer.position_report(
            position, assignment, f"The game has moved to {service.service_context.address}", now
        )
        for assignment in position.assignments.values()
        if assignment.is_person and tell
    ]
    minutes = (*document.minutes, minute)
    side_effects = SideEffects(now, letters, _deeds(game, document, position))
    stored_games.bring_in(service.database, position, log, minutes, side_effects, editions.editions_to_keep)
    return position_of(service, document.game)


_EDITION_PATH_RE = re.compile(r"[a-z0-9-]{1,40}/[a-z][a-z.-]{1,30}")
_MAX_EDITION_FILES, _MAX_EDITION_SIZE = 100, 10_000_000
"""The most files of an edition, and the most characters of all of them."""


@dataclass(frozen=True)
class _Editions:
    """The editions of its variant that an exported game is played by, the latest last.

    games: each with the number of its first entry. installed: the digest of the edition that is installed.
    """

    kind: str
    games: tuple[tuple[int, Game], ...]
    installed: str | None

    @classmethod
    def of(cls, document: GameExport) -> "_Editions":
        """Return the editions of an export. Raises Refusal if a file of one isn't as it has to be."""
        here = games.kinds().get(document.kind)
        installed = here.edition.sha if here is not None and here.edition is not None else None
        named = _editions_in_log(document)
        if document.variants and [(one.since, one.sha) for one in document.variants] != named:
            raise Refusal("variants", "they aren't those that the log names", GIVE_AN_EXPORT)
        if document.variants:
            bound = tuple(
                (one.since, here if one.sha == installed and here else _read_edition(document.kind, one))
                for one in document.variants
            )
            return cls(document.kind, bound, installed)
        game = find_kind(document.kind)
        if named and [sha for _, sha in named] != [installed]:
            raise Refusal(
                f"Can't import game {document.game}",
                "it is played by another edition of its variant, whose files are missing",
                GIVE_AN_EXPORT,
            )
        return cls(document.kind, ((0, game),) if named else (), installed)

    @property
    def game(self) -> Game:
        """The game that the next turn is played by."""
        return self.games[-1][1] if self.games else find_kind(self.kind)

    @property
    def editions_to_keep(self) -> tuple[tuple[int, Edition], ...]:
        """The editions to keep with the game."""
        return tuple((since, game.edition) for since, game in self.games if game.edition is not None)

    @property
    def bound(self) -> tuple[BoundEdition, ...]:
        """The editions as the position names them."""
        return tuple(BoundEdition(since=since, sha=edition.sha) for since, edition in self.editions_to_keep)

    @property
    def copies(self) -> dict[str, Game]:
        """The games of the editions that aren't installed, by digest."""
        by_sha = {game.edition.sha: game for _, game in self.games if game.edition is not None}
        return {sha: game for sha, game in by_sha.items() if sha != self.installed}


def _editions_in_log(document: GameExport) -> list[tuple[int, str]]:
    """Return the digests in a log, each with the number of the first entry that is played by it."""
    named: list[tuple[int, str]] = []
    for entry in document.entries:
        if isinstance(entry.variant, str) and not named:
            named.append((0, entry.variant))
        with refusing_absurd_values(document.game, "its log"):
            override = override_of(entry)
        if isinstance(override, VariantUpdated):
            named.append((entry.number, override.sha))
    return named


def _read_edition(kind: str, exported: ExportedEdition) -> Game:
    """Return the game of an edition in an export, checked like any variant that is new here."""
    for path in exported.files:
        if not _EDITION_PATH_RE.fullmatch(path):
            raise Refusal(f"variants: {path[:60]}", "a variant has no such file", GIVE_AN_EXPORT)
    size = sum(map(len, exported.files.values()))
    if len(exported.files) > _MAX_EDITION_FILES or size > _MAX_EDITION_SIZE:
        raise Refusal("variants", "they are larger than any variant", GIVE_AN_EXPORT)
    with refusing_absurd_values(kind, "its variant"):
        game = games.edition_game(kind, exported.files, is_new=True)
    if game.edition is None or game.edition.sha != exported.sha:
        raise Refusal("variants", "the files aren't those that the log names", GIVE_AN_EXPORT)
    return game


def _check_by_replay(game: Game, position: GamePosition, log: Sequence[tuple[LogEntry, bytes]]) -> None:
    """Replay the log, then check the saved orders and the position in the document."""
    name = position.name
    with refusing_absurd_values(name, "its log"):
        for entry, _ in log:
            # The rules ignore orders that nobody could have given, but reports of them don't.
            for orders in orders_of(game, entry).values():
                for order in orders:
                    game.notation.write(order)
        game_at = position.game_at if position.copies else None
        replayed_log = replay(game, name, position.secret, log, position.head_sha, game_at)
    if replayed_log.fault is not None:
        raise Refusal(f"Can't import game {name}", f"its log failed verification: {replayed_log.fault}")
    over = position.agreed is not None or game.rules.result(position.state) is not None
    if over == position.is_running:
        raise Refusal("status", f'the log doesn\'t end with the status "{position.status}"')
    with refusing_absurd_values(name, "its saved orders"):
        for items in position.filed.values():
            for item in items:
                written_item(game, item)


def _check_press_turns(game: Game, position: GamePosition, document: GameExport) -> None:
    """Check that press belongs to turns of the game: bots count agreements by them."""
    turns = {*(entry.turn for entry in document.entries), game.rules.turn(position.state).short}
    for dispatch in document.press:
        if dispatch.turn not in turns:
            raise Refusal("press", f"the game has no turn {dispatch.turn!r}")


def _position(game: Game, document: GameExport) -> tuple[GamePosition, list[tuple[LogEntry, bytes]]]:
    with refusing_absurd_values(document.game, "its log"):
        log = [
            (logged_entry.entry, canonical(revive(game.state_type, logged_entry.state)))
            for logged_entry in document.log
        ]
        state = game.state_from(log[-1][1])
        forced = pending_dice(document.entries)
        played = sum(entry.kind == "turn" for entry in counting_entries(document.entries))
        last = log[-1][0]
        agreed = revive(GameResult, last.options) if last.kind == AGREED else None
    with refusing_absurd_values(document.game, "its saved orders"):
        filed = {seat: unpack_items(game.order_type, items) for seat, items in document.filed.items()}
    position = GamePosition(
        name=document.game,
        kind=game.about.kind,
        options=log[0][0].options,
        status=document.status,
        entries=last.number + 1,
        rev=0,
        head_sha=document.head,
        state=state,
        filed=filed,
        assignments={assignment.seat: assignment for assignment in document.seats},
        deadline=document.deadline,
        deadlines=document.deadlines,
        early=document.early,
        secret=bytes.fromhex(document.secret or ""),
        agreed=agreed,
        # The import sends the notices itself.
        timing=replace_fields(document.timing, correction=None),
        played=played,
        by_hand=len(document.log) - dice_number_after(document.entries),
        forced=forced,
        pepper=secrets.token_bytes(PEPPER_BYTES),
        proven=rules_version(game),
    )
    return position, log


def _deeds(game: Game, document: GameExport, position: GamePosition) -> Sequence[AnyPersonAction]:
    """Return the people's actions as actions to repeat in the new database."""
    name, now = document.game, document.log[-1].entry.at
    turn = game.rules.turn(position.state).short
    voting = position.is_running and not position.agreed
    return [
        # The author of the file mustn't be able to make us post anywhere.
        SetCustoms(by=GAME_IMPORTER, game=name, customs=replace_fields(document.customs, forum="")),
        *(
            SendPress(by=GAME_IMPORTER, game=name, press=press, key=f"{name}/import/{number}")
            for number, press in enumerate(document.press)
        ),
        *(
            NoteAbsence(by=GAME_IMPORTER, game=name, seat=absence.seat, absence=absence)
            for absence in document.absences
        ),
        *(CastVote(by=GAME_IMPORTER, game=name, turn=turn, vote=vote) for vote in document.votes if voting),
        *(OfferSeat(by=GAME_IMPORTER, game=name, seat=seat, at=now) for seat in document.vacancies),
        *(Watch(by=GAME_IMPORTER, game=name, address=address) for address in document.observers),
        *(KeepChoice(by=GAME_IMPORTER, game=name, choice=choice) for choice in document.letters),
    ]


# Checks that a document is of a game that could have been played here.


_ABSURD = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""The errors from values that fit their types but that no game has, for example an unknown province."""


@contextmanager
def refusing_absurd_values(name: str, what: str) -> Iterator[None]:
    """Turn any error that a foreign value causes in a game into a Refusal that says where."""
    try:
        yield
    except Invalid as fault:
        raise Refusal(
            f"Can't import game {name}", f"{what}: {fault.what}: {fault.why}", fault.instead
        ) from fault
    except Malformed as fault:
        raise Refusal(f"Can't import game {name}", f"{what}: {fault}") from fault
    except _ABSURD as fault:
        fault_text = f"{type(fault).__name__}: {fault}".rstrip(": ")
        raise Refusal(
            f"Can't import game {name}", f"{what}: no game can have this value ({fault_text})"
        ) from fault


def scrutinise(service: Service, game: Game, document: GameExport) -> None:
    """Raise Refusal for the first thing in a document that couldn't have happened here."""
    check_unused(service, document.game, imported=True)
    _check_commitment(document)
    _log(document)
    _options(game, document)
    seats = _seats(game, document)
    for assignment in document.seats:
        _chair(service, game, assignment)
    _terms(document)
    _people(service, document, seats)


def _check_commitment(document: GameExport) -> None:
    secret = bytes.fromhex(document.secret or "")
    if commitment(secret) != document.commitment:
        raise Refusal("commitment", "it isn't the SHA-256 of the secret of the dice")


def _log(document: GameExport) -> None:
    last = -1
    for place, entry in enumerate(document.entries):
        where = f"log[{place}]"
        if entry.kind not in (*PLAYED_KINDS, AGREED, *OVERRIDE_KINDS) or (entry.kind == "setup") != (
            place == 0
        ):
            raise Refusal(where, f'an entry of kind "{entry.kind}" isn\'t possible here')
        if entry.number <= last:
            raise Refusal(where, f"entry {entry.number} doesn't come after entry {last}")
        last = entry.number


def _options(game: Game, document: GameExport) -> None:
    given = document.entries[0].options
    with refusing_absurd_values(document.game, "its options"):
        settled = settle(game.about.options, given)
    for name, value in given.items():
        if type(settled[name]) is not type(value) or settled[name] != value:
            raise Refusal(
                f"option {name}",
                f"{value!r} isn't in the form that this program uses",
                f"Write {settled[name]!r}",
            )


def _seats(game: Game, document: GameExport) -> frozenset[str]:
    with refusing_absurd_values(document.game, "its options"):
        wanted = sorted(game.about.seats(document.entries[0].options))
    if sorted(assignment.seat for assignment in document.seats) != wanted:
        raise Refusal("seats", "they aren't the seats of this game", f"Seats: {', '.join(wanted)}")
    return frozenset(wanted)


def _chair(service: Service, game: Game, assignment: SeatAssignment) -> None:
    where = f"seat {assignment.seat}"
    if assignment.address is not None:
        _address(service, where, assignment.address)
    if assignment.password is not None and not is_sealed(assignment.password):
        raise Refusal(
            where, "its password isn't stored in the form that this program uses", "Leave it out: null"
        )
    if own_bot_name(assignment) is not None and assignment.temper is None:
        # A program of the GM whose export this is. If there is none by that name here, the usual level plays.
        return
    try:
        known = parse_bot_choice(game, assignment.bot, assignment.temper) == (
            assignment.bot,
            assignment.temper,
        )
    except Invalid as fault:
        raise Refusal(where, f"{fault.what}: {fault.why}", fault.instead) from fault
    if not known:
        raise Refusal(where, "its bot isn't written in the form that this program uses")


def _address(service: Service, where: str, address: str) -> None:
    try:
        checked = player_address(service, address)
    except Refusal as fault:
        raise Refusal(where, ": ".join(filter(None, (fault.what, fault.why))), fault.instead) from fault
    if checked != address:
        raise Refusal(where, f"{address!r} isn't in the form that this program uses", f"Write {checked}")


def _terms(document: GameExport) -> None:
    deadlines = document.deadlines
    for kind, length in deadlines.lengths.items():
        if kind not in LENGTH_KEYS or not 0 < length <= MAX_SETTING_LENGTH_MS:
            raise Refusal(
                "deadlines", f"{kind}: {length} isn't a possible length of a turn", "A year is the longest"
            )
    with refusing_absurd_values(document.game, "its deadlines"):
        kept = read_deadlines(write_deadlines(deadlines))
        for name in deadlines.__struct_fields__:
            if name != "lengths" and getattr(kept, name) != getattr(deadlines, name):
                raise Refusal(
                    "deadlines",
                    f"{name}: {getattr(deadlines, name)!r} isn't in the form that this program uses",
                )


def _people(service: Service, document: GameExport, seats: frozenset[str]) -> None:
    log = list(enumerate(document.entries))
    named: list[tuple[str, Any]] = [
        *((f"log[{place}].orders", seat) for place, entry in log for seat in entry.orders),
        *((f"log[{place}].reasons", seat) for place, entry in log for seat in entry.reasons),
        *((f"log[{place}].silent", seat) for place, entry in log for seat in entry.silent),
        *(("filed", seat) for seat in document.filed),
        *(("absences", absence.seat) for absence in document.absences),
        *(("votes", vote.seat) for vote in document.votes),
        *(("votes", seat) for vote in document.votes for seat in vote.named),
        *(("vacancies", seat) for seat in document.vacancies),
        *(("letters", choice.seat) for choice in document.letters),
        *(("timing.loans", seat) for seat in document.timing.loans),
        *(("press", dispatch.seat) for dispatch in document.press if dispatch.seat is not None),
        *(
            ("press", seat)
            for dispatch in document.press
            for seat in dispatch.to or ()
            if seat != GAMESMASTER_SEAT
        ),
    ]
    for where, seat in named:
        if seat not in seats:
            raise Refusal(where, f"no seat is called {seat}", f"Seats: {', '.join(sorted(seats))}")
    for loan in document.timing.loans.values():
        for address in (loan.owner, loan.substitute):
            _address(service, "timing.loans", address)
        if loan.password is not None and not is_sealed(loan.password):
            raise Refusal("timing.loans", "a password isn't stored in the form that this program uses")
    for address in document.observers:
        _address(service, "observers", address)
    for choice in document.letters:
        _address(service, "letters", choice.address)
    for dispatch in document.press:
        if dispatch.kind not in ("white", "grey"):
            raise Refusal("press", f'"{dispatch.kind}" isn\'t a kind of press', "Use white or grey")
    for minute in document.minutes:
        if minute.game != document.game:
            raise Refusal("minutes", f"one of them belongs to game {minute.game}")


# Public exports leave out people and everything that is still secret.


PUBLIC_AUTHORS = ("gm", "clock", "import", "sign-up")
"""The authors that a public log may name, because they don't identify anyone."""

PRIVATE_UNPLAYED_PARTS = ("before", "orders", "texts")
"""The parts of such entries that stay secret forever: they hold orders for later turns or with a condition.
"""

PRIVATE_DIE_PARTS = ("label", "numbers")


def public_export(whole: GameExport) -> GameExport:
    """Return the document without private information and without the orders of the current turn.

    It doesn't depend on saved orders, overrides or the queue. Raises Refusal for a running game with hidden
    information.
    """
    over = whole.status == "finished"
    extent = public_extent(whole.entries)
    log = tuple(public_log(whole.log, extent, over))
    return replace_fields(public_frame(whole, extent), log=log)


def public_frame(whole: GameExport, extent: "PublicExtent") -> GameExport:
    """Return the public document without its log. Raises Refusal as `public_export` does."""
    over = whole.status == "finished"
    if games.kinds()[whole.kind].about.hidden and not over:
        raise Refusal(
            f"Can't publish the log of game {whole.game}",
            "its seats see different things, so the log stays secret until the game is over",
            "Wait until it is over",
        )
    return replace_fields(
        whole,
        public=True,
        deadline=None,
        timing=Timing(),
        secret=whole.secret if over else None,
        seats=tuple(
            SeatAssignment(
                seat=assignment.seat, bot=assignment.bot, temper=assignment.temper, missed=assignment.missed
            )
            for assignment in whole.seats
        ),
        filed={},
        log=(),
        head=extent.head,
        customs=replace_fields(whole.customs, word=""),
        press=_public_press(whole.press),
        absences=(),
        votes=(),
        observers=(),
        minutes=(),
        letters=(),
    )


def _public_press(press: Sequence[Press]) -> tuple[Press, ...]:
    """Return the press to all, without author and exact time if it is grey.

    Two messages at the same instant are by one player.
    """
    bare = [
        replace_fields(
            dispatch,
            seat=None if dispatch.kind == "grey" else dispatch.seat,
            at=dispatch.at - dispatch.at % DAY if dispatch.kind == "grey" else dispatch.at,
            text=redact_text(dispatch.text),
        )
        for dispatch in press
        if dispatch.to is None
    ]
    # The numbers are new: gaps in them would reveal how much private press there was.
    return tuple(
        replace_fields(dispatch, number=number)
        for number, dispatch in enumerate(sorted(bare, key=lambda dispatch: dispatch.at), 1)
    )


@dataclass(frozen=True)
class PublicExtent:
    """The public part of a log.

    count: the number of its entries. head: the SHA-256 of the last of them. fallen: by label, the entry in
    which a die that the GM had set was last rolled.
    """

    count: int
    head: str
    fallen: Mapping[str, int]


def public_extent(entries: Iterable[LogEntry]) -> PublicExtent:
    """Return the public part of a log: it ends with the last turn that ran."""
    fallen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        fallen |= {throw.label: place for throw in entry.throws if throw.forced and not throw.is_by_bot}
        if entry.kind in (*PLAYED_KINDS, AGREED):
            shown = place, entry, dict(fallen)
    end, last, fallen = shown
    return PublicExtent(end + 1, last.sha, fallen)


def public_log(log: Iterable[LoggedEntry], extent: PublicExtent, over: bool) -> Iterator[LoggedEntry]:
    """Yield the public entries of a log, each without its private parts."""
    for place, logged_entry in enumerate(islice(log, extent.count)):
        yield LoggedEntry(
            entry=_public_entry(logged_entry.entry, place, extent, over), state=logged_entry.state
        )


def _public_entry(entry: LogEntry, place: int, extent: PublicExtent, over: bool) -> LogEntry:
    names = entry.by in PUBLIC_AUTHORS
    parts = [*PRIVATE_UNPLAYED_PARTS] if names else ["by", *PRIVATE_UNPLAYED_PARTS]
    if entry.why:
        parts.append("why")
    if not over:
        parts.append(BOTS_PART)
        # A die that was set is public once it has been rolled.
        if extent.fallen.get(entry.options.get("label", ""), -1) < place:
            parts += PRIVATE_DIE_PARTS
    if not entry.is_sealed:
        # An empty value stays, so that an old entry keeps its proof.
        parts = [part for part in parts if part in private_parts(entry.kind) and _has_content(entry, part)]
    bare = entry.without(parts)
    role = GAMESMASTER if entry.by.split(" ")[0] == GAMESMASTER else SOMEBODY
    return bare if names else replace_fields(bare, by=role)


def _has_content(entry: LogEntry, part: str) -> bool:
    content = entry.part(part)
    return bool(content["reasons"] or content["throws"]) if part == BOTS_PART else bool(content)
