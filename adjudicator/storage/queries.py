"""The database repository: all queries on the tables."""

import hashlib
from binascii import a2b_qp
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import takewhile
from operator import and_
from types import MappingProxyType
from typing import Any

from peewee import JOIN, SQL, PeeweeException, fn

import games
from adjudicator.clock import Millis
from adjudicator.errors import Fault
from adjudicator.model import people
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.model.games import (
    OVERRIDE_KINDS,
    PLAYED_KINDS,
    BoundEdition,
    FoundedGame,
    GamePosition,
    LogEntry,
    SeatAssignment,
    Suspension,
)
from adjudicator.model.mail import RestoreMark, StoredLetter
from adjudicator.model.orders_on_file import Item, read_items
from adjudicator.model.people import (
    JOIN_WORD,
    NO_GUESSES,
    Absence,
    Ban,
    GameGms,
    GameOffer,
    GamePolicy,
    GameTurnout,
    Guesses,
    HeldPress,
    LetterChoice,
    Person,
    PlayerBlock,
    Poster,
    Press,
    Request,
    Signup,
    Subscription,
    Vote,
)
from adjudicator.storage import attachments, outbox, personal_data, stored_games
from adjudicator.storage import people as stored_people
from adjudicator.storage.bounces import DatabaseBounceRepository
from adjudicator.storage.database import BoundedCache, Database, Prepared, slot, slot_values, slots
from adjudicator.storage.due_games import (
    BRING_BACK,
    LOGS_LOST_REMEDY,
    MEND,
    kind_missing,
    read_suspension,
    unreadable_game,
)
from adjudicator.storage.people import (
    CopyWarningRow,
    HeldPressRow,
    choice_of,
    press_of,
    read_mark,
    subscription,
    subscriptions,
)
from adjudicator.storage.stored_games import IS_PRIVATE_GAME, deleted_names, was_deleted
from adjudicator.storage.tables import (
    AbsenceRow,
    ChairRow,
    ChoiceRow,
    ClockRow,
    CustomsRow,
    EditionRow,
    EntryRow,
    FiledRow,
    GameRow,
    GuessRow,
    LetterRow,
    OfferRow,
    OutRow,
    PersonRow,
    PressRow,
    RequestRow,
    SignupRow,
    StuckRow,
    VacancyRow,
    VoteRow,
    WatcherRow,
    assignment_of,
)
from games.protocol import Game, Seat
from games.record import Malformed, Record, load
from orders.mail import body, letter

# Queries about people.


# Every email runs these queries.
_SELECT_PERSON = Prepared(PersonRow.select().where(PersonRow.address == slot("address")))
_REQUESTS = Prepared(RequestRow.select().where(RequestRow.address == slot("address")))
_REQUESTS_BY_MARK = Prepared(RequestRow.select().where(RequestRow.mark == slot("mark")))
_ABSENCES = Prepared(AbsenceRow.select().where(AbsenceRow.game == slot("game")))
_VACANCIES = Prepared(VacancyRow.select().where(VacancyRow.game == slot("game")))
_VOTES = Prepared(VoteRow.select().where(VoteRow.game == slot("game")))
_PRESENT = Prepared(GameRow.select(GameRow.turn).where(GameRow.name == slot("game")))
_VACANT = Prepared(VacancyRow.select())
_SELECT_POLICY = Prepared(CustomsRow.select(CustomsRow.document).where(CustomsRow.game == slot("game")))
_SELECT_PRIVATE_GAMES = Prepared(CustomsRow.select(CustomsRow.game).where(IS_PRIVATE_GAME))
_MAX_KEYS_PER_QUERY = 500
"""The maximum number of keys in one query."""
_SELECT_ANY_HELD_PRESS = Prepared(HeldPressRow.select(HeldPressRow.game).limit(1))


