"""The decks and hands: set-up in STEP 1, exchanges of White cards, and the hands of both sides."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.great_war.components import LEADER, PILES, Book, CardId, Mix, Nation, Pile, card_list_facts, solo
from games.great_war.events import Drew, Hand
from games.great_war.model import (
    AI,
    PLAYER,
    Army,
    Exchange,
    ExchangePair,
    HandSplit,
    Stack,
    State,
    other_nation,
)
from games.great_war.working_state import WorkingState
from games.messages import sentence
from games.protocol import Invalid, Objection, Seat
from games.record import replace_fields

DEFAULT = HandSplit(
    **{name: getattr(solo().human_hand.default, name) for name in ("neutral", "nationality", "bonus")}
)
"""The split of the player's hand without an order. Source: GW2."""


def reset_decks(state: State) -> State:
    """Return the state with all cards in the places that STEP 1 gives them, except captured ones.

    The decks are in card order. Source: GW-1.1 to GW-1.7, GW-1.10, GW38.
    """
    book = state.book
    captured = Counter(card_id for army in state.armies.values() for card_id in army.captured)
    spare = state.spare or tuple(
        card_id
        for card_id, card in book.cards.items()
        if card.deck == "white" and card_id not in card_list_facts()["white_in_solo"]
    )
    aside = tuple(card_list_facts()["set_aside_solo"])
    removed = tuple(
        card_id for card_id in card_list_facts()["solo_removed"] for _ in range(book[card_id].count)
    )
    away = Counter((*aside, *removed, *spare)) + captured
    decks: dict[Pile, list[CardId]] = {pile: [] for pile in PILES}
    for card_id, card in book.cards.items():
        decks[card.play_deck] += [card_id] * (card.count - away[card_id])
    return replace_fields(
        state,
        piles={pile: Stack(deck=tuple(cards)) for pile, cards in decks.items()},
        aside=book.in_order(aside),
        removed=removed,
        spare=spare,
        armies={seat: replace_fields(army, hand=(), row=()) for seat, army in state.armies.items()},
    )


def armies(nation: Nation) -> dict[Seat, Army]:
    """Return both sides, by the player's nation."""
    return {PLAYER: Army(nation=nation), AI: Army(nation=other_nation(nation))}


def exchange_cards(state: State, pairs: Sequence[ExchangePair]) -> State:
    """Return the state after exchanges of White cards, with decks in card order. Source: GW-1.7, GW40."""
    piles = dict(state.piles)
    spare = list(state.spare)
    for pair in pairs:
        pile = state.pile_of(pair.white)
        deck = list(piles[pile].deck)
        deck.remove(pair.for_)
        spare[spare.index(pair.white)] = pair.for_
        piles[pile] = Stack(deck=state.book.in_order((*deck, pair.white)))
    return replace_fields(state, piles=piles, spare=state.book.in_order(spare))


def shuffle_all(table: WorkingState) -> None:
    """Shuffle every deck. Source: GW-1.1."""
    for pile in PILES:
        deck = table.shuffle_cards(pile, table.now.piles[pile].deck)
        table.set(piles={**table.now.piles, pile: Stack(deck=deck)})


def cards_by_zone(state: State) -> dict[str, tuple[CardId, ...]]:
    """Return every card of the game by its place. Together they are always the same 200 cards."""
    cards: dict[str, tuple[CardId, ...]] = {
        "aside": state.aside,
        "removed": state.removed,
        "spare": state.spare,
    }
    for pile, stack in state.piles.items():
        cards |= {f"{pile} deck": stack.deck, f"{pile} discards": stack.discards}
    for seat, army in state.armies.items():
        row = tuple(table_card.card for table_card in army.row)
        cards |= {f"{seat} hand": army.hand, f"{seat} row": row, f"{seat} captured": army.captured}
    # A Random Event stays on the table until the end of its Turn.
    cards["event"] = (state.event,) if state.event else ()
    return cards


def deal_player(table: WorkingState) -> None:
    """Deal nine cards to the player, by the split they chose. Source: GW-2.1, GW-10.3, GW-15.2, GW2."""
    parts = table.now.split or DEFAULT
    mix = Mix(neutral=parts.neutral, nationality=parts.nationality, bonus=parts.bonus)
    _draw_hand(table, PLAYER, mix)
    table.set(split=None)
    _tell_drawn(table, PLAYER, mix)
    table.tell(Hand, private=True, cards=table.army(PLAYER).hand)


