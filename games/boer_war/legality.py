"""The checks of orders in a position. Source: rulings 6, 7, 8 and 14.

The functions `_check_…` raise IllegalOrder if the order is not possible.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from games.boer_war import event_counters, paths, reinforcements, works
from games.boer_war.components import EventId, LeaderId, Point, Side
from games.boer_war.model import (
    SIDES,
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Garrison,
    IllegalOrder,
    Land,
    Move,
    Pass,
    PlayEvent,
    Raid,
    Rail,
    Reinforce,
    Reorganize,
    Repair,
    Siege,
    Stance,
    State,
    Transfer,
    Trek,
    is_held,
    leaders_at,
    leaders_of,
    points_held,
    require_unused,
    side_of,
    side_of_seat,
    sp_at,
)
from games.protocol import Objection, Seat

NAVAL_GUNS_EVENT = EventId("E02")


def accepted_orders(state: State) -> tuple[str, ...]:
    """Return the classes of orders that the side that acts can give. Source: rulings 7 and 8."""
    return ("Done",) if state.mode == "table" else _orders_of(state.side, state.is_guerrilla)


@cache
def _orders_of(side: Side, is_guerrilla: bool) -> tuple[str, ...]:
    return tuple(
        kind.__name__
        for kind, (_, regular, guerrilla) in _RULES.items()
        if side in (guerrilla if is_guerrilla else regular)
    )


def find_objection(state: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Return the reason why an order is illegal for a seat now, or None if it is legal."""
    side = side_of_seat(state, seat)
    kind = type(order).__name__
    if kind not in accepted_orders(state):
        return IllegalOrder(
            "not-in-this-turn", accepted_orders(state), order=kind, turn=state.turn, side=side
        ).objection
    if side != state.side:
        return IllegalOrder("not-your-round", side=side).objection
    try:
        check, *_ = _RULES[type(order)]
        check(state, side, order)
    except IllegalOrder as illegal:
        return illegal.objection
    return None


def _check_move(state: State, side: Side, order: Move) -> None:
    journey = paths.check_march(state, side, order.leaders, order.path)
    if order.guns:
        _check_guns(state, journey.goal, journey.attacks)
    if order.storm and not (
        side == "boers" and journey.attacks and state.board.places[journey.goal].is_siege_town
    ):
        raise IllegalOrder("nothing-to-storm", at=journey.goal)


def _check_guns(state: State, at: Point, attacks: bool) -> None:
    if NAVAL_GUNS_EVENT not in state.kept:
        raise IllegalOrder("no-guns", event=NAVAL_GUNS_EVENT)
    near = any(state.board.on_rail(point) for point in state.board.within(at, 1))
    if not attacks or not near:
        raise IllegalOrder("guns-out-of-reach", at=at)


def _check_assault(state: State, side: Side, order: Assault) -> None:
    if order.at not in state.sieges:
        raise IllegalOrder("no-siege", state.sieges, at=order.at)
    leaders = leaders_at(state, order.at, side)
    if state.black_week and side == "empire" and any(leader in state.shaken for leader in leaders):
        raise IllegalOrder("shaken", leader=next(leader for leader in leaders if leader in state.shaken))
    if order.guns:
        _check_guns(state, order.at, attacks=True)


def _check_siege(state: State, _side: Side, order: Siege) -> None:
    if order.at not in state.sieges:
        raise IllegalOrder("no-siege", state.sieges, at=order.at)
    least = state.box.numbers.siege.least
    if sp_at(state, order.at, "boers") < least:
        raise IllegalOrder(
            "too-few", state.sieges, at=order.at, sp=sp_at(state, order.at, "boers"), least=least
        )
    require_unused(state, f"siege {order.at}", "once-a-town", order.at)


def _check_entrench(state: State, side: Side, order: Entrench) -> None:
    if not is_held(state, order.at, side):
        raise IllegalOrder("nobody-there", _trench_sites(state, side), at=order.at)
    if side == "empire" and order.at in state.sieges:
        raise IllegalOrder("besieged-town", _trench_sites(state, side), at=order.at)
    if order.at in state.trenches[side]:
        raise IllegalOrder("entrenched-already", _trench_sites(state, side), at=order.at)


def _trench_sites(state: State, side: Side) -> list[Point]:
    shut_in = set(state.sieges) if side == "empire" else set()
    return sorted(points_held(state, side) - set(state.trenches[side]) - shut_in)


