"""An installation moved into another database, and every game there played again."""

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
)
from adjudicator.context import build_service_context
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.mail import maildir
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import MakeOffer
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.reminders import ClockActions, turn_of
from adjudicator.reports import times
from adjudicator.service import Service
from adjudicator.storage import archive, metadata, moving, outbox, people, stored_games, workers
from adjudicator.storage.archive import Backup, Folder
from adjudicator.storage.database import POSTGRESQL, Database, display_url, open_database
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import kinds_on_the_books
from adjudicator.turns.runner import verify_log
from games.data import contents
from games.record import replace_fields

WORKER_ALIVE_FOR: Millis = 2 * MINUTE
"""Whoever was alive so lately may be so still."""

PROGRESS_EVERY: Millis = 20_000
SQLITE_SUFFIXES = (".db", ".sqlite")
"""How the name of a SQLite file ends that is not there yet."""


@dataclass(frozen=True)
class DatabaseCopy:
    """A finished copy: where to, how many rows, which games, and those whose log does not hold.

    resumed: how many rows were there from a first try.
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
    """Carry all books over into the database of that URL. What was broken off goes on where it was.

    stopped: that nobody serves, whatever the database says; tell: how many rows have come over, of how many.
    Raises Refusal for a target that holds something else, StoreFault for one that cannot be reached.
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
    """Return the database that was named, a file by its whole path. Raises Refusal for what seems a slip."""
    if "://" in url:
        return url
    file = Path(url)
    if file.exists() or (file.suffix in SQLITE_SUFFIXES and file.absolute().parent.is_dir()):
        return str(file.absolute())
    if not file.absolute().parent.is_dir():
        why, instead = f"there is no folder {file.parent}", "Create it first."
    else:
        why, instead = "that is neither a file nor the URL of a database", ""
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
    """Keep everybody from serving from the database meanwhile. Yields what shows that the move still goes on.

    Whoever begins to serve notes that first and looks here then, so one of the two sees the other.
    """
    last = service.clock.now()
    moving.note_moving(service.database, to, last)

    def show() -> None:
        nonlocal last
        if (now := service.clock.now()) - last > PROGRESS_EVERY:
            moving.note_moving(service.database, to, now)
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
        moving.note_moving(service.database, None, service.clock.now())


def _copy_into(
    service: Service, target: Database, url: str, tell: Callable[[int, int], None], show: Callable[[], None]
) -> DatabaseCopy:
    source, name = service.database, display_url(url)
    origin = moving.origin_of(source)
    so_far = _begin_copy(target, origin, name)
    resumed, total = so_far.rows, moving.rows(source)
    try:
        for step in moving.carry(source, target, so_far):
            show()
            tell(step.rows, total)
    except WriteConflict as fault:
        raise Refusal(f"Can't copy to {name}", str(fault), "Wait until the other copy has ended") from fault
    now, there = moving.sums(source, show), moving.sums(target, show)
    if differing := sorted(table for table in now if now[table] != there[table]):
        raise Refusal(
            f"The copy in {name} is not the same as the database",
            f"these tables differ: {', '.join(differing)}. Something changed them during the copy",
            'Stop "gm serve", empty that database and start again',
        )
    # From here on the copy is the one to serve from, and is known to be whole.
    moving.note_moved(source, name)
    moving.finish(target)
    unproved = tuple(_unproven_games(target))
    return DatabaseCopy(name, total, resumed, DatabaseRepository(target).games(), unproved)


def _begin_copy(target: Database, origin: str, name: str) -> moving.MoveProgress:
    so_far = moving.progress(target)
    if so_far is None and archive.is_fresh(target):
        return moving.begin(target, origin)
    if so_far is None:
        there = DatabaseRepository(target).games()
        what = f"the games {', '.join(there)}" if there else "letters or people"
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
    """Yield the games whose log does not lead to where they stand, or that cannot be read, with the
    reason.
    """
    repository = DatabaseRepository(target)
    for name in repository.games():
        position, stuck = repository.position(name), repository.suspension(name)
        if position is None:
            yield name, stuck.why if stuck is not None else "it cannot be read"
            continue
        why = verify_log(games.kinds()[position.kind], position, partial(repository.log, name))
        if why is not None:
            yield name, why


def stay(service: Service) -> None:
    """Serve from these books after all, though they were moved elsewhere."""
    moving.note_moved(service.database, None)


# A backup carries the folders of data that the kinds of games in use are made of.


