"""The nouns of Plains Indian Wars: regions, cubes, cards, the state, the orders.

Regions are named by their numbers ("N3", "SE6"), cubes by their colours. Nothing here decides anything.
"""

from typing import TYPE_CHECKING, Literal, NewType

from games.protocol import Order, Seat
from games.record import Record

Region = NewType("Region", str)
CardId = NewType("CardId", str)

Colour = Literal["Green", "Orange", "Blue", "Brown", "Purple", "White", "Black"]
"""Northern tribes, southern tribes, cavalry, settlers, enemies of the tribes, wagons, railroad."""

DeckName = Literal["Cavalry", "Settlers", "Northern", "Southern"]
Face = Literal["hit", "blank", "treaty"]
Belt = Literal["north", "south"]
Line = Literal["union", "central"]

US_SEAT = Seat("US")
"""Who plays Blue, Brown and Purple, and works White and Black. In Variant II procedures and dice do."""

NATIONS_SEAT = Seat("Nations")
"""Who plays Green and Orange in Variant II. In Variant I rules and dice do, and nobody is asked."""

CUBE_COLOURS: tuple[Colour, ...] = ("Green", "Orange", "Blue", "Brown", "Purple", "White", "Black")
TRIBES: tuple[Colour, ...] = ("Green", "Orange")
SOLDIERS: tuple[Colour, ...] = ("Blue", "Brown", "Purple")
"""The fighting colours of the U.S. side."""

ALL_CUBES = 99
"""In a move: all cubes of the colour that may still move."""

Topic = Literal[
    "fight", "withdraw", "lose", "sit out", "equal", "trail", "custer", "fall back", "drive", "strike"
]
"""What a standing instruction is about."""


class CavalryColumn(Record, frozen=True, kw_only=True):
    """A column of cavalry, known by the colour of its troopers: where it is, and who is left of it."""

    at: Region
    cubes: dict[Colour, int]


class State(Record, frozen=True, kw_only=True):
    """A whole position.

    turn: 0 while the board is set up; bag: the discs not drawn yet; disc: whose orders are due (None:
    set up). cubes: by region, then colour, none that are 0; ready and fallen: the Ready and Casualty
    Boxes. union, mountains, central: spaces of the railroad built. hands, decks, played: cards by deck,
    in order of their numbers; a deck has no order, its cards are drawn at random. lost, through: wagons
    in the Victory Point Boxes; custer: his force was wiped out. quiet: where no engagement is fought
    until the turn is over; circled: the wagons' dice until then (0: as ever). standing: the standing
    instructions by slot. tied: the regions from which one is wanted for Custer. last: why this turn is
    the last one; ended: it is over.

    Variant II: trains: where each wagon train is that is still on its way; arrived: wagons through, by
    trail. parties: the section (from 0) at which each line's workers and escorts are. columns: those
    that are left; their cubes stand here alone, and not among the cubes. gone: cubes out of the game.
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
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the set-up is seen, the first disc may be drawn."""

    @property
    def slot(self) -> str:
        return "begin"


class PlayAction(Order, frozen=True, kw_only=True):
    """``play Fort Laramie``: the one action card of the phase; in Variant II one for each tribe."""

    card: CardId

    @property
    def slot(self) -> str:
        return card_slot(self.card)


class PlayEvent(Order, frozen=True, kw_only=True):
    """``play Nelson Miles in N5``: an Event card, with its region if it wants one.

    to: whom a force in that region attacks, ``play Crazy Horse in N3 against N4``.
    """

    card: CardId
    at: Region | None = None
    to: Region | None = None

    @property
    def slot(self) -> str:
        return f"event {self.card}"


class Discard(Order, frozen=True, kw_only=True):
    """``discard Gatling Guns``: when no action card is left anywhere, one Event goes each phase."""

    card: CardId

    @property
    def slot(self) -> str:
        return card_slot(self.card)


class Place(Order, frozen=True, kw_only=True):
    """``place 3 Blue STL``: cubes of the colour whose disc is out."""

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
    """``move 2 Blue 3 Brown N5 - N3``: part of an activation; cubes by colour, ALL_CUBES or a number."""

    cubes: dict[Colour, int]
    start: Region
    to: Region

    @property
    def slot(self) -> str:
        return f"move {self.start} {self.to}"


class Recover(Order, frozen=True, kw_only=True):
    """``recover``: one activation brings the Casualty Box back to the Ready Box.

    colour: whose; None is that of the disc.
    """

    colour: Colour | None = None

    @property
    def slot(self) -> str:
        return f"recover {self.colour or ''}".strip()


class Instruction(Order, frozen=True, kw_only=True):
    """A standing instruction: what is done where the rules ask in the middle of a turn.

    It holds until another takes its place. about: a colour or a region, where the topic has one; says:
    what is wanted, in the words of standing_orders.py.
    """

    topic: Topic
    about: str = ""
    says: tuple[str, ...]

    @property
    def slot(self) -> str:
        return f"{self.topic} {self.about}".strip()


AnyOrder = Begin | PlayAction | PlayEvent | Discard | Place | NoPlace | Move | Recover | Instruction


def card_slot(card: CardId) -> str:
    """Return the slot of an action card: the phase's, or that of a tribe's part in it."""
    return {"NPT": "card north", "SPT": "card south"}.get(card[:3], "card")


def belt_of(region: Region) -> Belt | None:
    """Return the Purple belt of a region, Canada and Mexico included; None outside."""
    return "north" if region.startswith("NE") else "south" if region.startswith("SE") else None
