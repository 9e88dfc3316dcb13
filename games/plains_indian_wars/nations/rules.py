"""The rules of Variant II, where the player leads the nations: implements `protocol.Rules`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.messages import sentence
from games.plains_indian_wars import hands, scoring
from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.legality import validate_orders
from games.plains_indian_wars.model import (
    NATIONS_SEAT,
    AnyOrder,
    Discard,
    PlayAction,
    Region,
    State,
    View,
    card_slot,
)
from games.plains_indian_wars.nations import legality, sequence
from games.plains_indian_wars.nations.tribe_phase import controls
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
    Rules,
    Seat,
    Turn,
)

_PHASES_BY_TRIBE = {
    "Green": ("G", "plains_indian_wars.turns.north"),
    "Orange": ("O", "plains_indian_wars.turns.south"),
    None: ("T", "plains_indian_wars.turns.both"),
}
"""The letter of the short name of a tribe's turn, and the slug of its full name."""

_NATIONS_TURNS_NAMED = 20


class NationsRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules of Variant II, without state: implements `protocol.Rules`."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the set-up of the scenario after the actions of the U.S. before the first plan."""
        play = WorkingState(State(options=dict(options)), dice)
        sequence.set_up(play)
        return Outcome(play.freeze(), tuple(play.events))

    def turn(self, state: State) -> Turn:
        """Return the names of the present phase: "Turn 3, the northern tribes" and "T3G"."""
        if state.ended:
            name = sentence("plains_indian_wars.turns.end_in", turn=state.turn)
            return Turn(name=name, short=f"T{state.turn}E", kind="moves")
        letter, slug = _PHASES_BY_TRIBE[state.disc]
        name = sentence(slug, turn=state.turn)
        return Turn(name=name, short=f"T{state.turn}{letter}", kind="moves")

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """Return only the present phase, because the next one depends on dice."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Yield the short names of each phase and the end, for the present turn and later ones."""
        for number in range(state.turn, state.turn + _NATIONS_TURNS_NAMED):
            yield from (f"T{number}{letter}" for letter, _ in (*_PHASES_BY_TRIBE.values(), ("E", "")))

    def due(self, state: State) -> tuple[Due, ...]:
        """Return one plan for the whole phase, with a card for each tribe that plays."""
        if state.ended:
            return ()
        owes = tuple(
            OwedOrder(slot=slot, name=sentence(_CARD_SLOT_NAMES[slot]))
            for slot in legality.required_slots(state)
        )
        plan = sentence("plains_indian_wars.due.plan")
        return (Due(seat=NATIONS_SEAT, kind=plan, accepts=legality.accepted_order_types(state), owes=owes),)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why an order can't be carried out in any plan; None if it can."""
        return legality.objection(view, order)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return a concern for each order that the plan would leave out."""
        return legality.concerns(view, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player: the first action card of each tribe, or a discard."""
        orders: list[AnyOrder] = []
        for hand in state.hands.values():
            if not hand or card_slot(hand[0]) not in legality.required_slots(state):
                continue
            leads = hands.action_cards_among(state, hand)
            orders.append(PlayAction(card=leads[0].id) if leads else Discard(card=hand[0]))
        slots = legality.required_slots(state)
        return tuple(sorted(orders, key=lambda choice: slots.index(str(choice.slot))))

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then play the U.S. until the next plan is due."""
        play = WorkingState(state, dice)
        mine = validate_orders(play, orders.get(NATIONS_SEAT, ()), legality.objection)
        sequence.play_tribes_phase(play, mine)
        sequence.run_on(play)
        return Outcome(play.freeze(), tuple(play.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the state, because nothing is hidden."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether tribes, or only tribes, are in a region at the start of the phase."""
        region = Region(condition.slots["region"])
        play = WorkingState(view)
        if condition.form == "tribes-in":
            return bool(play.tribe_cubes(region))
        colour = tribe_of(region)
        return colour is not None and controls(play, colour, region)

    def result(self, state: State) -> GameResult | None:
        """Return the winner once the game is over, or a draw; None before."""
        return scoring.nations_result(state) if state.ended else None


_CARD_SLOT_NAMES = {
    "card north": "plains_indian_wars.due.war_party_north",
    "card south": "plains_indian_wars.due.war_party_south",
}
"""The slugs of the names of the cards that are due."""
