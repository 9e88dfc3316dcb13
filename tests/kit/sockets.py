"""Sockets that a test leaves open, found in the test that made them and not in one that collects them."""

import gc
import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_socket_stays() -> Iterator[None]:
    """Where a test ends with more sockets than it began with, what nobody holds any more is collected now:
    for a socket among it Python warns, and a warning is an error."""
    before = open_sockets()
    yield
    if open_sockets() > before:
        gc.collect()


def open_sockets() -> int:
    """Return how many sockets this process has."""
    return sum(_describe_socket(file).startswith("socket:") for file in os.listdir("/proc/self/fd"))


def _describe_socket(file: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{file}")
    except OSError:  # it was the one by which the folder was read
        return ""
