"""The stateless adjudicator, promise by promise of its documentation."""

import json
from typing import Any

import pytest

from adjudicator.judge import answer_question, find_bot, find_judge, format_json

JUDGE, BOT = find_judge("indianomacy"), find_bot("indianomacy")

Json = dict[str, Any]


def ask_judge(**question: Any) -> Json:
    """The answer to a question."""
    said, good = answer_question(JUDGE, json.dumps(question).encode())
    assert good, said
    return dict(said)


def find_fault_place(**question: Any) -> str:
    """Return the place of a question's fault."""
    said, good = answer_question(JUDGE, json.dumps(question).encode())
    assert not good
    assert set(said) == {"error", "at"}
    assert said["error"]
    return str(said["at"])


def season(units: Json, orders: Json, **more: Any) -> Json:
    """The answer to a Spring of the first year."""
    return ask_judge(**({"phase": "S1M", "units": units, "orders": orders} | more))


def outcomes(said: Json) -> list[tuple[str, str, str]]:
    """Return the result of each order, in short: its text or unit, the outcome, the reason."""
    return [
        (row["order"] or row["unit"] or "-", row["outcome"], row["reason"] or "") for row in said["results"]
    ]


def test_an_answer_has_these_keys_and_a_result_has_those():
    said = season({"Dakota": ["W Santee"]}, {"Dakota": ["santee→Menominee"]})
    assert list(said) == ["phase", "results", "next"]
    assert said["results"] == [
        {
            "power": "Dakota",
            "order": "santee→Menominee",
            "read_as": "W SNT - MEN",
            "unit": "W SNT",
            "outcome": "moved",
            "reason": None,
        }
    ]
    assert list(said["next"]) == [
        "phase",
        "units",
        "dislodged",
        "contested",
        "centres",
        "canoes",
        "bay_entered",
        "taboo",
        "build_ban",
    ]


def test_results_follow_the_orders_by_power_as_given_then_come_units_without():
    units = {"Dakota": ["W SNT", "W TET"], "Apache": ["W SCA"], "Blackfoot": ["W BLD", "W PIE"]}
    said = season(units, {"Dakota": ["TET H"], "Blackfoot": ["PIE H", "BLD H"]})
    assert [(row["power"], row["order"], row["unit"]) for row in said["results"]] == [
        ("Dakota", "TET H", "W TET"),
        ("Blackfoot", "PIE H", "W PIE"),
        ("Blackfoot", "BLD H", "W BLD"),
        ("Apache", None, "W SCA"),
        ("Dakota", None, "W SNT"),
    ]
    assert said["results"][-1]["read_as"] is None
    assert said["results"][-1]["outcome"] == "held"


def test_a_reason_names_units_as_orders_do():
    said = season(
        {"Iroquois": ["W MHK"], "Dakota": ["W PEQ"]}, {"Iroquois": ["MHK-ABN"], "Dakota": ["PEQ-ABN"]}
    )
    assert outcomes(said) == [
        ("MHK-ABN", "bounced", "stand-off with W PEQ (Dakota)"),
        ("PEQ-ABN", "bounced", "stand-off with W MHK (Iroquois)"),
    ]


def test_a_dislodged_unit_is_marked_and_owes_a_retreat():
    said = season(
        {"Iroquois": ["W MHK", "W PEQ"], "Dakota": ["W ABN"]},
        {"Iroquois": ["MHK-ABN", "PEQ S MHK-ABN"], "Dakota": ["ABN H"]},
    )
    assert [row.get("dislodged") for row in said["results"]] == [None, None, True]
    assert said["next"]["phase"] == "U1R"
    assert said["next"]["units"] == {"Iroquois": ["W ABN", "W PEQ"]}
    assert said["next"]["dislodged"] == {
        "Dakota": [{"unit": "W ABN", "by_from": "MHK", "retreats": ["MIC"]}],
    }


