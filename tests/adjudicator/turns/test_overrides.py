"""Overrides: their effect, which can be undone, and the restored orders."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.model.games import DieForced, LogEntry, OrdersSet, RolledBack, Undone
from adjudicator.model.orders_on_file import Filing, turn_of
from adjudicator.turns.log import (
    EntryOrigin,
    apply_edit,
    before_turn,
    counting_entries,
    dice_number_after,
    override_entry,
    replay,
    restore_orders,
    undoable_overrides,
)
from games.dice import SealedDice
from games.protocol import Invalid, Judge, Seat
from games.record import canonical, plain, replace_fields
from orders.conditions import When
from tests.kit.edited_game import EditedGame, began, edit_of
from tests.kit.memory_repository import NOON, SECRET, game_of, new_position, with_changed_seat

PLAYER, BOT = Seat("player"), Seat("bot")


def refusal(action: Callable[[], object]) -> str:
    """Why something cannot be done; "" if it can."""
    try:
        action()
    except Invalid as fault:
        return fault.why
    return ""


@pytest.fixture
def toy_game() -> EditedGame:
    return fresh()


def fresh() -> EditedGame:
    return began("cairn", {"turns": 40})


def read_bag(told: EditedGame) -> str:
    return str(told.position.state.bag[0])


def test_an_edit_is_logged_and_done_again_in_a_replay(toy_game: EditedGame) -> None:
    pebble = read_bag(toy_game)
    entry = toy_game.edit(f"give {pebble} to player")
    assert pebble in toy_game.position.state.hands[PLAYER]
    assert (entry.kind, entry.why, entry.turn) == ("edit", "a test", "T1")
    toy_game.turn()
    assert toy_game.proved() is None


def test_an_edit_that_the_game_refuses_is_none(toy_game: EditedGame) -> None:
    held = toy_game.position.state.hands[PLAYER][0]
    assert refusal(lambda: toy_game.edit(f"give {held} to player")) == f"player holds the {held} already"


def test_an_edit_after_which_nobody_would_owe_anything_is_none() -> None:
    """Removing the only dislodged unit of a retreat phase would leave a phase without decisions."""
    position = new_position("indianomacy")
    game = game_of(position)
    whatif = game.whatif
    assert isinstance(whatif, Judge)
    question = {
        "phase": "U1R",
        "units": {"Iroquois": ["W Oneida"]},
        "dislodged": {"Dakota": [{"unit": "W Mohawk", "retreats": ["Pequot"]}]},
    }
    state = whatif.position(question)
    last = edit_of(game, state, "remove dislodged Mohawk")
    why = "afterwards nobody would have orders to give, so the turn couldn't run"
    assert refusal(lambda: apply_edit(game, state, last)).startswith(why)
    assert apply_edit(game, state, edit_of(game, state, "remove Oneida")).units == ()


def test_a_log_with_an_edit_that_cannot_be_is_refused(toy_game: EditedGame) -> None:
    pebble = read_bag(toy_game)
    entry = toy_game.edit(f"give {pebble} to player")
    twice = EditedGame(replace(toy_game.position), list(toy_game.log))
    override = edit_of(toy_game.game, toy_game.position.state, f"give {pebble} to player")
    link = EntryOrigin.next_of(toy_game.position, NOON, "gm")
    again = override_entry(toy_game.game, override, toy_game.position.state, link)
    twice.log.append((again, twice.log[-1][1]))
    assert entry.number + 1 == again.number
    found = replay(toy_game.game, "demo", SECRET, twice.log)
    assert found.fault is not None
    assert "can't be processed again" in found.fault


def test_an_edit_is_undone_whatever_came_after_it(toy_game: EditedGame) -> None:
    first, second = toy_game.position.state.bag[:2]
    before = toy_game.position.state
    one = toy_game.edit(f"give {first} to player")
    toy_game.edit(f"give {second} to player")
    assert [entry.number for entry in undoable_overrides(toy_game.entries)] == [2, 1]
    toy_game.do(Undone(number=one.number))
    assert second in toy_game.position.state.hands[PLAYER]
    assert first not in toy_game.position.state.hands[PLAYER]
    toy_game.do(Undone(number=2))
    assert toy_game.position.state == before
    assert undoable_overrides(toy_game.entries) == ()
    assert toy_game.proved() is None


def test_what_was_done_before_the_last_turn_is_not_undone_but_rolled_back(toy_game: EditedGame) -> None:
    toy_game.edit(f"give {read_bag(toy_game)} to player")
    toy_game.turn()
    assert undoable_overrides(toy_game.entries) == ()


def test_dice_are_the_same_whatever_was_done_by_hand(toy_game: EditedGame) -> None:
    """A GM who sees a turn's dice can't get others by changes without effect."""
    plainly = fresh()
    pebble = read_bag(toy_game)
    toy_game.edit(f"give {pebble} to player")
    toy_game.edit(f"bag {pebble}")
    toy_game.do(DieForced(label="draw/nobody", numbers=(1,)))
    assert toy_game.position.state == plainly.position.state
    for _ in range(6):
        plainly.turn()
        toy_game.turn()
    thrown = [entry.throws for entry in plainly.entries if entry.throws]
    assert len(thrown) > 3
    assert [entry.throws for entry in toy_game.entries if entry.throws] == thrown
    assert toy_game.position.state == plainly.position.state


def test_a_turn_that_is_played_again_has_other_dice(toy_game: EditedGame) -> None:
    toy_game.turn()
    toy_game.do(RolledBack(to=0))
    toy_game.turn()
    again = next(entry for entry in toy_game.entries[2:] if entry.kind == "turn")
    number = dice_number_after(toy_game.entries[: toy_game.entries.index(again)])
    assert number > 1
    assert again.throws
    for throw in again.throws:
        sealed = SealedDice(SECRET, "demo", number).draw(throw.label, throw.sides, len(throw.numbers))
        assert sealed == throw.numbers
    assert toy_game.proved() is None


def test_a_die_that_was_set_waits_for_its_throw_unless_it_is_taken_back(toy_game: EditedGame) -> None:
    one = toy_game.do(DieForced(label="draw/player", numbers=(2,)))
    assert toy_game.position.forced == {"draw/player": (2,)}
    two = toy_game.do(DieForced(label="draw/player", numbers=(3,)))
    assert toy_game.position.forced == {"draw/player": (3,)}
    toy_game.do(Undone(number=two.number))
    assert toy_game.position.forced == {"draw/player": (2,)}
    toy_game.do(Undone(number=one.number))
    assert toy_game.position.forced == {}


def test_a_rollback_leaves_turns_behind_and_can_be_taken_back(toy_game: EditedGame) -> None:
    for _ in range(3):
        toy_game.turn()
    end = toy_game.position.state
    turns = [entry.number for entry in toy_game.entries if entry.kind == "turn"]
    found = before_turn(toy_game.entries, "t2")
    assert found is not None
    to, gone = found
    assert next(entry.turn for entry in gone) == "T2"
    back = toy_game.do(RolledBack(to=to))
    assert canonical(toy_game.position.state) == toy_game.log[to][1]
    assert [entry.number for entry in counting_entries(toy_game.entries)] == [*range(to + 1), back.number]
    assert before_turn(toy_game.entries, "T2") is None
    toy_game.do(Undone(number=back.number))
    assert toy_game.position.state == end
    assert [entry.number for entry in counting_entries(toy_game.entries) if entry.kind == "turn"] == turns
    toy_game.turn()
    assert toy_game.proved() is None


def test_a_rollback_of_a_turn_that_was_never_played(toy_game: EditedGame) -> None:
    toy_game.turn()
    assert before_turn(toy_game.entries, "T99") is None


def test_the_orders_of_people_are_on_file_again_each_for_its_turn() -> None:
    """Orders for a unit of later turns wait for these; bots and the silent are left out."""
    position = new_position("indianomacy", people={"Iroquois": "i@example.org", "Dakota": "d@example.org"})
    game = game_of(position)
    hold = [plain(one) for one in game.rules.default(position.state, game.rules.due(position.state)[0])]
    turns = [
        entry(1, "S1M", {"Iroquois": hold, "Dakota": hold, "Apache": hold}, silent=("Dakota",)),
        entry(2, "F1M", {"Iroquois": hold, "Dakota": hold}, reasons={"Dakota": {"W SNT H": "away"}}),
    ]
    found = restore_orders(game, position, position.state, turns)
    assert set(found) == {"Iroquois"}
    assert [turn_of(item) for item in found[Seat("Iroquois")]] == [None] * len(hold) + ["F1M"] * len(hold)


def test_orders_that_queue_are_queued_again() -> None:
    position = with_changed_seat(new_position("cairn", people={"player": "p@example.org"}), "player")
    game = game_of(position)
    drops = [game.notation.build(position.state, "drop", {"pebble": one}) for one in ("flint", "onyx")]
    turns = [entry(1, "T1", {"player": [plain(drops[0])]}), entry(2, "T2", {"bot": []}),
             entry(3, "T3", {"player": [plain(drops[1])]})]  # fmt: skip
    rest = game.notation.build(position.state, "rest", {})
    present = replace(position, state=replace_fields(position.state, number=5), filed={PLAYER: (rest,)})
    found = restore_orders(game, present, position.state, turns)
    assert found == {PLAYER: (*drops, rest)}


def test_what_waits_for_a_turn_that_is_too_far_is_dropped() -> None:
    position = new_position("indianomacy", people={"Iroquois": "i@example.org"})
    game = game_of(position)
    order = game.rules.default(position.state, game.rules.due(position.state)[0])[0]
    far = Filing(order=order, when=When(turn="S99M"))
    near = Filing(order=order, when=When(turn="F1M"))
    filed = {Seat("Iroquois"): (far, near)}
    found = restore_orders(game, replace(position, filed=filed), position.state, [entry(1, "S1M", {})])
    assert found == {Seat("Iroquois"): (near,)}


def entry(number: int, turn: str, orders: dict[str, list[Any]], **fields: Any) -> LogEntry:
    return LogEntry(
        number=number, kind="turn", turn=turn, at=NOON, orders=orders, state_sha="", previous_sha="", **fields
    )


DEEDS = st.lists(st.integers(0, 9), min_size=1, max_size=14)


@given(DEEDS)
def test_whatever_is_done_by_hand_the_log_is_played_again(person_actions: list[int]) -> None:
    """Edits, dice, turns, rollbacks and what takes them back, in any order; and the game goes on after it."""
    told = fresh()
    for number in person_actions:
        _anything(told, number)
        assert told.proved() is None
        assert told.position.played == 0 or counting_entries(told.entries)
        assert bool(told.game.rules.due(told.position.state)) == (
            told.game.rules.result(told.position.state) is None
        )


def _anything(told: EditedGame, number: int) -> None:
    state = told.position.state
    if told.game.rules.result(state) is not None:
        return
    person_actions: dict[int, Callable[[], object]] = {
        0: lambda: _if_it_can_be(told, f"give {read_bag(told)} to player") if state.bag else None,
        1: lambda: _if_it_can_be(told, f"give {read_bag(told)} to bot") if state.bag else None,
        2: lambda: _if_it_can_be(told, f"bag {state.hands[BOT][0]}"),
        3: lambda: told.do(DieForced(label="draw/bot", numbers=(2,))),
        4: lambda: told.do(OrdersSet(seat=PLAYER, before=(), orders=(), texts=())),
        5: lambda: _undone(told, undoable_overrides(told.entries)[:1]),
        6: lambda: _undone(told, undoable_overrides(told.entries)[-1:]),
        7: lambda: _rolled_back(told),
    }
    person_actions.get(number, told.turn)()


def _if_it_can_be(told: EditedGame, text: str) -> None:
    try:
        told.edit(text)
    except Invalid:
        assert told.proved() is None


def _undone(told: EditedGame, entries: Sequence[LogEntry]) -> None:
    """An edit that a later one depends on can't be undone alone."""
    for one in entries:
        try:
            told.do(Undone(number=one.number))
        except Invalid:
            assert told.proved() is None


def _rolled_back(told: EditedGame) -> None:
    found = before_turn(told.entries, "T1")
    if found is not None:
        told.do(RolledBack(to=found[0]))
