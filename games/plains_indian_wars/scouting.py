"""What a plain-minded officer sees: where to fight, where to build, where nobody stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.plains_indian_wars import railroad, standing
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.marches import reached
from games.plains_indian_wars.model import Colour, Region, View


@dataclass(frozen=True)
class Goal:
    """Where a group should go, and why."""

    to: Region
    reason: str


class Ground:
    """The board as the bot weighs it. `taken`: goals of groups sent already."""

    def __init__(self, view: View) -> None:
        self.play = Play(view)
        self.taken: set[Region] = set()

    def goal(self, start: Region, colours: Sequence[Colour], count: int, reach: int) -> Goal | None:
        """The best place within reach for so many cubes to fight or to stand; None: they stay."""
        found = reached(self.play, start, colours, reach)
        open_to = [
            region
            for region in found
            if region not in self.taken
            and self.play.room(region) >= count
            and standing.may_mingle(self.play, region, tuple(colours))
            and not self.play.board.is_city(region)
        ]
        foes = [region for region in open_to if 0 < self.play.tribes(region) <= count]
        free = [region for region in open_to if not self.play.tribes(region) and not self.play.us(region)]
        if not foes and not free:
            return None
        # Between equals a fight comes before an empty region: the tribes leave after a treaty.
        best = max(foes + free, key=lambda region: (self.worth(region) + (region in foes), -found[region]))
        return Goal(best, "a fight where it pays" if best in foes else "nobody holds it")

    def forward(self, start: Region, colours: Sequence[Colour], count: int, reach: int) -> Goal | None:
        """A step towards the tribes, as far as the group is safe from what it cannot beat."""
        safe = {
            region: distance
            for region, distance in reached(self.play, start, colours, reach).items()
            if not self.play.tribes(region)
            and self.play.room(region) >= count
            and standing.may_mingle(self.play, region, tuple(colours))
            and not self.play.board.is_city(region)
        }
        if not safe:
            return None
        best = max(safe, key=lambda region: (self.pull(region), safe[region]))
        if self.pull(best) <= self.pull(start) and not self.play.board.is_city(start):
            return None
        return Goal(best, "nearer to where the tribes gather")

    def worth(self, region: Region) -> int:
        """What it is worth to hold a region: points, wagons, the line, and what the tribes would score."""
        place = self.play.board.places[region]
        concentrated = {3: 2, 4: 6}.get(self.play.tribes(region), 0)
        return (
            2 * place.key
            + concentrated
            + 2 * (region in self.play.board.steps)
            + 2 * self.play.count(region, "White")
            + 3 * (region in self.railheads())
            + self.play.board.is_plains(region)
        )

    def pull(self, region: Region) -> int:
        """How much a region draws a group: what its neighbours are worth as long as tribes hold them."""
        return sum(self.worth(other) for other in self.play.board.near[region] if self.play.tribes(other))

    def railheads(self) -> tuple[Region, ...]:
        """The regions beside the end of each line that can be built."""
        now, line = self.play.now, self.play.board.chart.railroad
        if not railroad.plains_left(now):
            return ()
        found: tuple[Region, ...] = line.sections[railroad.union_section(now)]
        if now.mountains == line.mountain_spaces:
            found += line.sections[railroad.central_section(now)]
        return self.play.board.sorted(found)

    def groups(self, colour: Colour) -> tuple[Region, ...]:
        """Where a colour stands without tribes, the strongest groups first."""
        held = [region for region in self.play.regions((colour,)) if not self.play.tribes(region)]
        return tuple(sorted(held, key=lambda region: -self.play.count(region, colour)))

    def best_of(self, regions: Sequence[Region]) -> Region | None:
        """The region with the most tribe cubes, the most valuable of them; None where there are none."""
        foes = [region for region in regions if self.play.tribes(region)]
        return max(foes, key=lambda region: (self.play.tribes(region), self.worth(region)), default=None)

    def by(self, colour: Colour) -> tuple[Region, ...]:
        """The regions in or beside which a colour stands."""
        near = {
            one for region in self.play.regions((colour,)) for one in (region, *self.play.board.near[region])
        }
        return self.play.board.sorted(near)
