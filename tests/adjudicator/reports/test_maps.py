"""Maps combined from layers equal the whole drawing, whether layers are in memory or on disk."""

import re
from io import BytesIO

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

import games
from adjudicator import compile_cache
from adjudicator.reports import compositor
from adjudicator.reports.compositor import Layer, LayerCache
from adjudicator.reports.maps import CLOSE_UP_PX, MAP_PX, front, svg
from games.dice import SealedDice
from games.protocol import Seat
from tests.kit.bot_games import Round, rounds
from tests.kit.pictures import png_afresh as png

GAME = games.kinds()["standard"]


@pytest.fixture(scope="module")
def turns() -> list[Round]:
    return list(rounds(GAME, b"gallery", years=1903))


def drawing(one: Round) -> str:
    found = svg(GAME, one.after, one.events)
    assert found is not None
    return found


def close_up(one: Round, seat: str) -> str:
    found = front(GAME, one.after, Seat(seat), one.events)
    assert found is not None
    return found


def forget() -> None:
    compositor._layers.clear()
    compositor._passing_layers.clear()


@pytest.fixture
def drawn(monkeypatch) -> list[tuple[int, int]]:
    """The sizes of what is drawn and not kept already."""
    sizes = []
    render, draw = compositor._render_window, compositor._draw_strokes

    def rendered(look, inside, first, size):
        sizes.append(size)
        return render(look, inside, first, size)

    def drawn_here(inside, scale, first, size):
        layers = draw(inside, scale, first, size)
        sizes.extend([] if layers is None else [size])
        return layers

    monkeypatch.setattr(compositor, "_render_window", rendered)
    monkeypatch.setattr(compositor, "_draw_strokes", drawn_here)
    return sizes


def test_the_same_turn_gives_the_same_bytes_whatever_was_drawn_before(turns):
    forget()
    last = drawing(turns[-1])
    fresh = png(last)
    forget()
    for one in turns[-3:-1]:
        png(drawing(one))
    # To show where bytes differ would take pytest minutes.
    is_same = png(last) == fresh
    assert is_same


@pytest.mark.parametrize("is_close", [False, True])
def test_what_is_laid_together_looks_like_the_whole_drawing(turns, is_close):
    text = close_up(turns[3], "Austria") if is_close else drawing(turns[3])
    whole = resvg_py.svg_to_bytes(
        svg_string=text, width=1200, font_files=list(compositor.fonts()), skip_system_fonts=True
    )
    laid = compositor.compose_picture(text, 1200)
    with Image.open(BytesIO(bytes(whole))) as picture:
        apart = ImageChops.difference(picture.convert("RGB"), laid).convert("L")
    # The corner of a close-up lies between two pixels.
    assert ImageStat.Stat(apart).mean[0] < (2.5 if is_close else 1.5), "half a pixel here and there"
    assert sum(apart.histogram()[200:]) < 500, "nothing is missing, and nothing stands elsewhere"


def test_a_further_turn_draws_no_sheet_and_only_what_is_new(turns, drawn):
    """Counted, since the time depends on the machine: of some 200 pieces, those of what was ordered."""
    forget()
    for one in turns[-4:-1]:
        png(drawing(one))
    drawn.clear()
    text = drawing(turns[-1])
    png(text)
    assert 1 <= len(drawn) < 60 < text.count("data-box") < 400
    assert sum(wide * high for wide, high in drawn) < 1200 * 1080 / 2
    drawn.clear()
    png(text, MAP_PX)
    assert drawn == []


def test_a_close_up_draws_nothing_that_another_of_the_same_scale_has(turns, drawn):
    forget()
    window = re.compile(r' viewBox="[^"]*"')
    texts = {seat: close_up(turns[-1], seat) for seat in ("England", "France", "Germany", "Russia")}
    boards = {seat: compositor._BOARD.search(text)[0] for seat, text in texts.items()}
    alike = [seat for seat in texts if boards[seat] == boards["France"]]
    assert len(alike) > 1
    for seat in alike:
        drawn.clear()
        png(texts[seat], CLOSE_UP_PX)
        assert len(window.findall(texts[seat])) == 1
    assert max(high for _, high in drawn) < 700, "no strip of a sheet"
    assert len(drawn) < texts[alike[-1]].count("data-box") / 2


def test_the_first_picture_of_a_process_takes_from_disk_what_was_drawn_before(
    turns, drawn, tmp_path, monkeypatch
):
    """Only lines of orders are drawn: no ground, land, name or unit."""
    monkeypatch.setattr(compile_cache, "_folders", [])
    compile_cache.enable({"HOME": str(tmp_path)})
    pictures = [(close_up(turns[-1], "France"), CLOSE_UP_PX), (drawing(turns[-1]), 600)]
    forget()
    first = [png(*picture) for picture in pictures]
    forget()
    drawn.clear()
    again = [png(*picture) for picture in pictures]
    assert again == first
    assert 1 <= len(drawn) < 45
    forget()
    drawn.clear()
    (tmp_path / ".cache" / "turnpost" / "layers.sqlite").write_bytes(b"damaged" * 4000)
    compositor._layers.table._owner = None
    assert [png(*picture) for picture in pictures] == first
    assert len(drawn) > 200, "what is damaged is drawn again"


