"""The notation of orders in the Diplomacy family: forms, names, canonical texts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, assert_never

from games.diplomacy import brief
from games.diplomacy import conditions as questions
from games.diplomacy.adjudication.sea_law import complete_coast
from games.diplomacy.boards import sea_words
from games.diplomacy.boards.board import Board, ProvinceEntry
from games.diplomacy.boards.languages import NO_TONGUES, BoardLanguages
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
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    View,
    Waive,
    split_spot,
    units_by_place,
)
from games.diplomacy.order_forms import TranslatedForms
from games.diplomacy.tongue_conditions import TranslatedConditions
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Seat

# The judges' words for each thing that is said, with an empty choice where it may go unsaid.
_UNIT_WORDS = sea_words.unit_words("w", "wp", "a", whole=("war party", "army", "unit"))
_UNIT_OF_NATION = "[{nation:nation}] " + _UNIT_WORDS
_MOVE_WORDS = (
    "(-|to|into|m|mv|move|moves|move to|moves to|move into|moves into|attack|attacks|go to|goes to"
    "|r|retreat|retreats|retreat to|retreats to|retreats -|withdraw to|withdraws to"
    "|fall back to|falls back to|flees to)"
)
_INTO = "(-|to|into|m|mv|move|moves|moving|move to|moves to|moving to|moving into|attack on|attacking)"
_SUPPORT_WORDS = "(s|sup|supp|support|supports|supporting)"
_STANDS = "(h|hold|holds|holding|hold position|holds in place|stand|stands|stay|stays|stays put)"
_HOLD_WORDS = "(h|hold|holds|holding|to hold|in holding|stand|stands|)"
_DISBAND_WORDS = (
    "(d|disband|disbands|disbanded|is disbanded|remove|removes|removed|is removed|otb|off the board"
    "|retreats otb|retreat otb|retreats off the board|retreat off the board)"
)
_PARTY = "(war party|party|army|fleet|unit)"
_THE_MOVE = "(the move|the attack|the advance|move|attack) (of|from|by|)"

_DIPLOMACY_FORMS: tuple[tuple[str, str, str], ...] = (
    ("move", f"{_UNIT_WORDS} {{unit:province}} {_MOVE_WORDS} [the] {{to:province}}", "W {a} - {b}"),
    (
        "move",
        f"(move|send|march|retreat) {_UNIT_WORDS} {{unit:province}} (-|to|into) [the] {{to:province}}",
        "move {A} to {B}",
    ),
    (
        "move",
        f"(the|our|my|) {{unit:province}} {_PARTY} {_MOVE_WORDS} [the] {{to:province}}",
        "{A} unit to {B}",
    ),
    ("hold", f"{_UNIT_WORDS} {{unit:province}} {_STANDS}", "W {a} H"),
    ("hold", f"{_UNIT_WORDS} {{unit:province}} - (hold|holds|stand|stands)", "W {a} - hold"),
    ("hold", f"(hold|stand) {_UNIT_WORDS} {{unit:province}}", "hold {A}"),
    (
        "support-move",
        f"{_UNIT_WORDS} {{unit:province}} {_SUPPORT_WORDS} {_UNIT_OF_NATION} {{other:province}} {_INTO} "
        f"[the] {{to:province}}",
        "W {a} S W {b} - {c}",
    ),
    (
        "support-move",
        f"{_UNIT_WORDS} {{unit:province}} {_SUPPORT_WORDS} {_THE_MOVE} {_UNIT_WORDS} {{other:province}} "
        f"{_INTO} [the] "
        "{to:province}",
        "{A} supports the move from {B} to {C}",
    ),
    (
        "support-move",
        f"support {_UNIT_OF_NATION} {{other:province}} (-|to|into) [the] {{to:province}} (with|from|by) "
        f"{_UNIT_WORDS} {{unit:province}}",
        "support {B} to {C} with {A}",
    ),
    (
        "support-hold",
        f"{_UNIT_WORDS} {{unit:province}} {_SUPPORT_WORDS} {_UNIT_OF_NATION} {{other:province}} "
        f"{_HOLD_WORDS}",
        "W {a} S W {b}",
    ),
    (
        "support-hold",
        f"support {_UNIT_OF_NATION} {{other:province}} (with|from|by) {_UNIT_WORDS} {{unit:province}}",
        "support {B} with {A}",
    ),
    ("disband", f"{_UNIT_WORDS} {{unit:province}} {_DISBAND_WORDS}", "W {a} D"),
    ("disband", f"(d|disband|remove|retreat otb) {_UNIT_WORDS} {{unit:province}}", "remove {A}"),
    ("build", f"{_UNIT_WORDS} {{unit:province}} (b|build|builds)", "W {a} B"),
    (
        "build",
        f"(b|build|builds|raise|build a|build a new|build new) {_UNIT_WORDS} (in|at|) {{unit:province}}",
        "build {A}",
    ),
    (
        "waive",
        "(waive|waives|i waive|we waive|waive build|waive a build|waive the build|waive my build"
        "|waive one build|build waived|no build)",
        "WAIVE",
    ),
)

_ARTICLES = ("", "a ", "the ", "one ", "its ")
_CANOE_PREPOSITIONS = (
    "",
    "with ",
    "with a ",
    "with the ",
    "with its ",
    "by ",
    "in ",
    "in a ",
    "and ",
    "& ",
    "+ ",
    "taking a ",
)


def _canoe(before: Sequence[str], *others: str) -> str:
    """The choice of all ways to say canoe after some words, or of saying something else."""
    vessels = ("canoe", "canoes", "canoe-fleet", "canoe fleet", "canoefleet")
    return f"({'|'.join([word + vessel for word in before for vessel in vessels] + [*others])})"


_CANOE, _CANOE_OR_NOT, _WITH_CANOE = _canoe(_ARTICLES), _canoe(_ARTICLES, ""), _canoe(_CANOE_PREPOSITIONS)
_DESTROYS = "(destroy|destroys|burn|burns|scuttle|scuttles|sink|sinks)"

# On boards whose units carry canoe-fleets.
_CANOE_ORDER_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        "build-canoe",
        f"{_UNIT_WORDS} {{unit:province}} (b|build|builds|building|make|makes|) {_CANOE}",
        "W {h} B CANOE",
    ),
    (
        "build-canoe",
        f"(b|build|make) {_CANOE} (in|at|with|on|) {_UNIT_WORDS} {{unit:province}}",
        "build canoe in {H}",
    ),
    ("build-canoe", f"{_CANOE} (in|at) {{unit:province}}", "canoe in {H}"),
    (
        "carry",
        f"{_UNIT_WORDS} {{unit:province}} {_MOVE_WORDS} {{to:province}} {_WITH_CANOE}",
        "W {h} - {w} CANOE",
    ),
    (
        "carry",
        f"{_UNIT_WORDS} {{unit:province}} {_WITH_CANOE} {_MOVE_WORDS} {{to:province}}",
        "{H} with canoe to {W}",
    ),
    (
        "carry",
        f"(carry|launch|take|move|send|paddle|) {_CANOE} (from|) {_UNIT_WORDS} {{unit:province}} (-|to|into) "
        "{to:province}",
        "carry canoe from {H} to {W}",
    ),
    (
        "carry",
        f"(carry|launch|take|move|send|paddle) {_UNIT_WORDS} {{unit:province}} (-|to|into) {{to:province}} "
        f"{_WITH_CANOE}",
        "move {H} to {W} with canoe",
    ),
    ("destroy", f"{_DESTROYS} {_CANOE_OR_NOT} (in|at|of|from|) {_UNIT_WORDS} {{at:province}}", "DESTROY {h}"),
    ("destroy", f"{_UNIT_WORDS} {{at:province}} {_DESTROYS} {_CANOE_OR_NOT}", "{H} destroys a canoe"),
)


_MAX_TEXTS_KEPT = 20_000
"""So many orders are remembered with their texts; then the memory begins anew."""


class _ReadingTables(NamedTuple):
    """The tables to read a board's texts by. seasons: the forms of each; native: all in English alone."""

    forms: tuple[Form, ...]
    conditions: tuple[Form, ...]
    seasons: Mapping[str, tuple[Form, ...]]
    lexicon: Lexicon
    native: tuple[tuple[Form, ...], Mapping[str, tuple[Form, ...]], Lexicon] | None
    called: brief.KindReader


