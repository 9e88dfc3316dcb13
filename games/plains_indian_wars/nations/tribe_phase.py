"""A tribe's phase on the table: where its cubes may go, their moves, and its engagements."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.engagements import BaseEngagement, battlefields, dice_for
from games.plains_indian_wars.events import ColumnMoved, Moved, OrderFault, Retreat, TurnedBack
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
from games.plains_indian_wars.us_phase import PhaseLimits
from games.plains_indian_wars.working_state import WorkingState
from games.record import MutableRecord, Value, field

# Engagements of Variant II: the tribes attack, the U.S. defends by procedure.


class EngagementBonus(Value, frozen=True):
    """The effect of a tribe's cards on its engagements.

    fierce: where its treaties are hits; alone: by region, in how many first rounds it rolls alone.
    """

    fierce: Region | None = None
    alone: Mapping[Region, int] = field(default_factory=dict)


def tribe_battlefields(play: WorkingState, colours: Sequence[Colour]) -> tuple[Region, ...]:
    """Return where some tribes fight, in the order in which the player wants it.

    Guards of a trail are never attacked for themselves. Source: PIW2.train.engage, PIW2.train.guards,
    PIW2.rail.engage, PIW2.custer.engage.
    """
    regions = [region for region in battlefields(play) if play.tribe_in(region) in colours]
    if play.scenario.trains:
        regions = [region for region in regions if region in play.now.trains.values()]
    return standing_orders.engagement_order(play, regions)


def fight_region(play: WorkingState, region: Region, favour: EngagementBonus | None = None) -> None:
    """Fight the engagement of a region, and those to which a treaty leads. Source: PIW2.custer.again."""
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
    """Remove cubes that the U.S. loses in a region to hits of one roll; return them by colour."""
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
    """Return the colour that loses next: the most numerous, of equals the first of the scenario's list.

    A roll's hits all come from it, the surplus from the next; columns are judged cube by cube, with a
    commander the last of his men, and the player says which troopers fall among equals.
    Source: PIW2.train.most, PIW2.train.ties, PIW2.rail.most, PIW2.custer.most, PIW2.custer.commander.
    """
    order = standing_orders.fall_order(play)
    here = {colour: play.count(region, colour) for colour in order}
    if play.scenario.campaign:
        bare = sum(set(column.cubes) == {"Black"} for column in play.columns.values() if column.at == region)
        here["Black"] = min(here["Black"], bare)
    return max(order, key=lambda colour: (here[colour], -order.index(colour)))


class _NationsEngagement(BaseEngagement):
    """An engagement of Variant II. fled: where each column went after a treaty."""

    def __init__(self, play: WorkingState, region: Region, tribe: Colour, favour: EngagementBonus) -> None:
        ours = [colour for colour in play.scenario.fighters if play.count(region, colour)]
        super().__init__(play, region, tribe, ours)
        self.treaties, self.fierce = play.scenario.treaties, favour.fierce == region
        self.alone = favour.alone.get(region, 0)
        self.fled: dict[Colour, Region] = {}
        campaign = play.scenario.campaign
        self.die = campaign.die if campaign and region == campaign.goal else None

    def counts(self) -> dict[Colour, int]:
        """Return the dice of both sides; of the tribe alone while a card says so.

        Source: PIW2.train.dice, PIW2.rail.dice, PIW2.custer.dice, PIW2.custer.orange.
        """
        counts = {self.tribe: dice_for(self.cubes_left([self.tribe]))}
        if self.die is not None:
            counts[self.die] = 1
        return counts if len(self.rounds) < self.alone else self.us_dice() | counts

    def tribe_faces(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Face, ...]:
        """Return the tribe's faces, with its die for the Black Hills.

        A card turns treaties into hits.
        """
        shown = self._own_faces(faces)
        return tuple("hit" if face == "treaty" else face for face in shown) if self.fierce else shown

    def lose_us_cubes(self, hits: int) -> dict[Colour, int]:
        """Remove cubes that the U.S. loses by its procedure."""
        return apply_hits(self.play, self.region, hits)

    def withdraw(self, faces: Mapping[Colour, tuple[Face, ...]]) -> tuple[Retreat, ...]:
        """Let one cube of the tribe leave for each blank, where the player said so; the U.S. stays.

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
        """Return the tribe's own faces, and that of the die of the Black Hills.

        The die counts as one of its own for every face.
        """
        return (*faces.get(self.tribe, ()), *(faces.get(self.die, ()) if self.die else ()))


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


