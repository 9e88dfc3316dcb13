"""Orders as numbers: in board order, whatever the order of arrival, and one for each unit."""

import random

import pytest

from games.diplomacy.adjudication.resolver import decide_orders
from games.diplomacy.adjudication.season import encode_order, encode_orders, merge_orders
from tests.kit.random_seasons import other_orders, skirmish
from tests.kit.standard import BOARD, VARIANT

SEEDS = range(5)


def shuffled(seed, orders):
    """The same orders, as if their letters had come in another order."""
    pairs = list(orders.items())
    random.Random(seed).shuffle(pairs)
    assert [at for at, _ in pairs] != list(orders)
    return dict(pairs)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_season_is_told_in_board_order_whatever_the_order_of_its_letters(seed):
    season = skirmish(seed)
    settled = decide_orders(BOARD, VARIANT.rulebook, season.state.units, shuffled(seed, season.orders))
    assert len(settled.moved) > 5
    for told in (settled.moved, settled.beaten, settled.contested):
        assert list(told) == sorted(told)
    assert settled == decide_orders(BOARD, VARIANT.rulebook, season.state.units, season.orders)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_orders_take_the_place_of_those_of_their_units(seed):
    """They are in board order, also where a unit had none."""
    season, lot = skirmish(seed), random.Random(seed)
    changes = other_orders(lot, season, 3)
    silent = min(changes, key=BOARD.index.__getitem__)
    orders = {at: order for at, order in season.orders.items() if at != silent}
    found = merge_orders(encode_orders(BOARD, orders), encode_orders(BOARD, changes))
    assert found == encode_orders(BOARD, {**orders, **changes})
    assert [one[0] for one in found] == sorted({BOARD.index[at] for at in season.orders})
    assert {encode_order(BOARD, order) for order in changes.values()} <= {*found}
