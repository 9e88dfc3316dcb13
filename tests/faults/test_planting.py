"""What a fault changes: the code of functions alone, or what only an import makes."""

from pathlib import Path

import pytest

from tests.faults.planting import Fault, changed, form_of

SOUND = """
LIMIT = 3

class Fleet:
    size = 1

    def sails(self, far=2):
        return far > LIMIT

def beaten(units):
    return [unit for unit in units if unit.size > 1]
"""


def names(old, new):
    """The functions that differ once a part of SOUND is replaced."""
    texts = (SOUND, Fault("", "", old, new, "").plant(SOUND))
    forms = [form_of(text, Path("fleet.py")) for text in texts]
    pairs = changed(*forms)
    return pairs and [(sound.co_qualname, spoilt.co_qualname) for sound, spoilt in pairs]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("far > LIMIT", "far < LIMIT", "Fleet.sails"),
        ("far > LIMIT", "far > 4", "Fleet.sails"),
        ("unit.size > 1", "unit.size > 1.0", "beaten"),
        ("[unit for unit in units if unit.size > 1]", "(\n        units\n    )", "beaten"),
        ("return far", "if far: return\n        return far", "Fleet.sails"),
    ],
)
def test_the_function_that_differs(old, new, name):
    assert names(old, new) == [(name, name)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("size = 1\n", "size = 2\n"),
        ("far=2", "far=3"),
        ("def beaten", "def won"),
        ("def beaten", "@staticmethod\ndef beaten"),
        ("class Fleet", "class Fleet(Exception)"),
    ],
)
def test_what_differs_elsewhere_takes_an_import(old, new):
    assert names(old, new) is None


@pytest.mark.parametrize(("old", "new"), [("LIMIT = 3", "\n\nLIMIT = 3"), ("units if", "units  if")])
def test_lines_and_spaces_are_no_difference(old, new):
    assert names(old, new) == []


def test_a_list_that_no_longer_fits_is_told():
    with pytest.raises(AssertionError, match="mend the list"):
        names("far >= LIMIT", "far")
    with pytest.raises(AssertionError, match="mend the list"):
        names("far", "near")
