"""The honest bot: lawful, complete, reasoned, and on the move."""

from collections import Counter

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.bots.campaign import plan
from games.diplomacy.bots.terrain import Terrain
from games.diplomacy.model import (
    Beaten,
    BuildCanoe,
    Disband,
    Hold,
    Move,
    Phase,
    Province,
    State,
    SupportMove,
    Unit,
)
from games.protocol import Seat
from games.record import changed
from tests.kit.rounds import rounds

GAME = games.kinds()["indianomacy"]
RULES, BOARD = GAME.rules, GAME.rules.board
DICE = SealedDice(b"secret", "honest", 1)


def position(season: str, units: dict[str, str], centres: dict[str, str]) -> State:
    """Units and centres by nation, as ids with spaces between them."""
    return State(
        options={},
        phase=Phase(season=season, year=1, kind="M"),
        units=tuple(
            sorted(
                (
                    Unit(power=Seat(power), kind="W", at=Province(at))
                    for power, places in units.items()
                    for at in places.split()
                ),
                key=lambda unit: BOARD.index[unit.at],
            )
        ),
        centres={Province(at): Seat(power) for power, places in centres.items() for at in places.split()},
    )


def planned(state: State, seat: str) -> dict[str, tuple[object, str]]:
    """Order and reason for each unit of the seat, by its province."""
    choices = plan(GAME.bots["honest"].situation(state, Seat(seat)), DICE)
    return {choice.order.unit.at: (choice.order, choice.reason) for choice in choices}


@pytest.mark.parametrize("seed", [b"one", b"two", b"three"])
def test_ten_years_of_lawful_complete_and_reasoned_orders(seed):
    for one in rounds(GAME, seed, years=10):
        for due, choices in one.asked:
            orders = [choice.order for choice in choices]
            assert [RULES.check(one.before, due.seat, order) for order in orders] == [None] * len(orders)
            assert all(choice.reason for choice in choices)
            if due.takes is None:
                assert Counter(order.slot for order in orders) == Counter(owed.slot for owed in due.owes)
            else:
                assert len(orders) == due.takes
            goals = [order.to for order in orders if isinstance(order, Move)]
            assert len(goals) == len(set(goals)), "two of one nation to one place"


@pytest.mark.parametrize("seed", [b"four", b"five", b"six"])
def test_eight_bots_do_not_sit_still(seed):
    *_, last = rounds(GAME, seed, years=10)
    opening = {centre: power.id for power in BOARD.powers.values() for centre in power.centres}
    centres = last.after.centres
    fallen = sum(centres.get(centre) != owner for centre, owner in opening.items())
    assert len(centres) >= 40, "of 44 centres, 26 owned at the start"
    assert fallen >= 6, "starting centres that changed hands"
    assert max(Counter(centres.values()).values()) >= 8


def test_the_same_view_and_dice_give_the_same_orders():
    first, second = (list(rounds(GAME, b"again", years=2)) for _ in range(2))
    assert first == second


def test_a_neutral_next_door_is_attacked_with_support():
    state = position("S", {"Iroquois": "10 12", "neutral": "15 61"}, {"Iroquois": "10 11 12 14"})
    orders = planned(state, "Iroquois")
    (lead,) = [order for order, _ in orders.values() if isinstance(order, Move)]
    (backing,) = [order for order, _ in orders.values() if isinstance(order, SupportMove)]
    assert lead.to == backing.to == "61"
    assert backing.other == lead.unit
    assert {reason for _, reason in orders.values()} == {
        "attacks the neutral War Party in Delaware with support",
        "supports the attack on Delaware",
    }


def test_a_single_unit_goes_round_a_neutral_to_an_empty_centre():
    state = position("S", {"Illinois": "70", "neutral": "15 61 66"}, {"Illinois": "69 70 71"})
    order, reason = planned(state, "Illinois")["70"]
    assert order == Move(unit=state.units[-1].piece, to=Province("57"))
    assert reason == "nearest unowned centre, next door"


def test_in_fall_a_new_centre_is_kept_until_it_counts():
    state = position("F", {"Illinois": "57"}, {"Illinois": "69 70 71"})
    order, reason = planned(state, "Illinois")["57"]
    assert isinstance(order, Hold)
    assert reason == "stays to take Winnebago"


def test_in_fall_a_threatened_centre_is_covered_and_in_spring_it_is_not():
    units = {"Iroquois": "14", "Illinois": "59"}
    centres = {"Iroquois": "14", "Illinois": "69"}
    order, reason = planned(position("F", units, centres), "Iroquois")["14"]
    assert isinstance(order, Hold)
    assert reason == "covers Seneca: Illinois next door"
    order, _ = planned(position("S", units, centres), "Iroquois")["14"]
    assert isinstance(order, Move)


