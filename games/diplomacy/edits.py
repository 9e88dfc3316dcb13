"""The edits that a GM can make on a board of the family: implements `protocol.Edits`."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, get_args

from games import language
from games.diplomacy import rules
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook, Variant
from games.diplomacy.model import Beaten, Kind, Phase, Province, State, Unit, split_spot
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.phrases import UNIT_KIND_NAMES, nation, small, troop
from games.messages import sentence
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import from_text, replace_fields

MAX_CANOES_PER_PROVINCE = 20
"""The most canoe-fleets in one province."""

YEARS_OF_BAN = 20
"""The most years that a ban on builds can last from now."""


@dataclass(frozen=True)
class EditedPosition:
    """A position under the options of its game.

    Edits also update the boarding records of stormy waters and the retreats of dislodged units. An edit that
    would make an impossible position is refused.
    """

    board: Board
    rulebook: Rulebook
    state: State

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """The units by province."""
        return {unit.at: unit for unit in self.state.units}

    def entry_objection(self, unit: Unit) -> Advice | None:
        """Return why a unit can't be placed, or None."""
        board, name = self.board, self.board.name(unit.spot)
        if unit.kind == "F" and not unit.coast and board.places[unit.at].coasts:
            coasts = [board.abbr(spot) for spot in board.spots[unit.at]]
            return Advice(
                problem=sentence("diplomacy.places.several_coasts", place=name),
                instead=sentence("diplomacy.edits.name_coast", coasts=language.join_list(coasts, "or")),
            )
        if not rules.can_stand(board, self.rulebook, unit):
            kind = UNIT_KIND_NAMES[unit.kind]
            return Advice(problem=sentence("diplomacy.places.wrong_kind", kind=kind, place=name))
        there = self.standing.get(unit.at)
        if there is not None:
            return Advice(
                problem=sentence("diplomacy.edits.occupied", unit=troop(there), place=name),
                instead=sentence("diplomacy.edits.remove_first", place=board.abbr(unit.at)),
            )
        if self.state.taboo and unit.at == board.chart.taboo:
            return Advice(
                problem=sentence("diplomacy.edits.taboo_place", place=name),
                instead=sentence("diplomacy.edits.taboo_off_first"),
            )
        stranded = [
            beaten_unit.unit for beaten_unit in self._beaten_after(unit.at) if not beaten_unit.retreats
        ]
        if stranded:
            at = stranded[0].at
            return Advice(
                problem=sentence("diplomacy.edits.no_retreat_left", place=board.name(at)),
                instead=sentence("diplomacy.edits.remove_dislodged_first", place=board.abbr(at)),
            )
        return None

    def no_unit_advice(self, at: Province) -> Advice:
        """Return the advice that a province has no unit, with the nearest provinces that have one."""
        near = [self.board.abbr(place) for place in self.board.nearest(at, self.standing)[:3]]
        instead = sentence("diplomacy.edits.nearest_units", places=language.join_list(near)) if near else None
        return Advice(problem=sentence("diplomacy.edits.no_unit", place=self.board.name(at)), instead=instead)

    def add_unit(self, unit: Unit) -> State:
        """Return the state with another unit."""
        state = replace_fields(
            self.state,
            units=rules.in_order(self.board, (*self.state.units, unit)),
            beaten=self._beaten_after(unit.at),
            contested=tuple(at for at in self.state.contested if at != unit.at),
        )
        if unit.at not in self.board.chart.stormy:
            return state
        return replace_fields(state, bay_entered={**state.bay_entered, unit.at: self._boarding_phase().short})

    def without(self, at: Province) -> "EditedPosition":
        """Return the position without the unit of a province."""
        state = replace_fields(
            self.state,
            units=tuple(unit for unit in self.state.units if unit.at != at),
            bay_entered={water: since for water, since in self.state.bay_entered.items() if water != at},
            bay_from={water: origin for water, origin in self.state.bay_from.items() if water != at},
        )
        return replace(self, state=state)

    def _beaten_after(self, taken: Province) -> tuple[Beaten, ...]:
        """Return the dislodged units with their retreats, except into a province that is now occupied."""
        return tuple(
            replace_fields(
                beaten_unit,
                retreats=tuple(spot for spot in beaten_unit.retreats if split_spot(spot)[0] != taken),
            )
            for beaten_unit in self.state.beaten
        )

    def _boarding_phase(self) -> Phase:
        """Return the latest movement phase. A unit placed on a stormy water counts as there since then."""
        phase = self.state.phase
        if phase.kind == "M":
            return phase
        year = self.rulebook.year
        moves = [step.season for step in year if step.kind == "M"]
        passed = [step.season for step in year[: year.index(self.rulebook.step(phase))] if step.kind == "M"]
        return Phase(
            season=(passed or moves)[-1], year=phase.year - self.rulebook.year_step * (not passed), kind="M"
        )


