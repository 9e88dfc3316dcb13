"""The next orders that bring a War Party nearer to a centre: on foot, by canoe-fleet, or by building one.

Land and water compete by their steps. A canoe-fleet that would fall to an enemy is destroyed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.adjudication import legality
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.bots.candidates import SeasonPlan, powers_of
from games.diplomacy.bots.common import UNREACHABLE_STEPS, Situation
from games.diplomacy.bots.reasons import Denies, HeadingBy, PlannedOrder
from games.diplomacy.model import (
    BuildCanoe,
    Destroy,
    Move,
    Province,
    SupportHold,
    Unit,
    UnitOrder,
    split_spot,
)

_STUCK_DETOUR = 3
"""How many steps longer another way may be for each of the last moves to a centre that failed, if two or more
have."""


@dataclass(frozen=True)
class FirstLeg:
    """An order that a unit can begin a way with.

    to: the spot after it; via: the spot from which the way goes on, after some seasons; water: the water that
    its canoe-fleet goes to first, if any.
    """

    order: UnitOrder
    to: Province
    via: Province
    seasons: int = 1
    how: HeadingBy = "alone"
    water: Province | None = None


@dataclass(frozen=True)
class Trip:
    """The best ways of a unit to a goal: the steps, and the orders that they can begin with."""

    steps: int
    legs: tuple[FirstLeg, ...]


def first_legs(plan: SeasonPlan, unit: Unit, crowded: Collection[Province]) -> tuple[FirstLeg, ...]:
    """Return the orders that a unit can begin a way with: on foot, by fleet, by canoe-fleet.

    crowded: the waters that other canoe-fleets of the seat are bound for.
    """
    situation = plan.situation
    legs = [
        FirstLeg(situation.move(unit, spot), spot, spot)
        for spot in situation.spots(unit)
        if plan.is_open(split_spot(spot)[0]) and not situation.is_friends(split_spot(spot)[0])
    ]
    if unit.kind == "W" and not is_afloat(situation.board, unit):
        legs += [leg for leg in _canoe_legs(plan, unit) if leg.water not in crowded]
    return tuple(legs)


def find_trip(situation: Situation, unit: Unit, goal: Province, legs: Sequence[FirstLeg]) -> Trip | None:
    """Return the best ways of a unit to a goal that begin with some legs, None if it gets no nearer."""
    way = situation.steps(unit.kind, goal)
    here = way.get(unit.spot, UNREACHABLE_STEPS)
    # If the front there is stuck, even a crossing of a stormy water is considered.
    detour = _STUCK_DETOUR * situation.memory.failures.get(goal, 0) if situation.memory.is_stuck(goal) else 0
    if unit.kind == "W" and situation.view.canoes.get(unit.at):
        near = (way.get(water, UNREACHABLE_STEPS) for water in _waters(situation, unit.at))
        here = min(here, 1 + min(near, default=UNREACHABLE_STEPS))
    stormy = situation.board.chart.stormy
    steps = [
        leg.seasons + way.get(leg.via, UNREACHABLE_STEPS) + detour * (leg.water not in stormy) for leg in legs
    ]
    fewest = min(steps, default=UNREACHABLE_STEPS)
    if fewest > here + detour or here >= UNREACHABLE_STEPS:
        return None
    best = [leg for leg, count in zip(legs, steps, strict=True) if count == fewest]
    # On foot it can fight and be supported.
    fewest -= detour * (best[0].water not in stormy)
    return Trip(fewest, tuple([leg for leg in best if leg.how == "alone"] or best))


def _canoe_legs(plan: SeasonPlan, unit: Unit) -> Iterator[FirstLeg]:
    situation = plan.situation
    if not situation.view.canoes.get(unit.at):
        if can_build_canoe(situation, unit):
            for water in _waters(situation, unit.at):
                # An enemy next to it may spoil the building. It is tried only for a crossing that breaks a
                # stuck front.
                if situation.enemies(unit.at) and water not in situation.board.chart.stormy:
                    continue
                yield FirstLeg(BuildCanoe(unit=unit.piece), unit.at, water, 2, "builds-canoe", water)
        return
    for place in legality.goals(situation.board, situation.variant.rulebook, unit.at):
        if not plan.is_open(place) or place in situation.standing or situation.is_friends(place):
            continue
        order = Move(unit=unit.piece, to=place, canoe=True)
        if not situation.board.is_land(place):
            yield FirstLeg(order, place, place, 1, "takes-canoe", place)
        elif not situation.enemies(place):
            for water in _waters(situation, place):
                yield FirstLeg(order, place, water, 2, "carries-canoe", water)


def _waters(situation: Situation, shore: Province) -> Iterator[Province]:
    return (place for place in situation.board.fleet[shore] if not situation.board.is_land(place))


def can_build_canoe(situation: Situation, unit: Unit) -> bool:
    """Return whether a unit can build a canoe-fleet in its place."""
    order = BuildCanoe(unit=unit.piece)
    return situation.variant.rulebook.canoes and legality.building(situation.board, order) is None


# Canoe-fleets that would fall to an enemy.


def deny_canoes(situation: Situation, sheet: Mapping[Province, UnitOrder]) -> tuple[PlannedOrder, ...]:
    """Return orders to destroy canoe-fleets that an enemy can take where the unit leaves, or is too weak.

    sheet: the orders of the seat's units, by province.

    Source: Indianomacy §7, §8 (1.17, 1.18); ruling D2.
    """
    orders = []
    for unit in situation.mine:
        count = situation.view.canoes.get(unit.at, 0)
        enemies = situation.enemies(unit.at)
        if not count or not enemies:
            continue
        order = sheet[unit.at]
        carried = isinstance(order, Move) and order.canoe
        is_weak = isinstance(order, Move) or situation.threat(unit.at) > _defenders(sheet, unit)
        if count > carried and is_weak:
            motive = Denies(at=unit.at, against=powers_of(enemies))
            orders.append(PlannedOrder(Destroy(at=unit.at), motive))
    return tuple(orders)


def _defenders(sheet: Mapping[Province, UnitOrder], unit: Unit) -> int:
    """Return how many units keep a unit in its place: itself and the supports that it is ordered."""
    return 1 + sum(isinstance(order, SupportHold) and order.other == unit.piece for order in sheet.values())
