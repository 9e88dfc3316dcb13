"""Changes of a position by the GM (`gm edit`)."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, assert_never

from games.boer_war import notation
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.model import (
    SIDE_NAMES,
    LeaderStanding,
    State,
    capacity,
    enemy_of,
    in_box_order,
    is_held,
    side_of,
    sp_at,
)
from games.boer_war.notation import in_map_order, leader_name, place_name
from games.boer_war.phrases import link_name, number_in_words, the_side
from games.messages import sentence
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import Advice, Edit, Edits, Form, Lexicon, Seat
from games.record import replace_fields

MarkerName = Literal["cut", "blockhouse"]
StockName = Literal["pool", "scattered"]
TallyName = Literal["recruit pool", "R"]


class PutLeader(Edit, frozen=True, kw_only=True):
    """A leader at a point with SP: ``BUL at DUR with 3``."""

    leader: LeaderId
    at: Point
    sp: int


class DropLeader(Edit, frozen=True, kw_only=True):
    """A leader and their SP off the map: ``BUL to the box``, ``BUL out of the game``."""

    leader: LeaderId
    to: Literal["box", "out"]


class SetGarrison(Edit, frozen=True, kw_only=True):
    """The SP of a garrison: ``garrison of DUR 2``."""

    at: Point
    sp: int


class SetControl(Edit, frozen=True, kw_only=True):
    """The control of a point: ``COL is Boer``."""

    at: Point
    side: Side


class SetMark(Edit, frozen=True, kw_only=True):
    """A marker on a link: ``cut ORS-MOD``, ``no cut ORS-MOD``, ``blockhouse KRO-VER``.

    lies: true to set the marker, false to remove it.
    """

    mark: MarkerName
    link: Link
    lies: bool


class SetCamp(Edit, frozen=True, kw_only=True):
    """A camp marker: ``camp KRO``, ``no camp KRO``. lies: true to set it, false to remove it."""

    at: Point
    lies: bool


class SetTrench(Edit, frozen=True, kw_only=True):
    """An entrenchment: ``entrench COS Boers``, ``no entrenchment COS Boers``. lies: true to set it."""

    at: Point
    side: Side
    lies: bool


class SetSiege(Edit, frozen=True, kw_only=True):
    """The level of a siege: ``siege LAD 2``."""

    at: Point
    level: int


class SetStock(Edit, frozen=True, kw_only=True):
    """The SP of a pool or a Scattered box: ``Empire pool 5``, ``Boers scattered 3``."""

    stock: StockName
    side: Side
    sp: int


class SetTally(Edit, frozen=True, kw_only=True):
    """The recruit pool or the number of recruits: ``recruit pool 10``, ``R 4``."""

    tally: TallyName
    number: int


class SetCounters(Edit, frozen=True, kw_only=True):
    """The face-up counters of one, two and three actions: ``Boers counters 2 3 1``."""

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


class BoerWarEdits(Edits[State, AnyEdit]):
    """The changes that a GM can make. Implements `protocol.Edits`."""

    edit_type: Any = AnyEdit
    forms = _EDIT_FORMS

    def lexicon(self, state: State) -> Lexicon:
        """Return the names that orders and changes can contain."""
        return notation.order_lexicon(state.options.get(DATA))

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """Return the edit of a matched form. Raises KeyError for an unknown form."""
        return _EDIT_BUILDERS[form](in_map_order(state.board, slots))

    def write(self, edit: AnyEdit) -> str:
        """Return the canonical text of an edit, such as ``BUL at DUR with 3``."""
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
                counters = edit.counters
                return f"{SIDE_NAMES[edit.side]} counters {counters.ones} {counters.twos} {counters.threes}"
            case _:
                assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return the reason why a change is impossible now, or None."""
        if state.ended is not None:
            return Advice(problem=sentence("boer_war.edit_errors.game_over"))
        if isinstance(edit, SetCounters):
            return check_counters(state, edit.side, edit.counters)
        if state.mode == "table":
            return Advice(problem=sentence("boer_war.edit_errors.own_table"))
        match edit:
            case PutLeader():
                return check_leader(state, edit.leader, edit.at, edit.sp)
            case DropLeader():
                return check_drop(state, edit.leader, edit.to)
            case SetGarrison():
                return check_garrison(state, edit.at)
            case SetControl():
                return check_control(state, edit.at, edit.side)
            case SetMark():
                return check_mark(state, edit.mark, edit.link, edit.lies)
            case SetCamp():
                return check_camp(state, edit.at, edit.lies)
            case SetTrench():
                return check_trench(state, edit.at, edit.side, edit.lies)
            case SetSiege():
                return check_siege(state, edit.at, edit.level)
            case SetStock():
                return check_stock(state, edit.stock, edit.side)
            case SetTally():
                return check_tally(state, edit.tally)
            case _:
                assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the state after a change."""
        match edit:
            case PutLeader():
                return put_leader(state, edit.leader, edit.at, edit.sp)
            case DropLeader():
                return drop_leader(state, edit.leader, edit.to)
            case SetGarrison():
                return put_garrison(state, edit.at, edit.sp)
            case SetControl():
                return put_control(state, edit.at, edit.side)
            case SetMark():
                return put_mark(state, edit.mark, edit.link, edit.lies)
            case SetCamp():
                return put_camp(state, edit.at, edit.lies)
            case SetTrench():
                return put_trench(state, edit.at, edit.side, edit.lies)
            case SetSiege():
                return put_siege(state, edit.at, edit.level)
            case SetStock():
                return put_stock(state, edit.stock, edit.side, edit.sp)
            case SetTally():
                return put_tally(state, edit.tally, edit.number)
            case SetCounters():
                return put_counters(state, edit.side, edit.counters)
            case _:
                assert_never(edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Return the change in a sentence. Everyone may know it."""
        match edit:
            case PutLeader():
                return sentence(
                    "boer_war.edits.leader_put",
                    leader=leader_name(edit.leader),
                    at=place_name(edit.at),
                    sp=edit.sp,
                )
            case DropLeader():
                return sentence(f"boer_war.leader_dropped.{edit.to}", leader=leader_name(edit.leader))
            case SetGarrison():
                return sentence("boer_war.edits.garrison_set", at=place_name(edit.at), sp=edit.sp)
            case SetControl():
                return sentence(f"boer_war.{edit.side}.control_set", at=place_name(edit.at))
            case SetMark():
                table = "marker_set" if edit.lies else "marker_removed"
                return sentence(f"boer_war.{table}.{edit.mark}", link=link_name(edit.link))
            case SetCamp():
                slug = "boer_war.edits.camp_set" if edit.lies else "boer_war.edits.camp_removed"
                return sentence(slug, at=place_name(edit.at))
            case SetTrench():
                slug = "boer_war.edits.trench_set" if edit.lies else "boer_war.edits.trench_removed"
                return sentence(slug, side=the_side(edit.side), at=place_name(edit.at))
            case SetSiege():
                return sentence("boer_war.edits.siege_set", at=place_name(edit.at), level=edit.level)
            case SetStock():
                return sentence(f"boer_war.stock_set.{edit.stock}", side=SIDE_NAMES[edit.side], sp=edit.sp)
            case SetTally():
                return sentence(_TALLY_SET[edit.tally], number=edit.number)
            case SetCounters():
                counters = edit.counters
                return sentence(
                    "boer_war.edits.counters_set",
                    side=SIDE_NAMES[edit.side],
                    ones=counters.ones,
                    twos=counters.twos,
                    threes=counters.threes,
                )
            case _:
                assert_never(edit)


