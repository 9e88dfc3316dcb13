"""The bots of The Second Boer War: one list of priorities for each side and war. Source: ruling 13."""

from collections.abc import Mapping

from games.boer_war.bots.base import PriorityBot
from games.boer_war.bots.boers import BoersGuerrilla, BoersRegular
from games.boer_war.bots.empire import EmpireGuerrilla, EmpireRegular
from games.boer_war.components import Side
from games.boer_war.model import AnyOrder, Done, View
from games.dice import Dice
from games.messages import sentence
from games.protocol import Bot, Choice, Due

_PRIORITY_LISTS: Mapping[tuple[Side, bool], type[PriorityBot]] = {
    ("empire", False): EmpireRegular,
    ("boers", False): BoersRegular,
    ("empire", True): EmpireGuerrilla,
    ("boers", True): BoersGuerrilla,
}
"""The bot for each side, in the regular war (False) and in the guerrilla war (True)."""


class Commander(Bot[View, AnyOrder]):
    """A bot that commands either side. Implements `protocol.Bot`. It doesn't roll dice.

    without: the verb of an action that it never takes. Tournaments measure the worth of an action with it.
    """

    def __init__(self, without: str = "") -> None:
        self._without = without

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the order of the first possible item on the list, with its reason."""
        return choose_orders(view, self._without)


ACTION_WORDS = (
    *("move", "rail", "assault", "siege", "entrench", "cut", "raid", "repair", "reinforce", "reorganize"),
    *("event", "drive", "camp", "blockhouse", "trek"),
)
"""The verbs of the actions that a bot can do without."""

SPARRING = {f"no-{word}": Commander(word) for word in ACTION_WORDS}
"""Bots for tournaments, each without one action."""


def choose_orders(view: View, without: str = "") -> tuple[Choice[AnyOrder], ...]:
    """Return the next order of the side that acts, without regard to a further action.

    At the player's own table it is DONE. without: the verb of an action that the bot never takes.
    """
    if view.mode == "table":
        return (Choice(Done(), sentence("boer_war.reasons.table")),)
    return _PRIORITY_LISTS[view.side, view.is_guerrilla](view, without).choose()
