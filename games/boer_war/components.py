"""Points and links, leaders, cards, events and numbers, read from the files in data/.

Each row has a mark: S was found in the game's published papers, D follows from them, A is assumed. The papers
that could be found have the solitaire procedure whole and the base game in outline only, so that map, set-up,
leaders, cards, events and most numbers are a stand-in; an owner of the box puts his own into files like these
(`box.py`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from games.boer_war.codes import (
    REPUBLICS,
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
from games.boer_war.numbers import EarlierNumbers, Numbers, TurnNumbers
from games.data import read_json
from games.protocol import Invalid
from games.record import Malformed, Record, Value, changed, revive

PACKAGE = "games.boer_war"


class Place(Record, frozen=True, kw_only=True):
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
    takes: what is named when it is played. aliases: what else letters may call it.
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


class Map(Record, frozen=True, kw_only=True):
    """Points and what links them: data/map.json."""

    about: str
    marks: str
    points: tuple[Place, ...]
    links: tuple[Way, ...]


class Leaders(Record, frozen=True, kw_only=True):
    """Leaders and garrisons: data/leaders.json."""

    about: str
    marks: str
    leaders: tuple[Leader, ...]
    garrisons: tuple[Post, ...]


class Cards(Record, frozen=True, kw_only=True):
    """The battle cards: data/cards.json."""

    about: str
    marks: str
    cards: tuple[Card, ...]


class Events(Record, frozen=True, kw_only=True):
    """The event counters: data/events.json."""

    about: str
    marks: str
    events: tuple[EventCounter, ...]


class Materials(Value, frozen=True):
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


FIRST, WEIGHED, EVEN = "first", "weighed", "even"
"""The numbers of games that were begun before there was a choice, and of those of the next ones."""


def earlier(found: Materials) -> dict[str, Materials]:
    """By numbers of before, what lies in a box with these in their places."""
    then = {FIRST: found.numbers.first, WEIGHED: found.numbers.weighed, EVEN: found.numbers.even}
    return {name: _with(found, numbers) for name, numbers in then.items() if numbers is not None}


def _with(found: Materials, then: EarlierNumbers) -> Materials:
    """What lies in a box, by earlier numbers."""
    numbers = changed(
        found.numbers,
        rising=then.rising,
        siege=then.siege,
        victory=then.victory,
        markers=then.markers or found.numbers.markers,
        blockhouse=then.blockhouse or found.numbers.blockhouse,
        skirmish=then.skirmish or found.numbers.skirmish,
    )
    events = {
        code: changed(event, needs=then.needs.get(code, event.needs)) for code, event in found.events.items()
    }
    return changed(found, numbers=numbers, events=events)


@cache
def materials() -> Materials:
    """Our own box, read once. Raises Invalid, naming the file, for data that cannot be played with.

    It answers for what every box has in common: names, sides and codes. All else is asked of a position.
    """
    return compiled(
        _read("map", Map),
        _read("leaders", Leaders),
        _read("cards", Cards),
        _read("events", Events),
        _read("numbers", Numbers),
    )


def compiled(chart: Map, people: Leaders, cards: Cards, events: Events, numbers: Numbers) -> Materials:
    """What lies in a box, of the values of its files."""
    return Materials(
        places={place.id: place for place in chart.points},
        ways=chart.links,
        leaders={leader.id: leader for leader in people.leaders},
        garrisons=people.garrisons,
        cards={card.id: card for card in cards.cards},
        events={event.id: event for event in events.events},
        numbers=numbers,
    )


def _read(name: str, kind: Any) -> Any:
    path = f"data/{name}.json"
    try:
        return revive(kind, read_json(PACKAGE, path))
    except Malformed as fault:
        raise Invalid(path, str(fault), "see the other rows of the file") from fault
