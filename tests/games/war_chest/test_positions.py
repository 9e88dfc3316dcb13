"""Eighteen positions without ties, each with the automaton's decision: the answers of `gm bot`."""

from typing import Any

import pytest

from games.protocol import Invalid
from games.war_chest.board import AXIAL
from games.war_chest.judge import WarChestWhatIf
from games.war_chest.model import AUTOMATON, PLAYER
from tests.games.war_chest.table import NAMES, coins, counts

ASKED = WarChestWhatIf({})


def position(
    ai: str = "", human: str = "", control: str = "", reveal: str = "Scout", **more: Any
) -> dict[str, Any]:
    """Return a position in JSON from the notation of these tests."""
    rows = [("ai", row) for row in ai.split(", ") if row] + [
        ("human", row) for row in human.split(", ") if row
    ]
    units = []
    for side, row in rows:
        name, _, height = row.partition(" x")
        card, at = name.rsplit(" ", 1)
        q, r = AXIAL[at]
        units.append({"side": side, "unit": NAMES[card], "q": q, "r": r, "coins": int(height or 1)})
    owned = []
    for row in filter(None, control.split(", ")):
        side, at = row.split()
        owned.append({"q": AXIAL[at][0], "r": AXIAL[at][1], "side": side})
    return {"units": units, "extra_control": owned, "revealed": NAMES[reveal], **more}


POSITIONS = {
    "two steps from any location, nearer to an enemy's": (
        {"control": "ai e4", "reveal": "Swordsman"},
        {"action": "deploy", "to": [1, -1]},
    ),
    "one location is free": (
        {"ai": "Cavalry f5", "reveal": "Swordsman"},
        {"action": "deploy", "to": [-1, -2]},
    ),
    "a Scout beside a friend, on a location": (
        {"ai": "Cavalry d4"},
        {"action": "deploy", "to": [-1, 1]},
    ),
    "a step that leaves another location near": (
        {"ai": "Swordsman c6", "reveal": "Swordsman"},
        {"action": "move", "to": [-1, -1]},
    ),
    "from the other start": (
        {"ai": "Swordsman f5", "reveal": "Swordsman"},
        {"action": "move", "to": [2, -2]},
    ),
    "a ride of two steps": (
        {"ai": "Light Cavalry c6", "reveal": "Light Cavalry"},
        {"action": "move", "to": [-2, 0], "path": [[-1, -1], [-2, 0]]},
    ),
    "a move and an attack": (
        {"ai": "Cavalry c5", "human": "Archer b3", "reveal": "Cavalry"},
        {"action": "move+attack", "to": [-2, 0], "attack": [-2, 1], "target_destroyed": True},
    ),
    "a shot over an empty hex": (
        {"ai": "Crossbowman d5", "human": "Archer d3", "reveal": "Crossbowman"},
        {"action": "attack", "attack": [0, 1], "target_destroyed": True},
    ),
    "the nearer of two targets": (
        {"ai": "Crossbowman d5", "human": "Archer d3 x2, Lancer e4 x2", "reveal": "Crossbowman"},
        {"action": "attack", "attack": [1, -1], "target_destroyed": False},
    ),
    "a line that is barred": (
        {"ai": "Crossbowman d5, Cavalry d4", "human": "Archer d3", "reveal": "Crossbowman"},
        {"action": "move", "to": [1, -1]},
    ),
    "a Knight before a single coin": (
        {"ai": "Cavalry d4", "human": "Knight d3", "reveal": "Cavalry"},
        {"action": "bolster", "at": [0, 0], "coins_after": 2, "revealed_coin_goes_to": "board"},
    ),
    "a Knight before two coins": (
        {"ai": "Cavalry d4 x2", "human": "Knight d3", "reveal": "Cavalry"},
        {"action": "attack", "attack": [0, 1], "target_destroyed": True},
    ),
    "an enemy on an own location": (
        {"ai": "Cavalry d5", "human": "Archer e4 x2, Lancer d4 x2", "control": "ai e4", "reveal": "Cavalry"},
        {"action": "attack", "attack": [1, -1]},
    ),
    "a single coin against pikes": (
        {"ai": "Swordsman d4", "human": "Pikeman d3", "reveal": "Swordsman"},
        {"action": "attack", "attack": [0, 1], "target_destroyed": True, "attacker_destroyed": True},
    ),
    "a Swordsman on a location that it wants": (
        {"ai": "Swordsman e4", "human": "Archer e3", "reveal": "Swordsman"},
        {"action": "attack", "attack": [1, 0], "stays_at": [1, -1]},
    ),
    "the sixth marker before an attack": (
        {
            "ai": "Swordsman e4",
            "human": "Archer e3",
            "control": "ai b4, ai a2, ai g3",
            "reveal": "Swordsman",
        },
        {"action": "control", "at": [1, -1], "winner": "ai"},
    ),
    "nobody to attack": (
        {"ai": "Swordsman e4", "reveal": "Swordsman"},
        {"action": "control", "at": [1, -1]},
    ),
    "supply, then losses, then the last maneuver": (
        {
            "reveal": "Royal Coin",
            "ai_supply": counts("Swordsman 3, Crossbowman 3, Cavalry 2, Light Cavalry 3"),
            "ai_removed": counts("Swordsman 0, Crossbowman 1, Cavalry 2, Light Cavalry 1"),
            "ai_last_maneuver_turn": counts("Swordsman 3, Crossbowman 4, Cavalry 1, Light Cavalry 7"),
        },
        {"action": "recruit", "unit": "light_cavalry"},
    ),
}
"""The positions by subject, each with the required part of the answer."""


