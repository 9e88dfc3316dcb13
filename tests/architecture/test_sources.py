"""Rules for every source file of the product, checked on its syntax tree."""

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from games import kinds
from tests.kit.source_files import PACKAGES, ROOT, sources

OURS = frozenset({*PACKAGES, "templates"})
THIRD = {"games": {"babel", "msgspec"}, "orders": {"rapidfuzz", "selectolax"}}
"""What the pure packages may use beside the standard library."""

MAX_FILE_LINES = 1_200
MAX_FUNCTION_LINES = 60
LONG_FUNCTIONS = {
    "adjudicator/reports/report.py": ["compile_report"],
    "adjudicator/storage/migrations/0001_books.py": ["up"],
    "adjudicator/storage/migrations/0002_people.py": ["up"],
}
"""Migrations stay as they ran: each makes all the tables of its time. A report has a line for each field."""

CLOCKS = frozenset(
    {
        *("time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.strftime"),
        *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
        *("formatdate", "make_msgid", "localtime", "email.utils.localtime", "email.utils.formatdate"),
    }
)
"""Calls that read the time when they are given none."""


def relative_path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def trees(*folders: str) -> Mapping[str, ast.Module]:
    """Every file of the product, read once; or those below some folders."""
    if folders:
        return {file: module for file, module in trees().items() if file.startswith(folders)}
    return {relative_path(path): tree(path) for path in sources(*PACKAGES)}


@cache
def nodes(module: ast.Module) -> tuple[ast.AST, ...]:
    """All that a file consists of."""
    return tuple(ast.walk(module))


@pytest.fixture(scope="module", autouse=True)
def _felled() -> Iterator[None]:
    """Trees are many small things, which every later search for garbage would go through."""
    yield
    trees.cache_clear()
    nodes.cache_clear()


def broken(faults: Callable[[str], Collection[str]], *folders: str) -> dict[str, Collection[str]]:
    """Return the faults by file, without files that have none."""
    return {file: found for file in trees(*folders) if (found := faults(file))}


# What is written down.


def documented_elsewhere() -> set[str]:
    """Names of methods that a protocol or a class made to be inherited from documents."""
    bases = {
        base.split(".")[-1]
        for module in trees().values()
        for one in classes(module)
        for base in list_bases(one)
    }
    return {
        method.name
        for module in trees().values()
        for one in classes(module)
        if one.name in bases or {"Protocol", "ABC"} & set(list_bases(one))
        for method in functions(one)
        if ast.get_docstring(method)
    }


def classes(module: ast.Module) -> list[ast.ClassDef]:
    return [node for node in module.body if isinstance(node, ast.ClassDef)]


def list_bases(one: ast.ClassDef) -> list[str]:
    """Return the bases of a class as written, without what is in brackets."""
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


def test_every_public_name_says_what_it_answers() -> None:
    """Modules, classes, functions, methods; but a method that a protocol documents need not repeat it."""
    inherited = documented_elsewhere()
    assert broken(lambda file: list(undocumented(trees()[file], inherited))) == {}


def test_a_name_without_a_docstring_is_noticed() -> None:
    """So the test above can fail."""
    module = ast.parse("class A:\n  def b(self): ...\n  def _c(self): ...\n  def d(self): ...\ndef e(): ...")
    assert list(undocumented(module, {"d"})) == ["the module", "A", "e", "A.b"]


def test_no_file_is_too_long_to_be_read() -> None:
    assert broken(lambda file: (ROOT / file).read_text(encoding="utf-8").splitlines()[MAX_FILE_LINES:]) == {}


def test_no_function_is_too_long_to_be_read() -> None:
    assert broken(lambda file: list(long_functions(trees()[file]))) == LONG_FUNCTIONS


