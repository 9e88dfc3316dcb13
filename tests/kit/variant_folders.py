"""Folders of variants with random faults, and a game of bots on those that the checker accepts.

Run ``python -m tests.kit.variant_folders SEED`` to see the fault of one seed and what the checker says.
"""

import copy
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import games.diplomacy
from adjudicator.errors import Refusal
from adjudicator.variants import check_variant, draw_opening
from games.dice import LabelledDice, SealedDice
from games.diplomacy.boards.folders import OUTLINE_FILE, REQUIRED_FILES
from games.options import settle
from games.protocol import Game
from tests.kit.handbook import DOCS

VARIANTS = Path(games.diplomacy.__file__).parent / "variants"
TURNS = 10

_LANDS = {
    "UPL": [[0, 0], [100, 0], [100, 150], [100, 250], [0, 250], [0, 0]],
    "HAV": [[100, 0], [200, 0], [200, 150], [100, 150], [100, 0]],
    "MOO": [[100, 150], [200, 150], [200, 250], [100, 250], [100, 150]],
    "DAL": [[100, 250], [200, 250], [200, 400], [100, 400], [100, 250]],
    "POR": [[200, 250], [300, 250], [300, 400], [200, 400], [200, 250]],
    "ISL": [[400, 0], [500, 0], [500, 250], [400, 250], [400, 0]],
    "STR": [[200, 0], [400, 0], [400, 250], [300, 250], [200, 250], [200, 150], [200, 0]],
}
"""The outlines of the provinces of the example."""

_LABELS = {
    "UPL": [50, 130],
    "HAV": [150, 80],
    "MOO": [150, 200],
    "DAL": [150, 330],
    "POR": [250, 330],
    "ISL": [450, 120],
    "STR": [300, 120],
}

_ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, -50, 10**9, 10**30, 0.5, -2.5, 1e300, float("nan")),
    *("", " ", "A", "F", "W", "HAV", "HAV/NC", "A HAV", "W HAV", "North", "neutral", "hold", "Ä", "\n"),
    *("gold", "#fff", "#123456", "standard", "strait", "{season", "{0}", "<b>&", "winter", "MultiPolygon"),
    *([], {}, [[]], [[[]]], [0, 0], [1, 2, 3], {"a": 1}, ["A HAV"]),
)
"""The values that stand where something else should."""

_MORE_ENTRIES: Mapping[str, tuple[Any, ...]] = {
    "taboo": ("HAV", "STR"),
    "coast_names": ({"LC": "lagoon coast"}, {"LC": "north coast"}, {"": ""}),
    "one_way": ([["UPL", "MOO"]], [["UPL", "XXX"]], [["STR", "ISL"], ["HAV", "STR"]]),
    "stormy": (["STR"], ["HAV"]),
    "turns": ([{"parts": ["UPL", "MOO"], "ends": ["HAV", "DAL"]}],),
    "even_turns": ([{"parts": ["UPL", "MOO"], "ends": ["HAV", "DAL"]}],),
    "crossings": ([["UPL", "MOO", "Run"]], [["UPL", "XXX", "Run"]]),
    "assumed_centres": (["HAV"], ["STR"]),
    "even_centres": (["UPL", "DAL"], ["XXX"]),
    "zoom": (0, 2.5),
    "outline": ("standard", "../standard", "nowhere"),
    "projection": ({"parallels": [40, 60]}, {}),
    "victory": (
        *({"centres": 1}, {"centres": 5, "units": 3}, {"centres": 99}, [], [{}]),
        [{"lead": 3, "lead_from": [[2, 2], [4, 1]]}, {"power": "South", "provinces": ["ISL"]}],
        [{"centres": 4}, {"most_from": 2}],
    ),
    "tie": ("shared", "most", "draw", "goes-on", "coin"),
    "first_year": (1, 0, -260, -1, 1901, 9999),
    "size": ([100, 100], [600, 4000]),
    "neutral": ([], ["F STR"], ["A ISL", "A POR"]),
}
"""Entries of map.json that the example doesn't have, or has otherwise."""

