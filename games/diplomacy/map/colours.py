"""The colours of a map: each power's land and ink, and which pattern its land has."""

from functools import cache

from games.diplomacy.boards.board import Power
from games.diplomacy.map.patterns import HATCHES

PARCHMENT = "#f6efdf"
GROUND_COLOURS = {"land": PARCHMENT, "sea": "#b4d0dc"}
"""What nobody holds, by kind."""
RIVER_COLOUR, RANGE_COLOUR = "#7fabc0", "#b09f86"
"""Rivers, and the peaks of ranges."""
CLOSED = {"land": "#dcd6c8", "hatch": "#b3aa9b", "peaks": "#6f665a"}
"""Land amid the board that nobody enters."""


def ink(power: Power) -> str:
    """The dark shade in which a power's counters and lines are drawn, with white letters."""
    return power.ink or deep(power.colour)


def hatch(power: Power, number: int) -> int:
    """The number of the pattern of a power's land, from 1. number: of the power among its like, from 0."""
    return power.hatch or number % len(HATCHES) + 1


@cache
def deep(colour: str) -> str:
    """The shade of a nation's colour on which white letters stand out, at a contrast of 5 to 1."""
    shades = (mix_colours(colour, "#17100c", share / 20) for share in range(20))
    return next(shade for shade in shades if luminance(shade) <= 0.16)


def luminance(colour: str) -> float:
    """Return how bright a colour is, from 0 for black to 1 for white (the sRGB formula)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@cache
def pale(colour: str) -> str:
    """The light shade of a nation's colour, for land that is no supply centre."""
    return mix_colours(colour, PARCHMENT, 0.58)


def mix_colours(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another in it."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(first + share * (second - first)):02x}" for first, second in pairs)
