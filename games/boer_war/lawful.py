"""Why an order is unlawful in a position, or that it is not. Source: rulings 6, 7, 8 and 14.

Every function takes the state, the side and the order, and raises Unlawful.
"""

from collections.abc import Mapping
from typing import assert_never

from games.boer_war import counters, reserves, ways, works
from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.forces import (
    is_held,
    leaders_at,
    leaders_of,
    points_held,
    side_of,
    sp_at,
)
from games.boer_war.model import (
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Garrison,
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
    side_of_seat,
)
from games.boer_war.unlawful import Unlawful, once
from games.protocol import Objection, Seat

GUNS = EventId("E02")

REGULAR: Mapping[Side, tuple[str, ...]] = {
    "boers": ("Move", "Assault", "Siege", "Entrench", "Cut"),
    "empire": ("Move", "Rail", "Assault", "Entrench", "Repair"),
}
GUERRILLA: Mapping[Side, tuple[str, ...]] = {
    "boers": ("Trek", "Raid"),
    "empire": ("Move", "Rail", "Repair", "Drive", "Camp", "Blockhouse"),
}
ALWAYS = ("Reinforce", "Reorganize", "PlayEvent", "Pass", "Stance", "Transfer")
"""The orders of each side in Turns I and II, in Turns III and IV, and of both sides in all."""


def accepts(state: State) -> tuple[str, ...]:
    """The kinds of orders that the side whose round it is may give. Source: rulings 7 and 8."""
    if state.mode == "table":
        return ("Done",)
    listed = (GUERRILLA if state.is_guerrilla else REGULAR)[state.side]
    return (*listed, *ALWAYS, *(("Garrison", "Land") if state.side == "empire" else ()))


