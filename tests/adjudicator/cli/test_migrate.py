"""`gm migrate` copies an installation from SQLite to PostgreSQL and back, even if it is killed."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adjudicator.admin import backup
from adjudicator.clock import WallClock
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.service import open_service
from adjudicator.storage import archive, metadata, workers
from adjudicator.storage.database import Database, open_database
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.servers import PostgreSQL

pytestmark = pytest.mark.usefixtures("undrawn")

_KILLED = """
import os, signal
from adjudicator.cli.app import main
from adjudicator.storage import archive
carry = archive.carry
def broken_off(*given):
    for place, step in enumerate(carry(*given)):
        if place == int(os.environ["BROKEN_OFF_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)
        yield step
archive.carry = broken_off
main()
"""


def renamed(terminal: Terminal, database: str) -> None:
    """Name another database in gm.toml."""
    text = terminal.config.read_text()
    terminal.config.write_text(re.sub(r"(?m)^database\s*=.*$", f'database = "{database}"', text))


def killed(terminal: Terminal, url: str, place: int) -> None:
    """Migrate, and be killed after so many batches."""
    words = [sys.executable, "-c", _KILLED, "--config", str(terminal.config), "migrate", url]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "BROKEN_OFF_AT": str(place)}
    done = subprocess.run(words, env=environ, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_it_moves_whole_and_back_again(beaver: Terminal, postgresql: PostgreSQL, tmp_path: Path) -> None:
    """Everything that can be seen is the same in each place, and goes on there."""
    beaver.says("turn process beaver --yes")
    lines = (
        "game show beaver",
        "game log beaver",
        "seat show beaver iroquois",
        "mail list --out",
        "player list",
    )
    seen = [beaver.told(line) for line in lines]
    url = postgresql.fresh()
    said = beaver.says(f"migrate {url}")
    assert "1 game replayed: all positions identical." in said
    assert 'database = "postgresql://' in said
    refused = beaver.refused("status")
    assert "was moved to postgresql://" in refused
    renamed(beaver, url)
    assert [beaver.told(line) for line in lines] == seen
    beaver.says("turn process beaver --yes")
    seen = [beaver.told(line) for line in lines]

    back = tmp_path / "back.db"
    assert beaver.told(f"migrate {back}")["games"] == ["beaver"]
    renamed(beaver, str(back))
    assert [beaver.told(line) for line in lines] == seen
    proved = beaver.told("game replay beaver")
    assert (proved["turns"], proved["difference"]) == (3, None)


def test_the_command_by_itself_reaches_a_server_that_its_books_do_not_need(
    beaver: Terminal, postgresql: PostgreSQL
) -> None:
    """The modules for the source database aren't enough for the target database."""
    words = [
        sys.executable,
        "-m",
        "adjudicator",
        "--config",
        str(beaver.config),
        "migrate",
        postgresql.fresh(),
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 game replayed: all positions identical." in done.stdout


@pytest.mark.parametrize("place", [0, 12, 22])
def test_killed_in_the_middle_it_goes_on_where_it_was(
    beaver: Terminal, postgresql: PostgreSQL, place: int
) -> None:
    """Nobody works with a half-copied database."""
    url = postgresql.fresh()
    killed(beaver, url, place)
    other = beaver.config.with_name("other.toml")
    other.write_text(re.sub(r"(?m)^database\s*=.*$", f'database = "{url}"', beaver.config.read_text()))
    half = Terminal(beaver.folder).gm(f"--config {other} status")
    assert half.exit_code == 1
    assert "it holds only part of an unfinished copy" in half.output
    source = open_database(str(beaver.folder / "turnpost.db"))
    wanted = archive.sums(source)
    source.close()
    assert "1 game replayed: all positions identical." in beaver.says(f"migrate {url}")
    target = open_database(url)
    assert archive.sums(target) == wanted
    target.close()


def test_a_target_that_holds_something_else_is_refused(
    beaver: Terminal, template_folder: Path, tmp_path: Path
) -> None:
    terminal = Terminal(Path(shutil.copytree(template_folder / "empty", tmp_path / "other")))
    terminal.says("game new indianomacy otter")
    there = terminal.folder / "turnpost.db"
    assert "it already holds another installation, with the games otter" in beaver.refused(f"migrate {there}")
    assert "this installation already uses that database" in beaver.refused(
        f"migrate {beaver.folder / 'turnpost.db'}"
    )
    assert "only SQLite and PostgreSQL are supported" in beaver.refused("migrate mysql://host/name")
    assert "out of reach" in beaver.refused("migrate postgresql://turnpost@127.0.0.1:1/none")
    assert terminal.told("game list")[0]["game"] == "otter"
    assert "beaver" in beaver.says("status"), "nothing has become of the books"
    assert beaver.gm("migrate").exit_code == 2


def test_whoever_serves_is_to_be_stopped_first(beaver: Terminal, tmp_path: Path) -> None:
    beaver.says("run poll")
    with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
        repository.execute(
            "insert or replace into meta values ('last_alive', cast(strftime('%s') || '000' as blob))"
        )
    refused = beaver.refused(f"migrate {tmp_path / 'new.db'}")
    assert re.search(r'Can\'t copy while "gm serve" runs: it was alive \d+ seconds ago', refused)
    assert "1 game replayed" in beaver.says(f"migrate {tmp_path / 'new.db'} --stopped")


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_nobody_serves_while_books_are_moved_whatever_is_said(
    beaver: Terminal, tmp_path: Path, postgresql: PostgreSQL, engine: str
) -> None:
    """Running workers are noticed, and a worker that starts meanwhile notices the migration."""
    if engine == "postgresql":
        beaver.says(f"migrate {(url := postgresql.fresh())}")
        renamed(beaver, url)
    service = open_service(load_settings(beaver.config))
    service.recover()
    refused = beaver.refused(f"migrate {tmp_path / 'new.db'} --stopped")
    assert (
        f'Can\'t copy while "gm serve" runs: it is using this database: process {os.getpid()} on ' in refused
    )
    assert "beaver" in beaver.says("status"), "they are served from as before"
    service.heartbeat.stop()
    assert "1 game replayed" in beaver.says(f"migrate {tmp_path / 'new.db'} --stopped")
    with pytest.raises(Refusal, match="it was moved to"):
        service.recover()
    assert workers.current_workers(service.database) == ()
    service.database.close()


def test_books_that_were_moved_can_be_served_from_after_all(beaver: Terminal, tmp_path: Path) -> None:
    beaver.says(f"migrate {tmp_path / 'new.db'}")
    assert "was moved to" in beaver.refused("game list")
    beaver.says("migrate --stay")
    assert beaver.told("game list")[0]["game"] == "beaver"


def test_books_that_change_meanwhile_are_noticed(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody served all the same."""
    carry = archive.carry

    def meanwhile(*given):  # type: ignore[no-untyped-def]
        yield from carry(*given)
        with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
            repository.execute("update game set rev = rev + 1")

    monkeypatch.setattr(archive, "carry", meanwhile)
    refused = beaver.refused(f"migrate {tmp_path / 'new.db'}")
    assert "these tables differ: game. Something changed them during the copy" in refused
    assert beaver.told("game list")[0]["game"] == "beaver"


def test_a_log_that_did_not_hold_before_is_named_and_comes_along(beaver: Terminal, tmp_path: Path) -> None:
    with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
        repository.execute("update game set state = ?", (b'{"pebbles": 3}',))
    said = beaver.says(f"migrate {tmp_path / 'new.db'}")
    assert "The log of beaver fails verification in both databases: it cannot be read" in said


def test_a_name_that_is_rather_a_slip_makes_no_database(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The URL of a server without its scheme is a bare name, too."""
    monkeypatch.chdir(tmp_path)
    for name in ("notaurl", "postgresql", "db.example.org"):
        assert f"./{Path(name).stem}.db or postgresql://" in beaver.refused(f"migrate {name}")
        assert not Path(name).exists()
    missing = beaver.folder / "nowhere" / "new.db"
    assert "there is no folder" in beaver.refused(f"migrate {missing}")
    assert not missing.parent.exists()
    assert beaver.told("game list")[0]["game"] == "beaver", "the service goes on with what it has"


def test_what_is_killed_before_the_copy_was_compared_has_moved_nothing(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a move is under way nobody serves; ten minutes after it was last seen all is as before."""
    killed(beaver, str(tmp_path / "new.db"), 3)
    assert "is being moved to" in beaver.refused("game list")
    source = open_database(str(beaver.folder / "turnpost.db"))
    assert metadata.moved_to(source) is None
    to, now = metadata.moving_to(source, WallClock().now()), WallClock().now()
    assert to == str(tmp_path / "new.db")
    metadata.note_moving(source, to, now - metadata.STALE_AFTER)
    source.close()
    assert beaver.told("game list")[0]["game"] == "beaver"
    assert "1 game replayed: all positions identical." in beaver.says(f"migrate {tmp_path / 'new.db'}")
    assert "was moved to" in beaver.refused("game list")


def test_a_long_move_shows_that_it_goes_on(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that takes an hour is compared after it: nobody serves at any time of it."""
    seen = []
    carry = archive.carry

    def slowly(source: Database, *given: Any) -> Iterator[metadata.MoveProgress]:
        for step in carry(source, *given):
            metadata.note_moving(source, "new.db", WallClock().now() - metadata.STALE_AFTER)
            yield step
            seen.append(metadata.moving_to(source, WallClock().now()))

    monkeypatch.setattr(archive, "carry", slowly)
    monkeypatch.setattr(backup, "PROGRESS_EVERY", -1)
    beaver.says(f"migrate {tmp_path / 'new.db'}")
    assert {*seen} == {str(tmp_path / "new.db")}
