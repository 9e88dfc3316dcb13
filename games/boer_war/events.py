"""The events of The Second Boer War: one type for each thing that a report mentions."""

from typing import Literal

from games.boer_war.components import CardId, EventId, LeaderId, Link, Point, Side
from games.boer_war.model import AnyOrder
from games.pool import RoundCounters
from games.protocol import Event
from games.record import UNSET, Unset


class TurnBegan(Event, frozen=True, kw_only=True):
    """A Turn began. came: the SP that each side's pool got; recruits: the SP that the recruit pool got."""

    turn: int
    came: dict[Side, int]
    recruits: int = 0


class RoundBegan(Event, frozen=True, kw_only=True):
    """A side's round began. counters: the face-up Action counters of the side."""

    turn: int
    side: Side
    round: int
    counters: RoundCounters


class Arrived(Event, frozen=True, kw_only=True):
    """A leader arrived. sp: the SP with the leader; giver: the leader who gave them, or None for new SP."""

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
    """Leaders moved along a path, which begins at the point where they were."""

    side: Side
    leaders: tuple[LeaderId, ...]
    path: tuple[Point, ...]
    how: TravelMode


class Handed(Event, frozen=True, kw_only=True):
    """SP were handed over within a point. giver, taker: a leader, or None for the garrison."""

    at: Point
    giver: LeaderId | None
    taker: LeaderId | None
    sp: int


class Host(Event, frozen=True, kw_only=True):
    """One side in a battle.

    leaders, sp: the leaders in the battle and the strength of the force. command: their best Command, or the
    Command of a garrison without a leader.
    cards: the cards in the order of the draw. kept: the cards that counted. printed: the values printed on
    these cards, only for an owner's box. points: the points for them, without trains away from a railway.
    beyond: the points for SP beyond the hand. die: the roll. modifiers: the code and number of each modifier.
    score: the total. lost: the SP lost by leaders and garrison.
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
    """A battle in Turns I and II. came: the point that the attacker came from, or None for an ASSAULT.

    won: true if the attacker won.
    """

    at: Point
    came: Point | None
    attacker: Host
    defender: Host
    difference: int
    won: bool


class Band(Event, frozen=True, kw_only=True):
    """One side in a skirmish: its force, best Command, roll, modifiers, total score and SP lost."""

    side: Side
    leaders: tuple[LeaderId, ...]
    sp: int
    command: int
    die: int
    modifiers: tuple[tuple[str, int], ...] = ()
    score: int
    lost: int


class Skirmish(Event, frozen=True, kw_only=True):
    """A skirmish in Turns III and IV. won: true if the attacker won."""

    at: Point
    attacker: Band
    defender: Band
    difference: int
    won: bool


class Slipped(Event, frozen=True, kw_only=True):
    """A Boer force slipped away before an attack. expected: the estimated advantage of the attacker."""

    leaders: tuple[LeaderId, ...]
    at: Point
    to: Point
    expected: float


class Evasion(Event, frozen=True, kw_only=True):
    """A Boer force tried to evade an attack.

    to: the point that it went to, or None if it was caught.
    scouts: true if the roll failed but good scouts (B10) saved the force.
    """

    leaders: tuple[LeaderId, ...]
    at: Point
    die: int
    modifiers: tuple[tuple[str, int], ...]
    score: int
    to: Point | None
    scouts: bool = False


class Retreated(Event, frozen=True, kw_only=True):
    """Leaders went back. beaten: true for beaten defenders, false for attackers who were beaten off."""

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    to: Point
    beaten: bool


class Captured(Event, frozen=True, kw_only=True):
    """SP were captured, and their leaders are out of the game."""

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    sp: int


class Tested(Event, frozen=True, kw_only=True):
    """A leader's own fate was rolled for.

    out: true if the leader is out of the game. boxed: true if the leader has no SP and goes into the box.
    """

    leader: LeaderId
    die: int
    out: bool
    boxed: bool


class LostSp(Event, frozen=True, kw_only=True):
    """A roll decided whether a leader lost SP.

    why: ``camps`` (attrition), ``blockhouse`` (crossed a line), ``raid`` (beaten off), ``oath`` (E07) or
    ``talks`` (E12, where the leader leaves the game). number: the camps near the leader.
    die: the roll; bonus: the number added to it.
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
    """A siege was rolled for. level: the level after the roll; of: the level at which the town falls."""

    at: Point
    die: int
    bonus: int
    rose: bool
    level: int
    of: int


