"""The database repository: the read side of the database, on the tables."""

from binascii import a2b_qp
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from peewee import JOIN, SQL, PeeweeException, fn

import games
from adjudicator.clock import Millis
from adjudicator.errors import Fault
from adjudicator.model import people_acts
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.filed_orders import Item, read_items
from adjudicator.model.games import FoundedGame, GamePosition, LogEntry, SeatAssignment
from adjudicator.model.mail import StoredLetter
from adjudicator.model.overrides import OVERRIDE_KINDS, PLAYED_KINDS
from adjudicator.model.restore_marks import RestoreMark
from adjudicator.model.stuck import Suspension
from adjudicator.storage import attachments, endings, signatures
from adjudicator.storage.bounces import DatabaseBounceRepository
from adjudicator.storage.clocks import deleted_names, timing_in, was_deleted
from adjudicator.storage.database import Database
from adjudicator.storage.held_games import (
    BRING_BACK,
    LOGS_LOST_REMEDY,
    MEND,
    kind_missing,
    read_suspension,
    unreadable_game,
)
from adjudicator.storage.memory import BoundedCache
from adjudicator.storage.prepared import Prepared, slot, slot_values, slots
from adjudicator.storage.restore_marks import read_mark
from adjudicator.storage.seats import chair_of
from adjudicator.storage.society import DatabasePeopleRepository, broken_offers
from adjudicator.storage.tables import (
    ChairRow,
    ClockRow,
    EntryRow,
    FiledRow,
    GameRow,
    LetterRow,
    OutRow,
    StuckRow,
)
from games.protocol import Seat
from games.record import load
from orders.mail import body, letter

LOG_BATCH_ENTRIES = 8
"""So many entries of a log are asked for together, the last first."""
MOST_SHEETS = 64
"""So many of our emails to a seat are looked through for order sheets, the newest first."""

_MAX_WORDS_PER_QUERY = 512
"""So many words are looked up by one question."""
ENTRY_NUMBER_LIMIT = 2**31 - 1
"""No entry has a number so high."""

_BOUNDARY_LINE_START = b"\n--=_"
"""What the boundaries of our letters begin with, and no other line of theirs: there, ``=`` is encoded."""

# What each letter asks for.
_SELECT_GAME = Prepared(
    GameRow.select(GameRow, StuckRow.document.alias("stuck"), ClockRow.document.alias("clock"))
    .join(StuckRow, JOIN.LEFT_OUTER)
    .switch(GameRow)
    .join(ClockRow, JOIN.LEFT_OUTER)
    .where(GameRow.name == slot("game"))
)
_SELECT_GAME_NAMES = Prepared(GameRow.select(GameRow.name))
_RUNNING = Prepared(GameRow.select(GameRow.name).where(GameRow.status == "running"))
_SELECT_TURN_AND_HEAD = Prepared(
    GameRow.select(GameRow.turn, GameRow.head_sha).where(GameRow.name == slot("game"))
)
_LOG = Prepared(
    EntryRow.select(EntryRow.entry).where(EntryRow.game == slot("game")).order_by(EntryRow.number)
)
_SELECT_LATEST_ENTRIES = Prepared(
    EntryRow.select(EntryRow.number, EntryRow.entry)
    .where((EntryRow.game == slot("game")) & (EntryRow.number < slot("before")))
    .order_by(EntryRow.number.desc())
    .limit(LOG_BATCH_ENTRIES)
)
_END = Prepared(
    EntryRow.select(EntryRow.entry, EntryRow.state)
    .where(EntryRow.game == slot("game"))
    .order_by(EntryRow.number.desc())
    .limit(slot("count"))
)
_CHAIRS = Prepared(ChairRow.select().where(ChairRow.game == slot("game")).order_by(ChairRow.place))
_FILED = Prepared(FiledRow.select().where(FiledRow.game == slot("game")))
_SELECT_SEATS_OF_ADDRESS = Prepared(ChairRow.select().where(ChairRow.address == slot("address")))
_SELECT_LETTER_DATA = Prepared(
    OutRow.select(OutRow.data, OutRow.key).where(OutRow.message_id == slot("message_id")).limit(1)
)
_SENT = Prepared(
    OutRow.select(OutRow.data)
    .where((OutRow.game == slot("game")) & (OutRow.seat == slot("seat")) & (OutRow.created >= slot("since")))
    .order_by(OutRow.number.desc())
    .limit(MOST_SHEETS)
)
_SELECT_OUR_LETTER = Prepared(
    OutRow.select(OutRow.number).where(OutRow.message_id == slot("message_id")).limit(1)
)
_COUNT_REPLIES = Prepared(
    OutRow.select(fn.COUNT(SQL("*")).alias("count")).where(
        (OutRow.recipient == slot("address"))
        & (OutRow.created >= slot("since"))
        & OutRow.letter.is_null(False)
    )
)
_THREAD = Prepared(
    OutRow.select(OutRow.message_id)
    .where((OutRow.game == slot("game")) & (OutRow.seat == slot("seat")) & OutRow.letter.is_null())
    .order_by(OutRow.number)
)


