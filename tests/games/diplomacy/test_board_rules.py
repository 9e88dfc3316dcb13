"""Rules that a board can have as data: what powers own and where they build, garrisons, borders, coasts."""

import pytest

from games.dice import NoDice
from games.diplomacy.bots.common import Ways
from games.diplomacy.model import Convoy, Piece
from games.messages import sentence
from games.protocol import Invalid, list_possible
from tests.kit.made_boards import asked, made_game, outcomes, reasons, told, topic
from tests.kit.variant_folders import play

POWER_OWNS = {"powers": [{"id": "North", "owns": ["HAV", "ISL"], "centres": ["HAV", "UPL"]}], "neutral": []}


def opening(game):
    return game.rules.setup({}, NoDice()).state


# Owners at the start, and home centres.


@pytest.mark.clause("standard", "Board-starts")
def test_units_start_anywhere_even_at_sea():
    game = made_game({"powers": [{"id": "North", "starts": ["F STR", "A MOO"]}]})
    ask = asked(game)
    done = ask(
        phase="S1M",
        units={"North": ["F STR", "A MOO"], "South": ["F POR"]},
        orders={"North": ["F STR - HAV", "A MOO - UPL"]},
    )
    assert {unit.at for unit in opening(game).units if unit.power == "North"} == {"STR", "MOO"}
    assert outcomes(done) == {"F STR - HAV": "moved", "A MOO - UPL": "moved"}


@pytest.mark.clause("standard", "Board-owners")
def test_a_power_owns_what_its_entry_says_and_builds_at_home():
    """Upland is a home of North that it doesn't own. The Isle is its own, and no home."""
    game = made_game(POWER_OWNS, {"builds_in": "starting"})
    assert opening(game).centres == {"HAV": "North", "DAL": "South", "POR": "South", "ISL": "North"}
    ask = asked(game)
    owned = {"North": ["HAV", "ISL", "MOO"], "South": ["DAL"]}
    done = ask(
        phase="W1A",
        units={"North": ["A MOO"], "South": ["A DAL"]},
        centres=owned,
        orders={"North": ["build F Isle", "build A Upland", "build F Haven"]},
    )
    assert outcomes(done) == {"build F Isle": "void", "build A Upland": "void", "build F Haven": "built"}
    wrong = reasons(done)
    assert wrong["build F Isle"] == sentence("diplomacy.reasons.not-home")
    assert wrong["build A Upland"] == sentence("diplomacy.reasons.not-owned")
    assert sentence("diplomacy.handbook.builds_own_homes") in topic(game, "builds")
    assert "North: Haven and Upland" in topic(game, "builds")


@pytest.mark.clause("standard", "Board-owners")
def test_a_position_without_owners_has_those_of_the_start():
    answer = asked(made_game(POWER_OWNS))(phase="S1M", units={})
    assert answer["next"]["centres"] == {"North": ["HAV", "ISL"], "South": ["DAL", "POR"]}


@pytest.mark.parametrize(
    ("owns", "where"),
    [(["STR"], "powers: North: owns"), (["HAV", "DAL"], "powers: South: owns")],
)
def test_what_is_owned_is_a_centre_of_one_power(owns, where):
    with pytest.raises(Invalid) as caught:
        made_game({"powers": [{"id": "North", "owns": owns}]})
    assert where in caught.value.what
    assert caught.value.instead


@pytest.mark.clause("standard", "Board-captured-homes")
def test_builds_in_a_captured_home_but_not_in_another_centre():
    game = made_game({"neutral": []}, {"builds_in": "homes"})
    done = asked(game)(
        phase="W1A",
        units={"North": ["A MOO"], "South": []},
        centres={"North": ["HAV", "UPL", "DAL", "ISL", "MOO"], "South": ["POR"]},
        orders={"North": ["build A Dale", "build F Isle", "build A Upland", "build F Port"]},
    )
    assert outcomes(done) == {
        "build A Dale": "built",
        "build F Isle": "void",
        "build A Upland": "built",
        "build F Port": "void",
    }
    assert reasons(done)["build F Port"] == sentence("diplomacy.reasons.not-owned")
    assert sentence("diplomacy.handbook.builds_homes") in topic(game, "builds")


