"""The same seasons judged by another package, where it is installed and plays that kind of game.

It is not part of Turnpost and nothing rests on it: it is measured in the same run, on the same orders, so
that the figures can be held against each other.
"""

import json
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from adjudicator.bench.figures import Figure, middle, ratio, time_actions

PUBLISHED_TIMES_MS: Mapping[str, float] = {
    "the same package": 1.18,
    "godip": 0.87,
    "pydip": 0.23,
    "an engine in Rust": 0.134,
    "jDip, its virtual machine warm": 0.089,
}
"""Milliseconds for a season of 34 units, dense in supports and convoys, orders parsed, on one machine."""


def measure(package: str, kind: str, questions: Sequence[bytes], ours: Figure) -> tuple[Figure, ...]:
    """Return what a package needs for the same questions: reading the orders, and judging them;
    else nothing.
    """
    maps = _maps(package)
    if kind not in maps:
        return ()
    asked = [json.loads(question) for question in questions]
    games = [_game(maps[kind], kind, question) for question in asked]
    reading = [partial(_read, game, question) for game, question in zip(games, asked, strict=True)]
    read = middle(time_actions(reading), f"the {package} package: its orders, read")
    judged = middle(time_actions([game.process for game in games]), f"the {package} package: a season")
    return (
        read,
        judged,
        ratio(f"the {package} package against the season alone", judged, ours),
        *(
            Figure(what=f"elsewhere: {name}", value=value, unit="ms", note="decisions alone, another run")
            for name, value in PUBLISHED_TIMES_MS.items()
        ),
    )


PROCESSED, READ_AND_PROCESSED = "a season", "its orders, and the season"


def measure_package(
    package: str, kind: str, questions: Sequence[Mapping[str, Any]]
) -> Mapping[str, list[float]]:
    """Milliseconds that a package takes for each question: to judge it, and to read its orders besides."""
    maps = _maps(package)
    if kind not in maps:
        return {}
    games = [_game(maps[kind], kind, question) for question in questions]
    read = time_actions(
        [partial(_read, game, question) for game, question in zip(games, questions, strict=True)]
    )
    judged = time_actions([game.process for game in games])
    both = [reading_time + other for reading_time, other in zip(read, judged, strict=True)]
    return {PROCESSED: judged, READ_AND_PROCESSED: both}


def _maps(package: str) -> Mapping[str, Any]:
    """The package's own game by the name of its map, which is a kind of ours too; none if it is missing."""
    if find_spec(package) is None:
        return {}
    with warnings.catch_warnings():
        # The package leaves a file open while it loads a map, and asks for the time in an old way.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        game = import_module(package).Game
        return {str(game().map_name): game}


def _game(make: Any, kind: str, question: Mapping[str, Any]) -> Any:
    game = make(map_name=kind)
    game.clear_units()
    game.clear_centers()
    for power, units in question["units"].items():
        game.set_units(power.upper(), units, reset=True)
    return game


def _read(game: Any, question: Mapping[str, Any]) -> None:
    for power, orders in question["orders"].items():
        game.set_orders(power.upper(), orders)
