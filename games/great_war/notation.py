"""The notation of The Great War: names, forms and canonical texts. Implements `protocol.Notation`."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, assert_never

from games.great_war.components import Book, Card, CardId, book
from games.great_war.model import (
    AI,
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
from games.messages import sentence
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Notation
from games.record import Record, replace_fields

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

CONDITIONS: tuple[Form, ...] = (
    *(
        Form(name=name, pattern=f"{phrase} {{op:op}} {{n:number}}", example=f"{_NUMBER_TEXTS[name]} < 12")
        for name, phrase in _NUMBER_FORMS.items()
    ),
    Form(
        name=f"margin{_NEGATIVE_SUFFIX}",
        pattern=f"{_NUMBER_FORMS['margin']} {{op:op}} - {{n:number}}",
        example="MARGIN < -12",
    ),
    Form(name="played", pattern="(ai|the ai|enemy) played {x:code|class}", example="AI PLAYED K_ARTILLERY"),
    Form(name="has", pattern="(ai|the ai|enemy) has {x:code|class}", example="AI HAS K_ARTILLERY"),
    Form(name="cancelled", pattern="{x:code} [is|was] (cancelled|canceled)", example="B-QS CANCELLED"),
    Form(name="event", pattern="event [is] {event:event}", example="EVENT E03"),
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


def write_condition(condition: Condition) -> str:
    """Return the canonical text: ``MARGIN < -12``. Raises KeyError for an unknown form."""
    slots = condition.slots
    if "op" in slots:
        minus = "-" if condition.form.endswith(_NEGATIVE_SUFFIX) else ""
        return (
            f"{_NUMBER_TEXTS[condition.form.removesuffix(_NEGATIVE_SUFFIX)]} {slots['op']} "
            f"{minus}{slots['n']}"
        )
    return {
        "played": "AI PLAYED {x}",
        "has": "AI HAS {x}",
        "cancelled": "{x} CANCELLED",
        "event": "EVENT {event}",
    }[condition.form].format(**{name: value.upper() for name, value in slots.items()})


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


class GreatWarNotation(Notation[View, AnyOrder]):
    """The notation."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return every way to write an order, the canonical form of each name first."""
        return ORDER_FORMS

    @property
    def conditions(self) -> tuple[Form, ...]:
        """Return the conditions that IF can check."""
        return CONDITIONS

    def lexicon(self, view: View) -> Lexicon:
        """Return ids of all cards, names of the cards that the player holds or sees, kinds and signs."""
        rows = (table_card.card for army in view.armies.values() for table_card in army.row)
        seen = dict.fromkeys((*view.armies[PLAYER].hand, *rows))
        known = [card_id for card_id in view.book.in_order(list(seen)) if card_id in view.book.cards]
        return _lexicon(view.changes, tuple(known))

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """Return the order of a matched form. Raises KeyError for an unknown form."""
        if form in ("round", "plus-cards"):
            return _build_lay(view, slots)
        if form == "pass":
            return Lay(role=view.role(PLAYER), number=_round_number(view, slots))
        if form == "joker":
            return Strike(number=_round_number(view, slots), joker=CardId(slots["c0"]), aim=slots["target"])
        if form == "stop-event":
            return StopEvent(card=CardId(slots["c0"]))
        if form in ("against-leader", "no-guard"):
            return GuardLeader(
                cards=tuple(CardId(slots[f"c{n}"]) for n in range(MAX_GUARDS) if f"c{n}" in slots)
            )
        if form in ("bonus", "no-bonus"):
            return _build_bonus(slots) if form == "bonus" else BonusPlay()
        if form in ("blockade", "any-blockade"):
            pairs = [(slots[f"c{n}"], slots[f"t{n}"]) for n in range(MAX_BLOCKADE_PAIRS) if f"c{n}" in slots]
            return Blockade(
                plays=tuple(CardPlay(card=CardId(blockade), aims=(aim,)) for blockade, aim in pairs)
            )
        if form == "draw":
            return Draw(parts=HandSplit(**{name: int(value) for name, value in slots.items()}))
        if form == "exchange":
            return _build_exchange(slots)
        if form == "turns":
            return Length(turns=int(slots["n"]))
        return {"begin": Begin()}[form]

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text: ``ATTACK 2ND: B-JH LEADS B-QD, B-AS > R-10S + B-10H``."""
        match order:
            case Lay():
                return _lay_text(order)
            case Strike():
                return f"CANCEL {_target_text(order.aim)} WITH {order.joker} {_ROUND_ORDINALS[order.number]}"
            case GuardLeader():
                return f"CANCEL LEADER WITH {', '.join(order.cards)}" if order.cards else "CANCEL NO LEADER"
            case StopEvent():
                return f"CANCEL EVENT WITH {order.card}"
            case BonusPlay():
                led = f" LEADS {plays_text((order.led,), ', ')}" if order.led else ""
                return f"BONUS: {plays_text((order.play,), '')}{led}" if order.play else "BONUS: NONE"
            case Blockade():
                pairs = [f"{play.card} > {_target_text(play.aims[0])}" for play in order.plays]
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
        """Return a doubt if a hyphen in a card's name may have been read as the sign of a target, or None."""
        plays = order.plays if isinstance(order, Lay) else ()
        aims = sum(len(play.aims) for play in plays)
        return sentence("great_war.advice.no-target-named") if aims > len(_AIMING.findall(text)) else None

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of a condition: ``MARGIN < -12``."""
        return write_condition(condition)


_AIMING = re.compile(r">|(?<=\s)-+(?=\s)|\b(?:on|at|against)\b", re.IGNORECASE)
"""The signs before a target. A hyphen counts only with spaces around it."""

_ROUND_ORDINALS = {1: "1ST", 2: "2ND"}


def _target_text(aim: str) -> str:
    return aim.upper() if aim in (BEST, NOTHING) else aim


def _round_number(view: View, slots: Mapping[str, str]) -> Literal[1, 2]:
    """Return the Combat Round in the order, otherwise the one that is due."""
    return 1 if slots.get("round", str(view.round)) == "1" else 2


def _build_lay(view: View, slots: Mapping[str, str]) -> Lay:
    line = parse_line(slots)
    role: Role = (
        view.role(PLAYER) if slots["role"] == "play" else "attack" if slots["role"] == "attack" else "defend"
    )
    return Lay(
        role=role,
        number=_round_number(view, slots),
        base=line.base,
        helper=line.helper,
        led=line.led,
        plus=line.plus,
    )


def _build_bonus(slots: Mapping[str, str]) -> BonusPlay:
    line = parse_line(slots)
    more = (*line.led, *line.plus)
    return BonusPlay(play=line.base, led=more[0] if more else None)


def _build_exchange(slots: Mapping[str, str]) -> Exchange:
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


# The forms of the player's orders.
#
# The line of a Round has a sign before each card except the first. ``+`` is a link and ``>`` a target.
# ``LEADS`` and commas are before the cards that a leader leads, and ``WITH`` is before the card that lets it
# lead more. ``AS WILD`` makes a Joker a link.


_MAX_STEPS = 19
"""The number of signs with cards after the first card of a line: ten cards, each with a target."""

_CARD = "card|code"
_ROUND_SLOT = "[{round:round}] [:]"
MAX_GUARDS, MAX_BLOCKADE_PAIRS = 6, 3
"""The number of cards against a leader, and of blockades with a target, in one line."""


def _step_pattern(number: int) -> str:
    return f"{{s{number}:sign}} {{c{number}:card|code|word}}"


def _steps_pattern(first: int, least: int, most: int) -> str:
    """Return the pattern of a number of steps. The steps after the least number are optional."""
    pattern = " ".join(_step_pattern(number) for number in range(first, first + least))
    more = ""
    for number in reversed(range(first + least, first + most)):
        more = f"[{_step_pattern(number)} {more}]"
    return f"{pattern} {more}".strip()


_ROLE_SLOT = f"{{role:role}} {_ROUND_SLOT}"
_FIRST_CARD_SLOT = f"{{c0:{_CARD}}}"
_WITH_WORDS = "(with|by|using)"

_LINE_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        "round",
        f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_step_pattern(1)} {_step_pattern(2)}",
        "ATTACK 1ST: B-QS + B-10H > R-8C",
    ),
    ("round", f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_step_pattern(1)}", "ATTACK 1ST: B-QS + B-10H"),
    ("round", f"{_ROLE_SLOT} {_FIRST_CARD_SLOT}", "ATTACK 1ST: B-QS"),
    (
        "round",
        f"{_ROLE_SLOT} {_FIRST_CARD_SLOT} {_steps_pattern(1, 3, _MAX_STEPS)}",
        "ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS > R-10S + B-10H",
    ),
    ("plus-cards", f"{_ROLE_SLOT} {_steps_pattern(1, 1, _MAX_STEPS)}", "DEFEND 1ST: + B-7D + B-4D"),
    ("pass", "(pass|passes|lay nothing|play nothing) [{round:round}]", "PASS 2ND"),
)

_SINGLE_FORMS: tuple[tuple[str, str, str], ...] = (
    *(
        ("joker", f"{phrase} [in] [{{round:round}}]", "CANCEL R-KH WITH B-JK1 2ND")
        for phrase in (
            f"cancel {{target:{_CARD}|word}} {_WITH_WORDS} {{c0:{_CARD}}}",
            f"{{c0:{_CARD}}} cancels {{target:{_CARD}|word}}",
            f"use {{c0:{_CARD}}} to cancel {{target:{_CARD}|word}}",
        )
    ),
    *(
        ("stop-event", phrase, "CANCEL EVENT WITH B05")
        for phrase in (
            f"cancel [the] event {_WITH_WORDS} {{c0:{_CARD}}}",
            f"{{c0:{_CARD}}} cancels [the] event",
            f"use {{c0:{_CARD}}} against [the] event",
        )
    ),
    *(
        ("exchange", phrase, "EXCHANGE W10 FOR B-QD")
        for phrase in (
            f"exchange {{white1:{_CARD}}} for {{for1:{_CARD}}}",
            f"(swap|take|put) {{white1:{_CARD}}} (for|in place of) {{for1:{_CARD}}}",
            f"(replace|exchange) {{for1:{_CARD}}} (by|with) {{white1:{_CARD}}}",
            f"{{white1:{_CARD}}} (comes in|comes) for {{for1:{_CARD}}}",
        )
    ),
    (
        "exchange",
        f"exchange {{white1:{_CARD}}} for {{for1:{_CARD}}} (and|,|and exchange) "
        f"{{white2:{_CARD}}} for {{for2:{_CARD}}}",
        "EXCHANGE W06 FOR B-JS AND W08 FOR R-JS",
    ),
    *(
        (
            "blockade",
            "blockade [:] "
            + " [,] ".join(f"{{c{number}:{_CARD}}} > {{t{number}:{_CARD}|word}}" for number in range(count)),
            "BLOCKADE: " + ", ".join(("B-2S > R-QS", "B-3S > BEST", "W25 > BEST")[:count]),
        )
        for count in range(1, MAX_BLOCKADE_PAIRS + 1)
    ),
    ("any-blockade", "blockade [:] best", "BLOCKADE: BEST"),
    ("draw", "draw {neutral:number} / {nationality:number} / {bonus:number}", "DRAW 4/4/1"),
    *(
        (
            "draw",
            "draw " + " [,] [and] ".join(f"{{{name}:number}} {name}" for name in order),
            "DRAW 4 NATIONALITY 4 NEUTRAL 1 BONUS",
        )
        for order in (("nationality", "neutral", "bonus"), ("neutral", "nationality", "bonus"))
    ),
    ("turns", "turns {n:number}", "TURNS 10"),
    ("turns", "play {n:number} turns", "play 10 turns"),
    *(
        (
            "against-leader",
            f"cancel [the] (leader|leaders|jack|jacks) {_WITH_WORDS} "
            + " (,|and|or|then) ".join(f"{{c{number}:{_CARD}}}" for number in range(count)),
            "CANCEL LEADER WITH " + ", ".join(("B07", "B-JK1", "W01", "W02", "B-JK2", "R-JK1")[:count]),
        )
        for count in range(1, MAX_GUARDS + 1)
    ),
    ("no-guard", "cancel (no leader|leader with none|leader with nothing|leader : none)", "CANCEL NO LEADER"),
    ("bonus", f"bonus [phase] [:] {_FIRST_CARD_SLOT} {_steps_pattern(1, 0, 3)}", "BONUS: B08 > R-KH"),
    ("no-bonus", "bonus [phase] [:] (none|nothing|pass)", "BONUS: NONE"),
    ("begin", "(begin|begin the game|start|start the game|let us begin)", "begin"),
)

ORDER_FORMS: tuple[Form, ...] = (
    *(
        Form(name=name, pattern=pattern, example=example)
        for name, pattern, example in (*_LINE_FORMS, *_SINGLE_FORMS)
    ),
)
"""Every way to write an order, the canonical form of each name first."""


# Lines of cards and signs.


class CardLine(Record, frozen=True, kw_only=True):
    """The cards of a line: the base, the helper of a leader, the cards it leads, and the added cards."""

    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()


def parse_line(slots: Mapping[str, str]) -> CardLine:
    """Return the line from the slots c0, s1, c1, s2, c2 and so on of a form.

    A comma continues a list: the led cards after LEADS, otherwise the added cards.
    """
    line = CardLine(base=CardPlay(card=CardId(slots["c0"])) if "c0" in slots else None)
    into = "base"
    for sign, card_text in _signed_cards(slots):
        if sign in (">", "as"):
            line = _with_target(line, into, card_text)
            continue
        into = {"leads": "led", "with": "helper", "+": "plus"}.get(sign, "led" if into == "led" else "plus")
        if into == "helper":
            line = replace_fields(line, helper=CardId(card_text))
        else:
            line = replace_fields(line, **{into: (*getattr(line, into), CardPlay(card=CardId(card_text)))})
    return line


def _signed_cards(slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    number = 1
    while f"s{number}" in slots:
        yield slots[f"s{number}"], slots[f"c{number}"]
        number += 1


def _with_target(line: CardLine, into: str, aim: str) -> CardLine:
    """Return the line with a target for its last card, or with that card as a wild card."""
    if into == "base":
        return replace_fields(line, base=_add_target(line.base, aim)) if line.base else line
    plays: tuple[CardPlay, ...] = getattr(line, into) if into in ("led", "plus") else ()
    last = _add_target(plays[-1], aim) if plays else None
    return replace_fields(line, **{into: (*plays[:-1], last)}) if last else line


def _add_target(play: CardPlay, aim: str) -> CardPlay:
    return replace_fields(play, wild=True) if aim == "wild" else replace_fields(play, aims=(*play.aims, aim))


def plays_text(plays: Iterable[CardPlay], joint: str) -> str:
    """Return cards with their targets in canonical text."""
    return joint.join(_play_text(play) for play in plays)


def _play_text(play: CardPlay) -> str:
    aims = [aim.upper() if aim in (BEST, NOTHING) else aim for aim in play.aims]
    return f"{play.card}{' AS WILD' if play.wild else ''}" + "".join(f" > {aim}" for aim in aims)


NOTATION = GreatWarNotation()
