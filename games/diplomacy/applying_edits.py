"""A gamesmaster's changes on a board of the Diplomacy family: what they are, what bars them, what they do.

Whatever hangs on a change is set right with it: since when a unit is on a stormy water, and where beaten
units may still retreat to. A change that would make an impossible position is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games.diplomacy import phases
from games.diplomacy.board import Board
from games.diplomacy.model import Beaten, Phase, Province, State, Unit, parted
from games.diplomacy.phrases import KINDS, listed, nation, troop
from games.diplomacy.rulebook import Rulebook
from games.protocol import Advice, Edit, Seat
from games.record import changed

MOST = 20
"""No more canoe-fleets lie in one province."""


class PlaceUnit(Edit, frozen=True, kw_only=True):
    """``place W MHK for Iroquois``"""

    unit: Unit


class RemoveUnit(Edit, frozen=True, kw_only=True):
    """``remove MHK``; beaten: one that was dislodged and has to retreat, ``remove dislodged MHK``."""

    at: Province
    beaten: bool = False


class MoveUnit(Edit, frozen=True, kw_only=True):
    """``move MHK to DEL``. to: a spot."""

    at: Province
    to: Province


class SetOwner(Edit, frozen=True, kw_only=True):
    """``give DEL to Iroquois``, ``free DEL`` (power None)."""

    centre: Province
    power: Seat | None = None


class SetCanoes(Edit, frozen=True, kw_only=True):
    """``canoes MHK 2``: so many canoe-fleets lie there."""

    at: Province
    count: int


class SetTaboo(Edit, frozen=True, kw_only=True):
    """``taboo on``, ``taboo off``"""

    stands: bool


class SetBan(Edit, frozen=True, kw_only=True):
    """``ban Iroquois until 3``: no builds up to that year's Winter; ``unban Iroquois`` (until None)."""

    power: Seat
    until: int | None = None


AnyEdit = PlaceUnit | RemoveUnit | MoveUnit | SetOwner | SetCanoes | SetTaboo | SetBan


