"""The intermediate: the same priorities, with everybody acting together."""

from collections import Counter
from collections.abc import Mapping

from games.dice import Dice
from games.diplomacy.bots.attacks import attack, count_prizes_near
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.convoys import embark, ferry
from games.diplomacy.bots.distances import UNREACHABLE_STEPS
from games.diplomacy.bots.lists import choose, goal_criteria, step_criteria
from games.diplomacy.bots.plan import SeasonPlan, powers_of
from games.diplomacy.bots.reasons import Covers, Crosses, Heads, Keeps, PlannedOrder, Shields, Waits
from games.diplomacy.model import Province, SupportHold, Unit, split_spot


class Intermediate(PlanningBot):
    """Attacks with enough, covers what is in danger, and lets nobody stand about."""

    def moves(self, situation: Situation, dice: Dice) -> tuple[PlannedOrder, ...]:
        """An order for each unit, in the order of these steps.

        Who stands on a centre to win, or in a centre of its own to which enemies can come, stays and may
        support. Then come convoys to centres that nobody contests, attacks that should not fail, cover for
        centres in danger, attacks that may succeed, other convoys, and the way to the closest centre; who
        has no order yet supports.
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
    """Let units that cross a stormy water wait; units that keep or cover a centre do not leave it."""
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
    """Return whether enough enemies can come to a centre that it is covered: in Fall one is enough."""
    return situation.threat(centre) >= (1 if situation.is_fall else situation.temper.watch)


def cover_centres(plan: SeasonPlan) -> None:
    """Support units that cover a centre, one for each enemy that can come; send a unit to each empty one."""
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
    """The others go towards the closest centre, who is closest first, nobody to where one of ours will be."""
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
    """Let units without an order support an attack, or else a comrade in danger; or hold."""
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