class BoardEdit(Edit, frozen=True, kw_only=True):
    """A kind of edit. Its board comes with each question, because an edit is stored without one.

    FORMS: name, pattern and example of each form, the canonical one of each name first; NEEDS: what a board
    must have for the edit.
    """

    FORMS: ClassVar[tuple[tuple[str, str, str], ...]]
    NEEDS: ClassVar[Literal["", "canoes", "taboo"]] = ""

    @classmethod
    def from_slots(cls, slots: Mapping[str, str]) -> Self:
        """Return the edit of a matched form. By default each field comes from the slot of its name.

        slots: the id of each filled place, and more from `DiplomacyEdits.build`.
        """
        return from_text(cls, {name: slots[name] for name in cls.__struct_fields__ if name in slots})

    @abstractmethod
    def write(self, board: Board) -> str:
        """Return the canonical text, which the forms read back."""

    @abstractmethod
    def check(self, position: EditedPosition) -> Advice | None:
        """Return why the edit is impossible and what to write instead, or None."""

    @abstractmethod
    def apply(self, position: EditedPosition) -> State:
        """Return the state after an edit that `check` accepted."""

    @abstractmethod
    def describe(self, board: Board) -> str:
        """Return the edit in one sentence. Nothing is hidden on these boards."""


class PlaceUnit(BoardEdit, frozen=True, kw_only=True):
    """Places a unit: ``place W MHK for Iroquois``."""

    FORMS = (
        (
            "place",
            "(place|put|add) {kind:kind} (in|at|on|) {at:province} (for|of) {power:nation}",
            "place {k} {b} for {n}",
        ),
        (
            "place",
            "(place|put|add) {power:nation} {kind:kind} (in|at|on|) {at:province}",
            "place {n} {k} in {B}",
        ),
    )

    unit: Unit

    @classmethod
    def from_slots(cls, slots: Mapping[str, str]) -> Self:
        return cls(unit=from_text(Unit, {name: slots[name] for name in ("power", "kind", "at", "coast")}))

    def write(self, board: Board) -> str:
        return f"place {self.unit.kind} {board.abbr(self.unit.spot)} for {self.unit.power}"

    def check(self, position: EditedPosition) -> Advice | None:
        return position.entry_objection(self.unit)

    def apply(self, position: EditedPosition) -> State:
        return position.add_unit(self.unit)

    def describe(self, board: Board) -> str:
        return sentence("diplomacy.edits.placed", unit=troop(self.unit), place=board.name(self.unit.spot))


