"""Points and links, leaders, cards, events and numbers, read from the files in data/.

Each row has a mark: S was found in the game's published papers, D follows from them, A is assumed. The papers
that could be found have the solitaire procedure whole and the base game in outline only, so that map, set-up,
leaders, cards, events and most numbers are a stand-in; an owner of the box puts his own into these files.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NewType

from games.data import read_json
from games.protocol import Invalid
from games.record import Malformed, Record, revive

PACKAGE = "games.boer_war"

Side = Literal["boers", "empire"]
Mark = Literal["S", "D", "A"]
Point = NewType("Point", str)
"""A point by its code: BLO."""
Link = NewType("Link", str)
"""A link by the codes of its ends in the order of the map: ORS-MOD."""
LeaderId = NewType("LeaderId", str)
CardId = NewType("CardId", str)
EventId = NewType("EventId", str)

Region = Literal["cape", "natal", "free state", "transvaal"]
REPUBLICS: tuple[Region, Region] = ("free state", "transvaal")
Flag = Literal["port", "target", "political", "rebel", "camp site"]
Role = Literal["attack", "defence"]


class Place(Record, frozen=True, kw_only=True):
    """A point. fort: what a storm of it is the weaker by; resistance: the level at which it falls to a siege.

    control: whose it is at the start.
    """

    id: Point
    name: str
    region: Region
    lon: float
    lat: float
    terrain: Literal["open", "hills", "river"]
    flags: tuple[Flag, ...]
    control: Side
    fort: int = 0
    resistance: int = 0
    mark: Mark

    @property
    def is_republic(self) -> bool:
        """Whether it lies in the Orange Free State or the Transvaal."""
        return self.region in REPUBLICS

    @property
    def is_siege_town(self) -> bool:
        """Whether it can be besieged: Ladysmith, Kimberley, Mafeking."""
        return self.resistance > 0


class Way(Record, frozen=True, kw_only=True):
    """A link, by rail or by road."""

    a: Point
    b: Point
    rail: bool
    mark: Mark


class Leader(Record, frozen=True, kw_only=True):
    """A leader. capacity: SP he may lead; chief: a Commander-in-Chief, who takes others along.

    at, sp: where he begins, with how many SP. turn, round: else, when he comes, with sp; lands: Empire, the
    points where he may (none named: a point on the railway in the republics); joins: Boers, the leaders of
    whom he joins the first and takes SP; district: where he begins in the guerrilla war. leaves: at the end
    of which Turn.
    """

    id: LeaderId
    name: str
    side: Side
    command: int
    move: int
    capacity: int
    chief: bool = False
    at: Point | None = None
    sp: int
    turn: int = 0
    round: int = 0
    lands: tuple[Point, ...] = ()
    joins: tuple[LeaderId, ...] = ()
    district: tuple[Point, ...] = ()
    leaves: int = 0
    mark: Mark


class Post(Record, frozen=True, kw_only=True):
    """A garrison at the start. under: whom it is known by."""

    at: Point
    sp: int
    under: str = ""
    mark: Mark


class Card(Record, frozen=True, kw_only=True):
    """A battle card: what each side calls it, and its attack and defence for each."""

    id: CardId
    type: Literal["infantry", "cavalry", "artillery", "machine guns", "auxiliaries", "trains"]
    empire: str
    boers: str
    values: dict[Side, tuple[int, int]]
    mark: Mark

    def value(self, side: Side, role: Role) -> int:
        """What it is worth to a side that attacks or defends."""
        return self.values[side][0 if role == "attack" else 1]

    def caption(self, side: Side) -> str:
        """What a side calls it."""
        return self.empire if side == "empire" else self.boers


class EventCounter(Record, frozen=True, kw_only=True):
    """An event: in which Turns, how often.

    number: what its effect turns on; die: up to which a throw counts; bonus: to an attack; needs, near,
    leaders, points: what its condition counts: SP, camps or Command, links, whom and where it is about.
    takes: what is named when it is played.
    """

    id: EventId
    side: Side
    name: str
    turns: tuple[int, ...]
    uses: int
    number: int = 0
    die: int = 0
    bonus: int = 0
    needs: int = 0
    near: int = 0
    leaders: tuple[LeaderId, ...] = ()
    points: tuple[Point, ...] = ()
    takes: tuple[Literal["leaders", "points", "links"], ...] = ()
    mark: Mark


class TurnNumbers(Record, frozen=True, kw_only=True):
    """A Turn's dates, the SP that come into the pools, and how many REINFORCE brings the Empire."""

    number: int
    dates: str
    empire_pool: int
    boer_pool: int
    reinforce: int
    mark: Mark


class Losses(Record, frozen=True, kw_only=True):
    """What loser and winner lose from a difference up."""

    low: int
    loser: int
    winner: int


class Rounds(Record, frozen=True, kw_only=True):
    """Rounds of a side in a Turn, and who begins."""

    of_a_side: int
    first: Side
    mark: Mark


class Reinforcing(Record, frozen=True, kw_only=True):
    """SP that come to leaders. recruits_below: who has so many recruits no more."""

    boers: int
    reorganized: int
    recruit_pool: int
    recruits_below: int
    mark: Mark


class Moving(Record, frozen=True, kw_only=True):
    """Links. rail: of one RAIL; supply: from a rail point; unsupplied: of one MOVE; trek: of one TREK.

    commando: what a Boer leader may lead in Turns III and IV; group: whom a Commander-in-Chief takes along.
    """

    rail: int
    supply: int
    unsupplied: int
    trek: int
    commando: int
    group: int
    mark: Mark


