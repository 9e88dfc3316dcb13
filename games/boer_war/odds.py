"""What a drive comes to on average, over all throws of its dice."""

from collections.abc import Sequence
from itertools import product

from games.boer_war import ways
from games.boer_war.battles import losses_for
from games.boer_war.codes import LeaderId, Point
from games.boer_war.forces import command_of, leaders_at, sp_at
from games.boer_war.model import State
from games.boer_war.skirmishes import evasion, refuge, skirmish_modifiers

_DIE = range(1, 7)


def boers_lost(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """The SP that a drive of some leaders, who all reach its target, costs the Boers there on average.

    Markers that serve once are left out of account. Source: ruling 9.3.
    """
    sp, held = sum(state.leaders[one].sp for one in leaders), sp_at(state, target, "boers")
    boers = leaders_at(state, target, "boers")
    ours = skirmish_modifiers(state, "empire", target, (sp, held), attacks=True)
    theirs = skirmish_modifiers(state, "boers", target, (held, sp), attacks=False)
    ahead = command_of(state, tuple(leaders)) + _sum(ours) - command_of(state, boers) - _sum(theirs)
    table = state.box.numbers.skirmish.losses
    lost = 0
    for own, foe in product(_DIE, _DIE):
        losses = losses_for(table, ahead + own - foe)
        lost += min(held, losses.loser if ahead + own > foe else losses.winner)
    return (1 - _escapes(state, leaders, target)) * lost / len(_DIE) ** 2


def _escapes(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """How likely Boers evade a drive."""
    boers = leaders_at(state, target, "boers")
    came = frozenset(way.last for one in leaders if (way := ways.reaches(state, one, target)))
    if any(one in state.standing for one in boers) or refuge(state, target, came) is None:
        return 0.0
    helps = _sum(evasion(state, boers, target, len(leaders)))
    return sum(die + helps >= state.box.numbers.skirmish.evades for die in _DIE) / len(_DIE)


def _sum(modifiers: Sequence[tuple[str, int]]) -> int:
    return sum(n for _, n in modifiers)
