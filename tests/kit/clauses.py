"""Which tests prove which rule clauses: read from the markers in the test files.

A marker ``@pytest.mark.clause("indianomacy", "N1", "N2")`` stands on a test function. Only the text of the
tests is read, so that one test can ask for all of them without running any.
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
    """For each kind of game, by clause, the tests that carry its marker, as ``tests/...::test_...``."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(root.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        # Most files have no marker; to read them as trees would take seconds.
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
    """The kinds that are part of the product; tests may bring others."""
    product = TESTS.parent / "games"
    return {kind: game for kind, game in kinds().items() if clause_tests_file(game).is_relative_to(product)}


def clause_tests_file(game: Game) -> Path:
    """The file beside a game's clauses in which its tests are noted."""
    folder = resources.files(game.package).joinpath(*game.clauses.split("/")[:-1])
    return Path(str(folder)) / "clause_tests.json"


def ids(game: Game) -> list[str]:
    """The ids of a game's clauses, in order, whether or not their tests are noted."""
    return [row["id"] for row in read_toml(game.package, game.clauses)["clause"]]


def text(game: Game, markers: dict[str, list[str]]) -> str:
    """Return what the file of noted tests must hold: clauses in their order, tests in theirs."""
    table = {clause: sorted(markers[clause]) for clause in ids(game) if clause in markers}
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def write() -> None:
    """Note the tests of every kind of game that is part of the product."""
    found = marked_tests()
    for kind, game in ours().items():
        clause_tests_file(game).write_text(text(game, found.get(kind, {})), encoding="utf-8")
