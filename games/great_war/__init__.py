"""MacGowan & Lombardy's The Great War, played alone against the solitaire rules 3.3.

Source: the solitaire rules, and public sources about the base game. We assumed the rest (provenance.md). The
game has one seat, the player's. Rules and dice play the AI. Its hand and the order of the decks are hidden.
"""

from games.great_war import edits, judge, notation, rules
from games.great_war.bots import Greedy, Mirror
from games.great_war.components import PACKAGE
from games.great_war.events import AnyEvent
from games.great_war.model import AI, PLAYER, AnyOrder, State
from games.great_war.owner_data import complete_list
from games.great_war.report_text import GreatWarTelling
from games.great_war.rules import GreatWarRules
from games.great_war.setup import OPTIONS, seats
from games.protocol import About, GameOf, TournamentScore, defer

BOTS = {"mirror": Mirror(), "greedy": Greedy()}
GAMES = (
    GameOf(
        about=About(
            kind="great-war",
            title="The Great War",
            designer="MacGowan & Lombardy (Lombardy Studios and RBM Studio)",
            source="solitaire rules 3.3; card values that could not be found are ours",
            seats=seats,
            aliases=("greatwar", "the-great-war"),
            options=OPTIONS,
            hidden=True,
            completed={"cards": complete_list},
        ),
        package=PACKAGE,
        clauses="clauses.toml",
        rules=GreatWarRules(),
        notation=defer(lambda: notation.GreatWarNotation()),
        telling=GreatWarTelling(),
        bots=BOTS,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        edits=defer(lambda: edits.GreatWarEdits()),
        whatif=defer(lambda: judge.GreatWarWhatIf(BOTS)),
        score=TournamentScore(
            thing="captured Battle Points",
            time="Turn",
            when=lambda state: state.turn,
            of=lambda state: {seat: state.score(seat) for seat in (PLAYER, AI)},
        ),
        campaign=defer(rules.campaign),
        throws=rules.throws,
    ).opaque(),
)
