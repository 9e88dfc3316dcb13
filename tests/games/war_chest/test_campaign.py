"""Whole games: no coin is ever lost, every game ends, and the automaton wins as often as measured."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import LabelledDice, SealedDice
from games.record import canonical, load
from games.war_chest import legality
from games.war_chest.board import NEIGHBOURS
from games.war_chest.components import ROYAL_COIN
from games.war_chest.model import (
    AUTOMATON,
    COIN,
    DRAWN,
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Maneuver,
    ManeuverStep,
    Pass,
    Recruit,
    State,
)
from games.war_chest.owner_data import PRINTED
from games.war_chest.setup import royal_coins
from tests.games.war_chest.table import GAME, RULES, options, total

pytestmark = pytest.mark.long

MODES = ("recruit", "mass_recruit", "maneuver_all")
LEVELS = ("beginner", "intermediate", "advanced")

MEASURED = {
    ("recruit", "beginner"): 49,
    ("recruit", "intermediate"): 41,
    ("recruit", "advanced"): 30,
    ("mass_recruit", "beginner"): 71,
    ("mass_recruit", "intermediate"): 60,
    ("mass_recruit", "advanced"): 47,
    ("maneuver_all", "beginner"): 100,
    ("maneuver_all", "intermediate"): 100,
    ("maneuver_all", "advanced"): 100,
}
"""The automaton's wins against the greedy bot, in percent of 600 games each."""


@dataclass(frozen=True)
class Played:
    """A finished game of bots."""

    state: State
    decisions: int


def self_played(seed: int, **given: str) -> Played:
    """Return a game from its opening to its end, with a bot in every seat."""
    secret = f"self-played {seed}".encode()
    state = RULES.setup(options(**given), SealedDice(secret, "chest", 0)).state
    decisions = 0
    while RULES.result(state) is None:
        decisions += 1
        throws = SealedDice(secret, "chest", decisions)
        (due,) = RULES.due(state)
        view = RULES.view(state, due.seat)
        choices = GAME.bots["house"].orders(view, due, LabelledDice(throws, f"bot/{due.seat}/"))
        assert all(RULES.check(view, due.seat, choice.order) is None for choice in choices)
        state = RULES.adjudicate(state, {due.seat: [choice.order for choice in choices]}, throws).state
        assert_sound(state)
    return Played(state, decisions)


def assert_sound(state: State) -> None:
    """Check that no coin is missing, no hex has two units, and no side has more markers than exist."""
    if state.picks:
        return
    found = total(state)
    for seat, side in state.sides.items():
        for card in side.cards:
            assert found[seat, card] == PRINTED.units[card].coins, (seat, card)
        if seat != AUTOMATON:
            assert found[seat, ROYAL_COIN] == 1
        assert all(count >= 0 for count in (*side.supply.values(), *side.removed.values()))
        assert state.markers(seat) <= PRINTED.board.markers
    assert len({stack.at for stack in state.stacks}) == len(state.stacks)
    for stack in state.stacks:
        assert len(state.units(stack.seat, stack.card)) <= PRINTED.units[stack.card].most_on_board


def royals(state: State) -> int:
    """Return the number of the automaton's Royal Coins."""
    return total(state).get((AUTOMATON, ROYAL_COIN), 0)


@pytest.mark.clause("war-chest", "7.2.1", "7.3.1", "7.3.mass", "7.3.all")
@pytest.mark.parametrize("mode", MODES)
def test_thirty_games_end_soundly(mode):
    for seed in range(30):
        level = LEVELS[seed % 3]
        played = self_played(seed, royal_mode=mode, level=level)
        assert played.state.ended in ("markers", "turns")
        assert royals(played.state) >= royal_coins(played.state.options)


@pytest.mark.parametrize("units", ["draft", "random", "first-game", "gaugamela", "bannockburn", "crecy"])
def test_two_persons_games_end_soundly(units):
    for seed in range(3):
        played = self_played(seed, opponent="human", units=units, royal_guard="ask")
        assert load(State, canonical(played.state)) == played.state


def anything(view: State, seat: str, lot: random.Random) -> AnyOrder:
    """Return a random legal order of a player for the coin that is due; a pass if no try is legal."""
    have = legality.coins(view, seat)
    for _ in range(12):
        coin = lot.choice(have)
        unit = lot.choice(view.units(seat) or [None])
        at = unit.at if unit else "d4"
        card = unit.card if unit else coin
        near = [ManeuverStep(card=card, at=at, act="move", to=lot.choice(NEIGHBOURS[at]))]
        foes = [ManeuverStep(card=card, at=at, act="attack", to=s.at) for s in view.units(view.other(seat))]
        steps = (*lot.sample([*near, *foes], 1), *near, ManeuverStep(card=card, act="control"))
        tried = lot.choice(
            [
                Deploy(card=coin, at=lot.choice(PRINTED.locations)),
                Bolster(card=coin, at=at),
                Recruit(card=lot.choice(view.sides[seat].cards), coin=coin),
                Claim(coin=coin),
                Maneuver(card=coin, steps=steps[: lot.choice((1, 2))]),
                Maneuver(card=coin, steps=steps[-1:]),
            ]
        )
        if legality.objection(view, seat, tried) is None:
            return tried
    return Pass(coin=lot.choice(have))


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(("ai", "human")), st.sampled_from(MODES))
def test_no_coin_is_lost_whatever_is_ordered(seed, opponent, mode):
    """Two hundred legal decisions at random, with the other side's decisions between them."""
    lot = random.Random(seed)
    units = lot.choice(("random", "first-game", "gaugamela", "bannockburn", "crecy"))
    said = options(opponent=opponent, royal_mode=mode, units=units)
    state = RULES.setup(said, SealedDice(b"anything", "chest", 0)).state
    for number in range(1, 200):
        dues = RULES.due(state)
        if not dues:
            break
        (due,) = dues
        view = RULES.view(state, due.seat)
        orders = RULES.default(state, due)
        if due.kind in (COIN, DRAWN) and due.seat != AUTOMATON:
            orders = (anything(view, due.seat, lot),)
        state = RULES.adjudicate(state, {due.seat: orders}, SealedDice(b"anything", "chest", number)).state
        assert_sound(state)


@pytest.mark.soak
@pytest.mark.parametrize("mode", MODES)
def test_a_thousand_games_end_soundly(mode):
    for seed in range(1000):
        self_played(seed, royal_mode=mode, level=LEVELS[seed % 3])


@pytest.mark.soak
@pytest.mark.parametrize(("mode", "level"), MEASURED)
def test_the_automaton_wins_as_often_as_measured(mode, level):
    """Within five percent, over 600 games with fixed seeds."""
    won = Counter(self_played(seed, royal_mode=mode, level=level).state.winners for seed in range(600))
    assert abs(100 * won[AUTOMATON,] / 600 - MEASURED[mode, level]) <= 5