_YEARS: tuple[Any, ...] = (
    [("W", "A", "ends_year")],
    [("S", "M", ""), ("S", "R", "ends_year")],
    [("S", "M", ""), ("S", "R", "captures"), ("W", "A", "ends_year")],
    [("S", "M", ""), ("F", "M", "captures"), ("F", "R", ""), ("W", "A", "ends_year")],
    [("W", "A", ""), ("S", "M", ""), ("S", "R", "captures"), ("F", "A", "ends_year")],
    [("S", "A", ""), ("S", "M", "captures"), ("S", "R", "ends_year")],
    [("S", "R", ""), ("F", "M", "captures"), ("F", "R", "ends_year")],
)
_MORE_RULES: Mapping[str, tuple[Any, ...]] = {
    "year": tuple(
        [{"season": season, "kind": kind} | ({mark: True} if mark else {}) for season, kind, mark in phases]
        for phases in _YEARS
    ),
    "begins": ("WA", "SM", "SR", "FR"),
    "turn_name": (
        "{season",
        "{year} {season} {kind}",
        "{0}",
        "{season} {year:x} {kind}",
        "{kind.real}",
        "year",
    ),
    "builds_of": (["A"], [], ["W"], ["F", "F"]),
    "season_names": ({"S": "Dry season", "F": "Rains"}, {"F": "Winter"}),
    "year_step": (1, 5, 0),
    "builds_in": ("starting", "homes", "owned"),
    "garrisons": ("return", "gone"),
    "canoes": (True, False),
    "removal_near": ("starting", "owned"),
    "victory_after": ("fall", "winter"),
    "missing_convoy": ("walks", "stays"),
    "aliases": (["dip"], ["my game", ""], ["beaver"]),
    "options": (
        [],
        [{"name": "last_year", "sort": "flag", "meaning": "x"}],
        [
            {
                "name": "centres",
                "sort": "choice",
                "meaning": "x",
                "values": ["even", "assumed"],
                "default": "assumed",
            }
        ],
    ),
}
"""Entries of rulebook.toml that a variant may write."""

Files = dict[str, str]