class DatabasePeopleRepository:
    """Implements `PeopleRepository` on a database. Raises StoreFault."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def person(self, address: str) -> Person | None:
        """Return the owner of an address, if they have told us their name, otherwise None."""
        with self._database.session():
            rows = self._database.ask(_SELECT_PERSON, address=address)
        return _person(rows[0]) if rows else None

    def policy(self, game: str) -> GamePolicy:
        """Return the policy of a game, or the default policy if none was set."""
        with self._database.session():
            rows = self._database.ask(_SELECT_POLICY, game=game)
        return load(GamePolicy, rows[0].document.encode()) if rows else GamePolicy()

    def gms(self, game: str) -> GameGms:
        """Return the GMs of a game, or of one that is open for players."""
        return stored_people.read_gms(self._database, game)

    def games_run_by(self, address: str) -> tuple[str, ...]:
        """Return the names of the games that an address is a GM of, sorted."""
        return tuple(game for game, gms in stored_people.all_gms(self._database).items() if gms.find(address))

    def turnouts(self, address: str) -> Mapping[str, GameTurnout]:
        """Return a player's marks for turning up, by game, also of deleted games."""
        return stored_people.turnouts_of(self._database, address)

    def blocks(self, address: str) -> tuple[PlayerBlock, ...]:
        """Return the blocks of a player, oldest first."""
        return stored_people.blocks_of(self._database, address)

    def ban(self, address: str) -> Ban | None:
        """Return the ban of a person, or None."""
        return stored_people.ban_of(self._database, address)

    def is_admitted(self, game: str, address: str) -> bool:
        """Return whether the GM has consented to a seat for a person in a game."""
        return stored_people.is_admitted(self._database, game, address)

    def names_of(self, address: str) -> tuple[str, ...]:
        """Return an address, and the hash that stands for it where its owner was forgotten."""
        return self._database.names_of(address)

    def forgetting(self, address: str) -> Millis | None:
        """Return when the owner of an address will be forgotten, or None."""
        return stored_people.forgetting_at(self._database, address)

    def personal_data(self, address: str, now: Millis) -> Mapping[str, Any]:
        """Return everything that is stored about the owner of an address, as plain values."""
        return personal_data.collect(self._database, address, now)

    def private_games(self) -> frozenset[str]:
        """Return the names of the running and finished games that only their people may know of."""
        with self._database.session():
            rows = self._database.ask(_SELECT_PRIVATE_GAMES)
        return frozenset(row.game_id for row in rows)

    def offers(self) -> tuple[GameOffer, ...]:
        """Return the games that are open for players, by name."""
        with self._database.reading():
            offers = [_offer(row) for row in self._database.run(OfferRow.select())]
        return tuple(
            sorted((offer for offer in offers if isinstance(offer, GameOffer)), key=lambda offer: offer.name)
        )

    def offer(self, name: str) -> GameOffer | None:
        """Return the open game with this name, or None."""
        with self._database.reading():
            row = self._database.first(OfferRow.select().where(OfferRow.name == name))
        offer = None if row is None else _offer(row)
        return offer if isinstance(offer, GameOffer) else None

    def signups(self, game: str) -> tuple[Signup, ...]:
        """Return the sign-ups for a game or a seat of it, in the order of arrival."""
        with self._database.reading():
            rows = list(self._database.run(SignupRow.select().where(SignupRow.game == game)))
        return tuple(_signup(row) for row in sorted(rows, key=lambda row: (row.since, row.address)))

    def signed_up(self, address: str) -> tuple[Signup, ...]:
        """Return the sign-ups of an address, by game."""
        with self._database.reading():
            rows = list(self._database.run(SignupRow.select().where(SignupRow.address == address)))
        return tuple(_signup(row) for row in sorted(rows, key=lambda row: row.game))

    def observers(self, game: str) -> tuple[str, ...]:
        """Return the addresses of a game's observers."""
        with self._database.reading():
            rows = self._database.run(WatcherRow.select().where(WatcherRow.game == game))
            return tuple(sorted(row.address for row in rows))

    def vacancies(self, game: str) -> tuple[Seat, ...]:
        """Return the open seats of a running game."""
        with self._database.session():
            rows = self._database.ask(_VACANCIES, game=game)
        return tuple(Seat(row.seat) for row in sorted(rows, key=lambda row: (row.since, row.seat)))

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        """Return the open seats of all games that have any, by game."""
        with self._database.session():
            rows = self._database.ask(_VACANT)
        seats_by_game: dict[str, tuple[Seat, ...]] = {}
        for row in sorted(rows, key=lambda row: (row.game_id, row.since, row.seat)):
            seats_by_game[row.game_id] = (*seats_by_game.get(row.game_id, ()), Seat(row.seat))
        return seats_by_game

    def votes(self, game: str) -> Mapping[Seat, Vote]:
        """Return the seats' votes for an end of the game in its current turn."""
        with self._database.reading():
            rows = self._database.ask(_VOTES, game=game)
            present = self._database.ask(_PRESENT, game=game) if rows else ()
        current = [row for row in rows for game_row in present if row.turn == game_row.turn]
        return {
            Seat(row.seat): Vote(seat=Seat(row.seat), motion=row.motion, to=row.goal)
            for row in sorted(current, key=lambda row: row.seat)
        }

    def absences(self, game: str) -> tuple[Absence, ...]:
        """Return the announced absences of a game's players, ordered by their start."""
        with self._database.session():
            rows = self._database.ask(_ABSENCES, game=game)
        return tuple(
            Absence(number=row.number, seat=Seat(row.seat), first=row.first, last=row.last)
            for row in sorted(rows, key=lambda row: (row.first, row.number))
        )

    def press(self, game: str, since: Millis = 0) -> tuple[Press, ...]:
        """Return the press of a game written since an instant, oldest first."""
        here = (PressRow.game == game) & (PressRow.written >= since)
        with self._database.reading():
            rows = self._database.run(PressRow.select().where(here).order_by(PressRow.number))
            return tuple(press_of(row) for row in rows)

    def press_of(self, key: str) -> Press | None:
        """Return the press with a key, or None."""
        with self._database.reading():
            row = self._database.first(PressRow.select().where(PressRow.key == key))
        return None if row is None else press_of(row)

    def held_press(self, game: str | None = None) -> tuple[HeldPress, ...]:
        """Return the queued press in the order of writing; of one game, or of all (None)."""
        with self._database.session():
            if not self._database.ask(_SELECT_ANY_HELD_PRESS):
                return ()
        with self._database.reading():
            waiting = HeldPressRow.select()
            rows = list(
                self._database.run(waiting if game is None else waiting.where(HeldPressRow.game == game))
            )
            written: list[Any] = []
            keys = sorted({row.press for row in rows})
            for at in range(0, len(keys), _MAX_KEYS_PER_QUERY):
                some = PressRow.select().where(PressRow.key.in_(keys[at : at + _MAX_KEYS_PER_QUERY]))
                written += self._database.run(some)
        press = {row.key: press_of(row) for row in written}
        pieces = (
            HeldPress(
                game=row.game_id,
                key=row.press,
                press=press[row.press],
                reader=row.reader,
                since=int(row.since),
            )
            for row in rows
            if row.press in press
        )
        return tuple(sorted(pieces, key=lambda piece: (piece.press.number, piece.reader)))

    def guesses(self, game: str, seat: Seat) -> Guesses:
        """Return the failed guesses at a seat's password, or at a game's word."""
        if seat == JOIN_WORD:
            return stored_people.read_word_guesses(self._database, game)
        here = (GuessRow.game == game) & (GuessRow.seat == seat)
        with self._database.reading():
            row = self._database.first(GuessRow.select().where(here))
        if row is None:
            return NO_GUESSES
        return Guesses(lock=row.lock, misses=row.misses, rests=row.rests, until=row.until, at=row.at)

    def is_warned_of_copies(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether a seat's player was warned that copies of emails show others the reply address."""
        here = (
            (CopyWarningRow.game == game)
            & (CopyWarningRow.seat == seat)
            & (CopyWarningRow.address == address)
        )
        return bool(self._database.count(CopyWarningRow.select().where(here)))

    def requests(self, address: str) -> tuple[Request, ...]:
        """Return the requests of an address that wait for a reply, oldest first."""
        with self._database.session():
            rows = self._database.ask(_REQUESTS, address=address)
        return tuple(_request(row) for row in sorted(rows, key=lambda row: (row.asked, row.mark)))

    def requests_by_mark(self, mark: str) -> tuple[Request, ...]:
        """Return the requests of any address that a reply names by this mark, oldest first."""
        with self._database.session():
            rows = self._database.ask(_REQUESTS_BY_MARK, mark=mark)
        return tuple(_request(row) for row in sorted(rows, key=lambda row: (row.asked, row.address)))

    def choices(self, game: str) -> tuple[LetterChoice, ...]:
        """Return the email choices of a game's players, ordered by seat and address."""
        with self._database.reading():
            rows = list(self._database.run(ChoiceRow.select().where(ChoiceRow.game == game)))
        return tuple(choice_of(row) for row in sorted(rows, key=lambda row: (row.seat, row.address)))

    def posters(self, game: str) -> tuple[Poster, ...]:
        """Return the posters for a game's seats, by seat, also those of former players."""
        return outbox.posters_of_game(self._database, game)

    def threads(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the running games that are played in each forum, in order."""
        return outbox.threads(self._database)

    def subscription(self, address: str) -> Subscription | None:
        """Return the digest subscription of an address, or None if it never subscribed or cancelled."""
        return subscription(self._database, address)

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Return all subscribers to a digest, ordered by address."""
        return tuple(subscriber for subscriber in subscriptions(self._database) if subscriber.digest != "off")


def all_people(database: Database) -> tuple[Person, ...]:
    """Return all people in the database, ordered by address."""
    with database.reading():
        people = {row.address: _person(row) for row in database.run(PersonRow.select())}
        addresses = {
            row.address
            for model in (ChairRow, SignupRow, WatcherRow)
            for row in database.run(model.select(model.address).where(model.address.is_null(False)))
        }
    return tuple(
        people.get(address) or Person(address=address) for address in sorted(addresses | set(people))
    )


def broken_offers(database: Database) -> Mapping[str, str]:
    """Return the open games that can't begin, with the reasons, by name."""
    with database.reading():
        offers = {row.name: _offer(row) for row in database.run(OfferRow.select())}
    return {name: offer for name, offer in sorted(offers.items()) if isinstance(offer, str)}


def _offer(row: Any) -> GameOffer | str:
    """Return an open game, or the reason why it can't be read."""
    try:
        offer: GameOffer = load(GameOffer, row.document.encode())
    except Malformed as fault:
        return f"it cannot be read: {fault}"
    return offer if offer.kind in games.kinds() else kind_missing(offer.kind)


def _person(row: Any) -> Person:
    return Person(address=row.address, name=row.name, zone=row.zone, public=bool(row.public))


def _request(row: Any) -> Request:
    lines = load(tuple[str, ...], row.lines.encode())
    return Request(address=row.address, lines=lines, at=row.asked, mark=row.mark)


def _signup(row: Any) -> Signup:
    return Signup(
        game=row.game,
        address=row.address,
        wishes=load(tuple[Seat, ...], row.wishes.encode()),
        since=row.since,
    )


LOG_BATCH_ENTRIES = 8
"""This many log entries are fetched together, the last first."""
MOST_SHEETS = 64
"""This many of our emails to a seat are searched for order sheets, the newest first."""

_MAX_WORDS_PER_QUERY = 512
"""The maximum number of words in one query."""
ENTRY_NUMBER_LIMIT = 2**31 - 1
"""A number that is higher than the number of any log entry."""

_BOUNDARY_LINE_START = b"\n--=_"
"""The start of the MIME boundaries in our emails. No other line starts like this, since ``=`` is encoded."""

# Every email runs these queries.
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
    """Return the query for the games with these names. count: the number of names."""
    return Prepared(GameRow.select(GameRow.name).where(GameRow.name.in_(slots(count))))


_TURNS_CACHE: BoundedCache[tuple[str, str], tuple[str, ...]] = BoundedCache(512)
"""The turns in a game's log. The hash of the last entry identifies the version of the log."""


class _RowsLost(Exception):
    """Raised when a game's row exists without its seats. Every game has some."""


class DatabaseRepository:
    """Implements `Repository` on a database.

    Raises StoreFault, and Malformed for a state that can't be read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.people = DatabasePeopleRepository(database)
        self._last_key: tuple[str, str] | None = None  # cached sheets of our emails, which never change

    @property
    def bounces(self) -> DatabaseBounceRepository:
        """Return the queries about undeliverable emails."""
        return DatabaseBounceRepository(self._database)

    def kinds(self) -> list[str]:
        """Return the kinds of the games in the database, sorted."""
        query = GameRow.select(GameRow.kind).distinct().order_by(GameRow.kind)
        with self._database.session():
            return [str(row.kind) for row in self._database.run(query)]

    def position(self, game: str) -> GamePosition | None:
        """Return a game's current state, or None if it doesn't exist or can't be read (see its
        suspension)."""
        game_or_fault = self._load_game(game)
        return game_or_fault if isinstance(game_or_fault, GamePosition) else None

    def suspension(self, game: str) -> Suspension | None:
        """Return the reason why a game can't continue. None if it can, or if it doesn't exist."""
        game_or_fault = self._load_game(game)
        return game_or_fault.stuck if isinstance(game_or_fault, GamePosition) else game_or_fault

    def plain(self, game: str) -> GamePosition | None:
        """Return a game, or None. Its state and orders are plain values, so its kind needn't be known.

        Raises Malformed or ValueError if a row can't be read.
        """
        with self._database.reading():
            rows = self._database.ask(_SELECT_GAME, game=game)
            return self._position_of_row(rows[0], Any, None) if rows else None

    def _load_game(self, game: str) -> GamePosition | Suspension | None:
        with self._database.reading():
            rows = self._database.ask(_SELECT_GAME, game=game)
            if not rows:
                return None
            try:
                copies = self._copies(game, rows[0].kind, editions := _editions(rows[0].editions))
                kind = copies.get(editions[-1].sha) if copies else None
                kind = kind or games.kinds().get(rows[0].kind)
                if kind is None:
                    return unreadable_game(rows[0], kind_missing(rows[0].kind), BRING_BACK)
                return self._position_of_row(rows[0], kind.state_type, kind.order_type, copies)
            except (Fault, PeeweeException):
                raise
            except _RowsLost:
                return unreadable_game(
                    rows[0], "its seats and its log were deleted by an upgrade", LOGS_LOST_REMEDY
                )
            except Exception as fault:  # any error in a game's rows must affect only this game
                return unreadable_game(rows[0], f"it cannot be read: {type(fault).__name__}: {fault}", MEND)

    def _copies(self, game: str, kind: str, editions: tuple[BoundEdition, ...]) -> dict[str, Game]:
        """Return the games of those editions of a game that aren't installed, by digest. Usually none.

        Raises Invalid if the copy of one can't be played.
        """
        installed = games.kinds().get(kind) if editions else None
        present = installed.edition.sha if installed is not None and installed.edition is not None else None
        if all(edition.sha == present for edition in editions):
            return {}
        rows = EditionRow.select().where(EditionRow.game == game)
        contents = {row.sha: bytes(row.files) for row in self._database.run(rows)}
        return {sha: _game_of_copy(kind, content) for sha, content in contents.items() if sha != present}

    def _position_of_row(
        self, row: Any, state_type: Any, order_type: Any, copies: Mapping[str, Game] = MappingProxyType({})
    ) -> GamePosition:
        game = row.name
        assignments, filed = self._database.ask(_CHAIRS, game=game), self._database.ask(_FILED, game=game)
        if not assignments:
            raise _RowsLost
        result = stored_games.agreed_result(self._database, game) if row.status == "finished" else None
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
            assignments=dict(_chairs(tuple(assignments))),
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
            stuck=None if row.stuck is None else read_suspension(row.stuck, game),
            timing=Timing() if row.clock is None else load(Timing, row.clock.encode()),
            absences=self.people.absences(game),
            editions=_editions(row.editions),
            copies=copies,
        )

    def games(self) -> tuple[str, ...]:
        """Return the names of all games, sorted."""
        with self._database.session():
            return tuple(sorted(row.name for row in self._database.ask(_SELECT_GAME_NAMES)))

    def existing_games(self, words: Collection[str]) -> frozenset[str]:
        """Return the words that are the name of a game."""
        asked, existing = sorted(words), set[str]()
        with self._database.session():
            for at in range(0, len(asked), _MAX_WORDS_PER_QUERY):
                some = asked[at : at + _MAX_WORDS_PER_QUERY]
                # Pad to a power of two, so that a few prepared statements suffice for any number.
                some += some[:1] * ((1 << (len(some) - 1).bit_length()) - len(some))
                existing.update(
                    row.name
                    for row in self._database.ask(_select_existing_games(len(some)), **slot_values(some))
                )
        return frozenset(existing)

    def running_games(self) -> tuple[str, ...]:
        """Return the names of the running games, sorted."""
        with self._database.session():
            return tuple(sorted(row.name for row in self._database.ask(_RUNNING)))

    def names(self) -> frozenset[str]:
        """Return the names that no new game can have: of games, open games and deleted games."""
        offers = (*(offer.name for offer in self.people.offers()), *broken_offers(self._database))
        return frozenset((*self.games(), *offers, *deleted_names(self._database)))

    def log(self, game: str) -> tuple[tuple[LogEntry, bytes], ...]:
        """Return the log of a game, each entry with the canonical bytes of the state after it.

        It is empty if the game doesn't exist.
        """
        with self._database.reading():
            rows = EntryRow.select().where(EntryRow.game == game).order_by(EntryRow.number)
            return tuple(
                (load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in self._database.run(rows)
            )

    def latest(self, game: str, count: int) -> tuple[tuple[LogEntry, bytes], ...]:
        """Return up to this many last entries of the log, in the order of the log."""
        with self._database.session():
            rows = self._database.ask(_END, game=game, count=count)
        return tuple((load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in reversed(rows))

    def turns(self, game: str) -> tuple[str, ...]:
        """Return the short names of a game's turns, oldest first, the current one last; empty if none."""
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
        """Return the GM's overrides since the last turn, oldest first, as log entries."""
        entries: list[LogEntry] = []
        rows: Sequence[Any] = ()
        with self._database.reading():
            while not any(entry.kind in PLAYED_KINDS for entry in entries):
                # In batches: a driver loads a whole result at once, and a log may be long.
                before = rows[-1].number if rows else ENTRY_NUMBER_LIMIT
                rows = self._database.ask(_SELECT_LATEST_ENTRIES, game=game, before=before)
                entries += (load(LogEntry, bytes(row.entry)) for row in rows)
                if len(rows) < LOG_BATCH_ENTRIES:
                    break
        since = takewhile(lambda entry: entry.kind not in PLAYED_KINDS, entries)
        return tuple(entry for entry in since if entry.kind in OVERRIDE_KINDS)[::-1]

    def restore_mark(self, game: str) -> RestoreMark | None:
        """Return the restore mark of a game, or None if it was never restored."""
        return read_mark(self._database, game)

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Return whether an email that came later than an instant has been read for a seat."""
        later = (LetterRow.game == game) & (LetterRow.seat == seat) & (LetterRow.received > received)
        return bool(self._database.count(LetterRow.select().where(later & (LetterRow.disposition == "read"))))

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """Return the seats that an address has, as (game, seat), sorted."""
        with self._database.session():
            held = self._database.ask(_SELECT_SEATS_OF_ADDRESS, address=address)
        rows = sorted(held, key=lambda row: (row.game_id, row.place))
        return tuple((row.game_id, Seat(row.seat)) for row in rows)

    def replies_since(self, address: str, since: Millis) -> int:
        """Return the number of replies that were written to an address since an instant."""
        with self._database.session():
            # This query runs for every email.
            is_forgotten = self._database.forgotten is not None
            names = self._database.names_of(address) if is_forgotten else (address,)
            return sum(
                int(self._database.ask(_COUNT_REPLIES, address=name, since=since)[0][0]) for name in names
            )

    def letters_since(self, address: str, since: Millis) -> int:
        """Return the number of emails from an address that were processed since an instant."""
        speakers = self._database.names_of(address)
        letters = LetterRow.select().where(LetterRow.speaker.in_(speakers) & (LetterRow.handled >= since))
        return self._database.count(letters)

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """Return the dates in the latest emails from an address that were read for a seat."""
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
        """Return the number of games that emails from an address began since an instant."""
        founders = self._database.names_of(address)
        begun = GameRow.select().where(GameRow.founder.in_(founders) & (GameRow.created >= since))
        return self._database.count(begun)

    def games_begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        """Return the number of games that emails began since an instant. domain: only from its addresses."""
        begun = GameRow.founder.is_null(False) & (GameRow.created >= since)
        if domain is not None:
            begun &= GameRow.founder.endswith(f"@{domain}")
        return self._database.count(GameRow.select().where(begun))

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        """Return whether a known player has an address in this domain.

        This player has a seat in a game that was begun from another domain, or before an instant and has been
        played since.
        """
        there = ChairRow.address.endswith(f"@{domain}")
        others = GameRow.founder.is_null() | ~GameRow.founder.endswith(f"@{domain}")
        played = (GameRow.created < before) & (GameRow.played > 0)
        held = ChairRow.select(ChairRow.seat).join(GameRow).where(there & (others | played)).limit(1)
        with self._database.reading():
            return self._database.first(held) is not None

    def founded_games(self, address: str) -> tuple[FoundedGame, ...]:
        """Return the running games that an address began and plays in, sorted by name."""
        running = (GameRow.founder == address) & (GameRow.status == "running")
        assignments = ChairRow.select(ChairRow.game, ChairRow.address, ChairRow.bot).order_by(ChairRow.place)
        own_games: list[FoundedGame] = []
        with self._database.reading():
            kinds = GameRow.select(GameRow.name, GameRow.kind).where(running).order_by(GameRow.name)
            for game in list(self._database.run(kinds)):
                rows = list(self._database.run(assignments.where(ChairRow.game == game.name)))
                if any(row.address == address for row in rows):
                    bots = tuple(row.bot for row in rows if row.address is None)
                    own_games.append(FoundedGame(game=game.name, kind=game.kind, bots=bots))
        return tuple(own_games)

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """Return the order sheet in one of our emails, line by line, or None if we didn't send it."""
        with self._database.session():
            rows = self._database.ask(_SELECT_LETTER_DATA, message_id=message_id.strip())
            if rows:
                self._last_key = message_id.strip(), str(rows[0].key)
        return _sheet(bytes(rows[0].data)) if rows else None

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """Return the order sheets in our emails to a seat since an instant, including replies, oldest
        first."""
        with self._database.session():
            rows = self._database.ask(_SENT, game=game, seat=seat, since=since)
        sheets = (_sheet(bytes(row.data)) for row in reversed(rows))
        return tuple(sheet for sheet in sheets if sheet)

    def is_ours(self, message_id: str) -> bool:
        """Return whether we sent an email with this Message-ID."""
        with self._database.session():
            return bool(self._database.ask(_SELECT_OUR_LETTER, message_id=message_id.strip()))

    def key_of(self, message_id: str) -> str | None:
        """Return the key of our email with this Message-ID, or None if we didn't send it."""
        wanted = message_id.strip()
        if self._last_key is None or self._last_key[0] != wanted:
            with self._database.session():
                row = self._database.first(OutRow.select(OutRow.key).where(OutRow.message_id == wanted))
            self._last_key = None if row is None else (wanted, str(row.key))
        return None if self._last_key is None else self._last_key[1]

    def email_number(self, game: str, seat: Seat, received: Millis) -> int | None:
        """Return the number of the email that was read for a seat and received at an instant, or None."""
        here = (LetterRow.game == game) & (LetterRow.seat == seat) & (LetterRow.received == received)
        with self._database.reading():
            row = self._database.first(LetterRow.select(LetterRow.number).where(here))
        return None if row is None else int(row.number)

    def has_written(self, key: str) -> bool:
        """Return whether an email with this key has been written."""
        keys = self._database.names_of(key)
        return bool(self._database.count(OutRow.select().where(OutRow.key.in_(keys))))

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        """Return the Message-IDs of our emails to a seat that were sent, each with its time."""
        here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.state == "sent")
        with self._database.reading():
            rows = self._database.run(OutRow.select(OutRow.message_id, OutRow.settled).where(here))
            return tuple((row.message_id, int(row.settled or 0)) for row in rows)

    def was_deleted(self, game: str) -> bool:
        """Return whether a game with this name was deleted that strangers knew of."""
        return was_deleted(self._database, game, publicly=True)

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether an email for a seat of a game has been written to an address."""
        here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.recipient == address)
        return bool(self._database.count(OutRow.select().where(here)))

    def accepted_in(self, content: str) -> str | None:
        """Return the fingerprint of the email that signed content was accepted in, or None."""
        return stored_people.accepted_in(self._database, content)

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        """Return the email with this fingerprint, if it is quarantined and its bytes are still stored."""
        return stored_people.quarantined_letter(self._database, fingerprint)

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """Return how often a seat was asked since an instant about emails in its player's name."""
        return stored_people.questions_since(self._database, game, seat, since)

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        """Return the number of invitations since an instant, to a game or to any."""
        there = OutRow.key ** people.invitation_key(game or "%", "%")
        return self._database.count(OutRow.select().where(there & (OutRow.created >= since)))

    def invited_addresses(self, game: str) -> tuple[str, ...]:
        """Return the addresses that were invited to a game, in the order of their invitations."""
        prefix = people.invitation_key(game, "")
        with self._database.session():
            rows = OutRow.select(OutRow.key).where(OutRow.key.startswith(prefix)).order_by(OutRow.created)
            return tuple(row.key.removeprefix(prefix) for row in self._database.run(rows))

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """Return the Message-IDs of our reports to a seat, oldest first, without replies to its emails."""
        with self._database.session():
            return tuple(row.message_id for row in self._database.ask(_THREAD, game=game, seat=seat))


