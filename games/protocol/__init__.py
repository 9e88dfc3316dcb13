"""The whole conversation between the house and a game.

A game is a value that can be asked whose orders are due. Everything here is data or a question; nothing here
knows a clock, a file, a letter or the name of any game.

Five laws hold for every game, and tests/contract checks them for each kind found:

1. The same state, orders and dice give the same outcome, to the byte of `record.canonical`.
2. `Rules.due` is empty exactly when `Rules.result` is present, and random lawful play always ends.
3. ``load(canonical(x)) == x`` for states, orders and events.
4. An order that was written is read as that order.
5. `Rules.view` is idempotent, hides what its owner may not know, and suffices for `check` and for bots.
"""

from games.protocol.campaign import BotResults, Campaign, Case, End, Got
from games.protocol.core import Bot, Choice, Edits, Notation, Outcome, Rules, Steady, Telling
from games.protocol.game import About, Drafts, Game, GameOf, Score, Survey, Unfit, later
from games.protocol.values import (
    Advice,
    Clause,
    Concern,
    Condition,
    Decision,
    Due,
    Edit,
    Event,
    Form,
    Invalid,
    Lexicon,
    Line,
    Objection,
    Option,
    Options,
    OptionValue,
    Order,
    Owed,
    Result,
    Seat,
    State,
    Table,
    Term,
    ThrowForm,
    Turn,
    View,
)

__all__ = (
    "About",
    "Advice",
    "Bot",
    "BotResults",
    "Campaign",
    "Case",
    "Choice",
    "Clause",
    "Concern",
    "Condition",
    "Decision",
    "Drafts",
    "Due",
    "Edit",
    "Edits",
    "End",
    "Event",
    "Form",
    "Game",
    "GameOf",
    "Got",
    "Invalid",
    "Lexicon",
    "Line",
    "Notation",
    "Objection",
    "Option",
    "OptionValue",
    "Options",
    "Order",
    "Outcome",
    "Owed",
    "Result",
    "Rules",
    "Score",
    "Seat",
    "State",
    "Steady",
    "Survey",
    "Table",
    "Telling",
    "Term",
    "ThrowForm",
    "Turn",
    "Unfit",
    "View",
    "later",
)
