"""A tribe's phase on the table: what is ordered, and what cards do to what comes of it."""

from collections.abc import Sequence
from typing import assert_never

from games.plains_indian_wars.in_play import Play
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
from games.plains_indian_wars.nations.fights import Favour, fields
from games.plains_indian_wars.nations.warpaths import Warpaths
from games.plains_indian_wars.phase_limits import Allowance


class Plan:
    """The orders of a tribe on the table.

    fierce: the region whose cubes fight fiercely; alone: where a card lets the tribe throw alone, and in how
    many rounds.
    """

    def __init__(self, play: Play, colour: Colour, orders: Sequence[AnyOrder]) -> None:
        self.play, self.colour = play, colour
        self.orders = tuple(order for order in orders if concerned(play, order) == colour)
        self.allowance = Allowance(play, colour)
        self.warpaths = Warpaths(play, colour, self.allowance)
        self.fierce: Region | None = None
        self.alone: dict[Region, int] = {}
        self.events_played = 0

    def favour(self) -> Favour:
        """What the cards do to the engagements that follow: the first one of the fierce is theirs."""
        marked = self.warpaths.came_from(self.fierce) if self.fierce else frozenset()
        first = next((one for one in fields(self.play, (self.colour,)) if one in marked), None)
        return Favour(fierce=first, alone=self.alone)

    def put(self, at: Region, count: int) -> int:
        """Cubes come from the Ready Box; how many came."""
        came = self.play.muster(at, self.colour, count)
        if came:
            self.warpaths.come(None, at, came)
        return came


def concerned(play: Play, order: AnyOrder) -> Colour | None:
    """The tribe that an order is for: its own colour, that of its card, else that of its region."""
    if isinstance(order, Place):
        return order.colour
    if isinstance(order, Move):
        return next(iter(order.cubes), None)
    if isinstance(order, PlayAction | PlayEvent | Discard):
        return play.box.decks[play.box.deck_of[order.card]].colour
    if isinstance(order, Recover):
        return order.colour or (play.scenario.tribes[0] if len(play.scenario.tribes) == 1 else play.now.disc)
    if isinstance(order, Begin | NoPlace | Instruction):
        return None
    assert_never(order)
