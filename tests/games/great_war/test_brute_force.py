"""The AI's plays on five hundred random hands are the best that an exhaustive search finds."""

import random

import pytest

from games.great_war import automaton
from games.great_war.components import book
from games.great_war.events import CardLaid
from games.great_war.model import AI
from games.great_war.working_state import WorkingState
from tests.games.great_war import brute
from tests.games.great_war.front import field

pytestmark = pytest.mark.long

NEUTRAL = [one for one, card in book().cards.items() if card.play_deck == "neutral" and card.deck != "white"]
BONUS = [one for one, card in book().cards.items() if card.play_deck == "bonus"]


def nation(side):
    return [one for one, card in book().cards.items() if card.play_deck == side and card.deck != "white"]


def position(seed, number):
    """Return a random hand for the AI, and a row of cards on each side, without duplicates."""
    lot = random.Random(seed)
    side, foe = lot.sample(["entente", "central"], 2)
    neutral = lot.sample(NEUTRAL, len(NEUTRAL))
    ours, theirs = lot.sample(nation(side), 12), lot.sample(nation(foe), 8)
    split = lot.randrange(2, 6)
    hand = [
        *(neutral.pop() for _ in range(split)),
        *(ours.pop() for _ in range(8 - split)),
        lot.choice(BONUS),
    ]
    if number == 2:
        hand = [one for one in hand if not book()[one].is_a("leader")]
    rows = [
        [*(neutral.pop() for _ in range(lot.randrange(4))), *(deck.pop() for _ in range(lot.randrange(4)))]
        for deck in (ours, theirs)
    ]
    down = lot.choice([None, *rows[1]])
    attacks = number == 1 or lot.random() < 0.5
    return side, hand, rows[0], rows[1], down, attacks


@pytest.mark.clause("great-war", "GW-F.1", "GW-5.1", "GW-5.2", "GW17", "GW18", "GW19", "GW10", "GW12")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("first", range(0, 250, 50))
def test_what_the_ai_lays_is_the_best_of_everything(first, number):
    """There are fifty positions each, for an Attacker's Round 1 and for Round 2 of either side, without
    leaders.
    """
    for seed in range(first, first + 50):
        side, hand, own, foe, down, attacks = position(seed * 2 + number, number)
        state = field(
            nation=side,
            ai_hand=hand,
            ai=own,
            me=[f"{one}!" if one == down else one for one in foe],
            attacks=not attacks,
            number=number,
        )
        table = WorkingState(state, None, "round 2" if number == 2 else "round 1")
        automaton.play_round(table, AI)
        laid = {event.card for event in table.events if isinstance(event, CardLaid)}
        rows = [[one, True] for one in own], [[one, one != down] for one in foe]
        key, base, cards = brute.best(hand, *rows, attacks, by_cards=number == 1)
        swing = table.now.margin(AI) - state.margin(AI)
        assert laid == cards, (seed, base)
        assert (len(laid), swing) == ((key[0], key[1]) if number == 1 else (key[2], key[0]))


def test_the_brute_force_finds_what_a_greedy_choice_misses():
    """The highest card doesn't bring the most cards here, so a wrong choice would be noticed."""
    hand = ["B-QS", "B-AS", "B-8C", "B-6D"]
    assert brute.best(hand, [], [], False, True)[1:] == ("B-QS", {"B-QS", "B-8C", "B-6D"})
    assert brute.best(["B-AS", "B-4S"], [], [["R-10S", True]], False, False)[1] == "B-AS"
