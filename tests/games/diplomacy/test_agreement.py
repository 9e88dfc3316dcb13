"""Our standard game beside an independent one: every border, and thousands of random seasons.

Both judge the same positions of 34 units, dense in supports and convoys. One choice of rules differs, what an
army does that asked for a convoy in vain, and under our option for it they agree. Otherwise they disagree for
two reasons only, both the package's own, and the tests show each time that it is one of them:

- now and then it lets orders count against a unit of the same nation, though nobody dislodges his own or
  helps to (DATC 6.D.10 to 6.D.13, 6.E.3): in breaking a convoy, in helping a convoyed army, where two units
  meet head on; without those orders both agree;
- to a unit dislodged by a convoyed army it offers provinces in which somebody stands or two stood off.
"""

import pytest

from games.diplomacy.model import Convoy, Dislodged, Hold, Move, Resolved, SupportMove, parted
from tests.kit import peer
from tests.kit.skirmish import Skirmish, skirmish
from tests.kit.standard import BOARD, DICE, RULES

WALKS = {"missing_convoy": "walks"}
SPOTS = sorted(here for spots in BOARD.spots.values() for here in spots)


@pytest.mark.clause("standard", "Map-borders")
def test_every_border_on_foot_is_one():
    ours = {(at, other) for at in BOARD.places for other in BOARD.army[at]}
    theirs = {(at, other) for at in BOARD.places for other in BOARD.places if abuts("A", at, other)}
    assert ours == theirs


@pytest.mark.clause("standard", "Map-borders")
def test_every_border_by_water_is_one():
    ours = {(here, there) for here in SPOTS for there in BOARD.sailing[here]}
    theirs = {(here, there) for here in SPOTS for there in SPOTS if abuts("F", here, there)}
    assert ours == theirs


def abuts(kind, here, there):
    return parted(here)[0] != parted(there)[0] and bool(peer.MAP.abuts(kind, here, "-", there))


@pytest.mark.clause("standard", "Dip-supports", "Dip-convoys")
def test_a_hundred_seasons():
    compare(range(100))


@pytest.mark.clause("standard", "4.A.3")
def test_what_differs_by_a_choice_of_rules_agrees_under_the_other_choice():
    """The package lets an army walk that asked for a convoy in vain: our option missing_convoy=walks."""
    seeds = range(30)
    stays = {seed for seed in seeds if difference(skirmish(seed, by_sea=True))}
    walks = {seed for seed in seeds if difference(skirmish(seed, WALKS, by_sea=True))}
    assert stays - walks, "the option makes differences vanish"
    for seed in walks:
        season = skirmish(seed, WALKS, by_sea=True)
        assert not difference(Skirmish(season.state, {**season.orders, **against_own(season)})), seed


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_two_thousand_seasons():
    compare(range(100, 2100))


def compare(seeds):
    """Judge seasons twice; whatever differs is explained, and most do not differ."""
    differing = [seed for seed in seeds if difference(skirmish(seed))]
    assert len(differing) <= len(seeds) / 50
    for seed in differing:
        season = skirmish(seed)
        suspects = against_own(season)
        assert suspects, f"season {seed}: {difference(season)}"
        calmed = Skirmish(season.state, {**season.orders, **suspects})
        assert not difference(calmed), f"season {seed}: {difference(calmed)}"


def difference(season):
    """What the two say otherwise, as a pair for whatever it is."""
    done = RULES.adjudicate(season.state, season.given, DICE)
    theirs = peer.verdict(season)
    units = {peer.name(unit) for unit in done.state.units}
    told = [event for event in done.events if isinstance(event, Dislodged)]
    retreats = {peer.name(one.unit): frozenset(one.retreats) for one in told if one.retreats}
    shut = {unit.at for unit in done.state.units} | stood_off(season, done.events)
    overseas = {peer.name(one.unit) for one in told if is_overseas(season, one.by.at)}
    offered = {
        unit: frozenset(there for there in near if unit not in overseas or parted(there)[0] not in shut)
        for unit, near in theirs.retreats.items()
    }
    offered = {unit: near for unit, near in offered.items() if near}
    if units == theirs.units and retreats == offered:
        return None
    return units ^ theirs.units, {one: (retreats.get(one), offered.get(one)) for one in {*retreats, *offered}}


def is_overseas(season, at):
    """Whether an army goes by convoy: a fleet convoys it there."""
    order = season.orders[at]
    return any(
        isinstance(other, Convoy) and other.other.at == at and other.to == order.to
        for other in season.orders.values()
    )


def stood_off(season, events):
    """The provinces into which a move failed."""
    return {
        event.order.to
        for event in events
        if isinstance(event, Resolved) and event.outcome == "bounced" and isinstance(event.order, Move)
    }


def against_own(season):
    """The orders that help against a unit of their nation, or attack its convoying fleet, made to hold."""
    owner = {unit.at: unit.power for unit in season.state.units}
    fleets = {at for at, order in season.orders.items() if isinstance(order, Convoy)}
    return {
        at: Hold(unit=order.unit)
        for at, order in season.orders.items()
        if isinstance(order, Move | SupportMove)
        and owner.get(order.to) == owner[at]
        and (isinstance(order, SupportMove) or order.to in fleets)
    }
