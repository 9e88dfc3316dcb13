"""Decides a movement season: which units move, which supports count, and which units are dislodged.

Each unit has at most one question: does its move succeed, or does its support count? The answers follow from
each other, by comparing strengths (Kruijswijk, "The Math of Adjudication": hold, attack, defend and prevent
strength).

1. `PartialResolution.ask` deduces an answer as far as it can. If an answer depends on itself, it isn't known
yet. An unknown answer makes a strength a range from low to high. Deductions are never wrong, in whatever
order we ask.

2. The questions that are then still open depend on themselves. We assume an answer, deduce what follows, and
drop the assumption if it leads to a contradiction.

3. Without convoys, only a ring of moves can be open. Both answers are consistent, and the ring succeeds. With
convoys there are paradoxes: an army lands and cuts the support that saves the fleets that convoy it. Such a
knot of open questions contains a convoying fleet. Szykman's rule decides it.
"""

from collections.abc import Iterable, Mapping, Sequence

from games.diplomacy.adjudication.canoes import arrives, interrupted_builds
from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.season import (
    NO_PROVINCES,
    Ask,
    EncodedOrder,
    IndexedPosition,
    PreparedSeason,
    encode_orders,
    index_position,
    prepare,
)
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.model import Province, Unit, UnitOrder
from games.record import MutableRecord, Value

# Rule 1: All decisions about a movement season are in this file, or in canoes.py for canoe-fleets. The
#         reasons for failures are in reasons.py.
# Rule 2: A decision reads the result of another order only through ask(). Otherwise rings go wrong. It treats
#         None as "either". Otherwise the result depends on the order of the questions.
# Provinces are small integers in this module: their index in board order (season.py).


class DecidedSeason(Value, frozen=True, gc=False):
    """A decided season, in board order. New moves of a variation come last in `moved`.

    succeeds: whether each order succeeds, by province; moved: the goal of each successful move by its origin;
    beaten: the origin of the attack for each dislodged unit; contested: the provinces left empty by a
    stand-off; spoilt: the attackers of each builder of a canoe-fleet that failed; stranded: the armies
    without an open convoy route; held: the units that hold because of a paradox.
    """

    season: PreparedSeason
    succeeds: list[bool | None]
    moved: dict[int, int]
    beaten: dict[int, int]
    contested: tuple[int, ...]
    spoilt: dict[int, list[int]]
    stranded: frozenset[int]
    held: frozenset[int]


def decide_orders(
    board: Board, rulebook: Rulebook, units: Iterable[Unit], orders: Mapping[Province, UnitOrder]
) -> DecidedSeason:
    """Decide a movement season.

    units: all units on the board, in any order; orders: legal orders by the province of the unit. Units
    without an order hold.
    """
    return decide_encoded(index_position(board, rulebook, units), encode_orders(board, orders))


def decide_encoded(mustered: IndexedPosition, orders: Iterable[EncodedOrder]) -> DecidedSeason:
    """Decide a movement season from a position and orders in numbers, as `decide_orders` does."""
    return season_outcome(resolve(prepare(mustered, orders)))


def resolve(season: PreparedSeason) -> "PartialResolution":
    """Return the full resolution of a season."""
    count = len(season.nation)
    knowledge = PartialResolution(season, [None] * count, bytearray(count))
    for place in knowledge.plain():
        knowledge.ask(place)
    knowledge.close()
    return knowledge


