"""Points and links, leaders, cards, events and numbers, read from the files in data/.

Each row has a mark: S was found in the game's published papers, D follows from them, A is assumed. The
papers that could be found have the solitaire procedure whole and the base game in outline only, so that
map, set-up, leaders, cards, events and most numbers are a stand-in; an owner of the box puts his own into
files like these (`owner_data.py`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from games.boer_war.codes import (
    REPUBLIC_REGIONS,
    CardId,
    EventId,
    Flag,
    LeaderId,
    Mark,
    Point,
    Region,
    Role,
    Side,
)
from games.boer_war.numbers import EarlierNumbers, RuleNumbers, TurnNumbers
from games.data import read_json
from games.protocol import Invalid
from games.record import Malformed, Record, Value, replace_fields, revive

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
        raise Invalid(path, str(fault), "see the other rows of the file") from fault
