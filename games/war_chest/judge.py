"""Positions of War Chest in JSON, and the automaton's decisions with reasons. Implements `protocol.WhatIf`.

Hexes are ``[q, r]`` here, sides are ``ai`` and ``human``. Nothing is random: the first choice of a tie is
used.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NewType, assert_never

from games.dice import Dice
from games.json_reader import JsonReader, one_of
from games.judging import BaseJudge, Dropped
from games.language import join_list
from games.messages import sentence
from games.protocol import Bot, Concern, Invalid, Options, Seat
from games.record import Bounds, Value, as_json, replace_fields, required_fields, revive
from games.war_chest import automaton
from games.war_chest.board import AXIAL, HEX_AT, HEX_ORDER, Hex, in_order
from games.war_chest.components import HIDDEN_COIN, ROYAL_COIN, UNIT_NAMES, Card, Coin, name, sorted_coins
from games.war_chest.events import (
    Action,
    AnyEvent,
    Attacked,
    Bolstered,
    Controlled,
    Deployed,
    Moved,
    Recruited,
    Refused,
)
from games.war_chest.execution import carry_out
from games.war_chest.model import (
    AUTOMATON,
    GOLD,
    PLAYER,
    SILVER,
    Again,
    AnyOrder,
    ListDecision,
    Pick,
    Side,
    Stack,
    State,
    UseDrawn,
    View,
)
from games.war_chest.notation import WarChestNotation
from games.war_chest.owner_data import PRINTED
from games.war_chest.phrases import ChoiceWording, reason
from games.war_chest.report_text import WarChestTelling
from games.war_chest.rules import WarChestRules
from games.war_chest.sequence import rally, skip_idle_decisions
from games.war_chest.setup import OPTIONS

# Complete positions in JSON: the fields of a state, with the names of hexes as in orders.


_READER = JsonReader(
    State,
    names={
        Coin: one_of("unit", (*UNIT_NAMES, ROYAL_COIN)),
        Hex: one_of("hex", AXIAL),
        Seat: one_of("side", (PLAYER, AUTOMATON, GOLD, SILVER)),
    },
    partial=True,
)


def is_complete(question: object) -> bool:
    """Return whether a question contains a complete position."""
    return isinstance(question, dict) and question.get("sides") is not None


def state_of(values: Mapping[str, Any], options: Options) -> State:
    """Return the state of a complete position. Raises Invalid with the path of the wrong field."""
    for key in required_fields(State):
        if key != "options" and key not in values:
            missing, write_complete = (
                sentence("war_chest.judge.missing"),
                sentence("war_chest.judge.write_complete"),
            )
            raise Invalid(key, missing, write_complete)
    state: State = revive(State, {**values, "options": options})
    _check_seats(state)
    _check_placement(state)
    return replace_fields(
        state,
        stacks=tuple(sorted(state.stacks, key=lambda stack: HEX_ORDER[stack.at])),
        control={
            location: state.control[location] for location in sorted(state.control, key=HEX_ORDER.__getitem__)
        },
    )


def _check_seats(state: State) -> None:
    wanted = (PLAYER, AUTOMATON) if state.options["opponent"] == "ai" else (GOLD, SILVER)
    if set(state.sides) != set(wanted):
        raise Invalid(
            "sides",
            sentence("war_chest.judge.sides", sides=join_list(state.sides)),
            sentence("war_chest.judge.write_sides", sides=join_list(wanted)),
        )
    named = (
        *(("mover", seat) for seat in (state.mover,)),
        *(("stacks", stack.seat) for stack in state.stacks),
        *(("control", owner) for owner in state.control.values()),
        *(("agenda", task.seat) for task in state.agenda),
        *(("picks", seat) for seat, _ in state.picks),
    )
    for key, seat in named:
        if seat not in wanted:
            raise Invalid(
                key,
                sentence("war_chest.judge.not_playing", side=seat),
                sentence("war_chest.judge.write_side", sides=join_list(wanted, "or")),
            )
    for seat, side in state.sides.items():
        if not _owns_its_coins(side):
            raise Invalid("sides", sentence("war_chest.judge.foreign_coins", side=seat))
        task = state.agenda[0] if state.agenda else None
        must_use = isinstance(task, UseDrawn) and task.seat == seat
        if must_use != (side.drawn is not None):
            raise Invalid("sides", sentence("war_chest.judge.drawn", side=seat))
    mover = state.sides[state.mover]
    if not (state.picks or state.ended or state.agenda or mover.hand or state.revealed):
        raise Invalid(
            "mover",
            sentence("war_chest.judge.empty_hand", side=state.mover),
            sentence("war_chest.judge.give_coin"),
        )


def _owns_its_coins(side: Side) -> bool:
    coins = {*side.bag, *side.hand, *side.face_up, *side.face_down, *filter(None, (side.drawn,))}
    return HIDDEN_COIN not in coins and coins <= {*side.cards, ROYAL_COIN} and {*side.supply} <= {*side.cards}


def _check_placement(state: State) -> None:
    """Raise Invalid if units or markers are on hexes where they cannot be."""
    for number, stack in enumerate(state.stacks):
        at = f"stacks[{number}]"
        if any(other.at == stack.at for other in state.stacks[:number]):
            raise Invalid(at, sentence("war_chest.judge.occupied", hex=stack.at))
        if stack.card not in state.sides[stack.seat].cards:
            raise Invalid(
                at,
                sentence("war_chest.judge.no_card", side=stack.seat, card=stack.card),
                sentence("war_chest.judge.name_cards"),
            )
        if stack.height < 1:
            raise Invalid(at, sentence("war_chest.judge.no_coins"))
        if len(state.units(stack.seat, stack.card)) > state.box.units[stack.card].most_on_board:
            raise Invalid(at, sentence("war_chest.judge.too_many", card=stack.card))
    for location in state.control:
        if location not in state.box.locations:
            raise Invalid("control", sentence("war_chest.judge.no_location", hex=location))
    for seat in state.sides:
        if state.markers(seat) >= state.box.board.markers and state.ended is None:
            markers = state.box.board.markers
            raise Invalid("control", sentence("war_chest.judge.won", side=seat, markers=markers))


SEAT_BY_SIDE = {"ai": AUTOMATON, "human": PLAYER}
_ShortSeat = NewType("_ShortSeat", Seat)
_AnyCoin = NewType("_AnyCoin", Coin)
_Axial = Annotated[int, Bounds(ge=-9)]
"""A coordinate of a hex, from the middle of the board."""


class _ShortMarker(Value, frozen=True):
    side: _ShortSeat
    q: _Axial
    r: _Axial


class _ShortStack(_ShortMarker, frozen=True):
    unit: Card
    coins: Annotated[int, Bounds(ge=1)] = 1


class _ShortOptions(Value, frozen=True):
    royal_mode: Literal["recruit", "mass_recruit", "maneuver_all"] = "recruit"
    royal_guard: Literal["stack", "supply"] = "stack"


class _ShortPosition(Value, frozen=True):
    """The parts of a position that the automaton's list asks about. The last three explain it to readers."""

    units: tuple[_ShortStack, ...] = ()
    extra_control: tuple[_ShortMarker, ...] = ()
    revealed: _AnyCoin | None = None
    ai_supply: dict[Card, int] = {}
    ai_removed: dict[Card, int] = {}
    ai_last_maneuver_turn: dict[Card, int] = {}
    options: _ShortOptions = _ShortOptions()
    name: Any = None
    note: Any = None
    expect: Any = None


