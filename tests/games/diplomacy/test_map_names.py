"""Names on maps, measured in pixels: none is cut off by its sheet's edge, and few are hidden by pieces."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import combinations, islice

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

import games
from adjudicator.reports.compositor import fonts
from adjudicator.reports.maps import svg
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.folders import VariantFolders
from games.diplomacy.boards.variants import read_variant
from games.diplomacy.map.labels import Box, province_labels, province_number, shared_area, text_width
from games.diplomacy.map.legend import map_legend
from games.diplomacy.map.line_routing import Courses
from games.diplomacy.map.scene import ZOOMS
from games.diplomacy.model import Province
from tests.kit.bot_games import rounds
from tests.kit.variant_folders import example_files

pytestmark = pytest.mark.long

KINDS = ("standard", "fleet-rome", "indianomacy", "chaos")
TURNS = 7
"""The turns of a game whose maps are measured."""
HIDDEN, MOST_HIDDEN = 0.15, 2
"""A name of which more is covered is hidden. At most two names of a map are."""
BEYOND = 300
"""What is looked at beyond the edge of a sheet, in board units."""
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_SEAM = re.compile(r"paint-order: stroke; stroke: #\w+; stroke-opacity: [\d.]+; stroke-width: [\d.]+;")


def board_of(kind: str) -> Board:
    return games.kinds()[kind].rules.board


def ink_of(markup: str, box: Box) -> Image.Image:
    """Return the drawing in a window, one pixel per unit: how much of each pixel is covered."""
    left, top, right, low = box
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {right - left} {low - top}"'
        f' font-family="DejaVu Sans">{markup}</svg>'
    )
    raw = resvg_py.svg_to_bytes(
        svg_string=drawing, width=round(right - left), font_files=list(fonts()), skip_system_fonts=True
    )
    with Image.open(BytesIO(bytes(raw))) as picture:
        return picture.convert("RGBA").getchannel("A")


@cache
def maps_of(kind: str) -> tuple[str, ...]:
    game = games.kinds()[kind]
    drawn = (
        svg(game, game.rules.view(one.after, None), tuple(event for event in one.events if not event.seen_by))
        for one in islice(rounds(game, b"hidden", bot="beginner"), TURNS)
    )
    return tuple(drawing for drawing in drawn if drawing is not None)


def names_and_what_covers_them(drawing: str) -> tuple[str, str]:
    """The names of a drawing without their light seam, and everything that is drawn over them."""
    style = _STYLE.search(drawing)
    assert style
    start = drawing.index("<!--sheet names-->")
    end = drawing.index("<!--end-->", start)
    assert _SEAM.search(style[0])
    return _SEAM.sub("", style[0]) + drawing[start:end], style[0] + drawing[end : drawing.rindex("</svg>")]


def hidden_shares(board: Board, drawing: str) -> Iterator[tuple[Province, float]]:
    """Yield the covered share of each province's name. A name that isn't printed at all is hidden."""
    width, height = board.chart.size
    names, over = (ink_of(part, (0, 0, width, height)) for part in names_and_what_covers_them(drawing))
    both = ImageChops.multiply(names, over)
    for place, label in province_labels(board).items():
        ink = covered = 0.0
        for left, top, right, low in label.boxes:
            box = max(int(left), 0), max(int(top), 0), min(int(right) + 1, width), min(int(low) + 1, height)
            ink += ImageStat.Stat(names.crop(box)).sum[0]
            covered += ImageStat.Stat(both.crop(box)).sum[0]
        yield place, covered / ink if ink else 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_and_marks_hide_at_most_two_names_of_any_map(kind: str) -> None:
    """Before, up to seven names of standard and Indianomacy were, and ten of Chaos."""
    assert len(maps_of(kind)) == TURNS
    for number, drawing in enumerate(maps_of(kind)):
        shares = dict(hidden_shares(board_of(kind), drawing))
        assert len(shares) == len(board_of(kind).places)
        hidden = {place: round(share, 2) for place, share in shares.items() if share > HIDDEN}
        assert len(hidden) <= MOST_HIDDEN, (number, hidden)


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_is_cut_off_by_the_edge_of_the_sheet(kind: str) -> None:
    (width, height), drawing = board_of(kind).chart.size, maps_of(kind)[0]
    names, _ = names_and_what_covers_them(drawing)
    wide = ink_of(names, (-BEYOND, -BEYOND, width + BEYOND, height + BEYOND))
    on_sheet = wide.crop((BEYOND, BEYOND, BEYOND + width, BEYOND + height))
    assert ImageStat.Stat(on_sheet).sum[0] > 0
    assert ImageStat.Stat(wide).sum[0] == ImageStat.Stat(on_sheet).sum[0]


@pytest.mark.parametrize("zoom", [1.0, *ZOOMS])
@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_the_place_of_each_name_is_on_the_sheet(kind: str, zoom: float) -> None:
    board = board_of(kind) if zoom == 1 else board_of(kind).closer(zoom)
    width, height = board.chart.size
    for place, label in province_labels(board).items():
        for left, top, right, low in label.boxes:
            assert left >= 0, place
            assert top >= 0, place
            assert right <= width, place
            assert low <= height, place


def test_the_numbers_of_indianomacy_stand_beside_names_and_abbreviations() -> None:
    """Never in one word with them, and smaller. A name too long for its province is in the key."""
    board = board_of("indianomacy")
    labels, key = province_labels(board), {row["abbr"]: row for row in map_legend(board).names}
    numbered = 0
    for at, label in labels.items():
        place = board.places[at]
        assert label.lines, place.name
        numbered += label.number == province_number(place)
        assert label.number_size < 0.8 * label.size
        if label.number:
            half = text_width(label.number, label.number_size) / 2
            name = text_width(label.lines[0], label.size, on_water=place.kind == "sea") / 2
            across = abs(label.at[0][0] - label.number_at[0])
            down = abs(label.at[0][1] - label.number_at[1])
            assert across >= half + name or down >= 0.7 * label.number_size or label.turn, place.name
        if label.lines == (place.abbr,):
            assert (key[place.abbr]["name"], key[place.abbr]["number"]) == (place.name, place.id)
        else:
            assert " ".join(label.lines).replace("- ", "-") == place.name
            assert place.abbr not in key
    assert numbered >= 0.9 * len(labels), "a number is only left out where it would hide another name"


def test_a_name_turns_along_a_long_province() -> None:
    """Nowhere steeper than three quarters of a right angle, with a box around each part of it."""
    turned = [
        label for kind in ("standard", "indianomacy") for label in province_labels(board_of(kind)).values()
    ]
    turned = [label for label in turned if label.turn]
    assert len(turned) >= 2
    for label in turned:
        assert abs(label.turn) <= 75
        assert len(set(label.boxes)) >= 2


def covers_land(board: Board, box: Box) -> list[Province]:
    """The provinces that a box covers, looked at in a grid of points."""
    courses, (left, top, right, low) = Courses.of(board), box
    points = [
        (left + across * (right - left) / 12, top + down * (low - top) / 12)
        for across in range(13)
        for down in range(13)
    ]
    return [at for at in board.places if any(courses.contains(at, point) for point in points)]


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_title_and_key_cover_no_province_and_make_the_board_no_smaller(kind: str) -> None:
    board = board_of(kind)
    check_legend(board)
    assert len(map_legend(board).rows) == len(board.powers), "a table of 34 powers is below the board"
    assert f'viewBox="0 0 {board.chart.size[0]} {map_legend(board).height}"' in maps_of(kind)[0]


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_key_and_table_can_be_read_in_an_email(kind: str) -> None:
    """At 600 pixels: signs 9 pixels high, the rows of long tables and the names of long keys 7."""
    legend, px = map_legend(board_of(kind)), 600 / board_of(kind).chart.size[0]
    assert 18.5 * legend.key_scale * px >= 9
    assert 18.5 * legend.table_scale * px >= (7 if kind == "chaos" else 9)
    assert {row["size"] * px >= (6.9 if kind == "indianomacy" else 8) for row in legend.names} == {True}


def test_on_a_sheet_of_600_by_400_they_cover_nothing_either() -> None:
    """The size of the handbook's own example, where they once covered half of the board."""
    board = read_variant("strait", VariantFolders(others={"strait": example_files()})).board
    assert board.chart.size == (600, 400)
    check_legend(board)
    legend, usual = map_legend(board), map_legend(board_of("standard"))
    assert legend.scale == pytest.approx(600 / 1600)
    assert legend.height < 600, "less than half of the height is below the board"
    assert usual.scale == 1


