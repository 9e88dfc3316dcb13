"""The pool of GO! and STOP: the printed examples, every edge, its exact odds, and 100,000 rounds of it."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from games.dice import SealedDice
from games.pool import MAX_ACTIONS_PER_ROUND, DrawPool, PoolReading, RoundCounters, actions, goes_on, pool
from games.protocol import Invalid
from tests.kit.dice import Scripted

READINGS: tuple[PoolReading, ...] = ("unflipped_2", "stop_left_in_cup")
ROUNDS = 11

ODDS: dict[PoolReading, tuple[tuple[float, float, float], ...]] = {
    "unflipped_2": (
        (0.5000, 0.2857, 0.2143),
        (0.4847, 0.2959, 0.2194),
        (0.4676, 0.3073, 0.2251),
        (0.4481, 0.3201, 0.2318),
        (0.4257, 0.3347, 0.2395),
        (0.3993, 0.3518, 0.2489),
        (0.3672, 0.3720, 0.2608),
        (0.3262, 0.3967, 0.2771),
        (0.2686, 0.4257, 0.3057),
        (0.1962, 0.4550, 0.3488),
        (0.1164, 0.4550, 0.4286),
    ),
    "stop_left_in_cup": (
        (0.5000, 0.2857, 0.2143),
        (0.4847, 0.2843, 0.2310),
        (0.4669, 0.2824, 0.2507),
        (0.4462, 0.2801, 0.2737),
        (0.4219, 0.2773, 0.3008),
        (0.3935, 0.2744, 0.3320),
        (0.3605, 0.2731, 0.3664),
        (0.3222, 0.3199, 0.3579),
        (0.2676, 0.4223, 0.3101),
        (0.2030, 0.5650, 0.2321),
        (0.1335, 0.7356, 0.1310),
    ),
}
"""The odds of one, two and three actions in each round, computed elsewhere."""


def counters(ones: int, twos: int, threes: int) -> RoundCounters:
    return RoundCounters(ones=ones, twos=twos, threes=threes)


def chances(state: RoundCounters, reading: PoolReading) -> Iterator[tuple[int, Fraction]]:
    """The exact chance of each number of actions of a round."""
    going = Fraction(1)
    for done in range(1, MAX_ACTIONS_PER_ROUND):
        share = Fraction(*pool(state, done, reading).chance)
        yield done, going * (1 - share)
        going *= share
    yield MAX_ACTIONS_PER_ROUND, going


def enumerated(reading: PoolReading) -> list[dict[RoundCounters, Fraction]]:
    """The exact chance of each state before each round, and after the last."""
    known = [{RoundCounters(): Fraction(1)}]
    for _ in range(ROUNDS):
        after: Counter[RoundCounters] = Counter()
        for state, chance in known[-1].items():
            for number, share in chances(state, reading):
                if share:
                    after[state.with_round_finished(number)] += chance * share
        known.append(dict(after))
    return known


@pytest.mark.clause("boer-war", "2.example.first")
def test_the_first_example_as_printed() -> None:
    """Four against four, then four STOPs against three GOs; both are drawn, and a three is flipped."""
    assert pool(RoundCounters(), 1) == DrawPool(go=4, stop=4)
    assert pool(RoundCounters(), 2) == DrawPool(go=3, stop=4)
    assert actions(Scripted({"r/1": 4, "r/2": 3}), "r", RoundCounters()) == 3
    assert RoundCounters().with_round_finished(3) == counters(4, 4, 2)


@pytest.mark.clause("boer-war", "2.example.sixth", "2.7.default", "2.7.cup")
def test_the_sixth_round_by_the_rule_and_as_printed() -> None:
    """After 1, 1, 3, 3, 2: three GOs against two STOPs, then one GO against three; printed is against two."""
    state = RoundCounters()
    for number in (1, 1, 3, 3, 2):
        state = state.with_round_finished(number)
    assert state == counters(2, 3, 1)
    assert pool(state, 1) == DrawPool(go=3, stop=2)
    assert pool(state, 2) == DrawPool(go=1, stop=3)
    assert pool(state, 2, "stop_left_in_cup") == DrawPool(go=1, stop=2)
    assert actions(Scripted({"r/1": 3, "r/2": 2}), "r", state) == 2
    assert actions(Scripted({"r/1": 4}), "r", state) == 1


@pytest.mark.clause("boer-war", "2.3.no-twos", "2.3.only-threes", "2.3.no-threes")
@pytest.mark.parametrize(
    ("state", "done", "verdict"),
    [
        (counters(1, 0, 2), 1, "STOP"),
        (counters(0, 1, 2), 1, "GO!"),
        (counters(0, 0, 1), 1, "GO!"),
        (counters(0, 0, 3), 2, "GO!"),
        (counters(0, 1, 0), 2, "STOP"),
        (counters(0, 2, 1), 2, None),
        (counters(1, 1, 0), 1, None),
    ],
)
def test_where_nothing_is_drawn(state: RoundCounters, done: int, verdict: str | None) -> None:
    assert pool(state, done).verdict == verdict


@pytest.mark.clause("boer-war", "2.2.certain", "2.3.only-threes")
@pytest.mark.parametrize(
    ("state", "number"),
    [((0, 0, 1), 3), ((0, 0, 3), 3), ((1, 0, 2), 1), ((0, 1, 0), 2), ((1, 0, 0), 1)],
)
@pytest.mark.parametrize("reading", READINGS)
def test_certain_rounds_throw_nothing(state: tuple[int, int, int], number: int, reading: PoolReading) -> None:
    assert actions(Scripted({}), "r", counters(*state), reading) == number


@pytest.mark.clause("boer-war", "2.7.cup")
def test_with_two_twos_and_a_three_the_readings_differ() -> None:
    state = counters(0, 2, 1)
    assert actions(Scripted({"r/2": 2}), "r", state) == 2
    assert actions(Scripted({}), "r", state, "stop_left_in_cup") == 3


@pytest.mark.clause("boer-war", "2.8.chance")
def test_a_chance_is_told_before_the_draw() -> None:
    assert pool(RoundCounters(), 1).chance == (4, 8)
    assert pool(counters(1, 0, 2), 1).chance == (0, 1)
    assert pool(counters(0, 0, 2), 1).chance == (1, 1)
    assert goes_on(Scripted({"x": 4}), "x", DrawPool(go=4, stop=4))
    assert not goes_on(Scripted({"x": 5}), "x", DrawPool(go=4, stop=4))


@pytest.mark.clause("boer-war", "2.4.used-up")
@pytest.mark.parametrize("reading", READINGS)
def test_every_turn_has_four_four_and_three(reading: PoolReading) -> None:
    """With any draws: no missing counter is needed, and after eleven rounds none is open."""
    known = enumerated(reading)
    assert known[-1] == {counters(0, 0, 0): Fraction(1)}
    assert len({state for states in known for state in states}) == 100
    with pytest.raises(Invalid):
        counters(0, 0, 0).with_round_finished(1)
    with pytest.raises(Invalid):
        actions(Scripted({}), "r", counters(0, 0, 0), reading)


@pytest.mark.clause("boer-war", "2.5.odds")
@pytest.mark.parametrize("reading", READINGS)
def test_the_odds_of_each_round(reading: PoolReading) -> None:
    known = enumerated(reading)
    for number, expected in enumerate(ODDS[reading]):
        found = Counter[int]()
        for state, chance in known[number].items():
            for count, share in chances(state, reading):
                found[count] += chance * share
        assert [round(float(found[count]), 4) for count in (1, 2, 3)] == list(expected), number + 1


@pytest.mark.long
@pytest.mark.clause("boer-war", "2.5.odds")
@pytest.mark.parametrize("reading", READINGS)
def test_a_hundred_thousand_rounds_are_as_the_odds_say(reading: PoolReading) -> None:
    """Chi-square, round by round, 22 degrees of freedom: below 48.3 but once in a thousand."""
    turns = 100_000 // ROUNDS
    seen: list[Counter[int]] = [Counter() for _ in range(ROUNDS)]
    for turn in range(turns):
        dice, state = SealedDice(b"the pool", "rounds", turn), RoundCounters()
        for number in range(ROUNDS):
            count = actions(dice, str(number), state, reading)
            seen[number][count] += 1
            state = state.with_round_finished(count)
    statistic = 0.0
    for number, states in enumerate(enumerated(reading)[:-1]):
        for count in (1, 2, 3):
            exact = sum(chance * dict(chances(state, reading))[count] for state, chance in states.items())
            expected = float(exact) * turns
            statistic += (seen[number][count] - expected) ** 2 / expected
    assert statistic < 48.3
