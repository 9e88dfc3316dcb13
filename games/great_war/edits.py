"""The changes that a GM can make by hand in The Great War. Implements `protocol.Edits`.

No card is added to or removed from the game. A card moves from one place to another, or is turned over on the
table.
"""

from collections.abc import Mapping
from typing import Any, Literal, assert_never, get_args

from games.great_war.components import Card, CardId, card_list_facts
from games.great_war.model import AI, PLAYER, Stack, State, TableCard, other
from games.great_war.phrases import pile_name
from games.great_war.working_state import WorkingState, without
from games.language import join_list
from games.messages import sentence
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields

Zone = Literal[
    "player hand",
    "ai hand",
    "player table",
    "ai table",
    "player captures",
    "ai captures",
    "deck",
    "discards",
    "aside",
]
PUBLIC_ZONES: tuple[Zone, ...] = (
    "player table",
    "ai table",
    "player captures",
    "ai captures",
    "discards",
    "aside",
)
"""The places where everyone can see the cards."""

Face = Literal["face-up", "face-down"]


class MoveCard(Edit, frozen=True, kw_only=True):
    """``B-QS from deck to player hand``. A card that moves to a deck becomes its top card."""

    card: CardId
    start: Zone
    end: Zone


class TurnCard(Edit, frozen=True, kw_only=True):
    """``turn B-QS face-down``: turn a card on the table."""

    card: CardId
    face: Face


AnyEdit = MoveCard | TurnCard


class GreatWarEdits(Edits[State, AnyEdit]):
    """The changes that a GM can make by hand."""

    edit_type: Any = AnyEdit
    forms = (
        Form(
            name="move",
            pattern="[move] {card:card} from [the] {start:zone} to [the] {end:zone}",
            example="B-QS from deck to player hand",
        ),
        Form(name="turn", pattern="turn {card:card} {face:face}", example="turn B-QS face-down"),
    )

    def lexicon(self, state: State) -> Lexicon:
        """Return all cards by id and name, the places of cards, and the words for face-up and face-down."""
        return (
            *(LexiconEntry(sort="card", id=card_id, names=(card_id,)) for card_id in state.book.cards),
            *(LexiconEntry(sort="zone", id=zone, names=_zone_names(zone)) for zone in get_args(Zone)),
            *(
                LexiconEntry(sort="face", id=face, names=(face, face.removeprefix("face-")))
                for face in get_args(Face)
            ),
        )

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """Return the edit of a matched form."""
        card_id = CardId(slots["card"])
        if form == "turn":
            return TurnCard(card=card_id, face="face-up" if slots["face"] == "face-up" else "face-down")
        zones = {zone: zone for zone in get_args(Zone)}
        return MoveCard(card=card_id, start=zones[slots["start"]], end=zones[slots["end"]])

    def write(self, edit: AnyEdit) -> str:
        """Return the canonical text: ``B-QS from deck to player hand``."""
        if isinstance(edit, TurnCard):
            return f"turn {edit.card} {edit.face}"
        if isinstance(edit, MoveCard):
            return f"{edit.card} from {edit.start} to {edit.end}"
        assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return the reason why an edit isn't possible now, or None."""
        if state.stage in ("over", "set-up"):
            return Advice(problem=sentence("great_war.edits.no_turn"))
        if isinstance(edit, TurnCard):
            return _check_turn(state, edit)
        if isinstance(edit, MoveCard):
            return _check_start(state, edit) or _check_end(state, edit)
        assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the position after the edit."""
        table = WorkingState(state)
        table.round = min(state.round, 2)
        if isinstance(edit, TurnCard):
            seat = next(seat for seat in (PLAYER, AI) if _find_on_table(state, seat, edit.card) is not None)
            table.turn(seat, edit.card, up=edit.face == "face-up")
            return table.now
        if isinstance(edit, MoveCard):
            _take(table, edit)
            _put(table, edit)
            return table.now
        assert_never(edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """Return the edit in a sentence. It names the card only for viewers who may see it."""
        if isinstance(edit, TurnCard):
            return sentence("great_war.edits.turned", card=edit.card, face=edit.face)
        if isinstance(edit, MoveCard):
            places = {edit.start, edit.end}
            seen = places & set(PUBLIC_ZONES) or (viewer == PLAYER and "player hand" in places)
            slug = "great_war.edits.moved" if seen else "great_war.edits.hidden_moved"
            return sentence(slug, card=edit.card, start=edit.start, end=edit.end)
        assert_never(edit)


def _zone_names(zone: Zone) -> tuple[str, ...]:
    return (zone, zone.replace("captures", "captured"), zone.replace("player ", "player's "))


def _find_on_table(state: State, seat: Seat, card_id: CardId) -> TableCard | None:
    return next((table_card for table_card in state.armies[seat].row if table_card.card == card_id), None)


def _check_turn(state: State, edit: TurnCard) -> Advice | None:
    matches = [
        table_card
        for seat in (PLAYER, AI)
        if (table_card := _find_on_table(state, seat, edit.card)) is not None
    ]
    if not matches:
        return Advice(problem=sentence("great_war.edits.not_on_table", card=edit.card))
    if matches[0].up == (edit.face == "face-up"):
        return Advice(problem=sentence("great_war.edits.face_already", card=edit.card, face=edit.face))
    return None


def _owner(zone: Zone) -> Seat:
    return AI if zone.startswith("ai ") else PLAYER


def _cards_in(state: State, zone: Zone, card: Card) -> tuple[CardId, ...]:
    """Return the cards in a place. For decks and discards, these are the piles of the given card."""
    army, stack = state.armies[_owner(zone)], state.piles.get(card.play_deck, Stack())
    if zone.endswith("hand"):
        return army.hand
    if zone.endswith("table"):
        return tuple(table_card.card for table_card in army.row)
    if zone.endswith("captures"):
        return army.captured
    return {"deck": stack.deck, "discards": stack.discards}.get(zone, state.aside)


def _check_start(state: State, edit: MoveCard) -> Advice | None:
    """Return the reason why a card can't leave its place, or None."""
    card = state.book[edit.card]
    if edit.card in _cards_in(state, edit.start, card):
        return None
    places = [zone for zone in get_args(Zone) if edit.card in _cards_in(state, zone, card)]
    slug = "great_war.edits.elsewhere" if places else "great_war.edits.nowhere"
    return Advice(problem=sentence(slug, card=edit.card, start=edit.start, places=join_list(places)))


