"""Every game has the same roles in files of the same names, as docs/adding-a-game.md lists them."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from games.protocol import Bot, Edit, Edits, Event, ForeignFormats, Notation, Order, Rules, Telling, WhatIf
from tests.kit.source_files import ROOT
from tests.kit.toy import toy_found

PAGE = ROOT / "docs" / "adding-a-game.md"
_ROW = re.compile(r"^\| `(?P<file>\w+\.py)` \| (?P<what>.*) \|$", re.MULTILINE)

KINDS: Mapping[type, tuple[str, ...]] = {
    Event: ("events.py",),
    Order: ("model.py",),
    Edit: ("edits.py",),
}
"""Where every class of a kind stands."""

PARTS: Mapping[type, tuple[str, ...]] = {
    Rules: ("rules.py",),
    Notation: ("notation.py",),
    Telling: ("report_text.py", "reports/*"),
    Edits: ("edits.py",),
    WhatIf: ("judge.py",),
    ForeignFormats: ("exchange.py", "exchange/*"),
    Bot: ("bots.py", "bots/*"),
}
"""Where the classes stand that answer what a protocol asks."""

FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "opening": ("setup.py",),
    "legal_orders": ("legal_orders.py",),
    "unlisted_orders": ("legal_orders.py",),
    "adjacent_places": ("legal_orders.py",),
    "attempt": ("rules.py",),
    "dry_run": ("rules.py",),
    "decisions": ("legal_orders.py",),
    "objection": ("legality.py", "adjudication/*"),
    "concerns": ("legality.py", "adjudication/*"),
    "holds": ("notation.py",),
    "tell": ("report_text.py", "reports/*", "phrases.py"),
    "headline": ("report_text.py", "reports/*"),
    "lead": ("report_text.py", "reports/*"),
    "advice": ("phrases.py",),
    "tables": ("tables.py", "report_text.py", "reports/*"),
    "scene": ("map.py", "map/*"),
    "board_scene": ("map.py", "map/*"),
}
"""Where the functions of these names stand."""

GAMES = sorted(
    path.parent.name for path in (ROOT / "games").glob("*/__init__.py") if path.parent.name != "protocol"
)
TOYS = ("cairn", "stones")


def modules(game: str) -> Iterator[tuple[str, ModuleType]]:
    """The modules of a game, each with its path below the game's folder."""
    with toy_found():
        package = importlib.import_module(f"games.{game}")
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            below = path.relative_to(folder)
            name = ".".join((f"games.{game}", *below.with_suffix("").parts)).removesuffix(".__init__")
            yield below.as_posix(), importlib.import_module(name)


@cache
def questions(protocol: type) -> frozenset[str]:
    """Return the methods of a protocol, including those of its bases."""
    return frozenset(
        name
        for base in protocol.__mro__
        if getattr(base, "_is_protocol", False)
        for name, value in vars(base).items()
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
    )


def homes(module: ModuleType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the definitions of a module that have a prescribed file, by name."""
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(thing):
            yield from ((name, home) for kind, home in KINDS.items() if issubclass(thing, kind))
            yield from ((name, home) for part, home in PARTS.items() if answers(thing, part))
        elif inspect.isfunction(thing) and thing.__name__ in FUNCTIONS:
            yield name, FUNCTIONS[thing.__name__]


def answers(thing: type, part: type) -> bool:
    """Return whether a class derives from a base class, or has all methods of a protocol."""
    asked = questions(part)
    return all(hasattr(thing, question) for question in asked) if asked else issubclass(thing, part)


def is_home(path: str, home: tuple[str, ...]) -> bool:
    """Return whether a file below a game's folder is one of those named; ``*`` matches anything."""
    return any(Path(path).match(name) for name in home)


def strays(found: Iterator[tuple[str, ModuleType]]) -> list[str]:
    """Return the definitions in files with another name."""
    return [
        f"{name} stands in {path}, and belongs into {' or '.join(home)}"
        for path, module in found
        for name, home in homes(module)
        if not is_home(path, home)
    ]


@pytest.mark.parametrize("game", [*GAMES, *TOYS])
def test_everything_stands_in_the_file_of_its_role(game: str) -> None:
    """In the game of the tutorial as well."""
    assert strays(modules(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_parts_in_their_files(game: str) -> None:
    """So the test above has something to look at."""
    held = {home for path, module in modules(game) for _, home in homes(module)}
    assert {*KINDS.values(), *(PARTS[part] for part in (Rules, Notation, Telling, Bot, WhatIf))} <= held


def test_what_stands_elsewhere_is_noticed() -> None:
    """So the tests above can fail."""
    module = ModuleType("games.newcomer.model")
    made: dict[str, Callable[[], None] | type] = {"Fell": type("Fell", (Event,), {}), "holds": lambda: None}
    for name, thing in made.items():
        thing.__module__, thing.__name__ = module.__name__, name
        setattr(module, name, thing)
    assert strays(iter([("model.py", module)])) == [
        "Fell stands in model.py, and belongs into events.py",
        "holds stands in model.py, and belongs into notation.py",
    ]


def listed() -> dict[str, str]:
    """Return the files that the page lists, each with its content."""
    return {row["file"]: row["what"] for row in _ROW.finditer(PAGE.read_text(encoding="utf-8"))}


def test_the_page_names_every_home() -> None:
    """A file of a role is listed, or a folder or a pattern in the row of one."""
    rows = "\n".join(f"`{file}` {what}" for file, what in listed().items())
    names = {name for home in (*KINDS.values(), *PARTS.values(), *FUNCTIONS.values()) for name in home}
    assert [name for name in sorted(names) if f"`{name.removesuffix('*')}`" not in rows] == []


def test_a_name_that_two_games_use_is_listed_and_none_is_that_nobody_uses() -> None:
    """A second game cannot give a name another meaning without a word about it."""
    of_games = {game: {path.name for path in (ROOT / "games" / game).rglob("*.py")} for game in GAMES}
    used = [name for names in of_games.values() for name in names]
    shared = {name for name in used if used.count(name) > 1}
    assert sorted(shared - set(listed())) == []
    assert sorted(set(listed()) - {*used, "exchange.py"}) == []