def long_functions(module: ast.Module) -> Iterator[str]:
    """The names of the functions of a file that have more than MAX_FUNCTION_LINES."""
    for node in nodes(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.end_lineno - node.lineno >= MAX_FUNCTION_LINES:
                yield node.name


def test_imports_are_absolute_and_whole_and_at_the_top() -> None:
    """No star, no dots, none inside a function but in the command line, which must start quickly."""
    assert broken(lambda file: list(odd(file))) == {}
    within = broken(lambda file: list(inner(file)))
    assert [file for file in within if not file.startswith("adjudicator/cli/")] == []


def odd(file: str) -> Iterator[str]:
    """The imports of a file that begin with dots, or bring all there is."""
    for node in nodes(trees()[file]):
        if isinstance(node, ast.ImportFrom) and (node.level or node.names[0].name == "*"):
            yield ast.unparse(node)


def inner(file: str) -> Iterator[str]:
    """The imports inside functions of a file."""
    for function in nodes(trees()[file]):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield ast.unparse(node)


def fields_of(one: ast.ClassDef) -> set[str]:
    """The fields that a dataclass or a struct writes down."""
    lines = [node.target for node in one.body if isinstance(node, ast.AnnAssign)]
    return {target.id for target in lines if isinstance(target, ast.Name)}


def fields_of_dataclasses(modules: Collection[ast.Module]) -> list[set[str]]:
    """The fields of each dataclass, with those that it inherits."""
    every: dict[str, list[ast.ClassDef]] = {}
    for module in modules:
        for one in classes(module):
            every.setdefault(one.name, []).append(one)

    def kin(one: ast.ClassDef) -> list[ast.ClassDef]:
        return [
            one,
            *(each for base in list_bases(one) for other in every.get(base, ()) for each in kin(other)),
        ]

    families = [kin(one) for several in every.values() for one in several]
    return [
        {name for each in family for name in fields_of(each)}
        for family in families
        if any("dataclass" in ast.unparse(mark) for each in family for mark in each.decorator_list)
    ]


def misreplaced(module: ast.Module, dataclasses: Collection[set[str]]) -> list[str]:
    """Calls of the standard library's `replace` that name fields which no dataclass has together."""
    taken = {
        name.name
        for node in nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        for name in node.names
    }
    if "replace" not in taken:
        return []
    calls = [node for node in nodes(module) if isinstance(node, ast.Call)]
    named = {
        call: {word.arg for word in call.keywords if word.arg}
        for call in calls
        if ast.unparse(call.func) == "replace"
    }
    return [ast.unparse(call) for call, told in named.items() if not any(told <= one for one in dataclasses)]


def test_structs_are_not_changed_as_dataclasses_are() -> None:
    """`dataclasses.replace` fails on them, and no type checker says so: `games.record.changed` does it."""
    tests = {relative_path(path): tree(path) for path in (ROOT / "tests").rglob("*.py")}
    known = fields_of_dataclasses([*trees().values(), *tests.values()])
    assert broken(lambda file: misreplaced(trees()[file], known)) == {}
    assert {file: found for file, module in tests.items() if (found := misreplaced(module, known))} == {}


def test_a_struct_that_is_changed_as_a_dataclass_is_noticed() -> None:
    """So the test above can fail."""
    text = "class A(Value):\n  a: int\n@dataclass\nclass B:\n  b: int\nclass C(B):\n  c: int\n"
    calls = "replace(x, a=1)\nreplace(x, b=1)\nreplace(x, b=1, c=2)\nreplace(x, a=1, b=2)"
    module = ast.parse(f"from dataclasses import replace\n{text}{calls}")
    assert misreplaced(module, fields_of_dataclasses([module])) == [
        "replace(x, a=1)",
        "replace(x, a=1, b=2)",
    ]


# What is kept out.


def imported(module: ast.Module) -> set[str]:
    """The modules that are imported, by full name."""
    names = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_games_and_orders_use_the_standard_library_and_little_else() -> None:
    """msgspec and Babel are used in one file each; orders has one library for HTML, and one for likeness."""
    assert broken(lambda file: others(file) - THIRD[file.partition("/")[0]], "games/", "orders/") == {}
    assert list(broken(lambda file: others(file) & {"msgspec"}, "games/", "orders/")) == ["games/record.py"]
    assert list(broken(lambda file: others(file) & {"babel"}, "games/", "orders/")) == ["games/language.py"]


def others(file: str) -> set[str]:
    """Return a file's imports from neither our code nor the standard library."""
    tops = {name.partition(".")[0] for name in imported(trees()[file])}
    return {name for name in tops if name not in sys.stdlib_module_names and name not in OURS}


def test_orders_cannot_ask_which_games_there_are() -> None:
    """It is handed a parse context, and does not know `games.kinds`."""
    assert broken(lambda file: imported(trees()[file]) & {"games"}, "orders/") == {}


def literals(module: ast.Module) -> set[str]:
    """The words of all texts of a module, docstrings left out."""
    inside = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)
    said = {
        id(node.value)
        for parent in nodes(module)
        if isinstance(parent, inside)
        for node in ast.iter_child_nodes(parent)
        if isinstance(node, ast.Expr)
    }
    texts = [
        node.value
        for node in nodes(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]
    return {word for text in texts for word in text.lower().replace(".", " ").replace("/", " ").split()}


def test_no_game_is_known_by_name() -> None:
    """Not even in a text, for an import at run time; examples of the command line may name one."""
    folders = {path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").is_file()}
    names = folders | set(kinds())
    known = broken(lambda file: literals(trees()[file]) & names, "orders/", "adjudicator/")
    assert [file for file in known if not file.startswith(("adjudicator/cli/", "adjudicator/demo.py"))] == []


def test_one_file_reads_the_time() -> None:
    """All others get it as an argument."""
    assert list(broken(lambda file: clocks(called(file)))) == ["adjudicator/clock.py"]


def called(file: str) -> set[str]:
    """Return the calls of a file, except those with the time as an argument."""
    return {
        ast.unparse(node.func)
        for node in nodes(trees()[file])
        if isinstance(node, ast.Call) and not any(keyword.arg == "timeval" for keyword in node.keywords)
    }


def clocks(calls: set[str]) -> set[str]:
    """Return the calls that read the time, under whatever name their module is imported."""
    tails = {call: ".".join(call.split(".")[-2:]) for call in calls}
    return {call for call, tail in tails.items() if call in CLOCKS or tail in CLOCKS}


def test_reading_the_time_is_noticed() -> None:
    """So the test above can fail."""
    assert clocks({"time.time", "datetime.datetime.now", "time.monotonic", "clock.now"}) == {
        "time.time",
        "datetime.datetime.now",
    }
    assert "time.time_ns" in called("adjudicator/clock.py")


def test_templates_hold_no_python() -> None:
    """Except one docstring, so that the folder is part of the wheel."""
    (only,) = sources("templates")
    assert relative_path(only) == "templates/__init__.py"
    body = tree(only).body
    assert len(body) == 1
    assert ast.get_docstring(tree(only))


def test_no_python_lies_among_the_templates_of_a_game() -> None:
    """Nor in a folder of data."""
    folders = [path for name in ("templates", "variants", "data") for path in (ROOT / "games").rglob(name)]
    assert folders
    assert [file for folder in folders for file in folder.rglob("*.py")] == []
