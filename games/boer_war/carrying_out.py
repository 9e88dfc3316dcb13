"""An action carried out: one function for each kind of order. Source: rulings 7 and 8.

Each takes the theatre, the side and an order that is lawful; `carry_out` finds it.
"""

from collections.abc import Sequence
from typing import assert_never

from games.boer_war import effects, marching, ways
from games.boer_war.battles import town_falls
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
from games.boer_war.forces import room, side_of, sp_at
from games.boer_war.in_play import LONG_TOM, Theatre
from games.boer_war.model import (
    Act,
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Free,
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
from games.boer_war.ways import Journey
from games.boer_war.works import raiders_near

MOVED = "moved"
"""Begins the mark of a leader who went somewhere in this round: the rules allow it again, bots do not."""


def note(theatre: Theatre, side: Side, wishes: Sequence[Free]) -> tuple[Transfer | Garrison, ...]:
    """Stances and landings noted; what is to go with an action is left over. Source: ruling 14 (free)."""
    left: list[Transfer | Garrison] = []
    for wish in wishes:
        if isinstance(wish, Stance):
            others = tuple(one for one in theatre.now.standing if one != wish.leader)
            theatre.set(standing=others if wish.slip else tuple(sorted((*others, wish.leader))))
            theatre.tell(Said(side=side, order=wish))
        elif isinstance(wish, Land):
            theatre.set(lands={**theatre.now.lands, wish.leader: wish.at})
            theatre.tell(Said(side=side, order=wish))
        elif isinstance(wish, Transfer | Garrison):
            left.append(wish)
        else:
            assert_never(wish)
    return tuple(left)


def carry_out(theatre: Theatre, side: Side, order: Act, handing: Sequence[AnyOrder] = ()) -> None:
    """A lawful action; SP are handed over at the start of a way and at its end, else that is refused."""
    if not isinstance(order, Move | Rail | Trek):
        _act(theatre, side, order)
        marching.refuse(theatre, side, handing, "nothing-moves")
        return
    leaders = order.leaders if isinstance(order, Move | Rail) else (order.leader,)
    start = theatre.now.leaders[leaders[0]].at
    handing = marching.hand_over(theatre, side, start, handing)
    _act(theatre, side, order)
    there = next((theatre.now.leaders[one].at for one in leaders if one in theatre.now.leaders), None)
    if there is not None:
        handing = marching.hand_over(theatre, side, there, handing)
    marching.refuse(theatre, side, handing, "cannot-hand-over")


def _act(theatre: Theatre, side: Side, order: Act) -> None:
    match order:
        case Move():
            _move(theatre, side, order)
        case Rail():
            _rail(theatre, side, order)
        case Trek():
            _trek(theatre, side, order)
        case Assault():
            _assault(theatre, side, order)
        case Siege():
            _siege(theatre, side, order)
        case Entrench():
            _entrench(theatre, side, order)
        case Cut():
            _cut(theatre, side, order)
        case Raid():
            _raid(theatre, side, order)
        case Repair():
            _repair(theatre, side, order)
        case Reinforce():
            _reinforce(theatre, side, order)
        case Reorganize():
            _reorganize(theatre, side, order)
        case PlayEvent():
            _event(theatre, side, order)
        case Drive():
            _drive(theatre, side, order)
        case Camp():
            _camp(theatre, side, order)
        case Blockhouse():
            _blockhouse(theatre, side, order)
        case Pass():
            _pass(theatre, side, order)
        case Done():
            _done(theatre, side, order)
        case _:
            assert_never(order)


def _move(theatre: Theatre, side: Side, order: Move) -> None:
    journey = ways.march(theatre.now, side, order.leaders, order.path)
    _mark(theatre, journey)
    marching.go(theatre, side, journey, "march")
    marching.arrive(theatre, side, journey, marching.gun_bonus(theatre, order.guns), storm=order.storm)


def _rail(theatre: Theatre, side: Side, order: Rail) -> None:
    journey = ways.rail(theatre.now, order.leaders, order.path)
    _mark(theatre, journey)
    marching.go(theatre, side, journey, "rail")


def _trek(theatre: Theatre, side: Side, order: Trek) -> None:
    journey = ways.trek(theatre.now, order.leader, order.path)
    _mark(theatre, journey)
    if marching.trek(theatre, journey):
        marching.arrive(theatre, side, journey)


def _mark(theatre: Theatre, journey: Journey) -> None:
    """Note who went somewhere without an attack."""
    if not journey.attacks:
        theatre.set(used=(*theatre.now.used, *(f"{MOVED} {leader}" for leader in journey.leaders)))


def _assault(theatre: Theatre, side: Side, order: Assault) -> None:
    marching.assault(theatre, side, order.at, marching.gun_bonus(theatre, order.guns))


def _siege(theatre: Theatre, side: Side, order: Siege) -> None:
    """Source: ruling 9.4."""
    numbers, at = theatre.now.box.numbers.siege, order.at
    bonus = numbers.bonus if sp_at(theatre.now, at, "boers") >= numbers.strong else 0
    if theatre.now.kept.get(LONG_TOM) == at:
        bonus += theatre.now.box.events[LONG_TOM].number
    die = theatre.die(f"siege {at}")
    rose = die + bonus >= numbers.rises
    resistance = theatre.now.board.places[at].resistance
    level = min(resistance, theatre.now.sieges[at] + numbers.step * int(rose))
    theatre.set(sieges={**theatre.now.sieges, at: level}, used=(*theatre.now.used, f"siege {at}"))
    theatre.tell(SiegeRolled(at=at, die=die, bonus=bonus, rose=rose, level=level, of=resistance))
    if level >= resistance:
        town_falls(theatre, at, "surrendered")


def _entrench(theatre: Theatre, side: Side, order: Entrench) -> None:
    dug = tuple(sorted((*theatre.now.trenches[side], order.at)))
    theatre.set(trenches={**theatre.now.trenches, side: dug})
    theatre.tell(Entrenched(side=side, at=order.at))


def _cut(theatre: Theatre, side: Side, order: Cut) -> None:
    theatre.set(cuts=(*theatre.now.cuts, order.link))
    theatre.tell(WasCut(link=order.link, done=True))


def _raid(theatre: Theatre, side: Side, order: Raid) -> None:
    """A line of blockhouses may keep the raiders off, or cost them SP."""
    if order.link not in theatre.now.blockhouses:
        _cut(theatre, side, Cut(link=order.link))
        return
    numbers = theatre.now.box.numbers.blockhouse
    leader = order.leader or raiders_near(theatre.now, order.link)[0]
    die = theatre.die(f"raid {order.link}")
    done, lost = die >= numbers.raid_cuts, int(die <= numbers.raid_loses)
    if done:
        theatre.set(cuts=(*theatre.now.cuts, order.link))
    theatre.tell(WasCut(link=order.link, done=done, die=die))
    if lost:
        at = theatre.now.leaders[leader].at
        theatre.tell(LostSp(leader=leader, why="raid", die=die, at=at, link=order.link, lost=lost))
        theatre.wear(leader)
        if leader not in theatre.now.leaders:
            theatre.test(leader)


def _repair(theatre: Theatre, side: Side, order: Repair) -> None:
    """Source: ruling 7 (REPAIR)."""
    mends = theatre.now.box.numbers.markers.mends
    if not mends:
        _mended(theatre, order.links)
        theatre.tell(Repaired(links=order.links))
        return
    for link in order.links:
        die = theatre.die(f"repair {link}")
        if die >= mends:
            _mended(theatre, (link,))
        theatre.tell(Repaired(links=(link,), done=die >= mends, die=die))


def _mended(theatre: Theatre, links: tuple[Link, ...]) -> None:
    theatre.set(cuts=tuple(link for link in theatre.now.cuts if link not in links))


def _reinforce(theatre: Theatre, side: Side, order: Reinforce) -> None:
    theatre.set(used=(*theatre.now.used, "reinforce"))
    if side == "boers" and theatre.now.is_guerrilla:
        assert order.leader is not None
        theatre.recruit(order.leader)
        at = theatre.now.leaders[order.leader].at
        theatre.set(recruited=(*theatre.now.recruited, at))
        return
    reinforcing = theatre.now.box.numbers.reinforcing
    may = theatre.now.box.turn(theatre.now.turn).reinforce if side == "empire" else reinforcing.boers
    most = min(theatre.now.pools[side], may)
    at, sp, back = _put(theatre, side, order.leader, order.at, most if order.sp is None else order.sp)
    theatre.set(pools={**theatre.now.pools, side: theatre.now.pools[side] - sp})
    theatre.tell(
        Reinforced(
            side=side,
            leader=order.leader,
            at=at,
            sp=sp,
            source="pool",
            back=back,
            left=theatre.now.pools[side],
        )
    )


def _put(
    theatre: Theatre, side: Side, leader: LeaderId | None, at: Point | None, sp: int
) -> tuple[Point, int, bool]:
    """SP to a leader as far as he has room, to one who comes back out of the box, or to a garrison.

    Returns where, how many, and whether he came back.
    """
    if leader is not None and leader in theatre.now.leaders:
        given = min(sp, room(theatre.now, leader))
        theatre.gain(leader, given)
        return theatre.now.leaders[leader].at, given, False
    assert at is not None
    if leader is None:
        theatre.garrison(at, sp)
        return at, sp, False
    theatre.place(leader, at, 1)
    more = min(sp - 1, room(theatre.now, leader))
    theatre.gain(leader, more)
    return at, 1 + more, True


def _reorganize(theatre: Theatre, side: Side, order: Reorganize) -> None:
    theatre.set(used=(*theatre.now.used, "reinforce"))
    most = min(theatre.now.scattered[side], theatre.now.box.numbers.reinforcing.reorganized)
    at, sp, back = _put(theatre, side, order.leader, order.at, most if order.sp is None else order.sp)
    theatre.scatter(side, -sp)
    theatre.tell(
        Reinforced(
            side=side_of(order.leader),
            leader=order.leader,
            at=at,
            sp=sp,
            source="scattered",
            back=back,
            left=theatre.now.scattered[side],
        )
    )


def _event(theatre: Theatre, side: Side, order: PlayEvent) -> None:
    theatre.set(used=(*theatre.now.used, "event"))
    effects.play(theatre, side, order)


def _drive(theatre: Theatre, side: Side, order: Drive) -> None:
    effects.drive(theatre, order.leaders, order.target)


def _camp(theatre: Theatre, side: Side, order: Camp) -> None:
    theatre.set(camps=(*theatre.now.camps, order.at), used=(*theatre.now.used, "camp"))
    theatre.tell(CampSet(at=order.at, camps=len(theatre.now.camps), recruits=theatre.now.recruits))


def _blockhouse(theatre: Theatre, side: Side, order: Blockhouse) -> None:
    theatre.set(blockhouses=(*theatre.now.blockhouses, order.link))
    theatre.tell(Built(link=order.link, count=len(theatre.now.blockhouses)))


def _pass(theatre: Theatre, side: Side, order: Pass) -> None:
    theatre.tell(Passed(side=side))


def _done(theatre: Theatre, side: Side, order: Done) -> None:
    theatre.tell(Reported(side=side, action=theatre.now.done + 1))
