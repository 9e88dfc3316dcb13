"""Scoring systems: the points of each seat in a multiplayer game, as tournaments count them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.website.public_game import PublicGame
from adjudicator.website.timeline import counts_of, views_of
from games.protocol import ReportTable

TOTAL_POINTS = 100.0
_TOPS = (38.0, 14.0, 7.0)
"""C-Diplo points for the first three places. Playing and each centre are worth one more point each."""
_POINTS_FOR_PLACE = 1000.0


@dataclass(frozen=True)
class GameEnding:
    """The end of a multiplayer game.

    counts: the final count of every seat. winners: of the game. survivors: the seats that share a draw.
    lasted: by seat, the last game time when its count was above zero.
    """

    counts: Mapping[str, int]
    winners: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    lasted: Mapping[str, int] | None = None

    @property
    def soloist(self) -> str | None:
        """Return the seat that won alone, or None."""
        return self.winners[0] if len(self.winners) == 1 else None


Points = Mapping[str, float]


def draw_size(ending: GameEnding) -> Points:
    """Return equal shares of the points for the seats that share the draw or the victory."""
    among = ending.winners or ending.survivors
    return {seat: TOTAL_POINTS / len(among) if seat in among else 0.0 for seat in ending.counts}


def sum_of_squares(ending: GameEnding) -> Points:
    """Return points in proportion to the square of each seat's count."""
    if ending.soloist:
        return _all_to(ending, ending.soloist, TOTAL_POINTS)
    squares = {seat: count * count for seat, count in ending.counts.items()}
    total = sum(squares.values()) or 1
    return {seat: TOTAL_POINTS * square / total for seat, square in squares.items()}


def c_diplo(ending: GameEnding) -> Points:
    """Return one point for playing, one per centre, and 38, 14 and 7 for the first three places.

    Tied seats share their places. A board of seven seats and 34 centres distributes 100 points, other boards
    fewer or more.
    """
    if ending.soloist:
        return _all_to(ending, ending.soloist, TOTAL_POINTS)
    tops = _share_by_place(ending.counts, dict(enumerate(_TOPS)))
    return {seat: 1 + count + tops[seat] for seat, count in ending.counts.items()}


def carnage(ending: GameEnding) -> Points:
    """Return a thousand points per place from the last place up, and one per centre.

    Tied seats share their places. Eliminated seats are ranked by the time of their elimination.
    """
    seats = len(ending.counts)
    places = {place: _POINTS_FOR_PLACE * (seats - place) for place in range(seats)}
    if ending.soloist:
        return _all_to(ending, ending.soloist, sum(places.values()) + sum(ending.counts.values()))
    lasted = ending.lasted or {}
    rank = {seat: (count, 0 if count else lasted.get(seat, 0)) for seat, count in ending.counts.items()}
    placed = _share_by_place(rank, places)
    return {seat: count + placed[seat] for seat, count in ending.counts.items()}


SYSTEMS: Mapping[str, Callable[[GameEnding], Points]] = {
    "Draw size": draw_size,
    "Sum of squares": sum_of_squares,
    "C-Diplo": c_diplo,
    "Carnage": carnage,
}
"""The scoring systems by name, in display order."""


def _all_to(ending: GameEnding, winner: str, points: float) -> Points:
    return {seat: points if seat == winner else 0.0 for seat in ending.counts}


def _share_by_place(
    ranks: Mapping[str, int] | Mapping[str, tuple[int, int]], worth: Mapping[int, float]
) -> Points:
    """Return the points for each seat's place. Tied seats share theirs. ranks: the higher the better."""
    ordered: Sequence[str] = sorted(ranks, key=lambda seat: ranks[seat], reverse=True)
    level: dict[object, list[int]] = {}
    for place, seat in enumerate(ordered):
        level.setdefault(ranks[seat], []).append(place)
    shares = {
        rank: sum(worth.get(level_place, 0.0) for level_place in places) / len(places)
        for rank, places in level.items()
    }
    return {seat: shares[ranks[seat]] for seat in ranks}


# The end of a multiplayer game, and the points of each seat.


MIN_SCORED_SEATS = 3
"""The minimum number of seats for scoring."""


def at_end(public_game: PublicGame) -> dict[str, int]:
    """Return the final count of each seat, or nothing if the game counts nothing."""
    if public_game.game.score is None:
        return {}
    had = counts_of(public_game, public_game.latest)
    seats = dict.fromkeys((*(public_seat.seat for public_seat in public_game.seats), *had))
    return {str(seat): had.get(seat, 0) for seat in seats}


def last_times(public_game: PublicGame) -> dict[str, int]:
    """Return by seat the last game time when its count was above zero."""
    score = public_game.game.score
    if score is None:
        return {}
    times: dict[str, int] = {}
    for view in views_of(public_game):
        times |= {seat: score.when(view) for seat, count in score.of(view).items() if count}
    return times


def ending_of(public_game: PublicGame) -> GameEnding | None:
    """Return how a multiplayer game ended, or None for other games and for running games."""
    result = public_game.result
    counts = at_end(public_game)
    if not public_game.is_over or result is None or len(counts) < MIN_SCORED_SEATS:
        return None
    survivors = () if result.winners else tuple(public_game.survivors)
    return GameEnding(counts, tuple(result.winners), survivors, last_times(public_game))


def results_of(ending: GameEnding) -> ReportTable:
    """Return the table of each seat's points by each scoring system."""
    points = {name: system(ending) for name, system in SYSTEMS.items()}
    ranked = sorted(ending.counts, key=lambda seat: (-ending.counts[seat], seat))
    rows = [
        (seat, str(ending.counts[seat]), *(format_points(points[name][seat]) for name in SYSTEMS))
        for seat in ranked
    ]
    return ReportTable(
        title="Points by scoring system", columns=("Seat", "Final count", *SYSTEMS), rows=tuple(rows)
    )


def format_points(points: float) -> str:
    """Return points in the format of the tables."""
    return f"{points:.1f}".removesuffix(".0")
