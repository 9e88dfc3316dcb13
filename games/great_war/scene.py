"""What board.svg draws: both rows in formations, totals, the score, the hand with its uses."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from games.great_war.components import Card, CardId
from games.great_war.decisions import event_text
from games.great_war.events import AnyEvent, CardLaid
from games.great_war.formations import INDENT, Place, formations, hand, low
from games.great_war.in_play import Table
from games.great_war.model import AI, PLAYER, Laid, View
from games.great_war.tables import side_name
from games.great_war.uses import NOTHING, uses
from games.protocol import Seat

WIDTH = 1200
_TOP, _LABEL, _BAND, _STEP = 118, 46, 140, 120
"""Where the first cards lie; room above a row for its name; the band between both; how the picture grows."""

_EMPTY = 44
"""Room of a row without cards."""

COLOURS = {"entente": "#2f5d8a", "central": "#8c2f2b"}
GROUNDS = {"table": "#dfe4d2", "band": "#cfd6bd", "card": "#fffdf6"}
SORTS = (
    ("leader", "#6b4c9a", "leader"),
    ("joker", "#8a6405", "joker"),
    ("bonus_card", "#79600c", "bonus"),
    ("naval", "#1d6f8a", "sea"),
    ("air", "#3f6c9f", "air"),
    ("fieldwork", "#7a5c3a", "works"),
    ("obstacle", "#7a5c3a", "works"),
    ("artillery", "#5c5c5c", "guns"),
    ("land", "#4d7034", "land"),
)
"""By tag, the first that a card has: the colour of its band, and the word on it."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a view and what led to it.

    Keys: title, width, height, grounds, sides (name, role, colour, total, hand, score, top, cards, links
    between them), band (where the score stands), hand (top, cards; none for other eyes), event, turn, margin.
    """
    new = {(event.seat, event.card) for event in events if isinstance(event, CardLaid)}
    theirs = _side(view, AI, new, _TOP)
    band = theirs["end"] + 16
    mine = _side(view, PLAYER, new, band + _BAND + _LABEL)
    held = _hand(view, mine["end"] + 16 + _LABEL)
    end = held["end"] if held["cards"] else mine["end"]
    return {
        "title": "The Great War",
        "width": WIDTH,
        "height": ceil((end + 24) / _STEP) * _STEP,
        "grounds": GROUNDS,
        "sides": [theirs, mine],
        "band": band,
        "hand": held,
        "event": event_text(view) if view.event else "",
        "turn": view.turn,
        "margin": view.margin(PLAYER),
    }


def _side(view: View, seat: Seat, new: set[tuple[Seat, CardId]], top: int) -> dict[str, Any]:
    army = view.armies[seat]
    places = formations(army.row, view.book, top)
    laid = {one.card: one for one in army.row}
    by_card = {place.card: place for place in places}
    return {
        "name": "You" if seat == PLAYER else "The AI",
        "nation": side_name(army),
        "colour": COLOURS[army.nation],
        "role": "attacks" if view.role(seat) == "attack" else "defends",
        "total": view.total(seat),
        "hand": len(army.hand),
        "score": view.score(seat),
        "top": top,
        "end": low(places, top + _EMPTY),
        "cards": [_laid(view, place, laid[place.card], is_new=(seat, place.card) in new) for place in places],
        "links": [_link(place, by_card[place.on], laid[place.card]) for place in places if place.on],
    }


def _laid(view: View, place: Place, laid: Laid, *, is_new: bool) -> dict[str, Any]:
    card = _card(view, place)
    return {**card, "bp": laid.bp, "up": laid.up, "how": laid.how, "new": is_new, "live": True}


def _hand(view: View, top: int) -> dict[str, Any]:
    """The player's hand, if it may be seen, each card with what it may be laid as now."""
    table, places = Table(view), hand(uses(view), view.book, top)
    cards = [
        {
            **_card(view, place),
            "bp": table.bp(place.card),
            "up": True,
            "new": False,
            "live": place.told != (NOTHING,),
        }
        for place in places
    ]
    return {"top": top, "end": low(places, top), "cards": cards}


def _card(view: View, place: Place) -> dict[str, Any]:
    card = view.book[place.card]
    colour, sort = _sort(card)
    return {
        "id": place.card,
        "x": place.x,
        "y": place.y,
        "wide": place.wide,
        "tall": place.high,
        "name": list(place.name),
        "told": list(place.told),
        "high": card.high,
        "plus": card.plus,
        "colour": colour,
        "sort": sort,
    }


def _sort(card: Card) -> tuple[str, str]:
    return next(((colour, word) for tag, colour, word in SORTS if tag in card.tags), ("#555555", ""))


def _link(place: Place, on: Place, laid: Laid) -> dict[str, Any]:
    """From the lower edge of a card down to the head of one that hangs on it, along their left sides."""
    x = min(on.x, place.x - INDENT) + INDENT // 2
    return {
        "x": x,
        "from": on.y + on.high,
        "to": place.y + 16,
        "end": place.x,
        "led": laid.how in ("led", "with_leader"),
        "card": place.card,
        "on": on.card,
    }