# Neutral units and garrisons.


TWO_COASTS = {
    "provinces": [
        {"id": "ISL", "fleet": [], "coasts": {"NC": ["STR"], "SC": ["STR"]}},
        {
            "id": "STR",
            "fleet": ["HAV", "MOO", "POR", "ISL/NC", "ISL/SC"],
        },
    ],
    "neutral": ["F ISL/SC"],
}


@pytest.mark.clause("standard", "Board-neutral-coast")
def test_a_neutral_fleet_is_on_a_coast():
    game = made_game(TWO_COASTS)
    (neutral,) = [unit for unit in opening(game).units if unit.power == "neutral"]
    assert (neutral.kind, neutral.spot) == ("F", "ISL/SC")
    answer = asked(game)(phase="S1M", units={"neutral": ["F ISL/SC"], "North": ["F HAV"]})
    assert answer["next"]["units"]["neutral"] == ["F ISL/SC"]


GARRISON = {"garrisons": "return"}


def dislodge_garrison(game, phase):
    """The garrison of the Isle is dislodged by a fleet from the Strait, with support from Haven."""
    return asked(game)(
        phase=phase,
        units={"North": ["F STR", "F HAV"], "neutral": ["A ISL"]},
        centres={"North": ["HAV", "UPL"]},
        orders={"North": ["F STR - Isle", "F HAV S F STR - Isle"]},
    )


HAVEN_NEAR = {
    "provinces": [
        {"id": "HAV", "fleet": ["STR", "ISL"]},
        {"id": "ISL", "fleet": ["STR", "HAV"]},
    ]
}


@pytest.mark.clause("standard", "Board-garrisons")
def test_a_garrison_returns_in_winter_while_nobody_owns_its_centre():
    game = made_game(HAVEN_NEAR, GARRISON)
    spring = dislodge_garrison(game, "S1M")
    assert outcomes(spring)["F STR - Isle"] == "moved"
    ask = asked(game)
    fall = ask(**spring["next"], orders={"North": ["F ISL - STR"]})
    assert (fall["next"]["phase"], fall["next"]["units"]["neutral"]) == ("S2M", ["A ISL"])


@pytest.mark.clause("standard", "Board-garrisons")
def test_a_garrison_does_not_return_to_a_centre_that_is_owned():
    game = made_game(HAVEN_NEAR, GARRISON)
    fall = dislodge_garrison(game, "F1M")
    assert fall["next"]["centres"]["North"] == ["HAV", "ISL", "UPL"]
    left = fall["next"] | {"units": {"North": ["F STR", "F HAV"]}}
    winter = asked(game)(**left, orders={"North": ["WAIVE"]})
    assert (winter["next"]["phase"], "neutral" in winter["next"]["units"]) == ("S2M", False)


def test_without_the_rule_a_garrison_stays_away():
    game = made_game(HAVEN_NEAR)
    spring = dislodge_garrison(game, "S1M")
    fall = asked(game)(**spring["next"], orders={"North": ["F ISL - STR"]})
    assert "neutral" not in fall["next"]["units"]
    assert sentence("diplomacy.handbook.garrisons_gone") in topic(game, "neutral")


def test_the_return_of_a_garrison_is_told():
    game = made_game(HAVEN_NEAR, GARRISON)
    state = game.whatif.position(
        {"phase": "F1M", "units": {"North": ["F STR"]}, "centres": {"North": ["HAV"]}}
    )
    events = game.rules.adjudicate(state, {}, NoDice()).events
    back = sentence("diplomacy.reports_results.garrison_returned", kind="army", place="Isle")
    assert back in told(game, events)
    assert sentence("diplomacy.handbook.garrisons_return") in topic(game, "neutral")


def test_garrisons_need_a_winter_to_return_in():
    year = [{"season": "S", "kind": "M"}, {"season": "S", "kind": "R", "captures": True, "ends_year": True}]
    with pytest.raises(Invalid) as caught:
        made_game({}, {"year": year, **GARRISON})
    assert caught.value.what == "rulebook.toml: garrisons"
    assert caught.value.instead


