"""Our standard game compared with an independent one: every border, and thousands of random seasons.

Both adjudicate the same positions of 34 units, dense in supports and convoys; the other's answers are in
tests/peer. One rule differs, an army whose convoy fails, and under our option for it they agree. Otherwise
they disagree for two reasons only, both the package's own, and the tests show each time that it is one of
them:

- sometimes it lets orders count against a unit of the same nation, though nobody dislodges their own or
  helps to (DATC 6.D.10 to 6.D.13, 6.E.3): in breaking a convoy, in helping a convoyed army, where two units
  meet head on; without those orders both agree;
- to a unit dislodged by a convoyed army it offers provinces that are occupied or had a stand-off.
"""

import pytest

from tests.kit.standard import BOARD
from tests.kit.verdict_differences import apply_options, difference, hold_self_attacks
from tests.kit.verdicts import borders, seasons

WALKS = {"missing_convoy": "walks"}
SPOTS = sorted(here for spots in BOARD.spots.values() for here in spots)


@pytest.mark.clause("standard", "Map-borders")
def test_every_border_on_foot_is_one():
    assert {(at, other) for at in BOARD.places for other in BOARD.army[at]} == borders("A")


@pytest.mark.clause("standard", "Map-borders")
def test_every_border_by_water_is_one():
    assert {(here, there) for here in SPOTS for there in BOARD.sailing[here]} == borders("F")


@pytest.mark.clause("standard", "Dip-supports", "Dip-convoys")
def test_a_hundred_seasons():
    compare(seasons("seasons"), 100)


@pytest.mark.clause("standard", "4.A.3")
def test_what_differs_by_a_choice_of_rules_agrees_under_the_other_choice():
    """The package lets an army walk that asked for a convoy in vain: our option missing_convoy=walks."""
    by_sea = seasons("by_sea")
    assert len(by_sea) == 30
    stays = {number for number, one in by_sea.items() if difference(one.season, one.verdict)}
    walks = {
        number for number, one in by_sea.items() if difference(apply_options(one.season, WALKS), one.verdict)
    }
    assert stays - walks, "the option makes differences vanish"
    for number in walks:
        explain(number, by_sea[number], WALKS)


@pytest.mark.long
def test_two_thousand_seasons():
    compare(seasons("further_seasons"), 2000)


def compare(judged, count):
    """Compare seasons; every difference is explained, and most have none."""
    assert len(judged) == count
    differing = [number for number, one in judged.items() if difference(one.season, one.verdict)]
    assert len(differing) <= count / 50
    for number in differing:
        explain(number, judged[number], {})


def explain(number, one, options):
    """Without the orders against one's own, which there are, both agree."""
    season = apply_options(one.season, options)
    assert one.calmed, f"season {number}: {difference(season, one.verdict)}"
    assert one.calmed.season.orders == hold_self_attacks(season).orders != season.orders, number
    again = difference(apply_options(one.calmed.season, options), one.calmed.verdict)
    assert not again, f"season {number}: {again}"
