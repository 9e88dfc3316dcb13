"""The Diplomacy family: one engine, a game for each board in ``variants/``."""

from collections import Counter
from collections.abc import Mapping

from games.diplomacy import boards, survey
from games.diplomacy.boards import PACKAGE, Variant
from games.diplomacy.bots.advanced import Advanced
from games.diplomacy.bots.aimless import Aimless
from games.diplomacy.bots.beginner import Beginner
from games.diplomacy.bots.distances import Ways
from games.diplomacy.bots.dumbbot import DumbBot
from games.diplomacy.bots.intermediate import Intermediate
from games.diplomacy.edits import DiplomacyEdits
from games.diplomacy.events import AnyEvent
from games.diplomacy.exchange import DiplomacyExchange
from games.diplomacy.model import AnyOrder, State, View
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.rules import DiplomacyRules
from games.diplomacy.telling import DiplomacyTelling
from games.diplomacy.whatif import DiplomacyWhatIf
from games.protocol import About, Bot, Game, GameOf, Invalid, Option, Score, Survey, Unfit


def last_year(first: int) -> Option:
    """The option to end a game that nobody wins. first: the year in which it begins."""
    return Option(
        name="last_year",
        sort="number",
        meaning="the year after whose Winter the game is a draw, if nobody has won by then",
        low=first,
    )


def game(variant: Variant) -> Game:
    """The game of a variant, all its parts bound to one compiled board."""
    board, chart = variant.board, variant.board.chart
    rules = DiplomacyRules(variant)
    notation, bots = DiplomacyNotation(board, variant.tongues), _levels(variant)
    about = About(
        kind=chart.name,
        title=chart.title,
        designer=chart.designer,
        source=variant.rulebook.source,
        seats=lambda options: tuple(board.powers),
        aliases=variant.rulebook.aliases,
        options=(last_year(chart.first_year), *variant.rulebook.options),
        page="indianomacy" if "W" in board.kinds else "standard",
    )
    return GameOf(
        about=about,
        package=PACKAGE,
        clauses=f"variants/{variant.name}/clauses.toml",
        rules=rules,
        notation=notation,
        telling=DiplomacyTelling(variant),
        bots=bots,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        sparring=_sparring(variant),
        edits=DiplomacyEdits(variant),
        whatif=DiplomacyWhatIf(variant, about.options, rules, notation, bots),
        score=Score(
            thing="supply centres",
            time="year",
            when=lambda state: int(state.phase.year),
            of=lambda state: Counter(state.centres.values()),
        ),
        survey=look_over,
        exchange=None if "W" in board.kinds else DiplomacyExchange(variant, notation),
        folders=variant.folders,
    ).opaque()


def _levels(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """The bots of each level, the weakest first. They share what they know of the board."""
    ways: dict[int, Ways] = {}
    return {
        "beginner": Beginner(variant, ways=ways),
        "intermediate": Intermediate(variant, ways=ways),
        "advanced": Advanced(variant, ways=ways),
    }


def _sparring(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """The opponents of tournaments; DumbBot knows armies and fleets only."""
    aimless = {"random": Aimless(variant)}
    return aimless if "W" in variant.board.kinds else {**aimless, "dumbbot": DumbBot(variant)}


def look_over(files: Mapping[str, str]) -> Survey:
    """A further variant of the family, read from its files. Raises Invalid that names file and entry."""
    variant = survey.read(files)
    return Survey(
        game=game(variant), tables=survey.census(variant.board), findings=survey.findings(variant.board)
    )


def _game_in(name: str) -> Game | Unfit:
    """The game of a folder in ``variants/``, or what keeps it from being played."""
    try:
        return game(boards.load(name))
    except Exception as fault:  # folders are added by whoever likes to: each harms itself alone
        why = str(fault) if isinstance(fault, Invalid) else f"{type(fault).__name__}: {fault}"
        return Unfit(name, f"{PACKAGE}.variants.{name}", why)


_ALL = tuple(_game_in(name) for name in boards.names())
GAMES: tuple[Game, ...] = tuple(one for one in _ALL if not isinstance(one, Unfit))
UNFIT: tuple[Unfit, ...] = tuple(one for one in _ALL if isinstance(one, Unfit))
