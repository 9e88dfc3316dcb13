"""STEPS 3 and 11: the AI's hands by its die, and its opening as Defender."""

import pytest

from games.great_war.automaton import open_defence
from games.great_war.components import book
from games.great_war.events import Drew
from games.great_war.judge import GreatWarWhatIf
from games.great_war.model import AI, PLAYER
from games.great_war.setup import OPTIONS
from games.options import settle
from games.record import replace_fields
from tests.games.great_war.front import RULES, Loaded, dealt, field, row, tried

ASKED = GreatWarWhatIf({})

NEUTRAL = ["B-7C", "B-6C", "B-8C", "B-9S", "R-7C", "B-3H", "B-4H"]
NATIONALITY = ["R-QS", "R-KH", "R-5S", "R-QH", "R-10S", "R-AS", "R-AH"]
BONUS = ["B09", "B11", "B13"]


def drawn(role, die, neutral=NEUTRAL):
    return ASKED.bot(
        {
            "kind": "draw",
            "ai_side": "central",
            "ai_role": role,
            "die": die,
            "neutral": neutral,
            "nationality": NATIONALITY,
            "bonus": BONUS,
        }
    )


def sizes(hand):
    decks = [book()[one].play_deck for one in hand]
    return decks.count("neutral"), decks.count("central"), decks.count("bonus")


@pytest.mark.clause(
    "great-war",
    "GW-3.3",
    "GW-3.4",
    "GW-3.5",
    "GW-3.7",
    "GW-3.8",
    "GW-3.10",
    "GW-3.11",
    "GW-3.13",
    "GW-3.17",
    "GW-3.19",
    "GW-1.11",
)
@pytest.mark.parametrize(
    ("die", "placed", "hand"),
    [
        (1, ["R-9D"], (3, 4, 1)),
        (2, ["R-9D", "R-8D"], (2, 4, 1)),
        (3, ["R-9D", "R-8D", "R-5D"], (2, 3, 1)),
        (4, [], (4, 4, 1)),
        (5, [], (4, 3, 2)),
        (6, [], (5, 3, 1)),
    ],
)
def test_the_defenders_hand_by_its_die(die, placed, hand):
    """The hand has nine cards, including the cards that are played at once."""
    answer = drawn("defender", die)
    assert answer["placed"] == placed
    assert sizes(answer["hand"]) == hand
    assert len(placed) + sum(hand) == 9


@pytest.mark.clause("great-war", "GW-11.1", "GW-11.2", "GW-11.3", "GW-11.4", "GW-11.5", "GW-11.6", "GW-11.7")
@pytest.mark.parametrize(
    ("die", "hand"),
    [(1, (3, 4, 2)), (2, (4, 3, 2)), (3, (2, 5, 2)), (4, (3, 5, 1)), (5, (4, 4, 1)), (6, (2, 6, 1))],
)
def test_the_attackers_hand_by_its_die(die, hand):
    answer = drawn("attacker", die)
    assert answer["placed"] == []
    assert sizes(answer["hand"]) == hand


@pytest.mark.clause("great-war", "GW-11.8", "GW7", "GW8")
def test_an_attacker_replaces_works_until_none_is_left():
    """The replacement is Barbed Wire, which is replaced too. Reinforced Trenches and Trip Wire stay."""
    answer = drawn("attacker", 2, ["B-7D", "B-8D", "B-9D", "B-3D", "R-4D", "R-6C", "R-5H"])
    assert answer["discarded"] == ["B-7D", "B-9D", "R-4D"]
    assert {"B-8D", "B-3D", "R-6C", "R-5H"} <= set(answer["hand"])


@pytest.mark.clause("great-war", "GW-3.21", "GW8")
def test_a_defender_of_four_and_more_replaces_fortifications_alone():
    for die in (4, 5, 6):
        assert drawn("defender", die, ["B-9D", *NEUTRAL])["discarded"] == ["B-9D"]
    assert drawn("defender", 4, ["B-7D", *NEUTRAL])["discarded"] == []


@pytest.mark.clause("great-war", "GW9")
def test_a_defender_of_one_to_three_keeps_them():
    answer = drawn("defender", 1, ["B-9D", *NEUTRAL])
    assert "B-9D" in answer["hand"]
    assert answer["discarded"] == []


@pytest.mark.clause("great-war", "GW-3.2", "GW-10.4", "GW-1.11")
def test_which_table_is_thrown_for_depends_on_who_attacks():
    """In Turn 1 the player attacks. A roll of 3 puts the set-aside cards on the table."""
    state = dealt(dice=Loaded({"hand/1": 3}))
    assert [one.card for one in state.armies[AI].row if one.how == "placed"] == ["R-9D", "R-8D", "R-5D"]
    assert state.aside == ()
    assert state.die == 3
    assert len(dealt(dice=Loaded({"hand/1": 4})).aside) == 3


def opened(hand, die, row=(), chains="yes"):
    answer = ASKED.bot(
        {
            "options": {"chains": chains} if chains else {},
            "kind": "opening",
            "ai_side": "central",
            "ai_role": "defender",
            "die": die,
            "ai_hand": hand,
            "ai_play": list(row),
        }
    )
    return [(one["card"], one["how"]) for one in answer["lays"]]


