"""Variant I as the house asks for it, the U.S. being asked for plans: implements `protocol.Rules`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.plains_indian_wars import hands, lawful, scoring, sequence
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import (
    US,
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
from games.plains_indian_wars.sifting import sifted
from games.protocol import (
    Concern,
    Condition,
    Due,
    Objection,
    Options,
    Outcome,
    Owed,
    Result,
    Seat,
    Turn,
)

_PHASES = {
    None: ("B", "set-up"),
    "Purple": ("P", "Purple"),
    "Blue": ("C", "Cavalry"),
    "Brown": ("S", "Settlers"),
}
"""The discs that ask for orders: the letter of the turn's short name, and what the phase is called."""

TURNS_NAMED = 20
"""So many turns to come have their names known."""

_ENDINGS = {
    "railroad": "railroad",
    "Cavalry": "last-cavalry-card",
    "Settlers": "last-settlers-card",
}


class UsRules:
    """The rules; they remember nothing between two questions."""

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """The board of the scenario, with the first hands dealt."""
        play = Play(State(options=dict(options)), dice)
        sequence.set_up(play)
        return Outcome(play.freeze(), tuple(play.events))

    def turn(self, state: State) -> Turn:
        """``T3C``: turn 3, Cavalry."""
        letter, name = _PHASES.get(state.disc, ("E", ""))
        if state.ended:
            return Turn(name=f"The end, after turn {state.turn}", short=f"T{state.turn}E", kind="moves")
        full = "Set-up" if not state.turn else f"Turn {state.turn}, {name}"
        return Turn(name=full, short=f"T{state.turn}{letter}", kind="moves")

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """The present phase alone: which disc comes next is drawn by lot."""
        return (self.turn(state),)

    def turn_names(self, state: State) -> Iterator[str]:
        """Each phase of the turns from the present one on, and the end after each."""
        for number in range(state.turn, state.turn + TURNS_NAMED):
            yield from (f"T{number}{letter}" for letter, _ in (*_PHASES.values(), ("E", "")))

    def due(self, state: State) -> tuple[Due, ...]:
        """One plan of the U.S. player for the whole phase."""
        if state.ended:
            return ()
        owes = tuple(Owed(slot=slot, name=_owed_name(state, slot)) for slot in lawful.owed(state))
        return (Due(seat=US, kind="the plan", accepts=lawful.accepts(state), owes=owes),)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Whether it could be carried out at all; what depends on other orders is a concern."""
        return lawful.objection(view, order)

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """What would be left out of the plan."""
        return lawful.concerns(view, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Silence: the first action card is played and nobody moves; Purple places nothing."""
        if state.disc == "Purple":
            return (NoPlace(belt="north"), NoPlace(belt="south"))
        if state.disc is None:
            where = Instruction(topic="custer", says=state.tied[:1])
            return (Begin(), where) if state.tied[1:] else (Begin(),)
        deck = materials().deck_for(state.disc)
        assert deck is not None, "only Blue and Brown are left"
        if found := hands.actions(state, deck):
            return (PlayAction(card=found[0].id),)
        return (Discard(card=state.hands[deck][0]),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry the plan out, then play disc after disc until the U.S. player has to decide again."""
        play = Play(state, dice)
        mine = sifted(play, orders.get(US, ()), lawful.objection)
        if state.disc is None:
            sequence.begin(play)
        else:
            sequence.us_phase(play, mine)
            sequence.run_on(play)
        return Outcome(play.freeze(), tuple(play.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Nothing is hidden: decks and bag have no order, and nobody plays against the hands."""
        return cast(View, state)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Whether tribes, or only the U.S., stand in a region at the start of the phase."""
        region = Region(condition.slots["region"])
        play = Play(view)
        return bool(play.tribes(region)) if condition.form == "tribes-in" else play.is_us_held(region)

    def result(self, state: State) -> Result | None:
        """Who has more points once the last turn is over; a tie is the tribes'."""
        if not state.ended:
            return None
        rows = scoring.schedule(state)
        return Result(winners=(scoring.winner(rows),), reason=_ENDINGS[state.last or "railroad"])


def _owed_name(state: State, slot: str) -> str:
    if slot == "card":
        deck: DeckName = "Cavalry" if state.disc == "Blue" else "Settlers"
        kind = materials().decks[deck].label
        return f"the {kind} card" if "PlayAction" in lawful.accepts(state) else "the Event that you give up"
    return {
        "begin": "the beginning",
        "custer": "Custer's ride",
        "place north": "Purple in the north",
        "place south": "Purple in the south",
    }[slot]