# Coasts of any name, lands where fleets convoy, borders that lead one way.


LAGOON = {
    "coast_names": {"LC": "lagoon coast", "OC": "ocean coast"},
    "provinces": [
        {"id": "ISL", "fleet": [], "coasts": {"LC": ["STR"], "OC": ["STR"]}},
        {"id": "STR", "fleet": ["HAV", "MOO", "POR", "ISL/LC", "ISL/OC"]},
    ],
    "neutral": [],
}


@pytest.mark.clause("standard", "Board-coasts")
@pytest.mark.parametrize(
    "goal", ["ISL/LC", "Isle (lagoon coast)", "Isle lagoon coast", "Isle lagoon", "Isle LC"]
)
def test_a_coast_of_any_name_is_read_and_played(goal):
    done = asked(made_game(LAGOON))(
        phase="S1M", units={"North": ["F STR"]}, centres={}, orders={"North": [f"F STR - {goal}"]}
    )
    (row,) = done["results"]
    assert (row["read_as"], row["outcome"]) == ("F STR - ISL/LC", "moved")
    assert done["next"]["phase"] is None or done["next"]["units"] == {"North": ["F ISL/LC"]}


def test_a_coast_of_any_name_has_to_be_named_and_is_in_the_help():
    game = made_game(LAGOON)
    done = asked(game)(
        phase="S1M", units={"North": ["F STR"]}, centres={}, orders={"North": ["F STR - Isle"]}
    )
    assert outcomes(done) == {"F STR - Isle": "void"}
    assert "ISL/LC means Isle (lagoon coast)" in topic(game, "coasts")


@pytest.mark.parametrize(
    ("chart", "where"),
    [
        ({**LAGOON, "coast_names": {"LC": "lagoon coast"}}, "provinces: ISL: coasts: OC"),
        ({"coast_names": {"LC": "south coast"}}, "coast_names: LC"),
        ({"coast_names": {"L C": "lagoon coast"}}, "coast_names: L C"),
        ({"coast_names": {"LC": ""}}, "coast_names: LC"),
        ({"provinces": [{"id": "UPL", "convoys": True}]}, "provinces: UPL: convoys"),
        ({"provinces": [{"id": "STR", "convoys": True}]}, "provinces: STR: convoys"),
        ({"one_way": [["UPL", "MOO"]]}, "one_way[0]"),
        ({"one_way": [["UPL", "POR"]]}, "one_way[0]"),
        ({"one_way": [["UPL", "XXX"]]}, "one_way[0]"),
    ],
)
def test_a_coast_a_convoy_or_a_border_that_cannot_be_is_refused(chart, where):
    with pytest.raises(Invalid) as caught:
        made_game(chart)
    assert caught.value.what == f"map.json: {where}"
    assert caught.value.instead


def refusal_of_convoy(board):
    """Return why a fleet in Haven can't convoy, in words."""
    game = made_game(board)
    position = {"phase": "S1M", "units": {"North": ["A UPL", "F HAV"]}, "centres": {}}
    state = game.whatif.position(position)
    fleet, army = Piece(kind="F", at="HAV"), Piece(kind="A", at="UPL")
    objection = game.rules.check(state, "North", Convoy(unit=fleet, other=army, to="MOO"))
    return game.telling.advise(state, objection).problem


CANAL = {
    "provinces": [
        {"id": "MOO", "convoys": True, "fleet": ["STR", "HAV", "POR"]},
        {"id": "HAV", "fleet": ["STR", "MOO"]},
        {"id": "POR", "fleet": ["STR", "MOO"]},
    ]
}


