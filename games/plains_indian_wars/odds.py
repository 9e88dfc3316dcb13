"""What an engagement comes to on average: who holds the region, and how many are left."""

from collections.abc import Mapping
from functools import cache
from itertools import product

from games.plains_indian_wars.components import Materials
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.model import Face
from games.record import Value


class Outlook(Value, frozen=True):
    """The chances of a fight. held: that the U.S. has the region afterwards; gone: that no tribe cube is.

    ours, theirs: cubes expected to be left, wherever they are then.
    """

    held: float
    gone: float
    ours: float
    theirs: float


Sides = tuple[tuple[Face, ...], tuple[Face, ...], tuple[Face, ...]]
"""The faces of Blue's die, of Brown's and of Green's."""


def sides(box: Materials) -> Sides:
    """The faces that are reckoned with."""
    return box.faces["Blue"], box.faces["Brown"], box.faces["Green"]


@cache
def outlook(faces: Sides, blue: int, others: int, tribe: int, treaties: bool) -> Outlook:
    """What comes of so many Blue cubes and so many settlers or enemies against so many of a tribe.

    Settlers and enemies throw the same hits; ambushes and withdrawals are left out of account.
    """
    ours = blue + others
    if not tribe:
        return Outlook(float(ours > 0), 1.0, ours, 0)
    if not ours:
        return Outlook(0.0, 0.0, 0, tribe)
    held = gone = left = remaining = 0.0
    again = 0.0
    for (hits, treaty), chance in _throws(faces, dice_for(blue), dice_for(others)).items():
        for (suffered, sign), other in _thrown(faces[2], dice_for(tribe)).items():
            weight = chance * other
            if treaties and treaty and sign:
                held += weight * (ours >= tribe)
                left += weight * ours
                remaining += weight * tribe
            elif not hits and not suffered:
                again += weight
            else:
                after = outlook(faces, *_lost(blue, others, suffered), max(0, tribe - hits), treaties)
                held += weight * after.held
                gone += weight * after.gone
                left += weight * after.ours
                remaining += weight * after.theirs
    once = 1 - again
    return Outlook(held / once, gone / once, left / once, remaining / once)


def _lost(blue: int, others: int, hits: int) -> tuple[int, int]:
    """Casualties fall on the more numerous colour, on Blue last among equals."""
    for _ in range(min(hits, blue + others)):
        blue, others = (blue - 1, others) if blue > others else (blue, others - 1)
    return blue, others


@cache
def _throws(faces: Sides, blue: int, others: int) -> Mapping[tuple[int, bool], float]:
    found: dict[tuple[int, bool], float] = {}
    for (one, chance), (two, other) in product(
        _thrown(faces[0], blue).items(), _thrown(faces[1], others).items()
    ):
        key = (one[0] + two[0], one[1] or two[1])
        found[key] = found.get(key, 0) + chance * other
    return found


@cache
def _thrown(faces: tuple[Face, ...], dice: int) -> Mapping[tuple[int, bool], float]:
    """The chances of so many hits, with a treaty among the faces or without."""
    found: dict[tuple[int, bool], float] = {}
    for thrown in product(faces, repeat=dice):
        key = (thrown.count("hit"), "treaty" in thrown)
        found[key] = found.get(key, 0) + len(faces) ** -dice
    return found
