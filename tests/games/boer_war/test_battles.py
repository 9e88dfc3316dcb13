"""Battles of Turns I and II: cards, dice, modifiers, losses, retreats, rolls for leaders."""

from typing import Any

import pytest

from games.boer_war.battles import Attack, card_worth, expected_difference, expected_score, try_slip_away
from games.boer_war.components import materials
from games.boer_war.events import Battle, Captured, Retreated, Slipped
from games.boer_war.model import State
from games.boer_war.working_state import WorkingState
from tests.games.boer_war.field import Fated, at, on_books, play, sp, told, war

COLESBERG = {"boers": "OLI COL 2", "empire": "MET NAA 2", "side": "empire", "standing": ("OLI",)}
"""Methuen next to Olivier, who is in the hills at Colesberg."""

ATTACKS, HARDLY_ATTACKS = "C1 A1 I1 T3", "T1 T2 T3 C6"
DEFENDS, HARDLY_DEFENDS = "I2 I3 I4 M2", "R1 R2 R3 R4"
"""The draw for three SP with Command 1. It's worth 11 and 4 for the Empire, 9 and 3 for defending Boers."""


CUT_OFF = war("OLI FAU 2", "MET BLO 2", side="empire", standing=("OLI",), boer="COL STO ORS")
"""Methuen at Bloemfontein, more than two links from any railway that leads to a port."""


def battle(
    state: State, text: str, first: tuple[str, int], second: tuple[str, int], **thrown: Any
) -> tuple[Any, State]:
    """Return a battle with these cards and rolls of attacker and defender, and the state after it."""
    where = thrown.pop("where", text.split()[-1])
    foe = "empire" if state.side == "boers" else "boers"
    said = {
        f"battle_{where}_cards": f"{first[0]} {second[0]}",
        f"battle_{where}_{state.side}": first[1],
        f"battle_{where}_{foe}": second[1],
        **thrown,
    }
    outcome = play(state, text, **said)
    (fought,) = told(outcome, Battle)
    return fought, outcome.state


@pytest.mark.clause("boer-war", "9.1.score", "9.1.hand", "12.1.cards", "9.2.retreat", "9.2.occupy")
def test_the_best_cards_and_a_die_decide() -> None:
    """Methuen draws three cards, keeps 4 and 4, rolls 5 and loses 1 for the hills: 12. Olivier has 10.

    Olivier's men are mounted and lose nothing. They retreat to Fauresmith, the first Boer point by code.
    """
    fought, state = battle(war(**COLESBERG), "MOVE MET COL", ("C1 A1 T3", 5), ("I1 I2 T1", 3))
    assert (fought.attacker.kept, fought.attacker.points, fought.attacker.score) == (("C1", "A1"), 8, 12)
    assert (fought.defender.kept, fought.defender.points, fought.defender.score) == (("I1", "I2"), 7, 10)
    assert (fought.difference, fought.won) == (2, True)
    assert (fought.attacker.lost, fought.defender.lost) == (1, 0)
    assert (at(state, "MET"), sp(state, "MET")) == ("COL", 1)
    assert (at(state, "OLI"), sp(state, "OLI")) == ("FAU", 2)
    assert state.control["COL"] == "empire"
    assert state.scattered == {"boers": 0, "empire": 1}


@pytest.mark.clause("boer-war", "9.1.draw", "9.1.losses")
def test_an_equal_score_holds_the_field() -> None:
    """At a difference of 0 both sides lose one SP."""
    fought, state = battle(war(**COLESBERG), "MOVE MET COL", ("C1 A1 T3", 3), ("I1 I2 T1", 3))
    assert (fought.difference, fought.won) == (0, False)
    assert (fought.attacker.lost, fought.defender.lost) == (1, 1)
    assert (at(state, "MET"), at(state, "OLI")) == ("NAA", "COL")


