"""Limits that the orders of a Combat Round share: its base, and each card of the hand."""

from games.great_war.model import PLAYER
from tests.games.great_war.front import RULES, field, order


def exceeded(*texts: str) -> list[str]:
    """The ids of the limits that orders of a Round exceed."""
    table = field(hand="B-QS, B-KS, B-10H, B-JK1", ai="R-8C, R-KH")
    found = RULES.order_limits(table, PLAYER, [order(table, text) for text in texts])
    used = [use.limit for some in found.uses for use in some]
    return [limit.id for limit in found.limits if used.count(limit.id) > limit.most]


def test_a_joker_that_cancels_is_the_base():
    assert exceeded("CANCEL R-KH WITH B-JK1", "ATTACK 1ST: + B-10H") == []
    assert exceeded("CANCEL R-KH WITH B-JK1", "ATTACK 1ST: B-QS") == ["base 1"]


def test_a_card_is_played_once():
    assert exceeded("ATTACK 1ST: B-QS + B-KS") == []
    assert exceeded("CANCEL R-KH WITH B-JK1", "ATTACK 1ST: + B-JK1 AS WILD") == ["card B-JK1"]
