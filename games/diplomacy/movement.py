"""A movement season played: where everybody stands after it, who has to retreat, what is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy import canoes, storms, taboo
from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, Dislodged, Entered, Resolved
from games.diplomacy.model import NEUTRAL, Beaten, Move, Province, State, Unit, by_place
from games.diplomacy.reasons import Explanation
from games.diplomacy.resolver import Settled, settle
from games.diplomacy.retreats import refuges
from games.diplomacy.rulebook import Rulebook
from games.diplomacy.sea_law import landing
from games.diplomacy.sifting import Standing
from games.protocol import Seat
from games.record import changed


@dataclass(frozen=True)
class Marched:
    """A season done. resolved: one event for each order and each unit without one, in no order to rely on.

    events: what else happened, in the order of telling.
    """

    state: State
    resolved: tuple[Resolved, ...]
    events: tuple[AnyEvent, ...]


@dataclass(frozen=True)
class _Upshot:
    """A settled season in the board's names, in board order; the fields are those of `Settled`.

    overseas: the armies that went by convoy.
    """

    moved: dict[Province, Province]
    beaten: dict[Province, Province]
    contested: tuple[Province, ...]
    spoilt: tuple[Province, ...]
    overseas: frozenset[Province]


def march(board: Board, rulebook: Rulebook, state: State, standing: Standing) -> Marched:
    """Play a movement season.

    The state keeps its phase; dislodged units that have a retreat wait in `beaten`, the others are gone, and
    so are neutral ones. First canoe-fleets are destroyed, then everybody moves; then booty is taken, the
    taboo avenged and what was built is there; retreats come last.

    Source: Diplomacy; Indianomacy §4 (1.6); rulings D1 and V4.
    """
    season = settle(board, rulebook, state.units, standing.orders)
    upshot = _named(board, season)
    explanation = Explanation(board, state, standing, season)
    moved = changed(state, units=_moved(board, state, standing, upshot))
    events: tuple[AnyEvent, ...] = ()
    if rulebook.canoes:
        moved, events = _canoes(board, moved, state, standing, upshot)
    trespasser = _trespasser(board, state, upshot)
    if trespasser is not None:
        punished = taboo.punish(board, rulebook, moved, trespasser)
        moved, events = punished.state, events + punished.events
    after, dislodged = _scattered(board, rulebook, moved, state, upshot)
    told = _told(state, standing, explanation)
    return Marched(after, told, (*dislodged, *_entered(after, upshot), *events))


def _named(board: Board, season: Settled) -> _Upshot:
    places = board.ids
    return _Upshot(
        moved={places[here]: places[there] for here, there in season.moved.items()},
        beaten={places[here]: places[by] for here, by in season.beaten.items()},
        contested=tuple([places[here] for here in season.contested]),
        spoilt=tuple([places[here] for here in season.spoilt]),
        overseas=frozenset(places[here] for here in season.season.carriers),
    )


def _moved(board: Board, state: State, standing: Standing, upshot: _Upshot) -> tuple[Unit, ...]:
    index, there = board.index, {}
    for unit in state.units:
        if unit.at in upshot.moved:
            unit = unit.moved(_goal(board, standing, unit))
        elif unit.at in upshot.beaten:
            continue
        there[index[unit.at]] = unit
    return tuple([there[place] for place in sorted(there)])


def _goal(board: Board, standing: Standing, unit: Unit) -> Province:
    order = standing.orders[unit.at]
    assert isinstance(order, Move)
    return landing(board, unit, order.goal) if unit.kind == "F" else order.goal


def _canoes(
    board: Board,
    moved: State,
    state: State,
    standing: Standing,
    upshot: _Upshot,
) -> tuple[State, tuple[AnyEvent, ...]]:
    """The canoe-fleets after the season, who sits in one on a stormy water since when, and the booty."""
    stock = canoes.left_over(
        board, state, standing.orders, standing.destructions, upshot.moved, upshot.spoilt
    )
    since, whence = storms.embarked(board, state, upshot.moved)
    before = by_place(state)
    after = changed(moved, canoes=stock, bay_entered=since, bay_from=whence)
    return after, canoes.prizes(stock, upshot.beaten, before)


def _trespasser(board: Board, state: State, upshot: _Upshot) -> Unit | None:
    """The unit that entered the taboo province, as it stood before; None: nobody did, or it is not taboo."""
    if not state.taboo:
        return None
    for unit in state.units:
        if unit.at in upshot.moved and taboo.forbids(board, state, upshot.moved[unit.at]):
            return unit
    return None


def _scattered(
    board: Board, rulebook: Rulebook, moved: State, state: State, upshot: _Upshot
) -> tuple[State, tuple[Dislodged, ...]]:
    """The beaten units that have a retreat set aside; of each that is not neutral it is told."""
    if not upshot.beaten:
        return moved, ()
    before = by_place(state)
    occupied = {unit.at for unit in moved.units}
    is_forgiven = rulebook.retreat_overseas == "allowed"
    dislodged = []
    for at, by_from in upshot.beaten.items():
        if before[at].power != NEUTRAL:
            whence = None if by_from in upshot.overseas and is_forgiven else by_from
            where = refuges(board, before[at], whence, occupied, upshot.contested)
            dislodged.append(Dislodged(unit=before[at], by=before[by_from], retreats=where))
    waiting = tuple(
        Beaten(unit=one.unit, by_from=one.by.at, retreats=one.retreats) for one in dislodged if one.retreats
    )
    after = changed(moved, beaten=waiting, contested=upshot.contested if waiting else ())
    return after, tuple(dislodged)


def _entered(after: State, upshot: _Upshot) -> tuple[Entered, ...]:
    """Who came into a centre of another power, and stands there."""
    came = set(upshot.moved.values())
    return tuple(
        [
            Entered(unit=unit, owner=owner)
            for unit in after.units
            if unit.at in came and (owner := after.centres.get(unit.at)) is not None and owner != unit.power
        ]
    )


def _told(state: State, standing: Standing, explanation: Explanation) -> tuple[Resolved, ...]:
    """One event for each order given, one for each unit without any, one for each neutral driven off.

    The last order refused to a unit tells what became of the unit too, if no other order stands.
    """
    told = list(standing.refused)
    spoken = _spoken(told)
    for unit in state.units:
        resolved = explanation.resolved(unit)
        if unit.power == NEUTRAL:
            if resolved.dislodged:
                told.append(changed(resolved, outcome="removed"))
        elif unit.at in standing.orders or (unit.power, unit.at) not in spoken:
            told.append(resolved)
        elif resolved.dislodged:
            number = spoken[unit.power, unit.at]
            told[number] = changed(told[number], dislodged=True)
    return (*told, *explanation.destructions())


def _spoken(refused: Sequence[Resolved]) -> Mapping[tuple[Seat, Province], int]:
    """The place in the list of the last order refused to each unit; a destruction is none of its orders."""
    return {
        (one.power, one.unit.at): number
        for number, one in enumerate(refused)
        if one.unit is not None and getattr(one.order, "unit", None) is not None
    }
