"""Moves of U.S. groups: activations, influenced movement, routes, and who may stand beside whom."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.events import Moved, OrderFault
from games.plains_indian_wars.model import ALL_CUBES, SOLDIERS, Colour, Move, Region
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.working_state import WorkingState

CARRIED_COLOURS: Mapping[Colour, tuple[Colour, int, int]] = {"Blue": ("Brown", 2, 1), "Brown": ("Blue", 1, 2)}
"""Influenced movement: who is taken along, so many of them for so many of the leaders."""


class UsMoves:
    """The moves of a phase. Each cube moves once: `_arrived` holds those that have."""

    def __init__(self, play: WorkingState, colour: Colour, allowance: PhaseLimits) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[tuple[Region, Colour], int] = {}

    def move(self, order: Move) -> OrderFault | None:
        """Move a group, or return why not. Source: PIW1.move.group, PIW1.blue.2, PIW1.brown.2."""
        cubes = self._cubes_to_move(order)
        fault = (
            self._control_fault(order.start)
            or self._number_fault(order, cubes)
            or group_fault(self.leads(order.start), cubes, order)
            or route_fault(self.play, order, tuple(cubes), self.allowance.reach_from(order.start))
            or self._stacking_fault(order, cubes)
        )
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return OrderFault(code="no-activation", detail={"start": order.start})
        self.play.move_cubes(order.start, order.to, cubes)
        for colour, count in cubes.items():
            key = (order.to, colour)
            self._arrived[key] = self._arrived.get(key, 0) + count
        self.play.entered.add(order.to)
        self.play.tell(Moved, cubes=cubes, start=order.start, to=order.to)
        return None

    def leads(self, start: Region) -> tuple[Colour, ...]:
        """Return which colours may lead a group out of a region: the disc's, or those of a card."""
        extra = self.allowance.groups.get(start)
        return tuple(dict.fromkeys((self.colour, *(extra.leads if extra else ()))))

    def part_brown_from_purple(self) -> None:
        """Move Brown cubes aside that losses left alone with Purple ones. Source: PIW1.purple.part.

        It happens in the first phase of either colour, and costs no activation.
        """
        if self.colour not in ("Brown", "Purple"):
            return
        for region in self.play.regions_with(("Brown",)):
            while not standing_orders.may_mingle(self.play, region, ()):
                ways = standing_orders.retreat_regions(self.play, region, "Brown")
                if not ways or not self.play.count(region, "Brown"):
                    break
                count = min(self.play.count(region, "Brown"), self.play.us_room(ways[0]))
                self.play.move_cubes(region, ways[0], {"Brown": count})
                self.play.tell(Moved, cubes={"Brown": count}, start=region, to=ways[0], parted=True)

    def _cubes_to_move(self, order: Move) -> dict[Colour, int]:
        """Return the cubes of an order by colour: ALL_CUBES is what may still move."""
        return {
            colour: self._movable(order.start, colour) if count == ALL_CUBES else count
            for colour, count in order.cubes.items()
        }

    def _movable(self, region: Region, colour: Colour) -> int:
        return self.play.count(region, colour) - self._arrived.get((region, colour), 0)

    def _control_fault(self, start: Region) -> OrderFault | None:
        """Purple activates only what it controls. Source: PIW1.purple.5."""
        if self.colour == "Purple" and self.play.tribe_cubes(start):
            return OrderFault(code="not-controlled", detail={"start": start})
        return None

    def _number_fault(self, order: Move, cubes: Mapping[Colour, int]) -> OrderFault | None:
        for colour, count in cubes.items():
            fresh = self._movable(order.start, colour)
            if not count or fresh < count:
                detail = {"start": order.start, "colour": colour, "count": str(fresh)}
                return OrderFault(code="too-few", detail=detail)
        return None

    def _stacking_fault(self, order: Move, cubes: Mapping[Colour, int]) -> OrderFault | None:
        """Return what keeps a group from its goal, or from leaving others behind."""
        if self.play.us_room(order.to) < sum(cubes.values()):
            return OrderFault(
                code="no-room", detail={"at": order.to, "count": str(self.play.us_room(order.to))}
            )
        if not standing_orders.may_mingle(self.play, order.to, tuple(cubes)):
            return OrderFault(code="apart", detail={"at": order.to})
        staying = {c for c in SOLDIERS if self.play.count(order.start, c) > cubes.get(c, 0)}
        here = {c for c in SOLDIERS if self.play.count(order.start, c)}
        if staying == {"Brown", "Purple"} and "Blue" in here and not self.play.board.is_city(order.start):
            return OrderFault(code="left-together", detail={"at": order.start})
        return None


def group_fault(leads: Sequence[Colour], cubes: Mapping[Colour, int], order: Move) -> OrderFault | None:
    """Return why these colours may not move together: each leader carries only so many others."""
    for lead in leads:
        others = {colour: count for colour, count in cubes.items() if colour != lead}
        carried, many, each = CARRIED_COLOURS.get(lead, ("Black", 0, 1))
        if not cubes.get(lead):
            continue
        if not others or (set(others) == {carried} and others[carried] <= cubes[lead] // each * many):
            return None
    detail = {"start": order.start, "lead": leads[0], "with": CARRIED_COLOURS.get(leads[0], ("", 0, 0))[0]}
    return OrderFault(code="no-influence", detail=detail)


def route_fault(
    play: WorkingState, order: Move, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> OrderFault | None:
    """Return why a group cannot get there: barred to a colour, or too far."""
    barred = [colour for colour in colours if not play.board.may_enter(colour, order.to)]
    if barred or order.start == order.to:
        return OrderFault(
            code="barred", detail={"to": order.to, "colour": barred[0] if barred else colours[0]}
        )
    reachable = reachable_regions(play, order.start, colours, reach, stops=stops)
    if order.to not in reachable:
        near = " ".join(reachable)
        detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
        return OrderFault(code="too-far", detail=detail)
    return None


def reachable_regions(
    play: WorkingState, start: Region, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> dict[Region, int]:
    """Return where a group may end, with the number of moves, nearest first.

    stops: it goes no farther where it meets a tribe. Source: PIW1.move.stop.
    """
    distances: dict[Region, int] = {}
    edge = [start]
    for distance in range(1, reach + 1):
        edge = [
            region
            for region in play.board.in_board_order({to for here in edge for to in play.board.ways[here]})
            if region not in distances
            and region != start
            and all(play.board.may_enter(colour, region) for colour in colours)
        ]
        distances |= dict.fromkeys(edge, distance)
        edge = [region for region in edge if not (stops and play.tribe_cubes(region))]
    return distances
