"""The page for who owns The Great War: its sheet has every card, and what it shows can be typed."""

import json
import re

import pytest

from games.great_war.components import Row, printed
from games.great_war.owners import changed_cards
from tests.kit.handbook import DOCS

PAGE = DOCS / "great-war-box.md"
BEGIN, END = "cards.json by `make golden` -->\n\n", "\n\n<!-- end of the sheet -->"
HEAD = "| id | deck | our name | our points | copies | your name | your points |"
RULE = "|---|---|---|---|---|---|---|"


def row(card: Row) -> str:
    """A line of the sheet, its last two columns to be written in."""
    return f"| {card.id} | {card.deck} | {card.name} | {card.bp} | {card.count} | | |"


def test_the_sheet_has_a_line_for_every_card(request: pytest.FixtureRequest) -> None:
    """In the order of our list."""
    fresh = "\n".join([HEAD, RULE, *map(row, printed())])
    before, found, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    sheet, end, after = rest.partition(END)
    assert found
    assert end
    if request.config.getoption("--write-golden"):
        PAGE.write_text(f"{before}{BEGIN}{fresh}{END}{after}", encoding="utf-8")
        sheet = fresh
    assert sheet == fresh, "run pytest tests/docs/test_own_box.py --write-golden"


def test_the_file_that_the_page_shows_is_read() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert [(card.id, card.bp) for card in changed_cards(shown)] == [("B-AS", 19), ("B-KS", 5)]
    assert json.loads(shown)["cards"][1]["name"] == "A King of Mine"


def test_each_field_that_the_page_offers_is_one_of_a_card() -> None:
    fields = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert fields
    assert set(fields) <= set(Row.__struct_fields__)
