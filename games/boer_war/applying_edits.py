"""Changes by hand: why one is impossible, and the position after it."""

from games.boer_war import names
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import capacity, in_box_order, is_held, side_of, sp_at
from games.boer_war.model import LeaderStanding, State, enemy_of
from games.boer_war.phrases import link_name, the_side
from games.pool import RoundCounters
from games.protocol import Advice
from games.record import replace_fields

_FULL_COUNTERS = RoundCounters()


def check_leader(state: State, leader: LeaderId, at: Point, sp: int) -> Advice | None:
    """Return why a leader cannot stand at a point with so many SP."""
    side, room = side_of(leader), capacity(state, leader)
    if not 1 <= sp <= room:
        return Advice(problem=f"{leader} leads from 1 to {room} SP", instead=f"{leader} at {at} with {room}")
    foes = enemy_of(side)
    if is_held(state, at, foes) and not _can_share(state, at, side):
        return Advice(
            problem=f"{names.place_name(at)} is held by {the_side(foes)}; both are in a point in sieges only"
        )
    return None


def _can_share(state: State, at: Point, side: Side) -> bool:
    """Return whether both sides can be in a point: in a siege, or where Boers can begin one."""
    can_begin = side == "boers" and state.board.places[at].is_siege_town and not state.is_guerrilla
    return at in state.sieges or can_begin


def put_leader(state: State, leader: LeaderId, at: Point, sp: int) -> State:
    """Return the state with the leader there; Boers in a town that the Empire holds besiege it."""
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
    """Return why a leader cannot be taken off the map."""
    if to == "out" and leader in state.gone:
        return Advice(problem=f"{names.leader_name(leader)} is out of the game already")
    if to == "box" and leader in state.boxes[side_of(leader)]:
        return Advice(problem=f"{names.leader_name(leader)} is in the box already")
    return None


def drop_leader(state: State, leader: LeaderId, to: str) -> State:
    """Return the state with the leader in the box or out of the game, his SP no longer in it."""
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
    """Return the state without trenches that nobody is in, and without a siege that has lost either side."""
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
    """Return why there can be no garrison at a point."""
    if is_held(state, at, "boers") and at not in state.sieges:
        return Advice(problem=f"{names.place_name(at)} is held by the Boers")
    return None


def put_garrison(state: State, at: Point, sp: int) -> State:
    """Return the state with a garrison of so many SP; 0: none."""
    others = {point: n for point, n in state.garrisons.items() if point != at}
    after = replace_fields(
        state,
        garrisons={**others, at: sp} if sp else others,
        brought=_add_brought(state, "empire", sp - state.garrisons.get(at, 0)),
    )
    return _remove_unmanned(after, at)


def check_control(state: State, at: Point, side: Side) -> Advice | None:
    """Return why a point cannot be a side's."""
    foe = enemy_of(side)
    if is_held(state, at, foe) and at not in state.sieges:
        return Advice(problem=f"{names.place_name(at)} is held by {the_side(foe)}")
    if at in state.sieges and side == "boers":
        return Advice(problem=f"{names.place_name(at)} is besieged, and not the Boers' yet")
    return None if state.control[at] != side else Advice(problem=f"{at} is {the_side(side)} already")


def put_control(state: State, at: Point, side: Side) -> State:
    """Return the state with the point under a side's control."""
    return replace_fields(state, control={**state.control, at: side})


def check_mark(state: State, mark: str, link: Link, lies: bool) -> Advice | None:
    """Return why a marker cannot be on a link, or be taken off it."""
    way = state.board.links.get(link)
    if way is None or not way.rail:
        return Advice(problem=f"{link} is no railway")
    there = link in (state.cuts if mark == "cut" else state.blockhouses)
    if there == lies:
        return Advice(problem=f"{'there is a' if there else 'there is no'} {mark} on {link_name(link)}")
    most = state.box.numbers.markers.blockhouses
    if lies and mark == "blockhouse" and len(state.blockhouses) >= most:
        return Advice(problem=f"there are only {most} blockhouse markers")
    return None


def put_mark(state: State, mark: str, link: Link, lies: bool) -> State:
    """Return the state with the marker on the link, or off it."""
    field = "cuts" if mark == "cut" else "blockhouses"
    others = tuple(other for other in getattr(state, field) if other != link)
    return replace_fields(state, **{field: (*others, link) if lies else others})


