"""The legal orders of a seat, coin by coin, with examples and a table of its decisions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from games.language import join_list
from games.messages import sentence
from games.order_kinds import list_legal
from games.protocol import AdjacentPlace, LegalOrder, Seat
from games.record import replace_fields
from games.war_chest import legality
from games.war_chest.board import HEXES, NEIGHBOURS, Hex, distances, nearest
from games.war_chest.components import (
    BERSERKER,
    CAVALRY,
    ENSIGN,
    FOOTMAN,
    HIDDEN_COIN,
    LANCER,
    LIGHT_CAVALRY,
    MARSHALL,
    MERCENARY,
    ROYAL_COIN,
    ROYAL_GUARD,
    SWORDSMAN,
    UNIT_NAMES,
    Card,
    Coin,
    name,
)
from games.war_chest.model import (
    AUTOMATON,
    Act,
    AnyOrder,
    Bolster,
    ChooseLoss,
    Claim,
    Deploy,
    Lose,
    Maneuver,
    ManeuverStep,
    Pass,
    Pick,
    Recruit,
    Stack,
    UseDrawn,
    View,
)

OrdersInWords = Iterator[tuple[AnyOrder, str]]

TWICE = (BERSERKER, CAVALRY, FOOTMAN, LANCER, LIGHT_CAVALRY, SWORDSMAN)
"""The units that can make two or three steps with one coin."""


def legal_orders(view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Return the legal orders of a seat for each of its coins, or for the choice that is due."""
    return list_legal(_groups(view, seat), lambda order: legality.objection(view, seat, order) is None)


