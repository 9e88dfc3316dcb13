"""The sequence of play: actions, the draw, rounds, Turns, arrivals, and the start of the guerrilla war.

Source: rulings 5, 6, 10 and 11.
"""

from games.boer_war.components import Flag, Leader, LeaderId, Point, Side
from games.boer_war.events import (
    Arrived,
    Drawn,
    Ended,
    Guerrilla,
    Left,
    LostSp,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
)
from games.boer_war.model import (
    SIDES,
    State,
    enemy_of,
    in_box_order,
    is_besieged,
    is_held,
    leaders_of,
    points_held,
    side_of,
    sp_at,
    spare_capacity,
)
from games.boer_war.reinforcements import inland_arrival_points
from games.boer_war.working_state import LONG_TOM_EVENT, WorkingState
from games.pool import MAX_ACTIONS_PER_ROUND, PoolReading, RoundCounters, goes_on, pool

# Victory. The checks are in the order of ruling 11.


GameVerdict = tuple[tuple[Side, ...], str]
"""The winners (empty for a draw), and the reason as a key of the table end_reasons in the catalogue."""


def count_controlled(state: State, side: Side, flag: Flag) -> int:
    """Return the number of points with a flag that a side controls."""
    return sum(state.control[point] == side for point in state.board.flagged[flag])


def verdict_after_action(state: State) -> GameVerdict | None:
    """Return the verdict after an action, or None. The Boers win as soon as enough sieges are completed."""
    if not state.is_guerrilla and len(state.fallen) >= state.box.numbers.victory.sieges:
        return ("boers",), "sieges"
    return None


def verdict_after_round(state: State) -> GameVerdict | None:
    """Return the verdict at the end of a round of the side that acts, or None."""
    numbers = state.box.numbers.victory
    if state.is_guerrilla:
        return (("empire",), "boers-gone") if state.sp_on_map("boers") < numbers.gone else None
    if state.side == "boers":
        return (("boers",), "port") if count_controlled(state, "boers", "port") else None
    if count_controlled(state, "empire", "political") < len(state.board.flagged["political"]):
        return None
    if (state.turn, state.rounds_finished("empire")) <= (numbers.centres_turn, numbers.centres_round):
        return ("empire",), "centres"
    remaining = state.sp_on_map("boers") + state.scattered["boers"]
    return (("empire",), "boers-broken") if remaining <= numbers.broken else None


def verdict_after_turn(state: State) -> GameVerdict | None:
    """Return the verdict at the end of a Turn, or None. After Turn IV there is always a verdict."""
    numbers = state.box.numbers.victory
    if state.turn <= 2:
        if count_controlled(state, "boers", "target") >= numbers.targets:
            return ("boers",), "targets"
        if state.turn == 2 and count_controlled(state, "empire", "political") < numbers.centres:
            return ("boers",), "centres-kept"
        return None
    ahead = numbers.camps_ahead if state.turn == 3 else numbers.camps_last
    camps = len(state.camps) > state.recruits + ahead
    unbeaten = state.turn == 4 and state.sp_on_map("boers") >= numbers.unbeaten
    if camps and not (unbeaten and numbers.unbeaten_first):
        return ("empire",), "camps"
    if state.turn == 3:
        return None
    return (("boers",), "unbeaten") if unbeaten else ((), "negotiated")


TURNS_PER_GAME = 4


def begin_turn(working: WorkingState) -> None:
    """Begin a Turn: turn all counters face up and add SP to the pools. Turn III begins the guerrilla war.

    Source: ruling 6.1.
    """
    turn = working.now.box.turn(working.now.turn)
    working.update(
        counters={side: RoundCounters() for side in SIDES}, side=working.now.box.numbers.rounds.first
    )
    if working.now.mode == "table":
        working.record(TurnBegan(turn=turn.number, came={}))
        return
    if working.now.turn == TURNS_PER_GAME - 1:
        begin_guerrilla_war(working)
    came: dict[Side, int] = {"boers": turn.boer_pool, "empire": turn.empire_pool}
    for side, sp in came.items():
        working.bring_sp(side, sp)
    pools = {side: working.now.pools[side] + sp for side, sp in came.items()}
    working.update(pools=pools, recruited=(), repulsed=())
    recruits = working.now.recruit_pool if working.now.turn == TURNS_PER_GAME - 1 else 0
    working.record(TurnBegan(turn=turn.number, came=came, recruits=recruits))


