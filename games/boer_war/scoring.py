"""Victory: the winner, and when it is checked. Source: ruling 11, in its order."""

from games.boer_war.components import Flag, Side
from games.boer_war.model import State

GameVerdict = tuple[tuple[Side, ...], str]
"""The winners, none for a draw, and the reason as a slug."""


def count_controlled(state: State, side: Side, flag: Flag) -> int:
    """Return how many of the points of a kind a side controls."""
    return sum(state.control[point] == side for point in state.board.flagged[flag])


def verdict_after_action(state: State) -> GameVerdict | None:
    """Return the verdict after any action: three completed sieges."""
    if not state.is_guerrilla and len(state.fallen) >= state.box.numbers.victory.sieges:
        return ("boers",), "sieges"
    return None


def verdict_after_round(state: State) -> GameVerdict | None:
    """Return the verdict when the round of the present side is over."""
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
    """Return the verdict when a Turn is over; after the fourth there always is one."""
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
