"""The security model: every threat in its table has an existing test."""

import ast
import re

import pytest

from tests.kit.handbook import DOCS
from tests.kit.source_files import ROOT

PAGE = (DOCS / "security.md").read_text()
KINDS = (
    "Spoofing",
    "Tampering",
    "Repudiation",
    "Information disclosure",
    "Denial of service",
    "Elevation of privilege",
)
SECTION = PAGE.partition("## Against whom")[2].partition("\n## ")[0]
PARTS = {head: rows for head, rows in re.findall(r"^\*\*(.+?)\*\*(.*?)(?=^\*\*|\Z)", SECTION, re.M | re.S)}
ROWS = [line for line in SECTION.splitlines() if line.startswith("| ") and not line.startswith("| who")]


def test_each_kind_of_threat_has_its_rows() -> None:
    assert tuple(PARTS) == KINDS
    assert all(len(re.findall(r"^\| (?!who)", rows, re.M)) >= 3 for rows in PARTS.values())
    assert len(ROWS) == len(set(ROWS))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[1])
def test_each_row_is_held_by_a_test_that_there_is(row: str) -> None:
    """A function of that file that pytest collects and that `make test` does not leave out."""
    *said, held = row.removeprefix("| ").removesuffix(" |").split(" | ")
    assert len(said) == 3
    assert all(said)
    named = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", held)
    assert named, f"no test is named: {row}"
    tree = ast.parse((ROOT / named[1]).read_text())
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == named[2]]
    assert len(found) == 1, f"{named[1]} has no {named[2]}"
    assert "mark.soak" not in "".join(map(ast.unparse, found[0].decorator_list)), (
        f"{named[2]} is of make soak alone"
    )


def test_every_table_of_attacks_is_named() -> None:
    """Each new table must be described in the security model."""
    tables = {
        file.name for file in (ROOT / "tests" / "system").glob("test_*.py") if "Attack(" in file.read_text()
    }
    assert {name for name in tables if name not in PAGE} == set()
