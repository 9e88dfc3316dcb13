"""A line of talk that only repeats an order which another line gives in full is a remark: no question."""

import pytest

from tests.kit.dry_runs import graded_lines

ORDER = "A Par - Bur"


def with_order(line: str, below: bool) -> list[str]:
    """Return the reading of an email with the full order and another line. below: where that line is."""
    return graded_lines(f"{ORDER}\n\n{line}" if below else f"{line}\n\n{ORDER}")


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        "A Par - Bur is the key to it all.",
        "A Par - Bur will surprise them",
        "East: A Par - Bur",
        "A Par - Bur, voilà mon ordre principal",
        "A Par - Bur ist der ganze Plan.",
        "We said it before: Paris to Burgundy is what I play",
        "Paris to Burgundy is fun!",
    ],
)
def test_what_another_line_gives_in_full_is_not_asked(line: str, below: bool) -> None:
    assert graded_lines(line)[0] in ("doubtful A PAR - BUR", "taken A PAR - BUR")
    assert [row for row in with_order(line, below) if row.startswith("doubtful")] == []
    assert with_order(line, below)[-1 if not below else 0] == "taken A PAR - BUR"


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        "A Par - Bur was a mistake",
        "A Par - Bur is a bad idea",
        "A Par - Bur, I mean Picardy",
        "A Par - Bur is what I will not do",
        "A Par - Bur is exactly what\nI will never do",
        "A Par - Bur if Italy agrees",
        "If you agree\nA Par - Bur is nice",
        "A Par - Bur unless Germany moves",
        "A Par - Bur perhaps",
        "A Par - Bur or A Par - Pic, you choose",
        "A Par - Bur is for next turn",
        "A Par - Bur 3",
        "A Par - Bur?",
        "✗ A Par - Bur",
        "Instead of: A Par - Bur",
        "Germany: A Par - Bur",
        "IF NOT A Mun THEN\nA Par - Bur is nice\nENDIF",
    ],
)
def test_what_contradicts_it_or_depends_is_asked(line: str, below: bool) -> None:
    rows = with_order(line, below)
    assert [row for row in rows if row.startswith("doubtful") and row.endswith("A PAR - BUR")], rows
    assert "taken A PAR - BUR" in rows


@pytest.mark.parametrize(
    "orders",
    [
        "A Par - Pic",
        "A Mar - Bur",
        "A Par - Bur\nA Par - Pic",
        "PHASE F1901M\nA Par - Bur\nENDPHASE",
        "IF A Mun THEN\nA Par - Bur\nENDIF",
    ],
)
def test_another_order_or_one_that_does_not_count_is_no_repetition(orders: str) -> None:
    assert graded_lines(f"A Par - Bur is nice\n\n{orders}")[0] == "doubtful A PAR - BUR"


def test_each_order_of_a_line_needs_one_of_its_own() -> None:
    line = "I think F Bre - Mao and A Par - Bur are best."
    assert graded_lines(f"{line}\n\nF Bre - Mao\nA Par - Bur") == ["taken F BRE - MAO", "taken A PAR - BUR"]
    assert graded_lines(f"{line}\n\nF Bre - Mao") == ["doubtful A PAR - BUR", "taken F BRE - MAO"]


@pytest.mark.parametrize(
    "greeting",
    [
        "Let us begin the game!",
        "Let's begin!",
        "I will begin the game",
        "We begin now",
        "So let us begin, with luck.",
    ],
)
def test_a_greeting_that_says_the_verb_of_an_order_is_a_greeting_above_that_order(greeting: str) -> None:
    assert graded_lines(f"{greeting}\n\nBegin", "plains-indian-wars", "US")[-1] == "taken begin"
    rows = graded_lines(f"{greeting}\n\nBegin", "plains-indian-wars", "US")
    assert [row for row in rows if not row.startswith("taken")] == []


def test_an_order_that_may_be_meant_twice_is_asked() -> None:
    """In a queue two are two."""
    rows = graded_lines("MOVE JOU DUN\nMOVE JOU DUN will be great", "boer-war", "Boers")
    assert rows == ["taken MOVE JOU DUN", "doubtful MOVE JOU DUN"]


def test_places_are_named_by_words_that_are_no_talk() -> None:
    """ "All" and "is" are abbreviations in Indianomacy."""
    assert graded_lines("Oneida H is all I need\n\nOneida H", "indianomacy", "Iroquois") == ["taken W ONE H"]
    rows = graded_lines("Oneida H, Delaware I mean\n\nOneida H", "indianomacy", "Iroquois")
    assert rows == ["doubtful W ONE H", "taken W ONE H"]
