"""Examples of the orders that the player could give now, one of each kind, with the cards of his hand."""

from collections.abc import Iterable, Iterator
from typing import Literal

from games.great_war.components import CardId, solo
from games.great_war.legal_orders import takeable_cards
from games.great_war.model import (
    BEST,
    PLAYER,
    AnyOrder,
    Begin,
    Blockade,
    BonusPlay,
    CardPlay,
    Draw,
    Exchange,
    ExchangePair,
    GuardLeader,
    HandSplit,
    Lay,
    Length,
    StopEvent,
    Strike,
    View,
)
from games.great_war.working_state import WorkingState

Row = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View) -> Iterator[Row]:
    """Names of forms, each with orders, the plainest first; not all of them need be lawful."""
    table = WorkingState(view)
    hand = sorted(
        dict.fromkeys(view.armies[PLAYER].hand),
        key=lambda card_id: (table.card(card_id).plus, -table.card(card_id).bp),
    )
    yield "begin", [Begin()]
    yield "exchange", list(_exchanges(view))
    yield from _round_examples(view, table, hand)
    guards = [card_id for card_id in hand if table.stops_leaders(card_id)]
    yield "against-leader", [GuardLeader(cards=tuple(guards))] if guards else []
    yield "stop-event", [StopEvent(card=card_id) for card_id in hand]
    yield "bonus", [BonusPlay(play=CardPlay(card=card_id)) for card_id in hand]
    yield "no-bonus", [BonusPlay()]
    row = [table_card.card for table_card in view.armies[PLAYER].row if table_card.up]
    yield "blockade", [Blockade(plays=(CardPlay(card=card_id, aims=(BEST,)),)) for card_id in row]
    usual = solo().human_hand.default
    yield (
        "draw",
        [Draw(parts=HandSplit(neutral=usual.neutral, nationality=usual.nationality, bonus=usual.bonus))],
    )
    yield "turns", [Length(turns=solo().turns.long)]


def _round_examples(view: View, table: WorkingState, hand: list[CardId]) -> Iterator[Row]:
    """A base, a base with what links to it, a Joker, and a pass."""
    role, number = view.role(PLAYER), _round(view)
    bases = [Lay(role=role, number=number, base=CardPlay(card=card_id)) for card_id in hand]
    linked = [
        Lay(role=role, number=number, base=CardPlay(card=base), plus=(CardPlay(card=card_id),))
        for base in hand
        for card_id in hand
        if card_id != base and base in table.book.hosts.get(card_id, ())
    ]
    aimed = [
        Lay(role=role, number=number, base=CardPlay(card=card_id, aims=(BEST,)))
        for card_id in hand
        if takeable_cards(view, card_id)
    ]
    yield "round", bases
    yield "with-a-link", linked
    yield "with-a-target", aimed
    hosts = [table_card.card for table_card in view.armies[PLAYER].row if table_card.up]
    yield (
        "plus-cards",
        [
            Lay(role=role, number=number, plus=(CardPlay(card=card_id),))
            for card_id in hand
            if any(host in table.book.hosts.get(card_id, ()) for host in hosts)
        ],
    )
    yield "joker", [Strike(number=number, joker=card_id, aim=BEST) for card_id in hand]
    yield "pass", [Lay(role=role, number=number)]


def _round(view: View) -> Literal[1, 2]:
    return 1 if view.round == 1 else 2


def _exchanges(view: View) -> Iterator[Exchange]:
    """Each White card that could come in, for each card of its rank and deck."""
    whites = [card_id for card_id in view.spare if view.book[card_id].deck == "white"]
    for white in whites:
        like = view.book[white]
        for card_id, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield Exchange(pairs=(ExchangePair(white=white, for_=card_id),))
