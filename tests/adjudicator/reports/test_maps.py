"""Maps combined from layers equal the whole drawing, with any state of the cache."""

from io import BytesIO

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

import games
from adjudicator.reports import maps
from adjudicator.reports.maps import svg
from games.dice import SealedDice
from tests.kit.pictures import png_afresh as png
from tests.kit.rounds import Round, rounds

GAME = games.kinds()["standard"]


@pytest.fixture(scope="module")
def turns() -> list[Round]:
    return list(rounds(GAME, b"gallery", years=1903))


def drawing(one: Round) -> str:
    found = svg(GAME, one.after, one.events)
    assert found is not None
    return found


def forget() -> None:
    for kept in (maps._sheets, maps._pieces):
        kept.pictures.clear()
        kept.filled = 0


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


def test_what_is_laid_together_looks_like_the_whole_drawing(turns):
    text = drawing(turns[3])
    whole = resvg_py.svg_to_bytes(
        svg_string=text, width=1200, font_files=list(maps.fonts()), skip_system_fonts=True
    )
    laid = maps.compose_picture(text, 1200)
    with Image.open(BytesIO(bytes(whole))) as picture:
        apart = ImageChops.difference(picture.convert("RGB"), laid).convert("L")
    assert ImageStat.Stat(apart).mean[0] < 1.5, "half a pixel here and there"
    assert sum(apart.histogram()[200:]) < 400, "nothing is missing, and nothing stands elsewhere"


def test_a_further_turn_draws_no_sheet_and_only_what_is_new(turns, monkeypatch):
    """Counted, since the time depends on the machine: of some 200 pieces, those of what was ordered."""
    forget()
    for one in turns[-4:-1]:
        png(drawing(one))
    sizes = []
    drawn = maps._Compositor._render_window

    def counted(self, inside, first, size):
        sizes.append(size)
        return drawn(self, inside, first, size)

    monkeypatch.setattr(maps._Compositor, "_render_window", counted)
    text = drawing(turns[-1])
    png(text)
    assert 1 <= len(sizes) < 60 < text.count("data-box") < 400
    assert sum(wide * high for wide, high in sizes) < 1200 * 1080 / 2
    sizes.clear()
    png(text, 1200)
    assert sizes == []


def test_no_more_is_kept_than_there_is_room_for():
    forget()
    kept = maps._DrawnCache(pixels=100)
    for name in "abc":
        kept.put(name, (((0, 0), Image.new("RGBA", (6, 7))),))
    assert list(kept.pictures) == ["b", "c"]
    assert kept.get("a") is None
    assert kept.filled == 84
    kept.get("b")
    kept.put("d", (((0, 0), Image.new("RGBA", (6, 7))),))
    assert list(kept.pictures) == ["b", "d"], "what was asked for last is kept"


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
    picture = maps.compose_picture(BARE.format(pieces=pieces), 40)
    assert picture.getcolors() == [(40 * 20, (0x33, 0x66, 0x99))]
