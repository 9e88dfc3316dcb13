"""The nouns of War Chest: sides and zones, stacks, the state, orders, what is still to be done."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from games.dice import Dice
from games.protocol import Order, Seat
from games.record import Record, Value, replace_fields
from games.war_chest.board import Hex
from games.war_chest.components import Card, Coin, sorted_coins
from games.war_chest.owner_data import Box, box

PLAYER, AUTOMATON = Seat("player"), Seat("ai")
GOLD, SILVER = Seat("gold"), Seat("silver")

Act = Literal["move", "attack", "control"]

DRAFT, COIN, DRAWN, LOSS = "the draft", "your turn", "the coin drawn", "the Royal Guard's loss"
"""What orders are due for, as a person is told."""


class Side(Record, frozen=True, kw_only=True):
    """One side's zones. cards: in the order dealt or picked.

    bag, hand, face_up, face_down: coins in the order of their names; drawn: the coin that a Warrior Priest
    drew and that has to be used now; supply, removed: how many of each card; recent: by card, the number of
    its owner's turn in which it was last maneuvered (7.9), missing if never; turns: played so far.
    """

    cards: tuple[Card, ...] = ()
    bag: tuple[Coin, ...] = ()
    hand: tuple[Coin, ...] = ()
    drawn: Coin | None = None
    face_up: tuple[Coin, ...] = ()
    face_down: tuple[Coin, ...] = ()
    supply: dict[Card, int] = {}
    removed: dict[Card, int] = {}
    recent: dict[Card, int] = {}
    turns: int = 0


class Stack(Record, frozen=True, kw_only=True):
    """A unit: coins of one card on one hex."""

    seat: Seat
    card: Card
    at: Hex
    height: int = 1


class ManeuverStep(Record, frozen=True, kw_only=True):
    """One maneuver as ordered. at: where the unit stands, None for the only one of its card.

    to: a hex, or for an attack also the card of an enemy unit, wherever it stands; None for control.
    """

    card: Card
    at: Hex | None = None
    act: Act
    to: str | None = None


class Do(Record, frozen=True, kw_only=True, tag=True):
    """Still to be done: a maneuver of a unit. pay: it costs a coin of its stack (Berserker)."""

    seat: Seat
    card: Card
    at: Hex
    act: Act
    to: Hex
    pay: bool = False


class PriestDraw(Record, frozen=True, kw_only=True, tag=True):
    """Still to be done: draw a coin for a Warrior Priest."""

    seat: Seat


class UseDrawn(Record, frozen=True, kw_only=True, tag=True):
    """Wanted: what is done with the coin drawn."""

    seat: Seat


class ChooseLoss(Record, frozen=True, kw_only=True, tag=True):
    """Wanted from the owner of a Royal Guard that was attacked: a coin of the stack or of the supply."""

    seat: Seat
    at: Hex


class Charge(Record, frozen=True, kw_only=True, tag=True):
    """Wanted from the automaton: the attack of a Cavalry that has moved."""

    seat: Seat
    card: Card


class FollowUp(Record, frozen=True, kw_only=True, tag=True):
    """Wanted from the automaton: the move of a Swordsman that has attacked."""

    seat: Seat
    card: Card


class Again(Record, frozen=True, kw_only=True, tag=True):
    """Wanted from the automaton under a Royal Coin: one more recruit (card None), or a unit's maneuver."""

    seat: Seat
    card: Card | None = None


Task = Do | PriestDraw | UseDrawn | ChooseLoss | Charge | FollowUp | Again
DECISIONS = (UseDrawn, ChooseLoss, Charge, FollowUp, Again)
"""The tasks that wait for an order of their seat; the others are done at once."""


class State(Record, frozen=True, kw_only=True):
    """A whole game.

    number, part: of the turn, and of the decision within it; mover: whose turn it is; revealed: the coin that
    the automaton drew for this turn; agenda: what is still to be done in it, the first thing first.
    stacks: in the fixed order of hexes; control: the owner of each location that has one.
    offer, picks: in a draft, the cards shown and who takes how many, the next one first.
    initiative, claimed: who begins the next round, and whether that was claimed in this round.
    struck: by seat, the cards of its units that were attacked since it last had a coin to play.
    """

    options: dict[str, str | int | bool]
    number: int = 1
    part: int = 1
    mover: Seat
    revealed: Coin | None = None
    agenda: tuple[Task, ...] = ()
    sides: dict[Seat, Side]
    stacks: tuple[Stack, ...] = ()
    control: dict[Hex, Seat]
    offer: tuple[Card, ...] = ()
    picks: tuple[tuple[Seat, int], ...] = ()
    initiative: Seat | None = None
    claimed: bool = False
    struck: dict[Seat, tuple[Card, ...]] = {}
    winners: tuple[Seat, ...] = ()
    ended: str | None = None

    @property
    def is_solo(self) -> bool:
        """Return whether the automaton plays."""
        return AUTOMATON in self.sides

    @property
    def box(self) -> Box:
        """Return the data that it is played with."""
        return box(self.options)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both sides, the one at the bottom first."""
        return (PLAYER, AUTOMATON) if self.is_solo else (GOLD, SILVER)

    def other(self, seat: Seat) -> Seat:
        """The opponent of a seat."""
        first, second = self.seats
        return second if seat == first else first

    def stack_at(self, at: Hex) -> Stack | None:
        """The unit on a hex."""
        return next((stack for stack in self.stacks if stack.at == at), None)

    def units(self, seat: Seat, card: Card | None = None) -> tuple[Stack, ...]:
        """A side's units on the board, all or those of one card."""
        return tuple(s for s in self.stacks if s.seat == seat and card in (None, s.card))

    def markers(self, seat: Seat) -> int:
        """Return how many locations a side controls."""
        return sum(owner == seat for owner in self.control.values())

    def with_side(self, seat: Seat, side: Side) -> "State":
        """The state with another side of a seat."""
        return replace_fields(self, sides={**self.sides, seat: side})


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


