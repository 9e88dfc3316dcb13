"""The nouns of The Great War: armies and piles, formations, the state, what may be ordered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from games.great_war.components import NATIONS, Book, Card, CardId, Nation, Pile, book
from games.protocol import Order, Seat
from games.record import Record, Value, replace_fields

PLAYER, AI = Seat("player"), Seat("ai")
"""The two sides; the AI is no seat, since rules and dice play it."""

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
"""What may stand for the target of an effect: the AI's own choice, or nothing at all."""


class TableCard(Record, frozen=True, kw_only=True):
    """A card on the table. bp: current Battle Points, fixed when it was laid; up: face-up, else cancelled.

    round: in which Combat Round it was laid, 3 for the Bonus phase; link: the card that it was added to, or
    the leader that led it.
    """

    card: CardId
    bp: int
    up: bool = True
    round: int
    how: How
    link: CardId | None = None


class Army(Record, frozen=True, kw_only=True):
    """One side. row: its cards on the table, in the order laid; captured: enemy cards, its score."""

    nation: Nation
    hand: tuple[CardId, ...] = ()
    row: tuple[TableCard, ...] = ()
    captured: tuple[CardId, ...] = ()


class Stack(Record, frozen=True, kw_only=True):
    """A deck, the next card first, and its discard pile, the top last. shown: whether the top is face-up."""

    deck: tuple[CardId, ...] = ()
    discards: tuple[CardId, ...] = ()
    shown: bool = False


class HandSplit(Record, frozen=True, kw_only=True):
    """The split of a hand."""

    neutral: int
    nationality: int
    bonus: int

    @property
    def text(self) -> str:
        """In figures: ``4/4/1``, Neutral first."""
        return f"{self.neutral}/{self.nationality}/{self.bonus}"


class AiDecision(Record, frozen=True, kw_only=True):
    """Why the AI played as it did, as data. case: which procedure; clause: of the sheet.

    key, next: what its choice came to and what the next best one did, in the order of `measures` (None: there
    was no other). dice: what was thrown; cards: what it was about; kind, both: of the Bonus phase, which kind
    of card it had to be, and whether either kind could have taken a card out of play.
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

    changes: the cards that are the owner's and not ours; options: settled, without the owner's list.
    turn: from 1; stage: what is wanted of the player; armies: by side; piles: by deck; aside: cards that wait
    for the AI Defender; removed: those that nobody plays with; spare: cards that may come in by exchange.
    die: the number that made the AI's hand; event: the Random Event of this Turn; waits: whether the player
    may still cancel it; force: the events that are in force. Standing: leader (his cards that are to cancel a
    leader of the AI), split (of his next hand), named (the length he named in a letter), wishes (exchanges
    before Turn 6). laid: what the AI laid in this Turn, lost: the player's cards that left the table in it,
    both for his conditions. exhausted: the nation of which no card could be drawn. shuffles: how often a pile
    was shuffled, since each shuffle has a label of its own.
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
        """The cards of this game."""
        return book(self.changes)

    @property
    def round(self) -> int:
        """The Combat Round, 3 for what comes after both."""
        return {"round 1": 1, "round 2": 2}.get(self.stage, 3)

    @property
    def attacker(self) -> Seat:
        """Return who attacks: the player in odd Turns. Source: GW38."""
        return PLAYER if self.turn % 2 else AI

    @property
    def length(self) -> int:
        """After how many Turns the campaign ends, as far as it is known."""
        return self.named or int(self.options["turns"])

    def with_army(self, seat: Seat, army: Army) -> "State":
        """The state with another army of a side."""
        return replace_fields(self, armies={**self.armies, seat: army})

    def total(self, seat: Seat) -> int:
        """The Battle Points of a side's face-up cards. Source: GW-5.1."""
        return sum(table_card.bp for table_card in self.armies[seat].row if table_card.up)

    def margin(self, seat: Seat) -> int:
        """A side's total less the enemy's."""
        return self.total(seat) - self.total(other(seat))

    def score(self, seat: Seat) -> int:
        """The printed Battle Points that a side has captured. Source: GW35."""
        return sum(self.book[card_id].bp for card_id in self.armies[seat].captured)

    def role(self, seat: Seat) -> Role:
        """Return whether a side attacks or defends in this Turn."""
        return "attack" if self.attacker == seat else "defend"

    def pile_of(self, card_id: CardId) -> Pile:
        """The pile to which a card goes."""
        return self.book[card_id].play_deck


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


class ExchangePair(Record, frozen=True, kw_only=True):
    """An exchange: a White card comes in for another."""

    white: CardId
    for_: CardId


def other(seat: Seat) -> Seat:
    """The opponent."""
    return AI if seat == PLAYER else PLAYER


