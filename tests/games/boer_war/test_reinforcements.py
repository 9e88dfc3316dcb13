"""Reinforcements, recruits, reorganization, camps, blockhouses, and leaders who arrive and leave."""

from typing import Any

import pytest

from games.boer_war import works
from games.boer_war.components import Side, materials
from games.boer_war.events import Arrived, Built, CampSet, Left, Reinforced, TurnBegan
from games.boer_war.model import State
from games.boer_war.sequence import bring_due_leaders, landing_points, retire_leaders
from games.boer_war.working_state import WorkingState
from games.pool import RoundCounters
from tests.games.boer_war.field import FEW, Fated, after, at, on_books, play, sp, told, war, why_not

LAST = RoundCounters(ones=1, twos=0, threes=0)
"""The counters with one round of one action left."""


@pytest.mark.clause("boer-war", "7.reinforce", "6.once")
def test_the_empire_reinforces_whom_it_can_reach() -> None:
    """Once a round a leader in supply or a port gets 1 SP in Turn I, 2 SP later."""
    state = war(empire="MET MOD 4, BUL DUR 8", side="empire", pools={"empire": 6})
    reinforced = after(state, "REINFORCE MET", go=True)
    assert (sp(reinforced, "MET"), reinforced.pools["empire"]) == (5, 5)
    assert why_not(reinforced, "REINFORCE DUR 1") == "reinforced-already"
    assert why_not(state, "REINFORCE MET 2") == "too-much"
    assert why_not(state, "REINFORCE BUL") == "no-room"
    assert after(state, "REINFORCE CPT 1").garrisons == {"CPT": 1}
    assert why_not(state, "REINFORCE DEA 1") == "no-port"
    later = war(empire="MET MOD 2", side="empire", turn=2, pools={"empire": 6})
    assert sp(after(later, "REINFORCE MET 2"), "MET") == 4
    cut = ("BEW-DEA",)
    cut_off = war(empire="MET MOD 2", side="empire", pools={"empire": 6}, cuts=cut, boer="NAA")
    assert why_not(cut_off, "REINFORCE MET") == "leader-unsupplied"
    assert why_not(war(empire="MET MOD 2", side="empire"), "REINFORCE MET") == "pool-empty"


@pytest.mark.clause("boer-war", "7.reinforce", "3.leader")
def test_a_leader_of_the_box_comes_back_at_a_port() -> None:
    """The leader comes with the SP from the pool."""
    state = war(side="empire", turn=2, boxes={"empire": ("GAT",)}, pools={"empire": 3})
    outcome = play(state, "REINFORCE GAT ELN 2")
    (back,) = told(outcome, Reinforced)
    assert (back.back, back.sp, back.left) == (True, 2, 1)
    assert (at(outcome.state, "GAT"), outcome.state.boxes["empire"]) == ("ELN", ())
    assert why_not(state, "REINFORCE GAT PRE") == "no-port"


@pytest.mark.clause("boer-war", "7.reinforce")
def test_the_boers_reinforce_at_home() -> None:
    """One SP goes to a leader with room at a point under their control."""
    state = war("JOU VOL 5, OLI SMI 3, SCH COL 1", pools={"boers": 2})
    assert sp(after(state, "REINFORCE JOU"), "JOU") == 6
    assert why_not(state, "REINFORCE OLI") == "no-room"
    assert why_not(state, "REINFORCE SCH") == "not-boer-controlled"
    assert why_not(state, "REINFORCE JOU 2") == "too-much"


@pytest.mark.clause("boer-war", "7.reorganize", "6.once")
def test_the_scattered_are_reorganized() -> None:
    """Two SP go to a leader with room. Only one REINFORCE or REORGANIZE is possible in a round."""
    state = war("JOU VOL 4", pools={"boers": 2}, scattered={"boers": 3}, boxes={"boers": ("OLI",)})
    gathered = after(state, "REORGANIZE JOU", go=True)
    assert (sp(gathered, "JOU"), gathered.scattered["boers"]) == (6, 1)
    assert why_not(gathered, "REINFORCE JOU") == "reinforced-already"
    back = after(state, "REORGANIZE OLI SMI 2")
    assert (at(back, "OLI"), sp(back, "OLI"), back.boxes["boers"]) == ("SMI", 2, ())
    assert why_not(state, "REORGANIZE OLI COL") == "no-haven"
    assert why_not(state, "REORGANIZE OLI") == "where-back"
    assert why_not(war("JOU VOL 4"), "REORGANIZE JOU") == "none-scattered"
    empire = war(empire="WHI LAD 3", side="empire", scattered={"empire": 2}, boxes={"empire": ("GAT",)})
    assert at(after(empire, "REORGANIZE GAT ELN 1"), "GAT") == "ELN"
    assert why_not(empire, "REORGANIZE GAT QUE 1") == "no-haven"