def begin_round(working: WorkingState) -> None:
    """Begin the round of the side that acts, and bring its leaders who are due. Source: ruling 6.2."""
    working.update(done=0, part=1, used=())
    state = working.now
    working.record(
        RoundBegan(turn=state.turn, side=state.side, round=state.round, counters=state.counters[state.side])
    )
    if state.mode != "table":
        bring_due_leaders(working)


def finish_action(working: WorkingState) -> None:
    """Finish an action with a draw. After STOP the round ends. Source: solitaire rules, steps 1 to 3."""
    working.update(done=working.now.done + 1)
    if working.now.mode != "table" and _end_if_decided(working, verdict_after_action(working.now)):
        return
    if working.now.done < MAX_ACTIONS_PER_ROUND and _draw_next_action(working):
        working.update(part=working.now.part + 1)
        return
    end_round(working)


def _draw_next_action(working: WorkingState) -> bool:
    """Return whether there is another action. A certain result needs no draw."""
    state = working.now
    counters = state.counters[state.side]
    reading: PoolReading = (
        "stop_left_in_cup" if state.options["pool"] == "stop_left_in_cup" else "unflipped_2"
    )
    cup = pool(counters, state.done, reading)
    more = goes_on(working.dice, working.dice_label(f"next action/{state.done}"), cup)
    working.record(
        Drawn(
            side=state.side,
            round=state.round,
            done=state.done,
            go=cup.go,
            stop=cup.stop,
            verdict=cup.verdict,
            goes_on=more,
            counters=counters,
        )
    )
    return more


def end_round(working: WorkingState) -> None:
    """End a round: flip a counter, then begin the next side's round or end the Turn.

    Source: solitaire rules, step 3; ruling 6.
    """
    state = working.now
    counters = state.counters[state.side].with_round_finished(state.done)
    round_ended = RoundEnded(
        turn=state.turn, side=state.side, round=state.round, actions=state.done, counters=counters
    )
    working.record(round_ended)
    if state.mode != "table":
        _expire_round_effects(working, round_ended.round)
    working.update(counters={**state.counters, state.side: counters})
    if state.mode != "table" and _end_if_decided(working, verdict_after_round(working.now)):
        return
    following = next(
        (side for side in (enemy_of(state.side), state.side) if working.now.counters[side].rounds > 0), None
    )
    if following is None:
        end_turn(working)
        return
    working.update(side=following)
    begin_round(working)


def _expire_round_effects(working: WorkingState, number: int) -> None:
    """End the effects that last until the end of an Empire round, and apply attrition if it's due."""
    state = working.now
    if state.side == "boers":
        return
    working.update(black_week=False, shaken=(), camp_ban=max(0, state.camp_ban - 1))
    if state.is_guerrilla and number in state.box.numbers.attrition.rounds:
        apply_attrition(working)


def end_turn(working: WorkingState) -> None:
    """End a Turn: check victory, remove scattered SP, retire leaders, then begin the next Turn.

    Source: ruling 6.5.
    """
    state = working.now
    if state.mode == "table":
        if state.turn == TURNS_PER_GAME:
            _end_if_decided(working, ((), "table-over"))
            return
    elif _end_if_decided(working, verdict_after_turn(state)):
        return
    else:
        _settle_turn(working)
    working.update(turn=state.turn + 1)
    begin_turn(working)
    begin_round(working)


def _settle_turn(working: WorkingState) -> None:
    lost: dict[Side, int] = {}
    for side in SIDES:
        lost[side] = half_of_scattered(working.now, working.now.scattered[side])
        working.scatter_sp(side, -lost[side])
        working.destroy_sp(side, lost[side])
    working.record(TurnEnded(turn=working.now.turn, lost=lost))
    working.update(kept={event: what for event, what in working.now.kept.items() if event == LONG_TOM_EVENT})
    retire_leaders(working)


def _end_if_decided(working: WorkingState, verdict: GameVerdict | None) -> bool:
    if verdict is None:
        return False
    winners, reason = verdict
    working.update(winners=winners, ended=reason)
    working.record(Ended(winners=winners, reason=reason))
    return True


# Leaders who arrive and leave. Source: ruling 5.


def bring_due_leaders(working: WorkingState) -> None:
    """Bring the leaders who are due in this round of their side. It costs no action."""
    state = working.now
    for leader in state.box.leaders.values():
        if (leader.turn, leader.round, leader.side) != (state.turn, state.round, state.side):
            continue
        if leader.id not in (*state.leaders, *state.gone, *state.boxes[leader.side]):
            _bring_leader(working, leader)


def _bring_leader(working: WorkingState, leader: Leader) -> None:
    if leader.side == "empire":
        _place_new_leader(working, leader, landing_point(working.now, leader), leader.sp)
    elif leader.joins:
        _join_leader(working, leader)
    else:
        _place_new_leader(working, leader, home_point(working.now, leader), max(1, leader.sp))


