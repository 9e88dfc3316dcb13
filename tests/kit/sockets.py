"""Finds sockets that a test leaves open, in the test that made them instead of one that collects them."""

import gc
import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_socket_stays() -> Iterator[None]:
    """Collect garbage if a test ends with more sockets than it began with.

    For a socket in the garbage Python warns, and a warning is an error.
    """
    before = open_sockets()
    yield
    if open_sockets() > before:
        gc.collect()


def open_sockets() -> int:
    """Return the number of sockets of this process."""
    return sum(_describe_socket(file).startswith("socket:") for file in os.listdir("/proc/self/fd"))


def _describe_socket(file: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{file}")
    except OSError:  # the handle with which the folder was read
        return ""
