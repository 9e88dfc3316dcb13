"""Files of earlier versions open completely: databases, backups and exports, with both databases.

tests/earlier holds a small installation of each day, made by the program of that day (tests.kit.earlier).
"""

import json
import lzma
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

import games
from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal, StoreFault
from adjudicator.service import Service, open_service
from adjudicator.storage import database
from adjudicator.storage.database import MIGRATIONS, Database, open_database
from adjudicator.turns.runner import verify_log
from games.protocol import Seat
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.mail import letter
from tests.kit.servers import PostgreSQL

EARLIER = Path(__file__).parents[1] / "earlier"
DAYS = sorted(folder.name for folder in EARLIER.iterdir() if folder.is_dir())
GAMES = ("beaver", "elk", "fox")
MINUTE = 60_000

pytestmark = pytest.mark.usefixtures("undrawn")
each_day = pytest.mark.parametrize("day", DAYS)


def about(day: str) -> dict[str, dict[str, str]]:
    """Return what is noted of a kept installation: rows, passwords, reply addresses."""
    noted: dict[str, dict[str, str]] = json.loads((EARLIER / day / "about.json").read_text())
    return noted


def unpack(day: str, name: str, into: Path) -> Path:
    """Write a kept file as it was."""
    into.mkdir(parents=True, exist_ok=True)
    file = into / name
    file.write_bytes(lzma.decompress((EARLIER / day / f"{name}.xz").read_bytes()))
    return file


def installation(day: str, folder: Path) -> Terminal:
    """Lay out the folder of an installation as it was left that day."""
    unpack(day, "turnpost.db", folder).chmod(0o600)
    shutil.copy(EARLIER / day / "gm.toml", folder)
    for place in ("in", "out"):
        for part in ("cur", "new", "tmp"):
            (folder / "mail" / place / part).mkdir(mode=0o700, parents=True)
        (folder / "mail" / place).chmod(0o700)
    return Terminal(folder)


def rows(url: str) -> dict[str, int]:
    """Count the rows of each table of a database."""
    if url.startswith("postgresql:"):
        with psycopg.connect(url) as asked:
            tables = asked.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
            return {name: asked.execute(f'select count(*) from "{name}"').fetchone()[0] for (name,) in tables}  # type: ignore[arg-type, index]
    with closing(sqlite3.connect(url)) as asked:
        query = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
        tables = asked.execute(query).fetchall()
        return {name: asked.execute(f'select count(*) from "{name}"').fetchone()[0] for (name,) in tables}


def assert_all_there(url: str, wanted: dict[str, int]) -> None:
    """Fail where a table has fewer rows than it had."""
    there = rows(url)
    assert [name for name, count in wanted.items() if there.get(name, 0) < count] == []


def assert_playable(terminal: Terminal, game: str, seat: str | None) -> None:
    """Fail where a game cannot be proved, played on for a turn, and proved again."""
    assert terminal.told(f"game replay {game}")["difference"] is None
    before = terminal.told(f"game show {game}")["turn"]
    if seat is not None:
        terminal.says(f"turn process {game} --yes")
        assert terminal.told(f"game show {game}")["turn"] != before
        assert terminal.told(f"game replay {game}")["difference"] is None


def assert_all_playable(terminal: Terminal, names: tuple[str, ...] = GAMES) -> None:
    """Fail where a game cannot be proved, or the game of three players cannot be played on."""
    assert {shown["game"] for shown in terminal.told("game list")} >= {*names}
    for name in names:
        assert_playable(terminal, name, "france" if name == "elk" else None)


@each_day
def test_a_database_opens_whole_and_is_played_on(day: str, tmp_path: Path) -> None:
    terminal = installation(day, tmp_path)
    file = tmp_path / "turnpost.db"
    before = file.read_bytes()
    listed = terminal.gm("game list")
    assert listed.exit_code == 0
    assert_all_there(str(file), about(day)["rows"])  # type: ignore[arg-type]
    with closing(sqlite3.connect(file)) as opened:
        assert opened.execute("pragma foreign_key_check").fetchall() == []
    copies = [*tmp_path.glob("turnpost.db.before-*")]
    if int(about(day)["rows"]["migration"]) < len([*MIGRATIONS.glob("[0-9]*.py")]):
        (copy,) = copies
        assert str(copy) in listed.stderr
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        with closing(sqlite3.connect(copy)) as kept:
            assert kept.execute("pragma integrity_check").fetchone() == ("ok",)
        assert rows(str(copy)) == about(day)["rows"]
        assert len(copy.read_bytes()) == len(before)
    assert terminal.gm("status").stderr == ""
    assert [*tmp_path.glob("turnpost.db.before-*")] == copies, "nothing is copied a second time"
    assert_all_playable(terminal)