@pytest.mark.clause("boer-war", "9.1.losses", "9.1.mobile")
@pytest.mark.parametrize(
    ("own", "foe", "difference", "attacker", "defender"),
    [
        ((HARDLY_ATTACKS, 6), (DEFENDS, 2), -2, 1, 1),
        ((HARDLY_ATTACKS, 5), (DEFENDS, 3), -4, 2, 0),
        ((HARDLY_ATTACKS, 1), (DEFENDS, 6), -11, 3, 0),
        ((ATTACKS, 1), (HARDLY_DEFENDS, 6), 2, 1, 0),
        ((ATTACKS, 3), (HARDLY_DEFENDS, 4), 6, 0, 1),
        ((ATTACKS, 6), (HARDLY_DEFENDS, 1), 12, 0, 2),
    ],
)
def test_losses_grow_with_the_difference(
    own: tuple[str, int], foe: tuple[str, int], difference: int, attacker: int, defender: int
) -> None:
    """The loser loses 1, 2 or 3 SP. Olivier's mounted men lose one less."""
    state = war("OLI COL 3", "MET NAA 3", side="empire", standing=("OLI",))
    fought, _ = battle(state, "MOVE MET COL", own, foe, test_MET=6, test_OLI=6)
    assert fought.difference == difference
    assert (fought.attacker.lost, fought.defender.lost) == (attacker, defender)


@pytest.mark.clause("boer-war", "9.1.mobile")
def test_ox_wagons_do_not_get_away() -> None:
    """With Cronje, whose Move is 2, beaten or repulsed Boers have full losses."""
    state = war("OLI COL 1, CRO COL 2", "MET NAA 3", side="empire")
    fought, _ = battle(state, "MOVE MET COL", (ATTACKS, 3), (HARDLY_DEFENDS, 4), test_CRO=6)
    assert (fought.difference, fought.defender.lost) == (6, 2)
    for leader, lost in (("CRO", 1), ("OLI", 0)):
        state = war(f"{leader} COL 3", garrisons="NAA 1")
        fought, _ = battle(state, f"MOVE {leader} NAA", ("T1 T2 A1 A2", 3), ("I1 I2", 6), where="NAA")
        assert (fought.difference, fought.attacker.lost) == (-2, lost)


@pytest.mark.clause("boer-war", "9.1.taken")
def test_sp_are_taken_from_the_strongest_and_garrisons_last() -> None:
    """White has three SP and Symons two. Of three lost SP White loses two."""
    state = war(boers="JOU NEW 4, MEY NEW 1", empire="WHI DUN 3, SYM DUN 2", garrisons="DUN 1")
    fought, after = battle(
        state,
        "MOVE JOU+MEY DUN",
        ("C7 C1 C2 C3 C4 A1", 6),
        ("T1 T2 T3 C6 A6 C7 C2", 1),
        test_WHI=6,
        test_SYM=6,
    )
    assert (fought.attacker.sp, fought.defender.sp) == (5, 6)
    assert (fought.difference, fought.defender.lost) == (14, 3)
    assert (sp(after, "WHI"), sp(after, "SYM")) == (1, 1)


@pytest.mark.clause("boer-war", "9.1.hand", "9.1.beyond")
def test_a_force_beyond_eight_adds_for_every_two_more() -> None:
    """Eleven SP keep eight cards and add one point."""
    state = war("OLI COL 1", "BUL NAA 8, MET NAA 3", side="empire", standing=("OLI",))
    cards = "I1 I2 I3 I4 I5 I6 I7 I8 C1"
    fought, _ = battle(state, "MOVE BUL+MET COL", (cards, 1), ("T1 T2", 1), test_OLI=6)
    assert (fought.attacker.sp, len(fought.attacker.kept), fought.attacker.beyond) == (11, 8, 1)
    assert fought.attacker.score == fought.attacker.points + 1 + 1 - 1


@pytest.mark.clause("boer-war", "9.1.trains")
def test_trains_count_on_the_railway_only() -> None:
    """Trains count at Colesberg, but not at Greytown."""
    assert card_worth(war(), "R1", "empire", "attack", "COL") == 3
    assert card_worth(war(), "R1", "empire", "attack", "GRE") == 0
    assert card_worth(war(), "I1", "empire", "attack", "GRE") == 3


