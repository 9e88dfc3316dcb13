"""Positions in JSON: their states, their adjudication and the orders of a bot."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from games.boer_war import bots
from games.boer_war.board import Board
from games.boer_war.components import LeaderId, Link, Point, Side, materials
from games.boer_war.events import AnyEvent, Refused
from games.boer_war.model import SIDES, AnyOrder, LeaderStanding, State, View, capacity, side_of
from games.boer_war.notation import BoerWarNotation
from games.boer_war.owner_data import box_of
from games.boer_war.phrases import the_side
from games.boer_war.report_text import BoerWarTelling
from games.boer_war.rules import BoerWarRules
from games.boer_war.setup import OPTIONS, starting_state
from games.fields import Field
from games.judging import BaseJudge, bot_question
from games.messages import sentence
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import Bot, Invalid, OptionValue
from games.record import as_json, replace_fields

_FULL_COUNTER_SET = RoundCounters()
_LAST_TURN, _MAX_ACTIONS_DONE = 4, 2
_NUMBER_MINIMA = {"recruits": 0, "recruit_pool": 0, "part": 1, "camp_ban": 0}

QUESTION_KEYS = (
    *("turn", "side", "seat", "counters", "done", "used", "leaders", "garrisons", "boxes", "gone", "control"),
    *("sieges", "fallen", "trenches", "cuts", "blockhouses", "camps", "recruited", "recruits"),
    *("pools", "scattered", "recruit_pool", "played", "kept", "standing", "beaten", "repulsed", "options"),
    *("part", "lands", "lost", "brought", "shaken", "black_week", "camp_ban", "winners", "ended"),
)
"""The keys of a question. Missing ones have the values of the start of the game."""

FieldItemT = TypeVar("FieldItemT")
QuestionFields = Mapping[str, Field]


class BoerWarWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The judge of positions in JSON. Implements `protocol.Judge`."""

    keys = QUESTION_KEYS
    refusals = (Refused,)

    def __init__(self, commanders: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(BoerWarRules(), BoerWarNotation(), BoerWarTelling(), OPTIONS, commanders)

    def position(self, question: Any) -> State:
        """Return the state of a position. Raises Invalid with the path of the error: ``leaders.BUL.sp``."""
        return self.state_from_fields(Field(question).entries(QUESTION_KEYS))

    def state_from_fields(self, fields: QuestionFields) -> State:
        """Return the state of the fields of a question. Raises Invalid."""
        state = _with_numbers(fields, starting_state(_read_options(fields)))
        state = replace_fields(state, **_read_fields(_PLACEMENT_READERS, fields, state))
        state = replace_fields(state, **_read_fields(_LIST_READERS, fields, state))
        _check_position(state)
        if "brought" in fields:
            return replace_fields(state, brought=_read_by_side(fields["brought"], state))
        return replace_fields(state, brought={side: _total_sp(state, side) for side in SIDES})

    def question(self, state: State) -> dict[str, Any]:
        """Return the complete position of a state, as a question would give it."""
        document: dict[str, Any] = as_json(state)
        document["counters"] = {
            side: [open_.ones, open_.twos, open_.threes] for side, open_ in state.counters.items()
        }
        return document

    def bot(self, question: Any) -> dict[str, Any]:
        """Return the orders of the bot for the side that acts, with reasons and decisions."""
        state = self.position(bot_question(question))
        choices = bots.choose_orders(self._rules.view(state, state.seat(state.side)))
        orders = [self._notation.write(choice.order) for choice in choices]
        decisions = [
            {"clause": decision.clause, "criterion": decision.criterion, "choices": list(decision.choices)}
            for choice in choices
            for decision in choice.decisions
        ]
        reasons = {order: choice.reason for order, choice in zip(orders, choices, strict=True)}
        return {"orders": orders, "reasons": reasons, "decisions": decisions}


def _read_options(fields: QuestionFields) -> dict[str, OptionValue]:
    settled: dict[str, OptionValue] = {
        option.name: str(option.default) for option in OPTIONS if option.name != DATA
    }
    if "options" in fields:
        for name, field in fields["options"].entries((*settled, DATA)).items():
            if name == DATA:
                settled[name] = _read_owner_box(field)
            else:
                settled[name] = _read_choice(field, {option.name: option for option in OPTIONS}[name].values)
    return settled


def _read_owner_box(field: Field) -> str:
    """Return the text with the files of an owner's box. Raises Invalid if they have errors."""
    try:
        box_of({DATA: field.text()})
    except Invalid as fault:
        raise field.wrong(f"{fault.what.removeprefix('option ')}: {fault.why}", fault.instead) from fault
    return field.text()


def _read_choice(field: Field, allowed: Collection[str]) -> str:
    if field.text() not in allowed:
        raise field.wrong(
            sentence("boer_war.judge.unknown", value=field.value),
            sentence("boer_war.judge.known", names=", ".join(allowed)),
        )
    return field.text()


def _with_numbers(fields: QuestionFields, state: State) -> State:
    """Return the state with the Turn, the side, the counters and all other numbers of a question."""
    turn = fields["turn"].number(1) if "turn" in fields else 1
    if turn > _LAST_TURN:
        raise fields["turn"].wrong(
            sentence("boer_war.judge.no_such_turn", turn=turn), sentence("boer_war.judge.write_turn")
        )
    side = _read_acting_side(fields)
    over = "ended" in fields
    done = fields["done"].number() if "done" in fields else 0
    if done > _MAX_ACTIONS_DONE + over:
        raise fields["done"].wrong(
            sentence("boer_war.judge.round_over"), sentence("boer_war.judge.write_done")
        )
    counters = dict(state.counters)
    for name, field in fields["counters"].entries(SIDES).items() if "counters" in fields else ():
        counters[_named_side(field, name)] = _read_counters(field)
    if not counters[side].rounds and not over:
        raise Invalid("counters", sentence("boer_war.judge.no_round_left", side=the_side(side)))
    numbers = {key: fields[key].number(low) for key, low in _NUMBER_MINIMA.items() if key in fields}
    flags = {key: key in fields and fields[key].flag() for key in ("beaten", "black_week")}
    return replace_fields(state, turn=turn, side=side, done=done, counters=counters, **numbers, **flags)


def _read_acting_side(fields: QuestionFields) -> Side:
    """Return the side that acts, from the key `side` or from the key `seat`, which all games have."""
    if "seat" not in fields:
        return _read_side(fields["side"]) if "side" in fields else "boers"
    seat = fields["seat"]
    side = _named_side(seat, seat.text().lower())
    if "side" in fields and _read_side(fields["side"]) != side:
        raise seat.wrong(sentence("boer_war.judge.other_side"), sentence("boer_war.judge.leave_one_out"))
    return side


def _read_counters(field: Field) -> RoundCounters:
    open_ = [item.number() for item in field.items()]
    full = (_FULL_COUNTER_SET.ones, _FULL_COUNTER_SET.twos, _FULL_COUNTER_SET.threes)
    if len(open_) != len(full) or any(n > most for n, most in zip(open_, full, strict=True)):
        raise field.wrong(sentence("boer_war.judge.no_counters"), sentence("boer_war.judge.write_counters"))
    return RoundCounters(ones=open_[0], twos=open_[1], threes=open_[2])


def _read_side(field: Field) -> Side:
    return _named_side(field, field.text())


def _named_side(field: Field, name: str) -> Side:
    if name not in SIDES:
        raise field.wrong(
            sentence("boer_war.judge.no_such_side", name=name), sentence("boer_war.judge.write_side")
        )
    return "boers" if name == "boers" else "empire"


def _named_point(field: Field, code: str) -> Point:
    if code not in materials().places:
        raise field.wrong(
            sentence("boer_war.judge.no_such_point", code=code), sentence("boer_war.judge.write_point")
        )
    return Point(code)


def _named_leader(field: Field, code: str) -> LeaderId:
    if code not in materials().leaders:
        raise field.wrong(
            sentence("boer_war.judge.no_such_leader", code=code), sentence("boer_war.judge.write_leader")
        )
    return LeaderId(code)


def _read_point(field: Field) -> Point:
    return _named_point(field, field.text())


def _read_leader(field: Field) -> LeaderId:
    return _named_leader(field, field.text())


def _read_railway(field: Field, ground: Board) -> Link:
    a, _, b = field.text().partition("-")
    link = ground.link(Point(a), Point(b))
    if link is None or not ground.links[link].rail:
        raise field.wrong(
            sentence("boer_war.judge.no_railway", link=field.value), sentence("boer_war.judge.write_railway")
        )
    return link


def _read_each(field: Field, read: Callable[[Field], FieldItemT]) -> tuple[FieldItemT, ...]:
    return tuple(dict.fromkeys(read(item) for item in field.items()))


def _read_standings(field: Field, _state: State) -> dict[LeaderId, LeaderStanding]:
    standings = {}
    for code, row in field.entries().items():
        parts = row.entries(("at", "sp"))
        for key in ("at", "sp"):
            if key not in parts:
                raise row.wrong(
                    sentence("boer_war.judge.missing_key", key=key),
                    sentence("boer_war.judge.write_leader_row"),
                )
        standings[_named_leader(row, code)] = LeaderStanding(
            at=_read_point(parts["at"]), sp=parts["sp"].number(1)
        )
    return standings


def _read_control(field: Field, state: State) -> dict[Point, Side]:
    """Return the control of all points. The key "*" stands for all points that aren't named.

    Without it these points keep the control that they have at the start.
    """
    rows = field.entries()
    rest = {point: _read_side(rows["*"]) for point in state.control} if "*" in rows else state.control
    named = {_named_point(row, code): _read_side(row) for code, row in rows.items() if code != "*"}
    return {**rest, **named}


def _read_by_side(field: Field, _state: State) -> dict[Side, int]:
    named = {_named_side(row, name): row.number() for name, row in field.entries(SIDES).items()}
    return {side: named.get(side, 0) for side in SIDES}


_PLACEMENT_READERS: Mapping[str, Callable[[Field, State], Any]] = {
    "leaders": _read_standings,
    "garrisons": lambda field, _: {
        _named_point(row, code): row.number(1) for code, row in field.entries().items()
    },
    "control": _read_control,
    "sieges": lambda field, _: {
        _named_point(row, code): row.number() for code, row in field.entries().items()
    },
    "pools": _read_by_side,
    "scattered": _read_by_side,
    "lost": _read_by_side,
    "lands": lambda field, _: {
        _named_leader(row, code): _read_point(row) for code, row in field.entries().items()
    },
    "ended": lambda field, _: field.text(),
    "played": lambda field, _: {
        _read_choice(Field(code, row.path), materials().events): row.number()
        for code, row in field.entries().items()
    },
    "kept": lambda field, _: {
        _read_choice(Field(code, row.path), materials().events): row.text()
        for code, row in field.entries().items()
    },
}

_LIST_READERS: Mapping[str, Callable[[Field, State], Any]] = {
    "boxes": lambda field, _: {
        side: _read_each(field.entries(SIDES).get(side, Field([])), _read_leader) for side in SIDES
    },
    "trenches": lambda field, _: {
        side: _read_each(field.entries(SIDES).get(side, Field([])), _read_point) for side in SIDES
    },
    "shaken": lambda field, _: _read_each(field, _read_leader),
    "winners": lambda field, _: _read_each(field, _read_side),
    "gone": lambda field, _: _read_each(field, _read_leader),
    "standing": lambda field, _: _read_each(field, _read_leader),
    "repulsed": lambda field, _: _read_each(field, _read_leader),
    "fallen": lambda field, _: _read_each(field, _read_point),
    "camps": lambda field, _: _read_each(field, _read_point),
    "recruited": lambda field, _: _read_each(field, _read_point),
    "cuts": lambda field, state: _read_each(field, lambda item: _read_railway(item, state.board)),
    "blockhouses": lambda field, state: _read_each(field, lambda item: _read_railway(item, state.board)),
    "used": lambda field, _: _read_each(field, lambda item: item.text()),
}


def _read_fields(
    readers: Mapping[str, Callable[[Field, State], Any]], fields: QuestionFields, state: State
) -> dict[str, Any]:
    return {key: read(fields[key], state) for key, read in readers.items() if key in fields}


def _check_position(state: State) -> None:
    """Raise Invalid if a leader has too many SP, or if both sides share a point without a siege."""
    held: dict[Point, set[Side]] = {point: {"empire"} for point in state.garrisons}
    for leader, there in state.leaders.items():
        if there.sp > capacity(state, leader):
            most = capacity(state, leader)
            why = sentence("boer_war.judge.too_many_sp", leader=leader, most=most)
            raise Invalid(f"leaders.{leader}.sp", why)
        held.setdefault(there.at, set()).add(side_of(leader))
    for point, sides in held.items():
        if len(sides) > 1 and point not in state.sieges:
            why = sentence("boer_war.judge.shared_without_siege")
            raise Invalid(f"leaders: {point}", why, sentence("boer_war.judge.write_siege"))
    for town, level in state.sieges.items():
        if len(held.get(town, ())) < len(SIDES) or level >= state.board.places[town].resistance:
            raise Invalid(f"sieges.{town}", sentence("boer_war.judge.no_siege"))


def _total_sp(state: State, side: Side) -> int:
    recruits = state.recruit_pool if side == "boers" else 0
    return state.sp_on_map(side) + state.pools[side] + state.scattered[side] + state.lost[side] + recruits
