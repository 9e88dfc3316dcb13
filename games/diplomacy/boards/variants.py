"""The variants of the family: one for each folder in variants/, compiled once for each set of options."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from games.diplomacy.boards.board import Board, Chart, Power, ProvinceEntry, compile_chart, read_chart
from games.diplomacy.boards.folders import (
    MAP_FILE,
    RULEBOOK_FILE,
    RULES_FILE,
    VariantFolders,
    is_variant_file,
)
from games.diplomacy.boards.languages import NO_TONGUES, BoardLanguages, read_languages
from games.diplomacy.boards.misfits import read_entry
from games.diplomacy.boards.redraw import flip_borders
from games.diplomacy.model import Kind, Phase, Province, Season
from games.messages import sentence
from games.options import settle, with_starting_values
from games.protocol import Edition, GameOption, Invalid, Options, OptionValue, Turn
from games.record import Bounds, Record, Value, replace_fields

# The rulebook of a variant.


SEASON_NAMES: dict[Season, str] = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}

PHASE_KINDS: dict[str, str] = {"M": "moves", "R": "retreats", "A": "builds"}
"""The kind of each phase, which names the turn and its deadline."""

REMOVALS = "removals"
"""The kind of the adjustments of a power that has too many units."""


class YearStep(Record, frozen=True, kw_only=True):
    """One phase of the year, and what happens at its end.

    captures: supply centres change hands; storms: storms hit units on stormy waters (H3); ends_year: a new
    year begins, and the game may end.
    """

    season: Season
    kind: Literal["M", "R", "A"]
    captures: bool = False
    storms: bool = False
    ends_year: bool = False


class Rulebook(Record, frozen=True, kw_only=True):
    """The year of a variant, its source and its rulings.

    source: the publication of the rules; aliases: other names of the kind.
    turn_name: a pattern with {season}, {year}, {kind}; season_names: other names of seasons; year_step: the
    years from one round of phases to the next; builds_of: the kinds of units that can be built.
    begins: the season and kind of a game's first phase ("WA"), "" for the year's first.
    canoes: whether there are canoe-fleets.
    builds_in: "starting": a power builds in its home centres, as a rule those that it started with (N5);
    "homes": in any power's home centres that it owns; "owned": in any centre that it owns.
    garrisons: "gone": neutral units that were dislodged stay away; "return": they return at the end of Winter
    while nobody owns their centre.
    twice: the order that counts if a unit has two valid orders (V7).
    portage: a canoe-fleet can be carried to any neighbouring shore, or only along the same water (C6).
    standoffs: walking units in a stand-off keep a canoe-fleet out too, or don't (C9).
    attacked: the attackers that stop the building of a canoe-fleet: only foreign ones on foot, or all (N6).
    destruction: the order that counts if the only canoe-fleet is ordered to be both carried and destroyed
    (D2).
    taboo_ends: at once when the first unit enters, or after that season's retreats (T6).
    bay_exit: a unit can leave a stormy water on any shore, or not on the one that it came from (H2).
    convoy_routes: an army gets across if one route is open, or only if none of its fleets is dislodged (DATC
    4.A.1).
    paradoxes: if a convoy depends on its own success, its army holds without effect, or all orders that
    depend on it fail (DATC 4.A.2).
    missing_convoy: an army that could walk and says VIA without a convoy stays, or walks (DATC 6.G.8).
    beaten_by_sea: a unit dislodged by a convoyed army still hinders other units in the attacker's origin, or
    doesn't (DATC 4.A.7).
    unnamed_coast: a fleet that could go to several coasts and names none stays, or goes to the first (DATC
    4.B.1).
    wrong_coast: a fleet that names a coast out of reach stays, or goes to the one in reach (DATC 4.B.3).
    convoy_intent: an army that could walk goes by convoy if it says VIA or a fleet of its nation convoys it,
    if it says VIA or any fleet convoys it, or only if it says VIA (DATC 4.A.3).
    retreat_overseas: a unit dislodged by a convoyed army may retreat to the army's origin, or may not
    (4.A.5).
    victory_after: the game can end as soon as centres have changed hands (fall), or only after the year's
    builds (winter). A game without this option goes by the rulebook.
    removal_near: the distance from home, if a power doesn't say which unit to disband: from its nearest
    starting centre, or from the nearest that it owns (4.D.8).
    options: the rulings that a game may choose, each with its name here, and choices of the board.
    why: the reason for each ruling in a sentence, by the ruling's name here.
    """

    source: str
    aliases: tuple[str, ...] = ()
    turn_name: str
    season_names: dict[Season, str] = {}
    year_step: Annotated[int, Bounds(ge=1, le=1000)] = 1
    year: tuple[YearStep, ...]
    builds_of: tuple[Kind, ...]
    begins: str = ""
    canoes: bool = False
    builds_in: Literal["starting", "homes", "owned"] = "starting"
    garrisons: Literal["gone", "return"] = "gone"
    twice: Literal["last", "first"] = "last"
    portage: Literal["any-shore", "same-water"] = "any-shore"
    standoffs: Literal["bar-canoes", "admit-canoes"] = "bar-canoes"
    attacked: Literal["foreigners", "anyone"] = "foreigners"
    destruction: Literal["carried", "destroyed"] = "carried"
    taboo_ends: Literal["at-once", "with-season"] = "at-once"
    bay_exit: Literal["any-shore", "other-shore"] = "any-shore"
    convoy_routes: Literal["any", "all"] = "any"
    paradoxes: Literal["szykman", "all-hold"] = "szykman"
    missing_convoy: Literal["stays", "walks"] = "stays"
    beaten_by_sea: Literal["hinders", "spares"] = "hinders"
    unnamed_coast: Literal["void", "first"] = "void"
    wrong_coast: Literal["void", "mended"] = "void"
    convoy_intent: Literal["own-fleet", "any-fleet", "written"] = "own-fleet"
    retreat_overseas: Literal["allowed", "barred"] = "allowed"
    removal_near: Literal["starting", "owned"] = "starting"
    victory_after: Literal["fall", "winter"] = "winter"
    options: tuple[GameOption, ...] = ()
    why: dict[str, str] = {}

    def under(self, options: Mapping[str, OptionValue]) -> "Rulebook":
        """Return the rulebook with the rulings that a game chose. Other options are ignored."""
        chosen = {name: value for name, value in options.items() if name in RULINGS}
        return replace_fields(self, **chosen) if chosen else self

    def decides(self, step: YearStep) -> bool:
        """Return whether the game can end after a phase."""
        return step.ends_year or (step.captures and self.victory_after == "fall")

    @property
    def season_of_end(self) -> str:
        """Return the name of the season when a game can end: "Fall"."""
        return self.season_name(next(step.season for step in self.year if self.decides(step)))

    @property
    def capture_seasons(self) -> tuple[str, ...]:
        """Return the names of the seasons after which centres change hands."""
        return tuple(dict.fromkeys(self.season_name(step.season) for step in self.year if step.captures))

    def season_name(self, season: Season) -> str:
        """Return the name of a season on this board."""
        return self.season_names.get(season, SEASON_NAMES[season])

    def step(self, phase: Phase) -> YearStep:
        """Return the step of the year for a phase. Raises KeyError for a phase that the year doesn't have."""
        for step in self.year:
            if (step.season, step.kind) == (phase.season, phase.kind):
                return step
        raise KeyError(phase.short)

    def beginning(self, year: int) -> Phase:
        """Return the first phase of a game: the year's first, or the one named by `begins`."""
        step = next((step for step in self.year if step.season + step.kind == self.begins), self.year[0])
        return Phase(season=step.season, year=year, kind=step.kind)

    def following(self, phase: Phase) -> Phase:
        """Return the phase after another one."""
        step = self.step(phase)
        after = self.year[0] if step.ends_year else self.year[self.year.index(step) + 1]
        return Phase(season=after.season, year=phase.year + self.year_step * step.ends_year, kind=after.kind)

    def turn(self, phase: Phase) -> Turn:
        """Return the names of a phase: "Spring, year 1, moves"."""
        return _turn(self.turn_name, self.season_name(phase.season), phase)


