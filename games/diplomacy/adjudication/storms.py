"""Stormy waters: how long one is on them, and what a storm does to those who are.

Hudson Bay takes a whole year to cross. Each Summer and each Winter a storm meets whoever is on it: one die,
and on a one or a six the canoe-fleet goes down with its War Party.
"""

from collections.abc import Mapping

from games.dice import Dice
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.events import AnyEvent, StormThrown
from games.diplomacy.model import Phase, Province, State, Unit
from games.protocol import Outcome
from games.record import replace_fields

SINKS = (1, 6)
"""The numbers of the die on which a canoe-fleet is lost."""

_SEASON_ORDER = "SUFW"


def is_held(state: State, water: Province) -> bool:
    """Return whether the unit on a water has been there less than a whole year, so that it may not leave.

    Source: Indianomacy §9 (1.19); ruling H1.
    """
    entered = state.bay_entered.get(water)
    if entered is None:
        return False
    season, year = entered[0], int(entered[1:-1])
    now = state.phase
    return (now.year, _SEASON_ORDER.index(now.season)) < (year + 1, _SEASON_ORDER.index(season))


def is_shut(rulebook: Rulebook, state: State, water: Province, shore: Province) -> bool:
    """Return whether a unit may not come off a water on this shore, because it came from there.

    Source: Indianomacy §9; ruling H2 (Rulebook.bay_exit).
    """
    return rulebook.bay_exit == "other-shore" and state.bay_from.get(water) == shore


def boarding_records(
    board: Board, state: State, moved: Mapping[Province, Province]
) -> tuple[dict[Province, str], dict[Province, Province]]:
    """Return since when, and whence, units are on stormy waters after a season's moves: for `State`.

    state: before the moves; moved: from where to where.
    """
    entered, whence = dict(state.bay_entered), dict(state.bay_from)
    for water in board.chart.stormy:
        if water in moved:
            entered.pop(water, None)
            whence.pop(water, None)
        for origin, goal in moved.items():
            if goal == water:
                entered[water], whence[water] = state.phase.short, origin
    return entered, whence


def blow(board: Board, state: State, dice: Dice) -> Outcome[State, AnyEvent]:
    """Let the storm of a Summer or a Winter come over each stormy water with a unit on it.

    The die is labelled ``storm/b/U1``: water, season, year.

    Source: Indianomacy §9 (1.20); rulings H3, H4, H5.
    """
    events: list[AnyEvent] = []
    for unit in state.units:
        if unit.at in board.chart.stormy:
            event = _throw(state.phase, unit, dice)
            events.append(event)
            if event.sunk:
                state = replace_fields(
                    state,
                    units=tuple(other for other in state.units if other != unit),
                    bay_entered={at: since for at, since in state.bay_entered.items() if at != unit.at},
                    bay_from={at: origin for at, origin in state.bay_from.items() if at != unit.at},
                )
    return Outcome(state, tuple(events))


def _throw(phase: Phase, unit: Unit, dice: Dice) -> StormThrown:
    label = f"storm/{unit.at}/{phase.season}{phase.year}"
    number = dice.roll(label, 6)
    return StormThrown(unit=unit, phase=phase.short, label=label, number=number, sunk=number in SINKS)
