"""The notation of The Great War: names, forms and canonical texts. Implements `protocol.Notation`."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import get_args

from games.great_war.components import Book, Card, CardId, book
from games.great_war.model import AI, BEST, NOTHING, PLAYER, AnyOrder, Lay, View
from games.messages import sentence
from games.order_kinds import ConditionRow, KindNotation
from games.protocol import Condition, Lexicon, LexiconEntry

# The conditions that IF can check in The Great War.


_NUMBER_TEXTS = {"margin": "MARGIN", "my-total": "MY TOTAL", "ai-total": "AI TOTAL", "ai-cards": "AI CARDS"}
"""The numbers in conditions, by form."""

_NUMBER_FORMS = {
    "margin": "(margin|the margin|my margin)",
    "my-total": "(my total|my bp)",
    "ai-total": "(ai total|the ai total|ai bp|enemy total)",
    "ai-cards": "(ai cards|the ai cards|enemy cards)",
}
_NEGATIVE_SUFFIX = "-minus"

_CONDITION_ROWS: tuple[ConditionRow, ...] = (
    *(
        (
            name,
            f"{phrase} {{op:op}} {{n:number}}",
            f"{_NUMBER_TEXTS[name]} < 12",
            f"{_NUMBER_TEXTS[name]} {{op}} {{n}}",
        )
        for name, phrase in _NUMBER_FORMS.items()
    ),
    (
        f"margin{_NEGATIVE_SUFFIX}",
        f"{_NUMBER_FORMS['margin']} {{op:op}} - {{n:number}}",
        "MARGIN < -12",
        "MARGIN {op} -{n}",
    ),
    ("played", "(ai|the ai|enemy) played {x:code|class}", "AI PLAYED K_ARTILLERY", "AI PLAYED {x}"),
    ("has", "(ai|the ai|enemy) has {x:code|class}", "AI HAS K_ARTILLERY", "AI HAS {x}"),
    ("cancelled", "{x:code} [is|was] (cancelled|canceled)", "B-QS CANCELLED", "{x} CANCELLED"),
    ("event", "event [is] {event:event}", "EVENT E03", "EVENT {event}"),
)
"""The conditions that IF can check. They are about the table at the time when the order is carried out."""

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    "=": lambda value, limit: value == limit,
    ">=": lambda value, limit: value >= limit,
    ">": lambda value, limit: value > limit,
    "<>": lambda value, limit: value != limit,
}
"""The comparisons of numbers."""


def holds(view: View, condition: Condition) -> bool:
    """Return whether a condition is true. Raises KeyError for an unknown form."""
    slots, form = condition.slots, condition.form
    if "op" in slots:
        number = int(slots["n"]) * (-1 if form.endswith(_NEGATIVE_SUFFIX) else 1)
        return COMPARISONS[slots["op"]](_number_of(view, form.removesuffix(_NEGATIVE_SUFFIX)), number)
    row = view.armies[AI].row
    answers: Mapping[str, Callable[[], bool]] = {
        "played": lambda: any(_is_card_or_class(view, card_id, slots["x"]) for card_id in view.laid),
        "has": lambda: any(
            _is_card_or_class(view, table_card.card, slots["x"]) for table_card in row if table_card.up
        ),
        "cancelled": lambda: _is_cancelled(view, CardId(slots["x"])),
        "event": lambda: slots["event"] in (*view.force, *((view.event,) if view.waits else ())),
    }
    return answers[form]()


def _number_of(view: View, form: str) -> int:
    return {
        "margin": view.margin(PLAYER),
        "my-total": view.total(PLAYER),
        "ai-total": view.total(AI),
        "ai-cards": len(view.armies[AI].hand),
    }[form]


def _is_card_or_class(view: View, card_id: CardId, wanted: str) -> bool:
    return card_id == wanted or view.book[card_id].is_a(wanted)


def _is_cancelled(view: View, card_id: CardId) -> bool:
    rows = [
        table_card for army in view.armies.values() for table_card in army.row if table_card.card == card_id
    ]
    gone = card_id in view.lost or (card_id in view.laid and not rows)
    return gone or any(not table_card.up for table_card in rows)


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


class GreatWarNotation(KindNotation[View, AnyOrder]):
    """The notation."""

    order_kinds = get_args(AnyOrder)
    condition_rows = _CONDITION_ROWS

    def lexicon(self, view: View) -> Lexicon:
        """Return ids of all cards, names of the cards that the player holds or sees, kinds and signs."""
        rows = (table_card.card for army in view.armies.values() for table_card in army.row)
        seen = dict.fromkeys((*view.armies[PLAYER].hand, *rows))
        known = [card_id for card_id in view.book.in_order(list(seen)) if card_id in view.book.cards]
        return _lexicon(view.changes, tuple(known))

    def misreading(self, order: AnyOrder, text: str) -> str | None:
        """Return a doubt if a hyphen in a card's name may have been read as the sign of a target, or None."""
        plays = order.plays if isinstance(order, Lay) else ()
        aims = sum(len(play.aims) for play in plays)
        return sentence("great_war.advice.no-target-named") if aims > len(_AIMING.findall(text)) else None

    def condition_word(self, _place: str, value: str, /) -> str:
        return value.upper()


_AIMING = re.compile(r">|(?<=\s)-+(?=\s)|\b(?:on|at|against)\b", re.IGNORECASE)
"""The signs before a target. A hyphen counts only with spaces around it."""


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
    """Yield the names of cards.

    They are full names, also with an id, a rank or without brackets, and words that no other card has.
    """
    cards = [card_book[card_id] for card_id in seen]
    word_counts = Counter(word for card in cards for word in {*_name_words(card.name)})
    for card in cards:
        own = [
            word
            for word in _name_words(card.name)
            if word_counts[word] == 1 and word.lower() not in _COMMON_WORDS
        ]
        rank = [f"{card.name} {card.rank}"] if card.rank else []
        short = card.name.partition(" (")[0]
        whole = (card.name, *rank, short, card_book.full_name(card.id), f"{card.id} {short}")
        yield LexiconEntry(sort="card", id=card.id, names=tuple(dict.fromkeys((*whole, *own))))


_COMMON_WORDS = frozenset(("with", "from", "card"))
"""Words that can't identify a card."""


def _name_words(name: str) -> list[str]:
    return [word.strip("(),") for word in name.split() if len(word.strip("(),")) > 3]
