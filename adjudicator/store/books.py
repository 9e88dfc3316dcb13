"""The read side of the books, on the tables."""

from email import message_from_bytes, policy
from typing import Any

import games
from adjudicator.clock import Millis
from adjudicator.ledger import Deadlines, Entry, Position
from adjudicator.pigeonhole import unpacked
from adjudicator.store.acts import chair_of
from adjudicator.store.database import Database
from adjudicator.store.tables import ChairRow, EntryRow, FiledRow, GameRow, LetterRow, OutRow
from games.protocol import Seat
from games.record import load
from orders.body import sheet_of


class StoredBooks:
    """`ledger.Books` on a database. Raises StoreFault; Malformed for a state its kind cannot read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def position(self, game: str) -> Position | None:
        """A game as it stands, or None."""
        with self._database.reading():
            row = self._database.first(GameRow.select().where(GameRow.name == game))
            if row is None:
                return None
            chairs = ChairRow.select().where(ChairRow.game == game).order_by(ChairRow.place)
            filed = FiledRow.select().where(FiledRow.game == game)
            return _position(row, list(self._database.run(chairs)), list(self._database.run(filed)))

    def games(self) -> tuple[str, ...]:
        """The names of all games, in order."""
        with self._database.reading():
            return tuple(sorted(row.name for row in self._database.run(GameRow.select(GameRow.name))))

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last; empty for no game."""
        with self._database.reading():
            row = self._database.first(GameRow.select(GameRow.turn).where(GameRow.name == game))
            if row is None:
                return ()
            entries = EntryRow.select(EntryRow.entry).where(EntryRow.game == game).order_by(EntryRow.number)
            played = [load(Entry, bytes(entry.entry)).turn for entry in self._database.run(entries)]
        return tuple(dict.fromkeys([*played, row.turn]))

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""
        held = ChairRow.select().where(ChairRow.address == address)
        with self._database.reading():
            rows = sorted(self._database.run(held), key=lambda row: (row.game_id, row.place))
            return tuple((row.game_id, Seat(row.seat)) for row in rows)

    def answers_since(self, address: str, since: Millis) -> int:
        """How many answers were written to an address since an instant."""
        answers = OutRow.select().where(
            (OutRow.recipient == address) & (OutRow.created >= since) & OutRow.letter.is_null(False)
        )
        return self._database.count(answers)

    def letters_since(self, address: str, since: Millis) -> int:
        """How many letters of an address were handled since an instant."""
        letters = LetterRow.select().where((LetterRow.speaker == address) & (LetterRow.handled >= since))
        return self._database.count(letters)

    def begun_since(self, address: str, since: Millis) -> int:
        """How many games were begun by letters of an address since an instant."""
        first = (EntryRow.number == 0) & (GameRow.created >= since)
        query = EntryRow.select(EntryRow.entry).join(GameRow).where(first)
        with self._database.reading():
            rows = list(self._database.run(query.tuples()))
        return sum(load(Entry, bytes(entry)).by == address for (entry,) in rows)

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""
        with self._database.reading():
            row = self._database.first(OutRow.select().where(OutRow.message_id == message_id.strip()))
        return None if row is None else sheet_of(_plain_text(bytes(row.data)))

    def is_ours(self, message_id: str) -> bool:
        """Whether a letter with that Message-ID was sent by us."""
        ours = OutRow.select(OutRow.number).where(OutRow.message_id == message_id.strip())
        with self._database.session():
            return self._database.first(ours) is not None

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """The Message-IDs of our reports to a seat, oldest first; without answers to its letters."""
        told = (OutRow.game == game) & (OutRow.seat == seat) & OutRow.letter.is_null()
        with self._database.session():
            rows = OutRow.select(OutRow.message_id).where(told).order_by(OutRow.number)
            return tuple(message_id for (message_id,) in self._database.run(rows.tuples()))


def _plain_text(raw: bytes) -> str:
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    return "" if part is None else str(part.get_content())


def _position(row: Any, chairs: list[Any], filed: list[Any]) -> Position:
    kind = games.kinds()[row.kind]
    return Position(
        name=row.name,
        kind=row.kind,
        options=load(dict[str, Any], row.options.encode()),
        status=row.status,
        entries=row.entries,
        rev=row.rev,
        head_sha=row.head_sha,
        state=load(kind.state_type, bytes(row.state)),
        filed={
            Seat(one.seat): unpacked(kind.order_type, load(list[Any], bytes(one.orders))) for one in filed
        },
        chairs={Seat(one.seat): chair_of(one) for one in chairs},
        deadline=row.deadline,
        deadlines=load(Deadlines, row.deadlines.encode()),
        early=row.early,
        secret=bytes(row.secret),
    )
