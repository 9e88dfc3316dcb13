"""The map as a picture: small, with text, escaped, and in its own colours."""

import re
from dataclasses import replace
from io import BytesIO
from math import ceil
from xml.etree import ElementTree

import pytest
from PIL import Image

import games
from adjudicator.reports.maps import LETTER_PX, MAP_PX, MAX_PNG_BYTES, svg
from games.dice import SealedDice
from tests.kit.bot_games import rounds
from tests.kit.pictures import png_afresh as png

GAME = games.kinds()["indianomacy"]
BOARD = GAME.rules.board
OPENING = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state


@pytest.fixture(scope="module")
def opening() -> tuple[str, Image.Image, int]:
    """The map of the opening: SVG, picture, size of the PNG in bytes."""
    drawing = svg(GAME, OPENING, ())
    assert drawing is not None
    data = png(drawing)
    return drawing, Image.open(BytesIO(data)).convert("RGB"), len(data)


def test_the_map_is_small_enough_for_the_mail(opening):
    drawing, picture, size_bytes = opening
    _, _, width, height = map(float, ElementTree.fromstring(drawing).attrib["viewBox"].split())
    assert picture.size == (MAP_PX, ceil(MAP_PX * height / width))
    assert size_bytes <= MAX_PNG_BYTES
    assert len(png(drawing, LETTER_PX)) < 130_000


def test_busy_turns_are_small_enough_too():
    *_, fall, winter = rounds(GAME, b"busy", years=3)
    assert len(fall.events) > len(winter.events) > 0
    for one in (fall, winter):
        drawing = svg(GAME, one.after, one.events)
        assert drawing is not None
        assert len(png(drawing)) <= MAX_PNG_BYTES
        assert len(png(drawing, LETTER_PX)) < 130_000


def test_a_large_picture_loses_shades_but_no_colour_of_a_nation(opening):
    """180 KB at most: the land, the pale land and the ink of each nation stay themselves."""
    assert MAX_PNG_BYTES == 180_000
    _, picture, size_bytes = opening
    assert size_bytes <= MAX_PNG_BYTES
    colours = {colour for _, colour in picture.getcolors(picture.width * picture.height)}
    for power in BOARD.powers.values():
        red, green, blue = bytes.fromhex(power.colour[1:])
        assert any(
            max(abs(a - b) for a, b in zip(colour, (red, green, blue), strict=True)) <= 3
            for colour in colours
        )
    assert len(colours) >= 30


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
    x, y = (round(float(value) * MAP_PX / 1600) for value in name[:2])
    area = opening[1].convert("L").crop((x - 30, y - 14, x + 30, y + 3))
    dark = sum(area.histogram()[:110])
    assert dark > 60


def svg_names(drawing: str) -> list[tuple[str, str, str]]:
    """x, y and text of every name on the map."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*class="name">(.*?)</text>', drawing)
    return [(x, y, re.sub(r"<tspan.*?</tspan>", "", text)) for x, y, text in found]


def test_the_colours_of_small_areas_survive(opening):
    """Every nation's colour is in the picture, however little land it has."""
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
        _, _, width, height = map(float, ElementTree.fromstring(opening[0]).attrib["viewBox"].split())
        assert picture.size[1] == ceil(600 * height / width)


def test_a_game_without_a_picture_has_none():
    class Silent:
        def scene(self, view, events):
            return None

    assert svg(replace(GAME, telling=Silent()), OPENING, ()) is None


def test_counters_of_34_powers_bear_their_letters():
    """Three letters in a font of their own: without it a renderer draws none and says nothing."""
    game = games.kinds()["chaos"]
    one = next(iter(rounds(game, b"letters", years=1900)))
    scene = game.telling.scene(one.after, one.events)
    with Image.open(BytesIO(png(svg(game, one.after, one.events)))) as drawn:
        picture = drawn.convert("L")
    for token in scene["units"]:
        x, y = (round(token[axis] * MAP_PX / 1600) for axis in "xy")
        light = sum(picture.crop((x - 14, y - 12, x + 14, y + 8)).histogram()[200:])
        assert light > 60, token["power"]


def test_a_pointer_on_a_province_or_a_unit_is_told_its_name(opening):
    """Without our fonts the drawing uses the reader's own."""
    titles = re.findall(r"<title>(.*?)</title>", opening[0])
    assert {place.name for place in BOARD.places.values()} <= set(titles)
    assert "War Party of Iroquois, Mohawk" in titles
    families = re.findall(r'font-family(?:="|: )([^;]*?)(?:;|"[ >])', opening[0])
    assert len(families) >= 3
    assert all(family.endswith("serif") for family in families), families
