"""Heads of arrows and pins of centres on maps, measured in pixels: what is drawn over them hides little."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from PIL import ImageChops, ImageStat

import games
from games.diplomacy.map.line_routing import Courses
from tests.games.diplomacy.test_map_names import board_of, ink_of, maps_of
from tests.kit.bot_games import rounds

pytestmark = pytest.mark.long

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_HEAD = re.compile(
    r'<g data-box="[-\d ]+" transform="translate\(([-\d.]+) ([-\d.]+)\)">'
    r'(?:<title>[^<]*</title>)?\s*<path transform="rotate\([^"]*" (?:d="(?:M3|M4|M2)).*?</g>'
)
_PIN = re.compile(
    r'<g data-box="[-\d ]+" transform="translate\(([-\d.]+) ([-\d.]+)\)">\s*'
    r'<g transform="translate\(0 0\) scale\([\d.]+\)"><circle r="8.6"[^>]*/><circle r="6.8"[^>]*/></g></g>'
)

_CROSS = re.compile(r'<g data-box="-16 -16 16 16".*?</g></g>')


def covered_shares(kind: str, drawing: str, mark: re.Pattern[str], half: int) -> Iterator[float]:
    """Yield the share of each mark that is covered. half: half the width to look at, in board units."""
    style = _STYLE.search(drawing)
    assert style
    width, height = board_of(kind).chart.size
    for found in mark.finditer(drawing):
        x, y = float(found[1]), float(found[2])
        if not (half < x < width - half and half < y < height - half):
            continue
        box = (x - half, y - half, x + half, y + half)
        end = drawing.index("<!--end-->", found.end())
        own, over = ink_of(found[0], box), ink_of(style[0] + drawing[found.end() : end], box)
        yield ImageStat.Stat(ImageChops.multiply(own, over)).sum[0] / ImageStat.Stat(own).sum[0]


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_the_heads_of_arrows_are_drawn_over_names_and_little_covers_them(kind: str) -> None:
    """Names and marks of centres hid heads of moves before, so that nobody saw where a move went."""
    seen = list[float]()
    for drawing in maps_of(kind):
        names = drawing.index("<!--sheet names-->")
        assert not _HEAD.search(drawing, 0, names)
        seen += covered_shares(kind, drawing, _HEAD, 14)
    assert len(seen) > 30
    assert sum(share > 0.5 for share in seen) <= 0.06 * len(seen), sorted(seen)[-8:]


def test_most_pins_of_chaos_stand_in_their_own_land() -> None:
    """On the first two maps of a game, where each of 34 centres has its own unit."""
    game = games.kinds()["chaos"]
    board, inside, pins = game.rules.board, 0, 0
    for one in islice(rounds(game, b"hidden", bot="beginner"), 7):
        for centre in game.telling.scene(game.rules.view(one.after, None), ())["centres"]:
            if centre["pin"]:
                pins += 1
                inside += Courses.of(board).contains(centre["id"], (centre["x"], centre["y"]))
    assert pins > 100
    assert inside >= 0.9 * pins, (inside, pins)


def test_the_pins_of_chaos_are_whole() -> None:
    """A centre with a unit has a pin at the unit's corner, and no unit cuts a sliver from it."""
    drawings = [_CROSS.sub("", drawing) for drawing in maps_of("chaos")]
    seen = [share for drawing in drawings for share in covered_shares("chaos", drawing, _PIN, 10)]
    assert len(seen) > 30
    assert max(seen) == 0
