"""Orders in the spellings that are in use: as many as possible are understood, and none is misread."""

from typing import Any

import pytest

from games.data import read_toml
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import read_text

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
EVERY = pytest.mark.parametrize("meant", MEANT, ids=lambda meant: meant["order"])


def spellings(key: str) -> list[str]:
    """All that are understood, or all that are asked back."""
    return [one for meant in MEANT for one in meant.get(key, ())]


def read(meant: dict[str, Any], spelling: str) -> list[tuple[str, str | None]]:
    """Grade and order of each line that was read."""
    kind, seat = meant.get("kind", "standard"), meant.get("seat", "France")
    rows = read_text(spelling, kind, seat, POSITIONS[meant.get("position", "")])["orders"]
    return [(row["grade"], row["read_as"]) for row in rows]


def in_force(meant: dict[str, Any], spelling: str) -> list[str | None]:
    """The orders that a spelling gives."""
    return [said for grade, said in read(meant, spelling) if grade in IN_FORCE]


def test_there_are_enough_of_them_and_nearly_all_are_understood() -> None:
    understood, asked = spellings("spellings"), spellings("asked")
    assert len(understood) >= 110
    assert len({*understood, *asked}) == len(understood) + len(asked)
    assert len(understood) >= LEAST * (len(understood) + len(asked))


@EVERY
def test_every_spelling_is_understood(meant: dict[str, Any]) -> None:
    """With the right meaning, and no other."""
    missed = {one: read(meant, one) for one in meant["spellings"] if in_force(meant, one) != [meant["order"]]}
    assert missed == {}


@EVERY
def test_what_is_asked_back_is_answered_and_never_misread(meant: dict[str, Any]) -> None:
    """One that is understood meanwhile belongs to the others."""
    for spelling in meant.get("asked", ()):
        assert read(meant, spelling), spelling
        assert in_force(meant, spelling) == [], spelling
