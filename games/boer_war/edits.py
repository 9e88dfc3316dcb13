"""Changes that a gamesmaster can make by hand in The Second Boer War: implements `protocol.Edits`.

SP that they give or take away are recorded as brought into the game, or not, so that the sum of what is on
the map, in pools and boxes, and lost stays right.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, assert_never

from games.boer_war import applying_edits, names
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.model import SIDE_NAMES, State
from games.boer_war.notation import in_map_order
from games.boer_war.phrases import link_name
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import Advice, Edit, Form, Lexicon, Seat

MarkerName = Literal["cut", "blockhouse"]
StockName = Literal["pool", "scattered"]
TallyName = Literal["recruit pool", "R"]


class PutLeader(Edit, frozen=True, kw_only=True):
    """``BUL at DUR with 3``: wherever he was."""

    leader: LeaderId
    at: Point
    sp: int


class DropLeader(Edit, frozen=True, kw_only=True):
    """``BUL to the box``, ``BUL out of the game``: off the map, and his SP with him."""

    leader: LeaderId
    to: Literal["box", "out"]


class SetGarrison(Edit, frozen=True, kw_only=True):
    """``garrison of DUR 2``"""

    at: Point
    sp: int


class SetControl(Edit, frozen=True, kw_only=True):
    """``COL is Boer``"""

    at: Point
    side: Side


class SetMark(Edit, frozen=True, kw_only=True):
    """``cut ORS-MOD``, ``no cut ORS-MOD``, ``blockhouse KRO-VER``, ``no blockhouse KRO-VER``"""

    mark: MarkerName
    link: Link
    lies: bool


class SetCamp(Edit, frozen=True, kw_only=True):
    """``camp KRO``, ``no camp KRO``"""

    at: Point
    lies: bool


class SetTrench(Edit, frozen=True, kw_only=True):
    """``entrench COS Boers``, ``no entrenchment COS Boers``"""

    at: Point
    side: Side
    lies: bool


class SetSiege(Edit, frozen=True, kw_only=True):
    """``siege LAD 2``"""

    at: Point
    level: int


class SetStock(Edit, frozen=True, kw_only=True):
    """``Empire pool 5``, ``Boers scattered 3``"""

    stock: StockName
    side: Side
    sp: int


class SetTally(Edit, frozen=True, kw_only=True):
    """``recruit pool 10``, ``R 4``"""

    tally: TallyName
    number: int


class SetCounters(Edit, frozen=True, kw_only=True):
    """``Boers counters 2 3 1``: how many of each number lie open."""

    side: Side
    counters: RoundCounters


AnyEdit = (
    PutLeader
    | DropLeader
    | SetGarrison
    | SetControl
    | SetMark
    | SetCamp
    | SetTrench
    | SetSiege
    | SetStock
    | SetTally
    | SetCounters
)

_LINK_PATTERN = "{a1:point} [(-|to|and)] {b1:point}"
_EDIT_FORMS = tuple(
    Form(name=form, pattern=pattern, example=example)
    for form, pattern, example in (
        ("leader", "{leader:leader} (at|to|in) {at:point} with {sp:number} [sp]", "BUL at DUR with 3"),
        ("box", "{leader:leader} (to|in|into) [the] box", "BUL to the box"),
        ("out", "{leader:leader} out [of the game]", "GAT out of the game"),
        ("garrison", "garrison [of|at|in] {at:point} [with] {sp:number} [sp]", "garrison of DUR 2"),
        ("control", "{at:point} (is|to|under) [the] {side:side}", "COL is Boer"),
        ("cut", f"cut {_LINK_PATTERN}", "cut ORS-MOD"),
        ("no-cut", f"(no cut|mend|repair) {_LINK_PATTERN}", "no cut ORS-MOD"),
        ("blockhouse", f"blockhouse {_LINK_PATTERN}", "blockhouse KRO-VER"),
        ("no-blockhouse", f"no blockhouse {_LINK_PATTERN}", "no blockhouse KRO-VER"),
        ("camp", "camp [at|in] {at:point}", "camp KRO"),
        ("no-camp", "no camp [at|in] {at:point}", "no camp KRO"),
        ("trench", "entrench {at:point} [for] [the] {side:side}", "entrench COS Boers"),
        (
            "no-trench",
            "no entrenchment [at|in] {at:point} [for] [the] {side:side}",
            "no entrenchment COS Boers",
        ),
        ("siege", "siege [of] {at:point} [at|level] {sp:number}", "siege LAD 2"),
        ("pool", "{side:side} pool {sp:number} [sp]", "Empire pool 5"),
        ("scattered", "{side:side} scattered {sp:number} [sp]", "Boers scattered 3"),
        ("recruits", "recruit pool {sp:number} [sp]", "recruit pool 10"),
        ("r", "r {sp:number}", "R 4"),
        (
            "counters",
            "{side:side} counters {ones:number} {twos:number} {threes:number}",
            "Boers counters 2 3 1",
        ),
    )
)


class BoerWarEdits:
    """The changes."""

    edit_type: Any = AnyEdit
    forms = _EDIT_FORMS

    def lexicon(self, state: State) -> Lexicon:
        """Return the names that stand in orders."""
        return names.order_lexicon(state.options.get(DATA))

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """Return the change of a matched form. Raises KeyError for a form that is not ours."""
        return _EDIT_BUILDERS[form](in_map_order(state.board, slots))

    def write(self, edit: AnyEdit) -> str:
        """Return the canonical text: ``BUL at DUR with 3``."""
        match edit:
            case PutLeader():
                return f"{edit.leader} at {edit.at} with {edit.sp}"
            case DropLeader():
                return f"{edit.leader} {'to the box' if edit.to == 'box' else 'out of the game'}"
            case SetGarrison():
                return f"garrison of {edit.at} {edit.sp}"
            case SetControl():
                return f"{edit.at} is {_CONTROL_ADJECTIVES[edit.side]}"
            case SetMark():
                return _with_no(edit.lies, f"{edit.mark} {edit.link}")
            case SetCamp():
                return _with_no(edit.lies, f"camp {edit.at}")
            case SetTrench():
                return f"{'entrench' if edit.lies else 'no entrenchment'} {edit.at} {SIDE_NAMES[edit.side]}"
            case SetSiege():
                return f"siege {edit.at} {edit.level}"
            case SetStock():
                return f"{SIDE_NAMES[edit.side]} {edit.stock} {edit.sp}"
            case SetTally():
                return f"{edit.tally} {edit.number}"
            case SetCounters():
                lie = edit.counters
                return f"{SIDE_NAMES[edit.side]} counters {lie.ones} {lie.twos} {lie.threes}"
            case _:
                assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return why the change is impossible now; None if it can be made."""
        if state.ended is not None:
            return Advice(problem="the game is over")
        if isinstance(edit, SetCounters):
            return applying_edits.check_counters(state, edit.side, edit.counters)
        if state.mode == "table":
            return Advice(problem="the board lies on the player's own table; only counters can be changed")
        match edit:
            case PutLeader():
                return applying_edits.check_leader(state, edit.leader, edit.at, edit.sp)
            case DropLeader():
                return applying_edits.check_drop(state, edit.leader, edit.to)
            case SetGarrison():
                return applying_edits.check_garrison(state, edit.at)
            case SetControl():
                return applying_edits.check_control(state, edit.at, edit.side)
            case SetMark():
                return applying_edits.check_mark(state, edit.mark, edit.link, edit.lies)
            case SetCamp():
                return applying_edits.check_camp(state, edit.at, edit.lies)
            case SetTrench():
                return applying_edits.check_trench(state, edit.at, edit.side, edit.lies)
            case SetSiege():
                return applying_edits.check_siege(state, edit.at, edit.level)
            case SetStock():
                return applying_edits.check_stock(state, edit.stock, edit.side)
            case SetTally():
                return applying_edits.check_tally(state, edit.tally)
            case _:
                assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the position after it."""
        match edit:
            case PutLeader():
                return applying_edits.put_leader(state, edit.leader, edit.at, edit.sp)
            case DropLeader():
                return applying_edits.drop_leader(state, edit.leader, edit.to)
            case SetGarrison():
                return applying_edits.put_garrison(state, edit.at, edit.sp)
            case SetControl():
                return applying_edits.put_control(state, edit.at, edit.side)
            case SetMark():
                return applying_edits.put_mark(state, edit.mark, edit.link, edit.lies)
            case SetCamp():
                return applying_edits.put_camp(state, edit.at, edit.lies)
            case SetTrench():
                return applying_edits.put_trench(state, edit.at, edit.side, edit.lies)
            case SetSiege():
                return applying_edits.put_siege(state, edit.at, edit.level)
            case SetStock():
                return applying_edits.put_stock(state, edit.stock, edit.side, edit.sp)
            case SetTally():
                return applying_edits.put_tally(state, edit.tally, edit.number)
            case SetCounters():
                return applying_edits.put_counters(state, edit.side, edit.counters)
            case _:
                assert_never(edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Return the change in a sentence; all of it is public."""
        match edit:
            case PutLeader():
                return (
                    f"{names.leader_name(edit.leader)} was put at {names.place_name(edit.at)} with "
                    f"{edit.sp} SP."
                )
            case DropLeader():
                return (
                    f"{names.leader_name(edit.leader)} was taken off the map"
                    f"{', into the Reorganization box' if edit.to == 'box' else ' and is out of the game'}."
                )
            case SetGarrison():
                return f"The garrison of {names.place_name(edit.at)} was set to {edit.sp} SP."
            case SetControl():
                return f"{names.place_name(edit.at)} was put under {_CONTROL_ADJECTIVES[edit.side]} control."
            case SetMark():
                return f"A {edit.mark} marker was {_set_or_removed(edit.lies)} on {link_name(edit.link)}."
            case SetCamp():
                return f"A camp marker was {_set_or_removed(edit.lies)} at {names.place_name(edit.at)}."
            case SetTrench():
                whose = f"An entrenchment of the {SIDE_NAMES[edit.side]}"
                return f"{whose} was {_set_or_removed(edit.lies)} at {names.place_name(edit.at)}."
            case SetSiege():
                return f"The siege of {names.place_name(edit.at)} was set to level {edit.level}."
            case SetStock():
                stock = "pool" if edit.stock == "pool" else "Scattered box"
                return f"{SIDE_NAMES[edit.side]}: the {stock} was set to {edit.sp} SP."
            case SetTally():
                what = "The recruit pool" if edit.tally == "recruit pool" else "R"
                return f"{what} was set to {edit.number}."
            case SetCounters():
                lie = edit.counters
                return (
                    f"{SIDE_NAMES[edit.side]}: the open Action counters were set to {lie.ones} of one, "
                    f"{lie.twos} of two, {lie.threes} of three."
                )
            case _:
                assert_never(edit)


