"""What the last movement seasons showed a nation: where its moves failed, and who attacked it.

The turns are those that everyone can read in the reports. A bot stores nothing: it reads them again for each
order sheet.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.diplomacy.events import Resolved
from games.diplomacy.model import NEUTRAL, Move, Province, View
from games.protocol import PastTurn, Seat

REMEMBERED_SEASONS = 4
"""This many movement seasons count: two years."""

STUCK_AFTER = 2
"""A place is a stuck front if this many moves there in a row have failed."""


MemoryKey = tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True)
class SeatMemory:
    """What the last movement seasons showed one seat.

    failures: by place, how many of the seat's last moves there have failed in a row; attackers: by nation, in
    how many of these seasons it moved against the seat's units or centres; targets: by nation, how many moves
    of the seat went against its units or centres; seasons: how many are known.
    """

    failures: Mapping[Province, int] = field(default_factory=dict)
    attackers: Mapping[Seat, int] = field(default_factory=dict)
    targets: Mapping[Seat, int] = field(default_factory=dict)
    seasons: int = 0

    @property
    def key(self) -> MemoryKey:
        """The memory as a value that can be a key."""
        counts = (self.failures, self.attackers, self.targets, {"seasons": self.seasons})
        return tuple(tuple(sorted(count.items())) for count in counts)

    def is_stuck(self, place: Province) -> bool:
        """Return whether the seat's moves to a place have failed so often that it should try another way."""
        return self.failures.get(place, 0) >= STUCK_AFTER


NO_MEMORY = SeatMemory()


def movement_seasons(past: Sequence[PastTurn]) -> tuple[PastTurn, ...]:
    """Return the last movement seasons among some turns, oldest first."""
    return tuple([turn for turn in past if turn.turn.kind == "moves"][-REMEMBERED_SEASONS:])


def recall(seasons: Sequence[PastTurn], seat: Seat) -> SeatMemory:
    """Return what some movement seasons showed a seat."""
    failures: dict[Province, int] = {}
    attackers: Counter[Seat] = Counter()
    targets: Counter[Seat] = Counter()
    for season in seasons:
        holders = _holders(season.before)
        entered: dict[Province, bool] = {}
        seen: set[Seat] = set()
        for event in season.events:
            if not isinstance(event, Resolved) or not isinstance(event.order, Move):
                continue
            to = event.order.to
            if event.power == seat:
                entered[to] = entered.get(to, False) or event.outcome == "moved"
                targets.update(holders.get(to, set()) - {seat, NEUTRAL})
            elif seat in holders.get(to, ()):
                seen.add(event.power)
        for place, has_entered in entered.items():
            failures[place] = 0 if has_entered else failures.get(place, 0) + 1
        attackers.update(seen)
    stuck = {place: count for place, count in failures.items() if count}
    return SeatMemory(stuck, dict(attackers), dict(targets), len(seasons))


def _holders(view: View) -> Mapping[Province, set[Seat]]:
    """Return the nations that own a centre or have a unit there, by province."""
    holders: dict[Province, set[Seat]] = {}
    for at, owner in view.centres.items():
        holders.setdefault(at, set()).add(owner)
    for unit in view.units:
        holders.setdefault(unit.at, set()).add(Seat(unit.power))
    return holders