def check_camp(state: State, at: Point, lies: bool) -> Advice | None:
    """Return why a camp marker cannot be at a point, or be taken away."""
    if "camp site" not in state.board.places[at].flags:
        return Advice(problem=f"{names.place_name(at)} is no camp site")
    if lies and not state.is_guerrilla:
        return Advice(problem="camps are set up in Turns III and IV")
    if (at in state.camps) == lies:
        return Advice(problem=f"{names.place_name(at)} has {'a' if lies else 'no'} camp")
    most = state.box.numbers.markers.camps
    if lies and len(state.camps) >= most:
        return Advice(problem=f"there are only {most} camp markers")
    return None


def put_camp(state: State, at: Point, lies: bool) -> State:
    """Return the state with the camp there, or without it."""
    others = tuple(camp for camp in state.camps if camp != at)
    return replace_fields(state, camps=(*others, at) if lies else others)


def check_trench(state: State, at: Point, side: Side, lies: bool) -> Advice | None:
    """Return why a force cannot be entrenched, or no longer be."""
    if not is_held(state, at, side):
        return Advice(problem=f"no SP of {the_side(side)} are at {names.place_name(at)}")
    if (at in state.trenches[side]) == lies:
        return Advice(problem=f"it is {'' if lies else 'not '}entrenched there")
    return None


def put_trench(state: State, at: Point, side: Side, lies: bool) -> State:
    """Return the state with the force entrenched, or no longer."""
    others = tuple(trench for trench in state.trenches[side] if trench != at)
    return replace_fields(state, trenches={**state.trenches, side: (*others, at) if lies else others})


def check_siege(state: State, at: Point, level: int) -> Advice | None:
    """Return why a siege cannot have come so far."""
    if at not in state.sieges:
        return Advice(problem=f"there is no siege at {names.place_name(at)}")
    falls = state.board.places[at].resistance
    if level >= falls:
        return Advice(
            problem=f"{names.place_name(at)} falls at level {falls}", instead=f"siege {at} {falls - 1}"
        )
    return None


def put_siege(state: State, at: Point, level: int) -> State:
    """Return the state with the siege at a level."""
    return replace_fields(state, sieges={**state.sieges, at: level})


def check_stock(state: State, stock: str, side: Side) -> Advice | None:
    """Return why a side has no such stock."""
    if stock == "pool" and side == "boers" and state.is_guerrilla:
        return Advice(problem="the Boers recruit in Turns III and IV", instead="recruit pool 10")
    return None


def put_stock(state: State, stock: str, side: Side, sp: int) -> State:
    """Return the state with so many SP in a pool or a Scattered box."""
    field = "pools" if stock == "pool" else "scattered"
    now = getattr(state, field)
    after = replace_fields(state, brought=_add_brought(state, side, sp - now[side]))
    return replace_fields(after, **{field: {**now, side: sp}})


def check_tally(state: State, tally: str) -> Advice | None:
    """Return why there is no such number yet."""
    return None if state.is_guerrilla else Advice(problem=f"the {tally} counts in Turns III and IV only")


def put_tally(state: State, tally: str, number: int) -> State:
    """Return the state with the recruit pool or R at a number."""
    if tally == "R":
        return replace_fields(state, recruits=number)
    more = _add_brought(state, "boers", number - state.recruit_pool)
    return replace_fields(state, recruit_pool=number, brought=more)


def check_counters(state: State, side: Side, counters: RoundCounters) -> Advice | None:
    """Return why these counters cannot be open: each number has its own, and the rounds left stay."""
    for name in ("ones", "twos", "threes"):
        most = getattr(_FULL_COUNTERS, name)
        if getattr(counters, name) > most:
            return Advice(problem=f"there are {most} counters of {name[:-1]}")
    rounds_left = state.counters[side].rounds
    if counters.rounds != rounds_left:
        return Advice(
            problem=f"that makes {counters.rounds} rounds, and {the_side(side)} have {rounds_left} left"
        )
    if side == state.side and state.done == 2 and not counters.twos + counters.threes:
        return Advice(problem="two actions of this round are done: a 2 or a 3 must lie open")
    return None


def put_counters(state: State, side: Side, counters: RoundCounters) -> State:
    """Return the state with these counters open."""
    return replace_fields(state, counters={**state.counters, side: counters})
