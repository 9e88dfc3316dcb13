"""An action carried out: one function for each kind of order. Source: rulings 7 and 8.

Each takes the working state, the side and an order that is legal; `carry_out` finds it.
"""

from collections.abc import Sequence
from typing import assert_never

from games.boer_war import effects, movement, paths
from games.boer_war.battles import capture_town
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.events import (
    Built,
    CampSet,
    Entrenched,
    LostSp,
    Passed,
    Reinforced,
    Repaired,
    Reported,
    Said,
    SiegeRolled,
    WasCut,
)
from games.boer_war.forces import side_of, sp_at, spare_capacity
from games.boer_war.model import (
    ActionOrder,
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    FreeOrder,
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
    Transfer,
    Trek,
)
from games.boer_war.paths import CheckedPath
from games.boer_war.working_state import LONG_TOM_EVENT, WorkingState
from games.boer_war.works import raiders_near

MOVED_MARK = "moved"
"""Begins the mark of a leader who went somewhere in this round: the rules allow it again, bots do not."""


def note_free_orders(
    working: WorkingState, side: Side, wishes: Sequence[FreeOrder]
) -> tuple[Transfer | Garrison, ...]:
    """Note stances and landings; return the orders that go with an action. Source: ruling 14 (free)."""
    handing: list[Transfer | Garrison] = []
    for wish in wishes:
        if isinstance(wish, Stance):
            others = tuple(other for other in working.now.standing if other != wish.leader)
            working.update(standing=others if wish.slip else tuple(sorted((*others, wish.leader))))
            working.record(Said(side=side, order=wish))
        elif isinstance(wish, Land):
            working.update(lands={**working.now.lands, wish.leader: wish.at})
            working.record(Said(side=side, order=wish))
        elif isinstance(wish, Transfer | Garrison):
            handing.append(wish)
        else:
            assert_never(wish)
    return tuple(handing)


def carry_out(
    working: WorkingState, side: Side, order: ActionOrder, handing: Sequence[AnyOrder] = ()
) -> None:
    """Carry out a legal action.

    SP are handed over at the start of a path and at its end; where that fails, it is refused.
    """
    if not isinstance(order, Move | Rail | Trek):
        _carry_out_action(working, side, order)
        movement.refuse_orders(working, side, handing, "nothing-moves")
        return
    leaders = order.leaders if isinstance(order, Move | Rail) else (order.leader,)
    start = working.now.leaders[leaders[0]].at
    handing = movement.hand_over_sp(working, side, start, handing)
    _carry_out_action(working, side, order)
    there = next(
        (working.now.leaders[leader].at for leader in leaders if leader in working.now.leaders), None
    )
    if there is not None:
        handing = movement.hand_over_sp(working, side, there, handing)
    movement.refuse_orders(working, side, handing, "cannot-hand-over")


def _carry_out_action(working: WorkingState, side: Side, order: ActionOrder) -> None:
    match order:
        case Move():
            _move(working, side, order)
        case Rail():
            _rail(working, side, order)
        case Trek():
            _trek(working, side, order)
        case Assault():
            _assault(working, side, order)
        case Siege():
            _siege(working, side, order)
        case Entrench():
            _entrench(working, side, order)
        case Cut():
            _cut(working, side, order)
        case Raid():
            _raid(working, side, order)
        case Repair():
            _repair(working, side, order)
        case Reinforce():
            _reinforce(working, side, order)
        case Reorganize():
            _reorganize(working, side, order)
        case PlayEvent():
            _event(working, side, order)
        case Drive():
            _drive(working, side, order)
        case Camp():
            _camp(working, side, order)
        case Blockhouse():
            _blockhouse(working, side, order)
        case Pass():
            _report_pass(working, side, order)
        case Done():
            _report_done(working, side, order)
        case _:
            assert_never(order)


def _move(working: WorkingState, side: Side, order: Move) -> None:
    journey = paths.check_march(working.now, side, order.leaders, order.path)
    _mark_moved(working, journey)
    movement.move_along(working, side, journey, "march")
    movement.resolve_arrival(
        working, side, journey, movement.spend_guns(working, order.guns), storm=order.storm
    )


def _rail(working: WorkingState, side: Side, order: Rail) -> None:
    journey = paths.check_rail(working.now, order.leaders, order.path)
    _mark_moved(working, journey)
    movement.move_along(working, side, journey, "rail")


def _trek(working: WorkingState, side: Side, order: Trek) -> None:
    journey = paths.check_trek(working.now, order.leader, order.path)
    _mark_moved(working, journey)
    if movement.trek_along(working, journey):
        movement.resolve_arrival(working, side, journey)


def _mark_moved(working: WorkingState, journey: CheckedPath) -> None:
    """Mark the leaders who went somewhere without an attack."""
    if not journey.attacks:
        working.update(used=(*working.now.used, *(f"{MOVED_MARK} {leader}" for leader in journey.leaders)))


def _assault(working: WorkingState, side: Side, order: Assault) -> None:
    movement.carry_out_assault(working, side, order.at, movement.spend_guns(working, order.guns))


def _siege(working: WorkingState, side: Side, order: Siege) -> None:
    """Roll for a siege. Source: ruling 9.4."""
    numbers, at = working.now.box.numbers.siege, order.at
    bonus = numbers.bonus if sp_at(working.now, at, "boers") >= numbers.strong else 0
    if working.now.kept.get(LONG_TOM_EVENT) == at:
        bonus += working.now.box.events[LONG_TOM_EVENT].number
    die = working.roll_die(f"siege {at}")
    rose = die + bonus >= numbers.rises
    resistance = working.now.board.places[at].resistance
    level = min(resistance, working.now.sieges[at] + numbers.step * int(rose))
    working.update(sieges={**working.now.sieges, at: level}, used=(*working.now.used, f"siege {at}"))
    working.record(SiegeRolled(at=at, die=die, bonus=bonus, rose=rose, level=level, of=resistance))
    if level >= resistance:
        capture_town(working, at, "surrendered")


