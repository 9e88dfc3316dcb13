"""``gm restore`` checks everything before it writes anything, and names what is missing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.admin.backup import RESTORED_FILES_FOLDER
from adjudicator.cli.app import app
from adjudicator.errors import StoreFault
from tests.adjudicator.cli.conftest import Terminal

pytestmark = pytest.mark.usefixtures("undrawn")

AUTHORITY = """\
# Authority of these tests
-----BEGIN CERTIFICATE-----
MIIBszCCAVmgAwIBAgIUJ0aG
-----END CERTIFICATE-----
"""
SERVERS = """\
[inbox]
url = "imaps://gm@imap.example.org"
password = { file = "imap.password" }
ca_file = "CA"
kept = "Games/Done"
[outbox]
url = "smtps://gm@smtp.example.org"
password = { env = "GM_SMTP_PASSWORD" }
ca_file = "CA"
"""


def on_servers(terminal: Terminal, ca_file: str = "ca.pem", authority: str = AUTHORITY) -> Path:
    """Give a service a mailbox on a server with its own certificate authority, and back it up."""
    head = terminal.config.read_text().partition("[inbox]")[0]
    terminal.config.write_text(head + SERVERS.replace('"CA"', f'"{ca_file}"'))
    named = terminal.folder / ca_file
    named.parent.mkdir(parents=True, exist_ok=True)
    named.write_text(authority)
    (terminal.folder / "imap.password").write_text("secret\n")
    file = terminal.folder.parent / "all.backup"
    terminal.says(f"backup {file}")
    return file


def elsewhere(tmp_path: Path) -> Terminal:
    """A machine that knows nothing of the service."""
    return Terminal(tmp_path / "machine" / "games")


def test_the_files_that_gm_toml_names_come_back_with_it(beaver: Terminal, tmp_path: Path) -> None:
    """The backup names the folder from which emails are moved back as the mailbox does."""
    file, there = on_servers(beaver, "tls/ca.pem"), elsewhere(tmp_path)
    told = there.told(f"restore {file}")
    assert (there.folder / "tls" / "ca.pem").read_text() == AUTHORITY
    assert told["files"] == [f"{there.folder}/tls/ca.pem was missing and has been restored"]
    assert there.config.read_text() == beaver.config.read_text()
    assert there.told("game list")[0]["game"] == "beaver"
    box = {"mailbox": "gm at imap.example.org", "from": "Games/Done", "to": "INBOX"}
    assert told["move_back"] == [box]


def test_passwords_are_in_no_backup_and_named_as_missing(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GM_SMTP_PASSWORD", raising=False)
    file, there = on_servers(beaver), elsewhere(tmp_path)
    assert b"secret\n" not in file.read_bytes()
    said = there.says(f"restore {file}")
    missing = f"{there.folder}/imap.password isn't here, and no backup carries a file with a secret"
    assert f"[inbox] password: {missing}" in said
    assert "[outbox] password: set GM_SMTP_PASSWORD in the environment" in said
    assert not (there.folder / "imap.password").exists()
    assert "from Games/Done to INBOX" in said


def test_a_file_that_holds_a_key_too_is_not_carried(beaver: Terminal, tmp_path: Path) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"
    file, there = on_servers(beaver, authority=AUTHORITY + key), elsewhere(tmp_path)
    assert b"PRIVATE KEY" not in file.read_bytes()
    (first, second, *_) = there.told(f"restore {file}")["missing"]
    assert first == f"[inbox] ca_file: {there.folder}/ca.pem isn't here, and the backup doesn't carry it"
    assert second.startswith("[outbox] ca_file")


def test_a_backup_of_an_earlier_day_is_restored_without_those_files(beaver: Terminal, tmp_path: Path) -> None:
    """It says what is missing; once that is there, everything works."""
    file, there = on_servers(beaver), elsewhere(tmp_path)
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("DROP TABLE file")
    said = there.says(f"restore {file}")
    assert f"[inbox] ca_file: {there.folder}/ca.pem isn't here, and the backup doesn't carry it" in said
    assert "1 game of" in said
    assert "ca_file" in there.refused("game list")
    (there.folder / "ca.pem").write_text(AUTHORITY)
    assert there.told("game list")[0]["game"] == "beaver"


def test_a_file_outside_the_folder_is_laid_aside(beaver: Terminal, tmp_path: Path) -> None:
    """If gm.toml names a place above its folder, nothing is written there."""
    file, there = on_servers(beaver, "../ours/ca.pem"), elsewhere(tmp_path)
    (told, *_) = there.told(f"restore {file}")["files"]
    aside = there.folder / RESTORED_FILES_FOLDER / "ca.pem"
    assert told.endswith(f"is missing. Move it there from {aside}")
    assert aside.read_text() == AUTHORITY
    assert not (there.folder.parent / "ours").exists()


def test_a_file_that_is_there_stays_as_it_is(beaver: Terminal, tmp_path: Path) -> None:
    file, there = on_servers(beaver), elsewhere(tmp_path)
    there.folder.mkdir(parents=True)
    (there.folder / "ca.pem").write_text("ours\n")
    told = there.told(f"restore {file}")["files"]
    assert told[0] == f"{there.folder}/ca.pem differs from the backup and was left as it is"
    assert (there.folder / "ca.pem").read_text() == "ours\n"


def test_beside_a_gm_toml_that_is_there_a_file_that_it_misses_comes_back(beaver: Terminal) -> None:
    """A service whose folder has lost a file cannot even be looked at: the backup puts the file back."""
    file = on_servers(beaver)
    (beaver.folder / "ca.pem").unlink()
    assert "doesn't exist" in beaver.refused("game list")
    beaver.says(f"restore {file} --yes")
    assert (beaver.folder / "ca.pem").read_text() == AUTHORITY


def test_a_restore_that_fails_leaves_nothing_behind(
    beaver: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither gm.toml nor a file beside it nor a database: the next restore finds an empty folder."""
    file, there = on_servers(beaver), elsewhere(tmp_path)

    def full(*args: object) -> None:
        raise StoreFault("database", "it is full")

    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.storage.archive.due_games.recheck_all", full)
        assert "it is full" in there.refused(f"restore {file}")
    assert not (tmp_path / "machine").exists()
    assert there.told(f"restore {file}")["games"] == ["beaver"]


