"""The events of Plains Indian Wars, each with its turn and its disc."""

from typing import Literal

from games.plains_indian_wars.model import (
    AnyOrder,
    Belt,
    CardId,
    Colour,
    DeckName,
    Face,
    Instruction,
    Line,
    Region,
)
from games.protocol import Event, Seat
from games.record import Record


class OrderFault(Record, frozen=True, kw_only=True):
    """The reason why an order was not carried out as it was given: a slug, and what its sentence needs."""

    code: str
    detail: dict[str, str] = {}


class PlainsEvent(Event, frozen=True, kw_only=True):
    """Something that happened on a disc of a turn. disc None: while the board was set up, or at the end.

    scenario: what the colours stand for depends on it.
    """

    turn: int
    disc: Colour | None
    scenario: str = "1"


class Drawn(PlainsEvent, frozen=True, kw_only=True):
    """A disc came out of the bag."""


class Raided(PlainsEvent, frozen=True, kw_only=True):
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


class CardPlayed(PlainsEvent, frozen=True, kw_only=True):
    """A card was played (discarded: without effect); at: its region."""

    card: CardId
    at: Region | None = None
    to: Region | None = None
    discarded: bool = False


class Redrawn(PlainsEvent, frozen=True, kw_only=True):
    """A hand without an action card went back into its deck, and another was drawn; times: how often."""

    deck: DeckName
    times: int


class Refilled(PlainsEvent, frozen=True, kw_only=True):
    """Cards came into a hand."""

    deck: DeckName
    cards: tuple[CardId, ...]


class Placed(PlainsEvent, frozen=True, kw_only=True):
    """Cubes came from the Ready Box. why: what put them there, if it was no order."""

    colour: Colour
    at: Region
    count: int
    why: Literal["party", "card", ""] = ""


class Moved(PlainsEvent, frozen=True, kw_only=True):
    """A group moved. parted: Brown cubes that had to leave Purple ones."""

    cubes: dict[Colour, int]
    start: Region
    to: Region
    parted: bool = False


class Recovered(PlainsEvent, frozen=True, kw_only=True):
    """The Casualty Box of a colour went to its Ready Box."""

    colour: Colour
    count: int


class Removed(PlainsEvent, frozen=True, kw_only=True):
    """An Event card sent cubes of a tribe back to its Ready Box."""

    card: CardId
    colour: Colour
    at: Region
    count: int


class LeftOut(PlainsEvent, frozen=True, kw_only=True):
    """An order that could not be carried out, or (partly) not wholly."""

    order: AnyOrder
    why: OrderFault
    partly: bool = False


class Retreat(Record, frozen=True, kw_only=True):
    """Cubes that left an engagement; to None: they had nowhere to go, and fell."""

    colour: Colour
    count: int
    to: Region | None


class EngagementRound(Record, frozen=True, kw_only=True):
    """One roll of an engagement: faces by colour, the cubes that fell, and those that withdrew on blanks.

    treaty: both sides showed one, so that no hit counted.
    """

    faces: dict[Colour, tuple[Face, ...]]
    fell: dict[Colour, int] = {}
    withdrew: tuple[Retreat, ...] = ()
    treaty: bool = False


class Fought(PlainsEvent, frozen=True, kw_only=True):
    """An engagement from first roll to last.

    cubes: who fought; aside: U.S. cubes that sat out; ambush: the lone cube's roll before; retreats:
    after a treaty; left: who stands there in the end.
    """

    at: Region
    cubes: dict[Colour, int]
    aside: dict[Colour, int] = {}
    ambush: Face | None = None
    rounds: tuple[EngagementRound, ...]
    retreats: tuple[Retreat, ...] = ()
    left: dict[Colour, int]


class WagonsFought(PlainsEvent, frozen=True, kw_only=True):
    """An attack on wagons. to: where a treaty let the survivors go."""

    at: Region
    cubes: dict[Colour, int]
    rounds: tuple[EngagementRound, ...]
    left: dict[Colour, int]
    to: Region | None = None


class WagonsMoved(PlainsEvent, frozen=True, kw_only=True):
    """Wagons went one step west; the Rockies are the end of a trail."""

    count: int
    start: Region
    to: Region


