"""The rules of Cairn: implements `protocol.Rules`."""

from collections.abc import Mapping, Sequence
from typing import cast

from games.cairn.events import AnyEvent, Drew, Dropped, Rested, Took
from games.cairn.model import HIDDEN, PEBBLES, SEATS, AnyOrder, Draw, Drop, Rest, State, View, in_order
from games.dice import Dice
from games.protocol import (
    Concern,
    Condition,
    Due,
    Event,
    GameOption,
    GameResult,
    Invalid,
    Objection,
    Options,
    Outcome,
    Rules,
    Seat,
    Turn,
)
from games.record import replace_fields

HAND = 4
OPTIONS = (
    GameOption(
        name="turns",
        sort="number",
        meaning="how many turns there are at most",
        default=12,
        low=2,
        high=40,
        ruling="P5",
    ),
)


class CairnRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Four pebbles a hand, the others in the bag. Source: P1."""
        turns = options["turns"]
        if not isinstance(turns, int):
            raise Invalid("option turns", f"{turns} is no number")
        order = dice.shuffle("deal", PEBBLES)
        hands = {seat: in_order(order[HAND * n : HAND * (n + 1)]) for n, seat in enumerate(SEATS)}
        return Outcome(State(last=turns, hands=hands, bag=in_order(order[HAND * len(SEATS) :])))

    def turn(self, state: State) -> Turn:
        """``T3``"""
        return Turn(name=f"Turn {state.number}", short=f"T{state.number}", kind="moves")

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """All turns to come, of both seats."""
        return tuple(self.turn(replace_fields(state, number=n)) for n in range(state.number, state.last + 1))

    def due(self, state: State) -> tuple[Due, ...]:
        """One order of the seat whose turn it is. Source: P2."""
        if self.result(state) is not None:
            return ()
        return (Due(seat=state.mover, kind="moves", accepts=("Drop", "Draw", "Rest"), takes=1),)

    def check(self, view: State, seat: Seat, order: AnyOrder) -> Objection | None:
        """A pebble must be in the hand, and not lie beside the top one; the bag must not be empty."""
        if isinstance(order, Draw) and not view.bag:
            return Objection(code="bag-empty")
        if not isinstance(order, Drop):
            return None
        if order.pebble not in view.hands[seat]:
            return Objection(code="not-in-hand", detail={"pebble": order.pebble})
        if view.top is not None and abs(PEBBLES.index(order.pebble) - PEBBLES.index(view.top)) == 1:
            return Objection(code="beside", detail={"pebble": order.pebble, "top": view.top})
        return None

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return the concern about dropping the same pebble twice."""
        dropped = [order.pebble for order in orders if isinstance(order, Drop)]
        again = dict.fromkeys(pebble for pebble in dropped if dropped.count(pebble) > 1)
        return tuple(Concern(code="twice", detail={"pebble": pebble}) for pebble in again)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the order to rest. Source: P4."""
        return (Rest(),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Play the turn of one seat."""
        seat = state.mover
        order = next(iter(orders.get(seat, ())), Rest())
        after, events = self._done(state, seat, order, dice)
        return Outcome(replace_fields(after, number=state.number + 1), events)

    def view(self, state: State, seat: Seat | None) -> View:
        """Other hands and the bag are hidden, but for how many pebbles they hold. Source: P6."""
        hands = {
            owner: hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in state.hands.items()
        }
        return cast(View, replace_fields(state, hands=hands, bag=(HIDDEN,) * len(state.bag)))

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """``{pebble} is on top``"""
        return view.top == condition.slots["pebble"]

    def result(self, state: State) -> GameResult | None:
        """The first empty hand wins; after the last turn the smallest one. Source: P5."""
        empty = tuple(seat for seat, hand in state.hands.items() if not hand)
        if empty:
            return GameResult(winners=empty, reason="empty-hand")
        if state.number <= state.last:
            return None
        least = min(len(hand) for hand in state.hands.values())
        winners = tuple(seat for seat, hand in state.hands.items() if len(hand) == least)
        return GameResult(winners=winners if len(winners) == 1 else (), reason="last-turn")

    def _done(self, state: State, seat: Seat, order: AnyOrder, dice: Dice) -> tuple[State, tuple[Event, ...]]:
        hand = state.hands[seat]
        if isinstance(order, Rest) or self.check(state, seat, order) is not None:
            return state, (Rested(seat=seat, void=type(order).__name__ if order != Rest() else ""),)
        if isinstance(order, Drop):
            left = tuple(pebble for pebble in hand if pebble != order.pebble)
            after = replace_fields(state.holding(seat, left), top=order.pebble)
            return after, (Dropped(seat=seat, pebble=order.pebble, left=len(left)),)
        pebble = dice.pick(f"draw/{seat}", state.bag)
        bag = tuple(other for other in state.bag if other != pebble)
        after = replace_fields(state.holding(seat, (*hand, pebble)), bag=bag)
        return after, (Took(seat=seat), Drew(seat=seat, pebble=pebble, seen_by=frozenset({seat})))
