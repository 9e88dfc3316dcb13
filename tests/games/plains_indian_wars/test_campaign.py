"""Whole games of the bot: every state keeps the limits, no cube is lost, and the game ends."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import LabelledDice, SealedDice
from games.plains_indian_wars.board import CANADA, MEXICO, board
from games.plains_indian_wars.bots import UsBot
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import Ended, Fought, LeftOut
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US_SEAT
from games.plains_indian_wars.rules import PlainsRules
from games.plains_indian_wars.scoring import schedule, totals
from games.plains_indian_wars.working_state import WorkingState

pytestmark = pytest.mark.long

RULES, OFFICER = PlainsRules(), UsBot()
LONGEST = 16
"""Each deck has 15 cards, and each turn plays at least one, so no game has more turns."""


def game(seed):
    """Yield the steps of a game: (state before, plan, outcome)."""
    now = RULES.setup({"scenario": "1"}, SealedDice(b"campaign", str(seed), 0)).state
    number = 0
    while dues := RULES.due(now):
        number += 1
        dice = SealedDice(b"campaign", str(seed), number)
        plan = [one.order for one in OFFICER.orders(now, dues[0], LabelledDice(dice, "bot/US/"))]
        outcome = RULES.adjudicate(now, {US_SEAT: plan}, dice)
        yield now, plan, outcome
        now = outcome.state


def assert_sound(state):
    """Check the limits, the colours that may share a region, and the number of cubes."""
    play = WorkingState(state)
    ground = board()
    for region in ground.places:
        assert play.tribe_cubes(region) <= play.tribe_limit(region)
        assert not (play.count(region, "Green") and play.count(region, "Orange"))
        assert ground.is_city(region) or play.us_cubes(region) <= 8
        for colour in (*TRIBES, *SOLDIERS):
            assert not play.count(region, colour) or ground.may_enter(colour, region)
    assert not play.count(CANADA, "Blue")
    assert not play.count(MEXICO, "Blue")
    for colour in (*TRIBES, *SOLDIERS):
        on_board = sum(play.count(region, colour) for region in ground.places)
        boxes = state.ready.get(colour, 0) + state.fallen.get(colour, 0)
        assert on_board + boxes == materials().supply[colour]
    rolling = sum(play.count(region, "White") for region in ground.places)
    assert rolling + state.ready.get("White", 0) + state.lost + state.through == 20


def mixed(state):
    """Return the regions with Brown and Purple, but without Blue."""
    play = WorkingState(state)
    return {
        region
        for region in board().regions_in_zones("NE", "SE")
        if play.count(region, "Brown") and play.count(region, "Purple") and not play.count(region, "Blue")
    }


def shared(state):
    """Return the regions with both sides."""
    play = WorkingState(state)
    return {region for region in board().places if play.tribe_cubes(region) and play.us_cubes(region)}


def assert_apart(before, outcome):
    """Check that both sides share a region only if they can't fight yet, and Brown and Purple only with Blue.

    A card may have forbidden an engagement, and on Purple's disc the tribes have only just come. An
    engagement may leave Brown and Purple together without Blue.
    """
    quiet = {*before.quiet, *outcome.state.quiet}
    if outcome.state.disc != "Purple":
        assert shared(outcome.state) <= quiet | shared(before)
    fought = {event.at for event in outcome.events if isinstance(event, Fought)}
    assert mixed(outcome.state) <= mixed(before) | fought


def assert_game(seed):
    """Check every state of a game; return its score."""
    last = None
    for before, plan, outcome in game(seed):
        assert_sound(before)
        assert_sound(outcome.state)
        assert_apart(before, outcome)
        assert not any(isinstance(event, LeftOut) and event.order not in plan for event in outcome.events)
        last = outcome
    assert isinstance(last.events[-1], Ended)
    assert last.state.turn <= LONGEST
    assert last.state.last in ("railroad", "Cavalry", "Settlers")
    return totals(schedule(last.state))


@pytest.mark.clause("plains-indian-wars", "PIW1.green.7", "PIW1.limits.1", "PIW1.limits.2", "PIW1.limits.3")
@pytest.mark.clause("plains-indian-wars", "PIW1.purple.13", "PIW1.end.3")
@settings(max_examples=8, derandomize=True)
@given(st.integers(0, 10**6))
def test_some_games_keep_every_limit_and_end(seed):
    assert_game(seed)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@settings(max_examples=200)
@given(st.integers(0, 10**6))
def test_many_games_keep_every_limit_and_end(seed):
    assert_game(seed)


def test_most_of_the_bot_s_thoughts_can_be_carried_out():
    """A bot that plans impossible orders is useless."""
    counted = Counter()
    for seed in range(3):
        for _, plan, outcome in game(seed):
            counted["orders"] += len(plan)
            counted["left out"] += sum(isinstance(event, LeftOut) for event in outcome.events)
    assert counted["left out"] < counted["orders"] / 20


@pytest.mark.soak
def test_a_thousand_games_keep_every_limit_and_end():
    """Either side can win."""
    scores = [assert_game(seed) for seed in range(1000)]
    won = sum(us > nations for nations, us in scores)
    print(f"U.S. won {won} of {len(scores)}; mean points: tribes", end=" ")
    print(sum(n for n, _ in scores) / 2 / len(scores), "U.S.", sum(u for _, u in scores) / 2 / len(scores))
    assert 0.35 < won / len(scores) < 0.6
