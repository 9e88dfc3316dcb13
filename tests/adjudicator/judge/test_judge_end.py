"""The stateless adjudicator reports the end of a game as soon as it is decided."""

import json
from typing import Any

import pytest

from adjudicator.judge import answer_question, find_judge

JUDGE = find_judge("standard")
GERMANY = [
    "BER",
    "KIE",
    "MUN",
    "DEN",
    "HOL",
    "BEL",
    "SWE",
    "NWY",
    "STP",
    "MOS",
    "WAR",
    "VIE",
    "BUD",
    "TRI",
    "SER",
    "PAR",
    "BRE",
]
OTHERS = {
    "Italy": ["ROM", "NAP", "VEN", "TUN", "GRE"],
    "France": ["MAR", "SPA", "POR"],
    "England": ["LON", "LVP", "EDI"],
    "Turkey": ["ANK", "CON", "SMY", "BUL", "RUM", "SEV"],
}
VENICE: dict[str, Any] = {
    "phase": "F1905R",
    "units": {"Germany": ["A Ven", "A Pie", "A Mun"], "Italy": ["A Alb", "A Apu"]},
    "centres": {"Germany": GERMANY, **OTHERS},
    "dislodged": {"Italy": [{"unit": "A Ven", "by_from": "TYR"}]},
}


def ask_judge(**question: Any) -> dict[str, Any]:
    """The answer to a question."""
    said, good = answer_question(JUDGE, json.dumps(question).encode())
    assert good, said
    return dict(said)


def test_eighteen_centres_after_the_retreats_of_fall_win():
    said = ask_judge(**VENICE, orders={"Italy": ["A Ven D"]})
    assert (said["next"]["phase"], said["winners"]) == (None, ["Germany"])
    assert [(row["read_as"], row["outcome"]) for row in said["results"]] == [("A VEN D", "disbanded")]


@pytest.mark.parametrize(
    ("orders", "phase"),
    [
        ({"Italy": ["A Ven - Tri"]}, "W1905A"),
        ({"Italy": ["A Ven - Tus"]}, None),
        ({}, None),
    ],
)
def test_a_retreat_into_a_centre_decides(orders, phase):
    said = ask_judge(**VENICE, orders=orders)
    assert said["next"]["phase"] == phase
    assert ("winners" in said) is (phase is None)


def test_where_nobody_retreats_the_moves_of_fall_win():
    said = ask_judge(
        phase="F1905M",
        units={"Germany": ["A Tyr"], "Italy": ["A Alb"]},
        centres=VENICE["centres"],
        orders={"Germany": ["A Tyr - Ven"]},
    )
    assert (said["next"]["phase"], said["winners"]) == (None, ["Germany"])


@pytest.mark.parametrize(("phase", "after"), [("S1905R", "F1905M"), ("S1905M", "F1905M")])
def test_nothing_is_won_in_spring(phase, after):
    beaten = VENICE["dislodged"] if phase.endswith("R") else {}
    said = ask_judge(**{**VENICE, "phase": phase, "dislodged": beaten})
    assert (said["next"]["phase"], "winners" in said) == (after, False)


def test_by_the_former_rule_the_builds_of_winter_come_first():
    winter = {"options": {"victory_after": "winter"}}
    said = ask_judge(**VENICE, orders={"Italy": ["A Ven D"]}, **winter)
    assert (said["next"]["phase"], said["next"]["options"]) == ("W1905A", {"victory_after": "winter"})
    over = ask_judge(**said["next"])
    assert (over["next"]["phase"], over["winners"]) == (None, ["Germany"])


def test_a_winter_that_is_asked_about_still_ends_the_game():
    said = ask_judge(phase="W1905A", units=VENICE["units"], centres={"Germany": [*GERMANY, "VEN"]})
    assert (said["next"]["phase"], said["winners"]) == (None, ["Germany"])


LAST: dict[str, Any] = {
    "phase": "F1905M",
    "units": {"Germany": ["A Mun", "A Ber"], "France": ["A Par"]},
    "centres": {"Germany": ["MUN", "BER", "KIE"], "France": ["PAR"]},
    "orders": {"Germany": ["A Mun H"], "France": ["A Par H"]},
}


@pytest.mark.parametrize(
    ("options", "phase", "winners"),
    [
        ({"last_year": 1905}, None, []),
        ({"last_year": 1904}, None, []),
        ({"last_year": 1906}, "W1905A", None),
        ({}, "W1905A", None),
        ({"last_year": 1905, "victory_after": "winter"}, "W1905A", None),
        ({"last_year": 1905, "victory_after": "fall"}, None, []),
    ],
)
def test_after_fall_of_the_last_year_the_draw_stands(options, phase, winners):
    said = ask_judge(**LAST, options=options)
    assert (said["next"]["phase"], said.get("winners")) == (phase, winners)


@pytest.mark.parametrize("kind", ["standard", "fleet-rome", "chaos"])
def test_a_rule_that_is_none_of_both_is_refused(kind):
    question = {"phase": "F1905M", "units": {}, "options": {"victory_after": "spring"}}
    said, good = answer_question(find_judge(kind), json.dumps(question).encode())
    assert not good
    assert said["at"] == "options.victory_after"


def test_an_army_beside_its_goal_walks_where_its_useless_fleet_is_on_no_route():
    """A fleet in the Norwegian Sea convoys nobody from Wales to London: no fleet of a route is ordered to."""
    said = ask_judge(
        phase="S1901M",
        units={
            "England": ["A Wal", "F Eng", "F Nrg"],
            "France": ["F Iri", "F Nao", "F Nth"],
            "Germany": ["F Ska", "F Hel"],
        },
        orders={
            "England": ["A Wal - Lon", "F Nrg C A Wal - Lon"],
            "Germany": ["F Ska - Nth", "F Hel S F Ska - Nth"],
        },
    )
    assert said["results"][0]["outcome"] == "moved"
    assert "A LON" in said["next"]["units"]["England"]