class PartialResolution(MutableRecord, gc=False):
    """A partly decided season.

    known: whether each order succeeds, by province, or None if unknown; asked: whether each question was
    asked; open: the questions that depend on themselves; stranded: the armies whose convoys fail because of a
    paradox; held: the other orders that fail because of it; assumed: the questions whose answer is assumed on
    trial; crossed: whether each army gets across, as far as known.
    """

    season: PreparedSeason
    known: list[bool | None]
    asked: bytearray
    open: list[int] = []
    stranded: frozenset[int] = NO_PROVINCES
    held: frozenset[int] = NO_PROVINCES
    assumed: tuple[int, ...] = ()
    crossed: dict[int, bool] = {}

    def plain(self) -> list[int]:
        """Answer the questions that depend on no other answer, and return the other ones.

        A support or a convoy counts if no unit attacks there. A move into an empty province succeeds if no
        other unit goes there.
        """
        season, known = self.season, self.known
        goal, aimed, nation, carriers = season.goal, season.aimed, season.nation, season.carriers
        open_places = []
        for place, to in goal.items():
            if nation[to] is None and place not in carriers and aimed.get(to) == (place,):
                known[place] = True
            else:
                open_places.append(place)
        for several in (season.into, season.carrying):
            for place in several:
                if place in aimed:
                    open_places.append(place)
                else:
                    known[place] = True
        return open_places

    def ask(self, place: int) -> bool | None:
        """Return whether a province's move or support succeeds, or None if it depends on itself."""
        answer = self.known[place]
        if answer is None and not self.asked[place]:
            self.asked[place] = 1
            answer = self.known[place] = self.decide(place)
            if answer is None:
                self.open.append(place)
        return answer

    def decide(self, place: int) -> bool | None:
        """Return the answer that follows from the known answers, or None."""
        season = self.season
        goal = season.goal.get(place)
        if goal is None:
            return self._is_uncut(place) if place in season.into else survives(season, self.ask, place)
        if place in season.carriers:
            return self._lands(place, goal)
        return arrives(season, self.ask, place) if place in season.afloat else self._wins(place, goal)

    def close(self) -> None:
        """Answer all open questions. All questions must have been asked."""
        if self.open and not self.complete():
            raise AssertionError("a season always has a consistent outcome")

    def complete(self) -> bool:
        """Answer all open questions consistently. Returns False if that's impossible."""
        self._deduce()
        if not self.open:
            return all(self.decide(place) is self.known[place] for place in self.assumed)
        among = self.open
        if self.season.carriers:
            knot = self._find_knot()
            if not knot.isdisjoint(self.season.carrying):
                return self._untie(knot)
            among = sorted(knot)
        ring = self._ring(among)
        place = among[0] if ring is None else ring
        for answer in (True, False):
            trial = self._supposing(place, answer)
            if trial.complete():
                self.known, self.open = trial.known, []
                self.stranded, self.held = trial.stranded, trial.held
                return True
        return False

    def crosses(self, army: int) -> bool | None:
        """Return whether a route is open for an army that goes by convoy, or None."""
        if army in self.stranded:
            return False
        across = self.crossed.get(army)
        if across is None:
            across = crosses(self.season, self.ask, army)
            if across is not None:
                # A deduced answer never changes, and each rival asks for it too.
                self.crossed[army] = across
        return across

    def _find_knot(self) -> frozenset[int]:
        """Return open questions that depend on each other, and on no other open question."""
        tracer = _Tracer(self.season, self.known, self.asked, stranded=self.stranded)
        hangs_on = {place: tracer.asked_by(place) for place in self.open}
        reached = []
        for place in self.open:
            reach, edge = {place}, [place]
            while edge:
                ahead = hangs_on[edge.pop()] - reach
                reach |= ahead
                edge += ahead
            reached.append(frozenset(reach))
        return min(reached, key=len)

    def _untie(self, knot: frozenset[int]) -> bool:
        """Answer a knot with a convoy: by its only consistent solution, or by letting its convoys fail.

        Source: DATC 4.A.2 (Rulebook.paradoxes). By Szykman's rule a convoy in a paradox fails, and its army
        has no effect. By the other rule all moves and supports in the paradox fail too.
        """
        solutions = self._solutions(knot)
        if len(solutions) == 1:
            self.known = solutions[0].known
            self.open = [place for place in self.open if self.known[place] is None]
        else:
            armies = {self.season.carrying[place] for place in knot if place in self.season.carrying}
            self.stranded |= armies & self.season.carriers.keys()
            if self.season.rulebook.paradoxes == "all-hold":
                holding = knot - self.season.carrying.keys()
                self.held |= holding
                for place in holding:
                    self.known[place] = False
                self.open = [place for place in self.open if place not in holding]
        return self.complete()

    def _solutions(self, knot: frozenset[int]) -> list["PartialResolution"]:
        """Return up to two consistent ways to answer all questions of a knot."""
        self._deduce()
        waiting = [place for place in self.open if place in knot]
        if not waiting:
            consistent = all(self.decide(place) is self.known[place] for place in self.assumed)
            return [self] if consistent else []
        solutions: list[PartialResolution] = []
        for answer in (True, False):
            solutions += self._supposing(waiting[0], answer)._solutions(knot)
        return solutions[:2]

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

    def _ring(self, among: Sequence[int]) -> int | None:
        """Return a province on an open ring of moves, or None. Other open questions depend on the ring."""
        goal = self.season.goal
        for start in among:
            seen = []
            place = start
            while place in among and place not in seen and place in goal:
                seen.append(place)
                place = goal[place]
            if place in seen:
                return place
        return None

    def _supposing(self, place: int, answer: bool) -> "PartialResolution":
        known = self.known.copy()
        known[place] = answer
        still = [other for other in self.open if other != place]
        assumed = (*self.assumed, place)
        return PartialResolution(self.season, known, self.asked, still, self.stranded, self.held, assumed)

    def _is_uncut(self, place: int) -> bool | None:
        """Return whether a support is uncut.

        An attack by another nation cuts it. An attack from the province that the support is given into cuts
        it only if it dislodges the supporter.
        """
        season = self.season
        if place not in season.aimed:
            return True
        nation, into = season.nation, season.into[place]
        answer: bool | None = True
        for attacker in season.aimed[place]:
            if nation[attacker] == nation[place]:
                continue
            if attacker == into:
                won = self.ask(attacker)
            else:
                won = attacker not in season.carriers or self.crosses(attacker)
            if won:
                return False
            if won is None:
                answer = None
        return answer

    def _lands(self, place: int, goal: int) -> bool | None:
        """Return whether a move by convoy succeeds: the army gets across and its attack prevails."""
        across = self.crosses(place)
        if across is False:
            return False
        won = self._wins(place, goal)
        return won and across if won is not None else None

    def _wins(self, place: int, goal: int) -> bool | None:
        """Return whether an attack succeeds. It may be known without knowing whether the goal empties."""
        season = self.season
        if season.nation[goal] is None:
            return self._prevails(place, goal, True)
        there = season.goal.get(goal)
        if there is None or (there == place and season.is_head_on(place, goal)):
            return self._prevails(place, goal, False)
        leaving = self.known[goal]
        if leaving is None:
            leaving = self.ask(goal)
        if leaving is not None:
            return self._prevails(place, goal, leaving)
        # Compute both, so that all questions that the answer depends on are asked.
        if_left, if_held = (self._prevails(place, goal, leaves) for leaves in (True, False))
        return if_left if if_left is if_held else None

    def _prevails(self, place: int, goal: int, leaving: bool) -> bool | None:
        """Return whether an attack beats the unit that stays in its goal, and each rival.

        leaving: the goal is empty, or its unit moves away.
        """
        season = self.season
        rivals = season.aimed[goal]
        if leaving and len(rivals) == 1:
            return True
        nation, helpers, there = season.nation, season.helpers, season.goal.get(goal)
        spared = None
        if not leaving:
            # A unit can't dislodge one of its own nation, and supports by that nation don't count against it.
            # An attack without support never dislodges a unit.
            spared = nation[goal]
            if spared == nation[place] or place not in helpers:
                return False
        low = high = 1
        if place in helpers:
            low, high = self.strength(place, spared)
        sure = True
        if not leaving:
            # A unit that tried to leave holds alone. In a swap it defends with the supports of its move.
            # A move by canoe-fleet has no supports, so the unit defends alone either way (ruling C17).
            together = there is None or season.is_head_on(place, goal)
            weak, strong = self.strength(goal, None) if together and goal in helpers else (1, 1)
            if high <= weak:
                return False
            sure = low > strong
        for rival in rivals:
            if rival == place or (leaving and there == rival and season.yields(rival, goal)):
                continue
            weak = strong = 1
            if rival in helpers or rival in season.carriers:
                weak, strong = self._hindrance(rival)
            if high <= weak:
                return False
            if low <= strong:
                sure = False
        return True if sure else None

    def _hindrance(self, rival: int) -> tuple[int, int]:
        """Return the least and most strength of a rival in its goal. It is 0 if its convoy fails."""
        across = rival not in self.season.carriers or self.crosses(rival)
        if across is False:
            return 0, 0
        weak, strong = self.strength(rival, None)
        return weak if across else 0, strong

    def strength(self, place: int, spared: str | None) -> tuple[int, int]:
        """Return a unit's least and most strength, without the supports of the nation `spared`."""
        low = high = 1
        known, nation = self.known, self.season.nation
        for helper in self.season.helpers.get(place, ()):
            if spared is None or nation[helper] != spared:
                counts = known[helper]
                if counts is None:
                    counts = self.ask(helper)
                if counts is not False:
                    high += 1
                    low += counts is True
        return low, high


