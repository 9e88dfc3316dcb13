"""The colours of maps, as eyes of every kind see them: powers stay apart from each other and from the ground.

Machado, Oliveira and Fernandes 2009, full severity, on linear RGB; distances by CIEDE2000 (Sharma, 2005).
"""

from functools import cache
from itertools import combinations, product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

import games
from games.diplomacy.board import Power
from games.diplomacy.colours import CLOSED, GROUND, HATCHES, RANGE, RIVER, hatch, ink, luminance, pale
from games.diplomacy.sizes import scale

LEAST = 10.0
BOARDS = ("standard", "fleet-rome", "indianomacy")

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
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

Lab = tuple[float, float, float]


@cache
def seen(colour: str, sight: str) -> Lab:
    """A colour in CIE Lab as an eye of that sort sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    r, g, b = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, linear, strict=True))))
        for row in SIGHT[sight]
    )
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: Lab, two: Lab) -> float:
    """How far two colours are apart, by CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    middle = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(middle**7 / (middle**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    blue = -sin(radians(60 * exp(-(((hue - 275) / 25) ** 2)))) * 2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + blue * (dc / sc) * (dh / sh))


def nearest(one: str, two: str) -> float:
    """How far two colours are apart for the eye that tells them apart worst."""
    return min(apart(seen(one, sight), seen(two, sight)) for sight in SIGHT)


def powers(kind: str) -> tuple[Power, ...]:
    return tuple(games.kinds()[kind].rules.board.powers.values())


@pytest.mark.parametrize(
    ("one", "two", "far"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_that_were_published_with_the_formula(one, two, far):
    assert apart(one, two) == pytest.approx(far, abs=1e-4)


@pytest.mark.parametrize("kind", BOARDS)
def test_counters_and_lines_of_any_two_powers_stay_apart(kind: str) -> None:
    for one, two in combinations(powers(kind), 2):
        assert nearest(ink(one), ink(two)) >= LEAST, (one.id, two.id)


@pytest.mark.parametrize("kind", BOARDS)
def test_counters_and_lines_stay_apart_from_whatever_they_are_drawn_on(kind: str) -> None:
    """Water, nobody's land, rivers and ranges on it, and everybody's land, full and pale."""
    everyone = powers(kind)
    grounds = [*GROUND.values(), RIVER, RANGE, CLOSED["land"], CLOSED["hatch"]]
    grounds += [*(one.colour for one in everyone), *(pale(one.colour) for one in everyone)]
    for power, ground in product(everyone, grounds):
        assert nearest(ink(power), ground) >= LEAST, (power.id, ground)


def test_rivers_and_ranges_are_faint_beside_what_is_printed() -> None:
    """Less than half as far from nobody's land as the lettering is, and still told from it by every eye."""
    paper = GROUND["land"]
    for colour in (RIVER, RANGE):
        assert LEAST <= nearest(colour, paper) <= nearest("#2b2018", paper) / 2


@pytest.mark.parametrize("kind", BOARDS)
def test_lands_stay_apart_from_each_other_and_from_what_nobody_holds(kind: str) -> None:
    everyone = powers(kind)
    for one, two in combinations(everyone, 2):
        assert nearest(one.colour, two.colour) >= LEAST, (one.id, two.id)
    for power, ground in product(everyone, GROUND.values()):
        assert nearest(power.colour, ground) >= LEAST, (power.id, ground)


@pytest.mark.parametrize("kind", [*BOARDS, "chaos"])
def test_white_letters_stand_out_on_every_counter(kind: str) -> None:
    for power in powers(kind):
        assert 1.05 / (luminance(ink(power)) + 0.05) >= 4.5, power.id


@pytest.mark.parametrize("kind", [*BOARDS, "chaos"])
def test_names_can_be_read_on_every_land(kind: str) -> None:
    """The lettering's own colour, without the light seam that it has besides."""
    for power in powers(kind):
        assert (luminance(power.colour) + 0.05) / (luminance("#2b2018") + 0.05) >= 3.0, power.id


def test_what_colours_do_not_tell_apart_among_34_powers_patterns_do():
    """And letters, none twice, of 9 pixels where the map is 600 wide."""
    everyone = powers("chaos")
    patterns = {power.id: hatch(power, number) for number, power in enumerate(everyone)}
    assert len({power.letter for power in everyone}) == len(everyone) == 34
    for one, two in combinations(everyone, 2):
        if patterns[one.id] == patterns[two.id]:
            assert nearest(one.colour, two.colour) >= LEAST, (one.id, two.id)
    game = games.kinds()["chaos"]
    assert 16.2 * scale(game.rules.board) * 600 / game.rules.board.chart.size[0] >= 9


def test_every_land_has_a_pattern():
    for kind in (*BOARDS, "chaos"):
        numbers = [hatch(power, number) for number, power in enumerate(powers(kind))]
        assert set(numbers) <= set(range(1, len(HATCHES) + 1))
        if len(numbers) <= len(HATCHES):
            assert len(set(numbers)) == len(numbers)
