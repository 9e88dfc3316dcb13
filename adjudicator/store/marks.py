"""By what it is known that something has changed in a game that everybody may see."""

import hashlib
from collections.abc import Collection, Iterable

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
    game, chair = GameRow, ChairRow
    # What was done by hand is in the log too; some of it is nobody's business until a turn is played.
    turns = game.entries - game.by_hand
    with database.reading():
        found: dict[str, list[object]] = {
            name: [*rest]
            for name, *rest in database.run(
                game.select(game.name, game.kind, game.status, game.turn, game.played, turns, game.deadline)
                .where(game.kind.in_([*kinds]), game.name.not_in(StuckRow.select(StuckRow.game)))
                .tuples()
            )
        }
        _add(found, database.run(CustomsRow.select(CustomsRow.game, CustomsRow.document).tuples()))
        _add(found, database.run(VacancyRow.select(VacancyRow.game, VacancyRow.seat).tuples()))
        public = PressRow.hearers.is_null()
        counted = PressRow.select(PressRow.game, fn.COUNT(PressRow.number)).where(public)
        _add(found, database.run(counted.group_by(PressRow.game).tuples()))
        _add(found, database.ask(_SEATS))
        agreed = chair.select(chair.game, chair.place, PersonRow.name).join(
            PersonRow, on=(PersonRow.address == chair.address)
        )
        _add(found, database.run(agreed.where(PersonRow.public, PersonRow.name.is_null(False)).tuples()))
        names = sorted(name for (name,) in database.run(game.select(game.name).tuples()))
    return {name: _digest(found[name]) if name in found else None for name in names}


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


_SEATS = Prepared(
    ChairRow.select(
        ChairRow.game, ChairRow.place, ChairRow.address.is_null().alias("free"), ChairRow.bot, ChairRow.missed
    )
)
"""Of all seats what is shown of them: there are several in each game."""


def _add(found: dict[str, list[object]], rows: Iterable[tuple[object, ...]]) -> None:
    for name, *rest in sorted(rows, key=repr):
        if str(name) in found:
            found[str(name)] += rest or ["there"]


def _digest(told: list[object]) -> str:
    # Databases differ in what they call a truth value.
    plain = [int(one) if isinstance(one, bool) else one for one in told]
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:24]
