"""The Second Boer War, by Krzysztof Dytczak. A draw from a pool of markers decides on each further action.

Source: the publisher's solitaire sheet, which the game follows exactly. The rulebook of the base game wasn't
available. Map, set-up, cards, events and most numbers are a stand-in, and data/ and clauses.toml mark them.
"""

from games.boer_war import edits, judge, notation, rules
from games.boer_war.bots import SPARRING, Commander
from games.boer_war.components import PACKAGE
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDES, AnyOrder, State
from games.boer_war.owner_data import BOXES
from games.boer_war.report_text import BoerWarTelling
from games.boer_war.rules import BoerWarRules
from games.boer_war.setup import OPTIONS, seats
from games.own_box import DATA
from games.protocol import About, GameOf, TournamentScore, defer

BOTS = {"commander": Commander()}
GAMES = (
    GameOf(
        about=About(
            kind="boer-war",
            title="The Second Boer War 1899-1902",
            designer="Krzysztof Dytczak",
            source="the publisher's solitaire sheet; map, cards, events and most numbers are a stand-in",
            seats=seats,
            article="the",
            aliases=("boerwar", "second-boer-war"),
            options=OPTIONS,
            completed={DATA: BOXES.complete_text},
        ),
        package=PACKAGE,
        clauses="clauses.toml",
        rules=BoerWarRules(),
        notation=defer(lambda: notation.BoerWarNotation()),
        telling=BoerWarTelling(),
        bots=BOTS,
        sparring=SPARRING,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        edits=defer(lambda: edits.BoerWarEdits()),
        whatif=defer(lambda: judge.BoerWarWhatIf(BOTS)),
        score=TournamentScore(
            thing="SP on the map",
            time="Turn",
            when=lambda state: int(state.turn),
            of=lambda state: {state.seat(side): state.sp_on_map(side) for side in SIDES},
            leads=False,  # sieges, objectives and camps decide the war
        ),
        campaign=defer(lambda: rules.CAMPAIGN),
        throws=rules.throws,
    ).opaque(),
)
