"""The changes that a GM can make by hand in The Great War. Implements `protocol.Edits`.

No card is added to or removed from the game. A card moves from one place to another, or is turned over on the
table.
"""

from typing import Literal, get_args

from games.edit_kinds import EditKind, KindEdits, advice
from games.great_war.components import Card, CardId, Pile, card_list_facts
from games.great_war.model import AI, PLAYER, Stack, State, TableCard, other
from games.great_war.phrases import pile_name
from games.great_war.working_state import WorkingState, without
from games.language import join_list
from games.messages import sentence
from games.protocol import Advice, Form, Lexicon, LexiconEntry, Seat
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

_COMMON_ZONES: tuple[Zone, ...] = ("deck", "discards", "aside")
"""The places that belong to no side."""

Face = Literal["face-up", "face-down"]


class MoveCard(EditKind, frozen=True, kw_only=True):
    """``B-QS from deck to player hand``. A card that moves to a deck becomes its top card."""

    FORMS = (
        Form(
            name="move",
            pattern="[move] {card:card} from [the] {start:zone} to [the] {end:zone}",
            example="B-QS from deck to player hand",
        ),
    )
    TEXT = "{card} from {start} to {end}"

    card: CardId
    start: Zone
    end: Zone

    def check(self, state: State) -> Advice | None:
        return self._check_start(state) or self._check_end(state)

    def _check_start(self, state: State) -> Advice | None:
        """Return the reason why the card can't leave its place, or None."""
        card = state.book[self.card]
        if self.card in _cards_in(state, self.start, card):
            return None
        places = [zone for zone in get_args(Zone) if self.card in _cards_in(state, zone, card)]
        slug = "great_war.edits.elsewhere" if places else "great_war.edits.nowhere"
        return advice(slug, card=self.card, start=self.start, places=join_list(places))

    def _check_end(self, state: State) -> Advice | None:
        """Return the reason why the card can't go to its new place, or None."""
        card, end = state.book[self.card], self.end
        if self.start == end and end != "deck":
            return advice("great_war.edits.there_already")
        is_aside = self.card in card_list_facts()["set_aside_solo"]
        if (end == "aside") != is_aside and end in _COMMON_ZONES:
            slug = "great_war.edits.set_aside" if is_aside else "great_war.edits.not_set_aside"
            return advice(slug, card=self.card)
        if end in _COMMON_ZONES:
            return None
        army = state.armies[_owner(end)]
        if end.endswith("captures"):
            theirs = state.armies[other(_owner(end))].nation
            able = card.high and card.play_deck == theirs
            return None if able else advice("great_war.edits.not_captured", card=self.card)
        if card.play_deck in (army.nation, "neutral", "bonus"):
            return None
        deck = pile_name(card.play_deck)
        return advice("great_war.edits.other_deck", card=self.card, deck=deck)

    def apply(self, state: State) -> State:
        table = WorkingState(state)
        self._take(table)
        self._put(table)
        return table.now

    def _take(self, table: WorkingState) -> None:
        card, seat = table.card(self.card), _owner(self.start)
        cards_left = without(_cards_in(table.now, self.start, card), self.card)
        if self.start.endswith("hand"):
            table.set_army(seat, hand=cards_left)
        elif self.start.endswith("table"):
            row = list(table.army(seat).row)
            row.remove(next(table_card for table_card in row if table_card.card == self.card))
            table.set_army(seat, row=tuple(row))
        elif self.start.endswith("captures"):
            table.set_army(seat, captured=cards_left)
        elif self.start == "aside":
            table.set(aside=cards_left)
        elif self.start == "deck":
            _set_pile(table, card.play_deck, deck=cards_left)
        else:
            # The card below may have been discarded face-down, so it isn't shown.
            _set_pile(table, card.play_deck, discards=cards_left, shown=False)

    def _put(self, table: WorkingState) -> None:
        card, seat = table.card(self.card), _owner(self.end)
        army = table.army(seat)
        if self.end.endswith("hand"):
            table.set_army(seat, hand=table.book.in_order((*army.hand, self.card)))
        elif self.end.endswith("table"):
            number = min(table.now.round, 2)
            table_card = TableCard(card=self.card, bp=table.bp(self.card), round=number, how="base")
            table.set_army(seat, row=(*army.row, table_card))
        elif self.end.endswith("captures"):
            table.set_army(seat, captured=(*army.captured, self.card))
        elif self.end == "deck":
            _set_pile(table, card.play_deck, deck=(self.card, *_cards_in(table.now, "deck", card)))
        else:
            table.discard(self.card)

    def describe(self, viewer: Seat | None) -> str:
        places = {self.start, self.end}
        seen = places & set(PUBLIC_ZONES) or (viewer == PLAYER and "player hand" in places)
        slug = "great_war.edits.moved" if seen else "great_war.edits.hidden_moved"
        return sentence(slug, card=self.card, start=self.start, end=self.end)


class TurnCard(EditKind, frozen=True, kw_only=True):
    """``turn B-QS face-down``: turn a card on the table."""

    FORMS = (Form(name="turn", pattern="turn {card:card} {face:face}", example="turn B-QS face-down"),)
    TEXT = "turn {card} {face}"

    card: CardId
    face: Face

    def check(self, state: State) -> Advice | None:
        faces = [
            table_card.up
            for seat in (PLAYER, AI)
            for table_card in state.armies[seat].row
            if table_card.card == self.card
        ]
        if not faces:
            return advice("great_war.edits.not_on_table", card=self.card)
        if faces[0] == (self.face == "face-up"):
            return advice("great_war.edits.face_already", card=self.card, face=self.face)
        return None

    def apply(self, state: State) -> State:
        table = WorkingState(state)
        is_players = any(table_card.card == self.card for table_card in state.armies[PLAYER].row)
        table.turn(PLAYER if is_players else AI, self.card, up=self.face == "face-up")
        return table.now

    def describe(self, viewer: Seat | None) -> str:
        return sentence("great_war.edits.turned", card=self.card, face=self.face)


class GreatWarEdits(KindEdits[State]):
    """The changes that a GM can make by hand, while a Turn is in progress."""

    kinds = (MoveCard, TurnCard)

    def lexicon(self, state: State) -> Lexicon:
        """Return all cards by id and name, the places of cards, and the words for face-up and face-down."""
        return (
            *(LexiconEntry(sort="card", id=card_id, names=(card_id,)) for card_id in state.book.cards),
            *(
                LexiconEntry(
                    sort="zone",
                    id=zone,
                    names=(zone, zone.replace("captures", "captured"), zone.replace("player ", "player's ")),
                )
                for zone in get_args(Zone)
            ),
            *(
                LexiconEntry(sort="face", id=face, names=(face, face.removeprefix("face-")))
                for face in get_args(Face)
            ),
        )

    def check(self, state: State, edit: EditKind) -> Advice | None:
        if state.stage in ("over", "set-up"):
            return advice("great_war.edits.no_turn")
        return super().check(state, edit)


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


def _set_pile(table: WorkingState, pile: Pile, **fields: object) -> None:
    piles = table.now.piles
    table.set(piles={**piles, pile: replace_fields(piles.get(pile, Stack()), **fields)})
