"""Changes by the GM to a position of Plains Indian Wars: implements `protocol.Edits`.

Cubes come from the Ready Box and go back there, so that their number stays the same. The GM can't change
wagons, the railroad and the columns, because rules and dice control them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, assert_never, get_args

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
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields

Pile = Literal["hand", "deck", "played"]
MAX_CUBES_OF_A_COLOUR = 12
"""The most cubes of a colour that a GM can put into one region."""


class PutCubes(Edit, frozen=True, kw_only=True):
    """``put 3 Blue in N5`` from the Ready Box; ``take 2 Green from N3`` into it, with a count below 0."""

    colour: Colour
    at: Region
    count: int


class SetCasualties(Edit, frozen=True, kw_only=True):
    """``casualties Blue 2``: the Casualty Box gets this many cubes, and the Ready Box the rest of the two."""

    colour: Colour
    count: int


class MoveCard(Edit, frozen=True, kw_only=True):
    """``card Fort Laramie to hand``: a card is moved to another pile of its deck."""

    card: CardId
    to: Pile


AnyEdit = PutCubes | SetCasualties | MoveCard


class PlainsEdits(Edits[State, AnyEdit]):
    """The changes: implements `protocol.Edits`."""

    edit_type: Any = AnyEdit

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return the forms for cubes in a region, the Casualty Box, and cards."""
        return _forms()

    def lexicon(self, state: State) -> Lexicon:
        """Return the names of regions, colours, numbers, cards and piles."""
        return _lexicon(max(box(state.options).materials.supply.values()))

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """Return the edit of a matched form. Raises KeyError for an unknown form."""
        makers: dict[str, Callable[[], AnyEdit]] = {
            "put": lambda: _cubes(slots, 1),
            "take": lambda: _cubes(slots, -1),
            "casualties": lambda: SetCasualties(colour=_colour(slots), count=int(slots["count"])),
            "card": lambda: MoveCard(card=CardId(slots["card"]), to=_pile(slots["pile"])),
        }
        return makers[form]()

    def write(self, edit: AnyEdit) -> str:
        """Return the canonical text of an edit: ``put 3 Blue in N5``."""
        if isinstance(edit, PutCubes):
            verb, way = ("put", "in") if edit.count >= 0 else ("take", "from")
            return f"{verb} {abs(edit.count)} {edit.colour} {way} {edit.at}"
        if isinstance(edit, SetCasualties):
            return f"casualties {edit.colour} {edit.count}"
        if isinstance(edit, MoveCard):
            return f"card {materials().cards[edit.card].name} to {edit.to}"
        assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return why an edit isn't possible now; None if it is."""
        if isinstance(edit, PutCubes):
            return _cubes_problem(state, edit)
        if isinstance(edit, SetCasualties):
            cubes = state.ready.get(edit.colour, 0) + state.fallen.get(edit.colour, 0)
            if edit.count <= cubes:
                return None
            return Advice(
                problem=sentence("plains_indian_wars.edits.few_casualties", count=cubes, colour=edit.colour),
                instead=sentence("plains_indian_wars.edits.few_casualties_instead", cubes=cubes),
            )
        if isinstance(edit, MoveCard):
            return _card_problem(state, edit)
        assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the position after an edit."""
        if isinstance(edit, PutCubes):
            here = state.cubes.get(edit.at, {})
            after = _without_zeros({**here, edit.colour: here.get(edit.colour, 0) + edit.count})
            cubes = {**state.cubes, edit.at: after}
            return replace_fields(
                state,
                cubes={at: cubes[at] for at in board().places if cubes.get(at)},
                ready=_without_zeros(
                    {**state.ready, edit.colour: state.ready.get(edit.colour, 0) - edit.count}
                ),
            )
        if isinstance(edit, SetCasualties):
            cubes_left = state.ready.get(edit.colour, 0) + state.fallen.get(edit.colour, 0) - edit.count
            return replace_fields(
                state,
                ready=_without_zeros({**state.ready, edit.colour: cubes_left}),
                fallen=_without_zeros({**state.fallen, edit.colour: edit.count}),
            )
        if isinstance(edit, MoveCard):
            return _move_card(state, edit)
        assert_never(edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Return the edit in a sentence, the same for every viewer."""
        if isinstance(edit, PutCubes):
            name = board().places[edit.at].name
            slug = "plains_indian_wars.edits.put" if edit.count >= 0 else "plains_indian_wars.edits.taken"
            return sentence(slug, count=abs(edit.count), colour=edit.colour, at=name)
        if isinstance(edit, SetCasualties):
            return sentence("plains_indian_wars.edits.casualties", count=edit.count, colour=edit.colour)
        if isinstance(edit, MoveCard):
            card = materials().cards[edit.card].name
            return sentence(_MOVED_TO[edit.to], card=card)
        assert_never(edit)


