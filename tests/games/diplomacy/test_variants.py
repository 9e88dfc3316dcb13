"""Variants on the standard map: a folder of data each, resting on the standard one."""

import pytest

from adjudicator.reports.render import page, section_for
from games import kinds
from games.dice import SealedDice
from games.diplomacy.boards import variants
from games.diplomacy.model import Build, Piece
from games.diplomacy.reports.handbook import handbook
from games.options import settle_for_new_game
from games.protocol import Invalid
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon
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


# The help of a board comes from its own files.


def help_of(chart, rulebook):
    variant = variants.compile_variant("ten", {"base": "standard", **chart}, {"base": "standard", **rulebook})
    return {section.topics[0]: section.text for section in handbook(variant)}


def test_the_help_of_a_board_tells_its_victory_its_year_and_its_builds():
    told = help_of(
        {"victory": {"centres": 10}, "first_year": 1650},
        {"begins": "WA", "builds_in": "owned", "convoy_intent": "written", "removal_near": "starting"},
    )
    assert "A power wins with 10 of the 34 supply centres after a Winter." in told["victory"]
    assert "Spring 1650, moves (S1650M)" in told["season"]
    assert "The game begins with Winter 1650, builds (W1650A)." in told["season"]
    assert "Bulgaria, Spain and St Petersburg have several coasts." in told["convoys"]
    assert "goes by sea only if its order says VIA" in told["convoys"]
    assert "You can build in any centre that you own" in told["retreats"]
    assert "farthest from the centres that you started with" in told["retreats"]
    usual = help_of({}, {})
    assert "with 18 of the 34 supply centres" in usual["victory"]
    assert "The game begins" not in usual["season"]
    assert "You can build in the centres that you started with" in usual["retreats"]


def test_chaos_is_told_that_one_builds_in_any_centre():
    (builds,) = [one for one in page(kinds()["chaos"]) if one.topics[0] == "retreats"]
    assert "You can build in any centre that you own" in builds.text


def test_a_game_with_other_builds_has_other_help():
    """Its page in the handbook is for the usual rules; the help in the game is for those that it chose."""
    game = kinds()["standard"]
    chosen = settle_for_new_game(game.about, {"builds_in": "owned"})
    assert "any centre that you own" in section_for(game, "builds", chosen).text
    assert "home centres" in section_for(game, "builds", settle_for_new_game(game.about, {})).text


@pytest.mark.parametrize("kind", ["chaos", "fleet-rome"])
def test_every_order_in_the_help_of_a_board_can_be_read_there(kind):
    """With provinces that it has, and no unit of another game."""
    game = kinds()[kind]
    view = game.rules.view(opening(kind), None)
    names = index_lexicon(game.notation.lexicon(view))
    grammar = compile_forms(game.notation.forms)
    for section in page(game):
        rows = [
            row.removeprefix("| ").rpartition(": ")[2] for row in section.text.splitlines() if row[:1] == "|"
        ]
        assert [row for row in rows if not match_text(row, grammar, names)] == []
        assert "War Part" not in section.text
        assert "canoe" not in section.text
