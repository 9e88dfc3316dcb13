"""A whole installation in one file, and back: books, secrets, gm.toml and its files, variants."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from adjudicator import __version__
from adjudicator.clock import DAY, Clock, Millis, instant, moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import kind_folders
from adjudicator.house import House
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import MakeOffer
from adjudicator.office import office_of
from adjudicator.reports import times
from adjudicator.secretary.timers import Timers, turn_of
from adjudicator.secretary.writing import Writer
from adjudicator.settings.named_files import certificate_files, is_certificates
from adjudicator.settings.service import Settings, raw_settings, text_of
from adjudicator.store import acts, archive, clocks, meta, outbox, people, restore_marks
from adjudicator.store.archive import Backup
from adjudicator.store.books import StoredBooks
from adjudicator.store.database import Database
from games.record import changed

PAUSED = "restored"
"""What the letters are called that tell of a game stopped by a restore."""


@dataclass(frozen=True)
class Kept:
    """What a backup holds: its file, when and for which address it was made, how many rows, its games.

    told: what is to be said of the folders of data that those need; files: those of gm.toml that go along, by
    their names there; paused: the games whose clocks a restore has stopped; put_off: those that wait for
    players and begin later by it; handed: whether a mail server handed us emails one by one, which lie in no
    mailbox.
    """

    file: Path
    made: str
    address: str
    rows: int
    games: tuple[str, ...]
    told: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    paused: tuple[str, ...] = ()
    put_off: tuple[str, ...] = ()
    handed: bool = False


class Target(Protocol):
    """Where a backup is put back: books that are written on."""

    @property
    def settings(self) -> Settings:
        """Their settings."""

    @property
    def database(self) -> Database:
        """The database that they lie on."""

    @property
    def clock(self) -> Clock:
        """Who tells the time."""

    @property
    def hand(self) -> str:
        """Who asks for it, as logs name him."""


def back_up(house: House, file: Path | None) -> Kept:
    """Write everything into a new file, named after the instant if not otherwise."""
    made = moment(house.clock.now())
    file = file or Path(f"turnpost-{made:%Y%m%d-%H%M%S}.backup")
    config = text_of(house.settings.file)
    label = {
        "made": made.isoformat(timespec="seconds"),
        "address": house.settings.address,
        "program": __version__,
        "config": config,
    }
    games, folders = house.books.games(), kind_folders.needed(house)
    files = _files_named_in(config, house.settings.file)
    rows = archive.save(house.database, file, label, folders, files)
    return Kept(file, label["made"], label["address"], rows, games, files=tuple(files))


def _files_named_in(config: str, place: Path) -> dict[str, bytes]:
    """Return the files that a gm.toml names, by their names there; none that holds anything secret."""
    found = {}
    for named in certificate_files(raw_settings(config, place), place.parent):
        content = named.path.read_bytes() if named.path.is_file() else b""
        if is_certificates(content):
            found[named.text] = content
    return found


def read_made_at(backup: Backup) -> Millis:
    """Return when a backup was made. Raises Refusal where it does not say."""
    said = backup.label.get("made", "")
    try:
        return instant(datetime.fromisoformat(said))
    except (ValueError, TypeError, OverflowError) as fault:
        why = f'"{said}" is no instant at which it can have been made'
        raise Refusal(str(backup.path), why, "restore another copy") from fault


def take_up(target: Target, file: Path, *, go: bool = False) -> Kept:
    """Put what a backup file holds in the place of all that is on the books, as `put_back` does."""
    with archive.open_backup(file) as backup:
        return put_back(target, backup, go=go)


def put_back(target: Target, backup: Backup, *, go: bool = False) -> Kept:
    """Put what a backup holds in the place of all that is on the books: one transaction.

    Every game is marked as restored, so that emails under later tokens are known. Its clock is stopped,
    unless `go`, and its players are told.
    """
    database, now, made = target.database, target.clock.now(), read_made_at(backup)
    with database.writing():
        rows = archive.put_back(database, backup, now)
        for game, before, after in restore_marks.mark_all(database, made, now):
            acts.move_lapses(database, game, before.lapse_key, after.lapse_key)
        why = times.why_restored(made)
        paused = [] if go else clocks.pause_all(database, made, now, target.hand, why)
        for game in paused:
            restore_marks.note_stopped(database, game, now)
        put_off = () if go else _put_off(target, why, now)
    letters = _told(target, paused, now)
    with database.writing():
        outbox.put(database, letters, now)
    books = StoredBooks(database)
    beside = target.settings.file.parent / "variants-of-the-backup"
    told = kind_folders.put_back(backup.folders, beside)
    return Kept(
        backup.path,
        backup.label["made"],
        backup.label.get("address", ""),
        rows,
        books.games(),
        told,
        tuple(backup.files),
        tuple(paused),
        put_off,
        meta.last_handed(database) is not None,
    )


def _put_off(target: Target, why: str, now: Millis) -> tuple[str, ...]:
    """Put off the games that wait for players and would begin within a day. Returns their names.

    Who has signed up since the backup is in the emails that are to be moved back.
    """
    database, names = target.database, []
    for offer in StoredBooks(database).society.offers():
        if offer.starts is not None and offer.starts < now + DAY:
            later = changed(offer, starts=now + DAY)
            people.do(database, MakeOffer(by=target.hand, why=why, offer=later, at=now))
            names.append(offer.name)
    return tuple(names)


def _told(target: Target, paused: list[str], now: Millis) -> list[Sealed]:
    """Return the letters that tell the players of the games that were stopped."""
    books = StoredBooks(target.database)
    # The key of the service is the one in the backup from now on.
    writer = Writer(office_of(target.settings, meta.service_key(target.database), None), books)
    timers = Timers(target.database, writer)
    sealed = []
    for game in paused:
        position = books.position(game)
        if position is not None and position.timing.stop is not None:
            told = times.restored(turn_of(position), position.timing.stop.why)
            sealed += timers.tell(position, PAUSED, told, now)
    return sealed