_MOVED_TO: Mapping[Pile, str] = {
    "hand": "plains_indian_wars.edits.to_hand",
    "deck": "plains_indian_wars.edits.to_deck",
    "played": "plains_indian_wars.edits.to_played",
}
"""The slug of the sentence about a card that was moved, by pile."""


@cache
def _forms() -> tuple[Form, ...]:
    card = next(iter(materials().cards.values())).name
    rows = (
        (
            "put",
            "put {count:number} {colour:colour} [cube|cubes] (in|at|into) {at:region}",
            "put 3 Blue in N5",
        ),
        ("take", "take {count:number} {colour:colour} [cube|cubes] from {at:region}", "take 1 Green from N2"),
        ("casualties", "casualties {colour:colour} {count:number}", "casualties Blue 2"),
        ("card", "[put] card {card:card} (to|into) [the] {pile:pile}", f"card {card} to hand"),
    )
    return tuple(Form(name=name, pattern=pattern, example=example) for name, pattern, example in rows)


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


def _colour(slots: Mapping[str, str]) -> Colour:
    return next(colour for colour in CUBE_COLOURS if colour == slots["colour"])


def _pile(text: str) -> Pile:
    return text  # type: ignore[return-value]  # a term of that sort


def _cubes(slots: Mapping[str, str], sign: int) -> PutCubes:
    return PutCubes(colour=_colour(slots), at=Region(slots["at"]), count=sign * int(slots["count"]))


def _cubes_problem(state: State, edit: PutCubes) -> Advice | None:
    """Return why cubes can't be put into a region, or taken out of it; None if they can."""
    name, colour = board().places[edit.at].name, edit.colour
    here = state.cubes.get(edit.at, {}).get(colour, 0)
    ready = state.ready.get(colour, 0)
    if edit.count == 0:
        return Advice(
            problem=sentence("plains_indian_wars.edits.no_cube"),
            instead=sentence("plains_indian_wars.edits.no_cube_instead"),
        )
    if edit.count < 0:
        if here + edit.count >= 0:
            return None
        return Advice(
            problem=sentence("plains_indian_wars.edits.few_here", at=name, count=here, colour=colour)
        )
    if not board().may_enter(colour, edit.at):
        return Advice(problem=sentence("plains_indian_wars.edits.barred", colour=colour, at=name))
    if edit.count > ready:
        return Advice(
            problem=sentence("plains_indian_wars.edits.few_ready", count=ready, colour=colour),
            instead=sentence("plains_indian_wars.edits.few_ready_instead", colour=colour),
        )
    if here + edit.count > MAX_CUBES_OF_A_COLOUR:
        most = MAX_CUBES_OF_A_COLOUR
        return Advice(
            problem=sentence("plains_indian_wars.edits.too_many", at=name, most=most),
            instead=sentence("plains_indian_wars.edits.too_many_instead", cubes=most - here),
        )
    return None


def _card_problem(state: State, edit: MoveCard) -> Advice | None:
    """Return why a card can't be moved; None if it can."""
    name, deck = materials().cards[edit.card].name, materials().deck_of[edit.card]
    if deck not in state.decks:
        return Advice(problem=sentence("plains_indian_wars.edits.other_scenario", card=name))
    pile = _find_card(state, deck, edit.card)
    if pile == edit.to:
        return Advice(problem=sentence("plains_indian_wars.edits.there_already", card=name))
    if pile is None:
        return Advice(problem=sentence("plains_indian_wars.edits.out_of_game", card=name))
    return None


def _find_card(state: State, deck: DeckName, card: CardId) -> Pile | None:
    """Return the pile of a card; None if the card is in no pile."""
    piles: dict[Pile, Mapping[DeckName, tuple[CardId, ...]]]
    piles = {"hand": state.hands, "deck": state.decks, "played": state.played}
    return next((pile for pile, cards in piles.items() if card in cards.get(deck, ())), None)


def _move_card(state: State, edit: MoveCard) -> State:
    deck = materials().deck_of[edit.card]

    def pile(
        cards: Mapping[DeckName, tuple[CardId, ...]], wanted: bool
    ) -> dict[DeckName, tuple[CardId, ...]]:
        others = [card for card in cards.get(deck, ()) if card != edit.card]
        return {**cards, deck: tuple(sorted([*others, edit.card] if wanted else others))}

    return replace_fields(
        state,
        hands=pile(state.hands, edit.to == "hand"),
        decks=pile(state.decks, edit.to == "deck"),
        played=pile(state.played, edit.to == "played"),
    )


def _without_zeros(cubes: Mapping[Colour, int]) -> dict[Colour, int]:
    """Return cubes by colour in the order of the colours, without zeros."""
    return {colour: cubes[colour] for colour in CUBE_COLOURS if cubes.get(colour)}
