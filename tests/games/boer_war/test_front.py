"""The close-up of a side's front shows its fights, actions and leaders, and cuts off no counter or name."""

import pytest

from games.boer_war import GAMES
from games.boer_war.board import board
from games.boer_war.events import Invested, Went
from games.boer_war.map import close_up
from games.boer_war.map_layout import map_layout
from games.boer_war.model import BOERS, EMPIRE, PLAYER
from tests.games.boer_war.field import war

VIEW = GAMES[0].rules.view


def drawn(seat, *events, boers="CRO MAF 4", empire="WHI DUR 3"):
    return close_up(VIEW(war(boers, empire, "DUR 1", ""), None), seat, events)


def seen(front, point):
    (x, y), (left, top, right, low) = map_layout().spots[point].at, front["window"]
    return left < x < right and top < y < low


@pytest.mark.parametrize("point", board().points)
def test_a_point_where_a_side_acted_is_seen_with_its_name_and_its_counters(point):
    front = drawn(BOERS, Invested(at=point, leaders=("PRN",)), boers=f"PRN {point} 3", empire="")
    assert seen(front, point)
    assert point in {one["code"] for one in front["names"]}
    assert [one["text"] for one in front["chips"] if one["at"] == point][-1:] == ["PRN 3"]


def test_each_side_sees_its_own_leaders_and_one_person_those_of_both():
    assert seen(drawn(BOERS), "MAF")
    assert not seen(drawn(BOERS), "DUR")
    assert seen(drawn(EMPIRE), "DUR")
    assert not seen(drawn(EMPIRE), "MAF")
    assert seen(drawn(PLAYER, boers="CRO MAF 4"), "MAF")
    assert seen(drawn(PLAYER, boers="", empire="WHI DUR 3"), "DUR")


def test_what_a_side_did_comes_before_where_a_leader_merely_stands():
    went = Went(side="empire", leaders=("WHI",), path=("DUR", "PMB", "EST"), how="march")
    assert seen(drawn(EMPIRE, went, empire="WHI EST 2, BUL CPT 3"), "EST")
    other = Went(side="boers", leaders=("CRO",), path=("MAF", "VRY"), how="march")
    assert seen(drawn(EMPIRE, other, empire="WHI EST 2, BUL CPT 3"), "CPT")


def test_a_siege_that_a_side_begins_comes_before_its_larger_forces_elsewhere():
    """The event names its leaders and no side."""
    boers = "WES KIM 3, JOU NEW 4, MEY VHD 2"
    invested = Invested(at="KIM", leaders=("WES",))
    assert seen(drawn(BOERS, invested, boers=boers, empire="WHI LAD 3"), "KIM")


def test_an_enemy_who_acts_far_away_does_not_draw_the_close_up_to_himself():
    """The Boers see Mafeking, where their leader is, while the Empire marches through Natal."""
    natal = Went(side="empire", leaders=("WHI",), path=("DUR", "PMB", "EST", "COS", "LAD"), how="march")
    assert seen(drawn(BOERS, natal, empire="WHI LAD 3"), "MAF")
    assert not seen(drawn(BOERS, natal, empire="WHI LAD 3"), "EST")
    near = Went(side="empire", leaders=("BUL",), path=("KIM", "VRY", "MAF"), how="march")
    assert seen(drawn(BOERS, near, boers="CRO LIC 1", empire="BUL MAF 3"), "MAF")


def test_nobody_on_the_map_and_nothing_done_is_no_front():
    assert drawn(BOERS, boers="", empire="WHI DUR 3") is None
    assert close_up(VIEW(war("CRO MAF 4", "", "", ""), None), EMPIRE, ()) is None
