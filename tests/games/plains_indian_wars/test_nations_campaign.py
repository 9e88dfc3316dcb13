"""Whole games of the nations' bot in each scenario: limits and lands in every state, cubes, and the end."""

import math
from collections import Counter

import pytest

from adjudicator.turns.log import RecordingDice
from games import kinds
from games.dice import LabelledDice, SealedDice
from games.plains_indian_wars.board import board
from games.plains_indian_wars.bots import PlainsBot
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import AnyEvent, Decided, Drawn, LeftOut
from games.plains_indian_wars.model import NATIONS_SEAT, TRIBES, US_SEAT, AnyOrder, State
from games.plains_indian_wars.nations.execution import may_stand
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.working_state import WorkingState
from games.record import canonical, load
from tests.kit.campaign import wander
from tests.kit.nations import ALL_SCENARIOS, CUSTER, RAILS, RULES, TRAILS
from tests.kit.plains import orders

pytestmark = pytest.mark.long

LEADER, NOTATION, TELLING = PlainsBot(), PlainsNotation(), PlainsTelling()
GAMES, WANDERINGS, SOAK = 5, 2, 1000
GUARDED = ("NE1", "SE1", "SE2")
"""The regions outside its land where a tribe may be left after an attack on the train."""

each_scenario = pytest.mark.parametrize("scenario", ALL_SCENARIOS)


def dice(scenario, game, entry):
    return RecordingDice(SealedDice(b"chief", f"{scenario}/{game}", entry))


def steps(scenario, game):
    """Yield the steps of a game: (state before, plan, outcome)."""
    now, entry = RULES.setup({"scenario": scenario}, dice(scenario, game, 0)).state, 0
    while dues := RULES.due(now):
        entry += 1
        thrown = dice(scenario, game, entry)
        choices = LEADER.orders(now, dues[0], LabelledDice(thrown, "bot/"))
        plan = [choice.order for choice in choices]
        assert {owed.slot for owed in dues[0].owes} <= {order.slot for order in plan}
        assert all(choice.reason for choice in choices)
        outcome = RULES.adjudicate(now, {NATIONS_SEAT: plan}, thrown)
        yield now, plan, outcome
        now = outcome.state


def assert_sound(state):
    """Check the limits, the lands, the colours that share a region, and the number of cubes."""
    play = WorkingState(state)
    for region in board().places:
        assert play.tribe_cubes(region) <= (play.tribe_limit(region) if play.tribe_cubes(region) else 0)
        assert not (play.count(region, "Green") and play.count(region, "Orange"))
        for colour in TRIBES:
            at_home = not play.count(region, colour) or may_stand(play, colour, region)
            assert at_home or (state.options["scenario"] in TRAILS and region in GUARDED)
    for colour in play.scenario.boxes:
        everywhere = sum(play.count(region, colour) for region in board().places)
        boxes = (state.ready, state.fallen, state.gone)
        total = everywhere + sum(box.get(colour, 0) for box in boxes)
        if colour == "White" and play.scenario.trains:
            total += sum(state.arrived.values())
        assert total == owned(play, colour)


def owned(play, colour):
    """Return the number of cubes of a colour in a scenario."""
    scenario = play.scenario
    if scenario.boxes[colour] != "gone":
        return materials().supply[colour]
    columns = scenario.campaign.columns.values() if scenario.campaign else ()
    placed = sum(here.get(colour, 0) for here in scenario.places.values())
    return placed + sum(route.cubes.get(colour, 0) for route in columns)


def assert_us_sound(state):
    """Check the position of the U.S., which rules and dice control."""
    play = WorkingState(state)
    scenario = str(state.options["scenario"])
    if scenario in RAILS:
        met = len(set(state.parties.values())) < len(state.parties)
        for region in board().places:
            assert play.count(region, "Blue") <= 2 * (1 + met)
            assert play.count(region, "Brown") <= 4 * (1 + met)
    if scenario == CUSTER:
        for name, column in state.columns.items():
            assert column.at in play.scenario.campaign.columns[name].steps
            assert sum(n for colour, n in column.cubes.items() if colour != "Black") <= 8
            assert column.cubes
    assert state.turn <= (play.scenario.turns or 15)


