"""Hopewell Mounds: who breaks the taboo, what it costs, and its end (Indianomacy §5; T1 to T10)."""

import pytest

from games.diplomacy.events import TabooBroken
from tests.kit.positions import RULES, lines, play, position, season

HOMES = {"Mohawk": "Iroquois", "Oneida": "Iroquois", "Onondaga": "Iroquois"}


def sinners(after):
    """Return the nations that broke the taboo, with the Winter until which they build nothing."""
    return [(event.unit.power, event.last_ban) for event in after.told(TabooBroken)]


@pytest.mark.clause("indianomacy", "1.8", "1.9")
def test_the_first_to_set_foot_there_is_gone_and_its_nation_is_banned():
    after = season("Iroquois: W Erie - Hopewell Mounds | moves: taboo", taboo=True)
    assert after.units == {}
    assert sinners(after) == [("Iroquois", 2)]
    assert (after.state.taboo, after.state.build_ban) == (False, {"Iroquois": 2})


@pytest.mark.clause("indianomacy", "1.8")
def test_the_mounds_are_taboo_at_the_start():
    assert RULES.setup({}, None).state.taboo


@pytest.mark.clause("indianomacy", "1.9", "T8", "V3")
@pytest.mark.parametrize("entered", ["S1M", "F1M"])
def test_T8_no_builds_in_the_winter_of_that_year_nor_in_the_next(entered):
    after = season(
        "Iroquois: W Erie - Hopewell Mounds | moves: taboo\nW Seneca H", entered, HOMES, taboo=True
    )
    asked = {}
    for _ in range(9):
        phase = after.state.phase.short
        asked[phase] = [due.accepts[0] for due in RULES.due(after.state)]
        if phase == "W3A":
            break
        after = after.then("")
    assert [phase for phase in asked if phase[0] == "W"] == ["W3A"]
    assert asked["W3A"] == ["Build"]
    assert after.state.build_ban == {}


@pytest.mark.clause("indianomacy", "V3")
def test_V3_a_build_under_the_ban_is_refused_and_24_centres_still_win():
    state = position("Iroquois: W Seneca", "W1A", HOMES, build_ban={"Iroquois": 1})
    (line,) = lines("Iroquois: W Mohawk B")
    objection = RULES.check(state, "Iroquois", line.order)
    assert objection is not None
    assert (objection.code, objection.detail) == ("banned", {"year": "1"})
    names = [RULES.board.name(centre) for centre in RULES.board.centres[:24]]
    won = season("Iroquois: W Seneca", "F1M", dict.fromkeys(names, "Iroquois"), build_ban={"Iroquois": 2})
    assert RULES.result(won.state).winners == ("Iroquois",)


@pytest.mark.clause("indianomacy", "1.10", "T10")
def test_T10_who_comes_later_pays_nothing():
    after = season("Iroquois: W Erie H\nIllinois: W Shawnee - Hopewell Mounds | moves: taboo", taboo=True)
    fall = after.then("Iroquois: W Erie - Hopewell Mounds | moves")
    assert fall.units == {"Hopewell Mounds": "Iroquois"}
    assert sinners(fall) == []
    assert fall.state.build_ban == {"Illinois": 2}
    assert "120" not in RULES.board.centres


@pytest.mark.clause("indianomacy", "T1")
def test_T1_an_attempt_that_fails_breaks_nothing():
    state = position("Iroquois: W Erie\nIllinois: W Shawnee", taboo=True)
    after = play(state, "Iroquois: W Erie - Hopewell Mounds\nIllinois: W Shawnee - Hopewell Mounds")
    assert sinners(after) == []
    assert after.state.taboo


@pytest.mark.clause("indianomacy", "T2")
def test_T2_two_equal_attempts_stand_each_other_off():
    after = season(
        """
        Iroquois: W Erie - Hopewell Mounds     | fails: stood off by Shawnee
        Illinois: W Shawnee - Hopewell Mounds  | fails: stood off by Erie
        """,
        taboo=True,
    )
    assert after.units == {"Erie": "Iroquois", "Shawnee": "Illinois"}
    assert (after.state.taboo, after.state.build_ban) == (True, {})


@pytest.mark.clause("indianomacy", "T3")
def test_T3_the_stronger_enters_and_pays_the_other_stays_unpunished():
    after = season(
        """
        Iroquois: W Erie - Hopewell Mounds                  | moves: taboo
                  W Susquehanna S W Erie - Hopewell Mounds  | supports
        Illinois: W Shawnee - Hopewell Mounds               | fails: kept out by Erie
        """,
        taboo=True,
    )
    assert after.units == {"Susquehanna": "Iroquois", "Shawnee": "Illinois"}
    assert after.state.build_ban == {"Iroquois": 2}


@pytest.mark.clause("indianomacy", "T4")
def test_T4_who_supports_the_offender_does_not_offend():
    after = season(
        """
        Iroquois: W Erie - Hopewell Mounds             | moves: taboo
        Illinois: W Shawnee S W Erie - Hopewell Mounds | supports
        """,
        taboo=True,
    )
    assert after.state.build_ban == {"Iroquois": 2}


