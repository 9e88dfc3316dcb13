"""The event counters: their conditions and effects."""

from typing import Any

import pytest

from games.boer_war.components import materials
from games.boer_war.events import Battle, Evasion, LostSp, Played, Reinforced, Skirmish
from games.boer_war.model import State
from games.record import replace_fields
from tests.games.boer_war.field import FEW, after, at, on_books, play, sp, told, war, why_not


def empire(
    boers: str = "", leaders: str = "", garrisons: str = "", besieged: str = "", **fields: Any
) -> State:
    """Return a position in which the Empire acts."""
    return war(boers, leaders, garrisons, besieged, side="empire", **fields)


@pytest.mark.clause("boer-war", "12.2.choose", "6.once")
def test_events_are_chosen_by_their_side_in_their_turns() -> None:
    """A counter can be played as often as it says, but only one counter a round."""
    state = empire(turn=2, scattered={"boers": 5}, imperial="BLO PRE")
    first = after(state, "EVENT E06", go=True)
    assert why_not(first, "EVENT E06") == "event-already"
    again = after(replace_fields(first, used=()), "EVENT E06", go=True)
    assert (again.scattered["boers"], again.lost["boers"]) == (1, 4)
    assert why_not(replace_fields(again, used=()), "EVENT E06") == "played-already"
    assert why_not(state, "EVENT B05") == "not-your-event"
    assert why_not(state, "EVENT E01 CPT") == "not-this-turn"
    assert why_not(state, "EVENT E06 BLO") == "not-for-this-event"


@pytest.mark.clause("boer-war", "12.2.E01")
def test_the_army_corps_lands() -> None:
    """Two new SP arrive at a port while a town is besieged, for a leader as far as there is room."""
    state = empire("CRO MAF 2", "MET CPT 4", "MAF 1", "MAF 0")
    landed = after(state, "EVENT E01 MET CPT")
    assert (sp(landed, "MET"), landed.garrisons["CPT"]) == (5, 1)
    assert on_books(landed, "empire") == state.brought["empire"] + 2 == landed.brought["empire"]
    assert after(state, "EVENT E01 DUR").garrisons["DUR"] == 2
    assert why_not(empire(), "EVENT E01 DUR") == "no-condition"
    assert why_not(state, "EVENT E01 KIM") == "not-this-point"


@pytest.mark.clause("boer-war", "12.2.E02")
def test_naval_guns_are_used_with_an_order() -> None:
    """The guns add 3 to one battle on or next to a railway. Then they are gone."""
    state = after(empire("OLI COL 2", "MET NAA 2", standing=("OLI",)), "EVENT E02", go=True)
    assert state.kept == {"E02": ""}
    outcome = play(
        state,
        "MOVE MET COL WITH GUNS",
        battle_COL_cards="C1 A1 T3 I1 I2 T1",
        battle_COL_empire=3,
        battle_COL_boers=3,
    )
    (fought,) = told(outcome, Battle)
    assert fought.attacker.modifiers == (("hills", -1), ("E02", 3))
    assert outcome.state.kept == {}
    assert why_not(empire("OLI COL 2", "MET NAA 2"), "MOVE MET COL WITH GUNS") == "no-guns"
    far = empire("OLI UPI 2", "MET PRI 2", kept={"E02": ""})
    assert why_not(far, "MOVE MET UPI WITH GUNS") == "guns-out-of-reach"
    assert why_not(empire(boer="CPT DUR"), "EVENT E02") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E03")
def test_contingents_come_after_a_defeat() -> None:
    """They arrive at any port of the Empire."""
    assert after(empire(beaten=True), "EVENT E03 PEL").garrisons == {"PEL": 2}
    assert why_not(empire(), "EVENT E03 PEL") == "no-condition"
    beaten = play(
        war("JOU NEW 4", garrisons="DUN 1"),
        "MOVE JOU DUN",
        battle_DUN_cards="C7 C1 C2 C3 C4 T1 T2",
        battle_DUN_boers=3,
        battle_DUN_empire=3,
    ).state
    assert beaten.beaten


