"""Distances: on foot, by canoe-fleet, carried over the water, under sail."""

import games
from games.diplomacy.bots.common import UNREACHABLE_STEPS, Ways
from games.diplomacy.model import Province

INDIAN = games.kinds()["indianomacy"].rules.board
STANDARD = games.kinds()["standard"].rules.board
ON_FOOT, BY_CANOE = Ways(INDIAN, canoes=False), Ways(INDIAN, canoes=True)
NOOTKA = Province("36")


def test_steps_are_counted_on_foot():
    steps = ON_FOOT.walked_to(Province("57"), landing=True, shunned=None)
    assert (steps[Province("57")], steps[Province("70")]) == (0, 1)
    assert not {"b", NOOTKA} & set(steps), "Nootka is reached by canoe only"


def test_a_canoe_fleet_is_built_launched_and_lands():
    steps = BY_CANOE.walked_to(NOOTKA, landing=True, shunned=None)
    assert (steps[Province("a")], steps[Province("39")]) == (1, 3)
    assert Province("39") not in BY_CANOE.walked_to(NOOTKA, landing=False, shunned=None), "somebody is there"


def test_hudson_bay_is_a_last_way():
    steps = BY_CANOE.walked_to(Province("5"), landing=True, shunned=None)
    assert (steps[Province("4")], steps[Province("b")]) == (2, 9), "through the Cree, not over the bay"


def test_nobody_goes_through_the_taboo_province():
    taboo = Province("120")
    open_way = BY_CANOE.walked_to(Province("64"), landing=True, shunned=None)
    closed = BY_CANOE.walked_to(Province("64"), landing=True, shunned=taboo)
    assert open_way[Province("69")] == 2
    assert closed[Province("69")] > 2
    assert taboo not in closed


def test_an_army_waits_for_the_fleet_that_carries_it():
    ways = Ways(STANDARD, canoes=False)
    steps = ways.walked_to(Province("NWY"), landing=True, shunned=None)
    assert (steps[Province("SWE")], steps[Province("EDI")]) == (1, 3)
    assert steps[Province("LVP")] == 4, "to Edinburgh, or to another shore of the North Sea, first"
    assert not any(STANDARD.places[place].kind == "sea" for place in steps)


def test_a_fleet_sails_along_its_coast():
    ways = Ways(STANDARD, canoes=False)
    steps = ways.sailed_to(Province("FIN"))
    assert (steps[Province("BOT")], steps[Province("STP/SC")]) == (1, 1)
    assert steps[Province("STP/NC")] == 3, "round by Norway and Sweden"
    assert steps.get(Province("MUN"), UNREACHABLE_STEPS) == UNREACHABLE_STEPS


def test_the_middle_of_the_board_has_the_fewest_steps_to_all_centres():
    for board, name in ((STANDARD, "Munich"), (INDIAN, "Missouri")):
        outward = Ways(board, canoes=False).outward
        assert [board.name(place) for place, steps in outward.items() if steps == 0] == [name]
        assert set(outward) == set(board.places)