def test_a_dislodged_unit_without_a_retreat_is_gone_and_its_phase_skipped():
    said = season(
        {"Iroquois": ["W MHK", "W PEQ", "W MIC"], "Dakota": ["W ABN"]},
        {"Iroquois": ["MHK-ABN", "PEQ S MHK-ABN"]},
    )
    assert said["next"]["phase"] == "F1M"
    assert said["next"]["dislodged"] == {}
    assert "Dakota" not in said["next"]["units"]


def test_neutral_units_are_listed_only_when_they_are_driven_off():
    said = season(
        {"Iroquois": ["W MHK", "W ONE"], "neutral": ["W DEL", "W HUR"]},
        {"Iroquois": ["MHK-DEL", "ONE S MHK-DEL"]},
    )
    (row,) = [row for row in said["results"] if row["power"] == "neutral"]
    assert (row["order"], row["unit"], row["outcome"]) == (None, "W DEL", "removed")
    assert said["next"]["units"] == {"Iroquois": ["W DEL", "W ONE"], "neutral": ["W HUR"]}


def test_an_order_that_cannot_be_read_is_void_and_the_unit_holds():
    said = season({"Dakota": ["W SNT"]}, {"Dakota": ["frobnicate", "SNT - Atlantis"]})
    assert [(row["outcome"], row["read_as"], row["unit"]) for row in said["results"]] == [
        ("void", None, None),
        ("void", None, None),
        ("held", None, "W SNT"),
    ]
    why = outcomes(said)[1][2]
    assert why.startswith("no province is called Atlantis; possible: Chippewa, "), "as an email is told"


def test_a_misspelt_order_is_read_and_a_doubtful_one_is_not_played():
    said = season(
        {"Dakota": ["W SNT", "W TET"]},
        {"Dakota": ["Santee - Menomine", "I will build a canoe at MEN?", "TET - ARI (if he agrees)"]},
    )
    assert said["results"][0]["read_as"] == "W SNT - MEN"
    assert said["results"][0]["outcome"] == "moved"
    assert [row["outcome"] for row in said["results"]] == ["moved", "void", "void", "held"]
    assert said["results"][2]["read_as"] == "W TET - ARI", "the guess"
    assert season({"Dakota": ["W SNT"]}, {"Dakota": ["SNT - MEN, SNT H"]})["results"][0]["outcome"] == "void"


def test_an_unlawful_order_is_void_and_a_replaced_one_too():
    said = season({"Dakota": ["W SNT", "W TET"]}, {"Dakota": ["SNT - Huron", "TET H", "TET - ARI", "TET H"]})
    assert outcomes(said) == [
        ("SNT - Huron", "void", "the two provinces don't border each other"),
        ("TET H", "void", "replaced by another order for the same unit"),
        ("TET - ARI", "void", "replaced by another order for the same unit"),
        ("TET H", "held", ""),
    ]


def test_centres_are_those_of_the_start_where_none_are_given():
    assert season({}, {})["next"]["centres"].get("Dakota") == ["SIS", "SNT", "TET", "YKT"]
    assert season({}, {}, centres={"dakota": ["54", "cree"]})["next"]["centres"] == {"Dakota": ["CRE", "SNT"]}


def test_places_are_named_in_any_way_and_powers_in_any_capitals():
    said = season(
        {"DAKOTA": ["w 54", "W st lawrence"], "Neutral": ["W Piute"]}, {"dakota": ["54 h"]}, canoes={"MHK": 1}
    )
    assert said["next"]["units"] == {"Dakota": ["W SNT", "W STL"], "neutral": ["W PIU"]}
    assert said["next"]["canoes"] == {"MHK": 1}