def test_no_more_is_kept_than_there_is_room_for():
    forget()
    kept = LayerCache(9000, 9000, compile_cache.CachedTable("none.sqlite", 1))
    layers = (Layer((0, 0), (30, 30), Image.new("RGBA", (30, 30))),)
    for name in "abc":
        kept.put(name, layers)
    assert list(kept.kept) == ["b", "c"]
    assert kept.get("a") is None
    assert 2 * 30 * 30 * 4 < kept.filled <= 9000
    kept.get("b")
    kept.put("d", layers)
    assert list(kept.kept) == ["b", "d"], "what was asked for last is kept"


def test_a_drawing_says_what_is_kept_of_it():
    state = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state
    text = svg(GAME, state, ())
    assert text is not None
    assert text.count("<!--sheet ") == 4
    assert text.count("<!--end-->") == 4 + text.count("<!--pieces-->")


BARE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">
<!--sheet ground-->
<rect width="40" height="20" fill="#336699"/>
<!--end-->
<!--pieces-->
{pieces}<!--end-->
</svg>"""


@pytest.mark.parametrize("pieces", ["", "\n", "  \n\n"])
def test_a_board_on_which_nothing_stands_is_laid_together_too(pieces):
    picture = compositor.compose_picture(BARE.format(pieces=pieces), 40)
    assert picture.getcolors() == [(40 * 20, (0x33, 0x66, 0x99))]


@pytest.mark.parametrize("seat", ["England", "Turkey"])
def test_a_close_up_has_no_name_that_its_edge_cuts_off(turns, seat):
    text = close_up(turns[-1], seat)
    left, top, wide, high = map(float, re.search(r'viewBox="([^"]*)"', text)[1].split())
    named = re.findall(r'<g data-box="([^"]*)" data-whole="">', text)
    assert 8 < len(named) < 60
    for box in named:
        first, above, last, below = map(float, box.split())
        assert left <= first + 0.1
        assert top <= above + 0.1
        assert last <= left + wide + 0.1
        assert below <= top + high + 0.1


def test_a_land_keeps_its_colour_beside_one_that_is_nearly_the_same():
    picture = Image.new("RGB", (40, 20), "#f6efdf")
    colours = [(0xF3, 0xEC, 0xE0), (0xF6, 0xEF, 0xDF)]
    assert compositor.map_to_palette(picture, colours).convert("RGB").getcolors() == [(800, colours[1])]


LINE = 'stroke="#203040" stroke-width="{width}" stroke-linecap="{cap}" stroke-linejoin="round"'
STROKES = {
    "a move": f'<path d="M5 9l22 4.5 8-11" {LINE.format(width=3.5, cap="round")} fill="none"/>',
    "a retreat": f'<path d="M5 4l33 12" {LINE.format(width=2, cap="butt")} stroke-dasharray="5 3" '
    'fill="none"/>',
    "a convoy": f'<path d="M6 4l30 12" {LINE.format(width=3, cap="round")} stroke-dasharray="0.1 5" '
    'fill="none"/>',
    "a dot": '<circle cx="20" cy="10" r="6.2" fill="#203040" stroke="#fffdf6" stroke-width="1.6"/>',
    "a ring": '<circle cx="20" cy="10" r="7" fill="none" stroke="#203040" stroke-width="2.6"/>',
    "a head": '<path transform="rotate(-28.1) scale(1.2)" d="M24 10L9 2.2L12.5 10L9 17.8Z" fill="#203040" '
    'stroke="#fffdf6" stroke-width="1.6" paint-order="stroke" stroke-linejoin="round"/>',
    "an open head": '<path transform="rotate(12) scale(1)" d="M23 7L11 .6L14 7L11 13.4Z" fill="#fffdf6" '
    'stroke="#203040" stroke-width="1.8" stroke-linejoin="round"/>',
    "a bar": '<path d="M8 12H31V5" stroke="#203040" stroke-width="4" stroke-linecap="round" '
    'stroke-linejoin="round" fill="none"/>',
}
SVG_OF_STROKES = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="120" height="60">{}</svg>'
)


@pytest.mark.parametrize("name", STROKES)
def test_what_is_drawn_here_looks_as_resvg_draws_it(name):
    layers = compositor._draw_strokes(STROKES[name], 3.0, (0, 0), (120, 60))
    assert layers
    picture = Image.new("RGB", (120, 60), "#b4d0dc")
    for layer in layers:
        layer.paste_on(picture, (0, 0))
    whole = compositor.render_svg(SVG_OF_STROKES.format(STROKES[name]))
    expected = Image.new("RGB", (120, 60), "#b4d0dc")
    expected.paste(whole, (0, 0), whole)
    apart = ImageChops.difference(picture, expected).convert("L")
    assert ImageStat.Stat(apart).mean[0] < 1.2
    assert apart.getextrema()[1] < 100, "no pixel is wrong by more than a shade of an edge"


@pytest.mark.parametrize(
    "inside",
    [
        '<path d="M0 0C1 2 3 4 5 6" stroke="#203040" fill="none"/>',
        '<path d="M0 0L9 9L0 9" stroke="#203040"/>',
        '<path d="M0 0L9 9" stroke="#203040" stroke-opacity="0.5" fill="none"/>',
        '<path d="M0 0L9 9" stroke="red" fill="none"/>',
        '<path transform="skewX(5)" d="M0 0L9 9" stroke="#203040" fill="none"/>',
        '<g><path d="M0 0L9 9" stroke="#203040" fill="none"/></g>',
        '<text x="3" y="4">A</text>',
    ],
)
def test_resvg_draws_what_has_more_than_straight_lines_and_circles(inside):
    assert compositor._draw_strokes(inside, 1.0, (0, 0), (20, 20)) is None
