"""Malicious and damaged backups: each is rejected, and nothing is written.

Each row of ATTACKS is a changed backup, with the start of its error. Attacks with more than one step are
below.
"""

import json
import shlex
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.admin import backup
from adjudicator.cli.app import app
from adjudicator.storage.archive import Folder
from tests.kit import cached_services

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"


def gm(folder: Path, line: str) -> Result:
    """Type a command for the service in a folder."""
    return CliRunner().invoke(app, ["--config", str(folder / "gm.toml"), *shlex.split(line)], prog_name="gm")


def run_ok(folder: Path, line: str) -> str:
    """Run a command that succeeds and return its output."""
    result = gm(folder, line)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_refused(folder: Path, line: str) -> str:
    """Run a command that is refused and return its errors."""
    result = gm(folder, line)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit), result.exception
    return result.stderr


@cached_services.cached_folder
def backups(folder: Path) -> None:
    """A service with a game, and a backup of it."""
    service = folder / "service"
    run_ok(service, "init --no-local --timezone UTC --yes")
    run_ok(service, "game new war-chest beaver")
    run_ok(service, f"backup {folder / 'good.backup'}")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A backup that was made here, to be changed."""
    file = tmp_path / "given" / "some.backup"
    file.parent.mkdir()
    file.write_bytes((backups.folder() / "good.backup").read_bytes())
    return file


@pytest.fixture
def unwritten(monkeypatch: pytest.MonkeyPatch) -> list[Folder]:
    """The folders that were to be written into packages: into this list, and not among the sources."""
    written: list[Folder] = []

    def put_back(folders: Iterable[Folder], beside: Path, own: Path) -> tuple[str, ...]:
        written.extend(folders)
        return ()

    monkeypatch.setattr(backup, "restore_folders", put_back)
    return written


def change(file: Path, statement: str, *values: object) -> None:
    """Write something into a backup that no version of ours writes."""
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(statement, values)


def add_folder(
    package: object = "games.diplomacy",
    path: object = "variants/strait",
    name: object = "map.json",
    content: object = b"{}",
) -> Callable[[Path], None]:
    """Return a change that adds a file to a backup's folders of variants."""
    return lambda file: change(file, "INSERT INTO folder VALUES (?, ?, ?, ?)", package, path, name, content)


def add_file(name: object, content: object, settings: str = "") -> Callable[[Path], None]:
    """Return a change that adds a file to those of gm.toml in a backup. settings: lines of its [inbox]."""

    def changed(file: Path) -> None:
        change(file, "CREATE TABLE IF NOT EXISTS file (name TEXT PRIMARY KEY, content BLOB NOT NULL)")
        change(file, "INSERT INTO file VALUES (?, ?)", name, content)
        if settings:
            imap = f'[inbox]\nurl = "imaps://gm@imap.example.org"\npassword = {{ env = "P" }}\n{settings}\n'
            replace_inbox(file, imap)

    return changed


def replace_inbox(file: Path, inbox: str) -> None:
    """Let the gm.toml of a backup name another mailbox."""
    with closing(sqlite3.connect(file)) as opened:
        (config,) = opened.execute("SELECT value FROM backup WHERE key = 'config'").fetchone()
    head, rest = config.partition("[inbox]")[::2]
    change(file, "UPDATE backup SET value = ? WHERE key = 'config'", head + inbox + rest[rest.index("[") :])


@dataclass(frozen=True)
class Attack:
    """A row. changed: the change to the backup; why: words of the refusal."""

    name: str
    changed: Callable[[Path], None]
    why: str


