"""Canoe-fleets: which ones arrive, which ones are built, and how many each province has after a season.

A canoe-fleet moves by stealth. It turns back if something is in its way, and no unit is harmed. So a move by
canoe-fleet doesn't attack and can't be supported. It only depends on whether its goal is free. It is decided
together with the fighting, by the same questions: a canoe-fleet that leaves may open a province, and a
walking unit that fails to leave keeps a canoe-fleet out.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from games.dice import Dice
from games.diplomacy.adjudication.convoy_routes import is_by_canoe
from games.diplomacy.adjudication.season import Ask, PreparedSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.events import AnyEvent, CanoesTaken, StormThrown, TabooBroken
from games.diplomacy.model import AnyOrder, BuildCanoe, Destroy, Move, Province, State, Unit
from games.protocol import Outcome, Seat
from games.record import replace_fields


def arrives(season: PreparedSeason, ask: Ask, place: int) -> bool | None:
    """Return whether the canoe-fleet of a province reaches its goal, or None while that depends on itself.

    It arrives if no unit walks there, no other canoe-fleet goes there, and the goal is empty or its unit
    really leaves. Two units can't swap places.

    Source: Indianomacy §6 (1.14, 1.15); rulings C7, C8, C9 (Rulebook.standoffs), C10, C15, C17, H6.
    """
    goal = season.goal[place]
    if len(season.landing[goal]) > 1:
        return False
    walkers = season.aimed.get(goal, ())
    if walkers and season.rulebook.standoffs == "bar-canoes":
        return False
    kept_out = _any_succeeds(ask, walkers)
    if kept_out:
        return False
    free = _is_left(season, ask, place, goal)
    return None if free and kept_out is None else free


def _is_left(season: PreparedSeason, ask: Ask, place: int, goal: int) -> bool | None:
    if season.nation[goal] is None:
        return True
    return False if season.goal.get(goal) in (None, place) else ask(goal)


def _any_succeeds(ask: Ask, places: Iterable[int]) -> bool | None:
    """Return whether at least one of some orders succeeds, or None while that is open."""
    answers = [ask(place) for place in places]
    if True in answers:
        return True
    return None if None in answers else False


def interrupted_builds(season: PreparedSeason) -> dict[int, list[int]]:
    """Return the provinces where a canoe-fleet can't be built, with the provinces of the attackers."""
    if not season.builders:
        return {}
    interrupters = {place: build_interrupters(season, place) for place in sorted(season.builders)}
    return {place: several for place, several in interrupters.items() if several}


def build_interrupters(season: PreparedSeason, place: int) -> list[int]:
    """Return the provinces of the units that attack the builder of a canoe-fleet, in board order.

    Source: Indianomacy §6 (1.11); rulings N6 (Rulebook.attacked) and C11.
    """
    walkers = season.aimed.get(place, ())
    if season.rulebook.attacked == "anyone":
        return sorted(walkers + season.landing.get(place, ()))
    return sorted(walker for walker in walkers if season.nation[walker] != season.nation[place])


@dataclass(frozen=True)
class Contradiction:
    """Orders to destroy and to carry the only canoe-fleet of a province. Only one of them can be done."""

    destroy: Destroy
    carry: Move


def contradictions(
    canoes: Mapping[Province, int],
    orders: Mapping[Province, AnyOrder],
    destructions: Mapping[Province, Destroy],
) -> tuple[Contradiction, ...]:
    """Return the pairs of orders of which only one can be carried out.

    orders, destructions: legal orders by province.

    Source: Indianomacy §7, §8; ruling D2, and Rulebook.destruction for which of the two it is.
    """
    pairs = []
    for at, destroy in destructions.items():
        order = orders.get(at)
        if isinstance(order, Move) and order.canoe and canoes[at] == 1:
            pairs.append(Contradiction(destroy, order))
    return tuple(pairs)


def canoes_left(
    board: Board,
    state: State,
    orders: Mapping[Province, AnyOrder],
    destroyed: Collection[Province],
    moved: Mapping[Province, Province],
    spoilt: Collection[Province],
) -> dict[Province, int]:
    """Return the number of canoe-fleets in each province after the season, in board order.

    orders: the valid orders by the province of the unit; destroyed: the provinces where a canoe-fleet was
    destroyed; moved: the goal of each successful move by its origin; spoilt: the provinces where building
    failed. A canoe-fleet on the water carries its War Party and isn't counted.

    Source: Indianomacy §6, §7 (1.11 to 1.13, 1.17); rulings C1, C4, C5, C18, D1, D3.
    """
    stock = dict(state.canoes)
    for at in destroyed:
        stock[at] -= 1
    for at, order in orders.items():
        if isinstance(order, BuildCanoe) and at not in spoilt:
            stock[at] = stock.get(at, 0) + 1
        elif at in moved and isinstance(order, Move) and is_by_canoe(board, order):
            for shore, change in ((at, -1), (order.to, 1)):
                if board.is_land(shore):
                    stock[shore] = stock.get(shore, 0) + change
    return {place: stock[place] for place in board.in_board_order(stock) if stock[place]}


