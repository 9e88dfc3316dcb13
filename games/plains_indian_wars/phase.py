"""A U.S. phase on the table: whose it is, what is ordered, and what cards do to what comes of it."""

from collections.abc import Sequence

from games.plains_indian_wars.engagements import Terms
from games.plains_indian_wars.events import Moved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.marches import Marches
from games.plains_indian_wars.model import AnyOrder, Colour, Region
from games.plains_indian_wars.phase_limits import Allowance


class Phase:
    """The orders of a phase on the table.

    colour: whose disc is out; marches: what may still move; extra, strikes: what cards do to engagements.
    """

    def __init__(self, play: Play, orders: Sequence[AnyOrder]) -> None:
        self.play = play
        self.colour: Colour = play.now.disc or "Blue"
        self.orders = tuple(orders)
        self.extra: dict[Region, Colour] = {}
        self.strikes: set[Region] = set()
        self.events_played = 0
        self.allowance = Allowance(play, self.colour)
        self.marches = Marches(play, self.colour, self.allowance)

    @property
    def terms(self) -> Terms:
        """What is special about this phase's engagements. Source: PIW1.purple.9."""
        struck = frozenset(move.to for move in self._done(Moved) if move.start in self.strikes)
        return Terms(treaties=self.colour != "Purple", extra=self.extra, first_strike=struck)

    def _done(self, kind: type[Moved]) -> list[Moved]:
        return [event for event in self.play.events if isinstance(event, kind)]