ATTACKS = (
    Attack("a folder above the package", add_folder(path="../../../../outside"), "../../../../outside"),
    Attack("a folder above the package, further in", add_folder(path="variants/../../x"), "variants/../../x"),
    Attack("an absolute folder", add_folder(path="/tmp/outside"), "/tmp/outside"),
    Attack("a folder of Windows", add_folder(path="variants\\..\\x"), "variants\\..\\x"),
    Attack("a hidden folder", add_folder(path="variants/.ssh"), "variants/.ssh"),
    Attack("no folder at all", add_folder(path=""), '""'),
    Attack("a file above its folder", add_folder(name="../outside.json"), "../outside.json"),
    Attack("an absolute file", add_folder(name="/tmp/outside.json"), "/tmp/outside.json"),
    Attack("a file without a name", add_folder(name=".."), '".."'),
    Attack("a file with a line end in its name", add_folder(name="a\nb"), "a"),
    Attack("a package that is no game's", add_folder(package="adjudicator.cli"), "adjudicator.cli"),
    Attack("the package of all games", add_folder(package="games", path="evil", name="__init__.py"), "games"),
    Attack("a package of the language", add_folder(package="antigravity"), "antigravity"),
    Attack("a package above", add_folder(package="games..os"), "games..os"),
    Attack("a name that is no text", add_folder(name=b"seven"), "seven"),
    Attack("a file that is no bytes", add_folder(content="text"), "map.json"),
    Attack("a file that gm.toml does not name", add_file("ca.pem", CERTIFICATE.encode()), "ca.pem"),
    Attack(
        "a file that holds no certificates",
        add_file(".bashrc", b"rm -rf ~", 'ca_file = ".bashrc"'),
        ".bashrc",
    ),
    Attack(
        "a file that holds more than certificates",
        add_file("ca.pem", (CERTIFICATE + KEY).encode(), 'ca_file = "ca.pem"'),
        "ca.pem",
    ),
    Attack(
        "a file that would be the database",
        add_file("turnpost.db", CERTIFICATE.encode(), 'ca_file = "turnpost.db"'),
        "turnpost.db",
    ),
    Attack(
        "a gm.toml that is none",
        lambda file: change(file, "UPDATE backup SET value = 'x = [' WHERE key = 'config'"),
        "gm.toml",
    ),
    Attack(
        "a gm.toml with an unknown key",
        lambda file: change(file, "UPDATE backup SET value = value || '\nx = 1' WHERE key = 'config'"),
        "gm.toml",
    ),
    Attack(
        "no gm.toml at all", lambda file: change(file, "DELETE FROM backup WHERE key = 'config'"), "config"
    ),
    Attack(
        "a day that is none",
        lambda file: change(file, "UPDATE backup SET value = 'yesterday' WHERE key = 'made'"),
        "yesterday",
    ),
    Attack(
        "a file that is cut off",
        lambda file: file.write_bytes(file.read_bytes()[:20_000]) and None,  # type: ignore[func-returns-value]
        "some.backup",
    ),
)


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder, and what is in them."""
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_hostile_backup_is_refused_and_nothing_is_written(
    good: Path, tmp_path: Path, attack: Attack, unwritten: list[Folder]
) -> None:
    attack.changed(good)
    before = everything(tmp_path)
    told = run_refused(tmp_path / "new" / "deep", f"restore {good} --yes")
    assert attack.why in told
    assert "Traceback" not in told
    assert everything(tmp_path) == before
    assert not (tmp_path / "new").exists()
    assert unwritten == []


def test_what_was_not_changed_is_restored(good: Path, tmp_path: Path) -> None:
    """The table above refuses what was done to this file, and not the file."""
    assert "beaver" in json.loads(run_ok(tmp_path / "new", f"restore {good} --yes --json"))["games"]


def test_over_a_service_in_use_a_hostile_backup_changes_nothing(
    good: Path, tmp_path: Path, unwritten: list[Folder]
) -> None:
    """It is refused before anybody is asked whether the games there may go."""
    service = tmp_path / "service"
    run_ok(service, "init --no-local --timezone UTC --yes")
    run_ok(service, "game new war-chest otter")
    add_folder(path="../../outside")(good)
    assert "../../outside" in run_refused(service, f"restore {good}")
    assert unwritten == []
    assert [one["game"] for one in json.loads(run_ok(service, "game list --json"))] == ["otter"]


def test_a_backup_that_loses_rows_as_it_is_brought_up_to_date_is_refused(good: Path, tmp_path: Path) -> None:
    """Whatever an upgrade of the tables does: all rows of a backup are there afterwards, or nothing is
    changed.
    """
    change(good, "CREATE TRIGGER losing AFTER INSERT ON migration BEGIN DELETE FROM chair; END")
    change(good, "DELETE FROM migration WHERE name = (SELECT MAX(name) FROM migration)")
    change(good, "DROP TABLE edition")
    change(good, "ALTER TABLE game DROP COLUMN editions")
    told = run_refused(tmp_path / "new", f"restore {good} --yes")
    assert "rows would have been lost (chair 2)" in told
    assert not (tmp_path / "new").exists()
