"""Examples of the orders that a side could give now, one of each kind, with the coins that it holds."""

from collections.abc import Iterable, Iterator

from games.protocol import Seat
from games.war_chest import legality
from games.war_chest.board import NEIGHBOURS, Hex, distances, nearest
from games.war_chest.components import ROYAL_COIN, UNIT_NAMES, Card, Coin
from games.war_chest.model import (
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Lose,
    Maneuver,
    ManeuverStep,
    Pass,
    Pick,
    Recruit,
    Stack,
    View,
)

Row = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View, seat: Seat) -> Iterator[Row]:
    """Yield names of forms, each with orders of a seat, the plainest first; not all need be legal."""
    if view.picks:
        yield "pick", [Pick(card=card) for card in view.offer]
        return
    yield "lose-stack", [Lose(source="stack")]
    yield "lose-supply", [Lose(source="supply")]
    have = tuple(dict.fromkeys(legality.coins(view, seat)))
    cards = [Card(coin) for coin in have if coin in UNIT_NAMES]
    standing = [unit for card in cards for unit in view.units(seat, card)]
    yield "deploy", [Deploy(card=card, at=at) for card in cards for at in _fields(view, seat, card)]
    yield "maneuver", [_act(view, unit, to, "move") for unit in standing for to in _ways(view, seat, unit)]
    foes = [foe.at for foe in view.units(view.other(seat))]
    yield "attack", [_act(view, unit, foe, "attack") for unit in standing for foe in foes]
    yield "control", [_act(view, unit, None, "control") for unit in standing]
    yield "bolster", [Bolster(card=unit.card, at=_at(view, unit)) for unit in standing]
    supply = [card for card, count in view.sides[seat].supply.items() if count]
    spare = sorted(have, key=lambda coin: coin != ROYAL_COIN)
    yield "recruit", [Recruit(card=card, coin=coin) for coin in spare for card in supply]
    yield "pass", [Pass(coin=coin) for coin in spare]
    yield "claim", [Claim(coin=coin) for coin in spare]


def _fields(view: View, seat: Seat, card: Card) -> list[Hex]:
    """Where a card may be deployed, nearest to a location to take."""
    return sorted(legality.deploy_hexes(view, seat, card), key=lambda at: _distance_to_goal(view, seat, at))


def _ways(view: View, seat: Seat, unit: Stack) -> list[Hex]:
    """The empty hexes beside a unit, those nearest to a location to take first."""
    empty = [to for to in NEIGHBOURS[unit.at] if view.stack_at(to) is None]
    return sorted(empty, key=lambda at: _distance_to_goal(view, seat, at))


def _distance_to_goal(view: View, seat: Seat, at: Hex) -> int:
    """Return how far from a hex the nearest location is that is not the seat's."""
    occupied = {stack.at for stack in view.stacks}
    goals = [location for location in view.box.locations if view.control.get(location) != seat]
    far = nearest(distances(at, occupied - {at}), goals)
    return len(NEIGHBOURS) if far is None else far


def _act(view: View, unit: Stack, to: Hex | Coin | None, act: str) -> Maneuver:
    step = ManeuverStep(card=unit.card, at=_at(view, unit), act=act, to=to)  # type: ignore[arg-type]  # three words
    return Maneuver(card=unit.card, steps=(step,))


def _at(view: View, unit: Stack) -> Hex | None:
    """Where the unit stands, said only where there are two of its card."""
    return unit.at if len(view.units(unit.seat, unit.card)) > 1 else None
