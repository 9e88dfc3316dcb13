"""How The Second Boer War is written and read: implements `protocol.Notation`."""

from collections.abc import Callable, Mapping, Sequence

from games.boer_war import names
from games.boer_war.board import board
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
        return names.lexicon()

    def build(self, view: View, form: str, slots: Slots) -> AnyOrder:
        """The order of a matched form. Raises KeyError for a form that is not ours."""
        return _BUILD[form](slots)

    def write(self, order: AnyOrder) -> str:
        """The canonical text: ``MOVE ROB+KIT ORS MOD``."""
        return _WRITE[type(order)](order)

    def write_condition(self, condition: Condition) -> str:
        """The canonical text of a condition: ``BUL is at EST``."""
        return write_condition(condition)


def _kind(form: str) -> str:
    return _KINDS.get(form, form.capitalize())


def _leaders(slots: Slots) -> tuple[LeaderId, ...]:
    return tuple(LeaderId(slots[f"l{n}"]) for n in range(1, LEADERS + 1) if f"l{n}" in slots)


def _points(slots: Slots) -> tuple[Point, ...]:
    return tuple(Point(slots[f"p{n}"]) for n in range(1, POINTS + 1) if f"p{n}" in slots)


def _links(slots: Slots) -> tuple[Link, ...]:
    """The links named by their ends, however these were put; what is no link keeps its two codes."""
    if "k1" in slots:
        return (Link(slots["k1"]),)
    pairs = [(Point(slots[f"a{n}"]), Point(slots[f"b{n}"])) for n in range(1, LINKS + 1) if f"a{n}" in slots]
    return tuple(board().link(a, b) or Link(f"{a}-{b}") for a, b in pairs)


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


_WRITE: Mapping[type, Callable[..., str]] = {
    Move: _written_move,
    Rail: lambda o: _marched("RAIL", o.leaders, o.path),
    Trek: lambda o: _marched("TREK", (o.leader,), o.path),
    Assault: lambda o: _said("ASSAULT", o.at, "GUNS" if o.guns else None),
    Siege: lambda o: _said("SIEGE", o.at),
    Entrench: lambda o: _said("ENTRENCH", o.at),
    Cut: lambda o: _said("CUT", o.link),
    Raid: lambda o: _said("RAID", o.link, o.leader),
    Repair: lambda o: _said("REPAIR", *o.links),
    Reinforce: lambda o: _said("REINFORCE", o.leader, o.at, o.sp),
    Reorganize: lambda o: _said("REORGANIZE", o.leader, o.at, o.sp),
    Drive: lambda o: _said("DRIVE", o.target, *o.leaders),
    Camp: lambda o: _said("CAMP", o.at),
    Blockhouse: lambda o: _said("BLOCKHOUSE", o.link),
    Pass: lambda o: "PASS",
    Done: lambda o: "DONE",
    PlayEvent: _written_event,
    Stance: lambda o: _said("STANCE", o.leader, "SLIP" if o.slip else "STAND"),
    Transfer: lambda o: _said("TRANSFER", o.giver or "GARRISON", o.taker or "GARRISON", o.sp),
    Garrison: lambda o: _said("GARRISON", o.leader, o.at, o.sp),
    Land: lambda o: _said("LAND", o.leader, o.at),
}
