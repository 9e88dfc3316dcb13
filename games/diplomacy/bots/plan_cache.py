"""A cache of plans that depend on a position and on dice, one for each roll.

All players make the same plan for a nation, unless dice decide between equals. So the cache changes no
orders.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from games.dice import Dice
from games.diplomacy.bots.memory import MemoryKey
from games.diplomacy.model import Province, UnitOrder, View
from games.protocol import Seat
from games.record import canonical

Sheet = Mapping[Province, UnitOrder]
"""Orders by the province of the unit."""

SeasonPlanner = Callable[[Dice], Sequence[UnitOrder]]
"""Returns a player's orders with some dice. Everything else is known."""

Way = tuple[Seat, str, str, tuple[tuple[Seat, float], ...] | None, MemoryKey]
"""A nation, its supposed level, its temperament, the dangers that it was given, if any, and its memory."""

_Drawn = tuple[tuple[int, ...], ...]
_Due = tuple[str, int, int]
"""A roll: its label, the sides, and the count of numbers."""

_MAX_POSITIONS_KEPT = 8
"""The most positions that are cached: those of the last seasons are used again."""


@dataclass
class _NotedDice(Dice):
    """Another's dice, with a list of the rolls in order, each once."""

    dice: Dice
    rolled: dict[_Due, tuple[int, ...]] = field(default_factory=dict)

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        due = label, sides, count
        if due not in self.rolled:
            self.rolled[due] = self.dice.draw(label, sides, count)
        return self.rolled[due]


@dataclass
class _Plans:
    """The plans of one way to play, by the rolls made for them; and the next roll, by the rolls before it."""

    known: dict[_Drawn, _Due | Sheet] = field(default_factory=dict)

    def plan(self, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        drawn: _Drawn = ()
        noted = _NotedDice(dice)
        while isinstance(entry := self.known.get(drawn), tuple):
            drawn = (*drawn, noted.draw(*entry))
        return self._make_plan(make, noted) if entry is None else entry

    def _make_plan(self, make: Callable[[Dice], Sheet], noted: _NotedDice) -> Sheet:
        made = make(noted)
        drawn: _Drawn = ()
        for due, numbers in noted.rolled.items():
            self.known[drawn] = due
            drawn = (*drawn, numbers)
        self.known[drawn] = made
        return made


@dataclass
class ForeseenPosition:
    """The plans for one position. planners: the planners of nations that roll dice for every order."""

    plans: dict[Way, _Plans] = field(default_factory=dict)
    planners: dict[Seat, SeasonPlanner] = field(default_factory=dict)

    def plan(self, way: Way, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        """Return the plan of a way to play with these dice."""
        return self.plans.setdefault(way, _Plans()).plan(make, dice)


@dataclass
class PlanCache:
    """The plans for the last positions, by their canonical bytes."""

    positions: dict[bytes, ForeseenPosition] = field(default_factory=dict)
    _last: tuple[View, ForeseenPosition] | None = None

    def position(self, view: View) -> ForeseenPosition:
        """Return the plans for a position."""
        # If several threads ask at once, each uses its own object, not one that another puts here.
        last = self._last
        if last is None or last[0] is not view:
            last = self._last = view, self._find(canonical(view))
        return last[1]

    def _find(self, name: bytes) -> ForeseenPosition:
        foreseen = self.positions.get(name)
        if foreseen is None:
            foreseen = self.positions[name] = ForeseenPosition()
            for oldest in list(self.positions)[:-_MAX_POSITIONS_KEPT]:
                self.positions.pop(oldest, None)
        return foreseen
