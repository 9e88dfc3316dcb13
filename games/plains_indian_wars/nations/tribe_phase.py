"""A tribe's phase on the table: its orders, and what cards do to their results."""

from collections.abc import Sequence
from typing import assert_never

from games.plains_indian_wars.model import (
    AnyOrder,
    Begin,
    Colour,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
)
from games.plains_indian_wars.nations.fights import EngagementBonus, tribe_battlefields
from games.plains_indian_wars.nations.warpaths import TribeMoves
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.working_state import WorkingState


class TribePhase:
    """The orders of a tribe on the table.

    fierce: the region whose cubes fight fiercely; alone: where a card lets the tribe roll alone, and in
    how many rounds.
    """

    def __init__(self, play: WorkingState, colour: Colour, orders: Sequence[AnyOrder]) -> None:
        self.play, self.colour = play, colour
        self.orders = tuple(order for order in orders if tribe_of_order(play, order) == colour)
        self.allowance = PhaseLimits(play, colour)
        self.warpaths = TribeMoves(play, colour, self.allowance)
        self.fierce: Region | None = None
        self.alone: dict[Region, int] = {}
        self.events_played = 0

    def engagement_bonus(self) -> EngagementBonus:
        """Return what the cards do to the engagements that follow.

        The first engagement of the fierce cubes is theirs.
        """
        marked = self.warpaths.regions_reached_from(self.fierce) if self.fierce else frozenset()
        first = next(
            (region for region in tribe_battlefields(self.play, (self.colour,)) if region in marked), None
        )
        return EngagementBonus(fierce=first, alone=self.alone)

    def place_cubes(self, at: Region, count: int) -> int:
        """Place cubes from the Ready Box; return how many came."""
        came = self.play.add_from_ready(at, self.colour, count)
        if came:
            self.warpaths.note_arrival(None, at, came)
        return came


def tribe_of_order(play: WorkingState, order: AnyOrder) -> Colour | None:
    """Return the tribe that an order is for: by its own colour, its card's, or its region's."""
    if isinstance(order, Place):
        return order.colour
    if isinstance(order, Move):
        return next(iter(order.cubes), None)
    if isinstance(order, PlayAction | PlayEvent | Discard):
        return play.materials.decks[play.materials.deck_of[order.card]].colour
    if isinstance(order, Recover):
        return order.colour or (play.scenario.tribes[0] if len(play.scenario.tribes) == 1 else play.now.disc)
    if isinstance(order, Begin | NoPlace | Instruction):
        return None
    assert_never(order)