ROUTED = """
    Iroquois: W Erie H                       | holds; dislodged by Miami
    Illinois: W Miami - Erie                 | moves
              W Potawatomi S W Miami - Erie  | supports
"""


@pytest.mark.clause("indianomacy", "T5", "T8")
@pytest.mark.parametrize("phase", ["S1M", "F1M"])
def test_T5_a_retreat_there_is_legal_and_counts_as_entering(phase):
    beaten = season(ROUTED, phase, {"Mohawk": "Illinois", "Oneida": "Illinois"}, taboo=True)
    assert "Hopewell Mounds" in beaten.retreats["Erie"]
    after = beaten.then("Iroquois: W Erie - Hopewell Mounds | retreats: taboo")
    assert "Hopewell Mounds" not in after.units
    assert sinners(after) == [("Iroquois", 2)]
    assert (after.state.taboo, after.state.build_ban) == (False, {"Iroquois": 2})


@pytest.mark.clause("indianomacy", "T5")
def test_T5_two_retreats_there_destroy_each_other_and_the_taboo_remains():
    beaten = season(
        f"""
        {ROUTED}
        Dakota:   W Pamunkey H                             | holds; dislodged by Powhatan
        Illinois: W Powhatan - Pamunkey                    | moves
                  W Susquehanna S W Powhatan - Pamunkey    | supports
        """,
        taboo=True,
    )
    after = beaten.then("""
        Iroquois: W Erie - Hopewell Mounds      | disbands: collided by Pamunkey
        Dakota:   W Pamunkey - Hopewell Mounds  | disbands: collided by Erie
    """)
    assert sinners(after) == []
    assert (after.state.taboo, after.state.build_ban) == (True, {})


@pytest.mark.clause("indianomacy", "T6")
def test_T6_a_retreat_in_the_same_summer_is_free_even_if_rivals_were_beaten_there():
    beaten = season(
        f"""
        {ROUTED}
        Dakota:   W Shawnee - Hopewell Mounds                     | moves: taboo
                  W Piankashaw S W Shawnee - Hopewell Mounds      | supports
        Iroquois: W Pamunkey - Hopewell Mounds                    | fails: kept out by Shawnee
        """,
        taboo=True,
    )
    assert (beaten.state.taboo, "Hopewell Mounds" in beaten.retreats["Erie"]) == (False, True)
    after = beaten.then("Iroquois: W Erie - Hopewell Mounds | retreats")
    assert after.units["Hopewell Mounds"] == "Iroquois"
    assert after.state.build_ban == {"Dakota": 2}


@pytest.mark.clause("indianomacy", "T6")
def test_T6_or_it_costs_the_same_where_a_game_says_so():
    beaten = season(
        f"{ROUTED}\nDakota: W Shawnee - Hopewell Mounds | moves: taboo",
        options={"taboo_ends": "with-season"},
        taboo=True,
    )
    assert beaten.state.taboo
    after = beaten.then("Iroquois: W Erie - Hopewell Mounds | retreats: taboo")
    assert "Hopewell Mounds" not in after.units
    assert after.state.build_ban == {"Dakota": 2, "Iroquois": 2}
    assert not after.state.taboo


@pytest.mark.clause("indianomacy", "T6")
def test_T6_with_the_season_the_taboo_ends_also_when_nobody_retreats():
    after = season(
        "Dakota: W Shawnee - Hopewell Mounds | moves: taboo\nW Santee H",
        options={"taboo_ends": "with-season"},
        taboo=True,
    )
    assert (after.state.phase.short, after.state.taboo) == ("F1M", False)


@pytest.mark.clause("indianomacy", "T7")
def test_T7_followers_succeed():
    after = season(
        """
        Iroquois: W Erie - Hopewell Mounds | moves: taboo
        Illinois: W Miami - Erie           | moves
        """,
        taboo=True,
    )
    assert after.units == {"Erie": "Illinois"}


@pytest.mark.clause("indianomacy", "T9")
def test_T9_the_ban_forbids_neither_canoes_nor_removals():
    spring = season("Iroquois: W Mohawk B canoe | builds", build_ban={"Iroquois": 2})
    assert spring.canoes == {"Mohawk": 1}
    state = position("Iroquois: W Seneca\nW Erie", "W1A", {"Mohawk": "Iroquois"}, build_ban={"Iroquois": 1})
    (due,) = RULES.due(state)
    assert (due.accepts, due.takes) == (("Disband",), 1)


def test_a_nation_without_units_waits_for_its_ban_to_end():
    """The board is not given up as empty while somebody may build again."""
    after = season("Iroquois: W Erie - Hopewell Mounds", "F1M", HOMES, taboo=True)
    assert (after.state.phase.short, after.state.ended) == ("W3A", None)


def test_whoever_goes_there_is_warned():
    state = position("Iroquois: W Erie", taboo=True)
    orders = [line.order for line in lines("Iroquois: W Erie - Hopewell Mounds")]
    assert [concern.code for concern in RULES.concerns(state, "Iroquois", orders)] == ["enters-taboo"]
    assert RULES.concerns(position("Iroquois: W Erie"), "Iroquois", orders) == ()
    beaten = season(ROUTED, taboo=True).state
    assert [concern.code for concern in RULES.concerns(beaten, "Iroquois", orders)] == ["enters-taboo"]
