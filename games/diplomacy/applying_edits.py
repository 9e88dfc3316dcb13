"""Positions changed by hand: why something cannot be, and the position after it.

Whatever hangs on a change is set right with it: since when a unit is on a stormy water, and where beaten
units may still retreat to. A change that would make an impossible position is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games.diplomacy import sequence
from games.diplomacy.board import Board
from games.diplomacy.model import Beaten, Phase, Province, State, Unit, parted
from games.diplomacy.phrases import KINDS, listed, nation, troop
from games.diplomacy.rulebook import Rulebook
from games.protocol import Advice, Seat
from games.record import changed

MOST = 20
"""No more canoe-fleets lie in one province."""


@dataclass(frozen=True)
class Desk:
    """One position under the options of its game, and what may be changed in it."""

    board: Board
    rulebook: Rulebook
    state: State

    @cached_property
    def _standing(self) -> Mapping[Province, Unit]:
        return {unit.at: unit for unit in self.state.units}

    # What stands in the way of a change.

    def no_entry(self, unit: Unit) -> Advice | None:
        """Why a unit cannot stand where it would."""
        board, name = self.board, self.board.name(unit.spot)
        if unit.kind == "F" and not unit.coast and board.places[unit.at].coasts:
            coasts = [board.abbr(spot) for spot in board.spots[unit.at]]
            return Advice(problem=f"{name} has several coasts", instead=f"name one: {listed(coasts, 'or')}")
        if not self._fits(unit):
            return Advice(problem=f"no {KINDS[unit.kind]} can be in {name}")
        there = self._standing.get(unit.at)
        if there is not None:
            return Advice(
                problem=f"{troop(there)} stands in {name} already",
                instead=f"take it off first: remove {board.abbr(unit.at)}",
            )
        if self.state.taboo and unit.at == board.chart.taboo:
            return Advice(problem=f"{name} is taboo, and nobody stands there", instead="first: taboo off")
        stranded = [one.unit for one in self._beaten_after(unit.at) if not one.retreats]
        if stranded:
            where = board.name(stranded[0].at)
            return Advice(
                problem=f"the dislodged unit of {where} could then retreat nowhere",
                instead=f"take it off first: remove dislodged {board.abbr(stranded[0].at)}",
            )
        return None

    def _fits(self, unit: Unit) -> bool:
        board = self.board
        if unit.kind == "F":
            return unit.spot in board.spots[unit.at]
        return not unit.coast and (board.is_land(unit.at) or self.rulebook.canoes)

    def no_way(self, at: Province, to: Province) -> Advice | None:
        """Why the unit of a province cannot be moved to a spot."""
        unit = self._standing.get(at)
        return self._without(at).no_entry(unit.moved(to)) if unit else self._nobody(at)

    def no_removal(self, at: Province, is_beaten: bool) -> Advice | None:
        """Why a unit, or the dislodged one, cannot be taken off a province."""
        beaten = {one.unit.at for one in self.state.beaten}
        if is_beaten:
            where = self.board.name(at)
            return None if at in beaten else Advice(problem=f"no dislodged unit comes from {where}")
        if at not in self._standing and at in beaten:
            instead = f"remove dislodged {self.board.abbr(at)}"
            return Advice(problem=f"the unit of {self.board.name(at)} is dislodged", instead=instead)
        return None if at in self._standing else self._nobody(at)

    def _nobody(self, at: Province) -> Advice:
        near = [self.board.abbr(one) for one in self.board.nearest(at, self._standing)[:3]]
        instead = f"the nearest units are in {listed(near)}" if near else None
        return Advice(problem=f"nobody stands in {self.board.name(at)}", instead=instead)

    def no_owner(self, centre: Province, power: Seat | None) -> Advice | None:
        """Why a province cannot belong to a nation, or to nobody."""
        if centre not in self.board.centres:
            centres = self.board.nearest(centre, self.board.centres)[:3]
            near = listed([self.board.abbr(one) for one in centres])
            problem = f"{self.board.name(centre)} is no supply centre"
            return Advice(problem=problem, instead=f"the nearest are {near}")
        if power is not None and power not in self.board.powers:
            abbr = self.board.abbr(centre)
            return Advice(problem=f"{power} nations own no supply centres", instead=f"free {abbr}")
        return None

    def no_canoes(self, at: Province, count: int) -> Advice | None:
        """Why so many canoe-fleets cannot lie in a province."""
        if at not in self.board.shores:
            return Advice(problem=f"canoe-fleets lie on shores, and {self.board.name(at)} is none")
        if count > MOST:
            return Advice(problem="that are too many canoe-fleets", instead=f"write a number up to {MOST}")
        return None

    def no_taboo(self, stands: bool) -> Advice | None:
        """Why the taboo cannot stand, or be lifted."""
        taboo = self.board.chart.taboo
        if stands and taboo is not None and taboo in self._standing:
            abbr = self.board.abbr(taboo)
            return Advice(
                problem=f"a unit stands in {self.board.name(taboo)}", instead=f"first: remove {abbr}"
            )
        return None

    def no_ban(self, power: Seat, until: int | None) -> Advice | None:
        """Why a nation's builds cannot be barred up to a year's Winter, or allowed again."""
        year = self.state.phase.year
        if power not in self.board.powers:
            return Advice(problem=f"{nation(power)} nations build nothing anyway")
        if until is None or until >= year:
            return None
        return Advice(problem=f"year {until} is over", instead=f"write a year from {year} on")

    # The position after a change, and what hangs on it.

    def entered(self, unit: Unit) -> State:
        """A unit more."""
        state = changed(
            self.state,
            units=sequence.in_order(self.board, (*self.state.units, unit)),
            beaten=self._beaten_after(unit.at),
            contested=tuple(at for at in self.state.contested if at != unit.at),
        )
        if unit.at not in self.board.chart.stormy:
            return state
        return changed(state, bay_entered={**state.bay_entered, unit.at: self._embarked().short})

    def left(self, at: Province) -> State:
        """Nobody there any more."""
        return changed(
            self.state,
            units=tuple(unit for unit in self.state.units if unit.at != at),
            bay_entered={water: since for water, since in self.state.bay_entered.items() if water != at},
            bay_from={water: origin for water, origin in self.state.bay_from.items() if water != at},
        )

    def rid(self, at: Province) -> State:
        """Nobody any more who has to retreat from there."""
        beaten = tuple(one for one in self.state.beaten if one.unit.at != at)
        return changed(self.state, beaten=beaten)

    def moved(self, at: Province, to: Province) -> State:
        """The unit of a province at another spot."""
        return self._without(at).entered(self._standing[at].moved(to))

    def owned(self, centre: Province, power: Seat | None) -> State:
        """A supply centre in other hands, or in nobody's."""
        owners = {**self.state.centres, centre: power}
        kept = ((at, owners.get(at)) for at in self.board.centres)
        return changed(self.state, centres={at: owner for at, owner in kept if owner})

    def with_canoes(self, at: Province, count: int) -> State:
        """So many canoe-fleets there."""
        counts = {**self.state.canoes, at: count}
        return changed(self.state, canoes={at: counts[at] for at in self.board.sorted(counts) if counts[at]})

    def barred(self, power: Seat, until: int | None) -> State:
        """A nation that may not build up to a year's Winter, or may again."""
        bans = {**self.state.build_ban, power: until}
        kept = ((one, bans.get(one)) for one in self.board.powers)
        return changed(self.state, build_ban={one: year for one, year in kept if year is not None})

    def _without(self, at: Province) -> "Desk":
        return replace(self, state=self.left(at))

    def _beaten_after(self, taken: Province) -> tuple[Beaten, ...]:
        """Who has to retreat, and whither, once a province is taken."""
        return tuple(
            changed(one, retreats=tuple(spot for spot in one.retreats if parted(spot)[0] != taken))
            for one in self.state.beaten
        )

    def _embarked(self) -> Phase:
        """The last movement phase that began: units on a stormy water went in then."""
        phase = self.state.phase
        if phase.kind == "M":
            return phase
        year = self.rulebook.year
        moves = [step.season for step in year if step.kind == "M"]
        passed = [step.season for step in year[: year.index(self.rulebook.step(phase))] if step.kind == "M"]
        return Phase(season=(passed or moves)[-1], year=phase.year - (not passed), kind="M")