@pytest.mark.clause(
    "war-chest", "7.3.2", "7.3.4a", "7.3.4b", "7.3.5", "7.3.6", "7.5", "7.6", "7.7.1", "7.7.2"
)
@pytest.mark.parametrize("about", POSITIONS)
def test_the_position(about):
    given, expected = POSITIONS[about]
    answer = ASKED.bot(position(**given))
    assert {key: answer.get(key) for key in expected} == expected
    assert answer["reason"].endswith(".")
    assert answer["decisions"][-1]["choices"] == answer["choices"]
    assert len(answer["choices"]) == 1, "free of lots"


@pytest.mark.parametrize("about", POSITIONS)
def test_what_is_not_so_is_not_said(about):
    given, expected = POSITIONS[about]
    answer = ASKED.bot(position(**given))
    mattering = {"to", "at", "attack", "stays_at", "winner", "coins_after", "unit", "units"}
    assert mattering & set(answer) == mattering & set(expected)


def test_each_list_of_priorities_is_a_decision():
    answer = ASKED.bot(position(ai="Light Cavalry c6", reveal="Light Cavalry"))
    assert [(one["clause"], one["criterion"]) for one in answer["decisions"]] == [
        ("7.7.1", "7.7.1.1"),
        ("7.7.2", "7.7.2.2"),
        ("7.7.2", "7.7.2"),
    ]
    assert answer["criterion"] == "7.7.2"
    assert answer["choices"] == [[-2, 0]]


@pytest.mark.clause("war-chest", "7.4.tie")
def test_a_tie_shows_all_that_is_left_and_takes_the_first():
    answer = ASKED.bot(position(reveal="Swordsman"))
    assert answer["criterion"] == "7.5.4"
    assert answer["choices"] == [[2, -3], [-1, -2]]
    assert answer["to"] == [2, -3]


def test_a_swordsman_goes_on_in_the_same_answer():
    answer = ASKED.bot(position(ai="Swordsman d4", human="Archer d3", reveal="Swordsman"))
    assert answer["action"] == "attack+move"
    assert "stays_at" not in answer
    assert [one["clause"] for one in answer["decisions"]] == ["7.6", "7.7.1", "7.7.2"]


@pytest.mark.clause("war-chest", "7.8")
def test_a_cavalry_that_meets_a_knight_bolsters():
    answer = ASKED.bot(position(ai="Cavalry c5", human="Knight b3", reveal="Cavalry"))
    assert answer["action"] == "move+bolster"
    assert (answer["to"], answer["at"], answer["coins_after"]) == ([-2, 0], [-2, 0], 2)


def test_nothing_to_recruit_is_a_pass():
    answer = ASKED.bot(position(reveal="Royal Coin"))
    assert (answer["action"], answer["criterion"], answer["choices"]) == ("pass", "", [])
    assert answer["reason"]


@pytest.mark.clause("war-chest", "7.3.mass")
def test_recruits_en_masse_are_listed():
    answer = ASKED.bot(
        position(
            ai="Scout d4, Knight d6",
            reveal="Royal Coin",
            ai_supply=counts("Scout 2, Knight 1"),
            options={"royal_mode": "mass_recruit"},
        )
    )
    assert (answer["action"], answer["units"]) == ("recruit", ["scout", "knight"])
    assert [one["criterion"] for one in answer["decisions"]] == ["7.9.1", "7.9.3"]
    assert answer["choices"] == ["knight", "scout"]