def test_in_fall_an_empty_threatened_centre_is_gone_back_to():
    state = position("F", {"Iroquois": "13", "Illinois": "59"}, {"Iroquois": "14 12", "Illinois": "69"})
    order, reason = planned(state, "Iroquois")["13"]
    assert isinstance(order, Move)
    assert order.to == "14"
    assert reason == "covers Seneca: Illinois next door"


def test_steps_are_counted_on_foot_and_by_canoe():
    on_foot = Terrain(BOARD, canoes=False).steps_to(Province("57"), landing=True, shunned=None)
    assert (on_foot[Province("57")], on_foot[Province("70")]) == (0, 1)
    assert not {"b", "36"} & set(on_foot), "Nootka is reached by canoe only"
    terrain = Terrain(BOARD, canoes=True)
    nootka = terrain.steps_to(Province("36"), landing=True, shunned=None)
    assert (nootka[Province("a")], nootka[Province("39")]) == (1, 3), "build, launch, land"
    assert Province("39") not in terrain.steps_to(Province("36"), landing=False, shunned=None)
    naskapi = terrain.steps_to(Province("5"), landing=True, shunned=None)
    assert (naskapi[Province("4")], naskapi[Province("b")]) == (2, 9), "through the Cree, not over the bay"


def test_nobody_goes_through_the_taboo_province():
    terrain = Terrain(BOARD, canoes=True)
    open_way = terrain.steps_to(Province("64"), landing=True, shunned=None)
    closed = terrain.steps_to(Province("64"), landing=True, shunned=Province("120"))
    assert open_way[Province("69")] == 2
    assert closed[Province("69")] > 2
    assert "120" not in closed


def nootka(season: str, at: str, **fields) -> State:
    """A lone Shoshoni who owns all centres but Nootka, so that he wants nothing else."""
    everything = " ".join(centre for centre in BOARD.centres if centre != "36")
    return changed(position(season, {"Shoshoni": at}, {"Shoshoni": everything}), **fields)


def test_nootka_is_won_by_building_launching_and_landing():
    order, reason = planned(nootka("S", "39"), "Shoshoni")["39"]
    assert isinstance(order, BuildCanoe)
    assert reason == "builds a canoe-fleet: towards Nootka, the nearest centre to win, three steps away"
    order, _ = planned(nootka("S", "39", canoes={Province("39"): 1}), "Shoshoni")["39"]
    assert order == Move(unit=order.unit, to=Province("a"), canoe=True)
    order, reason = planned(nootka("F", "a"), "Shoshoni")["a"]
    assert order == Move(unit=order.unit, to=Province("36"))
    assert reason == "nearest unowned centre, next door"


def test_who_is_on_the_bay_waits_out_the_year_and_comes_off_it():
    waiting = nootka("F", "b", bay_entered={Province("b"): "S1M"})
    order, reason = planned(waiting, "Shoshoni")["b"]
    assert isinstance(order, Hold)
    assert reason == "crosses Hudson Bay, since S1M: a whole year"
    over = changed(waiting, phase=Phase(season="S", year=2, kind="M"))
    order, _ = planned(over, "Shoshoni")["b"]
    assert isinstance(order, Move)
    assert BOARD.is_land(order.to)


def test_nobody_sets_foot_in_the_taboo_province_not_even_to_retreat():
    """It would cost the War Party and two Winters: to disband costs the War Party."""
    for one in rounds(GAME, b"sacred", years=8):
        orders = [choice.order for _, choices in one.asked for choice in choices]
        assert not any(isinstance(order, Move) and order.to == "120" for order in orders)
    beaten = Beaten(
        unit=Unit(power=Seat("Illinois"), kind="W", at=Province("69")),
        by_from=Province("59"),
        retreats=(Province("120"),),
    )
    fled = State(
        options={},
        phase=Phase(season="U", year=1, kind="R"),
        units=(Unit(power=Seat("Iroquois"), kind="W", at=Province("69")),),
        centres={},
        beaten=(beaten,),
        taboo=True,
    )
    (due,) = RULES.due(fled)
    (choice,) = GAME.bots["honest"].orders(fled, due, DICE)
    assert isinstance(choice.order, Disband)
    (choice,) = GAME.bots["honest"].orders(changed(fled, taboo=False), due, DICE)
    assert choice.order == Move(unit=beaten.unit.piece, to=Province("120"))
