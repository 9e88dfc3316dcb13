"""Skirmishes of Turns III and IV: evasion, drives, treks, lines of blockhouses."""

from typing import Any

import pytest

from games.boer_war.components import LeaderId, Point
from games.boer_war.events import AnyEvent, Captured, Evasion, LostSp, Retreated, Skirmish, Took
from games.boer_war.model import EMPIRE, Drive, State
from games.protocol import Outcome
from games.record import replace_fields
from tests.games.boer_war.field import RULES, after, at, play, sp, told, war, why_not

REITZ = {"boers": "DWT REI 2", "empire": "ELL LIN 3", "side": "empire", "turn": 3, "imperial": "LIN"}
"""De Wet at Reitz, and Elliot next to Reitz at Lindley."""


def stood(texts: str, attacker: int, defender: int, **fields: Any) -> Outcome[State, AnyEvent]:
    """Return a skirmish at Reitz with these rolls. De Wet has the order to stand."""
    state = war(**{**REITZ, "standing": ("DWT",), **fields})
    return play(
        state,
        texts,
        skirmish_REI_empire=attacker,
        skirmish_REI_boers=defender,
        test_DWT=6,
        test_ELL=6,
    )


@pytest.mark.clause("boer-war", "9.3.evade", "9.3.refuge", "8.move", "4.control")
def test_boers_evade_a_column() -> None:
    """De Wet with Command 3 evades on a 3, to the neighbour farthest from Elliot, who takes Reitz."""
    outcome = play(war(**REITZ), "MOVE ELL REI", evade_REI=3)
    (away,) = told(outcome, Evasion)
    assert (away.modifiers, away.score, away.to) == ((("command", 3),), 6, "FRK")
    assert (at(outcome.state, "DWT"), at(outcome.state, "ELL")) == ("FRK", "REI")
    assert told(outcome, Took)[0].points == ("REI",)
    assert told(outcome, Skirmish) == []


@pytest.mark.clause("boer-war", "9.3.evade")
@pytest.mark.parametrize("numbers", ["even", "weighed", "first"])
def test_by_numbers_of_before_boers_evade_by_one_less(numbers: str) -> None:
    state = war(**REITZ)
    state = replace_fields(state, options={**state.options, "numbers": numbers})
    assert told(play(state, "MOVE ELL REI", evade_REI=2), Evasion)[0].to == "FRK"


@pytest.mark.clause("boer-war", "9.3.evade", "9.3.roll", "9.3.losses", "9.3.retreat")
def test_boers_who_are_caught_fight() -> None:
    """On a 2 De Wet is caught: 6 + 1 against 1 + 3 + 1 for the veld. De Wet loses one SP and retreats."""
    outcome = play(
        war(**REITZ), "MOVE ELL REI", evade_REI=2, skirmish_REI_empire=6, skirmish_REI_boers=1, test_DWT=6
    )
    (caught,) = told(outcome, Evasion)
    assert (caught.score, caught.to) == (5, None)
    (fought,) = told(outcome, Skirmish)
    assert (fought.attacker.score, fought.defender.score) == (7, 5)
    assert fought.defender.modifiers == (("veld", 1),)
    assert (fought.difference, fought.won, fought.defender.lost) == (2, True, 1)
    assert (sp(outcome.state, "DWT"), at(outcome.state, "ELL")) == (1, "REI")
    assert told(outcome, Retreated)[0].beaten


@pytest.mark.clause("boer-war", "9.3.losses", "9.3.retreat", "3.test")
@pytest.mark.parametrize(
    ("dice", "difference", "lost", "won"),
    [
        ((5, 1), 1, (0, 0), True),
        ((4, 1), 0, (0, 0), False),
        ((2, 1), -2, (1, 0), False),
        ((1, 6), -8, (2, 0), False),
    ],
)
def test_losses_of_a_skirmish(
    dice: tuple[int, int], difference: int, lost: tuple[int, int], won: bool
) -> None:
    """The loser loses none up to 1, one SP from 2, two from 4. The winner has the point.

    At 0 the attacker goes back.
    """
    outcome = stood("MOVE ELL REI", *dice)
    (fought,) = told(outcome, Skirmish)
    assert fought.difference == difference
    assert (fought.attacker.lost, fought.defender.lost, fought.won) == (*lost, won)
    assert at(outcome.state, "ELL") == ("REI" if won else "LIN")