def assert_read_and_told(before, plan, outcome):
    """Check that states, orders and events survive JSON, and that each event but a disc has a sentence."""
    assert load(State, canonical(outcome.state)) == outcome.state
    for order in plan:
        assert load(AnyOrder, canonical(order)) == order
        assert RULES.check(before, NATIONS_SEAT, order) is None
        assert orders(before, NOTATION.write(order)) == [order]
    for event in outcome.events:
        assert load(AnyEvent, canonical(event)) == event
        line = TELLING.tell(event, NATIONS_SEAT)
        assert (line is None) == isinstance(event, Drawn)
        if line is None:
            continue
        assert line.heading
        assert line.text
        assert "\n" not in line.text
    assert TELLING.headline(outcome.events)
    TELLING.tables(outcome.state)
    TELLING.scene(outcome.state, outcome.events)


def played(scenario, game, *, words=False):
    """Play a game and check every state; return its result."""
    last = None
    for before, plan, outcome in steps(scenario, game):
        assert_sound(before)
        assert_us_sound(before)
        assert not any(isinstance(event, LeftOut) and event.order not in plan for event in outcome.events)
        if words:
            assert_read_and_told(before, plan, outcome)
        last = outcome
    assert_sound(last.state)
    assert isinstance(last.events[-1], Decided)
    return RULES.result(last.state)


REASONS = {
    "2.1": {"wagons-through", "no-wagon-through"},
    "2.2": {"wagons-through", "no-wagon-through"},
    "2.3": {"wagons-through", "wagons-through-on-one-trail", "no-wagon-through"},
    "2.4": {"railroad-complete", "railroad-incomplete"},
    "2.5": {"railroad-complete", "railroad-incomplete"},
    "2.6": {"railroad-complete", "railroad-incomplete"},
    CUSTER: {"columns-destroyed", "black-hills-taken", "black-hills-kept"},
}


@each_scenario
def test_five_games_keep_every_limit_and_end_by_their_own_rules(scenario):
    results = [played(scenario, game, words=game < 2) for game in range(GAMES)]
    assert {one.reason for one in results} <= REASONS[scenario]
    assert all(one.winners in ((US_SEAT,), (NATIONS_SEAT,), ()) for one in results)
    assert all(one.winners or scenario == "2.3" for one in results)


@each_scenario
def test_the_same_inputs_give_the_same_bytes(scenario):
    """The states are also written to JSON and read back."""
    for entry, (before, plan, outcome) in enumerate(steps(scenario, 0), 1):
        thrown = dice(scenario, 0, entry)
        LEADER.orders(before, RULES.due(before)[0], LabelledDice(thrown, "bot/"))
        again = RULES.adjudicate(load(State, canonical(before)), {NATIONS_SEAT: plan}, thrown)
        assert canonical(again.state) == canonical(outcome.state)
        assert [canonical(event) for event in again.events] == [canonical(event) for event in outcome.events]


@each_scenario
def test_silence_ends_too_and_turns_have_names_of_their_own(scenario):
    now, entry = RULES.setup({"scenario": scenario}, dice(scenario, "silence", 0)).state, 0
    names = []
    while dues := RULES.due(now):
        names.append(RULES.turn(now).short)
        entry += 1
        silence = {NATIONS_SEAT: RULES.default(now, dues[0])}
        now = RULES.adjudicate(now, silence, dice(scenario, "silence", entry)).state
    assert len(set(names)) == len(names)
    assert RULES.result(now) is not None


@each_scenario
def test_whatever_is_lawful_keeps_every_limit_and_ends(scenario):
    """Most of these random legal plans are foolish."""
    game = kinds()["plains-indian-wars"]
    for seed in range(WANDERINGS):
        for _, _, _, after in wander(game, {"scenario": scenario}, seed):
            assert_sound(after)
            assert_us_sound(after)
        assert RULES.result(after) is not None


@each_scenario
def test_most_of_the_chief_s_thoughts_can_be_carried_out(scenario):
    counted = Counter()
    for game in range(3):
        for _, plan, outcome in steps(scenario, game):
            counted["orders"] += len(plan)
            counted["left out"] += sum(isinstance(event, LeftOut) for event in outcome.events)
    assert counted["left out"] < counted["orders"] / 50


@pytest.mark.soak
@each_scenario
def test_a_thousand_games_are_won_by_either_side(scenario):
    """A sensible player wins between three and seven games of ten."""
    results = [played(scenario, game) for game in range(SOAK)]
    won = sum(one.winners == (NATIONS_SEAT,) for one in results) / SOAK
    drawn = sum(not one.winners for one in results) / SOAK
    wide = 1.96 * math.sqrt(won * (1 - won) / SOAK)
    print(f"\n{scenario}: the nations won {won:.1%} ± {wide:.1%}, drawn {drawn:.1%};", end=" ")
    print(dict(Counter(one.reason for one in results).most_common()))
    assert 0.3 < won < 0.7