def other_nation(nation: Nation) -> Nation:
    """The enemy nation."""
    return NATIONS[1 - NATIONS.index(nation)]


OWES: Mapping[Stage, tuple[str, str]] = {
    "set-up": ("begin", "great_war.owed.begin"),
    "round 1": ("round 1", "great_war.owed.round_1"),
    "round 2": ("round 2", "great_war.owed.round_2"),
    "length": ("turns", "great_war.owed.length"),
}
"""By stage, the slot of the order that is due, and the catalogue entry of its name. Others have none."""


class CardPlay(Record, frozen=True, kw_only=True):
    """A card of an order. aims: targets of its effect, ids, BEST or NOTHING; wild: a Joker as a link."""

    card: CardId
    aims: tuple[str, ...] = ()
    wild: bool = False


class Lay(Order, frozen=True, kw_only=True):
    """``ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS + B-10H``: a Combat Round; without any card, a pass.

    led: by the base, a leader; helper: what is laid with it to lead one card more; plus: added by links.
    """

    role: Role
    number: Literal[1, 2]
    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()

    @property
    def slot(self) -> str:
        """One for each Round."""
        return f"round {self.number}"

    @property
    def part(self) -> str:
        """``R2``: the end of the name of its turn."""
        return f"R{self.number}"

    @property
    def plays(self) -> tuple[CardPlay, ...]:
        """Its cards in the order written, without the helper."""
        return (*((self.base,) if self.base else ()), *self.led, *self.plus)

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The ids of all its cards."""
        card_ids = [play.card for play in self.plays]
        return (*card_ids, self.helper) if self.helper else tuple(card_ids)


class Strike(Order, frozen=True, kw_only=True):
    """``CANCEL R-KH WITH B-JK1``: a Joker as the base of a Round, as a cancel."""

    number: Literal[1, 2]
    joker: CardId
    aim: str

    @property
    def slot(self) -> str:
        """Beside the other cards of its Round."""
        return f"joker {self.number}"

    @property
    def part(self) -> str:
        """``R2``."""
        return f"R{self.number}"


class GuardLeader(Order, frozen=True, kw_only=True):
    """``CANCEL LEADER WITH B07, B-JK1``: standing; none: withdrawn."""

    cards: tuple[CardId, ...] = ()

    @property
    def slot(self) -> str:
        """One standing order."""
        return "cancel leader"


class StopEvent(Order, frozen=True, kw_only=True):
    """``CANCEL EVENT WITH B05``"""

    card: CardId

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "cancel event"


class BonusPlay(Order, frozen=True, kw_only=True):
    """``BONUS: B08 > R-KH``: one card in the Bonus phase; None: nothing. led: what it lets be led."""

    play: CardPlay | None = None
    led: CardPlay | None = None

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "bonus"

    @property
    def part(self) -> str:
        """``B``: the Bonus phase."""
        return "B"


class Blockade(Order, frozen=True, kw_only=True):
    """``BLOCKADE: B-2S > R-QS``: what blockades take at the end of a Turn; none named: the best."""

    plays: tuple[CardPlay, ...]

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "blockade"

    @property
    def part(self) -> str:
        """``B``: with the end of the Turn."""
        return "B"


class Draw(Order, frozen=True, kw_only=True):
    """``DRAW 4/4/1``: how the next hand is split."""

    parts: HandSplit

    @property
    def slot(self) -> str:
        """One for the next hand."""
        return "draw"


class Exchange(Order, frozen=True, kw_only=True):
    """``EXCHANGE W10 FOR B-QD``; two pairs for leaders, one of each side."""

    pairs: tuple[ExchangePair, ...]

    @property
    def slot(self) -> str:
        """One for each White card."""
        return f"exchange {self.pairs[0].white}"


class Length(Order, frozen=True, kw_only=True):
    """``TURNS 10``: go on after Turn 5; ``TURNS 5``: stop there."""

    turns: int

    @property
    def slot(self) -> str:
        """One for the campaign."""
        return "turns"


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the set-up is over."""

    @property
    def slot(self) -> str:
        """Return the slot of the order that ends the set-up."""
        return "begin"


AnyOrder = Lay | Strike | GuardLeader | StopEvent | BonusPlay | Blockade | Draw | Exchange | Length | Begin


# Formations: a base with all that was added to it, as the cards of a row lie on the table.


class Formation(Value, frozen=True):
    """A card that was added to none, and those below it with how many links part each from it."""

    base: TableCard
    under: tuple[tuple[TableCard, int], ...]

    @property
    def depth(self) -> int:
        """The longest chain of links in it."""
        return max((deep for _, deep in self.under), default=0)


def group_formations(row: Sequence[TableCard]) -> tuple[Formation, ...]:
    """Return a row in formations, in the order in which their bases were laid.

    What was added to a card that has left the table is a base of its own.
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
