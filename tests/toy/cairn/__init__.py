"""Cairn: two seats, each with a hidden hand of pebbles, pile them up in turn; the first empty hand wins.

Designed for these tests, to be found and played like any other kind. Seats: player and bot. No code outside
this folder knows it. It has hidden information, a queue of orders, dice, an option, and no template.
"""

from games.cairn.bots import Magpie
from games.cairn.edits import CairnEdits
from games.cairn.events import AnyEvent
from games.cairn.model import SEATS, AnyOrder, State
from games.cairn.notation import CairnNotation
from games.cairn.report_text import CairnTelling
from games.cairn.rules import OPTIONS, CairnRules
from games.protocol import About, GameOf

GAMES = (
    GameOf(
        about=About(
            kind="cairn",
            title="Cairn",
            designer="the house",
            source="this folder",
            seats=lambda options: SEATS,
            aliases=("cairns",),
            options=OPTIONS,
            hidden=True,
        ),
        package="games.cairn",
        clauses="clauses.toml",
        rules=CairnRules(),
        notation=CairnNotation(),
        telling=CairnTelling(),
        bots={"magpie": Magpie(CairnRules())},
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        edits=CairnEdits(),
    ).opaque(),
)
