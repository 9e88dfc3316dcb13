"""The cards and their links, and the figures of the solitaire procedure.

Rules look at kinds and tags of cards, never at names. A game can use its owner's cards (`owner_data.py`).
Cards that differ from ours are in its state, and `book` compiles them with the rest.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NewType

from games.data import read_json, revive_or_refuse
from games.record import Record, Value

PACKAGE = "games.great_war"
CARDS_FILE = "data/cards.json"

CardId = NewType("CardId", str)
"""The stable id of a card: "B-QS", "W03". All copies of a card have the same id."""

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
    """A description of cards. If both tag and nation are given, a card must have both.

    without: a tag that a card must not have; any: every card fits, except those with the tag `without`.
    """

    tag: str | None = None
    nat: str | None = None
    without: str | None = None
    any: bool = False


class Effect(Record, frozen=True, kw_only=True, rename={"pile": "from", "excepted": "except"}):
    """One effect of a card. The operation decides which fields matter.

    n: the number of cards; who: "both" sides or the "enemy"; delta: added to Battle Points; bp: the Battle
    Points of a wild Joker; excepted: the cards that can affect an immune card.
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
    """A card as it is printed.

    bp: its Battle Points; high: whether it can be captured; links_to: the hosts of a Plus card.
    """

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
        """Return whether the card is of this kind or has this tag."""
        return word == self.kind or word in self.tags

    def effect(self, op: Op) -> Effect | None:
        """Return the card's effect with this operation, or None."""
        return next((effect for effect in self.effects if effect.op == op), None)


class CardRow(Card, frozen=True, kw_only=True):
    """A card as the file has it. provenance: by field, the mark of its source."""

    suit: str | None
    rank_value: int
    extra: int
    provenance: dict[str, str]
    note: str | None = None


class LinkRule(Record, frozen=True, kw_only=True):
    """One row of the flow chart: hosts, and the kinds of Plus cards that can be added to them.

    via_op: "lead" if a leader's effect is needed to play these cards, because there is no free link.
    """

    id: str
    host: tuple[Selector, ...]
    plus_kinds: tuple[str, ...]
    via_op: str | None = None


class Mix(Record, frozen=True, kw_only=True):
    """The number of cards from each deck in a hand.

    place: kinds of set-aside cards that are played before the hand is drawn.
    """

    neutral: int
    nationality: int
    bonus: int
    place: tuple[str, ...] = ()


class Split(Record, frozen=True, kw_only=True, rename={"least": "min", "most": "max"}):
    """The limits for splitting the player's hand."""

    default: Mix
    least: Mix
    most: Mix
    mark: str


class MixTable(Record, frozen=True, kw_only=True):
    """The composition of a hand for each number of a die."""

    mark: str
    rows: dict[str, Mix]


class NumberFigure(Record, frozen=True, kw_only=True):
    """A number and its provenance mark."""

    value: int
    mark: str


class Kinds(Record, frozen=True, kw_only=True):
    """Kinds of cards and their provenance mark."""

    value: tuple[str, ...]
    mark: str


class Redraw(Record, frozen=True, kw_only=True):
    """Kinds of cards that are replaced when drawn, or barred.

    dice: the numbers of the die that this applies to, () for all.
    """

    kinds: tuple[str, ...]
    mark: str
    dice: tuple[int, ...] = ()


class Lengths(Record, frozen=True, kw_only=True):
    """The Turn after which a campaign may end, and the Turn after which it always ends."""

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
    """Return whether a card fits at least one of the selectors."""
    return any(_fits(card, selector) for selector in selectors)


def _fits(card: Card, selector: Selector) -> bool:
    if selector.without is not None and selector.without in card.tags:
        return False
    if selector.any:
        return True
    return (selector.tag is None or selector.tag in card.tags) and selector.nat in (None, card.nationality)


class Book(Value, frozen=True):
    """All cards of a game, compiled.

    order: the place of each card in the list, which breaks ties; hosts: by Plus card, the cards it can be
    added to; leaders: all leaders.
    """

    cards: Mapping[CardId, Card]
    order: Mapping[CardId, int]
    hosts: Mapping[CardId, frozenset[CardId]]
    leaders: tuple[Card, ...]

    def __getitem__(self, card_id: CardId) -> Card:
        return self.cards[card_id]

    def in_order(self, ids: Sequence[CardId]) -> tuple[CardId, ...]:
        """Return cards in the order of the list, with hidden cards last."""
        return tuple(sorted(ids, key=lambda card_id: self.order.get(card_id, len(self.order))))

    def full_name(self, card_id: CardId) -> str:
        """Return a card with its id and name: ``B-JS Douglas Haig``."""
        return f"{card_id} {self.cards[card_id].name}" if card_id in self.cards else "a hidden card"


def compile_book(cards: Sequence[Card]) -> Book:
    """Return the book of some cards, in their order."""
    by_id = {card.id: card for card in cards}
    # Many Plus cards have the same hosts, so each set is found once.
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
    """Return the rows of our own list. Raises Invalid if the file isn't a list of cards."""
    return tuple(
        revive_or_refuse(CardRow, row, f"{CARDS_FILE}: {row.get('id', number)}")
        for number, row in enumerate(_document()["cards"])
    )


@cache
def link_rules() -> tuple[LinkRule, ...]:
    """Return the flow chart, row by row. Raises Invalid if a row is malformed."""
    return tuple(
        revive_or_refuse(LinkRule, row, f"{CARDS_FILE}: {row.get('id')}") for row in _document()["link_rules"]
    )


@cache
def solo() -> SolitaireFigures:
    """Return the figures of the solitaire procedure. Raises Invalid if they are malformed."""
    figures: SolitaireFigures = revive_or_refuse(SolitaireFigures, _document()["solo"], f"{CARDS_FILE}: solo")
    return figures


@cache
def card_list_facts() -> Mapping[str, Any]:
    """Return facts from the file: deck totals, rank values, and the cards moved by the solitaire set-up."""
    facts: Mapping[str, Any] = _document()["meta"]
    return facts


def plain_card(row: CardRow) -> Card:
    """Return the part of a row that the rules use."""
    return Card(**{name: getattr(row, name) for name in Card.__struct_fields__})


@lru_cache(maxsize=16)
def book(changes: tuple[Card, ...] = ()) -> Book:
    """Return the cards of a game: ours, except for the ones that its owner has changed."""
    theirs = {card.id: card for card in changes}
    return compile_book([theirs.get(row.id) or plain_card(row) for row in printed_rows()])


def _document() -> Any:
    return read_json(PACKAGE, CARDS_FILE)