@pytest.mark.clause("boer-war", "9.3.roll")
def test_numbers_tell() -> None:
    """Twice the SP add 1, four times the SP add one more."""
    for column, bonus in (("ELL LIN 3", None), ("ELL LIN 4", 1), ("KIT LIN 8", 2)):
        outcome = stood(f"MOVE {column[:3]} REI", 6, 1, empire=column)
        (fought,) = told(outcome, Skirmish)
        assert dict(fought.attacker.modifiers).get("numbers") == bonus


@pytest.mark.clause("boer-war", "9.3.roll", "9.3.losses", "8.trek")
def test_boers_attack_with_surprise_and_lose_less() -> None:
    """On the railway the veld doesn't count. Repulsed by 4 they lose one SP instead of two."""
    state = war("DWT LIN 2", garrisons="KRO 2", turn=3)
    outcome = play(state, "TREK DWT KRO", skirmish_KRO_boers=1, skirmish_KRO_empire=6)
    (fought,) = told(outcome, Skirmish)
    assert fought.attacker.modifiers == (("surprise", 1),)
    assert (fought.difference, fought.attacker.lost) == (-2, 0)
    outcome = play(
        war("MAR LIN 2", garrisons="KRO 2", turn=4),
        "TREK MAR KRO",
        skirmish_KRO_boers=1,
        skirmish_KRO_empire=6,
    )
    (fought,) = told(outcome, Skirmish)
    assert (fought.difference, fought.attacker.lost) == (-4, 1)
    assert (at(outcome.state, "MAR"), sp(outcome.state, "MAR")) == ("LIN", 1)


@pytest.mark.clause("boer-war", "9.3.retreat", "4.control")
def test_a_garrison_that_has_sp_left_stays() -> None:
    """The Boers go back in spite of the victory while a garrison is left.

    Without one they enter without control.
    """
    state = war("DWT LIN 3", garrisons="KRO 2", turn=3, imperial="KRO")
    outcome = play(state, "TREK DWT KRO", skirmish_KRO_boers=2, skirmish_KRO_empire=3)
    assert told(outcome, Skirmish)[0].difference == 2
    assert (outcome.state.garrisons, at(outcome.state, "DWT")) == ({"KRO": 1}, "LIN")
    outcome = play(state, "TREK DWT KRO", skirmish_KRO_boers=6, skirmish_KRO_empire=1)
    assert (outcome.state.garrisons, at(outcome.state, "DWT")) == ({}, "KRO")
    assert outcome.state.control["KRO"] == "empire"


@pytest.mark.clause("boer-war", "8.trek")
def test_treks_pass_garrisons_but_not_leaders() -> None:
    """It's four links. It can't stop at Empire SP except to attack them from another point."""
    state = war("DWT REI 2", garrisons="LIN 1", turn=3)
    assert at(after(state, "TREK DWT REI LIN KRO BTV"), "DWT") == "BTV"
    assert why_not(state, "TREK DWT LIN KRO BTV HOO CHR") == "too-far"
    led = war("DWT REI 2", "ELL LIN 2", turn=3)
    assert why_not(led, "TREK DWT LIN KRO") == "in-the-way"
    two = war("DWT REI 2", garrisons="LIN 1, KRO 1", turn=3)
    assert why_not(two, "TREK DWT LIN KRO") == "attack-from-enemy"
    assert why_not(two, "TREK DWT LIN SEN") is None


