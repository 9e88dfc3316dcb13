"""The resolver against an independent judge that tries every assignment of fates."""

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from games.diplomacy.adjudication.legality import goals
from games.diplomacy.adjudication.resolver import decide_orders
from games.diplomacy.events import CanoesTaken, Dislodged, TabooBroken
from games.diplomacy.model import (
    BuildCanoe,
    Destroy,
    Hold,
    Move,
    Phase,
    Piece,
    State,
    SupportHold,
    SupportMove,
    Unit,
)
from tests.games.diplomacy import brute
from tests.kit.positions import BOARD, DICE, RULES, VARIANT

CORNER = [str(number) for number in (8, 9, 10, 11, 12, 13, 14, 59, 60, 61)]
"""Ten provinces of the north-east, each bordering several others."""

LAKES = [*(str(number) for number in (11, 12, 13, 14, 15, 58, 59, 60, 120)), *"cfgh"]
"""Nine provinces round the lakes, the taboo one among them, and four waters."""

POWERS = ("Iroquois", "Illinois", "Dakota")


def random_season(rnd, region=CORNER, paddling=0.0):
    """Up to ten units in a region, most of them ordered to move or to support a real move on foot."""
    lands = [one for one in region if BOARD.is_land(one) and one != "120"]
    waters = [one for one in region if not BOARD.is_land(one)]
    afloat = rnd.randint(0, 3) if paddling else 0
    places = rnd.sample(waters, afloat) + rnd.sample(lands, rnd.randint(3, 8 - afloat // 2))
    units = {place: rnd.choice(POWERS) for place in places}
    return random_orders(rnd, units, region, paddling)


def random_orders(rnd, units, region=CORNER, paddling=0.0):
    """Units with orders for most of them."""
    places = list(units)
    near = {place: [one for one in BOARD.army[place] if one in region] for place in places}
    orders = {}
    for place in places:
        chance = rnd.random()
        if not near[place] or (chance < paddling and place in BOARD.shores):
            orders[place] = _paddling(rnd, place, units, region)
        elif chance < 0.65:
            orders[place] = ("move", _wanted(rnd, near[place], units))
        elif paddling and chance < 0.75 and place in BOARD.shores:
            orders[place] = ("build",)
    for place in places:
        if place in orders or rnd.random() < 0.15:
            continue
        choices = 3 * [
            ("move-for", other, order[1])
            for other, order in orders.items()
            if order[0] in ("move", "paddle") and order[1] in near[place]
        ]
        choices += [("hold-for", other) for other in near[place] if other in units]
        if choices:
            orders[place] = rnd.choice(choices)
    return units, orders


def _wanted(rnd, near, units):
    wanted = [one for one in near if one in units] if rnd.random() < 0.6 else []
    return rnd.choice(wanted or near)


def _paddling(rnd, place, units, region):
    near = [one for one in goals(BOARD, VARIANT.rulebook, place) if one in region]
    return rnd.choice([("paddle", _wanted(rnd, near, units))] * 5 + [("hold",)])


def written(place, order):
    """Return an order of the slow adjudicator as one of ours."""
    unit, (kind, *rest) = Piece(kind="W", at=place), order
    if kind == "move":
        return Move(unit=unit, to=rest[0])
    if kind == "paddle":
        return Move(unit=unit, to=rest[0], canoe=BOARD.is_land(place))
    if kind == "hold-for":
        return SupportHold(unit=unit, other=Piece(kind="W", at=rest[0]))
    if kind == "move-for":
        return SupportMove(unit=unit, other=Piece(kind="W", at=rest[0]), to=rest[1])
    return BuildCanoe(unit=unit) if kind == "build" else Hold(unit=unit)


def ours(units, orders, rulebook=VARIANT.rulebook):
    """The same season judged by the resolver: the fate of each order that can fail."""
    made = {place: written(place, order) for place, order in orders.items()}
    pieces = [Unit(power=power, kind="W", at=place) for place, power in units.items()]
    done = decide_orders(BOARD, rulebook, pieces, made)
    names = list(BOARD.places)
    return {names[place]: known for place, known in enumerate(done.succeeds) if known is not None}


def our_aftermath(units, orders, canoes, destroyed):
    """The same season played by the rules, in the slow judge's terms."""
    state = State(
        options={},
        phase=Phase(season="S", year=1, kind="M"),
        units=tuple(Unit(power=units[place], kind="W", at=place) for place in BOARD.places if place in units),
        centres={},
        canoes=canoes,
        taboo=True,
    )
    given = {power: [] for power in POWERS}
    for place, order in orders.items():
        given[units[place]].append(written(place, order))
    for place in destroyed:
        given[units[place]].append(Destroy(at=place))
    unlawful = {
        (place, order[0])
        for place, order in orders.items()
        if RULES.check(state, units[place], written(place, order)) is not None
    }
    played = RULES.adjudicate(state, given, DICE)
    events, after = played.events, played.state
    answer = (
        {unit.at: unit.power for unit in after.units},
        {event.unit.at for event in events if isinstance(event, Dislodged)},
        after.canoes,
        {event.at: event.count for event in events if isinstance(event, CanoesTaken)},
        next((event.unit.power for event in events if isinstance(event, TabooBroken)), None),
    )
    return answer, unlawful


def equipped(rnd, units, orders):
    """Canoe-fleets for all that are carried, some more, and some to be destroyed."""
    canoes = {place: rnd.choice((1, 1, 2)) for place in units if orders.get(place, ("",))[0] == "paddle"}
    canoes |= {place: rnd.choice((1, 2)) for place in sorted(BOARD.shores) if rnd.random() < 0.2}
    canoes = {place: count for place, count in canoes.items() if BOARD.is_land(place)}
    wanted = [place for place in units if place in canoes and rnd.random() < 0.3]
    return canoes, wanted


@pytest.mark.parametrize("block", range(8))
def test_every_small_season_comes_out_as_trying_everything_says(block):
    rnd = random.Random(4700 + block)
    for number in range(40):
        units, orders = random_season(rnd)
        expected = brute.judge(units, orders)
        assert ours(units, orders) == expected, (block, number, units, orders)


def compare_with_canoes(seed, count):
    """Compare so many random seasons with canoes, fates and aftermath; how often each sort of thing came."""
    rnd, seen = random.Random(seed), Counter()
    for number in range(count):
        units, orders = random_season(rnd, LAKES, paddling=0.3)
        canoes, destroyed = equipped(rnd, units, orders)
        where = (seed, number, units, orders, canoes, destroyed)
        fate = brute.judge(units, orders)
        assert ours(units, orders) == fate, where
        answer, unlawful = our_aftermath(units, orders, canoes, destroyed)
        # A support for a move in a canoe is void from the start where one could not walk there.
        assert {kind for _, kind in unlawful} <= {"move-for"}, where
        expected = brute.aftermath(units, orders, canoes, destroyed, set("cfgh"), taboo="120")
        assert answer == expected, where
        seen.update(order[0] for order in orders.values())
        seen.update({"landed": sum(fate[one] for one in orders if orders[one][0] == "paddle")})
        seen.update({"beaten": len(expected[1]), "prizes": len(expected[3]), "sins": expected[4] is not None})
        seen.update({"destroyed": len(destroyed)})
    return seen


@pytest.mark.clause("indianomacy", "V4")
@pytest.mark.parametrize("block", range(8))
def test_V4_every_small_season_with_canoes_comes_out_as_trying_everything_says(block):
    seen = compare_with_canoes(5500 + block, 80)
    for sort in ("paddle", "landed", "build", "move", "move-for", "destroyed"):
        assert seen[sort] >= 10, (sort, seen)
    assert seen["beaten"]


def crowd(rnd, units, orders):
    """Send many to one place, on foot and in canoes."""
    favourite = rnd.choice(("13", "14", "15", "59"))
    for place in units:
        if place in orders and orders[place][0] in ("move", "paddle") and rnd.random() < 0.6:
            if favourite in BOARD.army[place] and rnd.random() < 0.7:
                orders[place] = ("move", favourite)
            elif favourite in goals(BOARD, VARIANT.rulebook, place):
                orders[place] = ("paddle", favourite)


@pytest.mark.clause("indianomacy", "C9")
def test_C9_the_other_reading_comes_out_as_trying_everything_says():
    rnd, rulebook = random.Random(9), VARIANT.rulebook.under({"standoffs": "admit-canoes"})
    differs = 0
    for number in range(400):
        units, orders = random_season(rnd, LAKES, paddling=0.3)
        crowd(rnd, units, orders)
        fate = brute.judge(units, orders, admit=True)
        assert ours(units, orders, rulebook) == fate, (number, units, orders)
        differs += fate != brute.judge(units, orders)
    assert differs


@pytest.mark.soak
@pytest.mark.parametrize("block", range(40))
def test_tens_of_thousands_of_small_seasons(block):
    seen = compare_with_canoes(90000 + block, 1000)
    assert seen["prizes"] >= 10
    assert seen["sins"] >= 20


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
