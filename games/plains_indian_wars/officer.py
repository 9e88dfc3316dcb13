"""Who plays the U.S. when nobody does: every group goes where the schedule gains most by it."""

from collections.abc import Iterator

from games.plains_indian_wars import standing
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.carrying_out import places_for
from games.plains_indian_wars.components import Card
from games.plains_indian_wars.model import SOLDIERS, CardId, Colour, Region, belt_of
from games.plains_indian_wars.prospect import Prospect, Stand
from games.record import Value

_AT: dict[Colour, int] = {"Blue": 0, "Brown": 1, "Purple": 2}


class Step(Value, frozen=True):
    """A move that is thought of: who goes, whither, what it gains."""

    start: Region
    to: Region
    cubes: Stand
    gain: float


class Campaign(Value, frozen=True):
    """A phase thought out: the card, where its cubes come, the moves, what the board is worth after them."""

    card: CardId
    at: Region | None
    count: int
    steps: tuple[Step, ...]
    worth: float


def campaigns(prospect: Prospect, colour: Colour, card: Card, groups: int) -> Iterator[Campaign]:
    """What could be done with an action card, for each place where its cubes may come."""
    play = prospect.play
    count = min(card.cubes, play.ready.get(colour, 0))
    cities = (card.city,) if card.city else (SACRAMENTO, ST_LOUIS)
    places = [one for one in places_for(play, colour) if not play.board.is_city(one) or one in cities]
    for at in places if count else [None]:
        deployed = Deployment(prospect, colour, card.moves, groups)
        here = 0
        if at is not None:
            here = min(count, play.room(at))
            if not here or not standing.may_mingle(play, at, (colour,)):
                continue
            deployed.add(at, here)
        steps = tuple(deployed.steps())
        yield Campaign(card.id, at, here, steps, deployed.total())


class Deployment:
    """The cubes of a phase while its moves are thought out, one after the other, the best first."""

    def __init__(self, prospect: Prospect, colour: Colour, reach: int, groups: int) -> None:
        self.prospect, self.colour, self.reach, self.groups = prospect, colour, reach, groups
        self.stands = dict(prospect.stands)
        self.fresh = dict(self.stands)
        self.started: set[Region] = set()
        self._thought: dict[Region, tuple[Step, ...]] = {}

    def add(self, region: Region, count: int) -> None:
        """Cubes are placed."""
        for stands in (self.stands, self.fresh):
            stands[region] = _plus(stands[region], _only(self.colour, count))

    def gain_of(self, region: Region) -> float | None:
        """What one cube more would gain in a region; None where there is no room for it."""
        after = _plus(self.stands[region], _only(self.colour, 1))
        if not self._fits(region, after):
            return None
        return self.prospect.worth(region, after) - self.prospect.worth(region, self.stands[region])

    def total(self) -> float:
        """What the board is worth with the cubes where they are now."""
        return sum(self.prospect.worth(region, stand) for region, stand in self.stands.items())

    def steps(self, least: float = 0.05) -> Iterator[Step]:
        """The moves, the most gainful first, as long as one gains anything."""
        while True:
            found = [step for start in self.stands if self._may_start(start) for step in self._of(start)]
            best = max(found, key=lambda step: (step.gain, step.start, step.to), default=None)
            if best is None or best.gain < least:
                return
            self._carry(best)
            yield best

    def _may_start(self, start: Region) -> bool:
        if not self.fresh[start][_AT[self.colour]] or self.prospect.play.tribes(start):
            return False
        if start in self.started:
            return True
        same_belt = self.colour == "Purple" and belt_of(start) in {belt_of(one) for one in self.started}
        return len(self.started) < self.groups and not same_belt

    def _of(self, start: Region) -> tuple[Step, ...]:
        """The moves out of a region; thought of anew only where something has changed."""
        if start not in self._thought:
            self._thought[start] = tuple(self._from(start))
        return self._thought[start]

    def _from(self, start: Region) -> Iterator[Step]:
        worth, here = self.prospect.worth, self.stands[start]
        before = worth(start, here)
        for cubes in self._groups(start):
            left = _minus(here, cubes)
            if left[1] and left[2] and not left[0] and not self.prospect.play.board.is_city(start):
                continue
            leaving = worth(start, left) - before
            for to in self._reached(start, cubes):
                there = self.stands[to]
                after = _plus(there, cubes)
                if not self._fits(to, after):
                    continue
                gain = leaving + worth(to, after) - worth(to, there)
                yield Step(start, to, cubes, gain)

    def _groups(self, start: Region) -> Iterator[Stand]:
        """Who may go from a region: so many of the disc's colour, and whom they take along."""
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

    def _reached(self, start: Region, cubes: Stand) -> tuple[Region, ...]:
        colours = tuple(colour for colour in SOLDIERS if cubes[_AT[colour]])
        return self.prospect.reached(start, colours, self.reach)

    def _fits(self, to: Region, after: Stand) -> bool:
        limit = self.prospect.play.scenario.limits["us"]
        return sum(after) <= limit and (after[0] > 0 or not (after[1] and after[2]))

    def _carry(self, step: Step) -> None:
        self.started.add(step.start)
        self.stands[step.start] = _minus(self.stands[step.start], step.cubes)
        self.fresh[step.start] = _minus(self.fresh[step.start], step.cubes)
        self.stands[step.to] = _plus(self.stands[step.to], step.cubes)
        for start in tuple(self._thought):
            if start in (step.start, step.to) or any(
                one.to in (step.start, step.to) for one in self._thought[start]
            ):
                del self._thought[start]


def _plus(one: Stand, other: Stand) -> Stand:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def _minus(one: Stand, other: Stand) -> Stand:
    return (one[0] - other[0], one[1] - other[1], one[2] - other[2])


def _only(colour: Colour, count: int) -> Stand:
    return (count * (colour == "Blue"), count * (colour == "Brown"), count * (colour == "Purple"))
