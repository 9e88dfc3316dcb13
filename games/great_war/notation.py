"""The notation of The Great War: names, forms, canonical texts. Implements `protocol.Notation`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, assert_never

from games.great_war.components import Book, Card, CardId, book
from games.great_war.conditions import COMPARISONS, CONDITIONS, write_condition
from games.great_war.forms import MAX_BLOCKADE_PAIRS, MAX_GUARDS, ORDER_FORMS
from games.great_war.lines import parse_line, plays_text
from games.great_war.model import (
    BEST,
    NOTHING,
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
    Role,
    StopEvent,
    Strike,
    View,
)
from games.protocol import Condition, Form, Lexicon, LexiconEntry

_FIXED_TERMS: Lexicon = (
    LexiconEntry(sort="role", id="attack", names=("ATTACK", "attacks", "attacking")),
    LexiconEntry(sort="role", id="defend", names=("DEFEND", "defends", "defence", "defending")),
    LexiconEntry(sort="role", id="play", names=("PLAY", "lay")),
    LexiconEntry(sort="round", id="1", names=("1ST", "first", "round 1", "1st round", "round one")),
    LexiconEntry(sort="round", id="2", names=("2ND", "second", "round 2", "2nd round", "round two")),
    LexiconEntry(sort="sign", id="+", names=("+", "plus", "and", "&")),
    LexiconEntry(sort="sign", id=",", names=(",", ";")),
    LexiconEntry(sort="sign", id=">", names=(">", "on", "at", "against")),
    LexiconEntry(sort="sign", id="leads", names=("LEADS", "lead", "leading")),
    LexiconEntry(sort="sign", id="with", names=("WITH", "using")),
    LexiconEntry(sort="sign", id="as", names=("AS",)),
    LexiconEntry(sort="word", id=BEST, names=("BEST", "the best")),
    LexiconEntry(sort="word", id=NOTHING, names=("NONE", "nothing", "nobody")),
    LexiconEntry(sort="word", id="wild", names=("WILD",)),
    *(
        LexiconEntry(sort="op", id=op, names=names)
        for op, names in zip(
            COMPARISONS,
            (("<", "below"), ("<=", "=<", "≤"), ("=", "is"), (">=", "≥"), (">", "above"), ("<>", "is not")),
            strict=True,
        )
    ),
    *(LexiconEntry(sort="number", id=str(number), names=(str(number),)) for number in range(200)),
)


class GreatWarNotation:
    """The notation."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""
        return ORDER_FORMS

    @property
    def conditions(self) -> tuple[Form, ...]:
        """Return the conditions that IF may ask."""
        return CONDITIONS

    def lexicon(self, view: View) -> Lexicon:
        """Ids of all cards; names of those that the player holds or sees on the table; kinds and signs."""
        rows = (table_card.card for army in view.armies.values() for table_card in army.row)
        seen = dict.fromkeys((*view.armies[PLAYER].hand, *rows))
        known = [card_id for card_id in view.book.in_order(list(seen)) if card_id in view.book.cards]
        return _lexicon(view.changes, tuple(known))

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """The order of a matched form. Raises KeyError for a form that is not ours."""
        if form in ("round", "plus-cards"):
            return _lay(view, slots)
        if form == "pass":
            return Lay(role=view.role(PLAYER), number=_number(view, slots))
        if form == "joker":
            return Strike(number=_number(view, slots), joker=CardId(slots["c0"]), aim=slots["target"])
        if form == "stop-event":
            return StopEvent(card=CardId(slots["c0"]))
        if form in ("against-leader", "no-guard"):
            return GuardLeader(
                cards=tuple(CardId(slots[f"c{n}"]) for n in range(MAX_GUARDS) if f"c{n}" in slots)
            )
        if form in ("bonus", "no-bonus"):
            return _bonus(slots) if form == "bonus" else BonusPlay()
        if form in ("blockade", "any-blockade"):
            pairs = [(slots[f"c{n}"], slots[f"t{n}"]) for n in range(MAX_BLOCKADE_PAIRS) if f"c{n}" in slots]
            return Blockade(
                plays=tuple(CardPlay(card=CardId(blockade), aims=(aim,)) for blockade, aim in pairs)
            )
        if form == "draw":
            return Draw(parts=HandSplit(**{name: int(value) for name, value in slots.items()}))
        if form == "exchange":
            return _exchange(slots)
        if form == "turns":
            return Length(turns=int(slots["n"]))
        return {"begin": Begin()}[form]

    def write(self, order: AnyOrder) -> str:
        """The canonical text: ``ATTACK 2ND: B-JH LEADS B-QD, B-AS > R-10S + B-10H``."""
        match order:
            case Lay():
                return _lay_text(order)
            case Strike():
                return f"CANCEL {_word(order.aim)} WITH {order.joker} {_ROUND_ORDINALS[order.number]}"
            case GuardLeader():
                return f"CANCEL LEADER WITH {', '.join(order.cards)}" if order.cards else "CANCEL NO LEADER"
            case StopEvent():
                return f"CANCEL EVENT WITH {order.card}"
            case BonusPlay():
                led = f" LEADS {plays_text((order.led,), ', ')}" if order.led else ""
                return f"BONUS: {plays_text((order.play,), '')}{led}" if order.play else "BONUS: NONE"
            case Blockade():
                pairs = [f"{play.card} > {_word(play.aims[0])}" for play in order.plays]
                return f"BLOCKADE: {', '.join(pairs) or 'BEST'}"
            case Draw():
                return f"DRAW {order.parts.text}"
            case Exchange():
                pairs = [f"{pair.white} FOR {pair.for_}" for pair in order.pairs]
                return f"EXCHANGE {' AND '.join(pairs)}"
            case Length():
                return f"TURNS {order.turns}"
            case Begin():
                return "begin"
            case _:
                assert_never(order)

    def misreading(self, order: AnyOrder, text: str) -> str | None:
        """Return a doubt where a hyphen of a card's name may have been taken for the sign of a target."""
        plays = order.plays if isinstance(order, Lay) else ()
        aims = sum(len(play.aims) for play in plays)
        return "no target is named in it" if aims > len(_AIMING.findall(text)) else None

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of a condition: ``MARGIN < -12``."""
        return write_condition(condition)


_AIMING = re.compile(r">|(?<=\s)-+(?=\s)|\b(?:on|at|against)\b", re.IGNORECASE)
"""What stands before a target; a hyphen alone only where it stands alone."""

_ROUND_ORDINALS = {1: "1ST", 2: "2ND"}


def _word(aim: str) -> str:
    return aim.upper() if aim in (BEST, NOTHING) else aim


def _number(view: View, slots: Mapping[str, str]) -> Literal[1, 2]:
    """The Round named, else the one that is awaited."""
    return 1 if slots.get("round", str(view.round)) == "1" else 2


def _lay(view: View, slots: Mapping[str, str]) -> Lay:
    line = parse_line(slots)
    role: Role = (
        view.role(PLAYER) if slots["role"] == "play" else "attack" if slots["role"] == "attack" else "defend"
    )
    return Lay(
        role=role,
        number=_number(view, slots),
        base=line.base,
        helper=line.helper,
        led=line.led,
        plus=line.plus,
    )


def _bonus(slots: Mapping[str, str]) -> BonusPlay:
    line = parse_line(slots)
    more = (*line.led, *line.plus)
    return BonusPlay(play=line.base, led=more[0] if more else None)


def _exchange(slots: Mapping[str, str]) -> Exchange:
    return Exchange(
        pairs=tuple(
            ExchangePair(white=CardId(slots[f"white{n}"]), for_=CardId(slots[f"for{n}"]))
            for n in (1, 2)
            if f"white{n}" in slots
        )
    )


def _lay_text(order: Lay) -> str:
    ordinal = _ROUND_ORDINALS[order.number]
    if not order.cards:
        return f"PASS {ordinal}"
    text = f"{order.role.upper()} {ordinal}:"
    if order.base:
        text += f" {plays_text((order.base,), '')}"
    if order.helper:
        text += f" WITH {order.helper}"
    if order.led:
        text += f" LEADS {plays_text(order.led, ', ')}"
    return text + "".join(f" + {plays_text((play,), '')}" for play in order.plus)


@lru_cache(maxsize=64)
def _lexicon(changes: tuple[Card, ...], seen: tuple[CardId, ...]) -> Lexicon:
    card_book = book(changes)
    cards = card_book.cards.values()
    kinds = dict.fromkeys(word for card in cards for word in (card.kind, *card.tags))
    return (
        *_FIXED_TERMS,
        *(LexiconEntry(sort="code", id=card_id, names=(card_id,)) for card_id in card_book.cards),
        *_card_terms(card_book, seen),
        *(LexiconEntry(sort="class", id=word, names=(word.upper(),)) for word in kinds),
        *(
            LexiconEntry(sort="event", id=card.id, names=(card.id, card.name))
            for card in cards
            if card.play_deck == "event"
        ),
    )


def _card_terms(card_book: Book, seen: Iterable[CardId]) -> Iterable[LexiconEntry]:
    """Yield cards by name: in full, with their id or rank, without brackets, by words that no other has."""
    cards = [card_book[card_id] for card_id in seen]
    word_counts = Counter(word for card in cards for word in {*_words(card.name)})
    for card in cards:
        own = [
            word for word in _words(card.name) if word_counts[word] == 1 and word.lower() not in _COMMON_WORDS
        ]
        rank = [f"{card.name} {card.rank}"] if card.rank else []
        short = card.name.partition(" (")[0]
        whole = (card.name, *rank, short, card_book.full_name(card.id), f"{card.id} {short}")
        yield LexiconEntry(sort="card", id=card.id, names=tuple(dict.fromkeys((*whole, *own))))


_COMMON_WORDS = frozenset(("with", "from", "card"))
"""Words that name nothing."""


def _words(name: str) -> list[str]:
    return [word.strip("(),") for word in name.split() if len(word.strip("(),")) > 3]
