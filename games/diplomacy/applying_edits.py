"""Positions changed by hand: why something cannot be, and the position after it.

Whatever hangs on a change is set right with it: since when a unit is on a stormy water, and where beaten
units may still retreat to. A change that would make an impossible position is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games.diplomacy import sequence
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import Beaten, Phase, Province, State, Unit, split_spot
from games.diplomacy.phrases import UNIT_KIND_NAMES, join_words, nation, troop
from games.protocol import Advice, Seat
from games.record import replace_fields

MAX_CANOES_PER_PROVINCE = 20
"""No more canoe-fleets lie in one province."""


@dataclass(frozen=True)
class EditedPosition:
    """A position under the options of its game, and the edits that can be made in it."""

    board: Board
    rulebook: Rulebook
    state: State

    @cached_property
    def _standing(self) -> Mapping[Province, Unit]:
        return {unit.at: unit for unit in self.state.units}

    # What stands in the way of a change.

    def entry_objection(self, unit: Unit) -> Advice | None:
        """Return why a unit cannot stand where it would, or None."""
        board, name = self.board, self.board.name(unit.spot)
        if unit.kind == "F" and not unit.coast and board.places[unit.at].coasts:
            coasts = [board.abbr(spot) for spot in board.spots[unit.at]]
            return Advice(
                problem=f"{name} has several coasts", instead=f"name one: {join_words(coasts, 'or')}"
            )
        if not self._fits(unit):
            return Advice(problem=f"no {UNIT_KIND_NAMES[unit.kind]} can be in {name}")
        there = self._standing.get(unit.at)
        if there is not None:
            return Advice(
                problem=f"{troop(there)} stands in {name} already",
                instead=f"take it off first: remove {board.abbr(unit.at)}",
            )
        if self.state.taboo and unit.at == board.chart.taboo:
            return Advice(problem=f"{name} is taboo, and nobody stands there", instead="first: taboo off")
        stranded = [
            beaten_unit.unit for beaten_unit in self._beaten_after(unit.at) if not beaten_unit.retreats
        ]
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
        return self._without(at).entry_objection(unit.moved_to(to)) if unit else self._no_unit_advice(at)

    def removal_objection(self, at: Province, is_beaten: bool) -> Advice | None:
        """Return why a unit, or the dislodged one, cannot be taken off a province; None if it can."""
        beaten = {beaten_unit.unit.at for beaten_unit in self.state.beaten}
        if is_beaten:
            where = self.board.name(at)
            return None if at in beaten else Advice(problem=f"no dislodged unit comes from {where}")
        if at not in self._standing and at in beaten:
            instead = f"remove dislodged {self.board.abbr(at)}"
            return Advice(problem=f"the unit of {self.board.name(at)} is dislodged", instead=instead)
        return None if at in self._standing else self._no_unit_advice(at)

    def _no_unit_advice(self, at: Province) -> Advice:
        near = [self.board.abbr(place) for place in self.board.nearest(at, self._standing)[:3]]
        instead = f"the nearest units are in {join_words(near)}" if near else None
        return Advice(problem=f"nobody stands in {self.board.name(at)}", instead=instead)

    def owner_objection(self, centre: Province, power: Seat | None) -> Advice | None:
        """Return why a province cannot belong to a nation, or to nobody; None if it can."""
        if centre not in self.board.centres:
            centres = self.board.nearest(centre, self.board.centres)[:3]
            near = join_words([self.board.abbr(place) for place in centres])
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
        if count > MAX_CANOES_PER_PROVINCE:
            return Advice(
                problem="that are too many canoe-fleets",
                instead=f"write a number up to {MAX_CANOES_PER_PROVINCE}",
            )
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

    def add_unit(self, unit: Unit) -> State:
        """Return the state with a further unit."""
        state = replace_fields(
            self.state,
            units=sequence.in_order(self.board, (*self.state.units, unit)),
            beaten=self._beaten_after(unit.at),
            contested=tuple(at for at in self.state.contested if at != unit.at),
        )
        if unit.at not in self.board.chart.stormy:
            return state
        return replace_fields(state, bay_entered={**state.bay_entered, unit.at: self._boarding_phase().short})

    def remove_unit(self, at: Province) -> State:
        """Return the state without the unit of a province."""
        return replace_fields(
            self.state,
            units=tuple(unit for unit in self.state.units if unit.at != at),
            bay_entered={water: since for water, since in self.state.bay_entered.items() if water != at},
            bay_from={water: origin for water, origin in self.state.bay_from.items() if water != at},
        )

    def remove_dislodged(self, at: Province) -> State:
        """Return the state without the dislodged unit of a province."""
        beaten = tuple(beaten_unit for beaten_unit in self.state.beaten if beaten_unit.unit.at != at)
        return replace_fields(self.state, beaten=beaten)

    def move_unit(self, at: Province, to: Province) -> State:
        """Return the state with the unit of a province at another spot."""
        return self._without(at).add_unit(self._standing[at].moved_to(to))

    def set_owner(self, centre: Province, power: Seat | None) -> State:
        """Return the state with another owner of a supply centre, or none."""
        owners = {**self.state.centres, centre: power}
        kept = ((at, owners.get(at)) for at in self.board.centres)
        return replace_fields(self.state, centres={at: owner for at, owner in kept if owner})

    def set_canoes(self, at: Province, count: int) -> State:
        """Return the state with `count` canoe-fleets in a province."""
        counts = {**self.state.canoes, at: count}
        return replace_fields(
            self.state, canoes={at: counts[at] for at in self.board.in_board_order(counts) if counts[at]}
        )

    def ban_builds(self, power: Seat, until: int | None) -> State:
        """Return the state with a ban on a nation's builds up to a year's Winter, or without one."""
        bans = {**self.state.build_ban, power: until}
        kept = ((nation, bans.get(nation)) for nation in self.board.powers)
        return replace_fields(
            self.state, build_ban={nation: year for nation, year in kept if year is not None}
        )

    def _without(self, at: Province) -> "EditedPosition":
        return replace(self, state=self.remove_unit(at))

    def _beaten_after(self, taken: Province) -> tuple[Beaten, ...]:
        """Return the units that have to retreat, with the retreats left once a province is taken."""
        return tuple(
            replace_fields(
                beaten_unit,
                retreats=tuple(spot for spot in beaten_unit.retreats if split_spot(spot)[0] != taken),
            )
            for beaten_unit in self.state.beaten
        )

    def _boarding_phase(self) -> Phase:
        """Return the last movement phase that began: units on a stormy water went in then."""
        phase = self.state.phase
        if phase.kind == "M":
            return phase
        year = self.rulebook.year
        moves = [step.season for step in year if step.kind == "M"]
        passed = [step.season for step in year[: year.index(self.rulebook.step(phase))] if step.kind == "M"]
        return Phase(season=(passed or moves)[-1], year=phase.year - (not passed), kind="M")
