"""Changes by the GM in Plains Indian Wars: the number of cubes stays the same."""

from collections import Counter
from typing import Any

import pytest

import games
from games.options import settle
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.edits import PlainsEdits
from games.plains_indian_wars.model import Colour, State
from games.protocol import Game
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.dice import any_dice

EDITS = PlainsEdits()


def kind() -> Game:
    return games.kinds()["plains-indian-wars"]


def opening(scenario: str = "1") -> State:
    """Return the position of a scenario after its first plan."""
    rules = kind().rules
    state: State = rules.setup(settle(kind().about.options, {"scenario": scenario}), any_dice(0)).state
    return played(state, 1)


def played(state: Any, number: int) -> Any:
    """Return the state after the orders of silent players."""
    rules = kind().rules
    dues = rules.due(state)
    orders = {due.seat: rules.default(state, due) for due in dues}
    return rules.adjudicate(state, orders, any_dice(number)).state if dues else state


@pytest.fixture(scope="module")
def state() -> State:
    return opening()


def read(state: State, text: str) -> Any:
    (found,) = match_text(text, compile_forms(EDITS.forms), names_of(EDITS.lexicon(state)))
    return EDITS.build(state, found.form.name, found.slots)


def edited(state: State, *texts: str) -> State:
    for text in texts:
        edit = read(state, text)
        assert EDITS.check(state, edit) is None, text
        state = EDITS.apply(state, edit)
    return state


def problem(state: State, text: str) -> str:
    advice = EDITS.check(state, read(state, text))
    assert advice is not None, text
    return advice.problem


def cubes(state: State) -> Counter[Colour]:
    """Return the number of cubes of each colour on the board and in the boxes."""
    found: Counter[Colour] = Counter(state.ready)
    found.update(state.fallen)
    for here in state.cubes.values():
        found.update(here)
    return found


def test_cubes_come_from_the_ready_box_and_go_back(state: State) -> None:
    more = edited(state, "put 3 Blue in S5")
    assert more.cubes[EDITS.build(state, "put", {"at": "S5", "colour": "Blue", "count": "1"}).at]["Blue"] == 3
    assert more.ready["Blue"] == state.ready["Blue"] - 3
    assert cubes(more) == cubes(state)
    assert edited(more, "take 3 Blue from S5") == state


def test_casualties_are_of_the_two_boxes(state: State) -> None:
    hurt = edited(state, "casualties Green 4")
    assert hurt.fallen["Green"] == 4
    assert cubes(hurt) == cubes(state)
    assert "Green" not in edited(hurt, "casualties Green 0").fallen
    assert problem(state, "casualties Green 30").startswith("the two boxes have only ")


def test_what_cannot_stand_there_does_not(state: State) -> None:
    assert problem(state, "put 1 Green in S1").startswith("Green can't be in")
    assert problem(state, "put 1 Blue in NE6").startswith("Blue can't be in")
    assert problem(state, "take 9 Orange from S1") == "Sevier has only 1 Orange cube"
    assert problem(state, "put 0 Blue in N5") == "0 cubes can't be put or taken"
    assert problem(state, "put 13 Brown in N5").endswith("has room for only 12 cubes of a colour")
    assert problem(state, "put 30 Blue in N5").startswith("the Ready Box has only ")


def test_cards_go_between_hand_deck_and_played(state: State) -> None:
    deck = "Cavalry"
    card = state.decks[deck][0]
    name = materials().cards[card].name
    drawn = edited(state, f"card {card} to hand")
    assert card in drawn.hands[deck]
    assert card not in drawn.decks[deck]
    assert card in edited(drawn, f"card {name} to played").played[deck]
    assert problem(drawn, f"card {card} to hand") == f"{name} is there already"


def test_a_card_of_no_deck_in_play(state: State) -> None:
    other = next(card for card, deck in materials().deck_of.items() if deck not in state.decks)
    assert problem(state, f"card {other} to hand").endswith("isn't in a deck of this scenario")


@pytest.mark.parametrize("scenario", sorted(materials().scenarios))
def test_the_rules_go_on_whichever_card_is_taken_in_hand(scenario: str) -> None:
    """In every scenario, with a bot's plan and without a plan."""
    state = opening(scenario)
    for cards in state.decks.values():
        for card in cards:
            after = edited(state, f"card {card} to hand")
            for due in kind().rules.due(after):
                bot = next(iter(kind().bots.values()))
                for choice in bot.orders(after, due, any_dice(7)):
                    assert kind().rules.check(after, due.seat, choice.order) is None
            for number in (2, 3):
                after = played(after, number)


def test_changes_are_told(state: State) -> None:
    told = {
        "put 1 Blue in N5": "1 Blue cube came to Omaha.",
        "take 2 Green from N2": "2 Green cubes went from Fort Bridger to the Ready Box.",
        "casualties Blue 1": "The Casualty Box now has 1 Blue cube.",
        f"card {state.decks['Cavalry'][0]} to deck": "was put back into its deck.",
    }
    for text, end in told.items():
        assert EDITS.tell(read(state, text), None).endswith(end)
