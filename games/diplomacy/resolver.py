"""One movement season, decided: who moves, whose support counts, who is dislodged.

Theory of operation. Every unit has at most one decision: does its move succeed, does its support count? Each
follows from others by comparing strengths (Kruijswijk, "The Math of Adjudication": hold, attack, defend and
prevent strength). `Knowledge.ask` deduces an answer as far as it can; an answer that hangs on itself is not
known yet, and what is not known makes a strength a span from low to high. Deducing never errs, whatever the
order of asking. What then is still open hangs on itself: it is assumed, its consequences deduced, and dropped
if they contradict it. On foot and in canoes only rings do so: both answers are consistent, and the ring
turns.
"""

# Rule 1: every decision about a movement season is in this file, or in one beside it to which decide() hands
#         it over (canoes.py). Why an order failed is told in reasons.py.
# Rule 2: a decision never reads another's result but through Knowledge.ask(), or rings go wrong; and it takes
#         None for "either", or the result depends on the order of asking.
# Provinces are small integers in here: their place in board order (season.py).

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.canoes import arrives, spoilers
from games.diplomacy.model import AnyOrder, Province, Unit
from games.diplomacy.rulebook import Rulebook
from games.diplomacy.season import NOWHERE, Season, prepare


@dataclass(frozen=True, slots=True)
class Settled:
    """A decided season, all in board order.

    succeeds: by province, its order's answer; moved: from where to where; beaten: who was dislodged, and
    whence; contested: provinces left empty by a stand-off; spoilt: whose canoe-building, and by whom.
    """

    season: Season
    succeeds: list[bool | None]
    moved: dict[int, int]
    beaten: dict[int, int]
    contested: tuple[int, ...]
    spoilt: dict[int, list[int]]


def settle(
    board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Mapping[Province, AnyOrder]
) -> Settled:
    """Decide a movement season.

    units: all on the board, in any order; orders: by the province of the unit, each of them lawful; units
    without one hold.
    """
    season = prepare(board, rulebook, units, orders)
    knowledge = Knowledge(season)
    for place in season.places:
        if season.goal[place] != NOWHERE or season.into[place] != NOWHERE:
            knowledge.ask(place)
    if knowledge.open and not knowledge.complete():
        raise AssertionError("orders on foot and in canoes always have a consistent outcome")
    return _outcome(season, knowledge.known)


