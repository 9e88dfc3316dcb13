"""Attacks: the place that is attacked, the unit that leads, and the number of supports."""

from dataclasses import dataclass

from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.bots.candidates import SeasonPlan
from games.diplomacy.bots.common import Situation, choose, describe_preference, pull
from games.diplomacy.bots.reasons import AnyMotive, Attacks, Diverts, PriorityDecision, Takes
from games.diplomacy.model import NEUTRAL, Province, Unit, split_spot
from games.messages import sentence
from games.priorities import Criterion, applies


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
        criteria = _criteria(plan.situation)
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


def _criteria(situation: Situation) -> tuple[Criterion[AttackChance], ...]:
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
