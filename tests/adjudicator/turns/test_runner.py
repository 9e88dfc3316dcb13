"""One loop runs all games: simultaneous and solo, with players, with bots, with both."""

from dataclasses import replace
from typing import Any

import pytest

import games
from adjudicator.model.games import AdjudicationResult, GamePosition
from adjudicator.turns import runner
from adjudicator.turns.runner import play_turns, position_after
from games.protocol import Bot, Due, Game, Order, Seat
from games.record import replace_fields
from tests.kit.memory_repository import DEADLINES, NOON, game_of, new_position, with_changed_seat

IROQUOIS, PLAYER, BOT = Seat("Iroquois"), Seat("player"), Seat("bot")
NOW = NOON + 5


@pytest.fixture
def solo() -> GamePosition:
    return new_position("cairn", people={PLAYER: "player@example.net"})


def drop(*pebbles: str) -> tuple[Order, ...]:
    notation = games.kinds()["cairn"].notation
    return tuple(notation.build(None, "drop", {"pebble": pebble}) for pebble in pebbles)


def run_turns(
    position: GamePosition, ripe: bool = False, game: Game | None = None, by: str = "clock"
) -> AdjudicationResult | None:
    return play_turns(game or game_of(position), position, NOW, ripe, by)


def with_filed(position: GamePosition, *orders: Order) -> GamePosition:
    return replace(position, filed={PLAYER: tuple(orders)})


def test_a_person_is_waited_for(solo: GamePosition) -> None:
    assert run_turns(solo) is None


def test_one_letter_sets_several_turns_in_motion(solo: GamePosition) -> None:
    """Orders in a queue, the bot's answers between them, until all that the player said is played."""
    done = run_turns(with_filed(solo, *drop("jasper", "agate")))
    assert done is not None
    assert [step.turn.short for step in done.steps] == ["T1", "T2", "T3", "T4"]
    assert [tuple(step.entry.orders) for step in done.steps] == [(PLAYER,), (BOT,)] * 2
    assert done.filed == {}
    assert [due.seat for due in done.due] == [PLAYER]
    assert done.deadline == NOW + DEADLINES.lengths["moves"]


def test_a_queue_is_played_until_one_order_is_unlawful(solo: GamePosition) -> None:
    """The rest stays on file."""
    done = run_turns(with_filed(solo, *drop("jasper", "agate", "agate", "flint")))
    assert done is not None
    assert len(done.steps) == 4
    assert done.filed == {PLAYER: drop("agate", "flint")}


def test_states_follow_one_another(solo: GamePosition) -> None:
    done = run_turns(with_filed(solo, *drop("jasper", "agate")))
    assert done is not None
    assert done.steps[0].before == solo.state
    assert done.steps[-1].after == done.state
    for one, other in zip(done.steps, done.steps[1:], strict=False):
        assert one.after == other.before


def test_entries_are_numbered_and_chained(solo: GamePosition) -> None:
    done = run_turns(with_filed(solo, *drop("jasper", "agate")), by="gm")
    assert done is not None
    entries = [step.entry for step in done.steps]
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    shas = [solo.head_sha, *(entry.sha for entry in entries)]
    assert [entry.previous_sha for entry in entries] == shas[:-1]
    assert {(entry.by, entry.at, entry.kind) for entry in entries} == {("gm", NOW, "turn")}
    assert position_after(solo, done).head_sha == shas[-1]


def test_ready_is_said_of_one_turn(solo: GamePosition) -> None:
    """The bot answers, and then the player is waited for again."""
    done = run_turns(with_changed_seat(solo, PLAYER, ready=True))
    assert done is not None
    assert len(done.steps) == 2
    assert (
        not position_after(with_changed_seat(solo, PLAYER, ready=True, wait=True), done)
        .assignments[PLAYER]
        .ready
    )
    assert (
        not position_after(with_changed_seat(solo, PLAYER, ready=True, wait=True), done)
        .assignments[PLAYER]
        .wait
    )


