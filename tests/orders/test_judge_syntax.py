"""The Judge's published order syntax (the njudge's file data/syntax), form by form, in our own examples.

Each form has an example that must be understood. Forms of variants that no game here has, proxies, wings and
transformations, get an answer and are never accepted; so does a lone f for the fast ferry of such a variant,
since "Bul s F Bla - Rum" would have two meanings.
"""

import pytest

from tests.kit.dry_runs import graded_lines

SPRING = None
RETREATS = {
    "phase": "F1902R",
    "units": {"France": ["A Paris", "A Marseilles"], "Germany": ["A Burgundy", "F Belgium"]},
    "dislodged": {
        "France": [
            {"unit": "A Burgundy", "by_from": "Munich", "retreats": ["Gascony", "Picardy"]},
            {"unit": "F Belgium", "by_from": "Holland", "retreats": ["English Channel", "Picardy"]},
        ]
    },
}
BUILDS = {
    "phase": "W1901A",
    "units": {"France": ["A Spain"], "Russia": ["A Rumania"]},
    "centres": {
        "France": ["Paris", "Brest", "Marseilles", "Spain"],
        "Russia": ["St Petersburg", "Moscow", "Rumania"],
    },
}
REMOVALS = {
    "phase": "W1901A",
    "units": {"France": ["A Paris", "F Brest", "A Gascony"]},
    "centres": {"France": ["Paris"]},
}
FLEETS = {
    "phase": "F1902M",
    "units": {
        "England": [
            "A London",
            "F North Sea",
            "F Norwegian Sea",
            "F Mid-Atlantic Ocean",
            "F Western Mediterranean",
            "F Gulf of Lyon",
            "A Brest",
        ],
        "Germany": ["A Munich", "F Kiel", "A Berlin"],
        "France": ["A Paris"],
    },
}

HOLDS = ("h", "hold", "holds", "stand", "stands")
MOVES = ("-", "->", "m", "move", "moves", "move to", "moves to")
SUPPORTS = ("s", "support", "supports")
CONVOYS = (
    *("c", "convoy", "convoys", "t", "transport", "transports"),
    *("fast ferry", "ferry", "ff"),
)
TYPES = ("", "a ", "army ", "A ", "Army ")


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("holds", HOLDS)
def test_hold(type_: str, holds: str) -> None:
    assert graded_lines(f"{type_}Par {holds}") == ["taken A PAR H"]


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("moves", MOVES)
def test_move(type_: str, moves: str) -> None:
    assert graded_lines(f"{type_}Paris {moves} Bur") == ["taken A PAR - BUR"]


@pytest.mark.parametrize("type_", ["", "f ", "fleet ", "F "])
def test_move_of_a_fleet(type_: str) -> None:
    assert graded_lines(f"{type_}bre - english channel") == ["taken F BRE - ENG"]


@pytest.mark.parametrize("moves", MOVES)
def test_move_over_each_water_of_its_convoy(moves: str) -> None:
    assert graded_lines(f"A Lon {moves} Nth {moves} Nwy", seat="England", question=FLEETS) == [
        "taken A LON - NWY VIA"
    ]
    long = f"A Bre {moves} Mid {moves} Wes {moves} Lyo {moves} Mar"
    assert graded_lines(long, seat="England", question=FLEETS) == ["taken A BRE - MAR VIA"]


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("supports", SUPPORTS)
def test_support_of_a_unit_that_stays(type_: str, supports: str) -> None:
    assert graded_lines(f"{type_}Par {supports} Bre") == ["taken A PAR S F BRE"]


@pytest.mark.parametrize("supports", SUPPORTS)
@pytest.mark.parametrize("moves", MOVES)
def test_support_of_a_unit_that_moves(supports: str, moves: str) -> None:
    assert graded_lines(f"a Mar {supports} a Par {moves} Bur") == ["taken A MAR S A PAR - BUR"]
    assert graded_lines(f"Mar {supports} Par {moves} Bur") == ["taken A MAR S A PAR - BUR"]


@pytest.mark.parametrize("convoys", CONVOYS)
@pytest.mark.parametrize("moves", MOVES)
def test_convoy(convoys: str, moves: str) -> None:
    for text in (f"F Nth {convoys} A Lon {moves} Nwy", f"nth {convoys} lon {moves} nwy"):
        assert graded_lines(text, seat="England", question=FLEETS) == ["taken F NTH C A LON - NWY"]