def test_where_the_database_would_go_is_asked(beaver: Terminal, tmp_path: Path) -> None:
    """A backup names the place of the database, too: outside its folder it is written to after a yes."""
    outside = tmp_path / "var" / "books.db"
    outside.parent.mkdir()
    text = beaver.config.read_text().replace('database = "turnpost.db"', f'database = "{outside}"')
    assert str(outside) in text
    file, there = tmp_path / "all.backup", elsewhere(tmp_path)
    (beaver.folder / "turnpost.db").rename(outside)
    beaver.config.write_text(text)
    beaver.says(f"backup {file}")
    outside.unlink()
    assert there.gm(f"restore {file}").exit_code == 2
    assert not (tmp_path / "machine").exists()
    assert not outside.exists()
    assert there.told(f"restore {file} --yes")["games"] == ["beaver"]
    assert outside.exists()


def test_a_command_in_a_backup_runs_only_if_it_is_meant(beaver: Terminal, tmp_path: Path) -> None:
    """To find the database, the command in its address would have to run."""
    witness, file, there = tmp_path / "witness", tmp_path / "all.backup", elsewhere(tmp_path)
    beaver.says(f"backup {file}")
    with closing(sqlite3.connect(file)) as opened, opened:
        (config,) = opened.execute("SELECT value FROM backup WHERE key = 'config'").fetchone()
        config = config.replace('database = "turnpost.db"', f'database = {{ command = "touch {witness}" }}')
        assert str(witness) in config
        opened.execute("UPDATE backup SET value = ? WHERE key = 'config'", (config,))
    assert there.gm(f"restore {file}").exit_code == 2
    assert not witness.exists()


def test_emails_that_a_mail_server_handed_over_lie_in_no_mailbox(beaver: Terminal, tmp_path: Path) -> None:
    raw = b"From: iroquois@example.org\r\nTo: gm@example.org\r\nSubject: x\r\n\r\nHELP\r\n"
    command = ["--config", str(beaver.config), "receive"]
    assert CliRunner().invoke(app, command, input=raw, prog_name="gm").exit_code == 0
    file = tmp_path / "all.backup"
    beaver.says(f"backup {file}")
    assert "from gm receive are in no mailbox" in elsewhere(tmp_path).says(f"restore {file}")
