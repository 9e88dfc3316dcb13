"""A movement season played: where everybody stands after it, who has to retreat, what is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.model import NEUTRAL, AnyOrder, Beaten, Dislodged, Province, Resolved, State, Unit
from games.diplomacy.reasons import Explanation
from games.diplomacy.resolver import settle
from games.diplomacy.retreats import refuges
from games.protocol import Seat
from games.record import changed


@dataclass(frozen=True)
class Marched:
    """A season done. resolved: one event for each order and each unit without one, in no order to rely on."""

    state: State
    resolved: tuple[Resolved, ...]
    dislodged: tuple[Dislodged, ...]


def march(
    board: Board, state: State, taken: Mapping[Province, AnyOrder], refused: Sequence[Resolved]
) -> Marched:
    """Play a movement season.

    taken: the one lawful order of each unit that has one, by its province; refused: what is told already of
    the orders that do not count. The state keeps its phase; dislodged units that have a retreat wait in
    `beaten`, the others are gone, and so are neutral ones.

    Source: Diplomacy; Indianomacy §4 (1.6).
    """
    season = settle(board, state.units, taken)
    places = tuple(board.places)
    before = {unit.at: unit for unit in state.units}
    goal = {places[here]: places[there] for here, there in season.moved.items()}
    beaten = {places[here]: places[by] for here, by in season.beaten.items()}
    units = [
        unit if unit.at not in goal else Unit(power=unit.power, kind=unit.kind, at=goal[unit.at])
        for unit in state.units
        if unit.at not in beaten
    ]
    units.sort(key=lambda unit: board.index[unit.at])
    contested = tuple(places[here] for here in season.contested)
    occupied = {unit.at for unit in units}
    dislodged = []
    waiting = []
    for at, by_from in beaten.items():
        unit = before[at]
        if unit.power == NEUTRAL:
            continue
        where = refuges(board, at, by_from, occupied, contested)
        dislodged.append(Dislodged(unit=unit, by=before[by_from], retreats=where))
        if where:
            waiting.append(Beaten(unit=unit, by_from=by_from, retreats=where))
    after = changed(state, units=tuple(units), beaten=tuple(waiting), contested=contested if waiting else ())
    explanation = Explanation(board, state.units, taken, season)
    return Marched(after, _told(state, taken, refused, explanation), tuple(dislodged))


def _told(
    state: State,
    taken: Mapping[Province, AnyOrder],
    refused: Sequence[Resolved],
    explanation: Explanation,
) -> tuple[Resolved, ...]:
    """One event for each order given, one for each unit without any, one for each neutral driven off.

    The last order refused to a unit tells what became of the unit too, if no other order stands.
    """
    spoken: dict[tuple[Seat, Province], int] = {
        (one.power, one.unit.at): number for number, one in enumerate(refused) if one.unit is not None
    }
    told = list(refused)
    for unit in state.units:
        resolved = explanation.resolved(unit)
        if unit.power == NEUTRAL:
            if resolved.dislodged:
                told.append(changed(resolved, outcome="removed"))
        elif unit.at in taken or (unit.power, unit.at) not in spoken:
            told.append(resolved)
        elif resolved.dislodged:
            number = spoken[unit.power, unit.at]
            told[number] = changed(refused[number], dislodged=True)
    return tuple(told)
