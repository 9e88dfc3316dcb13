"""Changes of a fault outside functions that a program picks up without an import.

These are the values of names in a module, and the content of files that are read on demand.
"""

import ast
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

HOMES = ("games", "orders", "adjudicator", "tests")


def changed_assignments(sound: str, spoilt: str) -> list[ast.Assign] | None:
    """The assignments that differ between two forms of a module, as they become. None: other things do."""
    before, after = ast.parse(sound).body, ast.parse(spoilt).body
    if len(before) != len(after):
        return None
    found = []
    for old, new in zip(before, after, strict=True):
        if ast.dump(old) == ast.dump(new):
            continue
        was, becomes = _plain(old), _plain(new)
        if was is None or becomes is None or _names(was) != _names(becomes):
            return None
        found.append(becomes)
    return found


def assign(module: ModuleType, assignments: Iterable[ast.Assign]) -> None:
    """Carry these out in a module, for itself and for all who have taken a name from there."""
    around = vars(module)
    for one in assignments:
        before = {name: around[name] for name in _names(one)}
        exec(compile(ast.Module([one], []), str(module.__file__), "exec", dont_inherit=True), around)
        for other in [*sys.modules.values()]:
            if getattr(other, "__name__", "").partition(".")[0] in HOMES:
                for name, value in before.items():
                    if vars(other).get(name) is value:
                        setattr(other, name, around[name])


def _plain(one: ast.stmt) -> ast.Assign | None:
    """An assignment to names, without the type that may be told of it."""
    if isinstance(one, ast.AnnAssign) and one.value is not None:
        one = ast.copy_location(ast.Assign([one.target], one.value), one)
    is_plain = isinstance(one, ast.Assign) and all(isinstance(name, ast.Name) for name in one.targets)
    return one if isinstance(one, ast.Assign) and is_plain else None


def _names(one: ast.Assign) -> list[str]:
    return [name.id for name in one.targets if isinstance(name, ast.Name)]


def read_as(path: Path, text: str) -> None:
    """Let all reading of this file give another text from now on."""
    sound = io.open

    def opened(file: Any, mode: str = "r", *how: Any, **named: Any) -> Any:
        if isinstance(file, os.PathLike) and os.path.realpath(file) == str(path):
            return io.BytesIO(text.encode()) if "b" in mode else io.StringIO(text)
        return sound(file, mode, *how, **named)

    io.open = opened  # what pathlib opens files by
