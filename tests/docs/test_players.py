"""The player's handbook: each email is understood, and its replies and reports are real."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from typing import Any

import pytest

import games
from adjudicator.inbound.dry_run import dry_run, position_of
from games.protocol import Seat
from orders.commands import PLAYER_COMMANDS
from tests.kit import handbook
from tests.kit.handbook import DOCS, SECRET, Page, edit_state, fill_sections, handbook_player, quote_passages
from tests.kit.memory_repository import new_position

IROQUOIS, ENGLAND, AUSTRIA = Seat("Iroquois"), Seat("England"), Seat("Austria")
CAVALRY = {
    "disc": "Blue",
    "cubes": {"STL": {"Blue": 3, "Brown": 4}, "N5": {"Green": 4}, "S5": {"Orange": 1}},
    "hands": {"Cavalry": ["Philip Sheridan", "Alfred Terry", "Plenty Coups"]},
}
PAGES = (
    Page(
        name="players",
        kind="indianomacy",
        asked=IROQUOIS,
        sent=5,
        answer=(
            "1 to fix",
            "Deadline:",
            "The turn won't run early",
            "> Seneca",
            "> Mohok",
            "> Oneida",
            "> Onondaga",
        ),
    ),
    Page(
        name="players/indianomacy",
        kind="indianomacy",
        asked=IROQUOIS,
        positions={
            "canoes": (
                IROQUOIS,
                {
                    "phase": "F1M",
                    "units": {"Iroquois": ["W ONO", "W MHK", "W SEN", "W g"]},
                    "canoes": {"ONO": 1, "SEN": 1},
                },
            ),
            "retreats": (
                IROQUOIS,
                {
                    "phase": "U1R",
                    "units": {"Dakota": ["W ONE"]},
                    "dislodged": {"Iroquois": [{"unit": "W ONE", "by_from": "DEL"}]},
                },
            ),
            "winter": (
                IROQUOIS,
                {
                    "phase": "W1A",
                    "units": {"Iroquois": ["W ONO", "W SEN", "W DEL"]},
                    "centres": {"Iroquois": ["MHK", "ONE", "ONO", "SEN", "DEL"]},
                },
            ),
        },
        report=("beaver:", "Spring", "Delaware", "Due now:", "ORDERS AND", "Neutral", "Units that held"),
    ),
    Page(
        name="players/standard",
        kind="standard",
        asked=AUSTRIA,
        positions={
            "convoy": (
                ENGLAND,
                {"phase": "F1901M", "units": {"England": ["A London", "F NTH", "F MAO", "F NWG"]}},
            ),
            "retreats": (
                AUSTRIA,
                {
                    "phase": "S1902R",
                    "units": {"Turkey": ["A BUD"]},
                    "dislodged": {"Austria": [{"unit": "A BUD", "by_from": "RUM"}]},
                },
            ),
            "winter": (
                AUSTRIA,
                {
                    "phase": "W1901A",
                    "units": {"Austria": ["A SER"]},
                    "centres": {"Austria": ["VIE", "BUD", "TRI", "SER"]},
                },
            ),
        },
        report=("beaver:", "Spring", "Austria moved", "Due now:", "ORDERS AND", "No orders"),
    ),
    Page(
        name="players/plains-indian-wars",
        kind="plains-indian-wars",
        asked=Seat("US"),
        others={"scenario": "2.7"},
        positions={
            "cavalry": (Seat("US"), CAVALRY),
            "green": (
                Seat("Nations"),
                {
                    "scenario": "2.1",
                    "disc": "Green",
                    "hands": {"Northern": ["Red Cloud"]},
                    "cubes": {"N10": {"Green": 3}, "N3": {"Green": 1}},
                },
            ),
        },
        report=("beaver:", "Set-up", "Drawn:", "Due now:", "ORDERS AND", "YOUR DECISIONS", "CAVALRY HAND"),
    ),
    Page(
        name="players/war-chest",
        kind="war-chest",
        asked=Seat("player"),
        options={"units": "first-game"},
        positions={
            "draft": (Seat("player"), {"units": "draft"}),
            "field": (
                Seat("player"),
                (
                    "place player Archer on d3 from supply",
                    "place player Cavalry on b2 from supply",
                    "place ai Pikeman on d4 from supply",
                    "move f5 to d5",
                ),
            ),
        },
        report=("beaver:", "Turn 2", "The AI", "Due now:", "TURN 2", "You", "TURN 3"),
    ),
    Page(
        name="players/great-war",
        kind="great-war",
        asked=Seat("player"),
        report=("beaver:", "Turn 1", "The AI leads", "Due now:", "ORDERS AND", "Turn 1, Combat Round 1\n|"),
    ),
    Page(
        name="players/boer-war",
        kind="boer-war",
        asked=Seat("Boers"),
        positions={"table": (Seat("player"), {"mode": "table"})},
        report=("beaver:", "Turn 1", "Cronje", "Next:", "TURN 1", "The draw"),
    ),
)
NAMES = [page.name for page in PAGES]
ENDS = ("ENDPRESS", "ENDTRY")
STRUCTURE = re.compile(r"(PHASE|ENDPHASE|IF|ELSE|ENDIF|ENDPRESS)\b")


@dataclass(frozen=True)
class Exchange:
    """A game of a page: its opening, and the outcome of the email: reply and report."""

    opening: Any
    answer: EmailMessage
    report: EmailMessage


@pytest.fixture(scope="module")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Page], Exchange]]:
    """Each page's letter is sent once. Maps are left out: no page shows one of these."""

    @cache
    def sent(page: Page) -> Exchange:
        with handbook_player(tmp_path_factory.mktemp("desk"), page) as it:
            opening = it.state
            came = it.write([text for word, text in page.letters() if not word][page.sent])
            letters = {"orders" in str(one["Subject"]): one for one in reversed((*came, *it.wait()))}
        # In War Chest and The Great War the report is also the reply.
        return Exchange(opening, answer=letters.get(True, letters[False]), report=letters[False])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        yield sent


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_what_a_page_shows_is_what_comes(
    page: Page, exchange: Callable[[Page], Exchange], request: pytest.FixtureRequest
) -> None:
    """Its forms and options; the parts of reply and report about its email. `make golden` writes them."""
    sections = {}
    if page.answer:
        sections["answer"] = quote_passages(exchange(page).answer, page.answer)
    if page.report:
        sections["report"] = quote_passages(exchange(page).report, page.report)
        own = handbook.forms(page.game, {} if page.others else None)
        sections |= {"forms": own, "options": handbook.options(page.game)}
    if page.others:
        sections["other forms"] = handbook.forms(page.game, page.others)
    if request.config.getoption("--write-golden", default=False):
        page.file.write_text(fill_sections(page.file.read_text(), sections))
    assert fill_sections(page.file.read_text(), sections) == page.file.read_text()


