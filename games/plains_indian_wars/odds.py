"""The average result of an engagement: who holds the region, and how many are left."""

from collections.abc import Mapping
from functools import cache
from itertools import product

from games.plains_indian_wars.components import Materials
from games.plains_indian_wars.engagements import dice_for
from games.plains_indian_wars.model import Face
from games.record import Value


class EngagementOdds(Value, frozen=True):
    """The odds of a fight. held: that the U.S. has the region afterwards; gone: that no tribe cube is.

    ours, theirs: cubes expected to be left, in any region.
    """

    held: float
    gone: float
    ours: float
    theirs: float


DieFaces = tuple[tuple[Face, ...], tuple[Face, ...], tuple[Face, ...]]
"""The faces of Blue's die, of Brown's and of Green's."""


def die_faces(box: Materials) -> DieFaces:
    """Return the faces of the dice that the odds are computed with."""
    return box.faces["Blue"], box.faces["Brown"], box.faces["Green"]


@cache
def engagement_odds(faces: DieFaces, blue: int, others: int, tribe: int, treaties: bool) -> EngagementOdds:
    """Return the odds of Blue cubes and of settlers or enemies against cubes of a tribe.

    Settlers and enemies roll the same hits; ambushes and withdrawals are left out of account.
    """
    ours = blue + others
    if not tribe:
        return EngagementOdds(float(ours > 0), 1.0, ours, 0)
    if not ours:
        return EngagementOdds(0.0, 0.0, 0, tribe)
    held = gone = ours_left = remaining = 0.0
    again = 0.0
    for (hits, treaty), chance in _us_roll_odds(faces, dice_for(blue), dice_for(others)).items():
        for (suffered, sign), other in _roll_odds(faces[2], dice_for(tribe)).items():
            weight = chance * other
            if treaties and treaty and sign:
                held += weight * (ours >= tribe)
                ours_left += weight * ours
                remaining += weight * tribe
            elif not hits and not suffered:
                again += weight
            else:
                after = engagement_odds(
                    faces, *_after_hits(blue, others, suffered), max(0, tribe - hits), treaties
                )
                held += weight * after.held
                gone += weight * after.gone
                ours_left += weight * after.ours
                remaining += weight * after.theirs
    once = 1 - again
    return EngagementOdds(held / once, gone / once, ours_left / once, remaining / once)


def _after_hits(blue: int, others: int, hits: int) -> tuple[int, int]:
    """Return both counts after hits, which fall on the more numerous colour, on Blue last among equals."""
    for _ in range(min(hits, blue + others)):
        blue, others = (blue - 1, others) if blue > others else (blue, others - 1)
    return blue, others


@cache
def _us_roll_odds(faces: DieFaces, blue: int, others: int) -> Mapping[tuple[int, bool], float]:
    chances: dict[tuple[int, bool], float] = {}
    for (first, chance), (two, other) in product(
        _roll_odds(faces[0], blue).items(), _roll_odds(faces[1], others).items()
    ):
        key = (first[0] + two[0], first[1] or two[1])
        chances[key] = chances.get(key, 0) + chance * other
    return chances


@cache
def _roll_odds(faces: tuple[Face, ...], dice: int) -> Mapping[tuple[int, bool], float]:
    """Return the chances of each number of hits, with a treaty among the faces or without."""
    chances: dict[tuple[int, bool], float] = {}
    for thrown in product(faces, repeat=dice):
        key = (thrown.count("hit"), "treaty" in thrown)
        chances[key] = chances.get(key, 0) + len(faces) ** -dice
    return chances
