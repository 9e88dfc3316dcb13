"""The saved game of the `diplomacy` package: one JSON object with phases, orders and results."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.diplomacy.board import Board
from games.diplomacy.boards import Variant
from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.exchange.seen import Seen
from games.diplomacy.model import Province, State, Unit
from games.diplomacy.notation import DiplomacyNotation
from games.diplomacy.position_names import Names
from games.fields import Field
from games.protocol import Invalid, Seat
from games.protocol.exchange import Chapter, Told

_MAPS = {"standard": "standard", "fleet-rome": "standard_fleet_rome"}
"""What the package calls our boards. Others it does not have; they are called as with us."""

_RESULTS = {
    "bounced": "bounce",
    "cut": "cut",
    "void": "void",
    "disrupted": "no convoy",
    "disbanded": "disband",
}
_OVER = "COMPLETED"


def is_saved(text: str) -> bool:
    """Whether a text is meant to be such a file."""
    return text.lstrip().startswith("{") and '"phases"' in text


def piece(variant: Variant, notation: DiplomacyNotation, name: str, chapter: Chapter[State]) -> str:
    """A phase that was played."""
    return _written(_scribe(variant, notation, name).phase(chapter))


def bound(
    variant: Variant, notation: DiplomacyNotation, name: str, state: State, pieces: Sequence[str]
) -> str:
    """The saved game: the phases that were played, and the one that is due now."""
    now = _written(_scribe(variant, notation, name).bare(state))
    head = _written({"id": name, "map": _called_map(variant), "rules": []})
    return f'{head[:-1]}, "phases": [{", ".join([*pieces, now])}]}}\n'


def _scribe(variant: Variant, notation: DiplomacyNotation, name: str) -> "_Scribe":
    return _Scribe(variant, notation, {"game_id": name, "map": _called_map(variant), "rules": []})


def _called_map(variant: Variant) -> str:
    return _MAPS.get(variant.name, variant.name)


def _written(saved: Mapping[str, Any]) -> str:
    return json.dumps(saved, ensure_ascii=False)


class _Scribe:
    def __init__(self, variant: Variant, notation: DiplomacyNotation, game: Mapping[str, Any]) -> None:
        self._board = variant.board
        self._notation = notation
        self._game = game

    def phase(self, chapter: Chapter[State]) -> dict[str, Any]:
        """A phase that was played."""
        said = self.bare(chapter.before)
        for seat, orders in chapter.orders.items():
            said["orders"][_called(seat)] = [self._notation.write(order) for order in orders]
        said["results"] = self._results(chapter)
        return said

    def bare(self, state: State) -> dict[str, Any]:
        """A phase without orders."""
        name = _OVER if state.ended else state.phase.short
        position = {
            "timestamp": 0,
            "note": "",
            "name": name,
            "units": self._units(state),
            "retreats": self._retreats(state),
            "centers": self._owned(state),
            "homes": {_called(seat): sorted(power.centres) for seat, power in self._board.powers.items()},
            **self._game,
        }
        orders: dict[str, list[str]] = {_called(seat): [] for seat in self._board.powers}
        return {"name": name, "state": position, "orders": orders, "results": {}, "messages": []}

    def _units(self, state: State) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {_called(seat): [] for seat in self._board.powers}
        for unit in state.units:
            found[_called(unit.power)].append(self._piece(unit))
        for one in state.beaten:
            found[_called(one.unit.power)].append("*" + self._piece(one.unit))
        return found

    def _retreats(self, state: State) -> dict[str, dict[str, list[str]]]:
        found: dict[str, dict[str, list[str]]] = {_called(seat): {} for seat in self._board.powers}
        for one in state.beaten:
            found[_called(one.unit.power)][self._piece(one.unit)] = [*map(self._notation.abbr, one.retreats)]
        return found

    def _owned(self, state: State) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {_called(seat): [] for seat in self._board.powers}
        for centre, owner in state.centres.items():
            found[_called(owner)].append(self._notation.abbr(centre))
        return {power: sorted(centres) for power, centres in found.items()}

    def _results(self, chapter: Chapter[State]) -> dict[str, list[str]]:
        """What became of each unit: nothing where its order was carried out."""
        found: dict[str, list[str]] = {}
        gone = {event.unit.spot for event in chapter.events if isinstance(event, Dislodged)}
        for event in chapter.events:
            if isinstance(event, Resolved) and event.unit is not None:
                became = [_RESULTS[event.outcome]] if event.outcome in _RESULTS else []
                lost = ["dislodged"] if event.unit.spot in gone else []
                found[self._notation.write_piece(event.unit)] = became + lost
        return found

    def _piece(self, unit: Unit) -> str:
        return self._notation.write_piece(unit.piece)


def read(variant: Variant, text: str) -> tuple[Told, ...] | None:
    """The turns of a saved game; None where it is of another map. Raises Invalid that names the entry."""
    try:
        saved = Field(json.loads(text)).entries()
    except ValueError as fault:
        raise Invalid("the saved game", f"is no JSON: {fault}", "a file holds one game") from fault
    called = saved["map"].text() if "map" in saved else "standard"
    if called != _MAPS.get(variant.name, variant.name):
        return None
    reader = _Reader(variant)
    if "phases" not in saved:
        raise Invalid("phases", "is missing")
    phases = list(saved["phases"].items())
    told = [reader.phase(phase, played=phase is not phases[-1]) for phase in phases]
    return tuple(one for one in told if one is not None)


class _Reader:
    def __init__(self, variant: Variant) -> None:
        self._board: Board = variant.board
        self._names = Names(variant.board, variant.rulebook)

    def phase(self, field: Field, *, played: bool) -> Told | None:
        """A phase; None for the end of the game. played: not the last, which is the present one."""
        entries = field.entries()
        for key in ("name", "state"):
            if key not in entries:
                raise field.wrong(f"has no {key}")
        if entries["name"].text() == _OVER:
            return None
        orders = entries["orders"].entries() if "orders" in entries else {}
        return Told(
            turn=self._names.phase(entries["name"]).short,
            orders={
                self._names.power(texts, power): tuple(text.text() for text in texts.items())
                for power, texts in orders.items()
                if texts.value is not None
            },
            position=self._position(entries["state"].entries()),
            played=played,
        )

    def _position(self, state: Mapping[str, Field]) -> Seen:
        units = [
            self._names.unit(text, power)
            for power, texts in self._names.by_power(state.get("units"))
            for text in texts.items()
            if not text.text().startswith("*")
        ]
        return Seen(frozenset(units), complete="units" in state, centres=self._centres(state.get("centers")))

    def _centres(self, field: Field | None) -> dict[Province, Seat] | None:
        if field is None:
            return None
        return {
            self._names.place(text, text.text()): power
            for power, texts in self._names.by_power(field)
            for text in texts.items()
        }


def _called(seat: Seat) -> str:
    return seat.upper()
