"""The service as its unit starts it: systemd learns that it is ready, alive and stopping."""

import re
import shlex
import signal
import socket
import subprocess
import time
from pathlib import Path

from tests.deploy.conftest import PATIENCE, ROOT, Program

UNIT = ROOT / "deploy" / "turnpost.service"
pytestmark = PATIENCE
SECONDS = 300


class Systemd:
    """The end of the socket at which systemd listens."""

    def __init__(self, place: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(place))
        self._socket.settimeout(SECONDS)
        self.said: list[str] = []

    def hears(self, word: str) -> None:
        """Listen until that is said."""
        end = time.monotonic() + SECONDS
        while word not in self.said:
            assert time.monotonic() < end, self.said
            self.said += self._socket.recv(4096).decode().splitlines()

    def close(self) -> None:
        self._socket.close()


def test_the_unit_begins_a_service_that_can_be_watched(program: Program, tmp_path: Path) -> None:
    state = tmp_path / "turnpost"
    state.mkdir()
    program.run(state, "init", "--no-local", "--yes", "--timezone", "UTC")
    (line,) = re.findall(r"^ExecStart=(.*)$", UNIT.read_text(), re.MULTILINE)
    words = shlex.split(line.replace("%S", str(tmp_path)).replace("/opt/turnpost", str(program.prefix)))
    systemd = Systemd(tmp_path / "notify")
    around = {
        "PATH": "/usr/bin:/bin",
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "600000",
    }
    served = subprocess.Popen(
        words, cwd=state, env=around, stdout=subprocess.PIPE, stderr=subprocess.PIPE, umask=0o077
    )
    try:
        systemd.hears("READY=1")
        assert "STATUS=serving gm@example.org" in systemd.said
        systemd.hears("WATCHDOG=1")
        program.run(
            state, "receive", given=b"From: a@example.org\nMessage-ID: <1@a>\nSubject: HELP\n\nHELP\n"
        )
        # What somebody else has put on the books is seen to by the service that runs.
        end = time.monotonic() + SECONDS
        while not list((state / "mail" / "out" / "new").glob("*")):
            assert time.monotonic() < end
            time.sleep(0.1)
        served.send_signal(signal.SIGTERM)
        systemd.hears("STOPPING=1")
        _, errors = served.communicate(timeout=SECONDS)
        assert served.returncode == 0, errors
        assert b"Traceback" not in errors
    finally:
        served.kill()
        served.communicate()
        systemd.close()
