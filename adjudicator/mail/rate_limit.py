"""Not too many letters at once to one provider: big ones put off whoever is faster than that."""

from collections import deque
from collections.abc import Callable, Mapping

from adjudicator.clock import Millis
from adjudicator.config.servers import EVERYBODY, Rate

Admit = Callable[[str, Rate, Millis], Millis]
"""Asked how long until one more letter may go to a domain; 0: it may go now, and is counted as gone."""


class RateLimiter:
    """Says how long letters wait for others to their domain. rates: as in `Smtp.pace`.

    admit: who counts what is gone; None: this object, for itself alone.
    """

    def __init__(self, rates: Mapping[str, Rate], admit: Admit | None = None) -> None:
        self._rates = rates
        self._admit = admit or RateMemory().admit
        self._behind: dict[str, tuple[Millis, int]] = {}

    def wait(self, address: str, now: Millis) -> Millis:
        """Return how long a letter to an address has to wait; 0: it may go now, and is counted as gone.

        Of many that wait each has a time of its own, so that not all are looked at again for the few who
        go.
        """
        domain = address.rpartition("@")[2]
        rate = self._rates.get(domain) or self._rates.get(EVERYBODY)
        if rate is None:
            return 0
        wait = self._admit(domain, rate, now)
        if not wait:
            return 0
        until, before = self._behind.get(domain, (0, 0))
        if until <= now:
            until, before = now + wait, 0
        self._behind[domain] = until, before + 1
        return wait + before // rate.count * rate.within


class RateMemory:
    """The letters that have gone to each domain, as far back as its rate reaches."""

    def __init__(self) -> None:
        self._gone: dict[str, deque[Millis]] = {}

    def admit(self, domain: str, rate: Rate, now: Millis) -> Millis:
        """As `Admit`."""
        gone = self._gone.setdefault(domain, deque())
        while gone and gone[0] <= now - rate.within:
            gone.popleft()
        if len(gone) >= rate.count:
            return gone[0] + rate.within - now
        gone.append(now)
        return 0