_TALLY_SET: Mapping[TallyName, str] = {
    "recruit pool": "boer_war.edits.recruit_pool_set",
    "R": "boer_war.edits.recruits_set",
}


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


def _with_no(is_set: bool, text: str) -> str:
    return text if is_set else f"no {text}"


_CONTROL_ADJECTIVES: Mapping[Side, str] = {"boers": "Boer", "empire": "Empire"}


# For each kind of change: the reason why it is impossible, and the state after it.


_FULL_COUNTERS = RoundCounters()


def check_leader(state: State, leader: LeaderId, at: Point, sp: int) -> Advice | None:
    """Return the reason why a leader can't be at a point with `sp` SP, or None."""
    side, room = side_of(leader), capacity(state, leader)
    if not 1 <= sp <= room:
        return Advice(
            problem=sentence("boer_war.edit_errors.leader_sp", leader=leader, most=room),
            instead=f"{leader} at {at} with {room}",
        )
    foes = enemy_of(side)
    if is_held(state, at, foes) and not _can_share(state, at, side):
        problem = sentence("boer_war.edit_errors.held_without_siege", at=place_name(at), side=the_side(foes))
        return Advice(problem=problem)
    return None


def _can_share(state: State, at: Point, side: Side) -> bool:
    """Return whether both sides can be at a point, because of a siege or because Boers can begin one."""
    can_begin = side == "boers" and state.board.places[at].is_siege_town and not state.is_guerrilla
    return at in state.sieges or can_begin


