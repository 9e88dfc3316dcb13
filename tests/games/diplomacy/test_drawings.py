"""Drawings of one's own: from an SVG with a shape for each province to an outline, places and borders."""

import json
import re
from importlib import util
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import shapely

from adjudicator.variants import draw_opening
from games.diplomacy import look_over
from games.diplomacy.boards.board import compile_board
from games.diplomacy.exchange.drawings import propose_borders, read_drawing
from games.diplomacy.map.outlines import atlas
from games.messages import sentence
from games.protocol import Invalid

BOARDS = Path(__file__).parents[2] / "drawings"
NAMES = ("marches", "lagoon", "isthmus")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">{}</svg>'
MAP = json.dumps(
    {
        "provinces": [
            {"id": "AAA", "abbr": "AAA", "name": "Alpha", "kind": "land", "army": ["BBB"]},
            {"id": "BBB", "abbr": "BBB", "name": "Beta", "kind": "land", "army": ["AAA"]},
        ]
    }
)
ALPHA, BETA = '<path id="AAA" d="M0 0h100v100h-100z"/>', '<path id="BBB" d="M100 0h100v100h-100z"/>'


def text_of(name: str, file: str) -> str:
    return (BOARDS / name / file).read_text(encoding="utf-8")


def drawn(name: str) -> dict[str, str]:
    """The files of a board with its drawing."""
    files = read_drawing(text_of(name, "map.json"), text_of(name, f"{name}.svg")).files
    return {"rulebook.toml": text_of(name, "rulebook.toml"), **files}


def shapes_of(outline: str) -> dict[str, shapely.Geometry]:
    return {
        feature["properties"]["id"]: shapely.from_geojson(json.dumps(feature["geometry"]))
        for feature in json.loads(outline)["features"]
    }


@pytest.mark.parametrize("name", NAMES)
def test_neighbours_share_their_borders_point_by_point(name: str) -> None:
    files = drawn(name)
    shapes = shapes_of(files["outline.geojson"])
    assert shapely.coverage_is_valid([*shapes.values()])
    for one, other in combinations(shapes.values(), 2):
        assert shapely.area(shapely.intersection(one, other)) == 0
    assert not look_over(files).findings, "map.json has the borders that are drawn"


@pytest.mark.parametrize("name", NAMES)
def test_the_borders_are_proposed_as_they_are_and_not_where_one_is_missing(name: str) -> None:
    raw, svg = json.loads(text_of(name, "map.json")), text_of(name, f"{name}.svg")
    assert all(row.same for row in propose_borders(json.dumps(raw), svg))
    place = raw["provinces"][-1]
    proposed = {row.entry["id"]: row.entry for row in propose_borders(json.dumps(raw), svg)}
    meant = {key: place[key] for key in ("army", "fleet", "coasts") if place.get(key)}
    for key in meant:
        place.pop(key)
    if place["id"] == "EAS":
        place["coasts"] = {"NC": [], "SC": []}
    rows = propose_borders(json.dumps(raw), svg)
    assert [row.entry["id"] for row in rows if not row.same] == [place["id"]]
    assert {key: proposed[place["id"]][key] for key in meant} == meant


def test_borders_by_land_and_by_water_and_by_coast() -> None:
    rows = propose_borders(text_of("isthmus", "map.json"), text_of("isthmus", "isthmus.svg"))
    by_id = {row.entry["id"]: row.entry for row in rows}
    assert by_id["ISTH"] == {
        "id": "ISTH",
        "army": ["WES", "MID"],
        "fleet": [],
        "coasts": {"NC": ["NOS", "WES/NC", "MID/NC"], "SC": ["SOS", "WES/SC", "MID/SC"]},
    }
    lagoon = propose_borders(text_of("lagoon", "map.json"), text_of("lagoon", "lagoon.svg"))
    canal = next(row.entry for row in lagoon if row.entry["id"] == "CAN")
    assert canal["fleet"] == ["NWS", "NES", "SWS", "SES"]
    marches = propose_borders(text_of("marches", "map.json"), text_of("marches", "marches.svg"))
    middle = next(row.entry for row in marches if row.entry["id"] == "KIN")
    assert middle == {"id": "KIN", "army": ["HIG", "WES", "THO", "RIV"], "fleet": []}, (
        "corners are no borders"
    )


