"""The ground of maps: rivers where they flow, ranges where they stand, coasts named, Switzerland closed."""

from itertools import islice, pairwise

import pytest

import games
from adjudicator.reports.maps import svg
from games.dice import SealedDice
from games.diplomacy.map.dislodged_places import HALF_UNIT_SIZE, second_place
from games.diplomacy.map.labels import province_labels, shared_area, sizes, text_width
from games.diplomacy.map.line_routing import Courses, distance
from games.diplomacy.map.outlines import atlas, project
from games.diplomacy.map.scene import scene
from games.diplomacy.map.terrain import terrain
from games.diplomacy.model import Province
from tests.kit.bot_games import rounds

EUROPE = ("standard", "fleet-rome", "chaos")
INDIANOMACY = games.kinds()["indianomacy"].rules.board
STANDARD = games.kinds()["standard"].rules.board

ON_RIVERS = {
    "Mississippi": {
        "New Orleans": (-90.07, 29.95),
        "Memphis": (-90.05, 35.15),
        "St Louis": (-90.19, 38.63),
        "Minneapolis": (-93.26, 44.98),
    },
    "Missouri": {
        "Kansas City": (-94.58, 39.1),
        "Omaha": (-95.94, 41.26),
        "Pierre": (-100.35, 44.37),
        "Bismarck": (-100.78, 46.81),
        "Great Falls": (-111.3, 47.5),
    },
    "Ohio": {
        "Pittsburgh": (-79.99, 40.44),
        "Cincinnati": (-84.51, 39.1),
        "Louisville": (-85.76, 38.25),
        "Cairo": (-89.17, 37.0),
    },
    "Rio Grande": {
        "Brownsville": (-97.5, 25.9),
        "Laredo": (-99.5, 27.5),
        "El Paso": (-106.49, 31.76),
        "Albuquerque": (-106.65, 35.08),
    },
}
"""Towns on the banks of each river: longitude and latitude."""


def board(kind: str):
    return games.kinds()[kind].rules.board


def away(point, line) -> float:
    """Return a point's distance from a line."""
    found = []
    for (ax, ay), (bx, by) in pairwise(line):
        length = (bx - ax) ** 2 + (by - ay) ** 2
        share = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length
        along = min(max(share, 0), 1)
        found.append(distance(point, (ax + along * (bx - ax), ay + along * (by - ay))))
    return min(found)


def square(at, half):
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half


def seen_everywhere(board):
    """Boxes of names, of units at every place where one may stand, and of marks of centres."""
    letters, k = province_labels(board), sizes(board).unit
    for place in board.places.values():
        yield from letters[place.id].boxes
        for spot in (letters[place.id].piece, *place.anchors.values()):
            yield square(spot, HALF_UNIT_SIZE * k)
        if place.centre:
            yield square(letters[place.id].centre, 8 * k)


@pytest.mark.parametrize("river", ON_RIVERS)
def test_rivers_flow_past_the_towns_on_their_banks(river):
    """Within 30 kilometres: a unit of the sheet is about four."""
    course = atlas(INDIANOMACY).rivers[river]
    for town, (lon, lat) in ON_RIVERS[river].items():
        assert away(project(INDIANOMACY.chart.projection, lon, lat), course) < 7, town


@pytest.mark.parametrize(("lon", "lat"), [(-75.69, 44.59), (-73.57, 45.5), (-71.21, 46.81)])
def test_the_st_lawrence_is_a_water_of_the_board(lon, lat):
    """Brockville, Montreal, Quebec: no line is drawn where it is wide enough for canoes."""
    (at,) = [place.id for place in INDIANOMACY.places.values() if place.name == "St. Lawrence River"]
    (ring,) = atlas(INDIANOMACY).rings[at]
    here = project(INDIANOMACY.chart.projection, lon, lat)
    assert Courses.of(INDIANOMACY).contains(at, here) or away(here, ring) < 7


def test_the_missouri_and_the_ohio_end_in_the_mississippi():
    rivers = atlas(INDIANOMACY).rivers
    assert away(rivers["Missouri"][0], rivers["Mississippi"]) < 2
    assert away(rivers["Ohio"][-1], rivers["Mississippi"]) < 2


