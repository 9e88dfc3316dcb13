"""What points, leaders and events are called, and which names mean them in a letter."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from games.boer_war.box import box
from games.boer_war.codes import EventId, LeaderId, Point
from games.boer_war.components import Leader, Place, materials
from games.own_box import DATA
from games.protocol import Lexicon, OptionValue, Term

ROMAN = ("", "I", "II", "III", "IV")
"""Turns as they are counted."""

_MOST = 40
"""The highest number that an order may name."""

_SPELT = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_TITLES = ("Sir ", "Lord ")
_ALSO: dict[LeaderId, tuple[str, ...]] = {
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

_OLDER: dict[Point, tuple[str, ...]] = {
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

RAILWAY_EVENTS = (EventId("E08"), EventId("B08"))
"""The events whose orders name links."""


def place(point: Point) -> str:
    """A point as a report calls it: without what stands in brackets."""
    return materials().places[point].name.partition(" (")[0]


def leader(one: LeaderId) -> str:
    """A leader as a report calls him: ``Buller``, ``De la Rey``; two of a name in full."""
    name = surname(materials().leaders[one])
    return name if name not in _shared() else materials().leaders[one].name


def event(one: EventId) -> str:
    """An event counter with its code: ``B02 Cape rebels``."""
    return f"{one} {materials().events[one].name}"


def surname(one: Leader) -> str:
    """The last name, with what belongs to it."""
    words = one.name.split(" / ")[0].split()
    first = next((n for n, word in enumerate(words) if word in ("de", "la")), len(words) - 1)
    name = " ".join(words[first:])
    return name[:1].upper() + name[1:]


@cache
def _shared() -> frozenset[str]:
    counted = Counter(surname(one) for one in materials().leaders.values())
    return frozenset(name for name, count in counted.items() if count > 1)


@lru_cache(maxsize=16)
def lexicon(data: OptionValue | None) -> Lexicon:
    """Every name that may stand in an order: points, leaders, events, railways, sides, numbers.

    data: the option with an owner's files, if the game has it.
    """
    lies = box({} if data is None else {DATA: data})
    return (
        *(
            Term(sort="point", id=one.id, names=tuple(_point_names(one)))
            for one in lies.materials.places.values()
        ),
        *(
            Term(sort="leader", id=one.id, names=tuple(_leader_names(one)))
            for one in lies.materials.leaders.values()
        ),
        *(
            Term(
                sort="railway" if one.id in RAILWAY_EVENTS else "event",
                id=one.id,
                names=(one.id, one.name, event(one.id), *one.aliases),
            )
            for one in lies.materials.events.values()
        ),
        *(
            Term(sort="link", id=link, names=(link, "-".join(reversed(lies.board.ends(link)))))
            for link in lies.board.railways
        ),
        Term(sort="side", id="boers", names=("Boers", "Boer")),
        Term(sort="side", id="empire", names=("Empire", "British")),
        *(Term(sort="number", id=str(n), names=tuple(_number_names(n))) for n in range(_MOST + 1)),
    )


def _point_names(one: Place) -> Iterator[str]:
    yield one.id
    yield one.name
    short = one.name.partition(" (")[0]
    if short != one.name:
        yield short
    for tail in (" Junction", " Station"):
        if short.endswith(tail):
            yield short.removesuffix(tail)
    yield from (other for other in _OLDER.get(one.id, ()) if other not in (one.name, short))
    yield from one.aliases


def _leader_names(one: Leader) -> Iterator[str]:
    yield one.id
    yield one.name
    for title in _TITLES:
        if one.name.startswith(title):
            yield one.name.removeprefix(title)
    if surname(one) not in _shared():
        yield surname(one)
    yield from _ALSO.get(one.id, ())
    yield from one.aliases


def _number_names(number: int) -> Iterator[str]:
    yield str(number)
    if 0 < number <= len(_SPELT):
        yield _SPELT[number - 1]
