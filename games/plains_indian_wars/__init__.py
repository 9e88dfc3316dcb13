"""Plains Indian Wars: a player by mail against a side that rules and dice control.

Designed by John Poniske; solitaire system by Etienne Michot. In Variant I the only seat is the U.S. (Blue,
Brown and Purple; rules and dice control White and Black). In the seven scenarios of Variant II it is the
Plains nations (Green and Orange). Bots play either seat.
"""

from games.own_box import DATA
from games.plains_indian_wars import edits, judge, notation, rules
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.bots import PlainsBot
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, AnyOrder, State
from games.plains_indian_wars.owner_data import BOXES
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.rules import OPTIONS, PlainsRules, seats
from games.plains_indian_wars.scoring import HALVES_PER_POINT, schedule, totals
from games.protocol import About, GameOf, Seat, TournamentScore, defer


def _whole_points(state: State) -> tuple[int, ...]:
    """Return the points of the tribes and of the U.S., rounded down, for statistics of many games.

    Variant II has no points: the winner gets one, and the other side none.
    """
    if seats(state.options) == (US_SEAT,):
        return tuple(halves // HALVES_PER_POINT for halves in totals(schedule(state)))
    ended = PlainsRules().result(state)
    return tuple(int(ended is not None and side in ended.winners) for side in (NATIONS_SEAT, US_SEAT))


def _points(state: State) -> dict[Seat, float]:
    """Return the points of the tribes and of the U.S. in Variant I."""
    if seats(state.options) != (US_SEAT,):
        return {}
    nations, us = totals(schedule(state))
    return {NATIONS_SEAT: nations / HALVES_PER_POINT, US_SEAT: us / HALVES_PER_POINT}


ABOUT = About(
    kind="plains-indian-wars",
    title="Plains Indian Wars",
    designer="John Poniske; solitaire system by Etienne Michot",
    source="Plains Indian Wars, solitaire rules, Variants I and II",
    seats=seats,
    article="the",
    aliases=("plains", "piw"),
    options=OPTIONS,
    completed={DATA: BOXES.complete_text},
)
BOTS = {"plain": PlainsBot()}
GAMES = (
    GameOf(
        about=ABOUT,
        package=PACKAGE,
        clauses="clauses.toml",
        rules=PlainsRules(),
        notation=defer(lambda: notation.PlainsNotation()),
        telling=PlainsTelling(),
        bots=BOTS,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        edits=defer(lambda: edits.PlainsEdits()),
        whatif=defer(lambda: judge.PlainsWhatIf(BOTS)),
        score=TournamentScore(
            thing="victory points",
            time="turn",
            when=lambda state: int(state.turn),
            of=lambda state: dict(zip((NATIONS_SEAT, US_SEAT), _whole_points(state), strict=True)),
            exact=_points,
        ),
        campaign=defer(lambda: rules.CAMPAIGN),
        throws=rules.throws,
    ).opaque(),
)
