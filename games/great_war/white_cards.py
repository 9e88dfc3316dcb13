"""Exchanges of White cards, before Turns 1 and 6: what may come in for what."""

import re
from collections.abc import Sequence

from games.great_war.components import LEADER, Book, CardId, meta, solo
from games.great_war.model import Exchange, Pair, State
from games.protocol import Invalid, Objection

_PAIR = re.compile(r"\s*(W\d\d)\s*(?:for|:|=|/)\s*([BRW]-?\w+)\s*", re.IGNORECASE)


def is_open(state: State) -> bool:
    """Whether exchanges can be named now: in the set-up, and in Turn 5 for the sixth. Source: GW49."""
    return state.stage == "set-up" or (state.turn == solo().turns.short and state.stage != "over")


def objection_to(state: State, order: Exchange) -> Objection | None:
    """What is against an exchange. Source: GW-1.7, GW-1.8, GW-1.9, GW40, GW49."""
    if not is_open(state):
        return Objection(code="exchange-closed")
    said = list(state.wishes)
    for pair in order.pairs:
        if (found := _objection(state, pair, said)) is not None:
            return found
        said.append(pair)
    return _leaders(state, [*state.wishes, *order.pairs])


def _objection(state: State, pair: Pair, said: Sequence[Pair]) -> Objection | None:
    book = state.book
    white, card = book.cards.get(pair.white), book.cards.get(pair.for_)
    taken = {other.white for other in said}
    spare = [one for one in state.spare if book[one].deck == "white" and one not in taken]
    if white is None or pair.white not in spare:
        return _with("not-spare", card=pair.white, near=_example(state, spare, pair.for_))
    if card is None or card.deck not in ("blue", "red"):
        return _with("not-exchanged", near=_partners(state, pair.white), card=pair.for_, white=pair.white)
    gone = (*_captured(state), *meta()["set_aside_solo"], *state.spare, *(other.for_ for other in said))
    if pair.for_ in gone:
        return _with("not-in-decks", near=_partners(state, pair.white), card=pair.for_, white=pair.white)
    if (white.play_deck, white.rank) != (card.play_deck, card.rank):
        return _with("not-alike", white=pair.white, card=pair.for_, near=_partners(state, pair.white))
    return None


def _leaders(state: State, pairs: Sequence[Pair]) -> Objection | None:
    """A leader of one side goes with a leader of the other, and each side has one exchange of the kind."""
    book = state.book
    new = [pair for pair in pairs if book[pair.white].kind == LEADER]
    done = [one for one in _in_play(state) if book[one].kind == LEADER and book[one].deck == "white"]
    sides = [book[one].play_deck for one in (*done, *(pair.white for pair in new))]
    if any(sides.count(side) > 1 for side in sides):
        return _with("leaders-done", card=new[-1].white)
    if len(set(sides)) == 1:
        side = sides[0]
        near = [one for one in state.spare if book[one].kind == LEADER and book[one].play_deck != side]
        near = [one for one in near if book[one].deck == "white"]
        return _with("leader-alone", card=new[-1].white, instead=new[-1].for_, near=near)
    return None


def _in_play(state: State) -> list[CardId]:
    spare = frozenset(state.spare)
    return [one for one in state.book.cards if one not in spare] if spare else []


def _partners(state: State, white: CardId) -> list[CardId]:
    """The cards that a White card may come in for."""
    book = state.book
    if white not in book.cards:
        return []
    like, gone = book[white], {*meta()["set_aside_solo"], *state.spare, *_captured(state)}
    return [
        one
        for one, card in book.cards.items()
        if card.deck in ("blue", "red")
        and (card.play_deck, card.rank) == (like.play_deck, like.rank)
        and one not in gone
    ]


def _captured(state: State) -> list[CardId]:
    return [one for army in state.armies.values() for one in army.captured]


def _example(state: State, spare: Sequence[CardId], card: CardId) -> list[CardId]:
    """White cards that may come in for a card; if there is none, an exchange that can be made."""
    like = [one for one in spare if card in _partners(state, one)]
    plain = [one for one in spare if state.book[one].kind != LEADER]
    if like or not plain:
        return [*like[:2], card] if like else []
    return [plain[0], *_partners(state, plain[0])[:1]]


def _with(code: str, near: Sequence[CardId] = (), **detail: str) -> Objection:
    return Objection(code=code, detail={**detail, "near": " ".join(near)})


def pairs_of(text: str, state: State) -> tuple[Pair, ...]:
    """The exchanges of an option: ``W10 for B-QD, W06 for B-JS and W08 for R-JS``. Raises Invalid."""
    pairs: list[Pair] = []
    for piece in re.split(r",|;|\band\b", text, flags=re.IGNORECASE):
        match = _PAIR.fullmatch(piece)
        if match is None:
            raise Invalid("option exchange", f"{piece.strip()} is no exchange", "write W10 for B-QD")
        pairs.append(Pair(white=_id(state.book, match[1]), for_=_id(state.book, match[2])))
    wrong = objection_to(state, Exchange(pairs=tuple(pairs)))
    if wrong is not None:
        raise Invalid("option exchange", f"{text} cannot be done ({wrong.code})", _instead(wrong))
    return tuple(pairs)


def _instead(wrong: Objection) -> str | None:
    near = wrong.detail.get("near", "").split()
    return f"it can be done with {', '.join(near)}" if near else None


def _id(book: Book, text: str) -> CardId:
    plain = text.upper().replace("-", "")
    return next((one for one in book.cards if one.replace("-", "") == plain), CardId(text.upper()))


def wished(state: State) -> tuple[Pair, ...]:
    """The exchanges that the game was set up with."""
    text = str(state.options.get("exchange", ""))
    return pairs_of(text, state) if text.strip() else ()