# The regions where the cubes of a tribe may come, go, pass and withdraw to.


def home_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return the plains of a tribe, in board order."""
    return play.board.regions_in_zones("N" if colour == "Green" else "S")


def controls(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether a tribe alone is in a region: no cube of the U.S., no wagon. Source: PIW1.control."""
    return bool(play.count(region, colour)) and not play.us_cubes(region)


def is_empty(play: WorkingState, region: Region) -> bool:
    """Return whether nobody is in a region."""
    return not play.us_cubes(region) and not play.tribe_cubes(region)


def placement_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return where cubes of a tribe come on the board: home regions that it controls.

    A tribe that controls none begins again in an empty one, where the scenario lets it.
    Source: PIW2.place.home, PIW2.place.empty.
    """
    mine = tuple(region for region in home_regions(play, colour) if controls(play, colour, region))
    if mine or not play.scenario.empty_home:
        return mine
    return tuple(region for region in home_regions(play, colour) if is_empty(play, region))


def may_stand(play: WorkingState, colour: Colour, region: Region) -> bool:
    """Return whether cubes of a tribe may go to a region: its land, and any region of the wagon train.

    Source: PIW2.train.lands, PIW2.rail.lands, PIW2.custer.lands.
    """
    land = play.scenario.lands[colour]
    if region in land.barred:
        return False
    if play.board.places[region].zone in land.zones:
        return True
    return region in play.now.trains.values() and play.board.may_enter(colour, region)


def reachable_regions(play: WorkingState, colour: Colour, start: Region, reach: int) -> dict[Region, int]:
    """Return where a group may end, with the number of moves, nearest first.

    It goes on through the U.S. only where the scenario says so.
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
    """Return where one cube may withdraw to, the best first.

    The neighbours named come first, else those where most of its tribe are. Source: PIW2.withdraw.where.
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


# Moves of a tribe: groups, routes, and what becomes of cubes for which there is no room in the end.


class _Group(MutableRecord):
    """Cubes that came to a region in this phase; start None: they were placed there."""

    start: Region | None
    to: Region
    count: int


class TribeMoves:
    """The moves in a phase of a tribe. Each cube moves once: `_arrived` holds those that have."""

    def __init__(self, play: WorkingState, colour: Colour, allowance: PhaseLimits) -> None:
        self.play, self.colour, self.allowance = play, colour, allowance
        self._arrived: dict[Region, int] = {}
        self._groups: list[_Group] = []

    def move(self, order: Move) -> OrderFault | None:
        """Move a group, or return why not. A region may hold too many until all have moved.

        Source: PIW1.move.group, PIW1.move.once, PIW2.limit.end.
        """
        count = self._count_to_move(order)
        fresh = self.movable(order.start)
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
        """Return how many cubes of a region may still move."""
        return self.play.count(region, self.colour) - self._arrived.get(region, 0)

    def note_arrival(self, start: Region | None, to: Region, count: int) -> None:
        """Note that cubes came to a region; those that were placed (start None) may still move."""
        self._groups.append(_Group(start, to, count))
        if start is not None:
            self._arrived[to] = self._arrived.get(to, 0) + count

    def regions_reached_from(self, start: Region) -> frozenset[Region]:
        """Return a region, and those to which its cubes have gone."""
        return frozenset(
            {start, *(group.to for group in self._groups if group.start == start and group.count)}
        )

    def turn_back(self) -> None:
        """Send cubes back that are too many at the end: the last to come first. Source: PIW2.limit.end."""
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

    def _count_to_move(self, order: Move) -> int:
        count = order.cubes.get(self.colour, 0)
        return self.movable(order.start) if count == ALL_CUBES else count


def route_fault(play: WorkingState, colour: Colour, order: Move, reach: int) -> OrderFault | None:
    """Return why a group cannot get there: barred to the tribe, or too far."""
    if order.start == order.to or not may_stand(play, colour, order.to):
        return OrderFault(code="barred", detail={"to": order.to, "colour": colour})
    reachable = reachable_regions(play, colour, order.start, reach)
    if order.to in reachable:
        return None
    near = " ".join(reachable)
    detail = {"start": order.start, "to": order.to, "reach": str(reach), "near": near}
    return OrderFault(code="out-of-reach" if play.scenario.passing else "met", detail=detail)