def objection(state: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Why an order is unlawful for a seat now, or None."""
    side = side_of_seat(state, seat)
    kind = type(order).__name__
    if kind not in accepts(state):
        return Unlawful("not-in-this-turn", accepts(state), order=kind, turn=state.turn, side=side).objection
    if side != state.side:
        return Unlawful("not-your-round", side=side).objection
    try:
        _examine(state, side, order)
    except Unlawful as unlawful:
        return unlawful.objection
    return None


def _examine(state: State, side: Side, order: AnyOrder) -> None:
    match order:
        case Move():
            _move(state, side, order)
        case Rail():
            _rail(state, side, order)
        case Trek():
            _trek(state, side, order)
        case Assault():
            _assault(state, side, order)
        case Siege():
            _siege(state, side, order)
        case Entrench():
            _entrench(state, side, order)
        case Cut():
            works.cut(state, side, order)
        case Raid():
            works.raid(state, side, order)
        case Repair():
            works.repair(state, side, order)
        case Reinforce():
            reserves.reinforce(state, side, order)
        case Reorganize():
            reserves.reorganize(state, side, order)
        case Drive():
            works.drive(state, side, order)
        case Camp():
            works.camp(state, side, order)
        case Blockhouse():
            works.blockhouse(state, side, order)
        case PlayEvent():
            _event(state, side, order)
        case Stance():
            _stance(state, side, order)
        case Transfer():
            _transfer(state, side, order)
        case Garrison():
            _garrison(state, side, order)
        case Land():
            _land(state, side, order)
        case Pass() | Done():
            pass
        case _:
            assert_never(order)


def _move(state: State, side: Side, order: Move) -> None:
    journey = ways.march(state, side, order.leaders, order.path)
    if order.guns:
        _guns(state, journey.goal, journey.attacks)
    if order.storm and not (
        side == "boers" and journey.attacks and state.board.places[journey.goal].is_siege_town
    ):
        raise Unlawful("nothing-to-storm", at=journey.goal)


def _guns(state: State, at: Point, attacks: bool) -> None:
    if GUNS not in state.kept:
        raise Unlawful("no-guns", event=GUNS)
    near = any(state.board.on_rail(one) for one in state.board.within(at, 1))
    if not attacks or not near:
        raise Unlawful("guns-out-of-reach", at=at)


def _rail(state: State, side: Side, order: Rail) -> None:
    ways.rail(state, order.leaders, order.path)


def _trek(state: State, side: Side, order: Trek) -> None:
    ways.trek(state, order.leader, order.path)


def _assault(state: State, side: Side, order: Assault) -> None:
    if order.at not in state.sieges:
        raise Unlawful("no-siege", state.sieges, at=order.at)
    leaders = leaders_at(state, order.at, side)
    if state.black_week and side == "empire" and any(one in state.shaken for one in leaders):
        raise Unlawful("shaken", leader=next(one for one in leaders if one in state.shaken))
    if order.guns:
        _guns(state, order.at, attacks=True)


def _siege(state: State, side: Side, order: Siege) -> None:
    if order.at not in state.sieges:
        raise Unlawful("no-siege", state.sieges, at=order.at)
    least = state.box.numbers.siege.least
    if sp_at(state, order.at, "boers") < least:
        raise Unlawful("too-few", state.sieges, at=order.at, sp=sp_at(state, order.at, "boers"), least=least)
    once(state, f"siege {order.at}", "once-a-town", order.at)


def _entrench(state: State, side: Side, order: Entrench) -> None:
    if not is_held(state, order.at, side):
        raise Unlawful("nobody-there", _unentrenched(state, side), at=order.at)
    if side == "empire" and order.at in state.sieges:
        raise Unlawful("besieged-town", _unentrenched(state, side), at=order.at)
    if order.at in state.trenches[side]:
        raise Unlawful("entrenched-already", _unentrenched(state, side), at=order.at)


def _unentrenched(state: State, side: Side) -> list[Point]:
    shut_in = set(state.sieges) if side == "empire" else set()
    return sorted(points_held(state, side) - set(state.trenches[side]) - shut_in)


def _event(state: State, side: Side, order: PlayEvent) -> None:
    once(state, "event", "event-already")
    counters.check(state, side, order)


def _stance(state: State, side: Side, order: Stance) -> None:
    if side_of(order.leader) != side:
        raise Unlawful("not-yours", leaders_of(state, side), leader=order.leader)
    if side == "empire":
        raise Unlawful("boers-only", leader=order.leader)


def _transfer(state: State, side: Side, order: Transfer) -> None:
    named = [one for one in (order.giver, order.taker) if one is not None]
    if order.sp < 1:
        raise Unlawful("no-sp", sp=order.sp)
    for leader in named:
        ways.own(state, side, leader)
    if not named or order.giver == order.taker:
        raise Unlawful("nobody-to-hand", leaders_of(state, side))
    if len(named) == 1 and side == "boers":
        raise Unlawful("no-boer-garrisons", leader=named[0])


def _garrison(state: State, side: Side, order: Garrison) -> None:
    ways.own(state, side, order.leader)
    if order.sp != 1:
        raise Unlawful("one-sp", leader=order.leader)
    if state.leaders[order.leader].sp < 2:
        raise Unlawful("too-weak", leader=order.leader)


def _land(state: State, side: Side, order: Land) -> None:
    leader = state.box.leaders[order.leader]
    coming = [
        one for one, there in state.box.leaders.items() if there.side == "empire" and _is_coming(state, one)
    ]
    if leader.side != "empire" or not _is_coming(state, order.leader):
        raise Unlawful("not-coming", coming, leader=order.leader)
    if leader.lands and order.at not in leader.lands:
        raise Unlawful("lands-elsewhere", leader.lands, leader=order.leader, at=order.at)
    if not leader.lands and order.at not in reserves.inland_ports(state):
        raise Unlawful("lands-by-rail", leader=order.leader, at=order.at)


def _is_coming(state: State, leader: LeaderId) -> bool:
    side = side_of(leader)
    return leader not in state.leaders and leader not in state.boxes[side] and leader not in state.gone
