"""Which orders are lawful, and what is said of those that are not; and what is lawful but odd."""

import pytest

from games.diplomacy.adjudication.legality import CONCERNS, OBJECTIONS
from games.diplomacy.model import Hold, Move, Piece, SupportHold, SupportMove
from games.record import replace_fields
from tests.kit.positions import BOARD, RULES, lines, place, position

STATE = position("""
    Iroquois: W Mohawk
              W Oneida
              W Seneca
    Illinois: W Pequot
    neutral:  W Delaware
""")


def objection(text, seat="Iroquois", state=STATE):
    """Return the objection to the one order of a text."""
    (line,) = lines(f"{seat}: {text}")
    assert line.order is not None
    return RULES.check(state, seat, line.order)


def names(near):
    """A list of provinces in a detail, by their names."""
    return [BOARD.name(one) for one in near.split()]


@pytest.mark.parametrize(
    "text",
    [
        "W Mohawk H",
        "W Mohawk - Delaware",
        "W Oneida S W Mohawk",
        "W Oneida S W Mohawk - Delaware",
        "W Oneida S W Delaware",
        "W Mohawk S W Pequot - Delaware",
        "W Mohawk S W Pequot",
    ],
)
def test_lawful_orders(text):
    assert objection(text) is None


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        ("W Pequot H", "not-yours", {"unit": "9", "power": "Illinois"}),
        ("W Delaware H", "not-yours", {"unit": "61", "power": "neutral"}),
        ("W Huron H", "no-unit", {"unit": "15"}),
        ("W Mohawk - Mohawk", "stays-put", {"unit": "10"}),
        ("W Mohawk S W Mohawk", "supports-itself", {"unit": "10"}),
        ("W Mohawk S W Oneida - Mohawk", "supports-itself", {"unit": "10"}),
        ("W Mohawk S W Abnaki", "no-unit-there", {"unit": "10", "other": "8"}),
        ("W Oneida S W Delaware - Mohawk", "neutral-stays", {"unit": "11", "other": "61"}),
        ("W Mohawk D", "not-due", {"order": "Disband", "phase": "S1M"}),
        ("W Mohawk B", "not-due", {"order": "Build", "phase": "S1M"}),
    ],
)
def test_unlawful_orders_and_their_details(text, code, detail):
    found = objection(text)
    assert found is not None
    assert (found.code, found.detail) == (code, detail)


def test_each_position_has_its_own_law():
    """Also if several are asked about in turn."""
    gone = replace_fields(STATE, units=tuple(unit for unit in STATE.units if BOARD.name(unit.at) != "Mohawk"))
    for _ in range(2):
        assert objection("W Mohawk H") is None
        assert objection("W Mohawk H", state=gone).code == "no-unit"


def test_a_move_too_far_names_the_legal_goals_nearest_first():
    found = objection("W Mohawk - Huron")
    assert found is not None
    assert (found.code, found.detail["unit"], found.detail["to"]) == ("not-adjacent", "10", "15")
    assert names(found.detail["near"]) == ["Delaware", "Pequot", "Oneida", "Abnaki"]


@pytest.mark.clause("indianomacy", "Dip-support-reach")
def test_a_support_too_far_names_goals_that_both_can_reach():
    """The supported unit's neighbours, as far as the supporter can reach them."""
    found = objection("W Oneida S W Mohawk - Abnaki")
    assert found is not None
    assert (found.code, found.detail["other"], found.detail["to"]) == ("support-too-far", "10", "8")
    assert names(found.detail["near"]) == ["Delaware"]
    hold = objection("W Seneca S W Mohawk")
    assert hold is not None
    assert (hold.code, hold.detail["near"]) == ("support-too-far", "")


def test_a_support_of_an_impossible_move_says_whose_move_it_is():
    found = objection("W Oneida S W Seneca - Delaware")
    assert found is not None
    assert (found.code, found.detail["unit"], found.detail["other"]) == ("other-not-adjacent", "11", "14")
    assert names(found.detail["near"])[0] == "Susquehanna"


@pytest.mark.clause("indianomacy", "1.1")
def test_water_is_not_entered_on_foot():
    found = objection("W Mohawk - St. Lawrence River")
    assert found is not None
    assert (found.code, found.detail["to"]) == ("no-canoe", "c")
    found = objection("W Mohawk - Lake Erie")
    assert found is not None
    assert (found.code, found.detail["to"]) == ("needs-canoe", "g")


def test_what_the_board_does_not_know_is_no_place():
    mohawk, oneida = Piece(kind="W", at="10"), Piece(kind="W", at="11")
    for order in (
        Move(unit=mohawk, to="atlantis"),
        SupportMove(unit=mohawk, other=oneida, to="atlantis"),
    ):
        found = RULES.check(STATE, "Iroquois", order)
        assert found is not None
        assert found.code == "no-place"


