"""Positions in JSON, and what a bot would do there: implements `protocol.WhatIf`."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from games.boer_war import bots
from games.boer_war.board import Board
from games.boer_war.box import box
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.components import materials
from games.boer_war.events import AnyEvent, Refused
from games.boer_war.forces import capacity, side_of
from games.boer_war.model import SIDES, AnyOrder, Standing, State, View
from games.boer_war.notation import BoerWarNotation
from games.boer_war.rules import BoerWarRules
from games.boer_war.setup import OPTIONS, deployed
from games.boer_war.telling import BoerWarTelling
from games.fields import Field
from games.judging import Dropped, Judging, of_a_bot
from games.own_box import DATA
from games.pool import Counters
from games.protocol import Bot, Invalid, Objection, OptionValue
from games.record import as_json, changed

_FULL = Counters()
_TURNS, _DONE = 4, 2
_NUMBERS = {"recruits": 0, "recruit_pool": 0, "part": 1, "camp_ban": 0}

KEYS = (
    *("turn", "side", "seat", "counters", "done", "used", "leaders", "garrisons", "boxes", "gone", "control"),
    *("sieges", "fallen", "trenches", "cuts", "blockhouses", "camps", "recruited", "recruits"),
    *("pools", "scattered", "recruit_pool", "played", "kept", "standing", "beaten", "repulsed", "options"),
    *("part", "lands", "lost", "brought", "shaken", "black_week", "camp_ban", "winners", "ended"),
)
"""What a question may say; whatever is missing is as at the beginning of the game."""

T = TypeVar("T")
Fields = Mapping[str, Field]


class BoerWarWhatIf(Judging[State, View, AnyOrder, AnyEvent]):
    """The questions: implements `protocol.Judge`."""

    keys = KEYS

    def __init__(self, commanders: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(BoerWarRules(), BoerWarNotation(), BoerWarTelling(), OPTIONS, commanders)

    def position(self, question: Any) -> State:
        """The state of a position. Raises Invalid whose `what` is the path at fault: ``leaders.BUL.sp``."""
        return self.whole(Field(question).entries(KEYS))

    def dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """The orders that could not be carried out."""
        for event in events:
            if isinstance(event, Refused) and event.order in orders:
                yield Dropped(event.order, Objection(code=event.code, detail=event.detail))

    def whole(self, fields: Fields) -> State:
        """The same, of a question's fields."""
        state = _numbered(fields, deployed(_options(fields)))
        state = changed(state, **_read(_PLACED, fields, state))
        state = changed(state, **_read(_LISTS, fields, state))
        _fits(fields, state)
        if "brought" in fields:
            return changed(state, brought=_by_side(fields["brought"], state))
        return changed(state, brought={side: _sum(state, side) for side in SIDES})

    def question(self, state: State) -> dict[str, Any]:
        """A state as the complete position that would be about it."""
        said: dict[str, Any] = as_json(state)
        said["counters"] = {
            side: [open_.ones, open_.twos, open_.threes] for side, open_ in state.counters.items()
        }
        return said

    def bot(self, question: Any) -> dict[str, Any]:
        """What the bot orders for the side whose round it is: orders, a reason for each, and decisions."""
        state = self.position(of_a_bot(question))
        choices = bots.choices(self._rules.view(state, state.seat(state.side)))
        orders = [self._notation.write(choice.order) for choice in choices]
        decisions = [
            {"clause": one.clause, "criterion": one.criterion, "choices": list(one.choices)}
            for choice in choices
            for one in choice.decisions
        ]
        reasons = {order: choice.reason for order, choice in zip(orders, choices, strict=True)}
        return {"orders": orders, "reasons": reasons, "decisions": decisions}


def _options(fields: Fields) -> dict[str, OptionValue]:
    settled: dict[str, OptionValue] = {one.name: str(one.default) for one in OPTIONS if one.name != DATA}
    if "options" in fields:
        for name, field in fields["options"].entries((*settled, DATA)).items():
            if name == DATA:
                settled[name] = _owned(field)
            else:
                settled[name] = _one_of(field, {one.name: one for one in OPTIONS}[name].values)
    return settled


