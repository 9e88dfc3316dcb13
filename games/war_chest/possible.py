"""What a seat may order now, coin by coin."""

from collections.abc import Iterable, Iterator
from typing import cast

from games.protocol import Seat
from games.protocol.optional import Neighbour, Possible
from games.record import changed
from games.war_chest import lawful
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
    NAMES,
    ROYAL,
    ROYAL_GUARD,
    SWORDSMAN,
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
    Pass,
    Pick,
    Recruit,
    Stack,
    Step,
    View,
)

Said = Iterator[tuple[AnyOrder, str]]

TWICE = (BERSERKER, CAVALRY, FOOTMAN, LANCER, LIGHT_CAVALRY, SWORDSMAN)
"""Units of which one coin may bring two or three steps."""


def possible(view: View, seat: Seat) -> Iterator[Possible]:
    """The lawful orders of a seat: for each of its coins, or for the choice that is wanted of it."""
    for of, said in _groups(view, seat):
        for order, words in said:
            if lawful.objection(view, seat, order) is None:
                yield Possible(of=of, order=order, words=words)


def beside(view: View, place: str) -> tuple[Neighbour, ...] | None:
    """The hexes beside a hex, and which of them are locations."""
    if place not in HEXES:
        return None
    return tuple(
        Neighbour(place=one, how="a location" if one in view.box.locations else "open ground")
        for one in NEIGHBOURS[Hex(place)]
    )


def _groups(view: View, seat: Seat) -> Iterator[tuple[str, Said]]:
    if view.picks:
        yield "the draft", ((Pick(card=card), "it is one of yours then") for card in view.offer)
        return
    if view.agenda and isinstance(view.agenda[0], ChooseLoss):
        yield name(ROYAL_GUARD), _losses()
        return
    for coin in dict.fromkeys(lawful.coins(view, seat)):
        yield name(coin), _with(view, seat, coin)


def _losses() -> Said:
    yield Lose(source="stack"), "the unit loses a coin"
    yield Lose(source="supply"), "the supply loses a coin in its place"


def _with(view: View, seat: Seat, coin: Coin) -> Said:
    """What one coin can be played for, the unit's own doings first."""
    if coin in NAMES:
        for at in lawful.deploy_hexes(view, seat, coin):
            yield Deploy(card=coin, at=at), f"it comes on {at}"
        units = view.units(seat, coin)
        for unit in units:
            at_said = unit.at if len(units) > 1 else None
            yield Bolster(card=coin, at=at_said), f"a coin more on {unit.at}"
    yield from _maneuvers(view, seat, coin)
    for card, left in view.sides[seat].supply.items():
        if left:
            yield Recruit(card=card, coin=coin), f"a coin of the {name(card)} out of the supply"
    yield from _hired(view, seat, coin)
    yield Claim(coin=coin), "you begin the next round"
    yield Pass(coin=coin), "the coin is laid face-down, and nothing is done"


def _maneuvers(view: View, seat: Seat, coin: Coin) -> Said:
    if coin == ROYAL:
        for unit in view.units(seat, ROYAL_GUARD):
            for at in view.box.locations:
                step = Step(card=ROYAL_GUARD, at=_said(view, unit), act="move", to=at)
                yield Maneuver(card=ROYAL_GUARD, steps=(step,), royal=True), f"it marches to {at}"
        return
    led = coin in (ENSIGN, MARSHALL)
    for unit in view.units(seat) if led else view.units(seat, coin):
        for steps in _lines(view, unit):
            order = Maneuver(card=coin, steps=steps)
            yield order, _told(unit, steps, name(unit.card) if unit.card != coin else "it")


def _lines(view: View, unit: Stack) -> Iterator[tuple[Step, ...]]:
    """What one unit could do in one maneuver; the rules have still to say whether it may."""
    for first in _steps(view, unit, unit.at):
        yield (first,)
        if unit.card not in TWICE:
            continue
        here = Hex(first.to) if first.act == "move" and first.to else unit.at
        if unit.card == FOOTMAN:
            others = [one for one in view.units(unit.seat, FOOTMAN) if one.at != unit.at]
            yield from ((first, step) for one in others for step in _steps(view, one, one.at))
            continue
        for second in _steps(view, changed(unit, at=here), here):
            then = changed(second, at=None)
            yield (first, then)
            if unit.card == LANCER and then.act == "move" and then.to:
                ahead = Hex(then.to)
                more = _steps(view, changed(unit, at=ahead), ahead)
                yield from ((first, then, changed(one, at=None)) for one in more if one.act == "attack")


def _steps(view: View, unit: Stack, here: Hex) -> Iterator[Step]:
    at = _said(view, unit)
    yield from (Step(card=unit.card, at=at, act="move", to=one) for one in NEIGHBOURS[here])
    foes = view.units(view.other(unit.seat))
    yield from (Step(card=unit.card, at=at, act="attack", to=foe.at) for foe in foes)
    yield Step(card=unit.card, at=at, act="control")


def _hired(view: View, seat: Seat, coin: Coin) -> Said:
    for unit in view.units(seat, MERCENARY):
        for step in _steps(view, unit, unit.at):
            order = Recruit(card=MERCENARY, coin=coin, then=(step,))
            yield order, f"a Mercenary coin, and at once {_told(unit, (step,), 'it')}"


def _said(view: View, unit: Stack) -> Hex | None:
    """Where a unit stands, said only where there are two of its card."""
    return unit.at if len(view.units(unit.seat, unit.card)) > 1 else None


def _told(unit: Stack, steps: Iterable[Step], who: str) -> str:
    return ", then ".join(_step_told(unit, step, who) for step in steps)


def _step_told(unit: Stack, step: Step, who: str) -> str:
    if step.act == "control":
        return f"{who} takes control of its location"
    verb = "moves to" if step.act == "move" else "attacks"
    return f"{who} {verb} {cast(str, step.to)}"
