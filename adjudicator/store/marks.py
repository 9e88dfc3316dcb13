"""By what it is known that something has changed in a game that everybody may see."""

import hashlib
from collections.abc import Collection, Iterator
from typing import Any

from peewee import fn

from adjudicator.ledger.society import Person
from adjudicator.store.database import Database
from adjudicator.store.prepared import Prepared
from adjudicator.store.tables import ChairRow, CustomsRow, GameRow, PersonRow, PressRow, StuckRow, VacancyRow


def marks(database: Database, kinds: Collection[str]) -> dict[str, str | None]:
    """By game a text that is another as soon as there is more to show of it.

    kinds: those that are there. None: it cannot be looked at now, and is left as it was. Nothing that is on
    file for a turn to come changes a mark.
    """
    with database.reading():
        games, stuck, *others = (database.rows(prepared) for prepared in _ASKED)
    held = {name for (name,) in stuck}
    found: dict[str, list[object]] = {
        name: [kind, *rest] for name, kind, *rest in games if kind in kinds and name not in held
    }
    for told in others:
        for name, *rest in told:
            if name in found:
                found[name] += rest
    return {row[0]: _digest(found[row[0]]) if row[0] in found else None for row in games}


def named(database: Database) -> tuple[Person, ...]:
    """The people who have agreed that the archive names them, and have a name."""
    with database.reading():
        rows = database.run(PersonRow.select().where(PersonRow.public, PersonRow.name.is_null(False)))
        return tuple(Person(address=row.address, name=row.name, public=True) for row in rows)


def vacancies(database: Database) -> dict[str, tuple[str, list[str]]]:
    """The games that run and have seats which anybody may take: of what kind, and the seats."""
    query = VacancyRow.select(GameRow.name, GameRow.kind, VacancyRow.seat).join(GameRow)
    found: dict[str, tuple[str, list[str]]] = {}
    with database.reading():
        rows = database.run(query.where(GameRow.status == "running").tuples())
        for name, kind, seat in sorted(rows):
            found.setdefault(name, (kind, []))[1].append(seat)
    return found


def _asked() -> Iterator[Any]:
    """What is asked of all games: themselves, those that cannot go on, and by game what is shown of them."""
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


_ASKED = tuple(map(Prepared, _asked()))


def _digest(told: list[object]) -> str:
    return hashlib.sha256(repr(told).encode()).hexdigest()[:24]
