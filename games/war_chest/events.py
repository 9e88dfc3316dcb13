"""The events of War Chest, one for each thing that is reported."""

from typing import Literal

from games.protocol import Event, Seat
from games.war_chest.board import Hex
from games.war_chest.components import Card, Coin
from games.war_chest.model import AnyOrder, ListDecision


class Dealt(Event, frozen=True, kw_only=True):
    """A side received its cards."""

    seat: Seat
    cards: tuple[Card, ...]


class Picked(Event, frozen=True, kw_only=True):
    """A side picked a card in a draft."""

    seat: Seat
    card: Card


class Revealed(Event, frozen=True, kw_only=True):
    """The automaton drew a coin.

    reloaded: whether its empty bag was refilled first, with one more Royal Coin.
    """

    seat: Seat
    coin: Coin
    reloaded: bool = False


class Drew(Event, frozen=True, kw_only=True):
    """A side drew coins: the public part of the event.

    refilled: whether the discard pile went into the bag first. priest: whether a Warrior Priest drew the
    coin.
    """

    seat: Seat
    count: int
    refilled: bool = False
    priest: bool = False


class DrewCoins(Event, frozen=True, kw_only=True):
    """A side drew these coins: the part of the event that only the side sees."""

    seat: Seat
    coins: tuple[Coin, ...]


class Spent(Event, frozen=True, kw_only=True):
    """A side played this coin face-down: the part of the event that only the side sees."""

    seat: Seat
    coin: Coin


class Deployed(Event, frozen=True, kw_only=True):
    """A unit was deployed on the board."""

    seat: Seat
    card: Card
    at: Hex
    why: tuple[ListDecision, ...] = ()


class Bolstered(Event, frozen=True, kw_only=True):
    """A unit was bolstered with a coin. height: its coins afterwards."""

    seat: Seat
    card: Card
    at: Hex
    height: int
    why: tuple[ListDecision, ...] = ()


class Moved(Event, frozen=True, kw_only=True):
    """A unit moved one step."""

    seat: Seat
    card: Card
    at: Hex
    to: Hex
    why: tuple[ListDecision, ...] = ()


class Attacked(Event, frozen=True, kw_only=True):
    """A unit attacked another one.

    left: the target's height after the attack. source: the place where it lost the coin, None if its owner
    must still choose. riposte: the height of the attacker after a Pikeman's riposte, None if there was no
    riposte.
    """

    seat: Seat
    card: Card
    at: Hex
    victim: Seat
    target: Card
    to: Hex
    left: int
    source: Literal["stack", "supply"] | None = "stack"
    riposte: int | None = None
    why: tuple[ListDecision, ...] = ()


class Lost(Event, frozen=True, kw_only=True):
    """The owner of an attacked Royal Guard chose its loss. left: the unit's height afterwards."""

    seat: Seat
    at: Hex
    left: int
    source: Literal["stack", "supply"]


class Controlled(Event, frozen=True, kw_only=True):
    """A side took control of a location.

    was: the side that controlled it before. markers: the number of markers that the new owner has placed.
    """

    seat: Seat
    card: Card
    at: Hex
    was: Seat | None
    markers: int
    why: tuple[ListDecision, ...] = ()


class Paid(Event, frozen=True, kw_only=True):
    """A Berserker paid a coin of its stack for another maneuver. left: its height afterwards."""

    seat: Seat
    card: Card
    at: Hex
    left: int


class Recruited(Event, frozen=True, kw_only=True):
    """A coin went from the supply to the discard pile."""

    seat: Seat
    card: Card
    why: tuple[ListDecision, ...] = ()


class Claimed(Event, frozen=True, kw_only=True):
    """A side claimed the initiative."""

    seat: Seat


class Passed(Event, frozen=True, kw_only=True):
    """A side passed. reason: "nothing-to-recruit" if the automaton has nothing to recruit, otherwise ""."""

    seat: Seat
    reason: str = ""


class Idle(Event, frozen=True, kw_only=True):
    """A unit did not do what was due, since it could not. code: the reason, as in the message catalogue."""

    seat: Seat
    card: Card
    code: str


class Refused(Event, frozen=True, kw_only=True):
    """An order was illegal when its turn came, so the side passed.

    code, detail: the code and the details of the objection.
    """

    seat: Seat
    order: AnyOrder
    code: str
    detail: dict[str, str] = {}


class Round(Event, frozen=True, kw_only=True):
    """A new round of a game of two players began."""

    first: Seat


class Ended(Event, frozen=True, kw_only=True):
    """The game is over. winners: empty for a draw."""

    winners: tuple[Seat, ...]
    reason: Literal["markers", "turns"]


Action = Deployed | Moved | Attacked | Bolstered | Controlled | Recruited
"""The actions of coins that change the board or the supply."""

AnyEvent = (
    Dealt | Picked | Revealed | Drew | DrewCoins | Spent | Deployed | Bolstered | Moved | Attacked | Lost
    | Controlled | Paid | Recruited | Claimed | Passed | Idle | Refused | Round | Ended
)  # fmt: skip
