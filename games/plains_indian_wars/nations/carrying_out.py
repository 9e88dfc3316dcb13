"""The plan of a tribe for its phase: the orders of one letter, carried out up to the engagements.

The same code looks ahead: `nations.lawful` asks it about all orders of the seat together.
"""

# Rule 1: cards that bring cubes back come first, then cubes are placed, then everything else happens in the
# order in which it was written.
# Rule 2: an order that cannot be carried out is told with a Fault, and nothing else changes because of it.
# Rule 3: looking ahead throws no dice, so that an attack by a card does nothing then.

from collections.abc import Sequence

from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.carrying_out import play_card, recover
from games.plains_indian_wars.event_cards import may_play
from games.plains_indian_wars.events import Fault, LeftOut, Placed
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import (
    AnyOrder,
    Colour,
    Discard,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
)
from games.plains_indian_wars.nations import event_cards
from games.plains_indian_wars.nations.fights import Favour, fields
from games.plains_indian_wars.nations.lands import places_for
from games.plains_indian_wars.nations.warpaths import Warpaths
from games.plains_indian_wars.phase_limits import Allowance

FIRST, WITH_CUBES = ("muster",), ("fierce",)
"""Events that are carried out before cubes are placed, and among them."""


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

    def carry_out(self) -> None:
        """Cards, cubes, moves; what cannot be done is left out and told. Source: PIW2.turn.plan."""
        play_card(self.play, self.colour, self.orders, self.allowance)
        early = [order for order in self.orders if self._op(order) in FIRST]
        cubes = [o for o in self.orders if isinstance(o, Place) or self._op(o) in WITH_CUBES]
        rest = [order for order in self.orders if order not in (*early, *cubes)]
        for order in (*early, *cubes, *rest):
            if isinstance(order, Place):
                self._try(order, self._place(order))
            elif isinstance(order, Move):
                self._try(order, self.warpaths.move(order))
            elif isinstance(order, PlayEvent):
                self._try(order, self._event(order))
            elif isinstance(order, Recover):
                self._try(order, recover(self.play, self.colour, self.allowance))
        self.warpaths.turn_back()

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

    def _try(self, order: AnyOrder, fault: Fault | None) -> None:
        if fault is not None:
            partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
            self.play.tell(LeftOut, order=order, why=fault, partly=partly)

    def _place(self, order: Place) -> Fault | None:
        """Cubes of the action card, as many as it has. Source: PIW2.place.home."""
        fault = place_fault(self.play, self.colour, order.at)
        if fault is not None:
            return fault
        wanted = min(order.count, self.allowance.cubes(None))
        came = self.put(order.at, wanted)
        self.allowance.place(None, came)
        if came:
            self.play.tell(Placed, colour=self.colour, at=order.at, count=came)
        if came == order.count:
            return None
        code = "too-many" if wanted < order.count else "ready-box-empty"
        return Fault(code=code, detail={"count": str(came), "at": order.at})

    def _event(self, order: PlayEvent) -> Fault | None:
        """An Event; one without a target may be played and does nothing. Source: PIW1.cards.events."""
        fault = may_play(self.play, self.colour, self.allowance, self.events_played, order)
        if fault is not None:
            return fault
        self.events_played += 1
        return event_cards.carry_out(self, order)

    def _op(self, order: AnyOrder) -> str:
        if not isinstance(order, PlayEvent):
            return ""
        effect = self.play.box.cards[order.card].effect
        return effect.op if effect else ""


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
    return None


def place_fault(play: Play, colour: Colour, at: Region) -> Fault | None:
    """Why cubes of a tribe may not be placed in a region."""
    open_to = places_for(play, colour)
    if at in open_to:
        return None
    code = "not-held" if tribe_of(at) == colour and play.board.is_plains(at) else "no-home"
    return Fault(code=code, detail={"at": at, "near": " ".join(open_to)})
