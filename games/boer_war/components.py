"""The components of The Second Boer War from the folder data: map, leaders, cards, events and numbers."""

from collections.abc import Mapping
from functools import cache
from typing import Literal, NewType

from games.data import read_value
from games.record import Record, Value, replace_fields

# Ids of sides, points, links, leaders, cards and events. Each has its own type.


Side = Literal["boers", "empire"]
Mark = Literal["S", "D", "A"]
Point = NewType("Point", str)
"""The code of a point, such as BLO."""
Link = NewType("Link", str)
"""The code of a link: the codes of its ends in the order of the map, such as ORS-MOD."""
LeaderId = NewType("LeaderId", str)
CardId = NewType("CardId", str)
EventId = NewType("EventId", str)

Region = Literal["cape", "natal", "free state", "transvaal"]
REPUBLIC_REGIONS: tuple[Region, Region] = ("free state", "transvaal")
Flag = Literal["port", "target", "political", "rebel", "camp site"]
Role = Literal["attack", "defence"]


def link_ends(link: Link) -> tuple[Point, Point]:
    """Return the two ends of a link from its code. The link doesn't have to be on the map."""
    a, _, b = link.partition("-")
    return Point(a), Point(b)


# The numbers of the rules (data/numbers.json): one record for each table.
#
# The field `mark` says where the numbers come from: S sourced, D deduced, A assumed.


class TurnNumbers(Record, frozen=True, kw_only=True):
    """A Turn: its dates, the SP that come into the pools, and the most SP of an Empire REINFORCE."""

    number: int
    dates: str
    empire_pool: int
    boer_pool: int
    reinforce: int
    mark: Mark


class Losses(Record, frozen=True, kw_only=True):
    """A row of a table of losses: the SP that loser and winner lose from the difference `low` upwards."""

    low: int
    loser: int
    winner: int


class RoundNumbers(Record, frozen=True, kw_only=True):
    """The rounds of a side in a Turn, and the side that begins."""

    of_a_side: int
    first: Side
    mark: Mark


class ReinforcementNumbers(Record, frozen=True, kw_only=True):
    """The SP that leaders get. recruits_below: a leader with that many SP can't recruit."""

    boers: int
    reorganized: int
    recruit_pool: int
    recruits_below: int
    mark: Mark


class MoveNumbers(Record, frozen=True, kw_only=True):
    """Distances in links, and limits of groups.

    rail: the most links of a RAIL. supply: the distance of supply from a railway point. unsupplied: the most
    links of a MOVE without supply. trek: the most links of a TREK. commando: the SP that a Boer leader can
    lead in Turns III and IV. group: the number of leaders that a Commander-in-Chief takes along.
    """

    rail: int
    supply: int
    unsupplied: int
    trek: int
    commando: int
    group: int
    mark: Mark


class MarkerNumbers(Record, frozen=True, kw_only=True):
    """Markers on the map.

    cut_near, repair_near: the distance from which a link can be cut or repaired, counted to one of its ends.
    repaired: the most cuts of a REPAIR. mends: the lowest roll that repairs a cut, or 0 if no roll is needed.
    blockhouses, camps: the number of markers. Earlier data have no fields about repairs.
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

    hand: the most cards that count. beyond: the SP beyond the hand that add one point.
    mobile: the SP that beaten Boers save if they have no ox wagons. ox_wagons: leaders with that Move or less
    have ox wagons. decisive: the difference of a decisive defeat.
    slip_move: the Move that leaders need to slip away. slip_from: the expected difference from which they do.
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
    """The parts of the average score of a side in a battle."""

    empire: dict[Role, float]
    boers: dict[Role, float]
    command: float
    base: float
    mark: Mark


class SkirmishNumbers(Record, frozen=True, kw_only=True):
    """Evasion, modifiers and losses of skirmishes. drive: the most leaders of a DRIVE."""

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
    """Rolls for leaders who cross or raid a line of blockhouses.

    ends: 1 if entering a point at the end of a line counts as crossing it, 0 if only moving along it does.
    quiet: 1 if Boers can't recruit at the end of a line. Earlier data have neither field.
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
    """The least SP of a siege, the roll that raises its level, the step, and the bonus of a strong force."""

    least: int
    rises: int
    step: int
    strong: int
    bonus: int
    mark: Mark