@pytest.mark.clause("boer-war", "12.2.E04")
def test_the_heliograph_lowers_a_siege() -> None:
    """It needs an Empire leader with three SP within two links. The level doesn't go below 0."""
    state = empire("JOU LAD 4", "BUL EST 3", "LAD 1", "LAD 2")
    assert after(state, "EVENT E04 LAD").sieges == {"LAD": 1}
    assert after(replace_fields(state, sieges={"LAD": 0}), "EVENT E04 LAD").sieges == {"LAD": 0}
    assert why_not(empire("JOU LAD 4", "BUL EST 2", "LAD 1", "LAD 2"), "EVENT E04 LAD") == "no-condition"
    assert why_not(empire("JOU LAD 4", "BUL DUR 3", "LAD 1", "LAD 2"), "EVENT E04 LAD") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E05")
def test_french_rides_five_links() -> None:
    """The ride ends with an attack at +2."""
    state = empire("WES BOS 2", "FRE COL 2", turn=2, standing=("WES",))
    ridden = after(state, "EVENT E05 FRE COL FAU JAC PAA KIM")
    assert at(ridden, "FRE") == "KIM"
    assert ridden.control["JAC"] == "empire"
    outcome = play(
        state,
        "EVENT E05 FRE FAU JAC PAA BOS",
        battle_BOS_cards="T1 T2 T3 C6 I1 I2",
        battle_BOS_empire=6,
        battle_BOS_boers=1,
    )
    (fought,) = told(outcome, Battle)
    assert fought.attacker.modifiers == (("E05", 2),)
    assert fought.came == "PAA"
    assert why_not(state, "EVENT E05 FRE FAU JAC PAA KIM VRY MAF") == "too-far"
    assert why_not(empire(leaders="MET COL 2", turn=2), "EVENT E05 MET FAU") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E06")
def test_annexation_takes_the_scattered() -> None:
    """The first use needs Bloemfontein, the second Pretoria."""
    state = empire(turn=3, scattered={"boers": 3}, imperial="BLO")
    once = after(state, "EVENT E06")
    assert (once.scattered["boers"], once.lost["boers"]) == (1, 2)
    last = after(empire(turn=3, scattered={"boers": 1}, imperial="BLO"), "EVENT E06")
    assert (last.scattered["boers"], last.lost["boers"]) == (0, 1)
    assert why_not(replace_fields(once, side="empire", used=()), "EVENT E06") == "no-condition"
    assert why_not(empire(turn=3, scattered={"boers": 3}, imperial="PRE"), "EVENT E06") == "no-condition"
    assert why_not(empire(turn=3, imperial="BLO"), "EVENT E06") == "none-scattered"


@pytest.mark.clause("boer-war", "12.2.E07")
def test_the_oath_sends_burghers_home() -> None:
    """Leaders with two SP within two links of the town roll. On a 1 or 2 one SP is lost for good."""
    state = empire("BOT MDB 3, DLR RUS 2, OLI SMI 2, SCH JOH 1", turn=2, imperial="PRE")
    outcome = play(state, "EVENT E07 PRE", oath_BOT=2, oath_DLR=3)
    assert [(one.leader, one.lost) for one in told(outcome, LostSp)] == [("DLR", 0), ("BOT", 1)]
    assert (sp(outcome.state, "BOT"), outcome.state.lost["boers"]) == (2, 1)
    assert why_not(state, "EVENT E07 JOH") == "not-this-point"


@pytest.mark.clause("boer-war", "12.2.E08")
def test_armoured_trains_mend_and_build() -> None:
    """It repairs two cuts anywhere and builds one line of blockhouses."""
    state = empire(turn=3, cuts=("CPT-WOR", "ORS-MOD", "MOD-KIM"))
    mended = after(state, "EVENT E08 CPT-WOR ORS-MOD DEA-ORS")
    assert (mended.cuts, mended.blockhouses) == (("MOD-KIM",), ("DEA-ORS",))
    assert why_not(state, "EVENT E08 CPT-WOR ORS-MOD") == "which-link"
    assert why_not(state, "EVENT E08 DEA-ORS") == "which-cuts"
    assert why_not(empire(turn=3), "EVENT E08 DEA-ORS") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E09", "12.2.lapse")
