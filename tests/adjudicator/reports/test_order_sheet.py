"""The order sheet: the saved orders, otherwise the defaults."""

from dataclasses import replace

from adjudicator.model.orders_on_file import Untaken, reject_line
from adjudicator.reports.order_sheet import missing, saved_orders, sheet
from games.protocol import Seat
from games.record import load
from tests.kit.edited_game import began
from tests.kit.memory_repository import game_of, new_position

PLAYER = Seat("player")


def test_an_order_on_file_stands_in_the_place_of_its_default(kit):
    filed = {kit.ELM: (kit.Pick(tree="quince", to="plum"),)}
    lines = sheet(kit.game(), kit.position(filed=filed), kit.ELM)
    assert lines == ("picker pear to pear", "picker quince to plum")


def test_defaults_fill_up_what_is_left_of_a_number_of_orders(kit):
    filed = {kit.OAK: (kit.Bake(cake="cherry"),)}
    lines = sheet(kit.game(), kit.position(filed=filed), kit.OAK)
    assert lines == ("picker plum to plum", "bake cherry", "bake plain")


def test_a_default_that_is_on_file_already_is_not_said_twice():
    """War Chest: two of the units that would be picked anyway are picked; two others fill up."""
    position = new_position("war-chest")
    picks = game_of(position).rules.default(position.state, game_of(position).rules.due(position.state)[0])
    lines = sheet(game_of(position), replace(position, filed={PLAYER: picks[1:3]}), PLAYER)
    assert sorted(lines) == sorted(map(game_of(position).notation.write, picks))


def test_instead_of_an_order_that_is_held_up_stands_what_is_suggested_for_it():
    """War Chest: a unit is deployed where no unit may be. The orders behind it stay."""
    told = began("war-chest", {"units": "first-game"})
    told.turn()
    position = told.position
    build = game_of(position).notation.build
    filed = tuple(
        build(position.state, "deploy", {"unit": card, "to": at})
        for card, at in (("archer", "d4"), ("archer", "d4"))
    )
    lines = sheet(game_of(position), replace(position, filed={PLAYER: filed}), PLAYER)
    assert lines == ("deploy Archer e1", "deploy Archer d4")


def test_more_orders_than_wanted_are_all_shown(kit):
    filed = {kit.OAK: tuple(kit.Bake(cake=cake) for cake in ("cherry", "almond", "poppy"))}
    lines = sheet(kit.game(), kit.position(filed=filed), kit.OAK)
    assert lines == ("picker plum to plum", "bake cherry", "bake almond", "bake poppy")


def test_an_order_for_something_else_follows_those_that_are_owed(kit):
    filed = {kit.ELM: (kit.Pick(tree="medlar", to="plum"),)}
    lines = sheet(kit.game(), kit.position(filed=filed), kit.ELM)
    assert lines == ("picker pear to pear", "picker quince to quince", "picker medlar to plum")


def test_orders_that_no_due_accepts_are_left_out(kit):
    filed = {kit.ELM: (kit.Bake(cake="cherry"),)}
    lines = sheet(kit.game(), kit.position(filed=filed), kit.ELM)
    assert lines == ("picker pear to pear", "picker quince to quince")


def test_nothing_is_due_so_the_sheet_is_empty(kit):
    over = kit.position(state=kit.Orchard(winners=(kit.ELM,)))
    assert sheet(kit.game(), over, kit.ELM) == ()


def test_what_is_on_file_is_named_and_what_was_there_before_is_marked(kit):
    pear, quince = kit.Pick(tree="pear", to="plum"), kit.Pick(tree="quince", to="fig")
    listed = saved_orders(kit.game(), kit.Orchard(), (quince, pear), kit.ELM, before=(quince,))
    assert [(one.name, one.order, one.kept) for one in listed] == [
        ("the pear", "picker pear to plum", False),
        ("the quince", "picker quince to fig", True),
    ]


def test_what_is_missing_is_named_or_counted(kit):
    game, state = kit.game(), kit.Orchard()
    assert missing(game, state, (), kit.ELM) == ("the pear", "the quince")
    assert missing(game, state, (kit.Pick(tree="pear", to="plum"),), kit.ELM) == ("the quince",)
    assert missing(game, state, (), kit.OAK) == ("the plum", "2 orders for baking")
    assert missing(game, state, (kit.Bake(cake="almond"),), kit.OAK) == ("the plum", "1 order for baking")


def test_a_line_that_was_put_down_without_a_reason_is_listed_without_one(kit):
    """Earlier versions saved such lines; if the email itself gives the reason, it isn't repeated."""
    position = kit.position()
    flag = load(Untaken, b'{"type":"Untaken","line":"pickle plum","queued":false}')
    (row,) = saved_orders(kit.game(), position.state, (flag,), kit.ELM)
    assert (row.order, row.untaken, row.problem, row.instead) == ("pickle plum", True, None, None)
    why = reject_line("pickle plum", why="no fruit is called so", instead="picker plum to plum")
    (row,) = saved_orders(kit.game(), position.state, (why,), kit.ELM)
    assert (row.problem, row.instead) == ("No fruit is called so.", "picker plum to plum")
    (row,) = saved_orders(kit.game(), position.state, (why,), kit.ELM, (), ("pickle plum",))
    assert (row.problem, row.instead) == (None, None)
