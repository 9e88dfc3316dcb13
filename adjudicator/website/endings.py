"""The end of a game of many players, and what it was worth to each seat."""

from adjudicator.website.public_game import PublicGame
from adjudicator.website.scoring import SYSTEMS, GameEnding
from adjudicator.website.timeline import counts_of, views_of
from games.protocol import ReportTable

MIN_SCORED_SEATS = 3
"""So many seats at least has a game that is scored."""


def at_end(exhibit: PublicGame) -> dict[str, int]:
    """Return what each seat had in the end; nothing where the game counts nothing."""
    if exhibit.game.score is None:
        return {}
    had = counts_of(exhibit, exhibit.latest)
    seats = dict.fromkeys((*(public_seat.seat for public_seat in exhibit.seats), *had))
    return {str(seat): had.get(seat, 0) for seat in seats}


def last_times(exhibit: PublicGame) -> dict[str, int]:
    """Return when, in the game's time, each seat last had something of what is counted."""
    score = exhibit.game.score
    if score is None:
        return {}
    times: dict[str, int] = {}
    for view in views_of(exhibit):
        times |= {seat: score.when(view) for seat, count in score.of(view).items() if count}
    return times


def ending_of(exhibit: PublicGame) -> GameEnding | None:
    """Return how a game of many ended; None for others, and for one that lasts."""
    result = exhibit.result
    counts = at_end(exhibit)
    if not exhibit.is_over or result is None or len(counts) < MIN_SCORED_SEATS:
        return None
    survivors = () if result.winners else tuple(exhibit.survivors)
    return GameEnding(counts, tuple(result.winners), survivors, last_times(exhibit))


def results_of(ending: GameEnding) -> ReportTable:
    """Return the table of what it was worth to each seat, by each system."""
    points = {name: system(ending) for name, system in SYSTEMS.items()}
    ranked = sorted(ending.counts, key=lambda seat: (-ending.counts[seat], seat))
    rows = [
        (seat, str(ending.counts[seat]), *(format_points(points[name][seat]) for name in SYSTEMS))
        for seat in ranked
    ]
    return ReportTable(
        title="Results by several systems", columns=("Seat", "At the end", *SYSTEMS), rows=tuple(rows)
    )


def format_points(points: float) -> str:
    """Return points as a table shows them."""
    return f"{points:.1f}".removesuffix(".0")