@each_day
def test_a_database_moves_to_postgresql_whole(day: str, tmp_path: Path, postgresql: PostgreSQL) -> None:
    terminal, url = installation(day, tmp_path), postgresql.fresh()
    terminal.says(f"migrate {url} --stopped")
    wanted = about(day)["rows"] | {"worker": 0, "gone": 0}  # what is true of the present alone
    assert_all_there(url, {name: count for name, count in wanted.items() if name in about(day)["rows"]})  # type: ignore[misc]
    config = terminal.config.read_text().replace('database = "turnpost.db"', f'database = "{url}"')
    terminal.config.write_text(config)
    assert_all_playable(terminal)


@each_day
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_backup_is_restored_whole(day: str, engine: str, tmp_path: Path, postgresql: PostgreSQL) -> None:
    file = unpack(day, "turnpost.backup", tmp_path)
    folder = tmp_path / "here"
    terminal = installation(day, folder)
    (folder / "turnpost.db").unlink()
    url = str(folder / "turnpost.db")
    if engine == "postgresql":
        url = postgresql.fresh()
        config = terminal.config.read_text().replace('database = "turnpost.db"', f'database = "{url}"')
        terminal.config.write_text(config)
    with closing(sqlite3.connect(file)) as backup:
        names = [name for (name,) in backup.execute("select name from game order by name")]
        tables = rows(str(file))
    terminal.says(f"restore {file} --yes --go")
    beside = ("backup", "folder", "migration", "meta", "minute", "clock", "worker", "gone", "file")
    assert_all_there(url, {name: count for name, count in tables.items() if name not in beside})
    assert names == ["elk", "fox"]
    assert_all_playable(terminal, ("elk", "fox"))


@each_day
def test_an_export_is_imported_whole(day: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.says("init --no-local --timezone UTC --yes")
    for name in GAMES:
        terminal.says(f"game import {unpack(day, f'{name}.json', tmp_path)}")
    assert_all_playable(terminal)


@contextmanager
def served(day: str, folder: Path) -> Iterator[Service]:
    """A service on a kept database, a minute after the last thing that happened in it."""
    terminal = installation(day, folder)
    with closing(sqlite3.connect(folder / "turnpost.db")) as opened:
        (last,) = opened.execute("select max(received) from letter").fetchone()
    service = open_service(load_settings(terminal.config), ManualClock(last + MINUTE))
    with closing(service.database), service.database.session():
        yield service


def receive(service: Service, text: str, **headers: str) -> None:
    """Lay an email into the mailbox now, and have it read."""
    raw = letter(text, **headers)
    name = f"{service.clock.now() // 1000}.M{abs(hash(raw))}.x"
    (service.settings.file.parent / "mail" / "in" / "new" / name).write_bytes(raw)
    service.poll()
    service.process()


def read_saved_orders(service: Service, seat: str) -> list[str]:
    """Return the orders that a seat of elk has on file, as they are written."""
    position = service.repository.position("elk")
    assert position is not None
    game = games.kinds()["standard"]
    return [game.notation.write(order) for order in position.filed.get(Seat(seat), ())]


@each_day
def test_reply_addresses_and_passwords_still_work(day: str, tmp_path: Path) -> None:
    noted = about(day)
    with served(day, tmp_path) as service:
        receive(service, "F Nwg - Bar", sender="else@example.net", to=noted["reply_to"]["elk.england"])
        assert "F NWG - BAR" in read_saved_orders(service, "England")
        signon = f"SIGNON {noted['signon']['elk.turkey']}"
        receive(service, f"{signon}\nF Ank - Bla", sender="turkey@example.net", to="gm@example.org")
        assert "F ANK - BLA" in read_saved_orders(service, "Turkey")
        assert "A BUL - GRE" in read_saved_orders(service, "Turkey"), "it was sent a turn ahead"
        assert "A BUR - MUN" in read_saved_orders(service, "France")
        service.clock.advance(3 * 24 * 60 * MINUTE)  # type: ignore[attr-defined]
        service.poll()
        service.process()
        position = service.repository.position("elk")
        assert position is not None
        assert position.entries == 3
        assert verify_log(games.kinds()["standard"], position, partial(service.repository.log, "elk")) is None


def test_each_schema_is_kept(tmp_path: Path) -> None:
    """A change of the schema comes with an installation of it: python -m tests.kit.earlier . FOLDER."""
    kept = set()
    for day in DAYS:
        with closing(sqlite3.connect(unpack(day, "turnpost.db", tmp_path / day))) as opened:
            kept |= {name for (name,) in opened.execute("select name from migration")}
    assert {file.stem for file in MIGRATIONS.glob("[0-9]*.py")} - kept == set()


@each_day
def test_each_table_of_a_kept_installation_has_rows(day: str, tmp_path: Path) -> None:
    there = rows(str(unpack(day, "turnpost.db", tmp_path)))
    assert there == about(day)["rows"]
    assert all(there.values())
    for file in (EARLIER / day).iterdir():
        assert file.stat().st_size <= 300_000, file


def test_rows_are_compared_so_that_a_migration_that_loses_some_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, steps, ignore=shutil.ignore_patterns("__pycache__"))
    (steps / "0998_lossy.py").write_text(
        'def up(migrator, db):\n    db.execute_sql("DELETE FROM press WHERE number = 1")\n'
    )
    monkeypatch.setattr("adjudicator.storage.database.MIGRATIONS", steps)
    file = unpack("2026-11-22", "turnpost.db", tmp_path)
    before = rows(str(file))
    try:
        open_database(str(file)).close()
        said = "nothing"
    except Refusal as refused:
        said = str(refused)
    assert "rows would have been lost (press 1)" in said
    assert rows(str(file)) == before
    (steps / "0998_lossy.py").write_text(
        'REMOVES = {"press": 1}\n'
        'def up(migrator, db):\n    db.execute_sql("DELETE FROM press WHERE number = 1")\n'
    )
    open_database(str(file)).close()
    assert rows(str(file))["press"] == before["press"] - 1