@lru_cache(maxsize=4096)
def _turn(name: str, season: str, phase: Phase) -> Turn:
    """Return the names of a phase. Every email lists the coming turns, so they are remembered."""
    kind = PHASE_KINDS[phase.kind]
    text = name.format(season=season, year=year_name(phase.year), kind=kind)
    return Turn(name=text, short=phase.short, kind=kind)


def year_name(year: int) -> str:
    """Return a year for people: 1901, 0, or 260 BC for -260."""
    return str(year) if year >= 0 else sentence("diplomacy.units.before_christ", year=-year)


RULINGS: dict[str, tuple[str, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Rulebook).items() if get_origin(hint) is Literal
}
"""The named rulings, and the possible values of each."""


def read_rulebook(raw: Any) -> Rulebook:
    """Return the rulebook of a rulebook.toml's plain value. Raises Invalid with the entry at fault.

    An option for a ruling has the values of the ruling. Its default is the ruling's, unless it names another.
    """
    book: Rulebook = read_entry(Rulebook, raw, "rulebook.toml")
    ends = [step.ends_year for step in book.year]
    if not ends or not ends[-1] or any(ends[:-1]):
        why = sentence("diplomacy.variants.one_ends_year")
        raise Invalid("rulebook.toml: year", why, sentence("diplomacy.variants.write_ends_year"))
    if book.begins and book.begins not in {step.season + step.kind for step in book.year}:
        why = sentence("diplomacy.variants.not_a_phase", phase=book.begins)
        raise Invalid("rulebook.toml: begins", why, sentence("diplomacy.variants.write_phase"))
    if len({(step.season, step.kind) for step in book.year}) < len(book.year):
        why = sentence("diplomacy.variants.phase_twice")
        raise Invalid("rulebook.toml: year", why, sentence("diplomacy.variants.remove_it"))
    for name in book.why:
        if name not in Rulebook.__struct_fields__:
            why = sentence("diplomacy.variants.no_ruling")
            raise Invalid(f"rulebook.toml: why: {name}", why, sentence("diplomacy.variants.see_rulebook"))
    options = tuple(_complete_option(book, option) for option in book.options)
    try:
        settle(options, with_starting_values(options, {}))
    except Invalid as fault:
        raise Invalid(f"rulebook.toml: options: {fault.what}: begins", fault.why, fault.instead) from fault
    return replace_fields(book, options=options)


