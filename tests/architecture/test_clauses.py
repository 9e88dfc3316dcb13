"""Every rule clause has a test, every marker a clause, and the lists beside the clauses are current."""

from functools import cache

import pytest

from games import kinds
from games.data import read_clauses
from tests.kit import clauses

OURS = sorted(clauses.ours())


@cache
def marked():
    """The tests that prove the clauses of each kind."""
    return clauses.marked_tests()


def test_there_are_kinds_to_prove():
    assert "indianomacy" in OURS


@pytest.mark.parametrize("kind", OURS)
def test_every_clause_has_a_test(kind):
    without = [clause for clause in clauses.ids(clauses.ours()[kind]) if clause not in marked().get(kind, {})]
    assert not without, f"clauses of {kind} that no test is marked with: {without}"


@pytest.mark.parametrize("kind", OURS)
def test_every_marker_names_a_clause(kind):
    known = clauses.ids(clauses.ours()[kind])
    unknown = {one: tests for one, tests in marked().get(kind, {}).items() if one not in known}
    assert not unknown, f"markers that name no clause of {kind}: {unknown}"


def test_every_marker_names_a_kind():
    assert set(marked()) <= set(kinds()), "a marker names a game that is not there"


@pytest.mark.parametrize("kind", OURS)
def test_the_notes_are_fresh(kind):
    game = clauses.ours()[kind]
    fresh = clauses.text(game, marked().get(kind, {}))
    assert clauses.clause_tests_file(game).read_text(encoding="utf-8") == fresh, "run pytest --write-clauses"


@pytest.mark.parametrize("kind", OURS)
def test_clauses_can_be_read_with_their_tests(kind):
    game = clauses.ours()[kind]
    for clause in read_clauses(game.package, game.clauses):
        assert clause.tests
        assert clause.text[-1] == "."
        assert clause.option is None or clause.option in {one.name for one in game.about.options}


def test_markers_are_found_on_functions_only(tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(
        'import pytest\n\n@pytest.mark.clause("toy", "1.1", "1.2")\ndef test_a():\n    pass\n'
        '\n@pytest.mark.other("toy", "1.3")\ndef test_b():\n    pass\n'
    )
    found = ["tests/test_x.py::test_a"]
    assert clauses.marked_tests(folder) == {"toy": {"1.1": found, "1.2": found}}
