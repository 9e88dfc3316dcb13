"""A line that begins with a whole order of the seat always gets an answer, whatever follows the order."""

import itertools

import pytest

from games.data import read_toml
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import graded_lines, read_text

ORDERS = {
    ("standard", "France"): (
        "A Par - Bur",
        "Paris to Burgundy",
        "A Mar S A Par - Bur",
        "F Bre - Mao",
        "A Par H",
    ),
    ("indianomacy", "Iroquois"): ("Mohawk - Pequot", "10-61", "Oneida H"),
}
TABLE = read_toml("tests.corpora.press", "paragraphs.toml")
TALK = [
    paragraph.format(p="there", q="here", r="elsewhere", n="they", m="we")
    for language in TABLE.values()
    for paragraph in language["paragraphs"]
]
JOINTS = (" - ", " -- ", " – ", "—", " ", ", ", "; ", ": ", ". ", " (", "... ", "! ")


@pytest.mark.parametrize(("kind", "seat"), ORDERS)
@pytest.mark.parametrize("joint", JOINTS)
def test_talk_behind_an_order_never_silences_it(kind: str, seat: str, joint: str) -> None:
    silent = [
        line
        for order, talk in itertools.product(ORDERS[kind, seat], TALK[::3])
        if not read_text(line := f"{order}{joint}{talk}", kind, seat)["orders"]
    ]
    assert silent == []


CHANGES = {
    f"{sort}, {language}": some
    for sort, languages in read_toml("orders", "remarks.toml").items()
    if sort not in ("choice", "talk")
    for language, some in languages.items()
}


@pytest.mark.parametrize("reason", CHANGES)
def test_words_that_may_change_an_order_are_asked_back(reason: str) -> None:
    for said, joint in itertools.product(CHANGES[reason], (" - ", " -- ", "; ", " (")):
        line = f"A Par - Bur{joint}well {said} so"
        assert [row["grade"] for row in read_text(line)["orders"]] == ["doubtful"], line


REMARKS: dict[str, list[str]] = read_toml("orders", "remarks.toml")["talk"]
NAMES = ("war", "den", "par", "con", "por")
"""Words that are abbreviations, too: what begins with them is asked back."""


@pytest.mark.parametrize("language", REMARKS)
def test_words_with_which_remarks_begin_change_nothing(language: str) -> None:
    changing = {one for some in CHANGES.values() for one in some} | set(
        read_toml("orders", "remarks.toml")["choice"]["begins"]
    )
    for said in (one for one in REMARKS[language] if one not in changing and one not in NAMES):
        line = f"A Par - Bur - {said} gnu"
        assert graded_lines(line) == ["taken A PAR - BUR"], line


@pytest.mark.parametrize("begin", read_toml("orders", "remarks.toml")["choice"]["begins"])
def test_a_choice_is_asked_back(begin: str) -> None:
    assert graded_lines(f"{begin} A Par - Bur {begin} A Par - Pic, you choose") == ["doubtful A PAR - BUR"]
    assert graded_lines(f"A Par - Bur - {begin} this") == ["doubtful A PAR - BUR"]


@pytest.mark.parametrize("sign", ["-", "--", "–", "—", " (", ";", "#", "//"])
def test_a_remark_changes_nothing(sign: str) -> None:
    assert graded_lines(f"A Par - Bur {sign} the great plan of us all") == ["taken A PAR - BUR"]


def test_an_order_of_another_with_talk_behind_it_stays_talk() -> None:
    assert graded_lines("Munich to Ruhr is what worries me most about them all") == []
    assert graded_lines("A Mun - Ruh - that is what worries me") == []


def test_an_order_of_ones_own_that_cannot_be_is_answered() -> None:
    """With a remark behind it, it once had no answer."""
    (row,) = read_text("A Par - Mun - go for it")["orders"]
    assert row["grade"] not in IN_FORCE
    assert "border" in row["problem"]
