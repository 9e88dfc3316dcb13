"""A page for each player who agreed to be named: his games, and what they came to."""

from collections.abc import Sequence
from typing import Any

from adjudicator.site import typesetting
from adjudicator.site.catalogue_page import Card
from adjudicator.site.endings import shown
from adjudicator.site.game_page import Frame
from adjudicator.site.records_page import ending_of
from adjudicator.site.scoring import SYSTEMS
from games.protocol import Table

Played = Sequence[tuple[Card, str]]
"""Games that somebody plays or played, each with his seat in it."""


def people_of(cards: Sequence[Card]) -> dict[str, Played]:
    """What each of them played, the latest first."""
    found: dict[str, list[tuple[Card, str]]] = {}
    for card in sorted(cards, key=lambda card: (-card.changed, card.name)):
        for seat, who in sorted(card.who.items()):
            found.setdefault(who, []).append((card, seat))
    return {name: found[name] for name in sorted(found)}


def player_page(name: str, played: Played, frame: Frame) -> bytes:
    """The page of one of them."""
    context: dict[str, Any] = {
        "house": frame.house,
        "up": "../",
        "name": name,
        "played": played,
        "results": _results(played),
    }
    return typesetting.page("person.jinja", context)


def _results(played: Played) -> Table:
    """What his games of many were worth to him."""
    rows = []
    for card, seat in played:
        ending = ending_of(card)
        if ending:
            points = [shown(system(ending).get(seat, 0.0)) for system in SYSTEMS.values()]
            rows.append((card.name, seat, *points))
    return Table(title="Results", columns=("Game", "Seat", *SYSTEMS), rows=tuple(rows))
