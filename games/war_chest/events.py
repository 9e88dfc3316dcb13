"""The events of War Chest: one for each thing that is reported."""

from typing import Literal

from games.protocol import Event, Seat
from games.war_chest.board import Hex
from games.war_chest.components import Card, Coin
from games.war_chest.model import AnyOrder, ListDecision


class Dealt(Event, frozen=True, kw_only=True):
    """A side has its cards."""

    seat: Seat
    cards: tuple[Card, ...]


class Picked(Event, frozen=True, kw_only=True):
    """A card was picked in a draft."""

    seat: Seat
    card: Card


class Revealed(Event, frozen=True, kw_only=True):
    """The automaton drew a coin. reloaded: its bag was empty and was filled, with one more Royal Coin."""

    seat: Seat
    coin: Coin
    reloaded: bool = False


class Drew(Event, frozen=True, kw_only=True):
    """A side drew coins: what everybody sees of it. refilled: the discard pile went into the bag before."""

    seat: Seat
    count: int
    refilled: bool = False
    priest: bool = False


class DrewCoins(Event, frozen=True, kw_only=True):
    """Which coins a side drew: for its eyes only."""

    seat: Seat
    coins: tuple[Coin, ...]


class Spent(Event, frozen=True, kw_only=True):
    """Which coin a side played face-down: for its eyes only."""

    seat: Seat
    coin: Coin


class Deployed(Event, frozen=True, kw_only=True):
    """A unit was put on the board."""

    seat: Seat
    card: Card
    at: Hex
    why: tuple[ListDecision, ...] = ()


class Bolstered(Event, frozen=True, kw_only=True):
    """A coin was added to a unit."""

    seat: Seat
    card: Card
    at: Hex
    height: int
    why: tuple[ListDecision, ...] = ()


class Moved(Event, frozen=True, kw_only=True):
    """A unit made one step."""

    seat: Seat
    card: Card
    at: Hex
    to: Hex
    why: tuple[ListDecision, ...] = ()


class Attacked(Event, frozen=True, kw_only=True):
    """A unit was attacked. left: the height of its stack after it; source: whence its coin was lost.

    source None: its owner is asked whence. riposte: the coins that a Pikeman left its attacker, else None.
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
    """The owner of a Royal Guard said whence it lost a coin."""

    seat: Seat
    at: Hex
    left: int
    source: Literal["stack", "supply"]


class Controlled(Event, frozen=True, kw_only=True):
    """A location was taken. was: who had it. markers: how many the side has now."""

    seat: Seat
    card: Card
    at: Hex
    was: Seat | None
    markers: int
    why: tuple[ListDecision, ...] = ()


class Paid(Event, frozen=True, kw_only=True):
    """A Berserker paid a coin of its stack for another maneuver."""

    seat: Seat
    card: Card
    at: Hex
    left: int


class Recruited(Event, frozen=True, kw_only=True):
    """A coin came from the supply into the discard pile."""

    seat: Seat
    card: Card
    why: tuple[ListDecision, ...] = ()


class Claimed(Event, frozen=True, kw_only=True):
    """A side took the initiative."""

    seat: Seat


class Passed(Event, frozen=True, kw_only=True):
    """A side did nothing with its coin. reason: "nothing-to-recruit" for the automaton."""

    seat: Seat
    reason: str = ""


class Idle(Event, frozen=True, kw_only=True):
    """Something was left out: a bonus or a maneuver that was not possible. code: why."""

    seat: Seat
    card: Card
    code: str


class Refused(Event, frozen=True, kw_only=True):
    """An order was not lawful when its time came, so the side passed. code, detail: as its objection's."""

    seat: Seat
    order: AnyOrder
    code: str
    detail: dict[str, str] = {}


class Round(Event, frozen=True, kw_only=True):
    """A new round of the game of two begins."""

    first: Seat


class Ended(Event, frozen=True, kw_only=True):
    """The game is over: who won, or nobody, and why."""

    winners: tuple[Seat, ...]
    reason: Literal["markers", "turns"]


Action = Deployed | Moved | Attacked | Bolstered | Controlled | Recruited
"""What a side does with a coin that shows on the board or in its supply."""

AnyEvent = (
    Dealt | Picked | Revealed | Drew | DrewCoins | Spent | Deployed | Bolstered | Moved | Attacked | Lost
    | Controlled | Paid | Recruited | Claimed | Passed | Idle | Refused | Round | Ended
)  # fmt: skip
