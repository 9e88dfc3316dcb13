"""The rules of The Second Boer War as the house asks for them: implements `protocol.Rules`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.boer_war import carrying_out, conditions, examples, lawful, marching, possible, sequence, setup
from games.boer_war.attempt import attempt
from games.boer_war.events import AnyEvent, Refused
from games.boer_war.in_play import Theatre
from games.boer_war.model import (
    ACTION,
    SIDE_NAMES,
    TABLE_ACTION,
    Act,
    AnyOrder,
    Done,
    Free,
    Garrison,
    Pass,
    State,
    Transfer,
    View,
    Way,
    side_of_seat,
)
from games.dice import Dice, NoDice, Unthrown
from games.pool import LONGEST
from games.protocol import Concern, Condition, Due, Objection, Options, Outcome, Result, Seat, Turn
from games.protocol.optional import Neighbour, Possible, Trial, Unlisted

_ROUNDS, _ACTIONS_NAMED = 11, 12


class BoerWarRules:
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The board of October 1899, the Boers to act; or a table of the player's own."""
        return setup.opening(options, dice)

    def turn(self, state: State) -> Turn:
        """``T1B3``: Turn I, third round of the Boers; ``T1B3b`` when it is asked for the second time."""
        if state.ended is not None:
            return Turn(name=f"The end, in Turn {state.turn}", short=f"T{state.turn}X", kind="moves")
        whose = SIDE_NAMES[state.side]
        name = f"Turn {state.turn}, {whose}, round {state.round}, action {state.done + 1}"
        short = f"T{state.turn}{state.side[0].upper()}{state.round}{_letters(state.part)}"
        return Turn(name=name, short=short, kind="moves")

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """The present action alone: a plan for the whole round queues up, and goes as far as draws let it."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Each action of the rounds that both sides have left, in this Turn and those to come."""
        for turn in range(state.turn, sequence.TURNS + 1):
            for number in range(1, _ROUNDS + 1):
                for side in SIDE_NAMES:
                    if turn > state.turn or number > state.finished(side):
                        names = (_letters(part) for part in range(1, _ACTIONS_NAMED + 1))
                        yield from (f"T{turn}{side[0].upper()}{number}{name}" for name in names)
            yield f"T{turn}X"

    def due(self, state: State) -> tuple[Due, ...]:
        """One action of the side whose round it is."""
        if state.ended is not None:
            return ()
        kind = TABLE_ACTION if state.mode == "table" else ACTION
        return (Due(seat=state.seat(state.side), kind=kind, accepts=lawful.accepts(state), takes=1),)

    def span(self, state: State, seat: Seat) -> str:
        """The round for which a seat's orders queue up: what is left over when it ends is dropped."""
        side = side_of_seat(state, seat)
        return f"T{state.turn}{side[0].upper()}{state.finished(side) + 1}"

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """With the leaders of the side whose round it is."""
        return examples.rows(view)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Why the order is unlawful now, or None."""
        return lawful.objection(view, seat, order)

    def foresee(
        self, view: View, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]
    ) -> Objection | None:
        """What is against an order that comes after others of its letter, if GO! is drawn each time.

        Nothing is said where one of those needs dice: what comes of it nobody knows. Source: clause 2.8.plan.
        """
        state: State = view
        for earlier in before:
            if not isinstance(earlier, Act):
                continue
            if lawful.objection(state, seat, earlier) is not None:
                return None
            theatre = Theatre(state, NoDice())
            try:
                carrying_out.carry_out(theatre, state.side, earlier)
            except Unthrown:
                return None
            state = theatre.now
        return lawful.objection(state, seat, order)

    def possible(self, view: View, seat: Seat) -> Iterator[Possible]:
        """What the leaders, towns and railways of the side whose round it is could be used for now."""
        return possible.possible(view, seat)

    def unlisted(self, view: View, seat: Seat) -> Iterator[Unlisted]:
        """The numbers of SP that are not listed one by one."""
        return possible.unlisted(view, seat)

    def beside(self, view: View, place: str) -> tuple[Neighbour, ...] | None:
        """The points beside a point, by rail or by road."""
        return possible.beside(view, place)

    def attempt(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> Trial:
        """Actions one after the other, as if GO! were drawn each time, up to the first throw or card."""
        given = next(iter(orders.values()), ())
        return attempt(view, view.seat(view.side), given)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """More actions than any round has; SP to be handed over, and nothing that moves."""
        acts = [order for order in orders if isinstance(order, Act)]
        found = []
        if len(acts) > LONGEST - view.done:
            found.append(Concern(code="more-than-a-round", detail={"most": str(LONGEST - view.done)}))
        handing = tuple(place for place, one in enumerate(orders) if isinstance(one, Transfer | Garrison))
        if handing and not (acts and isinstance(acts[0], Way)):
            found.append(Concern(code="nothing-moves", drops=bool(acts), about=handing))
        return tuple(found)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Silence is a pass; at a table of the player's own the action is taken to be done."""
        return (Done() if state.mode == "table" else Pass(),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the action out, draw, and go on to the next one that is wanted.

        What is unlawful costs nothing: it is told, and the action stays open. Free orders alone change no
        pool. Source: clauses 2.step1, 14.wrong.
        """
        assert state.ended is None, "the game is over"
        (due,) = self.due(state)
        given = tuple(orders.get(due.seat, ())) or self.default(state, due)
        theatre = Theatre(state, dice)
        lawful_ones = [order for order in given if self._is_lawful(theatre, due.seat, order)]
        handing = carrying_out.note(
            theatre, state.side, [one for one in lawful_ones if isinstance(one, Free)]
        )
        act = next((order for order in lawful_ones if isinstance(order, Act)), None)
        if act is None:
            marching.refuse(theatre, state.side, handing, "nothing-moves")
            theatre.set(part=state.part + 1)
        else:
            carrying_out.carry_out(theatre, state.side, act, handing)
            sequence.act_done(theatre)
        return Outcome(theatre.now, tuple(theatre.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: the pool has no order, and cards are dealt afresh for each battle."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Whether an atom of IF is true; the forms are those of the notation. Raises KeyError for others."""
        return conditions.holds(view, condition)

    def result(self, state: State) -> Result | None:
        """How the game ended; nobody wins a peace by negotiation, nor a table of the player's own."""
        if state.ended is None:
            return None
        return Result(winners=tuple(state.seat(side) for side in state.winners), reason=state.ended)

    def _is_lawful(self, theatre: Theatre, seat: Seat, order: AnyOrder) -> bool:
        objection = lawful.objection(theatre.now, seat, order)
        if objection is not None:
            theatre.tell(
                Refused(side=theatre.now.side, order=order, code=objection.code, detail=objection.detail)
            )
        return objection is None


def _letters(part: int) -> str:
    """Nothing, b to z, then ba and so on."""
    if part <= 1:
        return ""
    first, last = divmod(part - 1, 26)
    return _letters(first + 1) + chr(ord("a") + last)
