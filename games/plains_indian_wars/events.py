"""The events of Plains Indian Wars. Each has a turn and a disc."""

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
    """The reason why an order wasn't fully carried out: a code, and the values for its sentence."""

    code: str
    detail: dict[str, str] = {}


class PlainsEvent(Event, frozen=True, kw_only=True):
    """Something that happened on a disc of a turn.

    disc: None during the set-up and at the end; scenario: its key, because the names of colours depend on it.
    """

    turn: int
    disc: Colour | None
    scenario: str = "1"


class Drawn(PlainsEvent, frozen=True, kw_only=True):
    """A disc was drawn from the bag."""


class Raided(PlainsEvent, frozen=True, kw_only=True):
    """Cubes of a tribe came to a region by a die, or pressed on from a neighbour (number 0).

    wanted: how many cubes the rule adds; placed: how many came; borrowed: how many of them came from the
    region `lender`; why: the reason why the others didn't come, if any.
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
    """A card was played. at: its region; to: the region that it attacks; discarded: it had no effect."""

    card: CardId
    at: Region | None = None
    to: Region | None = None
    discarded: bool = False


class Redrawn(PlainsEvent, frozen=True, kw_only=True):
    """A hand without an action card went back into its deck, and a new one was drawn. times: how often."""

    deck: DeckName
    times: int


class Refilled(PlainsEvent, frozen=True, kw_only=True):
    """Cards were drawn into a hand."""

    deck: DeckName
    cards: tuple[CardId, ...]


class Placed(PlainsEvent, frozen=True, kw_only=True):
    """Cubes were placed from the Ready Box. why: the cause, if it wasn't an order."""

    colour: Colour
    at: Region
    count: int
    why: Literal["party", "card", ""] = ""


class Moved(PlainsEvent, frozen=True, kw_only=True):
    """A group moved. parted: whether it was Brown cubes that had to leave Purple ones."""

    cubes: dict[Colour, int]
    start: Region
    to: Region
    parted: bool = False


class Recovered(PlainsEvent, frozen=True, kw_only=True):
    """The cubes in the Casualty Box of a colour went to its Ready Box."""

    colour: Colour
    count: int


class Removed(PlainsEvent, frozen=True, kw_only=True):
    """An Event sent cubes of a tribe back to their Ready Box."""

    card: CardId
    colour: Colour
    at: Region
    count: int


class LeftOut(PlainsEvent, frozen=True, kw_only=True):
    """An order wasn't carried out, or only in part (partly)."""

    order: AnyOrder
    why: OrderFault
    partly: bool = False


class Retreat(Record, frozen=True, kw_only=True):
    """Cubes that left an engagement. to: None if they had nowhere to go, and fell."""

    colour: Colour
    count: int
    to: Region | None


class EngagementRound(Record, frozen=True, kw_only=True):
    """One round of an engagement.

    faces: the rolled faces by colour; fell: the lost cubes; withdrew: the cubes that left on blanks; treaty:
    whether both sides rolled a treaty, so that no hit counted.
    """

    faces: dict[Colour, tuple[Face, ...]]
    fell: dict[Colour, int] = {}
    withdrew: tuple[Retreat, ...] = ()
    treaty: bool = False


class Fought(PlainsEvent, frozen=True, kw_only=True):
    """A whole engagement.

    cubes: the cubes that fought; aside: the U.S. cubes that sat out; ambush: a lone cube's roll before the
    first round; retreats: the cubes that left after a treaty; left: the cubes in the region at the end.
    """

    at: Region
    cubes: dict[Colour, int]
    aside: dict[Colour, int] = {}
    ambush: Face | None = None
    rounds: tuple[EngagementRound, ...]
    retreats: tuple[Retreat, ...] = ()
    left: dict[Colour, int]


class WagonsFought(PlainsEvent, frozen=True, kw_only=True):
    """An attack on wagons. to: the region where a treaty let the survivors go."""

    at: Region
    cubes: dict[Colour, int]
    rounds: tuple[EngagementRound, ...]
    left: dict[Colour, int]
    to: Region | None = None