def _owned(field: Field) -> str:
    """The text with the files of an owner's box. Raises Invalid."""
    try:
        box({DATA: field.text()})
    except Invalid as fault:
        raise field.wrong(f"{fault.what.removeprefix('option ')}: {fault.why}", fault.instead) from fault
    return field.text()


def _one_of(field: Field, allowed: Collection[str]) -> str:
    if field.text() not in allowed:
        raise field.wrong(f"there is no {field.value}", f"known are {', '.join(allowed)}")
    return field.text()


def _numbered(fields: Fields, state: State) -> State:
    """Turn, side, counters and what else is counted."""
    turn = fields["turn"].number(1) if "turn" in fields else 1
    if turn > _TURNS:
        raise fields["turn"].wrong(f"there is no Turn {turn}", "write a number from 1 to 4")
    side = _acting(fields)
    over = "ended" in fields
    done = fields["done"].number() if "done" in fields else 0
    if done > _DONE + over:
        raise fields["done"].wrong("a round is over after three actions", "write 0, 1 or 2")
    counters = dict(state.counters)
    for name, field in fields["counters"].entries(SIDES).items() if "counters" in fields else ():
        counters[_side_named(field, name)] = _counters(field)
    if not counters[side].rounds and not over:
        raise Invalid("counters", f"the {side} have no round left in this Turn")
    numbers = {key: fields[key].number(low) for key, low in _NUMBERS.items() if key in fields}
    flags = {key: key in fields and fields[key].flag() for key in ("beaten", "black_week")}
    return changed(state, turn=turn, side=side, done=done, counters=counters, **numbers, **flags)


def _acting(fields: Fields) -> Side:
    """Whose round it is: the side, or the seat that is asked for as other games have it."""
    if "seat" not in fields:
        return _side(fields["side"]) if "side" in fields else "boers"
    seat = fields["seat"]
    side = _side_named(seat, seat.text().lower())
    if "side" in fields and _side(fields["side"]) != side:
        raise seat.wrong("is not the side whose round it is", "leave one of the two out")
    return side


def _counters(field: Field) -> Counters:
    open_ = [one.number() for one in field.items()]
    full = (_FULL.ones, _FULL.twos, _FULL.threes)
    if len(open_) != len(full) or any(n > most for n, most in zip(open_, full, strict=True)):
        raise field.wrong("are no counters", "write how many of 1, 2 and 3 lie open, as [4, 4, 3]")
    return Counters(ones=open_[0], twos=open_[1], threes=open_[2])


def _side(field: Field) -> Side:
    return _side_named(field, field.text())


def _side_named(field: Field, name: str) -> Side:
    if name not in SIDES:
        raise field.wrong(f"there is no side {name}", "write boers or empire")
    return "boers" if name == "boers" else "empire"


def _point_named(field: Field, code: str) -> Point:
    if code not in materials().places:
        raise field.wrong(f"there is no point {code}", "write a code of the map, as DUR")
    return Point(code)


def _leader_named(field: Field, code: str) -> LeaderId:
    if code not in materials().leaders:
        raise field.wrong(f"there is no leader {code}", "write a code, as BUL")
    return LeaderId(code)


def _point(field: Field) -> Point:
    return _point_named(field, field.text())


def _leader(field: Field) -> LeaderId:
    return _leader_named(field, field.text())


def _railway(field: Field, ground: Board) -> Link:
    a, _, b = field.text().partition("-")
    link = ground.link(Point(a), Point(b))
    if link is None or not ground.links[link].rail:
        raise field.wrong(f"{field.value} is no railway", "write its two ends, as ORS-MOD")
    return link