def put_leader(state: State, leader: LeaderId, at: Point, sp: int) -> State:
    """Return the state with a leader at a point. Boers in a town held by the Empire begin a siege."""
    side = side_of(leader)
    there = state.leaders.get(leader)
    before = there.sp if there else 0
    after = replace_fields(
        state,
        leaders={**state.leaders, leader: LeaderStanding(at=at, sp=sp)},
        boxes={**state.boxes, side: tuple(other for other in state.boxes[side] if other != leader)},
        gone=tuple(other for other in state.gone if other != leader),
        brought=_add_brought(state, side, sp - before),
    )
    if side == "boers" and is_held(after, at, "empire") and at not in after.sieges:
        after = replace_fields(after, sieges={**after.sieges, at: 0})
    return _remove_unmanned(after, there.at) if there and there.at != at else after


def check_drop(state: State, leader: LeaderId, to: str) -> Advice | None:
    """Return the reason why a leader can't be taken off the map, or None."""
    if to == "out" and leader in state.gone:
        return Advice(problem=sentence("boer_war.edit_errors.out_already", leader=leader_name(leader)))
    if to == "box" and leader in state.boxes[side_of(leader)]:
        return Advice(problem=sentence("boer_war.edit_errors.boxed_already", leader=leader_name(leader)))
    return None


def drop_leader(state: State, leader: LeaderId, to: str) -> State:
    """Return the state with a leader in the box or out of the game, without the leader's SP."""
    side = side_of(leader)
    there = state.leaders.get(leader)
    box = [other for other in state.boxes[side] if other != leader]
    after = replace_fields(
        state,
        leaders={other: stands for other, stands in state.leaders.items() if other != leader},
        boxes={**state.boxes, side: in_box_order([*box, leader]) if to == "box" else tuple(box)},
        gone=tuple(other for other in state.gone if other != leader) + ((leader,) if to == "out" else ()),
        standing=tuple(other for other in state.standing if other != leader),
        shaken=tuple(other for other in state.shaken if other != leader),
        brought=_add_brought(state, side, -there.sp if there else 0),
    )
    return _remove_unmanned(after, there.at) if there else after


def _add_brought(state: State, side: Side, sp: int) -> dict[Side, int]:
    return {**state.brought, side: state.brought[side] + sp}


def _remove_unmanned(state: State, point: Point) -> State:
    """Return the state without an entrenchment or siege at a point that has no forces for it any more."""
    trenches = {
        side: tuple(trench for trench in dug if trench != point or is_held(state, point, side))
        for side, dug in state.trenches.items()
    }
    after = replace_fields(state, trenches=trenches)
    if point in state.sieges and not all(sp_at(state, point, side) for side in ("boers", "empire")):
        sieges = {town: level for town, level in state.sieges.items() if town != point}
        kept = {event: what for event, what in state.kept.items() if what != point}
        after = replace_fields(after, sieges=sieges, kept=kept)
    return after