@pytest.mark.clause("boer-war", "8.reorganize", "10.4")
def test_in_the_guerrilla_war_leaders_come_back_anywhere_in_the_republics() -> None:
    """It's only possible without Empire SP."""
    boxed = {"scattered": {"boers": 2}, "boxes": {"boers": ("DWT",)}}
    state = war(garrisons="KRO 1", turn=3, imperial="LIN KRO", **boxed)
    assert at(after(state, "REORGANIZE DWT LIN"), "DWT") == "LIN"
    assert why_not(state, "REORGANIZE DWT KRO") == "no-haven"
    assert why_not(state, "REORGANIZE DWT COL") == "no-haven"


@pytest.mark.clause("boer-war", "8.recruit")
def test_recruits_come_where_no_camp_and_no_empire_is() -> None:
    """They count in R. Each point gives one recruit a Turn."""
    state = war("DWT REI 2, HER COL 1, MAR BEW 1", turn=3, recruit_pool=5)
    outcome = play(state, "REINFORCE DWT", go=True)
    (came,) = told(outcome, Reinforced)
    assert (came.source, came.count, came.left) == ("recruits", 1, 4)
    assert (outcome.state.recruits, outcome.state.recruited) == (1, ("REI",))
    assert why_not(state, "REINFORCE HER") is None
    assert why_not(state, "REINFORCE MAR") == "no-boer-country"
    few = {"boers": "DWT REI 1", "turn": 3, "recruit_pool": 5}
    assert why_not(war(**{**few, "boers": "DWT REI 3"}), "REINFORCE DWT") == "strong-enough"
    assert why_not(war(**few, recruited=("REI",)), "REINFORCE DWT") == "recruited-already"
    assert why_not(war(**few, camps=("HAR",)), "REINFORCE DWT") == "camp-near"
    lines = {**few, "boers": "DWT KRO 1", "blockhouses": ("KRO-VER",)}
    assert why_not(war(**lines), "REINFORCE DWT") == "blockhouses-there"
    assert why_not(war(**lines, options={"numbers": "even"}), "REINFORCE DWT") is None
    assert why_not(war(**{**few, "recruit_pool": 0}), "REINFORCE DWT") == "no-recruits-left"


@pytest.mark.clause("boer-war", "8.camp")
def test_camps_stand_where_railways_lead_to_a_port() -> None:
    """It's once a round, at a site with Empire SP.

    Cuts and Boer control break the line, but Boers on it don't.
    """
    line = "SPR BLO BRA KRO VER JOH PRE COL NAA"
    state = war(garrisons="KRO 1, BLO 1, LIN 1", side="empire", turn=3, imperial=line)
    outcome = play(state, "CAMP KRO", go=True)
    (camp,) = told(outcome, CampSet)
    assert (camp.at, camp.camps, outcome.state.camps) == ("KRO", 1, ("KRO",))
    assert why_not(outcome.state, "CAMP BLO") == "camp-already"
    assert why_not(state, "CAMP LIN") == "no-camp-site"
    assert why_not(state, "CAMP PRE") == "nobody-there"
    assert works.camp_sites(state) == ("BLO", "KRO")
    here = {"garrisons": "KRO 1", "side": "empire", "turn": 3, "imperial": line}
    assert why_not(war(**here, camps=("KRO",)), "CAMP KRO") == "has-camp"
    assert why_not(war(**here, cuts=("BRA-KRO",)), "CAMP KRO") == "not-joined"
    assert why_not(war("DWT BRA 2", **here), "CAMP KRO") is None
    assert why_not(war(**{**here, "imperial": "SPR BLO KRO COL NAA"}), "CAMP KRO") == "not-joined"
    assert why_not(war(**here, camps=("BLO",) * 24), "CAMP KRO") == "no-camps-left"


