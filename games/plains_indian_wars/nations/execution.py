"""A tribe's phase and its engagements: orders, Event cards and moves are carried out.

`nations.legality` uses the same code to check whole plans."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from games.plains_indian_wars import hands, railroad, standing_orders
from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.engagements import BaseEngagement, battlefields, dice_for
from games.plains_indian_wars.events import (
    CardPlayed,
    ColumnMoved,
    Moved,
    OrderFault,
    Placed,
    RailsTorn,
    Retreat,
    Rode,
    Struck,
    TurnedBack,
)
from games.plains_indian_wars.execution import (
    PhaseLimits,
    bring_back,
    event_fault,
    play_action_card,
    recover,
    report_fault,
)
from games.plains_indian_wars.model import (
    ALL_CUBES,
    AnyOrder,
    Begin,
    Colour,
    Discard,
    Face,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
)
from games.plains_indian_wars.working_state import WorkingState
from games.record import MutableRecord, Value, field

# Engagements of Variant II: the tribes attack, and rules decide for the U.S.


class EngagementBonus(Value, frozen=True):
    """The effects of a tribe's cards on its engagements.

    fierce: the region where its treaties are hits; alone: by region, the number of first rounds where only
    the tribe rolls.
    """

    fierce: Region | None = None
    alone: Mapping[Region, int] = field(default_factory=dict)


def tribe_battlefields(play: WorkingState, colours: Sequence[Colour]) -> tuple[Region, ...]:
    """Return the regions where some tribes fight, in the order of the player's instructions.

    Guards of a trail without a train aren't attacked. Source: PIW2.train.engage, PIW2.train.guards,
    PIW2.rail.engage, PIW2.custer.engage.
    """
    regions = [region for region in battlefields(play) if play.tribe_in(region) in colours]
    if play.scenario.trains:
        regions = [region for region in regions if region in play.now.trains.values()]
    return standing_orders.engagement_order(play, regions)


def fight_region(play: WorkingState, region: Region, favour: EngagementBonus | None = None) -> None:
    """Fight in a region, and in regions that columns fall back to. Source: PIW2.custer.again."""
    colour = play.tribe_in(region)
    if colour is None or not play.us_cubes(region):
        return
    fight = _NationsEngagement(play, region, colour, favour or EngagementBonus())
    fight.fight(region in play.entered and play.tribe_cubes(region) == 1)
    play.entered.discard(region)
    for name, to in fight.fled.items():
        cubes = play.columns[name].cubes
        play.tell(ColumnMoved, column=name, cubes=cubes, start=region, to=to, back=True)
    for goal in play.board.in_board_order(fight.fled.values()):
        fight_region(play, goal)


def apply_hits(play: WorkingState, region: Region, hits: int) -> dict[Colour, int]:
    """Remove U.S. cubes in a region for the hits of one roll; return the lost cubes by colour."""
    fell: dict[Colour, int] = {}
    hits_left = min(hits, play.us_cubes(region))
    while hits_left:
        colour = _next_to_fall(play, region)
        count = 1 if play.scenario.campaign else min(hits_left, play.count(region, colour))
        play.eliminate(region, colour, count)
        fell[colour] = fell.get(colour, 0) + count
        hits_left -= count
    return fell


def _next_to_fall(play: WorkingState, region: Region) -> Colour:
    """Return the U.S. colour that loses cubes next: the most numerous one, and the first one among equals.

    It takes all hits of a roll, and the next colour takes the rest. In a campaign of columns each hit is
    decided separately, commanders fall last, and the player's instruction decides among equals.
    Source: PIW2.train.most, PIW2.train.ties, PIW2.rail.most, PIW2.custer.most, PIW2.custer.commander.
    """
    order = standing_orders.fall_order(play)
    here = {colour: play.count(region, colour) for colour in order}
    if play.scenario.campaign:
        bare = sum(set(column.cubes) == {"Black"} for column in play.columns.values() if column.at == region)
        here["Black"] = min(here["Black"], bare)
    return max(order, key=lambda colour: (here[colour], -order.index(colour)))


class _NationsEngagement(BaseEngagement):
    """An engagement of Variant II. fled: the region that each column fell back to after a treaty."""

    def __init__(self, play: WorkingState, region: Region, tribe: Colour, favour: EngagementBonus) -> None:
        ours = [colour for colour in play.scenario.fighters if play.count(region, colour)]
        super().__init__(play, region, tribe, ours)
        self.treaties, self.fierce = play.scenario.treaties, favour.fierce == region
        self.alone = favour.alone.get(region, 0)
        self.fled: dict[Colour, Region] = {}
        campaign = play.scenario.campaign
        self.die = campaign.die if campaign and region == campaign.goal else None

    def counts(self) -> dict[Colour, int]:
        """Return the number of dice of each colour; only the tribe's in rounds where a card says so.

        Source: PIW2.train.dice, PIW2.rail.dice, PIW2.custer.dice, PIW2.custer.orange.
        """
        counts = {self.tribe: dice_for(self.cubes_left([self.tribe]))}
        if self.die is not None:
            counts[self.die] = 1
        return counts if len(self.rounds) < self.alone else self.us_dice() | counts

    def tribe_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the tribe's faces, including its die for the Black Hills, after a card's effect on them."""
        shown = self._own_faces(faces)
        return tuple("hit" if face == "treaty" else face for face in shown) if self.fierce else shown

    def lose_us_cubes(self, hits: int) -> dict[Colour, int]:
        """Remove U.S. cubes for a number of hits; return the lost cubes by colour."""
        return apply_hits(self.play, self.region, hits)

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Let one cube of the tribe leave for each blank, if the player's instructions say so.

        Source: PIW2.train.blank, PIW2.rail.blank, PIW2.custer.blank.
        """
        here = self.play.count(self.region, self.tribe)
        if here > standing_orders.withdraws_at(self.play, self.tribe):
            return ()
        leaving = min(here, self._own_faces(faces).count("blank"))
        gone = self.leave_one_by_one(
            self.tribe, leaving, lambda: withdrawal_regions(self.play, self.tribe, self.region)
        )
        return tuple(retreat for retreat in gone if retreat.to is not None)

    def apply_treaty(self) -> None:
        """Move each column back along its own route. Source: PIW2.custer.treaty, PIW2.custer.apart."""
        campaign = self.play.scenario.campaign
        assert campaign is not None, "treaties count where columns ride"
        for name, column in sorted(self.play.columns.items()):
            if column.at != self.region:
                continue
            steps = campaign.columns[name].steps
            to = steps[steps.index(self.region) - 1]
            self.play.move_column(name, to)
            self.fled[name] = to

    def _own_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the faces of the tribe's dice and of its die for the Black Hills."""
        return (*faces.get(self.tribe, ()), *(faces.get(self.die, ()) if self.die else ()))


