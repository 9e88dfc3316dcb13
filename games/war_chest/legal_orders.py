"""The legal orders of a seat, coin by coin, with examples and the rows of its decision."""

from collections.abc import Iterable, Iterator
from typing import cast

from games.protocol import Seat
from games.protocol.optional import AdjacentPlace, LegalOrder
from games.record import replace_fields
from games.war_chest import legality
from games.war_chest.board import HEXES, NEIGHBOURS, Hex
from games.war_chest.components import (
    BERSERKER,
    CAVALRY,
    ENSIGN,
    FOOTMAN,
    LANCER,
    LIGHT_CAVALRY,
    MARSHALL,
    MERCENARY,
    ROYAL_COIN,
    ROYAL_GUARD,
    SWORDSMAN,
    UNIT_NAMES,
    Coin,
    name,
)
from games.war_chest.model import (
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
    View,
)

OrdersInWords = Iterator[tuple[AnyOrder, str]]

TWICE = (BERSERKER, CAVALRY, FOOTMAN, LANCER, LIGHT_CAVALRY, SWORDSMAN)
"""Units of which one coin may bring two or three steps."""


def legal_orders(view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Yield the legal orders of a seat: for each of its coins, or for the choice that is due."""
    for of, orders_in_words in _groups(view, seat):
        for order, words in orders_in_words:
            if legality.objection(view, seat, order) is None:
                yield LegalOrder(of=of, order=order, words=words)


def neighbouring_hexes(view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the hexes beside a hex, and which of them are locations."""
    if place not in HEXES:
        return None
    return tuple(
        AdjacentPlace(place=neighbour, how="a location" if neighbour in view.box.locations else "open ground")
        for neighbour in NEIGHBOURS[Hex(place)]
    )


def _groups(view: View, seat: Seat) -> Iterator[tuple[str, OrdersInWords]]:
    if view.picks:
        yield "the draft", ((Pick(card=card), "it is one of yours then") for card in view.offer)
        return
    if view.agenda and isinstance(view.agenda[0], ChooseLoss):
        yield name(ROYAL_GUARD), _losses()
        return
    for coin in dict.fromkeys(legality.coins(view, seat)):
        yield name(coin), _uses_of_coin(view, seat, coin)


def _losses() -> OrdersInWords:
    yield Lose(source="stack"), "the unit loses a coin"
    yield Lose(source="supply"), "the supply loses a coin in its place"


def _uses_of_coin(view: View, seat: Seat, coin: Coin) -> OrdersInWords:
    """Yield what one coin can be played for, the unit's own actions first."""
    if coin in UNIT_NAMES:
        for at in legality.deploy_hexes(view, seat, coin):
            yield Deploy(card=coin, at=at), f"it comes on {at}"
        units = view.units(seat, coin)
        for unit in units:
            at_said = unit.at if len(units) > 1 else None
            yield Bolster(card=coin, at=at_said), f"a coin more on {unit.at}"
    yield from _maneuvers(view, seat, coin)
    for card, count in view.sides[seat].supply.items():
        if count:
            yield Recruit(card=card, coin=coin), f"a coin of the {name(card)} out of the supply"
    yield from _mercenary_orders(view, seat, coin)
    yield Claim(coin=coin), "you begin the next round"
    yield Pass(coin=coin), "the coin is laid face-down, and nothing is done"


def _maneuvers(view: View, seat: Seat, coin: Coin) -> OrdersInWords:
    if coin == ROYAL_COIN:
        for unit in view.units(seat, ROYAL_GUARD):
            for at in view.box.locations:
                step = ManeuverStep(card=ROYAL_GUARD, at=_distinguishing_hex(view, unit), act="move", to=at)
                yield Maneuver(card=ROYAL_GUARD, steps=(step,), royal=True), f"it marches to {at}"
        return
    led = coin in (ENSIGN, MARSHALL)
    for unit in view.units(seat) if led else view.units(seat, coin):
        for steps in _step_sequences(view, unit):
            order = Maneuver(card=coin, steps=steps)
            yield order, _steps_text(unit, steps, name(unit.card) if unit.card != coin else "it")


def _step_sequences(view: View, unit: Stack) -> Iterator[tuple[ManeuverStep, ...]]:
    """Yield what one unit could do in one maneuver; the rules have still to say whether it may."""
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
    at = _distinguishing_hex(view, unit)
    yield from (ManeuverStep(card=unit.card, at=at, act="move", to=to) for to in NEIGHBOURS[here])
    foes = view.units(view.other(unit.seat))
    yield from (ManeuverStep(card=unit.card, at=at, act="attack", to=foe.at) for foe in foes)
    yield ManeuverStep(card=unit.card, at=at, act="control")


def _mercenary_orders(view: View, seat: Seat, coin: Coin) -> OrdersInWords:
    for unit in view.units(seat, MERCENARY):
        for step in _steps(view, unit, unit.at):
            order = Recruit(card=MERCENARY, coin=coin, then=(step,))
            yield order, f"a Mercenary coin, and at once {_steps_text(unit, (step,), 'it')}"


def _distinguishing_hex(view: View, unit: Stack) -> Hex | None:
    """Return where a unit stands, said only where there are two of its card."""
    return unit.at if len(view.units(unit.seat, unit.card)) > 1 else None


def _steps_text(unit: Stack, steps: Iterable[ManeuverStep], who: str) -> str:
    return ", then ".join(_step_text(unit, step, who) for step in steps)


def _step_text(unit: Stack, step: ManeuverStep, who: str) -> str:
    if step.act == "control":
        return f"{who} takes control of its location"
    verb = "moves to" if step.act == "move" else "attacks"
    return f"{who} {verb} {cast(str, step.to)}"