class _Tracer(PartialResolution, gc=False):
    """Collects the open questions that an answer depends on."""

    hanging: set[int] = set()

    def asked_by(self, place: int) -> set[int]:
        """Return the open questions that one open question asks."""
        self.hanging = set()
        self.decide(place)
        return self.hanging

    def ask(self, place: int) -> bool | None:
        """Return the known answer without deducing new ones."""
        answer = self.known[place]
        if answer is None:
            self.hanging.add(place)
        return answer

    def crosses(self, army: int) -> bool | None:
        """Return the answer that follows from the fleets, without remembering it, to collect each one."""
        return army not in self.stranded and crosses(self.season, self.ask, army)


def season_outcome(knowledge: PartialResolution) -> DecidedSeason:
    """Return the outcome of a fully resolved season."""
    season, known = knowledge.season, knowledge.known
    goal, nation = season.goal, season.nation
    moved: dict[int, int] = {}
    missed: set[int] = set()
    assaults: list[int] = []
    for place, to in goal.items():
        if known[place]:
            moved[place] = to
            if nation[to] is not None:
                assaults.append(place)
        else:
            missed.add(to)
    beaten = {goal[place]: place for place in assaults if goal[place] not in moved}
    if len(beaten) > 1:
        beaten = dict(sorted(beaten.items()))
    stranded = NO_PROVINCES
    if season.carriers:
        failed = [army for army in season.carriers if not known[army]]
        stranded = frozenset([army for army in failed if not knowledge.crosses(army)])
    entered = set(moved.values())
    contested = [province for province in sorted(missed) if province not in entered]
    if contested:
        contested = [province for province in contested if is_contested(season, province, moved, stranded)]
    spoilt = interrupted_builds(season) if season.builders else {}
    return DecidedSeason(season, known, moved, beaten, tuple(contested), spoilt, stranded, knowledge.held)


