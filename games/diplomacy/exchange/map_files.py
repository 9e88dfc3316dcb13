"""Reads and writes boards as ``.map`` files of the DPjudge, which the `diplomacy` package uses too.

The format has no drawing. Such a board has a schematic picture (map/schematic.py).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass, field
from typing import Any

from games.diplomacy.boards import variants
from games.diplomacy.boards.board import Board, Power, ProvinceEntry, WinningCondition, compile_board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import Province
from games.messages import sentence
from games.protocol import ImportNote, Invalid

FileOpener = Callable[[str], str]
"""Returns the text of another file that a file names. Raises Invalid if there is none."""

_TERRAINS = {"WATER": "sea", "LAND": "land", "COAST": "land", "PORT": "land"}
COAST_NAMES = {"NC", "EC", "SC", "WC"}
_PLAYED_RULES = {"BUILD_ANY": "owned"}
_PLACE_LETTERS = 3
_OUR_BOARD = "standard"
_OWN_WORD = re.compile(r"\(([^():]*)(?::([^()]*))?\)")
_BEGINNINGS = {("SPRING", "MOVEMENT"): "", ("WINTER", "ADJUSTMENT"): "WA", ("WINTER", "ADJUSTMENTS"): "WA"}


@dataclass
class ImportedBoard:
    """A board of another program: its map.json and rulebook.toml as values, and what wasn't taken.

    rules_page: the text of rules.md, "" for none.
    """

    map: dict[str, Any]
    rulebook: dict[str, Any]
    notes: list[ImportNote]
    rules_page: str = ""


@dataclass
class _Power:
    own_word: str = ""
    letter: str = ""
    homes: list[str] = field(default_factory=list)
    owns: list[str] | None = None
    units: list[str] = field(default_factory=list)


@dataclass
class _Place:
    """A place as the file has it: its terrain and neighbours, each in the letters of the file."""

    terrain: str
    abuts: list[str] = field(default_factory=list)


def read_map_file(name: str, text: str, open_file: FileOpener) -> ImportedBoard:
    """Return the board of a ``.map`` file. name: the file's, without its suffix. Raises Invalid."""
    reader = _MapReader(open_file)
    reader.read(f"{name}.map", text)
    imported = reader.board(name)
    ours = variants.load(_OUR_BOARD).board
    if _has_same_places(imported.map, ours):
        _base_on(imported.map, ours)
    return imported


def _has_same_places(raw: dict[str, Any], ours: Board) -> bool:
    """Return whether a map has the provinces, borders and centres of one of our boards."""
    if {place["id"] for place in raw["provinces"]} != {*ours.places}:
        return False
    board = compile_board(raw)
    near = all(
        {at: {*there} for at, there in theirs.items()} == {at: {*there} for at, there in own.items()}
        for theirs, own in ((board.army, ours.army), (board.sailing, ours.sailing))
    )
    carried = any(place.convoys for place in board.places.values())
    return near and {*board.centres} == {*ours.centres} and not carried


def _base_on(raw: dict[str, Any], ours: Board) -> None:
    """Let a map have the provinces of one of our boards, with its drawing, names and languages."""
    raw["base"] = ours.chart.name
    if raw["name"] == ours.chart.name:
        raw["name"] = f"{ours.chart.name}-imported"
    for key in ("provinces", "size", "one_way"):
        raw.pop(key, None)
    for power in raw["powers"]:
        alike = [own for own in ours.powers.values() if {*own.centres} == {*power["centres"]}]
        for own in alike:
            power |= {"letter": own.letter, "colour": own.colour, "hatch": own.hatch}


