"""Moves, trains, supply, groups, control and transfers in Turns I and II."""

import pytest

from games.boer_war import GAMES
from games.boer_war.events import Handed, Refused, Repaired, Took, Went
from games.record import replace_fields
from tests.games.boer_war.field import RULES, after, at, play, refusal, sp, told, war, why_not
from tests.kit.owner_data import options_with_files

(GAME,) = GAMES


@pytest.mark.clause("boer-war", "7.move", "4.control", "3.leader")
def test_a_leader_moves_along_links_and_takes_what_he_passes() -> None:
    """Olivier moves two links into the Cape Colony. The Boers control both points afterwards."""
    outcome = play(war(boers="OLI SMI 2"), "MOVE OLI SMI ALI QUE")
    (went,) = told(outcome, Went)
    assert went.path == ("SMI", "ALI", "QUE")
    (took,) = told(outcome, Took)
    assert (took.side, took.points) == ("boers", ("ALI", "QUE"))
    assert at(outcome.state, "OLI") == "QUE"


@pytest.mark.clause("boer-war", "7.move", "14.path")
def test_a_way_may_be_named_by_its_goal() -> None:
    """They take the shortest free way, also if the order names the start."""
    state = war(boers="OLI SMI 2")
    assert at(after(state, "MOVE OLI QUE"), "OLI") == "QUE"
    assert at(after(state, "MOVE OLI SMI QUE"), "OLI") == "QUE"


@pytest.mark.clause("boer-war", "7.move")
def test_nobody_goes_further_than_his_move() -> None:
    """Joubert can move two links, Olivier three."""
    state = war(boers="JOU VOL 5, OLI SMI 2")
    found = refusal(state, "MOVE JOU NEW DUN GRE")
    assert found is not None
    assert (found.code, found.detail["links"], found.detail["most"]) == ("too-far", "3", "2")
    assert why_not(state, "MOVE OLI ALI QUE ELN") is None
    assert why_not(state, "MOVE OLI ALI QUE STO NAA") == "too-far"


@pytest.mark.clause("boer-war", "7.move")
def test_nobody_goes_through_the_enemy() -> None:
    """The enemy holds Dundee, so Joubert can enter it but not pass it."""
    state = war(boers="JOU VOL 5", garrisons="DUN 1, NEW 1")
    assert why_not(state, "MOVE JOU NEW DUN") == "in-the-way"
    assert why_not(state, "MOVE JOU NEW") is None
    assert why_not(state, "MOVE JOU KIM") == "too-far"
    assert why_not(state, "MOVE JOU VOL") == "nowhere"


@pytest.mark.clause("boer-war", "3.group")
def test_a_commander_in_chief_takes_two_others_along_at_his_move() -> None:
    """Joubert and Meyer move two links together, though Meyer alone could move three."""
    state = war(boers="JOU VOL 5, MEY VOL 2, OLI VOL 1, SCH VOL 1")
    moved = after(state, "MOVE JOU+MEY+OLI NEW DUN")
    assert {at(moved, one) for one in ("JOU", "MEY", "OLI")} == {"DUN"}
    assert why_not(state, "MOVE JOU+MEY NEW DUN GRE") == "too-far"
    assert why_not(state, "MOVE MEY+OLI NEW") == "no-chief"
    assert why_not(war(boers="JOU VOL 5, MEY NEW 2"), "MOVE JOU+MEY DUN") == "apart"


@pytest.mark.clause("boer-war", "3.group")
def test_nobody_moves_whom_his_side_does_not_have_there() -> None:
    """Enemy leaders, leaders still to come, leaders in the box and leaders out of the game can't move."""
    state = war(boers="JOU VOL 5", empire="WHI LAD 3", boxes={"boers": ("OLI",)}, gone=("SCH",))
    assert why_not(state, "MOVE WHI DUN") == "not-yours"
    assert why_not(state, "MOVE BOT DUN") == "still-to-come"
    assert why_not(state, "MOVE OLI DUN") == "in-the-box"
    assert why_not(state, "MOVE SCH DUN") == "gone"


