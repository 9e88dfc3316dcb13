"""Copying an installation into another database, backups, and restores."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib import resources
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Protocol

import games
from adjudicator import __version__
from adjudicator.clock import DAY, MINUTE, Clock, Millis, datetime_of, format_instant, instant_of
from adjudicator.config.servers import Imap, MaildirAt
from adjudicator.config.service import (
    NamedFile,
    Settings,
    certificate_files,
    is_certificates,
    missing_secrets,
    raw_settings,
    read_settings,
    text_of,
    without_tokens,
)
from adjudicator.context import build_service_context
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.mail import maildir
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import MakeOffer
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.forgetting import resignations
from adjudicator.outbound.reminders import ClockActions, turn_of
from adjudicator.reports import times
from adjudicator.service import Service
from adjudicator.storage import archive, metadata, outbox, people, personal_data, stored_games, workers
from adjudicator.storage.archive import Backup, Folder
from adjudicator.storage.database import POSTGRESQL, Database, display_url, open_database
from adjudicator.storage.forgotten import FORGOTTEN_FILE, ForgottenPeople, load_list, read_list, save_list
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import kinds_on_the_books
from adjudicator.turns.runner import verify_log
from adjudicator.variants import is_variant_name
from games.data import contents
from games.record import replace_fields

WORKER_ALIVE_FOR: Millis = 2 * MINUTE
"""A worker that was alive this recently may still be alive."""

PROGRESS_EVERY: Millis = 20_000
SQLITE_SUFFIXES = (".db", ".sqlite")
"""The endings that mark a name as a new SQLite file."""


@dataclass(frozen=True)
class DatabaseCopy:
    """A finished copy: the target, the number of rows, the games, and those whose log fails verification.

    resumed: the number of rows that an earlier, interrupted copy had already written.
    """

    to: str
    rows: int
    resumed: int
    games: tuple[str, ...]
    unproven: tuple[tuple[str, str], ...]


def move(
    service: Service,
    url: str,
    *,
    stopped: bool = False,
    tell: Callable[[int, int], None] = lambda _done, _of: None,
) -> DatabaseCopy:
    """Copy the whole database to the database at a URL. An interrupted copy continues where it stopped.

    stopped: True asserts that nothing serves from the database, even if the database says otherwise. tell:
    called with the number of rows copied so far and the total. Raises Refusal if the target holds something
    else, and StoreFault if it can't be reached.
    """
    source = service.database
    url = _target(url)
    if url == service.settings.database:
        raise Refusal(
            f"Can't copy to {display_url(url)}",
            "this installation already uses that database",
            "Name another database",
        )
    alive = metadata.last_alive(source)
    if not stopped and alive is not None and service.clock.now() - alive < WORKER_ALIVE_FOR:
        seconds = (service.clock.now() - alive) // 1000
        raise Refusal(
            'Can\'t copy while "gm serve" runs',
            f"it was alive {seconds} seconds ago, and what it writes now would be lost",
            "Stop it, then wait two minutes or add --stopped",
        )
    target = open_database(url)
    with closing(target), _shut(service, display_url(url)) as show:
        return _copy_into(service, target, url, tell, show)


def _target(url: str) -> str:
    """Return the given URL, or a file as an absolute path. Raises Refusal if it looks like a typo."""
    if "://" in url:
        return url
    file = Path(url)
    if file.exists() or (file.suffix in SQLITE_SUFFIXES and file.absolute().parent.is_dir()):
        return str(file.absolute())
    if not file.absolute().parent.is_dir():
        why, instead = f"there is no folder {file.parent}", "Create it first."
    else:
        why, instead = "it isn't a file or the URL of a database", ""
    name = file.stem or "turnpost"
    raise Refusal(
        f"Can't copy to {url}",
        why,
        " ".join(
            filter(
                None, (instead, f"Name a database like ./{name}.db or postgresql://user:password@host/{name}")
            )
        ),
    )


@contextmanager
def _shut(service: Service, to: str) -> Iterator[Callable[[], None]]:
    """Keep workers from serving from the database during the copy. Yields a function to report progress.

    A worker notes itself before it looks here, so one of the two always sees the other.
    """
    last = service.clock.now()
    metadata.note_moving(service.database, to, last)

    def show() -> None:
        nonlocal last
        if (now := service.clock.now()) - last > PROGRESS_EVERY:
            metadata.note_moving(service.database, to, now)
            last = now

    try:
        if at_work := workers.living_workers(service.database, service.clock.now()):
            raise Refusal(
                'Can\'t copy while "gm serve" runs',
                f"it is using this database: {', '.join(at_work)}",
                "Stop it first",
            )
        yield show
    finally:
        metadata.note_moving(service.database, None, service.clock.now())


def _copy_into(
    service: Service, target: Database, url: str, tell: Callable[[int, int], None], show: Callable[[], None]
) -> DatabaseCopy:
    source, name = service.database, display_url(url)
    origin = archive.origin_of(source)
    so_far = _begin_copy(target, origin, name)
    resumed, total = so_far.rows, archive.rows(source)
    try:
        for step in archive.carry(source, target, so_far):
            show()
            tell(step.rows, total)
    except WriteConflict as fault:
        raise Refusal(f"Can't copy to {name}", str(fault), "Wait until the other copy has ended") from fault
    now, there = archive.sums(source, show), archive.sums(target, show)
    if differing := sorted(table for table in now if now[table] != there[table]):
        raise Refusal(
            f"The copy in {name} is not the same as the database",
            f"these tables differ: {', '.join(differing)}. Something changed them during the copy",
            'Stop "gm serve", empty that database and start again',
        )
    # The copy is complete from here on, so workers serve from it.
    metadata.note_moved(source, name)
    archive.finish(target)
    unproved = tuple(_unproven_games(target))
    return DatabaseCopy(name, total, resumed, DatabaseRepository(target).games(), unproved)


def _begin_copy(target: Database, origin: str, name: str) -> metadata.MoveProgress:
    so_far = metadata.progress(target)
    if so_far is None and archive.is_fresh(target):
        return archive.begin(target, origin)
    if so_far is None:
        there = DatabaseRepository(target).games()
        what = f"the games {', '.join(there)}" if there else "emails or people"
        raise Refusal(
            f"Can't copy to {name}",
            f"it already holds another installation, with {what}",
            "Name an empty database",
        )
    if so_far.origin != origin:
        raise Refusal(
            f"Can't copy to {name}",
            "it holds part of a copy of another installation",
            "Name an empty database",
        )
    return so_far


def _unproven_games(target: Database) -> Iterator[tuple[str, str]]:
    """Yield each game whose log can't be read or doesn't lead to its state, with the reason."""
    repository = DatabaseRepository(target)
    for name in repository.games():
        position, stuck = repository.position(name), repository.suspension(name)
        if position is None:
            yield name, stuck.why if stuck is not None else "it can't be read"
            continue
        why = verify_log(position.game, position, partial(repository.log, name))
        if why is not None:
            yield name, why


def stay(service: Service) -> None:
    """Serve from this database again after it was copied elsewhere."""
    metadata.note_moved(service.database, None)


# A backup carries the data folders of the games in use.


OWN_VARIANTS = "games.own_variants"
"""The place in a backup of the variants in the GM's folder. It isn't a package."""


def folders_in_use(service: Service) -> tuple[Folder, ...]:
    """Return the data folders of all games that exist or are open for players, without duplicates."""
    waiting = (offer.kind for offer in service.repository.people.offers())
    known, elsewhere = games.kinds(), games.variants_in_use()
    kinds = [kind for kind in sorted({*kinds_on_the_books(service.database), *waiting}) if kind in known]
    places = dict.fromkeys((known[kind].package, folder) for kind in kinds for folder in known[kind].folders)
    own = [kind for kind in kinds if (service.settings.variants / kind).is_dir() and kind in elsewhere]
    return (
        *(Folder(package, folder, contents(package, folder)) for package, folder in places),
        *(
            Folder(OWN_VARIANTS, kind, {name: text.encode() for name, text in elsewhere[kind].items()})
            for kind in own
        ),
    )


def restore_folders(folders: Iterable[Folder], beside: Path, own: Path) -> tuple[str, ...]:
    """Write missing data folders. Returns a sentence about each folder that needs the GM's attention.

    beside: the folder for those that can't be written to their usual place. own: the GM's folder of variants.
    """
    return tuple(note for folder in folders if (note := _put(folder, beside, own)))


def _put(folder: Folder, beside: Path, own: Path) -> str | None:
    if folder.package == OWN_VARIANTS and is_variant_name(folder.path):
        home = own / folder.path
        if home.is_dir():
            same = {file.name: file.read_bytes() for file in home.iterdir() if file.is_file()} == folder.files
            return None if same else f"{home} differs from the backup and was left as it is"
        return _put_at(folder, home, beside)
    try:
        package = resources.files(folder.package)
    except ModuleNotFoundError:
        spare = _write_beside(folder, beside / folder.package)
        return f"the package {folder.package} isn't installed here. Its data is in {spare}"
    home = Path(str(package)).joinpath(*folder.path.split("/"))
    if home.is_dir():
        same = contents(folder.package, folder.path) == dict(folder.files)
        return (
            None
            if same
            else f'{home} differs from the backup and was left as it is. Use "gm doctor" to check it'
        )
    return _put_at(folder, home, beside)


def _put_at(folder: Folder, home: Path, beside: Path) -> str:
    try:
        _write(folder, home)
    except OSError as fault:
        spare = _write_beside(folder, beside)
        return f"{home} can't be written ({fault.strerror}). Move it there from {spare}"
    return f'{home} was missing and has been restored. Restart "gm serve"'


def _write_beside(folder: Folder, beside: Path) -> Path:
    spare = beside / folder.path.rpartition("/")[2]
    if not spare.exists():
        _write(folder, spare)
    return spare


def _write(folder: Folder, home: Path) -> None:
    """Write a folder completely or not at all."""
    home.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix=".", dir=home.parent))
    try:
        for name, content in folder.files.items():
            (made / name).write_bytes(content)
        made.chmod(0o755)
        made.rename(home)
    except OSError:
        rmtree(made, ignore_errors=True)
        raise


# A whole installation in one file: database, secrets, gm.toml and its files, variants.


RESTORED_NOTICE_NAME = "restored"
"""The name of the emails about games that a restore has paused."""


@dataclass(frozen=True)
class BackupSummary:
    """A backup: its file, its date, its address, its number of rows and its games.

    notes: sentences about the data folders of those games. files: the files that gm.toml names, by their
    names there. paused: the games that a restore has paused. put_off: the games open for players whose start
    a restore has postponed. handed: True if a mail server delivered emails to us one by one, so that they
    aren't in any mailbox.
    """

    file: Path
    made: str
    address: str
    rows: int
    games: tuple[str, ...]
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    paused: tuple[str, ...] = ()
    put_off: tuple[str, ...] = ()
    handed: bool = False


class RestoreTarget(Protocol):
    """The service whose database a restore overwrites."""

    @property
    def settings(self) -> Settings:
        """The settings of the service."""

    @property
    def database(self) -> Database:
        """The database that the restore overwrites."""

    @property
    def clock(self) -> Clock:
        """The service's source of time."""

    @property
    def actor(self) -> str:
        """The name of the person who runs the restore, for the logs."""


