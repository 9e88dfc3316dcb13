"""The year, its end, and who is asked (rulings V1, V2, V5, V7; victory 1.21)."""

import pytest

from games.diplomacy.events import Eliminated, Ended
from games.diplomacy.model import NEUTRAL, Phase
from games.diplomacy.rules import DiplomacyRules
from games.protocol import Condition, GameResult
from games.record import replace_fields
from tests.kit.positions import BOARD, DICE, RULES, VARIANT, lines, play, position, season


def owners(power, count, but=()):
    """Return so many centres for a power, in board order."""
    return dict.fromkeys([centre for centre in BOARD.centres if centre not in but][:count], power)


@pytest.mark.clause("indianomacy", "1.1", "Map-borders")
def test_the_board_has_120_lands_and_nine_waters():
    lands = [one for one in BOARD.places if BOARD.is_land(one)]
    waters = [one for one in BOARD.places if not BOARD.is_land(one)]
    assert lands == [str(number) for number in range(1, 121)]
    assert waters == list("abcdefghi")
    assert sum(len(BOARD.army[one]) for one in lands) == 2 * 305


@pytest.mark.clause("indianomacy", "1.2")
def test_homes_are_nobody_elses():
    homes = [home for power in BOARD.chart.powers for home in power.homes]
    assert len(BOARD.powers) == 8
    assert len(homes) == len(set(homes)) == 37


@pytest.mark.clause("indianomacy", "1.3", "1.4")
def test_26_war_parties_start_on_their_centres():
    state = RULES.setup({}, DICE).state
    own = [unit for unit in state.units if unit.power != NEUTRAL]
    assert len(own) == 26
    assert {unit.kind for unit in own} == {"W"}
    assert {unit.at: unit.power for unit in own} == dict(state.centres)
    assert [due.seat for due in RULES.due(state)] == list(BOARD.powers)


@pytest.mark.clause("indianomacy", "Map-centres")
def test_eight_centres_are_assumed():
    assumed = [one.id for one in BOARD.places.values() if one.centre == "assumed"]
    assert assumed == list(BOARD.chart.assumed_centres)
    assert len(BOARD.centres) == 44
    assert len(assumed) == 8


@pytest.mark.clause("indianomacy", "Map-crossings")
def test_the_narrow_rivers_can_be_crossed():
    for one, other in (("14", "15"), ("15", "58"), ("15", "59"), ("18", "55")):
        assert other in BOARD.army[one]


@pytest.mark.clause("indianomacy", "V1")
def test_V1_the_phases_of_a_year():
    phase = VARIANT.rulebook.beginning(1)
    names = []
    for _ in range(6):
        turn = VARIANT.rulebook.turn(phase)
        names.append((turn.short, turn.name, turn.kind))
        phase = VARIANT.rulebook.following(phase)
    assert names == [
        ("S1M", "Spring, year 1, moves", "moves"),
        ("U1R", "Summer, year 1, retreats", "retreats"),
        ("F1M", "Fall, year 1, moves", "moves"),
        ("W1R", "Winter, year 1, retreats", "retreats"),
        ("W1A", "Winter, year 1, builds", "builds"),
        ("S2M", "Spring, year 2, moves", "moves"),
    ]


@pytest.mark.clause("indianomacy", "V1")
def test_V1_phases_in_which_nobody_owes_anything_are_skipped():
    after = season("Iroquois: W Mohawk H", centres={"Mohawk": "Iroquois"})
    assert after.state.phase.short == "F1M"
    assert after.then("").state.phase.short == "S2M"


@pytest.mark.clause("indianomacy", "V1", "Dip-ownership")
def test_V1_centres_change_hands_after_the_winter_retreats():
    spring = season("Iroquois: W Ottawa - Huron", centres={"Mohawk": "Illinois"})
    assert spring.state.centres == {"10": "Illinois"}
    fall = season(
        """
        Illinois: W Delaware H
        Iroquois: W Oneida - Delaware
                  W Onondaga S W Oneida - Delaware
        """,
        phase="F1M",
    )
    assert fall.state.phase.short == "W1R"
    assert fall.state.centres == {}
    winter = fall.then("Illinois: W Delaware - Mohawk | retreats")
    assert {BOARD.name(at): power for at, power in winter.state.centres.items()} == {
        "Mohawk": "Illinois",
        "Delaware": "Iroquois",
        "Onondaga": "Iroquois",
    }


@pytest.mark.clause("indianomacy", "Dip-ownership")
def test_a_centre_stays_with_its_owner_when_he_leaves():
    after = season("Iroquois: W Huron - Ottawa", phase="F1M", centres={"Huron": "Iroquois"})
    assert after.state.centres == {"15": "Iroquois"}


@pytest.mark.clause("indianomacy", "V5")
def test_V5_units_without_orders_hold():
    after = season("Iroquois: W Mohawk | holds\nW Oneida | holds")
    assert set(after.units) == {"Mohawk", "Oneida"}
    state = position("Iroquois: W Mohawk\nW Oneida")
    (due,) = RULES.due(state)
    assert [type(order).__name__ for order in RULES.default(state, due)] == ["Hold", "Hold"]


