"""``gm serve`` in its own process, and folders that ``gm demo`` rejects."""

import json
import queue
import resource
import signal
import smtplib
import socket
import subprocess
import sys
import threading
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner

from adjudicator.cli.app import app
from adjudicator.clock import HOUR
from adjudicator.config.service import load_settings
from adjudicator.daemon import daemon
from adjudicator.service import open_service
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.gm_process import ForkedGm, gm_forker
from tests.kit.ports import free_ports


def local_service(folder: Path) -> tuple[Terminal, int]:
    """A service with an embedded server, and that one's port."""
    (port,) = free_ports(1)
    terminal = Terminal(folder)
    terminal.says(f"init --yes --listen 127.0.0.1:{port}")
    return terminal, port


def serving(terminal: Terminal, *words: str) -> AbstractContextManager[ForkedGm]:
    """A running service. It is stopped in the end, whatever happens."""
    return gm_forker().running(["--config", str(terminal.config), "serve", *words])


def test_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    terminal, port = local_service(tmp_path)
    with serving(terminal) as running:
        assert running.stdout.readline() == "Serving gm@example.org.\n"
        assert str(port) in running.stdout.readline()
        letter = "From: a@example.org\r\nTo: gm+beaver.iroquois.abcdefghijkl2@example.org\r\n\r\nhello\r\n"
        with smtplib.SMTP("127.0.0.1", port, timeout=300, local_hostname="localhost") as server:
            server.sendmail("a@example.org", ["gm+beaver.iroquois.abcdefghijkl2@example.org"], letter)
        running.send_signal(signal.SIGTERM)
        said, logged = running.communicate()
    assert running.returncode == 0
    assert said.endswith("Stopped.\n")
    assert "serving gm@example.org" in logged
    assert "abcdefghijkl2" not in logged  # a log is read by more people than a mailbox
    terminal.says("run poll")
    assert len(terminal.told("mail list")) == 1, "kept once, by the service or now"


def _is_reached(steps: queue.Queue[str], wanted: str) -> bool:
    with suppress(queue.Empty):
        while steps.get(timeout=30) != wanted:
            pass
        return True
    return False


def test_what_the_built_in_server_takes_is_answered_without_waiting_for_the_next_look(tmp_path: Path) -> None:
    """Its mailbox is looked into once an hour here; the email is kept as soon as it is on the disk."""
    terminal, port = local_service(tmp_path)
    settings = replace(load_settings(terminal.config), poll=HOUR)
    steps, stop, is_ready = queue.Queue[str](), threading.Event(), threading.Event()
    service = open_service(settings, reached=steps.put)
    thread = threading.Thread(
        target=daemon.serve, args=(service,), kwargs={"stop": stop, "ready": is_ready.set}, daemon=True
    )
    thread.start()
    try:
        assert is_ready.wait(60)
        # The first may be found by the look at the start, the second only by the bell.
        for number in range(2):
            with smtplib.SMTP("127.0.0.1", port, timeout=300, local_hostname="localhost") as server:
                text = f"Message-ID: <{number}@example.org>\r\nSubject: HELP\r\n\r\nHELP\r\n"
                server.sendmail("a@example.org", ["gm@example.org"], text)
            assert _is_reached(steps, "letter handled"), f"email {number}"
    finally:
        stop.set()
        thread.join(60)


def test_it_waits_where_file_handles_are_short(tmp_path: Path) -> None:
    terminal, _ = local_service(tmp_path)
    command = f"ulimit -Sn 7; exec {sys.executable} -m adjudicator --config {terminal.config} serve"
    pipe = subprocess.PIPE
    with subprocess.Popen(["sh", "-c", command], stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        try:
            logged = iter(running.stderr.readline, "")
            assert next(line for line in logged if "no file handles are left" in line)
            _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (most, most))
            assert running.stdout.readline() == "Serving gm@example.org.\n"
            running.send_signal(signal.SIGTERM)
            assert running.communicate(timeout=300)[0].endswith("Stopped.\n")
        finally:
            running.kill()


def test_what_is_no_want_of_handles_ends_it(tmp_path: Path) -> None:
    terminal, _ = local_service(tmp_path)
    (tmp_path / "turnpost.db").write_bytes(b"no database")
    with serving(terminal) as running:
        _, said = running.communicate()
    assert running.returncode == 1
    assert "no file handles" not in said


def test_it_tells_programs_where_it_listens(tmp_path: Path) -> None:
    terminal, port = local_service(tmp_path)
    with serving(terminal, "--json") as running:
        document = "".join(iter(running.stdout.readline, "}\n")) + "}"
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate()
    told = json.loads(document)
    assert told["serving"] == "gm@example.org"
    assert told["listen"] == f"127.0.0.1:{port}"
    assert (running.returncode, rest) == (0, "")


def test_a_port_that_was_taken_meanwhile(tmp_path: Path) -> None:
    terminal, port = local_service(tmp_path)
    with socket.create_server(("127.0.0.1", port)), serving(terminal) as running:
        said, complaint = running.communicate()
    assert running.returncode == 1
    assert "Serving" not in said
    assert f"built-in mail server on 127.0.0.1:{port}" in complaint
    assert "stop it, or write another port in [local] listen of gm.toml" in " ".join(complaint.split())
    assert "Traceback" not in complaint


def test_a_demonstration_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    for words in (["demo", "--folder", str(tmp_path)], ["demo", "--check", "--folder", str(tmp_path)]):
        result = CliRunner().invoke(app, words, prog_name="gm")
        assert result.exit_code == 1
        assert str(tmp_path) in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "precious"
