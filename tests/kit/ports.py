"""Ports of this machine for test servers, reserved against other processes.

Between the choice of a port and the start of its server, two things may take it: an outgoing connection,
which gets a port from the system's range, and a test of another process. So the ports are outside that range,
and each stays reserved for its process.
"""

import fcntl
import itertools
import os
import socket
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_FIRST, _LAST = 8192, 16000
"""The range of ports if the system's range is unknown or leaves no room. Some systems' ranges begin there."""
_NOTED = Path(f"/tmp/turnpost-ports-{os.geteuid()}")
"""An empty file shared by all test runs of a user: the lock on its byte N reserves port N."""

_tried = itertools.count(os.getpid() * 97)
_held: dict[int, int] = {}
"""The process that holds the lock (not one that it forked), and its file."""


def free_ports(count: int) -> list[int]:
    """Return free ports of 127.0.0.1, reserved until this process ends."""
    given: list[int] = []
    end = _end()
    for number in itertools.islice(_tried, 2 * end):
        port = _FIRST + number % (end - _FIRST)
        if _keeps(port) and _is_free(port):
            given.append(port)
            if len(given) == count:
                return given
    raise AssertionError(f"no port from {_FIRST} to {end} is free")


def _end() -> int:
    """Return the start of the system's range, or the default if that covers nearly all ports."""
    first = int(_RANGE.read_text().split()[0]) if _RANGE.exists() else _LAST
    return max(first, _LAST)


def _keeps(port: int) -> bool:
    """Reserve a port for this process. Returns whether that was possible."""
    me = os.getpid()
    if me not in _held:
        _held[me] = os.open(_NOTED, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.lockf(_held[me], fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