@pytest.mark.clause("boer-war", "8.blockhouse")
def test_blockhouses_stand_between_points_of_the_empire() -> None:
    """There are twelve lines at most."""
    state = war(side="empire", turn=3, imperial="KRO VER")
    outcome = play(state, "BLOCKHOUSE KRO-VER")
    assert told(outcome, Built)[0].count == 1
    assert outcome.state.blockhouses == ("KRO-VER",)
    assert "KRO-VER" in works.guardable_links(state)
    assert "KRO-VER" not in works.guardable_links(outcome.state)
    assert why_not(state, "BLOCKHOUSE BRA-KRO") == "not-empire-controlled"
    full = war(side="empire", turn=3, imperial="KRO VER", blockhouses=("CPT-WOR",) * 12)
    assert why_not(full, "BLOCKHOUSE KRO-VER") == "no-blockhouses-left"


def came(side: Side, number: int, **position: Any) -> tuple[list[Arrived], State]:
    """Return the leaders who arrive at the start of a side's round, and the state then."""
    flipped = number - 1
    left = RoundCounters(
        ones=4 - min(4, flipped), twos=4 - min(4, max(0, flipped - 4)), threes=3 - max(0, flipped - 8)
    )
    state = war(side=side, counters={side: left}, **position)
    assert state.round == number
    theatre = WorkingState(state, Fated())
    bring_due_leaders(theatre)
    return [event for event in theatre.events if isinstance(event, Arrived)], theatre.now


@pytest.mark.clause("boer-war", "5.lands")
def test_empire_leaders_land_in_their_round() -> None:
    """Buller and Methuen arrive in the third round, at the first port listed or at Cape Town."""
    arrived, state = came("empire", 3)
    assert [(one.leader, one.at, one.sp) for one in arrived] == [("BUL", "CPT", 3), ("MET", "CPT", 3)]
    assert on_books(state, "empire") == state.brought["empire"] == 6
    arrived, _ = came("empire", 4, boer="ELN")
    assert [(one.leader, one.at) for one in arrived] == [("FRE", "CPT"), ("GAT", "CPT")]


@pytest.mark.clause("boer-war", "5.wish")
def test_the_owner_may_say_where() -> None:
    """The order comes before the arrival. If the point isn't possible, the order has no effect."""
    state = war(empire="WHI LAD 1", side="empire")
    wished = after(state, "LAND BUL DUR", "PASS")
    assert wished.lands == {"BUL": "DUR"}
    arrived, _ = came("empire", 3, lands={"BUL": "DUR"})
    assert arrived[0].at == "DUR"
    arrived, _ = came("empire", 3, lands={"BUL": "DUR"}, boer="DUR")
    assert arrived[0].at == "CPT"
    assert why_not(state, "LAND BUL PEL") == "lands-elsewhere"
    assert why_not(state, "LAND WHI CPT") == "not-coming"
    inland = war(garrisons="KRO 1, BLO 3", turn=3, imperial="KRO BLO PRE")
    assert landing_points(inland, materials().leaders["ELL"])[:2] == ("BLO", "KRO")
    assert why_not(war(side="empire", turn=3), "LAND ELL CPT") == "lands-by-rail"


@pytest.mark.clause("boer-war", "5.joins")
def test_botha_joins_joubert() -> None:
    """The leader takes three SP and leaves one.

    From Joubert with only one SP the leader takes none and brings one.
    """
    for have, left, taken in ((5, 2, 3), (3, 1, 2), (1, 1, 1)):
        arrived, state = came("boers", 4, boers=f"JOU VOL {have}, MEY VHD 2")
        (botha,) = arrived
        assert (botha.leader, botha.at, botha.sp) == ("BOT", "VOL", taken)
        assert sp(state, "JOU") == left
        assert botha.giver == (None if have == 1 else "JOU")
    arrived, state = came("boers", 4, boers="MEY VHD 2")
    assert (arrived[0].at, sp(state, "MEY")) == ("VHD", 1)


