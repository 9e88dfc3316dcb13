"""The greedy bot that plays a seat without a player: its priorities and its targets."""

import pytest

from games.war_chest import GAMES
from games.war_chest.model import PLAYER
from tests.games.war_chest.table import RULES, dice, order, solo

HOUSE = GAMES[0].bots["house"]


def chosen(hand: str, **position: str):
    """Return the bot's order and its reason."""
    view = RULES.view(solo(hand=hand, **position), PLAYER)
    (due,) = RULES.due(view)
    (choice,) = HOUSE.orders(view, due, dice())
    return choice.order, choice.reason


@pytest.mark.parametrize(
    ("hand", "position", "text"),
    [
        pytest.param("Archer, Scout", {"player": "Archer e4"}, "Archer controls", id="take"),
        pytest.param(
            "Scout, Knight", {"player": "Knight d3", "ai": "Pikeman d4"}, "Knight attacks d4", id="hit"
        ),
        pytest.param("Archer, Lancer", {"player": "Archer d3"}, "deploy Lancer e1", id="deploy"),
        pytest.param("Archer, Royal Coin", {"player": "Archer d3"}, "Archer - c3", id="go on"),
    ],
)
def test_he_takes_then_hits_then_deploys_then_goes_on(hand, position, text):
    """With any of its coins, even if an earlier coin allows another action."""
    found, _ = chosen(hand, **position)
    assert found == order(text)


def test_he_hits_the_weakest_in_reach():
    found, why = chosen("Knight", player="Knight d3 x2", ai="Scout c3 x3, Pikeman d4 x2, Archer e3")
    assert (found, why) == (order("Knight attacks e3"), "the weakest enemy in reach")


def test_his_archer_hits_over_two_hexes_and_no_neighbour():
    found, _ = chosen("Archer", player="Archer d3", ai="Scout d4, Pikeman d5")
    assert found == order("Archer attacks d5")


def test_he_takes_the_last_marker_and_says_so():
    _, why = chosen("Archer", player="Archer e4", control="player b4, player c3, player f2")
    assert why == "the sixth marker"