def test_national_scouts_help_till_the_turn_ends() -> None:
    """It adds 1 to each Empire roll, for attackers and garrisons."""
    state = after(
        empire("DWT REI 2", "ELL LIN 3", turn=3, imperial="BLO JOH PRE", standing=("DWT",)),
        "EVENT E09",
        go=True,
    )
    outcome = play(state, "MOVE ELL REI", skirmish_REI_empire=1, skirmish_REI_boers=1)
    (fought,) = told(outcome, Skirmish)
    assert ("E09", 1) in fought.attacker.modifiers
    assert outcome.state.kept == {"E09": ""}
    assert why_not(empire(turn=3, imperial="BLO JOH"), "EVENT E09") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E10")
def test_a_night_raid_cannot_be_evaded() -> None:
    """It needs a leader with Command 2 and Boers within the leader's Move."""
    state = empire("HER REI 2", "BEN HEI 3, ELL LIN 2", turn=3)
    outcome = play(state, "EVENT E10 BEN REI", skirmish_REI_empire=6, skirmish_REI_boers=3)
    assert told(outcome, Evasion) == []
    assert len(told(outcome, Skirmish)) == 1
    assert at(outcome.state, "BEN") == "REI"
    assert why_not(state, "EVENT E10 ELL REI") == "not-this-leader"


@pytest.mark.clause("boer-war", "12.2.E11")
def test_the_great_drive() -> None:
    """Five columns attack together if four can reach the same Boers."""
    columns = "ELL LIN 1, KNO SEN 1, BLD HAR 1, BEN FRK 1, RAW VRD 1"
    state = empire("DWT REI 3", columns, turn=4, standing=("DWT",))
    outcome = play(
        state, "EVENT E11 REI ELL KNO BLD BEN RAW", skirmish_REI_empire=6, skirmish_REI_boers=2, test_DWT=6
    )
    (fought,) = told(outcome, Skirmish)
    assert (len(fought.attacker.leaders), fought.attacker.sp) == (5, 5)
    few = empire("DWT REI 3", "ELL LIN 1, KNO SEN 1, BLD HAR 1", turn=4)
    assert why_not(few, "EVENT E11 REI ELL KNO BLD") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.E12")
def test_talks_win_leaders_over() -> None:
    """Leaders with Command 1 or less are out on a 1, with all their SP.

    It needs 18 Boer SP or fewer (earlier 15).
    """
    state = empire("HAA SEN 2, CBO PIR 3, DWT REI 3", turn=3)
    outcome = play(state, "EVENT E12", talks_HAA=1, talks_CBO=2)
    assert outcome.state.gone == ("HAA",)
    assert (at(outcome.state, "CBO"), outcome.state.lost["boers"]) == ("PIR", 2)
    assert why_not(empire("HAA SEN 18", turn=3), "EVENT E12") is None
    assert why_not(empire("HAA SEN 19", turn=3), "EVENT E12") == "no-condition"
    assert why_not(empire("HAA SEN 16", turn=3, options={"numbers": "even"}), "EVENT E12") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B01", "9.4.siege", "12.2.lapse")
def test_long_tom_shells_a_town_until_its_siege_ends() -> None:
    """It adds 1 to the rolls of a siege and goes when the siege ends."""
    state = war("CRO MAF 2", garrisons="MAF 1", besieged="MAF 0")
    shelled = after(state, "EVENT B01 MAF", go=True)
    assert shelled.kept == {"B01": "MAF"}
    assert after(shelled, "SIEGE MAF", siege_MAF=3).sieges == {"MAF": 2}
    assert after(shelled, "MOVE CRO ZEE").kept == {}
    assert why_not(war("CRO MAF 1", garrisons="MAF 1", besieged="MAF 0"), "EVENT B01 MAF") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B02")
def test_cape_rebels_join() -> None:
    """Two new SP join a leader at a rebel point without Empire SP, as far as there is room."""
    state = war("OLI COL 2, SCH NAA 1", boer="COL")
    joined = after(state, "EVENT B02 OLI")
    assert (sp(joined, "OLI"), joined.brought["boers"]) == (3, state.brought["boers"] + 1)
    assert why_not(state, "EVENT B02 SCH") == "not-this-leader"


