"""The picture of War Chest's board, and the places on it that readers can point at."""

from collections.abc import Iterator, Sequence, Set
from math import atan2, cos, degrees, radians, sin, sqrt
from textwrap import wrap
from typing import Any

from games.messages import sentence
from games.protocol import EventPlaces, MapRegion, Seat, SeatColours
from games.war_chest import events as event_types
from games.war_chest.board import AXIAL, HEXES, Hex
from games.war_chest.components import HIDDEN_COIN, UNIT_NAMES, Card, name
from games.war_chest.events import AnyEvent, Attacked, Bolstered, Controlled, Deployed, Lost, Moved
from games.war_chest.legal_orders import deciding_seat, decisions
from games.war_chest.model import AUTOMATON, Bolster, Deploy, View
from games.war_chest.phrases import capital, describe_coins, side_name, unit_of

HEX_SIZE = 76.0
"""The distance from the middle of a hex to its corner, in units of the picture."""

PICTURE_WIDTH = 864
BOARD_MIDDLE, BOARD_HEIGHT = (PICTURE_WIDTH / 2, HEX_SIZE * 6.4), 966.0
"""The board is as wide as the picture, to be large on a phone. Title and markers are in its corners."""

MARK_DISTANCE, MARK_RADIUS = 42.0, 15.0
"""The number of a stack's coins is to its right, an added coin to its left: no arrow arrives from there."""

KEY_LEFT, KEY_COLUMN, _LETTER_ROW, _SIGN_ROW, _KEY_GAP = 28.0, 206.0, 60.0, 46.0, 8.0
"""The key below the board: its left edge, its columns, the rows of units and of signs, and their gap."""
_A_ROW = 4

_HAND_ROW_CHARS, _HAND_ROW_HEIGHT, _HAND_PADDING = 56, 29, 22
"""The rows of the hand: their length in characters, their height, and the space between two coins."""

UNIT_COLOURS = ("#8a4a00", "#2f4d80")
"""The colours of the first side, at the bottom, and of the second. Their units also differ in shape."""

UNIT_LETTERS: dict[str, str] = {
    card: "".join(word[0] for word in name.split()) if " " in name else name[:2]
    for card, name in UNIT_NAMES.items()
}


