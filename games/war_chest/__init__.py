"""War Chest, by Trevor Benjamin and David Thompson: one player against an automaton, or two players.

The rules come from the publisher's rulebook and from the unofficial solo variant by Seth McBride, with
recruiting by Omar Dabard. The seats are player and ai, or gold and silver. The hands, bags and face-down
coins of players are hidden from their opponents.
"""

from games.own_box import DATA
from games.protocol import About, GameOf, TournamentScore, defer
from games.war_chest import edits, judge, notation, rules
from games.war_chest.bots import HouseBot
from games.war_chest.components import PACKAGE
from games.war_chest.events import AnyEvent
from games.war_chest.model import AnyOrder, State
from games.war_chest.owner_data import BOXES
from games.war_chest.report_text import WarChestTelling
from games.war_chest.rules import WarChestRules
from games.war_chest.setup import OPTIONS, seats

BOTS = {"house": HouseBot()}
GAMES = (
    GameOf(
        about=About(
            kind="war-chest",
            title="War Chest",
            designer="Trevor Benjamin and David Thompson; solo variant by Seth McBride and Omar Dabard",
            source="the publisher's rulebook and FAQ, and the solo sheet (unofficial)",
            seats=seats,
            aliases=("warchest",),
            options=OPTIONS,
            hidden=True,
            completed={DATA: BOXES.complete_text},
        ),
        package=PACKAGE,
        clauses="clauses.toml",
        rules=WarChestRules(),
        notation=defer(lambda: notation.WarChestNotation()),
        telling=WarChestTelling(),
        bots=BOTS,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        edits=defer(lambda: edits.WarChestEdits()),
        whatif=defer(lambda: judge.WarChestWhatIf(BOTS)),
        chart=TournamentScore(
            thing="markers on the board",
            time="turn",
            when=lambda state: state.number,
            of=lambda state: {seat: state.markers(seat) for seat in state.seats},
        ),
        campaign=defer(lambda: rules.CAMPAIGN),
        throws=rules.throws,
    ).opaque(),
)
