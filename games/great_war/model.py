"""The state of The Great War and its orders: armies and piles, formations, and all kinds of orders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from games.great_war.components import NATIONS, Book, Card, CardId, Nation, Pile, book
from games.protocol import Order, Seat
from games.record import Record, Value, replace_fields

PLAYER, AI = Seat("player"), Seat("ai")
"""The two sides. The AI has no seat, because rules and dice play it."""

Stage = Literal["set-up", "round 1", "round 2", "bonus", "length", "over"]
Role = Literal["attack", "defend"]
Case = Literal[
    "hand",
    "opening",
    "cards",
    "swing",
    "leader",
    "cancelled leader",
    "reaction",
    "event",
    "bonus",
    "pass",
]
How = Literal["placed", "opening", "base", "plus", "led", "with_leader", "bonus_phase"]

BEST, NOTHING = "best", "none"
"""The words for a target of an effect that isn't a card: the AI's own choice, or no target."""


class TableCard(Record, frozen=True, kw_only=True):
    """A card on the table.

    bp: its Battle Points, fixed when it was played; up: whether it is face-up, otherwise it is cancelled;
    round: the Combat Round when it was played, 3 for the Bonus phase; link: the card it was added to, or the
    leader that led it.
    """

    card: CardId
    bp: int
    up: bool = True
    round: int
    how: How
    link: CardId | None = None


class Army(Record, frozen=True, kw_only=True):
    """One side. row: its cards on the table, in order of play; captured: enemy cards, which are its score."""

    nation: Nation
    hand: tuple[CardId, ...] = ()
    row: tuple[TableCard, ...] = ()
    captured: tuple[CardId, ...] = ()


class Stack(Record, frozen=True, kw_only=True):
    """A deck, with the next card first, and its discard pile, with the top card last.

    shown: whether the top of the discard pile is face-up.
    """

    deck: tuple[CardId, ...] = ()
    discards: tuple[CardId, ...] = ()
    shown: bool = False


class HandSplit(Record, frozen=True, kw_only=True):
    """The number of cards from each deck in the player's hand."""

    neutral: int
    nationality: int
    bonus: int

    @property
    def text(self) -> str:
        """Return the split in figures, Neutral first: ``4/4/1``."""
        return f"{self.neutral}/{self.nationality}/{self.bonus}"


class AiDecision(Record, frozen=True, kw_only=True):
    """The reason for a play of the AI, as data. case: the procedure; clause: its clause on the sheet.

    key, next: the values of its choice and of the next best one, in the order of `measures`. next is None if
    there was no other. dice: the rolls; cards: the cards that it concerns; kind: the kind of card that the
    Bonus phase called for; both: whether either kind could take a card out of play.
    """

    case: Case
    clause: str
    measures: tuple[str, ...] = ()
    key: tuple[int, ...] = ()
    next: tuple[int, ...] | None = None
    dice: tuple[int, ...] = ()
    cards: tuple[CardId, ...] = ()
    kind: Literal["bonus", "joker"] | None = None
    both: bool = False