def badges(view: View) -> dict[str, SeatColours]:
    """Return the colour of each side's units and markers."""
    return {
        str(seat): SeatColours(ink=colour, land=colour)
        for seat, colour in zip(view.seats, UNIT_COLOURS, strict=True)
    }


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a view and the events that led to it.

    Coins that the viewer may not see are hidden in the view already. Keys: title, width, height; hexes with
    their names, corners, middles and owners; units, with the places of their marks; arrows; gone, the
    destroyed units; legend; letters, the units by the letters on their coins; signs, those on this picture;
    key, the top and the end of both; discards, the lines of both discard piles; hands, each with its title,
    its coins and their uses.
    """
    sides = {seat: number for number, seat in enumerate(view.seats)}
    new = {event.at for event in events if isinstance(event, Deployed | Bolstered)}
    letters, arrows = [*_letters(view, sides)], [*_arrows(sides, events)]
    gone = [*_destroyed_units(view, sides, events)]
    kinds = {arrow["kind"] for arrow in arrows}
    is_stacked = any(stack.height > 1 for stack in view.stacks)
    above = max((row["y"] for row in letters), default=BOARD_HEIGHT)
    signs = [*_signs(kinds | ({"height"} if is_stacked else set()), bool(new), bool(gone), above)]
    key_end = signs[-1]["y"] + _SIGN_ROW / 2
    discards = [*_discards(view, key_end + 30)]
    hands = [*_hands(view, sides, (discards[-1]["y"] + 6 if discards else key_end) + 34)]
    return {
        "title": "War Chest",
        "width": PICTURE_WIDTH,
        "height": round(
            max([key_end + 6, *(row["y"] + 16 for row in discards), *(hand["end"] for hand in hands)])
        ),
        "key": {"top": BOARD_HEIGHT, "end": key_end},
        "discards": discards,
        "hands": hands,
        "hexes": [_hex(view, sides, hex_name) for hex_name in HEXES],
        "units": [
            {
                **_token(stack.card, stack.at, sides[stack.seat]),
                "height": stack.height,
                "new": stack.at in new,
                "mark": {"x": hex_middle(stack.at)[0] + MARK_DISTANCE, "y": hex_middle(stack.at)[1]},
            }
            for stack in view.stacks
        ],
        "arrows": arrows,
        "gone": gone,
        "legend": [_legend_row(view, seat, number) for seat, number in sides.items()],
        "letters": letters,
        "signs": signs,
    }


def _letters(view: View, sides: dict[Seat, int]) -> Iterator[dict[str, Any]]:
    """Yield the units of both sides with the letters on their coins and their supply, in rows of the key."""
    top = BOARD_HEIGHT + _LETTER_ROW / 2
    for seat in view.seats:
        for place, card in enumerate(view.sides[seat].cards):
            line, column = divmod(place, _A_ROW)
            yield {
                "letters": UNIT_LETTERS[card],
                "name": name(card),
                "supply": sentence("war_chest.map.supply", count=view.sides[seat].supply.get(card, 0)),
                "side": sides[seat],
                "colour": UNIT_COLOURS[sides[seat]],
                "x": KEY_LEFT + KEY_COLUMN * column,
                "y": top + _LETTER_ROW * line,
            }
        top += _LETTER_ROW * -(-len(view.sides[seat].cards) // _A_ROW)


def _signs(kinds: Set[str], is_new: bool, is_gone: bool, above: float) -> Iterator[dict[str, Any]]:
    """Yield the signs on this picture with their places in the key. above: the middle of the row above."""
    present = {
        "location": True,
        "marker": True,
        "height": "height" in kinds,
        "move": "move" in kinds,
        "attack": "attack" in kinds,
        "gone": is_gone,
        "new": is_new,
        "taken": "taken" in kinds,
    }
    top = above + (_LETTER_ROW + _SIGN_ROW) / 2 + _KEY_GAP
    for place, sign in enumerate(sign for sign, is_there in present.items() if is_there):
        line, column = divmod(place, _A_ROW)
        text = sentence(f"war_chest.map.sign_{sign}")
        yield {"sign": sign, "text": text, "x": KEY_LEFT + KEY_COLUMN * column, "y": top + _SIGN_ROW * line}


def hex_middle(at: Hex) -> tuple[float, float]:
    """Return the middle of a hex in the picture."""
    q, r = AXIAL[at]
    return round(BOARD_MIDDLE[0] + HEX_SIZE * 1.5 * q, 1), round(
        BOARD_MIDDLE[1] + HEX_SIZE * sqrt(3) * (r + q / 2), 1
    )


def _hex(view: View, sides: dict[Seat, int], at: Hex) -> dict[str, Any]:
    x, y = hex_middle(at)
    owner = view.control.get(at)
    corners = " ".join(
        f"{x + (HEX_SIZE - 1.5) * cos(radians(60 * n)):.1f},{y + (HEX_SIZE - 1.5) * sin(radians(60 * n)):.1f}"
        for n in range(6)
    )
    return {
        "name": at,
        "x": x,
        "y": y,
        "corners": corners,
        "is_location": at in view.box.locations,
        "side": None if owner is None else sides[owner],
        "colour": None if owner is None else UNIT_COLOURS[sides[owner]],
    }


def _token(card: Card, at: Hex, side: int) -> dict[str, Any]:
    x, y = hex_middle(at)
    return {"letters": UNIT_LETTERS[card], "x": x, "y": y, "side": side, "colour": UNIT_COLOURS[side]}


def _destroyed_units(
    view: View, sides: dict[Seat, int], events: Sequence[AnyEvent]
) -> Iterator[dict[str, Any]]:
    """Yield the units that were destroyed, on their last hexes."""
    for event in events:
        if isinstance(event, Attacked) and event.left == 0 and event.source == "stack":
            yield _destroyed_token(view, _token(event.target, event.to, sides[event.victim]), event.to)
        if isinstance(event, Attacked) and event.riposte == 0:
            yield _destroyed_token(view, _token(event.card, event.at, sides[event.seat]), event.at)
        if isinstance(event, Lost) and event.left == 0:
            yield _destroyed_token(view, _token(Card("royal_guard"), event.at, sides[event.seat]), event.at)


def _destroyed_token(view: View, token: dict[str, Any], at: Hex) -> dict[str, Any]:
    aside = 34 if view.stack_at(at) else 0
    return {**token, "x": token["x"] + aside, "y": token["y"] - aside}


def _arrows(sides: dict[Seat, int], events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield an arrow for each move and each attack, and a ring for each location that changed hands."""
    for event in events:
        if isinstance(event, Moved | Attacked):
            kind = "move" if isinstance(event, Moved) else "attack"
            stroke = _arrow(event.at, event.to, kind, UNIT_COLOURS[sides[event.seat]])
            across, down = (stroke["x1"], stroke["x2"]), (stroke["y1"], stroke["y2"])
            box = (
                int(min(across)) - 16,
                int(min(down)) - 16,
                int(max(across)) + 17,
                int(max(down)) + 17,
            )
            yield {**stroke, "title": event_title(event), "box": box}
        elif isinstance(event, Controlled):
            x, y = hex_middle(event.at)
            colour = UNIT_COLOURS[sides[event.seat]]
            box = (int(x) - 58, int(y) - 58, int(x) + 59, int(y) + 59)
            yield {
                "kind": "taken",
                "x": x,
                "y": y,
                "colour": colour,
                "title": event_title(event),
                "box": box,
            }