@pytest.mark.clause("indianomacy", "V7")
def test_V7_the_last_valid_order_stands():
    state = position("Iroquois: W Mohawk")
    orders = """
        Iroquois: W Mohawk - Abnaki  | void: replaced
                  W Mohawk - Pequot  | moves
                  W Mohawk - Choctaw | void: not adjacent
    """
    assert set(play(state, orders).units) == {"Pequot"}
    first_stands = DiplomacyRules(
        replace_fields(VARIANT, rulebook=replace_fields(VARIANT.rulebook, twice="first"))
    )
    given = [line.order for line in lines(orders) if line.order is not None]
    done = first_stands.adjudicate(state, {"Iroquois": given}, DICE)
    assert [BOARD.name(unit.at) for unit in done.state.units] == ["Abnaki"]


@pytest.mark.clause("indianomacy", "1.21", "V2")
@pytest.mark.parametrize(("count", "wins"), [(23, False), (24, True)])
def test_24_centres_win(count, wins):
    state = position("Iroquois: W Cayuga\nIllinois: W Iowa", "F1M")
    state = replace_fields(state, centres={**owners("Iroquois", count, but=("71",)), "71": "Illinois"})
    after = play(state, "")
    assert after.state.phase.short == "W1A"
    after = after.then("")
    assert (RULES.result(after.state) == GameResult(winners=("Iroquois",), reason="centres")) is wins
    assert (RULES.due(after.state) == ()) is wins


@pytest.mark.clause("indianomacy", "1.21", "V2")
@pytest.mark.parametrize(("count", "wins"), [(22, False), (23, True)])
def test_23_war_parties_win_and_neutral_ones_do_not_count(count, wins):
    places = [BOARD.name(one) for one in BOARD.centres if one != "71"][:count]
    neutral = [BOARD.name(str(number)) for number in (90, 91, 92, 93)]
    text = "\n".join(["Iroquois: W " + "\nW ".join(places), "neutral: W " + "\nW ".join(neutral)])
    centres = dict.fromkeys(places, "Iroquois")
    state = position(text, "W1A", centres)
    after = play(replace_fields(state, phase=Phase(season="F", year=1, kind="M")), "")
    assert (RULES.result(after.state) == GameResult(winners=("Iroquois",), reason="units")) is wins


@pytest.mark.clause("indianomacy", "Game-last-year")
def test_the_last_year_ends_in_a_draw():
    state = position("Iroquois: W Mohawk", "F3M", {"Mohawk": "Iroquois"}, {"last_year": 3})
    after = play(state, "")
    assert after.events[-1] == Ended(winners=(), reason="last-year")
    assert RULES.result(after.state) == GameResult(winners=(), reason="last-year")
    assert RULES.due(after.state) == ()
    year_two = replace_fields(state, phase=Phase(season="F", year=2, kind="M"))
    assert RULES.result(play(year_two, "").state) is None


@pytest.mark.clause("indianomacy", "Game-empty-board")
def test_a_board_on_which_nobody_can_do_anything_is_a_draw():
    """The last War Party has no retreat, and nobody owns a home to build in."""
    state = position("neutral: W Delaware", "F1M", {"Huron": "Iroquois"})
    after = play(state, "")
    assert RULES.result(after.state) == GameResult(winners=(), reason="empty-board")


@pytest.mark.clause("indianomacy", "Dip-eliminated")
def test_a_nation_without_units_and_centres_is_out():
    after = season(
        """
        Illinois: W Delaware H
        Iroquois: W Oneida - Delaware
                  W Onondaga S W Oneida - Delaware
        """,
        phase="F1M",
    )
    gone = after.then("Illinois: W Delaware D")
    assert [event for event in gone.events if isinstance(event, Eliminated)] == [Eliminated(power="Illinois")]
    assert "Illinois" not in {due.seat for due in RULES.due(gone.state)}


def test_what_if_may_ask_of_a_position():
    state = position("Iroquois: W Mohawk\nneutral: W Huron", centres={"Mohawk": "Iroquois"})
    asked = [
        ("unit-at", {"place": "10"}, True),
        ("unit-at", {"place": "11"}, False),
        ("unit-of-at", {"place": "10", "nation": "Iroquois"}, True),
        ("unit-of-at", {"place": "15", "nation": "Iroquois"}, False),
        ("owned-by", {"place": "10", "nation": "Iroquois"}, True),
        ("owned-by", {"place": "15", "nation": "Iroquois"}, False),
    ]
    for form, slots, answer in asked:
        condition = Condition(form=form, slots=slots)
        assert RULES.holds(state, "Illinois", condition) is answer, condition
    with pytest.raises(KeyError):
        RULES.holds(state, "Illinois", Condition(form="moon-full", slots={"place": "10"}))
