"""The conditions of IF, checked at the turn of their order."""

import pytest

from games.protocol import Condition
from games.war_chest.model import GOLD, PLAYER, SILVER
from tests.games.war_chest.table import RULES, answer, duel, play, solo

STATE = duel(gold="Scout d4", silver="Knight e4", hand="Scout", control="silver e4")


def asked(state, form: str, viewer=GOLD, **slots: str) -> bool:
    return RULES.holds(RULES.view(state, viewer), viewer, Condition(form=form, slots=slots))


@pytest.mark.parametrize(
    ("form", "slots", "expected"),
    [
        ("unit-at", {"unit": "scout", "hex": "d4"}, True),
        ("unit-at", {"unit": "scout", "hex": "d5"}, False),
        ("unit-alive", {"unit": "knight"}, True),
        ("unit-gone", {"unit": "knight"}, False),
        ("unit-gone", {"unit": "archer"}, True),
        ("hex-empty", {"hex": "d5"}, True),
        ("hex-empty", {"hex": "d4"}, False),
        ("hex-held", {"hex": "e4"}, True),
        ("controls", {"seat": "silver", "hex": "e4"}, True),
        ("controls", {"seat": "gold", "hex": "e4"}, False),
        ("mine", {"hex": "e1"}, True),
        ("mine", {"hex": "e4"}, False),
        ("coin", {"coin": "scout"}, True),
        ("coin", {"coin": "royal"}, False),
        ("attacked", {}, False),
    ],
)
def test_what_holds(form, slots, expected):
    assert asked(STATE, form, **slots) is expected


@pytest.mark.parametrize(("viewer", "expected"), [(GOLD, True), (SILVER, False)])
def test_the_opponent_is_the_other_side_whoever_asks(viewer, expected):
    assert asked(STATE, "controls", viewer, seat="opponent", hex="e4") is expected


def test_the_automaton_is_an_opponent():
    state = solo(player="Scout d4", ai="Knight e4", hand="Scout", control="ai e4")
    assert asked(state, "controls", PLAYER, seat="opponent", hex="e4")


def test_attacked_looks_back_to_the_last_coin_of_the_seat():
    state = solo(player="Scout d3 x2, Archer a1", ai="Knight d4", hand="Scout, Royal Coin", reveal="Knight")
    state = answer(state).state
    assert asked(state, "attacked", PLAYER)
    assert asked(state, "unit-attacked", PLAYER, unit="scout")
    assert not asked(state, "unit-attacked", PLAYER, unit="archer")
    after = play(state, "pass with Royal Coin").state
    assert not asked(after, "attacked", PLAYER)


def test_who_attacks_was_not_attacked():
    after = play(duel(gold="Scout d4", silver="Ensign d5 x2", hand="Scout, Scout"), "Scout attacks d5").state
    assert asked(after, "attacked", SILVER)
    assert not asked(after, "attacked", GOLD)


def test_a_form_of_another_game_is_refused():
    with pytest.raises(KeyError):
        asked(STATE, "on-top", pebble="flint")
