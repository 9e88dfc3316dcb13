"""The reasons why an order is illegal. A maneuver is checked by planning it step by step."""

from collections.abc import Sequence
from typing import assert_never

from games.protocol import Objection, Seat
from games.war_chest.board import NEIGHBOURS, Hex, in_order
from games.war_chest.components import (
    ROYAL_COIN,
    SCOUT,
    Card,
    Coin,
)
from games.war_chest.maneuvers import IllegalManeuver, maneuver_plan, one, recruit_plan
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
    State,
    UseDrawn,
)


def objection(view: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Return why the order is illegal for this seat now, or None."""
    try:
        _examine(view, seat, order)
    except IllegalManeuver as fault:
        return fault.objection
    return None


def coins(view: State, seat: Seat) -> tuple[Coin, ...]:
    """Return the coins that a seat can play now: the coin that a Warrior Priest drew, or its hand."""
    side = view.sides[seat]
    if view.agenda and isinstance(view.agenda[0], UseDrawn) and view.agenda[0].seat == seat:
        return () if side.drawn is None else (side.drawn,)
    return side.hand


def coin_of(view: State, seat: Seat, order: AnyOrder) -> Coin:
    """Return the coin that pays for a legal order."""
    return _coin(view, seat, order)


def payment(order: AnyOrder, have: Sequence[Coin]) -> Coin | None:
    """Return the coin that an order uses if the seat has these coins; None if the order must name it."""
    if isinstance(order, Claim | Pass | Recruit):
        if order.coin is not None or ROYAL_COIN in have:
            return order.coin or ROYAL_COIN
        return have[0] if len(set(have)) == 1 else None
    if isinstance(order, Pick | Lose):
        return None
    if isinstance(order, Maneuver) and order.royal:
        return ROYAL_COIN
    if isinstance(order, Deploy | Bolster | Maneuver):
        return order.card
    assert_never(order)


def deploy_hexes(view: State, seat: Seat, card: Card) -> tuple[Hex, ...]:
    """Return the hexes where a unit of a card can be deployed. Source: clauses 5.deploy, 6.scout."""
    occupied = {stack.at for stack in view.stacks}
    places = {at for at, owner in view.control.items() if owner == seat}
    if card == SCOUT:
        places |= {near for stack in view.units(seat) for near in NEIGHBOURS[stack.at]}
    return in_order(places - occupied)


def _examine(view: State, seat: Seat, order: AnyOrder) -> None:
    """Raise IllegalManeuver if the order is illegal."""
    if isinstance(order, Pick):
        if order.card not in view.offer:
            raise IllegalManeuver("not-offered", card=order.card, near=" ".join(view.offer))
        return
    if isinstance(order, Lose):
        if not (view.agenda and isinstance(view.agenda[0], ChooseLoss) and view.agenda[0].seat == seat):
            raise IllegalManeuver("not-asked")
        return
    if view.picks:
        raise IllegalManeuver("draft-first")
    _coin(view, seat, order)
    if isinstance(order, Deploy):
        _examine_deploy(view, seat, order)
    elif isinstance(order, Bolster):
        one(view.units(seat, order.card), order.card, order.at)
    elif isinstance(order, Claim):
        _examine_claim(view, seat)
    elif isinstance(order, Recruit):
        recruit_plan(view, seat, order)
    elif isinstance(order, Maneuver):
        maneuver_plan(view, seat, order)
    elif not isinstance(order, Pass):
        assert_never(order)


def _coin(view: State, seat: Seat, order: AnyOrder) -> Coin:
    """Return the coin that pays for an order. Raises IllegalManeuver if the seat doesn't have it.

    Source: clauses 5.match, 5.royal, V.coin.
    """
    have = coins(view, seat)
    coin = payment(order, have)
    if coin is None:
        if not have:
            raise IllegalManeuver("hand-empty")
        raise IllegalManeuver("which-coin", have=" ".join(have), near=" ".join(have))
    if coin not in have:
        raise IllegalManeuver("no-coin", coin=coin, have=" ".join(have))
    if coin == ROYAL_COIN and isinstance(order, Deploy | Bolster):
        raise IllegalManeuver("royal-coin", card=coin)
    return coin


def _examine_deploy(view: State, seat: Seat, order: Deploy) -> None:
    """Raise IllegalManeuver if the unit cannot be deployed there.

    Source: clauses 5.deploy, 6.footman, 6.scout.
    """
    standing = view.units(seat, order.card)
    if len(standing) >= view.box.units[order.card].most_on_board:
        raise IllegalManeuver("on-board-already", card=order.card, at=standing[0].at)
    open_to = deploy_hexes(view, seat, order.card)
    if order.at not in open_to:
        code = "hex-occupied" if view.stack_at(order.at) else "not-yours-to-deploy"
        raise IllegalManeuver(code, card=order.card, at=order.at, near=" ".join(open_to))


def _examine_claim(view: State, seat: Seat) -> None:
    """Raise IllegalManeuver if the initiative cannot be claimed. Source: clause 5.claim."""
    if view.is_solo:
        raise IllegalManeuver("no-initiative")
    if view.claimed:
        raise IllegalManeuver("claimed-already")
    if view.initiative == seat:
        raise IllegalManeuver("initiative-yours")