@pytest.mark.clause("standard", "Board-convoys")
def test_a_fleet_on_a_land_convoys_where_the_board_says_so():
    position = {
        "phase": "S1M",
        "units": {"North": ["A HAV", "F MOO"]},
        "centres": {},
        "orders": {"North": ["A HAV - POR", "F MOO C A HAV - POR"]},
    }
    done = asked(made_game(CANAL))(**position)
    assert outcomes(done) == {"A HAV - POR": "moved", "F MOO C A HAV - POR": "convoyed"}
    plain = {"provinces": [{**place, "convoys": False} for place in CANAL["provinces"]]}
    refused = asked(made_game(plain))(**position)
    assert set(outcomes(refused).values()) == {"void"}
    assert refusal_of_convoy(CANAL) == sentence(
        "diplomacy.advice.no-convoy-land", choice=list_possible(["Moor"])
    )
    assert refusal_of_convoy({"provinces": plain["provinces"]}) == sentence("diplomacy.advice.not-at-sea")
    assert sentence("diplomacy.handbook.convoys_on_land", count=1, provinces="Moor") in topic(
        made_game(CANAL), "convoys"
    )


@pytest.mark.clause("standard", "Board-convoys")
def test_a_convoy_over_a_land_and_a_sea():
    """From Haven over the fleets in Moor and in the Strait to the Isle."""
    board = {
        "provinces": [
            *CANAL["provinces"][:1],
            {"id": "HAV", "fleet": ["MOO"]},
            {"id": "POR", "fleet": ["STR", "MOO"]},
            {"id": "STR", "fleet": ["MOO", "POR", "ISL"]},
        ]
    }
    done = asked(made_game(board))(
        phase="S1M",
        units={"North": ["A HAV", "F MOO", "F STR"]},
        centres={},
        orders={"North": ["A HAV - ISL", "F MOO C A HAV - ISL", "F STR C A HAV - ISL"]},
    )
    assert outcomes(done)["A HAV - ISL"] == "moved"


DOWNHILL = {"one_way": [["UPL", "MOO"]], "provinces": [{"id": "MOO", "army": ["HAV", "DAL"]}]}


@pytest.mark.clause("standard", "Board-one-way")
def test_a_border_leads_one_way():
    game = made_game(DOWNHILL)
    ask = asked(game)
    down = ask(phase="S1M", units={"North": ["A UPL"]}, centres={}, orders={"North": ["A UPL - MOO"]})
    up = ask(phase="S1M", units={"North": ["A MOO"]}, centres={}, orders={"North": ["A MOO - UPL"]})
    assert (outcomes(down), outcomes(up)) == ({"A UPL - MOO": "moved"}, {"A MOO - UPL": "void"})
    assert "| from Upland to Moor" in topic(game, "season")


@pytest.mark.clause("standard", "Board-one-way")
def test_a_unit_supports_over_such_a_border_where_it_could_go():
    """Upland supports down into Moor. Moor can't support up into Upland."""
    ask = asked(made_game(DOWNHILL))
    done = ask(
        phase="S1M",
        units={"North": ["A UPL", "A HAV"], "South": ["A MOO"]},
        centres={},
        orders={"North": ["A HAV - MOO", "A UPL S A HAV - MOO"]},
    )
    assert outcomes(done) == {"A HAV - MOO": "moved", "A UPL S A HAV - MOO": "supported"}
    hold = ask(
        phase="S1M", units={"North": ["A UPL", "A MOO"]}, centres={}, orders={"North": ["A MOO S A UPL"]}
    )
    assert outcomes(hold) == {"A MOO S A UPL": "void"}


@pytest.mark.clause("standard", "Board-one-way")
def test_a_dislodged_unit_retreats_over_such_a_border_only_in_its_direction():
    """South's army in Moor is dislodged from Dale. It can't retreat up to Upland."""
    done = asked(made_game(DOWNHILL))(
        phase="S1M",
        units={"North": ["A DAL", "F STR"], "South": ["A MOO"]},
        centres={},
        orders={"North": ["A DAL - MOO", "F STR S A DAL - MOO"]},
    )
    (beaten,) = done["next"]["dislodged"]["South"]
    assert beaten["retreats"] == ["HAV"]


CURRENT = {
    "one_way": [["HAV", "STR"]],
    "provinces": [{"id": "STR", "fleet": ["MOO", "POR", "ISL"]}],
}