class Pick(Order, frozen=True, kw_only=True):
    """``pick Archer``: one card of a draft."""

    card: Card


class Deploy(Order, frozen=True, kw_only=True):
    """``deploy Archer b1``"""

    card: Card
    at: Hex


class Bolster(Order, frozen=True, kw_only=True):
    """``bolster Archer``; at: where, for one of two Footmen."""

    card: Card
    at: Hex | None = None


class Maneuver(Order, frozen=True, kw_only=True):
    """``Archer - d4``, ``Marshall orders Archer attacks d4``: moves, attacks, control, tactics.

    card: whose coin is played; steps: what is done, in order. royal: it is paid with the Royal Coin.
    """

    card: Card
    steps: tuple[ManeuverStep, ...]
    royal: bool = False


class Recruit(Order, frozen=True, kw_only=True):
    """``recruit Archer with Scout``; then: what a Mercenary that was recruited does at once.

    coin: what it is paid with; None: the only coin that there is, or the Royal Coin.
    """

    card: Card
    coin: Coin | None = None
    then: tuple[ManeuverStep, ...] = ()


class Claim(Order, frozen=True, kw_only=True):
    """``claim initiative with Scout``"""

    coin: Coin | None = None


class Pass(Order, frozen=True, kw_only=True):
    """``pass with Scout``"""

    coin: Coin | None = None


class Lose(Order, frozen=True, kw_only=True):
    """``lose a coin of the stack``: what an attacked Royal Guard loses."""

    source: Literal["stack", "supply"]


AnyOrder = Pick | Deploy | Bolster | Maneuver | Recruit | Claim | Pass | Lose


class ListDecision(Record, frozen=True, kw_only=True):
    """One list of priorities as the automaton worked through it.

    clause: of the list ("7.5"); narrowed: the criteria that sent candidates away, from 1; decided: the one
    that left a single candidate, 0 if there was only one, the last one on a tie; left: what was left then;
    taken: which of these it took.
    """

    clause: str
    narrowed: tuple[int, ...] = ()
    decided: int = 0
    left: tuple[str, ...] = ()
    taken: str

    @property
    def criterion(self) -> str:
        """The criterion by its number in full: "7.5.2"; the bare clause where none was needed."""
        return f"{self.clause}.{self.decided}" if self.decided else self.clause


def without(counts: Mapping[Card, int], card: Card) -> dict[Card, int]:
    """Counts with one coin of a card less."""
    return {**counts, card: counts[card] - 1}


def with_one(counts: Mapping[Card, int], card: Card) -> dict[Card, int]:
    """Counts with one coin of a card more."""
    return {**counts, card: counts.get(card, 0) + 1}


# Coins on their way between bag, hand, discard and supply.


class CoinDraw(Value, frozen=True):
    """Coins drawn: the side without them, the coins, and whether the discard pile was put into the bag."""

    side: Side
    coins: tuple[Coin, ...]
    refilled: bool


def without_one(coins: tuple[Coin, ...], coin: Coin) -> tuple[Coin, ...]:
    """Return coins with one of a kind less. There must be one."""
    place = coins.index(coin)
    return coins[:place] + coins[place + 1 :]


def draw(side: Side, count: int, dice: Dice, label: str) -> CoinDraw:
    """Draw coins from the bag; when it is empty the whole discard pile goes in first.

    Fewer than wanted are drawn where there are fewer. Source: clause 4.refill.
    """
    side, coins = _from_bag(side, count, dice, label)
    refilled = len(coins) < count and bool(side.face_up or side.face_down)
    if refilled:
        bag = sorted_coins((*side.face_up, *side.face_down))
        side, more = _from_bag(
            replace_fields(side, bag=bag, face_up=(), face_down=()),
            count - len(coins),
            dice,
            f"{label}/refilled",
        )
        coins += more
    return CoinDraw(side, coins, refilled)


def _from_bag(side: Side, count: int, dice: Dice, label: str) -> tuple[Side, tuple[Coin, ...]]:
    count = min(count, len(side.bag))
    if count == 0:
        return side, ()
    places = {number - 1 for number in dice.draw(label, len(side.bag), count)}
    coins = tuple(coin for place, coin in enumerate(side.bag) if place in places)
    bag = tuple(coin for place, coin in enumerate(side.bag) if place not in places)
    return replace_fields(side, bag=bag), coins


def without_coin(side: Side, coin: Coin) -> Side:
    """The side without a coin that it plays: the one drawn for a Warrior Priest, else one of its hand."""
    if side.drawn is not None:
        assert side.drawn == coin, "the coin drawn has to be used"
        return replace_fields(side, drawn=None)
    return replace_fields(side, hand=without_one(side.hand, coin))


def add_to_discard(side: Side, coin: Coin, *, face_up: bool) -> Side:
    """Return the side with one coin more on its discard pile."""
    if face_up:
        return replace_fields(side, face_up=sorted_coins((*side.face_up, coin)))
    return replace_fields(side, face_down=sorted_coins((*side.face_down, coin)))


def recruit_coin(side: Side, card: Card) -> Side:
    """Return the side with a coin of the supply face-up on its discard pile. Source: clause 5.recruit."""
    return add_to_discard(replace_fields(side, supply=without(side.supply, card)), card, face_up=True)


def remove_from_game(side: Side, card: Card) -> Side:
    """Return the side with one coin of a card more out of the game."""
    return replace_fields(side, removed=with_one(side.removed, card))
