"""Boards without a drawing: a box for each province, a line for each border, and nothing over another."""

import json
from itertools import combinations
from math import cos, radians, sin

import pytest

from games.diplomacy.boards import variants
from games.diplomacy.boards.board import Board, compile_board
from games.diplomacy.boards.folders import VariantFolders
from games.diplomacy.exchange.map_files import read_map_file, write_map_file
from games.diplomacy.map import schematic
from games.diplomacy.map.labels import Box, province_labels, shared_area, sizes
from games.diplomacy.map.outlines import atlas, is_drawn
from games.diplomacy.map.scene import scene
from games.diplomacy.map.schematic import schematic_board
from games.diplomacy.model import Province, State, split_spot
from games.messages import sentence
from tests.kit.kinds import strait
from tests.kit.made_boards import changed_files

STRAIT = compile_board(json.loads(changed_files({})["map.json"]))


@pytest.fixture(scope="module", params=["strait", "standard"])
def board(request: pytest.FixtureRequest) -> Board:
    if request.param == "strait":
        return STRAIT
    # One border less, so that the board isn't ours and has no drawing.
    text, _ = write_map_file(variants.load("standard"))
    return compile_board(
        read_map_file("other", text + "AMEND BUR ABUTS -RUH\nAMEND RUH ABUTS -BUR\n", lambda _: "").map
    )


def boxes(drawn: Board) -> dict[Province, list[Box]]:
    return {
        at: [
            (
                min(x for x, _ in ring),
                min(y for _, y in ring),
                max(x for x, _ in ring),
                max(y for _, y in ring),
            )
            for ring in rings
        ]
        for at, rings in atlas(drawn).rings.items()
    }


def holds(outer: Box, inner: Box) -> bool:
    return all(outer[side] <= inner[side] and inner[side + 2] <= outer[side + 2] for side in (0, 1))


def test_no_box_and_no_name_is_over_another_and_all_are_on_the_sheet(board: Board) -> None:
    drawn = schematic_board(board)
    shapes = [box for several in boxes(drawn).values() for box in several]
    assert len(shapes) == len(board.places) + sum(len(place.coasts) for place in board.places.values())
    assert not [pair for pair in combinations(shapes, 2) if shared_area(*pair)]
    width, height = drawn.chart.size
    assert all(holds((0, 0, width, height), box) for box in shapes)
    labels = province_labels(drawn)
    assert all(label.lines for label in labels.values()), "each province has its name or its abbreviation"
    texts = [(at, box) for at, label in labels.items() for box in label.boxes]
    assert not [1 for (a, one), (b, other) in combinations(texts, 2) if a != b and shared_area(one, other)]


def test_each_unit_has_its_place_in_its_box_and_on_its_coast(board: Board) -> None:
    drawn = schematic_board(board)
    own, around, labels = boxes(drawn), sizes(drawn).around, province_labels(drawn)
    for at, place in drawn.places.items():
        spots = [labels[at].piece, *place.anchors.values()]
        assert {*place.anchors} == {*place.coasts}
        for number, unit in enumerate(map(around, spots)):
            box = own[at][number]
            assert holds(box, unit), at
            assert not any(shared_area(unit, text) for text in labels[at].boxes), at


def test_every_border_is_a_line_that_passes_no_other_box(board: Board) -> None:
    drawn = schematic_board(board)
    links = atlas(drawn).links
    meant = {(frozenset((here, there)), "foot") for here in board.army for there in board.army[here]}
    meant |= {(frozenset((here, there)), "water") for here in board.sailing for there in board.sailing[here]}
    shown = {(frozenset(link.ends), "foot") for link in links if link.on_foot}
    shown |= {(frozenset(link.ends), "water") for link in links if link.by_water}
    assert shown == meant
    for link in links:
        ends = {split_spot(end)[0] for end in link.ends}
        others = [box for at, several in boxes(drawn).items() if at not in ends for box in several]
        assert not any(schematic._crosses(link.points, box, 0.5) for box in others), link.ends


