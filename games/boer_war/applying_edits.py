"""Positions changed by hand: why something cannot be, and the position after it."""

from games.boer_war import names
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import capacity, in_order, is_held, side_of, sp_at
from games.boer_war.model import Standing, State, other
from games.boer_war.phrases import linked, the
from games.pool import Counters
from games.protocol import Advice
from games.record import changed

_FULL = Counters()


def no_leader(state: State, leader: LeaderId, at: Point, sp: int) -> Advice | None:
    """Why a leader cannot stand at a point with so many SP."""
    side, room = side_of(leader), capacity(state, leader)
    if not 1 <= sp <= room:
        return Advice(problem=f"{leader} leads from 1 to {room} SP", instead=f"{leader} at {at} with {room}")
    foes = other(side)
    if is_held(state, at, foes) and not _may_share(state, at, side):
        return Advice(problem=f"{names.place(at)} is held by {the(foes)}; both are in a point in sieges only")
    return None


def _may_share(state: State, at: Point, side: Side) -> bool:
    """Whether both sides may be in a point: in a siege, or where Boers can begin one."""
    can_begin = side == "boers" and state.board.places[at].is_siege_town and not state.is_guerrilla
    return at in state.sieges or can_begin


def put_leader(state: State, leader: LeaderId, at: Point, sp: int) -> State:
    """The leader there, wherever he was; Boers in a town that the Empire holds besiege it."""
    side = side_of(leader)
    there = state.leaders.get(leader)
    before = there.sp if there else 0
    after = changed(
        state,
        leaders={**state.leaders, leader: Standing(at=at, sp=sp)},
        boxes={**state.boxes, side: tuple(one for one in state.boxes[side] if one != leader)},
        gone=tuple(one for one in state.gone if one != leader),
        brought=_brought(state, side, sp - before),
    )
    if side == "boers" and is_held(after, at, "empire") and at not in after.sieges:
        after = changed(after, sieges={**after.sieges, at: 0})
    return _tidy(after, there.at) if there and there.at != at else after


def no_drop(state: State, leader: LeaderId, to: str) -> Advice | None:
    """Why a leader cannot be taken off the map."""
    if to == "out" and leader in state.gone:
        return Advice(problem=f"{names.leader(leader)} is out of the game already")
    if to == "box" and leader in state.boxes[side_of(leader)]:
        return Advice(problem=f"{names.leader(leader)} is in the box already")
    return None


def drop_leader(state: State, leader: LeaderId, to: str) -> State:
    """The leader in the box or out of the game, his SP no longer in it."""
    side = side_of(leader)
    there = state.leaders.get(leader)
    box = [one for one in state.boxes[side] if one != leader]
    after = changed(
        state,
        leaders={one: stands for one, stands in state.leaders.items() if one != leader},
        boxes={**state.boxes, side: in_order([*box, leader]) if to == "box" else tuple(box)},
        gone=tuple(one for one in state.gone if one != leader) + ((leader,) if to == "out" else ()),
        standing=tuple(one for one in state.standing if one != leader),
        shaken=tuple(one for one in state.shaken if one != leader),
        brought=_brought(state, side, -there.sp if there else 0),
    )
    return _tidy(after, there.at) if there else after


def _brought(state: State, side: Side, sp: int) -> dict[Side, int]:
    return {**state.brought, side: state.brought[side] + sp}


def _tidy(state: State, point: Point) -> State:
    """Without trenches that nobody is in, and without a siege that nobody keeps up, or keeps off."""
    trenches = {
        side: tuple(one for one in dug if one != point or is_held(state, point, side))
        for side, dug in state.trenches.items()
    }
    after = changed(state, trenches=trenches)
    if point in state.sieges and not all(sp_at(state, point, side) for side in ("boers", "empire")):
        sieges = {one: level for one, level in state.sieges.items() if one != point}
        kept = {event: what for event, what in state.kept.items() if what != point}
        after = changed(after, sieges=sieges, kept=kept)
    return after


def no_garrison(state: State, at: Point) -> Advice | None:
    """Why there can be no garrison at a point."""
    if is_held(state, at, "boers") and at not in state.sieges:
        return Advice(problem=f"{names.place(at)} is held by the Boers")
    return None


def put_garrison(state: State, at: Point, sp: int) -> State:
    """A garrison of so many SP; 0: none."""
    others = {point: n for point, n in state.garrisons.items() if point != at}
    after = changed(
        state,
        garrisons={**others, at: sp} if sp else others,
        brought=_brought(state, "empire", sp - state.garrisons.get(at, 0)),
    )
    return _tidy(after, at)


def no_control(state: State, at: Point, side: Side) -> Advice | None:
    """Why a point cannot be a side's."""
    foe = other(side)
    if is_held(state, at, foe) and at not in state.sieges:
        return Advice(problem=f"{names.place(at)} is held by {the(foe)}")
    if at in state.sieges and side == "boers":
        return Advice(problem=f"{names.place(at)} is besieged, and not the Boers' yet")
    return None if state.control[at] != side else Advice(problem=f"{at} is {the(side)} already")


