"""The greedy bot of The Great War plays a leader for a better swing, and no Bonus card without a gain."""

from games.great_war import GAMES
from games.great_war.model import PLAYER
from tests.games.great_war.front import NOTATION, RULES, field
from tests.kit.dice import any_dice

GREEDY = GAMES[0].bots["greedy"]


def written(state):
    """Return the bot's orders in canonical text."""
    view = RULES.view(state, PLAYER)
    (due,) = RULES.due(state)
    return [NOTATION.write(choice.order) for choice in GREEDY.orders(view, due, any_dice())]


def test_he_lays_a_leader_in_either_round_where_he_promises_more():
    assert written(field(hand="B-JH, B-QS, B-KS")) == ["ATTACK 1ST: B-JH LEADS B-KS, B-QS"]
    assert written(field(hand="B-JS, B-AS", ai="R-AS", number=2)) == ["ATTACK 2ND: B-JS LEADS B-AS"]


def test_he_lays_what_swings_more_than_a_leader_whom_nobody_can_follow():
    assert written(field(hand="B-JS, B-4S, B-3S", number=2)) == ["ATTACK 2ND: B-JS"]


def test_he_lays_the_bonus_card_of_the_best_swing_and_none_that_gains_nothing():
    assert written(field(stage="bonus", number=2, hand="B11, B08", ai="R-KH", me="B-QS")) == ["BONUS: B08"]
    assert written(field(stage="bonus", number=2, hand="B11, B08", me="B-QS")) == ["BONUS: B11"]
    assert written(field(stage="bonus", number=2, hand="W02")) == []
