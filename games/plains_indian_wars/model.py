"""The nouns of Plains Indian Wars: regions, cubes, cards, the state, the orders, what happened.

Regions are named by their numbers ("N3", "SE6"), cubes by their colours. Nothing here decides anything.
"""

from typing import Literal, NewType

from games.protocol import Event, Order, Seat
from games.record import Record

Region = NewType("Region", str)
CardId = NewType("CardId", str)

Colour = Literal["Green", "Orange", "Blue", "Brown", "Purple", "White", "Black"]
"""Northern tribes, southern tribes, cavalry, settlers, enemies of the tribes, wagons, railroad."""

DeckName = Literal["Cavalry", "Settlers"]
Face = Literal["hit", "blank", "treaty"]
Belt = Literal["north", "south"]

US = Seat("US")
"""Who plays Blue, Brown and Purple, and works White and Black."""

NATIONS = Seat("Plains nations")
"""Who wins when the U.S. does not. Rules and dice play them; nobody is ever asked for their orders."""

TRIBES: tuple[Colour, ...] = ("Green", "Orange")
SOLDIERS: tuple[Colour, ...] = ("Blue", "Brown", "Purple")
"""The fighting colours of the U.S. side."""

ALL = 99
"""In a move: all cubes of the colour that may still move."""

Topic = Literal["fight", "withdraw", "lose", "sit out", "equal", "trail", "custer", "fall back", "drive"]
"""What a standing instruction is about."""


class State(Record, frozen=True, kw_only=True):
    """A whole position.

    turn: 0 while the board is set up; bag: the discs not drawn yet; disc: whose orders are wanted (None: set
    up). cubes: by region, then colour, none that are 0; ready and fallen: the Ready and Casualty Boxes.
    union, mountains, central: spaces of the railroad built. hands, decks, played: cards by deck, in order of
    their numbers; a deck has no order, its cards are drawn by lot. lost, through: wagons in the Victory Point
    Boxes; custer: his force was wiped out. quiet: where no engagement is fought until the turn is over;
    circled: the wagons' dice until then (0: as ever). standing: the standing instructions by slot. tied: the
    regions from which one is wanted for Custer. last: why this turn is the last one; ended: it is over.
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


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the set-up is seen, the first disc may be drawn."""

    @property
    def slot(self) -> str:
        return "begin"


class PlayAction(Order, frozen=True, kw_only=True):
    """``play Fort Laramie``: the one action card of the phase."""

    card: CardId

    @property
    def slot(self) -> str:
        return "card"


class PlayEvent(Order, frozen=True, kw_only=True):
    """``play Nelson Miles in N5``: an Event card, with its region if it wants one."""

    card: CardId
    at: Region | None = None

    @property
    def slot(self) -> str:
        return f"event {self.card}"


class Discard(Order, frozen=True, kw_only=True):
    """``discard Gatling Guns``: when no action card is left anywhere, one Event goes each phase."""

    card: CardId

    @property
    def slot(self) -> str:
        return "card"


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
    """``move 2 Blue 3 Brown N5 - N3``: part of an activation; cubes by colour, ALL or a number."""

    cubes: dict[Colour, int]
    start: Region
    to: Region

    @property
    def slot(self) -> str:
        return f"move {self.start} {self.to}"


class Recover(Order, frozen=True, kw_only=True):
    """``recover``: one activation brings the Casualty Box back to the Ready Box."""

    @property
    def slot(self) -> str:
        return "recover"


class Instruction(Order, frozen=True, kw_only=True):
    """A standing instruction: what is done where the rules ask in the middle of a turn.

    It holds until another takes its place. about: a colour or a region, where the topic has one; says: what
    is wanted, in the words of standing.py.
    """

    topic: Topic
    about: str = ""
    says: tuple[str, ...]

    @property
    def slot(self) -> str:
        return f"{self.topic} {self.about}".strip()


AnyOrder = Begin | PlayAction | PlayEvent | Discard | Place | NoPlace | Move | Recover | Instruction


class Fault(Record, frozen=True, kw_only=True):
    """Why an order was not carried out as it was given: a slug, and what its sentence needs."""

    code: str
    detail: dict[str, str] = {}


class Tale(Event, frozen=True, kw_only=True):
    """Something that happened on a disc of a turn. disc None: while the board was set up, or at the end."""

    turn: int
    disc: Colour | None


class Drawn(Tale, frozen=True, kw_only=True):
    """A disc came out of the bag."""


class Raided(Tale, frozen=True, kw_only=True):
    """Cubes of a tribe were put on the board by a die, or pressed on into a neighbour (number 0).

    wanted: how many the rule puts there; placed: how many came; borrowed: of these, from which region; why:
    what kept the others off ("limit", "supply", "quiet", "").
    """

    colour: Colour
    at: Region
    number: int
    wanted: int
    placed: int
    borrowed: int = 0
    lender: Region | None = None
    why: Literal["limit", "supply", "quiet", ""] = ""


class CardPlayed(Tale, frozen=True, kw_only=True):
    """A card was played (discarded: without effect); at: its region."""

    card: CardId
    at: Region | None = None
    discarded: bool = False


