"""The saved game of the `diplomacy` package: one JSON object with phases, orders and results."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.exchange.results import RecordedPosition
from games.diplomacy.model import Province, State, Unit
from games.diplomacy.notation import DiplomacyNotation, PositionNames
from games.json_reader import JsonReader, read_at
from games.messages import sentence
from games.protocol import ExchangedTurn, Invalid, RecordedTurn, Seat
from games.record import Value, revive

_MAPS = {"standard": "standard", "fleet-rome": "standard_fleet_rome"}
"""The package's names of our boards. Other boards keep their names."""

_OUTCOME_WORDS = {
    "bounced": "bounce",
    "cut": "cut",
    "void": "void",
    "disrupted": "no convoy",
    "disbanded": "disband",
}
_COMPLETED_PHASE = "COMPLETED"


def is_saved_game(text: str) -> bool:
    """Return whether a text is meant to be a saved game."""
    return text.lstrip().startswith("{") and '"phases"' in text


def write_turn(
    variant: Variant, notation: DiplomacyNotation, name: str, chapter: ExchangedTurn[State]
) -> str:
    """Return a processed phase."""
    return _dump_json(_saved_game_writer(variant, notation, name).phase(chapter))


def join_turns(
    variant: Variant, notation: DiplomacyNotation, name: str, state: State, pieces: Sequence[str]
) -> str:
    """Return the saved game: the processed phases and the present one."""
    now = _dump_json(_saved_game_writer(variant, notation, name).bare(state))
    head = _dump_json({"id": name, "map": _map_name(variant), "rules": []})
    return f'{head[:-1]}, "phases": [{", ".join([*pieces, now])}]}}\n'


def _saved_game_writer(variant: Variant, notation: DiplomacyNotation, name: str) -> "_SavedGameWriter":
    return _SavedGameWriter(variant, notation, {"game_id": name, "map": _map_name(variant), "rules": []})


def _map_name(variant: Variant) -> str:
    return _MAPS.get(variant.name, variant.name)


def _dump_json(saved: Mapping[str, Any]) -> str:
    return json.dumps(saved, ensure_ascii=False)


class _SavedGameWriter:
    def __init__(self, variant: Variant, notation: DiplomacyNotation, game: Mapping[str, Any]) -> None:
        self._board = variant.board
        self._notation = notation
        self._game = game

    def phase(self, chapter: ExchangedTurn[State]) -> dict[str, Any]:
        """Return a processed phase."""
        record = self.bare(chapter.before)
        for seat, orders in chapter.orders.items():
            record["orders"][_upper_name(seat)] = [self._notation.write(order) for order in orders]
        record["results"] = self._results(chapter)
        return record

    def bare(self, state: State) -> dict[str, Any]:
        """Return a phase without orders."""
        name = _COMPLETED_PHASE if state.ended else state.phase.short
        position = {
            "timestamp": 0,
            "note": "",
            "name": name,
            "units": self._units(state),
            "retreats": self._retreats(state),
            "centers": self._centres_owned(state),
            "homes": {_upper_name(seat): sorted(power.centres) for seat, power in self._board.powers.items()},
            **self._game,
        }
        orders: dict[str, list[str]] = {_upper_name(seat): [] for seat in self._board.powers}
        return {"name": name, "state": position, "orders": orders, "results": {}, "messages": []}

    def _units(self, state: State) -> dict[str, list[str]]:
        texts: dict[str, list[str]] = {_upper_name(seat): [] for seat in self._board.powers}
        for unit in state.units:
            texts[_upper_name(unit.power)].append(self._piece(unit))
        for beaten_unit in state.beaten:
            texts[_upper_name(beaten_unit.unit.power)].append("*" + self._piece(beaten_unit.unit))
        return texts

    def _retreats(self, state: State) -> dict[str, dict[str, list[str]]]:
        retreats: dict[str, dict[str, list[str]]] = {_upper_name(seat): {} for seat in self._board.powers}
        for beaten_unit in state.beaten:
            retreats[_upper_name(beaten_unit.unit.power)][self._piece(beaten_unit.unit)] = [
                *map(self._notation.abbr, beaten_unit.retreats)
            ]
        return retreats

    def _centres_owned(self, state: State) -> dict[str, list[str]]:
        centres_by_power: dict[str, list[str]] = {_upper_name(seat): [] for seat in self._board.powers}
        for centre, owner in state.centres.items():
            centres_by_power[_upper_name(owner)].append(self._notation.abbr(centre))
        return {power: sorted(centres) for power, centres in centres_by_power.items()}

    def _results(self, chapter: ExchangedTurn[State]) -> dict[str, list[str]]:
        """Return the outcome of each unit. It is empty if the order succeeded."""
        outcomes: dict[str, list[str]] = {}
        gone = {event.unit.spot for event in chapter.events if isinstance(event, Dislodged)}
        for event in chapter.events:
            if isinstance(event, Resolved) and event.unit is not None:
                became = [_OUTCOME_WORDS[event.outcome]] if event.outcome in _OUTCOME_WORDS else []
                lost = ["dislodged"] if event.unit.spot in gone else []
                outcomes[self._notation.write_piece(event.unit)] = became + lost
        return outcomes

    def _piece(self, unit: Unit) -> str:
        return self._notation.write_piece(unit.piece)


