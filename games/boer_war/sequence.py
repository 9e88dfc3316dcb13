"""What follows what: an action, the draw, the end of a round, the end of a Turn.

Source: solitaire rules, steps 1 to 3; ruling 6.
"""

from games.boer_war import arrivals, guerrilla, victory
from games.boer_war.codes import Side
from games.boer_war.events import Drawn, Ended, RoundBegan, RoundEnded, TurnBegan, TurnEnded
from games.boer_war.in_play import LONG_TOM, Theatre
from games.boer_war.model import SIDES, other
from games.pool import LONGEST, Counters, Reading, goes_on, pool

TURNS = 4


def begin_turn(theatre: Theatre) -> None:
    """Counters turned up, SP into the pools; the guerrilla war in Turn III. Source: ruling 6.1."""
    turn = theatre.now.box.turn(theatre.now.turn)
    theatre.set(counters={side: Counters() for side in SIDES}, side=theatre.now.box.numbers.rounds.first)
    if theatre.now.mode == "table":
        theatre.tell(TurnBegan(turn=turn.number, came={}))
        return
    if theatre.now.turn == TURNS - 1:
        guerrilla.begin(theatre)
    came: dict[Side, int] = {"boers": turn.boer_pool, "empire": turn.empire_pool}
    for side, sp in came.items():
        theatre.bring(side, sp)
    pools = {side: theatre.now.pools[side] + sp for side, sp in came.items()}
    theatre.set(pools=pools, recruited=(), repulsed=())
    recruits = theatre.now.recruit_pool if theatre.now.turn == TURNS - 1 else 0
    theatre.tell(TurnBegan(turn=turn.number, came=came, recruits=recruits))


def begin_round(theatre: Theatre) -> None:
    """The round of the present side begins; its leaders who are due come. Source: ruling 6.2."""
    theatre.set(done=0, part=1, used=())
    state = theatre.now
    theatre.tell(
        RoundBegan(turn=state.turn, side=state.side, round=state.round, counters=state.counters[state.side])
    )
    if state.mode != "table":
        arrivals.arrivals(theatre)


def act_done(theatre: Theatre) -> None:
    """After an action: the draw, and what follows if it says STOP. Source: solitaire rules, steps 1 to 3."""
    theatre.set(done=theatre.now.done + 1)
    if theatre.now.mode != "table" and _settled(theatre, victory.at_once(theatre.now)):
        return
    if theatre.now.done < LONGEST and _drawn(theatre):
        theatre.set(part=theatre.now.part + 1)
        return
    end_round(theatre)


def _drawn(theatre: Theatre) -> bool:
    """Whether there is another action; nothing is thrown where that is certain."""
    state = theatre.now
    counters = state.counters[state.side]
    cup = pool(counters, state.done, reading(theatre))
    more = goes_on(theatre.dice, theatre.label(f"next action/{state.done}"), cup)
    theatre.tell(
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


def reading(theatre: Theatre) -> Reading:
    """How many STOPs the second pool has, by the option."""
    return "stop_left_in_cup" if theatre.now.options["pool"] == "stop_left_in_cup" else "unflipped_2"


def end_round(theatre: Theatre) -> None:
    """A counter is flipped; then the other side's round, or the end of the Turn. Source: step 3, ruling 6."""
    state = theatre.now
    counters = state.counters[state.side].after(state.done)
    told = RoundEnded(
        turn=state.turn, side=state.side, round=state.round, actions=state.done, counters=counters
    )
    theatre.tell(told)
    if state.mode != "table":
        _wear_off(theatre, told.round)
    theatre.set(counters={**state.counters, state.side: counters})
    if state.mode != "table" and _settled(theatre, victory.after_round(theatre.now)):
        return
    following = next((side for side in (other(state.side), state.side) if _has_rounds(theatre, side)), None)
    if following is None:
        end_turn(theatre)
        return
    theatre.set(side=following)
    begin_round(theatre)


def _has_rounds(theatre: Theatre, side: Side) -> bool:
    return theatre.now.counters[side].rounds > 0


def _wear_off(theatre: Theatre, number: int) -> None:
    """What an Empire round ends: bans, and after two of them a Turn camps wear the commandos down."""
    state = theatre.now
    if state.side == "boers":
        return
    theatre.set(black_week=False, shaken=(), camp_ban=max(0, state.camp_ban - 1))
    if state.is_guerrilla and number in state.box.numbers.attrition.rounds:
        guerrilla.attrition(theatre)


def end_turn(theatre: Theatre) -> None:
    """The victory looked at, the scattered halved, leaders leave; then the next Turn. Source: ruling 6.5."""
    state = theatre.now
    if state.mode == "table":
        if state.turn == TURNS:
            _settled(theatre, ((), "table-over"))
            return
    elif _settled(theatre, victory.after_turn(state)):
        return
    else:
        _close_books(theatre)
    theatre.set(turn=state.turn + 1)
    begin_turn(theatre)
    begin_round(theatre)


def _close_books(theatre: Theatre) -> None:
    lost: dict[Side, int] = {}
    for side in SIDES:
        lost[side] = guerrilla.half(theatre.now, theatre.now.scattered[side])
        theatre.scatter(side, -lost[side])
        theatre.bury(side, lost[side])
    theatre.tell(TurnEnded(turn=theatre.now.turn, lost=lost))
    theatre.set(kept={event: what for event, what in theatre.now.kept.items() if event == LONG_TOM})
    arrivals.departures(theatre)


def _settled(theatre: Theatre, verdict: victory.Verdict | None) -> bool:
    if verdict is None:
        return False
    winners, reason = verdict
    theatre.set(winners=winners, ended=reason)
    theatre.tell(Ended(winners=winners, reason=reason))
    return True
