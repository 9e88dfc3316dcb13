"""The end of a game: which powers have won, by the conditions of the board, and what each still lacks.

A board lists conditions of victory (`WinningCondition`). A power meets one if it meets all that it says. The
first condition in the list that a power meets decides, and `Chart.tie` says what follows if several do.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from games.diplomacy.boards.board import Board, WinningCondition
from games.diplomacy.events import Ended
from games.diplomacy.model import NEUTRAL, Province, State
from games.protocol import Seat
from games.record import Value


def judge_victory(board: Board, state: State) -> Ended | None:
    """Return the end of the game if a power has won or a tie ends it, otherwise None.

    Source: Diplomacy; Indianomacy §10 (1.21); ruling V2 (Rulebook.victory_after).
    """
    owned = Counter(state.centres.values())
    units = Counter(unit.power for unit in state.units if unit.power != NEUTRAL)
    for condition in board.winning_conditions:
        powers = (condition.power,) if condition.power else tuple(board.powers)
        winners = tuple(
            power for power in powers if _is_met(condition, power, state, owned=owned, units=units)
        )
        if len(winners) > 1 and board.chart.tie != "shared":
            if board.chart.tie == "draw":
                return Ended(winners=(), reason="tie")
            most = max(owned[power] for power in winners)
            winners = tuple(power for power in winners if owned[power] == most)
            if len(winners) > 1 or board.chart.tie == "goes-on":
                continue
        if winners:
            return Ended(winners=winners, reason=condition.sort)
    return None


def _is_met(
    condition: WinningCondition,
    power: Seat,
    state: State,
    *,
    owned: Mapping[Seat, int],
    units: Mapping[Seat, int],
) -> bool:
    """Return whether a power meets a condition. owned, units: the number of centres and units by power."""
    enough = _centres_for(condition, power, state.phase.year, owned)
    if enough is None or owned.get(power, 0) < enough:
        return False
    if condition.units is not None and units.get(power, 0) < condition.units:
        return False
    return all(state.centres.get(place) == power for place in condition.provinces)


def _centres_for(
    condition: WinningCondition, power: Seat, year: int, owned: Mapping[Seat, int]
) -> int | None:
    """Return the number of centres that a condition asks of a power this year, None if nothing wins yet."""
    if condition.most_from is not None and year < condition.most_from:
        return None
    next_best = max((count for other, count in owned.items() if other != power), default=0)
    enough = condition.centres or 0
    if condition.lead is not None:
        enough = max(enough, next_best + lead_in(condition, year))
    return max(enough, next_best, 1) if condition.most_from is not None else enough


def lead_in(condition: WinningCondition, year: int) -> int:
    """Return the lead over the next power that a condition asks for in a year."""
    assert condition.lead is not None, "the condition asks for a lead"
    return next((lead for since, lead in reversed(condition.lead_from) if since <= year), condition.lead)


class WinningNeed(Value, frozen=True):
    """What one condition asks of a power now. provinces: those that the power doesn't own."""

    centres: int
    units: int
    provinces: tuple[Province, ...]


def needs_to_win(board: Board, state: State, power: Seat) -> tuple[WinningNeed, ...]:
    """Return what each condition asks of a power as things are, without those that nobody can meet yet."""
    owned = Counter(state.centres.values())
    needs = []
    for condition in _conditions_of(board, power):
        centres = _centres_for(condition, power, state.phase.year, owned)
        if centres is not None:
            lacking = tuple(place for place in condition.provinces if state.centres.get(place) != power)
            needs.append(WinningNeed(centres, condition.units or 0, lacking))
    return tuple(needs)


def centres_to_win(board: Board, state: State, power: Seat) -> int:
    """Return how many centres win the game for a power as things are: the fewest of all conditions.

    Provinces that a condition names and the power lacks count as so many centres more than it owns. If the
    board has no condition for it now, it is all centres.
    """
    if board.fixed_goals is not None:
        return board.fixed_goals.get(power, len(board.centres))
    owned = sum(owner == power for owner in state.centres.values())
    wanted = (
        max(need.centres, need.units, owned + len(need.provinces) if need.provinces else 0)
        for need in needs_to_win(board, state, power)
    )
    return min((len(board.centres), *wanted))


def provinces_to_win(board: Board, power: Seat) -> frozenset[Province]:
    """Return the provinces that conditions of victory name for a power."""
    return frozenset(place for condition in _conditions_of(board, power) for place in condition.provinces)


def _conditions_of(board: Board, power: Seat) -> Iterator[WinningCondition]:
    return (condition for condition in board.winning_conditions if condition.power in (None, power))
