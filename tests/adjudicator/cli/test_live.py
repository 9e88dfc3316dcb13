"""The status line of `gm serve` on a terminal, and `gm watch`."""

import io
import json
import logging
import os
import pty
import re
import signal
import time
from pathlib import Path

import pytest

from adjudicator.cli import service
from adjudicator.cli.service import GameFollower, StatusLine, status_text
from adjudicator.clock import MINUTE, WallClock, datetime_of
from adjudicator.storage import metadata, workers
from adjudicator.storage.database import open_database
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.typing_hand import screen_of
from tests.kit.gm_process import gm_forker
from tests.kit.ports import free_ports

ZONE = datetime_of(0).tzinfo


# The status line.


def test_it_says_what_the_service_does(beaver: Terminal) -> None:
    database, now = open_database(str(beaver.folder / "turnpost.db")), WallClock().now()
    try:
        said = status_text(database, "gm@example.org", ZONE, now)
        assert said.startswith("gm@example.org | mailbox not read yet | 1 game | next deadline ")
        assert "(beaver)" in said
        assert said.endswith("emails waiting: 0 to read, 1 to send")
        with database.session(), database.writing():
            metadata.note_poll(database, now - 5_000)
        assert "mailbox read 5 s ago" in status_text(database, "gm@example.org", ZONE, now)
        assert "mailbox read 12 min ago" in status_text(database, "gm@example.org", ZONE, now + 12 * MINUTE)
        with database.session():
            workers.note(database, "letters in", "the server is down", now)
        assert "PROBLEM: letters in since" in status_text(database, "gm@example.org", ZONE, now)
    finally:
        database.close()


def test_events_stand_above_it_and_it_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = io.StringIO()
    line = StatusLine(stream)
    line.show("state of the service\nwith much more")
    log = logging.Logger("adjudicator.service")
    log.addHandler(line)
    log.info("email 3: read")
    log.warning("alive and well?")
    log.info("alive")
    line.show("")
    screen = screen_of(stream.getvalue())
    assert re.fullmatch(r"\d\d:\d\d:\d\d  email 3: read", screen[0])
    assert screen[1].endswith("WARNING: alive and well?")
    assert screen[2:] == []
    assert "state of the servi…" in stream.getvalue()


def test_what_somebody_else_wrote_obeys_no_terminal() -> None:
    stream = io.StringIO()
    line = StatusLine(stream)
    line.write("email from \x1b[31mred\x07")
    assert "\x1b[31m" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()


def test_serving_on_a_terminal_and_into_a_pipe(tmp_path: Path) -> None:
    """Piped, there are plain lines with all their context, and no codes of terminals."""
    terminal, (port,) = Terminal(tmp_path), free_ports(1)
    terminal.says(f"init --yes --listen 127.0.0.1:{port}")
    words = ["--config", str(terminal.config), "serve"]
    ours, theirs = pty.openpty()
    running = gm_forker().start(words, (theirs, theirs, theirs))
    os.close(theirs)
    shown = b""
    while b"emails waiting" not in shown:
        shown += os.read(ours, 4096)
    running.send_signal(signal.SIGTERM)
    assert running.wait() == 0
    os.close(ours)
    assert b"Serving gm@example.org" in shown
    with gm_forker().running(words) as piped:
        assert piped.stdout.readline() == "Serving gm@example.org.\n"
        piped.send_signal(signal.SIGTERM)
        _, logged = piped.communicate()
    assert "\x1b" not in logged
    assert re.search(
        r"^\d{4}-\d\d-\d\dT\S+Z INFO daemon.daemon: serving gm@example.org$", logged, re.MULTILINE
    )


# `gm watch`.


def test_a_game_is_followed_event_by_event(beaver: Terminal) -> None:
    database = open_database(str(beaver.folder / "turnpost.db"))
    try:
        follower = GameFollower(database, "beaver")
        assert "is due from iroquois" in follower.due
        assert list(follower.news()) == []
        beaver.says("run send")
        assert [kind for kind, _ in follower.news()] == ["email"]
        beaver.says("turn process beaver --yes")
        news = dict(follower.news())
        assert news["log"].startswith("log entry 1: turn ")
        assert "Iroquois" in news["log"]
        assert list(follower.news()) == []
        beaver.says("game end beaver --yes --why enough")
        assert ("status", "the game is finished") in list(follower.news())
        assert follower.is_over
    finally:
        database.close()


def test_once_shows_the_state(beaver: Terminal) -> None:
    said = beaver.says("watch beaver --once")
    assert re.fullmatch(r"\d\d:\d\d:\d\d  .* is due from iroquois, .*deadline .*\n", said)
    (line,) = beaver.says("watch beaver --once --json").splitlines()
    assert json.loads(line)["event"] == "due"


def test_no_such_game(beaver: Terminal) -> None:
    assert 'No game called "elk". Games: beaver.' in " ".join(beaver.refused("watch elk").split())


def test_it_stops_on_ctrl_c(beaver: Terminal) -> None:
    with gm_forker().running(["--config", str(beaver.config), "watch", "beaver"]) as running:
        assert "is due" in running.stdout.readline()
        time.sleep(service.WATCH_SECONDS / 10)
        running.send_signal(signal.SIGINT)
        running.communicate()
    assert running.returncode == 0