def back_up(service: Service, file: Path | None) -> BackupSummary:
    """Write everything to a new file. By default its name contains the time."""
    made = datetime_of(service.clock.now())
    file = file or Path(f"turnpost-{made:%Y%m%d-%H%M%S}.backup")
    text = text_of(service.settings.file)
    config = without_tokens(text, raw_settings(text, service.settings.file))
    label = {
        "made": made.isoformat(timespec="seconds"),
        "address": service.settings.address,
        "program": __version__,
        "config": config,
    }
    if (forgotten := load_list(service.settings.file.parent)) is not None:
        label["forgotten"] = forgotten.text
    games, folders = service.repository.games(), folders_in_use(service)
    files = _files_named_in(config, service.settings.file)
    rows = archive.save(service.database, file, label, folders, files)
    return BackupSummary(file, label["made"], label["address"], rows, games, files=tuple(files))


def _files_named_in(config: str, place: Path) -> dict[str, bytes]:
    """Return the files that a gm.toml names, by their names there, without those that hold secrets."""
    files = {}
    for named in certificate_files(raw_settings(config, place), place.parent):
        content = named.path.read_bytes() if named.path.is_file() else b""
        if is_certificates(content):
            files[named.text] = content
    return files


def read_made_at(backup: Backup) -> Millis:
    """Return when a backup was made. Raises Refusal if the backup doesn't say."""
    text = backup.label.get("made", "")
    try:
        return instant_of(datetime.fromisoformat(text))
    except (ValueError, TypeError, OverflowError) as fault:
        why = f'"{text}" isn\'t a possible time of the backup'
        raise Refusal(f"Can't restore {backup.path}", why, "Restore another backup") from fault