_UPGRADE = """
import os, resource, signal, sys
from adjudicator.storage import database, migrating

file, point, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
passed = 0

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def counting(execute):
    def counted(*given, **named):
        global passed
        passed += 1
        if point.isdigit() and passed == int(point):
            die()
        return execute(*given, **named)
    return counted

def dying(do, before):
    def died(*given):
        if before:
            die()
        do(*given)
        die()
    return died

database._SQLite.execute_sql = counting(database._SQLite.execute_sql)
if point == "before the copy":
    migrating._write_copy = dying(migrating._write_copy, True)
if point == "before the copy has its name":
    migrating._write_copy = dying(migrating._write_copy, False)
if point == "after the copy has its name":
    migrating.link_new = dying(migrating.link_new, False)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
opened = database.open_database(file)
print(passed)
"""
LOG_BYTES = 40_000
"""What the index of a write-ahead log takes: with less no database opens."""
COPYING = ("before the copy", "before the copy has its name", "after the copy has its name")


def upgrade(file: Path, point: str = "never", limit: int = 0) -> subprocess.CompletedProcess[str]:
    """Open a database in its own process. point: where it dies; limit: the largest size of a file."""
    words = [sys.executable, "-c", _UPGRADE, str(file), point, str(limit)]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(words, env=environ, capture_output=True, text=True, check=False)


def assert_before_or_after(file: Path, before: dict[str, int], after: dict[str, int]) -> None:
    """Fail where a database is neither as it was nor as it is to become, or cannot be upgraded now."""
    assert rows(str(file)) in (before, after)
    open_database(str(file)).close()
    assert rows(str(file)) == after
    copies = [copy.name for copy in file.parent.glob("turnpost.db.*") if copy.suffix not in ("-wal", "-shm")]
    assert len(copies) <= 1
    assert not any(copy.endswith(".partial") for copy in copies)


