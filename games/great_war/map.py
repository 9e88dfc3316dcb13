"""The drawing of The Great War's board, and the places on it that can be selected."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.great_war import events as event_types
from games.great_war.components import HIDDEN_CARD, Card, CardId
from games.great_war.events import AnyEvent, CardLaid
from games.great_war.legal_orders import HAND, bases, event_text, hosts_by_card, place_name
from games.great_war.model import AI, PLAYER, Formation, View, group_formations
from games.great_war.phrases import pile_name
from games.messages import sentence
from games.protocol import EventPlaces, MapRegion, Seat

PICTURE_WIDTH = 1200
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 150.0, 138.0, 14.0
COVERED_STRIP = 46.0
"""The height of the visible strip of a card that lies under another card."""
LINK_SHIFT = 12.0
ROW_LEFT, ROW_RIGHT = 30.0, 1170.0
TITLE_HEIGHT, SIDE_HEADING_HEIGHT, BETWEEN_ROWS_HEIGHT, BOTTOM_MARGIN = 84.0, 62.0, 118.0, 30.0
"""The heights of the title, a side's heading, the band between the rows and the lower margin, in units."""
MARK_LINE_HEIGHT = 24.0
_ROOM, _A_ROW = 14.0, int((ROW_RIGHT - ROW_LEFT + CARD_GAP) // (CARD_WIDTH + CARD_GAP))

NATION_COLOURS = {"entente": "#24508a", "central": "#8c2f2b"}
CARD_BANDS = (
    ("leader", "#6b4c9a", "great_war.board.band_leader"),
    ("joker", "#8a6200", "great_war.board.band_joker"),
    ("bonus_card", "#7d6200", "great_war.board.band_bonus"),
    ("naval", "#1d6f8a", "great_war.board.band_sea"),
    ("air", "#3f6698", "great_war.board.band_air"),
    ("fieldwork", "#7a5c3a", "great_war.board.band_works"),
    ("obstacle", "#7a5c3a", "great_war.board.band_works"),
    ("artillery", "#5c5c5c", "great_war.board.band_guns"),
    ("land", "#4a6c31", "great_war.board.band_land"),
)
"""By tag, the colour of a card's band, and the catalogue entry of the word on it. The first tag counts."""


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a view and the events before it.

    The hand is drawn only for viewers who may see it. Keys: title, width, height, card_size, sides (name,
    role, colour, total, hand, score, top, cards), band (its upper edge), event, turn, margin, hand (top,
    cards with the cards that they can be added to).
    """
    new = {(event.seat, event.card) for event in events if isinstance(event, CardLaid)}
    enemy = _side_scene(view, AI, new, TITLE_HEIGHT)
    band = enemy["end"] + _ROOM
    mine = _side_scene(view, PLAYER, new, band + BETWEEN_ROWS_HEIGHT + _ROOM)
    hand = _hand_scene(view, mine["end"] + _ROOM)
    return {
        "title": sentence("great_war.board.title"),
        "width": PICTURE_WIDTH,
        "height": round((hand["end"] if hand else mine["end"]) + BOTTOM_MARGIN),
        "card_size": {"width": CARD_WIDTH, "height": CARD_HEIGHT, "strip": COVERED_STRIP},
        "sides": [enemy, mine],
        "band": band,
        "event": event_text(view) if view.event else "",
        "turn": view.turn,
        "margin": view.margin(PLAYER),
        "hand": hand,
    }


def _side_scene(view: View, seat: Seat, new: set[tuple[Seat, CardId]], top: float) -> dict[str, Any]:
    army, is_attacker = view.armies[seat], view.role(seat) == "attack"
    cards, y = list[dict[str, Any]](), top + SIDE_HEADING_HEIGHT
    for row in _rows(group_formations(army.row)):
        x = ROW_LEFT
        for stack in row:
            cards += _formation_scene(view, seat, stack, new, (x, y))
            x += CARD_WIDTH + LINK_SHIFT * stack.depth + CARD_GAP
        y += CARD_HEIGHT + COVERED_STRIP * max(len(stack.under) for stack in row) + CARD_GAP
    return {
        "name": sentence("great_war.sides.player" if seat == PLAYER else "great_war.sides.ai"),
        "nation": pile_name(army.nation),
        "colour": NATION_COLOURS[army.nation],
        "role": sentence("great_war.board.attack" if is_attacker else "great_war.board.defend"),
        "total": view.total(seat),
        "hand": len(army.hand),
        "score": view.score(seat),
        "top": top,
        "end": y if cards else y + CARD_HEIGHT / 2,
        "cards": cards,
    }


def _rows(stacks: Sequence[Formation]) -> Iterator[Sequence[Formation]]:
    """Yield rows of formations, with as many as fit beside each other at full size."""
    row, x = list[Formation](), ROW_LEFT
    for stack in stacks:
        width = CARD_WIDTH + LINK_SHIFT * stack.depth
        if row and x + width > ROW_RIGHT:
            yield row
            row, x = [], ROW_LEFT
        row.append(stack)
        x += width + CARD_GAP
    if row:
        yield row


def _formation_scene(
    view: View, seat: Seat, stack: Formation, new: set[tuple[Seat, CardId]], at: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    """Yield the base and the visible strips of the cards added to it, the lowest card first."""
    placed = [
        (stack.base, 0, 0),
        *((table_card, place, deep) for place, (table_card, deep) in enumerate(stack.under, 1)),
    ]
    for table_card, place, deep in reversed(placed):
        yield {
            **_face_scene(view.book[table_card.card]),
            "x": at[0] + LINK_SHIFT * deep,
            "y": at[1] + COVERED_STRIP * place,
            "bp": table_card.bp,
            "up": table_card.up,
            "new": (seat, table_card.card) in new,
            "under": place > 0,
            "on": table_card.link,
            "led": table_card.how in ("led", "with_leader"),
        }


def _face_scene(card: Card) -> dict[str, Any]:
    bands = ((colour, sentence(slug)) for tag, colour, slug in CARD_BANDS if tag in card.tags)
    colour, sort = next(bands, ("#555555", ""))
    return {
        "id": card.id,
        "name": _wrap_name(card.name),
        "high": card.high,
        "plus": card.plus,
        "colour": colour,
        "sort": sort,
        "count": 1,
        "led": False,
    }


def _hand_scene(view: View, top: float) -> dict[str, Any] | None:
    """Return the player's hand for drawing, or None if the viewer can't see it.

    Each card comes once, with its uses and hosts in the present Combat Round.
    """
    held = view.armies[PLAYER].hand
    if not held or HIDDEN_CARD in held:
        return None
    due = view.stage in ("round 1", "round 2")
    first, onto = (bases(view), hosts_by_card(view)) if due else ((), {})
    cards = tuple(dict.fromkeys(held))
    drawn, y = list[dict[str, Any]](), top + SIDE_HEADING_HEIGHT
    for start in range(0, len(cards), _A_ROW):
        row = [
            {
                **_face_scene(view.book[card_id]),
                "x": ROW_LEFT + (CARD_WIDTH + CARD_GAP) * number,
                "y": y,
                "bp": view.book[card_id].bp,
                "up": True,
                "new": False,
                "under": False,
                "count": held.count(card_id),
                "marks": _marks(card_id, first, onto),
            }
            for number, card_id in enumerate(cards[start : start + _A_ROW])
        ]
        drawn += row
        y += CARD_HEIGHT + MARK_LINE_HEIGHT * max(len(card["marks"]) for card in row) + CARD_GAP
    return {"top": top, "due": due, "cards": drawn, "end": y}


def _marks(card_id: CardId, first: Sequence[CardId], onto: Mapping[CardId, Sequence[CardId]]) -> list[str]:
    """Return the lines below a card: whether it can be a base, and each card it can be added to."""
    marks = [sentence("great_war.board.as_base")] if card_id in first else []
    return [*marks, *(sentence("great_war.board.on_host", host=host) for host in onto.get(card_id, ()))]


def _wrap_name(name: str, width: int = 14, lines: int = 3) -> list[str]:
    """Return a name in lines that fit on a card."""
    name_lines = [""]
    for word in name.split():
        # A long word is split at its hyphen.
        head, hyphen, tail = word.partition("-") if len(word) > width else (word, "", "")
        for part in filter(None, (head + hyphen, tail)):
            if name_lines[-1] and len(name_lines[-1]) + 1 + len(part) > width:
                name_lines.append("")
            name_lines[-1] = f"{name_lines[-1]} {part}".strip()
    return name_lines[:lines]


# Cards on the table as regions of the map, with owner and value, and the regions that an event names.


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return the cards of both rows where board.svg draws them, by formation, the AI's cards first.

    The cards of the hand follow, if the viewer can see them.
    """
    scene = board_scene(view, ())
    spots_by_place = {
        place_name(seat, card["id"]): _spot(view, seat, card)
        for seat, side in zip((AI, PLAYER), scene["sides"], strict=True)
        for card in side["cards"]
    }
    hand = scene["hand"]["cards"] if scene["hand"] else ()
    return (*spots_by_place.values(), *(_hand_spot(view, card) for card in hand))


def _hand_spot(view: View, card: dict[str, Any]) -> MapRegion:
    """Return a card of the hand as a region of the map."""
    left_edge, top = card["x"], card["y"]
    return MapRegion(
        at=place_name(HAND, card["id"]),
        path=f"M{left_edge:g} {top:g}H{left_edge + CARD_WIDTH:g}V{top + CARD_HEIGHT:g}H{left_edge:g}Z",
        name=view.book.full_name(card["id"]),
        owner=sentence("great_war.board.owner_player"),
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the cards on the table that an event names, the card that was played first."""
    match event:
        case event_types.CardLaid():
            on = [place_name(event.seat, event.link)] if event.link else []
            done = [place_name(_against(event.seat, effect.op), effect.card) for effect in event.done]
            return EventPlaces(at=tuple(dict.fromkeys((place_name(event.seat, event.card), *on, *done))))
        case event_types.LeaderStopped():
            return EventPlaces(at=(place_name(event.seat, event.card),))
        case event_types.Blockaded():
            return EventPlaces(
                at=(place_name(event.seat, event.by), place_name(_other(event.seat), event.card))
            )
    return None


def _spot(view: View, seat: Seat, card: dict[str, Any]) -> MapRegion:
    """Return the visible part of a card as a region of the map."""
    top = card["y"] + (CARD_HEIGHT - COVERED_STRIP if card["under"] else 0)
    low = card["y"] + CARD_HEIGHT
    left_edge, right = card["x"], card["x"] + CARD_WIDTH
    worth = sentence(
        "great_war.board.points" if card["up"] else "great_war.board.cancelled", count=card["bp"]
    )
    added = (sentence("great_war.board.added", card=card["on"]),) if card["on"] else ()
    return MapRegion(
        at=place_name(seat, card["id"]),
        path=f"M{left_edge:g} {top:g}H{right:g}V{low:g}H{left_edge:g}Z",
        name=view.book.full_name(card["id"]),
        owner=sentence("great_war.board.owner_player" if seat == PLAYER else "great_war.board.owner_ai"),
        pieces=(worth, *added),
    )


def _against(seat: Seat, op: str) -> Seat:
    """Return the side whose card was cancelled, discarded or turned up again."""
    return seat if op == "restore" else _other(seat)


def _other(seat: Seat) -> Seat:
    return AI if seat == PLAYER else PLAYER
