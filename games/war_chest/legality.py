"""The reasons why an order is illegal. A maneuver is checked by planning it step by step."""

from games.protocol import Objection, Seat
from games.war_chest.components import ROYAL_COIN, Coin
from games.war_chest.maneuvers import plan_maneuver
from games.war_chest.model import AnyOrder, IllegalManeuver, State, UseDrawn


def objection(view: State, seat: Seat, order: AnyOrder) -> Objection | None:
    """Return why the order is illegal for this seat now, or None."""
    try:
        if order.pile:
            if view.picks:
                raise IllegalManeuver("draft-first")
            coin_of(view, seat, order)
        order.examine(view, seat)
        plan_maneuver(view, seat, order)
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
    """Return the coin that pays for an order. Raises IllegalManeuver if the seat doesn't have it.

    Source: clauses 5.match, 5.royal, V.coin.
    """
    have = coins(view, seat)
    coin = order.payment(have)
    if coin is None:
        if not have:
            raise IllegalManeuver("hand-empty")
        raise IllegalManeuver("which-coin", have=" ".join(have), near=" ".join(have))
    if coin not in have:
        raise IllegalManeuver("no-coin", coin=coin, have=" ".join(have))
    if coin == ROYAL_COIN and order.pile == "board":
        raise IllegalManeuver("royal-coin", card=coin)
    return coin
