"""Order sheets that differ a little from one: another way for a unit, with helpers or without."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.bots.candidates import Repertoire
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.plan_cache import Sheet
from games.diplomacy.model import (
    BuildCanoe,
    Convoy,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
)

Change = Mapping[Province, UnitOrder]
"""New orders for some units, by their provinces."""

_HELPERS = 3
"""With so many supports at most an attack is tried."""


class Variations:
    """The sheets next to a sheet, in one situation. Nobody goes where a friend is spared, or what is shut.

    units: those of the seat that have orders in the sheets, in board order.
    """

    def __init__(self, situation: Situation, units: Sequence[Unit]) -> None:
        self._situation = situation
        self._repertoire = Repertoire(situation.variant, situation.view)
        self._mine = {unit.at: unit for unit in units}
        self._barred = frozenset(
            place
            for place in situation.board.places
            if place in situation.closed_provinces
            or (situation.is_spared(place) and place not in situation.prizes)
        )

    def of(self, sheet: Sheet) -> list[Change]:
        """The changes to try: first those about centres to win or in danger, then all others."""
        changes = [change for unit in self._mine.values() for change in self._of(unit, sheet)]
        return sorted(changes, key=self._is_idle)

    def apply(self, sheet: Sheet, change: Change) -> Sheet:
        """The sheet with a change; supports of what is no longer done support what is, or become holds."""
        changed = {**sheet, **change}
        for at, order in changed.items():
            if at in change or not isinstance(order, SupportMove | SupportHold | Convoy):
                continue
            if order.other.at in change and not _matches(order, changed[order.other.at]):
                changed[at] = self._fallback_order(self._mine[at], changed)
        for at, order in changed.items():
            if at not in change and isinstance(order, Move) and _is_taken(order.to, change):
                changed[at] = self._fallback_order(self._mine[at], changed)
        return changed

    def _of(self, unit: Unit, sheet: Sheet) -> Iterator[Change]:
        if self._situation.is_held(unit):
            return
        for move in self._repertoire.moves(unit):
            if move.to not in self._barred:
                yield from self._going(unit, move, sheet)
        yield {unit.at: Hold(unit=unit.piece)}
        for other in self._mine.values():
            yield from self._helping(unit, other, sheet)
        if self._repertoire.can_build_canoe(unit):
            yield {unit.at: BuildCanoe(unit=unit.piece)}
        yield from self._ferrying(unit)

    def _going(self, unit: Unit, move: Move, sheet: Sheet) -> Iterator[Change]:
        there = self._mine.get(move.to)
        if there is not None and not isinstance(sheet[there.at], Move):
            return
        yield {unit.at: move}
        if move.to not in self._repertoire.reach(unit) or move.canoe:
            return
        helpers = [
            other
            for other in self._mine.values()
            if other.at not in (unit.at, move.to) and self._helps(other, move.to)
        ]
        for count in range(1, _HELPERS + 1):
            for some in combinations(helpers, count) if count < _HELPERS else (helpers[:count],):
                if len(some) == count:
                    yield {unit.at: move, **{other.at: _support(other, move) for other in some}}

    def _helping(self, unit: Unit, other: Unit, sheet: Sheet) -> Iterator[Change]:
        order = sheet[other.at]
        if other == unit or not self._helps(unit, order.to if isinstance(order, Move) else other.at):
            return
        if not isinstance(order, Move):
            yield {unit.at: SupportHold(unit=unit.piece, other=other.piece)}
        elif order.to in self._repertoire.reach(other) and not order.canoe:
            yield {unit.at: _support(unit, order)}

    def _ferrying(self, fleet: Unit) -> Iterator[Change]:
        """A fleet at sea carries an army from one shore to another."""
        board = self._situation.board
        if fleet.kind != "F" or board.is_land(fleet.at):
            return
        shores = [place for place in board.fleet[fleet.at] if board.is_land(place)]
        for army in (self._mine[at] for at in shores if at in self._mine):
            if army.kind != "A":
                continue
            for to in shores:
                if to not in self._barred and to not in self._mine and to not in board.army[army.at]:
                    carried = Move(unit=army.piece, to=to)
                    yield {army.at: carried, fleet.at: Convoy(unit=fleet.piece, other=army.piece, to=to)}

    def _helps(self, unit: Unit, to: Province) -> bool:
        return to in self._repertoire.reach(unit) and not is_afloat(self._situation.board, unit.piece)

    def _fallback_order(self, unit: Unit, sheet: Sheet) -> UnitOrder:
        """Return the order of a unit whose order has lost its sense: it supports a comrade, or holds."""
        for other in self._mine.values():
            for change in self._helping(unit, other, sheet) if other.at in sheet else ():
                return change[unit.at]
        return Hold(unit=unit.piece)

    def _is_idle(self, change: Change) -> bool:
        situation = self._situation
        goals = [order.to for order in change.values() if isinstance(order, Move)]
        return not any(
            goal in situation.prizes or (goal in situation.own_centres and situation.threat(goal))
            for goal in goals
        )


def _support(unit: Unit, move: Move) -> SupportMove:
    return SupportMove(unit=unit.piece, other=move.unit, to=move.to)


def _matches(order: SupportMove | SupportHold | Convoy, other: UnitOrder) -> bool:
    """Return whether a support or a convoy is for what the other unit really does."""
    if isinstance(order, SupportHold):
        return not isinstance(other, Move)
    return isinstance(other, Move) and other.to == order.to


def _is_taken(place: Province, change: Change) -> bool:
    """Return whether a comrade goes to a place, or stays there, by a change."""
    return any((order.to if isinstance(order, Move) else at) == place for at, order in change.items())
