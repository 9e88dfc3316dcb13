"""The types of Plains Indian Wars: regions, cubes, cards, the state and the orders. No rules are here.

A region's id is its number ("N3", "SE6").
"""

from typing import TYPE_CHECKING, Literal, NewType

from games.protocol import Order, Seat
from games.record import Record

Region = NewType("Region", str)
CardId = NewType("CardId", str)

Colour = Literal["Green", "Orange", "Blue", "Brown", "Purple", "White", "Black"]
"""The northern and southern tribes, cavalry, settlers, enemies of the tribes, wagons and the railroad."""

DeckName = Literal["Cavalry", "Settlers", "Northern", "Southern"]
Face = Literal["hit", "blank", "treaty"]
Belt = Literal["north", "south"]
Line = Literal["union", "central"]

US_SEAT = Seat("US")
"""The seat of Blue, Brown, Purple, White and Black. In Variant II rules and dice control them."""

NATIONS_SEAT = Seat("Nations")
"""The seat of Green and Orange in Variant II. In Variant I rules and dice control them."""

CUBE_COLOURS: tuple[Colour, ...] = ("Green", "Orange", "Blue", "Brown", "Purple", "White", "Black")
TRIBES: tuple[Colour, ...] = ("Green", "Orange")
SOLDIERS: tuple[Colour, ...] = ("Blue", "Brown", "Purple")
"""The fighting colours of the U.S. side."""

ALL_CUBES = 99
"""The count in a move for all cubes of a colour that can still move."""

Topic = Literal[
    "fight", "withdraw", "lose", "sit out", "equal", "trail", "custer", "fall back", "drive", "strike"
]
"""The topics of standing instructions."""


class CavalryColumn(Record, frozen=True, kw_only=True):
    """A column of cavalry: its region and the cubes that are left of it."""

    at: Region
    cubes: dict[Colour, int]


class State(Record, frozen=True, kw_only=True):
    """A whole position.

    turn: its number, 0 during the set-up; bag: the discs that weren't drawn yet; disc: the disc with orders
    due (None during the set-up); cubes: the cubes by region and colour, without zeros; ready, fallen: the
    Ready Boxes and the Casualty Boxes; union, mountains, central: the spaces that are built of each line;
    hands, decks, played: the cards of each deck, in the order of their numbers (cards are drawn at random, so
    a deck has no order); lost, through: the wagons that fell and the wagons that arrived; custer: whether
    Custer's force was wiped out; quiet: the regions without engagements until the end of the turn; circled:
    the number of dice that defend wagons until then (0 for the usual number); standing: the standing
    instructions by slot; tied: the regions from which the player chooses one for Custer; last: why this turn
    is the last one; ended: whether the game is over.

    Variant II. trains: the region of each wagon train on its way; arrived: the wagons that got through, by
    trail; parties: the section (from 0) of each line's workers and escorts; columns: the columns that are
    left (cubes doesn't include their cubes); gone: the cubes that are out of the game.
    """

    options: dict[str, str | int | bool]
    turn: int = 0
    bag: tuple[Colour, ...] = ()
    disc: Colour | None = None
    cubes: dict[Region, dict[Colour, int]] = {}
    ready: dict[Colour, int] = {}
    fallen: dict[Colour, int] = {}
    union: int = 0
    mountains: int = 0
    central: int = 0
    hands: dict[DeckName, tuple[CardId, ...]] = {}
    decks: dict[DeckName, tuple[CardId, ...]] = {}
    played: dict[DeckName, tuple[CardId, ...]] = {}
    lost: int = 0
    through: int = 0
    custer: bool = False
    quiet: tuple[Region, ...] = ()
    circled: int = 0
    standing: dict[str, tuple[str, ...]] = {}
    tied: tuple[Region, ...] = ()
    last: str | None = None
    ended: bool = False
    trains: dict[Belt, Region] = {}
    arrived: dict[Belt, int] = {}
    parties: dict[Line, int] = {}
    columns: dict[Colour, CavalryColumn] = {}
    gone: dict[Colour, int] = {}


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or an observer, may know it. Only `Rules.view` makes one."""
else:
    View = State  # only type checkers tell them apart


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the game begins with its first disc."""

    @property
    def slot(self) -> str:
        return "begin"


class PlayAction(Order, frozen=True, kw_only=True):
    """``play Fort Laramie``: the action card of the phase; in Variant II there is one for each tribe."""

    card: CardId

    @property
    def slot(self) -> str:
        return card_slot(self.card)


class PlayEvent(Order, frozen=True, kw_only=True):
    """``play Nelson Miles in N5``: an Event card, with its region if it needs one.

    to: the region that a force attacks from there: ``play Crazy Horse in N3 against N4``.
    """

    card: CardId
    at: Region | None = None
    to: Region | None = None

    @property
    def slot(self) -> str:
        return f"event {self.card}"


class Discard(Order, frozen=True, kw_only=True):
    """``discard Gatling Guns``: an Event is discarded if no action card is left in hand and deck."""

    card: CardId

    @property
    def slot(self) -> str:
        return card_slot(self.card)


class Place(Order, frozen=True, kw_only=True):
    """``place 3 Blue STL``: cubes of the disc's colour are placed."""

    count: int
    colour: Colour
    at: Region

    @property
    def slot(self) -> str:
        return f"place {belt_of(self.at) or self.at}"


class NoPlace(Order, frozen=True, kw_only=True):
    """``no cube north``: no Purple cube is placed in that belt."""

    belt: Belt

    @property
    def slot(self) -> str:
        return f"place {self.belt}"


class Move(Order, frozen=True, kw_only=True):
    """``move 2 Blue 3 Brown N5 - N3``: a group moves. cubes: numbers by colour, or ALL_CUBES."""

    cubes: dict[Colour, int]
    start: Region
    to: Region

    @property
    def slot(self) -> str:
        return f"move {self.start} {self.to}"


class Recover(Order, frozen=True, kw_only=True):
    """``recover``: one activation brings the Casualty Box back to the Ready Box.

    colour: the colour of the boxes; None for the colour of the disc.
    """

    colour: Colour | None = None

    @property
    def slot(self) -> str:
        return f"recover {self.colour or ''}".strip()


class Instruction(Order, frozen=True, kw_only=True):
    """A standing instruction: the answer to a question of the rules in the middle of a turn.

    It applies until another one replaces it. about: a colour or a region, if the topic has one; says: the
    answer, with the words of standing_orders.py.
    """

    topic: Topic
    about: str = ""
    says: tuple[str, ...]

    @property
    def slot(self) -> str:
        return f"{self.topic} {self.about}".strip()


AnyOrder = Begin | PlayAction | PlayEvent | Discard | Place | NoPlace | Move | Recover | Instruction


def card_slot(card: CardId) -> str:
    """Return the slot of an action card: one for the phase, or in Variant II one for each tribe."""
    return {"NPT": "card north", "SPT": "card south"}.get(card[:3], "card")


def belt_of(region: Region) -> Belt | None:
    """Return the Purple belt of a region, including Canada and Mexico; None for other regions."""
    return "north" if region.startswith("NE") else "south" if region.startswith("SE") else None