class RemoveUnit(BoardEdit, frozen=True, kw_only=True):
    """Removes a unit, ``remove MHK``, or if `beaten` a dislodged unit, ``remove dislodged MHK``."""

    FORMS = (
        ("remove", "(remove|delete|take off) [{kind:kind}] (in|at|from|) {at:province}", "remove {a}"),
        (
            "remove-beaten",
            "(remove|delete|take off) (dislodged|beaten) [{kind:kind}] (in|at|from|) {at:province}",
            "remove dislodged {a}",
        ),
    )

    at: Province
    beaten: bool = False

    @classmethod
    def from_slots(cls, slots: Mapping[str, str]) -> Self:
        return cls(at=Province(slots["at"]), beaten=slots["form"] == "remove-beaten")

    def write(self, board: Board) -> str:
        return f"remove {'dislodged ' * self.beaten}{board.abbr(self.at)}"

    def check(self, position: EditedPosition) -> Advice | None:
        beaten = {beaten_unit.unit.at for beaten_unit in position.state.beaten}
        name = position.board.name(self.at)
        if self.beaten:
            problem = sentence("diplomacy.edits.no_dislodged", place=name)
            return None if self.at in beaten else Advice(problem=problem)
        if self.at in position.standing:
            return None
        if self.at in beaten:
            instead = f"remove dislodged {position.board.abbr(self.at)}"
            return Advice(problem=sentence("diplomacy.edits.is_dislodged", place=name), instead=instead)
        return position.no_unit_advice(self.at)

    def apply(self, position: EditedPosition) -> State:
        if not self.beaten:
            return position.without(self.at).state
        beaten = tuple(beaten_unit for beaten_unit in position.state.beaten if beaten_unit.unit.at != self.at)
        return replace_fields(position.state, beaten=beaten)

    def describe(self, board: Board) -> str:
        slug = "diplomacy.edits.dislodged_removed" if self.beaten else "diplomacy.edits.removed"
        return sentence(slug, place=board.name(self.at))


class MoveUnit(BoardEdit, frozen=True, kw_only=True):
    """Moves a unit to the spot `to`: ``move MHK to DEL``."""

    FORMS = (
        ("move", "(move|shift) [{kind:kind}] (from|) {at:province} (to|-) {to:province}", "move {a} to {b}"),
    )

    at: Province
    to: Province

    def write(self, board: Board) -> str:
        return f"move {board.abbr(self.at)} to {board.abbr(self.to)}"

    def check(self, position: EditedPosition) -> Advice | None:
        if self.at not in position.standing:
            return position.no_unit_advice(self.at)
        return position.without(self.at).entry_objection(self._moved(position))

    def apply(self, position: EditedPosition) -> State:
        return position.without(self.at).add_unit(self._moved(position))

    def _moved(self, position: EditedPosition) -> Unit:
        return position.standing[self.at].moved_to(self.to)

    def describe(self, board: Board) -> str:
        return sentence("diplomacy.edits.moved", place=board.name(self.at), goal=board.name(self.to))


class SetOwner(BoardEdit, frozen=True, kw_only=True):
    """Sets the owner of a supply centre, ``give DEL to Iroquois``, or none, ``free DEL``."""

    FORMS = (
        ("give", "give {at:province} to {power:nation}", "give {a} to {n}"),
        ("give", "{power:nation} (owns|gets|takes) {at:province}", "{n} owns {A}"),
        ("free", "free {at:province}", "free {a}"),
        ("free", "(nobody|no one) (owns|gets) {at:province}", "nobody owns {A}"),
    )

    centre: Province
    power: Seat | None = None

    def write(self, board: Board) -> str:
        centre = board.abbr(self.centre)
        return f"give {centre} to {self.power}" if self.power else f"free {centre}"

    def check(self, position: EditedPosition) -> Advice | None:
        board = position.board
        if self.centre not in board.centres:
            near = [board.abbr(place) for place in board.nearest(self.centre, board.centres)[:3]]
            return Advice(
                problem=sentence("diplomacy.places.not_a_centre", place=board.name(self.centre)),
                instead=sentence("diplomacy.edits.nearest_centres", places=language.join_list(near)),
            )
        if self.power is not None and self.power not in board.powers:
            problem = sentence("diplomacy.edits.owns_nothing", power=self.power)
            return Advice(problem=problem, instead=f"free {board.abbr(self.centre)}")
        return None

    def apply(self, position: EditedPosition) -> State:
        owners = {**position.state.centres, self.centre: self.power}
        kept = ((at, owners.get(at)) for at in position.board.centres)
        return replace_fields(position.state, centres={at: owner for at, owner in kept if owner})

    def describe(self, board: Board) -> str:
        slug = "diplomacy.edits.given" if self.power else "diplomacy.edits.freed"
        return sentence(slug, place=board.name(self.centre), power=self.power)


