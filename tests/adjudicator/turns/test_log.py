"""The log: every state can be computed from its inputs, and any change to it is noticed."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from adjudicator.model.games import DieForced, GamePosition, LogEntry, PlayedTurn
from adjudicator.turns.gather import GatheredOrders
from adjudicator.turns.log import (
    EntryOrigin,
    RecordingDice,
    events_of,
    orders_of,
    override_entry,
    replay,
    set_up,
    state_sha,
    turn_entry,
)
from adjudicator.turns.runner import play_turns, position_after
from games.dice import SealedDice
from games.protocol import Game, Seat
from games.record import canonical, replace_fields
from tests.kit.memory_repository import NOON, SECRET, game_of, new_position

PLAYER, BOT = Seat("player"), Seat("bot")
Log = list[tuple[LogEntry, bytes]]


@dataclass
class LoggedGame:
    """A game of the toy, its log, and the steps that made it."""

    game: Game
    end: GamePosition
    log: Log
    steps: list[PlayedTurn]


@pytest.fixture
def bot_game() -> LoggedGame:
    """Return the toy's game, played by bots to its end."""
    position = new_position("cairn")
    game = game_of(position)
    entry, state = set_up(game, position.name, position.options, SECRET, EntryOrigin.first(NOON))
    log, steps = [(entry, canonical(state))], []
    while (done := play_turns(game, position, NOON, ripe=True)) is not None:
        steps += done.steps
        log += [(step.entry, canonical(step.after)) for step in done.steps]
        position = position_after(position, done)
    assert len(log) > 5
    assert any("draw/" in throw.label for entry, _ in log for throw in entry.throws)
    return LoggedGame(game, position, log, steps)


def again(
    told: LoggedGame, log: Sequence[tuple[LogEntry, bytes]], secret: bytes = SECRET
) -> tuple[int, str | None]:
    found = replay(told.game, "demo", secret, log, told.end.head_sha)
    assert len(found.states) == found.agreed
    return found.agreed, found.fault


def test_the_first_entry_holds_what_a_game_began_with(bot_game: LoggedGame) -> None:
    entry, state = bot_game.log[0]
    assert (entry.number, entry.kind, entry.turn, entry.previous_sha) == (0, "setup", "T1", "")
    assert entry.options == {"turns": 12}
    assert [throw.label for throw in entry.throws] == ["deal"]
    assert entry.state_sha == state_sha(new_position("cairn").state)
    assert state == canonical(new_position("cairn").state)


def test_a_log_agrees_with_itself(bot_game: LoggedGame) -> None:
    assert again(bot_game, bot_game.log) == (len(bot_game.log), None)


def test_a_log_knows_its_dice(bot_game: LoggedGame) -> None:
    """With another secret, the very first roll differs."""
    assert again(bot_game, bot_game.log, b"another") == (0, "entry 0 (T1): the dice differ")


def test_an_entry_that_was_taken_out_is_missed(bot_game: LoggedGame) -> None:
    agreed, fault = again(bot_game, [*bot_game.log[:2], *bot_game.log[3:]])
    assert (agreed, fault) == (2, "entry 3 does not follow the one before it")


def test_an_end_that_was_cut_off_is_missed(bot_game: LoggedGame) -> None:
    agreed, fault = again(bot_game, bot_game.log[:-1])
    assert (agreed, fault) == (len(bot_game.log) - 2, "the last entry is not the one that the database names")


def test_entries_in_another_order_are_noticed(bot_game: LoggedGame) -> None:
    assert again(bot_game, [bot_game.log[0], bot_game.log[2], bot_game.log[1], *bot_game.log[3:]])[0] == 1


def test_another_order_makes_another_state(bot_game: LoggedGame) -> None:
    entry, state = bot_game.log[1]
    orders = {"player": [{"type": "Rest"}]}
    assert orders != entry.orders
    agreed, fault = again(
        bot_game, [bot_game.log[0], (replace_fields(entry, orders=orders), state), *bot_game.log[2:]]
    )
    assert (agreed, fault) == (1, "entry 1 (T1): the state differs")


