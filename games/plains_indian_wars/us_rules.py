"""Variant I, in which the U.S. is asked for plans: implements `protocol.Rules`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.plains_indian_wars import hands, legality, scoring, sequence
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import (
    US_SEAT,
    AnyOrder,
    Begin,
    DeckName,
    Discard,
    Instruction,
    NoPlace,
    PlayAction,
    Region,
    State,
    View,
)
from games.plains_indian_wars.sifting import validate_orders
from games.plains_indian_wars.working_state import WorkingState
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

_PHASES_BY_DISC = {
    None: ("B", "set-up"),
    "Purple": ("P", "Purple"),
    "Blue": ("C", "Cavalry"),
    "Brown": ("S", "Settlers"),
}
"""The discs that ask for orders: the letter of the turn's short name, and what the phase is called."""

US_TURNS_NAMED = 20
"""So many turns to come have their names known."""

_END_REASONS = {
    "railroad": "railroad",
    "Cavalry": "last-cavalry-card",
    "Settlers": "last-settlers-card",
}


class UsRules:
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The board of the scenario, with the first hands dealt."""
        play = WorkingState(State(options=dict(options)), dice)
        sequence.set_up(play)
        return Outcome(play.freeze(), tuple(play.events))

    def turn(self, state: State) -> Turn:
        """``T3C``: turn 3, Cavalry."""
        letter, name = _PHASES_BY_DISC.get(state.disc, ("E", ""))
        if state.ended:
            return Turn(name=f"The end, after turn {state.turn}", short=f"T{state.turn}E", kind="moves")
        full = "Set-up" if not state.turn else f"Turn {state.turn}, {name}"
        return Turn(name=full, short=f"T{state.turn}{letter}", kind="moves")

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """Return the present phase alone: the next disc is drawn at random."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Each phase of the turns from the present one on, and the end after each."""
        for number in range(state.turn, state.turn + US_TURNS_NAMED):
            yield from (f"T{number}{letter}" for letter, _ in (*_PHASES_BY_DISC.values(), ("E", "")))

    def due(self, state: State) -> tuple[Due, ...]:
        """One plan of the U.S. player for the whole phase."""
        if state.ended:
            return ()
        owes = tuple(
            OwedOrder(slot=slot, name=_slot_name(state, slot)) for slot in legality.required_slots(state)
        )
        return (Due(seat=US_SEAT, kind="the plan", accepts=legality.accepted_order_types(state), owes=owes),)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why the order could never be carried out; what depends on other orders is a concern."""
        return legality.objection(view, order)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return what would be left out of the plan."""
        return legality.concerns(view, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Silence: the first action card is played and nobody moves; Purple places nothing."""
        if state.disc == "Purple":
            return (NoPlace(belt="north"), NoPlace(belt="south"))
        if state.disc is None:
            where = Instruction(topic="custer", says=state.tied[:1])
            return (Begin(), where) if state.tied[1:] else (Begin(),)
        deck = materials().deck_for(state.disc)
        assert deck is not None, "only Blue and Brown are left"
        if cards := hands.action_cards(state, deck):
            return (PlayAction(card=cards[0].id),)
        return (Discard(card=state.hands[deck][0]),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then play disc after disc until the U.S. player has to decide again."""
        play = WorkingState(state, dice)
        mine = validate_orders(play, orders.get(US_SEAT, ()), legality.objection)
        if state.disc is None:
            sequence.begin_game(play)
        else:
            sequence.play_us_phase(play, mine)
            sequence.run_on(play)
        return Outcome(play.freeze(), tuple(play.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: decks and bag have no order, and nobody plays against the hands."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether tribes, or only the U.S., stand in a region at the start of the phase."""
        region = Region(condition.slots["region"])
        play = WorkingState(view)
        return bool(play.tribe_cubes(region)) if condition.form == "tribes-in" else play.is_us_held(region)

    def result(self, state: State) -> GameResult | None:
        """Return the side with more points once the last turn is over; a tie is the tribes'."""
        if not state.ended:
            return None
        rows = scoring.schedule(state)
        return GameResult(winners=(scoring.winner(rows),), reason=_END_REASONS[state.last or "railroad"])


def _slot_name(state: State, slot: str) -> str:
    if slot == "card":
        deck: DeckName = "Cavalry" if state.disc == "Blue" else "Settlers"
        kind = materials().decks[deck].label
        return (
            f"the {kind} card"
            if "PlayAction" in legality.accepted_order_types(state)
            else "the Event that you give up"
        )
    return {
        "begin": "the beginning",
        "custer": "Custer's ride",
        "place north": "Purple in the north",
        "place south": "Purple in the south",
    }[slot]
