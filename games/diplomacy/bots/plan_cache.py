"""A cache of plans that depend on a position and on dice, made once for each roll.

Whoever guesses at a nation comes to the same plan of it, unless dice decide otherwise between equals. So
it changes no order whether a plan was made before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from games.dice import Dice
from games.diplomacy.model import Province, UnitOrder, View
from games.protocol import Seat
from games.record import canonical

Sheet = Mapping[Province, UnitOrder]
"""Orders by the province of the unit."""

Throw = Callable[[Dice], Sequence[UnitOrder]]
"""What a player orders by some dice, all else being known."""

Way = tuple[Seat, str, str, tuple[tuple[Seat, float], ...] | None]
"""A nation, the level that it is thought to play, its temperament, the dangers that it was told, if any."""

_Drawn = tuple[tuple[int, ...], ...]
_Due = tuple[str, int, int]
"""A throw: its label, the sides, and how many numbers."""

_MAX_POSITIONS_KEPT = 8
"""So many positions are kept at most: those of the last seasons are looked back at."""


@dataclass
class _Noted(Dice):
    """Somebody's dice, and what was thrown with them, in order: each throw once."""

    dice: Dice
    thrown: dict[_Due, tuple[int, ...]] = field(default_factory=dict)

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        due = label, sides, count
        if due not in self.thrown:
            self.thrown[due] = self.dice.draw(label, sides, count)
        return self.thrown[due]


@dataclass
class _Plans:
    """The plans of one way, by what was thrown for them; and by what was thrown first, the next throw."""

    known: dict[_Drawn, _Due | Sheet] = field(default_factory=dict)

    def plan(self, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        drawn: _Drawn = ()
        noted = _Noted(dice)
        while isinstance(entry := self.known.get(drawn), tuple):
            drawn = (*drawn, noted.draw(*entry))
        return self._make_plan(make, noted) if entry is None else entry

    def _make_plan(self, make: Callable[[Dice], Sheet], noted: _Noted) -> Sheet:
        made = make(noted)
        drawn: _Drawn = ()
        for due, numbers in noted.thrown.items():
            self.known[drawn] = due
            drawn = (*drawn, numbers)
        self.known[drawn] = made
        return made


@dataclass
class ForeseenPosition:
    """The plans for one position. throws: the planners of nations that roll dice for every order."""

    plans: dict[Way, _Plans] = field(default_factory=dict)
    throws: dict[Seat, Throw] = field(default_factory=dict)

    def plan(self, way: Way, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        """The plan that is made in a way with these dice."""
        return self.plans.setdefault(way, _Plans()).plan(make, dice)


@dataclass
class PlanCache:
    """The last positions, by their canonical bytes."""

    positions: dict[bytes, ForeseenPosition] = field(default_factory=dict)
    _last: tuple[View, ForeseenPosition] | None = None

    def of(self, view: View) -> ForeseenPosition:
        """Return the plans for a position."""
        # Of several threads that ask at once each goes by what it has in hand, not by what others leave here.
        last = self._last
        if last is None or last[0] is not view:
            last = self._last = view, self._of(canonical(view))
        return last[1]

    def _of(self, name: bytes) -> ForeseenPosition:
        foreseen = self.positions.get(name)
        if foreseen is None:
            foreseen = self.positions[name] = ForeseenPosition()
            for oldest in list(self.positions)[:-_MAX_POSITIONS_KEPT]:
                self.positions.pop(oldest, None)
        return foreseen