class _HumanKeys(Value, frozen=True):
    """The key of a position in which the human decides: the human's coins."""

    hand: tuple[_AnyCoin, ...] | None = None


_SHORT_READER = JsonReader(
    _ShortPosition,
    names={
        Coin: one_of("unit", UNIT_NAMES),
        _AnyCoin: one_of("unit", (*UNIT_NAMES, ROYAL_COIN)),
        _ShortSeat: one_of("side", SEAT_BY_SIDE, SEAT_BY_SIDE.__getitem__),
    },
)


class WarChestWhatIf(BaseJudge[State, View, AnyOrder, AnyEvent]):
    """The answers to questions about positions. Implements `protocol.Judge`."""

    reader = _READER
    refusals = (Refused,)

    def __init__(self, bots: Mapping[str, Bot[View, AnyOrder]]) -> None:
        super().__init__(WarChestRules(), WarChestNotation(), WarChestTelling(), OPTIONS, bots)

    def position(self, question: Any) -> State:
        """Return the state of a position with the automaton's revealed coin, or with the human's `hand`.

        Raises Invalid whose `what` is the path of the wrong field.
        """
        if is_complete(question):
            return self.read_state(self.reader.read(question))
        values, human = _SHORT_READER.read_with(question, _HumanKeys)
        asked: _ShortPosition = revive(_ShortPosition, values)
        if human.hand is None:
            return _with_revealed(asked)
        hand = sorted_coins(human.hand)
        cards = tuple(coin for coin in dict.fromkeys(hand) if coin != ROYAL_COIN)
        return replace_fields(_state(asked), mover=PLAYER).with_side(PLAYER, Side(cards=cards, hand=hand))

    def bot(self, question: Any) -> dict[str, Any]:
        """Return the automaton's decision with its revealed coin. Raises Invalid as `position` does.

        Keys: action and its details; decisions, one for each list of priorities; criterion and choices of
        the last decision; reason, in sentences. If every unit maneuvers, the keys are action and maneuvers,
        with one answer per unit.
        """
        if is_complete(question):
            return self.ask_bot(question)
        state = _with_revealed(revive(_ShortPosition, _SHORT_READER.read(question)))
        rallied = rally(state)
        if not rallied.agenda:
            return _answer(state, *_play_turn(state), mass=_is_mass(state))
        maneuvers = []
        for task in rallied.agenda:
            assert isinstance(task, Again)
            alone = replace_fields(rallied, agenda=(task,))
            done, after = _play_turn(alone)
            maneuvers.append({"unit": task.card} | _answer(alone, done, after))
            rallied = replace_fields(after, agenda=())
            if after.ended is not None:
                break
        return {"action": "maneuver_all", "maneuvers": maneuvers}

    def find_dropped(
        self, view: View, orders: Sequence[AnyOrder], events: Sequence[AnyEvent]
    ) -> Iterator[Dropped[AnyOrder]]:
        """Yield the orders that were illegal when their turn came, and cards that were picked twice."""
        yield from super().find_dropped(view, orders, events)
        picks = [order for order in orders if isinstance(order, Pick)]
        for place, again in enumerate(picks):
            if again in picks[:place]:
                yield Dropped(again, Concern(code="picked-twice", detail={"card": again.card}))

    def read_state(self, values: dict[str, Any]) -> State:
        """Return the state of a complete position. Raises Invalid."""
        return state_of(values, self.options(values))

    def question(self, state: State) -> dict[str, Any]:
        """Return a state as a complete position."""
        document: dict[str, Any] = as_json(state)
        return document