def points(count: int, day: str, file: Path) -> list[str]:
    """Return so many statements of an upgrade, evenly spread, and before them the steps of the copy."""
    statements = int(upgrade(file).stdout)
    return [*COPYING, *(str(1 + statements * number // count) for number in range(count))]


def check_deaths(day: str, count: int, tmp_path: Path) -> None:
    """Kill the upgrade of a database at many points, and see each time that it is whole."""
    whole = unpack(day, "turnpost.db", tmp_path / "whole")
    before = rows(str(whole))
    places = points(count, day, whole)
    after = rows(str(whole))
    for place, point in enumerate(places):
        file = unpack(day, "turnpost.db", tmp_path / str(place))
        assert upgrade(file, point).returncode == -signal.SIGKILL, point
        assert_before_or_after(file, before, after)


def check_full_disks(day: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full at many points of an upgrade, in the copy and in the database."""
    whole = unpack(day, "turnpost.db", tmp_path / "whole")
    size, before = whole.stat().st_size, rows(str(whole))
    open_database(str(whole)).close()
    after, grown = rows(str(whole)), whole.stat().st_size
    for place in range(count):
        file = unpack(day, "turnpost.db", tmp_path / f"copy{place}")
        done = upgrade(file, limit=LOG_BYTES + (size - LOG_BYTES) * place // count)
        assert done.returncode == 1
        assert "Nothing was changed" in done.stderr
        assert [found.name for found in file.parent.iterdir()] == [file.name]
        assert_before_or_after(file, before, after)
    set_pragmas = database._SQLite._set_pragmas
    pages = {}

    def limited(self: Any, connection: Any) -> None:
        set_pragmas(self, connection)
        if limit := pages.get(str(self.database)):
            connection.execute(f"PRAGMA max_page_count = {limit}")

    monkeypatch.setattr(database._SQLite, "_set_pragmas", limited)
    for place in range(count):
        file = unpack(day, "turnpost.db", tmp_path / f"grown{place}")
        pages[str(file)] = (size + (grown - size) * place // count) // 4096
        with pytest.raises(StoreFault, match="full"):
            open_database(str(file))
        assert rows(str(file)) == before
        assert [*file.parent.glob("turnpost.db.before*")] == []
        del pages[str(file)]
        assert_before_or_after(file, before, after)


def test_an_upgrade_that_is_killed_is_before_or_after(tmp_path: Path) -> None:
    check_deaths("2026-11-22", 3, tmp_path)


def test_an_upgrade_on_a_full_disk_is_before_or_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_full_disks("2026-11-22", 2, tmp_path, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("day", DAYS[:-1])
def test_an_upgrade_that_is_killed_anywhere_is_before_or_after(day: str, tmp_path: Path) -> None:
    check_deaths(day, 20, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("day", DAYS[:-1])
def test_an_upgrade_on_a_disk_that_is_full_anywhere_is_before_or_after(
    day: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_full_disks(day, 20, tmp_path, monkeypatch)


def test_one_process_upgrades_and_the_others_wait(tmp_path: Path) -> None:
    file = unpack("2026-11-22", "turnpost.db", tmp_path)
    words = [sys.executable, "-c", _UPGRADE, str(file), "never", "0"]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    together = [subprocess.Popen(words, env=environ, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [process.wait() for process in together] == [0, 0, 0]
    assert [copy.name for copy in tmp_path.glob("turnpost.db.*")] == ["turnpost.db.before-0014"]


def test_a_process_that_waited_for_an_upgrade_finds_it_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = unpack("2026-11-22", "turnpost.db", tmp_path)
    looks_up = Database._is_up_to_date
    looked: list[bool] = []

    def look_while_another_upgrades(database: Database) -> bool:
        answer = looks_up(database)
        looked.append(answer)
        if len(looked) == 1:
            open_database(str(file)).close()
        return answer

    monkeypatch.setattr(Database, "_is_up_to_date", look_while_another_upgrades)
    opened = open_database(str(file))
    opened.close()
    assert opened.upgrade is None
    assert [copy.name for copy in tmp_path.glob("turnpost.db.*")] == ["turnpost.db.before-0014"]


def test_a_copy_never_overwrites_another_file(tmp_path: Path) -> None:
    file = unpack("2026-11-22", "turnpost.db", tmp_path)
    (tmp_path / "turnpost.db.before-0014").write_text("something of somebody's")
    opened = open_database(str(file))
    opened.close()
    assert opened.upgrade is not None
    assert opened.upgrade.copy == tmp_path / "turnpost.db.before-0014-2"
    assert (tmp_path / "turnpost.db.before-0014").read_text() == "something of somebody's"


def test_the_doctor_lists_copies_and_knows_a_database_that_has_lost_its_logs(tmp_path: Path) -> None:
    terminal = installation("2026-11-22", tmp_path)
    terminal.says("game list")
    findings = terminal.told("doctor --wait 0")
    assert any("turnpost.db.before-0014" in finding["said"] for finding in findings)
    assert not any(finding["grade"] == "bad" for finding in findings)
    # What the upgrade of an earlier version did.
    with closing(sqlite3.connect(tmp_path / "turnpost.db")) as damaged, damaged:
        damaged.execute("PRAGMA foreign_keys = 0")
        for table in ("chair", "entry", "filed", "clock", "press", "customs", "vote", "absence", "watcher"):
            damaged.execute(f"DELETE FROM {table}")
    done = terminal.gm("doctor --wait 0 --json")
    assert done.exit_code == 1
    (bad,) = [finding for finding in json.loads(done.stdout) if finding["grade"] == "bad"]
    assert "beaver, elk, fox" in bad["said"]
    assert 'Use "gm restore"' in bad["instead"]
    for line in ("game list", "status", "mail list"):
        assert terminal.gm(line).exit_code == 0, line
    assert isinstance(terminal.gm("run process").exception, SystemExit), (
        "games that are held, and no traceback"
    )
    for line in ("game show elk", "game replay elk", "turn process elk --yes", "seat show elk france"):
        assert "deleted by an upgrade" in terminal.refused(line)
    terminal.says("game delete elk --yes --why lost")
    terminal.says(f"game import {unpack('2026-11-22', 'elk.json', tmp_path)}")
    assert_playable(terminal, "elk", "france")
    terminal.says(f"restore {unpack('2026-11-22', 'turnpost.backup', tmp_path)} --yes --go")
    assert_all_playable(terminal, ("elk", "fox"))
