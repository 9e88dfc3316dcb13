"""The picture and the board as text: the reader's own coins and their uses, and hexes by their names."""

import re
from importlib.resources import files
from itertools import islice
from math import hypot

import pytest
from PIL import ImageChops, ImageFont, ImageStat

import games
from adjudicator.reports import compositor
from adjudicator.reports.compositor import compose_picture, render_svg
from adjudicator.reports.maps import svg
from games.colour_vision import LEAST, nearest
from games.options import settle
from games.record import replace_fields
from games.war_chest.board import HEXES, NEIGHBOURS
from games.war_chest.components import HIDDEN_COIN, name
from games.war_chest.legal_orders import MAX_CHAINS_LISTED, decisions, legal_orders
from games.war_chest.map import (
    BOARD_HEIGHT,
    KEY_COLUMN,
    MARK_RADIUS,
    PICTURE_WIDTH,
    UNIT_COLOURS,
    UNIT_LETTERS,
    board_scene,
    hex_middle,
)
from games.war_chest.model import PLAYER, Maneuver, Stack, View
from games.war_chest.owner_data import PRINTED
from games.war_chest.report_text import text_board
from tests.games.war_chest.table import RULES
from tests.kit.bot_games import rounds

GAME = games.kinds()["war-chest"]
LEGIBLE = 18
"""In units of the picture, which is 864 wide: 12.5 pixels in a picture of 600, 7.8 on a phone of 375."""


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


def test_a_turn_draws_only_what_changed_on_the_board(views, monkeypatch):
    """The hexes and their names are kept, and the picture is the same as one that is drawn at once."""
    drawn: list[int] = []
    render_window = compositor._render_window

    def count(look, inside, first, size):
        drawn.append(size[0] * size[1])
        return render_window(look, inside, first, size)

    monkeypatch.setattr(compositor, "_render_window", count)
    earlier, later = (svg(GAME, view, ()) for view in views[4:6])
    compose_picture(earlier, 432)
    drawn.clear()
    picture = compose_picture(later, 432)
    assert 0 < max(drawn) < 432 * 80
    at_once = render_svg(later, width_px=432).convert("RGB")
    assert picture.size == at_once.size
    assert sum(ImageStat.Stat(ImageChops.difference(picture, at_once)).mean) < 3


def test_the_key_says_what_is_left_in_supply_and_the_discards_what_the_viewer_knows(views):
    """An opponent's face-down coins are only counted."""
    kinds = set()
    for view in views:
        for viewer in (PLAYER, None):
            seen = RULES.view(view, viewer)
            shown = board_scene(seen, ())
            left = [
                seen.sides[seat].supply.get(card, 0) for seat in seen.seats for card in seen.sides[seat].cards
            ]
            assert [row["supply"] for row in shown["letters"]] == [f"supply {count}" for count in left]
            text = " ".join(row["text"] for row in shown["discards"])
            for seat in seen.seats:
                side = seen.sides[seat]
                known = [coin for coin in (*side.face_up, *side.face_down) if coin != HIDDEN_COIN]
                assert all(name(coin) in text for coin in known)
                if HIDDEN_COIN in side.face_down:
                    assert f"face down: {len(side.face_down)} hidden" in text
                kinds |= {"up"} if side.face_up else set()
                kinds |= {"hidden" if HIDDEN_COIN in side.face_down else "own"} if side.face_down else set()
    assert kinds == {"up", "hidden", "own"}


def test_only_stacks_of_several_coins_have_a_number(views):
    stacks = views[4].stacks
    assert {stack.height for stack in stacks} == {1}
    for heights in ((1, 1), (2, 1), (1, 3), (4, 4)):
        taller = tuple(
            replace_fields(stack, height=height) for stack, height in zip(stacks[:2], heights, strict=True)
        )
        text = svg(GAME, replace_fields(views[4], stacks=(*taller, *stacks[2:])), ())
        assert text is not None
        board = text[: text.index("<!--sheet names")]
        assert re.findall(r'class="count">(\d+)<', board) == [str(height) for height in heights if height > 1]


