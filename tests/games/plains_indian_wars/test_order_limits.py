"""Limits that the orders of a plan share: cubes, groups and moves of the card, and cubes that can move."""

from collections import Counter

from games.plains_indian_wars.rules import PlainsRules
from tests.kit.plains import orders, state

RULES = PlainsRules()


def exceeded(position, *lines: str) -> list[str]:
    """The ids of the limits that a plan exceeds."""
    plan = [order for line in lines for order in orders(position, line)]
    found = RULES.order_limits(position, "US", plan)
    most = {limit.id: limit.most for limit in found.limits}
    used: Counter[str] = Counter()
    for use in {(use.limit, use.once or n, use) for n, some in enumerate(found.uses) for use in some}:
        limit, _, how = use
        if how.effect == "set":
            most[limit] = how.count
        elif how.effect == "add":
            most[limit] += how.count
        else:
            used[limit] = (
                max(used[limit], how.count) if limit.startswith("reach") else used[limit] + how.count
            )
    return sorted(limit for limit in most if used[limit] > most[limit])


def test_each_cube_moves_once():
    two = state("N5: 2 Blue")
    assert exceeded(two, "move 1 Blue N5 - N4", "move 1 Blue N5 - S5") == []
    assert exceeded(two, "move 2 Blue N5 - N4", "move 1 Blue N5 - S5") == ["N5 Blue"]


def test_placed_cubes_can_move_on():
    one = state("STL: 1 Blue")
    assert exceeded(one, "place 1 Blue STL", "move 2 Blue STL - S5") == []
    assert exceeded(one, "move 2 Blue STL - S5") == ["STL Blue"]


def test_a_card_moves_so_many_groups_and_a_region_counts_once():
    """Two groups out of one region are one activation."""
    three = state("N5: 2 Blue; N3: 1 Blue; S5: 1 Blue; S1: 1 Blue")
    from_all = ("move 1 Blue N3 - N4", "move 1 Blue S5 - S4", "move 1 Blue S1 - S2", "recover")
    twice = ("move 1 Blue N5 - N4", "move 1 Blue N5 - S5")
    groups = {
        limit.id: limit.most for limit in RULES.order_limits(three, "US", orders(three, "recover")).limits
    }
    assert groups["groups Blue"] == 3
    assert exceeded(three, *twice, "move 1 Blue N3 - N4", "recover") == []
    assert exceeded(three, *twice, *from_all) == ["groups Blue"]


def test_cubes_that_a_card_brings():
    found = RULES.order_limits(state(), "US", orders(state(), "place 1 Blue STL"))
    most = next(limit.most for limit in found.limits if limit.id == "cubes Blue")
    assert exceeded(state(), f"place {most} Blue STL") == []
    assert exceeded(state(), f"place {most} Blue STL", "place 1 Blue SAC") == ["cubes Blue"]


def test_purple_moves_one_group_in_each_belt():
    belts = state("NE1: 1 Purple; NE2: 1 Purple; SE1: 1 Purple", disc="Purple")
    assert exceeded(belts, "move 1 Purple NE1 - NE4", "move 1 Purple SE1 - SE2") == []
    assert exceeded(belts, "move 1 Purple NE1 - NE4", "move 1 Purple NE2 - NE4") == ["groups north"]