@lru_cache(maxsize=16)
def _select_existing_games(count: int) -> Prepared:
    """The games of which a name stands among so many words."""
    return Prepared(GameRow.select(GameRow.name).where(GameRow.name.in_(slots(count))))


def _next_power_of_two(count: int) -> int:
    """The next power of two."""
    return 1 << (count - 1).bit_length()


_TURNS_CACHE: BoundedCache[tuple[str, str], tuple[str, ...]] = BoundedCache(512)
"""The turns of which the log of a game tells. The hash of its last entry says which log that is."""


class _RowsLost(Exception):
    """A game whose row is there while its seats are not: every game has some."""


class DatabaseRepository:
    """`ledger.Books` on a database. Raises StoreFault; Malformed for a state its kind cannot read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._society = DatabasePeopleRepository(database)
        self._last_key: tuple[str, str] | None = None  # of our letters, the last asked for: it never changes

    @property
    def people(self) -> DatabasePeopleRepository:
        """Return the queries about people."""
        return self._society

    @property
    def bounces(self) -> DatabaseBounceRepository:
        """Return the queries about letters that bounced."""
        return DatabaseBounceRepository(self._database)

    def kinds(self) -> list[str]:
        """The kinds of the games that are on the books, in order."""
        query = GameRow.select(GameRow.kind).distinct().order_by(GameRow.kind)
        with self._database.session():
            return [str(row.kind) for row in self._database.run(query)]

    def position(self, game: str) -> GamePosition | None:
        """Return a game as it stands; None if there is none, or if it cannot be read (see its suspension)."""
        game_or_fault = self._load_game(game)
        return game_or_fault if isinstance(game_or_fault, GamePosition) else None

    def suspension(self, game: str) -> Suspension | None:
        """Return the reason why a game cannot go on; None if it can, or if there is no such game."""
        game_or_fault = self._load_game(game)
        return game_or_fault.stuck if isinstance(game_or_fault, GamePosition) else game_or_fault

    def plain(self, game: str) -> GamePosition | None:
        """A game as it stands, or None; its state and orders are plain values, whatever its kind is.

        Raises Malformed or ValueError where a row cannot be read.
        """
        with self._database.reading():
            rows = self._database.ask(_SELECT_GAME, game=game)
            return self._position_of_row(rows[0], Any, None) if rows else None

    def _load_game(self, game: str) -> GamePosition | Suspension | None:
        with self._database.reading():
            rows = self._database.ask(_SELECT_GAME, game=game)
            if not rows:
                return None
            kind = games.kinds().get(rows[0].kind)
            if kind is None:
                return unreadable_game(rows[0], kind_missing(rows[0].kind), BRING_BACK)
            try:
                return self._position_of_row(rows[0], kind.state_type, kind.order_type)
            except (Fault, PeeweeException):
                raise
            except _RowsLost:
                return unreadable_game(
                    rows[0], "its seats and its log were deleted by an upgrade", LOGS_LOST_REMEDY
                )
            except Exception as fault:  # whatever stands in a game's rows, it harms that game alone
                return unreadable_game(rows[0], f"it cannot be read: {type(fault).__name__}: {fault}", MEND)

    def _position_of_row(self, row: Any, state_type: Any, order_type: Any) -> GamePosition:
        game = row.name
        chairs, filed = self._database.ask(_CHAIRS, game=game), self._database.ask(_FILED, game=game)
        if not chairs:
            raise _RowsLost
        result = endings.agreed_result(self._database, game) if row.status == "finished" else None
        return GamePosition(
            name=game,
            kind=row.kind,
            options=load(dict[str, Any], row.options.encode()),
            status=row.status,
            entries=int(row.entries),
            rev=int(row.rev),
            head_sha=row.head_sha,
            state=_state(state_type, bytes(row.state)),
            filed={
                Seat(filed_row.seat): items_of(order_type, bytes(filed_row.orders)) for filed_row in filed
            },
            chairs=dict(_chairs(tuple(chairs))),
            deadline=None if row.deadline is None else int(row.deadline),
            deadlines=_deadlines(row.deadlines),
            early=row.early,
            secret=bytes(row.secret),
            played=int(row.played),
            by_hand=int(row.by_hand),
            forced=load(dict[str, tuple[int, ...]], row.forced.encode()),
            pepper=bytes(row.pepper or b""),
            agreed=result,
            proven=row.proven or "",
            stuck=read_suspension(row.stuck, game),
            timing=timing_in(row.clock),
            absences=self._society.absences(game),
        )

    def games(self) -> tuple[str, ...]:
        """The names of all games, in order."""
        with self._database.session():
            return tuple(sorted(row.name for row in self._database.ask(_SELECT_GAME_NAMES)))

    def existing_games(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that are the name of a game."""
        asked, existing = sorted(words), set[str]()
        with self._database.session():
            for at in range(0, len(asked), _MAX_WORDS_PER_QUERY):
                some = asked[at : at + _MAX_WORDS_PER_QUERY]
                # Some words twice, so that few statements do for any number of them.
                some += some[:1] * (_next_power_of_two(len(some)) - len(some))
                existing.update(
                    row.name
                    for row in self._database.ask(_select_existing_games(len(some)), **slot_values(some))
                )
        return frozenset(existing)

    def running_games(self) -> tuple[str, ...]:
        """Return the names of the running games, in order."""
        with self._database.session():
            return tuple(sorted(row.name for row in self._database.ask(_RUNNING)))

    def names(self) -> frozenset[str]:
        """The names that no new game can have: of games, of those that wait for people, of deleted ones."""
        society = self._society
        offers = (*(offer.name for offer in society.offers()), *broken_offers(self._database))
        return frozenset((*self.games(), *offers, *deleted_names(self._database)))

    def log(self, game: str) -> tuple[tuple[LogEntry, bytes], ...]:
        """The log of a game, each entry with the canonical bytes of the state after it; empty for no game."""
        with self._database.reading():
            rows = EntryRow.select().where(EntryRow.game == game).order_by(EntryRow.number)
            return tuple(
                (load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in self._database.run(rows)
            )

    def latest(self, game: str, count: int) -> tuple[tuple[LogEntry, bytes], ...]:
        """The last entries of that log, so many or all there are; in its order, and as it tells them."""
        with self._database.session():
            rows = self._database.ask(_END, game=game, count=count)
        return tuple((load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in reversed(rows))

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last; empty for no game."""
        with self._database.session():
            rows = self._database.ask(_SELECT_TURN_AND_HEAD, game=game)
            played = _TURNS_CACHE.get((game, rows[0].head_sha)) if rows else ()
        if played is None:
            with self._database.reading():
                rows = self._database.ask(_SELECT_TURN_AND_HEAD, game=game)
                log = self._database.ask(_LOG, game=game) if rows else []
            played = tuple(load(LogEntry, bytes(log_row.entry)).turn for log_row in log)
            if rows:
                _TURNS_CACHE.keep((game, rows[0].head_sha), played)
        return tuple(dict.fromkeys([*played, *(row.turn for row in rows)]))

    def overrides(self, game: str) -> tuple[LogEntry, ...]:
        """Return the overrides by the GM since the last turn, oldest first, as their entries in the log."""
        entries: list[LogEntry] = []
        rows: Sequence[Any] = ()
        with self._database.reading():
            while not any(entry.kind in PLAYED_KINDS for entry in entries):
                # A few at a time: a driver fetches all that it is asked for, and a log may be long.
                before = rows[-1].number if rows else ENTRY_NUMBER_LIMIT
                rows = self._database.ask(_SELECT_LATEST_ENTRIES, game=game, before=before)
                entries += (load(LogEntry, bytes(row.entry)) for row in rows)
                if len(rows) < LOG_BATCH_ENTRIES:
                    break
        since = takewhile(lambda entry: entry.kind not in PLAYED_KINDS, entries)
        return tuple(entry for entry in since if entry.kind in OVERRIDE_KINDS)[::-1]

    def restore_mark(self, game: str) -> RestoreMark | None:
        """The mark of a game that was restored from a backup; None where it never was."""
        return read_mark(self._database, game)

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Return whether an email that came later than an instant has been read for a seat."""
        later = (LetterRow.game == game) & (LetterRow.seat == seat) & (LetterRow.received > received)
        return bool(self._database.count(LetterRow.select().where(later & (LetterRow.disposition == "read"))))

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""
        with self._database.session():
            held = self._database.ask(_SELECT_SEATS_OF_ADDRESS, address=address)
        rows = sorted(held, key=lambda row: (row.game_id, row.place))
        return tuple((row.game_id, Seat(row.seat)) for row in rows)

    def replies_since(self, address: str, since: Millis) -> int:
        """Return the number of replies that were written to an address since an instant."""
        with self._database.session():
            return int(self._database.ask(_COUNT_REPLIES, address=address, since=since)[0][0])

    def letters_since(self, address: str, since: Millis) -> int:
        """Return the number of letters of an address that were processed since an instant."""
        letters = LetterRow.select().where((LetterRow.speaker == address) & (LetterRow.handled >= since))
        return self._database.count(letters)

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """When the last emails of an address that were read for a seat say that they were sent."""
        read = (LetterRow.speaker == speaker) & (LetterRow.game == game) & (LetterRow.seat == seat)
        rows = (
            LetterRow.select(LetterRow.data)
            .where(read)
            .order_by(LetterRow.handled.desc())
            .limit(LOG_BATCH_ENTRIES)
        )
        with self._database.reading():
            dates = [letter.date_sent(bytes(row.data)) for row in self._database.run(rows)]
        return tuple(date for date in dates if date is not None)

    def games_begun_since(self, address: str, since: Millis) -> int:
        """Return the number of games that letters of an address began since an instant."""
        begun = GameRow.select().where((GameRow.founder == address) & (GameRow.created >= since))
        return self._database.count(begun)

    def games_begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        """Return the number of games that letters began since an instant. domain: of its addresses only."""
        begun = GameRow.founder.is_null(False) & (GameRow.created >= since)
        if domain is not None:
            begun &= GameRow.founder.endswith(f"@{domain}")
        return self._database.count(GameRow.select().where(begun))

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        """Return whether a known player has an address of a domain.

        They hold a seat in a game that nobody of their domain began, or that was begun before an instant
        and has been played since.
        """
        there = ChairRow.address.endswith(f"@{domain}")
        others = GameRow.founder.is_null() | ~GameRow.founder.endswith(f"@{domain}")
        played = (GameRow.created < before) & (GameRow.played > 0)
        held = ChairRow.select(ChairRow.seat).join(GameRow).where(there & (others | played)).limit(1)
        with self._database.reading():
            return self._database.first(held) is not None

    def founded_games(self, address: str) -> tuple[FoundedGame, ...]:
        """Return the running games that letters of an address began and in which it plays, by their names."""
        running = (GameRow.founder == address) & (GameRow.status == "running")
        chairs = ChairRow.select(ChairRow.game, ChairRow.address, ChairRow.bot).order_by(ChairRow.place)
        own_games: list[FoundedGame] = []
        with self._database.reading():
            kinds = GameRow.select(GameRow.name, GameRow.kind).where(running).order_by(GameRow.name)
            for game in list(self._database.run(kinds)):
                rows = list(self._database.run(chairs.where(ChairRow.game == game.name)))
                if any(row.address == address for row in rows):
                    bots = tuple(row.bot for row in rows if row.address is None)
                    own_games.append(FoundedGame(game=game.name, kind=game.kind, bots=bots))
        return tuple(own_games)

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""
        with self._database.session():
            rows = self._database.ask(_SELECT_LETTER_DATA, message_id=message_id.strip())
            if rows:
                self._last_key = message_id.strip(), str(rows[0].key)
        return _sheet(bytes(rows[0].data)) if rows else None

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """The order sheets of all our emails to a seat since an instant, replies included, oldest first."""
        with self._database.session():
            rows = self._database.ask(_SENT, game=game, seat=seat, since=since)
        sheets = (_sheet(bytes(row.data)) for row in reversed(rows))
        return tuple(sheet for sheet in sheets if sheet)

    def is_ours(self, message_id: str) -> bool:
        """Return whether a letter with that Message-ID was sent by us."""
        with self._database.session():
            return bool(self._database.ask(_SELECT_OUR_LETTER, message_id=message_id.strip()))

    def key_of(self, message_id: str) -> str | None:
        """What names the letter of ours with that Message-ID; None if we sent no such letter."""
        wanted = message_id.strip()
        if self._last_key is None or self._last_key[0] != wanted:
            with self._database.session():
                row = self._database.first(OutRow.select(OutRow.key).where(OutRow.message_id == wanted))
            self._last_key = None if row is None else (wanted, str(row.key))
        return None if self._last_key is None else self._last_key[1]

    def has_written(self, key: str) -> bool:
        """Return whether a letter of ours with this key has been written."""
        return bool(self._database.count(OutRow.select().where(OutRow.key == key)))

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        """The Message-IDs of our emails for a seat that were sent, each with the instant."""
        here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.state == "sent")
        with self._database.reading():
            rows = self._database.run(OutRow.select(OutRow.message_id, OutRow.settled).where(here))
            return tuple((row.message_id, int(row.settled or 0)) for row in rows)

    def was_deleted(self, game: str) -> bool:
        """Return whether a game of that name was deleted."""
        return was_deleted(self._database, game)

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether an email for a seat of a game has been written to an address."""
        here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.recipient == address)
        return bool(self._database.count(OutRow.select().where(here)))

    def accepted_in(self, content: str) -> str | None:
        """The fingerprint of the email in which signed content was accepted; None if it was in none."""
        return signatures.accepted_in(self._database, content)

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        """Return the email of that fingerprint, if it is quarantined and its bytes are still stored."""
        return signatures.quarantined_letter(self._database, fingerprint)

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """Return how often a seat was asked since an instant about emails in its player's name."""
        return signatures.questions_since(self._database, game, seat, since)

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        """Return the number of invitations since an instant, to a game or to any."""
        there = OutRow.key ** people_acts.invitation_key(game or "%", "%")
        return self._database.count(OutRow.select().where(there & (OutRow.created >= since)))

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """The Message-IDs of our reports to a seat, oldest first; without answers to its letters."""
        with self._database.session():
            return tuple(row.message_id for row in self._database.ask(_THREAD, game=game, seat=seat))


def _plain_text(raw: bytes) -> str:
    """The text of one of our letters: the first leaf of its parts, in quoted-printable.

    To parse all of it, with its map, would take a hundred times as long.
    """
    head, _, content = raw.partition(b"\r\n\r\n")
    while b"\r\nContent-Type: multipart/" in head:
        head, _, content = content.partition(_BOUNDARY_LINE_START)[2].partition(b"\r\n\r\n")
    return a2b_qp(content.partition(_BOUNDARY_LINE_START)[0]).decode("utf-8", "replace")


# What is read of bytes is a frozen value, the same for whoever asks next.


@lru_cache(maxsize=256)
def _chairs(rows: tuple[Any, ...]) -> tuple[tuple[Seat, SeatAssignment], ...]:
    return tuple((Seat(row.seat), chair_of(row)) for row in rows)


@lru_cache(maxsize=64)
def _state(state_type: Any, data: bytes) -> Any:
    return load(state_type, data)


@lru_cache(maxsize=1024)
def items_of(order_type: Any, data: bytes) -> tuple[Item, ...]:
    """Return the items on file at a seat from their stored bytes. order_type None: as plain values."""
    return tuple(load(list[Any], data)) if order_type is None else read_items(order_type, data)


# Who writes again, to add something or to take it back, mostly answers the letter that he answered before.
@lru_cache(maxsize=128)
def _sheet(data: bytes) -> tuple[str, ...]:
    return body.sheet_of(_plain_text(attachments.text_before_parts(data)))


@lru_cache(maxsize=64)
def _deadlines(document: str) -> Deadlines:
    read: Deadlines = load(Deadlines, document.encode())
    return read
