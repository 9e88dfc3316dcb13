"""The components of The Second Boer War, read from data/: map, leaders, cards, events and numbers, by id."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NewType

from games.data import read_json
from games.messages import sentence
from games.protocol import Invalid
from games.record import Malformed, Record, Value, replace_fields, revive

# Ids of sides, points, links, leaders, cards and events: each a type of its own.


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
REPUBLIC_REGIONS: tuple[Region, Region] = ("free state", "transvaal")
Flag = Literal["port", "target", "political", "rebel", "camp site"]
Role = Literal["attack", "defence"]


def link_ends(link: Link) -> tuple[Point, Point]:
    """Return the two ends of a link, as its code names them; it need not be on any map."""
    a, _, b = link.partition("-")
    return Point(a), Point(b)


# The numbers of the rules (data/numbers.json): one record for each table, with its mark.


class TurnNumbers(Record, frozen=True, kw_only=True):
    """A Turn's dates, the SP that come into the pools, and how many REINFORCE brings the Empire."""

    number: int
    dates: str
    empire_pool: int
    boer_pool: int
    reinforce: int
    mark: Mark


class Losses(Record, frozen=True, kw_only=True):
    """SP that loser and winner lose from a difference up."""

    low: int
    loser: int
    winner: int


class RoundNumbers(Record, frozen=True, kw_only=True):
    """Rounds of a side in a Turn, and who begins."""

    of_a_side: int
    first: Side
    mark: Mark


class ReinforcementNumbers(Record, frozen=True, kw_only=True):
    """SP that come to leaders. recruits_below: who has so many recruits no more."""

    boers: int
    reorganized: int
    recruit_pool: int
    recruits_below: int
    mark: Mark


class MoveNumbers(Record, frozen=True, kw_only=True):
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


class MarkerNumbers(Record, frozen=True, kw_only=True):
    """Markers: how many, how far men go to cut and to repair, and how many cuts one REPAIR removes.

    cut_near, repair_near: links from where they stand to an end of the link; mends: the lowest roll that
    removes a cut, 0 if none is rolled. Earlier boxes do not say how repairs are done.
    """

    cut_near: int
    repaired: int
    blockhouses: int
    camps: int
    mark: Mark
    repair_near: int = 1
    mends: int = 0


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


class EstimateNumbers(Record, frozen=True, kw_only=True):
    """The average score of a side in a battle."""

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
    """Crossing a line of blockhouses, and raiding one.

    ends: 1 if who comes into a point at which a line ends crosses it, 0 if only who goes along its link does.
    quiet: 1 if nobody recruits where one ends. Boxes of before say neither.
    """

    loses: int
    skilled: int
    skill: int
    raid_cuts: int
    raid_loses: int
    mark: Mark
    ends: int = 0
    quiet: int = 0


class SiegeNumbers(Record, frozen=True, kw_only=True):
    """SP that a siege takes, what raises its level and by how much, the bonus of a strong force."""

    least: int
    rises: int
    step: int
    strong: int
    bonus: int
    mark: Mark


class AttritionNumbers(Record, frozen=True, kw_only=True):
    """After which rounds of the Empire, how near camps wear, and how many at most."""

    rounds: tuple[int, ...]
    near: int
    most: int
    mark: Mark


class ArrivalNumbers(Record, frozen=True, kw_only=True):
    """Where leaders come who have no other place; taken: SP that one takes over from whom he joins."""

    cape: Point
    republics: Point
    taken: int
    mark: Mark


class ScatteredNumbers(Record, frozen=True, kw_only=True):
    """The share of the Scattered box that is lost at the end of a Turn: one SP of each `one_of`."""

    one_of: int
    mark: Mark


class LeaderTestNumbers(Record, frozen=True, kw_only=True):
    """The number on which a leader is out of the game."""

    out: int
    mark: Mark


class RisingNumbers(Record, frozen=True, kw_only=True):
    """The Boers at the beginning of Turn III: SP at least and at most."""

    least: int
    most: int
    mark: Mark


class TransitionNumbers(Record, frozen=True, kw_only=True):
    """The leaders of the Boers from Turn III on."""

    roster: tuple[LeaderId, ...]
    mark: Mark