class Markers(Record, frozen=True, kw_only=True):
    """How many there are, and how many of the cuts one REPAIR takes away."""

    cut_near: int
    repaired: int
    blockhouses: int
    camps: int
    mark: Mark


class BattleNumbers(Record, frozen=True, kw_only=True):
    """Cards, modifiers and losses of battles.

    hand: the most cards kept; beyond: so many SP more count one; mobile: what beaten Boers lose less without
    ox wagons, which go with a Move of ox_wagons or less; slip_move, slip_from: who slips away, and when.
    """

    hand: int
    beyond: int
    garrison_command: int
    terrain: int
    trench: int
    unsupplied: int
    losses: tuple[Losses, ...]
    mobile: int
    ox_wagons: int
    decisive: int
    slip_move: int
    slip_from: int
    mark: Mark


class Estimate(Record, frozen=True, kw_only=True):
    """What a side's score in a battle comes to on average."""

    empire: dict[Role, float]
    boers: dict[Role, float]
    command: float
    base: float
    mark: Mark


class SkirmishNumbers(Record, frozen=True, kw_only=True):
    """Evasion, modifiers and losses of skirmishes; drive: leaders of one DRIVE."""

    evades: int
    blockhouses: int
    boer_attack: int
    boer_veld: int
    twice: int
    four_times: int
    losses: tuple[Losses, ...]
    repulsed: int
    decisive: int
    drive: int
    mark: Mark


class BlockhouseNumbers(Record, frozen=True, kw_only=True):
    """Crossing a line of blockhouses, and raiding one."""

    loses: int
    skilled: int
    skill: int
    raid_cuts: int
    raid_loses: int
    mark: Mark


class SiegeNumbers(Record, frozen=True, kw_only=True):
    """SP that a siege takes, the number that raises its level, the bonus of a strong force."""

    least: int
    rises: int
    strong: int
    bonus: int
    mark: Mark


class Attrition(Record, frozen=True, kw_only=True):
    """After which rounds of the Empire, how near camps wear, and how many at most."""

    rounds: tuple[int, ...]
    near: int
    most: int
    mark: Mark


class Arriving(Record, frozen=True, kw_only=True):
    """Where leaders come who have no other place; taken: SP that one takes over from whom he joins."""

    cape: Point
    republics: Point
    taken: int
    mark: Mark


class Scattered(Record, frozen=True, kw_only=True):
    """Of so many SP in the Scattered box one is lost at the end of a Turn."""

    one_of: int
    mark: Mark


class LeaderTest(Record, frozen=True, kw_only=True):
    """The number on which a leader is out of the game."""

    out: int
    mark: Mark


class Transition(Record, frozen=True, kw_only=True):
    """The Boers at the beginning of Turn III: SP at least and at most, and who leads them."""

    least: int
    most: int
    roster: tuple[LeaderId, ...]
    mark: Mark


class VictoryNumbers(Record, frozen=True, kw_only=True):
    """Completed sieges, targets, centres; Boer SP when they are broken, gone, unbeaten; camps ahead of R."""

    sieges: int
    targets: int
    centres: int
    broken: int
    gone: int
    camps_ahead: int
    unbeaten: int
    mark: Mark


class Numbers(Record, frozen=True, kw_only=True):
    """All numbers of the rules."""

    about: str
    marks: str
    rounds: Rounds
    turns: tuple[TurnNumbers, ...]
    reinforcing: Reinforcing
    moving: Moving
    markers: Markers
    battle: BattleNumbers
    estimate: Estimate
    skirmish: SkirmishNumbers
    blockhouse: BlockhouseNumbers
    siege: SiegeNumbers
    attrition: Attrition
    arriving: Arriving
    scattered: Scattered
    leader_test: LeaderTest
    transition: Transition
    victory: VictoryNumbers


class _Map(Record, frozen=True, kw_only=True):
    about: str
    marks: str
    points: tuple[Place, ...]
    links: tuple[Way, ...]


class _Leaders(Record, frozen=True, kw_only=True):
    about: str
    marks: str
    leaders: tuple[Leader, ...]
    garrisons: tuple[Post, ...]


class _Cards(Record, frozen=True, kw_only=True):
    about: str
    marks: str
    cards: tuple[Card, ...]


class _Events(Record, frozen=True, kw_only=True):
    about: str
    marks: str
    events: tuple[EventCounter, ...]


@dataclass(frozen=True)
class Materials:
    """All that lies in the box, in the order of the files."""

    places: Mapping[Point, Place]
    ways: tuple[Way, ...]
    leaders: Mapping[LeaderId, Leader]
    garrisons: tuple[Post, ...]
    cards: Mapping[CardId, Card]
    events: Mapping[EventId, EventCounter]
    numbers: Numbers

    def turn(self, number: int) -> TurnNumbers:
        """The numbers of a Turn, 1 to 4."""
        return self.numbers.turns[number - 1]


@cache
def materials() -> Materials:
    """The box, read once. Raises Invalid, naming the file, for data that cannot be played with."""
    chart, people = _read("map", _Map), _read("leaders", _Leaders)
    return Materials(
        places={place.id: place for place in chart.points},
        ways=chart.links,
        leaders={leader.id: leader for leader in people.leaders},
        garrisons=people.garrisons,
        cards={card.id: card for card in _read("cards", _Cards).cards},
        events={event.id: event for event in _read("events", _Events).events},
        numbers=_read("numbers", Numbers),
    )


def _read(name: str, kind: Any) -> Any:
    path = f"data/{name}.json"
    try:
        return revive(kind, read_json(PACKAGE, path))
    except Malformed as fault:
        raise Invalid(path, str(fault), "see the other rows of the file") from fault
