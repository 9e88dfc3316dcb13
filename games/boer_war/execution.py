"""The execution of orders: moves of leaders, and a function for each kind of order and each event counter.

Source: rulings 7, 8 and 12.2.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import assert_never

from games.boer_war import event_counters, paths
from games.boer_war.battles import (
    Attack,
    ScoreBonus,
    SkirmishAttack,
    capture_town,
    cross_line,
    fight_battle,
    fight_skirmish,
    spend_event_marker,
)
from games.boer_war.components import EventId, LeaderId, Link, Point, Side
from games.boer_war.events import (
    Built,
    CampSet,
    Entrenched,
    Handed,
    Invested,
    LostSp,
    Passed,
    Played,
    Refused,
    Reinforced,
    Repaired,
    Reported,
    Said,
    SiegeRolled,
    TravelMode,
    WasCut,
    Went,
)
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
    leaders_at,
    leaders_of,
    move_allowance,
    side_of,
    sp_at,
    spare_capacity,
)
from games.boer_war.paths import CheckedPath
from games.boer_war.working_state import LONG_TOM_EVENT, WorkingState
from games.boer_war.works import raiders_near
from games.record import replace_fields

MOVED_MARK = "moved"
"""The first word of the mark of a leader who has moved in this round. Only bots care about the mark."""


def note_free_orders(
    working: WorkingState, side: Side, wishes: Sequence[FreeOrder]
) -> tuple[Transfer | Garrison, ...]:
    """Save stances and landings. Return the transfers, which go with an action. Source: ruling 14 (free)."""
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

    Transfers take place at the start of a path or at its end. Transfers that fail at both are refused.
    """
    if not isinstance(order, Move | Rail | Trek):
        _carry_out_action(working, side, order)
        refuse_orders(working, side, handing, "nothing-moves")
        return
    leaders = order.leaders if isinstance(order, Move | Rail) else (order.leader,)
    start = working.now.leaders[leaders[0]].at
    handing = hand_over_sp(working, side, start, handing)
    _carry_out_action(working, side, order)
    there = next(
        (working.now.leaders[leader].at for leader in leaders if leader in working.now.leaders), None
    )
    if there is not None:
        handing = hand_over_sp(working, side, there, handing)
    refuse_orders(working, side, handing, "cannot-hand-over")


def _carry_out_action(working: WorkingState, side: Side, order: ActionOrder) -> None:
    match order:
        case Move():
            _move(working, side, order)
        case Rail():
            journey = paths.check_rail(working.now, order.leaders, order.path)
            _mark_moved(working, journey)
            move_along(working, side, journey, "rail")
        case Trek():
            journey = paths.check_trek(working.now, order.leader, order.path)
            _mark_moved(working, journey)
            if trek_along(working, journey):
                resolve_arrival(working, side, journey)
        case Assault():
            carry_out_assault(working, side, order.at, spend_guns(working, order.guns))
        case Siege():
            _siege(working, order)
        case Entrench():
            dug = tuple(sorted((*working.now.trenches[side], order.at)))
            working.update(trenches={**working.now.trenches, side: dug})
            working.record(Entrenched(side=side, at=order.at))
        case Cut():
            _cut(working, order)
        case Raid():
            _raid(working, order)
        case Repair():
            _repair(working, order)
        case Reinforce():
            _reinforce(working, side, order)
        case Reorganize():
            _reorganize(working, side, order)
        case PlayEvent():
            working.update(used=(*working.now.used, "event"))
            play_event(working, side, order)
        case Drive():
            carry_out_drive(working, order.leaders, order.target)
        case Camp():
            working.update(camps=(*working.now.camps, order.at), used=(*working.now.used, "camp"))
            working.record(CampSet(at=order.at, camps=len(working.now.camps), recruits=working.now.recruits))
        case Blockhouse():
            working.update(blockhouses=(*working.now.blockhouses, order.link))
            working.record(Built(link=order.link, count=len(working.now.blockhouses)))
        case Pass():
            working.record(Passed(side=side))
        case Done():
            working.record(Reported(side=side, action=working.now.done + 1))
        case _:
            assert_never(order)


def _move(working: WorkingState, side: Side, order: Move) -> None:
    journey = paths.check_march(working.now, side, order.leaders, order.path)
    _mark_moved(working, journey)
    move_along(working, side, journey, "march")
    resolve_arrival(working, side, journey, spend_guns(working, order.guns), storm=order.storm)


