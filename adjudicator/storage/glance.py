"""All games at a glance: with which of them something is the matter, each by one question.

A row that cannot be read shows when its game is looked at; from then on it is noted (`store.stuck`).
"""

from collections.abc import Collection, Iterator
from functools import reduce
from operator import and_

from peewee import fn

from adjudicator.clock import Millis
from adjudicator.model.deadlines import Deadlines
from adjudicator.storage.database import Database
from adjudicator.storage.tables import ChairRow, EntryRow, GameRow, StuckRow
from games.protocol import Seat
from games.record import Malformed, Record, load

_IS_GAME_IN_PLAY = GameRow.status == "running"


class RunningGame(Record, frozen=True, kw_only=True):
    """A game that runs, by what may be odd about it without its state. proven: as in `Position`."""

    game: str
    kind: str
    proven: str | None
    holidays: tuple[str, ...]
    zone: str = ""


def running(database: Database) -> int:
    """In how many games a turn may fall due."""
    return database.count(GameRow.select().where(_IS_GAME_IN_PLAY))


def suspects(database: Database, kinds: Collection[str]) -> tuple[str, ...]:
    """The games that are noted as held, or whose kind is none of these: `Books.stuck` says why."""
    noted = StuckRow.select(StuckRow.game)
    here = GameRow.select(GameRow.name).where(GameRow.kind.not_in(list(kinds)) | GameRow.name.in_(noted))
    with database.reading():
        return tuple(sorted(row.name for row in database.run(here)))


def without_logs(database: Database) -> tuple[str, ...]:
    """Return the games of which no log and no seat is left: an upgrade of an earlier version deleted them."""
    leftovers = [model.select(model.game).where(model.game == GameRow.name) for model in (EntryRow, ChairRow)]
    lost = reduce(and_, (~fn.EXISTS(rows) for rows in leftovers))
    with database.reading():
        rows = database.run(GameRow.select(GameRow.name).where(lost))
        return tuple(sorted(row.name for row in rows))


def overdue(database: Database, since: Millis) -> dict[str, Millis]:
    """The games that wait for a turn whose deadline and grace were over by then, each with its deadline."""
    here = _IS_GAME_IN_PLAY & (GameRow.deadline < since)
    columns = GameRow.name, GameRow.deadline, GameRow.deadlines
    with database.reading():
        rows = list(database.run(GameRow.select(*columns).where(here)))
    graced = {row.name: (row.deadline, _read_deadlines(row.deadlines)) for row in rows}
    late = {name: int(at) for name, (at, hours) in graced.items() if hours and at + hours.grace < since}
    return dict(sorted(late.items()))


def unreachable_seats(database: Database) -> tuple[tuple[str, Seat], ...]:
    """The seats of people in games that run to whom our letters do not come."""
    here = _IS_GAME_IN_PLAY & ChairRow.address.is_null(False) & ChairRow.trouble.is_null(False)
    chairs = ChairRow.select(ChairRow.game, ChairRow.seat, ChairRow.place).join(GameRow).where(here)
    with database.reading():
        rows = sorted((row.game_id, row.place, row.seat) for row in database.run(chairs))
    return tuple((game, Seat(seat)) for game, _, seat in rows)


def running_games(database: Database) -> Iterator[RunningGame]:
    """The games that run, the one whose deadline is next first."""
    columns = GameRow.name, GameRow.kind, GameRow.proven, GameRow.deadlines
    rows = GameRow.select(*columns).where(_IS_GAME_IN_PLAY).order_by(GameRow.deadline, GameRow.name)
    with database.reading():
        for row in list(database.run(rows)):
            hours = _read_deadlines(row.deadlines)
            holidays = hours.holidays if hours else ()
            zone = hours.zone if hours else ""
            yield RunningGame(game=row.name, kind=row.kind, proven=row.proven, holidays=holidays, zone=zone)


def next_due(database: Database, limit: int) -> tuple[str, ...]:
    """Return up to `limit` games, the one with the next deadline first, those that are over last."""
    # Here, and not by the database, since each has an order of its own for what is not there.
    timed = GameRow.select(GameRow.name).where(_IS_GAME_IN_PLAY & GameRow.deadline.is_null(False))
    others = GameRow.select(GameRow.name).where(~_IS_GAME_IN_PLAY | GameRow.deadline.is_null())
    with database.reading():
        rows = list(database.run(timed.order_by(GameRow.deadline, GameRow.name).limit(limit)))
        rows += database.run(others.order_by(GameRow.status.desc(), GameRow.name).limit(limit - len(rows)))
    return tuple(row.name for row in rows)


def _read_deadlines(written: str) -> Deadlines | None:
    try:
        deadlines: Deadlines = load(Deadlines, written.encode())
    except Malformed:  # such a game is held, and told of as that
        return None
    return deadlines