class _ForbiddenDice(Dice):
    """Dice that fail on any draw, as the decision list draws nothing."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        raise AssertionError(f"{label} was drawn to answer a question")


DecisionsMade = list[tuple[automaton.AutomatonAnswer, tuple[AnyEvent, ...]]]


def _play_turn(state: State) -> tuple[DecisionsMade, State]:
    """Return the decisions of the automaton's turn with their events, and the state after the turn."""
    done: DecisionsMade = []
    asked = bool(state.agenda)
    state, _ = skip_idle_decisions(state)
    while state.agenda or not (asked or done):
        allowed = automaton.automaton_answers(state)
        played = carry_out(state, AUTOMATON, allowed[0].order, _ForbiddenDice(), allowed[0].why)
        done.append((allowed[0], played.events))
        state, _ = skip_idle_decisions(played.state)
    return done, state


def _is_mass(state: State) -> bool:
    return state.revealed == ROYAL_COIN and state.options["royal_mode"] == "mass_recruit"


def _answer(before: State, done: DecisionsMade, after: State, *, mass: bool = False) -> dict[str, Any]:
    """Return the automaton's decisions as JSON."""
    events = [event for _, some in done for event in some]
    facts: dict[str, Any] = {}
    actions = [_add_facts(event, facts) for event in events if isinstance(event, Action)]
    if mass and actions:
        facts = {"units": [event.card for event in events if isinstance(event, Recruited)]}
    if _is_attack_without_move(events):
        attack = next(event for event in events if isinstance(event, Attacked))
        facts["stays_at"] = _pair(attack.at)
    if after.winners:
        facts["winner"] = "ai"
    decisions = [weighed for answer, _ in done for weighed in answer.why]
    idle = "none" if before.agenda else "pass"
    return {
        "action": "+".join(dict.fromkeys(actions)) or idle,
        **facts,
        "decisions": [_decision(weighed) for weighed in decisions],
        "criterion": decisions[-1].criterion if decisions else "",
        "choices": _choices(decisions[-1]) if decisions else [],
        "reason": _reason(done),
    }