class TribePhase:
    """The phase of a tribe while its orders are carried out.

    fierce: the start of the cubes whose treaties are hits; alone: by region, the number of first rounds where
    only the tribe rolls; allowance: the limits; warpaths: the moves.
    """

    def __init__(self, play: WorkingState, colour: Colour, orders: Sequence[AnyOrder]) -> None:
        self.play, self.colour = play, colour
        self.orders = tuple(order for order in orders if order.tribe(play) == colour)
        self.allowance = PhaseLimits(play, colour)
        self.warpaths = TribeMoves(play, colour, self.allowance)
        self.fierce: Region | None = None
        self.alone: dict[Region, int] = {}
        self.events_played = 0

    def engagement_bonus(self) -> EngagementBonus:
        """Return the effects of cards on the engagements. Only the first one of the fierce cubes counts."""
        marked = self.warpaths.regions_reached_from(self.fierce) if self.fierce else frozenset()
        first = next(
            (region for region in tribe_battlefields(self.play, (self.colour,)) if region in marked), None
        )
        return EngagementBonus(fierce=first, alone=self.alone)

    def place_cubes(self, at: Region, count: int) -> int:
        """Place cubes from the Ready Box; return their number."""
        came = self.play.add_from_ready(at, self.colour, count)
        if came:
            self.warpaths.note_arrival(None, at, came)
        return came


# The regions where cubes of a tribe can be placed, move and withdraw.


def home_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the plains of a tribe, in board order."""
    return play.board.regions_in_zones("N" if colour == "Green" else "S")


def controls(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether a tribe is in a region without U.S. cubes or wagons. Source: PIW1.control."""
    return bool(play.count(region, colour)) and not play.us_cubes(region)


def is_empty(play: WorkingState, region: Region) -> bool:
    """Return whether a region has no cubes."""
    return not play.us_cubes(region) and not play.tribe_cubes(region)


