"""Things that can happen in The Second Boer War: one event for each thing that is reported."""

from typing import Literal

from games.boer_war.components import CardId, EventId, LeaderId, Link, Point, Side
from games.boer_war.model import AnyOrder
from games.pool import RoundCounters
from games.protocol import Event
from games.record import UNSET, Unset


class TurnBegan(Event, frozen=True, kw_only=True):
    """A Turn began. came: SP that came into the pool of each side; recruits: into the recruit pool."""

    turn: int
    came: dict[Side, int]
    recruits: int = 0


class RoundBegan(Event, frozen=True, kw_only=True):
    """A side's round began, the counters lying as they do."""

    turn: int
    side: Side
    round: int
    counters: RoundCounters


class Arrived(Event, frozen=True, kw_only=True):
    """A leader came. sp: with so many; giver: the leader who gave them, None where they are new."""

    leader: LeaderId
    at: Point
    sp: int
    giver: LeaderId | None = None


class Took(Event, frozen=True, kw_only=True):
    """Points came under a side's control."""

    side: Side
    points: tuple[Point, ...]


TravelMode = Literal["march", "rail", "trek", "ride", "drive"]


class Went(Event, frozen=True, kw_only=True):
    """Leaders went along a path, which begins where they stood."""

    side: Side
    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]
    how: TravelMode


class Handed(Event, frozen=True, kw_only=True):
    """SP changed hands in a point; None is the garrison."""

    at: Point
    giver: LeaderId | None
    taker: LeaderId | None
    sp: int


class Host(Event, frozen=True, kw_only=True):
    """One side in a battle. leaders: those in it; sp; command: the best, 1 for a garrison alone.

    cards: drawn, in the order drawn; kept: those that counted; points: what these were worth, trains off the
    railway nothing; printed: what stands on those kept, of an owner's box alone; beyond: for SP beyond the
    hand; die; modifiers: name and number; score: all together. lost: SP, garrison and leaders alike.
    """

    side: Side
    leaders: tuple[LeaderId, ...]
    sp: int
    command: int
    cards: tuple[CardId, ...]
    kept: tuple[CardId, ...]
    printed: tuple[int, ...] | Unset = UNSET
    points: int
    beyond: int
    die: int
    modifiers: tuple[tuple[str, int], ...] = ()
    score: int
    lost: int


class Battle(Event, frozen=True, kw_only=True):
    """A battle of Turns I and II. came: where the attacker came from, None for an ASSAULT in the point."""

    at: Point
    came: Point | None
    attacker: Host
    defender: Host
    difference: int
    won: bool


class Band(Event, frozen=True, kw_only=True):
    """One side in a skirmish: best command, die, modifiers by name, their sum, SP lost."""

    side: Side
    leaders: tuple[LeaderId, ...]
    sp: int
    command: int
    die: int
    modifiers: tuple[tuple[str, int], ...] = ()
    score: int
    lost: int


class Skirmish(Event, frozen=True, kw_only=True):
    """A skirmish of Turns III and IV. won: whether the attacker did."""

    at: Point
    attacker: Band
    defender: Band
    difference: int
    won: bool


class Slipped(Event, frozen=True, kw_only=True):
    """A Boer force was gone before it was attacked. expected: the attacker's advantage by the estimate."""

    leaders: tuple[LeaderId, ...]
    at: Point
    to: Point
    expected: float


class Evasion(Event, frozen=True, kw_only=True):
    """A Boer force tried to evade. die, modifiers, score; to: where it went, None: it was caught.

    scouts: the roll failed, and good scouts (B10) got it away all the same.
    """

    leaders: tuple[LeaderId, ...]
    at: Point
    die: int
    modifiers: tuple[tuple[str, int], ...]
    score: int
    to: Point | None
    scouts: bool = False


class Retreated(Event, frozen=True, kw_only=True):
    """Leaders went back. beaten: from a point that they defended; else they attacked."""

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    to: Point
    beaten: bool


class Captured(Event, frozen=True, kw_only=True):
    """SP were captured, and leaders are out of the game with them."""

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    sp: int


class Tested(Event, frozen=True, kw_only=True):
    """A leader rolled for himself. out: he is out of the game; else, without SP, he is in the box."""

    leader: LeaderId
    die: int
    out: bool
    boxed: bool


class LostSp(Event, frozen=True, kw_only=True):
    """A leader rolled, and lost SP or none.

    why: ``camps`` (attrition; number: the camps near), ``blockhouse`` (crossed), ``raid`` (beaten off),
    ``oath`` (E07), ``talks`` (E12: he is out). die: as rolled; bonus: added to it.
    """

    leader: LeaderId
    why: Literal["camps", "blockhouse", "raid", "oath", "talks"]
    die: int
    bonus: int = 0
    number: int = 0
    at: Point
    link: Link | None = None
    lost: int


class Invested(Event, frozen=True, kw_only=True):
    """A siege began."""

    at: Point
    leaders: tuple[LeaderId, ...]


