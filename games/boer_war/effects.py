"""What event counters do, and drives. Source: ruling 12.2, ruling 8 (DRIVE).

Each effect takes the theatre and an order that `counters` let pass, and says how many SP it was about.
"""

from collections.abc import Callable, Mapping

from games.boer_war import counters, marching, ways
from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.events import LostSp, Played
from games.boer_war.forces import leaders_at, leaders_of, move_of, room
from games.boer_war.in_play import Theatre
from games.boer_war.model import PlayEvent
from games.boer_war.skirmishes import Raiders


def play(theatre: Theatre, side: Side, order: PlayEvent) -> None:
    """A counter is played: told first, then what comes of it."""
    played = theatre.now.played.get(order.event, 0) + 1
    theatre.set(played={**theatre.now.played, order.event: played})
    place = len(theatre.events)
    sp = _EFFECTS[order.event](theatre, order)
    told = Played(
        side=side,
        event=order.event,
        leaders=order.leaders,
        points=order.points,
        links=order.links,
        sp=sp,
    )
    theatre.tell(told, place)


def drive(theatre: Theatre, leaders: tuple[LeaderId, ...], target: Point) -> None:
    """Leaders move to the points from which each attacks, then attack together. Source: ruling 8 (DRIVE)."""
    came: dict[LeaderId, Point] = {}
    for leader in leaders:
        journey = ways.reaches(theatre.now, leader, target)
        assert journey is not None, "looked at before"
        marching.go(theatre, "empire", journey, "drive")
        came[leader] = journey.last
    marching.strike(theatre, Raiders("empire", came, target))


def keep(theatre: Theatre, event: EventId, what: str = "") -> None:
    """A marker lies ready."""
    theatre.set(kept={**theatre.now.kept, event: what})


def _number(theatre: Theatre, order: PlayEvent) -> int:
    return theatre.now.box.events[order.event].number


def _land(theatre: Theatre, order: PlayEvent) -> int:
    """New SP at a port: to the leader named as far as he has room, the others as a garrison."""
    sp, at = _number(theatre, order), order.points[0]
    theatre.bring("empire", sp)
    led = sum(theatre.deal(order.leaders, sp).values())
    if sp > led:
        theatre.garrison(at, sp - led)
    return sp


def _kept(theatre: Theatre, order: PlayEvent) -> int:
    keep(theatre, order.event)
    return 0


def _heliograph(theatre: Theatre, order: PlayEvent) -> int:
    (town,) = order.points
    level = max(0, theatre.now.sieges[town] - _number(theatre, order))
    theatre.set(sieges={**theatre.now.sieges, town: level})
    return 0


def _ride(theatre: Theatre, order: PlayEvent) -> int:
    event = theatre.now.box.events[order.event]
    journey = ways.ride(theatre.now, "empire", order.leaders[0], order.points, event.number)
    marching.go(theatre, "empire", journey, "ride")
    marching.arrive(theatre, "empire", journey, ((order.event, event.bonus),))
    return 0


def _annexation(theatre: Theatre, order: PlayEvent) -> int:
    sp = min(_number(theatre, order), theatre.now.scattered["boers"])
    theatre.scatter("boers", -sp)
    theatre.bury("boers", sp)
    return sp


def _oath(theatre: Theatre, order: PlayEvent) -> int:
    """Leaders near the town throw, and some of their men go home."""
    event, (town,) = theatre.now.box.events[order.event], order.points
    lost = 0
    for leader in leaders_of(theatre.now, "boers"):
        there = theatre.now.leaders[leader]
        if there.sp < event.needs or theatre.now.board.apart(there.at, town) > event.near:
            continue
        die = theatre.die(f"oath {leader}")
        home = int(die <= event.die)
        theatre.tell(LostSp(leader=leader, why="oath", die=die, at=there.at, lost=home))
        if home:
            theatre.wear(leader, for_good=True)
        lost += home
    return lost


def _patrols(theatre: Theatre, order: PlayEvent) -> int:
    build = tuple(link for link in order.links if link not in theatre.now.cuts)
    theatre.set(
        cuts=tuple(link for link in theatre.now.cuts if link not in order.links),
        blockhouses=(*theatre.now.blockhouses, *build),
    )
    return 0


def _night_raid(theatre: Theatre, order: PlayEvent) -> int:
    (leader,) = order.leaders
    journey = ways.ride(theatre.now, "empire", leader, order.points, move_of(theatre.now, leader))
    marching.go(theatre, "empire", journey, "ride")
    raid = Raiders("empire", {leader: journey.last}, journey.goal, evadable=False)
    marching.strike(theatre, raid)
    return 0