def test_rivers_and_ranges_lie_on_land():
    courses = Courses.of(INDIANOMACY)
    waters = [place.id for place in INDIANOMACY.places.values() if place.kind == "sea"]
    ground = terrain(INDIANOMACY)
    peaks = [(one["x"], one["y"]) for one in ground["peaks"]]
    assert len(peaks) > 50
    bends = [point for course in atlas(INDIANOMACY).rivers.values() for point in course]
    for point in (*peaks, *bends):
        assert not any(courses.contains(water, point) for water in waters), point


def test_the_rockies_stand_in_the_west_and_the_appalachians_in_the_east():
    mountains = atlas(INDIANOMACY).mountains
    mississippi = [x for x, _ in atlas(INDIANOMACY).rivers["Mississippi"]]
    assert max(x for x, _ in mountains["Rocky Mountains"]) < min(mississippi)
    assert min(x for x, _ in mountains["Appalachians"]) > max(mississippi)


def test_no_peak_covers_a_name_a_unit_or_a_centre():
    for one in terrain(INDIANOMACY)["peaks"]:
        here = one["x"] - 8, one["y"] - 7, one["x"] + 8, one["y"] + 7
        assert not any(shared_area(here, other) for other in seen_everywhere(INDIANOMACY)), one


@pytest.mark.parametrize("kind", EUROPE)
def test_each_coast_of_a_province_with_several_is_named_beside_its_fleet(kind):
    named = {place.id: place for place in board(kind).places.values() if place.coasts}
    anchors = {
        (place.id, coast.lower()): at for place in named.values() for coast, at in place.anchors.items()
    }
    labels = terrain(board(kind))["coasts"]
    assert len(labels) == len(anchors) == 6
    for label in labels:
        at = label["x"], label["y"] - 0.3 * label["size"]
        (province, coast), anchor = min(anchors.items(), key=lambda pair: distance(pair[1], at))
        assert coast == label["text"]
        assert distance(anchor, at) < 60
        near = (Province(province), *named[Province(province)].coasts[coast.upper()])
        assert any(Courses.of(board(kind)).contains(one, at) for one in near)


def test_no_coast_s_name_covers_another_a_name_a_unit_or_a_centre():
    boxes = []
    for label in terrain(STANDARD)["coasts"]:
        wide, x, y = text_width(label["text"], label["size"]) / 2, label["x"], label["y"]
        boxes.append((x - wide, y - 0.8 * label["size"], x + wide, y + 0.2 * label["size"]))
    aside = [second_place(STANDARD, place.id) for place in STANDARD.places.values() if place.coasts]
    beaten = [square(one.at, HALF_UNIT_SIZE * one.size * sizes(STANDARD).unit) for one in aside]
    for number, box in enumerate(boxes):
        others = [*seen_everywhere(STANDARD), *beaten, *boxes[:number]]
        assert not any(shared_area(box, other) for other in others), terrain(STANDARD)["coasts"][number]


@pytest.mark.parametrize("kind", EUROPE)
def test_switzerland_is_hatched_and_full_of_mountains(kind):
    (land,) = terrain(board(kind))["closed"]
    (ring,) = atlas(board(kind)).closed["Switzerland"]
    assert land["name"] == "Switzerland"
    assert land["hatch"].count("m") >= 8
    assert len(land["peaks"]) >= 3
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    for one in land["peaks"]:
        assert left < one["x"] - 8 < one["x"] + 8 < right
        assert not any(
            Courses.of(board(kind)).contains(at, (one["x"], one["y"])) for at in board(kind).places
        )


@pytest.mark.parametrize("kind", ["indianomacy", "standard"])
def test_the_ground_is_written_once_for_a_board(kind):
    """It is on the sheets alone, and they are the same in any game."""
    game = games.kinds()[kind]
    opening = game.rules.setup({}, SealedDice(b"s", "g", 0)).state
    ground = terrain(game.rules.board)
    last = next(islice(rounds(game, b"ground"), 2, None))
    first, later = (svg(game, game.rules.view(state, None), ()) for state in (opening, last.after))
    for drawing in (first, later):
        assert drawing is not None
        pieces = "".join(part.split("<!--end-->")[0] for part in drawing.split("<!--pieces-->")[1:])
        for one in (*ground["rivers"], *ground["closed"]):
            assert drawing.count(one["path"]) > 0
            assert one["path"] not in pieces
    sheets = [scene(game.rules.board, state, ())["sheets"] for state in (opening, last.after)]
    assert sheets[0] == sheets[1]