class LetterRepository(DatabaseRepository):
    """The repository while one email is processed: each value is read only once for all steps.

    An email's own effects are written when all its steps are done, so these values don't change meanwhile.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # mypy doesn't know methods that an object replaces with cached ones of its own.
        self.position = cache(super().position)  # type: ignore[method-assign]
        self.turns = cache(super().turns)  # type: ignore[method-assign]
        self.seats_of = cache(super().seats_of)  # type: ignore[method-assign]
        self.restore_mark = cache(super().restore_mark)  # type: ignore[method-assign]
        self.replies_since = cache(super().replies_since)  # type: ignore[method-assign]
        self.people.policy = cache(self.people.policy)  # type: ignore[method-assign]


def _plain_text(raw: bytes) -> str:
    """Return the text of one of our emails: its first leaf part, in quoted-printable.

    Parsing the whole email, including the map, would take a hundred times as long.
    """
    head, _, content = raw.partition(b"\r\n\r\n")
    while b"\r\nContent-Type: multipart/" in head:
        head, _, content = content.partition(_BOUNDARY_LINE_START)[2].partition(b"\r\n\r\n")
    return a2b_qp(content.partition(_BOUNDARY_LINE_START)[0]).decode("utf-8", "replace")


# The parsed value is immutable, so the cache can give it to every caller.


@lru_cache(maxsize=256)
def _chairs(rows: tuple[Any, ...]) -> tuple[tuple[Seat, SeatAssignment], ...]:
    return tuple((Seat(row.seat), assignment_of(row)) for row in rows)


@lru_cache(maxsize=64)
def _editions(document: str | None) -> tuple[BoundEdition, ...]:
    editions: tuple[BoundEdition, ...] = load(tuple[BoundEdition, ...], document.encode()) if document else ()
    return editions


@lru_cache(maxsize=16)
def _game_of_copy(kind: str, content: bytes) -> Game:
    """Return the game of a copied variant. Many games have the same copy, and compiling one takes long."""
    return games.edition_game(kind, stored_games.files_of_edition(content))


@lru_cache(maxsize=64)
def _state(state_type: Any, data: bytes) -> Any:
    return load(state_type, data)


@lru_cache(maxsize=1024)
def items_of(order_type: Any, data: bytes) -> tuple[Item, ...]:
    """Return a seat's saved orders from their stored bytes. order_type None: as plain values."""
    return tuple(load(list[Any], data)) if order_type is None else read_items(order_type, data)


