"""How far it is on foot, and who stands where: what a bot reads off the board before it thinks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.diplomacy.board import Board
from games.diplomacy.model import NEUTRAL, Province, State, Unit
from games.protocol import Seat

FAR = 999
"""Steps to what cannot be reached on foot."""


def steps_to(board: Board, goal: Province) -> Mapping[Province, int]:
    """The number of steps on foot from each province that can reach the goal."""
    return _spread(board, (goal,))


def steps_to_any(board: Board, goals: Iterable[Province]) -> Mapping[Province, int]:
    """The number of steps on foot from each province to the nearest of some goals."""
    return _spread(board, tuple(goals))


def _spread(board: Board, sources: tuple[Province, ...]) -> dict[Province, int]:
    steps = dict.fromkeys(sources, 0)
    edge = list(sources)
    while edge:
        near = [(place, other) for place in edge for other in board.army[place]]
        edge = []
        for place, other in near:
            if other not in steps:
                steps[other] = steps[place] + 1
                edge.append(other)
    return steps


@dataclass(frozen=True)
class Situation:
    """One seat's reading of a position."""

    board: Board
    view: State
    seat: Seat

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """Who stands where."""
        return {unit.at: unit for unit in self.view.units}

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        """The seat's own units, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == self.seat)

    @cached_property
    def prizes(self) -> tuple[Province, ...]:
        """Centres worth going to: not owned by the seat, or occupied by others; nobody of ours is there."""
        return tuple(
            centre
            for centre in self.board.centres
            if not self.is_ours(centre)
            and (self.view.centres.get(centre) != self.seat or centre in self.standing)
        )

    @cached_property
    def owned(self) -> tuple[Province, ...]:
        """The seat's own centres, in board order."""
        return tuple(centre for centre in self.board.centres if self.view.centres.get(centre) == self.seat)

    def is_ours(self, place: Province) -> bool:
        """Whether a unit of the seat stands there."""
        return place in self.standing and self.standing[place].power == self.seat

    def enemies(self, place: Province) -> tuple[Unit, ...]:
        """Units of other nations next door, in board order; neutrals never move and are no enemies."""
        found = (self.standing.get(other) for other in self.board.army[place])
        return tuple(unit for unit in found if unit and unit.power not in (self.seat, NEUTRAL))

    def strength_wanted(self, prize: Province) -> int:
        """How many units an attack on the place takes, its own supports apart: a defender counts one, and one
        more when a comrade of its stands next door."""
        unit = self.standing.get(prize)
        if unit is None:
            return 1
        comrades = [other for other in self.enemies(prize) if other.power == unit.power]
        return 3 if comrades and unit.power != NEUTRAL else 2