@pytest.mark.clause("boer-war", "9.1.modifiers")
@pytest.mark.parametrize(
    ("state", "text", "where", "modifiers"),
    [
        (war(**COLESBERG), "MOVE MET COL", "COL", (("hills", -1),)),
        (
            war(**COLESBERG, trenches={"boers": ("COL",)}),
            "MOVE MET COL",
            "COL",
            (("hills", -1), ("trenches", -2)),
        ),
        (war("CRO ZEE 2", garrisons="MAF 1"), "MOVE CRO MAF STORM", "MAF", (("fort", -3),)),
        (war("JOU SPK 2", garrisons="LAD 1"), "MOVE JOU LAD STORM", "LAD", (("fort", -2),)),
        (war("CRO CRA 2", garrisons="PEL 1"), "MOVE CRO PEL", "PEL", (("port", -5),)),
        (CUT_OFF, "MOVE MET FAU", "FAU", (("unsupplied", -2),)),
    ],
)
def test_what_is_added_to_an_attack(state: State, text: str, where: str, modifiers: tuple) -> None:
    """Hills or a river, trenches, forts, ports and lack of supply."""
    cards = ("I1 I2 I3", 3)
    fought, _ = battle(
        state,
        text,
        cards,
        ("C1 C2 C3" if state.side == "empire" else "C1 C2", 3),
        where=where,
        test_OLI=6,
        test_MET=6,
        test_CRO=6,
        test_JOU=6,
    )
    assert fought.attacker.modifiers == modifiers


@pytest.mark.clause("boer-war", "9.2.repulsed")
def test_a_repulsed_attacker_is_back_where_he_came_from() -> None:
    """The attacker also controls the points on the way."""
    state = war("OLI COL 2", "FRE STO 2", side="empire", standing=("OLI",))
    outcome = play(
        state,
        "MOVE FRE STO NAA COL",
        battle_COL_cards="T1 T2 T3 C6 I1 I2 I3",
        battle_COL_empire=6,
        battle_COL_boers=1,
    )
    (back,) = told(outcome, Retreated)
    assert (back.leaders, back.to, back.beaten) == (("FRE",), "NAA", False)
    assert at(outcome.state, "OLI") == "COL"
    assert outcome.state.repulsed == ("FRE",)


@pytest.mark.clause("boer-war", "9.2.captured", "3.lost")
def test_who_cannot_retreat_is_captured() -> None:
    """Murray is in Durban with Boers on both ways out.

    The SP of Murray and the garrison are lost for good.
    """
    state = war("JOU PMB 4, OLI ESH 1", "MUR DUR 2", garrisons="DUR 1")
    outcome = play(
        state,
        "MOVE JOU DUR",
        battle_DUR_cards="C7 C1 C2 C3 C4 T1 T2 T3 C6",
        battle_DUR_boers=1,
        battle_DUR_empire=5,
    )
    (captured,) = told(outcome, Captured)
    assert (captured.leaders, captured.sp) == (("MUR",), 2)
    assert outcome.state.lost["empire"] == 2
    assert outcome.state.gone == ("MUR",)
    assert on_books(outcome.state, "empire") == state.brought["empire"]


@pytest.mark.clause("boer-war", "9.2.captured")
def test_garrisons_do_not_retreat() -> None:
    """The leader retreats, and the garrison is captured."""
    state = war("JOU NEW 5", "WHI DUN 3", garrisons="DUN 1")
    outcome = play(
        state,
        "MOVE JOU DUN",
        battle_DUN_cards="C7 C1 C2 C3 C4 A1 T1 T2 T3 C6 A6",
        battle_DUN_boers=1,
        battle_DUN_empire=6,
    )
    (captured,) = told(outcome, Captured)
    assert (captured.leaders, captured.sp) == ((), 1)
    assert at(outcome.state, "WHI") == "GRE"
    assert outcome.state.garrisons == {}


@pytest.mark.clause("boer-war", "9.2.retreat")
def test_a_retreat_prefers_its_own_country_and_company() -> None:
    """Among the Empire's points next to Dundee it's the one with Clery, never the attacker's point."""
    state = war("JOU NEW 5", "WHI DUN 3, CLE GRE 1")
    outcome = play(
        state,
        "MOVE JOU DUN",
        battle_DUN_cards="C7 C1 C2 C3 C4 A1 T1 T2 T3 C6",
        battle_DUN_boers=1,
        battle_DUN_empire=6,
    )
    assert at(outcome.state, "WHI") == "GRE"


