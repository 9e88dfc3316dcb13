"""The variants of the family: each folder in variants/ is one, compiled once for each options."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from games.data import files, folders, read_json, read_toml
from games.diplomacy.board import Board, Chart, Place, Power, compile_chart, read_chart
from games.diplomacy.languages import FILE, NO_TONGUES, Tongues, tongues
from games.diplomacy.model import Province
from games.diplomacy.rulebook import Rulebook, read_rulebook
from games.diplomacy.turned import turn
from games.protocol import Invalid, Options, OptionValue
from games.record import Value, changed

PACKAGE = "games.diplomacy"


class Variant(Value, frozen=True, dict=True):
    """One variant: the folder's name, its board, its rulebook, the languages in which it may be ordered.

    spoken: gives those; folders: of the package, its own and those that it rests on; empty where it was read
    from somewhere else.
    """

    name: str
    board: Board
    rulebook: Rulebook
    spoken: Callable[[], Tongues] = lambda: NO_TONGUES
    folders: tuple[str, ...] = ()

    @property
    def tongues(self) -> Tongues:
        """The languages beside English in which it may be ordered. Raises Invalid."""
        return self.spoken()

    def under(self, options: Options) -> "Variant":
        """The variant as a game with these options plays it. An option that is missing has its default."""
        key = tuple([options.get(option.name) for option in self.rulebook.options])
        found = self._chosen.get(key)
        if found is None:
            chart = recast(self.board.chart, options)
            board = self.board if chart is self.board.chart else compile_chart(chart)
            found = changed(self, board=board, rulebook=self.rulebook.under(options))
            self._chosen[key] = found
        return found

    @cached_property
    def _chosen(self) -> dict[tuple[OptionValue | None, ...], "Variant"]:
        return {}


def names() -> tuple[str, ...]:
    """The variants that are there, in order."""
    return folders(PACKAGE, "variants")


@cache
def load(name: str) -> Variant:
    """A variant by its folder. Raises Invalid that names the file and the entry at fault."""
    chart, rulebook = mine = _files_of(name)
    read = compiled(name, chart, rulebook, lambda: _languages(name))
    if (called := read.board.chart.name) != name:
        raise Invalid("map.json: name", f"is {called}, and the folder {name}", "call both the same")
    return changed(read, folders=tuple(f"variants/{one}" for one in _rests_on(name, mine)))


def _files_of(name: str) -> tuple[Any, Any]:
    folder = f"variants/{name}"
    return read_json(PACKAGE, f"{folder}/map.json"), read_toml(PACKAGE, f"{folder}/rulebook.toml")


def _rests_on(name: str, mine: tuple[Any, Any]) -> tuple[str, ...]:
    """A variant and all those whose files it takes over, itself first. mine: its own."""
    bases = [file["base"] for file in mine if "base" in file]
    below = [one for base in bases for one in _rests_on(base, _files_of(base))]
    return tuple(dict.fromkeys((name, *below)))


def compiled(
    name: str, chart: Any, rulebook: Any, languages: Callable[[], Mapping[str, Any]] = dict
) -> Variant:
    """A variant of the plain values of its files, the first two of which may rest on another variant's.

    languages: gives those of ``names.*.toml`` by the files' names, which are read when somebody's words are.
    Raises Invalid that names the file and the entry at fault.
    """
    board = compile_chart(read_chart(_rested(chart, "map.json", read_json)))

    @cache
    def spoken() -> Tongues:
        below = _languages(chart["base"]) if "base" in chart else {}
        return tongues(board, languages(), below, _language_of)

    return Variant(
        name=name,
        board=board,
        rulebook=read_rulebook(_rested(rulebook, "rulebook.toml", read_toml)),
        spoken=spoken,
    )


@cache
def _languages(name: str) -> Mapping[str, Any]:
    """The plain values of the languages of a variant that is there, read once for all that rest on it."""
    folder = f"variants/{name}"
    found = [file for file in files(PACKAGE, folder) if FILE.fullmatch(file)]
    return {file: read_toml(PACKAGE, f"{folder}/{file}") for file in found}


def _language_of(name: str, file: str) -> Any:
    if name not in names():
        raise Invalid(f"{file}: base", f"there is no variant {name}", f"there are {', '.join(names())}")
    return read_toml(PACKAGE, f"variants/{name}/{file}")


def _rested(raw: Any, file: str, read: Callable[[str, str], Any]) -> Any:
    """A file's value; with the key ``base`` it says only what is different from that variant's.

    What that variant is called besides is its own.
    """
    base = raw.get("base") if isinstance(raw, dict) else None
    if base is None:
        return raw
    if base not in names():
        raise Invalid(f"{file}: base", f"there is no variant {base}", f"there are {', '.join(names())}")
    below = _rested(read(PACKAGE, f"variants/{base}/{file}"), file, read)
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
        chart = turn(chart, chart.even_turns)
    if options.get("crossings") is False:
        cut = {frozenset[str](crossing[:2]) for crossing in chart.crossings}
        chart = changed(chart, provinces=tuple(_parted(place, cut) for place in chart.provinces))
    return chart


def reread(chart: Chart, read: tuple[Province, ...]) -> Chart:
    """The chart with these for its assumed centres; no other reading is left to be chosen."""
    marks = {**dict.fromkeys(chart.assumed_centres), **dict.fromkeys(read, "assumed")}
    return changed(
        chart,
        provinces=tuple(
            changed(place, centre=marks[place.id]) if place.id in marks else place
            for place in chart.provinces
        ),
        powers=tuple(_enriched(power, read) for power in chart.powers),
        assumed_centres=read,
        defended_centres=(),
        inland_centres=(),
        even_centres=(),
        rival_centres=(),
    )


def _enriched(power: Power, read: tuple[Province, ...]) -> Power:
    gained = (home for home in power.homes if home in read and home not in power.centres)
    return changed(power, centres=(*power.centres, *gained))


def _parted(place: Place, cut: set[frozenset[str]]) -> Place:
    def kept(neighbours: tuple[Province, ...]) -> tuple[Province, ...]:
        return tuple(other for other in neighbours if frozenset((place.id, other)) not in cut)

    return changed(place, army=kept(place.army), fleet=kept(place.fleet))
