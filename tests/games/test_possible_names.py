"""The list of possible orders is whole, or the omitted ones are counted."""

import pytest

from games.protocol import list_possible
from games.protocol.values import MAX_POSSIBLE_NAMES
from tests.kit.dry_runs import read_text


def test_a_list_is_the_end_of_a_sentence() -> None:
    assert list_possible([]) == ""
    assert list_possible(["Brest"]) == "; possible: Brest"
    assert list_possible(["Brest", "Gascony"]) == "; possible: Brest or Gascony"
    assert list_possible(["Brest", "Gascony", "Picardy"]) == "; possible: Brest, Gascony or Picardy"


def test_of_a_long_list_the_rest_is_counted() -> None:
    most = MAX_POSSIBLE_NAMES
    names = [f"N{number}" for number in range(most + 3)]
    assert list_possible(names[:most]).endswith(f"N{most - 2} or N{most - 1}")
    assert list_possible(names).endswith(f"N{most - 1} or 3 more")


@pytest.mark.parametrize(
    ("seat", "far", "unknown", "count"),
    [
        ("Austria", "A Vie - Mos", "A Vie - Xanadu", 5),
        ("Germany", "A Mun - Mos", "A Mun - Xanadu", 7),
        ("Germany", "A Ber - Mos", "A Ber - Xanadu", 4),
        ("France", "F Bre - Mos", "F Bre - Xanadu", 4),
    ],
)
def test_a_place_out_of_reach_and_an_unknown_one_have_one_list(
    seat: str, far: str, unknown: str, count: int
) -> None:
    listed = [
        read_text(line, seat=seat)["orders"][0]["problem"].partition("; possible: ")[2]
        for line in (far, unknown)
    ]
    names = [sorted(one.replace(" or ", ", ").split(", ")) for one in listed]
    assert names[0] == names[1]
    assert len(names[0]) == count