def test_a_state_that_was_changed_is_noticed(bot_game: LoggedGame) -> None:
    entry, state = bot_game.log[2]
    forged = state.replace(b'"number":3', b'"number":4')
    assert forged != state
    agreed, fault = again(bot_game, [*bot_game.log[:2], (entry, forged), *bot_game.log[3:]])
    assert (agreed, fault) == (2, "entry 2 (T2): the state differs")


def test_a_throw_that_was_changed_is_noticed(bot_game: LoggedGame) -> None:
    """Marked as forced or not."""
    place, entry = next((n, e) for n, (e, _) in enumerate(bot_game.log) if n and e.throws)
    throw = entry.throws[0]
    for forged in (
        replace_fields(throw, numbers=(throw.numbers[0] % throw.sides + 1,)),
        replace_fields(throw, label=throw.label + "x"),
        replace_fields(throw, forced=True),
    ):
        changed_entry = replace_fields(entry, throws=(forged, *entry.throws[1:]))
        tampered = [
            *bot_game.log[:place],
            (changed_entry, bot_game.log[place][1]),
            *bot_game.log[place + 1 :],
        ]
        assert again(bot_game, tampered)[1] is not None


def test_what_happened_is_told_again(bot_game: LoggedGame) -> None:
    assert events_of(bot_game.game, "demo", SECRET, bot_game.log) == bot_game.steps[-1].events
    for place, step in enumerate(bot_game.steps, start=1):
        assert events_of(bot_game.game, "demo", SECRET, bot_game.log, place) == step.events
    assert events_of(bot_game.game, "demo", SECRET, bot_game.log[:1]) == ()


def test_the_orders_of_an_entry_are_the_games_own(bot_game: LoggedGame) -> None:
    (seat, orders), *others = orders_of(bot_game.game, bot_game.log[1][0]).items()
    assert (seat, others) == (PLAYER, [])
    assert type(orders[0]).__name__ == "Drop"


def test_a_forced_throw_is_logged_as_forced_and_played_again(bot_game: LoggedGame) -> None:
    """The roll shows the GM's number instead of the computed one, and says so."""
    game, position = bot_game.game, new_position("cairn")
    draw = game.notation.build(None, "draw", {})
    laid_down = SealedDice(SECRET, "demo", 2).roll("draw/player", 4) % 4 + 1
    force = DieForced(label="draw/player", numbers=(laid_down,))
    link = EntryOrigin.next_of(position, NOON, "gm", "as thrown at the table")
    set_by_hand = override_entry(game, force, position.state, link)
    dice = RecordingDice(SealedDice(SECRET, "demo", 2), {"draw/player": (laid_down,)})
    outcome = game.rules.adjudicate(position.state, {PLAYER: (draw,)}, dice)
    assert outcome.state.hands[PLAYER] != position.state.hands[PLAYER]
    entry = turn_entry(
        EntryOrigin(2, set_by_hand.sha, NOON, "gm"),
        game.rules.turn(position.state),
        GatheredOrders(orders={PLAYER: (draw,)}, left={}),
        dice,
        outcome.state,
    )
    assert [(throw.numbers, throw.forced) for throw in entry.throws] == [((laid_down,), True)]
    log = [bot_game.log[0], (set_by_hand, bot_game.log[0][1]), (entry, canonical(outcome.state))]
    assert replay(game, "demo", SECRET, log, entry.sha).fault is None
    differs = "entry 2 (T1): the dice differ"
    unmarked = replace_fields(entry, throws=(replace_fields(entry.throws[0], forced=False),))
    assert replay(game, "demo", SECRET, [*log[:2], (unmarked, log[2][1])]).fault == differs
    unseen = replace_fields(entry, number=2, previous_sha=bot_game.log[0][0].sha)
    assert replay(game, "demo", SECRET, [log[0], (unseen, log[2][1])]).fault == differs
