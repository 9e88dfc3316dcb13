"""The year of the Diplomacy family: the phases in order, and `protocol.Rules`.

Each kind of phase has its own module. This module knows their order, and what happens at their end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from games.dice import Dice, NoDice, RollNeeded
from games.diplomacy import legal_orders, notation
from games.diplomacy.adjudication import adjustments, canoes, legality, retreats, variations
from games.diplomacy.adjudication.legality import Given, OrderChecker, refuse, sift, strangers
from games.diplomacy.adjudication.movement import play_movement
from games.diplomacy.adjudication.victory import judge_victory
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import PHASE_KINDS, REMOVALS, Rulebook, Variant
from games.diplomacy.events import AnyEvent, Captured, Eliminated, Ended, GarrisonReturned, Resolved
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Destroy,
    Disband,
    Hold,
    Kind,
    Phase,
    Piece,
    Province,
    State,
    Unit,
    UnitOrder,
    View,
    Waive,
    stored_options,
)
from games.messages import sentence
from games.protocol import (
    AdjacentPlace,
    Concern,
    Condition,
    DryRun,
    Due,
    Event,
    GameResult,
    LegalOrder,
    Objection,
    Options,
    Outcome,
    OwedOrder,
    Rules,
    Seat,
    ThrowForm,
    TouchOrder,
    Turn,
)
from games.record import replace_fields

if TYPE_CHECKING:
    from games.dice import Dice
    from games.diplomacy.adjudication.legality import Given
    from games.diplomacy.adjudication.variations import WhatIfSeason
    from games.diplomacy.boards.variants import Variant


YEARS_AHEAD = 5


class DiplomacyRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules on one board: implements `protocol.Rules`. Its caches don't affect the answers."""

    has_adjacency = True

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        # Each email needs it for each unit, and it never changes.
        self._owed: dict[tuple[Kind, Province], OwedOrder] = {}
        self._asked: tuple[State, tuple[Due, ...]] | None = None
        self._ahead: tuple[Phase, tuple[Turn, ...]] | None = None

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the opening: each power has its starting centres and units, and neutral units are placed."""
        variant = self.variant.under(options)
        board = variant.board
        units = [
            *(
                Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)
                for power, pieces in board.starts.items()
                for piece in pieces
            ),
            *adjustments.garrisons(board),
        ]
        state = State(
            options=stored_options(options),
            phase=variant.rulebook.beginning(board.chart.first_year),
            units=in_order(board, units),
            centres=dict(board.owners_at_start),
            taboo=board.chart.taboo is not None,
        )
        return Outcome(state)

    def survivors(self, state: State) -> tuple[Seat, ...]:
        """Return the powers that have a unit or a centre."""
        return retreats.survivors(self.board, state)

    def misfits(self, state: State) -> tuple[str, ...]:
        """Return the units, owners and phase that this board and this year don't have."""
        variant = self.variant.under(state.options)
        board = variant.board
        phases = {(step.season, step.kind) for step in variant.rulebook.year}
        units = (*state.units, *(beaten_unit.unit for beaten_unit in state.beaten))
        return (
            *(f"{unit.kind} {unit.spot}" for unit in units if not can_stand(board, variant.rulebook, unit)),
            *(
                f"{owner}: {centre}"
                for centre, owner in state.centres.items()
                if centre not in board.centres or owner not in board.powers
            ),
            *(() if (state.phase.season, state.phase.kind) in phases else (state.phase.short,)),
        )

    def neighbours(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        """Return the powers near a power."""
        return retreats.neighbours(self.board, state, seat)

    def turn(self, state: State) -> Turn:
        """Return the names of the phase: "Spring, year 1, moves", ``S1M``."""
        return self.variant.rulebook.turn(state.phase)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """Return the present phase and those of the next five years, whether or not orders will be due."""
        known = self._ahead
        if known is None or known[0] != state.phase:
            # Each email needs it, and games in the same phase have the same answer.
            rulebook, phases = self.variant.rulebook, [state.phase]
            while (
                after := rulebook.following(phases[-1])
            ).year <= state.phase.year + YEARS_AHEAD * rulebook.year_step:
                phases.append(after)
            known = self._ahead = state.phase, tuple(rulebook.turn(phase) for phase in phases)
        return known[1]

    def due(self, state: State) -> tuple[Due, ...]:
        """Return the orders due, in the board's order of powers. A power without a choice has none."""
        answered = self._asked
        if answered is None or answered[0] is not state:
            # Each email needs it several times for the same state.
            answered = self._asked = state, self._dues(state)
        return answered[1]

    def _is_anything_due(self, state: State) -> bool:
        """Return whether any orders are due. This is faster than `due`, and asked after each phase."""
        if state.phase.kind == "A":
            return bool(self.due(state))
        pieces = (
            state.units if state.phase.kind == "M" else [beaten_unit.unit for beaten_unit in state.beaten]
        )
        return any(unit.power != NEUTRAL for unit in pieces)

    def _dues(self, state: State) -> tuple[Due, ...]:
        if state.ended is not None:
            return ()
        variant = self.variant.under(state.options)
        if state.phase.kind == "A":
            return self._due_adjustments(variant, state)
        kind = PHASE_KINDS[state.phase.kind]
        pieces = (
            state.units
            if state.phase.kind == "M"
            else tuple(beaten_unit.unit for beaten_unit in state.beaten)
        )
        owed: dict[Seat, list[OwedOrder]] = {power: [] for power in self.board.powers}
        for unit in pieces:
            if unit.power != NEUTRAL:
                key = unit.kind, unit.at
                if key not in self._owed:
                    slot = Hold(unit=Piece(kind=unit.kind, at=unit.at)).slot  # the same for any order
                    name = f"{unit.kind} {self.board.name(unit.at)}"
                    self._owed[key] = OwedOrder(slot=slot, name=name)
                owed[unit.power].append(self._owed[key])
        accepted = legality.accepts(variant.rulebook, state.phase.kind)
        return tuple(
            Due(seat=power, kind=kind, accepts=accepted, owes=tuple(owes))
            for power, owes in owed.items()
            if owes
        )

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why the order is illegal, as one of `legality.OBJECTIONS`, or None."""
        variant = self.variant.under(view.options)
        return legality.law_of(variant.board, variant.rulebook, view).objection(seat, order)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Yield examples of a power's orders now, an attack and its support first."""
        return legal_orders.rows(self.variant.under(view.options), view, seat)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Yield the legal orders of each unit of a power."""
        return legal_orders.legal_orders(self.variant.under(view.options), view, seat)

    def touch_order(self, view: View, seat: Seat, order: AnyOrder) -> TouchOrder:
        """Return an order as touches on the map."""
        return legal_orders.touch_order(self.variant.under(view.options).board, view, seat, order)

    def points(self, view: View) -> Mapping[str, tuple[float, float]]:
        """Return the places of pieces on the map."""
        return legal_orders.points(self.variant.under(view.options).board, view)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the provinces beside a province, on foot and by water."""
        return legal_orders.adjacent_places(self.variant.under(view.options).board, Province(place))

    def dry_run(self, view: View, orders: Given) -> DryRun:
        """Return the result of the phase with only these orders, up to a storm."""
        return dry_run(self.variant.under(view.options), view, orders)

    def benchmark_phase(self, state: State, orders: Iterable[UnitOrder]) -> WhatIfSeason:
        """Return a movement season's orders, prepared to be decided alone."""
        return variations.WhatIfSeason(self.variant.under(state.options), state, orders)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return what is odd, as some of `legality.CONCERNS`."""
        return legality.find_concerns(self.board, view, seat, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the orders of civil disorder: units hold or disband, builds are waived, far units disband.

        Source: Indianomacy, rulings V5 and V6.
        """
        if state.phase.kind == "M":
            return tuple(Hold(unit=unit.piece) for unit in state.units if unit.power == due.seat)
        if state.phase.kind == "R":
            return tuple(
                Disband(unit=beaten_unit.unit.piece)
                for beaten_unit in state.beaten
                if beaten_unit.unit.power == due.seat
            )
        variant = self.variant.under(state.options)
        board, rulebook = variant.board, variant.rulebook
        claim = adjustments.adjustments_due(board, rulebook, state, due.seat)
        going = adjustments.farthest(board, rulebook, state, due.seat, claim.removals)
        return (*(Waive() for _ in range(claim.builds)), *(Disband(unit=unit.piece) for unit in going))

    def adjudicate(self, state: State, orders: Given, dice: Dice) -> Outcome[State, AnyEvent]:
        """Process the phase, and the following phases until orders are due.

        Events come in board order of powers, then of provinces, whatever the order of the emails.
        """
        assert state.ended is None, "the game is over"
        variant = self.variant.under(state.options)
        board, rulebook = variant.board, variant.rulebook
        events: list[AnyEvent] = []
        given = orders
        while True:
            played = play(board, rulebook, state, given)
            closed = close_phase(board, rulebook, state, played.state, dice)
            state, given = closed.state, {}
            events += played.events + closed.events
            if state.ended is not None or self._is_anything_due(state):
                return Outcome(state, tuple(events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the state. Nothing is hidden in this family."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether a condition is met.

        Raises KeyError for an unknown form.
        """
        return notation.is_met(view, condition)

    def result(self, state: State) -> GameResult | None:
        """Return the winners or a draw once the game is over, otherwise None."""
        return None if state.ended is None else GameResult(winners=state.winners, reason=state.ended)

    def _due_adjustments(self, variant: Variant, state: State) -> tuple[Due, ...]:
        dues = []
        for power in variant.board.powers:
            claim = adjustments.adjustments_due(variant.board, variant.rulebook, state, power)
            if claim.builds or claim.removals:
                accepted = ("Build", "Waive") if claim.builds else ("Disband",)
                takes = claim.builds + claim.removals
                kind = PHASE_KINDS["A"] if claim.builds else REMOVALS
                dues.append(Due(seat=power, kind=kind, accepts=accepted, takes=takes))
        return tuple(dues)


def can_stand(board: Board, rulebook: Rulebook, unit: Unit) -> bool:
    """Return whether a unit can be where it is, on this board."""
    if (
        unit.at not in board.places
        or unit.kind not in board.kinds
        or unit.power not in (*board.powers, NEUTRAL)
    ):
        return False
    if unit.kind == "F":
        return unit.spot in board.spots[unit.at]
    return not unit.coast and (board.is_land(unit.at) or rulebook.canoes)


# Process one phase of the year, and end it.


def play(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    """Process the orders of the state's phase. The state keeps its phase.

    Events of orders come by power, then by province, whatever the order of the emails. Other events follow.
    """
    if state.phase.kind == "M":
        marched = play_movement(board, rulebook, state, sift(board, rulebook, state, given))
        return Outcome(marched.state, (*_in_telling_order(board, marched.resolved), *marched.events))
    if state.phase.kind == "R":
        return _retreat(board, rulebook, state, given)
    return _adjust(board, rulebook, state, given)


def close_phase(
    board: Board, rulebook: Rulebook, before: State, state: State, dice: Dice
) -> Outcome[State, AnyEvent]:
    """Return the state and the events after the end of a phase, with the next phase unless the game is over.

    Centres change hands before the storms, and builds come after them (Indianomacy, ruling H3).
    """
    step = rulebook.step(state.phase)
    events: tuple[AnyEvent, ...] = ()
    if step.captures:
        captured = capture(board, state)
        state, events = captured.state, captured.events
    if step.storms:
        blown = canoes.blow(board, state, dice)
        state, events = blown.state, events + blown.events
    if step.kind == "A" and rulebook.garrisons == "return":
        returning = adjustments.returning_garrisons(board, state)
        state = replace_fields(state, units=in_order(board, (*state.units, *returning)))
        events += tuple(GarrisonReturned(unit=unit) for unit in returning)
    events += tuple(Eliminated(power=power) for power in eliminated_powers(board, before, state))
    if rulebook.decides(step):
        ending = finish(board, state)
        if (
            step.ends_year
            and ending.state.ended is None
            and all(adjustments.is_spent(board, rulebook, state, power) for power in board.powers)
        ):
            # No power can do anything any more.
            ending = _end_game(state, Ended(winners=(), reason="empty-board"))
        state, events = ending.state, events + ending.events
    if state.ended is None:
        following = rulebook.following(state.phase)
        bans = {power: year for power, year in state.build_ban.items() if year >= following.year}
        state = replace_fields(state, phase=following, build_ban=bans)
    return Outcome(state, events)


def _retreat(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    if not (state.beaten or state.contested or given):
        return Outcome(canoes.lift(state))
    standing = sift(board, rulebook, state, given)
    shunned = board.chart.taboo if state.taboo else None
    scattered = retreats.play_retreats(state.beaten, standing.orders, shunned)
    units = in_order(board, (*state.units, *scattered.standing))
    after = replace_fields(state, units=units, beaten=(), contested=())
    events: tuple[AnyEvent, ...] = _in_telling_order(board, [*standing.refused, *scattered.resolved])
    if scattered.trespasser is not None:
        punished = canoes.punish(board, rulebook, after, scattered.trespasser)
        after, events = punished.state, events + punished.events
    return Outcome(canoes.lift(after), events)


def _adjust(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    law = OrderChecker(board, rulebook, state)
    results = strangers(board, given)
    built: list[Unit] = []
    gone: set[Unit] = set()
    for power in board.powers:
        good: list[AnyOrder] = []
        for order in given.get(power, ()):
            objection = law.objection(power, order)
            twice = isinstance(order, UnitOrder) and order.unit.at in {
                earlier.unit.at for earlier in good if isinstance(earlier, UnitOrder)
            }
            if objection is None and not twice:
                good.append(order)
            else:
                results.append(refuse(power, order, objection.code if objection else "replaced"))
        claim = adjustments.adjustments_due(board, rulebook, state, power)
        adjusted = adjustments.adjust(board, rulebook, state, power, claim, good)
        results += adjusted.resolved
        built += adjusted.built
        gone.update(adjusted.removed)
    empty_places = {unit.at for unit in gone}
    staying = (unit for unit in state.units if unit not in gone)
    after = replace_fields(
        state,
        units=in_order(board, (*staying, *built)),
        bay_entered={at: since for at, since in state.bay_entered.items() if at not in empty_places},
        bay_from={at: origin for at, origin in state.bay_from.items() if at not in empty_places},
    )
    return Outcome(after, _in_telling_order(board, results))


def in_order(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return units in board order."""
    return tuple(sorted(units, key=lambda unit: board.index[unit.at]))


def _in_telling_order(board: Board, events: Sequence[Resolved]) -> tuple[AnyEvent, ...]:
    """Return events by power, then by province. Events without a place come last."""
    index, last = board.index, len(board.places)
    # Each power has two numbers for each place, and two more for events without a place.
    width = 2 * last + 2
    powers = {power: width * number for number, power in enumerate(board.powers)}
    others = width * len(powers)

    ranked = []
    for number, event in enumerate(events):
        unit = event.unit
        at = last if unit is None else index.get(unit.at, last)
        rank = powers.get(event.power, others) + 2 * at + (type(event.order) is Destroy)
        ranked.append((rank, number, event))
    # The numbers are unique, so events are never compared.
    ranked.sort()
    return tuple([event for _, _, event in ranked])


# The end of a phase: centres change hands, powers are eliminated, the game may end.


def capture(board: Board, state: State) -> Outcome[State, AnyEvent]:
    """Give each centre to the power with a unit there. Other centres keep their owners.

    Source: Diplomacy; Indianomacy, rulings N2 and N3: neutral units own nothing.
    """
    standing = {unit.at: unit.power for unit in state.units if unit.power != NEUTRAL}
    owners: dict[Province, Seat] = {}
    events: list[AnyEvent] = []
    for centre in board.centres:
        was = state.centres.get(centre)
        now = standing.get(centre, was)
        if now is not None:
            owners[centre] = now
            if now != was:
                events.append(Captured(centre=centre, was=was, now=now))
    return Outcome(replace_fields(state, centres=owners), tuple(events))


def finish(board: Board, state: State) -> Outcome[State, AnyEvent]:
    """End the game if a power has won, or after the year of the option ``last_year``."""
    ended = judge_victory(board, state)
    if ended is not None:
        return _end_game(state, ended)
    last = state.options.get("last_year")
    if last is not None and state.phase.year >= int(last):
        return _end_game(state, _decide_last_year(board, state))
    return Outcome(state)


def _decide_last_year(board: Board, state: State) -> Ended:
    """Return the end of a game after its last year: a draw, or by ``at_last_year`` a win of the leaders."""
    centres = Counter(state.centres.values())
    most = max((centres[power] for power in board.powers), default=0)
    if state.options.get("at_last_year") != "lead" or not most:
        return Ended(winners=(), reason="last-year")
    return Ended(winners=tuple(power for power in board.powers if centres[power] == most), reason="most")


def eliminated_powers(board: Board, before: State, after: State) -> tuple[Seat, ...]:
    """Return the powers that were eliminated in a phase, in the order of the board."""
    units = len(before.units) + len(before.beaten) - len(after.units) - len(after.beaten)
    # If no unit is new and the number is the same, all units are the same.
    if before.phase.kind != "A" and not units and before.centres == after.centres:
        return ()
    alive = retreats.survivors(board, after)
    return tuple(power for power in retreats.survivors(board, before) if power not in alive)


def _end_game(state: State, event: Ended) -> Outcome[State, AnyEvent]:
    return Outcome(replace_fields(state, winners=event.winners, ended=event.reason), (event,))


# Dry runs.


def dry_run(variant: Variant, view: View, orders: Given) -> DryRun:
    """Return what the orders would do if no others were given."""
    board, rulebook = variant.board, variant.rulebook
    played = play(board, rulebook, view, orders)
    events = tuple(event for event in played.events if not _is_idle(event))
    try:
        closed = close_phase(board, rulebook, view, played.state, NoDice())
    except RollNeeded:
        return DryRun(after=played.state, events=events, open=sentence("diplomacy.judge.storm_open"))
    return DryRun(after=closed.state, events=(*events, *closed.events))


def _is_idle(event: Event) -> bool:
    """Return whether an event only says that a unit without an order stays in place."""
    return isinstance(event, Resolved) and event.order is None and not event.dislodged


# Rolls.


def throws(variant: Variant) -> tuple[ThrowForm, ...]:
    """Return the rolls that a game can make: storms, by water and season. Source: Indianomacy §9."""
    waters = variant.board.chart.stormy
    seasons = "".join(dict.fromkeys(step.season for step in variant.rulebook.year if step.storms))
    if not (waters and seasons):
        return ()
    label = rf"storm/({'|'.join(waters)})/[{seasons}]\d+"
    return (ThrowForm(label=label, most=6, example=f"storm/{waters[0]}/{seasons[0]}1"),)