def folders_in_use(service: Service) -> tuple[Folder, ...]:
    """Return the data folders of each kind of which there is a game, or one open for players; each once."""
    waiting = (offer.kind for offer in service.repository.people.offers())
    kinds = sorted({*kinds_on_the_books(service.database), *waiting} & set(games.kinds()))
    places = dict.fromkeys(
        (game.package, folder) for game in map(games.kinds().__getitem__, kinds) for folder in game.folders
    )
    return tuple(Folder(package, folder, contents(package, folder)) for package, folder in places)


def restore_folders(folders: Iterable[Folder], beside: Path) -> tuple[str, ...]:
    """Write folders where they are missing. Returns a sentence about each, if there is anything to say.

    beside: where they go that cannot be written where they belong.
    """
    return tuple(note for folder in folders if (note := _put(folder, beside)))


def _put(folder: Folder, beside: Path) -> str | None:
    try:
        package = resources.files(folder.package)
    except ModuleNotFoundError:
        spare = _write_beside(folder, beside / folder.package)
        return f"there is no package {folder.package} here, to which {spare} belongs"
    home = Path(str(package)).joinpath(*folder.path.split("/"))
    if home.is_dir():
        same = contents(folder.package, folder.path) == dict(folder.files)
        return None if same else f"{home} is another here than in the backup, and stays: see  gm doctor"
    try:
        _write(folder, home)
    except OSError as fault:
        spare = _write_beside(folder, beside)
        return f"{home} cannot be written ({fault.strerror}): it is in {spare}; put it there yourself"
    return f"{home} was missing, and is there again: start  gm serve  anew"


def _write_beside(folder: Folder, beside: Path) -> Path:
    spare = beside / folder.path.rpartition("/")[2]
    if not spare.exists():
        _write(folder, spare)
    return spare


def _write(folder: Folder, home: Path) -> None:
    """All of it or nothing."""
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
"""What the letters are called that tell of a game stopped by a restore."""


@dataclass(frozen=True)
class BackupSummary:
    """A backup: its file, when and for which address it was made, how many rows, its games.

    notes: sentences about the folders of data that those need; files: those of gm.toml that go along,
    by their names there; paused: the games whose clocks a restore has stopped; put_off: those that wait
    for players and begin later by it; handed: whether a mail server handed us emails one by one, which lie
    in no mailbox.
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
    def actor(self) -> str:
        """The name of the person who asks for it, as logs write it."""


def back_up(service: Service, file: Path | None) -> BackupSummary:
    """Write everything into a new file, named after the instant if not otherwise."""
    made = datetime_of(service.clock.now())
    file = file or Path(f"turnpost-{made:%Y%m%d-%H%M%S}.backup")
    config = text_of(service.settings.file)
    label = {
        "made": made.isoformat(timespec="seconds"),
        "address": service.settings.address,
        "program": __version__,
        "config": config,
    }
    games, folders = service.repository.games(), folders_in_use(service)
    files = _files_named_in(config, service.settings.file)
    rows = archive.save(service.database, file, label, folders, files)
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
        why = f'"{text}" isn\'t a possible time of the backup'
        raise Refusal(f"Can't restore {backup.path}", why, "Restore another backup") from fault


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
    repository = DatabaseRepository(database)
    beside = target.settings.file.parent / "variants-of-the-backup"
    folder_notes = restore_folders(backup.folders, beside)
    return BackupSummary(
        backup.path,
        backup.label["made"],
        backup.label.get("address", ""),
        rows,
        repository.games(),
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
            people.apply_action(database, MakeOffer(by=target.actor, why=why, offer=later, at=now))
            names.append(offer.name)
    return tuple(names)


def _restore_letters(target: RestoreTarget, paused: list[str], now: Millis) -> list[OutgoingMessage]:
    """Return the letters that tell the players of the games that were stopped."""
    repository = DatabaseRepository(target.database)
    # The key of the service is the one in the backup from now on.
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


# A restore is planned before anything is written. The backup may come from somebody else, so nothing that
# it carries is written outside the folder of gm.toml.


RESTORED_FILES_FOLDER = "files-of-the-backup"
"""The folder beside gm.toml for files that belong outside its folder, where a restore writes nothing."""


@dataclass(frozen=True)
class RestorePlan:
    """The plan of a restore, all of it checked.

    settings: those that count from then on; config: the text of gm.toml that is to be written, None: there
    is one; files: what is to be written beside it; notes, missing: sentences about files that the backup
    carries, and about what it does not.
    """

    settings: Settings
    config: str | None
    files: Mapping[Path, bytes]
    notes: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def elsewhere(self) -> str | None:
        """The database, where the backup's own gm.toml puts it outside its folder; else None."""
        database = self.settings.database
        if self.config is None or database.startswith(POSTGRESQL):
            return None
        return None if _is_inside(Path(database), self.settings.file.parent) else database


