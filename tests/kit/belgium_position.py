"""The advanced bot as France, and a position of standard Diplomacy in which it can take Belgium."""

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
"""Two French armies are next to Belgium, a third is in neutral Spain. Munich is next to Burgundy."""


def state_of(question):
    """Return the position in a question."""
    return GAME.whatif.position(question)


def plan_orders(question, seat: str = FRANCE, bot: Advanced = BOT):
    """Return the orders for a position with their reasons, by the province of the unit or of the build."""
    state = state_of(question)
    (due,) = [due for due in GAME.rules.due(state) if due.seat == seat]
    found = bot.plan_orders(bot.situation(state, Seat(seat)), due, DICE)
    return {one.order.unit.at: one for one in found}


def opening():
    """Return the units and centres of the opening, in the form of a question."""
    state = GAME.rules.setup({}, DICE).state
    question = GAME.whatif.question(state)
    return {"units": question["units"], "centres": question["centres"]}