_HELPING_ORDERS: frozenset[type[AnyOrder]] = frozenset((SupportHold, SupportMove, Convoy))
_MOVEMENT_ORDERS: frozenset[type[AnyOrder]] = _HELPING_ORDERS | {Hold, Move, BuildCanoe}


class DiplomacyNotation:
    """The notation of one board: implements `protocol.Notation`."""

    def __init__(self, board: Board, spoken: Callable[[], BoardLanguages] = lambda: NO_TONGUES) -> None:
        self._board = board
        self._spoken = spoken
        self._walker: Kind = board.walker
        self._has_fleets = "F" in board.kinds
        spots = {spot for province, several in board.spots.items() for spot in (province, *several)}
        self._made = lru_cache(_MAX_TEXTS_KEPT)(self._make)
        self._written: dict[AnyOrder, str] = {}
        self._abbrs = {spot: board.abbr(spot) for spot in spots}

    @cached_property
    def _read(self) -> _ReadingTables:
        """All that texts are read by, laid out when the first one is."""
        board, tongues = self._board, self._spoken()
        rows = _DIPLOMACY_FORMS + (_CANOE_ORDER_FORMS if "h" in (names := _example_names(board)) else ())
        if self._has_fleets:
            rows = tuple(_at_sea(row) for row in rows if row[0] != "build") + sea_words.FLEET_FORMS
        words, unit = (
            TranslatedForms(tongues, self._has_fleets),
            sea_words.FLEET_UNIT_WORDS if self._has_fleets else _UNIT_WORDS,
        )
        spoken = (*(words.translate(row, unit) for row in rows), *words.rows(unit, "build"))
        asked = TranslatedConditions(tongues).rows(questions.condition_forms(board))
        seasons = {
            kind: tuple(_form(words.translate(row, unit), names) for row in some)
            for kind, some in brief.forms_by_due(board).items()
        }
        coasts = sea_words.coast_entries(board, tongues)
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
            called=brief.KindReader.of(tongues),
        )

    def _without_tongues(
        self, rows: Iterable[tuple[str, str, str]], names: Mapping[str, str]
    ) -> tuple[tuple[Form, ...], Mapping[str, tuple[Form, ...]], Lexicon]:
        """The forms, those of each season, and the names, all in English alone."""
        board = self._board
        forms = tuple(_form(row, names) for row in rows)
        seasons = {
            due: tuple(_form(row, names) for row in some) for due, some in brief.forms_by_due(board).items()
        }
        lexicon = (
            *_provinces(board, NO_TONGUES),
            *sea_words.coast_entries(board),
            *_nation_entries(board, NO_TONGUES),
        )
        return forms, seasons, lexicon

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""
        return self._read.forms

    @property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions of IF: which unit stands in a place, and which nation owns it."""
        return self._read.conditions

    def lexicon(self, view: State) -> Lexicon:
        """The board's names: provinces by name, abbreviation, number and alias, and nations."""
        return self._read.lexicon

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """The order of a matched form; what sort of unit stands in a place is the view's to say.

        slots: ``unit``, ``other``, ``to``, ``at``: ids of provinces. Raises KeyError for a form that is not
        ours.
        """
        if form == "waive":
            return Waive()
        if form == "destroy":
            return Destroy(at=Province(slots["at"]))
        if form == "build":
            return Build(unit=Piece(kind=self._walker, at=Province(slots["unit"])))
        if form in ("build-army", "build-fleet", "build-some"):
            return Build(unit=_new(form, Province(slots["unit"])))
        to = slots.get("to", "")
        unit = self._piece(view, slots["unit"], to or slots["unit"], retreating=view.phase.kind == "R")
        other = None
        if "other" in slots:
            aim = slots["other"] if form == "convoy" else to or slots["unit"]
            other = self._piece(view, slots["other"], aim)
        return self._made(form, unit, other, to)

    def means_the_same(self, view: View, order: AnyOrder) -> bool:
        """Return whether the units of a movement order stand in a view as it names them."""
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

    def _make(self, form: str, unit: Piece, other: Piece | None, there: str) -> AnyOrder:
        """The order of a form for pieces; `_made` remembers them."""
        if form == "hold":
            return Hold(unit=unit)
        if form == "disband":
            return Disband(unit=unit)
        if form == "build-canoe":
            return BuildCanoe(unit=unit)
        if form == "support-hold" and other is not None:
            return SupportHold(unit=unit, other=other)
        if not there:
            raise KeyError("to")
        if form in ("move", "carry", "move-via"):
            return self._move(form, unit, Province(there))
        if other is None:
            raise KeyError(form)
        to, coast = split_spot(Province(there))
        if form == "support-move":
            return SupportMove(unit=unit, other=other, to=to, coast=coast if other.kind == "F" else "")
        if form == "convoy":
            return Convoy(unit=unit, other=other, to=to)
        raise KeyError(form)

    def write(self, order: AnyOrder) -> str:
        """The canonical text: ``W SNT S W SIS - WAH``."""
        text = self._written.get(order)
        if text is None:
            if len(self._written) > _MAX_TEXTS_KEPT:
                self._written.clear()
            text = self._written[order] = self._write(order)
        return text

    def _write(self, order: AnyOrder) -> str:
        if isinstance(order, Waive):
            return "WAIVE"
        if isinstance(order, Destroy):
            return f"DESTROY {self._abbrs[order.at]}"
        unit = self.write_piece(order.unit)
        if isinstance(order, Hold):
            return f"{unit} H"
        if isinstance(order, Disband):
            return f"{unit} D"
        if isinstance(order, Build):
            return f"{unit} B"
        if isinstance(order, BuildCanoe):
            return f"{unit} B CANOE"
        if isinstance(order, Move):
            return f"{unit} - {self._abbrs[order.goal]}" + " CANOE" * order.canoe + " VIA" * order.via
        other = self.write_piece(order.other)
        if isinstance(order, SupportHold):
            return f"{unit} S {other}"
        if isinstance(order, Convoy):
            return f"{unit} C {other} - {self._abbrs[order.to]}"
        if isinstance(order, SupportMove):
            return f"{unit} S {other} - {self._abbrs[order.goal]}"
        assert_never(order)

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of an atom of IF: ``W SNT``, ``Iroquois W SNT``, ``Iroquois owns SNT``."""
        place = self._abbrs[Province(condition.slots["place"])]
        return questions.write(condition, place, self._has_fleets)

    def short_forms(self, view: View, seat: Seat) -> tuple[Form, ...]:
        """Return the shorter forms that hold while builds or removals are due."""
        return self._read.seasons[brief.kind_due(view, seat)]

    def native(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], Lexicon] | None:
        """The forms and names in English alone, where the board has other languages."""
        if self._read.native is None:
            return None
        forms, seasons, lexicon = self._read.native
        brief_forms = seasons.get(brief.kind_due(view, seat), ())
        return ((*forms, *brief_forms) if brief_forms else forms), lexicon

    def lexicons_by_language(self) -> Mapping[str, Lexicon]:
        """The names of provinces in each language."""
        return self._lexicons_by_language

    @cached_property
    def _lexicons_by_language(self) -> Mapping[str, Lexicon]:
        return {
            language.language: tuple(
                LexiconEntry(sort="province", id=place, names=names)
                for place, names in language.provinces.items()
                if names
            )
            for language in self._spoken().languages
        }

    def hold_orders(self, view: View, seat: Seat) -> tuple[AnyOrder, ...]:
        """A hold for each unit of the seat's, in the seasons in which units move."""
        return brief.resting(view, seat)

    def doubt(self, view: View, form: str, slots: Mapping[str, str]) -> str | None:
        """Return why the unit that is helped may be another nation's (DATC 4.C.6), or a build's kind open."""
        if form == "build-some":
            return brief.missing_kind(self._board, Province(slots["unit"]))
        return brief.wrong_nation(view, slots, self._abbrs)

    def fit_order(self, view: View, order: AnyOrder, text: str) -> tuple[AnyOrder, str | None]:
        """Return the order with the kinds of units to come, and a wrong kind in the text (DATC 4.C.2)."""
        called = self._read.called.kinds_named(text, helps=hasattr(order, "other"))
        return brief.fit_kinds(self._board, view, order, called, self._abbrs)

    def misreading(self, order: AnyOrder, text: str) -> str | None:
        """Return why a minus before a build may mean that a unit is to be removed."""
        minus = isinstance(order, Build) and brief.REMOVAL_MINUS.match(text)
        return "a minus stands before it, and an order to build has none" if minus else None

    def write_piece(self, piece: Piece | Unit) -> str:
        """A unit as orders name it: ``W SNT``, ``F STP/SC``."""
        if piece.coast:
            return f"{piece.kind} {self._abbrs[piece.spot]}"
        return f"{piece.kind} {self._abbrs[piece.at]}"

    def abbr(self, spot: Province) -> str:
        """A province or its coast as orders name it: ``STP/SC``."""
        return self._abbrs[spot]

    def _move(self, form: str, unit: Piece, goal: Province) -> Move:
        to, coast = split_spot(goal)
        if unit.kind == "W":
            # Afloat a canoe goes without saying (C5), whether or not it was said.
            return Move(unit=unit, to=to, canoe=form == "carry" and self._board.is_land(unit.at))
        via = form == "move-via" and unit.kind == "A"
        return Move(unit=unit, to=to, coast=complete_coast(self._board, unit, to, coast), via=via)

    def _piece(self, view: View, there: str, goal: str, *, retreating: bool = False) -> Piece:
        """Whoever stands in a province. On which of its coasts is not for the order to say (DATC 4.B.5).

        Nobody yet: a fleet on the water, with a coast, or on its way to either; else whoever walks there.
        """
        at, coast = split_spot(Province(there))
        if retreating:
            for beaten in view.beaten:
                if beaten.unit.at == at:
                    return beaten.unit.piece
        units = units_by_place(view)
        if at in units:
            return units[at].piece
        sails = self._has_fleets and (
            coast or not (self._board.is_land(at) and self._is_ashore(Province(goal)))
        )
        return Piece(kind="F", at=at, coast=coast) if sails else Piece(kind=self._walker, at=at)

    def _is_ashore(self, goal: Province) -> bool:
        to, coast = split_spot(goal)
        return not coast and self._board.is_land(to)


