"""A whole installation in one file, and back: books, secrets, gm.toml and its files, variants."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from adjudicator import __version__
from adjudicator.admin import kind_folders
from adjudicator.clock import DAY, Clock, Millis, datetime_of, instant_of
from adjudicator.config.named_files import certificate_files, is_certificates
from adjudicator.config.service import Settings, raw_settings, text_of
from adjudicator.context import build_service_context
from adjudicator.errors import Refusal
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people_acts import MakeOffer
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.reminders import ClockActions, turn_of
from adjudicator.reports import times
from adjudicator.service import Service
from adjudicator.storage import acts, archive, clocks, metadata, outbox, people, restore_marks
from adjudicator.storage.archive import Backup
from adjudicator.storage.database import Database
from adjudicator.storage.queries import DatabaseRepository
from games.record import replace_fields

RESTORED_NOTICE_NAME = "restored"
"""What the letters are called that tell of a game stopped by a restore."""


@dataclass(frozen=True)
class BackupSummary:
    """A backup: its file, when and for which address it was made, how many rows, its games.

    told: what is to be said of the folders of data that those need; files: those of gm.toml that go along,
    by their names there; paused: the games whose clocks a restore has stopped; put_off: those that wait
    for players and begin later by it; handed: whether a mail server handed us emails one by one, which lie
    in no mailbox.
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


class RestoreTarget(Protocol):
    """The service into whose database a backup is restored."""

    @property
    def settings(self) -> Settings:
        """Its settings."""

    @property
    def database(self) -> Database:
        """The database that is overwritten."""

    @property
    def clock(self) -> Clock:
        """The clock that tells the time."""

    @property
    def hand(self) -> str:
        """The name of the person who asks for it, as logs write it."""


def back_up(house: Service, file: Path | None) -> BackupSummary:
    """Write everything into a new file, named after the instant if not otherwise."""
    made = datetime_of(house.clock.now())
    file = file or Path(f"turnpost-{made:%Y%m%d-%H%M%S}.backup")
    config = text_of(house.settings.file)
    label = {
        "made": made.isoformat(timespec="seconds"),
        "address": house.settings.address,
        "program": __version__,
        "config": config,
    }
    games, folders = house.books.games(), kind_folders.folders_in_use(house)
    files = _files_named_in(config, house.settings.file)
    rows = archive.save(house.database, file, label, folders, files)
    return BackupSummary(file, label["made"], label["address"], rows, games, files=tuple(files))


def _files_named_in(config: str, place: Path) -> dict[str, bytes]:
    """Return the files that a gm.toml names, by their names there; none that holds anything secret."""
    files = {}
    for named in certificate_files(raw_settings(config, place), place.parent):
        content = named.path.read_bytes() if named.path.is_file() else b""
        if is_certificates(content):
            files[named.text] = content
    return files


def read_made_at(backup: Backup) -> Millis:
    """Return when a backup was made. Raises Refusal where it does not say."""
    text = backup.label.get("made", "")
    try:
        return instant_of(datetime.fromisoformat(text))
    except (ValueError, TypeError, OverflowError) as fault:
        why = f'"{text}" is no instant at which it can have been made'
        raise Refusal(str(backup.path), why, "restore another copy") from fault


def restore_file(target: RestoreTarget, file: Path, *, go: bool = False) -> BackupSummary:
    """Replace all that the database holds by what a backup file holds, as `restore_backup` does."""
    with archive.open_backup(file) as backup:
        return restore_backup(target, backup, go=go)


def restore_backup(target: RestoreTarget, backup: Backup, *, go: bool = False) -> BackupSummary:
    """Replace all that the database holds by what a backup holds, in one transaction.

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
    letters = _restore_letters(target, paused, now)
    with database.writing():
        outbox.put(database, letters, now)
    books = DatabaseRepository(database)
    beside = target.settings.file.parent / "variants-of-the-backup"
    folder_notes = kind_folders.restore_folders(backup.folders, beside)
    return BackupSummary(
        backup.path,
        backup.label["made"],
        backup.label.get("address", ""),
        rows,
        books.games(),
        folder_notes,
        tuple(backup.files),
        tuple(paused),
        put_off,
        metadata.last_handed(database) is not None,
    )


def _put_off(target: RestoreTarget, why: str, now: Millis) -> tuple[str, ...]:
    """Put off the games that wait for players and would begin within a day. Returns their names.

    Who has signed up since the backup is in the emails that are to be moved back.
    """
    database, names = target.database, []
    for offer in DatabaseRepository(database).people.offers():
        if offer.starts is not None and offer.starts < now + DAY:
            later = replace_fields(offer, starts=now + DAY)
            people.apply_action(database, MakeOffer(by=target.hand, why=why, offer=later, at=now))
            names.append(offer.name)
    return tuple(names)


def _restore_letters(target: RestoreTarget, paused: list[str], now: Millis) -> list[OutgoingMessage]:
    """Return the letters that tell the players of the games that were stopped."""
    books = DatabaseRepository(target.database)
    # The key of the service is the one in the backup from now on.
    writer = ReportComposer(
        build_service_context(target.settings, metadata.service_key(target.database), None), books
    )
    timers = ClockActions(target.database, writer)
    sealed = []
    for game in paused:
        position = books.position(game)
        if position is not None and position.timing.stop is not None:
            notice = times.restore_notice(turn_of(position), position.timing.stop.why)
            sealed += timers.notify_all(position, RESTORED_NOTICE_NAME, notice, now)
    return sealed