@pytest.mark.clause("boer-war", "3.test")
@pytest.mark.parametrize(("die", "gone", "boxes"), [(1, ("OLI",), ()), (2, (), ("OLI",))])
def test_a_leader_without_sp_throws(die: int, gone: tuple, boxes: tuple) -> None:
    """A roll of 1 puts the leader out of the game, others put the leader in the Reorganization box."""
    state = war(**{**COLESBERG, "boers": "OLI COL 1"})
    fought, after = battle(state, "MOVE MET COL", ("C1 A1 T3", 6), ("T1 T2", 1), test_OLI=die)
    assert fought.difference >= 4
    assert (after.gone, after.boxes["boers"]) == (gone, boxes)


@pytest.mark.clause("boer-war", "3.test")
def test_after_a_decisive_defeat_a_leader_with_one_sp_throws() -> None:
    """The difference is 8 or more. On a 1 the leader is out of the game and the last SP is scattered."""
    state = war(**{**COLESBERG, "boers": "OLI COL 3"})
    fought, after = battle(state, "MOVE MET COL", ("C1 A1 T3", 6), ("T1 T2 T3 R1", 2), test_OLI=1)
    assert (fought.difference, fought.defender.lost) == (8, 2)
    assert after.gone == ("OLI",)
    assert after.scattered["boers"] == 3
    fought, after = battle(state, "MOVE MET COL", ("C1 A1 T3", 6), ("T1 T2 I8 I7", 4))
    assert fought.difference < 8
    assert after.gone == ()
    state = war(**{**COLESBERG, "boers": "OLI COL 4"})
    fought, after = battle(state, "MOVE MET COL", ("C1 A1 T3", 6), ("T1 T2 T3 R1 R2", 1))
    assert (fought.difference >= 8, sp(after, "OLI")) == (True, 2)


@pytest.mark.clause("boer-war", "9.1.mobile")
def test_mobile_troops_of_the_empire_lose_what_others_do() -> None:
    """French, who is as fast as the Boers, is repulsed by a difference of five."""
    state = war("OLI COL 3", "FRE NAA 3", side="empire", standing=("OLI",))
    fought, after = battle(state, "MOVE FRE COL", ("T1 T2 T3 C6 A6", 2), (DEFENDS, 2))
    assert -8 < fought.difference <= -4
    assert (fought.attacker.lost, sp(after, "FRE")) == (2, 1)


@pytest.mark.clause("boer-war", "7.slip", "13.1.estimate")
def test_mounted_boers_are_gone_before_a_strong_attack() -> None:
    """Olivier slips away to a Boer point, and Methuen takes Colesberg without a battle."""
    state = war("OLI COL 2", "MET NAA 5", side="empire")
    outcome = play(state, "MOVE MET COL")
    (slipped,) = told(outcome, Slipped)
    assert (slipped.to, slipped.expected) == (
        "FAU",
        expected_difference(state, Attack("empire", ("MET",), "COL", "NAA")),
    )
    assert at(outcome.state, "MET") == "COL"
    assert outcome.state.control["COL"] == "empire"


@pytest.mark.clause("boer-war", "13.1.estimate")
def test_the_estimate_of_a_score() -> None:
    """Methuen attacks with five SP: 5 x 1.95 + 0.45 + 3.5.

    Olivier defends with two: 2 x 1.95 + 0.45 + 3.5.
    """
    assert expected_score(war(), "empire", "attack", 5, 1) == pytest.approx(13.7)
    assert expected_score(war(), "boers", "defence", 2, 1) == pytest.approx(7.85)
    assert expected_score(war(), "boers", "attack", 12, 3) == pytest.approx(8 * 1.34 + 1.35 + 3.5 + 2)
    state = war("OLI COL 2", "MET NAA 5", side="empire")
    assert expected_difference(state, Attack("empire", ("MET",), "COL", "NAA")) == pytest.approx(
        13.7 - 7.85 - 1
    )


