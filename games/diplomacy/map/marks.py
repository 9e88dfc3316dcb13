"""The marks of the map beside units and centres: canoe-fleets, storms and the taboo."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, StormThrown, TabooBroken
from games.diplomacy.map.order_arrows import middle
from games.diplomacy.map.outlines import Point
from games.diplomacy.map.sizes import unit_scale
from games.diplomacy.model import Province, State, Unit

_CANOE_OFFSET = (19.0, 9.0)
"""Where a canoe-fleet lies, seen from the unit that stands by it."""
_HULL_DROP = 6.0
"""How far under a unit afloat its canoe-fleet is drawn."""
_STORM_DIE_OFFSET = (34.0, -12.0)
"""Where a storm's die is drawn, seen from the middle of the water."""


def map_marks(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the marks of a position and of what led to it.

    Keys: canoes (x, y, count), hulls (x, y: under units afloat), dice (x, y, number, sunk), taboo (x, y),
    extras (sign, text: what the legend has to explain).
    """
    standing, k = {unit.at for unit in state.units}, unit_scale(board)

    def where(spot: Province) -> Point:
        return middle(board, spot)

    marks_by_key: dict[str, list[dict[str, Any]]] = {
        "canoes": [
            {**_at(where(place), _CANOE_OFFSET if place in standing else (0.0, 0.0), k), "count": count}
            for place, count in state.canoes.items()
        ],
        "hulls": [
            _at(where(unit.at), (0.0, _HULL_DROP), k) for unit in state.units if is_afloat(board, unit)
        ],
        "dice": [
            {**_at(where(event.unit.at), _STORM_DIE_OFFSET, k), "number": event.number, "sunk": event.sunk}
            for event in events
            if isinstance(event, StormThrown)
        ],
        "taboo": [_at(where(place)) for place in _taboo_places(board, state)],
    }
    return {**marks_by_key, "extras": _extras(marks_by_key)}


def lost_units(events: Sequence[AnyEvent]) -> tuple[Unit, ...]:
    """Return the units that a storm sank, or that entered the taboo province, where they were lost."""
    sunk = [event.unit for event in events if isinstance(event, StormThrown) and event.sunk]
    gone = [
        Unit(power=event.unit.power, kind=event.unit.kind, at=event.at)
        for event in events
        if isinstance(event, TabooBroken)
    ]
    return (*sunk, *gone)


def _taboo_places(board: Board, state: State) -> tuple[Province, ...]:
    return (board.chart.taboo,) if state.taboo and board.chart.taboo else ()


def _extras(marks_by_key: Mapping[str, Sequence[object]]) -> list[dict[str, str]]:
    """Return the signs on this map that need explaining and that not every map has."""
    signs = [
        ("canoes", "canoe", "canoes ashore"),
        ("hulls", "hull", "afloat"),
        ("dice", "die", "storm: the die"),
        ("taboo", "taboo", "taboo"),
    ]
    return [{"sign": sign, "text": text} for key, sign, text in signs if marks_by_key[key]]


def _at(spot: Point, aside: tuple[float, float] = (0.0, 0.0), k: float = 1.0) -> dict[str, Any]:
    return {"x": round(spot[0] + aside[0] * k, 1), "y": round(spot[1] + aside[1] * k, 1)}