def restore_file(target: RestoreTarget, file: Path, *, go: bool = False) -> BackupSummary:
    """Replace the contents of the database with a backup file, as `restore_backup` does."""
    with archive.open_backup(file) as backup:
        return restore_backup(target, backup, go=go)


def restore_backup(target: RestoreTarget, backup: Backup, *, go: bool = False) -> BackupSummary:
    """Replace the contents of the database with a backup, in one transaction.

    Every game is marked as restored, so that emails with later tokens are recognised. Unless `go` is True,
    every game is paused, and its players are notified.
    """
    database, now, made = target.database, target.clock.now(), read_made_at(backup)
    forgotten, list_notes = choose_list(backup, target.settings.file.parent)
    database.forgotten = forgotten
    with database.writing():
        rows = archive.put_back(database, backup, now)
        if forgotten is not None:
            list_notes += _forget_again(target, forgotten, made, now)
        for game, before, after in people.mark_all(database, made, now):
            stored_games.move_lapses(database, game, before.lapse_key, after.lapse_key)
        why = times.why_restored(made)
        paused = [] if go else stored_games.pause_all(database, made, now, target.actor, why)
        for game in paused:
            people.note_stopped(database, game, now)
        put_off = () if go else _put_off(target, why, now)
    letters = _restore_letters(target, paused, now)
    with database.writing():
        outbox.put(database, letters, now)
    if metadata.is_scrub_due(database) and database.scrub():
        metadata.note_scrubbed(database)
    repository = DatabaseRepository(database)
    beside = target.settings.file.parent / "variants-of-the-backup"
    folder_notes = restore_folders(backup.folders, beside, target.settings.variants)
    return BackupSummary(
        backup.path,
        backup.label["made"],
        backup.label.get("address", ""),
        rows,
        repository.games(),
        (*list_notes, *folder_notes),
        tuple(backup.files),
        tuple(paused),
        put_off,
        metadata.last_handed(database) is not None,
    )


