"""The bots of War Chest: the automaton with its decision list, and a simple greedy player.

`HouseBot` can play every seat: it follows the list for the automaton, and plays greedily for a seat without
a player.
"""

from games.dice import Dice
from games.messages import sentence
from games.priorities import Criterion, rank
from games.protocol import Bot, Choice, Decision, Due
from games.war_chest import automaton, legality
from games.war_chest.board import NEIGHBOURS, Hex, distance, distances, nearest
from games.war_chest.components import ARCHER, ROYAL_COIN, UNIT_NAMES, Card, Coin
from games.war_chest.legal_orders import distinguishing_hex
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
    """A bot that plays any seat. It implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due, each with its reason."""
        if due.seat == AUTOMATON:
            return (automaton_decision(view, dice),)
        if due.kind == DRAFT:
            return tuple(
                Choice(Pick(card=card), sentence("war_chest.greedy.draft"))
                for card in view.offer[: due.takes]
            )
        return (Greedy(view, due).choice(),)


def automaton_decision(view: View, dice: Dice) -> Choice[AnyOrder]:
    """Return the order of the decision list; a tie is broken at random. Source: clause 7.4.tie."""
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
    """A simple player that wins, takes, attacks, deploys, moves, bolsters or recruits, in this order.

    It uses the first coin that allows the action. It knows no tactic except the Archer's, and never looks
    ahead.
    """

    def __init__(self, view: View, due: Due) -> None:
        self.view, self.due = view, due
        self.seat = due.seat
        self.coins = tuple(dict.fromkeys(legality.coins(view, due.seat)))

    def choice(self) -> Choice[AnyOrder]:
        """Return the order for the decision that is due."""
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
                step = ManeuverStep(card=coin, at=distinguishing_hex(self.view, unit), act="control")
                order = Maneuver(card=coin, steps=(step,))
                return Choice(
                    order, _last_marker_reason(most) if wins else sentence("war_chest.greedy.control")
                )
        return None

    def _attack(self, coin: Coin) -> Choice[AnyOrder] | None:
        reach = 2 if coin == ARCHER else 1
        for unit in self._units(coin):
            foes = [
                s for s in self.view.units(self.view.other(self.seat)) if distance(unit.at, s.at) == reach
            ]
            for foe in sorted(foes, key=lambda stack: stack.height):
                step = ManeuverStep(
                    card=coin, at=distinguishing_hex(self.view, unit), act="attack", to=foe.at
                )
                order = Maneuver(card=coin, steps=(step,))
                if legality.objection(self.view, self.seat, order) is None:
                    return Choice(order, sentence("war_chest.greedy.attack"))
        return None

    def _deploy(self, coin: Coin) -> Choice[AnyOrder] | None:
        if coin not in UNIT_NAMES or self._units(coin):
            return None
        places = self.view.deploy_hexes(self.seat, coin)
        if not places:
            return None
        chosen = rank(places, (Criterion("closest", lambda at: self._distance_to_goal(at)),)).left[0]
        return Choice(Deploy(card=coin, at=chosen), sentence("war_chest.greedy.deploy"))

    def _move(self, coin: Coin) -> Choice[AnyOrder] | None:
        for unit in self._units(coin):
            here = self._distance_to_goal(unit.at)
            empty = [at for at in NEIGHBOURS[unit.at] if self.view.stack_at(at) is None]
            closer = [at for at in empty if here and (self._distance_to_goal(at) or 0) < here]
            if closer:
                chosen = rank(closer, (Criterion("closest", lambda at: self._distance_to_goal(at)),)).left[0]
                step = ManeuverStep(card=coin, at=distinguishing_hex(self.view, unit), act="move", to=chosen)
                return Choice(Maneuver(card=coin, steps=(step,)), sentence("war_chest.greedy.move"))
        return None

    def _bolster(self, coin: Coin) -> Choice[AnyOrder] | None:
        units = self._units(coin)
        if not units:
            return None
        return Choice(
            Bolster(card=coin, at=distinguishing_hex(self.view, units[0])),
            sentence("war_chest.greedy.bolster"),
        )

    def _recruit(self, coin: Coin) -> Choice[AnyOrder] | None:
        supply = self.view.sides[self.seat].supply
        cards: list[Card] = sorted((card for card in supply if supply[card]), key=lambda c: -supply[c])
        if not cards:
            return None
        return Choice(Recruit(card=cards[0], coin=coin), sentence("war_chest.greedy.recruit"))

    def _distance_to_goal(self, at: Hex) -> int | None:
        """Return the distance to the nearest location that the seat neither controls nor has a unit on."""
        occupied = {stack.at for stack in self.view.stacks}
        ours = {stack.at for stack in self.view.units(self.seat)}
        goals = [
            location
            for location in self.view.box.locations
            if self.view.control.get(location) != self.seat and location not in ours
        ]
        return nearest(distances(at, occupied - {at}), goals)


def _last_marker_reason(markers: int) -> str:
    return sentence("war_chest.greedy.sixth_marker" if markers == 6 else "war_chest.greedy.last_marker")
