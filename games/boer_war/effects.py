"""The effects of event counters, and drives. Source: ruling 12.2, ruling 8 (DRIVE).

Each effect takes the working state and an order that `event_counters` let pass, and returns the number of
SP it was about.
"""

from collections.abc import Callable, Mapping

from games.boer_war import event_counters, movement, paths
from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.events import LostSp, Played
from games.boer_war.forces import leaders_at, leaders_of, move_allowance, spare_capacity
from games.boer_war.model import PlayEvent
from games.boer_war.skirmishes import SkirmishAttack
from games.boer_war.working_state import WorkingState


def play_event(working: WorkingState, side: Side, order: PlayEvent) -> None:
    """Play a counter: record it first, then carry out its effect."""
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
    """Move leaders to the points from which each attacks, then attack together. Source: ruling 8 (DRIVE)."""
    came: dict[LeaderId, Point] = {}
    for leader in leaders:
        journey = paths.path_to(working.now, leader, target)
        assert journey is not None, "looked at before"
        movement.move_along(working, "empire", journey, "drive")
        came[leader] = journey.last
    movement.attack_point(working, SkirmishAttack("empire", came, target))


def keep_marker(working: WorkingState, event: EventId, what: str = "") -> None:
    """Keep a marker ready."""
    working.update(kept={**working.now.kept, event: what})


def _event_number(working: WorkingState, order: PlayEvent) -> int:
    return working.now.box.events[order.event].number


def _play_landing(working: WorkingState, order: PlayEvent) -> int:
    """Bring new SP at a port: to the leader named as far as he has room, the others as a garrison."""
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
    movement.move_along(working, "empire", journey, "ride")
    movement.resolve_arrival(working, "empire", journey, ((order.event, event.bonus),))
    return 0


def _play_annexation(working: WorkingState, order: PlayEvent) -> int:
    sp = min(_event_number(working, order), working.now.scattered["boers"])
    working.scatter_sp("boers", -sp)
    working.destroy_sp("boers", sp)
    return sp


def _play_oath(working: WorkingState, order: PlayEvent) -> int:
    """Roll for leaders near the town; some of their men go home."""
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
    movement.move_along(working, "empire", journey, "ride")
    raid = SkirmishAttack("empire", {leader: journey.last}, journey.goal, evadable=False)
    movement.attack_point(working, raid)
    return 0


def _play_great_drive(working: WorkingState, order: PlayEvent) -> int:
    carry_out_drive(working, order.leaders, order.points[0])
    return 0


def _play_talks(working: WorkingState, order: PlayEvent) -> int:
    """Roll for leaders of little Command; one who is won over is out, and his men with him."""
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


def _play_black_week(working: WorkingState, order: PlayEvent) -> int:
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
    """Move a leader into the Cape; he finds a recruit there if he has room and any are left."""
    (leader,) = order.leaders
    movement.trek_along(
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
    """Attack; if it is won, the best Empire leader there is out, his men without him."""
    journey = paths.check_trek(working.now, order.leaders[0], order.points)
    rank = working.now.box.leaders
    here = leaders_at(working.now, journey.goal, "empire")
    prey = min(here, key=lambda leader: (-rank[leader].command, leader))
    if not movement.trek_along(working, journey):
        return 0
    won = movement.resolve_arrival(working, "boers", journey, ((order.event, _event_number(working, order)),))
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