def test_canoes_are_built_carried_and_destroyed():
    said = season(
        {"Iroquois": ["W MHK", "W SEN", "W CYG"]},
        {"Iroquois": ["10-c with canoe", "destroy canoe 10", "SEN canoe", "destroy CYG"]},
        canoes={"10": 2, "13": 1},
    )
    assert [(row["unit"], row["outcome"]) for row in said["results"]] == [
        ("W MHK", "moved"),
        ("W MHK", "destroyed"),
        ("W SEN", "built"),
        ("W CYG", "destroyed"),
        ("W CYG", "held"),
    ]
    assert said["next"]["canoes"] == {"SEN": 1}


def test_a_canoe_whose_building_was_spoilt_is_disrupted():
    said = season(
        {"Iroquois": ["W SEN"], "Dakota": ["W ERI"]}, {"Iroquois": ["SEN canoe"], "Dakota": ["59-14"]}
    )
    assert outcomes(said)[0] == ("SEN canoe", "disrupted", "attacked by W ERI (Dakota)")


def test_a_second_destruction_of_one_province_is_void_and_the_first_stands():
    said = season({"Iroquois": ["W MHK"]}, {"Iroquois": ["destroy 10", "destroy 10"]}, canoes={"10": 2})
    assert [row["outcome"] for row in said["results"]] == ["destroyed", "void", "held"]


def test_a_canoe_into_the_occupied_bay_bounces():
    said = season(
        {"Dakota": ["W CRE", "W HBY"]},
        {"Dakota": ["CRE-HBY canoe"]},
        canoes={"3": 1},
        bay_entered={"b": "S1M"},
    )
    assert said["results"][0]["outcome"] == "bounced"


def test_a_storm_is_thrown_as_laid_down_and_who_is_lost_has_an_entry_of_its_own_after_the_others():
    bay: Json = {"units": {"Dakota": ["W b", "W SNT"]}, "bay_entered": {"b": "S1M"}}
    said = ask_judge(phase="S1M", **bay, dice={"storm/b/U1": 6, "never": 3})
    assert said["results"][-1] == {
        "power": "Dakota",
        "order": None,
        "read_as": None,
        "unit": "W HBY",
        "outcome": "lost",
        "reason": "sunk by a storm: the die showed 6",
        "phase": "U1R",
    }
    assert said["next"]["units"] == {"Dakota": ["W SNT"]}
    assert said["next"]["bay_entered"] == {}
    spared = ask_judge(phase="F1M", **bay, dice={"storm/b/W1": 2})
    assert [row["outcome"] for row in spared["results"]] == ["held", "held"]
    assert spared["next"]["bay_entered"] == {"HBY": "S1M"}
    lost = ask_judge(phase="F1M", **bay, dice={"storm/b/W1": 1})
    assert lost["results"][-1]["phase"] == "W1R"


def test_a_throw_that_is_missing_is_drawn_from_the_seed():
    bay: Json = {"phase": "S1M", "units": {"Dakota": ["W b"]}, "bay_entered": {"b": "S1M"}}
    assert ask_judge(**bay) == ask_judge(**bay)
    assert ask_judge(**bay)["results"] == ask_judge(**bay, seed=0)["results"]
    fates = {len(ask_judge(**bay, seed=seed)["results"]) for seed in range(20)}
    assert fates == {1, 2}, "some are lost and some are not"


def test_removed_by_the_taboo_is_moved_with_the_reason():
    said = season({"Illinois": ["W MIA"]}, {"Illinois": ["MIA-HOP"]})
    assert outcomes(said) == [("MIA-HOP", "moved", "it broke the taboo and was removed at once")]
    assert (said["next"]["taboo"], said["next"]["build_ban"]) == (False, {"Illinois": 2})
    assert said["next"]["units"] == {}


def test_a_retreat_into_the_taboo_province_is_retreated_with_the_reason():
    said = ask_judge(
        phase="U1R",
        units={"Iroquois": ["W MIA"]},
        dislodged={"Illinois": [{"unit": "W MIA", "by_from": "ERI", "retreats": ["HOP"]}]},
        orders={"Illinois": ["MIA - HOP"]},
    )
    assert outcomes(said)[0] == ("MIA - HOP", "retreated", "it broke the taboo and was removed at once")


