"""The beginner: the War Chest automaton's priorities, unit by unit, as many as the pool lets act."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games import pool
from games.dice import Dice
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.attacks import attack, count_prizes_near
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.candidates import Repertoire, SeasonPlan, buildable_units, powers_of
from games.diplomacy.bots.common import (
    UNREACHABLE_STEPS,
    Situation,
    choose,
    goal_criteria,
    of_unit,
    site_criteria,
    step_criteria,
)
from games.diplomacy.bots.convoys import embark, ferry
from games.diplomacy.bots.reasons import (
    Attacks,
    Backs,
    Covers,
    Crosses,
    Heads,
    Keeps,
    PlannedOrder,
    Rests,
    Shields,
    Takes,
    Waits,
)
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    View,
    Waive,
    split_spot,
)
from games.messages import sentence
from games.priorities import Criterion
from games.protocol import Bot, Choice, Due

UNITS_PER_ROUND = 3
"""For every three units, or the rest of them, a round is drawn from the pool."""


class Beginner(PlanningBot):
    """A bot that plays by the list of priorities alone, with only some of its units each season."""

    def moves(self, situation: Situation, dice: Dice) -> tuple[PlannedOrder, ...]:
        """Return an order for each unit: some act, by the priorities; the others stay where they are."""
        season = _BeginnerPlan(situation, dice)
        season.stay()
        ready = season.idle()
        allowed = actions(dice, len(ready))
        while season.acted < allowed and season.act():
            pass
        for unit in season.idle():
            season.planned[unit] = PlannedOrder(
                Hold(unit=unit.piece), Rests(actions=allowed, units=len(ready))
            )
        return tuple(season.planned[unit] for unit in situation.mine)


def actions(dice: Dice, units: int) -> int:
    """Return how many of a number of units act in a season.

    A bot remembers nothing, so all eleven counters are open when a season begins. A round is drawn for every
    three units, its counter is flipped, and the next round is drawn from the rest.

    Source: The Second Boer War, solitaire rules, steps 1 to 3.
    """
    total, counters = 0, pool.RoundCounters()
    for number in range(-(-units // UNITS_PER_ROUND)):
        done = pool.actions(dice, f"pool/{number}", counters)
        total, counters = total + done, counters.with_round_finished(done)
        if not counters.rounds:
            counters = pool.RoundCounters()
    return min(total, units)


@dataclass
class _BeginnerPlan:
    """A season being planned. `planned` grows until every unit has its order.

    acted: how many units have acted; aims: the units that go to each place or support that move.
    """

    situation: Situation
    dice: Dice
    planned: dict[Unit, PlannedOrder] = field(default_factory=dict)
    aims: dict[Province, list[Unit]] = field(default_factory=dict)
    acted: int = 0

    @cached_property
    def turn_criteria(self) -> tuple[Criterion[Unit], ...]:
        """The criteria that choose the unit to act next."""
        return site_criteria(self.situation, sentence("diplomacy.bots_criteria.unit"), of_unit)

    def idle(self) -> tuple[Unit, ...]:
        """Return the units without an order, in board order."""
        return tuple(unit for unit in self.situation.mine if unit not in self.planned)

    def stay(self) -> None:
        """Let units on centres to win stay, and units that cross a water wait. That takes no action."""
        for unit in self.situation.mine:
            if self.situation.is_held(unit):
                since = self.situation.view.bay_entered[unit.at]
                self.planned[unit] = PlannedOrder(Hold(unit=unit.piece), Crosses(at=unit.at, since=since))
            elif self.situation.is_taker(unit):
                self.planned[unit] = PlannedOrder(Hold(unit=unit.piece), Keeps(centre=unit.at))

    def act(self) -> bool:
        """Let the first unit by the priorities act. Return whether there was one."""
        idle = self.idle()
        if not idle:
            return False
        unit, _ = choose(
            "unit", idle, self.turn_criteria, self.dice, f"unit/{self.acted}", lambda candidate: candidate.at
        )
        self.planned[unit] = self._choose_order(unit)
        self.acted += 1
        return True

    def _choose_order(self, unit: Unit) -> PlannedOrder:
        situation = self.situation
        ahead = self._steps_ahead(unit)
        if not ahead:
            return PlannedOrder(Hold(unit=unit.piece), Waits())
        goal, why = choose("goal", list(ahead), goal_criteria(situation, unit), self.dice, f"goal/{unit.at}")
        if goal in self.aims:
            return self._backs(unit, goal)
        spot, way = choose(
            "step", ahead[goal], step_criteria(situation, unit, goal), self.dice, f"step/{unit.at}"
        )
        self.aims.setdefault(split_spot(spot)[0], []).append(unit)
        order = situation.move(unit, spot)
        if order.to != goal:
            heads = Heads(goal=goal, steps=situation.far(unit, goal), weighed=(why, way))
            return PlannedOrder(order, heads)
        foe = situation.standing.get(goal)
        if foe is None:
            return PlannedOrder(
                order, Takes(centre=goal, owner=situation.view.centres.get(goal), weighed=(why,))
            )
        return PlannedOrder(
            order, Attacks(foe=foe, strength=1, holders=situation.holders(foe), weighed=(why,))
        )

    def _steps_ahead(self, unit: Unit) -> dict[Province, list[Province]]:
        """Return, for each centre that a unit may go for, the adjacent spots that are nearer to it."""
        situation = self.situation
        shut = {*situation.closed_provinces, *self.aims}
        near = [spot for spot in situation.spots(unit) if split_spot(spot)[0] not in shut]
        empty = [spot for spot in near if split_spot(spot)[0] not in situation.standing]
        spots_by_goal = {}
        for goal in situation.prizes:
            if self._is_wanted(unit, goal):
                here = situation.far(unit, goal)
                way = situation.steps(unit.kind, goal)
                spots = [
                    spot for spot in (near if here == 1 else empty) if way.get(spot, UNREACHABLE_STEPS) < here
                ]
                spots_by_goal[goal] = [goal] if goal in self.aims else spots
        return {goal: spots for goal, spots in spots_by_goal.items() if spots}

    def _is_wanted(self, unit: Unit, goal: Province) -> bool:
        """Return whether a unit may go for a centre: as a support that is needed, or as the first unit.

        If it is next to an occupied centre, enough units must be able to take part to get in.
        """
        situation, aiming = self.situation, self.aims.get(goal)
        par = situation.min_attackers(goal)
        if aiming is not None:
            return len(aiming) < par and goal in situation.reach(unit)
        if par == 1 or goal not in situation.reach(unit):
            return True
        return sum(goal in situation.reach(other) for other in self.idle()) >= par

    def _backs(self, unit: Unit, goal: Province) -> PlannedOrder:
        lead, *_ = self.aims[goal]
        self.aims[goal].append(unit)
        order = SupportMove(unit=unit.piece, other=lead.piece, to=goal)
        return PlannedOrder(
            order, Backs(to=goal, number=len(self.aims[goal]), of=self.situation.min_attackers(goal))
        )


# The intermediate: the same priorities, with all units acting together.


class Intermediate(PlanningBot):
    """A bot that attacks with enough units, covers centres in danger, and leaves no unit idle."""

    def moves(self, situation: Situation, dice: Dice) -> tuple[PlannedOrder, ...]:
        """Return an order for each unit.

        1. A unit on a centre to win, or on an own centre that enemies can reach, stays and may support.
        2. Convoys to centres that no one contests.
        3. Attacks that should not fail.
        4. Cover for centres in danger.
        5. Attacks that may succeed.
        6. Other convoys.
        7. Moves to the closest centre. Units without an order support.
        """
        plan = SeasonPlan(situation, dice)
        hold_keepers(plan)
        ferry(plan, at_once=True)
        attack(plan, daring=False)
        cover_centres(plan)
        attack(plan, daring=True)
        ferry(plan, at_once=False)
        advance(plan)
        support_others(plan)
        return tuple(plan.planned[unit] for unit in situation.mine)


def hold_keepers(plan: SeasonPlan) -> None:
    """Let units that cross a stormy water wait. Units that keep or cover a centre stay there."""
    situation = plan.situation
    for unit in situation.mine:
        if situation.is_held(unit):
            since = situation.view.bay_entered[unit.at]
            plan.hold(unit, Crosses(at=unit.at, since=since))
        elif situation.is_taker(unit):
            plan.root(unit, Keeps(centre=unit.at))
        elif unit.at in situation.own_centres and is_watched(situation, unit.at):
            plan.root(unit, Covers(centre=unit.at, against=powers_of(situation.enemies(unit.at))))


def is_watched(situation: Situation, centre: Province) -> bool:
    """Return whether enough enemies can reach a centre that it should be covered. In Fall one is enough."""
    return situation.threat(centre) >= (1 if situation.is_fall else situation.temper.watch)


def cover_centres(plan: SeasonPlan) -> None:
    """Support units that cover a centre, one for each enemy near; send a unit to each empty one."""
    situation = plan.situation
    watched = [
        centre
        for centre in situation.board.in_board_order(situation.own_centres)
        if is_watched(situation, centre)
    ]
    for centre in watched:
        unit = situation.standing.get(centre)
        if unit in plan.rooted:
            near = [supporter for supporter in plan.free() if centre in situation.reach(supporter)]
            near.sort(key=lambda supporter: count_prizes_near(situation, supporter))
            for supporter in near[: situation.threat(centre) - 1]:
                shield(plan, supporter, unit)
    for centre in watched:
        if centre not in situation.standing and plan.is_open(centre):
            against = powers_of(situation.enemies(centre))
            _send_home(plan, centre, Covers(centre=centre, against=against))


def _send_home(plan: SeasonPlan, centre: Province, motive: Covers) -> None:
    situation = plan.situation
    near = {
        unit: spot for unit in plan.free() for spot in situation.spots(unit) if split_spot(spot)[0] == centre
    }
    if near:
        unit = min(
            near, key=lambda unit: (unit.at in situation.own_centres, count_prizes_near(situation, unit))
        )
        plan.lead(unit, near[unit], motive, situation.threat(centre))


def shield(plan: SeasonPlan, unit: Unit, comrade: Unit) -> None:
    """Let a unit support a comrade that stays."""
    motive = Shields(at=comrade.at, against=powers_of(plan.situation.enemies(comrade.at)))
    plan.order(unit, SupportHold(unit=unit.piece, other=comrade.piece), motive)


def advance(plan: SeasonPlan) -> None:
    """Send the other units towards the closest centre, the closest unit first, each to a different place."""
    situation = plan.situation
    heading: Counter[Province] = Counter()
    for unit in sorted(plan.free(), key=situation.nearest):
        ahead = _steps_ahead(plan, unit, heading)
        if not ahead:
            embark(plan, unit)
            continue
        goal, why = choose("goal", list(ahead), goal_criteria(situation, unit), plan.dice, f"goal/{unit.at}")
        heading[goal] += 1
        spot, way = choose(
            "step", ahead[goal], step_criteria(situation, unit, goal), plan.dice, f"step/{unit.at}"
        )
        motive = Heads(goal=goal, steps=situation.far(unit, goal), weighed=(why, way))
        plan.lead(unit, spot, motive, situation.sure_attackers(split_spot(spot)[0]))


def _steps_ahead(
    plan: SeasonPlan, unit: Unit, heading: Mapping[Province, int]
) -> dict[Province, list[Province]]:
    """Return, for each centre that may need more units, the open spots nearer to it, if any."""
    situation = plan.situation
    open_spots = [
        spot
        for spot in situation.spots(unit)
        if plan.is_open(split_spot(spot)[0]) and not situation.is_friends(split_spot(spot)[0])
    ]
    spots_by_goal = {}
    for goal in situation.prizes if open_spots else ():
        way = situation.steps(unit.kind, goal)
        here = way.get(unit.spot, UNREACHABLE_STEPS)
        spots = [spot for spot in open_spots if way.get(spot, UNREACHABLE_STEPS) < here]
        if spots and heading[goal] < situation.sure_attackers(goal):
            spots_by_goal[goal] = spots
    return spots_by_goal


def support_others(plan: SeasonPlan) -> None:
    """Let units without an order support an attack, otherwise a comrade in danger, otherwise hold."""
    for unit in plan.idle():
        reach = plan.situation.reach(unit)
        wanting = [to for to in plan.lacking() if to in reach]
        endangered = [
            comrade
            for comrade in plan.situation.mine
            if comrade != unit
            and comrade.at in reach
            and not plan.is_leaving(comrade)
            and plan.situation.threat(comrade.at) > 1
        ]
        if wanting:
            plan.back(unit, min(wanting, key=lambda to: to not in plan.situation.prizes))
        elif endangered:
            shield(plan, unit, min(endangered, key=lambda comrade: not plan.situation.is_keeper(comrade)))
        else:
            plan.hold(unit, plan.rooted.get(unit, Waits()))


# The random bot gives any legal order. It plays in tournaments only: every bot that plans must beat it.


class Aimless(Bot[View, AnyOrder]):
    """A bot that picks each order at random from the legal ones: implements `protocol.Bot`."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due. Each unit's order is picked independently."""
        reason = sentence("diplomacy.bots_reasons.random_legal")
        return tuple(Choice(order=order, reason=reason) for order in self._pick_orders(view, due, dice))

    def _pick_orders(self, view: View, due: Due, dice: Dice) -> list[AnyOrder]:
        variant = self._variant.under(view.options)
        if due.kind == "moves":
            repertoire = Repertoire(variant, view)
            mine = repertoire.mine(due.seat)
            return [dice.pick(f"order/{unit.at}", repertoire.orders(unit)) for unit in mine]
        if due.kind == "retreats":
            beaten = [beaten_unit for beaten_unit in view.beaten if beaten_unit.unit.power == due.seat]
            return [
                dice.pick(f"retreat/{beaten_unit.unit.at}", _ways_out(beaten_unit)) for beaten_unit in beaten
            ]
        count = due.takes or 0
        if Build.__name__ in due.accepts:
            builds: dict[str, AnyOrder] = {}
            for piece in dice.shuffle("build", buildable_units(variant, view, due.seat)):
                builds.setdefault(piece.at, Build(unit=piece))
            return [*builds.values(), *(Waive() for _ in range(count))][:count]
        mine = tuple(unit for unit in view.units if unit.power == due.seat)
        return [Disband(unit=unit.piece) for unit in dice.shuffle("remove", mine)[:count]]


def _ways_out(beaten: Beaten) -> tuple[AnyOrder, ...]:
    piece = beaten.unit.piece
    going = [Move(unit=piece, to=at, coast=coast) for at, coast in map(split_spot, beaten.retreats)]
    return (*going, Disband(unit=piece))