@cache
def example_files() -> Mapping[str, str]:
    """Return the example of docs/variants.md, with an outline and a language."""
    page = (DOCS / "variants.md").read_text(encoding="utf-8")
    found = dict(re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    chart = json.loads(found["map.json"])
    for place in chart["provinces"]:
        place["label"] = _LABELS[place["id"]]
    features = [
        {
            "type": "Feature",
            "properties": {"id": place},
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        }
        for place, ring in _LANDS.items()
    ]
    backdrop = {
        "offboard_land": {
            "type": "MultiPolygon",
            "coordinates": [[[[500, 0], [600, 0], [600, 90], [500, 0]]]],
        },
        "decorative_lakes": {"type": "MultiPolygon", "coordinates": []},
    }
    outline = {
        "type": "FeatureCollection",
        "features": features,
        "backdrop": backdrop,
        "closed": {"Moss": {"type": "Polygon", "coordinates": [[[0, 250], [100, 250], [0, 300], [0, 250]]]}},
        "rivers": {"Run": {"type": "LineString", "coordinates": [[50, 0], [50, 90], [100, 150]]}},
        "mountains": {"Tops": {"type": "LineString", "coordinates": [[20, 20], [40, 60]]}},
    }
    german = (
        'language = "German"\nbase = "standard"\n[provinces]\nHAV = ["Hafen"]\n[powers]\nNorth = ["Nord"]\n'
    )
    return {
        "map.json": json.dumps(chart),
        "rulebook.toml": found["rulebook.toml"],
        "outline.geojson": json.dumps(outline),
        "names.de.toml": german,
    }


@cache
def whole_files(variant: str, name: str) -> Mapping[str, str]:
    """Return the files of a variant that comes with Turnpost, under another name."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (VARIANTS / variant).iterdir()}
    texts["map.json"] = texts["map.json"].replace(f'"name": "{variant}"', f'"name": "{name}"', 1)
    return {file: text for file, text in texts.items() if re.fullmatch(r"map\.json|.*\.(toml|geojson)", file)}


def toml(values: Mapping[str, Any]) -> str:
    """Return a document of TOML with these values."""
    return "".join(f"{json.dumps(key)} = {_toml_value(value)}\n" for key, value in values.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, float) and value != value:
        return "nan"
    return '""' if value is None else json.dumps(value, ensure_ascii=True)


def _paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every entry of a plain value."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, entry in entries:
        yield (*above, key)
        yield from _paths(entry, (*above, key))


def _at(value: Any, way: Sequence[Any]) -> Any:
    """Return the entry at the end of a way."""
    for key in way:
        value = value[key]
    return value


def _add(value: dict[str, Any], entries: Mapping[str, tuple[Any, ...]], dice: Random) -> str:
    """Write an entry that may fit or not, and say which."""
    name = dice.choice(sorted(entries))
    value[name] = copy.deepcopy(dice.choice(entries[name]))
    return f"{name}: {value[name]!r}"


def _cut_border(value: dict[str, Any], dice: Random) -> str:
    """Take a border away on both sides."""
    here = dice.choice(value["provinces"])
    sort = dice.choice(("army", "fleet"))
    for other in here.get(sort, ()):
        for place in value["provinces"]:
            if place["id"] == other and here["id"] in place.get(sort, ()):
                place[sort].remove(here["id"])
    here[sort] = []
    return f"{here['id']}: no {sort}"


def _spoil(value: Any, dice: Random) -> str:
    """Spoil one entry of a plain value, and say how."""
    paths = list(_paths(value))
    if not paths:
        return "nothing to spoil"
    deep = dice.randint(1, max(map(len, paths)))
    way = dice.choice([path for path in paths if len(path) <= deep])
    holder, key = _at(value, way[:-1]), way[-1]
    spoil = dice.choice(("drop", "retype", "alike", "alike", "alike", "twice", "swap", "name"))
    if spoil == "drop":
        del holder[key]
    elif spoil == "retype":
        holder[key] = copy.deepcopy(dice.choice(_ODD_VALUES))
        return f"{way}: {holder[key]!r}"
    elif spoil == "alike":
        entry = holder[key]
        if isinstance(entry, (int, float)) and not isinstance(entry, bool):
            holder[key] = type(entry)(entry * dice.choice((0, -1, 1, 2, 1000)) + dice.choice((0, 1, -1)))
        else:
            alike = [one for one in map(partial(_at, value), paths) if type(one) is type(entry)]
            holder[key] = copy.deepcopy(dice.choice(alike))
        return f"{way}: {entry!r} became {holder[key]!r}"
    elif spoil == "twice" and isinstance(holder, list):
        holder.insert(dice.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
    elif spoil == "name" and isinstance(holder, dict):
        holder[dice.choice(("base", "zoom", "turned", "XXX", "id", "outline", "shapes", str(key) + "s"))] = (
            holder.pop(key)
        )
    else:
        others = [path for path in paths if path[: len(way)] != way[: len(path)]] or [way]
        other = dice.choice(others)
        there = _at(value, other[:-1])
        if other != way:
            holder[key], there[other[-1]] = copy.deepcopy(there[other[-1]]), copy.deepcopy(holder[key])
        return f"{way}: swapped with {other}"
    return f"{way}: {spoil}"


def _spoil_text(text: str, dice: Random) -> tuple[str, str]:
    """Return a file's text with a fault that no reader of its values makes, and what it is."""
    at = dice.randrange(len(text) + 1)
    ways: tuple[Callable[[], tuple[str, str]], ...] = (
        lambda: (text[:at], f"cut at {at}"),
        lambda: ("\ufeff" + text, "a byte order mark"),
        lambda: (text[:at] + dice.choice('{["\0\u2028😀,') + text[at:], f"a sign at {at}"),
        lambda: ("[" * 100_000, "a hundred thousand brackets"),
        lambda: ("a.b.c = 1\n[a.b.c]\n", "tables that collide"),
        lambda: ("", "empty"),
    )
    return dice.choice(ways)()


def spoilt_files(seed: int, variants: tuple[str, ...] = ("example",)) -> tuple[Files, str]:
    """Return the files of a folder with one to three faults, and what they are."""
    dice = Random(seed)  # a campaign that can be repeated
    variant = dice.choice(variants)
    files = dict(example_files() if variant == "example" else whole_files(variant, "mine"))
    faults: list[str] = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        file = dice.choice(["map.json", "map.json", *sorted(files)])
        if file not in files:
            continue
        if dice.random() < 0.06:
            files[file], fault = _spoil_text(files[file], dice)
        elif dice.random() < 0.02:
            del files[file]
            fault = "missing"
        else:
            try:
                value = tomllib.loads(files[file]) if file.endswith(".toml") else json.loads(files[file])
            except (ValueError, RecursionError):
                continue
            whole, fault = isinstance(value, dict) and not faults, ""
            if whole and file == "map.json" and dice.random() < 0.5:
                value["counts"] = {}
            if whole and file == "map.json" and dice.random() < 0.4:
                adds = dice.random() < 0.7 or "provinces" not in value
                fault = _add(value, _MORE_ENTRIES, dice) if adds else _cut_border(value, dice)
            elif whole and file == "rulebook.toml" and dice.random() < 0.6:
                fault = _add(value, _MORE_RULES, dice)
            else:
                fault = _spoil(value, dice)
            files[file] = (toml if file.endswith(".toml") else json.dumps)(value)
        faults.append(f"{file}: {fault}")
    return files, f"{variant}: " + "; ".join(faults)


def play(game: Game, seed: int) -> None:
    """Let bots play some turns of a game, and tell what happened."""
    bot = game.bots[sorted(game.bots)[seed % len(game.bots)]]
    state = game.rules.setup(settle(game.about.options, {}), SealedDice(b"folder", "folder", 0)).state
    for number in range(1, TURNS + 1):
        if game.rules.result(state) is not None:
            return
        dice = SealedDice(b"folder", "folder", number)
        orders = {
            due.seat: [
                choice.order
                for choice in bot.orders(
                    game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
                )
            ]
            for due in game.rules.due(state)
        }
        outcome = game.rules.adjudicate(state, orders, dice)
        game.telling.headline(outcome.events)
        state = outcome.state


def try_folder(seed: int, variants: tuple[str, ...] = ("example",), *, played: bool = True) -> str:
    """Check the folder of a seed, and play it if the checker says so. Return what the checker said.

    Raises AssertionError with the seed and its faults for anything but a refusal with file and remedy.
    """
    files, fault = spoilt_files(seed, variants)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "mine"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        refusal: Refusal | None = None
        try:
            try:
                survey = check_variant(folder)
            except Refusal as refused:
                refusal = refused
            if refusal is None and played:
                if not any("drawn" in finding for finding in survey.findings):
                    draw_opening(survey)
                play(survey.game, seed)
        except BaseException as traceback:
            raise AssertionError(f"seed {seed}: {fault}") from traceback
    if refusal is not None:
        names = (*files, *REQUIRED_FILES, OUTLINE_FILE)  # an outline may be that of the base
        assert any(name in refusal.what for name in names), f"seed {seed} names no file: {refusal}"
        assert refusal.instead, f"seed {seed} has no remedy: {refusal}"
        return f"{refusal.what}: {refusal.why} ({refusal.instead})"
    return "can be played; " + "; ".join(survey.findings)


if __name__ == "__main__":
    print(spoilt_files(int(sys.argv[1]))[1])
    print(try_folder(int(sys.argv[1])))
