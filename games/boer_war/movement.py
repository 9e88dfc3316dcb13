"""Moves of leaders: the path, control of points, transfers of SP, and the attack at the end."""

from collections.abc import Sequence
from itertools import pairwise

from games.boer_war.battles import Attack, ScoreBonus, fight_battle, spend_event_marker
from games.boer_war.components import EventId, LeaderId, Point, Side
from games.boer_war.events import Handed, Invested, Refused, Reinforced, TravelMode, Went
from games.boer_war.model import AnyOrder, Garrison, Transfer, leaders_at, spare_capacity
from games.boer_war.paths import CheckedPath
from games.boer_war.skirmishes import SkirmishAttack, cross_line, fight_skirmish
from games.boer_war.working_state import WorkingState
from games.record import replace_fields

GUNS_EVENT, AMBUSH_EVENT = EventId("E02"), EventId("B06")


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
