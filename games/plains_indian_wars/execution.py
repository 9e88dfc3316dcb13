"""A U.S. phase up to its engagements: orders and Event cards are carried out.

`legality` uses the same code to check single orders and whole plans."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from games.plains_indian_wars import hands, railroad, standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.engagements import EngagementTerms
from games.plains_indian_wars.events import CardPlayed, LeftOut, Moved, OrderFault, Placed, Recovered, Removed
from games.plains_indian_wars.model import (
    ALL_CUBES,
    SOLDIERS,
    AnyOrder,
    Begin,
    Belt,
    CardId,
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
    belt_of,
)
from games.plains_indian_wars.railroad import served_regions
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


# Rule 1: cubes are placed before any moves; everything else happens in the order of the plan.
# Rule 2: an order that can't be carried out becomes a LeftOut event, and changes nothing else.


def carry_out_orders(phase: UsPhase) -> None:
    """Carry out cards, cubes and moves, and tell every order that can't be carried out."""
    if phase.colour != "Purple":
        play_action_card(phase.play, phase.colour, phase.orders, phase.allowance)
    for card in (event_order for event_order in phase.orders if isinstance(event_order, PlayEvent)):
        announce_event(phase, card)
    for cubes in (place_order for place_order in phase.orders if isinstance(place_order, Place)):
        report_fault(phase.play, cubes, _place_cubes(phase, cubes))
    for order in phase.orders:
        if isinstance(order, Move):
            report_fault(phase.play, order, phase.marches.move(order))
        elif isinstance(order, PlayEvent):
            report_fault(phase.play, order, carry_out_event(phase, order))
        elif isinstance(order, Recover):
            report_fault(phase.play, order, recover(phase.play, phase.colour, phase.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | Place | NoPlace | Instruction):
            assert_never(order)
    phase.marches.part_brown_from_purple()


def report_fault(play: WorkingState, order: AnyOrder, fault: OrderFault | None) -> None:
    """Tell that an order was left out, or carried out in part, if it has a fault."""
    if fault is not None:
        partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
        play.tell(LeftOut, order=order, why=fault, partly=partly)


def _place_cubes(phase: UsPhase, order: Place) -> OrderFault | None:
    fault = placement_fault(phase.play, phase.colour, order, phase.allowance)
    if fault is not None:
        return fault
    belt = belt_of(order.at)
    wanted = min(order.count, phase.allowance.cubes_left(belt))
    here = min(wanted, phase.play.us_room(order.at))
    came = phase.play.add_from_ready(order.at, phase.colour, here)
    phase.allowance.count_placed(belt, came)
    if came:
        phase.play.tell(Placed, colour=phase.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "no-room" if here < wanted else "ready-box-empty"
    return OrderFault(code=code, detail={"count": str(came), "at": order.at})


def play_action_card(
    play: WorkingState, colour: Colour, orders: Sequence[AnyOrder], allowance: PhaseLimits
) -> None:
    """Play the action card of the orders, or the first one in hand.

    A hand without action cards discards an Event, unless the orders play it.
    Source: PIW1.cards.action, PIW2.cards.1.
    """
    deck = play.materials.deck_for(colour)
    assert deck is not None, f"{colour} has a deck"
    named = [order for order in orders if isinstance(order, PlayAction | Discard)]
    if possible := hands.action_cards(play.now, deck):
        ids = [card.id for card in possible]
        chosen = next((order.card for order in named if order.card in ids), ids[0])
        allowance.take_card(play.materials.cards[chosen])
        hands.play_card(play, chosen)
        play.tell(CardPlayed, card=chosen)
    elif hand := hands.cards_in_hand(play.now, deck):
        ids = [card.id for card in hand]
        chosen = next((order.card for order in named if order.card in ids), ids[0])
        allowance.only_event = chosen
        if not any(isinstance(order, PlayEvent) and order.card == chosen for order in orders):
            hands.play_card(play, chosen)
            play.tell(CardPlayed, card=chosen, discarded=True)


def recover(play: WorkingState, colour: Colour, allowance: PhaseLimits) -> OrderFault | None:
    """Empty the Casualty Box into the Ready Box for one activation. Source: PIW1.move.recover."""
    if not play.fallen.get(colour):
        return OrderFault(code="nobody-fell", detail={"colour": colour})
    if not allowance.activate(None):
        return OrderFault(code="no-activation")
    bring_back(play, colour)
    return None


def bring_back(play: WorkingState, colour: Colour) -> int:
    """Move the cubes of the Casualty Box to the Ready Box; return their number."""
    count = play.fallen.get(colour, 0)
    play.fallen[colour] = 0
    play.ready[colour] = play.ready.get(colour, 0) + count
    if count:
        play.tell(Recovered, colour=colour, count=count)
    return count


def placement_fault(
    play: WorkingState, colour: Colour, order: Place, allowance: PhaseLimits
) -> OrderFault | None:
    """Return why cubes of a colour can't be placed in a region; None if they can.

    Source: PIW1.place.blue, PIW1.place.brown.
    """
    if order.at not in placement_regions(play, colour):
        return OrderFault(
            code="no-place-there", detail={"at": order.at, "near": " ".join(placement_regions(play, colour))}
        )
    if allowance.city and order.at in (ST_LOUIS, SACRAMENTO) and order.at != allowance.city:
        return OrderFault(code="other-city", detail={"at": order.at, "near": allowance.city})
    if not standing_orders.may_mingle(play, order.at, (colour,)):
        return OrderFault(code="apart", detail={"at": order.at})
    return None


def placement_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where cubes of a U.S. colour can be placed, in board order."""
    if colour == "Purple":
        return play.board.regions_in_zones("NE", "SE")
    cities = (SACRAMENTO, ST_LOUIS)
    if colour == "Blue":
        return cities
    return play.board.in_board_order(
        (*cities, *(region for region in served_regions(play.now) if not play.tribe_cubes(region)))
    )


# Event cards of the U.S. decks: one function for each operation of data/cards.json.


REGION_OPERATIONS = ("remove", "extra-die", "extra-group", "quiet")
"""The operations that are played in a region."""


def announce_event(phase: UsPhase, order: PlayEvent) -> None:
    """Note an extra group of an Event before any group moves. Source: PIW1.card.winter, PIW1.card.pony."""
    effect = phase.play.materials.cards[order.card].effect
    fault = event_fault(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if effect and effect.op == "extra-group" and order.at and fault is None:
        phase.allowance.groups[order.at] = effect
        if effect.first_strike:
            phase.strikes.add(order.at)


def carry_out_event(phase: UsPhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event; return why it can't be played or has no effect. Source: PIW1.cards.events."""
    fault = event_fault(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if fault is not None:
        return fault
    card = phase.play.materials.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(phase.play, card.id)
    phase.play.tell(CardPlayed, card=card.id, at=order.at)
    phase.events_played += 1
    return _US_EFFECTS[card.effect.op](phase, card, card.effect, order.at)


def event_fault(
    play: WorkingState, colour: Colour, allowance: PhaseLimits, played: int, order: PlayEvent
) -> OrderFault | None:
    """Return why a colour can't play a card as an Event; None if it can.

    played: the number of Events that were played in this phase.
    """
    deck = play.materials.deck_for(colour)
    if (
        deck is None
        or order.card not in play.now.hands[deck]
        or play.materials.cards[order.card].kind != "event"
    ):
        return OrderFault(code="not-in-hand", detail={"card": order.card})
    alone = allowance.only_event
    if played >= play.materials.events or (alone and order.card != alone):
        return OrderFault(code="enough-events", detail={"card": order.card})
    return None


def is_event_target(play: WorkingState, effect: Effect, at: Region) -> bool:
    """Return whether a card can be played in a region, whatever cubes are there."""
    if effect.op == "remove" and effect.where == "railroad":
        return at in play.board.section
    if effect.op == "remove" and effect.where == "by-purple":
        return is_belt(play, at) or any(is_belt(play, other) for other in play.board.near[at])
    if effect.op == "quiet":
        return play.board.section.get(at, -1) + 1 in effect.sections
    return play.board.places[at].zone != "EDGE"


def is_belt(play: WorkingState, region: Region) -> bool:
    """Return whether a region is Purple, Canada or Mexico."""
    return play.board.places[region].zone in ("NE", "SE")


def _is_in_reach(play: WorkingState, effect: Effect, at: Region) -> bool:
    """Return whether the cubes on the board let a card remove tribe cubes in a region."""
    around = (at, *play.board.near[at])
    if effect.where == "by-blue":
        return any(play.count(region, "Blue") for region in around)
    if effect.where == "by-purple":
        return is_belt(play, at) or any(play.count(region, "Purple") for region in play.board.near[at])
    return True


def _remove(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Remove tribe cubes to their Ready Box. Source: PIW1.card.miles, PIW1.card.coups, PIW1.card.cody."""
    play = phase.play
    if at is None or not is_event_target(play, effect, at) or not _is_in_reach(play, effect, at):
        return OrderFault(code="no-target", detail={"card": card.id, "at": at or ""})
    colour = play.tribe_in(at)
    if colour is None:
        return OrderFault(code="nobody-there", detail={"card": card.id, "at": at})
    count = min(effect.cubes, play.count(at, colour))
    play.eliminate(at, colour, count)
    play.tell(Removed, card=card.id, colour=colour, at=at, count=count)
    return None


def _extra_die(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Add a die to one engagement. Source: PIW1.card.gatling."""
    if at is None:
        return OrderFault(code="no-target", detail={"card": card.id, "at": ""})
    phase.extra[at] = effect.colour or "Blue"
    return None


def _extra_group(_phase: UsPhase, card: Card, _effect: Effect, at: Region | None) -> OrderFault | None:
    """Return a fault for an Event without a region; `announce_event` has noted its extra group already."""
    return None if at else OrderFault(code="no-target", detail={"card": card.id, "at": ""})


def _quiet(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Forbid engagements in a region, and add a space in the west. Source: PIW1.card.central."""
    play = phase.play
    railroad.lay_west(play, effect.spaces)
    if at is None or not is_event_target(play, effect, at):
        return OrderFault(code="no-target", detail={"card": card.id, "at": at or ""})
    play.set(quiet=play.board.in_board_order((*play.now.quiet, at)))
    return None


def _rails(phase: UsPhase, card: Card, effect: Effect, _at: Region | None) -> OrderFault | None:
    """Add spaces to the Union Pacific if settlers are beside its railhead. Source: PIW1.card.union."""
    play = phase.play
    if not railroad.plains_left(play.now):
        return OrderFault(code="line-complete", detail={"card": card.id})
    if not railroad.section_workers(play, railroad.union_section(play.now)):
        return OrderFault(code="no-workers", detail={"card": card.id})
    railroad.lay_union(play, effect.spaces)
    return None


def _circle(phase: UsPhase, _card: Card, effect: Effect, _at: Region | None) -> OrderFault | None:
    """Guard the wagons until the turn is over. Source: PIW1.card.circle."""
    phase.play.set(circled=effect.dice)
    return None


_US_EFFECTS: Mapping[str, Callable[[UsPhase, Card, Effect, Region | None], OrderFault | None]] = {
    "remove": _remove,
    "extra-die": _extra_die,
    "extra-group": _extra_group,
    "quiet": _quiet,
    "rails": _rails,
    "circle": _circle,
}
