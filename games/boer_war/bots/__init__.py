"""Who commands a side when nobody does: four lists of priorities. Source: ruling 13."""

from collections.abc import Mapping

from games.boer_war.bots.boers_guerrilla import BoersGuerrilla
from games.boer_war.bots.boers_regular import BoersRegular
from games.boer_war.bots.empire_guerrilla import EmpireGuerrilla
from games.boer_war.bots.empire_regular import EmpireRegular
from games.boer_war.bots.officer import Officer
from games.boer_war.codes import Side
from games.boer_war.model import AnyOrder, Done, View
from games.dice import Dice
from games.protocol import Choice, Due

_OFFICERS: Mapping[tuple[Side, bool], type[Officer]] = {
    ("empire", False): EmpireRegular,
    ("boers", False): BoersRegular,
    ("empire", True): EmpireGuerrilla,
    ("boers", True): BoersGuerrilla,
}
"""By side, and whether it is the guerrilla war."""


class Commander:
    """Commands whichever side is asked: implements `protocol.Bot`. It throws no dice.

    without: an action that it never takes, so that games show what that is worth.
    """

    def __init__(self, without: str = "") -> None:
        self._without = without

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The order of the first item that is possible, and by which criterion."""
        return choices(view, self._without)


ACTIONS = (
    *("move", "rail", "assault", "siege", "entrench", "cut", "raid", "repair", "reinforce", "reorganize"),
    *("event", "drive", "camp", "blockhouse", "trek"),
)
"""The words with which actions are written."""

SPARRING = {f"no-{word}": Commander(word) for word in ACTIONS}
"""For tournaments alone: commanders who leave one action out."""


def choices(view: View, without: str = "") -> tuple[Choice[AnyOrder], ...]:
    """What the side whose round it is does next; it never knows whether there will be a further action.

    At the player's own table that is done which is asked for. without: an action that is never taken.
    """
    if view.mode == "table":
        return (Choice(Done(), "the action was carried out at the table"),)
    return _OFFICERS[view.side, view.is_guerrilla](view, without).choices()
