"""What a gamesmaster may change by hand in The Second Boer War: implements `protocol.Edits`.

SP that he gives or takes away are written into the books as brought into the game, or not, so that the sum of
what is on the map, in pools and boxes, and lost stays right.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from games.boer_war import applying_edits, names
from games.boer_war.board import board
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.model import SIDE_NAMES, State
from games.boer_war.phrases import linked
from games.pool import Counters
from games.protocol import Advice, Edit, Form, Lexicon, Seat

Mark = Literal["cut", "blockhouse"]
Stock = Literal["pool", "scattered"]
Tally = Literal["recruit pool", "R"]


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

    mark: Mark
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

    stock: Stock
    side: Side
    sp: int


class SetTally(Edit, frozen=True, kw_only=True):
    """``recruit pool 10``, ``R 4``"""

    tally: Tally
    number: int


class SetCounters(Edit, frozen=True, kw_only=True):
    """``Boers counters 2 3 1``: how many of each number lie open."""

    side: Side
    counters: Counters


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

_LINK = "{a1:point} [(-|to|and)] {b1:point}"
_FORMS = tuple(
    Form(name=form, pattern=pattern, example=example)
    for form, pattern, example in (
        ("leader", "{leader:leader} (at|to|in) {at:point} with {sp:number} [sp]", "BUL at DUR with 3"),
        ("box", "{leader:leader} (to|in|into) [the] box", "BUL to the box"),
        ("out", "{leader:leader} out [of the game]", "GAT out of the game"),
        ("garrison", "garrison [of|at|in] {at:point} [with] {sp:number} [sp]", "garrison of DUR 2"),
        ("control", "{at:point} (is|to|under) [the] {side:side}", "COL is Boer"),
        ("cut", f"cut {_LINK}", "cut ORS-MOD"),
        ("no-cut", f"(no cut|mend|repair) {_LINK}", "no cut ORS-MOD"),
        ("blockhouse", f"blockhouse {_LINK}", "blockhouse KRO-VER"),
        ("no-blockhouse", f"no blockhouse {_LINK}", "no blockhouse KRO-VER"),
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
    forms = _FORMS

    def lexicon(self, state: State) -> Lexicon:
        """The names that stand in orders."""
        return names.lexicon()

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """The change of a matched form. Raises KeyError for a form that is not ours."""
        return _BUILD[form](slots)

    def write(self, edit: AnyEdit) -> str:
        """The canonical text: ``BUL at DUR with 3``."""
        return _WRITE[type(edit)](edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Why it cannot be now."""
        if state.ended is not None:
            return Advice(problem="the game is over")
        if isinstance(edit, SetCounters):
            return applying_edits.no_counters(state, edit.side, edit.counters)
        if state.mode == "table":
            return Advice(problem="the board lies on the player's own table; only counters can be changed")
        return _CHECK[type(edit)](state, edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """The position after it."""
        return _APPLY[type(edit)](state, edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """The change in a sentence; all of it is public."""
        return _TELL[type(edit)](edit)


def _side(slots: Mapping[str, str]) -> Side:
    return "boers" if slots["side"] == "boers" else "empire"


def _at(slots: Mapping[str, str]) -> Point:
    return Point(slots["at"])


def _link(slots: Mapping[str, str]) -> Link:
    a, b = Point(slots["a1"]), Point(slots["b1"])
    return board().link(a, b) or Link(f"{a}-{b}")


def _leader(slots: Mapping[str, str]) -> LeaderId:
    return LeaderId(slots["leader"])


def _counters(slots: Mapping[str, str]) -> Counters:
    return Counters(ones=int(slots["ones"]), twos=int(slots["twos"]), threes=int(slots["threes"]))


_BUILD: Mapping[str, Callable[[Mapping[str, str]], AnyEdit]] = {
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


def _no(lies: bool, text: str) -> str:
    return text if lies else f"no {text}"


_ADJECTIVE: Mapping[Side, str] = {"boers": "Boer", "empire": "Empire"}
_WRITE: Mapping[type, Callable[[Any], str]] = {
    PutLeader: lambda e: f"{e.leader} at {e.at} with {e.sp}",
    DropLeader: lambda e: f"{e.leader} {'to the box' if e.to == 'box' else 'out of the game'}",
    SetGarrison: lambda e: f"garrison of {e.at} {e.sp}",
    SetControl: lambda e: f"{e.at} is {_ADJECTIVE[e.side]}",
    SetMark: lambda e: _no(e.lies, f"{e.mark} {e.link}"),
    SetCamp: lambda e: _no(e.lies, f"camp {e.at}"),
    SetTrench: lambda e: f"{'entrench' if e.lies else 'no entrenchment'} {e.at} {SIDE_NAMES[e.side]}",
    SetSiege: lambda e: f"siege {e.at} {e.level}",
    SetStock: lambda e: f"{SIDE_NAMES[e.side]} {e.stock} {e.sp}",
    SetTally: lambda e: f"{e.tally} {e.number}",
    SetCounters: lambda e: (
        f"{SIDE_NAMES[e.side]} counters {e.counters.ones} {e.counters.twos} {e.counters.threes}"
    ),
}
_CHECK: Mapping[type, Callable[[State, Any], Advice | None]] = {
    PutLeader: lambda s, e: applying_edits.no_leader(s, e.leader, e.at, e.sp),
    DropLeader: lambda s, e: applying_edits.no_drop(s, e.leader, e.to),
    SetGarrison: lambda s, e: applying_edits.no_garrison(s, e.at),
    SetControl: lambda s, e: applying_edits.no_control(s, e.at, e.side),
    SetMark: lambda s, e: applying_edits.no_mark(s, e.mark, e.link, e.lies),
    SetCamp: lambda s, e: applying_edits.no_camp(s, e.at, e.lies),
    SetTrench: lambda s, e: applying_edits.no_trench(s, e.at, e.side, e.lies),
    SetSiege: lambda s, e: applying_edits.no_siege(s, e.at, e.level),
    SetStock: lambda s, e: applying_edits.no_stock(s, e.stock, e.side),
    SetTally: lambda s, e: applying_edits.no_tally(s, e.tally),
}
_APPLY: Mapping[type, Callable[[State, Any], State]] = {
    PutLeader: lambda s, e: applying_edits.put_leader(s, e.leader, e.at, e.sp),
    DropLeader: lambda s, e: applying_edits.drop_leader(s, e.leader, e.to),
    SetGarrison: lambda s, e: applying_edits.put_garrison(s, e.at, e.sp),
    SetControl: lambda s, e: applying_edits.put_control(s, e.at, e.side),
    SetMark: lambda s, e: applying_edits.put_mark(s, e.mark, e.link, e.lies),
    SetCamp: lambda s, e: applying_edits.put_camp(s, e.at, e.lies),
    SetTrench: lambda s, e: applying_edits.put_trench(s, e.at, e.side, e.lies),
    SetSiege: lambda s, e: applying_edits.put_siege(s, e.at, e.level),
    SetStock: lambda s, e: applying_edits.put_stock(s, e.stock, e.side, e.sp),
    SetTally: lambda s, e: applying_edits.put_tally(s, e.tally, e.number),
    SetCounters: lambda s, e: applying_edits.put_counters(s, e.side, e.counters),
}


def _was(lies: bool) -> str:
    return "set" if lies else "taken away"


_TELL: Mapping[type, Callable[[Any], str]] = {
    PutLeader: lambda e: f"{names.leader(e.leader)} was put at {names.place(e.at)} with {e.sp} SP.",
    DropLeader: lambda e: (
        f"{names.leader(e.leader)} was taken off the map"
        f"{', into the Reorganization box' if e.to == 'box' else ' and is out of the game'}."
    ),
    SetGarrison: lambda e: f"The garrison of {names.place(e.at)} was set to {e.sp} SP.",
    SetControl: lambda e: f"{names.place(e.at)} was put under {_ADJECTIVE[e.side]} control.",
    SetMark: lambda e: f"A {e.mark} marker was {_was(e.lies)} on {linked(e.link)}.",
    SetCamp: lambda e: f"A camp marker was {_was(e.lies)} at {names.place(e.at)}.",
    SetTrench: lambda e: (
        f"An entrenchment of the {SIDE_NAMES[e.side]} was {_was(e.lies)} at {names.place(e.at)}."
    ),
    SetSiege: lambda e: f"The siege of {names.place(e.at)} was set to level {e.level}.",
    SetStock: lambda e: (
        f"{SIDE_NAMES[e.side]}: the {'pool' if e.stock == 'pool' else 'Scattered box'} was set to {e.sp} SP."
    ),
    SetTally: lambda e: f"{'The recruit pool' if e.tally == 'recruit pool' else 'R'} was set to {e.number}.",
    SetCounters: lambda e: (
        f"{SIDE_NAMES[e.side]}: the open Action counters were set to {e.counters.ones} of one, "
        f"{e.counters.twos} of two, {e.counters.threes} of three."
    ),
}