def test_retreats_are_trusted_when_given_and_computed_when_not():
    beaten = {"unit": "W ABN", "by_from": "MHK"}
    base: Json = {"phase": "U1R", "units": {"Iroquois": ["W ABN"]}, "orders": {"Dakota": ["ABN - Pequot"]}}
    assert ask_judge(**base, dislodged={"Dakota": [beaten]})["results"][0]["outcome"] == "retreated"
    trusted = ask_judge(**base, dislodged={"Dakota": [{**beaten, "retreats": ["MIC"]}]})
    assert trusted["results"][0]["outcome"] == "void"
    barred = ask_judge(**base, dislodged={"Dakota": [beaten]}, contested=["PEQ"])
    assert barred["results"][0]["outcome"] == "void"
    silent = ask_judge(phase="U1R", units={}, dislodged={"Dakota": [beaten]})
    assert outcomes(silent) == [("W ABN", "disbanded", "no order received")]


def test_retreats_that_collide_are_disbanded_and_d_disbands():
    beaten = [{"unit": "W ABN", "retreats": ["PEQ"]}, {"unit": "W MHK", "retreats": ["PEQ"]}]
    said = ask_judge(
        phase="U1R", units={}, dislodged={"Dakota": beaten}, orders={"Dakota": ["ABN - PEQ", "MHK - PEQ"]}
    )
    assert [row["outcome"] for row in said["results"]] == ["disbanded", "disbanded"]
    given_up = ask_judge(
        phase="U1R", units={}, dislodged={"Dakota": beaten[:1]}, orders={"Dakota": ["ABN D"]}
    )
    assert [row["outcome"] for row in given_up["results"]] == ["disbanded"]


def test_of_more_builds_than_due_the_first_valid_ones_count():
    said = ask_judge(
        phase="W1A",
        units={"Dakota": ["W CRE", "W MEN"]},
        orders={"Dakota": ["W CRE B", "W SNT B", "WAIVE", "W TET B"]},
    )
    assert [row["outcome"] for row in said["results"]] == ["void", "built", "waived", "void"]
    assert said["next"]["units"] == {"Dakota": ["W CRE", "W MEN", "W SNT"]}


def test_d_removes_in_adjustments_and_what_is_not_ordered_falls_on_the_farthest():
    said = ask_judge(
        phase="W1A",
        units={"Dakota": ["W SNT", "W TET", "W HUI"]},
        centres={"Dakota": ["SNT"]},
        orders={"Dakota": ["W TET D"]},
    )
    assert outcomes(said) == [("W TET D", "removed", ""), ("W HUI", "removed", "no order received")]


def test_the_game_s_end_has_winners_and_no_phase():
    centres = [
        "96",
        "97",
        "99",
        "26",
        "27",
        "28",
        "108",
        "109",
        "110",
        "49",
        "50",
        "52",
        "54",
        "69",
        "70",
        "71",
    ]
    centres += ["10", "11", "12", "14", "113", "114", "115", "44"]
    said = ask_judge(phase="F1M", units={"Dakota": ["W 54"]}, centres={"Dakota": centres})
    assert said["next"]["phase"] == "W1A", "builds are due first"
    over = ask_judge(**said["next"])
    assert over["winners"] == ["Dakota"]
    assert over["next"]["phase"] is None
    drawn = ask_judge(phase="W3A", units={}, centres={}, options={"last_year": 3})
    assert drawn["winners"] == []


