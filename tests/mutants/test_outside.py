"""Changes of a fault outside functions: values of names, and contents of files."""

import ast
import io
import sys
from types import ModuleType

import pytest

from tests.mutants.outside import assign, changed_assignments, read_as

SOUND = """
LIMIT = 3
NAMES: Names = ("Fleet", "Army")
near, far = LIMIT, 2 * LIMIT

class Fleet:
    size = 1
"""


@pytest.mark.parametrize(
    ("old", "new", "becomes"),
    [
        ("LIMIT = 3", "LIMIT = 4", ["LIMIT = 4"]),
        ('NAMES: Names = ("Fleet", "Army")', 'NAMES: Names = ("Fleet",)', ["NAMES = ('Fleet',)"]),
        ("LIMIT = 3\n", "LIMIT  =  3  # furlongs\n", []),
    ],
)
def test_what_names_are_given_otherwise_is_found(old, new, becomes):
    assert [ast.unparse(one) for one in changed_assignments(SOUND, SOUND.replace(old, new))] == becomes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "BORDER = 3"),
        ("LIMIT = 3", ""),
        ("LIMIT = 3", "del LIMIT"),
        ("2 * LIMIT", "3 * LIMIT"),
        ("size = 1", "size = 2"),
    ],
)
def test_what_differs_otherwise_takes_an_import(old, new):
    assert changed_assignments(SOUND, SOUND.replace(old, new)) is None


def test_who_has_taken_a_name_has_it_anew(monkeypatch):
    origin, taker, stranger = (ModuleType(f"tests.{name}") for name in ("origin", "taker", "stranger"))
    for module in (origin, taker, stranger):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    origin.__file__ = "origin.py"
    origin.SIZES = taker.SIZES = (1, 2)
    stranger.SIZES = (3,)
    assign(origin, changed_assignments("SIZES = (1, 2)", "SIZES = (1, 4)"))
    assert (origin.SIZES, taker.SIZES, stranger.SIZES) == ((1, 4), (1, 4), (3,))


def test_a_file_is_read_otherwise_and_no_other(monkeypatch, tmp_path):
    monkeypatch.setattr(io, "open", io.open)  # what is put there is taken away at the end
    for name in ("sheet", "letter"):
        (tmp_path / name).write_text("sound")
    read_as(tmp_path / "sheet", "spoilt")
    assert (tmp_path / "sheet").read_text(encoding="utf-8") == "spoilt"
    assert (tmp_path / "sheet").read_bytes() == b"spoilt"
    assert (tmp_path / "letter").read_text() == "sound"
