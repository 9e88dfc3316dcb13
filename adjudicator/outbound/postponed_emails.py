"""Emails kept for a turn to come in a restored game: reopened to be read when it is due."""

from adjudicator.auth.older_tokens import coming_turns
from adjudicator.model.games import GamePosition
from adjudicator.model.repository import Repository
from adjudicator.storage import postponed_emails
from adjudicator.storage.database import Database


def reopen_due_emails(database: Database, books: Repository, position: GamePosition) -> bool:
    """Have the emails read next that waited for the turn that is due in a game, or for one that is over.

    Returns whether there were any: then the turn is not played before they are read.
    """
    waiting = _waiting(database, books, position)
    if not waiting:
        return False
    coming = frozenset(coming_turns(position))
    due = [number for number, turn in waiting.items() if turn not in coming]
    if due:
        postponed_emails.reopen(database, due)
    return bool(due)


def reopen_emails_of_ended_games(database: Database) -> None:
    """Have the emails read next that waited for a turn of a game that is over."""
    if numbers := postponed_emails.find_of_ended_games(database):
        postponed_emails.reopen(database, numbers)


def find_awaited_turns(database: Database, books: Repository, position: GamePosition) -> frozenset[str]:
    """Return the turns to come for which emails are kept in a game: they are read before these are played."""
    return frozenset(_waiting(database, books, position).values())


def _waiting(database: Database, books: Repository, position: GamePosition) -> dict[int, str]:
    return (
        {}
        if books.restore_mark(position.name) is None
        else postponed_emails.list_waiting(database, position.name)
    )
