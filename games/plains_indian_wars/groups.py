"""Every group that may march: its cubes, and how far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.marches import CARRIES, reached
from games.plains_indian_wars.model import SOLDIERS, Colour, Move, Region
from games.plains_indian_wars.phrases import place
from games.protocol.optional import Unlisted

Cubes = Mapping[Colour, int]


def groups_between(
    colour: Colour, region: Region, here: int, more: int, goals: Sequence[Region]
) -> Iterator[Unlisted]:
    """The groups of one colour that leave some cubes behind, or take along what is placed there first.

    here: its cubes there; more: how many can be placed.
    """
    some = [{colour: count} for count in range(1, here)]
    yield from _of(region, some, goals, f"of 1 to {here} cubes")
    later = [{colour: count} for count in range(here + 1, here + more + 1)]
    yield from _of(region, later, goals, f"with cubes that are placed there first, up to {here + more}")


@dataclass(frozen=True)
class March:
    """What may march out of a region. here: its cubes; room: how many of the disc's come first."""

    play: Play
    region: Region
    disc: Colour
    room: int
    here: Mapping[Colour, int]

    def goals(self, colours: Sequence[Colour], reach: int, *, stops: bool = True) -> tuple[Region, ...]:
        """Where these colours together may end."""
        return tuple(reached(self.play, self.region, colours, reach, stops=stops))

    def taking_along(self, leads: Sequence[Colour], reach: int, *, stops: bool) -> Iterator[Unlisted]:
        """The groups of two colours, one of which leads. Source: PIW1.blue.2, PIW1.brown.2."""
        most = {one: count + (self.room if one == self.disc else 0) for one, count in self.here.items()}
        pairs = {tuple(pair.items()): pair for lead in leads for pair in _carrying(lead, most)}
        for colours in dict.fromkeys(tuple(pair) for pair in pairs.values()):
            goals = self.goals(colours, reach, stops=stops)
            some = [pair for pair in pairs.values() if tuple(pair) == colours]
            now = [pair for pair in some if all(count <= self.here[one] for one, count in pair.items())]
            yield from _of(self.region, now, goals, "one colour takes the other along")
            later = [pair for pair in some if pair not in now]
            yield from _of(self.region, later, goals, "the same with cubes that are placed there first")

    def by_events(
        self, lead: Colour, plain: Sequence[Region], reach: int, *, stops: bool
    ) -> Iterator[Unlisted]:
        """The groups of one colour that go where, or that march at all, by an Event of the hand alone."""
        most = self.here[lead] + (self.room if lead == self.disc else 0)
        groups = [{lead: count} for count in range(1, most + 1)]
        goals = [to for to in self.goals((lead,), reach, stops=stops) if to not in plain]
        yield from _of(self.region, groups, goals, "if an Event that is played with it lets them")


def _carrying(lead: Colour, most: Cubes) -> list[Cubes]:
    """What a colour may take along, of so many cubes at most, in the order in which colours are written."""
    carried, many, each = CARRIES.get(lead, ("Black", 0, 1))
    pairs = [
        {lead: count, carried: along}
        for count in range(1, most[lead] + 1)
        for along in range(1, min(most.get(carried, 0), count // each * many) + 1)
    ]
    return [{colour: pair[colour] for colour in SOLDIERS if colour in pair} for pair in pairs]


def _of(region: Region, groups: Sequence[Cubes], goals: Sequence[Region], words: str) -> Iterator[Unlisted]:
    orders = tuple(Move(cubes=dict(cubes), start=region, to=to) for to in goals for cubes in groups)
    if orders:
        yield Unlisted(of=place(region), form=_form(tuple(groups[0]), region), words=words, orders=orders)


@cache
def _form(colours: tuple[Colour, ...], region: Region) -> str:
    return f"move {' '.join(f'{{number}} {colour}' for colour in colours)} {region} - {{region}}"