# If a player writes again, they usually reply to the same email as before.
@lru_cache(maxsize=128)
def _sheet(data: bytes) -> tuple[str, ...]:
    return body.sheet_of(_plain_text(attachments.text_before_parts(data)))


@lru_cache(maxsize=64)
def _deadlines(document: str) -> Deadlines:
    read: Deadlines = load(Deadlines, document.encode())
    return read


# An overview of all games and their problems, with one query per problem.
#
# An unreadable row is noticed when its game is checked, and is recorded from then on
# (`held_games.suspend_game`).


_IS_GAME_IN_PLAY = GameRow.status == "running"


class RunningGame(Record, frozen=True, kw_only=True):
    """A running game, with the facts that can be checked without its state.

    proven: the rules version that last verified its log. edition: the digest of its variant's edition, "" for
    none.
    """

    game: str
    kind: str
    proven: str | None
    holidays: tuple[str, ...]
    zone: str = ""
    edition: str = ""


def running(database: Database) -> int:
    """Return the number of running games."""
    return database.count(GameRow.select().where(_IS_GAME_IN_PLAY))


def suspects(database: Database, kinds: Mapping[str, Game]) -> tuple[str, ...]:
    """Return the games that are suspended, or have an unknown kind and no copy of their variant."""
    noted = StuckRow.select(StuckRow.game)
    bare = GameRow.name.not_in(EditionRow.select(EditionRow.game))  # others have a copy of their variant
    with database.reading():
        in_use = {row.kind for row in database.run(GameRow.select(GameRow.kind).distinct())}
        unknown = [kind for kind in in_use if kind not in kinds]
        here = GameRow.select(GameRow.name).where(
            (GameRow.kind.in_(unknown) & bare) | GameRow.name.in_(noted)
        )
        return tuple(sorted(row.name for row in database.run(here)))