@pytest.mark.clause("war-chest", "7.3.all", "7.3.order")
def test_all_maneuvers_are_listed_in_the_order_of_the_cards():
    answer = ASKED.bot(
        position(
            ai="Scout e4, Knight d7, Pikeman c7" if "c7" in AXIAL else "Scout e4, Knight d7",
            human="Archer d6, Lancer c6, Ensign e6",
            reveal="Royal Coin",
            ai_supply=counts("Knight 0, Scout 1"),
            options={"royal_mode": "maneuver_all"},
        )
    )
    assert answer["action"] == "maneuver_all"
    assert [(one["unit"], one["action"]) for one in answer["maneuvers"]] == [
        ("knight", "attack"),
        ("scout", "control"),
    ]


def test_a_unit_with_nothing_to_do_is_none_among_the_maneuvers():
    answer = ASKED.bot(
        position(
            ai="Scout d7, Knight d6, Cavalry c6, Pikeman e6",
            reveal="Royal Coin",
            ai_supply=counts("Scout 1"),
            options={"royal_mode": "maneuver_all"},
        )
    )
    assert answer["maneuvers"][0]["unit"] == "scout"
    assert answer["maneuvers"][0]["action"] == "none"
    assert len(answer["maneuvers"]) == 4


@pytest.mark.clause("war-chest", "7.3.all")
def test_a_sixth_marker_ends_the_maneuvers():
    answer = ASKED.bot(
        position(
            ai="Scout e4, Knight d6",
            control="ai b4, ai a2, ai g3",
            reveal="Royal Coin",
            ai_supply=counts("Scout 0, Knight 0"),
            options={"royal_mode": "maneuver_all"},
        )
    )
    assert [one["unit"] for one in answer["maneuvers"]] == ["scout"]
    assert answer["maneuvers"][0]["winner"] == "ai"


@pytest.mark.clause("war-chest", "6.royal_guard")
def test_a_royal_guard_loses_what_the_options_say():
    asked = {"ai": "Scout d2", "human": "Royal Guard e1", "reveal": "Scout"}
    assert ASKED.bot(position(**asked))["target_destroyed"] is True
    kept = ASKED.bot(position(**asked, options={"royal_guard": "supply"}))
    assert kept["target_destroyed"] is False


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ([], ""),
        ({}, "revealed"),
        ({"revealed": "dragon"}, "revealed"),
        ({"revealed": "scout", "colour": 1}, "colour"),
        ({"revealed": "scout", "units": [{"side": "me"}]}, "units[0].side"),
        ({"revealed": "scout", "units": [{"side": "ai", "unit": "elf"}]}, "units[0].unit"),
        ({"revealed": "scout", "units": [{"side": "ai", "unit": "scout", "q": 3, "r": 3}]}, "units[0]"),
        ({"revealed": "scout", "units": [{"side": "ai", "unit": "scout", "q": "a"}]}, "units[0].q"),
        ({"revealed": "scout", "extra_control": [{"side": "ai", "q": 0, "r": 0}]}, "extra_control[0]"),
        ({"revealed": "scout", "ai_supply": {"elf": 1}}, "ai_supply.elf"),
        ({"revealed": "scout", "options": {"royal_mode": "dance"}}, "options.royal_mode"),
        ({"revealed": "scout", "options": {"royal_guard": "ask"}}, "options.royal_guard"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(question, path):
    with pytest.raises(Invalid) as fault:
        ASKED.bot(question)
    assert fault.value.what == path


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"ai": "Scout d4", "human": "Archer d4"}, "units[1]"),
        ({"ai": "Scout d4, Scout d5"}, "units[1]"),
        ({"control": "ai b4, ai e4, ai c3, ai g3"}, "extra_control"),
        ({"control": "human b4, human e4, human c3, human g3"}, "extra_control"),
    ],
)
def test_positions_that_cannot_be_are_refused(wrong, path):
    with pytest.raises(Invalid) as fault:
        ASKED.bot(position(**wrong))
    assert fault.value.what == path


def test_a_position_may_have_a_hand_to_read_letters_by():
    asked = position(ai="Scout d4", human="Archer d3")
    assert ASKED.position(asked).mover == AUTOMATON
    state = ASKED.position({**asked, "hand": ["archer", "royal"]})
    assert (state.mover, state.sides[PLAYER].hand) == (PLAYER, coins("Archer, Royal Coin"))
