"""Discs, turns, the orders that are due, and the end of the game."""

import pytest

from games.plains_indian_wars import sequence
from games.plains_indian_wars.events import Drawn, Ended, LastTurn
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, NoPlace, PlayAction
from games.plains_indian_wars.rules import PlainsRules
from games.protocol import Condition
from tests.kit.dice import any_dice
from tests.kit.plains import card, events_of_type, orders, state, table

RULES = PlainsRules()
ALL_DISCS = ("Green", "Orange", "Purple", "White", "Blue", "Brown", "Black")


def playing(number=0):
    """Yield (state before, orders, outcome) for each phase of turns without orders of the U.S."""
    now = RULES.setup({"scenario": "1"}, any_dice(number)).state
    step = 0
    while dues := RULES.due(now):
        step += 1
        given = RULES.default(now, dues[0])
        outcome = RULES.adjudicate(now, {US_SEAT: given}, any_dice(step + 100 * number))
        yield now, given, outcome
        now = outcome.state


@pytest.mark.clause("plains-indian-wars", "PIW1.turn.1", "PIW1.turn.3", "PIW1.end.3")
def test_every_turn_sees_each_of_the_seven_discs_once():
    """The last turn does too."""
    drawn = [event for _, _, outcome in playing() for event in outcome.events if isinstance(event, Drawn)]
    turns = {event.turn for event in drawn}
    assert len(turns) > 5
    for turn in turns:
        assert sorted(event.disc for event in drawn if event.turn == turn) == sorted(ALL_DISCS)


@pytest.mark.clause("plains-indian-wars", "PIW1.turn.1", "PIW1.roles.1")
def test_the_player_is_asked_on_purple_blue_and_brown_only():
    assert {before.disc for before, _, _ in playing()} == {None, "Purple", "Blue", "Brown"}


def test_purple_is_not_asked_when_there_is_nothing_to_decide():
    play = table("", "Purple", {"T2/Purple/d6/NE": 1, "T2/Purple/d6/SE": 1}, ready={"Purple": 0})
    assert sequence._DISC_PROCEDURES["Purple"](play) is False


@pytest.mark.clause("plains-indian-wars", "PIW1.turn.2")
def test_cards_cubes_moves_engagements_and_new_cards_follow_each_other():
    now = state("STL: 2 Blue; N5: 1 Green", bag=("Green",))
    plan = orders(now, "move 3 Blue STL - N5", "place 1 Blue STL", "play Fort Laramie")
    events = RULES.adjudicate(now, {US_SEAT: plan}, any_dice(1)).events
    names = [type(event).__name__ for event in events]
    assert names[:5] == ["CardPlayed", "Placed", "Moved", "Fought", "Refilled"]


@pytest.mark.clause("plains-indian-wars", "PIW1.end.1", "PIW1.black.3")
def test_the_completed_railroad_ends_the_game_after_the_turn():
    now = state("N5: 1 Brown", "Blue", bag=("White",), union=25, mountains=5, turn=4)
    events = RULES.adjudicate(now, {US_SEAT: [PlayAction(card=card("Fort Laramie"))]}, any_dice()).events
    assert [event.why for event in events if isinstance(event, LastTurn)] == ["railroad"]
    assert [event.disc for event in events if isinstance(event, Drawn)] == ["White"]
    assert isinstance(events[-1], Ended)


@pytest.mark.clause("plains-indian-wars", "PIW1.end.2", "PIW1.end.empty", "PIW1.end.3")
@pytest.mark.parametrize(("disc", "deck"), [("Blue", "Cavalry"), ("Brown", "Settlers")])
def test_the_last_card_of_either_deck_ends_the_game_after_the_turn(disc, deck):
    only = {"Cavalry": ("CAV-01",), "Settlers": ("SET-01",)}
    now = state(
        "", disc, hands={deck: only[deck]}, decks={**{"Cavalry": (), "Settlers": ()}}, bag=("White", "Black")
    )
    outcome = RULES.adjudicate(now, {US_SEAT: RULES.default(now, RULES.due(now)[0])}, any_dice())
    assert [event.why for event in outcome.events if isinstance(event, LastTurn)] == [deck]
    assert sum(isinstance(event, Drawn) for event in outcome.events) == 2
    assert outcome.state.ended


@pytest.mark.clause("plains-indian-wars", "PIW1.end.empty")
def test_a_card_left_in_the_hand_keeps_the_game_going():
    now = state(
        "",
        hands={"Cavalry": ("CAV-01", "CAV-12")},
        decks={"Cavalry": (), "Settlers": ("SET-09",)},
        bag=("White",),
    )
    outcome = RULES.adjudicate(now, {US_SEAT: [PlayAction(card=card("Fort Leavenworth"))]}, any_dice())
    assert not any(isinstance(event, LastTurn) for event in outcome.events)
    assert RULES.due(outcome.state)


@pytest.mark.clause("plains-indian-wars", "PIW1.score.tie")
def test_a_finished_game_names_its_winner_and_owes_nothing():
    lost = state("N3: 4 Green", None, ended=True, turn=9)
    assert RULES.result(lost).winners == (NATIONS_SEAT,)
    assert RULES.due(lost) == ()
    won = state("N10: 1 Blue; N1: 1 Blue; S3: 1 Blue", None, ended=True, last="Settlers", turn=9)
    assert RULES.result(won).winners == (US_SEAT,)
    assert RULES.result(won).reason == "last-settlers-card"


def test_turns_have_names():
    assert RULES.turn(state("", "Purple", turn=3)).short == "T3P"
    assert RULES.turn(state("", "Blue", turn=3)).name == "Turn 3, Cavalry"
    assert RULES.turn(state("", None, turn=0)).name == "Set-up"


def test_silence_places_nothing_and_plays_the_first_card():
    purple = state("", "Purple")
    assert RULES.default(purple, RULES.due(purple)[0]) == (NoPlace(belt="north"), NoPlace(belt="south"))
    blue = state("", "Blue")
    assert RULES.default(blue, RULES.due(blue)[0]) == (PlayAction(card="CAV-01"),)


def test_conditions_ask_who_stands_in_a_region():
    now = state("N3: 2 Green; N4: 1 Blue")
    assert RULES.holds(now, US_SEAT, Condition(form="tribes-in", slots={"region": "N3"}))
    assert not RULES.holds(now, US_SEAT, Condition(form="tribes-in", slots={"region": "N4"}))
    assert RULES.holds(now, US_SEAT, Condition(form="ours", slots={"region": "N4"}))
    assert not RULES.holds(now, US_SEAT, Condition(form="ours", slots={"region": "N5"}))
    assert events_of_type(table(), Ended) == []