def without_logs(database: Database) -> tuple[str, ...]:
    """Return the games without log and seats. An upgrade by an earlier version deleted these rows."""
    leftovers = [model.select(model.game).where(model.game == GameRow.name) for model in (EntryRow, ChairRow)]
    lost = reduce(and_, (~fn.EXISTS(rows) for rows in leftovers))
    with database.reading():
        rows = database.run(GameRow.select(GameRow.name).where(lost))
        return tuple(sorted(row.name for row in rows))


def overdue(database: Database, since: Millis) -> dict[str, Millis]:
    """Return the deadline of each game with a deadline and grace period that ended before an instant."""
    here = _IS_GAME_IN_PLAY & (GameRow.deadline < since)
    columns = GameRow.name, GameRow.deadline, GameRow.deadlines
    with database.reading():
        rows = list(database.run(GameRow.select(*columns).where(here)))
    graced = {row.name: (row.deadline, _read_deadlines(row.deadlines)) for row in rows}
    late = {name: int(at) for name, (at, hours) in graced.items() if hours and at + hours.grace < since}
    return dict(sorted(late.items()))


def unreachable_seats(database: Database) -> tuple[tuple[str, Seat], ...]:
    """Return the seats of human players in running games with disabled delivery."""
    here = _IS_GAME_IN_PLAY & ChairRow.address.is_null(False) & ChairRow.trouble.is_null(False)
    assignments = ChairRow.select(ChairRow.game, ChairRow.seat, ChairRow.place).join(GameRow).where(here)
    with database.reading():
        rows = sorted((row.game_id, row.place, row.seat) for row in database.run(assignments))
    return tuple((game, Seat(seat)) for game, _, seat in rows)


