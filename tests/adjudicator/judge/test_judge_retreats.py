"""The retreats in a question are checked against its board: exactly those that it allows are accepted."""

import json
import random
from typing import Any

import pytest

from adjudicator.judge import answer_question, find_judge
from games.diplomacy.boards import variants

STANDARD, INDIANOMACY = find_judge("standard"), find_judge("indianomacy")
AT = "dislodged.Germany[0].retreats"


def ask_judge(judge: Any = STANDARD, **question: Any) -> tuple[dict[str, Any], bool]:
    """The answer to a question, and whether it was one."""
    return answer_question(judge, json.dumps({"phase": "S1901R", **question}).encode())


def munich(*retreats: str, **more: Any) -> tuple[dict[str, Any], bool]:
    """An army of Germany, driven out of Munich from Tyrolia, that may retreat to these places."""
    beaten = [{"unit": "A Mun", "by_from": "TYR", "retreats": list(retreats)}]
    units = {"Austria": ["A Mun"], "France": ["A Bur"]}
    return ask_judge(**{"units": units, "dislodged": {"Germany": beaten}, **more})


@pytest.mark.parametrize(
    ("retreats", "path", "why"),
    [
        (["BUR", "RUH"], f"{AT}[0]", "Burgundy"),  # an army of France stands there
        (["RUH", "BUR"], f"{AT}[1]", "Burgundy"),
        (["TYR"], f"{AT}[0]", "Tyrolia"),  # whence the attack came
        (["NTH"], f"{AT}[0]", "North Sea"),  # no land
        (["PAR"], f"{AT}[0]", "Paris"),  # not next door
        (["RUH", "KIE", "MUN"], f"{AT}[2]", "Munich"),  # whence it was driven
        (["BOH", "SIL", "HOL"], f"{AT}[2]", "Holland"),
    ],
)
def test_a_place_that_the_rules_do_not_allow_is_refused_with_its_path(retreats, path, why):
    said, good = munich(*retreats)
    assert not good
    assert said.get("at") == path
    assert why in said["error"]


def test_a_refusal_says_where_the_unit_can_go():
    said, _ = munich("BUR", "RUH")
    assert all(name in said["error"] for name in ("Ruhr", "Kiel", "Berlin", "Bohemia", "Silesia"))
    surrounded = {"Austria": ["A Mun", "A Boh", "A Sil"], "France": ["A Bur", "A Ruh", "A Kie", "A Ber"]}
    said, _ = munich("RUH", units=surrounded)
    assert "nowhere" in said["error"]


def test_a_stand_off_bars_the_way():
    said, good = munich("RUH", contested=["RUH"])
    assert (good, said.get("at")) == (False, f"{AT}[0]")


@pytest.mark.parametrize("retreats", [[], ["RUH"], ["BER", "KIE"], ["BOH", "KIE", "RUH", "SIL", "BER"]])
def test_fewer_places_than_the_rules_allow_are_taken_as_they_are(retreats):
    said, good = munich(*retreats, orders={"Germany": ["A Mun - Ruh"]})
    assert good, said
    assert said["results"][0]["outcome"] == ("retreated" if "RUH" in retreats else "void")


def fleet(*retreats: str, **more: Any) -> tuple[dict[str, Any], bool]:
    """A fleet of France, driven out of the Mid-Atlantic."""
    beaten = [{"unit": "F Mao", "by_from": "IRI", "retreats": list(retreats)}]
    return ask_judge(**{"units": {"England": ["F Mao"]}, "dislodged": {"France": beaten}, **more})


@pytest.mark.parametrize("retreats", [["SPA/NC", "SPA/SC"], ["SPA"], ["SPA", "POR"], ["ENG", "BRE"]])
def test_a_fleet_goes_to_any_coast_that_it_reaches(retreats):
    said, good = fleet(*retreats)
    assert good, said


