"""The board as Event cards see it: regions they could strike, and regions near a colour."""

from collections.abc import Sequence

from games.plains_indian_wars.model import Colour, Region, View
from games.plains_indian_wars.working_state import WorkingState


class BoardScan:
    """The board as it stands before a phase."""

    def __init__(self, view: View) -> None:
        self.play = WorkingState(view)

    def regions_of(self, colour: Colour) -> tuple[Region, ...]:
        """Return where a colour stands without tribes, the strongest groups first."""
        held = [region for region in self.play.regions_with((colour,)) if not self.play.tribe_cubes(region)]
        return tuple(sorted(held, key=lambda region: -self.play.count(region, colour)))

    def best_target(self, regions: Sequence[Region]) -> Region | None:
        """Return the region with the most tribe cubes; None if there are none.

        A region with wagons comes before others.
        """

        def prey(region: Region) -> tuple[int, int, int]:
            play = self.play
            return play.tribe_cubes(region), play.count(region, "White"), play.board.places[region].key

        return max((region for region in regions if self.play.tribe_cubes(region)), key=prey, default=None)

    def regions_near(self, colour: Colour) -> tuple[Region, ...]:
        """Return the regions in or beside which a colour stands."""
        near = {
            neighbour
            for region in self.play.regions_with((colour,))
            for neighbour in (region, *self.play.board.near[region])
        }
        return self.play.board.in_board_order(near)
