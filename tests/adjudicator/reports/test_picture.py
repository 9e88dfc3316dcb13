"""The map as a picture: small, lettered, escaped, and readable by the colour-blind."""

import math
import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree

import pytest
from PIL import Image

import games
from adjudicator.reports.picture import png, svg
from games.dice import SealedDice
from tests.kit.rounds import rounds

GAME = games.kinds()["indianomacy"]
BOARD = GAME.rules.board
OPENING = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state

# Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
}


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """A colour in CIE Lab as an eye of that sort sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    r, g, b = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, linear, strict=True))))
        for row in SIGHT[sight]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.fixture(scope="module")
def opening() -> tuple[str, Image.Image, int]:
    """The map of the opening: SVG, picture, size of the PNG in bytes."""
    drawing = svg(GAME, OPENING, ())
    assert drawing is not None
    data = png(drawing)
    return drawing, Image.open(BytesIO(data)).convert("RGB"), len(data)


@pytest.mark.parametrize(("sight", "least"), [("normal", 25), ("protanopia", 15), ("deuteranopia", 15)])
def test_any_two_nations_are_told_apart(sight, least):
    colours = {power.id: power.colour for power in BOARD.powers.values()}
    for (one, a), (two, b) in combinations(colours.items(), 2):
        assert math.dist(seen(a, sight), seen(b, sight)) >= least, f"{one} and {two}"


@pytest.mark.parametrize("sight", SIGHT)
def test_owned_land_is_told_from_nobody_s_and_from_water(sight):
    for power in BOARD.powers.values():
        for ground, least in (("#f6efdf", 13), ("#b4d0dc", 10)):
            assert math.dist(seen(power.colour, sight), seen(ground, sight)) >= least, (power.id, ground)


def test_the_map_is_small_enough_for_the_mail(opening):
    _, picture, size_bytes = opening
    assert picture.size == (1200, 1121) or picture.size == (1200, 1122)
    assert size_bytes < 200_000


def test_busy_turns_are_small_enough_too():
    *_, fall, winter = rounds(GAME, b"busy", years=3)
    assert len(fall.events) > len(winter.events) > 0
    for one in (fall, winter):
        assert len(png(svg(GAME, one.after, one.events))) < 200_000


def test_the_drawing_is_well_formed_and_names_every_province(opening):
    tree = ElementTree.fromstring(opening[0])
    ids = {element.get("id") for element in tree.iter("{http://www.w3.org/2000/svg}path")}
    assert {f"p{place}" for place in BOARD.places} <= ids
    text = " ".join("".join(element.itertext()) for element in tree.iter("{http://www.w3.org/2000/svg}text"))
    for place in BOARD.places.values():
        words = re.split(r"[ -]", place.name)
        assert place.abbr in text or all(word in text for word in words), place.name


def test_letters_are_drawn_with_the_fonts_we_ship(opening):
    """Without fonts a renderer draws no label and says nothing; so count dark pixels where a name stands."""
    name = next(name for name in svg_names(opening[0]) if name[2] == "Naskapi")
    x, y = (round(float(value) * 1200 / 1600) for value in name[:2])
    area = opening[1].convert("L").crop((x - 30, y - 14, x + 30, y + 3))
    dark = sum(area.histogram()[:110])
    assert dark > 60


def svg_names(drawing: str) -> list[tuple[str, str, str]]:
    """x, y and text of every name on the map."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*class="name">(.*?)</text>', drawing)
    return [(x, y, re.sub(r"<tspan.*?</tspan>", "", text)) for x, y, text in found]


def test_the_colours_of_small_areas_survive(opening):
    """Every nation's colour stands in the picture, however little land it has."""
    colours = {colour for _, colour in opening[1].getcolors(1 << 20)}
    for power in BOARD.powers.values():
        wanted = tuple(int(power.colour[at : at + 2], 16) for at in (1, 3, 5))
        nearest = min(max(abs(a - b) for a, b in zip(wanted, colour, strict=True)) for colour in colours)
        assert nearest <= 2, power.id


def test_a_caption_is_escaped_and_the_turn_is_named_without_one(opening):
    assert "Spring, year 1, moves" in opening[0]
    drawing = svg(GAME, OPENING, (), "beaver & <friends>")
    assert "beaver &amp; &lt;friends&gt;" in drawing
    ElementTree.fromstring(drawing)


def test_the_same_turn_gives_the_same_picture(opening):
    assert png(svg(GAME, OPENING, ())) == png(opening[0])


def test_a_narrow_picture_keeps_its_proportions(opening):
    with Image.open(BytesIO(png(opening[0], width_px=600))) as picture:
        assert picture.size[0] == 600
        assert picture.size[1] in (560, 561)


def test_a_game_without_a_picture_has_none():
    class Silent:
        def scene(self, view, events):
            return None

    assert svg(replace(GAME, telling=Silent()), OPENING, ()) is None
