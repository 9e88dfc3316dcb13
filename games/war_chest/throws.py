"""The throws that War Chest can make: coins drawn from bags."""

from games.protocol import Options, ThrowForm
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER

MOST_COINS = 30
"""No bag ever holds more coins."""


def throws(options: Options) -> tuple[ThrowForm, ...]:
    """Hands and the coins that cards draw, by seat; what the automaton reveals, turn by turn."""
    seats = "|".join((PLAYER, AUTOMATON, GOLD, SILVER))
    return (
        ThrowForm(label=rf"draw/({seats})(/refilled)?", most=MOST_COINS, takes=None, example="draw/player"),
        ThrowForm(label=rf"priest/({seats})(/refilled)?", most=MOST_COINS, example="priest/player"),
        ThrowForm(label=r"reveal/\d+", most=MOST_COINS, example="reveal/3"),
    )