def test_it_is_the_same_each_time_and_says_what_it_is(board: Board) -> None:
    first = schematic_board(board).chart.shapes
    schematic._lay_out.cache_clear()
    schematic._boards.clear()
    assert schematic_board(board).chart.shapes == first
    state = State(options={}, phase=variants.load("standard").rulebook.beginning(1901), units=(), centres={})
    drawn = scene(schematic_board(board), state, ())
    coasts = [coast.lower() for place in board.places.values() for coast in place.coasts]
    assert [coast["text"] for coast in drawn["sheets"]["coasts"]] == coasts, "each has its name"
    assert drawn["note"] == sentence("diplomacy.map.schematic")
    assert {sign["sign"] for sign in drawn["signs"]} >= {"link_foot", "link_water"}


def test_provinces_that_nobody_reaches_are_drawn_too() -> None:
    raw = json.loads(changed_files({})["map.json"])
    for place in raw["provinces"]:
        place |= {"army": [], "fleet": [], "label": [0, 0]}
    raw |= {"powers": [], "neutral": []}
    drawn = schematic_board(compile_board(raw))
    assert len(boxes(drawn)) == len(raw["provinces"])
    assert not atlas(drawn).links


# Borders that lead one way have an arrow, on any drawing.


def arrows(board: Board) -> list[dict[str, float]]:
    state = State(options={}, phase=variants.load("standard").rulebook.beginning(1901), units=(), centres={})
    drawn = scene(board, state, ())
    shown = [sign["sign"] for sign in drawn["signs"]]
    assert ("one_way" in shown) == bool(board.chart.one_way)
    kept: list[dict[str, float]] = drawn["sheets"]["arrows"]
    return kept


def test_an_arrow_shows_a_border_that_leads_one_way() -> None:
    one_way = {"one_way": [["UPL", "MOO"]], "provinces": [{"id": "MOO", "army": ["HAV", "DAL"]}]}
    board = schematic_board(compile_board(json.loads(changed_files(one_way)["map.json"])))
    (arrow,) = arrows(board)
    (link,) = [link for link in atlas(board).links if {*link.ends} == {"UPL", "MOO"}]
    upland, moor = board.places[Province("UPL")].label, board.places[Province("MOO")].label
    forward = (moor[0] - upland[0], moor[1] - upland[1])
    middle = [sum(at) / 2 for at in zip(link.points[0], link.points[-1], strict=True)]
    assert abs(arrow["x"] - middle[0]) + abs(arrow["y"] - middle[1]) < 20
    assert points_along(arrow["angle"], forward)


def points_along(angle: float, forward: tuple[float, float]) -> bool:
    return cos(radians(angle)) * forward[0] + sin(radians(angle)) * forward[1] > 0


@pytest.mark.parametrize("pair", [("BUR", "RUH"), ("RUH", "BUR"), ("NTH", "NWY"), ("LVP", "YOR")])
def test_an_arrow_crosses_the_border_on_our_own_drawing(pair: tuple[str, str]) -> None:
    here, there = pair
    whole = json.loads(VariantFolders().text("standard", "map.json")) | {"one_way": [pair]}
    for place in whole["provinces"]:
        if place["id"] == there:
            for kind in ("army", "fleet"):
                place[kind] = [other for other in place.get(kind, []) if other.partition("/")[0] != here]
    board = compile_board({**whole, "outline": "standard"})
    (arrow,) = arrows(board)
    line = next(line for line in atlas(board).borders if {*line.sides} == {*pair})
    assert min(abs(arrow["x"] - x) + abs(arrow["y"] - y) for x, y in line.points) < 60
    ahead = board.places[Province(there)].label
    assert points_along(arrow["angle"], (ahead[0] - arrow["x"], ahead[1] - arrow["y"]))


def test_our_own_boards_have_none() -> None:
    assert arrows(variants.load("standard").board) == []


def test_a_board_that_is_called_like_one_of_ours_is_not_drawn_as_ours() -> None:
    files = strait("gulf")
    own = compile_board(json.loads(files["map.json"]))
    assert not is_drawn(own)
    assert is_drawn(variants.load("gulf").board)