def choose_list(backup: Backup, folder: Path) -> tuple[ForgottenPeople | None, tuple[str, ...]]:
    """Return the list of the forgotten that counts after a restore, and sentences about it.

    The list beside gm.toml counts, because it may be newer than the backup. Without one, the backup's own
    list is written there. Raises Refusal for a list that can't be read.
    """
    here, text = load_list(folder), backup.label.get("forgotten")
    theirs = None if text is None else read_list(text, f"the list of forgotten people in {backup.path}")
    if here is None and theirs is None:
        return None, (
            f"no list of forgotten people is here ({folder / FORGOTTEN_FILE}). People who were forgotten "
            "since the backup are in the database again. If another copy of this installation has the list, "
            "put it there and restore again",
        )
    if here is None and theirs is not None:
        save_list(folder, theirs)
        return theirs, (f"{folder / FORGOTTEN_FILE} was missing and has been restored",)
    assert here is not None
    if theirs is not None and theirs.key != here.key:
        return here, (
            f"{folder / FORGOTTEN_FILE} has another key than the list in the backup, and was left as it is. "
            "What the backup holds about forgotten people, such as bans, no longer applies",
        )
    return here, ()


def _forget_again(
    target: RestoreTarget, forgotten: ForgottenPeople, made: Millis, now: Millis
) -> tuple[str, ...]:
    """Erase the people in a restored database who were forgotten after the backup was made.

    Their seats in running games are free. Runs in the caller's transaction.
    """
    database, count = target.database, 0
    writer = ReportComposer(
        build_service_context(target.settings, metadata.service_key(database), None),
        DatabaseRepository(database),
    )
    for address in personal_data.all_addresses(database):
        at = forgotten.forgotten_at(address)
        if at is None or at < made:
            continue
        for acts in resignations(writer, address, now):
            stored_games.perform(database, acts, (), now)
        personal_data.erase(database, address, forgotten, now, target.actor, final=True)
        count += 1
    return (f"people who were forgotten since the backup and are removed again: {count}",) if count else ()