def running_games(database: Database) -> Iterator[RunningGame]:
    """Return the running games, the next deadline first."""
    columns = GameRow.name, GameRow.kind, GameRow.proven, GameRow.deadlines, GameRow.editions
    rows = GameRow.select(*columns).where(_IS_GAME_IN_PLAY).order_by(GameRow.deadline, GameRow.name)
    with database.reading():
        for row in list(database.run(rows)):
            hours = _read_deadlines(row.deadlines)
            holidays = hours.holidays if hours else ()
            zone = hours.zone if hours else ""
            editions = _editions(row.editions)
            yield RunningGame(
                game=row.name,
                kind=row.kind,
                proven=row.proven,
                holidays=holidays,
                zone=zone,
                edition=editions[-1].sha if editions else "",
            )


def next_deadline(database: Database) -> tuple[str, Millis] | None:
    """Return the running game with the next deadline and that deadline, or None if no game has one."""
    timed = GameRow.select(GameRow.name, GameRow.deadline).where(
        _IS_GAME_IN_PLAY & GameRow.deadline.is_null(False)
    )
    with database.reading():
        row = database.first(timed.order_by(GameRow.deadline, GameRow.name))
    return None if row is None else (str(row.name), int(row.deadline))


def next_due(database: Database, limit: int) -> tuple[str, ...]:
    """Return up to `limit` games, the next deadline first and finished games last."""
    # Sorted here, because databases differ in how they sort missing values.
    timed = GameRow.select(GameRow.name).where(_IS_GAME_IN_PLAY & GameRow.deadline.is_null(False))
    others = GameRow.select(GameRow.name).where(~_IS_GAME_IN_PLAY | GameRow.deadline.is_null())
    with database.reading():
        rows = list(database.run(timed.order_by(GameRow.deadline, GameRow.name).limit(limit)))
        rows += database.run(others.order_by(GameRow.status.desc(), GameRow.name).limit(limit - len(rows)))
    return tuple(row.name for row in rows)


