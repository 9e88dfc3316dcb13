"""Variants on the standard map: a folder of data each, resting on the standard one."""

import pytest

from games import kinds
from games.dice import SealedDice
from games.diplomacy.boards import variants
from games.diplomacy.model import Build, Piece
from games.protocol import Invalid
from tests.kit.standard import BOARD

DICE = SealedDice(b"the tests' own", "variants", 0)


def opening(kind):
    return kinds()[kind].rules.setup({}, DICE).state


@pytest.mark.clause("fleet-rome", "Fleet-Rome")
def test_fleet_rome_differs_by_one_unit():
    ours, theirs = set(opening("fleet-rome").units), set(opening("standard").units)
    assert {(unit.kind, unit.at) for unit in ours - theirs} == {("F", "ROM")}
    assert {(unit.kind, unit.at) for unit in theirs - ours} == {("A", "ROM")}
    assert variants.load("fleet-rome").board.army == BOARD.army


@pytest.mark.clause("chaos", "Chaos-starts")
def test_chaos_begins_with_thirty_four_builds():
    state = opening("chaos")
    rules = kinds()["chaos"].rules
    assert rules.turn(state).short == "W1900A"
    assert (len(state.centres), state.units) == (34, ())
    assert [due.takes for due in rules.due(state)] == [1] * 34
    built = {
        due.seat: kinds()["chaos"].bots["intermediate"].orders(state, due, DICE)[0].order
        for due in rules.due(state)
    }
    after = rules.adjudicate(state, {seat: [order] for seat, order in built.items()}, DICE).state
    assert (after.phase.short, len(after.units)) == ("S1901M", 34)


@pytest.mark.clause("chaos", "Chaos-builds")
def test_in_chaos_one_builds_in_whatever_one_owns():
    state, rules = opening("chaos"), kinds()["chaos"].rules
    vienna, paris = Piece(kind="A", at="VIE"), Piece(kind="A", at="PAR")
    owners = {**state.centres, "PAR": "Vienna"}
    state = type(state)(options={}, phase=state.phase, units=(), centres=owners)
    assert rules.check(state, "Vienna", Build(unit=paris)) is None
    assert rules.check(state, "Vienna", Build(unit=vienna)) is None
    assert rules.check(state, "Paris", Build(unit=paris)).code == "no-builds"


def test_a_variant_rests_on_one_that_is_there():
    with pytest.raises(Invalid) as caught:
        variants.compile_variant("lost", {"base": "atlantis"}, {"base": "standard"})
    assert caught.value.what == "map.json: base"
    assert "standard" in (caught.value.instead or "")


def test_a_variant_begins_in_a_phase_of_its_year():
    with pytest.raises(Invalid) as caught:
        variants.compile_variant("lost", {"base": "standard"}, {"base": "standard", "begins": "UR"})
    assert caught.value.what == "rulebook.toml: begins"
