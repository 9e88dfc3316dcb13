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
    """Commands whichever side is asked: implements `protocol.Bot`. It throws no dice."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The order of the first item that is possible, and by which criterion."""
        return choices(view)


def choices(view: View) -> tuple[Choice[AnyOrder], ...]:
    """What the side whose round it is does next; it never knows whether there will be a further action.

    At the player's own table that is done which is asked for.
    """
    if view.mode == "table":
        return (Choice(Done(), "the action was carried out at the table"),)
    return _OFFICERS[view.side, view.is_guerrilla](view).choices()
