"""A page for each player who agreed to be named: his games, and what they came to."""

from collections.abc import Sequence
from typing import Any

from adjudicator.site import typesetting
from adjudicator.site.catalogue_page import Card
from adjudicator.site.endings import shown
from adjudicator.site.game_page import Frame, person_page
from adjudicator.site.records_page import ending_of
from adjudicator.site.scoring import SYSTEMS
from games.protocol import Table


def people_pages(cards: Sequence[Card], frame: Frame) -> dict[str, bytes]:
    """All of them, by their places in the archive."""
    names = sorted({name for card in cards for name in card.who.values()})
    return {person_page(name): _page(name, cards, frame) for name in names}


def _page(name: str, cards: Sequence[Card], frame: Frame) -> bytes:
    played = [
        (card, seat)
        for card in sorted(cards, key=lambda card: (-card.changed, card.name))
        for seat, who in sorted(card.who.items())
        if who == name
    ]
    context: dict[str, Any] = {
        "house": frame.house,
        "up": "../",
        "name": name,
        "played": played,
        "results": _results(played),
    }
    return typesetting.page("person.jinja", context)


def _results(played: Sequence[tuple[Card, str]]) -> Table:
    """What his games of many were worth to him."""
    rows = []
    for card, seat in played:
        ending = ending_of(card)
        if ending:
            points = [shown(system(ending).get(seat, 0.0)) for system in SYSTEMS.values()]
            rows.append((card.name, seat, *points))
    return Table(title="Results", columns=("Game", "Seat", *SYSTEMS), rows=tuple(rows))