def test_pieces_circles_coasts_and_closed_land() -> None:
    lagoon, isthmus = drawn("lagoon"), drawn("isthmus")
    twins = shapes_of(lagoon["outline.geojson"])["TWN"]
    assert shapely.get_num_geometries(twins) == 2
    assert [*json.loads(lagoon["outline.geojson"])["closed"]] == ["The Cauldron"]
    sheet = json.loads(lagoon["map.json"])
    assert sheet["size"] == [1600, 1120]
    places = {place["id"]: place for place in sheet["provinces"]}
    assert places["CAN"]["label"] == [490 * 1.6, 345 * 1.6], "where the circle is"
    assert shapely.contains(twins, shapely.Point(places["TWN"]["label"])), "inside, where no circle is"
    fleets = {place["id"]: place.get("anchors") for place in json.loads(isthmus["map.json"])["provinces"]}
    assert fleets["ISTH"]["SC"] == pytest.approx([375 * 1600 / 900, 420 * 1600 / 900], abs=0.1)
    island = shapes_of(isthmus["outline.geojson"])["ISTH"]
    assert shapely.contains(island, shapely.Point(fleets["ISTH"]["NC"])), "beside the line of its coast"


def picture(files: dict[str, str]) -> dict[str, str]:
    board = compile_board(json.loads(files["map.json"]) | {"shapes": json.loads(files["outline.geojson"])})
    return dict(atlas(board).background)


def test_the_rest_is_background_without_scripts_and_addresses() -> None:
    imported = read_drawing(text_of("marches", "map.json"), text_of("marches", "marches.svg"))
    background = picture(dict(imported.files))
    assert "#cdd8c0" in background["below"]
    assert "url(#above-snow)" in background["above"]
    assert 'id="above-snow"' in background["above"]
    assert "Here be hills" in background["above"]
    for part in (*background.values(), imported.files["outline.geojson"]):
        assert not re.search(r"script|alert|onclick|example\.org|<image|Northmark</text>", part)
    notes = {note.text for note in imported.notes}
    assert sentence("diplomacy.drawings.left_out", part="script", number=1) in notes
    assert sentence("diplomacy.drawings.left_out", part="image", number=1) in notes
    assert sentence("diplomacy.drawings.names_left_out", part="name", number=1) in notes


@pytest.mark.parametrize(
    "element",
    [
        {"tag": "script", "text": "alert(1)"},
        {"tag": "g", "children": [{"tag": "image", "attributes": {"href": "http://example.org/a.png"}}]},
        {"tag": "path", "attributes": {"onclick": "alert(1)"}},
        {"tag": "path", "attributes": {"fill": "url(http://example.org/a.svg#x)"}},
        {"tag": "path", "attributes": {"d": 'M0 0"><script>alert(1)</script>'}},
        {"tag": "linearGradient", "attributes": {"href": "http://example.org/"}},
        {"tag": "text", "text": 5},
        "a text",
    ],
)
def test_an_outline_that_comes_from_elsewhere_cannot_bring_them(element: object) -> None:
    files = drawn("lagoon")
    outline = json.loads(files["outline.geojson"]) | {"background": {"above": [element]}}
    try:
        look_over({**files, "outline.geojson": json.dumps(outline)})
    except Invalid as fault:
        refused = str(fault)
    else:
        refused = "nothing"
    assert "outline.geojson: background: above" in refused
    if isinstance(element, dict) and element.get("text") != 5:
        files["outline.geojson"] = json.dumps(outline)
        shown = picture(files)["above"]
        assert not re.search(r"<script|onclick|example\.org|<image", shown), "nor one that nobody checked"


def refusal(svg: str, board: str = MAP) -> str:
    with pytest.raises(Invalid) as refused:
        read_drawing(board, svg)
    assert refused.value.instead
    return refused.value.why


BOMB = (
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    '<svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>'
)
FILE = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg><text>&a;</text></svg>'


@pytest.mark.parametrize(
    ("svg", "slug"),
    [
        (BOMB, "has_entities"),
        (FILE, "has_entities"),
        ("<html/>", "not_svg"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "no_view"),
        (SVG.replace("200 100", "2 100").format(""), "odd_sheet"),
        (SVG.format("<g>" * 80 + "</g>" * 80), "too_many_elements"),
        (SVG.format('<path id="AAA" d="M0 0L1e9 5L4 4z"/>'), "far_away"),
    ],
)
def test_what_is_no_drawing_is_refused(svg: str, slug: str) -> None:
    start = sentence(f"diplomacy.drawings.{slug}", number=20000, tag="html", width=2.0, height=100.0)
    assert refusal(svg) == start


@pytest.mark.parametrize("svg", ["", "<svg", "no XML", "<svg><g></svg>", "\ud800"])
def test_broken_xml_is_refused(svg: str) -> None:
    assert refusal(svg)


@pytest.mark.parametrize("path", ["M0 0", "", "X", "M 0 0 L", "M0,0 A1,1 0 0 0", "M0 0 C 1 1 2 2 z", "L5 5z"])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    assert refusal(SVG.format(f'<path id="AAA" d="{path}"/>{BETA}'))


