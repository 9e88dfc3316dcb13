"""The edits of Cairn: implements `protocol.Edits`."""

from collections.abc import Mapping
from typing import Any

from games.cairn.model import HIDDEN, PEBBLES, SEATS, Pebble, State, in_order
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields


class Give(Edit, frozen=True, kw_only=True):
    """``give flint to player``: out of the bag, or out of the other hand."""

    pebble: Pebble
    seat: Seat


class Bag(Edit, frozen=True, kw_only=True):
    """``bag flint``: out of a hand, back into the bag."""

    pebble: Pebble


AnyEdit = Give | Bag

_FORMS = (
    Form(name="give", pattern="give {pebble:pebble} to {seat:seat}", example="give flint to player"),
    Form(name="bag", pattern="bag {pebble:pebble}", example="bag flint"),
)
_LEXICON = (
    *(LexiconEntry(sort="pebble", id=pebble, names=(pebble,)) for pebble in PEBBLES),
    *(LexiconEntry(sort="seat", id=seat, names=(str(seat),)) for seat in SEATS),
)


class CairnEdits(Edits[State, AnyEdit]):
    """The changes."""

    edit_type: Any = AnyEdit
    forms = _FORMS

    def lexicon(self, state: State) -> Lexicon:
        """Pebbles and seats."""
        return _LEXICON

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """The change of a matched form."""
        pebble = Pebble(slots["pebble"])
        return Give(pebble=pebble, seat=Seat(slots["seat"])) if form == "give" else Bag(pebble=pebble)

    def write(self, edit: AnyEdit) -> str:
        """``give flint to player``, ``bag flint``."""
        return f"give {edit.pebble} to {edit.seat}" if isinstance(edit, Give) else f"bag {edit.pebble}"

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """A pebble must be where it is moved from, and no hand may become empty: that ends the game."""
        holder = next((seat for seat, hand in state.hands.items() if edit.pebble in hand), None)
        if isinstance(edit, Give) and holder == edit.seat:
            return Advice(problem=f"{edit.seat} holds the {edit.pebble} already")
        if isinstance(edit, Bag) and holder is None:
            return Advice(problem=f"nobody holds the {edit.pebble}")
        if holder is None and edit.pebble not in state.bag:
            return Advice(problem=f"the {edit.pebble} was dropped already")
        if holder is not None and len(state.hands[holder]) == 1:
            return Advice(problem=f"it is the last pebble of {holder}", instead="give it another one first")
        return None

    def apply(self, state: State, edit: AnyEdit) -> State:
        """The hands and the bag after it."""
        hands = {seat: _without(hand, edit.pebble) for seat, hand in state.hands.items()}
        bag = _without(state.bag, edit.pebble)
        if isinstance(edit, Bag):
            return replace_fields(state, hands=hands, bag=in_order((*bag, edit.pebble)))
        given = {**hands, edit.seat: in_order((*hands[edit.seat], edit.pebble))}
        return replace_fields(state, hands=given, bag=bag)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Only the pebble's new holder learns which one it is."""
        if isinstance(edit, Give):
            pebble = f"the {edit.pebble}" if viewer == edit.seat else "a pebble"
            return f"{edit.seat} was given {pebble}."
        return "A pebble was put back into the bag."


def _without(pebbles: tuple[Pebble, ...], gone: Pebble) -> tuple[Pebble, ...]:
    assert HIDDEN not in pebbles, "a gamesmaster sees everything"
    return tuple(pebble for pebble in pebbles if pebble != gone)
