"""Hexes that can be pointed at: whose they are, what stands there; where each event happens."""

from games.protocol.optional import Mention, Spot
from games.war_chest import events as event_types
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import name
from games.war_chest.events import AnyEvent
from games.war_chest.model import AnyOrder, Bolster, Deploy, View
from games.war_chest.phrases import called, capital, whose


def spots(view: View) -> tuple[Spot, ...]:
    """Every hex, by the shapes that board.svg draws."""
    return tuple(
        Spot(
            at=one,
            shape=f"h{one}",
            name=f"Location {one}" if one in view.box.locations else f"Hex {one}",
            owner=called(owner) if (owner := view.control.get(one)) else None,
            pieces=_standing(view, one),
        )
        for one in HEXES
    )


def _standing(view: View, at: Hex) -> tuple[str, ...]:
    stack = view.stack_at(at)
    if stack is None:
        return ()
    coins = f"{stack.height} coin{'s' * (stack.height != 1)}"
    return (f"{whose(stack.seat, stack.card)}, {coins}",)


def mention(event: AnyEvent) -> Mention | None:
    """The hexes that an event is about, the one first where its unit stood."""
    match event:
        case event_types.Moved() | event_types.Attacked():
            return Mention(at=(event.at, event.to), of=capital(called(event.seat)), title=title(event))
        case event_types.Controlled():
            return Mention(at=(event.at,), of=capital(called(event.seat)), title=title(event))
        case event_types.Deployed() | event_types.Bolstered() | event_types.Lost() | event_types.Paid():
            return Mention(at=(event.at,))
        case event_types.Refused():
            at = _aimed(event.order)
            return Mention(at=(at,)) if at else None
    return None


def title(event: event_types.Moved | event_types.Attacked | event_types.Controlled) -> str:
    """What board.svg calls what it draws of an event."""
    unit = f"{capital(called(event.seat))}: {name(event.card)} {event.at}"
    if isinstance(event, event_types.Controlled):
        return f"{unit} taken"
    return f"{unit} {'-' if isinstance(event, event_types.Moved) else 'attacks'} {event.to}"


def _aimed(order: AnyOrder) -> Hex | None:
    """The hex that an order names for its unit."""
    return order.at if isinstance(order, Deploy | Bolster) else None
