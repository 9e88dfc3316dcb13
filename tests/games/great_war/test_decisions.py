"""A report of The Great War lists the decisions that the rules accept, and only to the player."""

from collections.abc import Iterator

from games.great_war import legality
from games.great_war.components import CardId
from games.great_war.legal_orders import bases, decisions
from games.great_war.model import PLAYER, CardPlay, Lay, View
from games.great_war.rules import GreatWarRules
from tests.kit.campaign import campaign

RULES = GreatWarRules()


def rounds() -> Iterator[View]:
    """Return the views of the player in all Combat Rounds of a campaign."""
    for state in campaign("great-war").states:
        if state.stage in ("round 1", "round 2"):
            yield RULES.view(state, PLAYER)


def laid(view: View, one: CardId) -> Lay:
    """Return the order for the Combat Round with only that card as its base."""
    return Lay(role=view.role(PLAYER), number=2 if view.round == 2 else 1, base=CardPlay(card=one))


def test_what_may_be_the_base_now_is_what_the_rules_take() -> None:
    """For every card of every hand, the listed cards are legal bases and the others aren't."""
    refused = 0
    for view in rounds():
        named = bases(view)
        for one in dict.fromkeys(view.armies[PLAYER].hand):
            order = laid(view, one)
            taken = legality.objection(view, order) is None and not legality.find_left_out(view, [order])
            assert taken == (one in named), (view.turn, view.stage, one)
            refused += not taken
    assert refused > 3


def test_each_base_is_told_with_its_battle_points_and_what_it_takes_out() -> None:
    for view in rounds():
        told = dict(decisions(view))
        assert f"You {view.role(PLAYER)}" in told
        assert all(f"{one} (" in told["Base now (BP)"] for one in bases(view))


def test_nobody_else_is_told_what_there_is_to_decide() -> None:
    """This holds while there is a hand to decide about."""
    for state in (one for one in campaign("great-war").states if one.armies[PLAYER].hand):
        assert list(decisions(RULES.view(state, None))) == []
