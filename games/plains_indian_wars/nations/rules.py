"""The rules of Variant II, where the player leads the nations."""

from collections.abc import Sequence

from games.messages import sentence
from games.plains_indian_wars import hands, scoring
from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.model import (
    NATIONS_SEAT,
    AnyOrder,
    Discard,
    PlayAction,
    Region,
    State,
    card_slot,
)
from games.plains_indian_wars.nations import legality, sequence
from games.plains_indian_wars.nations.legal_orders import NATIONS_CHECKS
from games.plains_indian_wars.nations.tribe_phase import controls
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import (
    GameResult,
    OwedOrder,
    Turn,
)

_PHASES_BY_TRIBE = {
    "Green": ("G", "plains_indian_wars.turns.north"),
    "Orange": ("O", "plains_indian_wars.turns.south"),
    None: ("T", "plains_indian_wars.turns.both"),
}
"""The letter of the short name of a tribe's turn, and the slug of its full name."""


class NationsRules:
    """The rules of Variant II where they differ from Variant I. UsRules has the same methods."""

    seat, checks = NATIONS_SEAT, NATIONS_CHECKS
    letters = tuple(letter for letter, _ in _PHASES_BY_TRIBE.values())

    def set_up(self, play: WorkingState) -> None:
        """Set up the board and the hands, and play the U.S. until the first plan is due."""
        sequence.set_up(play)

    def turn(self, state: State) -> Turn:
        """Return the names of the present phase: "Turn 3, the northern tribes" and "T3G"."""
        if state.ended:
            name = sentence("plains_indian_wars.turns.end_in", turn=state.turn)
            return Turn(name=name, short=f"T{state.turn}E", kind="moves")
        letter, slug = _PHASES_BY_TRIBE[state.disc]
        name = sentence(slug, turn=state.turn)
        return Turn(name=name, short=f"T{state.turn}{letter}", kind="moves")

    def accepts(self, state: State) -> tuple[str, ...]:
        """Return the types of orders that are accepted now."""
        return legality.accepted_order_types(state)

    def owes(self, state: State) -> tuple[OwedOrder, ...]:
        """Return the orders that are due by name: a card for each tribe that plays."""
        slots = legality.required_slots(state)
        return tuple(OwedOrder(slot=slot, name=sentence(_CARD_SLOT_NAMES[slot])) for slot in slots)

    def default(self, state: State) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player: the first action card of each tribe, or a discard."""
        orders: list[AnyOrder] = []
        for hand in state.hands.values():
            if not hand or card_slot(hand[0]) not in legality.required_slots(state):
                continue
            leads = hands.action_cards_among(state, hand)
            orders.append(PlayAction(card=leads[0].id) if leads else Discard(card=hand[0]))
        slots = legality.required_slots(state)
        return tuple(sorted(orders, key=lambda choice: slots.index(str(choice.slot))))

    def play_on(self, play: WorkingState, orders: Sequence[AnyOrder]) -> None:
        """Carry the plan out, then play the U.S. until the next plan is due."""
        sequence.play_tribes_phase(play, orders)
        sequence.run_on(play)

    def is_held(self, play: WorkingState, region: Region) -> bool:
        """Return whether only tribes are in a region."""
        colour = tribe_of(region)
        return colour is not None and controls(play, colour, region)

    def result(self, state: State) -> GameResult:
        """Return the winner of a game that is over, or a draw."""
        return scoring.nations_result(state)


_CARD_SLOT_NAMES = {
    "card north": "plains_indian_wars.due.war_party_north",
    "card south": "plains_indian_wars.due.war_party_south",
}
"""The slugs of the names of the cards that are due."""