def _entrench(working: WorkingState, side: Side, order: Entrench) -> None:
    dug = tuple(sorted((*working.now.trenches[side], order.at)))
    working.update(trenches={**working.now.trenches, side: dug})
    working.record(Entrenched(side=side, at=order.at))


def _cut(working: WorkingState, side: Side, order: Cut) -> None:
    working.update(cuts=(*working.now.cuts, order.link))
    working.record(WasCut(link=order.link, done=True))


def _raid(working: WorkingState, side: Side, order: Raid) -> None:
    """Raid a link: a line of blockhouses may keep the raiders off, or cost them SP."""
    if order.link not in working.now.blockhouses:
        _cut(working, side, Cut(link=order.link))
        return
    numbers = working.now.box.numbers.blockhouse
    leader = order.leader or raiders_near(working.now, order.link)[0]
    die = working.roll_die(f"raid {order.link}")
    done, lost = die >= numbers.raid_cuts, int(die <= numbers.raid_loses)
    if done:
        working.update(cuts=(*working.now.cuts, order.link))
    working.record(WasCut(link=order.link, done=done, die=die))
    if lost:
        at = working.now.leaders[leader].at
        working.record(LostSp(leader=leader, why="raid", die=die, at=at, link=order.link, lost=lost))
        working.wear_down(leader)
        if leader not in working.now.leaders:
            working.roll_for_leader(leader)


def _repair(working: WorkingState, side: Side, order: Repair) -> None:
    """Remove cuts. Source: ruling 7 (REPAIR)."""
    mends = working.now.box.numbers.markers.mends
    if not mends:
        _remove_cuts(working, order.links)
        working.record(Repaired(links=order.links))
        return
    for link in order.links:
        die = working.roll_die(f"repair {link}")
        if die >= mends:
            _remove_cuts(working, (link,))
        working.record(Repaired(links=(link,), done=die >= mends, die=die))


def _remove_cuts(working: WorkingState, links: tuple[Link, ...]) -> None:
    working.update(cuts=tuple(link for link in working.now.cuts if link not in links))


def _reinforce(working: WorkingState, side: Side, order: Reinforce) -> None:
    working.update(used=(*working.now.used, "reinforce"))
    if side == "boers" and working.now.is_guerrilla:
        assert order.leader is not None
        working.recruit_sp(order.leader)
        at = working.now.leaders[order.leader].at
        working.update(recruited=(*working.now.recruited, at))
        return
    reinforcing = working.now.box.numbers.reinforcing
    may = working.now.box.turn(working.now.turn).reinforce if side == "empire" else reinforcing.boers
    most = min(working.now.pools[side], may)
    at, sp, back = _assign_sp(working, side, order.leader, order.at, most if order.sp is None else order.sp)
    working.update(pools={**working.now.pools, side: working.now.pools[side] - sp})
    working.record(
        Reinforced(
            side=side,
            leader=order.leader,
            at=at,
            sp=sp,
            source="pool",
            back=back,
            left=working.now.pools[side],
        )
    )


def _assign_sp(
    working: WorkingState, side: Side, leader: LeaderId | None, at: Point | None, sp: int
) -> tuple[Point, int, bool]:
    """Give SP to a leader as far as he has room, to one who comes back out of the box, or to a garrison.

    Returns the point, the number, and whether he came back.
    """
    if leader is not None and leader in working.now.leaders:
        given = min(sp, spare_capacity(working.now, leader))
        working.add_sp(leader, given)
        return working.now.leaders[leader].at, given, False
    assert at is not None
    if leader is None:
        working.change_garrison(at, sp)
        return at, sp, False
    working.place_leader(leader, at, 1)
    more = min(sp - 1, spare_capacity(working.now, leader))
    working.add_sp(leader, more)
    return at, 1 + more, True


def _reorganize(working: WorkingState, side: Side, order: Reorganize) -> None:
    working.update(used=(*working.now.used, "reinforce"))
    most = min(working.now.scattered[side], working.now.box.numbers.reinforcing.reorganized)
    at, sp, back = _assign_sp(working, side, order.leader, order.at, most if order.sp is None else order.sp)
    working.scatter_sp(side, -sp)
    working.record(
        Reinforced(
            side=side_of(order.leader),
            leader=order.leader,
            at=at,
            sp=sp,
            source="scattered",
            back=back,
            left=working.now.scattered[side],
        )
    )


def _event(working: WorkingState, side: Side, order: PlayEvent) -> None:
    working.update(used=(*working.now.used, "event"))
    effects.play_event(working, side, order)


def _drive(working: WorkingState, side: Side, order: Drive) -> None:
    effects.carry_out_drive(working, order.leaders, order.target)


def _camp(working: WorkingState, side: Side, order: Camp) -> None:
    working.update(camps=(*working.now.camps, order.at), used=(*working.now.used, "camp"))
    working.record(CampSet(at=order.at, camps=len(working.now.camps), recruits=working.now.recruits))


def _blockhouse(working: WorkingState, side: Side, order: Blockhouse) -> None:
    working.update(blockhouses=(*working.now.blockhouses, order.link))
    working.record(Built(link=order.link, count=len(working.now.blockhouses)))


def _report_pass(working: WorkingState, side: Side, order: Pass) -> None:
    working.record(Passed(side=side))


def _report_done(working: WorkingState, side: Side, order: Done) -> None:
    working.record(Reported(side=side, action=working.now.done + 1))
