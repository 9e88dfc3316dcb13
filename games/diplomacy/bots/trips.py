"""The next orders that bring a unit nearer to a centre: on foot, by convoy or by canoe-fleet.

Land and water compete by their steps. A canoe-fleet that would fall to an enemy is destroyed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.adjudication import legality
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.bots.candidates import SeasonPlan, powers_of
from games.diplomacy.bots.common import UNREACHABLE_STEPS, Situation, choose
from games.diplomacy.bots.reasons import (
    Denies,
    Ferried,
    Ferries,
    HeadingBy,
    Heads,
    PlannedOrder,
    PriorityDecision,
)
from games.diplomacy.model import (
    BuildCanoe,
    Convoy,
    Destroy,
    Move,
    Province,
    SupportHold,
    Unit,
    UnitOrder,
    split_spot,
)
from games.messages import sentence
from games.priorities import Criterion, applies

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


# Ways over water: armies that fleets convoy, and War Parties that build a canoe-fleet and go.


PAYS = 2
"""A convoy has to save an army at least this many steps."""


@dataclass(frozen=True)
class Crossing:
    """A way over the water. goal: the centre that it leads to; saved: steps; fleets: in a line."""

    shore: Province
    goal: Province
    saved: int
    fleets: tuple[Unit, ...]


def ferry(plan: SeasonPlan, *, at_once: bool) -> None:
    """Order convoys of armies to shores with a shorter way to a centre.

    at_once: only to centres that are won without a fight; otherwise also to a shore on the way to one.
    """
    for army in plan.free():
        crossings = _crossings(plan, army, at_once) if army.kind == "A" else ()
        if crossings:
            label = f"convoy/{army.at}"
            criteria = _crossing_criteria(plan.situation)
            chosen, why = choose(
                "convoy", crossings, criteria, plan.dice, label, lambda candidate: candidate.shore
            )
            _carry(plan, army, chosen, why)


def _crossing_criteria(situation: Situation) -> tuple[Criterion[Crossing], ...]:
    return (
        applies(
            sentence("diplomacy.bots_criteria.centre_to_win"),
            lambda crossing: crossing.shore in situation.prizes,
        ),
        Criterion(sentence("diplomacy.bots_criteria.most_steps_saved"), lambda crossing: -crossing.saved),
        Criterion(sentence("diplomacy.bots_criteria.fewest_fleets"), lambda crossing: len(crossing.fleets)),
        Criterion(
            sentence("diplomacy.bots_criteria.fewest_attackers"),
            lambda crossing: len(situation.enemies(crossing.shore)),
        ),
    )


def _carry(plan: SeasonPlan, army: Unit, crossing: Crossing, why: PriorityDecision) -> None:
    motive = Ferried(goal=crossing.goal, fleets=len(crossing.fleets), weighed=(why,))
    plan.lead(army, crossing.shore, motive, plan.situation.sure_attackers(crossing.shore))
    for fleet in crossing.fleets:
        convoy = Convoy(unit=fleet.piece, other=army.piece, to=crossing.shore)
        plan.order(fleet, convoy, Ferries(army=army.at, to=crossing.shore))


def _crossings(plan: SeasonPlan, army: Unit, at_once: bool) -> tuple[Crossing, ...]:
    """Return an army's crossings that are worth it, to open shores, in board order."""
    situation = plan.situation
    here = situation.nearest(army)
    options = []
    for shore, fleets in _chains(plan, army).items():
        if plan.is_open(shore) and not situation.is_friends(shore):
            far = {
                goal: situation.steps("A", goal).get(shore, UNREACHABLE_STEPS) for goal in situation.prizes
            }
            goal = min(far, key=lambda goal: far[goal], default=shore)
            options.append(Crossing(shore, goal, here - far.get(goal, UNREACHABLE_STEPS), fleets))
    paying = [
        crossing_option
        for crossing_option in options
        if crossing_option.saved >= PAYS and (not at_once or _is_won(situation, crossing_option))
    ]
    return tuple(sorted(paying, key=lambda crossing: situation.board.index[crossing.shore]))


def _is_won(situation: Situation, crossing: Crossing) -> bool:
    return crossing.shore in situation.prizes and situation.sure_attackers(crossing.shore) == 1


def _chains(plan: SeasonPlan, army: Unit) -> Mapping[Province, tuple[Unit, ...]]:
    """Return the shores that an army can be convoyed to, each with the shortest line of idle fleets."""
    board = plan.situation.board
    at_sea = {unit.at: unit for unit in plan.free() if unit.kind == "F" and board.has_convoys(unit.at)}
    chains: dict[Province, tuple[Unit, ...]] = {
        at: (at_sea[at],) for at in board.fleet[army.at] if at in at_sea
    }
    edge = list(chains)
    chains_by_shore: dict[Province, tuple[Unit, ...]] = {}
    for water in edge:
        for there in board.fleet[water]:
            if there in at_sea and there not in chains:
                chains[there] = (*chains[water], at_sea[there])
                edge.append(there)
            elif board.is_land(there) and there != army.at and there not in board.army[army.at]:
                chains_by_shore.setdefault(there, chains[water])
    return chains_by_shore


def embark(plan: SeasonPlan, unit: Unit) -> None:
    """Order a War Party onto the water if that is the way to a centre, or to build a canoe-fleet for it."""
    situation = plan.situation
    if unit.kind != "W" or is_afloat(situation.board, unit):
        return
    for goal in sorted(situation.prizes, key=lambda goal: situation.far(unit, goal)):
        steps = situation.far(unit, goal)
        waters = _canoe_waters(plan, unit, goal, steps)
        if steps == UNREACHABLE_STEPS or not waters:
            continue
        if situation.view.canoes.get(unit.at):
            order = Move(unit=unit.piece, to=waters[0], canoe=True)
            plan.order(unit, order, Heads(goal=goal, steps=steps, how="takes-canoe"))
        elif not situation.enemies(unit.at):
            plan.order(
                unit,
                BuildCanoe(unit=unit.piece),
                Heads(goal=goal, steps=steps, how="builds-canoe"),
            )
        return


def _canoe_waters(plan: SeasonPlan, unit: Unit, goal: Province, steps: int) -> list[Province]:
    """Return the adjacent free waters that bring a unit nearer to a goal, the nearest first."""
    situation, way = plan.situation, plan.situation.steps("W", goal)
    return sorted(
        (
            place
            for place in situation.board.fleet[unit.at]
            if not situation.board.is_land(place)
            and way.get(place, UNREACHABLE_STEPS) < steps
            and place not in {*plan.taken, *situation.closed_provinces}
            and place not in situation.standing
        ),
        key=lambda place: way[place],
    )