def _add_facts(event: Action, facts: dict[str, Any]) -> str:
    """Add the details of an event to the answer, and return the name of its action."""
    match event:
        case Deployed():
            facts["to"] = _pair(event.at)
            return "deploy"
        case Moved():
            facts["to"] = _pair(event.to)
            if event.card == "light_cavalry":
                facts.setdefault("path", []).append(_pair(event.to))
            return "move"
        case Attacked():
            facts["attack"] = _pair(event.to)
            facts["target_destroyed"] = event.left == 0
            facts["attacker_destroyed"] = event.riposte == 0
            return "attack"
        case Bolstered():
            facts |= {"at": _pair(event.at), "coins_after": event.height, "revealed_coin_goes_to": "board"}
            return "bolster"
        case Controlled():
            facts["at"] = _pair(event.at)
            return "control"
        case Recruited():
            facts["unit"] = event.card
            return "recruit"
        case _:
            assert_never(event)


def _is_attack_without_move(events: Sequence[AnyEvent]) -> bool:
    """Return whether a Swordsman attacked, survived and did not move."""
    attacks = [event for event in events if isinstance(event, Attacked)]
    moved = any(isinstance(event, Moved) for event in events)
    return any(attack.card == "swordsman" and attack.riposte != 0 for attack in attacks) and not moved


def _decision(weighed: ListDecision) -> dict[str, Any]:
    return {"clause": weighed.clause, "criterion": weighed.criterion, "choices": _choices(weighed)}


def _choices(weighed: ListDecision) -> list[Any]:
    return [_pair(Hex(choice)) if choice in AXIAL else choice for choice in weighed.left]


def _reason(done: DecisionsMade) -> str:
    """Return a sentence for each decision: the actions, and the criterion that decided."""
    if not done:
        return sentence("war_chest.answer.nothing")
    wording = ChoiceWording(place=_axial, drawn=False)
    sentences = []
    for answer, events in done:
        actions = [_action_text(event) for event in events if isinstance(event, Action)]
        actions = actions or [sentence("war_chest.answer.passed")]
        why = reason(answer.order, answer.why, wording)
        sentences.append(sentence("war_chest.answer.because", actions=join_list(actions), reason=why))
    return " ".join(sentences)


