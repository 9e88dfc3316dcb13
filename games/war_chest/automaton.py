"""The automaton's decision list: its possible orders, and the criterion that decides.

`automaton_answers` returns every choice that the list leaves open. There are several only on a tie. The bot
chooses one at random. The rules accept no other order, and their events give the reason.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, assert_never

from games.priorities import Criterion, Ranking, applies, rank
from games.record import Value, canonical, load
from games.war_chest.board import (
    CENTRE_HEX,
    NEIGHBOURS,
    Hex,
    distance,
    distances,
    hexes_between,
    in_order,
    nearest,
)
from games.war_chest.components import (
    CROSSBOWMAN,
    KNIGHT,
    LIGHT_CAVALRY,
    ROYAL_COIN,
    Card,
    Coin,
)
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
    ListDecision,
    Maneuver,
    ManeuverStep,
    Pass,
    PriestDraw,
    Recruit,
    Stack,
    State,
    UseDrawn,
)

DEPLOY_CLAUSE, ATTACK_CLAUSE, TARGET_CLAUSE, STEP_CLAUSE, RECRUIT_CLAUSE = (
    "7.5",
    "7.6",
    "7.7.1",
    "7.7.2",
    "7.9",
)
WINNING_CLAUSE, CONTROL_CLAUSE = "7.3.4a", "7.3.5"

CRITERIA: dict[str, tuple[str, ...]] = {
    DEPLOY_CLAUSE: ("closest_wanted", "closest_enemy", "closest_occupied", "closest_centre"),
    ATTACK_CLAUSE: ("adjacent", "on_friendly", "on_enemy", "on_neutral", "closest_centre"),
    TARGET_CLAUSE: ("closest_location", "enemy", "occupied", "closest_centre"),
    STEP_CLAUSE: ("closest_other_enemy", "closest_other_neutral", "closest_unit", "closest_centre"),
    RECRUIT_CLAUSE: ("most_supply", "most_removed", "most_recent"),
}
"""The criteria of each list of priorities, in order, by their names in the message catalogue."""


class AutomatonAnswer(Value, frozen=True):
    """An order that the decision list allows, and the decisions of the lists that led to it."""

    order: AnyOrder
    why: tuple[ListDecision, ...] = ()


def automaton_answers(state: State) -> tuple[AutomatonAnswer, ...]:
    """Return the automaton's possible orders in the fixed order; none if its list skips this decision."""
    return _cached_answers(canonical(state))


@lru_cache(maxsize=512)
def _cached_answers(position: bytes) -> tuple[AutomatonAnswer, ...]:
    return tuple(_DecisionList(load(State, position)).answers())


