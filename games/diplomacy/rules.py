"""The year of the Diplomacy family: phases in order, and the answers of `protocol.Rules`.

Each kind of phase is played by its own module; this one knows which comes when, and what its end brings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from games.diplomacy import attempt, conditions, examples, legal_orders, sequence, touches
from games.diplomacy.adjudication import adjustments, concerns, legality, rehearsal
from games.diplomacy.adjudication import survivors as surviving
from games.diplomacy.boards.rulebook import PHASE_KINDS, REMOVALS
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
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
    slot_of,
    stored_options,
)
from games.protocol import (
    Concern,
    Condition,
    Due,
    GameResult,
    Objection,
    Options,
    Outcome,
    OwedOrder,
    Seat,
    Turn,
)
from games.protocol.optional import AdjacentPlace, DryRun, LegalOrder, TouchOrder

if TYPE_CHECKING:
    from games.dice import Dice
    from games.diplomacy.adjudication.rehearsal import WhatIfSeason
    from games.diplomacy.adjudication.sifting import Given
    from games.diplomacy.boards.variants import Variant
    from games.diplomacy.events import AnyEvent

YEARS_AHEAD = 5


class DiplomacyRules:
    """The rules on one board: implements `protocol.Rules`. What it remembers changes no answer."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        # Asked for each unit at each letter, and always the same.
        self._owed = cache(self._owed_for)
        self._asked: tuple[State, tuple[Due, ...]] | None = None
        self._ahead: tuple[Phase, tuple[Turn, ...]] | None = None

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The opening: every power on its starting centres, which it owns; neutral units on theirs."""
        variant = self.variant.under(options)
        board = variant.board
        units = [
            *(
                Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)
                for power, pieces in board.starts.items()
                for piece in pieces
            ),
            *(Unit(power=NEUTRAL, kind=piece.kind, at=piece.at) for piece in board.neutral),
        ]
        owners = {centre: power.id for power in board.chart.powers for centre in power.centres}
        state = State(
            options=stored_options(options),
            phase=variant.rulebook.beginning(board.chart.first_year),
            units=sequence.in_order(board, units),
            centres={centre: owners[centre] for centre in board.centres if centre in owners},
            taboo=board.chart.taboo is not None,
        )
        return Outcome(state)

    def survivors(self, state: State) -> tuple[Seat, ...]:
        """The powers that have a unit or a centre left."""
        return surviving.survivors(self.board, state)

    def neighbours(self, state: State, seat: Seat) -> tuple[Seat, ...]:
        """The powers beside a power."""
        return surviving.neighbours(self.board, state, seat)

    def turn(self, state: State) -> Turn:
        """The phase's name: "Spring, year 1, moves", ``S1M``."""
        return self.variant.rulebook.turn(state.phase)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """The present phase and those of five years to come, whether or not anything will be due in them."""
        known = self._ahead
        if known is None or known[0] != state.phase:
            # Each letter asks it, all games of one age the same.
            known = self._ahead = state.phase, self._coming(state.phase)
        return known[1]

    def _coming(self, present: Phase) -> tuple[Turn, ...]:
        phases = [present]
        while (after := self.variant.rulebook.following(phases[-1])).year <= present.year + YEARS_AHEAD:
            phases.append(after)
        return tuple(self.variant.rulebook.turn(phase) for phase in phases)

    def due(self, state: State) -> tuple[Due, ...]:
        """Return the orders due, in the board's order of powers; a power that can do nothing is not asked."""
        answered = self._asked
        if answered is None or answered[0] is not state:
            # Each letter asks it of one state several times.
            answered = self._asked = state, self._dues(state)
        return answered[1]

    def _is_anything_due(self, state: State) -> bool:
        """Return whether anybody owes orders, without counting which; each phase asks it of the next."""
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
                owed[unit.power].append(self._owed(unit.kind, unit.at))
        accepted = legality.accepts(variant.rulebook, state.phase.kind)
        return tuple(
            Due(seat=power, kind=kind, accepts=accepted, owes=tuple(owes))
            for power, owes in owed.items()
            if owes
        )

    def _owed_for(self, kind: Kind, at: Province) -> OwedOrder:
        return OwedOrder(slot=slot_of(Piece(kind=kind, at=at)), name=f"{kind} {self.board.name(at)}")

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Why the order is unlawful, as one of `lawful.OBJECTIONS`, or None."""
        variant = self.variant.under(view.options)
        return legality.law_of(variant.board, variant.rulebook, view).objection(seat, order)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Return what a power could order now, an attack and its support before all."""
        return examples.rows(self.variant.under(view.options), view, seat)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Return what each unit of a power could be ordered to do now."""
        return legal_orders.legal_orders(self.variant.under(view.options), view, seat)

    def touch_order(self, view: View, seat: Seat, order: AnyOrder) -> TouchOrder:
        """Return an order as it is put together on the map."""
        return touches.touch_order(self.variant.under(view.options).board, view, seat, order)

    def points(self, view: View) -> Mapping[str, tuple[float, float]]:
        """Where pieces stand on the map."""
        return touches.points(self.variant.under(view.options).board, view)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """The provinces beside a province, on foot and by water."""
        return legal_orders.adjacent_places(self.variant.under(view.options).board, Province(place))

    def dry_run(self, view: View, orders: Given) -> DryRun:
        """The phase played with these orders and no others, up to a storm."""
        return attempt.dry_run(self.variant.under(view.options), view, orders)

    def benchmark_phase(self, state: State, orders: Iterable[UnitOrder]) -> WhatIfSeason:
        """A movement season's orders, ready to be decided alone."""
        return rehearsal.WhatIfSeason(self.variant.under(state.options), state, orders)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return what is odd, as some of `concerns.CONCERNS`."""
        return concerns.find_concerns(self.board, view, seat, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Civil disorder: units hold, beaten ones disband, builds are waived, the farthest units removed.

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
        """Play the phase, and go on through phases in which nobody owes anything.

        Events come in board order of powers, then of provinces, whatever the order of the letters.
        """
        assert state.ended is None, "the game is over"
        variant = self.variant.under(state.options)
        board, rulebook = variant.board, variant.rulebook
        events: list[AnyEvent] = []
        given = orders
        while True:
            played = sequence.play(board, rulebook, state, given)
            closed = sequence.close_phase(board, rulebook, state, played.state, dice)
            state, given = closed.state, {}
            events += played.events + closed.events
            if state.ended is not None or self._is_anything_due(state):
                return Outcome(state, tuple(events))

    def view(self, state: State, seat: Seat | None) -> View:
        """The state: nothing is hidden in this family."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether a unit stands in a place, a nation's unit does, or a nation owns a centre.

        Raises KeyError for a form that the notation does not have.
        """
        return conditions.is_met(view, condition)

    def result(self, state: State) -> GameResult | None:
        """The winner by centres or units, or a draw, once the game is over."""
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
