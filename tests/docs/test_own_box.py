"""The pages for who owns a game: their sheets have every row, and what they show can be typed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.great_war.components import Row, printed
from games.great_war.owners import changed_cards
from games.war_chest.box import PRINTED, box
from games.war_chest.components import ARCHER, FOOTMAN, Board, Unit
from tests.games.war_chest.table import GAME as WAR_CHEST
from tests.kit.handbook import DOCS
from tests.kit.own_box import owned

PAGE = DOCS / "great-war-box.md"
BEGIN, END = re.compile(r"<!-- made of \S+ by `make golden` -->\n\n"), "\n\n<!-- end of the sheet -->"


def table(*rows: tuple[object, ...]) -> str:
    """A table of Markdown, its first row the heading; what people write in has empty cells."""
    head, *others = ["".join(f"| {one} " if one != "" else "| " for one in row) + "|" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others])


def great_war() -> Iterator[str]:
    """A line for every card, in the order of our list."""
    head = ("id", "deck", "our name", "our points", "copies", "your name", "your points")
    yield table(head, *((one.id, one.deck, one.name, one.bp, one.count, "", "") for one in printed()))


def war_chest() -> Iterator[str]:
    """A line for every unit, for every number of the board, and for every line-up."""
    head = ("unit", "our coins", "at once", "the automaton has it", "your coins")
    units = PRINTED.units.values()
    yield table(head, *((u.id, u.coins, u.most_on_board, "yes" if u.automaton else "no", "") for u in units))
    board = PRINTED.board
    hexes = (("bottom", board.bottom), ("top", board.top), ("neutral", board.neutral))
    numbers = (("markers", board.markers), ("hand", board.hand), ("in_bag", board.in_bag))
    rows = [*((name, " ".join(some), "") for name, some in hexes), *((*one, "") for one in numbers)]
    yield table(("board", "ours", "yours"), *rows)
    lineups = PRINTED.lineups.items()
    yield table(
        ("line-up", "first side", "second side", "yours"),
        *((name, " ".join(one), " ".join(other), "") for name, (one, other) in lineups),
    )


SHEETS = {"great-war": great_war, "war-chest": war_chest}


def shown(page: Path) -> list[str]:
    """The files that a page shows."""
    return re.findall(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("kind", SHEETS)
def test_the_sheet_has_a_line_for_every_row(kind: str, request: pytest.FixtureRequest) -> None:
    page, fresh = DOCS / f"{kind}-box.md", "\n\n".join(SHEETS[kind]())
    text = page.read_text(encoding="utf-8")
    begin = BEGIN.search(text)
    assert begin
    sheet, end, after = text[begin.end() :].partition(END)
    assert end
    if request.config.getoption("--write-golden"):
        page.write_text(f"{text[: begin.end()]}{fresh}{END}{after}", encoding="utf-8")
        sheet = fresh
    assert sheet == fresh, "run pytest tests/docs/test_own_box.py --write-golden"


def test_the_file_that_the_page_of_the_great_war_shows_is_read() -> None:
    (file,) = shown(PAGE)
    assert [(card.id, card.bp) for card in changed_cards(file)] == [("B-AS", 19), ("B-KS", 5)]
    assert json.loads(file)["cards"][1]["name"] == "A King of Mine"


def test_the_files_that_the_page_of_war_chest_shows_are_read() -> None:
    units, board, lineups = shown(DOCS / "war-chest-box.md")
    found = box(owned(WAR_CHEST, {"units.json": units, "board.json": board, "lineups.json": lineups}))
    assert (found.units[ARCHER].coins, found.units[FOOTMAN].coins, found.board.hand) == (5, 6, 4)
    assert found.lineups["crecy"] != PRINTED.lineups["crecy"]


@pytest.mark.parametrize(
    ("kind", "types"),
    [("great-war", (Row,)), ("war-chest", (Unit, Board))],
)
def test_each_field_that_the_page_offers_is_one_of_a_row(kind: str, types: tuple[type, ...]) -> None:
    text = (DOCS / f"{kind}-box.md").read_text(encoding="utf-8")
    fields = {
        one
        for line in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text, re.M)
        for one in re.findall(r"\w+", line)
    }
    assert fields
    known = {field for kind in types for field in kind.__struct_fields__}  # type: ignore[attr-defined]
    assert fields <= known