@pytest.mark.parametrize(
    ("retreats", "number"),
    [(["PAR"], 0), (["SPA/NC", "IRI"], 1), (["MAR"], 0), (["BUL/EC"], 0), (["LON"], 0)],
)
def test_a_fleet_goes_nowhere_else(retreats, number):
    said, good = fleet(*retreats)
    assert (good, said.get("at")) == (False, f"dislodged.France[0].retreats[{number}]")


def test_one_coast_is_out_of_reach():
    beaten = [{"unit": "F Bot", "by_from": "BAL", "retreats": ["STP/NC"]}]
    said, good = ask_judge(units={"England": ["F Bot"]}, dislodged={"Russia": beaten})
    assert (good, said.get("at")) == (False, "dislodged.Russia[0].retreats[0]")


def convoyed(**more: Any) -> tuple[dict[str, Any], bool]:
    """An army of Norway beaten from Sweden; whether by sea, its retreats alone tell."""
    beaten = [{"unit": "A Nwy", "by_from": "SWE", "retreats": ["SWE"]}]
    return ask_judge(**{"units": {"England": ["A Nwy"]}, "dislodged": {"Russia": beaten}, **more})


def test_the_way_back_overseas_is_open_to_whom_an_army_may_have_come_by_sea():
    assert convoyed()[1]
    said, good = convoyed(options={"retreat_overseas": "barred"})
    assert (good, said.get("at")) == (False, "dislodged.Russia[0].retreats[0]")
    assert not convoyed(units={"England": ["F Nwy"]})[1], "a fleet is convoyed by nobody"
    inland = [{"unit": "A Mun", "by_from": "BOH", "retreats": ["BOH"]}]
    assert not ask_judge(units={"Austria": ["A Mun"]}, dislodged={"Germany": inland})[1]


def test_without_the_attack_s_origin_it_may_have_come_from_anywhere():
    beaten = [{"unit": "A Mun", "retreats": ["TYR"]}]
    assert ask_judge(units={"Austria": ["A Mun"]}, dislodged={"Germany": beaten})[1]
    said, good = ask_judge(units={"Austria": ["A Mun", "A Tyr"]}, dislodged={"Germany": beaten})
    assert (good, said.get("at")) == (False, f"{AT}[0]")


def test_war_parties_too_retreat_next_door_only():
    beaten = {"unit": "W ABN", "by_from": "MHK"}
    for retreats, path in (
        (["MHK"], "[0]"),
        (["MIC", "54"], "[1]"),
        (["a"], "[0]"),
    ):
        said, good = ask_judge(
            INDIANOMACY,
            phase="U1R",
            units={"Iroquois": ["W ABN"]},
            dislodged={"Dakota": [{**beaten, "retreats": retreats}]},
        )
        assert (good, said.get("at")) == (False, f"dislodged.Dakota[0].retreats{path}"), retreats


@pytest.mark.parametrize("seed", range(60))
def test_what_is_answered_goes_back_in_as_a_question(seed):
    """Any claimed retreats are either refused, or the next position accepts them."""
    chance = random.Random(seed)
    board = variants.load("standard").board
    places = chance.sample([one for one in board.places if len(board.army[one]) > 1], 6)
    near = chance.sample(board.army[places[0]], 2)
    claimed = [*chance.sample(list(board.places), chance.randrange(2)), *near]
    question = {
        "phase": chance.choice(["S1901R", "F1901R"]),
        "units": {"France": [f"A {at}" for at in (places[0], *places[2:])]},
        "dislodged": {"Germany": [{"unit": f"A {places[0]}", "by_from": places[1], "retreats": claimed}]},
        "orders": {"Germany": [f"A {places[0]} - {chance.choice(near)}"]},
    }
    said, good = ask_judge(**question)
    if good:
        assert said["results"][0]["outcome"] == "retreated"
        again, sound = ask_judge(**said["next"])
        assert sound, again
    else:
        number = int(said["at"].removeprefix(f"{AT}[").removesuffix("]"))
        place = claimed[number]
        taken = place == places[1] or place in places[2:] or place not in board.army[places[0]]
        assert taken, said
