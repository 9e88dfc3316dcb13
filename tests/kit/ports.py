"""Ports of this machine for servers of tests, which nobody else comes by meanwhile.

Between the choice of a port and the moment in which its server listens, two things may take it: a connection
of anybody's, which the system gives any port of its own range, and a test of another process. So the ports
are none of that range, and each stays with the process that chose it.
"""

import fcntl
import itertools
import os
import socket
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_FIRST, _LAST = 8192, 16000
"""From the one to the other, where no range is told or it leaves no room; some systems begin theirs there."""
_NOTED = Path(f"/tmp/turnpost-ports-{os.geteuid()}")
"""A file of nothing, the same for all who test here at a time: the lock on its byte N stands for port N."""

_tried = itertools.count(os.getpid() * 97)
_held: dict[int, int] = {}
"""This process (not one that it was forked from), and its file."""


def free_ports(count: int) -> list[int]:
    """Return ports of 127.0.0.1 that nobody listens on; no other process gets them until this one ends."""
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
    """Where the system's own range begins; where that is nearly all ports, somebody may come by any."""
    first = int(_RANGE.read_text().split()[0]) if _RANGE.exists() else _LAST
    return max(first, _LAST)


def _keeps(port: int) -> bool:
    """Is the port this process's from now on?"""
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
