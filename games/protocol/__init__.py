"""The protocol between the service and a game.

A game is a value that tells whose orders are due. Everything here is data or a question. Nothing here knows a
clock, a file, an email or the name of any game.

Five laws hold for every game, and tests/contract checks them for each kind found:

1. The same state, orders and dice give the same outcome, to the byte of `record.canonical`.
2. `Rules.due` is empty exactly when `Rules.result` is present, and random legal play always ends.
3. ``load(canonical(x)) == x`` for states, orders and events.
4. An order that was written is read as that order.
5. `Rules.view` is idempotent, hides all that its owner may not know, and is enough for `check` and a bot.
"""

from games.protocol.core import Bot, Choice, Edits, Notation, Outcome, Rules, SupportsRereading, Telling
from games.protocol.game import (
    About,
    AlternativeBoards,
    BotResults,
    CampaignCase,
    CaseResult,
    End,
    Game,
    GameOf,
    SoloCampaign,
    Survey,
    TournamentScore,
    UnplayableKind,
    defer,
)
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
    GameOption,
    GameResult,
    Invalid,
    Lexicon,
    LexiconEntry,
    Objection,
    Options,
    OptionValue,
    Order,
    OwedOrder,
    ReportLine,
    ReportTable,
    Seat,
    State,
    ThrowForm,
    Turn,
    View,
    list_possible,
)

__all__ = (
    "About",
    "Advice",
    "AlternativeBoards",
    "Bot",
    "BotResults",
    "CampaignCase",
    "CaseResult",
    "Choice",
    "Clause",
    "Concern",
    "Condition",
    "Decision",
    "Due",
    "Edit",
    "Edits",
    "End",
    "Event",
    "Form",
    "Game",
    "GameOf",
    "GameOption",
    "GameResult",
    "Invalid",
    "Lexicon",
    "LexiconEntry",
    "Notation",
    "Objection",
    "OptionValue",
    "Options",
    "Order",
    "Outcome",
    "OwedOrder",
    "ReportLine",
    "ReportTable",
    "Rules",
    "Seat",
    "SoloCampaign",
    "State",
    "SupportsRereading",
    "Survey",
    "Telling",
    "ThrowForm",
    "TournamentScore",
    "Turn",
    "UnplayableKind",
    "View",
    "defer",
    "list_possible",
)
