"""The lists of planted faults, and the change of each to a module's code."""

import ast
import builtins
import keyword
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]

# A part of Python text: a word, a number, a sign of several characters, or one character.
_TOKEN = re.compile(r"\w+|\*\*|//|->|:=|[=!<>]=|[^\w\s]")
_NAME = re.compile(r"[^\W\d]\w*")
_FIXED = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_MIN_SHARE_OF_NAMES = 0.5
"""So many of the names of a fault must still stand where it is planted: else it is planted nowhere."""


@dataclass(frozen=True)
class Token:
    """A part of a text, and where it begins and ends there."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Return whether a rename may have changed it."""
        return bool(_NAME.fullmatch(self.text)) and self.text not in _FIXED


@dataclass(frozen=True)
class Place:
    """The place of a fault: from `start` to `end`, and the names there that were renamed since."""

    start: int
    end: int
    renamed: dict[str, str]


@dataclass(frozen=True)
class Fault:
    """A wrong rule.

    name: its list and why it is wrong; file: where, below ROOT; replace, by: the text there, and the wrong
    one;
    test: the one that must notice it; function: in which function of a Python file, with its class; empty
    outside functions.

    A place is known by its shape: names, spaces and line breaks in it may have changed since it was noted.
    """

    name: str
    file: str
    replace: str
    by: str
    test: str
    function: str = ""

    def plant(self, text: str) -> str:
        """Return the file's text with the fault in it. Raises AssertionError where it has no single place."""
        place = self.find_place(text)
        by = _rename(self.by, place.renamed)
        if text[place.start : place.end] != self.replace:
            # A place that is known by its shape begins and ends with a token, and not with spaces.
            before = len(self.replace) - len(self.replace.lstrip())
            behind = len(self.replace) - len(self.replace.rstrip())
            by = by.removeprefix(self.replace[:before])
            by = by.removesuffix(self.replace[len(self.replace) - behind :])
        return text[: place.start] + by + text[place.end :]

    def find_place(self, text: str) -> Place:
        """Return where the fault belongs in the file's text."""
        begin, end = _span_of(text, self.function)
        region = text[begin:end]
        if region.count(self.replace) == 1:
            start = begin + region.index(self.replace)
            return Place(start, start + len(self.replace), {})
        places = _similar_places(region, self.replace)
        assert len(places) == 1, f"{self.name}: the list no longer fits the file: mend the list"
        place = places[0]
        return Place(begin + place.start, begin + place.end, place.renamed)


def _span_of(text: str, function: str) -> tuple[int, int]:
    """Return where a function begins and ends in a module's text; the whole text where none is named."""
    if not function:
        return 0, len(text)
    node: ast.AST = ast.parse(text)
    for name in function.split("."):
        inside = [
            child for child in ast.walk(node) if child is not node and getattr(child, "name", None) == name
        ]
        definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node = next((child for child in inside if isinstance(child, definitions)), node)
        assert getattr(node, "name", None) == name, f"there is no function {function}: mend the list"
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    lines = text.splitlines(keepends=True)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    begin = sum(map(len, lines[: first - 1]))
    return begin, begin + sum(map(len, lines[first - 1 : node.end_lineno]))


def _tokens(text: str) -> list[Token]:
    """Return the parts of a text, without commas before a closing bracket, which formatting adds."""
    found = [Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
    followed = zip(found, [*found[1:], Token("", 0, 0)], strict=True)
    return [token for token, following in followed if token.text != "," or following.text not in tuple(")]}")]


def _similar_places(region: str, pattern: str) -> list[Place]:
    """Return the places of a region that have the shape of a pattern; of several those with most of its
    names.
    """
    wanted, present = _tokens(pattern), _tokens(region)
    names = sum(token.is_name for token in wanted)
    matches: list[tuple[int, Place]] = []
    for at in range(len(present) - len(wanted) + 1):
        window = present[at : at + len(wanted)]
        renamed = _match(wanted, window)
        if renamed is None:
            continue
        kept = sum(old.is_name and old.text == new.text for old, new in zip(wanted, window, strict=True))
        if kept >= names * _MIN_SHARE_OF_NAMES:
            matches.append((kept, Place(window[0].start, window[-1].end, renamed)))
    most = max((kept for kept, _ in matches), default=0)
    return [place for kept, place in matches if kept == most]


def _match(wanted: list[Token], window: list[Token]) -> dict[str, str] | None:
    """Return which names were renamed if two rows of tokens have one shape; None if they do not.

    A name is renamed throughout, and no two names to the same.
    """
    names: dict[str, str] = {}
    for old, new in zip(wanted, window, strict=True):
        if not (old.is_name and new.is_name):
            if old.text != new.text:
                return None
        elif names.setdefault(old.text, new.text) != new.text:
            return None
    if len(set(names.values())) < len(names):
        return None
    return {old: new for old, new in names.items() if old != new}


def _rename(text: str, renamed: dict[str, str]) -> str:
    """Return a text in which names are replaced."""
    return _NAME.sub(lambda match: renamed.get(match[0], match[0]), text)


def read_faults() -> Iterator[Fault]:
    """All the faults of this folder, list by list."""
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            why = fault.pop("why")
            yield Fault(f"{path.stem}: {why}", **fault)


def compile_module(text: str, path: Path) -> CodeType:
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


def changed_functions(sound: CodeType, spoilt: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The outermost functions that differ between two forms of a module, as they are and as they become.

    None if anything else differs: a constant, a class, a default value, which only an import makes.
    """
    if sound.co_flags & CO_OPTIMIZED:
        return [] if _placeless(sound) == _placeless(spoilt) else [(sound, spoilt)]
    if _hollow(sound) != _hollow(spoilt):
        return None
    found = []
    for pair in zip(_within(sound), _within(spoilt), strict=True):
        inside = changed_functions(*pair)
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
