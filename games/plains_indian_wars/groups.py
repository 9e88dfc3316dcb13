"""Every group that may move: its cubes, and how far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games.plains_indian_wars.model import SOLDIERS, Colour, Move, Region
from games.plains_indian_wars.phrases import region_name
from games.plains_indian_wars.us_phase import CARRIED_COLOURS, reachable_regions
from games.plains_indian_wars.working_state import WorkingState
from games.protocol.optional import UnlistedOrders

Cubes = Mapping[Colour, int]


def groups_between(
    colour: Colour, region: Region, here: int, more: int, goals: Sequence[Region]
) -> Iterator[UnlistedOrders]:
    """The groups of one colour that leave some cubes behind, or take along what is placed there first.

    here: its cubes there; more: how many can be placed.
    """
    some = [{colour: count} for count in range(1, here)]
    yield from _unlisted_groups(region, some, goals, f"of 1 to {here} cubes")
    later = [{colour: count} for count in range(here + 1, here + more + 1)]
    yield from _unlisted_groups(
        region, later, goals, f"with cubes that are placed there first, up to {here + more}"
    )


@dataclass(frozen=True)
class RegionGroups:
    """The groups that may leave a region. here: its cubes; room: how many of the disc's come first."""

    play: WorkingState
    region: Region
    disc: Colour
    room: int
    here: Mapping[Colour, int]

    def goals(self, colours: Sequence[Colour], reach: int, *, stops: bool = True) -> tuple[Region, ...]:
        """Return where these colours together may end."""
        return tuple(reachable_regions(self.play, self.region, colours, reach, stops=stops))

    def two_colour_groups(
        self, leads: Sequence[Colour], reach: int, *, stops: bool
    ) -> Iterator[UnlistedOrders]:
        """The groups of two colours, one of which leads. Source: PIW1.blue.2, PIW1.brown.2."""
        most = {
            colour: count + (self.room if colour == self.disc else 0) for colour, count in self.here.items()
        }
        pairs = {tuple(pair.items()): pair for lead in leads for pair in _carried_groups(lead, most)}
        for colours in dict.fromkeys(tuple(pair) for pair in pairs.values()):
            goals = self.goals(colours, reach, stops=stops)
            some = [pair for pair in pairs.values() if tuple(pair) == colours]
            now = [pair for pair in some if all(count <= self.here[colour] for colour, count in pair.items())]
            yield from _unlisted_groups(self.region, now, goals, "one colour takes the other along")
            later = [pair for pair in some if pair not in now]
            yield from _unlisted_groups(
                self.region, later, goals, "the same with cubes that are placed there first"
            )

    def event_groups(
        self, lead: Colour, plain: Sequence[Region], reach: int, *, stops: bool
    ) -> Iterator[UnlistedOrders]:
        """The groups of one colour that go where, or that march at all, by an Event of the hand alone."""
        most = self.here[lead] + (self.room if lead == self.disc else 0)
        groups = [{lead: count} for count in range(1, most + 1)]
        goals = [to for to in self.goals((lead,), reach, stops=stops) if to not in plain]
        yield from _unlisted_groups(
            self.region, groups, goals, "if an Event that is played with it lets them"
        )


def _carried_groups(lead: Colour, most: Cubes) -> list[Cubes]:
    """Return the groups in which a colour takes another along, colours in their written order."""
    carried, many, each = CARRIED_COLOURS.get(lead, ("Black", 0, 1))
    pairs = [
        {lead: count, carried: along}
        for count in range(1, most[lead] + 1)
        for along in range(1, min(most.get(carried, 0), count // each * many) + 1)
    ]
    return [{colour: pair[colour] for colour in SOLDIERS if colour in pair} for pair in pairs]


def _unlisted_groups(
    region: Region, groups: Sequence[Cubes], goals: Sequence[Region], words: str
) -> Iterator[UnlistedOrders]:
    orders = tuple(Move(cubes=dict(cubes), start=region, to=to) for to in goals for cubes in groups)
    if orders:
        yield UnlistedOrders(
            of=region_name(region), form=_group_form(tuple(groups[0]), region), words=words, orders=orders
        )


@cache
def _group_form(colours: tuple[Colour, ...], region: Region) -> str:
    return f"move {' '.join(f'{{number}} {colour}' for colour in colours)} {region} - {{region}}"
