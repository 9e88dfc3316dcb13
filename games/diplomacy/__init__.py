"""The Diplomacy family: one engine, and a game for each board in ``variants/``."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from games.data import LazyMapping
from games.diplomacy import edits, judge, notation, variant_check
from games.diplomacy.boards import alternatives
from games.diplomacy.boards import variants as variant_files  # the folder `variants` would hide that name
from games.diplomacy.boards.folders import (
    DIPLOMACY_PACKAGE,
    MAP_FILE,
    REQUIRED_FILES,
    VariantFolders,
    names,
    read_plain,
)
from games.diplomacy.boards.new_variants import check_new_board, check_new_rulebook
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots import advanced, beginner, common, intermediate, opponents
from games.diplomacy.events import AnyEvent
from games.diplomacy.exchange import foreign
from games.diplomacy.model import AnyOrder, State, View
from games.diplomacy.reports import handbook, telling
from games.diplomacy.rules import DiplomacyRules, throws
from games.language import join_list
from games.messages import sentence
from games.protocol import (
    About,
    Bot,
    Game,
    GameOf,
    GameOption,
    Invalid,
    KindLabel,
    Survey,
    TournamentScore,
    UnplayableKind,
    defer,
)

if TYPE_CHECKING:
    GAMES: tuple[Game, ...]
    UNFIT: tuple[UnplayableKind, ...]


def last_year(variant: Variant) -> GameOption:
    """Return the option for the last year of a game that nobody wins."""
    defaults = {
        option.name: option.default for option in variant.rulebook.options if option.default is not None
    }
    season = variant.rulebook.under(defaults).season_of_end
    if season in ("Fall", "Winter"):
        meaning = f"diplomacy.option_meanings.last_year_{season.lower()}"
    else:
        meaning = sentence("diplomacy.option_meanings.last_year_other", season=season)
    return GameOption(
        name="last_year",
        sort="number",
        meaning=meaning,
        low=variant.board.chart.first_year,
    )


AT_LAST_YEAR = GameOption(
    name="at_last_year",
    sort="choice",
    values=("draw", "lead"),
    meaning="diplomacy.option_meanings.at_last_year",
)
"""The option for what a game comes to that nobody has won by its last year. Without it, to a draw."""


def game(variant: Variant) -> Game:
    """Return the game of a variant. All its parts use the same compiled board."""
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
        options=(last_year(variant), AT_LAST_YEAR, *variant.rulebook.options),
        page="indianomacy" if "W" in board.kinds else "",
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
            step=variant.rulebook.year_step,
            name=variant_files.year_name,
            before_zero=True,
        ),
        survey=look_over,
        exchange=None if "W" in board.kinds else defer(lambda: foreign.DiplomacyFormats(variant, read())),
        drafts=(lambda options: alternatives.BoardDrafts(variant.under(options), game))
        if chart.assumed_centres
        else None,
        throws=lambda options: throws(variant.under(options)),
        folders=variant.folders,
        edition=defer(variant.edition),
    ).opaque()


def _levels(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """Return the bots by level, the weakest first. They share what they know about the board."""
    ways: dict[int, common.Ways] = {}
    return LazyMapping(
        {
            "beginner": lambda: beginner.Beginner(variant, ways=ways),
            "intermediate": lambda: intermediate.Intermediate(variant, ways=ways),
            "advanced": lambda: advanced.Advanced(variant, ways=ways),
        }
    )


def _sparring(variant: Variant) -> Mapping[str, Bot[View, AnyOrder]]:
    """Return the opponents for tournaments. DumbBot only knows armies and fleets."""
    players: dict[str, Callable[[], Bot[View, AnyOrder]]] = {
        "random": lambda: beginner.Aimless(variant),
        "intermediate-2026": lambda: intermediate.Intermediate2026(variant),
    }
    if "W" not in variant.board.kinds:
        players["dumbbot"] = lambda: opponents.DumbBot(variant)
    return LazyMapping(players)


def look_over(files: Mapping[str, str]) -> Survey:
    """Return the survey of a new variant from its files. Raises Invalid with file and entry."""
    variant = _read_new(None, files)
    return Survey(
        game=game(variant),
        tables=variant_check.census(variant.board),
        findings=variant_check.findings(variant),
        use=lambda: variant_check.UnusedParts(variant.board),
    )


def _read_new(name: str | None, files: Mapping[str, str]) -> Variant:
    """Return a new variant from its files. Raises Invalid. name: its folder's; None if any name will do."""
    for file in REQUIRED_FILES:
        if file not in files:
            needed = sentence("diplomacy.variants.files", files=join_list(REQUIRED_FILES))
            raise Invalid(file, sentence("diplomacy.variants.missing"), needed)
    if name is None:
        chart = read_plain(MAP_FILE, files[MAP_FILE])
        name = str(chart.get("name", "")) if isinstance(chart, dict) else ""
    variant = variant_files.read_variant(name, VariantFolders(others={name: files}))
    _check_new(variant)
    return variant