class SiegeEnded(Event, frozen=True, kw_only=True):
    """A siege ended because no besiegers were left."""

    at: Point


class TownFell(Event, frozen=True, kw_only=True):
    """A siege town came under Boer control for the first time, which completes a siege.

    completed: the number of completed sieges so far.
    """

    at: Point
    how: Literal["surrendered", "stormed", "abandoned"]
    completed: int


class Entrenched(Event, frozen=True, kw_only=True):
    """A force entrenched."""

    side: Side
    at: Point


class WasCut(Event, frozen=True, kw_only=True):
    """A railway link was cut, or an attempt failed. die: the roll against blockhouses, if there are any."""

    link: Link
    done: bool
    die: int | None = None


class Repaired(Event, frozen=True, kw_only=True):
    """Cuts were repaired, or an attempt failed. die: the roll for the repair, or None if none was needed."""

    links: tuple[Link, ...]
    done: bool = True
    die: int | None = None


class Built(Event, frozen=True, kw_only=True):
    """A line of blockhouses was built. count: the number of lines so far."""

    link: Link
    count: int


class CampSet(Event, frozen=True, kw_only=True):
    """A camp was set up. camps: the number of camps so far; recruits: R, which they are compared with."""

    at: Point
    camps: int
    recruits: int


class Reinforced(Event, frozen=True, kw_only=True):
    """A leader got SP, or a garrison if the leader is None.

    source: ``pool``, ``recruits``, ``scattered``, or ``new`` for an event.
    back: true if the leader came out of the Reorganization box.
    left: the SP left in the source. count: R after recruiting.
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
    """An event counter was played. leaders, points, links: its details; sp: the SP that it gave or took."""

    side: Side
    event: EventId
    leaders: tuple[LeaderId, ...] = ()
    points: tuple[Point, ...] = ()
    links: tuple[Link, ...] = ()
    sp: int = 0


class Passed(Event, frozen=True, kw_only=True):
    """A side passed its action."""

    side: Side


class Reported(Event, frozen=True, kw_only=True):
    """An action was carried out at the player's own table."""

    side: Side
    action: int


class Drawn(Event, frozen=True, kw_only=True):
    """The pool after an action and its result.

    done: the actions of this round so far. go, stop: the markers in the pool.
    verdict: the certain result, or None if a marker was drawn. goes_on: true if the result is GO!
    counters: the face-up counters that the pool comes from.
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
    """A side's round is over. actions: its number of actions; counters: the counters still face-up."""

    turn: int
    side: Side
    round: int
    actions: int
    counters: RoundCounters


class TurnEnded(Event, frozen=True, kw_only=True):
    """A Turn is over. lost: the SP of each side that left the Scattered box for good."""

    turn: int
    lost: dict[Side, int]


class Left(Event, frozen=True, kw_only=True):
    """A leader left for good.

    handed: the SP that each other leader got. kept: the SP that became a garrison. scattered: the SP that
    went into the Scattered box.
    """

    leader: LeaderId
    handed: dict[LeaderId, int] = {}
    kept: int = 0
    scattered: int = 0


class Guerrilla(Event, frozen=True, kw_only=True):
    """The guerrilla war began. sp: the Boer SP in the field; leaders: the point and SP of each leader."""

    sp: int
    leaders: dict[LeaderId, tuple[Point, int]]


class Said(Event, frozen=True, kw_only=True):
    """A free order was saved: a stance, or a place to land."""

    side: Side
    order: AnyOrder


class Refused(Event, frozen=True, kw_only=True):
    """An order was not possible and cost nothing. code, detail: the fields of its Objection."""

    side: Side
    order: AnyOrder
    code: str
    detail: dict[str, str] = {}


class Ended(Event, frozen=True, kw_only=True):
    """The game is over. winners: empty after peace by negotiation; reason: a key of the table end_reasons."""

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
