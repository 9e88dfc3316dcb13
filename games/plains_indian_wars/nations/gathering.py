"""How a card's cubes and groups bring a tribe together: what a plain-minded chief can do with one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.plains_indian_wars.components import Card
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Region
from games.plains_indian_wars.nations.lands import places_for, reached


@dataclass(frozen=True)
class Aim:
    """Where cubes are wanted, how many, what each is worth, and why; few: fewer than that are not sent."""

    at: Region
    want: int
    worth: int
    why: str
    few: int = 1


@dataclass
class Gathering:
    """What one card brings about. placed: cubes by region; moves: (start, to, count, why) in their order."""

    card: Card
    placed: dict[Region, int] = field(default_factory=dict)
    moves: list[tuple[Region, Region, int, str]] = field(default_factory=list)
    recovers: bool = False
    worth: int = 0


def gather(
    play: Play, colour: Colour, card: Card, aims: Sequence[Aim], posts: Sequence[Region], more: int
) -> Gathering:
    """The best that a card does for some aims, taken one after the other.

    posts: where one cube stays behind, so that others can be placed there later; more: cubes that may be
    placed besides those of the card. One activation brings the fallen back, where there
    are more of them than in the Ready Box.
    """
    recovers = play.fallen.get(colour, 0) > max(2, play.ready.get(colour, 0)) and card.groups > 1
    hosts = _Hosts(play, colour, card, more, recovers)
    for post in posts:
        hosts.keep(post)
    found = Gathering(card=card, recovers=recovers)
    for aim in aims:
        hosts.serve(aim, found)
    hosts.rest(found, aims)
    return found


class _Hosts:
    """Where a tribe's cubes are while it gathers: `free` ones may still move, `settled` ones have."""

    def __init__(self, play: Play, colour: Colour, card: Card, more: int, recovers: bool) -> None:
        self.play, self.colour, self.card = play, colour, card
        self.cubes = min(play.cubes_of(card) + more, play.ready.get(colour, 0))
        self.groups = card.groups - recovers
        self.free = {region: play.count(region, colour) for region in play.regions((colour,))}
        self.settled: dict[Region, int] = {}
        self.active: set[Region] = set()
        self.open_to = places_for(play, colour)

    def keep(self, post: Region) -> None:
        """One cube of a region does not move."""
        if self.free.get(post):
            self.free[post] -= 1
            self.settled[post] = 1

    def serve(self, aim: Aim, found: Gathering) -> None:
        """Bring cubes to an aim, as many as are wanted."""
        ways = self._ways(aim.at)
        missing = aim.want - self._here(aim.at)
        possible = self._here(aim.at) + sum(self._could(one) for one in ways[: max(0, self.groups)])
        if missing > 0 and min(possible, aim.want) >= aim.few:
            if aim.at in self.open_to:
                missing -= self._place(aim.at, missing, found)
            while missing > 0 and (start := self._best(aim)) is not None:
                if start in self.open_to:
                    self._place(start, missing - self.free.get(start, 0), found)
                count = min(missing, self.free[start])
                self._send(start, aim, count, found)
                missing -= count
        self.settled[aim.at] = self._here(aim.at)
        self.free[aim.at] = 0
        found.worth += aim.worth * min(aim.want, self.settled[aim.at])

    def rest(self, found: Gathering, aims: Sequence[Aim]) -> None:
        """Cubes left over come where they are nearest to the first aim."""
        if not self.cubes or not self.open_to or not aims:
            return
        near = {aims[0].at, *self.play.board.near[aims[0].at]}
        room = [one for one in self.open_to if self._here(one) < self.play.limit(one)]
        for region in sorted(room, key=lambda one: one not in near):
            self._place(region, self.play.limit(region) - self._here(region), found)

    def _here(self, region: Region) -> int:
        return self.free.get(region, 0) + self.settled.get(region, 0)

    def _could(self, region: Region) -> int:
        return self.free.get(region, 0) + (self.cubes if region in self.open_to else 0)

    def _ways(self, at: Region) -> list[Region]:
        """Where cubes could come from, the most first."""
        starts = [
            region
            for region, count in self.free.items()
            if count and region != at and at in reached(self.play, self.colour, region, self.card.moves)
        ]
        return sorted(starts, key=lambda one: -self._could(one))

    def _best(self, aim: Aim) -> Region | None:
        for region in self._ways(aim.at):
            if (region in self.active or self.groups > 0) and self._could(region) > 0:
                return region
        return None

    def _place(self, at: Region, count: int, found: Gathering) -> int:
        count = max(0, min(count, self.cubes))
        if count:
            self.cubes -= count
            self.free[at] = self.free.get(at, 0) + count
            found.placed[at] = found.placed.get(at, 0) + count
        return count

    def _send(self, start: Region, aim: Aim, count: int, found: Gathering) -> None:
        if start not in self.active:
            self.active.add(start)
            self.groups -= 1
        self.free[start] -= count
        self.settled[aim.at] = self.settled.get(aim.at, 0) + count
        found.moves.append((start, aim.at, count, aim.why))


def forces(play: Play, colour: Colour, found: Gathering) -> Mapping[Region, int]:
    """How many cubes each region would hold after a gathering."""
    held = {region: play.count(region, colour) for region in play.regions((colour,))}
    for region, count in found.placed.items():
        held[region] = held.get(region, 0) + count
    for start, to, count, _ in found.moves:
        held[start] -= count
        held[to] = held.get(to, 0) + count
    return held
