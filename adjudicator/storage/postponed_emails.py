"""Emails that are kept for a turn to come, in restored games, and for which turn each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.model.dispositions import POSTPONED
from adjudicator.model.mail import StoredLetter
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared, slot
from adjudicator.storage.tables import GameRow, LetterRow, MetaRow
from games.record import canonical, load, replace_fields

_POSTPONED_KEY_PREFIX = "postponed/"
_IS_POSTPONED = LetterRow.disposition == POSTPONED
_SELECT_POSTPONED_OF_GAME = Prepared(
    LetterRow.select(LetterRow.number)
    .where(_IS_POSTPONED & (LetterRow.game == slot("game")))
    .order_by(LetterRow.received, LetterRow.number)
)
_SELECT_POSTPONED_OF_ENDED_GAMES = Prepared(
    LetterRow.select(LetterRow.number)
    .join(GameRow, on=(GameRow.name == LetterRow.game))
    .where(_IS_POSTPONED & (GameRow.status != "running"))
)
_SELECT_POSTPONED_NOTE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))


def note_turns(database: Database, number: int, turns: Mapping[str, str]) -> None:
    """Note for which turns a letter waits, by game; none: for none. A part of the caller's transaction."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == f"{_POSTPONED_KEY_PREFIX}{number}"))
        if turns:
            database.run(MetaRow.insert(key=f"{_POSTPONED_KEY_PREFIX}{number}", value=canonical(dict(turns))))


def list_waiting(database: Database, game: str) -> dict[int, str]:
    """Return the letters that wait for a turn of a game: by their numbers, oldest first, the turn of each."""
    with database.reading():
        numbers = [int(row.number) for row in database.ask(_SELECT_POSTPONED_OF_GAME, game=game)]
        return {number: _turns(database, number).get(game, "") for number in numbers}


def add_turns(database: Database, kept: StoredLetter) -> StoredLetter:
    """Return a letter with the turns that it waited for, where it was kept for some."""
    if kept.game is None or kept.seat is not None:
        return kept
    with database.reading():
        return replace_fields(kept, waited=_turns(database, kept.number))


def find_of_ended_games(database: Database) -> tuple[int, ...]:
    """Return the letters that wait for turns of games in which none comes any more."""
    with database.session():
        return tuple(int(row.number) for row in database.ask(_SELECT_POSTPONED_OF_ENDED_GAMES))


def reopen(database: Database, numbers: Sequence[int]) -> None:
    """Have letters read next that waited for a turn; of each its game stays known."""
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0, "lease": None, "worker": None}
    with database.writing():
        here = LetterRow.number.in_(list(numbers)) & _IS_POSTPONED
        database.run(LetterRow.update(**fresh).where(here))


def _turns(database: Database, number: int) -> dict[str, str]:
    rows = database.ask(_SELECT_POSTPONED_NOTE, key=f"{_POSTPONED_KEY_PREFIX}{number}")
    return load(dict[str, str], bytes(rows[0].value)) if rows else {}