@pytest.mark.clause("boer-war", "5.homeless")
def test_without_them_he_comes_to_pretoria() -> None:
    """Otherwise it's the nearest Boer point in the republics, or the leader waits in the box."""
    arrived, _ = came("boers", 4)
    assert (arrived[0].at, arrived[0].sp) == ("PRE", 1)
    arrived, _ = came("boers", 4, imperial="PRE")
    assert arrived[0].at == "JOH"
    everything = " ".join(point for point, place in materials().places.items() if place.is_republic)
    arrived, state = came("boers", 4, imperial=everything)
    assert (arrived, state.boxes["boers"], state.scattered["boers"]) == ([], ("BOT",), 1)


@pytest.mark.clause("boer-war", "5.leaves", "3.scattered", "6.pools", "6.recruited", "12.2.lapse")
def test_the_end_of_a_turn() -> None:
    """Joubert's SP go to the nearest leader with room.

    Half of the scattered are lost, and the pools get new SP.
    """
    state = war(
        "JOU VOL 5, MEY NEW 3, BOT VHD 5",
        "WHI LAD 2",
        side="empire",
        counters={"boers": RoundCounters(ones=0, twos=0, threes=0), "empire": LAST},
        scattered={"boers": 5, "empire": 2},
        pools={"boers": 1, "empire": 2},
        repulsed=("MET",),
        kept={"B05": "", "B01": "LAD"},
        gone=("ROB", "KIT"),
    )
    outcome = play(state, "PASS")
    now = outcome.state
    (left,) = told(outcome, Left)
    assert (left.leader, left.handed, left.scattered) == ("JOU", {"MEY": 1, "BOT": 1}, 3)
    assert now.scattered == {"boers": 2 + 3, "empire": 1}
    assert now.lost == {"boers": 3, "empire": 1}
    assert told(outcome, TurnBegan)[0].came == {"boers": 4, "empire": 16}
    assert now.pools == {"boers": 5, "empire": 18}
    assert (now.turn, now.side, now.repulsed, now.kept) == (2, "boers", (), {"B01": "LAD"})
    assert now.counters == {"boers": RoundCounters(), "empire": RoundCounters()}
    assert on_books(now, "boers") == now.brought["boers"]


@pytest.mark.clause("boer-war", "5.leaves", "5.shut-in")
def test_empire_leaders_leave_garrisons() -> None:
    """White is besieged in Ladysmith, so the SP stay there. Gatacre's SP go to Kitchener next to him."""
    state = war("BOT LAD 4", "WHI LAD 3, GAT STO 2, KIT STO 7, MET COL 1", besieged="LAD 1", turn=2)
    theatre = WorkingState(state, Fated())
    retire_leaders(theatre)
    left = {one.leader: one for one in theatre.events if isinstance(one, Left)}
    assert (left["WHI"].handed, left["WHI"].kept) == ({}, 3)
    assert left["GAT"].handed == {"KIT": 1, "MET": 1}
    assert theatre.now.garrisons == {"LAD": 3}
    assert theatre.now.gone == ("WHI", "GAT")


@pytest.mark.clause("boer-war", "5.leaves", "5.shut-in")
def test_nothing_is_handed_into_a_besieged_town() -> None:
    """Rundle is nearer but besieged in Ladysmith, so Gatacre's SP go to Kitchener."""
    state = war("BOT LAD 4", "RUN LAD 1, GAT EST 2, KIT STO 1", besieged="LAD 1", turn=2)
    theatre = WorkingState(state, Fated())
    retire_leaders(theatre)
    (left,) = (one for one in theatre.events if isinstance(one, Left))
    assert left.handed == {"KIT": 2}


@pytest.mark.clause("boer-war", "10.3")
def test_kemp_and_maritz_come_in_turn_iv() -> None:
    """They arrive at the first point of their districts without Empire SP, each with one new SP."""
    state = war(
        "DWT REI 3, DLR RUS 3",
        garrisons="LIC 1",
        side="empire",
        turn=3,
        options=FEW,
        counters={"boers": RoundCounters(ones=0, twos=0, threes=0), "empire": LAST},
    )
    outcome = play(state, "PASS")
    arrived = [(one.leader, one.at, one.sp) for one in told(outcome, Arrived)]
    assert arrived == [("KEM", "RUS", 1), ("MAR", "CAL", 1)]
    assert outcome.state.turn == 4
