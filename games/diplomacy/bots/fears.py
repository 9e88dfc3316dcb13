"""What an order has to fear: who drives its unit out, or is in its way, in the samples."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from games.diplomacy.model import NEUTRAL, Move, Province, UnitOrder
from games.diplomacy.resolver import Settled
from games.protocol import Seat

Danger = Literal["driven out", "in the way"]
"""A unit is driven out by an enemy; or its move fails, and the enemy stands there, or goes there too."""


@dataclass(frozen=True)
class Fear:
    """What becomes of an order in some samples. by: whose doing it is most often; times: in how many."""

    danger: Danger
    by: Seat
    times: int


def fear(
    settled: Sequence[Settled], index: Mapping[Province, int], seat: Seat, order: UnitOrder
) -> Fear | None:
    """The worst that an order has to fear, None for nothing: to be driven out before to be kept out."""
    beaten = [_beaters(one, index[order.unit.at]) for one in settled]
    kept = [_opponents(one, index, order, seat) for one in settled]
    for danger, found in (("driven out", beaten), ("in the way", kept)):
        counted = Counter(power for powers in found for power in dict.fromkeys(powers))
        if counted:
            by, times = max(sorted(counted.items()), key=lambda one: one[1])
            return Fear("driven out" if danger == "driven out" else "in the way", Seat(by), times)
    return None


def _beaters(settled: Settled, at: int) -> Iterator[str]:
    if at in settled.beaten:
        power = settled.season.nation[settled.beaten[at]]
        assert power is not None, "somebody came from there"
        yield power


def _opponents(
    settled: Settled, index: Mapping[Province, int], order: UnitOrder, seat: Seat
) -> Iterator[str]:
    if not isinstance(order, Move) or index[order.unit.at] in settled.moved:
        return
    season, to = settled.season, index[order.to]
    staying = () if to in settled.moved else (to,)
    for place in (*season.aimed.get(to, ()), *season.landing.get(to, ()), *staying):
        power = season.nation[place]
        if power is not None and power not in (seat, NEUTRAL):
            yield power