class AttritionNumbers(Record, frozen=True, kw_only=True):
    """Losses near camps: the Empire rounds after which they happen, the distance, and the most that count."""

    rounds: tuple[int, ...]
    near: int
    most: int
    mark: Mark


class ArrivalNumbers(Record, frozen=True, kw_only=True):
    """The points where leaders without another place arrive.

    taken: the most SP that an arriving leader gets from the leader that they join.
    """

    cape: Point
    republics: Point
    taken: int
    mark: Mark


class ScatteredNumbers(Record, frozen=True, kw_only=True):
    """The share of the Scattered box that is lost at the end of a Turn: one SP in every `one_of`."""

    one_of: int
    mark: Mark


class LeaderTestNumbers(Record, frozen=True, kw_only=True):
    """The roll that puts a leader out of the game."""

    out: int
    mark: Mark


class RisingNumbers(Record, frozen=True, kw_only=True):
    """The least and the most Boer SP at the beginning of Turn III."""

    least: int
    most: int
    mark: Mark


class TransitionNumbers(Record, frozen=True, kw_only=True):
    """The leaders of the Boers from Turn III on."""

    roster: tuple[LeaderId, ...]
    mark: Mark


class VictoryNumbers(Record, frozen=True, kw_only=True):
    """The numbers that decide the game.

    sieges, targets: the completed sieges or objectives with which the Boers win.
    centres: the political centres that the Empire needs to go on after Turn II.
    centres_turn, centres_round: the last Empire round after which all centres win at once.
    broken, gone, unbeaten: the Boer SP up to which they are broken, below which they are gone, and from which
    they are unbeaten.
    camps_ahead, camps_last: the lead of camps over R that wins after Turn III and after Turn IV.
    unbeaten_first: 1 if unbeaten Boers win after Turn IV in spite of the camps. Earlier data have neither
    camps_last nor unbeaten_first.
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
    """The numbers of older games, as far as they differ from the present ones.

    markers, blockhouse, skirmish: None in the stored data of older games, which have these numbers in their
    own tables. needs: the field `needs` of some events.
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
    """None in the stored data of older games, which have these numbers in their own tables."""


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
"""The type of each table of numbers.json, except for the list of Turns."""


PACKAGE = "games.boer_war"


class MapPoint(Record, frozen=True, kw_only=True):
    """A point of the map.

    fort: the number that a Boer attack on it loses. resistance: the siege level at which it falls, or 0.
    control: the side that controls it at the start. aliases: other names that players can write.
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
        """True for points in the Orange Free State and the Transvaal."""
        return self.region in REPUBLIC_REGIONS

    @property
    def is_siege_town(self) -> bool:
        """True for points that can be besieged: Ladysmith, Kimberley and Mafeking."""
        return self.resistance > 0


class MapLink(Record, frozen=True, kw_only=True):
    """A link, by rail or by road."""

    a: Point
    b: Point
    rail: bool
    mark: Mark


class Leader(Record, frozen=True, kw_only=True):
    """A leader.

    command, move, capacity: the Command, the links of a move, and the most SP. chief: true for a
    Commander-in-Chief, who can take others along.
    at: the point at the start, or None for leaders who arrive later. turn, round: the time of their arrival.
    sp: the SP at the start or on arrival.
    lands: the points where an Empire leader can land. Without any, a point on a railway of the republics.
    joins: the leaders whom an arriving Boer can join. The first one on the map gives up SP.
    district: the points where a Boer leader begins the guerrilla war. leaves: the Turn that ends with the
    leader's departure. aliases: other names that players can write.
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
    """A garrison at the start. under: the historical commander."""

    at: Point
    sp: int
    under: str = ""
    mark: Mark


