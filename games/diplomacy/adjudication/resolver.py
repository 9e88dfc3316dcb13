"""One movement season, decided: who moves, whose support counts, who is dislodged.

Theory of operation. Every unit has at most one decision: does its move succeed, does its support count?
Each follows from others by comparing strengths (Kruijswijk, "The Math of Adjudication": hold, attack,
defend and prevent strength). `PartialResolution.ask` deduces an answer as far as it can; an answer that
hangs on itself is not known yet, and what is not known makes a strength a span from low to high. Deducing
never errs, whatever the order of asking. What then is still open hangs on itself: it is assumed, its
consequences deduced, and dropped if they contradict it. On foot and in canoes only rings do so: both
answers are consistent, the ring turns. With convoys there are paradoxes: an army that lands cuts the
support that saves the fleets that carry it. A convoying fleet in the knot of questions that hang on each
other gives them away; Szykman's rule unties them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from games.diplomacy.adjudication.canoes import arrives, interrupted_builds
from games.diplomacy.adjudication.convoy_routes import places_of_bits
from games.diplomacy.adjudication.encoded_orders import (
    EncodedOrder,
    IndexedPosition,
    encode_orders,
    index_position,
)
from games.diplomacy.adjudication.season import NO_PROVINCES, Ask, PreparedSeason, prepare
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.model import Province, Unit, UnitOrder
from games.record import MutableRecord, Value

# Rule 1: every decision about a movement season is in this file, or in one beside it to which decide() hands
#         it over (canoes.py). Why an order failed is told in reasons.py.
# Rule 2: a decision never reads another's result but through Knowledge.ask(), or rings go wrong; and it takes
#         None for "either", or the result depends on the order of asking.
# Provinces are small integers in here: their place in board order (season.py).


class DecidedSeason(Value, frozen=True, gc=False):
    """A decided season, all in board order; of a variation who moves anew comes last in `moved`.

    succeeds: by province, its order's answer; moved: from where to where; beaten: who was dislodged, and
    whence; contested: provinces left empty by a stand-off; spoilt: whose canoe-building, and by whom;
    stranded: armies to whom no way over the water was open; held: who holds because of a paradox.
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

    units: all on the board, in any order; orders: by the province of the unit, each of them lawful; units
    without one hold.
    """
    return decide_encoded(index_position(board, rulebook, units), encode_orders(board, orders))


def decide_encoded(mustered: IndexedPosition, orders: Iterable[EncodedOrder]) -> DecidedSeason:
    """Decide a movement season from a position and orders in numbers, in board order.

    As `decide_orders` does, for one order set of several.
    """
    return season_outcome(resolve(prepare(mustered, orders)))


def resolve(season: PreparedSeason) -> "PartialResolution":
    """Return all there is to know about a season."""
    count = len(season.nation)
    knowledge = PartialResolution(season, [None] * count, bytearray(count))
    for place in knowledge.plain():
        knowledge.ask(place)
    knowledge.close()
    return knowledge


class PartialResolution(MutableRecord, gc=False):
    """A partly decided season: what is known about it so far.

    known: by province, whether its order succeeds, None: unknown; asked: by province, whether that was
    asked; open: what was asked and hangs on itself; stranded: armies whose convoy was given up because of
    a paradox; held: orders that were given up with it; assumed: what is taken for known on trial; crossed:
    of armies at sea, whether they get across, as far as it is known.
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
        """Answer what depends on no other answer, and return what else there is to ask.

        A support or a convoy counts if nobody attacks the unit; who walks into an empty province gets
        there if nobody else goes for it.
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
        """Return whether the move or the support of a province succeeds; None if it depends on itself."""
        answer = self.known[place]
        if answer is None and not self.asked[place]:
            self.asked[place] = 1
            answer = self.known[place] = self.decide(place)
            if answer is None:
                self.open.append(place)
        return answer

    def decide(self, place: int) -> bool | None:
        """The answer as it follows from what is known about the others."""
        season = self.season
        goal = season.goal.get(place)
        if goal is None:
            return self._is_uncut(place) if place in season.into else survives(season, self.ask, place)
        if place in season.carriers:
            return self._lands(place, goal)
        return arrives(season, self.ask, place) if place in season.afloat else self._wins(place, goal)

    def close(self) -> None:
        """Answer whatever hangs on itself, when all is asked."""
        if self.open and not self.complete():
            raise AssertionError("a season always has a consistent outcome")

    def complete(self) -> bool:
        """Find answers for what is open, consistent with all others; False if there are none."""
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
        """Return whether a way over the water is open to an army that goes by convoy."""
        if army in self.stranded:
            return False
        across = self.crossed.get(army)
        if across is None:
            across = crosses(self.season, self.ask, army)
            if across is not None:
                # What is deduced stands, so that it need not be found out again for rivals.
                self.crossed[army] = across
        return across

    def left_ashore(self, among: Collection[int]) -> frozenset[int]:
        """The armies to which no way over the water was open, of some, once all is known."""
        known, carriers = self.known, self.season.carriers
        return frozenset(
            [army for army in among if army in carriers and not known[army] and not self.crosses(army)]
        )

    def _find_knot(self) -> frozenset[int]:
        """Return open questions that depend on each other, and on no other open one."""
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
        """Answer a knot with a convoy in it: by its one consistent solution, else by giving the convoys up.

        Source: DATC 4.A.2 (Rulebook.paradoxes): by Szykman's rule a convoy of a paradox fails, and its army
        has no effect; by the other all moves and supports of it fail too.
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
        """Up to two ways to answer all of a knot consistently."""
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
        """A province on an open ring of moves, each into the next; whatever else is open hangs on it."""
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

        Any attack by another nation cuts it; one from the province that the support is given into does so
        only by dislodging the supporter.
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
        """Return whether a move by convoy succeeds: it gets across, and prevails."""
        across = self.crosses(place)
        if across is False:
            return False
        won = self._wins(place, goal)
        return won and across if won is not None else None

    def _wins(self, place: int, goal: int) -> bool | None:
        """Return whether an attack succeeds: known at once if it does not matter whether the goal empties."""
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
        # Both are asked, so that whatever the answer hangs on is known to be asked.
        if_left, if_held = (self._prevails(place, goal, leaves) for leaves in (True, False))
        return if_left if if_left is if_held else None

    def _prevails(self, place: int, goal: int, leaving: bool) -> bool | None:
        """Return whether the attack beats all against it: the unit that stays in its goal, and each rival.

        leaving: nobody is there, or whoever is there moves off.
        """
        season = self.season
        rivals = season.aimed[goal]
        if leaving and len(rivals) == 1:
            return True
        nation, helpers, there = season.nation, season.helpers, season.goal.get(goal)
        spared = None
        if not leaving:
            # Nobody dislodges a unit of his own nation, nor helps to: such supports do not count against it.
            # And nobody does without support, however weak the other is.
            spared = nation[goal]
            if spared == nation[place] or place not in helpers:
                return False
        low = high = 1
        if place in helpers:
            low, high = self.strength(place, spared)
        sure = True
        if not leaving:
            # A unit that tried to leave holds alone; in a swap it defends with the supports of its move.
            # A move in a canoe has no supports, so that it defends alone either way (ruling C17).
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
        """Return how strongly a move keeps others out of its goal, least and most: one at sea not at all."""
        across = rival not in self.season.carriers or self.crosses(rival)
        if across is False:
            return 0, 0
        weak, strong = self.strength(rival, None)
        return weak if across else 0, strong

    def strength(self, place: int, spared: str | None) -> tuple[int, int]:
        """A unit's strength in what it does, at least and at most, without the supports of one nation."""
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
    """Notes which open questions an answer hangs on."""

    hanging: set[int] = set()

    def asked_by(self, place: int) -> set[int]:
        """The open questions that one open question asks."""
        self.hanging = set()
        self.decide(place)
        return self.hanging

    def ask(self, place: int) -> bool | None:
        """Return what is known, and nothing new."""
        answer = self.known[place]
        if answer is None:
            self.hanging.add(place)
        return answer

    def crosses(self, army: int) -> bool | None:
        """As it follows from the fleets each time, since each who asks hangs on them."""
        return army not in self.stranded and crosses(self.season, self.ask, army)


