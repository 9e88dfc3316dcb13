"""Exchanges of White cards, before Turns 1 and 6: which cards they may replace."""

import re
from collections.abc import Sequence

from games.great_war.components import LEADER, Book, CardId, card_list_facts, solo
from games.great_war.model import Exchange, ExchangePair, State
from games.protocol import Invalid, Objection

_PAIR = re.compile(r"\s*(W\d\d)\s*(?:for|:|=|/)\s*([BRW]-?\w+)\s*", re.IGNORECASE)


def may_name_exchanges(state: State) -> bool:
    """Return whether exchanges can be named now: in the set-up, and in Turn 5 for the sixth. Source: GW49."""
    return state.stage == "set-up" or (state.turn == solo().turns.short and state.stage != "over")


def exchange_objection(state: State, order: Exchange) -> Objection | None:
    """Return what is against an exchange. Source: GW-1.7, GW-1.8, GW-1.9, GW40, GW49."""
    if not may_name_exchanges(state):
        return Objection(code="exchange-closed")
    named_pairs = list(state.wishes)
    for pair in order.pairs:
        if (objection := _objection(state, pair, named_pairs)) is not None:
            return objection
        named_pairs.append(pair)
    return _leaders(state, [*state.wishes, *order.pairs])


def _objection(state: State, pair: ExchangePair, named_pairs: Sequence[ExchangePair]) -> Objection | None:
    book = state.book
    white, card = book.cards.get(pair.white), book.cards.get(pair.for_)
    taken = {other.white for other in named_pairs}
    spare = [card_id for card_id in state.spare if book[card_id].deck == "white" and card_id not in taken]
    if white is None or pair.white not in spare:
        return _with("not-spare", card=pair.white, near=_example(state, spare, pair.for_))
    if card is None or card.deck not in ("blue", "red"):
        return _with("not-exchanged", near=_partners(state, pair.white), card=pair.for_, white=pair.white)
    gone = (
        *_captured_cards(state),
        *card_list_facts()["set_aside_solo"],
        *state.spare,
        *(other.for_ for other in named_pairs),
    )
    if pair.for_ in gone:
        return _with("not-in-decks", near=_partners(state, pair.white), card=pair.for_, white=pair.white)
    if (white.play_deck, white.rank) != (card.play_deck, card.rank):
        return _with("not-alike", white=pair.white, card=pair.for_, near=_partners(state, pair.white))
    return None


def _leaders(state: State, pairs: Sequence[ExchangePair]) -> Objection | None:
    """A leader of one side goes with a leader of the other, and each side has one exchange of the kind."""
    book = state.book
    new = [pair for pair in pairs if book[pair.white].kind == LEADER]
    done = [
        card_id
        for card_id in _in_play(state)
        if book[card_id].kind == LEADER and book[card_id].deck == "white"
    ]
    sides = [book[card_id].play_deck for card_id in (*done, *(pair.white for pair in new))]
    if any(sides.count(side) > 1 for side in sides):
        return _with("leaders-done", card=new[-1].white)
    if len(set(sides)) == 1:
        side = sides[0]
        near = [
            card_id
            for card_id in state.spare
            if book[card_id].kind == LEADER and book[card_id].play_deck != side
        ]
        near = [card_id for card_id in near if book[card_id].deck == "white"]
        return _with("leader-alone", card=new[-1].white, instead=new[-1].for_, near=near)
    return None


def _in_play(state: State) -> list[CardId]:
    spare = frozenset(state.spare)
    return [card_id for card_id in state.book.cards if card_id not in spare] if spare else []


def _partners(state: State, white: CardId) -> list[CardId]:
    """The cards that a White card may come in for."""
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


def _example(state: State, spare: Sequence[CardId], card: CardId) -> list[CardId]:
    """Return White cards that may replace a card; if there is none, an exchange that can be made."""
    like = [white_id for white_id in spare if card in _partners(state, white_id)]
    plain = [white_id for white_id in spare if state.book[white_id].kind != LEADER]
    if like or not plain:
        return [*like[:2], card] if like else []
    return [plain[0], *_partners(state, plain[0])[:1]]


def _with(code: str, near: Sequence[CardId] = (), **detail: str) -> Objection:
    return Objection(code=code, detail={**detail, "near": " ".join(near)})


def pairs_of(text: str, state: State) -> tuple[ExchangePair, ...]:
    """The exchanges of an option: ``W10 for B-QD, W06 for B-JS and W08 for R-JS``. Raises Invalid."""
    pairs: list[ExchangePair] = []
    for piece in re.split(r",|;|\band\b", text, flags=re.IGNORECASE):
        match = _PAIR.fullmatch(piece)
        if match is None:
            raise Invalid("option exchange", f"{piece.strip()} is no exchange", "write W10 for B-QD")
        pairs.append(ExchangePair(white=_id(state.book, match[1]), for_=_id(state.book, match[2])))
    wrong = exchange_objection(state, Exchange(pairs=tuple(pairs)))
    if wrong is not None:
        raise Invalid("option exchange", f"{text} cannot be done ({wrong.code})", _instead(wrong))
    return tuple(pairs)


def _instead(wrong: Objection) -> str | None:
    near = wrong.detail.get("near", "").split()
    return f"it can be done with {', '.join(near)}" if near else None


def _id(book: Book, text: str) -> CardId:
    plain = text.upper().replace("-", "")
    return next(
        (card_id for card_id in book.cards if card_id.replace("-", "") == plain), CardId(text.upper())
    )


def option_exchanges(state: State) -> tuple[ExchangePair, ...]:
    """Return the exchanges that the game was set up with."""
    text = str(state.options.get("exchange", ""))
    return pairs_of(text, state) if text.strip() else ()
