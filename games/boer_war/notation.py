"""How The Second Boer War is written and read: implements `protocol.Notation`."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from games.boer_war import names
from games.boer_war.board import Board
from games.boer_war.codes import EventId, LeaderId, Link, Point
from games.boer_war.conditions import CONDITIONS, write_condition
from games.boer_war.forms import FORMS, LEADERS, LINKS, POINTS
from games.boer_war.lawful import accepts
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
from games.record import changed

Slots = Mapping[str, str]


_KINDS: Mapping[str, str] = {
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
        return FORMS

    @property
    def conditions(self) -> tuple[Form, ...]:
        """What IF may ask."""
        return CONDITIONS

    def examples(self, view: View) -> tuple[Form, ...]:
        """A way to write each order of this kind of war; at a table of the player's own only DONE."""
        kinds = {kind for side in SIDES for kind in accepts(changed(view, side=side))}
        first = {form.name: form for form in reversed(FORMS)}
        return tuple(form for form in FORMS if form is first[form.name] and _kind(form.name) in kinds)

    def lexicon(self, view: View) -> Lexicon:
        """All points, leaders and events, by their codes and by their names."""
        return names.lexicon(view.options.get(DATA))

    def build(self, view: View, form: str, slots: Slots) -> AnyOrder:
        """The order of a matched form. Raises KeyError for a form that is not ours."""
        return _BUILD[form](in_map_order(view.board, slots))

    def write(self, order: AnyOrder) -> str:
        """The canonical text: ``MOVE ROB+KIT ORS MOD``."""
        match order:
            case Move():
                return _written_move(order)
            case Rail():
                return _marched("RAIL", order.leaders, order.path)
            case Trek():
                return _marched("TREK", (order.leader,), order.path)
            case Assault():
                return _said("ASSAULT", order.at, "GUNS" if order.guns else None)
            case Siege():
                return _said("SIEGE", order.at)
            case Entrench():
                return _said("ENTRENCH", order.at)
            case Cut():
                return _said("CUT", order.link)
            case Raid():
                return _said("RAID", order.link, order.leader)
            case Repair():
                return _said("REPAIR", *order.links)
            case Reinforce():
                return _said("REINFORCE", order.leader, order.at, order.sp)
            case Reorganize():
                return _said("REORGANIZE", order.leader, order.at, order.sp)
            case Drive():
                return _said("DRIVE", order.target, *order.leaders)
            case Camp():
                return _said("CAMP", order.at)
            case Blockhouse():
                return _said("BLOCKHOUSE", order.link)
            case Pass():
                return "PASS"
            case Done():
                return "DONE"
            case PlayEvent():
                return _written_event(order)
            case Stance():
                return _said("STANCE", order.leader, "SLIP" if order.slip else "STAND")
            case Transfer():
                return _said("TRANSFER", order.giver or "GARRISON", order.taker or "GARRISON", order.sp)
            case Garrison():
                return _said("GARRISON", order.leader, order.at, order.sp)
            case Land():
                return _said("LAND", order.leader, order.at)
            case _:
                assert_never(order)

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of a condition: ``BUL is at EST``."""
        return write_condition(condition)


def _kind(form: str) -> str:
    return _KINDS.get(form, form.capitalize())


def _leaders(slots: Slots) -> tuple[LeaderId, ...]:
    return tuple(LeaderId(slots[f"l{n}"]) for n in range(1, LEADERS + 1) if f"l{n}" in slots)


def _points(slots: Slots) -> tuple[Point, ...]:
    return tuple(Point(slots[f"p{n}"]) for n in range(1, POINTS + 1) if f"p{n}" in slots)


def in_map_order(ground: Board, slots: Slots) -> Slots:
    """Slots in which the ends of links stand as the map has them, however they were put."""
    turned: dict[str, str] = {}
    for a, b in (("a1", "b1"), ("a2", "b2"), ("a3", "b3")):
        if a in slots and ground.link(Point(slots[a]), Point(slots[b])) == f"{slots[b]}-{slots[a]}":
            turned |= {a: slots[b], b: slots[a]}
    return {**slots, **turned} if turned else slots


def _links(slots: Slots) -> tuple[Link, ...]:
    """The links named by their ends; what is no link keeps its two codes."""
    if "k1" in slots:
        return (Link(slots["k1"]),)
    return tuple(Link(f"{slots[f'a{n}']}-{slots[f'b{n}']}") for n in range(1, LINKS + 1) if f"a{n}" in slots)


def _at(slots: Slots) -> Point:
    return Point(slots["p1"])


def _leader(slots: Slots) -> LeaderId:
    return LeaderId(slots["l1"])


def _sp(slots: Slots) -> int | None:
    return int(slots["sp"]) if "sp" in slots else None


def _move(slots: Slots, *, storm: bool = False, guns: bool = False) -> Move:
    return Move(leaders=_leaders(slots), path=_points(slots), storm=storm, guns=guns)


def _fed(slots: Slots) -> Reinforce:
    at = _at(slots) if "p1" in slots else None
    return Reinforce(leader=_leader(slots) if "l1" in slots else None, at=at, sp=_sp(slots))


def _rallied(slots: Slots) -> Reorganize:
    return Reorganize(leader=_leader(slots), at=_at(slots) if "p1" in slots else None, sp=_sp(slots))


def _event(slots: Slots) -> PlayEvent:
    return PlayEvent(
        event=EventId(slots["event"]), leaders=_leaders(slots), points=_points(slots), links=_links(slots)
    )


def _transfer(slots: Slots, giver: str | None, taker: str | None) -> Transfer:
    return Transfer(
        giver=LeaderId(slots[giver]) if giver else None,
        taker=LeaderId(slots[taker]) if taker else None,
        sp=int(slots["sp"]),
    )


_BUILD: Mapping[str, Callable[[Slots], AnyOrder]] = {
    "move": _move,
    "move-storm": lambda slots: _move(slots, storm=True),
    "move-guns": lambda slots: _move(slots, guns=True),
    "rail": lambda slots: Rail(leaders=_leaders(slots), path=_points(slots)),
    "trek": lambda slots: Trek(leader=_leader(slots), path=_points(slots)),
    "assault": lambda slots: Assault(at=_at(slots)),
    "assault-guns": lambda slots: Assault(at=_at(slots), guns=True),
    "siege": lambda slots: Siege(at=_at(slots)),
    "entrench": lambda slots: Entrench(at=_at(slots)),
    "cut": lambda slots: Cut(link=_links(slots)[0]),
    "raid": lambda slots: Raid(link=_links(slots)[0], leader=_leader(slots) if "l1" in slots else None),
    "repair": lambda slots: Repair(links=_links(slots)),
    "reinforce": _fed,
    "reinforce-garrison": _fed,
    "reorganize": _rallied,
    "drive": lambda slots: Drive(target=_at(slots), leaders=_leaders(slots)),
    "camp": lambda slots: Camp(at=_at(slots)),
    "blockhouse": lambda slots: Blockhouse(link=_links(slots)[0]),
    "pass": lambda slots: Pass(),
    "done": lambda slots: Done(),
    "event": _event,
    "event-links": _event,
    "stand": lambda slots: Stance(leader=_leader(slots), slip=False),
    "slip": lambda slots: Stance(leader=_leader(slots), slip=True),
    "transfer": lambda slots: _transfer(slots, "l1", "l2"),
    "leave": lambda slots: _transfer(slots, "l1", None),
    "fetch": lambda slots: _transfer(slots, None, "l1"),
    "garrison": lambda slots: Garrison(leader=_leader(slots), at=_at(slots), sp=int(slots.get("sp", 1))),
    "land": lambda slots: Land(leader=_leader(slots), at=_at(slots)),
}


def _said(verb: str, *parts: object) -> str:
    """A line of an order: the verb, then what is not None."""
    return " ".join((verb, *(str(part) for part in parts if part is not None)))


def _marched(verb: str, leaders: Sequence[LeaderId], path: Sequence[Point], *tail: str) -> str:
    return " ".join((verb, "+".join(leaders), *path, *tail))


def _written_event(order: PlayEvent) -> str:
    """A drive names its goal first, as DRIVE does; all others their leaders."""
    drives = order.event == "E11" and len(order.points) == 1
    about = (*order.points, *order.leaders) if drives else (*order.leaders, *order.points)
    return _said("EVENT", order.event, *about, *order.links)


def _written_move(order: Move) -> str:
    tail = ("STORM",) if order.storm else ("GUNS",) if order.guns else ()
    return _marched("MOVE", order.leaders, order.path, *tail)
