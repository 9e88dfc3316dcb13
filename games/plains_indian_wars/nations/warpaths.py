"""Moves of a tribe: groups, routes, and what becomes of cubes for which there is no room in the end."""

from games.plains_indian_wars.events import Moved, OrderFault, TurnedBack
from games.plains_indian_wars.model import ALL_CUBES, Colour, Move, Region
from games.plains_indian_wars.nations.lands import may_stand, reachable_regions
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.working_state import WorkingState
from games.record import MutableRecord


class _Group(MutableRecord):
    """Cubes that came to a region in this phase; start None: they were placed there."""

    start: Region | None
    to: Region
    count: int


class TribeMoves:
    """The moves in a phase of a tribe. Each cube moves once: `_arrived` holds those that have."""

    def __init__(self, play: WorkingState, colour: Colour, allowance: PhaseLimits) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[Region, int] = {}
        self._groups: list[_Group] = []

    def move(self, order: Move) -> OrderFault | None:
        """Move a group, or return why not. A region may hold too many until all have moved.

        Source: PIW1.move.group, PIW1.move.once, PIW2.limit.end.
        """
        count = self._count_to_move(order)
        fresh = self.movable(order.start)
        if not count or fresh < count:
            detail = {"start": order.start, "colour": self.colour, "count": str(fresh)}
            return OrderFault(code="too-few", detail=detail)
        fault = route_fault(self.play, self.colour, order, self.allowance.reach)
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return OrderFault(code="no-activation", detail={"start": order.start})
        self.play.move_cubes(order.start, order.to, {self.colour: count})
        self.note_arrival(order.start, order.to, count)
        self.play.tell(Moved, cubes={self.colour: count}, start=order.start, to=order.to)
        return None

    def movable(self, region: Region) -> int:
        """Return how many cubes of a region may still move."""
        return self.play.count(region, self.colour) - self._arrived.get(region, 0)

    def note_arrival(self, start: Region | None, to: Region, count: int) -> None:
        """Note that cubes came to a region; those that were placed (start None) may still move."""
        self._groups.append(_Group(start, to, count))
        if start is not None:
            self._arrived[to] = self._arrived.get(to, 0) + count

    def regions_reached_from(self, start: Region) -> frozenset[Region]:
        """Return a region, and those to which its cubes have gone."""
        return frozenset(
            {start, *(group.to for group in self._groups if group.start == start and group.count)}
        )

    def turn_back(self) -> None:
        """Send cubes back that are too many at the end: the last to come first. Source: PIW2.limit.end."""
        while over := [r for r in self.play.regions_with((self.colour,)) if self._excess(r) > 0]:
            for region in over:
                for group in reversed(self._groups):
                    if group.to == region and group.count:
                        self._send_back(group, min(group.count, self._excess(region)))

    def _excess(self, region: Region) -> int:
        return max(0, self.play.count(region, self.colour) - self.play.tribe_limit(region))

    def _send_back(self, group: _Group, count: int) -> None:
        if not count:
            return
        group.count -= count
        self.play.remove_cubes(group.to, self.colour, count)
        if group.start is None:
            self.play.ready[self.colour] = self.play.ready.get(self.colour, 0) + count
        else:
            self.play.add_cubes(group.start, self.colour, count)
        self.play.tell(TurnedBack, colour=self.colour, count=count, start=group.to, to=group.start)

    def _count_to_move(self, order: Move) -> int:
        count = order.cubes.get(self.colour, 0)
        return self.movable(order.start) if count == ALL_CUBES else count


def route_fault(play: WorkingState, colour: Colour, order: Move, reach: int) -> OrderFault | None:
    """Return why a group cannot get there: barred to the tribe, or too far."""
    if order.start == order.to or not may_stand(play, colour, order.to):
        return OrderFault(code="barred", detail={"to": order.to, "colour": colour})
    reachable = reachable_regions(play, colour, order.start, reach)
    if order.to in reachable:
        return None
    near = " ".join(reachable)
    detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
    return OrderFault(code="out-of-reach" if play.scenario.passing else "met", detail=detail)