def test_another_kind_of_unit_is_not_meant():
    found = RULES.check(STATE, "Iroquois", Hold(unit=Piece(kind="F", at="10")))
    assert found is not None
    assert (found.code, found.detail) == ("wrong-kind", {"unit": "10", "kind": "W"})
    other = SupportHold(unit=Piece(kind="W", at="10"), other=Piece(kind="A", at="11"))
    found = RULES.check(STATE, "Iroquois", other)
    assert found is not None
    assert found.code == "no-unit-there"


def concerned(text):
    """The codes of what is odd about the orders of the Iroquois."""
    state = position("Iroquois: W Mohawk\nW Oneida\nW Onondaga\nIllinois: W Delaware")
    orders = [line.order for line in lines(text)]
    found = RULES.concerns(state, "Iroquois", orders)
    assert {one.code for one in found} <= set(CONCERNS)
    return [one.code for one in found]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Iroquois: W Mohawk - Delaware\nW Oneida S W Mohawk - Delaware", []),
        ("Iroquois: W Mohawk H\nW Oneida S W Mohawk", []),
        ("Iroquois: W Mohawk H\nW Oneida S W Mohawk - Delaware", ["unmatched-support"]),
        ("Iroquois: W Oneida S W Mohawk - Delaware", ["unmatched-support"]),
        ("Iroquois: W Mohawk - Abnaki\nW Oneida S W Mohawk", ["supports-a-mover"]),
        ("Iroquois: W Mohawk - Delaware\nW Oneida - Delaware", ["two-to-one"]),
        ("Iroquois: W Mohawk - Oneida\nW Oneida H", ["attacks-own"]),
        ("Iroquois: W Mohawk - Oneida\nW Oneida - Onondaga\nW Onondaga - Cayuga", []),
        ("Iroquois: W Mohawk - Oneida\nW Oneida - Mohawk", ["swaps"]),
        ("Iroquois: W Mohawk S W Delaware - Oneida", ["helps-against-own"]),
        ("Iroquois: W Mohawk S W Delaware - Oneida\nW Oneida - Cayuga", []),
        ("Iroquois: W Mohawk H\nW Mohawk - Delaware\nW Oneida S W Mohawk - Delaware", []),
    ],
)
def test_lawful_but_odd(text, codes):
    assert concerned(text) == codes


@pytest.mark.parametrize(
    ("phase", "text", "odd"),
    [
        ("F1M", "Iroquois: W Delaware - Mohawk", True),
        ("S1M", "Iroquois: W Delaware - Mohawk", False),
        ("F1M", "Iroquois: W Delaware H", False),
        ("F1M", "Iroquois: W Delaware - Mohawk\nW Oneida - Delaware", False),
        ("F1M", "Iroquois: W Mohawk - Abnaki", False),
        ("F1M", "Iroquois: W Delaware - Pequot", True),
        ("F1M", "Iroquois: W Delaware - Onondaga", False),
    ],
)
def test_leaving_a_centre_before_it_is_ones_own_is_odd(phase, text, odd):
    """In Fall alone; not for another such centre, and not where somebody follows."""
    state = position("Iroquois: W Mohawk\nW Oneida\nW Delaware", phase)
    owned = {place(BOARD, name): "Iroquois" for name in ("Mohawk", "Oneida")}
    orders = [line.order for line in lines(text)]
    found = RULES.concerns(replace_fields(state, centres=owned), "Iroquois", orders)
    assert ("leaves-centre" in [one.code for one in found]) == odd


def test_nothing_is_odd_in_other_phases():
    winter = position("Iroquois: W Mohawk", "W1A")
    assert RULES.concerns(winter, "Iroquois", []) == ()


def test_every_detail_is_as_the_table_of_objections_says():
    """The table is what the words are made from: its keys are the keys that are really there."""
    for text in ("W Pequot H", "W Huron H", "W Mohawk - Huron", "W Oneida S W Mohawk - Abnaki", "W Mohawk D"):
        found = objection(text)
        assert found is not None
        keys = OBJECTIONS[found.code].partition(": ")[2].split(", ")
        assert sorted(found.detail) == sorted(keys)


def test_near_places_begin_with_the_one_nearest_to_what_was_wanted():
    found = objection("W Seneca - Onondaga")
    assert found is not None
    near = found.detail["near"].split()
    steps = BOARD.steps([place(BOARD, "Onondaga")], on_foot=True)
    assert [steps[one] for one in near] == sorted(steps[one] for one in near)
