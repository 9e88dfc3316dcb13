"""A real Postfix delivers emails to `gm receive`, by the lines in deploy/mta."""

import contextlib
import os
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.config.service import load_settings
from adjudicator.daemon.doctor import examine
from adjudicator.reports.messages import reader_of
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox
from games.protocol import Seat
from tests.kit.mail import letter
from tests.kit.servers import DOMAIN, Dovecot, Postfix, ServerMissingError, postfix, running

MTA = Path(__file__).parents[2] / "deploy" / "mta"
GM = Path(sys.executable).with_name("gm")
CONFIG = f"""\
[service]
address = "gm@{DOMAIN}"
[inbox]
url = "maildir:./mail/in"
[outbox]
url = "maildir:./mail/out"
"""


@dataclass(frozen=True)
class Piped:
    """A service in a folder, and the Postfix that hands letters to it as the user nobody."""

    folder: Path
    service: Service
    postfix: Postfix

    def post(self, raw: bytes, *to: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.postfix.port, timeout=300, local_hostname="localhost") as server:
            server.sendmail("iroquois@example.net", to, raw)

    def kept(self) -> tuple[inbox.ShownLetter, ...]:
        return inbox.list_letters(self.service.database)

    def until(self, done: Callable[[], object]) -> None:
        end = time.monotonic() + 300
        while not done():
            assert time.monotonic() < end, self.postfix.log()[-2000:]
            time.sleep(0.05)


def lines_of(folder: Path) -> tuple[str, str]:
    """Return the lines of deploy/mta for main.cf and master.cf, with another address, user and place."""
    main = (MTA / "postfix-main.cf").read_text().replace("gm@example.org", f"gm@{DOMAIN}")
    # The rest of its lines are those that tests need, too; a name may be given a value once.
    main = "".join(line for line in main.splitlines(True) if not line.startswith("recipient_delimiter"))
    master = (MTA / "postfix-master.cf").read_text()
    program = f"/usr/bin/env GM={folder}/gm GM_CONFIG={folder}/gm.toml {MTA}/turnpost-receive"
    for ours, theirs in (
        ("user=turnpost", "user=nobody:nogroup"),
        ("/var/lib/turnpost", str(folder)),
        ("/usr/local/lib/turnpost-receive", program),
    ):
        assert ours in master
        master = master.replace(ours, theirs)
    return main, master


CLERK = """\
#!/bin/sh
errand=$(mktemp -d "$(dirname "$0")/errands/XXXXXX")
cat > "$errand/letter"
mkfifo "$errand/answer"
echo "$GM_CONFIG $*" > "$errand/words.new" && mv "$errand/words.new" "$errand/words"
{ read -r code; cat; } < "$errand/answer"
exit "$code"
"""
"""What runs as nobody in place of `gm`, which may lie where only root can enter: it has an errand run."""


class Errands(threading.Thread):
    """Runs `gm receive` for the mail server, as the user who runs the tests."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._folder = folder / "errands"
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.02):
            for words in self._folder.glob("*/words"):
                config, *line = words.read_text().split()
                letter = (words.parent / "letter").read_bytes()
                around = os.environ | {"GM_CONFIG": config}
                done = subprocess.run([GM, *line], input=letter, env=around, capture_output=True, check=False)
                words.unlink()
                (words.parent / "answer").write_bytes(b"%d\n" % done.returncode + done.stdout + done.stderr)

    def stop(self) -> None:
        self._over.set()
        self.join()


@contextlib.contextmanager
def serving(dovecot: Dovecot) -> Iterator[Piped]:
    if os.geteuid() != 0:
        raise ServerMissingError("Postfix can only be started by root")
    folder = Path(tempfile.mkdtemp(prefix="piped-"))
    try:
        (folder / "gm.toml").write_text(CONFIG)
        service = open_service(load_settings(folder / "gm.toml"))
        service.database.close()
        (folder / "errands").mkdir()
        (folder / "gm").write_text(CLERK)
        (folder / "gm").chmod(0o755)
        for place in (folder, *folder.rglob("*")):
            shutil.chown(place, "nobody", "nogroup")
        errands = Errands(folder)
        errands.start()
        with postfix(dovecot, lines_of(folder)) as server:
            yield Piped(folder, service, server)
        errands.stop()
        service.database.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def piped(dovecot: Dovecot) -> Iterator[Piped]:
    yield from running(lambda: serving(dovecot))


def test_a_letter_comes_through_the_pipe_and_speaks_for_its_seat(piped: Piped) -> None:
    """Its headers name nobody: the address that the server was given does."""
    game_admin.new_game(piped.service, game_admin.GameRequest("indianomacy", "pipe"))
    game_admin.assign(piped.service, "pipe", "Iroquois", "iroquois@example.net")
    position = game_admin.position_of(piped.service, "pipe")
    assignment = position.assignments[Seat("Iroquois")]
    reader = reader_of(
        position, assignment, assignment.address, piped.service.repository, piped.service.service_context
    )
    address = reader.reply_address
    orders = letter("Mohawk - Delaware", sender="stranger@example.com", to="undisclosed-recipients:;")
    piped.post(orders, address)
    piped.until(piped.kept)
    piped.service.process()
    (kept,) = piped.kept()
    assert (kept.disposition, kept.game, kept.seat) == ("read", "pipe", "Iroquois")
    assert f"Delivered-To: {address}".encode() in kept.raw
    assert b"Return-Path: <iroquois@example.net>" in kept.raw
    piped.until(lambda: "status=sent (delivered via turnpost service (The email is in" in piped.postfix.log())


def test_a_letter_waits_in_the_queue_while_the_service_cannot_take_it(piped: Piped) -> None:
    """Our faults never return an email to its player; it arrives in the end, once."""
    before = len(piped.kept())
    config = piped.folder / "gm.toml"
    config.rename(piped.folder / "gm.toml.away")
    waiting = letter("HELP", sender="iroquois@example.net", number=2)
    piped.post(waiting, f"gm@{DOMAIN}")
    try:
        # It lies in the queue a moment before that is logged.
        piped.until(lambda: piped.postfix.waiting() and "status=deferred" in piped.postfix.log())
        assert len(piped.kept()) == before
    finally:
        (piped.folder / "gm.toml.away").rename(config)
    assert 'Use "gm init" to create it' in re.findall(r"status=deferred \((.*)\)", piped.postfix.log())[-1]
    piped.postfix.try_again()
    piped.until(lambda: len(piped.kept()) > before)
    piped.until(lambda: not piped.postfix.waiting())
    piped.post(waiting, f"gm@{DOMAIN}")
    piped.until(lambda: "was in the database already" in piped.postfix.log())
    assert len(piped.kept()) == before + 1
    assert "status=bounced" not in piped.postfix.log()


def test_the_doctor_finds_his_letters_on_the_books(piped: Piped) -> None:
    """They come back by the pipe, and lie in no mailbox."""
    config = piped.folder / "doctor.toml"
    config.write_text(CONFIG.replace("maildir:./mail/out", f"smtp://127.0.0.1:{piped.postfix.port}"))
    service = open_service(load_settings(config))
    found = [one for one in examine(service, wait_seconds=300) if one.about == "to oneself"]
    service.database.close()
    assert [one.said for one in found] == [
        f"an email to gm@{DOMAIN} came back",
        f"an email to gm+doctor@{DOMAIN} came back",
    ]
