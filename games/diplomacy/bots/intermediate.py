"""The intermediate: the War Chest automaton's priorities, with all units acting together.

It remembers the last two years: where its moves failed, and who attacked it. It goes for one nation first,
and for another way or another nation if a front is stuck.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp2

from games.dice import Dice
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.adjudication.victory import centres_to_win
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.candidates import SeasonPlan, powers_of, sheet_of
from games.diplomacy.bots.common import (
    NO_MEMORY,
    REMEMBERED_SEASONS,
    UNREACHABLE_STEPS,
    SeatMemory,
    Situation,
    choose,
    describe_preference,
    goal_criteria,
    movement_seasons,
    pull,
    recall,
    step_criteria,
)
from games.diplomacy.bots.reasons import (
    AnyMotive,
    Attacks,
    Covers,
    Crosses,
    Diverts,
    Heads,
    Keeps,
    PlannedOrder,
    PriorityDecision,
    Shields,
    Takes,
    Waits,
)
from games.diplomacy.bots.trips import deny_canoes, embark, ferry, find_trip, first_legs
from games.diplomacy.model import NEUTRAL, Province, SupportHold, Unit, View, split_spot
from games.messages import sentence
from games.priorities import Criterion, applies
from games.protocol import PastTurn, Seat

_REMEMBERED_TURNS = REMEMBERED_SEASONS // 2 * 5
"""A year has at most five turns."""


@dataclass(frozen=True)
class Intermediate(PlanningBot):
    """A bot that attacks with enough units, covers centres in danger, and leaves no unit idle.

    past: the last movement seasons.
    """

    past: tuple[PastTurn, ...] = ()

    @property
    def looks_back(self) -> int:
        """The number of turns with the movement seasons that it remembers."""
        return _REMEMBERED_TURNS

    def with_history(self, past: Sequence[PastTurn]) -> "Intermediate":
        """Return the same bot, which remembers the last movement seasons."""
        return replace(self, past=movement_seasons(past))

    def recall(self, seat: Seat) -> SeatMemory:
        """Return what it remembers of the last seasons."""
        return recall(self.past, seat) if self.past else NO_MEMORY

    def situation(self, view: View, seat: Seat) -> Situation:
        """Return its reading of a position, with what it remembers."""
        return remembering(super().situation(view, seat), self.recall(seat))

    def moves(self, situation: Situation, dice: Dice) -> tuple[PlannedOrder, ...]:
        """Return an order for each unit.

        1. A unit on a centre to win, or on an own centre that enemies may attack, stays and may support.
        2. Convoys to centres that no one contests.
        3. Attacks that should not fail.
        4. Cover for centres in danger.
        5. Attacks that may succeed, and attacks on the supports of their defenders.
        6. Other convoys.
        7. Moves to the closest centre, on foot or by canoe-fleet. Units without an order support.
        """
        plan = SeasonPlan(replace(situation, foe=choose_foe(situation, dice)), dice)
        hold_keepers(plan)
        ferry(plan, at_once=True)
        attack(plan, daring=False)
        cover_centres(plan)
        attack(plan, daring=True)
        cut_supports(plan)
        ferry(plan, at_once=False)
        travel(plan)
        support_others(plan)
        planned = [plan.planned[unit] for unit in situation.mine]
        return (*planned, *deny_canoes(situation, sheet_of(planned)))


_UNDISPUTED_STEPS = 2
"""How many steps nearer a centre counts that nobody owns or can reach."""


def remembering(situation: Situation, memory: SeatMemory) -> Situation:
    """Return a situation as an intermediate reads it that remembers some seasons.

    A nation that leads fears nobody: it takes what is near, whoever owns it.
    """
    read = replace(situation, memory=memory, undisputed=_UNDISPUTED_STEPS)
    return replace(read, dangers={}) if is_pressing_on(read) else read


_RIVAL_PROSPECTS = 0.5
"""A nation with this share of the best prospects may be attacked first too."""


def choose_foe(situation: Situation, dice: Dice) -> Seat | None:
    """Return the nation to attack first, None if no nation is in reach.

    It is the one that the seat moved against most in the seasons that it remembers, while its prospects there
    are about the best; otherwise one of those with the best, at random.
    """
    owners = dict.fromkeys(situation.view.centres.values())
    scores = {power: _prospects(situation, power) for power in owners if situation.is_foe(power)}
    best = max(scores.values(), default=0.0)
    if not best:
        return None
    rivals = [power for power in scores if scores[power] >= best * _RIVAL_PROSPECTS]
    targets = situation.memory.targets
    before = max(rivals, key=lambda power: targets.get(power, 0))
    if targets.get(before, 0) or len(rivals) == 1:
        return before
    return dice.pick("campaign", rivals)


def _prospects(situation: Situation, power: Seat) -> float:
    danger = exp2(situation.dangers.get(power, 0.0))
    if not situation.mine:
        return 0.0
    near = sum(
        0.5 ** min(situation.far(unit, centre) for unit in situation.mine)
        * 0.5 ** situation.memory.failures.get(centre, 0)
        for centre, owner in situation.view.centres.items()
        if owner == power
    )
    count = sum(unit.power == power for unit in situation.view.units)
    return danger * near / (2 + count)


class Intermediate2026(PlanningBot):
    """The intermediate of November 2026, which has no memory: a fixed opponent for tournaments."""

    @property
    def level(self) -> str:
        """The name under which a board has the dangers of its seats."""
        return "intermediate-2026"

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


_LEADING_SHARE = 0.6
"""A nation with this share of the centres that it takes to win leads."""


def is_pressing_on(situation: Situation) -> bool:
    """Return whether a nation leads, so that it goes on rather than guard all that it has."""
    enough = centres_to_win(situation.board, situation.view, situation.seat)
    return situation.memory.seasons > 0 and len(situation.own_centres) >= _LEADING_SHARE * enough


def is_watched(situation: Situation, centre: Province) -> bool:
    """Return whether enough enemies can reach a centre that it should be covered. In Fall one is enough.

    It takes one more if none of these nations has moved against the seat in the seasons that it remembers,
    or if the seat leads.
    """
    enough = 1 if situation.is_fall else situation.temper.watch
    if is_pressing_on(situation):
        return situation.threat(centre) > enough
    if situation.memory.seasons and not any(
        unit.power in situation.memory.attackers for unit in situation.enemies(centre)
    ):
        enough += 1
    return situation.threat(centre) >= enough


def cover_centres(plan: SeasonPlan) -> None:
    """Support units that cover a centre, one for each enemy near; send a unit to each empty one.

    A nation that leads uses these units to attack.
    """
    situation = plan.situation
    if is_pressing_on(situation):
        return
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


def travel(plan: SeasonPlan) -> None:
    """Send the other units towards the closest centre, by land or water, each to a different place."""
    situation = plan.situation
    heading: Counter[Province] = Counter()
    crowded: set[Province] = set()
    for unit in sorted(plan.free(), key=situation.nearest):
        legs = first_legs(plan, unit, crowded)
        trips = {
            goal: trip
            for goal in (situation.prizes if legs else ())
            if heading[goal] < situation.sure_attackers(goal)
            and (trip := find_trip(situation, unit, goal, legs)) is not None
        }
        if not trips:
            continue
        far = {goal: trip.steps for goal, trip in trips.items()}
        goal, why = choose(
            "goal", list(far), goal_criteria(situation, unit, far), plan.dice, f"goal/{unit.at}"
        )
        heading[goal] += 1
        by_spot = {leg.to: leg for leg in trips[goal].legs}
        criteria = step_criteria(situation, unit, goal)
        spot, way = choose("step", list(by_spot), criteria, plan.dice, f"step/{unit.at}")
        leg = by_spot[spot]
        motive = Heads(goal=goal, steps=far[goal], how=leg.how, weighed=(why, way))
        if leg.water is not None:
            crowded.add(leg.water)
            plan.order(unit, leg.order, motive)
        else:
            plan.lead(unit, spot, motive, situation.sure_attackers(split_spot(spot)[0]))


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


# Attacks: the place that is attacked, the unit that leads, and the number of supports.


@dataclass(frozen=True)
class AttackChance:
    """A place that could be attacked now. leads: units that could go there; helpers: possible supports."""

    place: Province
    leads: tuple[Unit, ...]
    helpers: tuple[Unit, ...]

    @property
    def strength(self) -> int:
        """The number of units that could take part."""
        return len({*self.leads, *self.helpers})


def attack(plan: SeasonPlan, *, daring: bool) -> None:
    """Plan an attack on one place after another, by the priorities, while there are units for it.

    daring: include attacks that may fail, with as many units as it takes if the defender gets no help.
    """
    number = 0
    while chances := _chances(plan, daring):
        criteria = _attack_criteria(plan.situation)
        label = f"attack/{'daring' if daring else 'sure'}/{number}"
        chance, why = choose("attack", chances, criteria, plan.dice, label, lambda candidate: candidate.place)
        _strike(plan, chance, why)
        number += 1


def _chances(plan: SeasonPlan, daring: bool) -> list[AttackChance]:
    situation = plan.situation
    near: dict[Province, list[Unit]] = {}
    for unit in plan.free():
        for spot in situation.spots(unit):
            near.setdefault(split_spot(spot)[0], []).append(unit)
    idle = plan.idle()
    chances = []
    for place in situation.board.in_board_order(near):
        if place not in situation.prizes and (daring or not situation.is_hostile(place)):
            continue
        if place in plan.taken or place in situation.closed_provinces or situation.is_ours(place):
            continue
        helpers = tuple(unit for unit in idle if place in situation.reach(unit))
        walkers = tuple(dict.fromkeys(unit for unit in near[place] if unit in helpers))
        # A unit that lands from a canoe-fleet can't fight, and no support helps it.
        chance = (
            AttackChance(place, walkers, helpers) if walkers else AttackChance(place, tuple(near[place]), ())
        )
        if chance.strength >= (
            _strength_wanted(situation, place) if daring else situation.sure_attackers(place)
        ):
            chances.append(chance)
    return chances


def _strength_wanted(situation: Situation, place: Province) -> int:
    """Return how many units dare an attack: enough to beat a lone defender, plus the temperament's margin."""
    margin = (situation.temper.odds - 1) * situation.is_hostile(place)
    wanted = situation.min_attackers(place) + margin + situation.memory.failures.get(place, 0)
    return max(situation.min_attackers(place) + margin, min(wanted, situation.sure_attackers(place)))