class BattleCard(Record, frozen=True, kw_only=True):
    """A battle card: its name on each side, and the values for attack and defence of each side."""

    id: CardId
    type: Literal["infantry", "cavalry", "artillery", "machine guns", "auxiliaries", "trains"]
    empire: str
    boers: str
    values: dict[Side, tuple[int, int]]
    mark: Mark

    def value(self, side: Side, role: Role) -> int:
        """Return the value of the card for a side that attacks or defends."""
        return self.values[side][0 if role == "attack" else 1]

    def caption(self, side: Side) -> str:
        """Return the name of the card for a side."""
        return self.empire if side == "empire" else self.boers


class EventCounter(Record, frozen=True, kw_only=True):
    """An event counter.

    turns: the Turns in which it can be played. uses: the number of times.
    number: the size of the effect. die: the highest roll that has an effect. bonus: the bonus for an attack.
    needs: the SP, camps or Command that the condition asks for. near: the distance that it asks for.
    leaders, points: the leaders and points that the event is about. takes: the details that an order names.
    aliases: other names that players can write.
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
    """The points and links of data/map.json."""

    about: str
    marks: str
    points: tuple[MapPoint, ...]
    links: tuple[MapLink, ...]


class LeaderData(Record, frozen=True, kw_only=True):
    """The leaders and garrisons of data/leaders.json."""

    about: str
    marks: str
    leaders: tuple[Leader, ...]
    garrisons: tuple[StartingGarrison, ...]


class CardData(Record, frozen=True, kw_only=True):
    """The battle cards of data/cards.json."""

    about: str
    marks: str
    cards: tuple[BattleCard, ...]


class EventData(Record, frozen=True, kw_only=True):
    """The event counters of data/events.json."""

    about: str
    marks: str
    events: tuple[EventCounter, ...]


class Materials(Value, frozen=True):
    """The data of a game, in the order of the files. They are our own or those of an owner's box."""

    places: Mapping[Point, MapPoint]
    ways: tuple[MapLink, ...]
    leaders: Mapping[LeaderId, Leader]
    garrisons: tuple[StartingGarrison, ...]
    cards: Mapping[CardId, BattleCard]
    events: Mapping[EventId, EventCounter]
    numbers: RuleNumbers

    def turn(self, number: int) -> TurnNumbers:
        """Return the numbers of a Turn from 1 to 4."""
        return self.numbers.turns[number - 1]


FIRST_NUMBERS, WEIGHED_NUMBERS, EVEN_NUMBERS = "first", "weighed", "even"
"""The values of the option `numbers` for older games."""


def earlier_materials(contents: Materials) -> dict[str, Materials]:
    """Return the data of a box with each set of earlier numbers, by the name of the set."""
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
    """Return the data of a box with a set of earlier numbers."""
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
    """Return our own data. Raises Invalid with the name of a file that has errors.

    All boxes share their names, sides and codes. For anything else, use the data of a position.
    """
    return compile_materials(
        read_value(PACKAGE, "data/map.json", MapData),
        read_value(PACKAGE, "data/leaders.json", LeaderData),
        read_value(PACKAGE, "data/cards.json", CardData),
        read_value(PACKAGE, "data/events.json", EventData),
        read_value(PACKAGE, "data/numbers.json", RuleNumbers),
    )


def compile_materials(
    chart: MapData, people: LeaderData, cards: CardData, events: EventData, numbers: RuleNumbers
) -> Materials:
    """Return the data of a box from the values of its files."""
    return Materials(
        places={place.id: place for place in chart.points},
        ways=chart.links,
        leaders={leader.id: leader for leader in people.leaders},
        garrisons=people.garrisons,
        cards={card.id: card for card in cards.cards},
        events={event.id: event for event in events.events},
        numbers=numbers,
    )
