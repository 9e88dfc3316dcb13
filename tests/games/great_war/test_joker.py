"""All descriptions of a Joker use the same words, and the Joker does what they say."""

import pytest

from adjudicator.reports.messages import help_text, rules_text
from games.great_war import legality
from games.great_war.components import book
from games.great_war.events import CardLaid
from games.great_war.legal_orders import legal_orders
from games.great_war.model import PLAYER
from games.great_war.phrases import advice
from games.great_war.report_text import tables
from tests.games.great_war.front import GAME, RULES, field, order, play

JOKERS = ("B-JK1", "B-JK2", "R-JK1", "R-JK2")
SAID = "cancels any card or can be added AS WILD to any of your cards for 8"


def in_hand(stage):
    """Return a position with a Joker in hand, an enemy card to cancel, and a card to add the Joker to."""
    return field(hand="B-JK1, B-4S", me="B-QS", ai="R-KH", stage=stage)


@pytest.mark.parametrize("joker", JOKERS)
def test_every_hand_describes_it_alike(joker):
    view = RULES.view(field(hand=joker), PLAYER)
    (row,) = next(table.rows for table in tables(view) if table.title == "Your hand")
    assert row[-1] == SAID


@pytest.mark.parametrize("told", [help_text("orders", GAME), help_text("jokers", GAME), rules_text(GAME)])
def test_help_and_rules_describe_it_as_the_hand_does(told):
    assert f"A Joker {SAID}, in a Round or in the Bonus phase." in " ".join(told.split())
    assert " ".join(told.split()).count("A Joker ") == 1


def test_moves_names_both_ways_in_the_same_words():
    view = RULES.view(in_hand("round 1"), PLAYER)
    words = [one.words for one in legal_orders(view) if "B-JK1" in GAME.notation.write(one.order)]
    assert "added AS WILD to one of your cards for 8" in words
    assert "the base of the Round: cancels R-KH" in words


@pytest.mark.parametrize(
    ("text", "stage", "gone", "total"),
    [
        ("CANCEL R-KH WITH B-JK1", "round 1", True, 0),
        ("ATTACK 1ST: + B-JK1 AS WILD", "round 1", False, 8),
        ("BONUS: B-JK1 > R-KH", "bonus", True, 0),
        ("BONUS: B-JK1 AS WILD", "bonus", False, 8),
    ],
)
def test_it_does_what_is_said_of_it(text, stage, gone, total):
    """A card that it cancels is face-down. AS WILD it is worth eight points."""
    done = play(in_hand(stage), text)
    (laid,) = [one for one in done.of(CardLaid) if one.card == "B-JK1"]
    assert laid.bp == total
    assert ([one.card for one in laid.done] == ["R-KH"]) == gone


def test_it_waits_for_a_leader():
    assert play(in_hand("round 1"), "CANCEL LEADER WITH B-JK1", "PASS 1ST").codes() == []


def test_as_wild_it_cannot_come_first():
    state = field(hand="B-JK1", me="B-QS")
    found = legality.objection(RULES.view(state, PLAYER), order(state, "ATTACK 1ST: B-JK1 AS WILD"))
    assert found is not None
    assert advice(found, book()).problem == "a Joker AS WILD is added to another card, so it can't come first"