def _attack_criteria(situation: Situation) -> tuple[Criterion[AttackChance], ...]:
    """Return the criteria that choose the place to attack first.

    Source: War Chest, solo sheet, attack: on a friendly location, an enemy one, a neutral one, closest to the
    centre; before that the attack that takes the fewest units.
    """
    board = situation.board
    outward = situation.ways.outward
    return (
        applies(
            sentence("diplomacy.bots_criteria.centres_first"), lambda chance: chance.place in board.centres
        ),
        applies(
            sentence("diplomacy.bots_criteria.frees_own_centre"),
            lambda chance: chance.place in situation.own_centres,
        ),
        Criterion(
            describe_preference(situation, sentence("diplomacy.bots_criteria.preferred_target")),
            lambda chance: -pull(situation, chance.place),
        ),
        Criterion(
            sentence("diplomacy.bots_criteria.fewest_units"),
            lambda chance: situation.sure_attackers(chance.place),
        ),
        applies(
            sentence("diplomacy.bots_criteria.owned_by_enemy"),
            lambda chance: situation.is_enemys(chance.place),
        ),
        applies(
            sentence("diplomacy.bots_criteria.with_enemy_unit"),
            lambda chance: situation.is_hostile(chance.place),
        ),
        Criterion(
            sentence("diplomacy.bots_criteria.in_the_middle"), lambda chance: outward.get(chance.place)
        ),
    )