def _action_text(event: Action) -> str:
    match event:
        case Deployed():
            return sentence("war_chest.answer.deployed", unit=name(event.card), hex=_axial(event.at))
        case Moved():
            return sentence("war_chest.answer.moved", unit=name(event.card), hex=_axial(event.to))
        case Attacked():
            unit, target = name(event.card), name(event.target)
            return sentence("war_chest.answer.attacked", unit=unit, target=target, hex=_axial(event.to))
        case Bolstered():
            return sentence("war_chest.answer.bolstered", unit=name(event.card), hex=_axial(event.at))
        case Controlled():
            return sentence("war_chest.answer.controlled", unit=name(event.card), hex=_axial(event.at))
        case Recruited():
            return sentence("war_chest.answer.recruited", unit=name(event.card))
        case _:
            assert_never(event)


def _axial(hex_name: str) -> str:
    return "({},{})".format(*AXIAL[Hex(hex_name)])


def _pair(at: Hex) -> list[int]:
    return list(AXIAL[at])


# Short positions, with axial hexes and the sides "ai" and "human".


def _with_revealed(asked: _ShortPosition) -> State:
    if asked.revealed is None:
        raise Invalid("revealed", sentence("war_chest.judge.missing"))
    return replace_fields(_state(asked), revealed=asked.revealed)


def _state(asked: _ShortPosition) -> State:
    stacks = _stacks(asked.units)
    ours = (*asked.ai_supply, *(stack.card for stack in stacks if stack.seat == AUTOMATON))
    side = Side(
        cards=tuple(dict.fromkeys(ours)),
        supply=asked.ai_supply,
        removed=asked.ai_removed,
        recent=asked.ai_last_maneuver_turn,
    )
    return State(
        options={"royal_mode": asked.options.royal_mode, "royal_guard": asked.options.royal_guard},
        mover=AUTOMATON,
        sides={PLAYER: Side(supply=_human_supply(stacks)), AUTOMATON: side},
        stacks=tuple(sorted(stacks, key=lambda stack: HEX_ORDER[stack.at])),
        control=_control(asked.extra_control),
    )


def _human_supply(stacks: Sequence[Stack]) -> dict[Card, int]:
    """Return the human's supply, which questions leave out: the coins of its units off the board."""
    human = {stack.card: stack for stack in stacks if stack.seat == PLAYER}
    return {card: max(PRINTED.units[card].coins - stack.height, 0) for card, stack in human.items()}


def _stacks(units: Sequence[_ShortStack]) -> tuple[Stack, ...]:
    stacks: list[Stack] = []
    for number, unit in enumerate(units):
        path = f"units[{number}]"
        at = _hex(path, unit)
        if any(stack.at == at for stack in stacks):
            raise Invalid(path, sentence("war_chest.judge.two_units"))
        ours = [stack.card for stack in stacks if stack.seat == AUTOMATON]
        if unit.side == AUTOMATON and unit.unit in ours:
            raise Invalid(path, sentence("war_chest.judge.on_board", unit=name(unit.unit)))
        stacks.append(Stack(seat=unit.side, card=unit.unit, at=at, height=unit.coins))
    return tuple(stacks)


def _control(markers: Sequence[_ShortMarker]) -> dict[Hex, Seat]:
    control = {location: PLAYER for location in PRINTED.board.bottom} | {
        location: AUTOMATON for location in PRINTED.board.top
    }
    for number, marker in enumerate(markers):
        path = f"extra_control[{number}]"
        at = _hex(path, marker)
        if at not in PRINTED.locations:
            raise Invalid(path, sentence("war_chest.judge.no_location", hex=_axial(at)))
        control[at] = marker.side
    for side, seat in SEAT_BY_SIDE.items() if markers else ():
        if sum(owner == seat for owner in control.values()) >= PRINTED.board.markers:
            won = sentence("war_chest.judge.won", side=side, markers=PRINTED.board.markers)
            raise Invalid("extra_control", won)
    return {location: control[location] for location in in_order(control)}


def _hex(path: str, marker: _ShortMarker) -> Hex:
    if (marker.q, marker.r) not in HEX_AT:
        raise Invalid(path, sentence("war_chest.judge.no_hex", hex=f"({marker.q},{marker.r})"))
    return HEX_AT[marker.q, marker.r]