def test_a_lone_f_is_a_fleet_and_no_ferry() -> None:
    there = {"phase": "S1902M", "units": {"Turkey": ["A Bulgaria", "F Black Sea"]}}
    assert graded_lines("A Bul S F Bla - Rum", seat="Turkey", question=there) == ["taken A BUL S F BLA - RUM"]


@pytest.mark.parametrize("coast", ["/sc", "(sc)", "/south coast", "(south coast)", "/SC", " (SC)"])
def test_coasts(coast: str) -> None:
    there = {"phase": "S1902M", "units": {"France": ["F Mid-Atlantic Ocean"]}}
    assert graded_lines(f"F Mid - Spain{coast}", question=there) == ["taken F MAO - SPA/SC"]
    assert graded_lines(f"F Mid - spa{coast}", question=there) == ["taken F MAO - SPA/SC"]


@pytest.mark.parametrize("line", ["A Par p Germany", "A Par proxy Ger", "A Par proxy to Germany"])
def test_a_proxy_is_no_order_of_the_games_here_and_is_answered(line: str) -> None:
    assert graded_lines(line) == ["unread"]


@pytest.mark.parametrize("line", ["Par transforms to fleet", "F Bre transform to army", "Bre trafo army"])
def test_nor_is_a_transformation(line: str) -> None:
    assert graded_lines(line) == ["unread"]


@pytest.mark.parametrize("moves", MOVES)
def test_retreat(moves: str) -> None:
    assert graded_lines(f"A Bur {moves} Gas", question=RETREATS) == ["taken A BUR - GAS"]
    assert graded_lines(f"army burgundy {moves} gascony", question=RETREATS) == ["taken A BUR - GAS"]
    assert graded_lines(f"F Bel {moves} Eng", question=RETREATS) == ["taken F BEL - ENG"]


@pytest.mark.parametrize("disbands", ["d", "disband", "disbands"])
def test_disbanding_instead(disbands: str) -> None:
    assert graded_lines(f"A Bur {disbands}", question=RETREATS) == ["taken A BUR D"]
    assert graded_lines(f"fleet Belgium {disbands}", question=RETREATS) == ["taken F BEL D"]


@pytest.mark.parametrize("builds", ["b ", "build ", ""])
def test_build(builds: str) -> None:
    assert graded_lines(f"{builds}A Paris", question=BUILDS) == ["taken A PAR B"]
    assert graded_lines(f"{builds}army Mar", question=BUILDS) == ["taken A MAR B"]
    assert graded_lines(f"{builds}F Bre", question=BUILDS) == ["taken F BRE B"]
    assert graded_lines(f"{builds}fleet Brest", question=BUILDS) == ["taken F BRE B"]
    assert graded_lines(f"{builds}F Stp/nc", seat="Russia", question=BUILDS) == ["taken F STP/NC B"]


@pytest.mark.parametrize("removes", ["r ", "remove ", "d ", "disband ", ""])
def test_remove(removes: str) -> None:
    assert graded_lines(f"{removes}A Gas", question=REMOVALS) == ["taken A GAS D"]
    assert graded_lines(f"{removes}fleet Brest", question=REMOVALS) == ["taken F BRE D"]
    assert graded_lines(f"{removes}Gascony", question=REMOVALS) == ["taken A GAS D"]


@pytest.mark.parametrize("waives", ["w", "waive", "W", "WAIVE"])
def test_waive(waives: str) -> None:
    assert graded_lines(waives, question=BUILDS) == ["taken WAIVE"]


def test_a_lone_w_says_nothing_where_no_build_is_due() -> None:
    assert (
        graded_lines("w")
        == graded_lines("w", question=REMOVALS)
        == graded_lines("w", question=RETREATS)
        == []
    )


def test_several_orders_on_a_line() -> None:
    several = ["taken A PAR - BUR", "taken A MAR - SPA", "taken F BRE - MAO"]
    assert graded_lines("A Par-Bur, A Mar-Spa; F Bre-Mid") == several


def test_the_last_order_for_a_unit_counts() -> None:
    assert graded_lines("A Par - Bur\nA Par - Pic") == ["taken A PAR - BUR", "taken A PAR - PIC"]


