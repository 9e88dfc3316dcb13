"""The Diplomacy family: one engine, a game for each board in ``variants/``."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from games.data import LazyMapping
from games.diplomacy import edits, judge, notation, variant_check
from games.diplomacy.boards import alternatives
from games.diplomacy.boards import variants as variant_files  # the folder `variants` would hide that name
from games.diplomacy.boards.variants import DIPLOMACY_PACKAGE, Variant
from games.diplomacy.bots import advanced, beginner, common, opponents
from games.diplomacy.events import AnyEvent
from games.diplomacy.exchange import foreign
from games.diplomacy.model import AnyOrder, State, View
from games.diplomacy.reports import telling
from games.diplomacy.rules import DiplomacyRules, throws
from games.protocol import (
    About,
    Bot,
    Game,
    GameOf,
    GameOption,
    Invalid,
    Survey,
    TournamentScore,
    UnplayableKind,
    defer,
)

if TYPE_CHECKING:
    GAMES: tuple[Game, ...]
    UNFIT: tuple[UnplayableKind, ...]


def last_year(variant: Variant) -> GameOption:
    """The option to end a game that nobody wins."""
    defaults = {
        option.name: option.default for option in variant.rulebook.options if option.default is not None
    }
    season = variant.rulebook.under(defaults).season_of_end
    return GameOption(
        name="last_year",
        sort="number",
        meaning=f"the last year: the game is a draw after its {season} if nobody has won by then",
        low=variant.board.chart.first_year,
    )


def game(variant: Variant) -> Game:
    """The game of a variant, all its parts bound to one compiled board."""
    board, chart = variant.board, variant.board.chart
    rules, bots = DiplomacyRules(variant), _levels(variant)
    read = cache(lambda: notation.DiplomacyNotation(board, variant.spoken))
    about = About(
        kind=chart.name,
        title=chart.title,
        designer=chart.designer,
        source=variant.rulebook.source,
        seats=lambda _options: tuple(board.powers),
        aliases=variant.rulebook.aliases,
        options=(last_year(variant), *variant.rulebook.options),
        page="indianomacy" if "W" in board.kinds else "standard",
        article="the" if "W" in board.kinds else "",
    )
    return GameOf(
        about=about,
        package=DIPLOMACY_PACKAGE,
        clauses=f"variants/{variant.name}/clauses.toml",
        rules=rules,
        notation=defer(read),
        telling=defer(lambda: telling.DiplomacyTelling(variant)),
        bots=bots,
        state_type=State,
        order_type=AnyOrder,
        event_type=AnyEvent,
        sparring=_sparring(variant),
        edits=defer(lambda: edits.DiplomacyEdits(variant)),
        whatif=defer(lambda: judge.DiplomacyWhatIf(variant, about.options, rules, read(), bots)),
        score=TournamentScore(
            thing="supply centres",
            time="year",
            when=lambda state: int(state.phase.year),
            of=lambda state: Counter(state.centres.values()),
        ),
        survey=look_over,
        exchange=None if "W" in board.kinds else defer(lambda: foreign.DiplomacyFormats(variant, read())),
        drafts=(lambda options: alternatives.BoardDrafts(variant.under(options), game))
        if chart.assumed_centres
        else None,
        throws=lambda options: throws(variant.under(options)),
        folders=variant.folders,
    ).opaque()


def _levels(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """The bots of each level, the weakest first. They share what they know of the board."""
    ways: dict[int, common.Ways] = {}
    return LazyMapping(
        {
            "beginner": lambda: beginner.Beginner(variant, ways=ways),
            "intermediate": lambda: beginner.Intermediate(variant, ways=ways),
            "advanced": lambda: advanced.Advanced(variant, ways=ways),
        }
    )


def _sparring(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """The opponents of tournaments; DumbBot knows armies and fleets only."""
    players: dict[str, Callable[[], Bot[View, AnyOrder]]] = {"random": lambda: beginner.Aimless(variant)}
    if "W" not in variant.board.kinds:
        players["dumbbot"] = lambda: opponents.DumbBot(variant)
    return LazyMapping(players)


def look_over(files: Mapping[str, str]) -> Survey:
    """A further variant of the family, read from its files. Raises Invalid that names file and entry."""
    variant = variant_check.read_variant(files)
    return Survey(
        game=game(variant),
        tables=variant_check.census(variant.board),
        findings=variant_check.findings(variant.board),
    )


def alone(kind: str) -> Game | UnplayableKind | None:
    """The game of one variant, no other being compiled; None where there is none of that name."""
    return _game_in(kind) if kind in variant_files.names() else None


@cache
def _game_in(name: str) -> Game | UnplayableKind:
    """The game of a folder in ``variants/``, or what keeps it from being played."""
    try:
        return game(variant_files.load(name))
    except Exception as fault:  # folders are added by whoever likes to: each harms itself alone
        why = str(fault) if isinstance(fault, Invalid) else f"{type(fault).__name__}: {fault}"
        return UnplayableKind(name, f"{DIPLOMACY_PACKAGE}.variants.{name}", why)


def _load_whole_game(name: str) -> Game | UnplayableKind:
    """Return the same, with its languages read and checked."""
    game = _game_in(name)
    try:
        variant_files.load(name).spoken()
    except Invalid as why:
        return (
            game
            if isinstance(game, UnplayableKind)
            else UnplayableKind(name, f"{DIPLOMACY_PACKAGE}.variants.{name}", str(why))
        )
    return game


def __getattr__(name: str) -> Any:
    """``GAMES`` and ``UNFIT``: every variant, compiled when all of them are asked for."""
    if name not in ("GAMES", "UNFIT"):
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name, obj=__name__)
    games = [_load_whole_game(variant_name) for variant_name in variant_files.names()]
    return tuple(game for game in games if isinstance(game, UnplayableKind) == (name == "UNFIT"))
