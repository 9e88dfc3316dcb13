"""The welcome of each game: what it is, what is due, how to reply, how to win, where the rest is."""

import re
import textwrap
from dataclasses import dataclass, replace
from itertools import islice

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft
from adjudicator.reports import messages
from adjudicator.reports.report import opening_report
from games.dice import commitment
from games.protocol import Seat
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.mail.html_rows import rows_of
from orders.reading.letter_reader import read_lines
from tests.kit.game_emails import PLAYER, SECRET, letters_of_turns, rows_without_sheet
from tests.kit.kinds import FEWER_POWERS, OWN_BOARDS
from tests.kit.memory_repository import game_of, new_position

EXAMPLES = sentence("outbound.welcome.examples_title").upper()
WIN = sentence("outbound.welcome.win_title").upper()
COMMANDS = sentence("outbound.welcome.commands_title").upper()
PARTS = (EXAMPLES, sentence("outbound.welcome.after_title").upper(), WIN, COMMANDS)
PARTS = (*PARTS, sentence("outbound.welcome.keep_title").upper())
MAX_WORDS, PHONE_COLUMNS, FIRST_ROWS = 350, 40, 12
ALONE = ("war-chest", "great-war", "boer-war", "plains-indian-wars")
GAMES: dict[str, tuple[str, dict[str, str], int]] = {
    **{kind: (kind, {}, 4_000) for kind in games.kinds() if kind not in ALONE},
    "war-chest": ("war-chest", {}, 4_500),
    "war-chest-two": ("war-chest", {"opponent": "human", "units": "first-game"}, 6_000),
    "great-war": ("great-war", {}, 5_600),
    "boer-war": ("boer-war", {}, 5_600),
    "boer-war-both": ("boer-war", {"mode": "both"}, 5_600),
    "boer-war-table": ("boer-war", {"mode": "table"}, 5_600),
    "plains-indian-wars": ("plains-indian-wars", {}, 5_500),
    **{
        f"plains-indian-wars-{number}": (
            "plains-indian-wars",
            {"scenario": f"2.{number}"},
            6_500 if number in (3, 4) else 5_800,
        )
        for number in range(1, 8)
    },
}
"""By name the kind, its options, how long its welcome is at most; in scenarios 3 and 4 one has two hands."""


ALIKE = (
    "fleet-rome",
    "indianomacy",
    *FEWER_POWERS,
    *OWN_BOARDS,
    *(f"plains-indian-wars-{number}" for number in (2, 5, 6)),
)


@dataclass(frozen=True)
class First:
    """A game that has just begun, for the first seat that is asked; what it is called here, its welcome."""

    name: str
    position: GamePosition
    seat: Seat
    letter: LetterDraft


def first(name: str) -> First:
    """Return the first email of a game; a game of one player has no deadline."""
    kind, options, _ = GAMES[name]
    position = new_position(kind, name="kit", options=options)
    game = game_of(position)
    seat = next(due.seat for due in game.rules.due(position.state) if due.seat != "ai")
    position = replace(
        position,
        deadline=None if kind in ALONE else position.deadline,
        deadlines=replace_fields(position.deadlines, solo="waits") if kind in ALONE else position.deadlines,
        assignments={
            one: replace_fields(assignment, address=PLAYER if one == seat else None)
            for one, assignment in position.assignments.items()
        },
    )
    reader = messages.LetterReader(
        address=PLAYER, game="kit", seat=seat, reply_address=f"gm+kit.{seat}@example.org"
    )
    shown = opening_report(game, position, seat, commitment=commitment(SECRET))
    return First(name, position, seat, messages.welcome(game, shown, reader, password="three-canoes"))


@pytest.fixture(scope="module", params=GAMES)
def welcome(request: pytest.FixtureRequest) -> First:
    """The first letter of each game."""
    return first(request.param)


def test_it_is_as_it_was_reviewed(welcome, golden):
    """One of each kind: the others differ in names, and Indianomacy has its own golden file."""
    if welcome.name not in ALIKE:
        golden(f"{welcome.name}-welcome.txt", welcome.letter.text)


def test_it_is_no_longer_than_one_reads_at_once(welcome):
    """In its columns, in plain text."""
    rows = welcome.letter.text.split("\n")
    assert [row for row in rows if len(row) > 72] == []
    assert len(welcome.letter.text) <= GAMES[welcome.name][2]


def test_its_parts_stand_in_the_order_in_which_one_wants_them(welcome):
    """First what the game is, then what is due; the tables of the position after all that is explained."""
    text, game = welcome.letter.text, game_of(welcome.position)
    plain = " ".join(text.split())
    view = game.rules.view(welcome.position.state, welcome.seat)
    said = ["Due now:", "Deadline:", "Order sheet", *PARTS]
    assert [plain.count(one) >= 1 for one in said] == [True] * len(said)
    assert said == sorted(said, key=plain.index)
    goal = plain.partition(WIN)[2].partition(COMMANDS)[0]
    lines = (game.telling.setting(view, welcome.seat), *game.telling.introduction(view, welcome.seat))
    assert [line in goal for line in lines].count(False) == 0