def _great_drive(theatre: Theatre, order: PlayEvent) -> int:
    drive(theatre, order.leaders, order.points[0])
    return 0


def _talks(theatre: Theatre, order: PlayEvent) -> int:
    """Leaders of little Command throw; who is won over is out, and his men with him."""
    event = theatre.now.box.events[order.event]
    lost = 0
    for leader in leaders_of(theatre.now, "boers"):
        if theatre.now.box.leaders[leader].command > event.number:
            continue
        there = theatre.now.leaders[leader]
        die = theatre.die(f"talks {leader}")
        gone = there.sp if die <= event.die else 0
        theatre.tell(LostSp(leader=leader, why="talks", die=die, at=there.at, lost=gone))
        if gone:
            theatre.take_out(leader)
            theatre.bury("boers", gone)
        lost += gone
    return lost


def _long_tom(theatre: Theatre, order: PlayEvent) -> int:
    keep(theatre, order.event, order.points[0])
    return 0


def _rebels(theatre: Theatre, order: PlayEvent) -> int:
    (leader,) = order.leaders
    sp = min(_number(theatre, order), room(theatre.now, leader))
    theatre.bring("boers", sp)
    theatre.gain(leader, sp)
    return sp


def _volunteers(theatre: Theatre, order: PlayEvent) -> int:
    theatre.bring("boers", 1)
    theatre.gain(order.leaders[0], 1)
    keep(theatre, order.event)
    return 1


def _black_week(theatre: Theatre, order: PlayEvent) -> int:
    beaten = tuple(one for one in theatre.now.repulsed if one in theatre.now.leaders)
    theatre.set(black_week=True, shaken=beaten)
    return 0


def _ambush(theatre: Theatre, order: PlayEvent) -> int:
    keep(theatre, order.event, order.leaders[0])
    return 0


def _council(theatre: Theatre, order: PlayEvent) -> int:
    members = tuple(dict.fromkeys(order.leaders)) or counters.council_members(theatre.now)
    sp = sum(theatre.deal(members, min(_number(theatre, order), theatre.now.scattered["boers"])).values())
    theatre.scatter("boers", -sp)
    return sp


def _wreckers(theatre: Theatre, order: PlayEvent) -> int:
    theatre.set(cuts=(*theatre.now.cuts, *order.links))
    return 0


def _invasion(theatre: Theatre, order: PlayEvent) -> int:
    """A leader rides into the Cape, and finds a recruit there if he has room and any are left."""
    (leader,) = order.leaders
    marching.trek(
        theatre, ways.trek(theatre.now, leader, order.points, _number(theatre, order)), past_lines=True
    )
    if not room(theatre.now, leader) or not theatre.now.recruit_pool:
        return 0
    theatre.recruit(leader)
    return 1


def _report(theatre: Theatre, order: PlayEvent) -> int:
    theatre.set(camp_ban=_number(theatre, order))
    return 0


def _tweebosch(theatre: Theatre, order: PlayEvent) -> int:
    """An attack; if it is won, the best Empire leader there is out, his men without him."""
    journey = ways.trek(theatre.now, order.leaders[0], order.points)
    rank = theatre.now.box.leaders
    here = leaders_at(theatre.now, journey.goal, "empire")
    prey = min(here, key=lambda one: (-rank[one].command, one))
    if not marching.trek(theatre, journey):
        return 0
    won = marching.arrive(theatre, "boers", journey, ((order.event, _number(theatre, order)),))
    if won and prey not in theatre.now.gone:
        there = theatre.now.leaders.get(prey)
        theatre.take_out(prey)
        if there is not None:
            theatre.garrison(there.at, there.sp)
    return 0


_EFFECTS: Mapping[EventId, Callable[[Theatre, PlayEvent], int]] = {
    EventId("E01"): _land,
    EventId("E02"): _kept,
    EventId("E03"): _land,
    EventId("E04"): _heliograph,
    EventId("E05"): _ride,
    EventId("E06"): _annexation,
    EventId("E07"): _oath,
    EventId("E08"): _patrols,
    EventId("E09"): _kept,
    EventId("E10"): _night_raid,
    EventId("E11"): _great_drive,
    EventId("E12"): _talks,
    EventId("B01"): _long_tom,
    EventId("B02"): _rebels,
    EventId("B03"): _volunteers,
    EventId("B04"): _black_week,
    EventId("B05"): _kept,
    EventId("B06"): _ambush,
    EventId("B07"): _council,
    EventId("B08"): _wreckers,
    EventId("B09"): _invasion,
    EventId("B10"): _kept,
    EventId("B11"): _report,
    EventId("B12"): _tweebosch,
}
