"""The opponents of tournaments: lawful, complete, and true to what they are described as."""

from collections import Counter

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.bots.candidates import Repertoire, buildable_units
from games.diplomacy.bots.common import ground
from games.diplomacy.model import Move, Province, SupportMove
from games.options import settle
from games.protocol import Seat

pytestmark = pytest.mark.long

STANDARD = games.kinds()["standard"]
BOARD = STANDARD.rules.board
DICE = SealedDice(b"secret", "sparring", 1)
AIMLESS = [(kind, "random") for kind in ("indianomacy", "standard", "fleet-rome", "chaos")]
DUMB = [(kind, "dumbbot") for kind in ("standard", "fleet-rome", "chaos")]


def ordered(phase: str, units: dict[str, list[str]], centres: dict[str, list[str]], seat: str):
    """Return DumbBot's orders to a nation's units, by place."""
    state = STANDARD.whatif.position({"phase": phase, "units": units, "centres": centres})
    (due,) = [due for due in STANDARD.rules.due(state) if due.seat == seat]
    choices = STANDARD.sparring["dumbbot"].orders(state, due, DICE)
    return {choice.order.unit.at: choice.order for choice in choices}


@pytest.mark.parametrize(("kind", "name"), [*AIMLESS, *DUMB])
def test_years_of_lawful_and_complete_orders(kind, name):
    game = games.kinds()[kind]
    bot = game.sparring[name]
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    kinds: Counter[str] = Counter()
    for turn in range(14):
        if game.rules.result(state) is not None:
            break
        dice = SealedDice(b"secret", kind, turn)
        orders = {}
        for due in game.rules.due(state):
            given = [one.order for one in bot.orders(state, due, dice)]
            assert [game.rules.check(state, due.seat, one) for one in given] == [None] * len(given)
            wanted = len(due.owes) if due.takes is None else due.takes
            assert len(given) == wanted
            kinds.update(type(one).__name__ for one in given)
            orders[due.seat] = given
        state = game.rules.adjudicate(state, orders, dice).state
    assert {"Move", "SupportMove", "Build", "Disband"} <= set(kinds)


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_the_repertoire_is_all_that_is_lawful_without_help_of_others(kind):
    """Every move in the repertoire is lawful, and every lawful move but those over the water is in it."""
    game = games.kinds()[kind]
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    repertoire = Repertoire(game.rules.variant, state)
    for unit in state.units:
        if unit.power not in game.rules.board.powers:
            continue
        orders = repertoire.orders(unit)
        assert all(game.rules.check(state, unit.power, order) is None for order in orders)
        goals = {order.goal for order in orders if isinstance(order, Move)}
        moves = (Move(unit=unit.piece, to=to) for to in game.rules.board.places)
        lawful = {move.to for move in moves if game.rules.check(state, unit.power, move) is None}
        assert {Province(goal.partition("/")[0]) for goal in goals} == lawful or unit.kind == "F"
        assert lawful <= goals


def test_dumbbot_takes_the_centre_next_door_in_fall():
    orders = ordered("F1901M", {"Germany": ["A Ruhr"]}, {"Germany": ["Berlin"]}, "Germany")
    assert orders["RUH"] in [
        Move(unit=orders["RUH"].unit, to=Province(to)) for to in ("BEL", "HOL", "KIE", "MUN")
    ]


def test_dumbbot_helps_the_comrade_who_goes_where_others_could_go():
    """Belgium is French and held: both want it, so one moves and the other supports it."""
    units = {"Germany": ["A Ruhr", "A Holland"], "France": ["A Belgium"]}
    centres = {"Germany": ["Holland", "Kiel", "Munich", "Berlin"], "France": ["Belgium", "Paris", "Brest"]}
    orders = ordered("F1901M", units, centres, "Germany").values()
    (move,) = [order for order in orders if isinstance(order, Move)]
    (support,) = [order for order in orders if isinstance(order, SupportMove)]
    assert move.to == support.to == Province("BEL")


def test_what_is_worth_something_reaches_far_and_by_many_ways():
    """By hand, on foot: Portugal touches Spain alone, Spain touches Gascony, Marseilles and Portugal."""
    terrain = ground(BOARD, "A")
    first, second, third = terrain.spread({Province("POR"): 100.0}, 3, 0.2)
    at = {spot: number for number, spot in enumerate(terrain.spots)}
    assert (first[at["POR"]], first[at["SPA"]]) == (100, 0)
    assert (second[at["POR"]], second[at["SPA"]], second[at["GAS"]]) == (20, 20, 0)
    assert third[at["POR"]] == pytest.approx(0.2 * (20 + 20))
    assert third[at["GAS"]] == pytest.approx(0.2 * 20)


def test_fleets_go_by_water_and_along_coasts():
    terrain = ground(BOARD, "F")
    near = {
        spot: {terrain.spots[one] for one in terrain.next_to[number]}
        for number, spot in enumerate(terrain.spots)
    }
    assert near[Province("SPA/NC")] == {"POR", "GAS", "MAO"}
    assert Province("MUN") not in near


def test_whatever_can_be_built_is_lawful_and_each_site_is_there_by_each_kind():
    state = STANDARD.whatif.position(
        {
            "phase": "W1901A",
            "units": {"Russia": ["A Moscow"]},
            "centres": {"Russia": ["STP", "MOS", "SEV", "RUM"]},
        }
    )
    found = [
        f"{piece.kind} {piece.spot}"
        for piece in buildable_units(STANDARD.rules.variant, state, Seat("Russia"))
    ]
    assert sorted(found) == ["A SEV", "A STP", "F SEV", "F STP/NC", "F STP/SC"]
