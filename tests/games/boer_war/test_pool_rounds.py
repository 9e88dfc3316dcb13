"""The round of the solitaire sheet: actions, draws, counters, and its two worked examples."""

from itertools import product

import pytest

from games.boer_war.events import Drawn, Passed, Reported, RoundBegan, RoundEnded, TurnBegan
from games.boer_war.model import PLAYER, Done, Pass, State
from games.boer_war.setup import OPTIONS, seats
from games.options import settle
from games.pool import PoolReading, RoundCounters, pool
from games.protocol import GameResult
from games.record import replace_fields
from tests.games.boer_war.field import RULES, Fated, play, told, war
from tests.kit.dice import any_dice

SIXTH = RoundCounters(ones=2, twos=3, threes=1)
"""The counters after two rounds of one action, two of three and one of two."""


def table(**options: str) -> State:
    """A game at the player's own table, before its first action."""
    return RULES.setup(settle(OPTIONS, {"mode": "table", **options}), any_dice()).state


def done(state: State, go: bool) -> tuple[State, list[Drawn]]:
    """Return the state after DONE and a draw."""
    outcome = RULES.adjudicate(state, {PLAYER: (Done(),)}, Fated(go=go))
    return outcome.state, told(outcome, Drawn)


@pytest.mark.clause("boer-war", "2.example.first", "2.step1", "2.step2", "2.step3b", "2.end3", "2.second")
def test_the_sheets_first_example() -> None:
    """The Boers' first round: 4 STOP and 4 GO!, then 4 STOP and 3 GO!, then three actions and a flipped 3."""
    state, (first,) = done(table(), go=True)
    assert (first.done, first.stop, first.go) == (1, 4, 4)
    assert (state.side, state.done) == ("boers", 1)
    state, (second,) = done(state, go=True)
    assert (second.done, second.stop, second.go) == (2, 4, 3)
    outcome = RULES.adjudicate(state, {PLAYER: (Done(),)}, Fated())
    assert told(outcome, Drawn) == []
    (over,) = told(outcome, RoundEnded)
    assert (over.side, over.actions, over.counters) == ("boers", 3, RoundCounters(ones=4, twos=4, threes=2))
    after = outcome.state
    assert (after.side, after.done, after.rounds_finished("boers"), after.rounds_finished("empire")) == (
        "empire",
        0,
        1,
        0,
    )


@pytest.mark.clause("boer-war", "2.example.sixth", "2.q1", "2.q2", "2.step3a", "2.7.default")
def test_the_sheets_second_example_by_its_rule() -> None:
    """In the sixth round there are 2 STOP and 3 GO!, then 3 STOP and one GO! for the last 3.

    It has two actions.
    """
    state = replace_fields(table(), counters={"boers": SIXTH, "empire": RoundCounters()})
    assert state.round == 6
    state, (first,) = done(state, go=True)
    assert (first.stop, first.go) == (2, 3)
    state, (second,) = done(state, go=False)
    assert (second.stop, second.go) == (3, 1)
    assert state.counters["boers"] == RoundCounters(ones=2, twos=2, threes=1)
    assert state.side == "empire"


@pytest.mark.clause("boer-war", "2.7.cup")
def test_the_sheets_second_example_as_printed() -> None:
    """With the STOPs left in the cup the second pool is the printed 2 STOP and 1 GO!."""
    state = replace_fields(
        table(pool="stop_left_in_cup"), counters={"boers": SIXTH, "empire": RoundCounters()}
    )
    state, (first,) = done(state, go=True)
    assert (first.stop, first.go) == (2, 3)
    _, (second,) = done(state, go=True)
    assert (second.stop, second.go) == (2, 1)


@pytest.mark.clause("boer-war", "2.step3a", "2.flip")
def test_stop_after_one_action_flips_a_one() -> None:
    """The other side begins its round."""
    outcome = play(replace_fields(table(), side="empire"), "DONE")
    (over,) = told(outcome, RoundEnded)
    assert (over.side, over.round, over.actions) == ("empire", 1, 1)
    assert over.counters == RoundCounters(ones=3, twos=4, threes=3)
    (begun,) = told(outcome, RoundBegan)
    assert (begun.side, begun.counters) == ("boers", RoundCounters())


@pytest.mark.clause("boer-war", "2.tracks", "2.markers", "2.order")
def test_the_pool_is_drawn_after_the_action() -> None:
    """The report has the action first, then the pool, then the result."""
    outcome = play(table(), "DONE", go=True)
    assert [type(event) for event in outcome.events] == [Reported, Drawn]
    assert (outcome.state.done, outcome.state.rounds_finished("boers")) == (1, 0)


