"""Moves of a tribe: groups, ways, and what becomes of cubes for which there is no room in the end."""

from games.plains_indian_wars.events import Fault, Moved, TurnedBack
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import ALL, Colour, Move, Region
from games.plains_indian_wars.nations.lands import may_stand, reached
from games.plains_indian_wars.phase_limits import Allowance
from games.record import Draft


class _Group(Draft):
    """Cubes that came to a region in this phase; start None: they were placed there."""

    start: Region | None
    to: Region
    count: int


class Warpaths:
    """What moves in a phase of a tribe. Each cube moves once: `_arrived` holds those that have."""

    def __init__(self, play: Play, colour: Colour, allowance: Allowance) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[Region, int] = {}
        self._groups: list[_Group] = []

    def move(self, order: Move) -> Fault | None:
        """Move a group, or say why not. A region may hold too many until all have moved.

        Source: PIW1.move.group, PIW1.move.once, PIW2.limit.end.
        """
        count = self._meant(order)
        fresh = self.fresh(order.start)
        if not count or fresh < count:
            detail = {"start": order.start, "colour": self.colour, "count": str(fresh)}
            return Fault(code="too-few", detail=detail)
        fault = way_fault(self.play, self.colour, order, self.allowance.reach)
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return Fault(code="no-activation", detail={"start": order.start})
        self.play.shift(order.start, order.to, {self.colour: count})
        self.come(order.start, order.to, count)
        self.play.tell(Moved, cubes={self.colour: count}, start=order.start, to=order.to)
        return None

    def fresh(self, region: Region) -> int:
        """How many cubes of a region may still move."""
        return self.play.count(region, self.colour) - self._arrived.get(region, 0)

    def come(self, start: Region | None, to: Region, count: int) -> None:
        """Note that cubes came to a region; those that were placed (start None) may still move."""
        self._groups.append(_Group(start, to, count))
        if start is not None:
            self._arrived[to] = self._arrived.get(to, 0) + count

    def came_from(self, start: Region) -> frozenset[Region]:
        """A region, and those to which its cubes have gone."""
        return frozenset({start, *(one.to for one in self._groups if one.start == start and one.count)})

    def turn_back(self) -> None:
        """Whoever is too many at the end goes back: the last to come first. Source: PIW2.limit.end."""
        while over := [r for r in self.play.regions((self.colour,)) if self._excess(r) > 0]:
            for region in over:
                for group in reversed(self._groups):
                    if group.to == region and group.count:
                        self._send_back(group, min(group.count, self._excess(region)))

    def _excess(self, region: Region) -> int:
        return max(0, self.play.count(region, self.colour) - self.play.limit(region))

    def _send_back(self, group: _Group, count: int) -> None:
        if not count:
            return
        group.count -= count
        self.play.take(group.to, self.colour, count)
        if group.start is None:
            self.play.ready[self.colour] = self.play.ready.get(self.colour, 0) + count
        else:
            self.play.put(group.start, self.colour, count)
        self.play.tell(TurnedBack, colour=self.colour, count=count, start=group.to, to=group.start)

    def _meant(self, order: Move) -> int:
        count = order.cubes.get(self.colour, 0)
        return self.fresh(order.start) if count == ALL else count


def way_fault(play: Play, colour: Colour, order: Move, reach: int) -> Fault | None:
    """Why a group cannot get there: barred to the tribe, or too far."""
    if order.start == order.to or not may_stand(play, colour, order.to):
        return Fault(code="barred", detail={"to": order.to, "colour": colour})
    found = reached(play, colour, order.start, reach)
    if order.to in found:
        return None
    near = " ".join(found)
    detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
    return Fault(code="out-of-reach" if play.scenario.passing else "met", detail=detail)
