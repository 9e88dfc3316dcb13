"""Investing, pressing, storming and relieving the siege towns."""

import pytest

from games.boer_war.events import Battle, Captured, Invested, SiegeEnded, SiegeRolled, TownFell
from games.record import replace_fields
from tests.games.boer_war.field import after, at, on_books, play, sp, told, war, why_not

MAFEKING = {"boers": "CRO MAF 4", "garrisons": "MAF 1", "besieged": "MAF 0"}
"""Cronje next to Mafeking."""


@pytest.mark.clause("boer-war", "7.invest", "4.towns")
def test_boers_invest_a_held_siege_town() -> None:
    """Both sides share the point without a battle, and the Empire still controls the town."""
    for text in ("MOVE CRO ZEE MAF INVEST", "MOVE CRO MAF"):
        outcome = play(war("CRO ZEE 4", garrisons="MAF 1"), text)
        (invested,) = told(outcome, Invested)
        assert (invested.at, invested.leaders) == ("MAF", ("CRO",))
        assert told(outcome, Battle) == []
        assert outcome.state.sieges == {"MAF": 0}
        assert outcome.state.control["MAF"] == "empire"
    joined = after(war("CRO ZEE 4, DLR MAF 1", garrisons="MAF 1", besieged="MAF 2"), "MOVE CRO MAF")
    assert joined.sieges == {"MAF": 2}


@pytest.mark.clause("boer-war", "7.invest")
def test_the_besieged_may_only_assault() -> None:
    """They can't march, take trains or get reinforcements."""
    state = war("JOU LAD 4", "WHI LAD 3", besieged="LAD 0", side="empire", pools={"empire": 5})
    assert why_not(state, "MOVE WHI COS") == "besieged"
    assert why_not(state, "RAIL WHI COS") == "besieged"
    assert why_not(state, "REINFORCE WHI") == "besieged-leader"
    assert why_not(state, "ASSAULT LAD") is None
    assert why_not(state, "ENTRENCH LAD") == "besieged-town"
    cut = war("JOU LAD 4", "WHI LAD 3", besieged="LAD 0", side="empire", cuts=("COS-LAD",))
    assert why_not(cut, "REPAIR COS-LAD") == "nobody-to-repair"
    assert why_not(war("JOU LAD 4", "WHI COS 3", side="empire"), "ASSAULT COS") == "no-siege"


@pytest.mark.clause("boer-war", "9.4.siege")
@pytest.mark.parametrize(
    ("boers", "die", "level"),
    [("CRO MAF 2", 4, 2), ("CRO MAF 2", 3, 0), ("CRO MAF 3", 4, 2), ("CRO MAF 3", 3, 0)],
)
def test_a_siege_is_pressed_by_a_die(boers: str, die: int, level: int) -> None:
    """5 or more raises the level by two. Two SP, the least for a siege, add 1."""
    outcome = play(war(**{**MAFEKING, "boers": boers}), "SIEGE MAF", siege_MAF=die)
    (rolled,) = told(outcome, SiegeRolled)
    assert (rolled.rose, rolled.level, rolled.of) == (level == 2, level, 5)
    assert outcome.state.sieges == {"MAF": level}


@pytest.mark.clause("boer-war", "9.4.siege", "11.numbers")
def test_a_game_of_before_presses_sieges_level_by_level() -> None:
    """It's a game with the option, and a game from before the option existed."""
    for options in ({"numbers": "first"}, None):
        state = war(**MAFEKING, options=options)
        if options is None:
            bare = {name: value for name, value in state.options.items() if name != "numbers"}
            state = replace_fields(state, options=bare)
        assert play(state, "SIEGE MAF", siege_MAF=5).state.sieges == {"MAF": 1}


@pytest.mark.clause("boer-war", "9.4.siege")
def test_a_siege_is_pressed_once_a_round_by_two_sp() -> None:
    """Each town counts by itself."""
    state = after(war(**MAFEKING), "SIEGE MAF", go=True, siege_MAF=1)
    assert why_not(state, "SIEGE MAF") == "once-a-town"
    assert why_not(war("CRO MAF 1", garrisons="MAF 1", besieged="MAF 0"), "SIEGE MAF") == "too-few"
    assert why_not(war("CRO ZEE 4", garrisons="MAF 1"), "SIEGE MAF") == "no-siege"


@pytest.mark.clause("boer-war", "9.4.falls", "9.4.completed", "3.lost")
@pytest.mark.parametrize(("town", "level"), [("MAF", 4), ("KIM", 4), ("LAD", 5)])
def test_a_town_falls_at_its_resistance(town: str, level: int) -> None:
    """SP and leader are captured, the Boers control the point, and the siege is completed."""
    state = war(f"CRO {town} 3", f"WHI {town} 2", f"{town} 1", f"{town} {level}")
    outcome = play(state, f"SIEGE {town}", **{f"siege_{town}": 5})
    (captured,) = told(outcome, Captured)
    assert (captured.leaders, captured.sp) == (("WHI",), 3)
    (fell,) = told(outcome, TownFell)
    assert (fell.at, fell.how, fell.completed) == (town, "surrendered", 1)
    now = outcome.state
    assert (now.control[town], now.sieges, now.fallen) == ("boers", {}, (town,))
    assert (now.gone, now.lost["empire"]) == (("WHI",), 3)


@pytest.mark.clause("boer-war", "9.4.completed", "4.control")
def test_an_abandoned_town_counts_and_none_counts_twice() -> None:
    """The Boers enter Kimberley after everyone has left.

    If it's retaken and entered again, it counts only once.
    """
    outcome = play(war("WES BOS 2"), "MOVE WES KIM")
    (fell,) = told(outcome, TownFell)
    assert (fell.how, fell.completed) == ("abandoned", 1)
    again = play(war("WES BOS 2", fallen=("KIM",)), "MOVE WES KIM")
    assert told(again, TownFell) == []
    assert again.state.control["KIM"] == "boers"