class State(Record, frozen=True, kw_only=True):
    """A whole campaign.

    changes: the owner's cards that differ from ours; options: the settled options without the owner's list;
    turn: the number of the Turn, from 1; stage: the part of the Turn that waits for the player; armies: by
    side; piles: by deck; aside: cards that wait for the AI as Defender; removed: cards that nobody uses;
    spare: cards that can come in by an exchange.

    die: the number that determined the AI's hand; event: the Random Event of this Turn; waits: whether the
    player can still cancel it; force: the events in force.

    Standing orders: leader (the player's cards against a leader of the AI), split (of the next hand), named
    (the length from an order), wishes (exchanges before Turn 6).

    laid: the cards that the AI played in this Turn, and lost: the player's cards that left the table in it,
    both for conditions; exhausted: the nation whose deck and discard pile were empty at a draw; shuffles: the
    number of shuffles so far, because each shuffle has its own label.
    """

    options: dict[str, str | int | bool]
    changes: tuple[Card, ...] = ()
    turn: int = 1
    stage: Stage
    armies: dict[Seat, Army]
    piles: dict[Pile, Stack] = {}
    aside: tuple[CardId, ...] = ()
    removed: tuple[CardId, ...] = ()
    spare: tuple[CardId, ...] = ()
    die: int = 0
    event: CardId | None = None
    waits: bool = False
    force: tuple[CardId, ...] = ()
    leader: tuple[CardId, ...] = ()
    split: HandSplit | None = None
    named: int | None = None
    wishes: tuple["ExchangePair", ...] = ()
    laid: tuple[CardId, ...] = ()
    lost: tuple[CardId, ...] = ()
    exhausted: Nation | None = None
    shuffles: int = 0
    ended: str | None = None

    @property
    def book(self) -> Book:
        """Return the cards of this game."""
        return book(self.changes)

    @property
    def round(self) -> int:
        """Return the Combat Round, or 3 after both."""
        return {"round 1": 1, "round 2": 2}.get(self.stage, 3)

    @property
    def attacker(self) -> Seat:
        """Return the attacker, which is the player in odd Turns. Source: GW38."""
        return PLAYER if self.turn % 2 else AI

    @property
    def length(self) -> int:
        """Return the Turn after which the campaign ends, as far as it is known."""
        return self.named or int(self.options["turns"])

    def with_army(self, seat: Seat, army: Army) -> "State":
        """Return the state with another army for a side."""
        return replace_fields(self, armies={**self.armies, seat: army})

    def total(self, seat: Seat) -> int:
        """Return the Battle Points of a side's face-up cards. Source: GW-5.1."""
        return sum(table_card.bp for table_card in self.armies[seat].row if table_card.up)

    def margin(self, seat: Seat) -> int:
        """Return a side's total minus the enemy's total."""
        return self.total(seat) - self.total(other(seat))

    def score(self, seat: Seat) -> int:
        """Return the printed Battle Points that a side has captured. Source: GW35."""
        return sum(self.book[card_id].bp for card_id in self.armies[seat].captured)

    def role(self, seat: Seat) -> Role:
        """Return whether a side attacks or defends in this Turn."""
        return "attack" if self.attacker == seat else "defend"

    def pile_of(self, card_id: CardId) -> Pile:
        """Return the pile that a card goes to."""
        return self.book[card_id].play_deck


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # Only the type checker needs to tell them apart.


class ExchangePair(Record, frozen=True, kw_only=True):
    """An exchange of a card for a White card."""

    white: CardId
    for_: CardId


def other(seat: Seat) -> Seat:
    """Return the opponent of a side."""
    return AI if seat == PLAYER else PLAYER


def other_nation(nation: Nation) -> Nation:
    """Return the enemy of a nation."""
    return NATIONS[1 - NATIONS.index(nation)]


OWES: Mapping[Stage, tuple[str, str]] = {
    "set-up": ("begin", "great_war.owed.begin"),
    "round 1": ("round 1", "great_war.owed.round_1"),
    "round 2": ("round 2", "great_war.owed.round_2"),
    "length": ("turns", "great_war.owed.length"),
}
"""By stage, the slot of the order that is due, and the catalogue entry of its name. Others have none."""


class CardPlay(Record, frozen=True, kw_only=True):
    """A card in an order.

    aims: the targets of its effect, which are ids, BEST or NOTHING; wild: whether a Joker is added as a link.
    """

    card: CardId
    aims: tuple[str, ...] = ()
    wild: bool = False


class Lay(Order, frozen=True, kw_only=True):
    """A Combat Round: ``ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS + B-10H``. Without cards it is a pass.

    led: the cards that the base leads; helper: the card that lets it lead one more; plus: the cards that are
    added by links.
    """

    role: Role
    number: Literal[1, 2]
    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for each Combat Round."""
        return f"round {self.number}"

    @property
    def part(self) -> str:
        """Return the end of the turn's name: ``R2``."""
        return f"R{self.number}"

    @property
    def plays(self) -> tuple[CardPlay, ...]:
        """Return the cards in the order written, without the helper."""
        return (*((self.base,) if self.base else ()), *self.led, *self.plus)

    @property
    def cards(self) -> tuple[CardId, ...]:
        """Return the ids of all cards in the order."""
        card_ids = [play.card for play in self.plays]
        return (*card_ids, self.helper) if self.helper else tuple(card_ids)


