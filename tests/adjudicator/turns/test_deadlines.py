"""When an email is late, and when a turn is due."""

from dataclasses import replace

import pytest

from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.turns.deadlines import is_complete, is_in_grace, is_late, is_ripe, next_deadline
from games.protocol import Seat
from tests.kit.memory_repository import DEADLINES, HOUR, NOON, game_of, new_position, with_changed_seat

PLAYER, BOT = Seat("player"), Seat("bot")
DEADLINE = NOON + 72 * HOUR
END = DEADLINE + DEADLINES.grace


@pytest.fixture
def solo() -> GamePosition:
    position = new_position("cairn", people={PLAYER: "player@example.net"})
    assert position.deadline == DEADLINE
    return position


def test_a_kind_of_turn_has_its_length(solo: GamePosition) -> None:
    assert next_deadline(solo, "retreats", NOON) == NOON + 24 * HOUR
    assert next_deadline(solo, "moves", NOON) == DEADLINE


def test_a_kind_that_is_not_named_waits_as_long_as_moves(solo: GamePosition) -> None:
    assert next_deadline(solo, "auction", NOON) == DEADLINE


@pytest.mark.parametrize(
    ("received", "late", "in_grace"),
    [
        (DEADLINE - 1, False, False),
        (DEADLINE, False, False),
        (DEADLINE + 1, False, True),
        (END, False, True),
        (END + 1, True, False),
    ],
)
def test_a_letter_counts_until_the_grace_is_over(
    solo: GamePosition, received: int, late: bool, in_grace: bool
) -> None:
    assert is_late(solo, received) is late
    assert is_in_grace(solo, received) is in_grace


def test_without_a_deadline_nothing_is_late(solo: GamePosition) -> None:
    held = replace(solo, deadline=None)
    assert not is_late(held, END * 2)
    assert not is_in_grace(held, END * 2)
    assert not is_ripe(held, END * 2, END * 2)


def test_while_the_clock_stands_still_nothing_is_late(solo: GamePosition) -> None:
    """A turn that is due again after a rollback is held, and has a deadline all the same."""
    stop = Stop(kind="hold", since=NOON, left=HOUR, by="gm")
    held = replace(solo, timing=Timing(stop=stop))
    assert not is_late(held, END * 2)
    assert not is_in_grace(held, DEADLINE + 1)


@pytest.mark.parametrize(
    ("now", "polled", "ripe"),
    [
        (END, END, False),
        (END + 1, None, False),
        (END + 1, END, False),
        (END + HOUR, DEADLINE + 1, False),
        (END + 1, END + 1, True),
        (DEADLINE + 1, DEADLINE + 1, False),
    ],
)
def test_a_turn_is_due_once_the_mailbox_was_drained(
    solo: GamePosition, now: int, polled: int | None, ripe: bool
) -> None:
    """By a poll that began after deadline and grace: emails that came in time are read first."""
    assert is_ripe(solo, now, polled) is ripe


def test_a_game_that_is_over_is_never_due(solo: GamePosition) -> None:
    over = replace(solo, status="finished")
    assert not is_ripe(over, END + 1, END + 1)
    assert not is_complete(game_of(over), with_changed_seat(over, PLAYER, ready=True), NOON)


def test_all_orders_in_makes_a_turn_complete(solo: GamePosition) -> None:
    game = game_of(solo)
    order = game.notation.build(None, "drop", {"pebble": "agate"})
    assert not is_complete(game, solo, NOON)
    assert is_complete(game, replace(solo, filed={PLAYER: (order,)}), NOON)
    assert is_complete(game, with_changed_seat(solo, PLAYER, ready=True), NOON)


def test_a_game_may_keep_to_its_deadlines(solo: GamePosition) -> None:
    ready = with_changed_seat(solo, PLAYER, ready=True)
    assert not is_complete(game_of(ready), replace(ready, early=False), NOON)


def test_a_game_that_begins_with_a_bots_turn_begins_at_once() -> None:
    """If a person sits in it; a bot's later turns are played with the person's before them."""
    waiting = new_position("cairn", people={BOT: "bot@example.net"})
    assert is_complete(game_of(waiting), waiting, NOON)
    assert is_complete(game_of(waiting), replace(waiting, early=False), NOON)
    assert not is_complete(game_of(waiting), replace(waiting, entries=2, played=1), NOON)


def test_bots_alone_make_no_turn_complete() -> None:
    """Otherwise a game without players would be over in a moment."""
    position = new_position("cairn")
    assert not is_complete(game_of(position), position, NOON)