@pytest.mark.clause("boer-war", "9.4.storm", "7.assault")
def test_a_stormed_town_falls() -> None:
    """The besiegers storm with all their SP, and none of the garrison escapes."""
    state = war("CRO MAF 2, DLR MAF 2", garrisons="MAF 1", besieged="MAF 0")
    outcome = play(
        state,
        "ASSAULT MAF",
        battle_MAF_cards="C7 C1 C2 C3 C4 C5 I5 T1 T2",
        battle_MAF_boers=6,
        battle_MAF_empire=6,
    )
    (fought,) = told(outcome, Battle)
    assert (fought.came, fought.attacker.sp, fought.attacker.modifiers) == (None, 4, (("fort", -3),))
    assert (fought.won, fought.difference) == (True, 9)
    assert outcome.state.fallen == ("MAF",)
    assert (at(outcome.state, "CRO"), outcome.state.garrisons) == ("MAF", {})
    assert on_books(outcome.state, "empire") == 1


@pytest.mark.clause("boer-war", "7.assault", "7.siege-ends", "9.2.captured")
def test_a_sortie_ends_the_siege() -> None:
    """The besieged beat the besiegers, who leave, and the siege ends."""
    state = war("JOU LAD 2", "WHI LAD 5", besieged="LAD 3", side="empire", standing=("JOU",))
    outcome = play(
        state,
        "ASSAULT LAD",
        battle_LAD_cards="I1 I2 I3 I4 C1 A1 T1 T2 T3",
        battle_LAD_empire=2,
        battle_LAD_boers=6,
        test_JOU=6,
    )
    (fought,) = told(outcome, Battle)
    assert (fought.won, fought.attacker.lost, fought.defender.lost) == (True, 0, 2)
    assert outcome.state.sieges == {}
    assert len(told(outcome, SiegeEnded)) == 1
    assert outcome.state.boxes["boers"] == ("JOU",)


@pytest.mark.clause("boer-war", "9.1.relief", "7.siege-ends")
def test_the_besieged_do_not_help_a_relief() -> None:
    """Buller relieves Ladysmith with the SP of the attack. Joubert leaves, and Buller joins the garrison."""
    state = war("JOU LAD 2", "BUL COS 4, WHI LAD 3", besieged="LAD 3", side="empire")
    outcome = play(
        state,
        "MOVE BUL LAD",
        battle_LAD_cards="I1 I2 I3 C1 A1 T1 T2 T3",
        battle_LAD_empire=1,
        battle_LAD_boers=6,
        test_JOU=6,
    )
    (fought,) = told(outcome, Battle)
    assert (fought.attacker.sp, fought.attacker.leaders) == (4, ("BUL",))
    assert (at(outcome.state, "BUL"), sp(outcome.state, "WHI")) == ("LAD", 3)
    assert outcome.state.sieges == {}


@pytest.mark.clause("boer-war", "9.1.taken", "9.1.relief")
def test_a_relief_costs_the_besieged_nothing() -> None:
    """Cronje loses two SP. The besieged lose none."""
    outcome = play(
        war("CRO MAF 2", "MET ZEE 5", "MAF 1", "MAF 0", side="empire"),
        "MOVE MET MAF",
        battle_MAF_cards="I1 I2 I3 I4 C1 A1 T1 T2 T3",
        battle_MAF_empire=6,
        battle_MAF_boers=1,
        test_CRO=6,
    )
    (fought,) = told(outcome, Battle)
    assert (fought.difference, fought.defender.lost) == (18, 2)
    assert outcome.state.garrisons == {"MAF": 1}


@pytest.mark.clause("boer-war", "7.siege-ends")
def test_the_last_besieger_who_goes_ends_the_siege() -> None:
    """It goes on at its level while another force stays."""
    state = war("CRO MAF 3, DLR MAF 1", garrisons="MAF 1", besieged="MAF 2")
    assert after(state, "MOVE CRO ZEE").sieges == {"MAF": 2}
    outcome = play(war("CRO MAF 3", garrisons="MAF 1", besieged="MAF 2"), "MOVE CRO ZEE")
    assert outcome.state.sieges == {}
    assert len(told(outcome, SiegeEnded)) == 1


@pytest.mark.clause("boer-war", "9.4.completed")
def test_a_garrison_that_dies_in_a_sortie_leaves_the_town() -> None:
    """After the repulse of its last SP no one holds the town."""
    outcome = play(
        war("CRO MAF 4", garrisons="MAF 1", besieged="MAF 0", side="empire"),
        "ASSAULT MAF",
        battle_MAF_cards="T1 T2 I1 I2 I3 I4 I5",
        battle_MAF_empire=1,
        battle_MAF_boers=6,
    )
    (fell,) = told(outcome, TownFell)
    assert (fell.at, fell.how) == ("MAF", "abandoned")
    assert outcome.state.scattered["empire"] == 1


@pytest.mark.clause("boer-war", "7.invest")
def test_there_is_nothing_to_storm_where_nobody_is() -> None:
    """Only Boers can add STORM, at a siege town held by the Empire."""
    assert why_not(war("CRO ZEE 4"), "MOVE CRO MAF STORM") == "nothing-to-storm"
    assert why_not(war("CRO ZEE 4", garrisons="VRY 1"), "MOVE CRO LIC STORM") == "nothing-to-storm"