class VictoryNumbers(Record, frozen=True, kw_only=True):
    """Completed sieges, targets, centres; Boer SP when they are broken, gone, unbeaten; camps ahead of R.

    camps_last: by how many they are to be more at the end of Turn IV; unbeaten_first: 1 if Boers who are
    unbeaten then win all the same. Boxes of before say neither.
    centres_turn, centres_round: the last round of the Empire's after which the three centres win at once.
    """

    sieges: int
    targets: int
    centres: int
    centres_turn: int
    centres_round: int
    broken: int
    gone: int
    camps_ahead: int
    unbeaten: int
    mark: Mark
    camps_last: int = 0
    unbeaten_first: int = 0


class EarlierNumbers(Record, frozen=True, kw_only=True):
    """The numbers of games that were begun before, where these are others now.

    markers, blockhouse, skirmish: None in a box that a game of before keeps: it has them in their places.
    needs: those of some events.
    """

    rising: RisingNumbers
    siege: SiegeNumbers
    victory: VictoryNumbers
    markers: MarkerNumbers | None = None
    blockhouse: BlockhouseNumbers | None = None
    skirmish: SkirmishNumbers | None = None
    needs: dict[EventId, int] = {}
    mark: Mark


class RuleNumbers(Record, frozen=True, kw_only=True):
    """All numbers of the rules."""

    about: str
    marks: str
    rounds: RoundNumbers
    turns: tuple[TurnNumbers, ...]
    reinforcing: ReinforcementNumbers
    moving: MoveNumbers
    markers: MarkerNumbers
    battle: BattleNumbers
    estimate: EstimateNumbers
    skirmish: SkirmishNumbers
    blockhouse: BlockhouseNumbers
    siege: SiegeNumbers
    attrition: AttritionNumbers
    arriving: ArrivalNumbers
    scattered: ScatteredNumbers
    leader_test: LeaderTestNumbers
    rising: RisingNumbers
    transition: TransitionNumbers
    victory: VictoryNumbers
    first: EarlierNumbers
    weighed: EarlierNumbers | None = None
    even: EarlierNumbers | None = None
    """None in a box that a game of before keeps: it has these in their places."""


NUMBER_TABLES: Mapping[str, type[Record]] = {
    "rounds": RoundNumbers,
    "reinforcing": ReinforcementNumbers,
    "moving": MoveNumbers,
    "markers": MarkerNumbers,
    "battle": BattleNumbers,
    "estimate": EstimateNumbers,
    "skirmish": SkirmishNumbers,
    "blockhouse": BlockhouseNumbers,
    "siege": SiegeNumbers,
    "attrition": AttritionNumbers,
    "arriving": ArrivalNumbers,
    "scattered": ScatteredNumbers,
    "leader_test": LeaderTestNumbers,
    "rising": RisingNumbers,
    "transition": TransitionNumbers,
    "victory": VictoryNumbers,
    "first": EarlierNumbers,
    "weighed": EarlierNumbers,
    "even": EarlierNumbers,
}
"""The tables that have fields, by name; the Turns are a list."""


PACKAGE = "games.boer_war"


class MapPoint(Record, frozen=True, kw_only=True):
    """A point. fort: what a storm of it is the weaker by; resistance: the level at which it falls to a siege.

    control: whose it is at the start; aliases: what else letters may call it.
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
    aliases: tuple[str, ...] = ()
    mark: Mark

    @property
    def is_republic(self) -> bool:
        """Return whether it is in the Orange Free State or the Transvaal."""
        return self.region in REPUBLIC_REGIONS

    @property
    def is_siege_town(self) -> bool:
        """Return whether it can be besieged: Ladysmith, Kimberley, Mafeking."""
        return self.resistance > 0


class MapLink(Record, frozen=True, kw_only=True):
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
    of which Turn. aliases: what else letters may call him.
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
    aliases: tuple[str, ...] = ()
    mark: Mark


class StartingGarrison(Record, frozen=True, kw_only=True):
    """A garrison at the start. under: whom it is known by."""

    at: Point
    sp: int
    under: str = ""
    mark: Mark


class BattleCard(Record, frozen=True, kw_only=True):
    """A battle card: what each side calls it, and its attack and defence for each."""

    id: CardId
    type: Literal["infantry", "cavalry", "artillery", "machine guns", "auxiliaries", "trains"]
    empire: str
    boers: str
    values: dict[Side, tuple[int, int]]
    mark: Mark

    def value(self, side: Side, role: Role) -> int:
        """Return its value to a side that attacks or defends."""
        return self.values[side][0 if role == "attack" else 1]

    def caption(self, side: Side) -> str:
        """Return its name on a side."""
        return self.empire if side == "empire" else self.boers


class EventCounter(Record, frozen=True, kw_only=True):
    """An event: in which Turns, how often.

    number: the size of its effect; die: the highest roll that counts; bonus: to an attack; needs, near,
    leaders, points: what its condition counts: SP, camps or Command, links, whom and where it is about.
    takes: what is named when it is played. aliases: other names for it in letters.
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
    aliases: tuple[str, ...] = ()
    mark: Mark


