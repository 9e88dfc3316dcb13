"""A limit on how often we log in to one account: providers lock accounts that log in too often."""

import threading
from time import monotonic
from typing import Protocol

BURST, EVERY_SECONDS = 4, 7.5
"""So many connections may be dialled at once, and one more each time that long is over: 12 in any minute."""


class Timer(Protocol):
    """Measures time and waits. Tests bring one that waits for nothing."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        """Wait that long, or until `stop` is set. Returns whether it is."""


class MachineTimer:
    """The machine's own timer."""

    def now(self) -> float:
        return monotonic()

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        return stop.wait(seconds)


class ConnectionLimit:
    """The connections of one account, for any number of threads. They wait for their turns in order."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._lock = threading.Lock()
        self._next_turn = float("-inf")

    def wait_for_turn(self, stop: threading.Event) -> bool:
        """Wait until one more connection may be dialled. Returns False if `stop` was set before."""
        with self._lock:
            now = self._timer.now()
            # As if each connection took up EVERY_SECONDS of the account, and BURST of them could be ahead.
            turn = max(self._next_turn, now - (BURST - 1) * EVERY_SECONDS)
            self._next_turn = turn + EVERY_SECONDS
        return turn <= now or not self._timer.wait(stop, turn - now)
