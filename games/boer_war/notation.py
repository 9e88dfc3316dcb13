"""The notation of The Second Boer War: names, forms and canonical texts of orders."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import get_args

from games.boer_war.board import Board
from games.boer_war.components import EventId, Leader, LeaderId, MapPoint, Point, materials
from games.boer_war.legality import accepted_orders
from games.boer_war.model import SIDES, AnyOrder, View
from games.boer_war.owner_data import BOXES
from games.order_kinds import KindNotation, one_form_of_each_name
from games.own_box import DATA
from games.protocol import Condition, Form, Lexicon, LexiconEntry, OptionValue
from games.record import replace_fields

_SIDE_ADJECTIVES = {"boers": "Boer", "empire": "Empire"}


class BoerWarNotation(KindNotation[View, AnyOrder]):
    """The notation of the game. Implements `protocol.Notation`."""

    order_kinds = get_args(AnyOrder)
    condition_rows = (
        (
            "leader-at",
            "{leader:leader} (is|stands|is still|) (at|in) {at:point}",
            "Buller is at EST",
            "{leader} is at {at}",
        ),
        (
            "leader-has",
            "{leader:leader} has {sp:number} [sp] [or more|at least]",
            "Buller has 3 SP",
            "{leader} has {sp} SP",
        ),
        (
            "leader-out",
            "{leader:leader} (is gone|is off the map|is not on the map)",
            "Buller is off the map",
            "{leader} is off the map",
        ),
        ("held", "{at:point} (is|is held by|belongs to) [the] {side:side}", "COL is Boer", "{at} is {side}"),
        ("empty", "{at:point} (is|) (empty|free)", "COL is empty", "{at} is empty"),
        ("besieged", "{at:point} (is|) (besieged|under siege)", "LAD is besieged", "{at} is besieged"),
        ("link-cut", "{a1:point} [-] {b1:point} (is|) cut", "ORS-MOD is cut", "{a1}-{b1} is cut"),
    )

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return one form of each order that is possible in this phase of the war.

        At the player's own table it is only DONE.
        """
        accepted = {name for side in SIDES for name in accepted_orders(replace_fields(view, side=side))}
        kinds = (kind for kind in self.order_kinds if kind.__name__ in accepted)
        return one_form_of_each_name(form for kind in kinds for form in kind.FORMS)

    def lexicon(self, view: View) -> Lexicon:
        """Return the codes and names of all points, leaders and events."""
        return order_lexicon(view.options.get(DATA))

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """Return the order of a matched form. Raises KeyError for an unknown form."""
        order: AnyOrder = super().build(view, form, in_map_order(view.board, slots))
        return order

    def condition_word(self, _place: str, value: str, /) -> str:
        return _SIDE_ADJECTIVES.get(value, value)


def in_map_order(ground: Board, slots: Mapping[str, str]) -> Mapping[str, str]:
    """Return the slots of a form with the ends of each link in the order of the map."""
    turned: dict[str, str] = {}
    for a, b in (("a1", "b1"), ("a2", "b2"), ("a3", "b3")):
        if a in slots and ground.link(Point(slots[a]), Point(slots[b])) == f"{slots[b]}-{slots[a]}":
            turned |= {a: slots[b], b: slots[a]}
    return {**slots, **turned} if turned else slots


# Names of points, leaders and events in reports and orders.


TURN_NUMERALS = ("", "I", "II", "III", "IV")
"""The Roman numerals of the Turns, by number."""

_MAX_NUMBER_NAMED = 40
"""The highest number that an order can contain."""

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
"""Other names of leaders. "Botha" without a first name is the Commander-in-Chief."""

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
"""The events with links in their orders."""


def place_name(point: Point) -> str:
    """Return the name of a point in reports, without its part in brackets."""
    return materials().places[point].name.partition(" (")[0]


def leader_name(leader_id: LeaderId) -> str:
    """Return the name of a leader in reports: the surname, or the full name if two leaders share it."""
    name = surname(materials().leaders[leader_id])
    return name if name not in _shared_surnames() else materials().leaders[leader_id].name


def event_name(event_id: EventId) -> str:
    """Return the code and name of an event counter: ``B02 Cape rebels``."""
    return f"{event_id} {materials().events[event_id].name}"


def surname(leader: Leader) -> str:
    """Return the surname of a leader with its particles, such as "De la Rey"."""
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
    """Return all names that an order can contain: points, leaders, events, railways, sides, numbers.

    data: the value of the option with an owner's files, or None.
    """
    box = BOXES.read_data_option(data)
    return (
        *(
            LexiconEntry(sort="point", id=place.id, names=tuple(_point_names(place)))
            for place in box.materials.places.values()
        ),
        *(
            LexiconEntry(sort="leader", id=leader.id, names=tuple(_leader_names(leader)))
            for leader in box.materials.leaders.values()
        ),
        *(
            LexiconEntry(
                sort="railway" if event.id in EVENTS_NAMING_LINKS else "event",
                id=event.id,
                names=(event.id, event.name, event_name(event.id), *event.aliases),
            )
            for event in box.materials.events.values()
        ),
        *(
            LexiconEntry(sort="link", id=link, names=(link, "-".join(reversed(box.board.ends(link)))))
            for link in box.board.railways
        ),
        LexiconEntry(sort="side", id="boers", names=("Boers", "Boer")),
        LexiconEntry(sort="side", id="empire", names=("Empire", "British")),
        *(
            LexiconEntry(sort="number", id=str(n), names=(str(n), *_SPELT_NUMBERS[n - 1 : n]))
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


def is_true(view: View, condition: Condition) -> bool:
    """Return whether a condition is true just before the action. Raises KeyError for an unknown form.

    The form `empty` means no SP of either side. The form `leader-has` means that number of SP or more.
    """
    slots = condition.slots
    there = view.leaders.get(LeaderId(slots.get("leader", "")))
    at = Point(slots.get("at", ""))
    answers: Mapping[str, Callable[[], bool]] = {
        "leader-at": lambda: there is not None and there.at == at,
        "leader-has": lambda: there is not None and there.sp >= int(slots["sp"]),
        "leader-out": lambda: there is None,
        "held": lambda: view.control.get(at) == slots["side"],
        "empty": lambda: (
            at not in view.garrisons and all(standing.at != at for standing in view.leaders.values())
        ),
        "besieged": lambda: at in view.sieges,
        "link-cut": lambda: view.board.link(Point(slots["a1"]), Point(slots["b1"])) in view.cuts,
    }
    return answers[condition.form]()


NOTATION = BoerWarNotation()
