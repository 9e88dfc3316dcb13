"""Positions in JSON: their states, their adjudication and the orders of a bot."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NewType

from games.boer_war import bots
from games.boer_war.board import Board
from games.boer_war.components import EventId, LeaderId, Link, Point, Side, materials
from games.boer_war.events import AnyEvent, Refused
from games.boer_war.model import SIDES, AnyOrder, State, View, capacity, side_of
from games.boer_war.notation import BoerWarNotation
from games.boer_war.owner_data import box_of
from games.boer_war.phrases import the_side
from games.boer_war.report_text import BoerWarTelling
from games.boer_war.rules import BoerWarRules
from games.boer_war.setup import OPTIONS, starting_state
from games.json_reader import JsonReader, one_of
from games.judging import BaseJudge, bot_question, check_owner_data
from games.messages import sentence
from games.pool import RoundCounters
from games.protocol import Bot, Invalid
from games.record import Bounds, Value, as_json, plain, replace_fields, revive

_FULL_COUNTER_SET = RoundCounters()
_MAX_ACTIONS_DONE = 2
_BY_SIDE = ("boxes", "trenches", "pools", "scattered", "lost")
_ALL_POINTS = "*"

_ControlledPoint = NewType("_ControlledPoint", str)
_Number = Annotated[int, Bounds(ge=1)]


class _Leader(Value, frozen=True):
    at: Point
    sp: _Number


class _Position(Value, frozen=True):
    """The keys of a position that a state doesn't have, or has in another form.

    control: the key "*" stands for all points that aren't named. Without it these points keep the control
    that they have at the start.
    """

    seat: str
    turn: Annotated[int, Bounds(ge=1, le=4)]
    part: _Number
    counters: dict[Side, tuple[int, int, int]]
    leaders: dict[LeaderId, _Leader]
    garrisons: dict[Point, _Number]
    control: dict[_ControlledPoint, Side]


class BoerWarWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The judge of positions in JSON. Implements `protocol.Judge`."""

    reader = JsonReader(
        State,
        _Position,
        names={
            Point: one_of("point", materials().places),
            LeaderId: one_of("leader", materials().leaders),
            EventId: one_of("event", materials().events),
            _ControlledPoint: one_of("point", (*materials().places, _ALL_POINTS)),
        },
        partial=True,
    )
    refusals = (Refused,)

    def __init__(self, commanders: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(BoerWarRules(), BoerWarNotation(), BoerWarTelling(), OPTIONS, commanders)

    def position(self, question: Any) -> State:
        """Return the state of a position. Raises Invalid with the path of the error: ``leaders.BUL.sp``."""
        return self.read_state(self.reader.read(question))

    def read_state(self, values: dict[str, Any]) -> State:
        """Return the state of the fields of a question. Missing ones are as at the start. Raises Invalid."""
        options = self.options(values)
        check_owner_data(box_of, options)
        start = plain(starting_state(options), in_order=False)
        given = {
            key: _without_repeats(value) for key, value in values.items() if key not in ("seat", "counters")
        }
        given |= {key: {**start[key], **given[key]} for key in _BY_SIDE if key in given}
        given["side"] = _read_acting_side(values)
        given["counters"] = start["counters"] | _read_counters(values.get("counters", {}))
        if "control" in given:
            rest = given["control"].pop(_ALL_POINTS, None)
            others = dict.fromkeys(start["control"], rest) if rest else start["control"]
            given["control"] = {**others, **given["control"]}
        board = box_of(options).board
        for key in ("cuts", "blockhouses"):
            links = [_read_railway(f"{key}[{n}]", text, board) for n, text in enumerate(values.get(key, ()))]
            given[key] = tuple(dict.fromkeys(links))
        if "brought" in given:
            given["brought"] = {**dict.fromkeys(SIDES, 0), **given["brought"]}
        state: State = revive(State, {**start, **given, "options": options})
        _check_round(state)
        _check_position(state)
        if "brought" in given:
            return state
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


def _read_acting_side(values: Mapping[str, Any]) -> Side:
    """Return the side that acts, from the key `side` or from the key `seat`, which all games have."""
    side: Side = values.get("side", "boers")
    if "seat" not in values:
        return side
    named = next((side for side in SIDES if side == values["seat"].lower()), None)
    if named is None:
        why = sentence("boer_war.judge.no_such_side", name=values["seat"])
        raise Invalid("seat", why, sentence("boer_war.judge.write_side"))
    if named != values.get("side", named):
        why = sentence("boer_war.judge.other_side")
        raise Invalid("seat", why, sentence("boer_war.judge.leave_one_out"))
    return named


def _read_counters(counters: Mapping[str, Sequence[int]]) -> dict[str, RoundCounters]:
    """Return the open counters by side."""
    read = {}
    for side, (ones, twos, threes) in counters.items():
        full = _FULL_COUNTER_SET
        if ones > full.ones or twos > full.twos or threes > full.threes:
            why = sentence("boer_war.judge.no_counters")
            raise Invalid(f"counters.{side}", why, sentence("boer_war.judge.write_counters"))
        read[side] = RoundCounters(ones=ones, twos=twos, threes=threes)
    return read


def _read_railway(path: str, text: str, board: Board) -> Link:
    a, _, b = text.partition("-")
    link = board.link(Point(a), Point(b))
    if link is None or not board.links[link].rail:
        why = sentence("boer_war.judge.no_railway", link=text)
        raise Invalid(path, why, sentence("boer_war.judge.write_railway"))
    return link


def _without_repeats(value: Any) -> Any:
    """Return a list without its repeated elements, or a mapping with such lists."""
    if isinstance(value, dict):
        return {key: _without_repeats(part) for key, part in value.items()}
    return tuple(dict.fromkeys(value)) if isinstance(value, list | tuple) else value


def _check_round(state: State) -> None:
    """Raise Invalid if the side that acts can't have an action left."""
    if state.done > _MAX_ACTIONS_DONE + (state.ended is not None):
        raise Invalid("done", sentence("boer_war.judge.round_over"), sentence("boer_war.judge.write_done"))
    if not state.counters[state.side].rounds and state.ended is None:
        raise Invalid("counters", sentence("boer_war.judge.no_round_left", side=the_side(state.side)))


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
