"""What the player could order now, an example of each kind: with the cards of his hand."""

from collections.abc import Iterable, Iterator
from typing import Literal

from games.great_war.components import CardId, solo
from games.great_war.in_play import Table
from games.great_war.model import (
    BEST,
    PLAYER,
    AnyOrder,
    Begin,
    Blockade,
    BonusPlay,
    Draw,
    Exchange,
    GuardLeader,
    Lay,
    Length,
    Pair,
    Parts,
    Play,
    StopEvent,
    Strike,
    View,
)
from games.great_war.possible import taken

Row = tuple[str, Iterable[AnyOrder]]


def rows(view: View) -> Iterator[Row]:
    """Names of forms, each with orders, the plainest first; not all of them need be lawful."""
    table = Table(view)
    hand = sorted(
        dict.fromkeys(view.armies[PLAYER].hand), key=lambda one: (table.card(one).plus, -table.card(one).bp)
    )
    yield "begin", [Begin()]
    yield "exchange", list(_exchanges(view))
    yield from _rounds(view, table, hand)
    guards = [one for one in hand if table.stops_leaders(one)]
    yield "against-leader", [GuardLeader(cards=tuple(guards))] if guards else []
    yield "stop-event", [StopEvent(card=one) for one in hand]
    yield "bonus", [BonusPlay(play=Play(card=one)) for one in hand]
    yield "no-bonus", [BonusPlay()]
    row = [laid.card for laid in view.armies[PLAYER].row if laid.up]
    yield "blockade", [Blockade(plays=(Play(card=one, aims=(BEST,)),)) for one in row]
    usual = solo().human_hand.default
    yield "draw", [Draw(parts=Parts(neutral=usual.neutral, nationality=usual.nationality, bonus=usual.bonus))]
    yield "turns", [Length(turns=solo().turns.long)]


def _rounds(view: View, table: Table, hand: list[CardId]) -> Iterator[Row]:
    """A base, a base with what links to it, a Joker, and a pass."""
    role, number = view.role(PLAYER), _round(view)
    bases = [Lay(role=role, number=number, base=Play(card=one)) for one in hand]
    linked = [
        Lay(role=role, number=number, base=Play(card=base), plus=(Play(card=one),))
        for base in hand
        for one in hand
        if one != base and base in table.book.hosts.get(one, ())
    ]
    aimed = [
        Lay(role=role, number=number, base=Play(card=one, aims=(BEST,))) for one in hand if taken(view, one)
    ]
    yield "round", bases
    yield "with-a-link", linked
    yield "with-a-target", aimed
    hosts = [laid.card for laid in view.armies[PLAYER].row if laid.up]
    yield (
        "plus-cards",
        [
            Lay(role=role, number=number, plus=(Play(card=one),))
            for one in hand
            if any(host in table.book.hosts.get(one, ()) for host in hosts)
        ],
    )
    yield "joker", [Strike(number=number, joker=one, aim=BEST) for one in hand]
    yield "pass", [Lay(role=role, number=number)]


def _round(view: View) -> Literal[1, 2]:
    return 1 if view.round == 1 else 2


def _exchanges(view: View) -> Iterator[Exchange]:
    """Each White card that could come in, for each card of its rank and deck."""
    whites = [one for one in view.spare if view.book[one].deck == "white"]
    for white in whites:
        like = view.book[white]
        for one, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield Exchange(pairs=(Pair(white=white, for_=one),))
