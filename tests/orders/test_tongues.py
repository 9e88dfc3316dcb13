"""A name with two meanings: the language of the other lines says which, and nothing else does."""

import pytest

from tests.kit.dry_runs import read_text

UNITS = {"phase": "S1901M", "units": {"Austria": ["A Galicia", "A Vienna", "A Warsaw"]}}


def row_of(text: str, line: str) -> dict[str, object]:
    """Return the result of a line of an Austrian email."""
    rows = read_text(text, seat="Austria", question=UNITS)["orders"]
    return next(row for row in rows if row["line"] == line)


@pytest.mark.parametrize(
    ("other", "said", "language"),
    [
        ("A Vienna - Tirolo", "A GAL - BOH", "Italian"),
        ("A Varsavia - Slesia", "A GAL - BOH", "Italian"),
        ("A Wenen - Tirol", "A GAL - BUD", "Dutch"),
        ("A Warschau - Silezië", "A GAL - BUD", "Dutch"),
    ],
)
def test_the_language_of_the_other_lines_tells(other: str, said: str, language: str) -> None:
    for text in (f"{other}\nA Gal - Boe", f"A Gal - Boe\n{other}"):
        row = row_of(text, "A Gal - Boe")
        assert (row["grade"], row["read_as"]) == ("corrected", said)
        assert language in str(row["problem"])
        assert row["candidates"] == []


@pytest.mark.parametrize(
    "text",
    [
        "A Gal - Boe",
        "A Gal - Boe\nA Vie - Tyr",
        "A Gal - Boe\nA Vienna - Tyrolia",
        "A Gal - Boe\nA Vienna - Tirolo\nA Warschau - Silezië",
        "A Gal - Boe\nA Warschau - Sil",
        "A Gal - Boe\nA Vienna - Tirolo?\nCiao Vienna e Varsavia!",
    ],
)
def test_where_no_language_tells_it_is_asked_back(text: str) -> None:
    row = row_of(text, "A Gal - Boe")
    assert row["grade"] == "ambiguous"
    assert sorted(row["candidates"]) == ["A GAL - BOH", "A GAL - BUD"]  # type: ignore[call-overload]