def _check_event(state: State, side: Side, order: PlayEvent) -> None:
    require_unused(state, "event", "event-already")
    event_counters.check_event(state, side, order)


def _check_stance(state: State, side: Side, order: Stance) -> None:
    if side_of(order.leader) != side:
        raise IllegalOrder("not-yours", leaders_of(state, side), leader=order.leader)
    if side == "empire":
        raise IllegalOrder("boers-only", leader=order.leader)


def _check_transfer(state: State, side: Side, order: Transfer) -> None:
    named = [leader for leader in (order.giver, order.taker) if leader is not None]
    if order.sp < 1:
        raise IllegalOrder("no-sp", sp=order.sp)
    for leader in named:
        paths.require_own_leader(state, side, leader)
    if not named or order.giver == order.taker:
        raise IllegalOrder("nobody-to-hand", leaders_of(state, side))
    if len(named) == 1 and side == "boers":
        raise IllegalOrder("no-boer-garrisons", leader=named[0])


def _check_garrison(state: State, side: Side, order: Garrison) -> None:
    paths.require_own_leader(state, side, order.leader)
    if order.sp != 1:
        raise IllegalOrder("one-sp", leader=order.leader)
    if state.leaders[order.leader].sp < 2:
        raise IllegalOrder("too-weak", leader=order.leader)


def _check_land(state: State, _side: Side, order: Land) -> None:
    leader = state.box.leaders[order.leader]
    coming = [
        leader_id
        for leader_id, there in state.box.leaders.items()
        if there.side == "empire" and _is_coming(state, leader_id)
    ]
    if leader.side != "empire" or not _is_coming(state, order.leader):
        raise IllegalOrder("not-coming", coming, leader=order.leader)
    if leader.lands and order.at not in leader.lands:
        raise IllegalOrder("lands-elsewhere", leader.lands, leader=order.leader, at=order.at)
    if not leader.lands and order.at not in reinforcements.inland_arrival_points(state):
        raise IllegalOrder("lands-by-rail", leader=order.leader, at=order.at)


def _is_coming(state: State, leader: LeaderId) -> bool:
    side = side_of(leader)
    return leader not in state.leaders and leader not in state.boxes[side] and leader not in state.gone


def _check_nothing(_state: State, _side: Side, _order: Pass | Done) -> None:
    """Accept an order that has no conditions."""


_BOERS, _EMPIRE, _NOBODY = SIDES[:1], SIDES[1:], ()

_RULES: Mapping[
    type[AnyOrder], tuple[Callable[[State, Side, Any], object], tuple[Side, ...], tuple[Side, ...]]
] = {
    Move: (_check_move, SIDES, _EMPIRE),
    Rail: (lambda state, _side, order: paths.check_rail(state, order.leaders, order.path), _EMPIRE, _EMPIRE),
    Trek: (lambda state, _side, order: paths.check_trek(state, order.leader, order.path), _NOBODY, _BOERS),
    Assault: (_check_assault, SIDES, _NOBODY),
    Siege: (_check_siege, _BOERS, _NOBODY),
    Entrench: (_check_entrench, SIDES, _NOBODY),
    Cut: (works.check_cut, _BOERS, _NOBODY),
    Raid: (works.check_raid, _NOBODY, _BOERS),
    Repair: (works.check_repair, _EMPIRE, _EMPIRE),
    Drive: (works.check_drive_order, _NOBODY, _EMPIRE),
    Camp: (works.check_camp, _NOBODY, _EMPIRE),
    Blockhouse: (works.check_blockhouse, _NOBODY, _EMPIRE),
    Reinforce: (reinforcements.check_reinforce, SIDES, SIDES),
    Reorganize: (reinforcements.check_reorganize, SIDES, SIDES),
    PlayEvent: (_check_event, SIDES, SIDES),
    Pass: (_check_nothing, SIDES, SIDES),
    Done: (_check_nothing, _NOBODY, _NOBODY),
    Stance: (_check_stance, SIDES, SIDES),
    Transfer: (_check_transfer, SIDES, SIDES),
    Garrison: (_check_garrison, _EMPIRE, _EMPIRE),
    Land: (_check_land, _EMPIRE, _EMPIRE),
}
"""The check of each kind of order, and the sides that give it: in Turns I and II, in Turns III and IV.

DONE is for the player's own table only.
"""
