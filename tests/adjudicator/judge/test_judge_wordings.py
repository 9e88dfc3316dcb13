"""Orders for `gm judge` are read as in an email, in every known spelling."""

from typing import Any

import pytest

from adjudicator.judge import find_judge
from games.data import read_toml
from tests.kit.corpora import SPELLINGS
from tests.orders.test_spellings import MEANT, POSITIONS

OPENING = {
    "phase": "S1901M",
    "units": {
        "Austria": ["A Vie", "A Bud", "F Tri"],
        "England": ["F Lon", "F Edi", "A Lvp"],
        "France": ["A Par", "A Mar", "F Bre"],
        "Germany": ["A Ber", "A Mun", "F Kie"],
        "Italy": ["A Rom", "A Ven", "F Nap"],
        "Russia": ["A Mos", "A War", "F Sev", "F Stp/sc"],
        "Turkey": ["A Con", "A Smy", "F Ank"],
    },
}
FILES: dict[str, list[dict[str, Any]]] = {
    "english": MEANT,
    **{path.stem: read_toml("tests.corpora.spellings", path.name)["meant"] for path in SPELLINGS},
}


def read_as(meant: dict[str, Any], text: str) -> str | None:
    """Return the judge's reading of a text."""
    seat = meant.get("seat", "France")
    question = {**(POSITIONS[meant.get("position", "")] or OPENING), "orders": {seat: [text]}}
    (row,) = (row for row in find_judge("standard")(question)["results"] if row["order"] == text)
    return row["read_as"]


@pytest.mark.parametrize("language", FILES)
def test_every_spelling_of_an_email_is_read(language: str) -> None:
    missed = [
        (text, read_as(meant, text))
        for meant in FILES[language]
        if meant.get("kind", "standard") == "standard"
        for text in meant["spellings"]
        if read_as(meant, text) != meant["order"]
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("mar spa", "A MAR - SPA"),
        ("A París a Borgoña", "A PAR - BUR"),
        ("A Par - Bur - to be safe", "A PAR - BUR"),
        ("Final: A Par - Bur", "A PAR - BUR"),
        ("-A Par - Bur", "A PAR - BUR"),
        ("A Par - B\ufffdr", "A PAR - BUR"),
    ],
)
def test_what_an_email_may_have_around_an_order_is_read(text: str, order: str) -> None:
    assert read_as({}, text) == order


@pytest.mark.parametrize(
    "text", ["A Par - Bur - if Italy agrees", "Instead of: A Par - Bur", "A Par - Bur or A Par - Pic"]
)
def test_what_an_email_would_ask_back_is_not_played(text: str) -> None:
    question = {**OPENING, "orders": {"France": [text]}}
    (row,) = (row for row in find_judge("standard")(question)["results"] if row["order"] == text)
    assert row["outcome"] == "void"
    assert row["reason"]


def test_the_same_text_is_read_anew_in_another_season() -> None:
    """The remembered reading means something else when builds are due."""
    judge = find_judge("standard")
    for _ in range(2):
        for position, order in (("builds", "A PAR B"), ("removals", "A PAR D")):
            question = dict(POSITIONS[position], orders={"France": ["A Par"]})
            (row,) = (row for row in judge(question)["results"] if row["order"] == "A Par")
            assert row["read_as"] == order