def _put_off(target: RestoreTarget, why: str, now: Millis) -> tuple[str, ...]:
    """Postpone the games open for players that would start within a day. Returns their names.

    The sign-ups since the backup are in emails that the GM still has to move back.
    """
    database, names = target.database, []
    for offer in DatabaseRepository(database).people.offers():
        if offer.starts is not None and offer.starts < now + DAY:
            later = replace_fields(offer, starts=now + DAY)
            people.apply_action(database, MakeOffer(by=target.actor, why=why, offer=later, at=now))
            names.append(offer.name)
    return tuple(names)


def _restore_letters(target: RestoreTarget, paused: list[str], now: Millis) -> list[OutgoingMessage]:
    """Return the emails that notify players of paused games."""
    repository = DatabaseRepository(target.database)
    # From now on the service's key is the one in the backup.
    writer = ReportComposer(
        build_service_context(target.settings, metadata.service_key(target.database), None), repository
    )
    timers = ClockActions(target.database, writer)
    sealed = []
    for game in paused:
        position = repository.position(game)
        if position is not None and position.timing.stop is not None:
            notice = times.restore_notice(turn_of(position), position.timing.stop.why)
            sealed += timers.notify_all(position, RESTORED_NOTICE_NAME, notice, now)
    return sealed


# A restore is planned before anything is written. The backup may be someone else's, so a restore writes none
# of its files outside the folder of gm.toml.


RESTORED_FILES_FOLDER = "files-of-the-backup"
"""The folder beside gm.toml for files that belong elsewhere: a restore writes nothing outside the folder."""


@dataclass(frozen=True)
class RestorePlan:
    """A checked plan of a restore.

    settings: the settings after the restore. config: the text of the gm.toml to write, or None if there is
    one already. files: the files to write beside gm.toml. notes: sentences about the files in the backup.
    missing: sentences about files that the backup lacks.
    """

    settings: Settings
    config: str | None
    files: Mapping[Path, bytes]
    notes: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def elsewhere(self) -> str | None:
        """Return the database if the backup's gm.toml puts it outside its folder, otherwise None."""
        database = self.settings.database
        if self.config is None or database.startswith(POSTGRESQL):
            return None
        return None if _is_inside(Path(database), self.settings.file.parent) else database


def find_settings(backup: Backup, config: Path) -> tuple[str | None, dict[str, Any]]:
    """Return the text of the gm.toml to write (None if there is one) and its tables. Raises Refusal."""
    if config.is_file():
        return None, raw_settings(text_of(config), config)
    text = backup.label.get("config")
    if text is None:
        raise Refusal(
            f"Can't restore {backup.path}", "it has no config: gm.toml is missing", "Restore another backup"
        )
    return text, raw_settings(text, config)


def find_command(raw: Mapping[str, Any]) -> str | None:
    """Return the command that yields the name of the database, or None. Reading the settings runs it."""
    settings = raw.get("service")
    named = settings.get("database") if isinstance(settings, dict) else None
    command = named.get("command") if isinstance(named, dict) else None
    return command if isinstance(command, str) else None


def plan_restore(backup: Backup, config: Path, environ: Mapping[str, str] = os.environ) -> RestorePlan:
    """Return the plan of a restore into the folder of a gm.toml. Writes nothing. Raises Refusal."""
    text, raw = find_settings(backup, config)
    _check_files(backup)
    config = config.resolve()
    settings = read_settings(raw, config, environ, without_files=True)
    files, notes, missing = dict[Path, bytes](), list[str](), list[str]()
    for named in certificate_files(raw, config.parent):
        content = backup.files.get(named.text)
        if named.path.is_file():
            if content is not None and named.path.read_bytes() != content:
                notes.append(f"{named.path} differs from the backup and was left as it is")
        elif content is None:
            missing.append(f"{named.key}: {named.path} isn't here, and the backup doesn't carry it")
        else:
            place = _place(named, config, settings)
            files[place] = content
            notes.append(
                f"{place} was missing and has been restored"
                if place == named.path
                else f"{named.key}: {named.path} is missing. Move it there from {place}"
            )
    missing += [
        f"{secret.named}: set {secret.value} in the environment"
        if secret.kind == "env"
        else f"{secret.named}: {secret.value} isn't here, and no backup carries a file with a secret"
        for secret in missing_secrets(settings)
    ]
    return RestorePlan(settings, text, files, tuple(dict.fromkeys(notes)), tuple(missing))