def deal_ai(table: WorkingState, die: int) -> tuple[CardId, ...]:
    """Deal the AI's hand for a number of its die, and return the cards it had to discard.

    Some kinds are taken from the set-aside cards and played at once. Cards that the AI may not keep are
    replaced at once. Source: GW-3.3, GW-11.1.
    """
    defends = table.now.attacker == PLAYER
    mix = (solo().defender_table if defends else solo().attacker_table).rows[str(die)]
    redraw = solo().defender_redraw if defends else solo().attacker_redraw
    placed = _place_set_aside(table, mix.place)
    _draw_hand(table, AI, mix)
    replaced = _replace_kinds(table, redraw.kinds) if not redraw.dice or die in redraw.dice else ()
    table.set_army(AI, hand=table.book.in_order(table.army(AI).hand))
    table.set(die=die)
    _tell_drawn(table, AI, mix, die=die, placed=placed, redrawn=replaced)
    return replaced


def _tell_drawn(table: WorkingState, seat: Seat, mix: Mix, **more: Any) -> None:
    sizes: dict[str, Any] = {"neutral": mix.neutral, "nationality": mix.nationality, "bonus": mix.bonus}
    table.tell(Drew, seat=seat, **sizes, **more)


def _place_set_aside(table: WorkingState, kinds: Sequence[str]) -> tuple[CardId, ...]:
    placed: list[CardId] = []
    for kind in kinds:
        card_id = next(
            (aside_card for aside_card in table.now.aside if table.card(aside_card).kind == kind), None
        )
        if card_id is not None:
            table.set(aside=tuple(other for other in table.now.aside if other != card_id))
            table.set_army(AI, hand=(*table.army(AI).hand, card_id))
            table.put(AI, card_id, "placed")
            placed.append(card_id)
    return tuple(placed)


def _draw_hand(table: WorkingState, seat: Seat, mix: Mix) -> None:
    nation: Pile = table.army(seat).nation
    drawn: list[CardId] = []
    wanted: tuple[tuple[Pile, int], ...] = (
        ("neutral", mix.neutral),
        (nation, mix.nationality),
        ("bonus", mix.bonus),
    )
    for pile, count in wanted:
        drawn += table.draw(pile, count)
    table.set_army(seat, hand=(*table.army(seat).hand, *drawn))
    if seat == PLAYER:
        table.set_army(seat, hand=table.book.in_order(table.army(seat).hand))


def _replace_kinds(table: WorkingState, kinds: Sequence[str]) -> tuple[CardId, ...]:
    """Replace these kinds in the AI's hand by Neutral cards until none is left. Source: GW8, GW7."""
    replaced: list[CardId] = []
    while replaceable := [card_id for card_id in table.army(AI).hand if table.card(card_id).kind in kinds]:
        replaced.append(replaceable[0])
        table.spend(AI, replaceable[0])
        table.set_army(AI, hand=(*table.army(AI).hand, *table.draw("neutral", 1)))
    return tuple(replaced)


# Exchanges of White cards before Turns 1 and 6, and the cards that they can replace.


_PAIR = re.compile(r"\s*(W\d\d)\s*(?:for|:|=|/)\s*([BRW]-?\w+)\s*", re.IGNORECASE)


def may_name_exchanges(state: State) -> bool:
    """Return whether exchanges can be ordered now: in the set-up, and in Turn 5 for Turn 6. Source: GW49."""
    return state.stage == "set-up" or (state.turn == solo().turns.short and state.stage != "over")


def exchange_objection(state: State, order: Exchange) -> Objection | None:
    """Return the reason why an exchange is illegal, or None. Source: GW-1.7, GW-1.8, GW-1.9, GW40, GW49."""
    if not may_name_exchanges(state):
        return Objection(code="exchange-closed")
    named_pairs = list(state.wishes)
    for pair in order.pairs:
        if (objection := _pair_objection(state, pair, named_pairs)) is not None:
            return objection
        named_pairs.append(pair)
    return _leader_objection(state, [*state.wishes, *order.pairs])


