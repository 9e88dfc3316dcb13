"""The dangers to an order in the samples: nations that dislodge its unit, or stand in its way."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from games.diplomacy.adjudication.resolver import DecidedSeason
from games.diplomacy.model import NEUTRAL, Move, Province, UnitOrder
from games.protocol import Seat

Danger = Literal["driven out", "in the way"]
"""A unit is driven out by an enemy; or its move fails, and the enemy stands there, or goes there too."""


@dataclass(frozen=True)
class Fear:
    """The danger to an order in some samples. by: the nation that is it most often; times: in how many."""

    danger: Danger
    by: Seat
    times: int


def worst_fear(
    settled: Sequence[DecidedSeason], index: Mapping[Province, int], seat: Seat, order: UnitOrder
) -> Fear | None:
    """Return the worst danger to an order, None for none: to be driven out comes before to be kept out."""
    beaten = [_beaters(season, index[order.unit.at]) for season in settled]
    kept = [_opponents(season, index, order, seat) for season in settled]
    for danger, powers_by_sample in (("driven out", beaten), ("in the way", kept)):
        counted = Counter(power for powers in powers_by_sample for power in dict.fromkeys(powers))
        if counted:
            by, times = max(sorted(counted.items()), key=lambda item: item[1])
            return Fear("driven out" if danger == "driven out" else "in the way", Seat(by), times)
    return None


def _beaters(settled: DecidedSeason, at: int) -> Iterator[str]:
    if at in settled.beaten:
        power = settled.season.nation[settled.beaten[at]]
        assert power is not None, "somebody came from there"
        yield power


def _opponents(
    settled: DecidedSeason, index: Mapping[Province, int], order: UnitOrder, seat: Seat
) -> Iterator[str]:
    if not isinstance(order, Move) or index[order.unit.at] in settled.moved:
        return
    season, to = settled.season, index[order.to]
    staying = () if to in settled.moved else (to,)
    for place in (*season.aimed.get(to, ()), *season.landing.get(to, ()), *staying):
        power = season.nation[place]
        if power is not None and power not in (seat, NEUTRAL):
            yield power
