"""Not too many letters at once to one provider: big ones put off whoever is faster than that."""

from collections import deque
from collections.abc import Mapping

from adjudicator.clock import Millis
from adjudicator.settings.places import EVERYBODY, Rate


class Pacing:
    """Remembers what went to which domain, as far back as its rate reaches. rates: as in `Smtp.pace`."""

    def __init__(self, rates: Mapping[str, Rate]) -> None:
        self._rates = rates
        self._gone: dict[str, deque[Millis]] = {}

    def wait(self, address: str, now: Millis) -> Millis:
        """How long a letter to an address has to wait; 0: it may go now, and is counted as gone."""
        domain = address.rpartition("@")[2]
        rate = self._rates.get(domain) or self._rates.get(EVERYBODY)
        if rate is None:
            return 0
        gone = self._gone.setdefault(domain, deque())
        while gone and gone[0] <= now - rate.within:
            gone.popleft()
        if len(gone) >= rate.count:
            return gone[0] + rate.within - now
        gone.append(now)
        return 0
