"""The picture and the board as text: the reader's own coins and their uses, and hexes by their names."""

import re
from itertools import islice

import pytest

import games
from adjudicator.reports.maps import svg
from games.colour_vision import LEAST, nearest
from games.options import settle
from games.war_chest.board import HEXES, NEIGHBOURS
from games.war_chest.components import HIDDEN_COIN, name
from games.war_chest.legal_orders import decisions
from games.war_chest.map import PICTURE_HEIGHT, PICTURE_WIDTH, UNIT_COLOURS, UNIT_LETTERS, board_scene
from games.war_chest.model import PLAYER, View
from games.war_chest.owner_data import PRINTED
from games.war_chest.report_text import text_board
from tests.games.war_chest.table import RULES
from tests.kit.bot_games import rounds

GAME = games.kinds()["war-chest"]
LEGIBLE = 17
"""In units of the picture, which is 1,200 wide: 8.5 pixels in a picture of 600, in bold."""


@pytest.fixture(scope="module")
def views() -> list[View]:
    """Return the player's views in a game of bots, one for each of the player's turns."""
    options = settle(GAME.about.options, {})
    played = islice(rounds(GAME, b"gallery", bot=next(iter(GAME.bots)), options=options), 30)
    return [RULES.view(one.after, PLAYER) for one in played]


def test_the_hand_says_what_each_coin_can_do_as_the_rules_list_it(views):
    seen = 0
    for view in views:
        for hand in board_scene(view, ())["hands"]:
            coins = view.sides[hand["seat"]].hand
            assert [row["name"] for row in hand["rows"]] == [name(coin) for coin in dict.fromkeys(coins)]
            assert sum(row["count"] for row in hand["rows"]) == len(coins)
            can = dict(decisions(view)) if hand["due"] else {}
            assert [" ".join(row["lines"]) for row in hand["rows"]] == [
                can.get(row["name"], "") for row in hand["rows"]
            ]
            seen += len(can)
    assert seen > 10


def test_nobody_sees_the_hand_of_another(views):
    for view in views:
        for viewer in (None, "ai"):
            shown = board_scene(RULES.view(view, viewer), ())["hands"]
            assert all(HIDDEN_COIN not in view.sides[hand["seat"]].hand for hand in shown)
            assert PLAYER not in {hand["seat"] for hand in shown}


def test_everything_lies_within_the_edges(views):
    for view in views:
        shown = board_scene(view, ())
        for hand in shown["hands"]:
            assert PICTURE_HEIGHT < hand["top"] < hand["rows"][-1]["y"] < hand["end"] <= shown["height"]
            # A character of this size is at most three fifths as wide as high.
            assert all(
                68 + 0.6 * 19 * len(line) < PICTURE_WIDTH for row in hand["rows"] for line in row["lines"]
            )


def test_nothing_is_too_small_to_read(views):
    text = svg(GAME, views[4], ())
    assert text is not None
    assert min(float(size) for size in re.findall(r"font-size[:=][ \"]*([\d.]+)", text)) >= LEGIBLE


def test_colours_stay_apart_for_every_eye():
    assert nearest(*UNIT_COLOURS) >= LEAST
    for ink in UNIT_COLOURS:
        for ground in ("#ece5d6", "#f7f1e2", "#d9c68f"):
            assert nearest(ink, ground) >= LEAST


def test_every_hex_stands_beside_its_neighbours(views):
    """Neighbours in a column are two rows apart, those in the next column one row."""
    rows = text_board(views[0]).rows
    places = {
        cell[:2]: (row, column) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if cell
    }
    assert set(places) == set(HEXES)
    for one, (row, column) in places.items():
        near = {(row - 2, column), (row + 2, column)}
        near |= {(row + up, column + aside) for up in (-1, 1) for aside in (-1, 1)}
        assert {other for other, place in places.items() if place in near} == set(NEIGHBOURS[one])


def test_the_board_in_letters_shows_owners_and_units(views):
    for view in views:
        cells = {cell[:2]: cell[2:] for row in text_board(view).rows for cell in row if cell}
        for one, said in cells.items():
            owner, stack = view.control.get(one), view.stack_at(one)
            mark = owner[0].upper() if owner else "*" if one in PRINTED.locations else ""
            many = str(stack.height) if stack is not None and stack.height > 1 else ""
            assert said == mark + (f" {UNIT_LETTERS[stack.card]}{many}" if stack is not None else "")


def test_a_broken_ring_means_only_that_a_location_was_just_taken(views):
    """And the legend names the sides as texts do."""
    drawn = svg(GAME, views[0], ())
    broken = re.findall(r"<circle[^>]*stroke-dasharray[^>]*>", drawn.partition(">moved<")[0])
    assert broken == []
    named = re.findall(r'class="entry">([^<]*)</text>', drawn)
    assert named[:2] == ["You", "The AI"]
