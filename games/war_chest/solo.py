"""The automaton's decision list: what it may do with the coin revealed, and by which criterion.

`answers` lists every choice that the list leaves open (several only on a tie): the bot takes one by lot, the
rules hold its order against them and tell why it was chosen.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, assert_never

from games.priorities import Criterion, Ranking, applies, rank
from games.record import Value, canonical, load
from games.war_chest.board import CENTRE, NEIGHBOURS, Hex, apart, distances, in_order, line, nearest
from games.war_chest.components import (
    CROSSBOWMAN,
    KNIGHT,
    LIGHT_CAVALRY,
    ROYAL,
    Card,
    Coin,
)
from games.war_chest.lawful import deploy_hexes
from games.war_chest.model import (
    AUTOMATON,
    Again,
    AnyOrder,
    Bolster,
    Charge,
    ChooseLoss,
    Deploy,
    Do,
    FollowUp,
    Maneuver,
    Pass,
    PriestDraw,
    Recruit,
    Stack,
    State,
    Step,
    UseDrawn,
    Weighed,
)

DEPLOY, ATTACK, TARGET, STEP, RECRUIT = "7.5", "7.6", "7.7.1", "7.7.2", "7.9"
WINS, CONTROLS = "7.3.4a", "7.3.5"

CRITERIA: dict[str, tuple[str, ...]] = {
    DEPLOY: (
        "closest to a neutral or enemy location",
        "closest to an enemy location",
        "closest to an enemy-occupied location",
        "closest to the centre",
    ),
    ATTACK: (
        "adjacent",
        "on a friendly location",
        "on an enemy location",
        "on a neutral location",
        "closest to the centre",
    ),
    TARGET: ("closest location", "enemy location", "enemy-occupied location", "closest to the centre"),
    STEP: (
        "closest to another enemy location",
        "closest to another neutral location",
        "closest to an enemy unit",
        "closest to the centre",
    ),
    RECRUIT: (
        "most coins left in the supply",
        "most coins removed from the game",
        "most recently maneuvered",
    ),
}
"""Every list of priorities, its criteria in order, in words. Source: the clauses of these numbers."""


class Answer(Value, frozen=True):
    """An order that the decision list allows, and the lists that were worked through."""

    order: AnyOrder
    why: tuple[Weighed, ...] = ()


def answers(state: State) -> tuple[Answer, ...]:
    """What the automaton may do now, in the fixed order; none where the step of its list is left out."""
    return _answers(canonical(state))


@lru_cache(maxsize=512)
def _answers(position: bytes) -> tuple[Answer, ...]:
    return tuple(_Mind(load(State, position)).answers())


class _Mind:
    """One position as the automaton sees it: it is "friendly", the human is "enemy"."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = state.sides[AUTOMATON]
        self.occupied = frozenset(stack.at for stack in state.stacks)
        self.enemies = tuple(stack for stack in state.stacks if stack.seat != AUTOMATON)
        control, locations = state.control, state.box.locations
        self.friendly = tuple(one for one in locations if control.get(one) == AUTOMATON)
        self.enemy = tuple(one for one in locations if control.get(one) not in (AUTOMATON, None))
        self.neutral = tuple(one for one in locations if one not in control)
        self.wanted = tuple(one for one in locations if one not in self.friendly)
        self.held = tuple(one for one in locations if one in {stack.at for stack in self.enemies})

    def answers(self) -> Iterable[Answer]:
        task = self.state.agenda[0] if self.state.agenda else None
        match task:
            case FollowUp():
                return self._follow_up(task.card)
            case Charge():
                unit = self._unit(task.card)
                return self._attacks(unit) if unit else ()
            case Again():
                return self._recruits(None, passes=False) if task.card is None else self._maneuver(task.card)
            case None | Do() | PriestDraw() | UseDrawn() | ChooseLoss():
                assert self.state.revealed is not None, "the automaton plays a coin"
                return self._reveal(self.state.revealed)
            case _:
                assert_never(task)

    def _reveal(self, coin: Coin) -> Iterable[Answer]:
        """Source: clauses 7.3.1 to 7.3.7."""
        if coin == ROYAL:
            return self._recruits(coin)
        if self._unit(coin) is None:
            return tuple(self._deploys(coin)) or self._recruits(coin)
        return tuple(self._maneuver(coin)) or self._recruits(coin)

    def _maneuver(self, card: Card) -> Iterable[Answer]:
        """Win by control, attack, control, move; nothing else. Source: clauses 7.3.4a to 7.3.6."""
        unit = self._unit(card)
        if unit is None:
            return ()
        on_wanted = unit.at in self.wanted
        attacks = tuple(self._attacks(unit))
        if attacks and on_wanted and len(self.friendly) == self.state.box.board.markers - 1:
            return (self._control(unit, WINS),)
        if attacks:
            return attacks
        if on_wanted:
            return (self._control(unit, CONTROLS),)
        return self._moves(unit)

    def _control(self, unit: Stack, clause: str) -> Answer:
        order = Maneuver(card=unit.card, steps=(Step(card=unit.card, act="control"),))
        return Answer(order, (Weighed(clause=clause, left=(unit.at,), taken=unit.at),))

    def _follow_up(self, card: Card) -> Iterable[Answer]:
        """Source: clause 7.6.swordsman."""
        unit = self._unit(card)
        return () if unit is None or unit.at in self.wanted else self._moves(unit)

    def _unit(self, card: Card) -> Stack | None:
        return next(iter(self.state.units(AUTOMATON, card)), None)

    # Deployment: clause 7.5.

    def _deploys(self, card: Card) -> Iterator[Answer]:
        candidates = deploy_hexes(self.state, AUTOMATON, card)
        if not candidates:
            return
        ways = {one: distances(one, self.occupied) for one in candidates}
        goals = (self.wanted, self.enemy, self.held, (CENTRE,))
        ranking = rank(candidates, _closest(DEPLOY, [(ways, some) for some in goals]))
        for at in ranking.left:
            yield Answer(Deploy(card=card, at=at), (_weighed(DEPLOY, ranking, at, ranking.left),))

    # Attack: clause 7.6.

    def _attacks(self, unit: Stack) -> Iterator[Answer]:
        candidates = tuple(enemy for enemy in self.enemies if self._in_reach(unit, enemy))
        if not candidates:
            return
        words = CRITERIA[ATTACK]
        ranking = rank(
            candidates,
            (
                applies(words[0], lambda foe: apart(unit.at, foe.at) == 1),
                applies(words[1], lambda foe: foe.at in self.friendly),
                applies(words[2], lambda foe: foe.at in self.enemy),
                applies(words[3], lambda foe: foe.at in self.neutral),
                Criterion(words[4], lambda foe: distances(foe.at, self.occupied).get(CENTRE)),
            ),
        )
        left = tuple(foe.at for foe in ranking.left)
        for foe in ranking.left:
            yield Answer(self._blow(unit, foe), (_weighed(ATTACK, ranking, foe.at, left),))

    def _blow(self, unit: Stack, foe: Stack) -> AnyOrder:
        """Source: clause 7.6.knight."""
        if foe.card == KNIGHT and unit.height == 1:
            return Bolster(card=unit.card)
        step = Step(card=unit.card, act="attack", to=foe.at)
        return Maneuver(card=unit.card, steps=(step,))

    def _in_reach(self, unit: Stack, foe: Stack) -> bool:
        """Whether the unit is able to attack that one. Source: clauses 7.4.attack, 7.3.royal."""
        if foe.card == KNIGHT and unit.height == 1 and self.state.revealed != unit.card:
            return False
        if apart(unit.at, foe.at) == 1:
            return True
        between = line(unit.at, foe.at) if unit.card == CROSSBOWMAN and apart(unit.at, foe.at) == 2 else None
        return between is not None and not self.occupied.intersection(between)

    # Movement: clause 7.7.

    def _moves(self, unit: Stack) -> Iterator[Answer]:
        ours = {stack.at for stack in self.state.units(AUTOMATON)}
        ways = distances(unit.at, self.occupied)
        candidates = tuple(one for one in self.wanted if one in ways and one not in ours)
        if not candidates:
            return
        words = CRITERIA[TARGET]
        ranking = rank(
            candidates,
            (
                Criterion(words[0], lambda one: ways.get(one)),
                applies(words[1], lambda one: one in self.enemy),
                applies(words[2], lambda one: one in self.held),
                Criterion(words[3], lambda one: distances(one, self.occupied).get(CENTRE)),
            ),
        )
        for target in ranking.left:
            why = _weighed(TARGET, ranking, target, ranking.left)
            for steps, weighed in self._ways(unit, unit.at, target, twice=unit.card == LIGHT_CAVALRY):
                moves = tuple(Step(card=unit.card, act="move", to=to) for to in steps)
                yield Answer(Maneuver(card=unit.card, steps=moves), (why, *weighed))

    def _ways(
        self, unit: Stack, at: Hex, target: Hex, twice: bool
    ) -> Iterator[tuple[tuple[Hex, ...], tuple[Weighed, ...]]]:
        """Each way of one step towards a target, or of two for the Light Cavalry. Source: clause 7.7.2."""
        occupied = self.occupied - {unit.at}
        ranking = self._step(at, target, occupied)
        if ranking is None:
            return
        for to in ranking.left:
            why = _weighed(STEP, ranking, to, ranking.left)
            goes_on = twice and to != target
            more = tuple(self._ways(unit, to, target, twice=False)) if goes_on else ()
            for steps, weighed in more:
                yield (to, *steps), (why, *weighed)
            if not more:
                yield (to,), (why,)

    def _step(self, at: Hex, target: Hex, occupied: Collection[Hex]) -> Ranking[Hex] | None:
        to_target = distances(target, occupied)
        here = to_target.get(at)
        candidates = in_order(
            near
            for near in NEIGHBOURS[at]
            if near not in occupied and here is not None and near in to_target and to_target[near] < here
        )
        if not candidates:
            return None
        ways = {one: distances(one, occupied) for one in candidates}
        goals = (
            [one for one in self.enemy if one != target],
            [one for one in self.neutral if one != target],
            [stack.at for stack in self.enemies],
            (CENTRE,),
        )
        return rank(candidates, _closest(STEP, [(ways, some) for some in goals]))

    # Recruiting: clause 7.9.

    def _recruits(self, coin: Coin | None, *, passes: bool = True) -> Iterator[Answer]:
        supply, removed, recent = self.side.supply, self.side.removed, self.side.recent
        candidates = sorted(card for card in self.side.cards if supply.get(card))
        if not candidates:
            if passes:
                yield Answer(Pass(coin=coin))
            return
        words = CRITERIA[RECRUIT]
        ranking = rank(
            candidates,
            (
                Criterion(words[0], lambda card: -supply[card]),
                Criterion(words[1], lambda card: -removed.get(card, 0)),
                Criterion(words[2], lambda card: -recent.get(card, 0)),
            ),
        )
        for card in ranking.left:
            why = _weighed(RECRUIT, ranking, card, ranking.left)
            yield Answer(Recruit(card=card, coin=coin), (why,))


def _closest(
    clause: str, measures: Sequence[tuple[dict[Hex, dict[Hex, int]], Sequence[Hex]]]
) -> tuple[Criterion[Hex], ...]:
    """Criteria that want the least distance to any of some hexes. Source: clause 7.4.closest."""

    def measure(ways: dict[Hex, dict[Hex, int]], goals: Sequence[Hex]) -> Callable[[Hex], float | None]:
        return lambda one: nearest(ways[one], goals)

    return tuple(
        Criterion(words, measure(*some)) for words, some in zip(CRITERIA[clause], measures, strict=True)
    )


def _weighed(clause: str, ranking: Ranking[Any], taken: str, left: Iterable[str]) -> Weighed:
    return Weighed(
        clause=clause, narrowed=ranking.narrowed, decided=ranking.decided, left=tuple(left), taken=taken
    )