@pytest.mark.clause("boer-war", "12.2.B03", "9.1.hand")
def test_volunteers_come_by_delagoa_bay() -> None:
    """They bring one SP, and one more card in the next battle."""
    state = after(war("OLI SMI 2, JOU NEW 1", garrisons="ALI 1"), "EVENT B03 OLI", go=True)
    assert sp(state, "OLI") == 3
    outcome = play(
        state,
        "MOVE OLI ALI",
        battle_ALI_cards="C1 C2 C3 C4 C5 I1 I2",
        battle_ALI_boers=3,
        battle_ALI_empire=3,
    )
    (fought,) = told(outcome, Battle)
    assert (len(fought.attacker.cards), len(fought.attacker.kept)) == (5, 3)
    assert outcome.state.kept == {}
    assert why_not(war("OLI SMI 2", imperial="KOM"), "EVENT B03 OLI") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B04")
def test_black_week() -> None:
    """Repulsed leaders can't attack in the next Empire round, in which the Empire can't reinforce either."""
    state = war("OLI COL 2", "MET NAA 2, FRE DEA 2", repulsed=("MET",), pools={"empire": 3})
    now = after(state, "EVENT B04")
    assert (now.side, now.black_week, now.shaken) == ("empire", True, ("MET",))
    assert why_not(now, "MOVE MET COL") == "shaken"
    assert why_not(now, "MOVE FRE NAA COL") is None
    assert why_not(now, "REINFORCE MET 1") == "black-week"
    over = after(now, "PASS")
    assert (over.black_week, over.shaken) == (False, ())
    assert why_not(war("OLI COL 2"), "EVENT B04") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B05", "14.automatic")
def test_trenches_at_the_foot_of_the_hill() -> None:
    """The trenches count 4 in the next battle of an entrenched Boer force."""
    laid = after(war("CRO MOD 2", "MET ORS 2", trenches={"boers": ("MOD",)}), "EVENT B05")
    outcome = play(
        laid,
        "MOVE MET MOD",
        battle_MOD_cards="T1 T2 T3 I1 I2 I3",
        battle_MOD_empire=6,
        battle_MOD_boers=6,
        test_MET=6,
    )
    (fought,) = told(outcome, Battle)
    assert sum(n for _, n in fought.attacker.modifiers) == -1 - 4
    assert outcome.state.kept == {}
    assert why_not(war("CRO MOD 2"), "EVENT B05") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B06", "14.automatic")
def test_an_ambush() -> None:
    """It adds 3 to De Wet's next attack. After a victory one SP comes back."""
    state = war("DWT LIN 2", garrisons="KRO 1", turn=3, scattered={"boers": 2})
    laid = after(state, "EVENT B06 DWT", go=True)
    assert laid.kept == {"B06": "DWT"}
    outcome = play(laid, "TREK DWT KRO", skirmish_KRO_boers=3, skirmish_KRO_empire=3)
    (fought,) = told(outcome, Skirmish)
    assert ("B06", 3) in fought.attacker.modifiers
    assert (sp(outcome.state, "DWT"), outcome.state.scattered["boers"]) == (3, 1)
    assert told(outcome, Reinforced)[0].source == "scattered"
    assert outcome.state.kept == {}
    assert why_not(state, "EVENT B06 DLR") == "not-this-leader"


@pytest.mark.clause("boer-war", "12.2.B07")
def test_the_council_of_war() -> None:
    """Three scattered SP go to leaders with room at home, in turn to those named."""
    state = war("BOT BEL 2, OLI SMI 2, SCH COL 1", turn=2, scattered={"boers": 4})
    outcome = play(state, "EVENT B07 BOT OLI")
    assert (sp(outcome.state, "BOT"), sp(outcome.state, "OLI")) == (4, 3)
    assert outcome.state.scattered["boers"] == 1
    assert told(outcome, Played)[0].sp == 3
    assert sp(after(state, "EVENT B07"), "BOT") == 4
    two = after(war("BOT BEL 2, OLI SMI 2", turn=2, scattered={"boers": 2}), "EVENT B07 BOT OLI")
    assert (sp(two, "BOT"), sp(two, "OLI"), two.scattered["boers"]) == (3, 3, 0)
    assert why_not(state, "EVENT B07 SCH") == "not-this-leader"
    assert (
        why_not(war("BOT BEL 2", turn=2, scattered={"boers": 4}, imperial="KRO"), "EVENT B07")
        == "no-condition"
    )


