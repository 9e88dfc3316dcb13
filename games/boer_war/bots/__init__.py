"""The bots of The Second Boer War: four lists of priorities. Source: ruling 13."""

from collections.abc import Mapping

from games.boer_war.bots.base import PriorityBot
from games.boer_war.bots.boers_guerrilla import BoersGuerrilla
from games.boer_war.bots.boers_regular import BoersRegular
from games.boer_war.bots.empire_guerrilla import EmpireGuerrilla
from games.boer_war.bots.empire_regular import EmpireRegular
from games.boer_war.components import Side
from games.boer_war.model import AnyOrder, Done, View
from games.dice import Dice
from games.protocol import Bot, Choice, Due

_PRIORITY_LISTS: Mapping[tuple[Side, bool], type[PriorityBot]] = {
    ("empire", False): EmpireRegular,
    ("boers", False): BoersRegular,
    ("empire", True): EmpireGuerrilla,
    ("boers", True): BoersGuerrilla,
}
"""By side, and whether it is the guerrilla war."""


class Commander(Bot[View, AnyOrder]):
    """A bot that commands either side: implements `protocol.Bot`. It rolls no dice.

    without: an action that it never takes, so that games show what that action is worth.
    """

    def __init__(self, without: str = "") -> None:
        self._without = without

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the order of the first item that is possible, and by which criterion."""
        return choose_orders(view, self._without)


ACTION_WORDS = (
    *("move", "rail", "assault", "siege", "entrench", "cut", "raid", "repair", "reinforce", "reorganize"),
    *("event", "drive", "camp", "blockhouse", "trek"),
)
"""The words with which actions are written."""

SPARRING = {f"no-{word}": Commander(word) for word in ACTION_WORDS}
"""For tournaments alone: commanders who leave one action out."""


def choose_orders(view: View, without: str = "") -> tuple[Choice[AnyOrder], ...]:
    """Return the next order of the side whose round it is; a further action is never counted on.

    At the player's own table the action counts as carried out. without: an action that is never taken.
    """
    if view.mode == "table":
        return (Choice(Done(), "the action was carried out at the table"),)
    return _PRIORITY_LISTS[view.side, view.is_guerrilla](view, without).choose()