def _complete_option(book: Rulebook, option: GameOption) -> GameOption:
    if option.name not in RULINGS:
        return option
    default = getattr(book, option.name) if option.default is None else option.default
    meaning = option.meaning
    for season in SEASON_NAMES:
        meaning = meaning.replace(f"{{{season}}}", book.season_name(season))
    return replace_fields(option, values=RULINGS[option.name], default=default, meaning=meaning)


class Variant(Value, frozen=True, dict=True):
    """One variant: its folder's name, its board, its rulebook, and the languages for orders.

    spoken: returns the languages; folders: its own folder and those of its base variants that are in this
    package; edition: returns its edition, None for a board that no folder has; rules_page: returns the text
    of its rules.md, "" if it has none; texts: returns the texts of its folder's files by name.
    """

    name: str
    board: Board
    rulebook: Rulebook
    spoken: Callable[[], BoardLanguages] = lambda: NO_TONGUES
    folders: tuple[str, ...] = ()
    edition: Callable[[], Edition | None] = lambda: None
    rules_page: Callable[[], str] = lambda: ""
    texts: Callable[[], Mapping[str, str]] = dict

    @property
    def tongues(self) -> BoardLanguages:
        """Return the languages for orders besides English. Raises Invalid."""
        return self.spoken()

    def under(self, options: Options) -> "Variant":
        """Return the variant with these options. A missing option has its default."""
        key = tuple([options.get(option.name) for option in self.rulebook.options])
        variant = self._variants_by_options.get(key)
        if variant is None:
            chart = recast(self.board.chart, options)
            board = self.board if chart is self.board.chart else compile_chart(chart)
            variant = replace_fields(self, board=board, rulebook=self.rulebook.under(options))
            self._variants_by_options[key] = variant
        return variant

    @cached_property
    def _variants_by_options(self) -> dict[tuple[OptionValue | None, ...], "Variant"]:
        return {}


@cache
def load(name: str) -> Variant:
    """Return a variant of this package. Raises Invalid with the file and the entry at fault."""
    return read_variant(name, VariantFolders())


def read_variant(name: str, folders: VariantFolders) -> Variant:
    """Return the variant of a folder. Raises Invalid with the file and the entry at fault."""
    chart, rulebook = folders.chart(name), folders.value(name, RULEBOOK_FILE)
    variant = compile_variant(name, chart, rulebook, lambda: folders.languages(name), folders)
    if (called := variant.board.chart.name) != name:
        why = sentence("diplomacy.variants.not_called", name=called, folder=name)
        raise Invalid("map.json: name", why, sentence("diplomacy.variants.call_the_same"))
    own = tuple(f"variants/{folder}" for folder in folders.base_names(name) if folders.has_own(folder))
    return replace_fields(
        variant,
        folders=own,
        edition=cache(lambda: folders.edition(name)),
        rules_page=lambda: folders.text(name, RULES_FILE) if RULES_FILE in folders.file_names(name) else "",
        texts=lambda: {
            file: folders.text(name, file) for file in folders.file_names(name) if is_variant_file(file)
        },
    )