@pytest.mark.clause("standard", "Board-one-way-convoys")
@pytest.mark.parametrize(("army", "goal", "outcome"), [("HAV", "ISL", "moved"), ("ISL", "HAV", "void")])
def test_a_convoy_goes_the_way_that_fleets_could_sail(army, goal, outcome):
    """The current runs from Haven into the Strait, and fleets never come back."""
    done = asked(made_game(CURRENT))(
        phase="S1M",
        units={"North": [f"A {army}", "F STR"]},
        centres={},
        orders={"North": [f"A {army} - {goal}", f"F STR C A {army} - {goal}"]},
    )
    assert outcomes(done)[f"A {army} - {goal}"] == outcome


@pytest.mark.clause("standard", "Board-one-way-convoys")
def test_bots_count_the_steps_in_the_direction_of_a_border():
    """From Moor a unit reaches Upland by Haven, in two steps. From Upland it reaches Moor in one."""
    board = made_game(DOWNHILL).rules.board
    ways = Ways(board, canoes=False)
    assert ways.walked_to("UPL", landing=True, shunned=None)["MOO"] == 2
    assert ways.walked_to("MOO", landing=True, shunned=None)["UPL"] == 1
    valuation = (board.army["UPL"], board.army_into["UPL"], board.army_into["MOO"])
    assert valuation == (("HAV", "MOO"), ("HAV",), ("HAV", "UPL", "DAL"))


@pytest.mark.clause("standard", "Board-one-way-convoys")
def test_the_farthest_unit_is_found_from_the_centre():
    """Moor and Haven are one step from Upland, and Haven comes first. From Moor it would be two steps."""
    done = asked(made_game(DOWNHILL))(
        phase="W1A", units={"North": ["A MOO", "A HAV"]}, centres={"North": ["UPL"]}, orders={}
    )
    assert done["next"]["units"]["North"] == ["A MOO"]


# Rules that no board can have.


@pytest.mark.clause("standard", "Board-unplayed")
@pytest.mark.parametrize(
    ("chart", "rules", "feature"),
    [
        ({"fogOfWar": True}, {}, "fog"),
        ({}, {"fog": "own-units"}, "fog"),
        ({"provinces": [{"id": "UPL", "railway": ["MOO"]}]}, {}, "railways"),
        ({"powers": [{"id": "North", "gold": 5}]}, {}, "money"),
        ({}, {"transformations": True}, "change_of_kind"),
        ({}, {"double_moves": True}, "double_moves"),
        ({"powers": [{"id": "North", "starts": ["Wing HAV"]}]}, {}, "wings"),
        ({"neutral": ["G ISL"]}, {}, "units"),
        ({}, {"builds_of": ["A", "F", "Wing"]}, "wings"),
        ({}, {"options": [{"name": "fog", "sort": "flag", "meaning": "x"}]}, "fog"),
    ],
)
def test_a_rule_that_no_board_can_have_is_refused_by_name(chart, rules, feature):
    with pytest.raises(Invalid) as caught:
        made_game(chart, rules)
    assert caught.value.why == sentence(f"diplomacy.unplayed.{feature}")
    assert caught.value.instead == sentence("diplomacy.unplayed.remedy")


def test_an_option_that_no_rule_asks_for_is_refused():
    with pytest.raises(Invalid) as caught:
        made_game({}, {"options": [{"name": "weather", "sort": "flag", "meaning": "x"}]})
    assert caught.value.what == "rulebook.toml: options: weather"


# A board of islands.


ISLANDS = ("HAV", "UPL", "MOO", "DAL", "POR", "ISL")


def test_a_board_of_islands_has_its_help_and_is_played_by_bots():
    """No province has a neighbour on foot, so every example is of fleets."""
    game = made_game(
        {
            "provinces": [
                *({"id": place, "army": [], "fleet": ["STR"]} for place in ISLANDS),
                {"id": "STR", "fleet": list(ISLANDS)},
            ],
            "powers": [
                {"id": "North", "starts": ["F HAV", "F UPL"]},
                {"id": "South", "starts": ["F DAL", "F POR"]},
            ],
            "neutral": [],
        },
        {"builds_of": ["F"]},
    )
    assert f"{sentence('diplomacy.handbook.form_move')}: F HAV - STR" in topic(game, "forms")
    for seed in range(len(game.bots)):
        play(game, seed)
