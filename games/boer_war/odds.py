"""The expected result of a drive, over all rolls of its dice."""

from collections.abc import Sequence
from itertools import product

from games.boer_war import paths
from games.boer_war.battles import losses_for
from games.boer_war.codes import LeaderId, Point
from games.boer_war.forces import best_command, leaders_at, sp_at
from games.boer_war.model import State
from games.boer_war.skirmishes import evasion_modifiers, evasion_point, skirmish_modifiers

_DIE_FACES = range(1, 7)


def expected_drive_losses(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """Return the SP that a drive of some leaders, who all reach its target, costs the Boers there on average.

    Markers that serve once are left out of account. Source: ruling 9.3.
    """
    sp, held = sum(state.leaders[leader].sp for leader in leaders), sp_at(state, target, "boers")
    boers = leaders_at(state, target, "boers")
    ours = skirmish_modifiers(state, "empire", target, (sp, held), attacks=True)
    theirs = skirmish_modifiers(state, "boers", target, (held, sp), attacks=False)
    ahead = best_command(state, tuple(leaders)) + _sum_of(ours) - best_command(state, boers) - _sum_of(theirs)
    table = state.box.numbers.skirmish.losses
    lost = 0
    for own, foe in product(_DIE_FACES, _DIE_FACES):
        losses = losses_for(table, ahead + own - foe)
        lost += min(held, losses.loser if ahead + own > foe else losses.winner)
    return (1 - _evasion_chance(state, leaders, target)) * lost / len(_DIE_FACES) ** 2


def _evasion_chance(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """Return how likely Boers evade a drive."""
    boers = leaders_at(state, target, "boers")
    came = frozenset(way.last for leader in leaders if (way := paths.path_to(state, leader, target)))
    if any(leader in state.standing for leader in boers) or evasion_point(state, target, came) is None:
        return 0.0
    helps = _sum_of(evasion_modifiers(state, boers, target, len(leaders)))
    return sum(die + helps >= state.box.numbers.skirmish.evades for die in _DIE_FACES) / len(_DIE_FACES)


def _sum_of(modifiers: Sequence[tuple[str, int]]) -> int:
    return sum(n for _, n in modifiers)