@pytest.mark.clause("boer-war", "9.3.lines")
@pytest.mark.parametrize(
    ("leader", "die", "lost"), [("HER", 4, 1), ("HER", 5, 0), ("DWT", 3, 1), ("DWT", 4, 0)]
)
def test_lines_of_blockhouses_cost_sp(leader: str, die: int, lost: int) -> None:
    """It costs an SP on 4 or less, or on 3 or less with Command 3. The leader crosses in any case."""
    state = war(f"{leader} KRO 2", turn=3, blockhouses=("KRO-VER",))
    outcome = play(state, f"TREK {leader} VER", **{f"cross_KRO_VER_{leader}": die})
    (crossed,) = told(outcome, LostSp)
    assert (crossed.why, crossed.lost) == ("blockhouse", lost)
    assert (at(outcome.state, leader), sp(outcome.state, leader)) == ("VER", 2 - lost)


@pytest.mark.clause("boer-war", "9.3.lines")
@pytest.mark.parametrize(
    ("way", "lines"),
    [
        ("LIN KRO BTV", ["BRA-KRO"]),
        ("LIN KRO", ["BRA-KRO"]),
        ("LIN KRO VER", ["BRA-KRO", "KRO-VER"]),
        ("LIN HEI", []),
        ("LIN HEI VER POT", ["KRO-VER"]),
    ],
    ids=["through a point", "into it", "along a line", "past it", "through its other end"],
)
def test_who_comes_to_an_end_of_a_line_crosses_it(way: str, lines: list[str]) -> None:
    """One roll for each point, for any number of lines, also on the way.

    With older numbers there is no roll.
    """
    state = war("HER LIN 2", turn=3, blockhouses=("KRO-VER", "BRA-KRO"))
    dice = {"cross_BRA_KRO_HER": 5, "cross_KRO_VER_HER": 2}
    outcome = play(state, f"TREK HER {way}", **dice)
    assert [one.link for one in told(outcome, LostSp)] == lines
    assert sp(outcome.state, "HER") == 2 - lines.count("KRO-VER")
    before = play(
        replace_fields(state, options={**state.options, "numbers": "even"}), f"TREK HER {way}", **dice
    )
    assert [one.link for one in told(before, LostSp)] == lines[1:]


@pytest.mark.clause("boer-war", "9.3.lines")
def test_who_starts_at_the_end_of_a_line_leaves_for_nothing() -> None:
    state = war("HER KRO 2", turn=3, blockhouses=("KRO-VER",))
    assert told(play(state, "TREK HER LIN"), LostSp) == []


@pytest.mark.clause("boer-war", "9.3.lines")
def test_lines_are_crossed_in_an_attack_and_on_the_way_back() -> None:
    """The leader attacks Vereeniging from Kroonstad over a line and goes back over it."""
    state = war("HER KRO 2", garrisons="VER 2", turn=3, blockhouses=("BRA-KRO", "VER-JOH"))
    thrown = {"skirmish_VER_boers": 1, "skirmish_VER_empire": 4}
    outcome = play(state, "TREK HER VER", cross_VER_JOH_HER=5, cross_BRA_KRO_HER=5, **thrown)
    assert [one.link for one in told(outcome, LostSp)] == ["VER-JOH", "BRA-KRO"]
    assert at(outcome.state, "HER") == "KRO"


@pytest.mark.clause("boer-war", "9.3.lines", "3.test", "10.4")
def test_the_last_sp_may_be_lost_on_a_line() -> None:
    """Then there is a roll for the leader, who waits in the box."""
    state = war("HER KRO 1", turn=3, blockhouses=("KRO-VER",))
    outcome = play(state, "TREK HER KRO VER HEI", cross_KRO_VER_HER=1, test_HER=4)
    assert outcome.state.boxes["boers"] == ("HER",)
    assert outcome.state.scattered["boers"] == 1


@pytest.mark.clause("boer-war", "9.3.evade")
def test_blockhouses_and_columns_hinder_evasion() -> None:
    """It's one less for each line at the point (two at most) and for each further column of a DRIVE."""
    state = war(
        "DWT KRO 2",
        "ELL LIN 2, KNO BTV 1, BLD SEN 1",
        side="empire",
        turn=3,
        blockhouses=("KRO-VER", "BRA-KRO"),
    )
    outcome = play(state, "DRIVE KRO ELL KNO", evade_KRO=6, cross_BRA_KRO_DWT=6)
    (away,) = told(outcome, Evasion)
    assert dict(away.modifiers) == {"command": 3, "columns": -1, "blockhouses": -2}
    assert (away.score, away.to) == (6, "BRA")