@pytest.mark.clause("boer-war", "7.supply")
def test_out_of_supply_the_empire_goes_one_link() -> None:
    """Methuen is at Boshof, and the line to Kimberley is cut."""
    state = war(empire="MET BOS 3", side="empire", cuts=("ORS-MOD", "MOD-KIM"))
    assert why_not(state, "MOVE MET CHR") is None
    assert why_not(state, "MOVE MET CHR WOL") == "unsupplied"
    supplied = war(empire="MET BOS 3", side="empire")
    assert why_not(supplied, "MOVE MET CHR WOL") is None


@pytest.mark.clause("boer-war", "7.supply")
def test_supply_runs_over_the_empires_railways_without_boers() -> None:
    """Boers at Modder River cut Boshof off from supply, and so does their control of it."""
    assert why_not(war("CRO MOD 2", "MET BOS 3", side="empire"), "MOVE MET CHR WOL") == "unsupplied"
    assert why_not(war(empire="MET BOS 3", side="empire", boer="MOD"), "MOVE MET CHR WOL") == "unsupplied"


@pytest.mark.clause("boer-war", "7.rail")
def test_trains_go_six_links_through_the_empires_country() -> None:
    """From Cape Town it's five links to Modder River, six to Kimberley, seven to Vryburg."""
    state = war(empire="MET CPT 3", side="empire")
    moved = after(state, "RAIL MET CPT MOD")
    assert at(moved, "MET") == "MOD"
    assert why_not(state, "RAIL MET KIM") is None
    assert why_not(state, "RAIL MET VRY") == "too-far"


@pytest.mark.clause("boer-war", "7.rail")
def test_no_train_passes_cuts_boers_or_their_country() -> None:
    """A train also needs a railway."""
    state = war("CRO WOR 1", "MET CPT 3, GAT ELN 1", side="empire", cuts=("QUE-STO",))
    assert why_not(state, "RAIL MET DEA") == "no-way"
    assert why_not(state, "RAIL GAT QUE STO") == "no-train"
    assert why_not(state, "RAIL GAT QUE") is None
    assert why_not(war(empire="GAT STO 1", side="empire"), "RAIL GAT SPR") == "no-train"
    assert why_not(war(empire="BUL ESH 1", side="empire"), "RAIL BUL DUR") == "no-station"
    assert why_not(war(empire="GAT STO 1", side="empire", boer="STO"), "RAIL GAT QUE") == "no-station"


@pytest.mark.clause("boer-war", "3.exchange")
def test_sp_change_hands_where_a_way_begins_or_ends() -> None:
    """Buller gives Clery two SP before the move, or gets Murray's SP at the end."""
    state = war(empire="BUL DUR 5, CLE DUR 1, MUR PMB 2", side="empire")
    moved = after(state, "TRANSFER BUL CLE 2", "MOVE BUL PMB")
    assert (sp(moved, "BUL"), sp(moved, "CLE")) == (3, 3)
    moved = after(state, "MOVE BUL PMB", "TRANSFER MUR BUL 1")
    assert (sp(moved, "BUL"), sp(moved, "MUR")) == (6, 1)


@pytest.mark.clause("boer-war", "3.exchange", "3.capacity", "14.free")
def test_what_cannot_be_handed_over_is_told() -> None:
    """Transfers fail without room, with the last SP, between leaders apart, or without a move.

    The action counts.
    """
    state = war(empire="BUL DUR 3, CLE DUR 2, HUN DUR 5, MUR PMB 2", side="empire")
    for text in ("TRANSFER BUL HUN 1", "TRANSFER BUL CLE 3", "TRANSFER MUR CLE 1"):
        outcome = play(state, text, "MOVE BUL ESH")
        (refused,) = told(outcome, Refused)
        assert refused.code == "cannot-hand-over"
        assert at(outcome.state, "BUL") == "ESH"
    (refused,) = told(play(state, "TRANSFER BUL CLE 1", "PASS"), Refused)
    assert refused.code == "nothing-moves"


