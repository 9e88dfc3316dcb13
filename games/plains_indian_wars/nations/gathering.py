"""The gathering of a tribe by a card's cubes and groups: what a plain bot can do with one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.plains_indian_wars.components import Card
from games.plains_indian_wars.model import Colour, Region
from games.plains_indian_wars.nations.lands import placement_regions, reachable_regions
from games.plains_indian_wars.working_state import WorkingState


@dataclass(frozen=True)
class Aim:
    """A place where cubes are wanted: how many, their worth, and why; fewer than `few` are not sent."""

    at: Region
    want: int
    worth: int
    why: str
    few: int = 1


@dataclass
class GatheringPlan:
    """The result of one card.

    placed: cubes by region; moves: (start, to, count, why) in their order.
    """

    card: Card
    placed: dict[Region, int] = field(default_factory=dict)
    moves: list[tuple[Region, Region, int, str]] = field(default_factory=list)
    recovers: bool = False
    worth: int = 0


def plan_gathering(
    play: WorkingState, colour: Colour, card: Card, aims: Sequence[Aim], posts: Sequence[Region], more: int
) -> GatheringPlan:
    """Return the best that a card does for some aims, taken one after the other.

    posts: where one cube stays behind, so that others can be placed there later; more: cubes that may be
    placed in addition to those of the card. One activation brings the fallen back, where there are more of
    them than in the Ready Box.
    """
    recovers = play.fallen.get(colour, 0) > max(2, play.ready.get(colour, 0)) and card.groups > 1
    hosts = _GatheringState(play, colour, card, more, recovers)
    for post in posts:
        hosts.keep_post(post)
    plan = GatheringPlan(card=card, recovers=recovers)
    for aim in aims:
        hosts.serve_aim(aim, plan)
    hosts.place_rest(plan, aims)
    return plan


class _GatheringState:
    """The cubes of a tribe while it gathers: `free` ones may still move, `settled` ones have moved."""

    def __init__(self, play: WorkingState, colour: Colour, card: Card, more: int, recovers: bool) -> None:
        self.play, self.colour, self.card = play, colour, card
        self.cubes = min(play.cubes_of_card(card) + more, play.ready.get(colour, 0))
        self.groups = card.groups - recovers
        self.free = {region: play.count(region, colour) for region in play.regions_with((colour,))}
        self.settled: dict[Region, int] = {}
        self.active: set[Region] = set()
        self.open_to = placement_regions(play, colour)

    def keep_post(self, post: Region) -> None:
        """Keep one cube of a region where it is."""
        if self.free.get(post):
            self.free[post] -= 1
            self.settled[post] = 1

    def serve_aim(self, aim: Aim, plan: GatheringPlan) -> None:
        """Bring cubes to an aim, as many as are wanted."""
        ways = self._starts_for(aim.at)
        missing = aim.want - self._cubes_at(aim.at)
        possible = self._cubes_at(aim.at) + sum(
            self._available(region) for region in ways[: max(0, self.groups)]
        )
        if missing > 0 and min(possible, aim.want) >= aim.few:
            if aim.at in self.open_to:
                missing -= self._place(aim.at, missing, plan)
            while missing > 0 and (start := self._best_start(aim)) is not None:
                if start in self.open_to:
                    self._place(start, missing - self.free.get(start, 0), plan)
                count = min(missing, self.free[start])
                self._send(start, aim, count, plan)
                missing -= count
        self.settled[aim.at] = self._cubes_at(aim.at)
        self.free[aim.at] = 0
        plan.worth += aim.worth * min(aim.want, self.settled[aim.at])

    def place_rest(self, plan: GatheringPlan, aims: Sequence[Aim]) -> None:
        """Place cubes left over where they are nearest to the first aim."""
        if not self.cubes or not self.open_to or not aims:
            return
        near = {aims[0].at, *self.play.board.near[aims[0].at]}
        room = [
            near_region
            for near_region in self.open_to
            if self._cubes_at(near_region) < self.play.tribe_limit(near_region)
        ]
        for region in sorted(room, key=lambda near_region: near_region not in near):
            self._place(region, self.play.tribe_limit(region) - self._cubes_at(region), plan)

    def _cubes_at(self, region: Region) -> int:
        return self.free.get(region, 0) + self.settled.get(region, 0)

    def _available(self, region: Region) -> int:
        return self.free.get(region, 0) + (self.cubes if region in self.open_to else 0)

    def _starts_for(self, at: Region) -> list[Region]:
        """Return where cubes could come from, the most first."""
        starts = [
            region
            for region, count in self.free.items()
            if count
            and region != at
            and at in reachable_regions(self.play, self.colour, region, self.card.moves)
        ]
        return sorted(starts, key=lambda start: -self._available(start))

    def _best_start(self, aim: Aim) -> Region | None:
        for region in self._starts_for(aim.at):
            if (region in self.active or self.groups > 0) and self._available(region) > 0:
                return region
        return None

    def _place(self, at: Region, count: int, plan: GatheringPlan) -> int:
        count = max(0, min(count, self.cubes))
        if count:
            self.cubes -= count
            self.free[at] = self.free.get(at, 0) + count
            plan.placed[at] = plan.placed.get(at, 0) + count
        return count

    def _send(self, start: Region, aim: Aim, count: int, plan: GatheringPlan) -> None:
        if start not in self.active:
            self.active.add(start)
            self.groups -= 1
        self.free[start] -= count
        self.settled[aim.at] = self.settled.get(aim.at, 0) + count
        plan.moves.append((start, aim.at, count, aim.why))


def forces_after(play: WorkingState, colour: Colour, plan: GatheringPlan) -> Mapping[Region, int]:
    """Return how many cubes each region would hold after a gathering."""
    held = {region: play.count(region, colour) for region in play.regions_with((colour,))}
    for region, count in plan.placed.items():
        held[region] = held.get(region, 0) + count
    for start, to, count, _ in plan.moves:
        held[start] -= count
        held[to] = held.get(to, 0) + count
    return held