class WagonsCame(PlainsEvent, frozen=True, kw_only=True):
    """New wagons stand in St. Louis."""

    count: int


class NightRaid(PlainsEvent, frozen=True, kw_only=True):
    """The night die of a trail, and each wagon's die where it fell; none where no wagon was struck."""

    trail: Belt
    number: int
    thrown: dict[Region, tuple[Face, ...]] = {}
    foiled: bool = False


class RailsLaid(PlainsEvent, frozen=True, kw_only=True):
    """Spaces were built, by Black's disc or by a card. brown: the cubes that counted; dice: for mountains."""

    line: Literal["union", "mountains", "central"]
    count: int
    built: int
    brown: int | None = None
    dice: tuple[Face, ...] = ()


class CusterRode(PlainsEvent, frozen=True, kw_only=True):
    """Custer's force was placed. tied: other regions that would have done."""

    at: Region
    count: int
    tied: tuple[Region, ...] = ()


class CusterFell(PlainsEvent, frozen=True, kw_only=True):
    """His whole force was eliminated in the engagement in which it was placed."""

    at: Region


class Instructed(PlainsEvent, frozen=True, kw_only=True):
    """A standing instruction came into force."""

    order: Instruction


class LastTurn(PlainsEvent, frozen=True, kw_only=True):
    """The end of the game was brought about; this turn is still played to its last disc."""

    why: Literal["railroad"] | DeckName


class ScheduleRow(Record, frozen=True, kw_only=True):
    """A row of the schedule, in half points."""

    row: str
    nations: int | None
    us: int | None


class Ended(PlainsEvent, frozen=True, kw_only=True):
    """The game is over: the rows of the schedule."""

    winner: Seat
    rows: tuple[ScheduleRow, ...]


class TrainMoved(PlainsEvent, frozen=True, kw_only=True):
    """A wagon train went one step west with all that is left of it; the Rockies are the end of its trail."""

    trail: Belt
    cubes: dict[Colour, int]
    start: Region
    to: Region


class Forked(PlainsEvent, frozen=True, kw_only=True):
    """A die said which way a wagon train takes."""

    trail: Belt
    face: Face
    to: Region


class PartyMoved(PlainsEvent, frozen=True, kw_only=True):
    """Workers and escorts of a line went on to the next section, since theirs is finished."""

    line: Line
    cubes: dict[Colour, int]
    start: Region
    to: Region


class ColumnMoved(PlainsEvent, frozen=True, kw_only=True):
    """A column rode on; back: it fell back after a treaty."""

    column: Colour
    cubes: dict[Colour, int]
    start: Region
    to: Region
    back: bool = False


class ColumnFell(PlainsEvent, frozen=True, kw_only=True):
    """Nobody is left of a column; its disc leaves the game."""

    column: Colour


class Struck(PlainsEvent, frozen=True, kw_only=True):
    """A card's attack that nobody answered. start: where the attackers are; faces: what they rolled."""

    card: CardId
    colour: Colour
    start: Region
    to: Region
    faces: tuple[Face, ...]
    fell: dict[Colour, int]


class Rode(PlainsEvent, frozen=True, kw_only=True):
    """A card moved a whole force; to None: it found no place, and went to the Ready Box."""

    card: CardId
    cubes: dict[Colour, int]
    start: Region
    to: Region | None


class RailsTorn(PlainsEvent, frozen=True, kw_only=True):
    """A card took spaces off the Union Pacific."""

    card: CardId
    count: int
    built: int


class TurnedBack(PlainsEvent, frozen=True, kw_only=True):
    """Cubes for which there was no room at the end of the moves; to None: back to the Ready Box."""

    colour: Colour
    count: int
    start: Region
    to: Region | None


class Decided(PlainsEvent, frozen=True, kw_only=True):
    """The game is over, without points. winners: nobody for a draw; why: by what rule."""

    winners: tuple[Seat, ...]
    why: str


OfVariantII = (
    TrainMoved
    | Forked
    | PartyMoved
    | ColumnMoved
    | ColumnFell
    | Struck
    | Rode
    | RailsTorn
    | TurnedBack
    | Decided
)
"""What happens in Variant II alone."""

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
    | OfVariantII
)
