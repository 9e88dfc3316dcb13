"""Borders that run the other way: who meets then, that the map shows it, and what cannot be turned."""

from functools import cache
from itertools import pairwise
from math import dist

import pytest

from games.diplomacy.boards.board import FlippableBorder, compile_chart
from games.diplomacy.boards.redraw import flip_back, flip_borders
from games.diplomacy.map.outlines import atlas
from games.diplomacy.variant_check import findings
from games.protocol import Invalid
from games.record import replace_fields
from tests.kit.positions import BOARD, VARIANT

CHART = BOARD.chart
TURNS = CHART.turns


def length(board, *lands):
    """Return the length of the border of two lands on the map."""
    lines = [line.points for line in atlas(board).borders if {*line.sides} == {*lands}]
    return sum(dist(*step) for line in lines for step in pairwise(line))


@cache
def as_it_stands():
    """Return the survey of the board with no border turned."""
    return findings(VARIANT)


def named(turns):
    return ["-".join((*one.parts, *one.ends)) for one in turns]


@pytest.mark.parametrize("one", TURNS, ids=named(TURNS))
def test_a_turned_border_is_drawn_as_it_is_played(one):
    """The survey compares the borders of the outline with those of the board."""
    board = compile_chart(flip_borders(CHART, [one]))
    assert findings(replace_fields(VARIANT, board=board)) == as_it_stands()
    assert {place for place in board.places if board.army[place] != BOARD.army[place]} == {
        *one.parts,
        *one.ends,
    }
    assert 10 < length(board, *one.ends) < 2 * length(BOARD, *one.parts)
    assert board.fleet == BOARD.fleet


@pytest.mark.parametrize("one", TURNS, ids=named(TURNS))
def test_other_lands_keep_their_shape(one):
    before, after = atlas(BOARD).rings, atlas(compile_chart(flip_borders(CHART, [one]))).rings
    assert {land for land in before if before[land] != after[land]} == {*one.parts, *one.ends}


def test_each_that_may_be_turned_is_short_and_has_four_lands_about_it():
    for one in TURNS:
        assert length(BOARD, *one.parts) < 75, (
            "units of the board; 130 km are 39, and up to 63 in the north-east"
        )
        assert all({*one.parts} <= {*BOARD.army[end]} for end in one.ends)
        assert CHART.taboo not in (*one.parts, *one.ends)
    assert len({one.parts for one in TURNS}) == len(TURNS)


def test_a_border_that_is_turned_back_is_the_old_one():
    (one, *_) = TURNS
    there = flip_borders(CHART, [one])
    assert there.turned == (one,)
    assert flip_back(one) in there.turns
    again = flip_borders(there, [flip_back(one)])
    assert again.turned == ()
    assert compile_chart(again).army == BOARD.army
    assert again.turns == TURNS


@pytest.mark.parametrize(
    ("parts", "ends"),
    [(("28", "27"), ("33", "32")), (("1", "119"), ("26", "88")), (("28", "33"), ("26", "27"))],
)
def test_what_is_no_border_between_four_lands_cannot_be_turned(parts, ends):
    with pytest.raises(Invalid, match="turns"):
        flip_borders(CHART, [FlippableBorder(parts=parts, ends=ends)])
