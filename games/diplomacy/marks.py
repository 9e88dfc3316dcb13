"""What the map shows beside units and centres: canoe-fleets, storms and the taboo."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.diplomacy.afloat import is_afloat
from games.diplomacy.atlas import Point
from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, StormThrown, TabooBroken
from games.diplomacy.model import Province, State, Unit
from games.diplomacy.pen import middle
from games.diplomacy.sizes import scale

_BESIDE = (19.0, 9.0)
"""Where a canoe-fleet lies, seen from the unit that stands by it."""
_BELOW = 6.0
"""How far under a unit afloat its canoe-fleet is drawn."""
_DIE = (34.0, -12.0)
"""Where a storm's die is drawn, seen from the middle of the water."""


def marks(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The marks of a position and of what led to it.

    Keys: canoes (x, y, count), hulls (x,
    y: under units afloat), dice (x, y, number, sunk), taboo (x, y), extras (sign, text: what the legend has
    to explain).
    """
    standing, k = {unit.at for unit in state.units}, scale(board)

    def where(spot: Province) -> Point:
        return middle(board, spot)

    found: dict[str, list[dict[str, Any]]] = {
        "canoes": [
            {**_at(where(place), _BESIDE if place in standing else (0.0, 0.0), k), "count": count}
            for place, count in state.canoes.items()
        ],
        "hulls": [_at(where(unit.at), (0.0, _BELOW), k) for unit in state.units if is_afloat(board, unit)],
        "dice": [
            {**_at(where(one.unit.at), _DIE, k), "number": one.number, "sunk": one.sunk}
            for one in events
            if isinstance(one, StormThrown)
        ],
        "taboo": [_at(where(place)) for place in _sacred(board, state)],
    }
    return {**found, "extras": _extras(found)}


def lost(events: Sequence[AnyEvent]) -> tuple[Unit, ...]:
    """The units that a storm sank, or that set foot in the taboo province, where they were lost."""
    sunk = [one.unit for one in events if isinstance(one, StormThrown) and one.sunk]
    gone = [
        Unit(power=one.unit.power, kind=one.unit.kind, at=one.at)
        for one in events
        if isinstance(one, TabooBroken)
    ]
    return (*sunk, *gone)


def _sacred(board: Board, state: State) -> tuple[Province, ...]:
    return (board.chart.taboo,) if state.taboo and board.chart.taboo else ()


def _extras(found: Mapping[str, Sequence[object]]) -> list[dict[str, str]]:
    """What stands on this map and not on every one."""
    signs = [
        ("canoes", "canoe", "canoes ashore"),
        ("hulls", "hull", "afloat"),
        ("dice", "die", "storm: the die"),
        ("taboo", "taboo", "taboo"),
    ]
    return [{"sign": sign, "text": text} for key, sign, text in signs if found[key]]


def _at(spot: Point, aside: tuple[float, float] = (0.0, 0.0), k: float = 1.0) -> dict[str, Any]:
    return {"x": round(spot[0] + aside[0] * k, 1), "y": round(spot[1] + aside[1] * k, 1)}
