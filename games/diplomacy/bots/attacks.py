"""Attacks: which place is gone for, who leads, and how many support."""

from dataclasses import dataclass

from games.diplomacy.bots.lists import choose, preference, pull
from games.diplomacy.bots.motives import AnyMotive, Attacks, Takes, Weighed
from games.diplomacy.bots.plan import Plan
from games.diplomacy.bots.situation import Situation
from games.diplomacy.model import Province, Unit, parted
from games.priorities import Criterion, applies


@dataclass(frozen=True)
class Chance:
    """A place that could be attacked now. leads: who could go there; helpers: who could support."""

    place: Province
    leads: tuple[Unit, ...]
    helpers: tuple[Unit, ...]

    @property
    def strength(self) -> int:
        """How many could take part."""
        return len({*self.leads, *self.helpers})


def attack(plan: Plan, *, daring: bool) -> None:
    """Go for one place after another, as the priorities say, while there is somebody to go.

    daring: also where it may fail: with as many as it takes if nobody helps the defender.
    """
    number = 0
    while chances := _chances(plan, daring):
        criteria = _criteria(plan.situation)
        label = f"attack/{'daring' if daring else 'sure'}/{number}"
        chance, why = choose("attack", chances, criteria, plan.dice, label, lambda one: one.place)
        _strike(plan, chance, why)
        number += 1


def _chances(plan: Plan, daring: bool) -> list[Chance]:
    situation = plan.situation
    near: dict[Province, list[Unit]] = {}
    for unit in plan.free():
        for spot in situation.spots(unit):
            near.setdefault(parted(spot)[0], []).append(unit)
    idle = plan.idle()
    found = []
    for place in situation.board.sorted(near):
        if place not in situation.prizes and (daring or not situation.is_hostile(place)):
            continue
        if place in plan.taken or place in situation.shut or situation.is_ours(place):
            continue
        helpers = tuple(unit for unit in idle if place in situation.reach(unit))
        walkers = tuple(dict.fromkeys(unit for unit in near[place] if unit in helpers))
        # Who comes ashore from a canoe-fleet fights nobody, and no support helps him.
        chance = Chance(place, walkers, helpers) if walkers else Chance(place, tuple(near[place]), ())
        if chance.strength >= (_enough(situation, place) if daring else situation.sure(place)):
            found.append(chance)
    return found


def _enough(situation: Situation, place: Province) -> int:
    """How many dare an attack: as many as beat a lone defender, or as many more as the temperament says."""
    return situation.par(place) + (situation.temper.odds - 1) * situation.is_hostile(place)


def _criteria(situation: Situation) -> tuple[Criterion[Chance], ...]:
    """By what it is decided which place is attacked first.

    Source: War Chest, solo sheet, attack: on a friendly location, an enemy one, a neutral one, closest to the
    centre; before that what takes few units.
    """
    board = situation.board
    outward = situation.ways.outward
    return (
        applies("supply centres first", lambda one: one.place in board.centres),
        applies("its own centre, to be freed", lambda one: one.place in situation.owned),
        Criterion(preference(situation, "wanted"), lambda one: -pull(situation, one.place)),
        Criterion("takes the fewest units", lambda one: situation.sure(one.place)),
        applies("an enemy's", lambda one: situation.is_enemys(one.place)),
        applies("held by an enemy", lambda one: situation.is_hostile(one.place)),
        Criterion("next to the middle of the board", lambda one: outward.get(one.place)),
    )


def _strike(plan: Plan, chance: Chance, why: Weighed) -> None:
    """One goes, and as many support as cannot fail, if there are so many."""
    situation, place = plan.situation, chance.place
    wanted = situation.sure(place)
    lead = _lead(plan, chance)
    spot = next(spot for spot in situation.spots(lead) if parted(spot)[0] == place)
    helpers = [unit for unit in chance.helpers if unit != lead]
    helpers.sort(key=lambda unit: (unit not in plan.rooted, uses(situation, unit)))
    strength = min(wanted, 1 + len(helpers))
    plan.lead(lead, spot, _motive(situation, place, strength, why), wanted)
    for unit in helpers[: strength - 1]:
        plan.back(unit, place)


def _lead(plan: Plan, chance: Chance) -> Unit:
    """Who goes: one who leaves no centre in danger, of these who has the fewest other centres next door."""
    situation = plan.situation
    return min(
        chance.leads,
        key=lambda unit: (unit.at in situation.owned and situation.threat(unit.at), uses(situation, unit)),
    )


def uses(situation: Situation, unit: Unit) -> int:
    """How many centres to win are next door to a unit: what it is wanted for elsewhere."""
    return sum(prize in situation.reach(unit) for prize in situation.prizes)


def _motive(situation: Situation, place: Province, strength: int, why: Weighed) -> AnyMotive:
    foe = situation.standing.get(place)
    if foe is None:
        return Takes(centre=place, owner=situation.view.centres.get(place), weighed=(why,))
    return Attacks(foe=foe, strength=strength, holders=situation.holders(foe), weighed=(why,))
