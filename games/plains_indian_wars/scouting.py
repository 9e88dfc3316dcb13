"""What Event cards want to know of the board: whom they could strike, and who is near."""

from collections.abc import Sequence

from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Region, View


class Ground:
    """The board as it stands before a phase."""

    def __init__(self, view: View) -> None:
        self.play = Play(view)

    def groups(self, colour: Colour) -> tuple[Region, ...]:
        """Where a colour stands without tribes, the strongest groups first."""
        held = [region for region in self.play.regions((colour,)) if not self.play.tribes(region)]
        return tuple(sorted(held, key=lambda region: -self.play.count(region, colour)))

    def best_of(self, regions: Sequence[Region]) -> Region | None:
        """The region with the most tribe cubes, one with wagons before others; None where there are none."""

        def prey(region: Region) -> tuple[int, int, int]:
            play = self.play
            return play.tribes(region), play.count(region, "White"), play.board.places[region].key

        return max((region for region in regions if self.play.tribes(region)), key=prey, default=None)

    def by(self, colour: Colour) -> tuple[Region, ...]:
        """The regions in or beside which a colour stands."""
        near = {
            one for region in self.play.regions((colour,)) for one in (region, *self.play.board.near[region])
        }
        return self.play.board.sorted(near)
