"""Ways over water: armies that fleets convoy, and War Parties that build a canoe-fleet and go."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.bots.candidates import SeasonPlan
from games.diplomacy.bots.common import UNREACHABLE_STEPS, Situation, choose
from games.diplomacy.bots.reasons import Ferried, Ferries, Heads, PriorityDecision
from games.diplomacy.model import BuildCanoe, Convoy, Move, Province, Unit
from games.messages import sentence
from games.priorities import Criterion, applies

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
            criteria = _criteria(plan.situation)
            chosen, why = choose(
                "convoy", crossings, criteria, plan.dice, label, lambda candidate: candidate.shore
            )
            _carry(plan, army, chosen, why)


def _criteria(situation: Situation) -> tuple[Criterion[Crossing], ...]:
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
        waters = _waters(plan, unit, goal, steps)
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


def _waters(plan: SeasonPlan, unit: Unit, goal: Province, steps: int) -> list[Province]:
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