def put_control(state: State, at: Point, side: Side) -> State:
    """The point under a side's control."""
    return changed(state, control={**state.control, at: side})


def no_mark(state: State, mark: str, link: Link, lies: bool) -> Advice | None:
    """Why a marker cannot lie on a link, or be taken off it."""
    way = state.board.links.get(link)
    if way is None or not way.rail:
        return Advice(problem=f"{link} is no railway")
    there = link in (state.cuts if mark == "cut" else state.blockhouses)
    if there == lies:
        return Advice(problem=f"{'there is a' if there else 'there is no'} {mark} on {linked(link)}")
    most = state.box.numbers.markers.blockhouses
    if lies and mark == "blockhouse" and len(state.blockhouses) >= most:
        return Advice(problem=f"there are only {most} blockhouse markers")
    return None


def put_mark(state: State, mark: str, link: Link, lies: bool) -> State:
    """The marker on the link, or off it."""
    field = "cuts" if mark == "cut" else "blockhouses"
    left = tuple(one for one in getattr(state, field) if one != link)
    return changed(state, **{field: (*left, link) if lies else left})


def no_camp(state: State, at: Point, lies: bool) -> Advice | None:
    """Why a camp marker cannot lie at a point, or be taken away."""
    if "camp site" not in state.board.places[at].flags:
        return Advice(problem=f"{names.place(at)} is no camp site")
    if lies and not state.is_guerrilla:
        return Advice(problem="camps are set up in Turns III and IV")
    if (at in state.camps) == lies:
        return Advice(problem=f"{names.place(at)} has {'a' if lies else 'no'} camp")
    most = state.box.numbers.markers.camps
    if lies and len(state.camps) >= most:
        return Advice(problem=f"there are only {most} camp markers")
    return None


def put_camp(state: State, at: Point, lies: bool) -> State:
    """The camp there, or not."""
    left = tuple(one for one in state.camps if one != at)
    return changed(state, camps=(*left, at) if lies else left)


def no_trench(state: State, at: Point, side: Side, lies: bool) -> Advice | None:
    """Why a force cannot be entrenched, or no longer be."""
    if not is_held(state, at, side):
        return Advice(problem=f"no SP of {the(side)} are at {names.place(at)}")
    if (at in state.trenches[side]) == lies:
        return Advice(problem=f"it is {'' if lies else 'not '}entrenched there")
    return None


def put_trench(state: State, at: Point, side: Side, lies: bool) -> State:
    """The force entrenched, or no longer."""
    left = tuple(one for one in state.trenches[side] if one != at)
    return changed(state, trenches={**state.trenches, side: (*left, at) if lies else left})


def no_siege(state: State, at: Point, level: int) -> Advice | None:
    """Why a siege cannot have come so far."""
    if at not in state.sieges:
        return Advice(problem=f"there is no siege at {names.place(at)}")
    falls = state.board.places[at].resistance
    if level >= falls:
        return Advice(problem=f"{names.place(at)} falls at level {falls}", instead=f"siege {at} {falls - 1}")
    return None


def put_siege(state: State, at: Point, level: int) -> State:
    """The siege at a level."""
    return changed(state, sieges={**state.sieges, at: level})


def no_stock(state: State, stock: str, side: Side) -> Advice | None:
    """Why a side has no such stock."""
    if stock == "pool" and side == "boers" and state.is_guerrilla:
        return Advice(problem="the Boers recruit in Turns III and IV", instead="recruit pool 10")
    return None


def put_stock(state: State, stock: str, side: Side, sp: int) -> State:
    """A pool or a Scattered box with so many SP."""
    field = "pools" if stock == "pool" else "scattered"
    now = getattr(state, field)
    after = changed(state, brought=_brought(state, side, sp - now[side]))
    return changed(after, **{field: {**now, side: sp}})


def no_tally(state: State, tally: str) -> Advice | None:
    """Why there is no such number yet."""
    return None if state.is_guerrilla else Advice(problem=f"the {tally} counts in Turns III and IV only")


def put_tally(state: State, tally: str, number: int) -> State:
    """The recruit pool or R at a number."""
    if tally == "R":
        return changed(state, recruits=number)
    more = _brought(state, "boers", number - state.recruit_pool)
    return changed(state, recruit_pool=number, brought=more)


def no_counters(state: State, side: Side, counters: Counters) -> Advice | None:
    """Why these counters cannot lie open: each number has its own, and the rounds left stay as many."""
    for name in ("ones", "twos", "threes"):
        most = getattr(_FULL, name)
        if getattr(counters, name) > most:
            return Advice(problem=f"there are {most} counters of {name[:-1]}")
    left = state.counters[side].rounds
    if counters.rounds != left:
        return Advice(problem=f"that makes {counters.rounds} rounds, and {the(side)} have {left} left")
    if side == state.side and state.done == 2 and not counters.twos + counters.threes:
        return Advice(problem="two actions of this round are done: a 2 or a 3 must lie open")
    return None


def put_counters(state: State, side: Side, counters: Counters) -> State:
    """These counters open."""
    return changed(state, counters={**state.counters, side: counters})
