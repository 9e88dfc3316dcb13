"""The beginner: who acts, for which centre, by which way; and that what it names is what decided."""

from collections import Counter

import pytest

from games.dice import SealedDice
from games.diplomacy.bots.beginner import actions
from games.diplomacy.bots.common import choose, goal_criteria, step_criteria
from games.diplomacy.bots.reasons import Attacks, Backs, Keeps, Rests, Waits
from games.diplomacy.model import Hold, Move, Province, SupportMove
from games.judging import FirstDice
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.bot_positions import DICE, Frontier, state
from tests.kit.dice import Scripted

FRANCE = Seat("France")
GO, STOP = 1, 8
"""After the first action four of eight markers are GO!, after the second three of seven."""


def france(units: dict[str, str], centres: dict[str, str], season: str = "S", dice=DICE) -> Frontier:
    return Frontier("standard", state("standard", season, units, centres), FRANCE, "beginner", dice=dice)


@pytest.mark.parametrize(
    ("script", "units", "act"),
    [
        ({"pool/0/1": STOP}, 3, 1),
        ({"pool/0/1": GO, "pool/0/2": 7}, 3, 2),
        ({"pool/0/1": GO, "pool/0/2": GO}, 3, 3),
        ({"pool/0/1": GO, "pool/0/2": GO}, 2, 2),
        ({"pool/0/1": STOP, "pool/1/1": 7}, 4, 2),
        ({}, 0, 0),
    ],
)
def test_for_every_three_units_a_round_is_drawn_from_the_pool(script, units, act):
    """The Second Boer War, solitaire rules, steps 1 to 3."""
    assert actions(Scripted(script), units) == act


def test_the_counter_of_a_round_is_flipped_for_the_next():
    """After a round of one there are three STOPs to four GO!s: a 4 of 7 goes on, which of 8 it would too."""
    drawn = []

    class Noting(SealedDice):
        def draw(self, label, sides, count=1):
            drawn.append((label, sides))
            return (sides,)

    assert actions(Noting(b"", "", 0), 6) == 2
    assert drawn == [("pool/0/1", 8), ("pool/1/1", 7)]


def test_all_counters_lie_open_again_after_eleven_rounds():
    assert 13 <= actions(SealedDice(b"many", "x", 1), 39) <= 39


def test_one_acts_or_two_or_three_and_more_than_half_on_average():
    acted = [actions(SealedDice(b"mean", "x", number), 3) for number in range(600)]
    assert 1.65 < sum(acted) / len(acted) < 1.78, "4/8 one, 4/8 of 4/7 two, the rest three: 1.71"
    assert set(acted) == {1, 2, 3}


def test_who_does_not_act_rests_and_says_how_many_did():
    frontier = france(
        {"France": "A PAR A MAR F BRE"}, {"France": "PAR MAR BRE"}, dice=Scripted({"pool/0/1": STOP})
    )
    planned = {one.order.unit.at: one for one in frontier.planned()}
    assert isinstance(planned["MAR"].order, Move), "it is closest to a centre to win"
    assert {planned[at].motive for at in ("PAR", "BRE")} == {Rests(actions=1, units=3)}
    assert frontier.said()["A PAR H"] == (
        "rests: as a beginner it orders only one of its three units this season"
    )


def test_who_stands_on_a_centre_to_win_keeps_it_and_needs_no_action():
    frontier = france({"France": "A SPA A PAR"}, {"France": "PAR"}, dice=Scripted({"pool/0/1": STOP}))
    motives = {one.order.unit.at: type(one.motive) for one in frontier.planned()}
    assert motives["SPA"] is Keeps
    assert motives["PAR"] is not Rests, "the one action is left for it"
    assert frontier.said()["A SPA H"] == "stays to take Spain"


CLOSEST = ({"France": "A MAR"}, {"France": "MAR"}, "SPA", 1)
ENEMYS = ({"France": "A RUH"}, {"France": "PAR", "Germany": "KIE"}, "KIE", 2)
OCCUPIED = ({"France": "A RUH", "Germany": "F KIE"}, {"France": "PAR", "Germany": "KIE MUN"}, "KIE", 3)
MIDDLE = ({"France": "A RUH"}, {"France": "PAR"}, "MUN", 4)


