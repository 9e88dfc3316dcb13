"""What board.svg draws: both rows as cards with their links, totals, the hand's size, the score."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.great_war.components import Card, CardId
from games.great_war.decisions import event_text
from games.great_war.events import AnyEvent, CardLaid
from games.great_war.model import AI, PLAYER, Laid, View
from games.great_war.tables import side_name
from games.protocol import Seat

WIDTH, HEIGHT = 1200, 840
CARD_WIDTH, CARD_HEIGHT, GAP = 104.0, 150.0, 12.0
LEFT, RIGHT = 30.0, 1170.0
LANES = {AI: 150.0, PLAYER: 560.0}
"""The upper edge of each side's row, in the units of the picture."""

COLOURS = {"entente": "#2f5d8a", "central": "#8c2f2b"}
SORTS = (
    ("leader", "#6b4c9a", "leader"),
    ("joker", "#b8860b", "joker"),
    ("bonus_card", "#9a7a10", "bonus"),
    ("naval", "#1d6f8a", "sea"),
    ("air", "#5b86b8", "air"),
    ("fieldwork", "#7a5c3a", "works"),
    ("obstacle", "#7a5c3a", "works"),
    ("artillery", "#5c5c5c", "guns"),
    ("land", "#557a3a", "land"),
)
"""By tag, the first that a card has: the colour of its band, and the word on it."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a view and what led to it.

    Keys: title, width, height, card_size, sides (name, role, colour, total, hand, score, lane, scale,
    cards, links between them), event, turn, margin.
    """
    new = {(event.seat, event.card) for event in events if isinstance(event, CardLaid)}
    sides = [_side(view, seat, new) for seat in (AI, PLAYER)]
    return {
        "title": "The Great War",
        "width": WIDTH,
        "height": HEIGHT,
        "card_size": {"width": CARD_WIDTH, "height": CARD_HEIGHT},
        "sides": sides,
        "event": event_text(view) if view.event else "",
        "turn": view.turn,
        "margin": view.margin(PLAYER),
    }


def _side(view: View, seat: Seat, new: set[tuple[Seat, CardId]]) -> dict[str, Any]:
    army = view.armies[seat]
    k = _scale(len(army.row))
    cards = [*_cards(view, seat, new, k)]
    places = {card["id"]: card for card in cards}
    return {
        "name": "You" if seat == PLAYER else "The AI",
        "nation": side_name(army),
        "colour": COLOURS[army.nation],
        "role": "attacks" if view.role(seat) == "attack" else "defends",
        "total": view.total(seat),
        "hand": len(army.hand),
        "score": view.score(seat),
        "lane": LANES[seat],
        "scale": k,
        "cards": cards,
        "links": [*_links(army.row, places, seat, k)],
    }


def _scale(count: int) -> float:
    """How much smaller cards are drawn so that all of a row find room beside each other."""
    return round(min(1.0, (RIGHT - LEFT) / max(count * (CARD_WIDTH + GAP) - GAP, 1.0)), 4)


def _cards(view: View, seat: Seat, new: set[tuple[Seat, CardId]], k: float) -> Iterator[dict[str, Any]]:
    for number, laid in enumerate(view.armies[seat].row):
        card = view.book[laid.card]
        colour, sort = _sort(card)
        yield {
            "id": laid.card,
            "x": round(LEFT + (CARD_WIDTH + GAP) * k * number, 1),
            "y": LANES[seat],
            "name": _wrapped(card.name),
            "bp": laid.bp,
            "up": laid.up,
            "new": (seat, laid.card) in new,
            "high": card.high,
            "plus": card.plus,
            "colour": colour,
            "sort": sort,
            "how": laid.how,
        }


def _sort(card: Card) -> tuple[str, str]:
    return next(((colour, word) for tag, colour, word in SORTS if tag in card.tags), ("#555555", ""))


def _links(
    row: Sequence[Laid], places: dict[CardId, dict[str, Any]], seat: Seat, k: float
) -> Iterator[dict[str, Any]]:
    """Arcs from a card to what it was added to; above the AI's row, below the player's."""
    sign = -1 if seat == AI else 1
    edge = LANES[seat] + (0 if seat == AI else CARD_HEIGHT * k)
    for laid in row:
        if laid.link in places and laid.card in places:
            x1 = places[laid.card]["x"] + CARD_WIDTH * k / 2
            x2 = places[laid.link]["x"] + CARD_WIDTH * k / 2
            depth = 12 + min(abs(x1 - x2) / 9, 30)
            yield {
                "x1": round(x1, 1),
                "x2": round(x2, 1),
                "y": round(edge, 1),
                "depth": round(edge + sign * depth, 1),
                "led": laid.how in ("led", "with_leader"),
            }


def _wrapped(name: str, width: int = 13, lines: int = 4) -> list[str]:
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