def placement_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where cubes of a tribe can be placed: the home regions that it controls.

    A tribe that controls none can return in an empty one, if the scenario allows it.
    Source: PIW2.place.home, PIW2.place.empty.
    """
    mine = tuple(region for region in home_regions(play, colour) if controls(play, colour, region))
    if mine or not play.scenario.empty_home:
        return mine
    return tuple(region for region in home_regions(play, colour) if is_empty(play, region))


def may_stand(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether cubes of a tribe may enter a region: its land, and the region of a wagon train.

    Source: PIW2.train.lands, PIW2.rail.lands, PIW2.custer.lands.
    """
    land = play.scenario.lands[colour]
    if region in land.barred:
        return False
    if play.board.places[region].zone in land.zones:
        return True
    return region in play.now.trains.values() and play.board.may_enter(colour, region)


def reachable_regions(play: WorkingState, colour: Colour, start: Region, reach: int) -> dict[Region, int]:
    """Return the regions that a group can reach, with the number of moves, the nearest first.

    A group can only move on through U.S. cubes if the scenario allows it.
    Source: PIW2.train.through, PIW2.rail.stop.
    """
    distances: dict[Region, int] = {}
    edge: Sequence[Region] = [start]
    for distance in range(1, reach + 1):
        beyond = play.board.in_board_order({to for here in edge for to in play.board.near[here]})
        edge = [
            region
            for region in beyond
            if region not in distances and region != start and may_stand(play, colour, region)
        ]
        distances |= dict.fromkeys(edge, distance)
        if not play.scenario.passing:
            edge = [region for region in edge if not play.us_cubes(region)]
    return distances


def withdrawal_regions(play: WorkingState, colour: Colour, start: Region) -> tuple[Region, ...]:
    """Return the regions that a cube may withdraw to, the best first.

    The region of the player's instruction comes first, then those with most cubes of the tribe.
    Source: PIW2.withdraw.where.
    """
    regions = [
        region
        for region in play.board.near[start]
        if may_stand(play, colour, region)
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribe_cubes(region) < play.tribe_limit(region)
    ]
    wanted = (standing_orders.instruction_on(play, "fall back", start) or ("",))[0]
    return tuple(sorted(regions, key=lambda region: (region != wanted, -play.tribe_cubes(region))))


# The moves of a tribe, and the return of cubes without room at the end.


class _Group(MutableRecord):
    """Cubes that came to a region in this phase. start: None if they were placed there."""

    start: Region | None
    to: Region
    count: int


class TribeMoves:
    """The moves of a tribe's phase. Each cube moves once, so `_arrived` counts the cubes that have moved."""

    def __init__(self, play: WorkingState, colour: Colour, allowance: PhaseLimits) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[Region, int] = {}
        self._groups: list[_Group] = []

    def move(self, order: Move) -> OrderFault | None:
        """Move a group; return why if it can't move. A region may hold too many cubes until the end.

        Source: PIW1.move.group, PIW1.move.once, PIW2.limit.end.
        """
        fresh = self.movable(order.start)
        count = order.cubes.get(self.colour, 0)
        if count == ALL_CUBES:
            count = fresh
        if not count or fresh < count:
            detail = {"start": order.start, "colour": self.colour, "count": str(fresh)}
            return OrderFault(code="too-few", detail=detail)
        fault = route_fault(self.play, self.colour, order, self.allowance.reach)
        if fault is not None:
            return fault
        if not self.allowance.activate(order.start):
            return OrderFault(code="no-activation", detail={"start": order.start})
        self.play.move_cubes(order.start, order.to, {self.colour: count})
        self.note_arrival(order.start, order.to, count)
        self.play.tell(Moved, cubes={self.colour: count}, start=order.start, to=order.to)
        return None

    def movable(self, region: Region) -> int:
        """Return the number of cubes in a region that can still move."""
        return self.play.count(region, self.colour) - self._arrived.get(region, 0)

    def note_arrival(self, start: Region | None, to: Region, count: int) -> None:
        """Note that cubes came to a region. If start is None they were placed, and can still move."""
        self._groups.append(_Group(start, to, count))
        if start is not None:
            self._arrived[to] = self._arrived.get(to, 0) + count

    def regions_reached_from(self, start: Region) -> frozenset[Region]:
        """Return a region and the regions that its cubes moved to."""
        return frozenset(
            {start, *(group.to for group in self._groups if group.start == start and group.count)}
        )

    def turn_back(self) -> None:
        """Send back the cubes that are too many at the end, the latest ones first. Source: PIW2.limit.end."""
        while over := [r for r in self.play.regions_with((self.colour,)) if self._excess(r) > 0]:
            for region in over:
                for group in reversed(self._groups):
                    if group.to == region and group.count:
                        self._send_back(group, min(group.count, self._excess(region)))

    def _excess(self, region: Region) -> int:
        return max(0, self.play.count(region, self.colour) - self.play.tribe_limit(region))

    def _send_back(self, group: _Group, count: int) -> None:
        if not count:
            return
        group.count -= count
        self.play.remove_cubes(group.to, self.colour, count)
        if group.start is None:
            self.play.ready[self.colour] = self.play.ready.get(self.colour, 0) + count
        else:
            self.play.add_cubes(group.start, self.colour, count)
        self.play.tell(TurnedBack, colour=self.colour, count=count, start=group.to, to=group.start)


