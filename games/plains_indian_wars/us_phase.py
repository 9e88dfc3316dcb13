"""A U.S. phase while it is carried out: its limits, the effects of cards, and the moves of groups."""

from collections.abc import Mapping, Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.engagements import EngagementTerms
from games.plains_indian_wars.events import Moved, OrderFault
from games.plains_indian_wars.model import (
    ALL_CUBES,
    SOLDIERS,
    AnyOrder,
    Belt,
    CardId,
    Colour,
    Move,
    Region,
    belt_of,
)
from games.plains_indian_wars.working_state import WorkingState

# The limits of a phase: cubes to place, groups to activate, and their reach.


BELTS: tuple[Belt, ...] = ("north", "south")


class PhaseLimits:
    """The limits of a phase, which are counted down while orders are carried out.

    reach: the number of regions that a group can move; city: the only city for new cubes (None for both);
    groups: extra groups by cards, by the region where they start; only_event: the only Event that may be
    played, if no action card was left.
    """

    def __init__(self, play: WorkingState, colour: Colour) -> None:
        self._play = play
        self.is_purple = colour == "Purple"
        self.reach = play.scenario.purple["moves"] if self.is_purple else 0
        self.city: Region | None = None
        self.groups: dict[Region, Effect] = {}
        self.only_event: CardId | None = None
        self._cubes = play.scenario.purple["cubes"] if self.is_purple else 0
        self._placed: dict[Belt | None, int] = {}
        self._left = len(BELTS) if self.is_purple else 0
        self._activated: set[Belt | Region] = set()

    def take_card(self, card: Card) -> None:
        """Take the numbers of an action card. Source: PIW1.cards.numbers."""
        self._cubes, self._left = self._play.cubes_of_card(card), card.groups
        self.reach, self.city = card.moves, card.city

    def take_best(self, cards: Sequence[Card]) -> None:
        """Take the largest numbers of some cards, for checks before a card is chosen."""
        if cards:
            self._cubes = max(card.cubes for card in cards)
            self._left = max(card.groups for card in cards)
            self.reach = max(card.moves for card in cards)

    def cubes_left(self, belt: Belt | None) -> int:
        """Return how many cubes can still be placed. Purple has a separate number in each belt."""
        key = belt if self.is_purple else None
        return self._cubes - self._placed.get(key, 0)

    def add_cubes(self, count: int) -> None:
        """Add cubes that a card allows to place."""
        self._cubes += count

    def count_placed(self, belt: Belt | None, count: int) -> None:
        """Count cubes that were placed."""
        key = belt if self.is_purple else None
        self._placed[key] = self._placed.get(key, 0) + count

    def activate(self, region: Region | None) -> bool:
        """Spend an activation on a region, or on the Casualty Box (None); return whether one was left.

        A region is activated once, for any number of groups. Purple has one activation in each belt.
        """
        key = (belt_of(region) if self.is_purple else region) if region else None
        if region is not None and (region in self._activated or region in self.groups):
            return True
        if not self._left or (self.is_purple and key is not None and key in self._activated):
            return False
        self._left -= 1
        if region is not None and key is not None:
            self._activated |= {region, key}
        return True

    def reach_from(self, region: Region) -> int:
        """Return the reach of a group that starts in a region."""
        extra = self.groups.get(region)
        return max(self.reach, extra.moves) if extra else self.reach


CARRIED_COLOURS: Mapping[Colour, tuple[Colour, int, int]] = {"Blue": ("Brown", 2, 1), "Brown": ("Blue", 1, 2)}
"""The colour that a leading colour can take along, how many cubes of it, and for how many leading cubes."""