@pytest.mark.clause("boer-war", "3.garrison")
def test_an_empire_leader_leaves_one_sp_behind() -> None:
    """It needs two SP, at the start or at the end. A leader can also take over a garrison."""
    state = war(empire="BUL DUR 3", garrisons="PMB 2", side="empire")
    outcome = play(state, "GARRISON BUL DUR", "MOVE BUL PMB")
    assert outcome.state.garrisons == {"DUR": 1, "PMB": 2}
    assert len(told(outcome, Handed)) == 1
    moved = after(state, "MOVE BUL PMB", "TRANSFER GARRISON BUL 2")
    assert (moved.garrisons, sp(moved, "BUL")) == ({}, 5)
    assert why_not(war(empire="BUL DUR 1", side="empire"), "GARRISON BUL DUR") == "too-weak"


@pytest.mark.clause("boer-war", "7.entrench")
def test_a_force_entrenches_until_its_last_sp_leaves() -> None:
    """The trenches stay as long as there is a force."""
    state = war(boers="CRO MOD 3, WES MOD 1")
    dug = after(state, "ENTRENCH MOD")
    assert dug.trenches["boers"] == ("MOD",)
    here = war(boers="CRO MOD 3, WES MOD 1", trenches={"boers": ("MOD",)})
    assert why_not(here, "ENTRENCH MOD") == "entrenched-already"
    assert why_not(here, "ENTRENCH COL") == "nobody-there"
    one_left = after(here, "MOVE CRO JAC")
    assert one_left.trenches["boers"] == ("MOD",)
    nobody = after(replace_fields(one_left, side="boers"), "MOVE WES JAC")
    assert nobody.trenches["boers"] == ()


@pytest.mark.clause("boer-war", "7.cut")
def test_boers_cut_railways_near_them() -> None:
    """They can cut links of their own point and of points next to it without Empire SP."""
    state = war(boers="CRO JAC 2")
    assert after(state, "CUT MOD-KIM").cuts == ("MOD-KIM",)
    assert why_not(state, "CUT ORS-MOD") is None
    assert why_not(state, "CUT DEA-ORS") == "nobody-near"
    assert why_not(state, "CUT JAC-MOD") == "no-railway"
    guarded = war(boers="CRO JAC 2", garrisons="MOD 1")
    assert why_not(guarded, "CUT MOD-KIM") == "nobody-near"
    assert (
        why_not(war(boers="CRO MOD 2", garrisons="KIM 1", cuts=("MOD-KIM",)), "CUT MOD-KIM") == "cut-already"
    )


@pytest.mark.clause("boer-war", "7.repair")
def test_by_numbers_of_before_the_empire_repairs_two_cuts_at_a_time() -> None:
    """It repairs links of points with its SP or next to them, without a roll."""
    cuts = ("ORS-MOD", "MOD-KIM", "KIM-VRY", "VRY-MAF")
    state = war(garrisons="ORS 1", side="empire", cuts=cuts, options={"numbers": "even"})
    assert after(state, "REPAIR ORS-MOD MOD-KIM").cuts == ("KIM-VRY", "VRY-MAF")
    assert why_not(state, "REPAIR KIM-VRY") == "nobody-to-repair"
    assert why_not(state, "REPAIR DEA-ORS") == "not-cut"
    assert why_not(state, "REPAIR ORS-MOD ORS-MOD") == "not-cut"


