"""The bots of War Chest: the automaton by its decision list, and a plain greedy player.

`HouseBot` sits in every seat of this game: the automaton's is played by the list, a seat without a person
by the greedy player.
"""

from games.dice import Dice
from games.messages import sentence
from games.priorities import Criterion, rank
from games.protocol import Bot, Choice, Decision, Due
from games.war_chest import automaton, legality
from games.war_chest.board import NEIGHBOURS, Hex, distance, distances, nearest
from games.war_chest.components import ARCHER, ROYAL_COIN, UNIT_NAMES, Card, Coin
from games.war_chest.model import (
    AUTOMATON,
    DRAFT,
    LOSS,
    AnyOrder,
    Bolster,
    Deploy,
    Lose,
    Maneuver,
    ManeuverStep,
    Pass,
    Pick,
    Recruit,
    Stack,
    View,
)
from games.war_chest.phrases import reason


class HouseBot(Bot[View, AnyOrder]):
    """Plays any seat: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due, each with its reason."""
        if due.seat == AUTOMATON:
            return (automaton_decision(view, dice),)
        if due.kind == DRAFT:
            return tuple(
                Choice(Pick(card=card), sentence("war_chest.greedy.draft"))
                for card in view.offer[: due.takes]
            )
        return (Greedy(view, due).choice(),)


def automaton_decision(view: View, dice: Dice) -> Choice[AnyOrder]:
    """Return what the decision list says; a tie is broken at random. Source: clause 7.4.tie."""
    answers = list(automaton.automaton_answers(view))
    for depth in range(len(answers[0].why)):
        taken = list(dict.fromkeys(answer.why[depth].taken for answer in answers if depth < len(answer.why)))
        if len(taken) > 1:
            chosen = dice.pick(f"tie/{view.number}/{view.part}/{depth}", taken)
            answers = [
                answer for answer in answers if depth < len(answer.why) and answer.why[depth].taken == chosen
            ]
    answer = answers[0]
    decisions = tuple(
        Decision(clause=weighed.clause, criterion=weighed.criterion, choices=weighed.left)
        for weighed in answer.why
    )
    return Choice(answer.order, reason(answer.order, answer.why), decisions)


class Greedy:
    """A plain player: win, take, hit, go on, deploy, recruit, in this order, whatever coin allows it first.

    It knows no tactic but the Archer's, and never looks ahead.
    """

    def __init__(self, view: View, due: Due) -> None:
        self.view, self.due = view, due
        self.seat = due.seat
        self.coins = tuple(dict.fromkeys(legality.coins(view, due.seat)))

    def choice(self) -> Choice[AnyOrder]:
        """Return the order for what is due."""
        if self.due.kind == LOSS:
            return Choice(Lose(source="supply"), sentence("war_chest.greedy.loss"))
        tries = (self._control, self._attack, self._deploy, self._move, self._bolster, self._recruit)
        for attempt in tries:
            for coin in self.coins:
                option = attempt(coin)
                if option is not None and legality.objection(self.view, self.seat, option.order) is None:
                    return option
        coin = ROYAL_COIN if ROYAL_COIN in self.coins else self.coins[0]
        return Choice(Pass(coin=coin), sentence("war_chest.greedy.pass"))

    def _units(self, coin: Coin) -> tuple[Stack, ...]:
        return self.view.units(self.seat, coin)

    def _control(self, coin: Coin) -> Choice[AnyOrder] | None:
        for unit in self._units(coin):
            if unit.at in self.view.box.locations and self.view.control.get(unit.at) != self.seat:
                most = self.view.box.board.markers
                wins = self.view.markers(self.seat) == most - 1
                step = ManeuverStep(card=coin, at=_at(self.view, unit), act="control")
                order = Maneuver(card=coin, steps=(step,))
                return Choice(order, _last(most) if wins else sentence("war_chest.greedy.control"))
        return None

    def _attack(self, coin: Coin) -> Choice[AnyOrder] | None:
        reach = 2 if coin == ARCHER else 1
        for unit in self._units(coin):
            foes = [
                s for s in self.view.units(self.view.other(self.seat)) if distance(unit.at, s.at) == reach
            ]
            for foe in sorted(foes, key=lambda stack: stack.height):
                step = ManeuverStep(card=coin, at=_at(self.view, unit), act="attack", to=foe.at)
                order = Maneuver(card=coin, steps=(step,))
                if legality.objection(self.view, self.seat, order) is None:
                    return Choice(order, sentence("war_chest.greedy.attack"))
        return None

    def _deploy(self, coin: Coin) -> Choice[AnyOrder] | None:
        if coin not in UNIT_NAMES or self._units(coin):
            return None
        places = legality.deploy_hexes(self.view, self.seat, coin)
        if not places:
            return None
        chosen = rank(places, (Criterion("closest", lambda at: self._way(at)),)).left[0]
        return Choice(Deploy(card=coin, at=chosen), sentence("war_chest.greedy.deploy"))

    def _move(self, coin: Coin) -> Choice[AnyOrder] | None:
        for unit in self._units(coin):
            here = self._way(unit.at)
            empty = [at for at in NEIGHBOURS[unit.at] if self.view.stack_at(at) is None]
            closer = [at for at in empty if here and (self._way(at) or 0) < here]
            if closer:
                chosen = rank(closer, (Criterion("closest", lambda at: self._way(at)),)).left[0]
                step = ManeuverStep(card=coin, at=_at(self.view, unit), act="move", to=chosen)
                return Choice(Maneuver(card=coin, steps=(step,)), sentence("war_chest.greedy.move"))
        return None

    def _bolster(self, coin: Coin) -> Choice[AnyOrder] | None:
        units = self._units(coin)
        if not units:
            return None
        return Choice(Bolster(card=coin, at=_at(self.view, units[0])), sentence("war_chest.greedy.bolster"))

    def _recruit(self, coin: Coin) -> Choice[AnyOrder] | None:
        supply = self.view.sides[self.seat].supply
        cards: list[Card] = sorted((card for card in supply if supply[card]), key=lambda c: -supply[c])
        if not cards:
            return None
        return Choice(Recruit(card=cards[0], coin=coin), sentence("war_chest.greedy.recruit"))

    def _way(self, at: Hex) -> int | None:
        """Return how far the nearest location is that is not ours."""
        occupied = {stack.at for stack in self.view.stacks}
        ours = {stack.at for stack in self.view.units(self.seat)}
        goals = [
            location
            for location in self.view.box.locations
            if self.view.control.get(location) != self.seat and location not in ours
        ]
        return nearest(distances(at, occupied - {at}), goals)


def _last(markers: int) -> str:
    return sentence("war_chest.greedy.sixth_marker" if markers == 6 else "war_chest.greedy.last_marker")


def _at(view: View, unit: Stack) -> Hex | None:
    """Return where the unit stands, said only where there are two of its card."""
    return unit.at if len(view.units(unit.seat, unit.card)) > 1 else None