def check_garrison(state: State, at: Point) -> Advice | None:
    """Return the reason why a point can't have a garrison, or None."""
    if is_held(state, at, "boers") and at not in state.sieges:
        return Advice(
            problem=sentence("boer_war.edit_errors.held", at=place_name(at), side=the_side("boers"))
        )
    return None


def put_garrison(state: State, at: Point, sp: int) -> State:
    """Return the state with a garrison of `sp` SP, or without one for 0."""
    others = {point: n for point, n in state.garrisons.items() if point != at}
    after = replace_fields(
        state,
        garrisons={**others, at: sp} if sp else others,
        brought=_add_brought(state, "empire", sp - state.garrisons.get(at, 0)),
    )
    return _remove_unmanned(after, at)


def check_control(state: State, at: Point, side: Side) -> Advice | None:
    """Return the reason why a side can't control a point, or None."""
    foe = enemy_of(side)
    if is_held(state, at, foe) and at not in state.sieges:
        return Advice(problem=sentence("boer_war.edit_errors.held", at=place_name(at), side=the_side(foe)))
    if at in state.sieges and side == "boers":
        return Advice(problem=sentence("boer_war.edit_errors.besieged", at=place_name(at)))
    if state.control[at] == side:
        return Advice(problem=sentence(f"boer_war.{side}.controls_already", at=place_name(at)))
    return None


def put_control(state: State, at: Point, side: Side) -> State:
    """Return the state with a point under a side's control."""
    return replace_fields(state, control={**state.control, at: side})


def check_mark(state: State, mark: str, link: Link, is_set: bool) -> Advice | None:
    """Return the reason why a marker can't be set on a link or removed from it, or None."""
    way = state.board.links.get(link)
    if way is None or not way.rail:
        return Advice(problem=sentence("boer_war.edit_errors.no_railway", link=link))
    there = link in (state.cuts if mark == "cut" else state.blockhouses)
    if there == is_set:
        table = "marker_there" if there else "marker_missing"
        return Advice(problem=sentence(f"boer_war.{table}.{mark}", link=link_name(link)))
    most = state.box.numbers.markers.blockhouses
    if is_set and mark == "blockhouse" and len(state.blockhouses) >= most:
        return Advice(problem=sentence("boer_war.edit_errors.too_many_blockhouses", most=most))
    return None


def put_mark(state: State, mark: str, link: Link, is_set: bool) -> State:
    """Return the state with a marker set on a link or removed from it."""
    field = "cuts" if mark == "cut" else "blockhouses"
    others = tuple(other for other in getattr(state, field) if other != link)
    return replace_fields(state, **{field: (*others, link) if is_set else others})


def check_camp(state: State, at: Point, is_set: bool) -> Advice | None:
    """Return the reason why a camp can't be set up at a point or removed, or None."""
    if "camp site" not in state.board.places[at].flags:
        return Advice(problem=sentence("boer_war.edit_errors.no_camp_site", at=place_name(at)))
    if is_set and not state.is_guerrilla:
        return Advice(problem=sentence("boer_war.edit_errors.camps_too_early"))
    if (at in state.camps) == is_set:
        slug = "boer_war.edit_errors.camp_there" if is_set else "boer_war.edit_errors.camp_missing"
        return Advice(problem=sentence(slug, at=place_name(at)))
    most = state.box.numbers.markers.camps
    if is_set and len(state.camps) >= most:
        return Advice(problem=sentence("boer_war.edit_errors.too_many_camps", most=most))
    return None


def put_camp(state: State, at: Point, is_set: bool) -> State:
    """Return the state with a camp set up or removed."""
    others = tuple(camp for camp in state.camps if camp != at)
    return replace_fields(state, camps=(*others, at) if is_set else others)


