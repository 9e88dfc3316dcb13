"""A page for each player who agreed to be named: his games, and what they came to."""

from collections.abc import Sequence
from typing import Any

from adjudicator.website import pages
from adjudicator.website.endings import format_points
from adjudicator.website.game_page import PageFrame
from adjudicator.website.index_pages import GameCard
from adjudicator.website.records_page import ending_of
from adjudicator.website.scoring import SYSTEMS
from games.protocol import ReportTable

Played = Sequence[tuple[GameCard, str]]
"""Games that somebody plays or played, each with his seat in it."""


def people_of(cards: Sequence[GameCard]) -> dict[str, Played]:
    """Return what each person played, the latest first."""
    played_by_person: dict[str, list[tuple[GameCard, str]]] = {}
    for card in sorted(cards, key=lambda card: (-card.changed, card.name)):
        for seat, who in sorted(card.who.items()):
            played_by_person.setdefault(who, []).append((card, seat))
    return {name: played_by_person[name] for name in sorted(played_by_person)}


def player_page(name: str, played: Played, frame: PageFrame) -> bytes:
    """The page of one of them."""
    context: dict[str, Any] = {
        "house": frame.house,
        "up": "../",
        "name": name,
        "played": played,
        "results": _results(played),
    }
    return pages.page("person.jinja", context)


def _results(played: Played) -> ReportTable:
    """Return what the person's games of many were worth to them."""
    rows = []
    for card, seat in played:
        ending = ending_of(card)
        if ending:
            points = [format_points(system(ending).get(seat, 0.0)) for system in SYSTEMS.values()]
            rows.append((card.name, seat, *points))
    return ReportTable(title="Results", columns=("Game", "Seat", *SYSTEMS), rows=tuple(rows))