def route_fault(play: WorkingState, colour: Colour, order: Move, reach: int) -> OrderFault | None:
    """Return why a group can't reach its goal; None if it can."""
    if order.start == order.to or not may_stand(play, colour, order.to):
        return OrderFault(code="barred", detail={"to": order.to, "colour": colour})
    reachable = reachable_regions(play, colour, order.start, reach)
    if order.to in reachable:
        return None
    near = " ".join(reachable)
    detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
    return OrderFault(code="out-of-reach" if play.scenario.passing else "met", detail=detail)


# Rule 1: cards that bring cubes back come first, then cubes are placed; everything else happens in the order
# of the plan.
# Rule 2: an order that can't be carried out becomes a LeftOut event, and changes nothing else.
# Rule 3: a dry run doesn't roll dice, so attacks by cards do nothing in it.


FIRST_OPERATIONS, PLACING_OPERATIONS = ("muster",), ("fierce",)
"""The operations of Events that are carried out before cubes are placed, and together with them."""


def carry_out_plan(plan: TribePhase) -> None:
    """Carry out cards, cubes and moves, and tell orders that can't be carried out. Source: PIW2.turn.plan."""
    play_action_card(plan.play, plan.colour, plan.orders, plan.allowance)
    early = [order for order in plan.orders if _operation_of(plan, order) in FIRST_OPERATIONS]
    cubes = [o for o in plan.orders if isinstance(o, Place) or _operation_of(plan, o) in PLACING_OPERATIONS]
    rest = [order for order in plan.orders if order not in (*early, *cubes)]
    for order in (*early, *cubes, *rest):
        if isinstance(order, Place):
            report_fault(plan.play, order, _place_cubes(plan, order))
        elif isinstance(order, Move):
            report_fault(plan.play, order, plan.warpaths.move(order))
        elif isinstance(order, PlayEvent):
            report_fault(plan.play, order, _play_event(plan, order))
        elif isinstance(order, Recover):
            report_fault(plan.play, order, recover(plan.play, plan.colour, plan.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | NoPlace | Instruction):
            assert_never(order)
    plan.warpaths.turn_back()


def _place_cubes(plan: TribePhase, order: Place) -> OrderFault | None:
    """Place cubes, up to the number of the action card. Source: PIW2.place.home."""
    fault = home_fault(plan.play, plan.colour, order.at)
    if fault is not None:
        return fault
    wanted = min(order.count, plan.allowance.cubes_left(None))
    came = plan.place_cubes(order.at, wanted)
    plan.allowance.count_placed(None, came)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "ready-box-empty"
    return OrderFault(code=code, detail={"count": str(came), "at": order.at})


def _play_event(plan: TribePhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event; return why it can't be played or has no effect. Source: PIW1.cards.events."""
    fault = event_fault(plan.play, plan.colour, plan.allowance, plan.events_played, order)
    if fault is not None:
        return fault
    plan.events_played += 1
    return carry_out_event(plan, order)


def _operation_of(plan: TribePhase, order: AnyOrder) -> str:
    if not isinstance(order, PlayEvent):
        return ""
    effect = plan.play.materials.cards[order.card].effect
    return effect.op if effect else ""


def home_fault(play: WorkingState, colour: Colour, at: Region) -> OrderFault | None:
    """Return why cubes of a tribe can't be placed in a region; None if they can."""
    open_to = placement_regions(play, colour)
    if at in open_to:
        return None
    code = "not-held" if tribe_of(at) == colour and play.board.is_plains(at) else "no-home"
    return OrderFault(code=code, detail={"at": at, "near": " ".join(open_to)})


# Event cards of the tribes' decks: one function for each operation of data/cards.json.


TRIBE_REGION_OPERATIONS = ("strike", "sweep", "fierce", "first-strike")
"""The operations that are played in a region."""

TRIBE_TARGET_OPERATIONS = ("strike",)
"""The operations that are played in a region against another one."""


def carry_out_event(plan: TribePhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event that can be played; return why it has no effect, or None."""
    card = plan.play.materials.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(plan.play, card.id)
    plan.play.tell(CardPlayed, card=card.id, at=order.at, to=order.to)
    return _TRIBE_EFFECTS[card.effect.op](plan, card, card.effect, order)


def strike_targets(play: WorkingState, colour: Colour, at: Region) -> tuple[Region, ...]:
    """Return the regions where the force of a region can strike: its own region and its neighbours.

    Guards alone and columns at their start aren't targets. Source: PIW2.card.held, PIW2.card.spared.
    """
    if not play.count(at, colour):
        return ()
    return tuple(region for region in (at, *play.board.near[at]) if is_strike_target(play, region))


def is_strike_target(play: WorkingState, region: Region) -> bool:
    """Return whether a card can strike at the U.S. in a region."""
    if not play.us_cubes(region):
        return False
    if play.scenario.trains:
        return region in play.now.trains.values()
    campaign = play.scenario.campaign
    starts = [route.steps[0] for route in campaign.columns.values()] if campaign else []
    return region not in starts


def raid_targets(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the regions where a card can raid settlers and wagons: with the tribe or beside it.

    In a campaign of columns there are none.
    """
    if play.scenario.campaign:
        return ()
    held = play.regions_with((colour,))
    near = {neighbour for region in held for neighbour in (region, *play.board.near[region])}
    return tuple(
        r
        for r in play.board.in_board_order(near)
        if is_strike_target(play, r) and (play.count(r, "Brown") or play.count(r, "White"))
    )


def _no_target(order: PlayEvent) -> OrderFault:
    return OrderFault(code="no-target", detail={"card": order.card, "at": order.at or ""})


def _roll_strike(plan: TribePhase, card: Card, effect: Effect, at: Region, to: Region, most: int) -> None:
    """Roll once for a force, with a die for each cube up to a number. Source: PIW2.card.strike."""
    play = plan.play
    if play.is_dry_run:
        return
    label = f"{play.dice_label}/{card.id}/{to}"
    count = min(play.count(at, plan.colour), most)
    faces = play.materials.roll(play.dice, label, plan.colour, count)
    fell = apply_hits(play, to, sum(face in effect.faces for face in faces))
    play.tell(Struck, card=card.id, colour=plan.colour, start=at, to=to, faces=faces, fell=fell)


def _strike(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let one force strike at one region. Source: PIW2.card.crazy."""
    at = order.at
    if at is None or not (targets := strike_targets(plan.play, plan.colour, at)):
        return _no_target(order)
    to = order.to if order.to in targets else targets[0] if order.to is None else None
    if to is None:
        return _no_target(order)
    _roll_strike(plan, card, effect, at, to, plan.play.scenario.card_dice)
    return None


def _sweep(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let one force strike at all its neighbours, and then ride away.

    Source: PIW2.card.geronimo, PIW2.card.geronimo.where.
    """
    play, at = plan.play, order.at
    if at is None or not play.count(at, plan.colour):
        return _no_target(order)
    for to in strike_targets(play, plan.colour, at):
        if to != at:
            _roll_strike(plan, card, effect, at, to, dice_for(play.count(at, plan.colour)))
    goal = _ride_goal(play, plan.colour, effect, order)
    force = play.count(at, plan.colour)
    room = play.tribe_limit(goal) - play.tribe_cubes(goal) if goal else 0
    rest = force - min(force, room)
    for whither, count in ((goal, force - rest), (None, rest)):
        if count:
            _ride(plan, card, at, whither, count)
    return None


def _ride(plan: TribePhase, card: Card, at: Region, to: Region | None, count: int) -> None:
    play, colour = plan.play, plan.colour
    play.remove_cubes(at, colour, count)
    if to is None:
        play.ready[colour] = play.ready.get(colour, 0) + count
    else:
        play.add_cubes(to, colour, count)
        plan.warpaths.note_arrival(at, to, count)
    play.tell(Rode, card=card.id, cubes={colour: count}, start=at, to=to)


def _ride_goal(play: WorkingState, colour: Colour, effect: Effect, order: PlayEvent) -> Region | None:
    """Return the region that a force rides to: the card's, or otherwise one at home; None if there is none.

    At home it is the region of the order, or the region with the most room.
    """
    if effect.to is not None and may_stand(play, colour, effect.to):
        return effect.to
    free = havens(play, colour, order.at)
    if order.to in free:
        return order.to
    return max(free, key=lambda region: play.tribe_limit(region) - play.tribe_cubes(region), default=None)


def havens(play: WorkingState, colour: Colour, start: Region | None) -> tuple[Region, ...]:
    """Return the regions at home with room for a force that rides away."""
    return tuple(
        region
        for region in home_regions(play, colour)
        if region != start
        and (controls(play, colour, region) or is_empty(play, region))
        and play.tribe_cubes(region) < play.tribe_limit(region)
    )


def event_places(play: WorkingState, colour: Colour, effect: Effect) -> tuple[Region | None, ...]:
    """Return the regions where an Event can be played now, with None for an Event without a region."""
    if effect.op == "fierce":
        return placement_regions(play, colour)
    if effect.op in TRIBE_REGION_OPERATIONS:
        return play.regions_with((colour,)) or placement_regions(play, colour)
    return (None, *raid_targets(play, colour)) if effect.op == "raid" and not play.scenario.works else (None,)


def event_goals(play: WorkingState, colour: Colour, effect: Effect, at: Region) -> tuple[Region, ...]:
    """Return the regions that a force can strike from a region, or ride to; () if there is no choice."""
    if effect.op in TRIBE_TARGET_OPERATIONS:
        goals = strike_targets(play, colour, at)
    elif effect.op == "sweep" and (effect.to is None or not may_stand(play, colour, effect.to)):
        goals = havens(play, colour, at) if play.count(at, colour) else ()
    else:
        return ()
    return goals if len(goals) > 1 else ()


def _fierce(plan: TribePhase, _card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Place cubes in a region. In their first engagement treaties are hits. Source: PIW2.card.fierce."""
    if order.at is None or order.at not in placement_regions(plan.play, plan.colour):
        return _no_target(order)
    came = plan.place_cubes(order.at, effect.cubes)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came, why="card")
    plan.fierce = order.at
    return None


def _first_strike(plan: TribePhase, _card: Card, _effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Let only the tribe roll in the first rounds. Source: PIW2.card.alone."""
    if order.at is None:
        return _no_target(order)
    plan.alone[order.at] = plan.play.scenario.alone
    return None


def _raid(plan: TribePhase, card: Card, effect: Effect, order: PlayEvent) -> OrderFault | None:
    """Remove spaces of the railroad, or raid settlers and wagons. Source: PIW2.card.rails, PIW2.card.raid."""
    play = plan.play
    if play.scenario.works:
        count = railroad.tear_up(play, plan.colour, effect.spaces)
        if not count:
            return _no_target(order)
        play.tell(RailsTorn, card=card.id, count=count, built=play.now.union)
        return None
    targets = raid_targets(play, plan.colour)
    to = order.at if order.at is not None else next(iter(targets), None)
    if to not in targets or to is None:
        return _no_target(order)
    if play.is_dry_run:
        return None
    start = max((to, *play.board.near[to]), key=lambda region: play.count(region, plan.colour))
    count = max(effect.dice, min(play.count(start, plan.colour), play.scenario.card_dice))
    faces = play.materials.roll(play.dice, f"{play.dice_label}/{card.id}/{to}", plan.colour, count)
    fell: dict[Colour, int] = {}
    for _ in range(sum(face in effect.faces for face in faces)):
        here = {colour: play.count(to, colour) for colour in effect.prey}
        colour = max(effect.prey, key=lambda candidate: (here[candidate], -effect.prey.index(candidate)))
        if here[colour]:
            play.eliminate(to, colour, 1)
            fell[colour] = fell.get(colour, 0) + 1
    play.tell(Struck, card=card.id, colour=plan.colour, start=start, to=to, faces=faces, fell=fell)
    return None


def _muster(plan: TribePhase, _card: Card, effect: Effect, _order: PlayEvent) -> OrderFault | None:
    """Empty the Casualty Box, and let some of its cubes be placed at once. Source: PIW2.card.muster."""
    came = bring_back(plan.play, plan.colour)
    plan.allowance.add_cubes(min(effect.cubes, came))
    return None if came else OrderFault(code="nobody-fell", detail={"colour": plan.colour})


_TRIBE_EFFECTS: Mapping[str, Callable[[TribePhase, Card, Effect, PlayEvent], OrderFault | None]] = {
    "strike": _strike,
    "sweep": _sweep,
    "fierce": _fierce,
    "first-strike": _first_strike,
    "raid": _raid,
    "muster": _muster,
}