@pytest.mark.parametrize(("units", "centres", "goal", "number"), [CLOSEST, ENEMYS, OCCUPIED, MIDDLE])
def test_the_criterion_that_is_named_left_one_centre_alone(units, centres, goal, number):
    """War Chest, solo sheet, target: closest, enemy, enemy-occupied, closest to the centre."""
    situation = france(units, centres).situation
    criteria = goal_criteria(situation, situation.mine[0])
    chosen, why = choose("goal", situation.prizes, criteria, Scripted({}), "goal")
    assert (chosen, why.number, why.left) == (goal, number, (goal,))
    assert why.criterion == criteria[number - 1].words
    without = (*criteria[: number - 1], *criteria[number:])
    _, other = choose("goal", situation.prizes, without, DICE, "goal")
    assert other.criterion != why.criterion


@pytest.mark.parametrize(
    ("frontier", "fact"),
    [
        (ENEMYS, {"France": "PAR"}),
        (OCCUPIED, {"France": "PAR KIE", "Germany": "MUN"}),
        (MIDDLE, {"France": "PAR MUN"}),
        (CLOSEST, {"France": "MAR SPA"}),
    ],
)
def test_without_the_fact_that_decided_another_centre_is_chosen(frontier, fact):
    units, _, goal, _ = frontier
    situation = france({"France": units["France"]}, fact).situation
    chosen, _ = choose("goal", situation.prizes, goal_criteria(situation, situation.mine[0]), DICE, "goal")
    assert chosen != goal


def test_the_way_is_chosen_by_what_else_lies_near_it():
    """War Chest, solo sheet, step: closest to another enemy location."""
    situation = france(
        {"France": "A PAR"}, {"France": "PAR MAR BRE", "Germany": "MUN", "England": "BEL"}
    ).situation
    unit = situation.mine[0]
    spots = [Province(spot) for spot in ("BUR", "PIC")]
    spot, why = choose("step", spots, step_criteria(situation, unit, Province("BEL")), DICE, "step")
    assert (spot, why.number, why.criterion) == ("BUR", 2, "by a route nearer to another enemy centre")
    calm = replace_fields(situation.view, centres={Province("PAR"): FRANCE, Province("BEL"): Seat("England")})
    situation = Frontier("standard", calm, FRANCE, "beginner").situation
    _, why = choose("step", spots, step_criteria(situation, unit, Province("BEL")), DICE, "step")
    assert why.number != 2


def test_an_occupied_centre_is_attacked_by_two_or_by_nobody():
    alone = france({"France": "A RUH", "Germany": "A KIE"}, {"France": "PAR HOL BEL MUN"}, dice=FirstDice())
    (one,) = alone.planned()
    assert not isinstance(one.motive, Attacks)
    together = france(
        {"France": "A RUH A BER", "Germany": "A KIE"}, {"France": "PAR HOL BEL MUN BER"}, dice=FirstDice()
    )
    motives = {type(one.motive): one for one in together.planned()}
    assert isinstance(motives[Attacks].order, Move)
    assert isinstance(motives[Backs].order, SupportMove)
    assert motives[Attacks].order.to == motives[Backs].order.to == "KIE"
    assert motives[Backs].motive == Backs(to=Province("KIE"), number=2, of=2)
    assert "supports the move to Kiel as the second of two units needed" in together.said().values()


def test_who_has_nowhere_to_go_waits():
    everything = " ".join(france({}, {}).situation.board.centres)
    (one,) = france({"France": "A PAR"}, {"France": everything}, dice=FirstDice()).planned()
    assert one.order == Hold(unit=one.order.unit)
    assert isinstance(one.motive, Waits)


def test_two_of_one_nation_go_to_different_places():
    frontier = france({"France": "A PAR A MAR A BUR A GAS"}, {"France": "PAR MAR"}, dice=FirstDice())
    goals_of = Counter(one.order.to for one in frontier.planned() if isinstance(one.order, Move))
    assert max(goals_of.values()) == 1
