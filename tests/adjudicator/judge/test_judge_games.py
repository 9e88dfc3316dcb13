"""Whole games through the judge: it does what the rules do, and accepts its next position."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

import games
from adjudicator.judge import answer_question, find_judge
from games.dice import Dice, SealedDice
from games.diplomacy.boards.board import Board
from games.diplomacy.events import Resolved, StormThrown
from games.diplomacy.model import AnyOrder, BuildCanoe, Convoy, Destroy, Hold, Move, Piece, State, split_spot
from games.options import settle
from games.protocol import Due, Game, Seat
from games.record import replace_fields

CAMPAIGNS: list[tuple[str, dict[str, Any]]] = [
    ("indianomacy", {}),
    ("indianomacy", {"crossings": False, "bay_exit": "other-shore"}),
    ("indianomacy", {"centres": "home-rival", "taboo_ends": "with-season"}),
    ("standard", {}),
]


def make_question(game: Game, state: State, plain: dict[str, Any]) -> dict[str, Any]:
    """A state as a question, with the options that were chosen and no others."""
    said = json.loads(json.dumps(game.whatif.question(state)))
    return {**said, "options": plain}


def whims(game: Game, state: State, due: Due, dice: Dice) -> list[AnyOrder]:
    """A bot's orders, now and then with others in their place: bold, doubled, impossible."""
    orders = [choice.order for choice in next(iter(game.bots.values())).orders(state, due, dice)]
    if due.kind != "moves":
        return orders
    board = game.rules.variant.under(state.options).board
    return [
        wild
        for number, order in enumerate(orders)
        for wild in whim(board, state, order, dice.roll(f"whim/{order.unit.at}", 8), number, dice)
    ]


def whim(
    board: Board, state: State, order: AnyOrder, fate: int, number: int, dice: Dice
) -> Sequence[AnyOrder]:
    """Return an order of a bot, sometimes changed."""
    unit: Piece = order.unit
    label = f"goal/{unit.at}"
    sails = unit.kind == "F"
    near = board.sailing[unit.spot] if sails else (*board.army[unit.at], *board.fleet[unit.at])
    to, coast = split_spot(dice.pick(label, near)) if near else (unit.at, "")
    if unit.kind == "W":
        land = board.is_land(unit.at)
        wild: dict[int, Sequence[AnyOrder]] = {
            1: (BuildCanoe(unit=unit),),
            2: (Move(unit=unit, to=to, canoe=land), Destroy(at=unit.at)),
            3: (Move(unit=unit, to=to), Hold(unit=unit)) if number % 2 else (Move(unit=unit, to=to),),
        }
        return wild.get(fate, (order,))
    armies = [one.piece for one in state.units if one.kind == "A"]
    if fate == 1 and sails and armies:
        other = dice.pick(f"army/{unit.at}", armies)
        return (Convoy(unit=unit, other=other, to=dice.pick(f"far/{unit.at}", sorted(board.shores))),)
    if fate == 2 and not sails:
        far = dice.pick(f"far/{unit.at}", sorted(board.shores))
        return (Move(unit=unit, to=far, via=bool(number % 2)), Hold(unit=unit))
    return (Move(unit=unit, to=to, coast=coast if sails else ""),) if fate == 3 else (order,)


@pytest.mark.parametrize("number", range(8))
def test_the_judge_does_what_the_rules_do_through_a_whole_game(number):
    kind, plain = CAMPAIGNS[number % len(CAMPAIGNS)]
    game, judge = games.kinds()[kind], find_judge(kind)
    options = dict(settle(game.about.options, plain))
    state = game.rules.setup(options, SealedDice(b"s", "judge", 0)).state
    question = make_question(game, state, plain)
    seen: set[str] = set()
    for turn in range(60):
        dice = SealedDice(bytes([number]), "judge-games", turn)
        orders = {due.seat: whims(game, state, due, dice) for due in game.rules.due(state)}
        done = game.rules.adjudicate(state, orders, dice)
        given: dict[str, Any] = {
            "orders": {seat: [game.notation.write(one) for one in some] for seat, some in orders.items()}
        }
        if kind == "indianomacy":
            given["dice"] = {one.label: one.number for one in done.events if isinstance(one, StormThrown)}
        said, good = answer_question(judge, json.dumps({**question, **given}).encode())
        assert good, said
        check(said, given["orders"], done.events)
        seen |= {row["outcome"] for row in said["results"]}
        if done.state.ended is not None:
            assert said["next"]["phase"] is None
            assert said["winners"] == list(done.state.winners)
            break
        question = said["next"]
        assert question == make_question(game, done.state, plain)
        # Whence somebody went on the bay is told only where it matters.
        hidden = {} if plain.get("bay_exit") else {"bay_from": {}}
        assert game.whatif.position(question) == replace_fields(done.state, **hidden)
        state = done.state
    assert {"moved", "bounced", "supported", "void", "held", "built"} <= seen


def check(said: dict[str, Any], written: dict[Seat, list[str]], events: Sequence[object]) -> None:
    """Check that each order has its result, in its place; that the others are for units without one; that all
    is reported.
    """
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