def test_options_are_those_of_a_new_game_and_are_kept_in_the_next_position():
    ban = {"Dakota": ["W SNT", "W MEN"], "Illinois": ["W POT"]}
    orders = {"Dakota": ["SNT-LSU canoe"], "Illinois": []}
    said = season(ban, orders, canoes={"54": 1}, options={"crossings": False, "last_year": 7}, seed=3)
    assert said["next"].get("options") == {"crossings": False, "last_year": 7}
    assert said["next"]["seed"] == 3
    cut = season({"Iroquois": ["W SEN"]}, {"Iroquois": ["14-15"]}, options={"crossings": "no"})
    assert cut["results"][0]["outcome"] == "void"
    assert season({"Iroquois": ["W SEN"]}, {"Iroquois": ["14-15"]})["results"][0]["outcome"] == "moved"
    assert "options" not in season({}, {})["next"]


@pytest.mark.parametrize(
    ("question", "at"),
    [
        ({}, "phase"),
        ({"phase": "S1M"}, "units"),
        ({"phase": "S1901R", "units": {}}, "phase"),
        ({"phase": 3, "units": {}}, "phase"),
        ({"phase": "S1M", "units": {}, "unit": {}}, "unit"),
        ({"phase": "S1M", "units": []}, "units"),
        ({"phase": "S1M", "units": {"Sioux": []}}, "units.Sioux"),
        ({"phase": "S1M", "units": {"Dakota": "W SNT"}}, "units.Dakota"),
        ({"phase": "S1M", "units": {"Dakota": ["W SNT", 4]}}, "units.Dakota[1]"),
        ({"phase": "S1M", "units": {"Dakota": ["A SNT"]}}, "units.Dakota[0]"),
        ({"phase": "S1M", "units": {"Dakota": ["Santee"]}}, "units.Dakota[0]"),
        ({"phase": "S1M", "units": {"Dakota": ["W SNT"], "Apache": ["W 54"]}}, "units.Apache[0]"),
        ({"phase": "S1M", "units": {"Dakota": [], "dakota": []}}, "units.dakota"),
        ({"phase": "S1M", "units": {"Dakota": ["W b"]}}, "bay_entered.b"),
        ({"phase": "S1M", "units": {"Dakota": ["W b"]}, "bay_entered": {"b": "F1M"}}, "bay_entered.b"),
        ({"phase": "S1M", "units": {}, "bay_entered": {"b": "S1M"}}, "bay_entered.b"),
        ({"phase": "S1M", "units": {"Dakota": ["W 120"]}}, "taboo"),
        ({"phase": "S1M", "units": {}, "taboo": "yes"}, "taboo"),
        ({"phase": "S1M", "units": {}, "centres": {"Dakota": ["MEN"]}}, "centres.Dakota[0]"),
        ({"phase": "S1M", "units": {}, "centres": {"Dakota": [54], "Apache": []}}, "centres.Dakota[0]"),
        ({"phase": "S1M", "units": {}, "centres": {"Dakota": ["54"], "Apache": ["54"]}}, "centres.Apache[0]"),
        ({"phase": "S1M", "units": {}, "orders": {"Dakota": [None]}}, "orders.Dakota[0]"),
        ({"phase": "S1M", "units": {}, "orders": {"Sioux": []}}, "orders.Sioux"),
        ({"phase": "S1M", "units": {}, "canoes": {"Dine": 1}}, "canoes.Dine"),
        ({"phase": "S1M", "units": {}, "canoes": {"54": -1}}, "canoes.54"),
        ({"phase": "S1M", "units": {}, "canoes": {"54": 1, "SNT": 1}}, "canoes.SNT"),
        ({"phase": "S1M", "units": {}, "build_ban": {"Dakota": -10_000}}, "build_ban.Dakota"),
        ({"phase": "S1M", "units": {}, "dice": {"storm/b/U1": "4"}}, "dice.storm/b/U1"),
        ({"phase": "S1M", "units": {}, "seed": [1]}, "seed"),
        ({"phase": "S1M", "units": {}, "options": {"weather": "fine"}}, "options.weather"),
        ({"phase": "S1M", "units": {}, "options": {"crossings": "perhaps"}}, "options.crossings"),
        ({"phase": "S1M", "units": {}, "contested": ["54"]}, "contested"),
        ({"phase": "S1M", "units": {}, "dislodged": {"Dakota": [{"unit": "W 54"}]}}, "dislodged.Dakota[0]"),
        ({"phase": "U1R", "units": {}, "dislodged": {"Dakota": [{}]}}, "dislodged.Dakota[0].unit"),
        (
            {"phase": "U1R", "units": {}, "dislodged": {"Dakota": [{"unit": "W 54"}]}},
            "dislodged.Dakota[0].by_from",
        ),
        (
            {"phase": "U1R", "units": {}, "dislodged": {"Dakota": [{"unit": "W 54", "retreats": ["Rome"]}]}},
            "dislodged.Dakota[0].retreats[0]",
        ),
        (
            {"phase": "U1R", "units": {}, "dislodged": {"Dakota": [{"unit": "W 54", "to": "MEN"}]}},
            "dislodged.Dakota[0].to",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_path(question, at):
    assert find_fault_place(**question) == at


def test_a_die_that_cannot_fall_so_is_refused_when_it_is_thrown():
    bay: Json = {"phase": "S1M", "units": {"Dakota": ["W b"]}, "bay_entered": {"b": "S1M"}}
    assert find_fault_place(**bay, dice={"storm/b/U1": 7}) == "dice.storm/b/U1"


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b"[" * 100_000, b'"text"'])
def test_what_is_no_json_object_is_refused_as_a_whole(raw):
    said, good = answer_question(JUDGE, raw)
    assert not good
    assert said["at"] == ""


def test_every_answer_can_be_printed():
    said = season({"Dakota": ["W SNT"]}, {"Dakota": ["Santee→\ud800"]})
    assert "→" in format_json(season({}, {"Dakota": ["→"]}), on_a_line=False)
    for on_a_line in (True, False):
        text = format_json(said, on_a_line=on_a_line)
        assert json.loads(text.encode()) == said
    assert "\n" not in format_json(said, on_a_line=True)


def test_a_bot_says_what_it_would_order_and_why():
    question: Json = {"phase": "S1M", "units": {"Dakota": ["W SNT", "W SIS"]}, "seat": "dakota"}
    said = BOT(question)
    assert list(said) == ["orders", "reasons"]
    assert said["orders"] == ["W SIS - POJ", "W SNT - CHP"]
    assert said["reasons"]["W SNT - CHP"] == "takes neutral Chippewa (the closest centre to win)"
    assert BOT({**question, "orders": {"Dakota": ["SNT H"]}, "level": "beginner"}) == said
    assert BOT({**question, "seat": "Apache"}) == {"orders": [], "reasons": {}}


def test_a_bot_is_asked_with_a_temperament():
    """A raider counts another nation's centre a step nearer than nobody's."""
    question: Json = {
        "phase": "S1M",
        "units": {"Dakota": ["W SNT"]},
        "seat": "Dakota",
        "level": "intermediate",
    }
    question["centres"] = {"Blackfoot": ["YKT"], "Dakota": ["Santee"]}
    even, raider = BOT(question), BOT({**question, "temperament": "raider"})
    assert any("for a raider" in reason for reason in raider["reasons"].values())
    assert not any("for a raider" in reason for reason in even["reasons"].values())


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({}, "seat"),
        ({"seat": "neutral"}, "seat"),
        ({"seat": "Dakota", "level": "godlike"}, "level"),
        ({"seat": "Dakota", "temperament": "dove"}, "temperament"),
    ],
)
def test_a_bot_s_question_is_looked_at_as_closely(more, at):
    said, good = answer_question(BOT, json.dumps({"phase": "S1M", "units": {}, **more}).encode())
    assert (good, said["at"]) == (False, at)
    assert find_fault_place(phase="S1M", units={}, seat="Dakota") == "seat", "judge has no seat"