class _MapReader:
    """Reads the lines of a file and of those that it names, one after the other: later lines win."""

    def __init__(self, open_file: FileOpener) -> None:
        self._open_file = open_file
        self._files: list[str] = []
        self._here = ("", 0)
        self._power: str | None = None
        self.notes: list[ImportNote] = []
        self.names: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.places: dict[str, _Place] = {}
        self.powers: dict[str, _Power] = {}
        self.centres: dict[str, None] = {}
        self.dummies: dict[str, None] = {}
        self.victory: int | None = None
        self.begin = ("SPRING", "1901", "MOVEMENT")
        self.builds_in = ""

    def read(self, name: str, text: str) -> None:
        """Read the lines of a file. Raises Invalid with the file and the line."""
        self._files.append(name)
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            self._here = (name, number)
            self._read_line(line, words)
        self._power = None

    def _read_line(self, line: str, words: list[str]) -> None:
        head, rest = words[0].upper(), words[1:]
        known = {
            "VICTORY": self._read_victory,
            "MAP": self._read_files,
            "USE": self._read_files,
            "USES": self._read_files,
            "BEGIN": self._read_begin,
            "RULE": self._read_rules,
            "RULES": self._read_rules,
            "OWNS": self._read_owned,
            "CENTERS": self._read_owned,
            "INHABITS": self._read_homes,
            "HOME": self._read_homes,
            "HOMES": self._read_homes,
            "UNITS": self._clear_units,
            "DUMMY": self._read_dummies,
            "DUMMIES": self._read_dummies,
            "DROP": self._read_dropped,
            "UNPLAYED": self._read_unplayed,
        }
        if "=" in line:
            self._read_name(line)
        elif head in ("A", "F") and len(rest) == 1:
            self._read_unit(head, rest[0].upper())
        elif head in ("AMEND", "SHUT", *_TERRAINS) and rest:
            self._read_place(head, rest)
        elif head in known and (head != "CENTERS" or self._power):
            known[head]([head, *rest])
        else:
            self._read_power(words)

    def _note(self, slug: str, *, changes_play: bool, **values: Any) -> None:
        text = sentence(f"diplomacy.map_files.{slug}", **values)
        file, line = self._here
        self.notes.append(ImportNote(file=file, line=line, text=text, changes_play=changes_play))

    def _fail(self, slug: str, **values: Any) -> Invalid:
        file, line = self._here
        return Invalid(f"{file}: line {line}", sentence(f"diplomacy.map_files.{slug}", **values))

    def _read_victory(self, words: list[str]) -> None:
        if not words[1:] or not all(word.isdecimal() for word in words[1:]):
            raise self._fail("no_number", word=" ".join(words))
        self.victory = int(words[1])
        if words[2:]:
            self._note("later_victory", changes_play=True, number=self.victory)

    def _read_files(self, words: list[str]) -> None:
        here, power = self._here, self._power
        for name in words[1:]:
            file = name if "." in name else f"{name}.map"
            if file in self._files:
                raise self._fail("file_twice", file=file)
            self.read(file, self._open_file(file))
            self._here, self._power = here, power

    def _read_begin(self, words: list[str]) -> None:
        if len(words) != 4 or not words[2].lstrip("-").isdecimal():
            raise self._fail("odd_beginning", text=" ".join(words))
        self.begin = (words[1].upper(), words[2], words[3].upper())
        if (self.begin[0], self.begin[2]) not in _BEGINNINGS:
            self._note("other_beginning", changes_play=True, text=" ".join(words[1:]))

    def _read_rules(self, words: list[str]) -> None:
        for rule in (word.upper() for word in words[1:]):
            if rule in _PLAYED_RULES:
                self.builds_in = _PLAYED_RULES[rule]
            else:
                self._note("other_rule", changes_play=True, rule=rule)

    def _read_owned(self, words: list[str]) -> None:
        power = self._current(words[0])
        owns = [] if words[0] == "CENTERS" or power.owns is None else power.owns
        power.owns = [*owns, *(word.upper() for word in words[1:])]
        self.centres |= dict.fromkeys(power.owns)

    def _read_homes(self, words: list[str]) -> None:
        power = self._current(words[0])
        if words[0] != "INHABITS":
            power.homes = []
        self._add_homes(power, words[1:])

    def _add_homes(self, power: _Power, words: Iterable[str]) -> None:
        for word in words:
            home = word.upper().lstrip("-")
            if not home:
                continue
            if home in power.homes:
                power.homes.remove(home)
            self.centres.setdefault(home)
            if not word.startswith("-"):
                power.homes.append(home)

    def _clear_units(self, words: list[str]) -> None:
        self._current(words[0]).units.clear()

    def _read_unit(self, kind: str, spot: str) -> None:
        power = self._current(f"{kind} {spot}")
        at = spot.split("/")[0]
        for other in self.powers.values():
            other.units = [unit for unit in other.units if unit[2:].split("/")[0] != at]
        power.units.append(f"{kind} {spot}")

    def _read_dummies(self, words: list[str]) -> None:
        if len(words) == 1:
            self._current(words[0])
            assert self._power is not None, "there is a current power"
            self.dummies.setdefault(self._power)
        else:
            self.dummies |= dict.fromkeys(self._listed(words[1:]))
            self._power = None

    def _read_unplayed(self, words: list[str]) -> None:
        if len(words) == 1:
            self._current(words[0])
            gone: Sequence[str] = [self._power] if self._power else []
        else:
            gone = self._listed(words[1:])
        for name in gone:
            if name not in self.powers:
                raise self._fail("no_power", power=name)
            del self.powers[name]
            self.dummies.pop(name, None)
        self._power = None

    def _listed(self, words: Sequence[str]) -> list[str]:
        """Return the powers that a line names: by name, ALL, or ALL EXCEPT some."""
        named = [word.upper() for word in " ".join(words).replace(",", " ").split()]
        if named[:1] != ["ALL"]:
            return named
        if len(named) > 1 and named[1] != "EXCEPT":
            raise self._fail("except_missing", text=" ".join(words))
        return [name for name in self.powers if name not in named[2:]]

    def _drop_coasts(self, base: str) -> None:
        self.places = {name: place for name, place in self.places.items() if not name.startswith(f"{base}/")}

    def _read_dropped(self, words: list[str]) -> None:
        for word in (word.upper() for word in words[1:]):
            self.places = {name: place for name, place in self.places.items() if _base(name) != word}

    def _read_name(self, line: str) -> None:
        name, _, rest = line.partition("=")
        words = rest.split()
        if not name.strip() or not words:
            raise self._fail("no_name", text=line.strip())
        if "->" in name:
            self._note("renamed", changes_play=False, text=name.strip())
            name = name.partition("->")[2]
        spot = words[0].upper()
        self.names[spot] = name.strip()
        for alias in words[1:]:
            if alias.endswith("?"):
                self._note("unclear_alias", changes_play=False, alias=alias[:-1], name=name.strip())
            elif "/" not in spot:
                self.aliases.setdefault(alias.replace("+", " "), spot)

    def _read_place(self, head: str, words: list[str]) -> None:
        name = words[0]
        if len(words) > 1 and words[1].upper() != "ABUTS":
            raise self._fail("no_abuts", place=name)
        if name.swapcase() in self.places:
            former = self.places.pop(name.swapcase())
            self.places[name] = former
            if name.isupper():
                self._read_dropped(
                    ["DROP", *(_base(spot) for spot in self.places if spot.startswith(f"{name}/"))]
                )
        if head == "AMEND":
            if name not in self.places:
                raise self._fail("nothing_to_amend", place=name)
            place = self.places[name]
        else:
            former = self.places.get(name, _Place(head))
            place = self.places[name] = _Place(head, [] if words[2:] else former.abuts)
        for word in words[2:]:
            if word.startswith("-"):
                gone = word[1:].upper()
                place.abuts = [spot for spot in place.abuts if not spot.upper().startswith(gone)]
            else:
                place.abuts.append(word)

    def _read_power(self, words: list[str]) -> None:
        name, rest = words[0].upper(), words[1:]
        if rest[:1] == ["->"]:
            self._note("renamed", changes_play=False, text=" ".join(words))
            name, rest = rest[1].upper(), rest[2:]
        if name in ("UNOWNED", "NEUTRAL", "CENTERS"):
            self._power = None
            self.centres |= dict.fromkeys(word.upper().lstrip("-") for word in rest)
            return
        power = self.powers.setdefault(name, _Power())
        own_word = _OWN_WORD.fullmatch(rest[0]) if rest else None
        if own_word is not None:
            power.own_word = own_word[1] or power.own_word
            power.letter = (own_word[2] or power.letter)[:1].upper()
            rest = rest[1:]
        self._power = name
        self._add_homes(power, rest)

    def _current(self, text: str) -> _Power:
        if self._power is None:
            raise self._fail("no_power_yet", text=text)
        return self.powers[self._power]

    # The board of what was read.

    def board(self, name: str) -> ImportedBoard:
        """Return the board in our own form. Raises Invalid if it can't be one."""
        self._here = (f"{name}.map", 0)
        provinces = [self._province(base) for base in self._bases()]
        if not provinces:
            raise self._fail("no_places")
        neutral = [unit for power in self.dummies for unit in self.powers[power].units]
        if self.dummies:
            self._note("dummies", changes_play=True, powers=", ".join(map(str.title, self.dummies)))
        played = {power: self.powers[power] for power in self.powers if power not in self.dummies}
        centres = [place["id"] for place in provinces if place.get("centre")]
        board = {
            "name": kind_name(name),
            "title": name.replace("_", " ").title(),
            "designer": sentence("diplomacy.map_files.designer"),
            "year": 2026,
            "first_year": int(self.begin[1]),
            "victory": {"centres": self.victory or len(centres) // 2 + 1},
            "counts": {
                "land": sum(place["kind"] == "land" for place in provinces),
                "sea": sum(place["kind"] == "sea" for place in provinces),
                "centres": len(centres),
                "units": sum(len(power.units) for power in played.values()),
                "neutral": len(neutral),
            },
            "size": [1200, 900],
            "provinces": provinces,
            "powers": [*self._played(played)],
            "neutral": neutral,
        }
        coasts = {coast for place in provinces for coast in place.get("coasts", ())} - COAST_NAMES
        if coasts:
            board["coast_names"] = {coast: self._coast_name(coast) for coast in sorted(coasts)}
        if one_way := _one_way(provinces):
            board["one_way"] = one_way
        rulebook = {"base": "standard", "source": f"{name}.map"}
        if self.builds_in:
            rulebook["builds_in"] = self.builds_in
        if begins := _BEGINNINGS.get((self.begin[0], self.begin[2]), ""):
            rulebook["begins"] = begins
        return ImportedBoard(board, rulebook, self.notes)

    def _bases(self) -> list[str]:
        """Return the provinces that can be entered, in the order of the file's names, then of its lines."""
        bases = dict.fromkeys(_base(name) for name in self.places)
        named = [spot for spot in self.names if spot in bases]
        shut = {_base(name) for name, place in self.places.items() if place.terrain == "SHUT"}
        return [base for base in dict.fromkeys((*named, *bases)) if base not in shut]

    def _spots(self, base: str) -> dict[str, _Place]:
        """Return the entries of a province: its own, and those of its coasts, by their names in capitals."""
        return {name.upper(): place for name, place in self.places.items() if _base(name) == base}

    def _terrain(self, base: str) -> str:
        spots = self._spots(base)
        found = spots.get(base) or next(iter(spots.values()), None)
        return found.terrain if found else ""

    def _province(self, base: str) -> dict[str, Any]:
        spots, terrain = self._spots(base), self._terrain(base)
        coasts = {name.split("/")[1]: place for name, place in spots.items() if "/" in name}
        own = spots.get(base, _Place(terrain))
        army = [] if terrain == "WATER" else [*self._land_neighbours(own)]
        province: dict[str, Any] = {
            "id": base,
            "abbr": base,
            "name": self.names.get(base, base.title()),
            "kind": _TERRAINS[terrain],
            "army": army,
            "label": [0, 0],
            "radius": 20,
        }
        province["fleet"] = [] if coasts or terrain == "LAND" else [*self._water_neighbours(own)]
        if coasts:
            province["coasts"] = {coast: [*self._water_neighbours(place)] for coast, place in coasts.items()}
        if aliases := [alias for alias, spot in self.aliases.items() if spot == base]:
            province["aliases"] = aliases
        if base in self.centres:
            province["centre"] = "sourced"
        if terrain == "PORT":
            province["convoys"] = True
        return province

    def _land_neighbours(self, place: _Place) -> Iterator[str]:
        """Yield the neighbours that armies reach: a name with one capital is for fleets alone."""
        for base, names in self._near(place).items():
            if self._terrain(base) in ("LAND", "COAST", "PORT") and names[0] != names[0].title():
                yield base

    def _water_neighbours(self, place: _Place) -> Iterator[str]:
        """Yield the spots that fleets reach: a name in small letters is for armies alone."""
        for names in self._near(place).values():
            for name in names:
                spot = name.upper()
                has_coasts = any(other.startswith(f"{spot}/") for other in map(str.upper, self.places))
                sails = self._terrain(_base(name)) in ("WATER", "COAST", "PORT")
                if sails and name[0].isupper() and not has_coasts:
                    yield spot

    def _near(self, place: _Place) -> dict[str, list[str]]:
        """Return the names of a place's neighbours by province, in the order of the file."""
        near: dict[str, list[str]] = {}
        for name in place.abuts:
            if self._terrain(_base(name)) not in ("", "SHUT"):
                near.setdefault(_base(name), []).append(name)
        return near

    def _played(self, played: dict[str, _Power]) -> Iterator[dict[str, Any]]:
        letters = choose_letters({name: power.letter for name, power in played.items()})
        for number, (name, power) in enumerate(played.items()):
            shown = "-".join(part.capitalize() for part in name.split("-"))
            entry = {
                "id": shown,
                "name": shown,
                "letter": letters[name],
                "colour": _colour(number, len(played)),
                "homes": power.homes,
                "starts": power.units,
                "centres": power.homes,
            }
            if power.own_word and power.own_word.upper() != name:
                entry["aliases"] = [power.own_word.capitalize()]
            if power.owns is not None:
                entry["owns"] = power.owns
            yield entry

    def _coast_name(self, coast: str) -> str:
        """Return what the file calls a coast in brackets behind a province's name."""
        for spot, name in self.names.items():
            if spot.endswith(f"/{coast}") and name.endswith(")"):
                return name[name.rindex("(") + 1 : -1]
        return coast.lower()


def _base(name: str) -> str:
    """Return the province of a place or a coast, in capitals."""
    return name.upper().split("/")[0]


def kind_name(name: str) -> str:
    """Return a file's name as the name of a variant."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _one_way(provinces: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the pairs of provinces of which only the first lists the border, on foot or by water."""
    near: set[tuple[str, str, str]] = set()
    for place in provinces:
        near |= {("army", place["id"], other) for other in place["army"]}
        spots = place.get("coasts") or {"": place["fleet"]}
        near |= {("fleet", place["id"], _base(other)) for several in spots.values() for other in several}
    order = {place["id"]: number for number, place in enumerate(provinces)}
    pairs = {(here, there) for kind, here, there in near if (kind, there, here) not in near}
    return [[here, there] for here, there in sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]]))]


