"""``gm receive`` stores an email from a pipe once, or tells the mail server to keep it."""

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.errors import Refusal, StoreFault
from adjudicator.mail.maildir import SIZE_LIMIT_BYTES
from adjudicator.service import Service
from adjudicator.storage import database
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.typing_hand import typed_at_terminal
from tests.kit.gm_process import gm_forker
from tests.kit.mail import letter

LETTER = letter("HELP", sender="iroquois@example.org")
WRAPPER = Path(__file__).parents[3] / "deploy" / "mta" / "turnpost-receive"


def piped(terminal: Terminal, raw: bytes, *words: str) -> Result:
    """Return the exit code that a mail server gets when it pipes an email."""
    line = ["--config", str(terminal.config), "receive", *words]
    return CliRunner().invoke(app, line, input=raw, prog_name="gm")


@contextmanager
def in_other_hands(terminal: Terminal) -> Iterator[None]:
    """Somebody else writes, and does not come to an end."""
    with closing(sqlite3.connect(terminal.folder / "turnpost.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_a_letter_is_on_the_books(terminal: Terminal) -> None:
    done = piped(terminal, LETTER)
    assert (done.exit_code, done.stdout) == (0, "The email is in the database.\n")
    (kept,) = terminal.told("mail list")
    assert (kept["from"], kept["decided"]) == ("iroquois@example.org", "waiting")


def test_it_arrives_when_it_is_taken(terminal: Terminal) -> None:
    """Its own Date doesn't count: it is years back, and years don't count for deadlines."""
    piped(terminal, letter("HELP", date=0))
    (kept,) = terminal.told("mail list")
    assert kept["received"] > "2026"


def test_the_same_letter_is_taken_once(terminal: Terminal) -> None:
    assert json.loads(piped(terminal, LETTER, "--json").stdout) == {"new": True}
    again = b"Return-Path: <iroquois@example.org>\nDelivered-To: gm@example.org\n" + LETTER
    assert json.loads(piped(terminal, again, "--json").stdout) == {"new": False}
    mailbox_file = b"From iroquois@example.org Mon Jan  5 18:00:00 2026\n" + LETTER.replace(b"\r\n", b"\n")
    assert piped(terminal, mailbox_file).stdout == "The email was in the database already.\n"
    assert len(terminal.told("mail list")) == 1


def test_the_same_letter_through_the_mailbox(terminal: Terminal) -> None:
    piped(terminal, LETTER)
    terminal.drop(LETTER)
    assert terminal.told("run poll")["kept"] == 0
    terminal.drop(other := letter("LIST", number=2))
    assert terminal.told("run poll")["kept"] == 1
    assert json.loads(piped(terminal, other, "--json").stdout) == {"new": False}


def test_the_same_letter_twice_at_once(terminal: Terminal) -> None:
    """As from mail servers that have two addresses for one mailbox."""
    words = ["--config", str(terminal.config), "receive", "--json"]
    with gm_forker().running(words) as one, gm_forker().running(words) as other:
        for each in (one, other):
            each.stdin.write(LETTER.decode())
        told = [json.loads(each.communicate()[0])["new"] for each in (one, other)]
    assert sorted(told) == [False, True]
    assert len(terminal.told("mail list")) == 1


def test_read_and_answered_at_once(beaver: Terminal) -> None:
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    orders = letter("Mohawk - Delaware", sender="iroquois@example.org", to=reply)
    done = piped(beaver, orders, "--process", "--send")
    assert done.exit_code == 0
    assert beaver.told("mail list")[0]["decided"] == "read"
    assert "W MHK - DEL" in beaver.says("orders show beaver iroquois")
    assert len(list((beaver.folder / "mail" / "out" / "new").iterdir())) == 2


def test_no_letter_is_no_letter(terminal: Terminal) -> None:
    for nothing in (b"", b"\r\n\n"):
        done = piped(terminal, nothing)
        assert (done.exit_code, done.stdout) == (65, "")
        assert "No email came" in done.stderr
    assert terminal.told("mail list") == []


def test_at_a_terminal_it_says_what_it_wants(terminal: Terminal) -> None:
    words = ["--config", str(terminal.config), "receive"]
    code, screen = typed_at_terminal(words, "")
    assert code == 64
    assert "gm receive < email.eml" in screen
    code, screen = typed_at_terminal([*words, "--nonsense"], "")
    assert code == 2, "nobody's letter is at stake"


@pytest.mark.parametrize(
    ("spoilt", "status"),
    [
        ("no gm.toml", "4.3.5 "),
        ("a wrong gm.toml", "4.3.5 gm.toml: [service] adress: there is no such key"),
        ("no database", "4.3.0 Database "),
        ("wrong words", "Usage: "),
        ("a bug", "4.3.0 the program failed"),
    ],
)
def test_what_can_be_mended_keeps_the_letter_waiting(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, spoilt: str, status: str
) -> None:
    """EX_TEMPFAIL, whoever has to fix the cause: an email is returned only for its own faults."""
    text, words = terminal.config.read_text(), []
    match spoilt:
        case "no gm.toml":
            terminal.config.unlink()
        case "a wrong gm.toml":
            terminal.config.write_text(text.replace("address ", "adress "))
        case "no database":
            terminal.config.write_text(text.replace('"turnpost.db"', '"postgresql://turnpost@127.0.0.1:9/x"'))
        case "wrong words":
            words = ["--nonsense"]
        case "a bug":
            monkeypatch.setattr("orders.mail.letter.fingerprint", lambda raw: 1 / 0)
    done = piped(terminal, LETTER, *words)
    assert (done.exit_code, done.stdout) == (75, "")
    assert done.stderr.startswith(status)
    assert done.stderr.count("\n") == 1 or spoilt in ("wrong words", "a bug")


def test_a_database_in_other_hands_keeps_the_letter_waiting(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with in_other_hands(terminal):
        done = piped(terminal, LETTER)
    assert done.exit_code == 75
    assert "locked" in done.stderr
    assert piped(terminal, LETTER).stdout == "The email is in the database.\n"


@pytest.mark.parametrize(
    "fault", [StoreFault("database", "it is locked"), Refusal("game", "why"), KeyError()]
)
def test_what_fails_after_it_was_kept_returns_nothing(
    beaver: Terminal, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """The email is stored, so sending it again would be useless."""

    def fail(service: Service) -> None:
        raise fault

    monkeypatch.setattr(Service, "process", fail)
    done = piped(beaver, LETTER, "--process", "--send")
    assert done.exit_code == 0
    assert "4.3." in done.stderr
    assert beaver.told("mail list")[0]["decided"] == "waiting"
    assert beaver.told("status")["letters_out"]["ready"] == 0, "what can be done is done"


def test_a_letter_that_is_too_large_is_kept_as_far_as_it_is_read(terminal: Terminal) -> None:
    huge = LETTER + b"x" * 80 + b"\r\n" + b"y" * (SIZE_LIMIT_BYTES + 200_000)
    assert piped(terminal, huge).exit_code == 0
    terminal.says("run process")
    (kept,) = terminal.told("mail list")
    assert kept["why"] == "it is larger than 1,000,000 bytes"


@pytest.mark.parametrize(("code", "told"), [(0, 0), (65, 65), (1, 75), (2, 75), (64, 75), (127, 75)])
def test_around_it_every_failure_keeps_the_letter(tmp_path: Path, code: int, told: int) -> None:
    """Even a Python that doesn't start in the middle of an upgrade."""
    gm = tmp_path / "gm"
    gm.write_text(f'#!/bin/sh\ncat > "{tmp_path}/taken"; echo "$GM_CONFIG $*"; exit {code}\n')
    gm.chmod(0o755)
    around = {**os.environ, "GM": str(gm) if code != 127 else "/no/such/gm", "GM_CONFIG": "/some/gm.toml"}
    done = subprocess.run(
        [str(WRAPPER), "--process"], input=LETTER, env=around, capture_output=True, check=False
    )
    assert done.returncode == told
    if code != 127:
        assert done.stdout == b"/some/gm.toml receive --process\n"
        assert (tmp_path / "taken").read_bytes() == LETTER
