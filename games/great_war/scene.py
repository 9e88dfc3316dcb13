"""What board.svg draws: formations under their bases, totals, the player's own hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.great_war.components import HIDDEN, Card, CardId
from games.great_war.decisions import event_text
from games.great_war.events import AnyEvent, CardLaid
from games.great_war.formations import Formation, formations
from games.great_war.model import AI, PLAYER, View
from games.great_war.possible import bases, links
from games.great_war.tables import side_name
from games.protocol import Seat

WIDTH = 1200
CARD_WIDTH, CARD_HEIGHT, GAP = 150.0, 138.0, 14.0
STRIP = 46.0
"""What shows of a card that lies under another; it is shifted by STEP for each link to its base."""
STEP = 12.0
LEFT, RIGHT = 30.0, 1170.0
TOP, SIDE, BAND, FOOT = 84.0, 62.0, 118.0, 30.0
"""The heights of the title, a side's heading, the band between the rows, the edge below, in units."""
LINE = 24.0
_ROOM, _A_ROW = 14.0, int((RIGHT - LEFT + GAP) // (CARD_WIDTH + GAP))

COLOURS = {"entente": "#24508a", "central": "#8c2f2b"}
SORTS = (
    ("leader", "#6b4c9a", "leader"),
    ("joker", "#8a6200", "joker"),
    ("bonus_card", "#7d6200", "bonus"),
    ("naval", "#1d6f8a", "sea"),
    ("air", "#3f6698", "air"),
    ("fieldwork", "#7a5c3a", "works"),
    ("obstacle", "#7a5c3a", "works"),
    ("artillery", "#5c5c5c", "guns"),
    ("land", "#4a6c31", "land"),
)
"""By tag, the first that a card has: the colour of its band, and the word on it."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a view and what led to it; a hand is drawn for whoever may see it.

    Keys: title, width, height, card_size, sides (name, role, colour, total, hand, score, top, cards),
    band (its upper edge), event, turn, margin, hand (top, cards with what they may be added to).
    """
    new = {(event.seat, event.card) for event in events if isinstance(event, CardLaid)}
    enemy = _side(view, AI, new, TOP)
    band = enemy["end"] + _ROOM
    mine = _side(view, PLAYER, new, band + BAND + _ROOM)
    hand = _hand(view, mine["end"] + _ROOM)
    return {
        "title": "The Great War",
        "width": WIDTH,
        "height": round((hand["end"] if hand else mine["end"]) + FOOT),
        "card_size": {"width": CARD_WIDTH, "height": CARD_HEIGHT, "strip": STRIP},
        "sides": [enemy, mine],
        "band": band,
        "event": event_text(view) if view.event else "",
        "turn": view.turn,
        "margin": view.margin(PLAYER),
        "hand": hand,
    }


def _side(view: View, seat: Seat, new: set[tuple[Seat, CardId]], top: float) -> dict[str, Any]:
    army = view.armies[seat]
    cards, y = list[dict[str, Any]](), top + SIDE
    for row in _rows(formations(army.row)):
        x = LEFT
        for stack in row:
            cards += _stack(view, seat, stack, new, (x, y))
            x += CARD_WIDTH + STEP * stack.depth + GAP
        y += CARD_HEIGHT + STRIP * max(len(stack.under) for stack in row) + GAP
    return {
        "name": "You" if seat == PLAYER else "The AI",
        "nation": side_name(army),
        "colour": COLOURS[army.nation],
        "role": "attacks" if view.role(seat) == "attack" else "defends",
        "total": view.total(seat),
        "hand": len(army.hand),
        "score": view.score(seat),
        "top": top,
        "end": y if cards else y + CARD_HEIGHT / 2,
        "cards": cards,
    }


def _rows(stacks: Sequence[Formation]) -> Iterator[Sequence[Formation]]:
    """As many formations in a row as find room beside each other in full size."""
    row, x = list[Formation](), LEFT
    for stack in stacks:
        width = CARD_WIDTH + STEP * stack.depth
        if row and x + width > RIGHT:
            yield row
            row, x = [], LEFT
        row.append(stack)
        x += width + GAP
    if row:
        yield row


def _stack(
    view: View, seat: Seat, stack: Formation, new: set[tuple[Seat, CardId]], at: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    """The base, and below it what shows of each card that was added; the lowest is drawn first."""
    placed = [(stack.base, 0, 0), *((laid, place, deep) for place, (laid, deep) in enumerate(stack.under, 1))]
    for laid, place, deep in reversed(placed):
        yield {
            **_face(view.book[laid.card]),
            "x": at[0] + STEP * deep,
            "y": at[1] + STRIP * place,
            "bp": laid.bp,
            "up": laid.up,
            "new": (seat, laid.card) in new,
            "under": place > 0,
            "on": laid.link,
            "led": laid.how in ("led", "with_leader"),
        }


def _face(card: Card) -> dict[str, Any]:
    colour, sort = _sort(card)
    return {
        "id": card.id,
        "name": _wrapped(card.name),
        "high": card.high,
        "plus": card.plus,
        "colour": colour,
        "sort": sort,
        "count": 1,
        "led": False,
    }


def _sort(card: Card) -> tuple[str, str]:
    return next(((colour, word) for tag, colour, word in SORTS if tag in card.tags), ("#555555", ""))


def _hand(view: View, top: float) -> dict[str, Any] | None:
    """The player's hand for himself: each card once, what it may be, and to what it may be added now."""
    held = view.armies[PLAYER].hand
    if not held or HIDDEN in held:
        return None
    due = view.stage in ("round 1", "round 2")
    first, onto = (bases(view), links(view)) if due else ((), {})
    cards = tuple(dict.fromkeys(held))
    drawn, y = list[dict[str, Any]](), top + SIDE
    for start in range(0, len(cards), _A_ROW):
        row = [
            {
                **_face(view.book[one]),
                "x": LEFT + (CARD_WIDTH + GAP) * number,
                "y": y,
                "bp": view.book[one].bp,
                "up": True,
                "new": False,
                "under": False,
                "count": held.count(one),
                "marks": _marks(one, first, onto),
            }
            for number, one in enumerate(cards[start : start + _A_ROW])
        ]
        drawn += row
        y += CARD_HEIGHT + LINE * max(len(card["marks"]) for card in row) + GAP
    return {"top": top, "due": due, "cards": drawn, "end": y}


def _marks(one: CardId, first: Sequence[CardId], onto: Mapping[CardId, Sequence[CardId]]) -> list[str]:
    """In lines below a card: that it may be a base, and each card to which it may be added."""
    may = ["as a base"] if one in first else []
    return [*may, *(f"+ on {host}" for host in onto.get(one, ()))]


def _wrapped(name: str, width: int = 14, lines: int = 3) -> list[str]:
    """A name in lines that fit on a card."""
    found = [""]
    for word in name.split():
        # A long word is parted at its hyphen.
        head, hyphen, tail = word.partition("-") if len(word) > width else (word, "", "")
        for part in filter(None, (head + hyphen, tail)):
            if found[-1] and len(found[-1]) + 1 + len(part) > width:
                found.append("")
            found[-1] = f"{found[-1]} {part}".strip()
    return found[:lines]
