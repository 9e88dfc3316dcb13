"""Hexes that can be pointed at: their owner, the pieces on them, and the place of each event."""

from games.protocol.optional import EventPlaces, MapRegion
from games.war_chest import events as event_types
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import name
from games.war_chest.events import AnyEvent
from games.war_chest.model import AnyOrder, Bolster, Deploy, View
from games.war_chest.phrases import capital, side_name, unit_of


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return every hex, by the shapes that board.svg draws."""
    return tuple(
        MapRegion(
            at=hex_name,
            shape=f"h{hex_name}",
            name=f"Location {hex_name}" if hex_name in view.box.locations else f"Hex {hex_name}",
            owner=side_name(owner) if (owner := view.control.get(hex_name)) else None,
            pieces=_standing(view, hex_name),
        )
        for hex_name in HEXES
    )


def _standing(view: View, at: Hex) -> tuple[str, ...]:
    stack = view.stack_at(at)
    if stack is None:
        return ()
    coins = f"{stack.height} coin{'s' * (stack.height != 1)}"
    return (f"{unit_of(stack.seat, stack.card)}, {coins}",)


def mention(event: AnyEvent) -> EventPlaces | None:
    """The hexes that an event is about, the one first where its unit stood."""
    match event:
        case event_types.Moved() | event_types.Attacked():
            return EventPlaces(
                at=(event.at, event.to), of=capital(side_name(event.seat)), title=event_title(event)
            )
        case event_types.Controlled():
            return EventPlaces(at=(event.at,), of=capital(side_name(event.seat)), title=event_title(event))
        case event_types.Deployed() | event_types.Bolstered() | event_types.Lost() | event_types.Paid():
            return EventPlaces(at=(event.at,))
        case event_types.Refused():
            at = _aimed_hex(event.order)
            return EventPlaces(at=(at,)) if at else None
    return None


def event_title(event: event_types.Moved | event_types.Attacked | event_types.Controlled) -> str:
    """Return the title that board.svg gives to the drawing of an event."""
    unit = f"{capital(side_name(event.seat))}: {name(event.card)} {event.at}"
    if isinstance(event, event_types.Controlled):
        return f"{unit} taken"
    return f"{unit} {'-' if isinstance(event, event_types.Moved) else 'attacks'} {event.to}"


def _aimed_hex(order: AnyOrder) -> Hex | None:
    """Return the hex that an order names for its unit."""
    return order.at if isinstance(order, Deploy | Bolster) else None