@pytest.mark.clause("boer-war", "8.drive")
def test_a_drive_joins_columns() -> None:
    """They add up their SP and use the best Command.

    If the attack fails, each goes back to the point of origin.
    """
    state = war(
        "DWT REI 2", "ELL SEN 2, BEN FRK 1", side="empire", turn=3, standing=("DWT",), imperial="SEN FRK"
    )
    outcome = play(state, "DRIVE REI ELL BEN", skirmish_REI_empire=1, skirmish_REI_boers=1)
    (fought,) = told(outcome, Skirmish)
    assert (fought.attacker.sp, fought.attacker.command, fought.difference) == (3, 2, -2)
    assert (at(outcome.state, "ELL"), at(outcome.state, "BEN")) == ("BTH", "FRK")
    assert outcome.state.control["BTH"] == "empire"


@pytest.mark.clause("boer-war", "8.drive")
def test_only_who_reaches_it_joins_a_drive() -> None:
    """A DRIVE has three leaders at most, each named once."""
    state = war("DWT REI 2", "ELL SEN 2, BEN FRK 1, KNO PRE 1, BLD LIN 1", side="empire", turn=3)
    assert why_not(state, "DRIVE REI ELL KNO") == "out-of-reach"
    assert why_not(state, "DRIVE REI ELL BEN BLD") is None
    twice = RULES.check(state, EMPIRE, Drive(target=Point("REI"), leaders=(LeaderId("ELL"),) * 2))
    assert twice is not None
    assert twice.code == "twice"
    assert why_not(state, "DRIVE LIN ELL") == "no-boers"
    four = war("DWT REI 2", "ELL SEN 2, BEN FRK 1, KNO HAR 1, BLD LIN 1", side="empire", turn=3)
    assert why_not(four, "DRIVE REI ELL BEN KNO BLD") == "too-many"


@pytest.mark.clause("boer-war", "9.3.refuge")
def test_there_is_no_evasion_without_a_way_out() -> None:
    """There is no roll. A beaten leader without a way out is captured."""
    ring = "BTH 1, FRK 1, HAR 1, VRD 1"
    outcome = play(war(**REITZ, garrisons=ring), "MOVE ELL REI", skirmish_REI_empire=6, skirmish_REI_boers=1)
    assert told(outcome, Evasion) == []
    (captured,) = told(outcome, Captured)
    assert (captured.leaders, captured.sp) == (("DWT",), 1)
    assert outcome.state.gone == ("DWT",)


@pytest.mark.clause("boer-war", "8.move", "7.supply")
def test_supply_does_not_matter_any_more() -> None:
    """A column far from any railway still moves three links."""
    state = war(empire="ELL LYD 2", side="empire", turn=3)
    assert why_not(state, "MOVE ELL BEL ERM STD") is None


@pytest.mark.clause("boer-war", "8.raid")
@pytest.mark.parametrize(("die", "cut", "lost"), [(4, True, 0), (3, False, 0), (1, False, 1)])
def test_raids_on_blockhouses(die: int, cut: bool, lost: int) -> None:
    """4 or more cuts the line, and 1 costs an SP. Without blockhouses there is no roll."""
    state = war("DWT KRO 2", turn=3, blockhouses=("BRA-KRO",))
    outcome = play(state, "RAID BRA-KRO", raid_BRA_KRO=die)
    assert outcome.state.cuts == (("BRA-KRO",) if cut else ())
    assert sp(outcome.state, "DWT") == 2 - lost
    assert after(state, "RAID KRO-VER").cuts == ("KRO-VER",)
    assert why_not(state, "RAID JOH-PRE") == "nobody-near"
