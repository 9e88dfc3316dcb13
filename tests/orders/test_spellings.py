"""Orders in the spellings that are in use: as many as possible are understood, and none is misread."""

from typing import Any

import pytest

from games.data import read_toml
from orders.verdict import IN_FORCE
from tests.kit.glances import typed

MEANT: list[dict[str, Any]] = read_toml("tests.orders", "spellings.toml")["meant"]
POSITIONS: dict[str, Any] = {
    "": None,
    "sea": {
        "phase": "F1902M",
        "units": {"England": ["A London", "F North Sea", "F Mid-Atlantic Ocean"], "Germany": ["A Munich"]},
    },
    "beaten": {
        "phase": "F1902R",
        "units": {"France": ["A Paris"], "Germany": ["A Burgundy"]},
        "dislodged": {
            "France": [{"unit": "A Burgundy", "by_from": "Munich", "retreats": ["Gascony", "Picardy"]}]
        },
    },
    "builds": {
        "phase": "W1901A",
        "units": {"France": ["A Spain"]},
        "centres": {"France": ["Paris", "Brest", "Marseilles", "Spain"]},
    },
    "removals": {
        "phase": "W1901A",
        "units": {"France": ["A Paris", "A Gascony"]},
        "centres": {"France": ["Paris"]},
    },
}
LEAST = 0.98
"""The share that has to be understood."""


def read(meant: dict[str, Any], spelling: str) -> list[tuple[str, str | None]]:
    """Grade and order of each line that was read."""
    kind, seat = meant.get("kind", "standard"), meant.get("seat", "France")
    rows = typed(spelling, kind, seat, POSITIONS[meant.get("position", "")])["orders"]
    return [(row["grade"], row["read_as"]) for row in rows]


def test_there_are_enough_of_them() -> None:
    spellings = [one for meant in MEANT for one in meant["spellings"]]
    assert len(spellings) >= 110
    assert len(set(spellings)) == len(spellings)


@pytest.mark.parametrize("meant", MEANT, ids=lambda meant: meant["order"])
def test_no_spelling_is_misread(meant: dict[str, Any]) -> None:
    """What is in force is what was meant; what is not understood is answered."""
    for spelling in meant["spellings"]:
        found = read(meant, spelling)
        assert found, spelling
        assert all(said == meant["order"] for grade, said in found if grade in IN_FORCE), (spelling, found)


def test_nearly_all_are_understood() -> None:
    every = [(meant, one) for meant in MEANT for one in meant["spellings"]]
    missed = [
        (one, read(meant, one))
        for meant, one in every
        if [said for grade, said in read(meant, one) if grade in IN_FORCE] != [meant["order"]]
    ]
    assert len(missed) <= (1 - LEAST) * len(every), missed
