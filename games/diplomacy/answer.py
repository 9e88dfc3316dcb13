"""The answers of `gm judge`: the outcome of each order, and the next position, as plain JSON values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import AnyEvent, Resolved, StormThrown
from games.diplomacy.model import NEUTRAL, AnyOrder, Beaten, Destroy, State, Unit
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.phrases import nation, why
from games.protocol import Seat
from games.protocol.optional import ParsedOrderText

_MAX_RESULTS_KEPT = 20_000
"""So many fates of orders are remembered in their words; then the memory begins anew."""


class GivenOrder(NamedTuple):
    """One order as it was given, and how it was read. order: the order to play, or None."""

    seat: Seat
    text: str
    heard: ParsedOrderText
    order: AnyOrder | None


@dataclass(frozen=True)
class JudgeAnswer:
    """Puts the events on one board into plain values. told: a cache of what was put into words before."""

    variant: Variant
    notation: DiplomacyNotation
    told: dict[Resolved, dict[str, Any]] = field(default_factory=dict)

    def results(
        self, before: State, given: Sequence[GivenOrder], events: Sequence[AnyEvent]
    ) -> list[dict[str, Any]]:
        """An entry for each order given, in that order; for each unit that got none; for each one sunk."""
        resolved = [event for event in events if isinstance(event, Resolved)]
        ordered = [event for event in resolved if event.order is not None]
        events_by_order = {event.order: event for event in ordered}
        queues = self._queues(before, ordered) if len(events_by_order) < len(ordered) else None
        rows = []
        for given_order in given:
            order = given_order.order
            if order is None:
                rows.append(self._unread_row(given_order))
            else:
                event = events_by_order[order] if queues is None else queues[given_order.seat, order].pop(0)
                rows.append(self._row(event, given_order.text))
        rows += [self._row(event) for event in resolved if event.order is None and event.unit is not None]
        return [*rows, *self._sunk(events)] if len(resolved) < len(events) else rows

    def _queues(
        self, before: State, events: Sequence[Resolved]
    ) -> dict[tuple[Seat, AnyOrder], list[Resolved]]:
        """Return the outcomes of orders that say the same, one after the other, in their order."""
        queues: dict[tuple[Seat, AnyOrder], list[Resolved]] = {}
        for event in events:
            assert event.order is not None, "these tell of orders"
            queues.setdefault((event.power, event.order), []).append(event)
        for (_, order), queue in queues.items():
            if len(queue) > 1:
                queue.sort(key=_is_overridden, reverse=not self._first_stands(before, order))
        return queues

    def position(self, state: State) -> dict[str, Any]:
        """A state as the question that would be about it; its phase is null when the game is over."""
        chart, rulebook, abbr = self.variant.board.chart, self.variant.rulebook, self.notation.abbr
        position: dict[str, Any] = {
            "phase": None if state.ended is not None else state.phase.short,
            "units": self._units(state),
            "dislodged": self._dislodged_entries(state.beaten),
            "contested": sorted(map(abbr, state.contested)),
            "centres": self._by_power([(owner, abbr(centre)) for centre, owner in state.centres.items()]),
        }
        if rulebook.canoes:
            position["canoes"] = {abbr(place): count for place, count in state.canoes.items()}
        if chart.stormy:
            position["bay_entered"] = {abbr(place): when for place, when in state.bay_entered.items()}
            if rulebook.bay_exit == "other-shore":
                position["bay_from"] = {abbr(at): abbr(shore) for at, shore in state.bay_from.items()}
        if chart.taboo:
            position |= {"taboo": state.taboo, "build_ban": dict(state.build_ban)}
        return position

    def _unread_row(self, given: GivenOrder) -> dict[str, Any]:
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
        entry = self.told.get(event)
        if entry is None:
            if len(self.told) > _MAX_RESULTS_KEPT:
                self.told.clear()
            entry = self.told[event] = self._tell(event)
        row = entry.copy()
        row["order"] = text
        return row

    def _tell(self, event: Resolved) -> dict[str, Any]:
        order, unit, reason = event.order, event.unit, event.reason
        row: dict[str, Any] = {
            "power": event.power,
            "order": None,
            "read_as": None if order is None else self.notation.write(order),
            "unit": None if unit is None else self.notation.write_piece(unit),
            "outcome": event.outcome,
            "reason": None if reason is None else why(self.variant.board, reason, self._unit_in_words),
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
        """Return whether the first of two orders that say the same is the one that counts.

        Source: Indianomacy, rulings V6 and V7.
        """
        if state.phase.kind == "A" or isinstance(order, Destroy):
            return True
        return self.variant.rulebook.twice == "first"

    def _units(self, state: State) -> dict[str, list[str]]:
        write = self.notation.write_piece
        return self._by_power([(unit.power, write(unit)) for unit in state.units])

    def _dislodged_entries(self, beaten: Sequence[Beaten]) -> dict[str, list[dict[str, Any]]]:
        entries: dict[str, list[dict[str, Any]]] = {}
        for beaten_unit in beaten:
            entry = {
                "unit": self.notation.write_piece(beaten_unit.unit.piece),
                "by_from": self.notation.abbr(beaten_unit.by_from),
                "retreats": sorted(map(self.notation.abbr, beaten_unit.retreats)),
            }
            entries.setdefault(beaten_unit.unit.power, []).append(entry)
        return {power: entries[power] for power in self._powers() if power in entries}

    def _by_power(self, pairs: Sequence[tuple[Seat, str]]) -> dict[str, list[str]]:
        texts_by_power: dict[str, list[str]] = {power: [] for power in self._powers()}
        for power, text in pairs:
            texts_by_power[power].append(text)
        return {power: sorted(texts) for power, texts in texts_by_power.items() if texts}

    def _powers(self) -> tuple[str, ...]:
        return (*self.variant.board.powers, NEUTRAL)

    def _unit_in_words(self, unit: Unit) -> str:
        return f"{self.notation.write_piece(unit)} ({nation(unit.power)})"


def _is_overridden(event: Resolved) -> bool:
    """Return whether an order does not count because another one does."""
    return event.reason is not None and event.reason.code in ("replaced", "one-a-season", "more-than-due")