@dataclass(frozen=True)
class Desk:
    """One position under the options of its game, and what may be changed in it."""

    board: Board
    rulebook: Rulebook
    state: State

    @cached_property
    def _standing(self) -> Mapping[Province, Unit]:
        return {unit.at: unit for unit in self.state.units}

    def objection(self, edit: AnyEdit) -> Advice | None:
        """Why the change cannot be made, and what to write instead; None if it can."""
        if isinstance(edit, PlaceUnit):
            return self._entering(edit.unit)
        if isinstance(edit, RemoveUnit):
            return self._removing(edit)
        if isinstance(edit, MoveUnit):
            unit = self._standing.get(edit.at)
            if unit is None:
                return self._nobody(edit.at)
            return self._without(edit.at)._entering(unit.moved(edit.to))
        if isinstance(edit, SetOwner):
            return self._owning(edit)
        if isinstance(edit, SetCanoes):
            return self._lying(edit)
        return self._barring(edit)

    def done(self, edit: AnyEdit) -> State:
        """The position after a change that can be made."""
        state = self.state
        if isinstance(edit, PlaceUnit):
            return self._entered(edit.unit)
        if isinstance(edit, RemoveUnit) and edit.beaten:
            return changed(state, beaten=tuple(one for one in state.beaten if one.unit.at != edit.at))
        if isinstance(edit, RemoveUnit):
            return self._left(edit.at)
        if isinstance(edit, MoveUnit):
            return self._moved(edit)
        if isinstance(edit, SetOwner):
            owners = {**state.centres, edit.centre: edit.power}
            kept = ((centre, owners.get(centre)) for centre in self.board.centres)
            return changed(state, centres={centre: owner for centre, owner in kept if owner})
        if isinstance(edit, SetCanoes):
            counts = {**state.canoes, edit.at: edit.count}
            return changed(state, canoes={at: counts[at] for at in self.board.sorted(counts) if counts[at]})
        if isinstance(edit, SetTaboo):
            return changed(state, taboo=edit.stands)
        bans = {**state.build_ban, edit.power: edit.until}
        kept_bans = ((power, bans.get(power)) for power in self.board.powers)
        return changed(state, build_ban={power: year for power, year in kept_bans if year is not None})

    # What stands in the way of a change.

    def _entering(self, unit: Unit) -> Advice | None:
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

    def _removing(self, edit: RemoveUnit) -> Advice | None:
        beaten = {one.unit.at for one in self.state.beaten}
        if edit.beaten:
            where = self.board.name(edit.at)
            return None if edit.at in beaten else Advice(problem=f"no dislodged unit comes from {where}")
        if edit.at not in self._standing and edit.at in beaten:
            instead = f"remove dislodged {self.board.abbr(edit.at)}"
            return Advice(problem=f"the unit of {self.board.name(edit.at)} is dislodged", instead=instead)
        return None if edit.at in self._standing else self._nobody(edit.at)

    def _nobody(self, at: Province) -> Advice:
        near = [self.board.abbr(one) for one in self.board.nearest(at, self._standing)[:3]]
        instead = f"the nearest units are in {listed(near)}" if near else None
        return Advice(problem=f"nobody stands in {self.board.name(at)}", instead=instead)

    def _owning(self, edit: SetOwner) -> Advice | None:
        if edit.centre not in self.board.centres:
            centres = self.board.nearest(edit.centre, self.board.centres)[:3]
            near = listed([self.board.abbr(one) for one in centres])
            problem = f"{self.board.name(edit.centre)} is no supply centre"
            return Advice(problem=problem, instead=f"the nearest are {near}")
        if edit.power is not None and edit.power not in self.board.powers:
            abbr = self.board.abbr(edit.centre)
            return Advice(problem=f"{edit.power} nations own no supply centres", instead=f"free {abbr}")
        return None

    def _lying(self, edit: SetCanoes) -> Advice | None:
        if edit.at not in self.board.shores:
            return Advice(problem=f"canoe-fleets lie on shores, and {self.board.name(edit.at)} is none")
        if edit.count > MOST:
            return Advice(problem="that are too many canoe-fleets", instead=f"write a number up to {MOST}")
        return None

    def _barring(self, edit: SetTaboo | SetBan) -> Advice | None:
        year = self.state.phase.year
        if isinstance(edit, SetTaboo):
            taboo = self.board.chart.taboo
            if edit.stands and taboo is not None and taboo in self._standing:
                abbr = self.board.abbr(taboo)
                return Advice(
                    problem=f"a unit stands in {self.board.name(taboo)}", instead=f"first: remove {abbr}"
                )
            return None
        if edit.power not in self.board.powers:
            return Advice(problem=f"{nation(edit.power)} nations build nothing anyway")
        if edit.until is None or edit.until >= year:
            return None
        return Advice(problem=f"year {edit.until} is over", instead=f"write a year from {year} on")

    # What hangs on a change.

    def _entered(self, unit: Unit) -> State:
        state = changed(
            self.state,
            units=phases.in_order(self.board, (*self.state.units, unit)),
            beaten=self._beaten_after(unit.at),
            contested=tuple(at for at in self.state.contested if at != unit.at),
        )
        if unit.at not in self.board.chart.stormy:
            return state
        return changed(state, bay_entered={**state.bay_entered, unit.at: self._embarked().short})

    def _left(self, at: Province) -> State:
        return changed(
            self.state,
            units=tuple(unit for unit in self.state.units if unit.at != at),
            bay_entered={water: since for water, since in self.state.bay_entered.items() if water != at},
            bay_from={water: origin for water, origin in self.state.bay_from.items() if water != at},
        )

    def _moved(self, edit: MoveUnit) -> State:
        unit = self._standing[edit.at]
        return self._without(edit.at)._entered(unit.moved(edit.to))

    def _without(self, at: Province) -> "Desk":
        return replace(self, state=self._left(at))

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
