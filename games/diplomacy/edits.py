"""The edits that a GM can make on a board of the family: implements `protocol.Edits`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, assert_never

from games import language
from games.diplomacy import rules
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook, Variant
from games.diplomacy.model import Beaten, Kind, Phase, Province, State, Unit, split_spot
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.phrases import UNIT_KIND_NAMES, nation, small, troop
from games.messages import sentence
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields

# Checks and results of edits.
#
# An edit also updates the boarding records of stormy waters and the retreats of dislodged units. An edit that
# would make an impossible position is refused.


MAX_CANOES_PER_PROVINCE = 20
"""The most canoe-fleets in one province."""


@dataclass(frozen=True)
class EditedPosition:
    """A position under the options of its game, with checks and results of edits."""

    board: Board
    rulebook: Rulebook
    state: State

    @cached_property
    def _standing(self) -> Mapping[Province, Unit]:
        return {unit.at: unit for unit in self.state.units}

    # Objections to an edit.

    def entry_objection(self, unit: Unit) -> Advice | None:
        """Return why a unit can't be placed, or None."""
        board, name = self.board, self.board.name(unit.spot)
        if unit.kind == "F" and not unit.coast and board.places[unit.at].coasts:
            coasts = [board.abbr(spot) for spot in board.spots[unit.at]]
            return Advice(
                problem=sentence("diplomacy.places.several_coasts", place=name),
                instead=sentence("diplomacy.edits.name_coast", coasts=language.join_list(coasts, "or")),
            )
        if not self._fits(unit):
            kind = UNIT_KIND_NAMES[unit.kind]
            return Advice(problem=sentence("diplomacy.places.wrong_kind", kind=kind, place=name))
        there = self._standing.get(unit.at)
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

    def _fits(self, unit: Unit) -> bool:
        board = self.board
        if unit.kind == "F":
            return unit.spot in board.spots[unit.at]
        return not unit.coast and (board.is_land(unit.at) or self.rulebook.canoes)

    def move_objection(self, at: Province, to: Province) -> Advice | None:
        """Return why the unit of a province can't be moved to a spot, or None."""
        unit = self._standing.get(at)
        return self._without(at).entry_objection(unit.moved_to(to)) if unit else self._no_unit_advice(at)

    def removal_objection(self, at: Province, is_beaten: bool) -> Advice | None:
        """Return why a unit, or a dislodged unit, can't be removed from a province, or None."""
        beaten = {beaten_unit.unit.at for beaten_unit in self.state.beaten}
        name = self.board.name(at)
        if is_beaten:
            problem = sentence("diplomacy.edits.no_dislodged", place=name)
            return None if at in beaten else Advice(problem=problem)
        if at not in self._standing and at in beaten:
            instead = f"remove dislodged {self.board.abbr(at)}"
            return Advice(problem=sentence("diplomacy.edits.is_dislodged", place=name), instead=instead)
        return None if at in self._standing else self._no_unit_advice(at)

    def _no_unit_advice(self, at: Province) -> Advice:
        near = [self.board.abbr(place) for place in self.board.nearest(at, self._standing)[:3]]
        instead = sentence("diplomacy.edits.nearest_units", places=language.join_list(near)) if near else None
        return Advice(problem=sentence("diplomacy.edits.no_unit", place=self.board.name(at)), instead=instead)

    def owner_objection(self, centre: Province, power: Seat | None) -> Advice | None:
        """Return why a province can't belong to a nation, or to nobody, or None."""
        if centre not in self.board.centres:
            near = [self.board.abbr(place) for place in self.board.nearest(centre, self.board.centres)[:3]]
            return Advice(
                problem=sentence("diplomacy.places.not_a_centre", place=self.board.name(centre)),
                instead=sentence("diplomacy.edits.nearest_centres", places=language.join_list(near)),
            )
        if power is not None and power not in self.board.powers:
            problem = sentence("diplomacy.edits.owns_nothing", power=power)
            return Advice(problem=problem, instead=f"free {self.board.abbr(centre)}")
        return None

    def canoes_objection(self, at: Province, count: int) -> Advice | None:
        """Return why a province can't have so many canoe-fleets, or None."""
        if at not in self.board.shores:
            return Advice(problem=sentence("diplomacy.places.not_a_shore", place=self.board.name(at)))
        if count > MAX_CANOES_PER_PROVINCE:
            return Advice(
                problem=sentence("diplomacy.edits.too_many_canoes"),
                instead=sentence("diplomacy.edits.most_canoes", number=MAX_CANOES_PER_PROVINCE),
            )
        return None

    def taboo_objection(self, stands: bool) -> Advice | None:
        """Return why the taboo can't be restored or lifted, or None."""
        taboo = self.board.chart.taboo
        if stands and taboo is not None and taboo in self._standing:
            return Advice(
                problem=sentence("diplomacy.edits.taboo_entered", place=self.board.name(taboo)),
                instead=sentence("diplomacy.edits.remove_unit_first", place=self.board.abbr(taboo)),
            )
        return None

    def ban_objection(self, power: Seat, until: int | None) -> Advice | None:
        """Return why a nation's builds can't be banned up to a year's Winter or allowed again, or None."""
        year = self.state.phase.year
        if power not in self.board.powers:
            return Advice(problem=sentence("diplomacy.edits.builds_nothing", power=nation(power)))
        if until is None or until >= year:
            return None
        return Advice(
            problem=sentence("diplomacy.edits.year_over", year=until),
            instead=sentence("diplomacy.edits.years_left", year=year),
        )

    # The position after an edit.

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

    def remove_unit(self, at: Province) -> State:
        """Return the state without the unit of a province."""
        return replace_fields(
            self.state,
            units=tuple(unit for unit in self.state.units if unit.at != at),
            bay_entered={water: since for water, since in self.state.bay_entered.items() if water != at},
            bay_from={water: origin for water, origin in self.state.bay_from.items() if water != at},
        )

    def remove_dislodged(self, at: Province) -> State:
        """Return the state without the dislodged unit of a province."""
        beaten = tuple(beaten_unit for beaten_unit in self.state.beaten if beaten_unit.unit.at != at)
        return replace_fields(self.state, beaten=beaten)

    def move_unit(self, at: Province, to: Province) -> State:
        """Return the state with the unit of a province at another spot."""
        return self._without(at).add_unit(self._standing[at].moved_to(to))

    def set_owner(self, centre: Province, power: Seat | None) -> State:
        """Return the state with another owner of a supply centre, or none."""
        owners = {**self.state.centres, centre: power}
        kept = ((at, owners.get(at)) for at in self.board.centres)
        return replace_fields(self.state, centres={at: owner for at, owner in kept if owner})

    def set_canoes(self, at: Province, count: int) -> State:
        """Return the state with `count` canoe-fleets in a province."""
        counts = {**self.state.canoes, at: count}
        return replace_fields(
            self.state, canoes={at: counts[at] for at in self.board.in_board_order(counts) if counts[at]}
        )

    def ban_builds(self, power: Seat, until: int | None) -> State:
        """Return the state with a ban on a nation's builds up to a year's Winter, or without a ban."""
        bans = {**self.state.build_ban, power: until}
        kept = ((nation, bans.get(nation)) for nation in self.board.powers)
        return replace_fields(
            self.state, build_ban={nation: year for nation, year in kept if year is not None}
        )

    def _without(self, at: Province) -> "EditedPosition":
        return replace(self, state=self.remove_unit(at))

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
        return Phase(season=(passed or moves)[-1], year=phase.year - (not passed), kind="M")


