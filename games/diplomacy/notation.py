"""The notation of orders in the Diplomacy family: forms, names and canonical texts."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from games import language
from games.diplomacy.adjudication.legality import complete_coast
from games.diplomacy.boards import languages
from games.diplomacy.boards.board import Board, ProvinceEntry
from games.diplomacy.boards.languages import NO_TONGUES, BoardLanguages
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Kind,
    Move,
    Phase,
    Piece,
    Province,
    Row,
    State,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    View,
    Waive,
    split_spot,
    spot,
    units_by_place,
    write_unit,
)
from games.diplomacy.order_forms import TranslatedConditions, TranslatedForms
from games.diplomacy.phrases import UNIT_KIND_NAMES
from games.json_reader import UnknownName, read_at, read_each
from games.messages import sentence
from games.protocol import Condition, Form, Invalid, Lexicon, LexiconEntry, Notation, Seat
from games.record import from_text, replace_fields

# Short forms for some positions, and texts that contradict the position.


_KIND_WORDS: Mapping[str, Kind] = {"army": "A", "a": "A", "fleet": "F", "flt": "F", "f": "F"}
_WRONG_KINDS = {"A": "diplomacy.reading.is_army", "F": "diplomacy.reading.is_fleet"}

REMOVAL_MINUS = re.compile(r"-(?=(?:a|f|w|army|fleet|wp)\b)", re.IGNORECASE)
"""A minus before a unit. While builds are due, it may mean a disband or just mark a list."""


def forms_by_due(board: Board) -> Mapping[str, tuple[Row, ...]]:
    """Return the Judge's short forms by what is due: name, pattern and example of each."""
    builds = Build.SHORT_FLEET_FORMS if "F" in board.kinds else Build.SHORT_FORMS
    return {"": (), "builds": (*Waive.SHORT_FORMS, *builds), "removals": Disband.SHORT_FORMS}


def kind_due(view: View, seat: Seat) -> str:
    """Return what a seat may have due now: ``moves``, ``retreats``, ``builds``, ``removals``, or ""."""
    if view.phase.kind != "A":
        return "moves" if view.phase.kind == "M" else "retreats"
    units = sum(unit.power == seat for unit in view.units)
    centres = sum(owner == seat for owner in view.centres.values())
    return "builds" if centres > units else "removals" if units > centres else ""


