"""Rules that a board can have as data: what powers own and where they build, garrisons, borders, coasts."""

import pytest

from games.dice import NoDice
from games.messages import sentence
from games.protocol import Invalid
from tests.kit.made_boards import asked, made_game, outcomes, reasons, told, topic

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