class Strike(Order, frozen=True, kw_only=True):
    """A Joker as the base of a Combat Round, to cancel a card: ``CANCEL R-KH WITH B-JK1``."""

    number: Literal[1, 2]
    joker: CardId
    aim: str

    @property
    def slot(self) -> str:
        """Return the slot of the order, which can be combined with the other cards of its Round."""
        return f"joker {self.number}"

    @property
    def part(self) -> str:
        """Return the end of the turn's name: ``R2``."""
        return f"R{self.number}"


class GuardLeader(Order, frozen=True, kw_only=True):
    """A standing order to cancel a leader: ``CANCEL LEADER WITH B07, B-JK1``. No cards withdraws it."""

    cards: tuple[CardId, ...] = ()

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for the whole game."""
        return "cancel leader"


class StopEvent(Order, frozen=True, kw_only=True):
    """An order to cancel the Random Event: ``CANCEL EVENT WITH B05``."""

    card: CardId

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for each Turn."""
        return "cancel event"


class BonusPlay(Order, frozen=True, kw_only=True):
    """The card of the Bonus phase, or None: ``BONUS: B08 > R-KH``. led: a card that it lets a leader lead."""

    play: CardPlay | None = None
    led: CardPlay | None = None

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for each Turn."""
        return "bonus"

    @property
    def part(self) -> str:
        """Return the end of the turn's name: ``B`` for the Bonus phase."""
        return "B"


class Blockade(Order, frozen=True, kw_only=True):
    """The targets of blockades at the end of a Turn: ``BLOCKADE: B-2S > R-QS``. Without plays, the best."""

    plays: tuple[CardPlay, ...]

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for each Turn."""
        return "blockade"

    @property
    def part(self) -> str:
        """Return the end of the turn's name: ``B``, because it is sent with the Bonus phase."""
        return "B"


class Draw(Order, frozen=True, kw_only=True):
    """The split of the next hand: ``DRAW 4/4/1``."""

    parts: HandSplit

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for the next hand."""
        return "draw"


class Exchange(Order, frozen=True, kw_only=True):
    """An exchange of a card: ``EXCHANGE W10 FOR B-QD``. Leaders go in two pairs, one for each side."""

    pairs: tuple[ExchangePair, ...]

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for each White card."""
        return f"exchange {self.pairs[0].white}"


class Length(Order, frozen=True, kw_only=True):
    """``TURNS 10`` to continue after Turn 5, ``TURNS 5`` to stop there."""

    turns: int

    @property
    def slot(self) -> str:
        """Return the slot of the order: one for the campaign."""
        return "turns"


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the end of the set-up."""

    @property
    def slot(self) -> str:
        """Return the slot of the order that ends the set-up."""
        return "begin"


AnyOrder = Lay | Strike | GuardLeader | StopEvent | BonusPlay | Blockade | Draw | Exchange | Length | Begin


# Formations: a base with all cards added to it, as they are on the table.


class Formation(Value, frozen=True):
    """A base, and the cards added to it with their number of links to the base."""

    base: TableCard
    under: tuple[tuple[TableCard, int], ...]

    @property
    def depth(self) -> int:
        """Return the length of the longest chain of links."""
        return max((deep for _, deep in self.under), default=0)


def group_formations(row: Sequence[TableCard]) -> tuple[Formation, ...]:
    """Return a row in formations, in the order of their bases.

    If a card was added to a card that has left the table, it is a base itself.
    """
    there = {table_card.card for table_card in row}
    return tuple(
        Formation(base=table_card, under=tuple(_cards_under(row, table_card, 1)))
        for table_card in row
        if table_card.link not in there
    )


def _cards_under(row: Sequence[TableCard], host: TableCard, deep: int) -> Iterator[tuple[TableCard, int]]:
    for table_card in row:
        if table_card.link == host.card and table_card.card != host.card:
            yield table_card, deep
            yield from _cards_under(row, table_card, deep + 1)
