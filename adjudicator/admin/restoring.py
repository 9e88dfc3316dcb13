"""A restore, planned before anything is written: its settings, its files, and what is missing.

The backup may come from somebody else, so nothing that it carries is written outside the folder of gm.toml.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.clock import Millis, format_instant
from adjudicator.config.named_files import NamedFile, certificate_files, is_certificates, missing_secrets
from adjudicator.config.servers import Imap, MaildirAt
from adjudicator.config.service import Settings, raw_settings, read_settings, text_of
from adjudicator.errors import Refusal
from adjudicator.mail import maildir
from adjudicator.storage.archive import Backup
from adjudicator.storage.database import POSTGRESQL

RESTORED_FILES_FOLDER = "files-of-the-backup"
"""The folder beside gm.toml for files that belong outside its folder, where a restore writes nothing."""


@dataclass(frozen=True)
class RestorePlan:
    """The plan of a restore, all of it checked.

    settings: those that count from then on; config: the text of gm.toml that is to be written, None: there
    is one; files: what is to be written beside it; told, missing: sentences about files that the backup
    carries, and about what it does not.
    """

    settings: Settings
    config: str | None
    files: Mapping[Path, bytes]
    told: tuple[str, ...]
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
        raise Refusal(str(backup.path), "it has no config: gm.toml is not in it", "restore another copy")
    return text, raw_settings(text, config)


def find_command(raw: Mapping[str, Any]) -> str | None:
    """Return the command line that the database is named by: reading the settings runs it. None: by none."""
    service = raw.get("service")
    named = service.get("database") if isinstance(service, dict) else None
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
            raise Refusal(str(backup.path), f'it carries a file "{name}" that its gm.toml does not name')
        if not is_certificates(content):
            raise Refusal(str(backup.path), f'the file "{name}" in it holds something else than certificates')


def _place(named: NamedFile, config: Path, settings: Settings) -> Path:
    """Return where a file is written: where gm.toml names it, or aside if that is outside its folder."""
    if named.path == config or str(named.path) == settings.database:
        raise Refusal(
            f"gm.toml: {named.key}", f"{named.text} is the name of another file", "name the right one"
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
        raise Refusal(str(path), f"cannot be written: {fault.strerror}") from fault


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
