"""Cards on the table that can be pointed at: whose they are, their worth, which an event is about."""

from typing import Any

from games.great_war import events as event_types
from games.great_war.components import CardId
from games.great_war.events import AnyEvent
from games.great_war.map import CARD_HEIGHT, CARD_WIDTH, COVERED_STRIP, board_scene
from games.great_war.model import AI, PLAYER, View
from games.protocol import Seat
from games.protocol.optional import EventPlaces, MapRegion

_OWNERS = {PLAYER: "the player", AI: "the AI"}


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return the cards of both rows as board.svg lays them, formation by formation, the AI's first."""
    spots_by_place = {
        _place(seat, card["id"]): _spot(view, seat, card)
        for seat, side in zip((AI, PLAYER), board_scene(view, ())["sides"], strict=True)
        for card in side["cards"]
    }
    return tuple(spots_by_place.values())


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the cards on the table that an event is about, the one first that was laid."""
    match event:
        case event_types.CardLaid():
            on = [_place(event.seat, event.link)] if event.link else []
            done = [_place(_against(event.seat, effect.op), effect.card) for effect in event.done]
            return EventPlaces(at=tuple(dict.fromkeys((_place(event.seat, event.card), *on, *done))))
        case event_types.LeaderStopped():
            return EventPlaces(at=(_place(event.seat, event.card),))
        case event_types.Blockaded():
            return EventPlaces(at=(_place(event.seat, event.by), _place(_other(event.seat), event.card)))
    return None


def _spot(view: View, seat: Seat, card: dict[str, Any]) -> MapRegion:
    """Return a card's spot, as much of it as no other covers."""
    top = card["y"] + (CARD_HEIGHT - COVERED_STRIP if card["under"] else 0)
    low = card["y"] + CARD_HEIGHT
    left_edge, right = card["x"], card["x"] + CARD_WIDTH
    worth = f"{card['bp']} Battle Point{'s' * (card['bp'] != 1)}" if card["up"] else "cancelled"
    return MapRegion(
        at=_place(seat, card["id"]),
        path=f"M{left_edge:g} {top:g}H{right:g}V{low:g}H{left_edge:g}Z",
        name=view.book.full_name(card["id"]),
        owner=_OWNERS[seat],
        pieces=(worth, *([f"added to {card['on']}"] if card["on"] else [])),
    )


def _place(seat: Seat, card: CardId) -> str:
    return f"{seat}/{card}"


def _against(seat: Seat, op: str) -> Seat:
    """Return the side whose card a card cancels, discards or turns up again."""
    return seat if op == "restore" else _other(seat)


def _other(seat: Seat) -> Seat:
    return AI if seat == PLAYER else PLAYER
