"""A digest of everything public about a game; the website rebuilds a game when it changes."""

import hashlib
from collections.abc import Collection, Iterator
from typing import Any

from peewee import fn

from adjudicator.model.people import Person
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared
from adjudicator.storage.tables import (
    ChairRow,
    CustomsRow,
    GameRow,
    PersonRow,
    PressRow,
    StuckRow,
    VacancyRow,
)


def game_digests(database: Database, kinds: Collection[str]) -> dict[str, str | None]:
    """Return a digest of each game, which changes as soon as there is more to show of it.

    kinds: those that are there. None: it cannot be looked at now, and is left as it was. Nothing that is
    on file for a turn to come changes a mark.
    """
    with database.reading():
        games, stuck, *others = (database.rows(prepared) for prepared in _DIGEST_QUERIES)
    held = {name for (name,) in stuck}
    public_facts: dict[str, list[object]] = {
        name: [kind, *rest] for name, kind, *rest in games if kind in kinds and name not in held
    }
    for rows in others:
        for name, *rest in rows:
            if name in public_facts:
                public_facts[name] += rest
    return {row[0]: _digest(public_facts[row[0]]) if row[0] in public_facts else None for row in games}


def public_people(database: Database) -> tuple[Person, ...]:
    """The people who have agreed that the archive names them, and have a name."""
    with database.reading():
        rows = database.run(PersonRow.select().where(PersonRow.public, PersonRow.name.is_null(False)))
        return tuple(Person(address=row.address, name=row.name, public=True) for row in rows)


def vacancies(database: Database) -> dict[str, tuple[str, list[str]]]:
    """The games that run and have seats which anybody may take: of what kind, and the seats."""
    query = VacancyRow.select(GameRow.name, GameRow.kind, VacancyRow.seat).join(GameRow)
    seats_by_game: dict[str, tuple[str, list[str]]] = {}
    with database.reading():
        rows = database.run(query.where(GameRow.status == "running").tuples())
        for name, kind, seat in sorted(rows):
            seats_by_game.setdefault(name, (kind, []))[1].append(seat)
    return seats_by_game


def _digest_queries() -> Iterator[Any]:
    """Yield the queries on all games: the games, those that are suspended, and their public facts by game."""
    game, chair, customs, vacancy, press = GameRow, ChairRow, CustomsRow, VacancyRow, PressRow
    # What was done by hand is in the log too; some of it is nobody's business until a turn is played.
    turns = game.entries - game.by_hand
    shown = game.name, game.kind, game.status, game.turn, game.played, turns, game.deadline
    yield game.select(*shown).order_by(game.name)
    yield StuckRow.select(StuckRow.game)
    yield customs.select(customs.game, customs.document)
    yield vacancy.select(vacancy.game, vacancy.seat).order_by(vacancy.game, vacancy.seat)
    counted = press.select(press.game, fn.COUNT(press.number)).where(press.hearers.is_null())
    yield counted.group_by(press.game)
    seats = chair.select(chair.game, chair.address.is_null(), chair.bot, chair.missed)
    yield seats.order_by(chair.game, chair.seat)
    agreed = chair.select(chair.game, chair.seat, PersonRow.name).join(
        PersonRow, on=(PersonRow.address == chair.address)
    )
    named = agreed.where(PersonRow.public, PersonRow.name.is_null(False))
    yield named.order_by(chair.game, chair.seat)


_DIGEST_QUERIES = tuple(map(Prepared, _digest_queries()))


def _digest(facts: list[object]) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]
