"""The year of the Diplomacy family: phases in order, and the answers of `protocol.Rules`.

Each kind of phase is played by its own module; this one knows which comes when, and what its end brings.
"""

from collections.abc import Iterable, Mapping, Sequence

from games.dice import Dice
from games.diplomacy import adjustments, closing, retreats
from games.diplomacy.board import Board
from games.diplomacy.concerns import concerns
from games.diplomacy.lawful import ACCEPTS, Law
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Disband,
    Eliminated,
    Hold,
    Province,
    Reason,
    Resolved,
    State,
    Unit,
    UnitOrder,
    Waive,
    settled,
    slot,
)
from games.diplomacy.movement import march
from games.diplomacy.rulebook import KINDS, Rulebook
from games.protocol import (
    Concern,
    Condition,
    Due,
    Event,
    Objection,
    Options,
    Outcome,
    Owed,
    Result,
    Seat,
    Turn,
)
from games.record import changed

YEARS_AHEAD = 5
Given = Mapping[Seat, Sequence[AnyOrder]]


class DiplomacyRules:
    """The rules on one board: implements `protocol.Rules`. It remembers nothing between two questions."""

    def __init__(self, board: Board, rulebook: Rulebook) -> None:
        self.board = board
        self.rulebook = rulebook

    def setup(self, options: Options, dice: Dice) -> Outcome[State]:
        """The opening: every power on its starting centres, which it owns; neutral units on theirs."""
        board = self.board
        units = [
            *(
                Unit(power=power, kind=piece.kind, at=piece.at)
                for power, pieces in board.starts.items()
                for piece in pieces
            ),
            *(Unit(power=NEUTRAL, kind=piece.kind, at=piece.at) for piece in board.neutral),
        ]
        owners = {centre: power.id for power in board.chart.powers for centre in power.centres}
        state = State(
            options=settled(options),
            phase=self.rulebook.opening(board.chart.first_year),
            units=self._in_board_order(units),
            centres={centre: owners[centre] for centre in board.centres if centre in owners},
        )
        return Outcome(state)

    def turn(self, state: State) -> Turn:
        """The phase's name: "Spring, year 1, moves", ``S1M``."""
        return self.rulebook.turn(state.phase)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """The present phase and those of five years to come, whether or not anything will be due in them."""
        phases = [state.phase]
        while (after := self.rulebook.following(phases[-1])).year <= state.phase.year + YEARS_AHEAD:
            phases.append(after)
        return tuple(self.rulebook.turn(phase) for phase in phases)

    def due(self, state: State) -> tuple[Due, ...]:
        """Who owes orders: in the board's order of powers; a power that can do nothing is not asked."""
        if state.ended is not None:
            return ()
        if state.phase.kind == "A":
            return self._due_adjustments(state)
        kind = KINDS[state.phase.kind]
        pieces = state.units if state.phase.kind == "M" else tuple(one.unit for one in state.beaten)
        owed: dict[Seat, list[Owed]] = {power: [] for power in self.board.powers}
        for unit in pieces:
            if unit.power != NEUTRAL:
                name = f"{unit.kind} {self.board.name(unit.at)}"
                owed[unit.power].append(Owed(slot=slot(unit.piece), name=name))
        accepts = ACCEPTS[state.phase.kind]
        return tuple(
            Due(seat=power, kind=kind, accepts=accepts, owes=tuple(owes))
            for power, owes in owed.items()
            if owes
        )

    def check(self, view: State, seat: Seat, order: AnyOrder) -> Objection | None:
        """Why the order is unlawful, as one of `lawful.OBJECTIONS`, or None."""
        return Law(self.board, self.rulebook, view).objection(seat, order)

    def concerns(self, view: State, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """What is odd, as some of `concerns.CONCERNS`."""
        return concerns(view, seat, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Civil disorder: units hold, beaten ones disband, builds are waived, the farthest units removed.

        Source: Indianomacy, rulings V5 and V6.
        """
        if state.phase.kind == "M":
            return tuple(Hold(unit=unit.piece) for unit in state.units if unit.power == due.seat)
        if state.phase.kind == "R":
            return tuple(Disband(unit=one.unit.piece) for one in state.beaten if one.unit.power == due.seat)
        claim = self._claim(state, due.seat)
        going = adjustments.farthest(self.board, state.units, due.seat, claim.removals)
        return (*(Waive() for _ in range(claim.builds)), *(Disband(unit=unit.piece) for unit in going))

    def adjudicate(self, state: State, orders: Given, dice: Dice) -> Outcome[State]:
        """Play the phase, and go on through phases in which nobody owes anything.

        Events come in board order of powers, then of provinces, whatever the order of the letters.
        """
        assert state.ended is None, "the game is over"
        events: list[Event] = []
        given = orders
        while True:
            step = self._play(state, given)
            closed = self._close(state, step.state)
            state, given = closed.state, {}
            events += step.events + closed.events
            if state.ended is not None or self.due(state):
                return Outcome(state, tuple(events))

    def view(self, state: State, seat: Seat | None) -> State:
        """The state: nothing is hidden in this family."""
        return state

    def holds(self, view: State, seat: Seat, condition: Condition) -> bool:
        """Whether a unit stands in a place, a nation's unit does, or a nation owns a centre.

        Raises KeyError for a form that the notation does not have.
        """
        place = Province(condition.slots["place"])
        if condition.form == "owned-by":
            return view.centres.get(place) == condition.slots["nation"]
        powers = [unit.power for unit in view.units if unit.at == place]
        if condition.form == "unit-at":
            return bool(powers)
        if condition.form == "unit-of-at":
            return condition.slots["nation"] in powers
        raise KeyError(condition.form)

    def result(self, state: State) -> Result | None:
        """The winner by centres or units, or a draw, once the game is over."""
        return None if state.ended is None else Result(winners=state.winners, reason=state.ended)

    def _due_adjustments(self, state: State) -> tuple[Due, ...]:
        dues = []
        for power in self.board.powers:
            claim = self._claim(state, power)
            if claim.builds or claim.removals:
                accepts = ("Build", "Waive") if claim.builds else ("Disband",)
                takes = claim.builds + claim.removals
                dues.append(Due(seat=power, kind=KINDS["A"], accepts=accepts, takes=takes))
        return tuple(dues)

    def _claim(self, state: State, power: Seat) -> adjustments.Claim:
        return adjustments.claim(self.board, self.rulebook, state, power)

    def _play(self, state: State, orders: Given) -> Outcome[State]:
        if state.phase.kind == "A":
            return self._adjust(state, orders)
        taken, refused = self._sift(state, orders)
        if state.phase.kind == "M":
            marched = march(self.board, state, taken, refused)
            return Outcome(marched.state, (*self._told(marched.resolved), *marched.dislodged))
        scattered = retreats.scatter(state.beaten, taken)
        units = self._in_board_order((*state.units, *scattered.standing))
        after = changed(state, units=units, beaten=(), contested=())
        return Outcome(after, self._told([*refused, *scattered.resolved]))

    def _adjust(self, state: State, orders: Given) -> Outcome[State]:
        law = Law(self.board, self.rulebook, state)
        told: list[Resolved] = []
        built: list[Unit] = []
        gone: set[Unit] = set()
        for power in self.board.powers:
            good: list[AnyOrder] = []
            for order in orders.get(power, ()):
                objection = law.objection(power, order)
                twice = order in good and not isinstance(order, Waive)
                if objection is None and not twice:
                    good.append(order)
                else:
                    told.append(_refused(power, order, objection.code if objection else "replaced"))
            claim = self._claim(state, power)
            adjusted = adjustments.adjust(self.board, state, power, claim, good)
            told += adjusted.resolved
            built += adjusted.built
            gone.update(adjusted.removed)
        staying = (unit for unit in state.units if unit not in gone)
        after = changed(state, units=self._in_board_order((*staying, *built)))
        return Outcome(after, self._told([*told, *self._strangers(orders)]))

    def _sift(self, state: State, orders: Given) -> tuple[dict[Province, AnyOrder], list[Resolved]]:
        """The one order that stands for each unit, and what became of all the others.

        Source: Indianomacy, ruling V7 (Rulebook.twice).
        """
        law = Law(self.board, self.rulebook, state)
        taken: dict[Province, AnyOrder] = {}
        refused = self._strangers(orders)
        for power in self.board.powers:
            for order in orders.get(power, ()):
                objection = law.objection(power, order)
                if objection is not None:
                    refused.append(_refused(power, order, objection.code))
                    continue
                assert isinstance(order, UnitOrder)
                earlier = taken.get(order.unit.at)
                if earlier is None or self.rulebook.twice == "last":
                    taken[order.unit.at] = order
                replaced = earlier if self.rulebook.twice == "last" else order
                if earlier is not None and replaced is not None:
                    refused.append(_refused(power, replaced, "replaced"))
        return taken, refused

    def _strangers(self, orders: Given) -> list[Resolved]:
        """The orders of seats that are no power of this board: none is lawful."""
        strangers = sorted(seat for seat in orders if seat not in self.board.powers)
        return [_refused(seat, order, "not-due") for seat in strangers for order in orders[seat]]

    def _close(self, before: State, state: State) -> Outcome[State]:
        """What the end of a phase brings, and the phase that follows unless the game is over."""
        step = self.rulebook.step(state.phase)
        events: tuple[Event, ...] = ()
        if step.captures:
            captured = closing.capture(self.board, state)
            state, events = captured.state, captured.events
        dead = closing.alive(before) - closing.alive(state)
        events += tuple(Eliminated(power=power) for power in self.board.powers if power in dead)
        if step.ends_year:
            ending = closing.finish(self.board, state)
            if ending.state.ended is None and self._is_stalled(state):
                ending = closing.stalled(state)
            state, events = ending.state, events + ending.events
        if state.ended is None:
            state = changed(state, phase=self.rulebook.following(state.phase))
        return Outcome(state, events)

    def _is_stalled(self, state: State) -> bool:
        if any(unit.power != NEUTRAL for unit in state.units):
            return False
        return not any(self._claim(state, power).builds for power in self.board.powers)

    def _in_board_order(self, units: Iterable[Unit]) -> tuple[Unit, ...]:
        index = self.board.index
        return tuple(sorted(units, key=lambda unit: index[unit.at]))

    def _told(self, events: Sequence[Resolved]) -> tuple[Event, ...]:
        """Events by power, then by province; those without a unit, and of strangers, last."""
        powers = {power: number for number, power in enumerate(self.board.powers)}
        index, last = self.board.index, len(self.board.places)

        def place(event: Resolved) -> tuple[int, int]:
            at = index.get(event.unit.at, last) if event.unit else last
            return powers.get(event.power, len(powers)), at

        return tuple(sorted(events, key=place))


def _refused(power: Seat, order: AnyOrder, code: str) -> Resolved:
    piece = order.unit if isinstance(order, UnitOrder) else None
    return Resolved(power=power, unit=piece, order=order, outcome="void", reason=Reason(code=code))
