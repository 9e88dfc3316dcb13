"""The worth of standing somewhere: what is worth having, spread over the ways there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Kind, Province, split_spot


@dataclass(frozen=True)
class SpotGraph:
    """The graph of one kind of unit: the spots, and by their numbers those next to each."""

    spots: tuple[Province, ...]
    next_to: tuple[tuple[int, ...], ...]

    def spread(
        self, worth: Mapping[Province, float], rounds: int, share: float
    ) -> tuple[Sequence[float], ...]:
        """Return the worth that reaches each spot, round by round, from provinces that are worth something.

        In each round a spot gets what it and the spots next to it had, together, times the share: so what
        is worth much, or lies near much, is worth much, and what may be reached by many ways is worth
        more.
        """
        now = [worth.get(split_spot(spot)[0], 0.0) for spot in self.spots]
        values_by_round = [now]
        for _ in range(rounds - 1):
            now = [
                share * (now[here] + sum([now[there] for there in near]))
                for here, near in enumerate(self.next_to)
            ]
            values_by_round.append(now)
        return tuple(values_by_round)


def ground(board: Board, kind: Kind) -> SpotGraph:
    """The ground of a kind of unit: a fleet's is water and coasts, any other's is land."""
    near = board.sailing if kind == "F" else board.army
    spots = tuple(spot for spot in near if near[spot] or kind != "F")
    number = {spot: at for at, spot in enumerate(spots)}
    return SpotGraph(spots, tuple(tuple(number[there] for there in near[spot]) for spot in spots))