class MapData(Record, frozen=True, kw_only=True):
    """Points and what links them: data/map.json."""

    about: str
    marks: str
    points: tuple[MapPoint, ...]
    links: tuple[MapLink, ...]


class LeaderData(Record, frozen=True, kw_only=True):
    """Leaders and garrisons: data/leaders.json."""

    about: str
    marks: str
    leaders: tuple[Leader, ...]
    garrisons: tuple[StartingGarrison, ...]


class CardData(Record, frozen=True, kw_only=True):
    """The battle cards: data/cards.json."""

    about: str
    marks: str
    cards: tuple[BattleCard, ...]


class EventData(Record, frozen=True, kw_only=True):
    """The event counters: data/events.json."""

    about: str
    marks: str
    events: tuple[EventCounter, ...]


class Materials(Value, frozen=True):
    """The contents of a box, in the order of the files."""

    places: Mapping[Point, MapPoint]
    ways: tuple[MapLink, ...]
    leaders: Mapping[LeaderId, Leader]
    garrisons: tuple[StartingGarrison, ...]
    cards: Mapping[CardId, BattleCard]
    events: Mapping[EventId, EventCounter]
    numbers: RuleNumbers

    def turn(self, number: int) -> TurnNumbers:
        """Return the numbers of a Turn, 1 to 4."""
        return self.numbers.turns[number - 1]


FIRST_NUMBERS, WEIGHED_NUMBERS, EVEN_NUMBERS = "first", "weighed", "even"
"""The numbers of games that were begun before there was a choice, and of those of the next ones."""


def earlier_materials(contents: Materials) -> dict[str, Materials]:
    """Return the contents of a box with each set of earlier numbers, by the name of the set."""
    then = {
        FIRST_NUMBERS: contents.numbers.first,
        WEIGHED_NUMBERS: contents.numbers.weighed,
        EVEN_NUMBERS: contents.numbers.even,
    }
    return {
        name: _with_earlier_numbers(contents, numbers)
        for name, numbers in then.items()
        if numbers is not None
    }


def _with_earlier_numbers(contents: Materials, then: EarlierNumbers) -> Materials:
    """Return the contents of a box, by earlier numbers."""
    numbers = replace_fields(
        contents.numbers,
        rising=then.rising,
        siege=then.siege,
        victory=then.victory,
        markers=then.markers or contents.numbers.markers,
        blockhouse=then.blockhouse or contents.numbers.blockhouse,
        skirmish=then.skirmish or contents.numbers.skirmish,
    )
    events = {
        code: replace_fields(event, needs=then.needs.get(code, event.needs))
        for code, event in contents.events.items()
    }
    return replace_fields(contents, numbers=numbers, events=events)


@cache
def materials() -> Materials:
    """Return our own box, read once. Raises Invalid, naming the file, for data that cannot be played with.

    It answers for what every box has in common: names, sides and codes. All else is asked of a position.
    """
    return compile_materials(
        _read_data("map", MapData),
        _read_data("leaders", LeaderData),
        _read_data("cards", CardData),
        _read_data("events", EventData),
        _read_data("numbers", RuleNumbers),
    )


def compile_materials(
    chart: MapData, people: LeaderData, cards: CardData, events: EventData, numbers: RuleNumbers
) -> Materials:
    """Return the contents of a box, from the values of its files."""
    return Materials(
        places={place.id: place for place in chart.points},
        ways=chart.links,
        leaders={leader.id: leader for leader in people.leaders},
        garrisons=people.garrisons,
        cards={card.id: card for card in cards.cards},
        events={event.id: event for event in events.events},
        numbers=numbers,
    )


def _read_data(name: str, kind: Any) -> Any:
    path = f"data/{name}.json"
    try:
        return revive(kind, read_json(PACKAGE, path))
    except Malformed as fault:
        raise Invalid(path, str(fault), sentence("boer_war.faults.see_other_rows")) from fault