@pytest.mark.clause("boer-war", "7.repair")
@pytest.mark.parametrize(("die", "left"), [(3, ("ORS-MOD", "MOD-KIM")), (4, ("MOD-KIM",))])
def test_one_cut_is_mended_on_four_or_more(die: int, left: tuple[str, ...]) -> None:
    """It needs SP at one of the ends."""
    state = war(garrisons="ORS 1", side="empire", cuts=("ORS-MOD", "MOD-KIM"))
    outcome = play(state, "REPAIR ORS-MOD", repair_ORS_MOD=die)
    assert outcome.state.cuts == left
    (repaired,) = told(outcome, Repaired)
    assert (repaired.links, repaired.die, repaired.done) == (("ORS-MOD",), die, die == 4)
    assert why_not(state, "REPAIR MOD-KIM") == "nobody-to-repair"
    assert why_not(state, "REPAIR ORS-MOD MOD-KIM") == "too-many-links"


@pytest.mark.clause("boer-war", "7.repair", "7.cut")
def test_numbers_say_how_far_men_come_to_a_railway() -> None:
    """With the distance 0 they must be at an end of the link. A repair can be limited to one cut."""
    near = {"repair_near": 0, "repaired": 1, "mends": 0, "cut_near": 0}
    options = options_with_files(GAME, {"numbers.json": {"markers": near}})
    cuts = ("ORS-MOD", "MOD-KIM", "DEA-ORS")
    state = war(garrisons="ORS 1", side="empire", cuts=cuts, options=options)
    assert after(state, "REPAIR ORS-MOD").cuts == ("MOD-KIM", "DEA-ORS")
    assert why_not(state, "REPAIR MOD-KIM") == "nobody-to-repair"
    assert why_not(state, "REPAIR ORS-MOD DEA-ORS") == "too-many-links"
    boers = war("CRO JAC 1", options=options)
    assert why_not(boers, "CUT ORS-MOD") == "nobody-near"
    assert why_not(war("CRO MOD 1", options=options), "CUT ORS-MOD") is None


@pytest.mark.clause("boer-war", "7.list", "8.list")
def test_each_side_has_its_own_actions() -> None:
    """The guerrilla war has other actions."""
    assert why_not(war(boers="CRO MOD 2"), "RAIL CRO KIM") == "not-in-this-turn"
    assert why_not(war(empire="MET MOD 2", side="empire"), "CUT ORS-MOD") == "not-in-this-turn"
    assert why_not(war(boers="DWT REI 2", turn=3), "MOVE DWT LIN") == "not-in-this-turn"
    assert why_not(war(boers="DWT REI 2"), "TREK DWT LIN") == "not-in-this-turn"
    assert why_not(war(empire="KIT KRO 2", side="empire", turn=3), "ENTRENCH KRO") == "not-in-this-turn"
    assert why_not(war(empire="KIT KRO 2", side="empire", turn=2), "CAMP KRO") == "not-in-this-turn"


@pytest.mark.clause("boer-war", "14.wrong")
def test_an_unlawful_action_costs_nothing() -> None:
    """It's reported, the action stays open, and there is no draw. The next turn has a name of its own."""
    state = war(boers="OLI SMI 2")
    outcome = play(state, "MOVE OLI CPT")
    (refused,) = told(outcome, Refused)
    assert refused.code == "too-far"
    assert (outcome.state.done, outcome.state.side) == (0, "boers")
    assert RULES.turn(state).short == "T1B1"
    assert RULES.turn(outcome.state).short == "T1B1b"


@pytest.mark.clause("boer-war", "14.free")
def test_stances_cost_no_action() -> None:
    """They stay in force until the next order."""
    state = war(boers="DLR LIC 1, OLI SMI 1")
    outcome = play(state, "STANCE DLR STAND")
    assert outcome.state.standing == ("DLR",)
    assert outcome.state.done == 0
    assert after(outcome.state, "STANCE DLR SLIP", "PASS").standing == ()
    assert why_not(war(empire="WHI LAD 3", side="empire"), "STANCE WHI SLIP") == "boers-only"