def test_it_has_few_words_beside_its_tables_and_its_sheet(welcome):
    words = [word for word in prose(welcome.letter.text).split() if re.search("[A-Za-z]", word)]
    assert len(words) <= MAX_WORDS


def prose(text: str) -> str:
    """Return a letter without its first row, its order sheet, its tables, its examples and its rules."""
    above, _, below = text.partition("\n")[2].partition("Order sheet")
    whole = above + below.partition("\n\n")[2].partition("\n\n")[2]
    examples = whole.partition(EXAMPLES)[2].partition("\n\n")[0]
    parts = whole.replace(examples, "").split("\n\n")
    kept = [part for part in parts if not re.search(r"(?m)^  -+(  -+)*$|^-+\n  \S", part)]
    return re.sub(r"(?m)^[-=]+$", "", "\n\n".join(kept))


def test_a_phone_shows_first_what_is_due_and_when(welcome):
    """In 40 columns, before anybody scrolls."""
    rows = [
        row
        for line in welcome.letter.text.split("\n")
        for row in textwrap.wrap(line, PHONE_COLUMNS, break_on_hyphens=False) or [""]
    ][:FIRST_ROWS]
    assert [any(row.startswith(label) for row in rows) for label in ("Due now:", "Deadline:")] == [True, True]


@pytest.mark.parametrize("kind", ALONE)
def test_no_placeholder_is_said_to_who_plays_alone(kind):
    """In no email of the first turns, neither in its subject nor in plain text nor on its page."""
    for turn in islice(letters_of_turns(kind), 2):
        if turn.position.is_running:
            letters = [turn.report(), turn.welcome(), turn.reminder(), turn.verdict()]
            for letter in letters:
                subject = letter.subject.partition(" [")[0]
                told = f"{subject}\n{letter.text}\n{letter.html}"
                found = re.search(
                    r"(?i:you play (the )?player\b|the player's|for player\b)|\bai (drew|played)\b", told
                )
                assert found is None, found


def test_the_subject_says_whom_one_plays_or_what_is_due():
    assert first("war-chest").letter.subject.startswith(
        sentence("outbound.welcome.subject_draft", title="War Chest", count=4)
    )
    assert first("indianomacy").letter.subject.startswith(
        sentence("outbound.welcome.subject", title="Indianomacy II", seat="the Apache")
    )


def test_nothing_in_it_reads_as_an_order_or_a_command(welcome):
    """Not even in a copy without marks of quotation: neither in its rows nor in those of its page."""
    game = game_of(welcome.position)
    context = parse_context(game, AuthenticatedSeat(welcome.position, welcome.seat, "token"))
    sheet = tuple(
        row
        for row in welcome.letter.text.partition("Order sheet")[2]
        .partition("\n\n")[2]
        .partition("\n\n")[0]
        .split("\n")
    )
    page = "\n".join(row.text for row in rows_of(welcome.letter.html))
    for whole in (welcome.letter.text, page):
        rows = [row for row in rows_without_sheet(whole, sheet) if not row.startswith(("|", ">"))]
        reading = read_lines([FreshLine(text=row) for row in rows], context)
        assert reading.commands == ()
        assert [one.line for one in reading.orders if one.in_force] == []


def test_whoever_comes_later_gets_the_whole_position():
    """A seat taken in the middle of a game: no table is left out, and all rows stand."""
    begun = first("plains-indian-wars")
    late = replace(begun.position, played=3)
    game = game_of(late)
    now, then = (opening_report(game, one, begun.seat) for one in (begun.position, late))
    assert "Standing instructions" not in [table.title for table in now.tables]
    assert [table.title for table in then.tables][-2:] == [
        "Victory points, if the game ended now",
        "Standing instructions",
    ]
    assert then.later == ()
    assert now.later == ("the rest of the position", "victory points", "standing instructions")
    (short,), (long,) = (
        [table for table in one.tables if table.title == "Cubes by region"] for one in (now, then)
    )
    assert len(short.rows) < len(long.rows)
    assert all(row[0] in " ".join(cell for cell, *_ in short.rows) for row in long.rows)


def test_of_what_all_owe_one_reads_one_s_own():
    """Chaos begins with a build of each of its nations."""
    text = first("chaos").letter.text
    due = text.partition("ADJUSTMENTS DUE")[2].partition(EXAMPLES)[0]
    assert due.count("one build") == 1


def test_the_page_of_help_has_columns_instead_of_bars():
    """Each command in one cell and its effect in the next; no row is plain text behind a bar."""
    reader = messages.LetterReader(address=PLAYER)
    for topic in messages.HELP_TOPICS:
        page = messages.notice(reader, messages.Heading("help", "Help"), (messages.help_text(topic),)).html
        assert page is not None
        assert re.search(r"\| |&#124;", re.sub(r"(?s)<style.*?</style>", "", page)) is None
    general = messages.notice(reader, messages.Heading("help", "Help"), (messages.help_text("general"),)).html
    assert general is not None
    assert len(re.findall(r"<td [^>]*nowrap[^>]*>[A-Z, ]+", general)) > 20