def _each(field: Field, read: Callable[[Field], T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(read(one) for one in field.items()))


def _standings(field: Field, _state: State) -> dict[LeaderId, Standing]:
    found = {}
    for code, row in field.entries().items():
        parts = row.entries(("at", "sp"))
        for key in ("at", "sp"):
            if key not in parts:
                raise row.wrong(f"has no {key}", 'write {"at": "DUR", "sp": 3}')
        found[_leader_named(row, code)] = Standing(at=_point(parts["at"]), sp=parts["sp"].number(1))
    return found


def _control(field: Field, state: State) -> dict[Point, Side]:
    """Control of some points; the others are as at the start, or the Empire's where "*" says so."""
    rows = field.entries()
    rest = {point: _side(rows["*"]) for point in state.control} if "*" in rows else state.control
    named = {_point_named(row, code): _side(row) for code, row in rows.items() if code != "*"}
    return {**rest, **named}


def _by_side(field: Field, state: State) -> dict[Side, int]:
    named = {_side_named(row, name): row.number() for name, row in field.entries(SIDES).items()}
    return {side: named.get(side, 0) for side in SIDES}


_PLACED: Mapping[str, Callable[[Field, State], Any]] = {
    "leaders": _standings,
    "garrisons": lambda field, _: {
        _point_named(row, code): row.number(1) for code, row in field.entries().items()
    },
    "control": _control,
    "sieges": lambda field, _: {
        _point_named(row, code): row.number() for code, row in field.entries().items()
    },
    "pools": _by_side,
    "scattered": _by_side,
    "lost": _by_side,
    "lands": lambda field, _: {
        _leader_named(row, code): _point(row) for code, row in field.entries().items()
    },
    "ended": lambda field, _: field.text(),
    "played": lambda field, _: {
        _one_of(Field(code, row.path), materials().events): row.number()
        for code, row in field.entries().items()
    },
    "kept": lambda field, _: {
        _one_of(Field(code, row.path), materials().events): row.text()
        for code, row in field.entries().items()
    },
}

_LISTS: Mapping[str, Callable[[Field, State], Any]] = {
    "boxes": lambda field, _: {
        side: _each(field.entries(SIDES).get(side, Field([])), _leader) for side in SIDES
    },
    "trenches": lambda field, _: {
        side: _each(field.entries(SIDES).get(side, Field([])), _point) for side in SIDES
    },
    "shaken": lambda field, _: _each(field, _leader),
    "winners": lambda field, _: _each(field, _side),
    "gone": lambda field, _: _each(field, _leader),
    "standing": lambda field, _: _each(field, _leader),
    "repulsed": lambda field, _: _each(field, _leader),
    "fallen": lambda field, _: _each(field, _point),
    "camps": lambda field, _: _each(field, _point),
    "recruited": lambda field, _: _each(field, _point),
    "cuts": lambda field, state: _each(field, lambda one: _railway(one, state.board)),
    "blockhouses": lambda field, state: _each(field, lambda one: _railway(one, state.board)),
    "used": lambda field, _: _each(field, lambda one: one.text()),
}


def _read(
    readers: Mapping[str, Callable[[Field, State], Any]], fields: Fields, state: State
) -> dict[str, Any]:
    return {key: read(fields[key], state) for key, read in readers.items() if key in fields}


def _fits(fields: Fields, state: State) -> None:
    """Raises Invalid where leaders have too many SP, or both sides share a point that is not besieged."""
    held: dict[Point, set[Side]] = {point: {"empire"} for point in state.garrisons}
    for leader, there in state.leaders.items():
        if there.sp > capacity(state, leader):
            raise Invalid(f"leaders.{leader}.sp", f"{leader} leads {capacity(state, leader)} SP at most")
        held.setdefault(there.at, set()).add(side_of(leader))
    for point, sides in held.items():
        if len(sides) > 1 and point not in state.sieges:
            raise Invalid(f"leaders: {point}", "holds both sides and is not besieged", 'say it in "sieges"')
    for town, level in state.sieges.items():
        if len(held.get(town, ())) < len(SIDES) or level >= state.board.places[town].resistance:
            raise Invalid(f"sieges.{town}", "is besieged by nobody, held by nobody, or has fallen")


def _sum(state: State, side: Side) -> int:
    recruits = state.recruit_pool if side == "boers" else 0
    return state.sp_on_map(side) + state.pools[side] + state.scattered[side] + state.lost[side] + recruits
