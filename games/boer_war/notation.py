"""The notation of The Second Boer War: implements `protocol.Notation`."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from games.boer_war import names
from games.boer_war.board import Board
from games.boer_war.codes import EventId, LeaderId, Link, Point
from games.boer_war.conditions import CONDITIONS, write_condition
from games.boer_war.forms import MAX_LEADERS_PER_ORDER, MAX_LINKS_PER_ORDER, MAX_POINTS_PER_PATH, ORDER_FORMS
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
from games.own_box import DATA
from games.protocol import Condition, Form, Lexicon
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
"""By form, the kind of orders that it makes where that is called otherwise."""


class BoerWarNotation:
    """The notation."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to write an order, the canonical one of each name first."""
        return ORDER_FORMS

    @property
    def conditions(self) -> tuple[Form, ...]:
        """The conditions that IF may ask."""
        return CONDITIONS

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return a way to write each order of this kind of war; at a table of the player's own only DONE."""
        kinds = {kind for side in SIDES for kind in accepted_orders(replace_fields(view, side=side))}
        first = {form.name: form for form in reversed(ORDER_FORMS)}
        return tuple(
            form for form in ORDER_FORMS if form is first[form.name] and _order_kind(form.name) in kinds
        )

    def lexicon(self, view: View) -> Lexicon:
        """Return all points, leaders and events, by their codes and by their names."""
        return names.order_lexicon(view.options.get(DATA))

    def build(self, view: View, form: str, slots: FormSlots) -> AnyOrder:
        """Return the order of a matched form. Raises KeyError for a form that is not ours."""
        return _ORDER_BUILDERS[form](in_map_order(view.board, slots))

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text: ``MOVE ROB+KIT ORS MOD``."""
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
        """Return the canonical text of a condition: ``BUL is at EST``."""
        return write_condition(condition)


def _order_kind(form: str) -> str:
    return _ORDER_KINDS_BY_FORM.get(form, form.capitalize())


def _slot_leaders(slots: FormSlots) -> tuple[LeaderId, ...]:
    return tuple(LeaderId(slots[f"l{n}"]) for n in range(1, MAX_LEADERS_PER_ORDER + 1) if f"l{n}" in slots)


def _slot_points(slots: FormSlots) -> tuple[Point, ...]:
    return tuple(Point(slots[f"p{n}"]) for n in range(1, MAX_POINTS_PER_PATH + 1) if f"p{n}" in slots)


def in_map_order(ground: Board, slots: FormSlots) -> FormSlots:
    """Return slots in which the ends of links stand as the map has them, in whichever order they came."""
    turned: dict[str, str] = {}
    for a, b in (("a1", "b1"), ("a2", "b2"), ("a3", "b3")):
        if a in slots and ground.link(Point(slots[a]), Point(slots[b])) == f"{slots[b]}-{slots[a]}":
            turned |= {a: slots[b], b: slots[a]}
    return {**slots, **turned} if turned else slots


def _slot_links(slots: FormSlots) -> tuple[Link, ...]:
    """Return the links named by their ends; what is no link keeps its two codes."""
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
    "pass": lambda slots: Pass(),
    "done": lambda slots: Done(),
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
    """Return a line of an order: the verb, then the parts that are not None."""
    return " ".join((verb, *(str(part) for part in parts if part is not None)))


def _write_march(verb: str, leaders: Sequence[LeaderId], path: Sequence[Point], *tail: str) -> str:
    return " ".join((verb, "+".join(leaders), *path, *tail))


def _write_event(order: PlayEvent) -> str:
    """Return the text of an event order.

    A drive names its goal first, as DRIVE does, all others their leaders.
    """
    drives = order.event == "E11" and len(order.points) == 1
    about = (*order.points, *order.leaders) if drives else (*order.leaders, *order.points)
    return _join_parts("EVENT", order.event, *about, *order.links)


def _write_move(order: Move) -> str:
    tail = ("STORM",) if order.storm else ("GUNS",) if order.guns else ()
    return _write_march("MOVE", order.leaders, order.path, *tail)