def _check_files(backup: Backup) -> None:
    """Check that gm.toml names each file of the backup, and that each is a certificate. Raises Refusal."""
    if not backup.files:
        return
    own = raw_settings(backup.label.get("config", ""), Path("gm.toml"))
    known = {named.text for named in certificate_files(own, Path())}
    for name, content in backup.files.items():
        if name not in known:
            raise Refusal(
                f"Can't restore {backup.path}", f'it contains a file "{name}" that its gm.toml doesn\'t name'
            )
        if not is_certificates(content):
            raise Refusal(
                f"Can't restore {backup.path}",
                f'its file "{name}" contains something other than certificates',
            )


def _place(named: NamedFile, config: Path, settings: Settings) -> Path:
    """Return the path for a file: the one in gm.toml, or one in the folder for files from elsewhere."""
    if named.path == config or str(named.path) == settings.database:
        raise Refusal(
            f"gm.toml: {named.key}", f"{named.text} is the name of another file", "Correct the file name"
        )
    if not _is_inside(named.path, config.parent):
        return config.parent / RESTORED_FILES_FOLDER / named.path.name
    return named.path


def _is_inside(path: Path, folder: Path) -> bool:
    """Return whether a file is below a folder and not hidden there."""
    with suppress(ValueError):
        return not any(part.startswith(".") for part in path.resolve().relative_to(folder.resolve()).parts)
    return False


@contextmanager
def write_files(planned: RestorePlan) -> Iterator[None]:
    """Write gm.toml and the other files of a plan, and delete them if the code inside the context fails.

    Raises Refusal if a file can't be written.
    """
    made: list[Path] = []
    config, database = planned.settings.file, Path(planned.settings.database)
    own = () if planned.settings.database.startswith(POSTGRESQL) or database.exists() else (database,)
    try:
        for path, content in planned.files.items():
            _create(path, content, made)
        if planned.config is not None:
            _create(config, planned.config.encode(), made)
        if own and _is_inside(database, config.parent):
            _make_folder(database.parent, made)
        yield
    except BaseException:
        for file in own:
            for end in ("", "-wal", "-shm"):
                file.with_name(file.name + end).unlink(missing_ok=True)
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _create(path: Path, content: bytes, made: list[Path]) -> None:
    try:
        _make_folder(path.parent, made)
        path.touch(mode=0o600, exist_ok=False)
        made.append(path)
        path.write_bytes(content)
    except OSError as fault:
        raise Refusal(f"Can't write {path}", f"{fault.strerror}") from fault


def _make_folder(folder: Path, made: list[Path]) -> None:
    for parent in (*reversed(folder.parents), folder):
        if not parent.exists():
            parent.mkdir()
            made.append(parent)


def is_there(database: str) -> bool:
    """Return whether a database may already contain something."""
    return database.startswith(POSTGRESQL) or Path(database).exists()


def local_time(at: Millis, settings: Settings) -> str:
    """Return an instant in the service's time zone."""
    return format_instant(at, settings.zone)


def list_moves(settings: Settings) -> tuple[tuple[str, str, str], ...]:
    """Return the moves needed to read emails again: each mailbox's name, its source and its target folder."""
    moves = []
    for box in (settings.inbox, *settings.also):
        if isinstance(box, Imap):
            moves.append((f"{box.username} at {box.host}", box.kept, box.folders[0]))
        elif isinstance(box, MaildirAt):
            moves.append((str(box.path), str(box.path / maildir.KEPT_FOLDER / "cur"), str(box.path / "new")))
    return tuple(moves)