def check_trench(state: State, at: Point, side: Side, is_set: bool) -> Advice | None:
    """Return the reason why an entrenchment can't be set or removed, or None."""
    if not is_held(state, at, side):
        return Advice(problem=sentence("boer_war.edit_errors.no_sp", side=the_side(side), at=place_name(at)))
    if (at in state.trenches[side]) == is_set:
        slug = "boer_war.edit_errors.entrenched" if is_set else "boer_war.edit_errors.not_entrenched"
        return Advice(problem=sentence(slug, at=place_name(at)))
    return None


def put_trench(state: State, at: Point, side: Side, is_set: bool) -> State:
    """Return the state with an entrenchment set or removed."""
    others = tuple(trench for trench in state.trenches[side] if trench != at)
    return replace_fields(state, trenches={**state.trenches, side: (*others, at) if is_set else others})


def check_siege(state: State, at: Point, level: int) -> Advice | None:
    """Return the reason why a siege can't be at a level, or None."""
    if at not in state.sieges:
        return Advice(problem=sentence("boer_war.edit_errors.no_siege", at=place_name(at)))
    falls = state.board.places[at].resistance
    if level >= falls:
        return Advice(
            problem=sentence("boer_war.edit_errors.siege_level", at=place_name(at), level=falls),
            instead=f"siege {at} {falls - 1}",
        )
    return None


def put_siege(state: State, at: Point, level: int) -> State:
    """Return the state with a siege at a level."""
    return replace_fields(state, sieges={**state.sieges, at: level})


def check_stock(state: State, stock: str, side: Side) -> Advice | None:
    """Return the reason why a side doesn't have a pool now, or None."""
    if stock == "pool" and side == "boers" and state.is_guerrilla:
        return Advice(problem=sentence("boer_war.edit_errors.boers_recruit"), instead="recruit pool 10")
    return None


def put_stock(state: State, stock: str, side: Side, sp: int) -> State:
    """Return the state with `sp` SP in a pool or a Scattered box."""
    field = "pools" if stock == "pool" else "scattered"
    now = getattr(state, field)
    after = replace_fields(state, brought=_add_brought(state, side, sp - now[side]))
    return replace_fields(after, **{field: {**now, side: sp}})


def check_tally(state: State, tally: str) -> Advice | None:
    """Return why the recruit pool or R can't be set yet, or None."""
    if state.is_guerrilla:
        return None
    return Advice(problem=sentence("boer_war.edit_errors.tally_too_early", tally=tally))


def put_tally(state: State, tally: str, number: int) -> State:
    """Return the state with a number for the recruit pool or R."""
    if tally == "R":
        return replace_fields(state, recruits=number)
    more = _add_brought(state, "boers", number - state.recruit_pool)
    return replace_fields(state, recruit_pool=number, brought=more)


def check_counters(state: State, side: Side, counters: RoundCounters) -> Advice | None:
    """Return the reason why these counters can't be face-up, or None.

    Each number has a limit, and the number of rounds left can't change.
    """
    for name, number in (("ones", 1), ("twos", 2), ("threes", 3)):
        most = getattr(_FULL_COUNTERS, name)
        if getattr(counters, name) > most:
            word = number_in_words(number)
            return Advice(problem=sentence("boer_war.edit_errors.too_many_counters", most=most, number=word))
    rounds_left = state.counters[side].rounds
    if counters.rounds != rounds_left:
        problem = sentence(
            "boer_war.edit_errors.wrong_rounds",
            rounds=counters.rounds,
            side=the_side(side),
            rounds_left=rounds_left,
        )
        return Advice(problem=problem)
    if side == state.side and state.done == 2 and not counters.twos + counters.threes:
        return Advice(problem=sentence("boer_war.edit_errors.two_or_three_needed"))
    return None


def put_counters(state: State, side: Side, counters: RoundCounters) -> State:
    """Return the state with these counters face-up."""
    return replace_fields(state, counters={**state.counters, side: counters})
