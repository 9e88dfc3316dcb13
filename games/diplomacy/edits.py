"""The edits that a gamesmaster may make on a board of the family: implements `protocol.Edits`."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, assert_never

from games.diplomacy.applying_edits import MAX_CANOES_PER_PROVINCE, EditedPosition
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import Kind, Province, State, Unit, split_spot
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.phrases import UNIT_KIND_NAMES, count_noun, troop
from games.protocol import Advice, Edit, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields

YEARS_OF_BAN = 20
"""A ban on builds ends so many years from now at the latest."""


class PlaceUnit(Edit, frozen=True, kw_only=True):
    """``place W MHK for Iroquois``"""

    unit: Unit


class RemoveUnit(Edit, frozen=True, kw_only=True):
    """``remove MHK``; beaten: one that was dislodged and has to retreat, ``remove dislodged MHK``."""

    at: Province
    beaten: bool = False


class MoveUnit(Edit, frozen=True, kw_only=True):
    """``move MHK to DEL``. to: a spot."""

    at: Province
    to: Province


class SetOwner(Edit, frozen=True, kw_only=True):
    """``give DEL to Iroquois``, ``free DEL`` (power None)."""

    centre: Province
    power: Seat | None = None


class SetCanoes(Edit, frozen=True, kw_only=True):
    """``canoes MHK 2``: so many canoe-fleets lie there."""

    at: Province
    count: int


class SetTaboo(Edit, frozen=True, kw_only=True):
    """``taboo on``, ``taboo off``"""

    stands: bool


class SetBan(Edit, frozen=True, kw_only=True):
    """``ban Iroquois until 3``: no builds up to that year's Winter; ``unban Iroquois`` (until None)."""

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


class DiplomacyEdits:
    """The changes that one board knows."""

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
        """Units, owners; canoe-fleets, the taboo and bans on the boards that have them."""
        return self._forms

    def lexicon(self, state: State) -> Lexicon:
        """The names of the board, kinds of units, numbers of canoe-fleets, and years to come."""
        years = range(state.phase.year, state.phase.year + YEARS_OF_BAN + 1)
        counted = sorted({*range(MAX_CANOES_PER_PROVINCE + 1), *years}) if self._counts else ()
        numbers = (LexiconEntry(sort="number", id=str(n), names=(str(n),)) for n in counted)
        return (*self._notation.lexicon(state), *self._kinds, *numbers)

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """The change of a matched form. Raises KeyError for a form that is not ours."""
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
        """The canonical text: ``place W MHK for Iroquois``."""
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
        """Why it cannot be on this board, in this position."""
        desk = self._desk(state)
        if isinstance(edit, PlaceUnit):
            return desk.entry_objection(edit.unit)
        if isinstance(edit, RemoveUnit):
            return desk.removal_objection(edit.at, edit.beaten)
        if isinstance(edit, MoveUnit):
            return desk.no_way(edit.at, edit.to)
        if isinstance(edit, SetOwner):
            return desk.owner_objection(edit.centre, edit.power)
        if isinstance(edit, SetCanoes):
            return desk.no_canoes(edit.at, edit.count)
        if isinstance(edit, SetTaboo):
            return desk.no_taboo(edit.stands)
        if isinstance(edit, SetBan):
            return desk.no_ban(edit.power, edit.until)
        assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """The position after it."""
        desk = self._desk(state)
        if isinstance(edit, PlaceUnit):
            return desk.add_unit(edit.unit)
        if isinstance(edit, RemoveUnit):
            return desk.remove_dislodged(edit.at) if edit.beaten else desk.remove_unit(edit.at)
        if isinstance(edit, MoveUnit):
            return desk.move_unit(edit.at, edit.to)
        if isinstance(edit, SetOwner):
            return desk.set_owner(edit.centre, edit.power)
        if isinstance(edit, SetCanoes):
            return desk.set_canoes(edit.at, edit.count)
        if isinstance(edit, SetTaboo):
            return replace_fields(state, taboo=edit.stands)
        if isinstance(edit, SetBan):
            return desk.ban_builds(edit.power, edit.until)
        assert_never(edit)

    def _desk(self, state: State) -> EditedPosition:
        variant = self._variant.under(state.options)
        return EditedPosition(variant.board, variant.rulebook, state)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """The change in a sentence; nothing on these boards is hidden."""
        name = self._variant.board.name
        if isinstance(edit, PlaceUnit):
            return f"There is now {troop(edit.unit)} in {name(edit.unit.spot)}."
        if isinstance(edit, RemoveUnit):
            return f"The {'dislodged ' * edit.beaten}unit in {name(edit.at)} was removed."
        if isinstance(edit, MoveUnit):
            return f"The unit in {name(edit.at)} was moved to {name(edit.to)}."
        if isinstance(edit, SetOwner):
            return f"{name(edit.centre)} now belongs to {edit.power or 'nobody'}."
        if isinstance(edit, SetCanoes):
            lie = "lies" if edit.count == 1 else "lie"
            return f"In {name(edit.at)} now {lie} {count_noun(edit.count, 'canoe-fleet')}."
        if isinstance(edit, SetTaboo):
            taboo = self._variant.board.chart.taboo
            assert taboo is not None, "no other board has this form"
            return f"{name(taboo)} is {'taboo again' if edit.stands else 'no longer taboo'}."
        if isinstance(edit, SetBan):
            if edit.until is None:
                return f"{edit.power} may build again."
            return f"{edit.power} builds nothing up to the Winter of year {edit.until}."
        assert_never(edit)


def _unit(power: Seat, kind: str, spot: Province) -> Unit:
    at, coast = split_spot(spot)
    return Unit(power=power, kind=kind, at=at, coast=coast)  # type: ignore[arg-type]  # a term of that sort


def _kind_term(kind: Kind) -> LexiconEntry:
    more = ("WP",) if kind == "W" else ()
    return LexiconEntry(sort="kind", id=kind, names=(UNIT_KIND_NAMES[kind], kind, *more))


def _examples(board: Board) -> dict[str, str]:
    """Names for the examples: a nation n, its first centre a, a free neighbour b, a shore h, a kind k."""
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
