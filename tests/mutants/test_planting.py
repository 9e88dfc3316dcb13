"""The place and the change of a fault: in functions only, or in code that runs at import."""

import ast
import re
from pathlib import Path

import pytest

from tests.mutants.planting import ROOT, Fault, changed_functions, compile_module, read_faults

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
    forms = [compile_module(text, Path("fleet.py")) for text in texts]
    pairs = changed_functions(*forms)
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


def plant(text, old, new, function=""):
    """A module's text with a fault in it."""
    return Fault("fleet: it sails too far", "", old, new, "", function).plant(text)


@pytest.mark.parametrize(
    ("old", "new", "renamed"),
    [
        ("far > LIMIT", "far < LIMIT", {"far": "distance"}),
        ("far > LIMIT", "far > LIMIT + len(far)", {"LIMIT": "MAX_DISTANCE"}),
        (
            "[unit for unit in units if unit.size > 1]",
            "[unit for unit in units if unit.size > 2]",
            {"units": "pieces", "beaten": "list_beaten"},
        ),
        ("for unit in units if unit.size > 1", "for unit in units if unit", {"unit": "piece"}),
        ("class Fleet:\n    size = 1", "class Fleet:\n    size = 2", {"size": "strength"}),
    ],
)
def test_a_rename_keeps_the_place(old, new, renamed):
    """The wrong rule uses the present names."""

    def rename(text):
        for name, other in renamed.items():
            text = re.sub(rf"\b{name}\b", other, text)
        return text

    assert plant(rename(SOUND), old, new) == rename(plant(SOUND, old, new))


@pytest.mark.parametrize(
    "laid_out",
    [
        "return meets(fleet, fleets[0], far=2)",
        "return meets(\n        fleet, fleets[0], far=2\n    )",
        "return meets(\n        fleet,\n        fleets[\n            0\n        ],\n        far=2,\n    )",
        "return meets( fleet,fleets[0] ,far = 2 )",
    ],
)
def test_a_new_layout_keeps_the_place(laid_out):
    text = f"def stays(fleet, fleets):\n    {laid_out}\n"
    for old in (
        "return meets(fleet, fleets[0], far=2)",
        "return meets(\n        fleet,\n        fleets[0],\n        far=2,\n    )",
    ):
        assert plant(text, old, "return True") == "def stays(fleet, fleets):\n    return True\n"


TWO_PLACES = """
class Fleet:
    def sails(self, way):
        return way > LIMIT

class Army:
    def walks(self, road):
        return road > LIMIT
"""


def test_of_two_places_of_equal_shape_neither_is_taken():
    with pytest.raises(AssertionError, match="mend the list"):
        plant(TWO_PLACES, "far > LIMIT", "far < LIMIT")
    with pytest.raises(AssertionError, match="mend the list"):
        plant(TWO_PLACES, "> LIMIT", "< LIMIT")


def test_of_two_places_the_one_with_more_of_the_names_is_taken():
    assert plant(TWO_PLACES, "road > LIMIT", "road < LIMIT") == TWO_PLACES.replace("road >", "road <")
    renamed = TWO_PLACES.replace("walks", "marches")
    old, new = "def walks(self, road):\n  return road > LIMIT", "def walks(self, road):\n        return False"
    changed_text = TWO_PLACES.replace("walks", "marches").replace("return road > LIMIT", "return False")
    assert plant(renamed, old, new) == changed_text


def test_the_function_that_is_named_settles_the_place():
    sails = TWO_PLACES.replace("way >", "way <")
    assert plant(TWO_PLACES, "> LIMIT", "< LIMIT", "Fleet.sails") == sails
    assert plant(TWO_PLACES, "far > LIMIT", "far < LIMIT", "sails") == sails
    for function in ("Fleet.walks", "Raft", "Army.sails"):
        with pytest.raises(AssertionError, match="mend the list"):
            plant(TWO_PLACES, "> LIMIT", "< LIMIT", function)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("return distance > BOUND", id="no name is left"),
        pytest.param("return fleet.reach(distance) > LIMIT", id="another shape"),
        pytest.param("return far >= LIMIT", id="another sign"),
        pytest.param("return far > 3", id="a number is no name"),
        pytest.param("return far > len", id="nor is what Python brings along"),
        pytest.param("return far > far", id="two names have become one"),
    ],
)
def test_what_has_changed_too_much_is_no_place(text):
    with pytest.raises(AssertionError, match="mend the list"):
        plant(text, "far > LIMIT", "far < LIMIT")


def test_less_than_half_of_the_names_are_too_few():
    old, new = "far > LIMIT - wind", "far < LIMIT - wind"
    assert plant("return far > LIMIT - storm", old, new) == "return far < LIMIT - storm"
    with pytest.raises(AssertionError, match="mend the list"):
        plant("return far > BOUND - storm", old, new)


@pytest.mark.parametrize("text", ["near + far", "far + near"])
def test_a_name_that_was_renamed_in_one_place_only_is_another_shape(text):
    with pytest.raises(AssertionError, match="mend the list"):
        plant(text, "far + far", "far - far")


@pytest.mark.parametrize(
    ("game", "name"),
    [("diplomacy", "split_spot"), ("diplomacy", "season_number"), ("great_war", "armies")],
)
def test_a_rename_of_a_function_touches_only_the_faults_of_that_function(game, name):
    """Other faults of the game are planted as before, in text that calls it by another name.

    Only a fault that calls it in the wrong code alone would have to follow.
    """
    word = re.compile(rf"\b{name}\b")
    faults = [fault for fault in read_faults() if fault.file.startswith(f"games/{game}/")]
    others = [fault for fault in faults if fault.function.rpartition(".")[2] != name]
    assert any(word.search(fault.replace) for fault in others), "some call it"
    for fault in others:
        if fault.file.endswith(".py"):
            text = (ROOT / fault.file).read_text(encoding="utf-8")
            planted = ast.parse(word.sub("renamed_since", fault.plant(text)))
            again = ast.parse(fault.plant(word.sub("renamed_since", text)))
            assert ast.dump(again) == ast.dump(planted), fault.name