def test_a_deadline_is_over_for_one_turn(solo: GamePosition) -> None:
    """The player missed it and the bot played; the next turn waits for the player again."""
    done = run_turns(solo, ripe=True)
    assert done is not None
    assert [step.entry.silent for step in done.steps] == [(PLAYER,), ()]


def test_a_game_without_people_goes_one_turn_a_deadline() -> None:
    done = run_turns(new_position("cairn"), ripe=True)
    assert done is not None
    assert len(done.steps) == 1
    year = run_turns(new_position("indianomacy"), ripe=True)
    assert year is not None
    assert len(year.steps) == 1


def test_a_game_whose_people_are_out_goes_one_turn_a_deadline() -> None:
    """Like one without people. While one of them is in it, turns of bots alone follow at once."""
    people = {Seat("Austria"): "a@example.net", Seat("Turkey"): "t@example.net"}
    position = new_position("standard", people=people)
    units = tuple(unit for unit in position.state.units if unit.power not in people)
    lost = replace_fields(position.state, units=units)
    assert lost != position.state
    centres = {at: power for at, power in lost.centres.items() if power not in people}
    done = run_turns(replace(position, state=replace_fields(lost, centres=centres)), ripe=True)
    assert done is not None
    assert len(done.steps) == 1
    assert done.deadline is not None
    for_austria = {**centres, next(at for at, power in lost.centres.items() if power == "Austria"): "Austria"}
    together = run_turns(replace(position, state=replace_fields(lost, centres=for_austria)), ripe=True)
    assert together is not None
    assert len(together.steps) > 1


class _BotsAlone:
    """The toy, but the bot is always asked."""

    def __init__(self, game: Game) -> None:
        self._rules = game.rules

    def __getattr__(self, name: str) -> object:
        return getattr(self._rules, name)

    def due(self, state: object) -> tuple[Due, ...]:
        return tuple(replace_fields(due, seat=BOT) for due in self._rules.due(state))


def test_bots_play_no_longer_than_a_stretch(solo: GamePosition) -> None:
    """Turns of bots alone follow at once, but a game without an end cannot hold the service up."""
    game = games.kinds()["cairn"]
    alone = replace(game, rules=_BotsAlone(game), bots={"lazy": _Lazy()})
    endless = replace(solo, state=replace_fields(solo.state, last=10_000))
    done = run_turns(endless, game=alone)
    assert done is not None
    assert len(done.steps) == runner.MAX_BOT_TURNS
    assert done.result is None
    assert done.deadline == NOW + DEADLINES.lengths["moves"]


class _Lazy(Bot[Any, Any]):
    def orders(self, view: object, due: Due, dice: object) -> tuple[()]:
        return ()


def test_a_game_ends_with_a_result_and_no_deadline(solo: GamePosition) -> None:
    last = replace(solo, state=replace_fields(solo.state, number=12))
    done = run_turns(with_changed_seat(last, BOT, address="bot@example.net", ready=True))
    assert done is not None
    assert done.result is not None
    assert done.result.winners == ()
    assert done.due == ()
    assert done.deadline is None
    over = position_after(last, done)
    assert not over.is_running
    assert over.deadline is None


def test_nothing_is_played_when_nothing_is_due(solo: GamePosition) -> None:
    over = replace(solo, state=replace_fields(solo.state, number=13))
    assert run_turns(over, ripe=True) is None


def test_the_deadline_is_that_of_the_turn_to_come() -> None:
    """A kind of turn has its length: moves are followed by a retreat or by other moves."""
    position = new_position("indianomacy", people={IROQUOIS: "iroquois@example.net"})
    done = run_turns(position, ripe=True)
    assert done is not None
    kind = game_of(position).rules.turn(done.state).kind
    assert done.deadline == NOW + DEADLINES.lengths[kind]


def test_what_was_played_is_what_the_position_becomes(solo: GamePosition) -> None:
    queue = with_filed(solo, *drop("jasper", "agate", "agate"))
    done = run_turns(queue)
    assert done is not None
    new = position_after(queue, done)
    assert (new.entries, new.rev) == (5, 1)
    assert new.state == done.state
    assert new.filed == {PLAYER: drop("agate")}
    assert new.deadline == done.deadline
    assert new.is_running