def _read_deadlines(written: str) -> Deadlines | None:
    try:
        deadlines: Deadlines = load(Deadlines, written.encode())
    except Malformed:  # a game with unreadable settings is suspended and reported as suspended
        return None
    return deadlines


# A digest of everything public about a game; the website rebuilds a game when it changes.


def game_digests(database: Database, kinds: Collection[str]) -> dict[str, str | None]:
    """Return a digest of each game but private ones. It changes whenever its public information does.

    kinds: the known kinds. A digest is None if the game can't be read now: its pages stay. Orders for a
    coming turn don't change a digest.
    """
    with database.reading():
        games, stuck, *others = (database.rows(prepared) for prepared in _DIGEST_QUERIES)
    held = {name for (name,) in stuck}
    private = {name for name, document in others[0] if '"listed":"no"' in document}
    games = [row for row in games if row[0] not in private]
    public_facts: dict[str, list[object]] = {
        name: [kind, editions, *rest]
        for name, kind, editions, *rest in games
        if name not in held and (editions is not None or kind in kinds)
    }
    for rows in others:
        for name, *rest in rows:
            if name in public_facts:
                public_facts[name] += rest
    return {row[0]: _digest(public_facts[row[0]]) if row[0] in public_facts else None for row in games}


def public_people(database: Database) -> tuple[Person, ...]:
    """Return the people that agreed to be named in the archive and have told us their name."""
    with database.reading():
        rows = database.run(PersonRow.select().where(PersonRow.public, PersonRow.name.is_null(False)))
        return tuple(Person(address=row.address, name=row.name, public=True) for row in rows)


