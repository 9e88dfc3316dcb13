"""Changes by the GM to a position of Plains Indian Wars.

Cubes come from the Ready Box and go back there, so that their number stays the same. The GM can't change
wagons, the railroad and the columns, because rules and dice control them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Self, get_args

from games.edit_kinds import EditKind, KindEdits, advice
from games.messages import sentence
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    SOLDIERS,
    TRIBES,
    CardId,
    Colour,
    DeckName,
    Region,
    State,
)
from games.plains_indian_wars.owner_data import box
from games.protocol import Advice, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields

Pile = Literal["hand", "deck", "played"]
MAX_CUBES_OF_A_COLOUR = 12
"""The most cubes of a colour that a GM can put into one region."""


class PutCubes(EditKind, frozen=True, kw_only=True):
    """``put 3 Blue in N5`` from the Ready Box; ``take 2 Green from N3`` into it, with a count below 0."""

    FORMS = (
        Form(
            name="put",
            pattern="put {count:number} {colour:colour} [cube|cubes] (in|at|into) {at:region}",
            example="put 3 Blue in N5",
        ),
        Form(
            name="take",
            pattern="take {taken:number} {colour:colour} [cube|cubes] from {at:region}",
            example="take 1 Green from N2",
        ),
    )

    colour: Colour
    at: Region
    count: int

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        count = int(slots["count"]) if "count" in slots else -int(slots["taken"])
        return cls(colour=slots["colour"], at=slots["at"], count=count)

    def write(self) -> str:
        verb, way = ("put", "in") if self.count >= 0 else ("take", "from")
        return f"{verb} {abs(self.count)} {self.colour} {way} {self.at}"

    def check(self, state: State) -> Advice | None:
        at, colour = board().places[self.at].name, self.colour
        here = state.cubes.get(self.at, {}).get(colour, 0)
        ready = state.ready.get(colour, 0)
        if self.count == 0:
            return advice("plains_indian_wars.edits.no_cube", "plains_indian_wars.edits.no_cube_instead")
        if self.count < 0:
            if here + self.count >= 0:
                return None
            return advice("plains_indian_wars.edits.few_here", at=at, count=here, colour=colour)
        if not board().may_enter(colour, self.at):
            return advice("plains_indian_wars.edits.barred", colour=colour, at=at)
        if self.count > ready:
            few, instead = "plains_indian_wars.edits.few_ready", "plains_indian_wars.edits.few_ready_instead"
            return advice(few, instead, count=ready, colour=colour)
        if here + self.count > (most := MAX_CUBES_OF_A_COLOUR):
            many, instead = "plains_indian_wars.edits.too_many", "plains_indian_wars.edits.too_many_instead"
            return advice(many, instead, at=at, most=most, cubes=most - here)
        return None

    def apply(self, state: State) -> State:
        here = state.cubes.get(self.at, {})
        after = _without_zeros({**here, self.colour: here.get(self.colour, 0) + self.count})
        cubes = {**state.cubes, self.at: after}
        ready = {**state.ready, self.colour: state.ready.get(self.colour, 0) - self.count}
        return replace_fields(
            state,
            cubes={at: cubes[at] for at in board().places if cubes.get(at)},
            ready=_without_zeros(ready),
        )

    def describe(self, viewer: Seat | None) -> str:
        slug = "plains_indian_wars.edits.put" if self.count >= 0 else "plains_indian_wars.edits.taken"
        at = board().places[self.at].name
        return sentence(slug, count=abs(self.count), colour=self.colour, at=at)


class SetCasualties(EditKind, frozen=True, kw_only=True):
    """``casualties Blue 2``: the Casualty Box gets this many cubes, and the Ready Box the rest of the two."""

    FORMS = (
        Form(
            name="casualties",
            pattern="casualties {colour:colour} {count:number}",
            example="casualties Blue 2",
        ),
    )
    TEXT = "casualties {colour} {count}"

    colour: Colour
    count: int

    def check(self, state: State) -> Advice | None:
        cubes = self._cubes_in_boxes(state)
        if self.count <= cubes:
            return None
        few = "plains_indian_wars.edits.few_casualties"
        instead = "plains_indian_wars.edits.few_casualties_instead"
        return advice(few, instead, count=cubes, colour=self.colour, cubes=cubes)

    def apply(self, state: State) -> State:
        ready = {**state.ready, self.colour: self._cubes_in_boxes(state) - self.count}
        fallen = {**state.fallen, self.colour: self.count}
        return replace_fields(state, ready=_without_zeros(ready), fallen=_without_zeros(fallen))

    def describe(self, viewer: Seat | None) -> str:
        return sentence("plains_indian_wars.edits.casualties", count=self.count, colour=self.colour)

    def _cubes_in_boxes(self, state: State) -> int:
        return state.ready.get(self.colour, 0) + state.fallen.get(self.colour, 0)


class MoveCard(EditKind, frozen=True, kw_only=True):
    """``card Fort Laramie to hand``: a card is moved to another pile of its deck."""

    FORMS = (
        Form(
            name="card",
            pattern="[put] card {card:card} (to|into) [the] {to:pile}",
            example="card Fort Leavenworth to hand",
        ),
    )

    card: CardId
    to: Pile

    def write(self) -> str:
        return f"card {materials().cards[self.card].name} to {self.to}"

    def check(self, state: State) -> Advice | None:
        name, deck = materials().cards[self.card].name, materials().deck_of[self.card]
        if deck not in state.decks:
            return advice("plains_indian_wars.edits.other_scenario", card=name)
        piles = {"hand": state.hands, "deck": state.decks, "played": state.played}
        pile = next((pile for pile, cards in piles.items() if self.card in cards.get(deck, ())), None)
        if pile == self.to:
            return advice("plains_indian_wars.edits.there_already", card=name)
        return advice("plains_indian_wars.edits.out_of_game", card=name) if pile is None else None

    def apply(self, state: State) -> State:
        return replace_fields(
            state,
            hands=self._pile(state.hands, self.to == "hand"),
            decks=self._pile(state.decks, self.to == "deck"),
            played=self._pile(state.played, self.to == "played"),
        )

    def _pile(
        self, cards: Mapping[DeckName, tuple[CardId, ...]], wanted: bool
    ) -> dict[DeckName, tuple[CardId, ...]]:
        """Return the cards of a pile after the move. wanted: whether the card goes there."""
        deck = materials().deck_of[self.card]
        others = [card for card in cards.get(deck, ()) if card != self.card]
        return {**cards, deck: tuple(sorted([*others, self.card] if wanted else others))}

    def describe(self, viewer: Seat | None) -> str:
        return sentence(_MOVED_TO[self.to], card=materials().cards[self.card].name)


_MOVED_TO: Mapping[Pile, str] = {
    "hand": "plains_indian_wars.edits.to_hand",
    "deck": "plains_indian_wars.edits.to_deck",
    "played": "plains_indian_wars.edits.to_played",
}
"""The slug of the sentence about a card that was moved, by pile."""


class PlainsEdits(KindEdits[State]):
    """The edits of Plains Indian Wars: of cubes in a region, the Casualty Box, and cards."""

    kinds = (PutCubes, SetCasualties, MoveCard)

    def lexicon(self, state: State) -> Lexicon:
        """Return the names of regions, colours, numbers, cards and piles."""
        return _lexicon(max(box(state.options).materials.supply.values()))


@cache
def _lexicon(most: int) -> Lexicon:
    return (
        *(
            LexiconEntry(
                sort="region",
                id=place.id,
                names=tuple(dict.fromkeys((place.name, place.id, *place.aliases))),
            )
            for place in board().places.values()
        ),
        *(LexiconEntry(sort="colour", id=colour, names=(colour,)) for colour in (*TRIBES, *SOLDIERS)),
        *(LexiconEntry(sort="number", id=str(n), names=(str(n),)) for n in range(most + 1)),
        *(
            LexiconEntry(sort="card", id=card.id, names=(card.name, card.id))
            for card in materials().cards.values()
        ),
        *(LexiconEntry(sort="pile", id=pile, names=(pile,)) for pile in get_args(Pile)),
    )


def _without_zeros(cubes: Mapping[Colour, int]) -> dict[Colour, int]:
    """Return cubes by colour in the order of the colours, without zeros."""
    return {colour: cubes[colour] for colour in CUBE_COLOURS if cubes.get(colour)}
