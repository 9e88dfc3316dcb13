"""Drawings are legible at their size: in email at 600 pixels, parts of the map also on a phone of 375."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from xml.etree import ElementTree

import pytest
import resvg_py
from PIL import Image

from adjudicator.reports import maps
from adjudicator.reports.maps import front, png, svg
from games.boer_war import map as boer_war
from games.diplomacy.map.scene import ZOOMS
from games.plains_indian_wars import map as plains
from tests.kit.game_emails import LettersOfTurn, letters_of_turns

MAIL_PX, PHONE_PX = 600, 347
"""How wide a picture is shown: in a mail program, and on a phone of 375 pixels beside the page's edges."""
KINDS = ("standard", "indianomacy", "chaos")
FRONTED = (*KINDS, "plains-indian-wars", "boer-war")
OTHERS = ("war-chest", "great-war", "plains-indian-wars", "boer-war")
TURN = 3
"""So many deadlines were over before the one that is looked at."""
_SIZE = re.compile(r"([^{}]+)\{[^}]*?font-size: ([\d.]+)px")
_CLASS = re.compile(r"\.([\w-]+)")
_SCALE = re.compile(r"scale\(([\d.]+)\)")
COUNTER = 21.0
"""How wide the narrowest counter is where nothing is scaled."""
_LEGEND = re.compile(r"<!--sheet legend-->.*<!--end-->", re.DOTALL)


@pytest.fixture(scope="module")
def turns() -> dict[str, LettersOfTurn]:
    """The turn to look at, by kind."""
    return {kind: next(islice(letters_of_turns(kind), TURN, None)) for kind in {*FRONTED, *OTHERS}}


@pytest.fixture(scope="module")
def fronts(turns: dict[str, LettersOfTurn]) -> dict[str, list[str]]:
    """The fronts of all seats, by kind."""
    return {kind: list(draw_fronts(turns[kind])) for kind in FRONTED}


def draw_fronts(one: LettersOfTurn) -> Iterator[str]:
    events = tuple(event for step in one.played.steps for event in step.events)
    for seat in one.position.assignments:
        drawn = front(one.game, one.game.rules.view(one.played.state, seat), seat, events)
        if drawn is not None:
            yield drawn


def whole(one: LettersOfTurn) -> str:
    """The whole board without its legend."""
    events = tuple(event for step in one.played.steps for event in step.events)
    drawn = svg(one.game, one.game.rules.view(one.played.state, None), events)
    assert drawn is not None
    return _LEGEND.sub("", drawn)


def measure_drawing(drawing: str, width_px: int) -> Iterator[tuple[str, str, float]]:
    """Return the class, the text and the size in pixels of each text and each unit.

    Without units that are gone or dislodged: they are smaller if their province has no more room.
    """
    tree = ElementTree.fromstring(drawing)
    sheet = drawing[drawing.find("<style>") : drawing.find("</style>")]
    classes = {one: size for names, size in _SIZE.findall(sheet) for one in _CLASS.findall(names)}
    across = float(tree.attrib["viewBox"].split()[2])

    def walk(element: ElementTree.Element, scale: float, size: str) -> Iterator[tuple[str, str, float]]:
        found = _SCALE.search(element.get("transform", ""))
        scale *= float(found[1]) if found else 1.0
        name = element.get("class", "")
        of_class = next((classes[one] for one in name.split() if one in classes), size)
        size = element.get("font-size") or of_class
        if name.strip() in ("unit gone", "unit beaten"):
            return
        if name.strip() in ("unit", "unit new"):
            yield "counter", "", COUNTER * scale
        if element.tag.endswith(("}text", "}tspan")) and (element.text or "").strip():
            yield name, element.text or "", float(size) * scale
        for child in element:
            yield from walk(child, scale, size)

    yield from walk(tree, width_px / across, "0")