def position(page: Page, word: str, opening: Any) -> tuple[Any, Seat]:
    """The state that a letter of a page is written in, and by whom."""
    if not word:
        return opening, page.asked
    seat, found = page.positions[word]
    if isinstance(found, tuple):
        return edit_state(page.game, opening, found), seat
    if found.keys() <= {option.name for option in page.game.about.options}:
        return new_position(page.kind, name="beaver", secret=SECRET, options=found).state, seat
    assert page.game.whatif is not None
    return page.game.whatif.position(dict(found)), seat


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_letter_is_understood_to_the_last_line(
    page: Page, exchange: Callable[[Page], Exchange]
) -> None:
    """Except emails whose replies are shown, mistakes included."""
    letters = page.letters()
    assert {word for word, _ in letters} == {"", *page.positions}
    for number, (word, text) in enumerate(letters):
        state, seat = position(page, word, exchange(page).opening)
        raw = f"From: {seat}@example.org\nTo: gm@example.org\nSubject: a letter\n\n{text}".encode()
        said = dry_run(raw, position_of(page.game, state), page.game, seat)
        if page.answer and number == page.sent:
            continue
        assert {row["grade"] for row in said["orders"]} <= {"taken"}, (text, said["orders"])
        heard = {row["line"] for row in (*said["orders"], *said["commands"])}
        heard |= {line for row in said["commands"] for line in row["text"].splitlines()}
        for line in text.splitlines():
            parts = [line] if line in heard else line.split(", ")
            assert [part for part in parts if part not in heard and not STRUCTURE.match(part)] == []


def test_three_ways_to_write_orders_say_the_same(exchange: Callable[[Page], Exchange]) -> None:
    page = PAGES[0]
    at = position_of(page.game, exchange(page).opening)
    first, second = (
        dry_run(f"From: a@example.org\nSubject: x\n\n{text}".encode(), at, page.game, page.asked)
        for _, text in page.letters()[:2]
    )
    assert [row["read_as"] for row in first["orders"]] == [row["read_as"] for row in second["orders"]]


def test_every_command_stands_in_the_handbook() -> None:
    page = (DOCS / "players.md").read_text()
    cells = " ".join(re.findall(r"`([^`\n]*)`", page))
    assert [verb.name for verb in PLAYER_COMMANDS if not re.search(rf"\b{verb.name}\b", cells)] == []


def test_every_kind_of_game_has_a_page() -> None:
    """Variants that consist of data alone are on the page of their game."""
    told = {page.kind for page in PAGES}
    text = (DOCS / "players" / "standard.md").read_text()
    assert [kind for kind in games.kinds() if kind not in told and f"`{kind}`" not in text] == []
    listed = (DOCS / "players.md").read_text()
    assert all(f"({page.name}.md)" in listed for page in PAGES if "/" in page.name)


def test_every_command_of_the_table_is_read_as_that_command(exchange: Callable[[Page], Exchange]) -> None:
    page = PAGES[0]
    at = position_of(page.game, exchange(page).opening)
    rows = re.findall(r"^\| (`[A-Z][^|]*) \|", page.file.read_text(), re.MULTILINE)
    typed = [
        one for row in rows for one in re.findall(r"`([^`]+)`", row) if one not in ("ENDPRESS", "ENDTRY")
    ]
    assert len(typed) > 25
    for line in typed:
        raw = f"From: a@example.org\nSubject: a letter\n\n{line}\n".encode()
        said = dry_run(raw, at, page.game, page.asked)
        (verb,) = [one["verb"] for one in said["commands"]]
        assert f"{line} ".startswith(f"{verb} "), line
