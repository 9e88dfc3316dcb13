"""Messages to systemd (sd_notify): the service is ready, alive, stopping. Without systemd, nothing."""

import os
import socket
from collections.abc import Callable, Mapping

from adjudicator.errors import Refusal

FRACTION = 3
"""So often within the time that systemd allows it is told that the service lives."""


class SystemdNotifier:
    """Tells systemd how the service is; silent where the environment names no socket for it.

    The socket's name is a path, or begins with @ (an abstract one). A socket that does not take what it is
    told is no reason for the service to stop.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._socket = environ.get("NOTIFY_SOCKET", "")
        allowed = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        if self._socket and self._socket[0] not in "/@":
            raise Refusal(f"NOTIFY_SOCKET {self._socket}", "is no name of a socket", "leave it to systemd")
        self._seconds = int(allowed) / 1e6 / FRACTION if allowed.isdigit() and mine and int(allowed) else None

    @property
    def seconds(self) -> float | None:
        """The time between two calls of `beat`; None: nobody waits for it."""
        return self._seconds if self._socket else None

    def ready(self, status: str) -> None:
        """All runs."""
        self._tell(f"READY=1\nSTATUS={status}")

    def beat(self, is_well: Callable[[], bool]) -> None:
        """It is alive, if that is so: who hangs is started again."""
        if is_well():
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """It is about to end."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._socket:
            return
        name = "\0" + self._socket[1:] if self._socket.startswith("@") else self._socket
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
            try:
                connection.sendto(text.encode(), name)
            except OSError:
                return