@pytest.mark.parametrize("kind", FRONTED)
def test_on_a_phone_nothing_of_a_front_is_below_11_pixels(fronts, kind):
    """Names, abbreviations, numbers, letters of units and centres; and counters themselves."""
    assert len(fronts[kind]) == {"plains-indian-wars": 1, "boer-war": 2}.get(kind, len(fronts[kind]))
    assert kind not in KINDS or len(fronts[kind]) >= 6
    for drawing in fronts[kind]:
        sizes = list(measure_drawing(drawing, PHONE_PX))
        assert len(sizes) > 15
        assert [one for one in sizes if one[2] < 11] == []


@pytest.mark.parametrize("kind", FRONTED)
def test_a_front_is_covered_to_its_edges(fronts, kind):
    """Areas without a drawing would be black."""
    for drawing in fronts[kind][:8]:
        bare = re.sub(r"<text.*?</text>", "", drawing)
        raw = resvg_py.svg_to_bytes(svg_string=bare, width=100, skip_system_fonts=True)
        with Image.open(BytesIO(bytes(raw))) as picture:
            assert picture.convert("RGBA").getchannel("A").getextrema() == (255, 255)


@pytest.mark.parametrize("kind", ["plains-indian-wars", "boer-war"])
def test_a_front_looks_alike_after_the_whole_board(turns, fronts, kind, monkeypatch):
    """Its picture shows land or water wherever its drawing does. Paper isn't as white."""
    monkeypatch.setattr(maps, "_written", {})
    maps._closer_boards.clear()
    whole(turns[kind])
    again = list(draw_fronts(turns[kind]))
    assert again == fronts[kind]
    for drawing in again[:2]:
        with Image.open(BytesIO(png(drawing, 300))) as picture:
            white = sum(
                number for number, colour in picture.convert("RGB").getcolors(90_000) if colour == (255,) * 3
            )
            assert white < picture.width * picture.height / 20


@pytest.mark.parametrize("kind", KINDS)
def test_in_mail_nothing_that_matters_is_below_9_pixels_on_the_whole_board(turns, kind):
    """Units, names and abbreviations, and the letters of 34 powers, whose colours do not tell them apart.

    Not the numbers of provinces, which are fine print there and large on the front; nor single letters on
    counters and centres, which say again what their colour says.
    """
    sizes = list(measure_drawing(whole(turns[kind]), MAIL_PX))
    names = [size for name, _, size in sizes if name in ("name", "water", "shore")]
    assert len(names) > 70
    assert min(names) >= 9
    assert min(size for name, _, size in sizes if name == "counter") >= 9
    many = [size for name, text, size in sizes if not name and len(text) == 3]
    assert (len(many) > 20) is (kind == "chaos")
    assert min(many, default=9) >= 9


@pytest.mark.parametrize("kind", OTHERS)
def test_in_mail_nothing_at_all_is_below_9_pixels_on_the_boards_of_the_other_games(turns, kind):
    sizes = list(measure_drawing(whole(turns[kind]), MAIL_PX))
    assert len(sizes) > 20
    assert [one for one in sizes if one[2] < 9] == []


@pytest.mark.parametrize(
    ("kind", "zooms"), [("plains-indian-wars", plains.FRONT_ZOOMS), ("boer-war", boer_war.CLOSE_UP_ZOOMS)]
)
def test_a_front_of_a_war_shows_what_happened_and_no_name_that_is_cut(fronts, kind, zooms):
    for drawing in fronts[kind]:
        left, top, wide, high = map(float, re.findall(r'viewBox="([^"]*)"', drawing)[0].split())
        assert round(1200 / wide, 2) in zooms
        assert min(left, top) >= 0
        assert left + wide <= 1200.1
        assert 0.6 * wide <= high <= 1.3 * wide + 0.1
        assert "data-box" in drawing


@pytest.mark.parametrize("kind", KINDS)
def test_a_front_is_drawn_two_to_three_times_as_large(fronts, kind):
    """A part of the board, of a shape that fits a phone, and nothing beyond its edge."""
    for drawing in fronts[kind]:
        left, top, wide, high = map(float, re.findall(r'viewBox="([^"]*)"', drawing)[0].split())
        assert round(1600 / wide, 2) in ZOOMS
        assert min(left, top) >= 0
        assert left + wide <= 1600.1
        assert 0.6 * wide <= high <= wide + 0.1
