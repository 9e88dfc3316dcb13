"""The notation of The Second Boer War: names, forms and canonical texts of orders."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import assert_never

from games.boer_war.board import Board
from games.boer_war.components import EventId, Leader, LeaderId, Link, MapPoint, Point, materials
from games.boer_war.legality import accepted_orders
from games.boer_war.model import (
    SIDES,
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Garrison,
    Land,
    Move,
    Pass,
    PlayEvent,
    Raid,
    Rail,
    Reinforce,
    Reorganize,
    Repair,
    Siege,
    Stance,
    Transfer,
    Trek,
    View,
)
from games.boer_war.owner_data import box_of
from games.own_box import DATA
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Notation, OptionValue
from games.record import replace_fields

FormSlots = Mapping[str, str]


_ORDER_KINDS_BY_FORM: Mapping[str, str] = {
    "move-storm": "Move",
    "move-guns": "Move",
    "assault-guns": "Assault",
    "reinforce-garrison": "Reinforce",
    "event": "PlayEvent",
    "event-links": "PlayEvent",
    "stand": "Stance",
    "slip": "Stance",
    "leave": "Transfer",
    "fetch": "Transfer",
}
"""The class of orders that a form makes, for forms of another name."""


class BoerWarNotation(Notation[View, AnyOrder]):
    """The notation of the game. Implements `protocol.Notation`."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """All forms of orders, with the canonical form of each name first."""
        return ORDER_FORMS

    @property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF can check."""
        return CONDITIONS

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return one form of each order that is possible in this phase of the war.

        At the player's own table it is only DONE.
        """
        kinds = {kind for side in SIDES for kind in accepted_orders(replace_fields(view, side=side))}
        first = {form.name: form for form in reversed(ORDER_FORMS)}
        return tuple(
            form for form in ORDER_FORMS if form is first[form.name] and _order_kind(form.name) in kinds
        )

    def lexicon(self, view: View) -> Lexicon:
        """Return the codes and names of all points, leaders and events."""
        return order_lexicon(view.options.get(DATA))

    def build(self, view: View, form: str, slots: FormSlots) -> AnyOrder:
        """Return the order of a matched form. Raises KeyError for an unknown form."""
        return _ORDER_BUILDERS[form](in_map_order(view.board, slots))

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text of an order, such as ``MOVE ROB+KIT ORS MOD``."""
        match order:
            case Move():
                return _write_move(order)
            case Rail():
                return _write_march("RAIL", order.leaders, order.path)
            case Trek():
                return _write_march("TREK", (order.leader,), order.path)
            case Assault():
                return _join_parts("ASSAULT", order.at, "GUNS" if order.guns else None)
            case Siege():
                return _join_parts("SIEGE", order.at)
            case Entrench():
                return _join_parts("ENTRENCH", order.at)
            case Cut():
                return _join_parts("CUT", order.link)
            case Raid():
                return _join_parts("RAID", order.link, order.leader)
            case Repair():
                return _join_parts("REPAIR", *order.links)
            case Reinforce():
                return _join_parts("REINFORCE", order.leader, order.at, order.sp)
            case Reorganize():
                return _join_parts("REORGANIZE", order.leader, order.at, order.sp)
            case Drive():
                return _join_parts("DRIVE", order.target, *order.leaders)
            case Camp():
                return _join_parts("CAMP", order.at)
            case Blockhouse():
                return _join_parts("BLOCKHOUSE", order.link)
            case Pass():
                return "PASS"
            case Done():
                return "DONE"
            case PlayEvent():
                return _write_event(order)
            case Stance():
                return _join_parts("STANCE", order.leader, "SLIP" if order.slip else "STAND")
            case Transfer():
                return _join_parts("TRANSFER", order.giver or "GARRISON", order.taker or "GARRISON", order.sp)
            case Garrison():
                return _join_parts("GARRISON", order.leader, order.at, order.sp)
            case Land():
                return _join_parts("LAND", order.leader, order.at)
            case _:
                assert_never(order)

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of a condition, such as ``BUL is at EST``."""
        return write_condition(condition)


def _order_kind(form: str) -> str:
    return _ORDER_KINDS_BY_FORM.get(form, form.capitalize())


def _slot_leaders(slots: FormSlots) -> tuple[LeaderId, ...]:
    return tuple(LeaderId(slots[f"l{n}"]) for n in range(1, MAX_LEADERS_PER_ORDER + 1) if f"l{n}" in slots)


def _slot_points(slots: FormSlots) -> tuple[Point, ...]:
    return tuple(Point(slots[f"p{n}"]) for n in range(1, MAX_POINTS_PER_PATH + 1) if f"p{n}" in slots)


def in_map_order(ground: Board, slots: FormSlots) -> FormSlots:
    """Return the slots of a form with the ends of each link in the order of the map."""
    turned: dict[str, str] = {}
    for a, b in (("a1", "b1"), ("a2", "b2"), ("a3", "b3")):
        if a in slots and ground.link(Point(slots[a]), Point(slots[b])) == f"{slots[b]}-{slots[a]}":
            turned |= {a: slots[b], b: slots[a]}
    return {**slots, **turned} if turned else slots


def _slot_links(slots: FormSlots) -> tuple[Link, ...]:
    """Return the links that slots name. Two points without a link also make a code, which checks reject."""
    if "k1" in slots:
        return (Link(slots["k1"]),)
    return tuple(
        Link(f"{slots[f'a{n}']}-{slots[f'b{n}']}")
        for n in range(1, MAX_LINKS_PER_ORDER + 1)
        if f"a{n}" in slots
    )


def _slot_point(slots: FormSlots) -> Point:
    return Point(slots["p1"])


def _slot_leader(slots: FormSlots) -> LeaderId:
    return LeaderId(slots["l1"])


def _slot_sp(slots: FormSlots) -> int | None:
    return int(slots["sp"]) if "sp" in slots else None


def _build_move(slots: FormSlots, *, storm: bool = False, guns: bool = False) -> Move:
    return Move(leaders=_slot_leaders(slots), path=_slot_points(slots), storm=storm, guns=guns)


def _build_reinforce(slots: FormSlots) -> Reinforce:
    at = _slot_point(slots) if "p1" in slots else None
    return Reinforce(leader=_slot_leader(slots) if "l1" in slots else None, at=at, sp=_slot_sp(slots))


def _build_reorganize(slots: FormSlots) -> Reorganize:
    return Reorganize(
        leader=_slot_leader(slots), at=_slot_point(slots) if "p1" in slots else None, sp=_slot_sp(slots)
    )


def _build_event(slots: FormSlots) -> PlayEvent:
    return PlayEvent(
        event=EventId(slots["event"]),
        leaders=_slot_leaders(slots),
        points=_slot_points(slots),
        links=_slot_links(slots),
    )


def _build_transfer(slots: FormSlots, giver: str | None, taker: str | None) -> Transfer:
    return Transfer(
        giver=LeaderId(slots[giver]) if giver else None,
        taker=LeaderId(slots[taker]) if taker else None,
        sp=int(slots["sp"]),
    )


_ORDER_BUILDERS: Mapping[str, Callable[[FormSlots], AnyOrder]] = {
    "move": _build_move,
    "move-storm": lambda slots: _build_move(slots, storm=True),
    "move-guns": lambda slots: _build_move(slots, guns=True),
    "rail": lambda slots: Rail(leaders=_slot_leaders(slots), path=_slot_points(slots)),
    "trek": lambda slots: Trek(leader=_slot_leader(slots), path=_slot_points(slots)),
    "assault": lambda slots: Assault(at=_slot_point(slots)),
    "assault-guns": lambda slots: Assault(at=_slot_point(slots), guns=True),
    "siege": lambda slots: Siege(at=_slot_point(slots)),
    "entrench": lambda slots: Entrench(at=_slot_point(slots)),
    "cut": lambda slots: Cut(link=_slot_links(slots)[0]),
    "raid": lambda slots: Raid(
        link=_slot_links(slots)[0], leader=_slot_leader(slots) if "l1" in slots else None
    ),
    "repair": lambda slots: Repair(links=_slot_links(slots)),
    "reinforce": _build_reinforce,
    "reinforce-garrison": _build_reinforce,
    "reorganize": _build_reorganize,
    "drive": lambda slots: Drive(target=_slot_point(slots), leaders=_slot_leaders(slots)),
    "camp": lambda slots: Camp(at=_slot_point(slots)),
    "blockhouse": lambda slots: Blockhouse(link=_slot_links(slots)[0]),
    "pass": lambda _slots: Pass(),
    "done": lambda _slots: Done(),
    "event": _build_event,
    "event-links": _build_event,
    "stand": lambda slots: Stance(leader=_slot_leader(slots), slip=False),
    "slip": lambda slots: Stance(leader=_slot_leader(slots), slip=True),
    "transfer": lambda slots: _build_transfer(slots, "l1", "l2"),
    "leave": lambda slots: _build_transfer(slots, "l1", None),
    "fetch": lambda slots: _build_transfer(slots, None, "l1"),
    "garrison": lambda slots: Garrison(
        leader=_slot_leader(slots), at=_slot_point(slots), sp=int(slots.get("sp", 1))
    ),
    "land": lambda slots: Land(leader=_slot_leader(slots), at=_slot_point(slots)),
}


def _join_parts(verb: str, *parts: object) -> str:
    """Return the text of an order from its verb and the parts that are not None."""
    return " ".join((verb, *(str(part) for part in parts if part is not None)))


def _write_march(verb: str, leaders: Sequence[LeaderId], path: Sequence[Point], *tail: str) -> str:
    return " ".join((verb, "+".join(leaders), *path, *tail))


def _write_event(order: PlayEvent) -> str:
    """Return the text of an event order. The great drive (E11) names its goal first, other events leaders."""
    drives = order.event == "E11" and len(order.points) == 1
    about = (*order.points, *order.leaders) if drives else (*order.leaders, *order.points)
    return _join_parts("EVENT", order.event, *about, *order.links)


def _write_move(order: Move) -> str:
    tail = ("STORM",) if order.storm else ("GUNS",) if order.guns else ()
    return _write_march("MOVE", order.leaders, order.path, *tail)


# The forms of orders. A ``+`` joins the leaders of a group. A link is written as its two ends.


MAX_LEADERS_PER_ORDER, MAX_POINTS_PER_PATH, MAX_LINKS_PER_ORDER = 5, 9, 3
"""The most leaders, points of a path and links in one order."""

_LEADER_JOINT = "[(+|and|with|,|&|)]"
_POINT_JOINT = "[(-|to|via|through|by|,|>|into)]"
_FROM_WORD = "[(from|to|by|via|at|in|-|:)]"
_OF_WORD = "[(to|for|at|in|by|of|with|:|,)]"


def _repeat_pattern(item: str, least: int, most: int, joint: str) -> str:
    """Return the pattern of a list with `least` to `most` items. `{n}` in an item is its number."""
    more = ""
    for number in range(most, least, -1):
        more = f"[{joint} {item.format(n=number)} {more}]"
    text = f" {joint} ".join(item.format(n=number) for number in range(1, least + 1))
    return f"{text} {more}".strip()


def _leaders_pattern(least: int, most: int) -> str:
    return _repeat_pattern("{{l{n}:leader}}", least, most, _LEADER_JOINT)


def _points_pattern(least: int, most: int = MAX_POINTS_PER_PATH) -> str:
    return _repeat_pattern("{{p{n}:point}}", least, most, _POINT_JOINT)


def _links_pattern(least: int, most: int) -> str:
    return _repeat_pattern("{{a{n}:point}} [(-|to)] {{b{n}:point}}", least, most, "[(,|and)]")


_GROUP_PATTERN, _PATH_PATTERN, _LINK_ENDS_PATTERN = (
    _leaders_pattern(1, 3),
    _points_pattern(1),
    "{a1:point} [(-|to|and)] {b1:point}",
)
_AT_POINT_PATTERN = "[at|in|on|of|the] {p1:point}"
_SP_PATTERN = "{sp:number} [sp]"
_STORM_WORDS = "(storm|storms|attack|attacks|assault)"
_GUNS_WORDS = "[with] [the] [naval] (guns|e02)"
_MARCH_WORDS = "(move|moves|march|m)"
_RAIL_WORDS = "(rail|rails|entrain|train|by rail)"
_RAILWAY_WORDS = "[the] [(railway|rails|line|link)] [(between|from|at|on)]"
_REINFORCE_WORDS = "(reinforce|reinforces|recruit|recruits)"
_REORGANIZE_WORDS = "(reorganize|reorganise|reorg|rally)"

_ACTION_FORMS: tuple[tuple[str, str, str], ...] = (
    ("move", f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}}", "MOVE BUL EST"),
    ("move", f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN}", "MOVE BUL DUR PMB EST"),
    ("move", f"{_GROUP_PATTERN} (moves|marches|goes|-) [to] {_PATH_PATTERN}", "Buller moves to Estcourt"),
    (
        "move",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} (and|to|) (invest|besiege)",
        "MOVE CRO ZEE MAF INVEST",
    ),
    (
        "move-storm",
        f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}} [and|to] {_STORM_WORDS}",
        "MOVE CRO MAF STORM",
    ),
    (
        "move-storm",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} [and|to] {_STORM_WORDS}",
        "MOVE CRO ZEE MAF STORM",
    ),
    (
        "move-guns",
        f"{_MARCH_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}} {_GUNS_WORDS}",
        "MOVE BUL COS GUNS",
    ),
    (
        "move-guns",
        f"{_MARCH_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN} {_GUNS_WORDS}",
        "MOVE BUL EST COS GUNS",
    ),
    ("rail", f"{_RAIL_WORDS} {{l1:leader}} {_FROM_WORD} {{p1:point}}", "RAIL MET DEA"),
    ("rail", f"{_RAIL_WORDS} {_GROUP_PATTERN} {_FROM_WORD} {_PATH_PATTERN}", "RAIL MET CPT DEA"),
    (
        "rail",
        f"{_GROUP_PATTERN} (rails|entrains|goes by rail) [from|to] {_PATH_PATTERN}",
        "Methuen goes by rail to De Aar",
    ),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM_WORD} {{p1:point}}", "TREK DWT REI"),
    ("trek", f"(trek|treks|ride|rides) {{l1:leader}} {_FROM_WORD} {_PATH_PATTERN}", "TREK DWT LIN REI FRK"),
    ("trek", f"{{l1:leader}} (treks|rides) [from|to] {_PATH_PATTERN}", "De Wet treks to Reitz"),
    ("assault", f"(assault|sortie|sally) {_AT_POINT_PATTERN}", "ASSAULT LAD"),
    ("assault-guns", f"(assault|sortie|sally) {_AT_POINT_PATTERN} {_GUNS_WORDS}", "ASSAULT LAD GUNS"),
    ("siege", f"(siege|besiege|shell|bombard) {_AT_POINT_PATTERN}", "SIEGE KIM"),
    ("entrench", f"(entrench|dig in) {_AT_POINT_PATTERN}", "ENTRENCH COS"),
    ("cut", f"(cut|break) {_RAILWAY_WORDS} {{k1:link}}", "CUT ORS-MOD"),
    (
        "cut",
        f"(cut|break) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "cut the railway between Orange River and Modder River",
    ),
    ("raid", f"(raid|wreck) {_RAILWAY_WORDS} {{k1:link}}", "RAID BRA-KRO"),
    (
        "raid",
        f"(raid|wreck) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "raid the line from Brandfort to Kroonstad",
    ),
    (
        "raid",
        f"(raid|wreck) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN} [(by|with|:)] {{l1:leader}}",
        "RAID BRA-KRO DWT",
    ),
    ("repair", f"(repair|repairs|mend) {_RAILWAY_WORDS} {{k1:link}}", "REPAIR ORS-MOD"),
    ("repair", f"(repair|repairs|mend) {_RAILWAY_WORDS} {_links_pattern(1, 2)}", "REPAIR ORS-MOD NAA-COL"),
    (
        "reinforce",
        f"{_REINFORCE_WORDS} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}] [{_OF_WORD} {_SP_PATTERN}]",
        "REINFORCE MET 2",
    ),
    (
        "reinforce",
        f"{_REINFORCE_WORDS} {_SP_PATTERN} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}]",
        "REINFORCE 2 SP for Methuen",
    ),
    (
        "reinforce-garrison",
        f"{_REINFORCE_WORDS} {_OF_WORD} {{p1:point}} [{_OF_WORD} {_SP_PATTERN}]",
        "REINFORCE DUR 1",
    ),
    (
        "reorganize",
        f"{_REORGANIZE_WORDS} {_OF_WORD} {{l1:leader}} [{_OF_WORD} {{p1:point}}] [{_OF_WORD} {_SP_PATTERN}]",
        "REORGANIZE BOT 2",
    ),
    ("drive", "drive [on|at|to|against] {p1:point} [with|by|:] {l1:leader}", "DRIVE REI ELL"),
    (
        "drive",
        f"drive [on|at|to|against] {{p1:point}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "DRIVE REI ELL KNO RUN",
    ),
    ("camp", f"(camp|build camp|set up camp|build a camp|set up a camp) {_AT_POINT_PATTERN}", "CAMP KRO"),
    ("blockhouse", f"(blockhouse|blockhouses) {_RAILWAY_WORDS} {{k1:link}}", "BLOCKHOUSE KRO-VER"),
    (
        "blockhouse",
        f"(blockhouse|blockhouses) {_RAILWAY_WORDS} {_LINK_ENDS_PATTERN}",
        "blockhouses from Kroonstad to Vereeniging",
    ),
    ("pass", "(pass|passes|do nothing)", "PASS"),
    ("done", "(done|action done|action carried out|carried out)", "DONE"),
)

_EVENT_WORDS = "(event|play event|play)"
_EVENT_FORMS: tuple[tuple[str, str, str], ...] = (
    ("event", f"{_EVENT_WORDS} {{event:event}}", "EVENT E02"),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{l1:leader}}", "EVENT B02 OLI"),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{p1:point}}", "EVENT E01 DUR"),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {{l1:leader}} {_FROM_WORD} {{p1:point}}",
        "EVENT E01 BUL DUR",
    ),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "EVENT B07 BOT DLR",
    ),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_leaders_pattern(1, MAX_LEADERS_PER_ORDER)} "
        f"{_FROM_WORD} {_points_pattern(1)}",
        "EVENT E05 FRE DUR PMB",
    ),
    ("event", f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_points_pattern(1)}", "EVENT B01 MAF"),
    (
        "event",
        f"{_EVENT_WORDS} {{event:event}} {_OF_WORD} {_points_pattern(1, 1)} {_OF_WORD} "
        f"{_leaders_pattern(1, MAX_LEADERS_PER_ORDER)}",
        "EVENT E11 REI ELL KNO RUN HUN",
    ),
    ("event-links", f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{k1:link}}", "EVENT E08 ORS-MOD"),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {_links_pattern(1, MAX_LINKS_PER_ORDER)}",
        "EVENT E08 ORS-MOD KRO-VER",
    ),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{l1:leader}} {_OF_WORD} {{k1:link}}",
        "EVENT B08 DWT BRA-KRO",
    ),
    (
        "event-links",
        f"{_EVENT_WORDS} {{event:railway}} {_OF_WORD} {{l1:leader}} {_OF_WORD} "
        f"{_links_pattern(1, MAX_LINKS_PER_ORDER)}",
        "EVENT B08 DWT BRA-KRO KRO-VER",
    ),
)

_FREE_ORDER_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        "stand",
        "(stance {l1:leader} (stand|stands|fight|hold)|{l1:leader} (stands fast|stands))",
        "STANCE DLR STAND",
    ),
    (
        "slip",
        "(stance {l1:leader} (slip|slips|evade|slip away)|{l1:leader} (slips away|evades))",
        "STANCE DLR SLIP",
    ),
    ("transfer", f"(transfer|hand) {{l1:leader}} [to] {{l2:leader}} {_SP_PATTERN}", "TRANSFER BUL CLE 2"),
    (
        "transfer",
        f"(transfer|hand) {_SP_PATTERN} [from] {{l1:leader}} [to] {{l2:leader}}",
        "TRANSFER 2 SP from BUL to CLE",
    ),
    ("leave", f"transfer {{l1:leader}} [to] [the] garrison {_SP_PATTERN}", "TRANSFER BUL GARRISON 1"),
    ("fetch", f"transfer [the] garrison [to] {{l1:leader}} {_SP_PATTERN}", "TRANSFER GARRISON BUL 1"),
    (
        "garrison",
        f"(garrison|leave) {{l1:leader}} {_AT_POINT_PATTERN} [{_OF_WORD} {_SP_PATTERN}]",
        "GARRISON ELL KRO 1",
    ),
    (
        "garrison",
        f"garrison {_AT_POINT_PATTERN} {_OF_WORD} [{_SP_PATTERN}] {_OF_WORD} {{l1:leader}}",
        "GARRISON KRO ELL",
    ),
    ("land", f"(land|lands) {{l1:leader}} {_AT_POINT_PATTERN}", "LAND BUL DUR"),
)

ORDER_FORMS: tuple[Form, ...] = tuple(
    Form(name=name, pattern=pattern, example=example)
    for name, pattern, example in (*_ACTION_FORMS, *_EVENT_FORMS, *_FREE_ORDER_FORMS)
)
"""All forms of orders, with the canonical form of each name first."""


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
    box = box_of({} if data is None else {DATA: data})
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


# Conditions that IF can check.


_IS_PATTERN = "(is|stands|is still|)"

_CONDITION_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("leader-at", f"{{leader:leader}} {_IS_PATTERN} (at|in) {{at:point}}", "Buller is at EST"),
    ("leader-has", "{leader:leader} has {sp:number} [sp] [or more|at least]", "Buller has 3 SP"),
    ("leader-out", "{leader:leader} (is gone|is off the map|is not on the map)", "Buller is off the map"),
    ("held", "{at:point} (is|is held by|belongs to) [the] {side:side}", "COL is Boer"),
    ("empty", "{at:point} (is|) (empty|free)", "COL is empty"),
    ("besieged", "{at:point} (is|) (besieged|under siege)", "LAD is besieged"),
    ("link-cut", "{a1:point} [-] {b1:point} (is|) cut", "ORS-MOD is cut"),
)

CONDITIONS: tuple[Form, ...] = tuple(
    Form(name=form, pattern=pattern, example=example) for form, pattern, example in _CONDITION_PATTERNS
)
"""The conditions that IF can check. The answer depends on the position just before the action."""

_CONDITION_TEXTS: Mapping[str, str] = {
    "leader-at": "{leader} is at {at}",
    "leader-has": "{leader} has {sp} SP",
    "leader-out": "{leader} is off the map",
    "held": "{at} is {side}",
    "empty": "{at} is empty",
    "besieged": "{at} is besieged",
    "link-cut": "{a1}-{b1} is cut",
}
_SIDE_ADJECTIVES = {"boers": "Boer", "empire": "Empire"}


def write_condition(condition: Condition) -> str:
    """Return the canonical text of a condition. Raises KeyError for an unknown form."""
    slots = {name: _SIDE_ADJECTIVES.get(value, value) for name, value in condition.slots.items()}
    return _CONDITION_TEXTS[condition.form].format(**slots)


def is_true(view: View, condition: Condition) -> bool:
    """Return whether a condition is true. Raises KeyError for an unknown form.

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