def is_contested(
    season: PreparedSeason, province: int, moved: Mapping[int, int], stranded: frozenset[int]
) -> bool:
    """Return whether a province that no unit entered was left empty by a stand-off.

    Only walking units and fleets bar a retreat. Canoe-fleets turn back without effect (ruling C11).
    """
    is_vacated = province in moved
    if not is_vacated and season.nation[province] is not None:
        return False
    for place in season.aimed.get(province, ()):
        if place not in stranded and not (is_vacated and season.yields(place, province)):
            return True
    return False


# Convoys.


def survives(season: PreparedSeason, ask: Ask, fleet: int) -> bool | None:
    """Return whether a convoying fleet isn't dislodged, or None while that depends on itself."""
    answer: bool | None = True
    for attacker in season.aimed.get(fleet, ()):
        won = ask(attacker)
        if won:
            return False
        if won is None:
            answer = None
    return answer


def crosses(season: PreparedSeason, ask: Ask, army: int) -> bool | None:
    """Return whether a route is open for a convoyed army. A chain of fleets that aren't dislodged is enough.

    Source: DATC 4.A.1 (Rulebook.convoy_routes).
    """
    fleets = season.carriers[army]
    if season.rulebook.convoy_routes == "all":
        return _all_sail(season, ask, army)
    sure = possible = fleets
    for fleet in places_of_bits(fleets):
        safe = ask(fleet)
        if not safe:
            sure -= 1 << fleet
            if safe is not None:
                possible -= 1 << fleet
    goal, is_open = season.goal[army], season.mustered.is_open
    if is_open(army, goal, sure):
        return True
    return None if possible != sure and is_open(army, goal, possible) else False


def _all_sail(season: PreparedSeason, ask: Ask, army: int) -> bool | None:
    """Return whether an army's fleets make a route and none of them is dislodged."""
    fleets = season.carriers[army]
    if not season.mustered.is_open(army, season.goal[army], fleets):
        return False
    answers = [ask(fleet) for fleet in places_of_bits(fleets)]
    if False in answers:
        return False
    return None if None in answers else True