class Redrawn(Tale, frozen=True, kw_only=True):
    """A hand without an action card went back into its deck, and another was drawn; times: how often."""

    deck: DeckName
    times: int


class Refilled(Tale, frozen=True, kw_only=True):
    """Cards came into a hand."""

    deck: DeckName
    cards: tuple[CardId, ...]


class Placed(Tale, frozen=True, kw_only=True):
    """Cubes of the U.S. came from the Ready Box."""

    colour: Colour
    at: Region
    count: int


class Moved(Tale, frozen=True, kw_only=True):
    """A group moved. parted: Brown cubes that had to leave Purple ones."""

    cubes: dict[Colour, int]
    start: Region
    to: Region
    parted: bool = False


class Recovered(Tale, frozen=True, kw_only=True):
    """The Casualty Box of a colour went to its Ready Box."""

    colour: Colour
    count: int


class Removed(Tale, frozen=True, kw_only=True):
    """An Event card sent cubes of a tribe back to its Ready Box."""

    card: CardId
    colour: Colour
    at: Region
    count: int


class LeftOut(Tale, frozen=True, kw_only=True):
    """An order that could not be carried out, or (partly) not wholly."""

    order: AnyOrder
    why: Fault
    partly: bool = False


class Retreat(Record, frozen=True, kw_only=True):
    """Cubes that left an engagement; to None: they had nowhere to go, and fell."""

    colour: Colour
    count: int
    to: Region | None


class Round(Record, frozen=True, kw_only=True):
    """One throw of an engagement: faces by colour, who fell, who withdrew on blanks.

    treaty: both sides showed one, so that no hit counted.
    """

    faces: dict[Colour, tuple[Face, ...]]
    fell: dict[Colour, int] = {}
    withdrew: tuple[Retreat, ...] = ()
    treaty: bool = False


class Fought(Tale, frozen=True, kw_only=True):
    """An engagement from first throw to last.

    cubes: who fought; aside: U.S. cubes that sat out; ambush: the lone cube's throw before; retreats: after a
    treaty; left: who stands there in the end.
    """

    at: Region
    cubes: dict[Colour, int]
    aside: dict[Colour, int] = {}
    ambush: Face | None = None
    rounds: tuple[Round, ...]
    retreats: tuple[Retreat, ...] = ()
    left: dict[Colour, int]


class WagonsFought(Tale, frozen=True, kw_only=True):
    """An attack on wagons. to: where a treaty let the survivors go."""

    at: Region
    cubes: dict[Colour, int]
    rounds: tuple[Round, ...]
    left: dict[Colour, int]
    to: Region | None = None


class WagonsMoved(Tale, frozen=True, kw_only=True):
    """Wagons went one step west; the Rockies are the end of a trail."""

    count: int
    start: Region
    to: Region


class WagonsCame(Tale, frozen=True, kw_only=True):
    """New wagons stand in St. Louis."""

    count: int


class NightRaid(Tale, frozen=True, kw_only=True):
    """The night die of a trail, and each wagon's die where it fell; none where no wagon was struck."""

    trail: Belt
    number: int
    thrown: dict[Region, tuple[Face, ...]] = {}
    foiled: bool = False


class RailsLaid(Tale, frozen=True, kw_only=True):
    """Spaces were built, by Black's disc or by a card. brown: the cubes that counted; dice: for mountains."""

    line: Literal["union", "mountains", "central"]
    count: int
    built: int
    brown: int | None = None
    dice: tuple[Face, ...] = ()


class CusterRode(Tale, frozen=True, kw_only=True):
    """Custer's force was placed. tied: other regions that would have done."""

    at: Region
    count: int
    tied: tuple[Region, ...] = ()


class CusterFell(Tale, frozen=True, kw_only=True):
    """His whole force was eliminated in the engagement in which it was placed."""

    at: Region


class Instructed(Tale, frozen=True, kw_only=True):
    """A standing instruction came into force."""

    order: Instruction


class LastTurn(Tale, frozen=True, kw_only=True):
    """The end of the game was brought about; this turn is still played to its last disc."""

    why: Literal["railroad", "Cavalry", "Settlers"]


class Score(Record, frozen=True, kw_only=True):
    """A row of the schedule, in half points."""

    row: str
    nations: int | None
    us: int | None


class Ended(Tale, frozen=True, kw_only=True):
    """The game is over: the rows of the schedule."""

    winner: Seat
    rows: tuple[Score, ...]


AnyEvent = (
    Drawn
    | Raided
    | CardPlayed
    | Redrawn
    | Refilled
    | Placed
    | Moved
    | Recovered
    | Removed
    | LeftOut
    | Fought
    | WagonsFought
    | WagonsMoved
    | WagonsCame
    | NightRaid
    | RailsLaid
    | CusterRode
    | CusterFell
    | Instructed
    | LastTurn
    | Ended
)


def belt_of(region: Region) -> Belt | None:
    """The Purple belt of a region, Canada and Mexico included; None outside."""
    return "north" if region.startswith("NE") else "south" if region.startswith("SE") else None