@dataclass(frozen=True)
class KindReader:
    """Finds the kinds of units in a text, by the words for them in English and other languages."""

    kinds: Mapping[str, Kind]
    unit: re.Pattern[str]
    helped: re.Pattern[str]

    @classmethod
    def of(cls, tongues: BoardLanguages) -> "KindReader":
        """Return a reader that also knows the words of these languages."""
        kinds = {**tongues.kinds(), **_KIND_WORDS}
        words = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True))
        articles = "|".join(map(re.escape, ("the", *tongues.words("the"))))
        helps = (*tongues.words("supports"), *tongues.words("convoys"))
        helping = "|".join(("s|sup|supports?|supporting|c|con|convoys?", *map(re.escape, helps)))
        return cls(
            kinds,
            re.compile(rf"^\W*(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
            re.compile(rf"\b(?:{helping})\s+(?:(?:{articles})[\s'’]+)?({words})\b", re.IGNORECASE),
        )


def _unit_words(*short: str, whole: tuple[str, ...]) -> str:
    """Return the choice of words that may come before a province for its unit, or none."""
    articles = ("", "the ", "my ", "our ")
    prepositions = ("", " in", " in the", " at", " from", " of")
    long = (f"{article}{noun}{at}" for noun in whole for article in articles for at in prepositions)
    return f"({'|'.join((*short, *long, *(article.strip() for article in articles[1:]), ''))})"


_UNIT_WORDS = _unit_words("w", "wp", "a", whole=("war party", "army", "unit"))
_FLEET_UNIT_WORDS = _unit_words("a", "f", "flt", whole=("army", "fleet", "unit"))
"""The words that may come before a province for its unit. The view knows the unit's kind."""

_ORDER_KINDS: tuple[type[AnyOrder], ...] = (
    *(BuildCanoe, Convoy, Move, Hold, SupportMove, SupportHold, Disband, Build, Waive, Destroy),
)
"""Every kind of order, in the order in which their forms are tried."""

_KINDS_BY_FORM: Mapping[str, type[AnyOrder]] = {
    name: kind
    for kind in _ORDER_KINDS
    for rows in (kind.FORMS, kind.CANOE_FORMS, kind.FLEET_FORMS, kind.SHORT_FORMS, kind.SHORT_FLEET_FORMS)
    for name, _, _ in rows
}


_MAX_TEXTS_KEPT = 20_000
"""The most orders that are remembered with their texts. A full memory is cleared."""


class _ReadingTables(NamedTuple):
    """The tables for reading a board's texts. seasons: the forms by what is due; native: only English."""

    forms: tuple[Form, ...]
    conditions: tuple[Form, ...]
    seasons: Mapping[str, tuple[Form, ...]]
    lexicon: Lexicon
    native: tuple[tuple[Form, ...], Mapping[str, tuple[Form, ...]], Lexicon] | None
    called: KindReader


_HELPING_ORDERS: frozenset[type[AnyOrder]] = frozenset((SupportHold, SupportMove, Convoy))
_MOVEMENT_ORDERS: frozenset[type[AnyOrder]] = _HELPING_ORDERS | {Hold, Move, BuildCanoe}


class DiplomacyNotation(Notation[View, AnyOrder]):
    """The notation of one board: implements `protocol.Notation`."""

    def __init__(self, board: Board, spoken: Callable[[], BoardLanguages] = lambda: NO_TONGUES) -> None:
        self._board = board
        self._spoken = spoken
        self._walker: Kind = board.walker
        self._has_fleets = "F" in board.kinds
        self._unit_words = _FLEET_UNIT_WORDS if self._has_fleets else _UNIT_WORDS
        spots = {spot for province, several in board.spots.items() for spot in (province, *several)}
        self._made = lru_cache(_MAX_TEXTS_KEPT)(self._make)
        self._written: dict[AnyOrder, str] = {}
        self._abbrs = {spot: board.abbr(spot) for spot in spots}

    @cached_property
    def _read(self) -> _ReadingTables:
        """Return the tables for reading. They are made when the first text is read."""
        board, tongues = self._board, self._spoken()
        names = _example_names(board)
        rows = _english_rows("h" in names, self._has_fleets)
        words, unit = TranslatedForms(tongues, self._has_fleets), self._unit_words
        spoken = (*(words.translate(row, unit) for row in rows), *words.rows(unit, "build"))
        asked = TranslatedConditions(tongues).rows(condition_forms(board))
        seasons = {
            kind: tuple(_form(words.translate(row, unit), names) for row in some)
            for kind, some in forms_by_due(board).items()
        }
        coasts = languages.coast_entries(board, tongues)
        return _ReadingTables(
            forms=tuple(_form(row, names) for row in spoken),
            conditions=tuple(_form(row, names) for row in asked),
            seasons={
                **seasons,
                "moves": (moves := tuple(_form(row, names) for row in words.seasonal(unit))),
                "retreats": tuple(form for form in moves if form.name == "move"),
                "builds": (*seasons["builds"], *(_form(row, names) for row in words.forgone())),
            },
            lexicon=(*_provinces(board, tongues), *coasts, *_nation_entries(board, tongues)),
            native=self._without_tongues(rows, names) if tongues.languages else None,
            called=KindReader.of(tongues),
        )

    def _without_tongues(
        self, rows: Iterable[tuple[str, str, str]], names: Mapping[str, str]
    ) -> tuple[tuple[Form, ...], Mapping[str, tuple[Form, ...]], Lexicon]:
        """Return the forms, those of each season, and the names, only in English."""
        board, words = self._board, TranslatedForms(NO_TONGUES, self._has_fleets)
        forms = tuple(_form(words.translate(row, self._unit_words), names) for row in rows)
        seasons = {due: tuple(_form(row, names) for row in some) for due, some in forms_by_due(board).items()}
        lexicon = (
            *_provinces(board, NO_TONGUES),
            *languages.coast_entries(board),
            *_nation_entries(board, NO_TONGUES),
        )
        return forms, seasons, lexicon

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return every way to write an order, the canonical one of each name first."""
        return self._read.forms

    @property
    def conditions(self) -> tuple[Form, ...]:
        """Return the conditions after IF: the unit in a place, and the owner of a place."""
        return self._read.conditions

    def lexicon(self, view: State) -> Lexicon:
        """Return the provinces by name, abbreviation, number and alias, and the nations."""
        return self._read.lexicon

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """Return the order of a matched form. The kinds of its units depend on the view.

        slots: ``unit``, ``other``, ``to``, ``at``: ids of provinces. Raises KeyError for an unknown form.
        """
        kind = _KINDS_BY_FORM[form]
        if not issubclass(kind, UnitOrder):
            return from_text(kind, slots)
        if kind is Build:
            return Build(unit=_new(form, Province(slots["unit"]), self._walker))
        to = slots.get("to", "")
        unit = self._piece(view, slots["unit"], to or slots["unit"], retreating=view.phase.kind == "R")
        other = None
        if "other" in slots:
            aim = slots["other"] if kind is Convoy else to or slots["unit"]
            other = self._piece(view, slots["other"], aim)
        return self._made(form, unit, other, to)

    def means_the_same(self, view: View, order: AnyOrder) -> bool:
        """Return whether the units of a movement order are in the view as it names them."""
        kind = type(order)
        if view.phase.kind != "M" or kind not in _MOVEMENT_ORDERS:
            return False
        units, piece = units_by_place(view), order.unit  # type: ignore[union-attr]  # each of these has one
        unit = units.get(piece.at)
        if unit is None or unit.kind != piece.kind or unit.coast != piece.coast:
            return False
        if kind in _HELPING_ORDERS:
            piece = order.other  # type: ignore[union-attr]  # and these have another
            unit = units.get(piece.at)
            return unit is not None and unit.kind == piece.kind and unit.coast == piece.coast
        return True

    def _make(self, form: str, unit: Piece, other: Piece | None, goal: str) -> AnyOrder:
        """Return the order of a form for pieces. `_made` remembers them."""
        kind = _KINDS_BY_FORM[form]
        to, coast = split_spot(Province(goal))
        if kind is Move:
            coast = complete_coast(self._board, unit, to, coast)
        elif other is None or other.kind != "F":
            coast = ""
        # Afloat the word CANOE isn't needed (C5), so it is left out.
        canoe = form == "carry" and unit.kind == "W" and self._board.is_land(unit.at)
        via = form == "move-via" and unit.kind == "A"
        fields: dict[str, Any] = {"unit": unit, "coast": coast, "canoe": canoe, "via": via}
        fields |= {"other": other} if other else {}
        fields |= {"to": to} if to else {}
        return kind(**{name: fields[name] for name in kind.__struct_fields__})

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text: ``W SNT S W SIS - WAH``."""
        text = self._written.get(order)
        if text is None:
            if len(self._written) > _MAX_TEXTS_KEPT:
                self._written.clear()
            text = self._written[order] = order.write(self._abbrs)
        return text

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of a condition: ``W SNT``, ``Iroquois W SNT``, ``Iroquois owns SNT``."""
        place = self._abbrs[Province(condition.slots["place"])]
        return write(condition, place, self._has_fleets)

    def short_forms(self, view: View, seat: Seat) -> tuple[Form, ...]:
        """Return the shorter forms for what a seat has due."""
        return self._read.seasons[kind_due(view, seat)]

    def native(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """Return the forms and names in English, or None if the board has no other languages."""
        if self._read.native is None:
            return None
        forms, seasons, lexicon = self._read.native
        brief_forms = seasons.get(kind_due(view, seat), ())
        return ((*forms, *brief_forms) if brief_forms else forms), lexicon

    def lexicons_by_language(self) -> Mapping[str, Lexicon]:
        """Return the names of provinces in each language."""
        return self._lexicons_by_language

    @cached_property
    def _lexicons_by_language(self) -> Mapping[str, Lexicon]:
        return {
            spoken.language: tuple(
                LexiconEntry(sort="province", id=place, names=names)
                for place, names in spoken.provinces.items()
                if names
            )
            for spoken in self._spoken().languages
        }

    def hold_orders(self, view: View, seat: Seat) -> tuple[AnyOrder, ...]:
        """Return a hold for each unit of the seat in a movement phase, in the order of the units."""
        if view.phase.kind != "M":
            return ()
        return tuple(Hold(unit=unit.piece) for unit in view.units if unit.power == seat)

    def doubt(self, view: View, form: str, slots: Mapping[str, str]) -> str | None:
        """Return the doubt about the helped unit's nation or about a build's kind, or None.

        Source: DATC 4.C.3; 4.C.6 doesn't decide whether a wrong nationality makes an order invalid. We ask
        the player.
        """
        if form == "build-some":
            at, coast = split_spot(Province(slots["unit"]))
            # Only an army can be built inland, and only a fleet has a coast.
            return sentence("diplomacy.reading.which_kind") if self._board.spots[at] and not coast else None
        nation_named = slots.get("nation")
        if nation_named is None:
            return None
        there, _ = split_spot(Province(slots.get("other", "")))
        stands = units_by_place(view).get(there)
        if stands is None or stands.power == nation_named:
            return None
        place = self._abbrs[there]
        return sentence("diplomacy.reading.wrong_nation", place=place, named=nation_named, power=stands.power)

    def fit_order(self, view: View, order: AnyOrder, text: str) -> tuple[AnyOrder, str | None]:
        """Return the order with the kinds of future units as its text names them, and a wrong kind, or None.

        For a unit on the board, the place counts, whatever its kind in the text.

        Source: DATC 4.C.2.
        """
        if not isinstance(order, UnitOrder) or isinstance(order, Build):
            return order, None
        reader = self._read.called
        matches = [("unit", reader.unit.search(text))]
        if type(order) in _HELPING_ORDERS:
            matches.append(("other", reader.helped.search(text)))
        slip = None
        for place, match in matches:
            piece: Piece = getattr(order, place)
            kind = reader.kinds.get(match[1].lower()) if match else None
            if not kind or kind == piece.kind or piece.kind not in _WRONG_KINDS:
                continue
            beaten = any(beaten_unit.unit.at == piece.at for beaten_unit in view.beaten)
            if beaten or piece.at in units_by_place(view):
                slip = slip or sentence(_WRONG_KINDS[piece.kind], place=self._abbrs[piece.at])
            else:
                order = replace_fields(order, **{place: replace_fields(piece, kind=kind)})
                if isinstance(order, Move):
                    # The goal of a fleet has a coast.
                    coast = complete_coast(self._board, order.unit, order.to, order.coast)
                    order = replace_fields(order, coast=coast, via=False)
        return order, slip

    def misreading(self, order: AnyOrder, text: str) -> str | None:
        """Return why a build after a minus may mean a disband, or None."""
        minus = isinstance(order, Build) and REMOVAL_MINUS.match(text)
        return sentence("diplomacy.reading.minus") if minus else None

    def write_piece(self, piece: Piece | Unit) -> str:
        """Return a unit as orders name it: ``W SNT``, ``F STP/SC``."""
        return write_unit(piece, self._abbrs)

    def abbr(self, spot: Province) -> str:
        """Return a province or its coast as orders name it: ``STP/SC``."""
        return self._abbrs[spot]

    def _piece(self, view: View, there: str, goal: str, *, retreating: bool = False) -> Piece:
        """Return the unit in a province. Its coast is known, whatever the order says (DATC 4.B.5).

        In an empty province it is a fleet if the place or the goal is on the water or has a coast, otherwise
        a unit on foot.
        """
        at, coast = split_spot(Province(there))
        if retreating:
            for beaten in view.beaten:
                if beaten.unit.at == at:
                    return beaten.unit.piece
        units = units_by_place(view)
        if at in units:
            return units[at].piece
        to, goal_coast = split_spot(Province(goal))
        if self._has_fleets and (
            coast or goal_coast or not (self._board.is_land(at) and self._board.is_land(to))
        ):
            return Piece(kind="F", at=at, coast=coast)
        return Piece(kind=self._walker, at=at)


def _new(form: str, there: Province, walker: Kind) -> Piece:
    """Return a piece to be built. Only a fleet has a coast."""
    at, coast = split_spot(there)
    if form == "build-fleet" or (form == "build-some" and coast):
        return Piece(kind="F", at=at, coast=coast)
    return Piece(kind=walker, at=at)


def _english_rows(has_canoes: bool, has_fleets: bool) -> tuple[Row, ...]:
    """Return the forms of orders in English. UNIT in them stands for the words for a unit."""
    rows = [row for kind in _ORDER_KINDS for row in kind.FORMS if not (has_fleets and row[0] == "build")]
    if has_canoes:
        rows += [row for kind in _ORDER_KINDS for row in kind.CANOE_FORMS]
    if has_fleets:
        rows += [*(row for kind in _ORDER_KINDS for row in kind.FLEET_FORMS), *Move.ROUTE_FORMS]
    return tuple(rows)


def _example_names(board: Board) -> dict[str, str]:
    """Return names for examples: a nation, its first home (a), a neighbour (b), and a neighbour of both (c).

    If War Parties start on a shore, h is the first such shore and w is its water.
    """
    power = next(iter(board.powers.values()))
    walkers = (piece.at for piece in board.starts[power.id] if piece.kind != "F")
    first = next(walkers, (*power.centres, *board.centres)[0])
    rings = (
        (near, far) for near in board.army[first] for far in board.army[near] if far in board.army[first]
    )
    second, third = next(rings, [place for place in board.places if place != first][:2])
    places = {"a": first, "b": second, "c": third, **languages.example_places(board)}
    pieces = (piece for several in board.starts.values() for piece in several)
    launches = (
        (piece.at, water)
        for piece in pieces
        if piece.kind == "W"
        for water in board.fleet[piece.at]
        if board.is_land(piece.at) and not board.is_land(water)
    )
    places |= dict(zip("hw", next(launches, ()), strict=False))
    return (
        {letter: board.abbr(place) for letter, place in places.items()}
        | {letter.upper(): board.name(place) for letter, place in places.items()}
        | {"N": str(power.id), "u": board.walker}
    )


def _form(row: tuple[str, str, str], names: Mapping[str, str]) -> Form:
    name, pattern, example = row
    return Form(name=name, pattern=pattern, example=example.format(**names))


def _provinces(board: Board, tongues: BoardLanguages) -> Lexicon:
    def names(place: ProvinceEntry) -> tuple[str, ...]:
        named = (place.name, place.abbr, place.id, *place.aliases, *tongues.province(place.id))
        return tuple(dict.fromkeys(named))

    return tuple(
        LexiconEntry(sort="province", id=place.id, names=names(place)) for place in board.places.values()
    )


def _nation_entries(board: Board, tongues: BoardLanguages) -> Lexicon:
    """Return the nations by their names, and by each unique beginning of their English names."""
    called = {
        power.id: tuple(dict.fromkeys((str(power.id), power.name, *power.aliases)))
        for power in board.powers.values()
    }
    begun = Counter(beginning for names in called.values() for beginning in _beginnings(names))
    named = [
        LexiconEntry(
            sort="nation",
            id=nation,
            names=tuple(
                dict.fromkeys(
                    (
                        *names,
                        *tongues.power(nation),
                        *(beginning for beginning in sorted(_beginnings(names)) if begun[beginning] == 1),
                    )
                )
            ),
        )
        for nation, names in called.items()
    ]
    return (*named, LexiconEntry(sort="nation", id=NEUTRAL, names=("neutral", "neutrals")))


def _beginnings(names: Iterable[str]) -> set[str]:
    """Return the beginnings of names. The Judge accepts two or more letters of a nation."""
    whole = {name.lower() for name in names}
    return {name[:size] for name in whole for size in range(2, len(name)) if name[:size].isalpha()} - whole


# Names in JSON questions: places, powers, units and phases.


_POSITION_PHASE = re.compile(r"([SUFW])(0|-?[1-9]\d{0,4})([MRA])", re.IGNORECASE)
_KIND_LETTERS: dict[str, Kind] = {
    **{"w": "W", "wp": "W", "war party": "W"},
    **{"a": "A", "army": "A", "f": "F", "fleet": "F"},
}
_POSITION_UNIT = re.compile(rf"({'|'.join(_KIND_LETTERS)})\s+(\S.*)", re.IGNORECASE)
_MAX_NAMES_KEPT = 20_000
"""The most texts of units, places or phases that are remembered. A full memory is cleared."""
_NAME_WORD = re.compile(r"[^\W_]+")


EntryT = TypeVar("EntryT")


class PositionNames:
    """The names of one board in any capitals. An unknown name raises UnknownName."""

    def __init__(self, board: Board, rulebook: Rulebook) -> None:
        self._board = board
        self._rulebook = rulebook
        starts = [piece for pieces in board.starts.values() for piece in pieces]
        self._kinds: tuple[str, ...] = board.kinds
        example = starts[0] if starts else Piece(kind=board.walker, at=board.centres[0])
        self._example = f"{example.kind} {board.abbr(example.at)}"
        self._spots = {
            name: here for place in board.places.values() for name, here in _names_of_spots(board, place)
        }
        self._places: dict[str, Province] = {}
        self._units: defaultdict[Seat, dict[str, Unit]] = defaultdict(dict)
        self._phases: dict[str, Phase] = {}
        self._powers = {
            name.lower(): seat for seat, power in board.powers.items() for name in (power.name, seat)
        }

    def place(self, name: str) -> Province:
        """Return the province of a name, an abbreviation, a number or an alias."""
        province = self._places.get(name)
        if province is None:
            if len(self._places) > _MAX_NAMES_KEPT:
                self._places.clear()
            province = self._places[name] = split_spot(self.spot(name))[0]
        return province

    def places(self, path: str, names: Sequence[str]) -> list[Province]:
        """Return the provinces of an array of names, in its order. Raises Invalid with the path of a name."""
        try:
            return [self._places[name] for name in names]
        except KeyError:
            return read_each(path, self.place, names)

    def spot(self, name: str) -> Province:
        """Return the province of a name, or its coast if the name has one: ``STP/SC``."""
        province = self._spots.get(name.lower()) or self._spots.get(_key(name))
        if province is None:
            raise UnknownName(sentence("diplomacy.judge.no_province", name=name))
        return province

    @property
    def _written_like(self) -> str:
        return sentence("diplomacy.judge.write_like", example=self._example)

    def power(self, name: str, *, neutral: bool = False) -> Seat:
        """Return the power of a name. neutral: also accept NEUTRAL, if the board has such units."""
        seat = self._powers.get(name.lower())
        if seat is None and neutral and self._board.neutral and name.lower() == NEUTRAL:
            return NEUTRAL
        if seat is None:
            raise UnknownName(
                sentence("diplomacy.judge.no_power", name=name),
                sentence("diplomacy.judge.known", names=language.join_list(self._board.powers)),
            )
        return seat

    def units(self, path: str, texts: Sequence[str], power: Seat) -> list[Unit]:
        """Return the units of an array of texts, in its order. Raises Invalid with the path of a text.

        Texts are remembered.
        """
        known = self._units[power]
        try:
            return [known[text] for text in texts]
        except KeyError:
            if len(known) > _MAX_NAMES_KEPT:
                known.clear()
            units = read_each(path, self.unit, texts, power)
            known.update(zip(texts, units, strict=True))
            return units

    def unit(self, text: str, power: Seat) -> Unit:
        """Return the unit of a text such as ``W Santee``."""
        match = _POSITION_UNIT.fullmatch(text.strip())
        if match is None:
            raise UnknownName(sentence("diplomacy.judge.not_a_unit", text=text), self._written_like)
        kind: Kind = _KIND_LETTERS[match[1].lower()]
        if kind not in self._kinds:
            raise UnknownName(
                sentence("diplomacy.judge.no_kind", kind=UNIT_KIND_NAMES[kind]), self._written_like
            )
        here = self.spot(match[2])
        at, coast = split_spot(here)
        place = self._board.places[at]
        if kind == "F" and not coast and place.coasts:
            coasts = [self._board.abbr(spot) for spot in self._board.spots[at]]
            raise UnknownName(
                sentence("diplomacy.places.several_coasts", place=place.name),
                sentence("diplomacy.judge.write_one", choice=language.join_list(coasts, "or")),
            )
        fits = here in self._board.spots[at] if kind == "F" else not coast
        if not fits or (kind == "A" and place.kind == "sea"):
            name = self._board.name(here)
            raise UnknownName(sentence("diplomacy.places.wrong_kind", kind=UNIT_KIND_NAMES[kind], place=name))
        return Unit(power=power, kind=kind, at=at, coast=coast)

    def phase(self, text: str) -> Phase:
        """Return the phase of a text such as ``S1M``."""
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
        raise UnknownName(
            sentence("diplomacy.judge.no_phase", name=text),
            sentence("diplomacy.judge.write_like", example=language.join_list(phases, "or")),
        )

    def read_by_power(
        self, key: str, entries: Mapping[str, EntryT], *, neutral: bool = False
    ) -> Iterator[tuple[Seat, str, EntryT]]:
        """Yield the entries of an object by the powers of its keys, each with its path.

        Raises Invalid for an unknown power and for one named twice.
        """
        seen: set[Seat] = set()
        read_power = partial(self.power, neutral=neutral)
        for name, entry in entries.items():
            path = f"{key}.{name}"
            power = read_at(path, read_power, name)
            if power in seen:
                raise Invalid(path, sentence("diplomacy.judge.named_twice", name=power))
            seen.add(power)
            yield power, path, entry

    def read_by_place(
        self, key: str, entries: Mapping[str, EntryT]
    ) -> Iterator[tuple[Province, str, EntryT]]:
        """Yield the entries of an object by the provinces of its keys, each with its path.

        Raises Invalid for an unknown province and for one named twice.
        """
        seen: set[Province] = set()
        for name, entry in entries.items():
            path = f"{key}.{name}"
            place = read_at(path, self.place, name)
            if place in seen:
                raise Invalid(path, sentence("diplomacy.judge.named_twice", name=self._board.name(place)))
            seen.add(place)
            yield place, path, entry


def _names_of_spots(board: Board, place: ProvinceEntry) -> Iterator[tuple[str, Province]]:
    """Yield every name of a place and its coasts, in small letters, each with its spot."""
    names = dict.fromkeys((place.name, place.abbr, place.id, *place.aliases))
    for name in names:
        yield name.lower(), place.id
        yield _key(name), place.id
        for coast in place.coasts:
            for coast_name in (coast, board.coast_names[coast]):
                yield _key(f"{name} {coast_name}"), spot(place.id, coast)


def _key(name: str) -> str:
    """Return the words of a name without case, accents and signs."""
    bare = unicodedata.normalize("NFKD", name.casefold().replace("'", ""))
    return " ".join(_NAME_WORD.findall("".join(char for char in bare if not unicodedata.combining(char))))


# Conditions after IF.


_IN_WORDS = "(in|at|on)"
_KIND_FORMS = {
    "W": ("unit", "(w|wp|war party|a|army)", "W"),
    "A": ("army", "(a|army)", "A"),
    "F": ("fleet", "(f|flt|fleet)", "F"),
}
"""For each kind of unit: the name of its conditions, its words, and its letter."""

# Conditions about a unit of any kind.
_CONDITION_ROWS: tuple[tuple[str, str, str], ...] = (
    ("unit-at", "{place:province} (is occupied|occupied|has a unit|is not empty|is taken)", "{A} has a unit"),
    ("unit-at", "{place:province}", "{A}"),
    (
        "empty-at",
        "{place:province} (is empty|empty|is vacant|vacant|is free|is unoccupied|is not occupied)",
        "{A} is empty",
    ),
    (
        "unit-of-at",
        f"{{nation:nation}} (is|stands|sits|has a unit|) {_IN_WORDS} {{place:province}}",
        "{N} is in {A}",
    ),
    ("unit-of-at", "{nation:nation} {place:province}", "{N} {A}"),
    ("owned-by", "{nation:nation} (owns|controls|holds) {place:province}", "{N} owns {A}"),
    (
        "owned-by",
        "{place:province} (is owned by|is controlled by|is held by|belongs to) {nation:nation}",
        "{A} is owned by {N}",
    ),
)


# If a nation and a province have the same name, the first name is the nation.
_EITHER_WAY = (
    ("{nation:nation} {place:province} SORT", "{N} {a} X"),
    ("{place:province} {nation:nation} SORT", "{a} {N} X"),
    ("SORT {place:province} {nation:nation}", "X {a} {N}"),
    ("{place:province} SORT {nation:nation}", "{a} X {N}"),
)


def condition_forms(board: Board) -> tuple[tuple[str, str, str], ...]:
    """Return name, pattern and example of each form. Nation, kind and place may have any order."""
    kinds = sorted({board.walker, *board.kinds})
    places = {name.lower() for place in board.places.values() for name in (place.name, *place.aliases)}
    apart = not any(str(power).lower() in places for power in board.powers)
    forms = (*(row for kind in kinds for row in _of_a_kind(kind, apart)), *_CONDITION_ROWS)
    return (*forms, ("unit-of-at", "{place:province} {nation:nation}", "{A} {N}")) if apart else forms


def _of_a_kind(kind: str, apart: bool) -> Iterator[tuple[str, str, str]]:
    name, sort, letter = _KIND_FORMS[kind]
    article, word = "a" if kind == "F" else "(a|an)", sort[1:-1].split("|")[-1]
    for pattern, example in (
        ("SORT {place:province}", "X {a}"),
        ("{place:province} SORT", "{A} X"),
        (f"{{place:province}} has {article} SORT", f"{{A}} has a {word}"),
        (f"(a|an|any|the|) SORT (is|stands) {_IN_WORDS} {{place:province}}", f"a {word} is in {{A}}"),
    ):
        yield f"{name}-at", pattern.replace("SORT", sort), example.replace("X", letter)
    for pattern, example in (
        ("{nation:nation} SORT {place:province}", "{N} X {a}"),
        ("SORT {nation:nation} {place:province}", "X {N} {a}"),
        *(_EITHER_WAY if apart else ()),
        (f"(a|an|the|) {{nation:nation}} SORT (is|stands|) {_IN_WORDS} {{place:province}}", "{N} X in {A}"),
        (
            f"{{nation:nation}} has {article} SORT {_IN_WORDS} {{place:province}}",
            f"{{N}} has a {word} in {{A}}",
        ),
    ):
        yield f"{name}-of-at", pattern.replace("SORT", sort), example.replace("X", letter)


def write(condition: Condition, place: str, has_fleets: bool) -> str:
    """Return the canonical text of a condition. place: its province, abbreviated."""
    form, nation = condition.form, condition.slots.get("nation")
    if form == "owned-by":
        return f"{nation} owns {place}"
    if form == "empty-at":
        return f"{place} is empty"
    if form == "unit-at" and has_fleets:
        return f"{place} is occupied"
    if form == "unit-of-at" and has_fleets:
        return f"{nation} in {place}"
    letter = next(letter for name, _, letter in _KIND_FORMS.values() if form.startswith(name))
    return f"{nation} {letter} {place}" if nation else f"{letter} {place}"


def is_met(view: View, condition: Condition) -> bool:
    """Return whether the condition is met. Raises KeyError for an unknown form."""
    place, _ = split_spot(Province(condition.slots["place"]))
    nation, form = condition.slots.get("nation"), condition.form
    if form == "owned-by":
        return view.centres.get(place) == nation
    there = [unit for unit in view.units if unit.at == place]
    if form == "empty-at":
        return not there
    kinds = {"unit": "WAF", "army": "A", "fleet": "F"}[form.partition("-")[0]]
    return any(unit.kind in kinds and nation in (None, unit.power) for unit in there)