class WagonsMoved(PlainsEvent, frozen=True, kw_only=True):
    """Wagons moved one step west. A trail ends in the Rockies."""

    count: int
    start: Region
    to: Region


class WagonsCame(PlainsEvent, frozen=True, kw_only=True):
    """New wagons came to St. Louis."""

    count: int


class NightRaid(PlainsEvent, frozen=True, kw_only=True):
    """The night die of a trail.

    thrown: the dice for the wagons in each region that it named; foiled: whether the wagons had circled.
    """

    trail: Belt
    number: int
    thrown: dict[Region, tuple[Face, ...]] = {}
    foiled: bool = False


class RailsLaid(PlainsEvent, frozen=True, kw_only=True):
    """Spaces were built by Black's disc or by a card.

    brown: the number of workers, if it mattered; dice: the dice for the mountains, if any.
    """

    line: Literal["union", "mountains", "central"]
    count: int
    built: int
    brown: int | None = None
    dice: tuple[Face, ...] = ()


class CusterRode(PlainsEvent, frozen=True, kw_only=True):
    """Custer's force was placed. tied: the other regions that were equally good."""

    at: Region
    count: int
    tied: tuple[Region, ...] = ()


class CusterFell(PlainsEvent, frozen=True, kw_only=True):
    """Custer's whole force fell in its first engagement."""

    at: Region


class Instructed(PlainsEvent, frozen=True, kw_only=True):
    """A standing instruction now applies."""

    order: Instruction


class LastTurn(PlainsEvent, frozen=True, kw_only=True):
    """The game ends with this turn, after its last disc."""

    why: Literal["railroad"] | DeckName


class ScheduleRow(Record, frozen=True, kw_only=True):
    """A row of the schedule with the half points of each side; None for a side without such a row."""

    row: str
    nations: int | None
    us: int | None


class Ended(PlainsEvent, frozen=True, kw_only=True):
    """The game of Variant I is over. rows: the final schedule."""

    winner: Seat
    rows: tuple[ScheduleRow, ...]


class TrainMoved(PlainsEvent, frozen=True, kw_only=True):
    """A wagon train moved one step west. Its trail ends in the Rockies."""

    trail: Belt
    cubes: dict[Colour, int]
    start: Region
    to: Region


class Forked(PlainsEvent, frozen=True, kw_only=True):
    """A die decided the branch of a wagon train."""

    trail: Belt
    face: Face
    to: Region


class PartyMoved(PlainsEvent, frozen=True, kw_only=True):
    """Workers and escorts of a line moved on to the next section, because theirs is finished."""

    line: Line
    cubes: dict[Colour, int]
    start: Region
    to: Region


class ColumnMoved(PlainsEvent, frozen=True, kw_only=True):
    """A column moved. back: whether it fell back after a treaty."""

    column: Colour
    cubes: dict[Colour, int]
    start: Region
    to: Region
    back: bool = False


class ColumnFell(PlainsEvent, frozen=True, kw_only=True):
    """A column has no cubes left, so its disc leaves the game."""

    column: Colour


class Struck(PlainsEvent, frozen=True, kw_only=True):
    """A card let a tribe attack without an answer. start: the attackers' region; faces: their dice."""

    card: CardId
    colour: Colour
    start: Region
    to: Region
    faces: tuple[Face, ...]
    fell: dict[Colour, int]


class Rode(PlainsEvent, frozen=True, kw_only=True):
    """A card moved a whole force. to: None if it found no place, and went to the Ready Box."""

    card: CardId
    cubes: dict[Colour, int]
    start: Region
    to: Region | None


class RailsTorn(PlainsEvent, frozen=True, kw_only=True):
    """A card removed spaces of the Union Pacific."""

    card: CardId
    count: int
    built: int


class TurnedBack(PlainsEvent, frozen=True, kw_only=True):
    """Cubes went back because a region was too full after all moves. to: None for the Ready Box."""

    colour: Colour
    count: int
    start: Region
    to: Region | None


class Decided(PlainsEvent, frozen=True, kw_only=True):
    """The game of Variant II is over. winners: () for a draw; why: the code of the reason."""

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
"""Events that happen only in Variant II."""

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