def compile_variant(
    name: str,
    chart: Any,
    rulebook: Any,
    languages: Callable[[], Mapping[str, Any]] = dict,
    folders: VariantFolders | None = None,
) -> Variant:
    """Return a variant from the plain values of its files, which may have a base variant.

    languages: returns the files ``names.*.toml`` by name. They are read when they are first needed. folders:
    where base variants are, by default those of this package. Raises Invalid with the file and the entry at
    fault.
    """
    around = folders or VariantFolders()
    board = compile_chart(read_chart(around.merge_base(chart, MAP_FILE)))
    if board.chart.year_step != 1:
        why = sentence("diplomacy.variants.step_in_map")
        raise Invalid("map.json: year_step", why, sentence("diplomacy.variants.write_step_there"))
    book = read_rulebook(around.merge_base(rulebook, RULEBOOK_FILE))
    if book.year_step != 1:
        board = compile_chart(replace_fields(board.chart, year_step=book.year_step))

    def language_of(base: str, file: str) -> Any:
        around.check(base, file)
        return around.value(base, file)

    @cache
    def read_tongues() -> BoardLanguages:
        below = around.languages(chart["base"]) if "base" in chart else {}
        return read_languages(board, languages(), below, language_of)

    return Variant(
        name=name,
        board=board,
        rulebook=book,
        spoken=read_tongues,
    )


BOARD_READINGS = ("centres", "borders", "crossings", "passages")
"""The options that choose a reading of the board."""


def recast(chart: Chart, options: Mapping[str, OptionValue]) -> Chart:
    """Return the chart with the readings that a game chose: ``centres``, ``borders``, ``crossings`` and
    ``passages``.

    With defended, even, inland or home-rival, the centres of that reading replace the assumed ones. Those in
    a nation's home belong to it from the start. With even borders, some borders are flipped. Without
    crossings, units can't cross the listed rivers on foot, and without passages canoe-fleets can't pass them.
    A game that is older than passages has them if it has crossings.
    """
    readings = {
        "defended": chart.defended_centres,
        "even": chart.even_centres,
        "inland": chart.inland_centres,
        "home-rival": chart.rival_centres,
    }
    if read := readings.get(str(options.get("centres"))):
        chart = reread(chart, read)
    if options.get("borders") == "even":
        chart = flip_borders(chart, chart.even_turns)
    closed = closed_rivers(chart, options)
    if closed:
        cut = {frozenset[str](crossing[:2]) for crossing in closed}
        chart = replace_fields(
            chart, provinces=tuple(_without_borders(place, cut) for place in chart.provinces)
        )
    return chart


def closed_rivers(
    chart: Chart, options: Mapping[str, OptionValue]
) -> tuple[tuple[Province, Province, str], ...]:
    """Return the closed rivers: to units on foot between provinces, to canoe-fleets between waters."""
    on_foot = options.get("crossings") is not False
    by_water = options.get("passages", on_foot)
    waters = {place.id for place in chart.provinces if place.kind == "sea"}
    return tuple(
        crossing for crossing in chart.crossings if not (by_water if crossing[0] in waters else on_foot)
    )


def reread(chart: Chart, read: tuple[Province, ...]) -> Chart:
    """Return the chart with these assumed centres. No other reading can be chosen afterwards."""
    marks = {**dict.fromkeys(chart.assumed_centres), **dict.fromkeys(read, "assumed")}
    return replace_fields(
        chart,
        provinces=tuple(
            replace_fields(place, centre=marks[place.id]) if place.id in marks else place
            for place in chart.provinces
        ),
        powers=tuple(_with_gained_homes(power, read) for power in chart.powers),
        assumed_centres=read,
        defended_centres=(),
        inland_centres=(),
        even_centres=(),
        rival_centres=(),
    )


def _with_gained_homes(power: Power, read: tuple[Province, ...]) -> Power:
    gained = (home for home in power.homes if home in read and home not in power.centres)
    return replace_fields(power, centres=(*power.centres, *gained))


def _without_borders(place: ProvinceEntry, cut: set[frozenset[str]]) -> ProvinceEntry:
    def keep(neighbours: tuple[Province, ...]) -> tuple[Province, ...]:
        return tuple(other for other in neighbours if frozenset((place.id, other)) not in cut)

    return replace_fields(place, army=keep(place.army), fleet=keep(place.fleet))
