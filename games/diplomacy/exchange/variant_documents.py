"""Reads boards as variant documents: one JSON object each, in the schema that diplicity-react publishes.

The schema is in that program's repository, as service/variant.schema.yaml. We read its version 1. A drawing
of such a board has layers (see drawings.py).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import lcm
from typing import Any, Literal

from games import language
from games.diplomacy.boards.folders import read_plain
from games.diplomacy.boards.misfits import read_entry
from games.diplomacy.boards.variants import SEASON_NAMES
from games.diplomacy.exchange.map_files import COAST_NAMES, ImportedBoard, choose_letters, kind_name
from games.diplomacy.model import Season
from games.diplomacy.reports.handbook import MAX_SECTION_LETTERS
from games.messages import sentence
from games.protocol import ImportNote, Invalid
from games.record import Value

SCHEMA_VERSION = 1
_BUILDS_ANYWHERE = "allow-builds-in-non-home-centers"
_LETTERS_BY_NAME: Mapping[str, Season] = {
    "spring": "S",
    "summer": "U",
    "autumn": "F",
    "fall": "F",
    "winter": "W",
}
_LETTERS_IN_ORDER: Sequence[Sequence[Season]] = (
    (),
    ("S",),
    ("S", "F"),
    ("S", "U", "F"),
    ("S", "U", "F", "W"),
)
_MAX_YEARS_TRIED = 1000
_PHASE_LETTERS = {"Movement": "M", "Retreat": "R", "Adjustment": "A"}

PhaseType = Literal["Movement", "Retreat", "Adjustment"]


class _Entry(Value, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An object of a document. It has no keys but those of the schema."""


class _Border(_Entry, frozen=True, rename={"used_by": "pass"}):
    to: str
    used_by: Literal["army", "fleet", "both"]


class _ProvinceEntry(_Entry, frozen=True):
    id: str
    name: str
    type: Literal["land", "sea", "coastal"]
    supply_center: bool
    adjacencies: tuple[_Border, ...]
    home_nation: str | None = None


class _Coast(_Entry, frozen=True):
    id: str
    name: str
    parent_province: str
    adjacencies: tuple[_Border, ...]


class _Nation(_Entry, frozen=True, rename={"non_playable": "non_playable"}):
    id: str
    name: str
    color: str
    non_playable: bool = False


class _Unit(_Entry, frozen=True):
    nation: str
    type: Literal["Army", "Fleet"]
    location: str


class _Ownership(_Entry, frozen=True):
    nation: str
    province: str


class _Phase(_Entry, frozen=True):
    season: str
    year: int
    type: PhaseType


class _Opening(_Entry, frozen=True):
    phase: _Phase
    units: tuple[_Unit, ...]
    supply_centers: tuple[_Ownership, ...]


class _From(_Entry, frozen=True):
    season: str
    type: PhaseType


class _To(_Entry, frozen=True):
    season: str
    type: PhaseType
    year_delta: int


class _Condition(_Entry, frozen=True):
    year_mod: int
    year_mod_value: int


class _Transition(_Entry, frozen=True, rename={"origin": "from"}):
    origin: _From
    to: _To
    condition: _Condition | None = None


class _Progression(_Entry, frozen=True):
    seasons: tuple[str, ...]
    transitions: tuple[_Transition, ...]


class _Victory(_Entry, frozen=True):
    """One condition of victory. Which of its entries it has depends on its type."""

    type: Literal["supply-center-majority", "timed-resolution", "province-control"]
    supply_centers: int | None = None
    year: int | None = None
    resolution: Literal["most-supply-centers", "shared-draw"] | None = None
    provinces: tuple[str, ...] = ()


class _Document(_Entry, frozen=True):
    """A whole document. Rules of dominance are only counted."""

    schema_version: int
    id: str
    name: str
    description: str
    author: str
    victory_conditions: tuple[_Victory, ...]
    phase_progression: _Progression
    nations: tuple[_Nation, ...]
    provinces: tuple[_ProvinceEntry, ...]
    named_coasts: tuple[_Coast, ...]
    initial_state: _Opening
    rules: str = ""
    adjudication_modifiers: tuple[str, ...] = ()
    dominance_rules: tuple[dict[str, Any], ...] = ()


