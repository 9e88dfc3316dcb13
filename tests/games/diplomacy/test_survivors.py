"""The powers still in the game, and their neighbours."""

import pytest

import games
from games.options import settle
from games.record import replace_fields
from tests.kit.dice import Scripted


def opening(kind):
    game = games.kinds()[kind]
    return game.rules, game.rules.setup(settle(game.about.options, {}), Scripted({})).state


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_everybody_is_there_at_the_beginning(kind):
    rules, state = opening(kind)
    assert rules.survivors(state) == tuple(rules.board.powers)


def test_whoever_has_neither_unit_nor_centre_is_out():
    rules, state = opening("standard")
    units = tuple(unit for unit in state.units if unit.power != "Italy")
    assert "Italy" in rules.survivors(replace_fields(state, units=units))
    centres = {spot: owner for spot, owner in state.centres.items() if owner != "Italy"}
    assert "Italy" not in rules.survivors(replace_fields(state, units=units, centres=centres))
    assert "Italy" in rules.survivors(replace_fields(state, centres=centres))


def test_neighbours_can_meet_within_a_season():
    """England and France over the Channel; Turkey and England nowhere."""
    rules, state = opening("standard")
    assert "France" in rules.neighbours(state, "England")
    assert "Turkey" not in rules.neighbours(state, "England")
    for seat in rules.survivors(state):
        assert seat not in rules.neighbours(state, seat)
        assert all(seat in rules.neighbours(state, other) for other in rules.neighbours(state, seat))