def _strike(plan: SeasonPlan, chance: AttackChance, why: PriorityDecision) -> None:
    """Order one unit to go, and as many to support as make the attack sure, if there are enough."""
    situation, place = plan.situation, chance.place
    wanted = situation.sure_attackers(place)
    lead = _leading_unit(plan, chance)
    spot = next(spot for spot in situation.spots(lead) if split_spot(spot)[0] == place)
    helpers = [unit for unit in chance.helpers if unit != lead]
    helpers.sort(key=lambda unit: (unit not in plan.rooted, count_prizes_near(situation, unit)))
    strength = min(wanted, 1 + len(helpers))
    plan.lead(lead, spot, _motive(situation, place, strength, why), wanted)
    for unit in helpers[: strength - 1]:
        plan.back(unit, place)


def _leading_unit(plan: SeasonPlan, chance: AttackChance) -> Unit:
    """Return the unit that goes: it leaves no centre in danger, and has the fewest other centres near."""
    situation = plan.situation
    return min(
        chance.leads,
        key=lambda unit: (
            unit.at in situation.own_centres and situation.threat(unit.at),
            count_prizes_near(situation, unit),
        ),
    )


def count_prizes_near(situation: Situation, unit: Unit) -> int:
    """Return the number of adjacent centres to win, for which a unit may be needed."""
    return sum(prize in situation.reach(unit) for prize in situation.prizes)


def cut_supports(plan: SeasonPlan) -> None:
    """Let free units attack the units that could support the defender of a place that the seat attacks."""
    situation = plan.situation
    for place, (_, number, wanted) in list(plan.backing.items()):
        foe = situation.standing.get(place)
        if foe is None or foe.power in (situation.seat, NEUTRAL) or number >= wanted:
            continue
        helpers = [unit for unit in situation.arrivals.get(place, ()) if unit.power == foe.power]
        for helper in helpers:
            if number >= wanted:
                break
            near = [
                unit
                for unit in plan.free()
                if helper.at in situation.reach(unit) and not is_afloat(situation.board, unit)
            ]
            if near and helper.at not in plan.taken and helper.at not in situation.closed_provinces:
                unit = min(near, key=lambda unit: count_prizes_near(situation, unit))
                spot = next(spot for spot in situation.spots(unit) if split_spot(spot)[0] == helper.at)
                plan.order(unit, situation.move(unit, spot), Diverts(at=helper.at, place=place))
                number += 1


def _motive(situation: Situation, place: Province, strength: int, why: PriorityDecision) -> AnyMotive:
    foe = situation.standing.get(place)
    if foe is None:
        return Takes(centre=place, owner=situation.view.centres.get(place), weighed=(why,))
    return Attacks(foe=foe, strength=strength, holders=situation.holders(foe), weighed=(why,))
