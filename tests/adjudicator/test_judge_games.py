"""Whole games through the judge: what it answers is what the rules do, and its next position goes back in."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

import games
from adjudicator.whatif import answer, judge_of
from games.dice import Dice, SealedDice
from games.diplomacy.answer import Answer
from games.diplomacy.model import AnyOrder, BuildCanoe, Destroy, Hold, Move, Resolved, State, StormThrown
from games.options import settle
from games.protocol import Due, Seat
from games.record import changed

GAME = games.kinds()["indianomacy"]
RULES, NOTATION = GAME.rules, GAME.notation
JUDGE = judge_of("indianomacy")
OPTIONS = [
    {},
    {"crossings": False, "bay_exit": "other-shore"},
    {"centres": "home-rival", "taboo_ends": "with-season"},
]


def asked(state: State, **more: Any) -> dict[str, Any]:
    """A state as a question, in the words of the judge's own answers."""
    said = Answer(RULES.variant.under(state.options), NOTATION).position(state)
    return {**json.loads(json.dumps(said)), **more}


def whim(state: State, due: Due, dice: Dice) -> list[AnyOrder]:
    """A bot's orders, now and then with another one: canoes built, launched, landed and burnt, bold walks."""
    orders = [choice.order for choice in GAME.bots["honest"].orders(state, due, dice)]
    if due.kind != "moves":
        return orders
    board = RULES.variant.under(state.options).board
    wild: list[AnyOrder] = []
    for number, order in enumerate(orders):
        unit = order.unit
        fate = dice.roll(f"whim/{unit.at}", 8)
        near = (*board.army[unit.at], *board.fleet[unit.at])
        goal = dice.pick(f"goal/{unit.at}", near) if near else unit.at
        others: Sequence[AnyOrder] = {
            1: (BuildCanoe(unit=unit),),
            2: (Move(unit=unit, to=goal, canoe=board.is_land(unit.at)), Destroy(at=unit.at)),
            3: (Move(unit=unit, to=goal), Hold(unit=unit)) if number % 2 else (Move(unit=unit, to=goal),),
        }.get(fate, (order,))
        wild += others
    return wild


def texts(orders: Sequence[AnyOrder]) -> list[str]:
    """Canonical texts."""
    return [NOTATION.write(order) for order in orders]


@pytest.mark.parametrize("number", range(6))
def test_the_judge_does_what_the_rules_do_through_a_whole_game(number):
    plain = OPTIONS[number % len(OPTIONS)]
    state = changed(RULES.setup(settled(plain), SealedDice(b"s", "judge", 0)).state)
    question = asked(state, options=plain)
    seen: set[str] = set()
    for turn in range(60):
        dice = SealedDice(bytes([number]), "judge-games", turn)
        orders = {due.seat: whim(state, due, dice) for due in RULES.due(state)}
        done = RULES.adjudicate(state, orders, dice)
        throws = {e.label: e.number for e in done.events if isinstance(e, StormThrown)}
        written = {seat: texts(some) for seat, some in orders.items()}
        said, good = answer(JUDGE, json.dumps({**question, "orders": written, "dice": throws}).encode())
        assert good, said
        check(said, written, done.events)
        seen |= {row["outcome"] for row in said["results"]}
        if done.state.ended is not None:
            assert said["next"]["phase"] is None
            assert said["winners"] == list(done.state.winners)
            break
        question = said["next"]
        after = GAME.whatif.position(question)
        hidden = {} if plain.get("bay_exit") else {"bay_from": {}}
        assert after == changed(done.state, **hidden)
        assert question == asked(done.state, options=plain)
        state = done.state
    assert {"moved", "bounced", "supported", "void", "held", "built", "destroyed"} <= seen


def check(said: dict[str, Any], written: dict[Seat, list[str]], events: Sequence[object]) -> None:
    """Each order has its result, in its place; the others are for units without; all is told."""
    given = [(seat, text) for seat, some in written.items() for text in some]
    rows = said["results"]
    assert [(row["power"], row["order"]) for row in rows[: len(given)]] == given
    assert all(row["order"] is None for row in rows[len(given) :])
    assert all(row["read_as"] == row["order"] for row in rows)
    told = [event for event in events if isinstance(event, Resolved)]
    spoken = [event for event in told if event.order is not None]
    assert len(spoken) == len(given)
    assert sorted(event.outcome for event in spoken) == sorted(row["outcome"] for row in rows[: len(given)])
    for row in rows:
        assert (row["reason"] is not None) or row["outcome"] not in ("bounced", "cut", "void", "disrupted")


def settled(plain: dict[str, Any]) -> dict[str, Any]:
    """The options of a game, complete."""
    return dict(settle(GAME.about.options, plain))