def season_outcome(knowledge: PartialResolution) -> DecidedSeason:
    """Return the result of a season of which all is known."""
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
    stranded = knowledge.left_ashore(season.carriers) if season.carriers else frozenset()
    entered = set(moved.values())
    contested = [province for province in sorted(missed) if province not in entered]
    if contested:
        contested = [province for province in contested if is_contested(season, province, moved, stranded)]
    spoilt = interrupted_builds(season) if season.builders else {}
    return DecidedSeason(season, known, moved, beaten, tuple(contested), spoilt, stranded, knowledge.held)


def is_contested(
    season: PreparedSeason, province: int, moved: Mapping[int, int], stranded: frozenset[int]
) -> bool:
    """Return whether a province that nobody entered was left empty by a stand-off.

    Only those on foot bar a retreat: canoes draw back without a trace (ruling C11).
    """
    is_vacated = province in moved
    if not is_vacated and season.nation[province] is not None:
        return False
    for place in season.aimed.get(province, ()):
        if place not in stranded and not (is_vacated and season.yields(place, province)):
            return True
    return False


# The facts that a convoy depends on: whether its fleets stay, and whether the army gets across.


def survives(season: PreparedSeason, ask: Ask, fleet: int) -> bool | None:
    """Return whether a convoying fleet is not dislodged; None while that depends on itself."""
    answer: bool | None = True
    for attacker in season.aimed.get(fleet, ()):
        won = ask(attacker)
        if won:
            return False
        if won is None:
            answer = None
    return answer


def crosses(season: PreparedSeason, ask: Ask, army: int) -> bool | None:
    """Return whether a way is open to an army at sea: one chain of fleets not dislodged is enough.

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
    """Return whether an army's fleets make a way, and none of them is dislodged."""
    fleets = season.carriers[army]
    if not season.mustered.is_open(army, season.goal[army], fleets):
        return False
    answers = [ask(fleet) for fleet in places_of_bits(fleets)]
    if False in answers:
        return False
    return None if None in answers else True
