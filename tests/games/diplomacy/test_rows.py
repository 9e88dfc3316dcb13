"""A province in rows: the room around a point equals a count row by row."""

import random
from math import ceil, floor

import pytest

from games.diplomacy.map.labels import (
    BOX_MARGIN,
    ROW_HEIGHT,
    Spans,
    are_apart,
    covered_area,
    fits,
    points_with_room,
    shared_area,
    spans_of,
    spots_in,
)

# A land with a lake in it and a bay in its side.
LAND = ((0.0, 0.0), (90.0, 5.0), (100.0, 60.0), (60.0, 40.0), (55.0, 88.0), (4.0, 70.0))
LAKE = ((20.0, 20.0), (40.0, 22.0), (38.0, 45.0), (18.0, 41.0))
SPANS = spans_of((LAND, LAKE))


def has_room(box, spot, spans):
    """Each row that the box crosses has a stretch that holds it."""
    left, right = spot[0] + box[0] - BOX_MARGIN, spot[0] + box[2] + BOX_MARGIN
    rows = range(floor((spot[1] + box[1]) / ROW_HEIGHT), ceil((spot[1] + box[3]) / ROW_HEIGHT) + 1)
    return all(any(low <= left and right <= high for low, high in spans.get(row, ())) for row in rows)


def any_box(lot):
    left, top = lot.uniform(-25, 5), lot.uniform(-15, 5)
    return left, top, left + lot.uniform(1, 40), top + lot.uniform(0, 25)


def test_points_with_room_round_them_are_found_in_their_order():
    lot, found = random.Random(3), 0
    spots = [*spots_in((30.0, 50.0), SPANS), (-50.0, 7.5), (50.0, 400.0)]
    for _ in range(120):
        boxes = [any_box(lot) for _ in range(lot.choice((1, 1, 2, 3)))]
        wanted = [spot for spot in spots if all(has_room(box, spot, SPANS) for box in boxes)]
        assert list(points_with_room(boxes, spots, SPANS)) == wanted
        assert all(fits(box, spot, SPANS) for box in boxes for spot in wanted)
        found += len(wanted)
    assert found > 1000


def test_what_touches_lies_apart_and_shares_nothing():
    lot = random.Random(4)
    assert are_apart([(0, 0, 5, 5)], [(5, 0, 9, 5), (0, 5, 5, 9)])
    for _ in range(200):
        some, others = ([any_box(lot) for _ in range(lot.randrange(4))] for _ in range(2))
        areas = [shared_area(one, two) for one in some for two in others]
        assert covered_area(some, others) == pytest.approx(sum(areas))
        assert are_apart(some, others) == (not any(areas))


def test_rows_have_in_common_what_lies_inside_in_each():
    rows = Spans({1: ((0.0, 10.0), (20.0, 30.0)), 2: ((5.0, 25.0),), 4: ((0.0, 9.0),)})
    assert rows.common(1, 1) == rows[1]
    assert rows.common(1, 2) == ((5.0, 10.0), (20.0, 25.0))
    assert rows.common(1, 4) == (), "there is nothing in the third"