def _side(slots: Mapping[str, str]) -> Side:
    return "boers" if slots["side"] == "boers" else "empire"


def _at(slots: Mapping[str, str]) -> Point:
    return Point(slots["at"])


def _link(slots: Mapping[str, str]) -> Link:
    return Link(f"{slots['a1']}-{slots['b1']}")


def _leader(slots: Mapping[str, str]) -> LeaderId:
    return LeaderId(slots["leader"])


def _counters(slots: Mapping[str, str]) -> RoundCounters:
    return RoundCounters(ones=int(slots["ones"]), twos=int(slots["twos"]), threes=int(slots["threes"]))


_EDIT_BUILDERS: Mapping[str, Callable[[Mapping[str, str]], AnyEdit]] = {
    "leader": lambda s: PutLeader(leader=_leader(s), at=_at(s), sp=int(s["sp"])),
    "box": lambda s: DropLeader(leader=_leader(s), to="box"),
    "out": lambda s: DropLeader(leader=_leader(s), to="out"),
    "garrison": lambda s: SetGarrison(at=_at(s), sp=int(s["sp"])),
    "control": lambda s: SetControl(at=_at(s), side=_side(s)),
    "cut": lambda s: SetMark(mark="cut", link=_link(s), lies=True),
    "no-cut": lambda s: SetMark(mark="cut", link=_link(s), lies=False),
    "blockhouse": lambda s: SetMark(mark="blockhouse", link=_link(s), lies=True),
    "no-blockhouse": lambda s: SetMark(mark="blockhouse", link=_link(s), lies=False),
    "camp": lambda s: SetCamp(at=_at(s), lies=True),
    "no-camp": lambda s: SetCamp(at=_at(s), lies=False),
    "trench": lambda s: SetTrench(at=_at(s), side=_side(s), lies=True),
    "no-trench": lambda s: SetTrench(at=_at(s), side=_side(s), lies=False),
    "siege": lambda s: SetSiege(at=_at(s), level=int(s["sp"])),
    "pool": lambda s: SetStock(stock="pool", side=_side(s), sp=int(s["sp"])),
    "scattered": lambda s: SetStock(stock="scattered", side=_side(s), sp=int(s["sp"])),
    "recruits": lambda s: SetTally(tally="recruit pool", number=int(s["sp"])),
    "r": lambda s: SetTally(tally="R", number=int(s["sp"])),
    "counters": lambda s: SetCounters(side=_side(s), counters=_counters(s)),
}


def _with_no(lies: bool, text: str) -> str:
    return text if lies else f"no {text}"


_CONTROL_ADJECTIVES: Mapping[Side, str] = {"boers": "Boer", "empire": "Empire"}


def _set_or_removed(lies: bool) -> str:
    return "set" if lies else "taken away"
