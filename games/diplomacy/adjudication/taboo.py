"""The taboo province: what becomes of the first who sets foot there, and how long it stays taboo."""

from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.events import AnyEvent, TabooBroken
from games.diplomacy.model import Phase, Province, State, Unit
from games.protocol import Outcome, Seat
from games.record import replace_fields

WINTERS = 2
"""How many Winters a nation that broke the taboo builds nothing: that of the year, and the next."""


def forbids(board: Board, state: State, province: Province) -> bool:
    """Return whether a unit that enters a province now is lost.

    Source: Indianomacy §5 (1.8, 1.10); ruling T10.
    """
    return state.taboo and province == board.chart.taboo


def punish(board: Board, rulebook: Rulebook, state: State, trespasser: Unit) -> Outcome[State, AnyEvent]:
    """Take off the unit that has entered the taboo province, and bar its nation from building.

    state: after its move or its retreat; trespasser: as it stood before.

    Source: Indianomacy §5 (1.8, 1.9); rulings T5, T6 (Rulebook.taboo_ends), T8.
    """
    at, last_ban = board.chart.taboo, state.phase.year + WINTERS - 1
    assert at is not None, "this board has no taboo province"
    after = replace_fields(
        state,
        units=tuple(unit for unit in state.units if unit.at != at),
        taboo=rulebook.taboo_ends == "with-season",
        build_ban={**state.build_ban, trespasser.power: last_ban},
    )
    return Outcome(after, (TabooBroken(unit=trespasser, at=at, last_ban=last_ban),))


def lift(state: State) -> State:
    """The state when a season's retreats are over: a taboo that was broken in it is none any more.

    Source: Indianomacy §5 (1.10); ruling T6.
    """
    broken = state.phase.year + WINTERS - 1 in state.build_ban.values()
    return replace_fields(state, taboo=False) if state.taboo and broken else state


def is_banned(state: State, power: Seat) -> bool:
    """Return whether a nation may not build in this year's Winter.

    Source: Indianomacy §5 (1.9); rulings T8, V3.
    """
    return state.build_ban.get(power, 0) >= state.phase.year


def forgive(state: State, following: Phase) -> State:
    """The state without the bans that are over when a phase follows."""
    bans = {power: year for power, year in state.build_ban.items() if year >= following.year}
    return replace_fields(state, build_ban=bans) if bans != state.build_ban else state