def _arrow(at: Hex, to: Hex, kind: str, colour: str) -> dict[str, Any]:
    (x1, y1), (x2, y2) = hex_middle(at), hex_middle(to)
    angle = atan2(y2 - y1, x2 - x1)
    dx, dy = cos(angle), sin(angle)
    return {
        "kind": kind,
        "x1": round(x1 + 30 * dx, 1),
        "y1": round(y1 + 30 * dy, 1),
        "x2": round(x2 - 45 * dx, 1),
        "y2": round(y2 - 45 * dy, 1),
        "angle": round(degrees(angle), 1),
        "colour": colour,
        "failed": False,
    }


def _legend_row(view: View, seat: Seat, number: int) -> dict[str, Any]:
    markers = view.markers(seat)
    return {
        "name": capital(side_name(seat)),
        "side": number,
        "colour": UNIT_COLOURS[number],
        "markers": markers,
        "wanting": view.box.board.markers - markers,
    }


def _discards(view: View, top: float) -> Iterator[dict[str, Any]]:
    """Yield the lines of each side's discard pile as the viewer knows it. Hidden coins are only counted."""
    for seat in view.seats:
        side = view.sides[seat]
        parts = [describe_coins(side.face_up)] if side.face_up else []
        if side.face_down:
            parts.append(sentence("war_chest.map.face_down", coins=describe_coins(side.face_down)))
        if parts:
            text = sentence("war_chest.map.discards", side=side_name(seat), coins="; ".join(parts))
            for line in wrap(text, _HAND_ROW_CHARS):
                yield {"text": line, "y": top}
                top += _HAND_ROW_HEIGHT


def _hands(view: View, sides: dict[Seat, int], top: float) -> Iterator[dict[str, Any]]:
    """Yield each player's hand that the view shows, coin by coin with the possible uses now."""
    for seat, number in sides.items():
        coins = view.sides[seat].hand
        if seat == AUTOMATON or not coins or HIDDEN_COIN in coins:
            continue
        due = deciding_seat(view) == seat and view.ended is None
        can = dict(decisions(view)) if due else {}
        rows, y = [], top + 50
        for coin in dict.fromkeys(coins):
            lines = wrap(can.get(name(coin), ""), _HAND_ROW_CHARS) or [""]
            rows.append(
                {
                    "letters": UNIT_LETTERS.get(coin, "R"),
                    "name": name(coin),
                    "count": coins.count(coin),
                    "lines": lines,
                    "y": y,
                    "side": number,
                    "colour": UNIT_COLOURS[number],
                }
            )
            y += _HAND_ROW_HEIGHT * (len(lines) + 1) + _HAND_PADDING
        title = sentence(f"war_chest.hands.{seat}" if due else f"war_chest.waiting_hands.{seat}")
        yield {"seat": seat, "title": title, "due": due, "top": top, "rows": rows, "end": y}
        top = y + 20


# Hexes that readers can point at, with owners and pieces, and the hexes of events.


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return every hex with the id of its shape in board.svg."""
    return tuple(
        MapRegion(
            at=hex_name,
            shape=f"h{hex_name}",
            name=sentence(
                "war_chest.map.location" if hex_name in view.box.locations else "war_chest.map.hex",
                hex=hex_name,
            ),
            owner=side_name(owner) if (owner := view.control.get(hex_name)) else None,
            colour=badges(view)[owner].land if owner else "",
            pieces=tuple(
                sentence("war_chest.map.piece", unit=unit_of(stack.seat, stack.card), count=stack.height)
                for stack in view.stacks
                if stack.at == hex_name
            ),
        )
        for hex_name in HEXES
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the hexes of an event, the first hex of a unit that moved first."""
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
            at = event.order.at if isinstance(event.order, Deploy | Bolster) else None
            return EventPlaces(at=(at,)) if at else None
    return None


def event_title(event: event_types.Moved | event_types.Attacked | event_types.Controlled) -> str:
    """Return the title of an event's drawing in board.svg."""
    side, unit = capital(side_name(event.seat)), name(event.card)
    if isinstance(event, event_types.Controlled):
        return sentence("war_chest.map.taken", side=side, unit=unit, hex=event.at)
    slug = "war_chest.map.moved" if isinstance(event, event_types.Moved) else "war_chest.map.attacked"
    return sentence(slug, side=side, unit=unit, start=event.at, hex=event.to)