def _place_new_leader(working: WorkingState, leader: Leader, at: Point | None, sp: int) -> None:
    """Bring a leader with new SP.

    Without a point (None) the leader waits in the Reorganization box, and the SP are scattered.
    """
    working.bring_sp(leader.side, sp)
    if at is None:
        working.scatter_sp(leader.side, sp)
        working.box_leader(leader.id)
        return
    working.place_leader(leader.id, at, sp)
    working.record(Arrived(leader=leader.id, at=at, sp=sp))


def landing_point(state: State, leader: Leader) -> Point:
    """Return the point where an Empire leader arrives.

    It is the point that the player chose with LAND, otherwise the best open point, otherwise Cape Town.
    """
    places = landing_points(state, leader)
    wanted = state.lands.get(leader.id)
    if wanted in places:
        return wanted
    return next(iter(places), state.box.numbers.arriving.cape)


def landing_points(state: State, leader: Leader) -> tuple[Point, ...]:
    """Return the points where an Empire leader could arrive now, the best first."""
    boers = points_held(state, "boers")

    def is_open(point: Point) -> bool:
        return state.control[point] == "empire" and point not in boers

    if leader.lands:
        return tuple(filter(is_open, leader.lands))
    inland = filter(is_open, inland_arrival_points(state))
    return tuple(sorted(inland, key=lambda point: -sp_at(state, point, "empire")))


def _join_leader(working: WorkingState, leader: Leader) -> None:
    """Bring a Boer leader who joins another leader and takes over some SP, or has one new SP."""
    host = next((candidate for candidate in leader.joins if candidate in working.now.leaders), None)
    if host is None:
        capital = working.now.box.numbers.arriving.republics
        near = [
            point
            for point, place in working.now.board.places.items()
            if place.is_republic
            and working.now.control[point] == "boers"
            and not is_held(working.now, point, "empire")
        ]
        at = min(near, key=lambda point: (working.now.board.distance(capital, point), point), default=None)
        _place_new_leader(working, leader, at, 1)
        return
    there = working.now.leaders[host]
    sp = min(working.now.box.numbers.arriving.taken, there.sp - 1)
    if not sp:
        _place_new_leader(working, leader, there.at, 1)
        return
    working.add_sp(host, -sp)
    working.place_leader(leader.id, there.at, sp)
    working.record(Arrived(leader=leader.id, at=there.at, sp=sp, giver=host))


def home_point(state: State, leader: Leader) -> Point | None:
    """Return the first point without Empire SP in a Boer leader's district or the republics, or None."""
    republics = (point for point, place in state.board.places.items() if place.is_republic)
    foes = points_held(state, "empire")
    return next((point for point in (*leader.district, *republics) if point not in foes), None)


def retire_leaders(working: WorkingState) -> None:
    """Retire the leaders who leave at the end of this Turn. Their SP go to the nearest remaining leaders."""
    leaving = [
        leader_id
        for leader_id, leader in working.now.box.leaders.items()
        if leader.leaves == working.now.turn
    ]
    for leader in leaving:
        if leader in working.now.leaders:
            retire_leader(working, leader, leaving)
        elif leader in working.now.boxes[side_of(leader)]:
            working.remove_leader(leader)
            working.record(Left(leader=leader))


def retire_leader(working: WorkingState, leader: LeaderId, leaving: list[LeaderId]) -> None:
    """Retire a leader. SP that no one takes over become an Empire garrison, or scattered Boer SP.

    leaving: all leaders who retire now. SP never leave a besieged town.
    """
    side, there = side_of(leader), working.now.leaders[leader]
    heirs = _heirs(working.now, side, leader, leaving)
    handed: dict[LeaderId, int] = {}
    remaining = there.sp
    for heir in heirs:
        sp = min(remaining, spare_capacity(working.now, heir))
        if sp:
            working.add_sp(heir, sp)
            handed[heir] = sp
            remaining -= sp
    if side == "empire" and remaining:
        working.change_garrison(there.at, remaining)
    elif remaining:
        working.scatter_sp(side, remaining)
    working.remove_leader(leader)
    kept, scattered = (remaining, 0) if side == "empire" else (0, remaining)
    working.record(Left(leader=leader, handed=handed, kept=kept, scattered=scattered))


