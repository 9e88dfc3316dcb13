"""The bot of the U.S.: every group goes where the schedule gains most by it."""

from collections.abc import Iterator

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.components import Card
from games.plains_indian_wars.evaluation import CubeCounts, PositionEvaluation
from games.plains_indian_wars.execution import placement_regions
from games.plains_indian_wars.model import SOLDIERS, CardId, Colour, Region, belt_of
from games.record import Value

_COLOUR_INDEX: dict[Colour, int] = {"Blue": 0, "Brown": 1, "Purple": 2}


class GroupMove(Value, frozen=True):
    """A move that is considered: who goes, where to, and what it gains."""

    start: Region
    to: Region
    cubes: CubeCounts
    gain: float


class PhasePlan(Value, frozen=True):
    """A planned phase: the card, where its cubes come, the moves, what the board is worth after them."""

    card: CardId
    at: Region | None
    count: int
    steps: tuple[GroupMove, ...]
    worth: float


def phase_plans(prospect: PositionEvaluation, colour: Colour, card: Card, groups: int) -> Iterator[PhasePlan]:
    """Yield what could be done with an action card, for each place where its cubes may come."""
    play = prospect.play
    count = min(card.cubes, play.ready.get(colour, 0))
    cities = (card.city,) if card.city else (SACRAMENTO, ST_LOUIS)
    places = [
        region
        for region in placement_regions(play, colour)
        if not play.board.is_city(region) or region in cities
    ]
    for at in places if count else [None]:
        deployed = Deployment(prospect, colour, card.moves, groups)
        here = 0
        if at is not None:
            here = min(count, play.us_room(at))
            if not here or not standing_orders.may_mingle(play, at, (colour,)):
                continue
            deployed.add(at, here)
        steps = tuple(deployed.steps())
        yield PhasePlan(card.id, at, here, steps, deployed.total_worth())


class Deployment:
    """The cubes of a phase while its moves are planned, one after the other, the best first."""

    def __init__(self, prospect: PositionEvaluation, colour: Colour, reach: int, groups: int) -> None:
        self.prospect, self.colour, self.reach, self.groups = prospect, colour, reach, groups
        self.stands = dict(prospect.stands)
        self.fresh = dict(self.stands)
        self.started: set[Region] = set()
        self._thought: dict[Region, tuple[GroupMove, ...]] = {}

    def add(self, region: Region, count: int) -> None:
        """Cubes are placed."""
        for stands in (self.stands, self.fresh):
            stands[region] = _add_counts(stands[region], _counts_of(self.colour, count))

    def gain_of(self, region: Region) -> float | None:
        """Return what one cube more would gain in a region; None where there is no room for it."""
        after = _add_counts(self.stands[region], _counts_of(self.colour, 1))
        if not self._fits(region, after):
            return None
        return self.prospect.worth(region, after) - self.prospect.worth(region, self.stands[region])

    def total_worth(self) -> float:
        """Return what the board is worth with the cubes where they are now."""
        return sum(self.prospect.worth(region, stand) for region, stand in self.stands.items())

    def steps(self, least: float = 0.05) -> Iterator[GroupMove]:
        """Yield the moves, the best first, as long as one gains at least `least`."""
        while True:
            moves = [
                step for start in self.stands if self._may_start(start) for step in self._moves_from(start)
            ]
            best = max(moves, key=lambda step: (step.gain, step.start, step.to), default=None)
            if best is None or best.gain < least:
                return
            self._make_move(best)
            yield best

    def _may_start(self, start: Region) -> bool:
        if not self.fresh[start][_COLOUR_INDEX[self.colour]] or self.prospect.play.tribe_cubes(start):
            return False
        if start in self.started:
            return True
        same_belt = self.colour == "Purple" and belt_of(start) in {belt_of(region) for region in self.started}
        return len(self.started) < self.groups and not same_belt

    def _moves_from(self, start: Region) -> tuple[GroupMove, ...]:
        """Return the moves out of a region; they are evaluated again only where something has changed."""
        if start not in self._thought:
            self._thought[start] = tuple(self._evaluate_moves(start))
        return self._thought[start]

    def _evaluate_moves(self, start: Region) -> Iterator[GroupMove]:
        worth, here = self.prospect.worth, self.stands[start]
        before = worth(start, here)
        for cubes in self._groups(start):
            staying = _subtract_counts(here, cubes)
            if staying[1] and staying[2] and not staying[0] and not self.prospect.play.board.is_city(start):
                continue
            leaving = worth(start, staying) - before
            for to in self._reachable(start, cubes):
                there = self.stands[to]
                after = _add_counts(there, cubes)
                if not self._fits(to, after):
                    continue
                gain = leaving + worth(to, after) - worth(to, there)
                yield GroupMove(start, to, cubes, gain)

    def _groups(self, start: Region) -> Iterator[CubeCounts]:
        """Yield the groups that may leave a region: cubes of the disc's colour, and those they take along."""
        blue, brown, purple = self.fresh[start]
        if self.colour == "Purple":
            yield from ((0, 0, n) for n in range(1, min(purple, 8) + 1))
        elif self.colour == "Blue":
            for n in range(1, min(blue, 6) + 1):
                yield from (
                    (n, m, 0)
                    for m in {0, 1, min(2, brown), min(n, brown), min(2 * n, brown, 8 - n)}
                    if m <= min(brown, 2 * n)
                )
        else:
            for n in range(1, min(brown, 6) + 1):
                yield from ((m, n, 0) for m in {0, 1, min(n // 2, blue)} if m <= min(n // 2, blue))

    def _reachable(self, start: Region, cubes: CubeCounts) -> tuple[Region, ...]:
        colours = tuple(colour for colour in SOLDIERS if cubes[_COLOUR_INDEX[colour]])
        return self.prospect.reachable(start, colours, self.reach)

    def _fits(self, to: Region, after: CubeCounts) -> bool:
        limit = self.prospect.play.scenario.limits["us"]
        return sum(after) <= limit and (after[0] > 0 or not (after[1] and after[2]))

    def _make_move(self, step: GroupMove) -> None:
        self.started.add(step.start)
        self.stands[step.start] = _subtract_counts(self.stands[step.start], step.cubes)
        self.fresh[step.start] = _subtract_counts(self.fresh[step.start], step.cubes)
        self.stands[step.to] = _add_counts(self.stands[step.to], step.cubes)
        for start in tuple(self._thought):
            if start in (step.start, step.to) or any(
                move.to in (step.start, step.to) for move in self._thought[start]
            ):
                del self._thought[start]


def _add_counts(first: CubeCounts, second: CubeCounts) -> CubeCounts:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _subtract_counts(first: CubeCounts, second: CubeCounts) -> CubeCounts:
    return (first[0] - second[0], first[1] - second[1], first[2] - second[2])


def _counts_of(colour: Colour, count: int) -> CubeCounts:
    return (count * (colour == "Blue"), count * (colour == "Brown"), count * (colour == "Purple"))
