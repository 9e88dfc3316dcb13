"""The bots of Cairn: implement `protocol.Bot`."""

from games.cairn.model import AnyOrder, Draw, Drop, Rest, View
from games.cairn.rules import CairnRules
from games.dice import Dice
from games.protocol import Bot, Choice, Decision, Due


class Magpie(Bot[View, AnyOrder]):
    """A bot that drops any allowed pebble at random, draws if it may drop none, and rests when the bag is
    empty.
    """

    def __init__(self, rules: CairnRules) -> None:
        self._rules = rules

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """One order."""
        drops = [Drop(pebble=pebble) for pebble in view.hands[due.seat]]
        lawful = [order for order in drops if self._rules.check(view, due.seat, order) is None]
        if lawful:
            chosen = dice.pick(f"drop/{view.number}", lawful)
            names = tuple(order.pebble for order in lawful)
            return (
                Choice(chosen, "may be dropped", (Decision(clause="P3", criterion="lot", choices=names),)),
            )
        if view.bag:
            return (Choice(Draw(), "nothing may be dropped"),)
        return (Choice(Rest(), "nothing is left to do"),)