def _check_end(state: State, edit: MoveCard) -> Advice | None:
    """Return the reason why a card can't go to a place, or None."""
    card, end = state.book[edit.card], edit.end
    if edit.start == end and end != "deck":
        return Advice(problem=sentence("great_war.edits.there_already"))
    is_aside = edit.card in card_list_facts()["set_aside_solo"]
    if (end == "aside") != is_aside and end in ("aside", "deck", "discards"):
        slug = "great_war.edits.set_aside" if is_aside else "great_war.edits.not_set_aside"
        return Advice(problem=sentence(slug, card=edit.card))
    if end in ("deck", "discards", "aside"):
        return None
    army = state.armies[_owner(end)]
    if end.endswith("captures"):
        theirs = state.armies[other(_owner(end))].nation
        able = card.high and card.play_deck == theirs
        return None if able else Advice(problem=sentence("great_war.edits.not_captured", card=edit.card))
    if card.play_deck in (army.nation, "neutral", "bonus"):
        return None
    return Advice(
        problem=sentence("great_war.edits.other_deck", card=edit.card, deck=pile_name(card.play_deck))
    )


def _take(table: WorkingState, edit: MoveCard) -> None:
    state, card = table.now, table.card(edit.card)
    seat, stack = _owner(edit.start), state.piles.get(card.play_deck, Stack())
    cards_left = without(_cards_in(state, edit.start, card), edit.card)
    if edit.start.endswith("hand"):
        table.set_army(seat, hand=cards_left)
    elif edit.start.endswith("table"):
        row = list(state.armies[seat].row)
        row.remove(next(table_card for table_card in row if table_card.card == edit.card))
        table.set_army(seat, row=tuple(row))
    elif edit.start.endswith("captures"):
        table.set_army(seat, captured=cards_left)
    elif edit.start == "aside":
        table.set(aside=cards_left)
    else:
        # The card below may have been discarded face-down, so it isn't shown.
        pile = (
            replace_fields(stack, deck=cards_left)
            if edit.start == "deck"
            else replace_fields(stack, discards=cards_left, shown=False)
        )
        table.set(piles={**state.piles, card.play_deck: pile})


def _put(table: WorkingState, edit: MoveCard) -> None:
    card_id, end, seat = edit.card, edit.end, _owner(edit.end)
    army = table.army(seat)
    if end.endswith("hand"):
        table.set_army(seat, hand=table.book.in_order((*army.hand, card_id)))
    elif end.endswith("table"):
        table_card = TableCard(card=card_id, bp=table.bp(card_id), round=table.round, how="base")
        table.set_army(seat, row=(*army.row, table_card))
    elif end.endswith("captures"):
        table.set_army(seat, captured=(*army.captured, card_id))
    elif end == "deck":
        pile = table.now.pile_of(card_id)
        stack = table.now.piles.get(pile, Stack())
        table.set(piles={**table.now.piles, pile: replace_fields(stack, deck=(card_id, *stack.deck))})
    else:
        table.discard(card_id)