class _DecisionList:
    """One position from the automaton's view.

    Its own side is "friendly", the human's is "enemy".
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = state.sides[AUTOMATON]
        self.occupied = frozenset(stack.at for stack in state.stacks)
        self.enemies = tuple(stack for stack in state.stacks if stack.seat != AUTOMATON)
        control, locations = state.control, state.box.locations
        self.friendly = tuple(location for location in locations if control.get(location) == AUTOMATON)
        self.enemy = tuple(
            location for location in locations if control.get(location) not in (AUTOMATON, None)
        )
        self.neutral = tuple(location for location in locations if location not in control)
        self.wanted = tuple(location for location in locations if location not in self.friendly)
        self.held = tuple(
            location for location in locations if location in {stack.at for stack in self.enemies}
        )

    def answers(self) -> Iterable[AutomatonAnswer]:
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

    def _reveal(self, coin: Coin) -> Iterable[AutomatonAnswer]:
        """Return the orders for a revealed coin. Source: clauses 7.3.1 to 7.3.7."""
        if coin == ROYAL_COIN:
            return self._recruits(coin)
        if self._unit(coin) is None:
            return tuple(self._deploys(coin)) or self._recruits(coin)
        return tuple(self._maneuver(coin)) or self._recruits(coin)

    def _maneuver(self, card: Card) -> Iterable[AutomatonAnswer]:
        """Return the maneuvers of a unit: win by control, attack, control or move, in this order.

        Source: clauses 7.3.4a to 7.3.6.
        """
        unit = self._unit(card)
        if unit is None:
            return ()
        on_wanted = unit.at in self.wanted
        attacks = tuple(self._attacks(unit))
        if attacks and on_wanted and len(self.friendly) == self.state.box.board.markers - 1:
            return (self._control(unit, WINNING_CLAUSE),)
        if attacks:
            return attacks
        if on_wanted:
            return (self._control(unit, CONTROL_CLAUSE),)
        return self._moves(unit)

    def _control(self, unit: Stack, clause: str) -> AutomatonAnswer:
        order = Maneuver(card=unit.card, steps=(ManeuverStep(card=unit.card, act="control"),))
        return AutomatonAnswer(order, (ListDecision(clause=clause, left=(unit.at,), taken=unit.at),))

    def _follow_up(self, card: Card) -> Iterable[AutomatonAnswer]:
        """Return the moves of a Swordsman after its attack. Source: clause 7.6.swordsman."""
        unit = self._unit(card)
        return () if unit is None or unit.at in self.wanted else self._moves(unit)

    def _unit(self, card: Card) -> Stack | None:
        return next(iter(self.state.units(AUTOMATON, card)), None)

    def _deploys(self, card: Card) -> Iterator[AutomatonAnswer]:
        """Yield the best hexes to deploy on. Source: clause 7.5."""
        candidates = self.state.deploy_hexes(AUTOMATON, card)
        if not candidates:
            return
        ways = {candidate: distances(candidate, self.occupied) for candidate in candidates}
        goals = (self.wanted, self.enemy, self.held, (CENTRE_HEX,))
        ranking = rank(candidates, _closest(DEPLOY_CLAUSE, [(ways, some) for some in goals]))
        for at in ranking.left:
            yield AutomatonAnswer(
                Deploy(card=card, at=at), (_list_decision(DEPLOY_CLAUSE, ranking, at, ranking.left),)
            )

    def _attacks(self, unit: Stack) -> Iterator[AutomatonAnswer]:
        """Yield the best attacks of a unit. Source: clause 7.6."""
        candidates = tuple(enemy for enemy in self.enemies if self._in_reach(unit, enemy))
        if not candidates:
            return
        words = CRITERIA[ATTACK_CLAUSE]
        ranking = rank(
            candidates,
            (
                applies(words[0], lambda foe: distance(unit.at, foe.at) == 1),
                applies(words[1], lambda foe: foe.at in self.friendly),
                applies(words[2], lambda foe: foe.at in self.enemy),
                applies(words[3], lambda foe: foe.at in self.neutral),
                Criterion(words[4], lambda foe: distances(foe.at, self.occupied).get(CENTRE_HEX)),
            ),
        )
        hexes_left = tuple(foe.at for foe in ranking.left)
        for foe in ranking.left:
            yield AutomatonAnswer(
                self._blow(unit, foe), (_list_decision(ATTACK_CLAUSE, ranking, foe.at, hexes_left),)
            )

    def _blow(self, unit: Stack, foe: Stack) -> AnyOrder:
        """Return the attack on an enemy, or the bolster before it. Source: clause 7.6.knight."""
        if foe.card == KNIGHT and unit.height == 1:
            return Bolster(card=unit.card)
        step = ManeuverStep(card=unit.card, act="attack", to=foe.at)
        return Maneuver(card=unit.card, steps=(step,))

    def _in_reach(self, unit: Stack, foe: Stack) -> bool:
        """Return whether the unit can attack an enemy now. Source: clauses 7.4.attack, 7.3.royal."""
        if foe.card == KNIGHT and unit.height == 1 and self.state.revealed != unit.card:
            return False
        if distance(unit.at, foe.at) == 1:
            return True
        between = (
            hexes_between(unit.at, foe.at)
            if unit.card == CROSSBOWMAN and distance(unit.at, foe.at) == 2
            else None
        )
        return between is not None and not self.occupied.intersection(between)

    def _moves(self, unit: Stack) -> Iterator[AutomatonAnswer]:
        """Yield the best moves of a unit. Source: clause 7.7."""
        ours = {stack.at for stack in self.state.units(AUTOMATON)}
        ways = distances(unit.at, self.occupied)
        candidates = tuple(location for location in self.wanted if location in ways and location not in ours)
        if not candidates:
            return
        words = CRITERIA[TARGET_CLAUSE]
        ranking = rank(
            candidates,
            (
                Criterion(words[0], lambda location: ways.get(location)),
                applies(words[1], lambda location: location in self.enemy),
                applies(words[2], lambda location: location in self.held),
                Criterion(words[3], lambda location: distances(location, self.occupied).get(CENTRE_HEX)),
            ),
        )
        for target in ranking.left:
            why = _list_decision(TARGET_CLAUSE, ranking, target, ranking.left)
            for steps, weighed in self._ways(unit, unit.at, target, twice=unit.card == LIGHT_CAVALRY):
                moves = tuple(ManeuverStep(card=unit.card, act="move", to=to) for to in steps)
                yield AutomatonAnswer(Maneuver(card=unit.card, steps=moves), (why, *weighed))

    def _ways(
        self, unit: Stack, at: Hex, target: Hex, twice: bool
    ) -> Iterator[tuple[tuple[Hex, ...], tuple[ListDecision, ...]]]:
        """Yield the steps towards a target, one or, if `twice`, two. Source: clause 7.7.2."""
        occupied = self.occupied - {unit.at}
        ranking = self._step(at, target, occupied)
        if ranking is None:
            return
        for to in ranking.left:
            why = _list_decision(STEP_CLAUSE, ranking, to, ranking.left)
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
        ways = {step: distances(step, occupied) for step in candidates}
        goals = (
            [location for location in self.enemy if location != target],
            [location for location in self.neutral if location != target],
            [stack.at for stack in self.enemies],
            (CENTRE_HEX,),
        )
        return rank(candidates, _closest(STEP_CLAUSE, [(ways, some) for some in goals]))

    def _recruits(self, coin: Coin | None, *, passes: bool = True) -> Iterator[AutomatonAnswer]:
        """Yield the best recruits; a pass if there are none and `passes`. Source: clause 7.9."""
        supply, removed, recent = self.side.supply, self.side.removed, self.side.recent
        candidates = sorted(card for card in self.side.cards if supply.get(card))
        if not candidates:
            if passes:
                yield AutomatonAnswer(Pass(coin=coin))
            return
        words = CRITERIA[RECRUIT_CLAUSE]
        ranking = rank(
            candidates,
            (
                Criterion(words[0], lambda card: -supply[card]),
                Criterion(words[1], lambda card: -removed.get(card, 0)),
                Criterion(words[2], lambda card: -recent.get(card, 0)),
            ),
        )
        for card in ranking.left:
            why = _list_decision(RECRUIT_CLAUSE, ranking, card, ranking.left)
            yield AutomatonAnswer(Recruit(card=card, coin=coin), (why,))


def _closest(
    clause: str, measures: Sequence[tuple[dict[Hex, dict[Hex, int]], Sequence[Hex]]]
) -> tuple[Criterion[Hex], ...]:
    """Return criteria that prefer the least distance to any of some hexes. Source: clause 7.4.closest."""

    def measure(ways: dict[Hex, dict[Hex, int]], goals: Sequence[Hex]) -> Callable[[Hex], float | None]:
        return lambda at: nearest(ways[at], goals)

    return tuple(
        Criterion(words, measure(*some)) for words, some in zip(CRITERIA[clause], measures, strict=True)
    )


def _list_decision(
    clause: str, ranking: Ranking[Any], taken: str, candidates_left: Iterable[str]
) -> ListDecision:
    return ListDecision(
        clause=clause,
        narrowed=ranking.narrowed,
        decided=ranking.deciding_criterion,
        left=tuple(candidates_left),
        taken=taken,
    )
