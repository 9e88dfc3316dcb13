"""Cards on the table that can be pointed at: whose they are, their worth, which an event is about."""

from typing import Any

from games.great_war import events as event_types
from games.great_war.components import CardId
from games.great_war.events import AnyEvent
from games.great_war.model import AI, PLAYER, View
from games.great_war.scene import CARD_HEIGHT, CARD_WIDTH, STRIP, scene
from games.protocol import Seat
from games.protocol.optional import Mention, Spot

_OWNERS = {PLAYER: "the player", AI: "the AI"}


def spots(view: View) -> tuple[Spot, ...]:
    """The cards of both rows as board.svg lays them, formation by formation, the AI's first."""
    found = {
        _place(seat, card["id"]): _spot(view, seat, card)
        for seat, side in zip((AI, PLAYER), scene(view, ())["sides"], strict=True)
        for card in side["cards"]
    }
    return tuple(found.values())


def mention(event: AnyEvent) -> Mention | None:
    """The cards on the table that an event is about, the one first that was laid."""
    match event:
        case event_types.CardLaid():
            on = [_place(event.seat, event.link)] if event.link else []
            done = [_place(_against(event.seat, one.op), one.card) for one in event.done]
            return Mention(at=tuple(dict.fromkeys((_place(event.seat, event.card), *on, *done))))
        case event_types.LeaderStopped():
            return Mention(at=(_place(event.seat, event.card),))
        case event_types.Blockaded():
            return Mention(at=(_place(event.seat, event.by), _place(_other(event.seat), event.card)))
    return None


def _spot(view: View, seat: Seat, card: dict[str, Any]) -> Spot:
    """A card, as much of it as no other covers."""
    top = card["y"] + (CARD_HEIGHT - STRIP if card["under"] else 0)
    low = card["y"] + CARD_HEIGHT
    left, right = card["x"], card["x"] + CARD_WIDTH
    worth = f"{card['bp']} Battle Point{'s' * (card['bp'] != 1)}" if card["up"] else "cancelled"
    return Spot(
        at=_place(seat, card["id"]),
        path=f"M{left:g} {top:g}H{right:g}V{low:g}H{left:g}Z",
        name=view.book.called(card["id"]),
        owner=_OWNERS[seat],
        pieces=(worth, *([f"added to {card['on']}"] if card["on"] else [])),
    )


def _place(seat: Seat, card: CardId) -> str:
    return f"{seat}/{card}"


def _against(seat: Seat, op: str) -> Seat:
    """Whose card it is that a card cancels, discards or turns up again."""
    return seat if op == "restore" else _other(seat)


def _other(seat: Seat) -> Seat:
    return AI if seat == PLAYER else PLAYER
