"""The tree in ARCHITECTURE.md is that on the disk, in the words of each module."""

import pytest

from tests.kit import tree


def test_the_page_draws_the_tree_as_it_is(request: pytest.FixtureRequest) -> None:
    """`make golden` draws it afresh."""
    told = tree.PAGE.read_text(encoding="utf-8")
    fresh = tree.page(told)
    if request.config.getoption("--write-golden"):
        tree.PAGE.write_text(fresh, encoding="utf-8")
        told = fresh
    assert told == fresh, "run pytest tests/architecture/test_tree.py --write-golden"


def test_every_module_is_in_it() -> None:
    """But for empty ones, and the steps of migrations, which are numbered."""
    lines = tree.drawn().splitlines()
    files = [
        file for file in tree.sources(*tree.DRAWN) if file.name != "__init__.py" and file.name[0].isalpha()
    ]
    assert len([line for line in lines if line.startswith("  ")]) == len(files) > 400


def test_what_a_module_says_of_itself_is_read_at_a_glance() -> None:
    """One sentence on the first line of its docstring, and not too long."""
    said = {file.relative_to(tree.ROOT).as_posix(): tree.said(file) for file in tree.sources(*tree.DRAWN)}
    steps = {file for file in said if "/migrations/0" in file}
    odd = [
        file for file, line in said.items() if len(line) > tree.LONGEST or (line and line[-1] not in '."?')
    ]
    assert sorted(set(odd) - steps) == []


def test_a_page_that_is_behind_is_noticed() -> None:
    """So the first test can fail."""
    told = tree.PAGE.read_text(encoding="utf-8")
    assert "inbound/filters.py" not in told, "modules are listed below their folder"
    line = next(line for line in told.splitlines() if line.startswith("  gate.py"))
    assert tree.page(told.replace(f"{line}\n", "")) == tree.page(told) == told