def _mark_moved(working: WorkingState, journey: CheckedPath) -> None:
    """Mark the leaders of a move without an attack."""
    if not journey.attacks:
        working.update(used=(*working.now.used, *(f"{MOVED_MARK} {leader}" for leader in journey.leaders)))


def _siege(working: WorkingState, order: Siege) -> None:
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


def _cut(working: WorkingState, order: Cut) -> None:
    working.update(cuts=(*working.now.cuts, order.link))
    working.record(WasCut(link=order.link, done=True))


def _raid(working: WorkingState, order: Raid) -> None:
    """Raid a link. A roll against a line of blockhouses decides on success and losses."""
    if order.link not in working.now.blockhouses:
        _cut(working, Cut(link=order.link))
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


def _repair(working: WorkingState, order: Repair) -> None:
    """Repair cuts, with a roll for each if the numbers ask for one. Source: ruling 7 (REPAIR)."""
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
    at, sp, back = _assign_sp(working, order.leader, order.at, most if order.sp is None else order.sp)
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
    working: WorkingState, leader: LeaderId | None, at: Point | None, sp: int
) -> tuple[Point, int, bool]:
    """Give SP to a leader on the map, to a leader who returns from the box, or to a garrison (None).

    Returns the point, the number of SP as far as the leader has room, and whether the leader came back.
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
    at, sp, back = _assign_sp(working, order.leader, order.at, most if order.sp is None else order.sp)
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


# The effects of event counters, and drives. Source: ruling 12.2, ruling 8 (DRIVE).
#
# Each effect takes the working state and a legal order, and returns the number of SP that it gave or took.


def play_event(working: WorkingState, side: Side, order: PlayEvent) -> None:
    """Play an event counter. The event itself is recorded before the events of its effect."""
    played = working.now.played.get(order.event, 0) + 1
    working.update(played={**working.now.played, order.event: played})
    place = len(working.events)
    sp = _EVENT_EFFECTS[order.event](working, order)
    played_event = Played(
        side=side,
        event=order.event,
        leaders=order.leaders,
        points=order.points,
        links=order.links,
        sp=sp,
    )
    working.record(played_event, place)


def carry_out_drive(working: WorkingState, leaders: tuple[LeaderId, ...], target: Point) -> None:
    """Move each leader next to the target, then attack together. Source: ruling 8 (DRIVE)."""
    came: dict[LeaderId, Point] = {}
    for leader in leaders:
        journey = paths.path_to(working.now, leader, target)
        assert journey is not None, "looked at before"
        move_along(working, "empire", journey, "drive")
        came[leader] = journey.last
    attack_point(working, SkirmishAttack("empire", came, target))


def keep_marker(working: WorkingState, event: EventId, what: str = "") -> None:
    """Keep the marker of an event for later use. what: the leader or point that it belongs to."""
    working.update(kept={**working.now.kept, event: what})


def _event_number(working: WorkingState, order: PlayEvent) -> int:
    return working.now.box.events[order.event].number


def _play_landing(working: WorkingState, order: PlayEvent) -> int:
    """Bring new SP at a port, to the leader named as far as they have room, the rest as a garrison."""
    sp, at = _event_number(working, order), order.points[0]
    working.bring_sp("empire", sp)
    led = sum(working.deal_sp(order.leaders, sp).values())
    if sp > led:
        working.change_garrison(at, sp - led)
    return sp


def _play_kept(working: WorkingState, order: PlayEvent) -> int:
    keep_marker(working, order.event)
    return 0


def _play_heliograph(working: WorkingState, order: PlayEvent) -> int:
    (town,) = order.points
    level = max(0, working.now.sieges[town] - _event_number(working, order))
    working.update(sieges={**working.now.sieges, town: level})
    return 0


def _play_ride(working: WorkingState, order: PlayEvent) -> int:
    event = working.now.box.events[order.event]
    journey = paths.check_ride(working.now, "empire", order.leaders[0], order.points, event.number)
    move_along(working, "empire", journey, "ride")
    resolve_arrival(working, "empire", journey, ((order.event, event.bonus),))
    return 0


def _play_annexation(working: WorkingState, order: PlayEvent) -> int:
    sp = min(_event_number(working, order), working.now.scattered["boers"])
    working.scatter_sp("boers", -sp)
    working.destroy_sp("boers", sp)
    return sp


def _play_oath(working: WorkingState, order: PlayEvent) -> int:
    """Roll for the leaders near the town. Some of them lose an SP for good."""
    event, (town,) = working.now.box.events[order.event], order.points
    lost = 0
    for leader in leaders_of(working.now, "boers"):
        there = working.now.leaders[leader]
        if there.sp < event.needs or working.now.board.distance(there.at, town) > event.near:
            continue
        die = working.roll_die(f"oath {leader}")
        home = int(die <= event.die)
        working.record(LostSp(leader=leader, why="oath", die=die, at=there.at, lost=home))
        if home:
            working.wear_down(leader, for_good=True)
        lost += home
    return lost


def _play_patrols(working: WorkingState, order: PlayEvent) -> int:
    build = tuple(link for link in order.links if link not in working.now.cuts)
    working.update(
        cuts=tuple(link for link in working.now.cuts if link not in order.links),
        blockhouses=(*working.now.blockhouses, *build),
    )
    return 0


def _play_night_raid(working: WorkingState, order: PlayEvent) -> int:
    (leader,) = order.leaders
    journey = paths.check_ride(
        working.now, "empire", leader, order.points, move_allowance(working.now, leader)
    )
    move_along(working, "empire", journey, "ride")
    raid = SkirmishAttack("empire", {leader: journey.last}, journey.goal, evadable=False)
    attack_point(working, raid)
    return 0


def _play_great_drive(working: WorkingState, order: PlayEvent) -> int:
    carry_out_drive(working, order.leaders, order.points[0])
    return 0


def _play_talks(working: WorkingState, order: PlayEvent) -> int:
    """Roll for the leaders with a low Command. Some of them surrender with all their SP."""
    event = working.now.box.events[order.event]
    lost = 0
    for leader in leaders_of(working.now, "boers"):
        if working.now.box.leaders[leader].command > event.number:
            continue
        there = working.now.leaders[leader]
        die = working.roll_die(f"talks {leader}")
        gone = there.sp if die <= event.die else 0
        working.record(LostSp(leader=leader, why="talks", die=die, at=there.at, lost=gone))
        if gone:
            working.remove_leader(leader)
            working.destroy_sp("boers", gone)
        lost += gone
    return lost


def _play_long_tom(working: WorkingState, order: PlayEvent) -> int:
    keep_marker(working, order.event, order.points[0])
    return 0


def _play_rebels(working: WorkingState, order: PlayEvent) -> int:
    (leader,) = order.leaders
    sp = min(_event_number(working, order), spare_capacity(working.now, leader))
    working.bring_sp("boers", sp)
    working.add_sp(leader, sp)
    return sp


def _play_volunteers(working: WorkingState, order: PlayEvent) -> int:
    working.bring_sp("boers", 1)
    working.add_sp(order.leaders[0], 1)
    keep_marker(working, order.event)
    return 1


def _play_black_week(working: WorkingState, _order: PlayEvent) -> int:
    beaten = tuple(leader for leader in working.now.repulsed if leader in working.now.leaders)
    working.update(black_week=True, shaken=beaten)
    return 0


def _play_ambush(working: WorkingState, order: PlayEvent) -> int:
    keep_marker(working, order.event, order.leaders[0])
    return 0


def _play_council(working: WorkingState, order: PlayEvent) -> int:
    members = tuple(dict.fromkeys(order.leaders)) or event_counters.council_members(working.now)
    sp = sum(
        working.deal_sp(members, min(_event_number(working, order), working.now.scattered["boers"])).values()
    )
    working.scatter_sp("boers", -sp)
    return sp


def _play_wreckers(working: WorkingState, order: PlayEvent) -> int:
    working.update(cuts=(*working.now.cuts, *order.links))
    return 0


def _play_invasion(working: WorkingState, order: PlayEvent) -> int:
    """Move a leader into the Cape Colony. The leader gets a recruit if there is room and any are left."""
    (leader,) = order.leaders
    trek_along(
        working,
        paths.check_trek(working.now, leader, order.points, _event_number(working, order)),
        past_lines=True,
    )
    if not spare_capacity(working.now, leader) or not working.now.recruit_pool:
        return 0
    working.recruit_sp(leader)
    return 1


def _play_report(working: WorkingState, order: PlayEvent) -> int:
    working.update(camp_ban=_event_number(working, order))
    return 0


def _play_tweebosch(working: WorkingState, order: PlayEvent) -> int:
    """Attack a point. After a victory the best Empire leader there is out, and the SP become a garrison."""
    journey = paths.check_trek(working.now, order.leaders[0], order.points)
    rank = working.now.box.leaders
    here = leaders_at(working.now, journey.goal, "empire")
    prey = min(here, key=lambda leader: (-rank[leader].command, leader))
    if not trek_along(working, journey):
        return 0
    won = resolve_arrival(working, "boers", journey, ((order.event, _event_number(working, order)),))
    if won and prey not in working.now.gone:
        there = working.now.leaders.get(prey)
        working.remove_leader(prey)
        if there is not None:
            working.change_garrison(there.at, there.sp)
    return 0


_EVENT_EFFECTS: Mapping[EventId, Callable[[WorkingState, PlayEvent], int]] = {
    EventId("E01"): _play_landing,
    EventId("E02"): _play_kept,
    EventId("E03"): _play_landing,
    EventId("E04"): _play_heliograph,
    EventId("E05"): _play_ride,
    EventId("E06"): _play_annexation,
    EventId("E07"): _play_oath,
    EventId("E08"): _play_patrols,
    EventId("E09"): _play_kept,
    EventId("E10"): _play_night_raid,
    EventId("E11"): _play_great_drive,
    EventId("E12"): _play_talks,
    EventId("B01"): _play_long_tom,
    EventId("B02"): _play_rebels,
    EventId("B03"): _play_volunteers,
    EventId("B04"): _play_black_week,
    EventId("B05"): _play_kept,
    EventId("B06"): _play_ambush,
    EventId("B07"): _play_council,
    EventId("B08"): _play_wreckers,
    EventId("B09"): _play_invasion,
    EventId("B10"): _play_kept,
    EventId("B11"): _play_report,
    EventId("B12"): _play_tweebosch,
}


GUNS_EVENT, AMBUSH_EVENT = EventId("E02"), EventId("B06")


# Moves of leaders: the path, control of points, transfers of SP, and the attack at the end.


def move_along(working: WorkingState, side: Side, journey: CheckedPath, how: TravelMode) -> None:
    """Move leaders to the end of their path, or to the point before it if they attack.

    Their side takes control of the points on the path. Source: ruling 4 (control).
    """
    path = journey.path[:-1] if journey.attacks else journey.path
    if not path:
        return
    working.record(Went(side=side, leaders=journey.leaders, path=(journey.start, *path), how=how))
    working.move_leaders(journey.leaders, path[-1])
    working.take_control(side, path)


def trek_along(working: WorkingState, journey: CheckedPath, *, past_lines: bool = False) -> bool:
    """Move a Boer leader step by step over lines of blockhouses. Return whether the leader gets to the end.

    past_lines: if true, lines of blockhouses have no effect. Source: ruling 8 (TREK), ruling 9.3.4.
    """
    (leader,) = journey.leaders
    steps = (journey.start, *(journey.path[:-1] if journey.attacks else journey.path))
    if len(steps) > 1:
        working.record(Went(side="boers", leaders=(leader,), path=steps, how="trek"))
    for here, there in pairwise(steps):
        working.move_leaders((leader,), there)
        if not past_lines:
            cross_line(working, leader, here, there)
        if leader not in working.now.leaders:
            return False
    if journey.attacks and not past_lines:
        cross_line(working, leader, journey.last, journey.goal)
    return leader in working.now.leaders


def resolve_arrival(
    working: WorkingState, side: Side, journey: CheckedPath, bonus: ScoreBonus = (), *, storm: bool = False
) -> bool:
    """Resolve a path that ends at the enemy: an investment, a battle or a skirmish.

    Returns true if the attackers won. Source: ruling 7 (MOVE, invest), ruling 8 (MOVE, TREK).
    """
    if not journey.attacks:
        return False
    town = working.now.board.places[journey.goal].is_siege_town and not working.now.is_guerrilla
    if side == "boers" and town and not storm:
        invest_town(working, journey.leaders, journey.goal)
        return False
    came = dict.fromkeys(journey.leaders, journey.last)
    return attack_point(working, SkirmishAttack(side, came, journey.goal, bonus))


def invest_town(working: WorkingState, leaders: tuple[LeaderId, ...], town: Point) -> None:
    """Besiege a town with Boers, or join the siege. Source: ruling 7 (invest)."""
    working.move_leaders(leaders, town)
    working.update(sieges={town: 0, **working.now.sieges})
    working.record(Invested(at=town, leaders=leaders))


def attack_point(working: WorkingState, raid: SkirmishAttack) -> bool:
    """Attack a point in a battle (Turns I and II) or a skirmish (Turns III and IV). Return whether it's won.

    A prepared ambush gives a bonus.
    """
    ambusher, bonus = _spend_ambush(working, raid.side, raid.leaders, raid.bonus)
    if working.now.is_guerrilla:
        won = fight_skirmish(working, replace_fields(raid, bonus=bonus))
    else:
        won = fight_battle(
            working, Attack(raid.side, raid.leaders, raid.at, raid.came[raid.leaders[0]], bonus)
        )
    if won and ambusher is not None:
        recover_sp(working, ambusher)
    return won


def _spend_ambush(
    working: WorkingState, side: Side, leaders: tuple[LeaderId, ...], bonus: ScoreBonus
) -> tuple[LeaderId | None, ScoreBonus]:
    """Return the attacker with a prepared ambush, or None, and the bonus including it. Remove its marker."""
    in_ambush = working.now.kept.get(AMBUSH_EVENT)
    ambusher = next((leader for leader in leaders if side == "boers" and leader == in_ambush), None)
    if ambusher is None:
        return None, bonus
    spend_event_marker(working, AMBUSH_EVENT)
    return ambusher, (*bonus, (AMBUSH_EVENT, working.now.box.events[AMBUSH_EVENT].number))


def recover_sp(working: WorkingState, leader: LeaderId) -> None:
    """Give the winner of an ambush one SP from the Scattered box. Source: ruling 12.2 (B06)."""
    if (
        leader in working.now.leaders
        and spare_capacity(working.now, leader)
        and working.now.scattered["boers"]
    ):
        working.scatter_sp("boers", -1)
        working.add_sp(leader, 1)
        working.record(
            Reinforced(
                side="boers",
                leader=leader,
                at=working.now.leaders[leader].at,
                sp=1,
                source="scattered",
                left=working.now.scattered["boers"],
            )
        )


def carry_out_assault(working: WorkingState, side: Side, at: Point, bonus: ScoreBonus) -> bool:
    """Carry out an attack by all SP of the besiegers or of the besieged. Return whether it's won.

    Source: ruling 7 (ASSAULT).
    """
    leaders = leaders_at(working.now, at, side)
    ambusher, bonus = _spend_ambush(working, side, leaders, bonus)
    won = fight_battle(working, Attack(side, leaders, at, None, bonus))
    if won and ambusher is not None:
        recover_sp(working, ambusher)
    return won


def spend_guns(working: WorkingState, guns: bool) -> ScoreBonus:
    """Return the bonus of the naval guns if they're used, and remove their marker.

    Source: ruling 12.2 (E02).
    """
    if not guns:
        return ()
    spend_event_marker(working, GUNS_EVENT)
    return ((GUNS_EVENT, working.now.box.events[GUNS_EVENT].number),)


def hand_over_sp(
    working: WorkingState, side: Side, at: Point, wishes: Sequence[AnyOrder]
) -> tuple[AnyOrder, ...]:
    """Carry out the transfers that are possible at a point. Return the other orders. Source: ruling 3."""
    return tuple(wish for wish in wishes if not _is_handed_over(working, side, at, wish))


def _is_handed_over(working: WorkingState, side: Side, at: Point, wish: AnyOrder) -> bool:
    if isinstance(wish, Garrison):
        if wish.at != at:
            return False
        wish = Transfer(giver=wish.leader, taker=None, sp=wish.sp)
    assert isinstance(wish, Transfer)
    state = working.now
    for leader in (wish.giver, wish.taker):
        if leader is not None and (leader not in state.leaders or state.leaders[leader].at != at):
            return False
    has = state.garrisons.get(at, 0) if wish.giver is None else state.leaders[wish.giver].sp - 1
    takes = wish.sp if wish.taker is None else spare_capacity(state, wish.taker)
    if wish.sp > min(has, takes) or (side == "boers" and None in (wish.giver, wish.taker)):
        return False
    for leader, sp in ((wish.giver, -wish.sp), (wish.taker, wish.sp)):
        if leader is None:
            working.change_garrison(at, sp)
        else:
            working.add_sp(leader, sp)
    working.record(Handed(at=at, giver=wish.giver, taker=wish.taker, sp=wish.sp))
    return True


def refuse_orders(working: WorkingState, side: Side, wishes: Sequence[AnyOrder], code: str) -> None:
    """Record that orders were not possible. code: the code of the reason."""
    for wish in wishes:
        working.record(Refused(side=side, order=wish, code=code))