class SiegeRolled(Event, frozen=True, kw_only=True):
    """A siege was pressed. level: after it; of: at which the town falls."""

    at: Point
    die: int
    bonus: int
    rose: bool
    level: int
    of: int


class SiegeEnded(Event, frozen=True, kw_only=True):
    """No besieger was left."""

    at: Point


class TownFell(Event, frozen=True, kw_only=True):
    """A siege town came under Boer control for the first time: a completed siege, one of so many now."""

    at: Point
    how: Literal["surrendered", "stormed", "abandoned"]
    completed: int


class Entrenched(Event, frozen=True, kw_only=True):
    """A force is entrenched."""

    side: Side
    at: Point


class WasCut(Event, frozen=True, kw_only=True):
    """A railway link was cut, or not: die is rolled where a blockhouse stands."""

    link: Link
    done: bool
    die: int | None = None


class Repaired(Event, frozen=True, kw_only=True):
    """Cuts were taken away, or not: die is rolled where numbers ask for one, for each of them."""

    links: tuple[Link, ...]
    done: bool = True
    die: int | None = None


class Built(Event, frozen=True, kw_only=True):
    """A blockhouse line stands; so many now."""

    link: Link
    count: int


class CampSet(Event, frozen=True, kw_only=True):
    """A camp was set up. camps: so many now; recruits: R, against which they are counted."""

    at: Point
    camps: int
    recruits: int


class Reinforced(Event, frozen=True, kw_only=True):
    """SP came to a leader, or to a garrison (None).

    source: ``pool``, ``recruits`` (count: R now), ``scattered``, ``new`` (an event's). back: he came out of
    the Reorganization box. left: what the source holds now.
    """

    side: Side
    leader: LeaderId | None
    at: Point
    sp: int
    source: Literal["pool", "recruits", "scattered", "new"]
    back: bool = False
    left: int = 0
    count: int = 0


class Played(Event, frozen=True, kw_only=True):
    """An event counter was played. leaders, points, links: what it is about; sp: that it took or gave."""

    side: Side
    event: EventId
    leaders: tuple[LeaderId, ...] = ()
    points: tuple[Point, ...] = ()
    links: tuple[Link, ...] = ()
    sp: int = 0


class Passed(Event, frozen=True, kw_only=True):
    """An action was a pass."""

    side: Side


class Reported(Event, frozen=True, kw_only=True):
    """An action was carried out at the player's own table."""

    side: Side
    action: int


class Drawn(Event, frozen=True, kw_only=True):
    """The pool after an action, and what it said. done: actions of this round so far; goes_on: GO!

    verdict None: a marker was drawn; else what was certain. counters: as they lay open.
    """

    side: Side
    round: int
    done: int
    go: int
    stop: int
    verdict: Literal["GO!", "STOP"] | None
    goes_on: bool
    counters: RoundCounters


class RoundEnded(Event, frozen=True, kw_only=True):
    """A side's round is over. actions: it had; counters: those that lie open after one was flipped."""

    turn: int
    side: Side
    round: int
    actions: int
    counters: RoundCounters


class TurnEnded(Event, frozen=True, kw_only=True):
    """A Turn is over. lost: SP of each side that went from the Scattered box for good."""

    turn: int
    lost: dict[Side, int]


class Left(Event, frozen=True, kw_only=True):
    """A leader left for good. handed: SP by the leader who got them; kept: as a garrison; scattered."""

    leader: LeaderId
    handed: dict[LeaderId, int] = {}
    kept: int = 0
    scattered: int = 0


class Guerrilla(Event, frozen=True, kw_only=True):
    """The guerrilla war began: so many SP under arms, dealt to these leaders where they are."""

    sp: int
    leaders: dict[LeaderId, tuple[Point, int]]


class Said(Event, frozen=True, kw_only=True):
    """A free order was noted: a stance, or where to land."""

    side: Side
    order: AnyOrder


class Refused(Event, frozen=True, kw_only=True):
    """An order could not be carried out, and cost nothing. code, detail: as in Objection."""

    side: Side
    order: AnyOrder
    code: str
    detail: dict[str, str] = {}


class Ended(Event, frozen=True, kw_only=True):
    """The game is over. reason: a slug; no winner: peace by negotiation."""

    winners: tuple[Side, ...]
    reason: str


AnyEvent = (
    TurnBegan
    | RoundBegan
    | Arrived
    | Took
    | Went
    | Handed
    | Battle
    | Skirmish
    | Slipped
    | Evasion
    | Retreated
    | Captured
    | Tested
    | LostSp
    | Invested
    | SiegeRolled
    | SiegeEnded
    | TownFell
    | Entrenched
    | WasCut
    | Repaired
    | Built
    | CampSet
    | Reinforced
    | Played
    | Passed
    | Reported
    | Drawn
    | RoundEnded
    | TurnEnded
    | Left
    | Guerrilla
    | Said
    | Refused
    | Ended
)