@pytest.mark.clause("boer-war", "12.2.B08")
def test_train_wreckers() -> None:
    """They cut three links within two links of a leader, also past blockhouses."""
    state = war("DWT LIN 1", turn=3, blockhouses=("KRO-VER",))
    assert after(state, "EVENT B08 DWT KRO-VER BRA-KRO VER-HEI").cuts == ("KRO-VER", "BRA-KRO", "VER-HEI")
    assert why_not(state, "EVENT B08 DWT JOH-PRE") == "which-links"


@pytest.mark.clause("boer-war", "12.2.B09")
def test_the_invasion_of_the_cape() -> None:
    """The leader moves six links past blockhouses to rebels. One rebel joins and counts in R."""
    state = war("KRI SMI 1", turn=3, recruit_pool=4, blockhouses=("STO-ALI",))
    invaded = after(state, "EVENT B09 KRI SMI ALI STO NAA CRA")
    assert (at(invaded, "KRI"), sp(invaded, "KRI")) == ("CRA", 2)
    assert (invaded.recruits, invaded.recruit_pool) == (1, 3)
    assert why_not(state, "EVENT B09 KRI ALI QUE") == "no-rebel-country"
    assert why_not(war("KRI SMI 1", garrisons="ALI 1", turn=3), "EVENT B09 KRI ALI") == "no-rebel-country"


@pytest.mark.clause("boer-war", "12.2.B10", "14.automatic")
def test_good_scouts() -> None:
    """They turn the next failed evasion into a success."""
    state = after(war("DWT REI 3", "ELL LIN 3", turn=3, options=FEW), "EVENT B10")
    outcome = play(state, "MOVE ELL REI", evade_REI=1)
    (away,) = told(outcome, Evasion)
    assert (away.score, away.scouts, away.to) == (4, True, "FRK")
    assert outcome.state.kept == {}
    kept = play(state, "MOVE ELL REI", evade_REI=2).state
    assert kept.kept == {"B10": ""}


@pytest.mark.clause("boer-war", "12.2.B11")
def test_the_report_stops_camps_for_two_rounds() -> None:
    """It needs eight camps on the map."""
    camps = ("CPT", "WOR", "BEW", "DEA", "ORS", "MOD", "KIM", "VRY")
    state = war("DWT REI 3", garrisons="DUR 1", turn=3, camps=camps, options=FEW)
    banned = after(state, "EVENT B11")
    assert why_not(banned, "CAMP DUR") == "camp-ban"
    once = replace_fields(after(banned, "PASS"), side="empire")
    assert (once.camp_ban, why_not(once, "CAMP DUR")) == (1, "camp-ban")
    twice = replace_fields(after(once, "PASS"), side="empire")
    assert (twice.camp_ban, why_not(twice, "CAMP DUR")) == (0, None)
    assert why_not(war("DWT REI 3", turn=3, camps=camps[:7]), "EVENT B11") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.B12")
def test_tweebosch() -> None:
    """The attack has +2. The beaten Empire leader is out of the game, and the SP left become a garrison."""
    state = war("DLR ZEE 3", "MET LIC 3", turn=4)
    outcome = play(state, "EVENT B12 DLR LIC", skirmish_LIC_boers=1, skirmish_LIC_empire=4)
    (fought,) = told(outcome, Skirmish)
    assert ("B12", 2) in fought.attacker.modifiers
    assert outcome.state.gone == ("MET",)
    assert sum(outcome.state.garrisons.values()) == 2
    strong = war("DLR ZEE 3", "MET LIC 6", turn=4)
    lost = play(strong, "EVENT B12 DLR LIC", skirmish_LIC_boers=1, skirmish_LIC_empire=6)
    assert lost.state.gone == ()
    assert why_not(war("DLR ZEE 3", garrisons="LIC 1", turn=4), "EVENT B12 DLR LIC") == "no-condition"


@pytest.mark.clause("boer-war", "12.2.choose")
def test_every_counter_has_a_condition_and_an_effect() -> None:
    """Each side has twelve events."""
    sides = [event.side for event in materials().events.values()]
    assert (sides.count("empire"), sides.count("boers")) == (12, 12)
