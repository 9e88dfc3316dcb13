"""What `gm judge` answers: what became of each order, and the next position, as plain JSON values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.diplomacy.boards import Variant
from games.diplomacy.events import AnyEvent, Resolved, StormThrown
from games.diplomacy.model import NEUTRAL, AnyOrder, Beaten, Destroy, State, Unit
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.phrases import nation, why
from games.protocol import Seat
from games.protocol.optional import Heard


class Given(NamedTuple):
    """One order as it was given, and what was heard."""

    seat: Seat
    text: str
    heard: Heard

    @property
    def counts(self) -> bool:
        """Whether there is an order to be played."""
        return self.heard.order is not None and self.heard.problem is None


@dataclass(frozen=True)
class Answer:
    """Puts what happened on one board into plain values."""

    variant: Variant
    notation: DiplomacyNotation

    def results(
        self, before: State, given: Sequence[Given], events: Sequence[AnyEvent]
    ) -> list[dict[str, Any]]:
        """An entry for each order given, in that order; for each unit that got none; for each one sunk."""
        resolved = [event for event in events if isinstance(event, Resolved)]
        waiting: dict[tuple[Seat, AnyOrder], list[Resolved]] = {}
        for event in resolved:
            if event.order is not None:
                waiting.setdefault((event.power, event.order), []).append(event)
        for (_, order), told in waiting.items():
            if len(told) > 1:
                told.sort(key=_yields, reverse=not self._first_stands(before, order))
        rows = [
            self._row(waiting[one.seat, one.heard.order].pop(0), one.text)
            if one.counts
            else self._unheard(one)
            for one in given
        ]
        rows += [self._row(event) for event in resolved if event.order is None and event.unit is not None]
        return [*rows, *self._sunk(events)]

    def position(self, state: State) -> dict[str, Any]:
        """A state as the question that would be about it; its phase is null when the game is over."""
        chart, rulebook, abbr = self.variant.board.chart, self.variant.rulebook, self.notation.abbr
        said: dict[str, Any] = {
            "phase": None if state.ended is not None else state.phase.short,
            "units": self._units(state),
            "dislodged": self._dislodged(state.beaten),
            "contested": sorted(map(abbr, state.contested)),
            "centres": self._by_power((owner, abbr(one)) for one, owner in state.centres.items()),
        }
        if rulebook.canoes:
            said["canoes"] = {abbr(place): count for place, count in state.canoes.items()}
        if chart.stormy:
            said["bay_entered"] = {abbr(place): when for place, when in state.bay_entered.items()}
            if rulebook.bay_exit == "other-shore":
                said["bay_from"] = {abbr(at): abbr(shore) for at, shore in state.bay_from.items()}
        if chart.taboo:
            said |= {"taboo": state.taboo, "build_ban": dict(state.build_ban)}
        return said

    def _unheard(self, given: Given) -> dict[str, Any]:
        order = given.heard.order
        return {
            "power": given.seat,
            "order": given.text,
            "read_as": None if order is None else self.notation.write(order),
            "unit": None,
            "outcome": "void",
            "reason": given.heard.problem,
        }

    def _row(self, event: Resolved, text: str | None = None) -> dict[str, Any]:
        row: dict[str, Any] = {
            "power": event.power,
            "order": text,
            "read_as": self.notation.write(event.order) if event.order else None,
            "unit": self.notation.write_piece(event.unit) if event.unit else None,
            "outcome": event.outcome,
            "reason": why(self.variant.board, event.reason, self._named) if event.reason else None,
        }
        if event.dislodged:
            row["dislodged"] = True
        return row

    def _sunk(self, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
        for event in events:
            if isinstance(event, StormThrown) and event.sunk:
                yield {
                    "power": event.unit.power,
                    "order": None,
                    "read_as": None,
                    "unit": self.notation.write_piece(event.unit.piece),
                    "outcome": "lost",
                    "reason": f"sunk by a storm: the die showed {event.number}",
                    "phase": event.phase,
                }

    def _first_stands(self, state: State, order: AnyOrder) -> bool:
        """Of two orders that say the same, whether the first is the one that counts.

        Source: Indianomacy, rulings V6 and V7.
        """
        if state.phase.kind == "A" or isinstance(order, Destroy):
            return True
        return self.variant.rulebook.twice == "first"

    def _units(self, state: State) -> dict[str, list[str]]:
        return self._by_power((unit.power, self.notation.write_piece(unit)) for unit in state.units)

    def _dislodged(self, beaten: Sequence[Beaten]) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for one in beaten:
            entry = {
                "unit": self.notation.write_piece(one.unit.piece),
                "by_from": self.notation.abbr(one.by_from),
                "retreats": sorted(map(self.notation.abbr, one.retreats)),
            }
            found.setdefault(one.unit.power, []).append(entry)
        return {power: found[power] for power in self._powers() if power in found}

    def _by_power(self, pairs: Iterator[tuple[Seat, str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for power, text in pairs:
            found.setdefault(power, []).append(text)
        return {power: sorted(found[power]) for power in self._powers() if power in found}

    def _powers(self) -> tuple[str, ...]:
        return (*self.variant.board.powers, NEUTRAL)

    def _named(self, unit: Unit) -> str:
        return f"{self.notation.write_piece(unit)} ({nation(unit.power)})"


def _yields(event: Resolved) -> bool:
    """Whether an order does not count because another one does."""
    return event.reason is not None and event.reason.code in ("replaced", "one-a-season", "more-than-due")
