"""Boards made from the example of docs/variants.md, and questions about positions on them.

A change is a part of map.json or rulebook.toml. Provinces and powers are changed by their ids.
"""

import copy
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from adjudicator.judge import build_order_reader
from games.diplomacy import look_over
from games.protocol import Game, Judge
from tests.kit.variant_folders import Files, example_files, toml

Change = Mapping[str, Any]
NO_CHANGE: Change = MappingProxyType({})


def merge(value: dict[str, Any], change: Change) -> dict[str, Any]:
    """Return a file's value with a change. Entries with an id are merged with the entry of that id."""
    merged = copy.deepcopy(value)
    for key, new in change.items():
        if key in ("provinces", "powers"):
            by_id = {entry["id"]: entry for entry in merged[key]}
            for entry in new:
                by_id[entry["id"]] = {**by_id.get(entry["id"], {}), **entry}
            merged[key] = list(by_id.values())
        else:
            merged[key] = copy.deepcopy(new)
    return merged


def changed_files(chart: Change, rulebook: Change = NO_CHANGE) -> Files:
    """Return the files of the example with changes, without its drawing and its language."""
    files = example_files()
    made = merge(json.loads(files["map.json"]), {"counts": {}, **chart})
    rules = {**tomllib.loads(files["rulebook.toml"]), **rulebook}
    return {"map.json": json.dumps(made), "rulebook.toml": toml(rules)}


def made_game(chart: Change = NO_CHANGE, rulebook: Change = NO_CHANGE) -> Game:
    """Return the game of the example with changes. Raises Invalid, as the checker does."""
    return look_over(changed_files(chart, rulebook)).game


def standard_game(chart: Change = NO_CHANGE, rulebook: Change = NO_CHANGE) -> Game:
    """Return a game on the standard board with changes: whole entries of its two files."""
    files = {
        "map.json": json.dumps({"base": "standard", "name": "made", "counts": {}, **chart}),
        "rulebook.toml": toml({"base": "standard", **rulebook}),
    }
    return look_over(files).game


def asked(game: Game) -> Callable[..., dict[str, Any]]:
    """Return a function that judges a position: its keys are those of `gm judge`."""
    assert isinstance(game.whatif, Judge)
    judge, parse_order = game.whatif.judge, build_order_reader(game)

    def ask(**question: Any) -> dict[str, Any]:
        answer: dict[str, Any] = judge(question, parse_order=parse_order)
        return answer

    return ask


def outcomes(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the outcome of each order that was given, by its text."""
    return {row["order"]: row["outcome"] for row in answer["results"] if row["order"] is not None}


def reasons(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the reason of each order that was given and failed, by its text."""
    return {row["order"]: row["reason"] for row in answer["results"] if row["order"] and row["reason"]}


def topic(game: Game, word: str) -> str:
    """Return the text of a topic in a game's help."""
    return next(section.text for section in game.telling.handbook({}) if word in section.topics)


def told(game: Game, lines: Iterable[Any]) -> list[str]:
    """Return the sentences of a report about events."""
    found = (game.telling.tell(event, None) for event in lines)
    return [line.text for line in found if line is not None]