class UsMoves:
    """The moves of a phase. Each cube moves once, so `_arrived` counts the cubes that have moved."""

    def __init__(self, play: WorkingState, colour: Colour, allowance: PhaseLimits) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[tuple[Region, Colour], int] = {}

    def move(self, order: Move) -> OrderFault | None:
        """Move a group; return why if it can't move. Source: PIW1.move.group, PIW1.blue.2, PIW1.brown.2."""
        cubes = self._cubes_to_move(order)
        fault = (
            self._control_fault(order.start)
            or self._number_fault(order, cubes)
            or group_fault(self.leads(order.start), cubes, order)
            or route_fault(self.play, order, tuple(cubes), self.allowance.reach_from(order.start))
            or self._stacking_fault(order, cubes)
        )
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return OrderFault(code="no-activation", detail={"start": order.start})
        self.play.move_cubes(order.start, order.to, cubes)
        for colour, count in cubes.items():
            key = (order.to, colour)
            self._arrived[key] = self._arrived.get(key, 0) + count
        self.play.entered.add(order.to)
        self.play.tell(Moved, cubes=cubes, start=order.start, to=order.to)
        return None

    def leads(self, start: Region) -> tuple[Colour, ...]:
        """Return the colours that may lead a group out of a region: the disc's and those of a card."""
        extra = self.allowance.groups.get(start)
        return tuple(dict.fromkeys((self.colour, *(extra.leads if extra else ()))))

    def part_brown_from_purple(self) -> None:
        """Move Brown cubes away from Purple ones if losses left them without Blue. Source: PIW1.purple.part.

        This happens in the next phase of either colour, and costs no activation.
        """
        if self.colour not in ("Brown", "Purple"):
            return
        for region in self.play.regions_with(("Brown",)):
            while not standing_orders.may_mingle(self.play, region, ()):
                ways = standing_orders.retreat_regions(self.play, region, "Brown")
                if not ways or not self.play.count(region, "Brown"):
                    break
                count = min(self.play.count(region, "Brown"), self.play.us_room(ways[0]))
                self.play.move_cubes(region, ways[0], {"Brown": count})
                self.play.tell(Moved, cubes={"Brown": count}, start=region, to=ways[0], parted=True)

    def _cubes_to_move(self, order: Move) -> dict[Colour, int]:
        """Return the cubes of an order by colour, with numbers instead of ALL_CUBES."""
        return {
            colour: self._movable(order.start, colour) if count == ALL_CUBES else count
            for colour, count in order.cubes.items()
        }

    def _movable(self, region: Region, colour: Colour) -> int:
        return self.play.count(region, colour) - self._arrived.get((region, colour), 0)

    def _control_fault(self, start: Region) -> OrderFault | None:
        """Return why Purple can't activate a region: it doesn't control it. Source: PIW1.purple.5."""
        if self.colour == "Purple" and self.play.tribe_cubes(start):
            return OrderFault(code="not-controlled", detail={"start": start})
        return None

    def _number_fault(self, order: Move, cubes: Mapping[Colour, int]) -> OrderFault | None:
        for colour, count in cubes.items():
            fresh = self._movable(order.start, colour)
            if not count or fresh < count:
                detail = {"start": order.start, "colour": colour, "count": str(fresh)}
                return OrderFault(code="too-few", detail=detail)
        return None

    def _stacking_fault(self, order: Move, cubes: Mapping[Colour, int]) -> OrderFault | None:
        """Return why a group can't enter its goal, or can't leave other cubes behind; None if it can."""
        if self.play.us_room(order.to) < sum(cubes.values()):
            return OrderFault(
                code="no-room", detail={"at": order.to, "count": str(self.play.us_room(order.to))}
            )
        if not standing_orders.may_mingle(self.play, order.to, tuple(cubes)):
            return OrderFault(code="apart", detail={"at": order.to})
        staying = {c for c in SOLDIERS if self.play.count(order.start, c) > cubes.get(c, 0)}
        here = {c for c in SOLDIERS if self.play.count(order.start, c)}
        if staying == {"Brown", "Purple"} and "Blue" in here and not self.play.board.is_city(order.start):
            return OrderFault(code="left-together", detail={"at": order.start})
        return None


def group_fault(leads: Sequence[Colour], cubes: Mapping[Colour, int], order: Move) -> OrderFault | None:
    """Return why these colours can't move together; None if one of them can lead the others."""
    for lead in leads:
        others = {colour: count for colour, count in cubes.items() if colour != lead}
        carried, many, each = CARRIED_COLOURS.get(lead, ("Black", 0, 1))
        if not cubes.get(lead):
            continue
        if not others or (set(others) == {carried} and others[carried] <= cubes[lead] // each * many):
            return None
    detail = {"start": order.start, "lead": leads[0], "with": CARRIED_COLOURS.get(leads[0], ("", 0, 0))[0]}
    return OrderFault(code="no-influence", detail=detail)


def route_fault(
    play: WorkingState, order: Move, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> OrderFault | None:
    """Return why a group can't reach its goal; None if it can. stops: whether tribes stop it."""
    barred = [colour for colour in colours if not play.board.may_enter(colour, order.to)]
    if barred or order.start == order.to:
        return OrderFault(
            code="barred", detail={"to": order.to, "colour": barred[0] if barred else colours[0]}
        )
    reachable = reachable_regions(play, order.start, colours, reach, stops=stops)
    if order.to not in reachable:
        near = " ".join(reachable)
        detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
        return OrderFault(code="too-far", detail=detail)
    return None


def reachable_regions(
    play: WorkingState, start: Region, colours: Sequence[Colour], reach: int, *, stops: bool = True
) -> dict[Region, int]:
    """Return the regions that a group can reach, with the number of moves, the nearest first.

    stops: whether the group stops when it meets a tribe. Source: PIW1.move.stop.
    """
    distances: dict[Region, int] = {}
    edge = [start]
    for distance in range(1, reach + 1):
        edge = [
            region
            for region in play.board.in_board_order({to for here in edge for to in play.board.ways[here]})
            if region not in distances
            and region != start
            and all(play.board.may_enter(colour, region) for colour in colours)
        ]
        distances |= dict.fromkeys(edge, distance)
        edge = [region for region in edge if not (stops and play.tribe_cubes(region))]
    return distances


# The whole phase, with the effects of cards on its engagements.


class UsPhase:
    """A phase while its orders are carried out.

    colour: the colour of the disc; extra: the colour of an extra die, by region; strikes: the start of each
    group that lets only the U.S. roll in the first round; allowance: the limits; marches: the moves.
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
        """Return the special terms of this phase's engagements. Source: PIW1.purple.9."""
        moves = [event for event in self.play.events if isinstance(event, Moved)]
        struck = frozenset(move.to for move in moves if move.start in self.strikes)
        return EngagementTerms(treaties=self.colour != "Purple", extra=self.extra, first_strike=struck)
