"""The cards: what they are, what links to what, and the figures of the solitaire procedure.

Rules look at kinds and tags, never at a name. A game may have cards of its owner's (`owner_data.py`):
those that differ from ours are in its state, and `book` compiles them with the rest.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NewType

from games.data import read_json
from games.protocol import Invalid
from games.record import Malformed, Record, Value, revive

PACKAGE = "games.great_war"
CARDS_FILE = "data/cards.json"

CardId = NewType("CardId", str)
"""A card by its stable id: "B-QS", "W03"; all copies of a card have one id."""

HIDDEN_CARD = CardId("?")
"""A card that a viewer may not know."""

Nation = Literal["entente", "central"]
Pile = Literal["entente", "central", "neutral", "bonus", "event"]
PILES: tuple[Pile, ...] = ("entente", "central", "neutral", "bonus", "event")
NATIONS: tuple[Nation, ...] = ("entente", "central")

Op = Literal[
    "cancel",
    "discard_in_play",
    "discard_hand",
    "draw",
    "peek_hand",
    "immune",
    "restore",
    "lead",
    "lead_bonus",
    "blockade",
    "wild_link",
    "cancel_event",
    "bp_mod",
    "forbid",
    "choose",
    "save_capture",
    "extra_event",
]
Timing = Literal["round", "with_leader", "react_leader", "bonus_phase", "event_response", "event_phase"]

LEADER, JOKER, BONUS, NAVAL = "leader", "joker", "bonus_card", "naval"


class Selector(Record, frozen=True, kw_only=True, rename={"without": "not"}):
    """Which cards are meant: tag and nation both, where they are given; none that has the tag `without`."""

    tag: str | None = None
    nat: str | None = None
    without: str | None = None
    any: bool = False


class Effect(Record, frozen=True, kw_only=True, rename={"pile": "from", "excepted": "except"}):
    """One thing that a card does. Which fields matter depends on the operation.

    n: of how many cards; who: "both" or "enemy"; delta: added to Battle Points; bp: of a wild Joker;
    excepted: what an immune card is not immune against.
    """

    op: Op
    target: tuple[Selector, ...] = ()
    n: int = 0
    who: Literal["both", "enemy"] | None = None
    pile: Literal["nationality", "neutral", "bonus"] | None = None
    bp: int = 0
    delta: int = 0
    scope: Literal["turn", "round1"] = "turn"
    excepted: tuple[Selector, ...] = ()
    options: tuple[tuple["Effect", ...], ...] = ()


class Card(Record, frozen=True, kw_only=True, cache_hash=True):
    """A card as it is printed. bp: Battle Points; high: can be captured; links_to: hosts, for a Plus card."""

    id: CardId
    deck: Literal["blue", "red", "white", "bonus", "event"]
    play_deck: Pile
    rank: str | None
    name: str
    kind: str
    tags: tuple[str, ...]
    nationality: str | None
    bp: int
    high: bool
    plus: bool
    links_to: tuple[Selector, ...]
    effects: tuple[Effect, ...]
    timing: tuple[Timing, ...]
    count: int

    def is_a(self, word: str) -> bool:
        """Return whether the card is of that kind, or has that tag."""
        return word == self.kind or word in self.tags

    def effect(self, op: Op) -> Effect | None:
        """Its effect of that operation, if it has one."""
        return next((effect for effect in self.effects if effect.op == op), None)


class CardRow(Card, frozen=True, kw_only=True):
    """A card as the file has it. provenance: by field the mark of where it comes from."""

    suit: str | None
    rank_value: int
    extra: int
    provenance: dict[str, str]
    note: str | None = None


class LinkRule(Record, frozen=True, kw_only=True):
    """One row of the flow chart: the hosts, and the kinds of Plus cards that may be added to one.

    via_op "lead": no free link, but the leave of a leader for some cards.
    """

    id: str
    host: tuple[Selector, ...]
    plus_kinds: tuple[str, ...]
    via_op: str | None = None


class Mix(Record, frozen=True, kw_only=True):
    """The number of cards of each deck in a hand. place: kinds laid from the set-aside cards before."""

    neutral: int
    nationality: int
    bonus: int
    place: tuple[str, ...] = ()


class Split(Record, frozen=True, kw_only=True, rename={"least": "min", "most": "max"}):
    """The limits of how the player may split his hand."""

    default: Mix
    least: Mix
    most: Mix
    mark: str


class MixTable(Record, frozen=True, kw_only=True):
    """A hand for each number of a die."""

    mark: str
    rows: dict[str, Mix]


class NumberFigure(Record, frozen=True, kw_only=True):
    """A number and its mark."""

    value: int
    mark: str


class Kinds(Record, frozen=True, kw_only=True):
    """Kinds of cards and their mark."""

    value: tuple[str, ...]
    mark: str


class Redraw(Record, frozen=True, kw_only=True):
    """Kinds that are replaced when drawn, or barred. dice: for these numbers only."""

    kinds: tuple[str, ...]
    mark: str
    dice: tuple[int, ...] = ()


class Lengths(Record, frozen=True, kw_only=True):
    """After how many Turns a campaign may end, and after how many it does."""

    short: int
    long: int
    mark: str


class Level(Record, frozen=True, kw_only=True, rename={"low": "from", "high": "to"}):
    """A level of victory by the difference of captured Battle Points, both ends included."""

    name: str
    low: int
    high: int | None
    mark: str


class Capture(Record, frozen=True, kw_only=True):
    """The rule of capture in words, and its provenance mark."""

    value: str
    mark: str


class SolitaireFigures(Record, frozen=True, kw_only=True):
    """The figures of the solitaire procedure."""

    hand_size: NumberFigure
    human_hand: Split
    defender_table: MixTable
    defender_opening_kinds: Kinds
    defender_redraw: Redraw
    attacker_table: MixTable
    attacker_redraw: Redraw
    attacker_barred: Redraw
    lead_cap: NumberFigure
    turns: Lengths
    capture: Capture
    victory_levels: tuple[Level, ...]
    timings: tuple[Timing, ...]
    solo_sizes: dict[Pile, int]


def fits(card: Card, selectors: Sequence[Selector]) -> bool:
    """Return whether a card is one of those meant; several selectors are alternatives."""
    return any(_fits(card, selector) for selector in selectors)


def _fits(card: Card, selector: Selector) -> bool:
    if selector.without is not None and selector.without in card.tags:
        return False
    if selector.any:
        return True
    return (selector.tag is None or selector.tag in card.tags) and selector.nat in (None, card.nationality)


class Book(Value, frozen=True):
    """All cards of a game, compiled. order: the place of each in the list, which breaks ties.

    hosts: by Plus card, the cards that it may be added to; leaders: all of them.
    """

    cards: Mapping[CardId, Card]
    order: Mapping[CardId, int]
    hosts: Mapping[CardId, frozenset[CardId]]
    leaders: tuple[Card, ...]

    def __getitem__(self, card_id: CardId) -> Card:
        return self.cards[card_id]

    def in_order(self, ids: Sequence[CardId]) -> tuple[CardId, ...]:
        """Cards in the order of the list; those that are hidden come last."""
        return tuple(sorted(ids, key=lambda card_id: self.order.get(card_id, len(self.order))))

    def full_name(self, card_id: CardId) -> str:
        """Return a card with its id and name: ``B-JS Douglas Haig``."""
        return f"{card_id} {self.cards[card_id].name}" if card_id in self.cards else "a hidden card"


def compile_book(cards: Sequence[Card]) -> Book:
    """The book of some cards, in their order."""
    by_id = {card.id: card for card in cards}
    # Many Plus cards may be added to the same, so these are looked for once.
    meant = {
        links: frozenset(host.id for host in cards if fits(host, links))
        for links in {card.links_to for card in cards if card.plus}
    }
    return Book(
        cards=by_id,
        leaders=tuple(card for card in cards if LEADER in card.tags),
        order={card_id: place for place, card_id in enumerate(by_id)},
        hosts={card.id: meant[card.links_to] - {card.id} for card in cards if card.plus},
    )


@cache
def printed_rows() -> tuple[CardRow, ...]:
    """The rows of our own list. Raises Invalid for a file that is no list of cards."""
    return tuple(
        _revive_or_invalid(CardRow, row, f"{CARDS_FILE}: {row.get('id', number)}")
        for number, row in enumerate(_document()["cards"])
    )


@cache
def link_rules() -> tuple[LinkRule, ...]:
    """The flow chart, row by row."""
    return tuple(
        _revive_or_invalid(LinkRule, row, f"{CARDS_FILE}: {row.get('id')}")
        for row in _document()["link_rules"]
    )


@cache
def solo() -> SolitaireFigures:
    """The figures of the solitaire procedure."""
    figures: SolitaireFigures = _revive_or_invalid(
        SolitaireFigures, _document()["solo"], f"{CARDS_FILE}: solo"
    )
    return figures


@cache
def card_list_facts() -> Mapping[str, Any]:
    """Return the file's own facts: totals of the decks, rank values, what the solitaire set-up moves."""
    facts: Mapping[str, Any] = _document()["meta"]
    return facts


def plain_card(row: CardRow) -> Card:
    """Return the part of a row that the rules look at."""
    return Card(**{name: getattr(row, name) for name in Card.__struct_fields__})


@lru_cache(maxsize=16)
def book(changes: tuple[Card, ...] = ()) -> Book:
    """The cards of a game: ours, but for those that its owner has changed."""
    theirs = {card.id: card for card in changes}
    return compile_book([theirs.get(row.id) or plain_card(row) for row in printed_rows()])


def _document() -> Any:
    return read_json(PACKAGE, CARDS_FILE)


def _revive_or_invalid(kind: Any, value: Any, what: str) -> Any:
    try:
        return revive(kind, value)
    except Malformed as fault:
        raise Invalid(what, str(fault)) from fault