@pytest.mark.parametrize("board", ["", "[]", "{}", '{"provinces": [5]}', '{"provinces": []}'])
def test_a_board_without_provinces_is_refused(board: str) -> None:
    assert refusal(SVG.format(ALPHA), board) == sentence("diplomacy.drawings.no_provinces")


def test_all_that_is_open_or_missing_is_named_at_once() -> None:
    open_line = '<path id="AAA" d="M0 0h100v100h-100v-80"/>'
    why = refusal(SVG.format(f'{open_line}<circle id="BBB" cx="5" cy="5" r="2"/>'))
    assert sentence("diplomacy.drawings.path_is_open", place="AAA", gap=20.0, x=0.0, y=20.0) in why
    assert sentence("diplomacy.drawings.only_a_circle", places="BBB") in why
    assert sentence("diplomacy.drawings.no_shape", places="BBB") in refusal(SVG.format(ALPHA))
    hidden = refusal(SVG.format('<path id="BBB" d="M10 10h20v20h-20z"/>' + ALPHA))
    assert hidden == sentence("diplomacy.drawings.hidden", places="BBB")


def test_a_gap_is_closed_up_to_the_tolerance() -> None:
    apart = SVG.format(ALPHA + BETA.replace("M100 0h100", "M100.4 0h99.6").replace("h-100", "h-99.6"))
    assert all(row.same for row in propose_borders(MAP, apart)), "it is closed by itself"

    def touch(tolerance: float | None) -> bool:
        shapes = shapes_of(read_drawing(MAP, apart, tolerance).files["outline.geojson"])
        return bool(shapely.intersects(shapes["AAA"], shapes["BBB"]))

    assert not touch(0.2)
    assert touch(0.5)


def refused(svg: str) -> str:
    """Return why a drawing is refused, or "" if it is read."""
    try:
        read_drawing(MAP, svg)
    except Invalid as why:
        return str(why)
    return ""


def test_what_is_above_covers_what_is_below() -> None:
    whole = '<path id="AAA" d="M0 0h200v100h-200z"/>'
    svg = SVG.format(whole + BETA)
    assert refused(svg) == "", "the province that is drawn later is seen"
    shapes = shapes_of(read_drawing(MAP, svg).files["outline.geojson"])
    assert {name: shapely.area(shape) for name, shape in shapes.items()} == {"AAA": 640_000, "BBB": 640_000}


def test_groups_names_and_transforms_are_read() -> None:
    svg = SVG.format(
        '<g id="Alpha" transform="translate(10,0) scale(0.5)"><path d="M-20 0h200v200h-200z"/></g>'
        '<polygon id="bbb" points="100,0 200,0 200,100 100,100"/>'
    )
    shapes = shapes_of(read_drawing(MAP, svg).files["outline.geojson"])
    assert shapely.bounds(shapes["AAA"]).tolist() == [0, 0, 800, 800]


def test_without_the_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.diplomacy.exchange.drawings.find_spec", lambda name: None)
    assert util.find_spec("shapely") is not None
    assert refusal(SVG.format(ALPHA)) == sentence(
        "diplomacy.drawings.no_library", names="shapely and svgelements"
    )


def test_the_background_is_drawn_below_and_above_the_provinces() -> None:
    svg = draw_opening(look_over(drawn("marches")))
    below, land, above = (svg.index(part) for part in ('fill="#cdd8c0"', 'id="pKIN"', "Here be hills"))
    assert below < land < above


def spoilt(text: str, dice: Random) -> str:
    """A text with one to four faults: a piece lost, doubled, moved, or replaced by a number or a sign."""
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(text))
        end = min(start + dice.choice((1, 1, 2, 5, 20)), len(text))
        piece = dice.choice(
            ("", text[start:end] * 2, "1e999", "-", "nan", '"', "<g>", "M", "A", "0", "{", "&x;")
        )
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.parametrize("sort", ["drawing", "board"])
def test_no_fault_in_a_file_ends_in_a_traceback(sort: str) -> None:
    dice = Random(61)
    coast = '<path id="AAA_NC" d="M0 0C5 5 9 9 100 0"/><circle id="unit-BBB" cx="150" cy="50" r="3"/>'
    style = '<style>.a{fill:#fff}</style><g transform="translate(1 2)"><path class="a" d="M1 1h5"/></g>'
    svg, results = SVG.format(ALPHA + BETA + coast + style), set()
    for _ in range(250):
        files = (MAP, spoilt(svg, dice)) if sort == "drawing" else (spoilt(MAP, dice), svg)
        for read in (read_drawing, propose_borders):
            try:
                read(*files)
                results.add("taken")
            except Invalid as refused:
                results.add("refused" if refused.instead else "without a remedy")
    assert results == {"taken", "refused"}