def test_a_maneuver_of_several_steps_is_written_out(views):
    """Up to three for a coin; a longer list is in the answer to MOVES."""
    seen = set()
    for view in views:
        can = dict(decisions(view))
        for coin in dict.fromkeys(order.of for order in legal_orders(view, PLAYER)):
            longer = [
                order
                for order in legal_orders(view, PLAYER)
                if order.of == coin and isinstance(order.order, Maneuver) and len(order.order.steps) > 1
            ]
            if coin in can and longer:
                is_short = len(longer) <= MAX_CHAINS_LISTED
                assert all((order.words in can[coin]) is is_short for order in longer)
                assert ("MOVES" in can[coin]) is not is_short
                seen.add(is_short)
    assert True in seen


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
            assert shown["key"]["end"] < hand["top"] < hand["rows"][-1]["y"] < hand["end"] <= shown["height"]
            # A character of this size is at most three fifths as wide as high.
            assert all(
                98 + 0.6 * 22 * len(line) < PICTURE_WIDTH for row in hand["rows"] for line in row["lines"]
            )


def test_no_number_of_coins_lies_under_an_arrow():
    """An arrow arrives from one of six neighbours, the number is to the right of the coin, between two."""
    game = next(rounds(GAME, b"gallery", bot=next(iter(GAME.bots)), options=settle(GAME.about.options, {})))
    table = replace_fields(
        game.after, stacks=tuple(Stack(seat=PLAYER, card="archer", at=one) for one in HEXES)
    )
    units = board_scene(RULES.view(table, PLAYER), ())["units"]
    marks = {one: (unit["mark"]["x"], unit["mark"]["y"]) for one, unit in zip(HEXES, units, strict=True)}
    for one in HEXES:
        for other in NEIGHBOURS[one]:
            (x, y), (x2, y2), mark = hex_middle(one), hex_middle(other), marks[one]
            across = abs((x2 - x) * (mark[1] - y) - (y2 - y) * (mark[0] - x)) / hypot(x2 - x, y2 - y)
            assert across > MARK_RADIUS + 4


def test_the_key_has_each_unit_and_each_sign_of_the_picture_once(views):
    """In four columns, below the board and above the hands. The font itself measures the words."""
    font = ImageFont.truetype(str(files("adjudicator.reports").joinpath("fonts/DejaVuSansCondensed.ttf")), 23)
    kinds = set()
    options = settle(GAME.about.options, {})
    for one in islice(rounds(GAME, b"gallery", bot=next(iter(GAME.bots)), options=options), 60):
        shown = board_scene(RULES.view(one.after, PLAYER), one.events)
        entries = [
            *((row, row["name"]) for row in shown["letters"]),
            *((row, row["text"]) for row in shown["signs"]),
        ]
        assert len({(row["x"], row["y"]) for row, _ in entries}) == len(entries)
        for row, words in entries:
            assert BOARD_HEIGHT < row["y"] < shown["key"]["end"]
            assert 50 + font.getlength(words) < KEY_COLUMN
            assert row["x"] + KEY_COLUMN < PICTURE_WIDTH
        signs = {row["sign"] for row in shown["signs"]}
        drawn = {arrow["kind"] for arrow in shown["arrows"]} | ({"gone"} if shown["gone"] else set())
        drawn |= {"new"} if any(unit["new"] for unit in shown["units"]) else set()
        drawn |= {"height"} if any(unit["height"] > 1 for unit in shown["units"]) else set()
        assert signs == drawn | {"location", "marker"}
        kinds |= signs
    assert kinds == {"location", "marker", "height", "move", "attack", "gone", "new", "taken"}


def test_nothing_is_too_small_to_read(views):
    text = svg(GAME, views[4], ())
    assert text is not None
    assert PICTURE_WIDTH < 900
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
    broken = re.findall(r"<circle[^>]*stroke-dasharray[^>]*>", drawn)
    assert broken == []
    named = re.findall(r'class="entry">([^<]*)</text>', drawn)
    assert named[:2] == ["You", "The AI"]
