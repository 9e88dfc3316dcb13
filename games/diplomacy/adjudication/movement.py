"""A processed movement season: the new positions, retreats, events, and the reason for each outcome."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.diplomacy.adjudication import canoes
from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.legality import ValidatedOrders, landing
from games.diplomacy.adjudication.resolver import DecidedSeason, decide_orders
from games.diplomacy.adjudication.retreats import refuges
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.events import AnyEvent, Dislodged, Entered, Reason, Resolved, Result
from games.diplomacy.model import (
    NEUTRAL,
    Beaten,
    BuildCanoe,
    Convoy,
    Move,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    units_by_place,
)
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


# The reason for the outcome of each order. These functions decide nothing: they read each reason from the
# season that resolver.py decided. A failed order always has a reason.

REASON_MEANINGS: dict[str, str] = {
    "dislodged": "the unit was dislodged, by the unit named",
    "cut": "the support was cut by the units named",
    "no-such-move": "the supported unit was not ordered to move there",
    "tries-to-move": "the unit supported in place was ordered to move",
    "own-unit": "a unit of the same nation stayed there, and can't be dislodged by it",
    "own-support": "it would have dislodged the first unit named only with its own nation's support",
    "swap": "two units of equal strength tried to swap places",
    "beaten": "the unit coming the other way was stronger",
    "held-off": "the unit there stayed, and was as strong: the first unit named, supported by the others",
    "kept-out": "a stronger move went there",
    "stood-off": "other units moved there with at least the same strength, and none got in",
    "no-such-convoy": "the convoyed army was not ordered to go there",
    "no-convoy": "no fleets were ordered to convoy it all the way",
    "convoy-broken": "the units named dislodged its fleets, and no other route was open",
    "paradox": "its convoy, by the fleets named, depended on its own success",
    "knotted": "it depended on a convoy that depended on its own success, so both fail",
    "walkers-aim": "it went by canoe-fleet, and the units named moved there on foot",
    "canoes-aim": "it went by canoe-fleet, and the units named went there by canoe-fleet too",
    "met": "it went by canoe-fleet, and the unit named came the other way",
    "occupied": "it went by canoe-fleet, and the unit named stayed there",
    "attacked": "the units named attacked while it built a canoe-fleet",
    "goes-by-canoe": "the supported unit went by canoe-fleet",
    "other-coast": "the supported fleet went to another coast",
    "taboo": "the unit entered the taboo province and was removed",
    "one-a-season": "another canoe-fleet is destroyed there this season",
    "carried-off": "the only canoe-fleet there was ordered to carry a unit",
    "canoe-destroyed": "the only canoe-fleet there was destroyed",
    "replaced": "another order for the same unit counts",
}
"""The codes of reasons in a movement season. Illegal orders have the codes of `legality.OBJECTIONS`."""


_HOLD_OUTCOME: tuple[Result, None] = "held", None
_MOVE_OUTCOME: tuple[Result, None] = "moved", None


class Explanation:
    """A decided season with its units and orders, which explains the outcome of one unit at a time."""

    def __init__(self, board: Board, state: State, standing: ValidatedOrders, settled: DecidedSeason) -> None:
        self._board = board
        self._state = state
        self._orders = standing.orders
        self._settled = settled
        self._index = board.index
        self._beaten = settled.beaten
        self._season = settled.season
        self._units = units_by_place(state)

    def resolve_unit(self, unit: Unit) -> Resolved:
        """Return the outcome of a unit and its order. A unit without an order holds."""
        place = self._index[unit.at]
        order = self._orders.get(unit.at)
        outcome, reason = _HOLD_OUTCOME if order is None else self._outcome(place, order)
        by = self._beaten.get(place)
        if by is not None and reason is None:
            reason = self._reason("dislodged", (by,))
        return Resolved(
            power=unit.power,
            unit=order.unit if order is not None and order.unit.coast == unit.coast else unit.piece,
            order=order,
            outcome=outcome,
            reason=reason,
            dislodged=by is not None,
        )

    def _outcome(self, place: int, order: UnitOrder) -> tuple[Result, Reason | None]:
        # A comparison of types is four times as fast as `isinstance` if they differ.
        if type(order) is Move:
            return self._move(place, order)
        if type(order) is SupportMove or type(order) is SupportHold:
            return self._support(place, order)
        if type(order) is Convoy:
            return self._convoy(place, order)
        if type(order) is BuildCanoe:
            spoilers = self._settled.spoilt.get(place)
            return ("disrupted", self._reason("attacked", spoilers)) if spoilers else ("built", None)
        return _HOLD_OUTCOME

    def _move(self, place: int, order: Move) -> tuple[Result, Reason | None]:
        if self._settled.succeeds[place]:
            if not self._state.taboo:
                return _MOVE_OUTCOME
            lost = canoes.forbids(self._board, self._state, order.to)
            return "moved", Reason(code="taboo", at=order.to) if lost else None
        if place in self._settled.stranded:
            return "disrupted", self._why_stranded(place)
        if place in self._settled.held:
            return "bounced", Reason(code="knotted")
        by_foot = place not in self._season.afloat
        return "bounced", self._why_bounced(place) if by_foot else self._why_drew_back(place)

    def _support(self, place: int, order: SupportHold | SupportMove) -> tuple[Result, Reason | None]:
        if place not in self._season.into:
            return "void", self._why_idle(order)
        if self._settled.succeeds[place]:
            return "supported", None
        return "cut", Reason(code="knotted") if place in self._settled.held else self._why_cut(place)

    def _convoy(self, place: int, order: Convoy) -> tuple[Result, Reason | None]:
        if place not in self._season.carrying:
            return "void", self._reason("no-such-convoy", [self._board.index[order.other.at]])
        # `resolve_unit` adds the unit that dislodged it.
        return "disrupted" if place in self._settled.beaten else "convoyed", None

    def _why_stranded(self, place: int) -> Reason:
        """Return why an army wasn't convoyed: fleets were dislodged, made a paradox, or were too few."""
        fleets = self._season.carriers[place]
        beaten = [
            self._settled.beaten[fleet] for fleet in places_of_bits(fleets) if fleet in self._settled.beaten
        ]
        if beaten:
            return self._reason("convoy-broken", sorted(beaten))
        whole = self._season.mustered.is_open(place, self._season.goal[place], fleets)
        return self._reason("paradox", places_of_bits(fleets)) if whole else self._reason("no-convoy", ())

    def _why_idle(self, order: SupportHold | SupportMove) -> Reason:
        """Return why a support matched no order."""
        other = self._board.index[order.other.at]
        code = "no-such-move"
        if isinstance(order, SupportHold):
            code = "tries-to-move"
        elif self._season.goal.get(other) == self._board.index[order.to]:
            code = "goes-by-canoe" if other in self._season.afloat else "other-coast"
        return self._reason(code, [other])

    def _why_cut(self, place: int) -> Reason:
        if place in self._settled.beaten:
            return self._reason("dislodged", [self._settled.beaten[place]])
        nation = self._season.nation
        attackers = [
            attacker
            for attacker in sorted(self._season.aimed.get(place, ()))
            if nation[attacker] != nation[place] and attacker not in self._settled.stranded
        ]
        return self._reason(
            "cut", [attacker for attacker in attackers if attacker != self._season.into[place]]
        )

    def _why_drew_back(self, place: int) -> Reason:
        """Return what kept a canoe-fleet out: walking units, other canoe-fleets, or the unit there."""
        season, goal = self._season, self._season.goal[place]
        walkers: Iterable[int] = season.aimed.get(goal, ())
        if season.rulebook.standoffs == "admit-canoes":
            walkers = [walker for walker in walkers if self._settled.succeeds[walker]]
        rivals = [rival for rival in season.landing[goal] if rival != place]
        if walkers:
            return self._reason("walkers-aim", sorted(walkers))
        if rivals:
            return self._reason("canoes-aim", sorted(rivals))
        return self._reason("met" if season.goal.get(goal) == place else "occupied", [goal])

    def _why_bounced(self, place: int) -> Reason:
        """Return the first cause that applies: the unit there, a stronger unit from there, or rivals."""
        season, settled, goal = self._season, self._settled, self._season.goal[place]
        gone = goal in settled.moved or goal in settled.beaten
        if season.nation[goal] is not None and not gone:
            reason = self._why_not_dislodged(place, goal)
            if reason is not None:
                return reason
        if settled.moved.get(goal) == place and season.is_head_on(place, goal):
            return self._reason("beaten", [goal])
        strength = self._strength(place, season.nation[goal] if goal not in settled.moved else None)
        rivals = [
            rival
            for rival in sorted(season.aimed[goal])
            if rival != place
            and rival not in settled.stranded
            and not (goal in settled.moved and season.yields(rival, goal))
            and self._strength(rival) >= strength
        ]
        winners = [rival for rival in rivals if settled.succeeds[rival]]
        return self._reason("kept-out", winners) if winners else self._reason("stood-off", rivals)

    def _why_not_dislodged(self, place: int, goal: int) -> Reason | None:
        season = self._season
        own, theirs = season.nation[place], season.nation[goal]
        head_on = season.is_head_on(place, goal)
        if own == theirs:
            return self._reason("swap" if head_on else "own-unit", [goal])
        attack, defence = self._strength(place), 1
        if head_on or goal not in season.goal:
            defence = self._strength(goal)
        if attack <= defence:
            if head_on:
                return self._reason("swap" if attack == defence else "beaten", [goal])
            loyal = self._helpers(goal) if goal not in season.goal else []
            return self._reason("held-off", [goal, *loyal])
        traitors = [helper for helper in self._helpers(place) if season.nation[helper] == theirs]
        if attack - len(traitors) <= defence:
            return self._reason("own-support", [goal, *traitors])
        return None

    def _helpers(self, place: int) -> list[int]:
        return [
            helper for helper in sorted(self._season.helpers.get(place, ())) if self._settled.succeeds[helper]
        ]

    def _strength(self, place: int, spared: str | None = None) -> int:
        nation = self._season.nation
        return 1 + sum(spared is None or nation[helper] != spared for helper in self._helpers(place))

    def _reason(self, code: str, places: Iterable[int]) -> Reason:
        ids, units = self._board.ids, self._units
        return Reason(code=code, by=tuple([units[ids[place]] for place in places]))


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
