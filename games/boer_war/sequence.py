"""The sequence of play: an action, the draw, the end of a round, the end of a Turn.

Source: solitaire rules, steps 1 to 3; ruling 6.
"""

from games.boer_war import arrivals, guerrilla, scoring
from games.boer_war.codes import Side
from games.boer_war.events import Drawn, Ended, RoundBegan, RoundEnded, TurnBegan, TurnEnded
from games.boer_war.model import SIDES, enemy_of
from games.boer_war.working_state import LONG_TOM_EVENT, WorkingState
from games.pool import MAX_ACTIONS_PER_ROUND, PoolReading, RoundCounters, goes_on, pool

TURNS_PER_GAME = 4


def begin_turn(working: WorkingState) -> None:
    """Begin a Turn: counters turned up, SP into the pools; the guerrilla war in Turn III.

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
        guerrilla.begin_guerrilla_war(working)
    came: dict[Side, int] = {"boers": turn.boer_pool, "empire": turn.empire_pool}
    for side, sp in came.items():
        working.bring_sp(side, sp)
    pools = {side: working.now.pools[side] + sp for side, sp in came.items()}
    working.update(pools=pools, recruited=(), repulsed=())
    recruits = working.now.recruit_pool if working.now.turn == TURNS_PER_GAME - 1 else 0
    working.record(TurnBegan(turn=turn.number, came=came, recruits=recruits))


def begin_round(working: WorkingState) -> None:
    """Begin the round of the present side; its leaders who are due come. Source: ruling 6.2."""
    working.update(done=0, part=1, used=())
    state = working.now
    working.record(
        RoundBegan(turn=state.turn, side=state.side, round=state.round, counters=state.counters[state.side])
    )
    if state.mode != "table":
        arrivals.bring_due_leaders(working)


def finish_action(working: WorkingState) -> None:
    """Finish an action: the draw, and what follows if it says STOP. Source: solitaire rules, steps 1 to 3."""
    working.update(done=working.now.done + 1)
    if working.now.mode != "table" and _end_if_decided(working, scoring.verdict_after_action(working.now)):
        return
    if working.now.done < MAX_ACTIONS_PER_ROUND and _draw_next_action(working):
        working.update(part=working.now.part + 1)
        return
    end_round(working)


def _draw_next_action(working: WorkingState) -> bool:
    """Return whether there is another action; nothing is drawn where that is certain."""
    state = working.now
    counters = state.counters[state.side]
    cup = pool(counters, state.done, pool_reading(working))
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


def pool_reading(working: WorkingState) -> PoolReading:
    """Return how many STOPs the second pool has, by the option."""
    return "stop_left_in_cup" if working.now.options["pool"] == "stop_left_in_cup" else "unflipped_2"


def end_round(working: WorkingState) -> None:
    """End a round: a counter is flipped; then the other side's round, or the end of the Turn.

    Source: step 3, ruling 6.
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
    if state.mode != "table" and _end_if_decided(working, scoring.verdict_after_round(working.now)):
        return
    following = next(
        (side for side in (enemy_of(state.side), state.side) if _has_rounds(working, side)), None
    )
    if following is None:
        end_turn(working)
        return
    working.update(side=following)
    begin_round(working)


def _has_rounds(working: WorkingState, side: Side) -> bool:
    return working.now.counters[side].rounds > 0


def _expire_round_effects(working: WorkingState, number: int) -> None:
    """End what an Empire round ends: bans; after two rounds of a Turn camps wear the commandos down."""
    state = working.now
    if state.side == "boers":
        return
    working.update(black_week=False, shaken=(), camp_ban=max(0, state.camp_ban - 1))
    if state.is_guerrilla and number in state.box.numbers.attrition.rounds:
        guerrilla.apply_attrition(working)


def end_turn(working: WorkingState) -> None:
    """End a Turn: check victory, halve the scattered, retire leaders; then begin the next.

    Source: ruling 6.5.
    """
    state = working.now
    if state.mode == "table":
        if state.turn == TURNS_PER_GAME:
            _end_if_decided(working, ((), "table-over"))
            return
    elif _end_if_decided(working, scoring.verdict_after_turn(state)):
        return
    else:
        _settle_turn(working)
    working.update(turn=state.turn + 1)
    begin_turn(working)
    begin_round(working)


def _settle_turn(working: WorkingState) -> None:
    lost: dict[Side, int] = {}
    for side in SIDES:
        lost[side] = guerrilla.half_of_scattered(working.now, working.now.scattered[side])
        working.scatter_sp(side, -lost[side])
        working.destroy_sp(side, lost[side])
    working.record(TurnEnded(turn=working.now.turn, lost=lost))
    working.update(kept={event: what for event, what in working.now.kept.items() if event == LONG_TOM_EVENT})
    arrivals.retire_leaders(working)


def _end_if_decided(working: WorkingState, verdict: scoring.GameVerdict | None) -> bool:
    if verdict is None:
        return False
    winners, reason = verdict
    working.update(winners=winners, ended=reason)
    working.record(Ended(winners=winners, reason=reason))
    return True
