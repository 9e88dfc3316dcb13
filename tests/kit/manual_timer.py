"""A timer that doesn't wait: it advances its clock, and runs the work that is due on the way."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class ManualTimer:
    """Implements `imap.Timer`. pauses: the requested waits. until: when it sets the event."""

    until: float
    pauses: list[float] = field(default_factory=list)
    _now: float = 0.0
    _regular: list[tuple[float, float, Callable[[], object]]] = field(default_factory=list)
    _is_busy: bool = False

    def now(self) -> float:
        return self._now

    def forward(self, seconds: float) -> None:
        """Advance the clock."""
        self._now += seconds

    def every(self, seconds: float, work: Callable[[], object]) -> None:
        """Run some work at regular times, as a scheduler does."""
        self._regular.append((self._now + seconds, seconds, work))

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        end = self._now + seconds
        if not self._is_busy:
            self.pauses.append(seconds)
            self._is_busy = True
            while self._regular and (due := min(at for at, *_ in self._regular)) <= end:
                self._now = max(self._now, due)
                self._do_due()
            self._is_busy = False
        self._now = max(self._now, end)
        if self._now >= self.until:
            stop.set()
        return stop.is_set()

    def _do_due(self) -> None:
        for place, (at, seconds, work) in enumerate(self._regular):
            if at <= self._now:
                self._regular[place] = (at + seconds, seconds, work)
                work()