class _SavedState(Value, frozen=True):
    units: dict[str, tuple[str, ...]] | None = None
    centers: dict[str, tuple[str, ...]] | None = None


class _SavedPhase(Value, frozen=True):
    name: str
    state: _SavedState
    orders: dict[str, tuple[str, ...]] = {}


class _SavedGame(Value, frozen=True):
    """The keys of a saved game that we read. It has others."""

    phases: tuple[_SavedPhase, ...]
    map: str = "standard"


_GAME_READER = JsonReader(_SavedGame, names={}, other_keys=True)


def read(variant: Variant, text: str) -> tuple[RecordedTurn, ...] | None:
    """Return the turns of a saved game, or None if it has another map. Raises Invalid with the entry."""
    try:
        saved = json.loads(text)
    except ValueError as fault:
        raise Invalid(
            sentence("diplomacy.exchange.saved_game"),
            sentence("diplomacy.exchange.not_json", fault=fault),
            sentence("diplomacy.exchange.one_game"),
        ) from fault
    game: _SavedGame = revive(_SavedGame, _GAME_READER.read(saved))
    if game.map != _MAPS.get(variant.name, variant.name):
        return None
    reader = _SavedGameReader(variant)
    turns = [
        reader.phase(f"phases[{number}]", phase, played=phase is not game.phases[-1])
        for number, phase in enumerate(game.phases)
    ]
    return tuple(turn for turn in turns if turn is not None)


class _SavedGameReader:
    def __init__(self, variant: Variant) -> None:
        self._names = PositionNames(variant.board, variant.rulebook)

    def phase(self, path: str, phase: _SavedPhase, *, played: bool) -> RecordedTurn | None:
        """Return a phase, or None for the end of the game. played: it isn't the present phase."""
        if phase.name == _COMPLETED_PHASE:
            return None
        orders = self._names.read_by_power(f"{path}.orders", phase.orders)
        return RecordedTurn(
            turn=read_at(f"{path}.name", self._names.phase, phase.name).short,
            orders={power: texts for power, _, texts in orders},
            position=self._position(f"{path}.state", phase.state),
            played=played,
        )

    def _position(self, path: str, state: _SavedState) -> RecordedPosition:
        units = [
            read_at(f"{at}[{number}]", self._names.unit, text, power)
            for power, at, texts in self._names.read_by_power(f"{path}.units", state.units or {})
            for number, text in enumerate(texts)
            if not text.startswith("*")
        ]
        return RecordedPosition(
            frozenset(units), complete=state.units is not None, centres=self._centres(path, state.centers)
        )

    def _centres(self, path: str, centers: Mapping[str, Sequence[str]] | None) -> dict[Province, Seat] | None:
        if centers is None:
            return None
        return {
            centre: power
            for power, at, names in self._names.read_by_power(f"{path}.centers", centers)
            for centre in self._names.places(at, names)
        }


def _upper_name(seat: Seat) -> str:
    return seat.upper()