def vacancies(database: Database) -> dict[str, tuple[str, list[str]]]:
    """Return the running games with open seats by name, without private ones: the kind, and these seats."""
    query = VacancyRow.select(GameRow.name, GameRow.kind, VacancyRow.seat).join(GameRow)
    query = query.where(GameRow.name.not_in(CustomsRow.select(CustomsRow.game).where(IS_PRIVATE_GAME)))
    seats_by_game: dict[str, tuple[str, list[str]]] = {}
    with database.reading():
        rows = database.run(query.where(GameRow.status == "running").tuples())
        for name, kind, seat in sorted(rows):
            seats_by_game.setdefault(name, (kind, []))[1].append(seat)
    return seats_by_game


def _digest_queries() -> Iterator[Any]:
    """Yield the queries on all games: the games, those that are suspended, and their public facts by game."""
    game, assignment, customs, vacancy, press = GameRow, ChairRow, CustomsRow, VacancyRow, PressRow
    # Overrides are in the log too. Some of them are secret until the turn is processed.
    turns = game.entries - game.by_hand
    shown = game.name, game.kind, game.editions, game.status, game.turn, game.played, turns, game.deadline
    yield game.select(*shown).order_by(game.name)
    yield StuckRow.select(StuckRow.game)
    yield customs.select(customs.game, customs.document)
    yield vacancy.select(vacancy.game, vacancy.seat).order_by(vacancy.game, vacancy.seat)
    counted = press.select(press.game, fn.COUNT(press.number)).where(press.hearers.is_null())
    yield counted.group_by(press.game)
    seats = assignment.select(
        assignment.game, assignment.address.is_null(), assignment.bot, assignment.missed
    )
    yield seats.order_by(assignment.game, assignment.seat)
    agreed = assignment.select(assignment.game, assignment.seat, PersonRow.name).join(
        PersonRow, on=(PersonRow.address == assignment.address)
    )
    named = agreed.where(PersonRow.public, PersonRow.name.is_null(False))
    yield named.order_by(assignment.game, assignment.seat)


_DIGEST_QUERIES = tuple(map(Prepared, _digest_queries()))


def _digest(facts: list[object]) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]