def prizes(
    stock: Mapping[Province, int], beaten: Mapping[Province, Province], before: Mapping[Province, Unit]
) -> tuple[CanoesTaken, ...]:
    """Return the canoe-fleets that units captured by dislodging their owners.

    stock: the canoe-fleets after the season; beaten: the origin of the attack for each dislodged unit;
    before: the units before the season.

    Source: Indianomacy §8 (1.18); ruling D6.
    """
    return tuple(
        CanoesTaken(at=at, count=stock[at], was=before[at], now=before[by])
        for at, by in beaten.items()
        if at in stock
    )


# Stormy waters.
#
# A unit takes a year to cross Hudson Bay. Each Summer and each Winter we roll one die for each unit on it.
# On a 1 or a 6 the canoe-fleet sinks with its War Party.


SINKS = (1, 6)
"""The rolls that sink a canoe-fleet."""

_SEASON_ORDER = "SUFW"


def is_held(state: State, water: Province) -> bool:
    """Return whether the unit on a water has been there for less than a year, so that it can't leave.

    Source: Indianomacy §9 (1.19); ruling H1.
    """
    entered = state.bay_entered.get(water)
    if entered is None:
        return False
    season, year = entered[0], int(entered[1:-1])
    now = state.phase
    return (now.year, _SEASON_ORDER.index(now.season)) < (year + 1, _SEASON_ORDER.index(season))


def is_shut(rulebook: Rulebook, state: State, water: Province, shore: Province) -> bool:
    """Return whether a unit can't land on this shore because it came from there.

    Source: Indianomacy §9; ruling H2 (Rulebook.bay_exit).
    """
    return rulebook.bay_exit == "other-shore" and state.bay_from.get(water) == shore


def boarding_records(
    board: Board, state: State, moved: Mapping[Province, Province]
) -> tuple[dict[Province, str], dict[Province, Province]]:
    """Return `bay_entered` and `bay_from` of the state after a season's moves.

    state: the state before the moves; moved: the goal of each successful move by its origin.
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
    """Roll the storm of a Summer or a Winter for each unit on a stormy water.

    The label of a roll is ``storm/b/U1``: water, season and year.

    Source: Indianomacy §9 (1.20); rulings H3, H4, H5.
    """
    events: list[AnyEvent] = []
    for unit in state.units:
        if unit.at in board.chart.stormy:
            label = f"storm/{unit.at}/{state.phase.season}{state.phase.year}"
            number = dice.roll(label, 6)
            sunk = number in SINKS
            events.append(
                StormThrown(unit=unit, phase=state.phase.short, label=label, number=number, sunk=sunk)
            )
            if sunk:
                state = replace_fields(
                    state,
                    units=tuple(other for other in state.units if other != unit),
                    bay_entered={at: since for at, since in state.bay_entered.items() if at != unit.at},
                    bay_from={at: origin for at, origin in state.bay_from.items() if at != unit.at},
                )
    return Outcome(state, tuple(events))


# The taboo province.


WINTERS = 2
"""The number of Winters without builds for a nation that broke the taboo: the present year's and the next."""


def forbids(board: Board, state: State, province: Province) -> bool:
    """Return whether a unit that enters a province now is lost.

    Source: Indianomacy §5 (1.8, 1.10); ruling T10.
    """
    return state.taboo and province == board.chart.taboo


def punish(board: Board, rulebook: Rulebook, state: State, trespasser: Unit) -> Outcome[State, AnyEvent]:
    """Remove the unit that has entered the taboo province, and ban its nation from building.

    state: the state after the unit's move or retreat; trespasser: the unit at its former place.

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
    """Return the state after a season's retreats. A taboo that was broken in the season ends.

    Source: Indianomacy §5 (1.10); ruling T6.
    """
    broken = state.phase.year + WINTERS - 1 in state.build_ban.values()
    return replace_fields(state, taboo=False) if state.taboo and broken else state


def is_banned(state: State, power: Seat) -> bool:
    """Return whether a nation can't build in this year's Winter.

    Source: Indianomacy §5 (1.9); rulings T8, V3.
    """
    last = state.build_ban.get(power)
    return last is not None and last >= state.phase.year
