"""The bot of the U.S.: it computes the odds of fights, and plays for the rows of the schedule."""

import pytest

from games.dice import LabelledDice
from games.plains_indian_wars.bots import UsBot, die_faces, engagement_odds
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.model import Move, Place, PlayAction
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.rules import PlainsRules
from tests.kit.dice import any_dice
from tests.kit.plains import carried_out, left_out, state, table

FACES = die_faces(materials())

RULES = PlainsRules()


def thought(now):
    """Return the bot's orders by type, with their reasons."""
    (due,) = RULES.due(now)
    return UsBot().orders(now, due, LabelledDice(any_dice(), "bot/US/"))


def moved(now):
    return {(one.order.start, one.order.to): one for one in thought(now) if isinstance(one.order, Move)}


def test_the_odds_of_small_fights_are_those_of_the_faces():
    """Both hit with two faces of six. Brown has one treaty, Green two; between equals the tribes leave."""
    lone = engagement_odds(FACES, 0, 1, 1, False)
    assert lone.held == pytest.approx(2 / 5)
    assert lone.gone == pytest.approx(3 / 5)
    assert (lone.ours, lone.theirs) == pytest.approx((2 / 5, 2 / 5))
    peace = engagement_odds(FACES, 0, 1, 1, True)
    assert peace.held == pytest.approx((2 + 8) / (36 - 14))
    assert peace.gone == pytest.approx(12 / (36 - 14))


def test_two_colours_fight_better_than_as_many_cubes_of_one():
    assert engagement_odds(FACES, 2, 2, 4, True).held > engagement_odds(FACES, 4, 0, 4, True).held + 0.05


def test_a_mixed_group_breaks_up_those_who_gather():
    now = state("N5: 4 Blue 4 Brown; N4: 4 Green", turn=9)
    attack = moved(now)["N5", "N4"]
    assert set(attack.order.cubes) == {"Blue", "Brown"}
    assert attack.reason == "breaks up those who gather there"


def test_purple_keeps_the_tribes_from_canada():
    now = state("NE3: 3 Purple; NE5: 1 Purple; NE6: 2 Green", "Purple", turn=9)
    assert any(to == "NE6" for _, to in moved(now))


def test_what_he_orders_can_be_carried_out_and_uses_his_card_well():
    now = state("STL: 4 Blue 2 Brown; N5: 2 Brown; N4: 3 Green; S4: 2 Orange; N3: 1 White", turn=5)
    plan = [one.order for one in thought(now)]
    (card,) = [one for one in plan if isinstance(one, PlayAction)]
    (cubes,) = [one for one in plan if isinstance(one, Place)]
    assert cubes.count == 4
    play = table("STL: 4 Blue 2 Brown; N5: 2 Brown; N4: 3 Green; S4: 2 Orange; N3: 1 White", turn=5)
    carried_out(play, *(PlainsNotation().write(one) for one in plan))
    assert left_out(play) == []
    assert card.card in play.now.played["Cavalry"]
