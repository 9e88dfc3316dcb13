"""Patterns of lands: lines inside their borders, with a different pattern from every neighbour."""

import re
from itertools import combinations
from math import hypot

import pytest

from adjudicator.reports.maps import svg
from games import kinds
from games.dice import SealedDice
from games.diplomacy.map.line_routing import Courses
from games.diplomacy.map.outlines import atlas
from games.diplomacy.map.patterns import HATCHES, Lines, crossing, hatch_path

SQUARE = (((0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)),)
NEAR = (0.0, -0.3, 0.3)
"""As far off as tenths and thin corners bring a point."""


def drawn(text):
    """The lines of a path as it is written."""
    x = y = 0.0
    steps = [float(one) for one in re.findall(r"-?[\d.]+", text)]
    for mx, my, dx, dy in zip(*[iter(steps)] * 4, strict=True):
        start = x + mx, y + my
        x, y = start[0] + dx, start[1] + dy
        yield start, (x, y)


def test_level_lines_end_before_the_border():
    assert [*crossing(SQUARE, Lines(0, 10, 5))] == [
        ((0.7, 5.0), (29.3, 5.0)),
        ((0.7, 15.0), (29.3, 15.0)),
        ((0.7, 25.0), (29.3, 25.0)),
    ]


def test_dashes_are_whole_and_those_of_the_next_line_stand_between_them():
    found = [*crossing(SQUARE, Lines(0, 10, 5, 4, 12))]
    starts = {row: [round(a[0], 1) for a, b in found if a[1] == row] for row in (5.0, 15.0, 25.0)}
    assert starts == {5.0: [0.7, 12.7, 24.7], 15.0: [6.7, 18.7], 25.0: [0.7, 12.7, 24.7]}
    assert {round(b[0] - a[0], 1) for a, b in found} == {4.0}


@pytest.mark.parametrize("number", range(1, len(HATCHES) + 1))
@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_every_line_lies_on_its_land_from_end_to_end(kind, number):
    board = kinds()[kind].rules.board
    shapes = Courses.of(board)
    for place in [one for one in board.places if board.is_land(one)][::9]:
        lines = [*drawn(hatch_path(atlas(board).rings[place], number))]
        assert len(lines) > 2
        for (ax, ay), (bx, by) in lines:
            assert hypot(bx - ax, by - ay) > 1, place
            for part in (0.1, 0.5, 0.9):
                x, y = ax + part * (bx - ax), ay + part * (by - ay)
                assert any(shapes.contains(place, (x + a, y + b)) for a in NEAR for b in NEAR), place


def test_no_two_patterns_look_alike():
    whole = (((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)),)
    for one, two in combinations(range(1, len(HATCHES) + 1), 2):
        these, those = ({*drawn(hatch_path(whole, number))} for number in (one, two))
        assert len(these & those) < 0.35 * min(len(these), len(those)), (one, two)


def test_a_map_fills_nothing_with_patterns_of_svg():
    """Their filling took two thirds of the time in which a front is drawn."""
    game = kinds()["standard"]
    view = game.rules.view(game.rules.setup({}, SealedDice(b"", "map", 0)).state, None)
    assert "<pattern" not in svg(game, view, ())
