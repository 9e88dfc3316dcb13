"""The resolver against an independent judge that tries every assignment of fates."""

import ast
import random
from pathlib import Path

import pytest

from games.diplomacy.model import Hold, Move, Piece, SupportHold, SupportMove, Unit
from games.diplomacy.resolver import settle
from tests.games.diplomacy import brute
from tests.kit.positions import BOARD

CORNER = [str(number) for number in (8, 9, 10, 11, 12, 13, 14, 59, 60, 61)]
"""Ten provinces of the north-east, each bordering several others."""

POWERS = ("Iroquois", "Illinois", "Dakota")


def random_season(rnd):
    """Up to nine units in the corner, most of them ordered to move or to support a real move."""
    places = rnd.sample(CORNER, rnd.randint(3, 9))
    units = {place: rnd.choice(POWERS) for place in places}
    near = {place: [one for one in BOARD.army[place] if one in CORNER] for place in places}
    orders = {}
    for place in places:
        if rnd.random() < 0.6:
            wanted = [one for one in near[place] if one in units] if rnd.random() < 0.6 else []
            orders[place] = ("move", rnd.choice(wanted or near[place]))
    for place in places:
        if place in orders or rnd.random() < 0.15:
            continue
        choices = [
            ("move-for", other, order[1])
            for other, order in orders.items()
            if order[0] == "move" and order[1] in near[place]
        ]
        choices += [("hold-for", other) for other in near[place] if other in units]
        if choices:
            orders[place] = rnd.choice(choices)
    return units, orders


def ours(units, orders):
    """The same season judged by the resolver: the fate of each order that can fail."""

    def piece(place):
        return Piece(kind="W", at=place)

    made = {}
    for place, order in orders.items():
        kind, *rest = order
        if kind == "move":
            made[place] = Move(unit=piece(place), to=rest[0])
        elif kind == "hold-for":
            made[place] = SupportHold(unit=piece(place), other=piece(rest[0]))
        elif kind == "move-for":
            made[place] = SupportMove(unit=piece(place), other=piece(rest[0]), to=rest[1])
        else:
            made[place] = Hold(unit=piece(place))
    pieces = [Unit(power=power, kind="W", at=place) for place, power in units.items()]
    done = settle(BOARD, pieces, made)
    names = list(BOARD.places)
    return {names[place]: known for place, known in enumerate(done.succeeds) if known is not None}


@pytest.mark.parametrize("block", range(8))
def test_every_small_season_comes_out_as_trying_everything_says(block):
    rnd = random.Random(4700 + block)
    for number in range(60):
        units, orders = random_season(rnd)
        expected = brute.judge(units, orders)
        assert ours(units, orders) == expected, (block, number, units, orders)


def test_rings_and_guesses_are_among_what_is_compared():
    """Rings that turn, and rings that something stops: the cases in which an answer hangs on itself."""
    ring = {"10": "Iroquois", "11": "Iroquois", "61": "Dakota"}
    turning = {"11": ("move", "10"), "10": ("move", "61"), "61": ("move", "11")}
    assert ours(ring, turning) == brute.judge(ring, turning) == dict.fromkeys(turning, True)
    stopped = {**turning, "60": ("move", "61")}
    assert ours({**ring, "60": "Illinois"}, stopped) == dict.fromkeys(stopped, False)
    assert brute.judge({**ring, "60": "Illinois"}, stopped) == dict.fromkeys(stopped, False)


def test_the_independent_judge_imports_nothing_of_ours():
    tree = ast.parse(Path(brute.__file__).read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert imported == {"itertools"}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not used & {"__import__", "eval", "exec", "open"}
