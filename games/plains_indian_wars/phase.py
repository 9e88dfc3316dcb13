"""A U.S. phase on the table: its colour, its orders, and what cards do to their results."""

from collections.abc import Sequence

from games.plains_indian_wars.engagements import EngagementTerms
from games.plains_indian_wars.events import Moved
from games.plains_indian_wars.model import AnyOrder, Colour, Region
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.us_phase import UsMoves
from games.plains_indian_wars.working_state import WorkingState


class UsPhase:
    """The orders of a phase on the table.

    colour: whose disc is out; marches: what may still move; extra, strikes: what cards do to engagements.
    """

    def __init__(self, play: WorkingState, orders: Sequence[AnyOrder]) -> None:
        self.play = play
        self.colour: Colour = play.now.disc or "Blue"
        self.orders = tuple(orders)
        self.extra: dict[Region, Colour] = {}
        self.strikes: set[Region] = set()
        self.events_played = 0
        self.allowance = PhaseLimits(play, self.colour)
        self.marches = UsMoves(play, self.colour, self.allowance)

    @property
    def terms(self) -> EngagementTerms:
        """The special terms of this phase's engagements. Source: PIW1.purple.9."""
        struck = frozenset(move.to for move in self._events_of(Moved) if move.start in self.strikes)
        return EngagementTerms(treaties=self.colour != "Purple", extra=self.extra, first_strike=struck)

    def _events_of(self, kind: type[Moved]) -> list[Moved]:
        return [event for event in self.play.events if isinstance(event, kind)]
