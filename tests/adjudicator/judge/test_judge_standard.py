"""The stateless adjudicator on the standard board: coasts, convoys, and no canoes."""

import json
from typing import Any

import pytest

from adjudicator.judge import answer_question, find_judge

JUDGE = find_judge("standard")


def ask_judge(**question: Any) -> dict[str, Any]:
    """The answer to a question."""
    said, good = answer_question(JUDGE, json.dumps(question).encode())
    assert good, said
    return dict(said)


def find_fault_place(**question: Any) -> str:
    """Return the place of a question's fault."""
    said, good = answer_question(JUDGE, json.dumps(question).encode())
    assert not good
    return str(said["at"])


def test_a_stand_off_is_told_with_the_units_as_orders_name_them():
    said = ask_judge(
        phase="S1901M",
        units={"France": ["A Paris", "F Brest"], "Germany": ["A Munich"]},
        centres={"France": ["Paris", "Brest"], "Germany": ["Munich"]},
        orders={"France": ["a paris→Burgundy", "F Brest H"], "Germany": ["A Munich - Burgundi"]},
    )
    assert [(row["read_as"], row["outcome"], row["reason"]) for row in said["results"]] == [
        ("A PAR - BUR", "bounced", "stand-off with A MUN (Germany)"),
        ("F BRE H", "held", None),
        ("A MUN - BUR", "bounced", "stand-off with A PAR (France)"),
    ]
    assert said["next"] == {
        "phase": "F1901M",
        "units": {"France": ["A PAR", "F BRE"], "Germany": ["A MUN"]},
        "dislodged": {},
        "contested": [],
        "centres": {"France": ["BRE", "PAR"], "Germany": ["MUN"]},
    }


@pytest.mark.parametrize("name", ["STP/SC", "stp sc", "St Petersburg (south coast)", "St. Petersburg/sc"])
def test_coasts_are_named_in_any_way(name):
    assert ask_judge(phase="S1901M", units={"Russia": [f"F {name}"]})["next"]["units"]["Russia"] == [
        "F STP/SC"
    ]


@pytest.mark.parametrize("unit", ["F STP", "A STP/SC", "F Moscow", "A North Sea", "W Moscow"])
def test_a_unit_that_cannot_lie_there_is_refused(unit):
    assert find_fault_place(phase="S1901M", units={"Russia": [unit]}) == "units.Russia[0]"


def test_a_convoy_is_convoyed():
    said = ask_judge(
        phase="S1901M",
        units={"England": ["A London", "F North Sea"]},
        orders={"England": ["A London - Norway via", "F NTH convoys A London - Norway"]},
    )
    assert [(row["read_as"], row["outcome"]) for row in said["results"]] == [
        ("A LON - NWY VIA", "moved"),
        ("F NTH C A LON - NWY", "convoyed"),
    ]


def test_a_retreat_is_read_with_r_too():
    said = ask_judge(
        phase="S1901R",
        units={"Russia": ["A Budapest"]},
        dislodged={"Austria": [{"unit": "A Budapest", "by_from": "Serbia", "retreats": ["Vienna"]}]},
        contested=["Galicia"],
        orders={"Austria": ["A BUD R VIE"]},
    )
    assert [(row["read_as"], row["outcome"]) for row in said["results"]] == [("A BUD - VIE", "retreated")]


@pytest.mark.parametrize(
    "key", ["canoes", "bay_entered", "bay_from", "taboo", "build_ban", "dice", "seed", "seat"]
)
def test_what_belongs_to_another_board_is_unknown_here(key):
    assert find_fault_place(phase="S1901M", units={}, **{key: {}}) == key


def test_there_are_no_neutral_units_here():
    assert find_fault_place(phase="S1901M", units={"neutral": ["A Munich"]}) == "units.neutral"
    assert find_fault_place(phase="U1901R", units={}) == "phase"


OUR_CONVOYS = {
    # By what England's fleets are ordered, whether the army from Wales comes to London.
    "a convoy that no water joins to a route": (["F Nrg C A Wal - Lon"], "moved"),
    "two that make no route together": (["F Nrg C A Wal - Lon", "F Iri C A Wal - Lon"], "moved"),
    "none": ([], "moved"),
    "the route, and it is broken": (["F Eng C A Wal - Lon"], "disrupted"),
    "the route and a useless one": (["F Eng C A Wal - Lon", "F Nrg C A Wal - Lon"], "disrupted"),
    "a useless one for another goal": (["F Nrg C A Wal - Edi"], "moved"),
    "the route of another's fleet": (["F Iri C A Wal - Lon"], "moved"),
}


@pytest.mark.parametrize("case", OUR_CONVOYS)
def test_an_army_beside_its_goal_walks_if_its_own_convoys_make_no_route(case: str) -> None:
    """Only a route of fleets that are ordered shows that it is to go by sea."""
    convoys, outcome = OUR_CONVOYS[case]
    said = find_judge("standard")(
        {
            "phase": "S1901M",
            "units": {"England": ["A Wal", "F Eng", "F Nrg", "F Iri"], "France": ["F Bre", "F Mao"]},
            "orders": {
                "England": ["A Wal - Lon", *convoys],
                "France": ["F Bre - Eng", "F Mao S F Bre - Eng"],
            },
        }
    )
    results = {row["order"]: row["outcome"] for row in said["results"]}
    assert results["A Wal - Lon"] == outcome