def find_settings(backup: Backup, config: Path) -> tuple[str | None, dict[str, Any]]:
    """Return the text of the gm.toml to be written (None: there is one), and its tables. Raises Refusal."""
    if config.is_file():
        return None, raw_settings(text_of(config), config)
    text = backup.label.get("config")
    if text is None:
        raise Refusal(
            f"Can't restore {backup.path}", "it has no config: gm.toml is missing", "Restore another backup"
        )
    return text, raw_settings(text, config)


def find_command(raw: Mapping[str, Any]) -> str | None:
    """Return the command line that the database is named by: reading the settings runs it. None: by none."""
    settings = raw.get("service")
    named = settings.get("database") if isinstance(settings, dict) else None
    command = named.get("command") if isinstance(named, dict) else None
    return command if isinstance(command, str) else None


def plan_restore(backup: Backup, config: Path, environ: Mapping[str, str] = os.environ) -> RestorePlan:
    """Return what a restore into the folder of a gm.toml is going to do. Raises Refusal; writes nothing."""
    text, raw = find_settings(backup, config)
    _check_files(backup)
    config = config.resolve()
    settings = read_settings(raw, config, environ, without_files=True)
    files, notes, missing = dict[Path, bytes](), list[str](), list[str]()
    for named in certificate_files(raw, config.parent):
        content = backup.files.get(named.text)
        if named.path.is_file():
            if content is not None and named.path.read_bytes() != content:
                notes.append(f"{named.path} is another file than the one in the backup, and stays")
        elif content is None:
            missing.append(f"{named.key}: {named.path} isn't here, and the backup doesn't carry it")
        else:
            place = _place(named, config, settings)
            files[place] = content
            notes.append(_describe_file(named, place))
    missing += [
        _describe_secret(secret.named, secret.kind, secret.value) for secret in missing_secrets(settings)
    ]
    return RestorePlan(settings, text, files, tuple(dict.fromkeys(notes)), tuple(missing))


def _check_files(backup: Backup) -> None:
    """Raise Refusal for files that the backup's own gm.toml does not name, or that are no certificates."""
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
    """Return where a file is written: where gm.toml names it, or aside if that is outside its folder."""
    if named.path == config or str(named.path) == settings.database:
        raise Refusal(
            f"gm.toml: {named.key}", f"{named.text} is the name of another file", "Correct the file name"
        )
    if not _is_inside(named.path, config.parent):
        return config.parent / RESTORED_FILES_FOLDER / named.path.name
    return named.path


def _is_inside(path: Path, folder: Path) -> bool:
    """Return whether a file lies below a folder, and not in a hidden place there."""
    with suppress(ValueError):
        return not any(part.startswith(".") for part in path.resolve().relative_to(folder.resolve()).parts)
    return False


def _describe_file(named: NamedFile, place: Path) -> str:
    if place == named.path:
        return f"{place} was missing, and is there again"
    return f"{named.key}: {named.path} is missing, and its copy is in {place}: put it there yourself"


def _describe_secret(named: str, kind: str, value: str) -> str:
    if kind == "env":
        return f"{named}: the environment has no {value} here"
    return f"{named}: {value} isn't here, and no backup carries a file with a secret"


@contextmanager
def write_files(planned: RestorePlan) -> Iterator[None]:
    """Write gm.toml and the files of a plan. If what follows fails, they are taken away again.

    Raises Refusal where one of them cannot be written.
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
    """Return whether there may be something in a database already."""
    return database.startswith(POSTGRESQL) or Path(database).exists()


def local_time(at: Millis, settings: Settings) -> str:
    """Return an instant by the clocks of the service."""
    return format_instant(at, settings.zone)


def list_moves(settings: Settings) -> tuple[tuple[str, str, str], ...]:
    """Return what each mailbox is called, and from where to where emails are moved to be read again."""
    moves = []
    for box in (settings.inbox, *settings.also):
        if isinstance(box, Imap):
            moves.append((f"{box.username} at {box.host}", box.kept, box.folders[0]))
        elif isinstance(box, MaildirAt):
            moves.append((str(box.path), str(box.path / maildir.KEPT_FOLDER / "cur"), str(box.path / "new")))
    return tuple(moves)
