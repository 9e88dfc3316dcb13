"""Messages to systemd over a socket like its own, and none without a socket."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.daemon.daemon import SystemdNotifier
from adjudicator.errors import Refusal


@pytest.fixture(params=["path", "abstract"])
def listening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """A socket like systemd's, and its name."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@turnpost-{tmp_path.name}-{id(request)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.settimeout(300)
        one.bind("\0" + name[1:] if name.startswith("@") else name)
        yield name, one


def test_systemd_is_told_how_it_is(listening: tuple[str, socket.socket]) -> None:
    name, heard = listening
    heart = SystemdNotifier({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "120000000"})
    assert heart.seconds == 40
    heart.ready("serving gm@example.org")
    assert heard.recv(1000) == b"READY=1\nSTATUS=serving gm@example.org"
    heart.beat(lambda: False)
    heart.beat(lambda: True)
    assert heard.recv(1000) == b"WATCHDOG=1", "only while all is well"
    heart.stopping()
    assert heard.recv(1000) == b"STOPPING=1"


def test_without_systemd_nothing_is_told() -> None:
    heart = SystemdNotifier({})
    heart.ready("serving")
    heart.beat(lambda: True)
    assert heart.seconds is None
    assert SystemdNotifier({"WATCHDOG_USEC": "1000000"}).seconds is None


@pytest.mark.parametrize("allowed", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "x"}])
def test_systemd_may_not_wait_for_it(allowed: dict[str, str]) -> None:
    assert SystemdNotifier({"NOTIFY_SOCKET": "/nowhere", **allowed}).seconds is None
    other = {"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}
    assert SystemdNotifier({"NOTIFY_SOCKET": "/nowhere", **other}).seconds is None


def test_a_socket_that_is_gone_stops_nobody(tmp_path: Path) -> None:
    SystemdNotifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("serving")


def test_a_name_that_is_none() -> None:
    with pytest.raises(Refusal, match="isn't the name of a socket"):
        SystemdNotifier({"NOTIFY_SOCKET": "tcp:1"})
