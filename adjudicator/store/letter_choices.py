"""What letters people have chosen, and who gets a digest, on the books."""

from typing import Any

from adjudicator.errors import Overtaken
from adjudicator.ledger.letter_choice import LetterChoice, Subscription
from adjudicator.ledger.people_acts import ChooseDigest, ChooseLetters, KeepChoice, NoteDigest, NoteUntold
from adjudicator.store.database import Database
from adjudicator.store.looks import stir_digest
from adjudicator.store.tables import ChoiceRow, DigestRow

_KEY = [ChoiceRow.game, ChoiceRow.seat, ChoiceRow.address]
_CHOSEN = ("detail", "reasons", "every", "maps", "sheets")
_FIELDS = (*_CHOSEN, "untold")


def choose(database: Database, deed: ChooseLetters) -> None:
    """Note what somebody chose; what he does not name stays as it is."""
    said = {name: getattr(deed, name) for name in _CHOSEN}
    _note(database, deed, {name: value for name, value in said.items() if value is not None})


def keep(database: Database, deed: KeepChoice) -> None:
    """Note a whole choice."""
    one = deed.choice
    row = ChoiceRow.insert(
        game=deed.game, seat=one.seat, address=one.address, **{name: getattr(one, name) for name in _FIELDS}
    )
    kept = [getattr(ChoiceRow, name) for name in _FIELDS]
    database.run(row.on_conflict(conflict_target=_KEY, preserve=kept))


def note_untold(database: Database, deed: NoteUntold) -> None:
    """Note from where on somebody is to be told."""
    _note(database, deed, {"untold": deed.untold})


def choose_digest(database: Database, deed: ChooseDigest) -> None:
    """Note how often somebody gets a digest."""
    row = DigestRow.insert(address=deed.address, digest=deed.digest, seen=deed.at)
    said = [DigestRow.digest, DigestRow.seen]
    database.run(row.on_conflict(conflict_target=[DigestRow.address], preserve=said))
    stir_digest(database, deed.address)


def note_digest(database: Database, deed: NoteDigest) -> None:
    """Note that it was looked. Raises Overtaken where somebody else has just done so."""
    here = (DigestRow.address == deed.address) & (DigestRow.seen == deed.before)
    if not database.run(DigestRow.update(seen=deed.at).where(here)):
        raise Overtaken(f"the digest of {deed.address} has been seen to")


def of_game(database: Database, game: str) -> tuple[LetterChoice, ...]:
    """What the players of a game have chosen, by seat and address."""
    with database.reading():
        rows = list(database.run(ChoiceRow.select().where(ChoiceRow.game == game)))
    return tuple(_choice(row) for row in sorted(rows, key=lambda row: (row.seat, row.address)))


def subscriptions(database: Database) -> tuple[Subscription, ...]:
    """All who ever spoke of a digest, in the order of their addresses."""
    with database.reading():
        rows = list(database.run(DigestRow.select()))
    found = [Subscription(address=row.address, digest=row.digest, seen=row.seen) for row in rows]
    return tuple(sorted(found, key=lambda one: one.address))


def subscription(database: Database, address: str) -> Subscription | None:
    """What somebody said of a digest; None: he never did."""
    with database.reading():
        row = database.first(DigestRow.select().where(DigestRow.address == address))
    return None if row is None else Subscription(address=row.address, digest=row.digest, seen=row.seen)


def _note(database: Database, deed: ChooseLetters | NoteUntold, fields: dict[str, Any]) -> None:
    row = ChoiceRow.insert(game=deed.game, seat=deed.seat, address=deed.address, **fields)
    kept = [getattr(ChoiceRow, name) for name in fields]
    database.run(row.on_conflict(conflict_target=_KEY, preserve=kept) if kept else row.on_conflict_ignore())


def _choice(row: Any) -> LetterChoice:
    return LetterChoice(seat=row.seat, address=row.address, **{name: getattr(row, name) for name in _FIELDS})