YEARS_OF_BAN = 20
"""The most years that a ban on builds can last from now."""


class PlaceUnit(Edit, frozen=True, kw_only=True):
    """Places a unit: ``place W MHK for Iroquois``."""

    unit: Unit


class RemoveUnit(Edit, frozen=True, kw_only=True):
    """Removes a unit, ``remove MHK``, or if `beaten` a dislodged unit, ``remove dislodged MHK``."""

    at: Province
    beaten: bool = False


class MoveUnit(Edit, frozen=True, kw_only=True):
    """Moves a unit to the spot `to`: ``move MHK to DEL``."""

    at: Province
    to: Province


class SetOwner(Edit, frozen=True, kw_only=True):
    """Sets the owner of a supply centre, ``give DEL to Iroquois``, or none, ``free DEL``."""

    centre: Province
    power: Seat | None = None


class SetCanoes(Edit, frozen=True, kw_only=True):
    """Sets the number of canoe-fleets in a province: ``canoes MHK 2``."""

    at: Province
    count: int


class SetTaboo(Edit, frozen=True, kw_only=True):
    """Restores or lifts the taboo: ``taboo on``, ``taboo off``."""

    stands: bool


class SetBan(Edit, frozen=True, kw_only=True):
    """Bans builds up to a year's Winter, ``ban Iroquois until 3``, or allows them, ``unban Iroquois``."""

    power: Seat
    until: int | None = None


