"""Orders that wait behind others of the same email: orders that are certain to fail are rejected at once."""

import pytest

from games.war_chest.model import GOLD
from tests.games.war_chest.table import RULES, duel, order, with_coins


def foreseen(state, *texts: str) -> str:
    """Return the code of the objection to the last order, behind the others; "" for none."""
    *before, last = map(order, texts)
    found = RULES.foresee(RULES.view(state, GOLD), GOLD, last, before)
    return found.code if found else ""


@pytest.mark.clause("war-chest", "V.ahead")
@pytest.mark.parametrize(
    ("orders", "code"),
    [
        (("Scout - d5", "Scout - d6"), ""),
        (("Scout - d5", "Scout - d3"), "too-far"),
        (("Scout - d5", "Scout - d6", "Scout - d7"), "no-coin"),
        (("deploy Archer e1", "bolster Archer"), ""),
        (("deploy Archer e1", "Archer - d1"), ""),
        (("Scout - d5", "bolster Archer"), "not-on-board"),
        (("pass with Scout", "pass with Scout"), ""),
        (("pass with Scout", "pass with Scout", "pass with Scout"), "no-coin"),
        (("Scout - d5", "Scout attacks Knight"), ""),
        (("Scout - d5", "Scout attacks d6"), ""),
        (("Scout - d5", "Scout attacks a1"), ""),
        (("Scout - d3", "Scout attacks e5"), "too-far"),
        (("Scout - d3", "Scout - e3"), ""),
        (("deploy Archer e1", "deploy Archer e1"), ""),
        (("recruit Archer with Scout", "recruit Archer with Scout"), "supply-empty"),
        (("Scout controls", "Scout - e4"), ""),
        (("pass with Archer", "pass with Archer", "pass with Scout"), ""),
    ],
)
def test_what_is_foreseen(orders, code):
    state = duel(gold="Scout d4", silver="Knight e5, Ensign e3", hand="Scout, Scout, Archer, Archer")
    state = with_coins(state, GOLD, supply={"archer": 1, "scout": 0})
    assert foreseen(state, *orders) == code


@pytest.mark.clause("war-chest", "V.ahead")
def test_a_berserkers_coins_and_a_claim_are_foreseen():
    state = duel(gold="Berserker d4 x2", silver="Scout d6", hand="Berserker, Berserker, Royal Coin")
    assert foreseen(state, "Berserker - d5, then attacks d6", "Berserker controls") == "no-location"
    assert foreseen(state, "pass with Berserker", "pass with Berserker", "pass") == ""
    assert foreseen(state, "pass", "pass with Royal Coin") == "no-coin"
    assert foreseen(state, "Berserker - e4", "Berserker controls") == ""
    # After it has paid for its second step, it is on d5 with one coin.
    assert foreseen(state, "Berserker - e4, then - d5", "Berserker - c3") == "too-far"


@pytest.mark.clause("war-chest", "V.ahead")
def test_which_coin_comes_next_nobody_knows():
    state = duel(gold="Scout d4", hand="Scout")
    assert foreseen(state, "Scout - d5", "pass") == "hand-empty"
