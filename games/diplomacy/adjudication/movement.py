"""A processed movement season: the new positions, the retreats that are due, and the events."""

from dataclasses import dataclass

from games.diplomacy.adjudication import canoes
from games.diplomacy.adjudication.legality import ValidatedOrders, landing
from games.diplomacy.adjudication.reasons import Explanation
from games.diplomacy.adjudication.resolver import decide_orders
from games.diplomacy.adjudication.retreats import refuges
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.events import AnyEvent, Dislodged, Entered, Resolved
from games.diplomacy.model import NEUTRAL, Beaten, Move, Province, State, Unit, units_by_place
from games.record import replace_fields


@dataclass(frozen=True)
class MovementOutcome:
    """A processed season.

    resolved: one event for each order and each unit without one, in any order; events: the other events, in
    the order of the report.
    """

    state: State
    resolved: tuple[Resolved, ...]
    events: tuple[AnyEvent, ...]


@dataclass(frozen=True)
class _NamedOutcome:
    """A decided season with ids of provinces, in board order. The fields are those of `DecidedSeason`.

    overseas: the armies that went by convoy.
    """

    moved: dict[Province, Province]
    beaten: dict[Province, Province]
    contested: tuple[Province, ...]
    spoilt: tuple[Province, ...]
    overseas: frozenset[Province]


def play_movement(
    board: Board, rulebook: Rulebook, state: State, standing: ValidatedOrders
) -> MovementOutcome:
    """Process a movement season. The state keeps its phase.

    Canoe-fleets are destroyed first, then all units move. Then canoe-fleets are captured, the unit that broke
    the taboo is removed, and new canoe-fleets appear. Dislodged units with a retreat wait in `beaten`. Other
    dislodged units are removed, and so are neutral ones.

    Source: Diplomacy; Indianomacy §4 (1.6); rulings D1 and V4.
    """
    season = decide_orders(board, rulebook, state.units, standing.orders)
    places = board.ids
    upshot = _NamedOutcome(
        moved={places[here]: places[there] for here, there in season.moved.items()},
        beaten={places[here]: places[by] for here, by in season.beaten.items()},
        contested=tuple([places[here] for here in season.contested]),
        spoilt=tuple([places[here] for here in season.spoilt]),
        overseas=frozenset(places[here] for here in season.season.carriers),
    )
    moved = replace_fields(state, units=_moved_units(board, state, standing, upshot))
    events: tuple[AnyEvent, ...] = ()
    if rulebook.canoes:
        moved, events = _canoes(board, moved, state, standing, upshot)
    if state.taboo:
        goals = ((unit, upshot.moved.get(unit.at)) for unit in state.units)
        trespasser = next((unit for unit, goal in goals if goal and canoes.forbids(board, state, goal)), None)
        if trespasser is not None:
            punished = canoes.punish(board, rulebook, moved, trespasser)
            moved, events = punished.state, events + punished.events
    after, dislodged = _set_dislodged_aside(board, rulebook, moved, state, upshot)
    came = set(upshot.moved.values())
    entered = [
        Entered(unit=unit, owner=owner)
        for unit in after.units
        if unit.at in came and (owner := after.centres.get(unit.at)) is not None and owner != unit.power
    ]
    order_events = _order_events(state, standing, Explanation(board, state, standing, season))
    return MovementOutcome(after, order_events, (*dislodged, *entered, *events))


def _moved_units(
    board: Board, state: State, standing: ValidatedOrders, upshot: _NamedOutcome
) -> tuple[Unit, ...]:
    index, there = board.index, {}
    for unit in state.units:
        if unit.at in upshot.moved:
            order = standing.orders[unit.at]
            assert isinstance(order, Move)
            unit = unit.moved_to(landing(board, unit, order.goal) if unit.kind == "F" else order.goal)
        elif unit.at in upshot.beaten:
            continue
        there[index[unit.at]] = unit
    return tuple([there[place] for place in sorted(there)])


def _canoes(
    board: Board,
    moved: State,
    state: State,
    standing: ValidatedOrders,
    upshot: _NamedOutcome,
) -> tuple[State, tuple[AnyEvent, ...]]:
    """Return the state with the canoe-fleets and boarding records after the season, and the captures."""
    stock = canoes.canoes_left(
        board, state, standing.orders, standing.destructions, upshot.moved, upshot.spoilt
    )
    since, whence = canoes.boarding_records(board, state, upshot.moved)
    before = units_by_place(state)
    after = replace_fields(moved, canoes=stock, bay_entered=since, bay_from=whence)
    return after, canoes.prizes(stock, upshot.beaten, before)


def _set_dislodged_aside(
    board: Board, rulebook: Rulebook, moved: State, state: State, upshot: _NamedOutcome
) -> tuple[State, tuple[Dislodged, ...]]:
    """Return the state with the dislodged units that can retreat, and an event for each dislodged unit."""
    if not upshot.beaten:
        return moved, ()
    before = units_by_place(state)
    occupied = {unit.at for unit in moved.units}
    is_forgiven = rulebook.retreat_overseas == "allowed"
    dislodged = []
    for at, by_from in upshot.beaten.items():
        if before[at].power != NEUTRAL:
            whence = None if by_from in upshot.overseas and is_forgiven else by_from
            where = refuges(board, before[at], whence, occupied, upshot.contested)
            dislodged.append(Dislodged(unit=before[at], by=before[by_from], retreats=where))
    waiting = tuple(
        Beaten(unit=loss.unit, by_from=loss.by.at, retreats=loss.retreats)
        for loss in dislodged
        if loss.retreats
    )
    after = replace_fields(moved, beaten=waiting, contested=upshot.contested if waiting else ())
    return after, tuple(dislodged)


def _order_events(state: State, standing: ValidatedOrders, explanation: Explanation) -> tuple[Resolved, ...]:
    """Return an event for each order, each unit without one, and each dislodged neutral unit.

    If all orders for a unit were rejected, the event of the last one also says whether it was dislodged.
    """
    results = list(standing.refused)
    # The index of the last rejected order of each unit. An order to destroy isn't an order for its unit.
    spoken = {
        (refusal.power, refusal.unit.at): number
        for number, refusal in enumerate(results)
        if refusal.unit is not None and getattr(refusal.order, "unit", None) is not None
    }
    for unit in state.units:
        resolved = explanation.resolve_unit(unit)
        if unit.power == NEUTRAL:
            if resolved.dislodged:
                results.append(replace_fields(resolved, outcome="removed"))
        elif unit.at in standing.orders or (unit.power, unit.at) not in spoken:
            results.append(resolved)
        elif resolved.dislodged:
            number = spoken[unit.power, unit.at]
            results[number] = replace_fields(results[number], dislodged=True)
    before = units_by_place(state)
    for at, destruction in standing.destructions.items():
        unit = before[at]
        results.append(Resolved(power=unit.power, unit=unit.piece, order=destruction, outcome="destroyed"))
    return tuple(results)
