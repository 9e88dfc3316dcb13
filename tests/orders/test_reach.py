"""A name that was mended is one within the unit's reach, or it is asked back; none is forced onto another."""

import pytest

from tests.kit.dry_runs import told, typed


@pytest.mark.parametrize(
    "line",
    [
        "F Brest - Nordmeer",
        "A Par - Livonya",
        "A Par - Smyrnna",
        "Armee Paris nach Wiena",
        "F Brest - Mer Celtique",
        "PHASE F1901M: A Par - Smyrnna",
    ],
)
def test_no_name_is_mended_into_a_far_off_land(line):
    (row,) = typed(line)["orders"]
    assert (row["grade"], row["read_as"]) == ("unread", None)
    assert "out of reach" in row["problem"]
    assert row["instead"] not in ("F BRE - NTH", "F BRE - BAL", "A PAR - LVN", "A PAR - SMY", "A PAR - VIE")


def test_a_name_within_reach_is_mended():
    assert told("A Par - Burgundi") == ["corrected A PAR - BUR"]
    assert told("Leger Parijs naar Boergondië") == ["corrected A PAR - BUR"]


@pytest.mark.parametrize("line", ["A Par - Lorraine", "A Par - Marokko", "Armée Paris va à Lyon"])
def test_for_a_place_that_there_is_not_an_order_of_the_same_kind_is_offered(line):
    (row,) = typed(line)["orders"]
    assert row["grade"] == "unread"
    assert row["instead"] == "A MAR - BUR"
