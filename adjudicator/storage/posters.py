"""The posters of seats, and the threads of games, in the database."""

from collections.abc import Mapping
from typing import Any

from peewee import BigIntegerField, CompositeKey, ForeignKeyField, IntegerField, Model

from adjudicator.clock import Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.people import GamePolicy, Poster
from adjudicator.model.people_acts import ForgetPoster, KnowPoster
from adjudicator.storage.database import Database
from adjudicator.storage.tables import CustomsRow, DatabaseText, GameRow
from games.protocol import Seat
from games.record import load


class PosterRow(Model):
    """The poster for a seat in the thread of its game. name "": nobody any more; used: words used up."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    address = DatabaseText()
    place = DatabaseText()
    name = DatabaseText()
    used = IntegerField()
    since = BigIntegerField()

    class Meta:
        table_name = "poster"
        primary_key = CompositeKey("game", "seat")


class TopicRow(Model):
    """Under which number a forum knows the thread of a game, where it is spoken to by its own interface."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    place = DatabaseText()
    topic = DatabaseText()

    class Meta:
        table_name = "topic"
        primary_key = CompositeKey("game", "place")


POSTING: tuple[type[Model], ...] = (PosterRow, TopicRow)


def store_poster(database: Database, deed: KnowPoster) -> None:
    """Write down who posts for a seat. Raises Overtaken where another word was used up meanwhile."""
    poster = deed.poster
    here = (PosterRow.game == deed.game) & (PosterRow.seat == poster.seat)
    with database.writing():
        row = database.first(PosterRow.select().where(here))
        if (row.used if row else 0) != deed.before:
            raise WriteConflict(f"somebody else has shown that he posts for {poster.seat} in {deed.game}")
        database.run(PosterRow.delete().where(here))
        columns = {"address": poster.address, "place": poster.place, "name": poster.name, "used": poster.used}
        database.run(PosterRow.insert(game=deed.game, seat=poster.seat, since=poster.since, **columns))


def forget_poster(database: Database, deed: ForgetPoster) -> None:
    """Whoever posts for a seat does so no longer. The word by which he has shown it stays used up."""
    here = (PosterRow.game == deed.game) & (PosterRow.seat == deed.seat)
    database.run(PosterRow.update(name="").where(here))


def posters_of_game(database: Database, game: str) -> tuple[Poster, ...]:
    """Return the posters for the seats of a game, by seat."""
    with database.reading():
        rows = database.run(PosterRow.select().where(PosterRow.game == game))
        return tuple(sorted(map(_poster, rows), key=lambda poster: poster.seat))


def threads(database: Database) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the running games that are played in each forum, in order."""
    joined = CustomsRow.select(CustomsRow.game, CustomsRow.document).join(GameRow)
    there = CustomsRow.document.contains('"forum":"') & ~CustomsRow.document.contains('"forum":""')
    games_by_forum: dict[str, list[str]] = {}
    with database.reading():
        for name, document in database.run(joined.where(there & (GameRow.status == "running")).tuples()):
            customs: GamePolicy = load(GamePolicy, document.encode())
            games_by_forum.setdefault(customs.forum, []).append(name)
    return {forum: tuple(sorted(names)) for forum, names in games_by_forum.items()}


def topic(database: Database, game: str, place: str) -> str | None:
    """Under which number a forum knows the thread of a game; None: it was not begun."""
    with database.reading():
        row = database.first(TopicRow.select().where((TopicRow.game == game) & (TopicRow.place == place)))
        return None if row is None else row.topic


def topics(database: Database, place: str) -> Mapping[str, tuple[str, Millis | None]]:
    """Return the topics of a forum by number: the running games played there, and their deadlines."""
    with database.reading():
        names = threads(database).get(place, ())
        if not names:
            return {}
        here = (TopicRow.place == place) & TopicRow.game.in_(names)
        query = TopicRow.select(TopicRow.topic, TopicRow.game, GameRow.deadline)
        rows = database.run(query.join(GameRow, on=(GameRow.name == TopicRow.game)).where(here).tuples())
        return {
            number: (game, deadline) for number, game, deadline in sorted(rows, key=lambda row: str(row[1]))
        }


def note_topic(database: Database, game: str, place: str, number: str) -> None:
    """Write down under which number a forum knows the thread of a game."""
    row = TopicRow.insert(game=game, place=place, topic=number)
    with database.writing():
        database.run(
            row.on_conflict(conflict_target=[TopicRow.game, TopicRow.place], preserve=[TopicRow.topic])
        )


def _poster(row: Any) -> Poster:
    return Poster(
        seat=Seat(row.seat),
        address=row.address,
        place=row.place,
        name=row.name,
        used=row.used,
        since=row.since,
    )