def _new(form: str, there: Province) -> Piece:
    """A piece to be built; a coast is a fleet's only."""
    at, coast = split_spot(there)
    if form == "build-army" or (form == "build-some" and not coast):
        return Piece(kind="A", at=at)
    return Piece(kind="F", at=at, coast=coast)


def _at_sea(row: tuple[str, str, str]) -> tuple[str, str, str]:
    """A form of all boards as it is said where there are armies and fleets."""
    name, pattern, example = row
    return name, pattern.replace(_UNIT_WORDS, sea_words.FLEET_UNIT_WORDS), example.replace("W {", "A {")


def _example_names(board: Board) -> dict[str, str]:
    """Names for the examples: a nation, its first home with a neighbour and that one's neighbour.

    Where War Parties start on a shore, the first of them with its water too (h and w).
    """
    power = next(iter(board.powers.values()))
    walkers = (piece.at for piece in board.starts[power.id] if piece.kind != "F")
    first = next(walkers, power.centres[0])
    rings = (
        (near, far) for near in board.army[first] for far in board.army[near] if far in board.army[first]
    )
    second, third = next(rings, [place for place in board.places if place != first][:2])
    places = {"a": first, "b": second, "c": third, **sea_words.example_places(board)}
    pieces = (piece for several in board.starts.values() for piece in several)
    shore = next((piece.at for piece in pieces if piece.kind == "W" and piece.at in board.shores), None)
    if shore is not None:
        places |= {"h": shore, "w": next(water for water in board.fleet[shore] if not board.is_land(water))}
    return (
        {letter: board.abbr(place) for letter, place in places.items()}
        | {letter.upper(): board.name(place) for letter, place in places.items()}
        | {"N": str(power.id)}
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
    """Return the nations by their names, and by any unique beginning of their English names."""
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
    """The beginnings of names: the Judge takes two letters of a nation or more."""
    whole = {name.lower() for name in names}
    return {name[:size] for name in whole for size in range(2, len(name)) if name[:size].isalpha()} - whole
