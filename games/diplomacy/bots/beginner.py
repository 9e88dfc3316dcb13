"""The beginner: the War Chest automaton's priorities, unit by unit, as many as the pool lets act."""

from dataclasses import dataclass, field
from functools import cached_property

from games import pool
from games.dice import Dice
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.candidates import Repertoire, buildable_units
from games.diplomacy.bots.common import (
    UNREACHABLE_STEPS,
    Situation,
    choose,
    goal_criteria,
    of_unit,
    site_criteria,
    step_criteria,
)
from games.diplomacy.bots.reasons import (
    Attacks,
    Backs,
    Crosses,
    Heads,
    Keeps,
    PlannedOrder,
    Rests,
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