AnyEdit = PlaceUnit | RemoveUnit | MoveUnit | SetOwner | SetCanoes | SetTaboo | SetBan

_ON_BOARD: tuple[tuple[str, str, str], ...] = (
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
    ("remove", "(remove|delete|take off) [{kind:kind}] (in|at|from|) {at:province}", "remove {a}"),
    (
        "remove-beaten",
        "(remove|delete|take off) (dislodged|beaten) [{kind:kind}] (in|at|from|) {at:province}",
        "remove dislodged {a}",
    ),
    ("move", "(move|shift) [{kind:kind}] (from|) {at:province} (to|-) {to:province}", "move {a} to {b}"),
    ("give", "give {at:province} to {power:nation}", "give {a} to {n}"),
    ("give", "{power:nation} (owns|gets|takes) {at:province}", "{n} owns {A}"),
    ("free", "free {at:province}", "free {a}"),
    ("free", "(nobody|no one) (owns|gets) {at:province}", "nobody owns {A}"),
)
_CANOE_EDIT_FORMS = (
    ("canoes", "(canoes|canoe-fleets|canoe) (in|at|) {at:province} (to|=|) {count:number}", "canoes {h} 2"),
)
_TABOO = (
    ("taboo-on", "taboo (on|stands|restored)", "taboo on"),
    ("taboo-off", "taboo (off|lifted|broken)", "taboo off"),
    ("ban", "ban {power:nation} (until|to|till) [year] {count:number}", "ban {n} until 3"),
    ("unban", "(unban|allow builds of|lift ban of) {power:nation}", "unban {n}"),
)


