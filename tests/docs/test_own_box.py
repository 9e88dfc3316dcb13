"""The pages for owners of a game: their sheets are complete, and their examples can be typed."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from games.boer_war import GAMES as BOER_GAMES
from games.boer_war import components as boer
from games.boer_war.board import Board as Ground
from games.boer_war.components import CardId as BattleCard
from games.boer_war.components import EventId, LeaderId, Point
from games.boer_war.owner_data import PRINTED as BOERS
from games.boer_war.owner_data import box_of as boer_box
from games.great_war.components import CardRow, printed_rows
from games.great_war.owner_data import changed_cards
from games.plains_indian_wars import GAMES as PLAINS_GAMES
from games.plains_indian_wars.board import BoardRegion, Railroad
from games.plains_indian_wars.components import Card, Scenario
from games.plains_indian_wars.model import CardId, Colour, Region
from games.plains_indian_wars.owner_data import PRINTED as PLAINS
from games.plains_indian_wars.owner_data import box as plains_box
from games.record import plain
from games.war_chest.components import ARCHER, FOOTMAN, Board, UnitCard
from games.war_chest.owner_data import PRINTED, box
from tests.games.war_chest.table import GAME as WAR_CHEST
from tests.kit.handbook import DOCS
from tests.kit.owner_data import options_with_files

(PLAINS_INDIAN_WARS,) = PLAINS_GAMES
(BOER_WAR,) = BOER_GAMES
PAGE = DOCS / "great-war-box.md"
BEGIN, END = re.compile(r"<!-- made of \S+ by `make golden` -->\n\n"), "\n\n<!-- end of the sheet -->"


def table(*rows: tuple[object, ...]) -> str:
    """A table of Markdown, its first row the heading; what people write in has empty cells."""
    head, *others = ["".join(f"| {one} " if one != "" else "| " for one in row) + "|" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others])


def great_war() -> Iterator[str]:
    """A line for every card, in the order of our list."""
    head = ("id", "deck", "our name", "our points", "copies", "your name", "your points")
    yield table(head, *((one.id, one.deck, one.name, one.bp, one.count, "", "") for one in printed_rows()))


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


def plains_indian_wars() -> Iterator[str]:
    """Dice, cards deck by deck, borders, key locations, the railroad, set-ups."""
    lies, ground = PLAINS.materials, PLAINS.board
    faces = lies.faces.items()
    yield table(("die", "our faces", "your faces"), *((one, " ".join(some), "") for one, some in faces))
    for name, deck in lies.decks.items():
        rows = [(c.id, c.name, c.cubes, c.groups, c.moves) for c in deck.cards if c.kind == "action"]
        head = (f"{name}: action card", "our name", "cubes", "groups", "moves", "your name", "your numbers")
        yield table(head, *((*row, "", "") for row in rows))
        events = [
            (card.id, card.name, card.text.format(dice=2, rounds="round"))
            for card in deck.cards
            if card.kind == "event"
        ]
        head = (f"{name}: Event", "our name", "what ours does", "your name", "yours")
        yield table(head, *((*row, "", "") for row in events))
    borders = ground.chart.borders
    beside = {one: [b if a == one else a for a, b, _ in borders if one in (a, b)] for one in ground.places}
    rows = [(one, ground.places[one].name, ground.places[one].key, " ".join(beside[one])) for one in beside]
    head = ("region", "our name", "points", "our neighbours", "your name and points", "your neighbours")
    yield table(head, *((*row, "", "") for row in rows))
    line = ground.chart.railroad
    fields = ("spaces_in_a_section", "mountain_spaces", "limit", "mountain_dice")
    built = ("built_by_brown", " ".join(map(str, line.built_by_brown)), "")
    yield table(("railroad", "ours", "yours"), *((one, getattr(line, one), "") for one in fields), built)
    yield table(("cubes in the box", "ours", "yours"), *((one, n, "") for one, n in lies.supply.items()))
    yield table(
        ("set-up", "cubes of ours, beside the homes", "yours"),
        *((key, _placed(one.places), "") for key, one in lies.scenarios.items()),
    )


def _placed(places: Mapping[Region, Mapping[Colour, int]]) -> str:
    return "; ".join(
        f"{at} {', '.join(f'{n} {colour}' for colour, n in cubes.items())}" for at, cubes in places.items()
    )


def boer_war() -> Iterator[str]:
    """Leaders side by side, garrisons, cards, events, points with what they are joined to, and numbers."""
    lies, ground = BOERS.materials, BOERS.board
    for side in ("boers", "empire"):
        head = (f"leader: {side}", "our name", "Command", "Move", "SP led", "begins or comes", "SP", "yours")
        leaders = [one for one in lies.leaders.values() if one.side == side]
        yield table(
            head,
            *(
                (one.id, one.name, one.command, one.move, one.capacity, _comes(one), one.sp, "")
                for one in leaders
            ),
        )
    yield table(("garrison", "our SP", "yours"), *((one.at, one.sp, "") for one in lies.garrisons))
    head = ("card", "kind", "the Empire's", "attack, defence", "the Boers'", "attack, defence", "yours")
    yield table(
        head,
        *(
            (
                *(card.id, card.type, card.empire, _pair(card.values["empire"])),
                *(card.boers, _pair(card.values["boers"]), ""),
            )
            for card in lies.cards.values()
        ),
    )
    counted = ("uses", "number", "die", "bonus", "needs", "near")
    yield table(
        ("event", "our name", "Turns", *counted, "yours"),
        *(
            (one.id, one.name, " ".join(map(str, one.turns)), *(getattr(one, field) for field in counted), "")
            for one in lies.events.values()
        ),
    )
    yield table(
        ("point", "our name", "what it is", "by rail", "by road", "yours"),
        *((one.id, one.name, _told(one), *_joined(ground, one.id), "") for one in lies.places.values()),
    )
    yield table(("number", "ours", "yours"), *((name, value, "") for name, value in _counted(lies.numbers)))


def _comes(leader: boer.Leader) -> str:
    return f"at {leader.at}" if leader.at else f"Turn {leader.turn}, round {leader.round}"


def _pair(values: tuple[int, int]) -> str:
    return f"{values[0]}, {values[1]}"


def _told(place: boer.MapPoint) -> str:
    siege = [f"fort {place.fort}"] * bool(place.fort) + [f"falls at {place.resistance}"] * place.is_siege_town
    return ", ".join((place.control, place.terrain, *place.flags, *siege))


def _joined(ground: Ground, point: Point) -> tuple[str, str]:
    roads = [one for one in ground.near[point] if one not in ground.rails[point]]
    return " ".join(ground.rails[point]) or "none", " ".join(roads) or "none"


def _counted(numbers: Any) -> Iterator[tuple[str, str]]:
    """The tables of numbers.json, each row as its page shows a field."""
    for turn in numbers.turns:
        pools = f"empire_pool {turn.empire_pool}, boer_pool {turn.boer_pool}, reinforce {turn.reinforce}"
        yield f"Turn {turn.number}", pools
    for name, rows in plain(numbers).items():
        for field, value in rows.items() if isinstance(rows, dict) and name != "first" else ():
            if field != "mark":
                yield f"{name}: {field}", json.dumps(value).replace('"', "")


SHEETS = {
    "boer-war": boer_war,
    "great-war": great_war,
    "plains-indian-wars": plains_indian_wars,
    "war-chest": war_chest,
}


def find_shown_files(page: Path) -> list[str]:
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
    (file,) = find_shown_files(PAGE)
    assert [(card.id, card.bp) for card in changed_cards(file)] == [("B-AS", 19), ("B-KS", 5)]
    assert json.loads(file)["cards"][1]["name"] == "A King of Mine"


def test_the_files_that_the_page_of_war_chest_shows_are_read() -> None:
    units, board, lineups = find_shown_files(DOCS / "war-chest-box.md")
    found = box(
        options_with_files(WAR_CHEST, {"units.json": units, "board.json": board, "lineups.json": lineups})
    )
    assert (found.units[ARCHER].coins, found.units[FOOTMAN].coins, found.board.hand) == (5, 6, 4)
    assert found.lineups["crecy"] != PRINTED.lineups["crecy"]


def test_the_files_that_the_page_of_plains_indian_wars_shows_are_read() -> None:
    names = ("dice.json", "cards.json", "map.json", "scenarios.json")
    pages = find_shown_files(DOCS / "plains-indian-wars-box.md")
    found = plains_box(options_with_files(PLAINS_INDIAN_WARS, dict(zip(names, pages, strict=True))))
    assert found.materials.faces["Brown"].count("hit") == 3
    assert found.materials.cards[CardId("CAV-02")].cubes == 3
    assert found.board.chart.railroad.plains_spaces == 30
    assert found.materials.scenarios["1"].places[Region("SAC")] == {"Brown": 4}


def test_the_files_that_the_page_of_the_boer_war_shows_are_read() -> None:
    names = ("leaders.json", "cards.json", "map.json", "events.json", "numbers.json")
    pages = find_shown_files(DOCS / "boer-war-box.md")
    found = boer_box(options_with_files(BOER_WAR, dict(zip(names, pages, strict=True)))).materials
    assert (found.leaders[LeaderId("BUL")].command, found.leaders[LeaderId("JOU")].at) == (2, "VOL")
    assert found.cards[BattleCard("I1")].values["boers"] == (1, 5)
    assert found.places[Point("LAD")].resistance == 7
    assert found.events[EventId("E01")].turns == (1, 2)
    assert (found.numbers.battle.hand, found.numbers.victory.unbeaten) == (6, 20)


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("boer-war", (boer.Leader, boer.MapPoint, boer.BattleCard, boer.EventCounter)),
        ("great-war", (CardRow,)),
        ("plains-indian-wars", (Card, BoardRegion, Railroad, Scenario)),
        ("war-chest", (UnitCard, Board)),
    ],
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