@pytest.mark.clause("boer-war", "2.2.certain", "2.3.only-threes")
def test_nothing_is_thrown_for_what_is_certain() -> None:
    """With only 3s left the pool is empty and the round goes on to its third action."""
    dice = Fated()
    state = replace_fields(
        table(), counters={"boers": RoundCounters(ones=0, twos=0, threes=1), "empire": RoundCounters()}
    )
    for _ in range(2):
        outcome = RULES.adjudicate(state, {PLAYER: (Done(),)}, dice)
        (drawn,) = told(outcome, Drawn)
        assert (drawn.verdict, drawn.goes_on) == ("GO!", True)
        state = outcome.state
    state = RULES.adjudicate(state, {PLAYER: (Done(),)}, dice).state
    assert dice.labels == []
    assert state.counters["boers"].rounds == 0


@pytest.mark.clause("boer-war", "2.2.pass")
def test_a_pass_is_an_action() -> None:
    """The draw follows even so."""
    outcome = play(war(boers="JOU VOL 5"), "PASS", go=True)
    assert [type(event) for event in outcome.events] == [Passed, Drawn]
    assert outcome.state.done == 1


@pytest.mark.clause("boer-war", "2.1.sides")
def test_the_pools_of_the_sides_do_not_mix() -> None:
    """The Empire draws by its own counters."""
    counters = {
        "boers": RoundCounters(ones=0, twos=1, threes=0),
        "empire": RoundCounters(ones=1, twos=2, threes=3),
    }
    (drawn,) = told(play(replace_fields(table(), side="empire", counters=counters), "DONE"), Drawn)
    assert (drawn.stop, drawn.go) == (1, 2)


@pytest.mark.clause("boer-war", "2.counters", "2.2.end", "2.1.new-turn", "2.prep", "1.turns", "1.first")
def test_a_table_is_played_to_its_end_by_done_alone() -> None:
    """Each side has 84 actions: in each Turn 4, 4 and 3 rounds of 1, 2 and 3 actions."""
    state, actions, rounds, turns = table(), [], [], []
    for number in range(1, 200):
        if state.ended:
            break
        assert RULES.due(state)[0].accepts == ("Done",)
        outcome = RULES.adjudicate(state, {PLAYER: (Done(),)}, any_dice(number))
        actions += told(outcome, Reported)
        rounds += told(outcome, RoundEnded)
        turns += told(outcome, TurnBegan)
        state = outcome.state
    assert [one.turn for one in turns] == [2, 3, 4]
    for turn in (1, 2, 3, 4):
        for side in ("boers", "empire"):
            of = [one.actions for one in rounds if (one.turn, one.side) == (turn, side)]
            assert sorted(of) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]
        order = [one.side for one in rounds if one.turn == turn]
        assert order == ["boers", "empire"] * 11
    assert len(actions) == 168
    assert RULES.result(state) == GameResult(winners=(), reason="table-over")


@pytest.mark.clause("boer-war", "2.8.table", "2.alone")
def test_a_table_has_one_seat_and_keeps_nothing_but_pool_and_rounds() -> None:
    """The map of the program is empty, and no other order is possible."""
    state = table()
    assert seats(state.options) == (PLAYER,)
    assert (state.leaders, state.garrisons, state.control) == ({}, {}, {})
    refused = RULES.check(state, PLAYER, Pass())
    assert refused is not None
    assert refused.code == "not-in-this-turn"


@pytest.mark.clause("boer-war", "2.8.both")
def test_one_player_may_command_both_sides() -> None:
    """An action of the player is due, whichever side acts."""
    state = RULES.setup(settle(OPTIONS, {"mode": "both"}), any_dice()).state
    assert seats(state.options) == (PLAYER,)
    (due,) = RULES.due(state)
    assert (due.seat, state.side) == (PLAYER, "boers")
    state = RULES.adjudicate(state, {PLAYER: (Pass(),)}, Fated()).state
    (due,) = RULES.due(state)
    assert (due.seat, state.side) == (PLAYER, "empire")
    assert "Rail" in due.accepts


@pytest.mark.clause("boer-war", "2.markers")
@pytest.mark.parametrize("reading", ["unflipped_2", "stop_left_in_cup"])
def test_four_markers_of_each_kind_always_suffice(reading: PoolReading) -> None:
    """Check every state of the counters for both draws."""
    for ones, twos, threes in product(range(5), range(5), range(4)):
        for action in (1, 2):
            cup = pool(RoundCounters(ones=ones, twos=twos, threes=threes), action, reading)
            assert max(cup.go, cup.stop) <= 4
