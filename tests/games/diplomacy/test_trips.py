"""Land and water compete by steps: who embarks, who builds or carries a canoe-fleet, and who destroys one."""

from dataclasses import replace

import games
from games.dice import SealedDice
from games.diplomacy.bots.common import SeatMemory
from games.diplomacy.bots.intermediate import remembering
from games.diplomacy.bots.reasons import Denies, Heads
from games.diplomacy.model import BuildCanoe, Destroy, Move, Province
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.bot_positions import Frontier, state

INDIAN = games.kinds()["indianomacy"].rules.board


def but(*centres: str) -> str:
    """All centres but these."""
    return " ".join(centre for centre in INDIAN.centres if centre not in centres)


def alone(at: str, *wanted: str, season: str = "S", level: str = "intermediate", **fields) -> Frontier:
    """A lone Shoshoni who owns all centres but these."""
    position = state("indianomacy", season, {"Shoshoni": f"W {at}"}, {"Shoshoni": but(*wanted)})
    return Frontier("indianomacy", replace_fields(position, **fields), Seat("Shoshoni"), level)


READY = {"canoes": {Province("39"): 1}}


def test_a_war_party_embarks_for_nootka_where_a_canoe_fleet_lies_ready():
    """Two moves to Nootka by water, and four to Cree on foot, which is the other centre to win."""
    assert INDIAN.steps(["39"], on_foot=True)[Province("3")] == 4
    ((order, reason),) = alone("39", "36", "3", **READY).said().items()
    assert order == "W CNK - NSD CANOE"
    assert reason.startswith("takes a canoe-fleet and heads for Nootka, two steps away")


def test_the_intermediate_of_2026_walked():
    frontier = alone("39", "36", "3", **READY)
    bot = frontier.game.sparring["intermediate-2026"]
    (one,) = bot.moves(bot.situation(frontier.state, frontier.seat), frontier.dice)
    assert one.motive.goal == "3"


def test_a_canoe_fleet_is_built_where_the_way_is_shorter_and_not_for_its_own_sake():
    (builds,) = alone("39", "36").planned()
    assert isinstance(builds.order, BuildCanoe)
    (walks,) = alone("39", "36", "28").planned()
    assert walks.motive.how == "alone"
    assert walks.motive.goal == "28", "three steps on foot, and three by a canoe-fleet that is still to build"


def test_the_closest_centre_is_the_closest_by_land_and_water():
    for wanted in (("36", "3"), ("36", "28"), ("36", "26", "43"), ("3", "43")):
        for fields in ({}, READY):
            frontier = alone("39", *wanted, **fields)
            (one,) = frontier.planned()
            assert isinstance(one.motive, Heads)
            ready = 1 if fields else 2
            by_water = {Province("36"): ready + 1}
            on_foot = INDIAN.steps(["39"], on_foot=True)
            steps = {
                goal: min(by_water.get(goal, 99), on_foot.get(goal, 99)) for goal in map(Province, wanted)
            }
            assert one.motive.steps == steps[one.motive.goal]
            undisputed = {Province("36"): 2}
            nearest = min(steps[goal] - undisputed.get(goal, 2) for goal in steps)
            assert steps[one.motive.goal] - 2 == nearest


def test_a_canoe_fleet_is_carried_to_the_shore_of_another_water():
    """From the Mohawk over the Delaware's bay to Powhatan: carried, launched, landed."""
    assert INDIAN.steps(["10"], on_foot=True)[Province("63")] == 4
    ((order, reason),) = alone("10", "63", canoes={Province("10"): 1}).said().items()
    assert order == "W MHK - DEL CANOE"
    assert reason == "carries a canoe-fleet and heads for Powhatan, three steps away"


def crossing(failures: int) -> object:
    """An Iroquois on the east shore of Hudson Bay, whose moves to the Cree have failed so often."""
    position = state("indianomacy", "S", {"Iroquois": "W 5", "Blackfoot": "W 3"}, {"Iroquois": but("3")})
    frontier = Frontier("indianomacy", position, Seat("Iroquois"))
    memory = SeatMemory({Province("3"): failures})
    (one,) = frontier.player.moves(remembering(frontier.situation, memory), frontier.dice)
    return one


def test_hudson_bay_is_crossed_only_where_the_front_at_the_cree_is_stuck():
    """It takes a year, and the War Party is lost in five of nine crossings."""
    assert not isinstance(crossing(0).order, BuildCanoe)
    assert not isinstance(crossing(2).order, BuildCanoe)
    assert isinstance(crossing(4).order, BuildCanoe)
    assert (crossing(4).motive.goal, crossing(4).motive.steps) == ("3", 12)


def test_two_war_parties_do_not_build_for_the_same_water():
    """The way over the St. Lawrence is the shortest to Huron and to the Cree, and it takes one at a time."""
    position = state("indianomacy", "S", {"Iroquois": "W 10 W 12"}, {"Iroquois": but("15", "3")})
    planned = Frontier("indianomacy", position, Seat("Iroquois")).planned()
    assert sum(isinstance(one.order, BuildCanoe) for one in planned) == 1


def test_a_canoe_fleet_is_destroyed_before_an_enemy_takes_it():
    """The War Party is in Chinook, two Dakotas may come: it can't hold the place, and so destroys."""
    position = state(
        "indianomacy",
        "S",
        {"Shoshoni": "W 39", "Dakota": "W 35 W 38"},
        {"Shoshoni": but("36"), "Dakota": "36"},
    )
    frontier = Frontier("indianomacy", replace_fields(position, **READY), Seat("Shoshoni"))
    destroys = [one for one in frontier.planned() if isinstance(one.order, Destroy)]
    assert [one.motive for one in destroys] == [Denies(at=Province("39"), against=(Seat("Dakota"),))]
    assert frontier.said()["DESTROY CNK"] == "destroys a canoe-fleet in Chinook that Dakota could take"
    orders = {frontier.seat: [one.order for one in frontier.planned()]}
    assert all(
        frontier.game.rules.check(frontier.state, frontier.seat, one) is None for one in orders[frontier.seat]
    )
    after = frontier.game.rules.adjudicate(frontier.state, orders, SealedDice(b"", "", 0)).state
    assert not after.canoes.get(Province("39"))


def test_none_is_destroyed_where_no_enemy_can_come_or_where_it_is_taken_along():
    position = state("indianomacy", "S", {"Shoshoni": "W 39", "Dakota": "W 50"}, {"Shoshoni": but("36")})
    safe = Frontier("indianomacy", replace_fields(position, **READY), Seat("Shoshoni"))
    assert not any(isinstance(one.order, Destroy) for one in safe.planned())
    lake = state("indianomacy", "S", {"Shoshoni": "W 39", "Dakota": "W 35"}, {"Shoshoni": but("36")})
    near = replace(safe, state=replace_fields(lake, **READY))
    orders = [one.order for one in near.planned()]
    assert [isinstance(order, Move) and order.canoe for order in orders] == [True]
