"""How long to leave a server alone that failed us: longer each time, never all at once."""

import random
from dataclasses import dataclass, field

FIRST_SECONDS, LONGEST_SECONDS = 2.0, 300.0


@dataclass
class Patience:
    """Counts failures in a row. lot: draws the jitter, so that many services do not come back together."""

    lot: random.Random = field(default_factory=random.Random)
    failures: int = 0

    def failed(self, at_least: float = 0.0) -> float:
        """One more failure. Returns the seconds to wait: twice as many each time, up to five minutes.

        at_least: what the failure itself asks for; a refused login asks for a quarter of an hour.
        """
        self.failures += 1
        usual = min(FIRST_SECONDS * 2 ** min(self.failures - 1, 20), LONGEST_SECONDS)
        return float(max(usual, at_least) * self.lot.uniform(0.75, 1.25))

    def went_well(self) -> None:
        """Begin anew."""
        self.failures = 0
