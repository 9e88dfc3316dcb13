"""The lists of planted faults, and what one of them changes in a module's code."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """One wrong rule. name: its list and why it is wrong; file: where, below ROOT; test: who is to notice."""

    name: str
    file: str
    replace: str
    by: str
    test: str

    def spoils(self, text: str) -> str:
        """The file's text with the fault in it."""
        assert text.count(self.replace) == 1, "the list no longer fits the file: mend the list"
        return text.replace(self.replace, self.by)


def listed() -> Iterator[Fault]:
    """All the faults of this folder, list by list."""
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            why = fault.pop("why")
            yield Fault(f"{path.stem}: {why}", **fault)


def form_of(text: str, path: Path) -> CodeType:
    """A module's code. From Python 3.13 on classes note where they begin: all do so in the first line."""
    if sys.version_info < (3, 13):
        return compile(text, path, "exec", dont_inherit=True)
    module = ast.parse(text, path)
    outside: list[ast.stmt] = [*module.body]
    for one in outside:
        if isinstance(one, ast.ClassDef):
            outside += one.body
            for placed in (one, *one.decorator_list):
                placed.lineno = placed.end_lineno = 1
                placed.col_offset = placed.end_col_offset = 0
    return compile(module, path, "exec", dont_inherit=True)


def changed(sound: CodeType, spoilt: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The outermost functions that differ between two forms of a module, as they are and as they become.

    None if anything else differs: a constant, a class, a default value, which only an import makes.
    """
    if sound.co_flags & CO_OPTIMIZED:
        return [] if _placeless(sound) == _placeless(spoilt) else [(sound, spoilt)]
    if _hollow(sound) != _hollow(spoilt):
        return None
    found = []
    for pair in zip(_within(sound), _within(spoilt), strict=True):
        inside = changed(*pair)
        if inside is None:
            return None
        found += inside
    return found


def _within(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def _placeless(code: CodeType) -> CodeType:
    """Code without its lines, which move when those above become more or fewer."""
    values = tuple(_placeless(value) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_consts=values, co_firstlineno=1, co_linetable=b"")


def _hollow(code: CodeType) -> CodeType:
    """Code without its lines, with names instead of the functions and classes in it."""
    values = tuple(value.co_name if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_consts=values, co_firstlineno=1, co_linetable=b"")
