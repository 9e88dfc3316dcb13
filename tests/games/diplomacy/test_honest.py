"""The honest bot: lawful, complete, reasoned, and on the move."""

from collections import Counter

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.bots.campaign import plan
from games.diplomacy.bots.terrain import Situation, steps_to
from games.diplomacy.model import Hold, Move, Phase, Province, State, SupportMove, Unit
from games.protocol import Seat
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
    choices = plan(Situation(BOARD, state, Seat(seat)), DICE)
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


def test_steps_are_counted_on_foot():
    steps = steps_to(BOARD, Province("57"))
    assert steps[Province("57")] == 0
    assert steps[Province("70")] == 1
    assert Province("b") not in steps
    assert Province("36") not in steps, "Nootka is reached by canoe only"