class SetCanoes(BoardEdit, frozen=True, kw_only=True):
    """Sets the number of canoe-fleets in a province: ``canoes MHK 2``."""

    FORMS = (
        (
            "canoes",
            "(canoes|canoe-fleets|canoe) (in|at|) {at:province} (to|=|) {count:number}",
            "canoes {h} 2",
        ),
    )
    NEEDS = "canoes"

    at: Province
    count: int

    def write(self, board: Board) -> str:
        return f"canoes {board.abbr(self.at)} {self.count}"

    def check(self, position: EditedPosition) -> Advice | None:
        if self.at not in position.board.shores:
            place = position.board.name(self.at)
            return Advice(problem=sentence("diplomacy.places.not_a_shore", place=place))
        if self.count > MAX_CANOES_PER_PROVINCE:
            return Advice(
                problem=sentence("diplomacy.edits.too_many_canoes"),
                instead=sentence("diplomacy.edits.most_canoes", number=MAX_CANOES_PER_PROVINCE),
            )
        return None

    def apply(self, position: EditedPosition) -> State:
        counts = {**position.state.canoes, self.at: self.count}
        canoes = {at: counts[at] for at in position.board.in_board_order(counts) if counts[at]}
        return replace_fields(position.state, canoes=canoes)

    def describe(self, board: Board) -> str:
        number, place = small(self.count), board.name(self.at)
        return sentence("diplomacy.edits.canoes", count=self.count, number=number, place=place)


class SetTaboo(BoardEdit, frozen=True, kw_only=True):
    """Restores or lifts the taboo: ``taboo on``, ``taboo off``."""

    FORMS = (
        ("taboo-on", "taboo (on|stands|restored)", "taboo on"),
        ("taboo-off", "taboo (off|lifted|broken)", "taboo off"),
    )
    NEEDS = "taboo"

    stands: bool

    @classmethod
    def from_slots(cls, slots: Mapping[str, str]) -> Self:
        return cls(stands=slots["form"] == "taboo-on")

    def write(self, board: Board) -> str:
        return f"taboo {'on' if self.stands else 'off'}"

    def check(self, position: EditedPosition) -> Advice | None:
        taboo = position.board.chart.taboo
        if self.stands and taboo is not None and taboo in position.standing:
            return Advice(
                problem=sentence("diplomacy.edits.taboo_entered", place=position.board.name(taboo)),
                instead=sentence("diplomacy.edits.remove_unit_first", place=position.board.abbr(taboo)),
            )
        return None

    def apply(self, position: EditedPosition) -> State:
        return replace_fields(position.state, taboo=self.stands)

    def describe(self, board: Board) -> str:
        taboo = board.chart.taboo
        assert taboo is not None, "only boards with a taboo have this form"
        slug = "diplomacy.edits.taboo_on" if self.stands else "diplomacy.edits.taboo_off"
        return sentence(slug, place=board.name(taboo))


class SetBan(BoardEdit, frozen=True, kw_only=True):
    """Bans builds up to a year's Winter, ``ban Iroquois until 3``, or allows them, ``unban Iroquois``."""

    FORMS = (
        ("ban", "ban {power:nation} (until|to|till) [year] {count:number}", "ban {n} until 3"),
        ("unban", "(unban|allow builds of|lift ban of) {power:nation}", "unban {n}"),
    )
    NEEDS = "taboo"

    power: Seat
    until: int | None = None

    def write(self, board: Board) -> str:
        return f"ban {self.power} until {self.until}" if self.until is not None else f"unban {self.power}"

    def check(self, position: EditedPosition) -> Advice | None:
        year = position.state.phase.year
        if self.power not in position.board.powers:
            return Advice(problem=sentence("diplomacy.edits.builds_nothing", power=nation(self.power)))
        if self.until is None or self.until >= year:
            return None
        return Advice(
            problem=sentence("diplomacy.edits.year_over", year=self.until),
            instead=sentence("diplomacy.edits.years_left", year=year),
        )

    def apply(self, position: EditedPosition) -> State:
        bans = {**position.state.build_ban, self.power: self.until}
        kept = ((power, bans.get(power)) for power in position.board.powers)
        return replace_fields(
            position.state, build_ban={power: year for power, year in kept if year is not None}
        )

    def describe(self, board: Board) -> str:
        slug = "diplomacy.edits.ban_lifted" if self.until is None else "diplomacy.edits.banned"
        return sentence(slug, power=self.power, year=self.until)


