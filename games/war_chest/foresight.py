"""What is against an order that waits behind others of its letter, the opponent's turns between."""

from collections.abc import Sequence
from typing import assert_never

from games.protocol import Objection, Seat
from games.record import changed
from games.war_chest import lawful, maneuvers
from games.war_chest.board import ORDER
from games.war_chest.components import NAMES
from games.war_chest.model import (
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Do,
    Lose,
    Maneuver,
    Pass,
    Pick,
    Recruit,
    Side,
    Stack,
    State,
    without,
)
from games.war_chest.zones import taken

OPEN: frozenset[str] = frozenset(
    (
        *("hex-occupied", "line-blocked", "no-way", "no-target", "which-one", "knight", "yours-already"),
        *("on-board-already", "not-yours-to-deploy", "not-your-location", "will-be-lost"),
        *("initiative-yours", "claimed-already", "last-coin"),
    )
)
"""What the opponent may change till then: no objection yet."""


def foresee(view: State, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]) -> Objection | None:
    """Why the order cannot be lawful once those before it are played, or None. Source: clause V.ahead.

    The side's own coins, moves and recruits are foreseen; what it takes the opponent for is left open.
    """
    for earlier in before:
        view = after(view, seat, earlier)
    found = lawful.objection(view, seat, order)
    if found is None or found.code in OPEN or _may_come_near(order, found):
        return None
    return found


def after(view: State, seat: Seat, order: AnyOrder) -> State:
    """The view after an order of the seat, as far as it is its own doing."""
    if lawful.objection(view, seat, order) is not None:
        return _without_coin(view, seat, order)
    plan = maneuvers.plan(view, seat, order) if isinstance(order, Maneuver | Recruit) else ()
    view = _without_coin(view, seat, order)
    match order:
        case Deploy():
            return _with_stack(view, Stack(seat=seat, card=order.card, at=order.at))
        case Bolster():
            unit = next(one for one in view.units(seat, order.card) if order.at in (None, one.at))
            return _with_stack(view, changed(unit, height=unit.height + 1))
        case Recruit():
            side = view.sides[seat]
            view = view.with_side(seat, changed(side, supply=without(side.supply, order.card)))
        case Maneuver() | Claim() | Pass() | Pick() | Lose():
            pass
        case _:
            assert_never(order)
    for done in plan:
        view = _done(view, done)
    return view


def _may_come_near(order: AnyOrder, found: Objection) -> bool:
    """Whether the order names an enemy by its card: where that will stand nobody knows."""
    steps = order.steps if isinstance(order, Maneuver) else order.then if isinstance(order, Recruit) else ()
    named = any(step.act == "attack" and step.to in NAMES for step in steps)
    return named and found.code in ("too-far", "no-normal-attack", "no-straight-line", "not-straight-ahead")


def _done(view: State, done: Do) -> State:
    """A step of the side's own unit; an attack may come out in any way, so the enemy stays where it is."""
    unit = view.stack_at(done.at)
    if unit is None or unit.seat != done.seat:
        return view
    if done.pay:
        view, unit = _with_stack(view, changed(unit, height=unit.height - 1)), view.stack_at(done.at)
    if done.act == "control":
        return changed(view, control={**view.control, done.at: done.seat})
    if done.act == "attack" or unit is None:
        return view
    there = view.stack_at(done.to)
    cleared = changed(view, stacks=tuple(one for one in view.stacks if one not in (unit, there)))
    return _with_stack(cleared, changed(unit, at=done.to))


def _with_stack(view: State, stack: Stack) -> State:
    others = [one for one in view.stacks if one.at != stack.at]
    return changed(view, stacks=tuple(sorted((*others, stack), key=lambda one: ORDER[one.at])))


def _without_coin(view: State, seat: Seat, order: AnyOrder) -> State:
    """The view without the coin that the order takes, and without the decision that it answers."""
    have = lawful.coins(view, seat)
    coin = lawful.payment(order, have)
    if coin not in have:
        return view
    side: Side = view.sides[seat]
    left = changed(side, drawn=None) if side.drawn else changed(side, hand=taken(side.hand, coin))
    claimed = view.claimed or isinstance(order, Claim)
    return changed(view.with_side(seat, left), agenda=(), claimed=claimed)
