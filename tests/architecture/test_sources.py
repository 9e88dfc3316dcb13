"""What holds for every source file of the product, read as a syntax tree."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import kinds
from tests.kit.tree import PACKAGES, ROOT, sources

FILES = sources(*PACKAGES)
OURS = frozenset({*PACKAGES, "templates"})
THIRD = {"games": {"msgspec"}, "orders": {"rapidfuzz", "selectolax"}}
"""What the pure packages may use beside the standard library."""

LONGEST = 500
CLOCKS = frozenset(
    {
        *("time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.strftime"),
        *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
        *("formatdate", "make_msgid", "localtime", "email.utils.localtime", "email.utils.formatdate"),
    }
)
"""Calls that read the time when they are given none."""


def where(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


TREES = {where(path): tree(path) for path in FILES}

each_file = pytest.mark.parametrize("file", TREES)


# What is written down.


def documented_elsewhere() -> set[str]:
    """Names of methods that a protocol or a class made to be inherited from documents."""
    bases = {base.split(".")[-1] for module in TREES.values() for one in classes(module) for base in of(one)}
    return {
        method.name
        for module in TREES.values()
        for one in classes(module)
        if one.name in bases or {"Protocol", "ABC"} & set(of(one))
        for method in functions(one)
        if ast.get_docstring(method)
    }


def classes(module: ast.Module) -> list[ast.ClassDef]:
    return [node for node in module.body if isinstance(node, ast.ClassDef)]


def of(one: ast.ClassDef) -> list[str]:
    """The bases of a class as they are written, without what stands in brackets."""
    return [ast.unparse(base).partition("[")[0] for base in one.bases]


def functions(node: ast.Module | ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [child for child in node.body if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)]


def undocumented(module: ast.Module, inherited: set[str]) -> Iterator[str]:
    """The public names of a module that do not say what they answer."""
    if not ast.get_docstring(module):
        yield "the module"
    for node in (*classes(module), *functions(module)):
        if not node.name.startswith("_") and not ast.get_docstring(node):
            yield node.name
    for one in classes(module):
        for method in functions(one) if not one.name.startswith("_") else ():
            answers = ast.get_docstring(method) or method.name in inherited
            if not method.name.startswith("_") and not answers:
                yield f"{one.name}.{method.name}"


@each_file
def test_every_public_name_says_what_it_answers(file: str) -> None:
    """Modules, classes, functions, methods; but a method that a protocol documents need not repeat it."""
    assert list(undocumented(TREES[file], documented_elsewhere())) == []


def test_a_name_without_a_docstring_is_noticed() -> None:
    """So the test above can fail."""
    module = ast.parse("class A:\n  def b(self): ...\n  def _c(self): ...\n  def d(self): ...\ndef e(): ...")
    assert list(undocumented(module, {"d"})) == ["the module", "A", "e", "A.b"]


@each_file
def test_no_file_is_too_long_to_be_read(file: str) -> None:
    """Five hundred lines at most."""
    assert len((ROOT / file).read_text(encoding="utf-8").splitlines()) <= LONGEST


@each_file
def test_imports_are_absolute_and_whole_and_at_the_top(file: str) -> None:
    """No star, no dots, none inside a function but in the command line, which must start quickly."""
    lazy = file.startswith("adjudicator/gm/")
    inner = [
        ast.unparse(node)
        for function in ast.walk(TREES[file])
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and not lazy
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert inner == []
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert [alias.name for alias in node.names] != ["*"]


# What is kept out.


def imported(module: ast.Module) -> set[str]:
    """The modules that are imported, by full name."""
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("file", [file for file in TREES if file.split("/")[0] in THIRD])
def test_games_and_orders_use_the_standard_library_and_little_else(file: str) -> None:
    """msgspec in one file; two libraries for HTML and for likeness."""
    tops = {name.partition(".")[0] for name in imported(TREES[file])}
    others = {name for name in tops if name not in sys.stdlib_module_names and name not in OURS}
    assert others <= THIRD[file.split("/")[0]]
    assert "msgspec" not in others or file == "games/record.py"


@pytest.mark.parametrize("file", [file for file in TREES if file.startswith("orders/")])
def test_orders_cannot_ask_which_games_there_are(file: str) -> None:
    """It is handed a phrasebook, and does not know `games.kinds`."""
    assert "games" not in imported(TREES[file])


def literals(module: ast.Module) -> set[str]:
    """The words of all texts of a module, docstrings left out."""
    inside = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)
    said = {
        id(node.value)
        for parent in ast.walk(module)
        if isinstance(parent, inside)
        for node in ast.iter_child_nodes(parent)
        if isinstance(node, ast.Expr)
    }
    texts = [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]
    return {word for text in texts for word in text.lower().replace(".", " ").replace("/", " ").split()}


@pytest.mark.parametrize("file", [file for file in TREES if not file.startswith("games/")])
def test_no_game_is_known_by_name(file: str) -> None:
    """Not even in a text, for an import at run time; examples of the command line may name one."""
    folders = {path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").is_file()}
    if not file.startswith(("adjudicator/gm/", "adjudicator/demo/")):
        assert not literals(TREES[file]) & (folders | set(kinds()))


@each_file
def test_one_file_reads_the_time(file: str) -> None:
    """Everybody else is told it."""
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(TREES[file])
        if isinstance(node, ast.Call) and not any(keyword.arg == "timeval" for keyword in node.keywords)
    }
    assert file == "adjudicator/clock.py" or not clocks(calls)


def clocks(calls: set[str]) -> set[str]:
    """Those of some calls that read the time, under whatever name their module is known."""
    tails = {call: ".".join(call.split(".")[-2:]) for call in calls}
    return {call for call, tail in tails.items() if call in CLOCKS or tail in CLOCKS}


def test_reading_the_time_is_noticed() -> None:
    """So the test above can fail."""
    assert clocks({"time.time", "datetime.datetime.now", "time.monotonic", "clock.now"}) == {
        "time.time",
        "datetime.datetime.now",
    }
    assert "time.time_ns" in {
        ast.unparse(node.func)
        for node in ast.walk(TREES["adjudicator/clock.py"])
        if isinstance(node, ast.Call)
    }


def test_templates_hold_no_python() -> None:
    """But for one docstring, so that the folder travels in the wheel."""
    (only,) = sources("templates")
    assert where(only) == "templates/__init__.py"
    body = tree(only).body
    assert len(body) == 1
    assert ast.get_docstring(tree(only))


def test_no_python_lies_among_the_templates_of_a_game() -> None:
    """Nor in a folder of data."""
    folders = [path for name in ("templates", "variants", "data") for path in (ROOT / "games").rglob(name)]
    assert folders
    assert [file for folder in folders for file in folder.rglob("*.py")] == []