def _check_new(variant: Variant) -> None:
    variant.spoken()  # raises Invalid now, not when the languages are first needed
    check_new_board(variant.board)
    check_new_rulebook(variant)
    variant_check.check_new_victory(variant)
    variant_check.check_new_outline(variant.board)
    handbook.check_rules_page(variant)


def read_other(name: str, files: Mapping[str, str]) -> Game | UnplayableKind:
    """Return the game of a folder from elsewhere, or the reason why it can't be played."""
    return _or_unplayable(name, f"variants/{name}", lambda: game(_read_new(name, files)))


def read_label(files: Mapping[str, str]) -> KindLabel | None:
    """Return the label of a variant from its files, or None if they can't be read.

    Nothing else of it is looked at, since a list of games names many.
    """
    try:
        texts = VariantFolders(others={"": files})
        own = {file: texts.value("", file) for file in REQUIRED_FILES}
        chart, rulebook = (texts.merge_base(value, file) for file, value in own.items())
        aliases = tuple(str(alias) for alias in rulebook.get("aliases", ()))
        return KindLabel(str(chart["title"]), str(chart["designer"]), aliases)
    except (Invalid, KeyError, TypeError, AttributeError):
        return None


def read_edition(name: str, folders: Mapping[str, Mapping[str, str]], *, is_new: bool) -> Game:
    """Return the game of a copied variant. folders: its files by folder. Raises Invalid.

    is_new: whether it is checked as a new variant.
    """
    variant = variant_files.read_variant(name, VariantFolders(others=folders))
    if is_new:
        _check_new(variant)
    return game(variant)


def alone(kind: str) -> Game | UnplayableKind | None:
    """Return the game of one variant without compiling the others, or None for an unknown name."""
    return _game_in(kind) if kind in names() else None


@cache
def _game_in(name: str) -> Game | UnplayableKind:
    """Return the game of a folder in ``variants/``, or the reason why it can't be played."""
    where = f"{DIPLOMACY_PACKAGE}.variants.{name}"
    return _or_unplayable(name, where, lambda: game(variant_files.load(name)))


def _or_unplayable(name: str, where: str, make: Callable[[], Game]) -> Game | UnplayableKind:
    try:
        return make()
    except Exception as fault:  # a broken folder must not affect the other variants
        why = str(fault) if isinstance(fault, Invalid) else f"{type(fault).__name__}: {fault}"
        return UnplayableKind(name, where, why)


def _load_whole_game(name: str) -> Game | UnplayableKind:
    """Return the game of a folder, or the reason why it can't be played. The languages are checked too."""
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
    """Return ``GAMES`` or ``UNFIT``. All variants are compiled when one of these is first asked for."""
    if name not in ("GAMES", "UNFIT"):
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name, obj=__name__)
    games = [_load_whole_game(variant_name) for variant_name in names()]
    return tuple(game for game in games if isinstance(game, UnplayableKind) == (name == "UNFIT"))