def neighbouring_hexes(view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the neighbours of a hex, each with whether it is a location; None for an unknown place."""
    if place not in HEXES:
        return None
    location, open_ground = (
        sentence("war_chest.legal_orders.location"),
        sentence("war_chest.legal_orders.open_ground"),
    )
    return tuple(
        AdjacentPlace(place=neighbour, how=location if neighbour in view.box.locations else open_ground)
        for neighbour in NEIGHBOURS[Hex(place)]
    )


def _groups(view: View, seat: Seat) -> Iterator[tuple[str, OrdersInWords]]:
    if view.picks:
        words = sentence("war_chest.legal_orders.pick")
        yield sentence("war_chest.legal_orders.draft"), ((Pick(card=card), words) for card in view.offer)
        return
    if view.agenda and isinstance(view.agenda[0], ChooseLoss):
        losses = (
            (Lose(source="stack"), sentence("war_chest.legal_orders.lose_stack")),
            (Lose(source="supply"), sentence("war_chest.legal_orders.lose_supply")),
        )
        yield name(ROYAL_GUARD), iter(losses)
        return
    for coin in dict.fromkeys(legality.coins(view, seat)):
        yield name(coin), _uses_of_coin(view, seat, coin)


def _uses_of_coin(view: View, seat: Seat, coin: Coin) -> OrdersInWords:
    """Yield the possible uses of one coin, the unit's own actions first."""
    if coin in UNIT_NAMES:
        for at in view.deploy_hexes(seat, coin):
            yield Deploy(card=coin, at=at), sentence("war_chest.legal_orders.deploy", hex=at)
        for unit in view.units(seat, coin):
            bolster = Bolster(card=coin, at=distinguishing_hex(view, unit))
            yield bolster, sentence("war_chest.legal_orders.bolster", hex=unit.at)
    yield from _maneuvers(view, seat, coin)
    for card, count in view.sides[seat].supply.items():
        if count:
            yield Recruit(card=card, coin=coin), sentence("war_chest.legal_orders.recruit", unit=name(card))
    for unit in view.units(seat, MERCENARY):
        for step in _steps(view, unit, unit.at):
            order = Recruit(card=MERCENARY, coin=coin, then=(step,))
            yield order, sentence("war_chest.legal_orders.recruit_and_maneuver", step=_step_text(step))
    yield Claim(coin=coin), sentence("war_chest.legal_orders.claim")
    yield Pass(coin=coin), sentence("war_chest.legal_orders.pass")


def _maneuvers(view: View, seat: Seat, coin: Coin) -> OrdersInWords:
    if coin == ROYAL_COIN:
        for unit in view.units(seat, ROYAL_GUARD):
            for at in view.box.locations:
                step = ManeuverStep(card=ROYAL_GUARD, at=distinguishing_hex(view, unit), act="move", to=at)
                yield (
                    Maneuver(card=ROYAL_GUARD, steps=(step,), royal=True),
                    sentence("war_chest.legal_orders.march", hex=at),
                )
        return
    led = coin in (ENSIGN, MARSHALL)
    for unit in view.units(seat) if led else view.units(seat, coin):
        for steps in _step_sequences(view, unit):
            order = Maneuver(card=coin, steps=steps)
            yield order, _steps_text(steps, None if unit.card == coin else unit.card)


def _step_sequences(view: View, unit: Stack) -> Iterator[tuple[ManeuverStep, ...]]:
    """Yield possible steps of one unit in one maneuver. The rules still have to check them."""
    for first in _steps(view, unit, unit.at):
        yield (first,)
        if unit.card not in TWICE:
            continue
        here = Hex(first.to) if first.act == "move" and first.to else unit.at
        if unit.card == FOOTMAN:
            others = [footman for footman in view.units(unit.seat, FOOTMAN) if footman.at != unit.at]
            yield from ((first, step) for footman in others for step in _steps(view, footman, footman.at))
            continue
        for second in _steps(view, replace_fields(unit, at=here), here):
            then = replace_fields(second, at=None)
            yield (first, then)
            if unit.card == LANCER and then.act == "move" and then.to:
                ahead = Hex(then.to)
                more = _steps(view, replace_fields(unit, at=ahead), ahead)
                yield from (
                    (first, then, replace_fields(step, at=None)) for step in more if step.act == "attack"
                )


def _steps(view: View, unit: Stack, here: Hex) -> Iterator[ManeuverStep]:
    at = distinguishing_hex(view, unit)
    yield from (ManeuverStep(card=unit.card, at=at, act="move", to=to) for to in NEIGHBOURS[here])
    foes = view.units(view.other(unit.seat))
    yield from (ManeuverStep(card=unit.card, at=at, act="attack", to=foe.at) for foe in foes)
    yield ManeuverStep(card=unit.card, at=at, act="control")


def distinguishing_hex(view: View, unit: Stack) -> Hex | None:
    """Return the hex of a unit if the seat has two units of its card, otherwise None."""
    return unit.at if len(view.units(unit.seat, unit.card)) > 1 else None


def _steps_text(steps: Sequence[ManeuverStep], led: Card | None) -> str:
    """Return the steps of a maneuver in words. led: the card of the unit, if another unit leads it."""
    text = _step_text(steps[0], led)
    for step in steps[1:]:
        text = sentence("war_chest.legal_orders.then", step=text, next=_step_text(step, led))
    return text


_STEP_SLUGS: Mapping[Act, str] = {
    "move": "war_chest.legal_orders.move",
    "attack": "war_chest.legal_orders.attack",
    "control": "war_chest.legal_orders.control",
}
_LED_STEP_SLUGS: Mapping[Act, str] = {
    "move": "war_chest.legal_orders.move_led",
    "attack": "war_chest.legal_orders.attack_led",
    "control": "war_chest.legal_orders.control_led",
}


def _step_text(step: ManeuverStep, led: Card | None = None) -> str:
    if led is None:
        return sentence(_STEP_SLUGS[step.act], hex=step.to)
    return sentence(_LED_STEP_SLUGS[step.act], unit=name(led), hex=step.to)


# Examples of each form of order, with the coins that a side has now.


ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View, seat: Seat) -> Iterator[ExampleRow]:
    """Yield names of forms, each with orders of a seat, the plainest first. Some may be illegal."""
    if view.picks:
        yield "pick", [Pick(card=card) for card in view.offer]
        return
    yield "lose-stack", [Lose(source="stack")]
    yield "lose-supply", [Lose(source="supply")]
    have = tuple(dict.fromkeys(legality.coins(view, seat)))
    cards = [Card(coin) for coin in have if coin in UNIT_NAMES]
    standing = [unit for card in cards for unit in view.units(seat, card)]
    distance_to_goal = partial(_distance_to_goal, view, seat)
    yield (
        "deploy",
        [
            Deploy(card=card, at=at)
            for card in cards
            for at in sorted(view.deploy_hexes(seat, card), key=distance_to_goal)
        ],
    )
    yield (
        "maneuver",
        [
            _maneuver(view, unit, to, "move")
            for unit in standing
            for to in sorted(NEIGHBOURS[unit.at], key=distance_to_goal)
            if view.stack_at(to) is None
        ],
    )
    foes = [foe.at for foe in view.units(view.other(seat))]
    yield "attack", [_maneuver(view, unit, foe, "attack") for unit in standing for foe in foes]
    yield "control", [_maneuver(view, unit, None, "control") for unit in standing]
    yield "bolster", [Bolster(card=unit.card, at=distinguishing_hex(view, unit)) for unit in standing]
    supply = [card for card, count in view.sides[seat].supply.items() if count]
    spare = sorted(have, key=lambda coin: coin != ROYAL_COIN)
    yield "recruit", [Recruit(card=card, coin=coin) for coin in spare for card in supply]
    yield "pass", [Pass(coin=coin) for coin in spare]
    yield "claim", [Claim(coin=coin) for coin in spare]