PHASES = {
    "PHASE Spring 1902 Movement": "S1902M",
    "PHASE S1902M": "S1902M",
    "phase spring 1902 m": "S1902M",
    "PHASE S 1902 M": "S1902M",
    "PHASE Summer 1902 Retreat": "S1902R",
    "PHASE S 1902 R": "S1902R",
    "PHASE Fall 1904 Movement": "F1904M",
    "PHASE f 1904 mov": "F1904M",
    "PHASE Fall 1901 Retreat": "F1901R",
    "PHASE Winter 1901 Adjustment": "W1901A",
    "PHASE Winter 1901 Build": "W1901A",
    "PHASE w 1901 b": "W1901A",
    "Phase W1901A": "W1901A",
}


@pytest.mark.parametrize("line", PHASES)
def test_phase(line: str) -> None:
    order = {"M": "A Paris - Burgundy", "R": "A Paris - Burgundy", "A": "Build A Paris"}[PHASES[line][-1]]
    read = {"M": "A PAR - BUR", "R": "A PAR - BUR", "A": "A PAR B"}[PHASES[line][-1]]
    assert graded_lines(f"{line}\n{order}") == [f"taken [PHASE {PHASES[line]}] {read}"]


def test_more_than_five_years_ahead_is_no_phase() -> None:
    assert graded_lines("PHASE Spring 1907 Movement\nA Paris - Burgundy")[0] == "unread"
    assert graded_lines("PHASE Spring 1906 Movement\nA Paris - Burgundy") == [
        "taken [PHASE S1906M] A PAR - BUR"
    ]


IFS = {
    "IF German Army Burgundy": "Germany A BUR",
    "if not german army burgundy": "NOT Germany A BUR",
    "IF A Burgundy": "A BUR",
    "IF Fleet Belgium": "F BEL",
    "IF Burgundy": "BUR is occupied",
    "IF Germany Burgundy": "Germany in BUR",
    "IF ge bur": "Germany in BUR",
    "IF Burgundy German": "Germany in BUR",
    "IF army bur ger": "Germany A BUR",
    "IF Bur army German": "Germany A BUR",
    "IF NOT French Army Ruhr AND (Russian Prussia OR Russian Silesia)": (
        "NOT France A RUH AND (Russia in PRU OR Russia in SIL)"
    ),
    "IF Bur OR Bel AND NOT Hol": "(BUR is occupied OR BEL is occupied) AND NOT HOL is occupied",
    "IF (Bur OR (Bel AND Hol": "BUR is occupied OR (BEL is occupied AND HOL is occupied)",
}


@pytest.mark.parametrize("then", ["", " THEN", " then"])
@pytest.mark.parametrize("line", IFS)
def test_if(line: str, then: str) -> None:
    text = f"PHASE Fall 1901 Movement\n{line}{then}\n  Paris support Brest\nENDIF"
    assert graded_lines(text) == [f"taken [PHASE F1901M IF {IFS[line]}] A PAR S F BRE"]


def test_else_if_and_else() -> None:
    text = "IF German Bur THEN\nPar h\nELSE IF Italian Mar THEN\nPar - Gas\nELSE\nPar - Bur\nENDIF\nBre - Mid"
    assert graded_lines(text) == [
        "taken [IF Germany in BUR] A PAR H",
        "taken [ELSE IF Italy in MAR] A PAR - GAS",
        "taken [ELSE] A PAR - BUR",
        "taken F BRE - MAO",
    ]


def test_ifs_nest_and_the_end_of_the_letter_closes_them() -> None:
    text = "PHASE F1901M\nIF Bur\nIF Bel\nPar - Pic\nELSE\nPar - Gas"
    assert graded_lines(text) == [
        "taken [PHASE F1901M IF BUR is occupied IF BEL is occupied] A PAR - PIC",
        "taken [PHASE F1901M IF BUR is occupied ELSE] A PAR - GAS",
    ]


def test_the_example_of_the_manual_in_other_places() -> None:
    text = (
        "PHASE Fall 1903 Movement\nIF NOT Italian Army Piedmont AND (German Burgundy OR German Ruhr)\n"
        "  Marseilles -> Burgundy\n  Gascony support Marseilles -> Burgundy\nELSE Marseilles -> Piedmont\n"
        "  Gascony -> Marseilles\nENDIF"
    )
    found = graded_lines(text)
    assert [one.split("] ")[1] for one in found] == [
        *("A MAR - BUR", "A GAS S A MAR - BUR", "A MAR - PIE", "A GAS - MAR"),
    ]
    assert {one.split()[0] for one in found} == {"taken"}