def _pair_objection(
    state: State, pair: ExchangePair, named_pairs: Sequence[ExchangePair]
) -> Objection | None:
    book = state.book
    white, card = book.cards.get(pair.white), book.cards.get(pair.for_)
    taken = {other.white for other in named_pairs}
    spare = [card_id for card_id in state.spare if book[card_id].deck == "white" and card_id not in taken]
    if white is None or pair.white not in spare:
        return _objection_with("not-spare", card=pair.white, near=_suggested_cards(state, spare, pair.for_))
    if card is None or card.deck not in ("blue", "red"):
        return _objection_with(
            "not-exchanged", near=_partners(state, pair.white), card=pair.for_, white=pair.white
        )
    gone = (
        *_captured_cards(state),
        *card_list_facts()["set_aside_solo"],
        *state.spare,
        *(other.for_ for other in named_pairs),
    )
    if pair.for_ in gone:
        return _objection_with(
            "not-in-decks", near=_partners(state, pair.white), card=pair.for_, white=pair.white
        )
    if (white.play_deck, white.rank) != (card.play_deck, card.rank):
        return _objection_with(
            "not-alike", white=pair.white, card=pair.for_, near=_partners(state, pair.white)
        )
    return None


def _leader_objection(state: State, pairs: Sequence[ExchangePair]) -> Objection | None:
    """Return an objection if leaders of one side only are exchanged, or two leaders of the same side."""
    book = state.book
    new = [pair for pair in pairs if book[pair.white].kind == LEADER]
    done = [
        card_id
        for card_id, card in book.cards.items()
        if card.kind == LEADER and card.deck == "white" and state.spare and card_id not in state.spare
    ]
    sides = [book[card_id].play_deck for card_id in (*done, *(pair.white for pair in new))]
    if any(sides.count(side) > 1 for side in sides):
        return _objection_with("leaders-done", card=new[-1].white)
    if len(set(sides)) == 1:
        side = sides[0]
        near = [
            card_id
            for card_id in state.spare
            if book[card_id].kind == LEADER and book[card_id].play_deck != side
        ]
        near = [card_id for card_id in near if book[card_id].deck == "white"]
        return _objection_with("leader-alone", card=new[-1].white, instead=new[-1].for_, near=near)
    return None


def _partners(state: State, white: CardId) -> list[CardId]:
    """Return the cards that a White card can replace."""
    book = state.book
    if white not in book.cards:
        return []
    like, gone = book[white], {*card_list_facts()["set_aside_solo"], *state.spare, *_captured_cards(state)}
    return [
        card_id
        for card_id, card in book.cards.items()
        if card.deck in ("blue", "red")
        and (card.play_deck, card.rank) == (like.play_deck, like.rank)
        and card_id not in gone
    ]


def _captured_cards(state: State) -> list[CardId]:
    return [card_id for army in state.armies.values() for card_id in army.captured]


def _suggested_cards(state: State, spare: Sequence[CardId], card: CardId) -> list[CardId]:
    """Return White cards that can replace a card. If there are none, return an exchange that is possible."""
    like = [white_id for white_id in spare if card in _partners(state, white_id)]
    plain = [white_id for white_id in spare if state.book[white_id].kind != LEADER]
    if like or not plain:
        return [*like[:2], card] if like else []
    return [plain[0], *_partners(state, plain[0])[:1]]


def _objection_with(code: str, near: Sequence[CardId] = (), **detail: str) -> Objection:
    return Objection(code=code, detail={**detail, "near": " ".join(near)})


def pairs_of(text: str, state: State) -> tuple[ExchangePair, ...]:
    """Return the exchanges of an option such as ``W10 for B-QD, W06 for B-JS and W08 for R-JS``.

    Raises Invalid if the text isn't clear or an exchange isn't possible.
    """
    pairs: list[ExchangePair] = []
    for piece in re.split(r",|;|\band\b", text, flags=re.IGNORECASE):
        match = _PAIR.fullmatch(piece)
        if match is None:
            why = sentence("great_war.options.no_exchange", text=piece.strip())
            raise Invalid("option exchange", why, sentence("great_war.options.write_exchange"))
        pairs.append(
            ExchangePair(
                white=_parse_card_id(state.book, match[1]), for_=_parse_card_id(state.book, match[2])
            )
        )
    wrong = exchange_objection(state, Exchange(pairs=tuple(pairs)))
    if wrong is not None:
        why = sentence("great_war.options.exchange_impossible", text=text, code=wrong.code)
        near = wrong.detail.get("near", "").split()
        instead = sentence("great_war.options.exchange_possible", cards=", ".join(near)) if near else None
        raise Invalid("option exchange", why, instead)
    return tuple(pairs)


def _parse_card_id(book: Book, text: str) -> CardId:
    plain = text.upper().replace("-", "")
    return next(
        (card_id for card_id in book.cards if card_id.replace("-", "") == plain), CardId(text.upper())
    )