@pytest.mark.clause("great-war", "GW-3.6", "GW10")
def test_on_a_one_all_that_links_to_fortifications_is_added():
    laid = opened(["B-7D", "R-3D", "B-8C", "R-QS"], 1, ["R-9D"])
    assert laid == [("B-7D", "plus"), ("R-3D", "plus")]


@pytest.mark.clause("great-war", "GW-3.9", "GW10")
def test_on_a_two_all_that_links_to_either_is_added():
    """This includes chains: the machine-gun links to the trenches, the flamethrowers to the machine-gun."""
    laid = opened(["B-8C", "R-7H", "R-AS"], 2, ["R-9D", "R-8D"])
    assert laid == [("B-8C", "plus"), ("R-7H", "plus")]


@pytest.mark.clause("great-war", "GW-3.6", "GW-3.9", "GW10")
@pytest.mark.parametrize(("chains", "laid"), [(False, ["B-8C"]), (True, ["B-8C", "R-7H"])])
def test_an_opening_adds_what_links_to_its_own_cards_and_chains_if_they_are_wanted(chains, laid):
    """The machine-gun links to the trenches, and the flamethrowers only to the machine-gun."""
    state = field(ai=[], ai_hand="B-8C, R-7H, R-AS", attacks=True)
    army = replace_fields(state.armies[AI], row=row("R-9D, R-8D", how="placed"))
    table = tried(replace_fields(state, options={**state.options, "chains": chains}).with_army(AI, army))
    open_defence(table, AI, 2)
    assert [one.card for one in table.army(AI).row if one.how == "plus"] == laid


def test_a_new_game_goes_by_the_sheet_and_one_begun_before_as_it_began():
    assert settle(OPTIONS, {})["chains"] is False
    assert opened(["B-8C", "R-7H"], 2, ["R-9D", "R-8D"], chains="") == [("B-8C", "plus")]
    state = field(ai=[], ai_hand="B-8C, R-7H, R-AS", attacks=True)
    before = {name: value for name, value in state.options.items() if name != "chains"}
    army = replace_fields(state.armies[AI], row=row("R-9D, R-8D", how="placed"))
    table = tried(replace_fields(state, options=before).with_army(AI, army))
    open_defence(table, AI, 2)
    assert [one.card for one in table.army(AI).row if one.how == "plus"] == ["B-8C", "R-7H"]


@pytest.mark.parametrize(("chains", "laid"), [("no", ["B-8C"]), ("yes", ["B-8C", "R-7H"]), ("", ["B-8C"])])
def test_a_question_to_the_bot_may_have_options(chains, laid):
    """Without them it goes by the sheet, as a new game does."""
    assert [card for card, _ in opened(["B-8C", "R-7H", "R-AS"], 2, ["R-9D", "R-8D"], chains)] == laid


@pytest.mark.clause("great-war", "GW-3.12")
def test_on_a_three_all_that_links_to_any_of_the_three_is_added():
    laid = opened(["B-5C", "B-6D", "R-QS"], 3, ["R-9D", "R-8D", "R-5D"])
    assert laid == [("B-6D", "plus"), ("B-5C", "plus")]


@pytest.mark.clause("great-war", "GW-3.14", "GW-3.15", "GW-3.18", "GW-3.20", "GW11")
@pytest.mark.parametrize("die", [4, 5, 6])
def test_from_four_the_three_kinds_are_laid_and_then_what_links(die):
    """It is the highest copy of each kind, without links between them. A second wire needs a link."""
    laid = opened(["B-4D", "B-5D", "B-3D", "R-QS", "R-KS"], die)
    assert laid == [("B-5D", "opening"), ("B-3D", "opening")]
    laid = opened(["B-8D", "B-4D", "B-5D", "R-QS"], die)
    assert laid == [("B-8D", "opening"), ("B-5D", "opening"), ("B-4D", "plus")]


@pytest.mark.clause("great-war", "GW-3.16", "GW-3.18", "GW-3.20", "GW12")
@pytest.mark.parametrize("die", [4, 5, 6])
def test_without_the_three_kinds_the_base_that_brings_most_is_laid(die):
    """Leaders, Jokers and Bonus cards can't be the base."""
    laid = opened(["R-QS", "B-8C", "R-AS", "R-JS", "B-JK1", "B09"], die)
    assert laid == [("R-QS", "base"), ("B-8C", "plus")]


@pytest.mark.clause("great-war", "GW-3.1", "GW-10.3")
def test_both_hands_are_told_by_their_sizes_alone():
    outcome = RULES.setup({"side": "allies", "turns": "5", "split": "4/4/1"}, Loaded({"hand/1": 5}))
    player, enemy = [event for event in outcome.events if isinstance(event, Drew)]
    assert (player.seat, player.neutral, player.nationality, player.bonus) == (PLAYER, 4, 4, 1)
    assert (enemy.seat, enemy.die, enemy.neutral, enemy.nationality, enemy.bonus) == (AI, 5, 4, 3, 2)
