"""The orders of priorities: those of the War Chest automaton, in provinces and centres.

Its locations are supply centres; neutral ones belong to nobody, friendly ones to the seat; the centre of its
board is the middle of ours. Where a temperament counts some centres as nearer, "closest" means that.

Source: War Chest, solo sheet: the lists for deployment, target and step.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

from games.dice import Dice
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.distances import UNREACHABLE_STEPS
from games.diplomacy.bots.reasons import PriorityDecision, describe_ranking
from games.diplomacy.model import Kind, Piece, Province, Unit, split_spot
from games.priorities import Criterion, applies, rank

PlacedT = TypeVar("PlacedT")
UnitOrPieceT = TypeVar("UnitOrPieceT", Unit, Piece)

AGREEMENT_STEPS = 2
"""How many steps nearer a centre counts that was agreed in press to be attacked."""


def choose(
    order: str,
    candidates: Sequence[PlacedT],
    criteria: Sequence[Criterion[PlacedT]],
    dice: Dice,
    label: str,
    name: Callable[[PlacedT], str] = str,
) -> tuple[PlacedT, PriorityDecision]:
    """The candidate that an order of priorities comes to, by lot on a tie, and what decided.

    The dice are thrown for nothing else. name: what a candidate is called in the record of the decision.
    """
    ranking = rank(candidates, criteria)
    chosen = dice.pick(label, ranking.left) if ranking.is_tie else ranking.left[0]
    return chosen, describe_ranking(order, criteria, ranking, len(candidates), name)


def goal_criteria(situation: Situation, unit: Unit) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the centre that it goes to.

    Source: War Chest, solo sheet, target: closest, enemy, enemy-occupied, closest to the centre.
    """
    far = {goal: situation.far(unit, goal) for goal in situation.prizes}
    closest = preference_words(situation, "the closest centre to win")
    return (
        Criterion(closest, lambda goal: far[goal] - pull(situation, goal)),
        applies("of those as close an enemy's", situation.is_enemys),
        applies("of those as close one held by an enemy", lambda goal: situation.is_hostile(goal)),
        Criterion("of those as close the one nearest to the middle of the board", situation.ways.outward.get),
    )


def step_criteria(situation: Situation, unit: Unit, goal: Province) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the way to its goal, among spots that are nearer to it.

    Source: War Chest, solo sheet, step: closest to another enemy location, another neutral one, an enemy
    unit, the centre.
    """
    enemy = [prize for prize in situation.prizes if prize != goal and situation.is_enemys(prize)]
    unowned = [prize for prize in situation.prizes if prize != goal and prize not in situation.view.centres]
    return (
        Criterion(
            "this way the shortest",
            lambda spot: situation.steps(unit.kind, goal).get(spot, UNREACHABLE_STEPS),
        ),
        _near("this way nearer to another enemy's centre", situation, unit.kind, enemy),
        _near("this way nearer to another unowned centre", situation, unit.kind, unowned),
        _near("this way nearer to an enemy", situation, unit.kind, situation.hostile),
        Criterion(
            "this way nearer to the middle of the board",
            lambda spot: situation.ways.outward.get(split_spot(spot)[0]),
        ),
    )


def site_criteria(
    situation: Situation, what: str, place: Callable[[PlacedT], tuple[Kind, Province]]
) -> tuple[Criterion[PlacedT], ...]:
    """Return the criteria for a place for a unit among several, or for a unit among several by its place.

    what: the noun; place: the kind of the unit, and its spot.

    Source: War Chest, solo sheet, deployment: closest to a neutral or enemy location, to an enemy one, to
    one that is enemy-occupied, to the centre.
    """
    prizes = situation.prizes
    lists = (
        ("closest to a centre to win", prizes),
        ("closest to an enemy's centre", [prize for prize in prizes if situation.is_enemys(prize)]),
        ("closest to a centre held by an enemy", [prize for prize in prizes if situation.is_hostile(prize)]),
    )
    near = [Criterion(f"{what} {words}", _measure(situation, some, place)) for words, some in lists]
    outward = situation.ways.outward
    return (
        *near,
        Criterion(
            f"{what} closest to the middle of the board",
            lambda candidate: outward.get(split_spot(place(candidate)[1])[0]),
        ),
    )


def of_unit(unit: UnitOrPieceT) -> tuple[Kind, Province]:
    """The kind and the spot of a unit, for `site_criteria`."""
    return unit.kind, unit.spot


def pull(situation: Situation, goal: Province) -> float:
    """Return how many steps nearer a centre counts: by temperament, its nation's danger, and agreements."""
    temper, pact = situation.temper, situation.pact
    owner = situation.view.centres.get(goal)
    nearer: float = 0
    if owner is None:
        nearer = temper.unowned
    elif owner != situation.seat:
        nearer = temper.enemy + situation.dangers.get(owner, 0)
    return nearer + AGREEMENT_STEPS * (goal in pact.targets or owner in pact.foes)


def preference_words(situation: Situation, words: str) -> str:
    """Return a criterion in which `pull` counts, in words: its temperament, and what else counts."""
    temper, pact = situation.temper, situation.pact
    counted = f" as a {temper.name} counts" if temper.enemy or temper.unowned else ""
    besides = (
        ("how dangerous each nation is", situation.dangers),
        ("what was agreed", pact.targets or pact.foes),
    )
    influences = " and ".join(what for what, counts in besides if counts)
    return f"{words}{counted}{f', with {influences}' if influences else ''}"


def _near(words: str, situation: Situation, kind: Kind, some: Sequence[Province]) -> Criterion[Province]:
    # Mostly an earlier criterion has decided, and this one is not asked.
    ways = cache(lambda: [situation.steps(kind, goal) for goal in some])
    return Criterion(words, lambda spot: _least(way.get(spot, UNREACHABLE_STEPS) for way in ways()))


def _measure(
    situation: Situation, some: Sequence[Province], place: Callable[[PlacedT], tuple[Kind, Province]]
) -> Callable[[PlacedT], int | None]:
    @cache
    def measure(candidate: PlacedT) -> int | None:
        kind, spot = place(candidate)
        return _least(situation.steps(kind, goal).get(spot, UNREACHABLE_STEPS) for goal in some)

    return measure


def _least(numbers: Iterable[int]) -> int | None:
    """The least number, None where there is none, or where nothing can be reached."""
    least = min(numbers, default=UNREACHABLE_STEPS)
    return least if least < UNREACHABLE_STEPS else None
