"""The tests of each rule clause, read from the markers in the test files.

A marker ``@pytest.mark.clause("indianomacy", "N1", "N2")`` is on a test function. Only the text of the tests
is read, so that one test can check all markers without running the tests.
"""

import ast
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from games import kinds
from games.data import read_toml
from games.protocol import Game

TESTS = Path(__file__).parents[1]
_MARKER = "pytest.mark.clause"


def marked_tests(root: Path = TESTS) -> dict[str, dict[str, list[str]]]:
    """Return by kind and clause the tests with its marker, as ``tests/...::test_...``."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(root.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        # Most files have no marker, and parsing them all would take seconds.
        for function, kind, clause in _markers(ast.parse(text)) if _MARKER in text else ():
            node = f"{path.relative_to(root.parent).as_posix()}::{function}"
            found.setdefault(kind, {}).setdefault(clause, []).append(node)
    return found


def _markers(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for mark in function.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == _MARKER:
                    kind, *clauses = (ast.literal_eval(argument) for argument in mark.args)
                    for clause in clauses:
                        yield function.name, kind, clause


def ours() -> dict[str, Game]:
    """Return the kinds that are part of the product. Tests may add others."""
    product = TESTS.parent / "games"
    return {kind: game for kind, game in kinds().items() if clause_tests_file(game).is_relative_to(product)}


def clause_tests_file(game: Game) -> Path:
    """Return the file beside a game's clauses that lists its tests."""
    folder = resources.files(game.package).joinpath(*game.clauses.split("/")[:-1])
    return Path(str(folder)) / "clause_tests.json"


def ids(game: Game) -> list[str]:
    """Return the ids of a game's clauses, in order, even of those without tests."""
    return [row["id"] for row in read_toml(game.package, game.clauses)["clause"]]


def text(game: Game, markers: dict[str, list[str]]) -> str:
    """Return the content of the file that lists tests: clauses in their order, and each one's tests."""
    table = {clause: sorted(markers[clause]) for clause in ids(game) if clause in markers}
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def write() -> None:
    """Write the files for all kinds of games that are part of the product."""
    found = marked_tests()
    for kind, game in ours().items():
        clause_tests_file(game).write_text(text(game, found.get(kind, {})), encoding="utf-8")
