"""Moves of U.S. groups: activations, influenced movement, ways, and who may stand beside whom."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import standing
from games.plains_indian_wars.events import Fault, Moved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import ALL, SOLDIERS, Colour, Move, Region
from games.plains_indian_wars.phase_limits import Allowance

CARRIES: Mapping[Colour, tuple[Colour, int, int]] = {"Blue": ("Brown", 2, 1), "Brown": ("Blue", 1, 2)}
"""Influenced movement: who is taken along, so many of them for so many of the leaders."""


class Marches:
    """What moves in a phase. Each cube moves once: `_arrived` holds those that have."""

    def __init__(self, play: Play, colour: Colour, allowance: Allowance) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[tuple[Region, Colour], int] = {}

    def move(self, order: Move) -> Fault | None:
        """Move a group, or say why not. Source: PIW1.move.group, PIW1.blue.2, PIW1.brown.2."""
        cubes = self._meant(order)
        fault = (
            self._held(order.start)
            or self._lacking(order, cubes)
            or group_fault(self.leads(order.start), cubes, order)
            or way_fault(self.play, order, tuple(cubes), self.allowance.reach_from(order.start))
            or self._crowded(order, cubes)
        )
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return Fault(code="no-activation", detail={"start": order.start})
        self.play.shift(order.start, order.to, cubes)
        for colour, count in cubes.items():
            key = (order.to, colour)
            self._arrived[key] = self._arrived.get(key, 0) + count
        self.play.entered.add(order.to)
        self.play.tell(Moved, cubes=cubes, start=order.start, to=order.to)
        return None

    def leads(self, start: Region) -> tuple[Colour, ...]:
        """Which colours may lead a group out of a region: the disc's, or those of a card."""
        extra = self.allowance.groups.get(start)
        return tuple(dict.fromkeys((self.colour, *(extra.leads if extra else ()))))

    def part(self) -> None:
        """Brown cubes that losses left alone with Purple ones step aside. Source: PIW1.purple.part.

        It happens in the first phase of either colour, and costs no activation.
        """
        if self.colour not in ("Brown", "Purple"):
            return
        for region in self.play.regions(("Brown",)):
            while not standing.may_mingle(self.play, region, ()):
                ways = standing.fall_backs(self.play, region, "Brown")
                if not ways or not self.play.count(region, "Brown"):
                    break
                count = min(self.play.count(region, "Brown"), self.play.room(ways[0]))
                self.play.shift(region, ways[0], {"Brown": count})
                self.play.tell(Moved, cubes={"Brown": count}, start=region, to=ways[0], parted=True)

    def _meant(self, order: Move) -> dict[Colour, int]:
        """The cubes of an order: ALL is what may still move."""
        return {
            colour: self._fresh(order.start, colour) if count == ALL else count
            for colour, count in order.cubes.items()
        }

    def _fresh(self, region: Region, colour: Colour) -> int:
        return self.play.count(region, colour) - self._arrived.get((region, colour), 0)

    def _held(self, start: Region) -> Fault | None:
        """Purple activates only what it controls. Source: PIW1.purple.5."""
        if self.colour == "Purple" and self.play.tribes(start):
            return Fault(code="not-controlled", detail={"start": start})
        return None

    def _lacking(self, order: Move, cubes: Mapping[Colour, int]) -> Fault | None:
        for colour, count in cubes.items():
            fresh = self._fresh(order.start, colour)
            if not count or fresh < count:
                detail = {"start": order.start, "colour": colour, "count": str(fresh)}
                return Fault(code="too-few", detail=detail)
        return None

    def _crowded(self, order: Move, cubes: Mapping[Colour, int]) -> Fault | None:
        """What keeps a group from its goal, or from leaving others behind."""
        if self.play.room(order.to) < sum(cubes.values()):
            return Fault(code="no-room", detail={"at": order.to, "count": str(self.play.room(order.to))})
        if not standing.may_mingle(self.play, order.to, tuple(cubes)):
            return Fault(code="apart", detail={"at": order.to})
        left = {c for c in SOLDIERS if self.play.count(order.start, c) > cubes.get(c, 0)}
        here = {c for c in SOLDIERS if self.play.count(order.start, c)}
        if left == {"Brown", "Purple"} and "Blue" in here and not self.play.board.is_city(order.start):
            return Fault(code="left-together", detail={"at": order.start})
        return None


def group_fault(leads: Sequence[Colour], cubes: Mapping[Colour, int], order: Move) -> Fault | None:
    """Why these colours may not move together: each leader carries only so many others."""
    for lead in leads:
        others = {colour: count for colour, count in cubes.items() if colour != lead}
        carried, many, each = CARRIES.get(lead, ("Black", 0, 1))
        if not cubes.get(lead):
            continue
        if not others or (set(others) == {carried} and others[carried] <= cubes[lead] // each * many):
            return None
    detail = {"start": order.start, "lead": leads[0], "with": CARRIES.get(leads[0], ("", 0, 0))[0]}
    return Fault(code="no-influence", detail=detail)


def way_fault(
    play: Play, order: Move, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> Fault | None:
    """Why a group cannot get there: barred to a colour, or too far."""
    barred = [colour for colour in colours if not play.board.may_enter(colour, order.to)]
    if barred or order.start == order.to:
        return Fault(code="barred", detail={"to": order.to, "colour": barred[0] if barred else colours[0]})
    found = reached(play, order.start, colours, reach, stops=stops)
    if order.to not in found:
        near = " ".join(found)
        detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
        return Fault(code="too-far", detail=detail)
    return None


def reached(
    play: Play, start: Region, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> dict[Region, int]:
    """Where a group may end, with the number of moves, nearest first.

    stops: it goes no farther where it meets a tribe. Source: PIW1.move.stop.
    """
    found: dict[Region, int] = {}
    edge = [start]
    for distance in range(1, reach + 1):
        edge = [
            region
            for region in play.board.sorted({to for one in edge for to in play.board.ways[one]})
            if region not in found
            and region != start
            and all(play.board.may_enter(colour, region) for colour in colours)
        ]
        found |= dict.fromkeys(edge, distance)
        edge = [region for region in edge if not (stops and play.tribes(region))]
    return found