class DiplomacyEdits(Edits[State, AnyEdit]):
    """The edits of one board."""

    edit_type: Any = AnyEdit

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        board, chart = variant.board, variant.board.chart
        rows = (
            _ON_BOARD
            + (_CANOE_EDIT_FORMS if variant.rulebook.canoes else ())
            + (_TABOO if chart.taboo else ())
        )
        names = _examples(board)
        self._counts = any("{count:number}" in pattern for _, pattern, _ in rows)
        self._forms = tuple(Form(name=n, pattern=p, example=e.format(**names)) for n, p, e in rows)
        self._kinds = tuple(_kind_term(kind) for kind in board.kinds)

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
        return (*self._notation.lexicon(state), *self._kinds, *numbers)

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """Return the edit of a matched form. Raises KeyError for an unknown form."""
        at = split_spot(Province(slots.get("at", "")))[0]
        power = Seat(slots.get("power", ""))
        makers: dict[str, Callable[[], AnyEdit]] = {
            "place": lambda: PlaceUnit(unit=_unit(power, slots["kind"], Province(slots["at"]))),
            "remove": lambda: RemoveUnit(at=at),
            "remove-beaten": lambda: RemoveUnit(at=at, beaten=True),
            "move": lambda: MoveUnit(at=at, to=Province(slots["to"])),
            "give": lambda: SetOwner(centre=at, power=power),
            "free": lambda: SetOwner(centre=at),
            "canoes": lambda: SetCanoes(at=at, count=int(slots["count"])),
            "taboo-on": lambda: SetTaboo(stands=True),
            "taboo-off": lambda: SetTaboo(stands=False),
            "ban": lambda: SetBan(power=power, until=int(slots["count"])),
            "unban": lambda: SetBan(power=power),
        }
        return makers[form]()

    def write(self, edit: AnyEdit) -> str:
        """Return the canonical text: ``place W MHK for Iroquois``."""
        abbr = self._variant.board.abbr
        if isinstance(edit, PlaceUnit):
            return f"place {edit.unit.kind} {abbr(edit.unit.spot)} for {edit.unit.power}"
        if isinstance(edit, RemoveUnit):
            return f"remove {'dislodged ' * edit.beaten}{abbr(edit.at)}"
        if isinstance(edit, MoveUnit):
            return f"move {abbr(edit.at)} to {abbr(edit.to)}"
        if isinstance(edit, SetOwner):
            return f"give {abbr(edit.centre)} to {edit.power}" if edit.power else f"free {abbr(edit.centre)}"
        if isinstance(edit, SetCanoes):
            return f"canoes {abbr(edit.at)} {edit.count}"
        if isinstance(edit, SetTaboo):
            return f"taboo {'on' if edit.stands else 'off'}"
        if isinstance(edit, SetBan):
            return f"ban {edit.power} until {edit.until}" if edit.until is not None else f"unban {edit.power}"
        assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return why the edit is impossible on this board in this position, or None."""
        context = self._edited(state)
        if isinstance(edit, PlaceUnit):
            return context.entry_objection(edit.unit)
        if isinstance(edit, RemoveUnit):
            return context.removal_objection(edit.at, edit.beaten)
        if isinstance(edit, MoveUnit):
            return context.move_objection(edit.at, edit.to)
        if isinstance(edit, SetOwner):
            return context.owner_objection(edit.centre, edit.power)
        if isinstance(edit, SetCanoes):
            return context.canoes_objection(edit.at, edit.count)
        if isinstance(edit, SetTaboo):
            return context.taboo_objection(edit.stands)
        if isinstance(edit, SetBan):
            return context.ban_objection(edit.power, edit.until)
        assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the state after the edit."""
        context = self._edited(state)
        if isinstance(edit, PlaceUnit):
            return context.add_unit(edit.unit)
        if isinstance(edit, RemoveUnit):
            return context.remove_dislodged(edit.at) if edit.beaten else context.remove_unit(edit.at)
        if isinstance(edit, MoveUnit):
            return context.move_unit(edit.at, edit.to)
        if isinstance(edit, SetOwner):
            return context.set_owner(edit.centre, edit.power)
        if isinstance(edit, SetCanoes):
            return context.set_canoes(edit.at, edit.count)
        if isinstance(edit, SetTaboo):
            return replace_fields(state, taboo=edit.stands)
        if isinstance(edit, SetBan):
            return context.ban_builds(edit.power, edit.until)
        assert_never(edit)

    def _edited(self, state: State) -> EditedPosition:
        variant = self._variant.under(state.options)
        return EditedPosition(variant.board, variant.rulebook, state)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Return the edit in a sentence. Nothing is hidden on these boards."""
        name = self._variant.board.name
        if isinstance(edit, PlaceUnit):
            return sentence("diplomacy.edits.placed", unit=troop(edit.unit), place=name(edit.unit.spot))
        if isinstance(edit, RemoveUnit):
            slug = "diplomacy.edits.dislodged_removed" if edit.beaten else "diplomacy.edits.removed"
            return sentence(slug, place=name(edit.at))
        if isinstance(edit, MoveUnit):
            return sentence("diplomacy.edits.moved", place=name(edit.at), goal=name(edit.to))
        if isinstance(edit, SetOwner):
            slug = "diplomacy.edits.given" if edit.power else "diplomacy.edits.freed"
            return sentence(slug, place=name(edit.centre), power=edit.power)
        if isinstance(edit, SetCanoes):
            number = small(edit.count)
            return sentence("diplomacy.edits.canoes", count=edit.count, number=number, place=name(edit.at))
        if isinstance(edit, SetTaboo):
            taboo = self._variant.board.chart.taboo
            assert taboo is not None, "only boards with a taboo have this form"
            slug = "diplomacy.edits.taboo_on" if edit.stands else "diplomacy.edits.taboo_off"
            return sentence(slug, place=name(taboo))
        if isinstance(edit, SetBan):
            slug = "diplomacy.edits.ban_lifted" if edit.until is None else "diplomacy.edits.banned"
            return sentence(slug, power=edit.power, year=edit.until)
        assert_never(edit)


def _unit(power: Seat, kind: str, spot: Province) -> Unit:
    at, coast = split_spot(spot)
    return Unit(power=power, kind=kind, at=at, coast=coast)  # type: ignore[arg-type]  # a term of that sort


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