@pytest.mark.clause("boer-war", "7.slip")
@pytest.mark.parametrize(
    "state",
    [
        war("OLI COL 2", "MET NAA 5", side="empire", standing=("OLI",)),
        war("OLI COL 2", "MET NAA 5", side="empire", trenches={"boers": ("COL",)}),
        war("CRO COL 2", "MET NAA 5", side="empire"),
        war("OLI COL 2", "MET NAA 5", side="empire", imperial="FAU SPR"),
        war("OLI COL 6", "MET NAA 5", side="empire"),
    ],
    ids=["told to stand", "entrenched", "ox wagons", "nowhere of their own", "not outmatched"],
)
def test_who_does_not_slip_away(state: State) -> None:
    """In these positions there is a battle."""
    defenders = min(sum(there.sp for name, there in state.leaders.items() if name != "MET"), 8) + 1
    outcome = play(
        state,
        "MOVE MET COL",
        battle_COL_cards=" ".join(list(materials().cards)[: 6 + defenders]),
        battle_COL_empire=3,
        battle_COL_boers=3,
        test_OLI=6,
        test_CRO=6,
        test_MET=6,
    )
    assert len(told(outcome, Battle)) == 1
    assert told(outcome, Slipped) == []


@pytest.mark.clause("boer-war", "7.slip", "13.1.estimate")
@pytest.mark.parametrize(("guests", "ahead", "slips"), [(4, 1.0, True), (3, 0.0, False)])
def test_boers_slip_away_from_an_attack_that_is_ahead_by_one(guests: int, ahead: float, slips: bool) -> None:
    """Eight SP fight eight. Beyond the hand two SP add one point, and one SP adds nothing."""
    attack = Attack("empire", ("BUL", "WHI"), "ALI", "QUE")
    here = war("OLI ALI 3, MEY ALI 4, SCH ALI 1", f"BUL QUE 6, WHI QUE {guests}", side="empire", turn=2)
    assert expected_difference(here, attack) == ahead
    assert try_slip_away(WorkingState(here, Fated()), attack) is slips


@pytest.mark.clause("boer-war", "7.slip")
@pytest.mark.parametrize(
    ("position", "slips"),
    [({"boer": "KIM"}, True), ({"garrisons": "KIM 1", "besieged": "KIM 0"}, False)],
    ids=["in a town of their own", "before one"],
)
def test_besiegers_do_not_slip_away(position: dict[str, str], slips: bool) -> None:
    attack = Attack("empire", ("MET",), "KIM", "MOD")
    here = war("OLI KIM 2", "MET MOD 8", side="empire", **position)
    assert try_slip_away(WorkingState(here, Fated()), attack) is slips


@pytest.mark.clause("boer-war", "9.2.nobody-left")
def test_a_victory_that_leaves_nobody_takes_nothing() -> None:
    """Methuen's single SP wins narrowly and is lost. Olivier stays."""
    state = war(**{**COLESBERG, "empire": "MET NAA 1"})
    fought, after = battle(state, "MOVE MET COL", ("C1 T3", 6), ("I8 I7 T1", 3), test_MET=6)
    assert (fought.won, fought.attacker.lost, fought.difference) == (True, 1, 2)
    assert (at(after, "OLI"), after.control["COL"]) == ("COL", "empire")
    assert after.boxes["empire"] == ("MET",)


@pytest.mark.clause("boer-war", "9.1.command")
def test_a_garrison_alone_has_command_one() -> None:
    """Leaders have the best Command among them."""
    state = war("DLR NEW 2, JOU NEW 1", garrisons="DUN 2")
    outcome = play(
        state,
        "MOVE JOU+DLR DUN",
        battle_DUN_cards="T1 T2 T3 C6 C7 A6 I1 I2 I3",
        battle_DUN_boers=1,
        battle_DUN_empire=6,
        test_DLR=6,
        test_JOU=6,
    )
    (fought,) = told(outcome, Battle)
    assert (fought.attacker.command, fought.defender.command) == (3, 1)
    assert (len(fought.attacker.cards), len(fought.defender.cards)) == (6, 3)