class Knowledge:
    """What is known about a season so far. known: by province, whether its order succeeds, None: unknown."""

    __slots__ = ("_asked", "_assumed", "_season", "known", "open")

    def __init__(self, season: Season) -> None:
        self._season = season
        self._asked = bytearray(len(season.goal))
        self._assumed: tuple[int, ...] = ()
        self.known: list[bool | None] = [None] * len(season.goal)
        self.open: list[int] = []

    def ask(self, place: int) -> bool | None:
        """Whether the move or the support ordered in a province succeeds; None if that hangs on itself."""
        if self._asked[place]:
            return self.known[place]
        self._asked[place] = 1
        answer = self.known[place] = self.decide(place)
        if answer is None:
            self.open.append(place)
        return answer

    def decide(self, place: int) -> bool | None:
        """The answer as it follows from what is known about the others."""
        season = self._season
        goal = season.goal[place]
        if goal == NOWHERE:
            return self._supports(place)
        return self._moves(place, goal) if season.afoot[place] else arrives(season, self.ask, place)

    def complete(self) -> bool:
        """Find answers for what is open, consistent with all others; False if there are none."""
        self._deduce()
        if not self.open:
            return all(self.decide(place) is self.known[place] for place in self._assumed)
        ring = self._ring()
        place = self.open[0] if ring is None else ring
        for answer in (True, False):
            trial = self._supposing(place, answer)
            if trial.complete():
                self.known, self.open = trial.known, []
                return True
        return False

    def _deduce(self) -> None:
        learnt = True
        while learnt:
            still = []
            for place in self.open:
                answer = self.known[place] = self.decide(place)
                if answer is None:
                    still.append(place)
            learnt = len(still) < len(self.open)
            self.open = still

    def _ring(self) -> int | None:
        """A province on an open ring of moves, each into the next; whatever else is open hangs on it."""
        goal = self._season.goal
        for start in self.open:
            seen = []
            place = start
            while place in self.open and place not in seen and goal[place] != NOWHERE:
                seen.append(place)
                place = goal[place]
            if place in seen:
                return place
        return None

    def _supposing(self, place: int, answer: bool) -> "Knowledge":
        trial = Knowledge(self._season)
        trial._asked = self._asked
        trial._assumed = (*self._assumed, place)
        trial.known = self.known.copy()
        trial.known[place] = answer
        trial.open = [other for other in self.open if other != place]
        return trial

    def _supports(self, place: int) -> bool | None:
        """Whether a support is uncut.

        Any attack by another nation cuts it; one from the province that the support is given into does so
        only by dislodging the supporter.
        """
        season = self._season
        nation, into = season.nation, season.into[place]
        answer: bool | None = True
        for attacker in season.aimed.get(place, ()):
            if nation[attacker] == nation[place]:
                continue
            won = self.ask(attacker) if attacker == into else True
            if won:
                return False
            if won is None:
                answer = None
        return answer

    def _moves(self, place: int, goal: int) -> bool | None:
        """Whether a move succeeds: known at once if it does not matter whether the goal is being left."""
        season = self._season
        if season.nation[goal] is None:
            return self._prevails(place, goal, leaving=True)
        if season.goal[goal] in (NOWHERE, place):
            return self._prevails(place, goal, leaving=False)
        leaving = self.ask(goal)
        if leaving is not None:
            return self._prevails(place, goal, leaving=leaving)
        answer = self._prevails(place, goal, leaving=True)
        if answer is None or self._prevails(place, goal, leaving=False) is not answer:
            return None
        return answer

    def _prevails(self, place: int, goal: int, *, leaving: bool) -> bool | None:
        """Whether the attack beats everything against it: who stays in its goal, and each rival for it.

        leaving: nobody is there, or whoever is there moves off.
        """
        season = self._season
        nation = season.nation
        # Nobody dislodges a unit of his own nation, nor helps to: such supports do not count against it.
        spared = None if leaving else nation[goal]
        if spared is not None and spared == nation[place]:
            return False
        low, high = self.strength(place, spared)
        sure = True
        if not leaving:
            # A unit that tried to leave holds alone; in a swap it defends with the supports of its move.
            # A move in a canoe has no supports, so that it defends alone either way (ruling C17).
            alone = season.goal[goal] not in (NOWHERE, place)
            weak, strong = (1, 1) if alone else self.strength(goal, None)
            if high <= weak:
                return False
            sure = low > strong
        for rival in season.aimed[goal]:
            # A unit that was beaten by whoever left its goal keeps nobody else out of it.
            if rival == place or (leaving and season.goal[goal] == rival):
                continue
            weak, strong = self.strength(rival, None)
            if high <= weak:
                return False
            sure = sure and low > strong
        return True if sure else None

    def strength(self, place: int, spared: str | None) -> tuple[int, int]:
        """A unit's strength in what it does, at least and at most, without the supports of one nation."""
        low = high = 1
        for helper in self._season.helpers.get(place, ()):
            if spared is None or self._season.nation[helper] != spared:
                counts = self.ask(helper)
                if counts is not False:
                    high += 1
                    low += counts is True
        return low, high


def _outcome(season: Season, known: list[bool | None]) -> Settled:
    goal = season.goal
    moved = {place: goal[place] for place in season.places if goal[place] != NOWHERE and known[place]}
    entered = {to: place for place, to in moved.items()}
    beaten = {place: entered[place] for place in season.places if place in entered and place not in moved}
    # Only those on foot bar a retreat: canoes draw back without a trace (ruling C11).
    contested = tuple(
        province
        for province in sorted(season.aimed)
        if province not in entered
        and (season.nation[province] is None or province in moved)
        and any(moved.get(province) != place for place in season.aimed[province])
    )
    found = {place: spoilers(season, place) for place in season.builders}
    spoilt = {place: found[place] for place in sorted(found) if found[place]}
    return Settled(season, known, moved, beaten, contested, spoilt)
