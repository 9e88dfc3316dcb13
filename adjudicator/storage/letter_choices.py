"""The letters that people have chosen, and the subscriptions to digests, in the database."""

from typing import Any

from adjudicator.errors import WriteConflict
from adjudicator.model.letter_choice import LetterChoice, Subscription
from adjudicator.model.people_acts import ChooseDigest, ChooseLetters, KeepChoice, NoteDigest, NoteUntold
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import recheck_digest
from adjudicator.storage.tables import ChoiceRow, DigestRow

_CHOICE_KEY = [ChoiceRow.game, ChoiceRow.seat, ChoiceRow.address]
_CHOSEN = ("detail", "reasons", "every", "maps", "sheets")
_CHOICE_FIELDS = (*_CHOSEN, "untold")


def choose(database: Database, deed: ChooseLetters) -> None:
    """Note what somebody chose; what he does not name stays as it is."""
    chosen_fields = {name: getattr(deed, name) for name in _CHOSEN}
    _note(database, deed, {name: value for name, value in chosen_fields.items() if value is not None})


def keep(database: Database, deed: KeepChoice) -> None:
    """Note a whole choice."""
    choice = deed.choice
    row = ChoiceRow.insert(
        game=deed.game,
        seat=choice.seat,
        address=choice.address,
        **{name: getattr(choice, name) for name in _CHOICE_FIELDS},
    )
    kept = [getattr(ChoiceRow, name) for name in _CHOICE_FIELDS]
    database.run(row.on_conflict(conflict_target=_CHOICE_KEY, preserve=kept))


def note_untold(database: Database, deed: NoteUntold) -> None:
    """Note from where on somebody is to be told."""
    _note(database, deed, {"untold": deed.untold})


def choose_digest(database: Database, deed: ChooseDigest) -> None:
    """Note how often somebody gets a digest."""
    row = DigestRow.insert(address=deed.address, digest=deed.digest, seen=deed.at)
    columns = [DigestRow.digest, DigestRow.seen]
    database.run(row.on_conflict(conflict_target=[DigestRow.address], preserve=columns))
    recheck_digest(database, deed.address)


def note_digest(database: Database, deed: NoteDigest) -> None:
    """Note that it was looked. Raises Overtaken where somebody else has just done so."""
    here = (DigestRow.address == deed.address) & (DigestRow.seen == deed.before)
    if not database.run(DigestRow.update(seen=deed.at).where(here)):
        raise WriteConflict(f"the digest of {deed.address} has been seen to")


def choices_of_game(database: Database, game: str) -> tuple[LetterChoice, ...]:
    """Return the letters that the players of a game have chosen, by seat and address."""
    with database.reading():
        rows = list(database.run(ChoiceRow.select().where(ChoiceRow.game == game)))
    return tuple(_choice(row) for row in sorted(rows, key=lambda row: (row.seat, row.address)))


def subscriptions(database: Database) -> tuple[Subscription, ...]:
    """All who ever spoke of a digest, in the order of their addresses."""
    with database.reading():
        rows = list(database.run(DigestRow.select()))
    subscribers = [Subscription(address=row.address, digest=row.digest, seen=row.seen) for row in rows]
    return tuple(sorted(subscribers, key=lambda subscriber: subscriber.address))


def subscription(database: Database, address: str) -> Subscription | None:
    """Return the subscription of an address to a digest; None if it never said."""
    with database.reading():
        row = database.first(DigestRow.select().where(DigestRow.address == address))
    return None if row is None else Subscription(address=row.address, digest=row.digest, seen=row.seen)


def _note(database: Database, deed: ChooseLetters | NoteUntold, fields: dict[str, Any]) -> None:
    row = ChoiceRow.insert(game=deed.game, seat=deed.seat, address=deed.address, **fields)
    kept = [getattr(ChoiceRow, name) for name in fields]
    database.run(
        row.on_conflict(conflict_target=_CHOICE_KEY, preserve=kept) if kept else row.on_conflict_ignore()
    )


def _choice(row: Any) -> LetterChoice:
    return LetterChoice(
        seat=row.seat, address=row.address, **{name: getattr(row, name) for name in _CHOICE_FIELDS}
    )
