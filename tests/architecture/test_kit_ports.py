"""Ports that two servers of tests would want are given once, and never from the range of connections."""

import os
from pathlib import Path

from tests.kit.ports import free_ports


def chosen_by_another(count: int) -> list[int]:
    """What a process that was forked from this one, and has ended, was given."""
    reading, writing = os.pipe()
    if not os.fork():  # pragma: no cover - the other process
        os.write(writing, " ".join(map(str, free_ports(count))).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        given = [int(word) for word in answer.read().split()]
    os.wait()
    return given


def test_nobody_is_given_what_another_has() -> None:
    mine = free_ports(5)
    theirs = chosen_by_another(5)
    assert len({*mine, *theirs}) == 10
    assert not {*mine} & {*free_ports(5)}


def test_no_connection_is_given_them() -> None:
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert max(free_ports(20)) < first
