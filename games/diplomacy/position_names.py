"""Places, powers, units and phases as a JSON question names them."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

from games.diplomacy.boards.board import Board, ProvinceEntry
from games.diplomacy.boards.coasts import COASTS
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import NEUTRAL, Kind, Phase, Piece, Province, Unit, split_spot, spot
from games.diplomacy.phrases import UNIT_KIND_NAMES, join_words
from games.fields import Field
from games.protocol import Seat

_POSITION_PHASE = re.compile(r"([SUFW])([1-9]\d{0,3})([MRA])", re.IGNORECASE)
_KIND_LETTERS: dict[str, Kind] = {
    **{"w": "W", "wp": "W", "war party": "W"},
    **{"a": "A", "army": "A", "f": "F", "fleet": "F"},
}
_POSITION_UNIT = re.compile(rf"({'|'.join(_KIND_LETTERS)})\s+(\S.*)", re.IGNORECASE)
_MAX_NAMES_KEPT = 20_000
"""So many texts of a power's units, of places and of phases are remembered; then the memory begins anew."""
_NAME_WORD = re.compile(r"[^\W_]+")


class PositionNames:
    """The names of one board, whatever their capitals; an unknown name raises Invalid at its field."""

    def __init__(self, board: Board, rulebook: Rulebook) -> None:
        self._board = board
        self._rulebook = rulebook
        starts = [piece for pieces in board.starts.values() for piece in pieces]
        self._kinds: tuple[str, ...] = board.kinds
        example = starts[0] if starts else Piece(kind=board.walker, at=board.centres[0])
        self._example = f"{example.kind} {board.abbr(example.at)}"
        self._spots = {name: here for place in board.places.values() for name, here in _names_of_spots(place)}
        self._places: dict[str, Province] = {}
        self._units: defaultdict[Seat, dict[str, Unit]] = defaultdict(dict)
        self._phases: dict[str, Phase] = {}
        self._powers = {
            name.lower(): seat for seat, power in board.powers.items() for name in (power.name, seat)
        }

    def place(self, field: Field, name: str) -> Province:
        """The province of a name, an abbreviation, a number or an alias."""
        province = self._places.get(name)
        if province is None:
            if len(self._places) > _MAX_NAMES_KEPT:
                self._places.clear()
            province = self._places[name] = split_spot(self.spot(field, name))[0]
        return province

    def places(self, field: Field) -> Iterable[Province]:
        """Return the provinces of an array of names, in its order; unknown names are reported one by one."""
        try:
            return [self._places[name] for name in field.array()]
        except (KeyError, TypeError):
            return (self.place(entry, entry.text()) for entry in field.items())

    def spot(self, field: Field, name: str) -> Province:
        """The province of a name, or its coast, where one is named: ``STP/SC``."""
        province = self._spots.get(name.lower()) or self._spots.get(_key(name))
        if province is None:
            raise field.wrong(f"there is no province {name}")
        return province

    def power(self, field: Field, name: str, *, neutral: bool = False) -> Seat:
        """The power of a name. neutral: those in civil disorder may be named too, where the board has any."""
        seat = self._powers.get(name.lower())
        if seat is None and neutral and self._board.neutral and name.lower() == NEUTRAL:
            return NEUTRAL
        if seat is None:
            raise field.wrong(
                f"there is no power {name}", f"there are {join_words(list(self._board.powers))}"
            )
        return seat

    def units(self, field: Field, power: Seat) -> list[Unit]:
        """The units of an array of texts, in its order. What was read once is known by its text."""
        known = self._units[power]
        texts = field.array()
        try:
            return [known[text] for text in texts]
        except (KeyError, TypeError):
            if len(known) > _MAX_NAMES_KEPT:
                known.clear()
            units = [self.unit(field.at(number), power) for number in range(len(texts))]
            known.update(zip(texts, units, strict=True))
            return units

    def unit(self, field: Field, power: Seat) -> Unit:
        """The unit of a text such as ``W Santee``."""
        match = _POSITION_UNIT.fullmatch(field.text().strip())
        if match is None:
            raise field.wrong(f"{field.text()} is no unit", f"write it like {self._example}")
        kind: Kind = _KIND_LETTERS[match[1].lower()]
        if kind not in self._kinds:
            raise field.wrong(
                f"there is no {UNIT_KIND_NAMES[kind]} in this game", f"write it like {self._example}"
            )
        here = self.spot(field, match[2])
        at, coast = split_spot(here)
        place = self._board.places[at]
        if kind == "F" and not coast and place.coasts:
            coasts = [self._board.abbr(spot) for spot in self._board.spots[at]]
            raise field.wrong(f"{place.name} has several coasts", f"write {join_words(coasts, 'or')}")
        fits = here in self._board.spots[at] if kind == "F" else not coast
        if not fits or (kind == "A" and place.kind == "sea"):
            raise field.wrong(f"no {UNIT_KIND_NAMES[kind]} can be in {self._board.name(here)}")
        return Unit(power=power, kind=kind, at=at, coast=coast)

    def phase(self, field: Field) -> Phase:
        """The phase of a text such as ``S1M``."""
        text = field.text()
        if (known := self._phases.get(text)) is not None:
            return known
        if match := _POSITION_PHASE.fullmatch(text.strip()):
            season, kind = match[1].upper(), match[3].upper()
            if any((step.season, step.kind) == (season, kind) for step in self._rulebook.year):
                if len(self._phases) > _MAX_NAMES_KEPT:
                    self._phases.clear()
                phase = Phase(season=season, year=int(match[2]), kind=kind)  # type: ignore[arg-type]  # of this year
                self._phases[text] = phase
                return phase
        year = self._board.chart.first_year
        phases = [f"{step.season}{year}{step.kind}" for step in self._rulebook.year]
        raise field.wrong(f"there is no phase {text}", f"write it like {join_words(phases, 'or')}")

    def by_power(self, field: Field | None, *, neutral: bool = False) -> Iterator[tuple[Seat, Field]]:
        """The entries of an object by the powers that its keys name; each power once."""
        seen: set[Seat] = set()
        for name, entry in (field.entries() if field else {}).items():
            power = self.power(entry, name, neutral=neutral)
            if power in seen:
                raise entry.wrong(f"{power} stands there twice")
            seen.add(power)
            yield power, entry

    def by_place(self, field: Field | None) -> Iterator[tuple[Province, Field]]:
        """The entries of an object by the provinces that its keys name; each province once."""
        seen: set[Province] = set()
        for name, entry in (field.entries() if field else {}).items():
            place = self.place(entry, name)
            if place in seen:
                raise entry.wrong(f"{self._board.name(place)} stands there twice")
            seen.add(place)
            yield place, entry


def _names_of_spots(place: ProvinceEntry) -> Iterator[tuple[str, Province]]:
    """Every way to name a place and its coasts, in small letters, and the spot that is meant."""
    names = dict.fromkeys((place.name, place.abbr, place.id, *place.aliases))
    for name in names:
        yield name.lower(), place.id
        yield _key(name), place.id
        for coast in place.coasts:
            for coast_name in (coast, COASTS[coast]):
                yield _key(f"{name} {coast_name}"), spot(place.id, coast)


def _key(name: str) -> str:
    """A name by its words alone: without case, accents and signs."""
    bare = unicodedata.normalize("NFKD", name.casefold().replace("'", ""))
    return " ".join(_NAME_WORD.findall("".join(char for char in bare if not unicodedata.combining(char))))