AnyEdit = PlaceUnit | RemoveUnit | MoveUnit | SetOwner | SetCanoes | SetTaboo | SetBan


class DiplomacyEdits(Edits[State, BoardEdit]):
    """The edits of one board."""

    edit_type: Any = AnyEdit
    kinds: tuple[type[BoardEdit], ...] = get_args(AnyEdit)

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        has = {"": True, "canoes": variant.rulebook.canoes, "taboo": bool(variant.board.chart.taboo)}
        rows = [row for kind in self.kinds if has[kind.NEEDS] for row in kind.FORMS]
        names = _examples(variant.board)
        self._forms = tuple(Form(name=n, pattern=p, example=e.format(**names)) for n, p, e in rows)
        self._counts = any("{count:number}" in pattern for _, pattern, _ in rows)
        self._unit_kinds = tuple(_kind_term(kind) for kind in variant.board.kinds)

    @cached_property
    def _notation(self) -> DiplomacyNotation:
        return DiplomacyNotation(self._variant.board)

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return the forms of the edits that are possible on this board."""
        return self._forms

    def lexicon(self, state: State) -> Lexicon:
        """Return the names of the board, the kinds of units, and the numbers of canoe-fleets and years."""
        years = range(state.phase.year, state.phase.year + YEARS_OF_BAN + 1)
        counted = sorted({*range(MAX_CANOES_PER_PROVINCE + 1), *years}) if self._counts else ()
        numbers = (LexiconEntry(sort="number", id=str(n), names=(str(n),)) for n in counted)
        return (*self._notation.lexicon(state), *self._unit_kinds, *numbers)

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> BoardEdit:
        """Return the edit of a matched form. Raises KeyError for an unknown form."""
        kinds_by_form = {name: kind for kind in self.kinds for name, _, _ in kind.FORMS}
        at, coast = split_spot(Province(slots.get("at", "")))
        more = {"at": at, "centre": at, "coast": coast, "form": form}
        if "count" in slots:
            more["until"] = slots["count"]
        return kinds_by_form[form].from_slots({**slots, **more})

    def write(self, edit: BoardEdit) -> str:
        """Return the canonical text: ``place W MHK for Iroquois``."""
        return edit.write(self._variant.board)

    def check(self, state: State, edit: BoardEdit) -> Advice | None:
        """Return why the edit is impossible on this board in this position, or None."""
        return edit.check(self._edited(state))

    def apply(self, state: State, edit: BoardEdit) -> State:
        """Return the state after the edit."""
        return edit.apply(self._edited(state))

    def _edited(self, state: State) -> EditedPosition:
        variant = self._variant.under(state.options)
        return EditedPosition(variant.board, variant.rulebook, state)

    def tell(self, edit: BoardEdit, viewer: Seat | None) -> str:
        """Return the edit in a sentence. Nothing is hidden on these boards."""
        return edit.describe(self._variant.board)


def _kind_term(kind: Kind) -> LexiconEntry:
    more = ("WP",) if kind == "W" else ()
    return LexiconEntry(sort="kind", id=kind, names=(UNIT_KIND_NAMES[kind], kind, *more))


def _examples(board: Board) -> dict[str, str]:
    """Return names for examples: nation n, its first centre a, a free neighbour b, a shore h, a kind k."""
    power = next(iter(board.powers.values()))
    first = power.centres[0] if power.centres else board.centres[0]
    shores = [place for place in board.in_board_order(board.shores) if place in board.army]
    beside = next(_free(board, first), first)
    return {
        **{"a": board.abbr(first), "A": board.name(first), "b": board.abbr(beside), "B": board.name(beside)},
        **{"h": board.abbr(shores[0] if shores else first), "n": str(power.id), "k": board.walker},
    }


def _free(board: Board, first: Province) -> Iterator[Province]:
    taken = {piece.at for pieces in (*board.starts.values(), board.neutral) for piece in pieces}
    return (place for place in board.army[first] if place not in taken)