def check_legend(board: Board) -> None:
    legend, (width, height) = map_legend(board), board.chart.size
    x, y = legend.title
    title = x, y - 40 * legend.scale, x + 330 * legend.scale, y + 36 * legend.scale
    assert legend.table is not None
    for box in (legend.table, legend.signs, title):
        assert covers_land(board, box) == []
        assert 0 <= box[0] < box[2] <= width
        assert 0 <= box[1] < box[3] <= legend.height
    assert all(height < row["y"] < legend.height for row in legend.names)


def test_no_two_rows_of_the_key_overlap() -> None:
    for kind in KINDS:
        boxes = []
        for row in map_legend(board_of(kind)).names:
            right = row["x"][2] + text_width(row["name"], row["size"])
            boxes.append((row["x"][0], row["y"] - 0.75 * row["size"], right, row["y"] + 0.2 * row["size"]))
        assert all(box[2] <= board_of(kind).chart.size[0] for box in boxes)
        assert not any(shared_area(one, two) for one, two in combinations(boxes, 2))


@pytest.mark.parametrize("kind", KINDS)
def test_the_key_names_what_this_map_has_and_nothing_else(kind: str) -> None:
    """A map without orders explains no arrows."""
    game = games.kinds()[kind]
    first = next(rounds(game, b"hidden", bot="beginner"))
    opening = game.telling.scene(game.rules.view(first.before, None), ())
    played = game.telling.scene(game.rules.view(first.after, None), first.events)
    arrows = {"move", "failed", "support", "guard", "hold", "convoy", "retreat", "way"}
    signs = [sign["sign"] for sign in opening["signs"]]
    assert signs[: len(game.rules.board.kinds)] == ["unit"] * len(game.rules.board.kinds)
    assert arrows.isdisjoint(signs)
    assert ("neutral" in signs) is bool(game.rules.board.neutral)
    drawn: Mapping[str, set[str]] = {
        "move": {line["kind"] for line in played["strokes"] if not line["failed"]},
        "support": {line["kind"] for line in played["strokes"]},
    }
    shown = {sign["sign"] for sign in played["signs"]}
    assert ("pin" in shown) is (kind == "chaos"), "there a unit covers its centre, but for a pin"
    assert ("move" in shown) is ("move" in drawn["move"])
    assert ("support" in shown) is ("support" in drawn["support"])
    assert ("guard" in shown) is ("guard" in drawn["support"])
    assert ("hold" in shown) is bool(played["holds"])
