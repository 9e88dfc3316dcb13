"""The variants of the family: each folder in variants/ is one, compiled once for each options."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from games.data import files, folders, read_json, read_toml
from games.diplomacy.boards.board import Board, Chart, Power, ProvinceEntry, compile_chart, read_chart
from games.diplomacy.boards.languages import LANGUAGE_FILE, NO_TONGUES, BoardLanguages, read_languages
from games.diplomacy.boards.redraw import flip_borders
from games.diplomacy.boards.rulebook import Rulebook, read_rulebook
from games.diplomacy.model import Province
from games.protocol import Invalid, Options, OptionValue
from games.record import Value, replace_fields

DIPLOMACY_PACKAGE = "games.diplomacy"


class Variant(Value, frozen=True, dict=True):
    """One variant: the folder's name, its board, its rulebook, the languages in which it may be ordered.

    spoken: gives those; folders: of the package, its own and those that it rests on; empty where it was read
    from somewhere else.
    """

    name: str
    board: Board
    rulebook: Rulebook
    spoken: Callable[[], BoardLanguages] = lambda: NO_TONGUES
    folders: tuple[str, ...] = ()

    @property
    def tongues(self) -> BoardLanguages:
        """The languages beside English in which it may be ordered. Raises Invalid."""
        return self.spoken()

    def under(self, options: Options) -> "Variant":
        """Return the variant as played with these options. An option that is missing has its default."""
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


def names() -> tuple[str, ...]:
    """The variants that are there, in order."""
    return folders(DIPLOMACY_PACKAGE, "variants")


@cache
def load(name: str) -> Variant:
    """A variant by its folder. Raises Invalid that names the file and the entry at fault."""
    chart, rulebook = mine = _files_of(name)
    read = compile_variant(name, chart, rulebook, lambda: _languages(name))
    if (called := read.board.chart.name) != name:
        raise Invalid("map.json: name", f"is {called}, and the folder {name}", "call both the same")
    return replace_fields(read, folders=tuple(f"variants/{folder}" for folder in _base_names(name, mine)))


def _files_of(name: str) -> tuple[Any, Any]:
    folder = f"variants/{name}"
    return read_json(DIPLOMACY_PACKAGE, f"{folder}/map.json"), read_toml(
        DIPLOMACY_PACKAGE, f"{folder}/rulebook.toml"
    )


def _base_names(name: str, mine: tuple[Any, Any]) -> tuple[str, ...]:
    """Return the names of a variant and of all whose files it takes over, its own first. mine: its files."""
    bases = [file["base"] for file in mine if "base" in file]
    below = [base_name for base in bases for base_name in _base_names(base, _files_of(base))]
    return tuple(dict.fromkeys((name, *below)))


def compile_variant(
    name: str, chart: Any, rulebook: Any, languages: Callable[[], Mapping[str, Any]] = dict
) -> Variant:
    """Return a variant made of the plain values of its files; the first two may rest on another variant's.

    languages: gives those of ``names.*.toml`` by the files' names, which are read when somebody's words
    are. Raises Invalid that names the file and the entry at fault.
    """
    board = compile_chart(read_chart(_merge_base(chart, "map.json", read_json)))

    @cache
    def read_tongues() -> BoardLanguages:
        below = _languages(chart["base"]) if "base" in chart else {}
        return read_languages(board, languages(), below, _language_of)

    return Variant(
        name=name,
        board=board,
        rulebook=read_rulebook(_merge_base(rulebook, "rulebook.toml", read_toml)),
        spoken=read_tongues,
    )


@cache
def _languages(name: str) -> Mapping[str, Any]:
    """The plain values of the languages of a variant that is there, read once for all that rest on it."""
    folder = f"variants/{name}"
    file_names = [file for file in files(DIPLOMACY_PACKAGE, folder) if LANGUAGE_FILE.fullmatch(file)]
    return {file: read_toml(DIPLOMACY_PACKAGE, f"{folder}/{file}") for file in file_names}


def _language_of(name: str, file: str) -> Any:
    if name not in names():
        raise Invalid(f"{file}: base", f"there is no variant {name}", f"there are {', '.join(names())}")
    return read_toml(DIPLOMACY_PACKAGE, f"variants/{name}/{file}")


def _merge_base(raw: Any, file: str, read: Callable[[str, str], Any]) -> Any:
    """Return a file's value; with the key ``base`` it says only what is different from that variant's.

    What that variant is called besides is its own.
    """
    base = raw.get("base") if isinstance(raw, dict) else None
    if base is None:
        return raw
    if base not in names():
        raise Invalid(f"{file}: base", f"there is no variant {base}", f"there are {', '.join(names())}")
    below = _merge_base(read(DIPLOMACY_PACKAGE, f"variants/{base}/{file}"), file, read)
    below = {key: value for key, value in below.items() if (file, key) != ("rulebook.toml", "aliases")}
    drawn = {"outline": below.get("outline") or base} if file == "map.json" else {}
    return {**below, **drawn, **{key: value for key, value in raw.items() if key != "base"}}


def recast(chart: Chart, options: Mapping[str, OptionValue]) -> Chart:
    """The chart with the three readings that a game may choose: ``centres``, ``borders`` and ``crossings``.

    With defended, even, inland or home-rival the assumed centres are none; those of the reading are, and
    those in a nation's home belong to it from the start. With even some borders run the other way. Without
    crossings nobody walks over the rivers listed, and no canoe-fleet passes them.
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
    if options.get("crossings") is False:
        cut = {frozenset[str](crossing[:2]) for crossing in chart.crossings}
        chart = replace_fields(
            chart, provinces=tuple(_without_borders(place, cut) for place in chart.provinces)
        )
    return chart


def reread(chart: Chart, read: tuple[Province, ...]) -> Chart:
    """The chart with these for its assumed centres; no other reading is left to be chosen."""
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
