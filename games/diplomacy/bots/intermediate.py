"""The intermediate: the same priorities, with everybody acting together."""

from collections import Counter
from collections.abc import Mapping

from games.dice import Dice
from games.diplomacy.bots.attacks import attack, uses
from games.diplomacy.bots.crossings import embark, ferry
from games.diplomacy.bots.distances import FAR
from games.diplomacy.bots.lists import choose, goals, steps
from games.diplomacy.bots.motives import (
    Covers,
    Crosses,
    Heads,
    Keeps,
    Planned,
    Shields,
    Waits,
)
from games.diplomacy.bots.plan import Plan, powers
from games.diplomacy.bots.player import Player
from games.diplomacy.bots.situation import Situation
from games.diplomacy.model import Province, SupportHold, Unit, parted


class Intermediate(Player):
    """Attacks with enough, covers what is in danger, and lets nobody stand about."""

    def moves(self, situation: Situation, dice: Dice) -> tuple[Planned, ...]:
        """An order for each unit, in the order of these steps.

        Who stands on a centre to win, or in a centre of its own to which enemies can come, stays and may
        support. Then come convoys to centres that nobody contests, attacks that should not fail, cover for
        centres in danger, attacks that may succeed, other convoys, and the way to the closest centre; who
        has no order yet supports.
        """
        plan = Plan(situation, dice)
        stay(plan)
        ferry(plan, at_once=True)
        attack(plan, daring=False)
        cover(plan)
        attack(plan, daring=True)
        ferry(plan, at_once=False)
        advance(plan)
        support(plan)
        return tuple(plan.planned[unit] for unit in situation.mine)


def stay(plan: Plan) -> None:
    """Who crosses a stormy water waits; who keeps or covers a centre does not leave it."""
    situation = plan.situation
    for unit in situation.mine:
        if situation.is_held(unit):
            since = situation.view.bay_entered[unit.at]
            plan.hold(unit, Crosses(at=unit.at, since=since))
        elif situation.is_taker(unit):
            plan.root(unit, Keeps(centre=unit.at))
        elif unit.at in situation.owned and is_watched(situation, unit.at):
            plan.root(unit, Covers(centre=unit.at, against=powers(situation.enemies(unit.at))))


def is_watched(situation: Situation, centre: Province) -> bool:
    """Whether so many enemies can come to a centre that it is covered: in Fall one is enough."""
    return situation.threat(centre) >= (1 if situation.is_fall else situation.temper.watch)


def cover(plan: Plan) -> None:
    """Support those who cover a centre, as many as enemies can come; send somebody to each empty one."""
    situation = plan.situation
    watched = [centre for centre in situation.board.sorted(situation.owned) if is_watched(situation, centre)]
    for centre in watched:
        unit = situation.standing.get(centre)
        if unit in plan.rooted:
            near = [one for one in plan.free() if centre in situation.reach(one)]
            near.sort(key=lambda one: uses(situation, one))
            for one in near[: situation.threat(centre) - 1]:
                shield(plan, one, unit)
    for centre in watched:
        if centre not in situation.standing and plan.is_open(centre):
            against = powers(situation.enemies(centre))
            _send_home(plan, centre, Covers(centre=centre, against=against))


def _send_home(plan: Plan, centre: Province, motive: Covers) -> None:
    situation = plan.situation
    near = {unit: spot for unit in plan.free() for spot in situation.spots(unit) if parted(spot)[0] == centre}
    if near:
        unit = min(near, key=lambda unit: (unit.at in situation.owned, uses(situation, unit)))
        plan.lead(unit, near[unit], motive, situation.threat(centre))


def shield(plan: Plan, unit: Unit, comrade: Unit) -> None:
    """Let a unit support a comrade that stays."""
    motive = Shields(at=comrade.at, against=powers(plan.situation.enemies(comrade.at)))
    plan.order(unit, SupportHold(unit=unit.piece, other=comrade.piece), motive)


def advance(plan: Plan) -> None:
    """The others go towards the closest centre, who is closest first, nobody to where one of ours will be."""
    situation = plan.situation
    heading: Counter[Province] = Counter()
    for unit in sorted(plan.free(), key=situation.nearest):
        ahead = _ahead(plan, unit, heading)
        if not ahead:
            embark(plan, unit)
            continue
        goal, why = choose("goal", list(ahead), goals(situation, unit), plan.dice, f"goal/{unit.at}")
        heading[goal] += 1
        spot, way = choose("step", ahead[goal], steps(situation, unit, goal), plan.dice, f"step/{unit.at}")
        motive = Heads(goal=goal, steps=situation.far(unit, goal), weighed=(why, way))
        plan.lead(unit, spot, motive, situation.sure(parted(spot)[0]))


def _ahead(plan: Plan, unit: Unit, heading: Mapping[Province, int]) -> dict[Province, list[Province]]:
    """For each centre to which fewer go than may be wanted the open spots that are nearer to it, if any."""
    situation = plan.situation
    open_spots = [
        spot
        for spot in situation.spots(unit)
        if plan.is_open(parted(spot)[0]) and not situation.is_friends(parted(spot)[0])
    ]
    found = {}
    for goal in situation.prizes if open_spots else ():
        way = situation.steps(unit.kind, goal)
        here = way.get(unit.spot, FAR)
        spots = [spot for spot in open_spots if way.get(spot, FAR) < here]
        if spots and heading[goal] < situation.sure(goal):
            found[goal] = spots
    return found


def support(plan: Plan) -> None:
    """Who has no order yet supports: an attack, then a comrade in danger; or he stands."""
    for unit in plan.idle():
        reach = plan.situation.reach(unit)
        wanting = [to for to in plan.lacking() if to in reach]
        endangered = [
            one
            for one in plan.situation.mine
            if one != unit and one.at in reach and not plan.leaving(one) and plan.situation.threat(one.at) > 1
        ]
        if wanting:
            plan.back(unit, min(wanting, key=lambda to: to not in plan.situation.prizes))
        elif endangered:
            shield(plan, unit, min(endangered, key=lambda one: not plan.situation.is_keeper(one)))
        else:
            plan.hold(unit, plan.rooted.get(unit, Waits()))