def read_variant_document(file: str, text: str) -> ImportedBoard:
    """Return the board of a variant document. file: its name. Raises Invalid with the file and the entry."""
    raw = read_plain(file, text)
    version = raw.get("schemaVersion") if isinstance(raw, dict) else None
    if version != SCHEMA_VERSION:
        why = sentence("diplomacy.variant_documents.other_version", number=SCHEMA_VERSION)
        raise Invalid(f"{file}: schemaVersion", why, sentence("diplomacy.variant_documents.which_schema"))
    return _DocumentReader(file, text, read_entry(_Document, raw, file)).board()


class _DocumentReader:
    """Turns one document into a board of ours, and notes what that can't say."""

    def __init__(self, file: str, text: str, document: _Document) -> None:
        self._file, self._text, self._document = file, text, document
        self._notes: list[ImportNote] = []
        self._provinces = {place.id: place for place in document.provinces}
        self._coasts = {coast.id: coast for coast in document.named_coasts}
        self._nations = {nation.id: nation for nation in document.nations}
        self._borders = {
            (here.id, border.to): border.used_by for here in self._places() for border in here.adjacencies
        }

    def _places(self) -> Iterator[_ProvinceEntry | _Coast]:
        yield from self._document.provinces
        yield from self._document.named_coasts

    def board(self) -> ImportedBoard:
        """Return the board. Raises Invalid for names that nothing has, and for borders of one side."""
        document = self._document
        self._check_names()
        self._check_borders()
        provinces = [self._province(place) for place in document.provinces]
        played = [nation for nation in document.nations if not nation.non_playable]
        neutral = self._neutral_units()
        year, rulebook = self._year()
        starts = [unit for unit in document.initial_state.units if self._is_played(unit.nation)]
        centres = [place["id"] for place in provinces if place.get("centre")]
        board: dict[str, Any] = {
            "name": _kind_name(document.id),
            "title": document.name,
            "designer": document.author or sentence("diplomacy.map_files.designer"),
            "year": 2026,
            "first_year": year,
            "victory": self._victory(centres),
            "counts": {
                "land": sum(place["kind"] == "land" for place in provinces),
                "sea": sum(place["kind"] == "sea" for place in provinces),
                "centres": len(centres),
                "units": len(starts),
                "neutral": len(neutral),
            },
            "size": [1200, 900],
            "provinces": provinces,
            "powers": [*self._powers(played)],
            "neutral": neutral,
        }
        if names := dict(self._coast_names()):
            board["coast_names"] = names
        rulebook["source"] = f"{document.name} ({document.author})"
        for modifier in document.adjudication_modifiers:
            if modifier == _BUILDS_ANYWHERE:
                rulebook["builds_in"] = "owned"
            else:
                self._note("modifier", modifier, changes_play=True, name=modifier)
        for rule in document.dominance_rules:
            place = str(rule.get("province", ""))
            name = self._provinces[place].name if place in self._provinces else place
            self._note("dominance", "dominanceRules", place, changes_play=True, place=name)
        return ImportedBoard(board, rulebook, self._notes, rules_page=self._rules_page())

    # Notes and errors.

    def _note(self, slug: str, *places: str, changes_play: bool, **values: Any) -> None:
        """Note what wasn't taken. places: strings of the file to find its line, each after the one before."""
        text = sentence(f"diplomacy.variant_documents.{slug}", **values)
        self._notes.append(
            ImportNote(file=self._file, line=self._line(places), text=text, changes_play=changes_play)
        )

    def _line(self, places: Iterable[str]) -> int:
        """Return the number of the line with the last of several strings, 0 if they aren't there."""
        at = -1
        for place in places:
            at = self._text.find(json.dumps(place, ensure_ascii=False), at + 1)
            if at < 0:
                return 0
        return self._text.count("\n", 0, at) + 1

    def _fail(self, entry: str, why: str, instead: str, **values: Any) -> Invalid:
        return Invalid(
            f"{self._file}: {entry}",
            sentence(f"diplomacy.variant_documents.{why}", **values),
            sentence(f"diplomacy.variant_documents.{instead}", **values),
        )

    def _check_names(self) -> None:
        """Raise Invalid for a province or a nation that the document names and doesn't have."""
        opening, coasts = self._document.initial_state, self._document.named_coasts
        places = {
            "namedCoasts": [coast.parent_province for coast in coasts],
            "initialState: supplyCenters": [owned.province for owned in opening.supply_centers],
            "victoryConditions": [
                place for condition in self._document.victory_conditions for place in condition.provinces
            ],
        }
        nations = {
            "provinces": [place.home_nation for place in self._document.provinces if place.home_nation],
            "initialState: units": [unit.nation for unit in opening.units],
            "initialState: supplyCenters": [owned.nation for owned in opening.supply_centers],
        }
        for entry, names in places.items():
            for name in names:
                if name not in self._provinces:
                    raise self._fail(entry, "no_province", "add_province", name=name)
        for unit in opening.units:
            if unit.location not in self._provinces and unit.location not in self._coasts:
                raise self._fail("initialState: units", "no_province", "add_province", name=unit.location)
        for entry, names in nations.items():
            for name in names:
                if name not in self._nations:
                    raise self._fail(entry, "no_nation", "add_nation", name=name)

    def _check_borders(self) -> None:
        """Raise Invalid for a border that isn't the same on both sides, as the schema demands."""
        for (here, there), used_by in self._borders.items():
            where = f"{here}: adjacencies"
            if there not in self._provinces and there not in self._coasts:
                raise self._fail(where, "no_province", "add_province", name=there)
            if self._borders.get((there, here)) != used_by:
                raise self._fail(where, "one_sided", "write_both", here=here, there=there, used_by=used_by)

    # Provinces and coasts.

    def _coasts_of(self, place: str) -> list[_Coast]:
        return [coast for coast in self._document.named_coasts if coast.parent_province == place]

    def _province(self, place: _ProvinceEntry) -> dict[str, Any]:
        coasts = self._coasts_of(place.id)
        province: dict[str, Any] = {
            "id": _province_id(place.id),
            "abbr": _province_id(place.id),
            "name": place.name,
            "kind": "sea" if place.type == "sea" else "land",
            "army": [_province_id(there) for there in self._walks(place)],
            "fleet": [],
            "label": [0, 0],
            "radius": 20,
        }
        if coasts:
            self._note_coastless(place)
            province["coasts"] = {
                _coast(coast.id): [self._spot(there) for there in self._sails(coast.id)] for coast in coasts
            }
        elif place.type != "land":
            province["fleet"] = [self._spot(there) for there in self._sails(place.id)]
        elif any(border.used_by != "army" for border in place.adjacencies):
            self._note("fleets_on_land", "provinces", place.id, changes_play=False, place=place.name)
        if place.supply_center:
            province["centre"] = "sourced"
        return province

    def _walks(self, place: _ProvinceEntry) -> Iterator[str]:
        """Yield the provinces that armies reach. At sea there are none."""
        for border in place.adjacencies:
            far = self._provinces.get(border.to)
            if border.used_by == "fleet":
                continue
            if far is None:
                self._note("army_to_coast", "provinces", place.id, changes_play=False, place=border.to)
            elif "sea" not in (place.type, far.type):
                yield border.to
            elif border.used_by == "army":
                self._note(
                    "army_at_sea", "provinces", place.id, changes_play=False, here=place.name, there=far.name
                )

    def _sails(self, here: str) -> Iterator[str]:
        """Yield the provinces and coasts that fleets reach from a place."""
        for (origin, there), used_by in self._borders.items():
            if origin != here or used_by == "army":
                continue
            far = self._provinces.get(there)
            if far is None or (far.type != "land" and not self._coasts_of(there)):
                yield there

    def _note_coastless(self, place: _ProvinceEntry) -> None:
        """Note borders by water of a province that has coasts, if no coast has them too."""
        for border in place.adjacencies:
            by_coast = any((coast.id, border.to) in self._borders for coast in self._coasts_of(place.id))
            if border.used_by != "army" and not by_coast and border.to in self._provinces:
                far = self._provinces[border.to].name
                self._note("coastless", "provinces", place.id, changes_play=True, here=place.name, there=far)

    def _spot(self, there: str) -> str:
        coast = self._coasts.get(there)
        return (
            _province_id(there) if coast is None else f"{_province_id(coast.parent_province)}/{_coast(there)}"
        )

    def _coast_names(self) -> Iterator[tuple[str, str]]:
        """Yield the names of coasts besides north, east, south and west."""
        for coast in self._document.named_coasts:
            letters = _coast(coast.id)
            named = re.search(r"\(([^\W\d_]+(?: [^\W\d_]+)*)\)$", coast.name)
            if letters not in COAST_NAMES:
                shown = named[1] if named else re.sub(r"[\W\d_]+", "", coast.id.rpartition("/")[2])
                yield letters, shown or letters

    # Powers and units.

    def _is_played(self, nation: str) -> bool:
        return not self._nations[nation].non_playable

    def _unit(self, unit: _Unit) -> str:
        return f"{unit.type[0]} {self._spot(unit.location)}"

    def _neutral_units(self) -> list[str]:
        idle = [nation.name for nation in self._document.nations if nation.non_playable]
        if idle:
            names = language.join_list(idle)
            self._note("not_played", "non_playable", changes_play=True, nations=names)
        units = self._document.initial_state.units
        return [self._unit(unit) for unit in units if not self._is_played(unit.nation)]

    def _powers(self, nations: Sequence[_Nation]) -> Iterator[dict[str, Any]]:
        opening = self._document.initial_state
        ids = {nation.id: _power_id(nation, number) for number, nation in enumerate(nations, 1)}
        letters = choose_letters(dict.fromkeys(ids.values(), ""))
        for nation in nations:
            homes = [place for place in self._document.provinces if place.home_nation == nation.id]
            centres = [_province_id(place.id) for place in homes if place.supply_center]
            owns = [_province_id(one.province) for one in opening.supply_centers if one.nation == nation.id]
            power: dict[str, Any] = {
                "id": ids[nation.id],
                "name": nation.name,
                "letter": letters[ids[nation.id]],
                "colour": nation.color.lower(),
                "homes": [_province_id(place.id) for place in homes],
                "starts": [self._unit(unit) for unit in opening.units if unit.nation == nation.id],
                "centres": centres,
            }
            if {*owns} != {*centres}:
                power["owns"] = owns
            yield power

    # Victory and the year.

    def _victory(self, centres: Sequence[str]) -> Any:
        """Return the conditions of victory, and note those that a board of ours can't have."""
        conditions: list[dict[str, Any]] = []
        types = [condition.type for condition in self._document.victory_conditions]
        for number, condition in enumerate(self._document.victory_conditions):
            at = ("victoryConditions", *types[: number + 1].count(condition.type) * [condition.type])
            wanted = [*map(_province_id, condition.provinces)]
            if condition.supply_centers is not None:
                conditions.append({"centres": condition.supply_centers})
            elif condition.resolution == "most-supply-centers":
                conditions.append({"most_from": condition.year})
            elif condition.resolution is not None:
                self._note("draw_in_year", *at, changes_play=True, year=condition.year)
            elif wanted and condition.year is None and {*wanted} <= {*centres}:
                conditions.append({"provinces": wanted})
            else:
                names = language.join_list([self._provinces[place].name for place in condition.provinces])
                self._note("victory", *at, changes_play=True, places=names)
        if not conditions:
            conditions = [{"centres": len(centres) // 2 + 1}]
            number = conditions[0]["centres"]
            self._note("usual_victory", "victoryConditions", changes_play=True, number=number)
        return conditions[0] if [*conditions[0]] == ["centres"] and len(conditions) == 1 else conditions

    def _year(self) -> tuple[int, dict[str, Any]]:
        """Return the first year, and the entries of rulebook.toml about the year."""
        opening = self._document.initial_state.phase
        phases = self._cycle()
        rounds = [phase for phase in phases if phase.type == "Movement"]
        names = [phase.season for phase in rounds]
        if not 0 < len(rounds) < len(_LETTERS_IN_ORDER):
            most = len(_LETTERS_IN_ORDER) - 1
            raise self._fail("phaseProgression", "rounds", "fewer_rounds", number=len(rounds), most=most)
        letters = _season_letters(names)
        steps = self._steps(phases, letters)
        years = sum(phase.year_delta for phase in phases)
        rulebook: dict[str, Any] = {"base": "standard", "year": steps}
        self._name_seasons(rulebook, dict(zip(letters, names, strict=True)))
        if years > 1:
            rulebook["year_step"] = years
        if sum(phase.year_delta > 0 for phase in phases) > 1 or years == 0:
            self._note("years", "yearDelta", changes_play=False, number=max(years, 1))
        begins = self._beginning(steps, dict(zip(names, letters, strict=True)))
        if begins != steps[0]["season"] + steps[0]["kind"]:
            rulebook["begins"] = begins
        if steps == _USUAL_YEAR:
            del rulebook["year"]
        return opening.year, rulebook

    def _beginning(self, steps: Sequence[Mapping[str, Any]], letters: Mapping[str, Season]) -> str:
        """Return the season and kind of the first phase. letters: of the seasons with moves, by name."""
        opening = self._document.initial_state.phase
        if opening.type == "Movement" and opening.season in letters:
            return f"{letters[opening.season]}M"
        builds = [f"{step['season']}A" for step in steps if step["kind"] == "A"]
        if opening.type == "Adjustment" and builds:
            return builds[-1]
        text = f"{opening.season}, {opening.type}"
        self._note("other_beginning", "initialState", changes_play=True, text=text)
        return f"{steps[0]['season']}{steps[0]['kind']}"

    def _cycle(self) -> list[_To]:
        """Return the phases of a year from its first moves, each with the years that follow it.

        A year ends with builds, or where the number of the year changes. Conditions on years are followed
        until the phases repeat.
        """
        progression, opening = self._document.phase_progression, self._document.initial_state.phase
        period = lcm(*(one.condition.year_mod for one in progression.transitions if one.condition), 1)
        here, year = (opening.season, opening.type), opening.year
        seen: dict[tuple[str, str, int], int] = {}
        walked: list[_To] = []
        while (place := (*here, year % period)) not in seen:
            seen[place] = len(walked)
            after = self._following(here, year)
            walked.append(_To(here[0], here[1], after.year_delta))
            here, year = (after.season, after.type), year + after.year_delta
            if len(walked) > _MAX_YEARS_TRIED:
                raise self._fail("phaseProgression", "never_repeats", "fewer_rounds", most=4)
        cycle = walked[seen[place] :]
        ends = [number for number, phase in enumerate(cycle) if phase.type == "Adjustment"] or [
            number for number, phase in enumerate(cycle) if phase.year_delta
        ]
        turn = ends[-1] + 1 if ends else 0
        return cycle[turn:] + cycle[:turn]

    def _following(self, here: tuple[str, str], year: int) -> _To:
        """Return what follows a phase in a year: the first transition whose condition is met."""
        usual = None
        for transition in self._document.phase_progression.transitions:
            if (transition.origin.season, transition.origin.type) != here:
                continue
            condition = transition.condition
            if condition is None:
                usual = usual or transition.to
            elif condition.year_mod and year % condition.year_mod == condition.year_mod_value:
                return transition.to
        if usual is None:
            raise self._fail(
                "phaseProgression",
                "nothing_follows",
                "add_transition",
                season=here[0],
                type=here[1],
                year=year,
            )
        return usual

    def _steps(self, phases: Sequence[_To], letters: Sequence[Season]) -> list[dict[str, Any]]:
        """Return the phases of our year: moves and retreats by rounds, and builds in Winter if it is free."""
        steps: list[dict[str, Any]] = []
        single = sum(phase.type == "Adjustment" for phase in phases) == 1 and "W" not in letters
        number = -1
        for phase, after in pairwise([*phases, phases[0]]):
            number += phase.type == "Movement"
            letter = letters[max(number, 0)]
            if phase.type == "Movement":
                steps += [{"season": letter, "kind": kind} for kind in "MR"]
                if after.type != "Retreat":
                    self._note("no_retreats", "phaseProgression", changes_play=True, season=phase.season)
            elif phase.type == "Adjustment":
                if steps:
                    steps[-1]["captures"] = True
                steps.append({"season": "W" if single else letter, "kind": "A"})
                if single and _LETTERS_BY_NAME.get(phase.season.casefold()) not in ("F", "W"):
                    self._note("builds_in_winter", phase.season, changes_play=False, season=phase.season)
        if not any(step.get("captures") for step in steps):
            steps[-1]["captures"] = True
        steps[-1]["ends_year"] = True
        return steps

    def _name_seasons(self, rulebook: dict[str, Any], names: Mapping[Season, str]) -> None:
        """Write the names of seasons if they differ from ours and can be told apart in orders."""
        own = {letter: name for letter, name in names.items() if name != SEASON_NAMES[letter]}
        shown = {step["season"]: SEASON_NAMES[step["season"]] for step in rulebook["year"]} | own
        first_words = {name.casefold().partition(" ")[0] for name in shown.values()}
        if any(not all(map(str.isalpha, name.split(" "))) for name in own.values()) or len(first_words) < len(
            shown
        ):
            ours = language.join_list([SEASON_NAMES[letter] for letter in names])
            theirs = language.join_list([*dict.fromkeys(names.values())])
            self._note("seasons", "seasons", changes_play=False, ours=ours, theirs=theirs)
        elif own:
            rulebook["season_names"] = own

    def _rules_page(self) -> str:
        """Return the description and the rules as a topic of HELP, "" if there are none."""
        paragraphs = re.split(r"\n\s*\n", f"{self._document.description}\n\n{self._document.rules}")
        plain = [re.sub(r"(?m)^\s*#+\s*|<!--|-->", "", one.strip()) for one in paragraphs]
        text = "\n\n".join(filter(None, plain))
        if len(text) > MAX_SECTION_LETTERS:
            self._note("long_rules", "rules", changes_play=False, most=MAX_SECTION_LETTERS)
            text = text[:MAX_SECTION_LETTERS].rpartition(" ")[0]
        title = sentence("diplomacy.variant_documents.topic", title=self._document.name)
        return f"## {title}\n<!-- help: variant -->\n\n{text}\n" if text else ""


_USUAL_YEAR = [
    {"season": "S", "kind": "M"},
    {"season": "S", "kind": "R"},
    {"season": "F", "kind": "M"},
    {"season": "F", "kind": "R", "captures": True},
    {"season": "W", "kind": "A", "ends_year": True},
]


def _season_letters(names: Sequence[str]) -> Sequence[Season]:
    """Return a letter for each season of moves: of its name if all have one, or else in order."""
    known = [_LETTERS_BY_NAME.get(name.casefold()) for name in names]
    letters = [letter for letter in known if letter is not None]
    in_order = [letter for letter in SEASON_NAMES if letter in letters]
    return letters if letters == in_order and len(letters) == len(names) else _LETTERS_IN_ORDER[len(names)]


def _power_id(nation: _Nation, number: int) -> str:
    """Return a power's id: its name with hyphens between words. number: its place among the powers."""
    for name in (nation.name, nation.id.title()):
        shown = re.sub(r"[\W_]+", "-", name).strip("-")
        if shown[:1].isalpha():
            return shown
    return f"Power{number}"


def _province_id(name: str) -> str:
    """Return a province's id in capitals, without signs."""
    return re.sub(r"[\W_]+", "", name).upper()


def _coast(name: str) -> str:
    """Return a coast's letters: NC for ``stp/nc``."""
    return re.sub(r"[\W_]+", "", name.rpartition("/")[2]).upper()


def _kind_name(name: str) -> str:
    """Return a document's id as the name of a variant, which begins with a letter."""
    plain = kind_name(name)
    return plain if plain[:1].isalpha() else f"board-{plain}"