def choose_letters(given: dict[str, str]) -> dict[str, str]:
    """Return a mark for each power: the file's, or else the fewest letters of its name that are free."""
    marks: dict[str, str] = {}
    for name, letter in given.items():
        ways = [letter] if letter else []
        ways += [name[0], *(name[0] + other.lower() for other in name[1:] if other.isalpha())]
        ways += [f"{name[0]}{number}" for number in range(1, 100)]
        marks[name] = next(way for way in ways if way.lower() not in map(str.lower, marks.values()))
    return marks


def _colour(number: int, count: int) -> str:
    """Return the colour of a power's land: hues in equal steps, every second one darker."""
    red, green, blue = hls_to_rgb(number / max(count, 1), 0.62 if number % 2 else 0.72, 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


# Our own boards in this format.


def write_map_file(variant: Variant) -> tuple[str, tuple[str, ...]]:
    """Return a variant as a ``.map`` file, and sentences on what the format can't say.

    Raises Invalid for a board that has units other than armies and fleets.
    """
    board, chart = variant.board, variant.board.chart
    if not {"A", "F"} >= set(board.kinds):
        why = sentence("diplomacy.map_files.other_units", title=chart.title)
        raise Invalid(chart.name, why, sentence("diplomacy.map_files.other_units_instead"))
    left = tuple(_what_is_left(variant))
    season, kind = (
        ("WINTER", "ADJUSTMENT") if variant.rulebook.begins.endswith("A") else ("SPRING", "MOVEMENT")
    )
    lines = [
        f"# {chart.title}",
        *(f"# {text}" for text in left),
        f"VICTORY {board.usual_goal}",
        f"BEGIN {season} {chart.first_year} {kind}",
        *(["RULE BUILD_ANY"] if variant.rulebook.builds_in == "owned" else []),
        "",
    ]
    for power in chart.powers:
        own_word = next((alias for alias in power.aliases if " " not in alias), _file_power(power))
        mark = f":{power.letter}" if len(power.letter) == 1 and power.letter not in "M?" else ""
        lines.append(f"{_file_power(power)} ({own_word.upper()}{mark}) {' '.join(power.centres)}".rstrip())
        if power.owns is not None:
            lines.append(f"CENTERS {' '.join(power.owns)}")
        lines += [*power.starts, ""]
    homes = {centre for power in chart.powers for centre in power.centres}
    lines += [f"UNOWNED {' '.join(centre for centre in board.centres if centre not in homes)}", ""]
    for place in chart.provinces:
        aliases = (alias.replace(" ", "+") for alias in place.aliases if "=" not in alias)
        lines.append(f"{place.name} = {place.id} {' '.join(aliases)}".rstrip())
        for coast in place.coasts:
            lines.append(f"{place.name} ({board.coast_names[coast]}) = {place.id}/{coast}")
    lines.append("")
    for place in chart.provinces:
        lines += _terrain_lines(board, place)
    return "\n".join(lines) + "\n", left


def _what_is_left(variant: Variant) -> Iterator[str]:
    """Yield a sentence for each thing of a variant that the format can't say."""
    chart = variant.board.chart
    board = variant.board
    if board.winning_conditions != (WinningCondition(centres=board.usual_goal),):
        yield sentence("diplomacy.map_files.other_victory", number=board.usual_goal)
    if chart.neutral:
        yield sentence("diplomacy.map_files.no_neutral", units=", ".join(chart.neutral))
    if any(len(place.id) != _PLACE_LETTERS for place in chart.provinces):
        yield sentence("diplomacy.map_files.long_ids", letters=_PLACE_LETTERS)
    if any(" " in power.name for power in chart.powers):
        yield sentence("diplomacy.map_files.power_names")


def _file_power(power: Power) -> str:
    """Return a power's name in capitals, as one word."""
    return "-".join(power.name.upper().split())


def _terrain_lines(board: Board, place: ProvinceEntry) -> list[str]:
    """Return the lines of a province: one, or with several coasts one for each and one for armies."""
    if not place.coasts:
        terrain = (
            "WATER"
            if place.kind == "sea"
            else "PORT"
            if place.convoys
            else "COAST"
            if place.fleet
            else "LAND"
        )
        return [_abuts(terrain, place.id, _file_neighbours(board, place))]
    coasts = [
        _abuts("COAST", f"{place.id}/{coast}", [str(spot) for spot in near])
        for coast, near in place.coasts.items()
    ]
    return [*coasts, _abuts("COAST", place.id.lower(), place.army)]


def _abuts(terrain: str, spot: str, near: Sequence[str]) -> str:
    return f"{terrain} {spot} ABUTS {' '.join(near)}".rstrip()


def _file_neighbours(board: Board, place: ProvinceEntry) -> list[str]:
    """Return a province's neighbours: for armies alone in small letters, for fleets with one capital."""
    by_water = {_base(spot) for spot in place.fleet}
    near = []
    for spot in place.fleet:
        is_sea = place.kind == "sea" or board.places[Province(_base(spot))].kind == "sea"
        near.append(spot if is_sea or Province(_base(spot)) in place.army else spot.title())
    alone = [str(there) for there in place.army if there not in by_water]
    if place.fleet:
        alone = [there.lower() if Province(there) in board.shores else there for there in alone]
    return [*near, *alone]
