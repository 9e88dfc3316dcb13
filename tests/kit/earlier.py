"""A small installation made by the program of an earlier day, kept to prove that upgrades lose nothing.

    python -m tests.kit.earlier CHECKOUT FOLDER

runs the program of CHECKOUT, a checkout of some earlier commit, as a gamesmaster and five players would, and
writes into FOLDER, compressed: its database, a backup, an export of each game, gm.toml, and about.json with
the number of rows of each table, the passwords, and the reply addresses. Tables that such games leave empty
get one row by hand, so that each table has some.
"""

import json
import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from email import message_from_bytes, policy
from email.utils import formatdate
from pathlib import Path
from tempfile import TemporaryDirectory

GAMES = ("beaver", "elk", "fox")
_LARGEST_EMAIL = 30_000


class Installation:
    """An installation in a folder, driven by the commands of one program."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.folder = folder
        self._environ = {**os.environ, "PYTHONPATH": str(program), "GM_NAME": ""}
        self._emails = 0

    def gm(self, *words: str) -> str:
        """Run a command and return what it prints; a command that fails stops everything."""
        command = [sys.executable, "-m", "adjudicator", *words]
        done = subprocess.run(command, cwd=self.folder, env=self._environ, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"gm {' '.join(words)}: {done.stdout[-500:]}{done.stderr[-2000:]}")
        return done.stdout

    def email(self, sender: str, body: str) -> None:
        """Deliver an email that the receiving server has authenticated, and have it read."""
        self._emails += 1
        headers = (
            "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org; "
            f"spf=pass smtp.mailfrom={sender}@example.org\r\n"
            f"From: {sender}@example.org\r\nTo: gm@example.org\r\nSubject: orders\r\n"
            f"Message-ID: <m{self._emails}@example.org>\r\nDate: {formatdate()}\r\n"
        )
        place = self.folder / "mail/in/new" / f"{int(time.time())}.M{self._emails}.x"
        place.write_bytes(f"{headers}\r\n{body}".encode())
        self.gm("run", "poll")

    def go_on(self) -> None:
        """Process what is due, and send what is ready."""
        self.gm("run", "process")
        self.gm("run", "send")

    def database(self) -> sqlite3.Connection:
        """Open the database beside the program."""
        opened = sqlite3.connect(self.folder / "turnpost.db")
        opened.execute("PRAGMA foreign_keys = 1")
        return opened


def play(made: Installation) -> None:
    """Set the service up, play the first turns of three games, and leave a fourth open for players."""
    made.gm("init", "--address", "gm@example.org", "--no-local", "--timezone", "UTC", "--yes")
    config = made.folder / "gm.toml"
    text = config.read_text()
    config.write_text(text.replace("[trust]\n", '[trust]\nauthserv_id = "mx.example.org"\n', 1))
    made.gm("game", "new", "standard", "elk", "--term", "press=grey", "--term", "moves=2d")
    for seat in ("france", "england", "turkey"):
        made.gm("seat", "assign", "elk", seat, f"{seat}@example.org")
    made.gm("game", "new", "war-chest", "fox")
    made.gm("seat", "assign", "fox", "player", "wolf@example.org")
    made.gm("game", "new", "indianomacy", "beaver")
    made.gm("seat", "assign", "beaver", "iroquois", "iroquois@example.org")
    made.go_on()
    made.gm("game", "new", "standard", "hare", "--open", "--players", "2")
    made.email("italy", "JOIN hare\n")
    made.email("austria", "OBSERVE elk\n")
    made.email("germany", "JOIN elk\n")
    orders = "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao\n"
    wishes = "NAME France\nTIMEZONE Europe/Paris\nABSENCE 20 December to 5 January\nLETTERS BRIEF\n"
    made.email("france", f"{wishes}LETTERS DIGEST DAILY\n{orders}")
    made.email("england", "SIGNON elk england wrongpassword\n")
    press = "PRESS TO France\nShall we?\nENDPRESS\nDRAW\n"
    made.email("england", f"F Lon - Nth\nF Edi - Nwg\nA Lvp - Yor\n{press}")
    made.email("turkey", "A Con - Bul\nPHASE F1901M\nA Bul - Gre\nENDPHASE\n")
    made.email("stranger", "Hello there, what is this?\n")
    made.email("iroquois", "Mohawk - Pequot\n")
    made.email("wolf", "Archer, Cavalry, Marshall, Swordsman\n")
    made.go_on()
    for game in ("elk", "beaver"):
        made.gm("turn", "process", game, "--yes")
    made.go_on()
    made.email("france", "A Bur - Mun\nF Mao - Spa/sc\nDRAW\n")
    made.email("england", "F Nth - Nwy\n")
    made.go_on()
    made.gm("game", "pause", "beaver", "--why", "a holiday")
    made.gm("seat", "rekey", "elk", "turkey", "--why", "a copy went astray")
    made.go_on()


def rows_of(database: sqlite3.Connection) -> dict[str, int]:
    """Count the rows of each table."""
    tables = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    names = sorted(name for (name,) in tables)
    return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def thin(database: sqlite3.Connection) -> None:
    """Keep one email with a picture: the others make up nine tenths of the file."""
    if "part" in rows_of(database):
        (smallest, _), *_ = database.execute(
            "SELECT letter_id, sha FROM enclosed JOIN part USING (sha) ORDER BY length(part.data)"
        )
        database.execute(
            "DELETE FROM outbox WHERE number IN (SELECT letter_id FROM enclosed) AND number <> ?", (smallest,)
        )
        database.execute("DELETE FROM part WHERE sha NOT IN (SELECT sha FROM enclosed)")
    large = f"FROM outbox WHERE length(data) > {_LARGEST_EMAIL}"
    one = f"SELECT number {large} ORDER BY length(data) LIMIT 1"
    database.execute(f"DELETE {large} AND number NOT IN ({one})")
    database.commit()


def fill(database: sqlite3.Connection) -> None:
    """Give each table that is still empty a row, as the program itself would write it."""
    now = int(time.time() * 1000)
    stuck = {
        "game": "fox",
        "instead": "gm game replay fox",
        "kind": "war-chest",
        "sort": "turn",
        "since": now,
        "tried": now,
        "why": "a turn could not be processed",
    }
    (newest,) = database.execute("SELECT max(number) FROM outbox").fetchone()
    press = database.execute("SELECT max(key) FROM press").fetchone()[0]
    france = {"game_id": "elk", "seat": "France", "address": "france@example.org"}
    rows: dict[str, dict[str, object]] = {
        "vacancy": {"game_id": "elk", "seat": "Italy", "since": now},
        "request": {"address": "italy@example.org", "mark": "a1b2c3", "lines": '["JOIN elk"]', "asked": now},
        "bounce": {"letter_id": newest, "address": "turkey@example.org", "at": now, "hard": 0, "why": "452"},
        "dead": {"address": "gone@example.org", "since": now, "why": "550 no such user"},
        "guess": {
            "game_id": "elk",
            "seat": "England",
            "lock": "x",
            "misses": 2,
            "rests": 0,
            "until": 0,
            "at": now,
        },
        "stuck": {"game_id": "fox", "document": json.dumps(stuck, sort_keys=True)},
        "poster": france | {"place": "forum.example.org", "name": "france", "used": 0, "since": now},
        "topic": {"game_id": "elk", "place": "forum.example.org", "topic": "7"},
        "gone": {"domain": "example.org", "at": now},
        "signature": {"content": "ab" * 32, "letter": "cd" * 32, "accepted": now},
        "held_press": {"game_id": "elk", "press": press, "reader": "France", "since": now},
        "copy_warning": {"game_id": "elk", "seat": "Turkey", "address": "england@example.org"},
        "worker": {
            "name": "w1",
            "host": "h",
            "pid": 1,
            "jobs": "post",
            "began": now,
            "seen": 0,
            "done": "{}",
        },
    }
    for table, count in rows_of(database).items():
        if count:
            continue
        columns = {row[1] for row in database.execute(f'PRAGMA table_info("{table}")')}
        row = {name: value for name, value in rows[table].items() if name in columns}
        names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
        database.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', [*row.values()])
    database.commit()


def said_in_emails(made: Installation) -> dict[str, dict[str, str]]:
    """Return the newest reply address and the password of each seat, as its player read them."""
    replies, passwords = {}, {}
    for file in sorted((made.folder / "mail/out/new").iterdir(), key=lambda file: file.stat().st_mtime_ns):
        email = message_from_bytes(file.read_bytes(), policy=policy.default)
        seat = re.search(r"gm\+([a-z]+\.[a-z]+)\.", str(email["Reply-To"]))
        if seat:
            replies[seat[1]] = str(email["Reply-To"])
            body = email.get_body(("plain",)).get_content()
            if password := re.search(r"SIGNON +(\w+ +\w+ +[\w-]{12})(?!\S)", body):
                passwords[seat[1]] = password[1]
    return {"reply_to": replies, "signon": passwords}


def write(made: Installation, into: Path) -> None:
    """Write everything that is kept, compressed."""
    database = made.folder / "turnpost.db"
    with closing(made.database()) as opened:
        thin(opened)
        fill(opened)
        opened.execute("VACUUM")
        opened.execute("PRAGMA wal_checkpoint(truncate)")
        about = {"rows": rows_of(opened), **said_in_emails(made)}
    into.mkdir(parents=True)
    kept = shutil.copy(database, made.folder / "kept.db")
    for game in GAMES:
        (made.folder / f"{game}.json").write_text(made.gm("game", "export", game))
    # The folder of data that Indianomacy needs would be most of a backup.
    made.gm("game", "delete", "beaver", "--yes", "--why", "over")
    made.gm("backup", "turnpost.backup")
    shutil.copy(kept, database)
    shutil.copy(made.folder / "gm.toml", into)
    (into / "about.json").write_text(json.dumps(about, indent=1, sort_keys=True) + "\n")
    for name in ("turnpost.db", "turnpost.backup", *(f"{game}.json" for game in GAMES)):
        packed = lzma.compress((made.folder / name).read_bytes(), preset=9)
        (into / f"{name}.xz").write_bytes(packed)


def main(program: str, into: str) -> None:
    """Make what is kept of one program."""
    with TemporaryDirectory() as folder:
        made = Installation(Path(program).absolute(), Path(folder))
        play(made)
        write(made, Path(into).absolute())


if __name__ == "__main__":
    main(*sys.argv[1:])
