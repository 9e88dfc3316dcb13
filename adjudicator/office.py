"""What the offices know of their own house."""

from dataclasses import dataclass, field
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class Office:
    """The service's address and name, its key, the zone it prints, what may vouch for a sender."""

    address: str
    name: str
    key: bytes = field(repr=False)
    zone: ZoneInfo
    accept: frozenset[str]
    answers_an_hour: int = 20
    largest_letter: int = 1_000_000

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]
