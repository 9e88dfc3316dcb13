"""Names of points, leaders and events, in reports and in letters."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from games.boer_war.codes import EventId, LeaderId, Point
from games.boer_war.components import Leader, MapPoint, materials
from games.boer_war.owner_data import box_of
from games.own_box import DATA
from games.protocol import Lexicon, LexiconEntry, OptionValue

TURN_NUMERALS = ("", "I", "II", "III", "IV")
"""Turns as they are counted."""

_MAX_NUMBER_NAMED = 40
"""The highest number that an order may name."""

_SPELT_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_LEADER_TITLES = ("Sir ", "Lord ")
_OTHER_LEADER_NAMES: dict[LeaderId, tuple[str, ...]] = {
    LeaderId("SYM"): ("Penn Symons", "Yule"),
    LeaderId("KEL"): ("Kelly Kenny",),
    LeaderId("DLR"): ("Delarey",),
    LeaderId("DWT"): ("Dewet",),
    LeaderId("HER"): ("Barry Hertzog",),
    LeaderId("CBO"): ("Christiaan Botha", "C Botha"),
    LeaderId("BOT"): ("Botha", "L Botha"),
    LeaderId("ELL"): ("Elliott",),
    LeaderId("SMU"): ("Jan Christiaan Smuts",),
}
"""Names by which leaders are known besides; Botha alone is the Commander-in-Chief."""

_OTHER_POINT_NAMES: dict[Point, tuple[str, ...]] = {
    Point("MOD"): ("Magersfontein",),
    Point("COS"): ("Tugela",),
    Point("MAF"): ("Mafikeng",),
    Point("OOK"): ("Namaqualand", "O'okiep"),
    Point("FOU"): ("Brandwater Basin",),
    Point("VOL"): ("Laing's Nek",),
    Point("BEL"): ("Bergendal",),
    Point("PMB"): ("Maritzburg",),
    Point("JOH"): ("Joburg", "the Rand"),
    Point("ORS"): ("Orange River",),
}

EVENTS_NAMING_LINKS = (EventId("E08"), EventId("B08"))
"""The events whose orders name links."""


def place_name(point: Point) -> str:
    """Return a point as a report calls it: without the part in brackets."""
    return materials().places[point].name.partition(" (")[0]


def leader_name(leader_id: LeaderId) -> str:
    """Return a leader as a report calls him: ``Buller``, ``De la Rey``; two of the same name in full."""
    name = surname(materials().leaders[leader_id])
    return name if name not in _shared_surnames() else materials().leaders[leader_id].name


def event_name(event_id: EventId) -> str:
    """Return an event counter with its code: ``B02 Cape rebels``."""
    return f"{event_id} {materials().events[event_id].name}"


def surname(leader: Leader) -> str:
    """Return the last name, with its particles."""
    words = leader.name.split(" / ")[0].split()
    first = next((n for n, word in enumerate(words) if word in ("de", "la")), len(words) - 1)
    name = " ".join(words[first:])
    return name[:1].upper() + name[1:]


@cache
def _shared_surnames() -> frozenset[str]:
    counted = Counter(surname(leader) for leader in materials().leaders.values())
    return frozenset(name for name, count in counted.items() if count > 1)


@lru_cache(maxsize=16)
def order_lexicon(data: OptionValue | None) -> Lexicon:
    """Return every name that may stand in an order: points, leaders, events, railways, sides, numbers.

    data: the option with an owner's files, if the game has it.
    """
    lies = box_of({} if data is None else {DATA: data})
    return (
        *(
            LexiconEntry(sort="point", id=place.id, names=tuple(_point_names(place)))
            for place in lies.materials.places.values()
        ),
        *(
            LexiconEntry(sort="leader", id=leader.id, names=tuple(_leader_names(leader)))
            for leader in lies.materials.leaders.values()
        ),
        *(
            LexiconEntry(
                sort="railway" if event.id in EVENTS_NAMING_LINKS else "event",
                id=event.id,
                names=(event.id, event.name, event_name(event.id), *event.aliases),
            )
            for event in lies.materials.events.values()
        ),
        *(
            LexiconEntry(sort="link", id=link, names=(link, "-".join(reversed(lies.board.ends(link)))))
            for link in lies.board.railways
        ),
        LexiconEntry(sort="side", id="boers", names=("Boers", "Boer")),
        LexiconEntry(sort="side", id="empire", names=("Empire", "British")),
        *(
            LexiconEntry(sort="number", id=str(n), names=tuple(_number_names(n)))
            for n in range(_MAX_NUMBER_NAMED + 1)
        ),
    )


def _point_names(place: MapPoint) -> Iterator[str]:
    yield place.id
    yield place.name
    short = place.name.partition(" (")[0]
    if short != place.name:
        yield short
    for tail in (" Junction", " Station"):
        if short.endswith(tail):
            yield short.removesuffix(tail)
    yield from (other for other in _OTHER_POINT_NAMES.get(place.id, ()) if other not in (place.name, short))
    yield from place.aliases


def _leader_names(leader: Leader) -> Iterator[str]:
    yield leader.id
    yield leader.name
    for title in _LEADER_TITLES:
        if leader.name.startswith(title):
            yield leader.name.removeprefix(title)
    if surname(leader) not in _shared_surnames():
        yield surname(leader)
    yield from _OTHER_LEADER_NAMES.get(leader.id, ())
    yield from leader.aliases


def _number_names(number: int) -> Iterator[str]:
    yield str(number)
    if 0 < number <= len(_SPELT_NUMBERS):
        yield _SPELT_NUMBERS[number - 1]