def _heirs(state: State, side: Side, leader: LeaderId, leaving: list[LeaderId]) -> list[LeaderId]:
    at = state.leaders[leader].at
    staying = [heir for heir in leaders_of(state, side) if heir not in leaving]
    shut_in = is_besieged(state, leader)
    if shut_in:
        staying = [heir for heir in staying if state.leaders[heir].at == at]
    reachable = [heir for heir in staying if shut_in or not is_besieged(state, heir)]
    return sorted(
        in_box_order(reachable), key=lambda heir: (state.board.distance(at, state.leaders[heir].at), heir)
    )


# The start of the guerrilla war, and losses near camps. Source: ruling 10.


def half_of_scattered(state: State, sp: int) -> int:
    """Return the share of scattered SP that is lost at the end of a Turn, or rises again, rounded up."""
    one_of = state.box.numbers.scattered.one_of
    return -(-sp // one_of)


def begin_guerrilla_war(working: WorkingState) -> None:
    """Carry out the transition at the start of Turn III: a new roster of Boer leaders takes the field.

    Source: ruling 10.1.
    """
    state, numbers = working.now, working.now.box.numbers.rising
    total = state.sp_on_map("boers") + half_of_scattered(state, state.scattered["boers"])
    total = min(max(total, numbers.least), numbers.most)
    under_arms = state.sp_on_map("boers") + state.scattered["boers"] + state.pools["boers"]
    _clear_field(working)
    working.bring_sp("boers", max(0, total - under_arms))
    working.destroy_sp("boers", max(0, under_arms - total))
    dealt = _deal_among_roster(working.now, total)
    for leader, sp in dealt.items():
        at = home_point(working.now, state.box.leaders[leader])
        assert at is not None, "some point of the republics is free"
        working.place_leader(leader, at, sp)
    _hand_over_towns(working)
    pool = state.box.numbers.reinforcing.recruit_pool
    working.bring_sp("boers", pool)
    working.update(recruit_pool=pool)
    standing = working.now.leaders
    positions = {
        leader: (standing[leader].at, standing[leader].sp) for leader in leaders_of(working.now, "boers")
    }
    working.record(Guerrilla(sp=total, leaders=positions))


def _clear_field(working: WorkingState) -> None:
    """Remove all Boers, trenches, cuts and sieges. Leaders outside the roster leave the game."""
    state, roster = working.now, working.now.box.numbers.transition.roster
    leaving = [
        leader for leader in (*leaders_of(state, "boers"), *state.boxes["boers"]) if leader not in roster
    ]
    boers = leaders_of(state, "boers")
    working.update(
        leaders={leader: there for leader, there in state.leaders.items() if leader not in boers},
        boxes={**state.boxes, "boers": ()},
        gone=(*state.gone, *leaving),
        standing=tuple(leader for leader in state.standing if leader not in leaving),
        pools={**state.pools, "boers": 0},
        scattered={**state.scattered, "boers": 0},
        trenches={"boers": (), "empire": ()},
        cuts=(),
        sieges={},
        kept={},
    )


def _deal_among_roster(state: State, total: int) -> dict[LeaderId, int]:
    """Return the SP of each remaining leader of the roster. They're dealt in turn by Command, then code."""
    rank, most = state.box.leaders, state.box.numbers.moving.commando
    able = [leader for leader in state.box.numbers.transition.roster if leader not in state.gone]
    able.sort(key=lambda leader: (-rank[leader].command, leader))
    got = dict.fromkeys(able, 0)
    for _ in range(most):
        for leader in able:
            got[leader] += int(sum(got.values()) < total)
    return {leader: sp for leader, sp in got.items() if sp}


def _hand_over_towns(working: WorkingState) -> None:
    """Give the Empire control of the colonies, and of railway points in the republics without Boers."""
    control = dict(working.now.control)
    for point, place in working.now.board.places.items():
        railway = working.now.board.on_rail(point) and not is_held(working.now, point, "boers")
        if not place.is_republic or railway:
            control[point] = "empire"
    working.update(control=control)


def apply_attrition(working: WorkingState) -> None:
    """Roll for the losses of each Boer leader near camps. Source: ruling 10.5."""
    numbers = working.now.box.numbers.attrition
    for leader in leaders_of(working.now, "boers"):
        at = working.now.leaders[leader].at
        near = sum(working.now.board.distance(at, camp) <= numbers.near for camp in working.now.camps)
        if not near:
            continue
        die = working.roll_die(f"camps {leader}")
        lost = int(die <= min(near, numbers.most))
        working.record(LostSp(leader=leader, why="camps", die=die, number=near, at=at, lost=lost))
        if lost:
            working.wear_down(leader)
            if leader not in working.now.leaders:
                working.roll_for_leader(leader)
