"""How a game of many ended, and what that was worth to each seat."""

from adjudicator.site.course import counts_of, views_of
from adjudicator.site.exhibits import Exhibit
from adjudicator.site.scoring import SYSTEMS, Ending
from games.protocol import Table

MANY = 3
"""So many seats at least has a game that is scored."""


def at_end(exhibit: Exhibit) -> dict[str, int]:
    """What each seat had in the end; nothing where the game counts nothing."""
    if exhibit.game.score is None:
        return {}
    had = counts_of(exhibit, exhibit.latest)
    seats = dict.fromkeys((*(one.seat for one in exhibit.seats), *had))
    return {str(seat): had.get(seat, 0) for seat in seats}


def lasted(exhibit: Exhibit) -> dict[str, int]:
    """When, in the game's time, each seat last had something of what is counted."""
    score = exhibit.game.score
    if score is None:
        return {}
    found: dict[str, int] = {}
    for view in views_of(exhibit):
        found |= {seat: score.when(view) for seat, count in score.of(view).items() if count}
    return found


def ending_of(exhibit: Exhibit) -> Ending | None:
    """How a game of many ended; None for others, and for one that lasts."""
    result = exhibit.result
    counts = at_end(exhibit)
    if not exhibit.is_over or result is None or len(counts) < MANY:
        return None
    survivors = () if result.winners else tuple(exhibit.survivors)
    return Ending(counts, tuple(result.winners), survivors, lasted(exhibit))


def results_of(ending: Ending) -> Table:
    """What it was worth to each seat, by each system."""
    points = {name: system(ending) for name, system in SYSTEMS.items()}
    ranked = sorted(ending.counts, key=lambda seat: (-ending.counts[seat], seat))
    rows = [
        (seat, str(ending.counts[seat]), *(shown(points[name][seat]) for name in SYSTEMS)) for seat in ranked
    ]
    return Table(
        title="Results by several systems", columns=("Seat", "At the end", *SYSTEMS), rows=tuple(rows)
    )


def shown(points: float) -> str:
    """Points as a table shows them."""
    return f"{points:.1f}".removesuffix(".0")