def _distance_to_goal(view: View, seat: Seat, at: Hex) -> int:
    """Return the distance from a hex to the nearest location that the seat does not control."""
    occupied = {stack.at for stack in view.stacks}
    goals = [location for location in view.box.locations if view.control.get(location) != seat]
    far = nearest(distances(at, occupied - {at}), goals)
    return len(NEIGHBOURS) if far is None else far


def _maneuver(view: View, unit: Stack, to: Hex | Coin | None, act: str) -> Maneuver:
    step = ManeuverStep(card=unit.card, at=distinguishing_hex(view, unit), act=act, to=to)  # type: ignore[arg-type]  # always an Act
    return Maneuver(card=unit.card, steps=(step,))


# The table of a seat's decisions: the possible uses of each coin of its hand.


DecisionRow = tuple[str, str]

MAX_CHAINS_LISTED = 3
"""A coin's maneuvers of several steps are listed one by one up to this number."""


def decisions(view: View) -> Iterator[DecisionRow]:
    """Yield the possible uses of each coin; nothing if the automaton decides or the coins are hidden."""
    seat = deciding_seat(view)
    if view.ended is not None or view.picks or seat == AUTOMATON:
        return
    if HIDDEN_COIN in legality.coins(view, seat):
        return
    by_coin: dict[str, list[LegalOrder]] = {}
    for option in legal_orders(view, seat):
        by_coin.setdefault(option.of, []).append(option)
    for coin, orders in by_coin.items():
        yield coin, "; ".join(_uses(orders))


def deciding_seat(view: View) -> Seat:
    """Return the seat that must decide now."""
    task = view.agenda[0] if view.agenda else None
    return task.seat if task is not None and isinstance(task, UseDrawn) else view.mover


def _uses(orders: Sequence[LegalOrder]) -> Iterator[str]:
    given = [option.order for option in orders]
    deploys = [order.at for order in given if isinstance(order, Deploy)]
    if deploys:
        yield sentence("war_chest.uses.deploy", hexes=join_list(deploys, "or"))
    if any(isinstance(order, Bolster) for order in given):
        yield sentence("war_chest.uses.bolster")
    yield from _maneuver_uses([option for option in orders if isinstance(option.order, Maneuver)])
    if any(isinstance(order, Recruit) for order in given):
        yield sentence("war_chest.uses.recruit")
    if any(isinstance(order, Claim) for order in given):
        yield sentence("war_chest.uses.claim")
    yield sentence("war_chest.uses.pass")


def _maneuver_uses(options: Sequence[LegalOrder]) -> Iterator[str]:
    """Yield the maneuvers of one step by their goals, then the longer ones, or how many there are."""
    single = [option.order.steps[0] for option in options if len(option.order.steps) == 1]
    for act, slug in (("move", "war_chest.uses.move"), ("attack", "war_chest.uses.attack")):
        goals = dict.fromkeys(str(step.to) for step in single if step.act == act)
        if goals:
            yield sentence(slug, hexes=join_list(goals, "or"))
    if any(step.act == "control" for step in single):
        yield sentence("war_chest.uses.control")
    longer = [option.words for option in options if len(option.order.steps) > 1]
    is_long = len(longer) > MAX_CHAINS_LISTED
    yield from (sentence("war_chest.uses.chains", count=len(longer)),) if is_long else longer


def order_places(view: View, seat: Seat, order: AnyOrder) -> tuple[str, str]:
    """Return the hex of the unit of an order ("" for none), and the last hex that the order is about."""
    match order:
        case Deploy():
            return "", order.at
        case Bolster():
            return order.at or _only_hex(view, seat, order.card), ""
        case Maneuver():
            first, last = order.steps[0], order.steps[-1]
            start = first.at or _only_hex(view, seat, first.card)
            goal = last.to or ""
            return start, goal if goal in HEXES and goal != start else ""
    return "", ""


def _only_hex(view: View, seat: Seat, card: Card) -> str:
    return next((stack.at for stack in view.stacks if (stack.seat, stack.card) == (seat, card)), "")
