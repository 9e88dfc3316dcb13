"""The advanced bot in France's seat, and a position of standard Diplomacy in which Belgium is to be had."""

import games
from games.dice import SealedDice
from games.diplomacy.bots.advanced import Advanced
from games.protocol import Seat

GAME = games.kinds()["standard"]
BOARD = GAME.rules.board
BOT = Advanced(GAME.rules.variant, dangers={}, budget=400)
DICE = SealedDice(b"secret", "advanced", 1)
FRANCE = Seat("France")

BELGIUM = {
    "phase": "F1902M",
    "units": {
        "France": ["A Picardy", "A Burgundy", "A Spain"],
        "Germany": ["A Belgium", "A Munich"],
        "England": ["F Edinburgh"],
    },
    "centres": {
        "France": ["Paris", "Brest", "Marseilles", "Portugal"],
        "Germany": ["Belgium", "Munich", "Berlin", "Kiel"],
        "England": ["Edinburgh"],
    },
}
"""Two French armies are next to Belgium, a third is in unowned Spain; Munich is next to Burgundy."""


def state_of(question):
    """The position that a question tells."""
    return GAME.whatif.position(question)


def plan_orders(question, seat: str = FRANCE, bot: Advanced = BOT):
    """The orders for a position and why, by the province of the unit, or of what is built."""
    state = state_of(question)
    (due,) = [due for due in GAME.rules.due(state) if due.seat == seat]
    found = bot.plan_orders(bot.situation(state, Seat(seat)), due, DICE)
    return {one.order.unit.at: one for one in found}


def opening():
    """Units and centres of the opening, as a question tells them."""
    state = GAME.rules.setup({}, DICE).state
    question = GAME.whatif.question(state)
    return {"units": question["units"], "centres": question["centres"]}
